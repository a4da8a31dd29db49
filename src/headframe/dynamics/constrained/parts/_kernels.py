"""Kernels of the constrained tree's parts: its arrays, scratch memory, and the basis of its rows.

Entries of the header from OWN + 2 on are listed below. `rows` are [place in q, place in v,
freedom] of what drives act on; `loops_i`, `loops_f` as in `loops`; `paths` as in `basis`, for the
loops' rows and then the drives'; `extra` (nd): what the inertia matrix has on its diagonal beyond
the bodies': rotors, and inertia lent to freedoms that move none. `work` begins with the tree's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....actuation._kernels import GUIDED, NOW, rests
from ....jit import inlined_kernel, kernel, part, table
from ...loops._kernels import LOOPS_F, LOOPS_I, jacobian
from ...model._kernels import N_ROWS, ND, NO_INERTIA, NQ, OWN, STATUSES, tree_of
from ...tree._kernels import IV, ROW
from ..basis._kernels import (
    HEAD,
    OUT,
    coefficients,
    factor_inertia,
    orthonormalise,
    row_to_z,
    z_to_velocities,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# header: what `pack_constrained` puts behind the two starts of the own parts
N_LOOPS, RANK, ROWS_AT, LOOPS_AT, PATHS_AT, LOOPS_F_AT, EXTRA_AT = range(OWN + 2, OWN + 9)
ROW_I = 3

# The part of a row that is not in the span of those taken before it, in the metric of kinetic
# energy and measured by the longest row of its kind in its loop, below which it counts as
# dependent: about the sine of the angle between. Rounding makes 1e-14. At a distance d [rad] from a
# singular pose a part of about d is left, while rounding of positions turns the velocities by
# 1e-16 / d^2 and makes accelerations wrong by 1e-16 / d^3: below 1e-6 the row does more harm than
# its absence in one stage of a step. Measured on passes of flat parallelograms, where tolerances
# from 1e-6 to 1e-4 all keep the energy to 2e-5 J.
RANK_TOLERANCE = 1e-6
LOOP, STOP, GUIDE = 0.0, 1.0, 2.0  # classes of rows: where rows depend on others, the first hold
# vectors over the rows: classes, places in the basis, what is wanted, multipliers, two for `basis`
CLASS, KEPT, WANTED, FORCE, REST = 0, 1, 2, 3, 4
# vectors over the freedoms: the basis' rows in order, s, z, tau, zeros, change of v, wrenches (6)
ORDER, S, Z, TAU, ZEROS, CHANGE, WRENCHES = 0, 1, 2, 3, 4, 5, 6


@kernel
def work_size(model_i: Ints) -> int:
    """Doubles of scratch memory."""
    nd, m = model_i[ND], model_i[N_LOOPS]
    rows = m + model_i[N_ROWS]
    size: int = ROW * nd + 2 * nd * nd + m * nd + 2 * rows * nd + 6 * rows + 12 * nd + model_i[NQ]
    return size


@inlined_kernel
def tables(model_i: Ints, model_f: Floats) -> tuple[Ints, Floats, Ints, Floats]:
    """`loops_i`, `loops_f`, `paths_i` and `extra` of a model."""
    m = model_i[N_LOOPS]
    at, at_f = model_i[LOOPS_AT], model_i[LOOPS_F_AT]
    return (
        table(model_i, at, m, LOOPS_I),
        table(model_f, at_f, m, LOOPS_F),
        model_i[model_i[PATHS_AT] :],
        part(model_f, model_i[EXTRA_AT], model_i[ND]),
    )


@inlined_kernel
def matrices(model_i: Ints, work: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """L, J, Y, Q and C in scratch memory."""
    nd, m = model_i[ND], model_i[N_LOOPS]
    rows = m + model_i[N_ROWS]
    a = ROW * nd
    b = a + nd * nd
    c = b + m * nd
    d = c + rows * nd
    e = d + nd * nd
    return (
        table(work, a, nd, nd),
        table(work, b, m, nd),
        table(work, c, rows, nd),
        table(work, d, nd, nd),
        table(work, e, rows, nd),
    )


@inlined_kernel
def vectors(model_i: Ints, work: Floats) -> tuple[Floats, Floats]:
    """Scratch vectors over the rows, (6, rows), and over the freedoms, (12, nd); see below."""
    nd, m = model_i[ND], model_i[N_LOOPS]
    n = m + model_i[N_ROWS]
    a = ROW * nd + 2 * nd * nd + m * nd + 2 * n * nd
    b = a + 6 * n
    return table(work, a, 6, n), table(work, b, 12, nd)


@kernel
def set_rows(model_i: Ints, model_f: Floats, work: Floats) -> None:
    """J of the loops, of a placed tree."""
    tree_i, _ = tree_of(model_i, model_f)
    loops_i, loops_f, _, _ = tables(model_i, model_f)
    _, J, _, _, _ = matrices(model_i, work)
    jacobian(loops_i, loops_f, tree_i, work, J)


@kernel
def set_basis_with(
    model_i: Ints,
    model_f: Floats,
    extra_in: Floats,
    drive_in: Floats,
    mask_in: Floats,
    tolerance: float,
    work: Floats,
) -> int:
    """`set_basis` in the metric of an inertia to whose diagonal `extra_in` is added."""
    tree_i, _ = tree_of(model_i, model_f)
    paths_i = tables(model_i, model_f)[2]
    L, J, Y, Q, C = matrices(model_i, work)
    by_row, by_freedom = vectors(model_i, work)
    classes, kept = by_row[CLASS], by_row[KEPT]
    m = model_i[N_LOOPS]
    empty = factor_inertia(tree_i, extra_in, work, L)
    if empty:
        return -(NO_INERTIA + STATUSES * (empty - 1))
    set_rows(model_i, model_f, work)
    for i in range(m):
        at = paths_i[HEAD * i]
        for s in range(at, at + paths_i[HEAD * i + 1]):
            Y[i, paths_i[s]] = J[i, tree_i[paths_i[s], IV]]
        row_to_z(tree_i, L, paths_i, i, Y[i])
        classes[i] = LOOP
    for r in range(model_i[N_ROWS]):
        i = m + r
        if rests(r, drive_in) or (mask_in.shape[0] > 0 and mask_in[r] != 0.0):
            classes[i] = STOP
        elif drive_in[r, NOW] == GUIDED:
            classes[i] = GUIDE
        else:
            classes[i] = OUT
            kept[i] = 0.0
            continue
        at = paths_i[HEAD * i]
        for s in range(at, at + paths_i[HEAD * i + 1]):
            Y[i, paths_i[s]] = 0.0
        Y[i, paths_i[at]] = 1.0
        row_to_z(tree_i, L, paths_i, i, Y[i])
    return orthonormalise(
        paths_i, Y, classes, 3, model_i[RANK], tolerance, by_row[REST:], Q, C,
        by_freedom[ORDER], kept,
    )  # fmt: skip


@inlined_kernel
def set_basis(
    model_i: Ints,
    model_f: Floats,
    drive_in: Floats,
    mask_in: Floats,
    tolerance: float,
    work: Floats,
) -> int:
    """L, J, Y, Q and C of a placed tree: loops, guided rows, and rows that have a mask.

    `mask_in` is (n_rows) or empty. Returns the rank, or a negative status.
    """
    extra = tables(model_i, model_f)[3]
    return set_basis_with(model_i, model_f, extra, drive_in, mask_in, tolerance, work)


@kernel
def change(model_i: Ints, model_f: Floats, rank: int, work: Floats) -> None:
    """Least change of the velocities that changes the rates of the rows by what is wanted."""
    tree_i, _ = tree_of(model_i, model_f)
    L, _, _, Q, C = matrices(model_i, work)
    by_row, by_freedom = vectors(model_i, work)
    wanted, s, z, dv = by_row[WANTED], by_freedom[S], by_freedom[Z], by_freedom[CHANGE]
    nd, m = model_i[ND], model_i[N_LOOPS]
    coefficients(rank, C, by_freedom[ORDER], wanted, s)
    for d in range(nd):
        z[d] = 0.0
    for k in range(rank):
        for d in range(nd):
            z[d] += s[k] * Q[k, d]
    z_to_velocities(tree_i, L, z)
    for d in range(nd):
        dv[tree_i[d, IV]] = z[d]
    for r in range(model_i[N_ROWS]):
        if by_row[KEPT, m + r] != 0.0:  # exactly
            dv[model_i[model_i[ROWS_AT] + ROW_I * r + 1]] = wanted[m + r]


def warm_up() -> None:
    """Compile what `packing` calls; the others compile with the kernels that call them."""
    work_size(np.zeros(64, dtype=np.int64))
