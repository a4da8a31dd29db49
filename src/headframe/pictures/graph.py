"""Drawings of graphs: links as nodes, joints and actuators as edges.

A drawing is made from a plain list of nodes and typed edges (`Graph`), so that every stage of the
analysis - the machine as it stands, contracted, or in terms of its actuated parts - is drawn by
the same functions. What is in a stage is the business of `stages`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .canvas import DPI, INK, panel, shortened, text_size
from .layout import bend_edges, beyond, columns_of, curve, place_nodes

Kind = Literal[
    "revolute", "prismatic", "fixed", "other", "generalized", "held", "actuator", "locked"
]
STYLES: dict[Kind, tuple[str, str, str]] = {
    # colour, line, what the legend says; the colours are those of the MineRobot paper
    "revolute": ("#5aaee6", "-", "revolute joint"),
    "prismatic": ("#1f4e9c", "-", "prismatic joint"),
    "fixed": ("#9aa1a8", "-", "fixed joint"),
    "other": ("#5aaee6", "--", "spinning or other joint"),
    "generalized": ("#2f9e44", "-", "generalized joint, named after its input"),
    "held": ("#6b7681", "-", "joint that a locked actuator holds"),
    "actuator": ("#ee7d16", "-", "actuator, from tube to rod"),
    "locked": ("#8a4b12", "--", "locked actuator that closes the loop"),
}
ACTUATORS: tuple[Kind, ...] = ("actuator", "locked")
LABELS: dict[Kind, str] = {"actuator": "#b85c06", "locked": "#8a4b12", "generalized": "#24773a"}
HULL, HULL_RIM = "#eaf6ec", "#b9dfc1"
FAINT_HULL, FAINT_RIM = "#f8faf9", "#e7ede9"
PALE = "#9aa5af"  # texts of what is drawn faintly
COLUMN, ROW = (200.0, 270.0), 116.0  # distance of nodes [px]; columns fit the edges' names

Floats = NDArray[np.float64]
Point = NDArray[np.float64]
Box = tuple[Point, NDArray[np.float64]]  # middle, half of width and height [px]


@dataclass(frozen=True)
class Node:
    """A link, or several that count as one.

    `main` ones are drawn in strong colours; `marked` ones (the end-effector) have a ring; `faint`
    ones are there to compare with other drawings.
    """

    number: str
    name: str
    main: bool = True
    marked: bool = False
    faint: bool = False


@dataclass(frozen=True)
class Edge:
    """An edge between two nodes, given by position; `both` puts an arrow at each end."""

    source: int
    target: int
    kind: Kind
    label: str = ""
    both: bool = False
    faint: bool = False


@dataclass(frozen=True)
class Hull:
    """A coloured ground under some nodes, given by position."""

    nodes: tuple[int, ...]
    name: str = ""
    faint: bool = False


@dataclass(frozen=True)
class Graph:
    """What is drawn. Node 0 is the root; `rest` tells the legend what is drawn faintly."""

    title: str
    facts: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    hulls: tuple[Hull, ...] = ()
    rest: str = ""


@dataclass(frozen=True)
class Size:
    """How large things are drawn: radius and line [px], texts [pt]."""

    radius: float = 19.0
    line: float = 2.4
    number: float = 13.0
    name: float = 11.5
    actuator: float = 10.5
    joint: float = 9.0


LARGE = Size()


@dataclass(frozen=True)
class Layout:
    """Middles of the nodes, (n, 2), and the edges' curves between their rims [px]."""

    pixels: Floats
    lines: tuple[Floats, ...]

    def moved(self, by: Point) -> Layout:
        """The same elsewhere."""
        return Layout(self.pixels + by, tuple(line + by for line in self.lines))

    @property
    def box(self) -> tuple[Point, Point]:
        """Corners of what is drawn, without the names."""
        ink = np.concatenate([self.pixels, *self.lines])
        return ink.min(axis=0), ink.max(axis=0)


