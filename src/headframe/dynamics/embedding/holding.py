"""Kernels of guided rows in the metric of kinetic energy: velocities are z = L^T theta'.

Guided rows Y, in this metric, are Y = C Q with orthonormal Q and C triangular (Gram-Schmidt). To
have Y z'' = wanted it takes

    s = C^-1 wanted,    mu = s - Q z'',    z'' <- z'' + Q^T mu,    C^T lambda = mu,

lambda being the reactions. The same Q then takes out of every contact what guided rows hold.
"""

from __future__ import annotations

import math

from ...jit import Records, indices, inlined_kernel, matrix, numbers, records
from ...mechanism import Floats
from ..driven_rows import GUIDED, rows_of
from ..linear import add_scaled, inner, zero
from ..records import FUNCTION
from ..status import DEAD_CENTRE, OK, failed
from .functions import add_row, own_part

NEW = 1e-9  # of a guided row: what must be left of it beside those before


@inlined_kernel
def forces_to_z(L_in: Floats, x_io: Floats) -> None:
    """Solve L z = f in place; L has 1 / L_kk on its diagonal."""
    n, first = x_io.shape[0], 0
    while first < n and x_io[first] == 0.0:
        first += 1
    for i in range(first, n):
        total = x_io[i]
        for k in range(first, i):
            total -= L_in[i, k] * x_io[k]
        x_io[i] = total * L_in[i, i]


@inlined_kernel
def z_to_rates(L_in: Floats, x_io: Floats) -> None:
    """Solve L^T x = z in place."""
    n = x_io.shape[0]
    for i in range(n - 1, -1, -1):
        x_io[i] *= L_in[i, i]
        for k in range(i):
            x_io[k] -= L_in[i, k] * x_io[i]


@inlined_kernel
def hold_rows(model: Floats, drives_in: Records, work: Floats) -> int:
    """Q and C of the guided rows; fails with the first one that nothing can move beside those."""
    own, rows = own_part(model), rows_of(model)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    G, L = numbers(work, own.work.G), matrix(work, own.work.L)
    Q, C = matrix(work, own.work.held), matrix(work, own.work.held_by)
    held, rank = indices(work, own.work.held_rows), 0
    for r in range(rows.shape[0]):
        if drives_in[r].now != GUIDED:
            continue
        y = Q[rank]
        zero(y)
        add_row(functions[rows[r].freedom], columns, G, 1.0, y)
        forces_to_z(L, y)
        whole = math.sqrt(inner(y, y))
        for k in range(rank):
            C[rank, k] = inner(Q[k], y)
            add_scaled(-C[rank, k], Q[k], y)
        length = math.sqrt(inner(y, y))
        if not length > NEW * whole:
            return failed(DEAD_CENTRE, r)
        for i in range(y.shape[0]):
            y[i] /= length
        C[rank, rank] = length
        rank += 1
        held[rank] = r
    held[0] = rank
    return OK


@inlined_kernel
def accelerate_held(model: Floats, work: Floats, wanted_io: Floats, z_io: Floats) -> None:
    """Add to z'' what guided rows get; `wanted` of them becomes their reactions."""
    own = own_part(model)
    Q, C = matrix(work, own.work.held), matrix(work, own.work.held_by)
    held = indices(work, own.work.held_rows)
    rank = held[0]
    for k in range(rank):
        row = held[1 + k]
        for j in range(k):
            wanted_io[row] -= C[k, j] * wanted_io[held[1 + j]]
        wanted_io[row] /= C[k, k]
    for k in range(rank):
        row = held[1 + k]
        wanted_io[row] -= inner(Q[k], z_io)
        add_scaled(wanted_io[row], Q[k], z_io)
    for k in range(rank - 1, -1, -1):
        row = held[1 + k]
        wanted_io[row] /= C[k, k]
        for j in range(k):
            wanted_io[held[1 + j]] -= C[k, j] * wanted_io[row]
