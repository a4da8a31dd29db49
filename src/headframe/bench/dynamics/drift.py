"""Figure 11 of the roadheader paper: energy over a million steps, for every integrator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np

from ...actuation import floating, locked
from ...dynamics import INTEGRATORS
from ...errors import DynamicsError
from ...machine import load
from ...mechanism import Floats
from ...sim import Simulation
from ..mechanisms import seven_joint_arm
from ..progress import Progress
from ..section import BenchSettings, ReportSection
from ..tables import number, table
from .plots import PlotCurve, PlotPanel, draw_panels
from .scenes import command_all, lossless, total_energy

STEP = 1e-3  # [s]
PER_DECADE = 20  # points of a curve
LOOKS = 2000  # times at which energy is looked at, at least
STEPS = (8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)  # of the comparison of accuracy [s]
SPAN = 2.0  # [s]
FINE = 5e-5  # step of the reference [s]
HANGING = (9.81, 0.0, 0.0)  # gravity along the boom: it hangs [m/s^2]
LENGTHS = {"boom": 1.95, "slew": 1.42}  # at the start [m]
TEXT = """Two motions without any loss. The arm of seven hinges falls from rest and swings, wildly
and for ever. The roadheader is stood on its tail, gravity along its boom, damping taken out of
the machine file: slewing and boom cylinders float, so that turret and boom swing as a pendulum
between the stops and never reach them; all other cylinders are locked, which does no work. Loops
are embedded, steps are 1 ms.

Drift is |E - E0| divided by the energy range of the motion (its largest kinetic energy), the
largest value so far. The roadheader paper divides by E0, which depends on where heights are
counted from. A cross marks a motion that could not go on: divergence is a result.

`semi-implicit` is the paper's "symplectic Euler", v += h a(q, v); q += h v. It is symplectic only
where the inertia does not depend on q, and is not so here. `variational` is a symplectic one. The
paper prints a diagram without figures: explicit Euler and midpoint drift away, RK4 drifts slowly,
RK6 less, and symplectic Euler stays within a small range.
"""
ACCURACY_TEXT = f"""What accuracy costs: every integrator with steps from {1e3 * STEPS[-1]:g} to
{1e3 * STEPS[0]:g} ms on the same two motions for {SPAN:g} s. Left, the largest error of energy as
part of the energy range; right, the distance of the outermost link from where a reference (`rk6`
at {1e3 * FINE:g} ms) has it at the end. Across, computing time for one simulated second. Lower
and further left is better.
"""


@dataclass(frozen=True)
class DriftScene:
    """A conservative motion: how to begin it with an integrator and a step, and its last link."""

    name: str
    begin: Callable[[str, float], Simulation]
    link: str


@dataclass(frozen=True, eq=False)
class Drift:
    """One integrator on one motion.

    Attributes:
        scene, integrator: which.
        steps, drift: numbers of steps, and largest drift until there, as part of the range.
        time: of a step [us], in the median.
        stopped: what stopped it; empty if nothing did.
    """

    scene: str
    integrator: str
    steps: Floats
    drift: Floats
    time: float
    stopped: str = ""


@dataclass(frozen=True)
class Accuracy:
    """One integrator at one step on one motion.

    Attributes:
        scene, integrator, step: which, [s].
        cost: computing time for a simulated second [s].
        energy: largest error, as part of the range; nan if it could not go on.
        place: error of the last link at the end [m]; nan if it could not go on.
    """

    scene: str
    integrator: str
    step: float
    cost: float
    energy: float
    place: float


@dataclass(frozen=True)
class Drifts:
    """Everything, and the energy ranges by motion [J]."""

    long: list[Drift]
    short: list[Accuracy]
    ranges: dict[str, float]


def arm_scene() -> DriftScene:
    """The arm falls from rest."""
    machine = seven_joint_arm()

    def begin(integrator: str, step: float) -> Simulation:
        return Simulation(machine, "embedded", integrator, step)

    return DriftScene("seven-joint arm", begin, "link_7")


def boom_scene() -> DriftScene:
    """The roadheader's boom hangs and swings."""
    machine = lossless(load("roadheader"))
    start = machine.fk(LENGTHS)

    def begin(integrator: str, step: float) -> Simulation:
        sim = Simulation(machine, "embedded", integrator, step, gravity=HANGING, start=start)
        command_all(sim, {"boom": floating(), "slew": floating()}, locked())
        return sim

    return DriftScene("roadheader, hanging", begin, "cutter_head")


