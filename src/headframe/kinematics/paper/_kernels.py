"""Kernels of the MineRobot paper's methods: nested root finding, and one length at a time.

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

Inverse kinematics (Algorithm 4) minimises Psi = |W log(X^-1 Y)| over one length after the other.
Psi is evaluated either on the package's own forward kinematics or on the one above. The methods
that the paper compares with are below it.
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
    joints,
    start,
)
from ..inverse._kernels import (
    ACTUATORS_AT,
    CONVERGED,
    GRADIENT,
    NO_START,
    OUT_OF_STEPS,
    PATH_F,
    PATH_HEAD,
    PATH_I,
    TRIAL,
    VARIABLES_AT,
    N,
    error,
    evaluate,
    go_to,
    half_square,
    views,
    work_size,
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
    MOTIONS_I,
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

GOLDEN, BRENT, NEWTON_1D, SECANT, ONE_PLUS_ONE = 0, 1, 2, 3, 4
PHI = (math.sqrt(5.0) - 1.0) / 2.0
SIGMA = 0.2  # first step of the evolution strategies, as a part of the strokes
ROWS = 6  # vectors of N numbers that the searches need
SLOPE_STEP = 1e-5  # step of the derivatives of Psi over a length [m]

Angles = tuple[float, float, float, float]
# scratch memory of the inverse kinematics, the same in parts, and a configuration in parts
Memory = tuple[Floats, tuple[Floats, ...], tuple[Floats, ...]]


# ------------------------------------------------------------------ forward kinematics


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


# ------------------------------------------------------------------ inverse kinematics


@kernel
def link_pose(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    path_f: Floats,
    theta_in: Floats,
    angles_in: Floats,
    X_out: Floats,
) -> bool:
    """Pose of the link (3, 4), as `place_link` of the inverse kinematics but without its rates.

    Behind the steps before, whose product is (R, p), a step z -> u z + t in the plane of ex and
    ey moves p by R (t_x ex + t_y ey) and turns R about R n.
    """
    r00, r01, r02, p0 = 1.0, 0.0, 0.0, 0.0
    r10, r11, r12, p1 = 0.0, 1.0, 0.0, 0.0
    r20, r21, r22, p2 = 0.0, 0.0, 1.0, 0.0
    for k in range(path_i[0]):
        step, pf = link_i[link_i[MOTIONS_I] + path_i[PATH_HEAD + PATH_I * k]], 12 + PATH_F * k
        ok, u, t = step_motion(link_i, link_f, step, theta_in, angles_in)
        if not ok:
            return False
        c, s = u.real, u.imag
        x0, x1, x2 = path_f[pf], path_f[pf + 1], path_f[pf + 2]
        y0, y1, y2 = path_f[pf + 3], path_f[pf + 4], path_f[pf + 5]
        n0, n1, n2 = path_f[pf + 6], path_f[pf + 7], path_f[pf + 8]
        a0, b0 = r00 * x0 + r01 * x1 + r02 * x2, r00 * y0 + r01 * y1 + r02 * y2
        a1, b1 = r10 * x0 + r11 * x1 + r12 * x2, r10 * y0 + r11 * y1 + r12 * y2
        a2, b2 = r20 * x0 + r21 * x1 + r22 * x2, r20 * y0 + r21 * y1 + r22 * y2
        c0, c1, c2 = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
        p0 += t.real * a0 + t.imag * b0
        p1 += t.real * a1 + t.imag * b1
        p2 += t.real * a2 + t.imag * b2
        a0, b0 = c * a0 + s * b0, c * b0 - s * a0
        a1, b1 = c * a1 + s * b1, c * b1 - s * a1
        a2, b2 = c * a2 + s * b2, c * b2 - s * a2
        r00, r01 = a0 * x0 + b0 * y0 + c0 * n0, a0 * x1 + b0 * y1 + c0 * n1
        r10, r11 = a1 * x0 + b1 * y0 + c1 * n0, a1 * x1 + b1 * y1 + c1 * n1
        r20, r21 = a2 * x0 + b2 * y0 + c2 * n0, a2 * x1 + b2 * y1 + c2 * n1
        r02 = a0 * x2 + b0 * y2 + c0 * n2
        r12 = a1 * x2 + b1 * y2 + c1 * n2
        r22 = a2 * x2 + b2 * y2 + c2 * n2
    for j in range(4):
        x, y, z = path_f[j], path_f[4 + j], path_f[8 + j]
        X_out[0, j] = r00 * x + r01 * y + r02 * z
        X_out[1, j] = r10 * x + r11 * y + r12 * z
        X_out[2, j] = r20 * x + r21 * y + r22 * z
    X_out[0, 3] += p0
    X_out[1, 3] += p1
    X_out[2, 3] += p2
    return True


@kernel
def stand_at(link_i: Ints, link_f: Floats, path_i: Ints, l_in: Floats, memory: Memory) -> bool:
    """Set the variables of the package's own forward kinematics; False where there is no pose."""
    work, parts, _ = memory
    for i in range(path_i[1]):
        work[TRIAL + i] = l_in[i]
    return go_to(link_i, link_f, path_i, TRIAL, work, parts)


