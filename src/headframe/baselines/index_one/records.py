"""What methods for accelerations in natural coordinates have of their own, as records."""

from __future__ import annotations

from enum import IntEnum

from ...jit import SPAN, TABLE, layout


class IndexOneMethod(IntEnum):
    """Where accelerations come from."""

    PENALTY = 0  # (2.8)
    MULTIPLIERS = 1  # stabilised Lagrange, with omega Baumgarte's
    MATRIX_R = 2  # independent coordinates


# the own part of a model, with its scratch memory behind it
INDEX_ONE = layout(
    method="i8",  # IndexOneMethod
    omega="f8",  # [1/s] how fast errors of constraints die away; 0: they do not
    damping="f8",  # xi: 1 for critical damping
    q=SPAN,  # of a stage, as long as q of the state
    v=SPAN,
    a=SPAN,
    step_v=SPAN,  # sums over the stages
    step_a=SPAN,
    rank="i8",  # of the matrix R: how many rows are independent
    independent=SPAN,  # whole numbers: coordinates, those that depend on others first
    chosen=SPAN,  # whole numbers: rows, those that count first
    J=TABLE,  # (m, n)
    A=TABLE,  # of the dependent coordinates, factored
    pivots=SPAN,  # whole numbers
    R=TABLE,  # transposed: for each independent coordinate all velocities, at its rate 1
    S=TABLE,  # R^T M R
    L=TABLE,  # its factor
    right=SPAN,
    MR=SPAN,  # a column of M R
    z=SPAN,
)
