"""The four-bar of base, front link, shield and rear link, and the canopy on its shield."""

from __future__ import annotations

import kit as k
import numpy as np
from planar import direction, meeting, turned

from headframe.description import Joint
from headframe.description.geometry import Vector

AXIS = k.UP

# The four-bar [m], found by a random search for a canopy hinge that rises nearly vertically
# (42 mm of drift between 2.1 and 3.74 m) with the shield at 23 to 53 degrees and the sine of the
# angle between shield and rear link above 0.7.
FRONT_PIN = (0.0, 0.80)  # front link on the base
REAR_PIN = (-0.74, 0.43)  # rear link on the base
FRONT_LENGTH = 1.53
REAR_LENGTH = 1.325
PIN_SPACING = 0.50  # between the pins of the two links on the shield
HINGE = (1.96, 0.16)  # canopy hinge, from the front pin, in shield axes


def in_plane(point: tuple[float, float], y: float = 0.0) -> Vector:
    """Make a point of x and z, in the plane y = 0 unless told [m]."""
    x, z = point
    return x, y, z


def hinge(parent: str, child: str, at: tuple[float, float]) -> Joint:
    """Make the revolute joint `<parent>_<child>` at a point of the plane [m]."""
    return k.revolute(f"{parent}_{child}", parent, child, in_plane(at), axis=AXIS)


def joints() -> list[Joint]:
    """Join the four-bar with its closure, and the canopy."""
    return [
        hinge("base", "front_link", FRONT_PIN),
        hinge("front_link", "shield", (FRONT_LENGTH, 0.0)),
        hinge("shield", "rear_link", (-PIN_SPACING, 0.0)),
        *k.closure("base", "rear_link", in_plane(REAR_PIN), (REAR_LENGTH, 0, 0), axis=AXIS),
        hinge("shield", "canopy", HINGE),
    ]


def home(front_angle: float) -> dict[str, float]:
    """Give joint values [rad] for an angle of the front link [rad] and a level canopy."""
    front = np.array(FRONT_PIN) + turned((FRONT_LENGTH, 0.0), front_angle)
    rear = meeting(front, PIN_SPACING, REAR_PIN, REAR_LENGTH, left=False)
    shield = direction(rear, front)
    return {
        "base_front_link": front_angle,
        "front_link_shield": shield - front_angle,
        "shield_rear_link": direction(rear, REAR_PIN) - shield,
        "shield_canopy": -shield,
    }
