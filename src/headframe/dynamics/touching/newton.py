"""Kernels of Newton's method for the contacts of an island: movers that contacts tie together.

Geometry and inertia are those where a step of h seconds begins. In the metric of kinetic energy the
velocities of all movers of the island where it ends are those without contacts, changed by z, and

    z = h sum of R^T f(u),        u = u_free + R z,

R (3, n) being the rows of a contact, u the velocity of its bodies against each other there and f
the force that `contact.push` gives for it. What is left of these equations is

    r(z) = z - h sum of R^T f(u),        dr/dz = A = 1 - h sum of R^T (df/du) R.

A is not symmetric where a contact slides, since friction follows the normal force. It is factored
in blocks (`blocks`), without pivoting: it is 1 and what stiff contacts add to it.
"""

from __future__ import annotations

import math

from ...contact.kernels import PAIR, push
from ...jit import (
    Record,
    Records,
    header,
    indices,
    inlined_kernel,
    kernel,
    numbers,
    part,
    records,
    table,
)
from ...mechanism import Floats
from ..linear import add_scaled, copy, inner, zero
from ..status import NOT_CONVERGED, OK, failed
from .blocks import (
    clear_panels,
    factor_blocks,
    lower_panel,
    own_block,
    solve_blocks,
    upper_panel,
)
from .joining import add_joined_rows, add_yielding, begin_joined, left_of_joined
from .laying import nodes_of, order_of
from .records import COLUMN, JOINED, MEETING, MOVER, WORLD
from .sides import add_impulse, add_three, add_velocity, rows_of_side

NEWTON, HALVINGS = 80, 40  # most iterations, and halvings of one
WINDOW = 5  # iterations of which the worst is to be bettered, where the last one alone does not do
SMALL = 1e-11  # of the impulses' sizes: what may be left of the equations
FELT = 1e-3  # of what a force changes by all of its velocity: smaller ones are rounding by SMALL
GOOD = 1e-9  # and what is taken where no step lessens it any more


@kernel
def solve_island(world: Floats, work: Floats, island: Record) -> tuple[int, int]:
    """Z of an island's movers: (status, iterations).

    Newton's method begins with the forces of the last step, which at rest are the answer. Where
    that leads nowhere it begins without any; then with steps that may also climb for a while.
    """
    z = part(numbers(work, header(world, WORLD).work.z), 0, island.width)
    begin_with_last_forces(world, work, island, z)
    status, iterations, window = OK, 0, 1
    for attempt in range(3):
        status, more = iterate(world, work, island, window, z)
        iterations += more
        if status == OK:
            break
        zero(z)
        window = WINDOW if attempt == 1 else 1
    return status, iterations


@kernel
def iterate(
    world: Floats, work: Floats, island: Record, window: int, z_io: Floats
) -> tuple[int, int]:
    """Newton's method from z on: (status, iterations).

    A step is halved until it leaves less than the worst of the last iterations did, `window` of
    them.
    """
    at, size = header(world, WORLD).work, z_io.shape[0]
    trial, change = part(numbers(work, at.trial), 0, size), part(numbers(work, at.change), 0, size)
    left, history = part(numbers(work, at.left), 0, size), numbers(work, at.history)
    error, worst = residual(world, work, island, z_io, left)
    for iteration in range(NEWTON):
        if error <= SMALL:
            return OK, iteration
        history[iteration % window] = inner(left, left)
        most = 0.0
        for k in range(min(window, iteration + 1)):
            most = max(most, history[k])
        copy(left, change)
        if not solve_slope(world, work, island, change):
            return failed(NOT_CONVERGED, worst), iteration
        before, share = error, 1.0
        for _ in range(HALVINGS):
            copy(z_io, trial)
            add_scaled(-share, change, trial)
            error, worst = residual(world, work, island, trial, left)
            if inner(left, left) < most:
                break
            share *= 0.5
        if not inner(left, left) < most:
            error = before
            residual(world, work, island, z_io, left)
            break
        copy(trial, z_io)
    return (OK if error <= GOOD else failed(NOT_CONVERGED, worst)), NEWTON


# -------------------------------------------------------------------------------------- equations


