"""Looks of what stands on the body: operator's place, power pack, cabinet, valves, hoses."""

from __future__ import annotations

import math

import kit as k
import numpy as np
import solids as s

BODY = "main_body"


def station(looks: s.Looks) -> None:
    """Add the operator's place, the power pack, the cabinet and the valves."""
    canopy(looks)
    seat(looks)
    controls(looks)
    mirrors(looks)
    tank(looks)
    pump(looks)
    valves(looks)
    cabinet(looks)


def canopy(looks: s.Looks) -> None:
    """Add roof, posts and guard of the operator's place."""
    posts = [
        s.tube([(x, y, 0.99), (x, y, 2.02), (x + 0.03 * sign, y, 2.14)], 0.032, 10, 2)
        for x, sign in ((-0.42, -1), (-1.58, 1))
        for y in (0.50, 1.26)
    ]
    feet = [s.block((0.13, 0.13, 0.02), (x, y, 1.0)) for x in (-0.42, -1.58) for y in (0.50, 1.26)]
    looks.add("canopy posts", BODY, k.ORANGE, *posts, *feet)
    section = [
        (-1.70, 2.14),
        (-0.30, 2.14),
        (-0.27, 2.16),
        (-0.38, 2.225),
        (-0.95, 2.25),
        (-1.62, 2.225),
        (-1.73, 2.16),
    ]
    roof = s.plate(section, 0.88, 0.96, 0.02)
    looks.add("canopy", BODY, k.ORANGE, roof, material="steel")
    ribs = [s.block((0.03, 0.90, 0.03), (x, 0.88, 2.245)) for x in (-1.5, -1.2, -0.9, -0.6)]
    looks.add("canopy ribs", BODY, k.ORANGE, *ribs)
    cross = s.rail([(-0.42, 0.50, 1.75), (-0.42, 1.26, 1.75)], 0.016, 1)
    back = [s.rail([(-1.58, 0.50, z), (-1.58, 1.26, z)], 0.016, 1) for z in (1.35, 1.70)]
    looks.add("guard bars", BODY, k.DARK_GREY, cross, *back)
    housing, lens = s.lamp((-1.74, 0.70, 2.09), k.BACK, 0.05)  # behind, out of the operator's sight
    other, other_lens = s.lamp((-1.74, 1.06, 2.09), k.BACK, 0.05)
    looks.add("canopy lamps", BODY, k.DARK_GREY, housing, other)
    looks.add("canopy lenses", BODY, k.WHITE, lens, other_lens, lamp="yes")


def seat(looks: s.Looks) -> None:
    """Add seat, backrest, armrests and pedestal."""
    cushion = s.prism(s.rounded_outline(0.50, 0.50, 0.08), 0.11, 0.03).at((-1.15, 0.86, 1.36))
    rest = s.prism(s.rounded_outline(0.58, 0.48, 0.10), 0.11, 0.03)
    back = rest.in_axes((-1.43, 0.86, 1.66), (-0.15, 0, 0.99), (0, 1, 0), (-0.99, 0, -0.15))
    head = s.prism(s.rounded_outline(0.16, 0.26, 0.05), 0.09, 0.02)
    top = head.in_axes((-1.49, 0.86, 2.02), (-0.15, 0, 0.99), (0, 1, 0), (-0.99, 0, -0.15))
    looks.add("seat", BODY, k.RUBBER, cushion, back, top, material="leatherette")
    rests = [
        s.block((0.32, 0.07, 0.05), (-1.18, 0.86 + dy, 1.56), bevel=0.015) for dy in (-0.30, 0.30)
    ]
    stays = [s.block((0.04, 0.03, 0.26), (-1.30, 0.86 + dy, 1.42)) for dy in (-0.30, 0.30)]
    looks.add("armrests", BODY, k.DARK_GREY, *rests, *stays)
    bellows = s.lathe(
        [(0.0, 0.20), (0.05, 0.16), (0.10, 0.20), (0.15, 0.16), (0.18, 0.19)],
        (-1.15, 0.86, 1.12),
        k.Z,
        16,
    )
    looks.add(
        "suspension", BODY, k.BLACK, bellows, s.block((0.44, 0.44, 0.12), (-1.15, 0.86, 1.06))
    )


