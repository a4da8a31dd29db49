"""Base, links, shield, canopy and legs of the supports."""

from __future__ import annotations

from collections.abc import Sequence

import kit as k

from headframe.description import Link

from .lemniscate import FRONT_LENGTH, HINGE, PIN_SPACING, REAR_LENGTH
from .paint import BODY, DARK, LEG, LINK, PLATE, WEAR

REAR = -1.12  # x where the base begins [m]
LEG_Y = 0.47  # of the legs at both ends, and their heights on base and canopy [m]
FOOT_Z = 0.30
HEAD_Z = -0.20
LEG_LENGTHS = (1.95, 2.95)  # [m]


def base(feet: Sequence[float], front: float, mass: float) -> Link:
    """Make the base: two pontoons, bridge, link brackets, leg sockets, advancing ram.

    Args:
        feet: x of the leg feet on the base [m].
        front: x of the pontoons' tips [m].
        mass: Mass [kg].
    """
    bridge = k.box((0.75, 0.50, 0.34), (-0.05, 0.0, 0.52), DARK, "bridge")
    shapes: k.Shapes = [
        _pontoons(front),
        _link_brackets(),
        bridge,
        k.box((0.16, 0.40, 0.24), (feet[0] + 0.25, 0.0, 0.42), DARK, "tie_beam"),
        _advancing_ram(front),
        *(
            k.both(
                k.rod((x, LEG_Y, 0.24), (x, LEG_Y, 0.40), 0.275, DARK, end_radius=0.265),
                k.box((0.66, 0.07, 0.16), (x, 0.715, 0.38), BODY),
            )
            for x in feet
        ),
    ]
    touch: k.Shapes = [
        k.both(k.box((front - REAR, 0.58, 0.32), ((front + REAR) / 2, 0.46, 0.16))),
        bridge,
    ]
    return k.link("base", shapes, mass=mass, collision=touch)


def _pontoons(front: float) -> list[k.Shape]:
    """Shape the two pontoons up to their tips at x = `front` [m]."""
    length, middle = front - 0.45 - REAR, (front - 0.45 + REAR) / 2
    return k.both(
        k.box((length, 0.58, 0.30), (middle, 0.46, 0.17), BODY, "pontoon_left"),
        k.beam((front - 0.55, 0.46, 0.16), (front, 0.46, 0.25), 0.58, 0.22, BODY, "toe_left"),
        k.box((length, 0.60, 0.03), (middle, 0.46, 0.015), WEAR, "skid_left"),
        k.box((1.3, 0.05, 0.26), (-0.45, 0.725, 0.42), DARK, "side_web_left"),
    )


def _link_brackets() -> list[k.Shape]:
    """Shape the brackets of the front link (inner pair) and the rear link (outer pair)."""
    return [
        *k.both(
            k.beam((0.02, 0.34, 0.28), (0.0, 0.34, 0.84), 0.07, 0.40, BODY, "bracket_left"),
            k.beam((0.42, 0.34, 0.28), (0.06, 0.34, 0.80), 0.07, 0.22, BODY),
            k.pin((0.0, 0.34, 0.80), 0.15, 0.08, BODY),
            k.beam((-0.66, 0.46, 0.28), (-0.74, 0.46, 0.45), 0.07, 0.36, DARK),
            k.beam((-0.66, 0.71, 0.28), (-0.74, 0.71, 0.45), 0.07, 0.36, DARK),
            k.pin((-0.74, 0.585, 0.43), 0.13, 0.32, DARK),
        ),
        k.pin((0.0, 0.0, 0.80), 0.075, 0.84, name="front_pin"),
        k.pin((-0.74, 0.0, 0.43), 0.065, 1.54, name="rear_pin"),
    ]


def _advancing_ram(front: float) -> list[k.Shape]:
    """Shape the ram that pushes the conveyor and pulls the support [m]; it is locked."""
    return [
        k.rod((-0.45, 0, 0.18), (1.35, 0, 0.18), 0.11, k.LIGHT_GREY, "ram_barrel", 0.5),
        k.rod((1.30, 0, 0.18), (1.40, 0, 0.18), 0.125, k.DARK_GREY),
        k.rod((1.35, 0, 0.18), (front - 0.1, 0, 0.18), 0.065, k.CHROME, "ram_rod"),
        k.box((0.30, 0.20, 0.20), (front + 0.02, 0, 0.18), k.DARK_GREY, "conveyor_clevis"),
        k.pin((front + 0.10, 0, 0.18), 0.045, 0.34),
    ]


