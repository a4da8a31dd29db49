"""Kernels of the MineRobot paper's forward kinematics: nested root finding, group by group.

Forward kinematics (Algorithm 3) takes the redundant groups one after the other. Each has one
driving variable theta, the others being locked, and f(theta) = l* is solved by Newton-Raphson with
a finite-difference derivative from where the machine stands. What f contains depends on the type:

- A, B: a slide or a hinge between the mounts, Eqs. (9) and (11);
- C: a four-bar, whose angles alpha, beta follow from theta by Newton-Raphson on Eq. (12);
- D: a four-bar and a hinge, held by a locked cylinder: alpha1, beta1 from Eq. (15), then alpha2,
  beta2 of the outer four-bar, whose last link is that cylinder, from Eq. (16).

Geometry is that of `kinematics.lengths`: plane motions z -> u z + t about places at home, so all
angles are 0 there. Locked joints between the mounts are multiplied out once for each solution.
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
    WHOLES,
    Record,
    Records,
    batch_kernel,
    entry,
    header,
    kernel,
    matrix,
    numbers,
    records,
)
from ...kinematics import STATUSES
from ...kinematics.kernels import (
    BAR_JOINT,
    CHAIN,
    DISAGREES,
    FOUR_BAR,
    LINKAGE,
    NO_SOLUTION,
    PARTNER_OUT,
    RING,
    SLACK,
    SLIDING,
    SOLVED,
    STEP,
    TURNING,
    VARIABLE,
    X,
    Y,
    Z,
    as_complex,
    check_bounds,
    put_complex,
    ring,
    variables_of,
)
from ...mechanism.kernels import copy
from .records import ITEP, PLANE_MOTION, SEQUENCE, IteType

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TYPE_A, TYPE_B, TYPE_C, TYPE_D = (kind.value for kind in IteType)
DIFFERENCE = 1e-6  # step of the outer derivative [rad, m]
INNER_DIFFERENCE = 1e-7  # step of the closures' derivatives [rad]
TURN = complex(math.cos(INNER_DIFFERENCE), math.sin(INNER_DIFFERENCE))
CLOSURE = 1e-2  # tolerance of a closure, as a part of the tolerance of a length
MAX_NEWTON = 50
FARTHEST = 0.25  # a Newton step of the driving angle is cut to this [rad]
LONGEST = math.pi  # a closure whose angle steps beyond half a turn has lost its way

Angles = tuple[float, float, float, float]


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
    bar: Record, theta: float, alpha: float, beta: float, tolerance: float
) -> tuple[bool, float, float, complex, complex, complex]:
    """Close a four-bar whose input stands at theta: (ok, alpha, beta, u_y, u_z, u_w)."""
    A, B0, C0, D = as_complex(bar.xy), as_complex(bar.yz), as_complex(bar.zw), as_complex(bar.wx)
    u_y = complex(math.cos(theta), math.sin(theta))
    ok, alpha, beta, u, v = close_loop(
        A + u_y * (B0 - A), u_y * (C0 - B0), u_y * (D - C0), D, alpha, beta, tolerance
    )
    return ok, alpha, beta, u_y, u_y * u, u_y * v


@kernel
def member_motion(
    bar: Record, index: int, u_y: complex, u_z: complex, u_w: complex
) -> tuple[complex, complex]:
    """Motion (u, t) of a four-bar's member relative to x."""
    A = as_complex(bar.xy)
    if index == X:
        return complex(1.0, 0.0), complex(0.0, 0.0)
    if index == Y:
        return u_y, A - u_y * A
    if index == Z:
        B0 = as_complex(bar.yz)
        return u_z, A + u_y * (B0 - A) - u_z * B0
    D = as_complex(bar.wx)
    return u_w, D - u_w * D


@kernel
def bar_motion(
    bar: Record, enter: int, leave: int, u_y: complex, u_z: complex, u_w: complex
) -> tuple[complex, complex]:
    """Motion (u, t) of member `leave` seen from member `enter`."""
    u2, t2 = member_motion(bar, leave, u_y, u_z, u_w)
    if enter == X:
        return u2, t2
    u1, t1 = member_motion(bar, enter, u_y, u_z, u_w)
    back = u1.conjugate()
    return back * u2, back * (t2 - t1)


