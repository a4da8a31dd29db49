"""From where to where a shape goes along a direction."""

from __future__ import annotations

import math

from ...jit import Record, kernel, record
from ...spatial.kernels import Numbers
from ..records import SOLID, ShapeKind
from .solids_of_revolution import round_sizes
from .vectors import Floats


@kernel
def extent(shape: Record, d: Numbers, solids: Floats) -> Numbers:
    """From where to where a shape goes along a direction d of its own axes, from its origin."""
    s = shape.sizes
    aside = math.sqrt(d[0] * d[0] + d[1] * d[1])
    if shape.kind == ShapeKind.BOX:
        reach = abs(d[0]) * s[0] + abs(d[1]) * s[1] + abs(d[2]) * s[2]
    elif shape.kind == ShapeKind.CAPSULE:
        reach = s[0] + abs(d[2]) * s[1]
    elif shape.kind in (ShapeKind.CYLINDER, ShapeKind.CONE):
        below, above, half = round_sizes(shape)
        up, down, rise = aside * above, aside * below, d[2] * half
        return min(rise - up, -rise - down), max(rise + up, down - rise)
    elif shape.kind == ShapeKind.TORUS:
        reach = aside * s[0] + s[1]
    elif shape.kind == ShapeKind.CHAIN_LINK:
        reach = abs(d[0]) * s[2] + aside * s[0] + s[1]
    elif shape.kind in (ShapeKind.HULL, ShapeKind.MESH):
        head = record(solids, shape.solid, SOLID)
        at = d[0] * head.middle[0] + d[1] * head.middle[1] + d[2] * head.middle[2]
        out = abs(d[0]) * head.half[0] + abs(d[1]) * head.half[1] + abs(d[2]) * head.half[2]
        return at - out, at + out
    elif shape.kind == ShapeKind.PLANE:
        reach = math.inf
    else:
        reach = s[0]
    return -reach, reach
