"""The kernels of this room that other rooms call, with their records and what they return."""

from .closing import jacobian, residuals
from .placing import BALL, PART, axis_of, moved, place_frames, place_links, set_turn
from .records import CONSTRAINT, FRAME, FREEDOM, PLACE, SPRING, ConstraintKind, FreedomKind

__all__ = [
    "BALL",
    "CONSTRAINT",
    "FRAME",
    "FREEDOM",
    "PART",
    "PLACE",
    "SPRING",
    "ConstraintKind",
    "FreedomKind",
    "axis_of",
    "jacobian",
    "moved",
    "place_frames",
    "place_links",
    "residuals",
    "set_turn",
]
