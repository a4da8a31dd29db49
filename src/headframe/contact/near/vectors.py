"""Small steps that all pairs need: vectors in space as three numbers, poses (3, 4) as arrays."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined_kernel
from ...spatial.kernels import Numbers, cross3, dot3

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

UP: Numbers = (0.0, 0.0, 1.0)


@inlined_kernel
def more(a: Numbers, b: Numbers) -> Numbers:
    """Sum of two vectors."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined_kernel
def less(a: Numbers, b: Numbers) -> Numbers:
    """The vector from b to a."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined_kernel
def times(s: float, a: Numbers) -> Numbers:
    """A vector times a number."""
    return s * a[0], s * a[1], s * a[2]


@inlined_kernel
def along(p: Numbers, s: float, u: Numbers) -> Numbers:
    """The point p + s u."""
    return p[0] + s * u[0], p[1] + s * u[1], p[2] + s * u[2]


@inlined_kernel
def length(a: Numbers) -> float:
    """Length of a vector."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inlined_kernel
def place_of(X: Floats) -> Numbers:
    """The origin of a pose."""
    return X[0, 3], X[1, 3], X[2, 3]


@inlined_kernel
def axis_of(X: Floats, k: int) -> Numbers:
    """Axis k of a pose, a column of its rotation."""
    return X[0, k], X[1, k], X[2, k]


@inlined_kernel
def turned_by(X: Floats, u: Numbers) -> Numbers:
    """A direction of a frame in the axes in which its pose is given."""
    return (
        X[0, 0] * u[0] + X[0, 1] * u[1] + X[0, 2] * u[2],
        X[1, 0] * u[0] + X[1, 1] * u[1] + X[1, 2] * u[2],
        X[2, 0] * u[0] + X[2, 1] * u[1] + X[2, 2] * u[2],
    )


@inlined_kernel
def turned_back(X: Floats, u: Numbers) -> Numbers:
    """A direction in the axes of a frame, of whose pose X is."""
    return (
        X[0, 0] * u[0] + X[1, 0] * u[1] + X[2, 0] * u[2],
        X[0, 1] * u[0] + X[1, 1] * u[1] + X[2, 1] * u[2],
        X[0, 2] * u[0] + X[1, 2] * u[1] + X[2, 2] * u[2],
    )


@inlined_kernel
def seen_from(X: Floats, p: Numbers) -> Numbers:
    """A point in the axes of a frame, of whose pose X is."""
    return turned_back(X, less(p, place_of(X)))


@inlined_kernel
def unit_or(a: Numbers, otherwise: Numbers) -> Numbers:
    """A vector divided by its length; what is given otherwise if it has none.

    It is scaled first, lest squares of tiny numbers vanish.
    """
    largest = max(abs(a[0]), abs(a[1]), abs(a[2]))
    if not largest > 1e-150:
        return otherwise
    a = times(1.0 / largest, a)
    return times(1.0 / length(a), a)


@inlined_kernel
def across(u: Numbers) -> Numbers:
    """A unit vector at right angles to a unit vector: u x the axis that it has least of."""
    x, y, z = abs(u[0]), abs(u[1]), abs(u[2])
    if x <= y and x <= z:
        return unit_or((0.0, u[2], -u[1]), UP)
    if y <= z:
        return unit_or((-u[2], 0.0, u[0]), UP)
    return unit_or((u[1], -u[0], 0.0), UP)


@inlined_kernel
def clamped(x: float, low: float, high: float) -> float:
    """A number brought between two others."""
    return min(max(x, low), high)


@inlined_kernel
def across_both(u: Numbers, v: Numbers) -> Numbers:
    """A unit vector at right angles to two; to the first if they are parallel."""
    w = cross3(u, v)
    if dot3(w, w) > 1e-24 * dot3(u, u) * dot3(v, v):
        return unit_or(w, UP)
    if dot3(u, u) >= dot3(v, v):
        return across(unit_or(u, UP))
    return across(unit_or(v, UP))
