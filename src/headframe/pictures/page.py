"""A page with one graph: title above, legend below."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from .canvas import DPI, INK, QUIET, checked_path, new_figure, save, shortened, text_size
from .graph import LARGE, STYLES, DrawnEdge, Enclosure, Graph, Layout, Node, Size, lay_out
from .painting import blank, draw_edge, draw_hull, draw_node, paint

HEADER, LEGEND, LEGEND_ROW, MARGIN = 84, 56, 36, 110
Entry = tuple[Node | DrawnEdge | Enclosure, str]  # of the legend: a sample and what it means


def draw_graph(graph: Graph, path: str | Path, like: Layout | None = None) -> Path:
    """Draw nodes and edges.

    Args:
        graph: what is drawn.
        path: the file to write: .png, .svg or .pdf.
        like: another drawing of the same nodes: they are put where they are there, and the page
            is at least as large.

    Raises:
        ExportError: another suffix, or a file that cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    path = checked_path(path)
    layout = lay_out(graph, None if like is None else like.pixels)
    low, high = layout.box
    if like is not None:
        low, high = np.minimum(low, like.box[0]), np.maximum(high, like.box[1])
    low, high = low - np.array([MARGIN, 64.0]), high + np.array([MARGIN, 52.0])
    width = int(max(1200.0, high[0] - low[0]))
    height = int(max(200.0, high[1] - low[1]))
    layout = layout.moved((np.array([width, height]) - low - high) / 2)

    rows = legend_rows([graph], width)
    figure = new_figure(width, HEADER + height + legend_height(rows))
    headline(figure, graph.title, graph.facts)
    paint(blank(figure, 0, HEADER, width, height), graph, layout, LARGE)
    draw_legend(figure, rows, HEADER + height)
    return save(figure, path)


def headline(figure: Any, title: str, facts: str) -> None:
    """Title and a quiet line below it."""
    width, height = figure.get_size_inches() * DPI
    for line, text, size, color, weight in (
        (40, shortened(title, 90), 23, INK, "bold"),
        (68, shortened(facts, 120), 13, QUIET, "normal"),
    ):
        figure.text(
            28 / width, 1 - line / height, text, fontsize=size, color=color, fontweight=weight,
            parse_math=False,
        )  # fmt: skip


def legend_rows(graphs: Sequence[Graph], width: float) -> list[list[Entry]]:
    """What the legend says, for what occurs in the graphs, in rows that fit the page."""
    edges = [edge for graph in graphs for edge in graph.edges]
    strong = [edge for edge in edges if not edge.faint]
    entries: list[Entry] = [
        (DrawnEdge(0, 0, kind), STYLES[kind][2])
        for kind in STYLES
        if any(edge.kind == kind for edge in strong)
    ]
    if any(edge.both for edge in strong):
        entries.append((DrawnEdge(0, 0, "revolute", both=True), "pivot that closes a loop"))
    if any(graph.hulls for graph in graphs):
        entries.append((Enclosure(()), "four-bar"))
    if any(edge.faint for edge in edges):
        entries.append((DrawnEdge(0, 0, "fixed", faint=True), graphs[0].rest))
    if any(node.marked for graph in graphs for node in graph.nodes):
        entries.append((Node("", "", marked=True), "end-effector"))
    rows: list[list[Entry]] = [[]]
    scratch = blank(new_figure(100, 100), 0, 0, 100, 100)
    steps = [
        81 + float(text_size(scratch.text(0, 0, text, fontsize=10.5))[0]) for _, text in entries
    ]
    room = width - 28.0
    if sum(steps) > room:  # rows of about the same length
        room = min(room, sum(steps) / ceil(sum(steps) / room) + max(steps) / 2)
    x = 0.0
    for entry, step in zip(entries, steps, strict=True):
        x += step
        if rows[-1] and x > room:
            rows.append([])
            x = step
        rows[-1].append(entry)
    return rows


def legend_height(rows: Sequence[Sequence[Entry]]) -> int:
    """Pixels that a legend takes."""
    return LEGEND + LEGEND_ROW * (len(rows) - 1)


def draw_legend(figure: Any, rows: Sequence[Sequence[Entry]], top: float) -> None:
    """What the colours mean."""
    width = figure.get_size_inches()[0] * DPI
    axes = blank(figure, 0, top, width, legend_height(rows))
    for number, row in enumerate(rows):
        x, y = 28.0, LEGEND / 2 + number * LEGEND_ROW
        for sample, meaning in row:
            line = np.column_stack([np.linspace(x, x + 44, 60), np.full(60, y)])
            if isinstance(sample, DrawnEdge):
                draw_edge(axes, sample, line, LARGE)
            elif isinstance(sample, Enclosure):
                box = [(x + 14, y - 3), (x + 32, y - 3), (x + 32, y + 3), (x + 14, y + 3)]
                draw_hull(axes, np.array(box), Size(radius=-3.0))
            else:
                at = np.array([x + 30, y])
                draw_node(axes, sample, at, at, Size(radius=14.0))
            text = axes.text(x + 53, y, meaning, fontsize=10.5, color=INK, va="center_baseline")
            x += 53 + float(text_size(text)[0]) + 28
