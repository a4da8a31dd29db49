"""The lines in which two closed meshes cut each other.

(4.81)-(4.88) of the thesis. Pairs of triangles come from both trees of boxes, gone through together
(4.26). Two triangles cut each other in a line between two points, each of which is where an edge of
one goes through the other. On which side of what a point is, determinants tell; each is computed in
one order of its points, whoever asks, so that triangles that share an edge agree about it, and
lines that go on from each other end at the same point. What is exactly on something does not occur,
since one mesh is moved by a billionth of its size in a direction that no mesh has.
"""

from __future__ import annotations

from ...jit import Record, indices, inlined_kernel, kernel, matrix, record, records
from ...spatial.kernels import Numbers, compose, cross3, dot3, point_at, pose_at, put_pose, three
from ..records import MOST_SEGMENTS, NODE, SOLID, TRIANGLE
from .boxes import best_axis
from .vectors import Floats, along, less, place_of, turned_back, turned_by

ASIDE = (0.5363e-9, -0.7213e-9, 0.4391e-9)  # of a mesh's size
FACTOR = 1_000_003  # spreads keys


@kernel
def cut(a: Record, X_WA: Floats, b: Record, X_WB: Floats, solids: Floats, work: Record) -> int:
    """Find all segments of two meshes; how many, -1 if there is no room for them."""
    meshes = work.meshes
    meshes.count = 0
    put_relative(X_WA, X_WB, a.radius, meshes.X_BA)
    head_a, head_b = record(solids, a.solid, SOLID), record(solids, b.solid, SOLID)
    nodes_a, nodes_b = records(solids, head_a.nodes, NODE), records(solids, head_b.nodes, NODE)
    order_a, order_b = indices(solids, head_a.order), indices(solids, head_b.order)
    work.stack[0, 0], work.stack[0, 1] = 0, 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        i, j = work.stack[waiting, 0], work.stack[waiting, 1]
        if are_apart(nodes_a[i], nodes_b[j], meshes):
            continue
        leaf_a, leaf_b = nodes_a[i].children[0] < 0, nodes_b[j].children[0] < 0
        if leaf_a and leaf_b:
            first_a, count_a = nodes_a[i].first
            first_b, count_b = nodes_b[j].first
            for k in range(first_a, first_a + count_a):
                for m in range(first_b, first_b + count_b):
                    cut_triangles(head_a, order_a[k], head_b, order_b[m], solids, meshes)
            if meshes.count >= MOST_SEGMENTS:
                return -1
            continue
        for side in range(2):
            if leaf_b or (not leaf_a and nodes_a[i].first[1] >= nodes_b[j].first[1]):
                work.stack[waiting, 0], work.stack[waiting, 1] = nodes_a[i].children[side], j
            else:
                work.stack[waiting, 0], work.stack[waiting, 1] = i, nodes_b[j].children[side]
            waiting += 1
    count: int = meshes.count
    return count


@kernel
def put_relative(X_WA: Floats, X_WB: Floats, size: float, X_BA_out: Floats) -> None:
    """Pose of a in b, moved aside by what no mesh can be seen by."""
    p = turned_back(X_WB, less(place_of(X_WA), place_of(X_WB)))
    p = along(p, size, ASIDE)
    for k in range(3):
        column = turned_back(X_WB, (X_WA[0, k], X_WA[1, k], X_WA[2, k]))
        X_BA_out[0, k], X_BA_out[1, k], X_BA_out[2, k] = column
    X_BA_out[0, 3], X_BA_out[1, 3], X_BA_out[2, 3] = p


@kernel
def are_apart(node_a: Record, node_b: Record, meshes: Record) -> bool:
    """Whether the boxes of two nodes, along the axes of their triangles, do not overlap."""
    put_pose(meshes.node_a, compose(pose_at(meshes.X_BA), pose_at(node_a.X_SO)))
    put_pose(meshes.node_b, pose_at(node_b.X_SO))
    way = less(place_of(meshes.node_a), place_of(meshes.node_b))
    apart, _ = best_axis(node_a.half, meshes.node_a, node_b.half, meshes.node_b, way, 1e-300)
    return apart > 0.0


@inlined_kernel
def volume(p: Numbers, q: Numbers, r: Numbers, s: Numbers) -> float:
    """Six times the volume of a tetrahedron: above 0 if s is on the side of (q - p) x (r - p)."""
    return dot3(cross3(less(q, p), less(r, p)), less(s, p))


