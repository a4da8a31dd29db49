"""The shearer's body, the cowl on it and the pans below it."""

from __future__ import annotations

import kit as k
import numpy as np

from headframe.description import Link

from . import pins


def body_boxes() -> k.Shapes:
    """Shape three bolted sections with their covers and doors."""
    doors = [
        k.box((0.03, 0.62, 0.52), (-0.615, y, 1.18), color, "door")
        for y, color in ((-0.80, k.BLUE), (0.0, k.LIGHT_GREY), (0.80, k.BLUE))
    ]
    face_doors = [
        k.box((0.03, 0.70, 0.50), (0.615, y, 1.16), k.LIGHT_GREY, "cover")
        for y in (-1.80, -0.90, 0.0, 0.90, 1.80)
    ]
    return [
        k.box((1.20, 2.60, 0.86), (0, 0, 1.15), k.WHITE, "electrical section"),
        k.both(
            k.box((1.20, 1.34, 0.80), (0, 1.99, 1.13), k.YELLOW, "left haulage section"),
            k.box((1.16, 0.05, 0.92), (0, 1.30, 1.15), k.DARK_GREY, "left joint flange"),
            k.box((0.60, 0.44, 0.60), (-0.26, 2.84, 1.04), k.YELLOW, "left arm bracket"),
            k.pin(pins.ARM, 0.17, 1.26, k.DARK_GREY, "left arm pin", axis=k.X),
            k.box((0.90, 0.70, 0.06), (0, 2.00, 1.56), k.DARK_GREY, "left top cover"),
            k.rod((0.35, 2.35, 1.53), (0.35, 2.35, 1.66), 0.06, k.RED, "left stop button"),
        ),
        *doors,
        *face_doors,
        k.box((0.30, 0.56, 0.05), (-0.45, 0, 1.56), k.DARK_GREY, "control panel"),
        k.box((0.03, 0.40, 0.16), (-0.63, 1.80, 1.36), k.BLACK, "display", 0.0),
        k.both(
            k.rod((-0.62, 1.55, 1.40), (-0.68, 1.55, 1.40), 0.07, k.WHITE, "left lamp"),
            k.rod((0.62, 2.30, 1.42), (0.68, 2.30, 1.42), 0.07, k.WHITE, "left lamp"),
        ),
    ]


def running_gear() -> k.Shapes:
    """Shape haulage boxes with their pinions, trapping shoes, skids; and all brackets."""
    shapes: list[k.Shape] = []
    for y in (2.05, -2.05):
        shapes += [
            k.box((0.34, 1.00, 0.52), (-0.74, y, 0.92), k.YELLOW, "haulage box"),
            k.pin((-0.80, y, 0.58), 0.20, 0.16, k.DARK_GREY, "rack pinion", axis=k.X),
            k.box((0.22, 0.70, 0.16), (-0.80, y, 0.36), k.DARK_GREY, "trapping shoe"),
            k.box((0.16, 0.40, 0.50), (0.60, y, 0.52), k.YELLOW, "skid leg"),
            k.box((0.26, 0.76, 0.12), (0.62, y, 0.24), k.DARK_GREY, "skid"),
        ]
    z = pins.LIFT_BODY[2]
    brackets = [
        k.lug((x, y, z), (x, y, 0.76), 0.05, 0.10, k.DARK_GREY, gap=0.14, axis=k.X)
        for x in (pins.LIFT_BODY[0], -pins.LIFT_BODY[0])
        for y in (pins.LIFT_BODY[1], -pins.LIFT_BODY[1])
    ]
    x, _, z = pins.COWL_BODY
    feet = [
        k.lug((x, y, z), (x, y, 1.54), 0.03, 0.05, k.DARK_GREY, gap=0.07) for y in pins.COWL_JACKS
    ]
    x, _, z = pins.COWL
    hinge = k.rod((x, -2.30, z), (x, 2.30, z), 0.045, k.DARK_GREY, "cowl hinge")
    return [*shapes, *brackets, *feet, hinge]


def body() -> Link:
    """Make the body."""
    touch: k.Shapes = [
        k.box((1.20, 5.30, 0.84), (0, 0, 1.14)),
        k.both(k.box((0.3, 0.8, 0.5), (0.6, 2.05, 0.45))),
    ]
    return k.link("body", [body_boxes(), running_gear()], mass=61_000.0, collision=touch)


def cowl() -> Link:
    """Make the guard plate along the body that keeps lumps off the walkway."""
    panels = [
        k.box((0.04, 1.08, 0.84), (0.0, y, 0.44), k.YELLOW, "cowl plate")
        for y in (-1.65, -0.55, 0.55, 1.65)
    ]
    ribs = [
        k.beam((0.03, y, 0.04), (0.03, y, 0.84), 0.06, 0.06, k.DARK_GREY, "rib")
        for y in (-2.16, -1.10, 0.0, 1.10, 2.16)
    ]
    x, _, z = pins.COWL_PLATE
    eyes = [
        k.lug((x, y, z), (-0.02, y, z), 0.03, 0.05, k.DARK_GREY, gap=0.07) for y in pins.COWL_JACKS
    ]
    edge = k.rod((0.0, -2.19, 0.88), (0.0, 2.19, 0.88), 0.035, k.DARK_GREY, "cowl edge")
    lip = k.box((0.16, 4.36, 0.03), (0.08, 0, 0.87), k.RED, "cowl lip")
    touch = [k.box((0.06, 4.38, 0.86), (0, 0, 0.45))]
    return k.link("cowl", [*panels, *ribs, *eyes, edge, lip], mass=1_600.0, collision=touch)


def pan_line() -> Link:
    """Make a stretch of the armoured face conveyor with its rack and spill plates."""
    pitch, count = 1.50, 8
    shapes: list[k.Shape] = []
    for i in range(count):
        y = (i - (count - 1) / 2) * pitch
        shapes += [
            k.box((0.96, pitch - 0.03, 0.08), (-0.02, y, 0.08), k.STEEL_GREY, "pan"),
            k.box((0.12, pitch - 0.03, 0.24), (0.50, y, 0.12), k.GREY, "face sigma"),
            k.box((0.12, pitch - 0.03, 0.24), (-0.54, y, 0.12), k.GREY, "goaf sigma"),
            k.box((0.10, pitch - 0.06, 0.14), (-0.80, y, 0.20), k.DARK_GREY, "rack"),
            k.box((0.05, pitch - 0.03, 0.62), (-1.02, y, 0.40), k.GREY, "spill plate"),
        ]
    shapes += [
        k.box((0.80, 0.07, 0.07), (-0.02, y, 0.15), k.BLACK, "flight")
        for y in np.arange(-5.6, 5.7, 0.80)
    ]
    shapes.append(k.rod((-0.02, -5.98, 0.15), (-0.02, 5.98, 0.15), 0.03, k.BLACK, "chain"))
    shapes.append(k.hose((-1.12, -5.9, 0.62), (-1.12, 0.0, 0.62), 0.05, "cable"))
    touch = [k.box((1.20, count * pitch, 0.20), (-0.02, 0, 0.10))]
    return k.link("pan_line", shapes, fill=0.6, collision=touch)
