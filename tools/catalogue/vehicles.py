"""What vehicles have in common: wheels, posts of cabs and canopies, lamps, levers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import kit as k


@dataclass(frozen=True)
class Wheels:
    """A pair of wheels on one axle.

    Attributes:
        y: Middle of the left tyre [m].
        radius: Outer radius [m].
        width: Width of tyre and rim [m].
        rim: Radius of the rim [m].
        hub: Radius, length and offset from the tyre's middle of the hub [m].
        tread: How far the lugs' middle stands inside the outer radius [m].
        lug: Edges of a lug: round the tyre, across and outwards [m].
        lugs: How many there are on a tyre.
    """

    y: float
    radius: float
    width: float
    rim: float
    hub: tuple[float, float, float]
    tread: float
    lug: tuple[float, float, float]
    lugs: int

    def at(self, x: float) -> list[k.Shape]:
        """Shape tyres with lugs, rims and hubs of an axle at `x` [m], on the floor z = 0."""
        y, z = self.y, self.radius
        carcass = self.radius - self.tread
        radius, length, aside = self.hub
        shapes = [
            k.pin((x, y, z), carcass, self.width, k.RUBBER, "left tyre", 0.35),
            k.pin((x, y + 0.02, z), self.rim, self.width, k.YELLOW, "left rim", 0.3),
            k.pin((x, y + aside, z), radius, length, k.DARK_GREY, "left hub"),
        ]
        for i in range(self.lugs):
            a = 2 * math.pi * i / self.lugs
            place = (x + carcass * math.sin(a), y, z + carcass * math.cos(a))
            shapes.append(k.box(self.lug, place, k.RUBBER, "left lug", 0.2, rpy=(0, a, 0)))
        return k.both(shapes)

    def touching(self, x: float) -> list[k.Shape]:
        """Shape what the pair at `x` [m] touches the ground with."""
        return k.both(k.pin((x, self.y, self.radius), self.radius, self.width))


def posts(
    xs: Iterable[float],
    ys: tuple[float, float],
    heights: tuple[float, float],
    width: float,
    color: k.Color,
    name: str,
) -> list[k.Shape]:
    """Shape square posts between two heights at all pairs of x and y [m]."""
    bottom, top = heights
    return [k.beam((x, y, bottom), (x, y, top), width, width, color, name) for x in xs for y in ys]


def levers(
    foot: tuple[float, float], head: tuple[float, float], radius: float, ys: Iterable[float]
) -> list[k.Shape]:
    """Shape a row of levers along y, from `foot` to `head`, each x and z [m]."""
    return [
        k.capsule((foot[0], y, foot[1]), (head[0], y, head[1]), radius, k.BLACK, "lever", 0.0)
        for y in ys
    ]


def lamp(at: k.Point, depth: float, radius: float, name: str, color: k.Color = k.WHITE) -> k.Shape:
    """Shape a round lamp from `at`, as deep along x as told (either way) [m]."""
    x, y, z = at
    return k.rod(at, (x + depth, y, z), radius, color, name, 0.1)
