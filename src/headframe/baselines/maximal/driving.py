"""Kernels of drives: references that guided rows follow, end stops, reactions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation.guiding import guide
from ...actuation.records import DriveMode, DrivenBy
from ...jit import Records, inlined_kernel, kernel

Floats = NDArray[np.float64]

FLOATING = DriveMode.FLOATING.value
FORCE = DriveMode.FORCE.value
GUIDED = DrivenBy.GUIDED.value
PUSHED = DrivenBy.PUSHED.value
ACTIVE, PLACE, RATE = range(3)  # of a drive's reference
IMPACT = 100.0  # [m/s^2, rad/s^2] deceleration by a stop from which on it counts as an impact


@kernel
def command(drive: int, place: float, speed: float, h: float, drives_io: Records, ref_io: Floats
) -> float:  # fmt: skip
    """Mean speed that a drive wants in the next step, NaN if it pushes by a force instead.

    A guided row follows a reference that starts where the row is, and goes on as if the drive's
    force had no limit; a step in which the force met its limit starts it anew.
    """
    drives_io[drive].stop = 0.0
    mode = drives_io[drive].mode
    if mode in (FLOATING, FORCE):
        ref_io[drive, ACTIVE] = 0.0
        guide(place, speed, drive, h, drives_io)
        return math.nan
    if ref_io[drive, ACTIVE] == 0.0:
        ref_io[drive, ACTIVE], ref_io[drive, PLACE], ref_io[drive, RATE] = 1.0, place, speed
    guide(ref_io[drive, PLACE], ref_io[drive, RATE], drive, h, drives_io)
    change = h * drives_io[drive].pull
    mean = ref_io[drive, RATE] + 0.5 * change
    ref_io[drive, PLACE] += h * mean
    ref_io[drive, RATE] += change
    return float(mean)


@inlined_kernel
def settle(
    drive: int, push: float, stop: float, most: float, drives_io: Records, ref_io: Floats
) -> None:
    """What became of a drive: its force and its stop's, the latter positive inwards [N, N m].

    A row that rests against a stop counts as guided: its reaction is all that acts along it. A
    guiding force at its limit ends the reference, and the next step starts a new one.
    """
    if drives_io[drive].now == PUSHED:
        push = drives_io[drive].pull
    elif abs(push) >= most:
        ref_io[drive, ACTIVE] = 0.0
    if stop == 0.0:
        drives_io[drive].stop = 0.0
    else:
        drives_io[drive].now = GUIDED
    drives_io[drive].reaction = push - drives_io[drive].stop * stop


@inlined_kernel
def stop_side(drive: int, place: float, drives_in: Records) -> tuple[float, float]:
    """1 at the lower stop, -1 at the upper, whichever is nearer, and the way left to it; 0: none.

    A drive that guides with whatever force it takes has no stops: it never runs into them.
    """
    if drives_in[drive].now == GUIDED and math.isinf(drives_in[drive].most_force):
        return 0.0, 0.0
    to_lower, to_upper = place - drives_in[drive].lower, drives_in[drive].upper - place
    if math.isinf(to_lower) and math.isinf(to_upper):
        return 0.0, 0.0
    return (1.0, to_lower) if to_lower <= to_upper else (-1.0, to_upper)
