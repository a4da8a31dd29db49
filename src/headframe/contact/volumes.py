"""Kernels of what two solids have in common where that has a closed form: balls, planes.

A cap of height t of a ball of radius R, from its pole along its axis n, has the radius
rho^2 = 2 R t - t^2 at the height t. With its moments about the pole,

    V  = pi (R t^2 - t^3 / 3),          M1 = integral of t = pi (2 R t^3 / 3 - t^4 / 4),
    M2 = integral of t^2 = pi (R t^4 / 2 - t^5 / 5),
    J  = integral of rho^2 over the volume = pi / 2 (4 R^2 t^3 / 3 - R t^4 + t^5 / 5),

the integral of p p^T about any point is V q q^T + M1 (q n^T + n q^T) + M2 n n^T + J/2 (1 - n n^T),
q being the pole. Two balls have two caps in common, a ball and a plane have one.

Of a solid of triangles the part below a plane is made of tetrahedra from a point of that plane to
what of the triangles is below it: the face in the plane itself adds nothing.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import (
    MATRIX,
    NUMBER,
    VECTOR,
    Record,
    Records,
    array_of,
    entry,
    header,
    inlined_kernel,
    kernel,
    matrix,
    record,
    records,
)
from ..spatial.kernels import Numbers, point_at, three
from .near.mesh_common import add_tetrahedron
from .near.vectors import along, length, less, times
from .records import MOMENTS, SHAPE, SOLID, TRIANGLE

Floats = NDArray[np.float64]


@inlined_kernel
def add_cap(radius: float, height: float, pole: Numbers, n: Numbers, moments_io: Record) -> None:
    """Add the cap of a ball from its pole along n, a unit vector."""
    R, t = radius, height
    volume = math.pi * t * t * (R - t / 3.0)
    m1 = math.pi * t**3 * (2.0 * R / 3.0 - t / 4.0)
    m2 = math.pi * t**4 * (R / 2.0 - t / 5.0)
    across = 0.25 * math.pi * t**3 * (4.0 * R * R / 3.0 - R * t + t * t / 5.0)
    moments_io.volume += volume
    for i in range(3):
        moments_io.first[i] += volume * pole[i] + m1 * n[i]
        for j in range(3):
            both = pole[i] * n[j] + n[i] * pole[j]
            outer = volume * pole[i] * pole[j] + m1 * both + (m2 - across) * n[i] * n[j]
            moments_io.second[i, j] += outer + (across if i == j else 0.0)


@inlined_kernel
def clear(moments_out: Record) -> None:
    """Nothing in common."""
    moments_out.volume = 0.0
    for i in range(3):
        moments_out.first[i] = 0.0
        for j in range(3):
            moments_out.second[i, j] = 0.0


@entry(NUMBER, NUMBER, VECTOR)
@kernel
def ball_below(radius: float, height: float, moments_out: Floats) -> None:
    """What of a ball is below z = 0, its centre being at a height on the z axis."""
    out = header(moments_out, MOMENTS)
    clear(out)
    if height < radius:
        pole = (0.0, 0.0, height - radius)
        add_cap(radius, min(radius - height, 2.0 * radius), pole, (0.0, 0.0, 1.0), out)


@entry(NUMBER, NUMBER, VECTOR, VECTOR)
@kernel
def balls_common(radius_a: float, radius_b: float, p_BA: Floats, moments_out: Floats) -> None:
    """What two balls have in common, in axes about the centre of b; that of a is at p_BA."""
    out, way = header(moments_out, MOMENTS), three(p_BA)
    clear(out)
    apart = length(way)
    if apart >= radius_a + radius_b:
        return
    if apart <= abs(radius_a - radius_b):
        small = min(radius_a, radius_b)
        centre = way if radius_a < radius_b else (0.0, 0.0, 0.0)
        add_cap(small, 2.0 * small, along(centre, -small, (0.0, 0.0, 1.0)), (0.0, 0.0, 1.0), out)
        return
    n = times(1.0 / apart, way)
    plane = 0.5 * (apart + (radius_b - radius_a) * (radius_b + radius_a) / apart)
    add_cap(radius_b, radius_b - plane, times(radius_b, n), times(-1.0, n), out)
    lowest = apart - radius_a
    add_cap(radius_a, plane - lowest, times(lowest, n), n, out)


@entry(array_of(SHAPE), MATRIX, VECTOR, VECTOR)
@kernel
def solid_below(shapes: Records, X_PS: Floats, solids: Floats, moments_out: Floats) -> None:
    """What of a hull or mesh is below z = 0 of axes P."""
    head, out = record(solids, shapes[0].solid, SOLID), header(moments_out, MOMENTS)
    points, triangles = matrix(solids, head.points), records(solids, head.triangles, TRIANGLE)
    clear(out)
    for t in range(triangles.shape[0]):
        corners = triangles[t].corners
        add_triangle_below(
            point_at(X_PS, points[corners[0]]),
            point_at(X_PS, points[corners[1]]),
            point_at(X_PS, points[corners[2]]),
            out,
        )


@inlined_kernel
def add_triangle_below(p: Numbers, q: Numbers, r: Numbers, moments_io: Record) -> None:
    """Add tetrahedra from the origin to what of a triangle is below z = 0: a fan of its corners."""
    count, first, last = 0, p, p
    for k in range(3):
        here, ahead = (p, q, r)[k], (q, r, p)[k]
        if here[2] <= 0.0:
            if count == 0:
                first = here
            elif count >= 2:
                add_tetrahedron(1.0, first, last, here, moments_io)
            last, count = here, count + 1
        if here[2] * ahead[2] < 0.0:
            cut = along(here, here[2] / (here[2] - ahead[2]), less(ahead, here))
            if count == 0:
                first = cut
            elif count >= 2:
                add_tetrahedron(1.0, first, last, cut, moments_io)
            last, count = cut, count + 1
