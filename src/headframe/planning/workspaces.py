"""`workspace`: everywhere a link can get, and which cylinder or servo ends its reach.

The inputs that move the link, lengths of groups and positions of servos, are sampled between their
ends, all others stay, and forward kinematics places the link, as in appendix C.1 of the MineRobot
paper. A joint that turns without end is sampled over one turn.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..checks import choice, function, vector, whole
from ..description import Input, Robot, output_path, write_file
from ..errors import ExportError, LengthError, SingularityError, StateError
from ..kinematics import checked_start, fk_batch, input_ends, jacobian, unmoved
from ..mechanism import Floats, Ints, State
from ..spatial import quaternions_from_matrices

if TYPE_CHECKING:
    from ..kinematics import Kinematics

Progress = Callable[[int, int], None]  # how many are done, of how many

METHODS = ("random", "grid")
CHUNK = 1 << 14  # samples in one call of forward kinematics
SLOW_CHUNK = 1 << 6  # of a machine that only the general solver can move
MOST = 10_000_000  # samples
MOST_SEED = 2**63 - 1
AT_END = 0.08  # of the random samples, for each group: so many have it at an end of its stroke
MEASURED = 1 << 12  # samples at which the size is found
STEP = 1e-5  # of the stroke, for differences
NONE = 1e-6  # part of the box of lengths below which a size is 0, as of a point on a curve
SIZE_UNITS = {1: "m", 2: "m²", 3: "m³"}


@dataclass(frozen=True, eq=False)
class Workspace:
    """Where a link got to for many values of the inputs that move it.

    Attributes:
        state: the machine where the sampling began: base, and all other inputs.
        link: name of the link.
        point: the point of the link that was followed, in the link's axes [m], (3,).
        inputs: names of the redundant groups and of the servos that move it.
        ends: lower and upper lengths of the groups' first members [m], or positions of servos
            [rad, m], (2, n_inputs).
        points: that point in the world [m], (n, 3).
        quats: its orientation in the world, wxyz, w >= 0, (n, 4).
        values: lengths of the groups' first members [m], or positions of servos, (n, n_inputs).
        size: length [m], area [m²] or volume [m³] that the point sweeps, for one, two or three
            inputs; else None. What can be reached in two ways counts twice.
        missing: samples left out because the machine cannot take these values together.
    """

    state: State
    link: str
    point: Floats
    inputs: tuple[str, ...]
    ends: Floats
    points: Floats
    quats: Floats
    values: Floats
    size: float | None
    missing: int

    @property
    def moved_by(self) -> tuple[Input, ...]:
        """The inputs that move the link, with unit and ends, in the order of `inputs`."""
        by_name = {each.name: each for each in self.state.mechanism.robot.inputs}
        return tuple(by_name[name] for name in self.inputs)

    @property
    def box(self) -> tuple[Floats, Floats]:
        """Lower and upper corner of the box around the points [m], (3,) each."""
        return self.points.min(axis=0), self.points.max(axis=0)

    @cached_property
    def left(self) -> Floats:
        """Part of the stroke left to each input's lower and upper end, 0 to 1, (n, n_inputs, 2)."""
        stroke = np.maximum(self.ends[1] - self.ends[0], 1e-12)
        lower = (self.values - self.ends[0]) / stroke
        return np.stack([lower, 1.0 - lower], axis=2)

    @property
    def limits(self) -> Ints:
        """For each sample the position in `inputs` of the one nearest to an end, (n,)."""
        limits: Ints = self._left_to_ends.argmin(axis=1)
        return limits

    @property
    def margins(self) -> Floats:
        """For each sample the part of its stroke that this input has left, 0 to 0.5, (n,)."""
        margins: Floats = self._left_to_ends.min(axis=1)
        return margins

    @property
    def _left_to_ends(self) -> Floats:
        """Part of the stroke left to the nearer end; half of it where there are none, (n, m)."""
        endless = [each.endless for each in self.moved_by]
        return np.where(endless, 0.5, self.left.min(axis=2))

    @property
    def size_text(self) -> str:
        """The size with its unit; empty if it is not known."""
        return f"{self.size:.4g} {SIZE_UNITS[len(self.inputs)]}" if self.size else ""

    def save(self, path: str | Path, folder: str | Path | None = None) -> Path:
        """Write the points as .npz, or a picture of them as .png, .svg or .pdf.

        An .npz file holds `points`, `quats`, `lengths`, `ends`, `groups`, and `meta`, a JSON text
        with the names of machine and link, units and size.

        Args:
            path: the file; it appears whole or not at all.
            folder: the machine file's folder, for the meshes of a picture.

        Raises:
            ExportError: another suffix, or a file that cannot be written.
            MissingExtraError: a picture without matplotlib.
        """
        path, folder = checks.path("path", path), checks.folder("folder", folder)
        if path.suffix.lower() == ".npz":
            write_file(path, self._npz())
            return path
        check_cloud_file(path)
        from ..pictures import Cloud, draw_reach

        cloud = Cloud(
            self.state, self.link, self.point, self.points, self.moved_by, self.left, self.ends,
            self.size_text,
        )  # fmt: skip
        return draw_reach(cloud, path, folder)

    def _npz(self) -> bytes:
        robot = self.state.mechanism.robot
        meta = {
            "machine": robot.name,
            "link": self.link,
            "point": self.point.tolist(),
            "points": "that point of the link, given in its axes, in the world [m]",
            "quats": "orientation of the link in the world, wxyz",
            "lengths": "of the first member of each group [m], or position of a servo",
            "ends": "lower and upper ends of these",
            "units": [each.unit for each in self.moved_by],
            "size": self.size,
            "size_unit": SIZE_UNITS.get(len(self.inputs)),
            "missing": self.missing,
        }
        file = io.BytesIO()
        np.savez_compressed(
            file,
            points=self.points,
            quats=self.quats,
            lengths=self.values,
            ends=self.ends,
            groups=np.array(self.inputs),
            meta=np.array(json.dumps(meta)),
        )
        return file.getvalue()

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        size = f", {self.size_text}" if self.size else ""
        return f"Workspace({self.link}: {len(self)} points, {', '.join(self.inputs)}{size})"


