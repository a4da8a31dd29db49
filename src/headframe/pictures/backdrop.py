"""The machine, faint and to scale, behind what is drawn about its motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .canvas import DPI, INK, MINUS, QUIET, panel
from .rendering import Z_UP_FROM_Y_UP, Camera, make_scene, render, view_axes

if TYPE_CHECKING:
    from ..mechanism import State

Floats = NDArray[np.float64]
FAINT = 0.66  # how far the machine's colours are moved to white
RIM = "#c9d0d6"


@dataclass(frozen=True)
class BackdropView:
    """An elevation or a plan.

    Attributes:
        title: above it.
        viewer: direction towards the viewer, z up.
        up: direction that is up on the page, z up.
        axes: which of x, y, z (z up) run to the right and up on the page.
    """

    title: str
    viewer: tuple[float, float, float]
    up: tuple[float, float, float]
    axes: tuple[int, int]


SIDE = BackdropView("side view", (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0, 2))
FRONT = BackdropView("front view", (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1, 2))
TOP = BackdropView("top view", (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0, 1))
VIEWS = (SIDE, FRONT, TOP)


class Backdrop:
    """A machine in a pose, to be put behind points that are given in the world."""

    def __init__(self, state: State, folder: str | Path | None, points: Floats) -> None:
        """Hold a state, and points [m], (n, 3), that all views must show."""
        self.robot = state.mechanism.robot
        self.R_up = np.eye(3) if self.robot.up_axis == "z" else Z_UP_FROM_Y_UP
        self.scene = make_scene(self.robot, state, folder)
        self.points = self.upright(points)

    def upright(self, points: Floats) -> Floats:
        """World points, (n, 3), with z up."""
        return points @ self.R_up.T

    def flat(self, points: Floats, view: BackdropView) -> Floats:
        """World points, (n, 3), on the page of a view [m], (n, 2)."""
        return self.upright(points)[:, list(view.axes)]

    @cached_property
    def box(self) -> tuple[Floats, Floats]:
        """Corners of the box around machine and points, with some air [m], z up, (3,) each."""
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        if self.scene is not None:
            low = np.minimum(low, self.scene.bounds[0])
            high = np.maximum(high, self.scene.bounds[1])
        air = 0.04 * float((high - low).max()) + 1e-3
        return low - air, high + air

    def size(self, view: BackdropView) -> Floats:
        """Width and height of a view [m], (2,)."""
        low, high = self.box
        return (high - low)[list(view.axes)]

    def draw(self, figure: Any, view: BackdropView, left: float, top: float, scale: float) -> Any:
        """Axes in metres with the machine behind, at a place of the page [px], so many px/m."""
        columns = list(view.axes)
        low, high = (corner[columns] for corner in self.box)
        width, height = (high - low) * scale
        axes = panel(figure, left, top, width, height)
        extent = (low[0], high[0], low[1], high[1])
        if self.scene is not None:
            image = self._image(view, (low + high) / 2, (width, height), scale)
            axes.imshow(image, interpolation="antialiased", extent=extent, zorder=0)
        axes.set_xlim(*extent[:2])
        axes.set_ylim(*extent[2:])
        axes.set_aspect("auto")
        axes.set_title(view.title, fontsize=12.5, color=INK, loc="left", pad=7)
        names = ("x", "y", "z") if self.robot.up_axis == "z" else ("x", "-z", "y")
        for axis, column, size in zip(
            (axes.xaxis, axes.yaxis), columns, (width, height), strict=True
        ):
            _scale(axis, names[column], size)
        plain(axes)
        return axes

    def _image(
        self, view: BackdropView, middle: Floats, size: tuple[float, float], scale: float
    ) -> NDArray[np.uint8]:
        assert self.scene is not None
        width, height = (int(np.ceil(side)) for side in size)
        R = view_axes(view.viewer, view.up)
        nearest = float((self.scene.vertices @ R[2]).max()) + self.scene.size
        eye = R.T @ np.array([*middle, nearest])
        camera = Camera(R, eye, scale, (width / 2, height / 2), False, width, height)
        picture = render(self.scene, camera, factor=3, ground=False, weight=0.85)
        faint = picture.image + FAINT * (255.0 - picture.image)
        faint[picture.owner < 0] = 255.0
        return faint.astype(np.uint8)


def plain(axes: Any) -> None:
    """A quiet frame."""
    axes.tick_params(labelsize=10, labelcolor=QUIET, color="#b8c0c8", length=4)
    for spine in axes.spines.values():
        spine.set_color(RIM)
        spine.set_linewidth(0.8)


def _scale(axis: Any, name: str, pixels: float) -> None:
    """A scale in metres; of an axis with a minus against its direction."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_label_text(f"{name.lstrip('-')} [m]", fontsize=11, color=QUIET)
    axis.labelpad = 3
    axis.set_major_locator(MaxNLocator(nbins=max(2, int(pixels / 60)), steps=[1, 2, 5, 10]))
    sign = -1.0 if name.startswith("-") else 1.0
    axis.set_major_formatter(FuncFormatter(lambda v, _: f"{sign * v + 0.0:g}".replace("-", MINUS)))


def write(figure: Any, x: float, y: float, text: str, **style: Any) -> Any:
    """Text with its baseline at a place given in pixels from the top left corner."""
    width, height = figure.get_size_inches() * DPI
    return figure.text(x / width, 1 - y / height, text, parse_math=False, **style)


def choose_views(spans: Floats) -> tuple[BackdropView, ...]:
    """The views that show something of points that extend so far along x, y, z (z up), (3,)."""
    wide = spans > 1e-3 * max(float(spans.max()), 1e-9)
    shown = tuple(view for view in VIEWS if all(wide[axis] for axis in view.axes))
    if shown:
        return shown
    axis = int(np.argmax(spans))
    return (next(view for view in VIEWS if axis in view.axes),)


def scale_for(sizes: Sequence[Floats], room: tuple[float, float]) -> float:
    """Pixels per metre at which views of these sizes fit a room: one, or three in a corner."""
    if len(sizes) == 1:
        return float(np.min(np.array(room) / sizes[0]))
    side, front, top = sizes
    across = max(side[0], top[0]) + front[0]
    down = max(side[1], front[1]) + top[1]
    return float(min(room[0] / across, room[1] / down))
