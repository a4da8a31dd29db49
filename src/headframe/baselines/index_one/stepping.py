"""Kernels of steps by the classical Runge-Kutta method, with drives and end stops around them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation.kernels import DRIVE, DrivenBy
from ...constraints.kernels import (
    AUGMENTED,
    AUGMENTED_STATE,
    DRIVEN_SCALAR,
    ROW_NOW,
    constraint_part,
    end_step,
    factor_tangent,
    guide_rows,
    look_at_drives,
    project_rates,
    set_guides,
    set_rows,
    set_tangent,
)
from ...dynamics.kernels import PULL, DynamicsStatus, copy, failed
from ...jit import (
    VECTOR,
    WHOLE,
    Records,
    array_of,
    entry,
    header,
    indices,
    inlined_kernel,
    kernel,
    numbers,
    records,
)
from .accelerations import MATRIX_R, accelerate
from .matrix_r import accelerate_by_R, choose, close
from .records import INDEX_ONE

Floats = NDArray[np.float64]

OK, NOT_FINITE = DynamicsStatus.OK.value, DynamicsStatus.NOT_FINITE.value
TOO_MANY_IMPACTS = DynamicsStatus.TOO_MANY_IMPACTS.value
GUIDED = DrivenBy.GUIDED.value
TRIES = 16


@kernel
def guide_at(model: Floats, time: float, state: Floats, drives_in: Records, work: Floats) -> None:
    """Where guided scalars are at a time of the step [s]; those at stops stay where they are."""
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    q, v = numbers(state, moment.q), numbers(state, moment.v)
    now, driven = records(work, head.work.rows, ROW_NOW), records(model, head.drives, DRIVEN_SCALAR)
    for r in range(driven.shape[0]):
        drive, here, at = drives_in[r], now[driven[r].row], driven[r].place
        if drive.now == GUIDED and drive.stop != 0.0:
            here.aim, here.forced, here.turned = q[at], 0.0, 0.0
        elif drive.now == GUIDED:
            here.aim = q[at] + time * (v[at] + 0.5 * time * drive.pull)
            here.forced, here.turned = -(v[at] + time * drive.pull), -drive.pull


@inlined_kernel
def evaluate(
    model: Floats, own: Floats, time: float, pulls_in: Records, state: Floats, drives_in: Records,
    work: Floats, q_io: Floats, v_io: Floats, a_out: Floats,
) -> int:  # fmt: skip
    """Accelerations at a time of the step."""
    guide_at(model, time, state, drives_in, work)
    if header(own, INDEX_ONE).method == MATRIX_R:
        return accelerate_by_R(model, own, q_io, v_io, drives_in, pulls_in, work, a_out)
    return accelerate(model, own, q_io, v_io, drives_in, pulls_in, state, work, a_out)


@kernel
def make_step(
    model: Floats, own: Floats, pulls_in: Records, state: Floats, drives_in: Records, work: Floats
) -> int:
    """Four stages, and the accelerations and reactions where they end."""
    head, moment, at = (
        header(model, AUGMENTED),
        header(state, AUGMENTED_STATE),
        header(own, INDEX_ONE),
    )
    h, n = head.step, head.n
    q0, v0 = numbers(state, moment.q), numbers(state, moment.v)
    q1, v1, a1 = (
        numbers(work, head.work.q), numbers(work, head.work.v), numbers(work, head.work.a),
    )  # fmt: skip
    q, v, a = numbers(own, at.q), numbers(own, at.v), numbers(own, at.a)
    step_v, step_a = numbers(own, at.step_v), numbers(own, at.step_a)
    copy(q0, q)
    copy(v0, v)
    if at.method == MATRIX_R:
        guide_at(model, 0.0, state, drives_in, work)
        choose(model, own, q, work)
    for i in range(n):
        step_v[i], step_a[i] = 0.0, 0.0
    for stage in range(4):
        time = 0.0 if stage == 0 else (h if stage == 3 else 0.5 * h)
        status = evaluate(model, own, time, pulls_in, state, drives_in, work, q, v, a)
        if status != OK:
            return status
        weight = h / 6.0 if stage in (0, 3) else h / 3.0
        ahead = h if stage == 2 else 0.5 * h
        for i in range(n):
            step_v[i] += weight * v[i]
            step_a[i] += weight * a[i]
            q[i], v[i] = q0[i] + ahead * v[i], v0[i] + ahead * a[i]
    copy(q0, q1)
    copy(v0, v1)
    for i in range(n):
        q1[i] += step_v[i]
        v1[i] += step_a[i]
        if not math.isfinite(q1[i] + v1[i]):
            moment.wrong = i
            return NOT_FINITE
    if at.method == MATRIX_R:
        guide_at(model, h, state, drives_in, work)
        status = close(model, own, q1, v1, work)
        if status != OK:
            return status
    # once more with multipliers, for the reactions that drives are told
    copy(q1, q)
    copy(v1, v)
    guide_at(model, h, state, drives_in, work)
    status = accelerate(model, own, q, v, drives_in, pulls_in, state, work, a1)
    copy(numbers(work, head.work.reactions), numbers(work, head.work.multipliers))
    return status


@kernel
def strike(model: Floats, state: Floats, drives_io: Records, work: Floats) -> int:
    """Take away the speed of scalars that came to their stops, where the step has ended."""
    head = header(model, AUGMENTED)
    q, v = numbers(work, head.work.q), numbers(work, head.work.v)
    now, driven = records(work, head.work.rows, ROW_NOW), records(model, head.drives, DRIVEN_SCALAR)
    set_guides(model, state, drives_io, work)
    for r in range(driven.shape[0]):
        if drives_io[r].now == GUIDED and drives_io[r].stop != 0.0:
            now[driven[r].row].aim = q[driven[r].place]
    scale = constraint_part(model)
    set_rows(model, q, work)
    set_tangent(model, 1.0, scale, 0.0, 0.0, q, v, work)
    status = factor_tangent(model, work, state)
    if status == OK:
        project_rates(model, scale, v, work)
    return status


@entry(VECTOR, VECTOR, array_of(PULL), WHOLE, VECTOR, array_of(DRIVE), VECTOR)
@kernel
def run(
    model: Floats, own: Floats, pulls_in: Records, steps: int, state: Floats, drives_io: Records,
    work: Floats,
) -> int:  # fmt: skip
    """So many steps; OK, or the status of one that fails."""
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    lifted = indices(work, head.work.lifted)
    for _ in range(steps):
        for r in range(lifted.shape[0]):
            lifted[r] = 0
        guide_rows(model, state, drives_io)
        status, hit, again, tries = OK, False, True, 0
        while again and not hit and tries < TRIES:
            tries += 1
            set_guides(model, state, drives_io, work)
            status = make_step(model, own, pulls_in, state, drives_io, work)
            if status != OK:
                return failed(status, moment.wrong)
            again, hit = look_at_drives(model, state, tries > TRIES // 2, drives_io, work)
        if again and not hit:
            return failed(TOO_MANY_IMPACTS, moment.wrong)
        if hit:
            status = strike(model, state, drives_io, work)
            if status != OK:
                return failed(status, moment.wrong)
        end_step(model, pulls_in, hit, state, drives_io, work)
        moment.run.steps += 1
    return OK
