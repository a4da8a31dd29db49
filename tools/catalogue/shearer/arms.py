"""The shearer's ranging arms, with hubs and drums."""

from __future__ import annotations

import math

import kit as k
import numpy as np

from headframe.description import Link

from . import pins

DRUM_RADIUS, BARREL_RADIUS, VANE_RADIUS, DRUM_WIDTH = 0.90, 0.46, 0.75, 0.80  # [m]


def ranging_arm(name: str, side: float) -> Link:
    """Make a ranging arm: gear case from the hinge to the drum, motor, jack levers.

    Args:
        name: The link's name.
        side: 1 for the left one, -1 for the right one.
    """
    x, end = 0.44, pins.HUB[1]

    def p(a: float, b: float, c: float) -> k.Point:
        return (a, side * b, c)

    def jack_lever(at: float) -> list[k.Shape]:
        eye = p(at, *pins.LIFT_ARM[1:])
        return [
            k.beam(p(at, -0.02, -0.10), eye, 0.12, 0.30, k.YELLOW, "lever", side=k.X),
            k.pin(eye, 0.12, 0.12, k.YELLOW, "lever eye", axis=k.X),
        ]

    shapes: k.Shapes = [
        k.pin(p(x, 0, 0), 0.44, 0.56, k.YELLOW, "arm root", axis=k.X),
        k.beam(p(x, 0, 0), p(x, end, 0), 0.52, 0.66, k.YELLOW, "ranging arm", side=k.X),
        k.beam(p(x, 0.45, 0), p(x, end - 0.55, 0), 0.60, 0.42, k.YELLOW, "gear case rib", side=k.X),
        k.pin(p(x, end, 0), 0.44, 0.56, k.YELLOW, "planetary gear", axis=k.X),
        k.pin(p(0.10, 0.0, 0), 0.36, 0.50, k.WHITE, "cutting motor", axis=k.X),
        k.pin(p(-0.20, 0.0, 0), 0.26, 0.10, k.DARK_GREY, "motor cover", axis=k.X),
        jack_lever(pins.LIFT_BODY[0] + 0.16),
        jack_lever(pins.LIFT_BODY[0] - 0.16),
        jack_lever(-pins.LIFT_BODY[0] - 0.14),
        k.pin(p(0.0, -0.06, -0.20), 0.12, 0.80, k.YELLOW, "lever shaft", axis=k.X),
        *(
            k.pin(p(x + 0.29, b, 0), 0.22, 0.06, k.GREY, "gear cover", axis=k.X)
            for b in (0.65, 1.15, 1.65)
        ),
        *(
            k.pin(p(x - 0.29, b, 0), 0.17, 0.05, k.GREY, "inspection cover", axis=k.X)
            for b in (0.70, 1.30, 1.90)
        ),
        k.hose(p(0.20, 0.2, 0.36), p(0.20, 2.1, 0.36), 0.035, "water hose"),
    ]
    touch = [k.beam(p(x, -0.3, 0), p(x, end + 0.3, 0), 0.56, 0.75, side=k.X)]
    return k.link(name, shapes, mass=8_500.0, collision=touch)


def hub(name: str, side: float) -> Link:
    """Make the drum's bearing at the arm's end with the loading cowl; it does not spin.

    Args:
        name: The link's name.
        side: 1 for the left one, -1 for the right one.
    """
    back = -pins.HUB[0] + 0.72  # inner face of the hub, on the arm's gear case
    shapes = [
        k.rod((back, 0, 0), (0.20, 0, 0), 0.30, k.DARK_GREY, "hub"),
        k.rod((back, 0, 0), (back + 0.08, 0, 0), 0.42, k.GREY, "flange"),
    ]

    def inwards(x: float, radius: float, angle: float) -> k.Point:
        return (x, -side * radius * math.cos(angle), radius * math.sin(angle))

    # Loading cowl: plates round the drum's side that faces the body.
    radius, steps = DRUM_RADIUS + 0.12, 4
    for i in range(steps):
        a = math.radians(-52 + 26 * (i + 0.5))
        at, rpy = inwards(0.16, radius, a), (-side * a, 0, 0)
        shapes.append(k.box((0.62, 0.05, 0.48), at, k.YELLOW, "loading cowl", rpy=rpy))
    a = math.radians(-26)
    start, end = inwards(back + 0.05, 0.40, a), inwards(-0.12, radius, a)
    shapes.append(k.beam(start, end, 0.20, 0.10, k.YELLOW, "cowl arm"))
    return k.link(name, shapes, mass=1_100.0)


def drum(name: str, sense: float) -> Link:
    """Make a cutting drum along x: barrel, three helical vanes, face ring, picks.

    Args:
        name: The link's name.
        sense: 1 for vanes that turn from y to z towards the face, -1 for the other way.
    """
    half = DRUM_WIDTH / 2
    shapes = [
        k.rod((-half, 0, 0), (half - 0.06, 0, 0), BARREL_RADIUS, k.STEEL_GREY, "barrel", 0.5),
        k.rod((half - 0.10, 0, 0), (half, 0, 0), 0.76, k.GREY, "face ring"),
        k.rod((half, 0, 0), (half + 0.05, 0, 0), 0.30, k.DARK_GREY, "end cap"),
    ]
    starts, steps, wrap = 3, 8, math.radians(150)
    for start in range(starts):
        for i in range(steps):
            t = i / (steps - 1)
            x = -half + 0.05 + (DRUM_WIDTH - 0.20) * t
            shapes += _vane(x, 2 * math.pi * start / starts + sense * wrap * t, sense)
    for i in range(12):
        outward = k.about_x(2 * math.pi * i / 12)
        base = np.array([half - 0.04, 0, 0]) + 0.73 * outward
        tip = base + 0.15 * outward + [0.10 * (i % 2), 0, 0]
        shapes.append(k.cone(base, tip, 0.05, k.CARBIDE, "face pick"))
    touch = [k.rod((-half, 0, 0), (half, 0, 0), DRUM_RADIUS - 0.05)]
    return k.link(name, shapes, mass=4_000.0, collision=touch)


def _vane(x: float, angle: float, sense: float) -> list[k.Shape]:
    """Shape a piece of a vane, which stands radially, and its pick, which leans back."""
    outward = k.about_x(angle)
    axle = np.array([x, 0, 0])
    middle = axle + outward * (BARREL_RADIUS + VANE_RADIUS) / 2
    size = (0.06, VANE_RADIUS - BARREL_RADIUS + 0.04, 0.34)
    base = axle + 0.73 * outward
    tip = base + 0.17 * outward - 0.09 * sense * np.cross(k.X, outward)
    return [
        k.box(size, middle, k.STEEL_GREY, "vane", rpy=(angle, 0.0, 0.0)),
        k.cone(base, tip, 0.055, k.CARBIDE, "pick"),
    ]
