"""What a page fetches once a scene, as JSON: the machine's graph, and facts about its parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Vector = tuple[float, float, float]
EdgeKind = Literal[
    "revolute", "prismatic", "fixed", "other", "generalized", "held", "actuator", "locked"
]
ItepType = Literal["A", "B", "C", "D", "?"]
Lit = Literal["ground", "moves", "actuator", "locked"]


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node: a link, or several that count as one.

    Attributes:
        number: within the circle.
        name: beside it, at `name_x` and `name_y`; empty if none is shown.
        links: that it stands for.
        x: of its middle; `y` likewise, downwards.
        main: the first of its cluster; `marked`: the end-effector; `faint`: for comparison.
    """

    number: str
    name: str
    links: tuple[str, ...]
    x: float
    y: float
    name_x: float
    name_y: float
    main: bool
    marked: bool
    faint: bool


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge: a joint, or a redundant group of cylinders.

    Attributes:
        source: index of a node; `target` likewise.
        kind: how it is drawn.
        label: its name, at `label_x` and `label_y`, turned by `label_angle` clockwise [degrees].
        joint: name of the joint it stands for, or of a four-bar's input; empty for cylinders.
        group: index of the group it stands for, or -1.
        both: arrows at both ends; `faint`: for comparison.
        line: start, control and end of a quadratic Bezier curve, x and y each.
    """

    source: int
    target: int
    kind: EdgeKind
    label: str
    label_x: float
    label_y: float
    label_angle: float
    joint: str
    group: int
    both: bool
    faint: bool
    line: tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class GraphHull:
    """A ground under nodes, given by index around it; `name` stands at `x` and `y`."""

    nodes: tuple[int, ...]
    name: str
    x: float
    y: float
    faint: bool


@dataclass(frozen=True, slots=True)
class GraphSheet:
    """A graph with everything placed.

    Attributes:
        nodes: its links; `edges` its joints and cylinders, `hulls` its four-bars.
        box: left, top, width and height of all of it.
        radius: of a node; `thick` of a line.
        fonts: sizes of numbers, nodes' names, cylinders' and joints' names.
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    hulls: tuple[GraphHull, ...]
    box: tuple[float, float, float, float]
    radius: float
    thick: float
    fonts: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of an equation: symbol, value, and unit ("" for none)."""

    symbol: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A symbol of an equation and the joint whose motion from home it is."""

    symbol: str
    joint: str


@dataclass(frozen=True, slots=True)
class EquationSheet:
    """How lengths set a group's motion.

    Attributes:
        lines: equations, as text.
        unknowns: what they are solved for.
        figures: their numbers.
        solver: how they are solved.
    """

    lines: tuple[str, ...]
    unknowns: tuple[Unknown, ...]
    figures: tuple[Figure, ...]
    solver: Literal["closed form", "newton", "general"]


@dataclass(frozen=True, slots=True)
class Pin:
    """Where a joint is: a place and a unit axis in the axes of a link [m]; no axis is (0, 0, 0)."""

    joint: str
    kind: EdgeKind
    link: str
    place: Vector
    axis: Vector


@dataclass(frozen=True, slots=True)
class LitPart:
    """Indices of what lights up in a graph."""

    nodes: tuple[int, ...]
    edges: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ItepSheet:
    """What a redundant group moves when all others are locked.

    Attributes:
        group: its name; `members` are its cylinders.
        type: A to D, or "?" with a `reason`.
        driving: joint whose value follows from the length; empty if unknown.
        locked_by: group whose locked cylinder closes the loop of type D; empty if none.
        path: links from the tube's to the rod's.
        links: what each link of the machine that belongs to it is.
        pins: its joints.
        raw: what lights up in the raw graph; `contracted` likewise.
        graph: it alone, strong, and the rest of the machine faintly.
    """

    group: str
    members: tuple[str, ...]
    type: ItepType
    reason: str
    driving: str
    locked_by: str
    path: tuple[str, ...]
    links: dict[str, Lit]
    pins: tuple[Pin, ...]
    equation: EquationSheet
    raw: LitPart
    contracted: LitPart
    graph: GraphSheet


