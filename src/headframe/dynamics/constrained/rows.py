"""Kernels of the constrained tree's rows: of its loops, and of what drives prescribe."""

from __future__ import annotations

from ...actuation.kernels import rests
from ...jit import Records, header, indices, inlined_kernel, kernel, matrix, numbers, part, records
from ...mechanism import Floats
from ...mechanism.kernels import FREEDOM
from ..driven_rows import GUIDED, rows_of
from ..forces import tree_parts
from ..linear import add_scaled, inner, zero
from ..loop_rows import jacobian
from ..records import LOOP_ROW, MODEL, PATH
from ..status import NO_INERTIA, OK, failed
from .basis import (
    OUT,
    coefficients,
    factor_inertia,
    forces_to_z,
    multipliers,
    orthonormalise,
    own_part,
    row_to_z,
    z_to_velocities,
)

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
    own = own_part(model)
    freedoms, bodies = tree_parts(model, work)
    jacobian(records(model, own.loops, LOOP_ROW), freedoms, bodies, matrix(work, own.work.J))


@kernel
def set_basis_with(
    model: Floats, extra_in: Floats, drives_in: Records, mask_in: Floats, tolerance: float,
    work: Floats,
) -> tuple[int, int]:  # fmt: skip
    """`set_basis` with rows that have a mask, (n_rows) or empty, and an inertia of its own.

    `extra_in` (nd) is added to its diagonal.
    """
    own = own_part(model)
    freedoms, bodies = tree_parts(model, work)
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
    for r in range(drives_in.shape[0]):
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
    rank = orthonormalise(model, CLASSES, tolerance, work)
    indices(work, own.work.rank)[0] = rank
    return OK, rank


@inlined_kernel
def set_basis(model: Floats, drives_in: Records, tolerance: float, work: Floats) -> tuple[int, int]:
    """L, J, Y, Q and C of a placed tree: of loops and of guided rows. Returns (status, rank)."""
    extra = numbers(model, own_part(model).extra)
    return set_basis_with(model, extra, drives_in, part(work, 0, 0), tolerance, work)


@inlined_kernel
def settle(rank: int, Q_in: Floats, s_in: Floats, z_io: Floats, mu_out: Floats) -> None:
    """Bring Q z to s by the least change of z, which is Q^T mu."""
    for k in range(rank):
        mu_out[k] = 0.0
    for _ in range(2):  # the second time for what is left by rounding
        for k in range(rank):
            short = s_in[k] - inner(Q_in[k], z_io)
            add_scaled(short, Q_in[k], z_io)
            mu_out[k] += short


@kernel
def settle_rows(model: Floats, rank: int, work: Floats) -> None:
    """Bring the rows to the rates that are `wanted`: `z` holds forces, and in the end L vdot.

    The rows' multipliers stand in `force` then. In the same way momenta become velocities.
    """
    at = own_part(model).work
    freedoms = records(model, header(model, MODEL).freedoms, FREEDOM)
    C, order = matrix(work, at.C), indices(work, at.order)
    s, z, mu = numbers(work, at.s), numbers(work, at.z), numbers(work, at.mu)
    forces_to_z(freedoms, matrix(work, at.L), z)
    coefficients(rank, C, order, numbers(work, at.wanted), s)
    settle(rank, matrix(work, at.Q), s, z, mu)
    multipliers(rank, C, order, mu, numbers(work, at.force))


@kernel
def take_rates(model: Floats, work: Floats, x_out: Floats) -> None:
    """Velocities L^-1 z, or their changes or rates; drives' rows get exactly what is wanted."""
    at, rows = own_part(model).work, rows_of(model)
    freedoms = records(model, header(model, MODEL).freedoms, FREEDOM)
    z, wanted = numbers(work, at.z), numbers(work, at.wanted)
    kept, m = indices(work, at.kept), wanted.shape[0] - rows.shape[0]
    z_to_velocities(freedoms, matrix(work, at.L), z)
    for d in range(freedoms.shape[0]):
        x_out[freedoms[d].velocity] = z[d]
    for r in range(rows.shape[0]):
        if kept[m + r] != 0:  # so that what is locked stays
            x_out[rows[r].velocity] = wanted[m + r]


@kernel
def change(model: Floats, rank: int, work: Floats) -> None:
    """Least change of the velocities that changes the rates of the rows by what is wanted."""
    at = own_part(model).work
    Q, s, z = matrix(work, at.Q), numbers(work, at.s), numbers(work, at.z)
    coefficients(rank, matrix(work, at.C), indices(work, at.order), numbers(work, at.wanted), s)
    zero(z)
    for k in range(rank):
        add_scaled(s[k], Q[k], z)
    take_rates(model, work, numbers(work, at.change))
