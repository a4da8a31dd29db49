"""Kernels of SIMGC, the sequential impulses method in generalized coordinates: whole steps.

Numbers in the docstrings are the steps of algorithm SIMGC in the paper. Everything that a machine
may or must not do beyond its free tree is a row (see `lines`): dry friction of joints, guided
rates, end stops, loops.
"""

from __future__ import annotations

import math

from ...actuation.kernels import DRIVE
from ...dynamics.kernels import (
    LOOP_ROW,
    MODEL,
    POWER,
    PULL,
    DynamicsStatus,
    add_forces,
    add_positions,
    add_scaled,
    articulate_and_accelerate,
    copy,
    inner,
    jacobian,
    place_tree,
    residuals,
    respond,
    tree_parts,
    zero,
)
from ...jit import (
    VECTOR,
    WHOLE,
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
    records,
)
from ...mechanism import Floats
from .driving import aim_drives, aim_stops, bound, clear, react, set_stops
from .ledger import account
from .lines import PSEUDO, VELOCITIES, add_line, couple, in_use, own_part, separate, sweep
from .records import DRIVE_LINE, FRICTION, IMPULSE_ROW, IMPULSE_STATE, JOINT_LINE, LINE

OK, NOT_FINITE, NO_INERTIA = (
    DynamicsStatus.OK.value, DynamicsStatus.NOT_FINITE.value, DynamicsStatus.NO_INERTIA.value
)  # fmt: skip
DRIVES, PULLS = array_of(DRIVE), array_of(PULL)


# ----------------------------------------------------------------- the rows


@kernel
def set_loops(model: Floats, first: int, state: Floats, work: Floats) -> int:
    """Lines of the loops, the generalized impulse of their last ones, and how many are in use.

    The Jacobian stands in the first lines; a line moves up over those left out.
    """
    own, moment = own_part(model), header(state, IMPULSE_STATE)
    freedoms, bodies = tree_parts(model, work)
    loops, groups = records(model, own.loops, LOOP_ROW), indices(model, own.loop_groups)
    rows, at = records(work, own.work.rows, IMPULSE_ROW), own.work
    q, kept = numbers(state, moment.q), numbers(state, moment.kept)
    open_by, J = matrix(work, at.applied)[VELOCITIES], matrix(work, at.J)
    lines, whole = records(work, at.lines, LINE), numbers(work, at.vdot)
    warm = numbers(work, at.impulses)
    residuals(loops, q, bodies, open_by)
    jacobian(loops, freedoms, bodies, J)
    line = 0 * first  # not a literal, for which Numba would compile `add_line` once more
    for i in range(loops.shape[0]):
        row = rows[first + i]
        clear(row)
        copy(J[i], whole)
        copy(whole, J[line])
        lines[line].error = open_by[i]
        if not add_line(model, line, groups[i], loops.shape[0], work):
            row.line, kept[first + i] = -1, 0.0
            continue
        bound(row.aims[VELOCITIES], -math.inf, math.inf)
        bound(row.aims[PSEUDO], -math.inf, math.inf)
        add_scaled(kept[first + i], whole, warm)
        row.line = line
        line += 1
    return line


@kernel
def set_joints(model: Floats, loops: int, first: int, state: Floats, work: Floats) -> int:
    """Lines of the joints that a row acts on, their last impulses, and how many lines there are."""
    own, moment = own_part(model), header(state, IMPULSE_STATE)
    joints, joint_of_row = records(model, own.joints, JOINT_LINE), indices(model, own.joint_of_row)
    rows = records(work, own.work.rows, IMPULSE_ROW)
    all_kept, J = numbers(state, moment.kept), matrix(work, own.work.J)
    lines, impulses = records(work, own.work.lines, LINE), numbers(work, own.work.impulses)
    for r in range(first):
        rows[r].line = -1
    line = loops
    for joint in range(joints.shape[0]):
        used = False
        for r in range(first):
            active = in_use(rows[r], VELOCITIES) or in_use(rows[r], PSEUDO)
            if joint_of_row[r] == joint and active:
                rows[r].line, used = line, True
        if not used:
            continue
        velocity = joints[joint].velocity
        zero(J[line])
        J[line, velocity] = 1.0
        lines[line].error = 0.0
        good = add_line(model, line, joints[joint].group, loops, work)
        for r in range(first):
            row = rows[r]
            if row.line != line:
                continue
            if good:
                aim = row.aims[VELOCITIES]
                aim.impulse = min(max(all_kept[r], aim.low), aim.high)
                impulses[velocity] += aim.impulse
            else:
                row.line = -1
        line += int(good)
    return line


