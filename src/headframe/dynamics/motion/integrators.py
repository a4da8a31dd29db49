"""Kernels of the integrators: one step of positions, velocities and the ledger.

Every method books what drives, dampers and external forces do with its own weights, so that the
ledger is as exact as the motion.
"""

from __future__ import annotations

import math

from ...jit import Record, header, inlined_kernel, kernel, matrix, numbers, records
from ...mechanism import Floats
from ..forces import add_flow, normalise, position_rates
from ..linear import add_scaled, copy, invert, multiply
from ..records import MODEL, POWER
from ..status import NOT_CONVERGED, OK
from .calls import MotionParts, evaluate, own_step, project
from .runge_kutta import COUNTS, EXPLICIT, TABLES, Integrator

SEMI_IMPLICIT, VARIATIONAL = Integrator.SEMI_IMPLICIT.value, Integrator.VARIATIONAL.value
NEWTON, HALVINGS = 50, 30  # most steps of implicit Euler, and parts of one


@inlined_kernel
def accelerate(
    motion: MotionParts, q_in: Floats, v_in: Floats, vdot_out: Floats, power_out: Record
) -> int:
    """Accelerations, reactions of guided rows, and powers, by the formulation."""
    return evaluate(
        motion.calls.evaluate, motion.model, q_in, v_in, motion.drives, motion.pulls, motion.work,
        vdot_out, power_out,
    )  # fmt: skip


@inlined_kernel
def advance(motion: MotionParts, h: float, v_in: Floats, qdot_work: Floats, q_io: Floats) -> None:
    """Move positions on for h seconds with velocities."""
    position_rates(motion.model, q_io, v_in, qdot_work)
    add_scaled(h, qdot_work, q_io)


@inlined_kernel
def add_stages(
    method: int, stage: int, h: float, x_in: Floats, K_in: Floats, x_out: Floats
) -> None:
    """Where a stage of a Runge-Kutta method stands, or its step ends: x + h (sum of a_j K_j)."""
    for i in range(x_in.shape[0]):
        total = 0.0
        for j in range(stage):
            total += TABLES[method, stage, j] * K_in[j, i]
        x_out[i] = x_in[i] + h * total


@kernel
def explicit_step(
    motion: MotionParts, method: int, h: float, q_io: Floats, v_io: Floats, flow_io: Record
) -> int:
    """One step of an explicit Runge-Kutta method on (q, v) and the ledger together.

    Every stage evaluates the acceleration at its own positions AND velocities; the roadheader
    paper's Eq. (15) and appendix B print it as a function of velocities alone.
    """
    at, work = header(motion.model, MODEL).stepping, motion.work
    Kq, Kv = matrix(work, at.stages_q), matrix(work, at.stages_v)
    powers = records(work, at.stages_power, POWER)
    q, v, count = numbers(work, at.q), numbers(work, at.v), COUNTS[method]
    for stage in range(count + 1):
        add_stages(method, stage, h, q_io, Kq, q)
        add_stages(method, stage, h, v_io, Kv, v)
        if stage == count:
            break
        position_rates(motion.model, q, v, Kq[stage])
        status = accelerate(motion, q, v, Kv[stage], powers[stage])
        if status != OK:
            return status
    for stage in range(count):
        add_flow(h * TABLES[method, count, stage], powers[stage], flow_io)
    copy(q, q_io)
    copy(v, v_io)
    return OK


@inlined_kernel
def semi_implicit_step(
    motion: MotionParts, h: float, q_io: Floats, v_io: Floats, flow_io: Record
) -> int:
    """The roadheader paper's "symplectic Euler" (Algorithm 3): v += h a(q, v); q += h v.

    It is symplectic only where the inertia does not depend on q. The ledger takes each power where
    the step begins.
    """
    at, work = header(motion.model, MODEL).stepping, motion.work
    vdot, power = numbers(work, at.vdot), records(work, at.stages_power, POWER)[0]
    status = accelerate(motion, q_io, v_io, vdot, power)
    if status != OK:
        return status
    add_scaled(h, vdot, v_io)
    advance(motion, h, v_io, numbers(work, at.qdot), q_io)
    add_flow(h, power, flow_io)
    return OK


