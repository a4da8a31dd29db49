"""Kernels of the functions that embedding rests on: the tree as functions of theta.

Positions y(theta) of every freedom, derivatives G = dy/dtheta and their rates Gdot, all in closed
form, and theta itself from lengths where these are the coordinates.
"""

from __future__ import annotations

import math

from ...jit import (
    Record,
    Records,
    header,
    indices,
    inlined_kernel,
    kernel,
    matrix,
    numbers,
    part,
    record,
    records,
)
from ...kinematics.kernels import (
    BLOCK,
    CHAIN,
    CHAIN_STEP,
    FOUR_BAR,
    LINKAGE,
    MAX_STEPS,
    MOTION,
    SOLVED,
    W,
    X,
    Y,
    Z,
    eliminate,
    length_curves,
    member_turn,
    move,
    ring,
    ring_rates,
    set_block,
)
from ...mechanism import Floats, Ints
from ...mechanism.kernels import FREEDOM
from ...spatial.kernels import Numbers, cosine_and_sine
from ..forces import tree_parts
from ..linear import copy
from ..records import BODY, EMBEDDED, EMBEDDED_CYLINDER, FUNCTION, MODEL, PositionSource
from ..status import NO_CLOSURE, NO_SOLUTION, OK, failed
from ..tree.placing import place, set_velocities

HINGE, SLIDE, RINGED, EXTRA, TUBE, TILT, ROD = (source.value for source in PositionSource)


@inlined_kernel
def own_part(model: Floats) -> Record:
    """What a model of embedded loops has of its own."""
    return record(model, header(model, MODEL).own, EMBEDDED)


@inlined_kernel
def chain_of(own: Record, work: Floats, act: int) -> Records:
    """Scratch memory of an actuator's chain."""
    return part(records(work, own.work.chains, CHAIN_STEP), (MAX_STEPS + 1) * act, MAX_STEPS + 1)


@kernel
def set_variables(model: Floats, q_in: Floats, work: Floats) -> int:
    """Theta of the coordinates: themselves, or solved from lengths by forward kinematics."""
    own = own_part(model)
    link = numbers(model, own.link)
    blocks = records(link, header(link, LINKAGE).blocks, BLOCK)
    theta, lengths = numbers(work, own.work.theta), numbers(work, own.work.lengths)
    motions, chain = records(work, own.work.motions, MOTION), chain_of(own, work, 0)
    A, weights = matrix(work, own.work.block), matrix(work, own.work.weights)
    for k in range(own.n_vars):
        theta[k] = q_in[k]
    if not own.by_lengths:
        return OK
    for b in range(blocks.shape[0]):
        for k in range(blocks[b].n):
            lengths[blocks[b].actuators[k]] = q_in[blocks[b].variables[k]]
    for b in range(blocks.shape[0]):
        status = set_block(link, b, lengths, theta, motions, chain, A, weights)
        if status != SOLVED:
            return failed(NO_SOLUTION, b)
    return OK


