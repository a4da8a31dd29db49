"""How far a cylinder can go from where it stands, the others locked, and what ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ..errors import LengthError, SingularityError, StateError, UnknownElementError
from ..mechanism import State
from .forward.solve import fk

if TYPE_CHECKING:
    from .model import Kinematics

Reason = Literal["bound", "partner", "singularity"]
SAMPLES = 32
FINEST = 1e-12  # [m] to which an end is narrowed down


class Stroke(NamedTuple):
    """Shortest and longest length [m] and why each is an end.

    "bound": its own bound; "partner": a redundant partner's bound; "singularity": a dead centre,
    or a pose in which a loop would have to open.
    """

    low: float
    high: float
    low_reason: Reason
    high_reason: Reason


def stroke(kinematics: Kinematics, state: State, actuator: str) -> Stroke:
    """The interval around an actuator's present length that it can have, all else locked.

    The length of a redundant partner follows its group's first member, which is what moves: the
    partner's interval is what it passes through, and its first member's bound is a partner's.

    Raises:
        UnknownElementError: no actuator of that name.
        StateError: a state of another machine.
    """
    robot = kinematics.mechanism.robot
    if actuator not in robot.actuator_index:
        raise UnknownElementError("actuator", actuator, robot.actuator_index)
    if state.mechanism is not kinematics.mechanism:
        raise StateError("state: found a state of another machine")
    act = robot.actuator_index[actuator]
    first = next(members[0] for members in robot.groups if act in members)
    bounds = robot.actuators[first].bounds
    ends = [_end(kinematics, state, first, bound) for bound in (bounds.lower, bounds.upper)]
    if act != first:
        ends = [_seen_by_partner(kinematics, state, act, first, *end) for end in ends]
        ends.sort()
    (low, low_reason), (high, high_reason) = ends
    return Stroke(low, high, low_reason, high_reason)


def _end(kinematics: Kinematics, state: State, first: int, bound: float) -> tuple[float, Reason]:
    """The end of the way from the present length towards a bound, and what it is."""
    now = float(state.lengths[first])
    towards, at_end = _dead_centre(kinematics, first, bound)
    good, at = now, state
    bad = None
    reason: Reason = "bound"
    # a dead centre is known exactly where there is a closed form: stop just before it
    for length in np.linspace(now, towards, SAMPLES + 1)[1:]:
        if at_end == "singularity" and length == towards:
            break
        found, reason = _try(kinematics, at, first, float(length))
        if found is None:
            bad = float(length)
            break
        good, at = float(length), found
    if bad is None:
        return towards, at_end
    while abs(bad - good) > FINEST:
        middle = 0.5 * (good + bad)
        found, why = _try(kinematics, at, first, middle)
        if found is None:
            bad, reason = middle, why
        else:
            good, at = middle, found
    return good, reason


def _dead_centre(kinematics: Kinematics, first: int, bound: float) -> tuple[float, Reason]:
    """The bound, or the dead centre before it where a closed form tells."""
    for block, reach in zip(kinematics.plan.blocks, kinematics.reaches, strict=True):
        members = [int(kinematics.first_members[group]) for group in block.groups]
        if first in members and reach.interval is not None:
            nearest = min(reach.interval, key=lambda end: abs(end - bound))
            return nearest, "bound" if nearest == bound else "singularity"
    return bound, "bound"


def _try(
    kinematics: Kinematics, start: State, first: int, length: float
) -> tuple[State | None, Reason]:
    """The state with the first member's length changed, or None and why there is none."""
    name = kinematics.mechanism.robot.actuators[first].name
    try:
        return fk(kinematics, {name: length}, start), "bound"
    except SingularityError:
        return None, "singularity"
    except LengthError as error:
        return None, "bound" if error.actuator == name else "partner"


def _seen_by_partner(
    kinematics: Kinematics, state: State, act: int, first: int, end: float, reason: Reason
) -> tuple[float, Reason]:
    """The partner's length at an end of its first member, and what that end is to it."""
    robot = kinematics.mechanism.robot
    at = fk(kinematics, {robot.actuators[first].name: end}, state)
    length = float(at.lengths[act])
    bounds = robot.actuators[act].bounds
    own = min(abs(length - bounds.lower), abs(length - bounds.upper)) < 1e-9
    if reason == "singularity":
        return length, "singularity"
    return length, "bound" if own else "partner"
