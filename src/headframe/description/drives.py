"""What moves a machine: cylinders between two links, motors and rotary actuators of joints.

`DRIVE_KINDS` says all that the other rooms need to know of a kind. A new kind that acts on joints
is a class and an entry here, and a list in `Robot`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from .geometry import Element, Limit, Name, Number, Positive, Vector
from .joint_kinds import JointKind, names_of_kinds

if TYPE_CHECKING:
    from .model import Robot


class Actuator(Element):
    """A hydraulic cylinder: a tube on one link, a rod on another.

    Its length is the distance between the mount points `tube_offset` (in the tube's parent) and
    `rod_offset` (in the rod's parent) [m]. `tube` and `rod` name links that carry the visible
    parts: their origin is the mount point and their x axis looks at the other mount.
    `tube_axis` and `rod_axis` are the pins, in the parent's axes, where they are known.
    `speed` [m/s], `acceleration` [m/s^2] and `force` [N] are limits; `bore` and `rod_diameter`
    are diameters [m].
    """

    name: Name
    tube: Name
    rod: Name
    tube_parent: Name
    rod_parent: Name
    tube_offset: Vector
    rod_offset: Vector
    tube_axis: Vector | None = None
    rod_axis: Vector | None = None
    bounds: Annotated[Limit, Field(alias="bound")]
    redundants: tuple[Name, ...] = ()
    group: Name | None = None
    speed: Positive | None = None
    acceleration: Positive | None = None
    force: Positive | None = None
    bore: Positive | None = None
    rod_diameter: Positive | None = None


class Motor(Element):
    """Drives a joint: `torque` from the start; `max_torque` and `max_speed` are limits.

    A `servo` can be told where to go, so that its joint's position counts in planning as the length
    of a cylinder does. Other motors spin, as a cutting head's, and planning leaves them where they
    are.
    """

    name: Name
    joint: Name
    torque: Number = 0.0
    max_torque: Positive | None = None
    max_speed: Positive | None = None
    servo: bool = False


class RotaryActuator(Element):
    """A hydraulic slew drive: pistons push racks, which turn the pinion of a hinge.

    It goes as far as its racks do, which is the limit of its joint, and is told where to go as a
    cylinder is.
    """

    name: Name
    joint: Name
    max_torque: Positive | None = None
    max_speed: Positive | None = None
    max_acceleration: Positive | None = None


@dataclass(frozen=True)
class JointDrive:
    """A drive that acts on a joint, whatever its kind.

    Attributes:
        kind: what it is, for people.
        torque: from the start [N m]; all torques are forces [N] where the joint slides.
        max_torque: limit [N m]; None if it is not known.
        max_speed: limit [rad/s, m/s]; likewise.
        max_acceleration: limit [rad/s^2, m/s^2]; likewise.
        servo: whether it can be told where to go.
    """

    name: str
    joint: str
    kind: str
    torque: float
    max_torque: float | None
    max_speed: float | None
    max_acceleration: float | None
    servo: bool


@dataclass(frozen=True)
class DriveKind:
    """A kind of drive.

    Attributes:
        name: for people.
        listed: the field of a machine file that lists drives of the kind.
        element: the class of one.
        on_joint: what one does to its joint; None for a kind that acts between two links.
        takes: whether it can act on a kind of joint.
        ends: whether its joint must have a limit.
        mjcf: the element of MJCF that stands for one: told where to go, or how hard to push.
    """

    name: str
    listed: str
    element: type[Element]
    mjcf: Literal["position", "motor"]
    on_joint: Callable[[Any], JointDrive] | None = None
    takes: Callable[[JointKind], bool] = lambda kind: kind.is_single
    ends: bool = False

    @property
    def joints(self) -> str:
        """The kinds of joints that it takes, for messages."""
        return names_of_kinds(self.takes)


def _of_motor(m: Motor) -> JointDrive:
    return JointDrive(
        m.name, m.joint, "motor", m.torque, m.max_torque, m.max_speed, None, m.servo
    )  # fmt: skip


def _of_rotary_actuator(a: RotaryActuator) -> JointDrive:
    return JointDrive(
        a.name, a.joint, "rotary actuator", 0.0, a.max_torque, a.max_speed, a.max_acceleration, True
    )  # fmt: skip


DRIVE_KINDS: dict[str, DriveKind] = {
    kind.name: kind
    for kind in (
        DriveKind("cylinder", "actuators", Actuator, "position"),
        DriveKind("motor", "motors", Motor, "motor", _of_motor),
        DriveKind(
            "rotary actuator", "rotary_actuators", RotaryActuator, "position",
            _of_rotary_actuator, lambda kind: kind.is_hinge and not kind.goes_on, ends=True,
        ),
    )
}  # fmt: skip


JOINT_DRIVES = {kind.listed: kind for kind in DRIVE_KINDS.values() if kind.on_joint is not None}


def joint_drives_of(robot: Robot) -> tuple[JointDrive, ...]:
    """The drives of joints, kind by kind, each in the order of the file."""
    return tuple(
        kind.on_joint(element)
        for listed, kind in JOINT_DRIVES.items()
        if kind.on_joint is not None
        for element in getattr(robot, listed)
    )
