"""Load-haul-dump loader with a payload of 14 t.

The boom carrier slides on the body; carrier, arm, bucket and link form a four-bar. One cylinder
slides the carrier, one lifts the arm. The four-bar is proportioned so that lifting first rolls the
bucket back (9 degrees) and then tips it (8 degrees at the top), far from any dead centre: tipping
faster at the top would bring bucket and link into line.

World axes: x forward, y left, z up; the floor is z = 0 and x = 0 is the articulation between the
front and the rear frame (which stands straight).
"""

from __future__ import annotations

import itertools
import math

import dressed
import kit as k
import numpy as np
from planar import direction, meeting, turned
from vehicles import Wheels, lamp, posts

from headframe.description import Joint, Link, Provenance, Robot
from headframe.description.three_dt import Model

# Pins in the plane y = 0, each in the axes of the link named [m].
CARRIER = (1.03, 0.0, 1.70)  # the arm's hinge with the carrier drawn back, on the body
LINK_CARRIER = (0.45, 0.0, -0.295)  # the link's hinge, on the carrier
ARM_LENGTH = 2.57  # hinge to bucket pin, along the arm's x
LINK_BUCKET = (0.088, 0.0, -0.25)  # the link's pin, on the bucket
LINK_LENGTH = 2.24
SLIDE_BODY, SLIDE_CARRIER = (0.0, 0.0, 1.45), (0.0, 0.0, -0.25)
LIFT_CARRIER, LIFT_ARM = (0.115, 0.0, -1.12), (1.84, 0.0, 0.0)
SADDLE = -0.55  # height of the saddle's middle on the carrier

SLIDE_RANGE = (0.0, 0.60)
ARM_RANGE = (math.radians(-30.4), math.radians(26.4))  # bucket on the floor .. fully raised
RAISING_TIME = 7.6  # of the arm over its whole stroke [s]

FRONT_AXLE, REAR_AXLE = 1.90, -1.90
WHEELS = Wheels(
    y=1.02,
    radius=0.87,
    width=0.62,
    rim=0.44,
    hub=(0.18, 0.10, 0.32),
    tread=0.04,
    lug=(0.09, 0.60, 0.14),
    lugs=14,
)


# ---------------------------------------------------------------------------------------------
# Body
# ---------------------------------------------------------------------------------------------


def operator() -> k.Shapes:
    """Shape the cab on the left, behind the articulation; the operator sits across."""
    return [
        k.box((0.98, 1.10, 0.72), (-0.65, 0.68, 1.00), k.YELLOW, "cab floor"),
        posts((-0.22, -1.08), (0.18, 1.16), (1.35, 2.36), 0.07, k.YELLOW, "cab post"),
        k.box((1.06, 1.18, 0.08), (-0.65, 0.67, 2.40), k.YELLOW, "cab roof"),
        k.box((0.02, 0.90, 0.86), (-0.20, 0.67, 1.86), k.GLASS, "windscreen", 0.1),
        k.box((0.80, 0.02, 0.70), (-0.65, 1.19, 1.90), k.GLASS, "door glass", 0.1),
        k.box((0.44, 0.44, 0.14), (-0.68, 0.52, 1.44), k.BLACK, "seat", 0.2),
        k.box((0.44, 0.12, 0.54), (-0.68, 0.28, 1.72), k.BLACK, "backrest", 0.2),
        *(lamp((-0.16, y, 2.32), 0.08, 0.07, "front lamp") for y in (0.35, 1.00)),
    ]


