"""What the hydraulic supports have in common: base, lemniscate four-bar, shield, legs, guard.

The mechanism is planar (x forward, z up) and every revolute axis is -y, so that joint angles
count from x towards z. Frames: `front_link` at its pin on the base, x to the shield; `shield` at
the front link's pin, x from the rear link's pin to that pin; `rear_link` at its pin on the shield,
x to the base; `canopy` at its hinge on the shield, x forward along the canopy.
"""

from .dressing import looks
from .guard import Guard, panel
from .lemniscate import HINGE, hinge, in_plane
from .machine import support
from .paint import BODY, DARK, LEG, PLATE, WEAR, Paint
from .structure import base, beam_brackets, canopy, front_link, legs, rear_link, shield, valve_bank

__all__ = [
    "BODY",
    "DARK",
    "HINGE",
    "LEG",
    "PLATE",
    "WEAR",
    "Guard",
    "Paint",
    "base",
    "beam_brackets",
    "canopy",
    "front_link",
    "hinge",
    "in_plane",
    "legs",
    "looks",
    "panel",
    "rear_link",
    "shield",
    "support",
    "valve_bank",
]
