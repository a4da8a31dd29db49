"""Kernels of l(theta): four-bars as circle intersections, cylinders as chains of plane motions.

Everything is written relative to the home pose, where all variables are 0. In a plane with a
fixed normal a rigid motion is z -> u z + t with complex u, |u| = 1. The motion of a cylinder's
rod mount, seen from the link that carries its tube, is the product of the motions of the freedoms
between the two links, each about its place at home (product of exponentials), so

    l^2 = |M_1 M_2 ... M_k r - t|^2 + h^2,

t and r being the mounts in the plane at home and h their distance along the normal, which no
motion in the plane changes.
"""

from __future__ import annotations

import math

from ..jit import (
    NUMBER,
    VECTOR,
    WHOLE,
    Record,
    Records,
    array_of,
    entry,
    header,
    indices,
    inlined_kernel,
    kernel,
    record_of,
    records,
)
from .records import (
    CHAIN,
    CHAIN_STEP,
    FOUR_BAR,
    LINKAGE,
    MOTION,
    STEP,
    VARIABLE,
    Floats,
    Ints,
    StepKind,
)

TURNING, SLIDING, RING = (kind.value for kind in StepKind)
X, Y, Z, W = 0, 1, 2, 3  # members of a four-bar


@inlined_kernel
def as_complex(z: Floats) -> complex:
    """A point or direction of a plane."""
    return complex(z[0], z[1])


@inlined_kernel
def put_complex(z_out: Floats, z: complex) -> None:
    """Write a point or direction of a plane."""
    z_out[0], z_out[1] = z.real, z.imag


@entry(record_of(FOUR_BAR), NUMBER)
@inlined_kernel
def ring(bar: Record, theta: float) -> tuple[bool, complex, complex, complex]:
    """Rotations u_y, u_z, u_w of a four-bar's members relative to member x, from home.

    Member y turns by theta about the pivot xy. The pivot zw lies on the circles about the pivots
    yz (carried by y) and wx (fixed in x), on the side of the line between them where it is at
    home. False where the circles do not meet.
    """
    A, B0, C0, D = as_complex(bar.xy), as_complex(bar.yz), as_complex(bar.zw), as_complex(bar.wx)
    r1, r2 = bar.yz_zw, bar.wx_zw
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
    BC = BD * complex(along, bar.side * math.sqrt(h2))
    u_z = BC * ((C0 - B0).conjugate() * (1.0 / r1))
    u_w = (BC - BD) * ((C0 - D).conjugate() * (1.0 / r2))
    return True, u_y, u_z, u_w


@inlined_kernel
def ring_rates(
    bar: Record, u_y: complex, u_z: complex, u_w: complex
) -> tuple[float, float, float, float]:
    """Turning rates of members z and w per turn of y, and the rates of those: (wz, ww, az, aw).

    With b, c, d the links y, z, w as vectors (pivot xy to yz, yz to zw, wx to zw) the loop is
    b + c = d + constant. Its derivative, b + wz c = ww d, crossed with d and with c gives the
    rates; the next one, az c - aw d = -i (b + wz^2 c - ww^2 d), theirs.
    """
    A, B0, C0, D = as_complex(bar.xy), as_complex(bar.yz), as_complex(bar.zw), as_complex(bar.wx)
    b, c, d = u_y * (B0 - A), u_z * (C0 - B0), u_w * (C0 - D)
    cd = 1.0 / (c.real * d.imag - c.imag * d.real)
    wz = -(b.real * d.imag - b.imag * d.real) * cd
    ww = -(b.real * c.imag - b.imag * c.real) * cd
    k = b + wz * wz * c - ww * ww * d
    k = complex(k.imag, -k.real)  # -i k
    az = (k.real * d.imag - k.imag * d.real) * cd
    aw = (k.real * c.imag - k.imag * c.real) * cd
    return wz, ww, az, aw


