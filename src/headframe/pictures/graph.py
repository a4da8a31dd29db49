"""Graphs to be drawn: links as nodes, joints and actuators as edges, and where they are put.

A drawing is made from a plain list of nodes and typed edges (`Graph`), so that every stage of the
analysis - the machine as it stands, contracted, or in terms of its actuated parts - is drawn by
the same functions. What is in a stage is the business of `stages`, how it is painted that of
`painting`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

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
class DrawnEdge:
    """An edge between two nodes, given by position; `both` puts an arrow at each end.

    `joint` and `group` are the positions of the joint or of the redundant group that it stands for,
    or -1.
    """

    source: int
    target: int
    kind: Kind
    label: str = ""
    both: bool = False
    faint: bool = False
    joint: int = field(default=-1, compare=False)
    group: int = field(default=-1, compare=False)


@dataclass(frozen=True)
class Enclosure:
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
    edges: tuple[DrawnEdge, ...]
    hulls: tuple[Enclosure, ...] = ()
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
        places = grid_places(graph)
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


def grid_places(graph: Graph) -> Floats:
    """Column and height of every node in steps, (n, 2): the root in column 0, the middle at 0."""
    pairs = [(e.source, e.target) for e in graph.edges]
    joints = [(e.source, e.target) for e in graph.edges if e.kind not in ACTUATORS]
    return place_nodes(columns_of(len(graph.nodes), joints, pairs), pairs)
