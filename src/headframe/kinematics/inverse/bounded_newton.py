"""Kernels of inverse kinematics: a bound-constrained Newton method over the lengths."""

from __future__ import annotations

import math

from ...jit import (
    FROZEN,
    MATRICES,
    MATRIX,
    VECTOR,
    WHOLE,
    WHOLES,
    Record,
    batch_kernel,
    entry,
    header,
    indices,
    inlined_kernel,
    kernel,
    matrix,
    numbers,
    records,
)
from ..forward.block_solving import NEWTON, SOLVED, closed_form, joints, look_up, variables_of
from ..lengths import rates_of, turn
from ..records import BLOCK, LINKAGE, MOTION, PROBLEM, SEED, Floats, Ints, InverseStatus
from ..small_matrices import solve_positive
from .objective import chain_of, error, evaluate_here, go_here, go_to, half_square

CONVERGED, OUT_OF_STEPS, NO_START, NOT_A_POSE = (status.value for status in InverseStatus)
NEAR = 0.36  # of a stroke: seeds nearer than this to what was tried are no new start
SAME = 0.1  # of a stroke: a search that comes so near to the least minimum leads there
HOPE = 2.0  # times what a search's quadratic promises is more than it will gain
NEAR_STEP = 0.05  # [m] below which a step may skip solving for the lengths


@inlined_kernel
def box_step(problem: Floats, damping: float, work: Floats) -> bool:
    """Minimise g.d + 1/2 d.(H + damping 1).d inside low <= d <= high, by an active set.

    Unknowns at a bound whose gradient pushes outwards are held. The rest is solved; one that
    leaves its bounds is held there, the one farthest out first, and the rest is solved again.
    False if the matrix of the free ones is not positive definite.
    """
    head = header(problem, PROBLEM)
    n, at = head.n, head.work
    g, H, step = numbers(work, at.g), matrix(work, at.H), numbers(work, at.step)
    low, high, A = numbers(work, at.low), numbers(work, at.high), matrix(work, at.A)
    held, free = indices(work, at.held), indices(work, at.free)
    for i in range(n):
        step[i] = 0.0
        held[i] = (low[i] >= 0.0 and g[i] > 0.0) or (high[i] <= 0.0 and g[i] < 0.0)
        if held[i]:
            step[i] = low[i] if g[i] > 0.0 else high[i]
    for _ in range(n + 1):
        m = 0
        for i in range(n):
            if not held[i]:
                free[m] = i
                m += 1
        for a in range(m):
            i = free[a]
            right = -g[i]
            for j in range(n):
                if held[j]:
                    right -= H[i, j] * step[j]
            for b in range(m):
                A[a, b] = H[i, free[b]]
            A[a, a] += damping
            A[a, m] = right
        if not solve_positive(A, m):
            return False
        worst, out = 1e-15, -1
        for a in range(m):
            i = free[a]
            step[i] = A[a, m]
            beyond = max(step[i] - high[i], low[i] - step[i])
            if beyond > worst:
                worst, out = beyond, i
        if out < 0:
            return True
        held[out] = 1
        step[out] = high[out] if step[out] > high[out] else low[out]
    return True


@inlined_kernel
def step_variables(problem: Floats, work: Floats) -> None:
    """Move the relevant variables by K d, d being the step."""
    head = header(problem, PROBLEM)
    theta, K = numbers(work, head.work.theta), matrix(work, head.work.K)
    step = numbers(work, head.work.step)
    for i in range(head.n):
        total = 0.0
        for j in range(head.n):
            total += K[i, j] * step[j]
        theta[head.variables[i]] += total


@inlined_kernel
def is_near(head: Record, lengths_in: Floats, others_in: Floats, part: float) -> bool:
    """Whether all lengths are nearer to others than a part of their strokes."""
    for i in range(head.n):
        if abs(lengths_in[i] - others_in[i]) > part * (head.upper[i] - head.lower[i]):
            return False
    return True


@inlined_kernel
def more_damping(damping: float, H_in: Floats) -> float:
    """Four times the damping, and at least a part of the largest curvature."""
    scale = 1e-12
    for i in range(H_in.shape[0]):
        scale = max(scale, abs(H_in[i, i]))
    return max(4.0 * damping, 1e-3 * scale)


