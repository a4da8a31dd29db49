"""Kernels of the objective of inverse kinematics and its exact derivatives over the lengths.

The unknowns are the lengths l of the groups that can move the link, each in its bounds. The
objective is f = 1/2 |W e|^2 with e = log(X^-1 Y), X the link's pose and Y the target. Everything
is differentiated twice and exactly, first over the driving variables theta, then carried over to
the lengths: with L = dl/dtheta and K = L^-1,

    g_l = K^T g_theta,    H_l = K^T (H_theta - sum_i (g_l)_i d2 l_i / dtheta^2) K.

The link's pose is a product of the motions of the freedoms on its way from the base, each about
its place at home: X = M_1 M_2 ... M_k X_home. A problem arrives as two arrays, made by `problem`:

- `path_i`: [number of steps, n, number of blocks, point mode], blocks (MAX_BLOCKS), variables (N),
  actuators (N), number of motions and these (MAX_MOTIONS), then steps [motion, variable];
- `path_f`: X_home as 3x4 rows, then for every step its plane [ex, ey, normal].

Scratch memory is one array `work` whose parts begin at the constants below, and those that `views`
cuts from its end, because other kernels take them as arrays.
"""

from __future__ import annotations

import math

from ....jit import inlined_kernel, kernel
from ....spatial._kernels import log_coefficients, log_curvature, log_rates, pose_log
from ...forward._kernels import (
    CHAIN,
    MAX,
    MAX_MOTIONS,
    SOLVED,
    eliminate,
    solve_block,
)
from ...lengths._kernels import (
    ACT_I,
    ACTS_I,
    MOTION_F,
    N_ACTS,
    N_MOTIONS,
    N_VARS,
    STEP_I,
    STEPS_I,
    Floats,
    Ints,
    add_length_curvature,
    length_curves,
    move,
)

N = 12  # most groups that may move a link
MAX_BLOCKS = 16
MAX_PATH = 24  # most steps between the base and a link
MAX_TRIED = 16  # starts and minima that are remembered
NEAR = 0.2  # of a stroke: seeds nearer than this to what was tried are no new start

# path_i and path_f
VARIABLES_AT = 4 + MAX_BLOCKS
ACTUATORS_AT = VARIABLES_AT + N
MOTIONS_AT = ACTUATORS_AT + N
PATH_HEAD = MOTIONS_AT + 1 + MAX_MOTIONS
PATH_I, PATH_F = 2, 9

# parts of `work`: gradient, step, bounds of the step, trial and present lengths, values of
# lengths, gradient over lengths; Hessian; the matrices L, K, T and one for solving; twists of the
# path's steps, their rates, the same in body axes, rates of the error, curvatures; lengths
# of the least minimum, and of all starts and minima; gradient and Hessian of the last good point
GRADIENT, STEP, LOW, HIGH = 0, N, 2 * N, 3 * N
TRIAL, NOW, VALUES, GRADIENT_L = 4 * N, 5 * N, 6 * N, 7 * N
HESSIAN = 8 * N
MATRIX_L = HESSIAN + N * N
MATRIX_K = MATRIX_L + N * N
MATRIX_T = MATRIX_K + N * N
TWISTS = MATRIX_T + N * N
TWIST_RATES = TWISTS + 6 * MAX_PATH
BODY = TWIST_RATES + 6 * MAX_PATH
RATES = BODY + 6 * MAX_PATH
CURVES = RATES + 6 * MAX_PATH
BEST = CURVES + 6 * MAX_PATH
TRIED = BEST + N
KEPT = TRIED + MAX_TRIED * N
FIXED = KEPT + N * (N + 1)

CONVERGED, OUT_OF_STEPS, NO_START, NOT_A_POSE = 0, 1, 2, 3


@kernel
def work_size(n_vars: int, n_acts: int, n_motions: int) -> int:
    """Doubles of scratch memory that the solver needs."""
    blocks = MAX * (MAX + 1) + N * (N + 1)
    return FIXED + N * CHAIN + blocks + n_vars + n_acts + MOTION_F * n_motions + 12 + 24


