"""What a drive is told, what its limits are, and what a step made of it, as a record."""

from __future__ import annotations

from enum import IntEnum

from ..jit import layout


class DriveMode(IntEnum):
    """What a drive is told to do; see `Command`."""

    FLOATING = 0
    FORCE = 1
    SPEED = 2
    LENGTH = 3
    LOCKED = 4


class DrivenBy(IntEnum):
    """What moves a row in a step: a force, or a prescribed acceleration."""

    PUSHED = 0
    GUIDED = 1


# of every row: one scalar of a machine that a drive acts on or a stop limits
DRIVE = layout(
    mode="i8",  # DriveMode
    value="f8",  # of the command: force [N, N m], speed [m/s, rad/s] or place [m, rad]
    lower="f8",  # end stops [m, rad]; infinite where there are none
    upper="f8",
    most_speed="f8",  # limits of guided motion [m/s, rad/s], [m/s^2, rad/s^2]; infinite if none
    most_acceleration="f8",
    most_force="f8",  # of a guided joint [N m]; infinite for cylinders
    now="i8",  # DrivenBy: what a step made of it
    pull="f8",  # the force [N, N m] or the acceleration [m/s^2, rad/s^2]
    stop="f8",  # -1 or 1 while it rests against the lower or upper stop, else 0
    reaction="f8",  # force that guiding or stopping needs [N, N m]
    aim="f8",  # of a guided row: where a step should end [m, rad]
    aim_rate="f8",  # and how fast [m/s, rad/s]
)
