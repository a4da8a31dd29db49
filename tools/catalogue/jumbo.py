"""Single-boom drilling jumbo.

The swing turns on the carrier. On it stands the parallelogram of swing, boom, feed holder and rod,
lifted by a cylinder between swing and boom, which keeps the feed parallel to itself while the boom
lifts. The rock drill slides on the feed holder's beam.

World axes: x forward, y left, z up; the floor is z = 0 and x = 0 is the front axle. The rock
drill's frame sits at the tip of its bit.
"""

from __future__ import annotations

import math

import dressed
import kit as k
import numpy as np
from vehicles import Wheels, lamp, levers, posts

from headframe.description import Joint, Link, Provenance, Robot
from headframe.description.three_dt import Model

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

AXLES = (0.0, -3.10)
WHEELS = Wheels(
    y=0.92,
    radius=0.62,
    width=0.40,
    rim=0.32,
    hub=(0.13, 0.08, 0.22),
    tread=0.03,
    lug=(0.07, 0.39, 0.10),
    lugs=12,
)


# ---------------------------------------------------------------------------------------------
# Carrier
# ---------------------------------------------------------------------------------------------


def chassis() -> k.Shapes:
    """Shape frames, fenders, the column's seat and the jacks."""
    x = 1.10  # of the jacks
    return [
        k.box((2.60, 1.00, 0.46), (0.10, 0, 0.74), k.YELLOW, "front frame"),
        k.box((4.10, 1.10, 0.46), (-3.45, 0, 0.74), k.YELLOW, "rear frame"),
        k.rod((-1.30, 0, 0.46), (-1.30, 0, 1.04), 0.16, k.DARK_GREY, "articulation"),
        k.rod((SWING[0], 0, 0.50), (SWING[0], 0, SWING[2]), 0.36, k.DARK_GREY, "column seat"),
        k.both(
            k.box((1.45, 0.50, 0.05), (0.0, 0.92, 1.33), k.YELLOW, "left front fender"),
            k.box((1.45, 0.50, 0.05), (-3.10, 0.92, 1.33), k.YELLOW, "left rear fender"),
            k.beam(
                (x, 0.50, 0.62), (x, 0.98, 0.62), 0.20, 0.20, k.YELLOW, "left jack beam", side=k.X
            ),
            k.rod((x, 1.02, 0.30), (x, 1.02, 0.95), 0.09, k.YELLOW, "left jack"),
            k.rod((x, 1.02, 0.05), (x, 1.02, 0.32), 0.06, k.CHROME, "left jack rod"),
            k.rod((x, 1.02, 0.0), (x, 1.02, 0.06), 0.18, k.DARK_GREY, "left jack foot"),
            lamp((1.33, 0.34, 1.04), 0.08, 0.08, "left headlamp"),
        ),
        *(k.pin((x, 0, WHEELS.radius), 0.17, 1.44, k.DARK_GREY, "axle") for x in AXLES),
        k.lug(SWING_CARRIER, (0.10, 0.34, 1.10), 0.05, 0.09, k.DARK_GREY, gap=0.12, axis=k.Z),
        k.box((0.30, 0.34, 0.30), (0.02, 0.34, 1.04), k.YELLOW, "swing bracket"),
    ]


