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

from ...actuation.kernels import (
    DRIVE,
    DriveMode,
    DrivenBy,
    drives_that_guide,
    guide,
    leave_stop,
    rests,
)
from ...jit import (
    MATRIX,
    NUMBER,
    VECTOR,
    WHOLE,
    Record,
    Records,
    array_of,
    entry,
    header,
    inlined_kernel,
    kernel,
    numbers,
    records,
)
from ..forces import copy, copy_flow
from ..records import LEDGER, MODEL, POWER, PULL, ROW_STATE
from ..status import DynamicsStatus
from .calls import CALLS, arrest, evaluate, read_rows
from .integrators import plain_step

Floats = NDArray[np.float64]

OK, NOT_FINITE, TOO_MANY_IMPACTS = (
    DynamicsStatus.OK.value, DynamicsStatus.NOT_FINITE.value, DynamicsStatus.TOO_MANY_IMPACTS.value
)  # fmt: skip
FORCE, PUSHED, GUIDED = DriveMode.FORCE.value, DrivenBy.PUSHED.value, DrivenBy.GUIDED.value
IMPACTS = 64  # most in one step
# impacts in one step after which stops hold: a row that leaves its stop while another one comes may
# fall back and make that one leave, in ever shorter turns
CHATTER = 8
TOUCH = 1e-9  # [m, rad] by which a guided row may miss its stop


@kernel
def beyond(row: int, drives_in: Records, rows_in: Records, start_in: Records) -> float:
    """How far a row is past its stop, negative inside [m, rad].

    A row that begins a hair beyond its stop is past it only if it goes farther, and one that is
    on its way back is not.

    A guided row ends before its stop if it can; one that was too fast when its drive took over
    cannot.
    """
    guided = drives_in[row].now == GUIDED
    if guided and drives_in[row].stop != 0.0:
        return -math.inf
    position = rows_in[row].position
    upper = max(drives_in[row].upper, start_in[row].position)
    lower = min(drives_in[row].lower, start_in[row].position)
    past = position - upper if position - upper > lower - position else lower - position
    if past > 0.0 and rows_in[row].rate * (position - 0.5 * (upper + lower)) < 0.0:
        return 0.0
    return float(past - (TOUCH if guided else 0.0))


@kernel
def overrun(drives_in: Records, rows_in: Records, start_in: Records, mask_io: Floats) -> bool:
    """Whether any row is past its stop; if so, the mask tells which ones are."""
    found = False
    for r in range(drives_in.shape[0]):
        found = found or beyond(r, drives_in, rows_in, start_in) > 0.0
    if found:
        for r in range(drives_in.shape[0]):
            past = beyond(r, drives_in, rows_in, start_in) > 0.0
            mask_io[r] = side_of(r, drives_in, rows_in) if past else 0.0
    return found


@inlined_kernel
def release(
    calls: Record, model: Floats, q_in: Floats, v_in: Floats, drives_io: Records,
    pulls_in: Records, pressed_in: Floats, work: Floats,
) -> int:  # fmt: skip
    """Let rows go whose stop would have to pull: one after the other, the strongest first.

    Those that a drive presses against their stops (`pressed_in`) stay there.
    """
    at = header(model, MODEL).stepping
    vdot, power = numbers(work, at.vdot), records(work, at.power, POWER)[0]
    rows = drives_io.shape[0]
    for _ in range(rows):
        any_stop = False
        for r in range(rows):
            any_stop = any_stop or (rests(r, drives_io) and pressed_in[r] == 0.0)
        if not any_stop:
            return OK
        status = evaluate(calls.evaluate, model, q_in, v_in, drives_io, pulls_in, work, vdot, power)
        if status != OK:
            return status
        worst, which = 0.0, -1
        for r in range(rows):
            drive = drives_io[r]
            if not rests(r, drives_io) or pressed_in[r] != 0.0:
                continue
            pushed = drive.value if drive.mode == FORCE else 0.0
            pull = drive.stop * (drive.reaction - pushed)
            if pull > worst:
                worst, which = pull, r
        if which < 0:
            return OK
        leave_stop(which, drives_io)
    return OK


