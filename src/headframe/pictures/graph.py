"""Drawings of a machine's graph: links as nodes, joints and actuators as edges.

A drawing is made from a plain list of nodes and typed edges (`Graph`), so that every stage of the
analysis - the machine as it stands, contracted, or in terms of its actuated parts - can be drawn
by the same function.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..description import Robot
from ..topology import analyse, counted
from .canvas import (
    DPI,
    INK,
    QUIET,
    TIMES,
    checked_path,
    new_figure,
    panel,
    save,
    shortened,
    text_size,
)
from .layout import bend_edges, beyond, columns_of, curve, place_nodes

Kind = Literal["revolute", "prismatic", "fixed", "other", "actuator", "generalized"]
STYLES: dict[Kind, tuple[str, str, str]] = {
    # colour, line, what the legend says; the colours are those of paper 002
    "revolute": ("#5aaee6", "-", "revolute joint"),
    "prismatic": ("#1f4e9c", "-", "prismatic joint"),
    "fixed": ("#9aa1a8", "-", "fixed joint"),
    "other": ("#5aaee6", "--", "spinning or other joint"),
    "actuator": ("#ee7d16", "-", "actuator, from tube to rod"),
    "generalized": ("#2f9e44", "-", "generalized joint"),
}
HEADER, LEGEND, MARGIN = 84, 56, 110
COLUMN, ROW = (200.0, 270.0), 116.0  # distance of nodes [px]; columns fit the edges' names
RADIUS = 19.0  # of a node [px]
NODE_TEXT = 11.5

Floats = NDArray[np.float64]
Point = NDArray[np.float64]
Box = tuple[Point, NDArray[np.float64]]  # middle, half of width and height [px]


@dataclass(frozen=True)
class Node:
    """A link, or several that count as one.

    `main` ones are drawn in strong colours; `marked` ones (the end-effector) have a ring.
    """

    number: str
    name: str
    main: bool = True
    marked: bool = False


@dataclass(frozen=True)
class Edge:
    """An edge between two nodes, given by position; `both` puts an arrow at each end."""

    source: int
    target: int
    kind: Kind
    label: str = ""
    both: bool = False


@dataclass(frozen=True)
class Graph:
    """What is drawn. Node 0 is the root."""

    title: str
    facts: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def draw_topology(robot: Robot, path: str | Path) -> Path:
    """Draw the graph of a machine: links as nodes, joints and actuators as edges.

    Tubes and rods are left out: an actuator is one edge from its tube's parent to its rod's
    parent, and a redundant group is one edge with its name and the number of its members. The
    two joints that close a loop are one edge with arrows both ways.

    Args:
        robot: the machine.
        path: the file to write: .png, .svg or .pdf.

    Returns:
        The path written.

    Raises:
        ExportError: another suffix, or a file that cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    return draw_graph(topology_graph(robot), path)


def topology_graph(robot: Robot) -> Graph:
    """Nodes and edges of a machine as it stands in its file."""
    topology = analyse(robot)
    root = robot.links[topology.root].name
    names = [root, *(link.name for link in robot.main_links if link.name != root)]
    position = {name: i for i, name in enumerate(names)}
    numbers = {link.name: i for i, link in enumerate(robot.main_links)}
    leading = {robot.links[members[0]].name for members in topology.clusters}
    nodes = tuple(
        Node(str(numbers[name]), name, name in leading, name == robot.end_effector)
        for name in names
    )

    edges = [_joint_edge(robot, j, position, topology.spinning) for j in topology.tree_joints]
    for pair in topology.closures:
        edge = _joint_edge(robot, pair.forward, position, frozenset())
        edges.append(Edge(edge.source, edge.target, edge.kind, edge.label, both=True))
    for name, members in zip(robot.group_names, robot.groups, strict=True):
        # members of a group may connect different links: one arrow a pair of links
        pairs: dict[tuple[int, int], int] = {}
        for i in members:
            actuator = robot.actuators[i]
            ends = (position[actuator.tube_parent], position[actuator.rod_parent])
            pairs[ends] = pairs.get(ends, 0) + 1
        for (source, target), count in pairs.items():
            label = f"{name} {TIMES} {count}" if count > 1 else name
            edges.append(Edge(source, target, "actuator", label))
    facts = counted(topology.counts)
    if robot.machine_class:
        facts = f"{robot.machine_class}   ·   {facts}"
    return Graph(robot.name, facts, nodes, tuple(edges))


def _joint_edge(robot: Robot, j: int, position: dict[str, int], spinning: frozenset[int]) -> Edge:
    """The edge of one joint."""
    joint = robot.joints[j]
    kind: Kind = "other"
    if j not in spinning and joint.type in ("revolute", "prismatic", "fixed"):
        kind = joint.type
    return Edge(position[joint.parent], position[joint.child], kind, joint.name)