@inlined_kernel
def member(
    bar: Record,
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
    if index == X:
        return complex(1.0, 0.0), zero, zero, zero, 0.0, 0.0
    if index == Y:
        P = as_complex(bar.xy)
        turned = u_y * P
        return u_y, P - turned, complex(turned.imag, -turned.real), turned, 1.0, 0.0
    wz, ww, az, aw = rates
    D = as_complex(bar.wx)
    if index == W:
        turned = u_w * D
        rate = complex(turned.imag * ww, -turned.real * ww)
        second = turned * complex(ww * ww, -aw)
        return u_w, D - turned, rate, second, ww, aw
    C0 = as_complex(bar.zw)
    d = u_w * (C0 - D)
    turned = u_z * C0
    rate = complex(wz * turned.imag - ww * d.imag, ww * d.real - wz * turned.real)
    second = complex(-ww * ww, aw) * d - complex(-wz * wz, az) * turned
    return u_z, D + d - turned, rate, second, wz, az


@inlined_kernel
def ring_step(
    bar: Record, enter: int, leave: int, theta: float
) -> tuple[bool, complex, complex, complex, complex, float, float]:
    """Motion of member `leave` seen from member `enter`: (ok, u, t, t', t'', w, a).

    With (u1, t1) and (u2, t2) relative to x it is u = conj(u1) u2, t = conj(u1) (t2 - t1). The
    primes are derivatives with respect to theta; u' = i w u and w' = a.
    """
    ok, u_y, u_z, u_w = ring(bar, theta)
    if not ok:
        return False, u_y, u_y, u_y, u_y, 0.0, 0.0
    rates = ring_rates(bar, u_y, u_z, u_w)
    u2, t2, dt2, ddt2, w2, a2 = member(bar, leave, u_y, u_z, u_w, rates)
    if enter == X:
        return True, u2, t2, dt2, ddt2, w2, a2
    u1, t1, dt1, ddt1, w1, a1 = member(bar, enter, u_y, u_z, u_w, rates)
    back = u1.conjugate()
    t, dt, ddt = t2 - t1, dt2 - dt1, ddt2 - ddt1
    rate = back * (dt - complex(0.0, w1) * t)
    second = back * (ddt - complex(0.0, 2.0 * w1) * dt - complex(w1 * w1, a1) * t)
    return True, back * u2, back * t, rate, second, w2 - w1, a2 - a1


@inlined_kernel
def four_bar_of(link: Floats, step: Record) -> Record:
    """The four-bar that a step leads over."""
    head = header(link, LINKAGE)
    variable = records(link, head.variables, VARIABLE)[step.variable]
    return records(link, head.four_bars, FOUR_BAR)[variable.four_bar]


@inlined_kernel
def step_of_motion(link: Floats, number: int) -> Record:
    """A step of a motion."""
    head = header(link, LINKAGE)
    return records(link, head.steps, STEP)[indices(link, head.motions)[number]]


@kernel
def move(link: Floats, number: int, theta_in: Floats, motions: Records) -> bool:
    """Numbers of a motion at the variables: z -> u z + t, its rates, and how fast it turns.

    With u' = i w u and w' = a; a hinge turns about P, so t = (1 - u) P. False where a four-bar
    cannot close.
    """
    step, motion = step_of_motion(link, number), motions[number]
    theta, sign = theta_in[step.variable], step.sign
    x, y = step.place[0], step.place[1]
    if step.kind == TURNING:
        c, s = math.cos(sign * theta), math.sin(sign * theta)
        px, py = c * x - s * y, s * x + c * y
        motion.u[0], motion.u[1] = c, s
        motion.t[0], motion.t[1] = x - px, y - py
        motion.rate[0], motion.rate[1] = sign * py, -sign * px
        motion.curve[0], motion.curve[1] = px, py
        motion.turning, motion.turning_rate = sign, 0.0
        return True
    if step.kind == SLIDING:
        motion.u[0], motion.u[1] = 1.0, 0.0
        motion.t[0], motion.t[1] = theta * sign * x, theta * sign * y
        motion.rate[0], motion.rate[1] = sign * x, sign * y
        motion.curve[0], motion.curve[1] = 0.0, 0.0
        motion.turning, motion.turning_rate = 0.0, 0.0
        return True
    return move_by_bar(four_bar_of(link, step), step, theta, motion)


@kernel
def move_by_bar(bar: Record, step: Record, theta: float, motion: Record) -> bool:
    """`move` over a four-bar: apart, so that hinges and slides stay quick."""
    ok, u, t, dt, ddt, w, a = ring_step(bar, step.enter, step.leave, theta)
    put_complex(motion.u, u)
    put_complex(motion.t, t)
    put_complex(motion.rate, dt)
    put_complex(motion.curve, ddt)
    motion.turning, motion.turning_rate = w, a
    return ok


@inlined_kernel
def turn(link: Floats, number: int, theta_in: Floats, motions: Records) -> bool:
    """`move` without second derivatives: the compiler leaves out what nobody takes."""
    step, motion = step_of_motion(link, number), motions[number]
    if step.kind != RING:
        return move(link, number, theta_in, motions)
    bar = four_bar_of(link, step)
    ok, u, t, dt, _, w, _ = ring_step(bar, step.enter, step.leave, theta_in[step.variable])
    put_complex(motion.u, u)
    put_complex(motion.t, t)
    put_complex(motion.rate, dt)
    motion.turning = w
    return ok


@inlined_kernel
def tube_to_rod(
    link: Floats, act: int, motions: Records, chain_out: Records
) -> tuple[float, float, float]:
    """Vector in the plane from an actuator's tube to its rod, and its length [m].

    Back from the rod's mount, p_k = u_k p_(k+1) + t_k; the chain's points are p_k - t_k.
    """
    head = header(link, LINKAGE)
    chain, steps = records(link, head.chains, CHAIN)[act], records(link, head.steps, STEP)
    x, y = chain.rod[0], chain.rod[1]
    for k in range(chain.count - 1, -1, -1):
        motion, p = motions[steps[chain.first + k].motion], chain_out[k].p
        c, s = motion.u[0], motion.u[1]
        x, y = c * x - s * y, s * x + c * y
        p[0], p[1] = x, y
        x += motion.t[0]
        y += motion.t[1]
    x -= chain.tube[0]
    y -= chain.tube[1]
    return x, y, math.sqrt(x * x + y * y + chain.height2)


@inlined_kernel
def rates_of(link: Floats, act: int, motions: Records, chain_out: Records) -> float:
    """Length of an actuator [m] and its rates with the steps of its chain, motions being known.

    With the direction E of the cylinder turned into each step's frame, from the tube on:
    l'_k = E . (i w (p_k - t_k) + t'_k), the chain's slopes.
    """
    head = header(link, LINKAGE)
    chain, steps = records(link, head.chains, CHAIN)[act], records(link, head.steps, STEP)
    x, y, value = tube_to_rod(link, act, motions, chain_out)
    x /= value
    y /= value
    for k in range(chain.count):
        motion, p = motions[steps[chain.first + k].motion], chain_out[k].p
        w = motion.turning
        rx, ry = motion.rate[0] - w * p[1], motion.rate[1] + w * p[0]
        chain_out[k].slope = x * rx + y * ry
        c, s = motion.u[0], motion.u[1]
        x, y = c * x + s * y, c * y - s * x
    return float(value)


@inlined_kernel
def length_curves(link: Floats, act: int, motions: Records, chain_out: Records) -> float:
    """As `rates_of`, and what second derivatives are made of.

    The chain gets for step k: p'_k, p''_k, the turning rate w and l'_k, in the axes of the tube's
    link; behind the last step p - t. Mixed derivatives need no room: for a step j before k they are
    i w_j p'_k, since a step turns everything behind it.
    """
    head = header(link, LINKAGE)
    chain, steps = records(link, head.chains, CHAIN)[act], records(link, head.steps, STEP)
    x, y, value = tube_to_rod(link, act, motions, chain_out)
    end = chain_out[chain.count].p
    end[0], end[1] = x, y
    c, s = 1.0, 0.0
    for k in range(chain.count):
        motion, out = motions[steps[chain.first + k].motion], chain_out[k]
        w, a = motion.turning, motion.turning_rate
        px, py = out.p[0], out.p[1]
        rx, ry = motion.rate[0] - w * py, motion.rate[1] + w * px
        sx = motion.curve[0] - w * w * px - a * py
        sy = motion.curve[1] - w * w * py + a * px
        rx, ry = c * rx - s * ry, s * rx + c * ry
        out.p[0], out.p[1] = rx, ry
        out.curve[0], out.curve[1] = c * sx - s * sy, s * sx + c * sy
        out.turning = w
        out.slope = (x * rx + y * ry) / value
        uc, us = motion.u[0], motion.u[1]
        c, s = c * uc - s * us, c * us + s * uc
    return float(value)


@inlined_kernel
def add_length_curvature(
    link: Floats, act: int, value: float, chain_in: Records, place_in: Ints, factor: float,
    H_io: Floats,
) -> None:  # fmt: skip
    """H += factor * second derivatives of a length, at the variables' places in `place_in`.

    From l^2 = |p - t|^2 + h^2: l'_j l'_k + l l''_jk = p'_j . p'_k + (p - t) . p''_jk.
    `chain_in` is what `length_curves` has found.
    """
    head = header(link, LINKAGE)
    chain, steps = records(link, head.chains, CHAIN)[act], records(link, head.steps, STEP)
    end = chain_in[chain.count].p
    x, y = end[0], end[1]
    scale = factor / value
    for k in range(chain.count):
        at_k, var_k = chain_in[k], place_in[steps[chain.first + k].variable]
        px, py, dl = at_k.p[0], at_k.p[1], at_k.slope
        own = px * px + py * py + x * at_k.curve[0] + y * at_k.curve[1] - dl * dl
        H_io[var_k, var_k] += scale * own
        for j in range(k):
            at_j, var_j = chain_in[j], place_in[steps[chain.first + j].variable]
            mixed = at_j.p[0] * px + at_j.p[1] * py - dl * at_j.slope
            mixed = scale * (mixed + at_j.turning * (y * px - x * py))
            H_io[var_j, var_k] += mixed
            H_io[var_k, var_j] += mixed


@entry(VECTOR, WHOLE, VECTOR, array_of(MOTION), array_of(CHAIN_STEP))
@kernel
def length(
    link: Floats, act: int, theta_in: Floats, motions: Records, chain_out: Records
) -> tuple[bool, float]:
    """`length_curves` at the variables; False where a four-bar cannot close."""
    head = header(link, LINKAGE)
    chain, steps = records(link, head.chains, CHAIN)[act], records(link, head.steps, STEP)
    for k in range(chain.count):
        if not move(link, steps[chain.first + k].motion, theta_in, motions):
            return False, 0.0
    return True, length_curves(link, act, motions, chain_out)
