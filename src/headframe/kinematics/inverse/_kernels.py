"""Kernels of inverse kinematics: a bound-constrained Newton method over the lengths.

The unknowns are the lengths l of the groups that can move the link, each in its bounds. The
objective is f = 1/2 |W e|^2 with e = log(X^-1 Y), X the link's pose and Y the target. Everything
is differentiated twice and exactly, first over the driving variables theta, then carried over to
the lengths: with L = dl/dtheta and K = L^-1,

    g_l = K^T g_theta,    H_l = K^T (H_theta - sum_i (g_l)_i d2 l_i / dtheta^2) K.

The link's pose is a product of the motions of the freedoms on its way from the base, each about
its place at home: X = M_1 M_2 ... M_k X_home. A problem arrives as two arrays, made by `problem`:

- `path_i`: [number of steps, n, number of blocks, point mode], blocks (MAX_BLOCKS), variables (N),
  actuators (N), then steps [kind, variable, enter, leave];
- `path_f`: X_home as 3x4 rows, then steps: [point, axis] of a hinge, [0, direction] of a slide,
  [ex, ey, normal] of a four-bar's plane.
"""

from __future__ import annotations

import math

import numpy as np

from ...jit import batch_kernel, kernel
from ...mechanism._kernels import cross
from ...spatial._kernels import log_coefficients, log_curvature, log_rates, pose_log
from ..forward._kernels import (
    MAX,
    SOLVED,
    STEPS_SIZE,
    eliminate,
    joints,
    solve_block,
    start,
)
from ..lengths._kernels import (
    ACT_I,
    ACTS_I,
    BAR_F,
    BARS_F,
    MAX_STEPS,
    N_ACTS,
    N_VARS,
    SLIDING,
    STEP_I,
    STEPS_I,
    TURNING,
    VAR_I,
    VARS_I,
    Floats,
    Ints,
    add_length_curvature,
    length,
    ring_step,
)

N = 12  # most groups that may move a link
MAX_BLOCKS = 16
MAX_PATH = 24  # most steps between the base and a link
PATH_HEAD = 4 + MAX_BLOCKS + 2 * N
PATH_F = 9

CONVERGED, OUT_OF_STEPS, NO_START, NOT_A_POSE = 0, 1, 2, 3


