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

import numpy as np
from numpy.typing import NDArray

from ...actuation.kernels import DRIVE, DrivenBy
from ...dynamics.kernels import PULL, RUN
from ...jit import (
    VECTOR,
    WHOLE,
    Record,
    Records,
    array_of,
    entry,
    header,
    inlined_kernel,
    kernel,
    matrix,
    numbers,
    record,
    records,
)
from ..maximal.driving import IMPACT, command, settle, stop_side
from ..maximal.forces import accelerate, book, keep_angular, set_mean
from ..maximal.parts import parts_of
from ..maximal.records import MAXIMAL
from ..maximal.rows import (
    OK,
    answer,
    answer_drive,
    end_step,
    inverse,
    rate,
    rotate,
    set_repeater,
    strike,
    track,
)
from .records import SIMMC, SOLVER_REPEATER, SOLVER_ROW

Floats = NDArray[np.float64]

PUSHED = DrivenBy.PUSHED.value


@inlined_kernel
def own_part(model: Floats) -> Record:
    """What a model of SIMMC has of its own."""
    return record(model, header(model, MAXIMAL).own, SIMMC)


# ----------------------------------------------------------------- the rows


@inlined_kernel
def aim(row: Record, gain: float, wanted: float, closing: float, most: float) -> None:
    """What a row shall do, with no softness."""
    row.gain, row.softness, row.wanted, row.closing = gain, 0.0, wanted, closing
    row.least, row.most = -most, most


@kernel
def prepare_joints(model: Floats, state: Floats, work: Floats) -> None:
    """Rows that hold joints together: no velocity, and a pseudo-velocity that closes the gap.

    Of a repeater no rate of the follower less ratio times the leader's, over up to four bodies.
    """
    m, own = parts_of(model, state, work), own_part(model)
    rows = records(work, own.held, SOLVER_ROW)
    repeaters = records(work, own.repeaters, SOLVER_REPEATER)
    for r in range(rows.shape[0]):
        C, K = answer(m, m.held[r], rows[r].response)
        aim(rows[r], inverse(K), 0.0, -own.beta * C / own.step, math.inf)
    for r in range(repeaters.shape[0]):
        C, K = set_repeater(m, m.repeaters[r], repeaters[r].both)
        repeaters[r].gain, repeaters[r].closing = inverse(K), -own.beta * C / own.step


@kernel
def prepare_drives(model: Floats, state: Floats, drives_io: Records, work: Floats) -> None:
    """Drives: forces are applied, guided rows get their speed, and stops what is left to them."""
    m, own, h = parts_of(model, state, work), own_part(model), own_part(model).step
    guides, stops = records(work, own.guides, SOLVER_ROW), records(work, own.stops, SOLVER_ROW)
    for n in range(guides.shape[0]):
        drive, reference, guide, stop = drives_io[n], m.references[n], guides[n], stops[n]
        response = guide.response
        place, K = answer_drive(m, n, response)
        gain = inverse(K)
        was = reference.position if reference.active else place
        speed = command(n, place, rate(response, m.V_before), h, drives_io, m.references)
        if drive.now == PUSHED:
            strike(response, h * drive.pull, m.V)
            guide.gain = 0.0
        else:
            aim(guide, gain, speed, -own.beta * (place - was) / h, h * drive.most_force)
        side, left = stop_side(drive, place)
        drive.stop = -side
        for end in range(2):
            stop.response.ends[end] = response.ends[end]
            for k in range(6):
                stop.response.J[end, k] = side * response.J[end, k]
                stop.response.W[end, k] = side * response.W[end, k]
        # rows that cannot be met within the step keep quiet, since impulses only push inwards
        closing = -math.inf if left > 0.0 else -own.beta * left / h
        aim(stop, gain, -max(left, 0.0) / h, closing, math.inf)
        stop.least = 0.0
        if side == 0.0:
            stop.gain = 0.0


@kernel
def prepare_losses(model: Floats, state: Floats, work: Floats) -> None:
    """Damping as a soft row, which ends at the impulse -c h rate; friction as a clipped one."""
    m, own, h = parts_of(model, state, work), own_part(model), own_part(model).step
    dampers = records(work, own.dampers, SOLVER_ROW)
    frictions = records(work, own.frictions, SOLVER_ROW)
    for n in range(m.losses.shape[0]):
        loss, damper, friction = m.losses[n], dampers[n], frictions[n]
        _, K = answer(m, m.free[loss.row], damper.response)
        soft = 1.0 / (h * loss.damping)
        aim(damper, 1.0 / (K + soft) if loss.damping > 0.0 else 0.0, 0.0, -math.inf, math.inf)
        damper.softness = soft
        answer(m, m.free[loss.row], friction.response)
        most = h * loss.friction
        aim(friction, 1.0 / K if most > 0.0 else 0.0, 0.0, -math.inf, most)


