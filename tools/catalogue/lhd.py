"""Load-haul-dump loader with a payload of 14 t.

Topology (machines.md): body L0, sliding boom carrier L1, four-bar [L1 carrier, L2 arm, L3 bucket,
L4 link]; two cylinders, one slides the carrier, one lifts the arm. The four-bar is proportioned
so that lifting first rolls the bucket back (17 degrees) and then tips it (21 degrees at the top).

World axes: x forward, y left, z up; the floor is z = 0 and x = 0 is the articulation between the
front and the rear frame (which stands straight).
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
from parts import (
    BLACK,
    CHROME,
    DARK_GREY,
    GLASS,
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
    cylinder,
    joint,
    link,
    lug,
    pin,
    plate,
    revolute,
    robot,
    rod,
    source,
    turned_length,
    write,
)

FILE = Path(__file__).parents[2] / "src" / "headframe" / "machines" / "lhd.json"

UP: Point = (0.0, -1.0, 0.0)  # hinge axis that raises what lies in front of it
X: Point = (1.0, 0.0, 0.0)
Z: Point = (0.0, 0.0, 1.0)

# Pins in the plane y = 0, each in the axes of the link named [m].
CARRIER = (0.95, 0.0, 1.55)  # the arm's hinge with the carrier drawn back, on the body
LINK_CARRIER = (0.705, 0.0, -0.309)  # the link's hinge, on the carrier
ARM_LENGTH = 2.57  # hinge to bucket pin, along the arm's x
LINK_BUCKET = (0.101, 0.0, -0.315)  # the link's pin, on the bucket
LINK_LENGTH = 2.051
SLIDE_BODY, SLIDE_CARRIER = (0.0, 0.0, 1.80), (0.05, 0.0, 0.25)
LIFT_CARRIER, LIFT_ARM = (0.04, 0.0, -0.70), (1.60, 0.0, 0.0)

SLIDE_RANGE = (0.0, 0.60)
ARM_RANGE = (math.radians(-26.6), math.radians(40.0))  # bucket on the floor .. fully raised
FRONT_AXLE, REAR_AXLE, WHEEL_RADIUS, WHEEL_Y = 1.90, -1.90, 0.87, 1.02


# ---------------------------------------------------------------------------------------------
# Body
# ---------------------------------------------------------------------------------------------


def wheel(x: float) -> list[Shape]:
    """A pair of wheels at `x`: tyre, lugs, rim, hub."""
    at = (x, WHEEL_Y, WHEEL_RADIUS)
    shapes = [
        pin(at, WHEEL_RADIUS - 0.04, 0.62, color=RUBBER, name="left tyre", weight=0.35),
        pin(
            (x, WHEEL_Y + 0.02, WHEEL_RADIUS), 0.44, 0.62, color=YELLOW, name="left rim", weight=0.3
        ),
        pin((x, WHEEL_Y + 0.32, WHEEL_RADIUS), 0.18, 0.10, color=DARK_GREY, name="left hub"),
    ]
    count = 14
    for i in range(count):
        a = 2 * math.pi * i / count
        r = WHEEL_RADIUS - 0.04
        shapes.append(
            box(
                (0.09, 0.60, 0.14),
                (x + r * math.sin(a), WHEEL_Y, WHEEL_RADIUS + r * math.cos(a)),
                (0, a, 0),
                RUBBER,
                "left lug",
                0.2,
            )
        )
    return both(*shapes)


def operator() -> list[Shape]:
    """Cab on the left, behind the articulation; the operator sits across."""
    posts = [
        beam((x, y, 1.35), (x, y, 2.36), 0.07, 0.07, YELLOW, "cab post")
        for x in (-0.22, -1.08)
        for y in (0.18, 1.16)
    ]
    return [
        box((0.98, 1.10, 0.72), (-0.65, 0.68, 1.00), color=YELLOW, name="cab floor"),
        *posts,
        box((1.06, 1.18, 0.08), (-0.65, 0.67, 2.40), color=YELLOW, name="cab roof"),
        box((0.02, 0.90, 0.86), (-0.20, 0.67, 1.86), color=GLASS, name="windscreen", weight=0.1),
        box((0.80, 0.02, 0.70), (-0.65, 1.19, 1.90), color=GLASS, name="door glass", weight=0.1),
        box((0.44, 0.44, 0.14), (-0.68, 0.52, 1.44), color=BLACK, name="seat", weight=0.2),
        box((0.44, 0.12, 0.54), (-0.68, 0.28, 1.72), color=BLACK, name="backrest", weight=0.2),
        *(
            rod((-0.16, y, 2.32), (-0.08, y, 2.32), 0.07, WHITE, "front lamp", 0.1)
            for y in (0.35, 1.00)
        ),
    ]


def rear_body() -> Shape:
    """Link L0: rear frame with engine, cab, tanks, rear axle."""
    grille = [
        box((0.03, 1.50, 0.05), (-5.33, 0, z), color=BLACK, name="grille bar", weight=0.1)
        for z in np.arange(0.85, 1.61, 0.15)
    ]
    shapes = [
        box((4.40, 1.30, 0.50), (-2.45, 0, 0.80), color=DARK_GREY, name="rear frame"),
        box((3.30, 1.30, 0.80), (-2.80, 0, 1.40), color=YELLOW, name="engine hood"),
        box((2.25, 2.46, 0.96), (-4.195, 0, 1.16), color=YELLOW, name="tail"),
        box((1.50, 2.10, 0.08), (-3.90, 0, 1.70), color=YELLOW, name="tail cover"),
        *both(
            box((1.95, 0.70, 0.06), (-1.95, 1.00, 1.84), color=YELLOW, name="left fender"),
            beam((-2.92, 1.00, 1.82), (-3.10, 1.00, 1.62), 0.70, 0.06, YELLOW, "left fender end"),
            rod((-5.32, 0.98, 1.40), (-5.37, 0.98, 1.40), 0.09, RED, "left tail lamp", 0.1),
            rod((-5.32, 0.98, 1.16), (-5.37, 0.98, 1.16), 0.09, WHITE, "left reverse lamp", 0.1),
            box((0.16, 0.60, 0.24), (-5.29, 0.80, 0.62), color=BLACK, name="left bumper"),
        ),
        box((0.86, 1.10, 0.95), (-0.65, -0.68, 1.12), color=ORANGE, name="hydraulic tank"),
        rod((-0.45, -0.80, 1.58), (-0.45, -0.80, 1.68), 0.09, DARK_GREY, "filler cap", 0.2),
        box((0.80, 0.70, 0.30), (-2.10, 0, 1.92), color=DARK_GREY, name="air cleaner"),
        rod((-3.25, -0.45, 1.74), (-3.25, -0.45, 2.06), 0.09, STEEL_GREY, "exhaust", 0.3),
        *grille,
        pin((REAR_AXLE, 0, WHEEL_RADIUS), 0.26, 1.50, color=DARK_GREY, name="rear axle"),
        *wheel(REAR_AXLE),
        *operator(),
        *both(capsule((-0.25, 0.30, 1.05), (0.30, 0.22, 0.95), 0.035, BLACK, "left hose", 0.0)),
        box((0.36, 0.50, 0.14), (-0.14, 0, 1.22), color=DARK_GREY, name="upper yoke"),
        box((0.36, 0.50, 0.14), (-0.14, 0, 0.62), color=DARK_GREY, name="lower yoke"),
        rod((0, 0, 0.50), (0, 0, 1.34), 0.11, CHROME, "articulation pin"),
        *lug(SLIDE_BODY, (-0.22, 0, 1.52), 0.05, 0.09, YELLOW, gap=0.12),
        box((0.30, 0.24, 0.66), (-0.24, 0, 1.46), color=YELLOW, name="slide bracket"),
    ]
    touch = [
        box((4.60, 1.30, 1.10), (-2.60, 0, 1.20)),
        box((2.25, 2.46, 0.96), (-4.195, 0, 1.16)),
        *both(pin((REAR_AXLE, WHEEL_Y, WHEEL_RADIUS), WHEEL_RADIUS, 0.62)),
    ]
    return link("body", shapes, mass=19_946.0, collision=touch)


def front_frame() -> Shape:
    """Front frame with its axle and the rails of the carrier; fixed to the body."""
    shapes = [
        *both(
            box((2.35, 0.22, 0.46), (1.38, 0.50, 0.74), color=YELLOW, name="left front frame"),
            box((2.10, 0.14, 0.12), (1.45, 0.50, 1.03), color=STEEL_GREY, name="left rail"),
            box((1.70, 0.68, 0.06), (1.90, 1.02, 1.86), color=YELLOW, name="left fender"),
            beam((1.00, 0.68, 1.05), (1.00, 0.72, 1.86), 0.12, 0.14, YELLOW, "left fender post"),
            beam((1.06, 1.02, 1.84), (0.86, 1.02, 1.60), 0.68, 0.06, YELLOW, "left fender end"),
            rod((2.76, 0.80, 1.70), (2.84, 0.80, 1.70), 0.08, WHITE, "left headlamp", 0.1),
        ),
        box((0.28, 1.20, 0.50), (0.34, 0, 0.80), color=YELLOW, name="articulation beam"),
        box((0.40, 0.46, 0.12), (0.08, 0, 0.92), color=YELLOW, name="articulation tongue"),
        box((0.20, 1.20, 0.44), (2.50, 0, 0.72), color=YELLOW, name="front beam"),
        pin((FRONT_AXLE, 0, 0.62), 0.20, 1.50, color=DARK_GREY, name="front axle"),
        *wheel(FRONT_AXLE),
    ]
    touch = [
        box((2.40, 1.22, 0.50), (1.38, 0, 0.76)),
        *both(pin((FRONT_AXLE, WHEEL_Y, WHEEL_RADIUS), WHEEL_RADIUS, 0.62)),
    ]
    return link("front_frame", shapes, mass=13_740.0, collision=touch)


# ---------------------------------------------------------------------------------------------
# The boom: carrier and four-bar
# ---------------------------------------------------------------------------------------------


def carrier() -> Shape:
    """Link L1: saddle on the rails with the hinges of arm and link and the lift cylinder's foot."""
    x, _, z = LINK_CARRIER
    shapes = [
        *both(
            box((1.10, 0.22, 0.14), (0.15, 0.50, -0.40), color=ORANGE, name="left saddle"),
            beam((-0.10, 0.40, -0.36), (0.0, 0.40, 0.0), 0.10, 0.46, ORANGE, "left cheek"),
            pin((0, 0.40, 0), 0.23, 0.10, color=ORANGE, name="left arm bearing"),
            beam((0.10, 0.33, -0.32), (x, 0.33, z), 0.08, 0.24, ORANGE, "left link bracket"),
            pin((x, 0.33, z), 0.13, 0.08, color=ORANGE, name="left link bearing"),
            lug(LIFT_CARRIER, (-0.06, 0, -0.40), 0.05, 0.12, ORANGE, gap=0.20),
            lug(SLIDE_CARRIER, (0.10, 0, 0.0), 0.05, 0.09, ORANGE, gap=0.12),
        ),
        box((0.34, 0.86, 0.14), (-0.10, 0, -0.40), color=ORANGE, name="cross plate"),
        pin((0, 0, 0), 0.10, 1.20, color=CHROME, name="arm pin"),
        pin((x, 0, z), 0.07, 0.80, color=CHROME, name="link pin"),
    ]
    touch = [box((1.10, 1.20, 0.20), (0.15, 0, -0.38))]
    return link("carrier", shapes, mass=1_500.0, collision=touch)


