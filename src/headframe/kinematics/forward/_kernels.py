"""Kernels of forward kinematics: block by block from lengths to driving variables to joints.

The linkage arrays are those of `lengths._kernels`. A block of one group over one freedom has a
closed form; any other is Newton's method with the exact Jacobian, started from a table of the
working branch so near to the solution that it cannot reach another one.

`work` is scratch memory of `work_size` doubles.
"""

from __future__ import annotations

import math

import numpy as np

from ...jit import batch_kernel, inlined_kernel, kernel
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
    BLOCKS_I,
    MAX_STEPS,
    MOTION_F,
    N_ACTS,
    N_BARS,
    N_BLOCKS,
    N_MOTIONS,
    N_VARS,
    RING,
    STEP_I,
    STEPS_I,
    VAR_F,
    VAR_I,
    VARS_F,
    VARS_I,
    Floats,
    Ints,
    length,
    length_rates,
    ring,
    turn,
)

# blocks: [operation, n, dimensions of its table, where its numbers start in link_f], then MAX
# each of variables, actuators, actuators of the table's dimensions, and sizes of the table, then
# the number of motions in these actuators' chains and the motions
MAX = 8
MAX_MOTIONS = 32
MOTIONS_AT = 4 + 4 * MAX
BLOCK_I = MOTIONS_AT + 1 + MAX_MOTIONS
CLOSED_TURN, CLOSED_SLIDE, NEWTON = 0, 1, 2

CHAIN = 6 * (MAX_STEPS + 1)
WORK = CHAIN + MAX * (MAX + 1)  # besides n_vars and MOTION_F n_motions

SOLVED, NOT_FINITE, OUT_OF_BOUNDS, DISAGREES, PARTNER_OUT, NO_SOLUTION, NOT_CONVERGED = range(7)
TOUCHING = 1e-8  # of a cosine or [m^2]: what SLACK makes of a bound that touches a dead centre
SLACK = 1e-9  # [m] by which a length may miss a bound or its partner
STATUSES = 16  # a result is status + STATUSES * actuator


@kernel
def work_size(n_vars: int, n_motions: int) -> int:
    """Doubles of scratch memory that `forward` and `walk` need."""
    return n_vars + MOTION_F * n_motions + WORK


