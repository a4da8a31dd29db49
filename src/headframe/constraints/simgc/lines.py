"""Kernels of sequential impulses: effective masses, the responses to a row's impulse, sweeps.

A row is one scalar condition on the velocities, J v = target, kept by an impulse p with
low <= p <= high: free for a loop, one-sided for an end stop, between -f h and f h for friction or
for a motor. Several rows may share a `J`, which then is one line: a joint's motor, friction and
stops all act on one rate. Lines are counted anew in every step, only those in use.

- `J`, `Y` (lines, nv): a line and the response M^-1 J^T of the velocities to its unit impulse;
- `A` (lines, lines): change of each line's rate by a unit impulse of another, J Y^T;
- the effective mass of a line is 1 / (J Y), 0 for what nothing can move.

Paper SIMGC applies an impulse by two passes through the tree (Fig. 3). The result of those
passes is linear in the impulse, so it is kept from the test impulse (Fig. 2): what a sweep needs of
it is the column of A, and the velocities follow in the end from Y. That is the paper's iteration in
other words, at a cost of one addition to every line's rate.
"""

from __future__ import annotations

import math

from ...dynamics.kernels import MODEL, add_scaled, inner, respond, tree_parts
from ...jit import Record, header, inlined_kernel, kernel, matrix, record, records
from ...mechanism import Floats
from ..striking.calls import PSEUDO as PSEUDO
from ..striking.calls import VELOCITIES as VELOCITIES
from .records import IMPULSE_ROW, LINE, SIMGC

NOTHING = 1e-14  # squared length of a line that no velocity moves
DEPENDENT = 1e-9  # part of a line's J Y that must be left when its group is taken out of it


@inlined_kernel
def own_part(model: Floats) -> Record:
    """What a model of SIMGC has of its own."""
    return record(model, header(model, MODEL).own, SIMGC)


@inlined_kernel
def in_use(row: Record, stage: int) -> bool:
    """Whether a row may have an impulse."""
    return bool(row.aims[stage].high > row.aims[stage].low)


@kernel
def add_line(model: Floats, line: int, group: int, loops: int, work: Floats) -> bool:
    """Effective mass of a line by a test impulse (paper, Fig. 2 and Eq. 4); False if degenerate.

    J stands in its place, and as its error by how much it is open; articulated inertias are set.
    Lines of one group, those of one closure and the drive of its cylinder, would undo each other's
    work again and again, a light rod between a locked length and a heavy boom. So each loop's line
    that comes before in the group, j < `loops`, is taken out of this one,

        J' = J - sum of c_j J'_j,   c_j = J Y'_j / (J'_j Y'_j),

    after which the impulses of the group leave each other's rates alone. The condition stays the
    same where those before hold, and so does the impulse of the last, which alone may be clipped.
    """
    at = own_part(model).work
    J, Y, mix = matrix(work, at.J), matrix(work, at.Y), matrix(work, at.mix)
    lines = records(work, at.lines, LINE)
    size = inner(J[line], J[line])
    if not size > NOTHING:
        return False
    freedoms, bodies = tree_parts(model, work)
    respond(freedoms, J[line], bodies, Y[line])
    whole = inner(J[line], Y[line])
    lines[line].group = group
    left = whole
    if group >= 0:
        for j in range(min(line, loops)):
            if lines[j].group == group:
                c = inner(J[line], Y[j]) * lines[j].mass
                mix[line, j] = c
                lines[line].error -= c * lines[j].error
                add_scaled(-c, J[j], J[line])
                add_scaled(-c, Y[j], Y[line])
        left = inner(J[line], Y[line])
    if not left > DEPENDENT * whole:
        return False
    lines[line].mass = 1.0 / left
    return True


@kernel
def couple(model: Floats, n: int, loops: int, work: Floats) -> None:
    """A of the first n lines; within a group it is 0 by construction."""
    at = own_part(model).work
    J, Y, A = matrix(work, at.J), matrix(work, at.Y), matrix(work, at.A)
    lines = records(work, at.lines, LINE)
    for i in range(n):
        group = lines[i].group
        for j in range(i + 1):
            same = i != j and j < loops and group >= 0 and group == lines[j].group
            value = 0.0 if same else inner(J[i], Y[j])
            A[i, j] = value
            A[j, i] = value


@kernel
def sweep(model: Floats, stage: int, counts: Record, work: Floats) -> float:
    """One impulse for every row in use, each accumulated and clipped; the largest change.

    Paper, Eqs. (3), (8) and the clipping behind it.
    """
    at = own_part(model).work
    rows, lines = records(work, at.rows, IMPULSE_ROW), records(work, at.lines, LINE)
    A, worst = matrix(work, at.A), 0.0
    rate, applied = matrix(work, at.rates)[stage], matrix(work, at.applied)[stage]
    for place in range(counts.rows[stage]):
        row = rows[rows[place].order[stage]]
        aim, line = row.aims[stage], row.line
        low, high = aim.low, aim.high
        if row.coupled >= 0:
            high = row.factor * abs(rows[row.coupled].aims[stage].impulse)
            low = -high
        lacking = aim.target - rate[line]
        after = min(max(aim.impulse + lines[line].mass * lacking, low), high)
        change = after - aim.impulse
        if change == 0.0:
            continue
        aim.impulse = after
        applied[line] += change
        for k in range(counts.lines):
            rate[k] += change * A[line, k]
        worst = max(worst, abs(change))
        if change != change:
            return math.nan
    return float(worst)


@kernel
def separate(model: Floats, counts: Record, work: Floats) -> None:
    """Impulses of the lines as they were from those of the lines in `J`: p_j -= c_kj p_k.

    With J'_k = J_k - sum of c_kj J'_j, an impulse p of J'_k is one of J_k and -c_kj p of J'_j.
    """
    at = own_part(model).work
    lines, mix = records(work, at.lines, LINE), matrix(work, at.mix)
    applied = matrix(work, at.applied)[VELOCITIES]
    for k in range(counts.lines - 1, -1, -1):
        if lines[k].group >= 0:
            for j in range(min(k, counts.loop_lines)):
                if lines[j].group == lines[k].group:
                    applied[j] -= mix[k, j] * applied[k]
