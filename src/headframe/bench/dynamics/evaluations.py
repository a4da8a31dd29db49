"""Kernels of the comparison of dynamics: evaluations without Python between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...dynamics import CALLS, DRIVES, PULLS, evaluate
from ...dynamics.kernels import POWER
from ...jit import MATRIX, VECTOR, Records, entry, header, kernel

Floats = NDArray[np.float64]


@entry(VECTOR, VECTOR, MATRIX, MATRIX, DRIVES, PULLS, VECTOR, VECTOR, VECTOR)
@kernel
def evaluations(
    calls_in: Floats, model: Floats, q_in: Floats, v_in: Floats, drives_io: Records,
    pulls_in: Records, work: Floats, vdot_out: Floats, power_out: Floats,
) -> int:  # fmt: skip
    """Accelerations for every row of positions and velocities; the first status that is not 0."""
    calls, power = header(calls_in, CALLS), header(power_out, POWER)
    for n in range(q_in.shape[0]):
        status = evaluate(
            calls.evaluate, model, q_in[n], v_in[n], drives_io, pulls_in, work, vdot_out, power
        )
        if status != 0:
            return status
    return 0
