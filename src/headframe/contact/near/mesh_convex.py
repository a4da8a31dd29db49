"""A convex shape against a mesh: triangle by triangle, with normals that the mesh can have.

Each triangle near the shape is a convex shape itself, so depth, normal and what both faces cover
come as of any two. But a triangle is a part of a surface: it can push no further to a side than up
to the normal of the triangle beside it, and not at all over an edge that is flat or a groove. A
normal that leans further is replaced by the triangle's own; so a box that slides over a plane of
many triangles feels one plane. Places that several triangles find are written once.
"""

from __future__ import annotations

import math

from ...jit import Record, Records, indices, inlined_kernel, kernel, matrix, record, records
from ...spatial.kernels import Numbers, cross3, dot3, three
from ..records import NODE, SOLID, TRIANGLE, ShapeKind
from .convex import bent, way_between
from .extents import extent
from .facing import facing
from .overlap import deepest, meet, settle
from .supports import core_radius
from .vectors import (
    UP,
    Floats,
    along,
    less,
    more,
    place_of,
    times,
    turned_back,
    turned_by,
    unit_or,
)

FEATURES = 1 << 30  # features of one triangle
SAME = 1e-6  # of a size: places that are nearer are one
LEAN = 1e-9  # sine by which a normal leans to a side
FURTHER = 4.0  # a replaced normal must not lead so much further than the shortest way
SINGLE = FEATURES - 1  # feature of a triangle's only place


