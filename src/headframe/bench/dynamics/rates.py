"""How fast dynamics run: evaluations of whole machines, and steps of an arm beside peers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from ...actuation import speed
from ...dynamics import IntegratedMotion
from ...dynamics.kernels import POWER
from ...errors import HeadframeError
from ...jit import Packing
from ...machine import Machine, load
from ...mechanism import Floats
from ...sim import Simulation
from ..figures import draw_times
from ..goals import Goal, ratio
from ..printed import ORDER
from ..progress import Progress
from ..section import BenchSettings, ReportSection
from ..tables import number, table
from ..timing import Batch, time_kernels, undisturbed
from . import evaluations as kernels
from .arms import ArmTime, step_arms
from .scenes import command_all

STATES = 100  # configurations and velocities in one call of the kernel
NEAR = 0.01  # how far from home they are [m, rad], and how fast [m/s, rad/s]
STEP = 1e-3  # [s]
SHOWN, WANTED = "roadheader", 1e5
ARM_WANTED = 3.0
MACHINES_TEXT = """An evaluation gives the accelerations of a whole machine with all its
cylinders, loops embedded, at a state and forces: "inside the kernel" one after the other in
compiled code, "a call" one at a time from Python. States lie around home. A step of the
integrator `rk4` makes four evaluations and looks after drives, stops and the ledger of energy. In
the run that is timed all groups go out and in at a quarter of their speed limits; the real-time
factor is simulated time over time taken, at steps of 1 ms.
"""
ARM_TEXT = """An arm of seven hinges falls from rest, by steps of 1 ms of the roadheader paper's
integrator (`semi-implicit`), which MuJoCo calls Euler. All engines read the model from
Headframe's exports. MuJoCo and PyBullet are stepped in a Python loop, contacts switched off;
`mujoco.rollout` and Drake's `AdvanceTo` make all steps in one call, as `sim.step(n)` does; around
Pinocchio's ABA the loop is Python. "Apart" is the largest difference of a joint's velocity to
ours after {compared} steps; all use the same integrator, so that it is rounding.
"""


@dataclass(frozen=True)
class MachineRate:
    """One machine: times [us], and simulated over real time.

    Attributes:
        name: of the machine.
        freedoms: coordinates of the embedded machine, and of its spanning tree.
        kernel, call: of an evaluation inside the kernel and from Python.
        step: of a step of rk4.
    """

    name: str
    freedoms: tuple[int, int]
    kernel: float
    call: float
    step: float

    @property
    def rate(self) -> float:
        """Evaluations a second inside the kernel."""
        return 1e6 / self.kernel

    @property
    def factor(self) -> float:
        """Simulated over real time."""
        return 1e6 * STEP / self.step


@dataclass(frozen=True)
class StepRates:
    """Machines and arms."""

    machines: list[MachineRate]
    arms: list[ArmTime]


def measure(settings: BenchSettings, progress: Progress) -> StepRates:
    """Run it."""
    names = ["lhd", "roadheader"] if settings.small else ORDER
    return compare(names, 20 if settings.small else 5000, settings, progress)


def compare(
    machines: Sequence[str], steps: int, settings: BenchSettings, progress: Progress
) -> StepRates:
    """Machines by name, and the arm, for so many steps."""
    progress.begin("rates", len(machines) + 1)
    found = []
    for name in machines:
        try:
            found.append(machine_rate(load(name), steps))
        except HeadframeError as error:
            progress.say(f"{name}: {error}")
        progress.step(name)
    arms = step_arms(steps, settings, progress)
    progress.step("arm")
    return StepRates(found, arms)


def machine_rate(machine: Machine, steps: int) -> MachineRate:
    """Evaluations and steps of one machine, loops embedded."""
    sim = Simulation(machine, "embedded", step=STEP)
    engine = sim._engine
    assert isinstance(engine, IntegratedMotion)
    q, v = states_near(engine.coordinates, engine.velocities.size)
    vdot, power = np.zeros(v.shape[1]), Packing(POWER).buffer()
    model = engine.calls, engine.packed
    rest = engine.flat_drives, engine.flat_pulls, engine.work, vdot, power
    status = kernels.evaluations(*model, q, v, *rest)
    if status:
        raise HeadframeError(f"{machine.name}: an evaluation ended with status {status}")

    def one_by_one() -> None:
        for n in range(STATES):
            kernels.evaluations(*model, q[n : n + 1], v[n : n + 1], *rest)

    inside, call = time_kernels(
        [Batch(lambda: kernels.evaluations(*model, q, v, *rest), STATES), Batch(one_by_one, STATES)]
    )
    freedoms = v.shape[1], sim.model.tree.nv
    return MachineRate(machine.name, freedoms, inside, call, _out_and_in(sim, steps))


def states_near(home: Floats, nv: int) -> tuple[Floats, Floats]:
    """Random coordinates around those of home, and velocities: rows of them."""
    random = np.random.default_rng(0)
    q = home + random.uniform(-NEAR, NEAR, (STATES, home.size))
    return q, random.uniform(-NEAR, NEAR, (STATES, nv))


def _out_and_in(sim: Simulation, steps: int) -> float:
    """Time of a step [us] while all groups go out and in."""
    best = np.inf
    with undisturbed():
        for sense in (1.0, -1.0, 1.0, -1.0):
            speeds = {
                row.name: speed(sense * 0.25 * (sim.machine.actuators[row.members[0]].speed or 0.1))
                for row in sim.model.rows
                if row.members
            }
            command_all(sim, speeds, speed(0.0))
            begin = perf_counter()
            sim.step(steps)
            best = min(best, perf_counter() - begin)
    return 1e6 * best / steps


# --------------------------------------------------------------------- report


def goals(found: StepRates) -> list[Goal]:
    """Evaluations of the roadheader, and the arm against MuJoCo's Python loop."""
    rate = next((one.rate for one in found.machines if one.name == SHOWN), np.nan)
    times = {one.key: one.time for one in found.arms}
    against = ratio(times.get("mujoco"), times.get("steps"))
    return [
        Goal(f"evaluations a second, {SHOWN}, loops embedded", rate, WANTED, "", True),
        Goal(
            "seven-joint arm: MuJoCo's Python loop over our steps", against, ARM_WANTED, "x", True
        ),
    ]


