"""The socket: frames and messages down, messages up."""

from __future__ import annotations

import asyncio
import sys
import traceback

from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from ...protocol import LARGEST_MESSAGE
from ..access import OPERATOR
from ..client import Client
from ..hub import Hub
from .desk import Desk

NOT_ALLOWED, TRY_LATER, TOO_LARGE = 4401, 1013, 1009
STOP = '"emergency_stop"'  # waits for nobody


def add_socket(desk: Desk) -> None:
    """Add the route."""
    hub, access = desk.hub, desk.access

    @desk.app.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        """Frames and messages down, messages up."""
        visitor = access.visitor(socket)
        if visitor is None:
            await socket.close(NOT_ALLOWED)
            return
        await socket.accept()
        if not hub.has_room(visitor.role):
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
            if len(text) > LARGEST_MESSAGE:
                client.close(TOO_LARGE)
                return
            presses = STOP in text and not hub.emergency
            if client.role != OPERATOR and not presses:
                await hub.viewers.turn()
            hub.hear(client, text)
    except (WebSocketDisconnect, RuntimeError):
        return
