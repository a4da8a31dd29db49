"""Double-leaf ventilation door in a stopping, both leaves opened by one cylinder.

Topology (machines.md): frame L0, left leaf L1, coupling rod L2, right leaf L3: the planar
four-bar [frame, left leaf, rod, right leaf] about vertical axes; the cylinder pulls the left leaf
open and the overhead rod, crossed between cranks on the leaves, opens the right one with it.

The wall stands in the plane x = 0, the leaves in front of it (+x); the floor is z = 0. All joint
values are 0 with the door shut.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from parts import (
    BLACK,
    BLUE,
    CHROME,
    DARK_GREY,
    GLASS,
    GREEN,
    GREY,
    LIGHT_GREY,
    RED,
    STEEL_GREY,
    WHITE,
    YELLOW,
    Color,
    Cylinder,
    Point,
    Shape,
    beam,
    both,
    box,
    closure,
    cylinder,
    link,
    lug,
    mirror,
    moved,
    pin,
    revolute,
    robot,
    rod,
    source,
    turned_length,
    write,
)

FILE = Path(__file__).parents[2] / "src" / "headframe" / "machines" / "door.json"

Z: Point = (0.0, 0.0, 1.0)
DOWN: Point = (0.0, 0.0, -1.0)

# Pins, each in the axes of the link named [m].
HINGE = (0.40, 1.50, 0.0)  # the left leaf's hinge line, on the frame; the right one is mirrored
CRANK = (0.245, -0.205, 2.80)  # the rod's pin, on the left leaf
ROD = (-0.49, -3.00, 0.0)  # the rod's far pin, on the rod, whose frame sits at the near one
RIGHT_HINGE = (0.245, 0.205, -2.80)  # the right leaf's hinge line, seen from its crank pin
PULL_FRAME, PULL_LEAF = (1.60, 2.50, 1.45), (0.07, -0.65, 1.45)

OPENING = (0.0, math.radians(80.0))
LEAF_WIDTH, LEAF_HEIGHT = 1.48, 2.50

CONCRETE: Color = (0.62, 0.61, 0.58, 1.0)
BLOCK: Color = (0.54, 0.53, 0.50, 1.0)


def wall() -> list[Shape]:
    """Masonry stopping with its courses, a duct and the roadway's floor."""
    shapes = [
        box((2.90, 6.40, 0.10), (0.75, 0, -0.05), color=GREY, name="floor slab", weight=0.4),
        box((0.34, 6.00, 0.82), (-0.17, 0, 3.01), color=CONCRETE, name="lintel", weight=0.4),
        *both(
            box(
                (0.34, 1.36, 2.70),
                (-0.17, 2.32, 1.35),
                color=CONCRETE,
                name="left pillar",
                weight=0.4,
            )
        ),
    ]
    for course in range(6):
        z = 0.22 + 0.44 * course
        shift = 0.0 if course % 2 else 0.22
        shapes += both(
            box(
                (0.02, 0.60, 0.40),
                (0.005, 2.08 + shift, z),
                color=BLOCK,
                name="left block",
                weight=0.4,
            )
        )
    shapes += [
        rod((-0.50, -2.25, 2.98), (0.55, -2.25, 2.98), 0.27, YELLOW, "air duct", 0.05),
        rod((0.45, -2.25, 2.98), (0.55, -2.25, 2.98), 0.29, DARK_GREY, "duct ring", 0.05),
        *both(box((2.90, 0.07, 0.09), (0.75, 0.45, 0.045), color=STEEL_GREY, name="left rail")),
        *(
            box((0.16, 1.30, 0.03), (x, 0, 0.015), color=DARK_GREY, name="sleeper", weight=0.3)
            for x in (-0.30, 0.45, 1.20, 1.95)
        ),
        box((0.03, 0.90, 0.26), (0.015, 0, 3.22), color=GREEN, name="sign", weight=0.2),
        box((0.032, 0.70, 0.08), (0.016, 0, 3.22), color=WHITE, name="lettering", weight=0.0),
        rod((0.0, 1.20, 3.10), (0.10, 1.20, 3.10), 0.08, RED, "warning lamp", 0.1),
    ]
    return shapes


