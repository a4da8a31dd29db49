"""Two closed meshes: one place for every region in which they cut each other.

(4.86)-(4.99) of the thesis, with sums that need no order. Segments that share an end belong to one
region. Along the contour of a region, that part of a which is inside b lies to the left, so the sum
of p x q / 2 over its segments is the integral of a's outward normal over that part, whatever its
form: the normal of the contact is against it. For a plane contour it is the normal of the plane
that is fitted in (4.89)-(4.92). The centroid (4.93)-(4.97) is a sum over segments as well. The
depth is how far points of a go beyond the plane of the contour, (4.98), and those of b on the
other side together: two equal balls that overlap by d have d/2 on either side.
"""

from __future__ import annotations

import math

from ...jit import Record, Records, inlined_kernel, kernel, matrix, record
from ...spatial.kernels import Numbers, cross3, dot3, point_at, three
from ..records import MOST_REGIONS, SOLID, TABLE_SIZE
from .mesh_cuts import cut
from .mesh_queries import mesh_gap
from .vectors import UP, Floats, along, less, more, place_of, seen_from, times, turned_by, unit_or
from .writing import put_near


@kernel
def mesh_mesh(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    solids: Floats,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """Places where two meshes touch, one a region; features are the regions' numbers.

    Meshes that are apart have none, however near they are. If they cut each other in more lines
    than there is room for, the first of them are taken.
    """
    cut(a, X_WA, b, X_WB, solids, work)
    meshes = work.meshes
    if meshes.count == 0:
        return 0
    join(meshes)
    fit(meshes)
    measure(a, b, solids, work)
    found = 0
    for r in range(meshes.regions):
        region = meshes.region[r]
        if region.segments < 3 or region.of_a + region.of_b <= 0.0:
            continue
        n = turned_by(X_WB, three(region.normal))
        depth = region.of_a + region.of_b
        height = 0.5 * (region.of_b - region.of_a)  # of the middle above the plane
        middle = along(three(region.centroid), height, three(region.normal))
        point = more(turned_by(X_WB, middle), place_of(X_WB))
        found = put_near(found_out, found, r, point, n, depth, 0.0, margin)
    return found


@kernel
def root(meshes: Record, s: int) -> int:
    """The segment that stands for all that a segment is joined with."""
    while meshes.segment[s].region != s:
        s = meshes.segment[s].region
    return s


@inlined_kernel
def within_table(key: int) -> int:
    """A place of the table for a key."""
    return key & (TABLE_SIZE - 1)


@kernel
def join(meshes: Record) -> None:
    """Number the regions: segments with a common end belong to one."""
    for k in range(TABLE_SIZE):
        meshes.owners[k] = -1
    for s in range(meshes.count):
        meshes.segment[s].region = s
    for s in range(meshes.count):
        for end in range(2):
            key = meshes.segment[s].keys[end]
            at = within_table(key ^ (key >> 17))
            while meshes.owners[at] >= 0 and meshes.keys[at] != key:
                at = within_table(at + 1)
            if meshes.owners[at] < 0:
                meshes.owners[at], meshes.keys[at] = s, key
            else:
                i, j = root(meshes, meshes.owners[at]), root(meshes, s)
                meshes.segment[max(i, j)].region = min(i, j)
    for s in range(meshes.count):
        meshes.segment[s].region = root(meshes, s)
    meshes.regions = 0
    for s in range(meshes.count):  # the first segment of a region comes first and gets its number
        first = meshes.segment[s].region
        if first == s:
            number = min(meshes.regions, MOST_REGIONS - 1)
            meshes.regions = number + 1
            meshes.segment[s].region = number
        else:
            meshes.segment[s].region = meshes.segment[first].region


@kernel
def fit(meshes: Record) -> None:
    """Normal and centroid of every region, by sums over its segments.

    About a point o of the contour each segment has the area vector A = (p - o) x (q - o) / 2 of a
    triangle, whose centroid is o + ((p - o) + (q - o)) / 3. Along the normal n of all of them the
    areas A.n weigh these.
    """
    for r in range(meshes.regions):
        region = meshes.region[r]
        region.segments = 0
        for i in range(3):
            region.area[i], region.first[i] = 0.0, 0.0
    for s in range(meshes.count):
        segment = meshes.segment[s]
        region = meshes.region[segment.region]
        if region.segments == 0:
            for i in range(3):
                region.origin[i] = segment.ends[0, i]
        region.segments += 1
        p, q = ends_from(segment, region)
        area = cross3(p, q)
        for i in range(3):
            region.area[i] += 0.5 * area[i]
    for r in range(meshes.regions):
        region = meshes.region[r]
        n = times(-1.0, unit_or(three(region.area), UP))
        region.normal[0], region.normal[1], region.normal[2] = n
    for s in range(meshes.count):
        segment = meshes.segment[s]
        region = meshes.region[segment.region]
        p, q = ends_from(segment, region)
        weight = -0.5 * dot3(cross3(p, q), three(region.normal)) / 3.0
        for i in range(3):
            region.first[i] += weight * (p[i] + q[i])
    for r in range(meshes.regions):
        region = meshes.region[r]
        size = math.sqrt(dot3(three(region.area), three(region.area)))
        for i in range(3):
            region.centroid[i] = region.origin[i]
            if size > 0.0:
                region.centroid[i] += region.first[i] / size


@kernel
def ends_from(segment: Record, region: Record) -> tuple[Numbers, Numbers]:
    """Ends of a segment from the origin of its region."""
    o = three(region.origin)
    return less(three(segment.ends[0]), o), less(three(segment.ends[1]), o)


@kernel
def measure(a: Record, b: Record, solids: Floats, work: Record) -> None:
    """How far each mesh goes beyond the planes of the contours: points inside the other mesh."""
    meshes = work.meshes
    for r in range(meshes.regions):
        meshes.region[r].of_a, meshes.region[r].of_b = 0.0, 0.0
    for s in range(meshes.count):  # the contour itself need not be plane
        region = meshes.region[meshes.segment[s].region]
        way = less(three(meshes.segment[s].ends[0]), three(region.centroid))
        height = dot3(three(region.normal), way)
        region.of_a, region.of_b = max(region.of_a, -height), max(region.of_b, height)
    points = matrix(solids, record(solids, a.solid, SOLID).points)
    for k in range(points.shape[0]):
        p = point_at(meshes.X_BA, points[k])
        if is_inside(p, b, solids, work):
            region = meshes.region[nearest_region(p, meshes)]
            height = dot3(three(region.normal), less(p, three(region.centroid)))
            region.of_a = max(region.of_a, -height)
    points = matrix(solids, record(solids, b.solid, SOLID).points)
    for k in range(points.shape[0]):
        p = three(points[k])
        if is_inside(seen_from(meshes.X_BA, p), a, solids, work):
            region = meshes.region[nearest_region(p, meshes)]
            height = dot3(three(region.normal), less(p, three(region.centroid)))
            region.of_b = max(region.of_b, height)


@kernel
def is_inside(p: Numbers, shape: Record, solids: Floats, work: Record) -> bool:
    """Whether a point is inside a mesh, in whose axes it is given."""
    head = record(solids, shape.solid, SOLID)
    for i in range(3):
        if abs(p[i] - head.middle[i]) > head.half[i]:
            return False
    height, _ = mesh_gap(p, solids, shape.solid, work.stack)
    return height < 0.0


@kernel
def nearest_region(p: Numbers, meshes: Record) -> int:
    """The region whose centroid is nearest to a point."""
    best, found = math.inf, 0
    for r in range(meshes.regions):
        way = less(p, three(meshes.region[r].centroid))
        if meshes.region[r].segments > 2 and dot3(way, way) < best:
            best, found = dot3(way, way), r
    return found
