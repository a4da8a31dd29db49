"""Support-shield hydraulic support: four legs, front beam, telescopic extension, face guard."""

from __future__ import annotations

import math

import parts as p
import supports as s

FEET = (0.78, 2.62)  # rear, front
HEADS = (0.60, 2.50)
BEAM_HINGE = (2.95, 0.02)  # in canopy axes
BEAM = 1.28  # length of the front beam
NOSE = (1.33, -0.02)  # face guard hinge in the extension
GUARD = 0.95  # length of the guard plate
GUARD_JACK = (0.51, 0.06)  # on the extension
GUARD_ARM = (0.30, -0.10)  # on the guard, x down the plate, z to the coal


def _front_beam() -> p.Shape:
    """The front beam: frame at its hinge on the canopy; the extension slides in it."""
    shapes: p.Shapes = [
        p.plate((0.03, 0, 0.20), (BEAM, 0, 0.20), 1.54, 0.04, s.WEAR, "top_plate"),
        p.both(
            p.box(
                (BEAM - 0.05, 0.05, 0.20),
                (BEAM / 2, 0.25, 0.11),
                color=s.BODY,
                name="inner_web_left",
            ),
            p.box(
                (BEAM - 0.05, 0.06, 0.20),
                (BEAM / 2, 0.73, 0.11),
                color=s.BODY,
                name="outer_web_left",
            ),
            p.beam((0.0, 0.25, 0.0), (0.70, 0.25, 0.06), 0.05, 0.18, s.BODY),
            p.beam((0.0, 0.73, 0.0), (0.70, 0.73, 0.06), 0.06, 0.18, s.BODY),
            p.pin((0, 0.49, 0), 0.12, 0.40, color=s.BODY),
            p.box((0.40, 0.16, 0.03), (BEAM - 0.25, 0.62, 0.02), color=s.DARK, name="guide_left"),
            p.beam((0.16, 0.11, 0.14), (0.232, 0.11, -0.35), 0.04, 0.20, s.DARK, "jack_lug_left"),
            p.pin((0.232, 0.11, -0.35), 0.10, 0.04, color=s.DARK),
        ),
        p.box((0.30, 0.46, 0.05), (0.18, 0, 0.16), color=s.DARK),
        p.box((0.10, 0.16, 0.14), (0.15, 0.45, 0.10), color=s.DARK, name="extension_jack_foot"),
        p.pin((0, 0, 0), 0.06, 1.48),
    ]
    touch: p.Shapes = [p.box((BEAM, 1.54, 0.24), (BEAM / 2, 0, 0.12))]
    return p.link("front_beam", shapes, mass=1900.0, collision=touch)


def _extension() -> p.Shape:
    """The telescopic extension; its frame is the front beam's at 0."""
    x, z = NOSE
    start, end = 0.36, x - 0.02
    middle, length = (start + end) / 2, end - start
    jx, jz = GUARD_JACK
    shapes: p.Shapes = [
        p.box((length, 1.36, 0.03), (middle, 0, 0.175), color=s.PLATE, name="plate"),
        p.both(
            p.box((length, 0.12, 0.10), (middle, 0.62, 0.11), color=s.PLATE, name="slide_left"),
            p.box((length, 0.06, 0.10), (middle, 0.32, 0.11), color=s.PLATE),
            p.beam((x - 0.05, 0.36, 0.15), (x, 0.36, z), 0.05, 0.11, s.PLATE),
            p.pin((x, 0.36, z), 0.06, 0.05, color=s.PLATE),
            p.box((0.20, 0.04, 0.18), (jx, 0.08, jz + 0.05), color=s.PLATE),
        ),
        p.box((0.08, 1.46, 0.13), (end - 0.02, 0, 0.135), color=s.DARK, name="nose"),
        p.box((0.10, 0.14, 0.14), (0.95, 0.45, 0.10), color=s.DARK),
    ]
    touch: p.Shapes = [p.box((length, 1.40, 0.14), (middle, 0, 0.12))]
    return p.link("extension", shapes, mass=780.0, collision=touch)


