"""Kernels of the MineRobot paper's forward kinematics: nested root finding, group by group.

Forward kinematics (Algorithm 3) takes the redundant groups one after the other. Each has one
driving variable theta, the others being locked, and f(theta) = l* is solved by Newton-Raphson with
a finite-difference derivative from where the machine stands. What f contains depends on the type:

- A, B: a slide or a hinge between the mounts, Eqs. (9) and (11);
- C: a four-bar, whose angles alpha, beta follow from theta by Newton-Raphson on Eq. (12);
- D: a four-bar and a hinge, held by a locked cylinder: alpha1, beta1 from Eq. (15), then alpha2,
  beta2 of the outer four-bar, whose last link is that cylinder, from Eq. (16).

Geometry is that of `lengths._kernels`: plane motions z -> u z + t about places at home, so all
angles are 0 there. Locked joints between the mounts are multiplied out once for each solution.

`seq_i` lists the groups: a header [groups, steps], then a record of SEQ numbers a group. `state`
is scratch memory cut by `state_views`; it holds the current configuration T' of the paper: theta,
alpha and beta of every four-bar, and the current length of every group.
"""

from __future__ import annotations

import math

import numpy as np

from ...jit import kernel
from ..forward._kernels import (
    DISAGREES,
    NO_SOLUTION,
    PARTNER_OUT,
    SLACK,
    SOLVED,
    STATUSES,
    check_bounds,
    start,
)
from ..lengths._kernels import (
    ACT_F,
    ACT_I,
    ACTS_F,
    ACTS_I,
    BAR_F,
    BAR_I,
    BAR_JOINTS_F,
    BAR_VARIABLE,
    BARS_F,
    BARS_I,
    HEADER,
    N_ACTS,
    N_BARS,
    N_VARS,
    RING,
    SLIDING,
    STEP_F,
    STEP_I,
    STEPS_F,
    STEPS_I,
    TURNING,
    VAR_F,
    VAR_I,
    VARS_F,
    VARS_I,
    Floats,
    Ints,
    ring,
)

# groups: [type, actuator, driving variable, four-bar or -1, moving step of types A to C, its
# members enter and leave; for type D the locked group, the hinge's variable, then of the active
# cylinder's chain the four-bar's step (-1 if it is not passed), enter, leave and the hinge's step
# (or -1), and the same four of the locked cylinder's chain]
SEQ_HEAD, SEQ = 2, 17
TYPE, ACT, VAR, BAR, STEP, ENTER, LEAVE, LOCK, HINGE = 0, 1, 2, 3, 4, 5, 6, 7, 8
OWN, HELD = 9, 13  # the two chains of type D
TYPE_A, TYPE_B, TYPE_C, TYPE_D = 0, 1, 2, 3

DIFFERENCE = 1e-6  # step of the outer derivative [rad, m]
INNER_DIFFERENCE = 1e-7  # step of the closures' derivatives [rad]
TURN = complex(math.cos(INNER_DIFFERENCE), math.sin(INNER_DIFFERENCE))
CLOSURE = 1e-2  # tolerance of a closure, as a part of the tolerance of a length
MAX_NEWTON = 50
FARTHEST = 0.25  # a Newton step of the driving angle is cut to this [rad]
LONGEST = math.pi  # a closure whose angle steps beyond half a turn has lost its way

Angles = tuple[float, float, float, float]


@kernel
def state_size(n_vars: int, n_bars: int, n_acts: int, n_groups: int, n_steps: int) -> int:
    """Doubles of scratch memory that a configuration needs, with a copy to return to."""
    return 2 * (n_vars + 2 * n_bars + n_groups) + 4 * n_steps + n_acts + 12 + 6


