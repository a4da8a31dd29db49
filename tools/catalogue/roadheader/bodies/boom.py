"""Looks of the cutting boom: arm base, supporting arm, telescopic arm, cutting head."""

from __future__ import annotations

import math

import kit as k
import numpy as np
import solids as s

from .. import pins
from ..boom import PROFILE

STARTS, PICKS = 5, 11  # spirals, and picks on each


def arm_base(looks: s.Looks) -> None:
    """Add the turret: slewing table, cheeks, bearings, brackets, hoses."""
    link = "turret"
    bx, _, bz = pins.BOOM
    table = s.lathe([(0.0, 0.58), (0.02, 0.62), (0.12, 0.62), (0.15, 0.56)], (0, 0, 0.0), k.Z, 40)
    looks.add("slewing table", link, k.DARK_GREY, table)
    looks.add("table bolts", link, k.LIGHT_GREY, s.flange((0, 0, 0.145), k.Z, 0.54, 12, 0.017))
    body = [(-0.48, 0.12), (0.40, 0.12), (0.40, 0.32), (0.28, 0.45), (-0.30, 0.45), (-0.48, 0.36)]
    looks.add("arm base", link, k.ORANGE, s.plate(body, 0.0, 0.84, 0.02))
    cheek = s.plate(
        [
            (-0.42, 0.14),
            (0.50, 0.14),
            *[
                (bx + 0.24 * math.cos(a), bz + 0.24 * math.sin(a))
                for a in np.radians((-30, 0, 30, 60, 90, 120))
            ],
            (-0.16, 0.76),
            (-0.42, 0.56),
        ],
        0.48,
        0.11,
        0.015,
    )
    looks.add("cheeks", link, k.ORANGE, s.both(cheek))
    window = s.prism(s.rounded_outline(0.26, 0.18, 0.05), 0.02)
    looks.add(
        "cheek windows",
        link,
        k.DARK_GREY,
        s.both(window.in_axes((-0.18, 0.535, 0.42), k.X, k.Z, k.UP)),
    )
    looks.add("boom bearings", link, k.ORANGE, s.both(s.pin((bx, 0.50, bz), 0.22, 0.16)))
    looks.add(
        "bearing covers",
        link,
        k.STEEL_GREY,
        s.both(s.flange((bx, 0.585, bz), k.Y, 0.135, 6, 0.016)),
    )
    apron = s.plate(
        [(0.20, 0.45), (0.50, 0.40), (0.62, -0.32), (0.50, -0.46), (0.34, -0.40), (0.20, 0.10)],
        0.43,
        0.07,
    )
    x, y, z = pins.LIFT_TURRET
    clevis = [
        s.plate(s.rounds((x, z, 0.115), (0.34, -0.12, 0.10)), y + dy, 0.045)
        for dy in (-0.105, 0.105)
    ]
    looks.add("lift brackets", link, k.ORANGE, s.both(apron, *clevis))
    looks.add("lift pins", link, k.STEEL_GREY, s.both(s.keeper((x, y + 0.15, z), k.Y, 0.055)))
    x, y, z = pins.SLEW_TURRET
    ear = s.prism(s.rounds((0, 0, 0.12), (-0.16, -0.20, 0.12)), 0.10, 0.012).at((x, y, z))
    looks.add("slew ears", link, k.DARK_GREY, s.both(ear))
    looks.add("slew pins", link, k.STEEL_GREY, s.both(s.keeper((x, y, z + 0.16), k.Z, 0.055)))
    back = s.plate([(-0.46, 0.34), (-0.30, 0.40), (-0.28, 0.74), (-0.40, 0.74)], 0.0, 0.84, 0.012)
    looks.add("back plate", link, k.ORANGE, back)
    ways = [
        [
            (-0.46, y0, 0.20),
            (-0.62, y0, 0.48),
            (-0.36, y0 * 0.95, 0.86),
            (0.02, y0 * 0.9, 0.92),
            (0.34, y0, 0.80),
        ]
        for y0 in (-0.24, -0.15, -0.06, 0.06, 0.15, 0.24)
    ]
    looks.add(
        "turret hoses",
        link,
        k.RUBBER,
        *(s.hose(way, 0.022, 8, 5) for way in ways),
        material="rubber",
    )
    comb = s.block((0.05, 0.66, 0.06), (-0.34, 0, 0.80))
    looks.add("hose comb", link, k.DARK_GREY, comb)