def arm() -> Shape:
    """Link L2: two plates with cross tubes; x points from the hinge to the bucket pin."""
    end = ARM_LENGTH
    shapes = [
        *both(
            pin((0, 0.53, 0), 0.24, 0.12, color=YELLOW, name="left arm eye"),
            beam((0, 0.53, 0), (1.30, 0.53, 0.14), 0.12, 0.42, YELLOW, "left arm root"),
            beam((1.20, 0.53, 0.14), (end, 0.53, 0), 0.12, 0.36, YELLOW, "left arm"),
            pin((end, 0.53, 0), 0.19, 0.12, color=YELLOW, name="left bucket eye"),
        ),
        pin((1.20, 0, 0.22), 0.14, 1.10, color=YELLOW, name="cross tube"),
        pin(LIFT_ARM, 0.09, 1.10, color=CHROME, name="lift pin"),
        *lug(LIFT_ARM, (1.40, 0, 0.14), 0.05, 0.12, YELLOW, gap=0.18),
    ]
    touch = both(beam((0, 0.53, 0.05), (end, 0.53, 0.0), 0.12, 0.38))
    return link("arm", shapes, mass=2_000.0, collision=touch)


# Side view of the bucket flat on the floor: inner profile from the lip round to the top [m].
PROFILE = ((2.05, -0.37), (0.48, -0.37), (0.26, -0.20), (0.24, 0.56), (0.46, 1.26))