def portal() -> list[Shape]:
    """Steel frame in front of the wall, hinge knuckles and the cylinder's column."""
    x, y, _ = HINGE
    post_x, post_y, post_z = PULL_FRAME
    shapes: list[Shape] = [
        *both(
            box((0.34, 0.12, 2.66), (0.17, 1.58, 1.33), color=BLUE, name="left post"),
            box((0.14, 0.05, 2.80), (x - 0.02, 1.60, 1.40), color=BLUE, name="left hinge post"),
        ),
        box((0.34, 3.28, 0.12), (0.17, 0, 2.60), color=BLUE, name="header"),
        *both(box((0.36, 0.12, 0.30), (0.17, 1.58, 0.15), color=DARK_GREY, name="left foot")),
        *(
            mark
            for z in (0.35, 1.30, 2.25)
            for mark in both(pin((x, y + 0.03, z), 0.055, 0.10, Z, DARK_GREY, "left knuckle"))
        ),
        *both(lug((x, y, 2.66), (x - 0.02, y + 0.10, 2.66), 0.06, 0.07, BLUE, axis=Z)),
        box((0.24, 0.24, 1.72), (post_x, post_y + 0.28, 0.86), color=YELLOW, name="column"),
        box((0.50, 0.50, 0.05), (post_x, post_y + 0.28, 0.025), color=DARK_GREY, name="base plate"),
        beam(
            (post_x - 0.10, post_y + 0.28, 1.60),
            (0.0, post_y + 0.28, 2.20),
            0.08,
            0.08,
            YELLOW,
            "column stay",
        ),
        *lug(PULL_FRAME, (post_x, post_y + 0.18, post_z), 0.05, 0.09, YELLOW, gap=0.12, axis=Z),
        box(
            (0.20, 0.30, 0.40),
            (post_x + 0.02, post_y + 0.30, 1.95),
            color=LIGHT_GREY,
            name="valve box",
        ),
        rod(
            (post_x, post_y + 0.30, 2.15),
            (post_x, post_y + 0.30, 2.24),
            0.05,
            RED,
            "valve knob",
            0.1,
        ),
    ]
    return shapes


def frame() -> Shape:
    """Link L0."""
    touch = [
        box((0.34, 6.00, 0.82), (-0.17, 0, 3.01)),
        *both(box((0.34, 1.36, 2.70), (-0.17, 2.32, 1.35))),
        box((2.90, 6.40, 0.10), (0.75, 0, -0.05)),
    ]
    return link("frame", [wall(), portal()], collision=touch)


def leaf_shapes() -> list[Shape]:
    """The left leaf from its hinge line at the foot: skin, stiffeners, fittings."""
    w, h = LEAF_WIDTH, LEAF_HEIGHT
    bottom = 0.10
    mid = bottom + h / 2
    shapes = [
        box((0.03, w, h), (0.0, -w / 2, mid), color=STEEL_GREY, name="skin"),
        *(
            box((0.06, w, 0.08), (0.04, -w / 2, z), color=BLUE, name="rib")
            for z in (bottom + 0.05, 0.80, 1.45, 2.05, bottom + h - 0.05)
        ),
        *(
            box((0.07, 0.08, h), (0.045, y, mid), color=BLUE, name="stile")
            for y in (-0.05, -w / 2, -w + 0.05)
        ),
        beam(
            (0.05, -0.10, 0.18),
            (0.05, -w / 2 + 0.05, 0.78),
            0.04,
            0.06,
            BLUE,
            "brace",
            side=(1, 0, 0),
        ),
        beam(
            (0.05, -w + 0.10, 0.18),
            (0.05, -w / 2 - 0.05, 0.78),
            0.04,
            0.06,
            BLUE,
            "brace",
            side=(1, 0, 0),
        ),
        box((0.05, 0.34, 0.34), (0.02, -w + 0.36, 1.75), color=DARK_GREY, name="window frame"),
        box((0.07, 0.24, 0.24), (0.02, -w + 0.36, 1.75), color=GLASS, name="window", weight=0.3),
        rod((0.12, -w + 0.12, 1.02), (0.12, -w + 0.12, 1.32), 0.02, CHROME, "handle"),
        box((0.02, w, 0.12), (0.0, -w / 2, 0.05), color=BLACK, name="rubber flap", weight=0.2),
        *(
            box(
                (0.035, 0.14, 0.16),
                (0.0, -0.16 - 0.28 * i, 2.42),
                color=YELLOW,
                name="stripe",
                weight=0.0,
            )
            for i in range(5)
        ),
        *(pin((0, 0, z), 0.05, 0.16, Z, BLUE, "knuckle") for z in (0.48, 1.43, 2.38)),
        *(
            beam((0.03, 0.0, z), (0.03, -0.45, z), 0.05, 0.10, DARK_GREY, "hinge strap")
            for z in (0.48, 1.43, 2.38)
        ),
        rod((0, 0, 2.40), (0, 0, 2.88), 0.05, CHROME, "crank shaft"),
        beam(
            (0, 0, CRANK[2] - 0.05),
            (CRANK[0], CRANK[1], CRANK[2] - 0.05),
            0.10,
            0.05,
            YELLOW,
            "crank",
            side=(CRANK[1], -CRANK[0], 0),
        ),
        pin(CRANK, 0.03, 0.16, Z, CHROME, "crank pin"),
    ]
    return shapes


