"""Boom-type roadheader of the 230-kW class.

Topology (machines.md): main body L0, turret L1, boom L2, telescopic arm with the cutter head L3,
shovel plate L4, rear stabilisers L5 and L6; nine cylinders. The cutting drum and the gathering
arms spin on motors; crawlers, conveyor and rear frame are fixed to the body.

World axes: x forward, y left, z up; the floor is z = 0 and x = 0 lies between the crawlers.
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
from parts import (
    BLACK,
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
    cone,
    cylinder,
    joint,
    link,
    lug,
    motor,
    pair,
    pin,
    plate,
    revolute,
    robot,
    rod,
    source,
    sphere,
    strokes,
    with_play,
    write,
)

FILE = Path(__file__).parents[2] / "src" / "headframe" / "machines" / "roadheader.json"

UP: Point = (0.0, -1.0, 0.0)  # hinge axis that raises what lies in front of it
Z: Point = (0.0, 0.0, 1.0)
X: Point = (1.0, 0.0, 0.0)

# Pins, each in the axes of the link named [m].
SLEW = (1.30, 0.0, 1.00)  # slewing axis, on the body
BOOM = (0.35, 0.0, 0.50)  # boom foot pin, on the turret
HEAD = (3.85, 0.0, 0.0)  # middle of the drum with the arm retracted, on the boom
APRON = (1.75, 0.0, 0.38)  # hinge of the shovel plate, on the body
LEG = (-2.55, 1.02, 0.62)  # hinge of the left stabiliser, on the body

SLEW_BODY, SLEW_TURRET = (-0.05, 0.85, 1.20), (0.25, 0.62, 0.20)
LIFT_TURRET, LIFT_BOOM = (0.45, 0.52, -0.35), (1.35, 0.52, -0.30)
TELE_BOOM, TELE_HEAD = (1.10, 0.0, 0.54), (-0.85, 0.0, 0.54)
APRON_BODY, APRON_PLATE = (1.95, 0.78, 0.98), (0.60, 0.78, 0.05)
JACK_BODY, JACK_LEG = (-2.75, 1.02, 1.45), (-0.75, 0.0, 0.0)

# Ranges of the joints at the ends of the strokes [rad, m].
SLEW_RANGE = math.radians(33.0)
BOOM_RANGE = (math.radians(-17.0), math.radians(38.0))
TELE_RANGE = (0.0, 0.55)
APRON_RANGE = (math.radians(-8.0), math.radians(11.0))
LEG_RANGE = (math.radians(-8.0), math.radians(30.0))
APRON_SLOPE = math.atan2(0.46, 1.70)  # of the shovel plate, down to the front


# ---------------------------------------------------------------------------------------------
# Main body and what is fixed to it
# ---------------------------------------------------------------------------------------------


def hull() -> list[Shape]:
    """Frame, slewing pedestal, decks and the nose plates that carry the shovel plate's jacks."""
    return [
        box((3.40, 1.56, 0.50), (-0.50, 0, 0.60), color=YELLOW, name="main frame"),
        box((0.60, 1.20, 0.16), (0.98, 0, 0.88), color=YELLOW, name="pedestal"),
        rod((1.30, 0, 0.62), (1.30, 0, 0.99), 0.50, DARK_GREY, "slewing bearing"),
        *both(
            box((2.70, 0.92, 0.10), (-1.05, 0.87, 0.95), color=YELLOW, name="left deck"),
            box((1.55, 0.56, 0.05), (1.05, 1.15, 0.945), color=YELLOW, name="left fender"),
            beam((1.86, 1.15, 0.92), (2.08, 1.15, 0.62), 0.56, 0.04, YELLOW, "left fender tip"),
            box((1.00, 0.07, 0.30), (1.52, 0.78, 0.90), color=YELLOW, name="left nose plate"),
            box((0.90, 0.07, 0.46), (1.48, 0.70, 0.44), color=YELLOW, name="left hinge plate"),
        ),
        *both(*lug(SLEW_BODY, (SLEW_BODY[0] - 0.02, 0.85, 0.98), 0.30, 0.11, DARK_GREY)),
        pin(APRON, 0.09, 1.72, color=DARK_GREY, name="apron hinge"),
    ]


