"""Looks of what is bolted on behind: rear frame, scraper conveyor, stabilisers."""

from __future__ import annotations

import itertools

import kit as k
import numpy as np
import solids as s

from .. import pins
from ..running import CONVEYOR


def rear_frame(looks: s.Looks) -> None:
    """Add the frame that hangs the stabilisers."""
    link = "rear_frame"
    jack, leg = np.subtract(pins.JACK_BODY, pins.REAR), np.subtract(pins.LEG, pins.REAR)
    side = s.plate(
        [(0.08, 0.34), (0.08, 0.98), (-0.70, 0.98), (-0.92, 0.84), (-0.92, 0.46), (-0.78, 0.34)],
        0.72,
        0.40,
        0.015,
    )
    looks.add("rear frame", link, k.YELLOW, s.both(side))
    post = s.plate(
        [(-0.34, 0.90), (-0.30, 1.30), (-0.44, 1.56), (-0.66, 1.56), (-0.74, 1.30), (-0.74, 0.90)],
        0.88,
        0.08,
    )
    ears = [
        s.plate(s.rounds((jack[0], jack[2], 0.09), (-0.53, 1.22, 0.14)), jack[1] + dy, 0.04)
        for dy in (-0.09, 0.09)
    ]
    looks.add("jack posts", link, k.YELLOW, s.both(post, *ears))
    hinge = [
        s.plate(s.rounds((leg[0], leg[2], 0.13), (-0.18, 0.62, 0.14)), leg[1] + dy, 0.045)
        for dy in (-0.125, 0.125)
    ]
    looks.add("leg hinges", link, k.YELLOW, s.both(*hinge))
    held = [
        s.keeper(s.off(jack, 0, 0.13, 0), k.Y, 0.045),
        s.keeper(s.off(leg, 0, 0.17, 0), k.Y, 0.06),
    ]
    looks.add("pins", link, k.STEEL_GREY, s.both(*held))
    cross = [
        s.block((0.12, 1.86, 0.32), (-0.10, 0, 0.52)),
        s.block((0.12, 1.50, 0.28), (-0.86, 0, 0.46)),
    ]
    looks.add("cross beams", link, k.YELLOW, *cross)
    nuts = s.frame_points((-0.42, 0.925, 0.66), (0.34, 0, 0), (0, 0, 0.24), (3, 2))
    looks.add("frame bolts", link, k.STEEL_GREY, s.both(s.bolts(nuts, k.Y, 0.016)))
    housing, lens = s.lamp((-0.98, 0.72, 0.80), k.BACK, 0.08)
    looks.add("tail light housings", link, k.DARK_GREY, s.both(housing))
    looks.add("tail lights", link, k.RED, s.both(lens), lamp="yes")
    hook = s.ring(
        [(-0.02, 0.09), (0.02, 0.09), (0.02, 0.05), (-0.02, 0.05)], (-0.96, 0, 0.46), k.Z, 16
    )
    looks.add("tow eye", link, k.DARK_GREY, hook)
    reel = s.lathe(
        [(0.0, 0.20), (0.02, 0.20), (0.02, 0.12), (0.14, 0.12), (0.14, 0.20), (0.16, 0.20)],
        (-0.50, -0.98, 1.20),
        (0, -1, 0),
        24,
    )
    cable = s.lathe(
        [(0.02, 0.17), (0.05, 0.18), (0.08, 0.175), (0.11, 0.18), (0.14, 0.17)],
        (-0.50, -0.98, 1.20),
        (0, -1, 0),
        24,
    )
    looks.add("cable reel", link, k.ORANGE, reel)
    looks.add("trailing cable", link, k.BLACK, cable)


def conveyor(looks: s.Looks) -> None:
    """Add the scraper conveyor: trough, walls, chains, flights, tail drive."""
    link = "conveyor"
    for i, (a, b) in enumerate(itertools.pairwise(CONVEYOR)):
        trough = s.bar((a[0], 0, a[1]), (b[0], 0, b[1]), 0.64, 0.08)
        looks.add(f"trough {i + 1}", link, k.STEEL_GREY, trough)
        if b[0] < 0.0:
            low = [(b[0] - 0.02, b[1] - 0.09), (a[0] + 0.02, a[1] - 0.09)]
            wall = s.plate(
                [*low, (a[0] + 0.02, a[1] + 0.30), (b[0] - 0.02, b[1] + 0.30)], 0.345, 0.035
            )
            looks.add(f"trough walls {i + 1}", link, k.YELLOW, s.both(wall))
            rim = s.bar((a[0], 0.355, a[1] + 0.30), (b[0], 0.355, b[1] + 0.30), 0.09, 0.04)
            count = int((a[0] - b[0]) / 0.55) + 1
            ribs = [
                s.block(
                    (0.04, 0.05, 0.36),
                    (x, 0.385, float(np.interp(x, (b[0], a[0]), (b[1], a[1]))) + 0.10),
                )
                for x in np.linspace(a[0] - 0.12, b[0] + 0.12, count)
            ]
            looks.add(f"wall rims {i + 1}", link, k.YELLOW, s.both(rim, *ribs))
            nuts = s.row((a[0] - 0.1, 0.365, a[1] - 0.03), (b[0] + 0.1, 0.365, b[1] - 0.03), 4)
            looks.add(f"wall bolts {i + 1}", link, k.STEEL_GREY, s.both(s.bolts(nuts, k.Y, 0.014)))
    xs, zs = np.array(CONVEYOR).T
    for i, x in enumerate(np.arange(-5.05, -0.25, 0.36)):
        z = float(np.interp(x, xs[::-1], zs[::-1])) + 0.068
        scraper = s.plate(
            [
                (x - 0.04, z - 0.03),
                (x + 0.04, z - 0.03),
                (x + 0.015, z + 0.045),
                (x - 0.03, z + 0.045),
            ],
            0.0,
            0.58,
        )
        looks.add(f"flight {i + 1}", link, k.DARK_GREY, scraper, material="wear steel")
    chains = []
    for a, b in itertools.pairwise(CONVEYOR[1:]):
        for y in (-0.16, 0.16):
            chains.append(s.bar((a[0], y, a[1] + 0.055), (b[0], y, b[1] + 0.055), 0.02, 0.035))
            count = int((a[0] - b[0]) / 0.45)
            for t in (np.arange(count) + 0.5) / count:
                at = (a[0] + t * (b[0] - a[0]), y, a[1] + t * (b[1] - a[1]) + 0.055)
                chains.append(s.block((0.09, 0.055, 0.02), at, bevel=0.0))
    looks.add("chains", link, k.BLACK, *chains)
    tail(looks, link)


