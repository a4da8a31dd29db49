"""Two convex shapes of any kinds: how far apart or how deep, then what faces cover together."""

from __future__ import annotations

from ...jit import Record, Records, kernel
from ...spatial.kernels import Numbers, dot3, three
from ..records import ShapeKind
from .depth import depth_along, furthest, mend, way_out
from .distance import Apart, nearest_of_a, separate
from .facing import facing
from .gaps import bend
from .overlap import KINDS, OF_BOTH, meet, settle
from .solids_of_revolution import round_sizes
from .supports import core_radius
from .vectors import UP, Floats, along, length, less, more, place_of, times, unit_or

ROUND = (ShapeKind.CYLINDER, ShapeKind.CONE)
TINY = 1e-7  # of a size
GRAZING = 0.05  # of a size: round shapes that are nearer are looked at from further away


@kernel
def convex_convex(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    solids: Floats,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """Two convex shapes; the features are corners and edges, or 2^61 for a single place."""
    near, depth, n, p = way_between(a, X_WA, b, X_WB, solids, margin, work)
    if not near:
        return 0
    # halfway between the two surfaces, below the core's point of a
    point = along(more(place_of(X_WA), p), 0.5 * depth - core_radius(a), n)
    curvature = bent(a, X_WA, n) + bent(b, X_WB, n)
    facing(a, X_WA, times(-1.0, n), solids, work.a)
    facing(b, X_WB, n, solids, work.b)
    count = meet(n, curvature, margin, work, found_out)
    return settle(count, OF_BOTH * KINDS, point, n, depth, curvature, margin, found_out)


@kernel
def way_between(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    solids: Floats,
    margin: float,
    work: Record,
) -> tuple[bool, float, Numbers, Numbers]:
    """Whether two convex shapes are nearer than a margin, their depth, the normal, a point of a.

    The point is of a's core, from its origin.
    """
    way = less(place_of(X_WA), place_of(X_WB))
    radius = core_radius(a) + core_radius(b)
    simplex = work.simplex
    simplex.start_a, simplex.start_b = 0, 0
    state = separate(a, X_WA, b, X_WB, way, radius + margin, solids, simplex)
    if state == Apart.FAR:
        return False, 0.0, UP, UP
    size = min(a.radius, b.radius)
    is_round = a.kind in ROUND or b.kind in ROUND
    overlapping = state == Apart.OVERLAPPING
    apart = length(three(simplex.nearest))
    if not overlapping and apart < TINY * size:
        # so short a way may be nothing but rounding; then its direction does not part them
        n = unit_or(three(simplex.nearest), UP)
        if depth_along(a, X_WA, b, X_WB, way, n, solids, simplex) > TINY * size:
            overlapping = True
    if overlapping:
        last = unit_or(three(simplex.before), UP)
        depth, n, p = way_out(a, X_WA, b, X_WB, way, size, is_round, solids, simplex, work.grown)
        # of shapes that just touch the polytope may be too flat; the last step has their normal
        along_last = depth_along(a, X_WA, b, X_WB, way, last, solids, simplex)
        if along_last < depth - 1e-12 * size:
            back = times(-1.0, last)
            _, p = furthest(a, X_WA, b, X_WB, way, back, solids, simplex)
            depth, n, p = mend(a, X_WA, b, X_WB, way, along_last, back, p, size, solids, simplex)
    else:
        n = unit_or(three(simplex.nearest), UP)
        depth = -length(three(simplex.nearest))
        p = nearest_of_a(simplex)
        if is_round and -depth < GRAZING * size:
            depth = depth_along(a, X_WA, b, X_WB, way, n, solids, simplex)
            depth, n, p = mend(
                a, X_WA, b, X_WB, way, depth, times(-1.0, n), p, size, solids, simplex
            )
    depth += radius
    return depth > -margin, depth, n, p


@kernel
def bent(shape: Record, X: Floats, n: Numbers) -> float:
    """Mean curvature of a surface where its normal is n; 0 of faces, edges and corners."""
    if shape.kind == ShapeKind.SPHERE:
        return bend(shape.sizes[0])
    if shape.kind == ShapeKind.CAPSULE:
        return 0.5 * bend(shape.sizes[0])
    if shape.kind in ROUND:
        below, above, _ = round_sizes(shape)
        axis = (X[0, 2], X[1, 2], X[2, 2])
        if abs(dot3(axis, n)) < 0.999:
            return 0.5 * bend(0.5 * (below + above))
    return 0.0
