"""The graph of a machine at three stages of its analysis.

`raw` is the machine as it stands in its file, `contracted` has generalized joints instead of its
four-bars (Algorithm 1 of the MineRobot paper), `itep` shows for each redundant group of actuators
what it moves when all others are locked (Algorithm 2). Links keep their places in every stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from ..description import Robot
from ..errors import ExportError
from ..topology import MEANING, Closure, Itep, Topology, analyse, counted, kind_of
from .canvas import QUIET, TIMES, checked_path
from .graph import STYLES, DrawnEdge, Enclosure, Graph, Kind, Node, lay_out
from .page import draw_graph
from .panels import Panel, draw_panels

STAGES = ("raw", "contracted", "itep")
BADGES = {
    "A": STYLES["prismatic"][0],
    "B": STYLES["revolute"][0],
    "C": STYLES["generalized"][0],
    "D": "#16602a",
    "?": QUIET,
}
DOT = "   \u00b7   "


def draw_topology(robot: Robot, path: str | Path, stage: str = "raw") -> Path:
    """Draw the graph of a machine: links as nodes, joints and actuators as edges.

    Tubes and rods are left out: an actuator is one edge from its tube's parent to its rod's
    parent, and a redundant group is one edge with its name and the number of its members. The
    two joints that close a loop are one edge with arrows both ways.

    Args:
        robot: the machine.
        path: the file to write: .png, .svg or .pdf.
        stage: "raw", the machine as it stands; "contracted", with generalized joints for its
            four-bars; "itep", what each redundant group moves when all others are locked.

    Returns:
        The path written.

    Raises:
        ExportError: another suffix or stage, or a file that cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    if not isinstance(stage, str) or stage not in STAGES:
        raise ExportError(f"found stage {stage!r}, expected {', '.join(map(repr, STAGES))}")
    path = checked_path(path)
    topology = analyse(robot)
    raw = raw_graph(topology)
    if stage == "raw":
        return draw_graph(raw, path)
    places = lay_out(raw)
    if stage == "contracted":
        return draw_graph(contracted_graph(topology), path, places)
    position = _positions(topology)
    clusters = [position[name] for name in topology.cluster_names]
    panels = itep_panels(topology)
    return draw_panels(robot.name, itep_facts(topology), panels, places.pixels[clusters], path)


# --------------------------------------------------------------------- raw


def raw_graph(topology: Topology) -> Graph:
    """Nodes and edges of a machine as it stands in its file."""
    robot, position = topology.robot, _positions(topology)
    edges = [_joint_edge(topology, j) for j in topology.tree_joints]
    edges += [_closure_edge(topology, pair) for pair in topology.closures]
    ends = [(position[a.tube_parent], position[a.rod_parent]) for a in robot.actuators]
    for group in range(len(robot.groups)):
        edges += _group_edges(topology, group, ends)
    facts = counted(topology.counts)
    if robot.machine_class:
        facts = f"{robot.machine_class}{DOT}{facts}"
    return Graph(robot.name, facts, _link_nodes(topology), tuple(edges))


def _positions(topology: Topology) -> dict[str, int]:
    """Position of the node of every main link: the root's first, then as in the file."""
    links = topology.robot.main_links
    root = topology.robot.links[topology.root].name
    names = [root, *(link.name for link in links if link.name != root)]
    return {name: i for i, name in enumerate(names)}


def _link_nodes(topology: Topology) -> tuple[Node, ...]:
    """A node a main link, numbered as in the file; the first of every cluster is a main one."""
    robot, leading = topology.robot, set(topology.cluster_names)
    numbers = {link.name: i for i, link in enumerate(robot.main_links)}
    return tuple(
        Node(str(numbers[name]), name, name in leading, name == robot.end_effector)
        for name in _positions(topology)
    )


def _joint_edge(topology: Topology, j: int) -> DrawnEdge:
    """The edge of one joint, between links."""
    joint, position = topology.robot.joints[j], _positions(topology)
    kind: Kind = "other"
    if joint.kind.is_fixed:
        kind = "fixed"
    elif j not in topology.spinning:
        kind = kind_of(joint)
    return DrawnEdge(position[joint.parent], position[joint.child], kind, joint.name, joint=j)


def _closure_edge(topology: Topology, closure: Closure) -> DrawnEdge:
    return replace(_joint_edge(topology, closure.forward), both=True)


