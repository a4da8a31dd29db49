"""Inverse kinematics of machines that only the general solver can move.

Levenberg-Marquardt over all inputs, lengths of groups and positions of servos, within their bounds,
with the exact Jacobian of the closed loops. Each step is a straight way in the space of inputs,
followed by continuation, so that the machine stays on its branch; a step that meets a singular pose
is shortened. A search that ends beside its target begins again elsewhere, since there are ends of
strokes and joints to get caught at: from the place nearest to the target first, until enough of
them have led to the nearest pose again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import lsq_linear

from ...errors import LengthError, SingularityError
from ...mechanism import Floats, State
from ...spatial import invert, log_pose
from ..forward.solve import fk
from ..velocities import jacobian

if TYPE_CHECKING:
    from ..model import Kinematics
    from .solve import IKResult

MAX_STEPS = 200
MAX_TURN = 1.0  # [rad] of a servo in one step: farther off, a straight line says nothing of a turn
RESTARTS = 8
NEAR = 0.05  # of a stroke: a search that comes so near to a pose that is known leads there
ENOUGH = 4  # searches that have led to the nearest pose again: more would, too
SEED = 0  # of the places to begin again from: the same ones every time


def general_ik(
    kinematics: Kinematics,
    link: str,
    target: Floats,
    origin: State,
    weights: Floats,
    restarts: int = RESTARTS,
) -> IKResult:
    """Values of the inputs that bring a link nearest to a pose, for any mechanism."""
    best = _search(kinematics, link, target, origin, weights)
    starts: list[State] = []
    if not best.reachable:
        starts = list(elsewhere(kinematics, link, origin, restarts))
        starts.sort(key=lambda start: _objective(start, link, target, weights))
    iterations, again = best.iterations, 0
    for start in starts:
        found = _search(kinematics, link, target, start, weights, best)
        iterations += found.iterations
        if found.objective < best.objective:
            best = found
        elif _near(kinematics, found.state, best.state):
            again += 1
        if best.reachable or again == ENOUGH:
            break
    best.iterations = iterations
    return best


def _search(
    kinematics: Kinematics,
    link: str,
    target: Floats,
    origin: State,
    weights: Floats,
    known: IKResult | None = None,
) -> IKResult:
    """The nearest pose around one start; it gives up where it leads to one that is known."""
    from .solve import REACHED_ERROR, IKResult

    low, high = input_ends(kinematics)
    turning = [each.unit == "rad" for each in kinematics.mechanism.robot.inputs]
    state = origin
    f = _objective(state, link, target, weights)
    damping, steps, converged = 1e-6, 0, False
    for steps in range(1, MAX_STEPS + 1):  # noqa: B007
        if f < 1e-11:
            converged = True
            break
        l = state.inputs
        if known is not None and _near(kinematics, state, known.state):
            break
        try:
            e, E = _linear(state, link, target, weights)
        except SingularityError:
            break
        d = _step(e, E, damping, low - l, high - l)
        d /= max(1.0, np.abs(d[turning]).max(initial=0.0) / MAX_TURN)
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
    reachable = f < REACHED_ERROR * float(np.max(weights))
    return IKResult(state, state.q, link, target, f, reachable, steps, converged)


def _near(kinematics: Kinematics, state: State, other: State) -> bool:
    """Whether all inputs of two states are as near as those on the way to the same pose."""
    low, high = input_ends(kinematics)
    near = np.abs(state.inputs - other.inputs) < NEAR * np.minimum(high - low, MAX_TURN)
    return bool(near.all())


def _step(e: Floats, E: Floats, damping: float, low: Floats, high: Floats) -> Floats:
    """The step d that makes |e + E d|^2 + damping |d|^2 smallest, between `low` and `high`."""
    n = E.shape[1]
    rows, wanted = np.vstack([E, np.sqrt(damping) * np.eye(n)]), np.append(-e, np.zeros(n))
    found: Floats = np.linalg.lstsq(rows, wanted)[0]
    if ((found < low) | (found > high)).any():
        inside = np.minimum(low, -1e-12), np.maximum(high, 1e-12)
        found = lsq_linear(rows, wanted, inside, method="bvls").x
    return found


def input_ends(kinematics: Kinematics) -> Floats:
    """Lower and upper ends of all inputs [m, rad], (2, n_inputs); infinite where there are none."""
    inputs = kinematics.mechanism.robot.inputs
    return np.array([[each.lower for each in inputs], [each.upper for each in inputs]])


def elsewhere(kinematics: Kinematics, link: str, origin: State, count: int) -> Iterator[State]:
    """Values of the inputs that move a link to begin again from; all else as at the origin.

    They are reached from the origin on a straight way, so that the machine stays on its branch.
    """
    try:
        moving = np.abs(jacobian(origin, link)).max(axis=0) > 0.0
    except SingularityError:
        return
    low, high = np.nan_to_num(input_ends(kinematics)[:, moving], posinf=np.pi, neginf=-np.pi)
    random = np.random.default_rng(SEED)
    for _ in range(count):
        inputs = np.array(origin.inputs)
        inputs[moving] = random.uniform(low, high)
        start = _moved(kinematics, origin, inputs)
        if start is not None:
            yield start


def _moved(kinematics: Kinematics, state: State, lengths: Floats) -> State | None:
    try:
        return fk(kinematics, lengths, state)
    except (SingularityError, LengthError):
        return None


def _error(state: State, link: str, target: Floats, weights: Floats) -> Floats:
    """The error whose weighted norm is made smallest; a plain distance where no angle counts.

    That is in the link's axes, as weights are; in the world's where these make no difference, so
    that turning the link on the spot does not change it.
    """
    X = state.pose(link)
    if weights[:3].any():
        return log_pose(invert(X) @ target)
    apart = target[:3, 3] - X[:3, 3]
    return np.concatenate([np.zeros(3), apart if _even(weights) else X[:3, :3].T @ apart])


def _even(weights: Floats) -> bool:
    """Whether the three directions of a distance weigh the same."""
    return bool(weights[3] == weights[4] == weights[5])


def _objective(state: State, link: str, target: Floats, weights: Floats) -> float:
    return float(np.linalg.norm(weights * _error(state, link, target, weights)))


def _linear(state: State, link: str, target: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Weighted error and its derivative with the inputs, (6,) and (6, n_inputs)."""
    R_WL = state.pose(link)[:3, :3]
    e = _error(state, link, target, weights)
    world = jacobian(state, link)
    turns, shifts = R_WL.T @ world[:3], R_WL.T @ world[3:]
    if weights[:3].any():
        E = -_left_inverse(e) @ np.vstack([turns, shifts])
    elif _even(weights):
        E = np.vstack([np.zeros_like(turns), -world[3:]])
    else:
        E = np.vstack([np.zeros_like(turns), -shifts - np.cross(turns.T, e[3:]).T])
    return weights * e, weights[:, None] * E


def _left_inverse(e: Floats) -> Floats:
    """Jl^-1(e), (6, 6): columns by the kernel that inverse kinematics uses."""
    from ...spatial.kernels import log_coefficients, log_rates

    c2, c4, _, _ = log_coefficients(float(e[:3] @ e[:3]))
    J = np.empty((6, 6))
    out = np.empty(6)
    for k, unit in enumerate(np.eye(6)):
        log_rates(e, unit.copy(), c2, c4, out)
        J[:, k] = out
    return J
