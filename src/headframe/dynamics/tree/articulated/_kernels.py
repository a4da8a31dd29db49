"""Kernels of articulated bodies: accelerations of a spanning tree under forces, without a matrix.

For arrays and parts of `work` see `tree/_kernels.py`. A handle is a freedom's body with all that it
carries, the freedoms behind it being free to move: its inertia is [[J, B], [B^T, C]] as 21 numbers,
J and C (xx, yy, zz, xy, xz, yz) at 0 and 15, B in rows at 6.

Accelerations are those that velocities and gravity would make with all freedoms at constant rates,
found beforehand with the forces that the bodies need for them, and a change by the freedoms' own
rates. So what goes through the articulated inertias is the same for forces and for impulses.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....jit import inlined_kernel, kernel
from .._kernels import (
    ARMATURE,
    ARTICULATED,
    BODY,
    FORCE,
    GAIN,
    IV,
    KIND,
    NO_INERTIA,
    NOT_FINITE,
    OK,
    PARENT,
    PRISMATIC,
    RATE,
    TREE_F,
    WRONG_SIZE,
    F,
    T,
    body_forces,
    cut,
    fits,
    from_last,
    number_of,
    pendulum,
    place,
    set_turns,
    set_velocities,
)
from ..algebra._kernels import ZERO, Numbers, body_at, plus, product, put_six, scaled, six

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOTHING = 1e-14  # of the trace of an inertia


@inlined_kernel
def handle_at(work: Floats, at: int) -> Numbers:
    """Inertia of a handle."""
    return (
        work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5],
        work[at + 6], work[at + 7], work[at + 8], work[at + 9], work[at + 10], work[at + 11],
        work[at + 12], work[at + 13], work[at + 14], work[at + 15], work[at + 16], work[at + 17],
        work[at + 18], work[at + 19], work[at + 20],
    )  # fmt: skip


@inlined_kernel
def put_handle(work: Floats, at: int, x: Numbers) -> None:
    """Write the inertia of a handle."""
    work[at], work[at + 1], work[at + 2], work[at + 3] = x[0], x[1], x[2], x[3]
    work[at + 4], work[at + 5], work[at + 6], work[at + 7] = x[4], x[5], x[6], x[7]
    work[at + 8], work[at + 9], work[at + 10], work[at + 11] = x[8], x[9], x[10], x[11]
    work[at + 12], work[at + 13], work[at + 14], work[at + 15] = x[12], x[13], x[14], x[15]
    work[at + 16], work[at + 17], work[at + 18], work[at + 19] = x[16], x[17], x[18], x[19]
    work[at + 20] = x[20]


@inlined_kernel
def free(tree_i: Ints, work: Floats) -> None:
    """Every handle as its own rigid body, before others are added."""
    nd = number_of(tree_i)
    for d in range(nd):
        m, s0, s1, s2, xx, yy, zz, xy, xz, yz = body_at(work, BODY * nd + 10 * d)
        put_handle(
            work, ARTICULATED * nd + 21 * d,
            (
                xx, yy, zz, xy, xz, yz, 0.0, -s2, s1, s2, 0.0, -s0, -s1, s0, 0.0,
                m, m, m, 0.0, 0.0, 0.0,
            ),
        )  # fmt: skip


@inlined_kernel
def times(handle: Numbers, motion: Numbers) -> Numbers:
    """I v of a handle."""
    xx, yy, zz, xy, xz, yz, b0, b1, b2, b3, b4, b5, b6, b7, b8, cxx, cyy, czz, cxy, cxz, cyz = (
        handle
    )
    w0, w1, w2, v0, v1, v2 = motion
    return (
        (xx * w0 + xy * w1) + (xz * w2 + b0 * v0) + (b1 * v1 + b2 * v2),
        (xy * w0 + yy * w1) + (yz * w2 + b3 * v0) + (b4 * v1 + b5 * v2),
        (xz * w0 + yz * w1) + (zz * w2 + b6 * v0) + (b7 * v1 + b8 * v2),
        (b0 * w0 + b3 * w1) + (b6 * w2 + cxx * v0) + (cxy * v1 + cxz * v2),
        (b1 * w0 + b4 * w1) + (b7 * w2 + cxy * v0) + (cyy * v1 + cyz * v2),
        (b2 * w0 + b5 * w1) + (b8 * w2 + cxz * v0) + (cyz * v1 + czz * v2),
    )


@inlined_kernel
def together(p: Numbers, h: Numbers, u: Numbers, gain: float) -> Numbers:
    """Inertia of a handle p with another that hangs on it by a freedom: p + h - U U^T / D."""
    return (
        (p[0] + h[0]) - gain * (u[0] * u[0]),
        (p[1] + h[1]) - gain * (u[1] * u[1]),
        (p[2] + h[2]) - gain * (u[2] * u[2]),
        (p[3] + h[3]) - gain * (u[0] * u[1]),
        (p[4] + h[4]) - gain * (u[0] * u[2]),
        (p[5] + h[5]) - gain * (u[1] * u[2]),
        (p[6] + h[6]) - gain * (u[0] * u[3]),
        (p[7] + h[7]) - gain * (u[0] * u[4]),
        (p[8] + h[8]) - gain * (u[0] * u[5]),
        (p[9] + h[9]) - gain * (u[1] * u[3]),
        (p[10] + h[10]) - gain * (u[1] * u[4]),
        (p[11] + h[11]) - gain * (u[1] * u[5]),
        (p[12] + h[12]) - gain * (u[2] * u[3]),
        (p[13] + h[13]) - gain * (u[2] * u[4]),
        (p[14] + h[14]) - gain * (u[2] * u[5]),
        (p[15] + h[15]) - gain * (u[3] * u[3]),
        (p[16] + h[16]) - gain * (u[4] * u[4]),
        (p[17] + h[17]) - gain * (u[5] * u[5]),
        (p[18] + h[18]) - gain * (u[3] * u[4]),
        (p[19] + h[19]) - gain * (u[3] * u[5]),
        (p[20] + h[20]) - gain * (u[4] * u[5]),
    )


@inlined_kernel
def add_handle(tree_i: Ints, tree_f: Floats, d: int, work: Floats) -> bool:
    """Gain of a freedom, and its handle added to the parent's; False where it moves nothing.

    A rotor holds the freedom back, and the handle is felt so much more by the parent.
    """
    nd = number_of(tree_i)
    at, parent = ARTICULATED * nd + 21 * d, tree_i[d, PARENT]
    handle, axis = handle_at(work, at), six(work, T * nd + 6 * d)
    U = times(handle, axis)
    D = product(axis, U) + tree_f[d + 1, ARMATURE]
    # no more than the rounding of what it is made of: nothing (a thin rod about its own line)
    trace = handle[0] + handle[1] + handle[2]
    if tree_i[d, KIND] == PRISMATIC:
        trace = handle[15] + handle[16] + handle[17]
    moves: bool = NOTHING * trace < D  # NaN does not
    gain = 1.0 / D
    if parent >= 0:
        up = ARTICULATED * nd + 21 * parent
        put_handle(work, up, together(handle_at(work, up), handle, U, gain))
    put_six(work, F * nd + 6 * d, U)
    work[GAIN * nd + d] = gain if moves else 0.0 * D  # tells who it was; NaN if it was too large
    return moves


@inlined_kernel
def articulate(tree_i: Ints, tree_f: Floats, work: Floats) -> bool:
    """Articulated-body inertias, and for every freedom the gain U with 1 / D.

    U = I T stands in the part F's place of a freedom, 1 / D at GAIN, D = T . U + armature. False
    where a freedom moves nothing that has inertia.
    """
    nd, all_move = number_of(tree_i), True
    free(tree_i, work)
    for k in range(nd):
        all_move &= add_handle(tree_i, tree_f, from_last(nd, k), work)
    return all_move


@inlined_kernel
def push_back(tree_i: Ints, d: int, forces_in: Floats, work: Floats) -> None:
    """What a freedom would do with the parent at rest, and the force Z on its handle passed on."""
    nd = number_of(tree_i)
    z, parent = six(work, FORCE * nd + 6 * d), tree_i[d, PARENT]
    left = forces_in[tree_i[d, IV]] - product(six(work, T * nd + 6 * d), z)
    rate = work[GAIN * nd + d] * left
    if parent >= 0:
        up, U = FORCE * nd + 6 * parent, six(work, F * nd + 6 * d)
        put_six(work, up, plus(plus(six(work, up), z), scaled(rate, U)))
    work[RATE * nd + d] = rate


@inlined_kernel
def let_go(tree_i: Ints, work: Floats, rates_out: Floats) -> None:
    """Rates of the freedoms on moving parents, outwards: rate - U . (the parent's change) / D.

    In the place of FORCE stands then by how much a body's motion changes.
    """
    nd = number_of(tree_i)
    for d in range(nd):
        parent = tree_i[d, PARENT]
        up = six(work, FORCE * nd + 6 * parent) if parent >= 0 else ZERO
        rate = work[RATE * nd + d] - work[GAIN * nd + d] * product(six(work, F * nd + 6 * d), up)
        rates_out[tree_i[d, IV]] = rate
        put_six(work, FORCE * nd + 6 * d, plus(up, scaled(rate, six(work, T * nd + 6 * d))))


@inlined_kernel
def accelerate(
    tree_i: Ints,
    tree_f: Floats,
    tau_in: Floats,
    wrenches_in: Floats,
    work: Floats,
    vdot_out: Floats,
) -> None:
    """Accelerations of the freedoms, articulated inertias and velocities being set.

    The part A holds in the end what the bodies' accelerations would be at constant rates.
    """
    body_forces(tree_i, tree_f, wrenches_in, FORCE, work)
    nd = number_of(tree_i)
    for k in range(nd):
        push_back(tree_i, from_last(nd, k), tau_in, work)
    let_go(tree_i, work, vdot_out)


@inlined_kernel
def articulate_and_accelerate(
    tree_i: Ints,
    tree_f: Floats,
    tau_in: Floats,
    wrenches_in: Floats,
    work: Floats,
    vdot_out: Floats,
) -> bool:
    """`articulate` and `accelerate` at once: while one waits for a sum, the other goes on."""
    nd, all_move = number_of(tree_i), True
    body_forces(tree_i, tree_f, wrenches_in, FORCE, work)
    free(tree_i, work)
    for k in range(nd):
        d = from_last(nd, k)
        all_move &= add_handle(tree_i, tree_f, d, work)
        push_back(tree_i, d, tau_in, work)
    let_go(tree_i, work, vdot_out)
    return all_move


@kernel
def aba(
    tree_i: Ints,
    memory: Floats,
    q_in: Floats,
    v_in: Floats,
    tau_in: Floats,
    vdot_out: Floats,
) -> int:
    """Accelerations under generalized forces (articulated bodies), gravity included."""
    nd = number_of(tree_i)
    tree_f, work, wrenches = cut(tree_i, memory)
    if not fits(tree_i, tree_f, q_in, v_in) or tau_in.shape[0] != nd or vdot_out.shape[0] != nd:
        return WRONG_SIZE
    set_turns(tree_i, q_in, work)
    place(tree_i, tree_f, work)
    set_velocities(tree_i, v_in, work)
    if not articulate_and_accelerate(tree_i, tree_f, tau_in, wrenches, work, vdot_out):
        return NO_INERTIA
    total = 0.0
    for d in range(nd):
        total += vdot_out[d]
    return OK if math.isfinite(total) else NOT_FINITE


@kernel
def respond(tree_i: Ints, impulse_in: Floats, work: Floats, dv_out: Floats) -> None:
    """Change of velocity by a generalized impulse, M^-1 p, articulated inertias being set.

    The passes of `accelerate` without velocities and gravity (paper SIMGC, Figs. 2 and 3).
    """
    nd = number_of(tree_i)
    for k in range(6 * nd):
        work[FORCE * nd + k] = 0.0
    for k in range(nd):
        push_back(tree_i, from_last(nd, k), impulse_in, work)
    let_go(tree_i, work, dv_out)


def warm_up() -> None:
    """Compile what is called from outside of kernels."""
    (tree_i, memory), one = pendulum(), np.zeros(1)
    aba(tree_i, memory, one, one, one, np.zeros(1))
    respond(tree_i, one, memory[2 * TREE_F :], np.zeros(1))