@kernel
def store(motion: Record, u: complex, t: complex) -> None:
    """Write a plane motion."""
    put_complex(motion.u, u)
    put_complex(motion.t, t)


@kernel
def step_motion(
    link: Floats, number: int, theta: Floats, angles: Floats
) -> tuple[bool, complex, complex]:
    """Motion (u, t) of a step, as the machine stands; False where a four-bar cannot close.

    A four-bar stands as its row of `angles` says; where that has no rows, where its closed form
    puts it.
    """
    head = header(link, LINKAGE)
    step = records(link, head.steps, STEP)[number]
    P, sign, turn = as_complex(step.place), step.sign, theta[step.variable]
    if step.kind == SLIDING:
        return True, complex(1.0, 0.0), sign * turn * P
    u_y = complex(math.cos(turn), math.sin(turn))
    if step.kind == TURNING:
        u = u_y if sign > 0.0 else u_y.conjugate()
        return True, u, P - u * P
    which = records(link, head.variables, VARIABLE)[step.variable].four_bar
    bar = records(link, head.four_bars, FOUR_BAR)[which]
    ok = True
    if which < angles.shape[0]:
        turn += angles[which, 0]
        u_z = complex(math.cos(turn), math.sin(turn))
        turn += angles[which, 1]
        u_w = complex(math.cos(turn), math.sin(turn))
    else:
        ok, u_y, u_z, u_w = ring(bar, turn)
    u, t = bar_motion(bar, step.enter, step.leave, u_y, u_z, u_w)
    return ok, u, t


@kernel
def set_motions(
    link: Floats, act: int, theta: Floats, angles: Floats, motions_out: Records
) -> None:
    """Motions of all steps of an actuator's chain, as the machine stands."""
    chain = records(link, header(link, LINKAGE).chains, CHAIN)[act]
    for step in range(chain.first, chain.first + chain.count):
        _, u, t = step_motion(link, step, theta, angles)
        store(motions_out[step], u, t)


@kernel
def carried(motions_in: Records, first: int, last: int, p: complex) -> complex:
    """A point behind the steps first, ..., last - 1, seen from before them."""
    for step in range(last - 1, first - 1, -1):
        p = as_complex(motions_in[step].u) * p + as_complex(motions_in[step].t)
    return p


@kernel
def carried_back(motions_in: Records, first: int, last: int, p: complex) -> complex:
    """A point before the steps first, ..., last - 1, seen from behind them."""
    for step in range(first, last):
        p = as_complex(motions_in[step].u).conjugate() * (p - as_complex(motions_in[step].t))
    return p


@kernel
def turned(motions_in: Records, first: int, last: int) -> complex:
    """Rotation over the steps first, ..., last - 1."""
    u = complex(1.0, 0.0)
    for step in range(first, last):
        u = u * as_complex(motions_in[step].u)
    return u


@kernel
def distance(p: complex, t: complex, h2: float) -> float:
    """Length of a cylinder whose mounts are p and t in the plane, and h apart along its normal."""
    x, y = p.real - t.real, p.imag - t.imag
    return math.sqrt(x * x + y * y + h2)


@kernel
def length_now(
    link: Floats, act: int, theta: Floats, angles: Floats, motions_out: Records
) -> float:
    """Length of an actuator as the machine stands [m]."""
    set_motions(link, act, theta, angles, motions_out)
    chain = records(link, header(link, LINKAGE).chains, CHAIN)[act]
    p = carried(motions_out, chain.first, chain.first + chain.count, as_complex(chain.rod))
    return distance(p, as_complex(chain.tube), chain.height2)