@kernel
def views(link_i: Ints, work: Floats) -> tuple[Floats, ...]:
    """Parts of the scratch memory that other kernels take as arrays.

    Variables, motions, chains, lengths of all actuators, the matrix of a block, one for solving,
    the link's pose, the error e, and room for three more vectors of six.
    """
    at = FIXED
    chains = work[at : at + N * CHAIN]
    at += N * CHAIN
    block = work[at : at + MAX * (MAX + 1)].reshape(MAX, MAX + 1)
    at += MAX * (MAX + 1)
    A = work[at : at + N * (N + 1)].reshape(N, N + 1)
    at += N * (N + 1)
    X = work[at : at + 12].reshape(3, 4)
    at += 12
    e, lam, a, out = (
        work[at : at + 6],
        work[at + 6 : at + 12],
        work[at + 12 : at + 18],
        work[at + 18 : at + 24],
    )
    at += 24
    lengths = work[at : at + link_i[N_ACTS]]
    at += link_i[N_ACTS]
    theta = work[at : at + link_i[N_VARS]]
    at += link_i[N_VARS]
    M = work[at : at + MOTION_F * link_i[N_MOTIONS]]
    return theta, M, chains, lengths, block, A, X, e, lam, a, out


@inlined_kernel
def place_link(path_i: Ints, path_f: Floats, M_in: Floats, work: Floats, X_out: Floats) -> None:
    """Pose of the link (3, 4), and spatial twists of the steps with their own rates.

    A twist is taken at the base's origin, angular first. A step's motion z -> u z + t in its plane
    has w about the normal and t' - i w t at the origin; its rate follows by differentiating once
    more. Behind the product (R, p) of the steps before, a twist (s, v) becomes
    (R s, R v + p x R s).
    """
    r00, r01, r02, p0 = 1.0, 0.0, 0.0, 0.0
    r10, r11, r12, p1 = 0.0, 1.0, 0.0, 0.0
    r20, r21, r22, p2 = 0.0, 0.0, 1.0, 0.0
    for k in range(path_i[0]):
        m, pf = MOTION_F * path_i[PATH_HEAD + PATH_I * k], 12 + PATH_F * k
        c, s, tx, ty = M_in[m], M_in[m + 1], M_in[m + 2], M_in[m + 3]
        dx, dy, ddx, ddy = M_in[m + 4], M_in[m + 5], M_in[m + 6], M_in[m + 7]
        w, a = M_in[m + 8], M_in[m + 9]
        # the plane's basis, turned with the steps before
        x0, x1, x2 = path_f[pf], path_f[pf + 1], path_f[pf + 2]
        y0, y1, y2 = path_f[pf + 3], path_f[pf + 4], path_f[pf + 5]
        n0, n1, n2 = path_f[pf + 6], path_f[pf + 7], path_f[pf + 8]
        a0, a1, a2 = (
            r00 * x0 + r01 * x1 + r02 * x2,
            r10 * x0 + r11 * x1 + r12 * x2,
            r20 * x0 + r21 * x1 + r22 * x2,
        )
        b0, b1, b2 = (
            r00 * y0 + r01 * y1 + r02 * y2,
            r10 * y0 + r11 * y1 + r12 * y2,
            r20 * y0 + r21 * y1 + r22 * y2,
        )
        c0, c1, c2 = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
        vx, vy = dx + w * ty, dy - w * tx
        ax, ay = ddx + a * ty + w * dy, ddy - a * tx - w * dx
        at = TWISTS + 6 * k
        w0, w1, w2 = w * c0, w * c1, w * c2
        work[at], work[at + 1], work[at + 2] = w0, w1, w2
        work[at + 3] = vx * a0 + vy * b0 + p1 * w2 - p2 * w1
        work[at + 4] = vx * a1 + vy * b1 + p2 * w0 - p0 * w2
        work[at + 5] = vx * a2 + vy * b2 + p0 * w1 - p1 * w0
        at = TWIST_RATES + 6 * k
        w0, w1, w2 = a * c0, a * c1, a * c2
        work[at], work[at + 1], work[at + 2] = w0, w1, w2
        work[at + 3] = ax * a0 + ay * b0 + p1 * w2 - p2 * w1
        work[at + 4] = ax * a1 + ay * b1 + p2 * w0 - p0 * w2
        work[at + 5] = ax * a2 + ay * b2 + p0 * w1 - p1 * w0
        # (R, p) times the step: R = [a b c] turned by u about c, times the basis transposed
        p0 += tx * a0 + ty * b0
        p1 += tx * a1 + ty * b1
        p2 += tx * a2 + ty * b2
        a0, b0 = c * a0 + s * b0, c * b0 - s * a0
        a1, b1 = c * a1 + s * b1, c * b1 - s * a1
        a2, b2 = c * a2 + s * b2, c * b2 - s * a2
        r00, r01, r02 = (
            a0 * x0 + b0 * y0 + c0 * n0,
            a0 * x1 + b0 * y1 + c0 * n1,
            a0 * x2 + b0 * y2 + c0 * n2,
        )
        r10, r11, r12 = (
            a1 * x0 + b1 * y0 + c1 * n0,
            a1 * x1 + b1 * y1 + c1 * n1,
            a1 * x2 + b1 * y2 + c1 * n2,
        )
        r20, r21, r22 = (
            a2 * x0 + b2 * y0 + c2 * n0,
            a2 * x1 + b2 * y1 + c2 * n1,
            a2 * x2 + b2 * y2 + c2 * n2,
        )
    for j in range(4):
        x, y, z = path_f[j], path_f[4 + j], path_f[8 + j]
        X_out[0, j] = r00 * x + r01 * y + r02 * z
        X_out[1, j] = r10 * x + r11 * y + r12 * z
        X_out[2, j] = r20 * x + r21 * y + r22 * z
    X_out[0, 3] += p0
    X_out[1, 3] += p1
    X_out[2, 3] += p2


