"""Shapes with a middle line against anything: its places that are nearest to the other shape.

These are tori and chain links, and capsules against meshes. Along the middle line the distance f(s)
to the other shape has one or several least places, and each of them touches. Its slope is n.t, with
the other's normal n and the line's direction t. The line is divided so that no part can come near
unseen: f changes by no more than the way, so in a part of length L it is not below
(f_1 + f_2 - L) / 2. Parts that could touch are divided further, and where the slope changes from
falling to rising the place is found by halving, with secants. For tori and meshes this stands for
(4.61)-(4.78) of the thesis, whose Newton steps find one place from where they begin.

One place does not carry a ring that lies flat. So a whole torus has three more, a quarter and half
a turn further, an arc its ends and middle, a chain link the ends of its straight parts and the
middles of its bows; they count where they are near, and not beside a least place.
"""

from __future__ import annotations

import math

from ...jit import Record, Records, inlined_kernel, kernel
from ...spatial.kernels import Numbers, dot3
from ..records import ShapeKind
from .curves import curve_at, curve_length, is_closed, tube_of
from .gaps import bend, gap
from .vectors import Floats, along, length, less, more, place_of, turned_by
from .writing import put_near

PARTS = 24  # of the middle line, at first
FINER = 4  # parts of a part that could touch
MOST_LEAST = 6  # least places of a pair
BESIDE = 0.04  # of the length: nearer than this to a least place there is no other
LEVEL = 1e-12  # slope of a line that neither falls nor rises
MOST_HALVINGS = 60