def superstructure() -> k.Shapes:
    """Shape the operator's canopy, power pack, engine and cable reel."""
    louvres = [
        k.box((0.80, 0.02, 0.04), (-4.60, 0.66 * s, z), k.BLACK, "louvre", 0.1)
        for s in (1, -1)
        for z in (1.20, 1.32, 1.44)
    ]
    return [
        posts((-0.72, -2.05), (0.62, -0.62), (0.95, 2.50), 0.07, k.YELLOW, "canopy post"),
        k.box((1.60, 1.46, 0.08), (-1.38, 0, 2.54), k.YELLOW, "canopy"),
        k.box((0.90, 1.30, 0.10), (-1.40, 0, 0.99), k.DARK_GREY, "platform"),
        k.box((0.44, 0.50, 0.14), (-1.62, 0.20, 1.38), k.BLACK, "seat", 0.2),
        k.box((0.12, 0.50, 0.56), (-1.86, 0.20, 1.66), k.BLACK, "backrest", 0.2, rpy=(0, -0.12, 0)),
        k.box((0.36, 0.40, 0.30), (-1.62, 0.20, 1.18), k.GREY, "seat box"),
        k.box((0.26, 0.90, 0.40), (-0.86, 0.0, 1.28), k.LIGHT_GREY, "drilling panel"),
        levers((-0.88, 1.46), (-0.92, 1.64), 0.015, (-0.30, -0.18, -0.06, 0.06, 0.18, 0.30)),
        k.box((0.02, 1.10, 0.62), (-0.70, 0, 2.02), k.GLASS, "windscreen", 0.1),
        k.box((1.80, 1.30, 0.62), (-4.55, 0, 1.26), k.YELLOW, "engine hood"),
        k.box((1.40, 1.20, 0.50), (-2.95, 0, 1.22), k.WHITE, "electric cabinet"),
        k.box((0.70, 0.02, 0.34), (-2.95, 0.61, 1.24), k.RED, "cabinet door", 0.1),
        *louvres,
        k.rod((-4.00, -0.40, 1.55), (-4.00, -0.40, 2.00), 0.06, k.STEEL_GREY, "exhaust", 0.3),
        k.pin((-5.75, 0, 1.00), 0.55, 0.62, k.ORANGE, "cable reel", 0.3),
        k.pin((-5.75, 0, 1.00), 0.46, 0.70, k.BLACK, "cable", 0.3),
        k.both(
            k.pin((-5.75, 0.37, 1.00), 0.62, 0.05, k.ORANGE, "left reel flange"),
            k.beam((-5.40, 0.46, 0.70), (-5.75, 0.46, 1.00), 0.06, 0.14, k.YELLOW, "left reel arm"),
            lamp((-5.46, 0.50, 1.38), -0.06, 0.06, "left tail lamp", k.RED),
            lamp((-0.62, 0.55, 2.46), 0.08, 0.07, "left work lamp"),
        ),
    ]


def carrier() -> Link:
    """Make the carrier with its wheels."""
    touch: k.Shapes = [
        k.box((6.80, 1.10, 0.60), (-2.05, 0, 0.80)),
        k.box((1.80, 1.30, 0.70), (-4.55, 0, 1.30)),
        *(WHEELS.touching(x) for x in AXLES),
    ]
    shapes = [chassis(), superstructure(), *(WHEELS.at(x) for x in AXLES)]
    return k.link("carrier", shapes, mass=13_500.0, collision=touch)


# ---------------------------------------------------------------------------------------------
# Boom
# ---------------------------------------------------------------------------------------------


def swing() -> Link:
    """Make the column that swings, with the hinges of boom, rod and lift cylinder."""
    x, _, z = BOOM
    top = np.add(BOOM, SPACING)
    shapes: k.Shapes = [
        k.rod((0, 0, 0.0), (0, 0, 1.10), 0.22, k.ORANGE, "column", 0.8),
        k.rod((0, 0, 0.0), (0, 0, 0.10), 0.34, k.DARK_GREY, "turntable"),
        k.rod((0, 0, 1.06), (0, 0, 1.14), 0.25, k.DARK_GREY, "column cap"),
        k.both(
            k.beam((-0.05, 0.20, 0.85), (x, 0.20, z), 0.06, 0.34, k.ORANGE, "left cheek"),
            k.beam((-0.05, 0.13, 1.00), (top[0], 0.13, top[2]), 0.05, 0.26, k.ORANGE, "left horn"),
            k.pin((x, 0.20, z), 0.17, 0.06, k.ORANGE, "left boom bearing"),
            k.pin((top[0], 0.13, top[2]), 0.12, 0.05, k.ORANGE, "left rod bearing"),
        ),
        k.lug(LIFT_SWING, (0.05, 0, 0.12), 0.05, 0.11, k.ORANGE, gap=0.15),
        k.lug(SWING_LEVER, (0.02, 0.10, 0.20), 0.10, 0.11, k.ORANGE, axis=k.Z),
        k.pin(BOOM, 0.08, 0.56, k.CHROME, "boom pin"),
        k.pin(top, 0.06, 0.40, k.CHROME, "rod pin"),
        k.hose((-0.25, -0.12, 0.60), (0.20, -0.26, 1.18), 0.03),
    ]
    touch = [k.rod((0, 0, 0), (0, 0, 1.14), 0.30)]
    return k.link("swing", shapes, mass=750.0, collision=touch)


