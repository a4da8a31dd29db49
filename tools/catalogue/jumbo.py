"""Single-boom drilling jumbo.

Topology (machines.md): carrier L0, swing L1, parallelogram [L1, L2 boom, L3 feed holder, L4 rod]
lifted by a cylinder between swing and boom, rock drill L5 sliding on the feed holder's beam;
three cylinders. The parallelogram keeps the feed parallel to itself while the boom lifts.

World axes: x forward, y left, z up; the floor is z = 0 and x = 0 is the front axle. The rock
drill's frame sits at the tip of its bit.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from parts import (
    BLACK,
    BRASS,
    CARBIDE,
    CHROME,
    DARK_GREY,
    GLASS,
    GREY,
    LIGHT_GREY,
    ORANGE,
    RED,
    RUBBER,
    STEEL_GREY,
    WHITE,
    YELLOW,
    Cylinder,
    Point,
    Shape,
    beam,
    both,
    box,
    capsule,
    closure,
    cone,
    cylinder,
    joint,
    link,
    lug,
    pin,
    revolute,
    robot,
    rod,
    source,
    sphere,
    strokes,
    write,
)

FILE = Path(__file__).parents[2] / "src" / "headframe" / "machines" / "jumbo.json"

UP: Point = (0.0, -1.0, 0.0)  # hinge axis that raises what lies in front of it
X: Point = (1.0, 0.0, 0.0)
Z: Point = (0.0, 0.0, 1.0)

# Pins, each in the axes of the link named [m].
SWING = (1.40, 0.0, 0.90)  # foot of the swing axis, on the carrier
BOOM = (0.30, 0.0, 0.85)  # boom hinge, on the swing
SPACING = (0.0, 0.0, 0.42)  # from the boom's pins to the rod's pins, at both ends
BOOM_LENGTH = 3.20
BIT = (3.30, -0.55, 0.10)  # tip of the bit with the drill drawn back, on the feed holder
SWING_CARRIER, SWING_LEVER = (0.25, 0.34, 1.10), (0.10, 0.47, 0.20)
LIFT_SWING, LIFT_BOOM = (0.34, 0.0, 0.05), (1.65, 0.0, 0.0)
FEED_HOLDER, FEED_DRILL = (-2.35, -0.40, 0.10), (-3.15, 0.15, 0.0)

SWING_RANGE = (math.radians(-33.0), math.radians(33.0))
BOOM_RANGE = (math.radians(-25.0), math.radians(40.0))
FEED_RANGE = (0.0, 2.0)
FEED_Y, BEAM_Z = -0.55, -0.10  # the feed beam's place on its holder


# ---------------------------------------------------------------------------------------------
# Carrier
# ---------------------------------------------------------------------------------------------

WHEELS, WHEEL_RADIUS, WHEEL_Y = (0.0, -3.10), 0.62, 0.92


def wheel(x: float) -> list[Shape]:
    """A pair of wheels at `x`."""
    shapes = [
        pin(
            (x, WHEEL_Y, WHEEL_RADIUS),
            WHEEL_RADIUS - 0.03,
            0.40,
            color=RUBBER,
            name="left tyre",
            weight=0.35,
        ),
        pin(
            (x, WHEEL_Y + 0.02, WHEEL_RADIUS), 0.32, 0.40, color=YELLOW, name="left rim", weight=0.3
        ),
        pin((x, WHEEL_Y + 0.22, WHEEL_RADIUS), 0.13, 0.08, color=DARK_GREY, name="left hub"),
    ]
    count = 12
    for i in range(count):
        a = 2 * math.pi * i / count
        r = WHEEL_RADIUS - 0.03
        shapes.append(
            box(
                (0.07, 0.39, 0.10),
                (x + r * math.sin(a), WHEEL_Y, WHEEL_RADIUS + r * math.cos(a)),
                (0, a, 0),
                RUBBER,
                "left lug",
                0.2,
            )
        )
    return both(*shapes)


def chassis() -> list[Shape]:
    """Frames, fenders, the column's seat and the front and rear jacks."""
    return [
        box((2.60, 1.00, 0.46), (0.10, 0, 0.74), color=YELLOW, name="front frame"),
        box((4.10, 1.10, 0.46), (-3.45, 0, 0.74), color=YELLOW, name="rear frame"),
        rod((-1.30, 0, 0.46), (-1.30, 0, 1.04), 0.16, DARK_GREY, "articulation"),
        rod((SWING[0], 0, 0.50), (SWING[0], 0, SWING[2]), 0.36, DARK_GREY, "column seat"),
        *both(
            box((1.45, 0.50, 0.05), (0.0, 0.92, 1.33), color=YELLOW, name="left front fender"),
            box((1.45, 0.50, 0.05), (-3.10, 0.92, 1.33), color=YELLOW, name="left rear fender"),
            beam(
                (1.10, 0.50, 0.62), (1.10, 0.98, 0.62), 0.20, 0.20, YELLOW, "left jack beam", side=X
            ),
            rod((1.10, 1.02, 0.30), (1.10, 1.02, 0.95), 0.09, YELLOW, "left jack"),
            rod((1.10, 1.02, 0.05), (1.10, 1.02, 0.32), 0.06, CHROME, "left jack rod"),
            rod((1.10, 1.02, 0.0), (1.10, 1.02, 0.06), 0.18, DARK_GREY, "left jack foot"),
            rod((1.33, 0.34, 1.04), (1.41, 0.34, 1.04), 0.08, WHITE, "left headlamp", 0.1),
        ),
        *(pin((x, 0, WHEEL_RADIUS), 0.17, 1.44, color=DARK_GREY, name="axle") for x in WHEELS),
        *lug(SWING_CARRIER, (0.10, 0.34, 1.10), 0.05, 0.09, DARK_GREY, gap=0.12, axis=Z),
        box((0.30, 0.34, 0.30), (0.02, 0.34, 1.04), color=YELLOW, name="swing bracket"),
    ]


