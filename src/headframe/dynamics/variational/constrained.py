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

from ...actuation.kernels import DrivenBy
from ...jit import (
    Record,
    Records,
    entry,
    header,
    indices,
    kernel,
    matrix,
    numbers,
    part,
    records,
)
from ...mechanism.kernels import FREEDOM, FreedomKind
from ...spatial.kernels import add, body_at, cross, dot, momentum_of, product, put_six, six
from ..constrained.basis import (
    coefficients,
    forces_to_z,
    multipliers,
    own_part,
    z_to_velocities,
)
from ..constrained.multipliers import CLOSED, COARSE, NEAR, open_at
from ..constrained.rows import (
    NO_BASIS,
    RANK_TOLERANCE,
    change,
    set_basis,
    set_basis_with,
    settle,
)
from ..forces import (
    CREEP,
    add_flow,
    add_forces,
    add_weights,
    copy,
    normalise,
    position_rates,
)
from ..motion.calls import STEP
from ..records import BODY, CONSTRAINED_ROW, LOOP_ROW, MODEL, POWER, RESISTANCE
from ..status import DynamicsStatus
from ..tree.placing import place_tree

Floats = NDArray[np.float64]

OK, NOT_FINITE, NOT_CONVERGED = (
    DynamicsStatus.OK.value, DynamicsStatus.NOT_FINITE.value, DynamicsStatus.NOT_CONVERGED.value
)  # fmt: skip
GUIDED = DrivenBy.GUIDED.value
SLIDE, BALL = FreedomKind.SLIDE.value, FreedomKind.BALL.value
MOST = 100  # turns
LITTLE, ROUNDING = 1e-9, 1e-14  # changes of velocities, and ways, that a last turn may make
STALLS = 3  # turns that change no less than the one before: rounding
SETTLED = 1e-7  # [rad/s, m/s] changes after which dry friction's slope is kept
NEARLY = 0.3  # of the speed in which dry friction turns: a change within which its slope serves


@kernel
def momenta(
    model: Floats, q_in: Floats, v_in: Floats, drives_in: Records, pulls_in: Records,
    work: Floats, p_out: Floats, f_out: Floats, power_out: Record,
) -> None:  # fmt: skip
    """Momenta p and the forces f that change them, over the freedoms, and powers [W]."""
    head, own = header(model, MODEL), own_part(model)
    freedoms, bodies = records(model, head.freedoms, FREEDOM), records(work, head.bodies, BODY)
    rows, extra = records(model, own.rows, CONSTRAINED_ROW), numbers(model, own.extra)
    tau = numbers(work, own.work.tau)
    place_tree(freedoms, q_in, v_in, bodies)
    add_forces(model, v_in, pulls_in, bodies, tau, power_out)
    given = 0.0
    for r in range(rows.shape[0]):
        if drives_in[r].now != GUIDED:
            tau[rows[r].velocity] += drives_in[r].pull
            given += drives_in[r].pull * v_in[rows[r].velocity]
    power_out.drives = given
    add_weights(head.gravity, bodies)
    for d in range(freedoms.shape[0]):
        body = bodies[d]
        put_six(body.force, momentum_of(body_at(body.inertia), six(body.velocity)))
    for d in range(freedoms.shape[0] - 1, -1, -1):  # of all that d moves, when its turn comes
        freedom, body = freedoms[d], bodies[d]
        pushed = tau[freedom.velocity] + dot(body.axis, body.pull)
        if freedom.parent >= 0:
            add(body.force, bodies[freedom.parent].force)
            add(body.pull, bodies[freedom.parent].pull)
        if freedom.carrier >= 0:
            carried = cross(six(bodies[freedom.carrier].velocity), six(body.axis))
            pushed += product(carried, six(body.force))
        p_out[d] = dot(body.axis, body.force) + extra[d] * v_in[freedom.velocity]
        f_out[d] = pushed


@kernel
def half_step(
    model: Floats, h: float, q_in: Floats, v_in: Floats, rates_work: Floats, q_out: Floats
) -> None:
    """Positions half a step on."""
    position_rates(model, q_in, v_in, rates_work)
    for i in range(q_in.shape[0]):
        q_out[i] = q_in[i] + 0.5 * h * rates_work[i]
    normalise(model, q_out)