def _group_edges(
    topology: Topology, group: int, ends: Sequence[tuple[int, int]], kind: Kind = "actuator"
) -> list[DrawnEdge]:
    """Edges of a redundant group, given the nodes of every actuator's mounts.

    Members of a group may connect different links: one arrow a pair of links.
    """
    robot = topology.robot
    pairs: dict[tuple[int, int], int] = {}
    for i in robot.groups[group]:
        pairs[ends[i]] = pairs.get(ends[i], 0) + 1
    name = robot.group_names[group]
    return [
        DrawnEdge(
            source, target, kind, f"{name} {TIMES} {count}" if count > 1 else name, group=group
        )
        for (source, target), count in pairs.items()
    ]


# -------------------------------------------------------------- contracted


def contracted_graph(topology: Topology) -> Graph:
    """The raw graph's nodes, with generalized joints instead of four-bars.

    What was contracted or merged is there, but faint; loops that are no planar four-bars stay as
    they are.
    """
    position, found = _positions(topology), topology.contraction
    at = [position[name] for name in topology.cluster_names]
    kept = _cluster_edges(topology)
    for group in range(len(topology.robot.groups)):
        kept += _group_edges(topology, group, topology.actuator_clusters)
    gone = [_moved(edge, at) for edge in _four_bar_edges(topology)]
    gone += [_joint_edge(topology, j) for j in topology.tree_joints if not _moves(topology, j)]
    several = len(found.four_bars) > 1
    hulls = tuple(
        Enclosure(tuple(at[n] for n in four_bar.links), f"four-bar {i}" if several else "four-bar")
        for i, four_bar in enumerate(found.four_bars, 1)
    )
    edges = [_moved(edge, at) for edge in kept]
    busy = {end for edge in edges for end in (edge.source, edge.target)}
    idle = {n for hull in hulls for n in hull.nodes} - busy
    nodes = tuple(
        replace(node, faint=not node.main or i in idle)
        for i, node in enumerate(_link_nodes(topology))
    )
    edges += [replace(edge, label="", faint=True) for edge in gone]
    facts = contracted_facts(topology)
    return Graph(topology.robot.name, facts, nodes, tuple(edges), hulls, "contracted or merged")


def contracted_facts(topology: Topology) -> str:
    """What contraction has found, in words."""
    found = topology.contraction
    four_bars = len(found.four_bars)
    generalized = sum(edge.kind == "generalized" for edge in found.edges)
    counts = counted({"four-bars": four_bars, "generalized joints": generalized})
    facts = f"contracted{DOT}{counts if four_bars else 'no four-bars'}"
    if found.leftover:
        loops = counted({"loops": len(found.leftover)})
        facts += f"{DOT}{loops} left that {'are' if len(found.leftover) > 1 else 'is'} no four-bar"
    return facts


def _moves(topology: Topology, j: int) -> bool:
    return j in topology.moving_joints


def _moved(edge: DrawnEdge, at: Sequence[int]) -> DrawnEdge:
    """An edge between clusters as one between the nodes that stand for them."""
    return replace(edge, source=at[edge.source], target=at[edge.target])


def _cluster_edges(topology: Topology) -> list[DrawnEdge]:
    """Edges between clusters after contraction: one for every edge there, and the loops left."""
    joints, found = topology.robot.joints, topology.contraction
    edges = [
        DrawnEdge(edge.parent, edge.child, edge.kind, joints[edge.joint].name, joint=edge.joint)
        for edge in found.edges
    ]
    contracted = {four_bar.closure for four_bar in found.four_bars}
    for number, closure in enumerate(topology.closures):
        if number not in contracted:
            joint = joints[closure.forward]
            kind: Kind = "revolute" if joint.kind.is_hinge else "other"
            index, cluster_of = topology.robot.link_index, topology.cluster_of
            source, target = cluster_of[index[joint.parent]], cluster_of[index[joint.child]]
            edges.append(
                DrawnEdge(source, target, kind, joint.name, both=True, joint=closure.forward)
            )
    return edges


