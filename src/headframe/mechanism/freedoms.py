"""The freedoms of joints, one record each, and where links hang on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..description import Does, Joint, Robot
from ..jit import Record, Records, new_records
from ..spatial import compose, invert
from ..topology import Topology
from .numbering import Numbering
from .records import FREEDOM, LINK, FreedomKind

Floats = np.typing.NDArray[np.float64]


class FreedomPacker:
    """Collects freedoms one by one.

    Attributes:
        freedoms: FREEDOM records.
        owner: name of the joint, or whatever else, that each belongs to.
        freedom_of_link: the last freedom before each link, -1 for what stands on the base.
        X_FL: pose of each link in the frame of that freedom, (4, 4).
    """

    def __init__(self, topology: Topology, numbering: Numbering) -> None:
        """Begin with the joints of the tree."""
        self.robot: Robot = topology.robot
        self.numbering = numbering
        self.freedoms: list[Record] = []
        self.owner: list[str] = []
        root = self.robot.links[topology.root]
        self.freedom_of_link = {root.name: -1}
        self.X_FL: dict[str, Floats] = {root.name: root.pose}
        for j in topology.tree_joints:
            self._add_joint(self.robot.joints[j])

    def gathered(self, order: Sequence[int] | None = None) -> Records:
        """All freedoms, in another order if one is given; parents are counted anew."""
        order = range(len(self.freedoms)) if order is None else order
        number = {-1: -1, **{old: new for new, old in enumerate(order)}}
        found = new_records(len(self.freedoms), FREEDOM)
        for new, old in enumerate(order):
            found[new] = self.freedoms[old]
        for name in ("parent", "carrier"):
            found[name] = [number[int(old)] for old in found[name]]
        return found

    def add(
        self, parent: int, kind: FreedomKind, iq: int, iv: int, X_PF: Floats, owner: str
    ) -> int:
        """Add a freedom behind another one; returns its number."""
        freedom = new_records(1, FREEDOM)[0]
        freedom.parent = freedom.carrier = parent
        freedom.kind, freedom.position, freedom.velocity = kind, iq, iv
        freedom.X_PF = X_PF[:3]
        self.freedoms.append(freedom)
        self.owner.append(owner)
        return len(self.freedoms) - 1

    def _add_joint(self, joint: Joint) -> None:
        """Freedoms of a joint, each turning about or sliding along its own z; a ball's have one."""
        iq = self.numbering.positions[joint.name].start
        iv = self.numbering.velocities[joint.name].start
        first, last = len(self.freedoms), self.freedom_of_link[joint.parent]
        X = self.X_FL[joint.parent] @ joint.origin  # the joint in the frame of the last freedom
        pose = self.robot.link(joint.child).pose
        for motion, (at_q, at_v) in zip(joint.kind.motions, joint.kind.places, strict=True):
            if motion.does is Does.BALL:
                carrier = last
                for n in range(3):
                    kind = FreedomKind.BALL if n == 0 else FreedomKind.PART
                    last = self.add(last, kind, iq + at_q, iv + at_v + n, X, joint.name)
                    self.freedoms[-1].carrier = carrier
                    X = np.eye(4)
            else:
                kind = FreedomKind.SLIDE if motion.does is Does.SLIDE else FreedomKind.TURN
                X_axis = z_along(joint.direction(motion))
                last = self.add(last, kind, iq + at_q, iv + at_v, X @ X_axis, joint.name)
                if motion.does is Does.SCREW:
                    self.freedoms[-1].pitch = joint.way_per_radian
                X = invert(X_axis)
        for freedom in self.freedoms[first:]:
            freedom.armature = joint.armature
        self.freedom_of_link[joint.child] = last
        self.X_FL[joint.child] = X @ pose


def link_records(
    names: Sequence[str], freedom_of_link: Mapping[str, int], X_FL: Mapping[str, Floats]
) -> Records:
    """LINK of links, in the order of their names."""
    links = new_records(len(names), LINK)
    for link, name in zip(links, names, strict=True):
        link.freedom, link.X_FL = freedom_of_link[name], X_FL[name][:3]
    return links


def ancestors_of(freedoms: Records) -> tuple[tuple[int, ...], ...]:
    """The freedoms that move each freedom's body, itself last."""
    chains: list[tuple[int, ...]] = []
    for d, parent in enumerate(freedoms["parent"]):
        chains.append((*(chains[parent] if parent >= 0 else ()), d))
    return tuple(chains)


def common_of(chains: tuple[tuple[int, ...], ...], a: int, b: int) -> int:
    """The last freedom that moves both; -1 if there is none."""
    if a < 0 or b < 0:
        return -1
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
