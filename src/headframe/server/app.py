"""The web application: its routes."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse
from starlette.requests import ClientDisconnect
from starlette.websockets import WebSocketDisconnect

from ..protocol import VERSION
from ..protocol.codec import LARGEST
from .access import OPERATOR, Access, Visitor
from .client import TOO_MUCH, Client
from .guard import Guard
from .hub import MOST_CLIENTS, Hub
from .settings import Settings

MOST_BYTES = 64 * 1024 * 1024  # of a file that is sent
LONGEST_NAME = 200  # bytes of a file's name
MOST_SESSION = 4096  # bytes of what opens a session
WRONG_PAUSE = 0.5  # after a wrong token or password [s]
NOT_ALLOWED, TRY_LATER, TOO_LARGE = 4401, 1013, 1009
SUFFIXES = (".json", ".mrdf", ".urdf")
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".jpg": "image/jpeg",
    ".svg": "image/svg+xml",
}


def make_app(settings: Settings, access: Access) -> FastAPI:
    """The application, guarded; it starts and ends the physics process with itself."""
    hub = Hub(settings, build_of(settings.static))
    uploads = Path(tempfile.mkdtemp(prefix="headframe-"))

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        await hub.start()
        yield
        await hub.stop()
        shutil.rmtree(uploads, ignore_errors=True)

    app = FastAPI(lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, allowed=settings.allowed)
    app.state.hub, app.state.access = hub, access
    _add_session(app, access)
    _add_socket(app, hub, access)
    _add_machine(app, hub, access, uploads)
    _add_pages(app, hub, settings)
    return app


def build_of(static: Path) -> str:
    """Name of the built page: a page that was made otherwise has another."""
    index = static / "index.html"
    return hashlib.sha256(index.read_bytes()).hexdigest()[:12] if index.is_file() else "none"


# ------------------------------------------------------------------ sessions


def _add_session(app: FastAPI, access: Access) -> None:
    @app.get("/session")
    async def who(request: Request) -> Response:
        """What this visitor may do."""
        visitor = access.visitor(request)
        if visitor is None:
            return _unknown()
        return JSONResponse({"role": visitor.role, "version": VERSION})

    @app.post("/session")
    async def come_in(request: Request) -> Response:
        """Open a session with a token, and a password where one is asked for."""
        body = await _body(request, MOST_SESSION)
        given = _json_object(body)
        before = request.cookies.get(access.cookie, "")
        visitor = access.open(given.get("token"), given.get("password"), before)
        if visitor is None:
            await asyncio.sleep(WRONG_PAUSE)
            return _unknown(access.lacks_password(given.get("token")))
        answer = JSONResponse({"role": visitor.role, "version": VERSION})
        answer.set_cookie(
            access.cookie, visitor.session, httponly=True, samesite="strict", path="/"
        )
        return answer


def _unknown(password: bool = False) -> Response:
    text = "the token is not one of this server: open the address that it printed"
    return JSONResponse({"error": text, "password": password}, status_code=401)


# -------------------------------------------------------------------- socket


def _add_socket(app: FastAPI, hub: Hub, access: Access) -> None:
    @app.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        """Frames and messages down, messages up."""
        visitor = access.visitor(socket)
        if visitor is None:
            await socket.close(NOT_ALLOWED)
            return
        await socket.accept()
        if sum(client.role == visitor.role for client in hub.clients.values()) >= MOST_CLIENTS:
            await socket.close(TRY_LATER)
            return
        await _serve_client(hub, Client(hub.number(), socket, visitor))


async def _serve_client(hub: Hub, client: Client) -> None:
    """Listen to a client and send to it until one of both ends."""
    hub.arrive(client)
    sending = asyncio.create_task(client.send_all())
    hearing = asyncio.create_task(_hear(hub, client))
    try:
        await asyncio.wait((sending, hearing), return_when=asyncio.FIRST_COMPLETED)
    finally:
        hub.leave(client)
        for task in (sending, hearing):
            task.cancel()
        for error in await asyncio.gather(sending, hearing, return_exceptions=True):
            if isinstance(error, Exception):  # a defect of ours: that client is gone, others stay
                traceback.print_exception(error, file=sys.stderr)


async def _hear(hub: Hub, client: Client) -> None:
    try:
        while True:
            message = await client.socket.receive()
            if message["type"] != "websocket.receive":
                return
            text = message.get("text")
            if text is None:
                text = (message.get("bytes") or b"").decode("utf-8", "replace")
            if len(text) > LARGEST:
                client.close(TOO_LARGE)
                return
            if not client.may_say(len(text), time.monotonic()):
                client.close(TOO_MUCH)
                return
            hub.hear(client, text)
    except (WebSocketDisconnect, RuntimeError):
        return


# ------------------------------------------------------------------- machine


def _add_machine(app: FastAPI, hub: Hub, access: Access, uploads: Path) -> None:
    @app.get("/geometry/{number}.glb")
    async def geometry(number: int, request: Request) -> Response:
        """Shapes of the scene's machine."""
        if access.visitor(request) is None:
            return _unknown()
        if hub.scene is None or hub.scene.number != number:
            return PlainTextResponse("that scene is gone\n", status_code=404)
        return Response(hub.shapes, media_type="model/gltf-binary")

    @app.post("/machine")
    async def send(request: Request, name: str) -> Response:
        """Drive a machine that comes as a file; answers with all its problems if it has any."""
        visitor = access.visitor(request)
        if visitor is None:
            return _unknown()
        if not _drives(hub, visitor):
            return JSONResponse({"error": "only the operator sends files"}, status_code=403)
        path = uploads / secrets.token_hex(8) / PurePosixPath(name.replace("\\", "/")).name
        if path.suffix.lower() not in SUFFIXES:
            text = f"name: found {name[:100]!r}, expected one of {', '.join(SUFFIXES)}"
            return JSONResponse({"error": text}, status_code=415)
        if len(path.name.encode()) > LONGEST_NAME or not path.name.isprintable():
            text = f"name: found {name[:100]!r}, expected at most {LONGEST_NAME} plain letters"
            return JSONResponse({"error": text}, status_code=415)
        if not await _save(request, path):
            text = f"the file is larger than {MOST_BYTES // 2**20} MiB"
            return JSONResponse({"error": text}, status_code=413)
        problems = await hub.drive_file(path.parent.name, str(path))
        if problems:
            shutil.rmtree(path.parent, ignore_errors=True)
            return JSONResponse({"problems": [_without(path, p) for p in problems]}, 422)
        return JSONResponse({"problems": []})