# --------------------------------------------------------------- iterations


@inlined_kernel
def clipped(change: float, before: float, least: float, most: float) -> float:
    """What is left of an impulse's change when the whole is kept between two bounds."""
    return min(max(before + change, least), most) - before


@kernel
def strike_all(model: Floats, state: Floats, work: Floats) -> None:
    """Warm start: the impulses of the step before, all at once; pseudo-impulses begin with 0."""
    m, own = parts_of(model, state, work), own_part(model)
    rows, V = records(work, own.rows, SOLVER_ROW), m.V
    repeaters = records(work, own.repeaters, SOLVER_REPEATER)
    kept_rows = numbers(m.impulses, own.kept_rows)
    kept_repeaters = numbers(m.impulses, own.kept_repeaters)
    for r in range(rows.shape[0]):
        row = rows[r]
        row.impulse, row.pseudo_impulse = 0.0, 0.0
        if row.gain != 0.0:
            row.impulse = min(max(kept_rows[r], row.least), row.most)
            strike(row.response, row.impulse, V)
    for r in range(repeaters.shape[0]):
        both, impulse = repeaters[r].both, kept_repeaters[r]
        repeaters[r].impulse = impulse
        strike(both.follower, impulse, V)
        strike(both.leader, impulse, V)


@kernel
def keep(model: Floats, state: Floats, work: Floats) -> None:
    """Impulses that the next step begins with."""
    m, own = parts_of(model, state, work), own_part(model)
    rows = records(work, own.rows, SOLVER_ROW)
    repeaters = records(work, own.repeaters, SOLVER_REPEATER)
    kept_rows = numbers(m.impulses, own.kept_rows)
    kept_repeaters = numbers(m.impulses, own.kept_repeaters)
    for r in range(rows.shape[0]):
        kept_rows[r] = rows[r].impulse
    for r in range(repeaters.shape[0]):
        kept_repeaters[r] = repeaters[r].impulse


@inlined_kernel
def hit_repeater(both: Record, gain: float, wanted: float, V_io: Floats) -> float:
    """The impulse that brings a repeater's velocities, or pseudo-velocities, to what is wanted."""
    change = gain * (wanted - rate(both.follower, V_io) - rate(both.leader, V_io))
    strike(both.follower, change, V_io)
    strike(both.leader, change, V_io)
    return change


@kernel
def hit_repeaters(repeaters: Records, V_io: Floats, pseudo_io: Floats) -> float:
    """Impulses of the repeaters, forth and back in one; returns the largest change."""
    largest, n = 0.0, repeaters.shape[0]
    for back in range(2):
        for k in range(n):
            row = repeaters[n - 1 - k if back else k]
            change = hit_repeater(row.both, row.gain, 0.0, V_io)
            row.impulse += change
            aside = hit_repeater(row.both, row.gain, row.closing, pseudo_io)
            largest = max(largest, abs(change), abs(aside))
    return largest


@kernel
def sweep(rows: Records, back: bool, V_io: Floats, pseudo_io: Floats) -> float:
    """Impulse and pseudo-impulse of every row in turn; returns the largest change.

    With softness g a row ends at J V + g p = wanted (a damper: p = -c h J V with g = 1 / (c h)).
    """
    largest, n = 0.0, rows.shape[0]
    for k in range(n):
        row = rows[n - 1 - k if back else k]
        gain, impulse = row.gain, row.impulse
        if gain == 0.0:
            continue
        change = gain * (row.wanted - rate(row.response, V_io) - row.softness * impulse)
        change = clipped(change, impulse, row.least, row.most)
        row.impulse = impulse + change
        strike(row.response, change, V_io)
        largest = max(largest, abs(change))
        if row.closing > -math.inf:
            change = gain * (row.closing - rate(row.response, pseudo_io))
            change = clipped(change, row.pseudo_impulse, row.least, row.most)
            row.pseudo_impulse += change
            strike(row.response, change, pseudo_io)
            largest = max(largest, abs(change))
    return largest


