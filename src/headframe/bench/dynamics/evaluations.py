"""Kernels of the comparison of dynamics: evaluations without Python between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...actuation.kernels import DRIVE
from ...dynamics import CALLS, evaluate
from ...dynamics.kernels import POWER, PULL
from ...jit import MATRIX, VECTOR, all_records, entry, header, kernel

Floats = NDArray[np.float64]


@entry(VECTOR, VECTOR, MATRIX, MATRIX, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def evaluations(
    calls_in: Floats, model: Floats, q_in: Floats, v_in: Floats, drives_io: Floats,
    pulls_in: Floats, work: Floats, vdot_out: Floats, power_out: Floats,
) -> int:  # fmt: skip
    """Accelerations for every row of positions and velocities; the first status that is not 0."""
    calls, power = header(calls_in, CALLS), header(power_out, POWER)
    drives, pulls = all_records(drives_io, DRIVE), all_records(pulls_in, PULL)
    for n in range(q_in.shape[0]):
        status = evaluate(
            calls.evaluate, model, q_in[n], v_in[n], drives, pulls, work, vdot_out, power
        )
        if status != 0:
            return status
    return 0
