"""Figures of the comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..pictures import INK, MINUS, QUIET, new_figure, panel, save

if TYPE_CHECKING:
    from .fk import FkMachine
    from .regression import Fit

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart
COLORS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#1d2733", "#8a8f98")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "h")
GRID = "#dfe4e8"
DASHES = ("-", "--", "-.", (0, (5, 1)), ":", (0, (3, 1, 1, 1)), (0, (1, 1)))
TICKS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 1000)  # iterations
FLOOR = 1e-16  # below which an objective is drawn there


def quiet_axes(axes: Any) -> None:
    """Thin lines and small grey figures."""
    axes.tick_params(labelsize=10, labelcolor=QUIET, color="#b8c0c8", length=3)
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color("#c9d0d6")


# --------------------------------------------------------------------- regression


def draw_fits(results: Sequence[FkMachine], fits: Mapping[str, Fit], path: Path) -> Path:
    """Predicted against measured times inside the kernels, a panel a method."""
    from .contestants import OURS, PAPER

    figure = new_figure(1180, 600)
    legend: dict[str, Any] = {}
    for column, (key, name) in enumerate((("paper", PAPER), ("newton", OURS))):
        axes = panel(figure, 82 + 590 * column, 108, 480, 420)
        quiet_axes(axes)
        one = fits.get(f"{name}, kernel")
        if one is None:
            axes.set_title(f"{name}: not measured", fontsize=13, color=INK, loc="left")
            continue
        cases = [(result.name, case) for result in results for case in result.cases]
        measured = np.array([case.times[key].kernel for _, case in cases])
        most = 1.08 * float(max(measured.max(), one.predicted.max()))
        axes.plot([0, most], [0, most], color=QUIET, linewidth=1.2, zorder=1)
        for number, result in enumerate(results):
            own = [i for i, (machine, _) in enumerate(cases) if machine == result.name]
            axes.plot(
                one.predicted[own], measured[own], MARKERS[number % len(MARKERS)],
                color=COLORS[number % len(COLORS)], markersize=6.5, markeredgecolor="white",
                markeredgewidth=0.6, label=result.name, linestyle="none",
            )  # fmt: skip
        axes.set_xlim(0, most)
        axes.set_ylim(0, most)
        axes.grid(color=GRID, linewidth=0.8)
        axes.set_title(
            f"{name}: R² = {one.r2:.3f}".replace("-", MINUS), fontsize=13, color=INK, loc="left"
        )
        axes.set_xlabel("predicted by Eq. (24) [µs]", fontsize=11, color=QUIET)
        axes.set_ylabel("measured in the kernel [µs]", fontsize=11, color=QUIET)
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            legend.setdefault(label, handle)
    if legend:
        figure.legend(
            legend.values(), legend.keys(), loc="upper left", bbox_to_anchor=(0.055, 0.985),
            ncols=8, frameon=False, fontsize=11, labelcolor=INK, handletextpad=0.2,
        )  # fmt: skip
    return save(figure, path)


# -------------------------------------------------------------------------- times


def draw_times(times: Mapping[str, Mapping[str, float]], title: str, path: Path) -> Path:
    """Bars on a logarithmic axis: a row of them for each machine, one a method.

    Args:
        times: of a call [us], by machine and method.
        title: above the picture.
        path: to write to.
    """
    methods = list(dict.fromkeys(name for one in times.values() for name in one))
    tall = max(96, 15 * len(methods) + 22)
    height = tall * len(times)
    legend_rows = -(-len(methods) // 4)
    top = 62 + 24 * legend_rows
    figure = new_figure(1180, top + height + 66)
    axes = panel(figure, 120, top, 1010, height)
    quiet_axes(axes)
    thick = 0.84 / max(1, len(methods))
    everything = [value for one in times.values() for value in one.values()]
    low = 10.0 ** np.floor(np.log10(min(everything, default=1.0)))
    for number, method in enumerate(methods):
        rows, values = [], []
        for row, one in enumerate(times.values()):
            if method in one and np.isfinite(one[method]):
                rows.append(row + (number - (len(methods) - 1) / 2) * thick)
                values.append(one[method])
        axes.barh(
            rows, np.array(values) - low, left=low, height=0.88 * thick,
            color=color_of(number), label=method, hatch="///" if number >= len(COLORS) else None,
            edgecolor="white", linewidth=0.4,
        )  # fmt: skip
        for y, value in zip(rows, values, strict=True):
            axes.text(
                value * 1.05, y, short(value), fontsize=8.5, color=QUIET, va="center_baseline"
            )
    axes.set_xscale("log")
    axes.set_xlim(low, 3.0 * max(everything, default=10.0))
    axes.set_ylim(len(times) - 0.45, -0.55)
    axes.set_yticks(range(len(times)), list(times))
    axes.tick_params(axis="y", labelsize=12, labelcolor=INK, length=0)
    axes.set_xlabel("time [µs]", fontsize=11, color=QUIET)
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    width, full = figure.get_size_inches() * 100
    figure.text(28 / width, 1 - 34 / full, title, fontsize=16, color=INK)
    figure.legend(
        loc="upper left", bbox_to_anchor=(20 / width, 1 - 44 / full), ncols=4, frameon=False,
        fontsize=11, labelcolor=INK, columnspacing=2.0, handlelength=1.2,
    )  # fmt: skip
    return save(figure, path)


def color_of(number: int) -> str:
    """The colour of a method; they repeat, hatched."""
    return COLORS[number % len(COLORS)]


def short(value: float) -> str:
    """A time [us] in two or three digits."""
    if value >= 1e3:
        return f"{value / 1e3:.3g} ms"
    return f"{value:.2g}" if value < 10 else f"{value:.0f}"


# --------------------------------------------------------------------- convergence


def draw_curves(
    curves: Mapping[str, Mapping[str, Any]], names: Mapping[str, str], path: Path
) -> Path:
    """Objective over outer iterations, a panel a machine.

    Args:
        curves: medians by machine and method.
        names: of the methods.
        path: to write to.
    """
    methods = list(dict.fromkeys(method for one in curves.values() for method in one))
    rows = -(-len(curves) // 2)
    legend: dict[str, Any] = {}
    figure = new_figure(1180, 118 + 350 * rows)
    for place, (machine, own) in enumerate(curves.items()):
        axes = panel(figure, 84 + 580 * (place % 2), 118 + 350 * (place // 2), 490, 270)
        quiet_axes(axes)
        for method, values in own.items():
            number = methods.index(method)
            last = len(values) - 1
            x = np.arange(len(values)) + 1.0  # the start stands at 1, for the logarithm
            y = np.maximum(values, FLOOR)
            axes.plot(
                x, y, color=color_of(number), linewidth=2.0, label=names.get(method, method),
                linestyle=DASHES[number % len(DASHES)], zorder=3 if number == 0 else 2,
            )  # fmt: skip
            axes.plot(
                x[last], y[last], MARKERS[number % len(MARKERS)], color=color_of(number),
                markersize=6.5, markeredgecolor="white", markeredgewidth=0.6, zorder=4,
            )  # fmt: skip
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(0.95, 1100)
        axes.set_xticks([n + 1 for n in TICKS], [str(n) for n in TICKS])
        axes.minorticks_off()
        axes.set_ylim(FLOOR / 3, 5)
        axes.grid(color=GRID, linewidth=0.8)
        axes.set_title(machine, fontsize=13, color=INK, loc="left")
        axes.set_ylabel("median Ψ [rad, m]", fontsize=11, color=QUIET)
        if place >= len(curves) - 2:
            axes.set_xlabel("outer iterations", fontsize=11, color=QUIET)
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            legend.setdefault(label, handle)
    width, full = figure.get_size_inches() * 100
    figure.text(28 / width, 1 - 32 / full, "convergence", fontsize=16, color=INK)
    figure.legend(
        legend.values(), legend.keys(), loc="upper left", ncols=7, frameon=False, fontsize=11,
        bbox_to_anchor=(20 / width, 1 - 40 / full), labelcolor=INK, columnspacing=1.6,
        handlelength=2.2,
    )  # fmt: skip
    return save(figure, path)
