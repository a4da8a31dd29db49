"""Kernels that factor the inertia of a tree and make constraint rows orthonormal in its metric.

The inertia over the freedoms is M = L^T L with L lower triangular. From the leaves to the base the
factor has no more entries than M: L_de is not zero only where e moves d (Featherstone, Rigid Body
Dynamics Algorithms, Table 6.3). A vector x of velocities becomes z = L x, in which the kinetic
energy is z . z / 2; a row of a Jacobian becomes y = L^-T j, since j . x = y . z. The row's y is not
zero only at the freedoms that move its two bodies, its path.

Of the rows Y an orthonormal basis Q is made by Gram-Schmidt with pivoting, always taking the row of
which the largest part is not yet in the span of those before. With C the coefficients,

    y_p = sum of C_pk q_k over k <= p,        C C^T = Y Y^T = J M^-1 J^T =: S,

so C is the Cholesky factor of S, pivoted; but found without forming S, whose condition is the
square of Y's. Lengths are measured by the longest row of a group, the rows of one kind in one loop.
A row of which less than `tolerance` is new depends on the others and is left out: it holds by
itself, or at a singular pose cannot be enforced. Rows come in classes, each chosen only when those
before are done: loops are held first, then what drives prescribe.

- `paths_i`: for every row the place of its path, its length, and the group's first row; then the
  paths: freedoms, from the leaves down to the base;
- `Y` (m, nd) by freedoms, `Q` (nd, nd), `C` (m, nd); `order` (nd): rows in the order in which they
  were taken; `kept` (m): 1 + place in that order, or 0.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....jit import inlined_kernel, kernel
from ...tree._kernels import COMPOSITE, PARENT, F, T, composite
from ...tree.algebra._kernels import dot, momentum

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOTHING = 1e-13  # of its own inertia: what is left of a freedom that moves nothing
HEAD = 3
OUT = -1.0  # class of a row that takes no part


@kernel
def factor_inertia(tree_i: Ints, extra_in: Floats, work: Floats, L_out: Floats) -> int:
    """L with M = L^T L of a placed tree, 1 / L_dd on its diagonal; only paths are written.

    `extra_in` (nd) is added to the diagonal of M. Returns 1 + the first freedom that moves nothing
    that has inertia, 0 if there is none.
    """
    nd = tree_i.shape[0]
    composite(tree_i, work)
    for d in range(nd):
        f = F * nd + 6 * d
        momentum(work, COMPOSITE * nd + 10 * d, T * nd + 6 * d, f)
        e = d
        while e >= 0:
            L_out[d, e] = dot(work, T * nd + 6 * e, f)
            e = tree_i[e, PARENT]
        L_out[d, d] += extra_in[d]
        work[F * nd + 6 * d] = L_out[d, d]
    for d in range(nd - 1, -1, -1):
        if not L_out[d, d] > NOTHING * work[F * nd + 6 * d]:
            return 1 + d
        scale = 1.0 / math.sqrt(L_out[d, d])
        L_out[d, d] = scale
        e = tree_i[d, PARENT]
        while e >= 0:
            L_out[d, e] *= scale
            e = tree_i[e, PARENT]
        e = tree_i[d, PARENT]
        while e >= 0:
            value = L_out[d, e]
            k = e
            while k >= 0:
                L_out[e, k] -= value * L_out[d, k]
                k = tree_i[k, PARENT]
            e = tree_i[e, PARENT]
    return 0


@inlined_kernel
def forces_to_z(tree_i: Ints, L_in: Floats, x_io: Floats) -> None:
    """Solve L^T z = f in place, over freedoms."""
    for d in range(tree_i.shape[0] - 1, -1, -1):
        value = x_io[d] * L_in[d, d]
        x_io[d] = value
        e = tree_i[d, PARENT]
        while e >= 0:
            x_io[e] -= L_in[d, e] * value
            e = tree_i[e, PARENT]


@inlined_kernel
def z_to_velocities(tree_i: Ints, L_in: Floats, x_io: Floats) -> None:
    """Solve L x = z in place, over freedoms."""
    for d in range(tree_i.shape[0]):
        total = x_io[d]
        e = tree_i[d, PARENT]
        while e >= 0:
            total -= L_in[d, e] * x_io[e]
            e = tree_i[e, PARENT]
        x_io[d] = total * L_in[d, d]


@inlined_kernel
def row_to_z(tree_i: Ints, L_in: Floats, paths_i: Ints, row: int, y_io: Floats) -> None:
    """Solve L^T y = j in place for a row that is given, and written, on its path only."""
    at = paths_i[HEAD * row]
    for s in range(at, at + paths_i[HEAD * row + 1]):
        d = paths_i[s]
        value = y_io[d] * L_in[d, d]
        y_io[d] = value
        e = tree_i[d, PARENT]
        while e >= 0:
            y_io[e] -= L_in[d, e] * value
            e = tree_i[e, PARENT]


@inlined_kernel
def along(paths_i: Ints, row: int, y_in: Floats, x_in: Floats) -> float:
    """Product of a row with a vector over freedoms."""
    at = paths_i[HEAD * row]
    total = 0.0
    for s in range(at, at + paths_i[HEAD * row + 1]):
        d = paths_i[s]
        total += y_in[d] * x_in[d]
    return total


@kernel
def orthonormalise(
    paths_i: Ints,
    Y_in: Floats,
    classes_io: Floats,
    n_classes: int,
    first_rank: int,
    tolerance: float,
    rest_work: Floats,
    Q_out: Floats,
    C_out: Floats,
    order_out: Floats,
    kept_out: Floats,
) -> int:
    """Basis Q of the rows that take part, and their coefficients C; returns its size, the rank.

    Of the first class no more than `first_rank` rows are taken, which is how many are independent
    as long as all hold. Between the poses that an integrator stops at they hold only nearly, and
    then a redundant row looks independent, by as little as the others are violated.
    `rest_work` (2, m) holds the groups' lengths, and what of the rows is not yet in the span, in
    units of these, squared.
    """
    m, nd = Y_in.shape[0], Q_out.shape[1]
    lengths, rest = rest_work[0], rest_work[1]
    for i in range(m):
        lengths[i] = 0.0
        kept_out[i] = 0.0
    for i in range(m):
        if classes_io[i] != OUT:
            rest[i] = along(paths_i, i, Y_in[i], Y_in[i])
            group = paths_i[HEAD * i + 2]
            lengths[group] = max(lengths[group], math.sqrt(rest[i]))
    for i in range(m):
        if classes_io[i] != OUT:
            lengths[i] = lengths[paths_i[HEAD * i + 2]]
            rest[i] = rest[i] / (lengths[i] * lengths[i]) if lengths[i] > 0.0 else 0.0
    rank = 0
    for now in range(n_classes):
        last = first_rank if now == 0 else nd
        while rank < min(last, nd):
            p = pick_row(classes_io, float(now), rest)
            if p < 0:
                break
            classes_io[p] = OUT
            q = Q_out[rank]
            length = new_part(paths_i, p, Y_in[p], rest[p], rank, Q_out, C_out[p], q)
            if not length > tolerance * lengths[p]:
                continue
            for d in range(nd):
                q[d] /= length
            C_out[p, rank] = length
            order_out[rank] = p
            rank += 1
            kept_out[p] = rank
            for i in range(m):
                if classes_io[i] != OUT:
                    value = along(paths_i, i, Y_in[i], q)
                    C_out[i, rank - 1] = value
                    rest[i] -= (value / lengths[i]) ** 2 if lengths[i] > 0.0 else 0.0
    return rank


@inlined_kernel
def pick_row(classes_in: Floats, now: float, rest_in: Floats) -> int:
    """The row of a class of which the largest part is new; -1 if none is left."""
    best, largest = -1, -1.0
    for i in range(classes_in.shape[0]):
        if classes_in[i] == now and rest_in[i] > largest:
            best, largest = i, rest_in[i]
    return best


@inlined_kernel
def new_part(
    paths_i: Ints,
    row: int,
    y_in: Floats,
    rest: float,
    rank: int,
    Q_in: Floats,
    c_io: Floats,
    q_out: Floats,
) -> float:
    """What of a row is not in the span of the basis, and its length.

    Where little is left, rounding is taken out by a second pass (twice is enough: Giraud et al.
    2005).
    """
    nd = q_out.shape[0]
    for d in range(nd):
        q_out[d] = 0.0
    at = paths_i[HEAD * row]
    for s in range(at, at + paths_i[HEAD * row + 1]):
        q_out[paths_i[s]] = y_in[paths_i[s]]
    for k in range(rank):
        value, q = c_io[k], Q_in[k]
        for d in range(nd):
            q_out[d] -= value * q[d]
    if rest < 0.25:
        for k in range(rank):
            value, q = 0.0, Q_in[k]
            for d in range(nd):
                value += q_out[d] * q[d]
            c_io[k] += value
            for d in range(nd):
                q_out[d] -= value * q[d]
    total = 0.0
    for d in range(nd):
        total += q_out[d] * q_out[d]
    return math.sqrt(total)


@inlined_kernel
def coefficients(
    rank: int, C_in: Floats, order_in: Floats, wanted_in: Floats, s_out: Floats
) -> None:
    """S with Y z = wanted where Q z = s, over the rows that were taken."""
    for k in range(rank):
        row = int(order_in[k])
        total = wanted_in[row]
        for j in range(k):
            total -= C_in[row, j] * s_out[j]
        s_out[k] = total / C_in[row, k]


@inlined_kernel
def multipliers(
    rank: int, C_in: Floats, order_in: Floats, mu_io: Floats, lambda_out: Floats
) -> None:
    """Multipliers of the rows from those of the basis, Y^T lambda = Q^T mu; 0 for rows left out."""
    for i in range(lambda_out.shape[0]):
        lambda_out[i] = 0.0
    for k in range(rank - 1, -1, -1):
        row = int(order_in[k])
        value = mu_io[k] / C_in[row, k]
        lambda_out[row] = value
        for j in range(k):
            mu_io[j] -= C_in[row, j] * value


def warm_up() -> None:
    """Nothing is called from outside of kernels; they compile with those."""
