"""A place where two shapes touch, written into its record."""

from __future__ import annotations

from ...jit import Record, Records, inlined_kernel
from ...spatial.kernels import Numbers


@inlined_kernel
def put(
    touch: Record, feature: int, point: Numbers, normal: Numbers, depth: float, curvature: float
) -> None:
    """Write a place with all that is known of it, but for the numbers of the two shapes."""
    touch.feature = feature
    touch.point[0], touch.point[1], touch.point[2] = point
    touch.normal[0], touch.normal[1], touch.normal[2] = normal
    touch.depth = depth
    touch.curvature = curvature


@inlined_kernel
def put_near(
    found_out: Records,
    count: int,
    feature: int,
    point: Numbers,
    normal: Numbers,
    depth: float,
    curvature: float,
    margin: float,
) -> int:
    """Append a place if it is near enough and there is room; how many there are then."""
    if depth > -margin and count < found_out.shape[0]:
        put(found_out[count], feature, point, normal, depth, curvature)
        return count + 1
    return count


@inlined_kernel
def flip(found_out: Records, count: int) -> None:
    """Let all normals point from the other shape, which was taken for the first."""
    for k in range(count):
        normal = found_out[k].normal
        normal[0], normal[1], normal[2] = -normal[0], -normal[1], -normal[2]
