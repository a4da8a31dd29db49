"""Facts about a machine's parts, as a page shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from ..description import Joint, Link, Robot
from ..machine import Machine
from ..protocol.sheets import CylinderFacts, FactsSheet, JointFacts, LinkFacts, Source
from .topology_sheet import vector

TOPICS = {
    # what a file may call the figures, as the beginnings of words
    "mass": ("mass", "inertia", "axle"),
    "joint": ("joint", "pin", "range", "hinge", "four-bar"),
    "cylinder": ("actuator", "cylinder", "bore", "stroke", "force", "speed", "raising"),
    "motor": ("motor", "torque"),
    "shape": ("visual", "shape", "envelope", "length", "volume", "outline"),
}


def facts_sheet(machine: Machine, scene: int) -> FactsSheet:
    """Everything about a machine that stays as it is while it moves."""
    robot = machine.robot
    shown = {name: n for n, name in enumerate(machine.mechanism.single_positions)}
    closing = {j for c in machine.topology.closures for j in (c.forward, c.backward)}
    group_of = {
        i: name
        for name, members in zip(robot.group_names, robot.groups, strict=True)
        for i in members
    }
    cylinder_of = {part: i for i, cyl in enumerate(robot.actuators) for part in (cyl.tube, cyl.rod)}
    motor_of = {motor.joint: motor.name for motor in robot.joint_drives}
    return FactsSheet(
        scene=scene,
        mass=sum(link.inertial.mass for link in robot.links if link.inertial is not None),
        links=tuple(_link(link, cylinder_of.get(link.name, -1)) for link in robot.links),
        joints=tuple(
            _joint(joint, j in closing, motor_of.get(joint.name, ""), shown.get(joint.name, -1))
            for j, joint in enumerate(robot.joints)
        ),
        cylinders=tuple(
            CylinderFacts(
                cyl.name, group_of[i], cyl.tube_parent, cyl.rod_parent, cyl.bounds.lower,
                cyl.bounds.upper, cyl.speed, cyl.acceleration, cyl.force, cyl.bore,
                cyl.rod_diameter,
            )
            for i, cyl in enumerate(robot.actuators)
        ),
        sources=_sources(robot),
    )  # fmt: skip


def _link(link: Link, cylinder: int) -> LinkFacts:
    inertial = link.inertial
    if inertial is None:
        zero = (0.0, 0.0, 0.0)
        return LinkFacts(link.name, None, zero, (*zero, *zero), zero, cylinder)
    I = np.array(inertial.inertia, dtype=float)
    xx, yy, zz, xy, xz, yz = (
        float(I[at]) for at in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    )
    return LinkFacts(
        link.name, inertial.mass, vector(np.array(inertial.com)), (xx, yy, zz, xy, xz, yz),
        vector(np.linalg.eigvalsh(I)), cylinder,
    )  # fmt: skip


def _joint(joint: Joint, closes: bool, motor: str, index: int) -> JointFacts:
    axis = None if joint.axis is None else joint.origin[:3, :3] @ np.array(joint.axis, dtype=float)
    return JointFacts(
        name=joint.name,
        parent=joint.parent,
        child=joint.child,
        kind=joint.type,
        slides=joint.kind.is_slide,
        place=vector(joint.origin[:3, 3]),
        axis=None if axis is None else vector(axis),
        lower=None if joint.limit is None else joint.limit.lower,
        upper=None if joint.limit is None else joint.limit.upper,
        damping=joint.damping,
        friction=joint.friction,
        armature=joint.armature,
        closes=closes,
        motor=motor,
        index=index,
    )


def _sources(robot: Robot) -> tuple[Source, ...]:
    """The file's words on where its figures come from, and what they are about."""
    names = dict.fromkeys(
        [
            *robot.link_index, *robot.joint_index, *robot.actuator_index, *robot.group_names,
            *(motor.name for motor in robot.joint_drives),
        ]
    )  # fmt: skip
    return tuple(
        Source(
            entry.of,
            entry.kind,
            entry.source,
            tuple(topic for topic in TOPICS if _mentions(entry.of, TOPICS[topic])),  # type: ignore[misc]
            _named(entry.of, names),
        )
        for entry in robot.provenance
    )


def _mentions(text: str, beginnings: tuple[str, ...]) -> bool:
    words = re.findall(r"[\w-]+", text.lower())
    return any(word.startswith(beginning) for word in words for beginning in beginnings)


def _named(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Names in a text, without those that are a part of another one's place in it."""
    found = [name for name in names if _names(text, name)]
    return tuple(
        name for name in found if not any(name != other and _names(other, name) for other in found)
    )


def _names(text: str, name: str) -> bool:
    """Whether a text has a name in it, with underscores or spaces."""
    plain = re.escape(name.lower().replace("_", " "))
    return re.search(rf"(?<!\w){plain}(?!\w)", text.lower().replace("_", " ")) is not None