@inlined_kernel
def damping_after(damping: float, gain: float, H_in: Floats) -> float:
    """The damping after a step that gained so much of what its quadratic had promised."""
    least = more_damping(0.0, H_in)
    if gain > 0.75:
        return 0.25 * damping if damping > 1e-3 * least else 0.0
    return max(2.0 * damping, least) if gain < 0.25 else damping


@inlined_kernel
def value_at_trial(
    link: Floats, problem: Floats, Y_in: Floats, weights_in: Floats, by_step: bool, there: bool,
    value_only: bool, work: Floats,
) -> float:  # fmt: skip
    """F at the lengths to be tried, with gradient and Hessian if wanted; infinite if there is none.

    `by_step`: the variables move by K d alone, and the lengths become what they have then; `there`:
    they have these lengths already.
    """
    at = header(problem, PROBLEM).work
    trial = numbers(work, at.trial)
    if by_step:
        step_variables(problem, work)
    elif not there and not go_here(link, problem, trial, work):
        return math.inf
    ok, f = evaluate_here(link, problem, Y_in, weights_in, value_only, work)
    if ok and by_step and not value_only:
        values = numbers(work, at.values)
        for i in range(header(problem, PROBLEM).n):
            trial[i] = values[i]
    return f if ok else math.inf


@inlined_kernel
def propose(problem: Floats, damping: float, work: Floats) -> tuple[float, float, float]:
    """The lengths to be tried next: (damping, largest part of the step, what it should gain)."""
    head = header(problem, PROBLEM)
    at, lower, upper = head.work, head.lower, head.upper
    g, H, step = numbers(work, at.g), matrix(work, at.H), numbers(work, at.step)
    now, trial = numbers(work, at.now), numbers(work, at.trial)
    low, high = numbers(work, at.low), numbers(work, at.high)
    for i in range(head.n):
        low[i] = lower[i] - now[i]
        high[i] = upper[i] - now[i]
    while not box_step(problem, damping, work):
        damping = more_damping(damping, H)
    size, promised = 0.0, 0.0
    for i in range(head.n):
        d = step[i]
        size = max(size, abs(d))
        promised -= g[i] * d
        for j in range(head.n):
            promised -= 0.5 * d * H[i, j] * step[j]
        trial[i] = min(max(now[i] + d, lower[i]), upper[i])
    return damping, size, promised


@inlined_kernel
def well_inside(head: Record, lengths_in: Floats, margin: float) -> bool:
    """Whether all lengths are farther than a margin from their bounds."""
    for i in range(head.n):
        if min(lengths_in[i] - head.lower[i], head.upper[i] - lengths_in[i]) <= margin:
            return False
    return True


@inlined_kernel
def copy_model(n: int, g_in: Floats, H_in: Floats, g_out: Floats, H_out: Floats) -> None:
    """Copy a gradient and a Hessian."""
    for i in range(n):
        g_out[i] = g_in[i]
        for j in range(n):
            H_out[i, j] = H_in[i, j]


@inlined_kernel
def minimise(
    link: Floats, problem: Floats, Y_in: Floats, weights_in: Floats, max_steps: int,
    stands: bool, least: float, work: Floats,
) -> tuple[int, float, int]:  # fmt: skip
    """Bound-constrained Newton from the present lengths: (status, f, steps).

    `stands`: the variables have these lengths already. `least` is the least minimum found before;
    infinite if there is none. The search is given up, with that as its f, where it comes near it,
    and with an infinite f where its quadratic promises nothing less.

    The Hessian is the true one, damped where it is not positive definite or where a step did not
    lessen f. After an undamped step below 1e-5 m the next one would be of the order of its
    square: it ends there. The variables are left at the last lengths tried.

    After a good step, one that is small and stays well inside the bounds moves the variables by
    K d alone: the lengths then are what they are, not quite what was tried.
    """
    head = header(problem, PROBLEM)
    at = head.work
    g, H, now = numbers(work, at.g), matrix(work, at.H), numbers(work, at.now)
    kept_g, kept_H = numbers(work, at.kept_g), matrix(work, at.kept_H)
    trial, best = numbers(work, at.trial), numbers(work, at.best)
    f, damping, size, promised, by_step = math.inf, 0.0, math.inf, 0.0, False
    for i in range(head.n):
        trial[i] = now[i]
    for step in range(max_steps):
        last = size < 1e-5 and damping == 0.0
        there = stands and step == 0
        f_trial = value_at_trial(link, problem, Y_in, weights_in, by_step, there, last, work)
        good = f_trial < f
        if good:
            ends = last or f_trial < 1e-21 or f - f_trial < 1e-15 * f
            gain = (f - f_trial) / promised if promised > 0.0 else 1.0
            f = f_trial
            for i in range(head.n):
                now[i] = trial[i]
            if ends:
                return CONVERGED, f, step
            damping = damping_after(damping, gain, H)
            copy_model(head.n, g, H, kept_g, kept_H)
        elif step == 0:
            return NO_START, f, 0
        elif size < 1e-9:
            return CONVERGED, f, step
        else:
            copy_model(head.n, kept_g, kept_H, g, H)
            damping = more_damping(damping, H)
        was_small = good and size < NEAR_STEP
        damping, size, promised = propose(problem, damping, work)
        by_step = was_small and size < NEAR_STEP and well_inside(head, trial, size)
        if size < 1e-12:
            return CONVERGED, f, step
        if least <= f:
            if is_near(head, trial, best, SAME):
                return CONVERGED, least, step
            if damping == 0.0 and f - HOPE * promised > least:
                return CONVERGED, math.inf, step
    return OUT_OF_STEPS, f, max_steps


