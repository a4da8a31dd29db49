"""The picture of a workspace: the machine, the cloud of points, and what ends it where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..description import Input
from ..spatial import transform_points
from .backdrop import TOP, Backdrop, BackdropView, choose_views, scale_for, write
from .canvas import DPI, INK, MINUS, ORANGE, QUIET, checked_path, new_figure, save, shortened
from .page import HEADER, headline

if TYPE_CHECKING:
    from ..mechanism import State

Floats = NDArray[np.float64]
WIDTH, LEFT, GAP, BELOW, LEGEND = 1600, 78, 96, 66, 430
ROOM = (WIDTH - LEFT - GAP - 30.0, 900.0)  # for the views [px]
ALONE = (WIDTH - LEFT - GAP - LEGEND - 0.0, 760.0)  # for a single one
CLOUD = "#8fa3b8"
NO_COLOR = "#4a545e"  # outline that no end of a stroke explains
# dark for extended, light for retracted
COLORS = (
    ("#1c5fae", "#6fb1ee"), ("#b8490a", "#f4a259"), ("#23764a", "#7cc48f"),
    ("#743a9a", "#bf96da"), ("#8a6d00", "#d9bd4a"), ("#a3214f", "#ea87aa"),
    ("#0f7a80", "#71c7c9"), ("#5b4636", "#b79c84"),
)  # fmt: skip
NEIGHBOURS = 24  # points that tell what ends the cloud at a place of its outline
NEAR_END = 0.10  # part of the stroke: what is nearer on the average is what ends it


@dataclass(frozen=True, eq=False)
class Cloud:
    """What is drawn of a workspace.

    Attributes:
        state: the machine that is drawn behind.
        link: name of the link.
        point: the point of it that was followed, in its axes [m], (3,).
        points: where that point was in the world [m], (n, 3).
        inputs: the groups and servos that move it.
        left: the part of its stroke that each has left to its lower and to its upper end,
            (n, n_inputs, 2).
        ends: the lower and upper lengths [m] or positions [rad, m], (2, n_inputs).
        size: length, area or volume with its unit; empty if it is not known.
    """

    state: State
    link: str
    point: Floats
    points: Floats
    inputs: tuple[Input, ...]
    left: Floats
    ends: Floats
    size: str

    @property
    def left_to_ends(self) -> Floats:
        """The same as `left`, with whole strokes where there are no ends."""
        endless = np.array([each.endless for each in self.inputs])
        return np.where(endless[:, None], 1.0, self.left)

    @property
    def here(self) -> Floats:
        """The point in the world as the machine is drawn [m], (3,)."""
        return transform_points(self.state.pose(self.link), self.point)

    @property
    def what(self) -> str:
        """The point in words."""
        if not self.point.any():
            return "the link's origin"
        x, y, z = (f"{value:g}" for value in self.point)
        return f"the link's point ({x}, {y}, {z}) m".replace("-", MINUS)


def draw_reach(cloud: Cloud, path: str | Path, folder: str | Path | None = None) -> Path:
    """Draw where a link can get, from the side, from in front and from above.

    Args:
        cloud: the points and what belongs to them.
        path: the file to write: .png, .svg or .pdf.
        folder: the machine file's folder, to which mesh paths are relative.

    Raises:
        ExportError: another suffix, or a file that cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    path = checked_path(path)
    backdrop = Backdrop(cloud.state, folder, cloud.points)
    spans = np.ptp(backdrop.points, axis=0)
    views = choose_views(spans)
    alone = len(views) == 1
    sizes = [backdrop.size(view) for view in views]
    scale = scale_for(sizes, ALONE if alone else ROOM)
    pixels = [size * scale for size in sizes]
    row = max(size[1] for view, size in zip(views, pixels, strict=True) if alone or view is not TOP)
    legend = 190 + 30 * (2 * len(cloud.inputs) + 4)
    lower = max(pixels[-1][1], legend - 40.0)
    top = HEADER + 40
    height = max(row, legend if alone else 0) + (0 if alone else GAP + lower)
    figure = new_figure(WIDTH, int(top + height + BELOW))
    headline(
        figure, f"{cloud.link} of {cloud.state.mechanism.robot.name}: workspace", _facts(cloud)
    )
    seen: set[tuple[int, int]] = set()
    for view, size in zip(views, pixels, strict=True):
        x = LEFT if alone or view.axes[0] == 0 else LEFT + pixels[0][0] + GAP
        y = top + row + GAP if view is TOP and not alone else top + row - size[1]
        axes = backdrop.draw(figure, view, x, y, scale)
        seen |= _draw_cloud(axes, cloud, backdrop, view)
    corner = (LEFT + pixels[0][0] + GAP - 40, top if alone else top + row + GAP - 10)
    _legend(figure, cloud, corner, seen)
    return save(figure, path)


