"""Kernels of motion: drives and end stops around the integrators, and the ledger of energy.

The whole loop over steps runs in here. One step from (q, v):

1. `guide` decides for every row what drives it: a force, or an acceleration (commands, stops);
2. a row that rests against a stop is let go if its stop would have to pull;
3. the integrator makes the step;
4. rows that went past a stop: the moment of the first one is found, the step ends there, the
   impact takes the row's speed away (inelastic, by one impulse), and the rest of the step follows;
   a drive whose row is tied to a stopped one by the loops gives way: a stop is stronger;
5. what drives, dampers and external forces did is added to the ledger by the integrator; impacts
   are added apart.

What depends on the formulation is called by address, see `calls`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation._kernels import (
    AIM,
    AIM_RATE,
    DRIVE,
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
    drives_that_guide,
    guide,
    leave_stop,
    rests,
)
from ...jit import address_of, inlined_kernel, kernel, part, table
from ..constrained import _kernels as constrained
from ..embedding import _kernels as embedding
from ..model._kernels import BY_DRIVES, HEADER, N_ROWS, NOT_FINITE, NQ, NV, OK, POWERS, PULL_F, TIED
from ..tree._kernels import TREE_F
from ..variational._kernels import variational_step
from ..variational.constrained._kernels import constrained_variational_step
from .calls._kernels import (
    ARREST,
    EVALUATE,
    ROWS,
    SIGNATURES,
    VARIATION,
    arrest,
    evaluate,
    read_rows,
)
from .integrators._kernels import RK4, STAGES, plain_step

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# ledger [J]: what drives, dampers and external forces did, what impacts at stops took
STOPS, LEDGER = POWERS, POWERS + 1
TOO_MANY_IMPACTS, NO_COORDINATE = 6, 8  # the others are the formulation's
IMPACTS = 64  # most in one step
# impacts in one step after which stops hold: a row that leaves its stop while another one comes may
# fall back and make that one leave, in ever shorter turns
CHATTER = 8
TOUCH = 1e-9  # [m, rad] by which a guided row may miss its stop


@kernel
def scratch_size(nq: int, nv: int, rows: int) -> int:
    """Doubles for stages and copies."""
    stages = (STAGES + 6) * (nq + 2 * nv + POWERS) + 3 * nv * (nv + 1)
    return stages + rows * (7 + DRIVE)


@kernel
def beyond(row: int, drive_in: Floats, rows_in: Floats, start_in: Floats) -> float:
    """How far a row is past its stop, negative inside [m, rad].

    A row that begins a hair beyond its stop is past it only if it goes farther, and one that is
    on its way back is not.

    A guided row ends before its stop if it can; one that was too fast when its drive took over
    cannot.
    """
    guided = drive_in[row, NOW] == GUIDED
    if guided and drive_in[row, STOP] != 0.0:
        return -math.inf
    position = rows_in[row, 0]
    upper = max(drive_in[row, UPPER], start_in[row, 0])
    lower = min(drive_in[row, LOWER], start_in[row, 0])
    past = position - upper if position - upper > lower - position else lower - position
    if past > 0.0 and rows_in[row, 1] * (position - 0.5 * (upper + lower)) < 0.0:
        return 0.0
    return float(past - (TOUCH if guided else 0.0))


@kernel
def overrun(drive_in: Floats, rows_in: Floats, start_in: Floats, mask_io: Floats) -> bool:
    """Whether any row is past its stop; if so, the mask tells which ones are."""
    found = False
    for r in range(drive_in.shape[0]):
        found = found or beyond(r, drive_in, rows_in, start_in) > 0.0
    if found:
        for r in range(drive_in.shape[0]):
            past = beyond(r, drive_in, rows_in, start_in) > 0.0
            mask_io[r] = side_of(r, drive_in, rows_in) if past else 0.0
    return found


@inlined_kernel
def release(
    calls: Ints, model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, drive_io: Floats,
    pulls_in: Floats, pressed_in: Floats, work: Floats, vdot: Floats, power: Floats,
) -> int:  # fmt: skip
    """Let rows go whose stop would have to pull: one after the other, the strongest first.

    Those that a drive presses against their stops (`pressed_in`) stay there.
    """
    rows = model_i[N_ROWS]
    for _ in range(rows):
        any_stop = False
        for r in range(rows):
            any_stop = any_stop or (rests(r, drive_io) and pressed_in[r] == 0.0)
        if not any_stop:
            return OK
        status = evaluate(
            calls[EVALUATE], model_i, model_f, q_in, v_in, drive_io, pulls_in, work, vdot, power
        )
        if status != OK:
            return status
        worst, which = 0.0, -1
        for r in range(rows):
            if not rests(r, drive_io) or pressed_in[r] != 0.0:
                continue
            pushed = drive_io[r, VALUE] if drive_io[r, MODE] == FORCE else 0.0
            pull = drive_io[r, STOP] * (drive_io[r, REACTION] - pushed)
            if pull > worst:
                worst, which = pull, r
        if which < 0:
            return OK
        leave_stop(which, drive_io)
    return OK


@inlined_kernel
def lift_stops(
    calls: Ints, model_i: Ints, model_f: Floats, h: float, q_in: Floats, v_io: Floats,
    rows_in: Floats, drive_io: Floats, work: Floats, v_work: Floats, mask_work: Floats,
    lifted_io: Floats,
) -> int:  # fmt: skip
    """Let all rows go that rest, if a drive is to move what they hold by way of the loops.

    Whether it lifts them off their stops or presses them on is seen when it has moved them.
    `lifted_io` (n_rows), which arrives empty, is 1 for rows that were let go.
    """
    rows, resting = drive_io.shape[0], False
    for r in range(rows):
        mask_work[r] = 0.0
        resting = resting or rests(r, drive_io)
    guiding = drives_that_guide(drive_io)
    if not resting or guiding == 0:
        return OK
    for i in range(v_io.shape[0]):
        v_work[i] = v_io[i]
    status, _, _ = arrest(
        calls[ARREST], model_i, model_f, q_in, v_io, mask_work, drive_io, True, work
    )
    for i in range(v_io.shape[0]):
        v_io[i] = v_work[i]
    if status != OK or drives_that_guide(drive_io) == guiding:
        return status
    for r in range(rows):  # as it was before the question
        guide(rows_in[r, 0], rows_in[r, 1], r, h, drive_io)
        if rests(r, drive_io):
            lifted_io[r] = 1.0
            leave_stop(r, drive_io)
    return OK


@inlined_kernel
def limit_torques(
    calls: Ints, model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, drive_io: Floats,
    pulls_in: Floats, work: Floats, vdot: Floats, power: Floats,
) -> int:  # fmt: skip
    """Motors that would need more than their largest torque push with that instead.

    One that is clipped leaves more to the others, so that these are looked at again.
    """
    rows = drive_io.shape[0]
    for _ in range(rows):
        limited = False
        for r in range(rows):
            limited = limited or (drive_io[r, NOW] == GUIDED and drive_io[r, MOST_FORCE] < math.inf)
        if not limited:
            return OK
        status = evaluate(
            calls[EVALUATE], model_i, model_f, q_in, v_in, drive_io, pulls_in, work, vdot, power
        )
        if status != OK:
            return status
        clipped = False
        for r in range(rows):
            if drive_io[r, NOW] == GUIDED and drive_io[r, STOP] == 0.0:
                needed, most = drive_io[r, REACTION], drive_io[r, MOST_FORCE]
                if abs(needed) > most:
                    drive_io[r, NOW], drive_io[r, PULL] = PUSHED, math.copysign(most, needed)
                    clipped = True
        if not clipped:
            return OK
    return OK


@inlined_kernel
def step(
    calls: Ints, model_i: Ints, model_f: Floats, method: int, h: float, q_io: Floats, v_io: Floats,
    drive_io: Floats, pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """One step with drives and stops."""
    nq, nv, rows = model_i[NQ], model_i[NV], model_i[N_ROWS]
    at = scratch.shape[0] - rows * (7 + DRIVE) - 2 * (nq + nv) - POWERS
    begun = table(scratch, at, rows, 2)
    at += 2 * rows
    ended = table(scratch, at, rows, 2)
    at += 2 * rows
    mask, lifted, pressed = (
        part(scratch, at, rows), part(scratch, at + rows, rows), part(scratch, at + 2 * rows, rows)
    )  # fmt: skip
    at += 3 * rows
    q0, v0 = part(scratch, at, nq), part(scratch, at + nq, nv)
    vdot = part(scratch, at + nq + nv, nv)
    power = part(scratch, at + nq + 2 * nv, POWERS)
    status, left = OK, h
    if rows > 0:
        status = read_rows(calls[ROWS], model_i, model_f, q_io, v_io, work, begun)
        if status != OK:
            return status
        for r in range(rows):
            pressed[r] = 0.0
            guide(begun[r, 0], begun[r, 1], r, h, drive_io)
            lifted[r] = 0.0
        if model_i[TIED]:
            status = lift_stops(
                calls, model_i, model_f, h, q_io, v_io, begun, drive_io, work, v0, mask, lifted
            )
        if status == OK:
            status = limit_torques(
                calls, model_i, model_f, q_io, v_io, drive_io, pulls_in, work, vdot, power
            )
    for impact in range(IMPACTS):
        if rows > 0 and status == OK:
            status = release(
                calls, model_i, model_f, q_io, v_io, drive_io, pulls_in, pressed, work, vdot, power
            )
            keep(q_io, v_io, ledger_io, q0, v0, power)
        if rows > 0 and status == OK:
            status = read_rows(calls[ROWS], model_i, model_f, q_io, v_io, work, begun)
        if status != OK:
            return status
        # the whole of what is left; if that passes a stop, parts of it, down to the first contact
        low, high, share, last, failed = 0.0, 1.0, 1.0, False, OK
        for r in range(rows):
            mask[r] = 0.0
        while True:
            status = OK
            if share > 0.0:
                aim(share * left, begun, drive_io)
                status = plain_step(
                    calls, model_i, model_f, method, share * left, q_io, v_io, drive_io, pulls_in,
                    work, scratch, ledger_io,
                )  # fmt: skip
            if rows == 0:
                return status
            if status == OK:
                status = read_rows(calls[ROWS], model_i, model_f, q_io, v_io, work, ended)
            if last:
                if status != OK:
                    return status
                break
            if status != OK:
                failed, high = status, share
            elif overrun(drive_io, ended, begun, mask):
                high = share
                if share == 1.0 and impact == 0 and any_of(mask, lifted):
                    high = 0.0  # pressed on from the beginning
            elif share == 1.0:
                return OK
            else:
                low = share
            last = high - low < 1e-13
            share = low if last else 0.5 * (low + high)
            keep(q0, v0, power, q_io, v_io, ledger_io)
        hit = high == 0.0 or touching(drive_io, ended, begun, 2.0 * (high - low) * left, mask)
        # a row may be past its stop and come back, by the integrator's error: it goes on from there
        if not hit and (failed != OK or low == 0.0):
            return failed if failed != OK else TOO_MANY_IMPACTS
        guiding = drives_that_guide(drive_io)
        status, lost, done = arrest(
            calls[ARREST], model_i, model_f, q_io, v_io, mask, drive_io, impact >= CHATTER, work
        )
        if status != OK:
            return status
        ledger_io[STOPS] -= lost
        ledger_io[BY_DRIVES] += done
        gave_way = drives_that_guide(drive_io) < guiding
        for r in range(rows):
            if mask[r] != 0.0:
                if gave_way:
                    pressed[r] = 1.0
                drive_io[r, STOP] = mask[r]
                drive_io[r, NOW], drive_io[r, PULL] = GUIDED, 0.0
        left *= 1.0 - low
        if left <= 1e-12 * h:
            return OK
    return TOO_MANY_IMPACTS


@inlined_kernel
def any_of(mask_in: Floats, chosen_in: Floats) -> bool:
    """Whether any of the chosen rows has a mask."""
    found = False
    for r in range(mask_in.shape[0]):
        found = found or (mask_in[r] != 0.0 and chosen_in[r] != 0.0)
    return found


@inlined_kernel
def keep(
    q_in: Floats, v_in: Floats, ledger_in: Floats, q_out: Floats, v_out: Floats, ledger_out: Floats
) -> None:
    """Copy a state: aside where a part of a step begins, back to begin again."""
    for i in range(q_in.shape[0]):
        q_out[i] = q_in[i]
    for i in range(v_in.shape[0]):
        v_out[i] = v_in[i]
    for i in range(POWERS):
        ledger_out[i] = ledger_in[i]


@inlined_kernel
def aim(h: float, rows_in: Floats, drive_io: Floats) -> None:
    """Where guided rows should be after h seconds, and how fast."""
    for r in range(drive_io.shape[0]):
        position, rate, pull = rows_in[r, 0], rows_in[r, 1], drive_io[r, PULL]
        drive_io[r, AIM] = position + h * (rate + 0.5 * h * pull)
        drive_io[r, AIM_RATE] = rate + h * pull


@inlined_kernel
def side_of(row: int, drive_in: Floats, rows_in: Floats) -> float:
    """1 for a row that is nearer to its upper stop, else -1."""
    return 1.0 if rows_in[row, 0] > 0.5 * (drive_in[row, LOWER] + drive_in[row, UPPER]) else -1.0


@kernel
def touching(
    drive_in: Floats, rows_in: Floats, start_in: Floats, time: float, mask_io: Floats
) -> bool:
    """Add to the mask the rows that reach their stops within `time`; whether it has any."""
    hit = False
    for r in range(drive_in.shape[0]):
        side = side_of(r, drive_in, rows_in)
        outwards = side * rows_in[r, 1]
        near = 1e-12 + (1e-12 + time) * abs(outwards)
        if beyond(r, drive_in, rows_in, start_in) > -near and outwards >= 0.0:
            mask_io[r] = side
        hit = hit or mask_io[r] != 0.0
    return hit


@kernel
def run(
    calls: Ints, model_i: Ints, model_f: Floats, method: int, h: float, steps: int, q_io: Floats,
    v_io: Floats, drive_io: Floats, pulls_in: Floats, work: Floats, scratch: Floats,
    ledger_io: Floats, kept: int, keep_out: Floats,
) -> tuple[int, int]:  # fmt: skip
    """So many steps: (status, steps done).

    `keep_out` (n, nq + nv) gets the states before the last n steps, in turn, `kept` of them being
    there already; a step that fails leaves state, drives and ledger as they were before it.
    """
    nq, nv, rows = q_io.shape[0], v_io.shape[0], drive_io.shape[0]
    at = scratch.shape[0] - rows * DRIVE
    for n in range(steps):
        row = (kept + n) % keep_out.shape[0]
        for i in range(nq):
            keep_out[row, i] = q_io[i]
        for i in range(nv):
            keep_out[row, nq + i] = v_io[i]
        for r in range(rows):
            for i in range(DRIVE):
                scratch[at + DRIVE * r + i] = drive_io[r, i]
        drives, dampers, pulls, stops = ledger_io[0], ledger_io[1], ledger_io[2], ledger_io[3]
        status = step(
            calls, model_i, model_f, method, h, q_io, v_io, drive_io, pulls_in, work, scratch,
            ledger_io,
        )  # fmt: skip
        if status == OK:
            total = 0.0
            for i in range(nv):
                total += v_io[i] * v_io[i]
            for i in range(nq):
                total += abs(q_io[i])
            if not math.isfinite(total):
                status = NOT_FINITE
        if status != OK:
            for i in range(nq):
                q_io[i] = keep_out[row, i]
            for i in range(nv):
                v_io[i] = keep_out[row, nq + i]
            for r in range(rows):
                for i in range(DRIVE):
                    drive_io[r, i] = scratch[at + DRIVE * r + i]
            ledger_io[0], ledger_io[1], ledger_io[2], ledger_io[3] = drives, dampers, pulls, stops
            return status, n
    return OK, steps


def warm_up() -> None:
    """Compile what simulations call, on a model of nothing."""
    for formulation in (embedding, constrained):
        wanted = formulation.evaluate, formulation.rows, formulation.project, formulation.arrest
        for call, signature in zip(wanted, SIGNATURES, strict=False):
            address_of(call, signature)
    for step_of_its_own in (variational_step, constrained_variational_step):
        address_of(step_of_its_own, SIGNATURES[VARIATION])
    calls = np.zeros(5, dtype=np.int64)
    model_i, model_f = np.zeros(HEADER + 1, dtype=np.int64), np.zeros(TREE_F)
    none, drive = np.zeros(0), np.zeros((0, DRIVE))
    run(
        calls, model_i, model_f, RK4, 1.0, 0, none, none, drive, np.zeros((0, PULL_F)), none, none,
        none, 0, np.zeros((1, 0)),
    )  # fmt: skip
    scratch_size(0, 0, 0)
