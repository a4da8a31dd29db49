"""All pictures of the page on dynamics."""

import math
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

import headframe as hf
from headframe.errors import DynamicsError

from . import style
from .support import Support

FOLDER = Path(__file__).parent
COLORS = {
    "euler": "#c2255c", "midpoint": "#e69f00", "rk4": "#0072b2", "rk6": "#1d2733",
    "semi-implicit": "#ee7d16", "implicit": "#77818c", "variational": "#2f9e44",
}  # fmt: skip


def draw_dynamics(folder: Path, newest: float) -> None:
    """Draw those that are missing, or older than `newest` or the code that draws them."""
    newest = max(newest, *(path.stat().st_mtime for path in FOLDER.glob("*.py")))
    pictures = {
        "lift": draw_lift,
        "ledger": draw_ledger,
        "formulations": draw_formulations,
        "drift": draw_drift,
    }
    with matplotlib.rc_context(style.TEXT):
        for name, draw in pictures.items():
            path = folder / f"dynamics_{name}.png"
            if not path.exists() or path.stat().st_mtime < newest:
                draw(path)


def draw_lift(path: Path) -> None:
    """The roadheader raises its boom until the cylinders near their stop."""
    machine = hf.load("roadheader")
    sim = hf.Simulation(machine)
    sim.command({name: hf.locked() for name in machine.robot.group_names})
    sim.command({"boom": hf.speed(0.05)})
    rows = []
    for _ in range(450):
        sim.step(20)
        boom = sim.cylinder("boom")
        rows.append((sim.time, boom.length, boom.speed, boom.force / 1e3))
    table = np.array(rows)
    made = style.figure(2.5)
    titles = ("length [m]", "speed [m/s]", "force of both cylinders [kN]")
    for column, title in enumerate(titles):
        axes = made.add_axes((0.07 + 0.322 * column, 0.19, 0.25, 0.64))
        style.bare(axes)
        axes.plot(table[:, 0], table[:, 1 + column], color=style.CYLINDER, lw=1.6)
        axes.set_title(title)
        axes.set_xlabel("time [s]")
    style.save(made, path)


def draw_ledger(path: Path) -> None:
    """The roadheader's cylinders are let go."""
    sim = hf.Simulation(hf.load("roadheader"))
    rows = []
    for _ in range(300):
        e = sim.energy()
        rows.append((sim.time, e.total - e.start, e.dampers, e.stops, e.kinetic, e.balance))
        sim.step(5)
    t, change, dampers, stops, kinetic, balance = np.array(rows).T
    made = style.figure(2.9)
    axes = made.add_axes((0.09, 0.16, 0.5, 0.73))
    style.bare(axes)
    axes.fill_between(t, 0, stops / 1e3, color=style.WRONG_FILL, label="taken by stops")
    axes.fill_between(
        t, stops / 1e3, (stops + dampers) / 1e3, color=style.SLIDE_FILL, label="taken by dampers"
    )
    axes.plot(t, change / 1e3, color=style.INK, lw=1.6, label="energy of the machine")
    axes.plot(t, kinetic / 1e3, color=style.HINGE, lw=1.1, label="of it kinetic")
    axes.set_title("energy since the start [kJ]")
    axes.set_xlabel("time [s]")
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, 1.02))
    right = made.add_axes((0.72, 0.16, 0.26, 0.73))
    style.bare(right)
    right.semilogy(t, np.maximum(np.abs(balance), 1e-12), color=style.FOUR_BAR, lw=1.3)
    right.set_ylim(1e-12, 1e6)
    right.set_title("left unexplained [J]")
    right.set_xlabel("time [s]")
    style.save(made, path)


def draw_drift(path: Path) -> None:
    """Energy error of a swinging double pendulum, every integrator at 1 ms."""
    from headframe.bench.mechanisms import double_pendulum

    machine = double_pendulum()
    made = style.figure(3.3)
    axes = made.add_axes((0.1, 0.15, 0.62, 0.76))
    style.bare(axes)
    ends: dict[str, float] = {}
    for integrator, color in COLORS.items():
        start = hf.State(machine.mechanism, np.array([2.0, 1.0]))
        sim = hf.Simulation(machine, integrator=integrator, start=start)
        first = sim.energy().total
        rows: list[tuple[float, float]] = []
        moving = 0.0
        try:
            for _ in range(400):
                sim.step(50)
                energy = sim.energy()
                moving = max(moving, energy.kinetic)
                rows.append((sim.time, abs(energy.total - first)))
        except DynamicsError:
            pass
        t, error = np.array(rows).T
        worst = np.maximum.accumulate(error) / moving
        axes.loglog(t, np.maximum(worst, 1e-16), color=color, lw=1.6)
        ends[integrator] = math.log10(max(worst[-1], 1e-16))
    previous = 1.0  # labels from the top, each at least 0.8 of a decade below the last
    for integrator, height in sorted(ends.items(), key=lambda end: -end[1]):
        previous = min(height, previous - 0.8)
        axes.annotate(
            f'"{integrator}"', (20.0, 10.0**previous), xytext=(5, 0),
            textcoords="offset points", color=COLORS[integrator], va="center", fontsize=8,
            annotation_clip=False,
        )  # fmt: skip
    axes.set_xlim(0.05, 20.0)
    axes.set_ylim(1e-15, 10)
    axes.set_xlabel("time [s]")
    axes.set_title("largest energy error so far, as a part of the largest kinetic energy")
    style.save(made, path)


