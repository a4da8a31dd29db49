"""Kernels of l(theta): four-bars as circle intersections, cylinders as chains of plane motions.

Everything is written relative to the home pose, where all variables are 0. In a plane with a
fixed normal a rigid motion is z -> u z + t with complex u, |u| = 1. The motion of a cylinder's
rod mount, seen from the link that carries its tube, is the product of the motions of the freedoms
between the two links, each about its place at home (product of exponentials), so

    l^2 = |M_1 M_2 ... M_k r - t|^2 + h^2,

t and r being the mounts in the plane at home and h their distance along the normal, which no
motion in the plane changes.

A linkage arrives as two arrays, made by `packing`. `link_i` starts with a header of where the
tables begin; the tables' fields are listed below, each record of a table having STRIDE numbers.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined_kernel, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# header of link_i
N_VARS, N_BARS, N_ACTS, N_BLOCKS = 0, 1, 2, 3
VARS_I, BARS_I, ACTS_I, STEPS_I, BLOCKS_I = 4, 5, 6, 7, 8
VARS_F, BARS_F, ACTS_F, STEPS_F = 9, 10, 11, 12
N_MOTIONS, MOTIONS_I = 13, 14
HEADER = 16

# variables: [kind, position in q or -1, four-bar, 1 if cylinders set it]; [value at home, sign of
# the joint's axis]
VAR_I, VAR_F = 4, 2
TURNING, SLIDING, RING = 0, 1, 2

# four-bars: three tree joints as [position in q, from member, to member], then the variable;
# [pivots xy, yz, zw, wx as re, im; |yz zw|^2, |wx zw|^2, side], then for every tree joint
# [value at home, sign of its axis, middle of its range]
BAR_I, BAR_F = 10, 20
BAR_VARIABLE, BAR_JOINTS_F = 9, 11

# actuators: [first step, number of steps, first member of the group, 1 if its twin];
# [tube re, im, rod re, im, h^2, lower, upper, then of a partner: lower and upper length of its
# first member up to which the partner stays inside its bounds]
ACT_I, ACT_F = 4, 9

# steps: [kind, variable, enter, leave, motion], [pivot or direction re, im, sign]
STEP_I, STEP_F = 5, 3
MAX_STEPS = 16

# motions: steps that are alike, as the legs of a support are, are one motion: [a step of it]. Its
# numbers: u, t, t', t'' as re, im, the turning rate w and its rate a
MOTION_F = 10


@inlined_kernel
def ring(link_f: Floats, at: int, theta: float) -> tuple[bool, complex, complex, complex]:
    """Rotations u_y, u_z, u_w of a four-bar's members relative to member x, from home.

    Member y turns by theta about the pivot xy. The pivot zw lies on the circles about the pivots
    yz (carried by y) and wx (fixed in x), on the side of the line between them where it is at
    home. False where the circles do not meet.
    """
    A = complex(link_f[at], link_f[at + 1])
    B0 = complex(link_f[at + 2], link_f[at + 3])
    C0 = complex(link_f[at + 4], link_f[at + 5])
    D = complex(link_f[at + 6], link_f[at + 7])
    r1, r2, side = link_f[at + 8], link_f[at + 9], link_f[at + 10]
    u_y = complex(math.cos(theta), math.sin(theta))
    B = A + u_y * (B0 - A)
    BD = D - B
    d2 = BD.real * BD.real + BD.imag * BD.imag
    if d2 <= 0.0:
        return False, u_y, u_y, u_y
    along = 0.5 * (1.0 + (r1 - r2) / d2)
    h2 = r1 / d2 - along * along
    if h2 <= 0.0:
        return False, u_y, u_y, u_y
    BC = BD * complex(along, side * math.sqrt(h2))
    u_z = BC * ((C0 - B0).conjugate() * (1.0 / r1))
    u_w = (BC - BD) * ((C0 - D).conjugate() * (1.0 / r2))
    return True, u_y, u_z, u_w


@inlined_kernel
def ring_rates(
    link_f: Floats, at: int, u_y: complex, u_z: complex, u_w: complex
) -> tuple[float, float, float, float]:
    """Turning rates of members z and w per turn of y, and the rates of those: (wz, ww, az, aw).

    With b, c, d the links y, z, w as vectors (pivot xy to yz, yz to zw, wx to zw) the loop is
    b + c = d + constant. Its derivative, b + wz c = ww d, crossed with d and with c gives the
    rates; the next one, az c - aw d = -i (b + wz^2 c - ww^2 d), theirs.
    """
    A = complex(link_f[at], link_f[at + 1])
    B0 = complex(link_f[at + 2], link_f[at + 3])
    C0 = complex(link_f[at + 4], link_f[at + 5])
    D = complex(link_f[at + 6], link_f[at + 7])
    b, c, d = u_y * (B0 - A), u_z * (C0 - B0), u_w * (C0 - D)
    cd = c.real * d.imag - c.imag * d.real
    wz = -(b.real * d.imag - b.imag * d.real) / cd
    ww = -(b.real * c.imag - b.imag * c.real) / cd
    k = b + wz * wz * c - ww * ww * d
    k = complex(k.imag, -k.real)  # -i k
    az = (k.real * d.imag - k.imag * d.real) / cd
    aw = (k.real * c.imag - k.imag * c.real) / cd
    return wz, ww, az, aw


@inlined_kernel
def member(
    link_f: Floats,
    at: int,
    index: int,
    u_y: complex,
    u_z: complex,
    u_w: complex,
    rates: tuple[float, float, float, float],
) -> tuple[complex, complex, complex, complex, float, float]:
    """Motion (u, t) of a member relative to x, the rates t', t'' of t, and its turning rates.

    Members y and w turn about fixed pivots P, so t = (1 - u) P. Member z carries the pivot zw
    with w: its image C moves about the pivot wx, and t = C - u C0.
    """
    zero = complex(0.0, 0.0)
    if index == 0:
        return complex(1.0, 0.0), zero, zero, zero, 0.0, 0.0
    if index == 1:
        P = complex(link_f[at], link_f[at + 1])
        turned = u_y * P
        return u_y, P - turned, complex(turned.imag, -turned.real), turned, 1.0, 0.0
    wz, ww, az, aw = rates
    D = complex(link_f[at + 6], link_f[at + 7])
    if index == 3:
        turned = u_w * D
        rate = complex(turned.imag * ww, -turned.real * ww)
        second = turned * complex(ww * ww, -aw)
        return u_w, D - turned, rate, second, ww, aw
    C0 = complex(link_f[at + 4], link_f[at + 5])
    d = u_w * (C0 - D)
    turned = u_z * C0
    rate = complex(0.0, ww) * d - complex(0.0, wz) * turned
    second = complex(-ww * ww, aw) * d - complex(-wz * wz, az) * turned
    return u_z, D + d - turned, rate, second, wz, az


@kernel
def ring_step(
    link_f: Floats, at: int, enter: int, leave: int, theta: float
) -> tuple[bool, complex, complex, complex, complex, float, float]:
    """Motion of member `leave` seen from member `enter`: (ok, u, t, t', t'', w, a).

    With (u1, t1) and (u2, t2) relative to x it is u = conj(u1) u2, t = conj(u1) (t2 - t1). The
    primes are derivatives with respect to theta; u' = i w u and w' = a.
    """
    ok, u_y, u_z, u_w = ring(link_f, at, theta)
    if not ok:
        return False, u_y, u_y, u_y, u_y, 0.0, 0.0
    rates = ring_rates(link_f, at, u_y, u_z, u_w)
    u2, t2, dt2, ddt2, w2, a2 = member(link_f, at, leave, u_y, u_z, u_w, rates)
    if enter == 0:
        return True, u2, t2, dt2, ddt2, w2, a2
    u1, t1, dt1, ddt1, w1, a1 = member(link_f, at, enter, u_y, u_z, u_w, rates)
    back = u1.conjugate()
    t, dt, ddt = t2 - t1, dt2 - dt1, ddt2 - ddt1
    rate = back * (dt - complex(0.0, w1) * t)
    second = back * (ddt - complex(0.0, 2.0 * w1) * dt - complex(w1 * w1, a1) * t)
    return True, back * u2, back * t, rate, second, w2 - w1, a2 - a1


@inlined_kernel
def ring_turn(
    link_f: Floats, at: int, enter: int, leave: int, theta: float
) -> tuple[bool, complex, complex, complex, float]:
    """`ring_step` without second derivatives: (ok, u, t, t', w)."""
    ok, u_y, u_z, u_w = ring(link_f, at, theta)
    if not ok:
        return False, u_y, u_y, u_y, 0.0
    A = complex(link_f[at], link_f[at + 1])
    B0 = complex(link_f[at + 2], link_f[at + 3])
    C0 = complex(link_f[at + 4], link_f[at + 5])
    D = complex(link_f[at + 6], link_f[at + 7])
    b, c, d = u_y * (B0 - A), u_z * (C0 - B0), u_w * (C0 - D)
    cd = 1.0 / (c.real * d.imag - c.imag * d.real)
    wz = -(b.real * d.imag - b.imag * d.real) * cd
    ww = -(b.real * c.imag - b.imag * c.real) * cd
    if enter == 0 and leave == 2:
        turned = u_z * C0
        rate = complex(wz * turned.imag - ww * d.imag, ww * d.real - wz * turned.real)
        return True, u_z, D + d - turned, rate, wz
    rates = (wz, ww, 0.0, 0.0)
    u2, t2, dt2, _, w2, _ = member(link_f, at, leave, u_y, u_z, u_w, rates)
    u1, t1, dt1, _, w1, _ = member(link_f, at, enter, u_y, u_z, u_w, rates)
    back = u1.conjugate()
    t, dt = t2 - t1, dt2 - dt1
    return True, back * u2, back * t, back * (dt - complex(0.0, w1) * t), w2 - w1


@kernel
def move(link_i: Ints, link_f: Floats, motion: int, theta_in: Floats, M_out: Floats) -> bool:
    """Numbers of a motion at the variables: z -> u z + t, its rates, and how fast it turns.

    With u' = i w u and w' = a; a hinge turns about P, so t = (1 - u) P. False where a four-bar
    cannot close.
    """
    step = link_i[link_i[MOTIONS_I] + motion]
    si, sf = link_i[STEPS_I] + STEP_I * step, link_i[STEPS_F] + STEP_F * step
    kind, var = link_i[si], link_i[si + 1]
    x, y, sign = link_f[sf], link_f[sf + 1], link_f[sf + 2]
    at = MOTION_F * motion
    if kind == TURNING:
        angle = sign * theta_in[var]
        c, s = math.cos(angle), math.sin(angle)
        px, py = c * x - s * y, s * x + c * y
        M_out[at], M_out[at + 1] = c, s
        M_out[at + 2], M_out[at + 3] = x - px, y - py
        M_out[at + 4], M_out[at + 5] = sign * py, -sign * px
        M_out[at + 6], M_out[at + 7] = px, py
        M_out[at + 8], M_out[at + 9] = sign, 0.0
        return True
    if kind == SLIDING:
        theta = theta_in[var]
        M_out[at], M_out[at + 1] = 1.0, 0.0
        M_out[at + 2], M_out[at + 3] = theta * sign * x, theta * sign * y
        M_out[at + 4], M_out[at + 5] = sign * x, sign * y
        M_out[at + 6], M_out[at + 7] = 0.0, 0.0
        M_out[at + 8], M_out[at + 9] = 0.0, 0.0
        return True
    bar = link_i[BARS_F] + BAR_F * link_i[link_i[VARS_I] + VAR_I * var + 2]
    ok, u, t, dt, ddt, w, a = ring_step(link_f, bar, link_i[si + 2], link_i[si + 3], theta_in[var])
    M_out[at], M_out[at + 1] = u.real, u.imag
    M_out[at + 2], M_out[at + 3] = t.real, t.imag
    M_out[at + 4], M_out[at + 5] = dt.real, dt.imag
    M_out[at + 6], M_out[at + 7] = ddt.real, ddt.imag
    M_out[at + 8], M_out[at + 9] = w, a
    return ok


@inlined_kernel
def turn(link_i: Ints, link_f: Floats, motion: int, theta_in: Floats, M_out: Floats) -> bool:
    """`move` without second derivatives."""
    si = link_i[STEPS_I] + STEP_I * link_i[link_i[MOTIONS_I] + motion]
    kind, var = link_i[si], link_i[si + 1]
    at = MOTION_F * motion
    if kind != RING:
        return move(link_i, link_f, motion, theta_in, M_out)
    bar = link_i[BARS_F] + BAR_F * link_i[link_i[VARS_I] + VAR_I * var + 2]
    ok, u, t, dt, w = ring_turn(link_f, bar, link_i[si + 2], link_i[si + 3], theta_in[var])
    M_out[at], M_out[at + 1] = u.real, u.imag
    M_out[at + 2], M_out[at + 3] = t.real, t.imag
    M_out[at + 4], M_out[at + 5] = dt.real, dt.imag
    M_out[at + 8] = w
    return ok


@inlined_kernel
def length_rates(link_i: Ints, link_f: Floats, act: int, M_in: Floats, chain_out: Floats) -> float:
    """Length of an actuator [m] and its rates with the steps of its chain, motions being known.

    Back from the rod's mount, p_k = u_k p_(k+1) + t_k. Then forth, with the direction E of the
    cylinder turned into each step's frame: l'_k = E . (i w (p_k - t_k) + t'_k). `chain_out` gets
    l'_k at 6 k + 5; the rest of it is scratch memory.
    """
    ai, af = link_i[ACTS_I] + ACT_I * act, link_i[ACTS_F] + ACT_F * act
    first, count = link_i[ai], link_i[ai + 1]
    x, y = link_f[af + 2], link_f[af + 3]
    for k in range(count - 1, -1, -1):
        at = MOTION_F * link_i[link_i[STEPS_I] + STEP_I * (first + k) + 4]
        c, s = M_in[at], M_in[at + 1]
        x, y = c * x - s * y, s * x + c * y
        chain_out[6 * k], chain_out[6 * k + 1] = x, y
        x += M_in[at + 2]
        y += M_in[at + 3]
    x -= link_f[af]
    y -= link_f[af + 1]
    value = math.sqrt(x * x + y * y + link_f[af + 4])
    x /= value
    y /= value
    for k in range(count):
        at = MOTION_F * link_i[link_i[STEPS_I] + STEP_I * (first + k) + 4]
        w = M_in[at + 8]
        rx = M_in[at + 4] - w * chain_out[6 * k + 1]
        ry = M_in[at + 5] + w * chain_out[6 * k]
        chain_out[6 * k + 5] = x * rx + y * ry
        c, s = M_in[at], M_in[at + 1]
        x, y = c * x + s * y, c * y - s * x
    return value


@inlined_kernel
def length_curves(
    link_i: Ints, link_f: Floats, act: int, M_in: Floats, chain_out: Floats, begin: int
) -> float:
    """As `length_rates`, and what second derivatives are made of.

    `chain_out` gets for step k at begin + 6 k: p'_k, p''_k (re, im), the turning rate w and l'_k,
    in the axes of the tube's link; behind the last step p - t. Mixed derivatives need no room: for
    a step j before k they are i w_j p'_k, since a step turns everything behind it.
    """
    ai, af = link_i[ACTS_I] + ACT_I * act, link_i[ACTS_F] + ACT_F * act
    first, count = link_i[ai], link_i[ai + 1]
    x, y = link_f[af + 2], link_f[af + 3]
    for k in range(count - 1, -1, -1):
        at = MOTION_F * link_i[link_i[STEPS_I] + STEP_I * (first + k) + 4]
        c, s = M_in[at], M_in[at + 1]
        x, y = c * x - s * y, s * x + c * y
        chain_out[begin + 6 * k], chain_out[begin + 6 * k + 1] = x, y
        x += M_in[at + 2]
        y += M_in[at + 3]
    x -= link_f[af]
    y -= link_f[af + 1]
    value = math.sqrt(x * x + y * y + link_f[af + 4])
    chain_out[begin + 6 * count], chain_out[begin + 6 * count + 1] = x, y
    c, s = 1.0, 0.0
    for k in range(count):
        at = MOTION_F * link_i[link_i[STEPS_I] + STEP_I * (first + k) + 4]
        w, a = M_in[at + 8], M_in[at + 9]
        px, py = chain_out[begin + 6 * k], chain_out[begin + 6 * k + 1]
        rx, ry = M_in[at + 4] - w * py, M_in[at + 5] + w * px
        sx = M_in[at + 6] - w * w * px - a * py
        sy = M_in[at + 7] - w * w * py + a * px
        rx, ry = c * rx - s * ry, s * rx + c * ry
        chain_out[begin + 6 * k], chain_out[begin + 6 * k + 1] = rx, ry
        chain_out[begin + 6 * k + 2], chain_out[begin + 6 * k + 3] = (
            c * sx - s * sy,
            s * sx + c * sy,
        )
        chain_out[begin + 6 * k + 4] = w
        chain_out[begin + 6 * k + 5] = (x * rx + y * ry) / value
        uc, us = M_in[at], M_in[at + 1]
        c, s = c * uc - s * us, c * us + s * uc
    return value


@inlined_kernel
def add_length_curvature(
    link_i: Ints,
    act: int,
    value: float,
    chain_in: Floats,
    begin: int,
    place_in: Ints,
    factor: float,
    H_out: Floats,
    at: int,
    stride: int,
) -> None:
    """H += factor * second derivatives of a length, at the variables' places in `place_in`.

    From l^2 = |p - t|^2 + h^2: l'_j l'_k + l l''_jk = p'_j . p'_k + (p - t) . p''_jk.
    `chain_in` is what `length_curves` has found; H begins at `at` and has rows of `stride`.
    """
    ai = link_i[ACTS_I] + ACT_I * act
    first, count = link_i[ai], link_i[ai + 1]
    x, y = chain_in[begin + 6 * count], chain_in[begin + 6 * count + 1]
    scale = factor / value
    for k in range(count):
        c = begin + 6 * k
        var_k = place_in[link_i[link_i[STEPS_I] + STEP_I * (first + k) + 1]]
        px, py, dl = chain_in[c], chain_in[c + 1], chain_in[c + 5]
        own = px * px + py * py + x * chain_in[c + 2] + y * chain_in[c + 3] - dl * dl
        H_out[at + stride * var_k + var_k] += scale * own
        for j in range(k):
            b = begin + 6 * j
            var_j = place_in[link_i[link_i[STEPS_I] + STEP_I * (first + j) + 1]]
            mixed = chain_in[b] * px + chain_in[b + 1] * py - dl * chain_in[b + 5]
            mixed = scale * (mixed + chain_in[b + 4] * (y * px - x * py))
            H_out[at + stride * var_j + var_k] += mixed
            H_out[at + stride * var_k + var_j] += mixed


@kernel
def length(
    link_i: Ints, link_f: Floats, act: int, theta_in: Floats, M_work: Floats, chain_out: Floats
) -> tuple[bool, float]:
    """`length_curves` at the variables; False where a four-bar cannot close."""
    ai = link_i[ACTS_I] + ACT_I * act
    for k in range(link_i[ai + 1]):
        motion = link_i[link_i[STEPS_I] + STEP_I * (link_i[ai] + k) + 4]
        if not move(link_i, link_f, motion, theta_in, M_work):
            return False, 0.0
    return True, length_curves(link_i, link_f, act, M_work, chain_out, 0)


def warm_up() -> None:
    """Compile what `forward.blocks` and `forward.branches` call, on a linkage of nothing."""
    link_i, link_f = np.zeros(64, dtype=np.int64), np.ones(64)
    ring(link_f, 0, 0.0)
    length_rates(link_i, link_f, 0, np.zeros(MOTION_F), np.zeros(6))
