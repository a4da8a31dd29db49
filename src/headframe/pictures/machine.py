"""The picture of a machine: one large view with names, side and top view with scales."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..description import Robot, shapes_of
from ..errors import ExportError
from ..topology import analyse, counted
from .canvas import (
    DPI,
    INK,
    MINUS,
    ORANGE,
    QUIET,
    TIMES,
    checked_path,
    new_figure,
    panel,
    save,
    shortened,
    text_size,
)
from .labels import PlacedLabel, place_names
from .rendering import Picture, RenderedScene, make_scene, orthographic, perspective, render

if TYPE_CHECKING:
    from ..mechanism import State

WIDTH = 1600
HEADER, FOOTER = 84, 64
LARGE = (WIDTH, 660)  # of the large view [px]
SMALL_WIDTH = 704  # of the side and top views [px]
SMALL_HEIGHTS, SMALL_AIR = (210, 420), 120  # the air is for names
VIEWER = (0.60, -0.72, 0.40)  # from in front, the right-hand side, above
VIEWER_WIDE = (0.80, -0.50, 0.36)
NAME_SIZE = 10.5


def draw_machine(
    robot: Robot,
    state: State,
    path: str | Path,
    folder: str | Path | None = None,
    names: bool = True,
) -> Path:
    """Draw the assembled machine from the side, from above and in perspective.

    Args:
        robot: the machine.
        state: gives the links' poses.
        path: the file to write: .png, .svg or .pdf.
        folder: the machine file's folder, to which mesh paths are relative.
        names: whether links and actuators are named. What the large view does not show is
            named where it can be seen.

    Returns:
        The path written.

    Raises:
        ExportError: nothing to draw, another suffix, or a file that cannot be written.
        MissingExtraError: matplotlib is not installed.
        MeshError: a mesh file that cannot be read.
    """
    path = checked_path(path)
    scene = make_scene(robot, state, folder)
    if scene is None:
        raise ExportError(f"{robot.name}: no link has a visual, there is nothing to draw")
    small, scale = _small_views(scene)
    figure = new_figure(WIDTH, HEADER + LARGE[1] + 34 + small[1] + FOOTER)
    _header(figure, robot, scene)
    left = NamesLeft(robot) if names else None

    wide = _is_wide(scene)
    viewer = VIEWER_WIDE if wide else VIEWER
    camera = perspective(scene, viewer, *LARGE, margin=(0.13, 0.10) if names else (0.04, 0.05))
    large = render(scene, camera)
    axes = panel(figure, 0, HEADER, *LARGE)
    axes.imshow(large.image, interpolation="none", extent=(0, LARGE[0], LARGE[1], 0))
    axes.set_axis_off()
    blocked = _triad(axes, camera.R_VW, robot.up_axis)
    if left:
        left.name(axes, large, (1.0, 1.0), blocked)
    for view, x in zip(_views(robot.up_axis, wide), (64, WIDTH - SMALL_WIDTH - 28), strict=True):
        small_camera = orthographic(scene, view.viewer, view.up, *small, pixels_per_metre=scale)
        picture = render(scene, small_camera, factor=3, weight=0.85)
        axes = panel(figure, x, HEADER + LARGE[1] + 34, *small)
        _measured(axes, picture, view)
        if view.viewer[2] == 0.0:
            axes.axhline(scene.bounds[0][2], color="#9aa4ae", linewidth=1.0)
        if left:
            left.name(axes, picture, (1.0 / scale, -1.0 / scale))
    if left and left.waiting:
        text = shortened("not to be seen or named in these views: " + ", ".join(left.hidden), 200)
        bottom = HEADER + LARGE[1] + 34 + small[1] + FOOTER
        _write(figure, 28, bottom - 8, text, fontsize=9.5, color=QUIET)
    return save(figure, path)


@dataclass(frozen=True)
class DrawingView:
    """An orthographic view: its title, direction, and the file's axes on its scales.

    An axis with a minus runs against the scale: to the left, or downwards.
    """

    title: str
    viewer: tuple[float, float, float]
    up: tuple[float, float, float]
    across: str
    along: str


def _views(up_axis: str, wide: bool) -> tuple[DrawingView, DrawingView]:
    """The elevation and the plan; machines that are wide rather than long are seen from in front.

    In files with y up, z points to the machine's right-hand side.
    """
    left, up = ("y", "z") if up_axis == "z" else ("-z", "y")
    if wide:
        plan = DrawingView("top view", (0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), left, "-x")
        return DrawingView("front view", (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), left, up), plan
    plan = DrawingView("top view", (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), "x", left)
    return DrawingView("side view", (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), "x", up), plan


def _is_wide(scene: RenderedScene) -> bool:
    """Whether the machine's width is what a picture should show: a shearer along its face."""
    length, width, _ = scene.bounds[1] - scene.bounds[0]
    return bool(width > 1.3 * length)


