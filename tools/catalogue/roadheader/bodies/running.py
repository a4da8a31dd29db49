"""Looks of the crawlers: frame, wheels, drive and the chain of shoes."""

from __future__ import annotations

import math

import kit as k
import solids as s

from ..running import CRAWLER, SHOE_RADIUS

Y = 1.15  # middle of the left crawler [m]
SHOES = 35
# Section of a shoe: along the chain and outwards from the chain's path [m].
SHOE = (
    (-0.116, -0.022), (0.116, -0.022), (0.116, 0.014), (0.040, 0.018), (0.026, 0.040),
    (-0.006, 0.040), (-0.020, 0.018), (-0.116, 0.014),
)  # fmt: skip


def crawlers(looks: s.Looks) -> None:
    """Add both crawlers."""
    for side in k.SIDES:
        link = f"crawler_{side}"
        for name, color, solid in (*frame(), *wheels(), *drive()):
            looks.add(f"{side} {name}", link, color, on_side(solid, side))
        for i in range(SHOES):
            shoe = shoe_at(i)
            looks.add(f"{side} shoe", link, k.DARK_GREY, on_side(shoe, side), material="cast steel")


def on_side(solid: s.Solid, side: str) -> s.Solid:
    """Give a solid of the left side on the side called `left` or `right`."""
    return solid if side == "left" else solid.mirrored()


def frame() -> list[tuple[str, k.Color, s.Solid]]:
    """Shape the box frame, its ribs, its bolts and the stone guards under the chain."""
    outline = [(-1.38, 0.36), (-1.22, 0.30), (1.02, 0.30), (1.20, 0.36), (1.24, 0.46), (1.10, 0.60)]
    outline += [(-1.10, 0.62), (-1.38, 0.52)]
    sides = [s.plate(outline, Y + 0.21 * sign, 0.04) for sign in (-1, 1)]
    core = s.block((2.30, 0.36, 0.20), (-0.06, Y, 0.46))
    ribs = [
        s.block((0.03, 0.05, 0.26), (x, Y + 0.245, 0.46)) for x in (-0.95, -0.5, -0.05, 0.4, 0.85)
    ]
    lid = s.block((0.62, 0.02, 0.15), (-0.28, Y + 0.24, 0.46))
    nuts = s.bolts(
        [
            *s.row((-1.14, Y + 0.23, 0.34), (1.02, Y + 0.23, 0.34), 6),
            *s.frame_points((-0.28, Y + 0.25, 0.46), (0.27, 0, 0), (0, 0, 0.055), (3, 2)),
        ],
        (0, 1, 0),
        0.015,
    )
    slide = s.joined(
        s.bar((-1.0, Y + sign * 0.1, 0.685), (0.9, Y + sign * 0.1, 0.685), 0.05, 0.03)
        for sign in (-1, 1)
    )
    return [
        ("track frame", k.YELLOW, s.joined(sides)),
        ("track core", k.DARK_GREY, core),
        ("frame ribs", k.YELLOW, s.joined([*ribs, lid])),
        ("frame bolts", k.STEEL_GREY, nuts),
        ("chain slide", k.STEEL_GREY, slide),
    ]


def wheels() -> list[tuple[str, k.Color, s.Solid]]:
    """Shape sprocket, idler, its yoke and rollers."""
    back, front, z = CRAWLER
    teeth = s.prism(s.gear(11, 0.262, 0.335), 0.22).in_axes((back, Y, z), k.X, k.Z, k.UP)
    sprocket = [teeth, s.pin((back, Y, z), 0.235, 0.30, 20)]
    rim = [(-0.20, 0.24), (-0.19, 0.30), (-0.08, 0.322), (0.08, 0.322), (0.19, 0.30), (0.20, 0.25)]
    idler = s.lathe([*rim, (0.17, 0.20), (0.17, 0.11), (0.22, 0.10)], (front, Y, z), k.Y, 24)
    rollers = [
        s.spool((x, Y, 0.222), 0.112, 0.36, k.Y, 12)
        for x in (-1.22, -0.78, -0.34, 0.10, 0.54, 0.98)
    ]
    carriers = [s.spool((x, Y, 0.66), 0.055, 0.30, (0, 1, 0), 14) for x in (-0.75, 0.55)]
    yoke = [
        s.bar((0.95, Y + sign * 0.16, z), (front, Y + sign * 0.23, z), 0.05, 0.13)
        for sign in (-1, 1)
    ]
    caps = [s.flange((back, Y + 0.15, z), (0, 1, 0), 0.18, 6, 0.018)]
    return [
        ("sprocket", k.STEEL_GREY, s.joined(sprocket)),
        ("idler", k.STEEL_GREY, idler),
        ("rollers", k.GREY, s.joined([*rollers, *carriers])),
        ("yoke", k.DARK_GREY, s.joined(yoke)),
        ("wheel bolts", k.LIGHT_GREY, s.joined(caps)),
    ]


def drive() -> list[tuple[str, k.Color, s.Solid]]:
    """Shape the travel drive: hub cover and gear case."""
    back, _, z = CRAWLER
    hub = s.lathe(
        [(0.0, 0.17), (0.07, 0.165), (0.10, 0.13), (0.115, 0.07)],
        (back, Y + 0.15, z),
        (0, 1, 0),
        28,
    )
    case = s.lathe(
        [(0.0, 0.20), (0.10, 0.22), (0.12, 0.25), (0.20, 0.25), (0.22, 0.2)],
        (back, Y - 0.16, z),
        (0, -1, 0),
        28,
    )
    return [("hub", k.YELLOW, hub), ("gear case", k.GREY, case)]


def shoe_at(i: int) -> s.Solid:
    """Shape the shoe at a place of the chain."""
    back, front, z = CRAWLER
    run, turn = front - back, math.pi * SHOE_RADIUS
    way = (2 * run + 2 * turn) * (i + 0.5) / SHOES  # from the rear of the top run
    if way < run:
        x, pitch = back + way, 0.0
    elif way < run + turn:
        x, pitch = front, (way - run) / SHOE_RADIUS
    elif way < 2 * run + turn:
        x, pitch = front - (way - run - turn), math.pi
    else:
        x, pitch = back, math.pi + (way - 2 * run - turn) / SHOE_RADIUS
    along = (math.cos(pitch), 0.0, -math.sin(pitch))
    out = (math.sin(pitch), 0.0, math.cos(pitch))
    at = (x + SHOE_RADIUS * out[0], Y, z + SHOE_RADIUS * out[2])
    return s.prism(SHOE, 0.54).in_axes(at, along, out, k.UP)
