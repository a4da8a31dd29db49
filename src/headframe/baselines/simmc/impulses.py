"""Kernels of SIMMC: sequential impulses over free bodies.

One step, after Catto's "Iterative dynamics with temporal coherence" and the method that paper
SIMGC compares with: forces change velocities; the impulses of the step before are applied at once
(warm start); then every row in turn gets the impulse that brings its velocity to what it shall be,
clipped to what it may be, again and again until no impulse changes by more than a tolerance. Gaps
are closed by pseudo-velocities of their own (split impulses), aiming at -beta C / h, which move the
bodies in this step and are forgotten. In the end bodies move with the new velocities.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...actuation.records import DRIVE, DrivenBy
from ...dynamics.records import PULL
from ...jit import (
    MATRIX,
    VECTOR,
    WHOLE,
    WHOLE_MATRIX,
    WHOLES,
    Records,
    array_of,
    entry,
    inlined_kernel,
    kernel,
    named_tuple_of,
)
from ..maximal.driving import ACTIVE, IMPACT, PLACE, command, settle, stop_side
from ..maximal.forces import accelerate, book
from ..maximal.rows import (
    BODIES,
    BY_DAMPERS,
    BY_DRIVES,
    BY_JOINTS,
    BY_STOPS,
    TABLES,
    Bodies,
    Tables,
    copy_line,
    inertia,
    n_held,
    not_finite,
    position,
    rate,
    respond,
    rotate,
    set_ratio,
    set_row,
    strike,
    track,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PUSHED = DrivenBy.PUSHED.value
GAIN, WANTED, PSEUDO, LEAST, MOST, SOFT, PSEUDO_IMPULSE = range(7)
ROW = 7
H, BETA, TOLERANCE, ALTERNATING = range(4)  # of the settings


class Solver(NamedTuple):
    """Rows of the solver.

    Those that hold joints together; for each drive one that guides, then one for each that stops;
    for each loss one that damps, then one for each that rubs; for each repeater two, its
    follower's and its leader's, of which the first has the gain and the impulse.

    Attributes:
        ends: bodies A and B, (n, 2).
        J: (n, 12), W: M^-1 J^T, (n, 12).
        rows: gain 1 / (J W + softness), 0 where it is idle; wanted velocity; wanted
            pseudo-velocity, -inf for none; least and greatest impulse; softness; pseudo-impulse,
            (n, ROW).
        impulse: [N s, N m s], (n,), kept from step to step.
        warm: impulses that the step began with, (n,).
        pseudo: pseudo-velocities of the bodies, (nb, 6).
        V_before, V_mean: their velocities before the step, and the mean of those before and after,
            (nb, 6).
    """

    ends: Ints
    J: Floats
    W: Floats
    rows: Floats
    impulse: Floats
    warm: Floats
    pseudo: Floats
    V_before: Floats
    V_mean: Floats


SOLVER = named_tuple_of(
    Solver, WHOLE_MATRIX, MATRIX, MATRIX, MATRIX, VECTOR, VECTOR, MATRIX, MATRIX, MATRIX
)


@kernel
def set_solver_row(
    at: int, gain: float, wanted: float, pseudo: float, most: float, rows_out: Floats
) -> None:
    """A row that is not soft."""
    rows_out[at, GAIN], rows_out[at, SOFT] = gain, 0.0
    rows_out[at, WANTED], rows_out[at, PSEUDO] = wanted, pseudo
    rows_out[at, LEAST], rows_out[at, MOST] = -most, most


@kernel
def prepare_joints(tables: Tables, bodies: Bodies, settings: Floats, solver: Solver) -> None:
    """Rows that hold joints together: no velocity, and a pseudo-velocity that closes the gap."""
    for row in range(n_held(tables)):
        C = set_row(tables.row_i, tables.row_f, bodies.X, row, solver.J, row)
        K = respond(tables.body_f, bodies.X, tables.row_i, row, solver.J, row, solver.W)
        gain, closing = 1.0 / K if K > 0.0 else 0.0, -settings[BETA] * C / settings[H]
        set_solver_row(row, gain, 0.0, closing, math.inf, solver.rows)


@kernel
def prepare_drives(
    tables: Tables, bodies: Bodies, settings: Floats, solver: Solver, drives_io: Records
) -> None:
    """Drives: forces are applied, guided rows get their speed, and stops what is left to them."""
    h, n, ref = settings[H], tables.drive_i.shape[0], bodies.ref
    J, W, rows = solver.J, solver.W, solver.rows
    for d in range(n):
        row, at = tables.drive_i[d], n_held(tables) + d
        a, b = solver.ends[at, 0], solver.ends[at, 1]
        value = set_row(tables.row_i, tables.row_f, bodies.X, row, J, at)
        place = position(tables.row_i, row, value, bodies.last[row])
        K = respond(tables.body_f, bodies.X, tables.row_i, row, J, at, W)
        gain = 1.0 / K if K > 0.0 else 0.0
        was = ref[d, PLACE] if ref[d, ACTIVE] != 0.0 else place
        speed = command(d, place, rate(J, at, solver.V_before, a, b), h, drives_io, ref)
        if drives_io[d].now == PUSHED:
            strike(W, at, h * drives_io[d].pull, bodies.V, a, b)
            rows[at, GAIN], solver.impulse[at] = 0.0, 0.0
        else:
            closing = -settings[BETA] * (place - was) / h
            set_solver_row(at, gain, speed, closing, h * drives_io[d].most_force, rows)
        at += n
        side, left = stop_side(d, place, drives_io)
        drives_io[d].stop = -side
        for k in range(12):
            J[at, k], W[at, k] = side * J[at - n, k], side * W[at - n, k]
        # rows that cannot be met within the step keep quiet, since impulses only push inwards
        closing = -math.inf if left > 0.0 else -settings[BETA] * left / h
        set_solver_row(at, gain, -max(left, 0.0) / h, closing, math.inf, rows)
        rows[at, LEAST] = 0.0
        if side == 0.0:
            rows[at, GAIN], solver.impulse[at] = 0.0, 0.0


@kernel
def prepare_losses(tables: Tables, bodies: Bodies, settings: Floats, solver: Solver) -> None:
    """Damping as a soft row, which ends at the impulse -c h rate; friction as a clipped one."""
    h, n = settings[H], tables.loss_i.shape[0]
    for loss in range(n):
        row, at = tables.loss_i[loss], n_held(tables) + 2 * tables.drive_i.shape[0] + loss
        for kind in range(2):
            factor = tables.loss_f[loss, kind]
            set_row(tables.row_i, tables.row_f, bodies.X, row, solver.J, at)
            K = respond(tables.body_f, bodies.X, tables.row_i, row, solver.J, at, solver.W)
            soft = 1.0 / (h * factor) if kind == 0 else 0.0
            gain, most = 1.0 / (K + soft), math.inf if kind == 0 else h * factor
            set_solver_row(at, gain if factor > 0.0 else 0.0, 0.0, -math.inf, most, solver.rows)
            solver.rows[at, SOFT] = soft
            at += n


@kernel
def prepare_ratios(tables: Tables, bodies: Bodies, settings: Floats, solver: Solver) -> None:
    """Repeaters: no rate of the follower less ratio times the leader's, over up to four bodies."""
    n = tables.ratio_i.shape[0]
    for r in range(n):
        at = solver.ends.shape[0] - 2 * (n - r)
        C, K = set_ratio(tables, bodies.X, bodies.last, r, solver.J, at, solver.W)
        gain, closing = 1.0 / K if K > 0.0 else 0.0, -settings[BETA] * C / settings[H]
        set_solver_row(at, gain, 0.0, closing, math.inf, solver.rows)


