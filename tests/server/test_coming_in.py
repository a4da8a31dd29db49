"""Addresses, ports, sessions and who is let in."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from importlib import resources

import httpx
import pytest
from running import LONG, Running
from websockets.exceptions import InvalidStatus


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "headframe", "run", "--no-browser", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        **options,
    )


# ------------------------------------------------------------ starting, ending


@pytest.mark.quiet
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_in_good_order(number):
    """Also with clients, one of which does not read."""
    server = Running("door", "--port", "0")
    with server.talk(), server.talk("viewer", unread=1):
        code, seconds, said = server.stop(number)
    assert (code, said) == (0, "")
    assert seconds < 2.0


def test_addresses_are_two_plain_lines(server):
    operator, viewer = server.addresses
    pattern = r"http://127\.0\.0\.1:\d+/#{}=[\w-]{{32}}"
    assert re.fullmatch(pattern.format("operator"), operator)
    assert re.fullmatch(pattern.format("viewer"), viewer)


def test_port_that_is_taken_is_an_error_that_names_it(server):
    done = command("--port", str(server.port))
    assert done.returncode == 1
    assert done.stderr == f"error: port {server.port} of 127.0.0.1 is taken\n"
    assert done.stdout == ""


def test_next_free_port_is_taken_and_said():
    with socket.socket() as taken:
        try:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(("127.0.0.1", 8710))
            taken.listen()
        except OSError:
            pass  # somebody else has it already
        server = Running("door")
        assert server.port > 8710
        _, _, said = server.stop()
        assert said == f"port 8710 is taken: using {server.port}\n"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["no_such_machine"], "neither a catalogue machine nor a file"),
        (["--scene", "moon"], "moon: neither a scene nor a scene file"),
        (["--host", "no such host"], "host 'no such host'"),
        (["--host", "0.0.0.0"], "--allow-host NAME"),
        (["--host", "0.0.0.0", "--allow-host", "mine"], "HEADFRAME_PASSWORD"),
    ],
)
def test_mistakes_are_told_in_a_line(arguments, why):
    done = command(*arguments, stdin=subprocess.DEVNULL)
    assert done.returncode == 1
    assert why in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_broken_machine_file_is_told_before_anything_starts(tmp_path):
    file = tmp_path / "broken.json"
    file.write_text('{"mrdf": "1", "name": "x", "links": 5, "joints": 6}')
    done = command(str(file), "--port", "0")
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert all(place in done.stderr for place in ("links", "joints"))
    assert done.stdout == ""


def test_machine_that_cannot_be_assembled_is_told_on_the_page(tmp_path):
    """What only the physics process finds out."""
    machine = json.loads((resources.files("headframe") / "machines" / "door.json").read_text())
    machine["actuators"][0]["bound"] = {"lower": 50.0, "upper": 51.0}  # longer than the door
    del machine["geometry_file"], machine["home"]
    file = tmp_path / "apart.json"
    file.write_text(json.dumps(machine))
    server = Running(str(file), "--port", "0")
    try:
        with server.talk(hello=False) as talker:
            talker.until(lambda: talker.status, LONG)
            assert not talker.status["alive"]
            assert talker.status["trouble"]
    finally:
        server.stop()


def test_other_computers_need_the_password():
    server = Running(
        "door", "--host", "0.0.0.0", "--port", "0", "--allow-host", "localhost",
        env={"HEADFRAME_PASSWORD": "open sesame"},
    )  # fmt: skip
    try:
        token = server.tokens["operator"]
        assert server.post("/session", json={"token": token}).status_code == 401
        right = {"token": token, "password": "open sesame"}
        assert server.post("/session", json=right).status_code == 200
        program = server.bearer("operator")
        assert server.get("/session", headers=program).status_code == 401
        program["X-Headframe-Password"] = "open sesame"
        assert server.get("/session", headers=program).status_code == 200
    finally:
        code, _, said = server.stop()
    assert code == 0
    assert "not encrypted" in said
    assert "open sesame" not in said


# --------------------------------------------------------------- the first run


def first_run(tmp_path, *arguments):
    """A server that has to compile first, in a group of processes of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "headframe", "run", "door", "--no-browser", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        start_new_session=True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither groups nor SIGTERM")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_compiler_outlives_a_run_that_is_ended(tmp_path, how):
    running = first_run(tmp_path, "--port", "0")
    try:
        assert "compiling" in running.stderr.readline()
        address = running.stdout.readline().partition("#")[0]
        assert httpx.get(address).status_code == 200  # before anything is compiled
        assert httpx.get(f"{address}health").json()["status"] == "loading"
        time.sleep(1.0)
        running.send_signal(how)
        _, said = running.communicate(timeout=20)
        assert how == signal.SIGKILL or said == ""  # the processes that compile are silent
        assert running.returncode == (0 if how != signal.SIGKILL else -signal.SIGKILL)
        end = time.monotonic() + 20.0
        while alive(running.pid):
            assert time.monotonic() < end
            time.sleep(0.1)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)


