"""What two closed meshes have in common: volume, first and second moment.

The common solid has two kinds of faces: what of a's triangles is inside b, and what of b's is
inside a. Its moments are those of the tetrahedra from the origin to all of them, with signs. The
part of a triangle inside the other mesh is bounded by segments of the cut and by parts of its own
edges. About a corner o of the triangle each piece of its boundary from p to q makes a triangle
o, p, q, and all of these with their signs make the part, in any order. Parts of an edge from v to w
are differences of triangles o, v, x: one for every place x where it leaves the other mesh, less one
where it enters it, and one for x = w if that is inside.
"""

from __future__ import annotations

from ...jit import (
    MATRIX,
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
from ...spatial.kernels import Numbers, cross3, dot3, point_at, three
from ..records import MOMENTS, NEAR_WORK, SHAPE, SOLID, TRIANGLE
from .mesh_cuts import cut
from .mesh_mesh import is_inside
from .vectors import Floats, more, seen_from


@entry(array_of(SHAPE), MATRIX, MATRIX, VECTOR, VECTOR, VECTOR)
@kernel
def common_moments(
    shapes: Records,
    X_WA_in: Floats,
    X_WB_in: Floats,
    solids: Floats,
    work: Floats,
    moments_out: Floats,
) -> int:
    """Write what two meshes have in common, in the axes of the second; -1 if there is no room.

    Else the number of lines in which they cut each other is returned.
    """
    near, out = header(work, NEAR_WORK), header(moments_out, MOMENTS)
    out.volume = 0.0
    for i in range(3):
        out.first[i] = 0.0
        for j in range(3):
            out.second[i, j] = 0.0
    a, b = shapes[0], shapes[1]
    count = cut(a, X_WA_in, b, X_WB_in, solids, near)
    if count < 0:
        return count
    add_surface(a, b, True, solids, near, out)
    add_surface(b, a, False, solids, near, out)
    for s in range(count):
        segment = near.meshes.segment[s]
        p, q = three(segment.ends[0]), three(segment.ends[1])
        add_piece(a, 0, p, q, segment, solids, near, out)
        add_piece(b, 1, q, p, segment, solids, near, out)
    return count


@inlined_kernel
def corner_of(points: Floats, corner: int, is_a: bool, meshes: Record) -> Numbers:
    """A point of one of the meshes in the axes of b."""
    return point_at(meshes.X_BA, points[corner]) if is_a else three(points[corner])


@kernel
def add_surface(
    a: Record, b: Record, is_a: bool, solids: Floats, near: Record, moments: Record
) -> None:
    """Add the triangles of a by their edges whose ends are inside b."""
    head = record(solids, a.solid, SOLID)
    points, triangles = matrix(solids, head.points), records(solids, head.triangles, TRIANGLE)
    for t in range(triangles.shape[0]):
        corners = triangles[t].corners
        o = corner_of(points, corners[0], is_a, near.meshes)
        for k in range(3):
            w = corner_of(points, corners[(k + 1) % 3], is_a, near.meshes)
            seen = w if is_a else seen_from(near.meshes.X_BA, w)
            if is_inside(seen, b, solids, near):
                v = corner_of(points, corners[k], is_a, near.meshes)
                add_tetrahedron(1.0, o, v, w, moments)


@kernel
def add_piece(
    a: Record,
    whose: int,
    p: Numbers,
    q: Numbers,
    segment: Record,
    solids: Floats,
    near: Record,
    moments: Record,
) -> None:
    """Add the boundary that a segment is of a triangle of a, and the edges that end there."""
    head = record(solids, a.solid, SOLID)
    points, triangles = matrix(solids, head.points), records(solids, head.triangles, TRIANGLE)
    corners = triangles[segment.triangles[whose]].corners
    o = corner_of(points, corners[0], whose == 0, near.meshes)
    add_tetrahedron(1.0, o, p, q, moments)
    for end in range(2):
        if segment.of_edge[end] == whose:
            v = corner_of(points, corners[segment.edge[end]], whose == 0, near.meshes)
            add_tetrahedron(segment.leaves[end], o, v, three(segment.ends[end]), moments)


@kernel
def add_tetrahedron(sign: float, p: Numbers, q: Numbers, r: Numbers, moments: Record) -> None:
    """Add the moments of a tetrahedron from the origin to p, q, r.

    V = p.(q x r)/6, first moment V (p + q + r)/4, second V/20 (pp + qq + rr + ss), s = p + q + r.
    """
    v = sign * dot3(p, cross3(q, r)) / 6.0
    s = more(more(p, q), r)
    moments.volume += v
    for i in range(3):
        moments.first[i] += 0.25 * v * s[i]
        for j in range(3):
            moments.second[i, j] += (
                v / 20.0 * (p[i] * p[j] + q[i] * q[j] + r[i] * r[j] + s[i] * s[j])
            )
