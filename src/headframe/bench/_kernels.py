"""Kernels of the comparison: a method's own kernel over many problems, without Python between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit import batch_kernel
from ..kinematics.lengths._kernels import HEADER
from ..kinematics.paper._kernels import SEQ_HEAD, sequential_forward, state_size

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@batch_kernel
def sequential_rows(
    link_i: Ints,
    link_f: Floats,
    seq_i: Ints,
    lengths_in: Floats,
    q_in: Floats,
    tolerance: float,
    state: Floats,
    q_out: Floats,
    status_out: Ints,
) -> None:
    """Algorithm 3 of the MineRobot paper for every row of lengths, from the same row of q_in."""
    for i in range(lengths_in.shape[0]):
        status_out[i] = sequential_forward(
            link_i, link_f, seq_i, lengths_in[i], q_in[i], 1, tolerance, state, q_out[i]
        )


def warm_up() -> None:
    """Compile with the types that the comparison uses, on a linkage without freedoms."""
    sequential_rows(
        np.zeros(HEADER, dtype=np.int64), np.zeros(1), np.zeros(SEQ_HEAD, dtype=np.int64),
        np.zeros((1, 0)), np.zeros((1, 0)), 1e-10, np.zeros(int(state_size(0, 0, 0, 0, 0))),
        np.zeros((1, 0)), np.zeros(1, dtype=np.int64),
    )  # fmt: skip
