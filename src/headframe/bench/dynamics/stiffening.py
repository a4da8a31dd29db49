"""MuJoCo's loops are springs: as they get stiffer, its motion becomes ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...actuation import floating
from ...export import mjcf_text
from ...machine import Machine, load
from ...mechanism import Floats
from ...sim import Simulation
from ..goals import Goal
from ..mechanisms import four_bar
from ..progress import Progress
from ..section import BenchSettings, ReportSection, peer
from ..tables import number, table
from .plots import PlotCurve, PlotPanel, draw_panels
from .scenes import command_all, lossless

LESS = 1e3  # by which stiffening must lessen the distance
STEP, LOOK = 1e-4, 0.01  # of MuJoCo, and between two looks [s]
# time constant of the loops' springs [s] and impedance (solref, solimp), softest first
STIFFER = (
    (0.1, 0.9), (0.05, 0.95), (0.02, 0.99), (0.01, 0.995), (0.005, 0.999), (0.002, 0.9995),
    (0.001, 0.9999), (0.0005, 0.9999), (0.0002, 0.9999),
)  # fmt: skip
TEXT = """Other engines keep loops closed by forces that answer a gap: MuJoCo's equality
constraints are springs and dampers with a time constant (`solref`) and an impedance (`solimp`).
Here they are made stiffer step by step, in the MJCF that Headframe exports, at steps of 0.1 ms of
MuJoCo's RK4. Its motion must then become the one that Headframe computes without any spring: a
four-bar of three rods that swings for {bar} s, and the boom and bucket of the loader `lhd`,
cylinders floating and without damping, that sink for {lhd} s. "Apart" is the largest distance of
a link's origin between the two engines on the way, "gap" MuJoCo's largest open loop.
"""


@dataclass(frozen=True, eq=False)
class StiffMotion:
    """A closed-chain machine, our formulation, the link that is watched, and for how long [s]."""

    machine: Machine
    formulation: str
    link: str
    seconds: float


@dataclass(frozen=True)
class Stiffness:
    """MuJoCo with one stiffness.

    Attributes:
        machine: its name.
        constant, impedance: of the loops' springs [s].
        apart: largest distance to our motion [m].
        gap: largest open loop [m].
        seconds: length of the motion [s].
    """

    machine: str
    constant: float
    impedance: float
    apart: float
    gap: float
    seconds: float


def motions(part: float = 1.0) -> list[StiffMotion]:
    """The four-bar and the loader, for a part of their time."""
    loader = lossless(load("lhd"))
    return [
        StiffMotion(four_bar(), "constrained", "coupler", 1.0 * part),
        StiffMotion(loader, "embedded", "bucket", 0.25 * part),
    ]


def measure(settings: BenchSettings, progress: Progress) -> list[Stiffness]:
    """Run it."""
    if settings.small:
        return compare(motions(0.2), STIFFER[2:7:2], settings, progress)
    return compare(motions(), STIFFER, settings, progress)


def compare(
    given: Sequence[StiffMotion],
    stiffer: Sequence[tuple[float, float]],
    settings: BenchSettings,
    progress: Progress,
) -> list[Stiffness]:
    """Our motion, and MuJoCo's with each stiffness."""
    progress.begin("stiffening", len(given) * len(stiffer))
    mujoco = peer("mujoco", settings, progress)
    if mujoco is None:
        return []
    found = []
    for motion in given:
        ours = own_path(motion)
        for constant, impedance in stiffer:
            found.append(_soft(mujoco, motion, constant, impedance, ours))
            progress.step(f"{motion.machine.name}, {1e3 * constant:g} ms")
    return found


def own_path(motion: StiffMotion) -> Floats:
    """Where the link's origin is at every look, (n, 3)."""
    sim = Simulation(motion.machine, motion.formulation, "rk4", STEP)
    command_all(sim, {}, floating())
    path = []
    for _ in range(round(motion.seconds / LOOK)):
        sim.run(LOOK)
        path.append(sim.pose(motion.link)[:3, 3].copy())
    return np.array(path)


def _soft(
    mujoco: Any, motion: StiffMotion, constant: float, impedance: float, ours: Floats
) -> Stiffness:
    machine = motion.machine
    model = mujoco.MjModel.from_xml_string(mjcf_text(machine.robot, machine.topology, machine.home))
    model.opt.timestep = STEP
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.iterations, model.opt.tolerance = 200, 1e-14
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_CONTACT | off.mjDSBL_ACTUATION
    model.eq_solref[:] = constant, 1.0
    model.eq_solimp[:, :2] = impedance
    data = mujoco.MjData(model)
    body = model.body(motion.link).id
    apart = gap = 0.0
    for place in ours:
        for _ in range(round(LOOK / STEP)):
            mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        apart = max(apart, float(np.linalg.norm(data.xpos[body] - place)))
        equal = data.efc_type[: data.nefc] == mujoco.mjtConstraint.mjCNSTR_EQUALITY
        gap = max(gap, float(np.abs(data.efc_pos[: data.nefc][equal]).max(initial=0.0)))
    return Stiffness(machine.name, constant, impedance, apart, gap, motion.seconds)


# --------------------------------------------------------------------- report


def section(found: Sequence[Stiffness], folder: Path) -> ReportSection:
    """Table and picture."""
    rows = [
        [
            one.machine, f"{1e3 * one.constant:g}", f"{one.impedance:g}", number(1e3 * one.apart),
            number(1e3 * one.gap),
        ]
        for one in found
    ]  # fmt: skip
    header = ["machine", ">time constant [ms]", ">impedance", ">apart [mm]", ">gap [mm]"]
    panels = []
    for name in dict.fromkeys(one.machine for one in found):
        own = [one for one in found if one.machine == name]
        x = [1e3 * one.constant for one in own]
        curves = [
            PlotCurve("distance to our motion", x, [1e3 * one.apart for one in own], points=True),
            PlotCurve("MuJoCo's widest gap", x, [1e3 * one.gap for one in own], points=True),
        ]
        panels.append(PlotPanel(name, "time constant of the loops [ms]", "[mm]", curves))
    seconds = {one.machine: f"{one.seconds:g}" for one in found}
    text = [TEXT.format(bar=seconds.get("four_bar", ""), lhd=seconds.get("lhd", ""))]
    if not found:
        return ReportSection("MuJoCo's loops, stiffened", ["MuJoCo was not measured.\n"], [], [])
    picture = draw_panels("MuJoCo's loops, stiffened", panels, folder / "dynamics_stiffening.png")
    text += [table(header, rows), f"![Distance over time constant]({picture.name})\n"]
    return ReportSection("MuJoCo's loops, stiffened", text, goals(found), [picture])


def goals(found: Sequence[Stiffness]) -> list[Goal]:
    """The stiffest loops must leave next to nothing of the distance that soft ones make."""
    wanted = []
    for name in dict.fromkeys(one.machine for one in found):
        apart = [one.apart for one in found if one.machine == name]
        what = f"{name}: MuJoCo's distance to our motion, softest loops over stiffest"
        wanted.append(Goal(what, apart[0] / apart[-1], LESS, "x", at_least=True))
    return wanted
