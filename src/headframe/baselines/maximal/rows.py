"""Kernels over bodies and joints in maximal coordinates, shared by SIMMC and XPBD.

Every link with mass is a free rigid body: its frame stands in the centre of mass, along the
principal axes. Body 0 is the base: it has no inverse mass, so that nothing moves it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import (
    MATRIX,
    VECTOR,
    WHOLE_MATRIX,
    WHOLES,
    entry,
    inlined_kernel,
    kernel,
    named_tuple_of,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LINEAR, PERPENDICULAR, DISTANCE, ON_A, ON_B = range(5)
SCALAR, BALL, FREE, CYLINDER, PLANE_CYLINDER = range(5)  # kinds of coordinates
MASS, INERTIA, PER_MASS, PER_INERTIA = 0, 1, 4, 5
BY_DRIVES, BY_DAMPERS, BY_PULLS, BY_STOPS, BY_JOINTS, LEDGER = range(6)


class Tables(NamedTuple):
    """A machine in maximal coordinates.

    Attributes:
        gravity: [m/s^2], (3,).
        body_f: mass, principal moments of inertia, and the inverses of the four, (nb, 8).
        row_i: kind, body A, body B of every row, (n, 3). A row is a scalar equation C = 0.
        row_f: its numbers, (n, 9). LINEAR: a direction fixed in A, a point of A, a point of B; C
            is how far B's point is from A's along the direction. PERPENDICULAR: a vector of A and a
            vector of B; C is their product. DISTANCE: a point of A and a point of B; C is how far
            they are apart. ON_A and ON_B: a hinge's axis, in A or in B, a vector of A, a vector of
            B; C is the angle from the first to the second about the axis.
        block_i: first row and number of rows that hold something together, (n_blocks, 2). The rows
            behind them are what joints leave free, for drives, losses and the coordinates.
        drive_i: the row of each drive, (n_drives,).
        loss_i, loss_f: rows with damping and dry friction, (n,), (n, 2).
        ratio_i, ratio_f: repeaters, rows of follower and leader, ratio and offset, (n, 2), (n, 2).
        spring_i, spring_f: springs, two bodies; two points, stiffness, rest length and damping,
            (n, 2), (n, 9).
        coordinate_i, coordinate_f: of the tree's q and v, (n, 5), (n, 24): see `readings`.
    """

    gravity: Floats
    body_f: Floats
    row_i: Ints
    row_f: Floats
    block_i: Ints
    drive_i: Ints
    loss_i: Ints
    loss_f: Floats
    ratio_i: Ints
    ratio_f: Floats
    spring_i: Ints
    spring_f: Floats
    coordinate_i: Ints
    coordinate_f: Floats


class Bodies(NamedTuple):
    """Where the bodies are and how they move.

    Attributes:
        X: poses as 3x4 rows, (nb, 12).
        quat: their quaternions, (nb, 4).
        V: velocities of the centres of mass in world axes, angular first, (nb, 6).
        spin: angular momenta about the centres of mass, (nb, 3).
        last: positions of the rows, angles counting on, (n,).
        ref: references of the drives: whether there is one, its position and rate, (n_drives, 3).
        ledger: what flowed in since the start [J], (LEDGER,): by drives, by dampers and friction
            (not positive), by external forces, by end stops (not positive), and by what holds
            joints together.
    """

    X: Floats
    quat: Floats
    V: Floats
    spin: Floats
    last: Floats
    ref: Floats
    ledger: Floats


# types of both, for what is called from outside of kernels
TABLES = named_tuple_of(
    Tables, VECTOR, MATRIX, WHOLE_MATRIX, MATRIX, WHOLE_MATRIX, WHOLES, WHOLES, MATRIX,
    WHOLE_MATRIX, MATRIX, WHOLE_MATRIX, MATRIX, WHOLE_MATRIX, MATRIX,
)  # fmt: skip
BODIES = named_tuple_of(Bodies, MATRIX, MATRIX, MATRIX, MATRIX, VECTOR, MATRIX, VECTOR)


# ------------------------------------------------------------ single bodies


@inlined_kernel
def turned(X: Floats, body: int, table: Floats, row: int, at: int) -> tuple[float, float, float]:
    """Three numbers of a row, a vector of a body, in world axes."""
    x, y, z = table[row, at], table[row, at + 1], table[row, at + 2]
    return (
        X[body, 0] * x + X[body, 1] * y + X[body, 2] * z,
        X[body, 4] * x + X[body, 5] * y + X[body, 6] * z,
        X[body, 8] * x + X[body, 9] * y + X[body, 10] * z,
    )


@inlined_kernel
def inverse_inertia(
    body_f: Floats, X: Floats, body: int, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """I^-1 times a vector in world axes."""
    return stretched(body_f, PER_INERTIA, X, body, x, y, z)


@inlined_kernel
def inertia(
    body_f: Floats, X: Floats, body: int, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """I times a vector in world axes."""
    return stretched(body_f, INERTIA, X, body, x, y, z)


@inlined_kernel
def stretched(
    body_f: Floats, at: int, X: Floats, body: int, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """A vector in world axes, stretched along a body's axes by three numbers of its row."""
    a = (X[body, 0] * x + X[body, 4] * y + X[body, 8] * z) * body_f[body, at]
    b = (X[body, 1] * x + X[body, 5] * y + X[body, 9] * z) * body_f[body, at + 1]
    c = (X[body, 2] * x + X[body, 6] * y + X[body, 10] * z) * body_f[body, at + 2]
    return (
        X[body, 0] * a + X[body, 1] * b + X[body, 2] * c,
        X[body, 4] * a + X[body, 5] * b + X[body, 6] * c,
        X[body, 8] * a + X[body, 9] * b + X[body, 10] * c,
    )


