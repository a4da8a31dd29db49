"""`ik`: from a link's pose to lengths, or to the closest that can be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...checks import refuse, vector
from ...errors import StateError, UnknownElementError, listed
from ...loading import load_baseline
from ...mechanism import STANDING, Floats, State
from ...spatial import checked_pose, invert, pose_error
from ..errors import immovable
from ..forward.solve import DOUBLE, checked_start, real_array
from . import bounded_newton as kernels
from .problem import IKProblem, home_pose, make_problem, spun_positions, stays, with_changes

if TYPE_CHECKING:
    from ..model import Kinematics

REACHED_ERROR = 1e-6  # [rad, m] of error, weighted by 1 at most: below it a target is reached
RESTARTS = 7  # starts from seeds at most, see `next_seed`
EVEN_WEIGHTS = np.ones(6)


@dataclass(slots=True, eq=False, repr=False)
class IKResult:
    """Where inverse kinematics ended.

    Attributes:
        link: the link that was to be moved.
        target: X_world_link that was asked for, (4, 4).
        objective: norm of the weighted pose error [rad and m].
        reachable: whether the target was reached; else this is the closest pose found.
        iterations: steps of the solver, all starts together.
        converged: whether the search came to its end: the target, or a pose near which none is
            closer. If not, it ran out of steps or met a singular pose: try another start.
    """

    _origin: State  # whose machine has the joint positions _q, standing where that stands
    _q: Floats
    link: str
    target: Floats
    objective: float
    reachable: bool
    iterations: int
    converged: bool
    _state: State | None = None

    def _scaled(self, heaviest: float) -> IKResult:
        """The same with the objective of weights that are larger by a factor."""
        self.objective *= heaviest
        return self

    @property
    def state(self) -> State:
        """The machine there."""
        if self._state is None:
            self._state = State.solved(self._origin.mechanism, self._q, self._origin.base)
        return self._state

    @property
    def lengths(self) -> Floats:
        """Lengths of all actuators [m], (n_actuators,)."""
        return self.state.lengths

    @property
    def drives(self) -> Floats:
        """Lengths of all actuators [m], then positions of the servos [rad, m], (n_drives,)."""
        return self.state.drives

    @property
    def error(self) -> Floats:
        """`pose_error` from the pose reached to the target, (6,) [rad, m]."""
        return pose_error(self.state.pose(self.link), self.target)

    @property
    def position_error(self) -> float:
        """Distance of the link's origin from the target's [m]."""
        apart = self.target[:3, 3] - self.state.pose(self.link)[:3, 3]
        return float(np.linalg.norm(apart))

    @property
    def angle_error(self) -> float:
        """Angle between the link's axes and the target's [rad]."""
        return float(np.linalg.norm(self.error[:3]))


class InverseSolver:
    """Inverse kinematics of one link: what moves it, and scratch memory."""

    def __init__(self, kinematics: Kinematics, link: str) -> None:
        if not isinstance(link, str) or link not in kinematics.mechanism.body_of_link:
            raise UnknownElementError("main link", link, kinematics.mechanism.body_of_link)
        self.kinematics = kinematics
        self.problem: IKProblem = make_problem(kinematics, link)
        problem = self.problem
        self.work = self.new_work()
        self.spun = spun_positions(kinematics, link)
        self._spun_last: tuple[tuple[bool, bytes], Floats] = ((False, b""), problem.packed)
        self.stays = stays(kinematics, problem)
        self.special = self.stays or bool(problem.reason)  # nothing for the kernels
        self.plain = problem.packed
        self.point = problem.packed if problem.reason else with_changes(problem, point=True)

    def new_work(self) -> Floats:
        """Scratch memory of the kernels, for one thread."""
        return np.zeros(self.problem.work_size)

    def check_moved(self) -> None:
        """StateError, with the links that can be moved, if no drive moves this one."""
        if self.stays:
            raise unmoved(self.kinematics, self.problem.link)

    def packed(self, origin: State, weights: Floats) -> Floats:
        """The problem as the kernels take it.

        Without an angular weight it is that of a point. The link's home pose is taken with the
        joints that motors spin as they stand at the origin.
        """
        spins = self.spun.size > 0
        if weights is EVEN_WEIGHTS and not spins:
            return self.plain
        point = not weights[:3].any()
        if not spins:
            return self.point if point else self.plain
        key = (point, origin.q[self.spun].tobytes())
        known, packed = self._spun_last
        if key != known:
            X_home = home_pose(self.kinematics, self.problem.link, origin)
            packed = with_changes(self.problem, point, X_home)
            self._spun_last = key, packed
        return packed


def unmoved(kinematics: Kinematics, link: str) -> StateError:
    """The error for a link that no drive moves."""
    names = kinematics.mechanism.body_of_link
    moved = [name for name in names if not kinematics.inverse_solver(name).stays]
    drive = "cylinder or servo" if len(kinematics.mechanism.servos) else "cylinder"
    return StateError(
        f"{link!r}: no {drive} moves it, expected a link that one moves: {listed(moved)}"
    )


def ik(
    kinematics: Kinematics,
    link: str,
    target: ArrayLike,
    start: State | None = None,
    weights: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    method: str = "newton",
) -> IKResult:
    """Lengths that bring a link to a pose, or as near as the cylinders allow.

    What is made smallest is the norm of the weighted `pose_error` from the link's pose to the
    target: six numbers, angular first, in the link's axes. Where all three angular ones are left
    out, the linear ones are the plain distance, in the link's axes.

    Args:
        kinematics: the machine, made ready.
        link: name of a main link.
        target: X_world_link, (4, 4).
        start: where to start from; home if None. Groups that do not move the link stay as there.
        weights: of the six components, (6,), not negative; ones if None.
        mask: which components count, (6,); all if None.
        method: "newton", or one of the methods that it is compared with, see
            `loading.BASELINES`.

    Raises:
        UnknownElementError: no main link of that name.
        StateError: a link that no cylinder moves, a target that is no pose, weights of another
            number or all 0, an unknown method, or a start of another machine.
    """
    origin = kinematics.home if start is None else checked_start(kinematics, start)
    solver = kinematics.inverse_solver(link)
    w, heaviest = checked_weights(weights, mask)
    Y = target_pose(target)
    if type(method) is not str:
        refuse("method", method, "its name")
    if origin.base is not STANDING or method != "newton":
        checked_pose(Y, "target")
    if solver.special:
        solver.check_moved()
    if method != "newton":
        minimise_by = load_baseline("minimise")
        by_other: IKResult = minimise_by(kinematics, solver, Y, origin, w, method)
        return by_other._scaled(heaviest)
    if solver.special:
        from .general import general_ik

        found = general_ik(kinematics, link, checked_pose(Y, "target"), origin, w)
        return found._scaled(heaviest)
    q = np.empty(origin.q.shape)
    status, f, steps = kernels.inverse(
        kinematics.link, solver.packed(origin, w),
        Y if origin.base is STANDING else invert(origin.base) @ Y, w, origin.q, RESTARTS,
        solver.work, q,
    )  # fmt: skip
    if status == kernels.NOT_A_POSE:
        checked_pose(Y, "target")
    if status >= kernels.NO_START:
        raise immovable(link)
    norm = math.sqrt(2.0 * f)
    converged = status == kernels.CONVERGED
    return IKResult(origin, q, link, Y, norm * heaviest, norm < REACHED_ERROR, steps, converged)


def target_pose(target: ArrayLike) -> Floats:
    """A copy of a target as the kernels take it; StateError if it is no matrix of 4 x 4."""
    if type(target) is np.ndarray and target.shape == (4, 4) and target.dtype is DOUBLE:
        return target.copy()  # in rows, whatever it was
    Y = real_array(target, "target", "a pose, (4, 4)")
    if Y.shape != (4, 4):
        raise StateError(f"target: found shape {Y.shape}, expected one pose, (4, 4)")
    return np.array(Y, order="C")


def checked_weights(weights: ArrayLike | None, mask: ArrayLike | None) -> tuple[Floats, float]:
    """The six weights as parts of the largest, and the largest; 0 where the mask leaves one out.

    Solvers compare errors with lengths and angles: they would give up early, or never be content,
    if all weights were small, or large.
    """
    if weights is None and mask is None:
        return EVEN_WEIGHTS, 1.0
    w = np.ones(6) if weights is None else vector("weights", weights, 6)
    if (w < 0.0).any() or not np.isfinite(w).all():
        raise StateError(f"weights: found {w}, expected six finite numbers, none negative")
    if mask is not None:
        w = w * (vector("mask", mask, 6) != 0.0)
    if not w.any():
        raise StateError("weights and mask: found nothing that counts, expected one component")
    heaviest = float(np.max(w))
    return w / heaviest, heaviest
