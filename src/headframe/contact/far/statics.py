"""What of all that stands still a moving shape may touch: by an octree, or by planes.

Section 4.4.2 of the thesis. An octree holds boxes, planes divide the facets of meshes.
"""

from __future__ import annotations

from ...jit import (
    NUMBER,
    VECTOR,
    WHOLES,
    Record,
    Records,
    array_of,
    entry,
    inlined_kernel,
    kernel,
)
from ...spatial.kernels import dot3, three
from ..near.vectors import Floats
from ..records import BOUNDS, CELL, HALF_SPACES


@inlined_kernel
def put_new(member: int, found: int, found_out: Floats) -> int:
    """Append a member that is not there yet; how many there are then, -1 without room."""
    for k in range(found):
        if found_out[k] == member:
            return found
    if found == found_out.shape[0]:
        return -1
    found_out[found] = member
    return found + 1


@entry(array_of(CELL), WHOLES, array_of(BOUNDS), WHOLES, WHOLES)
@kernel
def members_near(
    cells: Records, members: Floats, boxes_in: Records, stack_work: Floats, found_out: Floats
) -> int:
    """Write the members of all cells that one of the boxes touches; how many, -1 without room.

    The stack has eight places for every level of the octree.
    """
    found = 0
    for b in range(boxes_in.shape[0]):
        waiting = push(0, 0, stack_work)
        while waiting > 0:
            waiting -= 1
            cell = cells[stack_work[waiting]]
            if is_apart(cell, boxes_in[b]):
                continue
            if cell.children[0] >= 0:
                for child in range(8):
                    waiting = push(cell.children[child], waiting, stack_work)
                continue
            first, count = cell.members
            for k in range(first, first + count):
                found = put_new(members[k], found, found_out)
                if found < 0:
                    return -1
    return found


@inlined_kernel
def push(what: int, waiting: int, stack: Floats) -> int:
    """Put something on a stack; how many wait then."""
    stack[waiting] = what
    return waiting + 1


@inlined_kernel
def is_apart(cell: Record, box: Record) -> bool:
    """Whether a cell and a box have nothing in common."""
    apart = False
    for i in range(3):
        apart = apart or cell.low[i] > box.high[i] or cell.high[i] < box.low[i]
    return apart


@entry(array_of(HALF_SPACES), WHOLES, VECTOR, NUMBER, WHOLES, WHOLES)
@kernel
def facets_near(
    planes: Records,
    members: Floats,
    centre_in: Floats,
    radius: float,
    stack_work: Floats,
    found_out: Floats,
) -> int:
    """Write the facets whose planes a sphere cuts where it is; how many, -1 without room.

    The stack has a place for every plane.
    """
    found = 0
    waiting = push(0, 0, stack_work) if planes.shape[0] > 0 else 0
    while waiting > 0:
        waiting -= 1
        plane = planes[stack_work[waiting]]
        height = dot3(three(plane.normal), three(centre_in)) - plane.offset
        if abs(height) <= radius:
            first, count = plane.members
            for k in range(first, first + count):
                found = put_new(members[k], found, found_out)
                if found < 0:
                    return -1
        if height >= -radius and plane.front >= 0:
            waiting = push(plane.front, waiting, stack_work)
        if height <= radius and plane.back >= 0:
            waiting = push(plane.back, waiting, stack_work)
    return found


@entry(array_of(HALF_SPACES), VECTOR)
@kernel
def is_solid(planes: Records, point_in: Floats) -> bool:
    """Whether a point is inside of what closed facets enclose: behind the last plane of its way."""
    at, behind = 0, False
    while at >= 0 and planes.shape[0] > 0:
        plane = planes[at]
        behind = dot3(three(plane.normal), three(point_in)) < plane.offset
        at = plane.back if behind else plane.front
    return behind
