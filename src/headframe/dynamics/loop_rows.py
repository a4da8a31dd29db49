"""Kernels of the constraints that close loops over a placed tree: residuals, Jacobian, bias.

What rows are, their rates and the wrench W that these are taken with, `mechanism.closing` says.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit import MATRIX, VECTOR, Record, Records, array_of, entry, inlined_kernel, kernel
from ..mechanism.kernels import (
    FREEDOM,
    LOOP_ROW,
    RowKind,
    point_of,
    put_slopes,
    side_of,
    vector_of,
)
from ..spatial.kernels import ZERO, Numbers, cross, cross3, dot3, plus, scaled, six, velocity_at
from .records import BODY

Floats = NDArray[np.float64]

OFFSET, RATIO = RowKind.OFFSET.value, RowKind.RATIO.value


@entry(array_of(LOOP_ROW), VECTOR, array_of(BODY), VECTOR)
@kernel
def residuals(rows: Records, q_in: Floats, bodies: Records, phi_out: Floats) -> None:
    """How far every row is from being closed [m, 1, the repeater's unit], (m,)."""
    for i in range(rows.shape[0]):
        phi_out[i] = side_of(rows[i], q_in, bodies) - rows[i].offset


@entry(array_of(LOOP_ROW), array_of(FREEDOM), array_of(BODY), MATRIX)
@kernel
def jacobian(rows: Records, freedoms: Records, bodies: Records, J_out: Floats) -> None:
    """Derivatives of the residuals by the velocities, (m, nv)."""
    for i in range(rows.shape[0]):
        put_slopes(rows[i], freedoms, bodies, J_out[i])


@inlined_kernel
def velocity_of(bodies: Records, freedom: int) -> Numbers:
    """Velocity of a freedom's body at the world's origin."""
    return six(bodies[freedom].velocity) if freedom >= 0 else ZERO


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
