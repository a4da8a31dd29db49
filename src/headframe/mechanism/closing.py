"""Kernels of the rows that close loops over placed freedoms: how far they are open, derivatives.

Every row is one scalar equation, between two freedoms A and B of a tree (-1: the base):

- OFFSET: u_A . (p_B - p_A), how far a point on B lies from a point on A along a direction that is
  fixed in A. Three of them close a point, two a prismatic pair or a plane mount;
- ANGLE: u_A . u_B, zero where two directions are perpendicular. Two of them keep the axes of a
  hinge parallel, one makes a universal joint, three keep two bodies from turning;
- POINT: likewise along a direction that is fixed in the last freedom C that moves both, the way
  the general solver takes a point: its steps do not depend on how A turns while the loop is open;
- LENGTH: |p_B - p_A|, of a cylinder;
- RATIO: q_j - ratio q_i, a repeater.

The rate of all but the last is W . (V_B - V_A), velocities and the wrench W taken at the world's
origin. For OFFSET, with d = p_B - p_A,

    u . (v_B + w_B x p_B) - u . (v_A + w_A x p_A) + (w_A x u) . d
        = u . (v_B - v_A) + (p_B x u) . (w_B - w_A),                        W = (p_B x u_A, u_A)

since -p_A x u - d x u = -p_B x u; for ANGLE likewise W = (u_B x u_A, 0), and for LENGTH that of an
OFFSET along d / |d|; for POINT the force acts on A in p_A. So a row's multiplier is the force u_A,
applied at p_B, that A puts on B, or the torque u_B x u_A.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import (
    MATRIX,
    VECTOR,
    WHOLES,
    Record,
    Records,
    array_of,
    entry,
    inlined_kernel,
    kernel,
)
from ..spatial.kernels import (
    NOWHERE,
    Numbers,
    cross3,
    direction_at,
    dot3,
    point_at,
    product,
    six,
    three,
    wrench,
)
from .records import FRAME, FREEDOM, LOOP_ROW, RowKind

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OFFSET, ANGLE, RATIO, LENGTH, POINT = (kind.value for kind in RowKind)


@inlined_kernel
def point_of(frames: Records, freedom: int, point: Floats) -> Numbers:
    """A point on a freedom, in the base's axes."""
    return three(point) if freedom < 0 else point_at(frames[freedom].X_WF, point)


@inlined_kernel
def vector_of(frames: Records, freedom: int, vector: Floats) -> Numbers:
    """A direction on a freedom, in the base's axes."""
    return three(vector) if freedom < 0 else direction_at(frames[freedom].X_WF, vector)


@inlined_kernel
def apart(row: Record, frames: Records) -> Numbers:
    """From a row's point on A to its point on B."""
    a, b = point_of(frames, row.a, row.point_a), point_of(frames, row.b, row.point_b)
    return b[0] - a[0], b[1] - a[1], b[2] - a[2]


@inlined_kernel
def side_of(row: Record, q_in: Floats, frames: Records) -> float:
    """What a row keeps [m, 1, the repeater's unit]."""
    if row.kind == RATIO:
        return float(q_in[row.follower.position] - row.ratio * q_in[row.leader.position])
    if row.kind == LENGTH:
        d = apart(row, frames)
        return math.sqrt(dot3(d, d))
    if row.kind == POINT:
        return dot3(vector_of(frames, row.common, row.vector_b), apart(row, frames))
    u = vector_of(frames, row.a, row.vector_a)
    if row.kind == OFFSET:
        return dot3(u, apart(row, frames))
    return dot3(u, vector_of(frames, row.b, row.vector_b))


@inlined_kernel
def wrench_of(row: Record, frames: Records) -> Numbers:
    """W of a row that is no RATIO: moment at the world's origin, and force, on B."""
    if row.kind == LENGTH:
        d = apart(row, frames)
        length = math.sqrt(dot3(d, d))
        scale = 1.0 / length if length > 0.0 else 0.0
        u: Numbers = (scale * d[0], scale * d[1], scale * d[2])
    elif row.kind == POINT:
        u = vector_of(frames, row.common, row.vector_b)
    else:
        u = vector_of(frames, row.a, row.vector_a)
    if row.kind == ANGLE:
        return wrench(NOWHERE, cross3(vector_of(frames, row.b, row.vector_b), u), NOWHERE)
    return wrench(point_of(frames, row.b, row.point_b), NOWHERE, u)


@inlined_kernel
def put_slopes(row: Record, freedoms: Records, frames: Records, slopes_out: Floats) -> None:
    """Derivatives of a row by all velocities, (nv,): +-W . T_d along the way from A to B."""
    for k in range(freedoms.shape[0]):
        slopes_out[k] = 0.0
    if row.kind == RATIO:
        slopes_out[row.follower.velocity] = 1.0
        slopes_out[row.leader.velocity] = -row.ratio
        return
    W = wrench_of(row, frames)
    for end in range(2):
        d = row.b if end == 0 else row.a
        sign = 1.0 if end == 0 else -1.0
        if end == 1 and row.kind == POINT:
            W = wrench(point_of(frames, d, row.point_a), NOWHERE, (W[3], W[4], W[5]))
        while d != row.common:
            slopes_out[freedoms[d].velocity] = sign * product(W, six(frames[d].axis))
            d = freedoms[d].parent


@entry(array_of(LOOP_ROW), VECTOR, WHOLES, VECTOR, array_of(FRAME), VECTOR)
@kernel
def residuals(
    rows: Records, target_in: Floats, active_in: Ints, q_in: Floats, frames: Records, r_out: Floats
) -> None:
    """What the active rows keep less their targets."""
    for i in range(active_in.shape[0]):
        r_out[i] = side_of(rows[active_in[i]], q_in, frames) - target_in[active_in[i]]


@entry(array_of(LOOP_ROW), array_of(FREEDOM), WHOLES, array_of(FRAME), MATRIX)
@kernel
def jacobian(
    rows: Records, freedoms: Records, active_in: Ints, frames: Records, J_out: Floats
) -> None:
    """Derivatives of the active rows by all velocities, (n, nv)."""
    for i in range(active_in.shape[0]):
        put_slopes(rows[active_in[i]], freedoms, frames, J_out[i])