@kernel
def solve(model: Floats, state: Floats, work: Floats) -> int:
    """Warm start and iterations (paper SIMGC, step 7); returns how many.

    Sweeps go back and forth in turn, each an iteration, unless they shall not alternate. What they
    leave of the velocities r against the rows comes back through the warm start: if r is left as
    G r, then r'' = G (2 r' - r). Back and forth, G is symmetric in the metric of the masses with
    eigenvalues between 0 and 1, for which that dies away; sweeps in one direction can have complex
    ones, for which it grows.
    """
    m, own, done = parts_of(model, state, work), own_part(model), 0
    V, pseudo, rows = m.V, matrix(work, own.pseudo), records(work, own.rows, SOLVER_ROW)
    repeaters = records(work, own.repeaters, SOLVER_REPEATER)
    for body in range(pseudo.shape[0]):
        for k in range(6):
            pseudo[body, k] = 0.0
    strike_all(model, state, work)
    while done < own.iterations:
        largest = sweep(rows, True, V, pseudo)
        largest = max(largest, hit_repeaters(repeaters, V, pseudo))
        done += 1
        if own.alternating:
            largest = max(largest, sweep(rows, False, V, pseudo))
            done += 1
        if largest <= own.tolerance:
            break
    return done


# ------------------------------------------------------------------ a step


@inlined_kernel
def work_of(rows: Records, V_mean: Floats) -> float:
    """What the impulses of some rows did."""
    done = 0.0
    for r in range(rows.shape[0]):
        done += rows[r].impulse * rate(rows[r].response, V_mean)
    return done


@kernel
def book_rows(model: Floats, state: Floats, drives_in: Records, work: Floats) -> None:
    """Mean velocities of the step, and with them the work of all impulses."""
    m, own, done = parts_of(model, state, work), own_part(model), header(state, RUN).work
    set_mean(m)
    mean, guides = m.V_mean, records(work, own.guides, SOLVER_ROW)
    repeaters = records(work, own.repeaters, SOLVER_REPEATER)
    for n in range(drives_in.shape[0]):
        pushed = drives_in[n].now == PUSHED
        p = own.step * drives_in[n].pull if pushed else guides[n].impulse
        done.drives += p * rate(guides[n].response, mean)
    done.stops += work_of(records(work, own.stops, SOLVER_ROW), mean)
    done.dampers += work_of(records(work, own.dampers, SOLVER_ROW), mean)
    done.dampers += work_of(records(work, own.frictions, SOLVER_ROW), mean)
    done.joints += work_of(records(work, own.held, SOLVER_ROW), mean)
    for r in range(repeaters.shape[0]):
        both = repeaters[r].both
        done.joints += repeaters[r].impulse * (rate(both.follower, mean) + rate(both.leader, mean))


@kernel
def move(model: Floats, state: Floats, work: Floats) -> None:
    """Angular momenta at the pose of the step, then the poses, by (9) of paper SIMGC."""
    m, own = parts_of(model, state, work), own_part(model)
    bodies, V, pseudo, h = m.bodies, m.V, matrix(work, own.pseudo), own.step
    keep_angular(m.rigid, bodies, V, bodies)
    for n in range(1, bodies.shape[0]):
        for k in range(3):
            bodies[n].X[k, 3] += h * (V[n, 3 + k] + pseudo[n, 3 + k])
        x, y = h * (V[n, 0] + pseudo[n, 0]), h * (V[n, 1] + pseudo[n, 1])
        rotate(bodies[n], x, y, h * (V[n, 2] + pseudo[n, 2]))


@kernel
def report(model: Floats, state: Floats, drives_io: Records, work: Floats) -> None:
    """Forces of drives and stops, and impulses for the next step.

    An impact makes impulses that it must not begin with: it begins with those of the step before.
    """
    m, own, h, impact = parts_of(model, state, work), own_part(model), own_part(model).step, False
    guides, stops = records(work, own.guides, SOLVER_ROW), records(work, own.stops, SOLVER_ROW)
    for n in range(drives_io.shape[0]):
        guide, stop = guides[n], stops[n]
        settle(drives_io[n], m.references[n], guide.impulse / h, stop.impulse / h, guide.most / h)
        if stop.impulse > 0.0:
            slower = rate(stop.response, m.V) - rate(stop.response, m.V_before)
            impact = impact or slower > IMPACT * h
    if not impact:
        keep(model, state, work)


@entry(VECTOR, array_of(PULL), WHOLE, VECTOR, array_of(DRIVE), VECTOR)
@kernel
def run(
    model: Floats, pulls_in: Records, steps: int, state: Floats, drives_io: Records, work: Floats
) -> int:
    """So many steps; OK, or the status of one that fails."""
    bodies, h = parts_of(model, state, work).bodies, own_part(model).step
    for _ in range(steps):
        accelerate(model, pulls_in, h, state, work)
        prepare_joints(model, state, work)
        prepare_drives(model, state, drives_io, work)
        prepare_losses(model, state, work)
        iterations = solve(model, state, work)
        book_rows(model, state, drives_io, work)
        book(model, pulls_in, h, bodies, state, work)
        move(model, state, work)
        report(model, state, drives_io, work)
        track(model, state, work)
        status = end_step(model, state, work, iterations)
        if status != OK:
            return status
    return OK