@kernel
def pose_and_twists(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    path_f: Floats,
    theta_in: Floats,
    X_work: Floats,
    X_out: Floats,
    S_out: Floats,
    dS_out: Floats,
) -> bool:
    """Pose of the link (3, 4), spatial twists of the steps (steps, 6), and their own rates.

    A twist is taken at the base's origin, angular first. Of a four-bar's plane motion
    z -> u z + t it is w about the normal and t' - i w t at the origin; its rate follows by
    differentiating once more. Behind the product M of the steps before, it becomes Ad_M s.
    """
    R, M = X_work[0], X_work[1]
    for i in range(3):
        for j in range(4):
            R[i, j] = 1.0 if i == j else 0.0
    for k in range(path_i[0]):
        pi, pf = PATH_HEAD + 4 * k, 12 + PATH_F * k
        kind, var = path_i[pi], path_i[pi + 1]
        s0, s1, s2 = 0.0, 0.0, 0.0
        v0, v1, v2 = 0.0, 0.0, 0.0
        w_rate, d0, d1, d2 = 0.0, 0.0, 0.0, 0.0
        if kind == SLIDING:
            theta = theta_in[var]
            v0, v1, v2 = path_f[pf + 3], path_f[pf + 4], path_f[pf + 5]
            for i in range(3):
                for j in range(3):
                    M[i, j] = R[i, j]
                M[i, 3] = R[i, 3] + theta * (R[i, 0] * v0 + R[i, 1] * v1 + R[i, 2] * v2)
            n0, n1, n2 = 0.0, 0.0, 0.0
        else:
            if kind == TURNING:
                theta = theta_in[var]
                c, s = math.cos(theta), math.sin(theta)
                px, py, pz = path_f[pf], path_f[pf + 1], path_f[pf + 2]
                n0, n1, n2 = path_f[pf + 3], path_f[pf + 4], path_f[pf + 5]
                s0, s1, s2 = n0, n1, n2
                v0, v1, v2 = py * n2 - pz * n1, pz * n0 - px * n2, px * n1 - py * n0
            else:
                at = link_i[BARS_F] + BAR_F * link_i[link_i[VARS_I] + VAR_I * var + 2]
                ok, u, t, dt, ddt, w, w_rate = ring_step(
                    link_f, at, path_i[pi + 2], path_i[pi + 3], theta_in[var]
                )
                if not ok:
                    return False
                c, s = u.real, u.imag
                n0, n1, n2 = path_f[pf + 6], path_f[pf + 7], path_f[pf + 8]
                s0, s1, s2 = w * n0, w * n1, w * n2
                v = dt - complex(0.0, w) * t
                rate = ddt - complex(0.0, w_rate) * t - complex(0.0, w) * dt
                v0 = v.real * path_f[pf] + v.imag * path_f[pf + 3]
                v1 = v.real * path_f[pf + 1] + v.imag * path_f[pf + 4]
                v2 = v.real * path_f[pf + 2] + v.imag * path_f[pf + 5]
                d0 = rate.real * path_f[pf] + rate.imag * path_f[pf + 3]
                d1 = rate.real * path_f[pf + 1] + rate.imag * path_f[pf + 4]
                d2 = rate.real * path_f[pf + 2] + rate.imag * path_f[pf + 5]
                # the translation as a place: t = px ex + py ey
                px = t.real * path_f[pf] + t.imag * path_f[pf + 3]
                py = t.real * path_f[pf + 1] + t.imag * path_f[pf + 4]
                pz = t.real * path_f[pf + 2] + t.imag * path_f[pf + 5]
            k1 = 1.0 - c
            r00, r01, r02 = c + n0 * n0 * k1, n0 * n1 * k1 - n2 * s, n0 * n2 * k1 + n1 * s
            r10, r11, r12 = n1 * n0 * k1 + n2 * s, c + n1 * n1 * k1, n1 * n2 * k1 - n0 * s
            r20, r21, r22 = n2 * n0 * k1 - n1 * s, n2 * n1 * k1 + n0 * s, c + n2 * n2 * k1
            if kind == TURNING:  # about P: z -> R (z - P) + P
                x, y, z = px, py, pz
                px = x - (r00 * x + r01 * y + r02 * z)
                py = y - (r10 * x + r11 * y + r12 * z)
                pz = z - (r20 * x + r21 * y + r22 * z)
            for i in range(3):
                a, b, d = R[i, 0], R[i, 1], R[i, 2]
                M[i, 0] = a * r00 + b * r10 + d * r20
                M[i, 1] = a * r01 + b * r11 + d * r21
                M[i, 2] = a * r02 + b * r12 + d * r22
                M[i, 3] = R[i, 3] + a * px + b * py + d * pz
        carry(R, s0, s1, s2, v0, v1, v2, S_out[k])
        carry(R, w_rate * n0, w_rate * n1, w_rate * n2, d0, d1, d2, dS_out[k])
        R, M = M, R
    for i in range(3):
        for j in range(4):
            total = R[i, 3] if j == 3 else 0.0
            for m in range(3):
                total += R[i, m] * path_f[4 * m + j]
            X_out[i, j] = total
    return True


@kernel
def carry(
    X: Floats, s0: float, s1: float, s2: float, v0: float, v1: float, v2: float, out: Floats
) -> None:
    """Out = Ad_X (s, v): w = R s, v = R v + p x w."""
    w0 = X[0, 0] * s0 + X[0, 1] * s1 + X[0, 2] * s2
    w1 = X[1, 0] * s0 + X[1, 1] * s1 + X[1, 2] * s2
    w2 = X[2, 0] * s0 + X[2, 1] * s1 + X[2, 2] * s2
    p0, p1, p2 = X[0, 3], X[1, 3], X[2, 3]
    out[0], out[1], out[2] = w0, w1, w2
    out[3] = X[0, 0] * v0 + X[0, 1] * v1 + X[0, 2] * v2 + p1 * w2 - p2 * w1
    out[4] = X[1, 0] * v0 + X[1, 1] * v1 + X[1, 2] * v2 + p2 * w0 - p0 * w2
    out[5] = X[2, 0] * v0 + X[2, 1] * v1 + X[2, 2] * v2 + p0 * w1 - p1 * w0