def controls(looks: s.Looks) -> None:
    """Add console, panel, levers and pedals."""
    outline = [
        (-0.72, 1.0),
        (-0.50, 1.0),
        (-0.48, 1.36),
        (-0.56, 1.46),
        (-0.74, 1.38),
        (-0.74, 1.1),
    ]
    looks.add("console", BODY, k.LIGHT_GREY, s.plate(outline, 0.86, 0.62, 0.012))
    panel = s.block((0.17, 0.56, 0.008)).in_axes(
        (-0.655, 0.86, 1.425), (0.914, 0, 0.406), (0, 1, 0), (-0.406, 0, 0.914)
    )
    looks.add("panel", BODY, k.DARK_GREY, panel)
    lamps = [
        s.shaft(p, np.add(p, (-0.008, 0, 0.018)), 0.012, 8)
        for p in s.grid((-0.655, 0.86, 1.428), (0.05, 0, 0.022), (0, 0.22, 0), (2, 5))
    ]
    looks.add("buttons", BODY, k.GREEN, *lamps[::2])
    looks.add("red buttons", BODY, k.RED, *lamps[1::2])
    sticks, knobs, boots = [], [], []
    for y in (0.64, 0.75, 0.86, 0.97, 1.08):
        foot, head = np.array((-0.76, y, 1.36)), np.array((-0.83, y, 1.60))
        sticks.append(s.shaft(foot, head, 0.009, 8))
        knob = [(-0.03, 0.011), (-0.008, 0.026), (0.012, 0.024), (0.027, 0.01)]
        knobs.append(s.lathe(knob, head, head - foot, 9, near=True))
        boots.append(s.lathe([(0.0, 0.034), (0.05, 0.012)], foot, head - foot, 6))
    looks.add("levers", BODY, k.CHROME, *sticks)
    looks.add("lever knobs", BODY, k.BLACK, *knobs, *boots)
    bank = s.block((0.10, 0.60, 0.18), (-0.77, 0.86, 1.28))
    looks.add("lever bank", BODY, k.GREY, bank)
    pedals = [s.block((0.16, 0.10, 0.015), (-0.84, y, 1.05), rpy=(0, -0.5, 0)) for y in (0.72, 1.0)]
    looks.add("pedals", BODY, k.DARK_GREY, *pedals)


def mirrors(looks: s.Looks) -> None:
    """Add the two mirrors in their frames, on arms at the canopy."""
    for name, y, out in (("left", 1.26, 0.09), ("right", 0.50, -0.09)):
        arm = s.tube(
            [(-0.42, y, 2.03), (-0.41, y + 0.5 * out, 2.06), (-0.40, y + out, 2.04)], 0.012, 8, 4
        )
        at = np.array((-0.40, y + out, 1.955))
        rim = s.prism(s.rounded_outline(0.20, 0.14, 0.03, 1), 0.03)
        glass = s.prism(s.rounded_outline(0.17, 0.11, 0.02, 1), 0.006)
        frame = rim.in_axes(at, (0, 1, 0), (0, 0, 1), k.X)
        pane = glass.in_axes(s.off(at, -0.017, 0, 0), (0, 1, 0), (0, 0, 1), k.X)
        looks.add(f"{name} mirror frame", BODY, k.BLACK, arm, frame)
        looks.add(f"{name} mirror", BODY, k.CHROME, pane, material="glass")


