"""The kernels of this room that other rooms call, with their records and what they return."""

from .guiding import drives_that_guide, give_way, guide, lead, leave_stop, pulled_stop, rests
from .records import DRIVE, DriveMode, DrivenBy

__all__ = [
    "DRIVE",
    "DriveMode",
    "DrivenBy",
    "drives_that_guide",
    "give_way",
    "guide",
    "lead",
    "leave_stop",
    "pulled_stop",
    "rests",
]