@inlined_kernel
def lift_stops(
    calls: Record, model: Floats, h: float, q_in: Floats, v_io: Floats, rows_in: Records,
    drives_io: Records, work: Floats, lifted_io: Floats,
) -> int:  # fmt: skip
    """Let all rows go that rest, if a drive is to move what they hold by way of the loops.

    Whether it lifts them off their stops or presses them on is seen when it has moved them.
    `lifted_io` (n_rows), which arrives empty, is 1 for rows that were let go.
    """
    at = header(model, MODEL).stepping
    v_work, mask = numbers(work, at.v_begun), numbers(work, at.mask)
    rows, resting = drives_io.shape[0], False
    for r in range(rows):
        mask[r] = 0.0
        resting = resting or rests(r, drives_io)
    guiding = drives_that_guide(drives_io)
    if not resting or guiding == 0:
        return OK
    copy(v_io, v_work)
    status, _, _ = arrest(calls.arrest, model, q_in, v_io, mask, drives_io, True, work)
    copy(v_work, v_io)
    if status != OK or drives_that_guide(drives_io) == guiding:
        return status
    for r in range(rows):  # as it was before the question
        guide(rows_in[r].position, rows_in[r].rate, r, h, drives_io)
        if rests(r, drives_io):
            lifted_io[r] = 1.0
            leave_stop(r, drives_io)
    return OK


@inlined_kernel
def limit_torques(
    calls: Record, model: Floats, q_in: Floats, v_in: Floats, drives_io: Records,
    pulls_in: Records, work: Floats,
) -> int:  # fmt: skip
    """Motors that would need more than their largest torque push with that instead.

    One that is clipped leaves more to the others, so that these are looked at again.
    """
    at = header(model, MODEL).stepping
    vdot, power = numbers(work, at.vdot), records(work, at.power, POWER)[0]
    rows = drives_io.shape[0]
    for _ in range(rows):
        limited = False
        for r in range(rows):
            drive = drives_io[r]
            limited = limited or (drive.now == GUIDED and drive.most_force < math.inf)
        if not limited:
            return OK
        status = evaluate(calls.evaluate, model, q_in, v_in, drives_io, pulls_in, work, vdot, power)
        if status != OK:
            return status
        clipped = False
        for r in range(rows):
            drive = drives_io[r]
            if drive.now == GUIDED and drive.stop == 0.0 and abs(drive.reaction) > drive.most_force:
                drive.now, drive.pull = PUSHED, math.copysign(drive.most_force, drive.reaction)
                clipped = True
        if not clipped:
            return OK
    return OK


@inlined_kernel
def step(
    calls: Record, model: Floats, method: int, h: float, q_io: Floats, v_io: Floats,
    drives_io: Records, pulls_in: Records, work: Floats, ledger: Record,
) -> int:  # fmt: skip
    """One step with drives and stops."""
    head, flow = header(model, MODEL), ledger.flow
    at, rows = head.stepping, drives_io.shape[0]
    begun, ended = records(work, at.begun, ROW_STATE), records(work, at.ended, ROW_STATE)
    mask, lifted = numbers(work, at.mask), numbers(work, at.lifted)
    pressed = numbers(work, at.pressed)
    q0, v0 = numbers(work, at.q_begun), numbers(work, at.v_begun)
    flow0 = records(work, at.flow_begun, POWER)[0]
    status, left = OK, h
    if rows > 0:
        status = read_rows(calls.read_rows, model, q_io, v_io, work, begun)
        if status != OK:
            return status
        for r in range(rows):
            pressed[r], lifted[r] = 0.0, 0.0
            guide(begun[r].position, begun[r].rate, r, h, drives_io)
        if head.tied:
            status = lift_stops(calls, model, h, q_io, v_io, begun, drives_io, work, lifted)
        if status == OK:
            status = limit_torques(calls, model, q_io, v_io, drives_io, pulls_in, work)
    for impact in range(IMPACTS):
        if rows > 0 and status == OK:
            status = release(calls, model, q_io, v_io, drives_io, pulls_in, pressed, work)
            keep(q_io, v_io, flow, q0, v0, flow0)
        if rows > 0 and status == OK:
            status = read_rows(calls.read_rows, model, q_io, v_io, work, begun)
        if status != OK:
            return status
        # the whole of what is left; if that passes a stop, parts of it, down to the first contact
        low, high, share, last, failed = 0.0, 1.0, 1.0, False, OK
        for r in range(rows):
            mask[r] = 0.0
        while True:
            status = OK
            if share > 0.0:
                aim(share * left, begun, drives_io)
                status = plain_step(
                    calls, model, method, share * left, q_io, v_io, drives_io, pulls_in, work, flow
                )
            if rows == 0:
                return status
            if status == OK:
                status = read_rows(calls.read_rows, model, q_io, v_io, work, ended)
            if last:
                if status != OK:
                    return status
                break
            if status != OK:
                failed, high = status, share
            elif overrun(drives_io, ended, begun, mask):
                high = share
                if share == 1.0 and impact == 0 and any_of(mask, lifted):
                    high = 0.0  # pressed on from the beginning
            elif share == 1.0:
                return OK
            else:
                low = share
            last = high - low < 1e-13
            share = low if last else 0.5 * (low + high)
            keep(q0, v0, flow0, q_io, v_io, flow)
        hit = high == 0.0 or touching(drives_io, ended, begun, 2.0 * (high - low) * left, mask)
        # a row may be past its stop and come back, by the integrator's error: it goes on from there
        if not hit and (failed != OK or low == 0.0):
            return failed if failed != OK else TOO_MANY_IMPACTS
        guiding = drives_that_guide(drives_io)
        status, lost, done = arrest(
            calls.arrest, model, q_io, v_io, mask, drives_io, impact >= CHATTER, work
        )
        if status != OK:
            return status
        ledger.stops -= lost
        flow.drives += done
        gave_way = drives_that_guide(drives_io) < guiding
        for r in range(rows):
            if mask[r] != 0.0:
                if gave_way:
                    pressed[r] = 1.0
                drive = drives_io[r]
                drive.stop, drive.now, drive.pull = mask[r], GUIDED, 0.0
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
    q_in: Floats, v_in: Floats, flow_in: Record, q_out: Floats, v_out: Floats, flow_out: Record
) -> None:
    """Copy a state: aside where a part of a step begins, back to begin again."""
    copy(q_in, q_out)
    copy(v_in, v_out)
    copy_flow(flow_in, flow_out)