@kernel
def psi(
    link_i: Ints,
    link_f: Floats,
    seq_i: Ints,
    path_i: Ints,
    path_f: Floats,
    goal: tuple[Floats, Floats],
    fk_tolerance: float,
    l_in: Floats,
    memory: Memory,
) -> float:
    """Psi, Eq. (21), at the lengths of the relevant groups; infinite where there is no pose.

    `goal` is the target and the weights. `fk_tolerance` is that of the paper's forward
    kinematics, or 0 for the package's own. The paper's moves the machine on from where the
    evaluation before left it; where it cannot, the machine goes back there.
    """
    _, parts, own = memory
    theta, angles, X, e = parts[0], own[1][:0], own[6], own[7]
    if fk_tolerance > 0.0:
        theta, angles, kept, wanted = own[0], own[1], own[3], own[5]
        kept[1] = kept[0]
        for i in range(path_i[1]):
            wanted[path_i[ACTUATORS_AT + i]] = l_in[i]
        if sequential_kernel(link_i, link_f, seq_i, wanted, fk_tolerance, own) != SOLVED:
            kept[0] = kept[1]
            return math.inf
    elif not stand_at(link_i, link_f, path_i, l_in, memory):
        return math.inf
    if not link_pose(link_i, link_f, path_i, path_f, theta, angles, X):
        return math.inf
    Y, weights = goal
    error(X, Y, path_i[3], e)
    return math.sqrt(2.0 * half_square(e, weights))


@kernel
def begin(
    link_i: Ints,
    link_f: Floats,
    seq_i: Ints,
    path_i: Ints,
    bounds_in: Floats,
    q_in: Floats,
    state: Floats,
    work: Floats,
    place_out: Ints,
    l_out: Floats,
) -> None:
    """Both configurations as at `q_in`, and the relevant lengths there, moved into the bounds.

    `place_out` tells which of these lengths goes with which variable, -1 for none.
    """
    parts, own = views(link_i, work), state_views(link_i, seq_i, state)
    set_state(link_i, link_f, seq_i, q_in, own)
    for var in range(link_i[N_VARS]):
        parts[0][var] = own[0][var]
        place_out[var] = -1
    for group in range(seq_i[0]):
        own[5][seq_i[SEQ_HEAD + SEQ * group + ACT]] = own[2][group]
    for i in range(path_i[1]):
        place_out[path_i[VARIABLES_AT + i]] = i
        act = path_i[ACTUATORS_AT + i]
        value = length_now(link_i, link_f, act, own[0], own[1], own[4])
        l_out[i] = min(max(value, bounds_in[0, i]), bounds_in[1, i])


# The searches over one length tell where they want Psi next, so that the kinematics is compiled
# into one place. Their memory `s`, 12 numbers, starts with [answer, phase, a, b]: the minimum is
# in [a, b].
ANSWER, PHASE, LEFT, RIGHT, OWN_PART = 0, 1, 2, 3, 4


