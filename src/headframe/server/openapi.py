"""The OpenAPI description of the HTTP routes."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from .. import __version__
from .access import PASSWORD_HEADER, Access

ABOUT = (
    "What the simulator in the browser asks its server for, beside the socket `/ws`. Whoever sends "
    "a token of one of the addresses that the server prints may ask; a token also opens a session, "
    "whose cookie then does."
)


def description(app: FastAPI, access: Access) -> dict[str, Any]:
    """All routes but those of the page itself, with models, status codes and ways to come in."""
    made = get_openapi(title="Headframe", version=__version__, description=ABOUT, routes=app.routes)
    ways = {
        "token": {"type": "http", "scheme": "bearer", "description": "A token of an address."},
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": access.cookie,
            "description": "What POST /session gave; the name holds the port.",
        },
        "password": {
            "type": "apiKey",
            "in": "header",
            "name": PASSWORD_HEADER,
            "description": "Beside the token, where the server asks for a password.",
        },
    }
    made.setdefault("components", {})["securitySchemes"] = ways
    made["security"] = [{"token": []}, {"session": []}, {"token": [], "password": []}]
    return made
