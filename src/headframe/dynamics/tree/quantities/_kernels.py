"""Kernels of what follows from a placed tree: Jacobian, momentum, centre of mass, energy, Cholesky.

For arrays and parts of `work` see `tree/_kernels.py`. Everything is in world axes, vectors with
their angular part first.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....jit import inlined_kernel, kernel, table
from ...linear._kernels import factor, solve_factored
from .._kernels import (
    ARMATURE,
    BODY,
    COMPOSITE,
    INDEX,
    IV,
    KIND,
    N_Q,
    NO_INERTIA,
    NOT_FINITE,
    OK,
    PARENT,
    PRISMATIC,
    WRONG_SIZE,
    F,
    T,
    V,
    X,
    body_forces,
    cut,
    fits,
    from_last,
    mass_matrix,
    number_of,
    pendulum,
    place,
    place_tree,
    set_turns,
    set_velocities,
)
from ..algebra._kernels import (
    ZERO,
    Numbers,
    add,
    body_at,
    dot,
    momentum_of,
    plus,
    pose_at,
    product,
    six,
)
from ..articulated._kernels import NOTHING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOT_POSITIVE = 4  # + STATUSES * freedom
STATUSES = 8


@inlined_kernel
def point_in_world(nd: int, at_in: Floats, p_LP_in: Floats, work: Floats) -> Numbers:
    """Place p_WP of a point of a link, which is on a freedom F or, F being the world, on the base.

    `at_in` (13,) is [freedom, X_FL as 3x4 rows].
    """
    freedom, x, y, z = int(at_in[0]), p_LP_in[0], p_LP_in[1], p_LP_in[2]
    p = moved_by(pose_at(at_in, 1), x, y, z)
    if freedom >= 0:
        p = moved_by(pose_at(work, X * nd + 12 * freedom), p[0], p[1], p[2])
    return p


@inlined_kernel
def moved_by(X_AB: Numbers, x: float, y: float, z: float) -> Numbers:
    """A point of B in A."""
    return (
        X_AB[0] * x + X_AB[1] * y + (X_AB[2] * z + X_AB[3]),
        X_AB[4] * x + X_AB[5] * y + (X_AB[6] * z + X_AB[7]),
        X_AB[8] * x + X_AB[9] * y + (X_AB[10] * z + X_AB[11]),
    )


@kernel
def body_jacobian(
    tree_i: Ints, memory: Floats, at_in: Floats, p_LP_in: Floats, q_in: Floats, J_out: Floats
) -> int:
    """Jacobian (6, nv) of a point of a link, p_LP_L (3,); for `at_in` see `point_in_world`.

    The column of a freedom T = (w, u) that moves the link is (w, u + w x p_WP), others are zero.
    """
    nd = number_of(tree_i)
    tree_f, work, _ = cut(tree_i, memory)
    if q_in.shape[0] != tree_f[0, N_Q] or p_LP_in.shape[0] != 3:
        return WRONG_SIZE
    if J_out.shape[0] != 6 or J_out.shape[1] != nd:
        return WRONG_SIZE
    set_turns(tree_i, q_in, work)
    place(tree_i, tree_f, work)
    px, py, pz = point_in_world(nd, at_in, p_LP_in, work)
    for i in range(6):
        for j in range(nd):
            J_out[i, j] = 0.0
    d, total = int(at_in[0]), px + py + pz
    while d >= 0:
        w0, w1, w2, u0, u1, u2 = six(work, T * nd + 6 * d)
        column = tree_i[d, IV] & INDEX
        u0, u1, u2 = u0 + (w1 * pz - w2 * py), u1 + (w2 * px - w0 * pz), u2 + (w0 * py - w1 * px)
        J_out[0, column], J_out[1, column], J_out[2, column] = w0, w1, w2
        J_out[3, column], J_out[4, column], J_out[5, column] = u0, u1, u2
        total += (w0 + w1) + (w2 + u0) + (u1 + u2)
        d = tree_i[d, PARENT]
    return OK if math.isfinite(total) else NOT_FINITE


@kernel
def momentum(tree_i: Ints, memory: Floats, q_in: Floats, v_in: Floats, h_out: Floats) -> int:
    """Momentum (6,) of all bodies: angular about the world's origin, then linear."""
    nd = number_of(tree_i)
    tree_f, work, _ = cut(tree_i, memory)
    if not fits(tree_i, tree_f, q_in, v_in) or h_out.shape[0] != 6:
        return WRONG_SIZE
    place_tree(tree_i, tree_f, q_in, v_in, work)
    h: Numbers = ZERO
    for d in range(nd):
        h = plus(h, momentum_of(body_at(work, BODY * nd + 10 * d), six(work, V * nd + 6 * d)))
    h_out[0], h_out[1], h_out[2], h_out[3], h_out[4], h_out[5] = h[0], h[1], h[2], h[3], h[4], h[5]
    total = (h[0] + h[1]) + (h[2] + h[3]) + (h[4] + h[5])
    return OK if math.isfinite(total) else NOT_FINITE


