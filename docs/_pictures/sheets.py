"""The working branch as a sheet over the lengths of the legs: smooth, folded, and walked on."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from scipy.ndimage import label as regions

from headframe.description.reading import read_text
from headframe.machine import Machine, find

from . import style
from .support import Support

WIDE = (1.65, 3.25)  # [m]
GREENS = LinearSegmentedColormap.from_list("greens", ["#f3faf4", "#bfe3c6", "#6cbf7c", "#2f8f43"])
BLUES = LinearSegmentedColormap.from_list("blues", ["#f2f8fd", "#bcdcf3", "#6db3e2", "#2576b5"])
AXES = {"xlabel": "front legs [m]", "ylabel": "rear legs [m]"}


@cache
def widened(low: float, high: float) -> Machine:
    """The support with other bounds of its legs."""
    content = json.loads(find("tcchs").read_text(encoding="utf-8"))
    for entry in content["actuators"]:
        if "leg" in entry["name"]:
            entry["bound"] = {**entry["bound"], "lower": low, "upper": high}
    robot = read_text(json.dumps(content)).robot
    assert robot is not None
    return Machine(robot)


# --------------------------------------------------------------- regular box


def draw_sheet(support: Support, path: Path) -> None:
    """Both variables of the leg block over the box of lengths."""
    machine = support.machine
    low, high = 1.95, 2.95
    nodes = np.linspace(low, high, 61)
    front, rear = np.meshgrid(nodes, nodes)
    lengths = np.tile(machine.home.lengths[machine.kinematics.first_members], (front.size, 1))
    lengths[:, 0], lengths[:, 1] = front.ravel(), rear.ravel()
    q = machine.fk_batch(lengths).joints - machine.home.q
    names = list(machine.home.joints)
    figure = style.figure(3.75)
    parts = (
        ("base_front_link", "θ₁: turn of the front link [°]", GREENS, style.FOUR_BAR),
        ("shield_canopy", "θ₂: turn of the canopy [°]", BLUES, style.HINGE),
    )
    for n, (name, title, colors, ink) in enumerate(parts):
        axes = figure.add_axes((0.085 + 0.5 * n, 0.145, 0.395, 0.765))
        turn = -np.degrees(q[:, names.index(name)]).reshape(front.shape)  # anticlockwise
        axes.contourf(front, rear, turn, 14, cmap=colors)
        lines = axes.contour(front, rear, turn, 10, colors=ink, linewidths=0.9)
        axes.clabel(lines, fmt="%g", fontsize=7.5, colors=style.INK)
        walked = np.linspace(low, high, 17)
        axes.plot(*np.meshgrid(walked, walked), ".", ms=1.5, color=style.INK, alpha=0.55)
        _home(axes, support)
        axes.set_title(title)
        axes.set(**AXES)
        axes.set_aspect("equal")
    style.save(figure, path)


def _home(axes: Any, support: Support, text: str = "home") -> None:
    x, y = support.home.lengths[0], support.home.lengths[2]
    axes.plot(x, y, "*", ms=11, mfc="white", mec=style.INK, mew=1.1, zorder=9)
    note = axes.annotate(text, (x, y), (8, 5), textcoords="offset points", fontsize=8.5, zorder=9)
    from matplotlib.patheffects import withStroke

    note.set_path_effects([withStroke(linewidth=2.2, foreground="white")])


# ---------------------------------------------------------------- folded box


class Sheet:
    """Poses of the leg block over a box of lengths, by their two variables."""

    def __init__(self, support: Support, low: float, high: float, nodes: int = 401) -> None:
        theta = np.linspace(-0.615, 0.62, nodes)
        phi = np.linspace(-2.3, 1.5, nodes)
        self.theta, self.phi = np.meshgrid(theta, phi)
        with np.errstate(invalid="ignore"):
            self.front, self.rear = support.legs(self.theta, self.phi)
            self.det = support.determinant(self.theta, self.phi)
        out = np.maximum.reduce([low - self.front, self.front - high, low - self.rear,
                                 self.rear - high])  # fmt: skip
        parts, _ = regions(out <= 0.0)
        here = parts[np.argmin(np.abs(phi)), np.argmin(np.abs(theta))]
        self.outside = np.where(parts == here, out, np.abs(out))
        self.inside = parts == here
        self.low, self.high = low, high
        self.support = support

    def lines(self, field: Any, level: float) -> list[Any]:
        """Where a field over the variables has a level: front, rear [m] and theta_2 [deg]."""
        found = []
        for theta, phi in self._curves(field, level):
            found.append((*self.support.legs(theta, phi), np.degrees(phi)))
        return found

    def fold(self) -> tuple[Any, Any]:
        """Variables on the curve where the determinant vanishes, inside the box."""
        theta, phi = max(self._curves(self.det, 0.0), key=lambda curve: len(curve[0]))
        front, rear = self.support.legs(theta, phi)
        keep = (front >= self.low) & (front <= self.high) & (rear >= self.low)
        keep &= (rear <= self.high) & (phi < 0.0)
        return theta[keep], phi[keep]

    def _curves(self, field: Any, level: float) -> list[Any]:
        drawn = style.figure(1.0).add_subplot().contour(self.theta, self.phi, field, [level])
        return [piece.T for piece in drawn.allsegs[0] if len(piece) > 1]


def draw_fold(support: Support, path: Path) -> None:
    """With wider bounds the branch goes over a fold: two poses for the same lengths."""
    sheet = Sheet(support, *WIDE)
    figure = style.figure(3.9)
    axes = figure.add_axes((0.09, 0.14, 0.4, 0.76))
    theta, phi = np.degrees(sheet.theta), np.degrees(sheet.phi)
    own, beyond = (np.where(sign * sheet.det >= 0, sheet.outside, 1.0) for sign in (1.0, -1.0))
    axes.contourf(theta, phi, own, [-9.0, 0.0], colors=[style.FOUR_BAR_FILL])
    axes.contourf(theta, phi, beyond, [-9.0, 0.0], colors=[style.WRONG_FILL])
    for lengths, color in ((sheet.front, style.CYLINDER), (sheet.rear, "#8a6d3b")):
        shown = np.where(sheet.outside <= 0.03, lengths, np.nan)
        axes.contour(theta, phi, shown, np.arange(1.65, 3.3, 0.2), colors=color, linewidths=0.7)
    axes.contour(theta, phi, sheet.outside, [0.0], colors=style.INK, linewidths=1.1)
    fold = sheet.fold()
    axes.contour(theta, phi, sheet.det, [0.0], colors=style.WRONG, linewidths=0.9,
                 linestyles="dotted")  # fmt: skip
    axes.plot(*np.degrees(fold), color=style.WRONG, lw=2.4)
    axes.plot(0, 0, "*", ms=11, mfc="white", mec=style.INK, mew=1.1, zorder=9)
    axes.annotate("home", (0, 0), (7, -3), textcoords="offset points", fontsize=8.5)
    axes.text(4, -55, "Jacobian singular", color=style.WRONG, fontsize=8.5)
    for y, color, text in (
        (74, style.CYLINDER, "front legs every 0.2 m"),
        (62, "#8a6d3b", "rear legs every 0.2 m"),
    ):
        axes.plot([-34, -30], [y, y], color=color, lw=1.2)
        axes.text(-28.5, y, text, fontsize=8, va="center")
    axes.set_title("all poses of the branch")
    axes.set(xlabel="θ₁ [°]", ylabel="θ₂ [°]", xlim=(-36, 36), ylim=(-132, 84))
    style.bare(axes)
    solid = figure.add_axes((0.5, 0.02, 0.5, 0.93), projection="3d", computed_zorder=False)
    _surface(solid, sheet, fold)
    figure.text(0.565, 0.925, "the same as a sheet over the lengths", fontsize=9.5,
                fontweight="bold")  # fmt: skip
    style.save(figure, path)


def _surface(axes: Any, sheet: Sheet, fold: tuple[Any, Any]) -> None:
    """Front legs, rear legs and the canopy's turn."""
    degrees = np.degrees(sheet.phi)
    for sign, color, ink, order in (
        (-1.0, style.WRONG_FILL, "#d98aa4", 1.0),
        (1.0, style.FOUR_BAR_FILL, "#7cc08a", 3.0),
    ):
        keep = sheet.inside & (sign * sheet.det >= 0.0)
        parts = [np.where(keep, part, np.nan) for part in (sheet.front, sheet.rear, degrees)]
        axes.plot_surface(
            *parts, color=color, rcount=130, ccount=130, linewidth=0, antialiased=False,
            shade=False, zorder=order,
        )  # fmt: skip
        for lengths in parts[:2]:
            for level in np.arange(1.65, 3.3, 0.2):
                for line in sheet.lines(lengths, level):
                    axes.plot(*line, color=ink, lw=0.6, zorder=order + 0.5)
        for line in sheet.lines(np.where(sign * sheet.det >= -0.05, sheet.outside, np.nan), 0.0):
            axes.plot(*line, color=style.INK, lw=1.1, zorder=order + 0.6)
    front, rear = sheet.support.legs(*fold)
    axes.plot(front, rear, np.degrees(fold[1]), color=style.WRONG, lw=2.4, zorder=5)
    axes.plot(front, rear, -132, color=style.WRONG, lw=1.2, ls=(0, (2, 1.5)), zorder=0)
    x, y = sheet.support.home.lengths[[0, 2]]
    axes.plot([x], [y], [0], "*", ms=11, mfc="white", mec=style.INK, mew=1.1, zorder=9)
    axes.view_init(elev=24, azim=-122)
    axes.set_box_aspect((1, 1, 1), zoom=0.9)
    axes.set(xlim=WIDE, ylim=WIDE, zlim=(-132, 84))
    axes.set_xlabel("front legs [m]", labelpad=-3)
    axes.set_ylabel("rear legs [m]", labelpad=-3)
    axes.zaxis.set_rotate_label(False)
    axes.set_zlabel("θ₂ [°]", labelpad=-4, rotation=90)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_pane_color((1, 1, 1, 1))
        axis._axinfo["grid"].update(color=style.RULE, linewidth=0.6)
        axis.line.set_color(style.FAINT)
        axis.set_tick_params(pad=-2, labelsize=7.5)
    axes.set_xticks([2.0, 2.5, 3.0])
    axes.set_yticks([2.0, 2.5, 3.0])
    axes.set_zticks([-90, -45, 0, 45])


