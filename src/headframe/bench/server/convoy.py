"""A scene whose machines are all driven at once: what a tick of the physics process takes."""

from __future__ import annotations

import gc
import math
import statistics
import time
from dataclasses import dataclass

from ...protocol import up
from ...server import FrameReport, Order, SceneChoice, Worker
from ...sim import TICK, Physics
from ..surroundings import surroundings
from ..tables import number, table

SETTLE = 60  # ticks before anything is counted


class _Sink:
    """The end of a pipe that nobody reads; remembers how long the last frame was."""

    def __init__(self) -> None:
        self.bytes = 0

    def send(self, said: object) -> None:
        """Take a report."""
        if isinstance(said, FrameReport):
            self.bytes = len(said.frame)


@dataclass(frozen=True)
class Ticks:
    """What ticks of a scene took.

    Attributes:
        units: of the kind that is driven.
        selected: of them that obey.
        times: computing time of each tick, substeps, poses and encoding [s].
        frame: size of the last frame [bytes].
        ring: growth of the states to go back to, a tick [bytes].
    """

    units: int
    selected: int
    times: tuple[float, ...]
    frame: int
    ring: float


def measure(scene: str, ticks: int, every: bool) -> Ticks:
    """Drive all units of a scene, or none, with all levers swinging to and fro."""
    sink = _Sink()
    worker = Worker(sink, "", scene, Physics())  # type: ignore[arg-type]
    worker.stage(SceneChoice(scene), Physics())
    kind = worker.cast.now
    worker.follow(Order(0, 0.0, up.Select(kind.name)))
    groups, times, grown = worker.session.machine.robot.group_names, [], 0.0
    for n in range(SETTLE + ticks):
        now = (n + 1) * TICK
        swing = 0.5 * math.sin(2.0 * now) if every and n > 2 else 0.0
        worker.follow(Order(0, now, up.Levers(dict.fromkeys(groups, swing), 0.0, True, 0.0)))
        if n == SETTLE:
            grown = worker.session.ring_bytes
            gc.collect()
        started = time.perf_counter()
        worker.tick(now)
        if n >= SETTLE:
            times.append(time.perf_counter() - started)
    ring = (worker.session.ring_bytes - grown) / ticks
    return Ticks(len(kind.units), len(kind.units) if every else 0, tuple(times), sink.bytes, ring)


def report(scene: str, found: list[Ticks]) -> str:
    """A table of what was measured."""
    heads = ["", *(f"{ticks.selected} of {ticks.units} move" for ticks in found)]
    rows = [
        ["tick, median [ms]", *(number(1e3 * statistics.median(t.times)) for t in found)],
        ["tick, 99 of 100 [ms]",
         *(number(1e3 * sorted(t.times)[int(0.99 * len(t.times))]) for t in found)],
        ["part of a period at 60 Hz [%]",
         *(number(100 * statistics.median(t.times) / TICK) for t in found)],
        ["frame [kB]", *(number(t.frame / 1e3) for t in found)],
        ["states to go back to, a second [kB]", *(number(t.ring / TICK / 1e3) for t in found)],
    ]  # fmt: skip
    about = "\n".join(f"- {name}: {value}" for name, value in surroundings().items())
    return (
        f"`headframe bench server --scene {scene}`, kinematic mode, {len(found[0].times)} ticks\n\n"
        f"{table(heads, rows)}\n\n{about}"
    )