@kernel
def centre_of_mass(
    tree_i: Ints, memory: Floats, base_in: Floats, q_in: Floats, centre_out: Floats
) -> int:
    """Mass and centre [m, p_WC] (4,) of all bodies and of what stands on the base.

    `base_in` (4,) is mass and first moment of the latter.
    """
    nd = number_of(tree_i)
    tree_f, work, _ = cut(tree_i, memory)
    if q_in.shape[0] != tree_f[0, N_Q] or centre_out.shape[0] != 4:
        return WRONG_SIZE
    set_turns(tree_i, q_in, work)
    place(tree_i, tree_f, work)
    m, s0, s1, s2 = base_in[0], base_in[1], base_in[2], base_in[3]
    for d in range(nd):
        at = BODY * nd + 10 * d
        m, s0, s1, s2 = m + work[at], s0 + work[at + 1], s1 + work[at + 2], s2 + work[at + 3]
    if m == 0.0:
        return NO_INERTIA
    centre_out[0], centre_out[1], centre_out[2], centre_out[3] = m, s0 / m, s1 / m, s2 / m
    return OK if math.isfinite(m + s0 + s1 + s2) else NOT_FINITE


@inlined_kernel
def own_rate(tree_i: Ints, d: int, work: Floats) -> float:
    """Rate of a freedom: what its body has beyond the parent's velocity, along a unit axis."""
    nd, parent = number_of(tree_i), tree_i[d, PARENT]
    up = six(work, V * nd + 6 * parent) if parent >= 0 else ZERO
    w0, w1, w2, u0, u1, u2 = six(work, V * nd + 6 * d)
    a0, a1, a2, t0, t1, t2 = six(work, T * nd + 6 * d)
    if tree_i[d, KIND] == PRISMATIC:
        return float(t0 * (u0 - up[3]) + t1 * (u1 - up[4]) + t2 * (u2 - up[5]))
    return float(a0 * (w0 - up[0]) + a1 * (w1 - up[1]) + a2 * (w2 - up[2]))


@inlined_kernel
def kinetic_and_potential(tree_i: Ints, tree_f: Floats, work: Floats) -> tuple[float, float]:
    """Energies of all bodies and rotors [J] of a tree that is placed, its velocities being set."""
    nd = number_of(tree_i)
    g0, g1, g2 = tree_f[0, 0], tree_f[0, 1], tree_f[0, 2]
    kinetic, potential = 0.0, 0.0
    for d in range(nd):
        body, motion = body_at(work, BODY * nd + 10 * d), six(work, V * nd + 6 * d)
        kinetic += 0.5 * product(motion, momentum_of(body, motion))
        potential -= g0 * body[1] + g1 * body[2] + g2 * body[3]
        if tree_f[d + 1, ARMATURE] > 0.0:
            rate = own_rate(tree_i, d, work)
            kinetic += 0.5 * tree_f[d + 1, ARMATURE] * (rate * rate)
    return kinetic, potential


