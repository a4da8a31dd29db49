"""What kernels of dynamics answer; `errors` tells it to people."""

from __future__ import annotations

from enum import IntEnum

from ..jit import inlined_kernel

STATUSES = 16  # a status may come with a number, of a row, a freedom or a block: see `failed`


class DynamicsStatus(IntEnum):
    """Whether a kernel has done what it was asked for, or why not."""

    OK = 0
    WRONG_SIZE = 1  # an array has another size than the tree asks for
    NOT_FINITE = 2  # a result is infinite or no number
    NO_INERTIA = 3  # a freedom, the number, moves nothing that has inertia
    NOT_POSITIVE = 4  # the inertia matrix is not positive definite at a freedom, the number
    NO_SOLUTION = 5  # the lengths of a block, the number, have no configuration
    NO_CLOSURE = 6  # a loop's row, the number, cannot close
    DEAD_CENTRE = 7  # the drive of a row, the number, cannot hold or move it
    TOO_MANY_IMPACTS = 8  # in one step
    NOT_CONVERGED = 9  # an implicit step
    NO_COORDINATE = 10  # a guided row, the number, is no coordinate
    FULL = 11  # there are more contacts than memory for them


(
    OK, WRONG_SIZE, NOT_FINITE, NO_INERTIA, NOT_POSITIVE, NO_SOLUTION, NO_CLOSURE, DEAD_CENTRE,
    TOO_MANY_IMPACTS, NOT_CONVERGED, NO_COORDINATE, FULL,
) = (status.value for status in DynamicsStatus)  # fmt: skip


@inlined_kernel
def failed(status: int, number: int) -> int:
    """A status with a number."""
    return status + STATUSES * number