@inlined_kernel
def in_body(X: Floats, work: Floats, source: int, target: int) -> None:
    """Ad_X^-1 of a twist in `work`: w = R^T w, v = R^T (v + w x p)."""
    w0, w1, w2 = work[source], work[source + 1], work[source + 2]
    p0, p1, p2 = X[0, 3], X[1, 3], X[2, 3]
    v0 = work[source + 3] + w1 * p2 - w2 * p1
    v1 = work[source + 4] + w2 * p0 - w0 * p2
    v2 = work[source + 5] + w0 * p1 - w1 * p0
    for i in range(3):
        x, y, z = X[0, i], X[1, i], X[2, i]
        work[target + i] = x * w0 + y * w1 + z * w2
        work[target + 3 + i] = x * v0 + y * v1 + z * v2


@inlined_kernel
def bracket(work: Floats, a: int, b: int, out: Floats) -> None:
    """Out = [a, b], the commutator of two twists in `work`."""
    a0, a1, a2, b0, b1, b2 = work[a], work[a + 1], work[a + 2], work[b], work[b + 1], work[b + 2]
    a3, a4, a5 = work[a + 3], work[a + 4], work[a + 5]
    b3, b4, b5 = work[b + 3], work[b + 4], work[b + 5]
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
def derivatives(
    path_i: Ints,
    weights_in: Floats,
    place_in: Ints,
    X_in: Floats,
    e_in: Floats,
    work: Floats,
    lam: Floats,
    a: Floats,
    out: Floats,
) -> None:
    """Gradient and Hessian of f over the relevant variables, into `work`.

    With b_k the body twist of step k, X(theta + d) = X exp(delta) and to second order
    delta = sum b_k d_k + 1/2 sum_{j<k} [b_j, b_k] d_j d_k + 1/2 sum b'_k d_k^2, so the error is
    log(exp(-delta) exp(e)). Its second derivative has a part from delta's, -Jl^-1(e) delta'',
    and one from the logarithm's own curvature.
    """
    steps, n = path_i[0], path_i[1]
    c2, c4, dc2, dc4 = log_coefficients(e_in[0] ** 2 + e_in[1] ** 2 + e_in[2] ** 2)
    for i in range(6):
        lam[i] = weights_in[i] * weights_in[i] * e_in[i]
    clear(work, n)
    for k in range(steps):
        at = place_in[path_i[PATH_HEAD + PATH_I * k + 1]]
        if at < 0:
            continue
        row_k = 6 * k
        in_body(X_in, work, TWISTS + row_k, BODY + row_k)
        for i in range(6):
            a[i] = -work[BODY + row_k + i]
        log_rates(e_in, a, c2, c4, out)
        slope = 0.0
        for i in range(6):
            work[RATES + row_k + i] = out[i]
            slope += lam[i] * out[i]
        work[GRADIENT + at] += slope
        log_curvature(e_in, lam, a, c2, c4, dc2, dc4, out)
        for i in range(6):
            work[CURVES + row_k + i] = out[i]
        for j in range(k + 1):
            other = place_in[path_i[PATH_HEAD + PATH_I * j + 1]]
            if other < 0:
                continue
            row_j = 6 * j
            if j == k:
                in_body(X_in, work, TWIST_RATES + row_k, TWIST_RATES + row_k)
                for i in range(6):
                    a[i] = -work[TWIST_RATES + row_k + i]
            else:
                bracket(work, BODY + row_j, BODY + row_k, a)
                for i in range(6):
                    a[i] *= -0.5
            log_rates(e_in, a, c2, c4, out)
            value = 0.0
            for i in range(6):
                de_j, de_k = work[RATES + row_j + i], work[RATES + row_k + i]
                curved = work[CURVES + row_k + i] * de_j + work[CURVES + row_j + i] * de_k
                value += weights_in[i] * weights_in[i] * de_j * de_k + lam[i] * out[i]
                value += 0.5 * curved
            work[HESSIAN + N * other + at] += value
            if j != k:
                work[HESSIAN + N * at + other] += value


