"""Kernels of motion: integrators, drives and end stops, and the ledger of energy.

The whole loop over steps runs in here. One step from (q, v):

1. `guide` decides for every row what drives it: a force, or an acceleration (commands, stops);
2. a row that rests against a stop is let go if its stop would have to pull;
3. the integrator makes the step;
4. rows that went past a stop: the moment of the first one is found, the step ends there, the
   impact takes the row's speed away (inelastic, by one impulse), and the rest of the step follows;
5. what drives, dampers and external forces did is added to the ledger, with the integrator's own
   weights, so that it is as exact as the motion; impacts are added apart.

`scratch` holds the stages; `options` are [integrator, step, steps, time].
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation._kernels import (
    AIM,
    AIM_RATE,
    DRIVE,
    FLOATING,
    FORCE,
    GUIDED,
    LOWER,
    MODE,
    MOST_FORCE,
    NOW,
    PULL,
    PUSHED,
    REACTION,
    STOP,
    UPPER,
    VALUE,
    guide,
)
from ...jit import kernel, spliced_kernel
from ..constrained import _kernels as constrained
from ..embedding import _kernels as embedding
from ..linear._kernels import invert
from ..model._kernels import (
    BY_DRIVES,
    EMBEDDED,
    FORMULATION,
    HEADER,
    N_ROWS,
    NQ,
    NV,
    POWERS,
    PULL_F,
    normalise,
    position_rates,
)
from ..tree._kernels import TREE_F
from ..variational._kernels import variational_step

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EULER, MIDPOINT, RK4, RK6, SEMI_IMPLICIT, IMPLICIT, VARIATIONAL = range(7)
STAGES = 8
# ledger [J]: what drives, dampers and external forces did, what impacts at stops took
STOPS, LEDGER = POWERS, POWERS + 1
OK, TOO_MANY_IMPACTS, NOT_CONVERGED, NO_COORDINATE = 0, 6, 7, 8  # the others are the formulation's
STATUSES = 16
IMPACTS = 64  # most in one step
TOUCH = 1e-9  # [m, rad] by which a guided row may miss its stop

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
def scratch_size(nq: int, nv: int, rows: int) -> int:
    """Doubles for stages and copies."""
    return (STAGES + 6) * (nq + 2 * nv + POWERS) + 5 * rows + 3 * nv * (nv + 1)


@spliced_kernel
def evaluate(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, drive_io: Floats,
    pulls_in: Floats, work: Floats, vdot_out: Floats, power_out: Floats,
) -> int:  # fmt: skip
    """Accelerations by the model's formulation."""
    if model_i[FORMULATION] == EMBEDDED:
        return embedding.evaluate(
            model_i, model_f, q_in, v_in, drive_io, pulls_in, work, vdot_out, power_out
        )
    return constrained.evaluate(
        model_i, model_f, q_in, v_in, drive_io, pulls_in, work, vdot_out, power_out
    )


@spliced_kernel
def read_rows(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, work: Floats, rows_out: Floats
) -> int:
    """Position and rate of every row, (n_rows, 2)."""
    if model_i[FORMULATION] == EMBEDDED:
        return embedding.rows(model_i, model_f, q_in, v_in, work, rows_out)
    return constrained.rows(model_i, model_f, q_in, v_in, work, rows_out)


@spliced_kernel
def project(
    model_i: Ints, model_f: Floats, q_io: Floats, v_io: Floats, drive_in: Floats, work: Floats
) -> int:
    """Back on the constraints, where the formulation has any."""
    if model_i[FORMULATION] == EMBEDDED:
        return embedding.project(model_i, model_f, q_io, v_io, drive_in, work)
    return constrained.project(model_i, model_f, q_io, v_io, drive_in, work)


