"""Drawings of graphs, painted."""

from __future__ import annotations

from typing import Any

import numpy as np

from .canvas import DPI, INK, panel, shortened, text_size
from .graph import (
    ACTUATORS,
    FAINT_HULL,
    FAINT_RIM,
    HULL,
    HULL_RIM,
    LABELS,
    PALE,
    STYLES,
    DrawnEdge,
    Floats,
    Graph,
    Layout,
    Node,
    Point,
    Size,
)
from .names import LONGEST, EdgeName, Measure, place_names


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
    names = place_names(graph, layout, size, _measure(axes))
    for node, at, place in zip(graph.nodes, pixels, names.nodes, strict=True):
        draw_node(axes, node, at, place, size)
    for edge, name in zip(graph.edges, names.edges, strict=True):
        if name is not None:
            draw_edge_name(axes, edge, name, size)
    for hull, spot in zip(graph.hulls, names.hulls, strict=True):
        if spot is not None:
            axes.text(
                *spot, hull.name, fontsize=size.joint, style="italic", color="#4f9a61", zorder=7,
                ha="center", va="center", parse_math=False,
            )  # fmt: skip


def _measure(axes: Any) -> Measure:
    """Measures texts as axes would show them."""

    def measure(text: str, font: float) -> Floats:
        artist = axes.text(0, 0, text, fontsize=font, parse_math=False, path_effects=_rim())
        size = text_size(artist)
        artist.remove()
        return size

    return measure


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


def draw_node(axes: Any, node: Node, at: Point, name_at: Point, size: Size) -> None:
    """A circle with its number, and its name."""
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
    axes.text(
        *name_at, shortened(node.name, LONGEST), fontsize=size.name, parse_math=False, zorder=6,
        ha="center", va="center_baseline", color=name, path_effects=_rim(),
    )  # fmt: skip


def _rim() -> list[Any]:
    """A white rim that keeps text readable over lines."""
    from matplotlib import patheffects

    return [patheffects.withStroke(linewidth=3.0, foreground="white")]


def _faded(color: str) -> str:
    """A colour most of the way to white."""
    parts = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(255 - 0.36 * (255 - part)):02x}" for part in parts)


def draw_edge(axes: Any, edge: DrawnEdge, line: Floats, size: Size) -> None:
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


def draw_edge_name(axes: Any, edge: DrawnEdge, name: EdgeName, size: Size) -> None:
    """The name of an edge along it."""
    axes.text(
        *name.place, shortened(edge.label, LONGEST), rotation=name.angle, parse_math=False,
        fontsize=size.actuator if edge.kind in ACTUATORS else size.joint, path_effects=_rim(),
        ha="center", va="center", rotation_mode="anchor", zorder=7,
        color=LABELS.get(edge.kind, "#66727e"),
    )  # fmt: skip
