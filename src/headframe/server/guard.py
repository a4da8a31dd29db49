"""What every request must be like, before any route sees it.

A page of another site can make a browser send requests to this computer, and a name server can
make another name mean this computer. So the name in `Host` must be one of ours, and where a browser
tells the `Origin` of the page that asks, it must be the very same host.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

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
POLICY_VIOLATION = 1008


class Guard:
    """Refuses requests and sockets that come by another name or from another site's page."""

    def __init__(self, app: ASGIApp, allowed: Iterable[str] = ()) -> None:
        """Let `app` answer those that may ask; `allowed` are names beside the loopback's."""
        self.app = app
        self.names = {name.lower() for name in allowed}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif reason := self.refuses(scope):
            await _refuse(scope, receive, send, reason)
        else:
            await self.app(scope, receive, _with_headers(send))

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
    body = (reason + "\n").encode("utf-8", "replace")
    start = {
        "type": "http.response.start",
        "status": 403,
        "headers": [(b"content-type", b"text/plain; charset=utf-8")],
    }
    await _with_headers(send)(start)
    await send({"type": "http.response.body", "body": body})
