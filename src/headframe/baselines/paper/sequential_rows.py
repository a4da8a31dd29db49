"""The paper's forward kinematics of many problems, without Python between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...jit import MATRIX, NUMBER, VECTOR, WHOLES, batch_kernel, entry
from .nested_newton import sequential_forward

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@entry(VECTOR, VECTOR, MATRIX, MATRIX, NUMBER, VECTOR, MATRIX, WHOLES)
@batch_kernel
def sequential_rows(
    link: Floats, sequence: Floats, lengths_in: Floats, q_in: Floats, tolerance: float,
    state: Floats, q_out: Floats, status_out: Ints,
) -> None:  # fmt: skip
    """Algorithm 3 of the MineRobot paper for every row of lengths, from the same row of q_in."""
    for i in range(lengths_in.shape[0]):
        status_out[i] = sequential_forward(
            link, sequence, lengths_in[i], q_in[i], 1, tolerance, state, q_out[i]
        )
