"""The page and its parts, and how the server is."""

from __future__ import annotations

import hashlib
from pathlib import Path

from fastapi import Response
from fastapi.responses import FileResponse, PlainTextResponse

from ..hub import ENDED
from .answers import Health, document
from .desk import Desk

TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".jpg": "image/jpeg",
    ".svg": "image/svg+xml",
}


def build_of(static: Path) -> str:
    """Name of the built page: a page that was made otherwise has another."""
    index = static / "index.html"
    return hashlib.sha256(index.read_bytes()).hexdigest()[:12] if index.is_file() else "none"


def _found(root: Path, path: str) -> Path | None:
    """A file of the page; None if there is no such file."""
    try:
        file = (root / path).resolve()
        return file if file.is_relative_to(root) and file.is_file() else None
    except (OSError, ValueError):  # no name of a file at all: too long, or with a null in it
        return None


def add_pages(desk: Desk) -> None:
    """Add the routes; that of the page takes every address that no other one has."""
    app, hub, settings = desk.app, desk.hub, desk.settings

    @app.get("/health", **document(Health, known=False, models={503: Health}))
    async def health() -> Response:
        """Whether the server is well: with status 503 if physics has ended."""
        facts = hub.health()
        return Health(**facts).response(503 if facts["status"] == ENDED else 200)

    @app.get("/{path:path}", include_in_schema=False)
    async def static(path: str) -> Response:
        """The page and its parts, which are no secret."""
        file = _found(settings.static.resolve(), path or "index.html")
        if file is None:
            if not path:
                text = "The page is not built: run `pip install .` or `make web`.\n"
                return PlainTextResponse(text, status_code=503)
            return PlainTextResponse("not found\n", status_code=404)
        hashed = file.parent.name == "assets"
        cache = "public, max-age=31536000, immutable" if hashed else "no-cache"
        kind = TYPES.get(file.suffix, "application/octet-stream")
        return FileResponse(file, media_type=kind, headers={"cache-control": cache})
