"""Looks of the main body: frame, bearing, decks, nose, lamps."""

from __future__ import annotations

import kit as k
import numpy as np
import solids as s

from .. import pins

BODY = "main_body"


def hull(looks: s.Looks) -> None:
    """Add the frame and what is welded and bolted to it."""
    outline = [(-2.20, 0.46), (-2.05, 0.36), (0.80, 0.34), (1.22, 0.44), (1.22, 0.80), (0.62, 0.88)]
    outline += [(-2.20, 0.88)]
    looks.add("main frame", BODY, k.YELLOW, s.plate(outline, 0.0, 1.44, 0.012), material="steel")
    webs = [s.plate(outline, 0.75 * sign, 0.06) for sign in (-1, 1)]
    looks.add("side webs", BODY, k.YELLOW, *webs)
    gussets = [
        s.plate([(x - 0.03, 0.5), (x + 0.03, 0.5), (x + 0.03, 0.86), (x - 0.03, 0.86)], 0.0, 1.62)
        for x in (-1.5, -0.4, 0.5)
    ]
    looks.add("frame ribs", BODY, k.YELLOW, *gussets)
    belly = s.block((2.6, 1.2, 0.03), (-0.65, 0, 0.345))
    looks.add("belly plate", BODY, k.DARK_GREY, belly)
    bearing(looks)
    decks(looks)
    nose(looks)
    lamps(looks)
    steps(looks)


def bearing(looks: s.Looks) -> None:
    """Add pedestal and slewing bearing."""
    x, _, z = pins.SLEW
    pedestal = s.lathe(
        [(0.0, 0.60), (0.10, 0.585), (0.22, 0.54), (0.30, 0.54)], (x, 0, 0.62), (0, 0, 1), 40
    )
    base = s.block((0.70, 1.20, 0.20), (0.98, 0, 0.84))
    looks.add("pedestal", BODY, k.YELLOW, pedestal, base)
    race = s.ring(
        [(0.0, 0.60), (0.07, 0.60), (0.07, 0.42), (0.0, 0.42)], (x, 0, z - 0.08), (0, 0, 1), 40
    )
    looks.add("slewing bearing", BODY, k.DARK_GREY, race, material="bearing steel")
    looks.add(
        "bearing bolts", BODY, k.LIGHT_GREY, s.flange((x, 0, z - 0.01), (0, 0, 1), 0.575, 12, 0.017)
    )
    ribs = []
    for a in np.radians((40, 65, 90, 115, 140, -40, -65, -90, -115, -140)):
        foot = (x + 0.56 * np.cos(a), 0.56 * np.sin(a), 0.76)
        ribs.append(s.block((0.10, 0.025, 0.24)).at(foot, (0, 0, a)))
    looks.add("pedestal ribs", BODY, k.YELLOW, *ribs)


def decks(looks: s.Looks) -> None:
    """Add decks over the crawlers, their edges, bolts, stripes and fenders."""
    deck = s.block((2.70, 0.92, 0.04), (-1.05, 0.87, 0.975))
    skirt = s.block((2.70, 0.03, 0.11), (-1.05, 1.32, 0.935))
    looks.add("decks", BODY, k.YELLOW, s.both(deck, skirt))
    outline = [
        (0.28, 0.920),
        (1.83, 0.920),
        (2.05, 0.62),
        (2.085, 0.64),
        (1.86, 0.965),
        (0.28, 0.965),
    ]
    looks.add("fenders", BODY, k.YELLOW, s.both(s.plate(outline, 1.15, 0.56, 0.006)))
    ends = s.stripes((1.07, -1.433, 0.942), (0.70, 0, 0), (0, 0, 0.018), 10)
    along = s.stripes((-1.05, -1.337, 0.935), (1.30, 0, 0), (0, 0, 0.045), 16)
    looks.add("hazard stripes", BODY, k.BLACK, s.both(ends, along))
    screws = s.bolts(
        [
            *s.row((-2.32, 1.26, 0.995), (0.22, 1.26, 0.995), 5),
            *s.row((0.36, 1.38, 0.965), (1.78, 1.38, 0.965), 3),
            *s.row((0.36, 0.92, 0.965), (1.78, 0.92, 0.965), 3),
        ],
        (0, 0, 1),
        0.013,
    )
    looks.add("deck bolts", BODY, k.STEEL_GREY, s.both(screws))