@kernel
def first_point(search: int, low: float, high: float, now: float, s: Floats) -> float:
    """Begin a search over [low, high] from `now`: the first length at which to evaluate Psi."""
    s[ANSWER], s[PHASE], s[LEFT], s[RIGHT] = now, 0.0, low, high
    if search == GOLDEN:
        return high - PHI * (high - low)
    if search == BRENT:
        return low + (1.0 - PHI) * (high - low)
    for k in range(OWN_PART, N):
        s[k] = math.nan
    s[4], s[5], s[10], s[11] = now, min(SLOPE_STEP, 0.25 * (high - low)), 0.0, 0.0
    return now


@kernel
def next_point(
    search: int, low: float, high: float, tolerance: float, at: float, value: float, s: Floats
) -> tuple[bool, float]:
    """Take Psi's value at a length: (done, where to evaluate it next)."""
    if search == GOLDEN:
        return golden(tolerance, value, s)
    if search == BRENT:
        return brent(tolerance, at, value, s)
    return root_of_slope(search, low, high, tolerance, value, s)


@kernel
def golden(tolerance: float, value: float, s: Floats) -> tuple[bool, float]:
    """Golden section search, Algorithm 5, whose a starts at the lower bound (the print: l_i).

    Own part: c, d, Psi_c, Psi_d. Phases: Psi at c, at d, and after a step at either.
    """
    a, b, c, d, at_c, at_d = s[2], s[3], s[4], s[5], s[6], s[7]
    phase = int(s[PHASE])
    if phase == 0:
        s[4], s[6], s[PHASE] = b - PHI * (b - a), value, 1.0
        s[5] = a + PHI * (b - a)
        return False, s[5]
    if phase == 2:
        at_c = value
    else:
        at_d = value
    done = abs(b - a) <= tolerance
    if done:
        s[ANSWER] = 0.5 * (a + b)
    elif at_c < at_d:
        b, d, at_d = d, c, at_c
        c = b - PHI * (b - a)
        s[PHASE] = 2.0
    else:
        a, c, at_c = c, d, at_d
        d = a + PHI * (b - a)
        s[PHASE] = 1.0
    s[2], s[3], s[4], s[5], s[6], s[7] = a, b, c, d, at_c, at_d
    return done, c if s[PHASE] == 2.0 else d


@kernel
def brent(tolerance: float, u: float, at_u: float, s: Floats) -> tuple[bool, float]:
    """Brent's minimiser without derivatives: parabolas, and golden sections where they fail.

    Own part: w, v, the second best point and the one before, Psi at x, w and v, the last step and
    the one before. The answer is the best point x.
    """
    x, a, b = s[0], s[2], s[3]
    w, v, at_x, at_w, at_v, step, last = s[4], s[5], s[6], s[7], s[8], s[9], s[10]
    if s[PHASE] == 0.0:
        s[PHASE] = 1.0
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
    s[0], s[2], s[3] = x, a, b
    s[4], s[5], s[6], s[7], s[8], s[9], s[10] = w, v, at_x, at_w, at_v, step, last
    done = abs(x - middle) <= 2.0 * small - 0.5 * (b - a)
    return done, x + (step if abs(step) >= small else math.copysign(small, step))