def supporting_arm(looks: s.Looks) -> None:
    """Add the boom: foot, motor housing, sleeve, brackets, hoses."""
    link = "boom"
    looks.add("boom foot", link, k.YELLOW, s.pin((0, 0, 0), 0.255, 0.80, 32))
    looks.add(
        "boom pin",
        link,
        k.CHROME,
        s.pin((0, 0, 0), 0.105, 1.24, 24),
        s.both(s.keeper((0, 0.61, 0), k.Y, 0.10)),
    )
    web = s.plate(
        [(0.0, -0.25), (0.62, -0.36), (0.62, 0.40), (0.12, 0.27), (-0.05, 0.24)], 0.33, 0.10, 0.012
    )
    core = s.plate([(0.0, -0.18), (0.60, -0.30), (0.60, 0.33), (0.05, 0.18)], 0.0, 0.60)
    looks.add("boom root", link, k.YELLOW, s.both(web), core)
    section = [
        (0.42, -0.24),
        (0.42, 0.22),
        (0.30, 0.37),
        (-0.30, 0.37),
        (-0.42, 0.22),
        (-0.42, -0.24),
        (-0.32, -0.37),
        (0.32, -0.37),
    ]
    housing = s.prism(section, 0.94, 0.025).in_axes((1.01, 0, 0.02), k.Y, k.Z, k.X)
    looks.add("motor housing", link, k.YELLOW, housing, material="cast steel")
    bands = [
        s.prism([(1.04 * a, 1.05 * b) for a, b in section], 0.05, 0.01).in_axes(
            (x, 0, 0.02), k.Y, k.Z, k.X
        )
        for x in (0.60, 1.44)
    ]
    looks.add("housing bands", link, k.YELLOW, *bands)
    looks.add(
        "housing bolts",
        link,
        k.STEEL_GREY,
        s.bolts([(1.465, 0.97 * y, 0.02 + 0.97 * z) for y, z in section], k.X, 0.016),
    )
    cover = s.block((0.62, 0.52, 0.05), (0.98, 0, 0.41))
    looks.add("motor cover", link, k.WHITE, cover)
    rim = s.frame_points((0.98, 0, 0.435), (0.28, 0, 0), (0, 0.23, 0), (4, 3))
    looks.add("cover bolts", link, k.STEEL_GREY, s.bolts(rim, k.Z, 0.014))
    looks.add(
        "cooling plates",
        link,
        k.DARK_GREY,
        s.both(s.louvres((0.86, -0.425, 0.02), (0.20, 0, 0), (0, 0, 0.16), 8)),
    )
    flange = s.lathe(
        [(0.0, 0.46), (0.03, 0.47), (0.09, 0.47), (0.12, 0.44), (0.24, 0.41)], (1.46, 0, 0), k.X, 40
    )
    sleeve = s.lathe(
        [(0.0, 0.40), (0.30, 0.40), (0.31, 0.415), (0.37, 0.415), (0.38, 0.40), (0.70, 0.40)],
        (1.68, 0, 0),
        k.X,
        40,
    )
    looks.add("telescope sleeve", link, k.YELLOW, flange, sleeve)
    ribs = [
        s.plate([(1.56, 0.38), (2.05, 0.38), (1.99, 0.43), (1.60, 0.46)], 0.0, 0.03, 0.0).at(
            (0, 0, 0), (a, 0, 0)
        )
        for a in np.radians((50, 100, 130, 180, 230, 260, 310))
    ]
    looks.add("sleeve ribs", link, k.YELLOW, *ribs)
    looks.add("flange bolts", link, k.STEEL_GREY, s.flange((1.55, 0, 0), k.X, 0.445, 12, 0.017))
    collar = s.ring(
        [(0.0, 0.455), (0.10, 0.455), (0.10, 0.32), (0.0, 0.32)],
        (2.37, 0, 0),
        k.X,
        40,
    )
    looks.add("front collar", link, k.DARK_GREY, collar)
    looks.add("collar bolts", link, k.LIGHT_GREY, s.flange((2.47, 0, 0), k.X, 0.40, 12, 0.016))
    wiper = s.ring([(0.0, 0.36), (0.03, 0.34), (0.03, 0.312), (0.0, 0.312)], (2.47, 0, 0), k.X, 32)
    looks.add("wiper", link, k.BLACK, wiper, material="rubber")
    x, y, z = pins.LIFT_BOOM
    lug = [
        s.plate(s.rounds((x, z, 0.12), (1.30, -0.06, 0.15)), y + dy, 0.045)
        for dy in (-0.105, 0.105)
    ]
    base = s.block((0.52, 0.18, 0.34), (1.25, 0.45, -0.06))
    looks.add("lift lugs", link, k.YELLOW, s.both(base, *lug))
    looks.add("lift lug pins", link, k.STEEL_GREY, s.both(s.keeper((x, y + 0.15, z), k.Y, 0.055)))
    x, y, z = pins.TELE_BOOM
    ears = [
        s.plate(s.rounds((x, z, 0.08), (x + 0.08, 0.40, 0.12)), dy, 0.035) for dy in (-0.07, 0.07)
    ]
    looks.add("telescope lugs", link, k.YELLOW, *ears)
    looks.add("telescope pin", link, k.STEEL_GREY, s.pin((x, 0, z), 0.04, 0.24, 16))
    ways = [
        [
            (0.06, y0, 0.30),
            (0.30, y0, 0.42),
            (0.62, 1.2 * y0, 0.44),
            (1.30, 1.35 * y0, 0.40),
            (1.60, 1.3 * y0, 0.47),
            (2.10, 1.0 * y0, 0.44),
            (2.36, 0.9 * y0, 0.42),
        ]
        for y0 in (-0.26, -0.21, 0.21, 0.26)
    ]
    looks.add(
        "boom hoses", link, k.RUBBER, *(s.hose(way, 0.02, 8, 4) for way in ways), material="rubber"
    )
    clamps = [
        s.block((0.05, 0.14, 0.06), (px, sign * py, pz))
        for sign in (-1, 1)
        for px, py, pz in ((0.70, 0.285, 0.42), (1.30, 0.315, 0.38), (1.95, 0.25, 0.43))
    ]
    looks.add("hose clamps", link, k.STEEL_GREY, *clamps)
    housing_, lens = s.lamp((1.62, 0.40, 0.36), k.X, 0.055)
    stay = s.block((0.06, 0.04, 0.10), (1.57, 0.38, 0.28))
    looks.add("boom lamps", link, k.DARK_GREY, s.both(housing_, stay))
    looks.add("boom lenses", link, k.WHITE, s.both(lens), lamp="yes")
    looks.add(
        "boom stripes",
        link,
        k.BLACK,
        s.both(s.stripes((1.0, -0.443, -0.21), (0.38, 0, 0), (0, 0, 0.03), 7)),
    )


