"""The study of a path: via points become a motion in time, as files and as facts.

Beside ``path.csv`` and ``path.json`` (see `Trajectory.save`) it leaves ``path.bin`` for the page,
little-endian: four uint32 (`MAGIC`, rows n, drives m, via points k), then float32

    times        n          [s]
    lengths      n x m      of all cylinders [m], then positions of servos [rad, m]
    speeds       n x m      [m/s, rad/s]
    positions    n x 3      of the link's origin in the world [m]
    off          n          from the curve [m]
    limiting     n          number of the drive that is at its limit there, -1 if none is
    share        n          of its limit that this drive, or the nearest to it, takes
    via rows     k          rows of the via points
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import ConfigDict, Field

from ..description import Robot
from ..errors import StateError
from ..machine import Machine
from ..mechanism import Floats, Ints
from ..planning import (
    POSITION_ONLY,
    SURELY_MISSED,
    Trajectory,
    drive_limits,
    moving_inputs,
    reached_alone,
    trajectory,
)
from ..sim import Course
from ..spatial import compose, matrix_from_quaternion, pose_error
from .study import Bench, StudyOutcome

MAGIC = 0x54504648  # "HFPT"
COURSE_FILE = "course.npz"  # what physics plays; not among the files that are told
FILES = ("path.csv", "path.json", "path.bin")
MOST_VIA = 10_000
UNIT = 1e-3  # how far a quaternion's norm may be from 1
MISSED = 1e-5  # [m, rad] from a via point that is not reached
AT_LIMIT = 0.95  # share of a limit from which a drive counts as limiting

Finite = Annotated[float, Field(allow_inf_nan=False)]
Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class Via:
    """A via point: position [m] and orientation (w, x, y, z) of the link in the world."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    position: tuple[Finite, Finite, Finite]
    quaternion: tuple[Finite, Finite, Finite, Finite] | None = None


