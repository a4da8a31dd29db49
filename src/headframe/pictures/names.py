"""Where the names in a drawing of a graph stand: where each covers least.

A text is measured by whoever draws it, so that this needs no font.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .canvas import shortened
from .graph import ACTUATORS, Enclosure, Floats, Graph, Layout, Node, Point, Size

Box = tuple[Point, Floats]  # middle, half of width and height [px]
Measure = Callable[[str, float], Floats]  # width and height of a text in a font's size, (2,) [px]
LONGEST = 26  # letters of a name


@dataclass(frozen=True)
class EdgeName:
    """Middle of an edge's name [px] and its angle, counterclockwise [degrees]."""

    place: Point
    angle: float


@dataclass(frozen=True)
class PlacedNames:
    """Middles of the names of nodes [px], names along edges, middles of those of hulls.

    None where there is no name. `boxes` are what nodes and names take.
    """

    nodes: tuple[Point, ...]
    edges: tuple[EdgeName | None, ...]
    hulls: tuple[Point | None, ...]
    boxes: tuple[Box, ...]


def place_names(graph: Graph, layout: Layout, size: Size, measure: Measure) -> PlacedNames:
    """Places for all names: of nodes first, then of actuators, of joints, of hulls."""
    pixels, lines = layout.pixels, layout.lines
    taken: list[Box] = [(at, np.full(2, size.radius)) for at in pixels]
    # a name over a faint line harms less
    weighed = [
        line[:: 4 if edge.faint else 1] for edge, line in zip(graph.edges, lines, strict=True)
    ]
    nodes = [
        _beside(node, at, weighed, size, measure)
        for node, at in zip(graph.nodes, pixels, strict=True)
    ]
    taken += nodes
    edges: list[EdgeName | None] = [None] * len(lines)
    for i in sorted(range(len(lines)), key=lambda i: graph.edges[i].kind not in ACTUATORS):
        edge = graph.edges[i]
        if edge.label:
            font = size.actuator if edge.kind in ACTUATORS else size.joint
            width, height = measure(shortened(edge.label, LONGEST), font)
            place, angle, spots = _along(lines[i], width, height, lines, taken)
            edges[i] = EdgeName(place, angle)
            taken.extend((spot, np.full(2, height / 2)) for spot in spots)
    hulls: list[Point | None] = []
    for hull in graph.hulls:
        box = _inside(hull, pixels[list(hull.nodes)], lines, taken, size, measure)
        hulls.append(None if box is None else box[0])
        taken += [] if box is None else [box]
    return PlacedNames(tuple(place for place, _ in nodes), tuple(edges), tuple(hulls), tuple(taken))


def _beside(node: Node, at: Point, lines: Sequence[Floats], size: Size, measure: Measure) -> Box:
    """Box of a node's name: below, above or beside it, where fewer edges are."""
    half = measure(shortened(node.name, LONGEST), size.name) / 2 + 3.0
    down = np.array([0.0, size.radius + half[1] + 1.0])
    aside = np.array([size.radius + half[0] + 3.0, 0.0])
    best, place = np.inf, at
    for spot, dislike in ((at + down, 0), (at - down, 2), (at - aside, 12), (at + aside, 12)):
        covers = sum(int((np.abs(line - spot) < half).all(axis=1).sum()) for line in lines)
        if covers + dislike < best:
            best, place = covers + dislike, spot
    return place, half


def _inside(
    hull: Enclosure,
    corners: Floats,
    lines: Sequence[Floats],
    taken: Sequence[Box],
    size: Size,
    measure: Measure,
) -> Box | None:
    """Box of a hull's name, where it covers least; None if it has none."""
    if not hull.name:
        return None
    half = measure(hull.name, size.joint) / 2
    low, high = corners.min(axis=0), corners.max(axis=0)
    drawn = np.concatenate(lines)
    right, down = (
        part.ravel()
        for part in np.meshgrid(
            np.linspace(-0.3, 0.3, 13), np.linspace(-0.4, 0.4, 17), indexing="ij"
        )
    )
    spots = (low + high) / 2 + (high - low) * np.column_stack([right, down])
    cost = 4 * np.abs(right) + np.abs(down)
    cost += (np.abs(drawn - spots[:, None]) < half + 4.0).all(axis=-1).sum(axis=1)
    boxes, halves = _stacked(taken)
    cost += 20 * (np.abs(boxes - spots[:, None]) < half + halves).all(axis=-1).sum(axis=1)
    return spots[int(np.argmin(cost))], half


def _along(
    line: Floats, width: float, height: float, lines: Sequence[Floats], taken: Sequence[Box]
) -> tuple[Point, float, Floats]:
    """Where along a line, and on which side, a text covers least; its angle; its points."""
    boxes, halves = _stacked(taken)
    drawn = np.concatenate(lines)
    squares = (drawn**2).sum(axis=1)
    # close to the line, on either side, or lines further
    sides = np.array([-1.0, 1.0, -2.0, 2.0, -3.0, 3.0])
    away = np.sign(sides) * (height / 2 + 4.0 + (np.abs(sides) - 1.0) * 0.9 * height)
    dislike = (sides > 0) * 0.5 + 25.0 * (np.abs(sides) - 1.0)
    letters = np.linspace(-0.5, 0.5, 9)[:, None] * (width - height)
    best: tuple[float, Point, float, Floats] | None = None
    for stop in np.linspace(0.2, 0.8, 25):
        k = int(stop * (len(line) - 1))
        along = line[min(k + 3, len(line) - 1)] - line[max(k - 3, 0)]
        along = along / max(float(np.linalg.norm(along)), 1e-9)
        if along[0] < 0:
            along = -along
        places = line[k] + away[:, None] * np.array([-along[1], along[0]])
        spots = places[:, None] + letters * along
        inside = (np.abs(spots[:, :, None] - boxes) < halves + height / 2 + 2.0).all(axis=-1)
        gaps = (spots**2).sum(axis=-1)[..., None] - 2 * spots @ drawn.T + squares
        near = gaps.min(axis=-1) < (height / 2 + 1.5) ** 2
        cost = 30.0 * inside.any(axis=-1).sum(axis=-1) + 12.0 * near.sum(axis=-1)
        cost += 8.0 * abs(stop - 0.5) + dislike
        side = int(np.argmin(cost))
        if best is None or cost[side] < best[0] - 1e-9:
            angle = -float(np.degrees(np.arctan2(along[1], along[0])))
            best = (float(cost[side]), places[side], angle, spots[side])
    assert best is not None  # for the type checker: there are always stops
    return best[1:]


def _stacked(boxes: Sequence[Box]) -> tuple[Floats, Floats]:
    """Middles and halves of boxes, (n, 2) each."""
    middles = np.array([place for place, _ in boxes]).reshape(-1, 2)
    return middles, np.array([half for _, half in boxes]).reshape(-1, 2)