# ----------------------------------------------------------------- drawing


def draw_graph(graph: Graph, path: str | Path) -> Path:
    """Draw nodes and edges; see `draw_topology` for the errors."""
    path = checked_path(path)
    pixels, lines = _lay_out(graph)
    ink = np.concatenate([pixels, *lines])
    low = ink.min(axis=0) - np.array([MARGIN, 64.0])
    high = ink.max(axis=0) + np.array([MARGIN, 52.0])
    width = int(max(1200.0, high[0] - low[0]))
    height = int(max(200.0, high[1] - low[1]))
    shift = (np.array([width, height]) - low - high) / 2
    pixels, lines = pixels + shift, [line + shift for line in lines]

    figure = new_figure(width, HEADER + height + LEGEND)
    axes = panel(figure, 0, HEADER, width, height)
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    for edge, line in zip(graph.edges, lines, strict=True):
        _draw_edge(axes, edge, line)
    taken = [
        _draw_node(axes, node, at, lines) for node, at in zip(graph.nodes, pixels, strict=True)
    ]
    _label_edges(axes, graph.edges, lines, [*taken, *((at, np.full(2, RADIUS)) for at in pixels)])
    _legend(figure, graph, height)
    return save(figure, path)


def _lay_out(graph: Graph) -> tuple[Floats, list[Floats]]:
    """Middles of the nodes, (n, 2), and the edges' curves between their rims [px]."""
    joints = [(e.source, e.target) for e in graph.edges if e.kind != "actuator"]
    pairs = [(e.source, e.target) for e in graph.edges]
    columns = columns_of(len(graph.nodes), joints, pairs)
    places = place_nodes(columns, pairs)
    longest = max((len(edge.label) for edge in graph.edges), default=0)
    step = float(np.clip(7.2 * longest + 4 * RADIUS, *COLUMN))
    pixels = np.column_stack([step * places[:, 0], -ROW * places[:, 1]])
    lines = []
    for (source, target), bend in zip(pairs, bend_edges(pixels, RADIUS, pairs), strict=True):
        line = curve(pixels[source], pixels[target], bend, 201)
        for end in (source, target):
            line = line[beyond(line, pixels[end], RADIUS + 4.0)]
        if len(line) < 2:  # two nodes at one place: cannot be, but must not break a drawing
            line = np.linspace(pixels[source], pixels[target] + 1.0, 20)
        lines.append(line)
    return pixels, lines


def _draw_node(axes: Any, node: Node, at: Point, lines: list[Floats]) -> Box:
    """A circle with its number, its name where fewer edges are; the box that the name takes."""
    from matplotlib.patches import Circle

    strong = {"facecolor": "#2b3a49", "edgecolor": "#2b3a49"}
    pale = {"facecolor": "#eef1f4", "edgecolor": "#8d99a5"}
    middle = (float(at[0]), float(at[1]))
    axes.add_patch(
        Circle(middle, RADIUS, linewidth=1.6, zorder=5, **(strong if node.main else pale))
    )
    if node.marked:
        axes.add_patch(
            Circle(
                middle, RADIUS - 4, linewidth=1.4, zorder=5, fill=False,
                edgecolor="white" if node.main else "#8d99a5",
            )
        )  # fmt: skip
    axes.text(
        *at, node.number, fontsize=13, fontweight="bold", parse_math=False, zorder=6,
        ha="center", va="center_baseline", color="white" if node.main else INK,
    )  # fmt: skip
    text = axes.text(
        *at, shortened(node.name, 26), fontsize=NODE_TEXT, parse_math=False, zorder=6,
        ha="center", va="center_baseline", color=INK, path_effects=_rim(),
    )  # fmt: skip
    half = text_size(text) / 2 + 3.0
    down = np.array([0.0, RADIUS + half[1] + 1.0])
    aside = np.array([RADIUS + half[0] + 3.0, 0.0])
    best, place = np.inf, at
    for spot, dislike in ((at + down, 0), (at - down, 2), (at - aside, 12), (at + aside, 12)):
        covers = sum(int((np.abs(line - spot) < half).all(axis=1).sum()) for line in lines)
        if covers + dislike < best:
            best, place = covers + dislike, spot
    text.set_position(place)
    return place, half


def _rim() -> list[Any]:
    """A white rim that keeps text readable over lines."""
    from matplotlib import patheffects

    return [patheffects.withStroke(linewidth=3.0, foreground="white")]


