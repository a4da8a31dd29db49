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


def checked_pose(X: ArrayLike, what: str) -> Matrix:
    """A copy of the pose `what`, (4, 4) or (n, 4, 4).

    Raises:
        StateError: another shape, numbers that are not finite, or no rotation and translation.
    """
    try:
        copy = np.array(X, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{what}: found {X!r}, expected a pose, a matrix of 4 x 4") from None
    if copy.shape[-2:] != (4, 4) or copy.ndim > 3:
        raise StateError(f"{what}: found shape {copy.shape}, expected a pose, a matrix of 4 x 4")
    if not np.isfinite(copy).all():
        raise StateError(f"{what}: found numbers that are not finite, expected a pose")
    R = copy[..., :3, :3]
    off = float(np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(initial=0.0))
    if off > RIGID or not (np.linalg.det(R) > 0.0).all():
        raise StateError(
            f"{what}: found a 3 x 3 part that is no rotation (R^T R is off by {off:.2g}, "
            f"expected at most {RIGID:g}, and a right-handed frame)"
        )
    if not (copy[..., 3, :] == (0.0, 0.0, 0.0, 1.0)).all():
        raise StateError(f"{what}: found the last row {copy[..., 3, :]}, expected 0, 0, 0, 1")
    return copy


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
