"""Kernels of a machine in a step with contacts: drives and stops, rows of its links, its new place.

A step begins as any other, with what commands make of the drives. Then, all contacts being solved,
it is looked at what the drives and stops have to bear: a drive that would need more than its
largest force pushes with that, a stop that would have to pull lets go, a row that would pass its
stop is held there; and the contacts are solved again. End stops are inelastic, as everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ...actuation.kernels import DRIVE, DriveMode, DrivenBy, give_way, leave_stop, rests
from ...jit import (
    WHOLE,
    Record,
    Records,
    all_records,
    caller,
    header,
    inlined_kernel,
    kernel,
    numbers,
    records,
)
from ...mechanism import Floats
from ..forces import add_positions
from ..linear import add_scaled, copy
from ..motion import stepping
from ..motion.calls import CALLS, MotionParts, evaluate, project
from ..motion.stepping import aim, look
from ..motion.touch_calls import TOUCH_CALLS, change_by, hold, lose, react, respond
from ..records import MODEL, MOTION_STATE, POWER, PULL, ROW_STATE
from ..status import DEAD_CENTRE, OK, STATUSES
from .placing import array

DECIDE = WHOLE(*stepping.decide_step.entry_types)  # type: ignore[attr-defined]
decide_step: Callable[..., int] = caller(DECIDE)
FORCE, PUSHED, GUIDED = DriveMode.FORCE.value, DrivenBy.PUSHED.value, DrivenBy.GUIDED.value
ROUNDING = 1e-9  # of the largest force of a row


@inlined_kernel
def drives_of(machine: Record) -> Records:
    """DRIVE records of a machine."""
    return all_records(array(machine.drives), DRIVE)


@inlined_kernel
def pulls_of(machine: Record) -> Records:
    """PULL records of a machine."""
    return all_records(array(machine.pulls), PULL)


@inlined_kernel
def begin_machine(machine: Record, h: float) -> int:
    """What commands make of the drives in this step."""
    own = header(array(machine.touch_calls), TOUCH_CALLS)
    return decide_step(
        own.decide, array(machine.calls), array(machine.model), h, array(machine.state),
        array(machine.drives), array(machine.pulls), array(machine.work),
    )  # fmt: skip


@kernel
def go_freely(machine: Record, h: float, v_out: Floats) -> int:
    """Velocities where the step ends without contacts.

    A drive that a stop holds by way of the loops gives way.
    """
    model, work, state = array(machine.model), array(machine.work), array(machine.state)
    drives, pulls = drives_of(machine), pulls_of(machine)
    at, own = header(state, MOTION_STATE), header(array(machine.touch_calls), TOUCH_CALLS)
    q, v, scratch = numbers(state, at.q), numbers(state, at.v), header(model, MODEL).stepping
    vdot, power = numbers(work, scratch.vdot), records(work, scratch.power, POWER)[0]
    calls, status = header(array(machine.calls), CALLS), OK
    header(model, MODEL).factored, header(model, MODEL).ahead = 1, h
    for _ in range(1 + drives.shape[0]):
        status = evaluate(calls.evaluate, model, q, v, drives, pulls, work, vdot, power)
        if status % STATUSES != DEAD_CENTRE or not any_stop(drives):
            break
        give_way(status // STATUSES, drives)
    header(model, MODEL).factored, header(model, MODEL).ahead = 0, 0.0
    if status != OK:
        return status
    hold(own.hold, model, drives, work)
    copy(v, v_out)
    add_scaled(h, vdot, v_out)
    return OK


@inlined_kernel
def any_stop(drives_in: Records) -> bool:
    """Whether any row is at a stop."""
    found = False
    for r in range(drives_in.shape[0]):
        found = found or drives_in[r].stop != 0.0
    return found


@kernel
def machine_rows(
    machine: Record, h: float, freedom: int, one: Record, sign: float, point: Floats,
    there: Floats, free: Floats, rows_out: Floats, held_out: Floats, free_out: Floats,
) -> None:  # fmt: skip
    """Rows of a contact by a machine's velocities, what of them is held, and its free velocity.

    `sign` is 1 for its first body and -1 for its second; `point` (3,), `there` (3, 3) and `free`
    (3,) are scratch memory for the place and axes of the contact in those of the machine's tree.
    """
    model, work = array(machine.model), array(machine.work)
    own = header(array(machine.touch_calls), TOUCH_CALLS)
    X, p, axes = machine.X_WO, one.touch.point, one.axes
    for i in range(3):
        point[i] = 0.0
        for k in range(3):
            point[i] += X[k, i] * (p[k] - X[k, 3])
            there[k, i] = X[0, i] * axes[k, 0] + X[1, i] * axes[k, 1] + X[2, i] * axes[k, 2]
    state = array(machine.state)
    v = numbers(state, header(state, MOTION_STATE).v)
    respond(own.respond, model, h, v, freedom, point, there, work, rows_out, held_out, free)
    for k in range(3):
        free_out[k] = sign * free[k]
        for i in range(rows_out.shape[1]):
            rows_out[k, i] *= sign
        for i in range(held_out.shape[1]):
            held_out[k, i] *= sign


@kernel
def end_velocities(machine: Record, h: float, z_in: Floats, held: Floats, v_io: Floats) -> None:
    """Velocities where the step ends, from those without contacts; and what drives bear then.

    `held` is what of the contacts' impulses loops and guided rows bear.
    """
    model, work = array(machine.model), array(machine.work)
    own = header(array(machine.touch_calls), TOUCH_CALLS)
    change = numbers(work, header(model, MODEL).stepping.change)
    change_by(own.change, model, z_in, work, change)
    add_scaled(1.0, change, v_io)
    react(own.react, model, h, held, work, drives_of(machine))


@kernel
def look_at_drives(machine: Record, h: float, v_in: Floats) -> bool:
    """Whether drives and stops bear what they have to; those that do not are changed."""
    model, work, state = array(machine.model), array(machine.work), array(machine.state)
    drives, at, now = drives_of(machine), header(model, MODEL).stepping, header(state, MOTION_STATE)
    if drives.shape[0] == 0:
        return True
    begun, ended = records(work, at.begun, ROW_STATE), records(work, at.ended, ROW_STATE)
    motion = MotionParts(
        header(array(machine.calls), CALLS), model, drives, pulls_of(machine), work
    )
    look(motion, numbers(state, now.q), numbers(state, now.v), begun)
    look(motion, numbers(state, now.q), v_in, ended)
    largest, fine = 0.0, True
    for r in range(drives.shape[0]):
        largest = max(largest, abs(drives[r].reaction))
    for r in range(drives.shape[0]):
        if rests(r, drives):
            fine = not lets_go(r, drives, ROUNDING * largest) and fine
        elif drives[r].now == GUIDED:
            fine = not yields(r, drives) and fine
        else:
            fine = not meets_stop(begun[r], ended[r], h, drives[r]) and fine
    return fine


@inlined_kernel
def lets_go(row: int, drives_io: Records, rounding: float) -> bool:
    """Whether a stop would have to pull; the row is let go then."""
    drive = drives_io[row]
    pushed = drive.value if drive.mode == FORCE else 0.0
    if drive.stop * (drive.reaction - pushed) > rounding:
        leave_stop(row, drives_io)
        return True
    return False


@inlined_kernel
def yields(row: int, drives_io: Records) -> bool:
    """Whether a drive would need more than its largest force; it pushes with that then."""
    drive = drives_io[row]
    if drive.stop == 0.0 and abs(drive.reaction) > drive.most_force * (1.0 + ROUNDING):
        drive.now, drive.pull = PUSHED, math.copysign(drive.most_force, drive.reaction)
        return True
    return False


@inlined_kernel
def meets_stop(begun: Record, ended: Record, h: float, drive_io: Record) -> bool:
    """Whether a row would pass its stop; the step ends there then."""
    end = begun.position + h * ended.rate
    side = 1.0 if end > drive_io.upper else (-1.0 if end < drive_io.lower else 0.0)
    stop = drive_io.upper if side > 0.0 else drive_io.lower
    beyond = side * (begun.position - stop)
    if side == 0.0 or (beyond > 0.0 and side * ended.rate <= 0.0):
        return False
    rate = (stop - begun.position) / h if beyond <= 0.0 else 0.0
    drive_io.stop, drive_io.now, drive_io.pull = side, GUIDED, (rate - begun.rate) / h
    return True


@kernel
def move_machine(machine: Record, h: float, v_in: Floats, z_in: Floats, taken: float) -> int:
    """Go on with the velocities where the step ends, and book what was done.

    `taken` is what contacts did to the machine [J]. Works are forces times the way, h v1; the
    kinetic energy changes by as much, less |L^T (v1 - v0)|^2 / 2, which the step loses.
    """
    model, work, state = array(machine.model), array(machine.work), array(machine.state)
    drives, moment, head = drives_of(machine), header(state, MOTION_STATE), header(model, MODEL)
    q, v, book = numbers(state, moment.q), numbers(state, moment.v), moment.run.work
    at, change = head.stepping, numbers(work, head.stepping.change)
    power = records(work, at.power, POWER)[0]
    book.dampers += h * power.dampers
    book.pulls += h * power.pulls
    book.contacts += taken
    if drives.shape[0] > 0:
        ended = records(work, at.ended, ROW_STATE)
        aim(h, records(work, at.begun, ROW_STATE), drives)
        for r in range(drives.shape[0]):
            force = drives[r].reaction if drives[r].now == GUIDED else drives[r].pull
            book.drives += h * force * ended[r].rate
    own = header(array(machine.touch_calls), TOUCH_CALLS)
    book.numerical -= lose(own.lose, model, h, v, z_in, work)
    for i in range(v.shape[0]):
        change[i] = h * v_in[i]
    add_positions(model, change, q)
    copy(v_in, v)
    moment.run.steps += 1
    if not head.projects:
        return OK
    return project(header(array(machine.calls), CALLS).project, model, q, v, drives, work)
