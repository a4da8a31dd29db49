"""The study that takes a file of via points or of a planned motion, and tells all its problems."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from pydantic import ConfigDict, Field

from ..description import Input, parse
from ..errors import HeadframeError, suggest
from ..kinematics import drives_batch, fk_batch
from ..machine import Machine
from ..mechanism import Floats, State
from ..planning import (
    LARGEST_VIA_FILE,
    Trajectory,
    ViaFileError,
    drive_limits,
    read_via_file,
    via_poses,
)
from ..sim import Course, course_problems
from ..spatial import quaternions_from_matrices
from .path import chosen_link, finished
from .study import Bench, StudyOutcome

MOST_ROWS = 200_000
SHOWN = 20  # problems that are told
RESTING = 0.01  # of its limit: a drive that slow is at rest
PARTNER = 1e-3  # [m] that a cylinder may differ from what its group's first one makes of it
UNFIT = 0.2  # of its limit that a speed may differ from the lengths' own


class MotionFileError(HeadframeError):
    """A file that cannot be used. `problems` lists everything found in it."""

    def __init__(self, problems: Sequence[str]) -> None:
        """Keep the problems; the text shows the first of them."""
        self.problems = tuple(problems)
        more = len(problems) - SHOWN
        shown = [*problems[:SHOWN], *([f"... and {more} more"] if more > 0 else [])]
        super().__init__("\n".join(shown))


@dataclass(frozen=True, slots=True)
class FileRequest:
    """A file by its name, which tells its kind (.json or .csv), and its text."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    name: Annotated[str, Field(min_length=5, max_length=256)]
    text: Annotated[str, Field(max_length=LARGEST_VIA_FILE)]


def read_path(bench: Bench, request: FileRequest) -> StudyOutcome:
    """Via points as facts, or a planned motion as the files of a path."""
    if request.name.lower().endswith(".csv"):
        return _motion(bench, _from_csv(request.text))
    value, found = parse(request.text)
    if isinstance(value, dict) and "via" in value:
        return _via_points(bench, request.text)
    if found.problems:
        raise MotionFileError([str(p) for p in found.placed(request.text)[0]])
    if isinstance(value, dict) and "times" in value:
        return _motion(bench, _from_json(value))
    raise MotionFileError(["found neither 'via' nor 'times', expected via points or a motion"])


# ------------------------------------------------------------------ via points


def _via_points(bench: Bench, text: str) -> StudyOutcome:
    file = bench.folder / "given.json"
    file.write_text(text, encoding="utf-8")
    try:
        given = read_via_file(file)
    except ViaFileError as error:
        raise MotionFileError([str(problem) for problem in error.problems]) from None
    finally:
        file.unlink()
    machine = bench.machine
    link = chosen_link(machine, given.link or "")
    machine.kinematics.inverse_solver(link)
    poses, free = via_poses(machine.kinematics, link, given.points, bench.state)
    turns = [None] * len(poses) if free else quaternions_from_matrices(poses[:, :3, :3]).tolist()
    via = [
        {"position": position, "quaternion": turn}
        for position, turn in zip(poses[:, :3, 3].tolist(), turns, strict=True)
    ]
    return StudyOutcome({"via": via, "link": link, "oriented": not free})


# --------------------------------------------------------------------- motions


@dataclass
class _Rows:
    """What a file tells: numbers by name, and everything that is wrong with it so far."""

    machine: str = ""
    link: str = ""
    times: list[float] = field(default_factory=list)
    lengths: dict[str, list[float]] = field(default_factory=dict)
    speeds: dict[str, list[float]] = field(default_factory=dict)
    via_rows: list[int] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def _from_json(value: Mapping[str, Any]) -> _Rows:
    rows = _Rows()
    for name in ("machine", "link"):
        given = value.get(name, "")
        if isinstance(given, str):
            setattr(rows, name, given)
        else:
            rows.problems.append(f"{name}: found {given!r:.60}, expected a name")
    rows.times = _numbers(value["times"], "times", rows.problems)
    for name, held in (
        ("lengths", rows.lengths), ("servos", rows.lengths),
        ("speeds", rows.speeds), ("servo_speeds", rows.speeds),
    ):  # fmt: skip
        given = value.get(name, {})
        if not isinstance(given, dict):
            whose = "servo" if name.startswith("servo") else "cylinder"
            rows.problems.append(f"{name}: found {given!r:.60}, expected lists by {whose}")
            continue
        for key, numbers in given.items():
            held[key] = _numbers(numbers, f"{name}.{key}", rows.problems)
    via = value.get("via_rows", [])
    whole = isinstance(via, list) and all(type(row) is int for row in via)
    if not whole or any(not 0 <= row < len(rows.times) for row in via):
        rows.problems.append(f"via_rows: found {via!r:.60}, expected numbers of rows")
    else:
        rows.via_rows = sorted(set(via))
    return rows


