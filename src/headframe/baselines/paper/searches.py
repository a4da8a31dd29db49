"""Kernels of the MineRobot paper's inverse kinematics, and of methods that it is compared with.

Algorithm 4 minimises Psi = |W log(X^-1 Y)| over one length after the other, by one of several
searches. The other methods are below it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import (
    FROZEN,
    MATRIX,
    NUMBER,
    VECTOR,
    WHOLE,
    Record,
    entry,
    header,
    inlined_kernel,
    kernel,
    numbers,
)
from ...kinematics.kernels import PROBLEM, InverseStatus, evaluate, go_to, joints
from ...mechanism.kernels import copy
from .nested_newton import joints_of_state
from .psi import call_psi
from .records import SEARCH_WORK, SearchKind

Floats = NDArray[np.float64]

CONVERGED, OUT_OF_STEPS, NO_START, _ = (status.value for status in InverseStatus)
GOLDEN, BRENT, NEWTON_1D, SECANT, ONE_PLUS_ONE = (search.value for search in SearchKind)
PHI = (math.sqrt(5.0) - 1.0) / 2.0
SIGMA = 0.2  # first step of the evolution strategies, as a part of the strokes
SLOPE_STEP = 1e-5  # step of the derivatives of Psi over a length [m]
MOST_SLOPES = 100  # in one search


class Objective(NamedTuple):
    """Psi of a problem, and the lengths at which it is taken; see `psi`."""

    address: int
    link: Floats
    sequence: Floats
    problem: Floats
    Y: Floats
    weights: Floats
    fk_tolerance: float
    lengths: Floats
    state: Floats
    work: Floats


@inlined_kernel
def value_of(o: Objective) -> float:
    """Psi at the lengths."""
    return call_psi(
        o.address, o.link, o.sequence, o.problem, o.Y, o.weights, o.fk_tolerance, o.lengths,
        o.state, o.work,
    )  # fmt: skip


@inlined_kernel
def value_at(o: Objective, i: int, length: float) -> float:
    """Psi with another length in one place."""
    o.lengths[i] = length
    return value_of(o)


@kernel
def golden(o: Objective, i: int, a: float, b: float, tolerance: float) -> float:
    """Golden section search, Algorithm 5, whose a starts at the lower bound (the print: l_i)."""
    c, d = b - PHI * (b - a), a + PHI * (b - a)
    at_c, at_d = value_at(o, i, c), value_at(o, i, d)
    while abs(b - a) > tolerance:
        if at_c < at_d:
            b, d, at_d = d, c, at_c
            c = b - PHI * (b - a)
            at_c = value_at(o, i, c)
        else:
            a, c, at_c = c, d, at_d
            d = a + PHI * (b - a)
            at_d = value_at(o, i, d)
    return 0.5 * (a + b)


@kernel
def brent(o: Objective, i: int, a: float, b: float, tolerance: float) -> float:
    """Brent's minimiser without derivatives: parabolas, and golden sections where they fail.

    x is the best point, w the second best, v the one before it; u is the one to be tried.
    """
    x = w = v = a + (1.0 - PHI) * (b - a)
    at_x = at_w = at_v = value_at(o, i, x)
    step, last = 0.0, 0.0
    while True:
        middle, small = 0.5 * (a + b), 1e-8 * abs(x) + tolerance / 3.0
        if abs(x - middle) <= 2.0 * small - 0.5 * (b - a):
            return x
        parabola = False
        if abs(last) > small and math.isfinite(at_v) and math.isfinite(at_w):
            r = (x - w) * (at_x - at_v)
            q = (x - v) * (at_x - at_w)
            p = (x - v) * q - (x - w) * r
            q = 2.0 * (q - r)
            if q > 0.0:
                p = -p
            q = abs(q)
            if abs(p) < abs(0.5 * q * last) and q * (a - x) < p < q * (b - x):
                parabola = True
                last, step = step, p / q
                if x + step - a < 2.0 * small or b - x - step < 2.0 * small:
                    step = math.copysign(small, middle - x)
        if not parabola:
            last = (a - x) if x >= middle else (b - x)
            step = (1.0 - PHI) * last
        u = x + (step if abs(step) >= small else math.copysign(small, step))
        at_u = value_at(o, i, u)
        if at_u <= at_x:
            a, b = (x, b) if u >= x else (a, x)
            v, w, x = w, x, u
            at_v, at_w, at_x = at_w, at_x, at_u
            continue
        a, b = (u, b) if u < x else (a, u)
        if at_u <= at_w or w == x:
            v, w = w, u
            at_v, at_w = at_w, at_u
        elif at_u <= at_v or v in (x, w):
            v, at_v = u, at_u


@kernel
def root_of_slope(
    search: int, o: Objective, i: int, low: float, high: float, tolerance: float
) -> float:
    """Newton-Raphson or the secant method on dPsi/dl = 0, derivatives by central differences.

    The sign of the slope tells on which side the minimum lies, which gives a bracket. A step out
    of it goes to the bound, if that has not been tried, and else to the bracket's middle: far
    from its minimum Psi is as good as straight, and bare Newton steps are too long. A slope that
    points out of a bound means that the bound is the answer. A minimum that is no better than
    the start is not taken: where Psi comes to 0 it has a kink, which differences do not resolve.
    """
    start, h = float(o.lengths[i]), min(SLOPE_STEP, 0.25 * (high - low))
    at_start = value_of(o)
    x, x_last, slope_last, a, b = start, start, math.nan, low, high
    for _ in range(MOST_SLOPES):
        centre = min(max(x, low + h), high - h)
        before, behind = value_at(o, i, centre - h), value_at(o, i, centre + h)
        slope_here = (behind - before) / (2.0 * h)
        if search == NEWTON_1D:
            curve = (before - 2.0 * value_at(o, i, centre) + behind) / (h * h)
        elif math.isnan(slope_last):  # the secant's second point, a hundredth of the stroke on
            curve = abs(slope_here) / (0.01 * (high - low))
        else:
            curve = (slope_here - slope_last) / (x - x_last)
        if slope_here == 0.0 or (x <= low if slope_here > 0.0 else x >= high):
            break
        a, b = (a, x) if slope_here > 0.0 else (x, b)
        x_last, slope_last = x, slope_here
        x = x - slope_here / curve if curve > 0.0 else math.copysign(math.inf, -slope_here)
        if not x > a:
            x = low if a == low and x_last > low and x < low else 0.5 * (a + b)
        elif not x < b:
            x = high if b == high and x_last < high and x > high else 0.5 * (a + b)
        if abs(x - x_last) <= tolerance or b - a <= tolerance:
            break
    return x if value_at(o, i, x) < at_start else start


@kernel
def sweep_lengths(
    search: int, o: Objective, tolerance: float, history_out: Floats
) -> tuple[int, int]:
    """Algorithm 4: one length after the other, until Psi stalls; (status, sweeps)."""
    head = header(o.problem, PROBLEM)
    for count in range(1, history_out.shape[0]):
        for i in range(head.n):
            low, high = head.lower[i], head.upper[i]
            if search == GOLDEN:
                found = golden(o, i, low, high, tolerance)
            elif search == BRENT:
                found = brent(o, i, low, high, tolerance)
            else:
                found = root_of_slope(search, o, i, low, high, tolerance)
            o.lengths[i] = found
        history_out[count] = value_of(o)
        if abs(history_out[count] - history_out[count - 1]) < tolerance:
            return CONVERGED, count
    return OUT_OF_STEPS, history_out.shape[0] - 1


@kernel
def evolve(
    o: Objective, normals_in: Floats, parent: Floats, history_out: Floats
) -> tuple[int, int]:
    """(1+1)-ES with the rule of one success in five.

    A child is its parent plus sigma strokes times a row of `normals_in` (steps, N), moved into the
    bounds; the better one stays. Success multiplies sigma by e^(1/3), failure by e^(-1/12).
    """
    head, sigma, steps = header(o.problem, PROBLEM), SIGMA, normals_in.shape[0]
    copy(o.lengths, parent)
    for step in range(steps):
        for i in range(head.n):
            low, high = head.lower[i], head.upper[i]
            child = parent[i] + sigma * (high - low) * normals_in[step, i]
            o.lengths[i] = min(max(child, low), high)
        value, best = value_of(o), history_out[step]
        history_out[step + 1] = min(value, best)
        if value <= best:
            sigma *= math.exp(1.0 / 3.0)
            copy(o.lengths, parent)
        else:
            sigma *= math.exp(-1.0 / 12.0)
    copy(parent, o.lengths)
    return CONVERGED, steps


@entry(
    WHOLE, VECTOR, VECTOR, VECTOR, MATRIX, VECTOR, FROZEN, WHOLE, NUMBER, NUMBER, MATRIX, VECTOR,
    VECTOR, VECTOR, VECTOR, VECTOR,
)  # fmt: skip
@kernel
def minimise_psi(
    address: int, link: Floats, sequence: Floats, problem: Floats, Y_in: Floats,
    weights_in: Floats, q_in: Floats, search: int, fk_tolerance: float, tolerance: float,
    normals_in: Floats, state: Floats, work: Floats, search_work: Floats, history_out: Floats,
    q_out: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Algorithm 4 or the (1+1)-ES, with Psi at an address.

    From the lengths in `search_work` (SEARCH_WORK), see `begin`. Returns (status, iterations);
    `history_out` gets Psi at the start and after every sweep or step, and its size limits their
    number.
    """
    own = header(search_work, SEARCH_WORK)
    lengths = numbers(search_work, own.lengths)
    o = Objective(
        address, link, sequence, problem, Y_in, weights_in, fk_tolerance, lengths, state, work
    )
    history_out[0] = value_of(o)
    if not math.isfinite(history_out[0]):
        return NO_START, 0
    if search == ONE_PLUS_ONE:
        parent = numbers(search_work, own.parent)
        status, count = evolve(o, normals_in, parent, history_out)
    else:
        status, count = sweep_lengths(search, o, tolerance, history_out)
    copy(q_in, q_out)
    if fk_tolerance > 0.0:
        joints_of_state(link, sequence, state, q_out)
    elif not go_to(link, problem, lengths, work):
        return NO_START, count
    else:
        joints(link, numbers(work, header(problem, PROBLEM).work.theta), q_out)
    return status, count


