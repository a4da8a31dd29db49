"""What the buffers of a world of impulses hold, as kernels take it out of them."""

from __future__ import annotations

from typing import NamedTuple

from ...contact.kernels import PAIR
from ...dynamics.kernels import CARRIER, LOOSE, MEETING, MOVER, PLACED, WORLD, WORLD_STATE
from ...jit import Records, header, indices, inlined_kernel, matrix, numbers, records
from ...mechanism import Floats, Ints
from .records import MOVING, STRIKE, STRIKING, STRUCK


class StrikingParts(NamedTuple):
    """Of the world, of what it has for impulses, of its state and of scratch memory."""

    h: float
    gravity: Floats
    tolerance: float
    beta: float
    slop: float
    iterations: int
    movers: Records
    carriers: Records
    pairs: Records
    machines: Records
    moving: Records
    loose: Records
    placed: Records
    meetings: Records
    rows: Floats
    near: Ints
    members: Ints
    listing: Ints
    strikes: Records
    struck: Ints
    point: Floats
    axes: Floats
    pose: Floats
    motion: Floats


@inlined_kernel
def parts_of(world: Floats, own: Floats, state: Floats, work: Floats) -> StrikingParts:
    """All parts; those that a kernel does not use cost it nothing."""
    head, mine, moment = header(world, WORLD), header(own, STRIKING), header(state, WORLD_STATE)
    return StrikingParts(
        head.h,
        head.gravity,
        mine.tolerance,
        mine.beta,
        mine.slop,
        mine.iterations,
        records(world, head.movers, MOVER),
        records(world, head.carriers, CARRIER),
        records(world, head.pairs, PAIR),
        records(own, mine.machines, STRUCK),
        records(own, mine.moving, MOVING),
        records(state, moment.loose, LOOSE),
        records(work, head.work.placed, PLACED),
        records(work, head.work.meetings, MEETING),
        numbers(work, head.work.rows),
        indices(work, head.work.near),
        indices(work, head.work.members),
        indices(work, head.work.listing),
        records(work, mine.work.strikes, STRIKE),
        indices(work, mine.work.struck),
        numbers(work, mine.work.point),
        matrix(work, mine.work.axes),
        matrix(work, mine.work.pose),
        numbers(work, mine.work.motion),
    )