def bucket() -> Shape:
    """Link L3: the 6.4 m3 bucket; origin at its pin, floor level when flat."""
    width = 2.72
    shapes: list[Shape] = []
    for (x0, z0), (x1, z1) in itertools.pairwise(PROFILE):
        shapes.append(beam((x0, 0, z0), (x1, 0, z1), width, 0.05, YELLOW, "bucket shell"))
    shapes += [
        plate((1.85, 0, -0.40), (2.25, 0, -0.395), width + 0.06, 0.05, STEEL_GREY, "cutting edge"),
        beam((0.46, 0, 1.26), (0.64, 0, 1.34), width, 0.06, YELLOW, "top lip"),
        *both(
            box((1.06, 0.05, 0.58), (0.78, 1.34, -0.06), color=YELLOW, name="left side"),
            beam((0.40, 1.34, 0.52), (1.42, 1.34, -0.06), 0.05, 0.62, YELLOW, "left side top"),
            beam((0.43, 1.34, 0.36), (0.60, 1.34, 1.24), 0.05, 0.42, YELLOW, "left side back"),
            beam((1.10, 1.34, -0.26), (2.05, 1.34, -0.32), 0.05, 0.18, YELLOW, "left side front"),
            beam((1.30, 1.37, -0.02), (2.16, 1.37, -0.34), 0.03, 0.12, STEEL_GREY, "left cutter"),
            beam((0.0, 0.43, 0.0), (0.20, 0.43, 0.08), 0.06, 0.34, DARK_GREY, "left pin lug"),
            pin((0, 0.43, 0), 0.19, 0.08, color=DARK_GREY, name="left pin eye"),
            beam(
                (LINK_BUCKET[0], 0.14, LINK_BUCKET[2]),
                (0.24, 0.14, -0.22),
                0.06,
                0.16,
                DARK_GREY,
                "left link lug",
            ),
            pin(
                (LINK_BUCKET[0], 0.14, LINK_BUCKET[2]),
                0.10,
                0.06,
                color=DARK_GREY,
                name="left link eye",
            ),
            box((1.50, 0.14, 0.04), (1.20, 0.80, -0.41), color=DARK_GREY, name="left wear plate"),
        ),
        pin((0, 0, 0), 0.09, 1.22, color=CHROME, name="bucket pin"),
    ]
    touch = [
        beam((2.05, 0, -0.37), (0.42, 0, -0.37), width, 0.05),
        beam((0.25, 0, -0.18), (0.42, 0, 1.26), width, 0.05),
        *both(box((1.10, 0.05, 0.70), (0.72, 1.34, 0.0))),
    ]
    return link("bucket", shapes, mass=3_500.0, collision=touch)


