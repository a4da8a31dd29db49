"""Curves in panels: the pictures of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...pictures import INK, QUIET, new_figure, panel, save
from ..figures import COLORS, DASHES, GRID, MARKERS, quiet_axes

WIDE, TALL = 490, 300  # of a panel [px]; one alone is as wide as two
LEFT, GAP, ABOVE, BELOW = 88, 100, 54, 62


@dataclass(frozen=True, eq=False)
class PlotCurve:
    """A line of a panel.

    Attributes:
        name: for the legend; the same name has the same colour in all panels.
        x, y: its points.
        points: whether every point is marked.
        broken: whether it ends where the motion could not go on; a cross says so.
    """

    name: str
    x: ArrayLike
    y: ArrayLike
    points: bool = False
    broken: bool = False


@dataclass(frozen=True, eq=False)
class PlotPanel:
    """One diagram.

    Attributes:
        title, across, up: its title and the names of its axes.
        curves: what is drawn.
        log: whether each axis is logarithmic.
        floor: smaller values are drawn here on a logarithmic axis.
        rules: values of y with a thin line across, and what they say.
    """

    title: str
    across: str
    up: str
    curves: Sequence[PlotCurve]
    log: tuple[bool, bool] = (True, True)
    floor: float = 1e-17
    rules: Sequence[tuple[float, str]] = ()


def draw_panels(title: str, panels: Sequence[PlotPanel], path: Path, columns: int = 2) -> Path:
    """Draw diagrams side by side, with one legend for all."""
    names = list(dict.fromkeys(curve.name for one in panels for curve in one.curves))
    columns = min(columns, len(panels))
    wide = 2 * WIDE + GAP if columns == 1 else WIDE
    in_row = max(4, 2 * columns)
    rows, legend_rows = -(-len(panels) // columns), -(-len(names) // in_row)
    top = 58 + 24 * legend_rows
    width = LEFT + columns * wide + (columns - 1) * GAP + 40
    height = top + rows * (ABOVE + TALL + BELOW) - 10
    figure = new_figure(width, height)
    handles: dict[str, Any] = {}
    for place, one in enumerate(panels):
        row, column = divmod(place, columns)
        above = top + row * (ABOVE + TALL + BELOW) + ABOVE - 24
        axes = panel(figure, LEFT + column * (wide + GAP), above, wide, TALL)
        _draw(axes, one, names)
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    figure.text(28 / width, 1 - 34 / height, title, fontsize=16, color=INK)
    figure.legend(
        handles.values(), handles.keys(), loc="upper left", ncols=in_row,
        bbox_to_anchor=(20 / width, 1 - 44 / height), frameon=False, fontsize=11, labelcolor=INK,
        columnspacing=1.8, handlelength=2.6,
    )  # fmt: skip
    return save(figure, path)


def _draw(axes: Any, one: PlotPanel, names: Sequence[str]) -> None:
    quiet_axes(axes)
    if one.log[0]:
        axes.set_xscale("log")
    if one.log[1]:
        axes.set_yscale("log")
    for value, words in one.rules:
        axes.axhline(value, color=QUIET, linewidth=1.0, linestyle=(0, (4, 3)), zorder=1)
        axes.annotate(
            words, (0.99, value), xycoords=("axes fraction", "data"), xytext=(0, -13),
            textcoords="offset points", ha="right", fontsize=9.5, color=QUIET, zorder=6,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
        )  # fmt: skip
    for curve in one.curves:
        number = names.index(curve.name)
        x, y = np.asarray(curve.x, dtype=float), np.asarray(curve.y, dtype=float)
        if one.log[1]:
            y = np.maximum(y, one.floor)
        axes.plot(
            x, y, color=COLORS[number % len(COLORS)], linestyle=DASHES[number % len(DASHES)],
            linewidth=2.0, label=curve.name, zorder=3,
            marker=MARKERS[number % len(MARKERS)] if curve.points else None, markersize=6,
            markeredgecolor="white", markeredgewidth=0.6,
        )  # fmt: skip
        if curve.broken and x.size:
            axes.plot(
                x[-1], y[-1], "x", color=COLORS[number % len(COLORS)], markersize=11,
                markeredgewidth=2.6, zorder=5, clip_on=False,
            )  # fmt: skip
    for axis in (axes.xaxis, axes.yaxis):
        _set_ticks(axis)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_title(one.title, fontsize=13, color=INK, loc="left")
    axes.set_xlabel(one.across, fontsize=11, color=QUIET)
    axes.set_ylabel(one.up, fontsize=11, color=QUIET)


def _set_ticks(axis: Any) -> None:
    """Plain numbers at 1, 2 and 5 on a short logarithmic axis; whole decades on a long one."""
    if axis.get_scale() != "log":
        return
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    low, high = axis.get_view_interval()
    decades = np.log10(high / low) if high > low > 0.0 else 0.0
    if decades < 3.0:
        subs = (1.0, 2.0, 5.0) if decades > 0.6 else tuple(np.arange(1.0, 10.0, 0.5))
        axis.set_major_locator(LogLocator(subs=subs))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_locator(NullLocator())
    else:
        axis.set_major_locator(LogLocator(numticks=9))
        axis.set_minor_formatter(NullFormatter())
