"""A bounded Gauss-Newton for poses on MuJoCo's kinematics, written in Python."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from scipy.linalg import blas, lapack

from .base import Floats, Ints, PeerAnswer, PeerPart, PoseLog, Start

MAX_STEPS = 50
MAX_TURN = 0.6  # largest joint motion within one step [rad, m]
SMALL_STEP = 1e-6  # joint motion [rad, m] whose square is nothing
SMALL_GAIN = 1e-10  # part of the squared distance that is not worth another step
EQUAL = 1e-8  # distance of two poses that are the same [rad, m]


class ReachEngine(Protocol):
    """A model and its data in MuJoCo."""

    part: PeerPart
    mujoco: Any
    model: Any
    data: Any
    qpos: Floats
    places: Ints
    bodies: dict[str, str]


class LengthNewton(Protocol):
    """Newton's method for the joints of given lengths."""

    @property
    def engine(self) -> ReachEngine:
        """What it works on."""

    @property
    def tolerance(self) -> float:
        """Largest gap [m] that counts as closed."""

    def begin(self, start: Start) -> Floats:
        """Go to the start; gives the lengths there [m], (g,)."""

    def close(self, lengths: Floats) -> float:
        """Close the loops at the given lengths [m], (g,); gives the largest gap [m]."""

    def moves(self) -> Floats:
        """How the joints move with the lengths, (nv, g)."""

    def values(self, qpos: Floats) -> Floats:
        """The machine's own joint positions of MuJoCo's."""


class PoseReach:
    """Gauss-Newton on the distance of poses, over the lengths of the cylinders.

    Joints move by X d when lengths change by d, which Newton's method then makes exact. So loops
    are always closed, bounds of the lengths are bounds of d, and a step is a small least-squares
    problem in a box. It is damped when it has not lessened the distance.
    """

    def __init__(self, newton: LengthNewton, link: str) -> None:
        self.newton, self.link = newton, link
        engine = self.engine = newton.engine
        self.body = engine.model.body(engine.bodies[link]).id
        self.xpos: Floats = engine.data.xpos[self.body]
        self.xquat: Floats = engine.data.xquat[self.body]
        self.twists = np.zeros((6, engine.model.nv))
        self.turning, self.shifting = self.twists[:3], self.twists[3:]
        self.lower, self.upper = engine.part.bounds
        self.logs = PoseLog()
        self.quat, self.turn = np.zeros(4), np.zeros(3)

    def solve(self, target: Floats, start: Start) -> PeerAnswer:
        """Joint positions in which the link is nearest to the pose `target`, (4, 4)."""
        engine, qpos = self.engine, self.engine.qpos
        quat, position = np.empty(4), target[:3, 3]
        engine.mujoco.mju_mat2Quat(quat, target[:3, :3].ravel())
        lengths = self.newton.begin(start)
        best, error = qpos.copy(), self.error(quat, position)
        cost, damping = squares(error), 0.0
        converged, better = cost < EQUAL**2, True
        steps = 0
        while not converged and steps < MAX_STEPS:
            steps += 1
            if better:
                X, H, h = self.linearise(error)
            change = nearest_in_box(H, h, damping, self.lower - lengths, self.upper - lengths)
            move = np.dot(X, change)
            turn = abs(move.item(blas.idamax(move)))
            if turn > MAX_TURN:
                change *= MAX_TURN / turn
                move *= MAX_TURN / turn
            np.add(best, move, qpos)
            gap = self.newton.close(lengths + change)
            error_new = self.error(quat, position)
            cost_new = squares(error_new)
            hoped = float(np.dot(change, h + h - np.dot(H, change)))  # the fall of the square
            gain = (cost - cost_new) / hoped if hoped > 0.0 else 0.0
            better = gap < self.newton.tolerance and gain > 0.0
            if better:
                best, lengths = qpos.copy(), lengths + change
                error, cost = error_new, cost_new
            if not better or gain < 0.5:
                damping = max(5.0 * damping, 1e-2 * H.item(0))
            elif gain > 0.8:
                damping *= 0.2
            converged = turn < SMALL_STEP or cost < EQUAL**2 or hoped < SMALL_GAIN * cost
        goal, values = (self.link, target), self.newton.values(best)
        return PeerAnswer(engine.part, values, engine.places, start, steps, converged, goal=goal)

    def error(self, quat: Floats, position: Floats) -> list[float]:
        """Logarithm of the motion to a pose, (6,), in the world's axes at the link's origin."""
        mujoco = self.engine.mujoco
        mujoco.mju_negQuat(self.quat, self.xquat)
        mujoco.mju_mulQuat(self.quat, quat, self.quat)
        mujoco.mju_quat2Vel(self.turn, self.quat, 1.0)
        return self.logs.log(self.turn.tolist(), (position - self.xpos).tolist())

    def linearise(self, error: list[float]) -> tuple[Floats, Floats, Floats]:
        """What the next step is made of.

        Returns:
            X: how the joints move with the lengths, (nv, g);
            H, h: the square of the distance is d H d - 2 h d + ... when lengths change by d.
        """
        engine = self.engine
        engine.mujoco.mj_jacBody(engine.model, engine.data, self.shifting, self.turning, self.body)
        X = self.newton.moves()
        M = np.dot(self.logs.slope(error), np.dot(self.twists, X))
        return X, np.dot(M.T, M), np.dot(error, M)


def squares(e: list[float]) -> float:
    """Sum of the squares of six numbers."""
    a, b, c, d, f, g = e
    return a * a + b * b + c * c + d * d + f * f + g * g


def nearest_in_box(H: Floats, h: Floats, damping: float, low: Floats, high: Floats) -> Floats:
    """The x with low <= x <= high and the least x H x - 2 h x + damping x x, (g,).

    Bounds are taken up as they are broken, and left one by one where the slope points inside.
    """
    A = H.copy()
    A.flat[:: h.size + 1] += damping + 1e-12
    _, x, _ = lapack.dposv(A, h)
    lowest, highest = low.tolist(), high.tolist()
    fixed: dict[int, float] = {}
    for _ in range(4 * h.size):
        broken = {
            i: bottom if value < bottom else top
            for i, (bottom, value, top) in enumerate(zip(lowest, x.tolist(), highest, strict=True))
            if not bottom <= value <= top and i not in fixed
        }
        if not broken:
            slope = np.dot(A, x) - h if fixed else x
            wrong = [i for i, at in fixed.items() if (slope[i] < 0.0) == (at == lowest[i])]
            if not wrong:
                return np.asarray(x)
            del fixed[wrong[0]]
        fixed |= broken
        B, b = A.copy(), h.copy()
        for i, at in fixed.items():
            b -= A[i] * at
            B[i] = B[:, i] = 0.0
            B[i, i] = 1.0
        for i, at in fixed.items():
            b[i] = at
        _, x, _ = lapack.dposv(B, b)
    return np.asarray(np.clip(x, low, high))
