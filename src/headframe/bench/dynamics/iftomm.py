"""Problems of the IFToMM library: pendulum, N four-bars through singular poses, Bricard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ...errors import DynamicsError
from ...machine import Machine
from ...mechanism import Floats
from ...sim import Simulation
from ..goals import Goal
from ..mechanisms import bricard, n_four_bars, n_four_bars_velocity, simple_pendulum
from ..progress import Progress
from ..section import BenchSettings, ReportSection
from ..tables import number, table
from .plots import PlotCurve, PlotPanel, draw_panels
from .scenes import NAMES, simulation, total_energy

STEP = 1e-3  # [s]
LOOKS = 500
G = 9.81  # [m/s^2]
METHODS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("constrained", {"integrator": "rk4"}),
    ("augmented", {"integrator": "newmark"}),
    ("simgc", {"iterations": 2000}),
)
SWINGS, DRIFTS = 2e-3, 3e-2  # SIMGC's bounds, by how its error goes, of the largest kinetic energy
TEXT = """Three problems of the IFToMM library of computational benchmark problems, run for
{seconds} s at steps of 1 ms: A01, a simple pendulum let go horizontally; A02, N four-bars side by
side (N = 2 and 40), which pass through poses where they have for a moment N + 1 freedoms instead
of one; A04, Bricard's linkage, whose constraints are redundant. All are conservative. The error
of energy is the largest |E - E0| on the way, the loop error the largest gap or misalignment on
the way.

The bounds of A02 (0.1 J) and A04 (0.001 J) are the benchmark's for the change of energy; we ask
the same 0.1 J of N = 40. That of A01 (1e-5 J) is ours. They are set against the constrained tree,
and but for A01 (1e-4 J: it is of second order, not of fourth) against the augmented Lagrangian.

