"""The clients of the documentation, which know nothing of this package, drive a real server."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import build_web

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
MOST_LINES = 60


def node():
    """How to start Node with a WebSocket of its own."""
    program = build_web.find("node")
    if program is None:
        pytest.skip("Node is not installed")
    flags = [] if build_web.node_version() >= (22,) else ["--experimental-websocket"]
    return [program, "--no-warnings", *flags]


@pytest.mark.quiet
@pytest.mark.parametrize("name", ["client.py", "client.mjs"])
def test_a_client_drives_reads_stops_and_releases(server, tmp_path, name):
    program = Path(shutil.copy(EXAMPLES / name, tmp_path))
    start = [sys.executable, "-I"] if name.endswith(".py") else node()
    done = subprocess.run(
        [*start, str(program), server.addresses[0]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=90,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    moved = re.match(r"([\w]+): ([\d.]+) m to ([\d.]+) m\nstopped and released\n$", done.stdout)
    assert moved, done.stdout
    with server.talk("viewer") as viewer:
        group = viewer.scene["machine"]["groups"][0]
        assert group["name"] == moved[1]
        way = abs(float(moved[3]) - float(moved[2]))
        assert way == pytest.approx(0.5 * group["speed"], rel=0.2)  # of a second, at half speed
        assert viewer.frame.lengths[group["cylinders"][0]] == pytest.approx(
            float(moved[3]), abs=0.02
        )
        assert not viewer.status["emergency"]


@pytest.mark.parametrize("name", ["client.py", "client.mjs"])
def test_a_client_is_short_and_stands_alone(name):
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert not re.search(r"import.*headframe", text)


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer x"}, {"Origin": "http://a.b"}])
def test_a_handshake_that_is_not_allowed_is_answered_by_403(server, headers):
    with (
        pytest.raises(InvalidStatus) as caught,
        connect(f"ws://127.0.0.1:{server.port}/ws", additional_headers=headers),
    ):
        pass
    assert caught.value.response.status_code == 403


def test_the_server_offers_no_extensions(server):
    """As the page says: what a client reads is never packed."""
    with connect(
        f"ws://127.0.0.1:{server.port}/ws", additional_headers=server.bearer("viewer")
    ) as socket:
        assert "Sec-WebSocket-Extensions" not in socket.response.headers
        assert '"welcome"' in socket.recv(timeout=20)