def _four_bar_edges(topology: Topology) -> list[DrawnEdge]:
    """Edges between clusters that contraction took away, each once.

    Where a generalized joint has taken the very place of a joint, that is left out.
    """
    raw = {edge.joint: edge for edge in topology.contraction.raw}
    replaced = {
        frozenset((edge.parent, edge.child))
        for edge in topology.contraction.edges
        if edge.kind == "generalized"
    }
    edges: dict[DrawnEdge, None] = {}
    for four_bar in topology.contraction.four_bars:
        for k, j in enumerate(four_bar.joints):
            if j >= 0:
                edge = DrawnEdge(raw[j].parent, raw[j].child, "revolute")
            else:
                edge = DrawnEdge(
                    four_bar.links[k], four_bar.links[(k + 1) % 4], "revolute", both=True
                )
            edges[edge] = None
    return [edge for edge in edges if {edge.source, edge.target} not in replaced]


# -------------------------------------------------------------------- itep


def itep_facts(topology: Topology) -> str:
    """How many groups there are of which type, in words."""
    types = [itep.type for itep in topology.iteps]
    listed = ", ".join(f"{types.count(t)} {TIMES} {t}" for t in MEANING if t in types)
    groups = counted({"redundant groups": len(types)})
    return f"what each group moves with all others locked{DOT}{groups}" + (
        f"{DOT}{listed}" if listed else ""
    )


def itep_panels(topology: Topology) -> list[Panel]:
    """A panel a redundant group; its nodes are the clusters, whatever the group."""
    if not topology.iteps:
        graph = _itep_graph(topology, None)
        return [Panel("\u2013", QUIET, "no actuators", "", ("nothing is driven",), graph)]
    return [_itep_panel(topology, itep) for itep in topology.iteps]


def _itep_panel(topology: Topology, itep: Itep) -> Panel:
    """Heading and graph of one group."""
    robot = topology.robot
    name = robot.group_names[itep.group]
    members = [robot.actuators[i].name for i in robot.groups[itep.group]]
    words = [f"type {itep.type}, {MEANING[itep.type]}"]
    if itep.driving >= 0:
        words.append(f"drives {robot.joints[itep.driving].name}")
    if itep.locked_by >= 0:
        words.append(f"loop closed by {robot.group_names[itep.locked_by]}, locked")
    lines = (DOT.join(words), itep.reason) if itep.reason else (DOT.join(words),)
    aside = "" if members == [name] else ", ".join(members)
    return Panel(itep.type, BADGES[itep.type], name, aside, lines, _itep_graph(topology, itep))


def _itep_graph(topology: Topology, itep: Itep | None) -> Graph:
    """The contracted graph: what a group moves is strong and named, all else faint."""
    ends = topology.actuator_clusters
    edges = [_itep_edge(topology, i, edge, itep) for i, edge in enumerate(_cluster_edges(topology))]
    for group in range(len(topology.robot.groups)):
        own = itep is not None and group == itep.group
        locked = itep is not None and group == itep.locked_by
        drawn = _group_edges(topology, group, ends, "locked" if locked else "actuator")
        if own:  # its name is in the heading
            drawn = [replace(edge, label="") for edge in drawn]
        edges += drawn if own or locked else [_faint(edge) for edge in drawn]
    strong = {end for edge in edges if not edge.faint for end in (edge.source, edge.target)}
    strong |= set(itep.path) if itep else set()
    links = {node.name: node for node in _link_nodes(topology)}
    nodes = tuple(
        replace(
            links[name],
            name=name if n in strong else "",
            marked=topology.robot.end_effector in _members(topology, n),
            faint=n not in strong,
        )
        for n, name in enumerate(topology.cluster_names)
    )
    found = topology.contraction
    moving = {edge.four_bar for edge in itep.edges} if itep else set()
    hulls = tuple(
        Enclosure(four_bar.links, faint=i not in moving)
        for i, four_bar in enumerate(found.four_bars)
    )
    return Graph("", "", nodes, tuple(edges), hulls, "rest of the machine")


def _itep_edge(topology: Topology, number: int, edge: DrawnEdge, itep: Itep | None) -> DrawnEdge:
    """A joint of the contracted graph: as it is if it moves, held if it is on the path only."""
    found = topology.contraction.edges
    if itep is None or number >= len(found):
        return _faint(edge)
    if found[number] in itep.edges:
        return edge
    steps = {frozenset(step) for step in pairwise(itep.path)}
    if {edge.source, edge.target} not in steps:
        return _faint(edge)
    return edge if itep.type == "?" else replace(edge, kind="held")


def _faint(edge: DrawnEdge) -> DrawnEdge:
    return replace(edge, label="", faint=True)


def _members(topology: Topology, cluster: int) -> set[str]:
    return {topology.robot.links[link].name for link in topology.clusters[cluster]}
