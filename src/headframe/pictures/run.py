"""The picture of a simulated run: what moves, what holds, where energy comes from and goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .backdrop import plain, write
from .canvas import INK, MINUS, QUIET, checked_path, new_figure, panel, save, shortened, text_size
from .page import HEADER, headline
from .reach import COLORS

Floats = NDArray[np.float64]
WIDTH, LEFT, GAP, RIGHT = 1600, 96, 104, 34
LEGEND = 252  # width right of the wide panels [px]
ROW, WIDE, ROW_GAP, WIDE_GAP, BELOW = (
    138,
    200,
    46,
    66,
    70,
)  # heights of panels and between them [px]
MOST = 10  # drives with a row of their own, and curves in a panel
MOVES = 1e-6  # a drive whose position changes by more moves [m, rad]
LOADED = 1e-6  # a force that is larger than this part of the largest is shown
POINTS = 4000  # a curve of more is thinned
PROBLEM, AT_STOP, ALL = "#c0262d", "#fbeadd", "#b4bec8"
STORED = {"kinetic": COLORS[0][0], "potential": COLORS[2][0], "springs": COLORS[3][0]}
DONE = {
    "drives": (COLORS[1][0], "done by drives"),
    "dampers": (COLORS[4][0], "taken by damping, friction"),
    "pulls": (COLORS[6][0], "done by external forces"),
    "stops": (COLORS[5][0], "taken by stops"),
    "joints": (COLORS[0][0], "done by what holds joints"),
}
PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))


@dataclass(frozen=True, eq=False)
class DrawnRun:
    """What is drawn of a run: n moments, m drives (groups of cylinders, or joints).

    Attributes:
        title, facts: above the picture.
        problem: why the run stopped early; empty if it did not.
        time: [s], (n,).
        names, notes, units: of the drives: name, what it is told, and "m" or "rad"; m each.
        positions, rates: of the drives [m, rad; m/s, rad/s], (n, m).
        forces: of the drives [N, N m], (n, m).
        stops: -1 or 1 while a drive rests against its lower or upper stop, else 0, (n, m).
        bounds: lower and upper end of the drives [m, rad], infinite where there is none, (m, 2).
        energies: kinetic, potential and of springs [J], (n,) each.
        works: of drives, dampers, pulls, stops and joints since the start [J], (n,) each.
        balance: what the works do not explain of the energies' change [J], (n,).
        turnover: the most energy that was on its way, to compare the balance with [J].
    """

    title: str
    facts: str
    problem: str
    time: Floats
    names: Sequence[str]
    notes: Sequence[str]
    units: Sequence[str]
    positions: Floats
    rates: Floats
    forces: Floats
    stops: NDArray[np.int8]
    bounds: Floats
    energies: Mapping[str, Floats]
    works: Mapping[str, Floats]
    balance: Floats
    turnover: float

    @property
    def moving(self) -> list[int]:
        """Drives whose positions change."""
        return [n for n in range(len(self.names)) if _span(self.positions[:, n]) > MOVES]

    @property
    def loaded(self) -> list[int]:
        """Drives with a force that counts."""
        largest = [_largest(self.forces[:, n]) for n in range(len(self.names))]
        least = LOADED * max(largest, default=0.0)
        return [n for n, force in enumerate(largest) if force > max(least, 1e-9)]

    @property
    def held(self) -> list[int]:
        """Drives that carry load and do not move."""
        moving = self.moving
        return [n for n in self.loaded if n not in moving]


def check_picture(path: str | Path) -> Path:
    """The path, if a run can be drawn there; ExportError or MissingExtraError if not."""
    path = checked_path(path)
    new_figure(10, 10)
    return path


def draw_run(run: DrawnRun, path: str | Path) -> Path:
    """Draw a run over time: a row for each drive that moves, forces of those that hold, energies.

    Args:
        run: what is drawn.
        path: the file to write: .png, .svg or .pdf.

    Raises:
        ExportError: another suffix, or a file that cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    path = checked_path(path)
    return save(make_figure(run), path)


