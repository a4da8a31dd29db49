"""Poses as 4x4 matrices. `X_AB` takes B-coordinates to A-coordinates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import StateError
from .rotations import matrix_from_rpy

Matrix = NDArray[np.float64]
RIGID = 1e-6  # how far R^T R of a pose that a user gives may be from the identity


def compose(rotation: ArrayLike, translation: ArrayLike) -> Matrix:
    """Pose of a rotation matrix and a translation [m], (4, 4)."""
    X = np.eye(4)
    X[:3, :3] = rotation
    X[:3, 3] = translation
    return X


def pose(translation: Sequence[float], rpy: Sequence[float]) -> Matrix:
    """Pose of a translation [m] and roll-pitch-yaw angles [rad], (4, 4)."""
    return compose(matrix_from_rpy(rpy), translation)


def checked_pose(X: ArrayLike, what: str, last_row: float = 0.0) -> Matrix:
    """A copy of the poses `what`, (..., 4, 4).

    Args:
        X: one pose or a stack of them.
        what: its name, for messages.
        last_row: by how much elements of the last row may be off 0, 0, 0, 1.

    Raises:
        StateError: another shape, numbers that are not finite, or no rotation and translation.
    """
    copy = checked_numbers(X, (4, 4), what).copy()
    R, rows = copy[..., :3, :3], copy[..., 3, :]
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3))
    if not (off <= RIGID).all():
        raise StateError(
            f"{what}: found a 3 x 3 part that is no rotation: R^T R is off the identity by "
            f"{off.max():.3g}, expected a rotation, to within {RIGID:g}"
        )
    if (np.linalg.det(R) < 0.0).any():
        raise StateError(f"{what}: found a mirroring R with det R = -1, expected det R = 1")
    wrong = (np.abs(rows - (0.0, 0.0, 0.0, 1.0)) > last_row).any(axis=-1)
    if wrong.any():
        raise StateError(f"{what}: found the last row {rows[wrong][0]}, expected [0. 0. 0. 1.]")
    return copy


def checked_numbers(values: ArrayLike, shape: tuple[int, ...], what: str) -> Matrix:
    """The argument `what` as finite float64 whose last axes have the given shape.

    Raises:
        StateError: anything else; the message says what was found.
    """
    expected = f"({', '.join(['...', *map(str, shape)])})"
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise StateError(
            f"{what}: found {values!r:.60}, expected numbers of shape {expected}"
        ) from None
    if array.shape[-len(shape) :] != shape:
        raise StateError(f"{what}: found shape {array.shape}, expected {expected}")
    finite = np.isfinite(array)
    if not finite.all():
        raise StateError(f"{what}: found {array[~finite][0]}, expected finite numbers")
    return array


def invert(X_AB: Matrix) -> Matrix:
    """X_BA of X_AB, (4, 4)."""
    R_BA = X_AB[:3, :3].T
    return compose(R_BA, -R_BA @ X_AB[:3, 3])


def transform_points(X_AB: Matrix, points_B: ArrayLike) -> Matrix:
    """Points given in B [m], (n, 3) or (3,), in A."""
    return np.asarray(points_B, dtype=float) @ X_AB[:3, :3].T + X_AB[:3, 3]


def rotated(X_AB: Matrix, vector_B: ArrayLike) -> Matrix:
    """Free vectors given in B, (n, 3) or (3,), in A."""
    return np.asarray(vector_B, dtype=float) @ X_AB[:3, :3].T
