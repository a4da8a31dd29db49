"""Kernels of drives: references that guided rows follow, end stops, reactions."""

from __future__ import annotations

import math

from ...actuation.kernels import DriveMode, DrivenBy, guide
from ...jit import Record, Records, inlined_kernel, kernel

FLOATING, FORCE = DriveMode.FLOATING.value, DriveMode.FORCE.value
PUSHED, GUIDED = (driven.value for driven in DrivenBy)
IMPACT = 100.0  # [m/s^2, rad/s^2] deceleration by a stop from which on it counts as an impact


@kernel
def command(
    n: int, place: float, speed: float, h: float, drives_io: Records, references_io: Records
) -> float:
    """Mean speed that a drive wants in the next step, NaN if it pushes by a force instead.

    A guided row follows a reference that starts where the row is, and goes on as if the drive's
    force had no limit; a step in which the force met its limit starts it anew.
    """
    drive, reference = drives_io[n], references_io[n]
    drive.stop = 0.0
    if drive.mode in (FLOATING, FORCE):
        reference.active = 0
        guide(place, speed, n, h, drives_io)
        return math.nan
    if reference.active == 0:
        reference.active, reference.position, reference.rate = 1, place, speed
    guide(reference.position, reference.rate, n, h, drives_io)
    change = h * drive.pull
    mean = reference.rate + 0.5 * change
    reference.position += h * mean
    reference.rate += change
    return float(mean)


@inlined_kernel
def settle(drive: Record, reference: Record, push: float, stop: float, most: float) -> None:
    """What became of a drive: its force and its stop's, the latter positive inwards [N, N m].

    A row that rests against a stop counts as guided: its reaction is all that acts along it. A
    guiding force at its limit ends the reference, and the next step starts a new one.
    """
    if drive.now == PUSHED:
        push = drive.pull
    elif abs(push) >= most:
        reference.active = 0
    if stop == 0.0:
        drive.stop = 0.0
    else:
        drive.now = GUIDED
    drive.reaction = push - drive.stop * stop


@inlined_kernel
def stop_side(drive: Record, place: float) -> tuple[float, float]:
    """1 at the lower stop, -1 at the upper, whichever is nearer, and the way left to it; 0: none.

    A drive that guides with whatever force it takes has no stops: it never runs into them.
    """
    if drive.now == GUIDED and math.isinf(drive.most_force):
        return 0.0, 0.0
    to_lower, to_upper = place - drive.lower, drive.upper - place
    if math.isinf(to_lower) and math.isinf(to_upper):
        return 0.0, 0.0
    return (1.0, to_lower) if to_lower <= to_upper else (-1.0, to_upper)
