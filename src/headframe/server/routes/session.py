"""Sessions: a token opens one, and a cookie holds it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from fastapi import Request, Response

from ...protocol import VERSION
from ..access import TooManyTriesError, address_of
from .answers import JSON, Stranger, Who, document
from .desk import LATE, Desk, problem, read_body, unknown

MOST_SESSION = 4096  # bytes of what opens a session
WRONG_PAUSE = 0.5  # after a wrong token or password [s]
TOKEN = {
    JSON: {
        "schema": {
            "type": "object",
            "required": ["token"],
            "properties": {
                "token": {"type": "string", "description": "From the address that was printed."},
                "password": {"type": "string", "description": "Where one is asked for."},
            },
        }
    }
}
PATIENCE = 5.0  # for what opens a session: whoever sends it may be a stranger [s]


def add_session(desk: Desk) -> None:
    """Add the routes."""
    app, access = desk.app, desk.access

    @app.get("/session", **document(Who))
    async def who(request: Request) -> Response:
        """What this visitor may do."""
        visitor = access.visitor(request)
        if visitor is None:
            return unknown()
        return Who(role=visitor.role, version=VERSION).response()

    @app.post(
        "/session",
        **document(
            Who,
            408,
            known=False,
            models={401: Stranger, 429: Stranger},
            body=TOKEN,
        ),
    )
    async def come_in(request: Request) -> Response:
        """Open a session with a token, and a password where one is asked for."""
        try:
            async with asyncio.timeout(PATIENCE):
                body = await read_body(request, MOST_SESSION)
        except TimeoutError:
            return problem(LATE, 408)
        given = _json_object(b"" if isinstance(body, Response) else body)
        before = request.cookies.get(access.cookie, "")
        try:
            visitor = access.open(
                given.get("token"), given.get("password"), before, address_of(request)
            )
        except TooManyTriesError as error:
            wait = {"retry-after": str(error.seconds)}
            return Stranger(error=str(error), password=True).response(429, wait)
        if visitor is None:
            await asyncio.sleep(WRONG_PAUSE)
            return unknown(access.lacks_password(given.get("token")))
        answer = Who(role=visitor.role, version=VERSION).response()
        answer.set_cookie(
            access.cookie, visitor.session, httponly=True, samesite="strict", path="/"
        )
        return answer


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}
