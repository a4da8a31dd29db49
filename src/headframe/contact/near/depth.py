"""How deep two convex shapes overlap: a polytope that grows to the surface of their difference.

The differences of points of two shapes that overlap are a convex set with the origin inside, and
the shortest way out of it is the least shift that parts them. A polytope of points of its surface
grows from the simplex of `distance`: the face that is nearest to the origin is moved out to the
furthest point along its normal, until it cannot be (G. van den Bergen: Proximity queries and
penetration depth computation on 3D game objects, 2001). For shapes of plane faces it ends on one of
the difference's own faces. For round ones it is ended early, and the way out mended as follows;
then it goes on where another way could be shorter still.

If two shapes overlap by d along n, move one by (d + e) n. Then they are apart, by e along n and by
no less than that along the shortest way between them, n'. In this direction the overlap d' of where
they were is less: apart = (d + e) n.n' - d' >= e, hence d' <= d - (d + e)(1 - n.n'). So every such
step makes the way out shorter, until n' = n.
"""

from __future__ import annotations

import math

from ...jit import Record, inlined_kernel, kernel
from ...spatial.kernels import Numbers, cross3, dot3, three
from ..records import MOST_FACES, MOST_POINTS
from .distance import Apart, append, nearest_of_a, separate
from .supports import support
from .vectors import UP, Floats, across, along, length, less, more, times, unit_or

EXACT = 1e-13  # of a size: a face that cannot be moved further than that is of the surface
ROUGH = 3e-4  # the same for round shapes, whose way out is mended then
FLAT = 1e-10  # of a size: a point so near to a line or plane of others does not span anything
SAME_WAY = 0.995  # cosine of two ways out that count as one
MOST_MENDS = 60
MOST_WAYS = 16  # that are mended


@kernel
def furthest(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    way: Numbers,
    n: Numbers,
    solids: Floats,
    simplex: Record,
) -> tuple[Numbers, Numbers]:
    """The furthest point of the difference of two cores along n, and that of a, from its origin."""
    p, simplex.start_a = support(a, X_WA, n, solids, simplex.start_a)
    q, simplex.start_b = support(b, X_WB, times(-1.0, n), solids, simplex.start_b)
    return more(less(p, q), way), p


@kernel
def span_space(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    way: Numbers,
    size: float,
    solids: Floats,
    simplex: Record,
) -> bool:
    """Add points to a simplex around the origin until it is a tetrahedron; False if all is flat."""
    for k in range(6):  # a second point
        if simplex.count != 1:
            break
        side = 1.0 if k < 3 else -1.0
        i = k % 3
        n: Numbers = (
            side if i == 0 else 0.0,
            side if i == 1 else 0.0,
            side if i == 2 else 0.0,
        )
        w, p = furthest(a, X_WA, b, X_WB, way, n, solids, simplex)
        if length(less(w, three(simplex.w[0]))) > FLAT * size:
            append(simplex, w, p)
    if simplex.count == 2:  # a third one, beside their line
        d = unit_or(less(three(simplex.w[1]), three(simplex.w[0])), UP)
        e = across(d)
        f = cross3(d, e)
        for k in range(6):
            angle = k * math.pi / 3.0
            n = along(times(math.cos(angle), e), math.sin(angle), f)
            w, p = furthest(a, X_WA, b, X_WB, way, n, solids, simplex)
            if length(cross3(d, less(w, three(simplex.w[0])))) > FLAT * size:
                append(simplex, w, p)
                break
    if simplex.count == 3:  # a fourth one, beside their plane
        d = less(three(simplex.w[1]), three(simplex.w[0]))
        e = less(three(simplex.w[2]), three(simplex.w[0]))
        n = unit_or(cross3(d, e), UP)
        for _ in range(2):
            w, p = furthest(a, X_WA, b, X_WB, way, n, solids, simplex)
            if abs(dot3(n, less(w, three(simplex.w[0])))) > FLAT * size:
                append(simplex, w, p)
                break
            n = times(-1.0, n)
    return bool(simplex.count == 4)


@inlined_kernel
def add_point(grown: Record, w: Numbers, p: Numbers) -> int:
    """Add a point to the polytope; its number."""
    k: int = grown.points
    grown.w[k, 0], grown.w[k, 1], grown.w[k, 2] = w
    grown.of_a[k, 0], grown.of_a[k, 1], grown.of_a[k, 2] = p
    grown.points = k + 1
    return k


