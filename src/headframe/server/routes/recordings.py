"""Recordings: made, listed, named, looked at, sent and fetched.

Everybody who has a session may look at recordings; operators may fetch them as files; whoever has
the seat makes, names and deletes them. Nothing tells where on the computer they lie.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from fastapi import Request, Response
from fastapi.responses import FileResponse
from starlette.requests import ClientDisconnect

from ...errors import HeadframeError, RecordingError
from ...protocol.down import RecordingStatus
from ...recordings import Item, Shelf, default_folder, open_run, unpack, without_path
from ..access import OPERATOR
from ..films import TOO_LONG, Film, Films
from ..messages import FrameReport, PhysicsEnded, PhysicsFailed, Report, SceneReport
from ..recorder import Driven, FrameRecorder, Job, MachinePacker, bodies_in
from .answers import (
    BYTES,
    SENT_FILE,
    FilmFacts,
    Named,
    Redriven,
    ShelfItem,
    ShelfList,
    Undriven,
    document,
)
from .desk import LATE, Desk, parts_of, problem, unknown

MOST_BYTES = 2**30  # of a recording that is sent
MOST_FRAMES = 1200  # in an answer: 20 s
LAST_FRAME = 10**9  # more than any recording has
T = TypeVar("T")


def add_recordings(desk: Desk) -> None:
    """Add the routes, and record what physics says when that is asked for."""
    app, hub, settings = desk.app, desk.hub, desk.settings
    shelf = Shelf(settings.recordings or _folder(desk), settings.replay)
    films, packer = Films(shelf, desk.folder), MachinePacker(settings.reading)
    recorder = _recorder(desk, shelf, packer)

    def driven() -> Driven | None:
        return None if hub.scene is None else Driven(hub.scene, hub.machine, hub.shape)

    @app.get("/recordings", **document(ShelfList))
    async def every(request: Request) -> Response:
        """All recordings, the one that is being made, and the one to look at first."""
        if refusal := desk.refuses(request):
            return refusal
        items = await asyncio.to_thread(shelf.items, recorder.unfinished)
        return ShelfList(recordings=[*map(_listed, items)], replay=shelf.first).response()

    @app.post("/recordings", **document(Named, 409, status=201, params=True))
    async def start(request: Request, name: str = "") -> Response:
        """Begin a recording."""
        if refusal := desk.refuses_driving(request):
            return refusal
        now = driven()
        if now is None or hub.trouble:
            return problem("no machine is driven", 409)

        def begun() -> Response:
            return Named(name=recorder.start(name, now, hub.session_status)).response(201)

        answer = await _tried(begun, 409)
        hub.broadcast(recorder.state())
        return answer

    @app.post("/recordings/stop", **document(Named, 409))
    async def stop(request: Request) -> Response:
        """End the recording; answers when it is on the disk."""
        if refusal := desk.refuses_driving(request):
            return refusal
        name = recorder.name
        if not name:
            return problem("nothing is being recorded", 409)
        recorder.stop()
        await asyncio.to_thread(recorder.wait)
        return Named(name=name).response()

    @app.get("/recordings/{name}", **document(FilmFacts, 404, params=True))
    async def look(request: Request, name: str) -> Response:
        """What a page needs to show a recording."""
        if refusal := desk.refuses(request):
            return refusal

        def facts() -> Response:
            film, now = films.open(_free(name, recorder)), driven()
            with_it = now is not None and _fits(film, packer, now)
            bodies = now is not None and film.about.bodies == bodies_in(now.scene) != ()
            return _facts(name, film, with_it, bodies).response()

        return await _tried(facts, 404)

    @app.get("/recordings/{name}/times", **document(BYTES, 404, params=True))
    async def times(request: Request, name: str) -> Response:
        """Seconds since the start of all moments, float64."""
        if refusal := desk.refuses(request):
            return refusal
        return await _tried(
            lambda: _bytes(films.open(_free(name, recorder)).times.astype("<f8").tobytes()), 404
        )

    @app.get("/recordings/{name}/frames", **document(BYTES, 400, 404, params=True))
    async def frames(request: Request, name: str, first: int, count: int) -> Response:
        """Frames, one after the other, as the socket sends them."""
        if refusal := desk.refuses(request):
            return refusal
        if not (0 <= first <= LAST_FRAME and 0 < count <= MOST_FRAMES):
            said = f"found {first:.3g}, {count:.3g}, expected first 0 to {LAST_FRAME} and count "
            said += f"1 to {MOST_FRAMES}"
            return problem(f"frames: {said}", 400)
        return await _tried(
            lambda: _bytes(films.open(_free(name, recorder)).frames(first, count)), 404
        )

    @app.get("/recordings/{name}/file", **document(BYTES, 404, params=True))
    async def fetch(request: Request, name: str) -> Response:
        """The recording as a file."""
        if refusal := _refuses_viewers(desk, request):
            return refusal

        def file() -> Response:
            path = shelf.path(_free(name, recorder))
            return FileResponse(path, media_type="application/octet-stream", filename=path.name)

        return await _tried(file, 404)

    @app.put(
        "/recordings/{name}",
        **document(Named, 400, 408, 413, 422, status=201, params=True, body=SENT_FILE),
    )
    async def send(request: Request, name: str) -> Response:
        """Keep a recording that comes as a file."""
        if refusal := desk.refuses_driving(request):
            return refusal
        draft = desk.folder / f"{secrets.token_hex(8)}.mcap"
        try:
            if refusal := await _save(request, draft):
                return refusal
            return await _tried(lambda: Named(name=_keep(shelf, name, draft)).response(201), 422)
        finally:
            draft.unlink(missing_ok=True)

    @app.patch("/recordings/{name}", **document(Named, 409, params=True))
    async def rename(request: Request, name: str, to: str) -> Response:
        """Give a recording another name."""
        if refusal := desk.refuses_driving(request):
            return refusal
        return await _tried(
            lambda: Named(name=shelf.rename(_free(name, recorder), to)).response(), 409
        )

    @app.delete("/recordings/{name}", **document(Named, 404, params=True))
    async def delete(request: Request, name: str) -> Response:
        """Delete a recording."""
        if refusal := desk.refuses_driving(request):
            return refusal

        def gone() -> Response:
            shelf.delete(_free(name, recorder))
            return Named(name=name).response()

        return await _tried(gone, 404)

    @app.post(
        "/recordings/{name}/machine", **document(Redriven, params=True, models={422: Undriven})
    )
    async def drive(request: Request, name: str) -> Response:
        """Drive the machine that a recording holds."""
        if refusal := desk.refuses_driving(request):
            return refusal
        folder = desk.folder / secrets.token_hex(8)

        def unpacked() -> Response | Path:
            path = shelf.path(_free(name, recorder))
            try:
                return unpack(open_run(path).machine(), folder)
            except RecordingError as error:
                raise RecordingError(without_path(error, path)) from None

        found = await _tried(unpacked, 422)
        if isinstance(found, Response):
            return found
        chosen = await hub.drive_file(folder.name, str(found))
        if chosen.problems:
            shutil.rmtree(folder, ignore_errors=True)
            told = [fault.message.replace(str(found), found.name) for fault in chosen.problems]
            return Undriven(error="; ".join(told), problems=told).response(422)
        return Redriven(problems=[]).response()


def _folder(desk: Desk) -> Path:
    """The user's folder; for a user without a home, one that ends with the server."""
    try:
        return default_folder()
    except RecordingError:
        return desk.folder / "recordings"


