"""Rotations as 3x3 matrices, roll-pitch-yaw angles and unit quaternions (wxyz)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]


def skew(vector: ArrayLike) -> Matrix:
    """Matrix [v]x with [v]x w = v x w, (3, 3)."""
    x, y, z = np.asarray(vector, dtype=float)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def axis_angle_matrix(axis: ArrayLike, angle: float) -> Matrix:
    """Rotation by `angle` [rad] about the unit `axis`, (3, 3).

    Rodrigues' formula as below Eq. (2) of the MineRobot paper:
    R = I + sin(angle) [a]x + (1 - cos(angle)) [a]x^2.
    """
    a = skew(axis)
    return np.eye(3) + math.sin(angle) * a + (1.0 - math.cos(angle)) * (a @ a)


def matrix_from_rpy(rpy: Sequence[float]) -> Matrix:
    """Rotation of roll-pitch-yaw angles [rad], (3, 3).

    Roll about x, then pitch about y, then yaw about z, all about fixed axes:
    R = Rz(yaw) Ry(pitch) Rx(roll), URDF's convention.
    """
    roll, pitch, yaw = rpy
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rpy_from_matrix(rotation: Matrix) -> tuple[float, float, float]:
    """Roll, pitch and yaw [rad] of a rotation matrix; yaw is 0 at pitch = +-90 degrees.

    Near these pitches yaw is ill determined. There roll is found after yaw is undone, so that it
    makes up for what yaw got wrong, and the three together give the matrix.
    """
    R = rotation
    cos_pitch = math.hypot(R[0, 0], R[1, 0])
    pitch = math.atan2(-R[2, 0], cos_pitch)
    if cos_pitch > 1e-3:
        return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])
    yaw = math.atan2(R[1, 0], R[0, 0]) if cos_pitch > 1e-14 else 0.0
    cy, sy = math.cos(yaw), math.sin(yaw)
    return math.atan2(sy * R[0, 2] - cy * R[1, 2], cy * R[1, 1] - sy * R[0, 1]), pitch, yaw


def matrix_from_quaternion(quat: ArrayLike) -> Matrix:
    """Rotation of a unit quaternion wxyz, (3, 3)."""
    w, x, y, z = np.asarray(quat, dtype=float)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_from_matrix(rotation: Matrix) -> Matrix:
    """Unit quaternion wxyz with w >= 0 of a rotation matrix, (4,).

    The largest of the four squared components is found from the diagonal and the other three
    are divided by it, so that nothing small is ever a divisor.
    """
    R = rotation
    squares = np.array(
        [
            1 + R[0, 0] + R[1, 1] + R[2, 2],
            1 + R[0, 0] - R[1, 1] - R[2, 2],
            1 - R[0, 0] + R[1, 1] - R[2, 2],
            1 - R[0, 0] - R[1, 1] + R[2, 2],
        ]
    )
    products = np.array(
        [
            [squares[0], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], squares[1], R[1, 0] + R[0, 1], R[0, 2] + R[2, 0]],
            [R[0, 2] - R[2, 0], R[1, 0] + R[0, 1], squares[2], R[2, 1] + R[1, 2]],
            [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[2, 1] + R[1, 2], squares[3]],
        ]
    )
    row = products[int(np.argmax(squares))]
    quat: Matrix = row / np.linalg.norm(row)
    return -quat if quat[0] < 0 else quat


def perpendiculars(axis: Matrix) -> tuple[Matrix, Matrix]:
    """Two unit vectors that make a right-handed frame with a unit vector."""
    helper = np.eye(3)[int(np.argmin(np.abs(axis)))]
    first: Matrix = np.cross(axis, helper)
    first /= np.linalg.norm(first)
    return first, np.cross(axis, first)


def quaternions_from_matrices(R: Matrix) -> Matrix:
    """Unit quaternions (w, x, y, z), (..., 4), of many rotation matrices (..., 3, 3), unchecked.

    Four times the outer product q q^T is linear in R. The row with the largest diagonal element is
    q times a factor that is never small.
    """
    outer = np.empty((*R.shape[:-2], 4, 4))
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    for n, signs in enumerate(((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))):
        outer[..., n, n] = 1.0 + signs[0] * xx + signs[1] * yy + signs[2] * zz
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        outer[..., 0, i + 1] = outer[..., i + 1, 0] = R[..., k, j] - R[..., j, k]
        outer[..., j + 1, k + 1] = outer[..., k + 1, j + 1] = R[..., j, k] + R[..., k, j]
    flat = outer.reshape(-1, 4, 4)
    largest = np.argmax(np.einsum("nii->ni", flat), axis=1)
    rows = flat[np.arange(len(flat)), largest]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows *= np.where(rows[:, :1] < 0.0, -1.0, 1.0)
    found: Matrix = rows.reshape(*R.shape[:-2], 4)
    return found
