"""Kernels that turn commands into forces and rows, and end stops into rows.

`places` (n, 3) has of each drive its position, its velocity and its joint's line; its rows are the
guided rate at `first` + 3 n, then the lower and the upper stop.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....actuation._kernels import (
    FLOATING,
    FORCE,
    GUIDED,
    LENGTH,
    LOCKED,
    LOWER,
    MODE,
    MOST_ACCELERATION,
    MOST_FORCE,
    MOST_SPEED,
    NOW,
    PULL,
    PUSHED,
    REACTION,
    SPEED,
    STOP,
    UPPER,
    VALUE,
)
from ....jit import inlined_kernel, kernel
from ..rows._kernels import HIGH, LOW, PSEUDO, TARGET

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

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
def wanted_rate(position: float, rate: float, row: int, h: float, drive: Floats) -> float:
    """Rate of a guided row at the end of a step that it goes through with that rate.

    As `actuation.guide`, whose steps have a constant acceleration; here the position moves by h
    times the new rate, so that the last step before a place or a stop goes just there.
    """
    mode, value = int(drive[row, MODE]), drive[row, VALUE]
    most, fastest = drive[row, MOST_ACCELERATION], drive[row, MOST_SPEED]
    lower, upper = drive[row, LOWER], drive[row, UPPER]
    wanted = 0.0
    if mode == LENGTH:
        lower = upper = min(max(value, lower), upper)
        wanted = math.copysign(fastest, upper - position)
    elif mode == SPEED:
        wanted = min(max(value, -fastest), fastest)
    up, down = max(upper - position, 0.0), max(position - lower, 0.0)
    wanted = max(min(wanted, fastest_to(up, most, h)), -fastest_to(down, most, h))
    return float(min(max(wanted, rate - most * h), rate + most * h))


@inlined_kernel
def aim(
    h: float, beta: float, first: int, places: Ints, q: Floats, v: Floats, kept: Floats,
    held_io: Floats, drive_io: Floats, tau_io: Floats, rows_out: Floats,
) -> None:  # fmt: skip
    """Turn commands into forces on the tree, and into rows of guided rates.

    A locked drive that has come to rest is held at that place, by pseudo-velocities, until it
    slips for want of force. One that is too fast to brake before its stop runs into it.
    """
    for n in range(drive_io.shape[0]):
        position, rate, row = q[places[n, 0]], v[places[n, 1]], first + 3 * n
        rows_out[row, :] = 0.0
        mode, wanted = int(drive_io[n, MODE]), 0.0
        pushed = mode in (FLOATING, FORCE)
        if not pushed:
            wanted = wanted_rate(position, rate, n, h, drive_io)
            up, down = drive_io[n, UPPER] - position, drive_io[n, LOWER] - position
            pushed = (wanted > 0.0 and wanted * h > up * NEARLY) or (
                wanted < 0.0 and wanted * h < down * NEARLY
            )
        if pushed:
            drive_io[n, NOW] = PUSHED
            drive_io[n, PULL] = drive_io[n, VALUE] if mode == FORCE else 0.0
            tau_io[places[n, 1]] += drive_io[n, PULL]
            held_io[n] = math.nan
            continue
        most = drive_io[n, MOST_FORCE] * h
        drive_io[n, NOW], drive_io[n, PULL] = GUIDED, (wanted - rate) / h
        rows_out[row, TARGET] = wanted
        rows_out[row, LOW], rows_out[row, HIGH] = -most, most
        rows_out[row, PSEUDO + LOW], rows_out[row, PSEUDO + HIGH] = -math.inf, math.inf
        if mode == LOCKED and wanted == 0.0:
            if math.isnan(held_io[n]) or abs(kept[row]) >= most:
                held_io[n] = position
            rows_out[row, PSEUDO + TARGET] = -beta * (position - held_io[n]) / h
        else:
            held_io[n] = math.nan


@inlined_kernel
def set_stops(
    h: float, first: int, places: Ints, drive: Floats, q: Floats, v: Floats, before: Floats,
    kept: Floats, rows_out: Floats,
) -> None:  # fmt: skip
    """Rows of the end stops that can be reached in this step: rate >= (bound - position) / h.

    So a stop is come to, not jumped over. Beyond it the rate must only not go on; the rest is for
    the pseudo-velocities. What is guided by any force that it takes never runs into a stop.
    """
    for n in range(drive.shape[0]):
        position, velocity = q[places[n, 0]], places[n, 1]
        reach = NEAR * h * (abs(v[velocity]) + abs(before[velocity]))
        strong = drive[n, NOW] == GUIDED and math.isinf(drive[n, MOST_FORCE])
        for end in range(2):
            row = first + 3 * n + 1 + end
            rows_out[row, :] = 0.0
            gap = drive[n, LOWER + end] - position
            away = gap if end == 1 else -gap  # how far it is to the stop
            if strong or not (away <= reach or kept[row] != 0.0):
                continue
            if end == 0:
                rows_out[row, TARGET] = min(gap / h, 0.0)
                rows_out[row, HIGH] = rows_out[row, PSEUDO + HIGH] = math.inf
            else:
                rows_out[row, TARGET] = max(gap / h, 0.0)
                rows_out[row, LOW] = rows_out[row, PSEUDO + LOW] = -math.inf


@inlined_kernel
def aim_stops(
    h: float, beta: float, first: int, places: Ints, drive: Floats, q: Floats, v: Floats,
    rows_io: Floats,
) -> None:  # fmt: skip
    """What pseudo-velocities may do at stops, velocities being final.

    Where a stop is still ahead, what the velocity leaves of the way to it; beyond it they go back.
    """
    for n in range(drive.shape[0]):
        position, rate = q[places[n, 0]], v[places[n, 1]]
        for end in range(2):
            row = first + 3 * n + 1 + end
            if rows_io[row, PSEUDO + HIGH] > rows_io[row, PSEUDO + LOW]:
                gap = drive[n, LOWER + end] - position
                beyond = gap > 0.0 if end == 0 else gap < 0.0
                rows_io[row, PSEUDO + TARGET] = beta * gap / h if beyond else gap / h - rate


@inlined_kernel
def react(h: float, first: int, kept: Floats, drive_io: Floats) -> None:
    """Forces of drives and stops, and at which stop a drive rests.

    A row that rests against a stop counts as guided until the next step: its reaction is all that
    acts along it, the drive's own force included.
    """
    for n in range(drive_io.shape[0]):
        row = first + 3 * n
        drive_io[n, REACTION] = (kept[row] + kept[row + 1] + kept[row + 2]) / h
        if drive_io[n, NOW] == PUSHED:
            drive_io[n, REACTION] += drive_io[n, PULL]
        drive_io[n, STOP] = 0.0
        if kept[row + 1] > 0.0:
            drive_io[n, STOP] = -1.0
        elif kept[row + 2] < 0.0:
            drive_io[n, STOP] = 1.0
        if drive_io[n, STOP] != 0.0:
            drive_io[n, NOW] = GUIDED


def warm_up() -> None:
    """Nothing is called from outside of kernels."""
