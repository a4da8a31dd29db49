"""What sets a machine's motion: lengths of groups of cylinders, and positions of servo joints."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .drives import JointDrive
    from .model import Robot

Unit = Literal["m", "rad"]

FULL_SPEED = 0.1  # of a cylinder or a slide whose file has no limit [m/s]
FULL_TURN = 1.0  # of a motor whose file has no limit [rad/s]
RISE = 0.5  # [s] to full speed, for a drive whose limit of acceleration is not known


@dataclass(frozen=True)
class Input:
    """One number that a motion follows from.

    Attributes:
        name: of the redundant group, or of the servo.
        element: of the group's first cylinder, which stands for it, or again of the servo.
        drive: its place among the drives, see `Robot.drive_names`.
        joint: that the servo moves; empty for a group.
        unit: of its value: a length [m], or the position of a joint [rad, m].
        lower, upper: its ends; infinite where there are none.
        speed: limit [unit/s]; None if it is not known.
        acceleration: limit [unit/s^2]; None if it is not known.
    """

    name: str
    element: str
    drive: int
    joint: str
    unit: Unit
    lower: float
    upper: float
    speed: float | None
    acceleration: float | None

    @property
    def full_speed(self) -> float:
        """Its limit of speed, or what stands for it [unit/s]."""
        return self.speed or _usual_speed(self.unit)

    @property
    def full_acceleration(self) -> float:
        """Its limit of acceleration, or what stands for it [unit/s^2]."""
        return self.acceleration or self.full_speed / RISE

    @property
    def endless(self) -> bool:
        """Whether it can go on for ever, as a turret can."""
        return math.isinf(self.lower) or math.isinf(self.upper)

    @property
    def expected(self) -> str:
        """Its range, for messages."""
        return f"{self.lower:.9g} to {self.upper:.9g} {self.unit}"


def servos_of(robot: Robot) -> tuple[JointDrive, ...]:
    """Drives of joints that can be told where to go; one whose joint follows another cannot."""
    following = {repeater.joint for repeater in robot.repeaters}
    return tuple(d for d in robot.joint_drives if d.servo and d.joint not in following)


def inputs_of(robot: Robot) -> tuple[Input, ...]:
    """The groups in their order, then the servos in the order of the file."""
    firsts = [robot.actuators[members[0]] for members in robot.groups]
    groups = [
        Input(
            name, first.name, members[0], "", "m", first.bounds.lower, first.bounds.upper,
            first.speed, first.acceleration,
        )
        for name, members, first in zip(robot.group_names, robot.groups, firsts, strict=True)
    ]  # fmt: skip
    servos = [
        _servo(robot, drive, len(robot.actuators) + n) for n, drive in enumerate(robot.servos)
    ]
    return (*groups, *servos)


def full_speed_of(robot: Robot, drive: JointDrive) -> float:
    """Limit of speed of a joint's drive, or what stands for it [rad/s; m/s of a slide]."""
    return drive.max_speed or _usual_speed(_unit_of(robot, drive))


def _usual_speed(unit: Unit) -> float:
    return FULL_SPEED if unit == "m" else FULL_TURN


def _unit_of(robot: Robot, drive: JointDrive) -> Unit:
    return "m" if robot.joint(drive.joint).kind.is_slide else "rad"


def _servo(robot: Robot, drive: JointDrive, number: int) -> Input:
    joint = robot.joint(drive.joint)
    ends = (-math.inf, math.inf) if joint.limit is None else (joint.limit.lower, joint.limit.upper)
    return Input(
        drive.name, drive.name, number, joint.name, _unit_of(robot, drive), *ends,
        drive.max_speed, drive.max_acceleration,
    )  # fmt: skip