@dataclass(frozen=True, slots=True)
class PathRequest:
    """What is to be planned.

    Attributes:
        via: the via points, in their order.
        link: a main link; the end effector if empty.
        oriented: orientations count; then every via point has one.
        from_here: begin where the machine stands, before the first via point; so does a path
            of one via point.
        closest: pass what is out of reach as near as can be.
        link_speed: limit of the speed of the link's origin [m/s].
        part: of the fastest motion's speed, above 0 to 1.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")
    via: Annotated[tuple[Via, ...], Field(min_length=1, max_length=MOST_VIA)]
    link: str = ""
    oriented: bool = False
    from_here: bool = False
    closest: bool = False
    link_speed: Annotated[float, Field(gt=0.0, allow_inf_nan=False)] | None = None
    part: Annotated[float, Field(gt=0.0, le=1.0, allow_inf_nan=False)] = 1.0


def plan_path(bench: Bench, request: PathRequest) -> StudyOutcome:
    """Plan a path; without one where via points are out of reach, then all of them are named."""
    machine, state = bench.machine, bench.state
    link = chosen_link(machine, request.link)
    targets = _targets(request)
    bench.progress(0.02, "looking at the via points")
    if not request.closest:
        far = _misses_alone(bench, link, targets, request.oriented)
        if any(each["distance"] > SURELY_MISSED for each in far):
            return StudyOutcome({"planned": False, "link": link, "missed": far})
    via: list[Any] = list(targets if request.oriented else targets[:, :3, 3])
    motion = trajectory(
        machine.kinematics,
        link,
        via,
        start=state if request.from_here or len(via) == 1 else None,
        standing=state,
        link_speed=request.link_speed,
        closest=True,
        interval=0.02 * request.part,
        progress=lambda done, of: bench.progress(0.05 + 0.85 * done / of, "solving the way"),
    )
    missed = _misses(motion)
    if missed and not request.closest:
        return StudyOutcome({"planned": False, "link": link, "missed": missed})
    bench.progress(0.92, "writing the files")
    return finished(bench, motion, request.part, missed)


def chosen_link(machine: Machine, name: str) -> str:
    """The link of that name; the end effector if there is no name."""
    if name:
        return name
    if machine.robot.end_effector is None:
        raise StateError("link: the machine's file names no end effector, expected a link")
    return machine.robot.end_effector


def finished(
    bench: Bench, motion: Trajectory, part: float, missed: list[dict[str, Any]]
) -> StudyOutcome:
    """The files and facts of a motion, slowed to a part of its speed."""
    robot = bench.machine.robot
    limiting, share, kinds = limits_met(motion, robot)
    motion = motion.slowed(part)
    motion.save(bench.folder / "path.csv")
    motion.save(bench.folder / "path.json")
    (bench.folder / "path.bin").write_bytes(packed(motion, limiting, share))
    course_of(bench.machine, motion).save(bench.folder / COURSE_FILE, robot)
    weights = np.gradient(motion.times)
    weights /= weights.sum()
    return StudyOutcome(
        {
            "planned": True,
            "link": motion.link,
            "free": motion.free,
            "duration": motion.duration,
            "way": float(np.linalg.norm(np.diff(motion.poses[:, :3, 3], axis=0), axis=1).sum()),
            "rows": len(motion),
            "cylinders": list(motion.names),
            "units": list(motion.units),
            "limits": motion.limits.tolist(),
            "assumed": list(motion.assumed),
            "largest_error": float(motion.position_errors.max()),
            "largest_angle": float(motion.angle_errors.max()),
            "via_times": motion.times[motion.via_rows].tolist(),
            "missed": missed,
            "limiting": [
                {
                    "cylinder": name,
                    "speed": float(weights[(limiting == i) & kinds].sum()),
                    "acceleration": float(weights[(limiting == i) & ~kinds].sum()),
                }
                for i, name in enumerate(motion.names)
                if (limiting == i).any()
            ],
        },
        FILES,
    )


def packed(motion: Trajectory, limiting: Ints, share: Floats) -> bytes:
    """A motion as ``path.bin``."""
    rows, drives = motion.drives.shape
    head = struct.pack("<4I", MAGIC, rows, drives, len(motion.via_rows))
    parts = (
        motion.times, motion.drives, motion.rates, motion.poses[:, :3, 3],
        motion.position_errors, limiting, share, motion.via_rows,
    )  # fmt: skip
    return head + b"".join(np.asarray(part).astype("<f4").tobytes() for part in parts)


def course_of(machine: Machine, motion: Trajectory) -> Course:
    """What physics plays: the groups and servos that move the link, and whatever else moves."""
    leaders = machine.kinematics.leaders
    values, speeds = motion.drives[:, leaders], motion.rates[:, leaders]
    moving = set(moving_inputs(machine.kinematics, motion.link))
    moving |= set(np.flatnonzero(np.ptp(values, axis=0) > 1e-9).tolist())
    inputs = np.array(sorted(moving), dtype=np.int64)
    return Course(0, inputs, motion.times, values[:, inputs], speeds[:, inputs])


def limits_met(motion: Trajectory, robot: Robot) -> tuple[Ints, Floats, Bools]:
    """Which drive is at its limit in every row.

    Returns:
        Its number, or -1 if none is, (n,); the share of its limit, (n,); and whether that is its
        limit of speed, else of acceleration, (n,).
    """
    speeds = np.abs(motion.rates) / motion.limits
    _, hardest, _ = drive_limits(robot)
    rates = np.gradient(motion.rates, motion.times, axis=0)
    shares = np.stack([speeds, np.abs(rates) / hardest])  # (2, n, drives)
    count = shares.shape[2]
    nearest = shares.transpose(1, 0, 2).reshape(len(motion), -1).argmax(axis=1)
    kind, drive = np.divmod(nearest, count)
    share = shares[kind, np.arange(len(motion)), drive]
    return np.where(share >= AT_LIMIT, drive, -1), share, kind == 0


# ------------------------------------------------------------------ via points


def _targets(request: PathRequest) -> Floats:
    """Poses of the via points, (n, 4, 4); StateError with every one that is wrong."""
    poses, wrong = [], []
    for number, via in enumerate(request.via):
        R = np.eye(3)
        if request.oriented and via.quaternion is None:
            wrong.append(f"via[{number}]: found no orientation, expected one")
        elif request.oriented and via.quaternion is not None:
            norm = float(np.linalg.norm(via.quaternion))
            if abs(norm - 1.0) > UNIT:
                wrong.append(f"via[{number}]: found a quaternion of norm {norm:.4g}, expected 1")
            else:
                R = matrix_from_quaternion(np.array(via.quaternion) / norm)
        poses.append(compose(R, via.position))
    if wrong:
        raise StateError("\n".join(wrong))
    return np.array(poses)


def _misses_alone(bench: Bench, link: str, targets: Floats, oriented: bool) -> list[dict[str, Any]]:
    """Via points that are missed when the machine goes straight from one to the next."""
    kinematics = bench.machine.kinematics
    mask = None if oriented else POSITION_ONLY
    kinematics.inverse_solver(link).check_moved()
    found = reached_alone(kinematics, link, targets, bench.state, mask)
    return [
        _miss(number, found.poses[number], targets[number], oriented)
        for number in np.flatnonzero(~found.reachable).tolist()
    ]


def _misses(motion: Trajectory) -> list[dict[str, Any]]:
    """Via points that the motion misses, each with what is left."""
    found = []
    for number, row in enumerate(motion.via_rows.tolist()):
        miss = _miss(number, motion.poses[row], motion.targets[row], not motion.free)
        if miss["distance"] > MISSED or miss["angle"] > MISSED:
            found.append(miss)
    return found


def _miss(number: int, pose: Floats, target: Floats, oriented: bool) -> dict[str, Any]:
    angle = float(np.linalg.norm(pose_error(pose, target)[:3])) if oriented else 0.0
    apart = float(np.linalg.norm(pose[:3, 3] - target[:3, 3]))
    return {"via": number, "distance": apart, "angle": angle}
