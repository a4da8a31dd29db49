"""Inverse kinematics of machines that only the general solver can move.

Levenberg-Marquardt over the lengths of all groups, within their bounds, with the exact Jacobian
of the closed loops. Each step is a straight way in length space, followed by continuation, so
that the machine stays on its branch; a step that meets a singular pose is shortened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import lsq_linear

from ...errors import LengthError, SingularityError
from ...mechanism import State
from ...mechanism.blocks import bounds_of
from ...mechanism.compiled import Floats
from ...spatial import invert, log_pose
from ..forward.solve import fk
from ..rates import jacobian

if TYPE_CHECKING:
    from ..model import Kinematics
    from .solve import IKResult

MAX_STEPS = 200


def general_ik(
    kinematics: Kinematics, link: str, target: Floats, origin: State, weights: Floats
) -> IKResult:
    """Lengths that bring a link nearest to a pose, for any mechanism."""
    from .solve import REACHED, IKResult

    low, high = (bound[kinematics.first_members] for bound in bounds_of(kinematics.mechanism))
    state = origin
    f = _objective(state, link, target, weights)
    damping, steps, converged = 1e-6, 0, False
    for steps in range(1, MAX_STEPS + 1):  # noqa: B007
        if f < 1e-11:
            converged = True
            break
        l = state.lengths[kinematics.first_members]
        try:
            e, E = _linear(state, link, target, weights)
        except SingularityError:
            break
        rows = np.vstack([E, np.sqrt(damping) * np.eye(l.size)])
        inside = np.maximum(high - l, 1e-12), np.minimum(low - l, -1e-12)
        d = lsq_linear(rows, np.concatenate([-e, np.zeros(l.size)]), (inside[1], inside[0])).x
        trial = _moved(kinematics, state, np.clip(l + d, low, high))
        f_trial = np.inf if trial is None else _objective(trial, link, target, weights)
        if trial is not None and f_trial < f:
            done = f - f_trial < 1e-14 * f or np.abs(d).max() < 1e-12
            state, f, damping = trial, f_trial, max(0.2 * damping, 1e-14)
            if done:
                converged = True
                break
        else:
            damping *= 10.0
            if damping > 1e10:
                converged = True
                break
    reachable = f < REACHED * float(np.max(weights))
    return IKResult(state, state.q, link, target, f, reachable, steps, converged)


def _moved(kinematics: Kinematics, state: State, lengths: Floats) -> State | None:
    try:
        return fk(kinematics, lengths, state)
    except (SingularityError, LengthError):
        return None


def _error(state: State, link: str, target: Floats, weights: Floats) -> Floats:
    """The error whose norm is made smallest; a plain distance where no angle counts."""
    X = state.pose(link)
    if weights[:3].any():
        return log_pose(invert(X) @ target)
    return np.concatenate([np.zeros(3), X[:3, :3].T @ (target[:3, 3] - X[:3, 3])])


def _objective(state: State, link: str, target: Floats, weights: Floats) -> float:
    return float(np.linalg.norm(weights * _error(state, link, target, weights)))


def _linear(state: State, link: str, target: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Weighted error and its derivative with the lengths, (6,) and (6, n_groups)."""
    X = state.pose(link)
    e = _error(state, link, target, weights)
    world = jacobian(state, link)
    body = np.vstack([X[:3, :3].T @ world[:3], X[:3, :3].T @ world[3:]])
    if weights[:3].any():
        E = -_left_inverse(e) @ body
    else:
        E = np.vstack([np.zeros_like(body[:3]), -body[3:] - np.cross(body[:3].T, e[3:]).T])
    return weights * e, weights[:, None] * E


def _left_inverse(e: Floats) -> Floats:
    """Jl^-1(e), (6, 6): columns by the kernel that inverse kinematics uses."""
    from ...spatial._kernels import log_coefficients, log_rates

    c2, c4, _, _ = log_coefficients(float(e[:3] @ e[:3]))
    J = np.empty((6, 6))
    out = np.empty(6)
    for k, unit in enumerate(np.eye(6)):
        log_rates(e, unit.copy(), c2, c4, out)
        J[:, k] = out
    return J
