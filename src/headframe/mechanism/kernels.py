"""The kernels of this room that other rooms call, with their records and what they return."""

from .closing import jacobian, residuals
from .placing import BALL, PART, place_frames, place_freedom, set_turn
from .records import CONSTRAINT, FRAME, FREEDOM, LINK, PLACE, SPRING, ConstraintKind, FreedomKind

__all__ = [
    "BALL",
    "CONSTRAINT",
    "FRAME",
    "FREEDOM",
    "LINK",
    "PART",
    "PLACE",
    "SPRING",
    "ConstraintKind",
    "FreedomKind",
    "jacobian",
    "place_frames",
    "place_freedom",
    "residuals",
    "set_turn",
]