@kernel
def state_views(link_i: Ints, seq_i: Ints, state: Floats) -> tuple[Floats, ...]:
    """Scratch memory cut into what a configuration is, a copy of it, and room for the rest.

    Theta, alpha and beta of the four-bars, lengths of the groups; these three twice, as rows;
    motions of steps, lengths of actuators, a pose, and a pose error.
    """
    n_vars, n_bars, n_acts = link_i[N_VARS], link_i[N_BARS], link_i[N_ACTS]
    n_groups, n_steps = seq_i[0], seq_i[1]
    theta = state[:n_vars]
    at = n_vars + 2 * n_bars
    angles = state[n_vars:at].reshape(n_bars, 2)
    current = state[at : at + n_groups]
    at += n_groups
    kept = state[: 2 * at].reshape(2, at)
    at *= 2
    motions = state[at : at + 4 * n_steps].reshape(n_steps, 4)
    at += 4 * n_steps
    wanted = state[at : at + n_acts]
    at += n_acts
    X = state[at : at + 12].reshape(3, 4)
    return theta, angles, current, kept, motions, wanted, X, state[at + 12 : at + 18]


@kernel
def close_loop(
    begin: complex,
    c0: complex,
    d0: complex,
    end: complex,
    alpha: float,
    beta: float,
    tolerance: float,
) -> tuple[bool, float, float, complex, complex]:
    """Newton-Raphson on begin + e^(i alpha) (c0 + e^(i beta) d0) = end, Eqs. (12), (15), (16).

    The Jacobian is one of finite differences; a link turned a little further is the link times a
    constant. Returns (ok, alpha, beta, e^(i alpha), e^(i (alpha + beta))).
    """
    u = v = complex(1.0, 0.0)
    for _ in range(MAX_NEWTON):
        u = complex(math.cos(alpha), math.sin(alpha))
        v = complex(math.cos(alpha + beta), math.sin(alpha + beta))
        c, d = u * c0, v * d0
        gap = begin + c + d - end
        if gap.real * gap.real + gap.imag * gap.imag <= tolerance * tolerance:
            return True, alpha, beta, u, v
        by_alpha = (begin + TURN * (c + d) - end - gap) / INNER_DIFFERENCE
        by_beta = (begin + c + TURN * d - end - gap) / INNER_DIFFERENCE
        det = by_alpha.real * by_beta.imag - by_alpha.imag * by_beta.real
        if det == 0.0:
            break
        step = (gap.real * by_beta.imag - gap.imag * by_beta.real) / det
        step2 = (by_alpha.real * gap.imag - by_alpha.imag * gap.real) / det
        if not max(abs(step), abs(step2)) < LONGEST:
            break
        alpha -= step
        beta -= step2
    return False, alpha, beta, u, v


@kernel
def close_bar(
    link_f: Floats, at: int, theta: float, alpha: float, beta: float, tolerance: float
) -> tuple[bool, float, float, complex, complex, complex]:
    """Close a four-bar whose input stands at theta: (ok, alpha, beta, u_y, u_z, u_w)."""
    A = complex(link_f[at], link_f[at + 1])
    B0 = complex(link_f[at + 2], link_f[at + 3])
    C0 = complex(link_f[at + 4], link_f[at + 5])
    D = complex(link_f[at + 6], link_f[at + 7])
    u_y = complex(math.cos(theta), math.sin(theta))
    ok, alpha, beta, u, v = close_loop(
        A + u_y * (B0 - A), u_y * (C0 - B0), u_y * (D - C0), D, alpha, beta, tolerance
    )
    return ok, alpha, beta, u_y, u_y * u, u_y * v


@kernel
def member_motion(
    link_f: Floats, at: int, index: int, u_y: complex, u_z: complex, u_w: complex
) -> tuple[complex, complex]:
    """Motion (u, t) of a four-bar's member relative to x."""
    A = complex(link_f[at], link_f[at + 1])
    if index == 0:
        return complex(1.0, 0.0), complex(0.0, 0.0)
    if index == 1:
        return u_y, A - u_y * A
    if index == 2:
        B0 = complex(link_f[at + 2], link_f[at + 3])
        return u_z, A + u_y * (B0 - A) - u_z * B0
    D = complex(link_f[at + 6], link_f[at + 7])
    return u_w, D - u_w * D