@inlined_kernel
def clipped(change: float, before: float, least: float, most: float) -> float:
    """What is left of an impulse's change when the whole is kept between two bounds."""
    return min(max(before + change, least), most) - before


@kernel
def strike_all(solver: Solver, n_single: int, V_io: Floats) -> None:
    """Warm start: the impulses of the step before, all at once; pseudo-impulses begin with 0."""
    ends, rows, impulse, W = solver.ends, solver.rows, solver.impulse, solver.W
    for row in range(ends.shape[0]):
        rows[row, PSEUDO_IMPULSE] = 0.0
        if rows[row, GAIN] == 0.0 and row < n_single:
            continue
        first = row if row < n_single else row - (row - n_single) % 2
        impulse[first] = min(max(impulse[first], rows[first, LEAST]), rows[first, MOST])
        strike(W, row, impulse[first], V_io, ends[row, 0], ends[row, 1])


@kernel
def hit_ratios(solver: Solver, n_single: int, V_io: Floats) -> float:
    """Impulses of the repeaters; returns the largest change."""
    ends, rows, J, W, pseudo = solver.ends, solver.rows, solver.J, solver.W, solver.pseudo
    largest, n = 0.0, ends.shape[0] - n_single
    for k in range(n):
        # forth and back in one, as the sweeps over the others go
        row = n_single + 2 * min(k, n - 1 - k)
        a, b, c, d = ends[row, 0], ends[row, 1], ends[row + 1, 0], ends[row + 1, 1]
        change = -rows[row, GAIN] * (rate(J, row, V_io, a, b) + rate(J, row + 1, V_io, c, d))
        solver.impulse[row] += change
        strike(W, row, change, V_io, a, b)
        strike(W, row + 1, change, V_io, c, d)
        aside = rows[row, PSEUDO] - rate(J, row, pseudo, a, b) - rate(J, row + 1, pseudo, c, d)
        aside *= rows[row, GAIN]
        strike(W, row, aside, pseudo, a, b)
        strike(W, row + 1, aside, pseudo, c, d)
        largest = max(largest, abs(change), abs(aside))
    return largest


