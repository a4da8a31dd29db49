"""Kernels of articulated bodies: accelerations of a spanning tree under forces, without a matrix.

A handle is a freedom's body with all that it carries, the freedoms behind it being free to move:
its inertia is [[J, B], [B^T, C]] as 21 numbers, see `BODY.articulated`.

Accelerations are those that velocities and gravity would make with all freedoms at constant rates,
found beforehand with the forces that the bodies need for them, and a change by the freedoms' own
rates. So what goes through the articulated inertias is the same for forces and for impulses.
"""

from __future__ import annotations

from ...jit import VECTOR, Records, entry, header, inlined_kernel, kernel
from ...mechanism import Floats
from ...mechanism.kernels import FreedomKind
from ...spatial.kernels import ZERO, Numbers, body_at, plus, product, put_six, scaled, six
from ..linear import all_finite
from ..records import TREE
from ..status import NO_INERTIA, NOT_FINITE, OK, WRONG_SIZE
from .newton_euler import fits, force_needed, upwards
from .placing import parts_of, set_motion

NOTHING = 1e-14  # of the trace of an inertia


@inlined_kernel
def handle_at(x: Floats) -> Numbers:
    """Inertia of a handle as numbers."""
    return (
        x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10],
        x[11], x[12], x[13], x[14], x[15], x[16], x[17], x[18], x[19], x[20],
    )  # fmt: skip


@inlined_kernel
def put_handle(x: Floats, values: Numbers) -> None:
    """Write the inertia of a handle."""
    (
        x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10],
        x[11], x[12], x[13], x[14], x[15], x[16], x[17], x[18], x[19], x[20],
    ) = values  # fmt: skip


@inlined_kernel
def free(bodies: Records) -> None:
    """Every handle as its own rigid body, before others are added."""
    for d in range(bodies.shape[0]):
        m, s0, s1, s2, xx, yy, zz, xy, xz, yz = body_at(bodies[d].inertia)
        put_handle(
            bodies[d].articulated,
            (
                xx, yy, zz, xy, xz, yz, 0.0, -s2, s1, s2, 0.0, -s0, -s1, s0, 0.0,
                m, m, m, 0.0, 0.0, 0.0
            ),
        )  # fmt: skip


@inlined_kernel
def times(handle: Numbers, motion: Numbers) -> Numbers:
    """I v of a handle."""
    xx, yy, zz, xy, xz, yz, b0, b1, b2, b3, b4, b5, b6, b7, b8, cxx, cyy, czz, cxy, cxz, cyz = (
        handle
    )
    w0, w1, w2, v0, v1, v2 = motion
    return (
        (xx * w0 + xy * w1) + (xz * w2 + b0 * v0) + (b1 * v1 + b2 * v2),
        (xy * w0 + yy * w1) + (yz * w2 + b3 * v0) + (b4 * v1 + b5 * v2),
        (xz * w0 + yz * w1) + (zz * w2 + b6 * v0) + (b7 * v1 + b8 * v2),
        (b0 * w0 + b3 * w1) + (b6 * w2 + cxx * v0) + (cxy * v1 + cxz * v2),
        (b1 * w0 + b4 * w1) + (b7 * w2 + cxy * v0) + (cyy * v1 + cyz * v2),
        (b2 * w0 + b5 * w1) + (b8 * w2 + cxz * v0) + (cyz * v1 + czz * v2),
    )


@inlined_kernel
def together(p: Numbers, h: Numbers, u: Numbers, gain: float) -> Numbers:
    """Inertia of a handle p with another that hangs on it by a freedom: p + h - U U^T / D."""
    return (
        (p[0] + h[0]) - gain * (u[0] * u[0]),
        (p[1] + h[1]) - gain * (u[1] * u[1]),
        (p[2] + h[2]) - gain * (u[2] * u[2]),
        (p[3] + h[3]) - gain * (u[0] * u[1]),
        (p[4] + h[4]) - gain * (u[0] * u[2]),
        (p[5] + h[5]) - gain * (u[1] * u[2]),
        (p[6] + h[6]) - gain * (u[0] * u[3]),
        (p[7] + h[7]) - gain * (u[0] * u[4]),
        (p[8] + h[8]) - gain * (u[0] * u[5]),
        (p[9] + h[9]) - gain * (u[1] * u[3]),
        (p[10] + h[10]) - gain * (u[1] * u[4]),
        (p[11] + h[11]) - gain * (u[1] * u[5]),
        (p[12] + h[12]) - gain * (u[2] * u[3]),
        (p[13] + h[13]) - gain * (u[2] * u[4]),
        (p[14] + h[14]) - gain * (u[2] * u[5]),
        (p[15] + h[15]) - gain * (u[3] * u[3]),
        (p[16] + h[16]) - gain * (u[4] * u[4]),
        (p[17] + h[17]) - gain * (u[5] * u[5]),
        (p[18] + h[18]) - gain * (u[3] * u[4]),
        (p[19] + h[19]) - gain * (u[3] * u[5]),
        (p[20] + h[20]) - gain * (u[4] * u[5]),
    )


