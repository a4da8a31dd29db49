"""`trajectory`: a link through via points, as fast as its drives allow.

Via points -> smooth curve -> inverse kinematics at close samples, each from the one before
(appendix C.2 of the MineRobot paper) -> lengths of cylinders and positions of servos as smooth
functions of the way -> timing.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..checks import flag, function, number
from ..description import FULL_SPEED, RISE, Robot, output_path, write_file
from ..errors import ExportError, StateError, UnreachableError
from ..kinematics import checked_start, drives_batch, elsewhere, fk_batch, ik_batch
from ..mechanism import Floats, Ints, State
from ..spatial import pose_error, quaternions_from_matrices
from .curve import POSITION_ONLY, SHOWN, Curve, ViaPoint, make_curve, via_poses
from .timing import Timing, fastest
from .workspaces import usable_ends

if TYPE_CHECKING:
    from ..kinematics import IKBatch, Kinematics

Progress = Callable[[int, int], None]
Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]

CHUNK = 256  # samples in one call of inverse kinematics
BEGINNINGS = 8  # other poses that a motion is begun in, where an arm cannot follow from the first
NEAR = 0.1  # of an interval: a row that near to one of a via point is left out
MOST_ROWS = 2_000_000
SLOWEST = 1e-6  # part of its speed at which a motion can be run
SEEN = 1e-3  # [m, rad] off the curve that a picture shows
PINNED = 1e-9  # [m, rad] from an end of the stroke at which a drive counts as stopped there
SURELY_MISSED = 1.0  # [m] by which a via point missed from its neighbour is out of reach on any way
FAR = 20.0  # [m] away from the machine's reach: nobody means that in metres


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A motion of the machine in time, from rest to rest.

    Attributes:
        state: the machine where it begins.
        link: the link that follows the curve.
        times: [s], (n,): evenly spaced, and the moments at the via points.
        drives: lengths of all actuators [m], then positions of the servos [rad, m], (n, n_drives).
        rates: their time derivatives [m/s, rad/s], (n, n_drives).
        poses: X_world_link that these give, (n, 4, 4).
        targets: X_world_link on the curve, (n, 4, 4); axes are the world's if `free`.
        free: whether orientations are free.
        reachable: whether the curve was reached there, (n,); else the pose is the closest found.
        via_rows: which rows are those of the via points, (n_via,).
        limits: of every drive's speed [m/s, rad/s], (n_drives,).
        assumed: names of moving drives whose limit is not known: 0.1 m/s and 1 rad/s are taken.
    """

    state: State
    link: str
    times: Floats
    drives: Floats
    rates: Floats
    poses: Floats
    targets: Floats
    free: bool
    reachable: Bools
    via_rows: Ints
    limits: Floats
    assumed: tuple[str, ...]

    @property
    def actuators(self) -> tuple[str, ...]:
        """Names of the actuators, in the order of the columns of `lengths`."""
        return tuple(self.state.mechanism.robot.actuator_index)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the drives, in the order of the columns of `drives`."""
        return self.state.mechanism.robot.drive_names

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the columns of `drives`."""
        return self.state.mechanism.robot.drive_units

    @property
    def lengths(self) -> Floats:
        """Lengths of all actuators [m], (n, n_actuators)."""
        return self.drives[:, : len(self.actuators)]

    @property
    def speeds(self) -> Floats:
        """Their time derivatives [m/s], (n, n_actuators)."""
        return self.rates[:, : len(self.actuators)]

    @property
    def duration(self) -> float:
        """Time from start to end [s]."""
        return float(self.times[-1])

    @property
    def position_errors(self) -> Floats:
        """How far the link's origin is from the curve [m], (n,)."""
        apart = self.poses[:, :3, 3] - self.targets[:, :3, 3]
        found: Floats = np.linalg.norm(apart, axis=1)
        return found

    @property
    def angle_errors(self) -> Floats:
        """How far the link is turned from the curve's orientation [rad], (n,); 0 if free."""
        if self.free:
            return np.zeros(len(self.times))
        pairs = zip(self.poses, self.targets, strict=True)
        return np.array([np.linalg.norm(pose_error(X, Y)[:3]) for X, Y in pairs])

    def slowed(self, part: float) -> Trajectory:
        """The same motion at a part of its speed, above 0 to 1; accelerations shrink by its square.

        Raises:
            StateError: another part.
        """
        part = number("part", part, least=SLOWEST, most=1.0)
        return replace(self, times=self.times / part, rates=self.rates * part)

    def save(self, path: str | Path) -> Path:
        """Write times, drives, their rates and poses as .csv or .json, whole or not at all.

        Raises:
            ExportError: another suffix, or a file that cannot be written.
        """
        path = checks.path("path", path)
        check_plan_file(path)
        write_file(path, self._csv() if path.suffix.lower() == ".csv" else self._json())
        return path

    def plot(self, path: str | Path, folder: str | Path | None = None) -> Path:
        """Draw the way, and the drives and their rates over time, as .png, .svg or .pdf.

        Args:
            path: the file to write.
            folder: the machine file's folder, for its meshes.

        Raises:
            ExportError: another suffix, or a file that cannot be written.
            MissingExtraError: matplotlib is not installed.
        """
        from ..pictures import DrawnMotion, draw_motion

        off = (self.position_errors > SEEN) | (self.angle_errors > SEEN)
        motion = DrawnMotion(
            self.state, self.link, self.times, self.poses[:, :3, 3], self.targets[:, :3, 3],
            off, self.via_rows, self.drives, self.rates, self.limits, self.assumed,
        )  # fmt: skip
        return draw_motion(motion, path, checks.folder("folder", folder))

    def _csv(self) -> str:
        text = io.StringIO()
        write = csv.writer(text, lineterminator="\n").writerow
        named = zip(self.names, self.units, strict=True)
        of_each = [(f"{name} [{unit}]", f"{name} [{unit}/s]") for name, unit in named]
        place = [f"{self.link} {axis} [m]" for axis in "xyz"]
        turn = [f"{self.link} q{axis}" for axis in "wxyz"]
        write(["time [s]", *(title for pair in of_each for title in pair), *place, *turn])
        moving = np.stack([self.drives, self.rates], axis=2).reshape(len(self.times), -1)
        columns = [
            self.times[:, None],
            moving,
            self.poses[:, :3, 3],
            quaternions_from_matrices(self.poses[:, :3, :3]),
        ]
        for row in np.hstack(columns) + 0.0:  # no negative zeros
            write([f"{value:.12g}" for value in row])
        return text.getvalue()

    def _json(self) -> str:
        """Servos have names of their own beside lengths and speeds, where there are some."""
        n = len(self.actuators)
        units = {"times": "s", "lengths": "m", "speeds": "m/s", "positions": "m",
                 "quats": "wxyz, of the link in the world"}  # fmt: skip
        servos: dict[str, Any] = {}
        if len(self.names) > n:
            units |= {"servos": "rad, or m of a slide", "servo_speeds": "rad/s, or m/s of a slide"}
            servos = {
                "servos": _by_name(self.names[n:], self.drives[:, n:]),
                "servo_speeds": _by_name(self.names[n:], self.rates[:, n:]),
            }
        content: dict[str, Any] = {
            "machine": self.state.mechanism.robot.name,
            "link": self.link,
            "units": units,
            "via_rows": self.via_rows.tolist(),
            "times": self.times.tolist(),
            "lengths": _by_name(self.actuators, self.lengths),
            "speeds": _by_name(self.actuators, self.speeds),
            **servos,
            "positions": self.poses[:, :3, 3].tolist(),
            "quats": quaternions_from_matrices(self.poses[:, :3, :3]).tolist(),
            "reachable": self.reachable.tolist(),
        }  # fmt: skip
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        via = len(self.via_rows)
        return f"Trajectory({self.link}: {via} via points, {self.duration:.2f} s, {len(self)} rows)"


