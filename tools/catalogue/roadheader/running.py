"""What is bolted to the roadheader's body: crawlers and conveyor."""

from __future__ import annotations

import itertools
import math

import kit as k
import numpy as np

from headframe.description import Link

Ends = tuple[k.Point, k.Point]

CRAWLER = (-1.70, 1.50, 0.42)  # x of the sprocket and the idler, their height [m]
SHOE_RADIUS = 0.36  # of the chain's path round the wheels [m]
SHOES = 24


def crawler(name: str, side: float) -> Link:
    """Make a crawler: frame, sprocket, idler, rollers and the chain of shoes.

    Args:
        name: The link's name.
        side: 1 for the left one, -1 for the right one.
    """
    back, front, z = CRAWLER
    y = 1.15 * side
    out = 0.25 * side  # towards the outer face
    length, middle = front - back, (back + front) / 2
    rollers = [
        k.pin((x, y + 0.02 * side, 0.22), 0.13, 0.50, k.STEEL_GREY, "roller")
        for x in np.linspace(back + 0.45, front - 0.45, 6)
    ]
    wheels = [
        k.pin((x, y, z), SHOE_RADIUS - 0.03, 0.46, k.GREY, label)
        for x, label in ((back, "sprocket"), (front, "idler"))
    ]
    hubs = [k.pin((x, y + out, z), 0.15, 0.08, k.YELLOW, "hub") for x in (back, front)]
    drive = k.box((0.60, 0.40, 0.40), (back + 0.45, 0.80 * side, z), k.GREY, "track drive")
    frame = k.box((length - 0.85, 0.44, 0.30), (middle, y, 0.46), k.YELLOW, "track frame")
    touch = [
        k.box((length, 0.54, 0.78), (middle, y, 0.42)),
        *(k.pin((x, y, z), SHOE_RADIUS + 0.03, 0.54) for x in (back, front)),
    ]
    shapes: k.Shapes = [frame, wheels, hubs, rollers, drive, shoes(y)]
    return k.link(name, shapes, mass=7_500.0, collision=touch)


def shoes(y: float) -> list[k.Shape]:
    """Shape the chain of shoes of the crawler at `y` [m]."""
    back, front, z = CRAWLER
    run, turn = front - back, math.pi * SHOE_RADIUS
    shapes = []
    for i in range(SHOES):
        s = (2 * run + 2 * turn) * i / SHOES  # along the chain, from the rear of the top run
        if s < run:
            x, pitch = back + s, 0.0
        elif s < run + turn:
            x, pitch = front, (s - run) / SHOE_RADIUS
        elif s < 2 * run + turn:
            x, pitch = front - (s - run - turn), math.pi
        else:
            x, pitch = back, math.pi + (s - 2 * run - turn) / SHOE_RADIUS
        at = (x + SHOE_RADIUS * math.sin(pitch), y, z + SHOE_RADIUS * math.cos(pitch))
        rpy = (0.0, math.remainder(pitch, 2 * math.pi), 0.0)
        shapes.append(k.box((0.32, 0.54, 0.07), at, k.DARK_GREY, "shoe", rpy=rpy))
    return shapes


# Course of the conveyor from the shovel plate to its tail: x and z [m].
CONVEYOR = ((2.05, 0.42), (0.60, 0.56), (-1.60, 1.02), (-3.10, 1.24), (-5.20, 1.52))


def conveyor() -> Link:
    """Make the scraper conveyor: troughs, chains, flights, tail drive."""
    shapes: list[k.Shape] = []

    def along(start: tuple[float, float], end: tuple[float, float], y: float, z: float) -> Ends:
        return (start[0], y, start[1] + z), (end[0], y, end[1] + z)

    for a, b in itertools.pairwise(CONVEYOR):
        shapes.append(k.beam(*along(a, b, 0.0, 0.0), 0.62, 0.10, k.STEEL_GREY, "trough"))
        if b[0] < 0.0:  # side walls where it leaves the hull
            wall = k.beam(*along(a, b, 0.34, 0.12), 0.05, 0.38, k.YELLOW, "left trough wall")
            shapes += k.both(wall)
    xs, zs = np.array(CONVEYOR).T
    for x in np.arange(-5.0, -0.3, 0.45):
        z = float(np.interp(x, xs[::-1], zs[::-1])) + 0.075
        shapes.append(k.box((0.07, 0.58, 0.06), (x, 0, z), k.DARK_GREY, "flight"))
    for a, b in itertools.pairwise(CONVEYOR[1:]):
        shapes += k.both(k.beam(*along(a, b, 0.16, 0.065), 0.04, 0.04, k.BLACK, "left chain"))
    x, z = CONVEYOR[-1]
    shapes += [
        k.pin((x, 0, z + 0.04), 0.15, 0.72, k.DARK_GREY, "tail shaft"),
        *k.both(
            k.pin((x + 0.05, 0.56, z + 0.04), 0.17, 0.40, k.ORANGE, "left tail motor"),
            k.beam(
                (-3.05, 0.42, 0.80), (-4.00, 0.42, 1.30), 0.08, 0.12, k.YELLOW, "left tail stay"
            ),
        ),
    ]
    touch = [k.beam((-1.60, 0, 1.05), (-5.20, 0, 1.55), 0.74, 0.40)]
    return k.link("conveyor", shapes, mass=4_000.0, collision=touch)
