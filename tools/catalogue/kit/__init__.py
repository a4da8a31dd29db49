"""Authoring kit of the catalogue: what machines are built from.

A machine script describes shapes, makes links and cylinders of them, joins the links and returns a
`headframe` robot. Metres, kilograms, radians, newtons; z up, x forward, y left.

Example:
    import kit as k

    arm = k.link("arm", [k.beam((0, 0, 0), (2, 0, 0), 0.2, 0.3), k.pin((0, 0, 0), 0.05, 0.3)])
    ram = k.Ram(bore=0.12)
    lift = k.cylinder("lift", ("body", (0, 0, -0.5)), ("arm", (1, 0, -0.1)), (1.0, 1.5), ram)
"""

from .cylinders import Cylinder, Mount, Ram, cylinder, pair, redundant
from .elements import (
    closure,
    continuous,
    data_sheet,
    estimated,
    fixed,
    link,
    motor,
    prismatic,
    revolute,
)
from .hinges import strokes, wide
from .palette import (
    BLACK,
    BLUE,
    BRASS,
    CARBIDE,
    CHROME,
    DARK_GREY,
    GLASS,
    GREEN,
    GREY,
    LIGHT_GREY,
    ORANGE,
    RED,
    RUBBER,
    STEEL_GREY,
    WHITE,
    YELLOW,
    Color,
)
from .robots import repainted, robot
from .shapes import Shape, Shapes, beam, box, capsule, cone, hose, lug, pin, plate, rod, sphere
from .sides import SIDES, both, mirror, moved, on_side, other_side
from .vectors import BACK, DOWN, ORIGIN, UP, Point, X, Y, Z, about_x

__all__ = [
    "BACK",
    "BLACK",
    "BLUE",
    "BRASS",
    "CARBIDE",
    "CHROME",
    "DARK_GREY",
    "DOWN",
    "GLASS",
    "GREEN",
    "GREY",
    "LIGHT_GREY",
    "ORANGE",
    "ORIGIN",
    "RED",
    "RUBBER",
    "SIDES",
    "STEEL_GREY",
    "UP",
    "WHITE",
    "YELLOW",
    "Color",
    "Cylinder",
    "Mount",
    "Point",
    "Ram",
    "Shape",
    "Shapes",
    "X",
    "Y",
    "Z",
    "about_x",
    "beam",
    "both",
    "box",
    "capsule",
    "closure",
    "cone",
    "continuous",
    "cylinder",
    "data_sheet",
    "estimated",
    "fixed",
    "hose",
    "link",
    "lug",
    "mirror",
    "motor",
    "moved",
    "on_side",
    "other_side",
    "pair",
    "pin",
    "plate",
    "prismatic",
    "redundant",
    "repainted",
    "revolute",
    "robot",
    "rod",
    "sphere",
    "strokes",
    "wide",
]