def section(found: StepRates, folder: Path) -> ReportSection:
    """Tables, picture and targets."""
    rows = [
        [
            one.name, str(one.freedoms[0]), str(one.freedoms[1]), number(one.kernel),
            number(one.rate), number(one.call), number(one.step), number(one.factor),
        ]
        for one in found.machines
    ]  # fmt: skip
    header = [
        "machine", ">coordinates", ">of the tree", ">inside the kernel [us]",
        ">evaluations a second", ">a call [us]", ">a step of rk4 [us]", ">real-time factor",
    ]  # fmt: skip
    ours = next((one.time for one in found.arms if one.key == "steps"), np.nan)
    arms = [
        [
            one.name, number(one.time), number(1e6 * STEP / one.time),
            f"{number(one.time / ours)}x", number(one.apart),
        ]
        for one in found.arms
    ]  # fmt: skip
    picture = draw_times(
        {"7 joints": {one.name: one.time for one in found.arms}},
        "seven-joint arm: time of one step",
        folder / "dynamics_arm.png",
    )
    text = [
        MACHINES_TEXT,
        table(header, rows),
        "### A seven-joint arm\n",
        ARM_TEXT.format(compared=found.arms[0].compared if found.arms else 0),
        table(
            ["engine", ">a step [us]", ">real-time factor", ">over ours", ">apart [rad/s]"], arms
        ),
        f"![Time of one step of the arm]({picture.name})\n",
    ]
    return ReportSection("Evaluations and steps", text, goals(found), [picture])
