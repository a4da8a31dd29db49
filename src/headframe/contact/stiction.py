"""Kernels of friction as the thesis has it: sticking and sliding blended by the speed (3.6)-(3.22).

Along the two tangents, p is the way from the stiction point to the contact, u the velocity of a
against b, N the normal force; s = |p|, e = p/s. Bristles hold with (3.11)-(3.13)

    F_stic = -f e,        f = k s + c s',        s' = e . u,        |f| <= mu_st N,

sliding resists with (3.10) F_slide = -mu_dyn N u/|u|, and the two are blended (3.6), (3.9):

    F = q F_stic + (1 - q) F_slide,        q = exp(-|u|^2 / v_stic^2).

Where f is beyond its limit, the stiction point goes after the contact (3.15), along the velocity.

Where a step of h seconds ends p = p0 + h u, so that de/du = (h/s) (1 - e e^T), ds/du = h e^T and

    dF_stic/du = -e (h k e + c (e + (h/s) (u - s' e)))^T - f (h/s) (1 - e e^T)     within the limit,
    dF_stic/du = -f (h/s) (1 - e e^T),  dF_stic/du_n = -sign(f) mu_st e dN/du_n    at the limit,
    dF/du = q dF_stic/du + (1 - q) dF_slide/du - (2 q / v_stic^2) (F_stic - F_slide) u^T.

The print differs: (3.18) has s where q belongs, (3.21) and (3.22) leave out what changes at the
limit, and (3.14) pulls towards the stiction point whatever the sign of f, which jumps; here f keeps
its sign.

Unlike the return map this law is not monotone in u: its force falls from mu_st N to mu_dyn N as
the speed grows, and where bristles pull beyond mu_dyn N also without a difference of the two
coefficients. A step can then end in several ways, or Newton's method in none. Its damper acts along
p alone and turns with it. It needs steps in which speeds change by less than v_stic, and is there
to compare with.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import Record, inlined_kernel, kernel

Floats = NDArray[np.float64]


@kernel
def push_by_stiction_point(
    pair: Record, h: float, falls: float, bristle: Floats, u_in: Floats, push_io: Record
) -> None:
    """Add friction to a PUSH that has its normal force.

    Args:
        pair: PAIR.
        h: [s].
        falls: change of the normal force with u_n [N s/m].
        bristle: (2,) p where the step begins [m].
        u_in: (3,) velocity of a against b along the axes where it ends [m/s].
        push_io: PUSH.
    """
    force, slope, normal = push_io.force, push_io.slope, push_io.force[0]
    u1, u2 = u_in[1], u_in[2]
    speed2 = (u1 * u1 + u2 * u2) / (pair.transition * pair.transition)
    sticks, slips = math.exp(-speed2), -math.expm1(-speed2)
    hold_by_bristles(pair, h, falls, bristle, u_in, push_io)
    speed = math.sqrt(u1 * u1 + u2 * u2)
    d1, d2 = (u1 / speed, u2 / speed) if speed > 0.0 else (0.0, 0.0)
    limit = pair.dynamic * normal
    turns = slips * limit / speed if speed > 0.0 else 0.0
    more = 2.0 * sticks / (pair.transition * pair.transition)
    over1, over2 = more * (force[1] + limit * d1), more * (force[2] + limit * d2)
    slope[1, 0] = sticks * slope[1, 0] - slips * pair.dynamic * falls * d1
    slope[2, 0] = sticks * slope[2, 0] - slips * pair.dynamic * falls * d2
    slope[1, 1] = sticks * slope[1, 1] - turns * (1.0 - d1 * d1) - over1 * u1
    slope[1, 2] = sticks * slope[1, 2] + turns * d1 * d2 - over1 * u2
    slope[2, 1] = sticks * slope[2, 1] + turns * d1 * d2 - over2 * u1
    slope[2, 2] = sticks * slope[2, 2] - turns * (1.0 - d2 * d2) - over2 * u2
    force[1] = sticks * force[1] - slips * limit * d1
    force[2] = sticks * force[2] - slips * limit * d2


@inlined_kernel
def hold_by_bristles(
    pair: Record, h: float, falls: float, bristle: Floats, u_in: Floats, push_io: Record
) -> None:
    """Write F_stic and its slopes to a PUSH, and whether it is at its limit."""
    force, slope = push_io.force, push_io.slope
    k, c, limit = pair.bristle_stiffness, pair.bristle_damping, pair.static * force[0]
    u1, u2 = u_in[1], u_in[2]
    p1, p2 = bristle[0] + h * u1, bristle[1] + h * u2
    s = math.sqrt(p1 * p1 + p2 * p2)
    if not s > 0.0:
        slope[1, 1] = slope[2, 2] = -(h * k + c)
        return
    e1, e2 = p1 / s, p2 / s
    along = e1 * u1 + e2 * u2
    f = k * s + c * along
    r1 = h * k * e1 + c * (e1 + h / s * (u1 - along * e1))
    r2 = h * k * e2 + c * (e2 + h / s * (u2 - along * e2))
    if abs(f) > limit:
        push_io.slides = 1
        f, r1, r2 = math.copysign(limit, f), 0.0, 0.0
        changes = math.copysign(pair.static, f) * falls
        slope[1, 0], slope[2, 0] = -changes * e1, -changes * e2
    turns = f * h / s
    force[1], force[2] = -f * e1, -f * e2
    slope[1, 1], slope[1, 2] = -e1 * r1 - turns * (1.0 - e1 * e1), -e1 * r2 + turns * e1 * e2
    slope[2, 1], slope[2, 2] = -e2 * r1 + turns * e1 * e2, -e2 * r2 - turns * (1.0 - e2 * e2)


@inlined_kernel
def move_stiction_point(
    pair: Record, h: float, u_in: Floats, push_in: Record, bristle_io: Floats
) -> None:
    """The way (2,) from the stiction point to the contact where a step ends (3.15)."""
    speed = math.hypot(u_in[1], u_in[2])
    if push_in.slides and speed > 0.0 and pair.bristle_stiffness > 0.0:
        bent = pair.strain * pair.static * push_in.force[0] / pair.bristle_stiffness
        bristle_io[0], bristle_io[1] = bent * u_in[1] / speed, bent * u_in[2] / speed
    else:
        bristle_io[0] += h * u_in[1]
        bristle_io[1] += h * u_in[2]