def driver() -> list[Shape]:
    """Operator's place on the left: seat, console with levers, canopy on four posts."""
    posts = [
        beam((x, y, 1.00), (x, y, 2.16), 0.06, 0.06, ORANGE, "canopy post")
        for x in (-0.42, -1.58)
        for y in (0.50, 1.26)
    ]
    levers = [
        capsule((-0.62, y, 1.42), (-0.68, y, 1.62), 0.016, BLACK, "lever", 0.0)
        for y in (0.72, 0.82, 0.92, 1.02)
    ]
    return [
        *posts,
        box((1.36, 0.92, 0.06), (-1.00, 0.88, 2.19), color=ORANGE, name="canopy"),
        box((0.48, 0.50, 0.14), (-1.16, 0.86, 1.28), color=RUBBER, name="seat"),
        box((0.12, 0.50, 0.58), (-1.42, 0.86, 1.56), (0, -0.15, 0), RUBBER, "backrest"),
        box((0.36, 0.40, 0.22), (-1.16, 0.86, 1.11), color=DARK_GREY, name="seat box"),
        box((0.24, 0.62, 0.42), (-0.60, 0.86, 1.21), color=LIGHT_GREY, name="console"),
        *levers,
    ]


def power_pack() -> list[Shape]:
    """Hydraulic tank, pump motor and valves on the right, control cabinet on the left."""
    fins = [
        box((0.03, 0.62, 0.40), (-1.66 - 0.15 * i, -0.86, 1.24), color=GREY, name="motor fin")
        for i in range(4)
    ]
    return [
        box((1.20, 0.84, 0.62), (-0.92, -0.86, 1.31), color=ORANGE, name="hydraulic tank"),
        rod((-0.60, -0.86, 1.60), (-0.60, -0.86, 1.70), 0.10, DARK_GREY, "filler cap"),
        box((0.02, 0.10, 0.34), (-0.31, -0.70, 1.32), color=GLASS, name="oil gauge", weight=0.0),
        rod((-1.54, -0.86, 1.26), (-2.24, -0.86, 1.26), 0.27, STEEL_GREY, "pump motor"),
        *fins,
        rod((-2.24, -0.86, 1.26), (-2.40, -0.86, 1.26), 0.20, BLACK, "pump"),
        box((0.30, 0.50, 0.26), (-0.10, -0.62, 1.12), color=DARK_GREY, name="valve block"),
        box((0.78, 0.84, 0.68), (-2.06, 0.86, 1.34), color=WHITE, name="control cabinet"),
        box((0.30, 0.02, 0.40), (-2.25, 1.285, 1.36), color=RED, name="left door", weight=0.0),
        box(
            (0.30, 0.02, 0.40),
            (-1.87, 1.285, 1.36),
            color=LIGHT_GREY,
            name="right door",
            weight=0.0,
        ),
        *both(
            rod((-0.22, 1.16, 1.32), (-0.12, 1.16, 1.32), 0.10, WHITE, "left headlight"),
            beam((-0.24, 1.16, 1.00), (-0.24, 1.16, 1.32), 0.06, 0.06, DARK_GREY, "left mast"),
        ),
    ]


def main_body() -> Shape:
    """Link L0: frame, operator's place, power pack."""
    touch = [
        box((3.40, 1.56, 0.70), (-0.50, 0, 0.70)),
        *both(box((2.20, 0.84, 0.70), (-1.35, 0.86, 1.30))),
    ]
    return link("main_body", [hull(), driver(), power_pack()], mass=19_000.0, collision=touch)


CRAWLER = (-1.70, 1.50, 0.42)  # x of the sprocket and the idler, their height [m]
SHOE_RADIUS = 0.36  # of the chain's path round the wheels [m]


