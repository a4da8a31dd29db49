"""Kernels of loop embedding: a closed-chain machine in as many coordinates as it has freedoms.

Every position y of the spanning tree, those of four-bars, tubes and rods included, is an explicit
function of the driving variables theta, with first derivatives G = dy/dtheta and their rates
Gdot = dG/dt in closed form. So

    y' = G theta',    y'' = G theta'' + Gdot theta',
    G^T (M y'' + b) = G^T tau    =>    (G^T M G) theta'' = G^T (tau - b - M Gdot theta'),

with M and b the tree's inertia and bias. No loop is left that could drift. G is sparse: a hinge
follows one variable, a cylinder the few between its mounts.

The coordinates are either the variables themselves, or the lengths of the redundant groups' first
members in place of the variables that these set (`LENGTHS`); a length that is prescribed is then
exact. In both cases the equations are solved for theta'', with prescribed rows as constraints
whose multipliers are the drives' reactions:

    M_r theta'' = Q + G_P^T lambda,    G_P theta'' + Gdot_P theta' = the accelerations prescribed.

Entries of the header from OWN + 2 on are listed below; `freedoms` rows are [source, a, b, c, first
column, number of columns]; `work` begins with the tree's.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation._kernels import AIM, AIM_RATE, GUIDED, NOW, PULL, REACTION
from ...jit import inlined_kernel, kernel, part, table
from ...kinematics.forward._kernels import BLOCK_I, CHAIN, MAX, SOLVED, eliminate, set_block
from ...kinematics.forward._kernels import joints as set_joints
from ...kinematics.lengths._kernels import (
    ACT_I,
    ACTS_I,
    BAR_F,
    BARS_F,
    BLOCKS_I,
    N_ACTS,
    N_BARS,
    N_BLOCKS,
    N_MOTIONS,
    N_VARS,
    length_curves,
    move,
    ring,
    ring_rates,
)
from ..linear._kernels import factor, solve_factored
from ..model._kernels import (
    BY_DAMPERS,
    BY_DRIVES,
    BY_PULLS,
    HEADER,
    N_ROWS,
    N_SPRINGS,
    ND,
    NV,
    OWN,
    TREE_AT,
    add_forces,
    add_positions,
    resist,
    tree_of,
)
from ..tree._kernels import (
    COMPOSITE,
    INDEX,
    IV,
    PARENT,
    ROW,
    TREE_I,
    TURN,
    F,
    T,
    composite,
    cosine_and_sine,
    dot,
    gather_forces,
    momentum,
    number_of,
    place,
    set_velocities,
)
from ..tree.articulated._kernels import articulate_and_accelerate

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# header: what `pack_embedded` puts behind the two starts of the own parts
LENGTHS, LINK_AT, LINK_SIZE, LINK_F, LINK_F_SIZE = OWN + 2, OWN + 3, OWN + 4, OWN + 5, OWN + 6
FREEDOMS_AT, FREEDOMS_F, COLUMNS_AT, ACTS_AT, ACTS_F_AT, ROWS_AT = (
    OWN + 7, OWN + 8, OWN + 9, OWN + 10, OWN + 11, OWN + 12
)  # fmt: skip
N_COLUMNS, N_EXTRA = OWN + 13, OWN + 14

# freedoms: [source, a, b, c, first column, columns], [cos, sin, sign, value at home]
FREEDOM_I, FREEDOM_F = 6, 4
HINGE, SLIDE, RINGED, EXTRA, TUBE, TILT, ROD = range(7)
# actuators: freedoms of tube, tilt (-1 on a plane mount) and rod; the plane of the chain in the
# mount's axes, (3, 2) by rows, and what stands across it
ACT_FREEDOMS, ACT_PLANE = 3, 9

OK, NO_SOLUTION, NO_CLOSURE, NO_INERTIA, DEAD_CENTRE, NOT_FINITE = range(6)
STATUSES = 16  # a status is one of these + STATUSES * row or freedom
DEAD = 1e-12  # of a row's own inertia: below it no force of that row can move it


@kernel
def work_size(model_i: Ints) -> int:
    """Doubles of scratch memory."""
    link_i = model_i[model_i[LINK_AT] :]
    return int(
        ROW * model_i[ND]
        + 2 * (link_i[N_VARS] + model_i[N_EXTRA])
        + 10 * link_i[N_MOTIONS]
        + (CHAIN + 1) * link_i[N_ACTS]
        + MAX * (MAX + 1)
        + 2 * model_i[N_COLUMNS]
        + 9 * model_i[ND]
        + 2 * model_i[NV] * model_i[NV]
        + 3 * model_i[NV]
        + model_i[N_ROWS] * (model_i[N_ROWS] + model_i[NV] + 1)
    )


@inlined_kernel
def views(model_i: Ints, model_f: Floats, work: Floats) -> tuple[Floats, ...]:
    """Scratch memory cut into its parts, the linkage's arrays first.

    link_f, theta, theta', motions, chains, lengths, a block's matrix, G, Gdot, then over the tree
    v, Gdot theta', tau and wrenches, then the reduced inertia, its factor, right side, answer,
    one more, and of the rows S, responses and right side.
    """
    link_i = linkage(model_i)
    nd, nv, n_acts, rows = model_i[ND], model_i[NV], link_i[N_ACTS], model_i[N_ROWS]
    link_f = part(model_f, model_i[LINK_F], model_i[LINK_F_SIZE])
    at = ROW * nd
    theta = part(work, at, nv)
    at += nv
    rate = part(work, at, nv)
    at += nv
    motions = part(work, at, 10 * link_i[N_MOTIONS])
    at += 10 * link_i[N_MOTIONS]
    chains = part(work, at, CHAIN * n_acts)
    at += CHAIN * n_acts
    lengths = part(work, at, n_acts)
    at += n_acts
    block = table(work, at, MAX, MAX + 1)
    at += MAX * (MAX + 1)
    G = part(work, at, model_i[N_COLUMNS])
    at += model_i[N_COLUMNS]
    Gdot = part(work, at, model_i[N_COLUMNS])
    at += model_i[N_COLUMNS]
    v_tree, bias, tau = (
        part(work, at, nd),
        part(work, at + nd, nd),
        part(work, at + 2 * nd, nd),
    )
    at += 3 * nd
    wrenches = table(work, at, nd, 6)
    at += 6 * nd
    M = table(work, at, nv, nv)
    at += nv * nv
    L = table(work, at, nv, nv)
    at += nv * nv
    right, answer, more = (
        part(work, at, nv),
        part(work, at + nv, nv),
        part(work, at + 2 * nv, nv),
    )
    at += 3 * nv
    S = table(work, at, rows, rows)
    at += rows * rows
    response = table(work, at, rows, nv)
    at += rows * nv
    wanted = part(work, at, rows)
    return (
        link_f, theta, rate, motions, chains, lengths, block, G, Gdot, v_tree, bias, tau, M, L,
        right, answer, more, wanted, wrenches, S, response,
    )  # fmt: skip


@inlined_kernel
def linkage(model_i: Ints) -> Ints:
    """The kinematics' table of integers."""
    return part(model_i, model_i[LINK_AT], model_i[LINK_SIZE])


