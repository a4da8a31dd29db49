"""`fk`: from lengths of cylinders and positions of servos to a state, on the working branch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...checks import choice, shown
from ...errors import LengthError, PartnerError, SingularityError, StateError, UnknownElementError
from ...loading import load_baseline
from ...mechanism import Floats, State, bounds_of
from ..errors import disagrees, error_of, not_finite, out_of_bounds, partner_out
from . import block_solving as kernels
from .blocks import flat_turns
from .way import follow_drives

if TYPE_CHECKING:
    from ..model import Kinematics

EXACT = "exact"
METHODS = (EXACT, "continuation", "paper")
DOUBLE = np.dtype(np.float64)


def fk(
    kinematics: Kinematics,
    lengths: ArrayLike | Mapping[str, float],
    start: State | None = None,
    method: str = EXACT,
) -> State:
    """The state in which the cylinders have the given lengths, and servos their positions.

    The answer lies on the working branch: the connected set of configurations around home whose
    lengths are inside their bounds. Where that is one sheet over the whole box of lengths, there
    is one answer, whatever the start. Otherwise it is the end of the straight way in length space
    from `start`.

    Args:
        kinematics: the machine, made ready.
        lengths: of all actuators [m], then positions of the servos [rad, m], (n_drives,), in the
            order of `Robot.drive_names`; or of the inputs alone, (n_inputs,), in the order of
            `Robot.inputs`; or by the name of an actuator, a group, a servo or its joint. What a
            mapping does not name stays as it is at the start.
        start: a state of the same machine; home if None. Joints that nothing drives, and the
            base, stay where they are there.
        method: "exact"; "continuation", the general solver along a straight way; "paper", one
            actuator after the other as in the MineRobot paper.

    Raises:
        StateError: lengths of another number, not finite, or a start of another machine.
        UnknownElementError: no actuator, group or servo of that name.
        LengthError: a length outside its bounds, or a position outside its limits.
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
        and kinematics.plain
    ):  # the common case, without detours
        q = np.empty(origin.q.shape)
        if not kernels.forward(kinematics.link, lengths, origin.q, 1, kinematics.work, q):
            return State.solved(kinematics.mechanism, q, origin.base)
    method = choice("method", method, METHODS)
    if isinstance(lengths, np.ndarray) or not isinstance(lengths, Mapping):
        given, wanted = numbered(kinematics, lengths)
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
    servos, n_acts = kinematics.mechanism.servos, kinematics.n_actuators
    if len(servos):
        check_servos(kinematics, wanted[n_acts:])
        if servos.tied.any():
            q = _continued(kinematics, wanted, given, origin)
            return State.solved(kinematics.mechanism, q, origin.base)
        q = servos.turned(origin.q, wanted[n_acts:])
        origin, wanted = State.solved(kinematics.mechanism, q, origin.base), wanted[:n_acts]
        if not n_acts:
            return origin
    if method == "exact" and kinematics.regular:
        q = np.empty(origin.q.shape)
        status = kernels.forward(kinematics.link, wanted, origin.q, given, kinematics.work, q)
        if status:
            raise error_of(kinematics, status, wanted)
    elif method == "exact":
        q = _continued(kinematics, wanted, given, origin)
    else:
        q = _by_other_method(kinematics, wanted, given, origin, method)
    return State.solved(kinematics.mechanism, q, origin.base)


def numbered(kinematics: Kinematics, lengths: ArrayLike, rows: str = "") -> tuple[int, Floats]:
    """Whether partners are given, and values of all drives, (n_drives,), or with rows "n, "."""
    array = real_array(lengths, "lengths")
    shape, leaders = array.shape, kinematics.leaders
    if len(shape) == (2 if rows else 1):
        if shape[-1:] == kinematics.shape:
            return 1, array if array.flags.carray else np.array(array, order="C")
        if shape[-1:] == leaders.shape:
            wanted = np.zeros(shape[:-1] + kinematics.shape)
            wanted[..., leaders] = array
            return 0, wanted
    raise StateError(f"lengths: found shape {shape}, expected {_shapes(kinematics, rows)}")