@inlined_kernel
def set_order(model: Floats, counts: Record, work: Floats) -> None:
    """Rows in the order of being solved: as they stand, the loops last, since they matter most."""
    rows = records(work, own_part(model).work.rows, IMPULSE_ROW)
    for stage in range(2):
        n = 0
        for r in range(rows.shape[0]):
            if rows[r].line >= 0 and in_use(rows[r], stage):
                rows[n].order[stage] = r
                n += 1
        counts.rows[stage], counts.sweeps[stage] = n, 0


# ------------------------------------------------------------------ a step


@entry(VECTOR, PULLS, VECTOR, DRIVES, VECTOR)
@kernel
def begin(model: Floats, pulls_in: Records, state: Floats, drives_io: Records, work: Floats) -> int:
    """Steps 1 to 5: the free tree's velocities, the last impulses, and all effective masses."""
    head, own, moment = header(model, MODEL), own_part(model), header(state, IMPULSE_STATE)
    freedoms, bodies = tree_parts(model, work)
    frictions, places = (
        records(model, own.frictions, FRICTION),
        records(model, own.drives, DRIVE_LINE),
    )
    rows, at, counts = records(work, own.work.rows, IMPULSE_ROW), own.work, moment.counts
    q, v, kept = numbers(state, moment.q), numbers(state, moment.v), numbers(state, moment.kept)
    tau, vdot, before = numbers(work, at.tau), numbers(work, at.vdot), numbers(work, at.before)
    impulses, h = numbers(work, at.impulses), own.step
    # 1
    place_tree(freedoms, q, v, bodies)
    add_forces(model, v, pulls_in, bodies, tau, records(work, at.power, POWER)[0])
    held = numbers(state, moment.held)
    aim_drives(h, own.beta, places, q, v, kept, held, drives_io, tau, rows)
    if not articulate_and_accelerate(freedoms, head.gravity, tau, bodies, vdot):
        return NO_INERTIA
    # 2; step 3 is left out: a row's rate is J v, with no link's velocity in between
    copy(v, before)
    add_scaled(h, vdot, v)
    zero(impulses)
    # 5, and the impulses for 4 on the way
    for i in range(frictions.shape[0]):
        clear(rows[i])
        bound(rows[i].aims[VELOCITIES], -frictions[i].friction * h, frictions[i].friction * h)
    set_stops(h, places, drives_io, q, v, before, kept, rows)
    first = indices(model, own.joint_of_row).shape[0]
    loops = set_loops(model, first, state, work)
    n = set_joints(model, loops, first, state, work)
    couple(model, n, loops, work)
    set_order(model, counts, work)
    # 4
    respond(freedoms, impulses, bodies, vdot)
    add_scaled(1.0, vdot, v)
    J, rates, applied = matrix(work, at.J), matrix(work, at.rates), matrix(work, at.applied)
    for line in range(n):
        rates[VELOCITIES, line], applied[VELOCITIES, line] = inner(J[line], v), 0.0
    counts.lines, counts.loop_lines = n, loops
    return OK


@entry(VECTOR, WHOLE, WHOLE, VECTOR, VECTOR)
@kernel
def improve(model: Floats, most: int, stage: int, state: Floats, work: Floats) -> bool:
    """Step 7 for velocities or pseudo-velocities, by at most so many sweeps.

    The two do not meet in the loop, so they are iterated one after the other, each until no
    impulse changes by more than the tolerance. True if that is so.
    """
    counts = header(state, IMPULSE_STATE).counts
    if counts.rows[stage] == 0:
        return True
    for _ in range(most):
        counts.sweeps[stage] += 1
        if not sweep(model, stage, counts, work) > own_part(model).tolerance:
            return True
    return False


@entry(VECTOR, VECTOR, DRIVES, VECTOR)
@kernel
def turn(model: Floats, state: Floats, drives_in: Records, work: Floats) -> None:
    """Velocities from the impulses; step 6, no pseudo-velocities yet, and what they shall do."""
    at, moment = own_part(model).work, header(state, IMPULSE_STATE)
    applied, v = matrix(work, at.applied)[VELOCITIES], numbers(state, moment.v)
    add_up(matrix(work, at.Y), applied, moment.counts.lines, v)
    aim_pseudo(model, state, drives_in, work)