def _recorder(desk: Desk, shelf: Shelf, packer: MachinePacker) -> FrameRecorder:
    """A recorder that hears what physics says and tells everybody when it ends."""
    hub = desk.hub
    loops: list[asyncio.AbstractEventLoop] = []

    def tell(job: Job, said: RecordingStatus) -> None:
        recorder.forget(job)
        if not recorder.name:
            hub.broadcast(said)

    def ended(job: Job, said: RecordingStatus) -> None:
        if loops and not loops[0].is_closed():
            loops[0].call_soon_threadsafe(tell, job, said)

    def hear(said: Report) -> None:
        match said:
            case FrameReport(frame, _):
                if not loops:
                    loops.append(asyncio.get_running_loop())
                recorder.offer(frame)
            case SceneReport():
                recorder.stop("another machine is driven")
            case PhysicsFailed(why) | PhysicsEnded(why):
                recorder.stop(why)

    recorder = FrameRecorder(shelf, packer, ended)
    hub.listeners.append(hear)
    hub.greetings.append(recorder.state)
    desk.endings.extend((recorder.stop, recorder.wait))
    return recorder


async def _tried(act: Callable[[], T], status: int) -> T | Response:
    """Do something that takes its time; what is wrong becomes an answer."""
    try:
        return await asyncio.to_thread(act)
    except HeadframeError as error:
        return problem(str(error), status)