def tilt_link() -> Shape:
    """Link L4: from the bucket's lower pin (its origin) back to the carrier."""
    length = LINK_LENGTH
    shapes = [
        *both(
            beam((0, 0.22, 0), (-length, 0.22, 0), 0.06, 0.14, ORANGE, "left link plate"),
            pin((0, 0.22, 0), 0.12, 0.06, color=ORANGE, name="left front eye"),
            pin((-length, 0.22, 0), 0.13, 0.06, color=ORANGE, name="left rear eye"),
        ),
        pin((0, 0, 0), 0.06, 0.58, color=CHROME, name="front pin"),
        box((0.16, 0.42, 0.08), (-0.42, 0, 0), color=ORANGE, name="tie"),
    ]
    return link("link", shapes, mass=450.0, collision=[beam((0, 0, 0), (-length, 0, 0), 0.5, 0.14)])


# ---------------------------------------------------------------------------------------------
# Kinematics
# ---------------------------------------------------------------------------------------------


def four_bar(theta: float) -> tuple[float, float]:
    """Bucket and link joint angles that close the four-bar at the arm's angle [rad].

    The two circles about the bucket pin and the carrier's hinge meet twice; the link pin is the
    meeting below the arm.
    """
    pin_b = ARM_LENGTH * np.array([math.cos(theta), math.sin(theta)])
    pin_d = np.array([LINK_CARRIER[0], LINK_CARRIER[2]])
    c = math.hypot(LINK_BUCKET[0], LINK_BUCKET[2])
    to_d = pin_d - pin_b
    d = float(np.linalg.norm(to_d))
    along = (c**2 + d**2 - LINK_LENGTH**2) / (2 * d)
    across = math.sqrt(c**2 - along**2)
    unit = to_d / d
    pin_c = pin_b + along * unit + across * np.array([-unit[1], unit[0]])
    bucket_angle = math.atan2(*(pin_c - pin_b)[::-1]) - math.atan2(LINK_BUCKET[2], LINK_BUCKET[0])
    link_angle = math.atan2(*(pin_c - pin_d)[::-1])
    return bucket_angle - theta, link_angle - bucket_angle