@kernel
def set_positions(model: Floats, q_in: Floats, work: Floats) -> int:
    """Turns of all freedoms and the derivatives G, theta being set."""
    own = own_part(model)
    link = numbers(model, own.link)
    head = header(link, LINKAGE)
    four_bars, chains = records(link, head.four_bars, FOUR_BAR), records(link, head.chains, CHAIN)
    functions = records(model, own.functions, FUNCTION)
    columns = indices(model, own.columns)
    cylinders = records(model, own.cylinders, EMBEDDED_CYLINDER)
    bodies = records(work, header(model, MODEL).bodies, BODY)
    theta, lengths = numbers(work, own.work.theta), numbers(work, own.work.lengths)
    motions, G = records(work, own.work.motions, MOTION), numbers(work, own.work.G)
    for m in range(motions.shape[0]):
        if not move(link, m, theta, motions):
            return NO_CLOSURE
    for act in range(chains.shape[0]):
        lengths[act] = length_curves(link, act, motions, chain_of(own, work, act))
    for d in range(functions.shape[0]):
        y, turn = functions[d], bodies[d].turn
        if y.source == RINGED:
            bar = four_bars[y.number]
            ok, u_y, u_z, u_w = ring(bar, theta[columns[y.first]])
            if not ok:
                return NO_CLOSURE
            wz, ww, _, _ = ring_rates(bar, u_y, u_z, u_w)
            u = member_turn(y.after, u_y, u_z, u_w)
            u = u * member_turn(y.before, u_y, u_z, u_w).conjugate()
            # the joint's angle is home + sign * angle of u
            turn[0] = y.cosine * u.real - y.sign * y.sine * u.imag
            turn[1] = y.sine * u.real + y.sign * y.cosine * u.imag
            G[y.first] = y.sign * (pick(y.after, wz, ww) - pick(y.before, wz, ww))
        elif y.source <= EXTRA:
            G[y.first] = y.sign
            set_own_turn(y, theta, q_in, turn)
    for act in range(cylinders.shape[0]):
        chain, count = chain_of(own, work, act), chains[act].count
        place_cylinder(cylinders[act], functions, chain, count, lengths[act], G, bodies)
    return OK


@inlined_kernel
def set_own_turn(y: Record, theta_in: Floats, q_in: Floats, turn: Floats) -> None:
    """Turn of a freedom that follows a variable, or is a coordinate as it is."""
    if y.source == HINGE or y.turns:
        angle = y.home + y.sign * (theta_in[y.number] if y.source == HINGE else q_in[y.number])
        turn[0], turn[1] = cosine_and_sine(angle)
        turn[2] = y.pitch * angle
    elif y.source == SLIDE:
        turn[2] = y.home + y.sign * theta_in[y.number]
    elif y.width == 1:
        turn[2] = q_in[y.number]
    else:
        for k in range(y.width):
            turn[k] = q_in[y.number + k]


@inlined_kernel
def pick(member: int, z: float, w: float) -> float:
    """A member's turning rate per turn of y."""
    if member == X:
        return 0.0
    return 1.0 if member == Y else (z if member == Z else w)


@inlined_kernel
def lifted(plane: Floats, x: float, y: float) -> Numbers:
    """A vector of the chain's plane in the axes of the tube's mount."""
    return (
        plane[0, 0] * x + plane[0, 1] * y,
        plane[1, 0] * x + plane[1, 1] * y,
        plane[2, 0] * x + plane[2, 1] * y,
    )


@inlined_kernel
def from_tube_to_rod(cylinder: Record, x: float, y: float) -> Numbers:
    """The rod's mount seen from the tube's, in its axes; x and y are in the chain's plane."""
    d, across = lifted(cylinder.plane, x, y), cylinder.across
    return d[0] + across[0], d[1] + across[1], d[2] + across[2]


@inlined_kernel
def place_cylinder(
    cylinder: Record, functions: Records, chain: Records, count: int, l: float, G_out: Floats,
    bodies: Records,
) -> None:  # fmt: skip
    """Turns of tube and rod, and their derivatives.

    With d the rod's mount seen from the tube's, in the axes of the tube's mount whose z is the
    pin: the angle about the pin is that of (dx, dy), the tilt that of (r, dz) with r = |(dx, dy)|,
    and the length |d|.
    """
    dx, dy, dz = from_tube_to_rod(cylinder, chain[count].p[0], chain[count].p[1])
    r2 = dx * dx + dy * dy
    r = math.sqrt(r2)
    tube, rod = bodies[cylinder.tube].turn, bodies[cylinder.rod].turn
    tube[0], tube[1], tube[2] = dx / r, dy / r, 0.0
    rod[2] = l
    at_tube, at_rod = functions[cylinder.tube].first, functions[cylinder.rod].first
    if cylinder.tilt >= 0:
        tilt = bodies[cylinder.tilt].turn
        tilt[0], tilt[1], tilt[2] = r / l, dz / l, 0.0
    for k in range(count):
        px, py, pz = lifted(cylinder.plane, chain[k].p[0], chain[k].p[1])
        G_out[at_tube + k] = (dx * py - dy * px) / r2
        G_out[at_rod + k] = chain[k].slope
        if cylinder.tilt >= 0:
            tilted = (r * pz - dz * (dx * px + dy * py) / r) / (l * l)
            G_out[functions[cylinder.tilt].first + k] = tilted


