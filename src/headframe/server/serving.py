"""Start the server, say where it is, and stop it in good order."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from ..errors import ServerError
from ..protocol import LARGEST_MESSAGE
from .access import OPERATOR, VIEWER, Access
from .app import make_app
from .settings import PORT, TRIED, ServerSettings
from .wire import PING_EVERY, PING_PATIENCE, Http, Socket

Say = Callable[[str], None]


def serve(
    settings: ServerSettings, listening: socket.socket, say: Say, browse: bool = True
) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        settings: how to serve.
        listening: what `listen` gave for these settings.
        say: gets what a person should know, beside the two addresses on standard output.
        browse: open a browser, where there is a display and `CI` is not set.
    """
    port = listening.getsockname()[1]
    if settings.port is None and port != PORT:
        say(f"port {PORT} is taken: using {port}")
    access = Access(port, settings.password)
    config = uvicorn.Config(
        make_app(settings, access),
        http=Http,
        ws=Socket,
        ws_max_size=LARGEST_MESSAGE,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=PING_PATIENCE,
        ws_per_message_deflate=False,  # it costs six times the processor time
        loop="uvloop" if sys.platform != "win32" else "asyncio",
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )

    def started() -> None:
        addresses = addresses_of(settings, port, access)
        for address in addresses:
            print(address, flush=True)  # plain: a long line must stay one line
        if browse and has_display():
            threading.Thread(target=webbrowser.open, args=addresses[:1], daemon=True).start()

    _Server(config, started).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Tells when it serves; a signal ends it in good order, which is no failure."""

    def __init__(self, config: uvicorn.Config, when_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_started = when_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._when_started()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self._end) for number in signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, *_: object) -> None:
        self.should_exit = True


def addresses_of(settings: ServerSettings, port: int, access: Access) -> tuple[str, str]:
    """The operator's address and the viewers'."""
    host = settings.allowed[0] if settings.allowed else settings.host
    if host in ("0.0.0.0", "::", ""):
        host = "localhost"
    name = f"[{host}]" if ":" in host else host
    query = ""
    if settings.replay is not None:  # the page opens it
        query = "?tool=record&replay"
    operator, viewer = (
        f"http://{name}:{port}/{query}#{role}={access.tokens[role]}" for role in (OPERATOR, VIEWER)
    )
    return operator, viewer


def listen(settings: ServerSettings) -> socket.socket:
    """A socket at the wanted port, or at the default one or the next that is free.

    Raises:
        ServerError: the port is taken, or the address is none of this computer.
    """
    if settings.port is not None:
        return _bound(settings.host, settings.port)
    for port in range(PORT, PORT + TRIED):
        try:
            return _bound(settings.host, port)
        except ServerError as error:
            if not error.taken:
                raise
    raise ServerError(f"ports {PORT} to {PORT + TRIED - 1} of {settings.host} are all taken", True)


def _bound(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except (OSError, UnicodeError) as error:
        raise ServerError(f"host {host!r} is not known: {error}") from None
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(128)
    except (OSError, OverflowError) as error:
        bound.close()
        number = getattr(error, "errno", None)
        if number == errno.EADDRINUSE:
            raise ServerError(f"port {port} of {host} is taken", True) from None
        raise ServerError(f"port {port} of {host} cannot be used: {error}") from None
    return bound


def has_display() -> bool:
    """Whether a person can see a browser that opens here."""
    if os.environ.get("CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
