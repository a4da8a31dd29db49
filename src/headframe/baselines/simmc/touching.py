"""Kernels of a machine of SIMMC in a world of impulses; `constraints` says what they are.

A piece of its velocities is a body: its contacts are rows over that body alone.
"""

from __future__ import annotations

import math

from ...constraints.kernels import (
    BEGIN,
    FINISH,
    LINK,
    PLACE_MACHINE,
    PSEUDO,
    RESPOND_TO,
    SWEEP,
    TURN,
)
from ...dynamics.kernels import RUN
from ...jit import Records, entry, header, inlined_kernel, kernel, matrix, records
from ...spatial.kernels import ZERO, compose, cross3, pose_at, put_pose, put_six
from ..maximal.forces import accelerate, book
from ..maximal.parts import Floats, parts_of
from ..maximal.rows import OK, end_step, rate, stretched, strike, track
from .impulses import (
    book_rows,
    clipped,
    hit_repeater,
    move,
    own_part,
    prepare_drives,
    prepare_joints,
    prepare_losses,
    report,
    run,
    strike_all,
)
from .records import LINK_BODY, SOLVER_REPEATER, SOLVER_ROW

__all__ = ["begin", "finish", "link", "place", "respond", "run", "sweep", "turn"]


@entry(*PLACE_MACHINE.args)
@kernel
def place(model: Floats, state: Floats, work: Floats) -> int:
    """Bodies are where they are."""
    return OK


@entry(*LINK.args)
@kernel
def link(
    model: Floats, state: Floats, work: Floats, freedom: int, X_out: Floats, velocity_out: Floats
) -> int:
    """What a freedom of the tree carries, by the body that it is part of."""
    m, one = parts_of(model, state, work), records(model, own_part(model).links, LINK_BODY)[freedom]
    X, V = m.bodies[one.body].X, m.V[one.body]
    put_pose(X_out, compose(pose_at(X), pose_at(one.X_BF)))
    w = (V[0], V[1], V[2])
    c = cross3(w, (X[0, 3], X[1, 3], X[2, 3]))
    put_six(velocity_out, (w[0], w[1], w[2], V[3] - c[0], V[4] - c[1], V[5] - c[2]))
    return OK


@entry(*BEGIN.args)
@kernel
def begin(model: Floats, pulls_in: Records, state: Floats, drives_io: Records, work: Floats) -> int:
    """Velocities without contacts, rows, and the impulses of the last step."""
    own = own_part(model)
    accelerate(model, pulls_in, own.step, state, work)
    prepare_joints(model, state, work)
    prepare_drives(model, state, drives_io, work)
    prepare_losses(model, state, work)
    clear(matrix(work, own.pseudo))
    strike_all(model, state, work)
    return OK


@inlined_kernel
def clear(V_out: Floats) -> None:
    """No velocities."""
    for body in range(V_out.shape[0]):
        put_six(V_out[body], ZERO)


@entry(*RESPOND_TO.args)
@kernel
def respond(
    model: Floats, state: Floats, work: Floats, freedom: int, point: Floats, axes: Floats,
    J_out: Floats, Y_out: Floats,
) -> int:  # fmt: skip
    """Rows of a point of a body: J = (r x d, d), Y = (I^-1 (r x d), d / m)."""
    m, one = parts_of(model, state, work), records(model, own_part(model).links, LINK_BODY)[freedom]
    X, light = m.bodies[one.body].X, m.rigid[one.body].per_mass
    r = (point[0] - X[0, 3], point[1] - X[1, 3], point[2] - X[2, 3])
    for k in range(3):
        d = (axes[k, 0], axes[k, 1], axes[k, 2])
        turning = cross3(r, d)
        w = stretched(X, m.rigid[one.body].per_inertia, turning)
        put_six(J_out[k], (turning[0], turning[1], turning[2], d[0], d[1], d[2]))
        put_six(Y_out[k], (w[0], w[1], w[2], light * d[0], light * d[1], light * d[2]))
    return int(one.body)


@entry(*SWEEP.args)
@kernel
def sweep(model: Floats, stage: int, back: int, state: Floats, work: Floats) -> float:
    """Impulses, or pseudo-impulses, of all rows and repeaters; the largest change."""
    m, own = parts_of(model, state, work), own_part(model)
    rows = records(work, own.rows, SOLVER_ROW)
    repeaters = records(work, own.repeaters, SOLVER_REPEATER)
    if stage == PSEUDO:
        pseudo = matrix(work, own.pseudo)
        worst = sweep_pseudo(rows, back, pseudo)
        return max(worst, hit_all(repeaters, True, back, pseudo))
    worst = sweep_velocities(rows, back, m.V)
    return max(worst, hit_all(repeaters, False, back, m.V))


@kernel
def sweep_velocities(rows: Records, back: int, V_io: Floats) -> float:
    """One impulse for every row in turn; the largest change."""
    largest, n = 0.0, rows.shape[0]
    for k in range(n):
        row = rows[n - 1 - k if back else k]
        if row.gain == 0.0:
            continue
        lacking = row.wanted - rate(row.response, V_io) - row.softness * row.impulse
        change = clipped(row.gain * lacking, row.impulse, row.least, row.most)
        row.impulse += change
        strike(row.response, change, V_io)
        largest = max(largest, abs(change))
    return largest


@kernel
def sweep_pseudo(rows: Records, back: int, pseudo_io: Floats) -> float:
    """One pseudo-impulse for every row in turn that closes something; the largest change."""
    largest, n = 0.0, rows.shape[0]
    for k in range(n):
        row = rows[n - 1 - k if back else k]
        if row.gain == 0.0 or not row.closing > -math.inf:
            continue
        change = row.gain * (row.closing - rate(row.response, pseudo_io))
        change = clipped(change, row.pseudo_impulse, row.least, row.most)
        row.pseudo_impulse += change
        strike(row.response, change, pseudo_io)
        largest = max(largest, abs(change))
    return largest


@kernel
def hit_all(repeaters: Records, pseudo: bool, back: int, V_io: Floats) -> float:
    """One impulse for every repeater in turn; the largest change."""
    largest, n = 0.0, repeaters.shape[0]
    for k in range(n):
        row = repeaters[n - 1 - k if back else k]
        change = hit_repeater(row.both, row.gain, row.closing if pseudo else 0.0, V_io)
        if not pseudo:
            row.impulse += change
        largest = max(largest, abs(change))
    return largest


@entry(*TURN.args)
@kernel
def turn(model: Floats, state: Floats, drives_in: Records, work: Floats) -> int:
    """What pseudo-velocities shall do is known from the beginning."""
    return OK


@entry(*FINISH.args)
@kernel
def finish(
    model: Floats, pulls_in: Records, state: Floats, drives_io: Records, work: Floats, sweeps: int,
    taken: float,
) -> int:  # fmt: skip
    """Poses, impulses for the next step, reactions and the ledger."""
    h, bodies = own_part(model).step, parts_of(model, state, work).bodies
    header(state, RUN).work.contacts += taken
    book_rows(model, state, drives_io, work)
    book(model, pulls_in, h, bodies, state, work)
    move(model, state, work)
    report(model, state, drives_io, work)
    track(model, state, work)
    return end_step(model, state, work, sweeps)