def _facts(cloud: Cloud) -> str:
    moved = f"moved by {', '.join(each.name for each in cloud.inputs)}"
    size = [cloud.size] if cloud.size else []
    return "   ·   ".join([f"{len(cloud.points):,} samples", moved, *size])


# ------------------------------------------------------------------ the cloud


def _draw_cloud(
    axes: Any, cloud: Cloud, backdrop: Backdrop, view: BackdropView
) -> set[tuple[int, int]]:
    """Points as a haze, their outline in the colours of what ends it; which ends occur."""
    points = backdrop.flat(cloud.points, view)
    used = set()
    if len(cloud.inputs) == 1:
        lines = [points[np.argsort(cloud.left[:, 0, 0])]]
    else:
        lines, image, extent = outlines(points)
        haze = np.ones((*image.shape, 4))
        haze[..., :3] = [int(CLOUD[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        haze[..., 3] = 0.12 + 0.42 * image
        haze[image <= 0, 3] = 0.0
        axes.imshow(
            haze, origin="lower", extent=extent, aspect="auto", interpolation="bilinear", zorder=2
        )
    for line in lines:
        used |= _draw_line(axes, line, what_ends(points, cloud.left_to_ends, line))
    _draw_home(axes, backdrop.flat(cloud.here[None], view)[0])
    return used


def _draw_line(axes: Any, line: Floats, ends: NDArray[np.int64]) -> set[tuple[int, int]]:
    from matplotlib.collections import LineCollection

    pieces = np.stack([line[:-1], line[1:]], axis=1)
    colors = [color_of(end) for end in ends[:-1]]
    axes.add_collection(
        LineCollection(list(pieces), colors=colors, linewidths=3.2, capstyle="round", zorder=4)
    )
    return {divmod(int(end), 2) if end >= 0 else (-1, 0) for end in np.unique(ends)}


def color_of(end: int) -> str:
    """Colour of an end of stroke, 2 group + (1 if upper); -1 for none."""
    return NO_COLOR if end < 0 else COLORS[end // 2 % len(COLORS)][0 if end % 2 else 1]


def _draw_home(axes: Any, place: Floats) -> None:
    axes.plot(
        *place, "o", markersize=9, color="white", markeredgecolor=ORANGE, markeredgewidth=2.4,
        zorder=6,
    )  # fmt: skip


def outlines(points: Floats) -> tuple[list[Floats], Floats, tuple[float, float, float, float]]:
    """Closed lines around points of a plane, (n, 2); their density 0 to 1 and where its grid lies.

    The plane is divided into cells, coarse enough that small gaps between points close.
    """
    from contourpy import contour_generator
    from scipy.ndimage import binary_closing, gaussian_filter, gaussian_filter1d

    low, high = points.min(axis=0), points.max(axis=0)
    span = np.maximum(high - low, 1e-6 * max(1.0, float(np.max(high - low))))
    cell = float(
        np.clip(np.sqrt(4.0 * span.prod() / len(points)), span.max() / 260, span.max() / 24)
    )
    air = 4
    counts = np.ceil(span / cell).astype(int) + 2 * air
    start = (low + high) / 2 - counts * cell / 2
    edges = [start[k] + cell * np.arange(counts[k] + 1) for k in range(2)]
    density, _, _ = np.histogram2d(points[:, 0], points[:, 1], bins=edges)
    covered = binary_closing(density > 0, iterations=2)
    smooth = gaussian_filter(covered.astype(float), 0.7)
    middles = [(edge[:-1] + edge[1:]) / 2 for edge in edges]
    lines = contour_generator(middles[0], middles[1], smooth.T).lines(0.35)
    haze = gaussian_filter(density, 0.8) * covered
    haze = np.minimum(haze / max(float(np.quantile(haze[covered], 0.95)), 1e-9), 1.0)
    haze = np.where(covered, np.maximum(haze, 1e-3), 0.0)
    extent = (edges[0][0], edges[0][-1], edges[1][0], edges[1][-1])
    rounded = [
        gaussian_filter1d(line[:-1], 1.6, axis=0, mode="wrap") for line in lines if len(line) > 8
    ]
    return [np.vstack([line, line[:1]]) for line in rounded], haze.T, extent


def what_ends(points: Floats, left: Floats, line: Floats) -> NDArray[np.int64]:
    """For each place of an outline, (m, 2), the end of stroke that is nearest there, or -1, (m,).

    Of the points around, the part of the stroke that is left to an end is averaged; the end with
    the least is what ends the cloud, if that is little.
    """
    from scipy.spatial import cKDTree

    near = cKDTree(points).query(line, k=min(NEIGHBOURS, len(points)))[1].reshape(len(line), -1)
    means = left.reshape(len(left), -1)[near].mean(axis=1)
    ends = np.where(means.min(axis=1) < NEAR_END, means.argmin(axis=1), -1)
    found: NDArray[np.int64] = ends.astype(np.int64)
    return found


# ----------------------------------------------------------------- the legend


def _legend(
    figure: Any,
    cloud: Cloud,
    corner: tuple[float, float],
    seen: set[tuple[int, int]],
) -> None:
    """Extent along the axes, then what the colours mean."""
    x, y = corner[0], corner[1] + 14
    low, high = cloud.points.min(axis=0), cloud.points.max(axis=0)
    write(figure, x, y, f"extent of {cloud.what}", fontsize=12.5, color=INK)
    for name, a, b in zip("xyz", low, high, strict=True):
        y += 25
        write(figure, x, y, name, fontsize=11, color=QUIET)
        write(
            figure, x + 24, y, f"{a:.2f} to {b:.2f} m".replace("-", MINUS), fontsize=11, color=INK
        )
        write(figure, x + 190, y, f"{b - a:.2f} m", fontsize=11, color=INK, ha="left")
    y += 44
    servos = any(each.joint for each in cloud.inputs)
    whose = "drives" if servos else "cylinders"
    text = f"what ends it: {whose} at an end of their stroke"
    write(figure, x, y, text, fontsize=12.5, color=INK)
    for group, upper in sorted(seen - {(-1, 0)}):
        y += 27
        _swatch(figure, x, y, color_of(2 * group + upper))
        what = shortened(_end(cloud.inputs[group], bool(upper), cloud.ends[upper, group]), 60)
        write(figure, x + 52, y, what, fontsize=11, color=INK)
    if (-1, 0) in seen:
        y += 27
        _swatch(figure, x, y, NO_COLOR)
        text = "no end of a stroke" if len(cloud.inputs) > 1 else "way between the ends"
        write(figure, x + 52, y, text, fontsize=11, color=INK)
    y += 44
    _ring(figure, x + 19, y - 5)
    write(figure, x + 52, y, f"{cloud.what} as drawn", fontsize=11, color=INK)


def _end(each: Input, upper: bool, value: float) -> str:
    """An end of a stroke, or of a joint's range, in words."""
    if each.joint:
        return f"{each.name} at {value:.3f} {each.unit}".replace("-", MINUS)
    group = "" if each.name == each.element else f"{each.name}: "
    return f"{group}{each.element} {'extended' if upper else 'retracted'} to {value:.3f} m"


def _pixels(figure: Any) -> Floats:
    size: Floats = figure.get_size_inches() * DPI
    return size


def _swatch(figure: Any, x: float, y: float, color: str) -> None:
    from matplotlib.lines import Line2D

    width, height = _pixels(figure)
    across, up = np.array([x, x + 38]) / width, 1 - np.array([y - 5, y - 5]) / height
    figure.add_artist(Line2D(across, up, color=color, linewidth=4.0, solid_capstyle="round"))


def _ring(figure: Any, x: float, y: float) -> None:
    from matplotlib.lines import Line2D

    width, height = _pixels(figure)
    figure.add_artist(
        Line2D(
            [x / width], [1 - y / height], marker="o", markersize=9, color="white",
            markeredgecolor=ORANGE, markeredgewidth=2.4,
        )
    )  # fmt: skip
