"""Where two faces lie on each other: corners of what both cover, as seen along the normal.

Two faces that look at each other along a normal n are two plane pieces, and the gap between them is
a linear function over the plane across n. So it is least at a corner of the polygon that both cover
there, and its corners carry any moment: corners of one that lie within the other, and points where
two edges cross. Nothing here depends on which of the two has given the normal, so it may change
from a face's to that of two edges without a jump of a place or a depth.

The polygon is made by clipping one with the edges of the other (Sutherland and Hodgman, Reentrant
polygon clipping, 1974). With each corner goes the edge that follows it; the edges before and behind
a corner tell what it is, and that is its feature.
"""

from __future__ import annotations

import math

from ...jit import Record, Records, inlined_kernel, kernel
from ...spatial.kernels import Numbers, cross3, dot3, three
from .vectors import Floats, across, along, less, times
from .writing import put, put_near

SAME = 1e-9  # of a face's size: a corner is within an edge if it is outside by less
SHORT = 1e3  # of that: a shorter line has not two ends
OF_A, OF_B, OF_BOTH = 0, 1, 2  # kinds of features: a corner of a, a corner of b, two edges
KINDS, NAMES, EDGES = 1 << 60, 1 << 30, 1 << 15


@kernel
def meet(n: Numbers, curvature: float, margin: float, work: Record, found_out: Records) -> int:
    """Places where the faces work.a and work.b lie on each other; n leads from b to a."""
    e, f = basis(n)
    flatten(work.a, e, f, work.flat_a)
    flatten(work.b, e, f, work.flat_b)
    if work.a.count > 2 and work.b.count > 2:
        count = clip(work)
        return put_polygon(count, n, e, f, curvature, margin, work, found_out)
    if work.a.count == 2 and work.b.count > 2:
        return put_line(work.a, work.flat_a, work.b, work.flat_b, True, n, curvature, margin,
                        found_out)  # fmt: skip
    if work.b.count == 2 and work.a.count > 2:
        return put_line(work.b, work.flat_b, work.a, work.flat_a, False, n, curvature, margin,
                        found_out)  # fmt: skip
    return 0


@inlined_kernel
def basis(n: Numbers) -> tuple[Numbers, Numbers]:
    """Two axes of the plane across n."""
    e = across(n)
    return e, cross3(n, e)


@inlined_kernel
def flatten(face: Record, e: Numbers, f: Numbers, flat_out: Floats) -> None:
    """Corners of a face in the plane of two axes, from the first corner of a."""
    for k in range(face.count):
        p = three(face.corners[k])
        flat_out[k, 0], flat_out[k, 1] = dot3(e, p), dot3(f, p)


@kernel
def widest(flat: Floats, count: int) -> float:
    """Size of a polygon: the larger side of the rectangle around it."""
    low_x, low_y, high_x, high_y = flat[0, 0], flat[0, 1], flat[0, 0], flat[0, 1]
    for k in range(count):
        low_x, high_x = min(low_x, flat[k, 0]), max(high_x, flat[k, 0])
        low_y, high_y = min(low_y, flat[k, 1]), max(high_y, flat[k, 1])
    size: float = max(high_x - low_x, high_y - low_y)
    return size


@kernel
def clip(work: Record) -> int:
    """Leave of flat_a what is inside all edges of flat_b, which go counter-clockwise."""
    count: int = work.a.count
    tight = SAME * max(widest(work.flat_a, count), widest(work.flat_b, work.b.count))
    for k in range(count):
        work.follows[k] = k
    for j in range(work.b.count):
        i = j + 1 if j + 1 < work.b.count else 0
        x, y = work.flat_b[j, 0], work.flat_b[j, 1]
        dx, dy = work.flat_b[i, 0] - x, work.flat_b[i, 1] - y
        edge = math.sqrt(dx * dx + dy * dy)
        if edge > tight:
            count = clip_by_edge(count, x, y, dx / edge, dy / edge, tight, work.a.count + j, work)
    return count


@kernel
def clip_by_edge(
    count: int, x: float, y: float, dx: float, dy: float, tight: float, edge: int, work: Record
) -> int:
    """Leave what is to the left of a line through (x, y) along (dx, dy); corners that are left."""
    kept = 0
    flat, spare = work.flat_a, work.spare
    worst = 0.0
    for k in range(count):
        worst = min(worst, dx * (flat[k, 1] - y) - dy * (flat[k, 0] - x))
    if worst >= -tight:
        return count
    for k in range(count):
        i = k + 1 if k + 1 < count else 0
        here = dx * (flat[k, 1] - y) - dy * (flat[k, 0] - x)
        there = dx * (flat[i, 1] - y) - dy * (flat[i, 0] - x)
        if here >= -tight and kept < spare.shape[0]:
            spare[kept, 0], spare[kept, 1] = flat[k, 0], flat[k, 1]
            work.spare_follows[kept] = work.follows[k]
            kept += 1
        if (here >= -tight) != (there >= -tight) and kept < spare.shape[0]:
            s = here / (here - there)
            s = min(max(s, 0.0), 1.0)
            spare[kept, 0] = flat[k, 0] + s * (flat[i, 0] - flat[k, 0])
            spare[kept, 1] = flat[k, 1] + s * (flat[i, 1] - flat[k, 1])
            work.spare_follows[kept] = edge if here >= -tight else work.follows[k]
            kept += 1
    for k in range(kept):
        flat[k, 0], flat[k, 1] = spare[k, 0], spare[k, 1]
        work.follows[k] = work.spare_follows[k]
    return kept


