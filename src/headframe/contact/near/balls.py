"""A sphere against spheres, capsules, boxes, cylinders and cones: a point and the nearest surface.

The normal points to the sphere, along the shortest way out for a centre inside the other. Where
there are several shortest ways (at the centre of a sphere, on the axis of a capsule) one is taken
that depends on the shapes' axes alone.
"""

from __future__ import annotations

from ...jit import Record, Records, inlined_kernel, kernel
from ...spatial.kernels import Numbers, dot3
from .gaps import bend, box_gap, round_gap
from .vectors import (
    Floats,
    across,
    along,
    axis_of,
    clamped,
    length,
    less,
    place_of,
    seen_from,
    turned_by,
    unit_or,
)
from .writing import put_near


@inlined_kernel
def touch_balls(
    p: Numbers,
    r_p: float,
    q: Numbers,
    r_q: float,
    otherwise: Numbers,
    feature: int,
    count: int,
    margin: float,
    found_out: Records,
) -> int:
    """Append where a ball about p touches one about q; a normal for those that are at one place."""
    way = less(p, q)
    apart = length(way)
    depth = r_p + r_q - apart
    if depth <= -margin:
        return count
    n = unit_or(way, otherwise)
    point = along(q, r_q - 0.5 * depth, n)
    return put_near(found_out, count, feature, point, n, depth, bend(r_p) + bend(r_q), margin)


@kernel
def sphere_sphere(
    a: Record, X_WA: Floats, b: Record, X_WB: Floats, margin: float, found_out: Records
) -> int:
    """Two spheres."""
    return touch_balls(
        place_of(X_WA), a.sizes[0], place_of(X_WB), b.sizes[0], axis_of(X_WB, 2), 0, 0, margin,
        found_out,
    )  # fmt: skip


@kernel
def sphere_capsule(
    a: Record, X_WA: Floats, b: Record, X_WB: Floats, margin: float, found_out: Records
) -> int:
    """A sphere and the ball of a capsule that is nearest to it."""
    axis, centre = axis_of(X_WB, 2), place_of(X_WB)
    s = clamped(dot3(axis, less(place_of(X_WA), centre)), -b.sizes[1], b.sizes[1])
    return touch_balls(
        place_of(X_WA), a.sizes[0], along(centre, s, axis), b.sizes[0], across(axis), 0, 0, margin,
        found_out,
    )  # fmt: skip


@kernel
def put_above(
    a: Record, X_WA: Floats, X_WB: Floats, height: float, n_B: Numbers, curvature: float,
    margin: float, found_out: Records,
) -> int:  # fmt: skip
    """Write where a sphere touches a surface whose normal n_B leads to its centre, so high."""
    depth = a.sizes[0] - height
    n = turned_by(X_WB, n_B)
    point = along(place_of(X_WA), 0.5 * depth - a.sizes[0], n)
    return put_near(found_out, 0, 0, point, n, depth, bend(a.sizes[0]) + curvature, margin)


@kernel
def sphere_box(
    a: Record, X_WA: Floats, b: Record, X_WB: Floats, margin: float, found_out: Records
) -> int:
    """A sphere and a box."""
    height, n = box_gap(b.sizes, seen_from(X_WB, place_of(X_WA)))
    if height - a.sizes[0] >= margin:
        return 0
    return put_above(a, X_WA, X_WB, height, n, 0.0, margin, found_out)


@kernel
def sphere_round(
    a: Record, X_WA: Floats, b: Record, X_WB: Floats, margin: float, found_out: Records
) -> int:
    """A sphere and a cylinder or cone."""
    height, n, bent = round_gap(b, seen_from(X_WB, place_of(X_WA)))
    if height - a.sizes[0] >= margin:
        return 0
    return put_above(a, X_WA, X_WB, height, n, bent, margin, found_out)