def _by_name(names: Sequence[str], columns: Floats) -> dict[str, list[float]]:
    """Columns of numbers by name, without negative zeros."""
    return dict(zip(names, (columns.T + 0.0).tolist(), strict=True))


def check_plan_file(path: Path) -> None:
    """Refuse a file that `Trajectory.save` cannot write, before the work is done."""
    if path.suffix.lower() not in (".csv", ".json"):
        raise ExportError(f"{path}: trajectories are written as .csv, .json")
    output_path(path)


def trajectory(
    kinematics: Kinematics,
    link: str,
    via_points: Sequence[ViaPoint],
    start: State | None = None,
    weights: ArrayLike | None = None,
    step: float = 0.01,
    interval: float = 0.02,
    link_speed: float | None = None,
    closest: bool = False,
    progress: Progress | None = None,
    standing: State | None = None,
) -> Trajectory:
    """Lead a link through via points, from rest to rest, and as fast as its drives allow.

    No cylinder, redundant partners included, is faster than its `speed`, or 0.1 m/s where the
    machine file does not tell, and no servo faster than its `max_speed`, or 1 rad/s; none
    accelerates harder than its `acceleration`, or to full speed in half a second. Between via
    points the link follows a smooth curve; where the machine cannot (the curve leaves its
    workspace, or it has fewer freedoms than the curve asks for) it is as near as can be, see
    `Trajectory.position_errors`.

    Args:
        kinematics: the machine, made ready.
        link: name of a main link.
        via_points: each a position [m], (3,), with orientations left free; a pose, (4, 4); or
            lengths [m] and positions of servos [rad, m] by name, as in `fk`. All in the world.
        start: a state that the motion begins in, before the first via point; if None it begins
            at the first via point. Groups that do not move the link stay as there.
        weights: of the six components of the pose error, as in `ik`.
        step: distance of the samples along the curve [m].
        interval: between the rows [s].
        link_speed: limit of the speed of the link's origin [m/s]; None for none.
        closest: whether a via point that cannot be reached is passed as near as can be.
        progress: called with the number of samples solved and of all.
        standing: the machine as it stands, if the motion does not begin there: its base, and groups
            that do not move the link; at home if None.

    Raises:
        UnknownElementError: no main link of that name.
        StateError: a link that no drive moves; via points that are none, too few or twice the
            same; a step that is none.
        UnreachableError: a via point that cannot be reached.
    """
    standing = checked_start(kinematics, standing, "standing")
    origin = standing if start is None else checked_start(kinematics, start)
    kinematics.inverse_solver(link).check_moved()  # complains about unknown links too
    step = number("step", step, above=0.0, unit="m")
    interval = number("interval", interval, above=0.0, unit="s")
    if link_speed is not None:
        link_speed = number("link_speed", link_speed, above=0.0, unit="m/s")
    closest = flag("closest", closest)
    function("progress", progress)
    poses, free = via_poses(kinematics, link, via_points, origin)
    alone, led = None, _Led(kinematics, link, weights, POSITION_ONLY if free else None)
    if len(poses) and not closest:  # before the many samples of a curve that leads nowhere
        far = led.alone(poses, origin)
        _check_reached(far, poses, np.arange(len(poses)), free, SURELY_MISSED)
        alone = far.reachable
    curve, leading = _curve(poses, free, None if start is None else start.pose(link))
    u, at_via = curve.samples(step)
    beginnings = _beginnings(kinematics, link, origin, start is None)
    way = led.along(curve.poses(u), beginnings, progress)
    if not closest:
        _check_reached(way, curve.poses(u), at_via[leading:], free, alone=alone)
    drives = _interpolated(kinematics, u, way.drives)
    speeds, accelerations, assumed = _limits(kinematics, way.drives)
    timing = _timing(drives, u, curve, speeds, accelerations, link_speed)
    times, via_rows = _times(timing, at_via[leading:], interval)
    at, rate = timing.at(times)
    rows = np.clip(drives(at)[:, kinematics.leaders], *usable_ends(kinematics))
    placed = fk_batch(kinematics, rows, (link,), origin)
    after = np.clip(np.searchsorted(u, at), 1, len(u) - 1)
    return Trajectory(
        State(kinematics.mechanism, placed.joints[0], origin.base),
        link,
        times,
        drives_batch(kinematics, placed.joints),
        drives(at, 1) * rate[:, None],
        placed.poses[:, 0],
        curve.poses(at),
        free,
        way.reachable[after] & way.reachable[after - 1],
        via_rows,
        speeds,
        assumed,
    )


