"""Kernels of inverse kinematics: a bound-constrained Newton method over the lengths.

The objective, its derivatives, the layout of a problem (`path_i`, `path_f`) and of the scratch
memory `work` are those of `objective._kernels`.
"""

from __future__ import annotations

import math

import numpy as np

from ...jit import batch_kernel, inlined_kernel, kernel
from ..forward._kernels import (
    BLOCK_I,
    NEWTON,
    SOLVED,
    closed_form,
    joints,
    look_up,
    start,
)
from ..lengths._kernels import (
    BLOCKS_I,
    N_VARS,
    Floats,
    Ints,
    length_rates,
    turn,
)
from .objective._kernels import (
    ACTUATORS_AT,
    BEST,
    CONVERGED,
    GRADIENT,
    HESSIAN,
    HIGH,
    KEPT,
    LOW,
    MATRIX_K,
    MAX_TRIED,
    MOTIONS_AT,
    NEAR,
    NO_START,
    NOT_A_POSE,
    NOW,
    OUT_OF_STEPS,
    PATH_HEAD,
    STEP,
    TRIAL,
    TRIED,
    VALUES,
    VARIABLES_AT,
    N,
    error,
    evaluate_here,
    go_here,
    go_to,
    half_square,
    views,
    work_size,
)

NEAR_STEP = 0.05  # [m] below which a step may skip solving for the lengths


@inlined_kernel
def box_step(n: int, damping: float, held: Ints, A_work: Floats, work: Floats) -> bool:
    """Minimise g.d + 1/2 d.(H + damping 1).d inside low <= d <= high, by an active set.

    Unknowns at a bound whose gradient pushes outwards are held. The rest is solved; one that
    leaves its bounds is held there, the one farthest out first, and the rest is solved again.
    False if the matrix of the free ones is not positive definite.
    """
    for i in range(n):
        g = work[GRADIENT + i]
        work[STEP + i] = 0.0
        held[i] = 0
        if (work[LOW + i] >= 0.0 and g > 0.0) or (work[HIGH + i] <= 0.0 and g < 0.0):
            held[i] = 1
            work[STEP + i] = work[LOW + i] if g > 0.0 else work[HIGH + i]
    for _ in range(n + 1):
        m = 0
        for i in range(n):
            if not held[i]:
                held[N + m] = i
                m += 1
        if m == 0:
            return True
        for a in range(m):
            i = held[N + a]
            right = -work[GRADIENT + i]
            for j in range(n):
                if held[j]:
                    right -= work[HESSIAN + N * i + j] * work[STEP + j]
            for b in range(m):
                A_work[a, b] = work[HESSIAN + N * i + held[N + b]]
            A_work[a, a] += damping
            A_work[a, m] = right
        if not positive(A_work, m):
            return False
        worst, out = 1e-15, -1
        for a in range(m):
            i = held[N + a]
            d = A_work[a, m]
            work[STEP + i] = d
            beyond = max(d - work[HIGH + i], work[LOW + i] - d)
            if beyond > worst:
                worst, out = beyond, i
        if out < 0:
            return True
        held[out] = 1
        at_top = work[STEP + out] > work[HIGH + out]
        work[STEP + out] = work[HIGH + out] if at_top else work[LOW + out]
    return True