@kernel
def root_of_slope(
    search: int, low: float, high: float, tolerance: float, value: float, s: Floats
) -> tuple[bool, float]:
    """Newton-Raphson or the secant method on dPsi/dl = 0, derivatives by central differences.

    The sign of the slope tells on which side the minimum lies, which gives a bracket. A step out
    of it goes to the bound, if that has not been tried, and else to the bracket's middle: far
    from its minimum Psi is as good as straight, and bare Newton steps are too long. A slope that
    points out of a bound means that the bound is the answer. A minimum that is no better than
    the start is not taken: where Psi comes to 0 it has a kink, which differences do not resolve.

    Own part: x, the step h of differences, Psi at the start and before and at the middle of the
    difference, the last x and slope, the number of steps. Phases: Psi at the start, before,
    behind, in the middle, and at the minimum.
    """
    phase, x, h = int(s[PHASE]), s[4], s[5]
    centre = min(max(x, low + h), high - h)
    s[PHASE] += 1.0
    if phase == 0:
        s[6] = value
        return False, centre - h
    if phase == 1:
        s[7] = value
        return False, centre + h
    if phase == 2:
        s[8] = value
        if search == NEWTON_1D:
            return False, centre
    if phase == 4:
        if value < s[6]:
            s[ANSWER] = x
        return True, x
    slope_here = (s[8] - s[7]) / (2.0 * h)
    s[10] += 1.0
    done = slope_here == 0.0 or s[10] > 100.0
    done = done or (x <= low and slope_here > 0.0) or (x >= high and slope_here < 0.0)
    if not done:
        if slope_here > 0.0:
            s[RIGHT] = x
        else:
            s[LEFT] = x
        if search == NEWTON_1D:
            curve = (s[7] - 2.0 * value + s[8]) / (h * h)
        elif math.isnan(s[9]):  # the secant's second point, a hundredth of the stroke on
            curve = abs(slope_here) / (0.01 * (high - low))
        else:
            curve = (slope_here - s[9]) / (x - s[11])
        x_next = x - slope_here / curve if curve > 0.0 else math.copysign(math.inf, -slope_here)
        a, b = s[LEFT], s[RIGHT]
        if not x_next > a:
            x_next = low if a == low and x > low and x_next < low else 0.5 * (a + b)
        elif not x_next < b:
            x_next = high if b == high and x < high and x_next > high else 0.5 * (a + b)
        done = abs(x_next - x) <= tolerance or b - a <= tolerance
        s[4], s[9], s[11] = x_next, slope_here, x
        x = x_next
    if done:
        s[PHASE] = 4.0
        return False, x
    s[PHASE] = 1.0
    return False, min(max(x, low + h), high - h) - h


@kernel
def next_child(
    n: int,
    bounds_in: Floats,
    normals_in: Floats,
    step: int,
    value: float,
    history_out: Floats,
    s: Floats,
    parent_io: Floats,
    l_io: Floats,
) -> bool:
    """(1+1)-ES with the rule of one success in five: take Psi of a child, make the next.

    A child is its parent plus sigma strokes times a row of `normals_in` (steps, N), moved into the
    bounds; the better one stays. Success multiplies sigma, s[0], by e^(1/3), failure by e^(-1/12).
    True at the end, with the best in `l_io`.
    """
    if step == 0 or value <= history_out[step - 1]:
        history_out[step] = value
        s[0] *= math.exp(1.0 / 3.0) if step > 0 else 1.0
        for i in range(n):
            parent_io[i] = l_io[i]
    else:
        history_out[step] = history_out[step - 1]
        s[0] *= math.exp(-1.0 / 12.0)
    done: bool = step == normals_in.shape[0]
    for i in range(n):
        low, high = bounds_in[0, i], bounds_in[1, i]
        l_io[i] = parent_io[i]
        if not done:
            l_io[i] += s[0] * (high - low) * normals_in[step, i]
            l_io[i] = min(max(l_io[i], low), high)
    return done


