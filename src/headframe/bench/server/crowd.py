"""The server with nobody and with 32 clients, side by side."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import MissingExtraError, ServerError
from ..surroundings import surroundings
from ..tables import number, table

CLIENTS = 32
SETTLE = 5.0  # before anything is counted [s]


@dataclass(frozen=True)
class Load:
    """What a server did in a while.

    Attributes:
        clients: that were connected.
        seconds: of the while.
        ticks: frames that physics made; `overruns` are ticks whose simulated time was dropped.
        messages: frames that clients got.
        fewest: frames that the slowest of those who read got.
        server_cpu: processor time of the server process [s]; `physics_cpu` likewise.
        server_growth: of its memory [bytes]; `physics_growth` likewise.
        ring_growth: of the states to rewind to, which are part of the latter [bytes].
    """

    clients: int
    seconds: float
    ticks: int
    overruns: int
    messages: int
    fewest: int
    server_cpu: float
    physics_cpu: float
    server_growth: int
    physics_growth: int
    ring_growth: int

    @property
    def a_message(self) -> float:
        """Processor time of the server a frame that it sent [s]; of a tick without clients."""
        return self.server_cpu / max(self.messages, 1)


@dataclass(frozen=True)
class Served:
    """A server that runs."""

    process: subprocess.Popen[str]
    base: str
    operator: str
    viewer: str

    def health(self) -> dict[str, Any]:
        """What it says of itself."""
        with urllib.request.urlopen(f"{self.base}/health", timeout=10) as answer:
            health: dict[str, Any] = json.load(answer)
        return health


@contextmanager
def served(machine: str = "roadheader", dynamics: bool = True) -> Iterator[Served]:
    """Start a server, and end it."""
    command = [sys.executable, "-m", "headframe", "run", machine, "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        [*command, *(["--dynamics"] if dynamics else [])], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        lines = [process.stdout.readline().strip() for _ in range(2)]
        found = [re.fullmatch(r"(http://.+:\d+)/#\w+=([\w-]+)", line) for line in lines]
        if found[0] is None or found[1] is None:
            raise ServerError(f"headframe run ended with status {process.wait(10)}")
        running = Served(process, found[0][1], found[0][2], found[1][2])
        while running.health()["frames"] < 60:
            time.sleep(0.1)
        yield running
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        finally:
            process.stdout.close()


def measure(clients: int, seconds: float) -> Load:
    """Run a server with so many clients (or none) for a while."""
    try:
        import psutil
    except ImportError:
        raise MissingExtraError("watching the server", "psutil", "bench") from None
    with served() as running:
        crowd = _crowd(running, clients, SETTLE + seconds + 2.0) if clients else None
        time.sleep(SETTLE)
        server = psutil.Process(running.process.pid)
        physics = max(server.children(), key=lambda child: sum(child.cpu_times()[:2]))
        before = running.health()
        cpu = [sum(process.cpu_times()[:2]) for process in (server, physics)]
        memory = [process.memory_info().rss for process in (server, physics)]
        time.sleep(seconds)
        after = running.health()
        cpu = [sum(p.cpu_times()[:2]) - old for p, old in zip((server, physics), cpu, strict=True)]
        memory = [
            p.memory_info().rss - old for p, old in zip((server, physics), memory, strict=True)
        ]
        share = seconds / (SETTLE + seconds + 2.0)
        counts = json.loads(crowd.communicate(timeout=60)[0]) if crowd else []
    return Load(
        clients=clients,
        seconds=seconds,
        ticks=after["frames"] - before["frames"],
        overruns=after["overruns"] - before["overruns"],
        messages=round(share * sum(counts)) if counts else after["frames"] - before["frames"],
        fewest=round(share * min(counts)) if counts else 0,
        server_cpu=cpu[0],
        physics_cpu=cpu[1],
        server_growth=memory[0],
        physics_growth=memory[1],
        ring_growth=after["ring_bytes"] - before["ring_bytes"],
    )


def _crowd(running: Served, clients: int, seconds: float) -> subprocess.Popen[str]:
    address = f"{running.base.replace('http', 'ws')}/ws"
    arguments = [address, running.operator, running.viewer, str(clients), str(seconds)]
    return subprocess.Popen(
        [sys.executable, "-m", "headframe.bench.server.clients", *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )


def report(loads: list[Load], folder: Path) -> Path:
    """Write the page of the documentation."""
    heads = ["", *(f"{load.clients} clients" if load.clients else "nobody" for load in loads)]
    mega = 1e-6
    rows = [
        ["ticks a second", *(number(load.ticks / load.seconds) for load in loads)],
        ["overruns", *(str(load.overruns) for load in loads)],
        ["frames a second for the slowest who reads",
         *(number(load.fewest / load.seconds) if load.clients else "" for load in loads)],
        ["processor time of the server [% of a core]",
         *(number(100 * load.server_cpu / load.seconds) for load in loads)],
        ["processor time of physics [% of a core]",
         *(number(100 * load.physics_cpu / load.seconds) for load in loads)],
        ["processor time of the server a frame sent [µs]",
         *(number(1e6 * load.a_message) if load.clients else "" for load in loads)],
        ["growth of the server's memory [MB]",
         *(number(mega * load.server_growth) for load in loads)],
        ["growth of physics' memory [MB]", *(number(mega * load.physics_growth) for load in loads)],
        ["growth of the states to rewind to [MB]",
         *(number(mega * load.ring_growth) for load in loads)],
    ]  # fmt: skip
    text = (
        "# The server with a crowd\n\n"
        f"`headframe bench server`, {loads[0].seconds:g} s each, the roadheader in dynamic mode; "
        "one operator moves a lever, the others watch, and one of them never reads.\n\n"
        f"{table(heads, rows)}\n\n"
        + "\n".join(f"- {name}: {value}" for name, value in surroundings().items())
        + "\n"
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "server.md"
    path.write_text(text, encoding="utf-8", newline="\n")
    print(text)
    return path
