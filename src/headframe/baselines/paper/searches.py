"""Kernels of the MineRobot paper's inverse kinematics, and of methods that it is compared with.

Algorithm 4 minimises Psi = |W log(X^-1 Y)| over one length after the other. Psi is evaluated
either on the package's own forward kinematics or on the paper's. The other methods are below it.
"""

from __future__ import annotations

import math

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
    indices,
    kernel,
    matrix,
    numbers,
    records,
    table,
)
from ...kinematics.forward.block_solving import SOLVED, joints
from ...kinematics.inverse.objective import error, evaluate, go_to, half_square
from ...kinematics.records import LINKAGE, PATH_STEP, PROBLEM, InverseStatus
from ...spatial.algebra import Numbers, compose, pose_at, put_pose, three, turned
from .nested_newton import joints_of_state, length_now, sequential_kernel, set_state, step_motion
from .records import ITEP, PLANE_MOTION, SEARCH, SEQUENCE, SearchKind

Floats = NDArray[np.float64]

CONVERGED, OUT_OF_STEPS, NO_START, _ = (status.value for status in InverseStatus)
GOLDEN, BRENT, NEWTON_1D, SECANT, ONE_PLUS_ONE = (search.value for search in SearchKind)
HERE: Numbers = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)  # a pose
PHI = (math.sqrt(5.0) - 1.0) / 2.0
SIGMA = 0.2  # first step of the evolution strategies, as a part of the strokes
ROWS = 6  # vectors of N numbers that the searches need
SLOPE_STEP = 1e-5  # step of the derivatives of Psi over a length [m]


@kernel
def link_pose(
    link: Floats, problem: Floats, theta_in: Floats, angles_in: Floats, X_out: Floats
) -> bool:
    """Pose of the link (3, 4), as `place_link` of the inverse kinematics but without its rates.

    A step z -> u z + t leads to a frame with ex and ey as its axes and at t, turns it by u about
    its third axis, their normal, and goes back from these axes.
    """
    head, steps_of_motions = header(problem, PROBLEM), indices(link, header(link, LINKAGE).motions)
    path, X = records(problem, head.path, PATH_STEP), HERE
    for k in range(path.shape[0]):
        step = path[k]
        ok, u, t = step_motion(link, steps_of_motions[step.motion], theta_in, angles_in)
        if not ok:
            return False
        x, y, n = three(step.ex), three(step.ey), three(step.normal)
        plane = (
            x[0], y[0], n[0], t.real * x[0] + t.imag * y[0],
            x[1], y[1], n[1], t.real * x[1] + t.imag * y[1],
            x[2], y[2], n[2], t.real * x[2] + t.imag * y[2],
        )  # fmt: skip
        back = (x[0], x[1], x[2], 0.0, y[0], y[1], y[2], 0.0, n[0], n[1], n[2], 0.0)
        X = compose(turned(compose(X, plane), u.real, u.imag), back)
    put_pose(X_out, compose(X, pose_at(head.X_home)))
    return True


@kernel
def psi(
    link: Floats, sequence: Floats, problem: Floats, Y_in: Floats, weights_in: Floats,
    fk_tolerance: float, l_in: Floats, state: Floats, work: Floats,
) -> float:  # fmt: skip
    """Psi, Eq. (21), at the lengths of the relevant groups; infinite where there is no pose.

    `fk_tolerance` is that of the paper's forward kinematics, or 0 for the package's own. The
    paper's moves the machine on from where the evaluation before left it; where it cannot, the
    machine goes back there.
    """
    head, order = header(problem, PROBLEM), header(sequence, SEQUENCE)
    X, e = matrix(state, order.work.X), numbers(state, order.work.error)
    if fk_tolerance > 0.0:
        theta, angles = numbers(state, order.work.theta), matrix(state, order.work.angles)
        now, kept = numbers(state, order.work.configuration), numbers(state, order.work.kept)
        wanted = numbers(state, order.work.wanted)
        for k in range(now.shape[0]):
            kept[k] = now[k]
        for i in range(head.n):
            wanted[head.actuators[i]] = l_in[i]
        if sequential_kernel(link, sequence, wanted, fk_tolerance, state) != SOLVED:
            for k in range(now.shape[0]):
                now[k] = kept[k]
            return math.inf
        placed = link_pose(link, problem, theta, angles, X)
    else:
        if not go_to(link, problem, l_in, work):
            return math.inf
        closed_forms = table(state, 0, 0, 2)  # no angles: four-bars by their closed forms
        placed = link_pose(link, problem, numbers(work, head.work.theta), closed_forms, X)
    if not placed:
        return math.inf
    error(X, Y_in, head.point, e)
    return math.sqrt(2.0 * half_square(e, weights_in))