@kernel
def slope(
    link: Floats, problem: Floats, Y_in: Floats, weights_in: Floats, l_in: Floats, work: Floats,
    g_out: Floats,
) -> float:  # fmt: skip
    """F = 1/2 Psi^2 at given lengths and its exact gradient."""
    if not go_to(link, problem, l_in, work):
        return math.inf
    ok, f = evaluate(link, problem, Y_in, weights_in, work)
    if not ok:
        return math.inf
    head = header(problem, PROBLEM)
    g = numbers(work, head.work.g)
    for i in range(head.n):
        g_out[i] = g[i]
    return f


@kernel
def turn_downhill(head: Record, l_in: Floats, g_in: Floats, beta: float, d_io: Floats) -> float:
    """D = beta d - g, but 0 where a length is at a bound and would leave it; returns g.d.

    Where such a length was moving before, the direction starts anew with beta = 0.
    """
    for i in range(head.n):
        out = head.lower[i] if g_in[i] > 0.0 else head.upper[i]
        if l_in[i] == out and d_io[i] != 0.0:
            beta = 0.0
    down = 0.0
    for i in range(head.n):
        out = head.lower[i] if g_in[i] > 0.0 else head.upper[i]
        d_io[i] = 0.0 if l_in[i] == out else beta * d_io[i] - g_in[i]
        down += d_io[i] * g_in[i]
    return down


