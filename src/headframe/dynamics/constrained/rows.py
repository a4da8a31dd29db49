"""Kernels of the constrained tree's rows: of its loops, and of what drives prescribe."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...actuation.kernels import DrivenBy, rests
from ...jit import Records, header, indices, inlined_kernel, kernel, matrix, numbers, records
from ...mechanism.kernels import FREEDOM
from ..loop_rows import jacobian
from ..records import BODY, CONSTRAINED_ROW, LOOP_ROW, MODEL, PATH
from ..status import DynamicsStatus, failed
from .basis import (
    OUT,
    coefficients,
    factor_inertia,
    orthonormalise,
    own_part,
    row_to_z,
    z_to_velocities,
)

Floats = NDArray[np.float64]

GUIDED = DrivenBy.GUIDED.value
OK, NO_INERTIA = DynamicsStatus.OK.value, DynamicsStatus.NO_INERTIA.value
NO_BASIS = -1  # a rank, where no basis has been made, or none that serves
# The part of a row that is not in the span of those taken before it, in the metric of kinetic
# energy and measured by the longest row of its kind in its loop, below which it counts as
# dependent: about the sine of the angle between. Rounding makes 1e-14. At a distance d [rad] from a
# singular pose a part of about d is left, while rounding of positions turns the velocities by
# 1e-16 / d^2 and makes accelerations wrong by 1e-16 / d^3: below 1e-6 the row does more harm than
# its absence in one stage of a step. Measured on passes of flat parallelograms, where tolerances
# from 1e-6 to 1e-4 all keep the energy to 2e-5 J.
RANK_TOLERANCE = 1e-6
LOOP, STOP, GUIDE = 0.0, 1.0, 2.0  # classes of rows: where rows depend on others, the first hold
CLASSES = 3


@kernel
def set_rows(model: Floats, work: Floats) -> None:
    """J of the loops, of a placed tree."""
    head, own = header(model, MODEL), own_part(model)
    freedoms, bodies = records(model, head.freedoms, FREEDOM), records(work, head.bodies, BODY)
    jacobian(records(model, own.loops, LOOP_ROW), freedoms, bodies, matrix(work, own.work.J))


@kernel
def set_basis_with(
    model: Floats, extra_in: Floats, drives_in: Records, mask_in: Floats, tolerance: float,
    work: Floats,
) -> tuple[int, int]:  # fmt: skip
    """`set_basis` in the metric of an inertia to whose diagonal `extra_in` is added."""
    head, own = header(model, MODEL), own_part(model)
    freedoms, bodies = records(model, head.freedoms, FREEDOM), records(work, head.bodies, BODY)
    paths, steps = records(model, own.paths, PATH), indices(model, own.steps)
    L, J, Y = matrix(work, own.work.L), matrix(work, own.work.J), matrix(work, own.work.Y)
    classes, kept = numbers(work, own.work.classes), indices(work, own.work.kept)
    m = J.shape[0]
    empty = factor_inertia(freedoms, extra_in, bodies, L)
    if empty:
        return failed(NO_INERTIA, empty - 1), 0
    set_rows(model, work)
    for i in range(m):
        path = paths[i]
        for s in range(path.first, path.first + path.count):
            Y[i, steps[s]] = J[i, freedoms[steps[s]].velocity]
        row_to_z(freedoms, L, path, steps, Y[i])
        classes[i] = LOOP
    for r in range(head.n_rows):
        i = m + r
        if rests(r, drives_in) or (mask_in.shape[0] > 0 and mask_in[r] != 0.0):
            classes[i] = STOP
        elif drives_in[r].now == GUIDED:
            classes[i] = GUIDE
        else:
            classes[i] = OUT
            kept[i] = 0
            continue
        path = paths[i]
        for s in range(path.first, path.first + path.count):
            Y[i, steps[s]] = 0.0
        Y[i, steps[path.first]] = 1.0
        row_to_z(freedoms, L, path, steps, Y[i])
    return OK, orthonormalise(model, CLASSES, tolerance, work)


@inlined_kernel
def set_basis(
    model: Floats, drives_in: Records, mask_in: Floats, tolerance: float, work: Floats
) -> tuple[int, int]:
    """L, J, Y, Q and C of a placed tree: loops, guided rows, and rows that have a mask.

    `mask_in` is (n_rows) or empty. Returns (status, rank).
    """
    extra = numbers(model, own_part(model).extra)
    return set_basis_with(model, extra, drives_in, mask_in, tolerance, work)


@inlined_kernel
def settle(rank: int, Q_in: Floats, s_in: Floats, z_io: Floats, mu_out: Floats) -> None:
    """Bring Q z to s by the least change of z, which is Q^T mu."""
    for k in range(rank):
        mu_out[k] = 0.0
    for _ in range(2):  # the second time for what is left by rounding
        for k in range(rank):
            short = s_in[k]
            for d in range(z_io.shape[0]):
                short -= Q_in[k, d] * z_io[d]
            for d in range(z_io.shape[0]):
                z_io[d] += short * Q_in[k, d]
            mu_out[k] += short


@kernel
def change(model: Floats, rank: int, work: Floats) -> None:
    """Least change of the velocities that changes the rates of the rows by what is wanted."""
    head, own = header(model, MODEL), own_part(model)
    freedoms = records(model, head.freedoms, FREEDOM)
    rows = records(model, own.rows, CONSTRAINED_ROW)
    L, Q, C = matrix(work, own.work.L), matrix(work, own.work.Q), matrix(work, own.work.C)
    wanted, s, z = (
        numbers(work, own.work.wanted),
        numbers(work, own.work.s),
        numbers(work, own.work.z),
    )
    dv, kept = numbers(work, own.work.change), indices(work, own.work.kept)
    nd, m = freedoms.shape[0], wanted.shape[0] - rows.shape[0]
    coefficients(rank, C, indices(work, own.work.order), wanted, s)
    for d in range(nd):
        z[d] = 0.0
    for k in range(rank):
        for d in range(nd):
            z[d] += s[k] * Q[k, d]
    z_to_velocities(freedoms, L, z)
    for d in range(nd):
        dv[freedoms[d].velocity] = z[d]
    for r in range(rows.shape[0]):
        if kept[m + r] != 0:  # exactly
            dv[rows[r].velocity] = wanted[m + r]