def _small_views(scene: RenderedScene) -> tuple[tuple[int, int], float]:
    """Size [px] and scale [px/m] of elevation and plan: one scale for both."""
    length, width, height = scene.bounds[1] - scene.bounds[0]
    if _is_wide(scene):
        length, width = width, length
    low, high = SMALL_HEIGHTS
    across = max(width, height, 1e-9)
    scale = float(min(0.94 * SMALL_WIDTH / max(length, 1e-9), (high - SMALL_AIR) / across))
    return (SMALL_WIDTH, int(np.clip(across * scale + SMALL_AIR, low, high))), scale


class NamesLeft:
    """The names that no view has shown yet: one a main link, one an actuator."""

    def __init__(self, robot: Robot) -> None:
        self.texts: list[str] = []
        self.colors: list[str] = []
        group = np.full(len(robot.links), -1)
        for link in robot.main_links:
            group[robot.link_index[link.name]] = len(self.texts)
            self.texts.append(shortened(link.name))
            self.colors.append(INK)
        for actuator in robot.actuators:
            for part in (actuator.tube, actuator.rod):
                if part in robot.link_index:
                    group[robot.link_index[part]] = len(self.texts)
            self.texts.append(shortened(actuator.name))
            self.colors.append(ORANGE)
        self.group = group.astype(np.int32)
        shown = {int(self.group[i]) for i, link in enumerate(robot.links) if shapes_of(robot, link)}
        self.waiting = [i for i in range(len(self.texts)) if i in shown]

    @property
    def hidden(self) -> list[str]:
        """Texts of the names that are left."""
        return [self.texts[i] for i in self.waiting]

    def name(
        self,
        axes: Any,
        picture: Picture,
        unit: tuple[float, float],
        blocked: NDArray[np.bool_] | None = None,
    ) -> None:
        """Name what can be seen in a picture; `unit` is the size of a pixel in the axes."""
        owner = np.where(picture.owner >= 0, self.group[np.maximum(picture.owner, 0)], -1)
        sizes = text_sizes(axes, [self.texts[i] for i in self.waiting])
        places = place_names(owner.astype(np.int32), self.waiting, sizes, blocked)
        x0, y0 = axes.get_xlim()[0], axes.get_ylim()[1]

        def at(point: tuple[float, float]) -> tuple[float, float]:
            return x0 + unit[0] * point[0], y0 + unit[1] * point[1]

        for i, place in zip(self.waiting, places, strict=True):
            if place:
                _leader(axes, at, place, self.texts[i], self.colors[i])
        left = zip(self.waiting, places, strict=True)
        self.waiting = [i for i, place in left if place is None]


def text_sizes(axes: Any, texts: list[str]) -> NDArray[np.float64]:
    """Width and height of names as they will be drawn [px], (n, 2)."""
    sizes = []
    for text in texts:
        artist = axes.text(0, 0, text, fontsize=NAME_SIZE, parse_math=False)
        sizes.append(text_size(artist))
        artist.remove()
    return np.array(sizes).reshape(-1, 2)


def _leader(axes: Any, at: Any, place: PlacedLabel, text: str, color: str) -> None:
    """A name, a thin line with a pale rim, and a dot on the part."""
    from matplotlib import patheffects

    rim = [patheffects.withStroke(linewidth=2.4, foreground="white", alpha=0.8)]
    (x0, y0), (x1, y1) = at(place.start), at(place.anchor)
    axes.plot([x0, x1], [y0, y1], color=color, linewidth=0.8, zorder=5, path_effects=rim)
    axes.plot(
        [x1], [y1], "o", color=color, markersize=4.2, markeredgecolor="white",
        markeredgewidth=0.8, zorder=6,
    )  # fmt: skip
    x, y = at(place.text)
    axes.text(
        x, y, text, color=color, fontsize=NAME_SIZE, ha="center", va="center_baseline",
        zorder=7, parse_math=False,
    )  # fmt: skip


