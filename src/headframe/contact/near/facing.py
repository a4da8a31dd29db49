"""The part of a shape that faces a direction, as a `FACE`: a point, a line or a polygon.

A line or polygon faces a direction even if it leans: of a box the face whose normal is nearest to
it, of a cylinder a cap or a line of its side. What leans too far is too far away to be written.
"""

from __future__ import annotations

import math

from ...jit import Record, indices, inlined_kernel, kernel, matrix, record, records
from ...spatial.kernels import Numbers, cross3, dot3, three
from ..records import MOST_CORNERS, SOLID, SOLID_FACE, ShapeKind
from .solids_of_revolution import round_sizes
from .supports import furthest_of_hull
from .vectors import (
    UP,
    Floats,
    along,
    axis_of,
    less,
    more,
    place_of,
    times,
    turned_back,
    turned_by,
    unit_or,
)

CAP_CORNERS = 8  # of the polygon that stands for a cap
LEVEL = 1e-9  # of a size: corners whose distances differ by less are equally far
UPRIGHT = 1e-9  # sine of a tilt below which a cap has no deepest point


@inlined_kernel
def put_corner(face: Record, name: int, p: Numbers) -> None:
    """Append a corner to a face."""
    k = face.count
    face.corners[k, 0], face.corners[k, 1], face.corners[k, 2] = p
    face.names[k] = name
    face.count = k + 1


@inlined_kernel
def begin(face: Record, normal: Numbers) -> None:
    """A face without corners yet."""
    face.count = 0
    face.normal[0], face.normal[1], face.normal[2] = normal


@kernel
def box_face(size: Floats, X: Floats, d: Numbers, face_out: Record) -> None:
    """The face of a box whose normal is nearest to a direction d.

    A corner's name is x + 2 y + 4 z, with 1 where it is at the upper end of that axis.
    """
    d = turned_back(X, d)
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    k = 0 if x >= y and x >= z else (1 if y >= z else 2)
    upper = d[k] > 0.0
    side = 1.0 if upper else -1.0
    i, j = ((k + 1) % 3, (k + 2) % 3) if upper else ((k + 2) % 3, (k + 1) % 3)
    normal = axis_of(X, k)
    begin(face_out, (side * normal[0], side * normal[1], side * normal[2]))
    middle = along(place_of(X), side * size[k], axis_of(X, k))
    bit = 1 << k if upper else 0
    for c in range(4):
        on_i, on_j = c in (1, 2), c > 1
        p = along(middle, size[i] if on_i else -size[i], axis_of(X, i))
        p = along(p, size[j] if on_j else -size[j], axis_of(X, j))
        put_corner(face_out, bit + (on_i << i) + (on_j << j), p)


@kernel
def facing(shape: Record, X: Floats, d: Numbers, solids: Floats, face_out: Record) -> None:
    """The part of a convex shape that faces a direction d."""
    if shape.kind == ShapeKind.BOX:
        box_face(shape.sizes, X, d, face_out)
    elif shape.kind == ShapeKind.HULL:
        hull_face(shape, X, d, solids, face_out)
    elif shape.kind in (ShapeKind.CYLINDER, ShapeKind.CONE):
        round_face(shape, X, d, face_out)
    elif shape.kind == ShapeKind.CAPSULE:
        capsule_line(shape, X, d, face_out)
    elif shape.kind == ShapeKind.TRIANGLE:
        triangle_face(shape, X, face_out)
    else:
        begin(face_out, d)
        put_corner(face_out, 0, along(place_of(X), shape.sizes[0], d))


@kernel
def triangle_face(shape: Record, X: Floats, face_out: Record) -> None:
    """A triangle of a mesh."""
    p, q, r = three(shape.X_BS[0]), three(shape.X_BS[1]), three(shape.X_BS[2])
    begin(face_out, turned_by(X, unit_or(cross3(less(q, p), less(r, p)), UP)))
    put_corner(face_out, 0, shifted(X, p))
    put_corner(face_out, 1, shifted(X, q))
    put_corner(face_out, 2, shifted(X, r))


