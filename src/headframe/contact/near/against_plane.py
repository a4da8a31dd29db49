"""A plane against everything: the points of a shape that are deepest below it.

In a plane's frame the solid is z < 0, so the normal is its z axis, and the depth of a point its
height below. A shape sends those points that could carry it: corners, ends, and of every circle the
deepest point and those at a quarter and at half a turn from it. Four points in equal distances on a
circle carry any moment alike, wherever the first is (the sum of cos^2 over them does not depend on
it), so a ring that stands upright feels no jump when its deepest point changes sides.
"""

from __future__ import annotations

import math

from ...jit import Record, Records, kernel, matrix, record
from ...spatial.kernels import Numbers, dot3
from ..records import SOLID, ShapeKind
from .solids_of_revolution import round_sizes
from .vectors import (
    Floats,
    along,
    axis_of,
    clamped,
    less,
    place_of,
    turned_back,
    turned_by,
)
from .writing import put_near

UPRIGHT = 1e-9  # sine of a tilt below which a circle has no deepest point


@kernel
def touch_plane(
    a: Record, X_WA: Floats, X_WB: Floats, solids: Floats, margin: float, found_out: Records
) -> int:
    """Places where a shape touches a plane."""
    kind = a.kind
    up = axis_of(X_WB, 2)
    height = dot3(up, less(place_of(X_WA), place_of(X_WB)))  # of the shape's origin
    if height - a.radius >= margin:
        return 0
    if kind == ShapeKind.SPHERE:
        return put_ball(place_of(X_WA), up, height, a.sizes[0], 0, 0, margin, found_out)
    n = turned_back(X_WA, up)  # the plane's normal in the shape's axes
    if kind == ShapeKind.BOX:
        return touch_box(a, X_WA, up, n, height, margin, found_out)
    if kind == ShapeKind.CAPSULE:
        return touch_capsule(a, X_WA, up, n, height, margin, found_out)
    if kind in (ShapeKind.CYLINDER, ShapeKind.CONE):
        return touch_round(a, X_WA, up, n, height, margin, found_out)
    if kind == ShapeKind.TORUS:
        return touch_torus(a, X_WA, up, n, height, margin, found_out)
    if kind == ShapeKind.CHAIN_LINK:
        return touch_link(a, X_WA, up, n, height, margin, found_out)
    if kind in (ShapeKind.HULL, ShapeKind.MESH):
        return touch_points(a, X_WA, up, n, height, solids, margin, found_out)
    return 0


@kernel
def put_ball(
    p: Numbers,
    up: Numbers,
    height: float,
    radius: float,
    feature: int,
    count: int,
    margin: float,
    found_out: Records,
) -> int:
    """Append the lowest point of a ball whose centre p is so high."""
    depth = radius - height
    curvature = 1.0 / radius if radius > 0.0 else 0.0
    point = along(p, 0.5 * depth - radius, up)
    return put_near(found_out, count, feature, point, up, depth, curvature, margin)


@kernel
def put_point(
    X_WA: Floats,
    p: Numbers,
    up: Numbers,
    n: Numbers,
    height: float,
    feature: int,
    radius: float,
    count: int,
    margin: float,
    found_out: Records,
) -> int:
    """Append a point p of the shape (in its axes), with a ball of some radius about it."""
    at = height + dot3(n, p)
    if radius - at <= -margin:
        return count
    p_W = along(turned_by(X_WA, p), 1.0, place_of(X_WA))
    return put_ball(p_W, up, at, radius, feature, count, margin, found_out)


@kernel
def touch_box(
    a: Record,
    X_WA: Floats,
    up: Numbers,
    n: Numbers,
    height: float,
    margin: float,
    found_out: Records,
) -> int:
    """All corners of a box that are deep enough; feature: the corner, x + 2 y + 4 z."""
    reach = abs(n[0]) * a.sizes[0] + abs(n[1]) * a.sizes[1] + abs(n[2]) * a.sizes[2]
    if height - reach >= margin:
        return 0
    count = 0
    for corner in range(8):
        p = (
            a.sizes[0] if corner & 1 else -a.sizes[0],
            a.sizes[1] if corner & 2 else -a.sizes[1],
            a.sizes[2] if corner & 4 else -a.sizes[2],
        )
        count = put_point(X_WA, p, up, n, height, corner, 0.0, count, margin, found_out)
    return count


@kernel
def touch_capsule(
    a: Record,
    X_WA: Floats,
    up: Numbers,
    n: Numbers,
    height: float,
    margin: float,
    found_out: Records,
) -> int:
    """Both ends of a capsule; feature: 0 the lower one, in its own axes, 1 the upper one."""
    r, half = a.sizes[0], a.sizes[1]
    count = put_point(X_WA, (0.0, 0.0, -half), up, n, height, 0, r, 0, margin, found_out)
    return put_point(X_WA, (0.0, 0.0, half), up, n, height, 1, r, count, margin, found_out)


