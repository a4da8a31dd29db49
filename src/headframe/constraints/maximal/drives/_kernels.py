"""Kernels of drives: references that guided rows follow, end stops, reactions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....actuation._kernels import (
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
    guide,
)
from ....jit import inlined_kernel, kernel

Floats = NDArray[np.float64]

ACTIVE, PLACE, RATE = range(3)  # of a drive's reference
IMPACT = 100.0  # [m/s^2, rad/s^2] deceleration by a stop from which on it counts as an impact


@kernel
def command(drive: int, place: float, speed: float, h: float, drive_io: Floats, ref_io: Floats
) -> float:  # fmt: skip
    """Mean speed that a drive wants in the next step, NaN if it pushes by a force instead.

    A guided row follows a reference that starts where the row is, and goes on as if the drive's
    force had no limit; a step in which the force met its limit starts it anew.
    """
    drive_io[drive, STOP] = 0.0
    mode = drive_io[drive, MODE]
    if mode in (FLOATING, FORCE):
        ref_io[drive, ACTIVE] = 0.0
        guide(place, speed, drive, h, drive_io)
        return math.nan
    if ref_io[drive, ACTIVE] == 0.0:
        ref_io[drive, ACTIVE], ref_io[drive, PLACE], ref_io[drive, RATE] = 1.0, place, speed
    guide(ref_io[drive, PLACE], ref_io[drive, RATE], drive, h, drive_io)
    change = h * drive_io[drive, PULL]
    mean = ref_io[drive, RATE] + 0.5 * change
    ref_io[drive, PLACE] += h * mean
    ref_io[drive, RATE] += change
    return float(mean)


@inlined_kernel
def settle(
    drive: int, push: float, stop: float, most: float, drive_io: Floats, ref_io: Floats
) -> None:
    """What became of a drive: its force and its stop's, the latter positive inwards [N, N m].

    A row that rests against a stop counts as guided: its reaction is all that acts along it. A
    guiding force at its limit ends the reference, and the next step starts a new one.
    """
    if drive_io[drive, NOW] == PUSHED:
        push = drive_io[drive, PULL]
    elif abs(push) >= most:
        ref_io[drive, ACTIVE] = 0.0
    if stop == 0.0:
        drive_io[drive, STOP] = 0.0
    else:
        drive_io[drive, NOW] = GUIDED
    drive_io[drive, REACTION] = push - drive_io[drive, STOP] * stop


@inlined_kernel
def stop_side(drive: int, place: float, drive_in: Floats) -> tuple[float, float]:
    """1 at the lower stop, -1 at the upper, whichever is nearer, and the way left to it; 0: none.

    A drive that guides with whatever force it takes has no stops: it never runs into them.
    """
    if drive_in[drive, NOW] == GUIDED and math.isinf(drive_in[drive, MOST_FORCE]):
        return 0.0, 0.0
    to_lower, to_upper = place - drive_in[drive, LOWER], drive_in[drive, UPPER] - place
    if math.isinf(to_lower) and math.isinf(to_upper):
        return 0.0, 0.0
    return (1.0, to_lower) if to_lower <= to_upper else (-1.0, to_upper)


def warm_up() -> None:
    """Compile what is called on its own, on one drive."""
    command(0, 0.0, 0.0, 1.0, np.zeros((1, DRIVE)), np.zeros((1, 3)))
