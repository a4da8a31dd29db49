"""Kernels that gather movers which contacts tie together into islands."""

from __future__ import annotations

from ...jit import Record, header, indices, inlined_kernel, kernel, records
from ...mechanism import Floats, Ints
from .records import ISLAND, MEETING, MOVER, WORLD


@kernel
def set_islands(world: Floats, work: Floats, count: int) -> int:
    """Islands of all movers that are near to something: how many there are.

    `near` tells which movers are. Movers and contacts are listed island by island.
    """
    head = header(world, WORLD)
    movers, meetings = (
        records(world, head.movers, MOVER),
        records(work, head.work.meetings, MEETING),
    )
    near, island = indices(work, head.work.near), indices(work, head.work.island)
    for n in range(movers.shape[0]):
        near[n], island[n] = 0, n
    for m in range(count):
        a, b = meetings[m].a, meetings[m].b
        if a >= 0:
            near[a] = 1
        if b >= 0:
            near[b] = 1
        if a >= 0 and b >= 0:
            join(island, a, b)
    number_islands(near, island)
    return list_islands(head, work, count)


@inlined_kernel
def number_islands(near: Ints, island_io: Ints) -> None:
    """Islands are numbered by their first movers; -1 for what is near to nothing."""
    for n in range(near.shape[0]):
        island_io[n] = root(island_io, n)
    number = 0
    for n in range(near.shape[0]):
        if near[n] == 0:
            island_io[n] = -1
        elif island_io[n] == n:
            island_io[n], number = number, number + 1
        else:
            island_io[n] = island_io[island_io[n]]


@inlined_kernel
def list_islands(head: Record, work: Floats, count: int) -> int:
    """Movers and contacts, island by island: how many islands there are."""
    island, members = indices(work, head.work.island), indices(work, head.work.members)
    islands, listing = records(work, head.work.islands, ISLAND), indices(work, head.work.listing)
    meetings, found = records(work, head.work.meetings, MEETING), 0
    for n in range(island.shape[0]):
        if island[n] == found:
            islands[found].last, islands[found].end = 0, 0
            found += 1
        if island[n] >= 0:
            islands[island[n]].last += 1
    for m in range(count):
        islands[island[max(meetings[m].a, meetings[m].b)]].end += 1
    at, listed = 0, 0
    for k in range(found):  # where the list of each begins; its ends grow as it is filled
        one = islands[k]
        one.first, one.begin, at, listed = at, listed, at + one.last, listed + one.end
        one.last, one.end = one.first, one.begin
    for n in range(island.shape[0]):
        if island[n] >= 0:
            one = islands[island[n]]
            members[one.last] = n
            one.last += 1
    for m in range(count):
        one = islands[island[max(meetings[m].a, meetings[m].b)]]
        listing[one.end] = m
        one.end += 1
    return found


@inlined_kernel
def root(island: Ints, n: int) -> int:
    """The first mover of a mover's island."""
    while island[n] != n:
        island[n] = island[island[n]]
        n = island[n]
    return n


@inlined_kernel
def join(island: Ints, a: int, b: int) -> None:
    """Make one island of two movers'."""
    p, q = root(island, a), root(island, b)
    island[max(p, q)] = min(p, q)
