"""Spanning tree, loop closures, rigid clusters and counts of a machine.

Properties that always hold for the `Topology` of a valid robot:

- every main link but the root has exactly one tree joint that leads to it;
- `tree_joints` lists them so that a parent always stands before its children;
- a closure is two joints between the same two links in opposite directions: one pivot;
- a loop is what a closure or an actuator closes: the tree path between its two links.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..description import Robot, closure_pairs


@dataclass(frozen=True)
class Closure:
    """Two joints between the same two links, in opposite directions: one pivot.

    `forward` and `backward` are positions of joints; the pivot's place on link A is the origin
    of `forward` (whose parent is A), on link B the origin of `backward` (whose parent is B).
    """

    forward: int
    backward: int


@dataclass(frozen=True)
class Loop:
    """A closed chain: a closure pair or an actuator, and the tree joints it goes through.

    Attributes:
        name: for people.
        closure: position in `Topology.closures`, or -1.
        actuator: position in `Robot.actuators`, or -1.
        joints: positions of the movable tree joints on the path between its two links.
    """

    name: str
    closure: int
    actuator: int
    joints: tuple[int, ...]


@dataclass(frozen=True)
class Topology:
    """The graph of a robot. Links and joints are positions in the robot's lists."""

    robot: Robot
    root: int
    tree_joints: tuple[int, ...]
    parent_joint: dict[int, int]
    closures: tuple[Closure, ...]

    @cached_property
    def parent(self) -> dict[int, int]:
        """Parent link of every main link but the root."""
        index = self.robot.link_index
        return {
            link: index[self.robot.joints[joint].parent]
            for link, joint in self.parent_joint.items()
        }

    def path_to_root(self, link: int) -> list[int]:
        """Tree joints from `link` up to the root."""
        joints = []
        while link != self.root:
            joints.append(self.parent_joint[link])
            link = self.parent[link]
        return joints

    def path(self, link_a: int, link_b: int) -> list[int]:
        """Tree joints between two links: up from A, then down to B."""
        up, down = self.path_to_root(link_a), self.path_to_root(link_b)
        while up and down and up[-1] == down[-1]:
            up.pop()
            down.pop()
        return up + down[::-1]

    def movable_path(self, link_a: str, link_b: str) -> tuple[int, ...]:
        """Positions of the joints that can move between two links, given by name."""
        index = self.robot.link_index
        path = self.path(index[link_a], index[link_b])
        return tuple(j for j in path if self.robot.joints[j].type != "fixed")

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """Every loop: closures first, then actuators, in the order of the file."""
        joints, actuators = self.robot.joints, self.robot.actuators
        closing = [
            Loop(
                f"{joints[c.forward].name}/{joints[c.backward].name}",
                i,
                -1,
                self.movable_path(joints[c.forward].parent, joints[c.forward].child),
            )
            for i, c in enumerate(self.closures)
        ]
        driving = [
            Loop(a.name, -1, i, self.movable_path(a.tube_parent, a.rod_parent))
            for i, a in enumerate(actuators)
        ]
        return tuple(closing + driving)

    @cached_property
    def spinning(self) -> frozenset[int]:
        """Continuous joints that a motor turns: fixed, as far as counting is concerned."""
        driven = {motor.joint for motor in self.robot.motors}
        return frozenset(
            j
            for j, joint in enumerate(self.robot.joints)
            if joint.type == "continuous" and joint.name in driven
        )

    @cached_property
    def clusters(self) -> tuple[tuple[int, ...], ...]:
        """Main links merged over fixed and spinning joints; the root's cluster first."""
        cluster_of = {self.root: 0}
        clusters = [[self.root]]
        for j in self.tree_joints:
            joint = self.robot.joints[j]
            child = self.robot.link_index[joint.child]
            if joint.type == "fixed" or j in self.spinning:
                cluster_of[child] = cluster_of[self.robot.link_index[joint.parent]]
            else:
                cluster_of[child] = len(clusters)
                clusters.append([])
            clusters[cluster_of[child]].append(child)
        return tuple(tuple(members) for members in clusters)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Links, joints and actuators, counted as in Table 1 of paper 002.

        Links after merging, without tubes and rods; joints between them, closures once, plus two
        mounts an actuator. By this count the paper's 16, 25 and 20 joints of STHS, RH and SH are
        17, 24 and 19.
        """
        movable = [
            j
            for j in self.tree_joints
            if self.robot.joints[j].type != "fixed" and j not in self.spinning
        ]
        actuators = len(self.robot.actuators)
        return {
            "links": len(self.clusters),
            "joints": len(movable) + len(self.closures) + 2 * actuators,
            "actuators": actuators,
        }


def counted(counts: Mapping[str, int]) -> str:
    """Counts in words: "4 links, 6 joints, 1 actuator"."""
    return ", ".join(
        f"{count} {kind.removesuffix('s') if count == 1 else kind}"
        for kind, count in counts.items()
    )


def analyse(robot: Robot) -> Topology:
    """Find tree and loops of a valid robot."""
    closures = tuple(Closure(*pair) for pair in closure_pairs(robot.joints))
    closing = {j for pair in closures for j in (pair.forward, pair.backward)}
    index = robot.link_index
    children: dict[int, list[int]] = defaultdict(list)
    parents: Counter[int] = Counter()
    for j, joint in enumerate(robot.joints):
        if j not in closing:
            children[index[joint.parent]].append(j)
            parents[index[joint.child]] += 1
    root = next(index[link.name] for link in robot.main_links if not parents[index[link.name]])
    tree_joints: list[int] = []
    parent_joint: dict[int, int] = {}
    waiting = children[root][::-1]
    while waiting:
        j = waiting.pop()
        child = index[robot.joints[j].child]
        tree_joints.append(j)
        parent_joint[child] = j
        waiting += children[child][::-1]
    return Topology(robot, root, tuple(tree_joints), parent_joint, closures)
