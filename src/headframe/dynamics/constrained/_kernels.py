"""Kernels of the constrained tree: Lagrange multipliers over the spanning tree, cylinders as bodies.

    M vdot + b = tau + J^T lambda,    J vdot = -gamma,

J the rows of all loops and, for guided drives, rows that prescribe one velocity's rate each; their
multipliers are the drives' reactions. Coordinates are the tree's own q and v. With M = L^T L,
z = L vdot and Y = J L^-1 = C Q (see `basis`) this is

    z = L^-T (tau - b) + Q^T mu,    Q z = s,    C s = -gamma

so z is the free motion's with its part in the span of Q replaced: mu = s - Q L^-T (tau - b).
In the same way the least change of velocity, in the metric of kinetic energy, that changes the
rows' rates by given amounts t is L^-1 Q^T C^-1 t. That serves to bring positions (Newton) and
velocities back onto the loops, and to stop rows by an impulse.

Redundant rows, and those that a singular pose makes dependent, are left out (see `RANK_TOLERANCE`
and `basis`), so that neither stops a motion.

Entries of the header from OWN + 2 on are listed below. `rows` are [place in q, place in v,
freedom] of what drives act on; `loops_i`, `loops_f` as in `loops`; `paths` as in `basis`, for the
loops' rows and then the drives'; `extra` (nd): inertia lent to freedoms that carry none of their
own. `work` begins with the tree's.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation._kernels import GUIDED, NOW, PULL, REACTION
from ...jit import inlined_kernel, kernel
from ..embedding._kernels import NO_CLOSURE, NO_INERTIA, NOT_FINITE, OK, STATUSES
from ..loops._kernels import LOOPS_F, LOOPS_I, bias, jacobian, residuals
from ..model._kernels import (
    BY_DRIVES,
    N_ROWS,
    ND,
    NQ,
    OWN,
    add_forces,
    normalise,
    position_rates,
    tree_of,
)
from ..tree._kernels import IV, ROW, F, T, dot, gather_forces, place_tree
from .basis._kernels import (
    HEAD,
    OUT,
    coefficients,
    factor_inertia,
    forces_to_z,
    multipliers,
    orthonormalise,
    row_to_z,
    z_to_velocities,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# header: what `pack_constrained` puts behind the two starts of the own parts
N_LOOPS, RANK, ROWS_AT, LOOPS_AT, PATHS_AT, LOOPS_F_AT, EXTRA_AT = range(OWN + 2, OWN + 9)
ROW_I = 3

# The part of a row that is not in the span of those taken before it, in the metric of kinetic
# energy and measured by the longest row of its kind in its loop, below which it counts as
# dependent: about the sine of the angle between. Rounding makes 1e-14. At a distance d [rad] from a
# singular pose a part of about d is left, while rounding of positions turns the velocities by
# 1e-16 / d^2 and makes accelerations wrong by 1e-16 / d^3: below 1e-6 the row does more harm than
# its absence in one stage of a step. Measured on passes of flat parallelograms, where tolerances
# from 1e-6 to 1e-4 all keep the energy to 2e-5 J.
RANK_TOLERANCE = 1e-6
# the same for Newton's steps where a first one has made things worse
COARSE = 1e-4
CLOSED = 1e-12  # [m, rad] residuals that are small enough where Newton's method ends
NEAR = 1e-6  # largest Newton step after which the basis still serves
OPEN = 1e-6  # [m, rad] residuals with which a simulation cannot go on
STEPS = 10
LOOP, GUIDE, STOP = 0.0, 1.0, 2.0  # classes of rows


@kernel
def work_size(model_i: Ints) -> int:
    """Doubles of scratch memory."""
    nd, m = model_i[ND], model_i[N_LOOPS]
    rows = m + model_i[N_ROWS]
    return ROW * nd + 2 * nd * nd + m * nd + 2 * rows * nd + 7 * rows + 13 * nd + model_i[NQ]


@inlined_kernel
def tables(model_i: Ints, model_f: Floats) -> tuple[Ints, Floats, Ints, Floats]:
    """`loops_i`, `loops_f`, `paths_i` and `extra` of a model."""
    m = model_i[N_LOOPS]
    at, at_f = model_i[LOOPS_AT], model_i[LOOPS_F_AT]
    return (
        model_i[at : at + LOOPS_I * m].reshape(m, LOOPS_I),
        model_f[at_f : at_f + LOOPS_F * m].reshape(m, LOOPS_F),
        model_i[model_i[PATHS_AT] :],
        model_f[model_i[EXTRA_AT] : model_i[EXTRA_AT] + model_i[ND]],
    )


@inlined_kernel
def matrices(model_i: Ints, work: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """L, J, Y, Q and C in scratch memory."""
    nd, m = model_i[ND], model_i[N_LOOPS]
    rows = m + model_i[N_ROWS]
    a = ROW * nd
    b = a + nd * nd
    c = b + m * nd
    d = c + rows * nd
    e = d + nd * nd
    return (
        work[a:b].reshape(nd, nd),
        work[b:c].reshape(m, nd),
        work[c:d].reshape(rows, nd),
        work[d:e].reshape(nd, nd),
        work[e : e + rows * nd].reshape(rows, nd),
    )


@inlined_kernel
def row_vectors(model_i: Ints, work: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Over the rows: classes, kept, wanted, multipliers; and (2, rows) for `orthonormalise`."""
    nd, m = model_i[ND], model_i[N_LOOPS]
    n = m + model_i[N_ROWS]
    at = ROW * nd + 2 * nd * nd + m * nd + 2 * n * nd
    return (
        work[at : at + n],
        work[at + n : at + 2 * n],
        work[at + 2 * n : at + 3 * n],
        work[at + 3 * n : at + 4 * n],
        work[at + 4 * n : at + 6 * n].reshape(2, n),
    )


