"""Kernels of the functions that embedding rests on: the tree as functions of theta.

Positions y(theta) of every freedom, derivatives G = dy/dtheta and their rates Gdot, all in closed
form, and theta itself from lengths where these are the coordinates.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

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
from ...kinematics.forward._kernels import BLOCK_I, CHAIN, MAX, SOLVED, eliminate, set_block
from ...kinematics.lengths._kernels import (
    ACT_I,
    ACTS_I,
    BAR_F,
    BARS_F,
    BLOCKS_I,
    N_ACTS,
    N_BLOCKS,
    N_MOTIONS,
    N_VARS,
    length_curves,
    move,
    ring,
    ring_rates,
)
from ...mechanism.records import FREEDOM
from ..records import BODY, EMBEDDED, EMBEDDED_CYLINDER, FUNCTION, MODEL, Source
from ..status import Status, failed
from ..tree.algebra import Numbers, cosine_and_sine
from ..tree.placing import place, set_velocities

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

HINGE, SLIDE, RINGED, EXTRA, TUBE, TILT, ROD = (source.value for source in Source)
OK, NO_SOLUTION, NO_CLOSURE = (
    Status.OK.value, Status.NO_SOLUTION.value, Status.NO_CLOSURE.value
)  # fmt: skip


@inlined_kernel
def own_part(model: Floats) -> Record:
    """What a model of embedded loops has of its own."""
    return record(model, header(model, MODEL).own, EMBEDDED)


@kernel
def set_variables(model: Floats, q_in: Floats, work: Floats) -> int:
    """Theta of the coordinates: themselves, or solved from lengths by forward kinematics."""
    own = own_part(model)
    link_i, link_f = indices(model, own.link_i), numbers(model, own.link_f)
    theta, lengths = numbers(work, own.work.theta), numbers(work, own.work.lengths)
    motions, chains = numbers(work, own.work.motions), numbers(work, own.work.chains)
    block = matrix(work, own.work.block)
    for k in range(link_i[N_VARS]):
        theta[k] = q_in[k]
    if not own.by_lengths:
        return OK
    for b in range(link_i[N_BLOCKS]):
        bi = link_i[BLOCKS_I] + BLOCK_I * b
        for k in range(link_i[bi + 1]):
            lengths[link_i[bi + 4 + MAX + k]] = q_in[link_i[bi + 4 + k]]
    for b in range(link_i[N_BLOCKS]):
        status = set_block(link_i, link_f, b, lengths, theta, motions, chains, block)
        if status != SOLVED:
            return failed(NO_SOLUTION, b)
    return OK


@kernel
def set_positions(model: Floats, q_in: Floats, work: Floats) -> int:
    """Turns of all freedoms and the derivatives G, theta being set."""
    own = own_part(model)
    link_i, link_f = indices(model, own.link_i), numbers(model, own.link_f)
    functions = records(model, own.functions, FUNCTION)
    columns = indices(model, own.columns)
    cylinders = records(model, own.cylinders, EMBEDDED_CYLINDER)
    bodies = records(work, header(model, MODEL).bodies, BODY)
    theta, lengths = numbers(work, own.work.theta), numbers(work, own.work.lengths)
    motions, chains = numbers(work, own.work.motions), numbers(work, own.work.chains)
    G = numbers(work, own.work.G)
    for m in range(link_i[N_MOTIONS]):
        if not move(link_i, link_f, m, theta, motions):
            return NO_CLOSURE
    for act in range(link_i[N_ACTS]):
        lengths[act] = length_curves(link_i, link_f, act, motions, chains, CHAIN * act)
    for d in range(functions.shape[0]):
        y, turn = functions[d], bodies[d].turn
        if y.source == HINGE:
            angle = y.home + y.sign * theta[y.number]
            turn[0], turn[1] = cosine_and_sine(angle)
            turn[2] = y.pitch * angle
            G[y.first] = y.sign
        elif y.source == SLIDE:
            turn[2] = y.home + y.sign * theta[y.number]
            G[y.first] = y.sign
        elif y.source == RINGED:
            bar = link_i[BARS_F] + BAR_F * y.number
            ok, u_y, u_z, u_w = ring(link_f, bar, theta[columns[y.first]])
            if not ok:
                return NO_CLOSURE
            wz, ww, _, _ = ring_rates(link_f, bar, u_y, u_z, u_w)
            u = member_turn(y.after, u_y, u_z, u_w)
            u = u * member_turn(y.before, u_y, u_z, u_w).conjugate()
            # the joint's angle is home + sign * angle of u
            turn[0] = y.cosine * u.real - y.sign * y.sine * u.imag
            turn[1] = y.sine * u.real + y.sign * y.cosine * u.imag
            G[y.first] = y.sign * (pick(y.after, wz, ww) - pick(y.before, wz, ww))
        elif y.source == EXTRA:
            G[y.first] = 1.0
            set_extra(y, q_in, turn)
    for act in range(cylinders.shape[0]):
        count = link_i[link_i[ACTS_I] + ACT_I * act + 1]
        chain = part(chains, CHAIN * act, CHAIN)
        place_cylinder(cylinders[act], functions, chain, count, lengths[act], G, bodies)
    return OK


@inlined_kernel
def set_extra(y: Record, q_in: Floats, turn: Floats) -> None:
    """Turn of a freedom that is a coordinate as it is: hinge, slide or quaternion."""
    if y.turns:
        turn[0], turn[1] = cosine_and_sine(q_in[y.number])
        turn[2] = y.pitch * q_in[y.number]
    elif y.width == 1:
        turn[2] = q_in[y.number]
    else:
        for k in range(y.width):
            turn[k] = q_in[y.number + k]


@inlined_kernel
def member_turn(member: int, u_y: complex, u_z: complex, u_w: complex) -> complex:
    """How far a four-bar's member is turned from home."""
    if member == 0:
        return complex(1.0, 0.0)
    return u_y if member == 1 else (u_z if member == 2 else u_w)


