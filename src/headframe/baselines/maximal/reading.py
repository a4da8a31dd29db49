"""Kernels that read the bodies: gaps of the joints, and the coordinates of the tree."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...jit import MATRIX, VECTOR, entry, inlined_kernel, kernel
from .rows import (
    BODIES,
    CYLINDER,
    FREE,
    LINEAR,
    PLANE_CYLINDER,
    SCALAR,
    TABLES,
    Bodies,
    Tables,
    position,
    rate,
    set_row,
)

Floats = NDArray[np.float64]


@entry(TABLES, BODIES, MATRIX)
@kernel
def gaps(tables: Tables, bodies: Bodies, J_work: Floats) -> tuple[float, float]:
    """Widest gap [m] and largest misalignment [rad] of any joint."""
    row_i, block_i, gap, angle = tables.row_i, tables.block_i, 0.0, 0.0
    for block in range(block_i.shape[0]):
        first, total = block_i[block, 0], 0.0
        for row in range(first, first + block_i[block, 1]):
            total += set_row(row_i, tables.row_f, bodies.X, row, J_work, 0) ** 2
        if row_i[first, 0] == LINEAR:
            gap = max(gap, math.sqrt(total))
        else:
            angle = max(angle, math.sqrt(total))
    return gap, angle


@entry(TABLES, BODIES, MATRIX, VECTOR, VECTOR)
@kernel
def recover(tables: Tables, bodies: Bodies, J_work: Floats, q_io: Floats, v_out: Floats) -> None:
    """The tree's coordinates from the poses of the bodies.

    `coordinate_i` holds kind, A (SCALAR: the row), B, place in q, place in v; `coordinate_f` the
    joint's frames in A and in B, as 3x4 rows. A quaternion is the one of its two signs that is
    nearest to what `q_io` holds. A cylinder without mass is nothing but its mounts.
    """
    row_i, table, X, V = tables.row_i, tables.coordinate_f, bodies.X, bodies.V
    for c in range(table.shape[0]):
        kind, a = tables.coordinate_i[c, 0], tables.coordinate_i[c, 1]
        b, iq, iv = tables.coordinate_i[c, 2], tables.coordinate_i[c, 3], tables.coordinate_i[c, 4]
        if kind == SCALAR:
            value = set_row(row_i, tables.row_f, X, a, J_work, 0)
            q_io[iq] = position(row_i, a, value, bodies.last[a])
            v_out[iv] = rate(J_work, 0, V, row_i[a, 1], row_i[a, 2])
            continue
        x, y, z, dx, dy, dz = place_in(table, c, X, V, a, b)
        if kind in (CYLINDER, PLANE_CYLINDER):
            recover_cylinder(kind == CYLINDER, x, y, z, dx, dy, dz, q_io, iq, v_out, iv)
            continue
        if kind == FREE:
            q_io[iq + 4], q_io[iq + 5], q_io[iq + 6] = x, y, z
            v_out[iv + 3], v_out[iv + 4], v_out[iv + 5] = dx, dy, dz
        recover_ball(table, c, X, a, b, q_io, iq)
        # angular velocity in the joint's axes on B
        wx, wy, wz = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1], V[b, 2] - V[a, 2]
        for k in range(3):
            ex, ey, ez = column(X, b, table, c, 12 + k)
            v_out[iv + k] = ex * wx + ey * wy + ez * wz


@inlined_kernel
def column(X: Floats, body: int, table: Floats, row: int, at: int) -> tuple[float, float, float]:
    """A column of a frame's 3x4 rows, in world axes."""
    x, y, z = table[row, at], table[row, at + 4], table[row, at + 8]
    return (
        X[body, 0] * x + X[body, 1] * y + X[body, 2] * z,
        X[body, 4] * x + X[body, 5] * y + X[body, 6] * z,
        X[body, 8] * x + X[body, 9] * y + X[body, 10] * z,
    )