def nose(looks: s.Looks) -> None:
    """Add nose and hinge plates, brackets of slew cylinders, the apron's hinge."""
    ax, ay, az = pins.APRON_BODY
    cheek = s.plate(
        [
            (1.02, 0.72),
            (1.95, 0.78),
            (2.05, 0.90),
            (2.05, 1.04),
            (1.90, 1.10),
            (1.10, 1.05),
            (1.02, 0.98),
        ],
        ay,
        0.05,
    )
    outer = s.plate(s.rounds((ax, az, 0.12), (1.55, 0.92, 0.13)), ay + 0.13, 0.04)
    inner = s.plate(s.rounds((ax, az, 0.12), (1.55, 0.92, 0.13)), ay - 0.13, 0.04)
    looks.add("nose plates", BODY, k.YELLOW, s.both(cheek, outer, inner))
    hinge = s.plate(
        [
            (1.02, 0.28),
            (1.62, 0.24),
            *[
                (1.75 + 0.15 * np.cos(a), 0.38 + 0.15 * np.sin(a))
                for a in np.radians((-90, -50, -10, 30, 70))
            ],
            (1.55, 0.66),
            (1.02, 0.68),
        ],
        0.66,
        0.06,
    )
    looks.add("hinge plates", BODY, k.YELLOW, s.both(hinge))
    looks.add("apron hinge", BODY, k.DARK_GREY, s.pin(pins.APRON, 0.085, 1.74))
    looks.add(
        "hinge keepers", BODY, k.STEEL_GREY, s.both(s.keeper((1.75, 0.87, 0.38), (0, 1, 0), 0.085))
    )
    looks.add(
        "jack pins", BODY, k.DARK_GREY, s.both(s.keeper((ax, ay + 0.18, az), (0, 1, 0), 0.05))
    )
    x, y, z = pins.SLEW_BODY
    ears = [
        s.prism(s.rounds((0, 0, 0.11), (-0.16, 0.0, 0.14)), 0.05).at((x, y, z + dz))
        for dz in (-0.11, 0.11)
    ]
    post = s.block((0.16, 0.24, 0.34), (x - 0.19, y, z - 0.06))
    foot = s.block((0.40, 0.34, 0.05), (x - 0.12, y, 1.0))
    looks.add("slew brackets", BODY, k.DARK_GREY, s.both(*ears, post, foot))
    looks.add("slew pins", BODY, k.STEEL_GREY, s.both(s.keeper((x, y, z + 0.15), k.Z, 0.055)))
    nuts = s.frame_points((x - 0.12, y, 1.025), (0.16, 0, 0), (0, 0.13, 0), (2, 2))
    looks.add("bracket bolts", BODY, k.LIGHT_GREY, s.both(s.bolts(nuts, k.Z, 0.016)))


def lamps(looks: s.Looks) -> None:
    """Add headlights on their masts."""
    housing, lens = s.lamp((-0.10, 1.16, 1.34), k.X, 0.095)
    small, small_lens = s.lamp((0.40, 1.25, 1.06), k.X, 0.06)
    mast = s.tube([(-0.22, 1.16, 0.99), (-0.22, 1.16, 1.15), (-0.20, 1.16, 1.28)], 0.026, 8, 3)
    foot = s.block((0.12, 0.12, 0.02), (-0.22, 1.16, 1.0))
    stand = s.block((0.04, 0.05, 0.10), (0.34, 1.25, 1.0))
    looks.add("lamp housings", BODY, k.DARK_GREY, s.both(housing, small, mast, foot, stand))
    looks.add("headlights", BODY, k.WHITE, s.both(lens, small_lens), material="glass", lamp="yes")


def steps(looks: s.Looks) -> None:
    """Add the steps up to the operator's place and the rails beside them."""
    treads = [s.block((0.34, 0.12, 0.03), (-0.30, 1.40, z)) for z in (0.72, 0.90)]
    cheeks = [
        s.plate(
            [(x - 0.01, 0.66), (x + 0.01, 0.66), (x + 0.01, 0.98), (x - 0.01, 0.98)],
            1.38,
            0.10,
            0.0,
        )
        for x in (-0.47, -0.13)
    ]
    looks.add("steps", BODY, k.DARK_GREY, *treads, *cheeks)
    loop = [(-0.50, 1.33, 1.0), (-0.50, 1.33, 1.5), (-0.46, 1.33, 1.62), (-0.44, 1.30, 1.70)]
    looks.add("grab rails", BODY, k.ORANGE, s.rail(loop))
