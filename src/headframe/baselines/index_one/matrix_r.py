"""Kernels of the matrix R: velocities of all coordinates by those of independent ones.

Of the rows' slopes as many rows and columns are taken as are independent, by the largest pivots;
the other columns are independent coordinates z. With Phi_q = [D I] over both kinds

    v = R z' + b,    R = [-D^-1 I; 1],    R^T M R z'' = R^T (Q - M a_0),

a_0 being the accelerations with z'' = 0. Where a step ends, dependent positions and velocities
follow from the independent ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...constraints.kernels import (
    AUGMENTED,
    NATURAL_ROW,
    ROW_NOW,
    TERM,
    add_inertia,
    along,
    second_rate,
    set_forces,
    set_rows,
)
from ...dynamics.kernels import DynamicsStatus, factor, solve_factored
from ...jit import Records, header, indices, inlined_kernel, kernel, matrix, numbers, records
from .records import INDEX_ONE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OK, NOT_POSITIVE = DynamicsStatus.OK.value, DynamicsStatus.NOT_POSITIVE.value
NO_CLOSURE = DynamicsStatus.NO_CLOSURE.value
SAME = 1e-9  # of the largest pivot: what is less depends on others
CLOSED, TURNS = 1e-12, 20


@kernel
def set_slopes(model: Floats, own: Floats, work: Floats) -> None:
    """Phi_q as a matrix, from the slopes that are set."""
    head, settings = header(model, AUGMENTED), header(own, INDEX_ONE)
    J, slopes = matrix(own, settings.J), numbers(work, head.work.slopes)
    rows, entries = records(model, head.rows, NATURAL_ROW), indices(model, head.entries)
    now = records(work, head.work.rows, ROW_NOW)
    for i in range(J.shape[0]):
        for j in range(J.shape[1]):
            J[i, j] = 0.0
        if now[i].live:
            for e in range(rows[i].entries[0], rows[i].entries[0] + rows[i].entries[1]):
                J[i, entries[e]] += slopes[e]


@inlined_kernel
def swap(order: Ints, a: int, b: int) -> None:
    """Two numbers change places."""
    order[a], order[b] = order[b], order[a]


@kernel
def choose(model: Floats, own: Floats, q_in: Floats, work: Floats) -> None:
    """Rows that count and coordinates that depend on others, by elimination with the largest."""
    set_rows(model, q_in, work)
    set_slopes(model, own, work)
    settings = header(own, INDEX_ONE)
    J, columns = matrix(own, settings.J), indices(own, settings.independent)
    rows, rank, most = indices(own, settings.chosen), 0, 0.0
    for j in range(columns.shape[0]):
        columns[j] = j
    for i in range(rows.shape[0]):
        rows[i] = i
    while rank < min(rows.shape[0], columns.shape[0]):
        largest, at_row, at_column = 0.0, rank, rank
        for i in range(rank, rows.shape[0]):
            for j in range(rank, columns.shape[0]):
                size = abs(J[rows[i], columns[j]])
                if size > largest:
                    largest, at_row, at_column = size, i, j
        most = max(most, largest)
        if largest <= SAME * most:
            break
        swap(rows, rank, at_row)
        swap(columns, rank, at_column)
        for i in range(rank + 1, rows.shape[0]):
            scale = J[rows[i], columns[rank]] / J[rows[rank], columns[rank]]
            if scale != 0.0:
                for j in range(rank, columns.shape[0]):
                    J[rows[i], columns[j]] -= scale * J[rows[rank], columns[j]]
        rank += 1
    settings.rank = rank


@kernel
def factor_dependent(own: Floats) -> None:
    """D = L U of the rows and columns that are chosen, with row pivots."""
    settings = header(own, INDEX_ONE)
    J, A, pivots = matrix(own, settings.J), matrix(own, settings.A), indices(own, settings.pivots)
    rows, columns = indices(own, settings.chosen), indices(own, settings.independent)
    rank = settings.rank
    for i in range(rank):
        for j in range(rank):
            A[i, j] = J[rows[i], columns[j]]
    for k in range(rank):
        pivots[k] = k
        for i in range(k + 1, rank):
            if abs(A[i, k]) > abs(A[pivots[k], k]):
                pivots[k] = i
        for j in range(rank):
            A[k, j], A[pivots[k], j] = A[pivots[k], j], A[k, j]
        for i in range(k + 1, rank):
            A[i, k] /= A[k, k]
            scale = A[i, k]
            if scale != 0.0:
                for j in range(k + 1, rank):
                    A[i, j] -= scale * A[k, j]


@kernel
def solve_dependent(own: Floats, x_io: Floats) -> None:
    """Solve D x = b in place."""
    settings = header(own, INDEX_ONE)
    A, pivots, rank = matrix(own, settings.A), indices(own, settings.pivots), settings.rank
    for k in range(rank):
        x_io[k], x_io[pivots[k]] = x_io[pivots[k]], x_io[k]
    for i in range(rank):
        for j in range(i):
            x_io[i] -= A[i, j] * x_io[j]
    for i in range(rank - 1, -1, -1):
        for j in range(i + 1, rank):
            x_io[i] -= A[i, j] * x_io[j]
        x_io[i] /= A[i, i]


@kernel
def close(model: Floats, own: Floats, q_io: Floats, v_io: Floats, work: Floats) -> int:
    """Dependent positions and velocities from the independent ones; D is left factored."""
    head, settings = header(model, AUGMENTED), header(own, INDEX_ONE)
    columns, rows = indices(own, settings.independent), indices(own, settings.chosen)
    b, rank = numbers(own, settings.right), settings.rank
    all_rows, entries = records(model, head.rows, NATURAL_ROW), indices(model, head.entries)
    now, slopes = records(work, head.work.rows, ROW_NOW), numbers(work, head.work.slopes)
    status = NO_CLOSURE
    for _ in range(TURNS):
        worst = set_rows(model, q_io, work)
        set_slopes(model, own, work)
        factor_dependent(own)
        if worst <= CLOSED:
            status = OK
            break
        for k in range(rank):
            b[k] = -now[rows[k]].residual
        solve_dependent(own, b)
        for k in range(rank):
            q_io[columns[k]] += b[k]
    for k in range(rank):
        v_io[columns[k]] = 0.0
    for k in range(rank):
        b[k] = -along(all_rows[rows[k]], entries, slopes, v_io) - now[rows[k]].forced
    solve_dependent(own, b)
    for k in range(rank):
        v_io[columns[k]] = b[k]
    return status


@kernel
def accelerate_by_R(
    model: Floats, own: Floats, q_io: Floats, v_io: Floats, drives_in: Records, pulls_in: Records,
    work: Floats, a_out: Floats,
) -> int:  # fmt: skip
    """Accelerations, at positions and velocities whose dependent ones are found first."""
    head, settings = header(model, AUGMENTED), header(own, INDEX_ONE)
    n, rank = head.n, settings.rank
    columns, rows = indices(own, settings.independent), indices(own, settings.chosen)
    J, R = matrix(own, settings.J), matrix(own, settings.R)
    b, MR, z = (
        numbers(own, settings.right), numbers(own, settings.MR), numbers(own, settings.z),
    )  # fmt: skip
    all_rows, terms = records(model, head.rows, NATURAL_ROW), records(model, head.terms, TERM)
    now, slopes = records(work, head.work.rows, ROW_NOW), numbers(work, head.work.slopes)
    entries, force = indices(model, head.entries), numbers(work, head.work.force)
    status = close(model, own, q_io, v_io, work)
    if status != OK:
        return status
    set_forces(model, q_io, v_io, drives_in, pulls_in, work)
    for i in range(n):
        a_out[i] = 0.0
    for k in range(rank):
        one = rows[k]
        b[k] = -second_rate(all_rows[one], now[one], entries, terms, slopes, q_io, v_io, a_out)
    solve_dependent(own, b)
    for k in range(rank):
        a_out[columns[k]] = b[k]
    free = n - rank
    for f in range(free):
        for k in range(rank):
            b[k] = -J[rows[k], columns[rank + f]]
        solve_dependent(own, b)
        for i in range(n):
            R[f, i] = 0.0
        for k in range(rank):
            R[f, columns[k]] = b[k]
        R[f, columns[rank + f]] = 1.0
    for i in range(n):
        MR[i] = -force[i]
    add_inertia(model, 1.0, a_out, MR)
    for f in range(free):
        total = 0.0
        for i in range(n):
            total -= R[f, i] * MR[i]
        z[f] = total
    return solve_independent(model, own, free, a_out) if free > 0 else OK


@kernel
def solve_independent(model: Floats, own: Floats, free: int, a_io: Floats) -> int:
    """Add R z'' to the accelerations, from R^T M R z'' = what stands in z."""
    n, settings = header(model, AUGMENTED).n, header(own, INDEX_ONE)
    R, z, MR = matrix(own, settings.R), numbers(own, settings.z), numbers(own, settings.MR)
    S, L = matrix(own, settings.S), matrix(own, settings.L)
    for f in range(S.shape[0]):
        for g in range(S.shape[1]):
            S[f, g] = 1.0 if f == g else 0.0
    for f in range(free):
        for i in range(n):
            MR[i] = 0.0
        add_inertia(model, 1.0, R[f], MR)
        for g in range(free):
            total = 0.0
            for i in range(n):
                total += R[g, i] * MR[i]
            S[f, g] = total
    for f in range(free, S.shape[0]):
        z[f] = 0.0
    if not factor(S, L):
        return NOT_POSITIVE
    solve_factored(L, z)
    for f in range(free):
        for i in range(n):
            a_io[i] += R[f, i] * z[f]
    return OK
