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
rule. For p and f over the freedoms of a tree see `tree_momenta`; rotors of inertia a_d add a_d v_d.

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

from ...jit import (
    Record,
    Records,
    entry,
    header,
    indices,
    inlined_kernel,
    kernel,
    matrix,
    numbers,
    part,
    records,
)
from ...mechanism import Floats
from ...mechanism.kernels import FREEDOM, FreedomKind
from ..constrained.basis import forces_to_z, own_part, z_to_velocities
from ..constrained.multipliers import CLOSED, COARSE, NEAR, open_at
from ..constrained.rows import (
    NO_BASIS,
    RANK_TOLERANCE,
    change,
    set_basis,
    set_basis_with,
    settle_rows,
    take_rates,
)
from ..driven_rows import GUIDED, any_guided, rows_of
from ..forces import CREEP, add_flow, tree_parts
from ..linear import add_scaled, copy, inner, largest, zero
from ..motion.calls import STEP
from ..records import LOOP_ROW, MODEL, POWER, RESISTANCE
from ..status import NOT_CONVERGED, NOT_FINITE, OK
from ..tree.placing import place_tree
from .momenta import half_step, secant_of_friction, tree_momenta

SLIDE, BALL = FreedomKind.SLIDE.value, FreedomKind.BALL.value
MOST = 100  # turns
LITTLE, ROUNDING = 1e-9, 1e-14  # changes of velocities, and ways, that a last turn may make
STALLS = 3  # turns that change no less than the one before: rounding
SETTLED = 1e-7  # [rad/s, m/s] changes after which dry friction's slope is kept
NEARLY = 0.3  # of the speed in which dry friction turns: a change within which its slope serves


@kernel
def momenta(
    model: Floats, q_in: Floats, v_in: Floats, drives_in: Records, pulls_in: Records, work: Floats
) -> None:
    """Momenta p and the forces f that change them, over the freedoms, and powers [W]."""
    own = own_part(model)
    freedoms, bodies = tree_parts(model, work)
    extra, tau = numbers(model, own.extra), numbers(work, own.work.tau)
    p, f = numbers(work, own.midpoint.p), numbers(work, own.midpoint.f)
    power = records(work, own.midpoint.power, POWER)[0]
    place_tree(freedoms, q_in, v_in, bodies)
    tree_momenta(model, v_in, drives_in, pulls_in, work, tau, p, f, power)
    for d in range(freedoms.shape[0]):
        p[d] += extra[d] * v_in[freedoms[d].velocity]


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
        slope, dry = resistances[iv].damping, resistances[iv].friction
        if dry > 0.0:
            any_dry = True
            if abs(dv_in[d]) < NEARLY * CREEP:
                slope += dry / CREEP * (1.0 - math.tanh(v_in[iv] / CREEP) ** 2)
            else:
                slope += dry * secant_of_friction(v_in[iv])
        extra_out[d] = extra[d] + 0.5 * h * slope
    return any_dry


@kernel
def keep_rows(freedoms: Records, rank: int, L_in: Floats, Q_in: Floats, x_io: Floats) -> None:
    """Velocities L^-1 (1 - Q^T Q) L^-T x of momenta x, over the freedoms."""
    forces_to_z(freedoms, L_in, x_io)
    for _ in range(2):  # the second time for what is left by rounding
        for k in range(rank):
            add_scaled(-inner(Q_in[k], x_io), Q_in[k], x_io)
    z_to_velocities(freedoms, L_in, x_io)


@kernel
def open_at_end(model: Floats, h: float, q0_in: Floats, v_in: Floats, work: Floats) -> float:
    """The loops' largest residual where a step ends; what would close the rows is wanted."""
    at = own_part(model).midpoint
    q, rates = numbers(work, at.q), numbers(work, at.rates)
    half_step(model, h, q0_in, v_in, rates, q)
    half_step(model, h, q, v_in, rates, q)
    return open_at(model, q, v_in, work)[0]


