"""What the hydraulic supports have in common: base, lemniscate four-bar, shield, legs, guard.

The mechanism is planar (x forward, z up) and every revolute axis is -y, so that joint angles
count from x towards z. Frames: `front_link` at its pin on the base, x to the shield; `shield` at
the front link's pin, x from the rear link's pin to that pin; `rear_link` at its pin on the shield,
x to the base; `canopy` at its hinge on the shield, x forward along the canopy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import parts as p
from numpy.typing import NDArray

Array = NDArray[np.float64]
AXIS = (0.0, -1.0, 0.0)

# The four-bar [m], found by a random search for a canopy hinge that rises nearly vertically
# (42 mm of drift between 2.1 and 3.74 m) with the shield at 23 to 53 degrees and the sine of the
# angle between shield and rear link above 0.7.
FRONT_PIN = (0.0, 0.80)  # front link on the base
REAR_PIN = (-0.74, 0.43)  # rear link on the base
FRONT_LENGTH = 1.53
REAR_LENGTH = 1.325
PIN_SPACING = 0.50  # between the pins of the two links on the shield
HINGE = (1.96, 0.16)  # canopy hinge, from the front pin, in shield axes

LEG_Y = 0.47
FOOT_Z = 0.30
HEAD_Z = -0.20
LEG_BOUND = (1.95, 2.95)

# Paint.
BODY = p.YELLOW
DARK = (0.82, 0.58, 0.05, 1.0)
LINK = (0.20, 0.36, 0.58, 1.0)
PLATE = (0.88, 0.64, 0.07, 1.0)
LEG = (0.78, 0.80, 0.82, 1.0)
WEAR = p.STEEL_GREY


# ---------------------------------------------------------------------------------------------
# Home poses
# ---------------------------------------------------------------------------------------------


def unit(angle: float) -> Array:
    """Direction at an angle from x towards z, (2,)."""
    return np.array([math.cos(angle), math.sin(angle)])


def turned(vector: Sequence[float], angle: float) -> Array:
    """A vector of the x-z plane, turned, (2,)."""
    c, s = unit(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def two_bars(goal: Array, a: float, b: float, guess: tuple[float, float]) -> tuple[float, float]:
    """Angles of two bars of lengths a and b that together reach from the origin to `goal`."""
    x = np.array(guess)
    for _ in range(50):
        residual = a * unit(x[0]) + b * unit(x[1]) - goal
        jacobian = np.column_stack([a * turned((0, 1), x[0]), b * turned((0, 1), x[1])])
        x = x - np.linalg.solve(jacobian, residual)
    assert np.abs(a * unit(x[0]) + b * unit(x[1]) - goal).max() < 1e-14
    return float(x[0]), float(x[1])


def lemniscate_home(front_angle: float) -> dict[str, float]:
    """Joint values of the base four-bar and a level canopy, for an angle of the front link."""
    front = np.array(FRONT_PIN) + FRONT_LENGTH * unit(front_angle)
    # Shield pin to shield pin (backwards along the shield), then down the rear link.
    back, rear = two_bars(
        np.array(REAR_PIN) - front, PIN_SPACING, REAR_LENGTH, (math.radians(219), -0.95)
    )
    shield = back - math.pi
    return {
        "base_front_link": front_angle,
        "front_link_shield": shield - front_angle,
        "shield_rear_link": rear - shield,
        "shield_canopy": -shield,
    }


# ---------------------------------------------------------------------------------------------
# Base, links, shield, canopy
# ---------------------------------------------------------------------------------------------


def base(feet: Sequence[float], front: float, mass: float) -> p.Shape:
    """The base: two pontoons, bridge, link brackets, leg sockets, advancing ram.

    Args:
        feet: x of the leg feet on the base [m].
        front: x of the pontoons' tips [m].
        mass: Mass [kg].
    """
    rear = -1.12
    shapes: p.Shapes = [
        p.both(
            p.box(
                (front - 0.45 - rear, 0.58, 0.30),
                ((front - 0.45 + rear) / 2, 0.46, 0.17),
                color=BODY,
                name="pontoon_left",
            ),
            p.beam((front - 0.55, 0.46, 0.16), (front, 0.46, 0.25), 0.58, 0.22, BODY, "toe_left"),
            p.box(
                (front - 0.45 - rear, 0.60, 0.03),
                ((front - 0.45 + rear) / 2, 0.46, 0.015),
                color=WEAR,
                name="skid_left",
            ),
            p.box((1.3, 0.05, 0.26), (-0.45, 0.725, 0.42), color=DARK, name="side_web_left"),
            # Brackets of the front link (inner pair) and the rear link (outer pair).
            p.beam((0.02, 0.34, 0.28), (0.0, 0.34, 0.84), 0.07, 0.40, BODY, "bracket_left"),
            p.beam((0.42, 0.34, 0.28), (0.06, 0.34, 0.80), 0.07, 0.22, BODY),
            p.pin((0.0, 0.34, 0.80), 0.15, 0.08, color=BODY),
            p.beam((-0.66, 0.46, 0.28), (-0.74, 0.46, 0.45), 0.07, 0.36, DARK),
            p.beam((-0.66, 0.71, 0.28), (-0.74, 0.71, 0.45), 0.07, 0.36, DARK),
            p.pin((-0.74, 0.585, 0.43), 0.13, 0.32, color=DARK),
        ),
        p.pin((0.0, 0.0, 0.80), 0.075, 0.84, name="front_pin"),
        p.pin((-0.74, 0.0, 0.43), 0.065, 1.54, name="rear_pin"),
        p.box((0.75, 0.50, 0.34), (-0.05, 0.0, 0.52), color=DARK, name="bridge"),
        p.box((0.16, 0.40, 0.24), (feet[0] + 0.25, 0.0, 0.42), color=DARK, name="tie_beam"),
        # The ram that pushes the conveyor and pulls the support: locked here.
        p.rod((-0.45, 0, 0.18), (1.35, 0, 0.18), 0.11, p.LIGHT_GREY, "ram_barrel", 0.5),
        p.rod((1.30, 0, 0.18), (1.40, 0, 0.18), 0.125, p.DARK_GREY),
        p.rod((1.35, 0, 0.18), (front - 0.1, 0, 0.18), 0.065, p.CHROME, "ram_rod"),
        p.box(
            (0.30, 0.20, 0.20), (front + 0.02, 0, 0.18), color=p.DARK_GREY, name="conveyor_clevis"
        ),
        p.pin((front + 0.10, 0, 0.18), 0.045, 0.34),
    ]
    shapes += [
        p.both(
            p.rod((x, LEG_Y, 0.24), (x, LEG_Y, 0.40), 0.275, DARK, end_radius=0.265),
            p.box((0.66, 0.07, 0.16), (x, 0.715, 0.38), color=BODY),
        )
        for x in feet
    ]
    touch: p.Shapes = [
        p.both(p.box((front - rear, 0.58, 0.32), ((front + rear) / 2, 0.46, 0.16))),
        p.box((0.75, 0.50, 0.34), (-0.05, 0.0, 0.52)),
    ]
    return p.link("base", shapes, mass=mass, collision=touch)


def _bar(length: float, y: float, width: float, height: float, pin: float) -> list[p.Shape]:
    """One bar of a pair of links with its two bosses, the right one mirrored."""
    return p.both(
        p.beam((0, y, 0), (length, y, 0), width, height, LINK),
        p.beam((0.25, y, 0), (length - 0.25, y, 0), 0.5 * width, 1.25 * height, LINK),
        p.pin((0, y, 0), pin, width + 0.02, color=LINK),
        p.pin((length, y, 0), pin, width + 0.02, color=LINK),
    )


def front_link(mass: float = 900.0) -> p.Shape:
    """The pair of front links, inside, tied by a cross plate."""
    shapes: p.Shapes = [
        _bar(FRONT_LENGTH, 0.20, 0.16, 0.22, 0.155),
        p.box((0.70, 0.30, 0.06), (0.76, 0.0, 0.0), color=LINK, name="cross_plate"),
        p.pin((FRONT_LENGTH, 0, 0), 0.075, 0.80),
    ]
    touch: p.Shapes = [p.box((FRONT_LENGTH, 0.56, 0.24), (FRONT_LENGTH / 2, 0, 0))]
    return p.link("front_link", shapes, mass=mass, collision=touch)


def rear_link(mass: float = 750.0) -> p.Shape:
    """The pair of rear links, outside, with the rear apron that keeps the rock out."""
    shapes: p.Shapes = [
        _bar(REAR_LENGTH, 0.585, 0.14, 0.20, 0.135),
        p.box((0.75, 1.04, 0.04), (0.55, 0.0, -0.10), color=PLATE, name="apron"),
        p.pin((0, 0, 0), 0.065, 1.46),
    ]
    touch: p.Shapes = [p.both(p.box((REAR_LENGTH, 0.14, 0.22), (REAR_LENGTH / 2, 0.585, 0)))]
    return p.link("rear_link", shapes, mass=mass, collision=touch)


def shield(
    mass: float,
    extra: Sequence[p.Shape] = (),
    tail: float = -0.62,
    has_tail_beam: bool = False,
) -> p.Shape:
    """The caving shield: plate, webs, hinge bosses, movable side plates.

    Args:
        mass: Mass [kg].
        extra: Further shapes (brackets of jacks).
        tail: x where the plate ends, in shield axes [m].
        has_tail_beam: Whether a tail beam hinges there; else the shield ends in a skirt.
    """
    hx, hz = HINGE
    web = -0.40 if has_tail_beam else tail + 0.05
    skirt: list[p.Shape] = [
        p.box((0.12, 1.44, 0.22), (tail + 0.07, 0, 0.15), color=DARK, name="rear_box"),
        p.beam((tail + 0.04, 0, 0.25), (tail - 0.14, 0, 0.08), 1.40, 0.04, BODY, "skirt"),
    ]
    shapes: p.Shapes = [
        [] if has_tail_beam else skirt,
        p.plate((tail, 0, 0.24), (hx - 0.16, 0, 0.27), 1.48, 0.05, BODY, "caving_plate"),
        p.plate((0.15, 0, 0.30), (1.65, 0, 0.325), 1.00, 0.03, DARK, "wear_plate"),
        p.both(
            p.beam((web, 0.34, 0.12), (1.78, 0.34, 0.14), 0.05, 0.26, BODY, "inner_web_left"),
            p.beam((web, 0.70, 0.12), (1.82, 0.70, 0.14), 0.05, 0.26, BODY, "outer_web_left"),
            p.beam((0.05, 0.785, 0.14), (1.60, 0.785, 0.16), 0.03, 0.44, PLATE, "side_plate_left"),
            # Clevises of the links.
            p.beam((0.0, 0.34, 0.16), (0.0, 0.34, -0.05), 0.06, 0.34, BODY),
            p.pin((0.0, 0.34, 0.0), 0.15, 0.07, color=BODY),
            p.beam((-PIN_SPACING, 0.475, 0.16), (-PIN_SPACING, 0.475, -0.04), 0.05, 0.28, BODY),
            p.beam((-PIN_SPACING, 0.695, 0.16), (-PIN_SPACING, 0.695, -0.04), 0.05, 0.28, BODY),
            # Canopy hinge.
            p.pin((hx, 0.42, hz), 0.16, 0.26, color=BODY),
            p.beam((hx - 0.30, 0.42, 0.14), (hx, 0.42, hz), 0.26, 0.24, BODY, "hinge_arm_left"),
        ),
        p.box((0.30, 1.36, 0.20), (0.45, 0, 0.13), color=DARK, name="cross_box"),
        p.box((0.30, 1.36, 0.20), (1.50, 0, 0.14), color=DARK, name="cross_box"),
        p.pin((hx, 0, hz), 0.08, 1.30, name="canopy_pin"),
        list(extra),
    ]
    touch: p.Shapes = [p.box((hx - tail, 1.5, 0.30), ((hx + tail) / 2, 0, 0.16))]
    return p.link("shield", shapes, mass=mass, collision=touch)


def canopy(
    heads: Sequence[float], front: float, mass: float, extra: Sequence[p.Shape] = ()
) -> p.Shape:
    """The canopy: top plate, box webs, side plates, leg sockets, hinge arms.

    Args:
        heads: x of the leg heads [m].
        front: x where the box ends [m].
        mass: Mass [kg].
        extra: Further shapes (brackets, nose).
    """
    rear = -0.32
    middle, length = (front + rear) / 2, front - rear
    shapes: p.Shapes = [
        p.box((length, 1.56, 0.04), (middle, 0, 0.24), color=WEAR, name="top_plate"),
        p.box(
            (length - 0.25, 0.90, 0.03), (middle + 0.05, 0, -0.045), color=DARK, name="bottom_plate"
        ),
        p.both(
            p.box(
                (length - 0.06, 0.05, 0.24), (middle, 0.25, 0.10), color=BODY, name="inner_web_left"
            ),
            p.box((length, 0.06, 0.26), (middle, 0.70, 0.09), color=BODY, name="outer_web_left"),
            p.box(
                (length - 0.45, 0.03, 0.46),
                (middle - 0.05, 0.795, 0.02),
                color=PLATE,
                name="side_plate_left",
            ),
            p.box((0.42, 0.06, 0.24), (rear + 0.27, 0.61, -0.02), color=BODY),
            p.pin((0, 0.61, 0), 0.14, 0.08, color=BODY),
            # Rams that push the side plates out.
            p.pin((0.42 * front, 0.60, -0.10), 0.045, 0.36, color=p.LIGHT_GREY),
        ),
        p.box((0.10, 1.44, 0.22), (front - 0.08, 0, 0.10), color=DARK, name="front_web"),
        p.box((0.10, 1.44, 0.20), (0.30, 0, 0.10), color=DARK, name="rear_web"),
        list(extra),
    ]
    shapes += [
        p.both(
            p.rod((x, LEG_Y, -0.22), (x, LEG_Y, 0.0), 0.24, DARK, end_radius=0.28),
            p.box((0.72, 0.34, 0.10), (x, LEG_Y, 0.02), color=BODY),
        )
        for x in heads
    ]
    touch: p.Shapes = [p.box((length, 1.56, 0.28), (middle, 0, 0.12))]
    return p.link("canopy", shapes, mass=mass, collision=touch)


def valve_bank(x: float) -> list[p.Shape]:
    """Control valves with their levers and hoses, hung under the canopy between the legs."""
    shapes = [
        p.box((0.34, 0.14, 0.24), (x, 0.62, -0.30), color=p.RED, name="valve_bank", weight=0.5),
        p.box((0.10, 0.05, 0.26), (x, 0.62, -0.12), color=p.DARK_GREY),
    ]
    for i in range(3):
        dx = x - 0.1 + 0.1 * i
        shapes.append(p.rod((dx, 0.69, -0.28), (dx, 0.76, -0.24), 0.012, p.CHROME))
    shapes.append(
        p.capsule((x - 0.15, 0.62, -0.36), (x - 0.60, 0.60, -0.10), 0.022, p.BLACK, "hose", 0.0)
    )
    shapes.append(
        p.capsule((x + 0.15, 0.62, -0.36), (x + 0.55, 0.60, -0.10), 0.022, p.BLACK, "hose", 0.0)
    )
    return shapes


def lemniscate_joints(canopy_name: str = "canopy") -> list[p.Shape]:
    """The base four-bar with its closure, and the canopy hinge."""
    return [
        p.revolute(
            "base_front_link", "base", "front_link", (FRONT_PIN[0], 0, FRONT_PIN[1]), axis=AXIS
        ),
        p.revolute("front_link_shield", "front_link", "shield", (FRONT_LENGTH, 0, 0), axis=AXIS),
        p.revolute("shield_rear_link", "shield", "rear_link", (-PIN_SPACING, 0, 0), axis=AXIS),
        *p.closure("base", "rear_link", (REAR_PIN[0], 0, REAR_PIN[1]), (REAR_LENGTH, 0, 0), AXIS),
        p.revolute(
            f"shield_{canopy_name}", "shield", canopy_name, (HINGE[0], 0, HINGE[1]), axis=AXIS
        ),
    ]


def legs(name: str, foot: float, head: float, bore: float, rod_diameter: float) -> list[p.Cylinder]:
    """A pair of legs between base and canopy: `<name>_left`, `<name>_right`, group `<name>s`."""
    return p.pair(
        name,
        "base",
        "canopy",
        (foot, LEG_Y, FOOT_Z),
        (head, LEG_Y, HEAD_Z),
        *LEG_BOUND,
        group=f"{name}s",
        bore=bore,
        rod_diameter=rod_diameter,
        pressure=31.5e6,
        speed=0.10,
        acceleration=0.5,
        ends="ball",
        color=LEG,
    )


# ---------------------------------------------------------------------------------------------
# Face guard driven through a four-bar
# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Guard:
    """The face guard's four-bar on the nose of a `carrier` link.

    The jack pushes a hanging rocker, the rocker pushes the plate through a short link, the plate
    hinges at the nose. Found by a random search: over plate angles of -84 to -149 degrees from
    the carrier's x axis the sines of all transmission angles stay above 0.7.
    """

    carrier: str
    nose: tuple[float, float]  # plate hinge in the carrier, x and z [m]

    ROCKER_PIN = (-0.245, 0.115)  # from the nose
    ROCKER = 0.275
    LINK = 0.25
    ARM = (0.295, -0.052)  # the link's pin on the plate, from the hinge, in plate axes
    JACK_ARM = (0.215, 0.145)  # jack on the rocker, in rocker axes
    JACK_BASE = (-1.03, 0.02)  # jack on the carrier, from the nose
    BOUND = (0.65, 0.95)
    LENGTH = 0.95
    WIDTH = 1.40

    def home(self, plate_angle: float) -> dict[str, float]:
        """Joint values for an angle of the plate from the carrier's x axis."""
        goal = turned(self.ARM, plate_angle) - np.array(self.ROCKER_PIN)
        rocker, link = two_bars(goal, self.ROCKER, self.LINK, (-1.9, 0.1))
        return {
            f"{self.carrier}_guard_rocker": rocker,
            "guard_rocker_guard_link": link - rocker,
            "guard_link_guard_plate": plate_angle - link,
        }

    def joints(self) -> list[p.Shape]:
        """Three tree joints and the closure at the plate's hinge."""
        x, z = self.nose
        return [
            p.revolute(
                f"{self.carrier}_guard_rocker",
                self.carrier,
                "guard_rocker",
                (round(x + self.ROCKER_PIN[0], 6), 0, round(z + self.ROCKER_PIN[1], 6)),
                axis=AXIS,
            ),
            p.revolute(
                "guard_rocker_guard_link",
                "guard_rocker",
                "guard_link",
                (self.ROCKER, 0, 0),
                axis=AXIS,
            ),
            p.revolute(
                "guard_link_guard_plate", "guard_link", "guard_plate", (self.LINK, 0, 0), axis=AXIS
            ),
            *p.closure(
                self.carrier, "guard_plate", (x, 0, z), (-self.ARM[0], 0, -self.ARM[1]), AXIS
            ),
        ]

    def links(self, mass: float = 620.0) -> list[p.Shape]:
        """Rocker, link and plate."""
        jx, jz = self.JACK_ARM
        rocker = p.link(
            "guard_rocker",
            [
                p.both(
                    p.beam((0, 0.085, 0), (self.ROCKER, 0.085, 0), 0.03, 0.09, LINK),
                    p.beam((0, 0.085, 0), (jx, 0.085, jz), 0.03, 0.08, LINK),
                    p.beam((jx, 0.085, jz), (self.ROCKER, 0.085, 0), 0.03, 0.07, LINK),
                ),
                p.pin((0, 0, 0), 0.055, 0.30),
                p.pin((self.ROCKER, 0, 0), 0.045, 0.24),
            ],
            fill=0.9,
        )
        rod = p.link(
            "guard_link",
            [
                p.both(
                    p.beam((0, 0.045, 0), (self.LINK, 0.045, 0), 0.03, 0.08, p.RED),
                    p.pin((0, 0.045, 0), 0.06, 0.035, color=p.RED),
                    p.pin((self.LINK, 0.045, 0), 0.06, 0.035, color=p.RED),
                ),
                p.pin((self.LINK, 0, 0), 0.04, 0.24),
            ],
            fill=0.9,
        )
        ax, az = self.ARM
        x0, z0 = -ax, -az  # the hinge, in the plate's frame at the link's pin
        middle = x0 + 0.05 + self.LENGTH / 2
        plate = p.link(
            "guard_plate",
            [
                p.box(
                    (self.LENGTH, self.WIDTH, 0.04),
                    (middle, 0, z0 + 0.045),
                    color=p.RED,
                    name="plate",
                ),
                p.box(
                    (0.05, self.WIDTH, 0.09),
                    (x0 + self.LENGTH, 0, z0 + 0.02),
                    color=p.RED,
                    name="lip",
                ),
                p.both(
                    p.box((self.LENGTH - 0.1, 0.05, 0.08), (middle, 0.28, z0), color=p.ORANGE),
                    p.box((self.LENGTH - 0.1, 0.05, 0.08), (middle, 0.62, z0), color=p.ORANGE),
                    p.pin((x0, 0.28, z0), 0.06, 0.14, color=p.RED),
                    p.beam((x0 + 0.17, 0.135, z0 + 0.01), (0, 0.135, 0), 0.03, 0.12, p.ORANGE),
                ),
                p.box((0.06, 1.20, 0.07), (x0 + 0.62, 0, z0), color=p.ORANGE),
                p.pin((x0, 0, z0), 0.035, 0.80),
            ],
            mass=mass,
            collision=[p.box((self.LENGTH, self.WIDTH, 0.1), (middle, 0, z0 + 0.02))],
        )
        return [rocker, rod, plate]

    def jack(self) -> p.Cylinder:
        """The single jack between the carrier and the rocker."""
        x, z = self.nose
        return p.cylinder(
            "face_guard_jack",
            self.carrier,
            "guard_rocker",
            (round(x + self.JACK_BASE[0], 6), 0, round(z + self.JACK_BASE[1], 6)),
            (self.JACK_ARM[0], 0, self.JACK_ARM[1]),
            *self.BOUND,
            group="face_guard_jack",
            bore=0.10,
            rod_diameter=0.07,
            speed=0.12,
            acceleration=0.6,
            color=LEG,
        )

    def nose_shapes(self) -> list[p.Shape]:
        """Brackets on the carrier: the plate's hinge, the rocker's pin, the jack's foot."""
        x, z = self.nose
        rx, rz = x + self.ROCKER_PIN[0], z + self.ROCKER_PIN[1]
        jx, jz = x + self.JACK_BASE[0], z + self.JACK_BASE[1]
        return p.both(
            p.beam((x - 0.04, 0.38, z + 0.16), (x, 0.38, z), 0.05, 0.11, BODY),
            p.pin((x, 0.38, z), 0.06, 0.05, color=BODY),
            p.pin((rx, 0.17, rz), 0.08, 0.05, color=BODY),
            p.box((0.22, 0.05, 0.14), (rx, 0.17, rz + 0.06), color=BODY),
            p.box((0.20, 0.05, 0.18), (jx, 0.10, jz + 0.06), color=BODY),
        )


