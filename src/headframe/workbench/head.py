"""The part of a machine that cuts: a ball around a point of a link."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..description import Joint, Link, parts_of
from ..machine import Machine
from ..mechanism import Floats
from ..spatial import invert, transform_points


@dataclass(frozen=True, eq=False)
class Head:
    """A cutting head.

    Attributes:
        point: its middle in the axes of the link that was asked about [m], (3,).
        radius: [m].
    """

    point: Floats
    radius: float


def head_of(machine: Machine, link: str) -> Head | None:
    """The head that a motor turns at a link: the link itself, or one that it carries.

    The middle lies on the axis of turning, half-way along what is seen of the head; the radius
    reaches its farthest pick. None where no motor turns anything, or nothing of it is seen.

    Raises:
        UnknownElementError: no link of that name.
        MachineFileError: a mesh or 3DT file that cannot be used.
    """
    robot = machine.robot
    robot.link(link)
    for motor in robot.joint_drives:
        joint = robot.joint(motor.joint)
        if joint.axis is None or link not in (joint.parent, joint.child):
            continue
        parts = parts_of(robot, machine.folder)[robot.link_index[joint.child]]
        if not parts:
            continue
        vertices = np.vstack([part.vertices for part in parts])
        middle, radius = _around(vertices, joint, robot.link(joint.child))
        X_LH = invert(machine.home.pose(link)) @ machine.home.pose(joint.child)
        return Head(transform_points(X_LH, middle), radius)
    return None


def _around(vertices: Floats, joint: Joint, link: Link) -> tuple[Floats, float]:
    """Middle of what is seen along the joint's axis [m], (3,), and its largest radius [m]."""
    X_LJ = invert(link.pose)
    axis = X_LJ[:3, :3] @ np.array(joint.axis)
    axis /= np.linalg.norm(axis)
    out = vertices - X_LJ[:3, 3]
    along = out @ axis
    radius = float(np.linalg.norm(out - along[:, None] * axis, axis=1).max())
    middle: Floats = X_LJ[:3, 3] + 0.5 * (along.min() + along.max()) * axis
    return middle, radius


def with_point(machine: Machine, link: str, point: Floats) -> tuple[Machine, str]:
    """The machine with one more link, without mass, fixed at a point of a link; and its name.

    Inverse kinematics of that link is that of the point.
    """
    if not point.any():
        return machine, link
    robot = machine.robot
    name = "point"
    while name in robot.link_index or name in robot.joint_index:
        name += "_"
    fixed = Joint(
        name=name,
        parent=link,
        child=name,
        type="fixed",
        origin_translation=(float(point[0]), float(point[1]), float(point[2])),
    )
    extended = robot.model_copy(
        update={"links": (*robot.links, Link(name=name)), "joints": (*robot.joints, fixed)}
    )
    for cached in ("link_index", "joint_index", "main_links"):
        extended.__dict__.pop(cached, None)
    return Machine(extended, machine.folder), name