@kernel
def recover_ball(table: Floats, c: int, X: Floats, a: int, b: int, q_out: Floats, iq: int) -> None:
    """Quaternion of the joint's frame on B in its frame on A."""
    ax, ay, az = column(X, a, table, c, 0)
    bx, by, bz = column(X, a, table, c, 1)
    cx, cy, cz = column(X, a, table, c, 2)
    dx, dy, dz = column(X, b, table, c, 12)
    ex, ey, ez = column(X, b, table, c, 13)
    fx, fy, fz = column(X, b, table, c, 14)
    r00, r01, r02 = (
        ax * dx + ay * dy + az * dz,
        ax * ex + ay * ey + az * ez,
        ax * fx + ay * fy + az * fz,
    )
    r10, r11, r12 = (
        bx * dx + by * dy + bz * dz,
        bx * ex + by * ey + bz * ez,
        bx * fx + by * fy + bz * fz,
    )
    r20, r21, r22 = (
        cx * dx + cy * dy + cz * dz,
        cx * ex + cy * ey + cz * ez,
        cx * fx + cy * fy + cz * fz,
    )
    # the largest of the four components first (Shepperd)
    if r00 + r11 + r22 > max(r00, r11, r22):
        w, x, y, z = 1.0 + r00 + r11 + r22, r21 - r12, r02 - r20, r10 - r01
    elif r00 >= r11 and r00 >= r22:
        w, x, y, z = r21 - r12, 1.0 + r00 - r11 - r22, r01 + r10, r02 + r20
    elif r11 >= r22:
        w, x, y, z = r02 - r20, r01 + r10, 1.0 - r00 + r11 - r22, r12 + r21
    else:
        w, x, y, z = r10 - r01, r02 + r20, r12 + r21, 1.0 - r00 - r11 + r22
    scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    if w * q_out[iq] + x * q_out[iq + 1] + y * q_out[iq + 2] + z * q_out[iq + 3] < 0.0:
        scale = -scale
    q_out[iq], q_out[iq + 1] = scale * w, scale * x
    q_out[iq + 2], q_out[iq + 3] = scale * y, scale * z


@kernel
def place_in(
    table: Floats, c: int, X: Floats, V: Floats, a: int, b: int
) -> tuple[float, float, float, float, float, float]:
    """Place and velocity of the joint's origin on B in its frame on A."""
    bx, by, bz = column(X, b, table, c, 15)
    ax, ay, az = column(X, a, table, c, 3)
    # from A's centre of mass to B's point
    rx, ry, rz = X[b, 3] + bx - X[a, 3], X[b, 7] + by - X[a, 7], X[b, 11] + bz - X[a, 11]
    ux = V[b, 3] + V[b, 1] * bz - V[b, 2] * by - (V[a, 3] + V[a, 1] * rz - V[a, 2] * ry)
    uy = V[b, 4] + V[b, 2] * bx - V[b, 0] * bz - (V[a, 4] + V[a, 2] * rx - V[a, 0] * rz)
    uz = V[b, 5] + V[b, 0] * by - V[b, 1] * bx - (V[a, 5] + V[a, 0] * ry - V[a, 1] * rx)
    rx, ry, rz = rx - ax, ry - ay, rz - az
    ax, ay, az = column(X, a, table, c, 0)
    bx, by, bz = column(X, a, table, c, 1)
    cx, cy, cz = column(X, a, table, c, 2)
    return (
        ax * rx + ay * ry + az * rz,
        bx * rx + by * ry + bz * rz,
        cx * rx + cy * ry + cz * rz,
        ax * ux + ay * uy + az * uz,
        bx * ux + by * uy + bz * uz,
        cx * ux + cy * uy + cz * uz,
    )


@kernel
def recover_cylinder(
    outwards: bool, x: float, y: float, z: float, dx: float, dy: float, dz: float,
    q_io: Floats, iq: int, v_out: Floats, iv: int,
) -> None:  # fmt: skip
    """Angle about the pin z from x, angle out of its plane, length; and their rates."""
    flat, length = math.hypot(x, y), math.sqrt(x * x + y * y + z * z)
    off = math.atan2(y, x) - q_io[iq]
    q_io[iq] += off - 2.0 * math.pi * math.floor(off / (2.0 * math.pi) + 0.5)
    v_out[iv] = (x * dy - y * dx) / (flat * flat)
    if outwards:
        iq, iv = iq + 1, iv + 1
        q_io[iq] = math.atan2(z, flat)
        v_out[iv] = (flat * dz - z * (x * dx + y * dy) / flat) / (length * length)
    q_io[iq + 1] = length
    v_out[iv + 1] = (x * dx + y * dy + z * dz) / length
