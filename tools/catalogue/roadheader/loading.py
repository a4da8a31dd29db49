"""What loads and steadies the roadheader: shovel plate, gathering arms, stabilisers."""

from __future__ import annotations

import math

import kit as k
import numpy as np

from headframe.description import Link

from . import pins


def shovel_plate() -> Link:
    """Make the loading apron: sloping plate, side walls, throat to the conveyor."""
    back, front = (0.30, 0.0, 0.10), (2.00, 0.0, -0.36)
    normal = (math.sin(pins.APRON_SLOPE), 0, math.cos(pins.APRON_SLOPE))
    shapes: k.Shapes = [
        k.plate(back, front, 2.96, 0.07, k.STEEL_GREY, "shovel plate", below=True),
        k.plate((1.92, 0, -0.345), (2.12, 0, -0.372), 3.04, 0.035, k.DARK_GREY, "lip"),
        k.box((0.12, 1.96, 0.30), (0.32, 0, -0.06), k.YELLOW, "back beam"),
        k.both(
            k.beam((0.30, 1.46, 0.16), (1.95, 1.46, -0.28), 0.08, 0.26, k.YELLOW, "left side wall"),
            cross_wall(0.32, (0.96, 1.48), 0.14, 0.30, "left back wall"),
            cross_wall(0.36, (0.38, 0.96), 0.16, 0.22, "left throat wall"),
            k.beam((0, 0.78, 0), (0.66, 0.78, -0.06), 0.12, 0.20, k.YELLOW, "left hinge arm"),
            k.pin((0, 0.78, 0), 0.14, 0.14, k.YELLOW, "left hinge eye"),
            k.lug(pins.APRON_PLATE, (0.60, 0.78, -0.10), 0.04, 0.09, k.YELLOW, gap=0.14),
            k.pin(pins.STAR, 0.40, 0.10, k.YELLOW, "left star seat", axis=normal),
        ),
        k.beam((-0.10, 0, 0.08), (1.30, 0, -0.13), 0.58, 0.05, k.DARK_GREY, "throat"),
        *(
            k.box((0.06, 0.52, 0.05), (x, 0, 0.10 - 0.155 * x), k.BLACK, "flight", rpy=(0, 0.15, 0))
            for x in (0.15, 0.50, 0.85, 1.20)
        ),
        k.pin((1.32, 0, -0.12), 0.10, 0.60, k.DARK_GREY, "return shaft"),
    ]
    touch = [k.beam((0.25, 0, 0.08), (2.05, 0, -0.40), 2.96, 0.12)]
    return k.link("shovel_plate", shapes, mass=5_500.0, collision=touch)


def cross_wall(x: float, ys: tuple[float, float], z: float, height: float, name: str) -> k.Shape:
    """Shape a wall of the shovel plate that runs along y [m]."""
    start, end = ((x, y, z) for y in ys)
    return k.beam(start, end, 0.08, height, k.YELLOW, name, side=k.X)


def gathering_arm(name: str, sense: float) -> Link:
    """Make a spinning loading star: hub, disc and six swept arms.

    Args:
        name: The link's name.
        sense: 1 for the left one, -1 for its mirror image.
    """
    shapes = [
        k.rod((0, 0, 0.04), (0, 0, 0.12), 0.34, k.ORANGE, "disc"),
        k.rod((0, 0, 0.12), (0, 0, 0.22), 0.15, k.DARK_GREY, "hub", end_radius=0.10),
    ]
    for i in range(6):
        a = sense * 2 * math.pi * i / 6
        b = a - sense * 0.24  # the outer half of an arm trails behind
        p0, p1, p2 = (
            (radius * math.cos(angle), radius * math.sin(angle), 0.14)
            for radius, angle in ((0.14, a), (0.44, a), (0.64, b))
        )
        shapes.append(k.beam(p0, p1, 0.12, 0.11, k.ORANGE, "gathering arm", side=_level(p0, p1)))
        shapes.append(k.beam(p1, p2, 0.10, 0.10, k.DARK_GREY, "finger", side=_level(p1, p2)))
    return k.link(name, shapes, mass=380.0, collision=[k.rod((0, 0, 0.05), (0, 0, 0.19), 0.62)])


def _level(a: k.Point, b: k.Point) -> k.Point:
    """Give the level direction across the way from `a` to `b`."""
    d = np.subtract(b, a)
    return (-d[1], d[0], 0.0)


def stabiliser(name: str) -> Link:
    """Make a leg that hinges at the rear, with its foot plate."""
    shapes: k.Shapes = [
        k.pin((0, 0, 0), 0.13, 0.18, k.ORANGE, "leg eye"),
        k.beam((0, 0, 0), (-0.95, 0, -0.06), 0.16, 0.22, k.ORANGE, "leg"),
        k.lug((pins.JACK_LEG[0], 0.0, 0.0), (-0.75, 0, -0.08), 0.04, 0.10, k.ORANGE, gap=0.14),
        k.beam((-0.95, 0, 0.02), (-0.95, 0, -0.28), 0.20, 0.18, k.ORANGE, "shank"),
        k.box((0.56, 0.46, 0.06), (-0.95, 0, -0.28), k.DARK_GREY, "foot plate"),
        *(
            k.box((0.06, 0.46, 0.05), (x, 0, -0.32), k.DARK_GREY, "grouser")
            for x in (-1.15, -0.95, -0.75)
        ),
    ]
    touch = [k.box((0.56, 0.46, 0.08), (-0.95, 0, -0.30))]
    return k.link(name, shapes, mass=520.0, collision=touch)