def left_leaf() -> Shape:
    """Link L1: frame at the foot of its hinge line."""
    w, h = LEAF_WIDTH, LEAF_HEIGHT
    eye = lug(PULL_LEAF, (0.02, PULL_LEAF[1], PULL_LEAF[2]), 0.04, 0.07, YELLOW, gap=0.11, axis=Z)
    touch = [box((0.08, w, h), (0.03, -w / 2, 0.10 + h / 2))]
    return link("leaf_left", [*leaf_shapes(), *eye], fill=0.6, collision=touch)


def right_leaf() -> Shape:
    """Link L3: its frame sits at its crank pin, 2.8 m above the floor."""
    w, h = LEAF_WIDTH, LEAF_HEIGHT
    # The right leaf mirrors the left one but for its crank, which points behind the hinge line.
    shapes = [mirror(s) for s in leaf_shapes()[:-2]]
    end = np.negative(RIGHT_HINGE[:2])
    shapes += [
        beam(
            (0, 0, CRANK[2] - 0.05),
            (*end, CRANK[2] - 0.05),
            0.10,
            0.05,
            YELLOW,
            "crank",
            side=(end[1], -end[0], 0),
        ),
        pin((*end, CRANK[2]), 0.03, 0.16, Z, CHROME, "crank pin"),
    ]
    touch = moved([box((0.08, w, h), (0.03, w / 2, 0.10 + h / 2))], RIGHT_HINGE)
    return link("leaf_right", moved(shapes, RIGHT_HINGE), fill=0.6, collision=touch)


def coupling_rod() -> Shape:
    """Link L2: the overhead rod with a turnbuckle; its frame sits at the left leaf's pin."""
    a, b = np.zeros(3), np.array(ROD)
    up = np.array([0.0, 0.0, 0.03])
    along = (b - a) / np.linalg.norm(b - a)
    middle = (a + b) / 2
    shapes = [
        rod(a + up, b + up, 0.032, YELLOW, "coupling rod"),
        rod(middle - 0.18 * along + up, middle + 0.18 * along + up, 0.05, DARK_GREY, "turnbuckle"),
        rod(a + 0.10 * along + up, a + 0.22 * along + up, 0.045, DARK_GREY, "lock nut"),
        rod(b - 0.22 * along + up, b - 0.10 * along + up, 0.045, DARK_GREY, "lock nut"),
        pin(a + up, 0.06, 0.06, Z, DARK_GREY, "left eye"),
        pin(b + up, 0.06, 0.06, Z, DARK_GREY, "right eye"),
    ]
    return link("rod", shapes, fill=1.0)


# ---------------------------------------------------------------------------------------------
# Kinematics
# ---------------------------------------------------------------------------------------------


