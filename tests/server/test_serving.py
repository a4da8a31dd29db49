"""Where a server listens, what it says, and when a browser opens."""

import socket

import pytest

from headframe.errors import ServerError
from headframe.server import ServerSettings
from headframe.server.access import Access
from headframe.server.serving import addresses_of, has_display, listen
from headframe.server.settings import is_loopback


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]"])
def test_loopback(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
def test_not_loopback(host):
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("environment", "opens"),
    [({}, False), ({"DISPLAY": ":0"}, True), ({"WAYLAND_DISPLAY": "wayland-0"}, True),
     ({"DISPLAY": ":0", "CI": "true"}, False)],
)  # fmt: skip
def test_browser_opens_where_somebody_sees_it(monkeypatch, environment, opens):
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "CI"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert has_display() == opens


def test_addresses():
    access = Access(8710)
    operator, viewer = addresses_of(ServerSettings(host="::1"), 8710, access)
    assert operator == f"http://[::1]:8710/#operator={access.tokens['operator']}"
    assert viewer == f"http://[::1]:8710/#viewer={access.tokens['viewer']}"
    others = ServerSettings(host="0.0.0.0", allowed=("mine-pc.example",), password="12345678")
    assert addresses_of(others, 1, access)[0].startswith("http://mine-pc.example:1/#")


def test_taken_ports():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerError, match=f"port {port} of 127.0.0.1 is taken") as caught:
            listen(ServerSettings(port=port))
        assert caught.value.taken
    with listen(ServerSettings(port=port)) as now_free:
        assert now_free.getsockname()[1] == port


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1", "a" * 300])
def test_host_that_is_not_this_computer(host):
    with pytest.raises(ServerError, match=r"host|cannot be used"):
        listen(ServerSettings(host=host, port=0))


def test_password_is_not_shown():
    assert "sesame" not in repr(ServerSettings(password="open sesame"))
