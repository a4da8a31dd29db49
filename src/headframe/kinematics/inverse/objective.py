"""Kernels of the objective of inverse kinematics and its exact derivatives over the lengths.

The unknowns are the lengths l of the groups that can move the link, each in its bounds. The
objective is f = 1/2 |W e|^2 with e = log(X^-1 Y), X the link's pose and Y the target. Everything
is differentiated twice and exactly, first over the driving variables theta, then carried over to
the lengths: with L = dl/dtheta and K = L^-1,

    g_l = K^T g_theta,    H_l = K^T (H_theta - sum_i (g_l)_i d2 l_i / dtheta^2) K.

The link's pose is a product of the motions of the freedoms on its way from the base, each about
its place at home: X = M_1 M_2 ... M_k X_home.
"""

from __future__ import annotations

import math

from ...jit import (
    Record,
    Records,
    header,
    indices,
    inlined_kernel,
    kernel,
    matrix,
    numbers,
    part,
    records,
)
from ...spatial.kernels import (
    HERE,
    Numbers,
    compose,
    cross3,
    log_coefficients,
    log_curvature,
    log_rates,
    pose_at,
    pose_log,
    put_pose,
    put_six,
    three,
    turned,
)
from ..forward.block_solving import SOLVED, solve_block
from ..lengths import add_length_curvature, length_curves, move
from ..records import (
    CHAIN,
    CHAIN_STEP,
    LINKAGE,
    MAX_STEPS,
    MOTION,
    PATH_RATES,
    PATH_STEP,
    PROBLEM,
    STEP,
    Floats,
)
from ..small_matrices import copy, invert, multiply, multiply_transposed


@inlined_kernel
def plane_twist(plane: Numbers, w: float, x: float, y: float) -> Numbers:
    """Twist at the origin of a turn w about a plane's normal with the velocity x, y in its axes."""
    a0, b0, c0, p0, a1, b1, c1, p1, a2, b2, c2, p2 = plane
    turn = w * c0, w * c1, w * c2
    way = x * a0 + y * b0, x * a1 + y * b1, x * a2 + y * b2
    moment = cross3((p0, p1, p2), turn)
    return (*turn, way[0] + moment[0], way[1] + moment[1], way[2] + moment[2])


@inlined_kernel
def place_link(problem: Floats, motions: Records, rates: Records, X_out: Floats) -> None:
    """Pose of the link (3, 4), and spatial twists of the steps with their own rates.

    A twist is taken at the base's origin, angular first. A step's motion z -> u z + t in its plane
    has w about the normal and t' - i w t at the origin; its rate follows by differentiating once
    more. It leads from the plane's axes ex, ey and normal to t in them, turned by u about the
    normal, and back from these axes.
    """
    head = header(problem, PROBLEM)
    path, X = records(problem, head.path, PATH_STEP), HERE
    for k in range(path.shape[0]):
        step, motion = path[k], motions[path[k].motion]
        x, y, n = three(step.ex), three(step.ey), three(step.normal)
        t, dt, ddt = motion.t, motion.rate, motion.curve
        w, dw = motion.turning, motion.turning_rate
        axes = (x[0], y[0], n[0], 0.0, x[1], y[1], n[1], 0.0, x[2], y[2], n[2], 0.0)
        back = (x[0], x[1], x[2], 0.0, y[0], y[1], y[2], 0.0, n[0], n[1], n[2], 0.0)
        plane = compose(X, axes)
        put_six(rates[k].twist, plane_twist(plane, w, dt[0] + w * t[1], dt[1] - w * t[0]))
        ax, ay = ddt[0] + dw * t[1] + w * dt[1], ddt[1] - dw * t[0] - w * dt[0]
        put_six(rates[k].twist_rate, plane_twist(plane, dw, ax, ay))
        there = compose(plane, (1.0, 0.0, 0.0, t[0], 0.0, 1.0, 0.0, t[1], 0.0, 0.0, 1.0, 0.0))
        X = compose(turned(there, motion.u[0], motion.u[1]), back)
    put_pose(X_out, compose(X, pose_at(head.X_home)))