@entry(VECTOR, VECTOR, VECTOR, FROZEN, VECTOR, VECTOR, VECTOR)
@kernel
def begin(
    link: Floats, sequence: Floats, problem: Floats, q_in: Floats, state: Floats, work: Floats,
    l_out: Floats,
) -> None:  # fmt: skip
    """Both configurations as at `q_in`, and the relevant lengths there, moved into the bounds."""
    head, order = header(problem, PROBLEM), header(sequence, SEQUENCE)
    iteps = records(sequence, order.iteps, ITEP)
    theta, angles = numbers(state, order.work.theta), matrix(state, order.work.angles)
    current, wanted = numbers(state, order.work.current), numbers(state, order.work.wanted)
    own_theta, place = numbers(work, head.work.theta), indices(work, head.work.place)
    motions = records(state, order.work.motions, PLANE_MOTION)
    set_state(link, sequence, q_in, state)
    for var in range(theta.shape[0]):
        own_theta[var] = theta[var]
        place[var] = -1
    for group in range(iteps.shape[0]):
        wanted[iteps[group].actuator] = current[group]
    for i in range(head.n):
        place[head.variables[i]] = i
        value = length_now(link, head.actuators[i], theta, angles, motions)
        l_out[i] = min(max(value, head.lower[i]), head.upper[i])


# The searches over one length tell where they want Psi next, so that the kinematics is compiled
# into one place.


@kernel
def first_point(search: int, low: float, high: float, now: float, s: Record) -> float:
    """Begin a search over [low, high] from `now`: the first length at which to evaluate Psi."""
    s.answer, s.phase, s.left, s.right = now, 0.0, low, high
    if search == GOLDEN:
        return high - PHI * (high - low)
    if search == BRENT:
        return low + (1.0 - PHI) * (high - low)
    s.x, s.h, s.count = now, min(SLOPE_STEP, 0.25 * (high - low)), 0.0
    s.slope_last = math.nan
    return now


@kernel
def next_point(
    search: int, low: float, high: float, tolerance: float, at: float, value: float, s: Record
) -> tuple[bool, float]:
    """Take Psi's value at a length: (done, where to evaluate it next)."""
    if search == GOLDEN:
        return golden(tolerance, value, s)
    if search == BRENT:
        return brent(tolerance, at, value, s)
    return root_of_slope(search, low, high, tolerance, value, s)


@kernel
def golden(tolerance: float, value: float, s: Record) -> tuple[bool, float]:
    """Golden section search, Algorithm 5, whose a starts at the lower bound (the print: l_i).

    Phases: Psi at c, at d, and after a step at either.
    """
    a, b, c, d, at_c, at_d = s.left, s.right, s.c, s.d, s.at_c, s.at_d
    phase = int(s.phase)
    if phase == 0:
        s.c, s.at_c, s.phase = b - PHI * (b - a), value, 1.0
        s.d = a + PHI * (b - a)
        return False, s.d
    if phase == 2:
        at_c = value
    else:
        at_d = value
    done = abs(b - a) <= tolerance
    if done:
        s.answer = 0.5 * (a + b)
    elif at_c < at_d:
        b, d, at_d = d, c, at_c
        c = b - PHI * (b - a)
        s.phase = 2.0
    else:
        a, c, at_c = c, d, at_d
        d = a + PHI * (b - a)
        s.phase = 1.0
    s.left, s.right, s.c, s.d, s.at_c, s.at_d = a, b, c, d, at_c, at_d
    return done, c if s.phase == 2.0 else d


@kernel
def brent(tolerance: float, u: float, at_u: float, s: Record) -> tuple[bool, float]:
    """Brent's minimiser without derivatives: parabolas, and golden sections where they fail.

    The answer is the best point x.
    """
    x, a, b = s.answer, s.left, s.right
    w, v, at_x, at_w, at_v, step, last = s.w, s.v, s.at_x, s.at_w, s.at_v, s.step, s.last
    if s.phase == 0.0:
        s.phase = 1.0
        x = w = v = u
        at_x = at_w = at_v = at_u
        step = last = 0.0
    elif at_u <= at_x:
        if u >= x:
            a = x
        else:
            b = x
        v, w, x = w, x, u
        at_v, at_w, at_x = at_w, at_x, at_u
    else:
        if u < x:
            a = u
        else:
            b = u
        if at_u <= at_w or w == x:
            v, w = w, u
            at_v, at_w = at_w, at_u
        elif at_u <= at_v or v in (x, w):
            v, at_v = u, at_u
    middle, small = 0.5 * (a + b), 1e-8 * abs(x) + tolerance / 3.0
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
    s.answer, s.left, s.right = x, a, b
    s.w, s.v, s.at_x, s.at_w, s.at_v, s.step, s.last = w, v, at_x, at_w, at_v, step, last
    done = abs(x - middle) <= 2.0 * small - 0.5 * (b - a)
    return done, x + (step if abs(step) >= small else math.copysign(small, step))