def _bar(length: float, y: float, width: float, height: float, pin: float) -> list[k.Shape]:
    """Shape one bar of a pair of links with its two bosses, and the other [m]."""
    return k.both(
        k.beam((0, y, 0), (length, y, 0), width, height, LINK),
        k.beam((0.25, y, 0), (length - 0.25, y, 0), 0.5 * width, 1.25 * height, LINK),
        k.pin((0, y, 0), pin, width + 0.02, LINK),
        k.pin((length, y, 0), pin, width + 0.02, LINK),
    )


def front_link(mass: float = 900.0) -> Link:
    """Make the pair of front links, inside, tied by a cross plate."""
    shapes: k.Shapes = [
        _bar(FRONT_LENGTH, 0.20, 0.16, 0.22, 0.155),
        k.box((0.70, 0.30, 0.06), (0.76, 0.0, 0.0), LINK, "cross_plate"),
        k.pin((FRONT_LENGTH, 0, 0), 0.075, 0.80),
    ]
    touch = [k.box((FRONT_LENGTH, 0.56, 0.24), (FRONT_LENGTH / 2, 0, 0))]
    return k.link("front_link", shapes, mass=mass, collision=touch)


def rear_link(mass: float = 750.0) -> Link:
    """Make the pair of rear links, outside, with the apron that keeps the rock out."""
    shapes: k.Shapes = [
        _bar(REAR_LENGTH, 0.585, 0.14, 0.20, 0.135),
        k.box((0.75, 1.04, 0.04), (0.55, 0.0, -0.10), PLATE, "apron"),
        k.pin((0, 0, 0), 0.065, 1.46),
    ]
    touch = [k.both(k.box((REAR_LENGTH, 0.14, 0.22), (REAR_LENGTH / 2, 0.585, 0)))]
    return k.link("rear_link", shapes, mass=mass, collision=touch)


def shield(
    mass: float, extra: k.Shapes = (), tail: float = -0.62, has_tail_beam: bool = False
) -> Link:
    """Make the caving shield: plate, webs, hinge bosses, movable side plates.

    Args:
        mass: Mass [kg].
        extra: Further shapes (brackets of jacks).
        tail: x where the plate ends, in shield axes [m].
        has_tail_beam: Whether a tail beam hinges there; else the shield ends in a skirt.
    """
    hx, hz = HINGE
    web = -0.40 if has_tail_beam else tail + 0.05
    skirt: list[k.Shape] = [
        k.box((0.12, 1.44, 0.22), (tail + 0.07, 0, 0.15), DARK, "rear_box"),
        k.beam((tail + 0.04, 0, 0.25), (tail - 0.14, 0, 0.08), 1.40, 0.04, BODY, "skirt"),
    ]
    shapes: k.Shapes = [
        [] if has_tail_beam else skirt,
        k.plate((tail, 0, 0.24), (hx - 0.16, 0, 0.27), 1.48, 0.05, BODY, "caving_plate"),
        k.plate((0.15, 0, 0.30), (1.65, 0, 0.325), 1.00, 0.03, DARK, "wear_plate"),
        k.both(
            k.beam((web, 0.34, 0.12), (1.78, 0.34, 0.14), 0.05, 0.26, BODY, "inner_web_left"),
            k.beam((web, 0.70, 0.12), (1.82, 0.70, 0.14), 0.05, 0.26, BODY, "outer_web_left"),
            k.beam((0.05, 0.785, 0.14), (1.60, 0.785, 0.16), 0.03, 0.44, PLATE, "side_plate_left"),
            # Clevises of the links.
            k.beam((0.0, 0.34, 0.16), (0.0, 0.34, -0.05), 0.06, 0.34, BODY),
            k.pin((0.0, 0.34, 0.0), 0.15, 0.07, BODY),
            k.beam((-PIN_SPACING, 0.475, 0.16), (-PIN_SPACING, 0.475, -0.04), 0.05, 0.28, BODY),
            k.beam((-PIN_SPACING, 0.695, 0.16), (-PIN_SPACING, 0.695, -0.04), 0.05, 0.28, BODY),
            # Canopy hinge.
            k.pin((hx, 0.42, hz), 0.16, 0.26, BODY),
            k.beam((hx - 0.30, 0.42, 0.14), (hx, 0.42, hz), 0.26, 0.24, BODY, "hinge_arm_left"),
        ),
        k.box((0.30, 1.36, 0.20), (0.45, 0, 0.13), DARK, "cross_box"),
        k.box((0.30, 1.36, 0.20), (1.50, 0, 0.14), DARK, "cross_box"),
        k.pin((hx, 0, hz), 0.08, 1.30, name="canopy_pin"),
        extra,
    ]
    touch = [k.box((hx - tail, 1.5, 0.30), ((hx + tail) / 2, 0, 0.16))]
    return k.link("shield", shapes, mass=mass, collision=touch)


