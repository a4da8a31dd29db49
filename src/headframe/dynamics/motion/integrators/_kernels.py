"""Kernels of the integrators: one step of positions, velocities and the ledger.

Every method books what drives, dampers and external forces do with its own weights, so that the
ledger is as exact as the motion. `scratch` holds the stages.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....jit import inlined_kernel, kernel, part, table
from ...linear._kernels import invert
from ...model._kernels import (
    EMBEDDED,
    FORMULATION,
    N_ROWS,
    OK,
    POWERS,
    normalise,
    position_rates,
)
from ..calls._kernels import EVALUATE, PROJECT, VARIATION, evaluate, project, variational_step

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EULER, MIDPOINT, RK4, RK6, SEMI_IMPLICIT, IMPLICIT, VARIATIONAL = range(7)
STAGES = 8
NOT_CONVERGED = 7  # the others are the formulation's
NEWTON, HALVINGS = 50, 30  # most steps of implicit Euler, and parts of one

ROOT = math.sqrt(21.0)
# Butcher's tables, rows of coefficients of the stages, then the weights; RK6 is Luther's (1968)
TABLES = np.zeros((4, STAGES, STAGES))
TABLES[EULER, 1, 0] = 1.0
TABLES[MIDPOINT, 1, 0] = 0.5
TABLES[MIDPOINT, 2, :2] = 0.0, 1.0
TABLES[RK4, 1, 0] = TABLES[RK4, 2, 1] = 0.5
TABLES[RK4, 3, 2] = 1.0
TABLES[RK4, 4, :4] = 1 / 6, 1 / 3, 1 / 3, 1 / 6
TABLES[RK6, 1, 0] = 1.0
TABLES[RK6, 2, :2] = 3 / 8, 1 / 8
TABLES[RK6, 3, :3] = 8 / 27, 2 / 27, 8 / 27
TABLES[RK6, 4, :4] = np.array([
    3 * (3 * ROOT - 7), -8 * (7 - ROOT), 48 * (7 - ROOT), -3 * (21 - ROOT),
]) / 392  # fmt: skip
TABLES[RK6, 5, :5] = np.array([
    -5 * (231 + 51 * ROOT), -40 * (7 + ROOT), -320 * ROOT, 3 * (21 + 121 * ROOT),
    392 * (6 + ROOT),
]) / 1960  # fmt: skip
TABLES[RK6, 6, :6] = np.array([
    15 * (22 + 7 * ROOT), 120, 40 * (7 * ROOT - 5), -63 * (3 * ROOT - 2), -14 * (49 + 9 * ROOT),
    70 * (7 - ROOT),
]) / 180  # fmt: skip
TABLES[RK6, 7, :7] = np.array([9, 0, 64, 0, 49, 49, 9]) / 180
COUNTS = np.array([1, 2, 4, 7])


@kernel
def explicit_step(
    calls: Ints, model_i: Ints, model_f: Floats, method: int, h: float, q_io: Floats, v_io: Floats,
    drive_io: Floats, pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """One step of an explicit Runge-Kutta method on (q, v) and the ledger together.

    Every stage evaluates the acceleration at its own positions AND velocities; the roadheader
    paper's Eq. (15) and appendix B print it as a function of velocities alone.
    """
    nq, nv, count = q_io.shape[0], v_io.shape[0], COUNTS[method]
    at = 0
    Kq = table(scratch, 0, STAGES, nq)
    at += STAGES * nq
    Kv = table(scratch, at, STAGES, nv)
    at += STAGES * nv
    Kp = table(scratch, at, STAGES, POWERS)
    at += STAGES * POWERS
    q, v = part(scratch, at, nq), part(scratch, at + nq, nv)
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
        position_rates(model_i, q, v, Kq[stage])
        status = evaluate(
            calls[EVALUATE], model_i, model_f, q, v, drive_io, pulls_in, work, Kv[stage], Kp[stage]
        )
        if status != OK:
            return status
    for i in range(POWERS):
        for j in range(count):
            ledger_io[i] += h * TABLES[method, count, j] * Kp[j, i]
    for i in range(nq):
        q_io[i] = q[i]
    for i in range(nv):
        v_io[i] = v[i]
    return OK


@inlined_kernel
def semi_implicit_step(
    calls: Ints, model_i: Ints, model_f: Floats, h: float, q_io: Floats, v_io: Floats,
    drive_io: Floats, pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """The roadheader paper's "symplectic Euler" (Algorithm 3): v += h a(q, v); q += h v.

    It is symplectic only where the inertia does not depend on q. The ledger takes each power where
    the step begins.
    """
    nq, nv = q_io.shape[0], v_io.shape[0]
    vdot, qdot, power = part(scratch, 0, nv), part(scratch, nv, nq), part(scratch, nv + nq, POWERS)
    status = evaluate(
        calls[EVALUATE], model_i, model_f, q_io, v_io, drive_io, pulls_in, work, vdot, power
    )
    if status != OK:
        return status
    for i in range(nv):
        v_io[i] += h * vdot[i]
    position_rates(model_i, q_io, v_io, qdot)
    for i in range(nq):
        q_io[i] += h * qdot[i]
    for i in range(POWERS):
        ledger_io[i] += h * power[i]
    return OK


@kernel
def residual(
    calls: Ints, model_i: Ints, model_f: Floats, h: float, q_in: Floats, v_in: Floats,
    drive_io: Floats, pulls_in: Floats, work: Floats, stage: Floats, v: Floats, out: Floats,
) -> tuple[int, float]:  # fmt: skip
    """What implicit Euler's equation leaves at a new velocity: v0 + h a(q1, v) - v.

    `stage` is scratch for positions, their rates, accelerations and powers. Returns (status,
    largest entry, where 1 stands for the velocity itself or for 1).
    """
    nq, nv = q_in.shape[0], v.shape[0]
    q, qdot, vdot = part(stage, 0, nq), part(stage, nq, nq), part(stage, 2 * nq, nv)
    position_rates(model_i, q_in, v, qdot)
    for i in range(nq):
        q[i] = q_in[i] + h * qdot[i]
    status = evaluate(
        calls[EVALUATE], model_i, model_f, q, v, drive_io, pulls_in, work, vdot,
        part(stage, 2 * nq + nv, POWERS),
    )  # fmt: skip
    largest = 0.0
    for i in range(nv):
        out[i] = v_in[i] + h * vdot[i] - v[i]
        largest = max(largest, abs(out[i]) / (1.0 + abs(v[i])))
    return status, largest


@kernel
def implicit_step(
    calls: Ints, model_i: Ints, model_f: Floats, h: float, q_io: Floats, v_io: Floats,
    drive_io: Floats, pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """Implicit Euler: v1 = v0 + h a(q1, v1), q1 = q0 + h v1, by Newton's method on v1.

    The matrix 1 - h da/dv1 is taken by differences, anew where the last one does not serve well.
    A step that does not lessen what is left is halved: dry friction turns within CREEP.
    """
    nq, nv = q_io.shape[0], v_io.shape[0]
    size = 2 * nq + nv + POWERS
    stage = part(scratch, 0, size)
    v, trial, change = (
        part(scratch, size, nv), part(scratch, size + nv, nv), part(scratch, size + 2 * nv, nv)
    )  # fmt: skip
    left, there = part(scratch, size + 3 * nv, nv), part(scratch, size + 4 * nv, nv)
    A = table(scratch, size + 5 * nv, nv, nv)
    for i in range(nv):
        v[i] = v_io[i]
    status, error = residual(
        calls, model_i, model_f, h, q_io, v_io, drive_io, pulls_in, work, stage, v, left
    )
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
                    calls, model_i, model_f, h, q_io, v_io, drive_io, pulls_in, work, stage, v,
                    there,
                )  # fmt: skip
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
                calls, model_i, model_f, h, q_io, v_io, drive_io, pulls_in, work, stage, trial,
                there,
            )  # fmt: skip
            if status == OK and error < before:
                break
            share *= 0.5
        if not error < before:  # rounding, or no way down
            break
        for i in range(nv):
            v[i], left[i] = trial[i], there[i]
    if not min(error, before) < 1e-9:
        return NOT_CONVERGED
    qdot, vdot = part(stage, nq, nq), part(stage, 2 * nq, nv)
    position_rates(model_i, q_io, v, qdot)
    for i in range(nq):
        q_io[i] += h * qdot[i]
    for i in range(nv):
        v_io[i] = v[i]
    # powers and reactions where the step ends, not where a difference was taken
    power = part(stage, 2 * nq + nv, POWERS)
    status = evaluate(
        calls[EVALUATE], model_i, model_f, q_io, v_io, drive_io, pulls_in, work, vdot, power
    )
    for i in range(POWERS):
        ledger_io[i] += h * power[i]
    return status


@inlined_kernel
def plain_step(
    calls: Ints, model_i: Ints, model_f: Floats, method: int, h: float, q_io: Floats, v_io: Floats,
    drive_io: Floats, pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """One step of the chosen integrator, stops left aside."""
    if method <= RK6:
        status = explicit_step(
            calls, model_i, model_f, method, h, q_io, v_io, drive_io, pulls_in, work, scratch,
            ledger_io,
        )  # fmt: skip
    elif method == SEMI_IMPLICIT:
        status = semi_implicit_step(
            calls, model_i, model_f, h, q_io, v_io, drive_io, pulls_in, work, scratch, ledger_io
        )
    elif method == VARIATIONAL:
        status = variational_step(
            calls[VARIATION], model_i, model_f, h, q_io, v_io, drive_io, pulls_in, work, scratch,
            ledger_io,
        )  # fmt: skip
    else:
        status = implicit_step(
            calls, model_i, model_f, h, q_io, v_io, drive_io, pulls_in, work, scratch, ledger_io
        )
    if status != OK:
        return status
    normalise(model_i, q_io)
    if model_i[N_ROWS] == 0 and model_i[FORMULATION] == EMBEDDED:
        return OK
    return project(calls[PROJECT], model_i, model_f, q_io, v_io, drive_io, work)


def warm_up() -> None:
    """Nothing is called from outside of kernels; they compile with those."""
