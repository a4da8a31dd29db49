"""The web application."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from .access import Access
from .guard import Guard
from .hub import Hub
from .routes.description import add_description
from .routes.desk import Desk
from .routes.export import add_export
from .routes.machine import add_machine
from .routes.pages import add_pages, build_of
from .routes.recordings import add_recordings
from .routes.session import add_session
from .routes.sheets import add_sheets
from .routes.socket import add_socket
from .routes.studies import add_studies
from .settings import ServerSettings

ROUTES = (  # the pages take every address that no other route has
    add_session,
    add_socket,
    add_machine,
    add_studies,
    add_recordings,
    add_sheets,
    add_export,
    add_description,
    add_pages,
)


def make_app(settings: ServerSettings, access: Access) -> FastAPI:
    """The application, guarded; it starts and ends the physics process with itself."""
    folder = Path(tempfile.mkdtemp(prefix="headframe-"))
    hub = Hub(settings, build_of(settings.static), folder)

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        await hub.start()
        yield
        for end in desk.endings:
            await asyncio.to_thread(end)
        await hub.stop()
        shutil.rmtree(folder, ignore_errors=True)

    app = FastAPI(lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, allowed=settings.allowed)
    app.state.hub, app.state.access = hub, access
    desk = Desk(app, hub, access, settings, folder)
    for add in ROUTES:
        add(desk)
    return app
