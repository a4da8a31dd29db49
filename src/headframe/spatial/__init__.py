"""Rotations and poses: SO(3), SE(3), roll-pitch-yaw, quaternions (wxyz), logarithms."""

from .motions import adjoint, exp_pose, log_pose, pose_error
from .rotations import (
    axis_angle_matrix,
    matrix_from_quaternion,
    matrix_from_rpy,
    perpendiculars,
    quaternion_from_matrix,
    quaternions_from_matrices,
    rpy_from_matrix,
    skew,
)
from .transforms import Matrix, checked_pose, compose, invert, pose, rotated, transform_points

__all__ = [
    "Matrix",
    "adjoint",
    "axis_angle_matrix",
    "checked_pose",
    "compose",
    "exp_pose",
    "invert",
    "log_pose",
    "matrix_from_quaternion",
    "matrix_from_rpy",
    "perpendiculars",
    "pose",
    "pose_error",
    "quaternion_from_matrix",
    "quaternions_from_matrices",
    "rotated",
    "rpy_from_matrix",
    "skew",
    "transform_points",
]
