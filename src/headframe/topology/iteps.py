"""Algorithm 2 of the MineRobot paper: what each redundant group of actuators moves.

Lock all groups but one: the links and joints that can still move are that group's independent
topologically equivalent path (ITEP). Four types cover the machines of mining: a prismatic joint
(A), a revolute joint (B), a four-bar (C), and a four-bar in series with a hinge, held together by
a locked cylinder (D).

Where the print had to be corrected: one member of each locked group is locked, since locking all
would count the same loop twice; paths are searched in the contracted graph, not in the copy that
is being locked; and cylinders that are locked over the same two joints make these rigid.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .contraction import Contraction, Edge

if TYPE_CHECKING:
    from .graph import Topology

Type = Literal["A", "B", "C", "D", "?"]
TYPE_OF_EDGE: dict[str, Type] = {"prismatic": "A", "revolute": "B", "generalized": "C"}


@dataclass(frozen=True)
class Itep:
    """What one redundant group moves when all others are locked.

    Attributes:
        group: position in `Robot.groups`.
        type: A to D, or "?" for a structure outside the paper's scope.
        path: clusters from the tube's parent to the rod's; for type D back again through the
            link that carries the locked cylinder.
        edges: the connections that move.
        driving: position of the joint whose value is found from the length, -1 if unknown.
        locked_by: position of the group whose locked cylinder closes the loop of type D, or -1.
        reason: why the type is "?", for people.
    """

    group: int
    type: Type
    path: tuple[int, ...]
    edges: tuple[Edge, ...]
    driving: int = -1
    locked_by: int = -1
    reason: str = ""


def find_iteps(topology: Topology) -> tuple[Itep, ...]:
    """The ITEP of every redundant group, in the order of the groups."""
    contraction = topology.contraction
    paths = [_path(topology, contraction, members[0]) for members in topology.robot.groups]
    return tuple(_itep(topology, group, paths) for group in range(len(paths)))


def _itep(topology: Topology, active: int, paths: list[list[Edge] | None]) -> Itep:
    path = paths[active]
    if path is None or not path:
        reason = "no path between its mounts" if path is None else "its mounts cannot move apart"
        return Itep(active, "?", (), (), reason=reason)
    walk = _walk(topology.actuator_clusters[topology.robot.groups[active][0]][0], path)
    if topology.contraction.leftover:
        listed = ", ".join(topology.contraction.leftover)
        reason = f"loops that are no planar four-bars: {listed}"
        if set(_clusters_of_leftover(topology)) & _touched(path):
            return Itep(active, "?", walk, tuple(path), reason=reason)
    if loose := [edge for edge in path if edge.kind == "other"]:
        joint = topology.robot.joints[loose[0].joint]
        reason = f"joint {joint.name!r} is {joint.type}: it does not only turn, nor only slide"
        return Itep(active, "?", walk, tuple(path), reason=reason)
    locked, loops = _lock_others(paths, active)
    moving = tuple(edge for edge in path if edge not in locked)
    for group, loop in loops.items():
        if set(moving) <= set(loop) and {edge.kind for edge in loop} == {"generalized", "revolute"}:
            driving = next(edge.joint for edge in loop if edge.kind == "generalized")
            return Itep(active, "D", _around(walk, loop), loop, driving, group)
    if len(moving) == 1 and moving[0].kind in TYPE_OF_EDGE:
        (edge,) = moving
        return Itep(active, TYPE_OF_EDGE[edge.kind], walk, moving, edge.joint)
    reason = f"{len(moving)} joints move between its mounts"
    return Itep(active, "?", walk, moving, reason=reason)


def _lock_others(
    paths: list[list[Edge] | None], active: int
) -> tuple[set[Edge], dict[int, tuple[Edge, ...]]]:
    """Edges that do not move with every other group locked, and the loops of two that do.

    A locked cylinder over one moving edge fixes it. Over two it leaves one freedom between them,
    and a second cylinder over the same two takes that as well. Fixing an edge may leave another
    cylinder with one moving edge, so this goes on until nothing changes.
    """
    locked: set[Edge] = set()
    while True:
        loops: dict[int, tuple[Edge, ...]] = {}
        before = len(locked)
        for group, path in enumerate(paths):
            if group == active or path is None:
                continue
            if any(edge.kind == "other" for edge in path):
                continue
            moving = tuple(edge for edge in path if edge not in locked)
            if len(moving) == 1 or any(set(moving) == set(loop) for loop in loops.values()):
                locked.update(moving)
            elif len(moving) == 2:
                loops[group] = moving
        if len(locked) == before:
            return locked, loops


def _path(topology: Topology, contraction: Contraction, actuator: int) -> list[Edge] | None:
    """Edges of the contracted graph between an actuator's mounts, whatever their direction.

    Breadth first, so that a generalized joint laid across a four-bar for this very actuator is
    preferred to the two that lead through its ground.
    """
    tube, rod = topology.actuator_clusters[actuator]
    neighbours: dict[int, list[tuple[int, Edge]]] = {}
    for edge in contraction.edges:
        neighbours.setdefault(edge.parent, []).append((edge.child, edge))
        neighbours.setdefault(edge.child, []).append((edge.parent, edge))
    came: dict[int, tuple[int, Edge] | None] = {tube: None}
    waiting = deque([tube])
    while waiting:
        cluster = waiting.popleft()
        for other, edge in neighbours.get(cluster, ()):
            if other not in came:
                came[other] = (cluster, edge)
                waiting.append(other)
    if rod not in came:
        return None
    path: list[Edge] = []
    step = came[rod]
    while step is not None:
        cluster, edge = step
        path.append(edge)
        step = came[cluster]
    return path[::-1]


def _walk(start: int, path: list[Edge]) -> tuple[int, ...]:
    """Clusters from `start` along a path of edges that may point either way."""
    walk = [start]
    for edge in path:
        walk.append(edge.child if edge.parent == walk[-1] else edge.parent)
    return tuple(walk)


def _around(walk: tuple[int, ...], loop: tuple[Edge, ...]) -> tuple[int, ...]:
    """A loop of type D: along the walk, through the rest of the loop, back to the start."""
    rest = (cluster for cluster in sorted(_touched(loop)) if cluster not in walk)
    return (*walk, *rest, walk[0])


def _touched(path: Iterable[Edge]) -> set[int]:
    return {cluster for edge in path for cluster in (edge.parent, edge.child)}


def _clusters_of_leftover(topology: Topology) -> list[int]:
    """Clusters on loops that could not be contracted."""
    names = set(topology.contraction.leftover)
    clusters: list[int] = []
    for loop in topology.loops:
        if loop.name in names:
            for j in loop.joints:
                joint = topology.robot.joints[j]
                index = topology.robot.link_index
                clusters += [
                    topology.cluster_of[index[joint.parent]],
                    topology.cluster_of[index[joint.child]],
                ]
    return clusters