@inlined_kernel
def add_handle(freedoms: Records, d: int, bodies: Records) -> bool:
    """Gain of a freedom, and its handle added to the parent's; False where it moves nothing.

    U = I T is left as the body's force, D = T . U + armature. A rotor holds the freedom back, and
    the handle is felt so much more by the parent.
    """
    freedom, body = freedoms[d], bodies[d]
    handle, axis = handle_at(body.articulated), six(body.axis)
    U = times(handle, axis)
    D = product(axis, U) + freedom.armature
    # no more than the rounding of what it is made of: nothing (a thin rod about its own line)
    trace = handle[0] + handle[1] + handle[2]
    if freedom.kind == FreedomKind.SLIDE:
        trace = handle[15] + handle[16] + handle[17]
    moves: bool = NOTHING * trace < D  # NaN does not
    gain = 1.0 / D
    if freedom.parent >= 0:
        up = bodies[freedom.parent].articulated
        put_handle(up, together(handle_at(up), handle, U, gain))
    put_six(body.force, U)
    body.gain = gain if moves else 0.0 * D  # tells who it was; NaN if it was too large
    return moves


@inlined_kernel
def push_back(freedoms: Records, d: int, forces_in: Floats, bodies: Records) -> None:
    """What a freedom would do with the parent at rest, and the force Z on its handle passed on."""
    body, parent = bodies[d], freedoms[d].parent
    z = six(body.articulated_force)
    left = forces_in[freedoms[d].velocity] - product(six(body.axis), z)
    rate = body.gain * left
    if parent >= 0:
        up, U = bodies[parent].articulated_force, six(body.force)
        put_six(up, plus(plus(six(up), z), scaled(rate, U)))
    body.rate = rate


@inlined_kernel
def let_go(freedoms: Records, bodies: Records, rates_out: Floats) -> None:
    """Rates of the freedoms on moving parents, outwards: rate - U . (the parent's change) / D.

    In the place of the handle's force stands then by how much a body's motion changes.
    """
    for d in range(freedoms.shape[0]):
        body, parent = bodies[d], freedoms[d].parent
        up = six(bodies[parent].articulated_force) if parent >= 0 else ZERO
        rate = body.rate - body.gain * product(six(body.force), up)
        rates_out[freedoms[d].velocity] = rate
        put_six(body.articulated_force, plus(up, scaled(rate, six(body.axis))))


@inlined_kernel
def handle_forces(freedoms: Records, gravity: Floats, bodies: Records) -> None:
    """Accelerations at constant rates, and the forces that the handles need for them."""
    for d in range(freedoms.shape[0]):
        body, parent = bodies[d], freedoms[d].parent
        up = six(bodies[parent].acceleration) if parent >= 0 else upwards(gravity)
        put_six(body.articulated_force, force_needed(body, up))


@inlined_kernel
def articulate_and_accelerate(
    freedoms: Records, gravity: Floats, tau_in: Floats, bodies: Records, vdot_out: Floats
) -> bool:
    """Articulated-body inertias and accelerations; False where a freedom moves nothing.

    Both at once: while one waits for a sum, the other goes on.
    """
    all_move = True
    handle_forces(freedoms, gravity, bodies)
    free(bodies)
    for d in range(freedoms.shape[0] - 1, -1, -1):
        all_move &= add_handle(freedoms, d, bodies)
        push_back(freedoms, d, tau_in, bodies)
    let_go(freedoms, bodies, vdot_out)
    return all_move


@entry(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def aba(memory: Floats, q_in: Floats, v_in: Floats, tau_in: Floats, vdot_out: Floats) -> int:
    """Accelerations under generalized forces (articulated bodies), gravity included."""
    tree = header(memory, TREE)
    freedoms, bodies = parts_of(memory)
    nd = freedoms.shape[0]
    if not fits(tree, freedoms, q_in, v_in) or tau_in.shape[0] != nd or vdot_out.shape[0] != nd:
        return WRONG_SIZE
    set_motion(freedoms, q_in, v_in, bodies)
    if not articulate_and_accelerate(freedoms, tree.gravity, tau_in, bodies, vdot_out):
        return NO_INERTIA
    return OK if all_finite(vdot_out) else NOT_FINITE


@kernel
def respond(freedoms: Records, impulse_in: Floats, bodies: Records, dv_out: Floats) -> None:
    """Change of velocity by a generalized impulse, articulated inertias being set.

    The passes that make accelerations, without velocities and gravity (paper SIMGC, Figs. 2, 3).
    """
    for d in range(freedoms.shape[0]):
        put_six(bodies[d].articulated_force, ZERO)
    for d in range(freedoms.shape[0] - 1, -1, -1):
        push_back(freedoms, d, impulse_in, bodies)
    let_go(freedoms, bodies, dv_out)