@kernel
def set_rotation(quat: Floats, body: int, X_io: Floats) -> None:
    """The 3x3 part of a body's pose from its quaternion, which is made a unit one."""
    w, x, y, z = quat[body, 0], quat[body, 1], quat[body, 2], quat[body, 3]
    scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = scale * w, scale * x, scale * y, scale * z
    quat[body, 0], quat[body, 1], quat[body, 2], quat[body, 3] = w, x, y, z
    X_io[body, 0] = 1.0 - 2.0 * (y * y + z * z)
    X_io[body, 1] = 2.0 * (x * y - w * z)
    X_io[body, 2] = 2.0 * (x * z + w * y)
    X_io[body, 4] = 2.0 * (x * y + w * z)
    X_io[body, 5] = 1.0 - 2.0 * (x * x + z * z)
    X_io[body, 6] = 2.0 * (y * z - w * x)
    X_io[body, 8] = 2.0 * (x * z - w * y)
    X_io[body, 9] = 2.0 * (y * z + w * x)
    X_io[body, 10] = 1.0 - 2.0 * (x * x + y * y)


@kernel
def rotate(body: int, x: float, y: float, z: float, quat_io: Floats, X_io: Floats) -> None:
    """Turn a body by a rotation vector in world axes [rad]: quat <- exp(half the vector) quat."""
    angle = math.sqrt(x * x + y * y + z * z)
    c = math.cos(0.5 * angle)
    s = 0.5 if angle < 1e-8 else math.sin(0.5 * angle) / angle
    x, y, z = s * x, s * y, s * z
    qw, qx, qy, qz = quat_io[body, 0], quat_io[body, 1], quat_io[body, 2], quat_io[body, 3]
    quat_io[body, 0] = c * qw - x * qx - y * qy - z * qz
    quat_io[body, 1] = c * qx + x * qw + y * qz - z * qy
    quat_io[body, 2] = c * qy + y * qw + z * qx - x * qz
    quat_io[body, 3] = c * qz + z * qw + x * qy - y * qx
    set_rotation(quat_io, body, X_io)


@kernel
def copy(table: Floats, out: Floats) -> None:
    """Out = table, row by row: quicker to compile than an assignment of arrays."""
    for i in range(table.shape[0]):
        for k in range(table.shape[1]):
            out[i, k] = table[i, k]


@kernel
def copy_line(line: Floats, out: Floats) -> None:
    """The same for arrays of one dimension."""
    for i in range(line.shape[0]):
        out[i] = line[i]


