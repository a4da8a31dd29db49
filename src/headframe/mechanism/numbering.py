"""Where each joint's positions and velocities stand."""

from __future__ import annotations

from dataclasses import dataclass

from ..topology import Topology


@dataclass(frozen=True)
class Numbering:
    """Slices of q and v by the names of tree joints, in the file's order of joints.

    Closure joints have none.
    """

    positions: dict[str, slice]
    velocities: dict[str, slice]
    nq: int
    nv: int


def number_joints(topology: Topology) -> Numbering:
    """Count positions and velocities."""
    positions: dict[str, slice] = {}
    velocities: dict[str, slice] = {}
    nq = nv = 0
    for j in sorted(topology.tree_joints):
        joint = topology.robot.joints[j]
        wide_q, wide_v = joint.kind.positions, joint.kind.velocities
        positions[joint.name] = slice(nq, nq + wide_q)
        velocities[joint.name] = slice(nv, nv + wide_v)
        nq, nv = nq + wide_q, nv + wide_v
    return Numbering(positions, velocities, nq, nv)
