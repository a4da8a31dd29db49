"""Kernels of one step of the index-3 augmented Lagrangian, and its projections.

With the difference equations of Newmark, (2.12)-(2.13), in increments: a change d of the positions
at the end of the step changes velocities there by gamma / (beta h) d and accelerations by
1 / (beta h^2) d. The residual, (2.57), is

    M ((1 - delta_m) a + delta_m a_0) + (1 - delta_f) (Phi_q^T (lambda + alpha Phi) - Q)
    + delta_f held_0

with held_0 = (Phi_q^T lambda - Q) at the step before. Times beta h^2, its derivative is the
tangent, (2.61), but for what the rows' curvature would add. After each change lambda grows by
alpha Phi, (2.59).

Velocities v* that miss the rows' rates are brought back by min (v - v*)^T P (v - v*), (2.64). By an
augmented Lagrangian of its own, (2.71)-(2.72), each turn of that is

    v <- v - (P + c Phi_q^T alpha Phi_q)^-1 Phi_q^T c alpha (Phi_q v + Phi_t),

since sigma then holds all that was pressed before; likewise for accelerations, (2.79)-(2.80).

Accelerations a* that follow from positions alone are wrong by a third of a step's change, h / 3 a',
along the constraints, and so is lambda: with M a* + Phi_q^T lambda = Q. Those that are projected
are right, and so is kappa, the sum of c alpha Phi'' after each turn: from
P (a - a*) + Phi_q^T kappa = 0 with P = (1 - delta_m) M follows
M a + Phi_q^T (lambda + kappa / (1 - delta_m)) = Q. These are the reactions that are told; K and C
in P make a difference of the order of h.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...dynamics.kernels import DynamicsStatus, add_scaled, copy
from ...jit import Records, header, indices, inlined_kernel, kernel, numbers, records
from .factor import DONE, factor, solve
from .forces import add_inertia, set_forces, set_tangent
from .records import AUGMENTED, AUGMENTED_STATE, NATURAL_ROW, ROW_NOW, TERM, Projection
from .rows import add_along, press_rates, press_second_rates, second_rate, set_rows

Floats = NDArray[np.float64]

OK, NOT_FINITE = DynamicsStatus.OK.value, DynamicsStatus.NOT_FINITE.value
NO_INERTIA, NOT_CONVERGED = DynamicsStatus.NO_INERTIA.value, DynamicsStatus.NOT_CONVERGED.value
MASS = Projection.MASS.value
TURNS = 20  # most of a projection
PRESSED = 3  # turns in which multipliers grow, however well the constraints are met
STALLS = 6  # turns without success after which rows contradict each other
OPEN = 1e-7  # [m, 1] residual of a row that is not closed
SLOW = 0.5  # what a turn must at least make of what it brings to zero


@inlined_kernel
def constraint_part(model: Floats) -> float:
    """(1 - delta_f) beta h^2, the part of Phi_q^T alpha Phi_q in the tangent."""
    head = header(model, AUGMENTED)
    return float((1.0 - head.delta_f) * head.beta * head.step * head.step)


@kernel
def factor_tangent(model: Floats, work: Floats, state: Floats) -> int:
    """Factor what `set_tangent` has made; NO_INERTIA, with the coordinate kept, where it fails."""
    head = header(model, AUGMENTED)
    at, w = head.factor, head.work
    failed = factor(
        indices(model, at.columns), indices(model, at.rows), indices(model, at.left),
        indices(model, at.left_columns), indices(model, at.left_places), numbers(work, w.tangent),
        numbers(work, w.column), numbers(work, w.L), numbers(work, w.D),
    )  # fmt: skip
    if failed == DONE:
        return OK
    header(state, AUGMENTED_STATE).wrong = failed
    return NO_INERTIA


@kernel
def solve_tangent(model: Floats, work: Floats) -> None:
    """Solve with the last factor, `right` in place."""
    head = header(model, AUGMENTED)
    at, w = head.factor, head.work
    solve(
        indices(model, at.columns), indices(model, at.rows), numbers(work, w.L), numbers(work, w.D),
        numbers(work, w.right),
    )  # fmt: skip


# ----------------------------------------------------------------------------------------- a step


@inlined_kernel
def predict(model: Floats, state: Floats, work: Floats) -> None:
    """Where a step would end with the accelerations that it begins with."""
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    h, now = head.step, records(work, head.work.rows, ROW_NOW)
    q0, v0, a0 = numbers(state, moment.q), numbers(state, moment.v), numbers(state, moment.a)
    q, v, a = numbers(work, head.work.q), numbers(work, head.work.v), numbers(work, head.work.a)
    before, multipliers = numbers(state, moment.multipliers), numbers(work, head.work.multipliers)
    for i in range(q.shape[0]):
        q[i], v[i], a[i] = q0[i] + h * (v0[i] + 0.5 * h * a0[i]), v0[i] + h * a0[i], a0[i]
    for i in range(multipliers.shape[0]):
        multipliers[i] = before[i] if now[i].live else 0.0


@kernel
def set_right(model: Floats, state: Floats, work: Floats) -> None:
    """`right` = minus the residual, times beta h^2."""
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    rows, entries = records(model, head.rows, NATURAL_ROW), indices(model, head.entries)
    now, slopes = records(work, head.work.rows, ROW_NOW), numbers(work, head.work.slopes)
    right, force = numbers(work, head.work.right), numbers(work, head.work.force)
    multipliers, held = numbers(work, head.work.multipliers), numbers(state, moment.held)
    scale = -head.beta * head.step * head.step
    of_forces = scale * (1.0 - head.delta_f)
    for i in range(head.n):
        right[i] = scale * head.delta_f * held[i] - of_forces * force[i]
    add_inertia(model, scale * (1.0 - head.delta_m), numbers(work, head.work.a), right)
    if head.delta_m != 0.0:
        add_inertia(model, scale * head.delta_m, numbers(state, moment.a), right)
    for i in range(rows.shape[0]):
        if now[i].live:
            push = multipliers[i] + rows[i].penalty * now[i].residual
            add_along(rows[i], entries, slopes, of_forces * push, right)


@inlined_kernel
def largest_change(x_in: Floats, n: int) -> tuple[float, int]:
    """The largest of n numbers, and where; infinite if one is no number."""
    worst, where = 0.0, 0
    for i in range(n):
        size = abs(x_in[i])
        if not math.isfinite(size):
            return math.inf, i
        if size > worst:
            worst, where = size, i
    return worst, where


@kernel
def solve_step(
    model: Floats, drives_in: Records, pulls_in: Records, state: Floats, work: Floats
) -> tuple[int, int]:
    """Positions at the end of a step, with velocities and accelerations: (status, iterations)."""
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    w, h = head.work, head.step
    q, v, a, right = (
        numbers(work, w.q),
        numbers(work, w.v),
        numbers(work, w.a),
        numbers(work, w.right),
    )
    rows, now = records(model, head.rows, NATURAL_ROW), records(work, w.rows, ROW_NOW)
    multipliers = numbers(work, w.multipliers)
    of_rows = constraint_part(model)
    predict(model, state, work)
    worst, change, where, stalled = set_rows(model, q, work), math.inf, 0, 0
    for turn in range(head.iterations):
        set_forces(model, q, v, drives_in, pulls_in, work)
        set_right(model, state, work)
        set_tangent(
            model, 1.0 - head.delta_m, of_rows, of_rows, (1.0 - head.delta_f) * head.gamma * h, q,
            v, work,
        )  # fmt: skip
        status = factor_tangent(model, work, state)
        if status != OK:
            return status, turn
        solve_tangent(model, work)
        change, where = largest_change(right, head.n)
        if not math.isfinite(change):
            moment.wrong = where
            return NOT_FINITE, turn
        to_v, to_a = head.gamma / (head.beta * h), 1.0 / (head.beta * h * h)
        for i in range(head.n):
            q[i] += right[i]
            v[i] += to_v * right[i]
            a[i] += to_a * right[i]
        before, worst = worst, set_rows(model, q, work)
        done = change <= head.tolerance and worst <= head.tolerance
        # near a singular pose rows that all but depend on others would be pressed on and on, for
        # less than the tolerance: their multipliers have no limit there
        if done or turn < PRESSED or worst > head.tolerance:
            for i in range(rows.shape[0]):
                if now[i].live:
                    multipliers[i] += rows[i].penalty * now[i].residual
        if done:
            return OK, turn + 1
        # rows that contradict each other stay open, however hard they are pressed
        stalled = stalled + 1 if worst > max(SLOW * before, OPEN) else 0
        if stalled == STALLS:
            break
    moment.wrong = where
    return NOT_CONVERGED, head.iterations


# ------------------------------------------------------------------------------------ projections


@kernel
def project_rates(model: Floats, scale: float, v_io: Floats, work: Floats) -> float:
    """Bring velocities to the rows' rates, the tangent being factored; the largest that is left."""
    head, last = header(model, AUGMENTED), math.inf
    right = numbers(work, head.work.right)
    for _ in range(TURNS):
        worst = press_rates(model, scale, v_io, work)
        if worst <= head.rate_tolerance or not worst < SLOW * last:
            return worst
        solve_tangent(model, work)
        for i in range(head.n):
            v_io[i] -= right[i]
        last = worst
    return last


