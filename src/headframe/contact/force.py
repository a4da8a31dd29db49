"""Kernels of the force between two bodies at a contact, as an implicit step asks for it.

A step of h seconds from an indentation d0 and bent bristles s0 ends with the velocity u of a
against b, along the contact's axes: the normal (from b to a) first, two tangents after it. Where it
ends, the indentation is d = d0 - h u_n, and its rate is -u_n. Force and slope are those at the end,
so that no stiffness is too large for a step.

Normal force (Hunt and Crossley, thesis Eq. (3.1)), never a pull:

    f_n = k d^e (1 - c u_n),        c = dissipation / speed of the fastest approach.

Which dissipation is the law's matter: see `restitution`. Kelvin and Voigt's law has a damper in its
place, f_n = k d^e - c u_n. That jumps where bodies meet, from nothing to c times their speed, and
an equation for the end of a step need not have an answer then. So the damper pushes at most SOFTEST
times as hard as the spring: f_n is continuous, and monotone still, as the smaller of two that are.

Friction: bristles (Eq. (3.12)) that are bent by the way of a against b, and slip where they would
need more than the normal force allows (Eq. (3.13)): the predictor

    g = k_b (s0 + h u_t) + c_b u_t

is taken as it is if |g| <= mu f_n, and is else drawn back onto that circle. The force -g, or
-mu f_n g/|g|, is monotone in u_t, so that Newton's method has one answer to go to. mu is the static
coefficient until a contact slides faster than SETTLED, then the dynamic one until it is slower.
The law of the thesis with its stiction point is in `stiction`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import NUMBER, VECTOR, Record, entry, inlined_kernel, kernel, record_of
from .records import MEMORY, PAIR, PUSH, FrictionKind
from .stiction import move_stiction_point, push_by_stiction_point

Floats = NDArray[np.float64]

SLOWEST = 0.01  # [m/s] approach from which dissipation is reckoned where a contact begins at rest
SETTLED = 1e-4  # [m/s] up to which a contact at its limit has static friction
FULL = 1.0  # [N] normal force from which on viscous friction acts fully
SOFTEST = 100.0  # times the elastic force: the most that a damper of Kelvin and Voigt pushes with
STICTION_POINT = FrictionKind.STICTION_POINT.value


@inlined_kernel
def hertz_stiffness(pair: Record, curvature: float) -> float:
    """K of k d^e: the pair's own, or Hertz's 4/3 E* sqrt(R), R = 1 / curvature (3.2).

    By the volumetric law its foundation times the volume pi R d^2 of a paraboloid, with e = 2.
    """
    if pair.stiffness > 0.0:
        return float(pair.stiffness)
    if pair.foundation > 0.0:
        return float(math.pi * pair.foundation / curvature)
    return float(4.0 / 3.0 * pair.modulus / math.sqrt(curvature))


@inlined_kernel
def power(depth: float, exponent: float) -> float:
    """depth^exponent; Hertz's is a square root, which is faster."""
    return math.sqrt(depth) if exponent == 0.5 else depth**exponent


@inlined_kernel
def normal_force(
    pair: Record, stiffness: float, exponent: float, depth: float, rate: float, speed: float
) -> tuple[float, float, float]:
    """Force [N] at an indentation and its rate, and its slopes over both [N/m, N s/m].

    `speed`: of the fastest approach so far [m/s].
    """
    if depth <= 0.0:
        return 0.0, 0.0, 0.0
    steep = stiffness * power(depth, exponent - 1.0)
    lossy = pair.dissipation / max(speed, SLOWEST)
    share, resists = 1.0 + lossy * rate, pair.damping
    elastic = steep * depth
    if pair.damping * rate > SOFTEST * elastic:
        share, resists = share + SOFTEST, 0.0
    force = elastic * share + resists * rate
    if not force > 0.0:
        return 0.0, 0.0, 0.0
    return force, exponent * steep * share, elastic * lossy + resists


@kernel
def push(
    pair: Record, stiffness: float, h: float, depth: float, bristle: Floats, memory: Record,
    u_in: Floats, push_out: Record,
) -> None:  # fmt: skip
    """PUSH where a step ends with the velocity u_in (3,).

    Args:
        pair: PAIR.
        stiffness: k of this contact, see `hertz_stiffness`.
        h: [s].
        depth: indentation where the step begins [m].
        bristle: (2,) bent bristles there, along the two tangents [m].
        memory: MEMORY.
        u_in: velocity of a against b along the axes [m/s].
        push_out: PUSH.
    """
    force, slope = push_out.force, push_out.slope
    for i in range(3):
        force[i] = 0.0
        for j in range(3):
            slope[i, j] = 0.0
    push_out.slides = 0
    normal, over_depth, over_rate = normal_force(
        pair, stiffness, pair.exponent, depth - h * u_in[0], -u_in[0], memory.speed
    )
    if normal == 0.0:
        return
    falls = -(h * over_depth + over_rate)  # d normal / d u_n
    force[0], slope[0, 0] = normal, falls
    if pair.friction == STICTION_POINT:
        push_by_stiction_point(pair, h, falls, bristle, u_in, push_out)
    else:
        push_by_return_map(pair, h, falls, bristle, memory, u_in, push_out)
    if pair.viscous > 0.0:
        add_viscous(pair.viscous, normal, falls, u_in, push_out)


