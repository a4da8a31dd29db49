"""The kernels of this room that other rooms call, with their records and what they return."""

from .closing import jacobian, point_of, put_slopes, residuals, side_of, vector_of
from .levenberg_marquardt import copy
from .placing import BALL, PART, place_frames, place_freedom, set_turn
from .records import FRAME, FREEDOM, LINK, LOOP_ROW, PLACE, SPRING, FreedomKind, RowKind

__all__ = [
    "BALL",
    "FRAME",
    "FREEDOM",
    "LINK",
    "LOOP_ROW",
    "PART",
    "PLACE",
    "SPRING",
    "FreedomKind",
    "RowKind",
    "copy",
    "jacobian",
    "place_frames",
    "place_freedom",
    "point_of",
    "put_slopes",
    "residuals",
    "set_turn",
    "side_of",
    "vector_of",
]