@inlined_kernel
def clear(work: Floats, n: int) -> None:
    """Set gradient and Hessian to 0."""
    for k in range(n):
        work[GRADIENT + k] = 0.0
        for j in range(n):
            work[HESSIAN + N * k + j] = 0.0


@kernel
def point_derivatives(
    path_i: Ints,
    weights_in: Floats,
    place_in: Ints,
    X_in: Floats,
    e_in: Floats,
    work: Floats,
    a: Floats,
) -> None:
    """As `derivatives`, in point mode: e = R^T (p_Y - p_X).

    From R' = R [w] and p' = R v follow de_k = -(v_k + w_k x e) and, with db_k/dtheta_j = [b_k, b_j]
    for a step j behind k, its derivative -(v' + w' x e + w_k x de_j).
    """
    steps, n = path_i[0], path_i[1]
    clear(work, n)
    for k in range(steps):
        at = place_in[path_i[PATH_HEAD + PATH_I * k + 1]]
        if at < 0:
            continue
        row_k = 6 * k
        in_body(X_in, work, TWISTS + row_k, BODY + row_k)
        slope = 0.0
        for i in range(3):
            p, q = (i + 1) % 3, (i + 2) % 3
            turned = work[BODY + row_k + p] * e_in[3 + q] - work[BODY + row_k + q] * e_in[3 + p]
            rate = -work[BODY + row_k + 3 + i] - turned
            work[RATES + row_k + 3 + i] = rate
            slope += weights_in[3 + i] ** 2 * e_in[3 + i] * rate
        work[GRADIENT + at] += slope
        for j in range(k + 1):
            other = place_in[path_i[PATH_HEAD + PATH_I * j + 1]]
            if other < 0:
                continue
            row_j = 6 * j
            if j == k:
                in_body(X_in, work, TWIST_RATES + row_k, TWIST_RATES + row_k)
                for i in range(6):
                    a[i] = work[TWIST_RATES + row_k + i]
            else:
                bracket(work, BODY + row_j, BODY + row_k, a)
            value = 0.0
            for i in range(3):
                p, q = (i + 1) % 3, (i + 2) % 3
                de_j, de_k = work[RATES + row_j + 3 + i], work[RATES + row_k + 3 + i]
                second = a[3 + i] + a[p] * e_in[3 + q] - a[q] * e_in[3 + p]
                second += work[BODY + row_j + p] * work[RATES + row_k + 3 + q]
                second -= work[BODY + row_j + q] * work[RATES + row_k + 3 + p]
                value += weights_in[3 + i] ** 2 * (de_j * de_k - e_in[3 + i] * second)
            work[HESSIAN + N * other + at] += value
            if j != k:
                work[HESSIAN + N * at + other] += value


