"""Graphs for a narrow column of a page: everything placed, to be drawn by somebody else.

Lengths are units of the drawing, which the page scales to its column. Links stand in the order
that the large drawings have, along the column where there are more steps than links beside each
other.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from .graph import Floats, Graph, Layout, Size, grid_places, lay_out
from .names import PlacedNames, place_names

SIZE = Size(radius=17.0, line=2.6, number=15.0, name=14.5, actuator=13.5, joint=12.5)
WIDTH = 630.0  # between the outermost middles of nodes, at most
ACROSS, DOWN = (118.0, 190.0), 96.0  # distance of nodes, across and down the column
LETTER = 0.54  # width of a letter in sizes of its font, and the height of a line
LINE = 1.2
MARGIN = 8.0
NARROWEST = 430.0  # width of a drawing, so that small ones are not drawn too large
READABLE, LARGEST = 520.0, 1.3  # width beyond which everything is drawn larger, and at most
COARSE = 2  # every so many points of a curve are looked at when names are placed


@dataclass(frozen=True)
class PlacedNode:
    """A graph with places for everything.

    `size` is how large things are drawn, `box` left, top, width and height of all of it.
    """

    graph: Graph
    layout: Layout
    names: PlacedNames
    size: Size
    box: tuple[float, float, float, float]


def narrow_places(graph: Graph) -> Floats:
    """Middles of the nodes, (n, 2)."""
    places = grid_places(graph)
    steps = np.ptp(places, axis=0) if len(places) else np.zeros(2)
    if steps[0] > steps[1]:
        places = np.column_stack([-places[:, 1], -places[:, 0]])
    across = float(np.clip(WIDTH / max(float(np.ptp(places[:, 0])), 1.0), *ACROSS))
    return np.column_stack([across * places[:, 0], -DOWN * places[:, 1]])


def size_for(pixels: Floats) -> Size:
    """How large things are drawn: larger in a wide drawing, which the page makes smaller."""
    wide = float(np.ptp(pixels[:, 0])) + ACROSS[0]
    factor = float(np.clip(wide / READABLE, 1.0, LARGEST))
    larger = Size(*(factor * getattr(SIZE, each.name) for each in fields(Size)))
    # names along edges have no more room than before
    return replace(larger, actuator=SIZE.actuator, joint=SIZE.joint)


def narrow_layout(graph: Graph, pixels: Floats) -> Layout:
    """Curves for the edges of a graph whose nodes stand at `pixels`, (n, 2)."""
    return lay_out(graph, pixels, size_for(pixels))


def placed(graph: Graph, layout: Layout) -> PlacedNode:
    """A graph with names where they cover least."""
    coarse = Layout(layout.pixels, tuple(line[::COARSE] for line in layout.lines))
    size = size_for(layout.pixels)
    names = place_names(graph, coarse, size, measure)
    low, high = layout.box
    low, high = low - 2 * size.radius, high + 2 * size.radius
    for place, half in names.boxes:
        low, high = np.minimum(low, place - half), np.maximum(high, place + half)
    low, high = low - MARGIN, high + MARGIN
    wanting = max(NARROWEST - float(high[0] - low[0]), 0.0) / 2
    low[0], high[0] = low[0] - wanting, high[0] + wanting
    left, top = map(float, low)
    width, height = map(float, high - low)
    return PlacedNode(graph, layout, names, size, (left, top, width, height))


def measure(text: str, font: float) -> Floats:
    """About the size of a text in an upright sans serif font, (2,)."""
    return np.array([LETTER * font * len(text), LINE * font])