def crawler(side: float, name: str) -> Shape:
    """One crawler: frame, sprocket, idler, rollers and the chain of shoes."""
    back, front, z = CRAWLER
    y = 1.15 * side
    out = 0.25 * side  # towards the outer face
    length, turn = front - back, math.pi * SHOE_RADIUS
    shoes = []
    count = 24
    for i in range(count):
        s = (2 * length + 2 * turn) * i / count  # along the chain, from the rear of the top run
        if s < length:
            at, pitch = (back + s, z + SHOE_RADIUS), 0.0
        elif s < length + turn:
            a = (s - length) / SHOE_RADIUS
            at, pitch = (front + SHOE_RADIUS * math.sin(a), z + SHOE_RADIUS * math.cos(a)), a
        elif s < 2 * length + turn:
            at, pitch = (front - (s - length - turn), z - SHOE_RADIUS), math.pi
        else:
            a = (s - 2 * length - turn) / SHOE_RADIUS
            at = (back - SHOE_RADIUS * math.sin(a), z - SHOE_RADIUS * math.cos(a))
            pitch = math.pi + a
        rpy = (0.0, math.remainder(pitch, 2 * math.pi), 0.0)
        shoes.append(box((0.32, 0.54, 0.07), (at[0], y, at[1]), rpy, DARK_GREY, "shoe"))
    rollers = [
        pin((x, y + 0.02 * side, 0.22), 0.13, 0.50, color=STEEL_GREY, name="roller")
        for x in np.linspace(back + 0.45, front - 0.45, 6)
    ]
    wheels = [
        pin((x, y, z), SHOE_RADIUS - 0.03, 0.46, color=color, name=label)
        for x, color, label in ((back, GREY, "sprocket"), (front, GREY, "idler"))
    ]
    hubs = [pin((x, y + out, z), 0.15, 0.08, color=YELLOW, name="hub") for x in (back, front)]
    drive = box((0.60, 0.40, 0.40), (back + 0.45, 0.80 * side, z), color=GREY, name="track drive")
    frame = box(
        (length - 0.85, 0.44, 0.30), ((back + front) / 2, y, 0.46), color=YELLOW, name="track frame"
    )
    touch = [
        box((length, 0.54, 0.78), ((back + front) / 2, y, 0.42)),
        *(pin((x, y, z), SHOE_RADIUS + 0.03, 0.54) for x in (back, front)),
    ]
    return link(name, [frame, wheels, hubs, rollers, drive, shoes], mass=7_500.0, collision=touch)


REAR = (-2.20, 0.0, 0.0)  # origin of the rear frame, on the body


def rear_frame() -> Shape:
    """Frame behind the body: hangs the stabilisers and carries the conveyor's tail."""
    shapes = [
        *both(
            box((1.00, 0.42, 0.66), (-0.42, 0.72, 0.66), color=YELLOW, name="left rear frame"),
            box((0.34, 0.10, 0.92), (-0.53, 0.88, 1.10), color=YELLOW, name="left jack post"),
            lug(
                (JACK_BODY[0] - REAR[0], 1.02, 1.45),
                (-0.53, 1.02, 1.28),
                0.05,
                0.09,
                YELLOW,
                gap=0.14,
            ),
            lug((LEG[0] - REAR[0], 1.02, 0.62), (-0.20, 1.02, 0.62), 0.05, 0.12, YELLOW, gap=0.20),
        ),
        box((0.12, 1.86, 0.34), (-0.10, 0, 0.52), color=YELLOW, name="cross beam"),
        box((0.12, 1.50, 0.30), (-0.86, 0, 0.46), color=YELLOW, name="rear cross beam"),
        *both(rod((-0.93, 0.72, 0.80), (-0.98, 0.72, 0.80), 0.09, RED, "left tail light")),
    ]
    touch = [box((1.0, 1.86, 0.66), (-0.42, 0, 0.66))]
    return link("rear_frame", shapes, mass=2_500.0, collision=touch)


CONVEYOR = ((2.05, 0.42), (0.60, 0.56), (-1.60, 1.02), (-3.10, 1.24), (-5.20, 1.52))


