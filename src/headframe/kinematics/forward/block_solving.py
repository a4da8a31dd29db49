"""Kernels of forward kinematics: block by block from lengths to driving variables to joints.

A block of one group over one freedom has a closed form; any other is Newton's method with the
exact Jacobian, started from a table of the working branch so near to the solution that it cannot
reach another one.
"""

from __future__ import annotations

import math

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
    inlined_kernel,
    kernel,
    matrix,
    numbers,
    records,
)
from ..lengths import RING, X, Y, Z, length, rates_of, ring, turn
from ..records import (
    BAR_JOINT,
    BLOCK,
    CHAIN,
    CHAIN_STEP,
    FOUR_BAR,
    LINKAGE,
    MOTION,
    STEP,
    VARIABLE,
    Floats,
    Ints,
    Operation,
)
from ..small_matrices import copy, eliminate
from .status import STATUSES, ForwardStatus

CLOSED_TURN, CLOSED_SLIDE, NEWTON = (operation.value for operation in Operation)
SOLVED, NOT_FINITE, OUT_OF_BOUNDS, DISAGREES, PARTNER_OUT, NO_SOLUTION, NOT_CONVERGED = (
    status.value for status in ForwardStatus
)
TOUCHING = 1e-8  # of a cosine or [m^2]: what SLACK makes of a bound that touches a dead centre
MOST_NEWTON_STEPS = 20
SLACK = 1e-9  # [m] by which a length may miss a bound or its partner


@inlined_kernel
def look_up(
    link: Floats, block: Record, lengths_in: Floats, weights: Floats, theta_out: Floats
) -> None:
    """Variables of a block from its table, cubic between four nodes in every dimension."""
    tables = numbers(link, header(link, LINKAGE).tables)
    n, dims = block.n, block.dims
    node, stride = block.table, n
    stride_1, stride_2 = 0, 0
    for d in range(dims):
        size = block.sizes[d]
        place = (lengths_in[block.table_actuators[d]] - block.shortest[d]) * block.density[d]
        cell = min(max(int(place) - 1, 0), size - 4)
        u = place - cell
        a, b, c = u - 1.0, u - 2.0, u - 3.0
        weights[d, 0] = -a * b * c / 6.0
        weights[d, 1] = 0.5 * u * b * c
        weights[d, 2] = -0.5 * u * a * c
        weights[d, 3] = u * a * b / 6.0
        node += stride * cell
        if d == 1:
            stride_1 = stride
        elif d == 2:
            stride_2 = stride
        stride *= size
    for k in range(n):
        theta_out[block.variables[k]] = 0.0
    for c in range(4 if dims > 2 else 1):
        for b in range(4 if dims > 1 else 1):
            weight = weights[2, c] if dims > 2 else 1.0
            if dims > 1:
                weight *= weights[1, b]
            row = node + c * stride_2 + b * stride_1
            for k in range(n):
                total = 0.0
                for a in range(4):
                    total += weights[0, a] * tables[row + a * n + k]
                theta_out[block.variables[k]] += weight * total


@inlined_kernel
def set_equations(
    link: Floats, block: Record, lengths_in: Floats, theta_in: Floats, motions: Records,
    chain: Records, A_out: Floats,
) -> bool:  # fmt: skip
    """Jacobian of a block's lengths over its variables, and behind it what the lengths miss.

    False where a four-bar cannot close.
    """
    head = header(link, LINKAGE)
    chains, steps = records(link, head.chains, CHAIN), records(link, head.steps, STEP)
    n = block.n
    for k in range(block.n_motions):
        if not turn(link, block.motions[k], theta_in, motions):
            return False
    for row in range(n):
        act = block.actuators[row]
        for col in range(n):
            A_out[row, col] = 0.0
        A_out[row, n] = lengths_in[act] - rates_of(link, act, motions, chain)
        way = chains[act]
        for k in range(way.count):
            var = steps[way.first + k].variable
            for col in range(n):
                if block.variables[col] == var:
                    A_out[row, col] += chain[k].slope
    return True


@inlined_kernel
def newton_step(
    link: Floats, block: Record, lengths_in: Floats, theta_io: Floats, motions: Records,
    chain: Records, A: Floats,
) -> tuple[bool, float]:  # fmt: skip
    """One Newton step on the variables of a block, and the largest part of it."""
    if not set_equations(link, block, lengths_in, theta_io, motions, chain, A):
        return False, 0.0
    if not eliminate(A, block.n):
        return False, 0.0
    largest = 0.0
    for col in range(block.n):
        theta_io[block.variables[col]] += A[col, block.n]
        largest = max(largest, abs(A[col, block.n]))
    return True, largest