@kernel
def sweep(solver: Solver, n_single: int, back: bool, V_io: Floats) -> float:
    """Impulse and pseudo-impulse of every row in turn; returns the largest change.

    With softness g a row ends at J V + g p = wanted (a damper: p = -c h J V with g = 1 / (c h)).
    """
    ends, rows, impulse = solver.ends, solver.rows, solver.impulse
    J, W, pseudo, largest = solver.J, solver.W, solver.pseudo, 0.0
    for k in range(n_single):
        row = n_single - 1 - k if back else k
        gain = rows[row, GAIN]
        if gain == 0.0:
            continue
        a, b, least, greatest = ends[row, 0], ends[row, 1], rows[row, LEAST], rows[row, MOST]
        change = rows[row, WANTED] - rate(J, row, V_io, a, b) - rows[row, SOFT] * impulse[row]
        change = clipped(gain * change, impulse[row], least, greatest)
        impulse[row] += change
        strike(W, row, change, V_io, a, b)
        largest = max(largest, abs(change))
        if rows[row, PSEUDO] > -math.inf:
            change = gain * (rows[row, PSEUDO] - rate(J, row, pseudo, a, b))
            change = clipped(change, rows[row, PSEUDO_IMPULSE], least, greatest)
            rows[row, PSEUDO_IMPULSE] += change
            strike(W, row, change, pseudo, a, b)
            largest = max(largest, abs(change))
    return largest


@kernel
def solve(solver: Solver, n_single: int, settings: Floats, most: int, V_io: Floats) -> int:
    """Warm start and iterations (paper SIMGC, step 7); returns how many.

    Sweeps go back and forth in turn, each an iteration, unless they shall not alternate. What they
    leave of the velocities r against the rows comes back through the warm start: if r is left as
    G r, then r'' = G (2 r' - r). Back and forth, G is symmetric in the metric of the masses with
    eigenvalues between 0 and 1, for which that dies away; sweeps in one direction can have complex
    ones, for which it grows.
    """
    for body in range(solver.pseudo.shape[0]):
        for k in range(6):
            solver.pseudo[body, k] = 0.0
    strike_all(solver, n_single, V_io)
    done = 0
    while done < most:
        largest = sweep(solver, n_single, True, V_io)
        largest = max(largest, hit_ratios(solver, n_single, V_io))
        done += 1
        if settings[ALTERNATING] != 0.0:
            largest = max(largest, sweep(solver, n_single, False, V_io))
            done += 1
        if largest <= settings[TOLERANCE]:
            break
    return done


