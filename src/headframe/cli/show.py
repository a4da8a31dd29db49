"""Tables and summaries for the terminal."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..description import Robot
from ..machine import Machine, load, machines
from .common import cell

# A terminal's width is its own; a file or a pipe gets enough for every table.
console = Console(width=None if sys.stdout.isatty() else 120)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show that something is under way, where somebody may be looking."""
    with Console(stderr=True).status(cell(what)):
        yield


def catalogue_table() -> Table:
    """The catalogue: one row a machine."""
    table = _table(
        "name", "class", ">links", ">joints", ">actuators", ">driven freedoms", "end effector"
    )
    for name in machines():
        machine = load(name)
        table.add_row(
            name,
            machine.robot.machine_class or "",
            *(str(count) for count in machine.counts.values()),
            str(len(machine.robot.groups)),
            machine.robot.end_effector or "",
        )
    return table


def summary(machine: Machine, assemble: bool = False) -> RenderableType:
    """Everything that fits on a screen; with the home pose if the machine is to be assembled."""
    robot = machine.robot
    masses = [link.inertial.mass for link in robot.links if link.inertial is not None]
    shapes = sum(len(link.visuals) for link in robot.links)
    facts = {
        "class": robot.machine_class or "not given",
        "links / joints / actuators": " / ".join(str(n) for n in machine.counts.values()),
        "driven freedoms": _driven(robot),
        "motors": ", ".join(motor.name for motor in robot.motors) or "none",
        **_more_drives(robot),
        "loops closed by pivots": str(len(machine.topology.closures)),
        "end effector": robot.end_effector or "not given",
        "mass": f"{sum(masses):,.0f} kg" if masses else "not given",
        "shapes": str(shapes),
        "up": robot.up_axis,
    }
    if robot.base == "free":
        facts["base"] = "free to move in a world"
    if robot.geometry_file is not None:
        facts["3DT model"] = robot.geometry_file
    head = Table.grid(padding=(0, 2))
    for key, value in facts.items():
        head.add_row(Text(key, style="dim"), cell(value))
    if assemble:
        head.add_row(Text("home", style="dim"), Text(_closure(machine)))
    parts: list[RenderableType] = [cell(robot.name, "bold"), head]
    if robot.actuators:
        parts += [Text(), _actuators(machine, assemble)]
    if robot.provenance:
        kinds = Counter(entry.kind for entry in robot.provenance)
        listed = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        parts += [Text(), Text(f"provenance: {listed}", style="dim")]
    return Group(*parts)


def _closure(machine: Machine) -> str:
    """How well the loops close at home."""
    from ..mechanism import loop_gaps

    gap = max(loop_gaps(machine.home).values(), default=0.0)
    return f"assembled, loops closed to {gap:.0e} m" if gap else "assembled"


def _actuators(machine: Machine, assemble: bool) -> Table:
    robot = machine.robot
    at_home = (">home (m)",) if assemble else ()
    table = _table(
        *("actuator", "group", "tube on", "rod on", ">shortest (m)", ">longest (m)"),
        *at_home,
        ">force (kN)",
    )
    for members, group in zip(robot.groups, robot.group_names, strict=True):
        for i in members:
            actuator = robot.actuators[i]
            table.add_row(
                cell(actuator.name),
                cell(group),
                cell(actuator.tube_parent),
                cell(actuator.rod_parent),
                f"{actuator.bounds.lower:.3f}",
                f"{actuator.bounds.upper:.3f}",
                *((f"{machine.home.lengths[i]:.3f}",) if assemble else ()),
                f"{actuator.force / 1000:,.0f}" if actuator.force else "",
            )
    return table


def _more_drives(robot: Robot) -> dict[str, str]:
    """Drives of joints that are no motors, by their kind, where there are some."""
    found: dict[str, list[str]] = {}
    for drive in robot.joint_drives:
        if drive.kind != "motor":
            found.setdefault(f"{drive.kind}s", []).append(drive.name)
    return {kind: ", ".join(names) for kind, names in found.items()}


def _driven(robot: Robot) -> str:
    """How many freedoms are driven, and by what."""
    kinds = [(len(robot.groups), "groups of actuators"), (len(robot.servos), "servos")]
    parts = [f"{count} ({name})" for count, name in kinds if count]
    return ", ".join(parts) or "0"


def _table(*columns: str) -> Table:
    """A plain table; a column whose title starts with > is set to the right."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(
            column.lstrip(">"),
            justify="right" if column.startswith(">") else "left",
            no_wrap=True,
        )
    return table
