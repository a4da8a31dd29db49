"""Kernels of embedded loops at contacts; see `motion.touch_calls` for what they are.

The tree being placed, M_r factored and guided rows held by `reduced.evaluate`.
"""

from __future__ import annotations

from ...jit import Records, entry, indices, kernel, matrix, numbers, records
from ...mechanism import Floats
from ...spatial.kernels import six, three, velocity_at
from ..forces import tree_parts
from ..linear import add_scaled, copy, inner, take_out, zero
from ..motion.touch_calls import CHANGE, HOLD, LOSE, PLACE, REACT, RESPOND
from ..records import FUNCTION
from ..status import OK
from . import reduced
from .functions import add_row, own_part, place_all
from .holding import forces_to_z, z_to_rates


@entry(*PLACE.args)
@kernel
def place(model: Floats, q_in: Floats, v_in: Floats, work: Floats) -> int:
    """All bodies, and their velocities."""
    return place_all(model, q_in, v_in, work)


@entry(*HOLD.args)
@kernel
def hold(model: Floats, drives_in: Records, work: Floats) -> int:
    """Nothing: `reduced.evaluate` has made the basis of what is held."""
    return OK


@entry(*RESPOND.args)
@kernel
def respond(
    model: Floats, h: float, v_in: Floats, freedom: int, point: Floats, axes: Floats, work: Floats,
    rows_out: Floats, held_out: Floats, free_out: Floats,
) -> int:  # fmt: skip
    """Rows of a point of a body."""
    own = own_part(model)
    freedoms, bodies = tree_parts(model, work)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    G, L, Q = numbers(work, own.work.G), matrix(work, own.work.L), matrix(work, own.work.held)
    rank, p = indices(work, own.work.held_rows)[0], three(point)
    rate, vdot = numbers(work, own.work.rate), numbers(work, own.work.answer)
    for k in range(3):
        zero(rows_out[k])
        zero(held_out[k])
    e = freedom
    while e >= 0:
        moves = velocity_at(six(bodies[e].axis), p)
        for k in range(3):
            along = axes[k, 0] * moves[0] + axes[k, 1] * moves[1] + axes[k, 2] * moves[2]
            add_row(functions[e], columns, G, along, rows_out[k])
        e = freedoms[e].parent
    for k in range(3):
        row = rows_out[k]
        free_out[k] = inner(row, rate) + h * inner(row, vdot)
        forces_to_z(L, row)
        take_out(rank, Q, row, held_out[k])
    return OK


@entry(*CHANGE.args)
@kernel
def change(model: Floats, z_in: Floats, work: Floats, change_out: Floats) -> int:
    """Change of the coordinates' velocities."""
    own = own_part(model)
    rates = numbers(work, own.work.more)
    for i in range(z_in.shape[0]):
        rates[i] = z_in[i]
    z_to_rates(matrix(work, own.work.L), rates)
    reduced.to_coordinates(model, rates, work, change_out)
    return OK


@entry(*REACT.args)
@kernel
def react(model: Floats, h: float, mu_io: Floats, work: Floats, drives_io: Records) -> int:
    """Add what guided rows bear: C^T lambda = -mu."""
    own = own_part(model)
    C, held = matrix(work, own.work.held_by), indices(work, own.work.held_rows)
    for k in range(held[0] - 1, -1, -1):
        value = mu_io[k] / C[k, k]
        drives_io[held[1 + k]].reaction -= value / h
        for j in range(k):
            mu_io[j] -= C[k, j] * value
    return OK


@entry(*LOSE.args)
@kernel
def lose(model: Floats, h: float, v_in: Floats, z_in: Floats, work: Floats) -> float:
    """Kinetic energy of the change of theta', h theta'' and what contacts add to it."""
    own = own_part(model)
    M, change = matrix(work, own.work.M), numbers(work, own.work.more)
    vdot, total = numbers(work, own.work.answer), 0.0
    copy(z_in, change)
    z_to_rates(matrix(work, own.work.L), change)
    add_scaled(h, vdot, change)
    for i in range(change.shape[0]):
        total += 0.5 * change[i] * inner(M[i], change)
    return total
