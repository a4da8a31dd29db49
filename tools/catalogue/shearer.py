"""Double-ended ranging drum shearer for longwall faces.

Topology (machines.md): body L0, left and right ranging arms L1 and L2, cowl L3 (the guard plate
along the body); eight cylinders in redundant groups of 2 + 2 + 4 drive the three hinges. The
drums spin on motors. The hubs that carry the drums are fixed to the arms: the left one is the end
effector, so that its pose is the drum's place.

The face lies in front (+x), the machine travels along y: the left arm points to +y, the right
arm to -y. The floor is z = 0. Machine and pan line form one picture; the pans are a fixed link.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from parts import (
    BLACK,
    BLUE,
    CARBIDE,
    DARK_GREY,
    GREY,
    LIGHT_GREY,
    RED,
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
    cone,
    cylinder,
    joint,
    link,
    lug,
    motor,
    pin,
    redundant,
    revolute,
    robot,
    rod,
    source,
    strokes,
    with_play,
    write,
)

FILE = Path(__file__).parents[2] / "src" / "headframe" / "machines" / "shearer.json"

X: Point = (1.0, 0.0, 0.0)
BACK: Point = (-1.0, 0.0, 0.0)  # raises the right arm, as X raises the left one
Y: Point = (0.0, 1.0, 0.0)
Z: Point = (0.0, 0.0, 1.0)

# Pins of the left side, each in the axes of the link named [m]; the right side is mirrored.
ARM = (0.0, 2.75, 1.00)  # hinge of the ranging arm, on the body
HUB = (1.22, 2.40, 0.0)  # middle of the drum, on the arm
LIFT_BODY, LIFT_ARM = (0.22, 1.20, 0.50), (0.22, -0.20, -0.56)
COWL = (-0.50, 0.0, 1.62)  # hinge line of the cowl, on the body
COWL_BODY, COWL_PLATE = (0.25, 0.0, 1.62), (0.0, 0.0, 0.65)
COWL_JACKS = (1.65, 0.55, -0.55, -1.65)  # where they stand along the body

ARM_RANGE = (math.radians(-8.0), math.radians(40.0))
COWL_RANGE = (math.radians(0.0), math.radians(35.0))  # from upright towards the face

DRUM_RADIUS, BARREL_RADIUS, DRUM_WIDTH = 0.90, 0.46, 0.80


def other_side(p: Point) -> Point:
    """The point mirrored in the plane y = 0."""
    return (p[0], -p[1], p[2])


# ---------------------------------------------------------------------------------------------
# Body and pans
# ---------------------------------------------------------------------------------------------


def body_boxes() -> list[Shape]:
    """Three bolted sections with their covers, doors and lifting eyes."""
    doors = [
        box((0.03, 0.62, 0.52), (-0.615, y, 1.18), color=color, name="door")
        for y, color in ((-0.80, BLUE), (0.0, LIGHT_GREY), (0.80, BLUE))
    ]
    face_doors = [
        box((0.03, 0.70, 0.50), (0.615, y, 1.16), color=LIGHT_GREY, name="cover")
        for y in (-1.80, -0.90, 0.0, 0.90, 1.80)
    ]
    return [
        box((1.20, 2.60, 0.86), (0, 0, 1.15), color=WHITE, name="electrical section"),
        *both(
            box((1.20, 1.34, 0.80), (0, 1.99, 1.13), color=YELLOW, name="left haulage section"),
            box((1.16, 0.05, 0.92), (0, 1.30, 1.15), color=DARK_GREY, name="left joint flange"),
            box((0.60, 0.44, 0.60), (-0.26, 2.84, 1.04), color=YELLOW, name="left arm bracket"),
            pin(ARM, 0.17, 1.26, X, DARK_GREY, "left arm pin"),
            box((0.90, 0.70, 0.06), (0, 2.00, 1.56), color=DARK_GREY, name="left top cover"),
            rod((0.35, 2.35, 1.53), (0.35, 2.35, 1.66), 0.06, RED, "left stop button"),
        ),
        *doors,
        *face_doors,
        box((0.30, 0.56, 0.05), (-0.45, 0, 1.56), color=DARK_GREY, name="control panel"),
        box((0.03, 0.40, 0.16), (-0.63, 1.80, 1.36), color=BLACK, name="display", weight=0.0),
        *both(
            rod((-0.62, 1.55, 1.40), (-0.68, 1.55, 1.40), 0.07, WHITE, "left lamp"),
            rod((0.62, 2.30, 1.42), (0.68, 2.30, 1.42), 0.07, WHITE, "left lamp"),
        ),
    ]


def running_gear() -> list[Shape]:
    """Haulage boxes with their rack pinions, trapping shoes and face-side skids."""
    shapes: list[Shape] = []
    for y in (2.05, -2.05):
        shapes += [
            box((0.34, 1.00, 0.52), (-0.74, y, 0.92), color=YELLOW, name="haulage box"),
            pin((-0.80, y, 0.58), 0.20, 0.16, X, DARK_GREY, "rack pinion"),
            box((0.22, 0.70, 0.16), (-0.80, y, 0.36), color=DARK_GREY, name="trapping shoe"),
            box((0.16, 0.40, 0.50), (0.60, y, 0.52), color=YELLOW, name="skid leg"),
            box((0.26, 0.76, 0.12), (0.62, y, 0.24), color=DARK_GREY, name="skid"),
        ]
    brackets = [
        lug((x, y, LIFT_BODY[2]), (x, y, 0.76), 0.05, 0.10, DARK_GREY, gap=0.14, axis=X)
        for x in (LIFT_BODY[0], -LIFT_BODY[0])
        for y in (LIFT_BODY[1], -LIFT_BODY[1])
    ]
    feet = [
        lug(
            (COWL_BODY[0], y, COWL_BODY[2]),
            (COWL_BODY[0], y, 1.54),
            0.03,
            0.05,
            DARK_GREY,
            gap=0.07,
        )
        for y in COWL_JACKS
    ]
    hinge = rod((COWL[0], -2.30, COWL[2]), (COWL[0], 2.30, COWL[2]), 0.045, DARK_GREY, "cowl hinge")
    return [*shapes, *(s for group in (*brackets, *feet) for s in group), hinge]


def body() -> Shape:
    """Link L0."""
    touch = [box((1.20, 5.30, 0.84), (0, 0, 1.14)), *both(box((0.3, 0.8, 0.5), (0.6, 2.05, 0.45)))]
    return link("body", [body_boxes(), running_gear()], mass=61_000.0, collision=touch)


def pan_line() -> Shape:
    """A stretch of the armoured face conveyor with its rack and spill plates."""
    pitch, count = 1.50, 8
    shapes: list[Shape] = []
    for i in range(count):
        y = (i - (count - 1) / 2) * pitch
        shapes += [
            box((0.96, pitch - 0.03, 0.08), (-0.02, y, 0.08), color=STEEL_GREY, name="pan"),
            box((0.12, pitch - 0.03, 0.24), (0.50, y, 0.12), color=GREY, name="face sigma"),
            box((0.12, pitch - 0.03, 0.24), (-0.54, y, 0.12), color=GREY, name="goaf sigma"),
            box((0.10, pitch - 0.06, 0.14), (-0.80, y, 0.20), color=DARK_GREY, name="rack"),
            box((0.05, pitch - 0.03, 0.62), (-1.02, y, 0.40), color=GREY, name="spill plate"),
        ]
    shapes += [
        box((0.80, 0.07, 0.07), (-0.02, y, 0.15), color=BLACK, name="flight")
        for y in np.arange(-5.6, 5.7, 0.80)
    ]
    shapes.append(rod((-0.02, -5.98, 0.15), (-0.02, 5.98, 0.15), 0.03, BLACK, "chain"))
    shapes.append(capsule((-1.12, -5.9, 0.62), (-1.12, 0.0, 0.62), 0.05, BLACK, "cable", 0.0))
    touch = [box((1.20, count * pitch, 0.20), (-0.02, 0, 0.10))]
    return link("pan_line", shapes, fill=0.6, collision=touch)


# ---------------------------------------------------------------------------------------------
# Ranging arms and drums
# ---------------------------------------------------------------------------------------------


def ranging_arm(name: str, side: float) -> Shape:
    """Links L1 and L2: gear case from the hinge to the drum, motor, lever of the jacks."""
    x, end = 0.44, HUB[1]

    def p(a: float, b: float, c: float) -> Point:
        return (a, side * b, c)

    def jack_lever(at: float) -> list[Shape]:
        return [
            beam(
                p(at, -0.02, -0.10),
                p(at, LIFT_ARM[1], LIFT_ARM[2]),
                0.12,
                0.30,
                YELLOW,
                "lever",
                side=X,
            ),
            pin(p(at, LIFT_ARM[1], LIFT_ARM[2]), 0.12, 0.12, X, YELLOW, "lever eye"),
        ]

    shapes = [
        pin(p(x, 0, 0), 0.44, 0.56, X, YELLOW, "arm root"),
        beam(p(x, 0, 0), p(x, end, 0), 0.52, 0.66, YELLOW, "ranging arm", side=X),
        beam(p(x, 0.45, 0), p(x, end - 0.55, 0), 0.60, 0.42, YELLOW, "gear case rib", side=X),
        pin(p(x, end, 0), 0.44, 0.56, X, YELLOW, "planetary gear"),
        pin(p(0.10, 0.0, 0), 0.36, 0.50, X, WHITE, "cutting motor"),
        pin(p(-0.20, 0.0, 0), 0.26, 0.10, X, DARK_GREY, "motor cover"),
        *jack_lever(LIFT_BODY[0] + 0.16),
        *jack_lever(LIFT_BODY[0] - 0.16),
        *jack_lever(-LIFT_BODY[0] - 0.14),
        pin(p(0.0, -0.06, -0.20), 0.12, 0.80, X, YELLOW, "lever shaft"),
        *(pin(p(x + 0.29, b, 0), 0.22, 0.06, X, GREY, "gear cover") for b in (0.65, 1.15, 1.65)),
        *(
            pin(p(x - 0.29, b, 0), 0.17, 0.05, X, GREY, "inspection cover")
            for b in (0.70, 1.30, 1.90)
        ),
        capsule(p(0.20, 0.2, 0.36), p(0.20, 2.1, 0.36), 0.035, BLACK, "water hose", 0.0),
    ]
    touch = [beam(p(x, -0.3, 0), p(x, end + 0.3, 0), 0.56, 0.75, side=X)]
    return link(name, shapes, mass=8_500.0, collision=touch)


def hub(name: str, side: float) -> Shape:
    """The drum's bearing at the arm's end with the loading cowl; it does not spin."""
    back = -HUB[0] + 0.72  # inner face of the hub, on the arm's gear case
    shapes = [
        rod((back, 0, 0), (0.20, 0, 0), 0.30, DARK_GREY, "hub"),
        rod((back, 0, 0), (back + 0.08, 0, 0), 0.42, GREY, "flange"),
    ]
    # Loading cowl: plates round the drum's side that faces the body.
    radius, steps = DRUM_RADIUS + 0.12, 4
    for i in range(steps):
        a = math.radians(-52 + 26 * (i + 0.5))
        y, z = -side * radius * math.cos(a), radius * math.sin(a)
        shapes.append(
            box((0.62, 0.05, 0.48), (0.16, y, z), (-side * a, 0, 0), YELLOW, "loading cowl")
        )
    a = math.radians(-26)
    shapes.append(
        beam(
            (back + 0.05, -side * 0.40 * math.cos(a), 0.40 * math.sin(a)),
            (-0.12, -side * radius * math.cos(a), radius * math.sin(a)),
            0.20,
            0.10,
            YELLOW,
            "cowl arm",
        )
    )
    return link(name, shapes, mass=1_100.0)


def drum(name: str, sense: float) -> Shape:
    """A cutting drum along x: barrel, three helical vanes, face ring, picks."""
    half = DRUM_WIDTH / 2
    shapes = [
        rod((-half, 0, 0), (half - 0.06, 0, 0), BARREL_RADIUS, STEEL_GREY, "barrel", 0.5),
        rod((half - 0.10, 0, 0), (half, 0, 0), 0.76, GREY, "face ring"),
        rod((half, 0, 0), (half + 0.05, 0, 0), 0.30, DARK_GREY, "end cap"),
    ]
    starts, steps, wrap = 3, 8, math.radians(150)
    for s in range(starts):
        for i in range(steps):
            t = i / (steps - 1)
            x = -half + 0.05 + (DRUM_WIDTH - 0.20) * t
            a = 2 * math.pi * s / starts + sense * wrap * t
            radial = np.array([0.0, math.cos(a), math.sin(a)])
            tangent = np.array([0.0, -math.sin(a), math.cos(a)]) * sense
            middle = (BARREL_RADIUS + 0.75) / 2
            # A vane plate stands radially and turns by the roll `a`, leaning with the helix.
            centre = np.array([x, 0, 0]) + radial * middle
            shapes.append(
                box(
                    (0.06, 0.75 - BARREL_RADIUS + 0.04, 0.34),
                    centre,
                    (a, 0.0, 0.0),
                    STEEL_GREY,
                    "vane",
                )
            )
            base = np.array([x, 0, 0]) + radial * 0.73
            tip = base + radial * 0.17 - tangent * 0.09
            shapes.append(cone(base, tip, 0.055, CARBIDE, "pick"))
    for i in range(12):
        a = 2 * math.pi * i / 12
        radial = np.array([0.0, math.cos(a), math.sin(a)])
        base = np.array([half - 0.04, 0, 0]) + radial * 0.73
        shapes.append(
            cone(base, base + radial * 0.15 + [0.10 * (i % 2), 0, 0], 0.05, CARBIDE, "face pick")
        )
    touch = [rod((-half, 0, 0), (half, 0, 0), DRUM_RADIUS - 0.05)]
    return link(name, shapes, mass=4_000.0, collision=touch)


def cowl() -> Shape:
    """Link L3: the guard plate along the body that keeps lumps off the walkway."""
    panels = [
        box((0.04, 1.08, 0.84), (0.0, y, 0.44), color=YELLOW, name="cowl plate")
        for y in (-1.65, -0.55, 0.55, 1.65)
    ]
    ribs = [
        beam((0.03, y, 0.04), (0.03, y, 0.84), 0.06, 0.06, DARK_GREY, "rib")
        for y in (-2.16, -1.10, 0.0, 1.10, 2.16)
    ]
    eyes = [
        lug(
            (COWL_PLATE[0], y, COWL_PLATE[2]),
            (-0.02, y, COWL_PLATE[2]),
            0.03,
            0.05,
            DARK_GREY,
            gap=0.07,
        )
        for y in COWL_JACKS
    ]
    edge = rod((0.0, -2.19, 0.88), (0.0, 2.19, 0.88), 0.035, DARK_GREY, "cowl edge")
    lip = box((0.16, 4.36, 0.03), (0.08, 0, 0.87), color=RED, name="cowl lip")
    touch = [box((0.06, 4.38, 0.86), (0, 0, 0.45))]
    return link("cowl", [*panels, *ribs, *eyes, edge, lip], mass=1_600.0, collision=touch)


# ---------------------------------------------------------------------------------------------
# Kinematics
# ---------------------------------------------------------------------------------------------


def arm_jacks(side: str, mirrored: bool) -> list[Cylinder]:
    """The two jacks under the body that raise one arm: face side and goaf side."""
    lengths = strokes(ARM, LIFT_BODY, LIFT_ARM, ARM_RANGE, X)
    jacks = []
    for label, x in (("face", LIFT_BODY[0]), ("goaf", -LIFT_BODY[0])):
        tube, end = (x, *LIFT_BODY[1:]), (x, *LIFT_ARM[1:])
        if mirrored:
            tube, end = other_side(tube), other_side(end)
        jacks.append(
            cylinder(
                f"{side}_arm_{label}",
                "body",
                f"ranging_arm_{side}",
                tube,
                end,
                *lengths,
                bore=0.18,
                pressure=31.5e6,
                speed=0.05,
                acceleration=0.3,
                axis=X,
                group=f"{side}_arm",
                color=YELLOW,
            )
        )
    return with_play(redundant(*jacks))


def cowl_jacks() -> list[Cylinder]:
    """Four jacks along the cowl."""
    lengths = strokes(COWL, COWL_BODY, COWL_PLATE, COWL_RANGE, Y)
    jacks = [
        cylinder(
            f"cowl_{i}",
            "body",
            "cowl",
            (COWL_BODY[0], y, COWL_BODY[2]),
            (COWL_PLATE[0], y, COWL_PLATE[2]),
            *lengths,
            bore=0.08,
            pressure=20e6,
            speed=0.05,
            acceleration=0.3,
            group="cowl",
            color=LIGHT_GREY,
        )
        for i, y in enumerate(COWL_JACKS, start=1)
    ]
    return with_play(redundant(*jacks))


def joints() -> list[Shape]:
    """Main joints; limits stand a hundredth of a radian outside the strokes' ends."""

    def wide(ends: tuple[float, float]) -> tuple[float, float]:
        return round(ends[0] - 0.01, 4), round(ends[1] + 0.01, 4)

    still = {"axis": None}
    return [
        revolute(
            "ranging_left",
            "body",
            "ranging_arm_left",
            ARM,
            axis=X,
            limit=wide(ARM_RANGE),
            damping=2_000.0,
        ),
        revolute(
            "ranging_right",
            "body",
            "ranging_arm_right",
            other_side(ARM),
            axis=BACK,
            limit=wide(ARM_RANGE),
            damping=2_000.0,
        ),
        revolute("cowl_hinge", "body", "cowl", COWL, axis=Y, limit=wide(COWL_RANGE), damping=200.0),
        joint("hub_left_bolts", "ranging_arm_left", "cutter_hub_left", "fixed", HUB, **still),
        joint(
            "hub_right_bolts",
            "ranging_arm_right",
            "cutter_hub_right",
            "fixed",
            other_side(HUB),
            **still,
        ),
        joint("pan_line_bolts", "body", "pan_line", "fixed", **still),
        joint("cutting_left", "cutter_hub_left", "drum_left", "continuous", axis=X, damping=50.0),
        joint(
            "cutting_right", "cutter_hub_right", "drum_right", "continuous", axis=BACK, damping=50.0
        ),
    ]