@kernel
def capsule_line(shape: Record, X: Floats, d: Numbers, face_out: Record) -> None:
    """The line of a capsule's surface that faces d."""
    begin(face_out, d)
    middle = along(place_of(X), shape.sizes[0], d)
    for k in range(2):
        half = -shape.sizes[1] if k == 0 else shape.sizes[1]
        put_corner(face_out, k, along(middle, half, axis_of(X, 2)))


@kernel
def round_face(shape: Record, X: Floats, d: Numbers, face_out: Record) -> None:
    """A cap of a cylinder or cone, or the line of its side, whichever faces d more.

    A cap's polygon has a corner where it is deepest. Corners are named 0 to 7 on the lower rim and
    8 to 15 on the upper, the ends of a line 16 and 17.
    """
    below, above, half = round_sizes(shape)
    d = turned_back(X, d)
    aside = math.sqrt(d[0] * d[0] + d[1] * d[1])
    c, s = (d[0] / aside, d[1] / aside) if aside > UPRIGHT else (1.0, 0.0)
    slant = math.sqrt(4.0 * half * half + (below - above) * (below - above))
    n_rho, n_z = (2.0 * half / slant, (below - above) / slant) if slant > 0.0 else (1.0, 0.0)
    if abs(d[2]) <= n_rho * aside + n_z * d[2]:
        begin(face_out, turned_by(X, (n_rho * c, n_rho * s, n_z)))
        put_corner(face_out, 16, shifted(X, (below * c, below * s, -half)))
        put_corner(face_out, 17, shifted(X, (above * c, above * s, half)))
        return
    upper = d[2] > 0.0
    side = 1.0 if upper else -1.0
    begin(face_out, times(side, axis_of(X, 2)))
    rim = above if upper else below
    if not rim > 0.0:
        put_corner(face_out, 8 if upper else 0, shifted(X, (0.0, 0.0, side * half)))
        return
    turn, lift = math.cos(2.0 * math.pi / CAP_CORNERS), math.sin(2.0 * math.pi / CAP_CORNERS)
    for k in range(CAP_CORNERS):
        put_corner(face_out, k + (8 if upper else 0), shifted(X, (rim * c, rim * s, side * half)))
        c, s = turn * c - side * lift * s, turn * s + side * lift * c


@inlined_kernel
def shifted(X: Floats, p: Numbers) -> Numbers:
    """A point of a frame in W."""
    return more(turned_by(X, p), place_of(X))


@kernel
def hull_face(shape: Record, X: Floats, d: Numbers, solids: Floats, face_out: Record) -> None:
    """Of the faces at a hull's furthest point along d the one that faces it most.

    One with two corners that are equally far comes first, since it has the edge that faces d.
    Corners are named by their numbers. Of a face with too many corners some are left out.
    """
    d = turned_back(X, d)
    head = record(solids, shape.solid, SOLID)
    faces = records(solids, head.faces, SOLID_FACE)
    around, faces_around = indices(solids, head.around), indices(solids, head.faces_around)
    corners, points = indices(solids, head.corners), matrix(solids, head.points)
    at = furthest_of_hull(d, solids, shape.solid, 0)
    level = dot3(d, three(points[at])) - LEVEL * shape.radius
    best, most, chosen = -math.inf, 0, 0
    for k in range(around[at], around[at + 1]):
        face = faces[faces_around[k]]
        first, count = face.corners
        furthest = 0
        for c in range(first, first + count):
            furthest += 1 if dot3(d, three(points[corners[c]])) >= level else 0
        here = dot3(d, three(face.normal))
        if furthest > most or (furthest == most and here > best):
            best, most, chosen = here, furthest, faces_around[k]
    first, count = faces[chosen].corners
    begin(face_out, turned_by(X, three(faces[chosen].normal)))
    used = min(count, MOST_CORNERS)
    for k in range(used):
        corner = corners[first + (k * count) // used]
        put_corner(face_out, corner, shifted(X, three(points[corner])))
