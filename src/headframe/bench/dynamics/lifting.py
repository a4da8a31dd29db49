"""Figures 10 and 12 of the roadheader paper: a boom is raised, and what a frame costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ...actuation import locked, speed
from ...errors import DynamicsError
from ...machine import Machine, load
from ...mechanism import Floats
from ...sim import Simulation
from ..figures import draw_times
from ..goals import Goal
from ..progress import Progress
from ..section import BenchSettings, ReportSection, peer
from ..tables import number, table
from ..timing import undisturbed
from .bullet import BulletBoom
from .plots import PlotCurve, PlotPanel, draw_panels
from .scenes import NAMES, command_all, simulation

MACHINE, GROUP, HEAD, JOINT = "roadheader", "boom", "cutter_head", "pitching"
SPEED = 0.03  # of the boom's cylinders [m/s]
STEP = 1e-3  # [s]
FRAME = 17  # steps of 1 ms in a sixtieth of a second
SAMPLES = 400
ROUNDING = 1e-10  # [%]
PRINTED_FRAME = 8.9  # [ms], with the picture drawn
PRINTED = (
    "figure 10 is printed without figures: the error of the paper's method stays lowest, that of "
    "Bullet in maximal coordinates grows much faster, that of position-based dynamics fluctuates"
)
CONTESTANTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("loop embedding, rk4", "embedded", {"integrator": "rk4"}),
    ("loop embedding, semi-implicit", "embedded", {"integrator": "semi-implicit"}),
    ("constrained tree, rk4", "constrained", {"integrator": "rk4"}),
    (NAMES["simgc"], "simgc", {}),
    (NAMES["simmc"], "simmc", {}),
    (NAMES["xpbd"], "xpbd", {}),
)
EXACT = tuple(name for name, _, _ in CONTESTANTS[:4])  # joints cannot come apart
LESS = 1e3  # by which their errors must be smaller
BULLET = "PyBullet, maximal coordinates"
TEXT = f"""The roadheader raises its boom: the boom's cylinders are guided at {SPEED} m/s, all
others are locked, steps of 1 ms. The cutting head then moves on a circle about the boom's pivot.
With d its distance to the pivot at the start and d' now, the error is 100 |d - d'| / d' per cent,
as in figure 10 of the roadheader paper, over the number of steps. The pivot is the point where it
stands at the start: no drive moves it. SIMGC, SIMMC and XPBD run with their own defaults.

Bullet has no cylinders here. PyBullet loads a URDF in maximal coordinates, but then shows and
drives no link but the base; so turret, boom, cutter head and drum are made one by one as rigid
bodies with the masses of the machine file and `useMaximalCoordinates=True`. Two points on the
pitching axis tie the boom to the turret; three points tie the turret to the ground, the head to
the boom and the drum to the head (`JOINT_POINT2POINT`, the one constraint that works between such
bodies when they are turned), with Bullet's own default of 50 iterations. A torque on the boom,
{BulletBoom.STIFFNESS:,.0f} N m a radian and {BulletBoom.DAMPING:,.0f} N m a radian a second of
error, makes the pitch follow that of the embedded run; its reaction goes to the ground, since the
three points of the turret do not bear it.
"""
FRAME_TEXT = f"""Time of {FRAME} steps of 1 ms, a frame of a sixtieth of a second, in the middle
of the same motion, without a picture. Figure 12 of the paper prints {PRINTED_FRAME} ms a frame
for its own method with the picture drawn, on a 3.4 GHz Core i5.
"""


@dataclass(frozen=True, eq=False)
class Lift:
    """One method: errors over steps, and the time of a frame.

    Attributes:
        name: for tables.
        steps, errors: numbers of steps, and errors there [%].
        frame: time of a frame [us].
        stopped: what stopped it; empty if nothing did.
    """

    name: str
    steps: Floats
    errors: Floats
    frame: float
    stopped: str = ""


def measure(settings: BenchSettings, progress: Progress) -> list[Lift]:
    """Run it."""
    return compare(settings.lift, settings, progress)


def compare(steps: int, settings: BenchSettings, progress: Progress) -> list[Lift]:
    """Raise the boom for so many steps by every method."""
    progress.begin("lifting", len(CONTESTANTS) + 1)
    machine = load(MACHINE)
    found = []
    for name, formulation, options in CONTESTANTS:
        sim = simulation(progress, machine, formulation, step=STEP, **options)
        if sim is not None:
            found.append(lift(name, sim, steps))
        progress.step(name)
    bullet = peer("pybullet", settings, progress)
    if bullet is not None:
        found.append(bullet_lift(bullet, machine, steps))
    progress.step(BULLET)
    return found


def start_lift(sim: Simulation) -> None:
    """Guide the boom upwards, and lock everything else."""
    command_all(sim, {GROUP: speed(SPEED)}, locked())


def pivot_of(machine: Machine) -> Floats:
    """Where the boom's pivot stands at the start, (3,)."""
    joint = machine.robot.joint(JOINT)
    X_WJ = machine.home.pose(joint.parent) @ joint.origin
    return np.asarray(X_WJ[:3, 3])


def errors_of(
    steps: int, pivot: Floats, advance: Callable[[int], None], head: Callable[[], Floats]
) -> tuple[Floats, Floats, str]:
    """Numbers of steps, errors there [%], and what stopped the motion."""
    at = np.unique(np.linspace(0, steps, min(SAMPLES, steps) + 1).round().astype(int))[1:]
    first = float(np.linalg.norm(head() - pivot))
    done, errors, stopped = 0, [], ""
    for goal in at:
        try:
            advance(int(goal) - done)
        except DynamicsError as error:
            stopped = str(error)
            break
        done = int(goal)
        now = float(np.linalg.norm(head() - pivot))
        errors.append(100.0 * abs(first - now) / now)
    return at[: len(errors)].astype(float), np.array(errors), stopped


