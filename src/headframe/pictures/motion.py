"""The picture of a trajectory: the way of a link, and its drives over time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .backdrop import VIEWS, Backdrop, BackdropView, plain
from .canvas import DPI, INK, QUIET, checked_path, new_figure, panel, save, shortened
from .page import HEADER, headline
from .reach import COLORS

if TYPE_CHECKING:
    from ..mechanism import State

Floats = NDArray[np.float64]
WIDTH, LEFT, GAP, RIGHT = 1600, 90, 104, 30
VIEWS_HEIGHT = 470.0  # the views are no higher [px]
ROW, ROW_GAP, PLOTS_GAP = 150, 36, 122  # of the plots over time [px]
WAY, MISSED, MOST_NUMBERS = "#1c5fae", "#c0262d", 60


@dataclass(frozen=True, eq=False)
class DrawnMotion:
    """What is drawn of a trajectory.

    Attributes:
        state: the machine that is drawn behind.
        link: name of the link.
        times: [s], (n,).
        places: the link's origin in the world [m], (n, 3).
        curve: where it should be [m], (n, 3).
        off: whether it is away from there by more than a drawing shows, (n,).
        via_rows: rows of the via points.
        drives: lengths of all actuators [m], then positions of servos [rad, m], (n, n_drives).
        rates: their time derivatives, (n, n_drives).
        limits: of the rates, (n_drives,).
        assumed: names of drives whose limit is not known.
    """

    state: State
    link: str
    times: Floats
    places: Floats
    curve: Floats
    off: NDArray[np.bool_]
    via_rows: NDArray[np.int64]
    drives: Floats
    rates: Floats
    limits: Floats
    assumed: tuple[str, ...]

    @property
    def moving(self) -> list[int]:
        """Positions of the inputs that change."""
        span = np.ptp(self.drives, axis=0)
        inputs = self.state.mechanism.robot.inputs
        return [n for n in range(len(inputs)) if span[self.members(n)].max() > 1e-6]

    def members(self, number: int) -> list[int]:
        """Drives of an input: a group's cylinders, or the servo."""
        robot = self.state.mechanism.robot
        if number < len(robot.groups):
            return list(robot.groups[number])
        return [robot.inputs[number].drive]

    def ends(self, number: int) -> list[tuple[float, float]]:
        """Lower and upper ends of an input's drives; what it takes up where there are none."""
        robot, each = self.state.mechanism.robot, self.state.mechanism.robot.inputs[number]
        if number < len(robot.groups):
            bounds = [robot.actuators[i].bounds for i in robot.groups[number]]
            return [(bound.lower, bound.upper) for bound in bounds]
        if not each.endless:
            return [(each.lower, each.upper)]
        values = self.drives[:, each.drive]
        return [(float(values.min()), float(values.max()))]


