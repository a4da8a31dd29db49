"""Kernels that turn commands into forces and rows, and end stops into rows."""

from __future__ import annotations

import math

from ...actuation.kernels import DriveMode, DrivenBy
from ...jit import Record, Records, inlined_kernel, kernel
from ...mechanism import Floats
from .lines import PSEUDO, VELOCITIES

FLOATING, FORCE, SPEED, LENGTH, LOCKED = (mode.value for mode in DriveMode)
PUSHED, GUIDED = (driven.value for driven in DrivenBy)
NEARLY = 1.0 + 1e-9  # of the way to a stop: what goes further than that runs into it
NEAR = 2.0  # of how far a drive can come in a step, from where on its stops are looked at


@kernel
def fastest_to(distance: float, most: float, h: float) -> float:
    """Fastest rate of a step from which rest at that distance can be reached, never beyond it.

    Braking by most h a step from v, v h + (v - most h) h + ... = v h / 2 + v^2 / (2 most).
    """
    if math.isinf(distance) or math.isinf(most):
        return distance / h
    b = 0.5 * h * most
    return min(math.sqrt(b * b + 2.0 * most * distance) - b, distance / h)


@kernel
def wanted_rate(position: float, rate: float, h: float, drive: Record) -> float:
    """Rate of a guided row at the end of a step that it goes through with that rate.

    As `actuation.guide`, whose steps have a constant acceleration; here the position moves by h
    times the new rate, so that the last step before a place or a stop goes just there.
    """
    most, fastest = drive.most_acceleration, drive.most_speed
    lower, upper = drive.lower, drive.upper
    wanted = 0.0
    if drive.mode == LENGTH:
        lower = upper = min(max(drive.value, lower), upper)
        wanted = math.copysign(fastest, upper - position)
    elif drive.mode == SPEED:
        wanted = min(max(drive.value, -fastest), fastest)
    up, down = max(upper - position, 0.0), max(position - lower, 0.0)
    wanted = max(min(wanted, fastest_to(up, most, h)), -fastest_to(down, most, h))
    return float(min(max(wanted, rate - most * h), rate + most * h))


@inlined_kernel
def clear(row: Record) -> None:
    """Let a row do nothing."""
    row.coupled, row.factor = -1, 0.0
    for stage in range(2):
        aim = row.aims[stage]
        aim.target, aim.low, aim.high, aim.impulse = 0.0, 0.0, 0.0, 0.0


@inlined_kernel
def bound(aim: Record, low: float, high: float) -> None:
    """Limit the impulse along a row."""
    aim.low, aim.high = low, high


@inlined_kernel
def aim_drives(
    h: float, beta: float, places: Records, q: Floats, v: Floats, kept: Floats, held_io: Floats,
    drives_io: Records, tau_io: Floats, rows_out: Records,
) -> None:  # fmt: skip
    """Turn commands into forces on the tree, and into rows of guided rates.

    A locked drive that has come to rest is held at that place, by pseudo-velocities, until it
    slips for want of force. One that is too fast to brake before its stop runs into it.
    """
    for n in range(drives_io.shape[0]):
        drive, place = drives_io[n], places[n]
        row = rows_out[place.guide]
        position, rate = q[place.position], v[place.velocity]
        clear(row)
        wanted, pushed = 0.0, drive.mode in (FLOATING, FORCE)
        if not pushed:
            wanted = wanted_rate(position, rate, h, drive)
            up, down = drive.upper - position, drive.lower - position
            pushed = (wanted > 0.0 and wanted * h > up * NEARLY) or (
                wanted < 0.0 and wanted * h < down * NEARLY
            )
        if pushed:
            drive.now = PUSHED
            drive.pull = drive.value if drive.mode == FORCE else 0.0
            tau_io[place.velocity] += drive.pull
            held_io[n] = math.nan
            continue
        most = drive.most_force * h
        drive.now, drive.pull = GUIDED, (wanted - rate) / h
        row.aims[VELOCITIES].target = wanted
        bound(row.aims[VELOCITIES], -most, most)
        bound(row.aims[PSEUDO], -math.inf, math.inf)
        if drive.mode == LOCKED and wanted == 0.0:
            if math.isnan(held_io[n]) or abs(kept[place.guide]) >= most:
                held_io[n] = position
            row.aims[PSEUDO].target = -beta * (position - held_io[n]) / h
        else:
            held_io[n] = math.nan


@inlined_kernel
def set_stops(
    h: float, places: Records, drives: Records, q: Floats, v: Floats, before: Floats, kept: Floats,
    rows_out: Records,
) -> None:  # fmt: skip
    """Rows of the end stops that can be reached in this step: rate >= (bound - position) / h.

    So a stop is come to, not jumped over. Beyond it the rate must only not go on; the rest is for
    the pseudo-velocities. What is guided by any force that it takes never runs into a stop.
    """
    for n in range(drives.shape[0]):
        drive, place = drives[n], places[n]
        position = q[place.position]
        reach = NEAR * h * (abs(v[place.velocity]) + abs(before[place.velocity]))
        strong = drive.now == GUIDED and math.isinf(drive.most_force)
        for end in range(2):
            row = rows_out[place.stops[end]]
            clear(row)
            gap = (drive.lower if end == 0 else drive.upper) - position
            away = gap if end == 1 else -gap  # how far it is to the stop
            if strong or not (away <= reach or kept[place.stops[end]] != 0.0):
                continue
            low, high = (0.0, math.inf) if end == 0 else (-math.inf, 0.0)
            row.aims[VELOCITIES].target = min(gap / h, 0.0) if end == 0 else max(gap / h, 0.0)
            for stage in range(2):
                bound(row.aims[stage], low, high)


@inlined_kernel
def aim_stops(
    h: float, beta: float, places: Records, drives: Records, q: Floats, v: Floats, rows_io: Records
) -> None:  # fmt: skip
    """What pseudo-velocities may do at stops, velocities being final.

    Where a stop is still ahead, what the velocity leaves of the way to it; beyond it they go back.
    """
    for n in range(drives.shape[0]):
        drive, position, rate = drives[n], q[places[n].position], v[places[n].velocity]
        for end in range(2):
            aim = rows_io[places[n].stops[end]].aims[PSEUDO]
            if aim.high > aim.low:
                gap = (drive.lower if end == 0 else drive.upper) - position
                beyond = gap > 0.0 if end == 0 else gap < 0.0
                aim.target = beta * gap / h if beyond else gap / h - rate


@inlined_kernel
def react(h: float, places: Records, kept: Floats, drives_io: Records) -> None:
    """Forces of drives and stops, and at which stop a drive rests.

    A row that rests against a stop counts as guided until the next step: its reaction is all that
    acts along it, the drive's own force included.
    """
    for n in range(drives_io.shape[0]):
        drive, place = drives_io[n], places[n]
        lower, upper = kept[place.stops[0]], kept[place.stops[1]]
        drive.reaction = (kept[place.guide] + lower + upper) / h
        if drive.now == PUSHED:
            drive.reaction += drive.pull
        drive.stop = 0.0
        if lower > 0.0:
            drive.stop = -1.0
        elif upper < 0.0:
            drive.stop = 1.0
        if drive.stop != 0.0:
            drive.now = GUIDED
