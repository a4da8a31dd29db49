"""The machine: its shapes, and another one that comes as a file."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from pathlib import Path, PurePosixPath

from fastapi import Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.requests import ClientDisconnect

from .desk import Desk, problem

MOST_BYTES = 64 * 1024 * 1024  # of a file that is sent
LONGEST_NAME = 200  # bytes of a file's name
SUFFIXES = (".json", ".mrdf", ".urdf")


def add_machine(desk: Desk) -> None:
    """Add the routes."""
    app, hub = desk.app, desk.hub

    @app.get("/geometry/{number}.glb")
    async def geometry(number: int, request: Request) -> Response:
        """Shapes of the scene's machine."""
        if refusal := desk.refuses(request):
            return refusal
        if hub.scene is None or hub.scene.number != number:
            return PlainTextResponse("that scene is gone\n", status_code=404)
        return Response(hub.shapes, media_type="model/gltf-binary")

    @app.post("/machine")
    async def send(request: Request, name: str) -> Response:
        """Drive a machine that comes as a file; answers with all its problems if it has any."""
        if refusal := desk.refuses_driving(request):
            return refusal
        path = desk.folder / secrets.token_hex(8) / PurePosixPath(name.replace("\\", "/")).name
        if path.suffix.lower() not in SUFFIXES:
            return problem(
                f"name: found {name[:100]!r}, expected one of {', '.join(SUFFIXES)}", 415
            )
        if len(path.name.encode()) > LONGEST_NAME or not path.name.isprintable():
            return problem(
                f"name: found {name[:100]!r}, expected at most {LONGEST_NAME} plain letters", 415
            )
        if not await _save(request, path):
            return problem(f"the file is larger than {MOST_BYTES // 2**20} MiB", 413)
        problems = await hub.drive_file(path.parent.name, str(path))
        if problems:
            shutil.rmtree(path.parent, ignore_errors=True)
            return JSONResponse({"problems": [_without(path, p) for p in problems]}, 422)
        return JSONResponse({"problems": []})


def _without(path: Path, problem: str) -> str:
    """A problem without the folder in which the server keeps the file."""
    return problem.replace(str(path), path.name)


async def _save(request: Request, path: Path) -> bool:
    """Write what is sent into a file; False if it is too large or cut off: then there is none."""
    path.parent.mkdir(parents=True)
    size, whole = 0, False
    try:
        with path.open("wb") as file:
            async for part in request.stream():
                size += len(part)
                if size > MOST_BYTES:
                    break
                await asyncio.to_thread(file.write, part)
        whole = size <= MOST_BYTES
    except ClientDisconnect:
        pass
    finally:
        if not whole:
            shutil.rmtree(path.parent, ignore_errors=True)
    return whole
