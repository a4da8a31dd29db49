"""Kernels of the constraints that close loops: how far they are open, and their derivatives.

A constraint lies between two freedoms a and b, whose frames are placed. Points move by v + w x p
and directions by w x u with every freedom on the way from a to b; what moves both alike does not
count.
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
from ..spatial.kernels import Numbers, cross3, direction_at, dot3, point_at, six, three, velocity_at
from .records import CONSTRAINT, FRAME, FREEDOM, ConstraintKind

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

POINT, PARALLEL, ALIGNED, LENGTH, OFFSET, PERPENDICULAR, RATIO = (
    kind.value for kind in ConstraintKind
)


@inlined_kernel
def equations_of(kind: int) -> int:
    """How many equations a constraint has."""
    return 3 if kind in (POINT, PARALLEL, ALIGNED) else 1


@inlined_kernel
def point_of(frames: Records, freedom: int, point: Floats) -> Numbers:
    """A point on a freedom, in the base's axes."""
    return three(point) if freedom < 0 else point_at(frames[freedom].X_WF, point)


@inlined_kernel
def vector_of(frames: Records, freedom: int, vector: Floats) -> Numbers:
    """A direction on a freedom, in the base's axes."""
    return three(vector) if freedom < 0 else direction_at(frames[freedom].X_WF, vector)


@inlined_kernel
def minus3(a: Numbers, b: Numbers) -> Numbers:
    """The difference of two vectors in space."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined_kernel
def plus3(a: Numbers, b: Numbers) -> Numbers:
    """The sum of two vectors in space."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined_kernel
def put3(out: Floats, at: int, x: Numbers) -> None:
    """Write three equations."""
    out[at], out[at + 1], out[at + 2] = x[0], x[1], x[2]


@entry(array_of(CONSTRAINT), VECTOR, WHOLES, VECTOR, array_of(FRAME), VECTOR)
@kernel
def residuals(
    constraints: Records, target_in: Floats, active_in: Ints, q_in: Floats, frames: Records,
    r_out: Floats,
) -> int:  # fmt: skip
    """Left sides of the active constraints less their targets, stacked; returns their number.

    `target_in` holds the lengths of LENGTHs [m] and the offsets of RATIOs.
    """
    row = 0
    for n in range(active_in.shape[0]):
        one, target = constraints[active_in[n]], target_in[active_in[n]]
        if one.kind == RATIO:
            leads = q_in[one.leader.position]
            r_out[row] = q_in[one.follower.position] - one.ratio * leads - target
            row += 1
            continue
        p_a, p_b = point_of(frames, one.a, one.point_a), point_of(frames, one.b, one.point_b)
        u_a, u_b = vector_of(frames, one.a, one.vector_a), vector_of(frames, one.b, one.vector_b)
        d = minus3(p_b, p_a)
        if one.kind == POINT:
            put3(r_out, row, d)
        elif one.kind == PARALLEL:
            put3(r_out, row, cross3(u_a, u_b))
        elif one.kind == ALIGNED:
            put3(r_out, row, minus3(u_b, u_a))
        elif one.kind == LENGTH:
            r_out[row] = math.sqrt(dot3(d, d)) - target
        elif one.kind == OFFSET:
            r_out[row] = dot3(u_a, d)
        else:
            r_out[row] = dot3(u_a, u_b)
        row += equations_of(one.kind)
    return row


@inlined_kernel
def add_column(
    one: Record, row: int, column: int, at_b: bool, axis: Numbers, p_a: Numbers, p_b: Numbers,
    u_a: Numbers, u_b: Numbers, J_out: Floats,
) -> None:  # fmt: skip
    """Derivative of a constraint by a freedom on b's side of the way, or on a's."""
    w = (axis[0], axis[1], axis[2])
    nothing = (0.0, 0.0, 0.0)
    dp_a = nothing if at_b else velocity_at(axis, p_a)
    dp_b = velocity_at(axis, p_b) if at_b else nothing
    du_a = nothing if at_b else cross3(w, u_a)
    du_b = cross3(w, u_b) if at_b else nothing
    change = minus3(dp_b, dp_a)
    if one.kind == POINT:
        x = change
    elif one.kind == PARALLEL:
        x = plus3(cross3(du_a, u_b), cross3(u_a, du_b))
    elif one.kind == ALIGNED:
        x = minus3(du_b, du_a)
    else:
        d = minus3(p_b, p_a)
        if one.kind == LENGTH:
            length = math.sqrt(dot3(d, d))
            value = dot3(d, change) / length if length > 0.0 else 0.0
        elif one.kind == OFFSET:
            value = dot3(du_a, d) + dot3(u_a, change)
        else:
            value = dot3(du_a, u_b) + dot3(u_a, du_b)
        J_out[row, column] = value
        return
    J_out[row, column], J_out[row + 1, column], J_out[row + 2, column] = x


@entry(array_of(CONSTRAINT), array_of(FREEDOM), WHOLES, WHOLES, array_of(FRAME), MATRIX)
@kernel
def jacobian(
    constraints: Records, freedoms: Records, active_in: Ints, column_in: Ints, frames: Records,
    J_out: Floats,
) -> int:  # fmt: skip
    """Derivative of `residuals` by some velocities, (rows, columns); returns the rows.

    `column_in` is the column of each velocity, or -1.
    """
    row = 0
    for n in range(active_in.shape[0]):
        one = constraints[active_in[n]]
        for i in range(row, row + equations_of(one.kind)):
            for k in range(J_out.shape[1]):
                J_out[i, k] = 0.0
        if one.kind == RATIO:
            follows, leads = column_in[one.follower.velocity], column_in[one.leader.velocity]
            if follows >= 0:
                J_out[row, follows] = 1.0
            if leads >= 0:
                J_out[row, leads] = -one.ratio
            row += 1
            continue
        p_a, p_b = point_of(frames, one.a, one.point_a), point_of(frames, one.b, one.point_b)
        u_a, u_b = vector_of(frames, one.a, one.vector_a), vector_of(frames, one.b, one.vector_b)
        for end in range(2):
            d = one.b if end == 1 else one.a
            while d != one.common:
                column = column_in[freedoms[d].velocity]
                if column >= 0:
                    axis = six(frames[d].axis)
                    add_column(one, row, column, end == 1, axis, p_a, p_b, u_a, u_b, J_out)
                d = freedoms[d].parent
        row += equations_of(one.kind)
    return row
