"""`fk`: from lengths to a state, on the working branch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...checks import choice, shown
from ...errors import LengthError, PartnerError, SingularityError, StateError, UnknownElementError
from ...mechanism import State, follow
from ...mechanism.blocks import bounds_of
from ...mechanism.compiled import Floats
from . import _kernels as kernels
from .blocks import flat_turns

if TYPE_CHECKING:
    from ..model import Kinematics

EXACT = "exact"
METHODS = (EXACT, "continuation", "paper")
DOUBLE = np.dtype(np.float64)
MAX_TURN = 0.005  # largest joint motion [rad, m] within one part of a continuation


def fk(
    kinematics: Kinematics,
    lengths: ArrayLike | Mapping[str, float],
    start: State | None = None,
    method: str = EXACT,
) -> State:
    """The state in which the cylinders have the given lengths.

    The answer lies on the working branch: the connected set of configurations around home whose
    lengths are inside their bounds. Where that is one sheet over the whole box of lengths, there
    is one answer, whatever the start. Otherwise it is the end of the straight way in length space
    from `start`.

    Args:
        kinematics: the machine, made ready.
        lengths: [m], (n_actuators,) in the order of the description, or (n_groups,), or by
            actuator or group name. What a mapping does not name stays as it is at the start.
        start: a state of the same machine; home if None. Joints that no cylinder drives, and the
            base, stay where they are there.
        method: "exact"; "continuation", the general solver along a straight way; "paper", one
            actuator after the other as in the MineRobot paper.

    Raises:
        StateError: lengths of another number, not finite, or a start of another machine.
        UnknownElementError: no actuator or group of that name.
        LengthError: a length outside its bounds.
        PartnerError: a redundant partner given with another length than follows.
        SingularityError: the machine cannot get there on its branch.
    """
    origin = kinematics.home if start is None else checked_start(kinematics, start)
    if (
        type(lengths) is np.ndarray
        and lengths.dtype is DOUBLE
        and lengths.shape == kinematics.shape
        and lengths.flags.carray
        and method is EXACT
        and kinematics.regular
    ):  # the common case, without detours
        q = np.empty(origin.q.shape)
        if not kernels.forward(
            kinematics.link_i, kinematics.link_f, lengths, origin.q, 1, kinematics.work, q
        ):
            return State.solved(kinematics.mechanism, q, origin.base)
    method = choice("method", method, METHODS)
    if isinstance(lengths, np.ndarray) or not isinstance(lengths, Mapping):
        given, wanted = _numbered(kinematics, lengths)
        return _solved(kinematics, wanted, given, origin, method)
    wanted = _named(kinematics, lengths, origin)
    state = _solved(kinematics, wanted, 0, origin, method)
    _check_named_partners(kinematics, lengths, state)
    return state


def checked_start(kinematics: Kinematics, start: State | None, what: str = "start") -> State:
    """The start, or home if None; StateError if it is no state of this machine."""
    if start is None:
        return kinematics.home
    if not isinstance(start, State):
        raise StateError(f"{what}: found {start!r}, expected a State")
    if start.mechanism is not kinematics.mechanism:
        raise StateError(
            f"{what}: found a state of another machine ({start.mechanism.robot.name!r}), expected "
            f"one of {kinematics.mechanism.robot.name!r}"
        )
    return start


def _solved(
    kinematics: Kinematics, wanted: Floats, given: int, origin: State, method: str
) -> State:
    if method == "exact" and kinematics.regular:
        q = np.empty(origin.q.shape)
        status = kernels.forward(
            kinematics.link_i, kinematics.link_f, wanted, origin.q, given, kinematics.work, q
        )
        if status:
            raise error_of(kinematics, status, wanted)
    elif method == "exact":
        q = _continued(kinematics, wanted, given, origin)
    else:
        q = _by_other_method(kinematics, wanted, given, origin, method)
    return State.solved(kinematics.mechanism, q, origin.base)


def _numbered(kinematics: Kinematics, lengths: ArrayLike) -> tuple[int, Floats]:
    """Whether partners are given, and lengths of all actuators."""
    array = real_array(lengths, "lengths")
    n_acts = kinematics.n_actuators
    if array.shape == (n_acts,):
        return 1, array if array.flags.carray else np.array(array, order="C")
    first = kinematics.first_members
    if array.shape == first.shape:
        wanted = np.zeros(n_acts)
        wanted[first] = array
        return 0, wanted
    raise StateError(
        f"lengths: found shape {array.shape}, expected ({n_acts},), one for each actuator, "
        f"or ({first.size},), one for each redundant group"
    )


def real_array(values: ArrayLike, what: str, expected: str = "numbers [m]") -> Floats:
    """Numbers as doubles; StateError where they are none: text, complex numbers, nothing."""
    if type(values) is np.ndarray and values.dtype == np.float64:
        return values
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        array = np.asarray(None)
    if array.dtype.kind not in "fiu" and array.size:
        raise StateError(f"{what}: found {shown(values)}, expected {expected}")
    return array.astype(np.float64)


def _named(kinematics: Kinematics, lengths: Mapping[str, float], origin: State) -> Floats:
    """Lengths of the origin, with those of the named first members and groups changed."""
    robot = kinematics.mechanism.robot
    wanted = np.array(origin.lengths)
    for name, value in lengths.items():
        act = _first_member(kinematics, name)
        length = _number(name, value)
        if act is None:
            continue  # a partner: compared when the motion is known
        other = next(
            (
                key
                for key in lengths
                if key != name
                and _first_member(kinematics, key) == act
                and _number(key, lengths[key]) != length
            ),
            None,
        )
        if other is not None:
            raise PartnerError(
                f"{name!r} and {other!r} set the same motion: found {length} m and "
                f"{lengths[other]} m, expected one of them, or the same twice",
                robot.actuators[act].name, length, (length, length),
            )  # fmt: skip
        wanted[act] = length
    return wanted


def _first_member(kinematics: Kinematics, name: str) -> int | None:
    """The first member that a name stands for; None if it names a partner."""
    robot = kinematics.mechanism.robot
    if name in robot.group_names:
        return robot.groups[robot.group_names.index(name)][0]
    if name not in robot.actuator_index:
        raise UnknownElementError(
            "actuator or group", name, dict.fromkeys((*robot.actuator_index, *robot.group_names))
        )
    act = robot.actuator_index[name]
    return act if act in kinematics.first_members else None


def _number(name: str, value: object) -> float:
    if isinstance(value, (str, bytes, bool)):
        raise StateError(f"{name!r}: found {value!r}, expected a length [m]")
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise StateError(f"{name!r}: found {shown(value)}, expected a length [m]") from None
    if not np.isfinite(number):
        raise StateError(f"{name!r}: found {value!r}, expected a finite length [m]")
    return number


def _check_named_partners(
    kinematics: Kinematics, lengths: Mapping[str, float], state: State
) -> None:
    robot = kinematics.mechanism.robot
    for name, value in lengths.items():
        if _first_member(kinematics, name) is None:
            act = robot.actuator_index[name]
            if abs(float(value) - state.lengths[act]) > kernels.SLACK:
                raise _partner_error(kinematics, act, float(value), float(state.lengths[act]))


def _partner_error(kinematics: Kinematics, act: int, found: float, follows: float) -> PartnerError:
    robot = kinematics.mechanism.robot
    first = next(members[0] for members in robot.groups if act in members)
    name, leader = robot.actuators[act].name, robot.actuators[first].name
    return PartnerError(
        f"{name!r}: found {found:.9g} m, expected {follows:.9g} m, which follows from its partner "
        f"{leader!r}; set {leader!r} alone and the others follow",
        name, found, (follows, follows),
    )  # fmt: skip


def error_of(kinematics: Kinematics, status: int, wanted: Floats) -> Exception:
    """The error that a kernel's status stands for."""
    code, act = status % kernels.STATUSES, status // kernels.STATUSES
    actuator = kinematics.mechanism.robot.actuators[act]
    found, bounds = float(wanted[act]), (actuator.bounds.lower, actuator.bounds.upper)
    if code == kernels.NOT_FINITE:
        return StateError(f"{actuator.name!r}: found {found}, expected a finite length [m]")
    if code == kernels.OUT_OF_BOUNDS:
        return LengthError(
            f"{actuator.name!r}: found {found:.9g} m, expected {bounds[0]:.9g} to "
            f"{bounds[1]:.9g} m",
            actuator.name, found, bounds,
        )  # fmt: skip
    if code in (kernels.DISAGREES, kernels.PARTNER_OUT):
        first = next(m[0] for m in kinematics.mechanism.robot.groups if act in m)
        follows = float(State(kinematics.mechanism, _left_in(kinematics)).lengths[act])
        if code == kernels.DISAGREES:
            return _partner_error(kinematics, act, found, follows)
        leader = kinematics.mechanism.robot.actuators[first].name
        if bounds[0] - kernels.SLACK <= follows <= bounds[1] + kernels.SLACK:
            low, high = (ends[kinematics.group_of(first)] for ends in kinematics.usable)
            return LengthError(
                f"{leader!r}: found {float(wanted[first]):.9g} m, but on the way there its partner "
                f"{actuator.name!r} leaves its bounds; expected {low:.9g} to {high:.9g} m",
                leader, float(wanted[first]), (float(low), float(high)),
            )  # fmt: skip
        return LengthError(
            f"{actuator.name!r}: its length follows from its partner {leader!r}; with {leader!r} "
            f"at {float(wanted[first]):.9g} m it would be {follows:.9g} m, expected "
            f"{bounds[0]:.9g} to {bounds[1]:.9g} m",
            actuator.name, follows, bounds,
        )  # fmt: skip
    return _unreachable(kinematics, act, found)