@inlined_kernel
def height_at(face: Record, n: Numbers, e: Numbers, f: Numbers, x: float, y: float) -> float:
    """Height along n of a face's plane above the place (x, y)."""
    up = three(face.normal)
    p = three(face.corners[0])
    upright = dot3(up, n)
    if abs(upright) < 1e-12:
        return dot3(n, p)
    return dot3(n, p) - (dot3(up, e) * (x - dot3(e, p)) + dot3(up, f) * (y - dot3(f, p))) / upright


@kernel
def put_polygon(
    count: int, n: Numbers, e: Numbers, f: Numbers, curvature: float, margin: float,
    work: Record, found_out: Records,
) -> int:  # fmt: skip
    """Write the corners of what is left of flat_a, with the gap between both planes there."""
    found = 0
    for k in range(count):
        x, y = work.flat_a[k, 0], work.flat_a[k, 1]
        above = height_at(work.a, n, e, f, x, y)
        below = height_at(work.b, n, e, f, x, y)
        if below - above <= -margin:
            continue
        p = along(along(times(x, e), y, f), 0.5 * (above + below), n)
        before = work.follows[k - 1 if k > 0 else count - 1]
        feature = feature_between(before, work.follows[k], work)
        found = put_near(found_out, found, feature, p, n, below - above, curvature, margin)
    return found


@inlined_kernel
def feature_between(before: int, behind: int, work: Record) -> int:
    """What a corner is, by the edges before and behind it."""
    sides: int = work.a.count
    name: int = work.a.names[behind % sides]
    if before < sides and behind < sides:
        return OF_A * KINDS + name
    if before >= sides and behind >= sides:
        name = work.b.names[before - sides]  # its edges are passed backwards
        return OF_B * KINDS + name
    of_a, of_b = (before, behind - sides) if before < sides else (behind, before - sides)
    return OF_BOTH * KINDS + edge_name(work.a, of_a) * NAMES + edge_name(work.b, of_b)


@inlined_kernel
def edge_name(face: Record, edge: int) -> int:
    """Name of an edge, whatever face it belongs to."""
    p: int = face.names[edge]
    q: int = face.names[edge + 1 if edge + 1 < face.count else 0]
    return min(p, q) * EDGES + max(p, q)


@kernel
def put_line(
    line: Record, flat_line: Floats, face: Record, flat_face: Floats, line_above: bool, n: Numbers,
    curvature: float, margin: float, found_out: Records,
) -> int:  # fmt: skip
    """Write the ends of the part of a line that is over a polygon.

    The line belongs to a if it is above, which goes clockwise then as seen along n, else to b.
    """
    side = -1.0 if not line_above else 1.0
    low, high = 0.0, 1.0
    x, y = flat_line[0, 0], flat_line[0, 1]
    dx, dy = flat_line[1, 0] - x, flat_line[1, 1] - y
    tight = SAME * (widest(flat_face, face.count) + abs(dx) + abs(dy))
    for j in range(face.count):
        i = j + 1 if j + 1 < face.count else 0
        ex, ey = flat_face[i, 0] - flat_face[j, 0], flat_face[i, 1] - flat_face[j, 1]
        edge = math.sqrt(ex * ex + ey * ey)
        if edge <= tight:
            continue
        here = side * (ex * (y - flat_face[j, 1]) - ey * (x - flat_face[j, 0])) / edge
        rise = side * (ex * dy - ey * dx) / edge
        if here >= -tight and here + rise >= -tight:
            continue
        if here < -tight and here + rise < -tight:
            return 0
        if rise > 0.0:
            low = max(low, -here / rise)
        else:
            high = min(high, here / -rise)
    if not (high - low) * math.sqrt(dx * dx + dy * dy) > SHORT * tight:
        return 0
    e, f = basis(n)
    p, q = three(line.corners[0]), three(line.corners[1])
    found = 0
    for k in range(2):
        s = low if k == 0 else high
        at = along(p, s, less(q, p))
        of_line = dot3(n, at)
        of_face = height_at(face, n, e, f, dot3(e, at), dot3(f, at))
        depth = of_face - of_line if line_above else of_line - of_face
        point = along(at, 0.5 * (of_face - of_line), n)
        found = put_near(found_out, found, k, point, n, depth, curvature, margin)
    return found


@inlined_kernel
def deepest(found_out: Records, count: int) -> float:
    """Depth of the deepest of some places."""
    depth = -math.inf
    for k in range(count):
        depth = max(depth, found_out[k].depth)
    return depth


@kernel
def settle(
    count: int, feature: int, point: Numbers, n: Numbers, depth: float, curvature: float,
    margin: float, found_out: Records,
) -> int:  # fmt: skip
    """Let the deepest place be as deep as two shapes are, at a point that is known to be so deep.

    It takes the place of the deepest one where that is not so deep, or is the only one.
    """
    if count == 0:
        return put_near(found_out, 0, feature, point, n, depth, curvature, margin)
    best = 0
    for k in range(count):
        if found_out[k].depth > found_out[best].depth:
            best = k
    if found_out[best].depth < depth - 1e-10 - 1e-9 * abs(depth):
        put(found_out[best], found_out[best].feature, point, n, depth, curvature)
    return count