@kernel
def close_end(
    model: Floats, h: float, q0_in: Floats, v_io: Floats, drives_in: Records, work: Floats,
    rank: int, tolerance: float,
) -> tuple[int, int, float, float]:  # fmt: skip
    """A step of Newton's method for the loops at the end: (status, rank, tolerance, way [m, rad]).

    `rank` is that of a basis which still serves, or NO_BASIS: then one is made. A step with a new
    basis that does not lessen the largest residual is taken back, and tried again the next time
    without the rows that are nearly dependent.
    """
    dv, fresh = numbers(work, own_part(model).work.change), rank == NO_BASIS
    worst = open_at_end(model, h, q0_in, v_io, work)
    if not math.isfinite(worst):
        return NOT_FINITE, NO_BASIS, tolerance, 0.0
    if fresh:
        status, rank = set_basis(model, drives_in, tolerance, work)
        if status != OK:
            return status, NO_BASIS, tolerance, 0.0
    change(model, rank, work)
    way = largest(dv)
    add_scaled(1.0 / h, dv, v_io)
    if not fresh or worst <= CLOSED or open_at_end(model, h, q0_in, v_io, work) < worst:
        return OK, (NO_BASIS if way > NEAR else rank), tolerance, way
    add_scaled(-1.0 / h, dv, v_io)
    return OK, NO_BASIS, COARSE, (0.0 if tolerance == COARSE else way)


@kernel
def set_start(
    model: Floats, q_in: Floats, v_in: Floats, drives_in: Records, work: Floats
) -> tuple[int, int]:
    """L0 and Q0 of K and the rows at the start of a step: (status, rank)."""
    own = own_part(model)
    freedoms, bodies = tree_parts(model, work)
    L, L0 = matrix(work, own.work.L), matrix(work, own.midpoint.L0)
    Q, Q0 = matrix(work, own.work.Q), matrix(work, own.midpoint.Q0)
    extra, no_mask = numbers(work, own.midpoint.extra), part(work, 0, 0)
    place_tree(freedoms, q_in, v_in, bodies)
    status, rank = set_basis_with(model, extra, drives_in, no_mask, RANK_TOLERANCE, work)
    if status != OK:
        return status, rank
    for d in range(freedoms.shape[0]):
        copy(L[d], L0[d])
    for k in range(rank):
        copy(Q[k], Q0[k])
    return OK, rank


@kernel
def meet_start(model: Floats, h: float, rank: int, work: Floats) -> float:
    """A step of v_m towards p_start = p0 that leaves the rows at the start alone; its size."""
    at, freedoms = own_part(model).midpoint, records(model, header(model, MODEL).freedoms, FREEDOM)
    v, dv, held = numbers(work, at.v), numbers(work, at.dv), numbers(work, at.held)
    p, f, p0 = numbers(work, at.p), numbers(work, at.f), numbers(work, at.p0)
    end_momenta(freedoms, -1.0, h, v, p, f, dv)
    for d in range(dv.shape[0]):
        dv[d] = p0[d] - dv[d]
    keep_rows(freedoms, rank, matrix(work, at.L0), matrix(work, at.Q0), dv)
    size = 0.0
    for d in range(dv.shape[0]):
        iv = freedoms[d].velocity
        if held[d] == 0.0:
            v[iv] += dv[d]
        size = max(size, abs(dv[d]) / (1.0 + abs(v[iv])))
    return size