def cylinders() -> list[Cylinder]:
    """A0 slides the carrier, A1 lifts the arm."""
    slide = CARRIER[0] + SLIDE_CARRIER[0] - SLIDE_BODY[0]
    lift = sorted(turned_length((0, 0, 0), LIFT_CARRIER, LIFT_ARM, a, UP) for a in ARM_RANGE)
    return [
        cylinder(
            "slide",
            "body",
            "carrier",
            SLIDE_BODY,
            SLIDE_CARRIER,
            slide + SLIDE_RANGE[0],
            slide + SLIDE_RANGE[1],
            bore=0.14,
            pressure=25e6,
            speed=0.15,
            acceleration=0.5,
            group="slide",
            color=YELLOW,
        ),
        cylinder(
            "lift",
            "carrier",
            "arm",
            LIFT_CARRIER,
            LIFT_ARM,
            round(lift[0], 4),
            round(lift[1], 4),
            bore=0.25,
            rod_diameter=0.15,
            pressure=25e6,
            speed=round((lift[1] - lift[0]) / 7.6, 4),
            acceleration=0.5,
            group="lift",
            color=YELLOW,
        ),
    ]


def joints() -> list[Shape]:
    """Main joints; limits stand a hundredth of a radian (5 mm) outside the strokes' ends."""
    arm_limit = (round(ARM_RANGE[0] - 0.01, 4), round(ARM_RANGE[1] + 0.01, 4))
    return [
        joint(
            "sliding",
            "body",
            "carrier",
            "prismatic",
            CARRIER,
            axis=X,
            limit=(SLIDE_RANGE[0] - 0.005, SLIDE_RANGE[1] + 0.005),
            damping=5_000.0,
        ),
        revolute(
            "arm_hinge", "carrier", "arm", (0, 0, 0), axis=UP, limit=arm_limit, damping=1_000.0
        ),
        revolute("bucket_pin", "arm", "bucket", (ARM_LENGTH, 0, 0), axis=UP, damping=500.0),
        revolute("link_pin", "bucket", "link", LINK_BUCKET, axis=UP, damping=200.0),
        *closure(
            "carrier",
            "link",
            LINK_CARRIER,
            (-LINK_LENGTH, 0, 0),
            UP,
            ("carrier_link_hinge", "link_carrier_hinge"),
        ),
        joint("front_frame_bolts", "body", "front_frame", "fixed", axis=None),
    ]


def provenance() -> list[Shape]:
    """Where the figures come from."""
    return [
        source(
            "mass, axle loads, length, bucket volume, raising time",
            "data sheet",
            "machine_data.md, loader of 14 t payload: 42,000 kg (front 18,400, rear 23,600), "
            "10.87 m (bucket flat, carrier back), 6.4 m3 (here heaped), raise 7.6 s",
        ),
        source(
            "sliding carrier and four-bar",
            "estimated",
            "the source document gives the topology only; proportions searched numerically for "
            "transmission angles between 37 and 147 degrees",
        ),
        source(
            "distribution of the mass and inertias",
            "estimated",
            "from the shapes' volumes, scaled to the axle loads of the data sheet",
        ),
        source(
            "bores, forces, speed of the slide",
            "estimated",
            "standard bores at 25 MPa; force = piston area times pressure",
        ),
    ]


def build() -> Shape:
    """The loader as a canonical MRDF dict."""
    theta = math.radians(-18.0)  # bucket rolled back, carried low
    bucket_pin, link_pin = four_bar(theta)
    home = {"sliding": 0.10, "arm_hinge": theta, "bucket_pin": bucket_pin, "link_pin": link_pin}
    links = [rear_body(), carrier(), arm(), bucket(), tilt_link(), front_frame()]
    return robot("lhd", "loader", "bucket", home, links, joints(), cylinders(), (), provenance())


if __name__ == "__main__":
    write(build(), FILE)
