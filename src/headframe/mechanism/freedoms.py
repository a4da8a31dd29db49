"""The freedoms of joints, one record each, and where links hang on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..description import Does, Joint
from ..jit import Record, Records, new_records
from ..spatial import compose, invert
from ..topology import Topology
from .records import FREEDOM, LINK, FreedomKind

Floats = np.typing.NDArray[np.float64]
Slices = dict[str, slice]


def number_joints(topology: Topology) -> tuple[Slices, Slices]:
    """Slices of q and v by the names of tree joints, in the file's order of joints.

    Closure joints have none.
    """
    positions: Slices = {}
    velocities: Slices = {}
    nq = nv = 0
    for j in sorted(topology.tree_joints):
        joint = topology.robot.joints[j]
        wide_q, wide_v = joint.kind.positions, joint.kind.velocities
        positions[joint.name] = slice(nq, nq + wide_q)
        velocities[joint.name] = slice(nv, nv + wide_v)
        nq, nv = nq + wide_q, nv + wide_v
    return positions, velocities


def new_freedom(parent: int, kind: FreedomKind, iq: int, iv: int, X_PF: Floats) -> Record:
    """A freedom behind another one."""
    freedom = new_records(1, FREEDOM)[0]
    freedom.parent = freedom.carrier = parent
    freedom.kind, freedom.position, freedom.velocity = kind, iq, iv
    freedom.X_PF = X_PF[:3]
    return freedom


class JointFreedoms:
    """The freedoms of a tree's joints, parents first.

    Attributes:
        positions, velocities: where each joint stands in q and v, see `number_joints`.
        freedoms: FREEDOM records.
        of_link: the last freedom before each link, -1 for what stands on the base.
        X_FL: pose of each link in the frame of that freedom, (4, 4).
    """

    def __init__(self, topology: Topology) -> None:
        """Go through the joints."""
        self.positions, self.velocities = number_joints(topology)
        self.freedoms: list[Record] = []
        root = topology.robot.links[topology.root]
        self.of_link = {root.name: -1}
        self.X_FL: dict[str, Floats] = {root.name: root.pose}
        for joint in (topology.robot.joints[j] for j in topology.tree_joints):
            self._add(joint, topology.robot.link(joint.child).pose)

    def _add(self, joint: Joint, pose: Floats) -> None:
        """Freedoms of a joint, each turning about or sliding along its own z; a ball's have one."""
        iq, iv = self.positions[joint.name].start, self.velocities[joint.name].start
        first, last = len(self.freedoms), self.of_link[joint.parent]
        X = self.X_FL[joint.parent] @ joint.origin  # the joint in the frame of the last freedom
        for motion, (at_q, at_v) in zip(joint.kind.motions, joint.kind.places, strict=True):
            if motion.does is Does.BALL:
                carrier = last
                for n in range(3):
                    kind = FreedomKind.BALL if n == 0 else FreedomKind.PART
                    self.freedoms.append(new_freedom(last, kind, iq + at_q, iv + at_v + n, X))
                    self.freedoms[-1].carrier = carrier
                    last, X = len(self.freedoms) - 1, np.eye(4)
            else:
                kind = FreedomKind.SLIDE if motion.does is Does.SLIDE else FreedomKind.TURN
                X_axis = z_along(joint.direction(motion))
                self.freedoms.append(new_freedom(last, kind, iq + at_q, iv + at_v, X @ X_axis))
                if motion.does is Does.SCREW:
                    self.freedoms[-1].pitch = joint.way_per_radian
                last, X = len(self.freedoms) - 1, invert(X_axis)
        for freedom in self.freedoms[first:]:
            freedom.armature = joint.armature
        self.of_link[joint.child] = last
        self.X_FL[joint.child] = X @ pose


def link_records(
    names: Sequence[str], of_link: Mapping[str, int], X_FL: Mapping[str, Floats]
) -> Records:
    """LINK of links, in the order of their names."""
    links = new_records(len(names), LINK)
    for link, name in zip(links, names, strict=True):
        link.freedom, link.X_FL = of_link[name], X_FL[name][:3]
    return links


def ancestors_of(freedoms: Records) -> tuple[tuple[int, ...], ...]:
    """The freedoms that move each freedom's body, itself last; then those of the base: none."""
    chains: dict[int, tuple[int, ...]] = {-1: ()}
    for d, parent in enumerate(freedoms["parent"]):
        chains[d] = (*chains[parent], d)
    return (*(chains[d] for d in range(len(freedoms))), ())


def common_of(chains: tuple[tuple[int, ...], ...], a: int, b: int) -> int:
    """The last freedom that moves both; -1 if there is none."""
    return max(set(chains[a]) & set(chains[b]), default=-1)


def z_along(axis: Floats) -> Floats:
    """A turn (4, 4) that takes z to a direction, x as near as can be to x."""
    z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    return compose(about(z), np.zeros(3))


def about(z: Floats) -> Floats:
    """Axes (3, 3) with the given z and an x as near as can be to x, or to y where z is x."""
    helper = np.eye(3)[0 if abs(z[0]) < 0.9 else 1]
    x = helper - (helper @ z) * z
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])