def conveyor() -> Shape:
    """Scraper conveyor through the middle: troughs, chains, flights, tail drive."""
    shapes: list[Shape] = []
    for (x0, z0), (x1, z1) in itertools.pairwise(CONVEYOR):
        shapes.append(beam((x0, 0, z0), (x1, 0, z1), 0.62, 0.10, STEEL_GREY, "trough"))
        if x1 < 0.0:  # side walls where it leaves the hull
            wall = beam(
                (x0, 0.34, z0 + 0.12), (x1, 0.34, z1 + 0.12), 0.05, 0.38, YELLOW, "left trough wall"
            )
            shapes += both(wall)
    xs, zs = np.array(CONVEYOR).T
    for x in np.arange(-5.0, -0.3, 0.45):
        z = float(np.interp(x, xs[::-1], zs[::-1])) + 0.075
        shapes.append(box((0.07, 0.58, 0.06), (x, 0, z), color=DARK_GREY, name="flight"))
    for (x0, z0), (x1, z1) in itertools.pairwise(CONVEYOR[1:]):
        shapes += both(
            beam((x0, 0.16, z0 + 0.065), (x1, 0.16, z1 + 0.065), 0.04, 0.04, BLACK, "left chain")
        )
    x, z = CONVEYOR[-1]
    shapes += [
        pin((x, 0, z + 0.04), 0.15, 0.72, color=DARK_GREY, name="tail shaft"),
        *both(pin((x + 0.05, 0.56, z + 0.04), 0.17, 0.40, color=ORANGE, name="left tail motor")),
        *both(beam((-3.05, 0.42, 0.80), (-4.00, 0.42, 1.30), 0.08, 0.12, YELLOW, "left tail stay")),
    ]
    touch = [beam((-1.60, 0, 1.05), (-5.20, 0, 1.55), 0.74, 0.40)]
    return link("conveyor", shapes, mass=4_000.0, collision=touch)


# ---------------------------------------------------------------------------------------------
# The cutting boom
# ---------------------------------------------------------------------------------------------


def turret() -> Shape:
    """Link L1, the arm base: slewing table, cheeks with the boom foot pin, cylinder brackets."""
    x, _, z = BOOM
    shapes = [
        rod((0, 0, 0.0), (0, 0, 0.14), 0.62, DARK_GREY, "slewing table"),
        box((0.86, 1.00, 0.34), (-0.05, 0, 0.28), color=ORANGE, name="arm base"),
        *both(
            box((0.80, 0.12, 0.52), (0.05, 0.48, 0.50), color=ORANGE, name="left cheek"),
            pin((x, 0.49, z), 0.22, 0.15, color=ORANGE, name="left boom bearing"),
            beam((0.36, 0.43, 0.42), (0.42, 0.43, -0.38), 0.07, 0.34, ORANGE, "left apron"),
            lug(LIFT_TURRET, (0.34, 0.52, -0.10), 0.05, 0.11, ORANGE, gap=0.16),
            lug(SLEW_TURRET, (0.12, 0.44, 0.20), 0.10, 0.12, DARK_GREY, axis=Z),
            capsule((-0.40, 0.20, 0.46), (0.30, 0.20, 0.86), 0.035, BLACK, "left hose", 0.0),
            capsule((-0.40, 0.20, 0.46), (-0.75, 0.24, 0.12), 0.035, BLACK, "left hose", 0.0),
        ),
        box((0.16, 0.86, 0.40), (-0.36, 0, 0.52), color=ORANGE, name="back plate"),
    ]
    touch = [box((0.86, 1.10, 0.70), (0.0, 0, 0.40))]
    return link("turret", shapes, mass=6_000.0, collision=touch)


def boom() -> Shape:
    """Link L2, the supporting arm: foot, motor housing, sleeve of the telescopic arm."""
    shapes = [
        pin((0, 0, 0), 0.26, 0.80, color=YELLOW, name="boom foot"),
        pin((0, 0, 0), 0.11, 1.22, color=CHROME, name="boom pin"),
        beam((0, 0, 0), (0.70, 0, 0.02), 0.76, 0.50, YELLOW, "boom root"),
        box((0.95, 0.84, 0.74), (1.00, 0, 0.02), color=YELLOW, name="supporting arm"),
        box((0.70, 0.60, 0.10), (0.80, 0, 0.43), color=WHITE, name="cutting motor cover"),
        rod((1.45, 0, 0), (1.70, 0, 0), 0.47, YELLOW, "sleeve flange", end_radius=0.42),
        rod((1.70, 0, 0), (2.45, 0, 0), 0.40, YELLOW, "telescope sleeve", 0.6),
        rod((2.37, 0, 0), (2.47, 0, 0), 0.45, DARK_GREY, "front collar"),
        *both(
            lug(LIFT_BOOM, (1.30, 0.52, 0.0), 0.05, 0.12, YELLOW, gap=0.16),
            beam((1.02, 0.47, -0.08), (1.48, 0.47, -0.08), 0.12, 0.34, YELLOW, "left lug base"),
            capsule((0.10, 0.22, 0.32), (1.40, 0.30, 0.42), 0.03, BLACK, "left hose", 0.0),
        ),
        *lug(TELE_BOOM, (1.16, 0, 0.36), 0.05, 0.08, YELLOW, gap=0.10),
        *(
            rod((x, 0.36 * s, 0.30), (x + 0.06, 0.36 * s, 0.30), 0.05, WHITE, "spray lamp", 0.0)
            for x in (1.48,)
            for s in (1, -1)
        ),
    ]
    touch = [
        box((1.50, 0.84, 0.74), (0.72, 0, 0.02)),
        rod((1.45, 0, 0), (2.45, 0, 0), 0.42),
    ]
    return link("boom", shapes, mass=7_000.0, collision=touch)