def telescopic_arm(looks: s.Looks) -> None:
    """Add the arm that slides in the sleeve, up to the drum's bearing."""
    link = "cutter_head"
    looks.add(
        "telescopic arm",
        link,
        k.CHROME,
        s.lathe([(0.0, 0.30), (0.01, 0.31), (1.54, 0.31), (1.55, 0.30)], (-2.50, 0, 0), k.X, 40),
        material="chromed steel",
    )
    keys = [
        s.block((1.30, 0.05, 0.02), (-1.75, 0, 0.314)).at((0, 0, 0), (a, 0, 0))
        for a in np.radians((90, 270))
    ]
    looks.add("sliding keys", link, k.STEEL_GREY, *keys)
    ring = s.lathe(
        [(0.0, 0.44), (0.015, 0.455), (0.065, 0.455), (0.08, 0.44)], (-1.06, 0, 0), k.X, 36
    )
    looks.add("spray ring", link, k.DARK_GREY, ring)
    bearing = s.lathe(
        [(0.0, 0.42), (0.10, 0.42), (0.12, 0.40), (0.26, 0.38), (0.36, 0.36)],
        (-0.98, 0, 0),
        k.X,
        36,
    )
    looks.add("head bearing", link, k.YELLOW, bearing)
    looks.add("bearing bolts", link, k.STEEL_GREY, s.flange((-1.06, 0, 0), k.BACK, 0.40, 12, 0.016))
    shaft = s.lathe(
        [(0.0, 0.22), (0.02, 0.22), (0.04, 0.18), (0.90, 0.18), (0.92, 0.16)],
        (-0.62, 0, 0),
        k.X,
        24,
    )
    looks.add("drum shaft", link, k.DARK_GREY, shaft)
    nozzles = []
    for a in np.radians(np.arange(20, 380, 45)):
        way = k.about_x(a)
        start = np.array([-0.99, 0, 0]) + 0.415 * way
        nozzles.append(s.lathe([(0.0, 0.03), (0.075, 0.02)], start, s.off(way, 1.2, 0, 0), 6))
    looks.add("nozzles", link, k.BRASS, *nozzles)
    x, y, z = pins.TELE_HEAD
    ears = [
        s.plate(s.rounds((x, z, 0.08), (x + 0.06, 0.40, 0.12)), dy, 0.035) for dy in (-0.065, 0.065)
    ]
    looks.add("telescope lugs", link, k.YELLOW, *ears)
    looks.add("telescope pin", link, k.STEEL_GREY, s.pin((x, y, z), 0.04, 0.24, 16))
    pipe = s.tube(
        [(-1.30, 0.14, 0.30), (-1.12, 0.18, 0.46), (-1.00, 0.20, 0.46), (-0.99, 0.20, 0.40)],
        0.016,
        8,
        4,
    )
    looks.add("spray water pipe", link, k.BRASS, pipe)