@kernel
def begin_with_last_forces(world: Floats, work: Floats, island: Record, z_out: Floats) -> None:
    """Z as if all contacts pushed as in the last step."""
    head = header(world, WORLD)
    movers, offset = records(world, head.movers, MOVER), indices(work, head.work.offset)
    rows, meetings = numbers(work, head.work.rows), records(work, head.work.meetings, MEETING)
    listing, joined = indices(work, head.work.listing), records(world, head.joined, JOINED)
    nodes = nodes_of(head, work, island)
    zero(z_out)
    for k in range(island.begin, island.end):
        one = meetings[listing[k]]
        if one.joined >= 0:
            at = nodes[one.node].at + joined[one.joined].row
            begin_joined(head.h, one, at, z_out)
        elif one.push.force[0] == 0.0:
            continue
        if one.a >= 0:
            R, z = rows_of_side(movers, offset, rows, one.a, one.rows_a, z_out)
            add_impulse(head.h, R, one.push.force, z)
        if one.b >= 0:
            R, z = rows_of_side(movers, offset, rows, one.b, one.rows_b, z_out)
            add_impulse(head.h, R, one.push.force, z)


@kernel
def residual(
    world: Floats, work: Floats, island: Record, z_in: Floats, left_out: Floats
) -> tuple[float, int]:
    """What is left of the equations; all contacts have their forces and slopes then.

    Returns what is left by the size of the impulses, and the contact that pushes hardest.
    """
    head = header(world, WORLD)
    movers, offset = records(world, head.movers, MOVER), indices(work, head.work.offset)
    rows, meetings = numbers(work, head.work.rows), records(work, head.work.meetings, MEETING)
    listing, pairs = indices(work, head.work.listing), records(world, head.pairs, PAIR)
    nodes, joined = nodes_of(head, work, island), records(world, head.joined, JOINED)
    copy(z_in, left_out)
    worst, strongest, scale = -1, -1.0, 0.0
    for n in range(island.begin, island.end):
        one = meetings[listing[n]]
        u, force = one.velocity, one.push.force
        for k in range(3):
            u[k] = one.free_a[k] + one.free_b[k]
        if one.a >= 0:
            R, z = rows_of_side(movers, offset, rows, one.a, one.rows_a, z_in)
            add_velocity(R, z, u)
        if one.b >= 0:
            R, z = rows_of_side(movers, offset, rows, one.b, one.rows_b, z_in)
            add_velocity(R, z, u)
        if one.joined >= 0:
            at = nodes[one.node].at + joined[one.joined].row
            scale = max(scale, left_of_joined(head.h, one, at, z_in, left_out))
        else:
            push(
                pairs[one.pair], one.stiffness, head.h, one.touch.depth, one.bristle, one.memory,
                u, one.push,
            )  # fmt: skip
            if force[0] == 0.0:
                continue
            if force[0] > strongest:
                worst, strongest = listing[n], force[0]
            felt = max(force[0], FELT * abs(one.push.slope[0, 0] * u[0]))
            scale = max(scale, head.h * felt * one.lightness)
        if one.a >= 0:
            R, z = rows_of_side(movers, offset, rows, one.a, one.rows_a, left_out)
            add_impulse(-head.h, R, force, z)
        if one.b >= 0:
            R, z = rows_of_side(movers, offset, rows, one.b, one.rows_b, left_out)
            add_impulse(-head.h, R, force, z)
    size = math.sqrt(inner(left_out, left_out))
    scale = max(scale, math.sqrt(inner(z_in, z_in)))
    return (size / scale if size > 0.0 else 0.0), max(worst, 0)


# ------------------------------------------------------------------------------------------ slope


@kernel
def solve_slope(world: Floats, work: Floats, island: Record, x_io: Floats) -> bool:
    """Solve A x = b in place, A being that where `residual` was looked at last."""
    head = header(world, WORLD)
    nodes, columns = nodes_of(head, work, island), records(work, head.work.columns, COLUMN)
    order, panels = order_of(head, work, island), numbers(work, head.work.panels)
    clear_panels(nodes, panels)
    add_contacts(world, work, island, nodes, panels)
    if not factor_blocks(nodes, order, columns, panels):
        return False
    solve_blocks(nodes, order, columns, panels, x_io)
    return True


