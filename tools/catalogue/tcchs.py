"""Top coal caving hydraulic support: four legs, tail beam with insert plate, face guard."""

from __future__ import annotations

import math

import kit as k
import numpy as np
import supports as s
from supports import looks

from headframe.description import Link, Robot

__all__ = ["build", "looks"]

FEET = (0.78, 2.62)  # rear, front
HEADS = (0.60, 2.50)
TAIL_HINGE = (-0.42, 0.24)  # in shield axes
BEAM_HINGE = (2.95, 0.02)  # in canopy axes
NOSE = (1.45, -0.02)  # face guard hinge in the front beam
TAIL = 1.22  # length of the tail beam

INSERT_CLOSED = 0.62  # insert jack when the plate is in

HEAVY = k.Ram(bore=0.14, rod_diameter=0.105, speed=0.08, color=s.LEG)
SLOW = k.Ram(bore=0.14, rod_diameter=0.105, speed=0.06, color=s.LEG)
LIGHT = k.Ram(bore=0.08, rod_diameter=0.06, speed=0.12, acceleration=0.6, color=s.LEG)


def _tail_beam() -> Link:
    """Make the tail beam: frame at its hinge on the shield; it runs along -x."""
    shapes: k.Shapes = [
        k.box((TAIL - 0.10, 1.46, 0.04), (-TAIL / 2 - 0.05, 0, 0.04), s.BODY, "plate"),
        k.box((0.16, 0.66, 0.03), (-0.30, 0, -0.19), s.DARK, "strap"),
        k.box((0.16, 0.66, 0.03), (-1.05, 0, -0.19), s.DARK, "strap"),
        k.both(
            k.box((TAIL - 0.06, 0.06, 0.22), (-TAIL / 2, 0.30, -0.08), s.BODY, "inner_web_left"),
            k.box((TAIL - 0.06, 0.05, 0.20), (-TAIL / 2, 0.70, -0.07), s.BODY, "outer_web_left"),
            k.pin((0, 0.52, 0), 0.13, 0.30, s.BODY),
            k.beam((-0.62, 0.40, -0.08), (-0.70, 0.40, -0.22), 0.10, 0.20, s.DARK, "jack_lug_left"),
        ),
        k.box((0.08, 1.40, 0.14), (-0.30, 0, -0.06), s.DARK, "cross_web"),
        k.pin((0, 0, 0), 0.065, 1.42),
    ]
    touch = [k.box((TAIL, 1.46, 0.24), (-TAIL / 2, 0, -0.06))]
    return k.link("tail_beam", shapes, mass=2000.0, collision=touch)


def _insert_plate() -> Link:
    """Make the plate that slides out of the tail beam; its frame is the tail beam's at 0."""
    shapes: k.Shapes = [
        k.box((0.94, 1.30, 0.05), (-TAIL + 0.42, 0, -0.01), s.WEAR, "plate"),
        k.both(
            k.box((0.84, 0.06, 0.07), (-TAIL + 0.42, 0.50, -0.06), k.DARK_GREY, "runner_left"),
            k.beam((-0.74, 0.16, -0.03), (-0.74, 0.16, -0.11), 0.14, 0.12, k.DARK_GREY),
        ),
        k.box((0.10, 1.34, 0.09), (-TAIL - 0.04, 0, -0.02), k.DARK_GREY, "lip"),
        # Teeth that break the coal.
        *(
            k.cone((-TAIL - 0.06, y, -0.02), (-TAIL - 0.20, y, -0.02), 0.04, k.DARK_GREY)
            for y in (-0.52, -0.26, 0.0, 0.26, 0.52)
        ),
    ]
    touch = [k.box((1.02, 1.30, 0.08), (-TAIL + 0.40, 0, -0.02))]
    return k.link("insert_plate", shapes, mass=650.0, collision=touch)


