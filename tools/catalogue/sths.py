"""Shield-type hydraulic support: two legs, balance jack, face guard driven through a four-bar."""

from __future__ import annotations

import math

import parts as p
import supports as s

FOOT = 1.42
HEAD = 1.50
NOSE = (3.78, -0.02)  # face guard hinge in the canopy
BALANCE_SHIELD = (-0.72, -0.62)  # from the canopy hinge, in shield axes
BALANCE_CANOPY = (0.66, -0.42)


def _canopy_nose(guard: s.Guard) -> list[p.Shape]:
    """The slender front part of the rigid canopy, and the brackets of the guard."""
    start, end = 2.45, NOSE[0] - 0.02
    middle, length = (start + end) / 2, end - start
    return [
        p.box((length, 1.52, 0.04), (middle, 0, 0.24), color=s.WEAR, name="tip_plate"),
        *p.both(
            p.box((length, 0.05, 0.14), (middle, 0.27, 0.16), color=s.BODY),
            p.beam((start, 0.27, 0.0), (end - 0.25, 0.27, 0.13), 0.05, 0.18, s.BODY),
            p.box((length, 0.06, 0.14), (middle, 0.69, 0.16), color=s.BODY),
            p.beam((start, 0.69, 0.0), (end - 0.25, 0.69, 0.13), 0.06, 0.18, s.BODY),
            p.beam((start, 0.48, -0.06), (end - 0.15, 0.48, 0.10), 0.40, 0.04, s.DARK),
        ),
        p.box((0.08, 1.50, 0.16), (end - 0.02, 0, 0.15), color=s.DARK, name="nose"),
        *guard.nose_shapes(),
    ]


def build() -> p.Shape:
    """The machine."""
    guard = s.Guard("canopy", NOSE)
    home = s.lemniscate_home(2.53)
    home |= guard.home(math.radians(-102.0))

    hx, hz = s.HINGE
    bx, bz = hx + BALANCE_SHIELD[0], hz + BALANCE_SHIELD[1]
    shield_extra = p.both(
        p.beam((bx - 0.02, 0.10, 0.10), (bx, 0.10, bz), 0.05, 0.30, s.DARK, "balance_lug_left"),
        p.pin((bx, 0.10, bz), 0.13, 0.05, color=s.DARK),
        p.beam((bx - 0.35, 0.10, 0.10), (bx - 0.05, 0.10, bz + 0.1), 0.05, 0.16, s.DARK),
    )
    cx, cz = BALANCE_CANOPY
    canopy_extra = [
        *p.both(
            p.beam((cx + 0.04, 0.10, 0.02), (cx, 0.10, cz), 0.05, 0.26, s.DARK, "balance_lug_left"),
            p.pin((cx, 0.10, cz), 0.12, 0.05, color=s.DARK),
        ),
        *_canopy_nose(guard),
        *s.valve_bank(2.15),
    ]
    cylinders = [
        *s.legs("leg", FOOT, HEAD, 0.40, 0.34),
        p.cylinder(
            "balance_jack",
            "shield",
            "canopy",
            (bx, 0, bz),
            (cx, 0, cz),
            0.83,
            1.17,
            group="balance_jack",
            bore=0.20,
            rod_diameter=0.14,
            speed=0.05,
            acceleration=0.4,
            color=s.LEG,
        ),
        guard.jack(),
    ]
    s.strokes(cylinders)
    links = [
        s.base((FOOT,), 2.75, 7000.0),
        s.front_link(),
        s.shield(4600.0, shield_extra),
        s.rear_link(),
        s.canopy((HEAD,), 2.50, 6800.0, canopy_extra),
        *guard.links(),
    ]
    joints: p.Shapes = [s.lemniscate_joints(), guard.joints()]
    provenance = s.sources(
        "two-leg shield support, 7,900 kN, 2.7 to 3.7 m high with a level canopy, centres 1.75 m: "
        "of the size of the published code ZY10000/22/45D (medium)"
    )
    machine = p.robot("sths", "support", "canopy", home, links, joints, cylinders, (), provenance)
    return s.repainted(
        machine,
        {
            s.BODY: (0.22, 0.42, 0.66, 1.0),
            s.DARK: (0.17, 0.33, 0.54, 1.0),
            s.PLATE: (0.26, 0.47, 0.70, 1.0),
            s.LINK: (0.90, 0.55, 0.10, 1.0),
        },
    )