@dataclass(frozen=True, slots=True)
class TopologySheet:
    """A machine's graph at three stages.

    Attributes:
        scene: number of the scene that it belongs to.
        colors: of edges, by kind; `badges` by type of ITEP.
        counts: links, joints and actuators as in Table 1 of the MineRobot paper.
        leftover: loops that are no planar four-bars.
        four_bars: links around each four-bar, the ground first.
        raw: the machine as it stands; `contracted` with generalized joints for its four-bars.
        iteps: the third stage, one graph a group.
    """

    scene: int
    colors: dict[str, str]
    badges: dict[str, str]
    counts: dict[str, int]
    leftover: tuple[str, ...]
    four_bars: tuple[tuple[str, ...], ...]
    raw: GraphSheet
    contracted: GraphSheet
    iteps: tuple[ItepSheet, ...]


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """A link as its file has it.

    Attributes:
        name: of the link.
        mass: [kg]; None if the file gives none.
        centre: of mass, in the link's axes [m].
        inertia: about the centre of mass in the link's axes: xx, yy, zz, xy, xz, yz [kg m^2].
        moments: principal ones, the smallest first [kg m^2].
        cylinder: index of the cylinder whose tube or rod it is, or -1.
    """

    name: str
    mass: float | None
    centre: Vector
    inertia: tuple[float, float, float, float, float, float]
    moments: Vector
    cylinder: int


@dataclass(frozen=True, slots=True)
class JointFacts:
    """A joint as its file has it.

    Attributes:
        name: of the joint, which leads from link `parent` to link `child`.
        kind: such as "revolute".
        slides: its position is a way [m], not an angle [rad].
        place: in the parent's axes [m].
        axis: in the parent's axes; None where the joint has none.
        lower: [rad, m]; None without a limit. `upper` likewise.
        damping: [N m s/rad, N s/m]; `friction` dry [N m, N]; `armature` [kg m^2, kg].
        closes: it is one half of a pivot that closes a loop.
        motor: that turns it; empty if none does.
        index: place in a frame's joint positions, or -1.
    """

    name: str
    parent: str
    child: str
    kind: str
    slides: bool
    place: Vector
    axis: Vector | None
    lower: float | None
    upper: float | None
    damping: float
    friction: float
    armature: float
    closes: bool
    motor: str
    index: int


@dataclass(frozen=True, slots=True)
class CylinderFacts:
    """A cylinder as its file has it; diameters [m], None where they are not given.

    Attributes:
        name: of the cylinder, from link `tube_parent` to link `rod_parent`.
        group: its redundant group.
        lower: shortest length [m]; `upper` longest.
        speed: largest [m/s]; `acceleration` [m/s^2]; `force` [N].
    """

    name: str
    group: str
    tube_parent: str
    rod_parent: str
    lower: float
    upper: float
    speed: float | None
    acceleration: float | None
    force: float | None
    bore: float | None
    rod_diameter: float | None


@dataclass(frozen=True, slots=True)
class Source:
    """Where figures come from.

    Attributes:
        of: which figures, in the file's words.
        kind: "measured", "data sheet" or "estimated".
        source: in the file's words.
        topics: what the figures are about; `parts`: names of the file's elements in `of`, none
            if it is about the whole machine.
    """

    of: str
    kind: str
    source: str
    topics: tuple[Literal["mass", "joint", "cylinder", "motor", "shape"], ...]
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactsSheet:
    """Facts about a machine's parts, of one scene; `mass` is of the whole machine [kg]."""

    scene: int
    mass: float
    links: tuple[LinkFacts, ...]
    joints: tuple[JointFacts, ...]
    cylinders: tuple[CylinderFacts, ...]
    sources: tuple[Source, ...]


Sheets = TopologySheet | FactsSheet