@kernel
def aim_pseudo(model: Floats, state: Floats, drives_in: Records, work: Floats) -> None:
    """What pseudo-velocities shall do, of which there are none yet, velocities being final.

    A loop that is open by C closes with the rate -beta C / h (the paper does not print it).
    """
    own, moment = own_part(model), header(state, IMPULSE_STATE)
    at, counts, rows = own.work, moment.counts, records(work, own.work.rows, IMPULSE_ROW)
    q, v, lines = numbers(state, moment.q), numbers(state, moment.v), records(work, at.lines, LINE)
    rates, applied = matrix(work, at.rates), matrix(work, at.applied)
    for line in range(counts.lines):
        rates[PSEUDO, line], applied[PSEUDO, line] = 0.0, 0.0
    places = records(model, own.drives, DRIVE_LINE)
    aim_stops(own.step, own.beta, places, drives_in, q, v, rows)
    for i in range(counts.rows[PSEUDO]):
        row = rows[rows[i].order[PSEUDO]]
        row.aims[PSEUDO].target -= own.beta / own.step * lines[row.line].error


@inlined_kernel
def add_up(vectors: Floats, applied: Floats, n: int, v_io: Floats) -> None:
    """V += the vectors of all lines times their impulses."""
    for line in range(n):
        if applied[line] != 0.0:
            add_scaled(applied[line], vectors[line], v_io)


@entry(VECTOR, PULLS, VECTOR, DRIVES, VECTOR)
@kernel
def finish(
    model: Floats, pulls_in: Records, state: Floats, drives_io: Records, work: Floats
) -> int:
    """Step 8, with the pseudo-velocities from their impulses."""
    at, counts = own_part(model).work, header(state, IMPULSE_STATE).counts
    push = numbers(work, at.push)
    zero(push)
    add_up(matrix(work, at.Y), matrix(work, at.applied)[PSEUDO], counts.lines, push)
    sweeps = max(counts.sweeps[VELOCITIES], counts.sweeps[PSEUDO])
    return move_on(model, pulls_in, sweeps, state, drives_io, work)


@kernel
def move_on(
    model: Floats, pulls_in: Records, sweeps: int, state: Floats, drives_io: Records, work: Floats
) -> int:
    """Step 8: positions; then impulses for the next step, reactions and the ledger."""
    own, moment = own_part(model), header(state, IMPULSE_STATE)
    at, counts, run = own.work, moment.counts, moment.run
    rows = records(work, at.rows, IMPULSE_ROW)
    q, v, kept = numbers(state, moment.q), numbers(state, moment.v), numbers(state, moment.kept)
    applied, push = matrix(work, at.applied), numbers(work, at.push)
    add_up(matrix(work, at.J), applied[VELOCITIES], counts.lines, numbers(work, at.impulses))
    separate(model, counts, work)
    first = indices(model, own.joint_of_row).shape[0]
    for r in range(rows.shape[0]):
        row = rows[r]
        if row.line < 0:
            kept[r] = 0.0
        elif r < first:
            kept[r] = row.aims[VELOCITIES].impulse
        else:
            kept[r] += applied[VELOCITIES, row.line]
    account(model, pulls_in, state, drives_io, work)
    react(own.step, records(model, own.drives, DRIVE_LINE), kept, drives_io)
    for k in range(push.shape[0]):  # Eq. (9): q += h (v + v')
        push[k] = own.step * (v[k] + push[k])
    add_positions(model, push, q)
    counts.wrong = first_wrong(q, v)
    if counts.wrong >= 0:
        return NOT_FINITE
    run.iterations = sweeps
    run.iterated += run.iterations
    run.steps += 1
    return OK


@inlined_kernel
def first_wrong(q: Floats, v: Floats) -> int:
    """The first velocity that is not finite; 0 if a position is not; -1 if all is well."""
    for k in range(v.shape[0]):
        if not math.isfinite(v[k]):
            return k
    for k in range(q.shape[0]):
        if not math.isfinite(q[k]):
            return 0
    return -1


@entry(VECTOR, PULLS, WHOLE, VECTOR, DRIVES, VECTOR)
@kernel
def run(
    model: Floats, pulls_in: Records, n: int, state: Floats, drives_io: Records, work: Floats
) -> int:
    """So many steps; what a step that goes wrong leaves behind is to be thrown away."""
    most = own_part(model).iterations
    for _ in range(n):
        status = begin(model, pulls_in, state, drives_io, work)
        if status != OK:
            return status
        improve(model, most, VELOCITIES, state, work)
        turn(model, state, drives_io, work)
        improve(model, most, PSEUDO, state, work)
        status = finish(model, pulls_in, state, drives_io, work)
        if status != OK:
            return status
    return OK