@kernel
def project_second_rates(
    model: Floats, scale: float, q_in: Floats, v_in: Floats, a_io: Floats, work: Floats
) -> float:
    """Bring accelerations to the rows' second rates, with the reactions; the largest left."""
    head, last = header(model, AUGMENTED), math.inf
    right, now = numbers(work, head.work.right), records(work, head.work.rows, ROW_NOW)
    reactions = numbers(work, head.work.reactions)
    share = 1.0 if head.projection == MASS else 1.0 / (1.0 - head.delta_m)
    copy(numbers(work, head.work.multipliers), reactions)
    for turn in range(TURNS):
        worst = press_second_rates(model, scale, q_in, v_in, a_io, work)
        if turn > 0:
            for i in range(now.shape[0]):
                if now[i].live:
                    reactions[i] += share * now[i].pressed
        size, _ = largest_change(a_io, head.n)
        if worst <= 1e-10 * (1.0 + size) or not worst < SLOW * last:
            return worst
        solve_tangent(model, work)
        for i in range(head.n):
            a_io[i] -= right[i]
        last = worst
    return last


@kernel
def project(model: Floats, state: Floats, work: Floats) -> int:
    """Velocities and accelerations at the end of a step, whose last factor is still there."""
    head, scale = header(model, AUGMENTED), constraint_part(model)
    q, v, a = numbers(work, head.work.q), numbers(work, head.work.v), numbers(work, head.work.a)
    if head.projection == MASS:
        set_tangent(model, 1.0, scale, 0.0, 0.0, q, v, work)
        status = factor_tangent(model, work, state)
        if status != OK:
            return status
    project_rates(model, scale, v, work)
    project_second_rates(model, scale, q, v, a, work)
    return OK


