"""Kernels that lay out the unknowns of an island for `blocks`: its movers, and its joints."""

from __future__ import annotations

from ...jit import Record, Records, header, indices, inlined_kernel, kernel, part, records, table
from ...mechanism import Floats, Ints
from .blocks import column_of, lay_panels, order_nodes, tie, words_for
from .records import COLUMN, ISLAND, JOINED, MEETING, MOVER, NODE, WORLD


@kernel
def lay_nodes(world: Floats, work: Floats, found: int) -> bool:
    """Unknowns of all islands as nodes, in an order to eliminate them; False if room lacks."""
    head, filled, at = header(world, WORLD), 0, 0
    islands = records(work, head.work.islands, ISLAND)
    for k in range(found):
        islands[k].node = at
        put_nodes(world, work, islands[k])
        filled = lay_island(world, work, islands[k], filled)
        if filled < 0:
            return False
        at += islands[k].nodes
    return True


@kernel
def put_nodes(world: Floats, work: Floats, island_io: Record) -> None:
    """Nodes of an island: first its movers, then its joints, which wait for these."""
    head = header(world, WORLD)
    movers, joined = records(world, head.movers, MOVER), records(world, head.joined, JOINED)
    meetings, listing = records(work, head.work.meetings, MEETING), indices(work, head.work.listing)
    members, all_nodes = indices(work, head.work.members), records(work, head.work.nodes, NODE)
    node, offset = indices(work, head.work.node), indices(work, head.work.offset)
    island_io.nodes, island_io.width = 0, 0
    for n in range(island_io.first, island_io.last):
        mover = members[n]
        node[mover], offset[mover] = island_io.nodes, island_io.width
        put_node(movers[mover].width, 0, island_io, all_nodes)
    for k in range(island_io.begin, island_io.end):
        one = meetings[listing[k]]
        if one.joined >= 0:
            place = joined[one.joined]
            if place.row == 0:
                put_node(place.rows, 1, island_io, all_nodes)
            one.node = island_io.nodes - 1


@inlined_kernel
def put_node(width: int, waits: int, island_io: Record, all_nodes: Records) -> None:
    """Add a node to an island."""
    one = all_nodes[island_io.node + island_io.nodes]
    one.width, one.at, one.waits = width, island_io.width, waits
    island_io.width += width
    island_io.nodes += 1


@inlined_kernel
def nodes_of(head: Record, work: Floats, island: Record) -> Records:
    """NODE of an island."""
    return part(records(work, head.work.nodes, NODE), island.node, island.nodes)


@inlined_kernel
def order_of(head: Record, work: Floats, island: Record) -> Ints:
    """In which order these are eliminated."""
    return part(indices(work, head.work.order), island.node, island.nodes)


@kernel
def lay_island(world: Floats, work: Floats, island: Record, filled: int) -> int:
    """The order of an island's nodes; up to where columns are filled, -1 if there is no room."""
    head = header(world, WORLD)
    meetings, listing = records(work, head.work.meetings, MEETING), indices(work, head.work.listing)
    nodes, columns = nodes_of(head, work, island), records(work, head.work.columns, COLUMN)
    ties = tied(head, work, island, meetings, listing)
    filled = order_nodes(nodes, ties, filled, columns, order_of(head, work, island))
    if filled < 0 or not lay_panels(nodes, columns, head.work.panels[1]):
        return -1
    node = indices(work, head.work.node)
    for k in range(island.begin, island.end):
        one = meetings[listing[k]]
        one.column, one.column_b = -1, -1
        if one.joined >= 0:
            if one.a >= 0:
                one.column = column_of(columns, nodes[node[one.a]], one.node)
            if one.b >= 0:
                one.column_b = column_of(columns, nodes[node[one.b]], one.node)
        elif one.a >= 0 and one.b >= 0:
            early, late = node[one.a], node[one.b]
            if nodes[early].position > nodes[late].position:
                early, late = late, early
            one.column = column_of(columns, nodes[early], late)
    return filled


@inlined_kernel
def tied(head: Record, work: Floats, island: Record, meetings: Records, listing: Ints) -> Ints:
    """Which nodes of an island share equations."""
    node, count = indices(work, head.work.node), island.nodes
    ties = table(indices(work, head.work.ties), 0, count, words_for(count))
    for n in range(count):
        for w in range(ties.shape[1]):
            ties[n, w] = 0
    for k in range(island.begin, island.end):
        one = meetings[listing[k]]
        if one.joined >= 0:
            if one.a >= 0:
                tie(ties, node[one.a], one.node)
            if one.b >= 0:
                tie(ties, node[one.b], one.node)
        elif one.a >= 0 and one.b >= 0 and one.a != one.b:
            tie(ties, node[one.a], node[one.b])
    return ties
