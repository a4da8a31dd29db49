"""What a motion asks of its formulation: five kernels, called by their addresses.

The integrators, drives and stops are the same for embedded loops and for the constrained tree, and
are compiled without either. `CALLS` holds the addresses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...actuation.kernels import DRIVE
from ...jit import (
    NUMBER,
    TRUTH,
    VECTOR,
    WHOLE,
    Record,
    Records,
    array_of,
    caller,
    layout,
    record_of,
    tuple_of,
)
from ..records import POWER, PULL, ROW_STATE

DRIVES, PULLS, ROWS = array_of(DRIVE), array_of(PULL), array_of(ROW_STATE)
FLOW = record_of(POWER)

# model, q, v, drives, pulls, work, vdot, power: accelerations, reactions and powers
EVALUATE = WHOLE(VECTOR, VECTOR, VECTOR, DRIVES, PULLS, VECTOR, VECTOR, FLOW)
# model, q, v, work, states: position and rate of every row
READ_ROWS = WHOLE(VECTOR, VECTOR, VECTOR, VECTOR, ROWS)
# model, q, v, drives, work: back onto loops and guided rows
PROJECT = WHOLE(VECTOR, VECTOR, VECTOR, DRIVES, VECTOR)
# model, q, v, mask, drives, hold, work: inelastic stop; (status, energy lost, drives' work)
STOPPED = tuple_of(WHOLE, NUMBER, NUMBER)
ARREST = STOPPED(VECTOR, VECTOR, VECTOR, VECTOR, DRIVES, TRUTH, VECTOR)
# model, h, q, v, drives, pulls, work, flow: a step that the formulation makes on its own
STEP = WHOLE(VECTOR, NUMBER, VECTOR, VECTOR, DRIVES, PULLS, VECTOR, FLOW)

# addresses of a formulation's kernels
CALLS = layout(evaluate="i8", read_rows="i8", project="i8", arrest="i8", step="i8")

StatusKernel = Callable[..., int]
evaluate: StatusKernel = caller(EVALUATE)
read_rows: StatusKernel = caller(READ_ROWS)
project: StatusKernel = caller(PROJECT)
arrest: Callable[..., tuple[int, float, float]] = caller(ARREST)
own_step: StatusKernel = caller(STEP)


class MotionParts(NamedTuple):
    """What a step works on besides positions and velocities."""

    calls: Record  # CALLS
    model: NDArray[np.float64]
    drives: Records  # DRIVE
    pulls: Records  # PULL
    work: NDArray[np.float64]
