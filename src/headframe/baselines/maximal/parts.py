"""What the buffers of a machine in maximal coordinates hold, as kernels take it out of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import Records, header, indices, inlined_kernel, matrix, numbers, records
from .records import (
    BLOCK,
    BODY_ROW,
    BODY_SPRING,
    COORDINATE,
    LOSS,
    MAXIMAL,
    MAXIMAL_STATE,
    MOVING_BODY,
    REFERENCE,
    REPEATER,
    RESPONSE,
    RIGID_BODY,
)

Floats = NDArray[np.float64]


class MaximalParts(NamedTuple):
    """Of the model, of the state and of scratch memory, by their names in `records`."""

    gravity: Floats
    rigid: Records
    held: Records
    free: Records
    blocks: Records
    drives: NDArray[np.int64]
    losses: Records
    repeaters: Records
    springs: Records
    coordinates: Records
    bodies: Records
    V: Floats
    positions: Floats
    references: Records
    impulses: Floats
    V_before: Floats
    V_mean: Floats
    spare: Records


@inlined_kernel
def parts_of(model: Floats, state: Floats, work: Floats) -> MaximalParts:
    """All parts; those that a kernel does not use cost it nothing."""
    head, moment = header(model, MAXIMAL), header(state, MAXIMAL_STATE)
    return MaximalParts(
        head.gravity,
        records(model, head.rigid, RIGID_BODY),
        records(model, head.held, BODY_ROW),
        records(model, head.free, BODY_ROW),
        records(model, head.blocks, BLOCK),
        indices(model, head.drives),
        records(model, head.losses, LOSS),
        records(model, head.repeaters, REPEATER),
        records(model, head.springs, BODY_SPRING),
        records(model, head.coordinates, COORDINATE),
        records(state, moment.bodies, MOVING_BODY),
        matrix(state, moment.V),
        numbers(state, moment.positions),
        records(state, moment.references, REFERENCE),
        numbers(state, moment.impulses),
        matrix(work, head.V_before),
        matrix(work, head.V_mean),
        records(work, head.spare, RESPONSE),
    )