@inlined_kernel
def passes_left(p: Numbers, q: Numbers, i: int, x: Numbers, j: int, y: Numbers) -> bool:
    """On which side a line from p to q passes an edge from x to y, whichever way both are asked."""
    if i < j:
        return volume(p, q, x, y) > 0.0
    return not volume(p, q, y, x) > 0.0


@kernel
def cut_triangles(
    head_a: Record, t_a: int, head_b: Record, t_b: int, solids: Floats, meshes: Record
) -> None:
    """Append the segment of two triangles, if they cut each other."""
    points_a, points_b = matrix(solids, head_a.points), matrix(solids, head_b.points)
    a = records(solids, head_a.triangles, TRIANGLE)[t_a]
    b = records(solids, head_b.triangles, TRIANGLE)[t_b]
    p0 = point_at(meshes.X_BA, points_a[a.corners[0]])
    p1 = point_at(meshes.X_BA, points_a[a.corners[1]])
    p2 = point_at(meshes.X_BA, points_a[a.corners[2]])
    q0, q1, q2 = (
        three(points_b[b.corners[0]]),
        three(points_b[b.corners[1]]),
        three(points_b[b.corners[2]]),
    )
    if meshes.count >= MOST_SEGMENTS:
        return
    segment = meshes.segment[meshes.count]
    found = 0
    for k in range(3):  # edges of a through b
        p, q = (p0, p1) if k == 0 else ((p1, p2) if k == 1 else (p2, p0))
        i, j = a.corners[k], a.corners[(k + 1) % 3]
        found = put_crossing(i, p, j, q, b.corners, q0, q1, q2, 0, k, t_b, found, segment)
    for k in range(3):  # edges of b through a
        p, q = (q0, q1) if k == 0 else ((q1, q2) if k == 1 else (q2, q0))
        i, j = b.corners[k], b.corners[(k + 1) % 3]
        found = put_crossing(i, p, j, q, a.corners, p0, p1, p2, 1, k, t_a, found, segment)
    if found < 2:
        return
    segment.triangles[0], segment.triangles[1] = t_a, t_b
    normal_a = turned_by(meshes.X_BA, three(a.normal))
    along_it = cross3(normal_a, three(b.normal))
    if dot3(along_it, less(three(segment.ends[1]), three(segment.ends[0]))) < 0.0:
        swap_ends(segment)
    meshes.count += 1


@kernel
def put_crossing(
    i: int,
    p: Numbers,
    j: int,
    q: Numbers,
    corners: Floats,
    x: Numbers,
    y: Numbers,
    z: Numbers,
    whose: int,
    k: int,
    t: int,
    found: int,
    segment: Record,
) -> int:
    """Write an end of a segment if the edge from p to q goes through the triangle x, y, z."""
    if found == 2:
        return found
    here, there = volume(x, y, z, p), volume(x, y, z, q)
    if (here > 0.0) == (there > 0.0):
        return found
    forward = i < j
    if not forward:
        i, p, j, q, here, there = j, q, i, p, there, here
    first = passes_left(p, q, corners[0], x, corners[1], y)
    if first != passes_left(p, q, corners[1], y, corners[2], z):
        return found
    if first != passes_left(p, q, corners[2], z, corners[0], x):
        return found
    point = along(p, here / (here - there), less(q, p))
    segment.ends[found, 0], segment.ends[found, 1], segment.ends[found, 2] = point
    segment.of_edge[found], segment.edge[found] = whose, k
    segment.leaves[found] = 1.0 if (there > 0.0) == forward else -1.0
    segment.keys[found] = ((i * FACTOR + j) * FACTOR + t) * 2 + whose
    return found + 1


@kernel
def swap_ends(segment: Record) -> None:
    """Let a segment go the other way."""
    for i in range(3):
        segment.ends[0, i], segment.ends[1, i] = segment.ends[1, i], segment.ends[0, i]
    segment.of_edge[0], segment.of_edge[1] = segment.of_edge[1], segment.of_edge[0]
    segment.edge[0], segment.edge[1] = segment.edge[1], segment.edge[0]
    segment.leaves[0], segment.leaves[1] = segment.leaves[1], segment.leaves[0]
    segment.keys[0], segment.keys[1] = segment.keys[1], segment.keys[0]