def superstructure() -> list[Shape]:
    """Operator's canopy, power pack, engine, cable reel."""
    posts = [
        beam((x, y, 0.95), (x, y, 2.50), 0.07, 0.07, YELLOW, "canopy post")
        for x in (-0.72, -2.05)
        for y in (0.62, -0.62)
    ]
    louvres = [
        box((0.80, 0.02, 0.04), (-4.60, 0.66 * s, z), color=BLACK, name="louvre", weight=0.1)
        for s in (1, -1)
        for z in (1.20, 1.32, 1.44)
    ]
    return [
        *posts,
        box((1.60, 1.46, 0.08), (-1.38, 0, 2.54), color=YELLOW, name="canopy"),
        box((0.90, 1.30, 0.10), (-1.40, 0, 0.99), color=DARK_GREY, name="platform"),
        box((0.44, 0.50, 0.14), (-1.62, 0.20, 1.38), color=BLACK, name="seat", weight=0.2),
        box((0.12, 0.50, 0.56), (-1.86, 0.20, 1.66), (0, -0.12, 0), BLACK, "backrest", 0.2),
        box((0.36, 0.40, 0.30), (-1.62, 0.20, 1.18), color=GREY, name="seat box"),
        box((0.26, 0.90, 0.40), (-0.86, 0.0, 1.28), color=LIGHT_GREY, name="drilling panel"),
        *(
            capsule((-0.88, y, 1.46), (-0.92, y, 1.64), 0.015, BLACK, "lever", 0.0)
            for y in (-0.30, -0.18, -0.06, 0.06, 0.18, 0.30)
        ),
        box((0.02, 1.10, 0.62), (-0.70, 0, 2.02), color=GLASS, name="windscreen", weight=0.1),
        box((1.80, 1.30, 0.62), (-4.55, 0, 1.26), color=YELLOW, name="engine hood"),
        box((1.40, 1.20, 0.50), (-2.95, 0, 1.22), color=WHITE, name="electric cabinet"),
        box((0.70, 0.02, 0.34), (-2.95, 0.61, 1.24), color=RED, name="cabinet door", weight=0.1),
        *louvres,
        rod((-4.00, -0.40, 1.55), (-4.00, -0.40, 2.00), 0.06, STEEL_GREY, "exhaust", 0.3),
        pin((-5.75, 0, 1.00), 0.55, 0.62, color=ORANGE, name="cable reel", weight=0.3),
        pin((-5.75, 0, 1.00), 0.46, 0.70, color=BLACK, name="cable", weight=0.3),
        *both(
            pin((-5.75, 0.37, 1.00), 0.62, 0.05, color=ORANGE, name="left reel flange"),
            beam((-5.40, 0.46, 0.70), (-5.75, 0.46, 1.00), 0.06, 0.14, YELLOW, "left reel arm"),
            rod((-5.46, 0.50, 1.38), (-5.52, 0.50, 1.38), 0.06, RED, "left tail lamp", 0.1),
            rod((-0.62, 0.55, 2.46), (-0.54, 0.55, 2.46), 0.07, WHITE, "left work lamp", 0.1),
        ),
    ]