def measure(settings: BenchSettings, progress: Progress) -> Drifts:
    """Run it."""
    if settings.small:
        return compare(settings.steps, (2e-3, 1e-3), 0.05, progress)
    return compare(settings.steps, STEPS, SPAN, progress)


def compare(
    steps: int,
    sizes: Sequence[float],
    span: float,
    progress: Progress,
    integrators: Sequence[str] = tuple(INTEGRATORS),
) -> Drifts:
    """All integrators on both motions: so many steps, then steps of these sizes for a span [s]."""
    progress.begin("drift", 2 * len(integrators) * (1 + len(sizes)))
    found = Drifts([], [], {})
    for scene in (arm_scene(), boom_scene()):
        unit = found.ranges[scene.name] = energy_range(scene, max(span, min(10.0, steps * STEP)))
        for integrator in integrators:
            found.long.append(long_run(scene, integrator, steps, unit))
            progress.step(f"{scene.name}, {integrator}")
        goal = reference(scene, span)
        for integrator, size in ((one, size) for one in integrators for size in sizes):
            found.short.append(short_run(scene, integrator, size, span, unit, goal))
            progress.step(f"{scene.name}, {integrator}, {1e3 * size:g} ms")
    return found


def energy_range(scene: DriftScene, seconds: float) -> float:
    """Largest kinetic energy within so many seconds, at least one [J]."""
    sim, most = scene.begin("rk4", STEP), 0.0
    for _ in range(round(max(1.0, seconds) / 0.01)):
        sim.run(0.01)
        most = max(most, sim.energy().kinetic)
    return most