@kernel
def convex_mesh(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    solids: Floats,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """Places where a convex shape a touches a mesh b; features are of triangles."""
    count = go_around(a, X_WA, b, X_WB, FURTHER, solids, margin, work, found_out)
    if count < 0:  # it pokes through the rims of triangles alone
        count = go_around(a, X_WA, b, X_WB, math.inf, solids, margin, work, found_out)
    return max(count, 0)


@kernel
def go_around(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    further: float,
    solids: Floats,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """Look at all triangles near a shape; how many places are found, -1 if none of an overlap.

    A replaced normal may lead `further` than the shortest way. If that has no limit, one triangle
    is taken.
    """
    head = record(solids, b.solid, SOLID)
    nodes, order = records(solids, head.nodes, NODE), indices(solids, head.order)
    low, high = bounds_in_mesh(a, X_WA, X_WB, solids, margin)
    work.stack[0, 0] = 0
    waiting, count = 1, 0
    overlaps = False
    while waiting > 0:
        waiting -= 1
        node = nodes[work.stack[waiting, 0]]
        if is_outside(node, low, high):
            continue
        if node.children[0] >= 0:
            work.stack[waiting, 0] = node.children[0]
            work.stack[waiting + 1, 0] = node.children[1]
            waiting += 2
            continue
        first, number = node.first
        for k in range(first, first + number):
            if count < found_out.shape[0]:
                room = found_out[count:]
                found = touch_triangle(
                    a, X_WA, b, X_WB, order[k], further, solids, margin, work, room
                )
                overlaps = overlaps or found < 0
                if further == math.inf:
                    count = keep_better(count, found, found_out)
                else:
                    count = merge(count, found, SAME * a.radius, found_out)
    if overlaps and deepest(found_out, count) <= 0.0:
        return -1
    return drop_replaced(count, found_out)


@kernel
def keep_better(count: int, found: int, found_out: Records) -> int:
    """Keep the first `count` places or those behind them.

    Places with a triangle's own shortest way are better than others, and of those the deepest,
    since the mesh cannot be left by less; of replaced normals the shallowest.
    """
    if found <= 0:
        return count
    behind = found_out[count:]
    if count > 0:
        replaced = behind[0].a
        if replaced > found_out[0].a:
            return count
        deeper = deepest(behind, found) > deepest(found_out, count)
        if replaced == found_out[0].a and deeper == (replaced == 1):
            return count
    for k in range(found):
        copy_touch(behind[k], found_out[k])
    return found


@kernel
def bounds_in_mesh(
    a: Record, X_WA: Floats, X_WB: Floats, solids: Floats, margin: float
) -> tuple[Numbers, Numbers]:
    """The box along the mesh's axes that holds a shape and a margin."""
    c = turned_back(X_WB, less(place_of(X_WA), place_of(X_WB)))
    x0, x1 = extent(a, turned_back(X_WA, (X_WB[0, 0], X_WB[1, 0], X_WB[2, 0])), solids)
    y0, y1 = extent(a, turned_back(X_WA, (X_WB[0, 1], X_WB[1, 1], X_WB[2, 1])), solids)
    z0, z1 = extent(a, turned_back(X_WA, (X_WB[0, 2], X_WB[1, 2], X_WB[2, 2])), solids)
    low = (c[0] + x0 - margin, c[1] + y0 - margin, c[2] + z0 - margin)
    return low, (c[0] + x1 + margin, c[1] + y1 + margin, c[2] + z1 + margin)


@inlined_kernel
def is_outside(node: Record, low: Numbers, high: Numbers) -> bool:
    """Whether a node's box has nothing in common with another."""
    apart = False
    for i in range(3):
        apart = apart or node.low[i] > high[i] or node.high[i] < low[i]
    return apart


@kernel
def touch_triangle(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    t: int,
    further: float,
    solids: Floats,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """Places where a convex shape touches one triangle of a mesh; -1 if they only overlap."""
    head = record(solids, b.solid, SOLID)
    points, triangles = matrix(solids, head.points), records(solids, head.triangles, TRIANGLE)
    own = three(triangles[t].normal)
    if not dot3(own, own) > 0.5:
        return 0
    shape = work.triangle
    shape.kind, shape.radius = ShapeKind.TRIANGLE, b.radius
    for k in range(3):
        for i in range(3):
            shape.X_BS[k, i] = points[triangles[t].corners[k], i]
    near, depth, n, p = way_between(a, X_WA, shape, X_WB, solids, margin, work)
    if not near:
        return 0
    normal = turned_by(X_WB, own)
    exact = is_within(turned_back(X_WB, n), t, points, triangles)
    if not exact:
        if depth <= 0.0:
            return 0  # apart, and another triangle is nearer
        if further == math.inf and dot3(n, normal) > LEAN:
            exact = True  # there is no better one
        else:
            n = normal
    facing(a, X_WA, times(-1.0, n), solids, work.a)
    facing(shape, X_WB, n, solids, work.b)
    curvature = bent(a, X_WA, n)
    count = meet(n, curvature, margin, work, found_out)
    if exact:
        point = along(more(place_of(X_WA), p), 0.5 * depth - core_radius(a), n)
        count = settle(count, SINGLE, point, n, depth, curvature, margin, found_out)
    if not exact and (count == 0 or deepest(found_out, count) > further * depth):
        return -1
    for k in range(count):
        found_out[k].a = 0 if exact else 1  # until all triangles are done
        found_out[k].feature = t * FEATURES + found_out[k].feature % (FEATURES - 35)
    return count


@kernel
def is_within(n: Numbers, t: int, points: Floats, triangles: Records) -> bool:
    """Whether a triangle can push along n: no further aside than those beside it allow.

    Not against its own normal, nor over an edge that is flat or a groove, nor beyond the normal of
    a triangle beside it that lies lower.
    """
    triangle = triangles[t]
    own = three(triangle.normal)
    if dot3(n, own) <= LEAN:
        return False
    for k in range(3):
        p, q = three(points[triangle.corners[k]]), three(points[triangle.corners[(k + 1) % 3]])
        out = unit_or(cross3(less(q, p), own), UP)  # across the edge, away from the triangle
        side = dot3(n, out)
        if side <= LEAN:
            continue
        beside = three(triangles[triangle.beside[k]].normal)
        drop = dot3(beside, out)
        # between the two normals, in the plane across the edge
        if drop <= LEAN or side * dot3(beside, own) > drop * dot3(n, own) + LEAN:
            return False
    return True


@kernel
def merge(count: int, found: int, close: float, found_out: Records) -> int:
    """Keep of the places behind the first `count` those that are not there yet; how many in all."""
    total = count
    for k in range(count, count + found):
        same = -1
        for m in range(total):
            way = less(three(found_out[k].point), three(found_out[m].point))
            turn = dot3(three(found_out[k].normal), three(found_out[m].normal))
            if dot3(way, way) < close * close and turn > 0.999:
                same = m
                break
        if same < 0:
            copy_touch(found_out[k], found_out[total])
            total += 1
    return total


@kernel
def drop_replaced(count: int, found_out: Records) -> int:
    """Drop places with a replaced normal that are deeper than all with their own, if there are any.

    A shape that pokes through the rim of a triangle is parted from it by a shorter way, which the
    triangles beside it find.
    """
    most = -math.inf
    for k in range(count):
        if found_out[k].a == 0:
            most = max(most, found_out[k].depth)
    if most <= 0.0:
        return count
    kept = 0
    for k in range(count):
        if found_out[k].a == 0 or found_out[k].depth <= most * (1.0 + SAME):
            copy_touch(found_out[k], found_out[kept])
            kept += 1
    return kept


@inlined_kernel
def copy_touch(touch: Record, touch_out: Record) -> None:
    """Copy a place."""
    touch_out.a, touch_out.feature = touch.a, touch.feature
    for i in range(3):
        touch_out.point[i], touch_out.normal[i] = touch.point[i], touch.normal[i]
    touch_out.depth, touch_out.curvature = touch.depth, touch.curvature