def make_figure(run: DrawnRun) -> Any:
    """The picture of a run, a `matplotlib.figure.Figure`."""
    moving, held = run.moving, run.held
    rows, columns = moving[:MOST], 3 if run.loaded else 2
    top = HEADER + (70 if run.problem else 42)
    wide = 3 if held else 2
    below = WIDE_GAP - ROW_GAP if rows else 0
    height = top + len(rows) * (ROW + ROW_GAP) + below + wide * (WIDE + WIDE_GAP) - WIDE_GAP + BELOW
    figure = new_figure(WIDTH, height)
    headline(figure, run.title, run.facts + _left_out(moving, held))
    if run.problem:
        text = shortened(f"stopped: {run.problem}", 150)
        write(figure, 28, HEADER + 12, text, fontsize=13, color=PROBLEM)
    for row, n in enumerate(rows):
        color = COLORS[row % len(COLORS)][0]
        _draw_drive(figure, run, n, color, top, columns, last=row == len(rows) - 1)
        top += ROW + ROW_GAP
    top += below
    if held:
        _draw_held(figure, run, held, len(rows), top)
        top += WIDE + WIDE_GAP
    _draw_energies(figure, run, top)
    _draw_balance(figure, run, top + WIDE + WIDE_GAP)
    return figure


def _left_out(moving: Sequence[int], held: Sequence[int]) -> str:
    """Say what has no room."""
    more = max(0, len(moving) - MOST) + max(0, len(held) - MOST)
    return f"   ·   {more} more drives are not shown" if more else ""


# --------------------------------------------------------------------- panels


def _draw_drive(
    figure: Any, run: DrawnRun, n: int, color: str, top: float, columns: int, last: bool
) -> None:
    """Position, speed and force of one drive, side by side."""
    unit = run.units[n]
    width = (WIDTH - LEFT - RIGHT - (columns - 1) * GAP) / columns
    what = "length" if unit == "m" else "angle"
    plots = [(run.positions, f"{what} [{unit}]", False), (run.rates, f"speed [{unit}/s]", True)]
    if columns == 3:
        plots.append((run.forces, "force [{}N]" if unit == "m" else "torque [{}N m]", True))
    for column, (values, label, zero) in enumerate(plots):
        axes = panel(figure, LEFT + column * (width + GAP), top, width, ROW)
        curve = values[:, n]
        if column == 2:
            scale, prefix = _prefix([curve])
            curve, label = curve / scale, label.format(prefix)
        if zero:
            axes.axhline(0.0, color="#c9d0d6", linewidth=0.8, zorder=1)
        _mark_stops(axes, run.time, run.stops[:, n])
        _curve(axes, run.time, curve, color=color, linewidth=1.8, zorder=4)
        low, high = _limits([curve], least=0.002 if column == 0 else 0.0, zero=zero)
        if column == 0:
            for bound in run.bounds[n]:
                if low <= bound <= high:
                    axes.axhline(bound, color=QUIET, linewidth=1.0, linestyle=(0, (5, 3)))
        axes.set_ylim(low, high)
        _frame(axes, run, label, width)
        axes.tick_params(labelbottom=last)
    name = write(
        figure, LEFT, top - 12, shortened(run.names[n], 40), fontsize=13, color=color,
        fontweight="bold",
    )  # fmt: skip
    notes = [note for note in (run.notes[n], _stop_note(run, n)) if note]
    write(
        figure,
        LEFT + float(text_size(name)[0]) + 14,
        top - 12,
        "   ·   ".join(notes),
        fontsize=11,
        color=QUIET,
    )


