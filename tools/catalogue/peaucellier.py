"""The Peaucellier-Lipkin linkage: a crank turns, and a point far from it moves on a straight line.

The scene of Figure 5 of the paper on sequential impulses: seven links, hinge 1 with a motor, hinges
2 to 6, three closed chains. Two long bars hang on the fixed pin O (hinge 2) and hold two opposite
corners B and D (hinges 4 and 5) of a rhombus of short bars. The crank carries its corner A (hinge
3) on a circle through O. The corner C (hinge 6) then moves on the inverse of that circle in
another about O, which is a straight line: OA OC = LONG^2 - SHORT^2 whatever the pose, and
OA = 2 CRANK cos(angle of OA), so that OC cos(angle) is constant.

The linkage stands upright in the plane y = 0; bars lie in layers before it. All link frames are
parallel to the world's at joint value 0 and lie at the joint that carries the link, with the bar
along +x; values are positive downwards.
"""

from __future__ import annotations

import math

import kit as k
import numpy as np
from planar import direction, meeting

from headframe.description import Joint, Link, Robot

CRANK, LONG, SHORT = 0.27, 0.90, 0.50  # [m]
FOOT = (0.0, 0.0, 1.15)  # hinge 2, the pin O [m]
AXLE = (FOOT[0] + CRANK, 0.0, FOOT[2])  # hinge 1: the crank's circle goes through O
LINE = (LONG**2 - SHORT**2) / (2 * CRANK)  # of hinge 6 in front of O [m]
TURN = 1.25  # largest angle of the crank either way [rad]; at 1.47 the rhombus would lie flat
START = -0.45  # angle of the crank at home: up [rad]
LAYER = -0.032  # along y from a bar to the next one in front of it [m]
MASSES = {"crank": 1.5, "long": 3.0, "short": 1.6}


def bar(name: str, length: float, layer: int, mass: float, paint: k.Color) -> Link:
    """Make a bar along +x with an eye at each end, in one of the layers."""
    y = layer * LAYER
    shapes = [
        k.beam((0, y, 0), (length, y, 0), 0.022, 0.05, paint, "bar"),
        k.pin((0, y, 0), 0.040, 0.028, paint, "eye"),
        k.pin((length, y, 0), 0.040, 0.028, paint, "eye"),
    ]
    touch = [k.beam((0, y, 0), (length, y, 0), 0.022, 0.06)]
    return k.link(name, shapes, mass=mass, collision=touch)


def with_pin(link: Link, at: float, layers: tuple[int, int], color: k.Color = k.CHROME) -> Link:
    """Draw a pin through some layers on a link, which weighs nothing more for it."""
    back, front = LAYER * (layers[0] - 0.6), LAYER * (layers[1] + 0.6)
    shape = k.rod((at, back, 0), (at, front, 0), 0.018, color, "pin")
    return link.model_copy(update={"visuals": (*link.visuals, shape.visual)})


def links() -> list[Link]:
    """Make the seven bars and the pen at hinge 6."""
    m = MASSES
    pen = k.link(
        "pen",
        [
            k.rod((0, -2.6 * LAYER, 0), (0, 2.6 * LAYER, 0), 0.020, k.CHROME, "pin"),
            k.rod((0, 2.6 * LAYER, 0), (0, 3.4 * LAYER, 0), 0.035, k.RED, "knob"),
            k.rod((0, 3.4 * LAYER, 0), (0, 4.7 * LAYER, 0), 0.016, k.RED, "pen", end_radius=0.004),
        ],
        mass=0.3,
    )
    return [
        with_pin(bar("crank", CRANK, 0, m["crank"], k.RED), CRANK, (0, 2)),
        with_pin(bar("long_upper", LONG, 3, m["long"], k.BLUE), LONG, (1, 3)),
        with_pin(bar("long_lower", LONG, 4, m["long"], k.BLUE), LONG, (1, 4)),
        bar("near_upper", SHORT, 1, m["short"], k.ORANGE),
        bar("near_lower", SHORT, 2, m["short"], k.ORANGE),
        bar("far_upper", SHORT, 2, m["short"], k.YELLOW),
        bar("far_lower", SHORT, 1, m["short"], k.YELLOW),
        pen,
    ]


