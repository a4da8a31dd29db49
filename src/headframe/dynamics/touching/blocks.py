"""Kernels that solve linear equations whose unknowns are nodes of a graph, by LU in blocks.

A node has some unknowns, those of a mover say; two nodes share equations only where they are tied.
Nodes are eliminated one after the other. That ties all that are tied to a node and come later to
each other, so that the next node is always one with few unknowns tied to it (minimum degree). A
node keeps its own block, which is factored into L U in place, and two panels:

    upper (width, breadth)    its equations by the unknowns of all later nodes tied to it,
    lower (width, breadth)    their equations by its unknowns, transposed.

Blocks are not symmetric, and pivots are not sought.
"""

from __future__ import annotations

import math

from ...jit import Record, Records, inlined_kernel, kernel, part, table
from ...mechanism import Floats, Ints
from ..linear import add_scaled

BITS = 48  # ties in a whole number: as a double it is exact
LEAST = 1e-14  # pivot
SIX = 6  # unknowns of a loose body


# ------------------------------------------------------------------------------------ ties of nodes


@inlined_kernel
def words_for(nodes: int) -> int:
    """How many whole numbers hold the ties of one of so many nodes."""
    return (nodes + BITS - 1) // BITS


@inlined_kernel
def word_of(node: int) -> int:
    """In which of these numbers a node is."""
    return node // BITS


@inlined_kernel
def bit_of(node: int) -> int:
    """And as which bit of it."""
    return 1 << (node % BITS)


@inlined_kernel
def tie(ties_io: Ints, a: int, b: int) -> None:
    """Two nodes share equations."""
    ties_io[a, word_of(b)] |= bit_of(b)
    ties_io[b, word_of(a)] |= bit_of(a)


@inlined_kernel
def untie(ties_io: Ints, a: int, b: int) -> None:
    """Forget of a node that another one is tied to it."""
    ties_io[a, word_of(b)] &= ~bit_of(b)


@inlined_kernel
def lowest(word: int, bits: int) -> int:
    """The first node that the bits of a word stand for."""
    return word * BITS + int(math.frexp(float(bits & -bits))[1]) - 1


@kernel
def count_ties(nodes: Records, ties: Ints, node: int) -> None:
    """How many unknowns are tied to a node, and of those for how many it waits."""
    one = nodes[node]
    one.breadth, one.waits_for = 0, 0
    for w in range(ties.shape[1]):
        bits = ties[node, w]
        while bits != 0:
            other = nodes[lowest(w, bits)]
            bits &= bits - 1
            one.breadth += other.width
            if one.waits == 1 and other.waits == 0:
                one.waits_for += 1


# ------------------------------------------------------------------------------------------- order


@kernel
def order_nodes(
    nodes: Records, ties: Ints, filled: int, columns_out: Records, order_out: Ints
) -> int:
    """The order in which nodes are eliminated, and what is tied to each then; ties are lost.

    Returns up to where columns are filled, from `filled` on, or -1 if there is no room for them.
    """
    count = nodes.shape[0]
    for n in range(count):
        nodes[n].position = -1
        count_ties(nodes, ties, n)
    for position in range(count):
        now = next_node(nodes)
        one = nodes[now]
        order_out[position], one.position, one.columns = now, position, filled
        filled = list_columns(ties, now, columns_out, filled)
        if filled < 0:
            return -1
        one.count = filled - one.columns
        for k in range(one.columns, filled):
            tie_to_all(ties, now, columns_out[k].node)
        for k in range(one.columns, filled):
            count_ties(nodes, ties, columns_out[k].node)
    return filled


@inlined_kernel
def next_node(nodes: Records) -> int:
    """Of the nodes that are left and wait for none, the one with the fewest unknowns tied to it."""
    best = -1
    for n in range(nodes.shape[0]):
        one = nodes[n]
        if one.position >= 0 or one.waits_for > 0:
            continue
        if best < 0 or one.breadth < nodes[best].breadth:
            best = n
    return best


