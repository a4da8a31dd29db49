"""How far two convex shapes are apart, by points of their difference (Gilbert, Johnson, Keerthi).

All differences of a point of a and one of b are a convex set, whose nearest point to the origin is
the shortest way from b to a. It is sought by a simplex of up to four of its points: the nearest of
the simplex tells the direction in which to look for the next point, and what of the simplex the
nearest does not need is dropped (E. Gilbert, D. Johnson, S. Keerthi: A fast procedure for computing
the distance between complex objects in three-dimensional space, 1988). A set lies beyond the plane
through its furthest point against a direction, which tells how much nearer anything can be.
"""

from __future__ import annotations

import math
from enum import IntEnum

from ...jit import Record, inlined_kernel, kernel
from ...spatial.kernels import Numbers, cross3, dot3, three
from .supports import support
from .triangles import nearest_of_line, nearest_of_triangle
from .vectors import Floats, along, length, less, more, times

MOST_STEPS = 200
GAP = 1e-15  # of a squared distance: as near to the least as can be told
ROUNDING = 4e-16  # of the shapes' size
FLAT = 1e-12  # of a tetrahedron: of a flatter one the origin is not inside
TOUCHING = 1e-12  # of the shapes' size: nearer than this they overlap


class Apart(IntEnum):
    """What is known of two cores."""

    FAR = 0  # further than the limit
    NEAR = 1  # by a distance that is known
    OVERLAPPING = 2


@kernel
def separate(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    way: Numbers,
    limit: float,
    solids: Floats,
    simplex: Record,
) -> int:
    """Find the shortest way between the cores of two shapes; `way` leads from b's origin to a's.

    What is found stands in the simplex: the way, and the points that it is made of.
    """
    v = way
    simplex.count = 0
    best = dot3(v, v)
    if not best > 0.0:
        v, best = (1.0, 0.0, 0.0), 1.0
    size = math.sqrt(best)
    for step in range(MOST_STEPS):
        simplex.before[0], simplex.before[1], simplex.before[2] = v
        p, simplex.start_a = support(a, X_WA, times(-1.0, v), solids, simplex.start_a)
        q, simplex.start_b = support(b, X_WB, v, solids, simplex.start_b)
        w = more(less(p, q), way)
        size = max(size, abs(w[0]), abs(w[1]), abs(w[2]))
        ahead = dot3(v, w)
        if ahead > 0.0 and ahead * ahead > limit * limit * best:
            return Apart.FAR
        if step > 0 and best - ahead <= GAP * best + ROUNDING * size * math.sqrt(best):
            return Apart.NEAR
        if known(simplex, w):
            return Apart.NEAR
        append(simplex, w, p)
        before = best
        if not nearest_of_simplex(simplex):
            return Apart.OVERLAPPING
        v = three(simplex.nearest)
        best = dot3(v, v)
        if best <= TOUCHING * TOUCHING * size * size:
            return Apart.OVERLAPPING
        if step > 0 and best >= before:
            return Apart.NEAR
    return Apart.NEAR


@inlined_kernel
def known(simplex: Record, w: Numbers) -> bool:
    """Whether a point is one of a simplex already."""
    for k in range(simplex.count):
        p = simplex.w[k]
        if p[0] == w[0] and p[1] == w[1] and p[2] == w[2]:
            return True
    return False


@inlined_kernel
def append(simplex: Record, w: Numbers, of_a: Numbers) -> None:
    """Add a point to a simplex."""
    k = simplex.count
    simplex.w[k, 0], simplex.w[k, 1], simplex.w[k, 2] = w
    simplex.of_a[k, 0], simplex.of_a[k, 1], simplex.of_a[k, 2] = of_a
    simplex.count = k + 1