def cutter_head() -> Shape:
    """Link L3: the telescopic arm up to the drum's bearing; it does not spin."""
    shapes = [
        rod((-2.50, 0, 0), (-0.95, 0, 0), 0.31, CHROME, "telescopic arm", 0.7),
        rod((-0.98, 0, 0), (-0.62, 0, 0), 0.42, YELLOW, "head bearing", end_radius=0.36),
        rod((-1.06, 0, 0), (-0.98, 0, 0), 0.45, DARK_GREY, "spray ring"),
        rod((-0.62, 0, 0), (0.30, 0, 0), 0.18, DARK_GREY, "drum shaft"),
        *lug(TELE_HEAD, (-0.82, 0, 0.34), 0.05, 0.08, YELLOW, gap=0.09),
        *(
            rod(
                (-0.98, 0.40 * math.cos(a), 0.40 * math.sin(a)),
                (-0.90, 0.42 * math.cos(a), 0.42 * math.sin(a)),
                0.03,
                RED,
                "nozzle",
                0.0,
            )
            for a in np.radians((30, 150, 210, 270, 330))
        ),
    ]
    touch = [rod((-2.30, 0, 0), (-0.62, 0, 0), 0.38)]
    return link("cutter_head", shapes, mass=4_500.0, collision=touch)


# Profile of the cutting drum: (x, radius) from its back to its nose [m].
PROFILE = ((-0.56, 0.44), (-0.40, 0.48), (0.05, 0.43), (0.38, 0.30), (0.55, 0.14))


def cutting_drum() -> Shape:
    """The spinning conical drum with spirals of point-attack picks."""
    xs, radii = np.array(PROFILE).T
    shapes = [
        rod((x0, 0, 0), (x1, 0, 0), r0, STEEL_GREY, "drum", 0.6, end_radius=r1)
        for (x0, r0), (x1, r1) in itertools.pairwise(PROFILE)
    ]
    shapes.append(sphere((0.55, 0, 0), 0.14, STEEL_GREY, "nose"))
    starts, per_start = 5, 10
    for s in range(starts):
        for i in range(per_start):
            t = i / (per_start - 1)
            x = -0.50 + 1.00 * t
            r = float(np.interp(x, xs, radii))
            angle = 2 * math.pi * (s / starts + 0.75 * t)
            lean = 0.25 + 0.9 * t**2  # picks lean to the front towards the nose
            outward = np.array([0.0, math.cos(angle), math.sin(angle)])
            tangent = np.array([0.0, -math.sin(angle), math.cos(angle)])
            way = outward * math.cos(lean) + np.array([1.0, 0, 0]) * math.sin(lean) + 0.35 * tangent
            way /= np.linalg.norm(way)
            base = np.array([x, 0, 0]) + outward * (r - 0.03)
            shapes.append(cone(base, base + way * 0.21, 0.052, CARBIDE, "pick"))
    for a in np.radians((45, 165, 285)):  # three picks on the nose
        base = np.array([0.62, 0.06 * math.cos(a), 0.06 * math.sin(a)])
        tip = base + np.array([0.13, 0.05 * math.cos(a), 0.05 * math.sin(a)])
        shapes.append(cone(base, tip, 0.034, CARBIDE, "nose pick"))
    touch = [rod((-0.56, 0, 0), (0.66, 0, 0), 0.60, end_radius=0.26)]
    return link("cutting_drum", shapes, mass=2_600.0, collision=touch)


# ---------------------------------------------------------------------------------------------
# Loading and standing
# ---------------------------------------------------------------------------------------------