def rear_body() -> Link:
    """Make the rear frame with engine, cab, tanks and rear axle."""
    grille = [
        k.box((0.03, 1.50, 0.05), (-5.33, 0, z), k.BLACK, "grille bar", 0.1)
        for z in np.arange(0.85, 1.61, 0.15)
    ]
    shapes: k.Shapes = [
        k.box((4.40, 1.30, 0.50), (-2.45, 0, 0.80), k.DARK_GREY, "rear frame"),
        k.box((3.30, 1.30, 0.80), (-2.80, 0, 1.40), k.YELLOW, "engine hood"),
        k.box((2.25, 2.46, 0.96), (-4.195, 0, 1.16), k.YELLOW, "tail"),
        k.box((1.50, 2.10, 0.08), (-3.90, 0, 1.70), k.YELLOW, "tail cover"),
        k.both(
            k.box((1.95, 0.70, 0.06), (-1.95, 1.00, 1.84), k.YELLOW, "left fender"),
            k.beam(
                (-2.92, 1.00, 1.82), (-3.10, 1.00, 1.62), 0.70, 0.06, k.YELLOW, "left fender end"
            ),
            lamp((-5.32, 0.98, 1.40), -0.05, 0.09, "left tail lamp", k.RED),
            lamp((-5.32, 0.98, 1.16), -0.05, 0.09, "left reverse lamp"),
            k.box((0.16, 0.60, 0.24), (-5.29, 0.80, 0.62), k.BLACK, "left bumper"),
        ),
        k.box((0.86, 1.10, 0.95), (-0.65, -0.68, 1.12), k.ORANGE, "hydraulic tank"),
        k.rod((-0.45, -0.80, 1.58), (-0.45, -0.80, 1.68), 0.09, k.DARK_GREY, "filler cap", 0.2),
        k.box((0.80, 0.70, 0.30), (-2.10, 0, 1.92), k.DARK_GREY, "air cleaner"),
        k.rod((-3.25, -0.45, 1.74), (-3.25, -0.45, 2.06), 0.09, k.STEEL_GREY, "exhaust", 0.3),
        *grille,
        k.pin((REAR_AXLE, 0, WHEELS.radius), 0.26, 1.50, k.DARK_GREY, "rear axle"),
        WHEELS.at(REAR_AXLE),
        operator(),
        k.both(k.hose((-0.25, 0.30, 1.05), (0.30, 0.22, 0.95), 0.035, "left hose")),
        k.box((0.36, 0.50, 0.14), (-0.14, 0, 1.22), k.DARK_GREY, "upper yoke"),
        k.box((0.36, 0.50, 0.14), (-0.14, 0, 0.62), k.DARK_GREY, "lower yoke"),
        k.rod((0, 0, 0.50), (0, 0, 1.34), 0.11, k.CHROME, "articulation pin"),
        k.lug(SLIDE_BODY, (-0.22, 0, 1.45), 0.05, 0.09, k.YELLOW, gap=0.12),
        k.box((0.30, 0.24, 0.44), (-0.24, 0, 1.35), k.YELLOW, "slide bracket"),
    ]
    touch: k.Shapes = [
        k.box((4.60, 1.30, 1.10), (-2.60, 0, 1.20)),
        k.box((2.25, 2.46, 0.96), (-4.195, 0, 1.16)),
        WHEELS.touching(REAR_AXLE),
    ]
    return k.link("body", shapes, mass=19_859.0, collision=touch)


def front_frame() -> Link:
    """Make the front frame with its axle and the rails of the carrier."""
    shapes: k.Shapes = [
        k.both(
            k.box((2.35, 0.22, 0.46), (1.38, 0.50, 0.74), k.YELLOW, "left front frame"),
            k.box((2.10, 0.14, 0.12), (1.45, 0.50, 1.03), k.STEEL_GREY, "left rail"),
            k.box((1.70, 0.68, 0.06), (1.90, 1.02, 1.86), k.YELLOW, "left fender"),
            k.beam(
                (1.00, 0.68, 1.05), (1.00, 0.72, 1.86), 0.12, 0.14, k.YELLOW, "left fender post"
            ),
            k.beam((1.06, 1.02, 1.84), (0.86, 1.02, 1.60), 0.68, 0.06, k.YELLOW, "left fender end"),
            lamp((2.76, 0.80, 1.70), 0.08, 0.08, "left headlamp"),
            k.pin((FRONT_AXLE, 0.64, WHEELS.radius), 0.22, 0.26, k.DARK_GREY, "left axle stub"),
        ),
        k.box((0.28, 1.20, 0.50), (0.34, 0, 0.80), k.YELLOW, "articulation beam"),
        k.box((0.40, 0.46, 0.12), (0.08, 0, 0.92), k.YELLOW, "articulation tongue"),
        k.box((0.20, 1.20, 0.24), (2.36, 0, 0.40), k.YELLOW, "front beam"),
        WHEELS.at(FRONT_AXLE),
    ]
    touch: k.Shapes = [k.box((2.40, 1.22, 0.50), (1.38, 0, 0.76)), WHEELS.touching(FRONT_AXLE)]
    return k.link("front_frame", shapes, mass=13_966.0, collision=touch)