def _from_csv(text: str) -> _Rows:
    """Columns by their titles: ``time [s]``, ``NAME [m]``, ``NAME [m/s]``; others are left out.

    Servos that turn have ``[rad]`` and ``[rad/s]``.
    """
    rows = _Rows()
    try:
        table = list(csv.reader(io.StringIO(text), strict=True))
    except csv.Error as error:
        rows.problems.append(f"not CSV: {error}")
        return rows
    titles = [title.strip() for title in table[0]] if table else []
    if "time [s]" not in titles:
        rows.problems.append(f"line 1: found {titles!r:.80}, expected a column 'time [s]'")
        return rows
    columns: dict[int, tuple[str, list[float]]] = {}
    for column, title in enumerate(titles):
        name, _, unit = title.rpartition(" [")
        if title == "time [s]":
            columns[column] = title, rows.times
        elif (unit == "m]" and name[-2:] not in (" x", " y", " z")) or unit == "rad]":
            columns[column] = title, rows.lengths.setdefault(name, [])
        elif unit == "m]" and name.endswith(" x"):
            rows.link = name[:-2]
        elif unit in ("m/s]", "rad/s]"):
            columns[column] = title, rows.speeds.setdefault(name, [])
    for number, line in enumerate(table[1:], start=2):
        if not line:
            continue
        if len(line) != len(titles):
            rows.problems.append(f"line {number}: found {len(line)} fields, expected {len(titles)}")
            continue
        for column, (title, held) in columns.items():
            held.append(_number(line[column], f"line {number}, {title}", rows.problems))
    return rows


def _number(text: str, place: str, problems: list[str]) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        problems.append(f"{place}: found {text!r:.40}, expected a finite number")
        return 0.0
    return value


def _numbers(value: Any, place: str, problems: list[str]) -> list[float]:
    if not isinstance(value, list):
        problems.append(f"{place}: found {value!r:.60}, expected a list of numbers")
        return []
    for number, each in enumerate(value):
        plain = isinstance(each, int | float) and not isinstance(each, bool)
        if not plain or not math.isfinite(each):
            problems.append(f"{place}[{number}]: found {each!r:.40}, expected a finite number")
            return []
    return [float(each) for each in value]


def _motion(bench: Bench, rows: _Rows) -> StudyOutcome:
    """The path of a file; MotionFileError with all that keeps the machine from following it."""
    machine, problems = bench.machine, rows.problems
    if rows.machine and rows.machine != machine.name:
        problems.append(f"machine: found {rows.machine!r}, expected {machine.name!r}")
    if not problems:  # else numbers may be missing
        _check_times(rows, problems)
        _check_names(machine, rows, problems)
    if problems:
        raise MotionFileError(problems)
    course = _course(machine, rows)
    problems += course_problems(course, machine.robot)
    _check_rest(machine, rows, course, problems)
    _check_speeds(machine, rows, course, problems)
    if problems:
        raise MotionFileError(problems)
    bench.progress(0.3, "placing the machine")
    motion = _trajectory(bench, rows, course)
    _check_partners(machine, rows, motion, problems)
    if problems:
        raise MotionFileError(problems)
    return finished(bench, motion, 1.0, [])


def _check_times(rows: _Rows, problems: list[str]) -> None:
    times = np.array(rows.times)
    if not 2 <= len(times) <= MOST_ROWS:
        problems.append(f"times: found {len(times)} rows, expected 2 to {MOST_ROWS}")
        return
    if times[0] != 0.0:
        problems.append(f"times: found {times[0]:g} s in the first row, expected 0")
    back = np.flatnonzero(np.diff(times) <= 0.0)
    if back.size:
        row = int(back[0]) + 1
        problems.append(
            f"times[{row}]: found {times[row]:g} s after {times[row - 1]:g} s, expected more; "
            f"{back.size} rows are so"
        )


def _check_names(machine: Machine, rows: _Rows, problems: list[str]) -> None:
    robot = machine.robot
    for kind, held in (("lengths", rows.lengths), ("speeds", rows.speeds)):
        for name, numbers in held.items():
            if name not in robot.drive_names:
                problems.append(f"{kind}.{name}: {suggest(name, robot.drive_names)}")
            elif len(numbers) != len(rows.times):
                problems.append(
                    f"{kind}.{name}: found {len(numbers)} numbers, expected {len(rows.times)}"
                )
    firsts = [each.element for each in robot.inputs]
    if not any(name in rows.lengths for name in firsts):
        problems.append(f"lengths: found none of {', '.join(firsts)}, expected one at least")
    for members, first in zip(robot.groups, firsts, strict=False):  # servos have no partners
        given = [robot.actuators[i].name for i in members[1:]]
        if first not in rows.lengths and any(name in rows.lengths for name in given):
            problems.append(f"lengths.{first}: is missing, and sets the motion of its group")
    mains = machine.mechanism.robot.link_index
    if rows.link and rows.link not in mains:
        problems.append(f"link: {suggest(rows.link, mains)}")