def alive(group):
    """Whether a group of processes has a member."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_taken_port_is_told_before_compiling(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        running = first_run(tmp_path, "--port", str(taken.getsockname()[1]))
        _, said = running.communicate(timeout=60)
    assert running.returncode == 1
    assert "is taken" in said
    assert "compiling" not in said


# ------------------------------------------------------------------- sessions


def test_token_becomes_a_cookie(server):
    answer = server.post("/session", json={"token": server.tokens["operator"]})
    assert answer.json()["role"] == "operator"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"headframe_{server.port}=")
    for part in ("HttpOnly", "SameSite=strict", "Path=/"):
        assert part.lower() in cookie.lower()
    assert server.tokens["operator"] not in cookie
    cookies = dict(answer.cookies)
    assert server.get("/session", cookies=cookies).json()["role"] == "operator"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"token": 5}', b'{"token": "x"}', b"x" * 9999]
)
def test_wrong_tokens_come_not_in(server, body):
    answer = server.post("/session", content=body)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def test_what_is_public_and_what_is_not(server):
    assert server.get("/").status_code == 200
    with server.talk("viewer") as viewer:  # it may still be loading
        viewer.until(lambda: viewer.frames > 1, 60.0)
    assert server.get("/health").json()["status"] == "ok"
    assert server.get("/icon.svg").status_code == 200
    for path in ("/session", "/geometry/1.glb"):
        assert server.get(path).status_code == 401
        assert server.get(path, headers=server.bearer("viewer")).status_code in (200, 404)
        wrong = {"Authorization": "Bearer nonsense"}
        assert server.get(path, headers=wrong).status_code == 401
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Cookie": "headframe=x"}):
        with pytest.raises(InvalidStatus, match="403"), server.talk(headers=headers):
            pass


@pytest.mark.parametrize(
    "path", ["/../../pyproject.toml", "/%2e%2e/app.py", "/..%2fapp.py", "/assets/../../app.py",
             "//etc/passwd", "/assets", "/nothing"],
)  # fmt: skip
def test_nothing_else_is_served(server, path):
    with httpx.Client() as client:
        request = client.build_request("GET", server.base + "/")
        request.url = request.url.copy_with(raw_path=path.encode())
        assert client.send(request).status_code == 404


def test_every_answer_has_the_policy(server):
    for path in ("/", "/health", "/nothing"):
        headers = server.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    refused = server.get("/", headers={"Host": "example.org"})
    assert refused.status_code == 403
    assert "default-src 'self'" in refused.headers["content-security-policy"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "example.org"},
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
    ],
)
def test_strangers_are_refused_and_change_nothing(server, headers):
    token = {"token": server.tokens["operator"]}
    answer = server.post("/session", json=token, headers=headers)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert server.get("/", headers=headers).status_code == 403
    both = {**server.bearer("operator"), **headers}
    origin = both.pop("Origin", None)
    if "Host" in both:
        return  # the socket library writes its own
    with pytest.raises(InvalidStatus, match="403"), server.talk(headers=both, origin=origin):
        pass


def test_own_page_is_let_in(server):
    headers = {"Origin": server.base}
    token = {"token": server.tokens["viewer"]}
    assert server.post("/session", json=token, headers=headers).status_code == 200
    with server.talk("viewer", origin=server.base) as viewer:
        assert viewer.welcome["role"] == "viewer"


def test_compression_is_off(server):
    with server.talk("viewer") as viewer:
        assert "sec-websocket-extensions" not in viewer.socket.response.headers


# ----------------------------------------------------------------------- files


def upload(server, content, name="machine.json", role="operator"):
    return server.post(
        "/machine", params={"name": name}, content=content, headers=server.bearer(role), timeout=60
    )


def test_machine_that_is_sent_is_driven(server, tmp_path):
    import headframe as hf

    file = tmp_path / "own.json"
    hf.load("lhd").save(file)
    machine = json.loads(file.read_text())
    assert "lhd.3dt" in upload(server, json.dumps(machine).encode()).text  # comes without it
    del machine["geometry_file"]
    machine["name"] = "my <b>loader</b>"
    assert upload(server, json.dumps(machine).encode()).json() == {"problems": [], "notes": []}
    with server.talk("viewer") as viewer:
        assert viewer.scene["machine"]["name"] == "my <b>loader</b>"


@pytest.mark.parametrize(
    ("name", "content", "status", "why"),
    [
        ("m.json", b"{", 422, "line 1"),
        ("m.json", b'{"mrdf": "1", "name": "x", "links": []}', 422, "links"),
        ("m.urdf", b"<robot/>", 422, ""),
        ("m.exe", b"", 415, "expected one of"),
        ("../../m.json", b"{", 422, "line 1"),
        ("", b"", 415, "expected one of"),
        (300 * "m" + ".json", b"{", 415, "expected at most 200"),
        ("m\0.json", b"{", 415, "plain letters"),
    ],
)
def test_broken_files_change_nothing(server, name, content, status, why):
    with server.talk("viewer") as viewer:
        before = viewer.scene["number"]
        answer = upload(server, content, name)
        assert answer.status_code == status
        assert why in answer.text
        assert "/tmp" not in answer.text
        viewer.listen(0.5)
        assert viewer.scene["number"] == before
        assert viewer.status["alive"]


def test_viewers_send_no_files(server):
    assert upload(server, b"{}", role="viewer").status_code == 403
    assert server.post("/machine", params={"name": "m.json"}).status_code == 401


def test_file_that_is_too_large(server):
    def endless():
        for _ in range(65):
            yield b" " * 2**20

    answer = upload(server, endless())
    assert answer.status_code == 413
    assert "64 MiB" in answer.text
