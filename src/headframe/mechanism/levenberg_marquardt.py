"""Kernels of the general loop solver: Levenberg-Marquardt, and ways from one pose to another."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import (
    NUMBER,
    VECTOR,
    WHOLE,
    WHOLES,
    entry,
    header,
    indices,
    inlined_kernel,
    kernel,
    matrix,
    numbers,
    records,
)
from .closing import jacobian, residuals
from .folds import flips
from .placing import place, step_positions
from .records import FRAME, FREEDOM, LOOP_ROW, MECHANISM, SolverStatus

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SOLVED, STALLED, OUT_OF_STEPS, SINGULAR = (status.value for status in SolverStatus)
MOST_TURN = 0.6  # [rad, m] of one step, so that no solution is jumped over
WAY_STEPS = 30  # most steps in one part of a way
SAME = 1e-6  # [rad, m] within which two ends are one
SHORTEST = 1e-6  # part of a way


@kernel
def cholesky_solve(A: Floats, b: Floats, n: int, band_in: Ints) -> bool:
    """Solve A x = b in place (A symmetric positive definite, x in b); False if it is not.

    `band_in` is the first column of every row that is not nothing: what is before stays so.
    """
    for i in range(n):
        for j in range(band_in[i], i):
            total = A[i, j]
            for k in range(max(band_in[i], band_in[j]), j):
                total -= A[i, k] * A[j, k]
            A[i, j] = total / A[j, j]
        total = A[i, i]
        for k in range(band_in[i], i):
            total -= A[i, k] * A[i, k]
        if not total > 0.0:
            return False
        A[i, i] = math.sqrt(total)
    for i in range(n):
        total = b[i]
        for k in range(band_in[i], i):
            total -= A[i, k] * b[k]
        b[i] = total / A[i, i]
    for i in range(n - 1, -1, -1):
        b[i] /= A[i, i]
        for k in range(band_in[i], i):
            b[k] -= A[i, k] * b[i]
    return True


@inlined_kernel
def copy(x_in: Floats, x_out: Floats) -> None:
    """Copy a vector: quicker to compile than an assignment of arrays."""
    for i in range(x_in.shape[0]):
        x_out[i] = x_in[i]


@inlined_kernel
def measure(r_in: Floats) -> tuple[float, float]:
    """Sum of squares and largest of the residuals."""
    cost, worst = 0.0, 0.0
    for i in range(r_in.shape[0]):
        cost += r_in[i] * r_in[i]
        worst = max(worst, abs(r_in[i]))
    return cost, worst


@inlined_kernel
def normal_equations(
    J: Floats, r: Floats, dofs_in: Ints, A_out: Floats, g_out: Floats, band_out: Ints
) -> float:
    """J^T J over some velocities, its band, and -J^T r; the largest entry of the diagonal.

    An equation knows few of the velocities: only products of what it knows are added.
    """
    n = dofs_in.shape[0]
    for a in range(n):
        g_out[a], band_out[a] = 0.0, a
        for b in range(a + 1):
            A_out[a, b] = 0.0
    for i in range(r.shape[0]):
        first = n
        for a in range(n):
            slope = J[i, dofs_in[a]]
            if slope == 0.0:
                continue
            first = min(first, a)
            band_out[a] = min(band_out[a], first)
            g_out[a] -= slope * r[i]
            for b in range(first, a + 1):
                A_out[a, b] += slope * J[i, dofs_in[b]]
    largest = 0.0
    for a in range(n):
        largest = max(largest, A_out[a, a])
    return largest


@entry(VECTOR, VECTOR, WHOLES, WHOLES, VECTOR, NUMBER, WHOLE, VECTOR, VECTOR)
@kernel
def solve(
    machine: Floats, target_in: Floats, active_in: Ints, dofs_in: Ints, q_in: Floats,
    tolerance: float, max_steps: int, work: Floats, q_out: Floats,
) -> tuple[int, float, int]:  # fmt: skip
    """Levenberg-Marquardt from q_in on the active constraints over the velocities `dofs_in`.

    Minimises |r|^2. Each step solves (J^T J + mu 1) dv = -J^T r with
    mu = d (damping min(1, |r|^2) + 1e-15), d the largest diagonal of this step's J^T J. `damping`
    falls by 5 after a good step and grows by 10 after one that does not lessen |r|, which is not
    taken. So mu falls to nothing as the residual does, and the end is Gauss-Newton's: quadratic
    where the solution is isolated, and of least norm where it is not. Below `tolerance`, two more
    steps without damping. Returns (status, largest |r|, steps).
    """
    head, n, m = header(machine, MECHANISM), dofs_in.shape[0], active_in.shape[0]
    freedoms, constraints = (
        records(machine, head.freedoms, FREEDOM), records(machine, head.constraints, LOOP_ROW)
    )  # fmt: skip
    frames = records(work, head.work.frames, FRAME)
    r, r_trial = numbers(work, head.work.r)[:m], numbers(work, head.work.r_trial)[:m]
    J, A, g = matrix(work, head.work.J), matrix(work, head.work.A), numbers(work, head.work.g)
    dv, q_trial = numbers(work, head.work.dv), numbers(work, head.work.q_trial)
    band = indices(work, head.work.band)
    copy(q_in, q_out)
    copy(q_in, q_trial)
    place(freedoms, q_out, frames)
    residuals(constraints, target_in, active_in, q_out, frames, r)
    cost, worst = measure(r)
    if not math.isfinite(cost):
        return STALLED, worst, 0
    damping = 1e-3
    polished = 0
    for step in range(max_steps):
        if worst < tolerance:
            # two more steps cost little and take the residual to the end of the doubles
            if polished == 2 or worst == 0.0:
                return SOLVED, worst, step
            polished += 1
            damping = 0.0
        jacobian(constraints, freedoms, active_in, frames, J)
        largest = normal_equations(J, r, dofs_in, A, g, band)
        mu = largest * (damping * min(1.0, cost) + 1e-15) + 1e-300
        for a in range(n):
            A[a, a] += mu
        if not cholesky_solve(A, g, n, band):
            damping = max(10.0 * damping, 1e-6)
            if damping > 1e12:
                return (SOLVED if worst < tolerance else STALLED), worst, step
            continue
        biggest = 0.0
        for v in range(dv.shape[0]):
            dv[v] = 0.0
        for a in range(n):
            dv[dofs_in[a]] = g[a]
            biggest = max(biggest, abs(g[a]))
        scale = min(1.0, MOST_TURN / biggest) if biggest > 0.0 else 1.0
        step_positions(freedoms, q_out, dv, scale, q_trial)
        place(freedoms, q_trial, frames)
        residuals(constraints, target_in, active_in, q_trial, frames, r_trial)
        trial_cost, trial_worst = measure(r_trial)
        if trial_cost < cost:
            gain = (cost - trial_cost) / cost
            copy(q_trial, q_out)
            copy(r_trial, r)
            cost, worst = trial_cost, trial_worst
            damping = damping * 0.2 if gain > 0.5 else damping
            if gain < 1e-10 and worst >= tolerance:
                return STALLED, worst, step
        else:
            place(freedoms, q_out, frames)
            if worst < tolerance:
                return SOLVED, worst, step
            damping = max(10.0 * damping, 1e-6)
            if damping * min(1.0, cost) > 1e8:
                return STALLED, worst, step
    return (SOLVED if worst < tolerance else OUT_OF_STEPS), worst, max_steps


class Way(NamedTuple):
    """A straight way of the targets, and what is solved for on it; see `follow`."""

    machine: Floats
    start: Floats
    target: Floats
    active: Ints
    dofs: Ints
    tolerance: float
    work: Floats


@kernel
def solve_at(way: Way, share: float, q_in: Floats, q_out: Floats) -> tuple[bool, float]:
    """Solve for the targets at a share of the way: whether they are met, and the worst."""
    target = numbers(way.work, header(way.machine, MECHANISM).work.target)
    for c in range(target.shape[0]):
        target[c] = way.start[c] + share * (way.target[c] - way.start[c])
    if share >= 1.0:
        copy(way.target, target)
    status, worst, _ = solve(
        way.machine, target, way.active, way.dofs, q_in, way.tolerance, WAY_STEPS, way.work, q_out
    )
    return status == SOLVED, worst


@kernel
def ends_alike(
    way: Way, done: float, share: float, q_in: Floats, q_end_in: Floats, end_work: Floats
) -> bool:
    """Whether a part of the way, solved in two halves from `q_in`, ends at `q_end_in` too."""
    half = numbers(way.work, header(way.machine, MECHANISM).work.q_half)
    if not solve_at(way, done + 0.5 * share, q_in, half)[0]:
        return False
    if not solve_at(way, done + share, half, end_work)[0]:
        return False
    apart = 0.0
    for i in range(q_in.shape[0]):
        apart = max(apart, abs(end_work[i] - q_end_in[i]))
    return apart <= SAME


@entry(VECTOR, VECTOR, VECTOR, WHOLES, WHOLES, VECTOR, NUMBER, NUMBER, VECTOR, VECTOR)
@kernel
def follow(
    machine: Floats, start_in: Floats, target_in: Floats, active_in: Ints, dofs_in: Ints,
    q_in: Floats, tolerance: float, max_turn: float, work: Floats, q_out: Floats,
) -> tuple[int, float, float]:  # fmt: skip
    """Straight-line continuation of the targets from `start_in` to `target_in`.

    Every part of the way is solved from the point before it, and taken only if no joint moved by
    more than `max_turn`, the solution lies where the last two points point to, the same part in two
    halves ends in the same place, and no fold lies between the points (`flips`); otherwise it is
    halved. So the end is on the branch of the start, and a way over a fold is refused. Returns
    (status, worst, fraction of the way reached); SINGULAR where the way ends before the target.
    """
    at = header(machine, MECHANISM).work
    q_last, q_now, q_next = (
        numbers(work, at.q_last), numbers(work, at.q_now), numbers(work, at.q_next)
    )  # fmt: skip
    way = Way(machine, start_in, target_in, active_in, dofs_in, tolerance, work)
    copy(q_in, q_now)
    copy(q_in, q_last)
    done, share, share_last, worst = 0.0, 1.0, 0.0, 0.0
    while done < 1.0:
        share = min(share, 1.0 - done)
        good, worst = solve_at(way, done + share, q_now, q_next)
        moved, strayed = 0.0, 0.0
        for i in range(q_in.shape[0]):
            step = q_next[i] - q_now[i]
            moved = max(moved, abs(step))
            if share_last > 0.0:
                expected = (q_now[i] - q_last[i]) * share / share_last
                strayed = max(strayed, abs(step - expected))
        good = good and moved <= max_turn and strayed <= 0.5 * max_turn
        good = good and ends_alike(way, done, share, q_now, q_next, q_out)
        good = good and not flips(machine, active_in, dofs_in, q_now, q_next, work)
        if good:
            copy(q_now, q_last)
            copy(q_next, q_now)
            done += share
            share_last = share
            share *= 2.0
        else:
            share *= 0.5
            if share < SHORTEST:
                copy(q_now, q_out)
                return SINGULAR, worst, done
    copy(q_now, q_out)
    return SOLVED, worst, 1.0