def stand() -> Link:
    """Make the stand with motor, the pin O, and the board on which the straight line is drawn."""
    (ox, _, z), (ax, _, _), top = FOOT, AXLE, FOOT[2] + 1.02
    back = -3.2 * LAYER
    shapes: k.Shapes = [
        k.box((1.75, 0.50, 0.06), (0.55, 0.05, 0.03), k.DARK_GREY, "foot"),
        k.box((0.14, 0.10, z + 0.10), (ax - 0.02, back + 0.10, (z + 0.10) / 2), k.GREY, "post"),
        k.box((0.44, 0.05, 0.16), ((ox + ax) / 2, back, z), k.LIGHT_GREY, "head"),
        k.rod((ox, back, z), (ox, 4.6 * LAYER, z), 0.020, k.CHROME, "pin O"),
        k.rod((ox, back, z), (ox, 2.4 * LAYER, z), 0.038, k.DARK_GREY, "bearing"),
        k.rod((ax, back, z), (ax, back + 0.30, z), 0.075, k.GREEN, "motor"),
        k.rod((ax, back, z), (ax, 0.6 * LAYER, z), 0.022, k.CHROME, "shaft"),
        # The board stands behind hinge 6, on its line.
        k.box((0.20, 0.03, 2 * (top - z)), (LINE, back, z), k.WHITE, "board"),
        k.box((0.012, 0.034, 1.9 * (top - z)), (LINE, back, z), k.RED, "line", 0.0),
        k.box((0.10, 0.06, 0.30), (LINE, back + 0.04, 0.19), k.GREY, "board post"),
    ]
    touch = [k.box((1.75, 0.50, 0.06), (0.55, 0.05, 0.03))]
    return k.link("stand", shapes, mass=90.0, collision=touch)


def joints() -> list[Joint]:
    """Make hinges 1 to 6; where several bars meet, there are several joints on one pin."""
    tip, end, far = (CRANK, 0.0, 0.0), (SHORT, 0.0, 0.0), (LONG, 0.0, 0.0)
    drag = 0.02
    return [
        k.revolute("hinge_1", "stand", "crank", AXLE, limit=(-TURN, TURN), damping=0.5),
        k.revolute("hinge_2_upper", "stand", "long_upper", FOOT, damping=drag),
        k.revolute("hinge_2_lower", "stand", "long_lower", FOOT, damping=drag),
        k.revolute("hinge_3_upper", "crank", "near_upper", tip, damping=drag),
        k.revolute("hinge_3_lower", "crank", "near_lower", tip, damping=drag),
        k.revolute("hinge_4", "long_upper", "far_upper", far, damping=drag),
        k.revolute("hinge_5", "long_lower", "far_lower", far, damping=drag),
        k.fixed("pen_mount", "far_upper", "pen", end),
        *k.closure("near_upper", "long_upper", end, far, axis=k.Y,
                   names=("hinge_4_near", "hinge_4_long")),
        *k.closure("near_lower", "long_lower", end, far, axis=k.Y,
                   names=("hinge_5_near", "hinge_5_long")),
        *k.closure("far_upper", "far_lower", end, end, axis=k.Y,
                   names=("hinge_6_upper", "hinge_6_lower")),
    ]  # fmt: skip


def pose(crank: float) -> dict[str, float]:
    """Close the linkage at an angle of the crank [rad], by circles; gives all joint values.

    Works in the plane of x and -z, in which angles about +y are counted the usual way.
    """
    foot, axle = np.array([0.0, 0.0]), np.array([CRANK, 0.0])
    a = axle + CRANK * np.array([math.cos(crank), math.sin(crank)])
    upper = meeting(foot, LONG, a, SHORT, left=False)  # -z is up: right of the way out
    lower = meeting(foot, LONG, a, SHORT, left=True)
    c = upper + lower - a  # the fourth corner of the rhombus
    angles = {
        "hinge_2_upper": direction(foot, upper),
        "hinge_2_lower": direction(foot, lower),
        "hinge_3_upper": direction(a, upper) - crank,
        "hinge_3_lower": direction(a, lower) - crank,
        "hinge_4": direction(upper, c) - direction(foot, upper),
        "hinge_5": direction(lower, c) - direction(foot, lower),
    }
    return {"hinge_1": crank, **{name: math.remainder(v, math.tau) for name, v in angles.items()}}


def build() -> Robot:
    """Build the model."""
    return k.robot(
        "peaucellier",
        "model",
        "pen",
        home=pose(START),
        links=[stand(), *links()],
        joints=joints(),
        motors=[k.motor("motor", "hinge_1", torque=120.0, speed=1.0)],
        provenance=[
            k.estimated(
                "everything",
                "model of Figure 5 of Mikhaylyuk, Strashnov and Timokhin (2017), which prints no "
                "sizes: crank 0.27 m, long bars 0.9 m, short bars 0.5 m, line 1.037 m from the pin",
            ),
            k.estimated(
                "proportions",
                "exact: hinges 1 and 2 stand a crank's length apart, all short bars are equal, and "
                "so are the long ones",
            ),
            k.estimated("motor", "holds the linkage anywhere, with a margin of more than two"),
        ],
    )