def _draw_edge(axes: Any, edge: Edge, line: Floats) -> None:
    """A curve with an arrow at its target, or at both ends."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as Outline

    color, dash, _ = STYLES[edge.kind]
    strong = edge.kind in ("actuator", "generalized")
    if dash == "--":  # the arrow's head apart from the line: dashes would cut it
        axes.plot(*line[:-12].T, color=color, linewidth=2.4, linestyle=(0, (3.2, 1.6)), zorder=3)
        line = line[-14:]
    axes.add_patch(
        FancyArrowPatch(
            path=Outline(line),
            arrowstyle="<|-|>" if edge.both else "-|>",
            mutation_scale=15,
            linewidth=2.4,
            color=color,
            capstyle="butt",
            joinstyle="round",
            zorder=4 if strong else 3,
        )
    )


def _label_edges(axes: Any, edges: tuple[Edge, ...], lines: list[Floats], taken: list[Box]) -> None:
    """Names along the edges, each where it covers least; actuators choose first."""
    order = sorted(range(len(edges)), key=lambda i: edges[i].kind != "actuator")
    for i in order:
        edge, line = edges[i], lines[i]
        if not edge.label:
            continue
        strong = edge.kind == "actuator"
        artist = axes.text(
            0, 0, shortened(edge.label, 26), fontsize=10.5 if strong else 9.0, parse_math=False,
            ha="center", va="center", rotation_mode="anchor", zorder=7, path_effects=_rim(),
            color="#b85c06" if strong else "#66727e",
        )  # fmt: skip
        width, height = text_size(artist)
        place, angle, spots = _best_spot(line, width, height, lines, taken)
        artist.set_position(place)
        artist.set_rotation(angle)
        taken.extend((spot, np.full(2, height / 2)) for spot in spots)


def _best_spot(
    line: Floats, width: float, height: float, lines: list[Floats], taken: list[Box]
) -> tuple[Point, float, Floats]:
    """Where along a line, and on which side, a text covers least; its angle; its points."""
    boxes = np.array([place for place, _ in taken]).reshape(-1, 2)
    halves = np.array([half for _, half in taken]).reshape(-1, 2)
    drawn = np.concatenate(lines)
    best: tuple[float, Point, float, Floats] | None = None
    for stop in np.linspace(0.2, 0.8, 25):
        k = int(stop * (len(line) - 1))
        along = line[min(k + 3, len(line) - 1)] - line[max(k - 3, 0)]
        along = along / max(float(np.linalg.norm(along)), 1e-9)
        if along[0] < 0:
            along = -along
        normal = np.array([-along[1], along[0]])
        for side in (-1.0, 1.0):
            place = line[k] + side * (height / 2 + 4.0) * normal
            spots = place + np.linspace(-0.5, 0.5, 9)[:, None] * (width - height) * along
            inside = np.abs(spots[:, None] - boxes) < halves + height / 2 + 2.0
            near = np.linalg.norm(spots[:, None] - drawn, axis=-1).min(axis=1) < height / 2 + 1.5
            cost = 30.0 * int(inside.all(axis=-1).any(axis=1).sum()) + 12.0 * int(near.sum())
            cost += 8.0 * abs(stop - 0.5) + (0.5 if side > 0 else 0.0)
            if best is None or cost < best[0] - 1e-9:
                angle = -float(np.degrees(np.arctan2(along[1], along[0])))
                best = (cost, place, angle, spots)
    assert best is not None  # for the type checker: there are always stops
    return best[1:]


def _legend(figure: Any, graph: Graph, height: int) -> None:
    """Title above, and below what the colours mean, for those that occur."""
    width, full = figure.get_size_inches() * DPI
    for line, text, size, color, weight in (
        (40, graph.title, 23, INK, "bold"),
        (68, graph.facts, 13, QUIET, "normal"),
    ):
        figure.text(
            28 / width, 1 - line / full, shortened(text, 90), fontsize=size, color=color,
            fontweight=weight, parse_math=False,
        )  # fmt: skip
    axes = panel(figure, 0, HEADER + height, width, LEGEND)
    axes.set_xlim(0, width)
    axes.set_ylim(LEGEND, 0)
    axes.set_axis_off()
    kinds = [kind for kind in STYLES if any(edge.kind == kind for edge in graph.edges)]
    entries = [(Edge(0, 0, kind), STYLES[kind][2]) for kind in kinds]
    if any(edge.both for edge in graph.edges):
        entries.append((Edge(0, 0, "revolute", both=True), "pivot that closes a loop"))
    x, y = 28.0, LEGEND / 2
    for edge, meaning in entries:
        _draw_edge(axes, edge, np.column_stack([np.linspace(x, x + 44, 60), np.full(60, y)]))
        text = axes.text(x + 53, y, meaning, fontsize=10.5, color=INK, va="center_baseline")
        x += 53 + float(text_size(text)[0]) + 28
    if any(node.marked for node in graph.nodes):
        _draw_node(axes, Node("", "", marked=True), np.array([x + RADIUS, y]), [])
        axes.text(
            x + 2 * RADIUS + 9, y, "end-effector", fontsize=10.5, color=INK, va="center_baseline"
        )
