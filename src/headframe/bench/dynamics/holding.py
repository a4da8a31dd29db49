"""Locked machines under gravity: do their cylinders hold?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...errors import DynamicsError
from ...machine import Machine, load
from ...mechanism import Floats
from ...sim import Simulation
from ..goals import Goal
from ..progress import Progress
from ..section import BenchSettings, ReportSection
from ..tables import number, table
from .plots import PlotCurve, PlotPanel, draw_panels
from .scenes import NAMES, lock_all, simulation

MACHINES = ("roadheader", "tcchs")
LOOKS = 60
WANTED = 1e-9  # [m]
JUDGED = ("embedded", "constrained")
# step [s], and part of the whole time that is simulated: the others would take hours
METHODS: dict[str, tuple[float, float]] = {
    "embedded": (5e-3, 1.0),
    "constrained": (5e-3, 1.0),
    "simgc": (5e-3, 1.0),
    "simmc": (5e-3, 1 / 12),
    "xpbd": (5e-3, 1 / 12),
}
TEXT = """All cylinders and motors are locked, and the machine stands under gravity from rest.
"Length" is the largest change of any cylinder's length on the way, "end effector" how far its
link has moved from where it stood at the start. Slow formulations run for a shorter time, as the
table says. In the picture, no change at all is drawn at 1e-17 m.
"""


@dataclass(frozen=True, eq=False)
class Held:
    """One formulation on one machine.

    Attributes:
        machine, formulation: which.
        step, seconds: size of a step, and simulated time [s].
        times, lengths: when it was looked at [s], and the largest change of a length so far [m].
        effector: largest way of the end effector [m].
        stopped: what stopped it; empty if nothing did.
    """

    machine: str
    formulation: str
    step: float
    seconds: float
    times: Floats
    lengths: Floats
    effector: float
    stopped: str = ""

    @property
    def length(self) -> float:
        """Largest change of a length [m]; infinite if it could not go on."""
        return np.inf if self.stopped else float(self.lengths.max(initial=0.0))


def measure(settings: BenchSettings, progress: Progress) -> list[Held]:
    """Run it."""
    return compare(MACHINES, settings.hold, progress)


def compare(machines: Sequence[str], seconds: float, progress: Progress) -> list[Held]:
    """Hold machines for so long [s] by every formulation."""
    progress.begin("holding", len(machines) * len(METHODS))
    found = []
    for name in machines:
        machine = load(name)
        for formulation, (step, part) in METHODS.items():
            sim = simulation(progress, machine, formulation, step=step)
            if sim is not None:
                found.append(hold(sim, part * seconds))
            progress.step(f"{name}, {NAMES[formulation]}")
    return found


def hold(sim: Simulation, seconds: float) -> Held:
    """Lock everything, and look at lengths on the way."""
    lock_all(sim)
    link = _effector(sim.machine)
    places = [cylinder.length_position for cylinder in sim.model.tree.cylinders]
    first, place = sim.q[places], sim.pose(link)[:3, 3].copy()
    times: list[float] = []
    lengths: list[float] = []
    length, effector, stopped = 0.0, 0.0, ""
    total = round(seconds / sim.step_size)
    for n in np.diff(np.linspace(0, total, LOOKS + 1).round().astype(int)).tolist():
        try:
            sim.step(n)
        except DynamicsError as error:
            stopped = str(error)
            break
        length = max(length, float(np.abs(sim.q[places] - first).max()))
        times.append(sim.time)
        lengths.append(length)
        effector = max(effector, float(np.linalg.norm(sim.pose(link)[:3, 3] - place)))
    return Held(
        sim.machine.name, sim.formulation, sim.step_size, sim.time, np.array(times),
        np.array(lengths), effector, stopped,
    )  # fmt: skip


def _effector(machine: Machine) -> str:
    return machine.robot.end_effector or machine.links[-1].name


# --------------------------------------------------------------------- report


def goals(found: Sequence[Held]) -> list[Goal]:
    """Lengths of the exact formulations."""
    return [
        Goal(
            f"{one.machine} held for {_hours(one.seconds)}, {NAMES[one.formulation]}", one.length,
            WANTED, "m",
        )
        for one in found
        if one.formulation in JUDGED
    ]  # fmt: skip


def section(found: Sequence[Held], folder: Path) -> ReportSection:
    """Table and targets."""
    rows = [
        [
            one.machine, NAMES[one.formulation], f"{1e3 * one.step:g}", _hours(one.seconds),
            number(one.length), number(one.effector), one.stopped,
        ]
        for one in found
    ]  # fmt: skip
    header = [
        "machine", "formulation", ">step [ms]", ">simulated", ">length [m]", ">end effector [m]",
        "stopped by",
    ]  # fmt: skip
    panels = []
    for machine in dict.fromkeys(one.machine for one in found):
        curves = [
            PlotCurve(NAMES[one.formulation], one.times, one.lengths, broken=bool(one.stopped))
            for one in found
            if one.machine == machine and one.times.size
        ]
        rules = [(WANTED, f"wanted: {number(WANTED, 1)} m")]
        panels.append(
            PlotPanel(machine, "simulated time [s]", "change of a length [m]", curves, rules=rules)
        )
    picture = draw_panels("locked cylinders", panels, folder / "dynamics_holding.png")
    text = [TEXT, table(header, rows), f"![Change of lengths over time]({picture.name})\n"]
    return ReportSection("Holding", text, goals(found), [picture])


def _hours(seconds: float) -> str:
    if seconds >= 3600.0:
        return f"{number(seconds / 3600.0, 2)} h"
    return f"{number(seconds / 60.0, 2)} min" if seconds >= 60.0 else f"{number(seconds, 2)} s"
