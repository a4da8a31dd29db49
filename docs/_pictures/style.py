"""Colours, figures and the small signs that all these pictures share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Arc, FancyArrowPatch

from headframe.kinematics.records import StepKind

INK, QUIET, FAINT, RULE = "#1d2733", "#77818c", "#aeb6bf", "#dde2e7"
CYLINDER, CYLINDER_TEXT = "#ee7d16", "#b85c06"
FOUR_BAR, FOUR_BAR_FILL = "#2f9e44", "#eaf6ec"
HINGE, HINGE_FILL = "#2f8fd0", "#e8f4fc"
SLIDE, SLIDE_FILL = "#1f4e9c", "#e7edf7"
WRONG, WRONG_FILL = "#c2255c", "#fbe9ef"
COLORS = {StepKind.RING: FOUR_BAR, StepKind.TURNING: HINGE, StepKind.SLIDING: SLIDE}
FILLS = {
    StepKind.RING: FOUR_BAR_FILL,
    StepKind.TURNING: HINGE_FILL,
    StepKind.SLIDING: SLIDE_FILL,
}
WIDTH, DPI = 7.8, 200  # of all figures [inch], and their resolution
TEXT = {
    "font.size": 9,
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "dejavusans",
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.titlepad": 7,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "text.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.solid_capstyle": "round",
}


def figure(height: float) -> Figure:
    """A white figure of the pages' width and some height [inch]."""
    made = Figure(figsize=(WIDTH, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(made)
    return made


def save(made: Figure, path: Path) -> None:
    """Write a figure."""
    made.savefig(path)


def sketch(axes: Any) -> None:
    """Make axes a drawing to scale, without a frame."""
    axes.set_aspect("equal")
    axes.axis("off")


def pin(axes: Any, z: complex, color: str = INK, size: float = 4.6, zorder: float = 8) -> None:
    """A hinge."""
    axes.plot(
        z.real, z.imag, "o", ms=size, mfc="white", mec=color, mew=1.2, zorder=zorder, clip_on=False
    )


def line(axes: Any, points: Sequence[complex], **look: Any) -> None:
    """A line through points of the plane."""
    z = np.asarray(points)
    axes.plot(z.real, z.imag, **look)


def cylinder(axes: Any, tube: complex, rod: complex, color: str = CYLINDER, **look: Any) -> None:
    """A tube and a rod that comes out of it."""
    alpha, zorder = look.get("alpha", 1.0), look.get("zorder", 5)
    width = look.get("width", 4.5)
    middle = tube + 0.58 * (rod - tube)
    line(axes, [middle, rod], color=color, lw=0.36 * width, alpha=alpha, zorder=zorder)
    line(
        axes, [tube, middle], color=color, lw=width, alpha=alpha, zorder=zorder,
        solid_capstyle="butt",
    )  # fmt: skip
    for end in (tube, rod):
        axes.plot(end.real, end.imag, "o", ms=0.62 * width, color=color, alpha=alpha, zorder=zorder)


def arrow(axes: Any, start: complex, end: complex, color: str, **look: Any) -> None:
    """An arrow between two points; `rad` bends it."""
    axes.add_patch(
        FancyArrowPatch(
            (start.real, start.imag), (end.real, end.imag), shrinkA=0, shrinkB=0, color=color,
            arrowstyle=look.pop("style", "-|>"), mutation_scale=look.pop("size", 9),
            lw=look.pop("lw", 1.3), zorder=look.pop("zorder", 9), clip_on=False,
            connectionstyle=f"arc3,rad={look.pop('rad', 0.0)}", **look,
        )
    )  # fmt: skip


def turn(
    axes: Any, at: complex, radius: float, start: float, end: float, color: str, tip: bool = True
) -> None:
    """An arc about a point between two directions [rad], with an arrow's tip at the end."""
    low, high = sorted((start, end))
    axes.add_patch(
        Arc(
            (at.real, at.imag), 2 * radius, 2 * radius, theta1=np.degrees(low),
            theta2=np.degrees(high), color=color, lw=1.3, zorder=9,
        )
    )  # fmt: skip
    if tip:
        back = end - np.sign(end - start) * 0.02
        points = [at + radius * np.exp(1j * angle) for angle in (back, end)]
        arrow(axes, complex(points[0]), complex(points[1]), color, lw=0)


def label(axes: Any, z: complex, text: str, color: str = INK, **look: Any) -> Any:
    """A text in the plane, with a white rim so that it can be read over lines."""
    from matplotlib.patheffects import withStroke

    look.setdefault("ha", "center")
    look.setdefault("va", "center")
    look.setdefault("zorder", 12)
    rim = withStroke(linewidth=look.pop("rim", 2.6), foreground="white")
    return axes.text(z.real, z.imag, text, color=color, path_effects=[rim], **look)


def bare(axes: Any) -> None:
    """Only the left and the lower side of a frame."""
    axes.spines[["top", "right"]].set_visible(False)
