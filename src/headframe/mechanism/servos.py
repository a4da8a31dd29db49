"""Joints that servos move, as places in a mechanism's arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .records import RowKind

if TYPE_CHECKING:
    from .compiled import Mechanism

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Follower:
    """A joint that a repeater moves: q[place] = ratio q[leader] + offset; likewise velocities."""

    place: int
    leader: int
    velocity: int
    leader_velocity: int
    ratio: float
    offset: float


@dataclass(frozen=True, eq=False)
class Servos:
    """Where the servos' joints are, in the order of `Robot.servos`.

    Attributes:
        positions: places in q, (n,).
        velocities: places in v, (n,).
        tied: whether a loop or a cylinder passes over the joint, or over one that follows it, (n,):
            then other joints have to move with it.
        followers: all repeaters, leaders before those that follow them.
    """

    positions: Ints
    velocities: Ints
    tied: NDArray[np.bool_]
    followers: tuple[Follower, ...]

    def __len__(self) -> int:
        return len(self.positions)

    def turned(self, q: Floats, values: Floats) -> Floats:
        """Joint positions with the servos at `values`, and what follows them; none is tied.

        Of one state, (nq,) and (n,), or of many, (m, nq) and (m, n).
        """
        moved = q.copy()
        moved[..., self.positions] = values
        for each in self.followers:
            moved[..., each.place] = each.ratio * moved[..., each.leader] + each.offset
        return moved

    def rates(self, nv: int) -> Floats:
        """Joint velocities per rate of each servo, (nv, n); none is tied."""
        dq = np.zeros((nv, len(self)))
        dq[self.velocities, np.arange(len(self))] = 1.0
        for each in self.followers:
            dq[each.velocity] = each.ratio * dq[each.leader_velocity]
        return dq


def servos_of(mechanism: Mechanism) -> Servos:
    """The servos of a compiled machine."""
    joints = [motor.joint for motor in mechanism.robot.servos]
    positions = [mechanism.position_of_joint[name].start for name in joints]
    velocities = [mechanism.velocity_of_joint[name].start for name in joints]
    followers = followers_of(mechanism)
    tied = _tied(mechanism, followers)
    places = np.array(velocities, dtype=np.int64)
    return Servos(np.array(positions, dtype=np.int64), places, tied[places], followers)


def followers_of(mechanism: Mechanism) -> tuple[Follower, ...]:
    """All repeaters, leaders before those that follow them."""
    waiting = [
        Follower(
            int(one.follower.position), int(one.leader.position), int(one.follower.velocity),
            int(one.leader.velocity), float(one.ratio), float(one.offset),
        )
        for one in mechanism.constraints
        if one.kind == RowKind.RATIO
    ]  # fmt: skip
    found: list[Follower] = []
    while waiting:
        behind = {each.place for each in waiting}
        ready = [each for each in waiting if each.leader not in behind]
        found += ready
        waiting = [each for each in waiting if each.leader in behind] if ready else []
    return tuple(found)


def _tied(mechanism: Mechanism, followers: tuple[Follower, ...]) -> NDArray[np.bool_]:
    """Velocities that a loop or a cylinder passes over, or whose followers one does, (nv,)."""
    tied = np.zeros(mechanism.nv, dtype=bool)
    for number in range(len(mechanism.constraints)):
        if mechanism.constraints["kind"][number] != RowKind.RATIO:
            tied[mechanism.velocities_in(number)] = True
    for each in reversed(followers):
        tied[each.leader_velocity] |= tied[each.velocity]
    return tied
