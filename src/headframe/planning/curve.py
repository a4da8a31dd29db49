"""A smooth curve of poses through via points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import shown
from ..errors import HeadframeError, StateError
from ..kinematics import fk
from ..mechanism import Floats, Ints, State
from ..spatial import checked_pose

if TYPE_CHECKING:
    from ..kinematics import Kinematics

ViaPoint = ArrayLike | Mapping[str, float]

LEVER = 1.0  # [m/rad]: how long a turn counts as a part of the curve
APART = 1e-6  # [m] of the curve that two via points in a row are apart at least
FEWEST = 8  # samples between two via points
MOST = 1_000_000  # samples of a curve
POSITION_ONLY = (0, 0, 0, 1, 1, 1)  # mask that leaves orientations free
SHOWN = 20  # via points that a message lists


@dataclass(frozen=True, eq=False)
class Curve:
    """Positions and, unless they are free, orientations over a parameter u [m].

    u grows by the distance between via points (turns counted by `LEVER`), so that it is close to
    the way of the link's origin.

    Attributes:
        knots: u at the via points, (n_via,).
        position: twice continuously differentiable cubic spline, u -> (3,) [m].
        rotation: the same for orientations; None if they are free.
    """

    knots: Floats
    position: Any
    rotation: Any

    def samples(self, step: float) -> tuple[Floats, Ints]:
        """Values of u at most `step` apart, all knots among them, and where those are."""
        with np.errstate(over="ignore"):
            counts = np.maximum(FEWEST, np.ceil(np.diff(self.knots) / step))
        if counts.sum() > MOST:
            raise StateError(
                f"step: found {step:g} m for a way of {self.knots[-1]:.4g} m, expected no more "
                f"than {MOST} steps"
            )
        pieces = [
            np.linspace(a, b, int(n), endpoint=False)
            for a, b, n in zip(self.knots[:-1], self.knots[1:], counts, strict=True)
        ]
        at_knots = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return np.concatenate([*pieces, self.knots[-1:]]), at_knots

    def poses(self, u: Floats) -> Floats:
        """X_world_link on the curve, (n, 4, 4); with free orientations all axes are the world's."""
        X = np.tile(np.eye(4), (len(u), 1, 1))
        X[:, :3, 3] = self.position(u)
        if self.rotation is not None:
            X[:, :3, :3] = self.rotation(u).as_matrix()
        return X

    def speed(self, u: Floats) -> Floats:
        """Way of the origin per u, |dp/du|, (n,)."""
        found: Floats = np.linalg.norm(self.position(u, 1), axis=1)
        return found


def via_poses(
    kinematics: Kinematics, link: str, via_points: Sequence[ViaPoint], start: State | None
) -> tuple[Floats, bool]:
    """Poses of all via points, (n, 4, 4), and whether orientations are free.

    Positions alone leave them free, and then they are free everywhere.

    Raises:
        StateError: a via point that is neither pose, position nor lengths, or poses and positions
            mixed. Errors of `fk` for lengths. The message lists all via points that are wrong;
            the error is that of the first.
    """
    origin = kinematics.home if start is None else start
    poses, kinds, errors = [], [], []
    if not isinstance(via_points, Iterable):
        raise StateError(f"via points: found {shown(via_points)}, expected a list of them")
    for number, point in enumerate(via_points):
        try:
            pose, kind = _via_pose(kinematics, link, point, origin)
        except HeadframeError as error:
            error.args = (f"via[{number}]: {error}",)
            errors.append(error)
            pose, kind = np.eye(4), ""
        poses.append(pose)
        kinds.append(kind)
    if "position" in kinds and "pose" in kinds:
        bare, turned = kinds.index("position"), kinds.index("pose")
        errors.append(
            StateError(
                f"via[{bare}]: found a position alone, but via[{turned}] has an orientation; "
                "expected all of them with an orientation, or none"
            )
        )
    if errors:
        more = f"\n  ... and {len(errors) - SHOWN} more" if len(errors) > SHOWN else ""
        errors[0].args = ("\n  ".join(str(error) for error in errors[:SHOWN]) + more,)
        raise errors[0]
    return np.array(poses).reshape(-1, 4, 4), "position" in kinds


def _via_pose(
    kinematics: Kinematics, link: str, point: ViaPoint, origin: State
) -> tuple[Floats, str]:
    if isinstance(point, Mapping):
        return fk(kinematics, point, origin).pose(link), "lengths"
    expected = "expected a position (3,) [m], a pose (4, 4), or lengths [m] by name"
    try:
        array = np.array(point, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise StateError(f"found {shown(point)}, {expected}") from None
    if array.shape == (4, 4):
        return checked_pose(array, "pose"), "pose"
    if array.shape != (3,):
        raise StateError(f"found shape {array.shape}, {expected}")
    if not np.isfinite(array).all():
        raise StateError(f"found {array}, expected three finite numbers [m]")
    pose = np.eye(4)
    pose[:3, 3] = array
    return pose, "position"


def make_curve(poses: Floats, free: bool) -> Curve:
    """The curve through poses, (n, 4, 4), with n > 1.

    It leaves the first and enters the last along the straight way to its neighbour.

    Raises:
        StateError: two poses in a row that are the same.
    """
    from scipy.interpolate import CubicSpline
    from scipy.spatial.transform import Rotation, RotationSpline

    p = poses[:, :3, 3]
    R = Rotation.from_matrix(poses[:, :3, :3])
    distance = np.linalg.norm(np.diff(p, axis=0), axis=1)
    angle = np.zeros_like(distance) if free else (R[:-1].inv() * R[1:]).magnitude()
    steps = np.hypot(distance, LEVER * angle)
    for number, size in enumerate(steps):
        if size < APART:
            raise StateError(
                f"via[{number + 1}]: found the same place as via[{number}], expected another one"
            )
    knots = np.concatenate([[0.0], np.cumsum(steps)])
    leave, enter = (p[1] - p[0]) / steps[0], (p[-1] - p[-2]) / steps[-1]
    position = CubicSpline(knots, p, bc_type=((1, leave), (1, enter)))
    return Curve(knots, position, None if free else RotationSpline(knots, R))