@inlined_kernel
def in_body(X: Floats, twist: Floats, out: Floats) -> None:
    """Ad_X^-1 of a twist: w = R^T w, v = R^T (v + w x p)."""
    w0, w1, w2 = twist[0], twist[1], twist[2]
    p0, p1, p2 = X[0, 3], X[1, 3], X[2, 3]
    v0 = twist[3] + w1 * p2 - w2 * p1
    v1 = twist[4] + w2 * p0 - w0 * p2
    v2 = twist[5] + w0 * p1 - w1 * p0
    for i in range(3):
        x, y, z = X[0, i], X[1, i], X[2, i]
        out[i] = x * w0 + y * w1 + z * w2
        out[3 + i] = x * v0 + y * v1 + z * v2


@inlined_kernel
def bracket(a: Floats, b: Floats, out: Floats) -> None:
    """Out = [a, b], the commutator of two twists."""
    a0, a1, a2, b0, b1, b2 = a[0], a[1], a[2], b[0], b[1], b[2]
    a3, a4, a5 = a[3], a[4], a[5]
    b3, b4, b5 = b[3], b[4], b[5]
    out[0], out[1], out[2] = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
    out[3] = a1 * b5 - a2 * b4 + a4 * b2 - a5 * b1
    out[4] = a2 * b3 - a0 * b5 + a5 * b0 - a3 * b2
    out[5] = a0 * b4 - a1 * b3 + a3 * b1 - a4 * b0


@inlined_kernel
def error(X_in: Floats, Y_in: Floats, point: int, e_out: Floats) -> None:
    """Find e = log(X^-1 Y); in point mode (0, R^T (p_Y - p_X)), whatever the orientations."""
    if not point:
        pose_log(X_in, Y_in, e_out)
        return
    for i in range(3):
        e_out[i] = 0.0
        e_out[3 + i] = 0.0
        for j in range(3):
            e_out[3 + i] += X_in[j, i] * (Y_in[j, 3] - X_in[j, 3])


@inlined_kernel
def half_square(e_in: Floats, weights_in: Floats) -> float:
    """1/2 |W e|^2."""
    total = 0.0
    for i in range(6):
        total += weights_in[i] * weights_in[i] * e_in[i] * e_in[i]
    return 0.5 * total


@inlined_kernel
def derivatives(problem: Floats, weights_in: Floats, work: Floats) -> None:
    """Gradient and Hessian of f over the relevant variables.

    With b_k the body twist of step k, X(theta + d) = X exp(delta) and to second order
    delta = sum b_k d_k + 1/2 sum_{j<k} [b_j, b_k] d_j d_k + 1/2 sum b'_k d_k^2, so the error is
    log(exp(-delta) exp(e)). Its second derivative has a part from delta's, -Jl^-1(e) delta'',
    and one from the logarithm's own curvature.
    """
    head = header(problem, PROBLEM)
    at_work, path = head.work, records(problem, head.path, PATH_STEP)
    rates, place = records(work, at_work.path, PATH_RATES), indices(work, at_work.place)
    X, e, lam = matrix(work, at_work.X), numbers(work, at_work.error), numbers(work, at_work.lam)
    a, out = numbers(work, at_work.a), numbers(work, at_work.out)
    g, H = numbers(work, at_work.g), matrix(work, at_work.H)
    c2, c4, dc2, dc4 = log_coefficients(e[0] ** 2 + e[1] ** 2 + e[2] ** 2)
    for i in range(6):
        lam[i] = weights_in[i] * weights_in[i] * e[i]
    clear(g, H)
    for k in range(path.shape[0]):
        at, of_k = place[path[k].variable], rates[k]
        if at < 0:
            continue
        in_body(X, of_k.twist, of_k.body)
        for i in range(6):
            a[i] = -of_k.body[i]
        log_rates(e, a, c2, c4, of_k.rate)
        slope = 0.0
        for i in range(6):
            slope += lam[i] * of_k.rate[i]
        g[at] += slope
        log_curvature(e, lam, a, c2, c4, dc2, dc4, of_k.curve)
        for j in range(k + 1):
            other, of_j = place[path[j].variable], rates[j]
            if other < 0:
                continue
            twist_curve(X, of_j, of_k, j == k, a)
            for i in range(6):
                a[i] *= -1.0 if j == k else -0.5
            log_rates(e, a, c2, c4, out)
            value = 0.0
            for i in range(6):
                de_j, de_k = of_j.rate[i], of_k.rate[i]
                curved = of_k.curve[i] * de_j + of_j.curve[i] * de_k
                value += weights_in[i] * weights_in[i] * de_j * de_k + lam[i] * out[i]
                value += 0.5 * curved
            H[other, at] += value
            if j != k:
                H[at, other] += value


