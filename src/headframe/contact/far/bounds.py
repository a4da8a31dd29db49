"""The box along the world's axes that holds a shape."""

from __future__ import annotations

from ...jit import Record, kernel
from ..near.extents import extent
from ..near.vectors import Floats


@kernel
def put_bounds(shape: Record, X: Floats, solids: Floats, margin: float, bounds_out: Record) -> None:
    """Write the box that holds a shape at the pose X, and a margin about it."""
    for i in range(3):
        low, high = extent(shape, (X[i, 0], X[i, 1], X[i, 2]), solids)
        bounds_out.low[i] = X[i, 3] + low - margin
        bounds_out.high[i] = X[i, 3] + high + margin
