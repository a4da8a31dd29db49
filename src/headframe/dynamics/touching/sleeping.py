"""Kernels of loose bodies that lie still: they sleep, until something comes near.

The bodies of an island, all of them slower than STILL for REST seconds, fall asleep together: they
keep their places and contacts, and are looked at no more. What comes near to one of them, within
what it moves in a step, wakes it, and with it all that lie in contact with it.
"""

from __future__ import annotations

import math

from ...contact.kernels import SHAPE
from ...jit import Record, Records, header, indices, inlined_kernel, kernel, records
from ...mechanism import Floats
from .loose import loose_energy
from .records import (
    CARRIER,
    CONTACT,
    ISLAND,
    LOOSE,
    MEETING,
    MOVER,
    WORLD,
    WORLD_STATE,
    MoverKind,
)

LOOSE_KIND = MoverKind.LOOSE.value
STILL = 1e-4  # [m/s] of any point of a body
REST = 0.5  # [s]


@inlined_kernel
def is_asleep(movers: Records, loose: Records, mover: int) -> bool:
    """Whether a mover is a loose body that sleeps."""
    return bool(
        mover >= 0 and movers[mover].kind == LOOSE_KIND and loose[movers[mover].number].asleep == 1
    )


@inlined_kernel
def is_awake(movers: Records, loose: Records, mover: int) -> bool:
    """Whether a mover is not asleep; what stands still is not awake."""
    return bool(mover >= 0) and not is_asleep(movers, loose, mover)


@inlined_kernel
def wake(movers: Records, loose_io: Records, mover: int) -> None:
    """Wake a loose body."""
    body = loose_io[movers[mover].number]
    body.asleep, body.still = 0, 0


@kernel
def wake_what_is_met(world: Floats, state: Floats, work: Floats, count: int) -> bool:
    """Wake bodies that something has come near to, and what touches them; whether any were."""
    head = header(world, WORLD)
    movers = records(world, head.movers, MOVER)
    loose = records(state, header(state, WORLD_STATE).loose, LOOSE)
    meetings, woken = records(work, head.work.meetings, MEETING), False
    for m in range(count):
        one = meetings[m]
        woken = wake_other(movers, loose, one.a, one.b) or woken
    if woken:
        wake_neighbours(head, world, state)
    return woken


@inlined_kernel
def wake_other(movers: Records, loose_io: Records, a: int, b: int) -> bool:
    """Of two movers wake the one that sleeps, if the other does not; whether there was one."""
    if is_awake(movers, loose_io, a) and is_asleep(movers, loose_io, b):
        wake(movers, loose_io, b)
        return True
    if is_awake(movers, loose_io, b) and is_asleep(movers, loose_io, a):
        wake(movers, loose_io, a)
        return True
    return False


@kernel
def wake_neighbours(head: Record, world: Floats, state: Floats) -> None:
    """Wake all that touch what is awake, and what touches these."""
    moment, movers = header(state, WORLD_STATE), records(world, head.movers, MOVER)
    loose, known = records(state, moment.loose, LOOSE), records(state, moment.known, CONTACT)
    shapes, carriers = records(world, head.shapes, SHAPE), records(world, head.carriers, CARRIER)
    woken = True
    while woken:
        woken = False
        for k in range(moment.contacts):
            a, b = movers_of(shapes, carriers, known[k])
            woken = wake_other(movers, loose, a, b) or woken


@inlined_kernel
def movers_of(shapes: Records, carriers: Records, contact: Record) -> tuple[int, int]:
    """The movers of a contact; -1 for what stands still."""
    a, b = shapes[contact.touch.a].body, shapes[contact.touch.b].body
    return (carriers[a].mover if a >= 0 else -1), (carriers[b].mover if b >= 0 else -1)


@inlined_kernel
def sleeps(
    movers: Records, loose: Records, shapes: Records, carriers: Records, contact: Record
) -> bool:
    """Whether a contact is one of bodies that sleep."""
    a, b = movers_of(shapes, carriers, contact)
    return not is_awake(movers, loose, a) and not is_awake(movers, loose, b)


@kernel
def let_rest(world: Floats, state: Floats, work: Floats, island: Record) -> None:
    """Count how long an island lies still; put it to sleep when that is long."""
    head, moment = header(world, WORLD), header(state, WORLD_STATE)
    movers, loose = records(world, head.movers, MOVER), records(state, moment.loose, LOOSE)
    members, longest = indices(work, head.work.members), REST / head.h
    still, least = True, longest
    for k in range(island.first, island.last):
        mover = movers[members[k]]
        if mover.kind != LOOSE_KIND or not lies_still(loose[mover.number]):
            still = False
            break
    for k in range(island.first, island.last):
        mover = movers[members[k]]
        if mover.kind == LOOSE_KIND:
            body = loose[mover.number]
            body.still = body.still + 1 if still else 0
            least = min(least, float(body.still))
    if not still or least < longest:
        return
    for k in range(island.first, island.last):
        moment.work.numerical -= stop(loose[movers[members[k]].number], head.gravity)


@inlined_kernel
def lies_still(body: Record) -> bool:
    """Whether no point of a body is faster than STILL."""
    v, w = body.v, body.w
    speed = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    turning = math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    return bool(speed + turning * body.reach <= STILL)


@inlined_kernel
def stop(body_io: Record, gravity: Floats) -> float:
    """Put a body to sleep; the energy that it loses [J]."""
    lost, _ = loose_energy(body_io, gravity)
    for k in range(3):
        body_io.v[k], body_io.w[k] = 0.0, 0.0
    body_io.asleep = 1
    return lost


@kernel
def rest_islands(world: Floats, state: Floats, work: Floats, found: int) -> None:
    """Let all islands rest that lie still, where bodies may sleep."""
    head = header(world, WORLD)
    islands = records(work, head.work.islands, ISLAND)
    if head.sleeping == 1:
        for k in range(found):
            let_rest(world, state, work, islands[k])
