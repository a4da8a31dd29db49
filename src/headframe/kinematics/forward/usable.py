"""How far each group can go before a dead centre or a partner's bound ends its motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...mechanism import Floats
from . import block_solving as kernels

if TYPE_CHECKING:
    from ..model import Kinematics

SAMPLES = 33


def usable_lengths(kinematics: Kinematics) -> tuple[Floats, Floats]:
    """Ends of the first members' lengths around home, (n_groups,) each.

    Partners that are no twins follow their first member in some other way, as in a slewing pair
    of which one shortens while the other lengthens; one may meet its bound before the first
    member does. Sampled, then narrowed down by halving.
    """
    robot = kinematics.mechanism.robot
    low = np.array([robot.actuators[m[0]].bounds.lower for m in robot.groups])
    high = np.array([robot.actuators[m[0]].bounds.upper for m in robot.groups])
    for group, members in enumerate(robot.groups):
        reach = kinematics.reach_of(group)
        if reach is not None and reach.interval is not None:
            low[group], high[group] = reach.interval
        if len(members) > 1:
            home = float(kinematics.home.lengths[members[0]])
            low[group] = _end(kinematics, members[0], home, low[group])
            high[group] = _end(kinematics, members[0], home, high[group])
    return low, high


def _end(kinematics: Kinematics, act: int, home: float, bound: float) -> float:
    """The length nearest to `bound` up to which all lengths from home on can be had."""
    good = home
    for length in np.linspace(home, bound, SAMPLES)[1:]:
        if not _possible(kinematics, act, float(length)):
            return _halved(kinematics, act, good, float(length))
        good = float(length)
    return bound


def _halved(kinematics: Kinematics, act: int, good: float, bad: float) -> float:
    while abs(bad - good) > 1e-13:
        middle = 0.5 * (good + bad)
        if middle in (good, bad):
            break
        if _possible(kinematics, act, middle):
            good = middle
        else:
            bad = middle
    return good


def _possible(kinematics: Kinematics, act: int, length: float) -> bool:
    lengths = np.array(kinematics.home.lengths)
    lengths[act] = length
    q = np.empty(kinematics.home.q.size)
    status = kernels.forward(kinematics.link, lengths, kinematics.home.q, 0, kinematics.work, q)
    return status == kernels.SOLVED