# --------------------------------------------------------------------- rows


@kernel
def set_row(row_i: Ints, row_f: Floats, X: Floats, row: int, J_out: Floats, at: int) -> float:
    """C of a row, and, into a row of J, what gives dC/dt = J [w_A, v_A, w_B, v_B]."""
    kind, a, b = row_i[row, 0], row_i[row, 1], row_i[row, 2]
    if kind in (LINEAR, DISTANCE):
        p, q = (3, 6) if kind == LINEAR else (0, 3)
        ax, ay, az = turned(X, a, row_f, row, p)
        bx, by, bz = turned(X, b, row_f, row, q)
        # from A's centre of mass to B's point, and from A's point to it
        rx, ry, rz = X[b, 3] + bx - X[a, 3], X[b, 7] + by - X[a, 7], X[b, 11] + bz - X[a, 11]
        dx, dy, dz = rx - ax, ry - ay, rz - az
        if kind == LINEAR:
            nx, ny, nz = turned(X, a, row_f, row, 0)
            value = nx * dx + ny * dy + nz * dz
        else:
            value = math.sqrt(dx * dx + dy * dy + dz * dz)
            scale = 1.0 / value if value > 0.0 else 0.0
            nx, ny, nz = scale * dx, scale * dy, scale * dz
        # the direction turns with A, or looks along the line: A's lever may reach to B's point
        J_out[at, 0], J_out[at, 1] = rz * ny - ry * nz, rx * nz - rz * nx
        J_out[at, 2] = ry * nx - rx * ny
        J_out[at, 3], J_out[at, 4], J_out[at, 5] = -nx, -ny, -nz
        J_out[at, 6], J_out[at, 7] = by * nz - bz * ny, bz * nx - bx * nz
        J_out[at, 8] = bx * ny - by * nx
        J_out[at, 9], J_out[at, 10], J_out[at, 11] = nx, ny, nz
        return float(value)
    for k in range(12):
        J_out[at, k] = 0.0
    if kind == PERPENDICULAR:
        # d(u . w)/dt = (w_B - w_A) . (w x u)
        ux, uy, uz = turned(X, a, row_f, row, 0)
        wx, wy, wz = turned(X, b, row_f, row, 3)
        jx, jy, jz = wy * uz - wz * uy, wz * ux - wx * uz, wx * uy - wy * ux
        value = ux * wx + uy * wy + uz * wz
    else:
        jx, jy, jz = turned(X, a if kind == ON_A else b, row_f, row, 0)
        ux, uy, uz = turned(X, a, row_f, row, 3)
        wx, wy, wz = turned(X, b, row_f, row, 6)
        sine = jx * (uy * wz - uz * wy) + jy * (uz * wx - ux * wz) + jz * (ux * wy - uy * wx)
        along = (ux * jx + uy * jy + uz * jz) * (wx * jx + wy * jy + wz * jz)
        value = math.atan2(sine, ux * wx + uy * wy + uz * wz - along)
    J_out[at, 0], J_out[at, 1], J_out[at, 2] = -jx, -jy, -jz
    J_out[at, 6], J_out[at, 7], J_out[at, 8] = jx, jy, jz
    return float(value)


@inlined_kernel
def position(row_i: Ints, row: int, value: float, last: float) -> float:
    """A row's position: an angle is the one nearest to the last."""
    if row_i[row, 0] < ON_A:
        return value
    off = value - last
    return last + off - 2.0 * math.pi * math.floor(off / (2.0 * math.pi) + 0.5)


@inlined_kernel
def rate(J: Floats, at: int, V: Floats, a: int, b: int) -> float:
    """J [V_A, V_B], in four sums that a processor can work on at once."""
    x = J[at, 0] * V[a, 0] + J[at, 1] * V[a, 1] + J[at, 2] * V[a, 2]
    y = J[at, 3] * V[a, 3] + J[at, 4] * V[a, 4] + J[at, 5] * V[a, 5]
    z = J[at, 6] * V[b, 0] + J[at, 7] * V[b, 1] + J[at, 8] * V[b, 2]
    w = J[at, 9] * V[b, 3] + J[at, 10] * V[b, 4] + J[at, 11] * V[b, 5]
    return float((x + y) + (z + w))