@kernel
def score_seeds(problem: Floats, Y_in: Floats, weights_in: Floats, f: float, work: Floats) -> None:
    """The objective at every seed; infinite where only one below f counts and it cannot be.

    The linear part of the error is never shorter than the distance, which is looked at first.
    """
    head = header(problem, PROBLEM)
    seeds, e = records(problem, head.seeds, SEED), numbers(work, head.work.error)
    scores, least = numbers(work, head.work.scores), f if head.n < 3 else math.inf
    lightest = min(weights_in[3], weights_in[4], weights_in[5]) ** 2
    for number in range(seeds.shape[0]):
        seed = seeds[number]
        dx, dy = Y_in[0, 3] - seed.X[0, 3], Y_in[1, 3] - seed.X[1, 3]
        dz = Y_in[2, 3] - seed.X[2, 3]
        if 0.5 * lightest * (dx * dx + dy * dy + dz * dz) >= least:
            scores[number] = math.inf
            continue
        error(seed.X, Y_in, head.point, e)
        scores[number] = half_square(e, weights_in)


@kernel
def next_seed(problem: Floats, last: int, f: float, work: Floats) -> int:
    """The seed with the least score that is worth a start; -1 if there is none.

    With three lengths and more, those near to the present lengths, where the last search ended, and
    to the seed `last`, where it began, are not, now and later: their scores become infinite.
    """
    head = header(problem, PROBLEM)
    seeds, scores = records(problem, head.seeds, SEED), numbers(work, head.work.scores)
    now, best, least = numbers(work, head.work.now), -1, f if head.n < 3 else math.inf
    for number in range(seeds.shape[0]):
        if scores[number] == math.inf:
            continue
        lengths = seeds[number].lengths
        if head.n > 2 and (
            is_near(head, lengths, now, NEAR)
            or (last >= 0 and is_near(head, lengths, seeds[last].lengths, NEAR))
        ):
            scores[number] = math.inf
        elif scores[number] < least:
            best, least = number, scores[number]
    return best


@inlined_kernel
def on_branch(link: Floats, problem: Floats, work: Floats) -> bool:
    """Whether the relevant variables are those of the present lengths, to 1e-5.

    The tables' own error is smaller; another branch is farther away. The variables stay.
    """
    head = header(problem, PROBLEM)
    blocks = records(link, header(link, LINKAGE).blocks, BLOCK)
    theta, lengths = numbers(work, head.work.theta), numbers(work, head.work.lengths)
    now, before = numbers(work, head.work.now), numbers(work, head.work.step)
    weights = matrix(work, head.work.weights)
    for i in range(head.n):
        lengths[head.actuators[i]] = now[i]
        before[i] = theta[head.variables[i]]
    near = True
    for k in range(head.n_blocks):
        block = blocks[head.blocks[k]]
        if block.operation == NEWTON:
            look_up(link, block, lengths, weights, theta)
        else:
            near = near and closed_form(block, lengths, theta) == SOLVED
    for i in range(head.n):
        apart = theta[head.variables[i]] - before[i]
        near = near and abs(apart) < 1e-5
        theta[head.variables[i]] = before[i]
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


