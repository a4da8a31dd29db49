"""Kernels of the constrained tree: Lagrange multipliers over the spanning tree.

    M vdot + b = tau + J^T lambda,    J vdot = -gamma,

J the rows of all loops, cylinders being bodies, and for guided drives rows that prescribe one
velocity's rate each; their multipliers are the drives' reactions. Coordinates are the tree's own q
and v. With M = L^T L, z = L vdot and Y = J L^-1 = C Q (see `basis`) this is

    z = L^-T (tau - b) + Q^T mu,    Q z = s,    C s = -gamma

so z is the free motion's with its part in the span of Q replaced: mu = s - Q L^-T (tau - b).
In the same way the least change of velocity, in the metric of kinetic energy, that changes the
rows' rates by given amounts t is L^-1 Q^T C^-1 t. That serves to bring positions (Newton) and
velocities back onto the loops, and to stop rows by an impulse.

Redundant rows, and those that a singular pose makes dependent, are left out (see `parts` for the
tolerance), so that neither stops a motion. `parts` describes the arrays.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation._kernels import (
    GUIDED,
    NOW,
    PULL,
    REACTION,
    give_way,
    leave_stop,
    pulled_stop,
    rests,
)
from ...jit import kernel, part
from ..loops._kernels import bias, residuals
from ..model._kernels import (
    BY_DRIVES,
    N_ROWS,
    ND,
    NO_CLOSURE,
    NOT_FINITE,
    OK,
    STATUSES,
    add_forces,
    normalise,
    position_rates,
    tree_of,
)
from ..tree._kernels import IV, F, T, gather_forces, place_tree
from ..tree.algebra._kernels import dot
from .basis._kernels import coefficients, forces_to_z, multipliers, z_to_velocities
from .parts._kernels import (
    CHANGE,
    FORCE,
    KEPT,
    N_LOOPS,
    ORDER,
    RANK_TOLERANCE,
    ROW_I,
    ROWS_AT,
    TAU,
    WANTED,
    WRENCHES,
    ZEROS,
    S,
    Z,
    change,
    matrices,
    set_basis,
    set_rows,
    tables,
    vectors,
    work_size,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# the same for Newton's steps where a first one has made things worse
COARSE = 1e-4
CLOSED = 1e-12  # [m, rad] residuals that are small enough where Newton's method ends
NEAR = 1e-6  # largest Newton step after which the basis still serves
OPEN = 1e-6  # [m, rad] residuals with which a simulation cannot go on
STEPS = 10


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
    by_row, by_freedom = vectors(model_i, work)
    wanted, force, kept = by_row[WANTED], by_row[FORCE], by_row[KEPT]
    s, z, tau, zeros, mu = (
        by_freedom[S],
        by_freedom[Z],
        by_freedom[TAU],
        by_freedom[ZEROS],
        by_freedom[CHANGE],
    )
    nd, m = model_i[ND], model_i[N_LOOPS]
    wrenches = by_freedom[WRENCHES:].reshape(nd, 6)
    place_tree(tree_i, tree_f, q_in, v_in, work)
    add_forces(model_i, model_f, v_in, pulls_in, work, wrenches, tau, power_out)
    rank = set_basis(model_i, model_f, drive_io, part(work, 0, 0), RANK_TOLERANCE, work)
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
    coefficients(rank, C, by_freedom[ORDER], wanted, s)
    for k in range(rank):
        mu[k] = 0.0
    for _ in range(2):  # the second time for what is left by rounding
        for k in range(rank):
            short = s[k]
            for d in range(nd):
                short -= Q[k, d] * z[d]
            for d in range(nd):
                z[d] += short * Q[k, d]
            mu[k] += short
    multipliers(rank, C, by_freedom[ORDER], mu, force)
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


@kernel
def open_at(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, work: Floats
) -> tuple[float, int]:
    """Place the tree: its largest residual and that row; what would close the rows is wanted."""
    tree_i, tree_f = tree_of(model_i, model_f)
    place_tree(tree_i, tree_f, q_in, v_in, work)
    wanted_out = vectors(model_i, work)[0][WANTED]
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
    by_freedom = vectors(model_i, work)[1]
    dv, none = by_freedom[CHANGE], part(work, 0, 0)
    size = work_size(model_i)
    q_trial = work[size - q_io.shape[0] : size]
    worst, row = open_at(model_i, model_f, q_io, v_in, work)
    tolerance, rank = RANK_TOLERANCE, -1
    for _ in range(STEPS):
        if worst == 0.0:
            break
        if rank < 0:
            rank = set_basis(model_i, model_f, drive_in, none, tolerance, work)
            if rank < 0:
                return -rank, rank
        change(model_i, model_f, rank, work)
        position_rates(model_i, q_io, dv, q_trial)
        moved = 0.0
        for i in range(q_io.shape[0]):
            moved = max(moved, abs(q_trial[i]))
            q_trial[i] += q_io[i]
        normalise(model_i, q_trial)
        before = worst
        worst, row = open_at(model_i, model_f, q_trial, v_in, work)
        if worst < before:
            for i in range(q_io.shape[0]):
                q_io[i] = q_trial[i]
            if moved > NEAR:
                rank = -1
            if worst > 0.1 * before and worst <= CLOSED:
                break
            continue
        worst, row = open_at(model_i, model_f, q_io, v_in, work)
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
    by_row, by_freedom = vectors(model_i, work)
    wanted, dv, none = by_row[WANTED], by_freedom[CHANGE], part(work, 0, 0)
    nd, m = model_i[ND], model_i[N_LOOPS]
    if rank < 0:
        rank = set_basis(model_i, model_f, drive_in, none, RANK_TOLERANCE, work)
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
    mask_io: Floats,
    drive_io: Floats,
    hold: bool,
    work: Floats,
) -> tuple[int, float, float]:
    """Inelastic stop: rows with a mask get rate 0, guided ones keep theirs, by one impulse.

    The mask is -1 at lower stops and 1 at upper ones. No stop pulls: those that would have to, of
    rows that come or that rest, let go, and lose their mask; unless they are told to hold. A guided
    row that stops hold by way of the loops gives way.

    A row's impulse p does the work p (rate before + rate after) / 2. Returns (status, energy lost
    [J], work that the guided drives' impulses did [J]); the kinetic energy falls by the difference.
    """
    tree_i, tree_f = tree_of(model_i, model_f)
    J = matrices(model_i, work)[1]
    C = matrices(model_i, work)[4]
    by_row, by_freedom = vectors(model_i, work)
    wanted, impulse, dv = by_row[WANTED], by_row[FORCE], by_freedom[CHANGE]
    kept = by_row[KEPT]
    nd, m = model_i[ND], model_i[N_LOOPS]
    place_tree(tree_i, tree_f, q_in, v_io, work)
    for _ in range(model_i[N_ROWS] + 1):
        rank = set_basis(model_i, model_f, drive_io, mask_io, RANK_TOLERANCE, work)
        if rank < 0:
            return -rank, 0.0, 0.0
        for i in range(m):
            total = 0.0
            for d in range(nd):
                total += J[i, d] * v_io[d]
            wanted[i] = -total
        for r in range(model_i[N_ROWS]):
            iv = model_i[model_i[ROWS_AT] + ROW_I * r + 1]
            wanted[m + r] = -v_io[iv] if mask_io[r] != 0.0 else 0.0
        change(model_i, model_f, rank, work)
        multipliers(rank, C, by_freedom[ORDER], by_freedom[S], impulse)
        pulled = pulled_stop(drive_io, mask_io, part(impulse, m, model_i[N_ROWS]))
        if hold or pulled < 0:
            break
        if mask_io[pulled] == 0.0:
            leave_stop(pulled, drive_io)
        mask_io[pulled] = 0.0
    for r in range(model_i[N_ROWS]):
        stopped = mask_io[r] != 0.0 or rests(r, drive_io)
        if drive_io[r, NOW] == GUIDED and not stopped and kept[m + r] == 0.0:
            give_way(r, drive_io)
    lost, done = 0.0, 0.0
    for i in range(m):
        lost += 0.5 * impulse[i] * wanted[i]
    for r in range(model_i[N_ROWS]):
        lost += 0.5 * impulse[m + r] * wanted[m + r]
        if drive_io[r, NOW] == GUIDED and mask_io[r] == 0.0:
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
    return set_basis(model_i, model_f, drive_in, part(work, 0, 0), RANK_TOLERANCE, work)


def warm_up() -> None:
    """Compile what is called from outside of kernels, on a model of nothing."""
    model_i, model_f = np.zeros(64, dtype=np.int64), np.zeros(32)
    none, drive, work = np.zeros(0), np.zeros((0, 11)), np.zeros(64)
    project(model_i, model_f, none, none, drive, work)
    rank_at(model_i, model_f, none, none, drive, work)
    tree_state(model_i, model_f, none, none, work, none, none)
    work_size(model_i)
