"""Drives in MJCF: what holds a position, and what pushes."""

from __future__ import annotations

import numpy as np

from ..description import DRIVE_KINDS, JointDrive, Limit
from .mjcf_model import MjcfDocument
from .xml_text import numbers, put


def add_joint_drive(model: MjcfDocument, drive: JointDrive) -> None:
    """A motor's torque [N m] (or force [N]), or a drive that holds its joint's position [rad].

    What they are told at the start is in the home keyframe.
    """
    joint = model.joints.get(drive.joint, [])
    if not joint or not model.robot.joint(drive.joint).kind.is_single:
        model.notes.append(
            f"{drive.kind} {drive.name!r} is left out: {drive.joint!r} is not a joint of the tree "
            "with an axis"
        )
        return
    if DRIVE_KINDS[drive.kind].mjcf == "position":
        limit = model.robot.joint(drive.joint).limit
        home = float(np.asarray(model.state.joints[drive.joint]))
        add_position_actuator(model, drive.name, joint[0], drive.max_torque, limit, home)
        return
    attributes = {}
    if drive.max_torque is not None:
        reach = numbers(-drive.max_torque, drive.max_torque)
        attributes = {"ctrllimited": "true", "ctrlrange": reach}
    name = model.names.new("actuator", drive.name)
    put(model.actuator, "motor", name=name, joint=joint[0], **attributes)
    model.controls.append(drive.torque)


def add_position_actuator(
    model: MjcfDocument, name: str, joint: str, most: float | None, limit: Limit | None, home: float
) -> None:
    """Holds a joint at the commanded position [m, rad], with at most a force [N] or torque [N m].

    The full force answers an error of 10 mm or a speed of 1 m/s. Where no force is known, ten
    times the machine's weight stands for it, and nothing limits the force. For torques, read rad
    for m, and the weight at 1 m.
    """
    force = most or 98.1 * max(model.total_mass, 1.0)
    stiffness = force / 0.01
    attributes: dict[str, str] = {}
    if limit is not None:
        attributes |= {"ctrllimited": "true", "ctrlrange": interval(limit)}
    if most:
        attributes |= {"forcelimited": "true", "forcerange": numbers(-force, force)}
    put(
        model.actuator, "position", name=model.names.new("actuator", name), joint=joint,
        kp=numbers(stiffness), kv=numbers(0.01 * stiffness), **attributes,
    )  # fmt: skip
    model.controls.append(home)


def interval(limit: Limit) -> str:
    """Two numbers, the second larger than the first, as MuJoCo wants them."""
    lower, upper = limit.lower, limit.upper
    if lower == upper:
        lower, upper = lower - 1e-6, upper + 1e-6
    return numbers(lower, upper)
