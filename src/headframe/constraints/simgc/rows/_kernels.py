"""Kernels of sequential impulses: effective masses, the responses to a row's impulse, sweeps.

A row is one scalar condition on the velocities, J v = target, kept by an impulse p with
low <= p <= high: free for a loop, one-sided for an end stop, between -f h and f h for friction or
for a motor. Several rows may share a `J`, which then is one line: a joint's motor, friction and
stops all act on one rate. Lines are counted anew in every step, only those in use.

- `J`, `Y` (lines, nv): a line and the response M^-1 J^T of the velocities to its unit impulse;
- `A` (lines, lines): change of each line's rate by a unit impulse of another, J Y^T;
- `lines` (LINE, lines): MASS, the effective mass 1 / (J Y), 0 for what nothing can move; ERROR, by
  how much a loop stands open; RATE and APPLIED, rate and impulse applied in this step, and again
  behind PSEUDO for the pseudo-velocities;
- `rows_i` (rows, ROW_I): LINE_OF and COUPLED, another row or -1: where there is one, p stays
  between -FACTOR and FACTOR times the impulse of that row (a friction cone's side);
- `rows_f` (rows, ROW_F): TARGET, LOW, HIGH and IMPULSE, again behind PSEUDO, then FACTOR.

Paper SIMGC applies an impulse by two passes through the tree (Fig. 3). The result of those
passes is linear in the impulse, so it is kept from the test impulse (Fig. 2): what a sweep needs of
it is the column of A, and the velocities follow in the end from Y. That is the paper's iteration in
other words, at a cost of one addition to every line's rate.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....dynamics.tree.articulated._kernels import respond
from ....jit import inlined_kernel, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LINE_OF, COUPLED, ROW_I = 0, 1, 2
TARGET, LOW, HIGH, IMPULSE, PSEUDO, FACTOR, ROW_F = 0, 1, 2, 3, 4, 8, 9
MASS, ERROR, RATE, APPLIED, LINE = 0, 1, 2, 3, 6
PSEUDO_LINE = 2  # from RATE and APPLIED to those of the pseudo-velocities
NOTHING = 1e-14  # squared length of a line that no velocity moves
DEPENDENT = 1e-9  # part of a line's J Y that must be left when its group is taken out of it


@inlined_kernel
def product(a: Floats, i: int, b: Floats, j: int) -> float:
    """Product of row i of one matrix and row j of another."""
    total = 0.0
    for k in range(a.shape[1]):
        total += a[i, k] * b[j, k]
    return total


@kernel
def add_line(
    tree_i: Ints, line: int, group: int, loops: int, work: Floats,
    J_io: Floats, Y_io: Floats, mix_io: Floats, groups_io: Ints, lines_io: Floats,
) -> bool:  # fmt: skip
    """Effective mass of a line by a test impulse (paper, Fig. 2 and Eq. 4); False if degenerate.

    J stands in its place, and in ERROR by how much it is open; articulated inertias are set. Lines
    of one group, those of one closure and the drive of its cylinder, would undo each other's work
    again and again, a light rod between a locked length and a heavy boom. So each loop's line that
    comes before in the group, j < `loops`, is taken out of this one,

        J' = J - sum of c_j J'_j,   c_j = J Y'_j / (J'_j Y'_j),

    after which the impulses of the group leave each other's rates alone. The condition stays the
    same where those before hold, and so does the impulse of the last, which alone may be clipped.
    """
    size = product(J_io, line, J_io, line)
    if not size > NOTHING:
        return False
    respond(tree_i, J_io[line], work, Y_io[line])
    whole = product(J_io, line, Y_io, line)
    groups_io[line] = group
    left = whole
    if group >= 0:
        for j in range(min(line, loops)):
            if groups_io[j] == group:
                c = product(J_io, line, Y_io, j) * lines_io[MASS, j]
                mix_io[line, j] = c
                lines_io[ERROR, line] -= c * lines_io[ERROR, j]
                for k in range(J_io.shape[1]):
                    J_io[line, k] -= c * J_io[j, k]
                    Y_io[line, k] -= c * Y_io[j, k]
        left = product(J_io, line, Y_io, line)
    if not left > DEPENDENT * whole:
        return False
    lines_io[MASS, line] = 1.0 / left
    return True


@kernel
def couple(n: int, loops: int, groups_in: Ints, J_in: Floats, Y_in: Floats, A_out: Floats) -> None:
    """A of the first n lines; within a group it is 0 by construction."""
    for i in range(n):
        for j in range(i + 1):
            same = i != j and j < loops and groups_in[i] >= 0 and groups_in[i] == groups_in[j]
            value = 0.0 if same else product(J_in, i, Y_in, j)
            A_out[i, j] = value
            A_out[j, i] = value


@kernel
def sweep(
    n: int, order: Ints, rows_i: Ints, A: Floats, stage: int, rows_io: Floats, lines_io: Floats
) -> float:
    """One impulse for every row in `order`, each accumulated and clipped; the largest change.

    Paper, Eqs. (3), (8) and the clipping behind it. `stage` is 0 for velocities and PSEUDO for
    pseudo-velocities; n is the number of lines.
    """
    rate, applied = (RATE, APPLIED) if stage == 0 else (RATE + PSEUDO_LINE, APPLIED + PSEUDO_LINE)
    worst = 0.0
    for row in order:
        line, other = rows_i[row, LINE_OF], rows_i[row, COUPLED]
        low, high = rows_io[row, stage + LOW], rows_io[row, stage + HIGH]
        if other >= 0:
            high = rows_io[row, FACTOR] * abs(rows_io[other, stage + IMPULSE])
            low = -high
        before = rows_io[row, stage + IMPULSE]
        lacking = rows_io[row, stage + TARGET] - lines_io[rate, line]
        after = min(max(before + lines_io[MASS, line] * lacking, low), high)
        change = after - before
        if change == 0.0:
            continue
        rows_io[row, stage + IMPULSE] = after
        lines_io[applied, line] += change
        for k in range(n):
            lines_io[rate, k] += change * A[line, k]
        worst = max(worst, abs(change))
        if change != change:
            return math.nan
    return float(worst)


@kernel
def separate(n: int, loops: int, groups_in: Ints, mix_in: Floats, lines_io: Floats) -> None:
    """Impulses of the lines as they were from those of the lines in `J`: p_j -= c_kj p_k.

    With J'_k = J_k - sum of c_kj J'_j, an impulse p of J'_k is one of J_k and -c_kj p of J'_j.
    """
    for k in range(n - 1, -1, -1):
        if groups_in[k] >= 0:
            for j in range(min(k, loops)):
                if groups_in[j] == groups_in[k]:
                    lines_io[APPLIED, j] -= mix_in[k, j] * lines_io[APPLIED, k]


def warm_up() -> None:
    """Nothing is called from outside of kernels."""