@inlined_kernel
def freedom_vectors(
    model_i: Ints, work: Floats
) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats, Floats, Floats]:
    """Over the freedoms: order, s, z, tau, zeros, a change of v; wrenches (nd, 6); and q (nq)."""
    nd, m = model_i[ND], model_i[N_LOOPS]
    n = m + model_i[N_ROWS]
    at = ROW * nd + 2 * nd * nd + m * nd + 2 * n * nd + 7 * n
    q = at + 12 * nd
    return (
        work[at : at + nd],
        work[at + nd : at + 2 * nd],
        work[at + 2 * nd : at + 3 * nd],
        work[at + 3 * nd : at + 4 * nd],
        work[at + 4 * nd : at + 5 * nd],
        work[at + 5 * nd : at + 6 * nd],
        work[at + 6 * nd : q].reshape(nd, 6),
        work[q : q + model_i[NQ]],
    )


@kernel
def set_rows(model_i: Ints, model_f: Floats, work: Floats) -> None:
    """J of the loops, of a placed tree."""
    tree_i, _ = tree_of(model_i, model_f)
    loops_i, loops_f, _, _ = tables(model_i, model_f)
    _, J, _, _, _ = matrices(model_i, work)
    jacobian(loops_i, loops_f, tree_i, work, J)


@kernel
def set_basis(
    model_i: Ints,
    model_f: Floats,
    drive_in: Floats,
    mask_in: Floats,
    tolerance: float,
    work: Floats,
) -> int:
    """L, J, Y, Q and C of a placed tree: loops, guided rows, and rows that have a mask.

    `mask_in` is (n_rows) or empty. Returns the rank, or a negative status.
    """
    tree_i, _ = tree_of(model_i, model_f)
    _, _, paths_i, extra = tables(model_i, model_f)
    L, J, Y, Q, C = matrices(model_i, work)
    classes, kept, _, _, rest = row_vectors(model_i, work)
    order = freedom_vectors(model_i, work)[0]
    m = model_i[N_LOOPS]
    empty = factor_inertia(tree_i, extra, work, L)
    if empty:
        return -(NO_INERTIA + STATUSES * (empty - 1))
    set_rows(model_i, model_f, work)
    for i in range(m):
        at = paths_i[HEAD * i]
        for s in range(at, at + paths_i[HEAD * i + 1]):
            Y[i, paths_i[s]] = J[i, tree_i[paths_i[s], IV]]
        row_to_z(tree_i, L, paths_i, i, Y[i])
        classes[i] = LOOP
    for r in range(model_i[N_ROWS]):
        i = m + r
        if mask_in.shape[0] > 0 and mask_in[r] != 0.0:
            classes[i] = STOP
        elif drive_in[r, NOW] == GUIDED:
            classes[i] = GUIDE
        else:
            classes[i] = OUT
            kept[i] = 0.0
            continue
        at = paths_i[HEAD * i]
        for s in range(at, at + paths_i[HEAD * i + 1]):
            Y[i, paths_i[s]] = 0.0
        Y[i, paths_i[at]] = 1.0
        row_to_z(tree_i, L, paths_i, i, Y[i])
    return orthonormalise(paths_i, Y, classes, 3, model_i[RANK], tolerance, rest, Q, C, order, kept)