@kernel
def put_circle(
    X_WA: Floats,
    radius: float,
    z: float,
    up: Numbers,
    n: Numbers,
    height: float,
    feature: int,
    tube: float,
    count: int,
    margin: float,
    found_out: Records,
) -> int:
    """Append four points of a circle about the z axis, the deepest first, with a tube about it."""
    tilt = math.sqrt(n[0] * n[0] + n[1] * n[1])
    c, s = (-n[0] / tilt, -n[1] / tilt) if tilt > UPRIGHT else (1.0, 0.0)
    if radius <= 0.0:
        return put_point(
            X_WA, (0.0, 0.0, z), up, n, height, feature, tube, count, margin, found_out
        )
    for k in range(4):
        p = (radius * c, radius * s, z)
        count = put_point(X_WA, p, up, n, height, feature + k, tube, count, margin, found_out)
        c, s = -s, c
    return count


@kernel
def touch_round(
    a: Record,
    X_WA: Floats,
    up: Numbers,
    n: Numbers,
    height: float,
    margin: float,
    found_out: Records,
) -> int:
    """Points of both rims of a cylinder or cone; features 0 to 3 of the lower, 4 to 7 the upper."""
    below, above, half = round_sizes(a)
    count = put_circle(X_WA, below, -half, up, n, height, 0, 0.0, 0, margin, found_out)
    return put_circle(X_WA, above, half, up, n, height, 4, 0.0, count, margin, found_out)


@kernel
def touch_torus(
    a: Record,
    X_WA: Floats,
    up: Numbers,
    n: Numbers,
    height: float,
    margin: float,
    found_out: Records,
) -> int:
    """Four points of a whole torus; of an arc its ends (0, 1), its middle (2), its deepest (3)."""
    radius, tube, arc = a.sizes[0], a.sizes[1], a.sizes[2]
    if arc >= math.pi:
        return put_circle(X_WA, radius, 0.0, up, n, height, 0, tube, 0, margin, found_out)
    count = 0
    for k in range(3):
        angle = 0.0 if k == 2 else (arc if k == 1 else -arc)
        p = (radius * math.cos(angle), radius * math.sin(angle), 0.0)
        count = put_point(X_WA, p, up, n, height, k, tube, count, margin, found_out)
    angle = math.atan2(-n[1], -n[0])
    if abs(angle) < arc and n[0] * n[0] + n[1] * n[1] > UPRIGHT * UPRIGHT:
        p = (radius * math.cos(angle), radius * math.sin(angle), 0.0)
        count = put_point(X_WA, p, up, n, height, 3, tube, count, margin, found_out)
    return count


@kernel
def touch_link(
    a: Record,
    X_WA: Floats,
    up: Numbers,
    n: Numbers,
    height: float,
    margin: float,
    found_out: Records,
) -> int:
    """Of a chain link the ends of its straight parts (0 to 3), and of its bows the deepest (4, 5).

    A bow's deepest point goes no further than where the straight parts begin.
    """
    radius, tube, half = a.sizes[0], a.sizes[1], a.sizes[2]
    count = 0
    for k in range(4):
        p = (half if k & 1 else -half, radius if k & 2 else -radius, 0.0)
        count = put_point(X_WA, p, up, n, height, k, tube, count, margin, found_out)
    flat = n[0] * n[0] + n[1] * n[1] <= UPRIGHT * UPRIGHT
    for k in range(2):
        side = 1.0 if k == 1 else -1.0
        angle = 0.0 if flat else math.atan2(-n[1], -side * n[0])
        angle = clamped(angle, -0.5 * math.pi, 0.5 * math.pi)
        p = (side * (half + radius * math.cos(angle)), radius * math.sin(angle), 0.0)
        count = put_point(X_WA, p, up, n, height, 4 + k, tube, count, margin, found_out)
    return count


@kernel
def touch_points(
    a: Record,
    X_WA: Floats,
    up: Numbers,
    n: Numbers,
    height: float,
    solids: Floats,
    margin: float,
    found_out: Records,
) -> int:
    """Points of a hull or mesh, the deepest ones if there are more than there is room for.

    The feature is the point's number.
    """
    points = matrix(solids, record(solids, a.solid, SOLID).points)
    count = 0
    for k in range(points.shape[0]):
        p = (points[k, 0], points[k, 1], points[k, 2])
        if height + dot3(n, p) >= margin:
            continue
        if count < found_out.shape[0]:
            count = put_point(X_WA, p, up, n, height, k, 0.0, count, margin, found_out)
        else:
            replace_shallowest(X_WA, p, up, n, height, k, margin, found_out)
    return count


@kernel
def replace_shallowest(
    X_WA: Floats,
    p: Numbers,
    up: Numbers,
    n: Numbers,
    height: float,
    feature: int,
    margin: float,
    found_out: Records,
) -> None:
    """Put a point in the place of the shallowest one that was found, if it is deeper."""
    last = 0
    for k in range(found_out.shape[0]):
        if found_out[k].depth < found_out[last].depth:
            last = k
    if -(height + dot3(n, p)) > found_out[last].depth:
        one = found_out[last : last + 1]
        put_point(X_WA, p, up, n, height, feature, 0.0, 0, margin, one)