def carrier() -> Shape:
    """Link L0."""
    touch = [
        box((6.80, 1.10, 0.60), (-2.05, 0, 0.80)),
        box((1.80, 1.30, 0.70), (-4.55, 0, 1.30)),
        *both(*(pin((x, WHEEL_Y, WHEEL_RADIUS), WHEEL_RADIUS, 0.40) for x in WHEELS)),
    ]
    shapes = [chassis(), superstructure(), *(wheel(x) for x in WHEELS)]
    return link("carrier", shapes, mass=13_500.0, collision=touch)


# ---------------------------------------------------------------------------------------------
# Boom
# ---------------------------------------------------------------------------------------------


def swing() -> Shape:
    """Link L1: the column that swings, with the hinges of boom, rod and lift cylinder."""
    top = np.add(BOOM, SPACING)
    shapes = [
        rod((0, 0, 0.0), (0, 0, 1.10), 0.22, ORANGE, "column", 0.8),
        rod((0, 0, 0.0), (0, 0, 0.10), 0.34, DARK_GREY, "turntable"),
        rod((0, 0, 1.06), (0, 0, 1.14), 0.25, DARK_GREY, "column cap"),
        *both(
            beam((-0.05, 0.20, 0.85), (BOOM[0], 0.20, BOOM[2]), 0.06, 0.34, ORANGE, "left cheek"),
            beam((-0.05, 0.13, 1.00), (top[0], 0.13, top[2]), 0.05, 0.26, ORANGE, "left horn"),
            pin((BOOM[0], 0.20, BOOM[2]), 0.17, 0.06, color=ORANGE, name="left boom bearing"),
            pin((top[0], 0.13, top[2]), 0.12, 0.05, color=ORANGE, name="left rod bearing"),
        ),
        *lug(LIFT_SWING, (0.05, 0, 0.12), 0.05, 0.11, ORANGE, gap=0.15),
        *lug(SWING_LEVER, (0.02, 0.10, 0.20), 0.10, 0.11, ORANGE, axis=Z),
        pin(BOOM, 0.08, 0.56, color=CHROME, name="boom pin"),
        pin(top, 0.06, 0.40, color=CHROME, name="rod pin"),
        capsule((-0.25, -0.12, 0.60), (0.20, -0.26, 1.18), 0.03, BLACK, "hose", 0.0),
    ]
    touch = [rod((0, 0, 0), (0, 0, 1.14), 0.30)]
    return link("swing", shapes, mass=750.0, collision=touch)