@kernel
def set_rates(model: Floats, v_in: Floats, work: Floats) -> int:
    """Rates of the variables: theta' itself, or block by block from L theta' = l'."""
    own = own_part(model)
    link = numbers(model, own.link)
    blocks = records(link, header(link, LINKAGE).blocks, BLOCK)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    cylinders = records(model, own.cylinders, EMBEDDED_CYLINDER)
    G, rate = numbers(work, own.work.G), numbers(work, own.work.rate)
    A = matrix(work, own.work.block)
    copy(v_in, rate)
    if not own.by_lengths:
        return OK
    for b in range(blocks.shape[0]):
        block, n = blocks[b], blocks[b].n
        for i in range(n):
            rod = functions[cylinders[block.actuators[i]].rod]
            for j in range(n):
                A[i, j] = 0.0
            A[i, n] = v_in[block.variables[i]]
            for k in range(rod.first, rod.first + rod.count):
                inside = False
                for j in range(n):
                    if block.variables[j] == columns[k]:
                        A[i, j] += G[k]
                        inside = True
                if not inside:
                    A[i, n] -= G[k] * rate[columns[k]]
        if not eliminate(A, n):
            return failed(NO_SOLUTION, b)
        for j in range(n):
            rate[block.variables[j]] = A[j, n]
    return OK


@kernel
def set_curves(model: Floats, work: Floats) -> None:
    """Rates Gdot of the derivatives, the tree's velocities G theta' and its bias Gdot theta'."""
    own = own_part(model)
    link = numbers(model, own.link)
    head = header(link, LINKAGE)
    four_bars, chains = records(link, head.four_bars, FOUR_BAR), records(link, head.chains, CHAIN)
    freedoms = records(model, header(model, MODEL).freedoms, FREEDOM)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    cylinders = records(model, own.cylinders, EMBEDDED_CYLINDER)
    theta, theta_rate = numbers(work, own.work.theta), numbers(work, own.work.rate)
    lengths = numbers(work, own.work.lengths)
    G, Gdot = numbers(work, own.work.G), numbers(work, own.work.Gdot)
    v_tree, bias = numbers(work, own.work.v_tree), numbers(work, own.work.bias)
    for d in range(functions.shape[0]):
        y = functions[d]
        if y.source == RINGED:
            bar, var = four_bars[y.number], columns[y.first]
            _, u_y, u_z, u_w = ring(bar, theta[var])
            _, _, az, aw = ring_rates(bar, u_y, u_z, u_w)
            a = member_curve(y.after, az, aw) - member_curve(y.before, az, aw)
            Gdot[y.first] = y.sign * a * theta_rate[var]
        elif y.source <= EXTRA:
            Gdot[y.first] = 0.0
    for act in range(cylinders.shape[0]):
        chain, count = chain_of(own, work, act), chains[act].count
        curve_cylinder(
            cylinders[act], functions, columns, theta_rate, chain, count, lengths[act], G, Gdot
        )
    for d in range(functions.shape[0]):
        y, iv = functions[d], freedoms[d].velocity
        v_tree[iv] = row_dot(y, columns, G, theta_rate)
        bias[iv] = row_dot(y, columns, Gdot, theta_rate)


@inlined_kernel
def member_curve(member: int, z: float, w: float) -> float:
    """Rate of a member's turning rate, per turn of y; those of x and y do not change."""
    return z if member == Z else (w if member == W else 0.0)


