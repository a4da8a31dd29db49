"""How far a cylinder can go from where it stands, the others locked, and what ends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from ..description import Robot
from ..errors import LengthError, SingularityError, UnknownElementError
from ..mechanism import State
from .forward.solve import checked_start, fk

if TYPE_CHECKING:
    from .model import Kinematics

Reason = Literal["bound", "partner", "singularity"]
SAMPLES = 32
FINEST = 1e-12  # [m] to which an end is narrowed down
BEFORE = 1e-6  # of the way to a dead centre: so near to it the machine is looked at


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

    A group's name stands for its first member.

    The length of a redundant partner follows its group's first member, which is what moves: the
    partner's interval is what it passes through, and its first member's bound is a partner's.

    Raises:
        UnknownElementError: no actuator or group of that name.
        StateError: a state of another machine.
    """
    robot = kinematics.mechanism.robot
    act = _member(robot, actuator)
    state = checked_start(kinematics, state, "state")
    first = int(kinematics.first_members[kinematics.group_of(act)])
    bounds = robot.actuators[first].bounds
    ends = [_end(kinematics, state, first, bound) for bound in (bounds.lower, bounds.upper)]
    if act != first:
        ends = _seen_by_partner(kinematics, state, act, first, ends)
    (low, low_reason), (high, high_reason) = ends
    return Stroke(low, high, low_reason, high_reason)


def _member(robot: Robot, name: str) -> int:
    """The actuator of that name, or the first member of the group of that name."""
    if isinstance(name, str):
        if name in robot.actuator_index:
            return robot.actuator_index[name]
        if name in robot.group_names:
            return robot.groups[robot.group_names.index(name)][0]
    names = dict.fromkeys((*robot.actuator_index, *robot.group_names))
    raise UnknownElementError("actuator or group", name, names)


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
            length = towards + BEFORE * (now - towards)
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
    reach = kinematics.reach_of(kinematics.group_of(first))
    if reach is None or reach.interval is None:
        return bound, "bound"
    nearest = min(reach.interval, key=lambda end: abs(end - bound))
    return nearest, "bound" if nearest == bound else "singularity"


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


def _last_possible(length: Callable[[float], float], end: float, other: float) -> float:
    """The place next to an end at which there still is a pose: the end, or just before it."""
    for back in (0.0, 1e-14, 1e-12, 1e-10, 1e-8):
        place = end + back * (other - end)
        try:
            length(place)
        except (SingularityError, LengthError):
            continue
        return place
    return end + BEFORE * (other - end)


def _seen_by_partner(
    kinematics: Kinematics, state: State, act: int, first: int, ends: list[tuple[float, Reason]]
) -> list[tuple[float, Reason]]:
    """The shortest and longest length of a partner while its first member goes between its ends.

    It may have either in between, at a dead centre of its own.
    """
    actuators = kinematics.mechanism.robot.actuators
    leader, bounds = actuators[first].name, actuators[act].bounds
    reasons = dict(ends)
    (start, _), (stop, _) = ends

    def length(x: float) -> float:
        return float(fk(kinematics, {leader: x}, state).lengths[act])

    edges = [_last_possible(length, start, stop), _last_possible(length, stop, start)]
    places = np.linspace(edges[0], edges[1], SAMPLES + 1)
    values = np.array([length(float(x)) for x in places])
    found: list[tuple[float, Reason]] = []
    for sign in (1.0, -1.0):
        best = int(np.argmin(sign * values))
        value = float(values[best])
        if 0 < best < SAMPLES:
            near = minimize_scalar(
                lambda x, sign=sign: sign * length(float(x)),
                bounds=(float(places[best - 1]), float(places[best + 1])),
                method="bounded",
                options={"xatol": 1e-10},
            )
            found.append((sign * float(near.fun), "singularity"))
            continue
        why = reasons[start if best == 0 else stop]
        if why != "singularity":
            own = min(abs(value - bounds.lower), abs(value - bounds.upper)) < 1e-9
            why = "bound" if own else "partner"
        found.append((value, why))
    return found
