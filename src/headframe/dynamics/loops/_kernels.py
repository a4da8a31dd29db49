"""Kernels of the constraints that close loops over a placed tree: residuals, Jacobian, bias.

Every constraint is one scalar row, between two freedoms A and B of the tree (-1: the base):

- OFFSET: phi = u_A . (p_B - p_A), how far a point on B lies from a point on A along a direction
  that is fixed in A. Three of them close a point, two a prismatic pair or a plane mount;
- ANGLE: phi = u_A . u_B, zero where two directions are perpendicular. Two of them keep the axes
  of a hinge parallel, one makes a universal joint, three keep two bodies from turning;
- RATIO: phi = q_j - ratio q_i - offset, a repeater.

The rate of the first two is W . (V_B - V_A), velocities and the wrench W taken at the world's
origin. For OFFSET, with d = p_B - p_A,

    u . (v_B + w_B x p_B) - u . (v_A + w_A x p_A) + (w_A x u) . d
        = u . (v_B - v_A) + (p_B x u) . (w_B - w_A),                        W = (p_B x u_A, u_A)

since -p_A x u - d x u = -p_B x u; for ANGLE likewise W = (u_B x u_A, 0). So a row's multiplier is
the force u_A, applied at p_B, that A puts on B, or the torque u_B x u_A.

- `loops_i` (m, 6): kind, freedom A, freedom B, the last freedom that moves both (-1: none), 0, 0;
  for RATIO: kind, places of the follower and the leader in q, then in v, 0;
- `loops_f` (m, 12): point on A, point on B, direction on A, direction on B, in the freedoms'
  frames; for RATIO: ratio, offset.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined_kernel, kernel
from ..tree._kernels import CARRIER, IV, PARENT, REVOLUTE, ROW, T, V, X

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

KIND, A, B, COMMON = 0, 1, 2, 3
V_FOLLOWER, V_LEADER = 3, 4  # behind the places of their positions
LOOPS_I, LOOPS_F = 6, 12
OFFSET, ANGLE, RATIO = 0, 1, 2
POINT_A, POINT_B, VECTOR_A, VECTOR_B = 0, 3, 6, 9


@inlined_kernel
def point_of(
    loops_f: Floats, row: int, at: int, nd: int, freedom: int, work: Floats
) -> tuple[float, float, float]:
    """A point of a freedom's body in world axes."""
    x, y, z = loops_f[row, at], loops_f[row, at + 1], loops_f[row, at + 2]
    if freedom < 0:
        return x, y, z
    k = X * nd + 12 * freedom
    return (
        work[k] * x + work[k + 1] * y + work[k + 2] * z + work[k + 3],
        work[k + 4] * x + work[k + 5] * y + work[k + 6] * z + work[k + 7],
        work[k + 8] * x + work[k + 9] * y + work[k + 10] * z + work[k + 11],
    )


@inlined_kernel
def vector_of(
    loops_f: Floats, row: int, at: int, nd: int, freedom: int, work: Floats
) -> tuple[float, float, float]:
    """A direction on a freedom's body in world axes."""
    x, y, z = loops_f[row, at], loops_f[row, at + 1], loops_f[row, at + 2]
    if freedom < 0:
        return x, y, z
    k = X * nd + 12 * freedom
    return (
        work[k] * x + work[k + 1] * y + work[k + 2] * z,
        work[k + 4] * x + work[k + 5] * y + work[k + 6] * z,
        work[k + 8] * x + work[k + 9] * y + work[k + 10] * z,
    )


@inlined_kernel
def velocity_of(
    nd: int, freedom: int, work: Floats
) -> tuple[float, float, float, float, float, float]:
    """Velocity of a freedom's body at the world's origin."""
    if freedom < 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    k = V * nd + 6 * freedom
    return work[k], work[k + 1], work[k + 2], work[k + 3], work[k + 4], work[k + 5]


