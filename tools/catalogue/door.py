"""Double-leaf ventilation door in a stopping, both leaves opened by one cylinder.

Frame, left leaf, coupling rod and right leaf form a four-bar about vertical axes: the cylinder
pulls the left leaf open, and the overhead rod, crossed between cranks on the leaves, opens the
right one with it.

The wall stands in the plane x = 0, the leaves in front of it (+x); the floor is z = 0. All joint
values are 0 with the door shut.
"""

from __future__ import annotations

import math

import dressed
import kit as k
import numpy as np
from planar import direction, meeting, turned

from headframe.description import Joint, Link, Provenance, Robot
from headframe.description.three_dt import Model

# Pins, each in the axes of the link named [m].
HINGE = (0.40, 1.50, 0.0)  # the left leaf's hinge line, on the frame; the right one is mirrored
CRANK = (0.245, -0.205, 2.80)  # the rod's pin, on the left leaf
ROD = (-0.49, -3.00, 0.0)  # the rod's far pin, on the rod, whose frame sits at the near one
RIGHT_HINGE = (0.245, 0.205, -2.80)  # the right leaf's hinge line, seen from its crank pin
PULL_FRAME, PULL_LEAF = (1.60, 2.50, 1.45), (0.07, -0.65, 1.45)

OPENING = (0.0, math.radians(80.0))
WIDTH, HEIGHT, BOTTOM = 1.48, 2.50, 0.10  # of a leaf
LEAF = k.box((0.08, WIDTH, HEIGHT), (0.03, -WIDTH / 2, BOTTOM + HEIGHT / 2))

CONCRETE: k.Color = (0.62, 0.61, 0.58, 1.0)
BLOCK: k.Color = (0.54, 0.53, 0.50, 1.0)


def wall() -> list[k.Shape]:
    """Shape the masonry stopping with its courses, a duct and the roadway's floor."""
    shapes = [
        k.box((2.90, 6.40, 0.10), (0.75, 0, -0.05), k.GREY, "floor slab", 0.4),
        k.box((0.34, 6.00, 0.82), (-0.17, 0, 3.01), CONCRETE, "lintel", 0.4),
        *k.both(k.box((0.34, 1.36, 2.70), (-0.17, 2.32, 1.35), CONCRETE, "left pillar", 0.4)),
    ]
    for course in range(6):
        at = (0.005, 2.08 if course % 2 else 2.30, 0.22 + 0.44 * course)
        shapes += k.both(k.box((0.02, 0.60, 0.40), at, BLOCK, "left block", 0.4))
    shapes += [
        k.rod((-0.50, -2.25, 2.98), (0.55, -2.25, 2.98), 0.27, k.YELLOW, "air duct", 0.05),
        k.rod((0.45, -2.25, 2.98), (0.55, -2.25, 2.98), 0.29, k.DARK_GREY, "duct ring", 0.05),
        *k.both(k.box((2.90, 0.07, 0.09), (0.75, 0.45, 0.045), k.STEEL_GREY, "left rail")),
        *(
            k.box((0.16, 1.30, 0.03), (x, 0, 0.015), k.DARK_GREY, "sleeper", 0.3)
            for x in (-0.30, 0.45, 1.20, 1.95)
        ),
        k.box((0.03, 0.90, 0.26), (0.015, 0, 3.22), k.GREEN, "sign", 0.2),
        k.box((0.032, 0.70, 0.08), (0.016, 0, 3.22), k.WHITE, "lettering", 0.0),
        k.rod((0.0, 1.20, 3.10), (0.10, 1.20, 3.10), 0.08, k.RED, "warning lamp", 0.1),
    ]
    return shapes


def portal() -> k.Shapes:
    """Shape the steel frame before the wall and the knuckles of the hinges."""
    x, y, _ = HINGE
    return [
        k.both(
            k.box((0.34, 0.12, 2.66), (0.17, 1.58, 1.33), k.BLUE, "left post"),
            k.box((0.14, 0.05, 2.80), (x - 0.02, 1.60, 1.40), k.BLUE, "left hinge post"),
        ),
        k.box((0.34, 3.28, 0.12), (0.17, 0, 2.60), k.BLUE, "header"),
        k.both(k.box((0.36, 0.12, 0.30), (0.17, 1.58, 0.15), k.DARK_GREY, "left foot")),
        *(
            k.both(k.pin((x, y + 0.03, z), 0.055, 0.10, k.DARK_GREY, "left knuckle", axis=k.Z))
            for z in (0.35, 1.30, 2.25)
        ),
        k.both(k.lug((x, y, 2.66), (x - 0.02, y + 0.10, 2.66), 0.06, 0.07, k.BLUE, axis=k.Z)),
    ]