def strokes(cylinders: Sequence[p.Cylinder]) -> None:
    """Refuses a stroke under a quarter of the closed length."""
    for cylinder in cylinders:
        bound = cylinder.actuator["bound"]
        if bound["upper"] < 1.25 * bound["lower"]:
            raise ValueError(f"{cylinder.name}: stroke under a quarter of the closed length")


def repainted(machine: p.Shape, paint: dict[p.Color, p.Color]) -> p.Shape:
    """The machine in other colours; changes it in place."""
    for link in machine["links"]:
        for shape in link["visual"]:
            color = tuple(shape["material"]["color"])
            shape["material"]["color"] = list(paint.get(color, color))
    return machine


def sources(machine: str) -> list[p.Shape]:
    """Provenance that holds for every support."""
    return [
        p.source("machine", "estimated", machine),
        p.source(
            "actuators/legs/bore",
            "data sheet",
            "GB/T 2348 bore series; force = piston area x 31.5 MPa working pressure (good)",
        ),
        p.source(
            "joints/base four-bar",
            "estimated",
            "own numerical search; no pin coordinates of a real support are public",
        ),
        p.source(
            "actuators/bounds",
            "estimated",
            "strokes from the height range of the class; mounts by own design",
        ),
        p.source(
            "actuators/speed, acceleration",
            "estimated",
            "usual for emulsion supplies of 300-400 l/min; not from a data sheet (weak)",
        ),
        p.source(
            "links/inertial",
            "estimated",
            "shares of the class's total mass; centre and inertia from the shown shapes",
        ),
        p.source("links/visual", "estimated", "drawn to look like the class; not a maker's model"),
    ]