@kernel
def in_body(X: Floats, S: Floats, out: Floats) -> None:
    """Out = Ad_X^-1 S: w = R^T w, v = R^T (v + w x p)."""
    w0, w1, w2 = S[0], S[1], S[2]
    p0, p1, p2 = X[0, 3], X[1, 3], X[2, 3]
    v0 = S[3] + w1 * p2 - w2 * p1
    v1 = S[4] + w2 * p0 - w0 * p2
    v2 = S[5] + w0 * p1 - w1 * p0
    for i in range(3):
        out[i] = X[0, i] * w0 + X[1, i] * w1 + X[2, i] * w2
        out[3 + i] = X[0, i] * v0 + X[1, i] * v1 + X[2, i] * v2


@kernel
def bracket(a: Floats, b: Floats, out: Floats) -> None:
    """Out = [a, b], the commutator of two twists."""
    a0, a1, a2, b0, b1, b2 = a[0], a[1], a[2], b[0], b[1], b[2]
    a3, a4, a5, b3, b4, b5 = a[3], a[4], a[5], b[3], b[4], b[5]
    out[0], out[1], out[2] = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
    out[3] = a1 * b5 - a2 * b4 + a4 * b2 - a5 * b1
    out[4] = a2 * b3 - a0 * b5 + a5 * b0 - a3 * b2
    out[5] = a0 * b4 - a1 * b3 + a3 * b1 - a4 * b0


@kernel
def error(X_in: Floats, Y_in: Floats, point: int, e_out: Floats) -> None:
    """e = log(X^-1 Y); in point mode (0, R^T (p_Y - p_X)), whatever the orientations."""
    if not point:
        pose_log(X_in, Y_in, e_out)
        return
    for i in range(3):
        e_out[i] = 0.0
        e_out[3 + i] = 0.0
        for j in range(3):
            e_out[3 + i] += X_in[j, i] * (Y_in[j, 3] - X_in[j, 3])


@kernel
def half_square(e_in: Floats, weights_in: Floats) -> float:
    """1/2 |W e|^2."""
    total = 0.0
    for i in range(6):
        total += weights_in[i] * weights_in[i] * e_in[i] * e_in[i]
    return 0.5 * total


@kernel
def error_rate(e_in: Floats, b_in: Floats, point: int, c2: float, c4: float, out: Floats) -> None:
    """de for a body twist b of the link: -Jl^-1(e) b; in point mode -(v + w x e)."""
    if point:
        cross(b_in[:3], e_in[3:], out[3:])
        for i in range(3):
            out[i] = 0.0
            out[3 + i] = -b_in[3 + i] - out[3 + i]
        return
    for i in range(6):
        out[i] = -b_in[i]
    log_rates(e_in, out, c2, c4, out)