SIMGC is of first order, so that its error is in proportion to the step and to the energy that goes
to and fro, and so are its bounds: parts of the largest kinetic energy. On A01 and A02 the error
swings with the power P of gravity, by P step / 2, which is 0.13 % at most; 0.2 % is allowed. On A04
it grows besides, by 2.5 % in 10 s; 3 % are allowed. Where 40 four-bars lie in one line, impulses
take more than its usual 200 sweeps to settle; here they may take 2000.
"""


@dataclass(frozen=True, eq=False)
class IftommProblem:
    """A machine, how it starts, and the bounds of its energy error by formulation [J]."""

    name: str
    machine: Machine
    velocity: Floats | None
    bounds: dict[str, float]


@dataclass(frozen=True, eq=False)
class Benchmark:
    """One formulation on one problem.

    Attributes:
        problem, formulation: which.
        bound: of the error [J].
        times, errors: when energy was looked at [s], and |E - E0| there [J].
        gap: largest loop error [m, rad].
        time: computing time [s].
        stopped: what stopped it; empty if nothing did.
    """

    problem: str
    formulation: str
    bound: float
    times: Floats
    errors: Floats
    gap: float
    time: float
    stopped: str = ""

    @property
    def error(self) -> float:
        """Largest |E - E0| [J]; infinite if it could not go on."""
        return np.inf if self.stopped else float(self.errors.max(initial=0.0))


def problems(large: int = 40) -> list[IftommProblem]:
    """A01, A02 for two four-bars and for many, A04."""
    many = []
    for n in (2, large):
        # hanging, n + 1 uprights have come down by 1 m and n level rods by 2 m
        kinetic = 0.5 * ((n + 1) / 3 + n) + G * (n + 1 + 2 * n)
        bounds = {"constrained": 0.1, "augmented": 0.1, "simgc": SWINGS * kinetic}
        many.append(IftommProblem(f"A02, N = {n}", n_four_bars(n), n_four_bars_velocity(n), bounds))
    return [
        IftommProblem(
            "A01",
            simple_pendulum(),
            None,
            {"constrained": 1e-5, "augmented": 1e-4, "simgc": SWINGS * G},
        ),
        *many,
        # 4.55 J is what the constrained tree finds for the kinetic energy
        IftommProblem(
            "A04",
            bricard(),
            None,
            {"constrained": 1e-3, "augmented": 1e-3, "simgc": DRIFTS * 4.55},
        ),
    ]


def measure(settings: BenchSettings, progress: Progress) -> list[Benchmark]:
    """Run it."""
    return compare(problems(3 if settings.small else 40), settings.seconds, progress)


def compare(given: Sequence[IftommProblem], seconds: float, progress: Progress) -> list[Benchmark]:
    """All formulations on these problems for so long [s]."""
    progress.begin("IFToMM problems", len(given) * len(METHODS))
    found = []
    for problem in given:
        for formulation, options in METHODS:
            sim = simulation(
                progress, problem.machine, formulation, step=STEP, velocity=problem.velocity,
                **options,
            )  # fmt: skip
            if sim is not None:
                found.append(_run(problem, sim, seconds))
            progress.step(f"{problem.name}, {NAMES[formulation]}")
    return found


def _run(problem: IftommProblem, sim: Simulation, seconds: float) -> Benchmark:
    steps = round(seconds / STEP)
    marks = np.unique(np.linspace(0, steps, min(LOOKS, steps) + 1).round().astype(int))
    first, spent, gap, stopped = total_energy(sim), 0.0, sim.position_error(), ""
    start = sim.save()
    sim.step(1)  # compiled before the clock runs
    sim.restore(start)
    times, errors = [], []
    for n in np.diff(marks).tolist():
        begin = perf_counter()
        try:
            sim.step(n)
        except DynamicsError as error:
            stopped = str(error)
            break
        finally:
            spent += perf_counter() - begin
        times.append(sim.time)
        errors.append(abs(total_energy(sim) - first))
        gap = max(gap, sim.position_error())
    return Benchmark(
        problem.name, sim.formulation, problem.bounds[sim.formulation], np.array(times),
        np.array(errors), gap, spent, stopped,
    )  # fmt: skip


# --------------------------------------------------------------------- report


def goals(found: Sequence[Benchmark]) -> list[Goal]:
    """Energy errors, each against the bound of its formulation."""
    return [
        Goal(f"{one.problem}, {NAMES[one.formulation]}: error of energy", one.error, one.bound, "J")
        for one in found
    ]


def section(found: Sequence[Benchmark], folder: Path) -> ReportSection:
    """Table, picture and targets."""
    rows = [
        [
            one.problem, NAMES[one.formulation], number(one.error), number(one.bound),
            "yes" if one.error <= one.bound else "no", number(one.gap), number(one.time),
            one.stopped,
        ]
        for one in found
    ]  # fmt: skip
    header = [
        "problem", "formulation", ">error of energy [J]", ">bound [J]", "within", ">loop error",
        ">computing time [s]", "stopped by",
    ]  # fmt: skip
    panels = []
    for name in dict.fromkeys(one.problem for one in found):
        own = [one for one in found if one.problem == name and one.times.size]
        curves = [
            PlotCurve(NAMES[one.formulation], one.times, one.errors, broken=bool(one.stopped))
            for one in own
        ]
        first = next(one for one in found if one.problem == name)
        rule = f"bound of the {NAMES[first.formulation]}: {number(first.bound, 1)} J"
        panels.append(
            PlotPanel(
                name,
                "time [s]",
                "|E - E0| [J]",
                curves,
                (False, True),
                1e-15,
                [(first.bound, rule)],
            )
        )
    picture = draw_panels("IFToMM problems", panels, folder / "dynamics_iftomm.png")
    seconds = max((float(one.times[-1]) for one in found if one.times.size), default=0.0)
    text = [
        TEXT.format(seconds=number(seconds)),
        table(header, rows),
        f"![Errors of energy over time]({picture.name})\n",
    ]
    return ReportSection("IFToMM problems", text, goals(found), [picture])
