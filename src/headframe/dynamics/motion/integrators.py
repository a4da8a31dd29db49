"""Kernels of the integrators: one step of positions, velocities and the ledger.

Every method books what drives, dampers and external forces do with its own weights, so that the
ledger is as exact as the motion.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...jit import Record, Records, header, inlined_kernel, kernel, matrix, numbers, records
from ..forces import add_flow, normalise, position_rates
from ..linear import invert
from ..records import MODEL, POWER
from ..status import DynamicsStatus
from .calls import evaluate, own_step, project
from .runge_kutta import COUNTS, EXPLICIT, TABLES, Integrator

Floats = NDArray[np.float64]

OK, NOT_CONVERGED = DynamicsStatus.OK.value, DynamicsStatus.NOT_CONVERGED.value
SEMI_IMPLICIT, VARIATIONAL = Integrator.SEMI_IMPLICIT.value, Integrator.VARIATIONAL.value
NEWTON, HALVINGS = 50, 30  # most steps of implicit Euler, and parts of one


@kernel
def explicit_step(
    calls: Record, model: Floats, method: int, h: float, q_io: Floats, v_io: Floats,
    drives_io: Records, pulls_in: Records, work: Floats, flow_io: Record,
) -> int:  # fmt: skip
    """One step of an explicit Runge-Kutta method on (q, v) and the ledger together.

    Every stage evaluates the acceleration at its own positions AND velocities; the roadheader
    paper's Eq. (15) and appendix B print it as a function of velocities alone.
    """
    at = header(model, MODEL).stepping
    Kq, Kv = matrix(work, at.stages_q), matrix(work, at.stages_v)
    powers = records(work, at.stages_power, POWER)
    q, v = numbers(work, at.q), numbers(work, at.v)
    nq, nv, count = q_io.shape[0], v_io.shape[0], COUNTS[method]
    for stage in range(count + 1):
        for i in range(nq):
            total = 0.0
            for j in range(stage):
                total += TABLES[method, stage, j] * Kq[j, i]
            q[i] = q_io[i] + h * total
        for i in range(nv):
            total = 0.0
            for j in range(stage):
                total += TABLES[method, stage, j] * Kv[j, i]
            v[i] = v_io[i] + h * total
        if stage == count:
            break
        position_rates(model, q, v, Kq[stage])
        status = evaluate(
            calls.evaluate, model, q, v, drives_io, pulls_in, work, Kv[stage], powers[stage]
        )
        if status != OK:
            return status
    for stage in range(count):
        add_flow(h * TABLES[method, count, stage], powers[stage], flow_io)
    for i in range(nq):
        q_io[i] = q[i]
    for i in range(nv):
        v_io[i] = v[i]
    return OK


@inlined_kernel
def semi_implicit_step(
    calls: Record, model: Floats, h: float, q_io: Floats, v_io: Floats, drives_io: Records,
    pulls_in: Records, work: Floats, flow_io: Record,
) -> int:  # fmt: skip
    """The roadheader paper's "symplectic Euler" (Algorithm 3): v += h a(q, v); q += h v.

    It is symplectic only where the inertia does not depend on q. The ledger takes each power where
    the step begins.
    """
    at = header(model, MODEL).stepping
    vdot, qdot, power = (
        numbers(work, at.vdot), numbers(work, at.q), records(work, at.stages_power, POWER)[0]
    )  # fmt: skip
    status = evaluate(calls.evaluate, model, q_io, v_io, drives_io, pulls_in, work, vdot, power)
    if status != OK:
        return status
    for i in range(v_io.shape[0]):
        v_io[i] += h * vdot[i]
    position_rates(model, q_io, v_io, qdot)
    for i in range(q_io.shape[0]):
        q_io[i] += h * qdot[i]
    add_flow(h, power, flow_io)
    return OK


@kernel
def residual(
    calls: Record, model: Floats, h: float, q_in: Floats, v_in: Floats, drives_io: Records,
    pulls_in: Records, work: Floats, v: Floats, out: Floats,
) -> tuple[int, float]:  # fmt: skip
    """What implicit Euler's equation leaves at a new velocity: v0 + h a(q1, v) - v.

    Returns (status, largest entry, where 1 stands for the velocity itself or for 1).
    """
    at = header(model, MODEL).stepping
    q, vdot = numbers(work, at.q), numbers(work, at.vdot)
    power = records(work, at.stages_power, POWER)[0]
    position_rates(model, q_in, v, q)
    for i in range(q.shape[0]):
        q[i] = q_in[i] + h * q[i]
    status = evaluate(calls.evaluate, model, q, v, drives_io, pulls_in, work, vdot, power)
    largest = 0.0
    for i in range(v.shape[0]):
        out[i] = v_in[i] + h * vdot[i] - v[i]
        largest = max(largest, abs(out[i]) / (1.0 + abs(v[i])))
    return status, largest


@kernel
def implicit_step(
    calls: Record, model: Floats, h: float, q_io: Floats, v_io: Floats, drives_io: Records,
    pulls_in: Records, work: Floats, flow_io: Record,
) -> int:  # fmt: skip
    """Implicit Euler: v1 = v0 + h a(q1, v1), q1 = q0 + h v1, by Newton's method on v1.

    The matrix 1 - h da/dv1 is taken by differences, anew where the last one does not serve well.
    A step that does not lessen what is left is halved: dry friction turns within CREEP.
    """
    at = header(model, MODEL).stepping
    v, trial, change = numbers(work, at.v), numbers(work, at.trial), numbers(work, at.change)
    left, there = numbers(work, at.left), numbers(work, at.there)
    A, nv = matrix(work, at.A), v_io.shape[0]
    for i in range(nv):
        v[i] = v_io[i]
    status, error = residual(calls, model, h, q_io, v_io, drives_io, pulls_in, work, v, left)
    before = 0.0
    for _ in range(NEWTON):
        if status != OK or not math.isfinite(error):
            return status if status != OK else NOT_CONVERGED
        if error < 1e-13:
            break
        if error > 0.1 * before:
            for k in range(nv):
                shift = 1e-7 * (1.0 + abs(v[k]))
                v[k] += shift
                status, _ = residual(
                    calls, model, h, q_io, v_io, drives_io, pulls_in, work, v, there
                )
                if status != OK:
                    return status
                for i in range(nv):
                    A[i, k] = (left[i] - there[i]) / shift
                v[k] -= shift
            invert(A)
        for i in range(nv):
            change[i] = 0.0
            for j in range(nv):
                change[i] += A[i, j] * left[j]
        share, before = 1.0, error
        for _ in range(HALVINGS):
            for i in range(nv):
                trial[i] = v[i] + share * change[i]
            status, error = residual(
                calls, model, h, q_io, v_io, drives_io, pulls_in, work, trial, there
            )
            if status == OK and error < before:
                break
            share *= 0.5
        if not error < before:  # rounding, or no way down
            break
        for i in range(nv):
            v[i], left[i] = trial[i], there[i]
    if not min(error, before) < 1e-9:
        return NOT_CONVERGED
    qdot, vdot = numbers(work, at.q), numbers(work, at.vdot)
    position_rates(model, q_io, v, qdot)
    for i in range(q_io.shape[0]):
        q_io[i] += h * qdot[i]
    for i in range(nv):
        v_io[i] = v[i]
    # powers and reactions where the step ends, not where a difference was taken
    power = records(work, at.stages_power, POWER)[0]
    status = evaluate(calls.evaluate, model, q_io, v_io, drives_io, pulls_in, work, vdot, power)
    add_flow(h, power, flow_io)
    return status


@inlined_kernel
def plain_step(
    calls: Record, model: Floats, method: int, h: float, q_io: Floats, v_io: Floats,
    drives_io: Records, pulls_in: Records, work: Floats, flow_io: Record,
) -> int:  # fmt: skip
    """One step of the chosen integrator, stops left aside."""
    if method < EXPLICIT:
        status = explicit_step(
            calls, model, method, h, q_io, v_io, drives_io, pulls_in, work, flow_io
        )
    elif method == SEMI_IMPLICIT:
        status = semi_implicit_step(calls, model, h, q_io, v_io, drives_io, pulls_in, work, flow_io)
    elif method == VARIATIONAL:
        status = own_step(calls.step, model, h, q_io, v_io, drives_io, pulls_in, work, flow_io)
    else:
        status = implicit_step(calls, model, h, q_io, v_io, drives_io, pulls_in, work, flow_io)
    if status != OK:
        return status
    normalise(model, q_io)
    if not header(model, MODEL).projects:
        return OK
    return project(calls.project, model, q_io, v_io, drives_io, work)
