"""What a hydraulic cylinder looks like where the file does not say."""

from __future__ import annotations

import math

from .drives import Actuator
from .geometry import Cylinder, Material, Visual
from .model import Link, Robot

ALONG_X = (0.0, math.pi / 2, 0.0)
STEEL = Material(color=(0.35, 0.37, 0.4, 1.0))
CHROME = Material(color=(0.85, 0.86, 0.88, 1.0))


def shapes_of(robot: Robot, link: Link) -> tuple[Visual, ...]:
    """What is seen of a link: its visuals, or a plain cylinder for a tube or rod without any."""
    if link.visuals or link.name not in robot.cylinder_parts:
        return link.visuals
    actuator = next(a for a in robot.actuators if link.name in (a.tube, a.rod))
    return (_barrel(actuator) if link.name == actuator.tube else _rod(actuator),)


def _barrel(actuator: Actuator) -> Visual:
    """A tube from its mount to just short of the other at the shortest length."""
    length = 0.9 * actuator.bounds.lower
    radius = 0.6 * actuator.bore if actuator.bore else 0.05 * actuator.bounds.lower
    return _along_x(radius, length, STEEL)


def _rod(actuator: Actuator) -> Visual:
    """A rod from its mount, long enough to stay in the tube at the longest length."""
    shortest, longest = actuator.bounds.lower, actuator.bounds.upper
    length = max(0.9 * shortest, min(longest - 0.85 * shortest, shortest))
    diameter = actuator.rod_diameter or 0.6 * (actuator.bore or 0.1 * shortest)
    return _along_x(0.5 * diameter, length, CHROME)


def _along_x(radius: float, length: float, material: Material) -> Visual:
    return Visual(
        translation=(0.5 * length, 0.0, 0.0),
        orientation=ALONG_X,
        geometry=Cylinder(type="cylinder", r1=radius, r2=radius, h=length),
        material=material,
    )
