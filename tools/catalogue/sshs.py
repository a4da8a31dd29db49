"""Support-shield hydraulic support: four legs, front beam, telescopic extension, face guard."""

from __future__ import annotations

import math

import kit as k
import supports as s
from supports import looks

from headframe.description import Link, Robot

__all__ = ["build", "looks"]

FEET = (0.78, 2.62)  # rear, front
HEADS = (0.60, 2.50)
BEAM_HINGE = (2.95, 0.02)  # in canopy axes
BEAM = 1.28  # length of the front beam
NOSE = (1.33, -0.02)  # face guard hinge in the extension
GUARD = 0.95  # length of the guard plate
GUARD_JACK = (0.51, 0.06)  # on the extension
GUARD_ARM = (0.30, -0.10)  # on the guard, x down the plate, z to the coal

HEAVY = k.Ram(bore=0.16, rod_diameter=0.12, speed=0.06, color=s.LEG)
LIGHT = k.Ram(bore=0.08, rod_diameter=0.06, speed=0.12, acceleration=0.6, color=s.LEG)
PAINT = s.Paint(
    body=(0.80, 0.36, 0.10, 1.0),
    dark=(0.64, 0.28, 0.08, 1.0),
    plate=(0.86, 0.44, 0.16, 1.0),
    link=(0.28, 0.32, 0.36, 1.0),
)


def _front_beam() -> Link:
    """Make the front beam: frame at its hinge on the canopy; the extension slides in it."""
    shapes: k.Shapes = [
        k.plate((0.03, 0, 0.20), (BEAM, 0, 0.20), 1.54, 0.04, s.WEAR, "top_plate"),
        k.both(
            k.box((BEAM - 0.05, 0.05, 0.20), (BEAM / 2, 0.25, 0.11), s.BODY, "inner_web_left"),
            k.box((BEAM - 0.05, 0.06, 0.20), (BEAM / 2, 0.73, 0.11), s.BODY, "outer_web_left"),
            k.beam((0.0, 0.25, 0.0), (0.70, 0.25, 0.06), 0.05, 0.18, s.BODY),
            k.beam((0.0, 0.73, 0.0), (0.70, 0.73, 0.06), 0.06, 0.18, s.BODY),
            k.pin((0, 0.49, 0), 0.12, 0.40, s.BODY),
            k.box((0.40, 0.16, 0.03), (BEAM - 0.25, 0.62, 0.02), s.DARK, "guide_left"),
            k.beam((0.16, 0.11, 0.14), (0.232, 0.11, -0.35), 0.04, 0.20, s.DARK, "jack_lug_left"),
            k.pin((0.232, 0.11, -0.35), 0.10, 0.04, s.DARK),
        ),
        k.box((0.30, 0.46, 0.05), (0.18, 0, 0.16), s.DARK),
        k.box((0.10, 0.16, 0.14), (0.15, 0.45, 0.10), s.DARK, "extension_jack_foot"),
        k.pin((0, 0, 0), 0.06, 1.48),
    ]
    touch = [k.box((BEAM, 1.54, 0.24), (BEAM / 2, 0, 0.12))]
    return k.link("front_beam", shapes, mass=1900.0, collision=touch)


def _extension() -> Link:
    """Make the telescopic extension; its frame is the front beam's at 0."""
    x, z = NOSE
    start, end = 0.36, x - 0.02
    middle, length = (start + end) / 2, end - start
    jx, jz = GUARD_JACK
    shapes: k.Shapes = [
        k.box((length, 1.36, 0.03), (middle, 0, 0.175), s.PLATE, "plate"),
        k.both(
            k.box((length, 0.12, 0.10), (middle, 0.62, 0.11), s.PLATE, "slide_left"),
            k.box((length, 0.06, 0.10), (middle, 0.32, 0.11), s.PLATE),
            k.beam((x - 0.05, 0.36, 0.15), (x, 0.36, z), 0.05, 0.11, s.PLATE),
            k.pin((x, 0.36, z), 0.06, 0.05, s.PLATE),
            k.box((0.20, 0.04, 0.18), (jx, 0.08, jz + 0.05), s.PLATE),
        ),
        k.box((0.08, 1.46, 0.13), (end - 0.02, 0, 0.135), s.DARK, "nose"),
        k.box((0.10, 0.14, 0.14), (0.95, 0.45, 0.10), s.DARK),
    ]
    touch = [k.box((length, 1.40, 0.14), (middle, 0, 0.12))]
    return k.link("extension", shapes, mass=780.0, collision=touch)


def _face_guard() -> Link:
    """Make the guard plate: frame at its hinge, x down the plate, z to the coal."""
    x, z = GUARD_ARM
    shapes: k.Shapes = [
        s.panel((0.0, 0.0), GUARD, 1.42, 0.25),
        k.both(
            k.pin((0, 0.29, 0), 0.06, 0.08, k.RED),
            k.beam((x, 0.085, 0.03), (x, 0.085, z), 0.03, 0.16, k.ORANGE),
        ),
        k.box((0.06, 1.24, 0.07), (0.55, 0, 0.0), k.ORANGE),
        k.pin((0, 0, 0), 0.035, 0.80),
    ]
    touch = [k.box((GUARD, 1.42, 0.1), (0.05 + GUARD / 2, 0, 0.02))]
    return k.link("face_guard", shapes, mass=600.0, collision=touch)


def _jacks() -> list[k.Cylinder]:
    """Make the jacks of front beam, extension and face guard."""
    return [
        k.cylinder(
            "front_beam_jack",
            ("canopy", (2.26, 0, -0.12)),
            ("front_beam", (0.232, 0, -0.35)),
            (0.79, 1.00),
            HEAVY,
        ),
        k.cylinder(
            "extension_jack",
            ("front_beam", (0.15, 0.45, 0.05)),
            ("extension", (0.95, 0.45, 0.05)),
            (0.80, 1.30),
            LIGHT,
        ),
        k.cylinder(
            "face_guard_jack",
            ("extension", s.in_plane(GUARD_JACK)),
            ("face_guard", s.in_plane(GUARD_ARM)),
            (0.58, 0.90),
            LIGHT,
        ),
    ]


def build() -> Robot:
    """Build the machine."""
    brackets = [*s.valve_bank(1.55), *s.beam_brackets(0.11, 0.04, 0.22, web=0.20)]
    return s.support(
        "sshs",
        "four-leg support-shield, 7,700 kN, 2.7 to 3.7 m high with a level canopy, centres 1.75 m: "
        "of the size of the published code ZZ6000/17/32 (medium)",
        home={
            "canopy_front_beam": 0.0,
            "front_beam_extension": 0.28,
            "extension_face_guard": math.radians(-102.0),
        },
        links=[
            s.base(FEET, 3.15, mass=6600.0),
            s.front_link(),
            s.shield(3900.0),
            s.rear_link(),
            s.canopy(HEADS, 2.94, 5600.0, brackets),
            _front_beam(),
            _extension(),
            _face_guard(),
        ],
        joints=[
            s.hinge("canopy", "front_beam", BEAM_HINGE),
            k.prismatic("front_beam_extension", "front_beam", "extension"),
            s.hinge("extension", "face_guard", NOSE),
        ],
        cylinders=[
            *s.legs("front_leg", FEET[1], HEADS[1], 0.28, 0.235),
            *s.legs("rear_leg", FEET[0], HEADS[0], 0.28, 0.235),
            *_jacks(),
        ],
        paint=PAINT,
    )