@kernel
def nearest_of_simplex(simplex: Record) -> bool:
    """Find the nearest point to the origin and keep what it is made of; False if it is inside."""
    count = simplex.count
    if count == 1:
        simplex.count = 0
        keep(simplex, 0, 1.0, three(simplex.w[0]))
        return True
    if count == 2:
        s, t, v = nearest_of_line(three(simplex.w[0]), three(simplex.w[1]))
        keep_two(simplex, 0, 1, s, t, v)
        return True
    if count == 3:
        s, t, u, v = nearest_of_triangle(
            three(simplex.w[0]), three(simplex.w[1]), three(simplex.w[2])
        )
        keep_three(simplex, 0, 1, 2, s, t, u, v)
        return True
    return nearest_of_tetrahedron(simplex)


@kernel
def nearest_of_tetrahedron(simplex: Record) -> bool:
    """The nearest of its faces that the origin is outside of; False if it is inside all."""
    best, found = math.inf, -1
    for face in range(4):
        i, j, k = (face + 1) % 4, (face + 2) % 4, (face + 3) % 4
        p, q, r = three(simplex.w[i]), three(simplex.w[j]), three(simplex.w[k])
        n = cross3(less(q, p), less(r, p))
        inward = dot3(n, less(three(simplex.w[face]), p))
        outside = dot3(n, p)  # the origin's side is -outside
        thick = abs(inward) > FLAT * math.sqrt(dot3(n, n)) * longest(p, q, r)
        if inward * outside < 0.0 and thick:
            continue
        _, _, _, v = nearest_of_triangle(p, q, r)
        square = dot3(v, v)
        if square < best:
            best, found = square, face
    if found < 0:
        return False
    i, j, k = (found + 1) % 4, (found + 2) % 4, (found + 3) % 4
    s, t, u, v = nearest_of_triangle(three(simplex.w[i]), three(simplex.w[j]), three(simplex.w[k]))
    if found != 3:  # three of them in the order of their numbers
        i, j, k, s, t, u = in_order(i, j, k, s, t, u)
    keep_three(simplex, i, j, k, s, t, u, v)
    return True


@inlined_kernel
def longest(p: Numbers, q: Numbers, r: Numbers) -> float:
    """The length of a triangle, roughly."""
    return max(length(less(q, p)), length(less(r, p)))


@inlined_kernel
def in_order(
    i: int, j: int, k: int, s: float, t: float, u: float
) -> tuple[int, int, int, float, float, float]:
    """Three numbers in rising order, each with its weight."""
    if i > j:
        i, j, s, t = j, i, t, s
    if j > k:
        j, k, t, u = k, j, u, t
    if i > j:
        i, j, s, t = j, i, t, s
    return i, j, k, s, t, u


@inlined_kernel
def keep(simplex: Record, k: int, weight: float, v: Numbers) -> None:
    """Keep a point as the next one, with its weight; points are kept in the order of numbers."""
    n = simplex.count
    for i in range(3):
        simplex.w[n, i] = simplex.w[k, i]
        simplex.of_a[n, i] = simplex.of_a[k, i]
    simplex.weights[n] = weight
    simplex.count = n + 1
    simplex.nearest[0], simplex.nearest[1], simplex.nearest[2] = v


@inlined_kernel
def keep_two(simplex: Record, i: int, j: int, s: float, t: float, v: Numbers) -> None:
    """Keep those of two points that have a weight."""
    simplex.count = 0
    if s > 0.0:
        keep(simplex, i, s, v)
    if t > 0.0:
        keep(simplex, j, t, v)


@inlined_kernel
def keep_three(
    simplex: Record, i: int, j: int, k: int, s: float, t: float, u: float, v: Numbers
) -> None:
    """Keep those of three points that have a weight."""
    keep_two(simplex, i, j, s, t, v)
    if u > 0.0:
        keep(simplex, k, u, v)


@kernel
def nearest_of_a(simplex: Record) -> Numbers:
    """The point of a where the shortest way ends, from a's origin, W."""
    p: Numbers = (0.0, 0.0, 0.0)
    for k in range(simplex.count):
        p = along(p, simplex.weights[k], three(simplex.of_a[k]))
    return p
