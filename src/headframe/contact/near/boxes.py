"""Two boxes: the best of fifteen axes, then what their faces cover together.

Two boxes overlap exactly if their shadows do on each of fifteen axes: the normals of the faces of
both, and the products of their edges. The axis on which they overlap least is the way out
(Gottschalk, Lin, Manocha: OBBTree, 1996, section 5). Boxes that are apart can be further apart than
on any of them, if two corners or a corner and an edge are nearest: then the general way is gone.
"""

from __future__ import annotations

import math

from ...jit import Record, Records, kernel
from ...spatial.kernels import Numbers, cross3, dot3
from .convex import convex_convex
from .facing import box_face
from .overlap import KINDS, OF_BOTH, deepest, meet, settle
from .vectors import UP, Floats, along, axis_of, less, place_of, times, turned_back

PARALLEL = 1e-14  # squared sine of two edges that have no product
CLOSE = 1e-12  # of a size: the gap of two faces is the distance if it is that of the axis
EQUAL = 4e-9  # of a size: of axes that are so nearly equally good, one may be taken for another
BETTER = 1e-9  # of a size: by so much the product of two edges must be better than a face


@kernel
def box_box(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    no_solids: Floats,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """Two boxes; features are corners and edges."""
    way = less(place_of(X_WA), place_of(X_WB))
    apart, n = best_axis(a.sizes, X_WA, b.sizes, X_WB, way, margin)
    if apart >= margin:
        return 0
    box_face(a.sizes, X_WA, times(-1.0, n), work.a)
    box_face(b.sizes, X_WB, n, work.b)
    count = meet(n, 0.0, margin, work, found_out)
    if apart > 0.0 and deepest(found_out, count) < -apart - CLOSE * (a.radius + b.radius):
        return convex_convex(a, X_WA, b, X_WB, no_solids, margin, work, found_out)
    if count > 0 and deepest(found_out, count) >= -apart - EQUAL * (a.radius + b.radius):
        return count
    point = crossing(a.sizes, X_WA, b.sizes, X_WB, n)
    return settle(count, OF_BOTH * KINDS, point, n, -apart, 0.0, margin, found_out)


@kernel
def best_axis(
    size_a: Floats, X_WA: Floats, size_b: Floats, X_WB: Floats, way: Numbers, margin: float
) -> tuple[float, Numbers]:
    """How far two boxes are apart along the axis on which that is most, and the axis, to a.

    `way` leads from the centre of b to that of a. Less than 0 is the depth. The search ends where
    they are apart by the margin.
    """
    best, n = -math.inf, UP
    t = turned_back(X_WA, way)
    s = turned_back(X_WB, way)
    for i in range(3):
        u = axis_of(X_WA, i)
        v = turned_back(X_WB, u)
        reach = abs(v[0]) * size_b[0] + abs(v[1]) * size_b[1] + abs(v[2]) * size_b[2]
        apart = abs(t[i]) - size_a[i] - reach
        if apart > best:
            best, n = apart, times(1.0 if t[i] >= 0.0 else -1.0, u)
            if best >= margin:
                return best, n
    for i in range(3):
        u = axis_of(X_WB, i)
        v = turned_back(X_WA, u)
        reach = abs(v[0]) * size_a[0] + abs(v[1]) * size_a[1] + abs(v[2]) * size_a[2]
        apart = abs(s[i]) - size_b[i] - reach
        if apart > best + BETTER * (size_a[0] + size_b[0]):
            best, n = apart, times(1.0 if s[i] >= 0.0 else -1.0, u)
            if best >= margin:
                return best, n
    better = BETTER * (size_a[0] + size_a[1] + size_a[2] + size_b[0] + size_b[1] + size_b[2])
    for i in range(3):
        u = axis_of(X_WA, i)
        for j in range(3):
            w = cross3(u, axis_of(X_WB, j))
            square = dot3(w, w)
            if square < PARALLEL:
                continue
            w = times(1.0 / math.sqrt(square), w)
            v, x = turned_back(X_WA, w), turned_back(X_WB, w)
            reach = (abs(v[0]) * size_a[0] + abs(v[1]) * size_a[1] + abs(v[2]) * size_a[2]) + (
                abs(x[0]) * size_b[0] + abs(x[1]) * size_b[1] + abs(x[2]) * size_b[2]
            )
            along_it = dot3(w, way)
            apart = abs(along_it) - reach
            if apart > best + better:
                best, n = apart, times(1.0 if along_it >= 0.0 else -1.0, w)
                if best >= margin:
                    return best, n
    return best, n


@kernel
def deepest_edge(size: Floats, X: Floats, d: Numbers) -> tuple[Numbers, Numbers]:
    """Middle and half of the edge of a box that reaches furthest along d, across which it is."""
    d = turned_back(X, d)
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    k = 0 if x <= y and x <= z else (1 if y <= z else 2)
    p = place_of(X)
    for i in range(3):
        if i != k:
            p = along(p, math.copysign(size[i], d[i]), axis_of(X, i))
    return p, times(size[k], axis_of(X, k))


@kernel
def crossing(size_a: Floats, X_WA: Floats, size_b: Floats, X_WB: Floats, n: Numbers) -> Numbers:
    """Halfway between the deepest edges of two boxes, where they cross as seen along n."""
    p, u = deepest_edge(size_a, X_WA, times(-1.0, n))
    q, v = deepest_edge(size_b, X_WB, n)
    w = less(p, q)
    # p + s u and q + t v have the same place across n:  s (u x v).n = -(w x v).n
    area = dot3(n, cross3(u, v))
    if abs(area) < 1e-300:
        return along(q, 0.5, w)
    s = -dot3(n, cross3(w, v)) / area
    t = -dot3(n, cross3(w, u)) / area
    s, t = min(max(s, -1.0), 1.0), min(max(t, -1.0), 1.0)
    p, q = along(p, s, u), along(q, t, v)
    return along(q, 0.5, less(p, q))
