"""Looks of what loads: shovel plate and gathering stars."""

from __future__ import annotations

import math

import kit as k
import numpy as np
import solids as s

from .. import pins

SLOPE = pins.APRON_SLOPE
DOWN = (math.cos(SLOPE), 0.0, -math.sin(SLOPE))  # along the plate to the front
NORMAL = (math.sin(SLOPE), 0.0, math.cos(SLOPE))
BACK = np.array((0.30, 0.0, 0.10))  # rear edge of the plate [m]


def on_plate(u: float, y: float, w: float = 0.0) -> k.Point:
    """Give the point `u` down the plate, at `y`, `w` above it [m]."""
    return BACK + u * np.array(DOWN) + (0, y, 0) + w * np.array(NORMAL)


def lying(outline: s.Outline, thickness: float, w: float, bevel: float = 0.006) -> s.Solid:
    """Lay a plate of an outline in u and y on the slope, its middle `w` above it [m]."""
    return s.prism(outline, thickness, bevel).in_axes(on_plate(0, 0, w), DOWN, k.Y, NORMAL)


def shovel(looks: s.Looks) -> None:
    """Add the loading apron."""
    link = "shovel_plate"
    outline = [(0.0, -1.02), (0.42, -1.46), (1.76, -1.48), (1.76, 1.48), (0.42, 1.46), (0.0, 1.02)]
    looks.add(
        "shovel plate", link, k.STEEL_GREY, lying(outline, 0.05, -0.025), material="wear steel"
    )
    edge = [(1.70, -1.52), (1.88, -1.52), (1.96, -1.40), (1.96, 1.40), (1.88, 1.52), (1.70, 1.52)]
    looks.add("lip", link, k.DARK_GREY, lying(edge, 0.035, 0.01, 0.012))
    teeth = [
        lying(
            [(1.90, y - 0.07), (2.00, y - 0.045), (2.00, y + 0.045), (1.90, y + 0.07)], 0.03, 0.01
        )
        for y in np.linspace(-1.3, 1.3, 9)
    ]
    looks.add("lip teeth", link, k.STEEL_GREY, *teeth)
    nuts = [on_plate(1.80, y, 0.026) for y in np.linspace(-1.42, 1.42, 11)]
    looks.add("lip bolts", link, k.LIGHT_GREY, s.bolts(nuts, NORMAL, 0.016))
    walls(looks, link)
    seats(looks, link)
    throat(looks, link)
    hinges(looks, link)


def walls(looks: s.Looks, link: str) -> None:
    """Add the walls round the plate and the ribs below it."""

    def wall(a: tuple[float, float], b: tuple[float, float], low: float, high: float) -> s.Solid:
        """Make a wall on the line from `a` to `b`, each u and y, falling from `low` to `high`."""
        p, q = on_plate(*a, 0.0), on_plate(*b, 0.0)
        along = np.subtract(q, p)
        side = s.unit(np.cross(NORMAL, along))
        length = float(np.linalg.norm(along))
        outline = [(0.0, -0.05), (length, -0.05), (length, high), (0.0, low)]
        return s.prism(outline, 0.05, 0.008).in_axes(p, s.unit(along), NORMAL, np.negative(side))

    sides = [
        wall((0.42, 1.44), (1.74, 1.46), 0.26, 0.10),
        wall((0.02, 1.02), (0.42, 1.44), 0.30, 0.26),
        wall((0.02, 0.38), (0.02, 1.04), 0.24, 0.30),
    ]
    looks.add("walls", link, k.YELLOW, s.both(*sides))
    caps = s.bar(on_plate(0.44, 1.44, 0.27), on_plate(1.72, 1.46, 0.115), 0.08, 0.03)
    looks.add("wall caps", link, k.YELLOW, s.both(caps))
    ribs = [
        s.bar(on_plate(0.05, y, -0.11), on_plate(1.25, y, -0.08), 0.03, 0.10)
        for y in (0.45, 0.78, 1.12)
    ]
    looks.add("ribs", link, k.YELLOW, s.both(*ribs))
    beam = s.block((0.14, 1.96, 0.26), (0.32, 0, -0.06))
    looks.add("back beam", link, k.YELLOW, beam)
    stripes = s.stripes(
        on_plate(1.08, -1.482, 0.09), np.multiply(DOWN, 0.55), np.multiply(NORMAL, 0.035), 9
    )
    looks.add("wall stripes", link, k.BLACK, s.both(stripes))