def lay_out(graph: Graph, pixels: Floats | None = None, size: Size = LARGE) -> Layout:
    """Places for the nodes, unless they are given, and curves for the edges."""
    pairs = [(e.source, e.target) for e in graph.edges]
    if pixels is None:
        joints = [(e.source, e.target) for e in graph.edges if e.kind not in ACTUATORS]
        places = place_nodes(columns_of(len(graph.nodes), joints, pairs), pairs)
        longest = max((len(edge.label) for edge in graph.edges), default=0)
        step = float(np.clip(7.2 * longest + 4 * size.radius, *COLUMN))
        pixels = np.column_stack([step * places[:, 0], -ROW * places[:, 1]])
    lines = []
    for (source, target), bend in zip(pairs, bend_edges(pixels, size.radius, pairs), strict=True):
        line = curve(pixels[source], pixels[target], bend, 201)
        for end in (source, target):
            line = line[beyond(line, pixels[end], size.radius + 4.0)]
        if len(line) < 2:  # two nodes at one place: cannot be, but must not break a drawing
            line = np.linspace(pixels[source], pixels[target] + 1.0, 20)
        lines.append(line)
    return Layout(pixels, tuple(lines))


def blank(figure: Any, left: float, top: float, width: float, height: float) -> Any:
    """Axes without frame whose units are pixels from their top left corner."""
    axes = panel(figure, left, top, width, height)
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    return axes


def paint(axes: Any, graph: Graph, layout: Layout, size: Size) -> None:
    """Draw a graph into axes whose units are pixels."""
    pixels, lines = layout.pixels, layout.lines
    for hull in graph.hulls:
        draw_hull(axes, pixels[list(hull.nodes)], size, hull.faint)
    for edge, line in zip(graph.edges, lines, strict=True):
        draw_edge(axes, edge, line, size)
    taken: list[Box] = [(at, np.full(2, size.radius)) for at in pixels]
    # a name over a faint line harms less
    weighed = [
        line[:: 4 if edge.faint else 1] for edge, line in zip(graph.edges, lines, strict=True)
    ]
    for node, at in zip(graph.nodes, pixels, strict=True):
        taken.append(draw_node(axes, node, at, weighed, size))
    _label_edges(axes, graph.edges, lines, taken, size)
    for hull in graph.hulls:
        _label_hull(axes, hull, pixels[list(hull.nodes)], lines, taken, size)


# ------------------------------------------------------------------- parts


def draw_hull(axes: Any, corners: Floats, size: Size, faint: bool = False) -> None:
    """A round-cornered ground under some nodes."""
    from matplotlib.patches import Polygon

    away = corners - corners.mean(axis=0)
    corners = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    rim, ground = (FAINT_RIM, FAINT_HULL) if faint else (HULL_RIM, HULL)
    for wider, color in ((11.0, rim), (9.5, ground)):
        axes.add_patch(
            Polygon(
                corners, closed=True, color=color, zorder=0.9 if faint else 1, joinstyle="round",
                linewidth=2 * (size.radius + wider) * 72 / DPI,
            )
        )  # fmt: skip


def draw_node(axes: Any, node: Node, at: Point, lines: Sequence[Floats], size: Size) -> Box:
    """A circle with its number, its name where fewer edges are; the box that the name takes."""
    from matplotlib.patches import Circle

    face, rim, number, name = "#2b3a49", "#2b3a49", "white", INK
    if node.faint:
        face, rim, number, name = "#fafbfc", "#ccd3d9", PALE, PALE
    elif not node.main:
        face, rim, number = "#eef1f4", "#8d99a5", INK
    middle = (float(at[0]), float(at[1]))
    axes.add_patch(
        Circle(middle, size.radius, linewidth=1.6, zorder=5, facecolor=face, edgecolor=rim)
    )
    if node.marked:
        ring = "white" if node.main and not node.faint else rim
        axes.add_patch(
            Circle(middle, 0.79 * size.radius, linewidth=1.4, zorder=5, fill=False, edgecolor=ring)
        )
    axes.text(
        *at, node.number, fontsize=size.number, fontweight="bold", parse_math=False, zorder=6,
        ha="center", va="center_baseline", color=number,
    )  # fmt: skip
    text = axes.text(
        *at, shortened(node.name, 26), fontsize=size.name, parse_math=False, zorder=6,
        ha="center", va="center_baseline", color=name, path_effects=_rim(),
    )  # fmt: skip
    half = text_size(text) / 2 + 3.0
    down = np.array([0.0, size.radius + half[1] + 1.0])
    aside = np.array([size.radius + half[0] + 3.0, 0.0])
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


def _faded(color: str) -> str:
    """A colour most of the way to white."""
    parts = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(255 - 0.36 * (255 - part)):02x}" for part in parts)