@inlined_kernel
def clear(g_out: Floats, H_out: Floats) -> None:
    """Set gradient and Hessian to 0."""
    n = g_out.shape[0]
    for k in range(n):
        g_out[k] = 0.0
        for j in range(n):
            H_out[k, j] = 0.0


@inlined_kernel
def twist_curve(X: Floats, of_j: Record, of_k: Record, same: bool, out: Floats) -> None:
    """The rate b'_k of a step's body twist, or of two steps [b_j, b_k]."""
    if same:
        in_body(X, of_k.twist_rate, out)
    else:
        bracket(of_j.body, of_k.body, out)


@kernel
def point_derivatives(problem: Floats, weights_in: Floats, work: Floats) -> None:
    """As `derivatives`, in point mode: e = R^T (p_Y - p_X).

    From R' = R [w] and p' = R v follow de_k = -(v_k + w_k x e) and, with db_k/dtheta_j = [b_k, b_j]
    for a step j behind k, its derivative -(v' + w' x e + w_k x de_j).
    """
    head = header(problem, PROBLEM)
    at_work, path = head.work, records(problem, head.path, PATH_STEP)
    rates, place = records(work, at_work.path, PATH_RATES), indices(work, at_work.place)
    X, e, a = matrix(work, at_work.X), numbers(work, at_work.error), numbers(work, at_work.a)
    g, H = numbers(work, at_work.g), matrix(work, at_work.H)
    clear(g, H)
    for k in range(path.shape[0]):
        at, of_k = place[path[k].variable], rates[k]
        if at < 0:
            continue
        in_body(X, of_k.twist, of_k.body)
        slope = 0.0
        for i in range(3):
            p, q = (i + 1) % 3, (i + 2) % 3
            turned = of_k.body[p] * e[3 + q] - of_k.body[q] * e[3 + p]
            rate = -of_k.body[3 + i] - turned
            of_k.rate[3 + i] = rate
            slope += weights_in[3 + i] ** 2 * e[3 + i] * rate
        g[at] += slope
        for j in range(k + 1):
            other, of_j = place[path[j].variable], rates[j]
            if other < 0:
                continue
            twist_curve(X, of_j, of_k, j == k, a)
            value = 0.0
            for i in range(3):
                p, q = (i + 1) % 3, (i + 2) % 3
                de_j, de_k = of_j.rate[3 + i], of_k.rate[3 + i]
                second = a[3 + i] + a[p] * e[3 + q] - a[q] * e[3 + p]
                second += of_j.body[p] * of_k.rate[3 + q]
                second -= of_j.body[q] * of_k.rate[3 + p]
                value += weights_in[3 + i] ** 2 * (de_j * de_k - e[3 + i] * second)
            H[other, at] += value
            if j != k:
                H[at, other] += value


@inlined_kernel
def chain_of(work: Floats, head: Record, row: int) -> Records:
    """Scratch memory of the chain of a length."""
    chains = records(work, head.work.chains, CHAIN_STEP)
    return part(chains, (MAX_STEPS + 1) * row, MAX_STEPS + 1)


