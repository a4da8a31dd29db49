"""Kernels of joints in a world: what holds bodies together, exactly.

A joint holds at one to three places. At each, a point of a must not move along some axes that b
carries: with e, how far the point of a is from that of b along them where a step begins, and the
velocity u of a against b there where it ends,

    u + e / h = 0

so that the step ends, to first order, without an error; what the second order leaves is taken back
by the next one. The forces that this takes are unknowns beside the velocities (`newton`). Rows are
taken by their size in the metric of kinetic energy, so that all unknowns are of one kind.

A revolute joint about z, for example, holds x, y, z of a point, and x, y of another one a metre
along z: `sim.world_joints` has them all.
"""

from __future__ import annotations

import math

from ...jit import Record, Records, header, inlined_kernel, kernel, records, table
from ...mechanism import Floats
from ...spatial.kernels import point_at, three
from ..linear import copy, inner
from .meeting import mover_of
from .records import (
    CARRIER,
    JOINED,
    JOINED_STATE,
    LOOSE,
    MEETING,
    MOVER,
    PLACED,
    WORLD,
    WORLD_STATE,
)
from .sleeping import is_awake, wake_other

YIELDS = 1e-11  # of a row: so that joints which hold the same thing twice have an answer
NOT_HELD = -1.0  # instead of a heaviness
ROUNDING = 1e-4  # [m] of a way: what may be left of it is SMALL times that


@kernel
def add_joined(world: Floats, state: Floats, work: Floats, count: int) -> int:
    """Add all places of joints to the contacts of a step, but for those of bodies that sleep.

    Returns how many there are together, or -1 if there is no room for them.
    """
    head, moment = header(world, WORLD), header(state, WORLD_STATE)
    movers, loose = records(world, head.movers, MOVER), records(state, moment.loose, LOOSE)
    joined, known = records(world, head.joined, JOINED), records(state, moment.joined, JOINED_STATE)
    carriers, placed = (
        records(world, head.carriers, CARRIER),
        records(work, head.work.placed, PLACED),
    )
    meetings = records(work, head.work.meetings, MEETING)
    if count + joined.shape[0] > meetings.shape[0]:
        return -1
    for n in range(joined.shape[0]):
        place, out = joined[n], meetings[count]
        out.a, out.b = mover_of(carriers, place.body_a), mover_of(carriers, place.body_b)
        if not is_awake(movers, loose, out.a) and not is_awake(movers, loose, out.b):
            continue
        out.joined, out.body_a, out.body_b = n, place.body_a, place.body_b
        put_place(placed, place, out)
        copy(known[n].force, out.push.force)
        count += 1
    return count


@kernel
def put_place(placed: Records, place: Record, out: Record) -> None:
    """Where a place of a joint is, its axes, and how far its bodies are apart there."""
    p, axes, error = three(place.p_B), out.axes, out.error
    for i in range(3):
        copy(place.axes_B[i], axes[i])
    if place.body_b >= 0:
        X_WB = placed[place.body_b].X_WB
        p = point_at(X_WB, p)
        for i in range(3):
            for k in range(3):
                axes[i, k] = (
                    X_WB[k, 0] * place.axes_B[i, 0]
                    + X_WB[k, 1] * place.axes_B[i, 1]
                    + X_WB[k, 2] * place.axes_B[i, 2]
                )
    q = three(place.p_A)
    if place.body_a >= 0:
        q = point_at(placed[place.body_a].X_WB, q)
    out.touch.point[0], out.touch.point[1], out.touch.point[2] = q
    for i in range(3):
        error[i] = (
            axes[i, 0] * (q[0] - p[0]) + axes[i, 1] * (q[1] - p[1]) + axes[i, 2] * (q[2] - p[2])
        )


@inlined_kernel
def wake_joined(world: Floats, state: Floats) -> bool:
    """Wake bodies that are joined to what is awake; whether any were."""
    head = header(world, WORLD)
    movers = records(world, head.movers, MOVER)
    loose = records(state, header(state, WORLD_STATE).loose, LOOSE)
    joined, carriers = records(world, head.joined, JOINED), records(world, head.carriers, CARRIER)
    woken = False
    for n in range(joined.shape[0]):
        a, b = mover_of(carriers, joined[n].body_a), mover_of(carriers, joined[n].body_b)
        woken = wake_other(movers, loose, a, b) or woken
    return woken


@inlined_kernel
def set_heaviness(movers: Records, rows: Floats, place: Record, one_io: Record) -> None:
    """1 / size of the rows that a joint holds; 0 of one that nothing moves along."""
    for k in range(3):
        size = 0.0
        for side in range(2):
            mover, begin = (one_io.a, one_io.rows_a) if side == 0 else (one_io.b, one_io.rows_b)
            if mover >= 0:
                row = table(rows, begin, 3, movers[mover].width)[k]
                size += inner(row, row)
        one_io.heaviness[k] = NOT_HELD
        if place.holds[k] == 1:
            one_io.heaviness[k] = 1.0 / math.sqrt(size) if size > 0.0 else 0.0


@inlined_kernel
def keep_joined(world: Floats, state: Floats, work: Floats, first: int, last: int) -> None:
    """What joints remember of a step."""
    head = header(world, WORLD)
    known = records(state, header(state, WORLD_STATE).joined, JOINED_STATE)
    meetings = records(work, head.work.meetings, MEETING)
    for m in range(first, last):
        one = meetings[m]
        out = known[one.joined]
        copy(one.push.force, out.force)
        for i in range(3):
            copy(one.axes[i], out.axes[i])


@inlined_kernel
def begin_joined(h: float, one_io: Record, at: int, x_io: Floats) -> None:
    """Unknowns of a place of a joint from its force."""
    for k in range(3):
        heavy = one_io.heaviness[k]
        if heavy == NOT_HELD:
            continue
        x_io[at] = h * one_io.push.force[k] / heavy if heavy > 0.0 else 0.0
        at += 1


@inlined_kernel
def left_of_joined(h: float, one_io: Record, at: int, x_in: Floats, left_out: Floats) -> float:
    """What is left of u + e / h, by the unknowns of a place of a joint; how large they are."""
    scale, force = 0.0, one_io.push.force
    for k in range(3):
        heavy = one_io.heaviness[k]
        if heavy == NOT_HELD:
            force[k] = 0.0
            continue
        force[k] = heavy * x_in[at] / h
        left_out[at] = heavy * (one_io.velocity[k] + one_io.error[k] / h) + yields(heavy) * x_in[at]
        scale = max(scale, abs(x_in[at]), heavy * ROUNDING / h)
        at += 1
    return scale


@inlined_kernel
def yields(heavy: float) -> float:
    """What a row of a joint yields; all, where nothing can move along it."""
    return YIELDS if heavy > 0.0 else 1.0


@inlined_kernel
def add_joined_rows(one: Record, at: int, R: Floats, upper_io: Floats, lower_io: Floats) -> None:
    """Add what ties a place of a joint, from a column on, to one of its movers."""
    for k in range(3):
        heavy = one.heaviness[k]
        if heavy == NOT_HELD:
            continue
        for i in range(R.shape[1]):
            upper_io[i, at] -= heavy * R[k, i]
            lower_io[i, at] += heavy * R[k, i]
        at += 1


@inlined_kernel
def add_yielding(one: Record, row: int, own_io: Floats) -> None:
    """Add what a place of a joint yields."""
    for k in range(3):
        if one.heaviness[k] != NOT_HELD:
            own_io[row, row] += yields(one.heaviness[k])
            row += 1
