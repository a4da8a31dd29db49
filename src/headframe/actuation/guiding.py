"""Kernels of drives: how commands become forces and prescribed accelerations.

A drive belongs to a row, one scalar of the machine: the length of a redundant group's first member
or the position of a joint with a motor or with limits. For the records see `DRIVE`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import NUMBER, VECTOR, WHOLE, Records, array_of, entry, kernel
from .records import DRIVE, DriveMode, DrivenBy

Floats = NDArray[np.float64]

FLOATING, FORCE, SPEED, LENGTH, LOCKED = (mode.value for mode in DriveMode)
PUSHED, GUIDED = (driven.value for driven in DrivenBy)
ROUNDING = 1e-9  # of the largest impulse
BRAKE = 0.85  # of the limit: deceleration with which the way to a place is planned


@entry(NUMBER, NUMBER, WHOLE, NUMBER, array_of(DRIVE))
@kernel
def guide(position: float, rate: float, row: int, h: float, drives_io: Records) -> None:
    """Decide what drives a row in the next step of h seconds.

    A guided row gets the acceleration that brings it to its speed, or to rest at its place, as
    fast as the limits allow. It ends before its stops, unless it is too fast already when its
    drive takes over.
    """
    drive = drives_io[row]
    mode, value = drive.mode, drive.value
    if mode in (FLOATING, FORCE):
        drive.now = PUSHED
        drive.pull = value if mode == FORCE else 0.0
        if drive.stop != 0.0:
            drive.now, drive.pull = GUIDED, -rate / h
        return
    drive.now = GUIDED
    drive.stop = 0.0
    most, fastest = drive.most_acceleration, drive.most_speed
    lower, upper = drive.lower, drive.upper
    if mode == LENGTH:
        target = min(max(value, lower), upper)
        side = 1.0 if target >= position else -1.0
        ahead = abs(target - position)
        drive.pull = side * approach(ahead, side * rate, fastest, most, h)
        return
    wanted = min(max(value, -fastest), fastest) if mode == SPEED else 0.0
    pull = min(max((wanted - rate) / h, -most), most)
    after = rate + h * pull
    side = 1.0 if after >= 0.0 else -1.0
    ahead = upper - position if side > 0.0 else position - lower
    needed = 0.5 * h * side * (rate + 2.0 * after) + after * after / (2.0 * BRAKE * most)
    if needed > ahead:
        pull = side * approach(max(ahead, 0.0), side * rate, abs(wanted), most, h)
    drive.pull = pull


@kernel
def rests(row: int, drives_in: Records) -> bool:
    """Whether a row that no drive guides rests against its stop."""
    drive = drives_in[row]
    loose = drive.mode in (FLOATING, FORCE)
    return bool(loose and drive.stop != 0.0 and drive.now == GUIDED)


@kernel
def leave_stop(row: int, drives_io: Records) -> None:
    """Let a row go that rested against its stop."""
    drive = drives_io[row]
    drive.stop, drive.now = 0.0, PUSHED
    drive.pull = drive.value if drive.mode == FORCE else 0.0


@kernel
def drives_that_guide(drives_in: Records) -> int:
    """How many rows a drive guides; those that only rest against a stop do not count."""
    count = 0
    for r in range(drives_in.shape[0]):
        if drives_in[r].now == GUIDED and drives_in[r].mode not in (FLOATING, FORCE):
            count += 1
    return count


@kernel
def give_way(row: int, drives_io: Records) -> None:
    """End the guiding of a row that stops of other rows hold, by way of the loops.

    A stop is stronger than any drive. A motor goes on pushing, as hard as it may; how hard a
    cylinder without a largest force pushes makes no difference: the stop bears it.
    """
    drive = drives_io[row]
    if rests(row, drives_io):
        leave_stop(row, drives_io)
        return
    pull, most = drive.pull, drive.most_force
    drive.now, drive.pull = PUSHED, 0.0
    if pull != 0.0 and most < math.inf:
        drive.pull = math.copysign(most, pull)


@kernel
def pulled_stop(drives_in: Records, mask_in: Floats, impulses_in: Floats) -> int:
    """The row whose stop would have to pull the most in an impact, or -1.

    `mask_in` is -1 or 1 for rows that meet their lower or upper stop, else 0; rows that rest
    against theirs take part, too. An upper stop can only push back, by a negative impulse.
    """
    largest, worst, which = 0.0, 0.0, -1
    for r in range(drives_in.shape[0]):
        side = mask_in[r]
        if side == 0.0 and rests(r, drives_in):
            side = drives_in[r].stop
        largest = max(largest, abs(impulses_in[r]))
        if side * impulses_in[r] > worst:
            worst, which = side * impulses_in[r], r
    return which if worst > ROUNDING * largest else -1


@kernel
def approach(ahead: float, rate: float, fastest: float, most: float, h: float) -> float:
    """Acceleration towards a place that lies `ahead`, to come to rest there without passing it.

    Steps have a constant acceleration each. From a distance d at a rate r, two steps end at rest
    in the place if the first accelerates by (d - 3/2 r h) / h^2; the second then finds
    d = r h / 2, where -r / h does it. Farther away the speed w at the end of a step is the largest
    that can still be braked: d = (r + w) h / 2 + w^2 / (2 a), with a little less than the limit
    for a, which leaves room for the last two steps.
    """
    if ahead <= 1e-12 and abs(rate) <= min(1e-9, most * h):
        return -rate / h
    if abs(ahead - 0.5 * h * rate) <= 1e-13 + 1e-15 * ahead and abs(rate) <= most * h:
        return -rate / h
    first = (ahead - 1.5 * rate * h) / (h * h)
    then = rate + first * h
    if abs(first) <= most and 0.0 <= then <= min(most * h, fastest):
        return first
    speed = min(fastest, max(then, 0.0))
    if most < math.inf:
        half = 0.5 * h * BRAKE * most
        room = 2.0 * BRAKE * most * max(ahead - 0.5 * h * rate, 0.0)
        speed = min(fastest, math.sqrt(half * half + room) - half)
    return min(max((speed - rate) / h, -most), most)


@entry(WHOLE, NUMBER, array_of(DRIVE), VECTOR, VECTOR)
@kernel
def lead(n: int, h: float, drives_io: Records, positions_io: Floats, rates_io: Floats) -> None:
    """Move rows for n steps of h seconds as their drives guide them, without inertia.

    A row that no drive guides rests: where nothing has mass, nothing falls.
    """
    for _ in range(n):
        for row in range(positions_io.shape[0]):
            guide(positions_io[row], rates_io[row], row, h, drives_io)
            if drives_io[row].now == PUSHED:
                rates_io[row] = 0.0
                continue
            before = rates_io[row]
            rates_io[row] = before + h * drives_io[row].pull
            after = positions_io[row] + 0.5 * h * (before + rates_io[row])
            if after <= drives_io[row].lower or after >= drives_io[row].upper:
                after = min(max(after, drives_io[row].lower), drives_io[row].upper)
                rates_io[row] = 0.0
            positions_io[row] = after