STAR = (1.12, 0.78, -0.10)  # left gathering arm's axis on the shovel plate [m]


def shovel_plate() -> Shape:
    """Link L4, the loading apron: sloping plate, side walls, throat to the conveyor, arms."""
    back, front = (0.30, 0.0, 0.10), (2.00, 0.0, -0.36)
    shapes = [
        plate(back, front, 2.96, 0.07, STEEL_GREY, "shovel plate", below=True),
        plate((1.92, 0, -0.345), (2.12, 0, -0.372), 3.04, 0.035, DARK_GREY, "lip"),
        box((0.12, 1.96, 0.30), (0.32, 0, -0.06), color=YELLOW, name="back beam"),
        *both(
            beam((0.30, 1.46, 0.16), (1.95, 1.46, -0.28), 0.08, 0.26, YELLOW, "left side wall"),
            beam(
                (0.32, 0.96, 0.14), (0.32, 1.48, 0.14), 0.08, 0.30, YELLOW, "left back wall", side=X
            ),
            beam(
                (0.36, 0.38, 0.16),
                (0.36, 0.96, 0.16),
                0.08,
                0.22,
                YELLOW,
                "left throat wall",
                side=X,
            ),
            beam((0, 0.78, 0), (0.66, 0.78, -0.06), 0.12, 0.20, YELLOW, "left hinge arm"),
            pin((0, 0.78, 0), 0.14, 0.14, color=YELLOW, name="left hinge eye"),
            lug(APRON_PLATE, (0.60, 0.78, -0.10), 0.04, 0.09, YELLOW, gap=0.14),
            pin(
                STAR,
                0.40,
                0.10,
                (math.sin(APRON_SLOPE), 0, math.cos(APRON_SLOPE)),
                YELLOW,
                "left star seat",
            ),
        ),
        beam((-0.10, 0, 0.08), (1.30, 0, -0.13), 0.58, 0.05, DARK_GREY, "throat"),
        *(
            box((0.06, 0.52, 0.05), (x, 0, 0.10 - 0.155 * x), (0, 0.15, 0), BLACK, "flight")
            for x in (0.15, 0.50, 0.85, 1.20)
        ),
        pin((1.32, 0, -0.12), 0.10, 0.60, color=DARK_GREY, name="return shaft"),
    ]
    touch = [beam((0.25, 0, 0.08), (2.05, 0, -0.40), 2.96, 0.12)]
    return link("shovel_plate", shapes, mass=5_500.0, collision=touch)


def gathering_arm(name: str, sense: float) -> Shape:
    """A spinning loading star: hub, disc and six swept arms, mirrored by `sense`."""
    shapes = [
        rod((0, 0, 0.04), (0, 0, 0.12), 0.34, ORANGE, "disc"),
        rod((0, 0, 0.12), (0, 0, 0.22), 0.15, DARK_GREY, "hub", end_radius=0.10),
    ]
    for i in range(6):
        a = sense * 2 * math.pi * i / 6
        b = a - sense * 0.24  # the outer half of an arm trails behind
        p0 = (0.14 * math.cos(a), 0.14 * math.sin(a), 0.14)
        p1 = (0.44 * math.cos(a), 0.44 * math.sin(a), 0.14)
        p2 = (0.64 * math.cos(b), 0.64 * math.sin(b), 0.14)
        shapes.append(beam(p0, p1, 0.12, 0.11, ORANGE, "gathering arm", side=_level(p0, p1)))
        shapes.append(beam(p1, p2, 0.10, 0.10, DARK_GREY, "finger", side=_level(p1, p2)))
    return link(name, shapes, mass=380.0, collision=[rod((0, 0, 0.05), (0, 0, 0.19), 0.62)])


def _level(a: Point, b: Point) -> Point:
    """Direction across a -> b in the plane z = const."""
    d = np.subtract(b, a)
    return (-float(d[1]), float(d[0]), 0.0)