def draw_edge(axes: Any, edge: Edge, line: Floats, size: Size) -> None:
    """A curve with an arrow at its target, or at both ends."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as Outline

    color, dash, _ = STYLES[edge.kind]
    strong = edge.kind in ("actuator", "generalized")
    look: dict[str, Any] = {"color": color, "linewidth": size.line, "zorder": 4 if strong else 3}
    if edge.faint:
        look = {"color": _faded(color), "linewidth": 0.65 * size.line, "zorder": 2}
    pieces = [(line, "<|-|>" if edge.both else "-|>")]
    if dash == "--":  # the arrows' heads apart from the line: dashes would cut them
        start = 12 if edge.both else 0
        axes.plot(*line[start:-12].T, linestyle=(0, (3.2, 1.6)), **look)
        pieces = [(line[-14:], "-|>")] + [(line[13::-1], "-|>")] * edge.both
    for piece, arrows in pieces:
        axes.add_patch(
            FancyArrowPatch(
                path=Outline(piece), arrowstyle=arrows, capstyle="butt", joinstyle="round",
                mutation_scale=(4.6 if edge.faint else 6.25) * size.line, **look,
            )
        )  # fmt: skip


def _label_edges(
    axes: Any, edges: Sequence[Edge], lines: Sequence[Floats], taken: list[Box], size: Size
) -> None:
    """Names along the edges, each where it covers least; actuators choose first."""
    order = sorted(range(len(edges)), key=lambda i: edges[i].kind not in ACTUATORS)
    for i in order:
        edge, line = edges[i], lines[i]
        if not edge.label:
            continue
        font = size.actuator if edge.kind in ACTUATORS else size.joint
        artist = axes.text(
            0, 0, shortened(edge.label, 26), fontsize=font, parse_math=False,
            ha="center", va="center", rotation_mode="anchor", zorder=7, path_effects=_rim(),
            color=LABELS.get(edge.kind, "#66727e"),
        )  # fmt: skip
        width, height = text_size(artist)
        place, angle, spots = _best_spot(line, width, height, lines, taken)
        artist.set_position(place)
        artist.set_rotation(angle)
        taken.extend((spot, np.full(2, height / 2)) for spot in spots)


def _label_hull(
    axes: Any, hull: Hull, corners: Floats, lines: Sequence[Floats], taken: list[Box], size: Size
) -> None:
    """The name of a hull, where it covers least."""
    if not hull.name:
        return
    artist = axes.text(
        0, 0, hull.name, fontsize=size.joint, style="italic", color="#4f9a61", zorder=7,
        ha="center", va="center", parse_math=False,
    )  # fmt: skip
    half = text_size(artist) / 2
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, drawn = (low + high) / 2, np.concatenate(lines)
    best, place = np.inf, middle
    for right in np.linspace(-0.3, 0.3, 13):
        for down in np.linspace(-0.4, 0.4, 17):
            spot = middle + (high - low) * (right, down)
            covers = int((np.abs(drawn - spot) < half + 4.0).all(axis=1).sum())
            covers += sum(20 * bool((np.abs(at - spot) < half + box).all()) for at, box in taken)
            cost = float(covers + 4 * abs(right) + abs(down))
            if cost < best:
                best, place = cost, spot
    artist.set_position(place)
    taken.append((place, half))


def _best_spot(
    line: Floats, width: float, height: float, lines: Sequence[Floats], taken: Sequence[Box]
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
        for side in (-1.0, 1.0, -2.0, 2.0, -3.0, 3.0):  # close to the line, or lines further
            away = height / 2 + 4.0 + (abs(side) - 1.0) * 0.9 * height
            place = line[k] + np.sign(side) * away * normal
            spots = place + np.linspace(-0.5, 0.5, 9)[:, None] * (width - height) * along
            inside = np.abs(spots[:, None] - boxes) < halves + height / 2 + 2.0
            near = np.linalg.norm(spots[:, None] - drawn, axis=-1).min(axis=1) < height / 2 + 1.5
            cost = 30.0 * int(inside.all(axis=-1).any(axis=1).sum()) + 12.0 * int(near.sum())
            cost += 8.0 * abs(stop - 0.5) + (0.5 if side > 0 else 0.0) + 25.0 * (abs(side) - 1.0)
            if best is None or cost < best[0] - 1e-9:
                angle = -float(np.degrees(np.arctan2(along[1], along[0])))
                best = (cost, place, angle, spots)
    assert best is not None  # for the type checker: there are always stops
    return best[1:]
