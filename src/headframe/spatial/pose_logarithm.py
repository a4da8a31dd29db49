"""Kernels of the logarithm of a pose and of its first and second derivatives.

A pose is an array of 3x4 or 4x4 whose upper three rows are used. A 6-vector is angular first:
e = (omega, rho), with phi = |omega| [rad] the angle of its rotation. The bracket of two of them,
[e, x] = (omega x x_w, omega x x_v + rho x x_w), is linear in x; its matrix is called ad.

Moving the pose exp(e) by exp(s a) from the left moves its logarithm at the rate
Jl^-1(e) a = ad / (exp(ad) - 1) a, the left Jacobian's inverse. Since z / (exp(z) - 1) is
-z/2 + 1 + G(z^2) with G(y) = sqrt(y)/2 coth(sqrt(y)/2) - 1, and since ad (ad^2 + phi^2)^2 = 0,

    Jl^-1(e) = 1 - ad/2 + c2 ad^2 + c4 ad^4,

where c2 y + c4 y^2 has the value and the slope of G at the double root y = -phi^2. The powers are
not multiplied out. By a x (b x c) = b (a.c) - c (a.b),

    ad^2 x = (omega (omega.x_w) - phi^2 x_w,
              omega (omega.x_v + rho.x_w) + rho (omega.x_w) - phi^2 x_v - 2 (omega.rho) x_w),
    ad^4 x = -phi^2 ad^2 x - 2 (omega.rho) (0, (ad^2 x)_w),

the second line from [omega]x^3 = -phi^2 [omega]x for omega + eps rho with eps^2 = 0.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import inlined_kernel, kernel

Floats = NDArray[np.float64]

FULL_TURN2 = 4.0 * math.pi**2
# 2 sum over n >= 3 of n^-(2k+2), for k = 0, 1, ..., 11
FAR_POLES = np.array(
    [
        7.898681336964529e-01,
        3.9646467422276385e-02,
        3.4361239688982794e-03,
        3.4221239588867877e-04,
        3.6025255636170674e-05,
        3.8918566160965975e-06,
        4.259576174096585e-07,
        4.6940692303743465e-08,
        5.191998749679713e-09,
        5.754349330922263e-10,
        6.384725234098001e-11,
        7.0885517377092245e-12,
    ]
)


@kernel
def pose_log(X_in: Floats, Y_in: Floats, e_out: Floats) -> None:
    """Logarithm of X^-1 Y, (6,), angular first [rad, m]; the angle is in [0, pi].

    With R = R_X^T R_Y and p = R_X^T (p_Y - p_X): the quaternion (w, v) of R, up to a factor, is
    that row of the matrix 4 q q^T whose diagonal element is the largest, so that nothing small
    divides. For w >= 0 the half angle h is atan2(|v|, w) and the axis u = v / |v|. Then
    omega = 2 h u and rho = p - h u x p + (1 - h cot h) u x (u x p), where cot h = w / |v|. The
    last factor is small with h, and its rounding is no more than that of p itself. At half a turn
    both signs of u are right; the one whose largest component is positive is taken.
    """
    a00, a01, a02 = X_in[0, 0], X_in[0, 1], X_in[0, 2]
    a10, a11, a12 = X_in[1, 0], X_in[1, 1], X_in[1, 2]
    a20, a21, a22 = X_in[2, 0], X_in[2, 1], X_in[2, 2]
    b00, b01, b02 = Y_in[0, 0], Y_in[0, 1], Y_in[0, 2]
    b10, b11, b12 = Y_in[1, 0], Y_in[1, 1], Y_in[1, 2]
    b20, b21, b22 = Y_in[2, 0], Y_in[2, 1], Y_in[2, 2]
    d0, d1, d2 = Y_in[0, 3] - X_in[0, 3], Y_in[1, 3] - X_in[1, 3], Y_in[2, 3] - X_in[2, 3]
    r00 = a00 * b00 + a10 * b10 + a20 * b20
    r01 = a00 * b01 + a10 * b11 + a20 * b21
    r02 = a00 * b02 + a10 * b12 + a20 * b22
    r10 = a01 * b00 + a11 * b10 + a21 * b20
    r11 = a01 * b01 + a11 * b11 + a21 * b21
    r12 = a01 * b02 + a11 * b12 + a21 * b22
    r20 = a02 * b00 + a12 * b10 + a22 * b20
    r21 = a02 * b01 + a12 * b11 + a22 * b21
    r22 = a02 * b02 + a12 * b12 + a22 * b22
    p0 = a00 * d0 + a10 * d1 + a20 * d2
    p1 = a01 * d0 + a11 * d1 + a21 * d2
    p2 = a02 * d0 + a12 * d1 + a22 * d2
    # which of |w|, |x|, |y|, |z| is the largest shows in the trace and the diagonal
    trace = r00 + r11 + r22
    if trace >= r00 and trace >= r11 and trace >= r22:
        w, x, y, z = 1.0 + trace, r21 - r12, r02 - r20, r10 - r01
    elif r00 >= r11 and r00 >= r22:
        w, x, y, z = r21 - r12, 1.0 + r00 - r11 - r22, r10 + r01, r02 + r20
    elif r11 >= r22:
        w, x, y, z = r02 - r20, r10 + r01, 1.0 - r00 + r11 - r22, r21 + r12
    else:
        w, x, y, z = r10 - r01, r02 + r20, r21 + r12, 1.0 - r00 - r11 + r22
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    n2 = x * x + y * y + z * z
    if n2 < 1e-16 * w * w:  # h = |v| / w and h cot h = 1, both to within h^2 / 3 < 4e-17
        half, bend = 1.0 / w, 0.0
    else:
        n = math.sqrt(n2)
        angle = math.atan2(n, w)
        half, bend = angle / n, (1.0 - angle * w / n) / n2
    along = bend * (x * p0 + y * p1 + z * p2)
    straight = 1.0 - bend * n2
    e_out[0] = 2.0 * half * x
    e_out[1] = 2.0 * half * y
    e_out[2] = 2.0 * half * z
    e_out[3] = straight * p0 + along * x - half * (y * p2 - z * p1)
    e_out[4] = straight * p1 + along * y - half * (z * p0 - x * p2)
    e_out[5] = straight * p2 + along * z - half * (x * p1 - y * p0)


@inlined_kernel
def log_coefficients(phi2: float) -> tuple[float, float, float, float]:
    """(c2, c4, dc2, dc4) of phi^2 < (2 pi)^2, where dc = dc/dphi / phi.

    Let s = phi^2 and g(s) = (1 - phi/2 cot(phi/2)) / s, so that G(y) = y g(-y). Matching value and
    slope at y = -s gives c4 = -g' and c2 = g - s g', and with d/dphi / phi = 2 d/ds it follows
    that dc4 = -2 g'' and dc2 = s dc4. The cotangent's partial fractions give
    g = 2 sum over n >= 1 of 1 / ((2 pi n)^2 - s). The two poles nearest to 0 are kept; all others
    together are a power series in x = s / (2 pi)^2 that falls by (x/9) a term. Nothing is
    subtracted that nearly cancels, so there is no case of its own for small angles; the relative
    error is some 1e-15 up to half a turn and below 1e-13 up to 6 rad.
    """
    x = phi2 / FULL_TURN2
    q0, q1, q2 = 0.0, 0.0, 0.0  # the series, its slope and half of its second derivative
    for k in range(11, -1, -1):
        q2 = q2 * x + q1
        q1 = q1 * x + q0
        q0 = q0 * x + FAR_POLES[k]
    near, next_ = 1.0 / (1.0 - x), 1.0 / (4.0 - x)
    near2, next2 = near * near, next_ * next_
    g = (2.0 * (near + next_) + q0) / FULL_TURN2
    g1 = (2.0 * (near2 + next2) + q1) / FULL_TURN2**2
    g2 = (4.0 * (near2 * near + next2 * next_) + 2.0 * q2) / FULL_TURN2**3
    dc4 = -2.0 * g2
    return g - phi2 * g1, -g1, phi2 * dc4, dc4


@inlined_kernel
def log_rates(e_in: Floats, a_in: Floats, c2: float, c4: float, de_out: Floats) -> None:
    """Derivative of log(exp(s a) exp(e)) at s = 0, which is Jl^-1(e) a, (6,).

    c2 and c4 are those of `log_coefficients`. With the powers of ad above, the factor of ad^2 x is
    c2 - phi^2 c4, and the linear part has -2 (omega.rho) c4 (ad^2 x)_w besides. `de_out` may be
    `a_in`.
    """
    wx, wy, wz, rx, ry, rz = e_in[0], e_in[1], e_in[2], e_in[3], e_in[4], e_in[5]
    bx, by, bz, cx, cy, cz = a_in[0], a_in[1], a_in[2], a_in[3], a_in[4], a_in[5]
    phi2 = wx * wx + wy * wy + wz * wz
    pitch = wx * rx + wy * ry + wz * rz
    wb = wx * bx + wy * by + wz * bz
    mixed = wx * cx + wy * cy + wz * cz + rx * bx + ry * by + rz * bz
    g = c2 - phi2 * c4
    twisted = -2.0 * pitch * c4
    keep = 1.0 - g * phi2  # factor of b in the angular part, of c in the linear part
    lose = -2.0 * pitch * g - twisted * phi2  # factor of b in the linear part
    gwb = g * wb
    turn = g * mixed + twisted * wb
    de_out[0] = keep * bx + gwb * wx - 0.5 * (wy * bz - wz * by)
    de_out[1] = keep * by + gwb * wy - 0.5 * (wz * bx - wx * bz)
    de_out[2] = keep * bz + gwb * wz - 0.5 * (wx * by - wy * bx)
    de_out[3] = (
        keep * cx + lose * bx + turn * wx + gwb * rx - 0.5 * (wy * cz - wz * cy + ry * bz - rz * by)
    )
    de_out[4] = (
        keep * cy + lose * by + turn * wy + gwb * ry - 0.5 * (wz * cx - wx * cz + rz * bx - rx * bz)
    )
    de_out[5] = (
        keep * cz + lose * bz + turn * wz + gwb * rz - 0.5 * (wx * cy - wy * cx + rx * by - ry * bx)
    )


@inlined_kernel
def log_curvature(
    e_in: Floats,
    lambda_in: Floats,
    a_in: Floats,
    c2: float,
    c4: float,
    dc2: float,
    dc4: float,
    n_out: Floats,
) -> None:
    """Gradient with respect to e of lambda . (Jl^-1(e) a), (6,).

    With lambda = (l, m), a = (b, c), and the two scalars

        T = lambda . ad^2 a = (l.omega)(omega.b) + (m.omega)(omega.c + rho.b) + (m.rho)(omega.b)
                              - phi^2 (l.b + m.c) - 2 (omega.rho)(m.b),
        U = m . (ad^2 a)_w  = (m.omega)(omega.b) - phi^2 (m.b),

    lambda . ad^4 a is B = -phi^2 T - 2 (omega.rho) U, and

        gradient = -1/2 (b x l + c x m, b x m) + (c2 - phi^2 c4) grad T
                   - 2 c4 (U grad(omega.rho) + (omega.rho) grad U)
                   + (dc2 T + dc4 B - 2 c4 T) (omega, 0),

    the last line from grad c = dc (omega, 0) and grad phi^2 = 2 (omega, 0). In it
    grad(omega.rho) = (rho, omega), grad U = (k, 0), and grad T = (k', k) with
    k = m (omega.b) + b (m.omega) - 2 (m.b) omega.

    The second derivative of lambda . log(exp(s a_i + t a_j) exp(e)) by s and t at 0 is
    (n_j . de_i + n_i . de_j) / 2, with n of this kernel and de of `log_rates`: along s (a_i + a_j)
    the logarithm obeys e' = Jl^-1(e) a, and the second derivative is a quadratic form in a.
    """
    wx, wy, wz, rx, ry, rz = e_in[0], e_in[1], e_in[2], e_in[3], e_in[4], e_in[5]
    lx, ly, lz = lambda_in[0], lambda_in[1], lambda_in[2]
    mx, my, mz = lambda_in[3], lambda_in[4], lambda_in[5]
    bx, by, bz, cx, cy, cz = a_in[0], a_in[1], a_in[2], a_in[3], a_in[4], a_in[5]
    phi2 = wx * wx + wy * wy + wz * wz
    pitch = wx * rx + wy * ry + wz * rz
    wb = wx * bx + wy * by + wz * bz
    wl = wx * lx + wy * ly + wz * lz
    wm = wx * mx + wy * my + wz * mz
    rm = rx * mx + ry * my + rz * mz
    mb = mx * bx + my * by + mz * bz
    diagonal = lx * bx + ly * by + lz * bz + mx * cx + my * cy + mz * cz
    mixed = wx * cx + wy * cy + wz * cz + rx * bx + ry * by + rz * bz
    T = wl * wb + wm * mixed + rm * wb - phi2 * diagonal - 2.0 * pitch * mb
    U = wm * wb - phi2 * mb
    g = c2 - phi2 * c4
    twisted = -2.0 * pitch * c4
    # factors of l, m, b, c, omega and rho in the angular part
    f_l = g * wb
    f_m = g * mixed + twisted * wb
    f_b = g * (wl + rm) + twisted * wm
    f_c = g * wm
    f_r = -2.0 * (g * mb + c4 * U)
    f_w = (
        (dc2 - 2.0 * c4) * T
        - dc4 * (phi2 * T + 2.0 * pitch * U)
        - 2.0 * (g * diagonal + twisted * mb)
    )
    n_out[0] = (
        f_l * lx + f_m * mx + f_b * bx + f_c * cx + f_r * rx + f_w * wx
        - 0.5 * (by * lz - bz * ly + cy * mz - cz * my)
    )  # fmt: skip
    n_out[1] = (
        f_l * ly + f_m * my + f_b * by + f_c * cy + f_r * ry + f_w * wy
        - 0.5 * (bz * lx - bx * lz + cz * mx - cx * mz)
    )  # fmt: skip
    n_out[2] = (
        f_l * lz + f_m * mz + f_b * bz + f_c * cz + f_r * rz + f_w * wz
        - 0.5 * (bx * ly - by * lx + cx * my - cy * mx)
    )  # fmt: skip
    # the linear part has the factors of m and b that l and c have above, and that of rho
    n_out[3] = f_l * mx + f_c * bx + f_r * wx - 0.5 * (by * mz - bz * my)
    n_out[4] = f_l * my + f_c * by + f_r * wy - 0.5 * (bz * mx - bx * mz)
    n_out[5] = f_l * mz + f_c * bz + f_r * wz - 0.5 * (bx * my - by * mx)


def warm_up() -> None:
    """Compile the kernels for writable, contiguous arrays of float64."""
    X, e, n = np.eye(4), np.zeros(6), np.zeros(6)
    pose_log(X, X, e)
    c2, c4, dc2, dc4 = log_coefficients(0.0)
    log_rates(e, np.ones(6), c2, c4, n)
    log_curvature(e, np.ones(6), np.ones(6), c2, c4, dc2, dc4, n)
