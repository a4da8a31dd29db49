"""A sphere against a mesh: every triangle, edge and corner that is nearest to its centre.

(4.27)-(4.40) of the thesis: the nearest point of a triangle is inside it, on an edge or a corner.
On an edge, the way along it is ((p - v).e)/|e|^2, held between 0 and 1. The distance from the
centre has a least place on an edge exactly if it grows into both of its triangles, and on a corner
if it grows along all edges from there; so a sphere in a groove touches both walls, and one on a
plane of many triangles touches it once. A centre inside the mesh has the nearest way out.
"""

from __future__ import annotations

import math

from ...jit import Record, Records, indices, inlined_kernel, kernel, matrix, record, records
from ...spatial.kernels import Numbers, cross3, dot3, three
from ..records import NODE, SOLID, TRIANGLE
from .gaps import bend
from .mesh_queries import distance_to_box, mesh_gap
from .triangles import nearest_of_triangle
from .vectors import UP, Floats, along, less, place_of, seen_from, times, turned_by, unit_or
from .writing import put_near

OF_TRIANGLE, OF_EDGE, OF_CORNER = 0, 1 << 40, 2 << 40  # what a feature's number belongs to


@kernel
def sphere_mesh(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    solids: Floats,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """A sphere a and a mesh b; features are triangles, edges and corners."""
    c = seen_from(X_WB, place_of(X_WA))
    height, n = mesh_gap(c, solids, b.solid, work.stack)
    radius = a.sizes[0]
    if height - radius >= margin:
        return 0
    if height <= 0.0:
        n = turned_by(X_WB, n)
        point = along(place_of(X_WA), 0.5 * (radius - height) - radius, n)
        return put_near(found_out, 0, 0, point, n, radius - height, bend(radius), margin)
    return touch_around(a, X_WA, b, X_WB, c, solids, margin, work, found_out)


@kernel
def touch_around(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    c: Numbers,
    solids: Floats,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """All least places about a centre c outside of the mesh."""
    head = record(solids, b.solid, SOLID)
    points, triangles = matrix(solids, head.points), records(solids, head.triangles, TRIANGLE)
    nodes, order = records(solids, head.nodes, NODE), indices(solids, head.order)
    radius = a.sizes[0]
    limit = (radius + margin) * (radius + margin)
    work.stack[0, 0] = 0
    waiting, count = 1, 0
    while waiting > 0:
        waiting -= 1
        node = nodes[work.stack[waiting, 0]]
        if distance_to_box(node, c) >= limit:
            continue
        if node.children[0] >= 0:
            work.stack[waiting, 0] = node.children[0]
            work.stack[waiting + 1, 0] = node.children[1]
            waiting += 2
            continue
        first, number = node.first
        for k in range(first, first + number):
            t = order[k]
            corners = triangles[t].corners
            s, u, w, v = nearest_of_triangle(
                less(three(points[corners[0]]), c),
                less(three(points[corners[1]]), c),
                less(three(points[corners[2]]), c),
            )
            square = dot3(v, v)
            if square >= limit or not square > 0.0:
                continue
            feature = least_feature(t, (s, u, w), times(-1.0, v), points, triangles)
            if feature < 0 or is_known(feature, count, found_out):
                continue
            apart = math.sqrt(square)
            n = turned_by(X_WB, unit_or(times(-1.0, v), UP))
            point = along(place_of(X_WA), 0.5 * (radius - apart) - radius, n)
            depth = radius - apart
            count = put_near(found_out, count, feature, point, n, depth, bend(radius), margin)
    return count


@inlined_kernel
def is_known(feature: int, count: int, found_out: Records) -> bool:
    """Whether a feature is among the places that were found."""
    known = False
    for k in range(count):
        known = known or found_out[k].feature == feature
    return known


@kernel
def least_feature(
    t: int, weights: Numbers, way: Numbers, points: Floats, triangles: Records
) -> int:
    """The feature of a triangle's nearest point, from which `way` leads to a centre.

    It is -1 if the place is not least. A triangle that is seen from behind has none.
    """
    triangle = triangles[t]
    without = (weights[0] <= 0.0) + (weights[1] <= 0.0) + (weights[2] <= 0.0)
    if without == 0:
        return OF_TRIANGLE + t if dot3(way, three(triangle.normal)) > 0.0 else -1
    if without == 2:
        k = 0 if weights[0] > 0.0 else (1 if weights[1] > 0.0 else 2)
        return corner_feature(t, k, way, points, triangles)
    k = 1 if weights[0] <= 0.0 else (2 if weights[1] <= 0.0 else 0)
    p, q = three(points[triangle.corners[k]]), three(points[triangle.corners[(k + 1) % 3]])
    other = triangles[triangle.beside[k]]
    edge = less(q, p)
    into, into_other = cross3(three(triangle.normal), edge), cross3(edge, three(other.normal))
    size = math.sqrt(dot3(edge, edge) * dot3(way, way))
    if dot3(way, into) > 1e-9 * size or dot3(way, into_other) > 1e-9 * size:
        return -1
    i: int = triangle.corners[k]
    j: int = triangle.corners[(k + 1) % 3]
    return OF_EDGE + min(i, j) * (1 << 20) + max(i, j)


@kernel
def corner_feature(t: int, k: int, way: Numbers, points: Floats, triangles: Records) -> int:
    """The feature of a corner, if the distance grows along all edges from it; else -1."""
    first = t
    corner: int = triangles[t].corners[k]
    for _ in range(triangles.shape[0]):
        edge = less(three(points[triangles[t].corners[(k + 1) % 3]]), three(points[corner]))
        if dot3(way, edge) > 1e-9 * math.sqrt(dot3(way, way) * dot3(edge, edge)):
            return -1
        back = (k + 2) % 3  # the half-edge that ends here; its twin begins here
        t, k = triangles[t].beside[back], triangles[t].twins[back]
        if t == first:
            break
    return OF_CORNER + corner
