"""A crowd of clients in a process of its own.

    python -m headframe.bench.server.clients ADDRESS OPERATOR VIEWER COUNT SECONDS

One is the operator, who moves a lever to and fro with a heartbeat of 20 Hz; the others watch, and
the last of them never reads what it is sent. Prints how many frames each has got, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
import time

from websockets.asyncio.client import ClientConnection, connect

from ...protocol import VERSION

BEAT = 0.05
GROUP = "boom"  # of the roadheader


async def _connected(address: str, token: str) -> ClientConnection:
    socket = await connect(
        address,
        additional_headers={"Authorization": f"Bearer {token}"},
        compression=None,
        max_queue=4,
        ping_interval=None,
    )
    await socket.send(json.dumps({"type": "hello", "version": VERSION}))
    return socket


async def _count(socket: ClientConnection, until: float) -> int:
    """Frames that come until a moment."""
    frames = 0
    while (left := until - time.monotonic()) > 0.0:
        try:
            said = await asyncio.wait_for(socket.recv(), left)
        except TimeoutError:
            break
        frames += isinstance(said, bytes)
    return frames


async def _drive(socket: ClientConnection, group: str, until: float) -> None:
    """Hold a lever that swings to and fro."""
    started = time.monotonic()
    while (now := time.monotonic()) < until:
        passed = now - started
        swing = math.sin(passed) if passed > 1.0 else 0.0
        beat = {"levers": {group: swing}, "age": 0.0, "present": True, "sent": 1e3 * now}
        await socket.send(json.dumps({"type": "levers", **beat}))
        await asyncio.sleep(BEAT)


async def crowd(address: str, tokens: tuple[str, str], count: int, seconds: float) -> list[int]:
    """Frames that each reading client has got."""
    operator = await _connected(address, tokens[0])
    viewers = [await _connected(address, tokens[1]) for _ in range(count - 1)]
    until = time.monotonic() + seconds
    readers = [operator, *viewers[:-1]]  # the last one never reads
    counts = asyncio.gather(*(_count(socket, until) for socket in readers))
    await _drive(operator, GROUP, until)
    frames = list(await counts)
    for socket in (operator, *viewers):
        socket.transport.abort()
    return frames


if __name__ == "__main__":
    address, operator, viewer, count, seconds = sys.argv[1:]
    print(json.dumps(asyncio.run(crowd(address, (operator, viewer), int(count), float(seconds)))))
