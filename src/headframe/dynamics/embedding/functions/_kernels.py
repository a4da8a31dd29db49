"""Kernels of the functions that embedding rests on: the tree as functions of theta.

Positions y(theta) of every freedom, derivatives G = dy/dtheta and their rates Gdot, all in closed
form, and theta itself from lengths where these are the coordinates.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....jit import inlined_kernel, kernel
from ....kinematics.forward._kernels import BLOCK_I, CHAIN, MAX, SOLVED, eliminate, set_block
from ....kinematics.lengths._kernels import (
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
from ...model._kernels import ND, NO_CLOSURE, NO_SOLUTION, OK, STATUSES, tree_of
from ...tree._kernels import IV, TURN, place, set_velocities
from ...tree.algebra._kernels import cosine_and_sine
from ..layout._kernels import (
    ACT_FREEDOMS,
    ACT_PLANE,
    ACTS_AT,
    ACTS_F_AT,
    COLUMNS_AT,
    EXTRA,
    FREEDOM_F,
    FREEDOM_I,
    FREEDOMS_AT,
    FREEDOMS_F,
    HINGE,
    LENGTHS,
    RINGED,
    SLIDE,
    linkage,
    views,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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


def warm_up() -> None:
    """Nothing is called from outside of kernels; they compile with those."""