# ---------------------------------------------------------------------------------------------
# The boom: carrier and four-bar
# ---------------------------------------------------------------------------------------------


def carrier() -> Link:
    """Make the saddle on the rails with the hinges of arm and link and the lift's foot."""
    x, _, z = LINK_CARRIER
    shapes: k.Shapes = [
        k.both(
            k.box((1.10, 0.22, 0.14), (0.15, 0.50, SADDLE), k.ORANGE, "left saddle"),
            k.beam((-0.10, 0.40, SADDLE), (0.0, 0.40, 0.0), 0.10, 0.46, k.ORANGE, "left cheek"),
            k.pin((0, 0.40, 0), 0.23, 0.10, k.ORANGE, "left arm bearing"),
            k.beam((0.0, 0.33, -0.42), (x, 0.33, z), 0.08, 0.24, k.ORANGE, "left link bracket"),
            k.pin((x, 0.33, z), 0.13, 0.08, k.ORANGE, "left link bearing"),
            k.lug(LIFT_CARRIER, (-0.04, 0, SADDLE), 0.05, 0.12, k.ORANGE, gap=0.20),
            k.lug(SLIDE_CARRIER, (0.04, 0, SADDLE), 0.05, 0.09, k.ORANGE, gap=0.12),
        ),
        k.box((0.34, 0.86, 0.14), (-0.10, 0, SADDLE), k.ORANGE, "cross plate"),
        k.pin((0, 0, 0), 0.10, 1.20, k.CHROME, "arm pin"),
        k.pin((x, 0, z), 0.07, 0.80, k.CHROME, "link pin"),
    ]
    touch = [k.box((1.10, 1.20, 0.20), (0.15, 0, SADDLE + 0.02))]
    return k.link("carrier", shapes, mass=1_500.0, collision=touch)


def arm() -> Link:
    """Make two plates with cross tubes; x points from the hinge to the bucket pin."""
    end = ARM_LENGTH
    shapes: k.Shapes = [
        k.both(
            k.pin((0, 0.53, 0), 0.24, 0.12, k.YELLOW, "left arm eye"),
            k.beam((0, 0.53, 0), (1.30, 0.53, 0.14), 0.12, 0.42, k.YELLOW, "left arm root"),
            k.beam((1.20, 0.53, 0.14), (end, 0.53, 0), 0.12, 0.36, k.YELLOW, "left arm"),
            k.pin((end, 0.53, 0), 0.19, 0.12, k.YELLOW, "left bucket eye"),
        ),
        k.pin((1.70, 0, 0.22), 0.14, 1.10, k.YELLOW, "cross tube"),
        k.pin(LIFT_ARM, 0.08, 0.36, k.CHROME, "lift pin"),
        k.lug(LIFT_ARM, (1.70, 0, 0.22), 0.05, 0.12, k.YELLOW, gap=0.18),
    ]
    touch = k.both(k.beam((0, 0.53, 0.05), (end, 0.53, 0.0), 0.12, 0.38))
    return k.link("arm", shapes, mass=2_000.0, collision=touch)


# Side view of the bucket flat on the floor: inner profile from the lip round to the top [m].
PROFILE = ((2.05, -0.37), (0.48, -0.37), (0.26, -0.20), (0.24, 0.56), (0.46, 1.26))


