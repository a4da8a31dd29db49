"""Spheres around the links of machines, each around two others: pairs of shapes that are near.

Section 4.4.4 of the thesis: the spheres follow the shapes at each step, from the leaves to the
root, and two hierarchies are gone through together as long as their spheres touch.
`far.hierarchies` makes one from the tree of a machine's links.
"""

from __future__ import annotations

from ...jit import MATRICES, WHOLE_MATRIX, Records, array_of, entry, inlined_kernel, kernel
from ...spatial.kernels import Numbers, three
from ..near.vectors import Floats, along, length, less
from ..records import SHAPE, SPHERE_NODE


@inlined_kernel
def sphere_around(c: Numbers, r: float, d: Numbers, s: float) -> tuple[Numbers, float]:
    """Centre and radius of the smallest sphere around two.

    (4.12)-(4.14) of the thesis, whose centre lacks a factor 1/2: the new sphere reaches r beyond c
    and s beyond d, so its radius is (apart + r + s)/2, and its centre is (apart + s - r)/2 from c.
    If one sphere holds the other, it is the answer.
    """
    way = less(d, c)
    apart = length(way)
    if apart + s <= r:
        return c, r
    if apart + r <= s:
        return d, s
    return along(c, 0.5 * (apart + s - r) / apart, way), 0.5 * (apart + r + s)


@entry(array_of(SHAPE), MATRICES, array_of(SPHERE_NODE))
@kernel
def update_spheres(shapes: Records, X_WS_in: Floats, nodes_io: Records) -> int:
    """Let all spheres follow the shapes, children before parents; the number of nodes."""
    count: int = nodes_io.shape[0]
    for n in range(count - 1, -1, -1):
        node = nodes_io[n]
        if node.leaf >= 0:
            for i in range(3):
                node.centre[i] = X_WS_in[node.leaf, i, 3]
            node.radius = shapes[node.leaf].radius
            continue
        a, b = nodes_io[node.children[0]], nodes_io[node.children[1]]
        c, r = sphere_around(three(a.centre), a.radius, three(b.centre), b.radius)
        node.centre[0], node.centre[1], node.centre[2] = c
        node.radius = r
    return count


@entry(array_of(SPHERE_NODE), array_of(SPHERE_NODE), WHOLE_MATRIX, WHOLE_MATRIX)
@kernel
def sphere_pairs(a: Records, b: Records, stack_work: Floats, pairs_out: Floats) -> int:
    """Write the shapes of two hierarchies whose spheres touch; how many pairs, -1 without room.

    If both are the same, each pair is written once, and none of a shape with itself. The stack has
    two places for every node of either.
    """
    same = a.shape[0] == b.shape[0] and a[0].leaf == b[0].leaf and is_one(a, b)
    found = 0
    waiting = push_pair(0, 0, 0, stack_work)
    while waiting > 0:
        waiting -= 1
        i, j = stack_work[waiting, 0], stack_work[waiting, 1]
        p, q = a[i], b[j]
        if same and i == j and p.leaf >= 0:
            continue
        reach = p.radius + q.radius
        way = less(three(p.centre), three(q.centre))
        if length(way) > reach:
            continue
        if p.leaf >= 0 and q.leaf >= 0:
            if found == pairs_out.shape[0]:
                return -1
            pairs_out[found, 0], pairs_out[found, 1] = p.leaf, q.leaf
            found += 1
            continue
        if same and i == j:  # both children with themselves and with each other
            left, right = p.children
            waiting = push_pair(left, left, waiting, stack_work)
            waiting = push_pair(right, right, waiting, stack_work)
            waiting = push_pair(left, right, waiting, stack_work)
            continue
        for side in range(2):
            if q.leaf >= 0 or (p.leaf < 0 and p.radius >= q.radius):
                waiting = push_pair(p.children[side], j, waiting, stack_work)
            else:
                waiting = push_pair(i, q.children[side], waiting, stack_work)
    return found


@inlined_kernel
def push_pair(i: int, j: int, waiting: int, stack: Floats) -> int:
    """Put two nodes on a stack; how many wait then."""
    stack[waiting, 0], stack[waiting, 1] = i, j
    return waiting + 1


@kernel
def is_one(a: Records, b: Records) -> bool:
    """Whether two hierarchies hold the same shapes in the same nodes."""
    same = True
    for n in range(a.shape[0]):
        same = same and a[n].leaf == b[n].leaf and a[n].children[0] == b[n].children[0]
    return same
