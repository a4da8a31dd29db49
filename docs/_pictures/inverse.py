"""Inverse kinematics: the objective over the lengths of the legs, and the solver's way down."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from headframe import pose_error
from headframe.kinematics.inverse import _kernels as kernels
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
    """Leg lengths after each step of the solver, (steps + 1, 2)."""
    kinematics = support.machine.kinematics
    solver = kinematics.inverse_solver("canopy")
    weights = np.ones(6)
    path_i, path_f, bounds, _ = solver.arrays(support.home, weights)
    n_vars = len(kinematics.plan.variables)
    place, held = solver.iwork[:n_vars], solver.iwork[n_vars:]
    place[:] = -1
    for i in range(2):
        place[path_i[kernels.VARIABLES_AT + i]] = i
    parts = kernels.views(kinematics.link_i, solver.work)
    now = solver.work[kernels.NOW : kernels.NOW + 2]
    way = [np.array(start)]
    for steps in range(1, 60):
        now[:] = start
        status, _, _ = kernels.minimise(
            kinematics.link_i, kinematics.link_f, path_i, path_f, bounds, place, held, target,
            weights, steps, solver.work, parts,
        )  # fmt: skip
        way.append(now.copy())
        if status == kernels.CONVERGED:
            break
    return np.array(way)
