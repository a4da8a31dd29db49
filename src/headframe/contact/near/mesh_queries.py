"""The nearest point of a mesh, by its tree of boxes."""

from __future__ import annotations

import math

from ...jit import Record, indices, inlined_kernel, kernel, matrix, record, records
from ...spatial.kernels import Numbers, dot3, three
from ..records import NODE, SOLID, TRIANGLE
from .triangles import nearest_of_triangle
from .vectors import UP, Floats, less, more, times, unit_or

DEEP = 64  # nodes that can wait: a tree is divided into halves, so this is beyond any mesh


@inlined_kernel
def distance_to_box(node: Record, c: Numbers) -> float:
    """Squared distance of a point from a box along the mesh's axes."""
    total = 0.0
    for i in range(3):
        out = max(node.low[i] - c[i], c[i] - node.high[i], 0.0)
        total += out * out
    return total


@kernel
def nearest_of_mesh(
    c: Numbers, solids: Floats, solid: int, stack: Floats
) -> tuple[float, Numbers, Numbers, int]:
    """Squared distance of a point, the nearest point, the normal there, and its triangle; S.

    The normal belongs to what is nearest: a triangle, an edge (the sum of both), or a corner.
    """
    head = record(solids, solid, SOLID)
    points, triangles = matrix(solids, head.points), records(solids, head.triangles, TRIANGLE)
    nodes, order = records(solids, head.nodes, NODE), indices(solids, head.order)
    best, found = math.inf, 0
    place, weights = c, (1.0, 0.0, 0.0)
    stack[0, 0] = 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = nodes[stack[waiting, 0]]
        if distance_to_box(node, c) >= best:
            continue
        left, right = node.children
        if left >= 0:
            if distance_to_box(nodes[left], c) < distance_to_box(nodes[right], c):
                left, right = right, left  # the nearer one is looked at first
            stack[waiting, 0], stack[waiting + 1, 0] = left, right
            waiting += 2
            continue
        first, count = node.first
        for k in range(first, first + count):
            corners = triangles[order[k]].corners
            p, q, r = (
                less(three(points[corners[0]]), c),
                less(three(points[corners[1]]), c),
                less(three(points[corners[2]]), c),
            )
            s, t, u, v = nearest_of_triangle(p, q, r)
            if dot3(v, v) < best:
                best, found = dot3(v, v), order[k]
                place, weights = more(c, v), (s, t, u)
    normal = normal_at(found, weights, solids, head)
    return best, place, normal, found


@kernel
def normal_at(found: int, weights: Numbers, solids: Floats, head: Record) -> Numbers:
    """Outward normal of a mesh at a point of a triangle: its own, an edge's, or a corner's."""
    triangles = records(solids, head.triangles, TRIANGLE)
    triangle = triangles[found]
    without = (weights[0] <= 0.0) + (weights[1] <= 0.0) + (weights[2] <= 0.0)
    if without == 0:
        return three(triangle.normal)
    if without == 2:
        k = 0 if weights[0] > 0.0 else (1 if weights[1] > 0.0 else 2)
        return three(matrix(solids, head.normals)[triangle.corners[k]])
    k = 1 if weights[0] <= 0.0 else (2 if weights[1] <= 0.0 else 0)  # the edge opposite to it
    both = more(three(triangle.normal), three(triangles[triangle.beside[k]].normal))
    return unit_or(both, three(triangle.normal))


@kernel
def mesh_gap(c: Numbers, solids: Floats, solid: int, stack: Floats) -> tuple[float, Numbers]:
    """From a mesh to a point, less than 0 inside, and the way out; S."""
    square, place, normal, _ = nearest_of_mesh(c, solids, solid, stack)
    way = less(c, place)
    apart = math.sqrt(square)
    outside = dot3(way, normal) >= 0.0
    size = record(solids, solid, SOLID).half
    if apart <= 1e-12 * (size[0] + size[1] + size[2]):
        return (apart if outside else -apart), normal
    if outside:
        return apart, unit_or(way, UP)
    return -apart, unit_or(times(-1.0, way), UP)