def _shapes(kinematics: Kinematics, rows: str) -> str:
    """Which shapes of lengths a machine takes, for messages; `rows` stands before the number."""
    servo = " and servo" if len(kinematics.mechanism.servos) else ""
    sizes = kinematics.shape[0], kinematics.leaders.size
    one, other = (f"({rows}{n}{'' if rows else ','})" for n in sizes)
    return f"{one}, one for each actuator{servo}, or {other}, one for each redundant group{servo}"


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
    """Drives of the origin, with the named first members, groups and servos changed."""
    robot = kinematics.mechanism.robot
    wanted = np.array(origin.drives)
    set_by: dict[int, str] = {}
    for name, value in lengths.items():
        drive, number = _leader(kinematics, name), _number(kinematics, name, value)
        if drive is None:
            continue  # a partner: compared when the motion is known
        first = set_by.setdefault(drive, name)
        if first != name and wanted[drive] != number:
            unit, length = robot.drive_units[drive], float(wanted[drive])
            raise PartnerError(
                f"{first!r} and {name!r} set the same motion: found {length} {unit} and "
                f"{value} {unit}, expected one of them, or the same twice",
                robot.drive_names[drive], length, (length, length),
            )  # fmt: skip
        wanted[drive] = number
    return wanted


def _leader(kinematics: Kinematics, name: str) -> int | None:
    """The drive that a name stands for; None if it names a partner."""
    drive = kinematics.drive_of.get(name) if isinstance(name, str) else None
    if drive is not None:
        return drive
    robot = kinematics.mechanism.robot
    if any(name in (motor.name, motor.joint) for motor in robot.joint_drives):
        raise StateError(
            f"{name!r}: a motor that spins has no position to go to, expected one with "
            '"servo": true'
        )
    if name not in robot.actuator_index:
        kind = "actuator, group or servo" if robot.servos else "actuator or group"
        names = dict.fromkeys((*robot.actuator_index, *kinematics.drive_of))
        raise UnknownElementError(kind, name, names)
    return None


def _number(kinematics: Kinematics, name: str, value: object) -> float:
    drive, what = _leader(kinematics, name), "a length [m]"
    if drive is not None and drive >= kinematics.n_actuators:
        what = f"a position [{kinematics.mechanism.robot.drive_units[drive]}]"
    if isinstance(value, (str, bytes, bool)):
        raise StateError(f"{name!r}: found {value!r}, expected {what}")
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise StateError(f"{name!r}: found {shown(value)}, expected {what}") from None
    if not np.isfinite(number):
        raise StateError(f"{name!r}: found {value!r}, expected a finite {what[2:]}")
    return number


def check_servos(kinematics: Kinematics, positions: Floats) -> None:
    """Refuse positions that are not finite, or outside the limits of their joints."""
    inputs = kinematics.mechanism.robot.inputs[len(kinematics.first_members) :]
    for each, position in zip(inputs, positions.tolist(), strict=True):
        if not np.isfinite(position):
            what = f"a finite position [{each.unit}]"
            raise StateError(f"{each.name!r}: found {position}, expected {what}")
        if not each.lower - kernels.SLACK <= position <= each.upper + kernels.SLACK:
            raise LengthError(
                f"{each.name!r}: found {position:.9g} {each.unit}, expected {each.expected}",
                each.name, position, (each.lower, each.upper),
            )  # fmt: skip


def _check_named_partners(
    kinematics: Kinematics, lengths: Mapping[str, float], state: State
) -> None:
    robot = kinematics.mechanism.robot
    for name, value in lengths.items():
        if _leader(kinematics, name) is None:
            act = robot.actuator_index[name]
            if abs(float(value) - state.lengths[act]) > kernels.SLACK:
                raise disagrees(kinematics, act, float(value), float(state.lengths[act]))