def canopy(heads: Sequence[float], front: float, mass: float, extra: k.Shapes = ()) -> Link:
    """Make the canopy: top plate, box webs, side plates, leg sockets, hinge arms.

    Args:
        heads: x of the leg heads [m].
        front: x where the box ends [m].
        mass: Mass [kg].
        extra: Further shapes (brackets, nose).
    """
    rear = -0.32
    middle, length = (front + rear) / 2, front - rear
    shapes: k.Shapes = [
        k.box((length, 1.56, 0.04), (middle, 0, 0.24), WEAR, "top_plate"),
        k.box((length - 0.25, 0.90, 0.03), (middle + 0.05, 0, -0.045), DARK, "bottom_plate"),
        k.both(
            k.box((length - 0.06, 0.05, 0.24), (middle, 0.25, 0.10), BODY, "inner_web_left"),
            k.box((length, 0.06, 0.26), (middle, 0.70, 0.09), BODY, "outer_web_left"),
            k.box(
                (length - 0.45, 0.03, 0.46), (middle - 0.05, 0.795, 0.02), PLATE, "side_plate_left"
            ),
            k.box((0.42, 0.06, 0.24), (rear + 0.27, 0.61, -0.02), BODY),
            k.pin((0, 0.61, 0), 0.14, 0.08, BODY),
            # Rams that push the side plates out.
            k.pin((0.42 * front, 0.60, -0.10), 0.045, 0.36, k.LIGHT_GREY),
        ),
        k.box((0.10, 1.44, 0.22), (front - 0.08, 0, 0.10), DARK, "front_web"),
        k.box((0.10, 1.44, 0.20), (0.30, 0, 0.10), DARK, "rear_web"),
        extra,
        *(
            k.both(
                k.rod((x, LEG_Y, -0.22), (x, LEG_Y, 0.0), 0.24, DARK, end_radius=0.28),
                k.box((0.72, 0.34, 0.10), (x, LEG_Y, 0.02), BODY),
            )
            for x in heads
        ),
    ]
    touch = [k.box((length, 1.56, 0.28), (middle, 0, 0.12))]
    return k.link("canopy", shapes, mass=mass, collision=touch)


def valve_bank(x: float) -> list[k.Shape]:
    """Shape control valves with levers and hoses, hung under the canopy at `x` [m]."""
    shapes = [
        k.box((0.34, 0.14, 0.24), (x, 0.62, -0.30), k.RED, "valve_bank", 0.5),
        k.box((0.10, 0.05, 0.26), (x, 0.62, -0.12), k.DARK_GREY),
    ]
    for i in range(3):
        dx = x - 0.1 + 0.1 * i
        shapes.append(k.rod((dx, 0.69, -0.28), (dx, 0.76, -0.24), 0.012, k.CHROME))
    shapes.append(k.hose((x - 0.15, 0.62, -0.36), (x - 0.60, 0.60, -0.10), 0.022))
    shapes.append(k.hose((x + 0.15, 0.62, -0.36), (x + 0.55, 0.60, -0.10), 0.022))
    return shapes


def beam_brackets(y: float, width: float, height: float, web: float) -> list[k.Shape]:
    """Shape the canopy's lugs for the jacks of a front beam and the webs of its hinge.

    Args:
        y: Middle of the left lug [m].
        width: Width of a lug [m].
        height: Its height [m].
        web: y of the left web [m].
    """
    return k.both(
        k.beam((2.26, y, 0.05), (2.26, y, -0.14), width, height, DARK, "jack_lug_left"),
        k.box((0.30, 0.05, 0.22), (2.92, web, 0.04), BODY),
    )


def legs(name: str, foot: float, head: float, bore: float, rod_diameter: float) -> list[k.Cylinder]:
    """Make a pair of legs between base and canopy, whose group is called `<name>s`.

    Args:
        name: The legs are called `<name>_left` and `<name>_right`.
        foot: x of the feet on the base [m].
        head: x of the heads on the canopy [m].
        bore: Piston diameter [m].
        rod_diameter: Rod diameter [m].
    """
    return k.pair(
        name,
        ("base", (foot, LEG_Y, FOOT_Z)),
        ("canopy", (head, LEG_Y, HEAD_Z)),
        LEG_LENGTHS,
        k.Ram(bore, rod_diameter, ball_ends=True, color=LEG),
        group=f"{name}s",
    )