def draw_motion(motion: DrawnMotion, path: str | Path, folder: str | Path | None = None) -> Path:
    """Draw the way of a link with the machine behind, then its drives over time.

    Args:
        motion: the trajectory.
        path: the file to write: .png, .svg or .pdf.
        folder: the machine file's folder, to which mesh paths are relative.

    Raises:
        ExportError: another suffix, or a file that cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    path = checked_path(path)
    backdrop = Backdrop(motion.state, folder, np.vstack([motion.places, motion.curve]))
    views = _two_views(backdrop)
    scales = _scales([backdrop.size(view) for view in views])
    tallest = max(backdrop.size(view)[1] * scale for view, scale in zip(views, scales, strict=True))
    top = HEADER + 40
    plots = top + tallest + PLOTS_GAP
    rows = len(motion.moving)
    figure = new_figure(WIDTH, int(plots + rows * (ROW + ROW_GAP) - ROW_GAP + 62))
    robot = motion.state.mechanism.robot
    headline(figure, f"{motion.link} of {robot.name}: trajectory", _facts(motion))
    _key(figure, motion)
    x = float(LEFT)
    for view, scale in zip(views, scales, strict=True):
        width, height = backdrop.size(view) * scale
        axes = backdrop.draw(figure, view, x, top + tallest - height, scale)
        _draw_way(axes, motion, backdrop, view, numbers=view is views[0])
        x += width + GAP
    for row, number in enumerate(motion.moving):
        _draw_input(figure, motion, number, row, plots + row * (ROW + ROW_GAP), row == rows - 1)
    return save(figure, path)


def _facts(motion: DrawnMotion) -> str:
    way = float(np.linalg.norm(np.diff(motion.places, axis=0), axis=1).sum())
    facts = [f"{len(motion.via_rows)} via points", f"{way:.2f} m", f"{motion.times[-1]:.1f} s"]
    off = float(np.linalg.norm(motion.places - motion.curve, axis=1).max())
    if off > 1e-3:
        facts.append(f"up to {1000 * off:.0f} mm off the curve")
    if motion.assumed:
        facts.append(f"speed limit assumed for {', '.join(motion.assumed)}")
    return "   ·   ".join(facts)


# -------------------------------------------------------------------- the way


def _two_views(backdrop: Backdrop) -> list[BackdropView]:
    """Two views, the one in which the way is spread out most first."""
    spans = np.ptp(backdrop.points, axis=0)
    return sorted(VIEWS, key=lambda view: -float(np.prod(spans[list(view.axes)])))[:2]


def _scales(sizes: list[Floats]) -> list[float]:
    """Pixels per metre of two views side by side: the first as large as fits, within reason."""
    room = WIDTH - LEFT - RIGHT - GAP
    first = min(VIEWS_HEIGHT / sizes[0][1], 0.62 * room / sizes[0][0])
    rest = room - first * sizes[0][0]
    return [first, min(VIEWS_HEIGHT / sizes[1][1], rest / sizes[1][0])]


def _draw_way(
    axes: Any, motion: DrawnMotion, backdrop: Backdrop, view: BackdropView, numbers: bool
) -> None:
    curve, way = (backdrop.flat(points, view) for points in (motion.curve, motion.places))
    axes.plot(*curve.T, color=QUIET, linewidth=1.1, linestyle=(0, (4, 3)), zorder=3)
    axes.plot(*way.T, color=WAY, linewidth=2.2, zorder=4, solid_joinstyle="round")
    missed = np.where(motion.off[:, None], way, np.nan)
    axes.plot(*missed.T, color=MISSED, linewidth=2.6, zorder=5)
    via = curve[motion.via_rows]
    axes.plot(
        *via.T, "o", color="white", markeredgecolor=INK, markeredgewidth=1.3, zorder=6,
        markersize=13 if numbers else 5,
    )  # fmt: skip
    if numbers:
        for number, place in enumerate(via[:MOST_NUMBERS]):
            axes.text(
                *place, str(number), fontsize=7.5, color=INK, ha="center", va="center_baseline",
                zorder=7, clip_on=True,
            )  # fmt: skip


def _key(figure: Any, motion: DrawnMotion) -> None:
    """What the lines are, in the upper right corner."""
    from matplotlib.lines import Line2D

    samples = [
        Line2D([], [], color=WAY, linewidth=2.2, label="way of the link's origin"),
        Line2D([], [], color="white", marker="o", markeredgecolor=INK, markersize=9,
               label="via point"),
    ]  # fmt: skip
    if motion.off.any():
        samples.insert(1, Line2D([], [], color=MISSED, linewidth=2.6, label="off the curve"))
        samples.append(Line2D([], [], color=QUIET, linestyle=(0, (4, 3)), label="curve asked for"))
    width, height = figure.get_size_inches() * DPI
    figure.legend(
        handles=samples, loc="lower right", bbox_to_anchor=(1 - RIGHT / width, 1 - 44 / height),
        ncols=len(samples), frameon=False, fontsize=10.5, labelcolor=INK, borderpad=0.0,
        columnspacing=1.4, handletextpad=0.5, borderaxespad=0.0,
    )  # fmt: skip


# ------------------------------------------------------------------ over time


def _draw_input(
    figure: Any, motion: DrawnMotion, number: int, row: int, top: float, last: bool
) -> None:
    """Value and rate of an input's drives, with their limits dashed."""
    robot = motion.state.mechanism.robot
    each, members = robot.inputs[number], motion.members(number)
    strong, weak = COLORS[row % len(COLORS)]
    width = (WIDTH - LEFT - RIGHT - GAP) / 2
    tops = [(-limit, limit) for limit in motion.limits[members]]
    value = "position" if each.joint else "length"
    for column, (values, limits, title) in enumerate(
        (
            (motion.drives, motion.ends(number), f"{value} [{each.unit}]"),
            (motion.rates, tops, f"speed [{each.unit}/s]"),
        )
    ):
        axes = panel(figure, LEFT + column * (width + GAP), top, width, ROW)
        for t in motion.times[motion.via_rows]:
            axes.axvline(t, color="#e6eaee", linewidth=0.9, zorder=1)
        if column:
            axes.axhline(0.0, color="#c9d0d6", linewidth=0.8, zorder=1)
        dashed = [] if column == 0 and each.endless else sorted(set(limits))
        for low, high in dashed:
            for value in (low, high):
                axes.axhline(value, color=QUIET, linewidth=1.0, linestyle=(0, (5, 3)), zorder=2)
        for n, i in enumerate(members):
            axes.plot(
                motion.times, values[:, i], color=weak if n else strong, linewidth=1.8,
                linestyle=(0, (6, 2)) if n else "-", zorder=5 - 0.1 * n,
                label=shortened(robot.drive_names[i], 24),
            )  # fmt: skip
        low, high = min(low for low, _ in limits), max(high for _, high in limits)
        axes.set_ylim(low - 0.10 * (high - low), high + 0.10 * (high - low))
        axes.set_xlim(0.0, motion.times[-1])
        axes.set_ylabel(title, fontsize=10.5, color=QUIET, labelpad=4)
        axes.yaxis.set_label_coords(-0.084, 0.5)
        axes.tick_params(labelbottom=last)
        plain(axes)
        _labels(axes, motion, row, column, last, each.name)


