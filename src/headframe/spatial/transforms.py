"""Poses as 4x4 matrices. `X_AB` takes B-coordinates to A-coordinates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .rotations import matrix_from_rpy

Matrix = NDArray[np.float64]


def compose(rotation: ArrayLike, translation: ArrayLike) -> Matrix:
    """Pose of a rotation matrix and a translation [m], (4, 4)."""
    X = np.eye(4)
    X[:3, :3] = rotation
    X[:3, 3] = translation
    return X


def pose(translation: Sequence[float], rpy: Sequence[float]) -> Matrix:
    """Pose of a translation [m] and roll-pitch-yaw angles [rad], (4, 4)."""
    return compose(matrix_from_rpy(rpy), translation)


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
