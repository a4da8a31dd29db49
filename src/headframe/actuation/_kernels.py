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


@kernel
def guide(position: float, rate: float, row: int, h: float, drive_io: Floats) -> None:
    """Decide what drives a row in the next step of h seconds.

    A guided row gets the acceleration that brings it to its speed, or to rest at its place, as
    fast as the limits allow; it never runs into a stop. An acceleration stays the same through the
    step, so the last one is chosen to end exactly where it should.
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
    most = drive_io[row, MOST_ACCELERATION]
    fastest = drive_io[row, MOST_SPEED]
    lower, upper = drive_io[row, LOWER], drive_io[row, UPPER]
    if mode == LENGTH:
        lower = upper = min(max(value, lower), upper)
        wanted = math.copysign(fastest, upper - position) if upper != position else 0.0
    elif mode == SPEED:
        wanted = min(max(value, -fastest), fastest)
    else:
        wanted = 0.0
    wanted = min(wanted, allowed(upper - position, most, h))
    wanted = max(wanted, -allowed(position - lower, most, h))
    if mode == LENGTH and abs(rate) <= most * h:
        # the acceleration that would end at the place, if the one after it can stop there
        last = 2.0 * (upper - position - rate * h) / (h * h)
        rest = rate + last * h
        if abs(last) <= most and abs(rest) <= most * h:
            wanted = rest
    drive_io[row, PULL] = min(max((wanted - rate) / h, -most), most)


@kernel
def allowed(distance: float, most: float, h: float) -> float:
    """Fastest speed at the end of a step from which rest at that distance can still be reached.

    With steps of h at a constant deceleration, a v after this step needs v h / 2 in this one and
    v^2 / (2 most) afterwards.
    """
    if distance <= 0.0:
        return 0.0
    if math.isinf(distance):
        return math.inf
    if math.isinf(most):
        return distance / h
    b = 0.5 * h * most
    return math.sqrt(b * b + 2.0 * most * distance) - b


def warm_up() -> None:
    """Compile what simulations call."""
    guide(0.0, 0.0, 0, 1.0, np.zeros((1, DRIVE)))