@kernel
def derivatives(
    path_i: Ints,
    weights_in: Floats,
    place_in: Ints,
    X_in: Floats,
    S_in: Floats,
    dS_in: Floats,
    e_in: Floats,
    b_work: Floats,
    g_out: Floats,
    H_out: Floats,
) -> None:
    """Gradient and Hessian of f over the relevant variables.

    With b_k the body twist of step k, X(theta + d) = X exp(delta) and to second order
    delta = sum b_k d_k + 1/2 sum_{j<k} [b_j, b_k] d_j d_k + 1/2 sum b'_k d_k^2, so the error is
    log(exp(-delta) exp(e)). Its second derivative has a part from delta's, -Jl^-1(e) delta'',
    and one from the logarithm's own curvature. In point mode e = R^T (p_Y - p_X), whose
    derivatives follow from R' = R [w] and dB_k/dtheta_j = [b_k, b_j] for j behind k.
    """
    steps, n, point = path_i[0], path_i[1], path_i[3]
    b, de, curve = b_work[0], b_work[1], b_work[2]
    lam, second = b_work[3, 0], b_work[3, 1]
    c2, c4, dc2, dc4 = 0.0, 0.0, 0.0, 0.0
    if not point:
        c2, c4, dc2, dc4 = log_coefficients(e_in[0] ** 2 + e_in[1] ** 2 + e_in[2] ** 2)
    for i in range(6):
        lam[i] = weights_in[i] * weights_in[i] * e_in[i]
    for k in range(n):
        g_out[k] = 0.0
        for j in range(n):
            H_out[k, j] = 0.0
    for k in range(steps):
        at = place_in[path_i[PATH_HEAD + 4 * k + 1]]
        if at < 0:
            continue
        in_body(X_in, S_in[k], b[k])
        error_rate(e_in, b[k], point, c2, c4, de[k])
        if not point:
            for i in range(6):
                second[i] = -b[k, i]
            log_curvature(e_in, lam, second, c2, c4, dc2, dc4, curve[k])
        for i in range(6):
            g_out[at] += lam[i] * de[k, i]
        for j in range(k + 1):
            other = place_in[path_i[PATH_HEAD + 4 * j + 1]]
            if other < 0:
                continue
            value = 0.0
            for i in range(6):
                value += weights_in[i] * weights_in[i] * de[j, i] * de[k, i]
            if j == k:
                in_body(X_in, dS_in[k], second)
            else:
                bracket(b[j], b[k], second)
            if point:
                value += point_curvature(e_in, lam, b[j], de[k], second)
            else:
                if j != k:
                    for i in range(6):
                        second[i] *= 0.5
                error_rate(e_in, second, point, c2, c4, second)
                for i in range(6):
                    value += lam[i] * second[i]
                    value += 0.5 * (curve[k, i] * de[j, i] + curve[j, i] * de[k, i])
            H_out[other, at] += value
            if j != k:
                H_out[at, other] += value


@kernel
def point_curvature(
    e_in: Floats, lam_in: Floats, b_in: Floats, de_in: Floats, db_in: Floats
) -> float:
    """lambda . d/dtheta_k of (-v_j - w_j x e): -(v' + w' x e + w_j x de_k), primes being db."""
    total = 0.0
    for i in range(3):
        p, q = (i + 1) % 3, (i + 2) % 3
        value = db_in[3 + i] + db_in[p] * e_in[3 + q] - db_in[q] * e_in[3 + p]
        value += b_in[p] * de_in[3 + q] - b_in[q] * de_in[3 + p]
        total -= lam_in[3 + i] * value
    return total


@kernel
def over_lengths(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    place_in: Ints,
    theta_in: Floats,
    steps_work: Floats,
    values_work: Floats,
    LK_work: Floats,
    g_io: Floats,
    H_io: Floats,
) -> bool:
    """Turn gradient and Hessian over variables into those over lengths; False if singular."""
    n = path_i[1]
    L, K, T = LK_work[0], LK_work[1], LK_work[2]
    for row in range(n):
        act = path_i[4 + MAX_BLOCKS + N + row]
        ok, values_work[row] = length(link_i, link_f, act, theta_in, steps_work[row])
        if not ok:
            return False
        for col in range(n):
            L[row, col] = 0.0
        ai = link_i[ACTS_I] + ACT_I * act
        for k in range(link_i[ai + 1]):
            var = link_i[link_i[STEPS_I] + STEP_I * (link_i[ai] + k) + 1]
            L[row, place_in[var]] += steps_work[row, k, 5]
    if not invert(L, n, T, K):
        return False
    for i in range(n):
        total = 0.0
        for k in range(n):
            total += K[k, i] * g_io[k]
        values_work[N + i] = total
    for row in range(n):
        act = path_i[4 + MAX_BLOCKS + N + row]
        add_length_curvature(
            link_i, link_f, act, values_work[row], steps_work[row], place_in,
            -values_work[N + row], H_io,
        )  # fmt: skip
    for i in range(n):
        g_io[i] = values_work[N + i]
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += H_io[i, k] * K[k, j]
            T[i, j] = total
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += K[k, i] * T[k, j]
            H_io[i, j] = total
    return True


