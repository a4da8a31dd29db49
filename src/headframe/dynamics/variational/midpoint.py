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

from ...jit import Record, Records, entry, header, indices, kernel, matrix, numbers, records
from ...mechanism import Floats
from ...mechanism.kernels import FREEDOM
from ..driven_rows import GUIDED, rows_of
from ..embedding.functions import add_row, own_part, place_all
from ..embedding.reduced import reduce_inertia
from ..forces import add_flow, position_rates
from ..linear import (
    add_scaled,
    copy,
    factor,
    inner,
    invert,
    multiply_transposed,
    solve_factored,
    zero,
    zero_matrix,
)
from ..motion.calls import STEP
from ..records import FUNCTION, LED_LENGTH, MODEL, POWER, RESISTANCE
from ..status import NO_COORDINATE, NO_INERTIA, NOT_CONVERGED, OK, failed
from .momenta import half_step, secant_of_friction, tree_momenta

MOST = 100  # iterations


@kernel
def to_lengths(model: Floats, work: Floats) -> None:
    """B = dy/dtheta and its rate D, y being the coordinates."""
    own = own_part(model)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    led = records(model, own.led, LED_LENGTH)
    G, Gdot = numbers(work, own.work.G), numbers(work, own.work.Gdot)
    B, D = matrix(work, own.midpoint.B), matrix(work, own.midpoint.D)
    zero_matrix(B)
    zero_matrix(D)
    for k in range(B.shape[0]):
        B[k, k] = 1.0
    for n in range(led.shape[0]):
        row, rod = led[n].variable, functions[led[n].rod]
        B[row, row] = 0.0
        add_row(rod, columns, G, 1.0, B[row])
        add_row(rod, columns, Gdot, 1.0, D[row])


@kernel
def lagrangian(
    model: Floats, q_in: Floats, v_in: Floats, drives_in: Records, pulls_in: Records,
    work: Floats, p_out: Floats, f_out: Floats, power_out: Record,
) -> int:  # fmt: skip
    """Inertia M and momenta p over the coordinates, and the forces f that change p."""
    status = place_all(model, q_in, v_in, work)
    if status != OK:
        return status
    own = own_part(model)
    freedoms = records(model, header(model, MODEL).freedoms, FREEDOM)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    G, Gdot = numbers(work, own.work.G), numbers(work, own.work.Gdot)
    v_tree, tau = numbers(work, own.work.v_tree), numbers(work, own.work.tau)
    p_tree, f_tree = numbers(work, own.midpoint.p_tree), numbers(work, own.midpoint.f_tree)
    tree_momenta(model, v_tree, drives_in, pulls_in, work, tau, p_tree, f_tree, power_out)
    zero(p_out)
    zero(f_out)
    for d in range(freedoms.shape[0]):
        y, p = functions[d], p_tree[d] + freedoms[d].armature * v_tree[freedoms[d].velocity]
        add_row(y, columns, G, p, p_out)
        add_row(y, columns, Gdot, p, f_out)
        add_row(y, columns, G, f_tree[d], f_out)
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
            copy(M_theta[i], M[i])
        return
    invert(K)
    multiply_transposed(K, p_io, more)  # p_l = K^T p
    copy(more, p_io)
    for i in range(nv):
        add_scaled(-p_io[i], Bdot[i], f_io)
    multiply_transposed(K, f_io, more)
    copy(more, f_io)
    for i in range(nv):  # M K, in the place of Bdot, then K^T M K
        multiply_transposed(K, M_theta[i], Bdot[i])
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
    for d in range(freedoms.shape[0]):
        iv = freedoms[d].velocity
        c, dry = resistances[iv].damping, resistances[iv].friction
        if dry > 0.0:
            c += dry * secant_of_friction(v_tree[iv])
        if c == 0.0:
            continue
        zero(row)
        add_row(functions[d], columns, G, 1.0, row)
        multiply_transposed(K, row, a)
        add_scaled(0.5 * h * c * v_tree[iv], a, p_io)
        for i in range(a.shape[0]):
            add_scaled(0.5 * h * c * a[i], a, M[i])


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
    at, rows = own_part(model).midpoint, rows_of(model)
    qdot, v = numbers(work, at.qdot), numbers(work, at.v)
    p0, p, f = numbers(work, at.p0), numbers(work, at.p), numbers(work, at.f)
    fixed, pull, before = numbers(work, at.fixed), numbers(work, at.pull), numbers(work, at.before)
    M, B, D = matrix(work, at.M), matrix(work, at.B), matrix(work, at.D)
    power = records(work, at.power, POWER)[0]
    zero(fixed)
    zero(pull)
    for r in range(rows.shape[0]):
        if drives_io[r].now == GUIDED:
            k = rows[r].velocity
            if k < 0:
                return failed(NO_COORDINATE, r)
            fixed[k], pull[k] = 1.0, drives_io[r].pull
    status = lagrangian(model, q_io, v_io, drives_io, pulls_in, work, p0, f, power)
    if status != OK:
        return status
    copy(v_io, v)
    add_scaled(0.5 * h, pull, v)
    status = solve_middle(model, h, q_io, drives_io, pulls_in, work)
    if status != OK:
        return status
    add_flow(h, power, flow_io)
    copy(p0, p)
    add_scaled(h, f, p)  # at the end, but for reactions
    position_rates(model, q_io, v, qdot)
    add_scaled(h, qdot, q_io)
    copy(v, before)  # of the middle
    for k in range(v.shape[0]):
        v[k] = v_io[k] + h * pull[k] if fixed[k] != 0.0 else v[k]
    status = lagrangian(
        model, q_io, v, drives_io, pulls_in, work, numbers(work, at.spare), f, power
    )
    if status != OK:
        return status
    if not solve_free(M, fixed, p, B, D, v):
        return NO_INERTIA
    # reactions: what the momenta of prescribed coordinates need beyond the other forces
    for r in range(rows.shape[0]):
        if drives_io[r].now == GUIDED:
            k = rows[r].velocity
            impulse = inner(M[k], v) - p[k]
            drives_io[r].reaction = impulse / h
            flow_io.drives += impulse * before[k]
    copy(v, v_io)
    return OK


@kernel
def solve_middle(
    model: Floats, h: float, q_in: Floats, drives_in: Records, pulls_in: Records, work: Floats
) -> int:
    """Velocities v_m in the middle of a step and the forces f there, by turns."""
    at = own_part(model).midpoint
    q, qdot, v = numbers(work, at.q), numbers(work, at.qdot), numbers(work, at.v)
    p0, p, f = numbers(work, at.p0), numbers(work, at.p), numbers(work, at.f)
    fixed, before = numbers(work, at.fixed), numbers(work, at.before)
    M, B, D = matrix(work, at.M), matrix(work, at.B), matrix(work, at.D)
    power, change = records(work, at.power, POWER)[0], math.inf
    for _ in range(MOST):
        half_step(model, h, q_in, v, qdot, q)
        status = lagrangian(model, q, v, drives_in, pulls_in, work, p, f, power)
        if status != OK:
            return status
        copy(p0, p)
        add_scaled(0.5 * h, f, p)
        copy(v, before)
        damp(model, h, work, p)
        if not solve_free(M, fixed, p, B, D, v):
            return NO_INERTIA
        last, change = change, 0.0
        for k in range(v.shape[0]):
            change = max(change, abs(v[k] - before[k]) / (1.0 + abs(v[k])))
        if change < 1e-15 or (change < 1e-12 and change >= last):
            break
    return OK if change < 1e-9 else NOT_CONVERGED