@kernel
def add_face(grown: Record, i: int, j: int, k: int) -> None:
    """Add a triangle to the polytope."""
    f = grown.faces
    for old in range(grown.faces):
        if grown.face[old].height == math.inf:
            f = old
            break
    if f >= MOST_FACES:
        return
    face = grown.face[f]
    face.p[0], face.p[1], face.p[2] = i, j, k
    face.tried = 0
    p = three(grown.w[i])
    n = cross3(less(three(grown.w[j]), p), less(three(grown.w[k]), p))
    if not dot3(n, n) > 0.0:  # a line: nothing is to be found there
        face.height = 1e300
        n = UP
    else:
        n = unit_or(n, UP)
        face.height = dot3(n, p)
    face.normal[0], face.normal[1], face.normal[2] = n
    grown.faces = max(grown.faces, f + 1)


@kernel
def begin_growing(simplex: Record, grown: Record) -> None:
    """The polytope of a tetrahedron."""
    grown.points, grown.faces = 0, 0
    for k in range(4):
        add_point(grown, three(simplex.w[k]), three(simplex.of_a[k]))
    p = three(grown.w[0])
    n = cross3(less(three(grown.w[1]), p), less(three(grown.w[2]), p))
    if dot3(n, less(three(grown.w[3]), p)) > 0.0:  # the fourth must be behind the first three
        add_face(grown, 0, 2, 1)
        add_face(grown, 0, 1, 3)
        add_face(grown, 1, 2, 3)
        add_face(grown, 2, 0, 3)
    else:
        add_face(grown, 0, 1, 2)
        add_face(grown, 1, 0, 3)
        add_face(grown, 2, 1, 3)
        add_face(grown, 0, 2, 3)


@kernel
def nearest_face(grown: Record, out: Numbers) -> int:
    """The face whose plane is nearest to the origin, but for those tried and near a way out."""
    best, height = 0, math.inf
    for f in range(grown.faces):
        face = grown.face[f]
        if face.height < height and face.tried == 0:
            if dot3(three(face.normal), out) < -SAME_WAY:
                continue
            best, height = f, face.height
    return best


@kernel
def grow(grown: Record, new: int, tight: float) -> bool:
    """Replace all faces that a new point is in front of by those from their outline to it.

    False if it is in front of none.
    """
    grown.edges = 0
    w = three(grown.w[new])
    for f in range(grown.faces):
        face = grown.face[f]
        if face.height == math.inf:
            continue
        if face.height == 1e300 or dot3(three(face.normal), w) - face.height > tight:
            face.height = math.inf
            toggle_edge(grown, face.p[0], face.p[1])
            toggle_edge(grown, face.p[1], face.p[2])
            toggle_edge(grown, face.p[2], face.p[0])
    if grown.edges == 0:
        return False
    for e in range(grown.edges):
        add_face(grown, grown.edge[e, 0], grown.edge[e, 1], new)
    return True


@inlined_kernel
def toggle_edge(grown: Record, i: int, j: int) -> None:
    """Add an edge to the outline, or take away what is on both sides of one."""
    for e in range(grown.edges):
        if grown.edge[e, 0] == j and grown.edge[e, 1] == i:
            last = grown.edges - 1
            grown.edge[e, 0], grown.edge[e, 1] = grown.edge[last, 0], grown.edge[last, 1]
            grown.edges = last
            return
    if grown.edges < MOST_FACES:
        grown.edge[grown.edges, 0], grown.edge[grown.edges, 1] = i, j
        grown.edges += 1


