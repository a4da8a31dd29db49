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
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit import MATRIX, VECTOR, Record, Records, array_of, entry, inlined_kernel, kernel
from ..mechanism.kernels import FREEDOM
from ..spatial.kernels import (
    ZERO,
    Numbers,
    cross,
    cross3,
    direction_at,
    dot3,
    plus,
    point_at,
    product,
    scaled,
    six,
    three,
    velocity_at,
)
from .records import BODY, LOOP_ROW, RowKind

Floats = NDArray[np.float64]

OFFSET, ANGLE, RATIO = (kind.value for kind in RowKind)


@inlined_kernel
def point_of(bodies: Records, freedom: int, point: Floats) -> Numbers:
    """A point of a freedom's body in world axes."""
    if freedom < 0:
        return three(point)
    return point_at(bodies[freedom].X_WF, point)


@inlined_kernel
def vector_of(bodies: Records, freedom: int, vector: Floats) -> Numbers:
    """A direction on a freedom's body in world axes."""
    if freedom < 0:
        return three(vector)
    return direction_at(bodies[freedom].X_WF, vector)


@inlined_kernel
def velocity_of(bodies: Records, freedom: int) -> Numbers:
    """Velocity of a freedom's body at the world's origin."""
    return six(bodies[freedom].velocity) if freedom >= 0 else ZERO


@entry(array_of(LOOP_ROW), VECTOR, array_of(BODY), VECTOR)
@kernel
def residuals(rows: Records, q_in: Floats, bodies: Records, phi_out: Floats) -> None:
    """How far every row is from being closed [m, 1, the repeater's unit], (m,)."""
    for i in range(rows.shape[0]):
        row = rows[i]
        if row.kind == RATIO:
            leads = q_in[row.leader.position]
            phi_out[i] = q_in[row.follower.position] - row.ratio * leads - row.offset
            continue
        u = vector_of(bodies, row.a, row.vector_a)
        if row.kind == OFFSET:
            a = point_of(bodies, row.a, row.point_a)
            b = point_of(bodies, row.b, row.point_b)
            phi_out[i] = u[0] * (b[0] - a[0]) + u[1] * (b[1] - a[1]) + u[2] * (b[2] - a[2])
        else:
            phi_out[i] = dot3(u, vector_of(bodies, row.b, row.vector_b))


@inlined_kernel
def wrench_of(row: Record, bodies: Records) -> Numbers:
    """W of an OFFSET or ANGLE row: moment at the world's origin, and force, on B."""
    u = vector_of(bodies, row.a, row.vector_a)
    if row.kind == OFFSET:
        n = cross3(point_of(bodies, row.b, row.point_b), u)
        return n[0], n[1], n[2], u[0], u[1], u[2]
    n = cross3(vector_of(bodies, row.b, row.vector_b), u)
    return n[0], n[1], n[2], 0.0, 0.0, 0.0


@entry(array_of(LOOP_ROW), array_of(FREEDOM), array_of(BODY), MATRIX)
@kernel
def jacobian(rows: Records, freedoms: Records, bodies: Records, J_out: Floats) -> None:
    """Derivatives of the residuals by the velocities, (m, nv): +-W . T_d along the way A to B."""
    for i in range(rows.shape[0]):
        row = rows[i]
        for k in range(freedoms.shape[0]):
            J_out[i, k] = 0.0
        if row.kind == RATIO:
            J_out[i, row.follower.velocity] = 1.0
            J_out[i, row.leader.velocity] = -row.ratio
            continue
        W = wrench_of(row, bodies)
        for end in range(2):
            d = row.b if end == 0 else row.a
            sign = 1.0 if end == 0 else -1.0
            while d != row.common:
                J_out[i, freedoms[d].velocity] = sign * product(W, six(bodies[d].axis))
                d = freedoms[d].parent


@inlined_kernel
def path_acceleration(row: Record, freedoms: Records, v_in: Floats, bodies: Records) -> Numbers:
    """Acceleration of B less that of A while all vdot are 0: sums of V_carrier x T_d v_d."""
    total: Numbers = ZERO
    for end in range(2):
        d = row.b if end == 0 else row.a
        sign = 1.0 if end == 0 else -1.0
        while d != row.common:
            motion = scaled(sign * v_in[freedoms[d].velocity], six(bodies[d].axis))
            total = plus(total, cross(velocity_of(bodies, freedoms[d].carrier), motion))
            d = freedoms[d].parent
    return total


@entry(array_of(LOOP_ROW), array_of(FREEDOM), VECTOR, array_of(BODY), VECTOR)
@kernel
def bias(
    rows: Records, freedoms: Records, v_in: Floats, bodies: Records, gamma_out: Floats
) -> None:
    """Jdot v, (m,): a residual's second derivative is J vdot + gamma. Velocities V being set.

    gamma = W . (a_B - a_A) + Wdot . (V_B - V_A), a the accelerations that velocities alone make.
    With udot = w_A x u_A it is Wdot = (pdot_B x u_A + p_B x udot, udot) for OFFSET and
    (udot_B x u_A + u_B x udot, 0) for ANGLE.
    """
    last_a, last_b = -2, -2
    path: Numbers = ZERO
    for i in range(rows.shape[0]):
        row = rows[i]
        if row.kind == RATIO:
            gamma_out[i] = 0.0
            continue
        if row.a != last_a or row.b != last_b:
            # the rows of one loop follow each other
            path = path_acceleration(row, freedoms, v_in, bodies)
            last_a, last_b = row.a, row.b
        A, B = velocity_of(bodies, row.a), velocity_of(bodies, row.b)
        turning = (B[0] - A[0], B[1] - A[1], B[2] - A[2])
        u = vector_of(bodies, row.a, row.vector_a)
        du = cross3((A[0], A[1], A[2]), u)
        # the point or the direction on B, and its rate
        if row.kind == OFFSET:
            b = point_of(bodies, row.b, row.point_b)
            db = velocity_at(B, b)
        else:
            b = vector_of(bodies, row.b, row.vector_b)
            db = cross3((B[0], B[1], B[2]), b)
        x, y = cross3(db, u), cross3(b, du)
        gamma = dot3(cross3(b, u), (path[0], path[1], path[2]))
        gamma += dot3((x[0] + y[0], x[1] + y[1], x[2] + y[2]), turning)
        if row.kind == OFFSET:
            gamma += dot3(u, (path[3], path[4], path[5]))
            gamma += dot3(du, (B[3] - A[3], B[4] - A[4], B[5] - A[5]))
        gamma_out[i] = gamma
