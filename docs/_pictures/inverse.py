"""Inverse kinematics: the objective over the lengths of the legs, and the solver's way down."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from headframe import pose_error
from headframe.spatial import pose

from . import style
from .support import Support

GREYS = LinearSegmentedColormap.from_list("greys", ["#ffffff", "#eef2f6", "#cfd8e1", "#a9b6c3"])
LOW, HIGH = 1.95, 2.95  # [m] bounds of the legs
STARTS = ((2.08, 2.06), (2.88, 2.14))
STROKES = (style.FOUR_BAR, style.SLIDE)


def draw_inverse(support: Support, path: Path) -> None:
    """Two targets, one inside the workspace and one outside, each from two starts."""
    machine = support.machine
    inside = machine.fk({"front_legs": 2.3, "rear_legs": 2.7}).pose("canopy")
    outside = machine.fk({"front_legs": 2.75, "rear_legs": 2.9}).pose("canopy")
    outside = pose((0.15, 0.0, 0.3), (0.0, 0.0, 0.0)) @ outside
    figure = style.figure(4.05)
    for n, (target, title) in enumerate(
        ((inside, "a target within reach"), (outside, "a target out of reach"))
    ):
        axes = figure.add_axes((0.085 + 0.5 * n, 0.185, 0.395, 0.735))
        _landscape(axes, support, target)
        result = machine.ik("canopy", target)
        for start, color in zip(STARTS, STROKES, strict=True):
            way = newton_way(support, target, start)
            axes.plot(*way.T, "-", color=color, lw=1.6, zorder=6)
            axes.plot(*way[1:-1].T, "o", color=color, ms=4.2, mec="white", mew=0.6, zorder=7)
            axes.plot(*way[0], "s", color=color, ms=5.5, mec="white", mew=0.8, zorder=7)
        end = result.lengths[[0, 2]]
        axes.plot(*end, "*", ms=13, mfc=style.CYLINDER, mec="white", mew=0.9, zorder=9,
                  clip_on=False)  # fmt: skip
        text = f"|e| = {result.objective:.2f}" if result.objective > 1e-6 else "e = 0"
        note = axes.annotate(
            text, end, (-8, 9) if n == 0 else (-6, -15), fontsize=8.5, ha="right", zorder=9,
            textcoords="offset points", color=style.CYLINDER_TEXT,
        )  # fmt: skip
        note.set_path_effects([withStroke(linewidth=2.4, foreground="white")])
        axes.add_patch(_box())
        axes.set(xlim=(LOW - 0.07, HIGH + 0.07), ylim=(LOW - 0.07, HIGH + 0.07))
        axes.set(xlabel="front legs [m]", ylabel="rear legs [m]")
        axes.set_aspect("equal")
        axes.set_title(title)
    signs = (("s", style.QUIET, "start"), ("o", style.QUIET, "step"), ("*", style.CYLINDER, "end"))
    handles = [
        Line2D([], [], ls="", marker=sign, color=color, ms=9 if sign == "*" else 5, label=text)
        for sign, color, text in signs
    ]
    handles.append(Line2D([], [], color=style.INK, lw=1.3, label="bounds of the legs"))
    figure.legend(handles=handles, loc="lower center", ncols=4, bbox_to_anchor=(0.52, -0.01))
    style.save(figure, path)


def _box() -> Any:
    side = HIGH - LOW
    return Rectangle((LOW, LOW), side, side, fill=False, edgecolor=style.INK, lw=1.3, zorder=5)


def _landscape(axes: Any, support: Support, target: Any) -> None:
    """Contours of the norm of the pose error."""
    machine = support.machine
    nodes = np.linspace(LOW, HIGH, 41)
    front, rear = np.meshgrid(nodes, nodes)
    lengths = np.tile(machine.home.lengths[machine.kinematics.first_members], (front.size, 1))
    lengths[:, 0], lengths[:, 1] = front.ravel(), rear.ravel()
    poses = machine.fk_batch(lengths, ("canopy",)).pose("canopy")
    norms = np.linalg.norm([pose_error(X, target) for X in poses], axis=1).reshape(front.shape)
    levels = np.arange(0.1, 1.6, 0.1)
    axes.contourf(front, rear, norms, np.r_[0.0, levels], cmap=GREYS, extend="max")
    lines = axes.contour(front, rear, norms, levels, colors="#8795a3", linewidths=0.7)
    axes.clabel(lines, lines.levels[1::2], fmt="%.1f", fontsize=7, colors=style.QUIET)


def newton_way(support: Support, target: Any, start: tuple[float, float]) -> Any:
    """Leg lengths after each step of the method that `ik` uses, (steps + 1, 2).

    Damping and active set are as there. Derivatives are differences here: on paper nobody sees.
    """
    now, damping = np.array(start), 0.0
    f, g, H = _quadratic(support, target, now)
    way = [now]
    for _ in range(60):
        scale = np.abs(np.diag(H)).max()
        d = _box_step(g, H + damping * np.eye(2), LOW - now, HIGH - now)
        while d is None:
            damping = max(4.0 * damping, 1e-3 * scale)
            d = _box_step(g, H + damping * np.eye(2), LOW - now, HIGH - now)
        trial = np.clip(now + d, LOW, HIGH)
        f_trial = _half_square(support, target, trial)
        if f_trial >= f:
            damping = max(4.0 * damping, 1e-3 * scale)
        else:
            gain = (f - f_trial) / -(g @ d + 0.5 * d @ H @ d)
            if gain > 0.75:
                damping = 0.25 * damping if damping > 1e-6 * scale else 0.0
            elif gain < 0.25:
                damping = max(2.0 * damping, 1e-3 * scale)
            now = trial
            way.append(now)
            f, g, H = _quadratic(support, target, now)
        if np.abs(d).max() < 1e-5:
            break
    return np.array(way)


def _half_square(support: Support, target: Any, legs: Any) -> float:
    state = support.machine.fk({"front_legs": legs[0], "rear_legs": legs[1]})
    e = pose_error(state.pose("canopy"), target)
    return float(0.5 * e @ e)


def _quadratic(support: Support, target: Any, legs: Any) -> tuple[float, Any, Any]:
    """Objective, gradient and Hessian, from a stencil that stays inside the bounds."""
    h = 1e-4
    middle = np.clip(legs, LOW + h, HIGH - h)
    f = np.array(
        [[_half_square(support, target, middle + h * np.array([i, j])) for j in (-1, 0, 1)]
         for i in (-1, 0, 1)]
    )  # fmt: skip
    mixed = 0.25 * (f[2, 2] - f[2, 0] - f[0, 2] + f[0, 0])
    second = (f[2, 1] - 2 * f[1, 1] + f[0, 1], f[1, 2] - 2 * f[1, 1] + f[1, 0])
    H = np.array([[second[0], mixed], [mixed, second[1]]]) / h**2
    g = np.array([f[2, 1] - f[0, 1], f[1, 2] - f[1, 0]]) / (2 * h) + H @ (legs - middle)
    return _half_square(support, target, legs), g, H


def _box_step(g: Any, H: Any, low: Any, high: Any) -> Any:
    """Minimum of g.d + d.H.d / 2 between bounds; None if H is not positive definite."""
    held = ((low >= 0) & (g > 0)) | ((high <= 0) & (g < 0))
    d = np.where(held, np.where(g > 0, low, high), 0.0)
    while not held.all():
        free = ~held
        part = H[np.ix_(free, free)]
        if np.linalg.eigvalsh(part)[0] <= 0.0:
            return None
        d[free] = np.linalg.solve(part, -g[free] - H[np.ix_(free, held)] @ d[held])
        beyond = np.maximum(d - high, low - d)
        if beyond.max() <= 1e-15:
            break
        worst = int(np.argmax(beyond))
        held[worst] = True
        d[worst] = high[worst] if d[worst] > high[worst] else low[worst]
    return d
