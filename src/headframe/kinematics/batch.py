"""Many problems in one call: a longwall of supports, a cloud of samples, a path of targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..checks import flag
from ..errors import LengthError, SingularityError, StateError, UnknownElementError
from ..mechanism import Floats, Ints, State
from ..spatial import checked_pose
from .errors import error_of, immovable
from .forward import block_solving as forward
from .forward.solve import check_servos, checked_start, fk, numbered
from .inverse import bounded_newton as inverse
from .inverse.bounded_newton import CONVERGED, NO_START
from .inverse.general import RESTARTS as RESTARTS_ELSEWHERE
from .inverse.general import general_ik, input_ends
from .inverse.solve import REACHED_ERROR, RESTARTS, IKResult, checked_weights

if TYPE_CHECKING:
    from .model import Kinematics

Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]


@dataclass(frozen=True, eq=False)
class FKBatch:
    """States of many length vectors.

    Attributes:
        joints: positions of the joints [rad, m], (n, nq), in the order of `State.q`.
        links: names of the links whose poses were asked for.
        poses: X_world_link of each of them, (n, n_links, 4, 4).
    """

    joints: Floats
    links: tuple[str, ...]
    poses: Floats

    def pose(self, link: str) -> Floats:
        """Poses of one of the links, (n, 4, 4)."""
        if not isinstance(link, str) or link not in self.links:
            raise UnknownElementError("link of this batch", link, self.links)
        found: Floats = self.poses[:, self.links.index(link)]
        return found

    def __len__(self) -> int:
        return len(self.joints)


@dataclass(frozen=True, eq=False)
class IKBatch:
    """Where inverse kinematics ended for many targets.

    Attributes:
        joints: positions of the joints [rad, m], (n, nq).
        lengths: of all actuators [m], (n, n_actuators).
        drives: these, then positions of the servos [rad, m], (n, n_drives).
        objective: norm of the weighted pose error [rad and m], (n,).
        reachable: whether each target was reached, (n,).
        iterations: steps of the solver, (n,).
        converged: whether each search came to its end, (n,), see `IKResult`.
        links: names of the links whose poses were asked for.
        poses: X_world_link of each of them, (n, n_links, 4, 4).
    """

    joints: Floats
    lengths: Floats
    drives: Floats
    objective: Floats
    reachable: Bools
    iterations: Ints
    converged: Bools
    links: tuple[str, ...]
    poses: Floats

    def __len__(self) -> int:
        return len(self.joints)


def fk_batch(
    kinematics: Kinematics,
    lengths: ArrayLike,
    links: Sequence[str] = (),
    start: State | None = None,
    base: ArrayLike | None = None,
) -> FKBatch:
    """Forward kinematics of every row of lengths.

    Args:
        kinematics: the machine, made ready.
        lengths: of all drives, (n, n_drives), or of the inputs alone, (n, n_inputs), as in `fk`.
        links: main links whose poses are wanted.
        start: as in `fk`, the same for all rows.
        base: X_world_base of every row, (n, 4, 4), or of all, (4, 4): where each machine stands.

    Raises:
        As `fk`; the message names the row. Nothing is returned then.
    """
    origin = checked_start(kinematics, start)
    links = _names(links)
    given, rows = numbered(kinematics, lengths, "n, ")
    bodies = _bodies(kinematics, links)
    X_WB = _bases(base, origin, len(rows))
    servos, n_acts = kinematics.mechanism.servos, kinematics.n_actuators
    if len(servos) and (kinematics.regular or kinematics.open_chain):
        _check_servo_rows(kinematics, rows[:, n_acts:])
        q = _lengths_alone(kinematics, rows[:, :n_acts], given, origin)
        q = servos.turned(q, rows[:, n_acts:])
    elif kinematics.plain:
        q = _lengths_alone(kinematics, rows, given, origin)
    else:
        q = np.empty((len(rows), origin.q.size))
        for row, wanted in enumerate(rows):
            try:
                part = wanted if given else wanted[kinematics.leaders]
                q[row] = fk(kinematics, part, origin).q
            except (StateError, SingularityError, ValueError) as error:
                raise _in_row(row, error) from None
    return FKBatch(q, links, _poses(kinematics, q, bodies, X_WB))


def _lengths_alone(kinematics: Kinematics, rows: Floats, given: int, origin: State) -> Floats:
    """Joint positions of every row of lengths by the kernels, (n, nq); servos as at the origin."""
    if not rows.shape[1]:
        return np.repeat(origin.q[None], len(rows), axis=0)
    rows = np.ascontiguousarray(rows)
    q, status = np.empty((len(rows), origin.q.size)), np.zeros(len(rows), dtype=np.int64)
    forward.forward_batch(kinematics.link, rows, origin.q, given, kinematics.new_work(), q, status)
    if status.any():
        row = int(np.flatnonzero(status)[0])
        # once more alone: the error wants to know what the kernel found there
        forward.forward(
            kinematics.link, rows[row], origin.q, given, kinematics.work, np.empty(origin.q.size)
        )
        raise _in_row(row, error_of(kinematics, int(status[row]), rows[row]))
    return q


def _check_servo_rows(kinematics: Kinematics, positions: Floats) -> None:
    """Refuse the first row of servo positions that is outside its limits."""
    low, high = input_ends(kinematics)[:, len(kinematics.first_members) :]
    out = ~((positions >= low - forward.SLACK) & (positions <= high + forward.SLACK))
    for row in np.flatnonzero(out.any(axis=1)):
        try:
            check_servos(kinematics, positions[row])
        except (StateError, LengthError) as error:
            raise _in_row(int(row), error) from None


def _names(links: Sequence[str]) -> tuple[str, ...]:
    """Names of links that a user gives; one alone is taken too."""
    if isinstance(links, str):
        return (links,)
    try:
        return tuple(links)
    except TypeError:
        raise StateError(f"links: found {links!r}, expected names of main links") from None


def _bodies(kinematics: Kinematics, links: Sequence[str]) -> Ints:
    body_of_link = kinematics.mechanism.body_of_link
    for link in links:
        if not isinstance(link, str) or link not in body_of_link:
            raise UnknownElementError("main link", link, body_of_link)
    return np.array([body_of_link[link] for link in links], dtype=np.int64)


def _bases(base: ArrayLike | None, origin: State, n: int) -> Floats:
    """X_world_base, (1 or n, 4, 4)."""
    if base is None:
        return np.array(origin.base)[None]
    X = checked_pose(base, "base")
    if X.ndim > 3:
        raise StateError(f"base: found shape {X.shape}, expected (4, 4) or ({n}, 4, 4)")
    if X.ndim == 3 and len(X) != n:
        raise StateError(f"base: found {len(X)} poses, expected {n}, one for each row of lengths")
    return X if X.ndim == 3 else X[None]


def _poses(kinematics: Kinematics, q: Floats, bodies: Ints, X_WB: Floats) -> Floats:
    """World poses of bodies for every row of joint positions, (n, n_bodies, 4, 4)."""
    m, poses = kinematics.mechanism, np.zeros((len(q), len(bodies), 4, 4))
    if len(bodies):
        m.poses(q, X_WB, m.links[bodies], poses)
    return poses


def _in_row(row: int, error: Exception) -> Exception:
    """The same error, its message beginning with the row."""
    error.args = (f"row {row}: {error}",)
    return error


def ik_batch(
    kinematics: Kinematics,
    link: str,
    targets: ArrayLike,
    start: State | None = None,
    weights: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    chained: bool = True,
    links: Sequence[str] = (),
    base: ArrayLike | None = None,
    restarts: int = RESTARTS_ELSEWHERE,
) -> IKBatch:
    """Inverse kinematics of every target, (n, 4, 4).

    Args:
        kinematics: the machine, made ready.
        link: name of a main link.
        targets: X_world_link, (n, 4, 4).
        start: where the first starts from; home if None.
        weights: as in `ik`.
        mask: as in `ik`.
        chained: each starts where the one before ended, as on a path; else all from `start`.
        links: main links whose poses are wanted.
        base: as in `fk_batch`, where the machine of each row stands.
        restarts: places to begin again from where servos take part; of a chain for its first
            target alone, since a path does not jump.
    """
    origin = checked_start(kinematics, start)
    X = checked_pose(targets, "targets")
    if X.ndim != 3:
        raise StateError(f"targets: found shape {X.shape}, expected (n, 4, 4)")
    w, heaviest = checked_weights(weights, mask)
    links, chained = _names(links), flag("chained", chained)
    bodies = _bodies(kinematics, links)
    X_WB = _bases(base, origin, len(X))
    solver = kinematics.inverse_solver(link)
    solver.check_moved()
    Y = np.ascontiguousarray(np.linalg.inv(X_WB) @ X)
    if solver.problem.reason:
        q, f, steps, ended = _one_by_one(kinematics, link, Y, origin, w, chained, restarts)
    else:
        q, f, steps, ended = _in_one_call(kinematics, link, Y, origin, w, chained)
    poses = _poses(kinematics, q, bodies, X_WB)
    drives = drives_batch(kinematics, q)
    lengths = drives[:, : kinematics.n_actuators]
    return IKBatch(q, lengths, drives, f * heaviest, f < REACHED_ERROR, steps, ended, links, poses)


def _in_one_call(
    kinematics: Kinematics, link: str, Y: Floats, origin: State, w: Floats, chained: bool
) -> tuple[Floats, Floats, Ints, Bools]:
    """Positions, objectives, steps, and whether the search ended, by the kernel."""
    solver, n = kinematics.inverse_solver(link), len(Y)
    q, f = np.empty((n, origin.q.size)), np.empty(n)
    status, steps = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    q_in = np.array(origin.q)[None]
    if not chained:
        q_in = np.repeat(q_in, max(n, 2), axis=0)
    inverse.inverse_batch(
        kinematics.link, solver.packed(origin, w), Y, w, q_in, RESTARTS, solver.new_work(), q, f,
        status, steps,
    )  # fmt: skip
    if (status >= NO_START).any():
        row = int(np.flatnonzero(status >= NO_START)[0])
        raise _in_row(row, immovable(link, "here"))
    return q, np.sqrt(2.0 * f), steps, status == CONVERGED


def _one_by_one(
    kinematics: Kinematics, link: str, Y: Floats, origin: State, w: Floats, chained: bool,
    restarts: int,
) -> tuple[Floats, Floats, Ints, Bools]:  # fmt: skip
    """The same for a machine that only the general solver can move."""
    now = start = origin.moved(np.eye(4))
    results: list[IKResult] = []
    for target in Y:
        results.append(general_ik(kinematics, link, target, now, w, restarts))
        restarts = 0 if chained else restarts
        now = results[-1].state if chained else start
    return (
        np.array([result.state.q for result in results]).reshape(-1, origin.q.size),
        np.array([result.objective for result in results]),
        np.array([result.iterations for result in results], dtype=np.int64),
        np.array([result.converged for result in results], dtype=bool),
    )


def drives_batch(kinematics: Kinematics, q: Floats) -> Floats:
    """Lengths of all actuators [m], then positions of servos, (n, n_drives), of q (n, nq)."""
    servos = kinematics.mechanism.servos
    return np.hstack([lengths_batch(kinematics, q), np.asarray(q)[:, servos.positions]])


def lengths_batch(kinematics: Kinematics, q: Floats) -> Floats:
    """Lengths of all actuators [m], (n, n_actuators), of joint positions (n, nq)."""
    m = kinematics.mechanism
    acts = m.robot.actuators
    parents = [a.tube_parent for a in acts] + [a.rod_parent for a in acts]
    bodies = _bodies(kinematics, parents)
    poses = _poses(kinematics, np.ascontiguousarray(q), bodies, np.eye(4)[None])
    offsets = np.array([a.tube_offset for a in acts] + [a.rod_offset for a in acts]).reshape(-1, 3)
    points = np.einsum("nbij,bj->nbi", poses[..., :3, :3], offsets) + poses[..., :3, 3]
    found: Floats = np.linalg.norm(points[:, len(acts) :] - points[:, : len(acts)], axis=2)
    return found