# ------------------------------------------------------- one after the other


def draw_sequence(support: Support, path: Path) -> None:
    """One group after the other needs a pose that does not exist; both together do not."""
    machine = widened(*WIDE)
    sheet = Sheet(support, *WIDE)
    start, end = (3.1, 3.1), (1.8, 1.8)
    high = machine.fk({"front_legs": start[0], "rear_legs": start[1]})
    stop = machine.stroke(high, "front_leg_left").low
    figure = style.figure(3.9)
    axes = figure.add_axes((0.085, 0.145, 0.395, 0.765))
    front, rear = support.legs(*sheet.fold())
    order = np.argsort(front)
    front, rear = front[order], rear[order]
    axes.fill([front[0], *front, front[-1], front[0]], [rear[0], *rear, WIDE[1], WIDE[1]],
              color=style.WRONG_FILL, lw=0)  # fmt: skip
    axes.plot(front, rear, color=style.WRONG, lw=2.2)
    axes.text(1.67, 3.205, "no pose", color=style.WRONG, fontsize=8.5, va="center")
    style.arrow(axes, complex(*start), complex(*end), style.FOUR_BAR, lw=2, size=13)
    style.arrow(axes, complex(*start), complex(stop + 0.012, start[1]), style.CYLINDER, lw=2,
                size=13)  # fmt: skip
    axes.plot([stop, end[0]], [start[1]] * 2, color=style.CYLINDER, lw=1.2, ls=(0, (2, 1.8)))
    axes.plot([end[0]] * 2, [start[1], end[1]], color=style.CYLINDER, lw=1.2, ls=(0, (2, 1.8)))
    for place, text, shift, side in (
        (start, "start", (0, 8), "center"),
        (end, "target", (8, -4), "left"),
    ):
        axes.plot(*place, "o", ms=6, color=style.INK, zorder=12)
        axes.annotate(text, place, shift, textcoords="offset points", fontsize=8.5, ha=side)
    axes.plot(stop, start[1], "X", ms=8, color=style.WRONG, mec="white", mew=0.8, zorder=12)
    axes.text(2.55, 2.42, "both together", color="#24773a", fontsize=8.5, rotation=45,
              rotation_mode="anchor", ha="center")  # fmt: skip
    axes.text(2.5, 3.14, "front legs first", color=style.CYLINDER_TEXT, fontsize=8.5, ha="center")
    axes.text(1.84, 2.25, "then the\nrear legs", color=style.CYLINDER_TEXT, fontsize=8.5,
              va="center")  # fmt: skip
    axes.set(xlim=WIDE, ylim=WIDE, **AXES)
    axes.set_aspect("equal")
    axes.set_title("two ways through the lengths")
    poses = (
        (high, "start", style.INK, (3.1, 3.1)),
        (machine.fk({"front_legs": stop + 1e-4}, high), "stuck: no way on", style.WRONG,
         (stop, 3.1)),
        (machine.fk({"front_legs": 1.8, "rear_legs": 1.8}, high), "target", "#24773a", (1.8, 1.8)),
    )  # fmt: skip
    for n, (state, text, color, lengths) in enumerate(poses):
        axes = figure.add_axes((0.525, 0.665 - 0.325 * n, 0.465, 0.315))
        style.sketch(axes)
        axes.set(xlim=(-2.4, 9.9), ylim=(0.0, 4.45))
        links = ("base", "front_link", "rear_link", "shield", "canopy")
        legs = ("front_leg_left", "rear_leg_left")
        support.draw(axes, state, links, legs, width=2.6, scale=0.55)
        axes.text(4.3, 2.0, text, color=color, fontsize=9, fontweight="bold")
        shown = f"front {lengths[0]:.2f} m\nrear {lengths[1]:.2f} m"
        axes.text(4.3, 1.75, shown, color=style.CYLINDER_TEXT, fontsize=8.5, va="top")
    style.save(figure, path)
