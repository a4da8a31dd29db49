"""Kernels of the constrained tree at contacts; see `motion.touch_calls` for what they are.

Here M = L^T L over the tree's freedoms, and the basis of loops and guided rows is the one that
`multipliers.evaluate` has made.
"""

from __future__ import annotations

from ...jit import Records, entry, header, indices, kernel, matrix, numbers, records
from ...mechanism import Floats
from ...mechanism.kernels import FREEDOM
from ...spatial.kernels import six, three, velocity_at
from ..driven_rows import GUIDED
from ..forces import tree_parts
from ..linear import copy, take_out, zero
from ..motion.touch_calls import CHANGE, HOLD, LOSE, PLACE, REACT, RESPOND
from ..records import MODEL
from ..status import OK
from ..tree.placing import place_tree
from .basis import multipliers as multipliers_of
from .basis import own_part, pass_down, z_to_velocities


@entry(*PLACE.args)
@kernel
def place(model: Floats, q_in: Floats, v_in: Floats, work: Floats) -> int:
    """All bodies, and their velocities."""
    freedoms, bodies = tree_parts(model, work)
    place_tree(freedoms, q_in, v_in, bodies)
    return OK


@entry(*HOLD.args)
@kernel
def hold(model: Floats, drives_in: Records, work: Floats) -> int:
    """The basis is there already."""
    return OK


@entry(*RESPOND.args)
@kernel
def respond(
    model: Floats, h: float, v_in: Floats, freedom: int, point: Floats, axes: Floats, work: Floats,
    rows_out: Floats, held_out: Floats, free_out: Floats,
) -> int:  # fmt: skip
    """Rows of a point of a body, over the freedoms."""
    own = own_part(model)
    freedoms, bodies = tree_parts(model, work)
    L, Q, p = matrix(work, own.work.L), matrix(work, own.work.Q), three(point)
    vdot = numbers(work, header(model, MODEL).stepping.vdot)
    for k in range(3):
        zero(rows_out[k])
        zero(held_out[k])
        free_out[k] = 0.0
    e = freedom
    while e >= 0:
        iv = freedoms[e].velocity
        moves = velocity_at(six(bodies[e].axis), p)
        for k in range(3):
            along = axes[k, 0] * moves[0] + axes[k, 1] * moves[1] + axes[k, 2] * moves[2]
            rows_out[k, e] = along
            free_out[k] += along * (v_in[iv] + h * vdot[iv])
        e = freedoms[e].parent
    for k in range(3):
        row, e = rows_out[k], freedom
        while e >= 0:
            pass_down(freedoms, L, e, row)
            e = freedoms[e].parent
        take_out(indices(work, own.work.rank)[0], Q, row, held_out[k])
    return OK


@entry(*CHANGE.args)
@kernel
def change(model: Floats, z_in: Floats, work: Floats, change_out: Floats) -> int:
    """Change of the tree's velocities."""
    at = own_part(model).work
    freedoms, z = records(model, header(model, MODEL).freedoms, FREEDOM), numbers(work, at.z)
    copy(z_in, z)
    z_to_velocities(freedoms, matrix(work, at.L), z)
    for d in range(freedoms.shape[0]):
        change_out[freedoms[d].velocity] = z[d]
    return OK


@entry(*REACT.args)
@kernel
def react(model: Floats, h: float, mu_io: Floats, work: Floats, drives_io: Records) -> int:
    """Add what guided rows bear; loops bear their part in silence."""
    at = own_part(model).work
    C, order, force = matrix(work, at.C), indices(work, at.order), numbers(work, at.force)
    multipliers_of(indices(work, at.rank)[0], C, order, mu_io, force)
    m = force.shape[0] - drives_io.shape[0]
    for r in range(drives_io.shape[0]):
        if drives_io[r].now == GUIDED:
            drives_io[r].reaction -= force[m + r] / h
    return OK


@entry(*LOSE.args)
@kernel
def lose(model: Floats, h: float, v_in: Floats, z_in: Floats, work: Floats) -> float:
    """Kinetic energy of the change of the tree's velocities, |L (h vdot) + z|^2 / 2."""
    at, head = own_part(model).work, header(model, MODEL)
    freedoms, L = records(model, head.freedoms, FREEDOM), matrix(work, at.L)
    vdot, total = numbers(work, head.stepping.vdot), 0.0
    for d in range(freedoms.shape[0]):
        value, e = h * vdot[freedoms[d].velocity] / L[d, d], freedoms[d].parent
        while e >= 0:
            value += h * L[d, e] * vdot[freedoms[e].velocity]
            e = freedoms[e].parent
        total += 0.5 * (value + z_in[d]) ** 2
    return total
