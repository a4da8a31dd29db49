"""The straight way from one set of lengths and servo positions to another, on the same branch."""

from __future__ import annotations

import numpy as np

from ...mechanism import Floats, Solution, State, crosses_fold, follow, solve

MAX_TURN = 0.005  # largest joint motion [rad, m] within one part of a continuation
MAX_SERVO_TURN = 0.02  # the same, where a servo moves the joints of a loop
SHORTEST = 1e-7  # part of a way below which it has come to its end


def follow_drives(origin: State, target: Floats) -> Solution:
    """Lead all drives evenly from where they are to `target`, (n_drives,) [m, rad].

    Of a group only the first member leads. Where a servo moves the joints of a loop, its joint is
    set and all others are solved for, in parts so small that the loop cannot change its branch.

    Returns:
        Where the way ends; `reached` is the fraction of it that exists.
    """
    m, n_acts = origin.mechanism, len(origin.mechanism.robot.actuators)
    start = np.array(origin.drives)
    servos = m.servos
    if np.array_equal(start[n_acts:], target[n_acts:]):
        return _by_cylinders(origin, target)
    rows = np.concatenate([m.closing_rows, m.length_rows[m.first_members]])
    others = np.setdiff1d(np.arange(m.nv), servos.velocities)
    q, reached, part = np.array(origin.q), 0.0, 1.0
    while reached < 1.0:
        here = min(reached + part, 1.0)
        drives = start + here * (target - start)
        trial = q.copy()
        trial[servos.positions] = drives[n_acts:]
        found = solve(m, trial, drives[:n_acts], rows, others)
        near = found.solved and np.abs(found.q - q).max() <= MAX_SERVO_TURN
        if near and not crosses_fold(m, q, found.q, rows, others):
            q, reached, part = found.q, here, 1.5 * part
            continue
        part *= 0.5
        if part < SHORTEST:
            return Solution(q, found.residual, False, reached)
    return Solution(q, 0.0, True)


def _by_cylinders(origin: State, target: Floats) -> Solution:
    """The way of lengths alone: servos hold their joints."""
    m, n_acts = origin.mechanism, len(origin.mechanism.robot.actuators)
    dofs = np.setdiff1d(np.arange(m.nv), m.servos.velocities)
    lengths = np.array(origin.lengths)
    return follow(m, origin.q, lengths, target[:n_acts], dofs=dofs, max_turn=MAX_TURN)
