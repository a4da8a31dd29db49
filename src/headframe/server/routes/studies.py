"""Studies: begun by operators, seen by everybody."""

from __future__ import annotations

import json
from pathlib import Path

from fastapi import Request, Response
from fastapi.responses import FileResponse, JSONResponse

from ...errors import CommandError
from ..access import OPERATOR
from .desk import Desk, problem, read_body, unknown

MOST_REQUEST = 24 * 2**20  # bytes: a path that comes as a file has thousands of rows
TYPES = {
    ".json": "application/json",
    ".csv": "text/csv",
    ".glb": "model/gltf-binary",
    ".png": "image/png",
    ".npz": "application/octet-stream",
    ".bin": "application/octet-stream",
}


def add_studies(desk: Desk) -> None:
    """Add the routes."""
    app, hub, studies = desk.app, desk.hub, desk.hub.studies

    def refuses(request: Request) -> Response | None:
        """Studies take the computer's time: they are the operators'."""
        visitor = desk.access.visitor(request)
        if visitor is None:
            return unknown()
        if visitor.role != OPERATOR:
            return problem("viewers only watch", 403)
        return None

    @app.post("/study/{kind}")
    async def begin(kind: str, request: Request) -> Response:
        """Begin a study of the machine as it stands; progress is told by the socket."""
        if refusal := refuses(request):
            return refusal
        body = await read_body(request, MOST_REQUEST)
        if body is None:
            return problem(f"the request is larger than {MOST_REQUEST // 2**20} MiB", 413)
        try:
            given = json.loads(body or b"{}")
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            return problem("request: expected a JSON object", 422)
        if hub.scene is None:
            return problem("there is no machine yet", 409)
        try:
            told = studies.begin(kind, hub.machine, hub.standing(), given)
        except CommandError as error:
            return problem(str(error), 404)
        return JSONResponse({"number": told.number})

    @app.delete("/study")
    async def cancel(request: Request) -> Response:
        """Give up the study that runs."""
        if refusal := refuses(request):
            return refusal
        studies.cancel()
        return JSONResponse({})

    @app.get("/study/{number}/{name}")
    async def result(number: int, name: str, request: Request) -> Response:
        """A file of a study that is done."""
        if refusal := desk.refuses(request):
            return refusal
        told = studies.told.get(number)
        if told is None or name not in told.files:
            return problem("there is no such file of a study", 404)
        kind = TYPES.get(Path(name).suffix, "application/octet-stream")
        return FileResponse(studies.place(number) / name, media_type=kind, filename=name)