@kernel
def itep_length(
    link: Floats, sequence: Floats, group: int, theta: float, now: Angles, tube: complex,
    rod: complex, tolerance: float, motions_work: Records,
) -> tuple[bool, float, Angles]:  # fmt: skip
    """f(theta) of a group's ITEP: (ok, length, the angles that close its loops).

    `now` holds (alpha, beta) of types C and D and (alpha2, beta2) of type D to start from.
    For types A to C, `tube` and `rod` are the mounts next to the moving step. For type D `tube`
    is the locked cylinder as a vector from its rod's mount to its tube's, in the rod's link.
    """
    head = header(link, LINKAGE)
    itep = records(sequence, header(sequence, SEQUENCE).iteps, ITEP)[group]
    chain, steps = records(link, head.chains, CHAIN)[itep.actuator], records(link, head.steps, STEP)
    if itep.type != TYPE_D:
        P, sign = as_complex(steps[itep.step].place), steps[itep.step].sign
        if itep.type == TYPE_A:
            return True, distance(rod + sign * theta * P, tube, chain.height2), now
        if itep.type == TYPE_B:
            u = complex(math.cos(theta), sign * math.sin(theta))
            return True, distance(u * (rod - P) + P, tube, chain.height2), now
    a1, b1, a2, b2 = now
    bar = records(link, head.four_bars, FOUR_BAR)[itep.four_bar]
    ok, a1, b1, u_y, u_z, u_w = close_bar(bar, theta, a1, b1, CLOSURE * tolerance)
    if not ok:
        return False, 0.0, now
    if itep.type == TYPE_C:
        u, t = bar_motion(bar, itep.enter, itep.leave, u_y, u_z, u_w)
        return True, distance(u * rod + t, tube, chain.height2), (a1, b1, a2, b2)
    held, own = itep.held, itep.own
    u, t = bar_motion(bar, held.enter, held.leave, u_y, u_z, u_w)
    store(motions_work[held.step], u, t)
    begin, c0, d0, end = outer_loop(link, sequence, group, tube, motions_work)
    ok, a2, b2, u, _ = close_loop(begin, c0, d0, end, a2, b2, CLOSURE * tolerance)
    if not ok:
        return False, 0.0, now
    if own.step >= 0:
        u1, t1 = bar_motion(bar, own.enter, own.leave, u_y, u_z, u_w)
        store(motions_work[own.step], u1, t1)
    if own.hinge >= 0:
        if steps[own.hinge].sign != steps[held.hinge].sign:
            u = u.conjugate()
        store(motions_work[own.hinge], u, begin - u * begin)
    p = carried(motions_work, chain.first, chain.first + chain.count, as_complex(chain.rod))
    return True, distance(p, as_complex(chain.tube), chain.height2), (a1, b1, a2, b2)


@kernel
def outer_loop(
    link: Floats, sequence: Floats, group: int, cylinder: complex, motions_in: Records
) -> tuple[complex, complex, complex, complex]:
    """The outer four-bar of type D, seen from the link before its hinge: see `close_loop`.

    From the hinge to the locked cylinder's rod mount, along the cylinder, to its tube mount.
    """
    head, iteps = header(link, LINKAGE), records(sequence, header(sequence, SEQUENCE).iteps, ITEP)
    itep = iteps[group]
    chain = records(link, head.chains, CHAIN)[iteps[itep.lock].actuator]
    hinge, last = itep.held.hinge, chain.first + chain.count
    P = as_complex(records(link, head.steps, STEP)[hinge].place)
    rod = carried(motions_in, hinge + 1, last, as_complex(chain.rod))
    end = carried_back(motions_in, chain.first, hinge, as_complex(chain.tube))
    return P, rod - P, turned(motions_in, hinge + 1, last) * cylinder, end