@inlined_kernel
def over_lengths(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    place_in: Ints,
    M_in: Floats,
    chains_work: Floats,
    A_work: Floats,
    work: Floats,
) -> bool:
    """Turn gradient and Hessian over variables into those over lengths; False if singular."""
    n = path_i[1]
    for row in range(n):
        act = path_i[ACTUATORS_AT + row]
        at = CHAIN * row
        work[VALUES + row] = length_curves(link_i, link_f, act, M_in, chains_work, at)
        for col in range(n):
            work[MATRIX_L + N * row + col] = 0.0
        ai = link_i[ACTS_I] + ACT_I * act
        for k in range(link_i[ai + 1]):
            var = link_i[link_i[STEPS_I] + STEP_I * (link_i[ai] + k) + 1]
            work[MATRIX_L + N * row + place_in[var]] += chains_work[at + 6 * k + 5]
    if not invert(n, A_work, work):
        return False
    for i in range(n):
        total = 0.0
        for k in range(n):
            total += work[MATRIX_K + N * k + i] * work[GRADIENT + k]
        work[GRADIENT_L + i] = total
    for row in range(n):
        add_length_curvature(
            link_i, path_i[ACTUATORS_AT + row], work[VALUES + row], chains_work, CHAIN * row,
            place_in, -work[GRADIENT_L + row], work, HESSIAN, N,
        )  # fmt: skip
    for i in range(n):
        work[GRADIENT + i] = work[GRADIENT_L + i]
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += work[HESSIAN + N * i + k] * work[MATRIX_K + N * k + j]
            work[MATRIX_T + N * i + j] = total
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += work[MATRIX_K + N * k + i] * work[MATRIX_T + N * k + j]
            work[HESSIAN + N * i + j] = total
    return True


@inlined_kernel
def invert(n: int, A_work: Floats, work: Floats) -> bool:
    """K = L^-1, both in `work`; False if singular."""
    L, K = MATRIX_L, MATRIX_K
    if n == 1:
        work[K] = 1.0 / work[L]
        return bool(work[L] != 0.0)
    if n == 2:
        det = work[L] * work[L + N + 1] - work[L + 1] * work[L + N]
        if det == 0.0:
            return False
        work[K], work[K + 1] = work[L + N + 1] / det, -work[L + 1] / det
        work[K + N], work[K + N + 1] = -work[L + N] / det, work[L] / det
        return True
    for col in range(n):
        for i in range(n):
            for j in range(n):
                A_work[i, j] = work[L + N * i + j]
            A_work[i, n] = 1.0 if i == col else 0.0
        if not eliminate(A_work, n):
            return False
        for i in range(n):
            work[K + N * i + col] = A_work[i, n]
    return True


@inlined_kernel
def evaluate_here(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    path_f: Floats,
    place_in: Ints,
    Y_in: Floats,
    weights_in: Floats,
    value_only: bool,
    work: Floats,
    parts: tuple[Floats, ...],
) -> tuple[bool, float]:
    """F at the variables in `parts`, with gradient and Hessian over the lengths if wanted."""
    theta, M, chains, _, _, A, X, e, lam, a, out = parts
    for k in range(path_i[MOTIONS_AT]):
        if not move(link_i, link_f, path_i[MOTIONS_AT + 1 + k], theta, M):
            return False, math.inf
    place_link(path_i, path_f, M, work, X)
    error(X, Y_in, path_i[3], e)
    f = half_square(e, weights_in)
    if value_only:
        return True, f
    if path_i[3]:
        point_derivatives(path_i, weights_in, place_in, X, e, work, a)
    else:
        derivatives(path_i, weights_in, place_in, X, e, work, lam, a, out)
    return over_lengths(link_i, link_f, path_i, place_in, M, chains, A, work), f


@kernel
def evaluate(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    path_f: Floats,
    place_in: Ints,
    Y_in: Floats,
    weights_in: Floats,
    work: Floats,
    parts: tuple[Floats, ...],
) -> tuple[bool, float]:
    """F at the variables in `parts`, with gradient and Hessian over the lengths."""
    return evaluate_here(
        link_i, link_f, path_i, path_f, place_in, Y_in, weights_in, False, work, parts
    )


@inlined_kernel
def go_here(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    source: int,
    work: Floats,
    parts: tuple[Floats, ...],
) -> bool:
    """Set the variables of the relevant blocks for the lengths at `source` in `work`."""
    theta, M, chains, lengths, block, _, _, _, _, _, _ = parts
    for i in range(path_i[1]):
        lengths[path_i[ACTUATORS_AT + i]] = work[source + i]
    for k in range(path_i[2]):
        status = solve_block(link_i, link_f, path_i[4 + k], lengths, theta, M, chains, block)
        if status != SOLVED:
            return False
    return True


@kernel
def go_to(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    source: int,
    work: Floats,
    parts: tuple[Floats, ...],
) -> bool:
    """Set the variables of the relevant blocks for the lengths at `source` in `work`."""
    return go_here(link_i, link_f, path_i, source, work, parts)


def warm_up() -> None:
    """Nothing is called from outside of kernels; they compile with those."""
