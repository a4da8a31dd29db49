"""Kernels of drives: how commands become forces and prescribed accelerations.

A drive belongs to a row, one scalar of the machine: the length of a redundant group's first member
or the position of a joint with a motor or with limits. `drive` (n, DRIVE) holds for every row

    mode, value           the command: FLOATING, FORCE (value [N, N m]), SPEED ([m/s, rad/s]),
                          LENGTH ([m]: the place to go to), LOCKED
    lower, upper          end stops [m, rad]; infinite where there are none
    speed, acceleration   limits of guided motion; infinite where there are none
    most                  largest force of a guided joint [N m]; infinite for cylinders
    now, pull             what a step made of it: PUSHED by a force, or GUIDED by an acceleration;
                          the force or the acceleration
    stop                  -1 or 1 while it rests against the lower or upper stop, else 0
    reaction              force that guiding or stopping needs [N, N m]
    aim, aim_rate         of a guided row: where a step should end, and how fast
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import kernel

Floats = NDArray[np.float64]

FLOATING, FORCE, SPEED, LENGTH, LOCKED = 0, 1, 2, 3, 4
MODE, VALUE, LOWER, UPPER, MOST_SPEED, MOST_ACCELERATION = 0, 1, 2, 3, 4, 5
MOST_FORCE, NOW, PULL, STOP, REACTION, AIM, AIM_RATE = 6, 7, 8, 9, 10, 11, 12
DRIVE = 13
PUSHED, GUIDED = 0, 1
ROUNDING = 1e-9  # of the largest impulse
BRAKE = 0.85  # of the limit: deceleration with which the way to a place is planned


@kernel
def guide(position: float, rate: float, row: int, h: float, drive_io: Floats) -> None:
    """Decide what drives a row in the next step of h seconds.

    A guided row gets the acceleration that brings it to its speed, or to rest at its place, as
    fast as the limits allow. It ends before its stops, unless it is too fast already when its
    drive takes over.
    """
    mode, value = int(drive_io[row, MODE]), drive_io[row, VALUE]
    if mode in (FLOATING, FORCE):
        drive_io[row, NOW] = PUSHED
        drive_io[row, PULL] = value if mode == FORCE else 0.0
        if drive_io[row, STOP] != 0.0:
            drive_io[row, NOW], drive_io[row, PULL] = GUIDED, -rate / h
        return
    drive_io[row, NOW] = GUIDED
    drive_io[row, STOP] = 0.0
    most, fastest = drive_io[row, MOST_ACCELERATION], drive_io[row, MOST_SPEED]
    lower, upper = drive_io[row, LOWER], drive_io[row, UPPER]
    if mode == LENGTH:
        target = min(max(value, lower), upper)
        side = 1.0 if target >= position else -1.0
        ahead = abs(target - position)
        drive_io[row, PULL] = side * approach(ahead, side * rate, fastest, most, h)
        return
    wanted = min(max(value, -fastest), fastest) if mode == SPEED else 0.0
    pull = min(max((wanted - rate) / h, -most), most)
    after = rate + h * pull
    side = 1.0 if after >= 0.0 else -1.0
    ahead = upper - position if side > 0.0 else position - lower
    needed = 0.5 * h * side * (rate + 2.0 * after) + after * after / (2.0 * BRAKE * most)
    if needed > ahead:
        pull = side * approach(max(ahead, 0.0), side * rate, abs(wanted), most, h)
    drive_io[row, PULL] = pull


@kernel
def rests(row: int, drive_in: Floats) -> bool:
    """Whether a row that no drive guides rests against its stop."""
    loose = drive_in[row, MODE] in (FLOATING, FORCE)
    return bool(loose and drive_in[row, STOP] != 0.0 and drive_in[row, NOW] == GUIDED)


@kernel
def leave_stop(row: int, drive_io: Floats) -> None:
    """Let a row go that rested against its stop."""
    drive_io[row, STOP], drive_io[row, NOW] = 0.0, PUSHED
    drive_io[row, PULL] = drive_io[row, VALUE] if drive_io[row, MODE] == FORCE else 0.0


@kernel
def drives_that_guide(drive_in: Floats) -> int:
    """How many rows a drive guides; those that only rest against a stop do not count."""
    count = 0
    for r in range(drive_in.shape[0]):
        if drive_in[r, NOW] == GUIDED and drive_in[r, MODE] not in (FLOATING, FORCE):
            count += 1
    return count


@kernel
def give_way(row: int, drive_io: Floats) -> None:
    """End the guiding of a row that stops of other rows hold, by way of the loops.

    A stop is stronger than any drive. A motor goes on pushing, as hard as it may; how hard a
    cylinder without a largest force pushes makes no difference: the stop bears it.
    """
    if rests(row, drive_io):
        leave_stop(row, drive_io)
        return
    pull, most = drive_io[row, PULL], drive_io[row, MOST_FORCE]
    drive_io[row, NOW], drive_io[row, PULL] = PUSHED, 0.0
    if pull != 0.0 and most < math.inf:
        drive_io[row, PULL] = math.copysign(most, pull)


@kernel
def pulled_stop(drive_in: Floats, mask_in: Floats, impulses_in: Floats) -> int:
    """The row whose stop would have to pull the most in an impact, or -1.

    `mask_in` is -1 or 1 for rows that meet their lower or upper stop, else 0; rows that rest
    against theirs take part, too. An upper stop can only push back, by a negative impulse.
    """
    largest, worst, which = 0.0, 0.0, -1
    for r in range(drive_in.shape[0]):
        side = mask_in[r]
        if side == 0.0 and rests(r, drive_in):
            side = drive_in[r, STOP]
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


@kernel
def lead(n: int, h: float, drive_io: Floats, positions_io: Floats, rates_io: Floats) -> None:
    """Move rows for n steps of h seconds as their drives guide them, without inertia.

    A row that no drive guides rests: where nothing has mass, nothing falls.
    """
    for _ in range(n):
        for row in range(positions_io.shape[0]):
            guide(positions_io[row], rates_io[row], row, h, drive_io)
            if drive_io[row, NOW] == PUSHED:
                rates_io[row] = 0.0
                continue
            before = rates_io[row]
            rates_io[row] = before + h * drive_io[row, PULL]
            after = positions_io[row] + 0.5 * h * (before + rates_io[row])
            if after <= drive_io[row, LOWER] or after >= drive_io[row, UPPER]:
                after = min(max(after, drive_io[row, LOWER]), drive_io[row, UPPER])
                rates_io[row] = 0.0
            positions_io[row] = after


def warm_up() -> None:
    """Compile what simulations call."""
    drive, one = np.zeros((1, DRIVE)), np.zeros(1)
    guide(0.0, 0.0, 0, 1.0, drive)
    lead(1, 1.0, drive, one, one)
