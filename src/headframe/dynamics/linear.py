"""Kernels of small dense linear algebra: Cholesky, inverse."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import inlined_kernel, kernel

Floats = NDArray[np.float64]


@inlined_kernel
def factor(A_in: Floats, L_out: Floats) -> bool:
    """L with A = L L^T, its diagonal kept as 1 / L_kk; False if A is not positive definite."""
    n = A_in.shape[0]
    for j in range(n):
        total = A_in[j, j]
        for k in range(j):
            total -= L_out[j, k] * L_out[j, k]
        if not total > 0.0:
            return False
        scale = 1.0 / math.sqrt(total)
        L_out[j, j] = scale
        for i in range(j + 1, n):
            total = A_in[i, j]
            for k in range(j):
                total -= L_out[i, k] * L_out[j, k]
            L_out[i, j] = total * scale
    return True


@inlined_kernel
def solve_factored(L_in: Floats, x_io: Floats) -> None:
    """Solve A x = b in place, with what `factor` has made of A."""
    n = x_io.shape[0]
    for i in range(n):
        total = x_io[i]
        for k in range(i):
            total -= L_in[i, k] * x_io[k]
        x_io[i] = total * L_in[i, i]
    for i in range(n - 1, -1, -1):
        total = x_io[i]
        for k in range(i + 1, n):
            total -= L_in[k, i] * x_io[k]
        x_io[i] = total * L_in[i, i]


@kernel
def invert(A: Floats) -> None:
    """A^-1 in place (Gauss-Jordan without pivoting: the matrix is near 1 or well conditioned)."""
    n = A.shape[0]
    for k in range(n):
        pivot = 1.0 / A[k, k]
        A[k, k] = 1.0
        for j in range(n):
            A[k, j] *= pivot
        for i in range(n):
            if i != k:
                scale = A[i, k]
                A[i, k] = 0.0
                for j in range(n):
                    A[i, j] -= scale * A[k, j]
