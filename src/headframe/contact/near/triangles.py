"""The point of a line or a triangle that is nearest to the origin."""

from __future__ import annotations

from ...jit import kernel
from ...spatial.kernels import Numbers, cross3, dot3
from .vectors import along, less, times


@kernel
def nearest_of_line(p: Numbers, q: Numbers) -> tuple[float, float, Numbers]:
    """Weights of two points, and their nearest point to the origin."""
    d = less(q, p)
    ahead, square = -dot3(p, d), dot3(d, d)
    if ahead <= 0.0 or not square > 0.0:
        return 1.0, 0.0, p
    if ahead >= square:
        return 0.0, 1.0, q
    s = ahead / square
    return 1.0 - s, s, along(p, s, d)


@kernel
def nearest_of_triangle(p: Numbers, q: Numbers, r: Numbers) -> tuple[float, float, float, Numbers]:
    """Weights of three points, and their nearest point to the origin.

    The origin is nearest to a corner, an edge or the inside, which the signs of its products with
    the edges from each corner tell. Inside, the nearest point is that of the plane.
    """
    d, e = less(q, p), less(r, p)
    d_p, e_p = -dot3(d, p), -dot3(e, p)
    if d_p <= 0.0 and e_p <= 0.0:
        return 1.0, 0.0, 0.0, p
    d_q, e_q = -dot3(d, q), -dot3(e, q)
    if d_q >= 0.0 and e_q <= d_q:
        return 0.0, 1.0, 0.0, q
    d_r, e_r = -dot3(d, r), -dot3(e, r)
    if e_r >= 0.0 and d_r <= e_r:
        return 0.0, 0.0, 1.0, r
    n = cross3(d, e)
    square = dot3(n, n)
    at_r = dot3(n, cross3(p, q))  # twice the areas opposite to the corners, times n's length
    at_q = dot3(n, cross3(r, p))
    at_p = dot3(n, cross3(q, r))
    if at_r <= 0.0 and d_p >= 0.0 and d_q <= 0.0:
        s, t, v = nearest_of_line(p, q)
        return s, t, 0.0, v
    if at_q <= 0.0 and e_p >= 0.0 and e_r <= 0.0:
        s, t, v = nearest_of_line(p, r)
        return s, 0.0, t, v
    if (at_p <= 0.0 and e_q - d_q >= 0.0 and d_r - e_r >= 0.0) or not square > 0.0:
        s, t, v = nearest_of_line(q, r)
        return 0.0, s, t, v
    total = at_p + at_q + at_r
    return at_p / total, at_q / total, at_r / total, times(dot3(n, p) / square, n)