def _drives(hub: Hub, visitor: Visitor) -> bool:
    """Whether a visitor is the operator who has the seat, or one while nobody has it."""
    sitting = hub.clients.get(hub.seat.client)
    return visitor.role == OPERATOR and (
        sitting is None or sitting.visitor.session == visitor.session
    )


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


# --------------------------------------------------------------------- pages


def _add_pages(app: FastAPI, hub: Hub, settings: Settings) -> None:
    @app.get("/health")
    async def health() -> Response:
        """Whether the server is well."""
        return JSONResponse(hub.health())

    @app.get("/{path:path}")
    async def static(path: str) -> Response:
        """The page and its parts, which are no secret."""
        root = settings.static.resolve()
        file = (root / (path or "index.html")).resolve()
        if not file.is_relative_to(root) or not file.is_file():
            if not path:
                text = "The page is not built: run `pip install .` or `make web`.\n"
                return PlainTextResponse(text, status_code=503)
            return PlainTextResponse("not found\n", status_code=404)
        hashed = file.parent.name == "assets"
        cache = "public, max-age=31536000, immutable" if hashed else "no-cache"
        kind = TYPES.get(file.suffix, "application/octet-stream")
        return FileResponse(file, media_type=kind, headers={"cache-control": cache})


async def _body(request: Request, most: int) -> bytes:
    """The body of a request, or as much of it as may be."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            return b""
    return body


def _json_object(body: bytes) -> dict[str, Any]:
    import json

    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}
