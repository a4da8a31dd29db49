"""One server for all tests of a file, and an operator."""

import pytest
from running import Running


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    kept = tmp_path_factory.mktemp("kept")
    running = Running("--port", "0", "--recordings", str(kept), "door")
    yield running
    code, _, said = running.stop()
    assert code == 0
    assert [line for line in said.splitlines() if not line.startswith("physics: ")] == []


@pytest.fixture
def operator(server):
    with server.talk() as talker:
        talker.send(type="take_seat")
        talker.until(lambda: talker.status["seat"] == talker.welcome["client"])
        talker.alive()
        yield talker
        talker.listen(0.1)