def boom() -> Link:
    """Make the boom, a box beam along x."""
    end, lift = BOOM_LENGTH, LIFT_BOOM[0]
    shapes: k.Shapes = [
        k.pin((0, 0, 0), 0.19, 0.32, k.YELLOW, "boom foot"),
        k.beam((0, 0, 0), (0.60, 0, 0), 0.26, 0.30, k.YELLOW, "boom root"),
        k.beam((0.50, 0, 0.0), (end - 0.35, 0, 0), 0.28, 0.28, k.YELLOW, "boom"),
        k.beam((end - 0.45, 0, 0), (end, 0, 0), 0.22, 0.22, k.YELLOW, "boom head"),
        k.pin((end, 0, 0), 0.15, 0.22, k.YELLOW, "head eye"),
        k.both(k.lug((lift, 0.15, 0.0), (lift - 0.25, 0.15, 0.0), 0.04, 0.11, k.ORANGE)),
        k.pin(LIFT_BOOM, 0.06, 0.44, k.CHROME, "lift pin"),
        k.both(k.hose((0.2, 0.19, 0.08), (end - 0.4, 0.19, 0.08), 0.025, "left hose")),
        *(k.box((0.06, 0.44, 0.06), (x, 0, 0.10), k.DARK_GREY, "hose clamp") for x in (0.75, 2.35)),
        lamp((2.05, 0.16, 0.14), 0.12, 0.06, "lamp"),
    ]
    touch = [k.beam((0, 0, 0), (end, 0, 0), 0.28, 0.28)]
    return k.link("boom", shapes, mass=1_050.0, collision=touch)


def parallel_rod() -> Link:
    """Make the rod from its pin on the feed holder (its origin) back to the swing."""
    length = BOOM_LENGTH
    shapes: k.Shapes = [
        k.rod((-0.10, 0, 0), (-length + 0.10, 0, 0), 0.05, k.STEEL_GREY, "parallel rod"),
        k.pin((0, 0, 0), 0.10, 0.12, k.DARK_GREY, "front eye"),
        k.pin((-length, 0, 0), 0.10, 0.12, k.DARK_GREY, "rear eye"),
        k.rod((-0.12, 0, 0), (-0.26, 0, 0), 0.07, k.DARK_GREY, "front nut"),
        k.rod((-length + 0.26, 0, 0), (-length + 0.12, 0, 0), 0.07, k.DARK_GREY, "rear nut"),
    ]
    touch = [k.rod((0, 0, 0), (-length, 0, 0), 0.05)]
    return k.link("rod", shapes, fill=1.0, collision=touch)


