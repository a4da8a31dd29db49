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

from ...jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# header of link_i
N_VARS, N_BARS, N_ACTS, N_BLOCKS = 0, 1, 2, 3
VARS_I, BARS_I, ACTS_I, STEPS_I, BLOCKS_I = 4, 5, 6, 7, 8
VARS_F, BARS_F, ACTS_F, STEPS_F = 9, 10, 11, 12
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
# [tube re, im, rod re, im, h^2, lower, upper]
ACT_I, ACT_F = 4, 7

# steps: [kind, variable, enter, leave], [pivot or direction re, im, sign]
STEP_I, STEP_F = 4, 3
MAX_STEPS = 16


@kernel
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


@kernel
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


@kernel
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


@kernel
def length(
    link_i: Ints, link_f: Floats, act: int, theta_in: Floats, steps_out: Floats
) -> tuple[bool, float]:
    """Length of an actuator [m] and its rates with the steps of its chain.

    `steps_out` (MAX_STEPS + 1, 6) gets for every step the derivative p' of the rod's mount with
    respect to the step's variable (re, im), p'' (re, im), the turning rate w, and dl. Mixed
    derivatives need no room: for a step j before a step k they are i w_j p'_k, since a step
    turns everything behind it. The last row gets p - t. False where a four-bar cannot close.
    """
    ai, af = link_i[ACTS_I] + ACT_I * act, link_i[ACTS_F] + ACT_F * act
    first, count = link_i[ai], link_i[ai + 1]
    vars_i = link_i[VARS_I]
    p = complex(link_f[af + 2], link_f[af + 3])
    for k in range(count - 1, -1, -1):
        si, sf = link_i[STEPS_I] + STEP_I * (first + k), link_i[STEPS_F] + STEP_F * (first + k)
        kind, var = link_i[si], link_i[si + 1]
        P = complex(link_f[sf], link_f[sf + 1])
        sign = link_f[sf + 2]
        if kind == TURNING:
            angle = sign * theta_in[var]
            u = complex(math.cos(angle), math.sin(angle))
            p = u * (p - P)
            rate, second = complex(0.0, sign) * p, -p
            p = p + P
            w = sign
        elif kind == SLIDING:
            rate, second = sign * P, complex(0.0, 0.0)
            p = p + theta_in[var] * rate
            u = complex(1.0, 0.0)
            w = 0.0
        else:
            at = link_i[BARS_F] + BAR_F * link_i[vars_i + VAR_I * var + 2]
            ok, u, t, dt, ddt, w, a = ring_step(
                link_f, at, link_i[si + 2], link_i[si + 3], theta_in[var]
            )
            if not ok:
                return False, 0.0
            turned = u * p
            rate = complex(0.0, w) * turned + dt
            second = complex(-w * w, a) * turned + ddt
            p = turned + t
        steps_out[k, 0], steps_out[k, 1] = rate.real, rate.imag
        steps_out[k, 2], steps_out[k, 3] = second.real, second.imag
        steps_out[k, 4] = w
        for m in range(k + 1, count):  # steps behind this one are turned with it
            x, y = steps_out[m, 0], steps_out[m, 1]
            steps_out[m, 0], steps_out[m, 1] = u.real * x - u.imag * y, u.imag * x + u.real * y
            x, y = steps_out[m, 2], steps_out[m, 3]
            steps_out[m, 2], steps_out[m, 3] = u.real * x - u.imag * y, u.imag * x + u.real * y
    x, y = p.real - link_f[af], p.imag - link_f[af + 1]
    steps_out[MAX_STEPS, 0], steps_out[MAX_STEPS, 1] = x, y
    value = math.sqrt(x * x + y * y + link_f[af + 4])
    for k in range(count):
        steps_out[k, 5] = (x * steps_out[k, 0] + y * steps_out[k, 1]) / value
    return True, value


@kernel
def add_length_curvature(
    link_i: Ints,
    link_f: Floats,
    act: int,
    value: float,
    steps_in: Floats,
    place_in: Ints,
    factor: float,
    H_out: Floats,
) -> None:
    """H += factor * second derivatives of a length, at the variables' places in `place_in`.

    From l^2 = |p - t|^2 + h^2: l'_j l'_k + l l''_jk = p'_j . p'_k + (p - t) . p''_jk.
    `steps_in` is what `length` has found.
    """
    ai = link_i[ACTS_I] + ACT_I * act
    first, count = link_i[ai], link_i[ai + 1]
    x, y = steps_in[MAX_STEPS, 0], steps_in[MAX_STEPS, 1]
    for k in range(count):
        var_k = place_in[link_i[link_i[STEPS_I] + STEP_I * (first + k) + 1]]
        px, py, dl = steps_in[k, 0], steps_in[k, 1], steps_in[k, 5]
        own = px * px + py * py + x * steps_in[k, 2] + y * steps_in[k, 3] - dl * dl
        H_out[var_k, var_k] += factor * own / value
        for j in range(k):
            var_j = place_in[link_i[link_i[STEPS_I] + STEP_I * (first + j) + 1]]
            w = steps_in[j, 4]
            mixed = steps_in[j, 0] * px + steps_in[j, 1] * py - dl * steps_in[j, 5]
            mixed += w * (y * px - x * py)
            H_out[var_j, var_k] += factor * mixed / value
            H_out[var_k, var_j] += factor * mixed / value
