"""Geometry in a plane: what closes a four-bar."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Pair = Sequence[float] | Array  # two coordinates


def turned(vector: Pair, angle: float) -> Array:
    """Turn a vector by an angle [rad], (2,)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def direction(start: Pair, end: Pair = (0.0, 0.0)) -> float:
    """Give the angle of the way from `start` to `end` [rad]."""
    return math.atan2(end[1] - start[1], end[0] - start[0])


def meeting(a: Pair, from_a: float, b: Pair, from_b: float, *, left: bool) -> Array:
    """Find the point at given distances from two others, as where two bars meet.

    Args:
        a: First point [m].
        from_a: Distance from it [m].
        b: Second point [m].
        from_b: Distance from it [m].
        left: Whether it lies to the left of the way from `a` to `b`; else to the right.

    Returns:
        The point [m], (2,).
    """
    way = np.subtract(b, a)
    d = float(np.linalg.norm(way))
    along = (from_a**2 + d**2 - from_b**2) / (2 * d)
    across = math.sqrt(from_a**2 - along**2)
    x, y = way / d
    return a + along * np.array([x, y]) + (across if left else -across) * np.array([-y, x])