@kernel
def ring_any(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    solids: Floats,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """Places where a torus or chain link a touches b; features 0 to 5 least ones, 8.. others."""
    apart = length(less(place_of(X_WA), place_of(X_WB)))
    if apart - a.radius - b.radius >= margin:
        return 0
    whole, limit = curve_length(a), tube_of(a) + margin
    count = find_least(a, X_WA, b, X_WB, solids, whole, limit, work)
    found = 0
    for k in range(count):
        found = put_ring(a, X_WA, b, X_WB, solids, work.least[k], k, found, margin, work, found_out)
    if found == 0:
        return 0
    for k in range(others(a)):
        s = other_place(a, k, work.least[0], whole)
        if beside(a, s, whole, count, work) < 0:
            found = put_ring(a, X_WA, b, X_WB, solids, s, 8 + k, found, margin, work, found_out)
    return found


@kernel
def height_and_slope(
    a: Record, X_WA: Floats, b: Record, X_WB: Floats, solids: Floats, s: float, work: Record
) -> tuple[float, float]:
    """How far a place of the middle line is from b, and how that grows along the line."""
    p, d = curve_at(a, s)
    height, n = gap(b, X_WB, more(turned_by(X_WA, p), place_of(X_WA)), solids, work.stack)
    return height, dot3(n, turned_by(X_WA, d))


@kernel
def find_least(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    solids: Floats,
    whole: float,
    limit: float,
    work: Record,
) -> int:
    """Write the least places that are nearer than a limit, in their order; how many."""
    count = 0
    part = whole / PARTS
    s, (f, slope) = 0.0, height_and_slope(a, X_WA, b, X_WB, solids, 0.0, work)
    if not is_closed(a) and slope >= 0.0 and f < limit:
        count = put_least(a, 0.0, f, whole, 0, work)
    lowest, at = f, 0.0
    for k in range(PARTS):
        t = (k + 1) * part
        g, rise = height_and_slope(a, X_WA, b, X_WB, solids, t, work)
        if 0.5 * (f + g - part) < limit:
            u, slope_u = s, slope
            for m in range(FINER):
                v = t if m + 1 == FINER else s + (m + 1) * (part / FINER)
                h, slope_v = height_and_slope(a, X_WA, b, X_WB, solids, v, work)
                if h < lowest:
                    lowest, at = h, v
                if slope_u <= -LEVEL and slope_v > -LEVEL and count < MOST_LEAST:
                    place = turning_place(a, X_WA, b, X_WB, solids, u, slope_u, v, slope_v, work)
                    height, _ = height_and_slope(a, X_WA, b, X_WB, solids, place, work)
                    count = put_least(a, place, height, whole, count, work)
                u, slope_u = v, slope_v
        s, f, slope = t, g, rise
    if not is_closed(a) and slope <= 0.0 and f < limit and count < MOST_LEAST:
        count = put_least(a, whole, f, whole, count, work)
    if count == 0 and lowest < limit:  # level all around
        count = put_least(a, at, lowest, whole, 0, work)
    return count


@kernel
def turning_place(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    solids: Floats,
    low: float,
    f_low: float,
    high: float,
    f_high: float,
    work: Record,
) -> float:
    """Where the slope turns from below to above 0, between two places."""
    side = 0
    for k in range(MOST_HALVINGS):
        s = high - f_high * (high - low) / (f_high - f_low)
        if k % 3 == 2 or not low < s < high:  # where a kink keeps secants at one end
            s = 0.5 * (low + high)
        if high - low <= 1e-14 * (abs(low) + abs(high)) or s in (low, high):
            break
        _, f = height_and_slope(a, X_WA, b, X_WB, solids, s, work)
        if f < 0.0:
            low, f_low = s, f
            f_high = 0.5 * f_high if side == -1 else f_high
            side = -1
        elif f > 0.0:
            high, f_high = s, f
            f_low = 0.5 * f_low if side == 1 else f_low
            side = 1
        else:
            return s
        if abs(f) < 1e-15:
            return s
    return 0.5 * (low + high)


@inlined_kernel
def put_least(a: Record, s: float, height: float, whole: float, count: int, work: Record) -> int:
    """Append a least place, or put it in the place of one beside it that is not so low."""
    k = beside(a, s, whole, count, work)
    if k >= 0 and work.heights[k] <= height:
        return count
    if k < 0:
        k = count
        count += 1
    work.least[k], work.heights[k] = s, height
    return count


@inlined_kernel
def beside(a: Record, s: float, whole: float, count: int, work: Record) -> int:
    """The least place that a place is beside; -1 if there is none."""
    for k in range(count):
        way = abs(s - work.least[k])
        if is_closed(a):
            way = min(way, abs(whole - way))
        if way < BESIDE * whole:
            return k
    return -1


@inlined_kernel
def others(a: Record) -> int:
    """How many more places a ring can stand on."""
    return 6 if a.kind == ShapeKind.CHAIN_LINK else 3


@kernel
def other_place(a: Record, k: int, first: float, whole: float) -> float:
    """One more place, from the first least one of a whole torus."""
    if a.kind == ShapeKind.CHAIN_LINK:
        straight, bow = 2.0 * a.sizes[2], math.pi * a.sizes[0]
        s: float = (k // 3) * (straight + bow)
        k = k % 3
        return s if k == 0 else (s + straight if k == 1 else s + straight + 0.5 * bow)
    if is_closed(a):
        s = first + 0.25 * (k + 1) * whole
        return s - whole if s >= whole else s
    return 0.5 * k * whole


@kernel
def put_ring(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    solids: Floats,
    s: float,
    feature: int,
    count: int,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """Append a place of the middle line."""
    p, _ = curve_at(a, s)
    p_W: Numbers = more(turned_by(X_WA, p), place_of(X_WA))
    height, n = gap(b, X_WB, p_W, solids, work.stack)
    tube = tube_of(a)
    depth = tube - height
    point = along(p_W, 0.5 * depth - tube, n)
    return put_near(found_out, count, feature, point, n, depth, bend_of(a) + bend_of(b), margin)


@inlined_kernel
def bend_of(shape: Record) -> float:
    """Mean curvature of a surface, roughly: of a ring that of its tube."""
    if shape.kind in (ShapeKind.TORUS, ShapeKind.CHAIN_LINK):
        return 0.5 * bend(shape.sizes[1])
    if shape.kind == ShapeKind.SPHERE:
        return bend(shape.sizes[0])
    if shape.kind in (ShapeKind.CAPSULE, ShapeKind.CYLINDER):
        return 0.5 * bend(shape.sizes[0])
    return 0.0