@inlined_kernel
def positive(A: Floats, n: int) -> bool:
    """Solve in place the n equations A[:, :n] x = A[:, n]; False if A is not positive definite."""
    for k in range(n):
        if not A[k, k] > 0.0:
            return False
        for i in range(k + 1, n):
            factor = A[i, k] / A[k, k]
            for j in range(k + 1, n + 1):
                A[i, j] -= factor * A[k, j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            A[k, n] -= A[k, j] * A[j, n]
        A[k, n] /= A[k, k]
    return True


@inlined_kernel
def step_variables(path_i: Ints, theta_io: Floats, work: Floats) -> None:
    """Move the relevant variables by K d, d being the step in `work`."""
    for i in range(path_i[1]):
        total = 0.0
        for j in range(path_i[1]):
            total += work[MATRIX_K + N * i + j] * work[STEP + j]
        theta_io[path_i[VARIABLES_AT + i]] += total


@inlined_kernel
def minimise(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    path_f: Floats,
    bounds_in: Floats,
    place_in: Ints,
    held_work: Ints,
    Y_in: Floats,
    weights_in: Floats,
    max_steps: int,
    stands: bool,
    work: Floats,
    parts: tuple[Floats, ...],
) -> tuple[int, float, int]:
    """Bound-constrained Newton from the lengths NOW in `work`: (status, f, steps).

    `stands`: the variables have these lengths already.

    The Hessian is the true one, damped where it is not positive definite or where a step did not
    lessen f. After an undamped step below 1e-5 m the next one would be of the order of its
    square: it ends there. The variables are left at the last lengths tried.

    After a good step, one that is small and stays well inside the bounds moves the variables by
    K d alone: the lengths then are what they are, not quite what was tried.
    """
    n = path_i[1]
    f, damping, size, expected = math.inf, 0.0, math.inf, 0.0
    near = False
    for i in range(n):
        work[TRIAL + i] = work[NOW + i]
    for step in range(max_steps):
        last = size < 1e-5 and damping == 0.0
        f_trial = math.inf
        if near:
            step_variables(path_i, parts[0], work)
        there = near or (stands and step == 0)
        if there or go_here(link_i, link_f, path_i, TRIAL, work, parts):
            ok, f_trial = evaluate_here(
                link_i, link_f, path_i, path_f, place_in, Y_in, weights_in, last, work, parts
            )
            if not ok:
                f_trial = math.inf
            elif near and not last:
                for i in range(n):
                    work[TRIAL + i] = work[VALUES + i]
        if f_trial < f:
            ends = last or f_trial < 1e-21 or f - f_trial < 1e-15 * f
            gain = (f - f_trial) / expected if expected > 0.0 else 1.0
            f = f_trial
            for i in range(n):
                work[NOW + i] = work[TRIAL + i]
            if ends:
                return CONVERGED, f, step
            scale = 1e-12
            for i in range(n):
                scale = max(scale, abs(work[HESSIAN + (N + 1) * i]))
            if gain > 0.75:
                damping = 0.25 * damping if damping > 1e-6 * scale else 0.0
            elif gain < 0.25:
                damping = max(2.0 * damping, 1e-3 * scale)
            for i in range(n):
                work[KEPT + i] = work[GRADIENT + i]
                for j in range(n):
                    work[KEPT + N * (i + 1) + j] = work[HESSIAN + N * i + j]
            near = size < NEAR_STEP
        elif step == 0:
            return NO_START, f, 0
        elif size < 1e-9:
            return CONVERGED, f, step
        else:
            for i in range(n):
                work[GRADIENT + i] = work[KEPT + i]
                for j in range(n):
                    work[HESSIAN + N * i + j] = work[KEPT + N * (i + 1) + j]
            scale = 1e-12
            for i in range(n):
                scale = max(scale, abs(work[HESSIAN + (N + 1) * i]))
            damping = max(4.0 * damping, 1e-3 * scale)
            near = False
        for i in range(n):
            work[LOW + i] = bounds_in[0, i] - work[NOW + i]
            work[HIGH + i] = bounds_in[1, i] - work[NOW + i]
        while not box_step(n, damping, held_work, parts[5], work):
            damping = max(4.0 * damping, 1e-3 * scale)
        size, expected = 0.0, 0.0
        for i in range(n):
            d = work[STEP + i]
            size = max(size, abs(d))
            expected -= work[GRADIENT + i] * d
            for j in range(n):
                expected -= 0.5 * d * work[HESSIAN + N * i + j] * work[STEP + j]
            moved = work[NOW + i] + d
            work[TRIAL + i] = min(max(moved, bounds_in[0, i]), bounds_in[1, i])
        for i in range(n):
            inside = min(work[TRIAL + i] - bounds_in[0, i], bounds_in[1, i] - work[TRIAL + i])
            near = near and size < NEAR_STEP and inside > size
        if size < 1e-12:
            return CONVERGED, f, step
    return OUT_OF_STEPS, f, max_steps


@kernel
def best_seed(
    path_i: Ints,
    bounds_in: Floats,
    seeds_in: Floats,
    Y_in: Floats,
    weights_in: Floats,
    f: float,
    n_tried: int,
    work: Floats,
    X_work: Floats,
    e_work: Floats,
) -> int:
    """The seed with the least objective, if it is worth a start; else -1.

    One that is better already than the minimum found, f, is: it proves that this is not the least.
    The linear part of the error is never shorter than the distance, which is looked at first.
    With three lengths and more the grid is too coarse for that alone, and any seed is that is not
    near what was tried before.
    """
    n = path_i[1]
    best, least = -1, f if n < 3 else math.inf
    lightest = min(weights_in[3], weights_in[4], weights_in[5]) ** 2
    for seed in range(seeds_in.shape[0]):
        near = False
        for t in range(n_tried if n > 2 else 0):
            far = 0.0
            for i in range(n):
                wide = bounds_in[1, i] - bounds_in[0, i]
                apart = abs(seeds_in[seed, i] - work[TRIED + N * t + i])
                far = max(far, apart / wide if wide > 0.0 else 0.0)
            near = near or far < NEAR
        dx, dy = Y_in[0, 3] - seeds_in[seed, N + 3], Y_in[1, 3] - seeds_in[seed, N + 7]
        dz = Y_in[2, 3] - seeds_in[seed, N + 11]
        if near or 0.5 * lightest * (dx * dx + dy * dy + dz * dz) >= least:
            continue
        for i in range(3):
            for j in range(4):
                X_work[i, j] = seeds_in[seed, N + 4 * i + j]
        error(X_work, Y_in, path_i[3], e_work)
        f_seed = half_square(e_work, weights_in)
        if f_seed < least:
            best, least = seed, f_seed
    return best


@inlined_kernel
def on_branch(
    link_i: Ints, link_f: Floats, path_i: Ints, work: Floats, parts: tuple[Floats, ...]
) -> bool:
    """Whether the relevant variables are those of the lengths NOW in `work`, to 1e-5.

    The tables' own error is smaller; another branch is farther away. The variables stay.
    """
    theta, _, chains, lengths, _, _, _, _, _, _, _ = parts
    for i in range(path_i[1]):
        lengths[path_i[ACTUATORS_AT + i]] = work[NOW + i]
        work[STEP + i] = theta[path_i[VARIABLES_AT + i]]
    near = True
    for k in range(path_i[2]):
        bi = link_i[BLOCKS_I] + BLOCK_I * path_i[4 + k]
        if link_i[bi] == NEWTON:
            look_up(link_i, link_f, bi, lengths, chains, theta)
        else:
            near = near and closed_form(link_i, link_f, bi, lengths, theta) == SOLVED
    for i in range(path_i[1]):
        apart = theta[path_i[VARIABLES_AT + i]] - work[STEP + i]
        near = near and abs(apart) < 1e-5
        theta[path_i[VARIABLES_AT + i]] = work[STEP + i]
    return near


@kernel
def is_pose(Y: Floats) -> bool:
    """Whether a matrix of 4 x 4 is a rotation, to 1e-6, and a translation, all finite."""
    for i in range(3):
        if not math.isfinite(Y[i, 3]):
            return False
        for j in range(i + 1):
            total = -1.0 if i == j else 0.0
            for k in range(3):
                total += Y[k, i] * Y[k, j]
            if not abs(total) <= 1e-6:
                return False
    det = Y[0, 0] * (Y[1, 1] * Y[2, 2] - Y[1, 2] * Y[2, 1])
    det += Y[0, 1] * (Y[1, 2] * Y[2, 0] - Y[1, 0] * Y[2, 2])
    det += Y[0, 2] * (Y[1, 0] * Y[2, 1] - Y[1, 1] * Y[2, 0])
    last = Y[3, 0] == 0.0 and Y[3, 1] == 0.0 and Y[3, 2] == 0.0 and Y[3, 3] == 1.0
    return bool(det > 0.0 and last)


@kernel
def inverse(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    path_f: Floats,
    box_in: Floats,
    Y_in: Floats,
    weights_in: Floats,
    q_in: Floats,
    restarts: int,
    iwork: Ints,
    work: Floats,
    q_out: Floats,
) -> tuple[int, float, int]:
    """Joint positions that bring the link nearest to Y_in: (status, f, steps).

    `box_in` holds in rows the lower and upper lengths, then the seeds, each N lengths and a pose.
    From `q_in` first, its lengths moved into the bounds. If that does not reach the target, from
    the seeds that are worth it, places of a coarse grid over the lengths; the least f wins.
    """
    n_vars, n = link_i[N_VARS], path_i[1]
    bounds_in, seeds_in = box_in[:2], box_in[2:]
    if not is_pose(Y_in):
        return NOT_A_POSE, math.inf, 0
    place, held = iwork[:n_vars], iwork[n_vars:]
    parts = views(link_i, work)
    theta, M, chains, X, e = parts[0], parts[1], parts[2], parts[6], parts[7]
    for var in range(n_vars):
        place[var] = -1
    for i in range(n):
        place[path_i[VARIABLES_AT + i]] = i
    start(link_i, link_f, q_in, theta)
    for k in range(path_i[MOTIONS_AT]):
        turn(link_i, link_f, path_i[MOTIONS_AT + 1 + k], theta, M)
    stands = True
    for i in range(n):
        l = length_rates(link_i, link_f, path_i[ACTUATORS_AT + i], M, chains)
        work[NOW + i] = min(max(l, bounds_in[0, i]), bounds_in[1, i])
        stands = stands and work[NOW + i] == l
    stands = stands and on_branch(link_i, link_f, path_i, work, parts)
    status, f, total, tried = NO_START, math.inf, 0, 0
    for attempt in range(1 + min(restarts, MAX_TRIED // 2 - 1)):
        if attempt > 0:
            seed = best_seed(path_i, bounds_in, seeds_in, Y_in, weights_in, f, tried, work, X, e)
            if seed < 0:
                break
            for i in range(n):
                work[NOW + i] = work[TRIED + N * tried + i] = seeds_in[seed, i]
            tried += 1
        found, f_found, steps = minimise(
            link_i, link_f, path_i, path_f, bounds_in, place, held, Y_in, weights_in, 60,
            stands and attempt == 0, work, parts,
        )  # fmt: skip
        total += steps
        for i in range(n):
            work[TRIED + N * tried + i] = work[NOW + i]
            if f_found < f or attempt == 0:
                work[BEST + i] = work[NOW + i]
        tried += 1
        if f_found < f or attempt == 0:
            f, status = f_found, found
        if f < 1e-17:
            break
    stays = True  # at the lengths tried last, unless others were better
    for i in range(n):
        stays = stays and work[TRIAL + i] == work[BEST + i]
    if not stays and not go_to(link_i, link_f, path_i, BEST, work, parts):
        return NO_START, f, total
    for i in range(q_in.shape[0]):
        q_out[i] = q_in[i]
    joints(link_i, link_f, theta, q_out)
    return status, f, total


@batch_kernel
def inverse_batch(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    path_f: Floats,
    box_in: Floats,
    Y_in: Floats,
    weights_in: Floats,
    q_in: Floats,
    restarts: int,
    iwork: Ints,
    work: Floats,
    q_out: Floats,
    f_out: Floats,
    status_out: Ints,
) -> None:
    """`inverse` for every target in Y_in (n, 4, 4), from the start in the same row of q_in.

    Where q_in has one row, that is the start of the first, and each starts from the one before.
    """
    for i in range(Y_in.shape[0]):
        q_start = q_in[i] if q_in.shape[0] > 1 else (q_in[0] if i == 0 else q_out[i - 1])
        status, f, steps = inverse(
            link_i, link_f, path_i, path_f, box_in, Y_in[i], weights_in, q_start, restarts,
            iwork, work, q_out[i],
        )  # fmt: skip
        f_out[i] = f
        status_out[i, 0], status_out[i, 1] = status, steps


def warm_up() -> None:
    """Compile what the public functions call, with the types they use, on a linkage of nothing."""
    link_i, link_f = np.zeros(64, dtype=np.int64), np.zeros(16)
    path_i, path_f = np.zeros(PATH_HEAD, dtype=np.int64), np.zeros(12)
    box = np.zeros((2, N + 12))
    q_in, weights = np.zeros(1), np.ones(6)
    q_in.flags.writeable = False
    iwork, work = np.zeros(2 * N, dtype=np.int64), np.zeros(work_size(0, 0, 0))
    path_f[[0, 5, 10]] = 1.0
    inverse(
        link_i, link_f, path_i, path_f, box, np.eye(4), weights, q_in, 0, iwork, work,
        np.zeros(1),
    )  # fmt: skip
    inverse_batch(
        link_i, link_f, path_i, path_f, box, np.eye(4)[None], weights, np.zeros((1, 1)),
        0, iwork, work, np.zeros((1, 1)), np.zeros(1), np.zeros((1, 2), dtype=np.int64),
    )  # fmt: skip