def _draw_held(figure: Any, run: DrawnRun, held: Sequence[int], used: int, top: float) -> None:
    """Forces of drives that carry load without moving."""
    shown = held[:MOST]
    turning = any(run.units[n] == "rad" for n in shown)
    scale, prefix = _prefix([run.forces[:, n] for n in shown])
    unit = f"{prefix}N, {prefix}N m" if turning else f"{prefix}N"
    axes = _wide(figure, top, "forces of drives that hold")
    curves = []
    for row, n in enumerate(shown):
        pair = COLORS[(used + row) % len(COLORS)]
        curves.append(run.forces[:, n] / scale)
        _mark_stops(axes, run.time, run.stops[:, n])
        note = f" ({run.notes[n]})" if run.notes[n] else ""
        _curve(
            axes, run.time, curves[-1], color=pair[0], linewidth=1.8, zorder=4,
            linestyle="-" if used + row < len(COLORS) else (0, (5, 2)),
            label=shortened(run.names[n] + note, 32),
        )  # fmt: skip
    axes.axhline(0.0, color="#c9d0d6", linewidth=0.8, zorder=1)
    axes.set_ylim(*_limits(curves, zero=True))
    _frame(axes, run, f"force [{unit}]")
    _legend(axes)


def _draw_energies(figure: Any, run: DrawnRun, top: float) -> None:
    """Energies since the start, and what was done."""
    axes = _wide(figure, top, "energy since the start")
    stored = {name: values - _first(values) for name, values in run.energies.items()}
    stored["kinetic"] = run.energies["kinetic"]
    works = {name: values - _first(values) for name, values in run.works.items()}
    scale, prefix = _prefix([*stored.values(), *works.values()])
    total = np.sum(list(stored.values()), axis=0)
    largest = max(_largest(values) for values in (*stored.values(), *works.values()))
    curves = [total / scale]
    _curve(axes, run.time, curves[0], color=ALL, linewidth=6.0, zorder=3, label="stored, all")
    for name, values in stored.items():
        if _largest(values) > 1e-9 * largest:
            curves.append(values / scale)
            _curve(
                axes, run.time, curves[-1], color=STORED[name], linewidth=1.8, zorder=4,
                label=f"stored, {name}",
            )  # fmt: skip
    for name, values in works.items():
        if _largest(values) > 1e-9 * largest:
            color, label = DONE[name]
            curves.append(values / scale)
            _curve(
                axes, run.time, curves[-1], color=color, linewidth=1.8, zorder=5,
                linestyle=(0, (5, 3)), label=label,
            )  # fmt: skip
    axes.axhline(0.0, color="#c9d0d6", linewidth=0.8, zorder=1)
    axes.set_ylim(*_limits(curves, zero=True))
    _frame(axes, run, f"energy [{prefix}J]")
    _legend(axes)


def _draw_balance(figure: Any, run: DrawnRun, top: float) -> None:
    """What the works do not explain."""
    axes = _wide(figure, top, "energy balance: what was stored, less what was done")
    scale, prefix = _prefix([run.balance])
    axes.axhline(0.0, color="#c9d0d6", linewidth=0.8, zorder=1)
    curve = run.balance / scale
    worst = _largest(run.balance)
    label = f"at most {worst:.2g} J".replace("-", MINUS)
    if run.turnover > 0.0:
        label += f",\n{worst / run.turnover:.1e} of {_quantity(run.turnover)}".replace("-", MINUS)
    _curve(axes, run.time, curve, color=COLORS[5][0], linewidth=1.6, zorder=4, label=label)
    axes.set_ylim(*_limits([curve], zero=True))
    _frame(axes, run, f"balance [{prefix}J]")
    axes.set_xlabel("time [s]", fontsize=11, color=QUIET, labelpad=3)
    _legend(axes)


# ------------------------------------------------------------------ furniture


def _wide(figure: Any, top: float, title: str) -> Any:
    axes = panel(figure, LEFT, top, WIDTH - LEFT - LEGEND - 24, WIDE)
    axes.set_title(title, fontsize=12.5, color=INK, loc="left", pad=9)
    return axes


def _legend(axes: Any) -> None:
    """Right of the panel."""
    axes.legend(
        loc="upper left", bbox_to_anchor=(1.008, 1.02), fontsize=10.5, frameon=False,
        labelcolor=INK, borderpad=0.0, borderaxespad=0.0, handlelength=1.9, handletextpad=0.6,
    )  # fmt: skip