@kernel
def move(tables: Tables, bodies: Bodies, pseudo: Floats, h: float) -> None:
    """Angular momenta at the pose of the step, then the poses, by (9) of paper SIMGC."""
    X, V, spin = bodies.X, bodies.V, bodies.spin
    for body in range(1, X.shape[0]):
        x, y, z = inertia(tables.body_f, X, body, V[body, 0], V[body, 1], V[body, 2])
        spin[body, 0], spin[body, 1], spin[body, 2] = x, y, z
        for k in range(3):
            X[body, 4 * k + 3] += h * (V[body, 3 + k] + pseudo[body, 3 + k])
        x, y = h * (V[body, 0] + pseudo[body, 0]), h * (V[body, 1] + pseudo[body, 1])
        rotate(body, x, y, h * (V[body, 2] + pseudo[body, 2]), bodies.quat, X)


@kernel
def book_rows(tables: Tables, V: Floats, h: float, solver: Solver, drives_in: Records,
              ledger_io: Floats) -> None:  # fmt: skip
    """Mean velocities of the step, and with them the work of all impulses."""
    V_mean, J, ends, n = solver.V_mean, solver.J, solver.ends, tables.drive_i.shape[0]
    for body in range(V.shape[0]):
        for k in range(6):
            V_mean[body, k] = 0.5 * (solver.V_before[body, k] + V[body, k])
    first, n_single = n_held(tables), ends.shape[0] - 2 * tables.ratio_i.shape[0]
    for row in range(ends.shape[0]):
        mean = rate(J, row, V_mean, ends[row, 0], ends[row, 1])
        if row < first:
            ledger_io[BY_JOINTS] += solver.impulse[row] * mean
        elif row < first + n:
            pushed = drives_in[row - first].now == PUSHED
            p = h * drives_in[row - first].pull if pushed else solver.impulse[row]
            ledger_io[BY_DRIVES] += p * mean
        elif row < first + 2 * n:
            ledger_io[BY_STOPS] += solver.impulse[row] * mean
        elif row < n_single:
            ledger_io[BY_DAMPERS] += solver.impulse[row] * mean
        else:
            ledger_io[BY_JOINTS] += solver.impulse[row - (row - n_single) % 2] * mean


@kernel
def report(tables: Tables, bodies: Bodies, h: float, solver: Solver, drives_io: Records) -> None:
    """Forces of drives and stops.

    An impact makes impulses that the next step must not begin with: it begins with those that this
    step began with.
    """
    n, impact = tables.drive_i.shape[0], False
    for d in range(n):
        at = n_held(tables) + d
        push, stop, most = solver.impulse[at], solver.impulse[at + n], solver.rows[at, MOST]
        settle(d, push / h, stop / h, most / h, drives_io, bodies.ref)
        if stop > 0.0:
            a, b = solver.ends[at, 0], solver.ends[at, 1]
            slower = rate(solver.J, at + n, bodies.V, a, b)
            slower -= rate(solver.J, at + n, solver.V_before, a, b)
            impact = impact or slower > IMPACT * h
    if impact:
        copy_line(solver.warm, solver.impulse)


@entry(TABLES, BODIES, VECTOR, WHOLE, WHOLE, array_of(PULL), SOLVER, array_of(DRIVE), WHOLES)
@kernel
def run(
    tables: Tables, bodies: Bodies, settings: Floats, steps: int, most: int, pulls_in: Records,
    solver: Solver, drives_io: Records, counts_io: Ints,
) -> tuple[int, int]:  # fmt: skip
    """So many steps; returns the body that stops being finite, or 0, and the steps made before."""
    h, n_single = settings[H], solver.ends.shape[0] - 2 * tables.ratio_i.shape[0]
    for step in range(steps):
        copy_line(solver.impulse, solver.warm)
        accelerate(tables, bodies, pulls_in, h, solver.V_before)
        prepare_joints(tables, bodies, settings, solver)
        prepare_drives(tables, bodies, settings, solver, drives_io)
        prepare_losses(tables, bodies, settings, solver)
        prepare_ratios(tables, bodies, settings, solver)
        counts_io[0] = solve(solver, n_single, settings, most, bodies.V)
        counts_io[1] += counts_io[0]
        book_rows(tables, bodies.V, h, solver, drives_io, bodies.ledger)
        book(tables, bodies.X, solver.V_before, solver.V_mean, pulls_in, h, bodies.ledger)
        move(tables, bodies, solver.pseudo, h)
        report(tables, bodies, h, solver, drives_io)
        track(tables, bodies, solver.J)
        body = not_finite(bodies)
        if body > 0:
            return body, step
    return 0, steps