def _face_guard() -> p.Shape:
    """The guard plate: frame at its hinge, x down the plate, z to the coal."""
    middle = 0.05 + GUARD / 2
    ax, az = GUARD_ARM
    shapes: p.Shapes = [
        p.box((GUARD, 1.42, 0.04), (middle, 0, 0.045), color=p.RED, name="plate"),
        p.box((0.05, 1.42, 0.09), (GUARD, 0, 0.02), color=p.RED, name="lip"),
        p.both(
            p.box((GUARD - 0.1, 0.05, 0.08), (middle, 0.25, 0.0), color=p.ORANGE),
            p.box((GUARD - 0.1, 0.05, 0.08), (middle, 0.62, 0.0), color=p.ORANGE),
            p.pin((0, 0.29, 0), 0.06, 0.08, color=p.RED),
            p.beam((ax, 0.085, 0.03), (ax, 0.085, az), 0.03, 0.16, p.ORANGE),
        ),
        p.box((0.06, 1.24, 0.07), (0.55, 0, 0.0), color=p.ORANGE),
        p.pin((0, 0, 0), 0.035, 0.80),
    ]
    touch: p.Shapes = [p.box((GUARD, 1.42, 0.1), (middle, 0, 0.02))]
    return p.link("face_guard", shapes, mass=600.0, collision=touch)


def build() -> p.Shape:
    """The machine."""
    home = s.lemniscate_home(2.53)
    home |= {
        "canopy_front_beam": 0.0,
        "front_beam_extension": 0.28,
        "extension_face_guard": math.radians(-102.0),
    }
    canopy_extra = [
        *s.valve_bank(1.55),
        *p.both(
            p.beam((2.26, 0.11, 0.05), (2.26, 0.11, -0.14), 0.04, 0.22, s.DARK, "jack_lug_left"),
            p.box((0.30, 0.05, 0.22), (2.92, 0.20, 0.04), color=s.BODY),
        ),
    ]
    cylinders = [
        *s.legs("front_leg", FEET[1], HEADS[1], 0.28, 0.235),
        *s.legs("rear_leg", FEET[0], HEADS[0], 0.28, 0.235),
        p.cylinder(
            "front_beam_jack",
            "canopy",
            "front_beam",
            (2.26, 0, -0.12),
            (0.232, 0, -0.35),
            0.79,
            1.00,
            group="front_beam_jack",
            bore=0.16,
            rod_diameter=0.12,
            speed=0.06,
            acceleration=0.5,
            color=s.LEG,
        ),
        p.cylinder(
            "extension_jack",
            "front_beam",
            "extension",
            (0.15, 0.45, 0.05),
            (0.95, 0.45, 0.05),
            0.80,
            1.30,
            group="extension_jack",
            bore=0.08,
            rod_diameter=0.06,
            speed=0.12,
            acceleration=0.6,
            color=s.LEG,
        ),
        p.cylinder(
            "face_guard_jack",
            "extension",
            "face_guard",
            (GUARD_JACK[0], 0, GUARD_JACK[1]),
            (GUARD_ARM[0], 0, GUARD_ARM[1]),
            0.58,
            0.90,
            group="face_guard_jack",
            bore=0.08,
            rod_diameter=0.06,
            speed=0.12,
            acceleration=0.6,
            color=s.LEG,
        ),
    ]
    s.strokes(cylinders)
    links = [
        s.base(FEET, 3.15, 6600.0),
        s.front_link(),
        s.shield(3900.0),
        s.rear_link(),
        s.canopy(HEADS, 2.94, 5600.0, canopy_extra),
        _front_beam(),
        _extension(),
        _face_guard(),
    ]
    joints: p.Shapes = [
        s.lemniscate_joints(),
        p.revolute(
            "canopy_front_beam",
            "canopy",
            "front_beam",
            (BEAM_HINGE[0], 0, BEAM_HINGE[1]),
            axis=s.AXIS,
        ),
        p.joint(
            "front_beam_extension",
            "front_beam",
            "extension",
            "prismatic",
            (0, 0, 0),
            axis=(1.0, 0.0, 0.0),
        ),
        p.revolute(
            "extension_face_guard", "extension", "face_guard", (NOSE[0], 0, NOSE[1]), axis=s.AXIS
        ),
    ]
    provenance = s.sources(
        "four-leg support-shield, 7,700 kN, 2.7 to 3.7 m high with a level canopy, centres 1.75 m: "
        "of the size of the published code ZZ6000/17/32 (medium)"
    )
    machine = p.robot("sshs", "support", "canopy", home, links, joints, cylinders, (), provenance)
    return s.repainted(
        machine,
        {
            s.BODY: (0.80, 0.36, 0.10, 1.0),
            s.DARK: (0.64, 0.28, 0.08, 1.0),
            s.PLATE: (0.86, 0.44, 0.16, 1.0),
            s.LINK: (0.28, 0.32, 0.36, 1.0),
        },
    )