@kernel
def change(model_i: Ints, model_f: Floats, rank: int, work: Floats) -> None:
    """Least change of the velocities that changes the rates of the rows by what is wanted."""
    tree_i, _ = tree_of(model_i, model_f)
    L, _, _, Q, C = matrices(model_i, work)
    _, kept, wanted, _, _ = row_vectors(model_i, work)
    order, s, z, _, _, dv, _, _ = freedom_vectors(model_i, work)
    nd, m = model_i[ND], model_i[N_LOOPS]
    coefficients(rank, C, order, wanted, s)
    for d in range(nd):
        z[d] = 0.0
    for k in range(rank):
        for d in range(nd):
            z[d] += s[k] * Q[k, d]
    z_to_velocities(tree_i, L, z)
    for d in range(nd):
        dv[tree_i[d, IV]] = z[d]
    for r in range(model_i[N_ROWS]):
        if kept[m + r] != 0.0:  # exactly
            dv[model_i[model_i[ROWS_AT] + ROW_I * r + 1]] = wanted[m + r]


@kernel
def evaluate(
    model_i: Ints,
    model_f: Floats,
    q_in: Floats,
    v_in: Floats,
    drive_io: Floats,
    pulls_in: Floats,
    work: Floats,
    vdot_out: Floats,
    power_out: Floats,
) -> int:
    """Accelerations of the tree, reactions of guided rows, and powers [W]."""
    tree_i, tree_f = tree_of(model_i, model_f)
    loops_i, loops_f, _, _ = tables(model_i, model_f)
    L, _, _, Q, C = matrices(model_i, work)
    _, kept, wanted, force, _ = row_vectors(model_i, work)
    order, s, z, tau, zeros, _, wrenches, _ = freedom_vectors(model_i, work)
    nd, m = model_i[ND], model_i[N_LOOPS]
    place_tree(tree_i, tree_f, q_in, v_in, work)
    add_forces(model_i, model_f, v_in, pulls_in, work, wrenches, tau, power_out)
    rank = set_basis(model_i, model_f, drive_io, zeros[:0], RANK_TOLERANCE, work)
    if rank < 0:
        return -rank
    bias(loops_i, loops_f, tree_i, v_in, work, wanted)
    for i in range(m):
        wanted[i] = -wanted[i]
    for r in range(model_i[N_ROWS]):
        if drive_io[r, NOW] == GUIDED:
            wanted[m + r] = drive_io[r, PULL]
        else:
            tau[model_i[model_i[ROWS_AT] + ROW_I * r + 1]] += drive_io[r, PULL]
    for d in range(nd):
        zeros[d] = 0.0
    gather_forces(tree_i, tree_f, zeros, wrenches, work)
    for d in range(nd):
        z[d] = tau[tree_i[d, IV]] - dot(work, T * nd + 6 * d, F * nd + 6 * d)
    forces_to_z(tree_i, L, z)
    coefficients(rank, C, order, wanted, s)
    for k in range(rank):
        for d in range(nd):
            s[k] -= Q[k, d] * z[d]
        for d in range(nd):
            z[d] += s[k] * Q[k, d]
    multipliers(rank, C, order, s, force)
    z_to_velocities(tree_i, L, z)
    for d in range(nd):
        vdot_out[tree_i[d, IV]] = z[d]
    given, total = 0.0, 0.0
    for r in range(model_i[N_ROWS]):
        iv = model_i[model_i[ROWS_AT] + ROW_I * r + 1]
        if drive_io[r, NOW] == GUIDED:
            drive_io[r, REACTION] = force[m + r]
            given += force[m + r] * v_in[iv]
            if kept[m + r] != 0.0:  # exactly, so that what is locked stays
                vdot_out[iv] = drive_io[r, PULL]
        else:
            drive_io[r, REACTION] = 0.0
            given += drive_io[r, PULL] * v_in[iv]
    power_out[BY_DRIVES] = given
    for d in range(nd):
        total += vdot_out[d]
    return OK if math.isfinite(total) else NOT_FINITE