@kernel
def bar_motion(
    link_f: Floats, at: int, enter: int, leave: int, u_y: complex, u_z: complex, u_w: complex
) -> tuple[complex, complex]:
    """Motion (u, t) of member `leave` seen from member `enter`."""
    u2, t2 = member_motion(link_f, at, leave, u_y, u_z, u_w)
    if enter == 0:
        return u2, t2
    u1, t1 = member_motion(link_f, at, enter, u_y, u_z, u_w)
    back = u1.conjugate()
    return back * u2, back * (t2 - t1)


@kernel
def store(motion: Floats, u: complex, t: complex) -> None:
    """Write a plane motion."""
    motion[0], motion[1], motion[2], motion[3] = u.real, u.imag, t.real, t.imag


@kernel
def step_motion(
    link_i: Ints, link_f: Floats, step: int, theta: Floats, angles: Floats
) -> tuple[bool, complex, complex]:
    """Motion (u, t) of a step, as the machine stands; False where a four-bar cannot close.

    A four-bar stands as its row of `angles` says; where that has no rows, where its closed form
    puts it.
    """
    si, sf = link_i[STEPS_I] + STEP_I * step, link_i[STEPS_F] + STEP_F * step
    var = link_i[si + 1]
    P, sign, turn = complex(link_f[sf], link_f[sf + 1]), link_f[sf + 2], theta[var]
    if link_i[si] == SLIDING:
        return True, complex(1.0, 0.0), sign * turn * P
    u_y = complex(math.cos(turn), math.sin(turn))
    if link_i[si] == TURNING:
        u = u_y if sign > 0.0 else u_y.conjugate()
        return True, u, P - u * P
    bar = link_i[link_i[VARS_I] + VAR_I * var + 2]
    at = link_i[BARS_F] + BAR_F * bar
    ok = True
    if bar < angles.shape[0]:
        turn += angles[bar, 0]
        u_z = complex(math.cos(turn), math.sin(turn))
        turn += angles[bar, 1]
        u_w = complex(math.cos(turn), math.sin(turn))
    else:
        ok, u_y, u_z, u_w = ring(link_f, at, turn)
    u, t = bar_motion(link_f, at, link_i[si + 2], link_i[si + 3], u_y, u_z, u_w)
    return ok, u, t


@kernel
def set_motions(
    link_i: Ints, link_f: Floats, act: int, theta: Floats, angles: Floats, motions_out: Floats
) -> None:
    """Motions of all steps of an actuator's chain, as the machine stands."""
    ai = link_i[ACTS_I] + ACT_I * act
    for step in range(link_i[ai], link_i[ai] + link_i[ai + 1]):
        _, u, t = step_motion(link_i, link_f, step, theta, angles)
        store(motions_out[step], u, t)


@kernel
def carried(motions_in: Floats, first: int, last: int, p: complex) -> complex:
    """A point behind the steps first, ..., last - 1, seen from before them."""
    for step in range(last - 1, first - 1, -1):
        u = complex(motions_in[step, 0], motions_in[step, 1])
        p = u * p + complex(motions_in[step, 2], motions_in[step, 3])
    return p


@kernel
def carried_back(motions_in: Floats, first: int, last: int, p: complex) -> complex:
    """A point before the steps first, ..., last - 1, seen from behind them."""
    for step in range(first, last):
        u = complex(motions_in[step, 0], -motions_in[step, 1])
        p = u * (p - complex(motions_in[step, 2], motions_in[step, 3]))
    return p


@kernel
def turned(motions_in: Floats, first: int, last: int) -> complex:
    """Rotation over the steps first, ..., last - 1."""
    u = complex(1.0, 0.0)
    for step in range(first, last):
        u = u * complex(motions_in[step, 0], motions_in[step, 1])
    return u


