"""Following a planned motion in simulated time: a course of the drives, how far it is played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ..actuation import Command, length, position, speed
from ..description import Input, Robot
from ..errors import CommandError
from ..mechanism import Floats, Ints

GAIN = 10.0  # [1/s]: part of what a drive lags behind that is made good in a second
NEAR, SLOW = 1e-5, 1e-3  # [m, rad], [m/s, rad/s]: so near and slow, a drive is at the start
PATIENCE = 5.0  # [s] longer than a drive needs at its speed, to get to the start
BEYOND = 1e-6  # [m, rad] that rounding may lead out of a stroke
FASTER = 1e-3  # part of its limit that rounding may add to a speed


@dataclass(frozen=True, eq=False)
class Course:
    """Values of some inputs over time; between the rows as cubics that keep the speeds.

    A cubic may swing beyond what the rows reach, as at an end of a stroke: there it is cut.

    Attributes:
        number: of the study that made it.
        inputs: positions in `Robot.inputs` of those that follow it, (m,); the others hold.
        times: [s], (n,), from 0, growing.
        values: lengths of groups' first members [m], or positions of servos [rad, m], (n, m).
        speeds: their time derivatives [m/s, rad/s], (n, m).
    """

    number: int
    inputs: Ints
    times: Floats
    values: Floats
    speeds: Floats

    @property
    def duration(self) -> float:
        """Time from start to end [s]."""
        return float(self.times[-1])

    def at(self, seconds: float) -> tuple[Floats, Floats]:
        """Values and speeds at a moment; at rest before the start and after the end."""
        if seconds <= 0.0:
            return self.values[0].copy(), np.zeros(len(self.inputs))
        if seconds >= self.duration:
            return self.values[-1].copy(), np.zeros(len(self.inputs))
        row = int(np.searchsorted(self.times, seconds, side="right")) - 1
        span = self.times[row + 1] - self.times[row]
        s = (seconds - self.times[row]) / span
        before, after = self.values[row], self.values[row + 1]
        leave, enter = span * self.speeds[row], span * self.speeds[row + 1]
        lengths: Floats = (
            before
            + s * s * (3.0 - 2.0 * s) * (after - before)
            + s * (1.0 - s) ** 2 * leave
            - s * s * (1.0 - s) * enter
        )
        speeds: Floats = (
            6.0 * s * (1.0 - s) * (after - before)
            + (1.0 - s) * (1.0 - 3.0 * s) * leave
            + s * (3.0 * s - 2.0) * enter
        ) / span
        return np.clip(lengths, *self._extremes), speeds

    @cached_property
    def _extremes(self) -> tuple[Floats, Floats]:
        """Least and largest value of each input in any row, (m,) each."""
        return self.values.min(axis=0), self.values.max(axis=0)

    def save(self, path: Path, robot: Robot) -> None:
        """Write it for `read_course`."""
        with path.open("wb") as file:
            np.savez(
                file, machine=np.array(robot.name), names=np.array(_names(robot), dtype=str),
                inputs=self.inputs, times=self.times, values=self.values, speeds=self.speeds,
            )  # fmt: skip


def read_course(path: Path, robot: Robot, number: int) -> Course:
    """A course that was saved, for this machine.

    Raises:
        CommandError: another machine's, or one that leaves the bounds of a drive or its speed.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            held = {name: file[name] for name in file.files}
    except (OSError, ValueError):
        raise CommandError("the path is gone: plan it again") from None
    machine, names = str(held["machine"]), tuple(map(str, held["names"]))
    if (machine, names) != (robot.name, _names(robot)):
        raise CommandError(f"found a path of {machine!r}, expected one of {robot.name!r}")
    course = Course(number, held["inputs"], held["times"], held["values"], held["speeds"])
    problems = course_problems(course, robot)
    if problems:
        raise CommandError("; ".join(problems))
    return course