# --------------------------------------------------------------------------------- where it begins


@kernel
def begin(model: Floats, state: Floats, work: Floats) -> int:
    """Bring positions and velocities of the state to the constraints, by the metric of the masses.

    Rows that guide take no part.
    """
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    q, v, right = numbers(state, moment.q), numbers(state, moment.v), numbers(work, head.work.right)
    rows, now = records(model, head.rows, NATURAL_ROW), records(work, head.work.rows, ROW_NOW)
    entries, slopes = indices(model, head.entries), numbers(work, head.work.slopes)
    scale, last = constraint_part(model), math.inf
    for _ in range(2 * TURNS):
        worst = set_rows(model, q, work)
        set_tangent(model, 1.0, scale, 0.0, 0.0, q, v, work)
        status = factor_tangent(model, work, state)
        if status != OK:
            return status
        if worst <= 1e-3 * head.tolerance or not worst < SLOW * last:
            break
        for i in range(head.n):
            right[i] = 0.0
        for i in range(rows.shape[0]):
            if now[i].live:
                push = scale * rows[i].penalty * now[i].residual
                add_along(rows[i], entries, slopes, push, right)
        solve_tangent(model, work)
        for i in range(head.n):
            q[i] -= right[i]
        last = worst
    project_rates(model, scale, v, work)
    return OK


