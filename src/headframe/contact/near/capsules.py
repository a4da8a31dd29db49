"""A capsule against capsules and boxes: a line with a radius."""

from __future__ import annotations

import math

from ...jit import Record, Records, kernel
from ...spatial.kernels import Numbers, cross3, dot3
from .balls import touch_balls
from .facing import begin, box_face, put_corner
from .gaps import bend
from .overlap import meet, settle
from .vectors import (
    UP,
    Floats,
    across_both,
    along,
    axis_of,
    clamped,
    length,
    less,
    place_of,
    seen_from,
    times,
    turned_back,
    turned_by,
    unit_or,
)

PARALLEL = 1e-6  # sine of two axes that count as parallel: both ends of what is side by side touch
NEAR = 1e-13  # of a size: a line that is nearer than this to a box is taken for inside


@kernel
def capsule_capsule(
    a: Record, X_WA: Floats, b: Record, X_WB: Floats, margin: float, found_out: Records
) -> int:
    """Two capsules: one place (0), or where they are parallel both ends of what is side by side.

    Of these the feature is 1 at the lower end of a, 2 at its upper one.
    """
    p, q = place_of(X_WA), place_of(X_WB)
    u, v = axis_of(X_WA, 2), axis_of(X_WB, 2)
    reach = a.sizes[0] + b.sizes[0] + a.sizes[1] + b.sizes[1] + margin
    if length(less(p, q)) >= reach:
        return 0
    sine = cross3(u, v)
    otherwise = across_both(u, v)
    if dot3(sine, sine) < PARALLEL * PARALLEL:
        side = 1.0 if dot3(u, v) >= 0.0 else -1.0
        middle = dot3(u, less(q, p))
        low = max(-a.sizes[1], middle - b.sizes[1])
        high = min(a.sizes[1], middle + b.sizes[1])
        if high - low > 1e-6 * (a.sizes[1] + b.sizes[1]):
            count = 0
            for k in range(2):
                s = low if k == 0 else high
                t = clamped(side * (s - middle), -b.sizes[1], b.sizes[1])
                count = touch_balls(
                    along(p, s, u), a.sizes[0], along(q, t, v), b.sizes[0], otherwise, 1 + k, count,
                    margin, found_out,
                )  # fmt: skip
            return count
    s, t = nearest_of_lines(p, u, a.sizes[1], q, v, b.sizes[1])
    return touch_balls(
        along(p, s, u), a.sizes[0], along(q, t, v), b.sizes[0], otherwise, 0, 0, margin, found_out
    )


@kernel
def nearest_of_lines(
    p: Numbers, u: Numbers, half_p: float, q: Numbers, v: Numbers, half_q: float
) -> tuple[float, float]:
    """Where two lines p + s u, q + t v (unit vectors) are nearest, |s| <= half_p, |t| <= half_q.

    The squared distance is s^2 - 2 s t c + t^2 + 2 s d - 2 t e + ... with c = u.v, d = u.(p - q),
    e = v.(p - q), least where s = t c - d, t = s c + e. Of the corners and sides of the rectangle
    the nearest is found by going from a side's best t to its best s and back.
    """
    w = less(p, q)
    c, d, e = dot3(u, v), dot3(u, w), dot3(v, w)
    n = cross3(u, v)
    square = dot3(n, n)
    s = 0.0
    if square > 1e-28:
        # p + s u - (q + t v) is along n:  s u x v = -(w x v)  in the direction of n
        s = -dot3(n, cross3(w, v)) / square
    s = clamped(s, -half_p, half_p)
    t = clamped(s * c + e, -half_q, half_q)
    s = clamped(t * c - d, -half_p, half_p)
    t = clamped(s * c + e, -half_q, half_q)
    return s, t


@kernel
def capsule_box(
    b: Record, X_WB: Floats, a: Record, X_WA: Floats, margin: float, work: Record,
    found_out: Records,
) -> int:  # fmt: skip
    """A capsule b and a box a; features: 0, 1 the lower and upper end of what lies on a face.

    They are called so because what is here is written down in the box's axes.
    """
    radius, half = b.sizes[0], b.sizes[1]
    c = seen_from(X_WA, place_of(X_WB))
    u = turned_back(X_WA, axis_of(X_WB, 2))
    s = nearest_to_box(c, u, half, a.sizes)
    p = along(c, s, u)
    h = a.sizes
    way = (
        p[0] - clamped(p[0], -h[0], h[0]),
        p[1] - clamped(p[1], -h[1], h[1]),
        p[2] - clamped(p[2], -h[2], h[2]),
    )
    apart = length(way)
    if apart - radius >= margin:
        return 0
    if apart > NEAR * (h[0] + h[1] + h[2] + half):
        n = unit_or(way, UP)
    else:
        apart, n, p = way_out_of_box(c, u, half, h)
    n_W = turned_by(X_WA, n)
    depth = radius - apart
    on_line = along(turned_by(X_WA, p), 1.0, place_of(X_WA))
    point = along(on_line, 0.5 * depth - radius, n_W)
    # the line of the capsule's surface that faces the box
    begin(work.a, times(-1.0, n_W))
    middle = along(place_of(X_WB), -radius, n_W)
    for k in range(2):
        put_corner(work.a, k, along(middle, -half if k == 0 else half, axis_of(X_WB, 2)))
    box_face(h, X_WA, n_W, work.b)
    curvature = 0.5 * bend(radius)
    count = meet(n_W, curvature, margin, work, found_out)
    return settle(count, 2, point, n_W, depth, curvature, margin, found_out)