def bucket() -> Link:
    """Make the 6.4 m3 bucket: origin at its pin, floor level when flat."""
    width, (x, _, z) = 2.72, LINK_BUCKET
    shapes: k.Shapes = [
        *(
            k.beam((x0, 0, z0), (x1, 0, z1), width, 0.05, k.YELLOW, "bucket shell")
            for (x0, z0), (x1, z1) in itertools.pairwise(PROFILE)
        ),
        k.plate((1.85, 0, -0.40), (2.25, 0, -0.395), 2.78, 0.05, k.STEEL_GREY, "cutting edge"),
        k.beam((0.46, 0, 1.26), (0.64, 0, 1.34), width, 0.06, k.YELLOW, "top lip"),
        k.both(
            k.box((1.06, 0.05, 0.58), (0.78, 1.34, -0.06), k.YELLOW, "left side"),
            k.beam((0.40, 1.34, 0.52), (1.42, 1.34, -0.06), 0.05, 0.62, k.YELLOW, "left side top"),
            k.beam((0.43, 1.34, 0.36), (0.60, 1.34, 1.24), 0.05, 0.42, k.YELLOW, "left side back"),
            k.beam(
                (1.10, 1.34, -0.26), (2.05, 1.34, -0.32), 0.05, 0.18, k.YELLOW, "left side front"
            ),
            k.beam(
                (1.30, 1.37, -0.02), (2.16, 1.37, -0.34), 0.03, 0.12, k.STEEL_GREY, "left cutter"
            ),
            k.beam((0.0, 0.43, 0.0), (0.20, 0.43, 0.08), 0.06, 0.34, k.DARK_GREY, "left pin lug"),
            k.pin((0, 0.43, 0), 0.19, 0.08, k.DARK_GREY, "left pin eye"),
            k.beam((x, 0.14, z), (0.26, 0.14, -0.18), 0.06, 0.16, k.DARK_GREY, "left link lug"),
            k.pin((x, 0.14, z), 0.10, 0.06, k.DARK_GREY, "left link eye"),
            k.box((1.50, 0.14, 0.04), (1.20, 0.80, -0.41), k.DARK_GREY, "left wear plate"),
        ),
        k.pin((0, 0, 0), 0.09, 1.22, k.CHROME, "bucket pin"),
    ]
    touch: k.Shapes = [
        k.beam((2.05, 0, -0.37), (0.42, 0, -0.37), width, 0.05),
        k.beam((0.25, 0, -0.18), (0.42, 0, 1.26), width, 0.05),
        k.both(k.box((1.10, 0.05, 0.70), (0.72, 1.34, 0.0))),
    ]
    return k.link("bucket", shapes, mass=3_500.0, collision=touch)


def tilt_link() -> Link:
    """Make the link from the bucket's lower pin (its origin) back to the carrier."""
    length = LINK_LENGTH
    shapes: k.Shapes = [
        k.both(
            k.beam((0, 0.22, 0), (-length, 0.22, 0), 0.06, 0.14, k.ORANGE, "left link plate"),
            k.pin((0, 0.22, 0), 0.12, 0.06, k.ORANGE, "left front eye"),
            k.pin((-length, 0.22, 0), 0.13, 0.06, k.ORANGE, "left rear eye"),
        ),
        k.pin((0, 0, 0), 0.06, 0.58, k.CHROME, "front pin"),
        k.box((0.16, 0.42, 0.08), (-0.42, 0, 0), k.ORANGE, "tie"),
    ]
    return k.link(
        "link", shapes, mass=450.0, collision=[k.beam((0, 0, 0), (-length, 0, 0), 0.5, 0.14)]
    )


# ---------------------------------------------------------------------------------------------
# Kinematics
# ---------------------------------------------------------------------------------------------


def four_bar(theta: float) -> tuple[float, float]:
    """Give the joint angles of bucket and link that close the four-bar at an arm angle [rad]."""
    bucket_pin = turned((ARM_LENGTH, 0.0), theta)
    hinge, arm = LINK_CARRIER[::2], LINK_BUCKET[::2]
    link_pin = meeting(bucket_pin, math.hypot(*arm), hinge, LINK_LENGTH, left=True)
    bucket = direction(bucket_pin, link_pin) - direction((0.0, 0.0), arm)
    return bucket - theta, direction(hinge, link_pin) - bucket


