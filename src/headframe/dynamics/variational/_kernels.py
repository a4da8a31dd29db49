"""Kernels of the variational integrator: the midpoint rule of a discrete Lagrangian.

With L(q, v) = 1/2 v^T M(q) v - U(q) the discrete Lagrangian h L((q0 + q1) / 2, (q1 - q0) / h) leads
to the implicit midpoint rule in (q, p), p = M v, which is symplectic whatever M(q) is:

    v_m = (q1 - q0) / h,   q_m = q0 + h/2 v_m,   f = dL/dq (q_m, v_m) + other forces,
    M(q_m) v_m = p0 + h/2 f,   p1 = p0 + h f.

(The implicit midpoint rule in (q, v) is not.) Over the tree, with H_d the momentum of everything
that freedom d moves, T'_d = V x T_d the rate of its axis and y' = G theta',

    p_k = sum_d G_dk (T_d . H_d + a_d y'_d),
    d(kinetic)/dtheta_k = sum_d Gdot_dk (T_d . H_d + a_d y'_d) + G_dk T'_d . H_d,

with a_d a rotor's inertia, since d/dt p_k at constant theta' is that plus sum_d G_dk (T_d . H'_d +
a_d y''_d), the bias force. In lengths l
with theta' = K l', K = B^-1: p_l = K^T p, d(kinetic)/dl = K^T (d(kinetic)/dtheta - Bdot^T p_l).

Coordinates that are prescribed take their way; the equations of the others are solved, by turns of
v_m and f. Damping and dry friction stand on the left side meanwhile, c v being their force with the
v of the last turn: f - c v_m' + c v_m, which ends at f.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation._kernels import GUIDED, NOW, PULL, REACTION
from ...jit import kernel, part, table
from ...kinematics.forward._kernels import BLOCK_I, MAX
from ...kinematics.lengths._kernels import BLOCKS_I, N_BLOCKS
from ..embedding._kernels import reduce_inertia
from ..embedding.functions._kernels import add_row, place_all
from ..embedding.layout._kernels import (
    ACT_FREEDOMS,
    ACTS_AT,
    COLUMNS_AT,
    FREEDOM_I,
    FREEDOMS_AT,
    LENGTHS,
    ROWS_AT,
    linkage,
    views,
)
from ..linear._kernels import factor, invert, solve_factored
from ..model._kernels import (
    BY_DRIVES,
    CREEP,
    N_ROWS,
    ND,
    NO_INERTIA,
    NV,
    OK,
    POWERS,
    STATUSES,
    add_forces,
    add_wrench,
    position_rates,
    tree_of,
)
from ..tree._kernels import ARMATURE, BODY, CARRIER, IV, PARENT, TREE_F, F, T, V
from ..tree.algebra._kernels import dot, momentum

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOT_CONVERGED, NO_COORDINATE = 7, 8
MOST = 100  # iterations


@kernel
def scratch_size(nq: int, nv: int) -> int:
    """Doubles of scratch memory."""
    return 2 * nq + 10 * nv + 3 * nv * nv + 2 * POWERS


@kernel
def to_lengths(model_i: Ints, G: Floats, Gdot: Floats, B_out: Floats, Bdot_out: Floats) -> None:
    """B = dy/dtheta and its rate, y being the coordinates."""
    n = B_out.shape[0]
    for i in range(n):
        for j in range(n):
            B_out[i, j] = 1.0 if i == j else 0.0
            Bdot_out[i, j] = 0.0
    if not model_i[LENGTHS]:
        return
    link_i = linkage(model_i)
    for b in range(link_i[N_BLOCKS]):
        bi = link_i[BLOCKS_I] + BLOCK_I * b
        for k in range(link_i[bi + 1]):
            row = link_i[bi + 4 + k]
            rod = model_i[model_i[ACTS_AT] + ACT_FREEDOMS * link_i[bi + 4 + MAX + k] + 2]
            fi = model_i[FREEDOMS_AT] + FREEDOM_I * rod
            B_out[row, row] = 0.0
            for c in range(model_i[fi + 4], model_i[fi + 4] + model_i[fi + 5]):
                column = model_i[model_i[COLUMNS_AT] + c]
                B_out[row, column] += G[c]
                Bdot_out[row, column] += Gdot[c]


@kernel
def lagrangian(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, drive_in: Floats, pulls_in: Floats,
    work: Floats, B_work: Floats, Bdot_work: Floats, M_out: Floats, p_out: Floats, f_out: Floats,
    power_out: Floats,
) -> int:  # fmt: skip
    """Inertia M and momenta p over the coordinates, and the forces f that change p."""
    status = place_all(model_i, model_f, q_in, v_in, work)
    if status != OK:
        return status
    parts = views(model_i, model_f, work)
    G, Gdot, v_tree, tau, M, more, wrenches = (
        parts[7], parts[8], parts[9], parts[11], parts[12], parts[16], parts[18]
    )  # fmt: skip
    nd, nv = model_i[ND], model_i[NV]
    tree_i, tree_f = tree_of(model_i, model_f)
    add_forces(model_i, model_f, v_tree, pulls_in, work, wrenches, tau, power_out)
    gx, gy, gz = model_f[0], model_f[1], model_f[2]
    for d in range(nd):
        body = BODY * nd + 10 * d
        m, sx, sy, sz = work[body], work[body + 1], work[body + 2], work[body + 3]
        mx, my, mz = sy * gz - sz * gy, sz * gx - sx * gz, sx * gy - sy * gx
        add_wrench(wrenches, d, mx, my, mz, m * gx, m * gy, m * gz)
        momentum(work, body, V * nd + 6 * d, F * nd + 6 * d)
    for d in range(nd - 1, -1, -1):
        parent = tree_i[d, PARENT]
        if parent >= 0:
            for k in range(6):
                work[F * nd + 6 * parent + k] += work[F * nd + 6 * d + k]
                wrenches[parent, k] += wrenches[d, k]
    for k in range(nv):
        p_out[k], f_out[k] = 0.0, 0.0
    for d in range(nd):
        h, t = F * nd + 6 * d, T * nd + 6 * d
        iv = tree_i[d, IV]
        pushed = tau[iv]
        for k in range(6):
            pushed += work[t + k] * wrenches[d, k]
        along = dot(work, t, h) + tree_f[d + 1, ARMATURE] * v_tree[iv]
        add_row(model_i, d, G, along, p_out)
        add_row(model_i, d, Gdot, along, f_out)
        carrier = tree_i[d, CARRIER]
        turned = 0.0
        if carrier >= 0:
            turned = carried(work, V * nd + 6 * carrier, t, h)
        add_row(model_i, d, G, pushed + turned, f_out)
    given = 0.0
    for r in range(model_i[N_ROWS]):
        if drive_in[r, NOW] != GUIDED:
            freedom = model_i[model_i[ROWS_AT] + r]
            add_row(model_i, freedom, G, drive_in[r, PULL], f_out)
            given += drive_in[r, PULL] * v_tree[tree_i[freedom, IV]]
    power_out[BY_DRIVES] = given
    reduce_inertia(model_i, tree_i, tree_f, G, work, M)
    to_lengths(model_i, G, Gdot, B_work, Bdot_work)
    if not model_i[LENGTHS]:
        for i in range(nv):
            for j in range(nv):
                M_out[i, j] = M[i, j]
        return OK
    invert(B_work)
    for k in range(nv):  # p_l = K^T p
        total = 0.0
        for i in range(nv):
            total += B_work[i, k] * p_out[i]
        more[k] = total
    for k in range(nv):
        p_out[k] = more[k]
    for k in range(nv):
        for i in range(nv):
            f_out[k] -= Bdot_work[i, k] * p_out[i]
    for k in range(nv):
        total = 0.0
        for i in range(nv):
            total += B_work[i, k] * f_out[i]
        more[k] = total
    for k in range(nv):
        f_out[k] = more[k]
    for i in range(nv):  # M K, in the place of Bdot, then K^T M K
        for j in range(nv):
            total = 0.0
            for k in range(nv):
                total += M[i, k] * B_work[k, j]
            Bdot_work[i, j] = total
    for i in range(nv):
        for j in range(nv):
            total = 0.0
            for k in range(nv):
                total += B_work[k, i] * Bdot_work[k, j]
            M_out[i, j] = total
    return OK


@kernel
def damp(
    model_i: Ints, model_f: Floats, h: float, K_in: Floats, work: Floats, M_io: Floats, p_io: Floats
) -> None:
    """Add h/2 c a a^T to M and h/2 c (a v) a to p, for freedoms damped by c; a is dy/d(coordinate).

    What dry friction takes at a rate is c times that rate, too.
    """
    parts = views(model_i, model_f, work)
    G, v_tree, row, a = parts[7], parts[9], parts[14], parts[16]
    tree_i, _ = tree_of(model_i, model_f)
    nd, nv = model_i[ND], model_i[NV]
    at = TREE_F * (1 + nd)
    for d in range(nd):
        iv = tree_i[d, IV]
        c, dry, x = model_f[at + iv], model_f[at + nd + iv], abs(v_tree[iv]) / CREEP
        if dry > 0.0:
            c += dry / CREEP * (math.tanh(x) / x if x > 1e-6 else 1.0)
        if c == 0.0:
            continue
        for k in range(nv):
            row[k] = 0.0
        add_row(model_i, d, G, 1.0, row)
        for k in range(nv):
            a[k] = 0.0
            for i in range(nv):
                a[k] += K_in[i, k] * row[i]
        for k in range(nv):
            p_io[k] += 0.5 * h * c * v_tree[iv] * a[k]
            for i in range(nv):
                M_io[i, k] += 0.5 * h * c * a[i] * a[k]


@kernel
def carried(work: Floats, v: int, t: int, h: int) -> float:
    """(v x t) . h for two motions and a force vector in `work`."""
    w0, w1, w2 = work[v], work[v + 1], work[v + 2]
    v0, v1, v2 = work[v + 3], work[v + 4], work[v + 5]
    t0, t1, t2 = work[t], work[t + 1], work[t + 2]
    t3, t4, t5 = work[t + 3], work[t + 4], work[t + 5]
    total = (w1 * t2 - w2 * t1) * work[h]
    total += (w2 * t0 - w0 * t2) * work[h + 1]
    total += (w0 * t1 - w1 * t0) * work[h + 2]
    total += (w1 * t5 - w2 * t4 + v1 * t2 - v2 * t1) * work[h + 3]
    total += (w2 * t3 - w0 * t5 + v2 * t0 - v0 * t2) * work[h + 4]
    total += (w0 * t4 - w1 * t3 + v0 * t1 - v1 * t0) * work[h + 5]
    return float(total)


@kernel
def solve_free(
    M_in: Floats, fixed_in: Floats, p_in: Floats, L_work: Floats, A_work: Floats, x_io: Floats
) -> bool:
    """Rates of the coordinates that are not fixed, from their momenta; the fixed ones are given."""
    n = x_io.shape[0]
    for i in range(n):
        for j in range(n):
            free = fixed_in[i] == 0.0 and fixed_in[j] == 0.0
            A_work[i, j] = M_in[i, j] if free else (1.0 if i == j else 0.0)
    if not factor(A_work, L_work):
        return False
    for i in range(n):
        if fixed_in[i] != 0.0:
            continue
        total = p_in[i]
        for j in range(n):
            if fixed_in[j] != 0.0:
                total -= M_in[i, j] * x_io[j]
        A_work[0, i] = total
    for i in range(n):
        if fixed_in[i] == 0.0:
            x_io[i] = A_work[0, i]
    for i in range(n):  # fixed ones have a row of their own in the factor
        A_work[0, i] = x_io[i]
    solve_factored(L_work, x_io)
    for i in range(n):
        if fixed_in[i] != 0.0:
            x_io[i] = A_work[0, i]
    return True


@kernel
def variational_step(
    model_i: Ints, model_f: Floats, h: float, q_io: Floats, v_io: Floats, drive_io: Floats,
    pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """One step of the midpoint rule in (q, p)."""
    nq, nv = q_io.shape[0], v_io.shape[0]
    q, qdot = part(scratch, 0, nq), part(scratch, nq, nq)
    at = 2 * nq
    v, p0, p, f = (
        part(scratch, at, nv), part(scratch, at + nv, nv), part(scratch, at + 2 * nv, nv),
        part(scratch, at + 3 * nv, nv),
    )  # fmt: skip
    fixed, pull, before = (
        part(scratch, at + 4 * nv, nv), part(scratch, at + 5 * nv, nv),
        part(scratch, at + 6 * nv, nv),
    )  # fmt: skip
    at += 7 * nv
    M = table(scratch, at, nv, nv)
    B = table(scratch, at + nv * nv, nv, nv)
    D = table(scratch, at + 2 * nv * nv, nv, nv)
    at += 3 * nv * nv
    power = part(scratch, at, POWERS)
    rows, where = model_i[N_ROWS], model_i[ROWS_AT]
    for k in range(nv):
        fixed[k] = 0.0
    for r in range(rows):
        if drive_io[r, NOW] == GUIDED:
            k = model_i[where + 2 * rows + r]
            if k < 0:
                return NO_COORDINATE + STATUSES * r
            fixed[k], pull[k] = 1.0, drive_io[r, PULL]
    status = lagrangian(
        model_i, model_f, q_io, v_io, drive_io, pulls_in, work, B, D, M, p0, f, power
    )
    if status != OK:
        return status
    for k in range(nv):
        v[k] = v_io[k] + (0.5 * h * pull[k] if fixed[k] != 0.0 else 0.0)
    change = math.inf
    for _ in range(MOST):
        position_rates(model_i, q_io, v, qdot)
        for i in range(nq):
            q[i] = q_io[i] + 0.5 * h * qdot[i]
        status = lagrangian(model_i, model_f, q, v, drive_io, pulls_in, work, B, D, M, p, f, power)
        if status != OK:
            return status
        for k in range(nv):
            p[k] = p0[k] + 0.5 * h * f[k]
            before[k] = v[k]
        damp(model_i, model_f, h, B, work, M, p)
        if not solve_free(M, fixed, p, B, D, v):
            return NO_INERTIA
        last, change = change, 0.0
        for k in range(nv):
            change = max(change, abs(v[k] - before[k]) / (1.0 + abs(v[k])))
        if change < 1e-15 or (change < 1e-12 and change >= last):
            break
    if not change < 1e-9:
        return NOT_CONVERGED
    for k in range(nv):
        p[k] = p0[k] + h * f[k]
    for i in range(POWERS):
        ledger_io[i] += h * power[i]
    position_rates(model_i, q_io, v, qdot)
    for i in range(nq):
        q_io[i] += h * qdot[i]
    for k in range(nv):
        before[k] = v[k]  # of the middle
        v[k] = v_io[k] + h * pull[k] if fixed[k] != 0.0 else v[k]
        f[k] = p[k]
    status = lagrangian(
        model_i, model_f, q_io, v, drive_io, pulls_in, work, B, D, M, p, part(qdot, 0, nv), power
    )
    if status != OK:
        return status
    if not solve_free(M, fixed, f, B, D, v):
        return NO_INERTIA
    # reactions: what the momenta of prescribed coordinates need beyond the other forces
    for r in range(rows):
        if drive_io[r, NOW] == GUIDED:
            k = model_i[where + 2 * rows + r]
            total = 0.0
            for j in range(nv):
                total += M[k, j] * v[j]
            drive_io[r, REACTION] = (total - f[k]) / h
            ledger_io[BY_DRIVES] += (total - f[k]) * before[k]
    for k in range(nv):
        v_io[k] = v[k]
    return OK


def warm_up() -> None:
    """Compiled with the kernels of motion."""