def _frame(axes: Any, run: DrawnRun, label: str, width: float = WIDTH - LEFT - LEGEND - 24) -> None:
    """Scales and their names."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.set_ylabel(label, fontsize=10.5, color=QUIET)
    axes.yaxis.set_label_coords(-66.0 / width, 0.5)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))
    largest = max(abs(end) for end in axes.get_ylim())
    if 0.01 <= largest < 1e6:
        axes.ticklabel_format(axis="y", style="plain", useOffset=False)
    else:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=3, steps=[1, 2, 5, 10]))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _short(value)))
    begin, end = float(run.time[0]), float(run.time[-1])
    axes.set_xlim(begin, end if end > begin else begin + 1.0)
    plain(axes)


def _short(value: float) -> str:
    """A very large or small number in few letters."""
    digits, power = f"{value:.1e}".split("e")
    text = f"{digits.removesuffix('.0')}e{int(power)}" if value else "0"
    return text.replace("-", MINUS)


def _curve(axes: Any, time: Floats, values: Floats, **style: Any) -> None:
    """A line; a dot where there is one moment only."""
    if len(time) == 1:
        style["marker"] = "o"
    axes.plot(*thinned(time, values), **style)


def thinned(time: Floats, values: Floats, most: int = POINTS) -> tuple[Floats, Floats]:
    """A curve with at most about so many points that looks the same: extremes are kept."""
    if len(time) <= most:
        return time, values
    size = -(-len(time) // (most // 2))
    whole = len(time) // size * size
    blocks = np.nan_to_num(values[:whole], nan=0.0).reshape(-1, size)
    starts = np.arange(0, whole, size)
    chosen = np.concatenate([
        [0, len(time) - 1], starts + blocks.argmin(axis=1), starts + blocks.argmax(axis=1),
    ])  # fmt: skip
    kept = np.unique(chosen)
    return time[kept], values[kept]


def _mark_stops(axes: Any, time: Floats, stops: NDArray[np.int8]) -> None:
    """A shade while a drive rests against a stop."""
    resting = np.flatnonzero(np.diff(np.concatenate([[0], stops != 0, [0]])))
    for begin, end in zip(resting[::2], resting[1::2], strict=True):
        axes.axvspan(
            time[begin], time[min(end, len(time) - 1)], color=AT_STOP, linewidth=0.0, zorder=0
        )


def _stop_note(run: DrawnRun, n: int) -> str:
    """Which stops a drive rested against: they are shaded."""
    ends = [name for sign, name in ((-1, "lower"), (1, "upper")) if (run.stops[:, n] == sign).any()]
    return f"shaded: at its {' or '.join(ends)} stop" if ends else ""


def _limits(
    curves: Sequence[Floats], least: float = 0.0, zero: bool = False
) -> tuple[float, float]:
    """Ends of a scale for curves; `least` is the smallest span, `zero` has 0 in it."""
    values = np.concatenate([curve[np.isfinite(curve)] for curve in curves])
    if zero:
        values = np.append(values, 0.0)
    if not values.size:
        return -1.0, 1.0
    low, high = float(values.min()), float(values.max())
    span = max(high - low, least)
    if span <= 1e-9 * max(abs(low), abs(high)):
        span = 0.1 * max(abs(low), abs(high)) or 1.0
    middle = 0.5 * (low + high)
    return middle - 0.58 * span, middle + 0.58 * span


def _prefix(curves: Sequence[Floats]) -> tuple[float, str]:
    """What to divide by, and the prefix of the unit, so that numbers are handy."""
    largest = max((_largest(curve) for curve in curves), default=0.0)
    if largest == 0.0:
        return 1.0, ""
    return next((pair for pair in PREFIXES if largest >= 0.9995 * pair[0]), PREFIXES[-1])


def _quantity(joules: float) -> str:
    """An energy for people."""
    scale, prefix = _prefix([np.array([joules])])
    return f"{joules / scale:.3g} {prefix}J"


def _first(values: Floats) -> float:
    return float(values[0])


def _largest(values: Floats) -> float:
    """The largest size of what is finite; 0 if nothing is."""
    return float(np.max(np.abs(values[np.isfinite(values)]), initial=0.0))


def _span(values: Floats) -> float:
    finite = values[np.isfinite(values)]
    return float(np.ptp(finite)) if finite.size else 0.0