@inlined_kernel
def over_lengths(link: Floats, problem: Floats, work: Floats) -> bool:
    """Turn gradient and Hessian over variables into those over lengths; False if singular."""
    linkage, head = header(link, LINKAGE), header(problem, PROBLEM)
    chains, steps = records(link, linkage.chains, CHAIN), records(link, linkage.steps, STEP)
    motions, place = records(work, head.work.motions, MOTION), indices(work, head.work.place)
    values, g_lengths = numbers(work, head.work.values), numbers(work, head.work.g_lengths)
    g, H = numbers(work, head.work.g), matrix(work, head.work.H)
    L, K, HK = matrix(work, head.work.L), matrix(work, head.work.K), matrix(work, head.work.HK)
    n = head.n
    for row in range(n):
        act = head.actuators[row]
        chain, way = chain_of(work, head, row), chains[act]
        values[row] = length_curves(link, act, motions, chain)
        for col in range(n):
            L[row, col] = 0.0
        for k in range(way.count):
            L[row, place[steps[way.first + k].variable]] += chain[k].slope
    if not invert(L, matrix(work, head.work.A), K):
        return False
    for i in range(n):
        total = 0.0
        for k in range(n):
            total += K[k, i] * g[k]
        g_lengths[i] = total
    for row in range(n):
        add_length_curvature(
            link, head.actuators[row], values[row], chain_of(work, head, row), place,
            -g_lengths[row], H,
        )  # fmt: skip
    copy(g_lengths, g)
    multiply(H, K, HK)
    multiply_transposed(K, HK, H)
    return True


@inlined_kernel
def evaluate_here(
    link: Floats, problem: Floats, Y_in: Floats, weights_in: Floats, value_only: bool,
    work: Floats,
) -> tuple[bool, float]:  # fmt: skip
    """F at the variables, with gradient and Hessian over the lengths if wanted."""
    head = header(problem, PROBLEM)
    theta, motions = numbers(work, head.work.theta), records(work, head.work.motions, MOTION)
    X, e = matrix(work, head.work.X), numbers(work, head.work.error)
    for k in range(head.n_motions):
        if not move(link, head.motions[k], theta, motions):
            return False, math.inf
    place_link(problem, motions, records(work, head.work.path, PATH_RATES), X)
    error(X, Y_in, head.point, e)
    f = half_square(e, weights_in)
    if value_only:
        return True, f
    if head.point:
        point_derivatives(problem, weights_in, work)
    else:
        derivatives(problem, weights_in, work)
    return over_lengths(link, problem, work), f


@kernel
def evaluate(
    link: Floats, problem: Floats, Y_in: Floats, weights_in: Floats, work: Floats
) -> tuple[bool, float]:
    """F at the variables, with gradient and Hessian over the lengths."""
    return evaluate_here(link, problem, Y_in, weights_in, False, work)


@inlined_kernel
def go_here(link: Floats, problem: Floats, wanted_in: Floats, work: Floats) -> bool:
    """Set the variables of the relevant blocks for some lengths."""
    head = header(problem, PROBLEM)
    theta, motions = numbers(work, head.work.theta), records(work, head.work.motions, MOTION)
    lengths, block = numbers(work, head.work.lengths), matrix(work, head.work.block)
    chain, weights = chain_of(work, head, 0), matrix(work, head.work.weights)
    for i in range(head.n):
        lengths[head.actuators[i]] = wanted_in[i]
    for k in range(head.n_blocks):
        number = head.blocks[k]
        status, _ = solve_block(link, number, lengths, theta, motions, chain, block, weights)
        if status != SOLVED:
            return False
    return True


@kernel
def go_to(link: Floats, problem: Floats, wanted_in: Floats, work: Floats) -> bool:
    """`go_here`, compiled once, for kernels that are in no hurry."""
    return go_here(link, problem, wanted_in, work)
