"""Points and directions, and the rounding that keeps machine files short."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from headframe.description.geometry import ORIGIN, Vector

Array = NDArray[np.float64]
Point = Sequence[float] | Array

X: Vector = (1.0, 0.0, 0.0)
Y: Vector = (0.0, 1.0, 0.0)
Z: Vector = (0.0, 0.0, 1.0)
UP: Vector = (0.0, -1.0, 0.0)  # hinge axis that raises what lies in front of it
BACK: Vector = (-1.0, 0.0, 0.0)
DOWN: Vector = (0.0, 0.0, -1.0)

__all__ = [
    "BACK",
    "DOWN",
    "ORIGIN",
    "UP",
    "Array",
    "Point",
    "X",
    "Y",
    "Z",
    "about_x",
    "decimals",
    "significant",
    "triple",
]


def decimals(value: float, digits: int = 7) -> float:
    """Round to decimals, 0.1 micrometre unless told; never a negative zero."""
    return round(float(value), digits) + 0.0


def significant(value: float, digits: int = 12) -> float:
    """Round to significant digits; never a negative zero."""
    return float(f"{float(value):.{digits - 1}e}") + 0.0


def triple(values: Iterable[float]) -> Vector:
    """Make a vector of twelve significant digits."""
    x, y, z = (significant(value) for value in values)
    return x, y, z


def about_x(angle: float) -> Array:
    """Give the unit vector at an angle [rad] from y towards z, (3,)."""
    return np.array([0.0, math.cos(angle), math.sin(angle)])
