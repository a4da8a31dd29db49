"""Studies: begun by operators, seen by everybody."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import Request, Response
from fastapi.responses import FileResponse

from ...errors import StateError
from ...workbench import STUDIES
from ..access import OPERATOR
from ..studies import unknown_study
from ..study_process import read_request
from .answers import JSON, Begun, Nothing, document
from .desk import Desk, problem, read_body, unknown

MOST_REQUEST = 2**20  # bytes
MOST_FILE = 24 * 2**20  # bytes: a path that comes as a file has thousands of rows
SMALL = 128 * 1024  # bytes that are read here; what is larger, the process for studies reads
FILE = "path_file"
REQUEST = {JSON: {"schema": {"type": "object", "description": "Fields of the study, by its kind."}}}
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

    @app.post(
        "/study/{kind}", **document(Begun, 404, 408, 409, 413, 422, params=True, body=REQUEST)
    )
    async def begin(kind: str, request: Request) -> Response:
        """Begin a study of the machine as it stands; progress is status by the socket."""
        if refusal := refuses(request):
            return refusal
        if kind not in STUDIES:
            return problem(unknown_study(kind), 404)
        body = await read_body(request, MOST_FILE if kind == FILE else MOST_REQUEST)
        if isinstance(body, Response):
            return body
        given: Mapping[str, Any] | bytes = body
        if len(body) <= SMALL:  # it takes no time, and whoever asks hears at once what is wrong
            try:
                given = read_request(body or b"{}")
            except StateError as error:
                return problem(str(error), 422)
        if hub.scene is None:
            return problem("there is no machine yet", 409)
        status = studies.begin(kind, hub.machine, hub.standing, given)
        return Begun(number=status.number).response()

    @app.delete("/study", **document(Nothing))
    async def cancel(request: Request) -> Response:
        """Give up the study that runs."""
        if refusal := refuses(request):
            return refusal
        studies.cancel()
        return Nothing().response()

    @app.get("/study/{number}/{name}", **document(tuple(TYPES.values()), 404, params=True))
    async def result(number: int, name: str, request: Request) -> Response:
        """A file of a study that is done."""
        if refusal := desk.refuses(request):
            return refusal
        status = studies.statuses.get(number)
        if status is None or name not in status.files:
            return problem("there is no such file of a study", 404)
        kind = TYPES.get(Path(name).suffix, "application/octet-stream")
        return FileResponse(studies.place(number) / name, media_type=kind, filename=name)
