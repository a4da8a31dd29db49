"""A hundred boxes that fall, make a heap, and lie still: steps beside peers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..dynamics.plots import PlotCurve, PlotPanel, draw_panels
from ..goals import Goal
from ..progress import Progress
from ..section import BenchSettings, ReportSection, peer
from ..tables import number, table
from .rivals import OurHeap, Rival, bullet_heap, mujoco_heap, places_of_boxes, seconds_of

BOXES, STEP, SECONDS, PIECE = 100, 2e-3, 3.0, 0.1  # [s]
WANTED = 2.0
TEXT = """{boxes} wooden boxes of 0.2 m fall onto the ground in four layers, and come to rest, at
steps of {step:g} ms. Times are those of single steps, in pieces of {piece:g} s. Ours solves every
step to 1e-11 of its impulses; MuJoCo and PyBullet have their own defaults (MuJoCo: Newton's method,
pyramidal cones; PyBullet: 50 sweeps). "Falling" is the mean until half of the time, "at rest" that
of the last {last:g} s; boxes that lie still sleep in Headframe alone.
"""


@dataclass(frozen=True)
class HeapTimes:
    """Times of a step [us] in every piece of the run, and how many points touch at its end."""

    name: str
    times: Sequence[float]
    contacts: int

    @property
    def falling(self) -> float:
        """Mean of the first half [us]."""
        return float(np.mean(self.times[: max(1, len(self.times) // 2)]))

    @property
    def resting(self) -> float:
        """Mean of the last third [us]."""
        return float(np.mean(self.times[-max(1, len(self.times) // 3) :]))

    @property
    def whole(self) -> float:
        """Mean of all [us]."""
        return float(np.mean(self.times))


def measure(settings: BenchSettings, progress: Progress) -> list[HeapTimes]:
    """Run it."""
    places = places_of_boxes(8 if settings.small else BOXES)
    pieces = 2 if settings.small else round(SECONDS / PIECE)
    rivals: list[tuple[str, Rival]] = [("Headframe", OurHeap(places, STEP))]
    mujoco, bullet = (peer(key, settings, progress) for key in ("mujoco", "pybullet"))
    if mujoco:
        rivals.append(("MuJoCo", mujoco_heap(mujoco, places, STEP)))
    if bullet:
        rivals.append(("PyBullet", bullet_heap(bullet, places, STEP)))
    progress.begin("heap", pieces)
    rivals[0][1].steps(1)
    times: dict[str, list[float]] = {name: [] for name, _ in rivals}
    for _ in range(pieces):
        for name, rival in rivals:
            times[name].append(1e6 * seconds_of(rival, round(PIECE / STEP)))
        progress.step("a piece")
    return [HeapTimes(name, times[name], rival.contacts()) for name, rival in rivals]


def section(found: list[HeapTimes], folder: Path) -> ReportSection:
    """What the page says of it."""
    rows = [
        [each.name, number(each.falling), number(each.resting), number(each.whole),
         str(each.contacts)]
        for each in found
    ]  # fmt: skip
    header = ["engine", ">falling [us]", ">at rest [us]", ">all [us]", ">contacts at the end"]
    text = TEXT.format(boxes=BOXES, step=1e3 * STEP, piece=PIECE, last=SECONDS / 3)
    curves = [
        PlotCurve(each.name, PIECE * np.arange(1, len(each.times) + 1), np.array(each.times))
        for each in found
    ]
    panel = PlotPanel("a step", "time [s]", "[us]", curves, log=(False, True))
    picture = draw_panels("A heap of 100 boxes", [panel], folder / "contact_heap.png")
    goals = []
    by_name = {each.name: each for each in found}
    if "MuJoCo" in by_name:
        ours, theirs = by_name["Headframe"], by_name["MuJoCo"]
        for what, ratio in (
            ("a heap of 100 boxes, all of it", ours.whole / theirs.whole),
            ("a heap of 100 boxes while it falls", ours.falling / theirs.falling),
        ):
            goals.append(Goal(f"{what}, times MuJoCo", ratio, WANTED))
    return ReportSection(
        "A heap of boxes", [text, table(header, rows), f"![]({picture.name})\n"], goals, [picture]
    )
