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

Redundant rows, and those that a singular pose makes dependent, are left out (see `rows` for the
tolerance), so that neither stops a motion.
"""

from __future__ import annotations

import math

from ...actuation.kernels import DRIVE, give_way, rests
from ...jit import (
    VECTOR,
    Record,
    Records,
    array_of,
    entry,
    header,
    indices,
    inlined_kernel,
    kernel,
    matrix,
    numbers,
    part,
    records,
)
from ...mechanism import Floats
from ...mechanism.kernels import FREEDOM
from ...spatial.kernels import dot
from ..driven_rows import GUIDED, add_drives, let_go, react, rows_of, work_in_impact
from ..forces import add_forces, add_positions, inertia_of_resistance, tree_parts
from ..linear import add_scaled, all_finite, copy, inner, largest, zero
from ..loop_rows import bias, residuals
from ..motion.calls import ARREST, EVALUATE, PROJECT, READ_ROWS
from ..records import LOOP_ROW, MODEL, RESISTANCE
from ..status import NO_CLOSURE, NOT_FINITE, OK, failed
from ..tree.newton_euler import gather_forces
from ..tree.placing import place_tree
from .basis import multipliers, own_part
from .rows import (
    NO_BASIS,
    RANK_TOLERANCE,
    change,
    set_basis,
    set_basis_with,
    set_rows,
    settle_rows,
    take_rates,
)

# as RANK_TOLERANCE, for Newton's steps where a first one has made things worse
COARSE = 1e-4
CLOSED = 1e-12  # [m, rad] residuals that are small enough where Newton's method ends
NEAR = 1e-6  # largest Newton step after which the basis still serves
OPEN = 1e-6  # [m, rad] residuals with which a simulation cannot go on
STEPS = 10


@entry(*EVALUATE.args)
@kernel
def evaluate(
    model: Floats, q_in: Floats, v_in: Floats, drives_io: Records, pulls_in: Records,
    work: Floats, vdot_out: Floats, power_out: Record,
) -> int:  # fmt: skip
    """Accelerations of the tree, reactions of guided rows, and powers [W]."""
    head, own = header(model, MODEL), own_part(model)
    freedoms, bodies = tree_parts(model, work)
    loops, wanted = records(model, own.loops, LOOP_ROW), numbers(work, own.work.wanted)
    z, tau = numbers(work, own.work.z), numbers(work, own.work.tau)
    m, n_rows = loops.shape[0], drives_io.shape[0]
    place_tree(freedoms, q_in, v_in, bodies)
    add_forces(model, v_in, pulls_in, bodies, tau, power_out)
    power_out.drives = add_drives(model, drives_io, v_in, tau)
    extra = look_ahead(model, v_in, work)
    status, rank = set_basis_with(model, extra, drives_io, part(work, 0, 0), RANK_TOLERANCE, work)
    if status != OK:
        return status
    bias(loops, freedoms, v_in, bodies, wanted)
    for i in range(m):
        wanted[i] = -wanted[i]
    for r in range(n_rows):
        wanted[m + r] = drives_io[r].pull
    gather_forces(freedoms, head.gravity, numbers(work, own.work.zeros), bodies)
    for d in range(freedoms.shape[0]):
        z[d] = tau[freedoms[d].velocity] - dot(bodies[d].axis, bodies[d].force)
    settle_rows(model, rank, work)
    take_rates(model, work, vdot_out)
    forces = part(numbers(work, own.work.force), m, n_rows)
    power_out.drives += react(model, forces, v_in, drives_io)
    return OK if all_finite(vdot_out) else NOT_FINITE


@inlined_kernel
def look_ahead(model: Floats, v_in: Floats, work: Floats) -> Floats:
    """Diagonal of the inertia beyond the bodies', with the dampers that `MODEL.ahead` looks at."""
    head, own = header(model, MODEL), own_part(model)
    freedoms, resistances = (
        records(model, head.freedoms, FREEDOM),
        records(model, head.resistances, RESISTANCE),
    )
    extra, with_dampers = numbers(model, own.extra), numbers(work, own.work.extra)
    copy(extra, with_dampers)
    if head.ahead > 0.0:
        for d in range(freedoms.shape[0]):
            iv = freedoms[d].velocity
            with_dampers[d] += inertia_of_resistance(resistances[iv], v_in[iv], head.ahead)
    return with_dampers