@kernel
def root_of_slope(
    search: int, low: float, high: float, tolerance: float, value: float, s: Record
) -> tuple[bool, float]:
    """Newton-Raphson or the secant method on dPsi/dl = 0, derivatives by central differences.

    The sign of the slope tells on which side the minimum lies, which gives a bracket. A step out
    of it goes to the bound, if that has not been tried, and else to the bracket's middle: far
    from its minimum Psi is as good as straight, and bare Newton steps are too long. A slope that
    points out of a bound means that the bound is the answer. A minimum that is no better than
    the start is not taken: where Psi comes to 0 it has a kink, which differences do not resolve.

    Phases: Psi at the start, before, behind, in the middle, and at the minimum.
    """
    phase, x, h = int(s.phase), s.x, s.h
    centre = min(max(x, low + h), high - h)
    s.phase += 1.0
    if phase == 0:
        s.at_start = value
        return False, centre - h
    if phase == 1:
        s.at_before = value
        return False, centre + h
    if phase == 2:
        s.at_behind = value
        if search == NEWTON_1D:
            return False, centre
    if phase == 4:
        if value < s.at_start:
            s.answer = x
        return True, x
    slope_here = (s.at_behind - s.at_before) / (2.0 * h)
    s.count += 1.0
    done = slope_here == 0.0 or s.count > 100.0
    done = done or (x <= low and slope_here > 0.0) or (x >= high and slope_here < 0.0)
    if not done:
        if slope_here > 0.0:
            s.right = x
        else:
            s.left = x
        if search == NEWTON_1D:
            curve = (s.at_before - 2.0 * value + s.at_behind) / (h * h)
        elif math.isnan(s.slope_last):  # the secant's second point, a hundredth of the stroke on
            curve = abs(slope_here) / (0.01 * (high - low))
        else:
            curve = (slope_here - s.slope_last) / (x - s.x_last)
        x_next = x - slope_here / curve if curve > 0.0 else math.copysign(math.inf, -slope_here)
        a, b = s.left, s.right
        if not x_next > a:
            x_next = low if a == low and x > low and x_next < low else 0.5 * (a + b)
        elif not x_next < b:
            x_next = high if b == high and x < high and x_next > high else 0.5 * (a + b)
        done = abs(x_next - x) <= tolerance or b - a <= tolerance
        s.x, s.slope_last, s.x_last = x_next, slope_here, x
        x = x_next
    if done:
        s.phase = 4.0
        return False, x
    s.phase = 1.0
    return False, min(max(x, low + h), high - h) - h


@kernel
def next_child(
    head: Record, normals_in: Floats, step: int, value: float, history_out: Floats, s: Record,
    parent_io: Floats, l_io: Floats,
) -> bool:  # fmt: skip
    """(1+1)-ES with the rule of one success in five: take Psi of a child, make the next.

    A child is its parent plus sigma strokes times a row of `normals_in` (steps, N), moved into the
    bounds; the better one stays. Success multiplies sigma by e^(1/3), failure by e^(-1/12). True at
    the end, with the best in `l_io`.
    """
    if step == 0 or value <= history_out[step - 1]:
        history_out[step] = value
        s.sigma *= math.exp(1.0 / 3.0) if step > 0 else 1.0
        for i in range(head.n):
            parent_io[i] = l_io[i]
    else:
        history_out[step] = history_out[step - 1]
        s.sigma *= math.exp(-1.0 / 12.0)
    done: bool = step == normals_in.shape[0]
    for i in range(head.n):
        low, high = head.lower[i], head.upper[i]
        l_io[i] = parent_io[i]
        if not done:
            l_io[i] += s.sigma * (high - low) * normals_in[step, i]
            l_io[i] = min(max(l_io[i], low), high)
    return done