def draw_formulations(path: Path) -> None:
    """The same support as free bodies, as a tree, and as its freedoms."""
    support = Support()
    counts = _counts(support.machine)
    made = style.figure(2.9)
    titles = (
        ("maximal coordinates", counts[0], "every joint is held by constraints"),
        ("spanning tree", counts[1], "only the loops are"),
        ("embedded loops", counts[2], "nothing is left to hold"),
    )
    for column, (title, count, below) in enumerate(titles):
        axes = made.add_axes((0.01 + 0.335 * column, 0.17, 0.31, 0.68))
        style.sketch(axes)
        _draw_support(axes, support, column)
        made.text(0.165 + 0.335 * column, 0.93, title, ha="center", weight="bold", fontsize=9.5)
        made.text(0.165 + 0.335 * column, 0.1, count, ha="center", fontsize=9)
        made.text(0.165 + 0.335 * column, 0.03, below, ha="center", fontsize=8, color=style.QUIET)
    style.save(made, path)


def _counts(machine: hf.Machine) -> tuple[str, str, str]:
    """Numbers of coordinates and of rows that hold loops, from the simulations themselves."""
    tree = hf.Simulation(machine)
    freedoms = tree._engine.velocities.size
    from headframe.dynamics.loops import loops_of

    rows = loops_of(tree.model.tree).m
    nv = tree.model.tree.nv
    bodies = int((tree.model.tree.freedoms["body"][:, 0] > 0.0).sum())
    return f"{6 * bodies} coordinates", f"{nv} coordinates, {rows} rows", f"{freedoms} coordinates"


def _draw_support(axes: Any, support: Support, stage: int) -> None:
    """Links as lines between their pivots; constraints in orange."""
    state = support.machine.home
    robot = support.machine.robot
    pivots: dict[str, list[complex]] = {}
    marks = []
    closures = {loop.closure for loop in support.machine.topology.loops if loop.closure >= 0}
    closing = {
        name
        for n in closures
        for name in (
            robot.joints[support.machine.topology.closures[n].forward].name,
            robot.joints[support.machine.topology.closures[n].backward].name,
        )
    }
    for joint in robot.joints:
        X = state.pose(joint.parent) @ joint.origin
        z = complex(X[0, 3], X[2, 3])
        pivots.setdefault(joint.parent, []).append(z)
        if joint.child not in pivots or z not in pivots[joint.child]:
            pivots.setdefault(joint.child, []).append(z)
        marks.append((z, joint.name in closing))
    shift = 0.16 if stage == 0 else 0.0
    middles = {name: np.mean(points) for name, points in pivots.items()}
    centre = np.mean(list(middles.values()))
    for name, points in pivots.items():
        away = shift * (middles[name] - centre)
        moved = [point + away for point in points]
        order = sorted(
            moved, key=lambda z: math.atan2((z - np.mean(moved)).imag, (z - np.mean(moved)).real)
        )
        style.line(axes, [*order, order[0]], color=style.INK, lw=2.2, zorder=3)
        for point, original in zip(moved, points, strict=True):
            if stage == 0:
                style.line(axes, [point, original], color=style.WRONG, lw=1.0, ls=":", zorder=2)
    for z, is_closing in marks:
        if stage == 0 or (stage == 1 and is_closing):
            axes.plot(z.real, z.imag, "o", ms=6, mfc=style.WRONG_FILL, mec=style.WRONG, zorder=9)
        else:
            style.pin(axes, z, color=style.FOUR_BAR if stage == 2 else style.HINGE)
    for tube, rod in state.mounts:
        a, b = complex(tube[0], tube[2]), complex(rod[0], rod[2])
        style.cylinder(axes, a, b, width=3.6)
        if stage < 2:
            axes.plot(b.real, b.imag, "o", ms=6, mfc=style.WRONG_FILL, mec=style.WRONG, zorder=9)