@kernel
def invert(A: Floats, n: int, work: Floats, out: Floats) -> bool:
    """Out = A^-1 for the first n rows and columns; False if singular."""
    if n == 1:
        out[0, 0] = 1.0 / A[0, 0]
        return A[0, 0] != 0.0
    if n == 2:
        det = A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]
        if det == 0.0:
            return False
        out[0, 0], out[0, 1] = A[1, 1] / det, -A[0, 1] / det
        out[1, 0], out[1, 1] = -A[1, 0] / det, A[0, 0] / det
        return True
    for col in range(n):
        for i in range(n):
            for j in range(n):
                work[i, j] = A[i, j]
            work[i, n] = 1.0 if i == col else 0.0
        if not eliminate(work, n):
            return False
        for i in range(n):
            out[i, col] = work[i, n]
    return True


@kernel
def box_step(
    n: int,
    g_in: Floats,
    H_in: Floats,
    low_in: Floats,
    high_in: Floats,
    damping: float,
    A_work: Floats,
    held_work: Ints,
    d_out: Floats,
) -> bool:
    """Minimise g.d + 1/2 d.(H + damping 1).d inside low <= d <= high, by an active set.

    Unknowns at a bound whose gradient pushes outwards are held. The rest is solved; one that
    leaves its bounds is held there, the one farthest out first, and the rest is solved again.
    False if the matrix of the free ones is not positive definite.
    """
    for i in range(n):
        d_out[i] = 0.0
        held_work[i] = 0
        if (low_in[i] >= 0.0 and g_in[i] > 0.0) or (high_in[i] <= 0.0 and g_in[i] < 0.0):
            held_work[i] = 1
            d_out[i] = low_in[i] if g_in[i] > 0.0 else high_in[i]
    for _ in range(n + 1):
        m = 0
        for i in range(n):
            if held_work[i]:
                continue
            held_work[N + m] = i
            m += 1
        if m == 0:
            return True
        for a in range(m):
            i = held_work[N + a]
            right = -g_in[i]
            for j in range(n):
                if held_work[j]:
                    right -= H_in[i, j] * d_out[j]
            for b in range(m):
                A_work[a, b] = H_in[i, held_work[N + b]]
            A_work[a, a] += damping
            A_work[a, m] = right
        if not positive(A_work, m):
            return False
        worst, out = 1e-15, -1
        for a in range(m):
            i = held_work[N + a]
            d_out[i] = A_work[a, m]
            beyond = max(d_out[i] - high_in[i], low_in[i] - d_out[i])
            if beyond > worst:
                worst, out = beyond, i
        if out < 0:
            return True
        held_work[out] = 1
        d_out[out] = high_in[out] if d_out[out] > high_in[out] else low_in[out]
    return True


@kernel
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


@kernel
def views(work: Floats, n_vars: int, n_acts: int) -> tuple[Floats, ...]:
    """Scratch memory cut into named parts, see `minimise`."""
    at = 0
    theta = work[at : at + n_vars]
    at += n_vars
    all_lengths = work[at : at + n_acts]
    at += n_acts
    small = work[at : at + 8 * N].reshape(8, N)
    at += 8 * N
    H = work[at : at + N * N].reshape(N, N)
    at += N * N
    matrices = work[at : at + 4 * N * (N + 1)].reshape(4, N, N + 1)
    at += 4 * N * (N + 1)
    chains = work[at : at + N * STEPS_SIZE].reshape(N, MAX_STEPS + 1, 6)
    at += N * STEPS_SIZE
    block_A = work[at : at + MAX * (MAX + 1)].reshape(MAX, MAX + 1)
    at += MAX * (MAX + 1)
    X = work[at : at + 36].reshape(3, 3, 4)
    at += 36
    twists = work[at : at + 2 * MAX_PATH * 6].reshape(2, MAX_PATH, 6)
    at += 2 * MAX_PATH * 6
    bodies = work[at : at + 4 * MAX_PATH * 6].reshape(4, MAX_PATH, 6)
    at += 4 * MAX_PATH * 6
    e = work[at : at + 6]
    return theta, all_lengths, small, H, matrices, chains, block_A, X, twists, bodies, e


@kernel
def work_size(n_vars: int, n_acts: int) -> int:
    """Doubles of scratch memory that the solver needs."""
    return (
        n_vars + n_acts + 8 * N + N * N + 4 * N * (N + 1) + N * STEPS_SIZE
        + MAX * (MAX + 1) + 36 + 6 * MAX_PATH * 6 + 6 + 16 * N
    )  # fmt: skip


