"""Sizes of cylinders and cones, which are one kind of solid: two discs and all between them."""

from __future__ import annotations

from ...jit import Record, inlined_kernel
from ...spatial.kernels import Numbers
from ..records import ShapeKind


@inlined_kernel
def round_sizes(a: Record) -> Numbers:
    """Radius below, radius above and half height of a cylinder or cone."""
    if a.kind == ShapeKind.CONE:
        return a.sizes[0], 0.0, a.sizes[1]
    return a.sizes[0], a.sizes[1], a.sizes[2]