@inlined_kernel
def open_by(
    model_i: Ints, model_f: Floats, q_in: Floats, work: Floats, wanted_out: Floats
) -> tuple[float, int]:
    """Largest residual of a placed tree and its row; what would close the rows into `wanted_out`."""
    loops_i, loops_f, _, _ = tables(model_i, model_f)
    m = model_i[N_LOOPS]
    residuals(loops_i, loops_f, model_i[ND], q_in, work, wanted_out)
    worst, row = 0.0, 0
    for i in range(m):
        wanted_out[i] = -wanted_out[i]
        if not abs(wanted_out[i]) <= worst:
            worst, row = abs(wanted_out[i]), i
    for r in range(model_i[N_ROWS]):
        wanted_out[m + r] = 0.0
    return worst, row


@kernel
def close_positions(
    model_i: Ints, model_f: Floats, q_io: Floats, v_in: Floats, drive_in: Floats, work: Floats
) -> tuple[int, int]:
    """Newton's method in the metric of kinetic energy, until rounding ends it.

    Near a singular pose a residual stands for a far larger way, so no residual is small enough to
    be left. The basis is kept while steps are small. A step that does not lessen the largest
    residual is not taken, and if that is not closed, tried again without the rows that are nearly
    dependent. Leaves the tree placed; returns (status, rank of a basis that serves here, or -1).
    """
    tree_i, tree_f = tree_of(model_i, model_f)
    wanted = row_vectors(model_i, work)[2]
    _, _, _, _, zeros, dv, _, q_trial = freedom_vectors(model_i, work)
    place_tree(tree_i, tree_f, q_io, v_in, work)
    worst, row = open_by(model_i, model_f, q_io, work, wanted)
    tolerance, rank = RANK_TOLERANCE, -1
    for _ in range(STEPS):
        if worst == 0.0:
            break
        if rank < 0:
            rank = set_basis(model_i, model_f, drive_in, zeros[:0], tolerance, work)
            if rank < 0:
                return -rank, rank
        change(model_i, model_f, rank, work)
        position_rates(model_i, q_io, dv, q_trial)
        moved = 0.0
        for i in range(q_io.shape[0]):
            moved = max(moved, abs(q_trial[i]))
            q_trial[i] += q_io[i]
        normalise(model_i, q_trial)
        place_tree(tree_i, tree_f, q_trial, v_in, work)
        before = worst
        worst, row = open_by(model_i, model_f, q_trial, work, wanted)
        if worst < before:
            for i in range(q_io.shape[0]):
                q_io[i] = q_trial[i]
            if moved > NEAR:
                rank = -1
            if worst > 0.1 * before and worst <= CLOSED:
                break
            continue
        place_tree(tree_i, tree_f, q_io, v_in, work)
        worst, row = open_by(model_i, model_f, q_io, work, wanted)
        if worst <= CLOSED or tolerance == COARSE:
            break
        tolerance, rank = COARSE, -1
    if not math.isfinite(worst):
        return NOT_FINITE, rank
    if tolerance == COARSE:
        rank = -1
    return (NO_CLOSURE + STATUSES * row if worst > OPEN else OK), rank


@kernel
def project(
    model_i: Ints,
    model_f: Floats,
    q_io: Floats,
    v_io: Floats,
    drive_in: Floats,
    work: Floats,
) -> int:
    """Bring positions and velocities back onto the loops; guided rows keep theirs."""
    if model_i[N_LOOPS] == 0:
        return OK
    status, rank = close_positions(model_i, model_f, q_io, v_io, drive_in, work)
    if status != OK:
        return status
    J = matrices(model_i, work)[1]
    wanted = row_vectors(model_i, work)[2]
    _, _, _, _, zeros, dv, _, _ = freedom_vectors(model_i, work)
    nd, m = model_i[ND], model_i[N_LOOPS]
    if rank < 0:
        rank = set_basis(model_i, model_f, drive_in, zeros[:0], RANK_TOLERANCE, work)
        if rank < 0:
            return -rank
    else:
        set_rows(model_i, model_f, work)
    for _ in range(2):  # the second one for what the first leaves by rounding
        for i in range(m):
            total = 0.0
            for d in range(nd):
                total += J[i, d] * v_io[d]
            wanted[i] = -total
        for r in range(model_i[N_ROWS]):
            wanted[m + r] = 0.0
        change(model_i, model_f, rank, work)
        for d in range(nd):
            v_io[d] += dv[d]
    total = 0.0
    for d in range(nd):
        total += v_io[d]
    return OK if math.isfinite(total) else NOT_FINITE