@kernel
def add_contacts(
    world: Floats, work: Floats, island: Record, nodes: Records, panels_io: Floats
) -> None:
    """Add -h R^T (df/du) R of all contacts that push, and the rows of all joints."""
    head = header(world, WORLD)
    movers, node = records(world, head.movers, MOVER), indices(work, head.work.node)
    rows, meetings = numbers(work, head.work.rows), records(work, head.work.meetings, MEETING)
    listing, joined = indices(work, head.work.listing), records(world, head.joined, JOINED)
    for k in range(island.begin, island.end):
        one = meetings[listing[k]]
        S, a, b = one.push.slope, one.a, one.b
        if one.joined >= 0:
            row = joined[one.joined].row
            add_yielding(one, row, own_block(panels_io, nodes[one.node]))
            if a >= 0:
                R_a, of_a = table(rows, one.rows_a, 3, movers[a].width), nodes[node[a]]
                add_joined_rows(
                    one, one.column + row, R_a, upper_panel(panels_io, of_a),
                    lower_panel(panels_io, of_a),
                )  # fmt: skip
            if b >= 0:
                R_b, of_b = table(rows, one.rows_b, 3, movers[b].width), nodes[node[b]]
                add_joined_rows(
                    one, one.column_b + row, R_b, upper_panel(panels_io, of_b),
                    lower_panel(panels_io, of_b),
                )  # fmt: skip
            continue
        if one.push.force[0] == 0.0:
            continue
        if a >= 0:
            R_a = table(rows, one.rows_a, 3, movers[a].width)
            add_product(-head.h, R_a, S, R_a, 0, own_block(panels_io, nodes[node[a]]))
        if b >= 0:
            R_b = table(rows, one.rows_b, 3, movers[b].width)
            add_product(-head.h, R_b, S, R_b, 0, own_block(panels_io, nodes[node[b]]))
        if a >= 0 and b >= 0:
            R_a, R_b = (
                table(rows, one.rows_a, 3, movers[a].width),
                table(rows, one.rows_b, 3, movers[b].width),
            )
            add_tie(-head.h, R_a, S, R_b, nodes[node[a]], nodes[node[b]], one.column, panels_io)


@inlined_kernel
def add_tie(
    scale: float, R_a: Floats, S: Floats, R_b: Floats, a: Record, b: Record, column: int,
    panels_io: Floats,
) -> None:  # fmt: skip
    """Add scale R_a^T S R_b, and the same with a and b exchanged, to what ties two nodes.

    A mover that touches itself has both in its own block.
    """
    if column < 0:
        add_product(scale, R_a, S, R_b, 0, own_block(panels_io, a))
        add_product(scale, R_b, S, R_a, 0, own_block(panels_io, a))
    elif a.position < b.position:
        add_product(scale, R_a, S, R_b, column, upper_panel(panels_io, a))
        add_product_transposed(scale, R_a, S, R_b, column, lower_panel(panels_io, a))
    else:
        add_product(scale, R_b, S, R_a, column, upper_panel(panels_io, b))
        add_product_transposed(scale, R_b, S, R_a, column, lower_panel(panels_io, b))


@inlined_kernel
def add_product(
    scale: float, left: Floats, S: Floats, right: Floats, column: int, A_io: Floats
) -> None:
    """Add scale R_l^T S R_r to a block from a column on."""
    for i in range(left.shape[1]):
        a = scale * (left[0, i] * S[0, 0] + left[1, i] * S[1, 0] + left[2, i] * S[2, 0])
        b = scale * (left[0, i] * S[0, 1] + left[1, i] * S[1, 1] + left[2, i] * S[2, 1])
        c = scale * (left[0, i] * S[0, 2] + left[1, i] * S[1, 2] + left[2, i] * S[2, 2])
        add_three(a, b, c, right, part(A_io[i], column, right.shape[1]))


@inlined_kernel
def add_product_transposed(
    scale: float, left: Floats, S: Floats, right: Floats, column: int, A_io: Floats
) -> None:
    """Add scale R_l^T S^T R_r to a block from a column on."""
    for i in range(left.shape[1]):
        a = scale * (left[0, i] * S[0, 0] + left[1, i] * S[0, 1] + left[2, i] * S[0, 2])
        b = scale * (left[0, i] * S[1, 0] + left[1, i] * S[1, 1] + left[2, i] * S[1, 2])
        c = scale * (left[0, i] * S[2, 0] + left[1, i] * S[2, 1] + left[2, i] * S[2, 2])
        add_three(a, b, c, right, part(A_io[i], column, right.shape[1]))