@kernel
def begin(
    model: Floats, h: float, q_in: Floats, v_in: Floats, drives_in: Records, pulls_in: Records,
    work: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Momenta p0, the metric at the start, and a first v_m, in which guided rows have theirs.

    Returns (status, rank).
    """
    own, rows = own_part(model), rows_of(model)
    at, kept = own.midpoint, indices(work, own.work.kept)
    v, dv, held = numbers(work, at.v), numbers(work, at.dv), numbers(work, at.held)
    m = kept.shape[0] - rows.shape[0]
    copy(v_in, v)
    zero(held)
    for d in range(dv.shape[0]):
        dv[d] = math.inf
    momenta(model, q_in, v_in, drives_in, pulls_in, work)
    copy(numbers(work, at.p), numbers(work, at.p0))
    add_slopes(model, h, v, dv, numbers(work, at.extra))
    status, rank = set_start(model, q_in, v_in, drives_in, work)
    if status != OK:
        return status, rank
    for r in range(rows.shape[0]):
        if kept[m + r] != 0:
            v[rows[r].velocity] += 0.5 * h * drives_in[r].pull
            held[rows[r].freedom] = 1.0
    half_step(model, h, q_in, v, numbers(work, at.rates), numbers(work, at.q))
    return OK, rank


@kernel
def solve_middle(
    model: Floats, h: float, q_in: Floats, v_in: Floats, drives_in: Records, pulls_in: Records,
    rank0: int, work: Floats,
) -> int:  # fmt: skip
    """Positions and velocities in the middle of a step, with p and f there, by turns."""
    own = own_part(model)
    at, loops = own.midpoint, records(model, own.loops, LOOP_ROW)
    q, rates, v = numbers(work, at.q), numbers(work, at.rates), numbers(work, at.v)
    dv, extra, before = numbers(work, at.dv), numbers(work, at.extra), numbers(work, at.before)
    rank, tolerance, stalls, last = NO_BASIS, RANK_TOLERANCE, 0, math.inf
    for turn in range(1, MOST + 1):
        momenta(model, q, v, drives_in, pulls_in, work)
        copy(v, before)
        step = meet_start(model, h, rank0, work)
        if loops.shape[0] > 0:
            if h * largest(dv) > NEAR:
                rank = NO_BASIS
            status, rank, tolerance, way = close_end(
                model, h, q_in, v, drives_in, work, rank, tolerance
            )
            if status != OK:
                return status
            step = max(step, way)
        if not math.isfinite(step):
            return NOT_FINITE
        stalls += 1 if step >= last else 0
        last = step
        add_scaled(-1.0, v, before)
        # a step from a singular pose ends where the two parts of a turn undo each other
        little = step < LITTLE or h * largest(before) < ROUNDING
        done = step < 1e-15 or (little and (stalls >= STALLS or turn == MOST))
        if add_slopes(model, h, v, dv, extra) and last > SETTLED and not done:
            status, rank0 = set_start(model, q_in, v_in, drives_in, work)
            if status != OK:
                return status
            rank = NO_BASIS
        half_step(model, h, q_in, v, rates, q)
        if done:
            momenta(model, q, v, drives_in, pulls_in, work)
            return OK
    return NOT_CONVERGED


@kernel
def impulses_at(model: Floats, q_in: Floats, v_in: Floats, drives_in: Records, work: Floats) -> int:
    """Impulses that give rows at an end of a step the rates `wanted`, from momenta `z`."""
    freedoms, bodies = tree_parts(model, work)
    place_tree(freedoms, q_in, v_in, bodies)
    status, rank = set_basis(model, drives_in, RANK_TOLERANCE, work)
    if status == OK:
        settle_rows(model, rank, work)
    return status


@inlined_kernel
def book_impulses(
    model: Floats, h: float, v_in: Floats, drives_io: Records, work: Floats, flow_io: Record
) -> None:
    """Add the impulses of guided rows to their reactions, and what they do to the ledger."""
    rows, impulse = rows_of(model), numbers(work, own_part(model).work.force)
    m = impulse.shape[0] - rows.shape[0]
    for r in range(rows.shape[0]):
        if drives_io[r].now == GUIDED:
            drives_io[r].reaction += impulse[m + r] / h
            flow_io.drives += impulse[m + r] * v_in[rows[r].velocity]


@entry(*STEP.args)
@kernel
def constrained_variational_step(
    model: Floats, h: float, q_io: Floats, v_io: Floats, drives_io: Records, pulls_in: Records,
    work: Floats, flow_io: Record,
) -> int:  # fmt: skip
    """One step of the midpoint rule in (q, p) with the loops closed at its ends."""
    own, rows = own_part(model), rows_of(model)
    freedoms, at = records(model, header(model, MODEL).freedoms, FREEDOM), own.midpoint
    wanted, z = numbers(work, own.work.wanted), numbers(work, own.work.z)
    q, v, p0 = numbers(work, at.q), numbers(work, at.v), numbers(work, at.p0)
    p, f, m = numbers(work, at.p), numbers(work, at.f), wanted.shape[0] - rows.shape[0]
    status, rank0 = begin(model, h, q_io, v_io, drives_io, pulls_in, work)
    if status == OK:
        status = solve_middle(model, h, q_io, v_io, drives_io, pulls_in, rank0, work)
    if status != OK:
        return status
    add_flow(h, records(work, at.power, POWER)[0], flow_io)
    for r in range(rows.shape[0]):
        drives_io[r].reaction = 0.0
    zero(wanted)
    if any_guided(
        drives_io
    ):  # lambda, for the reactions only: what stops the rows that p0 - p_start moves
        end_momenta(freedoms, -1.0, h, v, p, f, z)
        for d in range(z.shape[0]):
            z[d] = p0[d] - z[d]
        status = impulses_at(model, q_io, v_io, drives_io, work)
        if status != OK:
            return status
        book_impulses(model, h, v, drives_io, work, flow_io)
    # mu: what gives the rows at the end the rates that they should have
    half_step(model, h, q, v, numbers(work, at.rates), q_io)
    end_momenta(freedoms, 1.0, h, v, p, f, z)
    for r in range(rows.shape[0]):
        wanted[m + r] = v_io[rows[r].velocity] + h * drives_io[r].pull
    status = impulses_at(model, q_io, v, drives_io, work)
    if status != OK:
        return status
    book_impulses(model, h, v, drives_io, work, flow_io)
    take_rates(model, work, v_io)
    return OK