@kernel
def rows(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, work: Floats, rows_out: Floats
) -> int:
    """Position and rate of every row, (n_rows, 2)."""
    for r in range(model_i[N_ROWS]):
        at = model_i[ROWS_AT] + ROW_I * r
        rows_out[r, 0], rows_out[r, 1] = q_in[model_i[at]], v_in[model_i[at + 1]]
    return OK


@kernel
def arrest(
    model_i: Ints,
    model_f: Floats,
    q_in: Floats,
    v_io: Floats,
    mask_in: Floats,
    drive_io: Floats,
    work: Floats,
) -> tuple[int, float, float]:
    """Inelastic stop: rows with a mask get rate 0, guided ones keep theirs, by one impulse.

    A row's impulse p does the work p (rate before + rate after) / 2. Returns (status, energy lost
    [J], work that the guided drives' impulses did [J]); the kinetic energy falls by the
    difference.
    """
    tree_i, tree_f = tree_of(model_i, model_f)
    J = matrices(model_i, work)[1]
    C = matrices(model_i, work)[4]
    _, kept, wanted, impulse, _ = row_vectors(model_i, work)
    order, s, _, _, _, dv, _, _ = freedom_vectors(model_i, work)
    nd, m = model_i[ND], model_i[N_LOOPS]
    place_tree(tree_i, tree_f, q_in, v_io, work)
    rank = set_basis(model_i, model_f, drive_io, mask_in, RANK_TOLERANCE, work)
    if rank < 0:
        return -rank, 0.0, 0.0
    for i in range(m):
        total = 0.0
        for d in range(nd):
            total += J[i, d] * v_io[d]
        wanted[i] = -total
    for r in range(model_i[N_ROWS]):
        iv = model_i[model_i[ROWS_AT] + ROW_I * r + 1]
        wanted[m + r] = -v_io[iv] if mask_in[r] != 0.0 else 0.0
    change(model_i, model_f, rank, work)
    multipliers(rank, C, order, s, impulse)
    lost, done = 0.0, 0.0
    for i in range(m):
        lost += 0.5 * impulse[i] * wanted[i]
    for r in range(model_i[N_ROWS]):
        lost += 0.5 * impulse[m + r] * wanted[m + r]
        if drive_io[r, NOW] == GUIDED and mask_in[r] == 0.0:
            done += impulse[m + r] * v_io[model_i[model_i[ROWS_AT] + ROW_I * r + 1]]
    total = 0.0
    for d in range(nd):
        v_io[d] += dv[d]
        total += v_io[d]
    return (OK if math.isfinite(total) else NOT_FINITE), lost, done


@kernel
def tree_state(
    model_i: Ints,
    model_f: Floats,
    q_in: Floats,
    v_in: Floats,
    work: Floats,
    q_tree_out: Floats,
    v_tree_out: Floats,
) -> int:
    """The coordinates are the tree's own; it is left placed in `work`."""
    tree_i, tree_f = tree_of(model_i, model_f)
    for i in range(q_in.shape[0]):
        q_tree_out[i] = q_in[i]
    for i in range(v_in.shape[0]):
        v_tree_out[i] = v_in[i]
    place_tree(tree_i, tree_f, q_in, v_in, work)
    return OK


@kernel
def rank_at(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, drive_in: Floats, work: Floats
) -> int:
    """How many rows of the loops are independent at a pose; negative where there is no inertia."""
    tree_i, tree_f = tree_of(model_i, model_f)
    place_tree(tree_i, tree_f, q_in, v_in, work)
    zeros = freedom_vectors(model_i, work)[4]
    return set_basis(model_i, model_f, drive_in, zeros[:0], RANK_TOLERANCE, work)


def warm_up() -> None:
    """Compile what is called from outside of kernels, on a model of nothing."""
    model_i, model_f = np.zeros(64, dtype=np.int64), np.zeros(32)
    none, drive, work = np.zeros(0), np.zeros((0, 11)), np.zeros(64)
    project(model_i, model_f, none, none, drive, work)
    rank_at(model_i, model_f, none, none, drive, work)
    work_size(model_i)