def _left_in(kinematics: Kinematics) -> Floats:
    """Joint positions of the variables that the last call of the kernel has left behind."""
    theta = kinematics.work[: len(kinematics.plan.variables)]
    q = np.array(kinematics.home.q)
    kernels.joints(kinematics.link_i, kinematics.link_f, theta, q)
    return q


def _unreachable(kinematics: Kinematics, act: int, found: float) -> SingularityError:
    name = kinematics.mechanism.robot.actuators[act].name
    for block, reach in zip(kinematics.plan.blocks, kinematics.reaches, strict=True):
        members = [kinematics.first_members[group] for group in block.groups]
        if act in members and reach.interval is not None:
            low, high = reach.interval
            return SingularityError(
                f"{name!r}: found {found:.9g} m, which lies beyond a dead centre; from here it "
                f"reaches {low:.9g} to {high:.9g} m",
                name, reach.interval,
            )  # fmt: skip
    return SingularityError(f"{name!r}: found {found:.9g} m, which cannot be reached", name)


def _continued(kinematics: Kinematics, wanted: Floats, given: int, origin: State) -> Floats:
    """Straight-line continuation by the general solver, with the same checks."""
    mechanism = kinematics.mechanism
    low, high = bounds_of(mechanism)
    counted = np.arange(wanted.size) if given else kinematics.first_members
    for act in counted:
        name, found = mechanism.robot.actuators[act].name, float(wanted[act])
        if not np.isfinite(found):
            raise StateError(f"{name!r}: found {found}, expected a finite length [m]")
        if not low[act] - kernels.SLACK <= found <= high[act] + kernels.SLACK:
            raise LengthError(
                f"{name!r}: found {found:.9g} m, expected {low[act]:.9g} to {high[act]:.9g} m",
                name, found, (float(low[act]), float(high[act])),
            )  # fmt: skip
    target = np.array(origin.lengths)
    target[kinematics.first_members] = wanted[kinematics.first_members]
    solution = follow(mechanism, origin.q, np.array(origin.lengths), target, max_turn=MAX_TURN)
    if not solution.solved:
        raise _stopped(kinematics, np.array(origin.lengths), target, solution.reached)
    _check_flat(kinematics, origin.q, solution.q)
    found_lengths = State(mechanism, solution.q).lengths
    for members in mechanism.robot.groups:
        for act in members[1:]:
            follows = float(found_lengths[act])
            if given and abs(float(wanted[act]) - follows) > kernels.SLACK:
                raise _partner_error(kinematics, act, float(wanted[act]), follows)
            if not low[act] - kernels.SLACK <= follows <= high[act] + kernels.SLACK:
                name, leader = (mechanism.robot.actuators[i].name for i in (act, members[0]))
                raise LengthError(
                    f"{name!r}: its length follows from its partner {leader!r}; it would be "
                    f"{follows:.9g} m, expected {low[act]:.9g} to {high[act]:.9g} m",
                    name, follows, (float(low[act]), float(high[act])),
                )  # fmt: skip
    return solution.q


