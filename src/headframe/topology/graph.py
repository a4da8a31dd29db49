"""Spanning tree, loop closures, rigid clusters and counts of a machine.

Properties that always hold for the `Topology` of a valid robot:

- every main link but the root has exactly one tree joint that leads to it;
- `tree_joints` lists them so that a parent always stands before its children;
- a closure is two joints between the same two links in opposite directions: one pivot;
- a loop is what a closure or an actuator closes: the tree path between its two links.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..description import Robot, closure_pairs
from .contraction import Contraction, contract
from .iteps import Itep, find_iteps
from .text import topology_text


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

    def __str__(self) -> str:
        return topology_text(self)

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
        return tuple(j for j in path if not self.robot.joints[j].kind.is_fixed)

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
    def contraction(self) -> Contraction:
        """Four-bars, and the graph in which generalized joints stand for them (Algorithm 1)."""
        return contract(self)

    @cached_property
    def iteps(self) -> tuple[Itep, ...]:
        """What each redundant group moves when all others are locked (Algorithm 2)."""
        return find_iteps(self)

    @cached_property
    def spinning(self) -> frozenset[int]:
        """Continuous joints that a motor spins: fixed, as far as counting is concerned.

        A servo does not spin: it goes where it is told, as a cylinder does.
        """
        driven = {drive.joint for drive in self.robot.joint_drives if not drive.servo}
        return frozenset(
            j
            for j, joint in enumerate(self.robot.joints)
            if joint.kind.goes_on and joint.name in driven
        )

    @cached_property
    def clusters(self) -> tuple[tuple[int, ...], ...]:
        """Main links merged over fixed and spinning joints: the root's first, then in file order.

        The first link of each is the one nearest to the root; its name stands for the cluster.
        """
        members: dict[int, list[int]] = {self.root: [self.root]}
        leader = {self.root: self.root}
        for j in self.tree_joints:
            joint = self.robot.joints[j]
            child = self.robot.link_index[joint.child]
            rigid = joint.kind.is_fixed or j in self.spinning
            leader[child] = leader[self.robot.link_index[joint.parent]] if rigid else child
            members.setdefault(leader[child], []).append(child)
        others = sorted(link for link in members if link != self.root)
        return tuple(tuple(members[link]) for link in (self.root, *others))

    @cached_property
    def cluster_names(self) -> tuple[str, ...]:
        """Name of each cluster's first link."""
        return tuple(self.robot.links[members[0]].name for members in self.clusters)

    @cached_property
    def cluster_of(self) -> dict[int, int]:
        """Position of the cluster that a main link belongs to."""
        return {link: n for n, members in enumerate(self.clusters) for link in members}

    @cached_property
    def moving_joints(self) -> tuple[int, ...]:
        """Tree joints between clusters, parents before children."""
        return tuple(
            j
            for j in self.tree_joints
            if not self.robot.joints[j].kind.is_fixed and j not in self.spinning
        )

    @cached_property
    def actuator_clusters(self) -> tuple[tuple[int, int], ...]:
        """Clusters that carry the tube and the rod of every actuator."""
        index, cluster_of = self.robot.link_index, self.cluster_of
        return tuple(
            (cluster_of[index[a.tube_parent]], cluster_of[index[a.rod_parent]])
            for a in self.robot.actuators
        )

    @cached_property
    def pose_in_cluster(self) -> dict[int, NDArray[np.float64]]:
        """X_CL of every main link in its cluster's first link, spinning joints at 0, (4, 4)."""
        poses = {members[0]: np.eye(4) for members in self.clusters}
        for j in self.tree_joints:
            joint = self.robot.joints[j]
            child = self.robot.link_index[joint.child]
            if child not in poses:
                X_CP = poses[self.robot.link_index[joint.parent]]
                poses[child] = X_CP @ joint.origin @ self.robot.links[child].pose
        return poses

    @cached_property
    def counts(self) -> dict[str, int]:
        """Links, joints and actuators, counted as in Table 1 of the MineRobot paper.

        Links after merging, without tubes and rods; joints between them, closures once, plus two
        mounts an actuator. By this count the paper's 16, 25 and 20 joints of STHS, RH and SH are
        17, 24 and 19.
        """
        actuators = len(self.robot.actuators)
        return {
            "links": len(self.clusters),
            "joints": len(self.moving_joints) + len(self.closures) + 2 * actuators,
            "actuators": actuators,
        }


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