@inlined_kernel
def aim(h: float, rows_in: Records, drives_io: Records) -> None:
    """Where guided rows should be after h seconds, and how fast."""
    for r in range(drives_io.shape[0]):
        position, rate, pull = rows_in[r].position, rows_in[r].rate, drives_io[r].pull
        drives_io[r].aim = position + h * (rate + 0.5 * h * pull)
        drives_io[r].aim_rate = rate + h * pull


@inlined_kernel
def side_of(row: int, drives_in: Records, rows_in: Records) -> float:
    """1 for a row that is nearer to its upper stop, else -1."""
    return (
        1.0 if rows_in[row].position > 0.5 * (drives_in[row].lower + drives_in[row].upper) else -1.0
    )


@kernel
def touching(
    drives_in: Records, rows_in: Records, start_in: Records, time: float, mask_io: Floats
) -> bool:
    """Add to the mask the rows that reach their stops within `time`; whether it has any."""
    hit = False
    for r in range(drives_in.shape[0]):
        side = side_of(r, drives_in, rows_in)
        outwards = side * rows_in[r].rate
        near = 1e-12 + (1e-12 + time) * abs(outwards)
        if beyond(r, drives_in, rows_in, start_in) > -near and outwards >= 0.0:
            mask_io[r] = side
        hit = hit or mask_io[r] != 0.0
    return hit


@entry(
    VECTOR, VECTOR, WHOLE, NUMBER, WHOLE, VECTOR, VECTOR, array_of(DRIVE), array_of(PULL), VECTOR,
    VECTOR, WHOLE, MATRIX,
)  # fmt: skip
@kernel
def run(
    calls_in: Floats, model: Floats, method: int, h: float, steps: int, q_io: Floats,
    v_io: Floats, drives_io: Records, pulls_in: Records, work: Floats, ledger_io: Floats,
    kept: int, keep_out: Floats,
) -> tuple[int, int]:  # fmt: skip
    """So many steps: (status, steps done).

    `calls_in` holds CALLS, `ledger_io` a LEDGER. `keep_out` (n, nq + nv) gets the states before the
    last n steps, in turn, `kept` of them being there already; a step that fails leaves state,
    drives and ledger as they were before it.
    """
    calls, ledger = header(calls_in, CALLS), header(ledger_io, LEDGER)
    at = header(model, MODEL).stepping
    before = records(work, at.drives, DRIVE)
    flow_before = records(work, at.flow_before, POWER)[0]
    nq, nv, rows = q_io.shape[0], v_io.shape[0], drives_io.shape[0]
    for n in range(steps):
        row = (kept + n) % keep_out.shape[0]
        for i in range(nq):
            keep_out[row, i] = q_io[i]
        for i in range(nv):
            keep_out[row, nq + i] = v_io[i]
        for r in range(rows):
            before[r] = drives_io[r]
        copy_flow(ledger.flow, flow_before)
        stops = ledger.stops
        status = step(calls, model, method, h, q_io, v_io, drives_io, pulls_in, work, ledger)
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
                drives_io[r] = before[r]
            copy_flow(flow_before, ledger.flow)
            ledger.stops = stops
            return status, n
    return OK, steps
