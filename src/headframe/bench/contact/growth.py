"""How times grow with the number of bodies: heaps that have come to rest, and the sweep alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from ...mechanism import Floats
from ...sim import World
from ..dynamics.plots import PlotCurve, PlotPanel, draw_panels
from ..goals import Goal
from ..progress import Progress
from ..section import BenchSettings, ReportSection, peer
from ..tables import number, table
from .rivals import OurHeap, Rival, bullet_heap, mujoco_heap, places_of_boxes, seconds_of

COUNTS, STEP, FALL, TIMED = (1, 3, 10, 30, 100, 300, 1000), 2e-3, 0.4, 100  # [s], [s], steps
FAR_PASSES = 20
TEXT = """Boxes as above, {fall:g} s after they were let go, when most are in contact and none lies
still; the mean of {timed} steps. "Far" is finding who may touch whom, and touching, with the bodies
spread so that nothing does: sorted boxes along one axis. Fits are t = c n^p by least squares of the
logarithms, from 10 bodies on; n log n would be fitted by p = 1.24 here.
"""


@dataclass(frozen=True)
class GrowthCurve:
    """Times of a step [us] by the number of bodies."""

    name: str
    counts: Sequence[int]
    times: Sequence[float]

    @property
    def power(self) -> float:
        """P of t = c n^p, from 10 bodies on."""
        many = [k for k, count in enumerate(self.counts) if count >= 10]
        if len(many) < 2:
            return float("nan")
        n, t = np.array(self.counts)[many], np.array(self.times)[many]
        return float(np.polyfit(np.log(n), np.log(t), 1)[0])


def measure(settings: BenchSettings, progress: Progress) -> list[GrowthCurve]:
    """Run it."""
    counts = (1, 3) if settings.small else COUNTS
    timed, falls = (2, 2) if settings.small else (TIMED, round(FALL / STEP))
    mujoco, bullet = (peer(key, settings, progress) for key in ("mujoco", "pybullet"))
    times: dict[str, list[float]] = {}
    progress.begin("growth", len(counts))
    for count in counts:
        places = places_of_boxes(count)
        rivals: list[tuple[str, Rival]] = [("Headframe", OurHeap(places, STEP))]
        if mujoco:
            rivals.append(("MuJoCo", mujoco_heap(mujoco, places, STEP)))
        if bullet:
            rivals.append(("PyBullet", bullet_heap(bullet, places, STEP)))
        for name, rival in rivals:
            rival.steps(falls)
            times.setdefault(name, []).append(1e6 * seconds_of(rival, timed))
        times.setdefault("far", []).append(1e6 * far_seconds(places))
        progress.step(f"{count} bodies")
    return [GrowthCurve(name, counts, found) for name, found in times.items()]


def far_seconds(places: list[Floats]) -> float:
    """Time of a step of balls that touch nothing and move by themselves [s]."""
    world = World(step=STEP, gravity=0.0)
    for n, X in enumerate(places):
        far = X.copy()
        far[:3, 3] *= 3.0
        world.add_body(f"ball {n}", {"type": "sphere", "r": 0.1}, 1.0, far)
    world.step(2)
    best = np.inf
    for _ in range(FAR_PASSES):
        begin = perf_counter()
        world.step(10)
        best = min(best, (perf_counter() - begin) / 10)
    return float(best)


def section(found: list[GrowthCurve], folder: Path) -> ReportSection:
    """What the page says of it."""
    counts = found[0].counts
    rows = [
        [each.name, *(number(time) for time in each.times), number(each.power)] for each in found
    ]
    header = ["[us]", *(f">{count}" for count in counts), ">power"]
    curves = [PlotCurve(each.name, counts, each.times, points=True) for each in found]
    panel = PlotPanel("a step", "bodies", "[us]", curves)
    picture = draw_panels(
        "Growth with the number of bodies", [panel], folder / "contact_growth.png"
    )
    far = next(each for each in found if each.name == "far")
    text = TEXT.format(fall=FALL, timed=TIMED)
    return ReportSection(
        "Growth", [text, table(header, rows), f"![]({picture.name})\n"],
        [Goal("power of n of the far detection", far.power, 1.25)], [picture],
    )  # fmt: skip