@kernel
def minimise_psi(
    link_i: Ints,
    link_f: Floats,
    seq_i: Ints,
    path_i: Ints,
    path_f: Floats,
    bounds_in: Floats,
    Y_in: Floats,
    weights_in: Floats,
    q_in: Floats,
    search: int,
    fk_tolerance: float,
    tolerance: float,
    normals_in: Floats,
    state: Floats,
    work: Floats,
    rows_work: Floats,
    history_out: Floats,
    q_out: Floats,
) -> tuple[int, int]:
    """Algorithm 4, one length after the other until Psi stalls, or the (1+1)-ES.

    From the lengths in the first row of `rows_work` (ROWS, N), see `begin`. Returns (status,
    iterations); `history_out` gets Psi at the start and after every sweep or step, and its size
    limits their number.
    """
    memory = work, views(link_i, work), state_views(link_i, seq_i, state)
    goal, n, l_now, s = (Y_in, weights_in), path_i[1], rows_work[0], rows_work[1]
    s[0] = SIGMA
    status, count = CONVERGED, 0
    i = n  # the length being searched; behind the last a sweep is over
    while True:
        value = psi(link_i, link_f, seq_i, path_i, path_f, goal, fk_tolerance, l_now, memory)
        if i < n:
            low, high = bounds_in[0, i], bounds_in[1, i]
            done, l_now[i] = next_point(search, low, high, tolerance, l_now[i], value, s)
            if done:
                l_now[i] = s[ANSWER]
                i += 1
                if i < n:
                    low, high = bounds_in[0, i], bounds_in[1, i]
                    l_now[i] = first_point(search, low, high, l_now[i], s)
            continue
        if count == 0 and not math.isfinite(value):
            return NO_START, 0
        if search == ONE_PLUS_ONE:
            if next_child(
                n, bounds_in, normals_in, count, value, history_out, s, rows_work[2], l_now
            ):
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
                l_now[0] = first_point(search, bounds_in[0, 0], bounds_in[1, 0], l_now[0], s)
        count += 1
    for k in range(q_in.shape[0]):
        q_out[k] = q_in[k]
    if fk_tolerance > 0.0:
        joints_of_state(link_i, link_f, memory[2], q_out)
    elif not stand_at(link_i, link_f, path_i, l_now, memory):
        return NO_START, count
    else:
        joints(link_i, link_f, memory[1][0], q_out)
    return status, count


@kernel
def slope(
    link_i: Ints,
    link_f: Floats,
    path_i: Ints,
    path_f: Floats,
    goal: tuple[Floats, Floats],
    place_in: Ints,
    l_in: Floats,
    memory: Memory,
    g_out: Floats,
) -> float:
    """F = 1/2 Psi^2 at given lengths and its exact gradient."""
    if not stand_at(link_i, link_f, path_i, l_in, memory):
        return math.inf
    work, parts, _ = memory
    Y, weights = goal
    ok, f = evaluate(link_i, link_f, path_i, path_f, place_in, Y, weights, work, parts)
    if not ok:
        return math.inf
    for i in range(path_i[1]):
        g_out[i] = work[GRADIENT + i]
    return f


@kernel
def turn_downhill(
    n: int, bounds_in: Floats, l_in: Floats, g_in: Floats, beta: float, d_io: Floats
) -> float:
    """D = beta d - g, but 0 where a length is at a bound and would leave it; returns g.d.

    Where such a length was moving before, the direction starts anew with beta = 0.
    """
    for i in range(n):
        out = bounds_in[0, i] if g_in[i] > 0.0 else bounds_in[1, i]
        if l_in[i] == out and d_io[i] != 0.0:
            beta = 0.0
    down = 0.0
    for i in range(n):
        out = bounds_in[0, i] if g_in[i] > 0.0 else bounds_in[1, i]
        d_io[i] = 0.0 if l_in[i] == out else beta * d_io[i] - g_in[i]
        down += d_io[i] * g_in[i]
    return down


@kernel
def go_along(
    n: int, bounds_in: Floats, l_in: Floats, s: float, d_in: Floats, l_out: Floats
) -> bool:
    """L + s d, cut off at the bounds; True if something was cut."""
    cut = False
    for i in range(n):
        free = l_in[i] + s * d_in[i]
        l_out[i] = min(max(free, bounds_in[0, i]), bounds_in[1, i])
        cut = cut or l_out[i] != free
    return cut