def boom() -> Shape:
    """Link L2: a box beam along x."""
    end = BOOM_LENGTH
    shapes = [
        pin((0, 0, 0), 0.19, 0.32, color=YELLOW, name="boom foot"),
        beam((0, 0, 0), (0.60, 0, 0), 0.26, 0.30, YELLOW, "boom root"),
        beam((0.50, 0, 0.0), (end - 0.35, 0, 0), 0.28, 0.28, YELLOW, "boom"),
        beam((end - 0.45, 0, 0), (end, 0, 0), 0.22, 0.22, YELLOW, "boom head"),
        pin((end, 0, 0), 0.15, 0.22, color=YELLOW, name="head eye"),
        *both(lug((LIFT_BOOM[0], 0.15, 0.0), (LIFT_BOOM[0] - 0.25, 0.15, 0.0), 0.04, 0.11, ORANGE)),
        pin(LIFT_BOOM, 0.06, 0.44, color=CHROME, name="lift pin"),
        *both(capsule((0.2, 0.19, 0.08), (end - 0.4, 0.19, 0.08), 0.025, BLACK, "left hose", 0.0)),
        *(
            box((0.06, 0.44, 0.06), (x, 0, 0.10), color=DARK_GREY, name="hose clamp")
            for x in (0.75, 2.35)
        ),
        rod((2.05, 0.16, 0.14), (2.17, 0.16, 0.14), 0.06, WHITE, "lamp", 0.1),
    ]
    touch = [beam((0, 0, 0), (end, 0, 0), 0.28, 0.28)]
    return link("boom", shapes, mass=1_050.0, collision=touch)


def parallel_rod() -> Shape:
    """Link L4: from its pin on the feed holder (its origin) back to the swing."""
    length = BOOM_LENGTH
    shapes = [
        rod((-0.10, 0, 0), (-length + 0.10, 0, 0), 0.05, STEEL_GREY, "parallel rod"),
        pin((0, 0, 0), 0.10, 0.12, color=DARK_GREY, name="front eye"),
        pin((-length, 0, 0), 0.10, 0.12, color=DARK_GREY, name="rear eye"),
        rod((-0.12, 0, 0), (-0.26, 0, 0), 0.07, DARK_GREY, "front nut"),
        rod((-length + 0.26, 0, 0), (-length + 0.12, 0, 0), 0.07, DARK_GREY, "rear nut"),
    ]
    touch = [rod((0, 0, 0), (-length, 0, 0), 0.05)]
    return link("rod", shapes, fill=1.0, collision=touch)


