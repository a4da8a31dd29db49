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
    all_records,
    entry,
    header,
    inlined_kernel,
    kernel,
    numbers,
    part,
    records,
)
from ...mechanism import Floats
from ..linear import all_finite, copy, inner, zero
from ..records import MODEL, MOTION_STATE, POWER, PULL, ROW_STATE
from ..status import NOT_FINITE, OK, TOO_MANY_IMPACTS
from .calls import CALLS, MotionParts, arrest, read_rows
from .integrators import accelerate, plain_step

FORCE, PUSHED, GUIDED = DriveMode.FORCE.value, DrivenBy.PUSHED.value, DrivenBy.GUIDED.value
IMPACTS = 64  # most in one step
# impacts in one step after which stops hold: a row that leaves its stop while another one comes may
# fall back and make that one leave, in ever shorter turns
CHATTER = 8
TOUCH = 1e-9  # [m, rad] by which a guided row may miss its stop
CONTACT = 1e-13  # of a part of a step: how well the moment of a contact is found


# ------------------------------------------------------------------------------------ whole steps


@entry(VECTOR, VECTOR, WHOLE, NUMBER, WHOLE, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX)
@kernel
def run(
    calls_in: Floats, model: Floats, method: int, h: float, steps: int, state: Floats,
    drives_io: Floats, pulls_in: Floats, work: Floats, kept_out: Floats,
) -> int:  # fmt: skip
    """So many steps; what a step that fails leaves behind is to be thrown away.

    `calls_in` holds CALLS, `state` begins with MOTION_STATE, `drives_io` and `pulls_in` are DRIVE
    and PULL records. `kept_out` (n, nq + nv) gets the states before the last n steps, by the step's
    number modulo n.
    """
    moment = header(state, MOTION_STATE)
    q, v, done = numbers(state, moment.q), numbers(state, moment.v), moment.run
    drives, pulls = all_records(drives_io, DRIVE), all_records(pulls_in, PULL)
    motion = MotionParts(header(calls_in, CALLS), model, drives, pulls, work)
    nq, nv = q.shape[0], v.shape[0]
    for _ in range(steps):
        kept = kept_out[done.steps % kept_out.shape[0]]
        copy(q, part(kept, 0, nq))
        copy(v, part(kept, nq, nv))
        status = step(motion, method, h, q, v, done.work)
        if status == OK and not (all_finite(q) and math.isfinite(inner(v, v))):
            status = NOT_FINITE
        if status != OK:
            return status
        done.steps += 1
    return OK