def _continued(kinematics: Kinematics, wanted: Floats, given: int, origin: State) -> Floats:
    """Straight-line continuation by the general solver, with the same checks."""
    mechanism = kinematics.mechanism
    low, high = bounds_of(mechanism)
    counted = np.arange(low.size) if given else kinematics.first_members
    for act in counted:
        found = float(wanted[act])
        if not np.isfinite(found):
            raise not_finite(kinematics, act, found)
        if not low[act] - kernels.SLACK <= found <= high[act] + kernels.SLACK:
            raise out_of_bounds(kinematics, act, found)
    target = np.array(origin.drives)
    leaders = kinematics.leaders[kinematics.leaders < wanted.size]  # servos may be there already
    target[leaders] = wanted[leaders]
    solution = follow_drives(origin, target)
    if not solution.solved:
        raise _stopped(kinematics, np.array(origin.drives), target, solution.reached)
    _check_flat(kinematics, origin.q, solution.q)
    found_lengths = State(mechanism, solution.q).lengths
    for members in mechanism.robot.groups:
        for act in members[1:]:
            follows = float(found_lengths[act])
            if given and abs(float(wanted[act]) - follows) > kernels.SLACK:
                raise disagrees(kinematics, act, float(wanted[act]), follows)
            if not low[act] - kernels.SLACK <= follows <= high[act] + kernels.SLACK:
                raise partner_out(kinematics, act, follows)
    return solution.q


def _check_flat(kinematics: Kinematics, q_start: Floats, q: Floats) -> None:
    """Refuse a way on which a four-bar lay flat: its branches meet there, and none is the way on.

    Raises:
        SingularityError: naming what moves the four-bar, an actuator of its block or a servo.
    """
    packer = kinematics.packer
    if packer is None:
        return
    thetas = np.zeros((2, len(kinematics.plan.variables)))
    for theta, positions in zip(thetas, (q_start, q), strict=True):
        frozen = np.array(positions)
        frozen.flags.writeable = False
        kernels.start(kinematics.link, frozen, theta)
    for number, variable in enumerate(kinematics.plan.variables):
        if variable.four_bar < 0:
            continue
        low, high = flat_turns(packer.four_bars[variable.four_bar])
        before, after = (low < theta < high for theta in thetas[:, number])
        if before != after:
            name = _moved_by(kinematics, number)
            raise SingularityError(
                f"{name!r}: on the way there a four-bar lies flat, where it can go on in two ways",
                name,
            )


def _moved_by(kinematics: Kinematics, variable: int) -> str:
    """An actuator or a servo that sets a variable; else the joint that it is."""
    robot = kinematics.mechanism.robot
    for block in kinematics.plan.blocks:
        if variable in block.variables:
            return robot.actuators[robot.groups[block.groups[0]][0]].name
    joint = robot.joints[kinematics.plan.variables[variable].joint].name
    return next((each.name for each in robot.inputs if each.joint == joint), joint)


def _stopped(
    kinematics: Kinematics, start: Floats, target: Floats, reached: float
) -> SingularityError:
    """The way ends before its end: name the drive with the most of its stroke to go.

    Groups of blocks whose branch is not one sheet are the likelier cause.
    """
    inputs, leaders = kinematics.mechanism.robot.inputs, kinematics.leaders
    strokes = np.array([min(each.upper - each.lower, np.pi) for each in inputs])
    parts = np.abs(target - start)[leaders] / np.maximum(strokes, 1e-9)
    reaches = [kinematics.reach_of(group) for group in range(len(kinematics.first_members))]
    parts[[n for n, reach in enumerate(reaches) if reach is not None and reach.regular]] *= 1e-6
    worst = int(np.argmax(parts))
    name, unit, drive = inputs[worst].element, inputs[worst].unit, inputs[worst].drive
    stop = float(start[drive] + reached * (target[drive] - start[drive]))
    ends = min(float(start[drive]), stop), max(float(start[drive]), stop)
    interval, where = ends, "on this way"
    reach = kinematics.reach_of(worst)
    if reach is not None and reach.interval is not None:
        interval, where = reach.interval, "from there"
    return SingularityError(
        f"{name!r}: found {target[drive]:.9g} {unit}, but the way there from {start[drive]:.9g} "
        f"{unit} meets a singular pose after {100 * reached:.3g} % of it; {where} it reaches "
        f"{interval[0]:.9g} to {interval[1]:.9g} {unit}",
        name, interval,
    )  # fmt: skip


def _by_other_method(
    kinematics: Kinematics, wanted: Floats, given: int, origin: State, method: str
) -> Floats:
    if method == "continuation":
        return _continued(kinematics, wanted, given, origin)
    sequential = load_baseline("sequential")
    q: Floats = sequential(kinematics, wanted, given, origin)
    return q