@kernel
def residual(
    motion: MotionParts, h: float, q_in: Floats, v_in: Floats, v: Floats, out: Floats
) -> tuple[int, float]:
    """What implicit Euler's equation leaves at a new velocity: v0 + h a(q1, v) - v.

    Returns (status, largest entry, where 1 stands for the velocity itself or for 1).
    """
    at, work = header(motion.model, MODEL).stepping, motion.work
    q, vdot = numbers(work, at.q), numbers(work, at.vdot)
    copy(q_in, q)
    advance(motion, h, v, numbers(work, at.qdot), q)
    status = accelerate(motion, q, v, vdot, records(work, at.stages_power, POWER)[0])
    largest = 0.0
    for i in range(v.shape[0]):
        out[i] = v_in[i] + h * vdot[i] - v[i]
        largest = max(largest, abs(out[i]) / (1.0 + abs(v[i])))
    return status, largest


@kernel
def inverse_slope(motion: MotionParts, h: float, q_in: Floats, v_in: Floats, v_io: Floats) -> int:
    """A = (1 - h da/dv1)^-1 by differences from what is left at a new velocity, which is kept."""
    at, work = header(motion.model, MODEL).stepping, motion.work
    A, left, there = matrix(work, at.A), numbers(work, at.left), numbers(work, at.there)
    for k in range(v_io.shape[0]):
        shift = 1e-7 * (1.0 + abs(v_io[k]))
        v_io[k] += shift
        status, _ = residual(motion, h, q_in, v_in, v_io, there)
        if status != OK:
            return status
        for i in range(v_io.shape[0]):
            A[i, k] = (left[i] - there[i]) / shift
        v_io[k] -= shift
    invert(A)
    return OK


@kernel
def implicit_step(
    motion: MotionParts, h: float, q_io: Floats, v_io: Floats, flow_io: Record
) -> int:
    """Implicit Euler: v1 = v0 + h a(q1, v1), q1 = q0 + h v1, by Newton's method on v1.

    The matrix 1 - h da/dv1 is taken by differences, anew where the last one does not serve well.
    A step that does not lessen what is left is halved: dry friction turns within CREEP.
    """
    at, work = header(motion.model, MODEL).stepping, motion.work
    v, trial, change = numbers(work, at.v), numbers(work, at.trial), numbers(work, at.change)
    left, there, A = numbers(work, at.left), numbers(work, at.there), matrix(work, at.A)
    copy(v_io, v)
    status, error = residual(motion, h, q_io, v_io, v, left)
    before = 0.0
    for _ in range(NEWTON):
        if status != OK or not math.isfinite(error):
            return status if status != OK else NOT_CONVERGED
        if error < 1e-13:
            break
        if error > 0.1 * before:
            status = inverse_slope(motion, h, q_io, v_io, v)
            if status != OK:
                return status
        multiply(A, left, change)
        share, before = 1.0, error
        for _ in range(HALVINGS):
            copy(v, trial)
            add_scaled(share, change, trial)
            status, error = residual(motion, h, q_io, v_io, trial, there)
            if status == OK and error < before:
                break
            share *= 0.5
        if not error < before:  # rounding, or no way down
            break
        copy(trial, v)
        copy(there, left)
    if not min(error, before) < 1e-9:
        return NOT_CONVERGED
    advance(motion, h, v, numbers(work, at.qdot), q_io)
    copy(v, v_io)
    # powers and reactions where the step ends, not where a difference was taken
    power = records(work, at.stages_power, POWER)[0]
    status = accelerate(motion, q_io, v_io, numbers(work, at.vdot), power)
    add_flow(h, power, flow_io)
    return status


@inlined_kernel
def plain_step(
    motion: MotionParts, method: int, h: float, q_io: Floats, v_io: Floats, flow_io: Record
) -> int:
    """One step of the chosen integrator, stops left aside."""
    calls, model, drives = motion.calls, motion.model, motion.drives
    if method < EXPLICIT:
        status = explicit_step(motion, method, h, q_io, v_io, flow_io)
    elif method == SEMI_IMPLICIT:
        status = semi_implicit_step(motion, h, q_io, v_io, flow_io)
    elif method == VARIATIONAL:
        status = own_step(
            calls.step, model, h, q_io, v_io, drives, motion.pulls, motion.work, flow_io
        )
    else:
        status = implicit_step(motion, h, q_io, v_io, flow_io)
    if status != OK:
        return status
    normalise(model, q_io)
    if not header(model, MODEL).projects:
        return OK
    return project(calls.project, model, q_io, v_io, drives, motion.work)