@kernel
def evaluate(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    path_f: Floats,
    place_in: Ints,
    Y_in: Floats,
    weights_in: Floats,
    parts: tuple[Floats, ...],
) -> tuple[bool, float]:
    """F at the variables in `parts`, with gradient and Hessian over the lengths."""
    theta, _, small, H, matrices, chains, _, X, twists, bodies, e = parts
    if not pose_and_twists(
        link_i, link_f, path_i, path_f, theta, X[1:], X[0], twists[0], twists[1]
    ):
        return False, math.inf
    error(X[0], Y_in, path_i[3], e)
    derivatives(
        path_i, weights_in, place_in, X[0], twists[0], twists[1], e, bodies, small[0], H
    )
    ok = over_lengths(
        link_i, link_f, path_i, place_in, theta, chains, small[6:].reshape(2 * N), matrices,
        small[0], H,
    )  # fmt: skip
    return ok, half_square(e, weights_in)


@kernel
def go_to(
    link_i: Ints, link_f: Floats, path_i: Ints, l_in: Floats, parts: tuple[Floats, ...]
) -> bool:
    """Set the variables of the relevant blocks for the lengths of the relevant groups."""
    theta, all_lengths, _, _, _, chains, block_A, _, _, _, _ = parts
    for i in range(path_i[1]):
        all_lengths[path_i[4 + MAX_BLOCKS + N + i]] = l_in[i]
    for k in range(path_i[2]):
        if (
            solve_block(
                link_i, link_f, path_i[4 + k], all_lengths, theta, chains[0], block_A
            )
            != SOLVED
        ):
            return False
    return True


@kernel
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
    parts: tuple[Floats, ...],
    l_io: Floats,
) -> tuple[int, float, int]:
    """Bound-constrained Newton from l_io: (status, f, steps).

    The Hessian is the true one, damped where it is not positive definite or where a step did not
    lessen f. After an undamped step below 1e-7 m the next one would be of the order of its
    square: it ends there.
    """
    _, _, small, H, matrices, _, _, _, _, _, _ = parts
    g, d, low, high, l_trial = small[0], small[1], small[2], small[3], small[4]
    n = path_i[1]
    if not go_to(link_i, link_f, path_i, l_io, parts):
        return NO_START, math.inf, 0
    ok, f = evaluate(link_i, link_f, path_i, path_f, place_in, Y_in, weights_in, parts)
    if not ok:
        return NO_START, math.inf, 0
    damping = 0.0
    for step in range(max_steps):
        if f < 1e-24:
            return CONVERGED, f, step
        scale = 1e-12
        for i in range(n):
            low[i], high[i] = bounds_in[0, i] - l_io[i], bounds_in[1, i] - l_io[i]
            scale = max(scale, abs(H[i, i]))
        while not box_step(n, g, H, low, high, damping, matrices[3], held_work, d):
            damping = max(4.0 * damping, 1e-3 * scale)
        size, expected = 0.0, 0.0
        for i in range(n):
            size = max(size, abs(d[i]))
            expected -= g[i] * d[i]
            for j in range(n):
                expected -= 0.5 * d[i] * H[i, j] * d[j]
            l_trial[i] = min(max(l_io[i] + d[i], bounds_in[0, i]), bounds_in[1, i])
        if size < 1e-12:
            return CONVERGED, f, step
        ok = go_to(link_i, link_f, path_i, l_trial, parts)
        f_trial = math.inf
        if ok:
            ok, f_trial = evaluate(
                link_i, link_f, path_i, path_f, place_in, Y_in, weights_in, parts
            )
        if ok and f_trial < f:
            gain = (f - f_trial) / expected if expected > 0.0 else 1.0
            for i in range(n):
                l_io[i] = l_trial[i]
            small_step = size < 1e-7 and damping == 0.0
            done = f - f_trial < 1e-15 * f
            f = f_trial
            if small_step or done:
                return CONVERGED, f, step + 1
            if gain > 0.75:
                damping = 0.25 * damping if damping > 1e-6 * scale else 0.0
            elif gain < 0.25:
                damping = max(2.0 * damping, 1e-3 * scale)
        else:
            if size < 1e-9:
                go_to(link_i, link_f, path_i, l_io, parts)
                return CONVERGED, f, step + 1
            damping = max(4.0 * damping, 1e-3 * scale)
            go_to(link_i, link_f, path_i, l_io, parts)
            evaluate(link_i, link_f, path_i, path_f, place_in, Y_in, weights_in, parts)
    return OUT_OF_STEPS, f, max_steps