@inlined_kernel
def cross(
    a0: float, a1: float, a2: float, b0: float, b1: float, b2: float
) -> tuple[float, float, float]:
    """The product a x b."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@kernel
def residuals(
    loops_i: Ints, loops_f: Floats, nd: int, q_in: Floats, work: Floats, phi_out: Floats
) -> None:
    """How far every row is from being closed [m, 1, the repeater's unit], (m,)."""
    for row in range(loops_i.shape[0]):
        kind, a, b = loops_i[row, KIND], loops_i[row, A], loops_i[row, B]
        if kind == RATIO:
            phi_out[row] = q_in[a] - loops_f[row, 0] * q_in[b] - loops_f[row, 1]
            continue
        u0, u1, u2 = vector_of(loops_f, row, VECTOR_A, nd, a, work)
        if kind == OFFSET:
            a0, a1, a2 = point_of(loops_f, row, POINT_A, nd, a, work)
            b0, b1, b2 = point_of(loops_f, row, POINT_B, nd, b, work)
            phi_out[row] = u0 * (b0 - a0) + u1 * (b1 - a1) + u2 * (b2 - a2)
        else:
            b0, b1, b2 = vector_of(loops_f, row, VECTOR_B, nd, b, work)
            phi_out[row] = u0 * b0 + u1 * b1 + u2 * b2


@inlined_kernel
def wrench(
    loops_i: Ints, loops_f: Floats, row: int, nd: int, work: Floats
) -> tuple[float, float, float, float, float, float]:
    """W of an OFFSET or ANGLE row: moment at the world's origin, and force, on B."""
    a, b = loops_i[row, A], loops_i[row, B]
    u0, u1, u2 = vector_of(loops_f, row, VECTOR_A, nd, a, work)
    if loops_i[row, KIND] == OFFSET:
        b0, b1, b2 = point_of(loops_f, row, POINT_B, nd, b, work)
        n0, n1, n2 = cross(b0, b1, b2, u0, u1, u2)
        return n0, n1, n2, u0, u1, u2
    b0, b1, b2 = vector_of(loops_f, row, VECTOR_B, nd, b, work)
    n0, n1, n2 = cross(b0, b1, b2, u0, u1, u2)
    return n0, n1, n2, 0.0, 0.0, 0.0


@kernel
def jacobian(loops_i: Ints, loops_f: Floats, tree_i: Ints, work: Floats, J_out: Floats) -> None:
    """Derivatives of the residuals by the velocities, (m, nv): +-W . T_d along the way A to B."""
    nd = tree_i.shape[0]
    for row in range(loops_i.shape[0]):
        for k in range(nd):
            J_out[row, k] = 0.0
        if loops_i[row, KIND] == RATIO:
            J_out[row, loops_i[row, V_FOLLOWER]] = 1.0
            J_out[row, loops_i[row, V_LEADER]] = -loops_f[row, 0]
            continue
        n0, n1, n2, f0, f1, f2 = wrench(loops_i, loops_f, row, nd, work)
        common = loops_i[row, COMMON]
        for end in range(2):
            d = loops_i[row, B] if end == 0 else loops_i[row, A]
            sign = 1.0 if end == 0 else -1.0
            while d != common:
                t = T * nd + 6 * d
                value = n0 * work[t] + n1 * work[t + 1] + n2 * work[t + 2]
                value += f0 * work[t + 3] + f1 * work[t + 4] + f2 * work[t + 5]
                J_out[row, tree_i[d, IV]] = sign * value
                d = tree_i[d, PARENT]


@inlined_kernel
def path_acceleration(
    loops_i: Ints, row: int, tree_i: Ints, v_in: Floats, work: Floats
) -> tuple[float, float, float, float, float, float]:
    """Acceleration of B less that of A while all vdot are 0: sums of V_carrier x T_d v_d."""
    nd = tree_i.shape[0]
    common = loops_i[row, COMMON]
    s0, s1, s2, s3, s4, s5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for end in range(2):
        d = loops_i[row, B] if end == 0 else loops_i[row, A]
        sign = 1.0 if end == 0 else -1.0
        while d != common:
            rate, t = sign * v_in[tree_i[d, IV]], T * nd + 6 * d
            t0, t1, t2 = rate * work[t], rate * work[t + 1], rate * work[t + 2]
            t3, t4, t5 = rate * work[t + 3], rate * work[t + 4], rate * work[t + 5]
            w0, w1, w2, v0, v1, v2 = velocity_of(nd, tree_i[d, CARRIER], work)
            s0 += w1 * t2 - w2 * t1
            s1 += w2 * t0 - w0 * t2
            s2 += w0 * t1 - w1 * t0
            s3 += w1 * t5 - w2 * t4 + v1 * t2 - v2 * t1
            s4 += w2 * t3 - w0 * t5 + v2 * t0 - v0 * t2
            s5 += w0 * t4 - w1 * t3 + v0 * t1 - v1 * t0
            d = tree_i[d, PARENT]
    return s0, s1, s2, s3, s4, s5


@kernel
def bias(
    loops_i: Ints, loops_f: Floats, tree_i: Ints, v_in: Floats, work: Floats, gamma_out: Floats
) -> None:
    """Jdot v, (m,): a residual's second derivative is J vdot + gamma. Velocities V being set.

    gamma = W . (a_B - a_A) + Wdot . (V_B - V_A), a the accelerations that velocities alone make.
    With udot = w_A x u_A it is Wdot = (pdot_B x u_A + p_B x udot, udot) for OFFSET and
    (udot_B x u_A + u_B x udot, 0) for ANGLE.
    """
    nd = tree_i.shape[0]
    last_a, last_b = -2, -2
    s0, s1, s2, s3, s4, s5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for row in range(loops_i.shape[0]):
        kind, a, b = loops_i[row, KIND], loops_i[row, A], loops_i[row, B]
        if kind == RATIO:
            gamma_out[row] = 0.0
            continue
        if a != last_a or b != last_b:
            # the rows of one loop follow each other
            s0, s1, s2, s3, s4, s5 = path_acceleration(loops_i, row, tree_i, v_in, work)
            last_a, last_b = a, b
        wa0, wa1, wa2, va0, va1, va2 = velocity_of(nd, a, work)
        wb0, wb1, wb2, vb0, vb1, vb2 = velocity_of(nd, b, work)
        u0, u1, u2 = vector_of(loops_f, row, VECTOR_A, nd, a, work)
        du0, du1, du2 = cross(wa0, wa1, wa2, u0, u1, u2)
        # the point or the direction on B, and its rate
        if kind == OFFSET:
            b0, b1, b2 = point_of(loops_f, row, POINT_B, nd, b, work)
            db0, db1, db2 = cross(wb0, wb1, wb2, b0, b1, b2)
            db0, db1, db2 = db0 + vb0, db1 + vb1, db2 + vb2
        else:
            b0, b1, b2 = vector_of(loops_f, row, VECTOR_B, nd, b, work)
            db0, db1, db2 = cross(wb0, wb1, wb2, b0, b1, b2)
        n0, n1, n2 = cross(b0, b1, b2, u0, u1, u2)
        x0, x1, x2 = cross(db0, db1, db2, u0, u1, u2)
        y0, y1, y2 = cross(b0, b1, b2, du0, du1, du2)
        gamma = n0 * s0 + n1 * s1 + n2 * s2
        gamma += (x0 + y0) * (wb0 - wa0) + (x1 + y1) * (wb1 - wa1) + (x2 + y2) * (wb2 - wa2)
        if kind == OFFSET:
            gamma += u0 * s3 + u1 * s4 + u2 * s5
            gamma += du0 * (vb0 - va0) + du1 * (vb1 - va1) + du2 * (vb2 - va2)
        gamma_out[row] = gamma


def warm_up() -> None:
    """Compile what is called from outside of kernels, on a pendulum tied to the base."""
    tree_i = np.array([[-1, -1, REVOLUTE, 0, 0]])
    loops_i, loops_f = np.array([[OFFSET, -1, 0, -1, 0, 0]]), np.zeros((1, LOOPS_F))
    one, work = np.zeros(1), np.zeros(ROW)
    residuals(loops_i, loops_f, 1, one, work, np.zeros(1))
    jacobian(loops_i, loops_f, tree_i, work, np.zeros((1, 1)))
    bias(loops_i, loops_f, tree_i, one, work, np.zeros(1))