def long_run(scene: DriftScene, integrator: str, steps: int, unit: float) -> Drift:
    """So many steps; energy is looked at more and more rarely, but at least `LOOKS` times."""
    sim = scene.begin(integrator, STEP)
    sim.step(0)
    first, worst, spent, done = total_energy(sim), 0.0, [], 0
    at = np.unique(np.geomspace(1, steps, max(2, round(PER_DECADE * np.log10(steps)))).astype(int))
    curve, stopped, chunk = [], "", max(1, steps // LOOKS)
    for goal in at.tolist():
        while done < goal and not stopped:
            n = min(chunk, goal - done)
            begin = perf_counter()
            try:
                sim.step(n)
            except DynamicsError as error:
                stopped = str(error)
            spent.append((perf_counter() - begin) / n)
            done += n
            now = abs(total_energy(sim) - first) / unit
            worst = max(worst, now) if np.isfinite(now) else np.inf
        curve.append(worst)
        if stopped:
            break
    at = at[: len(curve)]
    made = round(sim.time / STEP)
    if stopped:
        at[-1] = max(made, 1)
    time = 1e6 * float(np.median(spent[-LOOKS:]))
    return Drift(scene.name, integrator, at.astype(float), np.array(curve), time, stopped)


def reference(scene: DriftScene, span: float) -> Floats:
    """Where the last link is at the end, (3,)."""
    sim = scene.begin("rk6", FINE)
    sim.run(span)
    return np.asarray(sim.pose(scene.link)[:3, 3])


def short_run(
    scene: DriftScene, integrator: str, size: float, span: float, unit: float, goal: Floats
) -> Accuracy:
    """A span with steps of one size [s]."""
    sim = scene.begin(integrator, size)
    first, worst, spent = total_energy(sim), 0.0, []
    label = partial(Accuracy, scene.name, integrator, size)
    looks = max(1, round(span / max(0.01, size)))
    steps = round(span / size)
    try:
        for k in range(looks):
            n = (k + 1) * steps // looks - k * steps // looks
            begin = perf_counter()
            sim.step(n)
            spent.append((perf_counter() - begin) / n)
            worst = max(worst, abs(total_energy(sim) - first) / unit)
    except DynamicsError:
        return label(np.nan, np.nan, np.nan)
    place = float(np.linalg.norm(sim.pose(scene.link)[:3, 3] - goal))
    return label(float(np.median(spent)) / size, worst, place)


# --------------------------------------------------------------------- report


def section(found: Drifts, folder: Path) -> ReportSection:
    """Tables and pictures."""
    pictures = [
        draw_panels(
            "energy drift over steps of 1 ms", _long_panels(found), folder / "dynamics_drift.png"
        ),
        draw_panels("what accuracy costs", _short_panels(found), folder / "dynamics_accuracy.png"),
    ]
    text = [
        TEXT,
        drift_table(found),
        f"![Energy drift over steps]({pictures[0].name})\n",
        "### Accuracy over computing time\n",
        ACCURACY_TEXT,
        accuracy_table(found),
        f"![Errors over computing time]({pictures[1].name})\n",
    ]
    return ReportSection("Energy drift (figure 11)", text, [], pictures)


def drift_table(found: Drifts) -> str:
    """Drift after a hundredth of the steps and after all of them."""
    rows = []
    for one in found.long:
        last = one.steps[-1]
        early = one.drift[np.searchsorted(one.steps, last / 100)]
        rows.append([
            one.scene, one.integrator, number(float(early)),
            "diverged" if one.stopped else number(float(one.drift[-1])),
            number(one.time), f"{int(last):,}", one.stopped,
        ])  # fmt: skip
    header = [
        "motion", "integrator", ">drift after a hundredth", ">drift at the end", ">a step [us]",
        ">steps", "stopped by",
    ]  # fmt: skip
    ranges = ", ".join(f"{name}: {number(value)} J" for name, value in found.ranges.items())
    return f"Energy ranges: {ranges}.\n\n" + table(header, rows)


def accuracy_table(found: Drifts) -> str:
    """For each motion and integrator the cheapest way to an energy error of 1e-6 of the range."""
    limit, rows = 1e-6, []
    for scene in found.ranges:
        for integrator in dict.fromkeys(one.integrator for one in found.short):
            own = [o for o in found.short if (o.scene, o.integrator) == (scene, integrator)]
            good = [one for one in own if one.energy <= limit]
            if good:
                best = min(good, key=lambda one: one.cost)
                cells = [number(1e3 * best.step), number(1e3 * best.cost), number(best.place)]
            else:
                cells = ["none of these", "\u2013", "\u2013"]
            rows.append([scene, integrator, *cells])
    header = [
        "motion", "integrator", ">largest step for an energy error of 1e-6 [ms]",
        ">computing time for a second [ms]", ">error of the last link [m]",
    ]  # fmt: skip
    return table(header, rows)


def _long_panels(found: Drifts) -> list[PlotPanel]:
    return [
        PlotPanel(
            scene, "steps of 1 ms", "|E - E0| / energy range, largest so far",
            [
                PlotCurve(one.integrator, one.steps, np.minimum(one.drift, 1e6), False,
                      bool(one.stopped))
                for one in found.long
                if one.scene == scene
            ],
        )
        for scene in found.ranges
    ]  # fmt: skip


def _short_panels(found: Drifts) -> list[PlotPanel]:
    panels = []
    for scene in found.ranges:
        for what, up in (("energy", "energy error / energy range"), ("place", "distance [m]")):
            curves = []
            for integrator in dict.fromkeys(one.integrator for one in found.short):
                own = [o for o in found.short if (o.scene, o.integrator) == (scene, integrator)]
                x = [1e3 * one.cost for one in own]
                y = [getattr(one, what) for one in own]
                curves.append(PlotCurve(integrator, x, y, points=True))
            title = f"{scene}: {'energy' if what == 'energy' else 'place of the last link'}"
            across = "computing time for a simulated second [ms]"
            panels.append(PlotPanel(title, across, up, curves, floor=1e-16))
    return panels