@inlined_kernel
def pick(member: int, z: float, w: float) -> float:
    """A member's turning rate per turn of y."""
    if member == 0:
        return 0.0
    return 1.0 if member == 1 else (z if member == 2 else w)


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
    cylinder: Record, functions: Records, chain: Floats, count: int, l: float, G_out: Floats,
    bodies: Records,
) -> None:  # fmt: skip
    """Turns of tube and rod, and their derivatives.

    With d the rod's mount seen from the tube's, in the axes of the tube's mount whose z is the
    pin: the angle about the pin is that of (dx, dy), the tilt that of (r, dz) with r = |(dx, dy)|,
    and the length |d|.
    """
    dx, dy, dz = from_tube_to_rod(cylinder, chain[6 * count], chain[6 * count + 1])
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
        px, py, pz = lifted(cylinder.plane, chain[6 * k], chain[6 * k + 1])
        G_out[at_tube + k] = (dx * py - dy * px) / r2
        G_out[at_rod + k] = chain[6 * k + 5]
        if cylinder.tilt >= 0:
            tilted = (r * pz - dz * (dx * px + dy * py) / r) / (l * l)
            G_out[functions[cylinder.tilt].first + k] = tilted


@kernel
def set_rates(model: Floats, v_in: Floats, work: Floats) -> int:
    """Rates of the variables: theta' itself, or block by block from L theta' = l'."""
    own = own_part(model)
    link_i = indices(model, own.link_i)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    cylinders = records(model, own.cylinders, EMBEDDED_CYLINDER)
    G, rate = numbers(work, own.work.G), numbers(work, own.work.rate)
    block = matrix(work, own.work.block)
    for k in range(v_in.shape[0]):
        rate[k] = v_in[k]
    if not own.by_lengths:
        return OK
    for b in range(link_i[N_BLOCKS]):
        bi = link_i[BLOCKS_I] + BLOCK_I * b
        n = link_i[bi + 1]
        for i in range(n):
            rod = functions[cylinders[link_i[bi + 4 + MAX + i]].rod]
            for j in range(n):
                block[i, j] = 0.0
            block[i, n] = v_in[link_i[bi + 4 + i]]
            for k in range(rod.first, rod.first + rod.count):
                inside = False
                for j in range(n):
                    if link_i[bi + 4 + j] == columns[k]:
                        block[i, j] += G[k]
                        inside = True
                if not inside:
                    block[i, n] -= G[k] * rate[columns[k]]
        if not eliminate(block, n):
            return failed(NO_SOLUTION, b)
        for j in range(n):
            rate[link_i[bi + 4 + j]] = block[j, n]
    return OK


