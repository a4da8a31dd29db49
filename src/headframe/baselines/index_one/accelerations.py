"""Kernels of accelerations by a penalty, or by multipliers with Baumgarte's stabilisation.

Both ask for Phi'' + 2 xi omega Phi' + omega^2 Phi = 0. The penalty method presses what is left of
it with alpha, (2.7), so that

    (M + alpha Phi_q^T Phi_q) a = Q - alpha Phi_q^T (Phi_q' v + 2 xi omega Phi' + omega^2 Phi);

multipliers that grow by what is left, in the same turns as in an augmented Lagrangian, meet it to
the last digit. They solve M a + Phi_q^T lambda = Q also where rows depend on others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...constraints.kernels import (
    AUGMENTED,
    NATURAL_ROW,
    ROW_NOW,
    TERM,
    add_along,
    add_inertia,
    along,
    constraint_part,
    factor_tangent,
    second_rate,
    set_forces,
    set_rows,
    set_tangent,
    solve_tangent,
)
from ...dynamics.kernels import DynamicsStatus
from ...jit import Records, header, indices, kernel, numbers, records
from .records import INDEX_ONE, IndexOneMethod

Floats = NDArray[np.float64]

OK = DynamicsStatus.OK.value
PENALTY, MULTIPLIERS, MATRIX_R = (method.value for method in IndexOneMethod)
TURNS, ENOUGH = 12, 1e-13


@kernel
def accelerate(
    model: Floats, own: Floats, q_in: Floats, v_in: Floats, drives_in: Records, pulls_in: Records,
    state: Floats, work: Floats, a_out: Floats,
) -> int:  # fmt: skip
    """Accelerations, and multipliers as reactions, at positions and velocities; OK or a status."""
    head, settings = header(model, AUGMENTED), header(own, INDEX_ONE)
    rows, terms = records(model, head.rows, NATURAL_ROW), records(model, head.terms, TERM)
    now, slopes = records(work, head.work.rows, ROW_NOW), numbers(work, head.work.slopes)
    right, force = numbers(work, head.work.right), numbers(work, head.work.force)
    entries, reactions = indices(model, head.entries), numbers(work, head.work.reactions)
    scale, omega, xi = constraint_part(model), settings.omega, settings.damping
    set_rows(model, q_in, work)
    set_tangent(model, 1.0, scale, 0.0, 0.0, q_in, v_in, work)
    status = factor_tangent(model, work, state)
    if status != OK:
        return status
    set_forces(model, q_in, v_in, drives_in, pulls_in, work)
    for i in range(head.n):
        a_out[i] = 0.0
    for i in range(rows.shape[0]):
        reactions[i] = 0.0
    turns, first = (1 if settings.method == PENALTY else TURNS), 0.0
    for turn in range(turns + 1):
        for i in range(head.n):
            right[i] = force[i]
        add_inertia(model, -1.0, a_out, right)
        worst = 0.0
        for i in range(rows.shape[0]):
            if now[i].live:
                rate = along(rows[i], entries, slopes, v_in) + now[i].forced
                left = second_rate(rows[i], now[i], entries, terms, slopes, q_in, v_in, a_out)
                left += 2.0 * xi * omega * rate + omega * omega * now[i].residual
                kappa = scale * rows[i].penalty
                if turn > 0:
                    reactions[i] += kappa * left
                worst = max(worst, abs(left))
                add_along(rows[i], entries, slopes, -reactions[i] - kappa * left, right)
        if turn == turns or (turn > 1 and worst <= ENOUGH * (1.0 + first)):
            return OK
        first = worst if turn == 0 else first
        solve_tangent(model, work)
        for i in range(head.n):
            a_out[i] += right[i]
    return OK