@spliced_kernel
def arrest(
    model_i: Ints, model_f: Floats, q_in: Floats, v_io: Floats, mask_in: Floats,
    drive_io: Floats, work: Floats,
) -> tuple[int, float, float]:  # fmt: skip
    """Inelastic stop: (status, kinetic energy lost, work of the guided drives' impulses) [J]."""
    if model_i[FORMULATION] == EMBEDDED:
        return embedding.arrest(model_i, model_f, q_in, v_io, mask_in, drive_io, work)
    return constrained.arrest(model_i, model_f, q_in, v_io, mask_in, drive_io, work)


@spliced_kernel
def explicit_step(
    model_i: Ints, model_f: Floats, method: int, h: float, q_io: Floats, v_io: Floats,
    drive_io: Floats, pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """One step of an explicit Runge-Kutta method on (q, v) and the ledger together.

    Every stage evaluates the acceleration at its own positions AND velocities; the roadheader
    paper's Eq. (15) and appendix B print it as a function of velocities alone.
    """
    nq, nv, count = q_io.shape[0], v_io.shape[0], COUNTS[method]
    at = 0
    Kq = scratch[: STAGES * nq].reshape(STAGES, nq)
    at += STAGES * nq
    Kv = scratch[at : at + STAGES * nv].reshape(STAGES, nv)
    at += STAGES * nv
    Kp = scratch[at : at + STAGES * POWERS].reshape(STAGES, POWERS)
    at += STAGES * POWERS
    q, v = scratch[at : at + nq], scratch[at + nq : at + nq + nv]
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
        status = evaluate(model_i, model_f, q, v, drive_io, pulls_in, work, Kv[stage], Kp[stage])
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


@spliced_kernel
def semi_implicit_step(
    model_i: Ints, model_f: Floats, h: float, q_io: Floats, v_io: Floats, drive_io: Floats,
    pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """The roadheader paper's "symplectic Euler" (Algorithm 3): v += h a(q, v); q += h v.

    It is symplectic only where the inertia does not depend on q. The ledger takes each power at
    the mean of the old and the new velocity, the drives' forces being those of the step.
    """
    nq, nv = q_io.shape[0], v_io.shape[0]
    vdot, qdot, power = scratch[:nv], scratch[nv : nv + nq], scratch[nv + nq : nv + nq + POWERS]
    status = evaluate(model_i, model_f, q_io, v_io, drive_io, pulls_in, work, vdot, power)
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


@spliced_kernel
def implicit_step(
    model_i: Ints, model_f: Floats, h: float, q_io: Floats, v_io: Floats, drive_io: Floats,
    pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """Implicit Euler: v1 = v0 + h a(q1, v1), q1 = q0 + h v1, by Newton's method on v1.

    The iteration matrix 1 - h da/dv1 is taken by differences, once a step.
    """
    nq, nv = q_io.shape[0], v_io.shape[0]
    q, qdot = scratch[:nq], scratch[nq : 2 * nq]
    at = 2 * nq
    v, vdot, first = (
        scratch[at : at + nv],
        scratch[at + nv : at + 2 * nv],
        scratch[at + 2 * nv : at + 3 * nv],
    )
    at += 3 * nv
    power = scratch[at : at + POWERS]
    at += POWERS
    A = scratch[at : at + nv * nv].reshape(nv, nv)
    at += nv * nv
    right = scratch[at : at + nv]
    for i in range(nv):
        v[i] = v_io[i]
    for iteration in range(30):
        if iteration <= 1:  # the matrix, at the start and where the first step has led
            for k in range(-1, nv):
                shift = 1e-7 * (1.0 + abs(v[k])) if k >= 0 else 0.0
                if k >= 0:
                    v[k] += shift
                position_rates(model_i, q_io, v, qdot)
                for i in range(nq):
                    q[i] = q_io[i] + h * qdot[i]
                status = evaluate(model_i, model_f, q, v, drive_io, pulls_in, work, vdot, power)
                if status != OK:
                    return status
                for i in range(nv):
                    if k < 0:
                        first[i] = vdot[i]
                    else:
                        A[i, k] = -h * (vdot[i] - first[i]) / shift + (1.0 if i == k else 0.0)
                if k >= 0:
                    v[k] -= shift
            invert(A)
            for i in range(nv):
                vdot[i] = first[i]
        else:
            position_rates(model_i, q_io, v, qdot)
            for i in range(nq):
                q[i] = q_io[i] + h * qdot[i]
            status = evaluate(model_i, model_f, q, v, drive_io, pulls_in, work, vdot, power)
            if status != OK:
                return status
        largest = 0.0
        for i in range(nv):
            right[i] = v_io[i] + h * vdot[i] - v[i]
        for i in range(nv):
            total = 0.0
            for j in range(nv):
                total += A[i, j] * right[j]
            v[i] += total
            largest = max(largest, abs(total) / (1.0 + abs(v[i])))
        if not math.isfinite(largest):
            return NOT_CONVERGED
        if largest < 1e-13:
            break
    position_rates(model_i, q_io, v, qdot)
    for i in range(nq):
        q_io[i] += h * qdot[i]
    for i in range(nv):
        v_io[i] = v[i]
    for i in range(POWERS):
        ledger_io[i] += h * power[i]
    return OK if largest < 1e-9 else NOT_CONVERGED


@spliced_kernel
def plain_step(
    model_i: Ints, model_f: Floats, method: int, h: float, q_io: Floats, v_io: Floats,
    drive_io: Floats, pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """One step of the chosen integrator, stops left aside."""
    if method <= RK6:
        status = explicit_step(
            model_i, model_f, method, h, q_io, v_io, drive_io, pulls_in, work, scratch, ledger_io
        )
    elif method == SEMI_IMPLICIT:
        status = semi_implicit_step(
            model_i, model_f, h, q_io, v_io, drive_io, pulls_in, work, scratch, ledger_io
        )
    elif method == VARIATIONAL:
        status = variational_step(
            model_i, model_f, h, q_io, v_io, drive_io, pulls_in, work, scratch, ledger_io
        )
    else:
        status = implicit_step(
            model_i, model_f, h, q_io, v_io, drive_io, pulls_in, work, scratch, ledger_io
        )
    if status != OK:
        return status
    normalise(model_i, q_io)
    return project(model_i, model_f, q_io, v_io, drive_io, work)


@kernel
def beyond(row: int, drive_in: Floats, rows_in: Floats) -> float:
    """How far a row is past its stop, negative inside [m, rad].

    A guided row ends before its stop if it can; one that was too fast when its drive took over
    cannot.
    """
    guided = drive_in[row, NOW] == GUIDED
    if guided and drive_in[row, STOP] != 0.0:
        return -math.inf
    position = rows_in[row, 0]
    past = max(position - drive_in[row, UPPER], drive_in[row, LOWER] - position)
    return float(past - (TOUCH if guided else 0.0))


@kernel
def rests(row: int, drive_in: Floats) -> bool:
    """Whether a row that no drive guides rests against its stop."""
    loose = drive_in[row, MODE] in (FLOATING, FORCE)
    return bool(loose and drive_in[row, STOP] != 0.0 and drive_in[row, NOW] == GUIDED)


@spliced_kernel
def release(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, drive_io: Floats,
    pulls_in: Floats, work: Floats, vdot: Floats, power: Floats,
) -> int:  # fmt: skip
    """Let rows go whose stop would have to pull: one after the other, the strongest first."""
    rows = model_i[N_ROWS]
    for _ in range(rows):
        any_stop = False
        for r in range(rows):
            any_stop = any_stop or rests(r, drive_io)
        if not any_stop:
            return OK
        status = evaluate(model_i, model_f, q_in, v_in, drive_io, pulls_in, work, vdot, power)
        if status != OK:
            return status
        worst, which = 0.0, -1
        for r in range(rows):
            if not rests(r, drive_io):
                continue
            pushed = drive_io[r, VALUE] if drive_io[r, MODE] == FORCE else 0.0
            pull = drive_io[r, STOP] * (drive_io[r, REACTION] - pushed)
            if pull > worst:
                worst, which = pull, r
        if which < 0:
            return OK
        drive_io[which, STOP] = 0.0
        drive_io[which, NOW] = PUSHED
        drive_io[which, PULL] = drive_io[which, VALUE] if drive_io[which, MODE] == FORCE else 0.0
    return OK


@spliced_kernel
def limit_torques(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, drive_io: Floats,
    pulls_in: Floats, work: Floats, vdot: Floats, power: Floats,
) -> int:  # fmt: skip
    """Motors that would need more than their largest torque push with that instead."""
    limited = False
    for r in range(drive_io.shape[0]):
        if drive_io[r, NOW] == GUIDED and drive_io[r, MOST_FORCE] < math.inf:
            limited = True
    if not limited:
        return OK
    status = evaluate(model_i, model_f, q_in, v_in, drive_io, pulls_in, work, vdot, power)
    if status != OK:
        return status
    for r in range(drive_io.shape[0]):
        if drive_io[r, NOW] == GUIDED and drive_io[r, STOP] == 0.0:
            needed, most = drive_io[r, REACTION], drive_io[r, MOST_FORCE]
            if abs(needed) > most:
                drive_io[r, NOW], drive_io[r, PULL] = PUSHED, math.copysign(most, needed)
    return OK


@spliced_kernel
def step(
    model_i: Ints, model_f: Floats, method: int, h: float, q_io: Floats, v_io: Floats,
    drive_io: Floats, pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """One step with drives and stops."""
    nq, nv, rows = model_i[NQ], model_i[NV], model_i[N_ROWS]
    at = scratch.shape[0] - 5 * rows - 2 * (nq + nv) - POWERS
    table = scratch[at : at + 2 * rows].reshape(rows, 2)
    at += 2 * rows
    ended = scratch[at : at + 2 * rows].reshape(rows, 2)
    at += 2 * rows
    mask = scratch[at : at + rows]
    at += rows
    q0, v0 = scratch[at : at + nq], scratch[at + nq : at + nq + nv]
    vdot = scratch[at + nq + nv : at + nq + 2 * nv]
    power = scratch[at + nq + 2 * nv : at + nq + 2 * nv + POWERS]
    status = read_rows(model_i, model_f, q_io, v_io, work, table)
    if status != OK:
        return status
    for r in range(rows):
        guide(table[r, 0], table[r, 1], r, h, drive_io)
    status = limit_torques(model_i, model_f, q_io, v_io, drive_io, pulls_in, work, vdot, power)
    if status != OK:
        return status
    left = h
    for _ in range(IMPACTS):
        status = release(model_i, model_f, q_io, v_io, drive_io, pulls_in, work, vdot, power)
        if status != OK:
            return status
        for i in range(nq):
            q0[i] = q_io[i]
        for i in range(nv):
            v0[i] = v_io[i]
        for i in range(POWERS):
            power[i] = ledger_io[i]
        status = read_rows(model_i, model_f, q_io, v_io, work, table)
        if status != OK:
            return status
        # the whole of what is left; if that passes a stop, parts of it, down to the first contact
        low, high, part, last, failed = 0.0, 1.0, 1.0, False, OK
        while True:
            rewind(q0, v0, power, q_io, v_io, ledger_io)
            status = OK
            if part > 0.0:
                aim(part * left, table, drive_io)
                status = plain_step(
                    model_i, model_f, method, part * left, q_io, v_io, drive_io, pulls_in, work,
                    scratch, ledger_io,
                )  # fmt: skip
            if status == OK:
                status = read_rows(model_i, model_f, q_io, v_io, work, ended)
            if last:
                if status != OK:
                    return status
                break
            past = math.inf
            if status != OK:
                failed = status
            else:
                past = -math.inf
                for r in range(rows):
                    past = max(past, beyond(r, drive_io, ended))
            if past > 0.0:
                high = part
            elif part == 1.0:
                return OK
            else:
                low = part
            last = high - low < 1e-13
            part = low if last else 0.5 * (low + high)
        hit = False
        for r in range(rows):
            mask[r] = 0.0
            gap = beyond(r, drive_io, ended)
            outwards = (
                ended[r, 1]
                if ended[r, 0] > 0.5 * (drive_io[r, LOWER] + drive_io[r, UPPER])
                else -ended[r, 1]
            )
            near = 1e-9 + 1e-12 * abs(outwards) + 2.0 * (high - low) * left * abs(outwards)
            if gap > -near and outwards >= 0.0:
                mask[r] = 1.0
                hit = True
        if not hit:
            return failed if failed != OK else TOO_MANY_IMPACTS
        status, lost, done = arrest(model_i, model_f, q_io, v_io, mask, drive_io, work)
        if status != OK:
            return status
        ledger_io[STOPS] -= lost
        ledger_io[BY_DRIVES] += done
        for r in range(rows):
            if mask[r] != 0.0:
                upper = ended[r, 0] > 0.5 * (drive_io[r, LOWER] + drive_io[r, UPPER])
                drive_io[r, STOP] = 1.0 if upper else -1.0
                drive_io[r, NOW], drive_io[r, PULL] = GUIDED, 0.0
        left *= 1.0 - low
        if left <= 1e-12 * h:
            return OK
    return TOO_MANY_IMPACTS


@kernel
def aim(h: float, rows_in: Floats, drive_io: Floats) -> None:
    """Where guided rows should be after h seconds, and how fast."""
    for r in range(drive_io.shape[0]):
        position, rate, pull = rows_in[r, 0], rows_in[r, 1], drive_io[r, PULL]
        drive_io[r, AIM] = position + h * (rate + 0.5 * h * pull)
        drive_io[r, AIM_RATE] = rate + h * pull


@kernel
def rewind(
    q_in: Floats, v_in: Floats, ledger_in: Floats, q_out: Floats, v_out: Floats, ledger_out: Floats
) -> None:
    """Back to the start of a step."""
    q_out[:] = q_in
    v_out[:] = v_in
    for i in range(POWERS):
        ledger_out[i] = ledger_in[i]


@kernel
def run(
    model_i: Ints, model_f: Floats, method: int, h: float, steps: int, q_io: Floats, v_io: Floats,
    drive_io: Floats, pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
    keep_out: Floats,
) -> tuple[int, int]:  # fmt: skip
    """So many steps: (status, steps done).

    `keep_out` (n, nq + nv) gets the states before the last n steps, in turn; a step that fails
    leaves the state as it was before it.
    """
    nq, nv = q_io.shape[0], v_io.shape[0]
    for n in range(steps):
        row = n % keep_out.shape[0]
        for i in range(nq):
            keep_out[row, i] = q_io[i]
        for i in range(nv):
            keep_out[row, nq + i] = v_io[i]
        drives, dampers, pulls, stops = ledger_io[0], ledger_io[1], ledger_io[2], ledger_io[3]
        status = step(
            model_i, model_f, method, h, q_io, v_io, drive_io, pulls_in, work, scratch, ledger_io
        )
        if status == OK:
            total = 0.0
            for i in range(nv):
                total += v_io[i] * v_io[i]
            for i in range(nq):
                total += abs(q_io[i])
            if not math.isfinite(total):
                status = embedding.NOT_FINITE
        if status != OK:
            for i in range(nq):
                q_io[i] = keep_out[row, i]
            for i in range(nv):
                v_io[i] = keep_out[row, nq + i]
            ledger_io[0], ledger_io[1], ledger_io[2], ledger_io[3] = drives, dampers, pulls, stops
            return status, n
    return OK, steps


def warm_up() -> None:
    """Compile what simulations call, on a model of nothing."""
    model_i, model_f = np.zeros(HEADER + 1, dtype=np.int64), np.zeros(TREE_F)
    none, table = np.zeros(0), np.zeros((0, DRIVE))
    run(
        model_i, model_f, RK4, 1.0, 0, none, none, table, np.zeros((0, PULL_F)), none, none, none,
        np.zeros((1, 0)),
    )  # fmt: skip
    scratch_size(0, 0, 0)
