"""The point of a convex shape that is furthest along a direction.

Of spheres and capsules it is that of their core, a point or a line, without the radius about it.
"""

from __future__ import annotations

import math

from ...jit import Record, indices, inlined_kernel, kernel, matrix, record
from ...spatial.kernels import Numbers, dot3, three
from ..records import SOLID, ShapeKind
from .solids_of_revolution import round_sizes
from .vectors import Floats, turned_back, turned_by

FEW = 24  # points of a hull up to which all are looked at


@inlined_kernel
def core_radius(shape: Record) -> float:
    """Radius about the core of a sphere or capsule; others are their own core."""
    radius: float = shape.sizes[0]
    return radius if shape.kind in (ShapeKind.SPHERE, ShapeKind.CAPSULE) else 0.0


@kernel
def support(
    shape: Record, X: Floats, d: Numbers, solids: Floats, start: int
) -> tuple[Numbers, int]:
    """The furthest point of a core along d, from the shape's origin in W, and its number in a hull.

    The search in a hull begins at a point `start`.
    """
    d = turned_back(X, d)
    if shape.kind == ShapeKind.BOX:
        p: Numbers = (
            math.copysign(shape.sizes[0], d[0]),
            math.copysign(shape.sizes[1], d[1]),
            math.copysign(shape.sizes[2], d[2]),
        )
    elif shape.kind == ShapeKind.HULL:
        start = furthest_of_hull(d, solids, shape.solid, start)
        p = three(matrix(solids, record(solids, shape.solid, SOLID).points)[start])
    elif shape.kind in (ShapeKind.CYLINDER, ShapeKind.CONE):
        p = furthest_of_round(shape, d)
    elif shape.kind == ShapeKind.CAPSULE:
        p = (0.0, 0.0, math.copysign(shape.sizes[1], d[2]))
    elif shape.kind == ShapeKind.TRIANGLE:
        p = furthest_of_triangle(shape, d)
    else:
        p = (0.0, 0.0, 0.0)
    return turned_by(X, p), start


@inlined_kernel
def furthest_of_triangle(shape: Record, d: Numbers) -> Numbers:
    """Of the corners of a triangle, in the axes of its mesh."""
    best, at = -math.inf, 0
    for k in range(3):
        p = shape.X_BS[k]
        here = d[0] * p[0] + d[1] * p[1] + d[2] * p[2]
        if here > best:
            best, at = here, k
    p = shape.X_BS[at]
    return p[0], p[1], p[2]


@inlined_kernel
def furthest_of_round(shape: Record, d: Numbers) -> Numbers:
    """Of a cylinder or cone, in its own axes: a point of one of its rims."""
    below, above, half = round_sizes(shape)
    aside = math.sqrt(d[0] * d[0] + d[1] * d[1])
    c, s = (d[0] / aside, d[1] / aside) if aside > 1e-150 else (1.0, 0.0)
    if aside * (above - below) + 2.0 * half * d[2] > 0.0:
        return above * c, above * s, half
    return below * c, below * s, -half


@kernel
def furthest_of_hull(d: Numbers, solids: Floats, solid: int, start: int) -> int:
    """Number of a hull's furthest point: of few the best, of many by going uphill along edges.

    On a convex hull a point that is not the furthest has a neighbour that is further.
    """
    head = record(solids, solid, SOLID)
    points = matrix(solids, head.points)
    best, at = dot3(d, three(points[start])), start
    if points.shape[0] <= FEW:
        for k in range(points.shape[0]):
            here = dot3(d, three(points[k]))
            if here > best:
                best, at = here, k
        return at
    beside, neighbours = indices(solids, head.beside), indices(solids, head.neighbours)
    moved = True
    while moved:
        moved = False
        for k in range(beside[at], beside[at + 1]):
            here = dot3(d, three(points[neighbours[k]]))
            if here > best:
                best, next_at = here, neighbours[k]
                moved = True
        if moved:
            at = next_at
    return at