@inlined_kernel
def stand_at(link: Floats, problem: Floats, q_in: Floats, work: Floats) -> bool:
    """Variables and present lengths of joint positions, moved into the bounds; False if moved."""
    head = header(problem, PROBLEM)
    theta, motions = numbers(work, head.work.theta), records(work, head.work.motions, MOTION)
    place, now = indices(work, head.work.place), numbers(work, head.work.now)
    for var in range(place.shape[0]):
        place[var] = -1
    for i in range(head.n):
        place[head.variables[i]] = i
    variables_of(link, q_in, theta)
    for k in range(head.n_motions):
        turn(link, head.motions[k], theta, motions)
    stands = True
    for i in range(head.n):
        l = rates_of(link, head.actuators[i], motions, chain_of(work, head, 0))
        now[i] = min(max(l, head.lower[i]), head.upper[i])
        stands = stands and now[i] == l
    return stands


@entry(VECTOR, VECTOR, MATRIX, VECTOR, FROZEN, WHOLE, VECTOR, VECTOR)
@kernel
def inverse(
    link: Floats, problem: Floats, Y_in: Floats, weights_in: Floats, q_in: Floats, restarts: int,
    work: Floats, q_out: Floats,
) -> tuple[int, float, int]:  # fmt: skip
    """Joint positions that bring the link nearest to Y_in: (status, f, steps).

    From `q_in` first, its lengths moved into the bounds. If that does not reach the target, from
    the seeds, places of a coarse grid over the lengths; the least f wins. With one length or two
    the grid is fine enough that only a seed that is better than the minimum is worth a start, since
    it proves that this is not the least. With more, seeds far from what was tried are started from,
    the best first, until n of them have led to the same least minimum.
    """
    head = header(problem, PROBLEM)
    n, seeds, at = head.n, records(problem, head.seeds, SEED), head.work
    if not is_pose(Y_in):
        return NOT_A_POSE, math.inf, 0
    now, best, trial = numbers(work, at.now), numbers(work, at.best), numbers(work, at.trial)
    stands = stand_at(link, problem, q_in, work) and on_branch(link, problem, work)
    status, f, total = NO_START, math.inf, 0
    seed, again, stays = -1, 0, True
    for attempt in range(1 + restarts):
        if attempt == 1:
            score_seeds(problem, Y_in, weights_in, f, work)
        if attempt > 0:
            seed = next_seed(problem, seed, f, work)
            if seed < 0:
                break
            for i in range(n):
                now[i] = seeds[seed].lengths[i]
        found, f_found, steps = minimise(
            link, problem, Y_in, weights_in, 60, stands and attempt == 0, f, work
        )
        total += steps
        stays = f_found < f or attempt == 0  # at the lengths tried last, unless others were better
        again = again + 1 if f_found == f and not stays else again
        if stays:
            f, status, again = f_found, found, 0
            for i in range(n):
                best[i] = now[i]
        if f < 1e-17 or (n > 2 and again == n):
            break
    for i in range(n):
        stays = stays and trial[i] == best[i]
    if not stays and not go_to(link, problem, best, work):
        return NO_START, f, total
    for i in range(q_in.shape[0]):
        q_out[i] = q_in[i]
    joints(link, numbers(work, at.theta), q_out)
    return status, f, total


@entry(
    VECTOR, VECTOR, MATRICES, VECTOR, MATRIX, WHOLE, VECTOR, MATRIX, VECTOR, WHOLES, WHOLES
)  # fmt: skip
@batch_kernel
def inverse_batch(
    link: Floats, problem: Floats, Y_in: Floats, weights_in: Floats, q_in: Floats, restarts: int,
    work: Floats, q_out: Floats, f_out: Floats, status_out: Ints, steps_out: Ints,
) -> None:  # fmt: skip
    """`inverse` for every target in Y_in (n, 4, 4), from the start in the same row of q_in.

    Where q_in has one row, that is the start of the first, and each starts from the one before.
    What `inverse` returns of it goes into the same row of f_out, status_out and steps_out.
    """
    for i in range(Y_in.shape[0]):
        q_start = q_in[i] if q_in.shape[0] > 1 else (q_in[0] if i == 0 else q_out[i - 1])
        status_out[i], f_out[i], steps_out[i] = inverse(
            link, problem, Y_in[i], weights_in, q_start, restarts, work, q_out[i]
        )
