"""Kernels of what follows from a placed tree: Jacobian, momentum, centre of mass, energy, Cholesky.

Everything is in world axes, vectors with their angular part first.
"""

from __future__ import annotations

import math

from ...jit import (
    MATRIX,
    VECTOR,
    Record,
    Records,
    entry,
    header,
    inlined_kernel,
    kernel,
    layout,
    matrix,
)
from ...mechanism import Floats
from ...mechanism.kernels import LINK, FreedomKind
from ...spatial.kernels import (
    ZERO,
    Numbers,
    add,
    body_at,
    dot,
    momentum_of,
    plus,
    point_at,
    product,
    put_six,
    six,
    velocity_at,
)
from ..linear import all_finite, factor, solve_factored
from ..records import TREE
from ..status import NO_INERTIA, NOT_FINITE, NOT_POSITIVE, OK, WRONG_SIZE, failed
from .articulated import NOTHING
from .composite_inertia import mass_matrix
from .newton_euler import body_forces, fits
from .placing import parts_of, place_tree, set_motion, set_places


@inlined_kernel
def point_in_world(link: Record, p_LP_in: Floats, bodies: Records) -> Numbers:
    """Place p_WP of a point of a link."""
    p = point_at(link.X_FL, p_LP_in)
    if link.freedom >= 0:
        p = point_at(bodies[link.freedom].X_WF, p)
    return p


@entry(VECTOR, VECTOR, VECTOR, VECTOR, MATRIX)
@kernel
def body_jacobian(
    memory: Floats, link_in: Floats, p_LP_in: Floats, q_in: Floats, J_out: Floats
) -> int:
    """Jacobian (6, nv) of a point of a link, p_LP_L (3,); `link_in` holds a LINK.

    The column of a freedom T = (w, u) that moves the link is (w, u + w x p_WP), others are zero.
    """
    tree, link = header(memory, TREE), header(link_in, LINK)
    freedoms, bodies = parts_of(memory)
    nd = freedoms.shape[0]
    if q_in.shape[0] != tree.nq or p_LP_in.shape[0] != 3:
        return WRONG_SIZE
    if J_out.shape[0] != 6 or J_out.shape[1] != nd:
        return WRONG_SIZE
    set_places(freedoms, q_in, bodies)
    p = point_in_world(link, p_LP_in, bodies)
    for i in range(6):
        for j in range(nd):
            J_out[i, j] = 0.0
    d, total = link.freedom, p[0] + p[1] + p[2]
    while d >= 0:
        motion, column = six(bodies[d].axis), freedoms[d].velocity
        w0, w1, w2 = motion[0], motion[1], motion[2]
        u0, u1, u2 = velocity_at(motion, p)
        J_out[0, column], J_out[1, column], J_out[2, column] = w0, w1, w2
        J_out[3, column], J_out[4, column], J_out[5, column] = u0, u1, u2
        total += (w0 + w1) + (w2 + u0) + (u1 + u2)
        d = freedoms[d].parent
    return OK if math.isfinite(total) else NOT_FINITE