def tail(looks: s.Looks, link: str) -> None:
    """Add the tail drive: shaft, sprockets, motors, stays."""
    x, z = CONVEYOR[-1]
    at = np.array((x, 0, z + 0.04))
    looks.add("tail shaft", link, k.DARK_GREY, s.pin(at, 0.10, 0.76))
    wheel = s.prism(s.gear(7, 0.11, 0.155), 0.05)
    looks.add(
        "tail sprockets",
        link,
        k.STEEL_GREY,
        *(wheel.in_axes(s.off(at, 0, y, 0), k.X, k.Z, k.UP) for y in (-0.16, 0.16)),
    )
    bearing = s.boss(s.off(at, 0, 0.385, 0), 0.15, 0.07)
    looks.add("tail bearings", link, k.GREY, s.both(bearing))
    fins = [(0.0, 0.14), (0.02, 0.17)]
    for i in range(4):
        fins += [(0.05 + 0.065 * i, 0.150), (0.08 + 0.065 * i, 0.180)]
    fins += [(0.31, 0.17), (0.35, 0.165), (0.37, 0.10)]
    looks.add(
        "tail motors", link, k.ORANGE, s.both(s.lathe(fins, s.off(at, 0.03, 0.43, 0), k.Y, 24))
    )
    looks.add(
        "tail motor bolts",
        link,
        k.LIGHT_GREY,
        s.both(s.flange(s.off(at, 0.03, 0.80, 0), k.Y, 0.135, 6, 0.013)),
    )
    stay = s.bar((-3.05, 0.42, 0.80), (-4.00, 0.42, 1.30), 0.08, 0.12)
    looks.add("tail stays", link, k.YELLOW, s.both(stay))
    way = [
        s.off(at, 0.10, 0.60, 0.16),
        s.off(at, 0.35, 0.48, 0.24),
        s.off(at, 1.3, 0.43, 0.02),
        s.off(at, 2.3, 0.43, -0.16),
        s.off(at, 2.7, 0.45, -0.40),
    ]
    looks.add("tail cables", link, k.RUBBER, s.both(s.hose(way, 0.02, 8, 4)))
    looks.add(
        "tail stripes",
        link,
        k.BLACK,
        s.both(s.stripes((x + 0.9, -0.365, z - 0.0), (0.45, 0, -0.06), (0.01, 0, 0.07), 8)),
    )


def stabiliser(looks: s.Looks, side: str) -> None:
    """Add a leg with its foot."""
    link = f"stabiliser_{side}"
    leg = s.plate(
        [
            (0.10, -0.10),
            (0.14, 0.02),
            (0.06, 0.13),
            (-0.05, 0.13),
            (-0.98, 0.06),
            (-1.06, -0.02),
            (-1.04, -0.18),
            (-0.86, -0.18),
        ],
        0.0,
        0.15,
        0.015,
    )
    looks.add(f"{side} leg", link, k.ORANGE, leg)
    ears = [
        s.plate(s.rounds((pins.JACK_LEG[0], 0.0, 0.10), (-0.75, -0.10, 0.12)), dy, 0.035)
        for dy in (-0.09, 0.09)
    ]
    looks.add(f"{side} jack ears", link, k.ORANGE, *ears)
    looks.add(
        f"{side} leg pins",
        link,
        k.STEEL_GREY,
        s.pin((pins.JACK_LEG[0], 0, 0), 0.045, 0.24, 16),
        s.pin((0, 0, 0), 0.055, 0.20, 16),
    )
    shank = s.lathe([(0.0, 0.10), (0.14, 0.10), (0.16, 0.13)], (-0.95, 0, -0.10), (0, 0, -1), 20)
    looks.add(f"{side} shank", link, k.DARK_GREY, shank)
    foot = s.prism(s.rounded_outline(0.58, 0.46, 0.08), 0.06).at((-0.95, 0, -0.28))
    looks.add(f"{side} foot plate", link, k.DARK_GREY, foot)
    cleats = [s.block((0.05, 0.42, 0.045), (x, 0, -0.325)) for x in (-1.15, -0.95, -0.75)]
    looks.add(f"{side} cleats", link, k.STEEL_GREY, *cleats)
    looks.add(
        f"{side} foot bolts", link, k.LIGHT_GREY, s.flange((-0.95, 0, -0.25), k.Z, 0.17, 6, 0.014)
    )
