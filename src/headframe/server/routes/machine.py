"""The machine: its shapes, and another one that comes as a file."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from dataclasses import replace
from pathlib import Path, PurePosixPath

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse
from starlette.requests import ClientDisconnect

from ...description import close_folder, is_archive, unpack
from ..faults import Chosen, Fault
from ..hub import Hub
from .answers import SENT_FILE, DriveAnswer, FileFault, document
from .desk import LATE, Desk, parts_of, problem

MOST_BYTES = 64 * 1024 * 1024  # of a file that is sent
LONGEST_NAME = 200  # bytes of a file's name
SUFFIXES = (".json", ".mrdf", ".urdf", ".xml", ".mjcf", ".zip")


def add_machine(desk: Desk) -> None:
    """Add the routes."""
    app, hub = desk.app, desk.hub
    driven: list[Path] = []  # folder of the file that is driven

    @app.get("/geometry/{name}.glb", **document("model/gltf-binary", params=True, texts=(404,)))
    async def geometry(name: str, request: Request) -> Response:
        """Shapes of one of the scene's machines; what a name stands for never changes."""
        if refusal := desk.refuses(request):
            return refusal
        if name not in hub.shapes:
            return PlainTextResponse("that scene is gone\n", status_code=404)
        kept = {"Cache-Control": "private, max-age=3600, immutable"}
        return Response(hub.shapes[name], media_type="model/gltf-binary", headers=kept)

    @app.post(
        "/machine",
        **document(
            DriveAnswer, 400, 408, 413, 415, params=True, models={422: DriveAnswer}, body=SENT_FILE
        ),
    )
    async def send(request: Request, name: str) -> Response:
        """Drive a machine that comes as a file; answers with all its problems if it has any."""
        if refusal := desk.refuses_driving(request):
            return refusal
        folder = desk.folder / secrets.token_hex(8)
        path = folder / PurePosixPath(name.replace("\\", "/")).name
        if path.suffix.lower() not in SUFFIXES:
            return problem(
                f"name: found {name[:100]!r}, expected one of {', '.join(SUFFIXES)}", 415
            )
        if len(path.name.encode("utf-8", "replace")) > LONGEST_NAME or not path.name.isprintable():
            return problem(
                f"name: found {name[:100]!r}, expected at most {LONGEST_NAME} plain letters", 415
            )
        if answer := await _save(request, path):
            return answer
        if refusal := desk.refuses_driving(request):  # the seat was taken meanwhile
            shutil.rmtree(folder, ignore_errors=True)
            return refusal
        try:
            chosen = _without(folder, await _drive(hub, path))
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        if chosen.problems:
            shutil.rmtree(folder, ignore_errors=True)
            return _answer(chosen).response(422)
        for old in driven:  # nothing of it is needed any more
            shutil.rmtree(old, ignore_errors=True)
        driven[:] = [folder]
        return _answer(chosen).response()


async def _drive(hub: Hub, path: Path) -> Chosen:
    """Drive a machine of a file or an archive, which is unpacked beside itself."""
    key, file = path.parent.name, path
    if is_archive(path):
        inside = path.parent / "unpacked"
        found = await asyncio.to_thread(unpack, path, inside)
        if isinstance(found, list):
            return Chosen(key, tuple(map(Fault.of, found)))
        file = found
    return await hub.drive_file(key, str(file))


def _answer(chosen: Chosen) -> DriveAnswer:
    """The answer to a file: what is wrong with it, and what a person should know of it."""
    return DriveAnswer(
        problems=[FileFault.of(one) for one in chosen.problems], notes=list(chosen.notes)
    )


def _without(folder: Path, chosen: Chosen) -> Chosen:
    """The same without the folder in which the server keeps the file."""
    hidden = (f"{folder / 'unpacked'}/", f"{folder}/", str(folder))

    def clean(text: str) -> str:
        for path in hidden:
            text = text.replace(path, "")
        return text

    faults = tuple(
        replace(fault, message=clean(fault.message), hint=clean(fault.hint))
        for fault in chosen.problems
    )
    return replace(chosen, problems=faults, notes=tuple(map(clean, chosen.notes)))


async def _save(request: Request, path: Path) -> Response | None:
    """Write what is sent into a file; an answer if that does not work, and no file then."""
    size = 0
    answer: Response | None = problem("the file is cut off", 400)
    try:
        path.parent.mkdir(parents=True)
        close_folder(path.parent)  # the file sees only what comes with it
        with path.open("wb") as file:
            async for part in parts_of(request):
                size += len(part)
                if size > MOST_BYTES:
                    answer = problem(f"the file is larger than {MOST_BYTES // 2**20} MiB", 413)
                    return answer
                await asyncio.to_thread(file.write, part)
        answer = None
    except ClientDisconnect:
        pass
    except TimeoutError:
        answer = problem(LATE, 408)
    finally:
        if answer is not None:
            shutil.rmtree(path.parent, ignore_errors=True)
    return answer