@kernel
def go_along(head: Record, l_in: Floats, s: float, d_in: Floats, l_out: Floats) -> bool:
    """L + s d, cut off at the bounds; True if something was cut."""
    cut = False
    for i in range(head.n):
        free = l_in[i] + s * d_in[i]
        l_out[i] = min(max(free, head.lower[i]), head.upper[i])
        cut = cut or l_out[i] != free
    return cut


@entry(
    VECTOR, VECTOR, MATRIX, VECTOR, FROZEN, WHOLE, NUMBER, VECTOR, VECTOR, VECTOR, VECTOR
)  # fmt: skip
@kernel
def descend(
    link: Floats, problem: Floats, Y_in: Floats, weights_in: Floats, q_in: Floats,
    conjugate: int, tolerance: float, work: Floats, search_work: Floats, history_out: Floats,
    q_out: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Projected descent on F = 1/2 Psi^2 until Psi stalls: (status, steps).

    From the lengths in `search_work` (SEARCH_WORK), see `begin`; the last lengths and gradient are
    left there. With room for the start only in `history_out`, it is no more than an evaluation
    there.

    The direction is minus the gradient, or with `conjugate` that of Polak and Ribiere, restarted
    where it would not descend and after a step that was cut off at a bound. Lengths at a bound
    whose gradient points outwards are held. A trial point is cut off at the bounds; the step is
    halved until F falls by Armijo's rule, and with `conjugate` then corrected once by the slopes
    at its two ends (the secant rule), since conjugate directions want a good step.
    """
    head, own = header(problem, PROBLEM), header(search_work, SEARCH_WORK)
    n, d = head.n, numbers(search_work, own.direction)
    l_now, l_new = numbers(search_work, own.lengths), numbers(search_work, own.trial)
    g_now, g = numbers(search_work, own.gradient), numbers(search_work, own.trial_gradient)
    g_best = numbers(search_work, own.kept_gradient)
    f = slope(link, problem, Y_in, weights_in, l_now, work, g)
    if not math.isfinite(f):
        return NO_START, 0
    history_out[0] = math.sqrt(2.0 * f)
    copy(g, g_now)
    for i in range(n):
        d[i] = 0.0
    beta, s = 0.0, 0.5
    status, steps = OUT_OF_STEPS, 0
    for step in range(1, history_out.shape[0]):
        down = turn_downhill(head, l_now, g_now, beta, d)
        if down >= 0.0:
            down = turn_downhill(head, l_now, g_now, 0.0, d)
        f_new, s, cut = f, 2.0 * s, False
        for _ in range(60):
            cut = go_along(head, l_now, s, d, l_new)
            expected = 0.0
            for i in range(n):
                expected += g_now[i] * (l_new[i] - l_now[i])
            f_new = slope(link, problem, Y_in, weights_in, l_new, work, g)
            if f_new <= f + 1e-4 * expected:
                break
            s *= 0.5
        if conjugate and not cut and f_new < f:
            there = 0.0
            for i in range(n):
                there += g[i] * d[i]
            copy(g, g_best)
            better = s * min(max(down / (down - there), 0.1), 10.0) if down < there else 2.0 * s
            go_along(head, l_now, better, d, l_new)
            f_better = slope(link, problem, Y_in, weights_in, l_new, work, g)
            if f_better < f_new:
                f_new, s = f_better, better
            else:
                go_along(head, l_now, s, d, l_new)
                copy(g_best, g)
        steps = step
        if not f_new < f:
            history_out[step] = history_out[step - 1]
            status = CONVERGED
            break
        over, under = 0.0, 0.0
        for i in range(n):
            over += g[i] * (g[i] - g_now[i])
            under += g_now[i] * g_now[i]
        copy(l_new, l_now)
        copy(g, g_now)
        beta = max(0.0, over / under) if conjugate and not cut else 0.0
        f = f_new
        history_out[step] = math.sqrt(2.0 * f)
        if abs(history_out[step] - history_out[step - 1]) < tolerance:
            status = CONVERGED
            break
    if steps > 0 and not go_to(link, problem, l_now, work):
        return NO_START, steps
    copy(q_in, q_out)
    joints(link, numbers(work, head.work.theta), q_out)
    return status, steps
