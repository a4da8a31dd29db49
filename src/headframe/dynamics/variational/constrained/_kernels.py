"""Kernels of the variational integrator for the constrained tree.

The discrete Lagrangian of the midpoint, h L(q_m, v_m), with phi = 0 at the ends of every step
(Marsden and West, Discrete Mechanics and Variational Integrators, section 3.5). Its stationary
paths, in positions and momenta p = dL/dv, J = dphi/dq:

    p_m - h/2 f = p0 + J(q0)^T lambda,    phi(q1) = 0,
    p1 = p_m + h/2 f + J(q1)^T mu,        J(q1) M(q1)^-1 p1 = 0,

v_m = (q1 - q0) / h, q_m = (q0 + q1) / 2, p_m = M(q_m) v_m, f = dL/dq (q_m, v_m) + other forces.
lambda and mu are impulses; the rows at q_m take no part. The map (q0, p0) -> (q1, p1) is symplectic
on the states whose positions and velocities are on the loops, for it has a generating function
there; it is its own inverse with -h, and so of second order. RATTLE is the same for the trapezoid
rule. Over the freedoms of a tree, with H_d the momentum of everything that freedom d moves and a_d
the inertia of its rotor,

    p_d = T_d . H_d + a_d v_d,    f_d = (V_carrier x T_d) . H_d + T_d . (wrenches on it) + tau_d.

Guided rows are rows of J whose rate is given: v0 + a h/2 in the middle and v0 + a h at the end.
Their reaction is (lambda + mu) / h, the mean over the step, and its work that times h v_m.

**Quaternions.** For a freely turning joint g with body rates w, let c = cay(h w / 2) be the turn
whose quaternion is (1, h w / 4), made a unit one; g0 = g_m c^-1, g1 = g_m c. With g' = g eta^ for
variations, phi = h w / 2, k = 1 / (1 + |phi|^2 / 4), A = k (1 - phi^/2) the derivative of cay in
body axes and R = c as a matrix,

    eta_1 = R^T eta_m + A dphi,  eta_0 = R eta_m - A^T dphi,  hence 2 k dphi = R eta_1 - R^T eta_0,

and of h f . eta_m + 2 p_m . dphi the parts by eta_1 and -eta_0 are, since A^T = R A and
R / k = (1 - |phi|^2 / 4) + phi^ + phi phi^T / 2,

    p_end   = (1 - |phi|^2/4) p_m - phi x p_m + phi (phi . p_m) / 2 + h/2 (f - phi x f / 2)
    p_start = (1 - |phi|^2/4) p_m + phi x p_m + phi (phi . p_m) / 2 - h/2 (f + phi x f / 2)

in place of p_m +- h/2 f. f is dL/dg in body axes at constant w: the carrier of these three freedoms
is the body before the joint, so that the formula above has it already.

**Solution.** With K = L^T L and Q at q0 as in `basis`, in turns until nothing changes: a step of
v_m by L^-1 (1 - Q^T Q) L^-T (p0 - p_start), which leaves the rows at q0 as they are, and a step of
Newton's method for phi(q1) = 0 in the metric of kinetic energy at q1. Where both end, p_start - p0
is in the span of J(q0)^T, whatever K is. K is M(q0) with h/2 times the slope of damping and dry
friction on its diagonal; each turn lessens the error by a factor of order h. Redundant rows, and
those that a singular pose makes dependent, are left out of both as everywhere in `constrained`; the
second uses the rows where it is, and so passes singular poses that lie within a step.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....actuation._kernels import GUIDED, NOW, PULL, REACTION
from ....jit import kernel, part, table
from ...constrained._kernels import CLOSED, COARSE, NEAR, open_at
from ...constrained.basis._kernels import coefficients, forces_to_z, multipliers, z_to_velocities
from ...constrained.parts._kernels import (
    CHANGE,
    FORCE,
    KEPT,
    N_LOOPS,
    ORDER,
    RANK_TOLERANCE,
    ROW_I,
    ROWS_AT,
    TAU,
    WANTED,
    WRENCHES,
    S,
    Z,
    change,
    matrices,
    set_basis,
    set_basis_with,
    tables,
    vectors,
)
from ...model._kernels import (
    BY_DRIVES,
    CREEP,
    N_ROWS,
    ND,
    NOT_FINITE,
    OK,
    POWERS,
    add_forces,
    add_wrench,
    normalise,
    position_rates,
    tree_of,
)
from ...tree._kernels import (
    BODY,
    CARRIER,
    IV,
    KIND,
    PARENT,
    PRISMATIC,
    SPHERICAL,
    TREE_F,
    F,
    T,
    V,
    place_tree,
)
from ...tree.algebra._kernels import dot, momentum
from .._kernels import carried

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOT_CONVERGED = 7
MOST = 100  # turns
LITTLE, ROUNDING = 1e-9, 1e-14  # changes of velocities, and ways, that a last turn may make
STALLS = 3  # turns that change no less than the one before: rounding
SETTLED = 1e-7  # [rad/s, m/s] changes after which dry friction's slope is kept
NEARLY = 0.3  # of the speed in which dry friction turns: a change within which its slope serves


@kernel
def momenta(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, drive_in: Floats, pulls_in: Floats,
    work: Floats, p_out: Floats, f_out: Floats, power_out: Floats,
) -> None:  # fmt: skip
    """Momenta p and the forces f that change them, over the freedoms, and powers [W]."""
    tree_i, tree_f = tree_of(model_i, model_f)
    extra = tables(model_i, model_f)[3]
    by_freedom = vectors(model_i, work)[1]
    nd, tau = model_i[ND], by_freedom[TAU]
    wrenches = by_freedom[WRENCHES:].reshape(nd, 6)
    place_tree(tree_i, tree_f, q_in, v_in, work)
    add_forces(model_i, model_f, v_in, pulls_in, work, wrenches, tau, power_out)
    given = 0.0
    for r in range(model_i[N_ROWS]):
        if drive_in[r, NOW] != GUIDED:
            iv = model_i[model_i[ROWS_AT] + ROW_I * r + 1]
            tau[iv] += drive_in[r, PULL]
            given += drive_in[r, PULL] * v_in[iv]
    power_out[BY_DRIVES] = given
    gx, gy, gz = model_f[0], model_f[1], model_f[2]
    for d in range(nd):
        body, f = BODY * nd + 10 * d, F * nd + 6 * d
        m, sx, sy, sz = work[body], work[body + 1], work[body + 2], work[body + 3]
        mx, my, mz = sy * gz - sz * gy, sz * gx - sx * gz, sx * gy - sy * gx
        add_wrench(wrenches, d, mx, my, mz, m * gx, m * gy, m * gz)
        momentum(work, body, V * nd + 6 * d, f)
    for d in range(nd - 1, -1, -1):  # of all that d moves, when its turn comes
        parent, carrier, iv = tree_i[d, PARENT], tree_i[d, CARRIER], tree_i[d, IV]
        t, f = T * nd + 6 * d, F * nd + 6 * d
        pushed = tau[iv]
        for k in range(6):
            pushed += work[t + k] * wrenches[d, k]
            if parent >= 0:
                work[F * nd + 6 * parent + k] += work[f + k]
                wrenches[parent, k] += wrenches[d, k]
        if carrier >= 0:
            pushed += carried(work, V * nd + 6 * carrier, t, f)
        p_out[d], f_out[d] = dot(work, t, f) + extra[d] * v_in[iv], pushed


@kernel
def half_step(
    model_i: Ints, h: float, q_in: Floats, v_in: Floats, rates_work: Floats, q_out: Floats
) -> None:
    """Positions half a step on."""
    position_rates(model_i, q_in, v_in, rates_work)
    for i in range(q_in.shape[0]):
        q_out[i] = q_in[i] + 0.5 * h * rates_work[i]
    normalise(model_i, q_out)


@kernel
def end_momenta(
    tree_i: Ints, side: float, h: float, v_in: Floats, p_in: Floats, f_in: Floats, p_out: Floats
) -> None:
    """Momenta at the start (side -1) or the end (1) of a step from those in its middle."""
    for d in range(tree_i.shape[0]):
        kind = tree_i[d, KIND]
        if kind <= PRISMATIC:
            p_out[d] = p_in[d] + 0.5 * side * h * f_in[d]
        elif kind == SPHERICAL:
            iv = tree_i[d, IV]
            a, b, c = 0.5 * h * v_in[iv], 0.5 * h * v_in[iv + 1], 0.5 * h * v_in[iv + 2]
            x, y, z = p_in[d], p_in[d + 1], p_in[d + 2]
            u, v, w = 0.5 * h * f_in[d], 0.5 * h * f_in[d + 1], 0.5 * h * f_in[d + 2]
            less = 1.0 - 0.25 * (a * a + b * b + c * c)
            half = 0.5 * (a * x + b * y + c * z)
            # phi is crossed with p_m and with half of h f / 2, the latter without the side's sign
            p_out[d] = less * x + a * half - side * (b * z - c * y - u) - 0.5 * (b * w - c * v)
            p_out[d + 1] = less * y + b * half - side * (c * x - a * z - v) - 0.5 * (c * u - a * w)
            p_out[d + 2] = less * z + c * half - side * (a * y - b * x - w) - 0.5 * (a * v - b * u)


@kernel
def add_slopes(
    model_i: Ints, model_f: Floats, h: float, v_in: Floats, dv_in: Floats, extra_out: Floats
) -> bool:
    """The diagonal that K has beyond M; whether it depends on v_m, by dry friction.

    The slope of dry friction serves for changes `dv_in` (by freedoms) that are small; before, its
    secant through 0 does, with which no step goes too far (the friction's potential is concave in
    v^2, so that a parabola by the secant lies above it).
    """
    tree_i, _ = tree_of(model_i, model_f)
    extra = tables(model_i, model_f)[3]
    nd, any_dry = model_i[ND], False
    for d in range(nd):
        iv = tree_i[d, IV]
        slope = model_f[TREE_F * (1 + nd) + iv]
        dry = model_f[TREE_F * (1 + nd) + nd + iv] / CREEP
        if dry > 0.0:
            any_dry = True
            x = abs(v_in[iv]) / CREEP
            t = math.tanh(x)
            if abs(dv_in[d]) < NEARLY * CREEP:
                slope += dry * (1.0 - t * t)
            else:
                slope += dry * (t / x if x > 1e-3 else 1.0)
        extra_out[d] = extra[d] + 0.5 * h * slope
    return any_dry


@kernel
def keep_rows(tree_i: Ints, rank: int, L_in: Floats, Q_in: Floats, x_io: Floats) -> None:
    """Velocities L^-1 (1 - Q^T Q) L^-T x of momenta x, over the freedoms."""
    nd = tree_i.shape[0]
    forces_to_z(tree_i, L_in, x_io)
    for _ in range(2):  # the second time for what is left by rounding
        for k in range(rank):
            along = 0.0
            for d in range(nd):
                along += Q_in[k, d] * x_io[d]
            for d in range(nd):
                x_io[d] -= along * Q_in[k, d]
    z_to_velocities(tree_i, L_in, x_io)


@kernel
def close_end(
    model_i: Ints, model_f: Floats, h: float, q0_in: Floats, v_io: Floats, drive_in: Floats,
    work: Floats, q_work: Floats, rates_work: Floats, rank: int, tolerance: float,
) -> tuple[int, float, float]:  # fmt: skip
    """A step of Newton's method for the loops at the end: (rank, tolerance, way [m, rad]).

    `rank` is that of a basis which still serves, or negative: then one is made. A step with a new
    basis that does not lessen the largest residual is taken back, and tried again the next time
    without the rows that are nearly dependent. A rank below -1 is a status.
    """
    dv = vectors(model_i, work)[1][CHANGE]
    nd, fresh = model_i[ND], rank < 0
    half_step(model_i, h, q0_in, v_io, rates_work, q_work)
    half_step(model_i, h, q_work, v_io, rates_work, q_work)
    worst, _ = open_at(model_i, model_f, q_work, v_io, work)
    if not math.isfinite(worst):
        return -NOT_FINITE, tolerance, 0.0
    if fresh:
        rank = set_basis(model_i, model_f, drive_in, part(work, 0, 0), tolerance, work)
        if rank < 0:
            return rank, tolerance, 0.0
    change(model_i, model_f, rank, work)
    way = 0.0
    for d in range(nd):
        way = max(way, abs(dv[d]))
        v_io[d] += dv[d] / h
    if not fresh or worst <= CLOSED:
        return rank, tolerance, way
    half_step(model_i, h, q0_in, v_io, rates_work, q_work)
    half_step(model_i, h, q_work, v_io, rates_work, q_work)
    if open_at(model_i, model_f, q_work, v_io, work)[0] < worst:
        return rank, tolerance, way
    for d in range(nd):
        v_io[d] -= dv[d] / h
    return -1, COARSE, (0.0 if tolerance == COARSE else way)


@kernel
def constrained_variational_step(
    model_i: Ints, model_f: Floats, h: float, q_io: Floats, v_io: Floats, drive_io: Floats,
    pulls_in: Floats, work: Floats, scratch: Floats, ledger_io: Floats,
) -> int:  # fmt: skip
    """One step of the midpoint rule in (q, p) with the loops closed at its ends."""
    tree_i, tree_f = tree_of(model_i, model_f)
    L, _, _, Q, C = matrices(model_i, work)
    by_row, by_freedom = vectors(model_i, work)
    wanted, impulse, kept = by_row[WANTED], by_row[FORCE], by_row[KEPT]
    s, z, order = by_freedom[S], by_freedom[Z], by_freedom[ORDER]
    nq, nd, m, n = q_io.shape[0], model_i[ND], model_i[N_LOOPS], model_i[N_ROWS]
    rows_at = model_i[ROWS_AT]
    q, rates, at = part(scratch, 0, nq), part(scratch, nq, nq), 2 * nq
    vs = table(scratch, at, 10, nd)
    v, p0, p, f, end, mu = vs[0], vs[1], vs[2], vs[3], vs[4], vs[5]
    dv, extra, held, before = vs[6], vs[7], vs[8], vs[9]
    at += 10 * nd
    L0 = table(scratch, at, nd, nd)
    Q0 = table(scratch, at + nd * nd, nd, nd)
    power = part(scratch, at + 2 * nd * nd, POWERS)
    q[:] = q_io
    v[:] = v_io
    dv[:] = math.inf
    held[:] = 0.0
    rank0, rank, tolerance, stalls, last, done = 0, -1, RANK_TOLERANCE, 0, math.inf, False
    for turn in range(MOST + 2):
        # the first time at the start, for p0; the last time where the turns have led
        momenta(model_i, model_f, q, v, drive_io, pulls_in, work, p, f, power)
        if done:
            break
        if turn == 0:
            p0[:] = p
        else:
            end_momenta(tree_i, -1.0, h, v, p, f, end)
            for d in range(nd):
                dv[d] = p0[d] - end[d]
            keep_rows(tree_i, rank0, L0, Q0, dv)
            before[:] = v
            step, way = 0.0, 0.0
            for d in range(nd):
                iv = tree_i[d, IV]
                if held[d] == 0.0:
                    v[iv] += dv[d]
                step = max(step, abs(dv[d]) / (1.0 + abs(v[iv])))
                way = max(way, h * abs(dv[d]))
            if m > 0:
                if way > NEAR:
                    rank = -1
                rank, tolerance, closing = close_end(
                    model_i, model_f, h, q_io, v, drive_io, work, q, rates, rank, tolerance
                )
                if rank < -1:
                    return -rank
                if closing > NEAR:
                    rank = -1
                step = max(step, closing)
            if not math.isfinite(step):
                return NOT_FINITE
            stalls += 1 if step >= last else 0
            last, way = step, 0.0
            for d in range(nd):
                way = max(way, h * abs(v[d] - before[d]))
            # a step from a singular pose ends where the two parts of a turn undo each other
            little = step < LITTLE or way < ROUNDING
            done = step < 1e-15 or (little and (stalls >= STALLS or turn == MOST))
        dry = add_slopes(model_i, model_f, h, v, dv, extra)
        if turn == 0 or (dry and last > SETTLED):
            place_tree(tree_i, tree_f, q_io, v_io, work)
            rank0 = set_basis_with(
                model_i, model_f, extra, drive_io, part(work, 0, 0), RANK_TOLERANCE, work
            )
            if rank0 < 0:
                return -rank0
            L0[:] = L
            Q0[:rank0] = Q[:rank0]
            rank = -1
        for r in range(n):
            if turn == 0 and kept[m + r] != 0.0:
                v[model_i[rows_at + ROW_I * r + 1]] += 0.5 * h * drive_io[r, PULL]
                held[model_i[rows_at + ROW_I * r + 2]] = 1.0
        half_step(model_i, h, q_io, v, rates, q)
    if not done:
        return NOT_CONVERGED
    for i in range(POWERS):
        ledger_io[i] += h * power[i]
    guided = False
    for r in range(n):
        drive_io[r, REACTION] = 0.0
        guided = guided or drive_io[r, NOW] == GUIDED
    # lambda, for the reactions only, then mu: what stops the rows that p0 - p_start moves at the
    # start, and what gives those at the end the rates that they should have
    for side in (-1.0, 1.0):
        if side < 0.0 and not guided:
            continue
        end_momenta(tree_i, side, h, v, p, f, end)
        if side < 0.0:
            place_tree(tree_i, tree_f, q_io, v_io, work)
        else:
            half_step(model_i, h, q, v, rates, q_io)
            place_tree(tree_i, tree_f, q_io, v, work)
        rank = set_basis(model_i, model_f, drive_io, part(work, 0, 0), RANK_TOLERANCE, work)
        if rank < 0:
            return -rank
        for i in range(m):
            wanted[i] = 0.0
        for r in range(n):
            rate = v_io[model_i[rows_at + ROW_I * r + 1]] + h * drive_io[r, PULL]
            wanted[m + r] = rate if side > 0.0 else 0.0
        coefficients(rank, C, order, wanted, s)
        for d in range(nd):
            z[d] = end[d] if side > 0.0 else p0[d] - end[d]
        forces_to_z(tree_i, L, z)
        for k in range(rank):
            mu[k] = 0.0
        for _ in range(2):  # the second time for what is left by rounding
            for k in range(rank):
                short = s[k]
                for d in range(nd):
                    short -= Q[k, d] * z[d]
                for d in range(nd):
                    z[d] += short * Q[k, d]
                mu[k] += short
        multipliers(rank, C, order, mu, impulse)
        for r in range(n):
            if drive_io[r, NOW] == GUIDED:
                drive_io[r, REACTION] += impulse[m + r] / h
                iv = model_i[rows_at + ROW_I * r + 1]
                ledger_io[BY_DRIVES] += impulse[m + r] * v[iv]
    z_to_velocities(tree_i, L, z)
    for d in range(nd):
        v_io[tree_i[d, IV]] = z[d]
    for r in range(n):
        if kept[m + r] != 0.0:  # exactly, so that what is locked stays
            v_io[model_i[rows_at + ROW_I * r + 1]] = wanted[m + r]
    return OK


def warm_up() -> None:
    """Compiled with the kernels of motion."""
