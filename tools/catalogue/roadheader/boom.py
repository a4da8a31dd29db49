"""The roadheader's cutting boom: turret, boom, telescopic arm, drum."""

from __future__ import annotations

import itertools
import math

import kit as k
import numpy as np

from headframe.description import Link

from . import pins

# Profile of the cutting drum: (x, radius) from its back to its nose [m].
PROFILE = ((-0.56, 0.44), (-0.40, 0.48), (0.05, 0.43), (0.38, 0.30), (0.55, 0.14))


def turret() -> Link:
    """Make the arm base: slewing table, cheeks with the boom foot pin, cylinder brackets."""
    x, _, z = pins.BOOM
    shapes: k.Shapes = [
        k.rod((0, 0, 0.0), (0, 0, 0.14), 0.62, k.DARK_GREY, "slewing table"),
        k.box((0.86, 1.00, 0.34), (-0.05, 0, 0.28), k.ORANGE, "arm base"),
        k.both(
            k.box((0.80, 0.12, 0.52), (0.05, 0.48, 0.50), k.ORANGE, "left cheek"),
            k.pin((x, 0.49, z), 0.22, 0.15, k.ORANGE, "left boom bearing"),
            k.beam((0.36, 0.43, 0.42), (0.42, 0.43, -0.38), 0.07, 0.34, k.ORANGE, "left apron"),
            k.lug(pins.LIFT_TURRET, (0.34, 0.52, -0.10), 0.05, 0.11, k.ORANGE, gap=0.16),
            k.lug(pins.SLEW_TURRET, (0.12, 0.44, 0.20), 0.10, 0.12, k.DARK_GREY, axis=k.Z),
            k.hose((-0.40, 0.20, 0.46), (0.30, 0.20, 0.86), 0.035, "left hose"),
            k.hose((-0.40, 0.20, 0.46), (-0.75, 0.24, 0.12), 0.035, "left hose"),
        ),
        k.box((0.16, 0.86, 0.40), (-0.36, 0, 0.52), k.ORANGE, "back plate"),
    ]
    touch = [k.box((0.86, 1.10, 0.70), (0.0, 0, 0.40))]
    return k.link("turret", shapes, mass=6_000.0, collision=touch)


def boom() -> Link:
    """Make the supporting arm: foot, motor housing, sleeve of the telescopic arm."""
    shapes: k.Shapes = [
        k.pin((0, 0, 0), 0.26, 0.80, k.YELLOW, "boom foot"),
        k.pin((0, 0, 0), 0.11, 1.22, k.CHROME, "boom pin"),
        k.beam((0, 0, 0), (0.70, 0, 0.02), 0.76, 0.50, k.YELLOW, "boom root"),
        k.box((0.95, 0.84, 0.74), (1.00, 0, 0.02), k.YELLOW, "supporting arm"),
        k.box((0.70, 0.60, 0.10), (0.80, 0, 0.43), k.WHITE, "cutting motor cover"),
        k.rod((1.45, 0, 0), (1.70, 0, 0), 0.47, k.YELLOW, "sleeve flange", end_radius=0.42),
        k.rod((1.70, 0, 0), (2.45, 0, 0), 0.40, k.YELLOW, "telescope sleeve", 0.6),
        k.rod((2.37, 0, 0), (2.47, 0, 0), 0.45, k.DARK_GREY, "front collar"),
        k.both(
            k.lug(pins.LIFT_BOOM, (1.30, 0.52, 0.0), 0.05, 0.12, k.YELLOW, gap=0.16),
            k.beam((1.02, 0.47, -0.08), (1.48, 0.47, -0.08), 0.12, 0.34, k.YELLOW, "left lug base"),
            k.hose((0.10, 0.22, 0.32), (1.40, 0.30, 0.42), 0.03, "left hose"),
        ),
        k.lug(pins.TELE_BOOM, (1.16, 0, 0.36), 0.05, 0.08, k.YELLOW, gap=0.10),
        k.both(k.rod((1.48, 0.36, 0.30), (1.54, 0.36, 0.30), 0.05, k.WHITE, "spray lamp", 0.0)),
    ]
    touch = [k.box((1.50, 0.84, 0.74), (0.72, 0, 0.02)), k.rod((1.45, 0, 0), (2.45, 0, 0), 0.42)]
    return k.link("boom", shapes, mass=7_000.0, collision=touch)


def cutter_head() -> Link:
    """Make the telescopic arm up to the drum's bearing; it does not spin."""
    shapes: k.Shapes = [
        k.rod((-2.50, 0, 0), (-0.95, 0, 0), 0.31, k.CHROME, "telescopic arm", 0.7),
        k.rod((-0.98, 0, 0), (-0.62, 0, 0), 0.42, k.YELLOW, "head bearing", end_radius=0.36),
        k.rod((-1.06, 0, 0), (-0.98, 0, 0), 0.45, k.DARK_GREY, "spray ring"),
        k.rod((-0.62, 0, 0), (0.30, 0, 0), 0.18, k.DARK_GREY, "drum shaft"),
        k.lug(pins.TELE_HEAD, (-0.82, 0, 0.34), 0.05, 0.08, k.YELLOW, gap=0.09),
        *(
            k.rod((-0.98, *(0.40 * way)), (-0.90, *(0.42 * way)), 0.03, k.RED, "nozzle", 0.0)
            for way in (k.about_x(a)[1:] for a in np.radians((30, 150, 210, 270, 330)))
        ),
    ]
    touch = [k.rod((-2.30, 0, 0), (-0.62, 0, 0), 0.38)]
    return k.link("cutter_head", shapes, mass=4_500.0, collision=touch)


def cutting_drum() -> Link:
    """Make the spinning conical drum with spirals of point-attack picks."""
    shapes = [
        k.rod((x0, 0, 0), (x1, 0, 0), r0, k.STEEL_GREY, "drum", 0.6, end_radius=r1)
        for (x0, r0), (x1, r1) in itertools.pairwise(PROFILE)
    ]
    shapes.append(k.sphere((0.55, 0, 0), 0.14, k.STEEL_GREY, "nose"))
    starts, per_start = 5, 10
    for start in range(starts):
        shapes += [_pick(start / starts, i / (per_start - 1)) for i in range(per_start)]
    for a in np.radians((45, 165, 285)):  # three picks on the nose
        base = np.array([0.62, 0, 0]) + 0.06 * k.about_x(a)
        tip = base + [0.13, 0, 0] + 0.05 * k.about_x(a)
        shapes.append(k.cone(base, tip, 0.034, k.CARBIDE, "nose pick"))
    touch = [k.rod((-0.56, 0, 0), (0.66, 0, 0), 0.60, end_radius=0.26)]
    return k.link("cutting_drum", shapes, mass=2_600.0, collision=touch)


def _pick(start: float, t: float) -> k.Shape:
    """Shape the pick at the share `t` of a spiral that starts at a share of a whole turn."""
    x = -0.50 + t
    radius = np.interp(x, *np.array(PROFILE).T)
    angle = 2 * math.pi * (start + 0.75 * t)
    outward = k.about_x(angle)
    lean = 0.25 + 0.9 * t**2  # picks lean to the front towards the nose
    way = math.cos(lean) * outward + [math.sin(lean), 0, 0] + 0.35 * np.cross(k.X, outward)
    way /= np.linalg.norm(way)
    base = [x, 0, 0] + outward * (radius - 0.03)
    return k.cone(base, base + 0.21 * way, 0.052, k.CARBIDE, "pick")