def column() -> k.Shapes:
    """Shape the column that carries the cylinder, with its stay and the valve box."""
    x, y, z = PULL_FRAME
    middle, valve = y + 0.28, y + 0.30
    return [
        k.box((0.24, 0.24, 1.72), (x, middle, 0.86), k.YELLOW, "column"),
        k.box((0.50, 0.50, 0.05), (x, middle, 0.025), k.DARK_GREY, "base plate"),
        k.beam((x - 0.10, middle, 1.60), (0.0, middle, 2.20), 0.08, 0.08, k.YELLOW, "column stay"),
        k.lug(PULL_FRAME, (x, y + 0.18, z), 0.05, 0.09, k.YELLOW, gap=0.12, axis=k.Z),
        k.box((0.20, 0.30, 0.40), (x + 0.02, valve, 1.95), k.LIGHT_GREY, "valve box"),
        k.rod((x, valve, 2.15), (x, valve, 2.24), 0.05, k.RED, "valve knob", 0.1),
    ]


def frame() -> Link:
    """Make the fixed frame."""
    touch: k.Shapes = [
        k.box((0.34, 6.00, 0.82), (-0.17, 0, 3.01)),
        k.both(k.box((0.34, 1.36, 2.70), (-0.17, 2.32, 1.35))),
        k.box((2.90, 6.40, 0.10), (0.75, 0, -0.05)),
    ]
    return k.link("frame", [wall(), portal(), column()], collision=touch)


def leaf_shapes() -> list[k.Shape]:
    """Shape the left leaf from its hinge line at the foot: skin, stiffeners, fittings."""
    w, h = WIDTH, HEIGHT
    mid = BOTTOM + h / 2
    return [
        k.box((0.03, w, h), (0.0, -w / 2, mid), k.STEEL_GREY, "skin"),
        *(
            k.box((0.06, w, 0.08), (0.04, -w / 2, z), k.BLUE, "rib")
            for z in (BOTTOM + 0.05, 0.80, 1.45, 2.05, BOTTOM + h - 0.05)
        ),
        *(
            k.box((0.07, 0.08, h), (0.045, y, mid), k.BLUE, "stile")
            for y in (-0.05, -w / 2, -w + 0.05)
        ),
        *(
            k.beam((0.05, foot, 0.18), (0.05, head, 0.78), 0.04, 0.06, k.BLUE, "brace", side=k.X)
            for foot, head in ((-0.10, -w / 2 + 0.05), (-w + 0.10, -w / 2 - 0.05))
        ),
        k.box((0.05, 0.34, 0.34), (0.02, -w + 0.36, 1.75), k.DARK_GREY, "window frame"),
        k.box((0.07, 0.24, 0.24), (0.02, -w + 0.36, 1.75), k.GLASS, "window", 0.3),
        k.rod((0.12, -w + 0.12, 1.02), (0.12, -w + 0.12, 1.32), 0.02, k.CHROME, "handle"),
        k.box((0.02, w, 0.12), (0.0, -w / 2, 0.05), k.BLACK, "rubber flap", 0.2),
        *(
            k.box((0.035, 0.14, 0.16), (0.0, -0.16 - 0.28 * i, 2.42), k.YELLOW, "stripe", 0.0)
            for i in range(5)
        ),
        *(k.pin((0, 0, z), 0.05, 0.16, k.BLUE, "knuckle", axis=k.Z) for z in (0.48, 1.43, 2.38)),
        *(
            k.beam((0.03, 0.0, z), (0.03, -0.45, z), 0.05, 0.10, k.DARK_GREY, "hinge strap")
            for z in (0.48, 1.43, 2.38)
        ),
        k.rod((0, 0, 2.40), (0, 0, 2.88), 0.05, k.CHROME, "crank shaft"),
    ]


def crank(end: k.Point) -> list[k.Shape]:
    """Shape a crank from the hinge line to its pin at `end` [m]."""
    x, y, z = end
    return [
        k.beam((0, 0, z - 0.05), (x, y, z - 0.05), 0.10, 0.05, k.YELLOW, "crank", side=(y, -x, 0)),
        k.pin(end, 0.03, 0.16, k.CHROME, "crank pin", axis=k.Z),
    ]


def left_leaf() -> Link:
    """Make the left leaf: frame at the foot of its hinge line."""
    foot = (0.02, *PULL_LEAF[1:])
    eye = k.lug(PULL_LEAF, foot, 0.04, 0.07, k.YELLOW, gap=0.11, axis=k.Z)
    shapes = [leaf_shapes(), crank(CRANK), eye]
    return k.link("leaf_left", shapes, fill=0.6, collision=[LEAF])


def right_leaf() -> Link:
    """Make the right leaf: its frame sits at its crank pin, 2.8 m above the floor.

    It mirrors the left one but for its crank, which points behind the hinge line.
    """
    shapes = [*(k.mirror(shape) for shape in leaf_shapes()), *crank(np.negative(RIGHT_HINGE))]
    touch = k.moved([k.mirror(LEAF)], RIGHT_HINGE)
    return k.link("leaf_right", k.moved(shapes, RIGHT_HINGE), fill=0.6, collision=touch)