@kernel
def descend(
    link_i: Ints,
    link_f: Floats,
    seq_i: Ints,
    path_i: Ints,
    path_f: Floats,
    bounds_in: Floats,
    Y_in: Floats,
    weights_in: Floats,
    q_in: Floats,
    conjugate: int,
    tolerance: float,
    state: Floats,
    place_in: Ints,
    work: Floats,
    rows_work: Floats,
    history_out: Floats,
    q_out: Floats,
) -> tuple[int, int]:
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
    memory = work, views(link_i, work), state_views(link_i, seq_i, state)
    goal, n = (Y_in, weights_in), path_i[1]
    l_now, g_now, d, l_new, g, g_best = (
        rows_work[0], rows_work[1], rows_work[2], rows_work[3], rows_work[4], rows_work[5]
    )  # fmt: skip
    f = slope(link_i, link_f, path_i, path_f, goal, place_in, l_now, memory, g)
    if not math.isfinite(f):
        return NO_START, 0
    history_out[0] = math.sqrt(2.0 * f)
    for i in range(n):
        g_now[i] = g[i]
        d[i] = 0.0
    beta, s = 0.0, 0.5
    status, steps = OUT_OF_STEPS, 0
    for step in range(1, history_out.shape[0]):
        down = turn_downhill(n, bounds_in, l_now, g_now, beta, d)
        if down >= 0.0:
            down = turn_downhill(n, bounds_in, l_now, g_now, 0.0, d)
        f_new, s, cut = f, 2.0 * s, False
        for _ in range(60):
            cut = go_along(n, bounds_in, l_now, s, d, l_new)
            expected = 0.0
            for i in range(n):
                expected += g_now[i] * (l_new[i] - l_now[i])
            f_new = slope(link_i, link_f, path_i, path_f, goal, place_in, l_new, memory, g)
            if f_new <= f + 1e-4 * expected:
                break
            s *= 0.5
        if conjugate and not cut and f_new < f:
            there = 0.0
            for i in range(n):
                there += g[i] * d[i]
                g_best[i] = g[i]
            better = s * min(max(down / (down - there), 0.1), 10.0) if down < there else 2.0 * s
            go_along(n, bounds_in, l_now, better, d, l_new)
            f_better = slope(link_i, link_f, path_i, path_f, goal, place_in, l_new, memory, g)
            if f_better < f_new:
                f_new, s = f_better, better
            else:
                go_along(n, bounds_in, l_now, s, d, l_new)
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
    if steps > 0 and not stand_at(link_i, link_f, path_i, l_now, memory):
        return NO_START, steps
    for i in range(q_in.shape[0]):
        q_out[i] = q_in[i]
    joints(link_i, link_f, memory[1][0], q_out)
    return status, steps


def warm_up() -> None:
    """Compile what `sequential` and `methods` call, with the types they use, and nothing else.

    Arrays are writable and contiguous, but for a state's joint positions, which are read-only;
    here they are of a linkage without freedoms.
    """
    link_i, link_f = np.zeros(HEADER, dtype=np.int64), np.zeros(1)
    seq_i = np.zeros(SEQ_HEAD, dtype=np.int64)
    state, work = np.zeros(int(state_size(0, 0, 0, 0, 0))), np.zeros(int(work_size(0, 0, 0)))
    lengths_in, q_in, q_out = np.zeros(0), np.zeros(0), np.zeros(0)
    q_in.flags.writeable = False
    sequential_forward(link_i, link_f, seq_i, lengths_in, q_in, 0, 1e-10, state, q_out)
    path_i, path_f = np.zeros(PATH_HEAD, dtype=np.int64), np.zeros(12)
    path_f[[0, 5, 10]] = 1.0
    arrays = link_i, link_f, seq_i, path_i, path_f, np.zeros((2, N)), np.eye(4), np.ones(6), q_in
    history, iwork, rows = np.zeros(2), np.zeros(2 * N, dtype=np.int64), np.zeros((ROWS, N))
    begin(*arrays[:4], arrays[5], q_in, state, work, iwork, rows[0])
    minimise_psi(*arrays, GOLDEN, 1e-10, 1e-6, np.zeros((0, N)), state, work, rows, history, q_out)
    descend(*arrays, 1, 1e-6, state, iwork, work, rows, history, q_out)
