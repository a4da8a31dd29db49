"""A machine's graph at its three stages, as a page draws it."""

from __future__ import annotations

import numpy as np

from ..kinematics import equation
from ..machine import Machine
from ..pictures import (
    BADGES,
    STYLES,
    Graph,
    PlacedNode,
    contracted_graph,
    itep_panels,
    narrow_layout,
    narrow_places,
    placed,
    raw_graph,
)
from ..protocol.sheets import (
    EdgeKind,
    EquationSheet,
    Figure,
    GraphEdge,
    GraphHull,
    GraphNode,
    GraphSheet,
    ItepSheet,
    Lit,
    LitPart,
    Pin,
    TopologySheet,
    Unknown,
    Vector,
)
from ..topology import Itep, Topology, kind_of

DECIMALS = 1  # of places in a drawing


def topology_sheet(machine: Machine, scene: int) -> TopologySheet:
    """All three stages of a machine, links at the same places in each."""
    topology = machine.topology
    raw, contracted = raw_graph(topology), contracted_graph(topology)
    places = narrow_places(raw)
    at = {node.name: n for n, node in enumerate(raw.nodes)}
    heads = [at[name] for name in topology.cluster_names]
    cluster_links = [
        tuple(topology.robot.links[link].name for link in members) for members in topology.clusters
    ]
    panels = itep_panels(topology) if topology.iteps else []
    like = narrow_layout(panels[0].graph, places[heads]) if panels else None
    single: list[tuple[str, ...]] = [(node.name,) for node in raw.nodes]
    return TopologySheet(
        scene=scene,
        colors={kind: style[0] for kind, style in STYLES.items()},
        badges=dict(BADGES),
        counts=dict(topology.counts),
        leftover=topology.contraction.leftover,
        four_bars=tuple(
            tuple(topology.cluster_names[n] for n in ring.links)
            for ring in topology.contraction.four_bars
        ),
        raw=_graph(topology, placed(raw, narrow_layout(raw, places)), single),
        contracted=_graph(topology, placed(contracted, narrow_layout(contracted, places)), single),
        iteps=tuple(
            _itep(
                machine, itep, raw, contracted, heads,
                _graph(topology, placed(panel.graph, like), cluster_links),
            )
            for itep, panel in zip(topology.iteps, panels, strict=True)
            if like is not None
        ),
    )  # fmt: skip


# -------------------------------------------------------------------- graph


def _graph(topology: Topology, shown: PlacedNode, links: list[tuple[str, ...]]) -> GraphSheet:
    graph, names, pixels = shown.graph, shown.names, shown.layout.pixels
    joints = topology.robot.joints
    nodes = tuple(
        GraphNode(
            node.number, node.name, links[n], *_point(pixels[n]), *_point(names.nodes[n]),
            node.main, node.marked, node.faint,
        )
        for n, node in enumerate(graph.nodes)
    )  # fmt: skip
    edges = []
    for edge, line, name in zip(graph.edges, shown.layout.lines, names.edges, strict=True):
        x, y = (0.0, 0.0) if name is None else _point(name.place)
        edges.append(
            GraphEdge(
                edge.source, edge.target, edge.kind, edge.label, x, y,
                0.0 if name is None else round(-name.angle, DECIMALS),
                joints[edge.joint].name if edge.joint >= 0 else "", edge.group, edge.both,
                edge.faint, _bezier(line),
            )
        )  # fmt: skip
    hulls = tuple(
        GraphHull(
            tuple(_around(hull.nodes, pixels)), hull.name,
            *((0.0, 0.0) if place is None else _point(place)), hull.faint,
        )
        for hull, place in zip(graph.hulls, names.hulls, strict=True)
    )  # fmt: skip
    left, top, width, height = (round(value, DECIMALS) for value in shown.box)
    size = shown.size
    return GraphSheet(
        nodes, tuple(edges), hulls, (left, top, width, height), size.radius, size.line,
        (size.number, size.name, size.actuator, size.joint),
    )  # fmt: skip


def _point(place: np.ndarray) -> tuple[float, float]:
    return round(float(place[0]), DECIMALS), round(float(place[1]), DECIMALS)


def _bezier(line: np.ndarray) -> tuple[float, float, float, float, float, float]:
    """Points of a quadratic curve, evenly spaced in its parameter, as start, control and end."""
    start, end = line[0], line[-1]
    half = (len(line) - 1) / 2
    middle = (line[int(np.floor(half))] + line[int(np.ceil(half))]) / 2
    return (*_point(start), *_point(2 * middle - (start + end) / 2), *_point(end))