def _check_flat(kinematics: Kinematics, q_start: Floats, q: Floats) -> None:
    """Refuse a way on which a four-bar lay flat: its branches meet there, and none is the way on.

    Raises:
        SingularityError: naming an actuator of the block that moves the four-bar.
    """
    packer = kinematics.packer
    if packer is None:
        return
    thetas = np.zeros((2, len(kinematics.plan.variables)))
    for theta, positions in zip(thetas, (q_start, q), strict=True):
        kernels.start(kinematics.link_i, kinematics.link_f, positions, theta)
    for number, variable in enumerate(kinematics.plan.variables):
        if variable.four_bar < 0:
            continue
        low, high = flat_turns(np.array(packer.bars_f[variable.four_bar]))
        before, after = (low < theta < high for theta in thetas[:, number])
        if before != after:
            group = next(b.groups[0] for b in kinematics.plan.blocks if number in b.variables)
            name = kinematics.mechanism.robot.actuators[kinematics.first_members[group]].name
            raise SingularityError(
                f"{name!r}: on the way there a four-bar lies flat, where it can go on in two ways",
                name,
            )


def _stopped(
    kinematics: Kinematics, start: Floats, target: Floats, reached: float
) -> SingularityError:
    """The way ends before its end: name the actuator with the most of its stroke to go.

    Groups of blocks whose branch is not one sheet are the likelier cause.
    """
    low, high = bounds_of(kinematics.mechanism)
    first = kinematics.first_members
    parts = np.abs(target - start)[first] / np.maximum(high - low, 1e-9)[first]
    for block, reach in zip(kinematics.plan.blocks, kinematics.reaches, strict=True):
        if reach.regular:
            parts[list(block.groups)] *= 1e-6
    act = int(first[int(np.argmax(parts))])
    name = kinematics.mechanism.robot.actuators[act].name
    stop = float(start[act] + reached * (target[act] - start[act]))
    interval, where = (min(float(start[act]), stop), max(float(start[act]), stop)), "on this way"
    for block, reach in zip(kinematics.plan.blocks, kinematics.reaches, strict=True):
        if reach.interval is not None and act == first[block.groups[0]]:
            interval, where = reach.interval, "from there"
    return SingularityError(
        f"{name!r}: found {target[act]:.9g} m, but the way there from {start[act]:.9g} m meets a "
        f"singular pose after {100 * reached:.3g} % of it; {where} it reaches "
        f"{interval[0]:.9g} to {interval[1]:.9g} m",
        name, interval,
    )  # fmt: skip


def _by_other_method(
    kinematics: Kinematics, wanted: Floats, given: int, origin: State, method: str
) -> Floats:
    if method == "continuation":
        return _continued(kinematics, wanted, given, origin)
    from ..paper.sequential import sequential

    return sequential(kinematics, wanted, given, origin)
