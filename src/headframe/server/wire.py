"""How connections are held, below all routes: what one of them may take of time and memory.

Everything runs in one thread, and that thread carries the operator's heartbeat and the emergency
stop. So no connection may keep it busy by what costs its sender nothing: empty fragments, pings,
requests that are never finished, answers that are never read.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from .allowance import Allowance

A_SECOND, AT_ONCE = 64 * 1024, 256 * 1024  # bytes that a client may send
A_FRAME = 256  # bytes that a frame of any kind counts beside its own
AT_A_TIME = 4096  # bytes that are taken apart before it is looked whether that was too much
TOO_MUCH = 1008
LINGER = 2.0  # for what is still to be sent when a socket closes [s]
HEAD_PATIENCE = 10.0  # for the head of a request, on a connection that has none underway [s]
PING_EVERY, PING_PATIENCE = 5.0, 10.0  # who does not read does not answer [s]


class Socket(WebSocketsSansIOProtocol):
    """A socket whose frames of every kind count, and which does not outlive its peer's reading."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._allowance = Allowance(A_SECOND, AT_ONCE)
        self.close_timeout = LINGER

    def data_received(self, data: bytes) -> None:
        """Take what comes apart, little by little, until it was too much."""
        for at in range(0, len(data), AT_A_TIME):
            if self.close_sent and self.transport.is_closing():
                return
            super().data_received(data[at : at + AT_A_TIME])

    def handle_text(self, event: Frame) -> None:
        """A message, or its beginning."""
        if self._may(event):
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """A message in bytes, or its beginning."""
        if self._may(event):
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """One more part of a message."""
        if self._may(event):
            super().handle_cont(event)

    def handle_pong(self, event: Frame) -> None:
        """An answer to a ping."""
        if self._may(event):
            super().handle_pong(event)

    def handle_ping(self) -> None:
        """Answer, but not to one who does not read the answers: they would pile up here."""
        answer = b"".join(self.conn.data_to_send())
        if self._may(None) and self.writable.is_set():
            self.transport.write(answer)

    def keepalive_timeout(self) -> None:
        """No answer to a ping came."""
        super().keepalive_timeout()
        self.transport.abort()  # it would wait until everything is read

    async def run_asgi(self) -> None:
        """Let the application talk; after that nothing lingers for long."""
        await super().run_asgi()
        self.loop.call_later(LINGER, self.transport.abort)

    def _may(self, event: Frame | None) -> bool:
        """Whether one more frame is heard; else the socket is closed."""
        size = 0 if event is None else len(event.data)
        if self._allowance.take(size + A_FRAME, time.monotonic()):
            return True
        if not self.close_sent and self.conn.state is State.OPEN:
            self.conn.send_close(TOO_MUCH)
            self.handle_parser_exception()
        self.loop.call_later(LINGER, self.transport.abort)
        return False


class Http(H11Protocol):
    """A connection that is closed if no request comes, or none is ever finished."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._late: asyncio.TimerHandle | None = None
        self._upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._unwatch()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what comes; a head that does not end is not waited for."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._watch()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to a socket."""
        self._upgraded = True
        self._unwatch()
        super().handle_websocket_upgrade(event)

    def _watch(self) -> None:
        """Wait for a request's head, while none is underway; not for ever."""
        underway = self.cycle is not None and not self.cycle.response_complete
        if underway or self._upgraded:
            self._unwatch()
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_PATIENCE, self.transport.abort)

    def _unwatch(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
