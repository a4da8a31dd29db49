"""Which requests are let in: by name and by the page that sends them."""

import pytest

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