def four_bar(theta: float) -> tuple[float, float]:
    """Angles of rod and right leaf that close the four-bar at the left leaf's angle [rad].

    The circles about the left crank's pin and the right hinge meet twice; the right crank's pin
    is the meeting behind the hinges (towards the wall), where it is with the door shut.

    Returns:
        Angle of the rod against the left leaf (about +z), and of the right leaf against the rod
        (about -z).
    """
    turn = np.array([[math.cos(theta), -math.sin(theta)], [math.sin(theta), math.cos(theta)]])
    near = np.array(HINGE[:2]) + turn @ np.array(CRANK[:2])
    hinge = np.array([HINGE[0], -HINGE[1]])
    crank = math.hypot(*RIGHT_HINGE[:2])
    length = math.hypot(*ROD[:2])
    to_hinge = hinge - near
    d = float(np.linalg.norm(to_hinge))
    along = (length**2 + d**2 - crank**2) / (2 * d)
    across = math.sqrt(length**2 - along**2)
    unit = to_hinge / d
    # Behind the hinge line means to the right of the way from the near pin to the hinge.
    far = near + along * unit + across * np.array([unit[1], -unit[0]])
    rod_angle = math.atan2(*(far - near)[::-1]) - math.atan2(ROD[1], ROD[0])
    leaf_angle = math.atan2(*(hinge - far)[::-1]) - math.atan2(RIGHT_HINGE[1], RIGHT_HINGE[0])
    return rod_angle - theta, rod_angle - leaf_angle


def cylinders() -> list[Cylinder]:
    """The one cylinder; it is longest with the door shut."""
    end = np.add(HINGE, PULL_LEAF)
    ends = sorted(turned_length(HINGE, PULL_FRAME, end, a, Z) for a in OPENING)
    return [
        cylinder(
            "pull",
            "frame",
            "leaf_left",
            PULL_FRAME,
            PULL_LEAF,
            round(ends[0], 4),
            round(ends[1], 4),
            bore=0.10,
            pressure=6e6,
            speed=0.15,
            acceleration=0.3,
            axis=Z,
            group="door",
            color=LIGHT_GREY,
        )
    ]


def joints() -> list[Shape]:
    """Main joints and the closure at the right hinge line."""
    right = (HINGE[0], -HINGE[1], HINGE[2])
    limit = (OPENING[0] - 0.01, round(OPENING[1] + 0.01, 4))
    return [
        revolute("left_hinge", "frame", "leaf_left", HINGE, axis=Z, limit=limit, damping=20.0),
        revolute("left_crank_pin", "leaf_left", "rod", CRANK, axis=Z, damping=2.0),
        revolute("right_crank_pin", "rod", "leaf_right", ROD, axis=DOWN, damping=2.0),
        *closure(
            "frame", "leaf_right", right, RIGHT_HINGE, DOWN, ("right_hinge", "right_hinge_back")
        ),
    ]


def provenance() -> list[Shape]:
    """Where the figures come from."""
    return [
        source(
            "everything",
            "estimated",
            "a 3 m by 2.6 m double door sized for a single-track roadway; no data sheet used",
        ),
        source(
            "four-bar",
            "estimated",
            "crossed rod of 3.04 m between cranks of 0.32 m, symmetric about the middle of the "
            "opening, so that both leaves are shut together and open together",
        ),
        source("masses and inertias", "estimated", "from the shapes' volumes and the densities"),
        source(
            "bore, force and speed",
            "estimated",
            "100 mm bore at 6 MPa; opens in about 6 s; force = piston area times pressure",
        ),
    ]


def build() -> Shape:
    """The ventilation door as a canonical MRDF dict."""
    theta = 0.55  # ajar
    rod_angle, leaf_angle = four_bar(theta)
    home = {"left_hinge": theta, "left_crank_pin": rod_angle, "right_crank_pin": leaf_angle}
    links = [frame(), left_leaf(), coupling_rod(), right_leaf()]
    return robot("door", "door", "leaf_right", home, links, joints(), cylinders(), (), provenance())


if __name__ == "__main__":
    write(build(), FILE)