def _header(figure: Any, robot: Robot, scene: RenderedScene) -> None:
    """Name, class, counts, size and mass."""
    lower, upper = scene.bounds
    facts = [robot.machine_class] if robot.machine_class else []
    facts.append(counted(analyse(robot).counts))
    facts.append(f" {TIMES} ".join(f"{side:.2f}" for side in upper - lower) + " m")
    mass = sum(link.inertial.mass for link in robot.links if link.inertial)
    if mass > 0:
        facts.append(f"{mass / 1000:.1f} t" if mass >= 1000 else f"{mass:.1f} kg")
    left, right = 28, WIDTH - 28
    name = shortened(robot.name, 60)
    _write(figure, left, 40, name, fontsize=23, color=INK, fontweight="bold")
    line = "   ·   ".join(shortened(fact, 60) for fact in facts)
    _write(figure, left, 68, line, fontsize=13, color=QUIET)
    _write(figure, right, 40, "link", fontsize=11, color=INK, ha="right")
    _write(figure, right, 62, "actuator", fontsize=11, color=ORANGE, ha="right")


def _write(figure: Any, x: float, y: float, text: str, **style: Any) -> None:
    """Text with its baseline at a place given in pixels from the top left corner."""
    width, height = figure.get_size_inches() * DPI
    figure.text(x / width, 1 - y / height, text, parse_math=False, **style)


def _triad(axes: Any, R_VW: NDArray[np.float64], up_axis: str) -> NDArray[np.bool_]:
    """Arrows along the file's axes in the lower left corner; the pixels they take."""
    from matplotlib.patches import FancyArrowPatch

    x, y = 70.0, LARGE[1] - 62.0
    directions = {"x": R_VW[:, 0], "y": R_VW[:, 1], "z": R_VW[:, 2]}
    if up_axis == "y":
        directions = {"x": R_VW[:, 0], "y": R_VW[:, 2], "z": -R_VW[:, 1]}
    colors = {"x": "#c0392b", "y": "#2e8b57", "z": "#2c6fbb"}
    for name, direction in directions.items():
        dx, dy = 46 * direction[0], -46 * direction[1]
        axes.add_patch(
            FancyArrowPatch(
                (x, y), (x + dx, y + dy), arrowstyle="-|>", mutation_scale=9, shrinkA=0,
                shrinkB=0, color=colors[name], linewidth=1.6,
            )
        )  # fmt: skip
        axes.text(
            x + 1.25 * dx, y + 1.25 * dy, name, color=colors[name], fontsize=11,
            ha="center", va="center",
        )  # fmt: skip
    blocked = np.zeros((LARGE[1], LARGE[0]), dtype=np.bool_)
    blocked[-130:, :150] = True
    return blocked


def _measured(axes: Any, picture: Picture, view: DrawingView) -> None:
    """An orthographic view with scales in metres, in the file's axes."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    camera = picture.camera
    middle = camera.R_VW @ camera.eye
    half = np.array([camera.width, camera.height]) / (2 * camera.scale)
    extent = (
        middle[0] - half[0], middle[0] + half[0], middle[1] - half[1], middle[1] + half[1]
    )  # fmt: skip
    axes.imshow(picture.image, interpolation="none", extent=extent, aspect="auto")
    axes.set_title(view.title, fontsize=12.5, color=INK, loc="left", pad=7)
    axes.set_xlabel(f"{view.across.lstrip('-')} [m]", fontsize=11, color=QUIET, labelpad=2)
    axes.set_ylabel(f"{view.along.lstrip('-')} [m]", fontsize=11, color=QUIET, labelpad=4)
    for axis, name, most in ((axes.xaxis, view.across, 12), (axes.yaxis, view.along, 6)):
        axis.set_major_locator(MaxNLocator(nbins=most, steps=[1, 2, 5, 10]))
        if name.startswith("-"):
            axis.set_major_formatter(FuncFormatter(_negated))
    axes.tick_params(labelsize=10, labelcolor=QUIET, color="#b8c0c8", length=4)
    for spine in axes.spines.values():
        spine.set_color("#c9d0d6")
        spine.set_linewidth(0.8)


def _negated(value: float, _: int) -> str:
    """A tick's text with its sign turned round."""
    return f"{0.0 - value:g}".replace("-", MINUS)
