"""What waits for a client."""

import pytest

from headframe.protocol.down import Notice, Refused
from headframe.server.access import VIEWER, Visitor
from headframe.server.client import MOST_TEXTS, TOO_SLOW, Client


@pytest.fixture
def client():
    return Client(1, None, Visitor("s", VIEWER))


def test_refusals_that_are_alike_are_told_once(client):
    for _ in range(10 * MOST_TEXTS):
        client.tell(Refused("step", "too many"))
    assert list(client._texts) == [Refused("step", "too many")]
    client.tell(Refused("step", "another reason"))
    client.tell(Refused("step", "too many"))
    assert len(client._texts) == 3
    assert client._closing is None


def test_a_client_that_leaves_too_much_unread_is_closed(client):
    for _ in range(MOST_TEXTS):
        client.tell(Notice("reload"))
    assert client._closing is None
    client.tell(Notice("reload"))
    assert client._closing == TOO_SLOW