@kernel
def open_at(model: Floats, q_in: Floats, v_in: Floats, work: Floats) -> tuple[float, int]:
    """Place the tree: its largest residual and that row; what would close the rows is wanted."""
    own = own_part(model)
    freedoms, bodies = tree_parts(model, work)
    loops, wanted = records(model, own.loops, LOOP_ROW), numbers(work, own.work.wanted)
    place_tree(freedoms, q_in, v_in, bodies)
    m = loops.shape[0]
    residuals(loops, q_in, bodies, wanted)
    worst, row = 0.0, 0
    for i in range(m):
        wanted[i] = -wanted[i]
        if not abs(wanted[i]) <= worst:
            worst, row = abs(wanted[i]), i
    zero(part(wanted, m, wanted.shape[0] - m))
    return worst, row


@kernel
def close_positions(
    model: Floats, q_io: Floats, v_in: Floats, drives_in: Records, work: Floats
) -> tuple[int, int]:
    """Newton's method in the metric of kinetic energy, until rounding ends it.

    Near a singular pose a residual stands for a far larger way, so no residual is small enough to
    be left. The basis is kept while steps are small. A step that does not lessen the largest
    residual is not taken, and if that is not closed, tried again without the rows that are nearly
    dependent. Leaves the tree placed; returns (status, rank of a basis that serves here).
    """
    own = own_part(model)
    dv, q_trial = numbers(work, own.work.change), numbers(work, own.work.q_trial)
    worst, row = open_at(model, q_io, v_in, work)
    tolerance, rank = RANK_TOLERANCE, NO_BASIS
    for _ in range(STEPS):
        if worst == 0.0:
            break
        if rank == NO_BASIS:
            status, rank = set_basis(model, drives_in, tolerance, work)
            if status != OK:
                return status, NO_BASIS
        change(model, rank, work)
        copy(q_io, q_trial)
        add_positions(model, dv, q_trial)
        before = worst
        worst, row = open_at(model, q_trial, v_in, work)
        if worst < before:
            copy(q_trial, q_io)
            if largest(dv) > NEAR:
                rank = NO_BASIS
            if worst > 0.1 * before and worst <= CLOSED:
                break
            continue
        worst, row = open_at(model, q_io, v_in, work)
        if worst <= CLOSED or tolerance == COARSE:
            break
        tolerance, rank = COARSE, NO_BASIS
    if not math.isfinite(worst):
        return NOT_FINITE, rank
    if tolerance == COARSE:
        rank = NO_BASIS
    return (failed(NO_CLOSURE, row) if worst > OPEN else OK), rank


@kernel
def want_closed_rates(model: Floats, v_in: Floats, work: Floats) -> None:
    """What is wanted of the rows: of the loops', that their rates J v end; of the drives', none."""
    own = own_part(model)
    J, wanted = matrix(work, own.work.J), numbers(work, own.work.wanted)
    zero(wanted)
    for i in range(J.shape[0]):
        wanted[i] = -inner(J[i], v_in)


@entry(*PROJECT.args)
@kernel
def project(model: Floats, q_io: Floats, v_io: Floats, drives_in: Records, work: Floats) -> int:
    """Bring positions and velocities back onto the loops; guided rows keep theirs."""
    own = own_part(model)
    if records(model, own.loops, LOOP_ROW).shape[0] == 0:
        return OK
    status, rank = close_positions(model, q_io, v_io, drives_in, work)
    if status != OK:
        return status
    if rank == NO_BASIS:
        status, rank = set_basis(model, drives_in, RANK_TOLERANCE, work)
        if status != OK:
            return status
    else:
        set_rows(model, work)
    for _ in range(2):  # the second one for what the first leaves by rounding
        want_closed_rates(model, v_io, work)
        change(model, rank, work)
        add_scaled(1.0, numbers(work, own.work.change), v_io)
    return OK if all_finite(v_io) else NOT_FINITE


