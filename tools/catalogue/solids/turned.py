"""Round solids: turned profiles, rings, hoses swept along a way."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from kit.vectors import Array, Point

from .mesh import Solid, across, unit

Profile = Sequence[tuple[float, float]]  # place along the axis, radius [m]
# The most sides that stand for a circle up to a radius [m]; whole machines stay light that way.
SIDES = ((0.04, 6), (0.09, 8), (0.15, 10), (0.20, 12), (0.30, 14), (0.42, 16), (math.inf, 20))


def lathe(
    profile: Profile, start: Point, direction: Point, segments: int = 24, *, near: bool = False
) -> Solid:
    """Turn a profile about an axis from `start` [m]; ends off the axis are closed by discs.

    What the operator's eye is `near` to has all its segments, however small it is.
    """
    x, y = across(direction)
    sides = segments if near else _sides(profile, segments)
    return _turned(profile, sides, closed=False).in_axes(start, x, y, unit(direction))


def ring(profile: Profile, start: Point, direction: Point, segments: int = 24) -> Solid:
    """Turn a closed profile about an axis that it does not touch: tubes, tyres, collars."""
    x, y = across(direction)
    return _turned(profile, _sides(profile, segments), closed=True).in_axes(
        start, x, y, unit(direction)
    )


def shaft(
    start: Point,
    end: Point,
    radius: float,
    segments: int = 24,
    *,
    bevel: float | None = None,
    end_radius: float | None = None,
) -> Solid:
    """Make a round bar or truncated cone with broken ends [m]."""
    p, q = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(q - p))
    last = radius if end_radius is None else end_radius
    b = min(0.01, 0.12 * min(radius, last, length)) if bevel is None else bevel
    profile = [(0.0, radius), (length, last)]
    if min(radius, last) > 0.13 and b > 0.0:
        profile = [(0.0, radius - b), (b, radius), (length - b, last), (length, last - b)]
    return lathe(profile, p, q - p, segments)


def pin(
    at: Point, radius: float, length: float, segments: int = 20, *, axis: Point = (0.0, 1.0, 0.0)
) -> Solid:
    """Make a round bar centred at a point [m]."""
    half = unit(axis) * length / 2
    return shaft(np.subtract(at, half), np.add(at, half), radius, segments)


def ball(at: Point, radius: float, segments: int = 16, *, top: Point = (0.0, 0.0, 1.0)) -> Solid:
    """Make a ball [m]."""
    angles = np.linspace(0.0, math.pi, segments // 2 + 1)
    profile = [(-radius * math.cos(a), radius * math.sin(a)) for a in angles]
    profile[0], profile[-1] = (-radius, 0.0), (radius, 0.0)
    return lathe(profile, at, top, segments)


def tube(points: Sequence[Point], radius: float, sides: int = 6, steps: int = 4) -> Solid:
    """Sweep a hose or pipe [m] smoothly through points; `steps` between two of them."""
    way = smooth(points, min(steps, 2 if len(points) > 3 else 3))
    sides = min(sides, 5 if radius < 0.025 else 6 if radius < 0.035 else 8)
    tangents = np.gradient(way, axis=0)
    angles = 2 * math.pi * np.arange(sides) / sides
    x, _ = across(tangents[0], (0.0, 0.0, 1.0))
    rings = []
    for place, tangent in zip(way, tangents, strict=True):
        z = unit(tangent)
        x = unit(x - z * float(x @ z))  # the frame turns as little as it can
        y = np.cross(z, x)
        rings.append(place + radius * (np.outer(np.cos(angles), x) + np.outer(np.sin(angles), y)))
    return _skin(rings, sides, closed=False)


def smooth(points: Sequence[Point], steps: int) -> Array:
    """Give points on a curve through the given ones (Catmull-Rom), (n, 3)."""
    p = np.asarray(points, float)
    if len(p) < 3 or steps < 2:
        return p
    p = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    found = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False):
        for t in np.arange(steps) / steps:
            line, bend = 2 * b + (c - a) * t, 2 * a - 5 * b + 4 * c - d
            found.append(0.5 * (line + bend * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.array([*found, p[-2]])


def _sides(profile: Profile, segments: int) -> int:
    """Limit the number of segments to what the largest radius needs."""
    largest = max(radius for _, radius in profile)
    return min(segments, next(most for radius, most in SIDES if largest <= radius))


def _turned(profile: Profile, segments: int, closed: bool) -> Solid:
    angles = 2 * math.pi * np.arange(segments) / segments
    rings = [
        np.column_stack([r * np.cos(angles), r * np.sin(angles), np.full(segments, z)])
        for z, r in profile
    ]
    return _skin(rings, segments, closed)


def _skin(rings: Sequence[Array], sides: int, closed: bool) -> Solid:
    """Join rings of points by faces; the ends are closed by discs, or the last joins the first."""
    faces: list[tuple[int, ...]] = []
    count = len(rings)
    for k in range(count if closed else count - 1):
        low, high = k * sides, (k + 1) % count * sides
        for i in range(sides):
            j = (i + 1) % sides
            faces.append((low + i, low + j, high + j, high + i))
    if not closed:
        faces.append(tuple(range(sides - 1, -1, -1)))
        faces.append(tuple(range((count - 1) * sides, count * sides)))
    return Solid(np.concatenate(rings), tuple(faces))