@entry(VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def momentum(memory: Floats, q_in: Floats, v_in: Floats, h_out: Floats) -> int:
    """Momentum (6,) of all bodies: angular about the world's origin, then linear."""
    tree = header(memory, TREE)
    freedoms, bodies = parts_of(memory)
    if not fits(tree, freedoms, q_in, v_in) or h_out.shape[0] != 6:
        return WRONG_SIZE
    place_tree(freedoms, q_in, v_in, bodies)
    h: Numbers = ZERO
    for d in range(bodies.shape[0]):
        h = plus(h, momentum_of(body_at(bodies[d].inertia), six(bodies[d].velocity)))
    put_six(h_out, h)
    total = (h[0] + h[1]) + (h[2] + h[3]) + (h[4] + h[5])
    return OK if math.isfinite(total) else NOT_FINITE


@entry(VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def centre_of_mass(memory: Floats, base_in: Floats, q_in: Floats, centre_out: Floats) -> int:
    """Mass and centre [m, p_WC] (4,) of all bodies and of what stands on the base.

    `base_in` (4,) is mass and first moment of the latter.
    """
    tree = header(memory, TREE)
    freedoms, bodies = parts_of(memory)
    if q_in.shape[0] != tree.nq or centre_out.shape[0] != 4:
        return WRONG_SIZE
    set_places(freedoms, q_in, bodies)
    m, s0, s1, s2 = base_in[0], base_in[1], base_in[2], base_in[3]
    for d in range(bodies.shape[0]):
        body = bodies[d].inertia
        m, s0, s1, s2 = m + body[0], s0 + body[1], s1 + body[2], s2 + body[3]
    if m == 0.0:
        return NO_INERTIA
    centre_out[0], centre_out[1], centre_out[2], centre_out[3] = m, s0 / m, s1 / m, s2 / m
    total = m + s0 + s1 + s2
    return OK if math.isfinite(total) else NOT_FINITE


@inlined_kernel
def own_rate(freedoms: Records, d: int, bodies: Records) -> float:
    """Rate of a freedom: what its body has beyond the parent's velocity, along a unit axis."""
    parent = freedoms[d].parent
    up = six(bodies[parent].velocity) if parent >= 0 else ZERO
    w0, w1, w2, u0, u1, u2 = six(bodies[d].velocity)
    a0, a1, a2, t0, t1, t2 = six(bodies[d].axis)
    if freedoms[d].kind == FreedomKind.SLIDE:
        return float(t0 * (u0 - up[3]) + t1 * (u1 - up[4]) + t2 * (u2 - up[5]))
    return float(a0 * (w0 - up[0]) + a1 * (w1 - up[1]) + a2 * (w2 - up[2]))


@inlined_kernel
def kinetic_and_potential(
    freedoms: Records, gravity: Floats, bodies: Records
) -> tuple[float, float]:
    """Energies of all bodies and rotors [J] of a tree that is placed, its velocities being set."""
    g0, g1, g2 = gravity[0], gravity[1], gravity[2]
    kinetic, potential = 0.0, 0.0
    for d in range(freedoms.shape[0]):
        body, motion = body_at(bodies[d].inertia), six(bodies[d].velocity)
        kinetic += 0.5 * product(motion, momentum_of(body, motion))
        potential -= g0 * body[1] + g1 * body[2] + g2 * body[3]
        if freedoms[d].armature > 0.0:
            rate = own_rate(freedoms, d, bodies)
            kinetic += 0.5 * freedoms[d].armature * (rate * rate)
    return kinetic, potential


@entry(VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def energy(memory: Floats, q_in: Floats, v_in: Floats, energy_out: Floats) -> int:
    """Kinetic and potential energy (2,) of bodies and rotors [J], potential 0 at the origin."""
    tree = header(memory, TREE)
    freedoms, bodies = parts_of(memory)
    if not fits(tree, freedoms, q_in, v_in) or energy_out.shape[0] != 2:
        return WRONG_SIZE
    place_tree(freedoms, q_in, v_in, bodies)
    kinetic, potential = kinetic_and_potential(freedoms, tree.gravity, bodies)
    energy_out[0], energy_out[1] = kinetic, potential
    total = kinetic + potential
    return OK if math.isfinite(total) else NOT_FINITE


# -------------------------------------------------------------------- forward dynamics by Cholesky

# scratch memory of `forward_dynamics`
MATRICES = layout(
    M=("i8", (3,)),  # the inertia matrix (nd, nd)
    L=("i8", (3,)),  # its factor, see `linear.factor`
)


@inlined_kernel
def first_without_inertia(freedoms: Records, L_in: Floats, bodies: Records) -> int:
    """Freedom of the first row that `factor` did not get to, or got nothing of; -1 if none.

    The diagonal holds 1 / L_kk, zeros before `factor` begins. A square L_kk^2 that is no more than
    the rounding of the composite inertia it is made of is nothing, as for articulated bodies.
    """
    first, found = freedoms.shape[0], -1
    for d in range(freedoms.shape[0]):
        row, body = freedoms[d].velocity, bodies[d].composite
        trace = body[4] + body[5] + body[6]
        if freedoms[d].kind == FreedomKind.SLIDE:
            trace = 3.0 * body[0]
        inverse = L_in[row, row]
        if row < first and not (inverse > 0.0 and NOTHING * trace * (inverse * inverse) < 1.0):
            first, found = row, d
    return found


@entry(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def forward_dynamics(
    memory: Floats, matrices: Floats, q_in: Floats, v_in: Floats, tau_in: Floats, vdot_out: Floats
) -> int:
    """Accelerations under generalized forces: M from composite bodies, bias from Newton-Euler.

    M vdot = tau - bias is solved by Cholesky, as the roadheader paper does. `matrices` is scratch
    memory that begins with MATRICES. A matrix that is not positive definite gives NOT_POSITIVE
    with the number of the freedom where it shows.
    """
    tree, parts = header(memory, TREE), header(matrices, MATRICES)
    freedoms, bodies = parts_of(memory)
    nd = freedoms.shape[0]
    if not fits(tree, freedoms, q_in, v_in) or tau_in.shape[0] != nd or vdot_out.shape[0] != nd:
        return WRONG_SIZE
    M, L = matrix(matrices, parts.M), matrix(matrices, parts.L)
    set_motion(freedoms, q_in, v_in, bodies)
    body_forces(freedoms, tree.gravity, bodies)
    total = 0.0
    for d in range(nd - 1, -1, -1):
        body, row, parent = bodies[d], freedoms[d].velocity, freedoms[d].parent
        if parent >= 0:
            add(body.force, bodies[parent].force)
        left = tau_in[row] - dot(body.axis, body.force)
        vdot_out[row] = left
        total += left
    mass_matrix(freedoms, bodies, M)
    for d in range(nd):
        total += M[d, d]
        L[d, d] = 0.0
    if not math.isfinite(total):
        return NOT_FINITE
    factor(M, L)
    without = first_without_inertia(freedoms, L, bodies)
    if without >= 0:
        return failed(NOT_POSITIVE, without)
    solve_factored(L, vdot_out)
    return OK if all_finite(vdot_out) else NOT_FINITE