@kernel
def energy(tree_i: Ints, memory: Floats, q_in: Floats, v_in: Floats, energy_out: Floats) -> int:
    """Kinetic and potential energy (2,) of bodies and rotors [J], potential 0 at the origin."""
    tree_f, work, _ = cut(tree_i, memory)
    if not fits(tree_i, tree_f, q_in, v_in) or energy_out.shape[0] != 2:
        return WRONG_SIZE
    place_tree(tree_i, tree_f, q_in, v_in, work)
    kinetic, potential = kinetic_and_potential(tree_i, tree_f, work)
    energy_out[0], energy_out[1] = kinetic, potential
    return OK if math.isfinite(kinetic + potential) else NOT_FINITE


# -------------------------------------------------------------------- forward dynamics by Cholesky


@inlined_kernel
def first_without_inertia(tree_i: Ints, L_in: Floats, work: Floats) -> int:
    """Freedom of the first row that `factor` did not get to, or got nothing of; -1 if none.

    The diagonal holds 1 / L_kk, zeros before `factor` begins. A square L_kk^2 that is no more than
    the rounding of the composite inertia it is made of is nothing, as for articulated bodies.
    """
    nd = number_of(tree_i)
    first, found = nd, -1
    for d in range(nd):
        row, at = tree_i[d, IV] & INDEX, COMPOSITE * nd + 10 * d
        trace = work[at + 4] + work[at + 5] + work[at + 6]
        if tree_i[d, KIND] == PRISMATIC:
            trace = 3.0 * work[at]
        inverse = L_in[row, row]
        if row < first and not (inverse > 0.0 and NOTHING * trace * (inverse * inverse) < 1.0):
            first, found = row, d
    return found


@kernel
def forward_dynamics(
    tree_i: Ints,
    memory: Floats,
    matrices: Floats,
    q_in: Floats,
    v_in: Floats,
    tau_in: Floats,
    vdot_out: Floats,
) -> int:
    """Accelerations under generalized forces: M from composite bodies, bias from Newton-Euler.

    M vdot = tau - bias is solved by Cholesky, as the roadheader paper does. `matrices` is scratch
    memory of 2 nd^2 doubles, for M and its factor. A matrix that is not positive definite gives
    NOT_POSITIVE + STATUSES * the freedom where it shows.
    """
    nd = number_of(tree_i)
    tree_f, work, wrenches = cut(tree_i, memory)
    if not fits(tree_i, tree_f, q_in, v_in) or tau_in.shape[0] != nd or vdot_out.shape[0] != nd:
        return WRONG_SIZE
    M, L = table(matrices, 0, nd, nd), table(matrices, nd * nd, nd, nd)
    set_turns(tree_i, q_in, work)
    place(tree_i, tree_f, work)
    set_velocities(tree_i, v_in, work)
    body_forces(tree_i, tree_f, wrenches, F, work)
    total = 0.0
    for k in range(nd):
        d = from_last(nd, k)
        row, parent = tree_i[d, IV] & INDEX, tree_i[d, PARENT]
        if parent >= 0:
            add(work, F * nd + 6 * d, F * nd + 6 * parent)
        left = tau_in[row] - dot(work, T * nd + 6 * d, F * nd + 6 * d)
        vdot_out[row] = left
        total += left
    mass_matrix(tree_i, tree_f, work, M)
    for d in range(nd):
        total += M[d, d]
        L[d, d] = 0.0
    if not math.isfinite(total):
        return NOT_FINITE
    factor(M, L)
    without = first_without_inertia(tree_i, L, work)
    if without >= 0:
        return NOT_POSITIVE + STATUSES * without
    solve_factored(L, vdot_out)
    total = 0.0
    for d in range(nd):
        total += vdot_out[d]
    return OK if math.isfinite(total) else NOT_FINITE


def warm_up() -> None:
    """Compile what is called from outside of kernels."""
    (tree_i, memory), one, four = pendulum(), np.zeros(1), np.zeros(4)
    body_jacobian(tree_i, memory, np.zeros(13), np.zeros(3), one, np.zeros((6, 1)))
    momentum(tree_i, memory, one, one, np.zeros(6))
    centre_of_mass(tree_i, memory, four, one, np.zeros(4))
    energy(tree_i, memory, one, one, np.zeros(2))
    forward_dynamics(tree_i, memory, np.zeros(2), one, one, one, np.zeros(1))
