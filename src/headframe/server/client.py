"""One connection: what it is allowed, and what waits to be sent to it."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ..protocol import write
from ..protocol.down import Refused
from .access import Visitor

MOST_TEXTS = 64  # messages that may wait for a client that does not read
TOO_SLOW, GOING_AWAY = 1013, 1001


class Client:
    """A socket with room for the newest frame, the newest status and a few messages.

    A client that reads slowly misses frames; one that does not read at all costs one frame, since
    what it has not taken is replaced.
    """

    def __init__(self, number: int, socket: WebSocket, visitor: Visitor) -> None:
        """Hold a socket that is accepted."""
        self.number, self.socket, self.visitor = number, socket, visitor
        self._frame: bytes | None = None
        self._status: Any = None
        self._texts: deque[Any] = deque()
        self._wake = asyncio.Event()
        self._closing: int | None = None

    @property
    def role(self) -> str:
        """What it may do."""
        return self.visitor.role

    def offer(self, frame: bytes) -> None:
        """Replace the frame that waits."""
        self._frame = frame
        self._wake.set()

    def tell_status(self, status: Any) -> None:
        """Replace the status that waits."""
        self._status = status
        self._wake.set()

    def tell(self, message: Any) -> None:
        """Let a message wait; a client that leaves too many unread is closed.

        Of refusals that are alike and follow one another, one is enough.
        """
        if isinstance(message, Refused) and self._texts and self._texts[-1] == message:
            return
        if len(self._texts) >= MOST_TEXTS:
            self.close(TOO_SLOW)
            return
        self._texts.append(message)
        self._wake.set()

    def close(self, code: int = GOING_AWAY) -> None:
        """Close the socket after what waits."""
        self._closing = code
        self._wake.set()

    async def send_all(self) -> None:
        """Send what there is, until the socket closes."""
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._texts:
                    await self.socket.send_text(write(self._texts.popleft()))
                if self._status is not None:
                    status, self._status = self._status, None
                    await self.socket.send_text(write(status))
                if self._closing is not None:
                    await self.socket.close(self._closing)
                    return
                if self._frame is not None:
                    frame, self._frame = self._frame, None
                    await self.socket.send_bytes(frame)
        except (WebSocketDisconnect, RuntimeError):  # closed while sending
            return