@kernel
def set_variables(
    model_i: Ints, q_in: Floats, link_f: Floats, theta: Floats, motions: Floats, chains: Floats,
    lengths: Floats, block: Floats,
) -> int:  # fmt: skip
    """Theta of the coordinates: themselves, or solved from lengths by forward kinematics."""
    link_i = linkage(model_i)
    n = link_i[N_VARS]
    for k in range(n):
        theta[k] = q_in[k]
    if not model_i[LENGTHS]:
        return OK
    for b in range(link_i[N_BLOCKS]):
        bi = link_i[BLOCKS_I] + BLOCK_I * b
        for k in range(link_i[bi + 1]):
            lengths[link_i[bi + 4 + MAX + k]] = q_in[link_i[bi + 4 + k]]
    for b in range(link_i[N_BLOCKS]):
        status = set_block(link_i, link_f, b, lengths, theta, motions, chains, block)
        if status != SOLVED:
            return NO_SOLUTION + STATUSES * b
    return OK


@kernel
def set_positions(
    model_i: Ints, model_f: Floats, q_in: Floats, link_f: Floats, theta: Floats, motions: Floats,
    chains: Floats, lengths: Floats, G_out: Floats, work: Floats,
) -> int:  # fmt: skip
    """Turns of all freedoms and the derivatives G, theta being set."""
    link_i = linkage(model_i)
    nd = model_i[ND]
    for m in range(link_i[N_MOTIONS]):
        if not move(link_i, link_f, m, theta, motions):
            return NO_CLOSURE
    for act in range(link_i[N_ACTS]):
        lengths[act] = length_curves(link_i, link_f, act, motions, chains, CHAIN * act)
    for d in range(nd):
        fi, ff = model_i[FREEDOMS_AT] + FREEDOM_I * d, model_i[FREEDOMS_F] + FREEDOM_F * d
        source, a, at = model_i[fi], model_i[fi + 1], model_i[fi + 4]
        turn = TURN * nd + 2 * d
        c, s = model_f[ff], model_f[ff + 1]
        sign, home = model_f[ff + 2], model_f[ff + 3]
        if source == HINGE:
            angle = home + sign * theta[a]
            work[turn], work[turn + 1] = cosine_and_sine(angle)
            G_out[at] = sign
        elif source == SLIDE:
            work[turn] = home + sign * theta[a]
            G_out[at] = sign
        elif source == RINGED:
            bar = link_i[BARS_F] + BAR_F * a
            ok, u_y, u_z, u_w = ring(link_f, bar, theta[model_i[model_i[COLUMNS_AT] + at]])
            if not ok:
                return NO_CLOSURE
            wz, ww, _, _ = ring_rates(link_f, bar, u_y, u_z, u_w)
            u = member_turn(model_i[fi + 3], u_y, u_z, u_w)
            u = u * member_turn(model_i[fi + 2], u_y, u_z, u_w).conjugate()
            # the joint's angle is home + sign * angle of u
            work[turn] = c * u.real - sign * s * u.imag
            work[turn + 1] = s * u.real + sign * c * u.imag
            G_out[at] = sign * (pick(model_i[fi + 3], wz, ww) - pick(model_i[fi + 2], wz, ww))
        elif source == EXTRA:
            G_out[at] = 1.0
            set_extra(model_i, fi, q_in, turn, work)
    for act in range(link_i[N_ACTS]):
        place_cylinder(model_i, model_f, act, chains, lengths[act], G_out, work)
    return OK


