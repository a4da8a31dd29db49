"""Top coal caving hydraulic support: four legs, tail beam with insert plate, face guard."""

from __future__ import annotations

import math

import parts as p
import supports as s

FEET = (0.78, 2.62)  # rear, front
HEADS = (0.60, 2.50)
TAIL_HINGE = (-0.42, 0.24)  # in shield axes
BEAM_HINGE = (2.95, 0.02)  # in canopy axes
NOSE = (1.45, -0.02)  # face guard hinge in the front beam
TAIL = 1.22  # length of the tail beam

INSERT_CLOSED = 0.62  # insert jack when the plate is in


def _tail_beam() -> p.Shape:
    """The tail beam: frame at its hinge on the shield, the beam runs along -x."""
    shapes: p.Shapes = [
        p.box((TAIL - 0.10, 1.46, 0.04), (-TAIL / 2 - 0.05, 0, 0.04), color=s.BODY, name="plate"),
        p.box((0.16, 0.66, 0.03), (-0.30, 0, -0.19), color=s.DARK, name="strap"),
        p.box((0.16, 0.66, 0.03), (-1.05, 0, -0.19), color=s.DARK, name="strap"),
        p.both(
            p.box(
                (TAIL - 0.06, 0.06, 0.22),
                (-TAIL / 2, 0.30, -0.08),
                color=s.BODY,
                name="inner_web_left",
            ),
            p.box(
                (TAIL - 0.06, 0.05, 0.20),
                (-TAIL / 2, 0.70, -0.07),
                color=s.BODY,
                name="outer_web_left",
            ),
            p.pin((0, 0.52, 0), 0.13, 0.30, color=s.BODY),
            p.beam((-0.62, 0.40, -0.08), (-0.70, 0.40, -0.22), 0.10, 0.20, s.DARK, "jack_lug_left"),
        ),
        p.box((0.08, 1.40, 0.14), (-0.30, 0, -0.06), color=s.DARK, name="cross_web"),
        p.pin((0, 0, 0), 0.065, 1.42),
    ]
    touch: p.Shapes = [p.box((TAIL, 1.46, 0.24), (-TAIL / 2, 0, -0.06))]
    return p.link("tail_beam", shapes, mass=2000.0, collision=touch)


def _insert_plate() -> p.Shape:
    """The plate that slides out of the tail beam; its frame is the tail beam's at 0."""
    shapes: p.Shapes = [
        p.box((0.94, 1.30, 0.05), (-TAIL + 0.42, 0, -0.01), color=s.WEAR, name="plate"),
        p.both(
            p.box(
                (0.84, 0.06, 0.07),
                (-TAIL + 0.42, 0.50, -0.06),
                color=p.DARK_GREY,
                name="runner_left",
            ),
            p.beam((-0.74, 0.16, -0.03), (-0.74, 0.16, -0.11), 0.14, 0.12, p.DARK_GREY),
        ),
        p.box((0.10, 1.34, 0.09), (-TAIL - 0.04, 0, -0.02), color=p.DARK_GREY, name="lip"),
    ]
    # Teeth that break the coal.
    for i in range(5):
        y = -0.52 + 0.26 * i
        shapes.append(p.cone((-TAIL - 0.06, y, -0.02), (-TAIL - 0.20, y, -0.02), 0.04, p.DARK_GREY))
    touch: p.Shapes = [p.box((1.02, 1.30, 0.08), (-TAIL + 0.40, 0, -0.02))]
    return p.link("insert_plate", shapes, mass=650.0, collision=touch)


def _front_beam(guard: s.Guard) -> p.Shape:
    """The front beam: frame at its hinge on the canopy, tapering to the nose."""
    length = NOSE[0] - 0.02
    shapes: p.Shapes = [
        p.plate((0.03, 0, 0.20), (length, 0, 0.20), 1.54, 0.04, s.WEAR, "top_plate"),
        p.both(
            p.box(
                (length - 0.05, 0.05, 0.14),
                (length / 2, 0.27, 0.14),
                color=s.BODY,
                name="inner_web_left",
            ),
            p.beam((0.0, 0.27, 0.01), (0.80, 0.27, 0.10), 0.05, 0.18, s.BODY),
            p.box(
                (length - 0.05, 0.06, 0.14),
                (length / 2, 0.69, 0.14),
                color=s.BODY,
                name="outer_web_left",
            ),
            p.beam((0.0, 0.69, 0.01), (0.80, 0.69, 0.10), 0.06, 0.18, s.BODY),
            p.beam(
                (0.16, 0.48, -0.04),
                (length - 0.1, 0.48, 0.09),
                0.40,
                0.04,
                s.DARK,
                "bottom_plate_left",
            ),
            p.pin((0, 0.48, 0), 0.12, 0.36, color=s.BODY),
            p.beam((0.16, 0.16, 0.14), (0.232, 0.16, -0.35), 0.10, 0.20, s.DARK, "jack_lug_left"),
        ),
        p.box((0.08, 1.50, 0.16), (length - 0.02, 0, 0.14), color=s.DARK, name="nose"),
        p.pin((0, 0, 0), 0.06, 1.44),
        guard.nose_shapes(),
    ]
    touch: p.Shapes = [p.box((length, 1.54, 0.22), (length / 2, 0, 0.12))]
    return p.link("front_beam", shapes, mass=2300.0, collision=touch)