@entry(
    VECTOR, VECTOR, VECTOR, MATRIX, VECTOR, FROZEN, WHOLE, NUMBER, NUMBER, MATRIX, VECTOR, VECTOR,
    VECTOR, MATRIX, VECTOR, VECTOR,
)  # fmt: skip
@kernel
def minimise_psi(
    link: Floats, sequence: Floats, problem: Floats, Y_in: Floats, weights_in: Floats,
    q_in: Floats, search: int, fk_tolerance: float, tolerance: float, normals_in: Floats,
    state: Floats, work: Floats, search_work: Floats, rows_work: Floats, history_out: Floats,
    q_out: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Algorithm 4, one length after the other until Psi stalls, or the (1+1)-ES.

    From the lengths in the first row of `rows_work` (ROWS, N), see `begin`; `search_work` holds a
    SEARCH. Returns (status, iterations); `history_out` gets Psi at the start and after every sweep
    or step, and its size limits their number.
    """
    head, s = header(problem, PROBLEM), header(search_work, SEARCH)
    n, l_now = head.n, rows_work[0]
    s.sigma = SIGMA
    status, count = CONVERGED, 0
    i = n  # the length being searched; behind the last a sweep is over
    while True:
        value = psi(link, sequence, problem, Y_in, weights_in, fk_tolerance, l_now, state, work)
        if i < n:
            low, high = head.lower[i], head.upper[i]
            done, l_now[i] = next_point(search, low, high, tolerance, l_now[i], value, s)
            if done:
                l_now[i] = s.answer
                i += 1
                if i < n:
                    low, high = head.lower[i], head.upper[i]
                    l_now[i] = first_point(search, low, high, l_now[i], s)
            continue
        if count == 0 and not math.isfinite(value):
            return NO_START, 0
        if search == ONE_PLUS_ONE:
            if next_child(head, normals_in, count, value, history_out, s, rows_work[2], l_now):
                break
        else:
            history_out[count] = value
            if count > 0 and abs(value - history_out[count - 1]) < tolerance:
                break
            if count == history_out.shape[0] - 1:
                status = OUT_OF_STEPS
                break
            if n > 0:
                i = 0
                l_now[0] = first_point(search, head.lower[0], head.upper[0], l_now[0], s)
        count += 1
    for k in range(q_in.shape[0]):
        q_out[k] = q_in[k]
    if fk_tolerance > 0.0:
        joints_of_state(link, sequence, state, q_out)
    elif not go_to(link, problem, l_now, work):
        return NO_START, count
    else:
        joints(link, numbers(work, head.work.theta), q_out)
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
    VECTOR, VECTOR, MATRIX, VECTOR, FROZEN, WHOLE, NUMBER, VECTOR, MATRIX, VECTOR, VECTOR
)  # fmt: skip
@kernel
def descend(
    link: Floats, problem: Floats, Y_in: Floats, weights_in: Floats, q_in: Floats,
    conjugate: int, tolerance: float, work: Floats, rows_work: Floats, history_out: Floats,
    q_out: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Projected descent on F = 1/2 Psi^2 until Psi stalls: (status, steps).

    From the lengths in the first row of `rows_work` (ROWS, N), see `begin`; the last lengths and
    gradient are left in the first two rows. With room for the start only in `history_out`, it is
    no more than an evaluation there.

    The direction is minus the gradient, or with `conjugate` that of Polak and Ribiere, restarted
    where it would not descend and after a step that was cut off at a bound. Lengths at a bound
    whose gradient points outwards are held. A trial point is cut off at the bounds; the step is
    halved until F falls by Armijo's rule, and with `conjugate` then corrected once by the slopes
    at its two ends (the secant rule), since conjugate directions want a good step.
    """
    head = header(problem, PROBLEM)
    n = head.n
    l_now, g_now, d, l_new, g, g_best = (
        rows_work[0], rows_work[1], rows_work[2], rows_work[3], rows_work[4], rows_work[5]
    )  # fmt: skip
    f = slope(link, problem, Y_in, weights_in, l_now, work, g)
    if not math.isfinite(f):
        return NO_START, 0
    history_out[0] = math.sqrt(2.0 * f)
    for i in range(n):
        g_now[i] = g[i]
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
                g_best[i] = g[i]
            better = s * min(max(down / (down - there), 0.1), 10.0) if down < there else 2.0 * s
            go_along(head, l_now, better, d, l_new)
            f_better = slope(link, problem, Y_in, weights_in, l_new, work, g)
            if f_better < f_new:
                f_new, s = f_better, better
            else:
                go_along(head, l_now, s, d, l_new)
                for i in range(n):
                    g[i] = g_best[i]
        steps = step
        if not f_new < f:
            history_out[step] = history_out[step - 1]
            status = CONVERGED
            break
        over, under = 0.0, 0.0
        for i in range(n):
            over += g[i] * (g[i] - g_now[i])
            under += g_now[i] * g_now[i]
            l_now[i] = l_new[i]
            g_now[i] = g[i]
        beta = max(0.0, over / under) if conjugate and not cut else 0.0
        f = f_new
        history_out[step] = math.sqrt(2.0 * f)
        if abs(history_out[step] - history_out[step - 1]) < tolerance:
            status = CONVERGED
            break
    if steps > 0 and not go_to(link, problem, l_now, work):
        return NO_START, steps
    for i in range(q_in.shape[0]):
        q_out[i] = q_in[i]
    joints(link, numbers(work, head.work.theta), q_out)
    return status, steps
