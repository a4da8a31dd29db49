"""The machine as a file to take home."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from fastapi import Request, Response

from ...errors import ExportError
from ...export import FORMATS, format_named
from ..exporting import ARCHIVE, export_in_process
from .answers import document
from .desk import Desk, problem

NOTES = "x-headframe-notes"  # each percent-encoded, with commas between them
MOST_WAITING = 4  # others who wait for their file
MOST_NOTES, LONGEST_NOTE = 30, 300


def add_export(desk: Desk) -> None:
    """Add the route."""
    hub = desk.hub
    one = asyncio.Lock()  # they are made one after the other
    waiting = 0

    kinds = tuple(dict.fromkeys([*(each.media_type for each in FORMATS.values()), ARCHIVE]))

    @desk.app.get("/machine/export", **document(kinds, 400, 409, 422, params=True))
    async def export(request: Request, form: str = "") -> Response:
        """The scene's machine in a format: one of those that the message `scene` lists."""
        nonlocal waiting
        if refusal := desk.refuses(request):
            return refusal
        try:
            wanted = format_named(form)
        except ExportError as error:
            return problem(str(error), 400)
        if hub.scene is None:
            return problem("there is no machine yet", 409)
        if waiting > MOST_WAITING:
            return problem("too many ask for files at once: try again later", 503)
        waiting += 1
        try:
            async with one:
                file = await export_in_process(hub.machine, wanted, desk.settings.reading)
        finally:
            waiting -= 1
        if file.trouble:
            return problem(file.trouble, 422)
        plain = file.name.encode("ascii", "replace").decode().replace("?", "_")
        disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file.name)}"
        notes = ",".join(quote(note[:LONGEST_NOTE], safe="") for note in file.notes[:MOST_NOTES])
        return Response(
            file.content,
            media_type=file.media_type,
            headers={"content-disposition": disposition, NOTES: notes, "cache-control": "no-store"},
        )