def _curve(poses: Floats, free: bool, begin: Floats | None) -> tuple[Curve, int]:
    """The curve, and how many of its knots come before the first via point."""
    leading = 0
    if begin is not None and len(poses):
        apart = np.abs(begin - poses[0])
        leading = int((apart[:3, 3] if free else apart).max() > 1e-9)
        poses = np.concatenate([begin[None][:leading], poses])
    if len(poses) < 2:
        need = "two via points, or one and a start elsewhere"
        raise StateError(f"via points: found {len(poses) - leading}, expected at least {need}")
    return make_curve(poses, free), leading


@dataclass(frozen=True, eq=False)
class _Way:
    """What inverse kinematics found at the curve's samples: drives, poses, whether reached."""

    drives: Floats
    poses: Floats
    reachable: Bools


@dataclass(frozen=True, eq=False)
class _Led:
    """The link that is led, and what of its pose error counts, as in `ik`."""

    kinematics: Kinematics
    link: str
    weights: ArrayLike | None
    mask: ArrayLike | None

    def alone(self, poses: Floats, origin: State) -> _Way:
        """Drives for the via points alone.

        By servos each is looked for from the origin, since an arm may have to bend the other way
        between two of them; else from the one before.
        """
        chained = not len(self.kinematics.mechanism.servos)
        found = self._reach(poses, origin, chained=chained, links=(self.link,), base=origin.base)
        return _Way(found.drives, found.poses[:, 0], found.reachable)

    def along(
        self, targets: Floats, beginnings: Iterator[State], progress: Progress | None
    ) -> _Way:
        """The way from the first beginning that leads along all the curve, or along most of it."""
        best: _Way | None = None
        for origin in beginnings:
            way = self._follow(targets, origin, progress)
            if best is None or way.reachable.sum() > best.reachable.sum():
                best = way
            if way.reachable.all():
                break
        assert best is not None
        return best

    def _follow(self, targets: Floats, origin: State, progress: Progress | None) -> _Way:
        """Drives for every target, each found from the one before, without a jump."""
        parts, now = [], origin
        for at in range(0, len(targets), CHUNK):
            part = self._reach(targets[at : at + CHUNK], now, restarts=0)
            parts.append(part)
            now = State(self.kinematics.mechanism, part.joints[-1], origin.base)
            if progress is not None:
                progress(min(at + CHUNK, len(targets)), len(targets))
        drives = np.concatenate([part.drives for part in parts])
        rows = drives[:, self.kinematics.leaders]
        poses = fk_batch(self.kinematics, rows, (self.link,), origin).poses[:, 0]
        return _Way(drives, poses, np.concatenate([part.reachable for part in parts]))

    def _reach(self, targets: Floats, start: State, **options: Any) -> IKBatch:
        return ik_batch(
            self.kinematics, self.link, targets, start, self.weights, self.mask, **options
        )