@inlined_kernel
def set_extra(model_i: Ints, fi: int, q_in: Floats, turn: int, work: Floats) -> None:
    """Turn of a freedom that is a coordinate as it is: slide, hinge or quaternion."""
    at = model_i[fi + 1]
    if at >= 0:
        for k in range(model_i[fi + 3]):
            work[turn + k] = q_in[at + k]
    if model_i[fi + 2] >= 0:  # a hinge
        work[turn], work[turn + 1] = cosine_and_sine(q_in[at])


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
def lifted(model_f: Floats, at: int, x: float, y: float) -> tuple[float, float, float]:
    """A vector of the chain's plane in the axes of the tube's mount."""
    return (
        model_f[at] * x + model_f[at + 1] * y,
        model_f[at + 2] * x + model_f[at + 3] * y,
        model_f[at + 4] * x + model_f[at + 5] * y,
    )


@inlined_kernel
def place_cylinder(
    model_i: Ints, model_f: Floats, act: int, chains: Floats, l: float, G_out: Floats, work: Floats
) -> None:
    """Turns of tube and rod, and their derivatives.

    With d the rod's mount seen from the tube's, in the axes of the tube's mount whose z is the
    pin: the angle about the pin is that of (dx, dy), the tilt that of (r, dz) with r = |(dx, dy)|,
    and the length |d|.
    """
    link_i, nd = linkage(model_i), model_i[ND]
    ai = model_i[ACTS_AT] + ACT_FREEDOMS * act
    tube, tilt, rod = model_i[ai], model_i[ai + 1], model_i[ai + 2]
    af = model_i[ACTS_F_AT] + ACT_PLANE * act
    count = link_i[link_i[ACTS_I] + ACT_I * act + 1]
    begin = CHAIN * act
    dx, dy, dz = lifted(model_f, af, chains[begin + 6 * count], chains[begin + 6 * count + 1])
    dx, dy, dz = dx + model_f[af + 6], dy + model_f[af + 7], dz + model_f[af + 8]
    r2 = dx * dx + dy * dy
    r = math.sqrt(r2)
    work[TURN * nd + 2 * tube], work[TURN * nd + 2 * tube + 1] = dx / r, dy / r
    work[TURN * nd + 2 * rod] = l
    at_tube = model_i[model_i[FREEDOMS_AT] + FREEDOM_I * tube + 4]
    at_rod = model_i[model_i[FREEDOMS_AT] + FREEDOM_I * rod + 4]
    if tilt >= 0:
        work[TURN * nd + 2 * tilt], work[TURN * nd + 2 * tilt + 1] = r / l, dz / l
    for k in range(count):
        px, py, pz = lifted(model_f, af, chains[begin + 6 * k], chains[begin + 6 * k + 1])
        G_out[at_tube + k] = (dx * py - dy * px) / r2
        G_out[at_rod + k] = chains[begin + 6 * k + 5]
        if tilt >= 0:
            at = model_i[model_i[FREEDOMS_AT] + FREEDOM_I * tilt + 4] + k
            G_out[at] = (r * pz - dz * (dx * px + dy * py) / r) / (l * l)


@kernel
def set_rates(model_i: Ints, v_in: Floats, G_in: Floats, block: Floats, rate_out: Floats) -> int:
    """Rates of the variables: theta' itself, or block by block from L theta' = l'."""
    link_i = linkage(model_i)
    for k in range(v_in.shape[0]):
        rate_out[k] = v_in[k]
    if not model_i[LENGTHS]:
        return OK
    for b in range(link_i[N_BLOCKS]):
        bi = link_i[BLOCKS_I] + BLOCK_I * b
        n = link_i[bi + 1]
        for i in range(n):
            act = link_i[bi + 4 + MAX + i]
            rod = model_i[model_i[ACTS_AT] + ACT_FREEDOMS * act + 2]
            fi = model_i[FREEDOMS_AT] + FREEDOM_I * rod
            at = model_i[fi + 4]
            for j in range(n):
                block[i, j] = 0.0
            block[i, n] = v_in[link_i[bi + 4 + i]]
            for k in range(model_i[fi + 5]):
                var = model_i[model_i[COLUMNS_AT] + at + k]
                inside = False
                for j in range(n):
                    if link_i[bi + 4 + j] == var:
                        block[i, j] += G_in[at + k]
                        inside = True
                if not inside:
                    block[i, n] -= G_in[at + k] * rate_out[var]
        if not eliminate(block, n):
            return NO_SOLUTION + STATUSES * b
        for j in range(n):
            rate_out[link_i[bi + 4 + j]] = block[j, n]
    return OK


@kernel
def set_curves(
    model_i: Ints, model_f: Floats, link_f: Floats, theta: Floats, rate_in: Floats, chains: Floats,
    lengths: Floats, G_in: Floats, Gdot_out: Floats, v_tree_out: Floats, bias_out: Floats,
) -> None:  # fmt: skip
    """Rates Gdot of the derivatives, the tree's velocities G theta' and its bias Gdot theta'."""
    link_i, nd = linkage(model_i), model_i[ND]
    tree_i, _ = tree_of(model_i, model_f)
    for d in range(nd):
        fi, ff = model_i[FREEDOMS_AT] + FREEDOM_I * d, model_i[FREEDOMS_F] + FREEDOM_F * d
        source, at = model_i[fi], model_i[fi + 4]
        if source == RINGED:
            bar = link_i[BARS_F] + BAR_F * model_i[fi + 1]
            var = model_i[model_i[COLUMNS_AT] + at]
            _, u_y, u_z, u_w = ring(link_f, bar, theta[var])
            _, _, az, aw = ring_rates(link_f, bar, u_y, u_z, u_w)
            after, before = model_i[fi + 3], model_i[fi + 2]
            a = (az if after == 2 else (aw if after == 3 else 0.0)) - (
                az if before == 2 else (aw if before == 3 else 0.0)
            )
            Gdot_out[at] = model_f[ff + 2] * a * rate_in[var]
        elif source <= EXTRA:
            Gdot_out[at] = 0.0
    for act in range(link_i[N_ACTS]):
        curve_cylinder(model_i, model_f, act, rate_in, chains, lengths[act], G_in, Gdot_out)
    for d in range(nd):
        fi = model_i[FREEDOMS_AT] + FREEDOM_I * d
        v, bias = 0.0, 0.0
        for k in range(model_i[fi + 4], model_i[fi + 4] + model_i[fi + 5]):
            rate = rate_in[model_i[model_i[COLUMNS_AT] + k]]
            v += G_in[k] * rate
            bias += Gdot_out[k] * rate
        v_tree_out[tree_i[d, IV]] = v
        bias_out[tree_i[d, IV]] = bias


