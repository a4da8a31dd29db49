"""The support as a plane linkage, the order of solving, and the closed forms."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

import headframe
from headframe.kinematics.plan import Plan
from headframe.kinematics.records import StepKind

from . import style
from .support import Support

SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"


def theta(number: int) -> str:
    """The name of a driving variable, counted from 0."""
    return f"θ{SUBSCRIPTS[number + 1]}"


# ------------------------------------------------------------- plane linkage


def draw_linkage(support: Support, path: Path) -> None:
    """The support from its side with its cylinders and driving variables."""
    figure = style.figure(3.95)
    axes = figure.add_axes((0, 0, 1, 1))
    style.sketch(axes)
    axes.set(xlim=(-3.2, 5.45), ylim=(-0.6, 3.78))
    home = support.home
    support.draw(axes, home)
    for number, variable in enumerate(support.machine.kinematics.plan.variables):
        name = support.robot.joints[variable.joint].name
        color = style.COLORS[variable.kind]
        at = support.pivot(home, name)
        offset, start, end = ARCS[name]
        if variable.kind == StepKind.SLIDING:
            along = support.place(home, "tail_beam", 1 + 0j) - support.place(home, "tail_beam", 0j)
            begin = support.place(home, "insert_plate", -1.0 + 0.16j)
            style.arrow(axes, begin + 0.32 * along, begin - 0.25 * along, color, style="<|-|>")
        else:
            style.pin(axes, at, color, 6.5, zorder=10)
            style.turn(axes, at, 0.3, np.radians(start), np.radians(end), color)
        style.label(axes, at + offset, theta(number), color, fontsize=13, fontweight="bold")
    for name, (place, end) in NAMES.items():
        if end is not None:
            start = place + (0.6 if name == "face_guard_jack" else 0.1) + 0.09j
            style.line(axes, [start, end], color=style.CYLINDER_TEXT, lw=0.7, zorder=11)
        style.label(axes, place, name, style.CYLINDER_TEXT, fontsize=8, ha="left")
    entries = [
        (style.FOUR_BAR, "turn of a four-bar"),
        (style.HINGE, "turn of a hinge"),
        (style.SLIDE, "way of a slide"),
        (style.CYLINDER, "cylinders: their lengths are given"),
    ]
    for (color, text), x in zip(entries, (-3.0, -0.95, 0.85, 2.5), strict=True):
        axes.plot(x, -0.38, "o", ms=6, mfc=color, mec=color)
        axes.text(x + 0.14, -0.38, text, fontsize=8.5, va="center")
    style.save(figure, path)


ARCS = {  # where the name stands from the joint, and the arrow's two directions [deg]
    "base_front_link": (0.42 + 0.36j, 85, -10),
    "shield_canopy": (-0.05 + 0.5j, 150, 50),
    "canopy_front_beam": (0.1 + 0.52j, 140, 40),
    "front_beam_guard_rocker": (-0.02 + 0.5j, 140, 40),
    "shield_tail_beam": (-0.2 + 0.47j, 185, 85),
    "tail_beam_insert_plate": (-1.02 - 0.52j, 0, 0),
}
NAMES = {  # where the name begins, and the point of the cylinder that a line leads to
    "front_legs": (2.85 + 1.3j, None),
    "rear_legs": (0.95 + 1.3j, None),
    "tail_jacks": (-1.1 + 1.02j, -1.42 + 1.3j),
    "insert_jacks": (-2.05 + 0.42j, -2.12 + 1.02j),
    "front_beam_jacks": (2.78 + 2.02j, 3.12 + 2.63j),
    "face_guard_jack": (3.3 + 2.28j, 3.95 + 2.9j),
}


# ----------------------------------------------------------------- incidence


def draw_incidence(path: Path) -> None:
    """What each group of cylinders depends on, in solving order, with blocks framed."""
    plans = {name: headframe.load(name).kinematics.plan for name in ("tcchs", "sths")}
    height, top, unit = 2.62, 0.42, 0.3  # [inch] of the figure, above the matrices, of a cell
    figure = style.figure(height)
    for (name, plan), left in zip(plans.items(), (1.3, 5.5), strict=True):
        side = unit * len(plan.variables)
        box = (left / style.WIDTH, 1 - (top + side) / height, side / style.WIDTH, side / height)
        _incidence(figure.add_axes(box), name, plan)
    axes = figure.add_axes((0, 0, 1, 0.12))
    axes.set(xlim=(0, style.WIDTH), ylim=(0, 0.12 * height))
    axes.axis("off")
    axes.plot(4.62, 0.2, "o", ms=7, color=style.QUIET)
    axes.text(4.76, 0.2, "length depends on it", va="center", fontsize=8.5)
    axes.add_patch(_frame(6.4, 0.12, 0.16, 0.16, "white", 0.04))
    axes.text(6.66, 0.2, "solved together", va="center", fontsize=8.5)
    style.save(figure, path)


def _frame(x: float, y: float, width: float, height: float, fill: str, corner: float) -> Any:
    return FancyBboxPatch(
        (x, y), width, height, boxstyle=f"round,pad=0,rounding_size={corner}", facecolor=fill,
        edgecolor=style.INK, lw=1.4, zorder=3,
    )  # fmt: skip


def _incidence(axes: Any, name: str, plan: Plan) -> None:
    groups = [group for block in plan.blocks for group in block.groups]
    columns = [variable for block in plan.blocks for variable in block.variables]
    matrix = plan.incidence[np.ix_(groups, columns)]
    size = len(groups)
    axes.set(xlim=(0, size), ylim=(size, 0))
    axes.axis("off")
    axes.set_aspect("equal")
    for k in range(size + 1):
        axes.plot([0, size], [k, k], color=style.RULE, lw=0.8, zorder=1)
        axes.plot([k, k], [0, size], color=style.RULE, lw=0.8, zorder=1)
    for row, column in zip(*np.nonzero(matrix), strict=True):
        kind = plan.variables[columns[column]].kind
        axes.plot(column + 0.5, row + 0.5, "o", ms=9, color=style.COLORS[kind], zorder=4)
    for row, group in enumerate(groups):
        text = plan.topology.robot.group_names[group]
        axes.text(-0.2, row + 0.5, text, ha="right", va="center", fontsize=8.5,
                  color=style.CYLINDER_TEXT)  # fmt: skip
    for column, variable in enumerate(columns):
        kind = plan.variables[variable].kind
        axes.text(column + 0.5, -0.22, theta(variable), ha="center", va="bottom", fontsize=11,
                  fontweight="bold", color=style.COLORS[kind])  # fmt: skip
    at = 0
    for number, block in enumerate(plan.blocks):
        n = len(block.groups)
        kind = plan.variables[block.variables[0]].kind
        axes.add_patch(_frame(at + 0.06, at + 0.06, n - 0.12, n - 0.12, style.FILLS[kind], 0.14))
        axes.text(size + 0.25, at + n / 2, _how(plan, number), va="center", fontsize=8,
                  color=style.INK, linespacing=1.25)  # fmt: skip
        at += n
    axes.text(-0.2, -0.3, name, ha="right", va="bottom", fontsize=10.5, fontweight="bold")


def _how(plan: Plan, number: int) -> str:
    block = plan.blocks[number]
    variable = plan.variables[block.variables[0]]
    if len(block.groups) > 1:
        return "two lengths, two\nvariables: table,\nthen Newton"
    if block.needs:
        needed = [plan.topology.robot.group_names[g]
                  for b in block.needs for g in plan.blocks[b].groups]  # fmt: skip
        return f"after {', '.join(needed)}:\ntable, then Newton"
    return "quadratic" if variable.kind == StepKind.SLIDING else "two-bar angle"


# ------------------------------------------------------------------ four-bar


def draw_four_bar(support: Support, path: Path) -> None:
    """The four-bar closes where two circles meet, in two ways."""
    figure = style.figure(3.75)
    axes = figure.add_axes((0.0, 0.0, 0.585, 0.97))
    style.sketch(axes)
    figure.text(0.02, 0.905, "one input, two ways to close", fontsize=9.5, fontweight="bold")
    A, B0, C0, D = support.ring
    turned = -0.35
    B, C, _ = (complex(z) for z in support.close(turned))
    side = np.sign((np.conj(D - B0) * (C0 - B0)).imag)
    other = complex(support.close(turned, -side)[1])
    for middle, on, color in ((B, C, style.FOUR_BAR), (D, C, style.HINGE)):
        axes.add_patch(
            Circle((middle.real, middle.imag), abs(on - middle), fill=False, ls=(0, (4, 2.5)),
                   color=color, lw=1.0)
        )  # fmt: skip
    for end, color, width in ((other, "#c9ced4", 3.5), (C, style.INK, 3.5)):
        style.line(axes, [B, end], color=color, lw=width, zorder=3)
        style.line(axes, [D, end], color=color, lw=width, zorder=3)
    style.line(axes, [A, B], color=style.FOUR_BAR, lw=3.5, zorder=3)
    style.line(axes, [A, D], color=style.FAINT, lw=3.5, zorder=2)
    style.line(axes, [B, D], color=style.QUIET, lw=0.9, ls=(0, (1, 2)), zorder=2)
    style.line(axes, [A, A + 0.75 * np.exp(1j * np.angle(B0 - A)) * 1.0], color=style.FOUR_BAR,
               lw=0.9, ls=(0, (3, 2)))  # fmt: skip
    home = float(np.angle(B0 - A))
    style.turn(axes, A, 0.62, home, home + turned, style.FOUR_BAR)
    for z in (A, B, C, D, other):
        style.pin(axes, z, style.QUIET if z == other else style.INK, 5.5)
    for z, text, move, color in (
        (A, "A", 0.13 - 0.09j, style.INK),
        (B, "B", 0.1 + 0.14j, style.INK),
        (D, "D", -0.04 - 0.16j, style.INK),
        (C, "C", -0.17 + 0.03j, style.INK),
        (other, "C\u2032", 0.19 + 0.07j, style.QUIET),
    ):
        style.label(axes, z + move, text, color, fontsize=10, fontweight="bold")
    middle = home + 0.5 * turned
    style.label(axes, A + 0.76 * np.exp(1j * middle), "θ", style.FOUR_BAR, fontsize=12,
                fontweight="bold")  # fmt: skip
    style.label(axes, 0.5 * (B + C) - 0.1 + 0.08j, "shield", fontsize=8, ha="right")
    style.label(axes, 0.45 * C + 0.55 * D - 0.1, "rear link", fontsize=8, ha="right")
    style.label(axes, 0.55 * A + 0.45 * B + 0.12 + 0.02j, "front link", style.FOUR_BAR, fontsize=8,
                ha="left")  # fmt: skip
    style.label(axes, 0.5 * (A + D) + 0.1 - 0.1j, "base", style.QUIET, fontsize=8)
    low = min(z.imag for z in (A, B, C, D, other)) - 0.35
    axes.set(xlim=(-2.75, 0.85), ylim=(low, 2.62))
    _rocker(figure.add_axes((0.675, 0.145, 0.3, 0.725)), support, turned, side)
    style.save(figure, path)


def _rocker(axes: Any, support: Support, turned: float, side: float) -> None:
    _, _, C0, D = support.ring
    x = np.linspace(-3.2, 3.2, 6001)
    with np.errstate(invalid="ignore"):
        own, mirrored = (
            np.degrees(np.angle((support.close(x, s)[1] - D) / (C0 - D))) for s in (side, -side)
        )
    ends = x[np.isfinite(own)]
    low, high = (float(v) for v in _around(ends, 0.0))
    keep = (x >= low) & (x <= high)
    axes.plot(np.degrees(x[keep]), _unwrapped(mirrored[keep]), color="#b3bac1", lw=1.8)
    axes.plot(np.degrees(x[keep]), _unwrapped(own[keep]), color=style.INK, lw=1.8)
    for end in (low, high):
        axes.axvline(np.degrees(end), color=style.WRONG, lw=1.0, ls=(0, (3, 2)))
    here = np.interp(turned, x[keep], _unwrapped(own[keep]))
    axes.plot(np.degrees(turned), here, "o", ms=5.5, color=style.FOUR_BAR, zorder=5)
    axes.plot(0, 0, "o", ms=5.5, color=style.INK, zorder=5)
    axes.annotate("home", (0, 0), (7, -11), textcoords="offset points", fontsize=8)
    axes.text(-31, 12, "working\nbranch", fontsize=8, linespacing=1.2)
    axes.text(13, -48, "the other\nbranch", fontsize=8, linespacing=1.2, color=style.QUIET)
    axes.set_title("where circles part, branches end")
    axes.set(xlabel="turn of the front link θ [°]", ylabel="turn of the rear link [°]")
    style.bare(axes)
    axes.margins(x=0.06)


def _around(values: Any, middle: float) -> tuple[float, float]:
    """Ends of the piece without gaps around a value."""
    gaps = np.flatnonzero(np.diff(values) > 0.01)
    at = int(np.searchsorted(values, middle))
    first = max([0, *(g + 1 for g in gaps if g < at)])
    last = min([len(values) - 1, *(g for g in gaps if g >= at)])
    return float(values[first]), float(values[last])


def _unwrapped(degrees: Any) -> Any:
    return np.degrees(np.unwrap(np.radians(degrees)))


# -------------------------------------------------------------- closed forms


def draw_closed_forms(path: Path) -> None:
    """A cylinder over a hinge, and over a slide: the length from the freedom, and back."""
    figure = style.figure(5.3)
    _hinge_sketch(figure.add_axes((0.0, 0.5, 0.52, 0.45)))
    _hinge_curve(figure.add_axes((0.6, 0.585, 0.37, 0.335)))
    _slide_sketch(figure.add_axes((0.0, 0.0, 0.52, 0.45)))
    _slide_curve(figure.add_axes((0.6, 0.085, 0.37, 0.335)))
    style.save(figure, path)


ARM_C, ARM_D = 1.5, 0.85  # [m] of the example: hinge to tube, hinge to rod
OFFSET = 0.55  # [m] of the tube's mount from the slide


def _hinge_sketch(axes: Any) -> None:
    style.sketch(axes)
    axes.set(xlim=(-2.05, 1.95), ylim=(-1.15, 1.3))
    axes.set_title("over a hinge: a two-bar angle", x=0.045)
    O, tube = 0j, -ARM_C + 0j
    angle = np.radians(62.0)
    rod, mirror = (complex(ARM_D * np.exp(1j * s * angle)) for s in (1.0, -1.0))
    axes.add_patch(Circle((0, 0), ARM_D, fill=False, color=style.FAINT, lw=0.9, ls=(0, (1.5, 2.5))))
    style.line(axes, [O, mirror], color="#c9ced4", lw=4)
    style.cylinder(axes, tube, mirror, "#d8dce1", width=4.5, zorder=3)
    style.line(axes, [tube, O], color=style.FAINT, lw=4, zorder=4)
    style.line(axes, [O, rod], color=style.HINGE, lw=4, zorder=4)
    style.cylinder(axes, tube, rod, width=5.5)
    style.line(axes, [O, O + 1.3], color=style.QUIET, lw=0.9, ls=(0, (3, 2)))
    style.turn(axes, O, 0.36, 0.0, angle, style.HINGE)
    style.turn(axes, O, 0.36, 0.0, -angle, style.FAINT)
    for z in (O, tube, rod):
        style.pin(axes, z, size=5.5)
    style.pin(axes, mirror, style.FAINT, 5.5)
    style.label(axes, 0.66 + 0.24j, "ψ + δ", style.HINGE, fontsize=11, fontweight="bold")
    style.label(axes, -0.42 - 0.16j, "c", fontsize=11, style="italic")
    style.label(axes, 0.08 + 0.53j, "d", style.HINGE, fontsize=11, style="italic")
    style.label(axes, -0.62 + 0.6j, "l", style.CYLINDER_TEXT, fontsize=12, style="italic")
    style.label(axes, mirror + 0.1 - 0.13j, "the other side: same length, angle \u2212(ψ + δ)",
                style.QUIET, fontsize=8, ha="center", va="top")  # fmt: skip
    axes.plot([-ARM_D, -1.12], [0, -0.55], color=style.WRONG, lw=0.7, zorder=6)
    for x, text, place in (
        (ARM_D, "0: longest", ARM_D + 0.09 - 0.13j),
        (-ARM_D, "π: shortest", -1.78 - 0.63j),
    ):
        axes.plot(x, 0, "D", ms=4.2, color=style.WRONG, zorder=9)
        style.label(axes, place, text, style.WRONG, fontsize=8, ha="left")


def _hinge_curve(axes: Any) -> None:
    a = np.linspace(-np.pi, np.pi, 401)
    l = np.sqrt(ARM_C**2 + ARM_D**2 + 2 * ARM_C * ARM_D * np.cos(a))
    axes.axhspan(1.05, 2.2, color="#fdf0e3", zorder=0)
    axes.plot(np.degrees(a[a <= 0]), l[a <= 0], color="#b3bac1", lw=1.8)
    axes.plot(np.degrees(a[a >= 0]), l[a >= 0], color=style.HINGE, lw=2)
    for x, y in ((0, ARM_C + ARM_D), (180, ARM_C - ARM_D), (-180, ARM_C - ARM_D)):
        axes.plot(x, y, "D", ms=4.2, color=style.WRONG, zorder=9, clip_on=False)
    now = np.sqrt(ARM_C**2 + ARM_D**2 + 2 * ARM_C * ARM_D * np.cos(np.radians(62.0)))
    axes.plot([-62, 62], [now, now], color=style.CYLINDER, lw=1.1, ls=(0, (3, 2)))
    axes.plot(62, now, "o", color=style.HINGE, ms=5.5)
    axes.plot(-62, now, "o", color="#b3bac1", ms=5.5)
    axes.text(0, 1.1, "bounds", color=style.CYLINDER_TEXT, fontsize=8, ha="center")
    axes.set(xlabel="ψ + δ [°]", ylabel="length l [m]", xlim=(-180, 180), ylim=(0.55, 2.5))
    axes.set_xticks([-180, -90, 0, 90, 180])
    axes.set_title("the sign is that of home")
    style.bare(axes)


def _slide_sketch(axes: Any) -> None:
    style.sketch(axes)
    axes.set(xlim=(-2.05, 1.95), ylim=(-0.75, 1.45))
    axes.set_title("over a slide: a quadratic", x=0.045)
    tube, foot, at = 0j - 0.3, -0.3 + OFFSET * 1j, 1.25
    rod, mirror = foot + at, foot - at
    axes.plot([-1.85, 1.7], [OFFSET] * 2, color=style.FAINT, lw=3, zorder=1)
    style.cylinder(axes, tube, mirror, "#d8dce1", width=4.5, zorder=3)
    style.cylinder(axes, tube, rod, width=5.5)
    style.line(axes, [tube, foot], color=style.QUIET, lw=0.9, ls=(0, (3, 2)))
    for z, color, fill in ((rod, style.SLIDE, style.SLIDE_FILL), (mirror, "#c9ced4", "white")):
        axes.add_patch(
            Rectangle((z.real - 0.2, z.imag - 0.1), 0.4, 0.2, facecolor=fill, edgecolor=color,
                      lw=1.6, zorder=4)
        )  # fmt: skip
        style.pin(axes, z, color, 5.5)
    style.pin(axes, tube, size=5.5)
    axes.plot(foot.real, foot.imag, "D", ms=4.2, color=style.WRONG, zorder=9)
    top = 0.32j
    style.arrow(axes, foot + top, rod + top, style.SLIDE, style="<|-|>")
    style.line(axes, [foot, foot + 1.5 * top], color=style.QUIET, lw=0.7)
    style.line(axes, [rod, rod + 1.5 * top], color=style.QUIET, lw=0.7)
    style.label(axes, 0.5 * (foot + rod) + 1.45 * top, "θ + b", style.SLIDE, fontsize=11,
                fontweight="bold")  # fmt: skip
    style.label(axes, 0.5 * (tube + foot) - 0.17, "√c", style.QUIET, fontsize=10)
    style.label(axes, 0.5 * (tube + rod) + 0.1 - 0.18j, "l", style.CYLINDER_TEXT, fontsize=12,
                style="italic")  # fmt: skip
    style.label(axes, mirror + 0.1 + 0.28j, "the other root", style.QUIET, fontsize=8)
    style.label(axes, foot - 0.1 + 0.16j, "dead centre", style.WRONG, fontsize=8, ha="right")
    style.label(axes, tube - 0.16j, "tube", style.QUIET, fontsize=8, va="top")


def _slide_curve(axes: Any) -> None:
    s = np.linspace(-1.9, 1.9, 401)
    l = np.sqrt(s**2 + OFFSET**2)
    axes.axhspan(0.9, 1.7, color="#fdf0e3", zorder=0)
    axes.plot(s[s <= 0], l[s <= 0], color="#b3bac1", lw=1.8)
    axes.plot(s[s >= 0], l[s >= 0], color=style.SLIDE, lw=2)
    now = float(np.hypot(1.25, OFFSET))
    axes.plot([-1.25, 1.25], [now, now], color=style.CYLINDER, lw=1.1, ls=(0, (3, 2)))
    axes.plot(1.25, now, "o", color=style.SLIDE, ms=5.5)
    axes.plot(-1.25, now, "o", color="#b3bac1", ms=5.5)
    axes.plot(0, OFFSET, "D", ms=4.2, color=style.WRONG, zorder=9)
    axes.text(0, 1.6, "bounds", color=style.CYLINDER_TEXT, fontsize=8, ha="center")
    axes.set(xlabel="θ + b [m]", ylabel="length l [m]", xlim=(-1.9, 1.9), ylim=(0.4, 2.05))
    axes.set_title("the root is that of home")
    style.bare(axes)
