"""Boom-type roadheader of the 230-kW class.

The turret slews on the main body and carries the boom, in which the arm with the cutter head
telescopes. The shovel plate hinges at the front, two stabilisers at the rear. Nine cylinders move
them; the cutting drum and the gathering arms spin on motors; crawlers, conveyor and rear frame are
fixed to the body.

World axes: x forward, y left, z up; the floor is z = 0 and x = 0 lies between the crawlers.
"""

from .bodies import looks
from .machine import build

__all__ = ["build", "looks"]