def stabiliser(name: str) -> Shape:
    """Links L5 and L6: a leg hinged at the rear with its foot plate."""
    shapes = [
        pin((0, 0, 0), 0.13, 0.18, color=ORANGE, name="leg eye"),
        beam((0, 0, 0), (-0.95, 0, -0.06), 0.16, 0.22, ORANGE, "leg"),
        *lug((JACK_LEG[0], 0.0, 0.0), (-0.75, 0, -0.08), 0.04, 0.10, ORANGE, gap=0.14),
        beam((-0.95, 0, 0.02), (-0.95, 0, -0.28), 0.20, 0.18, ORANGE, "shank"),
        box((0.56, 0.46, 0.06), (-0.95, 0, -0.28), color=DARK_GREY, name="foot plate"),
        *(
            box((0.06, 0.46, 0.05), (x, 0, -0.32), color=DARK_GREY, name="grouser")
            for x in (-1.15, -0.95, -0.75)
        ),
    ]
    touch = [box((0.56, 0.46, 0.08), (-0.95, 0, -0.30))]
    return link(name, shapes, mass=520.0, collision=touch)


# ---------------------------------------------------------------------------------------------
# Kinematics
# ---------------------------------------------------------------------------------------------


def cylinders() -> list[Cylinder]:
    """The nine cylinders A0 to A8; the strokes follow from the joints' ranges."""
    slew = strokes(SLEW, SLEW_BODY, SLEW_TURRET, (-SLEW_RANGE, SLEW_RANGE), Z)
    lift = strokes(BOOM, LIFT_TURRET, LIFT_BOOM, BOOM_RANGE, UP)
    tele = HEAD[0] + TELE_HEAD[0] - TELE_BOOM[0]
    apron = strokes(APRON, APRON_BODY, APRON_PLATE, APRON_RANGE, UP)
    hinge = strokes(LEG, JACK_BODY, JACK_LEG, LEG_RANGE, UP)
    paint = {"color": YELLOW}
    jack = {"bore": 0.14, "pressure": 25e6, "speed": 0.04, "acceleration": 0.3, **paint}
    return [
        *with_play(
            pair(
                "slew",
                "main_body",
                "turret",
                SLEW_BODY,
                SLEW_TURRET,
                *slew,
                group="slew",
                bore=0.18,
                pressure=25e6,
                speed=0.06,
                acceleration=0.3,
                axis=Z,
                **paint,
            )
        ),
        *with_play(
            pair(
                "boom",
                "turret",
                "boom",
                LIFT_TURRET,
                LIFT_BOOM,
                *lift,
                group="boom",
                bore=0.18,
                pressure=25e6,
                speed=0.06,
                acceleration=0.3,
                **paint,
            )
        ),
        cylinder(
            "telescope",
            "boom",
            "cutter_head",
            TELE_BOOM,
            TELE_HEAD,
            tele + TELE_RANGE[0],
            tele + TELE_RANGE[1],
            group="telescope",
            bore=0.125,
            pressure=25e6,
            speed=0.05,
            acceleration=0.3,
            **paint,
        ),
        *with_play(
            pair(
                "apron",
                "main_body",
                "shovel_plate",
                APRON_BODY,
                APRON_PLATE,
                *apron,
                group="shovel_plate",
                **jack,
            )
        ),
        cylinder(
            "stabiliser_left_jack",
            "main_body",
            "stabiliser_left",
            JACK_BODY,
            JACK_LEG,
            *hinge,
            group="stabiliser_left",
            **jack,
        ),
        cylinder(
            "stabiliser_right_jack",
            "main_body",
            "stabiliser_right",
            (JACK_BODY[0], -JACK_BODY[1], JACK_BODY[2]),
            JACK_LEG,
            *hinge,
            group="stabiliser_right",
            **jack,
        ),
    ]


