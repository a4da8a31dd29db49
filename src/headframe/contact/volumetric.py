"""Kernels of the volumetric law: force and torque by what two solids have in common (4.6)-(4.10).

Each solid has an elastic skin, a foundation, that is pressed in. Its pressure at a place is
p = K d (1 + a d'), d being the depth there, K the modulus of the skin by its thickness [N/m^3] and
a = dissipation / speed of approach. Over the place V is the integral of d, and with J the inertia
of the common solid, of density 1, about its centroid:

    force along the normal       F = K V (1 + a v_n)                                        (4.6)
    torque against rolling       T = -K a J_t w_t                                           (4.7)

since the skin meets the ground with v_n + (w_t x rho) . n at the place rho, so that its front bears
more. (J_t has a share of the depth squared beside that integral, as in print; it is small where the
place is flat.) The pressure of a skin never pulls, so that its middle stays within the place: T is
bounded by F times its radius, which for a paraboloid is sqrt(3) times the radius of gyration.

Friction: places of the contact slide with u_t + w_n x rho. Taken together as one place that slides
with the mean square of that,

    |w|^2 = |u_t|^2 + (r w_n)^2,        r^2 = J_n / V,

and resists against w with mu F at most, the force against sliding is mu F u_t / |w| and the torque
against spinning mu F r^2 w_n / |w| = (mu F / V) J_n w_n / |w|: (4.9) and (4.10), in which |w| is
missing in print, without which they are no forces. So sliding and spinning share one cone, and the
bristles of `force` get a third component, r times the angle by which they are twisted. All this is
the slope of a convex function of the velocities, and so monotone in them.

Where a step begins V = c d^n near its depth, J and r are frozen. Velocities u (6,) are those of a
against b along the contact's axes (normal, two tangents) at the centroid, and about them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import NUMBER, VECTOR, Record, entry, inlined_kernel, kernel, record_of
from .force import FULL, SLOWEST, normal_force
from .records import COMMON, MEMORY, PAIR, WIDE_PUSH

Floats = NDArray[np.float64]
PARABOLOID = math.sqrt(3.0)  # radius of a place by its radius of gyration


@kernel
def wide_push(
    pair: Record, common: Record, h: float, depth: float, bristle: Floats, memory: Record,
    u_in: Floats, push_out: Record,
) -> None:  # fmt: skip
    """WIDE_PUSH where a step ends with the velocities u_in (6,).

    Args:
        pair: PAIR.
        common: COMMON, where the step begins.
        h: [s].
        depth: indentation there [m].
        bristle: (3,) bent bristles there, along the tangents and about the normal [m].
        memory: MEMORY.
        u_in: velocities of a against b along the axes [m/s] and about them [rad/s].
        push_out: WIDE_PUSH.
    """
    force, slope = push_out.force, push_out.slope
    for i in range(6):
        force[i] = 0.0
        for j in range(6):
            slope[i, j] = 0.0
    push_out.slides = 0
    normal, over_depth, over_rate = normal_force(
        pair, common.stiffness, common.exponent, depth - h * u_in[0], -u_in[0], memory.speed
    )
    if normal == 0.0:
        return
    falls = -(h * over_depth + over_rate)
    force[0], slope[0, 0] = normal, falls
    resist_sliding(pair, common.gyration, h, falls, bristle, memory, u_in, push_out)
    resist_rolling(pair, common, falls, memory, u_in, push_out)


@inlined_kernel
def resist_sliding(
    pair: Record, gyration: float, h: float, falls: float, bristle: Floats, memory: Record,
    u_in: Floats, push_io: Record,
) -> None:  # fmt: skip
    """Add friction along both tangents and about the normal: rows 1, 2 and 3."""
    force, slope, normal = push_io.force, push_io.slope, push_io.force[0]
    steep = h * pair.bristle_stiffness + pair.bristle_damping
    g1 = pair.bristle_stiffness * bristle[0] + steep * u_in[1]
    g2 = pair.bristle_stiffness * bristle[1] + steep * u_in[2]
    g3 = pair.bristle_stiffness * bristle[2] + steep * gyration * u_in[3]
    g, arm = (g1, g2, g3), (1.0, 1.0, gyration)
    size = math.sqrt(g1 * g1 + g2 * g2 + g3 * g3)
    limit = (pair.dynamic if memory.slides else pair.static) * normal
    share = 1.0
    if size > limit:
        push_io.slides = 1
        share = limit / size
    for i in range(3):
        force[1 + i] = -share * arm[i] * g[i]
        slope[1 + i, 1 + i] = -share * steep * arm[i] * arm[i]
        if push_io.slides:
            slope[1 + i, 0] = -arm[i] * g[i] / size * limit / normal * falls
            for j in range(3):
                unit = g[i] * g[j] / (size * size)
                slope[1 + i, 1 + j] += share * steep * arm[i] * arm[j] * unit
        film = pair.viscous * arm[i] * arm[i]
        slope[1 + i, 1 + i] -= film * min(1.0, normal / FULL)
        force[1 + i] -= film * min(1.0, normal / FULL) * u_in[1 + i]
        if normal < FULL:
            slope[1 + i, 0] -= film * falls / FULL * u_in[1 + i]


@inlined_kernel
def resist_rolling(
    pair: Record, common: Record, falls: float, memory: Record, u_in: Floats, push_io: Record
) -> None:
    """Add torques about both tangents: rows 4 and 5."""
    force, slope, K_J = push_io.force, push_io.slope, common.rolling
    a = pair.dissipation / max(memory.speed, SLOWEST)
    g1 = a * (K_J[0, 0] * u_in[4] + K_J[0, 1] * u_in[5])
    g2 = a * (K_J[1, 0] * u_in[4] + K_J[1, 1] * u_in[5])
    reach = PARABOLOID * common.gyration
    size, limit = math.sqrt(g1 * g1 + g2 * g2), reach * force[0]
    if size <= limit:
        force[4], force[5] = -g1, -g2
        slope[4, 4], slope[4, 5] = -a * K_J[0, 0], -a * K_J[0, 1]
        slope[5, 4], slope[5, 5] = -a * K_J[1, 0], -a * K_J[1, 1]
        return
    e1, e2, scale = g1 / size, g2 / size, -a * limit / size
    force[4], force[5] = -limit * e1, -limit * e2
    slope[4, 0], slope[5, 0] = -reach * falls * e1, -reach * falls * e2
    along1, along2 = e1 * K_J[0, 0] + e2 * K_J[1, 0], e1 * K_J[0, 1] + e2 * K_J[1, 1]
    slope[4, 4] = scale * (K_J[0, 0] - e1 * along1)
    slope[4, 5] = scale * (K_J[0, 1] - e1 * along2)
    slope[5, 4] = scale * (K_J[1, 0] - e2 * along1)
    slope[5, 5] = scale * (K_J[1, 1] - e2 * along2)


@entry(
    record_of(PAIR), record_of(COMMON), NUMBER, NUMBER, VECTOR, record_of(MEMORY), VECTOR,
    record_of(WIDE_PUSH),
)  # fmt: skip
@kernel
def one_wide_push(
    pair: Record, common: Record, h: float, depth: float, bristle: Floats, memory: Record,
    u_in: Floats, push_out: Record,
) -> None:  # fmt: skip
    """`wide_push`, for those outside of kernels."""
    wide_push(pair, common, h, depth, bristle, memory, u_in, push_out)