def feed_holder() -> Link:
    """Make the boom head's bracket with the feed beam at its right side."""
    back, front, top = -2.55, 3.20, SPACING[2]

    def on_beam(x: float, y: float = 0.0, z: float = 0.0) -> k.Point:
        return (x, FEED_Y + y, BEAM_Z + z)

    def rail(y: float) -> k.Shape:
        start, end = on_beam(back + 0.1, y, 0.10), on_beam(front - 0.1, y, 0.10)
        return k.beam(start, end, 0.03, 0.04, k.STEEL_GREY, "feed rail")

    beam = (on_beam(back), on_beam(front))
    shapes: k.Shapes = [
        k.both(
            k.beam((0, 0.15, 0), (0, 0.15, top), 0.06, 0.26, k.ORANGE, "left bracket"),
            k.pin((0, 0.15, 0), 0.15, 0.06, k.ORANGE, "left boom eye"),
            k.pin((0, 0.15, top), 0.12, 0.06, k.ORANGE, "left rod eye"),
        ),
        k.pin((0, 0, 0), 0.07, 0.44, k.CHROME, "boom head pin"),
        k.pin(SPACING, 0.06, 0.44, k.CHROME, "rod head pin"),
        k.box((0.16, 0.36, 0.44), (0.14, 0, 0.21), k.ORANGE, "head plate"),
        k.pin((0.16, -0.26, 0.10), 0.16, 0.30, k.DARK_GREY, "rotation unit"),
        k.box((0.70, 0.10, 0.34), (0.16, -0.42, -0.06), k.ORANGE, "cradle"),
        k.beam(*beam, 0.20, 0.16, k.YELLOW, "feed beam"),
        rail(-0.11),
        rail(0.11),
        k.box((0.05, 0.34, 0.36), on_beam(back, z=0.10), k.DARK_GREY, "rear plate"),
        k.box((0.05, 0.34, 0.34), on_beam(front, z=0.10), k.DARK_GREY, "front plate"),
        k.box((0.10, 0.22, 0.24), (front - 0.25, FEED_Y, BIT[2]), k.RED, "front centraliser"),
        k.box((0.08, 0.18, 0.20), (1.55, FEED_Y, BIT[2] - 0.06), k.RED, "centraliser"),
        k.cone(on_beam(front, z=-0.02), on_beam(front + 0.24, z=-0.02), 0.09, k.BLACK, "stinger"),
        k.pin(on_beam(-0.80, -0.02, -0.22), 0.20, 0.16, k.DARK_GREY, "hose drum"),
        k.hose(on_beam(-0.80, z=-0.10), on_beam(1.20, z=-0.10), 0.025),
        k.lug(FEED_HOLDER, on_beam(FEED_HOLDER[0] - 0.05, 0.08), 0.06, 0.06, k.ORANGE),
    ]
    touch = [k.beam(*beam, 0.20, 0.20)]
    return k.link("feed_holder", shapes, mass=900.0, collision=touch)


def rock_drill() -> Link:
    """Make the hydraulic drifter on its sled with the drill steel: origin at the bit's tip."""
    chuck = -2.95
    shapes: k.Shapes = [
        k.box((0.74, 0.28, 0.06), (chuck - 0.45, 0, -0.10), k.DARK_GREY, "sled"),
        k.box((0.62, 0.20, 0.22), (chuck - 0.52, 0, 0.03), k.YELLOW, "drifter"),
        k.rod(
            (chuck - 0.22, 0, 0), (chuck, 0, 0), 0.10, k.STEEL_GREY, "drill head", end_radius=0.07
        ),
        k.rod((chuck - 0.95, 0, 0.02), (chuck - 0.82, 0, 0.02), 0.10, k.STEEL_GREY, "back head"),
        k.rod((chuck - 0.62, -0.02, 0.13), (chuck - 0.62, -0.02, 0.24), 0.07, k.RED, "accumulator"),
        k.rod((chuck - 0.36, -0.02, 0.13), (chuck - 0.36, -0.02, 0.21), 0.06, k.RED, "accumulator"),
        k.box((0.22, 0.14, 0.14), (chuck - 0.42, -0.16, 0.03), k.STEEL_GREY, "rotation motor"),
        k.rod((chuck, 0, 0), (-0.10, 0, 0), 0.024, k.BRASS, "drill steel"),
        k.rod((chuck, 0, 0), (chuck + 0.16, 0, 0), 0.045, k.DARK_GREY, "coupling"),
        k.rod((-0.14, 0, 0), (-0.01, 0, 0), 0.030, k.CARBIDE, "bit", end_radius=0.045),
        k.sphere((-0.015, 0, 0), 0.015, k.CARBIDE, "button"),
        k.lug(FEED_DRILL, (FEED_DRILL[0] - 0.02, 0.06, -0.08), 0.05, 0.05, k.ORANGE),
        *(k.hose((chuck - 0.85, y, 0.10), (chuck - 1.05, y, 0.20), 0.022) for y in (-0.06, 0.06)),
    ]
    touch: k.Shapes = [
        k.box((0.90, 0.28, 0.30), (chuck - 0.48, 0, 0.0)),
        k.rod((chuck, 0, 0), (0, 0, 0), 0.04),
    ]
    return k.link("rock_drill", shapes, mass=260.0, collision=touch)


