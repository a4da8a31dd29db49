"""What every request must be like, before any route sees it.

A page of another site can make a browser send requests to this computer, and a name server can
make another name mean this computer. So the name in `Host` must be one of ours, and where a browser
tells the `Origin` of the page that asks, it must be the very same host.
"""

from __future__ import annotations

import errno
import json
import sys
import traceback
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .settings import is_loopback

HEADERS = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
POLICY_VIOLATION, INTERNAL = 1008, 1011
FULL, BUSY = "the server's disk is full", "the server has too much to do: try again later"
NO_ROOM = {
    errno.ENOSPC: (507, FULL),
    errno.EDQUOT: (507, FULL),
    errno.EMFILE: (503, BUSY),
    errno.ENFILE: (503, BUSY),
    errno.ENOMEM: (503, BUSY),
    errno.EAGAIN: (503, BUSY),
}
MOST_REPORTED = 100  # defects at different places


class Guard:
    """Refuses requests and sockets that come by another name or from another site's page."""

    def __init__(self, app: ASGIApp, allowed: Iterable[str] = ()) -> None:
        """Let `app` answer those that may ask; `allowed` are names beside the loopback's."""
        self.app = app
        self.names = {name.lower() for name in allowed}
        self._reported: set[tuple[str, str, int]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif reason := self.refuses(scope):
            await _refuse(scope, receive, send, reason)
        else:
            await self._answer(scope, receive, _with_headers(send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer; what goes wrong there is an answer, too, and no traceback."""
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except ClientDisconnect:
            return  # nobody waits for an answer
        except Exception as error:
            status, text = self._status_and_text(error)
            if begun:
                raise
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": INTERNAL})
                return
            await _send_text(send, status, json.dumps({"error": text}), b"application/json")

    def _status_and_text(self, error: Exception) -> tuple[int, str]:
        """Status and words for an error; a defect of ours is reported once, not every time."""
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            return NO_ROOM[error.errno]
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = type(error).__name__, last.filename, last.lineno or 0
        if place not in self._reported and len(self._reported) < MOST_REPORTED:
            self._reported.add(place)
            traceback.print_exception(error, file=sys.stderr)
        return 500, f"a defect of the server: {type(error).__name__}"

    def refuses(self, scope: Scope) -> str:
        """Why a request is refused; empty if it is not."""
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        if len(hosts) != 1 or len(origins) > 1:
            return "expected one Host and at most one Origin"
        host = hosts[0].decode("latin-1").lower()
        name = _name(host)
        if not (is_loopback(name) or name in self.names):
            return f"Host: found {host[:100]!r}, which is not a name of this server"
        if origins and not _same(origins[0].decode("latin-1").lower(), host):
            return f"Origin: found {origins[0][:100]!r}, expected a page of {host!r}"
        return ""


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _same(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc == host and not parts.path


def _with_headers(send: Send) -> Send:
    """`send` that adds the headers of every answer."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", []), *own]}
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": reason[:120]})
        return
    await _send_text(_with_headers(send), 403, reason + "\n", b"text/plain; charset=utf-8")


async def _send_text(send: Send, status: int, text: str, kind: bytes) -> None:
    """A whole answer."""
    headers = [(b"content-type", kind)]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode("utf-8", "replace")})