def _course(machine: Machine, rows: _Rows) -> Course:
    """Values and speeds of the inputs that the file moves; speeds that it lacks are the values'.

    They begin and end at rest, and are nowhere faster than the lengths between two rows.
    """
    from scipy.interpolate import PchipInterpolator

    robot, times = machine.robot, np.array(rows.times)
    inputs, lengths, speeds = [], [], []
    for number, each in enumerate(robot.inputs):
        name = each.element
        if name not in rows.lengths:
            continue
        inputs.append(number)
        lengths.append(np.array(rows.lengths[name]))
        told = rows.speeds.get(name)
        if told is None:
            told = PchipInterpolator(times, lengths[-1])(times, 1)
            told[[0, -1]] = 0.0
        speeds.append(told)
    return Course(
        0, np.array(inputs, dtype=np.int64), times, np.array(lengths).T, np.array(speeds).T
    )


def _check_rest(machine: Machine, rows: _Rows, course: Course, problems: list[str]) -> None:
    for row, where in ((0, "first"), (-1, "last")):
        for each, speed in _values(machine, course, course.speeds[row]):
            if each.element in rows.speeds and abs(speed) > RESTING * each.full_speed:
                problems.append(
                    f"{each.element!r}: found {speed:.4g} {each.unit}/s in the {where} row, "
                    "expected rest"
                )


def _check_speeds(machine: Machine, rows: _Rows, course: Course, problems: list[str]) -> None:
    """Speeds that are told must be those of the lengths."""
    mean = np.diff(course.values, axis=0) / np.diff(course.times)[:, None]
    apart = np.abs(0.5 * (course.speeds[1:] + course.speeds[:-1]) - mean)
    worst = apart.argmax(axis=0)
    for column, (each, off) in enumerate(_values(machine, course, apart.max(axis=0))):
        if each.element in rows.speeds and off > UNFIT * each.full_speed:
            row = int(worst[column])
            whose = "positions" if each.joint else "lengths"
            problems.append(
                f"{each.element!r}: found speeds that differ by {off:.4g} {each.unit}/s from those "
                f"of the {whose} at {course.times[row]:.4g} s"
            )


def _values(machine: Machine, course: Course, values: Floats) -> list[tuple[Input, float]]:
    """The inputs of a course, with a value of each."""
    inputs = [machine.robot.inputs[number] for number in course.inputs]
    return list(zip(inputs, values.tolist(), strict=True))


def _trajectory(bench: Bench, rows: _Rows, course: Course) -> Trajectory:
    """The motion of the whole machine; what the file does not name stays as it stands."""
    machine, kinematics = bench.machine, bench.machine.kinematics
    link = chosen_link(machine, rows.link)
    kinematics.inverse_solver(link)  # complains about links that are parts of cylinders
    leaders = kinematics.leaders
    all_of_them = np.tile(bench.state.inputs, (len(course.times), 1))
    all_of_them[:, course.inputs] = course.values
    placed = fk_batch(kinematics, all_of_them, (link,), bench.state)
    drives = drives_batch(kinematics, placed.joints)
    rates = np.gradient(drives, course.times, axis=0)  # of partners
    rates[:, leaders] = 0.0
    rates[:, leaders[course.inputs]] = course.speeds
    limits, _, assumed = drive_limits(machine.robot)
    poses = placed.poses[:, 0]
    return Trajectory(
        State(machine.mechanism, placed.joints[0], bench.state.base),
        link, course.times, drives, rates, poses, poses, True,
        np.ones(len(course.times), dtype=bool), np.array(rows.via_rows, dtype=np.int64),
        limits, assumed,
    )  # fmt: skip


def _check_partners(machine: Machine, rows: _Rows, motion: Trajectory, problems: list[str]) -> None:
    """Cylinders that follow the first of their group must be told as they will be."""
    for number, actuator in enumerate(machine.robot.actuators):
        if actuator.name not in rows.lengths:
            continue
        apart = np.abs(np.array(rows.lengths[actuator.name]) - motion.lengths[:, number])
        if apart.max() > PARTNER:
            row = int(apart.argmax())
            found, made = rows.lengths[actuator.name][row], motion.lengths[row, number]
            problems.append(
                f"{actuator.name!r}: found {found:.6g} m at {motion.times[row]:.4g} s, but its "
                f"group makes it {made:.6g} m"
            )