@inlined_kernel
def newton(
    link: Floats, block: Record, lengths_in: Floats, theta_io: Floats, motions: Records,
    chain: Records, A: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Newton's method from where the variables stand: its status and its steps.

    It ends with a step below 1e-7: convergence is quadratic, so the next one would be of the
    order of its square, 1e-14.
    """
    for steps in range(1, MOST_NEWTON_STEPS + 1):
        ok, largest = newton_step(link, block, lengths_in, theta_io, motions, chain, A)
        if not ok or not largest < 1.0:
            return NO_SOLUTION, steps
        if largest < 1e-7:
            return SOLVED, steps
    return NOT_CONVERGED, MOST_NEWTON_STEPS


@inlined_kernel
def closed_form(block: Record, lengths_in: Floats, theta_io: Floats) -> int:
    """Set the variable of a block of one group over one freedom.

    Over one hinge, l^2 = k0 + k1 cos(delta + psi): delta is the turn from home and psi the angle
    between the two arms there, whose sign tells the side; constant is k0, scale 1 / k1 and shift
    psi. Over one slide, l^2 = (theta + b)^2 + c: theta = -b +- sqrt(l^2 - c), with the sign of b;
    constant is c and shift b.
    """
    l, variable = lengths_in[block.actuators[0]], block.variables[0]
    if block.operation == CLOSED_TURN:
        x = (l * l - block.constant) * block.scale
        if not -1.0 <= x <= 1.0:
            if not abs(x) <= 1.0 + TOUCHING:
                return NO_SOLUTION
            x = math.copysign(1.0, x)
        theta_io[variable] = block.side * math.acos(x) - block.shift
        return SOLVED
    root = l * l - block.constant
    if not root >= 0.0:
        if not root >= -TOUCHING:
            return NO_SOLUTION
        root = 0.0
    theta_io[variable] = block.side * math.sqrt(root) - block.shift
    return SOLVED


@inlined_kernel
def solve_block(
    link: Floats, number: int, lengths_in: Floats, theta_io: Floats, motions: Records,
    chain: Records, A: Floats, weights: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Set the variables of one block, those it needs being set already: its status and steps."""
    block = records(link, header(link, LINKAGE).blocks, BLOCK)[number]
    if block.operation != NEWTON:
        return closed_form(block, lengths_in, theta_io), 0
    look_up(link, block, lengths_in, weights, theta_io)
    return newton(link, block, lengths_in, theta_io, motions, chain, A)


@kernel
def set_block(
    link: Floats, number: int, lengths_in: Floats, theta_io: Floats, motions: Records,
    chain: Records, A: Floats, weights: Floats,
) -> int:  # fmt: skip
    """`solve_block`, compiled once, for kernels that are in no hurry."""
    return solve_block(link, number, lengths_in, theta_io, motions, chain, A, weights)[0]


# What follows works on the variables in scratch memory.


@entry(VECTOR, WHOLE, VECTOR, VECTOR)
@kernel
def block_steps(link: Floats, number: int, lengths_in: Floats, work: Floats) -> tuple[int, int]:
    """Set the variables of one block: its status, and the steps of Newton's method."""
    at = header(link, LINKAGE).work
    return solve_block(
        link, number, lengths_in, numbers(work, at.theta), records(work, at.motions, MOTION),
        records(work, at.chain, CHAIN_STEP), matrix(work, at.A), matrix(work, at.weights),
    )  # fmt: skip


@entry(VECTOR, WHOLE, VECTOR, VECTOR)
@kernel
def set_blocks(link: Floats, count: int, lengths_in: Floats, work: Floats) -> bool:
    """Set the variables of the first blocks; False if one has no solution."""
    for number in range(count):
        status, _ = block_steps(link, number, lengths_in, work)
        if status != SOLVED:
            return False
    return True


@entry(VECTOR, WHOLE, VECTOR, VECTOR)
@kernel
def block_equations(link: Floats, number: int, lengths_in: Floats, work: Floats) -> bool:
    """`set_equations` of a block."""
    head, at = header(link, LINKAGE), header(link, LINKAGE).work
    return set_equations(
        link, records(link, head.blocks, BLOCK)[number], lengths_in, numbers(work, at.theta),
        records(work, at.motions, MOTION), records(work, at.chain, CHAIN_STEP), matrix(work, at.A),
    )  # fmt: skip


@entry(VECTOR, WHOLE, VECTOR, VECTOR, NUMBER, VECTOR)
@kernel
def walk(
    link: Floats, number: int, from_in: Floats, to_in: Floats, max_turn: float, work: Floats
) -> float:
    """Straight-line continuation of a block from lengths `from_in` to `to_in`.

    Parts of the way are taken only if Newton's method converges without moving a variable by
    more than `max_turn`, and the way's two halves end in the same place; otherwise they are
    halved. The blocks that this one needs are solved first. Returns the fraction of the way that
    exists; the variables are left at its end.
    """
    at = header(link, LINKAGE).work
    theta, begin, end = numbers(work, at.theta), numbers(work, at.begin), numbers(work, at.end)
    done, share = 0.0, 1.0
    while done < 1.0:
        share = min(share, 1.0 - done)
        copy(theta, begin)
        good = walk_to(link, number, from_in, to_in, done + share, work)
        copy(theta, end)
        copy(begin, theta)
        for part in (0.5, 1.0):
            good = good and walk_to(link, number, from_in, to_in, done + part * share, work)
        for var in range(theta.shape[0]):
            if abs(end[var] - begin[var]) > max_turn or abs(end[var] - theta[var]) > 1e-9:
                good = False
        if good:
            copy(end, theta)
            done += share
            share *= 2.0
        else:
            copy(begin, theta)
            share *= 0.5
            if share < 1e-6:
                return done
    return 1.0


@kernel
def walk_to(
    link: Floats, number: int, from_in: Floats, to_in: Floats, place: float, work: Floats
) -> bool:
    """Newton's method for a block at a place of a way, 0 to 1, from where its variables stand."""
    head, at = header(link, LINKAGE), header(link, LINKAGE).work
    block, lengths = records(link, head.blocks, BLOCK)[number], numbers(work, at.lengths)
    for act in range(lengths.shape[0]):
        lengths[act] = from_in[act] + place * (to_in[act] - from_in[act])
    if not set_blocks(link, number, lengths, work):
        return False
    status, _ = newton(
        link, block, lengths, numbers(work, at.theta), records(work, at.motions, MOTION),
        records(work, at.chain, CHAIN_STEP), matrix(work, at.A),
    )  # fmt: skip
    return bool(status == SOLVED)


@inlined_kernel
def member_turn(member: int, u_y: complex, u_z: complex, u_w: complex) -> complex:
    """How far a four-bar's member is turned from home."""
    if member == X:
        return complex(1.0, 0.0)
    return u_y if member == Y else (u_z if member == Z else u_w)


@entry(VECTOR, VECTOR, VECTOR)
@kernel
def joints(link: Floats, theta_in: Floats, q_out: Floats) -> bool:
    """Positions of all joints that cylinders set."""
    head = header(link, LINKAGE)
    variables = records(link, head.variables, VARIABLE)
    four_bars = records(link, head.four_bars, FOUR_BAR)
    bar_joints = records(link, head.bar_joints, BAR_JOINT)
    for var in range(variables.shape[0]):
        variable = variables[var]
        if variable.kind != RING and variable.driven:
            q_out[variable.position] = variable.home + variable.sign * theta_in[var]
    for number in range(four_bars.shape[0]):
        bar = four_bars[number]
        if not variables[bar.variable].driven:
            continue
        theta = theta_in[bar.variable]
        ok, u_y, u_z, u_w = ring(bar, theta)
        if not ok:
            return False
        for k in range(3):
            joint = bar_joints[bar.first_joint + k]
            if joint.before + joint.after == 1:  # the pivot xy, whose angle is the variable
                angle = theta if joint.after == Y else -theta
            else:
                u = member_turn(joint.after, u_y, u_z, u_w)
                if joint.before != X:
                    u = u * member_turn(joint.before, u_y, u_z, u_w).conjugate()
                if joint.middle != 0.0:
                    u = u * complex(math.cos(joint.middle), -math.sin(joint.middle))
                angle = math.atan2(u.imag, u.real) + joint.middle
            q_out[joint.position] = joint.home + joint.sign * angle
    return True


@inlined_kernel
def check_bounds(chains: Records, lengths_in: Floats, given: int) -> int:
    """Whether the given lengths are finite and inside their bounds; `given` 1: partners too."""
    for act in range(chains.shape[0]):
        chain, l = chains[act], lengths_in[act]
        inside = chain.lower - SLACK <= l <= chain.upper + SLACK
        if not inside and (given or chain.leader == act):
            return (OUT_OF_BOUNDS if math.isfinite(l) else NOT_FINITE) + STATUSES * act
    return SOLVED


@kernel
def check_partners(
    link: Floats, lengths_in: Floats, given: int, theta_in: Floats, motions: Records,
    chain_work: Records,
) -> int:  # fmt: skip
    """Whether the partners' lengths follow, as given (if they are) and inside their bounds."""
    chains = records(link, header(link, LINKAGE).chains, CHAIN)
    for act in range(chains.shape[0]):
        chain = chains[act]
        if chain.leader == act:
            continue
        leads = lengths_in[chain.leader]
        l = leads
        if not chain.twin:
            _, l = length(link, act, theta_in, motions, chain_work)
        if given and not abs(lengths_in[act] - l) <= SLACK:
            return DISAGREES + STATUSES * act
        if l < chain.lower - SLACK or l > chain.upper + SLACK:
            return PARTNER_OUT + STATUSES * act
        if leads < chain.leader_lower - SLACK or leads > chain.leader_upper + SLACK:
            return PARTNER_OUT + STATUSES * act
    return SOLVED


@entry(VECTOR, FROZEN, VECTOR)
@kernel
def start(link: Floats, q_in: Floats, theta_out: Floats) -> None:
    """`variables_of`, compiled once, for who is in no hurry."""
    variables_of(link, q_in, theta_out)


@inlined_kernel
def variables_of(link: Floats, q_in: Floats, theta_out: Floats) -> None:
    """Driving variables of joint positions.

    Once around a four-bar the turns add up to nothing, so the turn at the pivot that closes it,
    which has no position, is minus the sum of the other three.
    """
    head = header(link, LINKAGE)
    variables = records(link, head.variables, VARIABLE)
    four_bars = records(link, head.four_bars, FOUR_BAR)
    bar_joints = records(link, head.bar_joints, BAR_JOINT)
    for var in range(variables.shape[0]):
        variable = variables[var]
        if variable.position >= 0:
            theta_out[var] = (q_in[variable.position] - variable.home) * variable.sign
            continue
        total, bar = 0.0, four_bars[variable.four_bar]
        for k in range(3):
            joint = bar_joints[bar.first_joint + k]
            turned = (q_in[joint.position] - joint.home) * joint.sign
            total -= turned if joint.after == (joint.before + 1) % 4 else -turned
        theta_out[var] = total


@entry(VECTOR, VECTOR, FROZEN, WHOLE, VECTOR, VECTOR)
@kernel
def forward(
    link: Floats, lengths_in: Floats, q_in: Floats, given: int, work: Floats, q_out: Floats
) -> int:
    """Joint positions of actuator lengths: 0, or a status and which actuator it is about.

    `q_in` gives the joints that no cylinder moves. `given` is 0 where only the first members'
    lengths count.
    """
    head, at = header(link, LINKAGE), header(link, LINKAGE).work
    blocks = records(link, head.blocks, BLOCK)
    status = check_bounds(records(link, head.chains, CHAIN), lengths_in, given)
    if status != SOLVED:
        return status
    theta, A, weights = numbers(work, at.theta), matrix(work, at.A), matrix(work, at.weights)
    motions, chain = records(work, at.motions, MOTION), records(work, at.chain, CHAIN_STEP)
    variables_of(link, q_in, theta)
    for number in range(blocks.shape[0]):
        status, _ = solve_block(link, number, lengths_in, theta, motions, chain, A, weights)
        if status != SOLVED:
            return int(status + STATUSES * blocks[number].actuators[0])
    status = check_partners(link, lengths_in, given, theta, motions, chain)
    if status != SOLVED:
        return status
    copy(q_in, q_out)
    return SOLVED if joints(link, theta, q_out) else NO_SOLUTION


@entry(VECTOR, WHOLE, WHOLES, VECTOR, VECTOR)
@kernel
def tabulate(link: Floats, number: int, sizes_in: Ints, work: Floats, table_out: Floats) -> bool:
    """Variables of a block at the nodes of a grid over its lengths, from the table it has."""
    head = header(link, LINKAGE)
    block, chains = records(link, head.blocks, BLOCK)[number], records(link, head.chains, CHAIN)
    theta, lengths = numbers(work, head.work.theta), numbers(work, head.work.lengths)
    n, count = block.n, 1
    for d in range(block.dims):
        count *= sizes_in[d]
    for node in range(count):
        rest = node
        for d in range(block.dims):
            act = block.table_actuators[d]
            share = (rest % sizes_in[d]) / (sizes_in[d] - 1)
            low, high = chains[act].lower, chains[act].upper
            lengths[act] = low + share * (high - low)
            rest //= sizes_in[d]
        if not set_blocks(link, number + 1, lengths, work):
            return False
        for k in range(n):
            table_out[n * node + k] = theta[block.variables[k]]
    return True


@entry(VECTOR, MATRIX, FROZEN, WHOLE, VECTOR, MATRIX, WHOLES)
@batch_kernel
def forward_batch(
    link: Floats, lengths_in: Floats, q_in: Floats, given: int, work: Floats, q_out: Floats,
    status_out: Ints,
) -> None:  # fmt: skip
    """`forward` for every row of lengths_in (n, n_actuators)."""
    for i in range(lengths_in.shape[0]):
        status_out[i] = forward(link, lengths_in[i], q_in, given, work, q_out[i])