def check_cloud_file(path: Path) -> None:
    """Refuse a file that `Workspace.save` cannot write, before the work is done."""
    suffixes = (".npz", ".png", ".svg", ".pdf")
    if path.suffix.lower() not in suffixes:
        raise ExportError(f"{path}: workspaces are written as {', '.join(suffixes)}")
    if path.suffix.lower() == ".npz":
        output_path(path)
    else:
        from ..pictures import checked_path

        checked_path(path)


def workspace(
    kinematics: Kinematics,
    link: str,
    samples: int = 100_000,
    seed: int = 0,
    method: str = "random",
    start: State | None = None,
    point: ArrayLike = (0.0, 0.0, 0.0),
    progress: Progress | None = None,
) -> Workspace:
    """Sample where a link can get.

    Args:
        kinematics: the machine, made ready.
        link: name of a main link.
        samples: how many; of a grid as many as the largest one within that number has.
        seed: of the random samples: the same ones every time.
        method: "random", a low-discrepancy sequence of which a part lies at the ends of the
            strokes, where the boundary is; or "grid", evenly spaced lengths, ends included.
        start: where the other groups stay and the machine stands; home if None.
        point: the point of the link that is followed, in the link's axes [m], (3,).
        progress: called with the number of samples done and of all.

    Raises:
        UnknownElementError: no main link of that name.
        StateError: no drive moves the link, one that does has no ends, or samples, seed, method or
            point are none.
    """
    origin = checked_start(kinematics, start)
    samples, seed = whole("samples", samples, 2, MOST), whole("seed", seed, 0, MOST_SEED)
    method, p_LP = choice("method", method, METHODS), vector("point", point, 3, "m")
    function("progress", progress)
    inputs = moving_inputs(kinematics, link)
    robot = kinematics.mechanism.robot
    if not inputs:
        raise unmoved(kinematics, link)
    ends = _finite(robot, usable_ends(kinematics)[:, list(inputs)], inputs)
    endless = [robot.inputs[number].endless for number in inputs]
    unit = _grid(len(inputs), samples) if method == "grid" else _random(samples, seed, endless)
    lengths = ends[0] + unit * (ends[1] - ends[0])
    sampler = Sampler(kinematics, link, p_LP, inputs, origin)
    points, quats = sampler.place(lengths, progress)
    good = np.isfinite(points[:, 0])

    def still(_done: int, _all: int) -> None:
        if progress is not None:
            progress(len(lengths), len(lengths))

    return Workspace(
        origin,
        link,
        p_LP,
        tuple(robot.inputs[number].name for number in inputs),
        ends,
        points[good],
        quats[good],
        lengths[good],
        _size(sampler, ends, still),
        int(np.sum(~good)),
    )


def _finite(robot: Robot, ends: Floats, inputs: tuple[int, ...]) -> Floats:
    """Ends of inputs, (2, n), one turn where a joint turns without end."""
    for column, number in enumerate(inputs):
        each = robot.inputs[number]
        if not each.endless:
            continue
        if each.unit != "rad":
            raise StateError(f"servo {each.name!r}: found a slide without limits, expected some")
        ends[:, column] = -np.pi, np.pi
    return ends


def moving_inputs(kinematics: Kinematics, link: str) -> tuple[int, ...]:
    """Positions of the inputs, groups and servos, that move a main link."""
    problem = kinematics.inverse_solver(link).problem
    if not problem.reason:
        return tuple(sorted(problem.groups))
    moving = np.abs(jacobian(kinematics.home, link)).max(axis=0) > 1e-9
    return tuple(int(group) for group in np.flatnonzero(moving))