@kernel
def distance(p: complex, t: complex, h2: float) -> float:
    """Length of a cylinder whose mounts are p and t in the plane, and h apart along its normal."""
    x, y = p.real - t.real, p.imag - t.imag
    return math.sqrt(x * x + y * y + h2)


@kernel
def length_now(
    link_i: Ints, link_f: Floats, act: int, theta: Floats, angles: Floats, motions_out: Floats
) -> float:
    """Length of an actuator as the machine stands [m]."""
    set_motions(link_i, link_f, act, theta, angles, motions_out)
    ai, af = link_i[ACTS_I] + ACT_I * act, link_i[ACTS_F] + ACT_F * act
    p = complex(link_f[af + 2], link_f[af + 3])
    p = carried(motions_out, link_i[ai], link_i[ai] + link_i[ai + 1], p)
    return distance(p, complex(link_f[af], link_f[af + 1]), link_f[af + 4])


@kernel
def itep_length(
    link_i: Ints,
    link_f: Floats,
    seq_i: Ints,
    si: int,
    theta: float,
    now: Angles,
    tube: complex,
    rod: complex,
    tolerance: float,
    motions_work: Floats,
) -> tuple[bool, float, Angles]:
    """f(theta) of a group's ITEP: (ok, length, the angles that close its loops).

    `now` holds (alpha, beta) of types C and D and (alpha2, beta2) of type D to start from.
    For types A to C, `tube` and `rod` are the mounts next to the moving step. For type D `tube`
    is the locked cylinder as a vector from its rod's mount to its tube's, in the rod's link.
    """
    kind, act = seq_i[si + TYPE], seq_i[si + ACT]
    h2 = link_f[link_i[ACTS_F] + ACT_F * act + 4]
    sf = link_i[STEPS_F] + STEP_F * seq_i[si + STEP]
    P, sign = complex(link_f[sf], link_f[sf + 1]), link_f[sf + 2]
    if kind == TYPE_A:
        return True, distance(rod + sign * theta * P, tube, h2), now
    if kind == TYPE_B:
        u = complex(math.cos(theta), sign * math.sin(theta))
        return True, distance(u * (rod - P) + P, tube, h2), now
    a1, b1, a2, b2 = now
    at = link_i[BARS_F] + BAR_F * seq_i[si + BAR]
    ok, a1, b1, u_y, u_z, u_w = close_bar(link_f, at, theta, a1, b1, CLOSURE * tolerance)
    if not ok:
        return False, 0.0, now
    if kind == TYPE_C:
        u, t = bar_motion(link_f, at, seq_i[si + ENTER], seq_i[si + LEAVE], u_y, u_z, u_w)
        return True, distance(u * rod + t, tube, h2), (a1, b1, a2, b2)
    held = si + HELD
    u, t = bar_motion(link_f, at, seq_i[held + 1], seq_i[held + 2], u_y, u_z, u_w)
    store(motions_work[seq_i[held]], u, t)
    begin, c0, d0, end = outer_loop(link_i, link_f, seq_i, si, tube, motions_work)
    ok, a2, b2, u, _ = close_loop(begin, c0, d0, end, a2, b2, CLOSURE * tolerance)
    if not ok:
        return False, 0.0, now
    own = si + OWN
    if seq_i[own] >= 0:
        u1, t1 = bar_motion(link_f, at, seq_i[own + 1], seq_i[own + 2], u_y, u_z, u_w)
        store(motions_work[seq_i[own]], u1, t1)
    if seq_i[own + 3] >= 0:
        sign = link_f[link_i[STEPS_F] + STEP_F * seq_i[own + 3] + 2]
        if sign != hinge_sign(link_i, link_f, seq_i, si):
            u = u.conjugate()
        store(motions_work[seq_i[own + 3]], u, begin - u * begin)
    ai, af = link_i[ACTS_I] + ACT_I * act, link_i[ACTS_F] + ACT_F * act
    p = complex(link_f[af + 2], link_f[af + 3])
    p = carried(motions_work, link_i[ai], link_i[ai] + link_i[ai + 1], p)
    return True, distance(p, complex(link_f[af], link_f[af + 1]), h2), (a1, b1, a2, b2)