@kernel
def end_momenta(
    freedoms: Records, side: float, h: float, v_in: Floats, p_in: Floats, f_in: Floats,
    p_out: Floats,
) -> None:  # fmt: skip
    """Momenta at the start (side -1) or the end (1) of a step from those in its middle."""
    for d in range(freedoms.shape[0]):
        kind = freedoms[d].kind
        if kind <= SLIDE:
            p_out[d] = p_in[d] + 0.5 * side * h * f_in[d]
        elif kind == BALL:
            iv = freedoms[d].velocity
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
def add_slopes(model: Floats, h: float, v_in: Floats, dv_in: Floats, extra_out: Floats) -> bool:
    """The diagonal that K has beyond M; whether it depends on v_m, by dry friction.

    The slope of dry friction serves for changes `dv_in` (by freedoms) that are small; before, its
    secant through 0 does, with which no step goes too far (the friction's potential is concave in
    v^2, so that a parabola by the secant lies above it).
    """
    head = header(model, MODEL)
    freedoms = records(model, head.freedoms, FREEDOM)
    resistances = records(model, head.resistances, RESISTANCE)
    extra, any_dry = numbers(model, own_part(model).extra), False
    for d in range(freedoms.shape[0]):
        iv = freedoms[d].velocity
        slope, dry = resistances[iv].damping, resistances[iv].friction / CREEP
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
def keep_rows(freedoms: Records, rank: int, L_in: Floats, Q_in: Floats, x_io: Floats) -> None:
    """Velocities L^-1 (1 - Q^T Q) L^-T x of momenta x, over the freedoms."""
    nd = freedoms.shape[0]
    forces_to_z(freedoms, L_in, x_io)
    for _ in range(2):  # the second time for what is left by rounding
        for k in range(rank):
            along = 0.0
            for d in range(nd):
                along += Q_in[k, d] * x_io[d]
            for d in range(nd):
                x_io[d] -= along * Q_in[k, d]
    z_to_velocities(freedoms, L_in, x_io)


@kernel
def close_end(
    model: Floats, h: float, q0_in: Floats, v_io: Floats, drives_in: Records, work: Floats,
    q_work: Floats, rates_work: Floats, rank: int, tolerance: float,
) -> tuple[int, int, float, float]:  # fmt: skip
    """A step of Newton's method for the loops at the end: (status, rank, tolerance, way [m, rad]).

    `rank` is that of a basis which still serves, or NO_BASIS: then one is made. A step with a new
    basis that does not lessen the largest residual is taken back, and tried again the next time
    without the rows that are nearly dependent.
    """
    dv = numbers(work, own_part(model).work.change)
    nd, fresh = dv.shape[0], rank == NO_BASIS
    half_step(model, h, q0_in, v_io, rates_work, q_work)
    half_step(model, h, q_work, v_io, rates_work, q_work)
    worst, _ = open_at(model, q_work, v_io, work)
    if not math.isfinite(worst):
        return NOT_FINITE, NO_BASIS, tolerance, 0.0
    if fresh:
        status, rank = set_basis(model, drives_in, part(work, 0, 0), tolerance, work)
        if status != OK:
            return status, NO_BASIS, tolerance, 0.0
    change(model, rank, work)
    way = 0.0
    for d in range(nd):
        way = max(way, abs(dv[d]))
        v_io[d] += dv[d] / h
    if not fresh or worst <= CLOSED:
        return OK, rank, tolerance, way
    half_step(model, h, q0_in, v_io, rates_work, q_work)
    half_step(model, h, q_work, v_io, rates_work, q_work)
    if open_at(model, q_work, v_io, work)[0] < worst:
        return OK, rank, tolerance, way
    for d in range(nd):
        v_io[d] -= dv[d] / h
    return OK, NO_BASIS, COARSE, (0.0 if tolerance == COARSE else way)