def seats(looks: s.Looks, link: str) -> None:
    """Add the seats of the gathering stars and their motors below."""
    at = np.array(pins.STAR)
    z = np.array(NORMAL)
    seat = s.lathe([(0.0, 0.44), (0.03, 0.42), (0.05, 0.36), (0.07, 0.34)], at - 0.045 * z, z, 32)
    looks.add("star seats", link, k.YELLOW, s.both(seat))
    looks.add("seat bolts", link, k.STEEL_GREY, s.both(s.flange(at - 0.02 * z, z, 0.39, 6, 0.015)))
    motor = s.lathe([(0.0, 0.22), (0.08, 0.22), (0.10, 0.15), (0.14, 0.15)], at - 0.06 * z, -z, 20)
    looks.add("star motors", link, k.GREY, s.both(motor))


def throat(looks: s.Looks, link: str) -> None:
    """Add the chain conveyor's front end on the plate."""
    bed = s.bar((-0.10, 0, 0.085), (1.30, 0, -0.125), 0.58, 0.05)
    looks.add("throat", link, k.DARK_GREY, bed)
    for i, x in enumerate((0.05, 0.33, 0.61, 0.89, 1.17)):
        z = 0.128 - 0.15 * x
        flight = s.block((0.06, 0.54, 0.05), (x, 0, z), rpy=(0, 0.15, 0))
        looks.add(f"flight {i + 1}", link, k.STEEL_GREY, flight)
    chains = [s.bar((-0.08, y, 0.125), (1.30, y, -0.085), 0.05, 0.03) for y in (-0.14, 0.14)]
    looks.add("chains", link, k.BLACK, *chains)
    drum = s.spool((1.32, 0, -0.12), 0.085, 0.56, k.Y, 20)
    looks.add("return shaft", link, k.DARK_GREY, drum)
    guards = [
        s.plate([(0.05, 0.08), (1.36, -0.12), (1.40, -0.02), (1.30, 0.02), (0.05, 0.24)], y, 0.03)
        for y in (-0.34, 0.34)
    ]
    looks.add("throat guards", link, k.YELLOW, *guards)


def hinges(looks: s.Looks, link: str) -> None:
    """Add hinge arms and jack lugs."""
    arm = s.plate(s.rounds((0.0, 0.0, 0.14), (0.62, -0.06, 0.11)), 0.78, 0.12, 0.012)
    looks.add("hinge arms", link, k.YELLOW, s.both(arm))
    x, y, z = pins.APRON_PLATE
    ears = [
        s.plate(s.rounds((x, z, 0.085), (x, z - 0.13, 0.12)), y + dy, 0.035) for dy in (-0.09, 0.09)
    ]
    looks.add("jack lugs", link, k.YELLOW, s.both(*ears))
    looks.add("jack pins", link, k.STEEL_GREY, s.both(s.keeper((x, y + 0.12, z), k.Y, 0.045)))


def star(looks: s.Looks, side: str) -> None:
    """Add a gathering star with six swept arms."""
    link = f"gathering_arm_{side}"
    sense = k.SIDES[side]
    disc = s.lathe([(0.0, 0.36), (0.02, 0.36), (0.06, 0.30), (0.075, 0.24)], (0, 0, 0.035), k.Z, 32)
    looks.add(f"{side} disc", link, k.ORANGE, disc)
    hub = s.lathe(
        [(0.0, 0.17), (0.05, 0.16), (0.08, 0.11), (0.12, 0.10), (0.13, 0.06)], (0, 0, 0.11), k.Z, 24
    )
    looks.add(f"{side} hub", link, k.DARK_GREY, hub)
    looks.add(
        f"{side} hub bolts", link, k.LIGHT_GREY, s.flange((0, 0, 0.158), k.Z, 0.135, 6, 0.014)
    )
    inner: list[s.Solid] = []
    outer: list[s.Solid] = []
    radii = np.linspace(0.15, 0.44, 3)
    tips = np.linspace(0.42, 0.66, 5)
    for i in range(6):
        a = 2 * math.pi * i / 6
        for group, places, widths, height in (
            (inner, radii, np.linspace(0.085, 0.060, 3), 0.11),
            (outer, tips, np.linspace(0.062, 0.030, 5), 0.085),
        ):
            trail = [a - 1.15 * max(0.0, r - 0.30) ** 1.4 for r in places]  # arms bend back
            left = [(r, t + w / r) for r, t, w in zip(places, trail, widths, strict=True)]
            right = [(r, t - w / r) for r, t, w in zip(places, trail, widths, strict=True)]
            outline = [(r * math.cos(t), r * math.sin(t)) for r, t in [*right, *left[::-1]]]
            solid = s.prism(outline, height, 0.012 if group is inner else 0.0).at((0, 0, 0.145))
            group.append(solid if sense > 0 else solid.mirrored())
    for i, (arm, finger) in enumerate(zip(inner, outer, strict=True)):
        looks.add(f"{side} arm {i + 1}", link, k.ORANGE, arm)
        looks.add(f"{side} finger {i + 1}", link, k.DARK_GREY, finger, material="wear steel")
