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

Rows are (m,), freedoms (nd,): `Y` (m, nd) by freedoms, `Q` (nd, nd), `C` (m, nd). For `order` and
`kept` see `CONSTRAINED_WORK`.
"""

from __future__ import annotations

import math

from ...jit import (
    Record,
    Records,
    header,
    indices,
    inlined_kernel,
    kernel,
    matrix,
    numbers,
    record,
    records,
)
from ...mechanism import Floats, Ints
from ...spatial.kernels import body_at, momentum_of, product, put_six, six
from ..linear import add_scaled, inner, zero
from ..records import CONSTRAINED, MODEL, PATH
from ..tree.composite_inertia import composite

NOTHING = 1e-13  # of its own inertia: what is left of a freedom that moves nothing
OUT = -1.0  # class of a row that takes no part


@inlined_kernel
def own_part(model: Floats) -> Record:
    """What a model of the constrained tree has of its own."""
    return record(model, header(model, MODEL).own, CONSTRAINED)


@kernel
def factor_inertia(freedoms: Records, extra_in: Floats, bodies: Records, L_out: Floats) -> int:
    """L with M = L^T L of a placed tree, 1 / L_dd on its diagonal; only paths are written.

    `extra_in` (nd) is added to the diagonal of M. Returns 1 + the first freedom that moves nothing
    that has inertia, 0 if there is none.
    """
    nd = freedoms.shape[0]
    composite(freedoms, bodies)
    for d in range(nd):
        body = bodies[d]
        force = momentum_of(body_at(body.composite), six(body.axis))
        put_six(body.force, force)
        e = d
        while e >= 0:
            L_out[d, e] = product(six(bodies[e].axis), force)
            e = freedoms[e].parent
        L_out[d, d] += extra_in[d]
        body.gain = L_out[d, d]
    for d in range(nd - 1, -1, -1):
        if not L_out[d, d] > NOTHING * bodies[d].gain:
            return 1 + d
        scale = 1.0 / math.sqrt(L_out[d, d])
        L_out[d, d] = scale
        e = freedoms[d].parent
        while e >= 0:
            L_out[d, e] *= scale
            e = freedoms[e].parent
        e = freedoms[d].parent
        while e >= 0:
            value = L_out[d, e]
            k = e
            while k >= 0:
                L_out[e, k] -= value * L_out[d, k]
                k = freedoms[k].parent
            e = freedoms[e].parent
    return 0


@inlined_kernel
def forces_to_z(freedoms: Records, L_in: Floats, x_io: Floats) -> None:
    """Solve L^T z = f in place, over freedoms."""
    for d in range(freedoms.shape[0] - 1, -1, -1):
        pass_down(freedoms, L_in, d, x_io)


@inlined_kernel
def pass_down(freedoms: Records, L_in: Floats, d: int, x_io: Floats) -> None:
    """Solve a line of L^T z = f, those of all that follow being solved."""
    value = x_io[d] * L_in[d, d]
    x_io[d] = value
    e = freedoms[d].parent
    while e >= 0:
        x_io[e] -= L_in[d, e] * value
        e = freedoms[e].parent


@inlined_kernel
def z_to_velocities(freedoms: Records, L_in: Floats, x_io: Floats) -> None:
    """Solve L x = z in place, over freedoms."""
    for d in range(freedoms.shape[0]):
        total = x_io[d]
        e = freedoms[d].parent
        while e >= 0:
            total -= L_in[d, e] * x_io[e]
            e = freedoms[e].parent
        x_io[d] = total * L_in[d, d]


@inlined_kernel
def row_to_z(freedoms: Records, L_in: Floats, path: Record, steps: Ints, y_io: Floats) -> None:
    """Solve L^T y = j in place for a row that is given, and written, on its path only."""
    for s in range(path.first, path.first + path.count):
        pass_down(freedoms, L_in, steps[s], y_io)


@inlined_kernel
def along(path: Record, steps: Ints, y_in: Floats, x_in: Floats) -> float:
    """Product of a row with a vector over freedoms."""
    total = 0.0
    for s in range(path.first, path.first + path.count):
        d = steps[s]
        total += y_in[d] * x_in[d]
    return total


@kernel
def orthonormalise(model: Floats, n_classes: int, tolerance: float, work: Floats) -> int:
    """Basis Q of the rows that take part, and their coefficients C; returns its size, the rank.

    Of the first class no more than `CONSTRAINED.rank` rows are taken, which is how many are
    independent as long as all hold. Between the poses that an integrator stops at they hold only
    nearly, and then a redundant row looks independent, by as little as the others are violated.
    What of the rows is not yet in the span is measured by the longest row of the group, squared.
    """
    own = own_part(model)
    paths, steps = records(model, own.paths, PATH), indices(model, own.steps)
    Y, Q, C = matrix(work, own.work.Y), matrix(work, own.work.Q), matrix(work, own.work.C)
    classes, lengths = numbers(work, own.work.classes), numbers(work, own.work.group_length)
    rest, order = numbers(work, own.work.rest), indices(work, own.work.order)
    kept = indices(work, own.work.kept)
    m, nd = Y.shape[0], Q.shape[1]
    for i in range(m):
        lengths[i] = 0.0
        kept[i] = 0
    for i in range(m):
        if classes[i] != OUT:
            rest[i] = along(paths[i], steps, Y[i], Y[i])
            group = paths[i].group
            lengths[group] = max(lengths[group], math.sqrt(rest[i]))
    for i in range(m):
        if classes[i] != OUT:
            lengths[i] = lengths[paths[i].group]
            rest[i] = rest[i] / (lengths[i] * lengths[i]) if lengths[i] > 0.0 else 0.0
    rank = 0
    for now in range(n_classes):
        last = own.rank if now == 0 else nd
        while rank < min(last, nd):
            p = pick_row(classes, float(now), rest)
            if p < 0:
                break
            classes[p] = OUT
            q = Q[rank]
            length = new_part(paths[p], steps, Y[p], rest[p], rank, Q, C[p], q)
            if not length > tolerance * lengths[p]:
                continue
            for d in range(nd):
                q[d] /= length
            C[p, rank] = length
            order[rank] = p
            rank += 1
            kept[p] = rank
            for i in range(m):
                if classes[i] != OUT:
                    value = along(paths[i], steps, Y[i], q)
                    C[i, rank - 1] = value
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
    path: Record, steps: Ints, y_in: Floats, rest: float, rank: int, Q_in: Floats, c_io: Floats,
    q_out: Floats,
) -> float:  # fmt: skip
    """What of a row is not in the span of the basis, and its length.

    Where little is left, rounding is taken out by a second pass (twice is enough: Giraud et al.
    2005).
    """
    zero(q_out)
    for s in range(path.first, path.first + path.count):
        q_out[steps[s]] = y_in[steps[s]]
    for k in range(rank):
        add_scaled(-c_io[k], Q_in[k], q_out)
    if rest < 0.25:
        for k in range(rank):
            value = inner(q_out, Q_in[k])
            c_io[k] += value
            add_scaled(-value, Q_in[k], q_out)
    return math.sqrt(inner(q_out, q_out))


@inlined_kernel
def coefficients(rank: int, C_in: Floats, order_in: Ints, wanted_in: Floats, s_out: Floats) -> None:
    """S with Y z = wanted where Q z = s, over the rows that were taken."""
    for k in range(rank):
        row = order_in[k]
        total = wanted_in[row]
        for j in range(k):
            total -= C_in[row, j] * s_out[j]
        s_out[k] = total / C_in[row, k]


@inlined_kernel
def multipliers(rank: int, C_in: Floats, order_in: Ints, mu_io: Floats, lambda_out: Floats) -> None:
    """Multipliers of the rows from those of the basis, Y^T lambda = Q^T mu; 0 for rows left out."""
    zero(lambda_out)
    for k in range(rank - 1, -1, -1):
        row = order_in[k]
        value = mu_io[k] / C_in[row, k]
        lambda_out[row] = value
        for j in range(k):
            mu_io[j] -= C_in[row, j] * value