@kernel
def way_out(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    way: Numbers,
    size: float,
    is_round: bool,
    solids: Floats,
    simplex: Record,
    grown: Record,
) -> tuple[float, Numbers, Numbers]:
    """How deep the cores of two shapes overlap, the way out of a, and a's point that is deepest.

    The point is given from a's origin. `simplex` comes from `separate`; what overlaps by nothing
    but a plane or a line has the depth 0.
    """
    if not span_space(a, X_WA, b, X_WB, way, size, solids, simplex):
        return flat_way_out(simplex)
    begin_growing(simplex, grown)
    tight = (ROUGH if is_round else EXACT) * size
    depth, out, deepest = math.inf, UP, UP
    ways = 0
    while ways < MOST_WAYS:
        f = nearest_face(grown, out if depth < math.inf else (0.0, 0.0, 0.0))
        face = grown.face[f]
        if face.height >= depth - EXACT * size:
            break
        n = three(face.normal)
        w, p = furthest(a, X_WA, b, X_WB, way, n, solids, simplex)
        ahead = dot3(n, w)
        can_grow = ahead - face.height > tight and grown.points < MOST_POINTS
        if can_grow and grow(grown, add_point(grown, w, p), 1e-15 * size):
            continue
        face.tried = 1
        ways += 1
        if not is_round:
            return ahead, times(-1.0, n), weighed(grown, f)
        found, m, p = mend(
            a, X_WA, b, X_WB, way, ahead, n, weighed(grown, f), size, solids, simplex
        )
        if found < depth:
            depth, out, deepest = found, m, p
    return depth, out, deepest


@kernel
def flat_way_out(simplex: Record) -> tuple[float, Numbers, Numbers]:
    """Of two shapes whose difference is flat: across the plane, or the line, that it is."""
    n = UP
    if simplex.count == 2:
        n = across(unit_or(less(three(simplex.w[1]), three(simplex.w[0])), UP))
    elif simplex.count == 3:
        d = less(three(simplex.w[1]), three(simplex.w[0]))
        e = less(three(simplex.w[2]), three(simplex.w[0]))
        n = unit_or(cross3(d, e), UP)
    return 0.0, n, three(simplex.of_a[0])


@kernel
def weighed(grown: Record, f: int) -> Numbers:
    """The point of a that belongs to a face's nearest point to the origin, from a's origin."""
    i, j, k = grown.face[f].p
    n, height = three(grown.face[f].normal), grown.face[f].height
    foot = times(height, n)
    p, q, r = (
        less(three(grown.w[i]), foot),
        less(three(grown.w[j]), foot),
        less(three(grown.w[k]), foot),
    )
    at_p = max(dot3(n, cross3(q, r)), 0.0)
    at_q = max(dot3(n, cross3(r, p)), 0.0)
    at_r = max(dot3(n, cross3(p, q)), 0.0)
    total = at_p + at_q + at_r
    if not total > 0.0:
        return three(grown.of_a[i])
    found = times(at_p / total, three(grown.of_a[i]))
    found = along(found, at_q / total, three(grown.of_a[j]))
    return along(found, at_r / total, three(grown.of_a[k]))


@kernel
def mend(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    way: Numbers,
    depth: float,
    n: Numbers,
    p: Numbers,
    size: float,
    solids: Floats,
    simplex: Record,
) -> tuple[float, Numbers, Numbers]:
    """Shorten a way out, which goes against n, by moving the shapes apart and looking again.

    The steps shrink by a factor that two of them tell; the sum of all that would follow is tried.
    """
    n = times(-1.0, n)
    before, share = 0.0, 1.0
    for _ in range(MOST_MENDS):
        beyond = share * (0.1 * abs(depth) + 1e-3 * size)
        moved = along(way, depth + beyond, n)
        if separate(a, X_WA, b, X_WB, moved, math.inf, solids, simplex) != Apart.NEAR:
            break
        better = unit_or(three(simplex.nearest), n)
        found = depth_along(a, X_WA, b, X_WB, way, better, solids, simplex)
        if not found < depth - 1e-15 * size:
            if share > 50.0:
                break
            share, before = 10.0 * share, 0.0  # from further away small steps are told better
            continue
        p = nearest_of_a(simplex)
        step = less(better, n)
        shrinks = min(length(step) / before, 0.999) if before > 0.0 else 0.0
        before = length(step)
        depth, n = found, better
        if shrinks > 0.05:
            better = unit_or(along(n, shrinks / (1.0 - shrinks), step), n)
            found = depth_along(a, X_WA, b, X_WB, way, better, solids, simplex)
            if found < depth:
                depth, n, before = found, better, 0.0
                continue
    return depth, n, p


@kernel
def depth_along(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    way: Numbers,
    n: Numbers,
    solids: Floats,
    simplex: Record,
) -> float:
    """How far a must be moved along n to be outside of b."""
    w, _ = furthest(a, X_WA, b, X_WB, way, times(-1.0, n), solids, simplex)
    return -dot3(n, w)