@kernel
def renew(model: Floats, drives_in: Records, pulls_in: Records, state: Floats, work: Floats) -> int:
    """Accelerations and multipliers of the state, from what acts now: M a + Phi_q^T lambda = Q.

    By the same turns as in a step: with the second rates pressed to zero by kappa = c alpha, and
    lambda growing by kappa Phi'' after each.
    """
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    q, v, a = numbers(state, moment.q), numbers(state, moment.v), numbers(state, moment.a)
    multipliers, held = numbers(state, moment.multipliers), numbers(state, moment.held)
    rows, terms = records(model, head.rows, NATURAL_ROW), records(model, head.terms, TERM)
    now, slopes = records(work, head.work.rows, ROW_NOW), numbers(work, head.work.slopes)
    right, force = numbers(work, head.work.right), numbers(work, head.work.force)
    entries, scale = indices(model, head.entries), constraint_part(model)
    worst, last = math.inf, math.inf
    set_rows(model, q, work)
    set_tangent(model, 1.0, scale, 0.0, 0.0, q, v, work)
    status = factor_tangent(model, work, state)
    if status != OK:
        return status
    set_forces(model, q, v, drives_in, pulls_in, work)
    for i in range(rows.shape[0]):
        if not now[i].live:
            multipliers[i] = 0.0
    for turn in range(TURNS):
        for i in range(head.n):
            right[i] = force[i]
        add_inertia(model, -1.0, a, right)
        worst = 0.0
        for i in range(rows.shape[0]):
            if now[i].live:
                rate = second_rate(rows[i], now[i], entries, terms, slopes, q, v, a)
                kappa = scale * rows[i].penalty
                if turn > 0:
                    multipliers[i] += kappa * rate
                worst = max(worst, abs(rate))
                add_along(rows[i], entries, slopes, -multipliers[i] - kappa * rate, right)
        size, _ = largest_change(a, head.n)
        if turn > 1 and (worst <= 1e-11 * (1.0 + size) or not worst < SLOW * last):
            break
        solve_tangent(model, work)
        for i in range(head.n):
            a[i] += right[i]
        last = worst
    for i in range(head.n):
        held[i] = 0.0
    add_inertia(model, -1.0, a, held)
    copy(multipliers, numbers(state, moment.reactions))
    size, _ = largest_change(a, head.n)
    return OK if worst <= 1e-6 * (1.0 + size) else NOT_CONVERGED


@inlined_kernel
def accept(model: Floats, state: Floats, work: Floats) -> None:
    """The end of a step becomes the state."""
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    w = head.work
    rows, entries = records(model, head.rows, NATURAL_ROW), indices(model, head.entries)
    slopes, force = numbers(work, w.slopes), numbers(work, w.force)
    multipliers, held = numbers(work, w.multipliers), numbers(state, moment.held)
    copy(numbers(work, w.q), numbers(state, moment.q))
    copy(numbers(work, w.v), numbers(state, moment.v))
    copy(numbers(work, w.a), numbers(state, moment.a))
    copy(multipliers, numbers(state, moment.multipliers))
    copy(numbers(work, w.reactions), numbers(state, moment.reactions))
    if head.delta_f != 0.0:
        for i in range(head.n):
            held[i] = 0.0
        add_scaled(-1.0, force, held)
        for i in range(rows.shape[0]):
            if multipliers[i] != 0.0:
                add_along(rows[i], entries, slopes, multipliers[i], held)
