"""Which requests are let in: by name and by the page that sends them."""

import asyncio
import errno

import pytest
from starlette.requests import ClientDisconnect

from headframe.server.guard import Guard


def refused(host, origin=None, allowed=()):
    headers = [(b"Host", host.encode())] if host is not None else []
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    return bool(Guard(None, allowed).refuses({"type": "http", "headers": headers}))


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8710", "127.0.0.1:1", "127.0.0.2:1", "[::1]:8710", "LOCALHOST:80"],
)
def test_loopback_names_with_any_port(host):
    assert not refused(host)
    assert not refused(host, f"http://{host}")
    assert not refused(host, f"https://{host}")


@pytest.mark.parametrize(
    "host",
    ["example.org", "example.org:8710", "127.0.0.1.example.org", "localhost.example.org", "", "::1",
     "localhost@example.org", "[::1", None, "192.0.2.1"],
)  # fmt: skip
def test_other_names_are_refused(host):
    assert refused(host)


@pytest.mark.parametrize(
    "origin",
    ["http://example.org", "http://localhost:8711", "http://127.0.0.1:8710", "null", "",
     "file://", "http://localhost:8710.example.org", "http://localhost:8710/x", "ws://[::1"],
)  # fmt: skip
def test_pages_of_other_sites_are_refused(origin):
    assert refused("localhost:8710", origin)


def test_two_hosts_are_refused():
    scope = {"headers": [(b"host", b"localhost"), (b"host", b"example.org")]}
    assert Guard(None).refuses(scope)


def test_names_that_are_allowed():
    assert not refused("Mine-PC.example:8710", "http://mine-pc.example:8710", ["mine-pc.EXAMPLE"])
    assert refused("other.example", None, ["mine-pc.example"])


def test_two_origins_are_refused():
    same = (b"origin", b"http://localhost")
    for second in (same, (b"Origin", b"http://example.org")):
        scope = {"headers": [(b"host", b"localhost"), same, second]}
        assert "at most one Origin" in Guard(None).refuses(scope)


def answered(error, kind="http", begun=False):
    """What a guard sends if the application fails."""
    sent = []

    async def failing(_scope, _receive, send):
        if begun:
            await send({"type": "http.response.start", "status": 200})
        raise error

    async def send(message):
        sent.append(message)

    guard = Guard(failing)
    scope = {"type": kind, "headers": [(b"host", b"localhost")]}
    for _ in range(3):
        asyncio.run(guard(scope, None, send))
    return sent


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OSError(errno.ENOSPC, "no space"), 507),
        (OSError(errno.EMFILE, "too many files"), 503),
        (ZeroDivisionError("a defect"), 500),
    ],
)
def test_failures_are_answers_and_fill_no_log(error, status, capsys):
    sent = answered(error)
    assert [message["status"] for message in sent if "status" in message] == [status] * 3
    assert all(b"error" in message["body"] for message in sent if "body" in message)
    said = capsys.readouterr().err
    assert said.count("Traceback") == (status == 500)  # once, not at every request


def test_whoever_hung_up_gets_no_answer(capsys):
    assert answered(ClientDisconnect()) == []
    assert capsys.readouterr().err == ""


def test_a_socket_that_fails_is_closed(capsys):
    assert answered(ZeroDivisionError(), "websocket")[0] == {
        "type": "websocket.close",
        "code": 1011,
    }
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_an_answer_that_has_begun_is_not_begun_again(capsys):
    with pytest.raises(ZeroDivisionError):
        answered(ZeroDivisionError(), begun=True)
    assert "ZeroDivisionError" in capsys.readouterr().err