def feed_holder() -> Shape:
    """Link L3: the boom head's bracket with the feed beam at its right side."""
    back, front = -2.55, 3.20
    rails = [
        beam(
            (back + 0.1, FEED_Y + dy, BEAM_Z + 0.10),
            (front - 0.1, FEED_Y + dy, BEAM_Z + 0.10),
            0.03,
            0.04,
            STEEL_GREY,
            "feed rail",
        )
        for dy in (-0.11, 0.11)
    ]
    shapes = [
        *both(
            beam((0, 0.15, 0), (SPACING[0], 0.15, SPACING[2]), 0.06, 0.26, ORANGE, "left bracket"),
            pin((0, 0.15, 0), 0.15, 0.06, color=ORANGE, name="left boom eye"),
            pin((0, 0.15, SPACING[2]), 0.12, 0.06, color=ORANGE, name="left rod eye"),
        ),
        pin((0, 0, 0), 0.07, 0.44, color=CHROME, name="boom head pin"),
        pin(SPACING, 0.06, 0.44, color=CHROME, name="rod head pin"),
        box((0.16, 0.36, 0.44), (0.14, 0, 0.21), color=ORANGE, name="head plate"),
        pin((0.16, -0.26, 0.10), 0.16, 0.30, color=DARK_GREY, name="rotation unit"),
        box((0.70, 0.10, 0.34), (0.16, -0.42, -0.06), color=ORANGE, name="cradle"),
        beam((back, FEED_Y, BEAM_Z), (front, FEED_Y, BEAM_Z), 0.20, 0.16, YELLOW, "feed beam"),
        *rails,
        box((0.05, 0.34, 0.36), (back, FEED_Y, BEAM_Z + 0.10), color=DARK_GREY, name="rear plate"),
        box(
            (0.05, 0.34, 0.34), (front, FEED_Y, BEAM_Z + 0.10), color=DARK_GREY, name="front plate"
        ),
        box(
            (0.10, 0.22, 0.24), (front - 0.25, FEED_Y, BIT[2]), color=RED, name="front centraliser"
        ),
        box((0.08, 0.18, 0.20), (1.55, FEED_Y, BIT[2] - 0.06), color=RED, name="centraliser"),
        cone(
            (front, FEED_Y, BEAM_Z - 0.02),
            (front + 0.24, FEED_Y, BEAM_Z - 0.02),
            0.09,
            BLACK,
            "stinger",
        ),
        pin((-0.80, FEED_Y - 0.02, BEAM_Z - 0.22), 0.20, 0.16, color=DARK_GREY, name="hose drum"),
        capsule(
            (-0.80, FEED_Y, BEAM_Z - 0.10), (1.20, FEED_Y, BEAM_Z - 0.10), 0.025, BLACK, "hose", 0.0
        ),
        *lug(FEED_HOLDER, (FEED_HOLDER[0] - 0.05, FEED_Y + 0.08, BEAM_Z), 0.06, 0.06, ORANGE),
    ]
    touch = [beam((back, FEED_Y, BEAM_Z), (front, FEED_Y, BEAM_Z), 0.20, 0.20)]
    return link("feed_holder", shapes, mass=900.0, collision=touch)


def rock_drill() -> Shape:
    """Link L5: hydraulic drifter on its sled with the drill steel; origin at the bit's tip."""
    chuck = -2.95
    shapes = [
        box((0.74, 0.28, 0.06), (chuck - 0.45, 0, -0.10), color=DARK_GREY, name="sled"),
        box((0.62, 0.20, 0.22), (chuck - 0.52, 0, 0.03), color=YELLOW, name="drifter"),
        rod((chuck - 0.22, 0, 0), (chuck, 0, 0), 0.10, STEEL_GREY, "drill head", end_radius=0.07),
        rod((chuck - 0.95, 0, 0.02), (chuck - 0.82, 0, 0.02), 0.10, STEEL_GREY, "back head"),
        rod((chuck - 0.62, -0.02, 0.13), (chuck - 0.62, -0.02, 0.24), 0.07, RED, "accumulator"),
        rod((chuck - 0.36, -0.02, 0.13), (chuck - 0.36, -0.02, 0.21), 0.06, RED, "accumulator"),
        box(
            (0.22, 0.14, 0.14), (chuck - 0.42, -0.16, 0.03), color=STEEL_GREY, name="rotation motor"
        ),
        rod((chuck, 0, 0), (-0.10, 0, 0), 0.024, BRASS, "drill steel"),
        rod((chuck, 0, 0), (chuck + 0.16, 0, 0), 0.045, DARK_GREY, "coupling"),
        rod((-0.14, 0, 0), (-0.01, 0, 0), 0.030, CARBIDE, "bit", end_radius=0.045),
        sphere((-0.015, 0, 0), 0.015, CARBIDE, "button"),
        *lug(FEED_DRILL, (FEED_DRILL[0] - 0.02, 0.06, -0.08), 0.05, 0.05, ORANGE),
        *(
            capsule((chuck - 0.85, y, 0.10), (chuck - 1.05, y, 0.20), 0.022, BLACK, "hose", 0.0)
            for y in (-0.06, 0.06)
        ),
    ]
    touch = [box((0.90, 0.28, 0.30), (chuck - 0.48, 0, 0.0)), rod((chuck, 0, 0), (0, 0, 0), 0.04)]
    return link("rock_drill", shapes, mass=260.0, collision=touch)


# ---------------------------------------------------------------------------------------------
# Kinematics
# ---------------------------------------------------------------------------------------------