def provenance() -> list[Shape]:
    """Where the figures come from."""
    return [
        source(
            "total mass",
            "data sheet",
            "machine_data.md: shearers of this class weigh over 90 t, drums stand 7-10 m apart "
            "(medium confidence); the machine without its pans is scaled to 90 t",
        ),
        source(
            "distribution of the mass",
            "estimated",
            "body, arms and drums by volume and by proportion of comparable machines",
        ),
        source(
            "pins, strokes and arm range",
            "estimated",
            "no ranging-arm geometry is public; chosen for cutting heights of 0 to 3.4 m",
        ),
        source(
            "cowl",
            "estimated",
            "the source document only counts a third link; a guard plate along the body with "
            "four jacks was chosen",
        ),
        source("cutting motors", "estimated", "450 kW each at 30 rpm"),
        source(
            "bores, forces and speeds",
            "estimated",
            "standard bores at 31.5 MPa (cowl 20 MPa); force = piston area times pressure",
        ),
    ]


def build() -> Shape:
    """The shearer as a canonical MRDF dict."""
    home = {
        "ranging_left": 0.50,  # the leading drum cuts the roof,
        "ranging_right": -0.06,  # the trailing one the floor
        "cowl_hinge": 0.20,
        "cutting_left": 0.0,
        "cutting_right": 0.0,
    }
    links = [
        body(),
        ranging_arm("ranging_arm_left", 1.0),
        ranging_arm("ranging_arm_right", -1.0),
        cowl(),
        hub("cutter_hub_left", 1.0),
        hub("cutter_hub_right", -1.0),
        pan_line(),
        drum("drum_left", 1.0),
        drum("drum_right", -1.0),
    ]
    motors = [
        motor("cutting_left_motor", "cutting_left", 143_000.0, 3.14),
        motor("cutting_right_motor", "cutting_right", 143_000.0, 3.14),
    ]
    actuators = [*arm_jacks("left", False), *arm_jacks("right", True), *cowl_jacks()]
    return robot(
        "shearer",
        "shearer",
        "cutter_hub_left",
        home,
        links,
        joints(),
        actuators,
        motors,
        provenance(),
    )


if __name__ == "__main__":
    write(build(), FILE)