def reached_alone(
    kinematics: Kinematics, link: str, poses: Floats, origin: State, mask: ArrayLike | None
) -> _Way:
    """Drives for via points alone, whatever the way between them."""
    return _Led(kinematics, link, None, mask).alone(poses, origin)


def _beginnings(
    kinematics: Kinematics, link: str, origin: State, anywhere: bool
) -> Iterator[State]:
    """States to follow the curve from: the origin, and others if it may begin `anywhere`."""
    yield origin
    if anywhere and len(kinematics.mechanism.servos):
        yield from elsewhere(kinematics, link, origin, BEGINNINGS)


def _check_reached(
    way: _Way, targets: Floats, at_via: Ints, free: bool, least: float = 0.0,
    alone: Bools | None = None,
) -> None:  # fmt: skip
    """Complain about the via points that were not reached; the error is of the worst.

    Those that were missed by less than `least` [m] are left out. `alone` tells which of them can
    be reached if the way does not matter, (n_via,).
    """
    found = []
    for n, row in enumerate(at_via):
        apart = float(np.linalg.norm(way.poses[row, :3, 3] - targets[row, :3, 3]))
        if way.reachable[row] or apart < least:
            continue
        error = pose_error(way.poses[row], targets[row])
        found.append((n, apart, 0.0 if free else float(np.linalg.norm(error[:3]))))
    if not found:
        return
    lines = [
        f"via[{n}]: cannot be reached: the closest is {apart:.4g} m away"
        + ("" if free else f" and turned by {angle:.4g} rad")
        for n, apart, angle in found
    ]
    more = f"\n  ... and {len(lines) - SHOWN} more" if len(lines) > SHOWN else ""
    worst = max(found, key=lambda entry: entry[1] + entry[2])
    if alone is not None and all(alone[n] for n, _, _ in found):
        more += (
            "\n  on this way: the machine would have to bend the other way in between; begin "
            "elsewhere, or lead it there by another via point"
        )
    if worst[1] > FAR:
        more += "\n  positions are in metres: were these given in millimetres?"
    raise UnreachableError("\n  ".join(lines[:SHOWN]) + more, *worst)


