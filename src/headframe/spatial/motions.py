"""Rigid motions and their logarithms: SE(3) and its 6-vectors, angular first.

A 6-vector xi = (omega, rho) has an angular part omega [rad] and a linear part rho [m]. exp(xi) is
where a body gets to that moves with the constant velocity xi for one unit of time, both parts in
the coordinates of the frame it starts from. All functions take stacks of poses or 6-vectors along
leading axes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import StateError
from .transforms import RIGID, checked_numbers, checked_pose

Matrix = NDArray[np.float64]


def pose_error(X: ArrayLike, Y: ArrayLike) -> Matrix:
    """The motion that takes one pose to another: log(X^-1 Y), (..., 6), angular first [rad, m].

    For X = X_WA and Y = X_WB it is the logarithm of X_AB, in coordinates of A: zero where the
    poses are equal, and X exp(pose_error(X, Y)) = Y. Its angular part is at most pi long; between
    poses half a turn apart both directions are right, and one of them is given.

    Args:
        X: pose to start from, (..., 4, 4).
        Y: pose to get to, (..., 4, 4); leading axes broadcast against those of X.

    Returns:
        (omega, rho), (..., 6).

    Raises:
        StateError: an argument that is no rigid pose, or stacks that do not fit each other.
    """
    X_WA, X_WB = checked_pose(X, "X", RIGID), checked_pose(Y, "Y", RIGID)
    try:
        np.broadcast_shapes(X_WA.shape, X_WB.shape)
    except ValueError:
        raise StateError(
            f"X, Y: found shapes {X_WA.shape} and {X_WB.shape}, expected shapes that broadcast"
        ) from None
    R_AW = np.swapaxes(X_WA[..., :3, :3], -1, -2)
    p_AB = R_AW @ (X_WB[..., :3, 3] - X_WA[..., :3, 3])[..., np.newaxis]
    return _logarithm(R_AW @ X_WB[..., :3, :3], p_AB[..., 0])


def exp_pose(xi: ArrayLike) -> Matrix:
    """Pose reached by the motion xi = (omega, rho), (..., 6) [rad, m]; (..., 4, 4).

    With phi = |omega|, u = omega / phi and [u]x the matrix of u x:
    R = 1 + sin(phi) [u]x + 2 sin(phi/2)^2 [u]x^2 (Rodrigues), and p is the integral of
    exp(t [omega]x) rho over t from 0 to 1,
    p = rho + 2 sin(phi/2)^2 / phi u x rho + (1 - sin(phi) / phi) u x (u x rho).
    The factors go to 0 with phi and are rounded to within the rounding of 1, so that no series is
    needed near phi = 0.

    Raises:
        StateError: another shape, or a number that is not finite.
    """
    xi = checked_numbers(xi, (6,), "xi")
    omega, rho = xi[..., :3], xi[..., 3:]
    phi = np.hypot(np.hypot(omega[..., 0], omega[..., 1]), omega[..., 2])[..., np.newaxis]
    safe = np.where(phi > 0.0, phi, 1.0)
    U = _skew(omega / safe)
    sine, versine = np.sin(phi), 2.0 * np.sin(0.5 * phi) ** 2
    turned = (U @ rho[..., np.newaxis])[..., 0]
    twice = (U @ turned[..., np.newaxis])[..., 0]
    lag = np.where(phi > 0.0, 1.0 - sine / safe, 0.0)
    X = np.zeros((*xi.shape[:-1], 4, 4))
    X[..., :3, :3] = np.eye(3) + sine[..., np.newaxis] * U + versine[..., np.newaxis] * (U @ U)
    X[..., :3, 3] = rho + versine / safe * turned + lag * twice
    X[..., 3, 3] = 1.0
    return X


def log_pose(X: ArrayLike) -> Matrix:
    """The motion xi with exp(xi) = X, (..., 6), angular first [rad, m]; of a pose (..., 4, 4).

    Its angular part is at most pi long. At half a turn both signs of the axis are right, and the
    one whose largest component is positive is given.

    Raises:
        StateError: another shape, a number that is not finite, or no rigid pose.
    """
    X = checked_pose(X, "X", RIGID)
    return _logarithm(X[..., :3, :3], X[..., :3, 3])


def adjoint(X: ArrayLike) -> Matrix:
    """Matrix that takes 6-vectors from B to A, for X = X_AB (..., 4, 4); (..., 6, 6).

    exp(adjoint(X) xi) = X exp(xi) X^-1. A velocity (omega, v) at B's origin in B's coordinates is
    (R omega, R v + p x R omega) at A's origin in A's, so that it is [[R, 0], [[p]x R, R]].

    Raises:
        StateError: another shape, a number that is not finite, or no rigid pose.
    """
    X_AB = checked_pose(X, "X", RIGID)
    R_AB = X_AB[..., :3, :3]
    matrix = np.zeros((*X_AB.shape[:-2], 6, 6))
    matrix[..., :3, :3] = matrix[..., 3:, 3:] = R_AB
    matrix[..., 3:, :3] = _skew(X_AB[..., :3, 3]) @ R_AB
    return matrix


def _logarithm(R: Matrix, p: Matrix) -> Matrix:
    """Logarithm of the pose with rotation R (..., 3, 3) and translation p (..., 3) [m].

    With h half of the angle and u the axis: omega = 2 h u, and rho solves the integral in
    `exp_pose` for rho: rho = p - h u x p + (1 - h cot h) u x (u x p). The quaternion
    (cos h, u sin h) has all that is needed, and h = atan2(|u sin h|, cos h) is good to the last
    digits at every angle, which an arc cosine of the trace is not.
    """
    quat = _quaternions(R)
    w, v = quat[..., :1], quat[..., 1:]
    n = np.hypot(np.hypot(v[..., 0], v[..., 1]), v[..., 2])[..., np.newaxis]
    safe = np.where(n > 0.0, n, 1.0)
    half = np.arctan2(n, w)
    u = v / safe
    turned = np.cross(u, p)
    bend = np.where(n > 0.0, 1.0 - half * w / safe, 0.0)
    rho = p - half * turned + bend * np.cross(u, turned)
    return np.concatenate([2.0 * half * u, rho], axis=-1)


def _quaternions(R: Matrix) -> Matrix:
    """Unit quaternions wxyz with w >= 0 of rotations (..., 3, 3), (..., 4).

    R holds all products of the components of q. The row of 4 q q^T with the largest diagonal
    element is q up to a factor, and nothing small divides it.
    """
    r00, r11, r22 = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    products = np.empty((*R.shape[:-2], 4, 4))
    products[..., 0, 0] = 1.0 + r00 + r11 + r22
    products[..., 1, 1] = 1.0 + r00 - r11 - r22
    products[..., 2, 2] = 1.0 - r00 + r11 - r22
    products[..., 3, 3] = 1.0 - r00 - r11 + r22
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        products[..., 0, 1 + i] = products[..., 1 + i, 0] = R[..., k, j] - R[..., j, k]
        products[..., 1 + j, 1 + k] = products[..., 1 + k, 1 + j] = R[..., k, j] + R[..., j, k]
    largest = np.argmax(np.diagonal(products, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(products, largest[..., np.newaxis, np.newaxis], axis=-2)[..., 0, :]
    quat: Matrix = row / np.linalg.norm(row, axis=-1, keepdims=True)
    return np.where(quat[..., :1] < 0.0, -quat, quat)


def _skew(vectors: Matrix) -> Matrix:
    """Matrices [v]x with [v]x w = v x w of vectors (..., 3), (..., 3, 3)."""
    matrices = np.zeros((*vectors.shape, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        matrices[..., k, j] = vectors[..., i]
        matrices[..., j, k] = -vectors[..., i]
    return matrices
