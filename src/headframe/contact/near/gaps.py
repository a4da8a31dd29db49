"""How far a point is from the surface of a shape, and the way to it: less than 0 if it is inside.

All but the last are written in the axes of the shape. The way is the normal of the surface at its
nearest point, towards the point from outside.
"""

from __future__ import annotations

import math

from ...jit import Record, indices, inlined_kernel, kernel, matrix, record, records
from ...spatial.kernels import Numbers, dot3, three
from ..records import SOLID, SOLID_FACE, ShapeKind
from .curves import nearest_of_curve
from .mesh_queries import mesh_gap
from .solids_of_revolution import round_sizes
from .triangles import nearest_of_triangle
from .vectors import UP, Floats, across, clamped, length, less, seen_from, turned_by, unit_or

NEAR = 1e-13  # of a size: nearer than this a point is on a surface, whose own normal is taken


@inlined_kernel
def bend(radius: float) -> float:
    """Curvature of a sphere; 0 for one without a size."""
    return 1.0 / radius if radius > 0.0 else 0.0


@kernel
def box_gap(h: Floats, c: Numbers) -> tuple[float, Numbers]:
    """From a box of half edges h to a point c."""
    way = (
        c[0] - clamped(c[0], -h[0], h[0]),
        c[1] - clamped(c[1], -h[1], h[1]),
        c[2] - clamped(c[2], -h[2], h[2]),
    )
    apart = length(way)
    if apart > NEAR * (h[0] + h[1] + h[2]):
        return apart, unit_or(way, UP)
    x, y, z = h[0] - abs(c[0]), h[1] - abs(c[1]), h[2] - abs(c[2])  # below each pair of faces
    if x <= y and x <= z:
        return -x, (math.copysign(1.0, c[0]), 0.0, 0.0)
    if y <= z:
        return -y, (0.0, math.copysign(1.0, c[1]), 0.0)
    return -z, (0.0, 0.0, math.copysign(1.0, c[2]))


@kernel
def round_gap(b: Record, c: Numbers) -> tuple[float, Numbers, float]:
    """From a cylinder or cone to a point c, in the half plane (distance from the axis, height).

    There the solid is a trapezium: the lower and upper cap z = -h, h, and the side from
    (r_below, -h) to (r_above, h), whose outward normal is (2 h, r_below - r_above) / s with the
    side's length s. The third number is the mean curvature of the surface there.
    """
    below, above, half = round_sizes(b)
    rho, z = math.sqrt(c[0] * c[0] + c[1] * c[1]), c[2]
    out = (c[0] / rho, c[1] / rho) if rho > 1e-150 else (1.0, 0.0)
    slant = math.sqrt(4.0 * half * half + (below - above) * (below - above))
    if slant > 0.0:
        n_rho, n_z = 2.0 * half / slant, (below - above) / slant
    else:
        n_rho, n_z = 1.0, 0.0
    aside = (rho - below) * n_rho + (z + half) * n_z  # outside of the side
    way = (z + half) * n_rho - (rho - below) * n_z  # along it, from below
    bent = 0.5 * n_rho * bend(below - clamped(way, 0.0, slant) * n_z)
    size = below + above + half
    if aside <= NEAR * size and abs(z) <= half + NEAR * size:  # inside: the nearest of three
        if aside >= abs(z) - half:
            return aside, (n_rho * out[0], n_rho * out[1], n_z), bent
        return abs(z) - half, (0.0, 0.0, math.copysign(1.0, z)), 0.0
    # outside: nearest to the side, or to one of the caps
    if 0.0 <= way <= slant and aside > 0.0:
        return aside, (n_rho * out[0], n_rho * out[1], n_z), bent
    upper = way > slant if aside > 0.0 else z > 0.0
    end, rim = (half, above) if upper else (-half, below)
    d_rho, d_z = max(rho - rim, 0.0), z - end
    apart = math.sqrt(d_rho * d_rho + d_z * d_z)
    return apart, (d_rho / apart * out[0], d_rho / apart * out[1], d_z / apart), 0.0


@kernel
def capsule_gap(sizes: Floats, c: Numbers) -> tuple[float, Numbers]:
    """From a capsule to a point c."""
    way = (c[0], c[1], c[2] - clamped(c[2], -sizes[1], sizes[1]))
    return length(way) - sizes[0], unit_or(way, (1.0, 0.0, 0.0))


@kernel
def curve_gap(b: Record, c: Numbers) -> tuple[float, Numbers]:
    """From a torus or chain link to a point c; on its middle line any way across it is taken."""
    p, along_it = nearest_of_curve(b, c)
    way = less(c, p)
    return length(way) - b.sizes[1], unit_or(way, across(along_it))


@kernel
def hull_gap(c: Numbers, solids: Floats, solid: int) -> tuple[float, Numbers]:
    """From a hull to a point c: its highest face if it is inside, else the nearest of all faces.

    The nearest point of a face is found in its fan of triangles. Faces that the point is behind are
    passed over.
    """
    head = record(solids, solid, SOLID)
    faces, corners = records(solids, head.faces, SOLID_FACE), indices(solids, head.corners)
    points = matrix(solids, head.points)
    highest, top = -math.inf, 0
    for f in range(faces.shape[0]):
        height = dot3(three(faces[f].normal), c) - faces[f].offset
        if height > highest:
            highest, top = height, f
    if highest <= 0.0:
        return highest, three(faces[top].normal)
    best, nearest = math.inf, c
    for f in range(faces.shape[0]):
        height = dot3(three(faces[f].normal), c) - faces[f].offset
        if height < 0.0 or height * height > best:
            continue
        first, count = faces[f].corners
        p = less(three(points[corners[first]]), c)
        for k in range(first + 1, first + count - 1):
            q = less(three(points[corners[k]]), c)
            r = less(three(points[corners[k + 1]]), c)
            _, _, _, v = nearest_of_triangle(p, q, r)
            square = dot3(v, v)
            if square < best:
                best, nearest = square, v
    apart = math.sqrt(best)
    if apart <= NEAR * head.half[0]:
        return highest, three(faces[top].normal)
    return apart, unit_or((-nearest[0], -nearest[1], -nearest[2]), UP)


@kernel
def gap(
    b: Record, X_WB: Floats, p: Numbers, solids: Floats, stack: Floats
) -> tuple[float, Numbers]:
    """From a shape to a point p, both in W."""
    c = seen_from(X_WB, p)
    if b.kind == ShapeKind.BOX:
        height, n = box_gap(b.sizes, c)
    elif b.kind == ShapeKind.CAPSULE:
        height, n = capsule_gap(b.sizes, c)
    elif b.kind in (ShapeKind.CYLINDER, ShapeKind.CONE):
        height, n, _ = round_gap(b, c)
    elif b.kind in (ShapeKind.TORUS, ShapeKind.CHAIN_LINK):
        height, n = curve_gap(b, c)
    elif b.kind == ShapeKind.HULL:
        height, n = hull_gap(c, solids, b.solid)
    elif b.kind == ShapeKind.MESH:
        height, n = mesh_gap(c, solids, b.solid, stack)
    else:
        height, n = length(c) - b.sizes[0], unit_or(c, UP)
    return height, turned_by(X_WB, n)
