"""Table 1 of the SIMGC paper: time and iterations of a step, SIMMC against SIMGC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from ...actuation import speed
from ...errors import DynamicsError
from ...machine import load
from ...sim import Simulation
from ..figures import draw_times
from ..progress import Progress
from ..section import BenchSettings, ReportSection
from ..tables import NOTHING, number, plain, table
from ..timing import undisturbed
from .grasping import SECONDS as GRASPING
from .grasping import Grasp
from .scenes import simulation

STEP, TOLERANCE, MOST = 1e-2, 1e-6, 20_000  # [s], [N s], iterations
SECONDS = 10.0
SWING, TURN = 0.5, 1.8  # the linkage's crank goes to and fro: speed [rad/s], for so long [s]
MOST_GRASPING = 1000  # iterations in the third scene
SCENES = {
    "five_link_chain": "five-link chain",
    "peaucellier": "Peaucellier-Lipkin linkage",
    "grasp": "object in a gripper",
}
SHORT = {  # in the picture
    "five_link_chain": "chain",
    "peaucellier": "Peaucellier",
    "grasp": "gripper",
}
METHODS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("simmc", "SIMMC", "simmc", {}),
    ("simgc", "SIMGC", "simgc", {"grouped": False}),
    ("grouped", "SIMGC, a closure's rows together", "simgc", {"grouped": True}),
)
# time [ms] and iterations
PRINTED = {
    ("five_link_chain", "simmc"): (0.5, 100),
    ("five_link_chain", "simgc"): (0.1, 6),
    ("peaucellier", "simmc"): (16.0, 2300),
    ("peaucellier", "simgc"): (1.2, 40),
    ("grasp", "simmc"): (3.0, 200),
    ("grasp", "simgc"): (0.6, 10),
}
TEXT = f"""The scenes of the SIMGC paper: a chain of five links with friction in its hinges falls
from the horizontal; a Peaucellier-Lipkin linkage is turned to and fro by its motor; a manipulator
grasps a box of half a kilogram, lifts it, carries it to another table and lets it go there. Steps
of 10 ms, iterations until no impulse changes by more than 1e-6 N s (or {MOST:,} of them, in the
third scene {MOST_GRASPING:,}), {SECONDS:g} s, in the third scene {GRASPING:g} s. Figures are means
over all steps. The print is C++ on a 3 GHz Pentium D; its steps are of varying length up to 10 ms,
and its manipulator and object are not described. Its SIMGC finds impulses one by one; ours can also
find those of one closure together, which is its default. A closure is open by "gap" at the end.
While the box is held, more contacts bear it than are needed, and in a few steps SIMGC shifts
impulses between them until its iterations are used up.
"""


@dataclass(frozen=True)
class Impulses:
    """One method on one scene.

    Attributes:
        scene, method, name: keys of `SCENES` and `METHODS`, and the method's name.
        time: of a step [ms], in the mean.
        iterations: of a step, in the mean.
        gap: of the widest joint at the end [m, rad].
        stopped: what stopped it, or was left of its impulses; empty if nothing was.
    """

    scene: str
    method: str
    name: str
    time: float
    iterations: float
    gap: float
    stopped: str = ""


def measure(settings: BenchSettings, progress: Progress) -> list[Impulses]:
    """Run it."""
    return compare(0.1 if settings.small else SECONDS, progress)


def compare(seconds: float, progress: Progress) -> list[Impulses]:
    """All methods on all scenes for so long [s]."""
    progress.begin("impulses", len(SCENES) * len(METHODS))
    found = []
    for scene in SCENES:
        for key, name, formulation, own in METHODS:
            if scene == "grasp":
                found.append(_grasp(key, name, formulation, own, min(seconds, GRASPING)))
            else:
                options = {"step": STEP, "tolerance": TOLERANCE, "iterations": MOST, **own}
                sim = simulation(progress, load(scene), formulation, **options)
                if sim is not None:
                    found.append(_run(scene, key, name, sim, seconds))
            progress.step(f"{scene}, {name}")
    return found


def _grasp(key: str, name: str, formulation: str, own: dict[str, Any], seconds: float) -> Impulses:
    """The third scene, which is a world."""
    scene = Grasp(
        formulation, "box", STEP, own, tolerance=TOLERANCE, iterations=MOST_GRASPING
    )  # fmt: skip
    world, spent, stopped, total = scene.world, 0.0, "", round(seconds / STEP)
    start = world.save()
    world.step(1)  # compiled before the clock runs
    world.restore(start)
    with undisturbed():
        for _ in range(total):
            begin = perf_counter()
            try:
                scene.step()
            except DynamicsError as error:
                stopped = str(error)
                break
            spent += perf_counter() - begin
    sweeps, made = world.sweeps, max(1, round(world.time / STEP))
    if sweeps.unsettled and not stopped:
        stopped = f"{sweeps.unsettled} of {made} steps left {number(sweeps.worst)} N s or less"
    gap = scene.gripper.position_error()
    return Impulses("grasp", key, name, 1e3 * spent / made, sweeps.mean, gap, stopped)


def _run(scene: str, key: str, name: str, sim: Simulation, seconds: float) -> Impulses:
    sim.step(0)  # compiled before the clock runs
    drive(scene, sim, 0.0)
    start = sim.save()
    sim.step(1)
    sim.restore(start)
    spent, stopped, total = 0.0, "", round(seconds / STEP)
    with undisturbed():
        for _ in range(total):
            drive(scene, sim, sim.time)
            begin = perf_counter()
            try:
                sim.step(1)
            except DynamicsError as error:
                stopped = str(error)
                break
            spent += perf_counter() - begin
    made = max(1, round(sim.time / STEP))
    return Impulses(
        scene, key, name, 1e3 * spent / made, sim.iterations, sim.position_error(), stopped
    )


def drive(scene: str, sim: Simulation, time: float) -> None:
    """The linkage's motor goes to and fro; the chain falls by itself."""
    if scene == "peaucellier":
        there = int(time / TURN) % 2 == 0
        sim.command({"motor": speed(SWING if there else -SWING)})


# --------------------------------------------------------------------- report


def section(found: Sequence[Impulses], folder: Path) -> ReportSection:
    """The table beside the print."""
    rows = [
        [
            SCENES[one.scene], one.name, number(one.time), number(one.iterations),
            number(one.gap), *_printed(one.scene, one.method), one.stopped,
        ]
        for one in found
    ]  # fmt: skip
    header = [
        "scene", "method", ">a step [ms]", ">iterations", ">gap [m, rad]", ">printed [ms]",
        ">printed iterations", "remark",
    ]  # fmt: skip
    bars: dict[str, dict[str, float]] = {}
    for one in found:
        own = bars.setdefault(SHORT[one.scene], {})
        own[one.name] = 1e3 * one.time
        if (one.scene, one.method) in PRINTED:
            own[f"{one.name}, printed"] = 1e3 * PRINTED[one.scene, one.method][0]
    picture = draw_times(
        bars, "impulses: time of a step of 10 ms", folder / "dynamics_impulses.png"
    )
    text = [TEXT, table(header, rows), f"![Time of a step]({picture.name})\n"]
    return ReportSection("SIMMC against SIMGC (table 1)", text, [], [picture])


def _printed(scene: str, method: str) -> list[str]:
    said = PRINTED.get((scene, method))
    return [plain(said[0]), plain(said[1])] if said else [NOTHING, NOTHING]