@kernel
def solve_itep(
    link: Floats, sequence: Floats, group: int, wanted: float, tolerance: float, state: Floats
) -> int:
    """Move a group to a length, all others being locked: the paper's phi, Eq. (7).

    The print has a bare Newton-Raphson. Over a long stroke that takes its first step so far that
    the closures, which start from where they stood, end in another assembly or nowhere; so a step
    of an angle is cut to FARTHEST.
    """
    head, order = header(link, LINKAGE), header(sequence, SEQUENCE)
    iteps, steps = records(sequence, order.iteps, ITEP), records(link, head.steps, STEP)
    itep, chains = iteps[group], records(link, head.chains, CHAIN)
    theta, angles = numbers(state, order.work.theta), matrix(state, order.work.angles)
    motions = records(state, order.work.motions, PLANE_MOTION)
    chain, act, bar = chains[itep.actuator], itep.actuator, itep.four_bar
    first, last = chain.first, chain.first + chain.count
    tube, rod = as_complex(chain.tube), as_complex(chain.rod)
    a1, b1, a2, sign = 0.0, 0.0, 0.0, 1.0
    if bar >= 0:
        a1, b1 = angles[bar, 0], angles[bar, 1]
    if itep.type != TYPE_D:
        if last - first > 1:
            set_motions(link, act, theta, angles, motions)
            tube = carried_back(motions, first, itep.step, tube)
            rod = carried(motions, itep.step + 1, last, rod)
    else:
        set_motions(link, act, theta, angles, motions)
        set_motions(link, iteps[itep.lock].actuator, theta, angles, motions)
        sign = steps[itep.held.hinge].sign
        a2 = sign * theta[itep.hinge]
        one = complex(1.0, 0.0)
        begin, c0, behind, end = outer_loop(link, sequence, group, one, motions)
        u = complex(math.cos(a2), math.sin(a2))
        tube = (end - begin - u * c0) * (u * behind).conjugate()
    x, now = theta[itep.variable], (a1, b1, a2, 0.0)
    ok, value, now = itep_length(link, sequence, group, x, now, tube, rod, tolerance, motions)
    for _ in range(MAX_NEWTON):
        if not ok:
            return NO_SOLUTION
        if abs(value - wanted) <= tolerance:
            theta[itep.variable] = x
            numbers(state, order.work.current)[group] = value
            if bar >= 0:
                angles[bar, 0], angles[bar, 1] = now[0], now[1]
            if itep.type == TYPE_D:
                theta[itep.hinge] = sign * now[2]
            return SOLVED
        ok, beside, _ = itep_length(
            link, sequence, group, x + DIFFERENCE, now, tube, rod, tolerance, motions
        )
        if not ok or not abs(beside - value) > 0.0:
            return NO_SOLUTION
        step = (value - wanted) * DIFFERENCE / (beside - value)
        if itep.type != TYPE_A:
            step = min(max(step, -FARTHEST), FARTHEST)
        x -= step
        ok, value, now = itep_length(link, sequence, group, x, now, tube, rod, tolerance, motions)
    return NO_SOLUTION


@kernel
def sequential_kernel(
    link: Floats, sequence: Floats, lengths_in: Floats, tolerance: float, state: Floats
) -> int:
    """Algorithm 3: move every group whose length is to change, one after the other.

    `state` holds a configuration: it is moved, to where it failed if it did.
    """
    order = header(sequence, SEQUENCE)
    iteps, current = records(sequence, order.iteps, ITEP), numbers(state, order.work.current)
    for group in range(iteps.shape[0]):
        act = iteps[group].actuator
        if abs(lengths_in[act] - current[group]) <= tolerance:
            continue
        status = solve_itep(link, sequence, group, lengths_in[act], tolerance, state)
        if status != SOLVED:
            failed: int = status + STATUSES * act
            return failed
    return SOLVED


@kernel
def set_state(link: Floats, sequence: Floats, q_in: Floats, state: Floats) -> None:
    """The configuration of joint positions: theta, alpha and beta, and the groups' lengths.

    The turns at a four-bar's pivots add up to nothing, which gives the one that closes it.
    """
    head, order = header(link, LINKAGE), header(sequence, SEQUENCE)
    theta, angles = numbers(state, order.work.theta), matrix(state, order.work.angles)
    four_bars, joints = (
        records(link, head.four_bars, FOUR_BAR),
        records(link, head.bar_joints, BAR_JOINT),
    )
    variables_of(link, q_in, theta)
    for number in range(four_bars.shape[0]):
        alpha, beta = math.nan, math.nan
        others = 0.0
        for k in range(3):
            joint = joints[four_bars[number].first_joint + k]
            turn = (q_in[joint.position] - joint.home) * joint.sign
            pivot = joint.before
            if joint.after != (pivot + 1) % 4:
                pivot, turn = joint.after, -turn
            others += turn
            if pivot == Y:
                alpha = turn
            elif pivot == Z:
                beta = turn
        angles[number, 0] = -others if math.isnan(alpha) else alpha
        angles[number, 1] = -others if math.isnan(beta) else beta
    iteps, current = records(sequence, order.iteps, ITEP), numbers(state, order.work.current)
    motions = records(state, order.work.motions, PLANE_MOTION)
    for group in range(iteps.shape[0]):
        current[group] = length_now(link, iteps[group].actuator, theta, angles, motions)


