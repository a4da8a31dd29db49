"""Ranges of hinges and the strokes of the cylinders across them."""

from __future__ import annotations

import numpy as np

from headframe.spatial import axis_angle_matrix

from .vectors import Point

Range = tuple[float, float]


def strokes(pivot: Point, tube: Point, rod_end: Point, angles: Range, axis: Point) -> Range:
    """Find the bounds of a cylinder across a hinge, to 0.1 mm.

    Args:
        pivot: A point of the hinge, in the parent's axes [m].
        tube: Mount point of the tube, in the parent's axes [m].
        rod_end: Mount point of the rod, in the child's axes [m], which stand at the pivot and are
            parallel to the parent's at angle 0.
        angles: The ends of the hinge's range [rad].
        axis: Unit direction of the hinge.

    Returns:
        Shortest and longest distance between the mount points at the ends of the range [m].
    """
    ends = (
        np.linalg.norm(np.add(pivot, axis_angle_matrix(axis, angle) @ rod_end) - tube)
        for angle in angles
    )
    lower, upper = sorted(round(float(length), 4) for length in ends)
    return lower, upper


def wide(ends: Range, by: float = 0.01) -> Range:
    """Give a joint's limits, which stand a hundredth [rad, m] outside the strokes' ends."""
    return round(ends[0] - by, 4), round(ends[1] + by, 4)
