"""What pulls at the bodies by where they are and how they move: springs with dampers.

A load of another kind is a span in `LOADS`, a line in `pack_loads`, and a kernel that both
`add_loads` and `stored_energy` call.
"""

from __future__ import annotations

import math

from ..jit import SPAN, Packing, Record, Records, inlined_kernel, layout, records
from ..mechanism import Floats, Tree
from ..mechanism.kernels import SPRING
from ..spatial.kernels import (
    NOWHERE,
    Numbers,
    cross3,
    dot3,
    minus,
    plus,
    point_at,
    put_six,
    six,
    three,
    velocity_at,
)

# of every model
LOADS = layout(
    springs=SPAN,  # SPRING
)


def pack_loads(tree: Tree, packing: Packing) -> None:
    """Lay the loads of a machine into a model."""
    packing.add("springs", tree.springs, within="loads")


@inlined_kernel
def add_loads(model: Floats, loads: Record, bodies: Records) -> float:
    """Add what loads do to the bodies' pulls; the power that they take out [W], negative."""
    return add_springs(records(model, loads.springs, SPRING), bodies)


@inlined_kernel
def stored_energy(model: Floats, loads: Record, bodies: Records) -> float:
    """What is stored in loads [J]."""
    return stored_in_springs(records(model, loads.springs, SPRING), bodies)


# ----------------------------------------------------------------------------------------- springs


@inlined_kernel
def spring_end(spring: Record, end: int, bodies: Records) -> tuple[int, Numbers, Numbers]:
    """Freedom, place and velocity of a spring's end in world axes."""
    freedom, point = spring.freedoms[end], spring.points[end]
    if freedom < 0:
        return freedom, three(point), NOWHERE
    p = point_at(bodies[freedom].X_WF, point)
    return freedom, p, velocity_at(six(bodies[freedom].velocity), p)


@inlined_kernel
def add_springs(springs: Records, bodies: Records) -> float:
    """Add the springs' forces to the bodies'; the power of their dampers [W]."""
    lost = 0.0
    for n in range(springs.shape[0]):
        spring = springs[n]
        on_a, a, a_rate = spring_end(spring, 0, bodies)
        on_b, b, b_rate = spring_end(spring, 1, bodies)
        d0, d1, d2 = difference(a, b)
        length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        if length > 0.0:
            d0, d1, d2 = d0 / length, d1 / length, d2 / length
        rate = dot3((d0, d1, d2), difference(a_rate, b_rate))
        damped = spring.damping * rate
        lost -= damped * rate
        pull = spring.stiffness * (length - spring.rest_length) + damped
        f = (pull * d0, pull * d1, pull * d2)
        m = cross3(a, f)  # along one line, so that the moment is the same for both ends
        acting = (m[0], m[1], m[2], f[0], f[1], f[2])
        if on_a >= 0:
            put_six(bodies[on_a].pull, plus(six(bodies[on_a].pull), acting))
        if on_b >= 0:
            put_six(bodies[on_b].pull, minus(six(bodies[on_b].pull), acting))
    return lost


@inlined_kernel
def stored_in_springs(springs: Records, bodies: Records) -> float:
    """What springs store [J]."""
    stored = 0.0
    for n in range(springs.shape[0]):
        spring = springs[n]
        d = difference(spring_end(spring, 0, bodies)[1], spring_end(spring, 1, bodies)[1])
        stretch = math.sqrt(dot3(d, d)) - spring.rest_length
        stored += 0.5 * spring.stiffness * stretch**2
    return stored


@inlined_kernel
def difference(a: Numbers, b: Numbers) -> Numbers:
    """From a to b."""
    return b[0] - a[0], b[1] - a[1], b[2] - a[2]
