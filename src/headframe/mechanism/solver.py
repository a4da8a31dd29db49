"""The general loop solver: any mechanism, planar or spatial, by damped Gauss-Newton.

It finds joint positions in which loops close and cylinders have given lengths. The fast solvers
are measured against it, and machines that they cannot describe are left to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import levenberg_marquardt as kernels
from .closing import jacobian
from .closing import residuals as residuals_of
from .compiled import Floats, Ints, Mechanism
from .folds import flips
from .records import ConstraintKind
from .state import State

TOLERANCE = 1e-11  # residual [m] from which a solution counts; two more steps polish it
MAX_TURN = 0.1  # largest joint motion [rad, m] within one part of a continuation
GAPS = ConstraintKind.POINT, ConstraintKind.OFFSET  # what measures how far a closure is apart,
TURNS = ConstraintKind.PARALLEL, ConstraintKind.ALIGNED, ConstraintKind.PERPENDICULAR  # and turned


@dataclass(frozen=True)
class Solution:
    """Where the solver ended: positions, largest residual [m], whether it counts as solved.

    `reached` is the fraction of a way that exists, `steps` the number of steps from one start.
    """

    q: Floats
    residual: float
    solved: bool
    reached: float = 1.0
    steps: int = 0


def solve(
    mechanism: Mechanism,
    q_start: Floats,
    lengths: Floats | None = None,
    rows: Ints | None = None,
    dofs: Ints | None = None,
    max_steps: int = 200,
) -> Solution:
    """Close loops from `q_start`.

    Args:
        mechanism: the compiled machine.
        q_start: joint positions to start from, (nq,).
        lengths: actuator lengths [m], (n_actuators,); only those in `rows` are used.
        rows: constraints to satisfy; those that always hold if None.
        dofs: velocities that may move; all if None.
        max_steps: number of steps after which to give up.
    """
    m = mechanism
    rows = m.closing_rows if rows is None else rows
    dofs = np.arange(m.nv) if dofs is None else dofs
    q_start = m.positions(q_start)
    q = np.empty_like(q_start)
    status, worst, steps = kernels.solve(
        m.packed, m.targets(lengths), rows, dofs, q_start, TOLERANCE, max_steps, m.new_work(), q
    )
    return Solution(q, float(worst), status == kernels.SOLVED, steps=int(steps))


def follow(
    mechanism: Mechanism,
    q_start: Floats,
    lengths_start: Floats,
    lengths: Floats,
    rows: Ints | None = None,
    dofs: Ints | None = None,
    max_turn: float = MAX_TURN,
) -> Solution:
    """Move the actuators in a straight line in length space and stay on the branch.

    Args:
        mechanism: the compiled machine.
        q_start: joint positions to start from, (nq,); `rows` hold there.
        lengths_start: actuator lengths at the start [m], (n_actuators,).
        lengths: actuator lengths at the end [m], (n_actuators,); only those in `rows` are used.
        rows: constraints to keep; all closures and the first member of every group if None.
        dofs: velocities that may move; all if None.
        max_turn: largest joint motion within one part of the way [rad, m]; smaller is safer.

    Returns:
        Where the way ends; `reached` is the fraction of it that exists.
    """
    m = mechanism
    if rows is None:
        rows = np.concatenate([m.closing_rows, m.length_rows[m.first_members]])
    dofs = np.arange(m.nv) if dofs is None else dofs
    q_start = m.positions(q_start)
    q = np.empty_like(q_start)
    status, worst, reached = kernels.follow(
        m.packed, m.targets(lengths_start), m.targets(lengths), rows, dofs, q_start, TOLERANCE,
        max_turn, m.new_work(), q,
    )  # fmt: skip
    return Solution(q, float(worst), status == kernels.SOLVED, float(reached))


def crosses_fold(m: Mechanism, q: Floats, q_end: Floats, rows: Ints, dofs: Ints) -> bool:
    """Whether the way from a pose to one near to it leads into a fold of constraints, or over it."""
    return bool(flips(m.packed, rows, dofs, q, q_end, m.new_work()))


def residuals(state: State, rows: Ints | None = None) -> Floats:
    """Left-hand sides of the closing constraints at a state, stacked, in metres or sines."""
    m = state.mechanism
    rows = m.closing_rows if rows is None else rows
    q = m.positions(state.q)
    r = np.zeros(3 * len(m.constraints))
    count = residuals_of(m.constraints, m.targets(state.lengths), rows, q, m.frames(q), r)
    return r[:count]


def constraint_jacobian(state: State, rows: Ints) -> Floats:
    """Derivative of `residuals` with respect to the velocities, (rows, nv)."""
    m = state.mechanism
    J = np.zeros((3 * len(m.constraints), m.nv))
    count = jacobian(
        m.constraints, m.freedoms, np.asarray(rows, dtype=np.int64), np.arange(m.nv),
        m.frames(state.q), J,
    )  # fmt: skip
    return J[:count]


def loop_gaps(state: State) -> dict[str, float]:
    """How far apart the halves of every closure are at a state [m], by the loop's name."""
    return _largest(state, GAPS)


def loop_angles(state: State) -> dict[str, float]:
    """How far the halves of every closure are turned at a state [rad], by the loop's name.

    The angle between axes that should be parallel, or from the right angle that universal ones
    should keep; sines and lengths of chords stand for small angles.
    """
    return _largest(state, TURNS)


def _largest(state: State, kinds: tuple[int, ...]) -> dict[str, float]:
    m = state.mechanism
    largest = {loop.name: 0.0 for loop in m.topology.loops if loop.closure >= 0}
    q = m.positions(state.q)  # that can be written to, as kernels are compiled for
    frames, target, r = m.frames(q), m.targets(), np.zeros(3)
    for row in np.flatnonzero(np.isin(m.constraints["kind"], kinds)):
        name = m.topology.loops[m.constraints["loop"][row]].name
        count = residuals_of(m.constraints, target, np.array([row]), q, frames, r)
        largest[name] = max(largest[name], float(np.abs(r[:count]).max()))
    return largest


def length_rates(state: State) -> Floats:
    """Singular values of d(first members' lengths) / d(motion that keeps loops closed).

    The motion is measured in radians and metres of all joints together. The smallest value is
    the distance to a singular pose; there are as many as redundant groups.
    """
    m = state.mechanism
    closing = constraint_jacobian(state, m.closing_rows)
    lengths = constraint_jacobian(state, m.length_rows[m.first_members])
    _, singular, Vt = np.linalg.svd(closing, full_matrices=True)
    rank = int(np.sum(singular > 1e-9)) if singular.size else 0
    free = Vt[rank:].T
    values: Floats = np.linalg.svd(lengths @ free, compute_uv=False)
    return values[: len(m.first_members)]
