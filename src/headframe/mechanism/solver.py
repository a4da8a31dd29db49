"""The general loop solver: any mechanism, planar or spatial, by damped Gauss-Newton.

It finds joint positions in which loops close and cylinders have given lengths. The fast solvers
are measured against it, and machines that they cannot describe are left to it.
"""

from __future__ import annotations

import numpy as np

from .closing import jacobian
from .compiled import Mechanism
from .folds import flips
from .records import RowKind
from .state import State
from .system import MAX_TURN, Floats, Ints, Solution

GAPS = RowKind.POINT, RowKind.OFFSET  # what measures how far a closure is apart


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
    return m.solved(m.positions(q_start), lengths, rows, dofs, max_steps)


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
    return m.followed(m.positions(q_start), lengths_start, lengths, rows, dofs, max_turn)


def crosses_fold(m: Mechanism, q: Floats, q_end: Floats, rows: Ints, dofs: Ints) -> bool:
    """Whether the way from a pose to one near to it leads into a fold of constraints or over it."""
    packed, size = m.packing
    return bool(flips(packed, rows, dofs, q, q_end, np.zeros(size)))


def residuals(state: State, rows: Ints | None = None) -> Floats:
    """Left-hand sides of the closing constraints at a state, stacked, in metres or sines."""
    m = state.mechanism
    rows = m.closing_rows if rows is None else rows
    return m.residuals(m.positions(state.q), rows, state.lengths)


def constraint_jacobian(state: State, rows: Ints) -> Floats:
    """Derivative of `residuals` with respect to the velocities, (rows, nv)."""
    m = state.mechanism
    rows = np.asarray(rows, dtype=np.int64)
    J = np.zeros((rows.size, m.nv))
    jacobian(m.constraints, m.freedoms, rows, m.frames(state.q), J)
    return J


def loop_gaps(state: State) -> dict[str, float]:
    """How far apart the halves of every closure are at a state [m], by the loop's name."""
    return _largest(state, *GAPS)


def loop_angles(state: State) -> dict[str, float]:
    """How far the halves of every closure are turned at a state [rad], by the loop's name.

    The angle between axes that should be parallel, or from the right angle that universal ones
    should keep; sines stand for small angles.
    """
    return _largest(state, RowKind.ANGLE)


def _largest(state: State, *kinds: RowKind) -> dict[str, float]:
    m = state.mechanism
    rows = np.flatnonzero(np.isin(m.constraints["kind"], kinds))
    closed = {loop.name: 0.0 for loop in m.topology.loops if loop.closure >= 0}
    return closed | largest_by_loop(m, m.constraints["loop"][rows], residuals(state, rows))


def largest_by_loop(mechanism: Mechanism, loops: Ints, sides: Floats) -> dict[str, float]:
    """Of numbers that belong to loops the largest, without signs, by the loop's name."""
    found: dict[str, float] = {}
    for loop, side in zip(loops, np.abs(sides).tolist(), strict=True):
        name = mechanism.topology.loops[loop].name
        found[name] = max(side, found.get(name, 0.0))
    return found


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