@entry(VECTOR, VECTOR, NUMBER, VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def decide_step(
    calls_in: Floats, model: Floats, h: float, state: Floats, drives_io: Floats, pulls_in: Floats,
    work: Floats,
) -> int:  # fmt: skip
    """`decide` at a state, for steps that are made elsewhere."""
    moment = header(state, MOTION_STATE)
    drives, pulls = all_records(drives_io, DRIVE), all_records(pulls_in, PULL)
    if drives.shape[0] == 0:
        return OK
    motion = MotionParts(header(calls_in, CALLS), model, drives, pulls, work)
    return decide(motion, h, numbers(state, moment.q), numbers(state, moment.v))


@kernel
def step(
    motion: MotionParts, method: int, h: float, q_io: Floats, v_io: Floats, ledger_io: Record
) -> int:
    """One step with drives and stops: from one contact to the next, with an impact at each."""
    if motion.drives.shape[0] == 0:
        return book(motion, go(motion, method, h, q_io, v_io), ledger_io)
    status, left = decide(motion, h, q_io, v_io), h
    for impact in range(IMPACTS):
        if status == OK:
            status = release(motion, q_io, v_io)
        if status != OK:
            return status
        status, share = go_to_contact(motion, method, left, impact == 0, q_io, v_io)
        status = book(motion, status, ledger_io)
        if status != OK or share == 1.0:
            return status
        status = stop_rows(motion, impact >= CHATTER, q_io, v_io, ledger_io)
        left *= 1.0 - share
        if status != OK or left <= 1e-12 * h:
            return status
    return TOO_MANY_IMPACTS


@kernel
def go(motion: MotionParts, method: int, h: float, q_io: Floats, v_io: Floats) -> int:
    """Go on for h seconds, stops left aside; what flowed in stands in `STEPPING.flow` then."""
    flow = records(motion.work, header(motion.model, MODEL).stepping.flow, POWER)[0]
    flow.drives, flow.dampers, flow.pulls = 0.0, 0.0, 0.0
    return plain_step(motion, method, h, q_io, v_io, flow) if h > 0.0 else OK


@inlined_kernel
def book(motion: MotionParts, status: int, ledger_io: Record) -> int:
    """Add to the ledger what flowed in a part of a step that was made; its status."""
    flow = records(motion.work, header(motion.model, MODEL).stepping.flow, POWER)[0]
    if status == OK:
        ledger_io.drives += flow.drives
        ledger_io.dampers += flow.dampers
        ledger_io.pulls += flow.pulls
    return status


@inlined_kernel
def look(motion: MotionParts, q_in: Floats, v_in: Floats, rows_out: Records) -> int:
    """Positions and rates of all rows."""
    calls, model = motion.calls, motion.model
    return read_rows(calls.read_rows, model, q_in, v_in, motion.work, rows_out)


# ------------------------------------------------------------------------------- before it begins


@kernel
def decide(motion: MotionParts, h: float, q_in: Floats, v_io: Floats) -> int:
    """What drives every row in this step."""
    head, work, drives = header(motion.model, MODEL), motion.work, motion.drives
    begun = records(work, head.stepping.begun, ROW_STATE)
    zero(numbers(work, head.stepping.lifted))
    zero(numbers(work, head.stepping.pressed))
    status = look(motion, q_in, v_io, begun)
    if status != OK:
        return status
    for r in range(drives.shape[0]):
        guide(begun[r].position, begun[r].rate, r, h, drives)
    if head.tied:
        status = lift_stops(motion, h, q_in, v_io)
    return limit_torques(motion, q_in, v_io) if status == OK else status


@kernel
def lift_stops(motion: MotionParts, h: float, q_in: Floats, v_io: Floats) -> int:
    """Let all rows go that rest, if a drive is to move what they hold by way of the loops.

    Whether it lifts them off their stops or presses them on is seen when it has moved them. Those
    that were let go are `lifted`.
    """
    at, work, drives = header(motion.model, MODEL).stepping, motion.work, motion.drives
    v_work, mask = numbers(work, at.v_begun), numbers(work, at.mask)
    lifted, begun = numbers(work, at.lifted), records(work, at.begun, ROW_STATE)
    resting, guiding = False, drives_that_guide(drives)
    for r in range(drives.shape[0]):
        resting = resting or rests(r, drives)
    if not resting or guiding == 0:
        return OK
    zero(mask)
    copy(v_io, v_work)
    status, _, _ = arrest(motion.calls.arrest, motion.model, q_in, v_io, mask, drives, True, work)
    copy(v_work, v_io)
    if status != OK or drives_that_guide(drives) == guiding:
        return status
    for r in range(drives.shape[0]):  # as it was before the question
        guide(begun[r].position, begun[r].rate, r, h, drives)
        if rests(r, drives):
            lifted[r] = 1.0
            leave_stop(r, drives)
    return OK


@kernel
def set_reactions(motion: MotionParts, q_in: Floats, v_in: Floats) -> int:
    """What drives and stops have to do along every row that is guided."""
    at, work = header(motion.model, MODEL).stepping, motion.work
    vdot, power = numbers(work, at.vdot), records(work, at.power, POWER)[0]
    return accelerate(motion, q_in, v_in, vdot, power)


@kernel
def limit_torques(motion: MotionParts, q_in: Floats, v_in: Floats) -> int:
    """Motors that would need more than their largest torque push with that instead.

    One that is clipped leaves more to the others, so that these are looked at again.
    """
    drives, clipped = motion.drives, True
    while clipped:
        limited, clipped = False, False
        for r in range(drives.shape[0]):
            limited = limited or (drives[r].now == GUIDED and drives[r].most_force < math.inf)
        if not limited:
            return OK
        status = set_reactions(motion, q_in, v_in)
        if status != OK:
            return status
        for r in range(drives.shape[0]):
            drive = drives[r]
            if drive.now == GUIDED and drive.stop == 0.0 and abs(drive.reaction) > drive.most_force:
                drive.now, drive.pull = PUSHED, math.copysign(drive.most_force, drive.reaction)
                clipped = True
    return OK


@kernel
def release(motion: MotionParts, q_in: Floats, v_in: Floats) -> int:
    """Let rows go whose stop would have to pull: one after the other, the strongest first.

    Those that a drive presses against their stops stay there.
    """
    drives, which = motion.drives, 0
    pressed = numbers(motion.work, header(motion.model, MODEL).stepping.pressed)
    while which >= 0:
        resting = False
        for r in range(drives.shape[0]):
            resting = resting or (rests(r, drives) and pressed[r] == 0.0)
        if not resting:
            return OK
        status = set_reactions(motion, q_in, v_in)
        if status != OK:
            return status
        worst, which = 0.0, -1
        for r in range(drives.shape[0]):
            drive = drives[r]
            if not rests(r, drives) or pressed[r] != 0.0:
                continue
            pushed = drive.value if drive.mode == FORCE else 0.0
            pull = drive.stop * (drive.reaction - pushed)
            if pull > worst:
                worst, which = pull, r
        if which >= 0:
            leave_stop(which, drives)
    return OK


# ---------------------------------------------------------------------------------------- contact


@kernel
def go_to_contact(
    motion: MotionParts, method: int, left: float, first: bool, q_io: Floats, v_io: Floats
) -> tuple[int, float]:
    """Go on for `left` seconds or to the first contact with a stop: (status, share of the way).

    Where the whole way passes a stop, parts of it are tried, down to the first contact; the mask
    tells then which rows touch. `first`: nothing of the step has been gone.
    """
    at, work, drives = header(motion.model, MODEL).stepping, motion.work, motion.drives
    begun, ended = records(work, at.begun, ROW_STATE), records(work, at.ended, ROW_STATE)
    mask, lifted = numbers(work, at.mask), numbers(work, at.lifted)
    zero(mask)
    copy(q_io, numbers(work, at.q_begun))
    copy(v_io, numbers(work, at.v_begun))
    status = look(motion, q_io, v_io, begun)
    if status != OK:
        return status, 0.0
    low, high, failure = 0.0, 1.0, try_part(motion, method, left, q_io, v_io)
    if failure == OK and not overrun(drives, ended, begun, mask):
        return OK, 1.0
    if failure == OK and first and any_of(mask, lifted):
        high = 0.0  # pressed on from the beginning
    while high - low >= CONTACT:
        share = 0.5 * (low + high)
        status = try_part(motion, method, share * left, q_io, v_io)
        if status != OK:
            failure, high = status, share
        elif overrun(drives, ended, begun, mask):
            high = share
        else:
            low = share
    status = try_part(motion, method, low * left, q_io, v_io)
    if status != OK:
        return status, low
    hit = high == 0.0 or touching(drives, ended, begun, 2.0 * (high - low) * left, mask)
    # a row may be past its stop and come back, by the integrator's error: it goes on from there
    if not hit and (failure != OK or low == 0.0):
        return (failure if failure != OK else TOO_MANY_IMPACTS), low
    return OK, low


@kernel
def try_part(motion: MotionParts, method: int, h: float, q_io: Floats, v_io: Floats) -> int:
    """Go on for h seconds from where a part of a step begins, and look where the rows are then."""
    at, work = header(motion.model, MODEL).stepping, motion.work
    copy(numbers(work, at.q_begun), q_io)
    copy(numbers(work, at.v_begun), v_io)
    aim(h, records(work, at.begun, ROW_STATE), motion.drives)
    status = go(motion, method, h, q_io, v_io)
    return status if status != OK else look(motion, q_io, v_io, records(work, at.ended, ROW_STATE))


@inlined_kernel
def aim(h: float, rows_in: Records, drives_io: Records) -> None:
    """Where guided rows should be after h seconds, and how fast."""
    for r in range(drives_io.shape[0]):
        position, rate, pull = rows_in[r].position, rows_in[r].rate, drives_io[r].pull
        drives_io[r].aim = position + h * (rate + 0.5 * h * pull)
        drives_io[r].aim_rate = rate + h * pull


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
def any_of(mask_in: Floats, chosen_in: Floats) -> bool:
    """Whether any of the chosen rows has a mask."""
    found = False
    for r in range(mask_in.shape[0]):
        found = found or (mask_in[r] != 0.0 and chosen_in[r] != 0.0)
    return found


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


@kernel
def stop_rows(
    motion: MotionParts, hold: bool, q_in: Floats, v_io: Floats, ledger_io: Record
) -> int:
    """The impact of the rows that the mask tells of; they rest against their stops then.

    Where a drive gave way to a stop, it presses on it for the rest of the step.
    """
    at, work, drives = header(motion.model, MODEL).stepping, motion.work, motion.drives
    mask, pressed = numbers(work, at.mask), numbers(work, at.pressed)
    guiding = drives_that_guide(drives)
    status, lost, done = arrest(
        motion.calls.arrest, motion.model, q_in, v_io, mask, drives, hold, work
    )
    if status != OK:
        return status
    ledger_io.stops -= lost
    ledger_io.drives += done
    gave_way = drives_that_guide(drives) < guiding
    for r in range(drives.shape[0]):
        if mask[r] != 0.0:
            if gave_way:
                pressed[r] = 1.0
            drives[r].stop, drives[r].now, drives[r].pull = mask[r], GUIDED, 0.0
    return OK