@inlined_kernel
def list_columns(ties: Ints, node: int, columns_out: Records, filled: int) -> int:
    """List the nodes that are tied to one: how many are listed by now, -1 if there is no room."""
    for w in range(ties.shape[1]):
        bits = ties[node, w]
        while bits != 0:
            if filled == columns_out.shape[0]:
                return -1
            columns_out[filled].node = lowest(w, bits)
            bits &= bits - 1
            filled += 1
    return filled


@inlined_kernel
def tie_to_all(ties_io: Ints, gone: int, node: int) -> None:
    """Tie a node to all that are tied to one that is eliminated."""
    for w in range(ties_io.shape[1]):
        ties_io[node, w] |= ties_io[gone, w]
    untie(ties_io, node, node)
    untie(ties_io, node, gone)


@kernel
def lay_panels(nodes: Records, columns_io: Records, room: int) -> bool:
    """Sort the columns of every node by their turn, and give its blocks a place.

    False if there is no room for them.
    """
    at = 0
    for n in range(nodes.shape[0]):
        one = nodes[n]
        sort_columns(nodes, columns_io, one.columns, one.columns + one.count)
        one.breadth = 0
        for k in range(one.columns, one.columns + one.count):
            columns_io[k].at = one.breadth
            one.breadth += nodes[columns_io[k].node].width
        one.own, one.upper = at, at + one.width * one.width
        one.lower = one.upper + one.width * one.breadth
        at = one.lower + one.width * one.breadth
    return bool(at <= room)


@inlined_kernel
def sort_columns(nodes: Records, columns_io: Records, first: int, last: int) -> None:
    """Sort columns by the turns of their nodes."""
    for k in range(first + 1, last):
        node, m = columns_io[k].node, k
        while m > first and nodes[columns_io[m - 1].node].position > nodes[node].position:
            columns_io[m].node = columns_io[m - 1].node
            m -= 1
        columns_io[m].node = node


@inlined_kernel
def column_of(columns: Records, one: Record, node: int) -> int:
    """Where the unknowns of a node begin in the panels of an earlier one."""
    for k in range(one.columns, one.columns + one.count):
        if columns[k].node == node:
            return int(columns[k].at)
    return -1


# ------------------------------------------------------------------------------------------ blocks


@inlined_kernel
def own_block(panels: Floats, one: Record) -> Floats:
    """A node's equations by its own unknowns, (width, width)."""
    return table(panels, one.own, one.width, one.width)


@inlined_kernel
def upper_panel(panels: Floats, one: Record) -> Floats:
    """A node's equations by later unknowns, (width, breadth)."""
    return table(panels, one.upper, one.width, one.breadth)


@inlined_kernel
def lower_panel(panels: Floats, one: Record) -> Floats:
    """Later equations by a node's unknowns, transposed, (width, breadth)."""
    return table(panels, one.lower, one.width, one.breadth)


@inlined_kernel
def clear_panels(nodes: Records, panels_out: Floats) -> None:
    """All blocks zero, but for ones on the diagonal of nodes that do not wait."""
    last = nodes[nodes.shape[0] - 1]
    for i in range(last.lower + last.width * last.breadth):
        panels_out[i] = 0.0
    for n in range(nodes.shape[0]):
        if nodes[n].waits == 0:
            block = own_block(panels_out, nodes[n])
            for i in range(block.shape[0]):
                block[i, i] = 1.0


@kernel
def factor_blocks(nodes: Records, order: Ints, columns: Records, panels_io: Floats) -> bool:
    """Factor in place; False if a pivot is nothing."""
    for position in range(nodes.shape[0]):
        one = nodes[order[position]]
        own, upper, lower = (
            own_block(panels_io, one),
            upper_panel(panels_io, one),
            lower_panel(panels_io, one),
        )
        if not factor_own(own):
            return False
        for i in range(1, one.width):
            for k in range(i):
                ahead, below = own[i, k], own[k, i] / own[k, k]
                for j in range(one.breadth):
                    upper[i, j] -= ahead * upper[k, j]
                    lower[i, j] -= below * lower[k, j]
        for i in range(one.width):  # its rows so far are those of L times U's diagonal
            scale = 1.0 / own[i, i]
            for j in range(one.breadth):
                lower[i, j] *= scale
        for k in range(one.columns, one.columns + one.count):
            pass_on(nodes, columns, one, columns[k], upper, lower, panels_io)
    return True