@kernel
def set_curves(model: Floats, work: Floats) -> None:
    """Rates Gdot of the derivatives, the tree's velocities G theta' and its bias Gdot theta'."""
    own = own_part(model)
    link_i, link_f = indices(model, own.link_i), numbers(model, own.link_f)
    freedoms = records(model, header(model, MODEL).freedoms, FREEDOM)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    cylinders = records(model, own.cylinders, EMBEDDED_CYLINDER)
    theta, theta_rate = numbers(work, own.work.theta), numbers(work, own.work.rate)
    lengths, chains = numbers(work, own.work.lengths), numbers(work, own.work.chains)
    G, Gdot = numbers(work, own.work.G), numbers(work, own.work.Gdot)
    v_tree, bias = numbers(work, own.work.v_tree), numbers(work, own.work.bias)
    for d in range(functions.shape[0]):
        y = functions[d]
        if y.source == RINGED:
            bar = link_i[BARS_F] + BAR_F * y.number
            var = columns[y.first]
            _, u_y, u_z, u_w = ring(link_f, bar, theta[var])
            _, _, az, aw = ring_rates(link_f, bar, u_y, u_z, u_w)
            a = member_curve(y.after, az, aw) - member_curve(y.before, az, aw)
            Gdot[y.first] = y.sign * a * theta_rate[var]
        elif y.source <= EXTRA:
            Gdot[y.first] = 0.0
    for act in range(cylinders.shape[0]):
        count = link_i[link_i[ACTS_I] + ACT_I * act + 1]
        chain = part(chains, CHAIN * act, CHAIN)
        curve_cylinder(
            cylinders[act], functions, columns, theta_rate, chain, count, lengths[act], G, Gdot
        )
    for d in range(functions.shape[0]):
        y, iv = functions[d], freedoms[d].velocity
        v, a = 0.0, 0.0
        for k in range(y.first, y.first + y.count):
            rate = theta_rate[columns[k]]
            v += G[k] * rate
            a += Gdot[k] * rate
        v_tree[iv], bias[iv] = v, a


@inlined_kernel
def member_curve(member: int, z: float, w: float) -> float:
    """Rate of a member's turning rate, per turn of y; those of x and y do not change."""
    return z if member == 2 else (w if member == 3 else 0.0)


@inlined_kernel
def curve_cylinder(
    cylinder: Record, functions: Records, columns: Ints, rate_in: Floats, chain: Floats,
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
        bx += chain[6 * k] * rate
        by += chain[6 * k + 1] * rate
    vx, vy, vz = lifted(cylinder.plane, bx, by)
    dx, dy, dz = from_tube_to_rod(cylinder, chain[6 * count], chain[6 * count + 1])
    r2 = dx * dx + dy * dy
    r = math.sqrt(r2)
    r_rate = (dx * vx + dy * vy) / r
    l_rate = (dx * vx + dy * vy + dz * vz) / l
    turning = 0.0
    for k in range(count):
        c = 6 * k
        rate = rate_in[columns[at_rod + k]]
        px, py, w = chain[c], chain[c + 1], chain[c + 4]
        bx -= px * rate
        by -= py * rate
        ex, ey, ez = lifted(
            cylinder.plane,
            chain[c + 2] * rate - turning * py - w * by,
            chain[c + 3] * rate + turning * px + w * bx,
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
    head = header(model, MODEL)
    freedoms = records(model, head.freedoms, FREEDOM)
    bodies = records(work, head.bodies, BODY)
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
