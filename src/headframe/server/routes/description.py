"""The description of all routes, for programs."""

from __future__ import annotations

import asyncio
import json

from fastapi import Request, Response

from ..openapi import description
from .answers import JSON
from .desk import Desk


def add_description(desk: Desk) -> None:
    """Add the route; the others may come later."""
    made: list[bytes] = []

    @desk.app.get("/openapi.json", include_in_schema=False)
    async def openapi(request: Request) -> Response:
        """The OpenAPI description, for everybody who has a session."""
        if refusal := desk.refuses(request):
            return refusal
        if not made:
            told = await asyncio.to_thread(description, desk.app, desk.access)  # it takes its time
            made.append(json.dumps(told).encode())
        return Response(made[0], media_type=JSON)