def _front_beam(guard: s.Guard) -> Link:
    """Make the front beam: frame at its hinge on the canopy, tapering to the nose."""
    length = NOSE[0] - 0.02
    shapes: k.Shapes = [
        k.plate((0.03, 0, 0.20), (length, 0, 0.20), 1.54, 0.04, s.WEAR, "top_plate"),
        k.both(
            k.box((length - 0.05, 0.05, 0.14), (length / 2, 0.27, 0.14), s.BODY, "inner_web_left"),
            k.beam((0.0, 0.27, 0.01), (0.80, 0.27, 0.10), 0.05, 0.18, s.BODY),
            k.box((length - 0.05, 0.06, 0.14), (length / 2, 0.69, 0.14), s.BODY, "outer_web_left"),
            k.beam((0.0, 0.69, 0.01), (0.80, 0.69, 0.10), 0.06, 0.18, s.BODY),
            k.beam(
                (0.16, 0.48, -0.04),
                (length - 0.1, 0.48, 0.09),
                0.40,
                0.04,
                s.DARK,
                "bottom_plate_left",
            ),
            k.pin((0, 0.48, 0), 0.12, 0.36, s.BODY),
            k.beam((0.16, 0.16, 0.14), (0.232, 0.16, -0.35), 0.10, 0.20, s.DARK, "jack_lug_left"),
        ),
        k.box((0.08, 1.50, 0.16), (length - 0.02, 0, 0.14), s.DARK, "nose"),
        k.pin((0, 0, 0), 0.06, 1.44),
        guard.nose_shapes(),
    ]
    touch = [k.box((length, 1.54, 0.22), (length / 2, 0, 0.12))]
    return k.link("front_beam", shapes, mass=2300.0, collision=touch)


def _shield_brackets() -> list[k.Shape]:
    """Shape the lugs of the tail jacks and the hinge of the tail beam."""
    return k.both(
        k.beam((0.20, 0.40, 0.02), (0.20, 0.40, -0.24), 0.10, 0.20, s.DARK, "jack_lug_left"),
        k.beam((-0.42, 0.24, 0.10), (-0.42, 0.24, 0.24), 0.22, 0.24, s.BODY),
        k.pin((-0.42, 0.24, 0.24), 0.13, 0.22, s.BODY),
    )


def _jacks() -> list[k.Cylinder]:
    """Make the pairs of jacks at tail beam, front beam and insert plate."""
    insert = (-0.12, 0.16, -0.10)
    return [
        *k.pair(
            "tail_jack",
            ("shield", (0.20, 0.40, -0.22)),
            ("tail_beam", (-0.70, 0.40, -0.20)),
            (1.10, 1.42),
            HEAVY,
            group="tail_jacks",
        ),
        *k.pair(
            "front_beam_jack",
            ("canopy", (2.26, 0.16, -0.12)),
            ("front_beam", (0.232, 0.16, -0.35)),
            (0.79, 1.00),
            SLOW,
            group="front_beam_jacks",
        ),
        *k.pair(
            "insert_jack",
            ("tail_beam", insert),
            ("insert_plate", np.subtract(insert, (INSERT_CLOSED, 0, 0))),
            (INSERT_CLOSED, 1.02),
            LIGHT,
            group="insert_jacks",
        ),
    ]


def build() -> Robot:
    """Build the machine."""
    guard = s.Guard("front_beam", NOSE)
    brackets = [*s.valve_bank(1.55), *s.beam_brackets(0.16, 0.09, 0.20, web=0.245)]
    return s.support(
        "tcchs",
        "four-leg top coal caving support, 10,100 kN, 2.7 to 3.7 m high with a level canopy, "
        "centres 1.75 m: of the size of the published codes ZF9000/24/40 and ZF15000/23/43 "
        "(medium)",
        home={
            "shield_tail_beam": math.radians(14.0),
            "tail_beam_insert_plate": 0.18,
            "canopy_front_beam": 0.0,
            **guard.home(math.radians(-102.0)),
        },
        links=[
            s.base(FEET, 3.15, mass=7200.0),
            s.front_link(),
            s.shield(4200.0, _shield_brackets(), tail=-0.40, has_tail_beam=True),
            s.rear_link(),
            s.canopy(HEADS, 2.94, 6000.0, brackets),
            _tail_beam(),
            _insert_plate(),
            _front_beam(guard),
            *guard.links(),
        ],
        joints=[
            s.hinge("shield", "tail_beam", TAIL_HINGE),
            k.prismatic("tail_beam_insert_plate", "tail_beam", "insert_plate", axis=k.BACK),
            s.hinge("canopy", "front_beam", BEAM_HINGE),
            *guard.joints(),
        ],
        cylinders=[
            *s.legs("front_leg", FEET[1], HEADS[1], 0.32, 0.27),
            *s.legs("rear_leg", FEET[0], HEADS[0], 0.32, 0.27),
            *_jacks(),
            guard.jack(),
        ],
    )