def tank(looks: s.Looks) -> None:
    """Add the hydraulic tank with lid, gauge, filler and ribs."""
    at = np.array((-0.92, -0.86, 1.31))
    looks.add("hydraulic tank", BODY, k.ORANGE, s.block((1.20, 0.84, 0.60), at, bevel=0.025))
    ribs = [s.block((0.03, 0.86, 0.54), s.off(at, x, 0, 0)) for x in (-0.40, 0.0, 0.40)]
    looks.add("tank ribs", BODY, k.ORANGE, *ribs)
    lid = s.block((0.62, 0.50, 0.025), s.off(at, -0.20, 0, 0.31))
    looks.add("tank lid", BODY, k.DARK_GREY, lid)
    rim = s.frame_points(s.off(at, -0.20, 0, 0.32), (0.27, 0, 0), (0, 0.21, 0), (4, 3))
    looks.add("lid bolts", BODY, k.STEEL_GREY, s.bolts(rim, k.Z, 0.013))
    cap = s.lathe(
        [(0.0, 0.10), (0.02, 0.10), (0.025, 0.08), (0.09, 0.08), (0.10, 0.06)],
        (-0.46, -0.72, 1.60),
        k.Z,
        20,
    )
    breather = s.lathe(
        [(0.0, 0.04), (0.05, 0.04), (0.055, 0.06), (0.12, 0.06), (0.14, 0.03)],
        (-0.46, -1.02, 1.60),
        k.Z,
        14,
    )
    looks.add("filler and breather", BODY, k.BLACK, cap, breather)
    looks.add("oil gauge", BODY, k.GLASS, s.block((0.012, 0.06, 0.30), (-0.312, -0.66, 1.30)))
    looks.add(
        "gauge frame",
        BODY,
        k.STEEL_GREY,
        *[s.block((0.02, 0.08, 0.03), (-0.31, -0.66, z)) for z in (1.14, 1.46)],
    )
    looks.add(
        "tank plate", BODY, k.WHITE, s.name_plate((-0.92, -1.285, 1.40), (0.15, 0, 0), (0, 0, 0.09))
    )
    stripe = s.stripes((-0.92, -1.283, 1.08), (0.56, 0, 0), (0, 0, 0.05), 9)
    looks.add("tank stripes", BODY, k.BLACK, stripe)
    cooler = s.louvres((-0.312, -1.02, 1.30), (0, 0.16, 0), (0, 0, 0.20), 9)
    looks.add("cooler", BODY, k.DARK_GREY, cooler)


def pump(looks: s.Looks) -> None:
    """Add pump motor with its fins, pump and suction pipe."""
    start = np.array((-1.54, -0.86, 1.28))
    fins = [(0.0, 0.20), (0.04, 0.26)]
    for i in range(8):
        fins += [(0.06 + 0.06 * i, 0.235), (0.09 + 0.06 * i, 0.278)]
    fins += [(0.56, 0.26), (0.60, 0.27), (0.66, 0.27), (0.68, 0.20)]
    looks.add("pump motor", BODY, k.STEEL_GREY, s.lathe(fins, start, k.BACK, 28))
    box = s.block((0.24, 0.20, 0.14), s.off(start, -0.30, 0, 0.32))
    looks.add(
        "terminal box",
        BODY,
        k.GREY,
        box,
        s.bolts(
            s.frame_points(s.off(start, -0.30, 0, 0.39), (0.095, 0, 0), (0, 0.075, 0), (2, 2)),
            k.Z,
            0.010,
        ),
    )
    feet = [s.block((0.10, 0.56, 0.10), s.off(start, x, 0, -0.25)) for x in (-0.15, -0.52)]
    looks.add("motor feet", BODY, k.DARK_GREY, *feet)
    body = s.lathe(
        [
            (0.0, 0.15),
            (0.05, 0.15),
            (0.07, 0.19),
            (0.14, 0.19),
            (0.18, 0.15),
            (0.26, 0.13),
            (0.28, 0.08),
        ],
        s.off(start, -0.68, 0, 0),
        k.BACK,
        24,
    )
    looks.add("pump", BODY, k.BLACK, body)
    looks.add(
        "pump bolts",
        BODY,
        k.LIGHT_GREY,
        s.flange(s.off(start, -0.68, 0, 0), k.X, 0.235, 8, 0.014),
        s.flange(s.off(start, -0.82, 0, 0), k.BACK, 0.165, 6, 0.012),
    )
    pipe = [
        s.off(start, -0.85, 0, -0.14),
        s.off(start, -0.85, 0.10, -0.22),
        s.off(start, -0.60, 0.33, -0.22),
        s.off(start, -0.05, 0.33, -0.16),
        s.off(start, 0.04, 0.28, -0.10),
    ]
    looks.add("suction hose", BODY, k.RUBBER, s.hose(pipe, 0.04, 10, 5))