@inlined_kernel
def curve_cylinder(
    model_i: Ints, model_f: Floats, act: int, rate_in: Floats, chains: Floats, l: float,
    G_in: Floats, Gdot_out: Floats,
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
    link_i = linkage(model_i)
    ai, af = model_i[ACTS_AT] + ACT_FREEDOMS * act, model_i[ACTS_F_AT] + ACT_PLANE * act
    tilt = model_i[ai + 1]
    at_tube = model_i[model_i[FREEDOMS_AT] + FREEDOM_I * model_i[ai] + 4]
    rod = model_i[FREEDOMS_AT] + FREEDOM_I * model_i[ai + 2]
    at_rod = model_i[rod + 4]
    count = link_i[link_i[ACTS_I] + ACT_I * act + 1]
    begin = CHAIN * act
    # d' and, running from the first step on, what is behind and before
    bx, by = 0.0, 0.0
    for k in range(count):
        rate = rate_in[model_i[model_i[COLUMNS_AT] + at_rod + k]]
        bx += chains[begin + 6 * k] * rate
        by += chains[begin + 6 * k + 1] * rate
    vx, vy, vz = lifted(model_f, af, bx, by)
    dx, dy, dz = lifted(model_f, af, chains[begin + 6 * count], chains[begin + 6 * count + 1])
    dx, dy, dz = dx + model_f[af + 6], dy + model_f[af + 7], dz + model_f[af + 8]
    r2 = dx * dx + dy * dy
    r = math.sqrt(r2)
    r_rate = (dx * vx + dy * vy) / r
    l_rate = (dx * vx + dy * vy + dz * vz) / l
    turning = 0.0
    for k in range(count):
        c = begin + 6 * k
        rate = rate_in[model_i[model_i[COLUMNS_AT] + at_rod + k]]
        px, py, w = chains[c], chains[c + 1], chains[c + 4]
        bx -= px * rate
        by -= py * rate
        ex, ey, ez = lifted(
            model_f,
            af,
            chains[c + 2] * rate - turning * py - w * by,
            chains[c + 3] * rate + turning * px + w * bx,
        )
        turning += w * rate
        px, py, pz = lifted(model_f, af, px, py)
        cross = vx * py - vy * px + dx * ey - dy * ex
        Gdot_out[at_tube + k] = cross / r2 - 2.0 * (r_rate / r) * G_in[at_tube + k]
        flat = px * vx + py * vy + dx * ex + dy * ey
        full = flat + pz * vz + dz * ez
        Gdot_out[at_rod + k] = (full - G_in[at_rod + k] * l_rate) / l
        if tilt >= 0:
            at = model_i[model_i[FREEDOMS_AT] + FREEDOM_I * tilt + 4] + k
            r_k = (dx * px + dy * py) / r
            r_k_rate = (flat - r_k * r_rate) / r
            top = r_rate * pz + r * ez - vz * r_k - dz * r_k_rate
            Gdot_out[at] = top / (l * l) - 2.0 * (l_rate / l) * G_in[at]


@kernel
def reduce_inertia(model_i: Ints, tree_i: Ints, G_in: Floats, work: Floats, M_out: Floats) -> None:
    """M_r = G^T M G by composite bodies, the tree being placed."""
    nd, columns = model_i[ND], model_i[COLUMNS_AT]
    composite(tree_i, work)
    for i in range(M_out.shape[0]):
        for j in range(M_out.shape[0]):
            M_out[i, j] = 0.0
    for d in range(nd):
        f = F * nd + 6 * d
        momentum(work, COMPOSITE * nd + 10 * d, T * nd + 6 * d, f)
        fi = model_i[FREEDOMS_AT] + FREEDOM_I * d
        first, count = model_i[fi + 4], model_i[fi + 5]
        e = d
        while e >= 0:
            value = dot(work, T * nd + 6 * e, f)
            ei = model_i[FREEDOMS_AT] + FREEDOM_I * e
            for a in range(first, first + count):
                row = model_i[columns + a]
                scaled = value * G_in[a]
                for b in range(model_i[ei + 4], model_i[ei + 4] + model_i[ei + 5]):
                    col = model_i[columns + b]
                    M_out[row, col] += scaled * G_in[b]
                    if e != d:
                        M_out[col, row] += scaled * G_in[b]
            e = tree_i[e, PARENT]


@kernel
def place_all(model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, work: Floats) -> int:
    """Everything that positions and velocities decide, up to the bodies' velocities."""
    parts = views(model_i, model_f, work)
    link_f, theta, rate, motions, chains, lengths, block, G, Gdot = parts[:9]
    status = set_variables(model_i, q_in, link_f, theta, motions, chains, lengths, block)
    if status != OK:
        return status
    status = set_positions(model_i, model_f, q_in, link_f, theta, motions, chains, lengths, G, work)
    if status != OK:
        return status
    status = set_rates(model_i, v_in, G, block, rate)
    if status != OK:
        return status
    v_tree, bias = parts[9], parts[10]
    set_curves(model_i, model_f, link_f, theta, rate, chains, lengths, G, Gdot, v_tree, bias)
    tree_i, tree_f = tree_of(model_i, model_f)
    place(tree_i, tree_f, work)
    set_velocities(tree_i, v_tree, work)
    return OK


@inlined_kernel
def row_dot(model_i: Ints, freedom: int, values: Floats, vector: Floats) -> float:
    """Product of a freedom's row of G or Gdot with a vector over the variables."""
    fi = model_i[FREEDOMS_AT] + FREEDOM_I * freedom
    total = 0.0
    for k in range(model_i[fi + 4], model_i[fi + 4] + model_i[fi + 5]):
        total += values[k] * vector[model_i[model_i[COLUMNS_AT] + k]]
    return total


@inlined_kernel
def add_row(model_i: Ints, freedom: int, values: Floats, factor_in: float, vector: Floats) -> None:
    """Vector += factor * a freedom's row of G."""
    fi = model_i[FREEDOMS_AT] + FREEDOM_I * freedom
    for k in range(model_i[fi + 4], model_i[fi + 4] + model_i[fi + 5]):
        vector[model_i[model_i[COLUMNS_AT] + k]] += factor_in * values[k]


@inlined_kernel
def constrain(
    model_i: Ints, chosen_in: Floats, G: Floats, L: Floats, wanted: Floats, S: Floats,
    response: Floats, answer_io: Floats,
) -> int:  # fmt: skip
    """Add M^-1 G_P^T lambda so that the chosen rows get what is still `wanted` of them.

    `chosen_in` is 1 for rows that take part; `wanted` holds what their rows of G times the answer
    should be, and in the end their multipliers. Returns 1 + the first row that nothing can move.
    """
    rows, m = chosen_in.shape[0], 0
    for r in range(rows):
        if chosen_in[r] == 0.0:
            continue
        freedom = model_i[model_i[ROWS_AT] + r]
        for k in range(answer_io.shape[0]):
            response[r, k] = 0.0
        add_row(model_i, freedom, G, 1.0, response[r])
        solve_factored(L, response[r])
        wanted[r] -= row_dot(model_i, freedom, G, answer_io)
    # Gauss elimination without pivoting, as S is positive definite
    for r in range(rows):
        if chosen_in[r] == 0.0:
            continue
        freedom = model_i[model_i[ROWS_AT] + r]
        for s in range(rows):
            if chosen_in[s] != 0.0:
                S[r, s] = row_dot(model_i, freedom, G, response[s])
    for r in range(rows):
        if chosen_in[r] == 0.0:
            continue
        own = S[r, r]
        for p in range(r):
            if chosen_in[p] != 0.0:
                scale = S[r, p] / S[p, p]
                for s in range(p + 1, rows):
                    if chosen_in[s] != 0.0:
                        S[r, s] -= scale * S[p, s]
                wanted[r] -= scale * wanted[p]
        if not S[r, r] > DEAD * own:
            return 1 + r
        m += 1
    for r in range(rows - 1, -1, -1):
        if chosen_in[r] == 0.0:
            continue
        for s in range(r + 1, rows):
            if chosen_in[s] != 0.0:
                wanted[r] -= S[r, s] * wanted[s]
        wanted[r] /= S[r, r]
        for k in range(answer_io.shape[0]):
            answer_io[k] += wanted[r] * response[r, k]
    return 0


@inlined_kernel
def is_open(model_i: Ints) -> bool:
    """Whether the machine has neither cylinders nor four-bars: a tree, which no loop closes."""
    link_i = linkage(model_i)
    return bool(link_i[N_ACTS] == 0 and link_i[N_BARS] == 0)


@inlined_kernel
def any_guided(drive_in: Floats) -> bool:
    """Whether any row's acceleration is prescribed."""
    found = False
    for r in range(drive_in.shape[0]):
        found = found or drive_in[r, NOW] == GUIDED
    return found


@kernel
def evaluate_open(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, drive_io: Floats,
    pulls_in: Floats, work: Floats, vdot_out: Floats, power_out: Floats,
) -> int:  # fmt: skip
    """`evaluate` of a tree whose rows nothing guides: by articulated bodies, without any G.

    Each freedom is plus or minus one coordinate, counted from home.
    """
    tree_i, tree_f = tree_of(model_i, model_f)
    nd = number_of(tree_i)
    table_i, table_f = model_i[FREEDOMS_AT] & INDEX, model_i[FREEDOMS_F] & INDEX
    columns, at = model_i[COLUMNS_AT] & INDEX, ROW * nd
    v_tree, tau, vdot = part(work, at, nd), part(work, at + nd, nd), part(work, at + 2 * nd, nd)
    for d in range(nd):
        fi, ff, turn = table_i + FREEDOM_I * d, table_f + FREEDOM_F * d, TURN * nd + 2 * d
        column = model_i[columns + (model_i[fi + 4] & INDEX)] & INDEX
        sign, home = model_f[ff + 2], model_f[ff + 3]
        if model_i[fi] == HINGE:
            work[turn], work[turn + 1] = cosine_and_sine(home + sign * q_in[column])
        elif model_i[fi] == SLIDE:
            work[turn] = home + sign * q_in[column]
        else:
            set_extra(model_i, fi, q_in, turn, work)
        v_tree[tree_i[d, IV] & INDEX] = sign * v_in[column]
    place(tree_i, tree_f, work)
    set_velocities(tree_i, v_tree, work)
    pulled = nd if pulls_in.shape[0] > 0 or model_i[N_SPRINGS] > 0 else 0
    wrenches = table(work, at + 3 * nd, pulled, 6)
    if pulled > 0:
        add_forces(model_i, model_f, v_tree, pulls_in, work, wrenches, tau, power_out)
    else:
        power_out[BY_DAMPERS], power_out[BY_PULLS] = resist(nd, model_f, v_tree, tau), 0.0
    power_out[BY_DRIVES] = push_rows(model_i, tree_i, v_tree, drive_io, tau)
    if not articulate_and_accelerate(tree_i, tree_f, tau, wrenches, work, vdot):
        return NO_INERTIA
    total = 0.0
    for d in range(nd):
        column = model_i[columns + (model_i[table_i + FREEDOM_I * d + 4] & INDEX)] & INDEX
        value = model_f[table_f + FREEDOM_F * d + 2] * vdot[tree_i[d, IV] & INDEX]
        vdot_out[column] = value
        total += value
    return OK if math.isfinite(total) else NOT_FINITE


@inlined_kernel
def push_rows(
    model_i: Ints, tree_i: Ints, v_tree: Floats, drive_io: Floats, tau_io: Floats
) -> float:
    """Add to the tree's torques what drives push with, none being guided; their power [W]."""
    given = 0.0
    for r in range(model_i[N_ROWS]):
        iv = tree_i[model_i[model_i[ROWS_AT] + r], IV]
        tau_io[iv] += drive_io[r, PULL]
        given += drive_io[r, PULL] * v_tree[iv]
        drive_io[r, REACTION] = 0.0
    return given


@kernel
def evaluate(
    model_i: Ints,
    model_f: Floats,
    q_in: Floats,
    v_in: Floats,
    drive_io: Floats,
    pulls_in: Floats,
    work: Floats,
    vdot_out: Floats,
    power_out: Floats,
) -> int:
    """Accelerations of the coordinates, reactions of guided rows, and powers [W]."""
    if is_open(model_i) and not any_guided(drive_io):
        return evaluate_open(
            model_i, model_f, q_in, v_in, drive_io, pulls_in, work, vdot_out, power_out
        )
    status = place_all(model_i, model_f, q_in, v_in, work)
    if status != OK:
        return status
    (
        _, _, rate, _, _, _, _, G, Gdot, v_tree, bias, tau, M, L, right, answer, _, wanted,
        wrenches, S, response,
    ) = views(model_i, model_f, work)  # fmt: skip
    nd, nv, rows = model_i[ND], model_i[NV], model_i[N_ROWS]
    tree_i, tree_f = tree_of(model_i, model_f)
    add_forces(model_i, model_f, v_tree, pulls_in, work, wrenches, tau, power_out)
    gather_forces(tree_i, tree_f, bias, wrenches, work)
    for k in range(nv):
        right[k] = 0.0
    for d in range(nd):
        force = tau[tree_i[d, IV]] - dot(work, T * nd + 6 * d, F * nd + 6 * d)
        add_row(model_i, d, G, force, right)
    reduce_inertia(model_i, tree_i, G, work, M)
    given = 0.0
    for r in range(rows):
        freedom = model_i[model_i[ROWS_AT] + r]
        if drive_io[r, NOW] == GUIDED:
            wanted[r] = drive_io[r, PULL] - row_dot(model_i, freedom, Gdot, rate)
        else:
            add_row(model_i, freedom, G, drive_io[r, PULL], right)
            given += drive_io[r, PULL] * v_tree[tree_i[freedom, IV]]
            drive_io[r, REACTION] = 0.0
    if not factor(M, L):
        return NO_INERTIA
    for k in range(nv):
        answer[k] = right[k]
    solve_factored(L, answer)
    dead = constrain(model_i, drive_io[:, NOW], G, L, wanted, S, response, answer)
    if dead:
        return DEAD_CENTRE + STATUSES * (dead - 1)
    for r in range(rows):
        if drive_io[r, NOW] == GUIDED:
            drive_io[r, REACTION] = wanted[r]
            given += wanted[r] * v_tree[tree_i[model_i[model_i[ROWS_AT] + r], IV]]
    power_out[BY_DRIVES] = given
    to_coordinates(model_i, answer, G, Gdot, rate, vdot_out)
    total = 0.0
    for k in range(nv):
        total += vdot_out[k]
    return OK if math.isfinite(total) else NOT_FINITE


@inlined_kernel
def to_coordinates(
    model_i: Ints, vector: Floats, G: Floats, Gdot: Floats, rate: Floats, out: Floats
) -> None:
    """Theta'' as accelerations of the coordinates: G theta'' + Gdot theta' for lengths."""
    for k in range(out.shape[0]):
        out[k] = vector[k]
    if model_i[LENGTHS]:
        link_i = linkage(model_i)
        for b in range(link_i[N_BLOCKS]):
            bi = link_i[BLOCKS_I] + BLOCK_I * b
            for k in range(link_i[bi + 1]):
                act = link_i[bi + 4 + MAX + k]
                rod = model_i[model_i[ACTS_AT] + ACT_FREEDOMS * act + 2]
                value = row_dot(model_i, rod, G, vector) + row_dot(model_i, rod, Gdot, rate)
                out[link_i[bi + 4 + k]] = value


@kernel
def rows(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, work: Floats, rows_out: Floats
) -> int:
    """Position and rate of every row, (n_rows, 2); most of them are coordinates themselves."""
    count, at = model_i[N_ROWS], model_i[ROWS_AT]
    direct = True
    for r in range(count):
        direct = direct and model_i[at + count + r] >= 0
    if not direct:
        status = place_all(model_i, model_f, q_in, v_in, work)
        if status != OK:
            return status
        read_rows(model_i, model_f, q_in, work, rows_out)
        return OK
    for r in range(count):
        ff = model_i[FREEDOMS_F] + FREEDOM_F * model_i[at + r]
        sign, home = model_f[ff + 2], model_f[ff + 3]
        rows_out[r, 0] = home + sign * q_in[model_i[at + count + r]]
        rows_out[r, 1] = sign * v_in[model_i[at + 2 * count + r]]
    return OK


@kernel
def read_rows(model_i: Ints, model_f: Floats, q_in: Floats, work: Floats, rows_out: Floats) -> None:
    """Position and rate of every row, everything being placed."""
    parts = views(model_i, model_f, work)
    for r in range(model_i[N_ROWS]):
        row_state(model_i, model_f, q_in, r, work, parts[1], parts[9], rows_out[r : r + 1])


@inlined_kernel
def input_angle(model_i: Ints, fi: int, theta: Floats) -> float:
    """Angle at the pivot of a four-bar whose turn is its variable: continuous, never wrapped."""
    angle = theta[model_i[model_i[COLUMNS_AT] + model_i[fi + 4]]]
    return float(angle if model_i[fi + 3] == 1 else -angle)


@inlined_kernel
def row_state(
    model_i: Ints, model_f: Floats, q_in: Floats, row: int, work: Floats, theta: Floats,
    v_tree: Floats, out: Floats,
) -> None:  # fmt: skip
    """Position and rate of one row, into the first two of `out`'s first row."""
    nd, at = model_i[ND], model_i[TREE_AT]
    freedom = model_i[model_i[ROWS_AT] + row]
    fi, ff = model_i[FREEDOMS_AT] + FREEDOM_I * freedom, model_i[FREEDOMS_F] + FREEDOM_F * freedom
    source, turn = model_i[fi], TURN * nd + 2 * freedom
    sign, home = model_f[ff + 2], model_f[ff + 3]
    if source == HINGE:
        out[0, 0] = home + sign * theta[model_i[fi + 1]]
    elif source == RINGED and model_i[fi + 2] + model_i[fi + 3] == 1:
        out[0, 0] = home + sign * input_angle(model_i, fi, theta)
    elif source == RINGED:
        angle = math.atan2(work[turn + 1], work[turn]) - home
        out[0, 0] = home + angle - 2.0 * math.pi * round(angle / (2.0 * math.pi))
    elif source == EXTRA:
        out[0, 0] = q_in[model_i[fi + 1]]
    else:
        out[0, 0] = work[turn]
    out[0, 1] = v_tree[model_i[at + TREE_I * freedom + IV]]


@kernel
def project(
    model_i: Ints, model_f: Floats, q_io: Floats, v_io: Floats, drive_in: Floats, work: Floats
) -> int:
    """Bring guided rows that are no coordinates where they should be, and to their rates.

    By the least change in the metric of kinetic energy. Where lengths are coordinates there is
    nothing to do.
    """
    count, at = model_i[N_ROWS], model_i[ROWS_AT]
    needed = False
    for r in range(count):
        guided = drive_in[r, NOW] == GUIDED
        needed = needed or (guided and model_i[at + count + r] < 0)
        if guided and model_i[at + count + r] >= 0:  # a coordinate itself: it is what it should be
            ff = model_i[FREEDOMS_F] + FREEDOM_F * model_i[at + r]
            sign, home = model_f[ff + 2], model_f[ff + 3]
            q_io[model_i[at + count + r]] = sign * (drive_in[r, AIM] - home)
            v_io[model_i[at + 2 * count + r]] = sign * drive_in[r, AIM_RATE]
    if not needed:
        return OK
    parts = views(model_i, model_f, work)
    G, Gdot, M, L, right, answer, more, wanted, S, response = (
        parts[7], parts[8], parts[12], parts[13], parts[14], parts[15], parts[16], parts[17],
        parts[19], parts[20],
    )  # fmt: skip
    state = parts[6]  # a block's matrix is as good as any
    tree_i, _ = tree_of(model_i, model_f)
    nv = model_i[NV]
    for iteration in range(3):
        status = place_all(model_i, model_f, q_io, v_io, work)
        if status != OK:
            return status
        reduce_inertia(model_i, tree_i, G, work, M)
        if not factor(M, L):
            return NO_INERTIA
        for k in range(nv):
            answer[k] = 0.0
        for r in range(count):
            row_state(model_i, model_f, q_io, r, work, parts[1], parts[9], state)
            if iteration < 2:
                wanted[r] = drive_in[r, AIM] - state[0, 0]
                if model_i[model_i[FREEDOMS_AT] + FREEDOM_I * model_i[at + r]] == RINGED:
                    wanted[r] -= 2.0 * math.pi * round(wanted[r] / (2.0 * math.pi))
            else:
                wanted[r] = drive_in[r, AIM_RATE] - state[0, 1]
        dead = constrain(model_i, drive_in[:, NOW], G, L, wanted, S, response, answer)
        if dead:
            return DEAD_CENTRE + STATUSES * (dead - 1)
        for k in range(nv):
            right[k] = 0.0
        zero_curves(Gdot)
        to_coordinates(model_i, answer, G, Gdot, right, more)
        if iteration < 2:
            add_positions(model_i, more, q_io)
        else:
            for k in range(nv):
                v_io[k] += more[k]
    return OK


@kernel
def arrest(
    model_i: Ints,
    model_f: Floats,
    q_in: Floats,
    v_io: Floats,
    mask_in: Floats,
    drive_io: Floats,
    work: Floats,
) -> tuple[int, float, float]:
    """Inelastic stop: rows with a mask get rate 0, guided ones keep theirs, by one impulse.

    Returns (status, kinetic energy lost [J], work that the guided drives' impulses did [J]).
    """
    status = place_all(model_i, model_f, q_in, v_io, work)
    if status != OK:
        return status, 0.0, 0.0
    (
        _, _, rate, _, _, _, _, G, Gdot, v_tree, _, _, M, L, right, answer, more, wanted, _, S,
        response,
    ) = views(model_i, model_f, work)  # fmt: skip
    nv, rows_count = model_i[NV], model_i[N_ROWS]
    tree_i, _ = tree_of(model_i, model_f)
    reduce_inertia(model_i, tree_i, G, work, M)
    if not factor(M, L):
        return NO_INERTIA, 0.0, 0.0
    for r in range(rows_count):
        freedom = model_i[model_i[ROWS_AT] + r]
        wanted[r] = 0.0
        if mask_in[r] != 0.0:
            wanted[r] = -v_tree[tree_i[freedom, IV]]
    chosen = drive_io[:, AIM_RATE]  # free until the next step aims
    for r in range(rows_count):
        chosen[r] = 1.0 if mask_in[r] != 0.0 or drive_io[r, NOW] == GUIDED else 0.0
    for k in range(nv):
        answer[k] = 0.0
    dead = constrain(model_i, chosen, G, L, wanted, S, response, answer)
    if dead:
        return DEAD_CENTRE + STATUSES * (dead - 1), 0.0, 0.0
    lost = 0.0
    for i in range(nv):
        for j in range(nv):
            lost -= (rate[i] + 0.5 * answer[i]) * M[i, j] * answer[j]
    done = 0.0
    for r in range(rows_count):
        freedom = model_i[model_i[ROWS_AT] + r]
        if drive_io[r, NOW] == GUIDED and mask_in[r] == 0.0:
            done += wanted[r] * v_tree[tree_i[freedom, IV]]
    for k in range(nv):
        more[k] = rate[k] + answer[k]
        right[k] = 0.0
    zero_curves(Gdot)
    to_coordinates(model_i, more, G, Gdot, right, v_io)
    return OK, lost + done, done


@inlined_kernel
def zero_curves(Gdot: Floats) -> None:
    """Forget Gdot: what follows asks for velocities, not for accelerations."""
    for k in range(Gdot.shape[0]):
        Gdot[k] = 0.0


@kernel
def tree_state(
    model_i: Ints,
    model_f: Floats,
    q_in: Floats,
    v_in: Floats,
    work: Floats,
    q_tree_out: Floats,
    v_tree_out: Floats,
) -> int:
    """Positions and velocities of the whole tree, which is left placed in `work`."""
    status = place_all(model_i, model_f, q_in, v_in, work)
    if status != OK:
        return status
    parts = views(model_i, model_f, work)
    link_i = linkage(model_i)
    link_f, theta, v_tree = parts[0], parts[1], parts[9]
    nd = model_i[ND]
    tree_i, _ = tree_of(model_i, model_f)
    for d in range(nd):
        fi, ff = model_i[FREEDOMS_AT] + FREEDOM_I * d, model_i[FREEDOMS_F] + FREEDOM_F * d
        source, iq, turn = model_i[fi], tree_i[d, 3], TURN * nd + 2 * d
        if source == RINGED and model_i[fi + 2] + model_i[fi + 3] == 1:
            angle = input_angle(model_i, fi, theta)
            q_tree_out[iq] = model_f[ff + 3] + model_f[ff + 2] * angle
        elif source in (RINGED, TUBE, TILT):  # near home; rings that cylinders set follow below
            angle = math.atan2(work[turn + 1], work[turn]) - model_f[ff + 3]
            turns = round(angle / (2.0 * math.pi))
            q_tree_out[iq] = model_f[ff + 3] + angle - 2.0 * math.pi * turns
        elif source in (HINGE, SLIDE):
            q_tree_out[iq] = model_f[ff + 3] + model_f[ff + 2] * theta[model_i[fi + 1]]
        elif source == ROD:
            q_tree_out[iq] = work[turn]
        elif source == EXTRA and model_i[fi + 1] >= 0:
            count = max(model_i[fi + 3], 1)
            for k in range(count):
                q_tree_out[iq + k] = q_in[model_i[fi + 1] + k]
    set_joints(link_i, link_f, theta, q_tree_out)
    for i in range(nd):
        v_tree_out[i] = v_tree[i]
    return OK


def warm_up() -> None:
    """Compile what is called from outside of kernels, on a model of nothing."""
    model_i, model_f = np.zeros(HEADER + 64, dtype=np.int64), np.zeros(64)
    model_i[LINK_AT], model_i[LINK_SIZE] = HEADER, 64
    none = np.zeros(0)
    tree_state(model_i, model_f, none, none, np.zeros(work_size(model_i)), none, none)