def usable_ends(kinematics: Kinematics) -> Floats:
    """Lower and upper ends of all inputs [m, rad], (2, n_inputs); infinite where there are none."""
    ends = input_ends(kinematics)
    if kinematics.regular:
        ends[:, : len(kinematics.first_members)] = kinematics.usable
    return ends


class Sampler:
    """Places a point of a link for values of some inputs, all others as at the origin."""

    def __init__(
        self, kinematics: Kinematics, link: str, p_LP: Floats, inputs: tuple[int, ...],
        origin: State,
    ) -> None:  # fmt: skip
        self.kinematics, self.link, self.origin = kinematics, link, origin
        self.p_LP, self.columns = p_LP, list(inputs)
        self.others = origin.inputs
        fast = kinematics.regular or kinematics.open_chain
        self.chunk = CHUNK if fast else SLOW_CHUNK

    def place(self, lengths: Floats, progress: Progress | None = None) -> tuple[Floats, Floats]:
        """The point in the world [m], (n, 3), and the link's orientation, wxyz, (n, 4).

        Both are NaN where the machine cannot have these values, (n, n_inputs), at once.
        """
        points, quats = np.full((len(lengths), 3), np.nan), np.full((len(lengths), 4), np.nan)
        for at in range(0, len(lengths), self.chunk):
            part = slice(at, min(at + self.chunk, len(lengths)))
            rows = np.tile(self.others, (part.stop - at, 1))
            rows[:, self.columns] = lengths[part]
            self._solve(rows, points[part], quats[part])
            if progress is not None:
                progress(part.stop, len(lengths))
        return points, quats

    def _solve(self, rows: Floats, points: Floats, quats: Floats) -> None:
        """Fill in points and orientations; where one of many rows has none, try each half."""
        try:
            poses = fk_batch(self.kinematics, rows, (self.link,), self.origin).poses[:, 0]
            points[:] = poses[:, :3, :3] @ self.p_LP + poses[:, :3, 3]
            quats[:] = quaternions_from_matrices(poses[:, :3, :3])
        except (LengthError, SingularityError):
            if len(rows) > 1:
                half = len(rows) // 2
                self._solve(rows[:half], points[:half], quats[:half])
                self._solve(rows[half:], points[half:], quats[half:])


def _random(samples: int, seed: int, endless: Sequence[bool]) -> Floats:
    """Points of the unit cube, (samples, n): Sobol's of a cube a little larger, pressed into it.

    Along axes without ends nothing is pressed.
    """
    points = _sobol(len(endless), samples, seed)
    outside = 0.5 * AT_END / (1.0 - AT_END)
    return np.where(endless, points, np.clip(points * (1.0 + 2.0 * outside) - outside, 0.0, 1.0))


def _sobol(n: int, samples: int, seed: int) -> Floats:
    """The first of Sobol's points, scrambled by the seed, (samples, n)."""
    from scipy.stats import qmc

    sequence = qmc.Sobol(n, seed=np.random.default_rng(seed))
    points: Floats = sequence.random_base2(int(np.ceil(np.log2(samples))))[:samples]
    return points


def _grid(n: int, samples: int) -> Floats:
    """The largest even grid of the unit cube with no more points than `samples`, (k^n, n)."""
    nodes = round(samples ** (1.0 / n))
    nodes = max(2, nodes if nodes**n <= samples else nodes - 1)
    axis = np.linspace(0.0, 1.0, nodes)
    return np.stack(np.meshgrid(*[axis] * n, indexing="ij"), axis=-1).reshape(-1, n)


def _size(sampler: Sampler, ends: Floats, progress: Progress) -> float | None:
    """Length, area or volume of the image of the box of lengths.

    The integral over the box of sqrt(det(J^T J)), J the derivative of the origin's place with
    respect to the lengths, by central differences at Sobol's points.
    """
    n = ends.shape[1]
    if n not in SIZE_UNITS:
        return None
    stroke = ends[1] - ends[0]
    middle = ends[0] + (STEP + (1.0 - 2.0 * STEP) * _sobol(n, MEASURED, 0)) * stroke
    columns = []
    for k in range(n):
        aside = np.zeros(n)
        aside[k] = STEP * stroke[k]
        ahead, behind = (sampler.place(middle + sign * aside, progress)[0] for sign in (1.0, -1.0))
        columns.append((ahead - behind) / (2.0 * aside[k]))
    J = np.stack(columns, axis=2)
    parts = np.sqrt(np.maximum(np.linalg.det(np.swapaxes(J, 1, 2) @ J), 0.0))
    size = float(np.nanmean(parts) * np.prod(stroke))
    return size if size > NONE * float(np.prod(stroke)) else 0.0