# ---------------------------------------------------------------------------------------------
# Kinematics
# ---------------------------------------------------------------------------------------------


def cylinders() -> list[k.Cylinder]:
    """Make the cylinders that swing the column, lift the boom and feed the drill."""
    feed = BIT[0] + FEED_DRILL[0] - FEED_HOLDER[0]
    return [
        k.cylinder(
            "swing_cylinder",
            ("carrier", SWING_CARRIER),
            ("swing", SWING_LEVER),
            k.strokes(SWING, SWING_CARRIER, SWING_LEVER, SWING_RANGE, k.Z),
            k.Ram(bore=0.11, pressure=21e6, color=k.YELLOW),
            axis=k.Z,
            group="swing",
        ),
        k.cylinder(
            "lift",
            ("swing", LIFT_SWING),
            ("boom", LIFT_BOOM),
            k.strokes(BOOM, LIFT_SWING, LIFT_BOOM, BOOM_RANGE, k.UP),
            k.Ram(bore=0.125, pressure=21e6, color=k.YELLOW),
        ),
        k.cylinder(
            "feed",
            ("feed_holder", FEED_HOLDER),
            ("rock_drill", FEED_DRILL),
            (feed + FEED_RANGE[0], feed + FEED_RANGE[1]),
            k.Ram(bore=0.063, rod_diameter=0.04, pressure=8e6, speed=0.25, acceleration=1.0),
        ),
    ]


def joints() -> list[Joint]:
    """Make the joints."""
    swing, boom, feed = k.wide(SWING_RANGE), k.wide(BOOM_RANGE), k.wide(FEED_RANGE, 0.005)
    rod_hinges = ("swing_rod_hinge", "rod_swing_hinge")
    on_swing, on_rod = np.add(BOOM, SPACING), (-BOOM_LENGTH, 0, 0)
    return [
        k.revolute("swinging", "carrier", "swing", SWING, axis=k.Z, limit=swing, damping=500.0),
        k.revolute("boom_hinge", "swing", "boom", BOOM, axis=k.UP, limit=boom, damping=500.0),
        k.revolute(
            "boom_head", "boom", "feed_holder", (BOOM_LENGTH, 0, 0), axis=k.UP, damping=100.0
        ),
        k.revolute("rod_head", "feed_holder", "rod", SPACING, axis=k.UP, damping=20.0),
        *k.closure("swing", "rod", on_swing, on_rod, axis=k.UP, names=rod_hinges),
        k.prismatic("feeding", "feed_holder", "rock_drill", BIT, limit=feed, damping=500.0),
    ]


def provenance() -> list[Provenance]:
    """State where the figures come from."""
    return [
        k.estimated(
            "everything",
            "no jumbo boom data are public; a single-boom face jumbo of about 17 t, 3.2 m boom, "
            "2 m feed, sized from the envelope",
        ),
        k.estimated("masses and inertias", "from the shapes' volumes, scaled link by link"),
        k.estimated(
            "bores, forces and speeds",
            "standard bores at 21 MPa (feed 8 MPa); force = piston area times pressure",
        ),
    ]


def build() -> Robot:
    """Build the machine."""
    theta = 0.15  # boom slightly raised; in a parallelogram the others follow it
    return k.robot(
        "jumbo",
        "jumbo",
        "rock_drill",
        home={
            "swinging": 0.0,
            "boom_hinge": theta,
            "boom_head": -theta,
            "rod_head": theta,
            "feeding": 0.30,
        },
        links=[carrier(), swing(), boom(), feed_holder(), parallel_rod(), rock_drill()],
        joints=joints(),
        cylinders=cylinders(),
        provenance=provenance(),
        looks=True,
    )


def looks(robot: Robot) -> Model:
    """Make the machine's 3DT model."""
    return dressed.jumbo(robot)