def lift(name: str, sim: Simulation, steps: int) -> Lift:
    """Raise the boom by one of our formulations; the frame is timed half way."""
    start_lift(sim)
    pivot = pivot_of(sim.machine)
    times: list[float] = []

    def advance(n: int) -> None:
        sim.step(n)
        if not times and sim.time >= 0.5 * steps * STEP:
            times.append(frame_time(lambda: sim.step(FRAME), sim))

    found = errors_of(steps, pivot, advance, lambda: sim.pose(HEAD)[:3, 3])
    return Lift(name, *found[:2], times[0] if times else np.nan, found[2])


def frame_time(frame: Callable[[], None], sim: Simulation | None = None, passes: int = 10) -> float:
    """Time of a frame [us], the best of some; a simulation is put back after each."""
    before = sim.save() if sim else None
    best = np.inf
    with undisturbed():
        for _ in range(passes):
            begin = perf_counter()
            frame()
            best = min(best, perf_counter() - begin)
            if sim and before:
                sim.restore(before)
    return 1e6 * best


def bullet_lift(bullet: Any, machine: Machine, steps: int) -> Lift:
    """Raise Bullet's boom along the pitch of our own."""
    boom = BulletBoom(bullet, machine, STEP)
    guide = Simulation(machine, "embedded", step=STEP)
    start_lift(guide)
    first = guide.joint(JOINT).position
    wanted = []
    for _ in range(steps):
        guide.step(1)
        wanted.append((guide.joint(JOINT).position - first, guide.joint(JOINT).velocity))
    commands = iter(wanted)

    def advance(n: int) -> None:
        for _ in range(n):
            boom.step(*next(commands))

    at, errors, stopped = errors_of(steps, boom.pivot, advance, lambda: boom.pose(HEAD)[:3, 3])

    def frame() -> None:
        for _ in range(FRAME):
            boom.step(*wanted[-1])

    return Lift(BULLET, at, errors, frame_time(frame), stopped)


# --------------------------------------------------------------------- report


def section(found: Sequence[Lift], folder: Path) -> ReportSection:
    """Tables and pictures."""
    curves = [
        PlotCurve(one.name, *shown(one), broken=bool(one.stopped))
        for one in found
        if one.errors.size
    ]
    panel = PlotPanel(
        "distance of the cutting head to the boom's pivot", "steps of 1 ms", "position error [%]",
        curves, log=(False, True), floor=1e-16,
    )  # fmt: skip
    pictures = [
        draw_panels("raising the boom", [panel], folder / "dynamics_lifting.png", 1),
        draw_times(
            {"roadheader": {one.name: one.frame for one in found}},
            f"time of a frame: {FRAME} steps of 1 ms", folder / "dynamics_frames.png",
        ),
    ]  # fmt: skip
    rows = [
        [one.name, *(number(e) for e in (_at(one, 0.1), _at(one, 1.0), _largest(one))), one.stopped]
        for one in found
    ]
    last = max((int(one.steps[-1]) for one in found if one.steps.size), default=0)
    header = [
        "method", f">error after {last // 10:,} steps [%]", f">after {last:,} steps [%]",
        ">largest [%]", "stopped by",
    ]  # fmt: skip
    frames = [[one.name, number(one.frame / 1e3)] for one in found]
    frames.append(["printed: the paper's method, with the picture drawn", f"{PRINTED_FRAME}"])
    text = [
        TEXT,
        table(header, rows),
        f"{PRINTED[0].upper()}{PRINTED[1:]}.\n",
        f"![Position error over steps]({pictures[0].name})\n",
        "### Time a frame\n",
        FRAME_TEXT,
        table(["method", ">a frame [ms]"], frames),
        f"![Time of a frame]({pictures[1].name})\n",
    ]
    return ReportSection("Raising the boom (figures 10 and 12)", text, goals(found), pictures)


def goals(found: Sequence[Lift]) -> list[Goal]:
    """Where joints are coordinates there is no error but rounding; all others make far more."""
    ours = [_largest(one) for one in found if one.name in EXACT]
    others = [_largest(one) for one in found if one.name not in EXACT and one.errors.size]
    what = "raised boom: largest error in generalized coordinates [%]"
    wanted = [Goal(what, max(ours, default=math.nan), ROUNDING)]
    if ours and others:
        what = "raised boom: least error in maximal coordinates over that"
        wanted.append(Goal(what, min(others) / max(*ours, 1e-16), LESS, "x", at_least=True))
    return wanted


def shown(one: Lift) -> tuple[Floats, Floats]:
    """The curve; where it is rounding alone, the largest value of every ten."""
    if one.errors.max() > ROUNDING:
        return one.steps, one.errors
    count = -(-one.errors.size // 10)
    parts = np.array_split(one.errors, count)
    return np.array([x[-1] for x in np.array_split(one.steps, count)]), np.array(
        [part.max() for part in parts]
    )


def _at(one: Lift, part: float) -> float:
    """Error after a part of the steps; nan if it did not get there."""
    if one.stopped or not one.errors.size:
        return np.nan
    return float(one.errors[max(0, round(part * one.errors.size) - 1)])


def _largest(one: Lift) -> float:
    return float(one.errors.max()) if one.errors.size else np.nan