@kernel
def respond(
    body_f: Floats, X: Floats, row_i: Ints, row: int, J: Floats, at: int, W_out: Floats
) -> float:
    """W = M^-1 J^T, the velocities that a unit impulse makes; returns J W.

    This is formula (4) of paper SIMGC for two free bodies: the effective mass is 1 / (J W).
    """
    total = 0.0
    for end in range(2):
        body, k = row_i[row, 1 + end], 6 * end
        x, y, z = inverse_inertia(body_f, X, body, J[at, k], J[at, k + 1], J[at, k + 2])
        W_out[at, k], W_out[at, k + 1], W_out[at, k + 2] = x, y, z
        for i in range(k + 3, k + 6):
            W_out[at, i] = body_f[body, PER_MASS] * J[at, i]
        for i in range(k, k + 6):
            total += J[at, i] * W_out[at, i]
    return float(total)


@inlined_kernel
def strike(W: Floats, at: int, impulse: float, V_io: Floats, a: int, b: int) -> None:
    """Add the velocities that an impulse along a row makes."""
    for k in range(6):
        V_io[a, k] += impulse * W[at, k]
        V_io[b, k] += impulse * W[at, 6 + k]


@kernel
def set_ratio(
    tables: Tables, X: Floats, last: Floats, r: int, J_out: Floats, at: int, W_out: Floats
) -> tuple[float, float]:
    """C of a repeater, and J W, over two rows of J and W: the follower's and the leader's.

    C is the follower's position less ratio times the leader's less the offset; up to four bodies
    take part, and one that both joints share gets both parts of an impulse.
    """
    row_i, J, W = tables.row_i, J_out, W_out
    C, K = -tables.ratio_f[r, 1], 0.0
    for end in range(2):
        row, factor = tables.ratio_i[r, end], 1.0 if end == 0 else -tables.ratio_f[r, 0]
        value = set_row(row_i, tables.row_f, X, row, J, at + end)
        C += factor * position(row_i, row, value, last[row])
        respond(tables.body_f, X, row_i, row, J, at + end, W)
        for k in range(12):
            J[at + end, k] *= factor
            W[at + end, k] *= factor
    for i in range(4):
        for j in range(4):
            if ratio_end(tables, r, i) == ratio_end(tables, r, j):
                for k in range(6):
                    K += J[at + i // 2, 6 * (i % 2) + k] * W[at + j // 2, 6 * (j % 2) + k]
    return C, K


@inlined_kernel
def ratio_end(tables: Tables, r: int, i: int) -> int:
    """Body of one of the four ends of a repeater: follower's A and B, leader's A and B."""
    return int(tables.row_i[tables.ratio_i[r, i // 2], 1 + i % 2])


@entry(TABLES, BODIES, MATRIX)
@kernel
def track(tables: Tables, bodies: Bodies, J_work: Floats) -> None:
    """Bring the positions of what joints leave free up to date, angles counting on."""
    row_i, row_f, X, last = tables.row_i, tables.row_f, bodies.X, bodies.last
    for row in range(n_held(tables), row_i.shape[0]):
        value = set_row(row_i, row_f, X, row, J_work, 0)
        last[row] = position(row_i, row, value, last[row])


@entry(TABLES)
@inlined_kernel
def n_held(tables: Tables) -> int:
    """Number of rows that hold joints together; those behind them are what is left free."""
    n = tables.block_i.shape[0]
    return int(tables.block_i[n - 1, 0] + tables.block_i[n - 1, 1]) if n > 0 else 0


# -------------------------------------------------------------------- whole


@kernel
def not_finite(bodies: Bodies) -> int:
    """The first body whose pose or velocity is not finite; 0 if all are."""
    for body in range(1, bodies.X.shape[0]):
        total = 0.0
        for k in range(12):
            total += bodies.X[body, k]
        for k in range(6):
            total += bodies.V[body, k]
        if not math.isfinite(total):
            return body
    return 0
