"""Looks of the machines other than the roadheader and the supports."""

from __future__ import annotations

import kit as k
import numpy as np
import solids as s
from refining import dress, refined

from headframe.description import Robot
from headframe.description.three_dt import Model


def lhd(robot: Robot) -> Model:
    """Make the model of the loader."""
    made = refined(robot)
    dress(
        made,
        robot,
        [
            ("louvres", "body", "engine hood", "+y", 10),
            ("louvres", "body", "engine hood", "-y", 10),
            ("stripes", "body", "tail", "+y", 11),
            ("stripes", "body", "tail", "-y", 11),
            ("label", "body", "tail", "+y", 0.40),
            ("bolts", "body", "tail", "-x", 0.40),
            ("bolts", "body", "tail cover", "+z", 0.30),
            ("stripes", "body", "left fender", "+y", 10),
            ("stripes", "body", "right fender", "-y", 10),
            ("stripes", "front_frame", "left fender", "+y", 9),
            ("stripes", "front_frame", "right fender", "-y", 9),
            ("label", "body", "hydraulic tank", "-y", 0.26),
            ("stripes", "bucket", "top lip", "+z", 18),
            ("ribs", "body", "hydraulic tank", "-y", 3),
            ("bolts", "front_frame", "front beam", "+x", 0.2),
        ],
    )
    made.component("bucket")
    teeth = [
        s.prism([(0.0, -0.07), (0.20, -0.045), (0.20, 0.045), (0.0, 0.07)], 0.07, 0.008).at(
            (2.10, y, -0.368)
        )
        for y in np.linspace(-1.25, 1.25, 8)
    ]
    made.add("teeth", "bucket", k.DARK_GREY, *teeth, material="wear steel")
    heels = [s.block((0.9, 0.10, 0.03), (1.25, y, -0.425)) for y in np.linspace(-1.1, 1.1, 5)]
    made.add("heel strips", "bucket", k.STEEL_GREY, *heels)
    made.component("body")
    rails = [_railing((-5.10, y, 1.63), (-3.25, y, 1.63), 0.36) for y in (1.12, -1.12)]
    made.add("hand rails", "body", k.YELLOW, *rails)
    hoops = [s.rail([(-1.05, 1.24, z), (-0.25, 1.24, z)], 0.014) for z in (1.05, 1.25)]
    made.add("cab step rails", "body", k.DARK_GREY, *hoops)
    beacon = s.lathe(
        [(0.0, 0.07), (0.02, 0.07), (0.02, 0.055), (0.10, 0.045), (0.12, 0.02)],
        (-0.95, 0.9, 2.44),
        k.Z,
        14,
    )
    made.add("beacon", "body", k.ORANGE, beacon, lamp="yes")
    ways = [
        [(-0.22, y, 0.95), (-0.05, y + 0.05, 1.12), (0.16, y + 0.03, 1.12), (0.24, y, 0.95)]
        for y in (-0.36, -0.26, 0.26, 0.36)
    ]
    made.add("articulation hoses", "body", k.RUBBER, *(s.hose(way, 0.026) for way in ways))
    mirror = s.prism(s.rounded_outline(0.18, 0.28, 0.04, 1), 0.03)
    made.add(
        "mirror arm hose",
        "body",
        k.DARK_GREY,
        s.tube([(-0.15, 1.22, 2.2), (-0.05, 1.4, 2.2), (-0.02, 1.45, 2.1)], 0.012),
    )
    made.add("mirror", "body", k.BLACK, mirror.in_axes((-0.02, 1.45, 1.95), k.Y, k.Z, k.X))
    made.component("arm")
    for y in (-0.53, 0.53):
        way = [
            (0.15, 0.88 * y, 0.30),
            (0.8, 0.86 * y, 0.36),
            (1.6, 0.86 * y, 0.34),
            (2.3, 0.88 * y, 0.20),
        ]
        made.add("arm hose", "arm", k.RUBBER, s.hose(way, 0.022))
    return made.model()


def jumbo(robot: Robot) -> Model:
    """Make the model of the drilling jumbo."""
    made = refined(robot)
    dress(
        made,
        robot,
        [
            ("louvres", "carrier", "engine hood", "-x", 9),
            ("bolts", "carrier", "engine hood", "+z", 0.30),
            ("stripes", "carrier", "left front fender", "+y", 9),
            ("stripes", "carrier", "right front fender", "-y", 9),
            ("stripes", "carrier", "left rear fender", "+y", 9),
            ("stripes", "carrier", "right rear fender", "-y", 9),
            ("ribs", "carrier", "electric cabinet", "+z", 6),
            ("label", "carrier", "rear frame", "+y", 0.34),
            ("ribs", "carrier", "canopy", "+z", 5),
            ("bolts", "boom", "boom", "+z", 0.40),
            ("label", "boom", "boom", "-y", 0.40),
            ("stripes", "feed_holder", "feed beam", "-y", 24),
        ],
    )
    made.component("boom")
    for i, (y, z) in enumerate(((0.10, 0.17), (0.04, 0.18), (-0.04, 0.18), (-0.10, 0.17))):
        way = [
            (0.05, y, 0.26),
            (0.5, y, z + 0.06),
            (1.6, y, z),
            (2.7, y, z),
            (3.0, y, z + 0.08 + 0.01 * i),
        ]
        made.add("boom hose", "boom", k.RUBBER, s.hose(way, 0.018))
    made.component("feed_holder")
    for i in range(4):
        way = [
            (-0.3, -0.25 + 0.04 * i, 0.05),
            (-0.9, -0.40, 0.30 + 0.03 * i),
            (-1.7, -0.52 + 0.03 * i, 0.26),
            (-2.2, -0.55 + 0.03 * i, 0.06),
        ]
        made.add("drill hose", "feed_holder", k.RUBBER, s.hose(way, 0.020))
    rack = [
        s.block((0.05, 0.06, 0.03), (x, -0.55, -0.005), bevel=0.0)
        for x in np.arange(-2.4, 3.1, 0.25)
    ]
    made.add("feed rack", "feed_holder", k.STEEL_GREY, *rack)
    made.component("carrier")
    rails = [_railing((-2.35, y, 1.46), (-3.55, y, 1.46), 0.40) for y in (0.55, -0.55)]
    made.add("hand rails", "carrier", k.YELLOW, *rails)
    treads = [s.block((0.4, 0.14, 0.03), (-1.4, y, z)) for y in (0.70, -0.70) for z in (0.48, 0.74)]
    treads += [
        s.block((0.02, 0.10, 0.56), (x, y, 0.72)) for y in (0.67, -0.67) for x in (-1.60, -1.20)
    ]
    made.add("steps", "carrier", k.DARK_GREY, *treads)
    return made.model()