@kernel
def nearest_to_box(c: Numbers, u: Numbers, half: float, h: Floats) -> float:
    """The place s of a line c + s u, |s| <= half, that is nearest to a box; 0 or near it if inside.

    Half the squared distance has the slope sum of u_i e_i(s), e_i being what coordinate i is
    outside of -h_i..h_i. That grows with s, and is linear between the six places where the line
    crosses a face's plane; so those narrow the interval in which it is 0, which is then solved.
    """
    low, high = -half, half
    f_low, f_high = slope_outside(c, u, low, h), slope_outside(c, u, high, h)
    if f_low >= 0.0 and f_high <= 0.0:  # nowhere outside, or along a face
        return 0.0
    if f_low >= 0.0:
        return outside_from(c, u, low, high, h)
    if f_high <= 0.0:
        return outside_from(c, u, high, low, h)
    for i in range(3):
        for k in range(2):
            face = h[i] if k == 0 else -h[i]
            if abs(u[i]) < 1e-300:
                continue
            s: float = (face - c[i]) / u[i]
            if low < s < high:
                f = slope_outside(c, u, s, h)
                if f < 0.0:
                    low, f_low = s, f
                elif f > 0.0:
                    high, f_high = s, f
                else:
                    return s
    return clamped(low - f_low * (high - low) / (f_high - f_low), low, high)


@kernel
def outside_from(c: Numbers, u: Numbers, end: float, other: float, h: Floats) -> float:
    """The end of a line from which it does not come nearer to a box; its middle, if parallel."""
    if slope_outside(c, u, 0.5 * (end + other), h) == 0.0 == slope_outside(c, u, end, h):
        return 0.5 * (end + other)
    return end


@kernel
def slope_outside(c: Numbers, u: Numbers, s: float, h: Floats) -> float:
    """How half the squared distance to a box grows along a line c + s u."""
    total = 0.0
    for i in range(3):
        x = c[i] + s * u[i]
        total += u[i] * (x - clamped(x, -h[i], h[i]))
    return total


@kernel
def way_out_of_box(
    c: Numbers, u: Numbers, half: float, h: Floats
) -> tuple[float, Numbers, Numbers]:
    """How far a line is apart from a box that it goes into (less than 0), the way out, its place.

    As of two boxes, of which one has no width: three faces, and three products of edges.
    """
    best, n = -math.inf, UP
    for k in range(6):
        i = k % 3
        e: Numbers = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        if k >= 3:
            e = cross3(e, u)
            if dot3(e, e) < 1e-14:
                continue
            e = unit_or(e, UP)
        middle = dot3(e, c)
        reach = abs(e[0]) * h[0] + abs(e[1]) * h[1] + abs(e[2]) * h[2]
        apart = abs(middle) - reach - half * abs(dot3(e, u))
        if apart > best + (1e-9 * reach if k >= 3 else 0.0):
            best, n = apart, times(1.0 if middle >= 0.0 else -1.0, e)
    # the deepest place of the line, or where it crosses the box's edge
    lean = dot3(n, u)
    if abs(lean) > 1e-12:
        return best, n, along(c, -half if lean > 0.0 else half, u)
    return best, n, along(c, where_over_face(c, u, half, h, n), u)


@kernel
def where_over_face(c: Numbers, u: Numbers, half: float, h: Floats, n: Numbers) -> float:
    """Middle of the part of a line c + s u that is inside a box, moved out along n."""
    low, high = -half, half
    for i in range(3):
        if abs(u[i]) > 1e-12 and abs(n[i]) < 0.5:
            s, t = (-h[i] - c[i]) / u[i], (h[i] - c[i]) / u[i]
            low, high = max(low, min(s, t)), min(high, max(s, t))
    return clamped(0.5 * (low + high), -half, half)