def build() -> p.Shape:
    """The machine."""
    guard = s.Guard("front_beam", NOSE)
    home = s.lemniscate_home(2.53)
    home |= {
        "shield_tail_beam": math.radians(14.0),
        "tail_beam_insert_plate": 0.18,
        "canopy_front_beam": 0.0,
    }
    home |= guard.home(math.radians(-102.0))

    brackets = p.both(
        p.beam((0.20, 0.40, 0.02), (0.20, 0.40, -0.24), 0.10, 0.20, s.DARK, "jack_lug_left"),
        p.beam((-0.42, 0.24, 0.10), (-0.42, 0.24, 0.24), 0.22, 0.24, s.BODY),
        p.pin((-0.42, 0.24, 0.24), 0.13, 0.22, color=s.BODY),
    )
    canopy_extra = [
        *s.valve_bank(1.55),
        *p.both(
            p.beam((2.26, 0.16, 0.05), (2.26, 0.16, -0.14), 0.09, 0.20, s.DARK, "jack_lug_left"),
            p.box((0.30, 0.05, 0.22), (2.92, 0.245, 0.04), color=s.BODY),
        ),
    ]
    cylinders = [
        *s.legs("front_leg", FEET[1], HEADS[1], 0.32, 0.27),
        *s.legs("rear_leg", FEET[0], HEADS[0], 0.32, 0.27),
        *p.pair(
            "tail_jack",
            "shield",
            "tail_beam",
            (0.20, 0.40, -0.22),
            (-0.70, 0.40, -0.20),
            1.10,
            1.42,
            group="tail_jacks",
            bore=0.14,
            rod_diameter=0.105,
            speed=0.08,
            acceleration=0.5,
            color=s.LEG,
        ),
        *p.pair(
            "front_beam_jack",
            "canopy",
            "front_beam",
            (2.26, 0.16, -0.12),
            (0.232, 0.16, -0.35),
            0.79,
            1.00,
            group="front_beam_jacks",
            bore=0.14,
            rod_diameter=0.105,
            speed=0.06,
            acceleration=0.5,
            color=s.LEG,
        ),
        *p.pair(
            "insert_jack",
            "tail_beam",
            "insert_plate",
            (-0.12, 0.16, -0.10),
            (-0.12 - INSERT_CLOSED, 0.16, -0.10),
            INSERT_CLOSED,
            1.02,
            group="insert_jacks",
            bore=0.08,
            rod_diameter=0.06,
            speed=0.12,
            acceleration=0.6,
            color=s.LEG,
        ),
        guard.jack(),
    ]
    s.strokes(cylinders)
    links = [
        s.base(FEET, 3.15, 7200.0),
        s.front_link(),
        s.shield(4200.0, brackets, tail=-0.40, has_tail_beam=True),
        s.rear_link(),
        s.canopy(HEADS, 2.94, 6000.0, canopy_extra),
        _tail_beam(),
        _insert_plate(),
        _front_beam(guard),
        *guard.links(),
    ]
    joints: p.Shapes = [
        s.lemniscate_joints(),
        p.revolute(
            "shield_tail_beam",
            "shield",
            "tail_beam",
            (TAIL_HINGE[0], 0, TAIL_HINGE[1]),
            axis=s.AXIS,
        ),
        p.joint(
            "tail_beam_insert_plate",
            "tail_beam",
            "insert_plate",
            "prismatic",
            (0, 0, 0),
            axis=(-1.0, 0.0, 0.0),
        ),
        p.revolute(
            "canopy_front_beam",
            "canopy",
            "front_beam",
            (BEAM_HINGE[0], 0, BEAM_HINGE[1]),
            axis=s.AXIS,
        ),
        guard.joints(),
    ]
    provenance = s.sources(
        "four-leg top coal caving support, 10,100 kN, 2.7 to 3.7 m high with a level canopy, "
        "centres 1.75 m: of the size of the published codes ZF9000/24/40 and ZF15000/23/43 (medium)"
    )
    return p.robot("tcchs", "support", "canopy", home, links, joints, cylinders, (), provenance)