@inlined_kernel
def factor_own(A_io: Floats) -> bool:
    """L U of a small matrix in place, L having ones on its diagonal."""
    n = A_io.shape[0]
    for k in range(n):
        if not abs(A_io[k, k]) > LEAST:
            return False
        for i in range(k + 1, n):
            scale = A_io[i, k] / A_io[k, k]
            A_io[i, k] = scale
            for j in range(k + 1, n):
                A_io[i, j] -= scale * A_io[k, j]
    return True


@kernel
def pass_on(
    nodes: Records, columns: Records, gone: Record, to: Record, upper: Floats, lower: Floats,
    panels_io: Floats,
) -> None:  # fmt: skip
    """Take what an eliminated node means for a later one out of that one's blocks."""
    other = nodes[to.node]
    own, high, low = (
        own_block(panels_io, other),
        upper_panel(panels_io, other),
        lower_panel(panels_io, other),
    )
    take_product(lower, to.at, upper, to.at, own, 0, other.width, other.width)
    k = other.columns
    for m in range(gone.columns, gone.columns + gone.count):
        column = columns[m]
        if nodes[column.node].position <= other.position:
            continue
        while columns[k].node != column.node:
            k += 1
        at, width = columns[k].at, nodes[column.node].width
        take_product(lower, to.at, upper, column.at, high, at, other.width, width)
        take_product(upper, to.at, lower, column.at, low, at, other.width, width)


@inlined_kernel
def take_product(
    left: Floats, at_left: int, right: Floats, at_right: int, out_io: Floats, at_out: int,
    rows: int, columns: int,
) -> None:  # fmt: skip
    """Take left^T right out of a block; `left` and `right` from a column on."""
    for i in range(rows):
        line = part(out_io[i], at_out, columns)
        if columns == SIX:
            a, b, c, d, e, f = line[0], line[1], line[2], line[3], line[4], line[5]
            for k in range(left.shape[0]):
                scale, by = left[k, at_left + i], part(right[k], at_right, columns)
                a, b, c = a - scale * by[0], b - scale * by[1], c - scale * by[2]
                d, e, f = d - scale * by[3], e - scale * by[4], f - scale * by[5]
            line[0], line[1], line[2], line[3], line[4], line[5] = a, b, c, d, e, f
        else:
            for k in range(left.shape[0]):
                add_scaled(-left[k, at_left + i], part(right[k], at_right, columns), line)


@kernel
def solve_blocks(
    nodes: Records, order: Ints, columns: Records, panels: Floats, x_io: Floats
) -> None:
    """Solve A x = b in place with what `factor_blocks` has made of A."""
    count = nodes.shape[0]
    for position in range(count):
        one = nodes[order[position]]
        own, lower = own_block(panels, one), lower_panel(panels, one)
        x = part(x_io, one.at, one.width)
        for i in range(1, one.width):
            for k in range(i):
                x[i] -= own[i, k] * x[k]
        for m in range(one.columns, one.columns + one.count):
            other, at = nodes[columns[m].node], columns[m].at
            y = part(x_io, other.at, other.width)
            for i in range(one.width):
                for j in range(other.width):
                    y[j] -= lower[i, at + j] * x[i]
    for position in range(count - 1, -1, -1):
        one = nodes[order[position]]
        own, upper = own_block(panels, one), upper_panel(panels, one)
        x = part(x_io, one.at, one.width)
        for m in range(one.columns, one.columns + one.count):
            other, at = nodes[columns[m].node], columns[m].at
            y = part(x_io, other.at, other.width)
            for i in range(one.width):
                for j in range(other.width):
                    x[i] -= upper[i, at + j] * y[j]
        for i in range(one.width - 1, -1, -1):
            for k in range(i + 1, one.width):
                x[i] -= own[i, k] * x[k]
            x[i] /= own[i, i]
