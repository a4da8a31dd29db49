"""Pairs of shapes whose boxes overlap: sorted along an axis, and compared with those that follow.

The axis is the one along which the shapes are spread most, so that few boxes overlap on it. No
pairs are made of shapes of one body, of two that stand still, and of bodies that do not collide.
The pairs come in the order of their numbers, whatever the axis was.
"""

from __future__ import annotations

import math

from ...jit import (
    MATRICES,
    NUMBER,
    VECTOR,
    WHOLE_MATRIX,
    WHOLES,
    Record,
    Records,
    array_of,
    entry,
    inlined_kernel,
    kernel,
)
from ..near.vectors import Floats, Whole
from ..records import BOUNDS, SHAPE, ShapeKind
from .bounds import put_bounds
from .sorting import sort_by_keys


@entry(
    array_of(SHAPE),
    MATRICES,
    VECTOR,
    WHOLES,
    NUMBER,
    array_of(BOUNDS),
    VECTOR,
    WHOLES,
    WHOLE_MATRIX,
)
@kernel
def near_pairs(
    shapes: Records,
    X_WS_in: Floats,
    solids: Floats,
    excluded_in: Floats,
    margin: float,
    bounds_work: Records,
    keys_work: Floats,
    order_work: Whole,
    pairs_out: Whole,
) -> int:
    """Write the pairs (a, b), a < b, of shapes that may be nearer than a margin; how many.

    `excluded_in` names pairs of bodies, as `pair_name` does, in rising order. `bounds_work` has a
    record a shape; `keys_work` and `order_work` have as many places as pairs_out, or as there are
    shapes if those are more. If there are more pairs than places, -1 is returned.
    """
    count = shapes.shape[0]
    for i in range(count):
        put_bounds(shapes[i], X_WS_in[i], solids, 0.5 * margin, bounds_work[i])
    axis = widest_axis(bounds_work)
    for i in range(count):
        keys_work[i], order_work[i] = bounds_work[i].low[axis], i
    sort_by_keys(keys_work, order_work, count)
    found = 0
    for k in range(count):
        i = order_work[k]
        end = bounds_work[i].high[axis]
        for m in range(k + 1, count):
            j = order_work[m]
            if bounds_work[j].low[axis] > end:
                break
            if not overlap(bounds_work[i], bounds_work[j]):
                continue
            if not may_touch(shapes[i], X_WS_in[i], shapes[j], X_WS_in[j], excluded_in, margin):
                continue
            if found == pairs_out.shape[0]:
                return -1
            pairs_out[found, 0], pairs_out[found, 1] = min(i, j), max(i, j)
            found += 1
    sort_pairs(pairs_out, found, keys_work, order_work)
    return found


@kernel
def widest_axis(bounds: Records) -> int:
    """The axis along which the middles of boxes vary most; without those that have no end."""
    best, widest = 0, -1.0
    for axis in range(3):
        total, squares, seen = 0.0, 0.0, 0
        for i in range(bounds.shape[0]):
            if math.isfinite(bounds[i].low[axis]):
                middle = 0.5 * (bounds[i].low[axis] + bounds[i].high[axis])
                total += middle
                squares += middle * middle
                seen += 1
        if seen > 0:
            variance = squares / seen - (total / seen) * (total / seen)
            if variance > widest:
                best, widest = axis, variance
    return best


@inlined_kernel
def overlap(a: Record, b: Record) -> bool:
    """Whether two boxes overlap."""
    return bool(
        a.low[0] <= b.high[0]
        and b.low[0] <= a.high[0]
        and a.low[1] <= b.high[1]
        and b.low[1] <= a.high[1]
        and a.low[2] <= b.high[2]
        and b.low[2] <= a.high[2]
    )


@kernel
def may_touch(
    a: Record, X_WA: Floats, b: Record, X_WB: Floats, excluded: Floats, margin: float
) -> bool:
    """Whether two shapes are of bodies that collide, and not plainly apart."""
    if a.body == b.body or (a.body < 0 and b.body < 0):
        return False
    if a.kind == ShapeKind.PLANE and above_plane(X_WA, X_WB, b.radius + margin):
        return False
    if b.kind == ShapeKind.PLANE and above_plane(X_WB, X_WA, a.radius + margin):
        return False
    if excluded.shape[0] == 0:
        return True
    return not is_listed(pair_name(a.body, b.body), excluded)


@inlined_kernel
def above_plane(X_WP: Floats, X: Floats, reach: float) -> bool:
    """Whether a place is further above a plane than some reach."""
    height = 0.0
    for i in range(3):
        height += X_WP[i, 2] * (X[i, 3] - X_WP[i, 3])
    return height > reach


@inlined_kernel
def pair_name(i: int, j: int) -> int:
    """One number for two bodies, in any order; a body that stands still is -1."""
    return (min(i, j) + 1) * (1 << 31) + (max(i, j) + 1)


@kernel
def is_listed(name: int, names: Floats | Whole) -> bool:
    """Whether a number is among others that are in rising order."""
    low, high = 0, names.shape[0]
    while low < high:
        middle = (low + high) // 2
        if names[middle] < name:
            low = middle + 1
        else:
            high = middle
    return bool(low < names.shape[0] and names[low] == name)


@kernel
def sort_pairs(pairs: Whole, count: int, keys_work: Floats, order_work: Whole) -> None:
    """Bring pairs into the order of their first and then their second number."""
    for k in range(count):
        keys_work[k], order_work[k] = float(pairs[k, 0]), pairs[k, 1]
    sort_by_keys(keys_work, order_work, count)
    for k in range(count):
        pairs[k, 0], pairs[k, 1] = int(keys_work[k]), order_work[k]
