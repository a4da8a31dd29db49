"""What the commands of kinematics print: for people, and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..machine import Machine
from ..spatial import quaternion_from_matrix, rpy_from_matrix
from .common import cell

if TYPE_CHECKING:
    from ..kinematics import IKResult
    from ..mechanism import State
    from ..planning import Serpentine, Trajectory, Workspace


def state_text(machine: Machine, state: State, links: Sequence[str]) -> RenderableType:
    """Lengths, joint positions and poses of links."""
    return Group(
        cell(machine.name, "bold"),
        _drives(machine, state),
        Text(),
        _joints(machine, state),
        Text(),
        _poses(state, links),
    )


def state_json(machine: Machine, state: State, links: Sequence[str]) -> str:
    """The same for programs: SI units, radians."""
    joints = {name: np.asarray(value).tolist() for name, value in state.joints.items()}
    return json.dumps(
        {
            "machine": machine.name,
            "lengths": _named_lengths(machine, state),
            **_named_servos(machine, state),
            "joints": joints,
            "poses": {link: _pose(state, link) for link in links},
        },
        indent=2,
    )


def ik_text(machine: Machine, result: IKResult, free: bool, seconds: float) -> RenderableType:
    """Whether the target was reached, how near, how long it took; then lengths and pose."""
    state = result.state
    errors = distance(result.position_error)
    if not free:
        errors += f", {np.degrees(result.angle_error):.3g}°"
    style = "bold green" if result.reachable else "bold red"
    found = "reached"
    if not result.reachable:
        found = "out of reach, this is the closest" if result.converged else "not reached"
    head = cell(f"{machine.name}: {result.link}").append(f" {found}", style)
    facts = Table.grid(padding=(0, 2))
    for key, value in {
        "error": errors,
        "orientation": "free" if free else "as asked for",
        "iterations": str(result.iterations),
        "converged": "yes" if result.converged else "no, another start may come nearer",
        "time": f"{1000 * seconds:.3f} ms" if seconds < 1.0 else f"{seconds:.1f} s",
    }.items():
        facts.add_row(Text(key, style="dim"), cell(value))
    drives, poses = _drives(machine, state), _poses(state, [result.link])
    return Group(head, facts, Text(), drives, Text(), poses)


def ik_json(machine: Machine, result: IKResult, free: bool, seconds: float) -> str:
    """The same for programs: SI units, radians."""
    return json.dumps(
        {
            "machine": machine.name,
            "link": result.link,
            "reachable": bool(result.reachable),
            "converged": bool(result.converged),
            "position_error": result.position_error,
            "angle_error": None if free else result.angle_error,
            "objective": float(result.objective),
            "iterations": int(result.iterations),
            "seconds": seconds,
            "lengths": _named_lengths(machine, result.state),
            **_named_servos(machine, result.state),
            "pose": _pose(result.state, result.link),
        },
        indent=2,
    )


def workspace_text(workspace: Workspace) -> RenderableType:
    """Extent along the axes and size."""
    low, high = workspace.box
    table = _table("axis", ">from (m)", ">to (m)", ">extent (m)")
    for axis, a, b in zip("xyz", low, high, strict=True):
        table.add_row(axis, _rounded(a, 3), _rounded(b, 3), _rounded(b - a, 3))
    name = workspace.state.mechanism.robot.name
    moved = ", ".join(workspace.inputs)
    head = f"{workspace.link} of {name}: {len(workspace):,} samples, moved by {moved}"
    parts: list[RenderableType] = [cell(head, "bold"), table]
    parts.append(Text(_size(workspace)))
    if workspace.missing:
        parts.append(Text(f"{workspace.missing:,} samples more cannot be had by this machine"))
    return Group(*parts)


def serpentine_text(way: Serpentine) -> RenderableType:
    """Rows and spacing, what is cut, and which pieces of the rows are out of reach."""
    head = (
        f"{len(way.rows)} rows, {way.spacing:.3f} m apart, {len(way)} via points: "
        f"{100 * way.covered():.1f} % of the cross-section is cut"
    )
    if not way.left_out:
        return cell(head, "bold")
    table = _table(">out of reach at height (m)", ">from (m)", ">to (m)")
    for piece in way.left_out:
        numbers = piece.height, piece.right, piece.left
        table.add_row(*(_rounded(number, 3) for number in numbers))
    return Group(cell(head, "bold"), table)


def trajectory_text(motion: Trajectory) -> RenderableType:
    """Duration, and how far and fast each moving drive goes."""
    turning = "rad" in motion.units
    if turning:
        table = _table("drive", ">from", ">to", ">fastest (1/s)", ">limit (1/s)", "unit")
    else:
        table = _table("actuator", ">from (m)", ">to (m)", ">fastest (m/s)", ">limit (m/s)")
    for i, (name, unit) in enumerate(zip(motion.names, motion.units, strict=True)):
        low, high = motion.drives[:, i].min(), motion.drives[:, i].max()
        if high - low > 1e-6:
            fastest = np.abs(motion.rates[:, i]).max()
            numbers = (f"{low:.3f}", f"{high:.3f}", f"{fastest:.4f}", f"{motion.limits[i]:.4f}")
            table.add_row(cell(name), *numbers, *((unit,) if turning else ()))
    name = motion.state.mechanism.robot.name
    via = f"{len(motion.via_rows)} via points in {motion.duration:.2f} s"
    return Group(cell(f"{motion.link} of {name}: {via}", "bold"), table)


def trajectory_notes(motion: Trajectory) -> list[str]:
    """What a user should know: assumed limits, and how far the link leaves the curve."""
    notes = []
    if motion.assumed:
        listed = ", ".join(motion.assumed)
        turning = "rad" in (motion.units[motion.names.index(name)] for name in motion.assumed)
        speeds = "0.1 m/s and 1 rad/s are" if turning else "0.1 m/s is"
        notes.append(f"the machine file gives no speed for {listed}: {speeds} assumed")
    apart, angle = float(motion.position_errors.max()), float(motion.angle_errors.max())
    if apart > 1e-4 or angle > 1e-4:
        row = int(np.argmax(motion.position_errors + motion.angle_errors))
        turned = "" if motion.free else f" and turned by up to {np.degrees(angle):.3g}°"
        notes.append(
            f"the link is up to {distance(apart)} off the curve{turned}, most at "
            f"{motion.times[row]:.2f} s: the machine cannot follow it closer"
        )
    return notes


def distance(metres: float) -> str:
    """A distance for people: millimetres below 1 m, metres from there on."""
    if metres >= 0.9995:
        return f"{metres:,.2f} m" if metres >= 10.0 else f"{metres:.3f} m"
    return f"{1000 * metres:.0f} mm" if metres >= 0.0995 else f"{1000 * metres:.3g} mm"


def _size(workspace: Workspace) -> str:
    """What the point sweeps, or why there is no size."""
    count = len(workspace.inputs)
    if workspace.size is None:
        what = "drives" if any(each.joint for each in workspace.moved_by) else "groups"
        return f"no size: {count} {what} move the link, it is found for three at most"
    kind, less = (
        ("length", "does not move"),
        ("area", "stays on a curve"),
        ("volume", "stays on a surface"),
    )[count - 1]
    return f"{kind} {workspace.size_text}" if workspace.size else f"no {kind}: the point {less}"


# --------------------------------------------------------------------- tables


def _drives(machine: Machine, state: State) -> RenderableType:
    """Lengths of cylinders, and positions of servos, where there are some."""
    robot = machine.robot
    tables = [_lengths(machine, state)] if robot.actuators or not robot.servos else []
    if robot.servos:
        tables.append(_servos(machine, state))
    return Group(*tables)


def _servos(machine: Machine, state: State) -> Table:
    table = _table("servo", "joint", ">position", "", ">from", ">to")
    inputs = machine.robot.inputs[len(machine.robot.groups) :]
    for each, motor in zip(inputs, machine.robot.servos, strict=True):
        value, turns = float(state.drives[each.drive]), each.unit == "rad"
        numbers = [np.degrees(x) if turns else x for x in (value, each.lower, each.upper)]
        place, low, high = (_rounded(x, 3) if np.isfinite(x) else "" for x in numbers)
        table.add_row(cell(each.name), cell(motor.joint), place, "°" if turns else "m", low, high)
    return table


def _lengths(machine: Machine, state: State) -> Table:
    table = _table("actuator", "group", ">length (m)", ">of its stroke")
    robot = machine.robot
    for members, group in zip(robot.groups, robot.group_names, strict=True):
        for i in members:
            actuator, length = robot.actuators[i], float(state.lengths[i])
            low, high = actuator.bounds.lower, actuator.bounds.upper
            part = f"{100 * (length - low) / (high - low):.1f} %" if high > low else ""
            table.add_row(cell(actuator.name), cell(group), f"{length:.6f}", part)
    return table


def _joints(machine: Machine, state: State) -> Table:
    table = _table("joint", "type", ">position")
    for name, value in state.joints.items():
        kind = machine.robot.joint(name).kind
        if kind.is_slide:
            shown = f"{_rounded(value, 6)} m"
        elif kind.is_single:
            shown = f"{_rounded(np.degrees(value), 4)}°"
        else:
            shown = " ".join(_rounded(number, 5) for number in np.atleast_1d(value))
        table.add_row(cell(name), kind.name, shown)
    return table


def _poses(state: State, links: Sequence[str]) -> Table:
    table = _table("link", "pose in the world", "", "", "", "")
    for link in links:
        pose = _pose(state, link)
        angles = [_rounded(np.degrees(value), 4) for value in pose["rpy"]]
        table.add_row(cell(link), "x, y, z (m)", *(_rounded(v, 6) for v in pose["position"]))
        table.add_row("", "roll, pitch, yaw (deg)", *angles)
        table.add_row("", "quaternion w, x, y, z", *(_rounded(v, 6) for v in pose["quat"]))
    for column in table.columns[2:]:
        column.justify = "right"
    return table


def _pose(state: State, link: str) -> dict[str, Any]:
    X_WL = state.pose(link)
    return {
        "position": (X_WL[:3, 3] + 0.0).tolist(),
        "rpy": [angle + 0.0 for angle in rpy_from_matrix(X_WL[:3, :3])],
        "quat": (quaternion_from_matrix(X_WL[:3, :3]) + 0.0).tolist(),
    }


def _rounded(value: float, digits: int) -> str:
    """A number without a sign before nought."""
    return f"{round(float(value), digits) + 0.0:.{digits}f}"


def _named_lengths(machine: Machine, state: State) -> dict[str, float]:
    names = [actuator.name for actuator in machine.actuators]
    return dict(zip(names, state.lengths.tolist(), strict=True))


def _named_servos(machine: Machine, state: State) -> dict[str, dict[str, float]]:
    """Positions of servos, under a name of their own where there are some."""
    names = [motor.name for motor in machine.robot.servos]
    positions = state.drives[len(machine.actuators) :].tolist()
    return {"servos": dict(zip(names, positions, strict=True))} if names else {}


def _table(*columns: str) -> Table:
    """A plain table; a column whose title starts with > is set to the right."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        justify: Any = "right" if column.startswith(">") else "left"
        table.add_column(column.lstrip(">"), justify=justify, no_wrap=True)
    return table