def valves(looks: s.Looks) -> None:
    """Add the valve bank and the bundle of hoses to the boom."""
    at = np.array((-0.10, -0.62, 1.13))
    looks.add("valve block", BODY, k.DARK_GREY, s.block((0.28, 0.52, 0.20), at))
    sections = [
        s.block((0.26, 0.05, 0.05), s.off(at, 0, y, 0.12)) for y in np.linspace(-0.21, 0.21, 5)
    ]
    coils = [
        s.shaft(s.off(at, 0.13, y, 0.06), s.off(at, 0.24, y, 0.06), 0.026, 10)
        for y in np.linspace(-0.21, 0.21, 5)
    ]
    looks.add("valve sections", BODY, k.GREY, *sections)
    looks.add("solenoids", BODY, k.BLACK, *coils)
    ways: list[list[k.Point]] = []
    for i, y in enumerate(np.linspace(-0.18, 0.18, 6)):
        turn = 0.07 * i - 0.17
        ways.append(
            [
                s.off(at, 0.02, y, 0.14),
                s.off(at, 0.05, y, 0.26 + 0.015 * i),
                (0.25, -0.34 + 0.5 * turn, 1.32),
                (0.52, -0.10 + 0.7 * turn, 1.26),
                (0.80, turn, 1.20),
            ]
        )
    looks.add(
        "boom hoses", BODY, k.RUBBER, *(s.hose(way, 0.022, 8, 5) for way in ways), material="rubber"
    )


def cabinet(looks: s.Looks) -> None:
    """Add the flameproof control cabinet with doors, bolts, louvres and cables."""
    at = np.array((-2.06, 0.86, 1.34))
    looks.add("control cabinet", BODY, k.WHITE, s.block((0.78, 0.80, 0.66), at, bevel=0.02))
    doors = [s.block((0.35, 0.03, 0.56), s.off(at, x, 0.41, 0.0)) for x in (-0.19, 0.19)]
    looks.add("cabinet doors", BODY, k.LIGHT_GREY, *doors)
    rims = [
        p
        for x in (-0.19, 0.19)
        for p in s.frame_points(s.off(at, x, 0.425, 0), (0.155, 0, 0), (0, 0, 0.26), (2, 4))
    ]
    looks.add("door bolts", BODY, k.STEEL_GREY, s.bolts(rims, k.Y, 0.012))
    window = s.block((0.16, 0.01, 0.10), s.off(at, -0.19, 0.43, 0.10))
    looks.add("display", BODY, k.BLACK, window)
    handles = [s.block((0.02, 0.04, 0.16), s.off(at, x, 0.44, 0.0)) for x in (-0.03, 0.04)]
    looks.add("door handles", BODY, k.DARK_GREY, *handles)
    stop = s.lathe(
        [(0.0, 0.045), (0.03, 0.045), (0.045, 0.03)], s.off(at, 0.19, 0.425, 0.14), k.Y, 16
    )
    looks.add("emergency stop", BODY, k.RED, stop)
    looks.add(
        "cabinet louvres",
        BODY,
        k.DARK_GREY,
        s.louvres(s.off(at, -0.395, 0, 0.06), (0, -0.28, 0), (0, 0, 0.18), 8),
    )
    looks.add(
        "warning plate",
        BODY,
        k.YELLOW,
        s.name_plate(s.off(at, 0.19, 0.428, -0.12), (-0.08, 0, 0), (0, 0, 0.08)),
    )
    fins = [s.block((0.70, 0.02, 0.03), s.off(at, 0, y, 0.345)) for y in np.linspace(-0.3, 0.3, 7)]
    looks.add("cooling fins", BODY, k.WHITE, *fins)
    cables: list[list[k.Point]] = [
        [
            s.off(at, 0.39, y, -0.2),
            s.off(at, 0.50, y, -0.24),
            s.off(at, 0.52, 0.8 * y - 0.1, -0.33),
            (-1.30, 0.50 + 0.1 * math.sin(9 * y), 1.01),
        ]
        for y in (-0.2, 0.05)
    ]
    looks.add("cabinet cables", BODY, k.BLACK, *(s.hose(way, 0.016, 6, 5) for way in cables))