@entry(*READ_ROWS.args)
@kernel
def read_rows(model: Floats, q_in: Floats, v_in: Floats, work: Floats, states_out: Records) -> int:
    """Position and rate of every row."""
    rows = rows_of(model)
    for r in range(rows.shape[0]):
        states_out[r].position = q_in[rows[r].position]
        states_out[r].rate = v_in[rows[r].velocity]
    return OK


@entry(*ARREST.args)
@kernel
def arrest(
    model: Floats, q_in: Floats, v_io: Floats, mask_io: Floats, drives_io: Records, hold: bool,
    work: Floats,
) -> tuple[int, float, float]:  # fmt: skip
    """Inelastic stop: rows with a mask get rate 0, guided ones keep theirs, by one impulse.

    The mask is -1 at lower stops and 1 at upper ones. No stop pulls: those that would have to, of
    rows that come or that rest, let go, and lose their mask; unless they are told to hold. A guided
    row that stops hold by way of the loops gives way.

    A row's impulse p does the work p (rate before + rate after) / 2. Returns (status, energy lost
    [J], work that the guided drives' impulses did [J]); the kinetic energy falls by the difference.
    """
    own, rows = own_part(model), rows_of(model)
    freedoms, bodies = tree_parts(model, work)
    C, order, s = matrix(work, own.work.C), indices(work, own.work.order), numbers(work, own.work.s)
    wanted, impulse = numbers(work, own.work.wanted), numbers(work, own.work.force)
    extra, kept = numbers(model, own.extra), indices(work, own.work.kept)
    n_rows, searching = rows.shape[0], True
    m = wanted.shape[0] - n_rows
    of_rows = part(impulse, m, n_rows)
    place_tree(freedoms, q_in, v_io, bodies)
    while searching:
        status, rank = set_basis_with(model, extra, drives_io, mask_io, RANK_TOLERANCE, work)
        if status != OK:
            return status, 0.0, 0.0
        want_closed_rates(model, v_io, work)
        for r in range(n_rows):
            if mask_io[r] != 0.0:
                wanted[m + r] = -v_io[rows[r].velocity]
        change(model, rank, work)
        multipliers(rank, C, order, s, impulse)
        searching = let_go(hold, of_rows, drives_io, mask_io)
    for r in range(n_rows):
        stopped = mask_io[r] != 0.0 or rests(r, drives_io)
        if drives_io[r].now == GUIDED and not stopped and kept[m + r] == 0:
            give_way(r, drives_io)
    lost = 0.5 * inner(impulse, wanted)
    done = work_in_impact(model, of_rows, v_io, drives_io, mask_io)
    add_scaled(1.0, numbers(work, own.work.change), v_io)
    return (OK if all_finite(v_io) else NOT_FINITE), lost, done


@entry(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def tree_state(
    model: Floats, q_in: Floats, v_in: Floats, work: Floats, q_tree_out: Floats, v_tree_out: Floats
) -> int:
    """The coordinates are the tree's own; it is left placed in `work`."""
    freedoms, bodies = tree_parts(model, work)
    copy(q_in, q_tree_out)
    copy(v_in, v_tree_out)
    place_tree(freedoms, q_in, v_in, bodies)
    return OK


@entry(VECTOR, VECTOR, VECTOR, array_of(DRIVE), VECTOR)
@kernel
def rank_at(
    model: Floats, q_in: Floats, v_in: Floats, drives_in: Records, work: Floats
) -> tuple[int, int]:
    """(status, how many rows of the loops are independent at a pose)."""
    freedoms, bodies = tree_parts(model, work)
    place_tree(freedoms, q_in, v_in, bodies)
    return set_basis(model, drives_in, RANK_TOLERANCE, work)