def joints() -> list[Shape]:
    """Main joints; limits stand a hundredth of a radian (5 mm) outside the strokes' ends."""
    slack = 0.01

    def wide(ends: tuple[float, float], by: float = slack) -> tuple[float, float]:
        return round(ends[0] - by, 4), round(ends[1] + by, 4)

    right = (LEG[0], -LEG[1], LEG[2])
    tilt = (0.0, APRON_SLOPE, 0.0)
    still = {"axis": None}
    return [
        revolute(
            "slewing",
            "main_body",
            "turret",
            SLEW,
            axis=Z,
            limit=wide((-SLEW_RANGE, SLEW_RANGE)),
            damping=2_000.0,
        ),
        revolute(
            "pitching", "turret", "boom", BOOM, axis=UP, limit=wide(BOOM_RANGE), damping=2_000.0
        ),
        joint(
            "telescoping",
            "boom",
            "cutter_head",
            "prismatic",
            HEAD,
            axis=X,
            limit=wide(TELE_RANGE, 0.005),
            damping=5_000.0,
        ),
        revolute(
            "apron_hinge",
            "main_body",
            "shovel_plate",
            APRON,
            axis=UP,
            limit=wide(APRON_RANGE),
            damping=1_000.0,
        ),
        revolute(
            "stabiliser_left_hinge",
            "main_body",
            "stabiliser_left",
            LEG,
            axis=UP,
            limit=wide(LEG_RANGE),
            damping=500.0,
        ),
        revolute(
            "stabiliser_right_hinge",
            "main_body",
            "stabiliser_right",
            right,
            axis=UP,
            limit=wide(LEG_RANGE),
            damping=500.0,
        ),
        joint("cutting", "cutter_head", "cutting_drum", "continuous", axis=X, damping=50.0),
        joint(
            "gathering_left_spin",
            "shovel_plate",
            "gathering_arm_left",
            "continuous",
            STAR,
            axis=Z,
            rpy=tilt,
            damping=20.0,
        ),
        joint(
            "gathering_right_spin",
            "shovel_plate",
            "gathering_arm_right",
            "continuous",
            (STAR[0], -STAR[1], STAR[2]),
            axis=Z,
            rpy=tilt,
            damping=20.0,
        ),
        joint("rear_frame_bolts", "main_body", "rear_frame", "fixed", REAR, **still),
        joint("conveyor_bolts", "main_body", "conveyor", "fixed", **still),
        joint("crawler_left_bolts", "main_body", "crawler_left", "fixed", **still),
        joint("crawler_right_bolts", "main_body", "crawler_right", "fixed", **still),
    ]


def provenance() -> list[Shape]:
    """Where the figures come from."""
    return [
        source(
            "envelope",
            "estimated",
            "sized after the EBZ160-class outline (length 10.4 m, apron 3.0 m, body 2.3 m wide; "
            "a weak figure) and stretched to the 230-kW class; no drawing was used",
        ),
        source(
            "pins, strokes and joint ranges",
            "estimated",
            "no cylinder data of this class are public; pins placed so that every stroke is "
            "over a quarter of the closed length and no cylinder comes within 15 degrees of "
            "its hinge's dead centre",
        ),
        source(
            "masses and inertias",
            "estimated",
            "from the shapes' volumes, scaled link by link to a total of about 70 t",
        ),
        source(
            "bores, forces and speeds",
            "estimated",
            "standard bores at 25 MPa; force = piston area times pressure",
        ),
        source(
            "cutting motor", "estimated", "230 kW from the class name at an assumed 46 rpm: 48 kN m"
        ),
        source("gathering motors", "estimated", "18 kW each at 30 rpm"),
    ]


def build() -> Shape:
    """The roadheader as a canonical MRDF dict."""
    home = {
        "slewing": 0.0,
        "pitching": 0.12,
        "telescoping": 0.15,
        "apron_hinge": 0.0,
        "stabiliser_left_hinge": 0.0,
        "stabiliser_right_hinge": 0.0,
        "cutting": 0.0,
        "gathering_left_spin": 0.0,
        "gathering_right_spin": 0.0,
    }
    links = [
        main_body(),
        turret(),
        boom(),
        cutter_head(),
        shovel_plate(),
        stabiliser("stabiliser_left"),
        stabiliser("stabiliser_right"),
        cutting_drum(),
        gathering_arm("gathering_arm_left", 1.0),
        gathering_arm("gathering_arm_right", -1.0),
        rear_frame(),
        conveyor(),
        crawler(1.0, "crawler_left"),
        crawler(-1.0, "crawler_right"),
    ]
    motors = [
        motor("cutting_motor", "cutting", 48_000.0, 4.8),
        motor("gathering_left_motor", "gathering_left_spin", 5_700.0, 3.14),
        motor("gathering_right_motor", "gathering_right_spin", 5_700.0, 3.14),
    ]
    return robot(
        "roadheader",
        "roadheader",
        "cutter_head",
        home,
        links,
        joints(),
        cylinders(),
        motors,
        provenance(),
    )


if __name__ == "__main__":
    write(build(), FILE)