@entry(*STEP.args)
@kernel
def constrained_variational_step(
    model: Floats, h: float, q_io: Floats, v_io: Floats, drives_io: Records, pulls_in: Records,
    work: Floats, flow_io: Record,
) -> int:  # fmt: skip
    """One step of the midpoint rule in (q, p) with the loops closed at its ends."""
    head, own = header(model, MODEL), own_part(model)
    freedoms, bodies = records(model, head.freedoms, FREEDOM), records(work, head.bodies, BODY)
    rows, at = records(model, own.rows, CONSTRAINED_ROW), own.midpoint
    L, Q, C = matrix(work, own.work.L), matrix(work, own.work.Q), matrix(work, own.work.C)
    wanted, impulse = numbers(work, own.work.wanted), numbers(work, own.work.force)
    kept, order = indices(work, own.work.kept), indices(work, own.work.order)
    s, z = numbers(work, own.work.s), numbers(work, own.work.z)
    q, rates, v = numbers(work, at.q), numbers(work, at.rates), numbers(work, at.v)
    p0, p, f = numbers(work, at.p0), numbers(work, at.p), numbers(work, at.f)
    end, mu, dv = numbers(work, at.end), numbers(work, at.mu), numbers(work, at.dv)
    extra, held, before = numbers(work, at.extra), numbers(work, at.held), numbers(work, at.before)
    L0, Q0 = matrix(work, at.L0), matrix(work, at.Q0)
    power = records(work, at.power, POWER)[0]
    nd, n = freedoms.shape[0], rows.shape[0]
    m = records(model, own.loops, LOOP_ROW).shape[0]
    copy(q_io, q)
    copy(v_io, v)
    for d in range(nd):
        dv[d], held[d] = math.inf, 0.0
    rank0, rank, tolerance, stalls, last, done = 0, NO_BASIS, RANK_TOLERANCE, 0, math.inf, False
    for turn in range(MOST + 2):
        # the first time at the start, for p0; the last time where the turns have led
        momenta(model, q, v, drives_io, pulls_in, work, p, f, power)
        if done:
            break
        if turn == 0:
            copy(p, p0)
        else:
            end_momenta(freedoms, -1.0, h, v, p, f, end)
            for d in range(nd):
                dv[d] = p0[d] - end[d]
            keep_rows(freedoms, rank0, L0, Q0, dv)
            copy(v, before)
            step, way = 0.0, 0.0
            for d in range(nd):
                iv = freedoms[d].velocity
                if held[d] == 0.0:
                    v[iv] += dv[d]
                step = max(step, abs(dv[d]) / (1.0 + abs(v[iv])))
                way = max(way, h * abs(dv[d]))
            if m > 0:
                if way > NEAR:
                    rank = NO_BASIS
                status, rank, tolerance, closing = close_end(
                    model, h, q_io, v, drives_io, work, q, rates, rank, tolerance
                )
                if status != OK:
                    return status
                if closing > NEAR:
                    rank = NO_BASIS
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
        dry = add_slopes(model, h, v, dv, extra)
        if turn == 0 or (dry and last > SETTLED):
            place_tree(freedoms, q_io, v_io, bodies)
            status, rank0 = set_basis_with(
                model, extra, drives_io, part(work, 0, 0), RANK_TOLERANCE, work
            )
            if status != OK:
                return status
            for i in range(nd):
                copy(L[i], L0[i])
            for k in range(rank0):
                copy(Q[k], Q0[k])
            rank = NO_BASIS
        for r in range(n):
            if turn == 0 and kept[m + r] != 0:
                v[rows[r].velocity] += 0.5 * h * drives_io[r].pull
                held[rows[r].freedom] = 1.0
        half_step(model, h, q_io, v, rates, q)
    if not done:
        return NOT_CONVERGED
    add_flow(h, power, flow_io)
    guided = False
    for r in range(n):
        drives_io[r].reaction = 0.0
        guided = guided or drives_io[r].now == GUIDED
    # lambda, for the reactions only, then mu: what stops the rows that p0 - p_start moves at the
    # start, and what gives those at the end the rates that they should have
    for side in (-1.0, 1.0):
        if side < 0.0 and not guided:
            continue
        end_momenta(freedoms, side, h, v, p, f, end)
        if side < 0.0:
            place_tree(freedoms, q_io, v_io, bodies)
        else:
            half_step(model, h, q, v, rates, q_io)
            place_tree(freedoms, q_io, v, bodies)
        status, rank = set_basis(model, drives_io, part(work, 0, 0), RANK_TOLERANCE, work)
        if status != OK:
            return status
        for i in range(m):
            wanted[i] = 0.0
        for r in range(n):
            rate = v_io[rows[r].velocity] + h * drives_io[r].pull
            wanted[m + r] = rate if side > 0.0 else 0.0
        coefficients(rank, C, order, wanted, s)
        for d in range(nd):
            z[d] = end[d] if side > 0.0 else p0[d] - end[d]
        forces_to_z(freedoms, L, z)
        settle(rank, Q, s, z, mu)
        multipliers(rank, C, order, mu, impulse)
        for r in range(n):
            if drives_io[r].now == GUIDED:
                drives_io[r].reaction += impulse[m + r] / h
                iv = rows[r].velocity
                flow_io.drives += impulse[m + r] * v[iv]
    z_to_velocities(freedoms, L, z)
    for d in range(nd):
        v_io[freedoms[d].velocity] = z[d]
    for r in range(n):
        if kept[m + r] != 0:  # exactly, so that what is locked stays
            v_io[rows[r].velocity] = wanted[m + r]
    return OK