def _labels(axes: Any, motion: DrawnMotion, row: int, column: int, last: bool, group: str) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.ticker import MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    if last:
        axes.set_xlabel("time [s]", fontsize=11, color=QUIET, labelpad=2)
    if row == 0:
        servos = any(motion.state.mechanism.robot.inputs[n].joint for n in motion.moving)
        values = "positions" if servos else "lengths"
        title = f"{values}, bounds dashed" if column == 0 else "speeds, limits dashed"
        axes.set_title(title, fontsize=12.5, color=INK, loc="left", pad=24)
        _via_numbers(axes, motion)
    if column == 0:
        handles, names = axes.get_legend_handles_labels()
        if names != [group]:
            handles = [Line2D([], [], linewidth=0.0), *handles]
            names = [f"{shortened(group, 30)}:", *names]
        axes.legend(
            handles, names, loc="lower right", bbox_to_anchor=(1.0, 1.19 if row == 0 else 1.005),
            ncols=5, fontsize=9.5, frameon=False, labelcolor=INK, borderpad=0.1,
            borderaxespad=0.2, handlelength=1.9, columnspacing=1.2, handletextpad=0.5,
        )  # fmt: skip


def _via_numbers(axes: Any, motion: DrawnMotion) -> None:
    """Numbers of the via points above the lines of their moments, where there is room."""
    last = -np.inf
    for number, t in enumerate(motion.times[motion.via_rows]):
        if t - last > 0.022 * motion.times[-1]:
            axes.text(
                t, 1.03, str(number), fontsize=8, color=QUIET, ha="center", va="bottom",
                transform=axes.get_xaxis_transform(),
            )  # fmt: skip
            last = t
