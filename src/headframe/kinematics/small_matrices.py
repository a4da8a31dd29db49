"""Kernels for vectors and matrices of a few rows, whole as they are."""

from __future__ import annotations

from ..jit import inlined_kernel, kernel
from .records import Floats


@inlined_kernel
def copy(x_in: Floats, x_out: Floats) -> None:
    """As many numbers as `x_out` has."""
    for i in range(x_out.shape[0]):
        x_out[i] = x_in[i]


@inlined_kernel
def multiply(A_in: Floats, B_in: Floats, C_out: Floats) -> None:
    """C = A B, square."""
    n = C_out.shape[0]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += A_in[i, k] * B_in[k, j]
            C_out[i, j] = total


@inlined_kernel
def multiply_transposed(A_in: Floats, B_in: Floats, C_out: Floats) -> None:
    """C = A^T B, square."""
    n = C_out.shape[0]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += A_in[k, i] * B_in[k, j]
            C_out[i, j] = total


@kernel
def eliminate(A: Floats, n: int) -> bool:
    """Solve in place the n equations A[:, :n] x = A[:, n]; x ends in A[:, n]. False if singular."""
    if n == 1:
        if A[0, 0] == 0.0:
            return False
        A[0, 1] /= A[0, 0]
        return True
    if n == 2:
        det = A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]
        if det == 0.0:
            return False
        x = (A[0, 2] * A[1, 1] - A[0, 1] * A[1, 2]) / det
        A[1, 2] = (A[0, 0] * A[1, 2] - A[0, 2] * A[1, 0]) / det
        A[0, 2] = x
        return True
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if A[best, k] == 0.0:
            return False
        if best != k:
            for j in range(k, n + 1):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        clear_column(A, n, k)
    substitute(A, n)
    return True


@inlined_kernel
def solve_positive(A: Floats, n: int) -> bool:
    """As `eliminate` without exchanging rows; False if the matrix is not positive definite."""
    for k in range(n):
        if not A[k, k] > 0.0:
            return False
        clear_column(A, n, k)
    substitute(A, n)
    return True


@inlined_kernel
def clear_column(A: Floats, n: int, k: int) -> None:
    """Take the k-th of n equations from those behind it, so that the k-th unknown leaves them."""
    for i in range(k + 1, n):
        factor = A[i, k] / A[k, k]
        for j in range(k + 1, n + 1):
            A[i, j] -= factor * A[k, j]


@inlined_kernel
def substitute(A: Floats, n: int) -> None:
    """Solve n equations of which each has the unknowns from its own on, the last one first."""
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            A[k, n] -= A[k, j] * A[j, n]
        A[k, n] /= A[k, k]


@inlined_kernel
def invert(L_in: Floats, A: Floats, K_out: Floats) -> bool:
    """K = L^-1, A being room for n x (n + 1) numbers; False if singular."""
    n = K_out.shape[0]
    if n == 1:
        K_out[0, 0] = 1.0 / L_in[0, 0]
        return bool(L_in[0, 0] != 0.0)
    if n == 2:
        det = L_in[0, 0] * L_in[1, 1] - L_in[0, 1] * L_in[1, 0]
        if det == 0.0:
            return False
        K_out[0, 0], K_out[0, 1] = L_in[1, 1] / det, -L_in[0, 1] / det
        K_out[1, 0], K_out[1, 1] = -L_in[1, 0] / det, L_in[0, 0] / det
        return True
    for col in range(n):
        for i in range(n):
            for j in range(n):
                A[i, j] = L_in[i, j]
            A[i, n] = 1.0 if i == col else 0.0
        if not eliminate(A, n):
            return False
        for i in range(n):
            K_out[i, col] = A[i, n]
    return True