def course_problems(course: Course, robot: Robot) -> list[str]:
    """Everything that keeps a machine from following a course; empty if nothing does."""
    found = []
    for column, number in enumerate(course.inputs):
        each = robot.inputs[number]
        values, speeds = course.values[:, column], course.speeds[:, column]
        out = np.maximum(each.lower - values, values - each.upper)
        if out.max() > BEYOND:
            row = int(out.argmax())
            found.append(
                f"{each.element!r}: found {values[row]:.6g} {each.unit} at "
                f"{course.times[row]:.4g} s, expected {each.lower:g} to {each.upper:g} "
                f"{each.unit}; {int((out > BEYOND).sum())} rows are outside"
            )
        steps = np.abs(np.diff(values) / np.diff(course.times))
        fast = np.maximum(np.append(steps, 0.0), np.abs(speeds))
        if fast.max() > each.full_speed * (1.0 + FASTER):
            row = int(fast.argmax())
            found.append(
                f"{each.element!r}: found {fast[row]:.4g} {each.unit}/s at "
                f"{course.times[row]:.4g} s, expected at most {each.full_speed:g} {each.unit}/s"
            )
    return found


@dataclass(frozen=True)
class Playing:
    """A course that is being played: first to where it starts, then along it.

    Attributes:
        course: what is played.
        rate: seconds of the course in a simulated second, above 0 to 1.
        start: where in the course it begins [s].
        steps: substeps that it has been played for, or waited for to get to the start.
        begun: the session's substep at the start of the course; -1 on the way there.
        patience: substeps that the way to the start may take.
    """

    course: Course
    rate: float
    start: float
    patience: int
    steps: int = 0
    begun: int = -1

    @property
    def there(self) -> bool:
        """Whether the course itself is played."""
        return self.begun >= 0

    def moment(self, step: float, more: int = 0) -> float:
        """Where in the course it is, after so many substeps more of `step` seconds [s]."""
        return self.start + (self.steps + more) * step * self.rate

    def over(self, step: float) -> bool:
        """Whether it is at the end, or has waited long enough."""
        if not self.there:
            return self.steps > self.patience
        return self.moment(step) >= self.course.duration

    def later(self, count: int) -> Playing:
        """The same after so many substeps."""
        return replace(self, steps=self.steps + count)

    def arrived(self, values: Floats, rates: Floats, now: int) -> Playing:
        """The same, along the course from substep `now` on, if the inputs stand at its start.

        Values [m, rad] and rates are those of all inputs.
        """
        wanted, _ = self.course.at(self.start)
        inputs = self.course.inputs
        apart = np.abs(values[inputs] - wanted).max(initial=0.0)
        if self.there or apart > NEAR or np.abs(rates[inputs]).max(initial=0.0) > SLOW:
            return self
        return replace(self, steps=0, begun=now)

    def commands(self, robot: Robot, values: Floats, count: int, step: float) -> dict[str, Command]:
        """What the inputs are told for the next `count` substeps; `values` as in `arrived`."""
        led = [robot.inputs[number] for number in self.course.inputs]
        if not self.there:
            wanted, _ = self.course.at(self.start)
            return {each.name: _go_to(each, float(wanted[n])) for n, each in enumerate(led)}
        here, _ = self.course.at(self.moment(step))
        _, then = self.course.at(self.moment(step, count))
        rates = self.rate * then + GAIN * (here - values[self.course.inputs])
        return {
            each.name: speed(float(np.clip(rates[n], -each.full_speed, each.full_speed)))
            for n, each in enumerate(led)
        }


def play(
    course: Course, robot: Robot, values: Floats, rate: float, start: float, step: float
) -> Playing:
    """Begin to play, from values of all inputs [m, rad]."""
    if not 0.0 < rate <= 1.0:
        raise CommandError(f"speed: found {rate:g}, expected more than 0 and at most 1")
    if not 0.0 <= start < course.duration:
        raise CommandError(f"start: found {start:g} s, expected 0 to {course.duration:g} s")
    apart = np.abs(course.at(start)[0] - values[course.inputs])
    speeds = [robot.inputs[number].full_speed for number in course.inputs]
    longest = float(np.max(apart / np.array(speeds), initial=0.0))
    return Playing(course, rate, start, round((longest + PATIENCE) / step))


def _go_to(each: Input, value: float) -> Command:
    """The command that brings an input to a value, of which rounding may lead out of its ends."""
    inside = min(max(value, each.lower), each.upper)
    return position(inside) if each.joint else length(inside)


def _names(robot: Robot) -> tuple[str, ...]:
    return tuple(each.name for each in robot.inputs)