@inlined_kernel
def push_by_return_map(
    pair: Record, h: float, falls: float, bristle: Floats, memory: Record, u_in: Floats,
    push_io: Record,
) -> None:  # fmt: skip
    """Add friction to a PUSH that has its normal force, which changes by `falls` with u_n."""
    force, slope, normal = push_io.force, push_io.slope, push_io.force[0]
    steep = h * pair.bristle_stiffness + pair.bristle_damping
    g1 = pair.bristle_stiffness * bristle[0] + steep * u_in[1]
    g2 = pair.bristle_stiffness * bristle[1] + steep * u_in[2]
    size = math.sqrt(g1 * g1 + g2 * g2)
    mu = pair.dynamic if memory.slides else pair.static
    if size <= mu * normal:
        force[1], force[2] = -g1, -g2
        slope[1, 1], slope[2, 2] = -steep, -steep
    else:
        push_io.slides = 1
        e1, e2 = g1 / size, g2 / size
        force[1], force[2] = -mu * normal * e1, -mu * normal * e2
        slope[1, 0], slope[2, 0] = -mu * falls * e1, -mu * falls * e2
        across = -mu * normal * steep / size
        slope[1, 1], slope[1, 2] = across * (1.0 - e1 * e1), -across * e1 * e2
        slope[2, 1], slope[2, 2] = -across * e1 * e2, across * (1.0 - e2 * e2)


@inlined_kernel
def add_viscous(viscous: float, normal: float, falls: float, u_in: Floats, push_io: Record) -> None:
    """Add -viscous u_t (3.6); less where bodies hardly touch, so that it begins without a jump."""
    share, rises = 1.0, 0.0
    if normal < FULL:
        share, rises = normal / FULL, falls / FULL
    for k in range(1, 3):
        push_io.force[k] -= share * viscous * u_in[k]
        push_io.slope[k, k] -= share * viscous
        push_io.slope[k, 0] -= rises * viscous * u_in[k]


@inlined_kernel
def bend(
    pair: Record, h: float, u_in: Floats, push_in: Record, bristle_io: Floats, memory_io: Record
) -> None:
    """What a contact remembers of a step: how far its bristles (2,) are bent, whether it slid."""
    memory_io.slides = push_in.slides
    memory_io.touches = 1 if push_in.force[0] > 0.0 else 0
    if memory_io.touches == 0:
        bristle_io[0], bristle_io[1], memory_io.speed = 0.0, 0.0, 0.0
        memory_io.slides = 0
        return
    if math.hypot(u_in[1], u_in[2]) <= SETTLED:
        memory_io.slides = 0
    if pair.foundation == 0.0:  # else whoever steps knows what of it is rolling
        memory_io.speed = max(memory_io.speed, -u_in[0])
    if pair.friction == STICTION_POINT:
        move_stiction_point(pair, h, u_in, push_in, bristle_io)
        return
    for k in range(2):
        if push_in.slides and pair.bristle_stiffness > 0.0:
            dry = -push_in.force[1 + k]
            if pair.viscous > 0.0:
                dry -= min(1.0, push_in.force[0] / FULL) * pair.viscous * u_in[1 + k]
            bristle_io[k] = (dry - pair.bristle_damping * u_in[1 + k]) / pair.bristle_stiffness
        else:
            bristle_io[k] += h * u_in[1 + k]


@inlined_kernel
def stored_energy(pair: Record, stiffness: float, depth: float, bristle: Floats) -> float:
    """What an indentation and bent bristles (2,) give back [J]."""
    bent = bristle[0] * bristle[0] + bristle[1] * bristle[1]
    pressed = stiffness * max(depth, 0.0) ** (pair.exponent + 1.0) / (pair.exponent + 1.0)
    return float(pressed + 0.5 * pair.bristle_stiffness * bent)


@entry(record_of(PAIR), NUMBER, NUMBER, NUMBER, VECTOR, record_of(MEMORY), VECTOR, record_of(PUSH))
@kernel
def one_push(
    pair: Record, stiffness: float, h: float, depth: float, bristle: Floats, memory: Record,
    u_in: Floats, push_out: Record,
) -> None:  # fmt: skip
    """`push`, for those outside of kernels."""
    push(pair, stiffness, h, depth, bristle, memory, u_in, push_out)