def cylinders() -> list[k.Cylinder]:
    """Make the cylinders that slide the carrier and lift the arm."""
    slide = CARRIER[0] + SLIDE_CARRIER[0] - SLIDE_BODY[0]
    lower, upper = k.strokes(k.ORIGIN, LIFT_CARRIER, LIFT_ARM, ARM_RANGE, k.UP)
    speed = round((upper - lower) / RAISING_TIME, 4)
    return [
        k.cylinder(
            "slide",
            ("body", SLIDE_BODY),
            ("carrier", SLIDE_CARRIER),
            (slide + SLIDE_RANGE[0], slide + SLIDE_RANGE[1]),
            k.Ram(bore=0.14, pressure=25e6, speed=0.15, color=k.YELLOW),
        ),
        k.cylinder(
            "lift",
            ("carrier", LIFT_CARRIER),
            ("arm", LIFT_ARM),
            (lower, upper),
            k.Ram(bore=0.22, rod_diameter=0.14, pressure=25e6, speed=speed, color=k.YELLOW),
        ),
    ]


def joints() -> list[Joint]:
    """Make the joints."""
    slide, arm = k.wide(SLIDE_RANGE, 0.005), k.wide(ARM_RANGE)
    link_hinges = ("carrier_link_hinge", "link_carrier_hinge")
    on_link = (-LINK_LENGTH, 0, 0)
    return [
        k.prismatic("sliding", "body", "carrier", CARRIER, limit=slide, damping=5_000.0),
        k.revolute("arm_hinge", "carrier", "arm", k.ORIGIN, axis=k.UP, limit=arm, damping=1_000.0),
        k.revolute("bucket_pin", "arm", "bucket", (ARM_LENGTH, 0, 0), axis=k.UP, damping=500.0),
        k.revolute("link_pin", "bucket", "link", LINK_BUCKET, axis=k.UP, damping=200.0),
        *k.closure("carrier", "link", LINK_CARRIER, on_link, axis=k.UP, names=link_hinges),
        k.fixed("front_frame_bolts", "body", "front_frame"),
    ]


def provenance() -> list[Provenance]:
    """State where the figures come from."""
    return [
        k.data_sheet(
            "mass, axle loads, length, bucket volume, raising time",
            "Epiroc ST14 SG, 9869 0237 01b: 42,000 kg (front 18,400, rear 23,600), "
            "10.87 m (bucket flat, carrier back), 6.4 m3 (here heaped), raise 7.6 s",
        ),
        k.estimated(
            "sliding carrier and four-bar",
            "a boom of its own, not the maker's; proportions searched numerically for "
            "transmission angles between 36 and 111 degrees and a lift cylinder whose triangle "
            "keeps angles over 25 degrees",
        ),
        k.estimated(
            "distribution of the mass and inertias",
            "from the shapes' volumes, scaled to the axle loads of the data sheet",
        ),
        k.estimated(
            "bores, forces, speed of the slide",
            "standard bores at 25 MPa; force = piston area times pressure",
        ),
    ]


def build() -> Robot:
    """Build the machine."""
    theta = math.radians(-22.0)  # bucket rolled back, carried low
    bucket_pin, link_pin = four_bar(theta)
    return k.robot(
        "lhd",
        "loader",
        "bucket",
        home={"sliding": 0.10, "arm_hinge": theta, "bucket_pin": bucket_pin, "link_pin": link_pin},
        links=[rear_body(), carrier(), arm(), bucket(), tilt_link(), front_frame()],
        joints=joints(),
        cylinders=cylinders(),
        provenance=provenance(),
        looks=True,
    )


def looks(robot: Robot) -> Model:
    """Make the machine's 3DT model."""
    return dressed.lhd(robot)
