"""Kernels of a machine of SIMGC in a world of impulses; see `striking.calls` for what they are.

Contacts change the velocities themselves, so here sweeps work on these: the rate of a line is J v,
and an impulse p adds Y p to v. That is the iteration of `lines.sweep` in other words.
"""

from __future__ import annotations

import math

from ...dynamics.kernels import (
    RUN,
    DynamicsStatus,
    add_scaled,
    inner,
    place_tree,
    tree_parts,
    zero,
)
from ...dynamics.kernels import respond as answer
from ...jit import Records, entry, header, kernel, matrix, numbers, records
from ...mechanism import Floats
from ...spatial.kernels import HERE, ZERO, pose_at, put_pose, put_six, six, three, velocity_at
from ..striking.calls import FINISH, LINK, PLACE_MACHINE, RESPOND_TO, SWEEP, TURN
from .impulses import aim_pseudo, begin, move_on, run
from .lines import VELOCITIES, own_part
from .records import IMPULSE_ROW, IMPULSE_STATE, LINE

__all__ = ["begin", "finish", "link", "place", "respond", "run", "sweep", "turn"]

OK = DynamicsStatus.OK.value


@entry(*PLACE_MACHINE.args)
@kernel
def place(model: Floats, state: Floats, work: Floats) -> int:
    """The tree where it is, with its velocities."""
    moment = header(state, IMPULSE_STATE)
    freedoms, bodies = tree_parts(model, work)
    place_tree(freedoms, numbers(state, moment.q), numbers(state, moment.v), bodies)
    return OK


@entry(*LINK.args)
@kernel
def link(
    model: Floats, state: Floats, work: Floats, freedom: int, X_out: Floats, velocity_out: Floats
) -> int:
    """What a freedom of the placed tree carries."""
    _, bodies = tree_parts(model, work)
    put_pose(X_out, pose_at(bodies[freedom].X_WF) if freedom >= 0 else HERE)
    put_six(velocity_out, six(bodies[freedom].velocity) if freedom >= 0 else ZERO)
    return OK


@entry(*RESPOND_TO.args)
@kernel
def respond(
    model: Floats, state: Floats, work: Floats, freedom: int, point: Floats, axes: Floats,
    J_out: Floats, Y_out: Floats,
) -> int:  # fmt: skip
    """Rows of a point of a body, articulated inertias being set (paper, Fig. 2)."""
    freedoms, bodies = tree_parts(model, work)
    for k in range(3):
        zero(J_out[k])
    e, p = freedom, three(point)
    while e >= 0:
        moves = velocity_at(six(bodies[e].axis), p)
        for k in range(3):
            rate = axes[k, 0] * moves[0] + axes[k, 1] * moves[1] + axes[k, 2] * moves[2]
            J_out[k, freedoms[e].velocity] = rate
        e = freedoms[e].parent
    for k in range(3):
        answer(freedoms, J_out[k], bodies, Y_out[k])
    return 0


@entry(*SWEEP.args)
@kernel
def sweep(model: Floats, stage: int, back: int, state: Floats, work: Floats) -> float:
    """One impulse for every row in use; the largest change. Loops come last in both directions."""
    at, moment = own_part(model).work, header(state, IMPULSE_STATE)
    rows, lines = records(work, at.rows, IMPULSE_ROW), records(work, at.lines, LINE)
    J, Y, applied = matrix(work, at.J), matrix(work, at.Y), matrix(work, at.applied)[stage]
    v = numbers(state, moment.v) if stage == VELOCITIES else numbers(work, at.push)
    worst = 0.0
    for place_now in range(moment.counts.rows[stage]):
        row = rows[rows[place_now].order[stage]]
        aim, line = row.aims[stage], row.line
        low, high = aim.low, aim.high
        if row.coupled >= 0:
            high = row.factor * abs(rows[row.coupled].aims[stage].impulse)
            low = -high
        lacking = aim.target - inner(J[line], v)
        after = min(max(aim.impulse + lines[line].mass * lacking, low), high)
        change = after - aim.impulse
        if change == 0.0:
            continue
        if change != change:
            return math.nan
        aim.impulse = after
        applied[line] += change
        add_scaled(change, Y[line], v)
        worst = max(worst, abs(change))
    return float(worst)


@entry(*TURN.args)
@kernel
def turn(model: Floats, state: Floats, drives_in: Records, work: Floats) -> int:
    """No pseudo-velocities yet, and what they shall do."""
    zero(numbers(work, own_part(model).work.push))
    aim_pseudo(model, state, drives_in, work)
    return OK


@entry(*FINISH.args)
@kernel
def finish(
    model: Floats, pulls_in: Records, state: Floats, drives_io: Records, work: Floats, sweeps: int,
    taken: float,
) -> int:  # fmt: skip
    """Positions, impulses for the next step, reactions and the ledger."""
    header(state, RUN).work.contacts += taken
    return move_on(model, pulls_in, sweeps, state, drives_io, work)