@kernel
def hinge_sign(link_i: Ints, link_f: Floats, seq_i: Ints, si: int) -> float:
    """Which way the locked cylinder's chain passes the hinge of type D."""
    sign: float = link_f[link_i[STEPS_F] + STEP_F * seq_i[si + HELD + 3] + 2]
    return sign


@kernel
def outer_loop(
    link_i: Ints, link_f: Floats, seq_i: Ints, si: int, cylinder: complex, motions_in: Floats
) -> tuple[complex, complex, complex, complex]:
    """The outer four-bar of type D, seen from the link before its hinge: see `close_loop`.

    From the hinge to the locked cylinder's rod mount, along the cylinder, to its tube mount.
    """
    lock = seq_i[SEQ_HEAD + SEQ * seq_i[si + LOCK] + ACT]
    ai, af = link_i[ACTS_I] + ACT_I * lock, link_i[ACTS_F] + ACT_F * lock
    hinge, last = seq_i[si + HELD + 3], link_i[ai] + link_i[ai + 1]
    sf = link_i[STEPS_F] + STEP_F * hinge
    P = complex(link_f[sf], link_f[sf + 1])
    rod = carried(motions_in, hinge + 1, last, complex(link_f[af + 2], link_f[af + 3]))
    end = carried_back(motions_in, link_i[ai], hinge, complex(link_f[af], link_f[af + 1]))
    return P, rod - P, turned(motions_in, hinge + 1, last) * cylinder, end


@kernel
def solve_itep(
    link_i: Ints,
    link_f: Floats,
    seq_i: Ints,
    group: int,
    wanted: float,
    tolerance: float,
    views_io: tuple[Floats, ...],
) -> int:
    """Move a group to a length, all others being locked: the paper's phi, Eq. (7).

    The print has a bare Newton-Raphson. Over a long stroke that takes its first step so far that
    the closures, which start from where they stood, end in another assembly or nowhere; so a step
    of an angle is cut to FARTHEST.
    """
    theta, angles, current, motions = views_io[0], views_io[1], views_io[2], views_io[4]
    si = SEQ_HEAD + SEQ * group
    kind, act, var, bar = seq_i[si + TYPE], seq_i[si + ACT], seq_i[si + VAR], seq_i[si + BAR]
    ai, af = link_i[ACTS_I] + ACT_I * act, link_i[ACTS_F] + ACT_F * act
    first, last = link_i[ai], link_i[ai] + link_i[ai + 1]
    tube, rod = complex(link_f[af], link_f[af + 1]), complex(link_f[af + 2], link_f[af + 3])
    a1, b1, a2 = 0.0, 0.0, 0.0
    if bar >= 0:
        a1, b1 = angles[bar, 0], angles[bar, 1]
    if kind != TYPE_D:
        if last - first > 1:
            set_motions(link_i, link_f, act, theta, angles, motions)
            tube = carried_back(motions, first, seq_i[si + STEP], tube)
            rod = carried(motions, seq_i[si + STEP] + 1, last, rod)
    else:
        lock = seq_i[SEQ_HEAD + SEQ * seq_i[si + LOCK] + ACT]
        set_motions(link_i, link_f, act, theta, angles, motions)
        set_motions(link_i, link_f, lock, theta, angles, motions)
        a2 = hinge_sign(link_i, link_f, seq_i, si) * theta[seq_i[si + HINGE]]
        one = complex(1.0, 0.0)
        begin, c0, behind, end = outer_loop(link_i, link_f, seq_i, si, one, motions)
        u = complex(math.cos(a2), math.sin(a2))
        tube = (end - begin - u * c0) * (u * behind).conjugate()
    x, now = theta[var], (a1, b1, a2, 0.0)
    ok, value, now = itep_length(link_i, link_f, seq_i, si, x, now, tube, rod, tolerance, motions)
    for _ in range(MAX_NEWTON):
        if not ok:
            return NO_SOLUTION
        if abs(value - wanted) <= tolerance:
            theta[var] = x
            current[group] = value
            if bar >= 0:
                angles[bar, 0], angles[bar, 1] = now[0], now[1]
            if kind == TYPE_D:
                theta[seq_i[si + HINGE]] = hinge_sign(link_i, link_f, seq_i, si) * now[2]
            return SOLVED
        ok, beside, _ = itep_length(
            link_i, link_f, seq_i, si, x + DIFFERENCE, now, tube, rod, tolerance, motions
        )
        if not ok or not abs(beside - value) > 0.0:
            return NO_SOLUTION
        step = (value - wanted) * DIFFERENCE / (beside - value)
        if kind != TYPE_A:
            step = min(max(step, -FARTHEST), FARTHEST)
        x -= step
        ok, value, now = itep_length(
            link_i, link_f, seq_i, si, x, now, tube, rod, tolerance, motions
        )
    return NO_SOLUTION


