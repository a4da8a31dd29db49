"""The kinds of joints: one record each says all that the other rooms need to know of a kind.

A kind is a chain of motions from the parent to the child, each about or along an axis. From that
follow its freedoms (`mechanism`), its closed forms (`kinematics`), its equations of motion, and how
MJCF and URDF write it. What two links keep in common where a joint of the kind holds them together
closes loops, and is what maximal coordinates solve for.

A new kind is a new entry in `JOINT_KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Literal, NamedTuple

Along = Literal["axis", "axis2", "x", "y", "z"]
PositionUnit = Literal["rad", "m", "1"]


class Does(Enum):
    """What one motion of a joint does, along or about its axis."""

    TURN = "turn"  # by an angle
    SLIDE = "slide"  # by a way
    SCREW = "screw"  # by an angle, and on by the joint's pitch every turn
    BALL = "ball"  # any turn, by a quaternion; it has no axis


class Motion(NamedTuple):
    """One motion of a joint.

    Attributes:
        does: turn, slide, screw or ball.
        along: its axis: a field of the joint, or an axis of the joint's frame.
        name: of this one, where a kind has several.
    """

    does: Does
    along: Along = "axis"
    name: str = ""


class Keeps(Enum):
    """What two links keep in common that a joint holds together; both have the joint's frame."""

    POINT = "point"  # the origins of their frames: 3 equations
    PARALLEL = "parallel"  # the direction of the axis: 2
    PERPENDICULAR = "perpendicular"  # their axes perpendicular to each other: 1
    ORIENTATION = "orientation"  # the orientation of their frames: 3
    LINE = "line"  # the origin of one lies on the axis of the other: 2
    THREAD = "thread"  # the way along the axis is the pitch times the turns about it: 1


@dataclass(frozen=True)
class JointKind:
    """A kind of joint.

    Attributes:
        name: in machine files, and for people.
        motions: from the parent to the child.
        keeps: what its two links keep in common; empty: nothing.
        goes_on: it turns on and on; a motor that is no servo spins it.
        urdf: its name in URDF; empty: written as a chain of its motions.
        mjcf: its name in MJCF; empty: likewise.
    """

    name: str
    motions: tuple[Motion, ...]
    keeps: tuple[Keeps, ...]
    goes_on: bool = False
    urdf: str = ""
    mjcf: str = ""

    @cached_property
    def units(self) -> tuple[PositionUnit, ...]:
        """Units of its positions; a quaternion's four numbers come first."""
        units: list[PositionUnit] = []
        for motion in self.motions:
            if motion.does is Does.BALL:
                units[:0] = ["1", "1", "1", "1"]
            else:
                units.append("m" if motion.does is Does.SLIDE else "rad")
        return tuple(units)

    @property
    def positions(self) -> int:
        """How many numbers its position has."""
        return len(self.units)

    @property
    def velocities(self) -> int:
        """How many freedoms it has."""
        return len(self.motions) + 2 * self.has_ball

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Where each motion begins in the joint's positions and velocities."""
        q, v = (4, 3) if self.has_ball else (0, 0)
        found = []
        for motion in self.motions:
            if motion.does is Does.BALL:
                found.append((0, 0))
            else:
                found.append((q, v))
                q, v = q + 1, v + 1
        return tuple(found)

    @property
    def position_names(self) -> tuple[str, ...]:
        """What tells its positions apart, if there are several."""
        return self._names(("w", "x", "y", "z"))

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """What tells its velocities apart, if there are several."""
        return self._names(("about_x", "about_y", "about_z"))

    def _names(self, of_ball: tuple[str, ...]) -> tuple[str, ...]:
        others = tuple(m.name for m in self.motions if m.does is not Does.BALL)
        return (*of_ball, *others) if self.has_ball else others

    @property
    def has_ball(self) -> bool:
        """Whether its position begins with a quaternion."""
        return any(motion.does is Does.BALL for motion in self.motions)

    @property
    def is_fixed(self) -> bool:
        """Whether it has no freedom."""
        return not self.motions

    @property
    def is_single(self) -> bool:
        """Whether its position is one number, which can have a limit and a motor."""
        return len(self.motions) == 1 and not self.has_ball

    @property
    def is_hinge(self) -> bool:
        """Whether it turns about one axis and does nothing else."""
        return self._only(Does.TURN)

    @property
    def is_slide(self) -> bool:
        """Whether it slides along one axis and does nothing else."""
        return self._only(Does.SLIDE)

    @property
    def is_free(self) -> bool:
        """Whether it lets its links move apart in any way, so that it closes no loop."""
        return self.velocities == 6

    @property
    def has_pitch(self) -> bool:
        """Whether it is a thread, and needs a `pitch`."""
        return any(motion.does is Does.SCREW for motion in self.motions)

    @property
    def closes(self) -> bool:
        """Whether a pair of such joints can close a loop."""
        return bool(self.keeps) and Keeps.THREAD not in self.keeps

    @property
    def axes(self) -> tuple[str, ...]:
        """Fields of a joint that it needs as axes."""
        return tuple(
            dict.fromkeys(
                m.along
                for m in self.motions
                if m.does is not Does.BALL and m.along in ("axis", "axis2")
            )
        )

    def _only(self, does: Does) -> bool:
        return len(self.motions) == 1 and self.motions[0].does is does


_TURN, _SLIDE = Motion(Does.TURN), Motion(Does.SLIDE)
_BALL = Motion(Does.BALL)

JOINT_KINDS: dict[str, JointKind] = {
    kind.name: kind
    for kind in (
        JointKind(
            "revolute", (_TURN,), (Keeps.POINT, Keeps.PARALLEL), urdf="revolute", mjcf="hinge"
        ),
        JointKind(
            "prismatic", (_SLIDE,), (Keeps.ORIENTATION, Keeps.LINE), urdf="prismatic", mjcf="slide"
        ),
        JointKind("fixed", (), (Keeps.POINT, Keeps.ORIENTATION), urdf="fixed"),
        JointKind(
            "continuous", (_TURN,), (Keeps.POINT, Keeps.PARALLEL), goes_on=True,
            urdf="continuous", mjcf="hinge",
        ),
        JointKind(
            "universal",
            (Motion(Does.TURN, "axis", "first"), Motion(Does.TURN, "axis2", "second")),
            (Keeps.POINT, Keeps.PERPENDICULAR),
        ),
        JointKind("spherical", (_BALL,), (Keeps.POINT,), mjcf="ball"),
        JointKind(
            "free",
            (*(Motion(Does.SLIDE, along, f"along_{along}") for along in ("x", "y", "z")), _BALL),
            (), urdf="floating", mjcf="free",
        ),
        JointKind(
            "helical", (Motion(Does.SCREW),), (Keeps.LINE, Keeps.PARALLEL, Keeps.THREAD)
        ),
    )
}  # fmt: skip


def names_of_kinds(wanted: Callable[[JointKind], bool]) -> str:
    """The kinds that are so, for messages."""
    *names, last = (kind.name for kind in JOINT_KINDS.values() if wanted(kind))
    return f"{', '.join(names)} or {last}" if names else last


def names_of_single() -> str:
    """The kinds that take limits and motors, for messages."""
    return names_of_kinds(lambda kind: kind.is_single)