def _interpolated(kinematics: Kinematics, u: Floats, drives: Floats) -> Any:
    """All drives as functions of u: twice continuously differentiable.

    Where one stops at an end of its stroke there is a bend, round which that spline would
    swing beyond the end; then once continuously differentiable, without swinging.
    """
    from scipy.interpolate import CubicSpline, PchipInterpolator

    low, high = usable_ends(kinematics)
    leading = drives[:, kinematics.leaders]
    moving = np.ptp(leading, axis=0) > PINNED
    pinned = ((leading < low + PINNED) | (leading > high - PINNED))[:, moving].any()
    return PchipInterpolator(u, drives) if pinned else CubicSpline(u, drives)


def _limits(kinematics: Kinematics, drives: Floats) -> tuple[Floats, Floats, tuple[str, ...]]:
    """Limits of speed and acceleration of all drives, and which moving ones are assumed."""
    speeds, accelerations, unknown = drive_limits(kinematics.mechanism.robot)
    moving = np.flatnonzero(np.ptp(drives, axis=0) > PINNED)
    names = [kinematics.mechanism.robot.drive_names[drive] for drive in moving]
    return speeds, accelerations, tuple(name for name in names if name in unknown)


def drive_limits(robot: Robot) -> tuple[Floats, Floats, tuple[str, ...]]:
    """Limits of speed and acceleration of all drives [unit/s, unit/s^2], and whose is assumed."""
    servos = robot.inputs[len(robot.groups) :]
    known = [a.speed for a in robot.actuators] + [each.speed for each in servos]
    hardest = [a.acceleration for a in robot.actuators] + [each.acceleration for each in servos]
    full = [a.speed or FULL_SPEED for a in robot.actuators] + [each.full_speed for each in servos]
    unknown = (name for name, speed in zip(robot.drive_names, known, strict=True) if speed is None)
    accelerations = [a or speed / RISE for a, speed in zip(hardest, full, strict=True)]
    return np.array(full), np.array(accelerations), tuple(unknown)


def _timing(
    drives: Any, u: Floats, curve: Curve, speeds: Floats, accelerations: Floats,
    link_speed: float | None,
) -> Timing:  # fmt: skip
    """The fastest timing, slowed down by what it is too fast between the samples."""
    with np.errstate(divide="ignore"):
        most = np.inf if link_speed is None else link_speed / curve.speed(u)
    timing = fastest(
        u, drives(u, 1), drives(u, 2), speeds, accelerations, np.broadcast_to(most, u.shape)
    )
    at, rate = timing.at(np.linspace(0.0, timing.t[-1], 20 * len(u)))
    excess = float(np.max(np.abs(drives(at, 1) * rate[:, None]) / speeds, initial=0.0))
    if link_speed is not None:
        excess = max(excess, float(np.max(curve.speed(at) * rate)) / link_speed)
    return timing.stretched(excess * (1.0 + 1e-9)) if excess > 1.0 else timing


def _times(timing: Timing, at_via: Ints, interval: float) -> tuple[Floats, Ints]:
    """Times of the rows, and which of them are those of the via points."""
    at_points = timing.t[at_via]
    end = float(timing.t[-1])
    if end / interval > MOST_ROWS:
        raise StateError(
            f"interval: found {interval:g} s for a motion of {end:.4g} s, expected no more than "
            f"{MOST_ROWS} rows"
        )
    even = np.linspace(0.0, end, max(2, int(np.ceil(end / interval)) + 1))
    apart = np.abs(even[:, None] - at_points).min(axis=1)
    times = np.union1d(even[apart > NEAR * interval], at_points)
    return times, np.searchsorted(times, at_points)