@kernel
def sequential_kernel(
    link_i: Ints,
    link_f: Floats,
    seq_i: Ints,
    lengths_in: Floats,
    tolerance: float,
    views_io: tuple[Floats, ...],
) -> int:
    """Algorithm 3: move every group whose length is to change, one after the other.

    `views_io` is a configuration, see `state_views`: it is moved, to where it failed if it did.
    """
    for group in range(seq_i[0]):
        act = seq_i[SEQ_HEAD + SEQ * group + ACT]
        if abs(lengths_in[act] - views_io[2][group]) <= tolerance:
            continue
        status = solve_itep(link_i, link_f, seq_i, group, lengths_in[act], tolerance, views_io)
        if status != SOLVED:
            failed: int = status + STATUSES * act
            return failed
    return SOLVED


@kernel
def set_state(
    link_i: Ints, link_f: Floats, seq_i: Ints, q_in: Floats, views_out: tuple[Floats, ...]
) -> None:
    """The configuration of joint positions: theta, alpha and beta, and the groups' lengths.

    The turns at a four-bar's pivots add up to nothing, which gives the one that closes it.
    """
    theta, angles, current, motions = views_out[0], views_out[1], views_out[2], views_out[4]
    start(link_i, link_f, q_in, theta)
    for bar in range(link_i[N_BARS]):
        bi, bf = link_i[BARS_I] + BAR_I * bar, link_i[BARS_F] + BAR_F * bar + BAR_JOINTS_F
        alpha, beta = math.nan, math.nan
        others = 0.0
        for k in range(3):
            turn = (q_in[link_i[bi + 3 * k]] - link_f[bf + 3 * k]) * link_f[bf + 3 * k + 1]
            pivot, child = link_i[bi + 3 * k + 1], link_i[bi + 3 * k + 2]
            if child != (pivot + 1) % 4:
                pivot, turn = child, -turn
            others += turn
            if pivot == 1:
                alpha = turn
            elif pivot == 2:
                beta = turn
        angles[bar, 0] = -others if math.isnan(alpha) else alpha
        angles[bar, 1] = -others if math.isnan(beta) else beta
    for group in range(seq_i[0]):
        act = seq_i[SEQ_HEAD + SEQ * group + ACT]
        current[group] = length_now(link_i, link_f, act, theta, angles, motions)