def cutting_head(looks: s.Looks) -> None:
    """Add the drum with its vanes and the picks in spirals."""
    link = "cutting_drum"
    xs, rs = np.array(PROFILE).T
    fine = np.linspace(xs[0], xs[-1], 10)
    radii = np.interp(fine, xs, rs)
    radii = np.convolve(np.pad(radii, 1, mode="edge"), (0.25, 0.5, 0.25), mode="valid")
    profile = [(0.0, radii[0] - 0.05), *((x - xs[0], r) for x, r in zip(fine, radii, strict=True))]
    profile += [(1.18, 0.115), (1.225, 0.08), (1.25, 0.0)]
    looks.add(
        "drum", link, k.STEEL_GREY, s.lathe(profile, (xs[0], 0, 0), k.X, 40), material="steel"
    )
    rear = s.ring(
        [(0.0, 0.445), (0.07, 0.455), (0.07, 0.30), (0.0, 0.30)],
        (-0.585, 0, 0),
        k.X,
        40,
    )
    looks.add("rear ring", link, k.DARK_GREY, rear)
    for start in range(STARTS):
        way = []
        for t in np.linspace(-0.02, 1.0, 11):
            x, radius, angle = _place(start / STARTS, t)
            way.append(np.array([x, 0, 0]) + (radius + 0.004) * k.about_x(angle))
        looks.add(f"vane {start + 1}", link, k.GREY, s.tube(way, 0.040, 5, 1))
        holders: list[s.Solid] = []
        shanks: list[s.Solid] = []
        tips: list[s.Solid] = []
        for i in range(PICKS):
            for group, solid in zip(
                (holders, shanks, tips), _pick(start / STARTS, i / (PICKS - 1)), strict=True
            ):
                group.append(solid)
        looks.add(f"holders {start + 1}", link, k.DARK_GREY, *holders)
        looks.add(f"picks {start + 1}", link, k.STEEL_GREY, *shanks, count=str(PICKS))
        looks.add(f"tips {start + 1}", link, k.CARBIDE, *tips, material="tungsten carbide")
    holders, shanks, tips = [], [], []
    for a in np.radians((45, 165, 285)):
        ahead = np.array([1.0, 0, 0]) + 0.42 * k.about_x(a)
        base = np.array([0.60, 0, 0]) + 0.065 * k.about_x(a)
        for group, solid in zip((holders, shanks, tips), _tool(base, ahead), strict=True):
            group.append(solid)
    looks.add("nose holders", link, k.DARK_GREY, *holders)
    looks.add("nose picks", link, k.STEEL_GREY, *shanks, count="3")
    looks.add("nose tips", link, k.CARBIDE, *tips, material="tungsten carbide")


def _place(start: float, t: float) -> tuple[float, float, float]:
    """Give x [m], radius [m] and angle [rad] at the share `t` of a spiral."""
    x = -0.52 + 1.04 * t
    return x, float(np.interp(x, *np.array(PROFILE).T)), 2 * math.pi * (start + 0.75 * t)


def _pick(start: float, t: float) -> tuple[s.Solid, s.Solid, s.Solid]:
    """Shape holder, shank and tip of the pick at the share `t` of a spiral."""
    x, radius, angle = _place(start, t)
    outward = k.about_x(angle)
    lean = 0.2 + 0.85 * t**2  # to the front towards the nose
    way = math.cos(lean) * outward + [math.sin(lean), 0, 0] + 0.40 * np.cross(k.X, outward)
    return _tool([x, 0, 0] + outward * (radius - 0.02), way)


def _tool(base: k.Point, way: k.Point) -> tuple[s.Solid, s.Solid, s.Solid]:
    """Shape a point-attack pick in its holder, from `base` along a direction."""
    holder = s.lathe([(0.0, 0.064), (0.10, 0.046)], base, way, 6)
    shank = s.lathe([(0.09, 0.038), (0.18, 0.017)], base, way, 6)
    tip = s.lathe([(0.178, 0.016), (0.215, 0.0)], base, way, 5)
    return s.without_foot(holder), s.without_foot(shank), s.without_foot(tip)