@inlined_kernel
def views(link_i: Ints, work: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Scratch memory cut into variables, motions, a chain and a matrix."""
    n_vars = link_i[N_VARS]
    at = n_vars + MOTION_F * link_i[N_MOTIONS]
    matrix = work[at + CHAIN : at + WORK].reshape(MAX, MAX + 1)
    return work[:n_vars], work[n_vars:at], work[at : at + CHAIN], matrix


@kernel
def eliminate(A: Floats, n: int) -> bool:
    """Solve in place the n equations A[:, :n] x = A[:, n]; x ends in A[:, n]. False if singular."""
    if n == 1:
        if A[0, 0] == 0.0:
            return False
        A[0, 1] /= A[0, 0]
        return True
    if n == 2:
        det = A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]
        if det == 0.0:
            return False
        x = (A[0, 2] * A[1, 1] - A[0, 1] * A[1, 2]) / det
        A[1, 2] = (A[0, 0] * A[1, 2] - A[0, 2] * A[1, 0]) / det
        A[0, 2] = x
        return True
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if A[best, k] == 0.0:
            return False
        if best != k:
            for j in range(k, n + 1):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        for i in range(k + 1, n):
            factor = A[i, k] / A[k, k]
            for j in range(k + 1, n + 1):
                A[i, j] -= factor * A[k, j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            A[k, n] -= A[k, j] * A[j, n]
        A[k, n] /= A[k, k]
    return True


@inlined_kernel
def look_up(
    link_i: Ints,
    link_f: Floats,
    bi: int,
    lengths_in: Floats,
    weights_work: Floats,
    theta_out: Floats,
) -> None:
    """Variables of a block from its table, cubic between four nodes in every dimension.

    The numbers of a block begin with the shortest length and the nodes per metre of every
    dimension; the table follows, its first dimension running fastest.
    """
    n, dims, at = link_i[bi + 1], link_i[bi + 2], link_i[bi + 3]
    node, stride = at + 2 * dims, n
    stride_1, stride_2 = 0, 0
    for d in range(dims):
        act, size = link_i[bi + 4 + 2 * MAX + d], link_i[bi + 4 + 3 * MAX + d]
        place = (lengths_in[act] - link_f[at + 2 * d]) * link_f[at + 2 * d + 1]
        cell = min(max(int(place) - 1, 0), size - 4)
        u = place - cell
        a, b, c = u - 1.0, u - 2.0, u - 3.0
        weights_work[4 * d] = -a * b * c / 6.0
        weights_work[4 * d + 1] = 0.5 * u * b * c
        weights_work[4 * d + 2] = -0.5 * u * a * c
        weights_work[4 * d + 3] = u * a * b / 6.0
        node += stride * cell
        if d == 1:
            stride_1 = stride
        elif d == 2:
            stride_2 = stride
        stride *= size
    for k in range(n):
        theta_out[link_i[bi + 4 + k]] = 0.0
    for c in range(4 if dims > 2 else 1):
        for b in range(4 if dims > 1 else 1):
            weight = weights_work[8 + c] if dims > 2 else 1.0
            if dims > 1:
                weight *= weights_work[4 + b]
            row = node + c * stride_2 + b * stride_1
            for k in range(n):
                total = 0.0
                for a in range(4):
                    total += weights_work[a] * link_f[row + a * n + k]
                theta_out[link_i[bi + 4 + k]] += weight * total


@inlined_kernel
def newton_step(
    link_i: Ints,
    link_f: Floats,
    bi: int,
    lengths_in: Floats,
    theta_io: Floats,
    M_work: Floats,
    chain_work: Floats,
    A_work: Floats,
) -> tuple[bool, float]:
    """One Newton step on the variables of a block, and the largest part of it."""
    n = link_i[bi + 1]
    for k in range(link_i[bi + MOTIONS_AT]):
        if not turn(link_i, link_f, link_i[bi + MOTIONS_AT + 1 + k], theta_io, M_work):
            return False, 0.0
    for row in range(n):
        act = link_i[bi + 4 + MAX + row]
        for col in range(n):
            A_work[row, col] = 0.0
        A_work[row, n] = lengths_in[act] - length_rates(link_i, link_f, act, M_work, chain_work)
        ai = link_i[ACTS_I] + ACT_I * act
        for k in range(link_i[ai + 1]):
            var = link_i[link_i[STEPS_I] + STEP_I * (link_i[ai] + k) + 1]
            for col in range(n):
                if link_i[bi + 4 + col] == var:
                    A_work[row, col] += chain_work[6 * k + 5]
    if not eliminate(A_work, n):
        return False, 0.0
    largest = 0.0
    for col in range(n):
        theta_io[link_i[bi + 4 + col]] += A_work[col, n]
        largest = max(largest, abs(A_work[col, n]))
    return True, largest


@inlined_kernel
def newton(
    link_i: Ints,
    link_f: Floats,
    bi: int,
    lengths_in: Floats,
    theta_io: Floats,
    M_work: Floats,
    chain_work: Floats,
    A_work: Floats,
) -> int:
    """Newton's method from where the variables stand.

    It ends with a step below 1e-7: convergence is quadratic, so the next one would be of the
    order of its square, 1e-14.
    """
    for _ in range(20):
        ok, largest = newton_step(
            link_i, link_f, bi, lengths_in, theta_io, M_work, chain_work, A_work
        )
        if not ok or not largest < 1.0:
            return NO_SOLUTION
        if largest < 1e-7:
            return SOLVED
    return NOT_CONVERGED


@inlined_kernel
def closed_form(link_i: Ints, link_f: Floats, bi: int, lengths_in: Floats, theta_io: Floats) -> int:
    """Set the variable of a block of one group over one freedom.

    Over one hinge, l^2 = k0 + k1 cos(delta + psi): delta is the turn from home and psi the angle
    between the two arms there, whose sign tells the side. Over one slide, l^2 = (theta + b)^2 +
    c: theta = -b +- sqrt(l^2 - c), with the sign of b.
    """
    at, l = link_i[bi + 3], lengths_in[link_i[bi + 4 + MAX]]
    if link_i[bi] == CLOSED_TURN:
        x = (l * l - link_f[at]) * link_f[at + 1]
        if not -1.0 <= x <= 1.0:
            if not abs(x) <= 1.0 + TOUCHING:
                return NO_SOLUTION
            x = math.copysign(1.0, x)
        theta_io[link_i[bi + 4]] = link_f[at + 3] * math.acos(x) - link_f[at + 2]
        return SOLVED
    root = l * l - link_f[at]
    if not root >= 0.0:
        if not root >= -TOUCHING:
            return NO_SOLUTION
        root = 0.0
    theta_io[link_i[bi + 4]] = link_f[at + 1] * math.sqrt(root) - link_f[at + 2]
    return SOLVED


@inlined_kernel
def solve_block(
    link_i: Ints,
    link_f: Floats,
    block: int,
    lengths_in: Floats,
    theta_io: Floats,
    M_work: Floats,
    chain_work: Floats,
    A_work: Floats,
) -> int:
    """Set the variables of one block; those it needs are set already."""
    bi = link_i[BLOCKS_I] + BLOCK_I * block
    if link_i[bi] != NEWTON:
        return closed_form(link_i, link_f, bi, lengths_in, theta_io)
    look_up(link_i, link_f, bi, lengths_in, chain_work, theta_io)
    return newton(link_i, link_f, bi, lengths_in, theta_io, M_work, chain_work, A_work)


@kernel
def set_block(
    link_i: Ints,
    link_f: Floats,
    block: int,
    lengths_in: Floats,
    theta_io: Floats,
    M_work: Floats,
    chain_work: Floats,
    A_work: Floats,
) -> int:
    """`solve_block`, compiled once, for kernels that are in no hurry."""
    return solve_block(link_i, link_f, block, lengths_in, theta_io, M_work, chain_work, A_work)


@kernel
def walk(
    link_i: Ints,
    link_f: Floats,
    block: int,
    from_in: Floats,
    to_in: Floats,
    max_turn: float,
    lengths_work: Floats,
    work: Floats,
    theta_work: Floats,
    theta_io: Floats,
) -> float:
    """Straight-line continuation of a block from lengths `from_in` to `to_in`.

    Parts of the way are taken only if Newton's method converges without moving a variable by
    more than `max_turn`, and the way's two halves end in the same place; otherwise they are
    halved. The blocks that this one needs are solved first. Returns the fraction of the way that
    exists; the variables are left at its end.
    """
    n_vars, n_acts = link_i[N_VARS], link_i[N_ACTS]
    _, M, chain, A = views(link_i, work)
    trial, half = theta_work[0], theta_work[1]
    done, part = 0.0, 1.0
    while done < 1.0:
        part = min(part, 1.0 - done)
        trial[:] = theta_io
        half[:] = theta_io
        good = True
        for attempt in range(3):  # the whole part, then its two halves
            reached = done + (0.5 * part if attempt == 1 else part)
            for act in range(n_acts):
                lengths_work[act] = from_in[act] + reached * (to_in[act] - from_in[act])
            now = trial if attempt == 0 else half
            for other in range(block):
                if set_block(link_i, link_f, other, lengths_work, now, M, chain, A) != SOLVED:
                    good = False
            bi = link_i[BLOCKS_I] + BLOCK_I * block
            if not good or newton(link_i, link_f, bi, lengths_work, now, M, chain, A) != SOLVED:
                good = False
                break
        for var in range(n_vars):
            if abs(trial[var] - theta_io[var]) > max_turn or abs(trial[var] - half[var]) > 1e-9:
                good = False
        if good:
            theta_io[:] = trial
            done += part
            part *= 2.0
        else:
            part *= 0.5
            if part < 1e-6:
                return done
    return 1.0


@kernel
def joints(link_i: Ints, link_f: Floats, theta_in: Floats, q_out: Floats) -> bool:
    """Positions of all joints that cylinders set."""
    for var in range(link_i[N_VARS]):
        vi, vf = link_i[VARS_I] + VAR_I * var, link_i[VARS_F] + VAR_F * var
        if link_i[vi] != RING and link_i[vi + 3]:
            q_out[link_i[vi + 1]] = link_f[vf] + link_f[vf + 1] * theta_in[var]
    for bar in range(link_i[N_BARS]):
        bi, bf = link_i[BARS_I] + BAR_I * bar, link_i[BARS_F] + BAR_F * bar
        var = link_i[bi + BAR_VARIABLE]
        if not link_i[link_i[VARS_I] + VAR_I * var + 3]:
            continue
        ok, u_y, u_z, u_w = ring(link_f, bf, theta_in[var])
        if not ok:
            return False
        for k in range(3):
            before, after = link_i[bi + 3 * k + 1], link_i[bi + 3 * k + 2]
            at = bf + BAR_JOINTS_F + 3 * k
            if before + after == 1:  # the pivot xy, whose angle is the variable
                angle = theta_in[var] if after == 1 else -theta_in[var]
                q_out[link_i[bi + 3 * k]] = link_f[at] + link_f[at + 1] * angle
                continue
            u = u_y if after == 1 else (u_z if after == 2 else u_w)
            if after == 0:
                u = complex(1.0, 0.0)
            if before == 1:
                u = u * u_y.conjugate()
            elif before == 2:
                u = u * u_z.conjugate()
            elif before == 3:
                u = u * u_w.conjugate()
            middle = link_f[at + 2]
            if middle != 0.0:
                u = u * complex(math.cos(middle), -math.sin(middle))
            angle = math.atan2(u.imag, u.real) + middle
            q_out[link_i[bi + 3 * k]] = link_f[at] + link_f[at + 1] * angle
    return True


@inlined_kernel
def check_bounds(link_i: Ints, link_f: Floats, lengths_in: Floats, given: int) -> int:
    """Whether the given lengths are finite and inside their bounds; `given` 1: partners too."""
    ai, af = link_i[ACTS_I], link_i[ACTS_F] + 5
    for act in range(link_i[N_ACTS]):
        l = lengths_in[act]
        inside = link_f[af] - SLACK <= l <= link_f[af + 1] + SLACK
        if not inside and (given or link_i[ai + 2] == act):
            return (OUT_OF_BOUNDS if math.isfinite(l) else NOT_FINITE) + STATUSES * act
        ai += ACT_I
        af += ACT_F
    return SOLVED


@kernel
def check_partners(
    link_i: Ints,
    link_f: Floats,
    lengths_in: Floats,
    given: int,
    theta_in: Floats,
    M_work: Floats,
    chain_work: Floats,
) -> int:
    """Whether the partners' lengths follow, as given (if they are) and inside their bounds."""
    ai, af = link_i[ACTS_I], link_i[ACTS_F] + 5
    for act in range(link_i[N_ACTS]):
        first = link_i[ai + 2]
        if first != act:
            l = lengths_in[first]
            if not link_i[ai + 3]:
                _, l = length(link_i, link_f, act, theta_in, M_work, chain_work)
            if given and not abs(lengths_in[act] - l) <= SLACK:
                return DISAGREES + STATUSES * act
            if l < link_f[af] - SLACK or l > link_f[af + 1] + SLACK:
                return PARTNER_OUT + STATUSES * act
            leads = lengths_in[first]
            if leads < link_f[af + 2] - SLACK or leads > link_f[af + 3] + SLACK:
                return PARTNER_OUT + STATUSES * act
        ai += ACT_I
        af += ACT_F
    return SOLVED


@inlined_kernel
def start(link_i: Ints, link_f: Floats, q_in: Floats, theta_out: Floats) -> None:
    """Driving variables of joint positions.

    Once around a four-bar the turns add up to nothing, so the turn at the pivot that closes it,
    which has no position, is minus the sum of the other three.
    """
    for var in range(link_i[N_VARS]):
        vi, vf = link_i[VARS_I] + VAR_I * var, link_i[VARS_F] + VAR_F * var
        if link_i[vi + 1] >= 0:
            theta_out[var] = (q_in[link_i[vi + 1]] - link_f[vf]) * link_f[vf + 1]
            continue
        theta_out[var] = 0.0
        bi = link_i[BARS_I] + BAR_I * link_i[vi + 2]
        bf = link_i[BARS_F] + BAR_F * link_i[vi + 2] + BAR_JOINTS_F
        for k in range(3):
            turned = (q_in[link_i[bi + 3 * k]] - link_f[bf + 3 * k]) * link_f[bf + 3 * k + 1]
            along = link_i[bi + 3 * k + 2] == (link_i[bi + 3 * k + 1] + 1) % 4
            theta_out[var] -= turned if along else -turned


@kernel
def forward_with(
    link_i: Ints,
    link_f: Floats,
    lengths_in: Floats,
    q_in: Floats,
    given: int,
    parts: tuple[Floats, Floats, Floats, Floats],
    q_out: Floats,
) -> int:
    """`forward` with scratch memory that is cut already."""
    status = check_bounds(link_i, link_f, lengths_in, given)
    if status != SOLVED:
        return status
    theta, M, chain, A = parts
    start(link_i, link_f, q_in, theta)
    for block in range(link_i[N_BLOCKS]):
        status = solve_block(link_i, link_f, block, lengths_in, theta, M, chain, A)
        if status != SOLVED:
            act = link_i[link_i[BLOCKS_I] + BLOCK_I * block + 4 + MAX]
            return int(status + STATUSES * act)
    status = check_partners(link_i, link_f, lengths_in, given, theta, M, chain)
    if status != SOLVED:
        return status
    for i in range(q_in.shape[0]):
        q_out[i] = q_in[i]
    if not joints(link_i, link_f, theta, q_out):
        return NO_SOLUTION
    return SOLVED


@kernel
def forward(
    link_i: Ints,
    link_f: Floats,
    lengths_in: Floats,
    q_in: Floats,
    given: int,
    work: Floats,
    q_out: Floats,
) -> int:
    """Joint positions of actuator lengths: 0, or a status and which actuator it is about.

    `q_in` gives the joints that no cylinder moves. `given` is 0 where only the first members'
    lengths count.
    """
    return forward_with(link_i, link_f, lengths_in, q_in, given, views(link_i, work), q_out)


@kernel
def tabulate(
    link_i: Ints,
    link_f: Floats,
    block: int,
    sizes_in: Ints,
    lengths_work: Floats,
    work: Floats,
    table_out: Floats,
) -> bool:
    """Variables of a block at the nodes of a grid over its lengths, from the table it has."""
    theta, M, chain, A = views(link_i, work)
    bi = link_i[BLOCKS_I] + BLOCK_I * block
    n, dims, count = link_i[bi + 1], link_i[bi + 2], 1
    for d in range(dims):
        count *= sizes_in[d]
    for node in range(count):
        rest = node
        for d in range(dims):
            act = link_i[bi + 4 + 2 * MAX + d]
            af = link_i[ACTS_F] + ACT_F * act
            part = (rest % sizes_in[d]) / (sizes_in[d] - 1)
            lengths_work[act] = link_f[af + 5] + part * (link_f[af + 6] - link_f[af + 5])
            rest //= sizes_in[d]
        for other in range(block + 1):
            if set_block(link_i, link_f, other, lengths_work, theta, M, chain, A) != SOLVED:
                return False
        for k in range(n):
            table_out[n * node + k] = theta[link_i[bi + 4 + k]]
    return True


@batch_kernel
def forward_batch(
    link_i: Ints,
    link_f: Floats,
    lengths_in: Floats,
    q_in: Floats,
    given: int,
    work: Floats,
    q_out: Floats,
    status_out: Ints,
) -> None:
    """`forward` for every row of lengths_in (n, n_actuators)."""
    parts = views(link_i, work)
    for i in range(lengths_in.shape[0]):
        status_out[i] = forward_with(link_i, link_f, lengths_in[i], q_in, given, parts, q_out[i])


def warm_up() -> None:
    """Compile what the public functions call, with the types they use, on a linkage of nothing."""
    link_i, link_f = np.zeros(256, dtype=np.int64), np.zeros(16)
    lengths_in, theta, work = np.zeros(1), np.zeros(1), np.zeros(work_size(1, 1))
    q_in, q_out = np.zeros(1), np.zeros(1)
    q_in.flags.writeable = False
    _, M, chain, A = views(link_i, work)
    forward(link_i, link_f, lengths_in, q_in, 0, work, q_out)
    forward_batch(
        link_i, link_f, np.zeros((1, 1)), q_in, 0, work, np.zeros((1, 1)),
        np.zeros(1, dtype=np.int64),
    )  # fmt: skip
    joints(link_i, link_f, theta, q_out)
    set_block(link_i, link_f, 0, lengths_in, theta, M, chain, A)
    newton_step(link_i, link_f, 0, lengths_in, theta, M, chain, A)
    walk(
        link_i, link_f, 0, lengths_in, lengths_in.copy(), 0.1, np.zeros(1), work,
        np.zeros((2, 1)), theta,
    )  # fmt: skip
    tabulate(link_i, link_f, 0, np.ones(MAX, dtype=np.int64), lengths_in, work, np.zeros(1))