def _around(nodes: tuple[int, ...], pixels: np.ndarray) -> list[int]:
    """Nodes in the order in which they stand around their middle."""
    away = pixels[list(nodes)] - pixels[list(nodes)].mean(axis=0)
    return [nodes[k] for k in np.argsort(np.arctan2(away[:, 1], away[:, 0]))]


# -------------------------------------------------------------------- iteps


def _itep(
    machine: Machine,
    itep: Itep,
    raw: Graph,
    contracted: Graph,
    heads: list[int],
    graph: GraphSheet,
) -> ItepSheet:
    topology, robot = machine.topology, machine.robot
    clusters, joints = _parts(topology, itep)
    links = _links(topology, itep, clusters)
    moving = {topology.contraction.edges.index(edge) for edge in itep.edges}
    own = {itep.group, itep.locked_by} - {-1}
    return ItepSheet(
        group=robot.group_names[itep.group],
        members=tuple(robot.actuators[i].name for i in robot.groups[itep.group]),
        type=itep.type,
        reason=itep.reason,
        driving=robot.joints[itep.driving].name if itep.driving >= 0 else "",
        locked_by=robot.group_names[itep.locked_by] if itep.locked_by >= 0 else "",
        path=tuple(topology.cluster_names[n] for n in itep.path),
        links=links,
        pins=tuple(_pin(topology, j) for j in joints),
        equation=_equation(machine, itep.group),
        raw=LitPart(
            tuple(n for n, node in enumerate(raw.nodes) if node.name in links),
            tuple(n for n, e in enumerate(raw.edges) if e.joint in joints or e.group in own),
        ),
        contracted=LitPart(
            tuple(sorted(heads[cluster] for cluster in clusters)),
            tuple(n for n, e in enumerate(contracted.edges) if n in moving or e.group in own),
        ),
        graph=graph,
    )


def _parts(topology: Topology, itep: Itep) -> tuple[list[int], list[int]]:
    """Clusters and joints of an ITEP; a generalized joint stands for its whole four-bar."""
    clusters, joints = set(itep.path), []
    for edge in itep.edges:
        clusters |= {edge.parent, edge.child}
        if edge.four_bar < 0:
            joints.append(edge.joint)
            continue
        ring = topology.contraction.four_bars[edge.four_bar]
        clusters |= set(ring.links)
        closing = topology.closures[ring.closure].forward
        joints += [j if j >= 0 else closing for j in ring.joints]
    return sorted(clusters), list(dict.fromkeys(joints))


def _links(topology: Topology, itep: Itep, clusters: list[int]) -> dict[str, Lit]:
    """What every link of an ITEP is; the ground is what lies nearest to the root."""
    robot = topology.robot
    found: dict[str, Lit] = {}
    ground = min(clusters, key=lambda n: len(topology.path_to_root(topology.clusters[n][0])),
                 default=-1)  # fmt: skip
    for cluster in clusters:
        for link in topology.clusters[cluster]:
            found[robot.links[link].name] = "ground" if cluster == ground else "moves"
    roles: tuple[tuple[int, Lit], ...] = ((itep.locked_by, "locked"), (itep.group, "actuator"))
    for group, role in roles:
        for i in robot.groups[group] if group >= 0 else ():
            found[robot.actuators[i].tube] = found[robot.actuators[i].rod] = role
    return found


def _pin(topology: Topology, j: int) -> Pin:
    """Where a joint is in its parent link."""
    joint = topology.robot.joints[j]
    kind: EdgeKind = kind_of(joint)
    axis = np.zeros(3) if joint.axis is None else joint.origin[:3, :3] @ np.asarray(joint.axis)
    size = float(np.linalg.norm(axis))
    return Pin(
        joint.name, kind, joint.parent, vector(joint.origin[:3, 3]), vector(axis / (size or 1.0))
    )


def vector(values: np.ndarray) -> Vector:
    """Three numbers."""
    x, y, z = map(float, values)
    return x, y, z


def _equation(machine: Machine, group: int) -> EquationSheet:
    found = equation(machine.kinematics, group)
    return EquationSheet(
        found.lines,
        tuple(Unknown(*unknown) for unknown in found.unknowns),
        tuple(Figure(*number) for number in found.numbers),
        found.solver,
    )