@inlined_kernel
def curve_cylinder(
    cylinder: Record, functions: Records, columns: Ints, rate_in: Floats, chain: Records,
    count: int, l: float, G_in: Floats, Gdot_out: Floats,
) -> None:  # fmt: skip
    """Rates of a cylinder's derivatives.

    With p_k = dd/dtheta_k and its rate e_k = i W_k p_k + p''_k theta'_k + i w_k (sum of p_j
    theta'_j behind k), W_k being the turning rate of all steps before k; and with d' = sum p_k
    theta'_k:

        tube:  (d' x p_k + d x e_k) / r^2 - 2 (r' / r) G_k      (in the plane across the pin)
        rod:   (p_k . d' + d . e_k - G_k l') / l
        tilt:  (r' pz_k + r ez_k - d'z r_k - dz r'_k) / l^2 - 2 (l' / l) G_k

    with r_k = (dx px + dy py) / r and r'_k its rate, found like the rod's.
    """
    at_tube, at_rod = functions[cylinder.tube].first, functions[cylinder.rod].first
    # d' and, running from the first step on, what is behind and before
    bx, by = 0.0, 0.0
    for k in range(count):
        rate = rate_in[columns[at_rod + k]]
        bx += chain[k].p[0] * rate
        by += chain[k].p[1] * rate
    vx, vy, vz = lifted(cylinder.plane, bx, by)
    dx, dy, dz = from_tube_to_rod(cylinder, chain[count].p[0], chain[count].p[1])
    r2 = dx * dx + dy * dy
    r = math.sqrt(r2)
    r_rate = (dx * vx + dy * vy) / r
    l_rate = (dx * vx + dy * vy + dz * vz) / l
    turning = 0.0
    for k in range(count):
        step = chain[k]
        rate = rate_in[columns[at_rod + k]]
        px, py, w = step.p[0], step.p[1], step.turning
        bx -= px * rate
        by -= py * rate
        ex, ey, ez = lifted(
            cylinder.plane,
            step.curve[0] * rate - turning * py - w * by,
            step.curve[1] * rate + turning * px + w * bx,
        )
        turning += w * rate
        px, py, pz = lifted(cylinder.plane, px, py)
        cross = vx * py - vy * px + dx * ey - dy * ex
        Gdot_out[at_tube + k] = cross / r2 - 2.0 * (r_rate / r) * G_in[at_tube + k]
        flat = px * vx + py * vy + dx * ex + dy * ey
        full = flat + pz * vz + dz * ez
        Gdot_out[at_rod + k] = (full - G_in[at_rod + k] * l_rate) / l
        if cylinder.tilt >= 0:
            at = functions[cylinder.tilt].first + k
            r_k = (dx * px + dy * py) / r
            r_k_rate = (flat - r_k * r_rate) / r
            top = r_rate * pz + r * ez - vz * r_k - dz * r_k_rate
            Gdot_out[at] = top / (l * l) - 2.0 * (l_rate / l) * G_in[at]


@kernel
def place_all(model: Floats, q_in: Floats, v_in: Floats, work: Floats) -> int:
    """Everything that positions and velocities decide, up to the bodies' velocities."""
    status = set_variables(model, q_in, work)
    if status != OK:
        return status
    status = set_positions(model, q_in, work)
    if status != OK:
        return status
    status = set_rates(model, v_in, work)
    if status != OK:
        return status
    set_curves(model, work)
    freedoms, bodies = tree_parts(model, work)
    place(freedoms, bodies)
    set_velocities(freedoms, numbers(work, own_part(model).work.v_tree), bodies)
    return OK


@inlined_kernel
def row_dot(y: Record, columns: Ints, values: Floats, vector: Floats) -> float:
    """Product of a freedom's row of G or Gdot with a vector over the variables."""
    total = 0.0
    for k in range(y.first, y.first + y.count):
        total += values[k] * vector[columns[k]]
    return total


@inlined_kernel
def add_row(y: Record, columns: Ints, values: Floats, factor: float, vector: Floats) -> None:
    """Vector += factor * a freedom's row of G or Gdot."""
    for k in range(y.first, y.first + y.count):
        vector[columns[k]] += factor * values[k]
