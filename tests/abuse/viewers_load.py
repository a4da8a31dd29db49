"""Sixty viewers ask as often as they are let, while one drives: python tests/abuse/viewers_load.py.

Prints the operator's frames a second and how long the emergency stop takes meanwhile.
"""

import asyncio
import contextlib
import json
import multiprocessing
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "server"))

from running import Running
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

VIEWERS = 60
A_SECOND = 150  # messages of each, within what one is allowed


async def _ask(address, headers, until):
    """One viewer: asks, and throws away what it hears."""
    async with connect(address, additional_headers=headers, compression=None) as socket:

        async def read():
            with contextlib.suppress(ConnectionClosed):  # it asked for too much
                async for _ in socket:
                    pass

        reading = asyncio.create_task(read())
        while time.time() < until:
            await socket.send('{"type":"inspect","number":1}')
            await asyncio.sleep(1.0 / A_SECOND)
        reading.cancel()


def _crowd(address, headers, seconds):
    async def all_of_them():
        until = time.time() + seconds
        await asyncio.gather(
            *(_ask(address, headers, until) for _ in range(VIEWERS)), return_exceptions=True
        )

    asyncio.run(all_of_them())


def measure(server, seconds=8.0):
    """Frames a second of the operator, and seconds until the stop was told, under that load."""
    address = f"{server.base.replace('http', 'ws')}/ws"
    crowd = multiprocessing.get_context("spawn").Process(
        target=_crowd, args=(address, server.bearer("viewer"), seconds + 3.0), daemon=True
    )
    with server.talk() as operator:
        operator.send(type="take_seat")
        operator.until(lambda: operator.status["seat"] == operator.welcome["client"])
        crowd.start()
        operator.until(lambda: operator.status["viewers"] >= VIEWERS, 30.0)
        first, started = operator.frame.number, time.monotonic()
        frames = operator.frames
        operator.hold(seconds / 2)
        passed = time.monotonic() - started
        rate, made = (operator.frames - frames) / passed, (operator.frame.number - first) / passed
        pressed = time.monotonic()
        operator.send(type="emergency_stop")
        operator.until(lambda: operator.status["emergency"])
        took = time.monotonic() - pressed
        while crowd.is_alive():
            operator.hold(0.1)
        operator.alive()
        operator.send(type="release")
        operator.until(lambda: not operator.status["emergency"])
    return rate, made, took


if __name__ == "__main__":
    running = Running("--port", "0", "lhd")
    try:
        rate, made, took = measure(running)
        facts = {"frames a second": rate, "ticks a second": made, "stop [ms]": 1e3 * took}
        print(json.dumps({name: round(value, 1) for name, value in facts.items()}))
    finally:
        running.stop()
