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

from ...actuation.kernels import DrivenBy
from ...jit import Record, Records, entry, header, indices, kernel, matrix, numbers, records
from ...kinematics.kernels import BLOCK, LINKAGE
from ...mechanism.kernels import FREEDOM
from ...spatial.kernels import add, body_at, cross, dot, momentum_of, product, put_six, six
from ..embedding.functions import add_row, own_part, place_all
from ..embedding.reduced import reduce_inertia
from ..forces import CREEP, add_flow, add_forces, add_weights, position_rates
from ..linear import factor, invert, solve_factored
from ..motion.calls import STEP
from ..records import (
    BODY,
    EMBEDDED_CYLINDER,
    EMBEDDED_ROW,
    FUNCTION,
    MODEL,
    POWER,
    RESISTANCE,
)
from ..status import DynamicsStatus, failed

Floats = NDArray[np.float64]

OK, NO_INERTIA, NOT_CONVERGED, NO_COORDINATE = (
    DynamicsStatus.OK.value, DynamicsStatus.NO_INERTIA.value, DynamicsStatus.NOT_CONVERGED.value,
    DynamicsStatus.NO_COORDINATE.value,
)  # fmt: skip
GUIDED = DrivenBy.GUIDED.value
MOST = 100  # iterations


@kernel
def to_lengths(model: Floats, work: Floats) -> None:
    """B = dy/dtheta and its rate D, y being the coordinates."""
    own = own_part(model)
    B, D = matrix(work, own.midpoint.B), matrix(work, own.midpoint.D)
    n = B.shape[0]
    for i in range(n):
        for j in range(n):
            B[i, j] = 1.0 if i == j else 0.0
            D[i, j] = 0.0
    if not own.by_lengths:
        return
    link = numbers(model, own.link)
    blocks = records(link, header(link, LINKAGE).blocks, BLOCK)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    cylinders = records(model, own.cylinders, EMBEDDED_CYLINDER)
    G, Gdot = numbers(work, own.work.G), numbers(work, own.work.Gdot)
    for b in range(blocks.shape[0]):
        for k in range(blocks[b].n):
            row = blocks[b].variables[k]
            rod = functions[cylinders[blocks[b].actuators[k]].rod]
            B[row, row] = 0.0
            for c in range(rod.first, rod.first + rod.count):
                B[row, columns[c]] += G[c]
                D[row, columns[c]] += Gdot[c]


@kernel
def lagrangian(
    model: Floats, q_in: Floats, v_in: Floats, drives_in: Records, pulls_in: Records,
    work: Floats, p_out: Floats, f_out: Floats, power_out: Record,
) -> int:  # fmt: skip
    """Inertia M and momenta p over the coordinates, and the forces f that change p."""
    status = place_all(model, q_in, v_in, work)
    if status != OK:
        return status
    head, own = header(model, MODEL), own_part(model)
    freedoms, bodies = records(model, head.freedoms, FREEDOM), records(work, head.bodies, BODY)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    rows = records(model, own.rows, EMBEDDED_ROW)
    G, Gdot = numbers(work, own.work.G), numbers(work, own.work.Gdot)
    v_tree, tau = numbers(work, own.work.v_tree), numbers(work, own.work.tau)
    add_forces(model, v_tree, pulls_in, bodies, tau, power_out)
    add_weights(head.gravity, bodies)
    for d in range(freedoms.shape[0]):
        body = bodies[d]
        put_six(body.force, momentum_of(body_at(body.inertia), six(body.velocity)))
    for d in range(freedoms.shape[0] - 1, -1, -1):
        parent = freedoms[d].parent
        if parent >= 0:
            add(bodies[d].force, bodies[parent].force)
            add(bodies[d].pull, bodies[parent].pull)
    for k in range(head.nv):
        p_out[k], f_out[k] = 0.0, 0.0
    for d in range(freedoms.shape[0]):
        freedom, body, y = freedoms[d], bodies[d], functions[d]
        pushed = tau[freedom.velocity] + dot(body.axis, body.pull)
        along = dot(body.axis, body.force) + freedom.armature * v_tree[freedom.velocity]
        add_row(y, columns, G, along, p_out)
        add_row(y, columns, Gdot, along, f_out)
        if freedom.carrier >= 0:
            carried = cross(six(bodies[freedom.carrier].velocity), six(body.axis))
            pushed += product(carried, six(body.force))
        add_row(y, columns, G, pushed, f_out)
    given = 0.0
    for r in range(rows.shape[0]):
        if drives_in[r].now != GUIDED:
            freedom_of_row = rows[r].freedom
            add_row(functions[freedom_of_row], columns, G, drives_in[r].pull, f_out)
            given += drives_in[r].pull * v_tree[freedoms[freedom_of_row].velocity]
    power_out.drives = given
    reduce_inertia(model, work)
    to_lengths(model, work)
    in_coordinates(model, work, p_out, f_out)
    return OK


