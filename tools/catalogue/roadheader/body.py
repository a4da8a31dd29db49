"""The roadheader's main body: frame, operator's place, power pack; and the rear frame."""

from __future__ import annotations

import kit as k
import numpy as np
from vehicles import levers, posts

from headframe.description import Link

from . import pins


def hull() -> k.Shapes:
    """Shape frame, slewing pedestal, decks and the nose plates of the apron's jacks."""
    return [
        k.box((3.40, 1.56, 0.50), (-0.50, 0, 0.60), k.YELLOW, "main frame"),
        k.box((0.60, 1.20, 0.16), (0.98, 0, 0.88), k.YELLOW, "pedestal"),
        k.rod((1.30, 0, 0.62), (1.30, 0, 0.99), 0.50, k.DARK_GREY, "slewing bearing"),
        k.both(
            k.box((2.70, 0.92, 0.10), (-1.05, 0.87, 0.95), k.YELLOW, "left deck"),
            k.box((1.55, 0.56, 0.05), (1.05, 1.15, 0.945), k.YELLOW, "left fender"),
            k.beam((1.86, 1.15, 0.92), (2.08, 1.15, 0.62), 0.56, 0.04, k.YELLOW, "left fender tip"),
            k.box((1.00, 0.07, 0.30), (1.52, 0.78, 0.90), k.YELLOW, "left nose plate"),
            k.box((0.90, 0.07, 0.46), (1.48, 0.70, 0.44), k.YELLOW, "left hinge plate"),
        ),
        k.both(
            k.lug(pins.SLEW_BODY, (pins.SLEW_BODY[0] - 0.02, 0.85, 0.98), 0.30, 0.11, k.DARK_GREY)
        ),
        k.pin(pins.APRON, 0.09, 1.72, k.DARK_GREY, "apron hinge"),
    ]


def driver() -> k.Shapes:
    """Shape the operator's place on the left: seat, console, canopy on four posts."""
    return [
        posts((-0.42, -1.58), (0.50, 1.26), (1.00, 2.16), 0.06, k.ORANGE, "canopy post"),
        k.box((1.36, 0.92, 0.06), (-1.00, 0.88, 2.19), k.ORANGE, "canopy"),
        k.box((0.48, 0.50, 0.14), (-1.16, 0.86, 1.28), k.RUBBER, "seat"),
        k.box((0.12, 0.50, 0.58), (-1.42, 0.86, 1.56), k.RUBBER, "backrest", rpy=(0, -0.15, 0)),
        k.box((0.36, 0.40, 0.22), (-1.16, 0.86, 1.11), k.DARK_GREY, "seat box"),
        k.box((0.24, 0.62, 0.42), (-0.60, 0.86, 1.21), k.LIGHT_GREY, "console"),
        levers((-0.62, 1.42), (-0.68, 1.62), 0.016, (0.72, 0.82, 0.92, 1.02)),
    ]


def power_pack() -> k.Shapes:
    """Shape tank, pump motor and valves on the right, control cabinet on the left."""
    fins = [
        k.box((0.03, 0.62, 0.40), (-1.66 - 0.15 * i, -0.86, 1.24), k.GREY, "motor fin")
        for i in range(4)
    ]
    return [
        k.box((1.20, 0.84, 0.62), (-0.92, -0.86, 1.31), k.ORANGE, "hydraulic tank"),
        k.rod((-0.60, -0.86, 1.60), (-0.60, -0.86, 1.70), 0.10, k.DARK_GREY, "filler cap"),
        k.box((0.02, 0.10, 0.34), (-0.31, -0.70, 1.32), k.GLASS, "oil gauge", 0.0),
        k.rod((-1.54, -0.86, 1.26), (-2.24, -0.86, 1.26), 0.27, k.STEEL_GREY, "pump motor"),
        *fins,
        k.rod((-2.24, -0.86, 1.26), (-2.40, -0.86, 1.26), 0.20, k.BLACK, "pump"),
        k.box((0.30, 0.50, 0.26), (-0.10, -0.62, 1.12), k.DARK_GREY, "valve block"),
        k.box((0.78, 0.84, 0.68), (-2.06, 0.86, 1.34), k.WHITE, "control cabinet"),
        k.box((0.30, 0.02, 0.40), (-2.25, 1.285, 1.36), k.RED, "left door", 0.0),
        k.box((0.30, 0.02, 0.40), (-1.87, 1.285, 1.36), k.LIGHT_GREY, "right door", 0.0),
        k.both(
            k.rod((-0.22, 1.16, 1.32), (-0.12, 1.16, 1.32), 0.10, k.WHITE, "left headlight"),
            k.beam((-0.24, 1.16, 1.00), (-0.24, 1.16, 1.32), 0.06, 0.06, k.DARK_GREY, "left mast"),
        ),
    ]


def main_body() -> Link:
    """Make the main body."""
    touch: k.Shapes = [
        k.box((3.40, 1.56, 0.70), (-0.50, 0, 0.70)),
        k.both(k.box((2.20, 0.84, 0.70), (-1.35, 0.86, 1.30))),
    ]
    return k.link("main_body", [hull(), driver(), power_pack()], mass=19_000.0, collision=touch)


def rear_frame() -> Link:
    """Make the frame behind the body, which hangs the stabilisers."""
    jack, leg = np.subtract(pins.JACK_BODY, pins.REAR), np.subtract(pins.LEG, pins.REAR)
    shapes: k.Shapes = [
        k.both(
            k.box((1.00, 0.42, 0.66), (-0.42, 0.72, 0.66), k.YELLOW, "left rear frame"),
            k.box((0.34, 0.10, 0.92), (-0.53, 0.88, 1.10), k.YELLOW, "left jack post"),
            k.lug(jack, (-0.53, 1.02, 1.28), 0.05, 0.09, k.YELLOW, gap=0.14),
            k.lug(leg, (-0.20, 1.02, 0.62), 0.05, 0.12, k.YELLOW, gap=0.20),
        ),
        k.box((0.12, 1.86, 0.34), (-0.10, 0, 0.52), k.YELLOW, "cross beam"),
        k.box((0.12, 1.50, 0.30), (-0.86, 0, 0.46), k.YELLOW, "rear cross beam"),
        k.both(k.rod((-0.93, 0.72, 0.80), (-0.98, 0.72, 0.80), 0.09, k.RED, "left tail light")),
    ]
    touch = [k.box((1.0, 1.86, 0.66), (-0.42, 0, 0.66))]
    return k.link("rear_frame", shapes, mass=2_500.0, collision=touch)
