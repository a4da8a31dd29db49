"""One server for all tests of a file."""

import pytest
from running import Running


@pytest.fixture(scope="module")
def server():
    running = Running("--port", "0")
    yield running
    code, seconds, said = running.stop()
    assert code == 0
    assert [line for line in said.splitlines() if not line.startswith("physics: ")] == []
    assert seconds < 6.0  # test_coming_in looks closer; here other programs may be busy


@pytest.fixture
def operator(server):
    with server.talk() as talker:
        talker.send(type="take_seat")
        talker.until(lambda: talker.status["seat"] == talker.welcome["client"])
        talker.fresh()
        yield talker