@kernel
def in_coordinates(model: Floats, work: Floats, p_io: Floats, f_io: Floats) -> None:
    """Inertia, momenta and forces over theta as those over the coordinates; B becomes K = B^-1."""
    own = own_part(model)
    M_theta, more = matrix(work, own.work.M), numbers(work, own.work.more)
    M, K = matrix(work, own.midpoint.M), matrix(work, own.midpoint.B)
    Bdot = matrix(work, own.midpoint.D)
    nv = M.shape[0]
    if not own.by_lengths:
        for i in range(nv):
            for j in range(nv):
                M[i, j] = M_theta[i, j]
        return
    invert(K)
    for k in range(nv):  # p_l = K^T p
        total = 0.0
        for i in range(nv):
            total += K[i, k] * p_io[i]
        more[k] = total
    for k in range(nv):
        p_io[k] = more[k]
    for k in range(nv):
        for i in range(nv):
            f_io[k] -= Bdot[i, k] * p_io[i]
    for k in range(nv):
        total = 0.0
        for i in range(nv):
            total += K[i, k] * f_io[i]
        more[k] = total
    for k in range(nv):
        f_io[k] = more[k]
    for i in range(nv):  # M K, in the place of Bdot, then K^T M K
        for j in range(nv):
            total = 0.0
            for k in range(nv):
                total += M_theta[i, k] * K[k, j]
            Bdot[i, j] = total
    for i in range(nv):
        for j in range(nv):
            total = 0.0
            for k in range(nv):
                total += K[k, i] * Bdot[k, j]
            M[i, j] = total


@kernel
def damp(model: Floats, h: float, work: Floats, p_io: Floats) -> None:
    """Add h/2 c a a^T to M and h/2 c (a v) a to p, for freedoms damped by c; a is dy/d(coordinate).

    What dry friction takes at a rate is c times that rate, too.
    """
    head, own = header(model, MODEL), own_part(model)
    freedoms = records(model, head.freedoms, FREEDOM)
    resistances = records(model, head.resistances, RESISTANCE)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    G, v_tree = numbers(work, own.work.G), numbers(work, own.work.v_tree)
    row, a = numbers(work, own.work.right), numbers(work, own.work.more)
    M, K = matrix(work, own.midpoint.M), matrix(work, own.midpoint.B)
    nv = M.shape[0]
    for d in range(freedoms.shape[0]):
        iv = freedoms[d].velocity
        c, dry, x = resistances[iv].damping, resistances[iv].friction, abs(v_tree[iv]) / CREEP
        if dry > 0.0:
            c += dry / CREEP * (math.tanh(x) / x if x > 1e-6 else 1.0)
        if c == 0.0:
            continue
        for k in range(nv):
            row[k] = 0.0
        add_row(functions[d], columns, G, 1.0, row)
        for k in range(nv):
            a[k] = 0.0
            for i in range(nv):
                a[k] += K[i, k] * row[i]
        for k in range(nv):
            p_io[k] += 0.5 * h * c * v_tree[iv] * a[k]
            for i in range(nv):
                M[i, k] += 0.5 * h * c * a[i] * a[k]


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


@entry(*STEP.args)
@kernel
def variational_step(
    model: Floats, h: float, q_io: Floats, v_io: Floats, drives_io: Records, pulls_in: Records,
    work: Floats, flow_io: Record,
) -> int:  # fmt: skip
    """One step of the midpoint rule in (q, p)."""
    own = own_part(model)
    rows, at = records(model, own.rows, EMBEDDED_ROW), own.midpoint
    q, qdot, v = numbers(work, at.q), numbers(work, at.qdot), numbers(work, at.v)
    p0, p, f = numbers(work, at.p0), numbers(work, at.p), numbers(work, at.f)
    fixed, pull, before = numbers(work, at.fixed), numbers(work, at.pull), numbers(work, at.before)
    M, B, D = matrix(work, at.M), matrix(work, at.B), matrix(work, at.D)
    power = records(work, at.power, POWER)[0]
    nq, nv = q_io.shape[0], v_io.shape[0]
    for k in range(nv):
        fixed[k] = 0.0
    for r in range(rows.shape[0]):
        if drives_io[r].now == GUIDED:
            k = rows[r].velocity
            if k < 0:
                return failed(NO_COORDINATE, r)
            fixed[k], pull[k] = 1.0, drives_io[r].pull
    status = lagrangian(model, q_io, v_io, drives_io, pulls_in, work, p0, f, power)
    if status != OK:
        return status
    for k in range(nv):
        v[k] = v_io[k] + (0.5 * h * pull[k] if fixed[k] != 0.0 else 0.0)
    change = math.inf
    for _ in range(MOST):
        position_rates(model, q_io, v, qdot)
        for i in range(nq):
            q[i] = q_io[i] + 0.5 * h * qdot[i]
        status = lagrangian(model, q, v, drives_io, pulls_in, work, p, f, power)
        if status != OK:
            return status
        for k in range(nv):
            p[k] = p0[k] + 0.5 * h * f[k]
            before[k] = v[k]
        damp(model, h, work, p)
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
    add_flow(h, power, flow_io)
    position_rates(model, q_io, v, qdot)
    for i in range(nq):
        q_io[i] += h * qdot[i]
    for k in range(nv):
        before[k] = v[k]  # of the middle
        v[k] = v_io[k] + h * pull[k] if fixed[k] != 0.0 else v[k]
        f[k] = p[k]
    status = lagrangian(
        model, q_io, v, drives_io, pulls_in, work, p, numbers(work, at.spare), power
    )
    if status != OK:
        return status
    if not solve_free(M, fixed, f, B, D, v):
        return NO_INERTIA
    # reactions: what the momenta of prescribed coordinates need beyond the other forces
    for r in range(rows.shape[0]):
        if drives_io[r].now == GUIDED:
            k = rows[r].velocity
            total = 0.0
            for j in range(nv):
                total += M[k, j] * v[j]
            drives_io[r].reaction = (total - f[k]) / h
            flow_io.drives += (total - f[k]) * before[k]
    for k in range(nv):
        v_io[k] = v[k]
    return OK
