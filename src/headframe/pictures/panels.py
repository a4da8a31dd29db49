"""Many small drawings of one graph on a page, each with a heading."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from .canvas import INK, QUIET, checked_path, new_figure, save, shortened, text_size
from .graph import Floats, Graph, Layout, Size, lay_out
from .page import HEADER, draw_legend, headline, legend_height, legend_rows
from .painting import blank, paint

SMALL = Size(radius=14.0, line=2.2, number=10.5, name=10.0, actuator=9.5, joint=8.5)
SHRINK = np.array([0.62, 0.7])  # of the distances of nodes
GAP, PAD = 22, 18  # between panels, and within their frames [px]
NARROWEST, PAGE = 430.0, 2300.0  # width of a panel, and of the page if a panel fits [px]
TOP = HEADER + 12
LINE, BADGE = 20.0, 36.0  # height of a line of the heading, side of its badge [px]
LETTER = 7.3  # width of one in the heading's lines [px]


@dataclass(frozen=True)
class Panel:
    """One small drawing.

    Attributes:
        letter: in the coloured badge.
        color: of the badge.
        title: beside the badge.
        aside: quietly after the title.
        lines: below the title, wrapped.
        graph: what is drawn.
    """

    letter: str
    color: str
    title: str
    aside: str
    lines: tuple[str, ...]
    graph: Graph


def draw_panels(
    title: str, facts: str, panels: Sequence[Panel], pixels: Floats, path: str | Path
) -> Path:
    """Draw panels whose graphs have the same nodes and edges, and differ in how they look.

    Args:
        title: of the page.
        facts: below the title.
        panels: at least one.
        pixels: middles of the nodes, as in a large drawing, (n, 2).
        path: the file to write: .png, .svg or .pdf.
    """
    path = checked_path(path)
    layout = lay_out(panels[0].graph, pixels * SHRINK, SMALL)
    low, high = layout.box
    low, high = low - np.array([76.0, 42.0]), high + np.array([76.0, 46.0])
    width = max(NARROWEST, float(high[0] - low[0])) + 2 * PAD
    rows, columns = grid(len(panels), width)
    headings = [_wrapped(item, width) for item in panels]
    top = PAD + BADGE + 14.0 + LINE * max(len(lines) - 1 for lines in headings)
    height = top + float(high[1] - low[1])
    layout = layout.moved(np.array([width / 2, (top + height) / 2]) - (low + high) / 2)

    page = max(GAP + columns * (width + GAP), 820.0)
    below = TOP + rows * (height + GAP)
    entries = legend_rows([item.graph for item in panels], page)
    figure = new_figure(int(page), int(below) + legend_height(entries))
    headline(figure, title, facts)
    for number, (item, lines) in enumerate(zip(panels, headings, strict=True)):
        row, column = divmod(number, columns)
        left = GAP + column * (width + GAP)
        axes = blank(figure, left, TOP + row * (height + GAP), width, height)
        _draw_panel(axes, item, lines, layout, (width, height))
    draw_legend(figure, entries, below)
    return save(figure, path)


def grid(count: int, width: float) -> tuple[int, int]:
    """Rows and columns for so many panels of a width: as few rows as fit, evenly filled."""
    fit = max(1, int((PAGE - GAP) / (width + GAP)))
    rows = ceil(count / fit)
    return rows, ceil(count / rows)


def _wrapped(item: Panel, width: float) -> list[str]:
    """The lines below a panel's title, cut to its width."""
    most = int((width - 3 * PAD - BADGE) / LETTER)
    return [part for line in item.lines for part in textwrap.wrap(shortened(line, 3 * most), most)]


def _draw_panel(
    axes: Any, item: Panel, lines: Sequence[str], layout: Layout, size: tuple[float, float]
) -> None:
    """A frame, a heading and a graph."""
    from matplotlib.patches import FancyBboxPatch

    def box(left: float, width: float, height: float, color: str, rim: str, round_by: int) -> None:
        axes.add_patch(
            FancyBboxPatch(
                (left, left), width, height, boxstyle=f"round,pad=0,rounding_size={round_by}",
                facecolor=color, edgecolor=rim, linewidth=1.1, zorder=0,
            )
        )  # fmt: skip

    width, height = size
    box(1, width - 2, height - 2, "white", "#d5dbe1", 10)
    box(PAD, BADGE, BADGE, item.color, item.color, 7)
    axes.text(
        PAD + BADGE / 2, PAD + BADGE / 2, item.letter, fontsize=17, fontweight="bold",
        color="white", ha="center", va="center_baseline", zorder=6,
    )  # fmt: skip
    x = 2 * PAD + BADGE - 6
    name = axes.text(
        x, PAD + 13, shortened(item.title, 40), fontsize=13, fontweight="bold", color=INK,
        parse_math=False,
    )  # fmt: skip
    aside = x + float(text_size(name)[0]) + 12
    room = int((width - PAD - aside) / LETTER)
    if item.aside and room > 4:
        axes.text(
            aside, PAD + 13, shortened(item.aside, room), fontsize=10, color=QUIET,
            parse_math=False,
        )  # fmt: skip
    for number, line in enumerate(lines):
        axes.text(
            x, PAD + BADGE - 3 + LINE * number, line, fontsize=10, color=INK, parse_math=False
        )
    paint(axes, item.graph, layout, SMALL)