@kernel
def best_seed(
    path_i: Ints,
    bounds_in: Floats,
    seeds_in: Floats,
    Y_in: Floats,
    weights_in: Floats,
    tried_in: Floats,
    n_tried: int,
    e_work: Floats,
) -> int:
    """The seed with the least f that is not near a point tried before; -1 if there is none."""
    n = path_i[1]
    best, least = -1, math.inf
    for seed in range(seeds_in.shape[0]):
        near = False
        for t in range(n_tried):
            far = 0.0
            for i in range(n):
                wide = bounds_in[1, i] - bounds_in[0, i]
                far = max(far, abs(seeds_in[seed, i] - tried_in[t, i]) / wide)
            near = near or far < 0.3
        if near:
            continue
        error(seeds_in[seed, N:].reshape(3, 4), Y_in, path_i[3], e_work)
        f = half_square(e_work, weights_in)
        if f < least:
            best, least = seed, f
    return best


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
    return det > 0.0 and last


@kernel
def inverse(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    path_f: Floats,
    bounds_in: Floats,
    seeds_in: Floats,
    Y_in: Floats,
    weights_in: Floats,
    q_in: Floats,
    restarts: int,
    iwork: Ints,
    work: Floats,
    q_out: Floats,
) -> tuple[int, float, int]:
    """Joint positions that bring the link nearest to Y_in: (status, f, steps).

    From `q_in` first, its lengths moved into the bounds. If that does not reach the target, from up to `restarts` seeds more:
    places of a coarse grid over the lengths, the best for this target first, away from where a
    minimum was found already. The least f wins.
    """
    n_vars, n_acts, n = link_i[N_VARS], link_i[N_ACTS], path_i[1]
    if not is_pose(Y_in):
        return NOT_A_POSE, math.inf, 0
    place, held = iwork[:n_vars], iwork[n_vars:]
    parts = views(work, n_vars, n_acts)
    theta, small, chains, e = parts[0], parts[2], parts[5], parts[10]
    l_now = small[5]
    tried = work[work.shape[0] - 16 * N :].reshape(16, N)
    for var in range(n_vars):
        place[var] = -1
    for i in range(n):
        place[path_i[4 + MAX_BLOCKS + i]] = i
    start(link_i, link_f, q_in, theta)
    for i in range(n):
        act = path_i[4 + MAX_BLOCKS + N + i]
        _, l = length(link_i, link_f, act, theta, chains[0])
        l_now[i] = min(max(l, bounds_in[0, i]), bounds_in[1, i])
    status, f, total = minimise(
        link_i, link_f, path_i, path_f, bounds_in, place, held, Y_in, weights_in, 60, parts, l_now
    )
    for i in range(n):
        tried[0, i] = l_now[i]
    count, best = 1, 0
    for _ in range(restarts):
        if f < 1e-17:
            break
        seed = best_seed(path_i, bounds_in, seeds_in, Y_in, weights_in, tried, count, e)
        if seed < 0:
            break
        for i in range(n):
            l_now[i] = seeds_in[seed, i]
        other, f_other, steps = minimise(
            link_i, link_f, path_i, path_f, bounds_in, place, held, Y_in, weights_in, 60, parts,
            l_now,
        )  # fmt: skip
        total += steps
        for i in range(n):
            tried[count, i] = l_now[i]
            tried[count + 1, i] = seeds_in[seed, i]
        if f_other < f:
            best, f, status = count, f_other, other
        count += 2
    for i in range(n):
        l_now[i] = tried[best, i]
    if not go_to(link_i, link_f, path_i, l_now, parts):
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
    bounds_in: Floats,
    seeds_in: Floats,
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
            link_i, link_f, path_i, path_f, bounds_in, seeds_in, Y_in[i], weights_in, q_start,
            restarts, iwork, work, q_out[i],
        )  # fmt: skip
        f_out[i] = f
        status_out[i, 0], status_out[i, 1] = status, steps
