"""Following a planned motion in simulated time: a course of lengths, and how far it is played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..actuation import Command, length, speed
from ..description import Robot
from ..description.model import FULL_SPEED
from ..errors import CommandError
from ..mechanism.compiled import Floats, Ints

GAIN = 10.0  # [1/s]: part of what a cylinder lags behind that is made good in a second
NEAR, SLOW = 1e-5, 1e-3  # [m], [m/s]: a group that is that near and slow has got to the start
PATIENCE = 5.0  # [s] longer than a group needs at its speed, to get to the start
BEYOND = 1e-6  # [m] that rounding may lead out of a stroke
FASTER = 1e-3  # part of its limit that rounding may add to a speed


@dataclass(frozen=True, eq=False)
class Course:
    """Lengths of some groups over time; between the rows as cubics that keep the speeds.

    Attributes:
        number: of the study that made it.
        groups: positions of the groups that follow it, (m,); the others hold.
        times: [s], (n,), from 0, growing.
        lengths: of these groups' first members [m], (n, m).
        speeds: their time derivatives [m/s], (n, m).
    """

    number: int
    groups: Ints
    times: Floats
    lengths: Floats
    speeds: Floats

    @property
    def duration(self) -> float:
        """Time from start to end [s]."""
        return float(self.times[-1])

    def at(self, seconds: float) -> tuple[Floats, Floats]:
        """Lengths [m] and speeds [m/s] at a moment; at rest before the start and after the end."""
        if seconds <= 0.0:
            return self.lengths[0].copy(), np.zeros(len(self.groups))
        if seconds >= self.duration:
            return self.lengths[-1].copy(), np.zeros(len(self.groups))
        row = int(np.searchsorted(self.times, seconds, side="right")) - 1
        span = self.times[row + 1] - self.times[row]
        s = (seconds - self.times[row]) / span
        before, after = self.lengths[row], self.lengths[row + 1]
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
        return lengths, speeds

    def save(self, path: Path, robot: Robot) -> None:
        """Write it for `read_course`."""
        with path.open("wb") as file:
            np.savez(
                file, machine=np.array(robot.name), names=np.array(robot.group_names),
                groups=self.groups, times=self.times, lengths=self.lengths, speeds=self.speeds,
            )  # fmt: skip


def read_course(path: Path, robot: Robot, number: int) -> Course:
    """A course that was saved, for this machine.

    Raises:
        CommandError: another machine's, or one that leaves the bounds of a cylinder or its speed.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            held = {name: file[name] for name in file.files}
    except (OSError, ValueError):
        raise CommandError("the path is gone: plan it again") from None
    machine, names = str(held["machine"]), tuple(map(str, held["names"]))
    if (machine, names) != (robot.name, tuple(robot.group_names)):
        raise CommandError(f"found a path of {machine!r}, expected one of {robot.name!r}")
    course = Course(number, held["groups"], held["times"], held["lengths"], held["speeds"])
    problems = course_problems(course, robot)
    if problems:
        raise CommandError("; ".join(problems))
    return course


def course_problems(course: Course, robot: Robot) -> list[str]:
    """Everything that keeps a machine from following a course; empty if nothing does."""
    found = []
    for column, group in enumerate(course.groups):
        first = robot.actuators[robot.groups[group][0]]
        lengths, speeds = course.lengths[:, column], course.speeds[:, column]
        low, high = first.bounds.lower, first.bounds.upper
        out = np.maximum(low - lengths, lengths - high)
        if out.max() > BEYOND:
            row = int(out.argmax())
            found.append(
                f"{first.name!r}: found {lengths[row]:.6g} m at {course.times[row]:.4g} s, "
                f"expected {low:g} to {high:g} m; {int((out > BEYOND).sum())} rows are outside"
            )
        limit = first.speed or FULL_SPEED
        steps = np.abs(np.diff(lengths) / np.diff(course.times))
        fast = np.maximum(np.append(steps, 0.0), np.abs(speeds))
        if fast.max() > limit * (1.0 + FASTER):
            row = int(fast.argmax())
            found.append(
                f"{first.name!r}: found {fast[row]:.4g} m/s at {course.times[row]:.4g} s, "
                f"expected at most {limit:g} m/s"
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

    def arrived(self, lengths: Floats, rates: Floats, now: int) -> Playing:
        """The same, along the course from substep `now` on, if the groups stand at its start.

        Lengths [m] and rates [m/s] are those of all groups' first members.
        """
        wanted, _ = self.course.at(self.start)
        groups = self.course.groups
        apart = np.abs(lengths[groups] - wanted).max(initial=0.0)
        if self.there or apart > NEAR or np.abs(rates[groups]).max(initial=0.0) > SLOW:
            return self
        return replace(self, steps=0, begun=now)

    def commands(
        self, robot: Robot, lengths: Floats, count: int, step: float
    ) -> dict[str, Command]:
        """What the groups are told for the next `count` substeps; `lengths` as in `arrived`."""
        groups = self.course.groups
        if not self.there:
            wanted, _ = self.course.at(self.start)
            return {
                robot.group_names[group]: length(float(np.clip(wanted[n], *_ends(robot, group))))
                for n, group in enumerate(groups)
            }
        here, _ = self.course.at(self.moment(step))
        _, then = self.course.at(self.moment(step, count))
        rates = self.rate * then + GAIN * (here - lengths[groups])
        told = {}
        for n, group in enumerate(groups):
            most = robot.actuators[robot.groups[group][0]].speed or FULL_SPEED
            told[robot.group_names[group]] = speed(float(np.clip(rates[n], -most, most)))
        return told


def play(
    course: Course, robot: Robot, lengths: Floats, rate: float, start: float, step: float
) -> Playing:
    """Begin to play, from lengths of all groups' first members [m]."""
    if not 0.0 < rate <= 1.0:
        raise CommandError(f"speed: found {rate:g}, expected more than 0 and at most 1")
    if not 0.0 <= start < course.duration:
        raise CommandError(f"start: found {start:g} s, expected 0 to {course.duration:g} s")
    apart = np.abs(course.at(start)[0] - lengths[course.groups])
    speeds = [robot.actuators[robot.groups[g][0]].speed or FULL_SPEED for g in course.groups]
    longest = float(np.max(apart / np.array(speeds), initial=0.0))
    return Playing(course, rate, start, round((longest + PATIENCE) / step))


def _ends(robot: Robot, group: int) -> tuple[float, float]:
    bounds = robot.actuators[robot.groups[group][0]].bounds
    return bounds.lower, bounds.upper