@kernel
def joints_of_state(link: Floats, sequence: Floats, state: Floats, q_io: Floats) -> None:
    """Positions of all joints that cylinders set; those of four-bars from their angles."""
    head, order = header(link, LINKAGE), header(sequence, SEQUENCE)
    theta, angles = numbers(state, order.work.theta), matrix(state, order.work.angles)
    variables, joints = (
        records(link, head.variables, VARIABLE),
        records(link, head.bar_joints, BAR_JOINT),
    )
    four_bars = records(link, head.four_bars, FOUR_BAR)
    for var in range(variables.shape[0]):
        variable = variables[var]
        if variable.kind != RING and variable.driven:
            q_io[variable.position] = variable.home + variable.sign * theta[var]
    for number in range(four_bars.shape[0]):
        bar = four_bars[number]
        if not variables[bar.variable].driven:
            continue
        y = theta[bar.variable]
        z = y + angles[number, 0]
        turns = (0.0, y, z, z + angles[number, 1])  # of the members x, y, z, w, from home
        for k in range(3):
            joint = joints[bar.first_joint + k]
            turn = turns[joint.after] - turns[joint.before]
            q_io[joint.position] = joint.home + joint.sign * turn


@kernel
def check_followers(
    link: Floats, sequence: Floats, lengths_in: Floats, given: int, tolerance: float,
    state: Floats,
) -> int:  # fmt: skip
    """Whether the partners' lengths follow, as given (if they are) and inside their bounds.

    As `check_partners` of the package's own forward kinematics, but with more slack where the
    tolerance is a coarse one.
    """
    slack = max(SLACK, 10.0 * tolerance)
    order, chains = header(sequence, SEQUENCE), records(link, header(link, LINKAGE).chains, CHAIN)
    theta, angles = numbers(state, order.work.theta), matrix(state, order.work.angles)
    motions = records(state, order.work.motions, PLANE_MOTION)
    for act in range(chains.shape[0]):
        chain = chains[act]
        if chain.leader == act:
            continue
        value = lengths_in[chain.leader]
        if not chain.twin:
            value = length_now(link, act, theta, angles, motions)
        if given and not abs(lengths_in[act] - value) <= slack:
            return DISAGREES + STATUSES * act
        if value < chain.lower - slack or value > chain.upper + slack:
            return PARTNER_OUT + STATUSES * act
    return SOLVED


@entry(VECTOR, VECTOR, VECTOR, FROZEN, WHOLE, NUMBER, VECTOR, VECTOR)
@kernel
def sequential_forward(
    link: Floats, sequence: Floats, lengths_in: Floats, q_in: Floats, given: int,
    tolerance: float, state: Floats, q_out: Floats,
) -> int:  # fmt: skip
    """Joint positions by Algorithm 3 from q_in on: 0, or a status and its actuator."""
    status = check_bounds(records(link, header(link, LINKAGE).chains, CHAIN), lengths_in, given)
    if status != SOLVED:
        return status
    set_state(link, sequence, q_in, state)
    status = sequential_kernel(link, sequence, lengths_in, tolerance, state)
    if status != SOLVED:
        return status
    status = check_followers(link, sequence, lengths_in, given, tolerance, state)
    if status != SOLVED:
        return status
    copy(q_in, q_out)
    joints_of_state(link, sequence, state, q_out)
    return SOLVED


@entry(VECTOR, VECTOR, MATRIX, MATRIX, NUMBER, VECTOR, MATRIX, WHOLES)
@batch_kernel
def sequential_rows(
    link: Floats, sequence: Floats, lengths_in: Floats, q_in: Floats, tolerance: float,
    state: Floats, q_out: Floats, status_out: Ints,
) -> None:  # fmt: skip
    """Algorithm 3 for every row of lengths, from the same row of q_in, without Python between."""
    for i in range(lengths_in.shape[0]):
        status_out[i] = sequential_forward(
            link, sequence, lengths_in[i], q_in[i], 1, tolerance, state, q_out[i]
        )
