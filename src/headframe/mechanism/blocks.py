"""Parts of a mechanism that can be assembled one by one, because they share no joint."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from .compiled import Mechanism
from .system import Floats, Ints


@dataclass(frozen=True)
class Block:
    """Loops that share joints, directly or through others.

    Attributes:
        dofs: velocities of its joints.
        closing: constraints that always hold.
        actuators: all cylinders that act on it.
        drivers: those of them that set the motion of their redundant group.
    """

    dofs: Ints
    closing: Ints
    actuators: Ints
    drivers: Ints


def find_blocks(mechanism: Mechanism) -> list[Block]:
    """Split the constraints into blocks by the velocities that appear in them."""
    touched = [mechanism.velocities_in(c) for c in range(len(mechanism.constraints))]
    root_of = list(range(mechanism.nv))

    def find(v: int) -> int:
        while root_of[v] != v:
            root_of[v] = root_of[root_of[v]]
            v = root_of[v]
        return v

    for velocities in touched:
        for v in velocities[1:]:
            root_of[find(int(v))] = find(int(velocities[0]))
    members: dict[int, list[int]] = defaultdict(list)
    rigid: list[int] = []
    for c, velocities in enumerate(touched):
        if velocities.size:
            members[find(int(velocities[0]))].append(c)
        else:
            rigid.append(c)
    moved: dict[int, list[int]] = defaultdict(list)
    for v in range(mechanism.nv):
        moved[find(v)].append(v)
    blocks = [_block(mechanism, moved[root], constraints) for root, constraints in members.items()]
    if rigid:  # loops without a movable joint: closed by the file's figures, or not at all
        blocks.append(_block(mechanism, [], rigid))
    return blocks


def _block(mechanism: Mechanism, dofs: list[int], constraints: list[int]) -> Block:
    rows = np.array(constraints, dtype=np.int64)
    actuators = np.flatnonzero(np.isin(mechanism.length_rows, rows))
    return Block(
        dofs=np.array(dofs, dtype=np.int64),
        closing=rows[np.isin(rows, mechanism.closing_rows)],
        actuators=actuators,
        drivers=actuators[np.isin(actuators, mechanism.first_members)],
    )


def bounds_of(mechanism: Mechanism) -> tuple[Floats, Floats]:
    """Lower and upper bounds of all actuators [m], (n_actuators,) each."""
    actuators = mechanism.robot.actuators
    lower = np.array([actuator.bounds.lower for actuator in actuators])
    upper = np.array([actuator.bounds.upper for actuator in actuators])
    return lower, upper
