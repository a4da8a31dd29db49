"""Kernels of the comparison of dynamics: evaluations without Python between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...actuation._kernels import DRIVE
from ...dynamics.model._kernels import HEADER, PULL_F
from ...dynamics.motion.calls._kernels import EVALUATE, evaluate
from ...jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def evaluations(
    calls: Ints, model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, drive_io: Floats,
    pulls_in: Floats, work: Floats, vdot_out: Floats, power_out: Floats,
) -> int:  # fmt: skip
    """Accelerations for every row of positions and velocities; the first status that is not 0."""
    for n in range(q_in.shape[0]):
        status = evaluate(
            calls[EVALUATE], model_i, model_f, q_in[n], v_in[n], drive_io, pulls_in, work,
            vdot_out, power_out,
        )  # fmt: skip
        if status != 0:
            return status
    return 0


def warm_up() -> None:
    """Compile what the comparison calls, for no state at all."""
    model_i, model_f, none = np.zeros(HEADER, dtype=np.int64), np.zeros(1), np.zeros(0)
    rows, drive, pulls = np.zeros((0, 0)), np.zeros((0, DRIVE)), np.zeros((0, PULL_F))
    calls = np.zeros(5, dtype=np.int64)
    evaluations(calls, model_i, model_f, rows, rows, drive, pulls, none, none, none)