@kernel
def joints_of_state(
    link_i: Ints, link_f: Floats, views_in: tuple[Floats, ...], q_io: Floats
) -> None:
    """Positions of all joints that cylinders set; those of four-bars from their angles."""
    theta, angles = views_in[0], views_in[1]
    for var in range(link_i[N_VARS]):
        vi, vf = link_i[VARS_I] + VAR_I * var, link_i[VARS_F] + VAR_F * var
        if link_i[vi] != RING and link_i[vi + 3]:
            q_io[link_i[vi + 1]] = link_f[vf] + link_f[vf + 1] * theta[var]
    for bar in range(link_i[N_BARS]):
        bi, bf = link_i[BARS_I] + BAR_I * bar, link_i[BARS_F] + BAR_F * bar + BAR_JOINTS_F
        var = link_i[bi + BAR_VARIABLE]
        if not link_i[link_i[VARS_I] + VAR_I * var + 3]:
            continue
        for k in range(3):
            turn = member_turn(link_i[bi + 3 * k + 2], theta[var], angles[bar])
            turn -= member_turn(link_i[bi + 3 * k + 1], theta[var], angles[bar])
            q_io[link_i[bi + 3 * k]] = link_f[bf + 3 * k] + link_f[bf + 3 * k + 1] * turn


@kernel
def member_turn(index: int, theta: float, angles_in: Floats) -> float:
    """Angle by which a member of a four-bar has turned from home, seen from member x."""
    turn = 0.0
    if index >= 1:
        turn += theta
    if index >= 2:
        turn += angles_in[0]
    if index >= 3:
        turn += angles_in[1]
    return turn


@kernel
def check_followers(
    link_i: Ints,
    link_f: Floats,
    lengths_in: Floats,
    given: int,
    tolerance: float,
    views_io: tuple[Floats, ...],
) -> int:
    """Whether the partners' lengths follow, as given (if they are) and inside their bounds.

    As `check_partners` of the package's own forward kinematics, but with more slack where the
    tolerance is a coarse one.
    """
    slack = max(SLACK, 10.0 * tolerance)
    theta, angles, motions = views_io[0], views_io[1], views_io[4]
    for act in range(link_i[N_ACTS]):
        ai, af = link_i[ACTS_I] + ACT_I * act, link_i[ACTS_F] + ACT_F * act
        if link_i[ai + 2] == act:
            continue
        value = lengths_in[link_i[ai + 2]]
        if not link_i[ai + 3]:
            value = length_now(link_i, link_f, act, theta, angles, motions)
        if given and not abs(lengths_in[act] - value) <= slack:
            return DISAGREES + STATUSES * act
        if value < link_f[af + 5] - slack or value > link_f[af + 6] + slack:
            return PARTNER_OUT + STATUSES * act
    return SOLVED


@kernel
def sequential_forward(
    link_i: Ints,
    link_f: Floats,
    seq_i: Ints,
    lengths_in: Floats,
    q_in: Floats,
    given: int,
    tolerance: float,
    state: Floats,
    q_out: Floats,
) -> int:
    """Joint positions by Algorithm 3 from q_in on: 0, or a status and its actuator."""
    status = check_bounds(link_i, link_f, lengths_in, given)
    if status != SOLVED:
        return status
    parts = state_views(link_i, seq_i, state)
    set_state(link_i, link_f, seq_i, q_in, parts)
    status = sequential_kernel(link_i, link_f, seq_i, lengths_in, tolerance, parts)
    if status != SOLVED:
        return status
    status = check_followers(link_i, link_f, lengths_in, given, tolerance, parts)
    if status != SOLVED:
        return status
    for i in range(q_in.shape[0]):
        q_out[i] = q_in[i]
    joints_of_state(link_i, link_f, parts, q_out)
    return SOLVED


def warm_up() -> None:
    """Compile what `sequential` calls, with the types they use, and nothing else.

    Arrays are writable and contiguous, but for a state's joint positions, which are read-only;
    here they are of a linkage without freedoms.
    """
    link_i, link_f = np.zeros(HEADER, dtype=np.int64), np.zeros(1)
    seq_i = np.zeros(SEQ_HEAD, dtype=np.int64)
    state = np.zeros(int(state_size(0, 0, 0, 0, 0)))
    lengths_in, q_in, q_out = np.zeros(0), np.zeros(0), np.zeros(0)
    q_in.flags.writeable = False
    sequential_forward(link_i, link_f, seq_i, lengths_in, q_in, 0, 1e-10, state, q_out)