def coupling_rod() -> Link:
    """Make the overhead rod with a turnbuckle: frame at the left leaf's pin."""
    a, b = np.zeros(3), np.array(ROD)
    up = np.array([0.0, 0.0, 0.03])
    along = (b - a) / np.linalg.norm(b - a)
    middle = (a + b) / 2
    shapes: k.Shapes = [
        k.rod(a + up, b + up, 0.032, k.YELLOW, "coupling rod"),
        k.rod(
            middle - 0.18 * along + up, middle + 0.18 * along + up, 0.05, k.DARK_GREY, "turnbuckle"
        ),
        k.rod(a + 0.10 * along + up, a + 0.22 * along + up, 0.045, k.DARK_GREY, "lock nut"),
        k.rod(b - 0.22 * along + up, b - 0.10 * along + up, 0.045, k.DARK_GREY, "lock nut"),
        k.pin(a + up, 0.06, 0.06, k.DARK_GREY, "left eye", axis=k.Z),
        k.pin(b + up, 0.06, 0.06, k.DARK_GREY, "right eye", axis=k.Z),
    ]
    return k.link("rod", shapes, fill=1.0)


# ---------------------------------------------------------------------------------------------
# Kinematics
# ---------------------------------------------------------------------------------------------


def four_bar(theta: float) -> tuple[float, float]:
    """Close the four-bar at an angle of the left leaf [rad].

    The right crank's pin is behind the hinges (towards the wall), as it is with the door shut.

    Returns:
        Angle of the rod against the left leaf (about +z), and of the right leaf against the rod
        (about -z) [rad].
    """
    near = np.array(HINGE[:2]) + turned(CRANK[:2], theta)
    hinge = (HINGE[0], -HINGE[1])
    reach, crank_length = math.hypot(*ROD[:2]), math.hypot(*RIGHT_HINGE[:2])
    far = meeting(near, reach, hinge, crank_length, left=False)
    rod = direction(near, far) - direction((0.0, 0.0), ROD[:2])
    leaf = direction(far, hinge) - direction((0.0, 0.0), RIGHT_HINGE[:2])
    return rod - theta, rod - leaf


def cylinders() -> list[k.Cylinder]:
    """Make the one cylinder; it is longest with the door shut."""
    return [
        k.cylinder(
            "pull",
            ("frame", PULL_FRAME),
            ("leaf_left", PULL_LEAF),
            k.strokes(HINGE, PULL_FRAME, PULL_LEAF, OPENING, k.Z),
            k.Ram(bore=0.10, pressure=6e6, speed=0.15, acceleration=0.3),
            axis=k.Z,
            group="door",
        )
    ]


def joints() -> list[Joint]:
    """Make the joints with the closure at the right hinge line."""
    opening = k.wide(OPENING)
    right, names = k.other_side(HINGE), ("right_hinge", "right_hinge_back")
    return [
        k.revolute(
            "left_hinge", "frame", "leaf_left", HINGE, axis=k.Z, limit=opening, damping=20.0
        ),
        k.revolute("left_crank_pin", "leaf_left", "rod", CRANK, axis=k.Z, damping=2.0),
        k.revolute("right_crank_pin", "rod", "leaf_right", ROD, axis=k.DOWN, damping=2.0),
        *k.closure("frame", "leaf_right", right, RIGHT_HINGE, axis=k.DOWN, names=names),
    ]


def provenance() -> list[Provenance]:
    """State where the figures come from."""
    return [
        k.estimated(
            "everything",
            "a 3 m by 2.6 m double door sized for a single-track roadway; no data sheet used",
        ),
        k.estimated(
            "four-bar",
            "crossed rod of 3.04 m between cranks of 0.32 m, symmetric about the middle of the "
            "opening, so that both leaves are shut together and open together",
        ),
        k.estimated("masses and inertias", "from the shapes' volumes and the densities"),
        k.estimated(
            "bore, force and speed",
            "100 mm bore at 6 MPa; opens in about 6 s; force = piston area times pressure",
        ),
    ]


def build() -> Robot:
    """Build the machine."""
    theta = 0.55  # ajar
    rod_angle, leaf_angle = four_bar(theta)
    return k.robot(
        "door",
        "door",
        "leaf_right",
        home={"left_hinge": theta, "left_crank_pin": rod_angle, "right_crank_pin": leaf_angle},
        links=[frame(), left_leaf(), coupling_rod(), right_leaf()],
        joints=joints(),
        cylinders=cylinders(),
        provenance=provenance(),
        looks=True,
    )


def looks(robot: Robot) -> Model:
    """Make the machine's 3DT model."""
    return dressed.door(robot)