def cylinders() -> list[Cylinder]:
    """A0 swings the column, A1 lifts the boom, A2 feeds the drill."""
    feed = BIT[0] + FEED_DRILL[0] - FEED_HOLDER[0]
    return [
        cylinder(
            "swing_cylinder",
            "carrier",
            "swing",
            SWING_CARRIER,
            SWING_LEVER,
            *strokes(SWING, SWING_CARRIER, SWING_LEVER, SWING_RANGE, Z),
            bore=0.11,
            pressure=21e6,
            speed=0.10,
            acceleration=0.5,
            axis=Z,
            group="swing",
            color=YELLOW,
        ),
        cylinder(
            "lift",
            "swing",
            "boom",
            LIFT_SWING,
            LIFT_BOOM,
            *strokes(BOOM, LIFT_SWING, LIFT_BOOM, BOOM_RANGE, UP),
            bore=0.125,
            pressure=21e6,
            speed=0.10,
            acceleration=0.5,
            group="lift",
            color=YELLOW,
        ),
        cylinder(
            "feed",
            "feed_holder",
            "rock_drill",
            FEED_HOLDER,
            FEED_DRILL,
            feed + FEED_RANGE[0],
            feed + FEED_RANGE[1],
            bore=0.063,
            rod_diameter=0.04,
            pressure=8e6,
            speed=0.25,
            acceleration=1.0,
            group="feed",
            color=LIGHT_GREY,
        ),
    ]


def joints() -> list[Shape]:
    """Main joints; limits stand a hundredth of a radian (5 mm) outside the strokes' ends."""

    def wide(ends: tuple[float, float], by: float = 0.01) -> tuple[float, float]:
        return round(ends[0] - by, 4), round(ends[1] + by, 4)

    return [
        revolute(
            "swinging", "carrier", "swing", SWING, axis=Z, limit=wide(SWING_RANGE), damping=500.0
        ),
        revolute(
            "boom_hinge", "swing", "boom", BOOM, axis=UP, limit=wide(BOOM_RANGE), damping=500.0
        ),
        revolute("boom_head", "boom", "feed_holder", (BOOM_LENGTH, 0, 0), axis=UP, damping=100.0),
        revolute("rod_head", "feed_holder", "rod", SPACING, axis=UP, damping=20.0),
        *closure(
            "swing",
            "rod",
            np.add(BOOM, SPACING),
            (-BOOM_LENGTH, 0, 0),
            UP,
            ("swing_rod_hinge", "rod_swing_hinge"),
        ),
        joint(
            "feeding",
            "feed_holder",
            "rock_drill",
            "prismatic",
            BIT,
            axis=X,
            limit=wide(FEED_RANGE, 0.005),
            damping=500.0,
        ),
    ]


def provenance() -> list[Shape]:
    """Where the figures come from."""
    return [
        source(
            "everything",
            "estimated",
            "no jumbo boom data are public; a single-boom face jumbo of about 17 t, 3.2 m boom, "
            "2 m feed, sized from the envelope",
        ),
        source("masses and inertias", "estimated", "from the shapes' volumes, scaled link by link"),
        source(
            "bores, forces and speeds",
            "estimated",
            "standard bores at 21 MPa (feed 8 MPa); force = piston area times pressure",
        ),
    ]


def build() -> Shape:
    """The jumbo as a canonical MRDF dict."""
    theta = 0.15  # boom slightly raised; in a parallelogram the others follow it
    home = {
        "swinging": 0.0,
        "boom_hinge": theta,
        "boom_head": -theta,
        "rod_head": theta,
        "feeding": 0.30,
    }
    links = [carrier(), swing(), boom(), feed_holder(), parallel_rod(), rock_drill()]
    return robot(
        "jumbo", "jumbo", "rock_drill", home, links, joints(), cylinders(), (), provenance()
    )


if __name__ == "__main__":
    write(build(), FILE)
