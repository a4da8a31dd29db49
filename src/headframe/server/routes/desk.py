"""What all routes work with, and whom they refuse."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI, Request, Response

from ..access import OPERATOR, Access, Visitor
from ..hub import Hub
from ..settings import ServerSettings
from .answers import Refusal, Stranger

PATIENCE = 15.0  # for the next part of a request's body [s]
LATE = "the rest of the request did not come"


@dataclass(frozen=True)
class Desk:
    """What routes work with.

    Attributes:
        app: takes the routes.
        hub: clients and physics.
        access: who may come in.
        settings: of the server.
        folder: for files that live as long as the server.
        endings: what is to be done before the server ends.
    """

    app: FastAPI
    hub: Hub
    access: Access
    settings: ServerSettings
    folder: Path
    endings: list[Callable[[], object]] = field(default_factory=list)

    def refuses(self, request: Request) -> Response | None:
        """The answer to a stranger; None for everybody who has a session."""
        return None if self.access.visitor(request) else unknown()

    def refuses_driving(self, request: Request) -> Response | None:
        """The answer to whoever may not drive now; None for the operator in the seat."""
        visitor = self.access.visitor(request)
        if visitor is None:
            return unknown()
        if not self._drives(visitor):
            return problem("only the operator in the seat may do this", 403)
        return None

    def _drives(self, visitor: Visitor) -> bool:
        """Whether a visitor is the operator who has the seat, or one while nobody has it."""
        sitting = self.hub.clients.get(self.hub.seat.client)
        return visitor.role == OPERATOR and (
            sitting is None or sitting.visitor.session == visitor.session
        )


def unknown(password: bool = False) -> Response:
    """The answer to a stranger."""
    text = "the token is not one of this server: open the address that it printed"
    return Stranger(error=text, password=password).response(401)


def problem(text: str, status: int) -> Response:
    """An answer that says what is wrong."""
    return Refusal(error=text).response(status)


async def read_body(request: Request, most: int, patience: float = PATIENCE) -> bytes | Response:
    """The body of a request, or an answer: it is larger than `most` bytes, or does not come.

    Each part of it may take `patience` seconds.
    """
    parts, size = [], 0
    try:
        async for part in parts_of(request, patience):
            size += len(part)
            if size > most:
                return problem(f"the request is larger than {most / 2**20:.3g} MiB", 413)
            parts.append(part)
    except TimeoutError:
        return problem(LATE, 408)
    return b"".join(parts)


async def parts_of(request: Request, patience: float = PATIENCE) -> AsyncIterator[bytes]:
    """The body of a request, part by part.

    Raises:
        TimeoutError: the next part did not come within `patience` seconds.
    """
    stream = request.stream()
    while True:
        async with asyncio.timeout(patience):
            try:
                part = await anext(stream)
            except StopAsyncIteration:
                return
        yield part
