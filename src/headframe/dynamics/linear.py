"""Kernels of small dense linear algebra: vectors, products, Cholesky, inverse.

Vectors are copied number by number: an assignment of arrays takes far longer to compile.
"""

from __future__ import annotations

import math

from ..jit import inlined_kernel, kernel
from ..mechanism import Floats

ROUNDING = 1e-12  # of a vector's length


@inlined_kernel
def copy(x_in: Floats, x_out: Floats) -> None:
    """Copy a vector."""
    for i in range(x_in.shape[0]):
        x_out[i] = x_in[i]


@inlined_kernel
def zero(x_out: Floats) -> None:
    """Make a vector zero."""
    for i in range(x_out.shape[0]):
        x_out[i] = 0.0


@inlined_kernel
def zero_matrix(A_out: Floats) -> None:
    """Make a matrix zero."""
    for i in range(A_out.shape[0]):
        for j in range(A_out.shape[1]):
            A_out[i, j] = 0.0


@inlined_kernel
def add_scaled(scale: float, x_in: Floats, y_io: Floats) -> None:
    """Add scale * x to y."""
    for i in range(x_in.shape[0]):
        y_io[i] += scale * x_in[i]


@inlined_kernel
def inner(x_in: Floats, y_in: Floats) -> float:
    """Inner product of two vectors."""
    total = 0.0
    for i in range(x_in.shape[0]):
        total += x_in[i] * y_in[i]
    return total


@inlined_kernel
def take_out(rank: int, Q_in: Floats, x_io: Floats, taken_out: Floats) -> None:
    """Take out of a vector what lies in the span of orthonormal rows, and tell how much of each.

    What is left by rounding alone is nothing.
    """
    whole = inner(x_io, x_io)
    for i in range(rank):
        taken_out[i] = inner(Q_in[i], x_io)
        add_scaled(-taken_out[i], Q_in[i], x_io)
    if inner(x_io, x_io) < ROUNDING * ROUNDING * whole:
        zero(x_io)


@inlined_kernel
def largest(x_in: Floats) -> float:
    """The largest size of a vector's entries."""
    found = 0.0
    for i in range(x_in.shape[0]):
        found = max(found, abs(x_in[i]))
    return found


@inlined_kernel
def all_finite(x_in: Floats) -> bool:
    """Whether a vector has neither infinities nor NaN in it, nor a sum that is too large."""
    total = 0.0
    for i in range(x_in.shape[0]):
        total += x_in[i]
    return math.isfinite(total)


@inlined_kernel
def multiply(A_in: Floats, x_in: Floats, y_out: Floats) -> None:
    """A x."""
    for i in range(y_out.shape[0]):
        y_out[i] = inner(A_in[i], x_in)


@inlined_kernel
def multiply_transposed(A_in: Floats, x_in: Floats, y_out: Floats) -> None:
    """A^T x."""
    for i in range(y_out.shape[0]):
        total = 0.0
        for k in range(x_in.shape[0]):
            total += A_in[k, i] * x_in[k]
        y_out[i] = total


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