def shearer(robot: Robot) -> Model:
    """Make the model of the shearer."""
    made = refined(robot)
    dress(
        made,
        robot,
        [
            ("label", "body", "electrical section", "-x", 0.50),
            ("bolts", "body", "electrical section", "+z", 0.40),
            ("bolts", "body", "left haulage section", "+x", 0.30),
            ("bolts", "body", "right haulage section", "+x", 0.30),
            ("ribs", "body", "left top cover", "+z", 4),
            ("ribs", "body", "right top cover", "+z", 4),
            ("bolts", "ranging_arm_left", "ranging arm", "+z", 0.40),
            ("bolts", "ranging_arm_right", "ranging arm", "-z", 0.40),
            ("stripes", "cowl", "cowl plate", "+x", 8),
        ],
    )
    made.component("body")
    ways = [
        [
            (x, 1.9 * sign, 1.53),
            (x, 1.7 * sign, 1.62),
            (x, 1.4 * sign, 1.64),
            (x, 1.15 * sign, 1.57),
        ]
        for sign in (-1, 1)
        for x in (-0.54, -0.48)
    ]
    made.add("haulage hoses", "body", k.RUBBER, *(s.hose(way, 0.025) for way in ways))
    made.component("pan_line")
    dogs = [
        s.block((0.10, 0.16, 0.10), (x, y, 0.12))
        for y in np.arange(-4.5, 4.6, 1.5)
        for x in (-0.64, 0.60)
    ]
    made.add("dog bones", "pan_line", k.DARK_GREY, *dogs)
    chain = [
        s.block((0.05, 0.10, 0.03), (-0.02, y, 0.135), bevel=0.0)
        for y in np.arange(-5.9, 5.9, 0.26)
    ]
    made.add("chain links", "pan_line", k.BLACK, *chain)
    trays = [s.block((0.14, 1.4, 0.02), (-1.12, y, 0.56)) for y in np.arange(-5.25, 5.3, 1.5)]
    made.add("cable trays", "pan_line", k.GREY, *trays)
    for side, sign in k.SIDES.items():
        arm = f"ranging_arm_{side}"
        made.component(arm)
        ways = [
            [
                (0.14 - 0.06 * i, sign * y, 0.36 + z)
                for y, z in ((0.2, 0.0), (0.6, 0.06), (1.2, 0.03), (1.9, 0.0))
            ]
            for i in range(2)
        ]
        made.add("spray hoses", arm, k.RUBBER, *(s.hose(way, 0.022) for way in ways))
    return made.model()


def door(robot: Robot) -> Model:
    """Make the model of the air door."""
    made = refined(robot)
    dress(
        made,
        robot,
        [
            ("bolts", "frame", "left post", "+x", 0.40),
            ("bolts", "frame", "right post", "+x", 0.40),
            ("bolts", "frame", "header", "+x", 0.40),
            ("stripes", "frame", "column", "+x", 12),
            ("label", "frame", "valve box", "+x", 0.12),
            ("bolts", "leaf_left", "skin", "+x", 0.40),
            ("bolts", "leaf_left", "skin", "-x", 0.40),
            ("bolts", "leaf_right", "skin", "+x", 0.40),
            ("bolts", "leaf_right", "skin", "-x", 0.40),
        ],
    )
    made.component("frame")
    joints = [
        s.block((0.012, 2.6, 0.012), (0.002, 0.0 + y, z), bevel=0.0)
        for z in (2.72, 2.95, 3.18)
        for y in (-1.5, 1.5)
    ]
    made.add("mortar", "frame", k.LIGHT_GREY, *joints)
    way = [(1.62, 2.66, 1.8), (1.6, 2.5, 1.5), (1.45, 2.2, 1.42), (1.3, 2.0, 1.5)]
    made.add(
        "valve hoses",
        "frame",
        k.RUBBER,
        s.hose(way, 0.014),
        s.hose([s.off(p, 0.04, 0.02, 0.03) for p in way], 0.014),
    )
    conduit = [(0.03, 2.9, 3.0), (0.03, 1.9, 3.30), (0.03, 1.0, 3.36), (0.03, 0.9, 3.36)]
    made.add("conduit pipe", "frame", k.STEEL_GREY, s.tube(conduit, 0.02))
    return made.model()


def _railing(start: k.Point, end: k.Point, height: float) -> s.Solid:
    """Make a handrail between two points of a deck, with a post in the middle [m]."""
    p, q = s.off(start, 0, 0, height), s.off(end, 0, 0, height)
    middle = (np.asarray(start) + np.asarray(end)) / 2
    top = s.rail([start, p, q, end], 0.018, 1)
    return s.joined([top, s.shaft(middle, s.off(middle, 0, 0, height), 0.016, 6)])
