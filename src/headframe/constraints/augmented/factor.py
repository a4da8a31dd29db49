"""Kernels of the sparse factor T = L D L^T, with L unit lower triangular and D > 0.

`ordering` has found the pattern; here are numbers only, column by column: each takes from its
entries what columns to the left of it contribute, which are those of its row in L.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined_kernel, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DONE = -1
SMALLEST = 1e-13  # of a diagonal entry: what must be left of it when its turn comes


@kernel
def factor(
    columns: Ints,
    rows: Ints,
    left: Ints,
    left_columns: Ints,
    left_places: Ints,
    T_in: Floats,
    work: Floats,
    L_out: Floats,
    D_out: Floats,
) -> int:
    """L and D of T; DONE, or the column where nothing is left of the diagonal."""
    n = columns.shape[0] - 1
    for j in range(n):
        d = T_in[j]
        for p in range(columns[j], columns[j + 1]):
            work[rows[p]] = T_in[n + p]
        for r in range(left[j], left[j + 1]):
            k, p = left_columns[r], left_places[r]
            scale = L_out[p] * D_out[k]
            d -= L_out[p] * scale
            for below in range(p + 1, columns[k + 1]):
                work[rows[below]] -= L_out[below] * scale
        if not d > SMALLEST * T_in[j]:
            return j
        D_out[j] = d
        inverse = 1.0 / d
        for p in range(columns[j], columns[j + 1]):
            L_out[p] = work[rows[p]] * inverse
    return DONE


@inlined_kernel
def solve(columns: Ints, rows: Ints, L_in: Floats, D_in: Floats, x_io: Floats) -> None:
    """Solve T x = b in place."""
    n = columns.shape[0] - 1
    for j in range(n):
        x = x_io[j]
        for p in range(columns[j], columns[j + 1]):
            x_io[rows[p]] -= L_in[p] * x
    for j in range(n - 1, -1, -1):
        x = x_io[j] / D_in[j]
        for p in range(columns[j], columns[j + 1]):
            x -= L_in[p] * x_io[rows[p]]
        x_io[j] = x
