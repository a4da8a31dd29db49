"""Algorithm 1 of the MineRobot paper: planar four-bars, contracted into generalized joints.

A four-bar is a loop of four links and four parallel hinges. Seen from its ground link it is one
freedom, so each of its other links hangs on the ground by one generalized joint. After
contraction the graph of a machine in the paper's scope has no loops.

The paper finds four-bars as strongly connected components; four-bars that share a link fall into
one component, so here every closure pair gives one loop. Nodes are clusters: links merged over
fixed and spinning joints.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from ..description import Joint

if TYPE_CHECKING:
    from .graph import Topology

Kind = Literal["revolute", "prismatic", "generalized", "other"]
PARALLEL = 1e-6  # largest sine between two axes that count as parallel


@dataclass(frozen=True)
class FourBar:
    """Four clusters in a ring, the ground first, and what closes it.

    Attributes:
        links: ground a, then b, c and d around the ring, as positions of clusters.
        joints: positions of the joints a-b, b-c, c-d that are in the tree; -1 for the one that
            is the closure.
        closure: position in `Topology.closures`.
        input: position of the joint whose angle is taken as the four-bar's freedom.
    """

    links: tuple[int, int, int, int]
    joints: tuple[int, int, int, int]
    closure: int
    input: int


@dataclass(frozen=True)
class Edge:
    """A one-freedom connection from cluster `parent` to cluster `child`.

    `joint` is the position of the joint, or of the four-bar's input if it is generalized;
    `four_bar` is the position of the four-bar, or -1.
    """

    parent: int
    child: int
    kind: Kind
    joint: int
    four_bar: int = -1


@dataclass(frozen=True)
class Contraction:
    """The graph before and after contraction.

    `raw` has an edge a joint, `edges` has generalized joints instead of four-bars. `leftover`
    names the loops that are no planar four-bars: machines that have any are out of scope.
    """

    raw: tuple[Edge, ...]
    four_bars: tuple[FourBar, ...]
    edges: tuple[Edge, ...]
    leftover: tuple[str, ...]


def contract(topology: Topology) -> Contraction:
    """Find the four-bars of a machine and contract them."""
    raw = tuple(_edge(topology, j) for j in topology.moving_joints)
    four_bars, leftover = [], []
    for number in range(len(topology.closures)):
        four_bar = _four_bar(topology, number)
        if four_bar is None:
            leftover.append(topology.loops[number].name)
        else:
            four_bars.append(four_bar)
    edges = _contracted(topology, raw, four_bars)
    return Contraction(raw, tuple(four_bars), tuple(edges), tuple(leftover))


def _edge(topology: Topology, j: int) -> Edge:
    """The edge of a joint between two clusters."""
    joint, index = topology.robot.joints[j], topology.robot.link_index
    parent, child = (topology.cluster_of[index[name]] for name in (joint.parent, joint.child))
    return Edge(parent, child, kind_of(joint), j)


def kind_of(joint: Joint) -> Kind:
    """What a joint is in the graph."""
    if joint.kind.is_hinge:
        return "revolute"
    return "prismatic" if joint.kind.is_slide else "other"


def _closes_a_bar(joint: Joint) -> bool:
    """Whether it can be a pivot of a four-bar: a hinge that is not made to turn on and on."""
    return joint.kind.is_hinge and not joint.kind.goes_on


def _four_bar(topology: Topology, number: int) -> FourBar | None:
    """The four-bar that a closure pair closes, or None if its loop is another."""
    joints = topology.robot.joints
    closure = topology.closures[number]
    path = [j for j in topology.loops[number].joints if j not in topology.spinning]
    if len(path) != 3 or not all(_closes_a_bar(joints[j]) for j in path):
        return None
    if not _closes_a_bar(joints[closure.forward]) or not _planar(topology, number, path):
        return None
    index, cluster_of = topology.robot.link_index, topology.cluster_of
    ring = [cluster_of[index[joints[closure.forward].parent]]]
    for j in path:
        ends = (cluster_of[index[joints[j].parent]], cluster_of[index[joints[j].child]])
        ring.append(ends[1] if ends[0] == ring[-1] else ends[0])
    children = {cluster_of[index[joints[j].child]] for j in path}
    ground = next(k for k, cluster in enumerate(ring) if cluster not in children)
    around = [*path, -1]  # joints between ring[k] and ring[k + 1]; the closure after the last
    links = ring[ground:] + ring[:ground]
    between = around[ground:] + around[:ground]
    if between[0] == -1 or 0 <= between[3] < between[0]:
        # walk the other way round, so that the input is the ground's first joint in the file
        links = [links[0], *links[:0:-1]]
        between = between[::-1]
    a, b, c, d = links
    ab, bc, cd, da = between
    return FourBar((a, b, c, d), (ab, bc, cd, da), number, ab)


def _planar(topology: Topology, number: int, path: list[int]) -> bool:
    """Whether all four hinges of a loop are parallel, whatever the joints' positions.

    A hinge's axis does not change under its own rotation, so axes are compared cluster by
    cluster: in each of the four, the axes of its two hinges must be parallel.
    """
    closure = topology.closures[number]
    joints, index = topology.robot.joints, topology.robot.link_index
    in_cluster: dict[int, list[NDArray[np.float64]]] = defaultdict(list)

    def add(link: int, axis: NDArray[np.float64]) -> None:
        R_CL = topology.pose_in_cluster[link][:3, :3]
        in_cluster[topology.cluster_of[link]].append(R_CL @ axis)

    for j in path:
        child = index[joints[j].child]
        R_JL = topology.robot.links[child].pose[:3, :3]
        add(index[joints[j].parent], _axis(joints[j], joints[j].origin[:3, :3]))
        add(child, _axis(joints[j], R_JL.T))
    for j in (closure.forward, closure.backward):
        add(index[joints[j].parent], _axis(joints[j], joints[j].origin[:3, :3]))
    return all(_parallel(*axes) for axes in in_cluster.values())


def _axis(joint: Joint, rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    turned: NDArray[np.float64] = rotation @ np.asarray(joint.axis, dtype=float)
    return turned


def _parallel(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    return float(np.linalg.norm(np.cross(a, b))) < PARALLEL


def _contracted(topology: Topology, raw: tuple[Edge, ...], four_bars: list[FourBar]) -> list[Edge]:
    """Rules (i) to (iii) of Algorithm 1, on lists of edges."""
    inside = {j for four_bar in four_bars for j in four_bar.joints if j >= 0}
    edges = [edge for edge in raw if edge.joint not in inside]
    ends = topology.actuator_clusters
    for number, four_bar in enumerate(four_bars):
        ground, *others = four_bar.links
        members = set(others)
        with_children = {edge.parent for edge in edges} | {
            other.links[0] for k, other in enumerate(four_bars) if k != number
        }
        with_actuators = {cluster for pair in ends for cluster in pair}
        edges += [
            Edge(ground, cluster, "generalized", four_bar.input, number)
            for cluster in others
            if cluster in with_children or cluster in with_actuators
        ]
        spanned = dict.fromkeys((t, r) for t, r in ends if t in members and r in members and t != r)
        edges += [Edge(t, r, "generalized", four_bar.input, number) for t, r in spanned]
    return edges
