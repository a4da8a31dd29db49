"""The way of data through the rooms of the house."""

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from .style import CYLINDER_TEXT, HINGE, HINGE_FILL, INK

WIDE, HIGH = 2.3, 0.64

# room: where it stands, and one line on what is in it
ROOMS = {
    "machine file": (0, 4, "MRDF, URDF, MJCF, 3DT"),
    "description": (2.6, 4, "a machine as frozen data"),
    "topology": (5.2, 4, "graph, loops, four-bars"),
    "mechanism": (7.8, 4, "one compiled machine"),
    "kinematics": (10.4, 4.9, "lengths to poses and back"),
    "planning": (10.4, 5.8, "workspaces, trajectories"),
    "dynamics": (10.4, 3.1, "tree, loops, integrators"),
    "constraints": (7.8, 2.2, "sequential impulses"),
    "baselines": (5.2, 2.2, "methods to compare with"),
    "export, pictures": (7.8, 5.8, "files and drawings"),
    "sim": (10.4, 1.3, "Simulation, Session"),
    "protocol": (7.8, 0.4, "messages and frames"),
    "server": (5.2, 0.4, "processes, sockets"),
    "browser": (2.6, 0.4, "a person drives"),
}
WAYS = (
    ("machine file", "description"), ("description", "topology"), ("topology", "mechanism"),
    ("mechanism", "kinematics"), ("mechanism", "dynamics"), ("mechanism", "export, pictures"),
    ("kinematics", "planning"), ("kinematics", "dynamics"), ("dynamics", "sim"),
    ("dynamics", "constraints"), ("constraints", "baselines"), ("constraints", "sim"),
    ("sim", "protocol"), ("protocol", "server"), ("server", "browser"),
)  # fmt: skip
CORE = {"mechanism", "kinematics", "dynamics", "constraints"}


def draw_house(file: Path) -> None:
    """Boxes and arrows, from a machine's file to the person who drives it."""
    figure = Figure(figsize=(11.5, 5.6))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for name, (x, y, about) in ROOMS.items():
        _draw_room(axes, name, x, y, about)
    for begin, end in WAYS:
        _draw_way(axes, begin, end)
    (x, y, _), (u, v, _) = ROOMS["browser"], ROOMS["sim"]
    axes.plot([x, x, u], [y - HIGH / 2, -0.5, -0.5], color=CYLINDER_TEXT, linewidth=1.3)
    arrow = {"arrowstyle": "-|>", "color": CYLINDER_TEXT, "linewidth": 1.3}
    axes.annotate("", (u, v - HIGH / 2), (u, -0.53), arrowprops=arrow)
    axes.text(6.5, -0.75, "levers, heartbeat, emergency stop", color=CYLINDER_TEXT, fontsize=9)
    axes.set_xlim(-1.3, 11.8)
    axes.set_ylim(-1.0, 6.3)
    axes.set_axis_off()
    figure.savefig(file, dpi=130, bbox_inches="tight", facecolor="white")


def _draw_room(axes: Axes, name: str, x: float, y: float, about: str) -> None:
    core = name in CORE
    axes.add_patch(
        FancyBboxPatch(
            (x - WIDE / 2, y - HIGH / 2), WIDE, HIGH, boxstyle="round,pad=0.02,rounding_size=0.12",
            facecolor=HINGE_FILL if core else "white", edgecolor=HINGE if core else INK,
            linewidth=1.3,
        )
    )  # fmt: skip
    axes.text(x, y + 0.11, name, ha="center", va="center", color=INK, fontsize=10, weight="bold")
    axes.text(x, y - 0.15, about, ha="center", va="center", color=INK, fontsize=7.5)


def _draw_way(axes: Axes, begin: str, end: str) -> None:
    (x, y, _), (u, v, _) = ROOMS[begin], ROOMS[end]
    dx, dy = u - x, v - y
    if abs(dx) > WIDE:  # sideways, from edge to edge
        side = 1.0 if dx > 0.0 else -1.0
        start, stop = (x + side * WIDE / 2, y), (u - side * WIDE / 2, v)
    else:
        side = 1.0 if dy > 0.0 else -1.0
        start, stop = (x, y + side * HIGH / 2), (u, v - side * HIGH / 2)
    arrow = {"arrowstyle": "-|>", "color": HINGE, "linewidth": 1.3, "shrinkA": 2, "shrinkB": 2}
    axes.annotate("", stop, start, arrowprops=arrow)