def _free(name: str, recorder: FrameRecorder) -> str:
    """A name, unless it is that of a recording that is not finished."""
    if name in recorder.unfinished:
        raise RecordingError(f"{name!r} is being recorded: stop it first")
    return name


def _refuses_viewers(desk: Desk, request: Request) -> Response | None:
    visitor = desk.access.visitor(request)
    if visitor is None:
        return unknown()
    return None if visitor.role == OPERATOR else problem("only operators may do this", 403)


def _bytes(data: bytes) -> Response:
    return Response(data, media_type="application/octet-stream")


def _fits(film: Film, packer: MachinePacker, now: Driven) -> bool:
    """Whether a film shows the machine that is driven."""
    if film.about.machine != now.scene.machine:
        return False
    return packer.pack(now).fingerprint == film.about.fingerprint


def _listed(item: Item) -> ShelfItem:
    """A recording of the list."""
    look = item.glance
    return ShelfItem(
        name=item.name,
        bytes=item.size,
        machine="" if look is None else look.about.machine.name,
        started=0.0 if look is None else look.about.started * 1e-9,
        seconds=0.0 if look is None else look.seconds,
        cut=look is not None and look.cut,
        problem=item.problem,
        fixed=item.fixed,
    )


def _facts(name: str, film: Film, fits: bool, bodies: bool) -> FilmFacts:
    """What a page needs to show a film."""
    how = film.about.circumstances
    return FilmFacts(
        name=name,
        machine=film.about.machine.name,
        started=film.about.started * 1e-9,
        dynamics=how.dynamics,
        formulation=how.formulation,
        count=len(film.times),
        seconds=float(film.times[-1]),
        size=film.size,
        whole=not film.end,
        too_long=film.end == TOO_LONG,
        fits=fits,
        bodies=bodies,
    )


async def _save(request: Request, path: Path) -> Response | None:
    """Write what is sent into a file; an answer if that does not work."""
    size = 0
    try:
        with path.open("xb") as file:
            async for part in parts_of(request):
                size += len(part)
                if size > MOST_BYTES:
                    return problem(f"the file is larger than {MOST_BYTES // 2**20} MiB", 413)
                await asyncio.to_thread(file.write, part)
    except ClientDisconnect:
        return problem("the file is cut off", 400)
    except TimeoutError:
        return problem(LATE, 408)
    except OSError as error:
        return problem(f"the file cannot be kept: {(error.strerror or '').lower()}", 507)
    return None


def _keep(shelf: Shelf, name: str, draft: Path) -> str:
    """Put a file that was sent on the shelf, if it is a recording.

    Raises:
        RecordingError: it is none, or the name is taken or not possible.
    """
    try:
        open_run(draft)
    except RecordingError as error:
        raise RecordingError(f"{name[:100]}: {without_path(error, draft)}") from None
    plain, file = shelf.create(name)
    try:
        with file, draft.open("rb") as sent:
            shutil.copyfileobj(sent, file)
    except OSError as error:
        shelf.delete(plain)
        raise RecordingError(f"{plain!r} cannot be kept: {error.strerror}") from None
    return plain
