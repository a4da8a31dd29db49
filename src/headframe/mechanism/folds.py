"""Kernels that see whether a fold, where branches meet, lies between two poses."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import VECTOR, WHOLES, entry, header, inlined_kernel, kernel, matrix, records
from .closing import jacobian
from .placing import place
from .records import FRAME, FREEDOM, LOOP_ROW, MECHANISM

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DEPENDENT = 1e-9  # of the longest row: what is new in a row that follows from the others


@inlined_kernel
def swap_rows(A_io: Floats, i: int, k: int) -> None:
    """Exchange two rows."""
    for j in range(A_io.shape[1]):
        A_io[i, j], A_io[k, j] = A_io[k, j], A_io[i, j]


@inlined_kernel
def product(x_in: Floats, y_in: Floats, dofs_in: Ints) -> float:
    """Of two rows, over the velocities that may move."""
    total = 0.0
    for k in range(dofs_in.shape[0]):
        total += x_in[dofs_in[k]] * y_in[dofs_in[k]]
    return total


@kernel
def orthonormalise(J_io: Floats, follower_io: Floats, m: int, dofs_in: Ints) -> int:
    """Gram-Schmidt on the first m rows of J, the longest that is left first; returns the rank.

    Rows of the follower are exchanged like those of J.
    """
    longest, most = 0.0, int(min(m, dofs_in.shape[0]))
    for rank in range(most):
        best, largest = rank, 0.0
        for i in range(rank, m):
            size = product(J_io[i], J_io[i], dofs_in)
            if size > largest:
                best, largest = i, size
        length = math.sqrt(largest)
        longest = max(longest, length)
        if not length > DEPENDENT * longest:
            return rank
        swap_rows(J_io, rank, best)
        swap_rows(follower_io, rank, best)
        for a in range(J_io.shape[1]):
            J_io[rank, a] /= length
        for i in range(rank + 1, m):
            share = product(J_io[rank], J_io[i], dofs_in)
            for a in range(J_io.shape[1]):
                J_io[i, a] -= share * J_io[rank, a]
    return most


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
    head, m = header(machine, MECHANISM), active_in.shape[0]
    freedoms = records(machine, head.freedoms, FREEDOM)
    constraints = records(machine, head.constraints, LOOP_ROW)
    frames, A = records(work, head.work.frames, FRAME), matrix(work, head.work.A)
    J1, J2 = matrix(work, head.work.J_last), matrix(work, head.work.J)
    place(freedoms, q_in, frames)
    jacobian(constraints, freedoms, active_in, frames, J1)
    place(freedoms, q_end_in, frames)
    jacobian(constraints, freedoms, active_in, frames, J2)
    rank = orthonormalise(J1, J2, m, dofs_in)
    for i in range(rank):
        for k in range(rank):
            A[i, k] = product(J1[i], J2[k], dofs_in)
    return not keeps_orientation(A, rank)
