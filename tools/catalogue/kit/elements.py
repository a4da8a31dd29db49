"""Links, joints, motors and provenance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headframe.description import Joint, Limit, Link, Material, Motor, Provenance

from .hinges import Range
from .masses import STEEL, inertial
from .shapes import Shapes, flat
from .vectors import ORIGIN, Point, X, Y, significant, triple


def link(
    name: str,
    shapes: Shapes,
    *,
    mass: float | None = None,
    fill: float = 0.35,
    collision: Shapes = (),
) -> Link:
    """Make a link of steel, with its inertia from its shapes.

    Args:
        name: The link's name.
        shapes: Shapes or lists of them, in link axes.
        mass: Total mass [kg] where one is known or wanted; else it follows from the volume.
        fill: Share of the shapes' volume that is metal: welded box structures are hollow.
        collision: Shapes to touch; their names and colours are dropped.
    """
    seen = flat(shapes)
    bare = {"name": None, "material": Material()}
    return Link.make(
        name=name,
        visuals=tuple(shape.visual for shape in seen),
        collision=tuple(shape.visual.model_copy(update=bare) for shape in flat(collision)),
        inertial=inertial(seen, STEEL * fill, mass),
    )


def fixed(name: str, parent: str, child: str, at: Point = ORIGIN) -> Joint:
    """Make a fixed joint; the child's frame sits at `at` in the parent [m]."""
    return _joint("fixed", name, parent, child, at)


def revolute(
    name: str,
    parent: str,
    child: str,
    at: Point,
    *,
    axis: Point = Y,
    limit: Range | None = None,
    damping: float = 0.0,
    friction: float = 0.0,
) -> Joint:
    """Make a revolute joint at `at` [m]: limits [rad], damping [N m s], dry friction [N m]."""
    more = {"axis": triple(axis), "limit": _limit(limit), "damping": damping, "friction": friction}
    return _joint("revolute", name, parent, child, at, more)


def prismatic(
    name: str,
    parent: str,
    child: str,
    at: Point = ORIGIN,
    *,
    axis: Point = X,
    limit: Range | None = None,
    damping: float = 0.0,
) -> Joint:
    """Make a prismatic joint at `at` [m] with its limits [m] and damping [N s/m]."""
    more = {"axis": triple(axis), "limit": _limit(limit), "damping": damping}
    return _joint("prismatic", name, parent, child, at, more)


def continuous(
    name: str,
    parent: str,
    child: str,
    at: Point = ORIGIN,
    *,
    axis: Point,
    rpy: Point = ORIGIN,
    damping: float = 0.0,
) -> Joint:
    """Make a joint that spins, turned by `rpy` [rad], with its damping [N m s]."""
    more = {"axis": triple(axis), "origin_orientation": triple(rpy), "damping": damping}
    return _joint("continuous", name, parent, child, at, more)


def closure(
    a: str, b: str, on_a: Point, on_b: Point, *, axis: Point, names: tuple[str, str] | None = None
) -> list[Joint]:
    """Make the pair of joints that closes a loop: one pivot, seen from both links [m]."""
    there, back = names or (f"{a}_{b}", f"{b}_{a}")
    return [revolute(there, a, b, on_a, axis=axis), revolute(back, b, a, on_b, axis=axis)]


def motor(name: str, joint: str, torque: float, speed: float) -> Motor:
    """Make a motor on a joint with its largest torque [N m] and speed [rad/s]."""
    return Motor.make(name=name, joint=joint, max_torque=torque, max_speed=speed)


def data_sheet(of: str, source: str) -> Provenance:
    """State that figures come from a data sheet."""
    return Provenance(of=of, kind="data sheet", source=source)


def estimated(of: str, source: str) -> Provenance:
    """State that figures are estimated."""
    return Provenance(of=of, kind="estimated", source=source)


def _joint(
    kind: str, name: str, parent: str, child: str, at: Point, more: Mapping[str, Any] | None = None
) -> Joint:
    """Make a joint whose child sits at `at` in the parent [m]."""
    return Joint.make(
        name=name,
        parent=parent,
        child=child,
        type=kind,
        origin_translation=triple(at),
        **(more or {}),
    )


def _limit(ends: Range | None) -> Limit | None:
    """Make a limit of the two ends."""
    if ends is None:
        return None
    return Limit(lower=significant(ends[0]), upper=significant(ends[1]))
