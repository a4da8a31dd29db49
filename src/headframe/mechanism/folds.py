"""Kernels that see whether a fold, where branches meet, lies between two poses."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import VECTOR, WHOLES, entry, header, indices, inlined_kernel, kernel, matrix, records
from .closing import jacobian
from .placing import place
from .records import CONSTRAINT, FRAME, FREEDOM, MECHANISM

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DEPENDENT = 1e-9  # of the longest row: what is new in a row that follows from the others


@inlined_kernel
def choose(dofs_in: Ints, column_out: Ints) -> None:
    """The column of every velocity that may move, -1 for the others."""
    for v in range(column_out.shape[0]):
        column_out[v] = -1
    for k in range(dofs_in.shape[0]):
        column_out[dofs_in[k]] = k


@inlined_kernel
def swap_rows(A_io: Floats, i: int, k: int) -> None:
    """Exchange two rows."""
    for j in range(A_io.shape[1]):
        A_io[i, j], A_io[k, j] = A_io[k, j], A_io[i, j]


@kernel
def orthonormalise(J_io: Floats, follower_io: Floats, m: int, n: int) -> int:
    """Gram-Schmidt on the first m rows of J, the longest that is left first; returns the rank.

    Rows of the follower are exchanged like those of J.
    """
    longest = 0.0
    for rank in range(min(m, n)):
        best, largest = rank, 0.0
        for i in range(rank, m):
            size = 0.0
            for a in range(n):
                size += J_io[i, a] * J_io[i, a]
            if size > largest:
                best, largest = i, size
        length = math.sqrt(largest)
        longest = max(longest, length)
        if not length > DEPENDENT * longest:
            return rank
        swap_rows(J_io, rank, best)
        swap_rows(follower_io, rank, best)
        for a in range(n):
            J_io[rank, a] /= length
        for i in range(rank + 1, m):
            share = 0.0
            for a in range(n):
                share += J_io[rank, a] * J_io[i, a]
            for a in range(n):
                J_io[i, a] -= share * J_io[rank, a]
    return min(m, n)


@kernel
def keeps_orientation(A: Floats, n: int) -> bool:
    """Whether the determinant of a matrix, which is changed, is positive, and not by rounding."""
    positive, longest = True, 0.0
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        longest = max(longest, abs(A[best, k]))
        if not abs(A[best, k]) > DEPENDENT * longest:
            return False
        if best != k:
            positive = not positive
            swap_rows(A, k, best)
        if A[k, k] < 0.0:
            positive = not positive
        for i in range(k + 1, n):
            factor = A[i, k] / A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= factor * A[k, j]
    return positive


@entry(VECTOR, WHOLES, WHOLES, VECTOR, VECTOR, VECTOR)
@kernel
def flips(
    machine: Floats, active_in: Ints, dofs_in: Ints, q_in: Floats, q_end_in: Floats, work: Floats
) -> bool:
    """Whether the way between two poses near to each other leads into a fold, or over it.

    The constraints' Jacobian J has one rank between folds and loses it in each. Of r independent
    rows, det(J_1 J_2^T) is by Cauchy and Binet the sum of the products of all r x r minors of both
    poses. Minors change their signs together, in folds only: the sum is positive for poses near to
    each other on one side, and negative across a fold, whatever motions the constraints leave free.
    With J_1 = R Q, Q orthonormal and R triangular with a positive diagonal, Q J_2^T has its sign.
    Where the way begins in a fold, J_1 has the lower rank, and all ways lead out.
    """
    head, n = header(machine, MECHANISM), dofs_in.shape[0]
    freedoms = records(machine, head.freedoms, FREEDOM)
    constraints = records(machine, head.constraints, CONSTRAINT)
    frames, column = records(work, head.work.frames, FRAME), indices(work, head.work.column)
    J1, J2 = matrix(work, head.work.J_last), matrix(work, head.work.J)
    A = matrix(work, head.work.A)
    choose(dofs_in, column)
    place(freedoms, q_in, frames)
    m = jacobian(constraints, freedoms, active_in, column, frames, J1)
    place(freedoms, q_end_in, frames)
    jacobian(constraints, freedoms, active_in, column, frames, J2)
    rank = orthonormalise(J1, J2, m, n)
    for i in range(rank):
        for k in range(rank):
            total = 0.0
            for a in range(n):
                total += J1[i, a] * J2[k, a]
            A[i, k] = total
    return not keeps_orientation(A, rank)
