"""Shield-type hydraulic support: two legs, balance jack, face guard driven through a four-bar."""

from __future__ import annotations

import math

import kit as k
import supports as s
from supports import looks

from headframe.description import Robot

__all__ = ["build", "looks"]

FOOT = 1.42
HEAD = 1.50
NOSE = (3.78, -0.02)  # face guard hinge in the canopy
BALANCE_SHIELD = (s.HINGE[0] - 0.72, s.HINGE[1] - 0.62)  # balance jack, in shield axes
BALANCE_CANOPY = (0.66, -0.42)  # ... and in canopy axes

PAINT = s.Paint(
    body=(0.22, 0.42, 0.66, 1.0),
    dark=(0.17, 0.33, 0.54, 1.0),
    plate=(0.26, 0.47, 0.70, 1.0),
    link=(0.90, 0.55, 0.10, 1.0),
)


def _canopy_nose(guard: s.Guard) -> list[k.Shape]:
    """Shape the slender front part of the rigid canopy and the brackets of the guard."""
    start, end = 2.45, NOSE[0] - 0.02
    middle, length = (start + end) / 2, end - start
    return [
        k.box((length, 1.52, 0.04), (middle, 0, 0.24), s.WEAR, "tip_plate"),
        *k.both(
            k.box((length, 0.05, 0.14), (middle, 0.27, 0.16), s.BODY),
            k.beam((start, 0.27, 0.0), (end - 0.25, 0.27, 0.13), 0.05, 0.18, s.BODY),
            k.box((length, 0.06, 0.14), (middle, 0.69, 0.16), s.BODY),
            k.beam((start, 0.69, 0.0), (end - 0.25, 0.69, 0.13), 0.06, 0.18, s.BODY),
            k.beam((start, 0.48, -0.06), (end - 0.15, 0.48, 0.10), 0.40, 0.04, s.DARK),
        ),
        k.box((0.08, 1.50, 0.16), (end - 0.02, 0, 0.15), s.DARK, "nose"),
        *guard.nose_shapes(),
    ]


def _shield_lugs() -> list[k.Shape]:
    """Shape the balance jack's lugs on the shield."""
    x, z = BALANCE_SHIELD
    return k.both(
        k.beam((x - 0.02, 0.10, 0.10), (x, 0.10, z), 0.05, 0.30, s.DARK, "balance_lug_left"),
        k.pin((x, 0.10, z), 0.13, 0.05, s.DARK),
        k.beam((x - 0.35, 0.10, 0.10), (x - 0.05, 0.10, z + 0.1), 0.05, 0.16, s.DARK),
    )


def _canopy_lugs() -> list[k.Shape]:
    """Shape the balance jack's lugs on the canopy."""
    x, z = BALANCE_CANOPY
    return k.both(
        k.beam((x + 0.04, 0.10, 0.02), (x, 0.10, z), 0.05, 0.26, s.DARK, "balance_lug_left"),
        k.pin((x, 0.10, z), 0.12, 0.05, s.DARK),
    )


def build() -> Robot:
    """Build the machine."""
    guard = s.Guard("canopy", NOSE)
    balance = k.cylinder(
        "balance_jack",
        ("shield", s.in_plane(BALANCE_SHIELD)),
        ("canopy", s.in_plane(BALANCE_CANOPY)),
        (0.83, 1.17),
        k.Ram(bore=0.20, rod_diameter=0.14, speed=0.05, acceleration=0.4, color=s.LEG),
    )
    extra = [*_canopy_lugs(), *_canopy_nose(guard), *s.valve_bank(2.15)]
    return s.support(
        "sths",
        "two-leg shield support, 7,900 kN, 2.7 to 3.7 m high with a level canopy, centres 1.75 m: "
        "of the size of the published code ZY10000/22/45D (medium)",
        home=guard.home(math.radians(-102.0)),
        links=[
            s.base((FOOT,), 2.75, mass=7000.0),
            s.front_link(),
            s.shield(4600.0, _shield_lugs()),
            s.rear_link(),
            s.canopy((HEAD,), 2.50, 6800.0, extra),
            *guard.links(),
        ],
        joints=guard.joints(),
        cylinders=[*s.legs("leg", FOOT, HEAD, 0.40, 0.34), balance, guard.jack()],
        paint=PAINT,
    )
