"""Kernels of motion: drives and end stops around the steps, and the ledger of energy.

A drive that guides is a row of its own, its scalar at the place where the step shall end. A stop is
such a row, too, for as long as it has to push: a step that would end beyond a stop ends at it, and
the projection of velocities takes the speed away, in the metric of the masses, which is the
inelastic impact. What holds is found by trying: where a stop would have to pull it lets go, where a
motor needs more than its largest torque it pushes with that, and the step is made again.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation.kernels import (
    DRIVE,
    DrivenBy,
    drives_that_guide,
    give_way,
    guide,
    leave_stop,
    rests,
)
from ...dynamics.kernels import PULL, DynamicsStatus, copy, failed
from ...jit import (
    VECTOR,
    WHOLE,
    Record,
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
from ...spatial.kernels import dot3, three
from .forces import kinetic, point_of, pushed, resistance, spin_of, stored, stretched
from .newton import NOT_CONVERGED, OK, accept, begin, project, renew, solve_step
from .reading import read_tree
from .records import (
    AUGMENTED,
    AUGMENTED_STATE,
    DRIVEN_SCALAR,
    NATURAL_BODY,
    NATURAL_ROW,
    NATURAL_SPRING,
    ROW_NOW,
    SCALAR_LOSS,
    TERM,
    AtStop,
    NaturalRowKind,
)

Floats = NDArray[np.float64]

PUSHED, GUIDED = (driven.value for driven in DrivenBy)
NOT_FINITE = DynamicsStatus.NOT_FINITE.value
TOO_MANY_IMPACTS = DynamicsStatus.TOO_MANY_IMPACTS.value
GUIDE = NaturalRowKind.GUIDE.value
STAYED, LIFTED, HIT = (each.value for each in AtStop)
TRIES = 64  # most in one step
MOST_PARTS = 8  # of a step that does not converge
STEADY = 8  # tries after which no stop lets go any more
TOUCH = 1e-12  # [m, rad] by which a row may be past its stop
MISSED = 1e-9  # [m, rad] and by which one may that is guided
HELD = 1e9  # what is kept of a drive that guides, with its acceleration: more than any force


@entry(VECTOR, VECTOR, VECTOR)
@kernel
def start(model: Floats, state: Floats, work: Floats) -> int:
    """Bring a state that was put in to its constraints; guides are asleep."""
    head = header(model, AUGMENTED)
    rows, now = records(model, head.rows, NATURAL_ROW), records(work, head.work.rows, ROW_NOW)
    for i in range(rows.shape[0]):
        now[i].live = 0 if rows[i].kind == GUIDE else 1
    return begin(model, state, work)


# ----------------------------------------------------------------------------------------- drives


@inlined_kernel
def guide_rows(model: Floats, state: Floats, drives_io: Records) -> None:
    """What drives every scalar in this step."""
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    q, v = numbers(state, moment.q), numbers(state, moment.v)
    driven = records(model, head.drives, DRIVEN_SCALAR)
    for r in range(driven.shape[0]):
        guide(q[driven[r].place], v[driven[r].place], r, head.step, drives_io)


@kernel
def lift_stops(model: Floats, drives_io: Records, work: Floats) -> None:
    """Let all rows go that rest, if a drive guides that may move them by way of the loops.

    Whether it lifts them off their stops or presses them on is seen when it has moved them.
    """
    head = header(model, AUGMENTED)
    lifted = indices(work, head.work.lifted)
    guiding = drives_that_guide(drives_io) > 0 and head.tied == 1
    for r in range(lifted.shape[0]):
        lifted[r] = STAYED
        if guiding and rests(r, drives_io):
            leave_stop(r, drives_io)
            lifted[r] = LIFTED


@inlined_kernel
def stop_place(drive: Record, before: float) -> float:
    """Where the stop holds a row that begins a step there: one that is beyond it stays there."""
    if drive.stop > 0.0:
        return float(max(drive.upper, before))
    return float(min(drive.lower, before))


@kernel
def set_guides(model: Floats, state: Floats, drives_io: Records, work: Floats) -> None:
    """Rows that guide: which take part, where they shall end, how fast and with what change."""
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    q, v, h = numbers(state, moment.q), numbers(state, moment.v), head.step
    rows, now = records(model, head.rows, NATURAL_ROW), records(work, head.work.rows, ROW_NOW)
    driven = records(model, head.drives, DRIVEN_SCALAR)
    for i in range(rows.shape[0]):
        now[i].live = 1
        now[i].forced, now[i].turned = 0.0, 0.0
    for r in range(driven.shape[0]):
        drive, here, at = drives_io[r], now[driven[r].row], driven[r].place
        here.live = 1 if drive.now == GUIDED else 0
        if drive.now != GUIDED:
            continue
        if drive.stop != 0.0:
            here.aim = stop_place(drive, q[at])
            drive.aim, drive.aim_rate = here.aim, 0.0
            continue
        here.aim = q[at] + h * (v[at] + 0.5 * h * drive.pull)
        here.forced, here.turned = -(v[at] + h * drive.pull), -drive.pull
        drive.aim, drive.aim_rate = here.aim, -here.forced


@inlined_kernel
def told(drive: Record) -> float:
    """One number for how a drive acts: another one if it acts otherwise."""
    if drive.now == PUSHED:
        return float(drive.pull)
    if drive.stop != 0.0:
        return math.copysign(HELD * HELD, drive.stop) + HELD * pushed(drive)
    return float(HELD + drive.pull)


@inlined_kernel
def acts_otherwise(state: Floats, drives_in: Records) -> bool:
    """Whether any drive acts otherwise than in the step before, or something else has changed."""
    moment = header(state, AUGMENTED_STATE)
    acting, changed = numbers(state, moment.acting), bool(moment.stale)
    for r in range(drives_in.shape[0]):
        now = told(drives_in[r])
        changed = changed or acting[r] != now
        acting[r] = now
    moment.stale = 0
    return changed


# ----------------------------------------------------------------------------------------- a step


@inlined_kernel
def past_stop(drive: Record, before: float, after: float) -> float:
    """1 or -1 if a step ends beyond the upper or lower stop, else 0.

    One that begins beyond its stop passes it only if it goes farther. A row that is guided ends
    before its stop, unless it was too fast when its drive took over.
    """
    touch = MISSED if drive.now == GUIDED else TOUCH
    if after > max(drive.upper, before) + touch:
        return 1.0
    if after < min(drive.lower, before) - touch:
        return -1.0
    return 0.0


@kernel
def look_at_drives(
    model: Floats, state: Floats, steady: bool, drives_io: Records, work: Floats
) -> tuple[bool, bool]:
    """After a try: whether drives or stops hold otherwise than in it, and whether one was hit.

    First all that went past their stops are held; then the one is let go whose stop would have to
    pull the most; then motors that would need too much give way.
    """
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    q0, q = numbers(state, moment.q), numbers(work, head.work.q)
    reactions = numbers(work, head.work.reactions)
    driven, lifted = records(model, head.drives, DRIVEN_SCALAR), indices(work, head.work.lifted)
    again, hit, worst, which, limited = False, False, 0.0, -1, False
    for r in range(driven.shape[0]):
        drive, at, force = drives_io[r], driven[r].place, -reactions[driven[r].row]
        side = past_stop(drive, q0[at], q[at])
        if drive.now == PUSHED or (drive.stop == 0.0 and side != 0.0):
            if side != 0.0:
                drive.stop, drive.now, drive.pull, again = side, GUIDED, 0.0, True
                hit = hit or lifted[r] == STAYED
                lifted[r] = HIT
        elif rests(r, drives_io):
            if lifted[r] == STAYED and drive.stop * force > worst:
                worst, which = drive.stop * force, r
        elif drive.stop == 0.0 and abs(force) > drive.most_force:
            drive.now, drive.pull, limited = PUSHED, math.copysign(drive.most_force, force), True
    if again:
        return True, hit
    if which >= 0 and not steady:
        leave_stop(which, drives_io)
        lifted[which] = LIFTED
        return True, False
    return limited, False


@inlined_kernel
def yield_to_stops(drives_io: Records) -> bool:
    """End the guiding of all drives where a stop holds what they would move; False if none does."""
    resting, found = False, False
    for r in range(drives_io.shape[0]):
        resting = resting or (drives_io[r].stop != 0.0 and drives_io[r].now == GUIDED)
    for r in range(drives_io.shape[0]):
        if resting and drives_io[r].now == GUIDED and drives_io[r].stop == 0.0:
            give_way(r, drives_io)
            found = True
    return found


@kernel
def step(model: Floats, pulls_in: Records, state: Floats, drives_io: Records, work: Floats) -> int:
    """One step with drives and stops."""
    moment = header(state, AUGMENTED_STATE)
    struck, turns, status = False, 0, OK
    guide_rows(model, state, drives_io)
    lift_stops(model, drives_io, work)
    for attempt in range(TRIES):
        set_guides(model, state, drives_io, work)
        if not struck and acts_otherwise(state, drives_io):
            status = renew(model, drives_io, pulls_in, state, work)
            if status == NOT_CONVERGED and yield_to_stops(drives_io):
                continue
            if status not in (OK, NOT_CONVERGED):
                return status
        status, made = solve_step(model, drives_io, pulls_in, state, work)
        turns += made
        if status == NOT_CONVERGED and yield_to_stops(drives_io):
            continue
        if status == OK:
            status = project(model, state, work)
        if status != OK:
            return status
        again, hit = look_at_drives(model, state, attempt > STEADY, drives_io, work)
        struck = struck or hit
        if not again:
            end_step(model, pulls_in, struck, state, drives_io, work)
            moment.run.iterations = turns
            moment.run.iterated += turns
            return OK
    return TOO_MANY_IMPACTS


@kernel
def end_step(
    model: Floats, pulls_in: Records, struck: bool, state: Floats, drives_io: Records, work: Floats
) -> None:
    """Book what was done, tell the drives their reactions, and take over the end of the step.

    In a step that strikes a stop, what is missing of the energy is what the stop took.
    """
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    q0, v0 = numbers(state, moment.q), numbers(state, moment.v)
    q, v = numbers(work, head.work.q), numbers(work, head.work.v)
    done = book(model, pulls_in, state, drives_io, work)
    if struck:
        lifted, tense = stored(model, q)
        lifted_0, tense_0 = stored(model, q0)
        gained = kinetic(model, v) - kinetic(model, v0) + lifted - lifted_0 + tense - tense_0
        moment.run.work.stops += gained - done
        moment.stale = 1
    driven = records(model, head.drives, DRIVEN_SCALAR)
    reactions = numbers(work, head.work.reactions)
    for r in range(driven.shape[0]):
        drives_io[r].reaction = 0.0
        if drives_io[r].now == GUIDED:
            drives_io[r].reaction = pushed_on(drives_io[r]) - reactions[driven[r].row]
            if drives_io[r].stop != 0.0:
                v[driven[r].place] = 0.0  # but for rounding it is
    accept(model, state, work)
    read_tree(model, state, work, numbers(state, moment.tree_q), numbers(work, head.work.tree_v))


@inlined_kernel
def pushed_on(drive: Record) -> float:
    """What a drive pushes with while its row is held at a stop."""
    return pushed(drive) if drive.stop != 0.0 else 0.0


@kernel
def book(
    model: Floats, pulls_in: Records, state: Floats, drives_in: Records, work: Floats
) -> float:
    """Work of drives, dampers and pulls in a step, by the trapezoidal rule; their sum."""
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    q0, v0, h = numbers(state, moment.q), numbers(state, moment.v), head.step
    q, v = numbers(work, head.work.q), numbers(work, head.work.v)
    before, after = numbers(state, moment.reactions), numbers(work, head.work.reactions)
    driven = records(model, head.drives, DRIVEN_SCALAR)
    given, lost, pulled = 0.0, 0.0, 0.0
    for r in range(driven.shape[0]):
        at, row = driven[r].place, driven[r].row
        force = pushed(drives_in[r])
        if drives_in[r].now == GUIDED and drives_in[r].stop == 0.0:
            force = -0.5 * (before[row] + after[row])
        given += force * (q[at] - q0[at])
    losses = records(model, head.losses, SCALAR_LOSS)
    for n in range(losses.shape[0]):
        at = losses[n].place
        force = 0.5 * (resistance(losses[n], v0[at]) + resistance(losses[n], v[at]))
        lost += force * (q[at] - q0[at])
    springs, terms = records(model, head.springs, NATURAL_SPRING), records(model, head.terms, TERM)
    for n in range(springs.shape[0]):
        _, length_0, rate_0 = stretched(springs[n], terms, q0, v0)
        _, length, rate = stretched(springs[n], terms, q, v)
        lost -= 0.5 * springs[n].damping * (rate_0 + rate) * (length - length_0)
    bodies = records(model, head.bodies, NATURAL_BODY)
    for n in range(pulls_in.shape[0]):
        pull, body = pulls_in[n], bodies[pulls_in[n].freedom]
        p0, p = point_of(body, pull.point, q0), point_of(body, pull.point, q)
        w0, w = spin_of(body, q0, v0), spin_of(body, q, v)
        moved = (p[0] - p0[0], p[1] - p0[1], p[2] - p0[2])
        turned = (w[0] + w0[0], w[1] + w0[1], w[2] + w0[2])
        pulled += dot3(three(pull.force), moved) + 0.5 * h * dot3(three(pull.moment), turned)
    ledger = moment.run.work
    ledger.drives += given
    ledger.dampers += lost
    ledger.pulls += pulled
    return given + lost + pulled


@kernel
def step_in_parts(
    model: Floats, pulls_in: Records, state: Floats, drives_io: Records, work: Floats
) -> int:
    """One step; where it does not converge, in twice as many parts, and again."""
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    begun, stops, h = numbers(work, head.work.begun), numbers(work, head.work.stops), head.step
    copy(state, begun)
    for r in range(drives_io.shape[0]):
        stops[r] = drives_io[r].stop
    parts = 1
    while True:
        head.step, status = h / parts, OK
        for _ in range(parts):
            if status == OK:
                status = step(model, pulls_in, state, drives_io, work)
        head.step = h
        if status != NOT_CONVERGED or parts == MOST_PARTS:
            return status
        wrong = moment.wrong
        copy(begun, state)
        moment.wrong = wrong
        for r in range(drives_io.shape[0]):
            drives_io[r].stop = stops[r]
        parts *= 2


@entry(VECTOR, array_of(PULL), WHOLE, VECTOR, array_of(DRIVE), VECTOR)
@kernel
def run(
    model: Floats, pulls_in: Records, steps: int, state: Floats, drives_io: Records, work: Floats
) -> int:
    """So many steps; OK, or the status of one that fails."""
    moment = header(state, AUGMENTED_STATE)
    for _ in range(steps):
        status = step_in_parts(model, pulls_in, state, drives_io, work)
        if status != OK:
            return failed(status, moment.wrong)
        moment.run.steps += 1
    return OK
