"""Rotations and poses: SO(3), SE(3), roll-pitch-yaw, quaternions (wxyz)."""

from .rotations import (
    axis_angle_matrix,
    matrix_from_quaternion,
    matrix_from_rpy,
    quaternion_from_matrix,
    rpy_from_matrix,
    skew,
)
from .transforms import compose, invert, pose, rotated, transform_points

__all__ = [
    "axis_angle_matrix",
    "compose",
    "invert",
    "matrix_from_quaternion",
    "matrix_from_rpy",
    "pose",
    "quaternion_from_matrix",
    "rotated",
    "rpy_from_matrix",
    "skew",
    "transform_points",
]
