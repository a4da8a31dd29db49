"""Cross-sections of roadways, and where in them a round head can be.

A profile is a simple polygon (n, 2) in the plane of the face: y [m] to the left, z [m] up, its
corners counter-clockwise as usual in a drawing of z over y.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import StateError
from ..mechanism.compiled import Floats

ARCH = 96  # straight pieces of an arch
SMALLEST = 1e-6  # [m²] of a profile
MOST = 10_000  # corners
TOUCH = 1e-9  # [m]: two ends of one row that near are one


def arched(width: float, wall: float, rise: float) -> Floats:
    """Vertical walls under half an ellipse, with the floor's middle at (0, 0), (n, 2).

    The arch is made of straight pieces between points of the ellipse, so that nothing of the
    profile is outside of it.

    Args:
        width: between the walls.
        wall: height of the walls.
        rise: height of the arch above them; 0 for a flat roof.

    Raises:
        StateError: numbers that are no lengths.
    """
    for name, value, least in (("width", width, ">"), ("wall", wall, ">="), ("rise", rise, ">=")):
        if not np.isfinite(value) or value < 0.0 or (least == ">" and value == 0.0):
            expected = "a number above 0" if least == ">" else "a number of 0 or more"
            raise StateError(f"{name}: found {value!r}, expected {expected} [m]")
    if wall + rise <= 0.0:
        raise StateError(f"wall and rise: found {wall!r} and {rise!r}, expected a height [m]")
    half, turn = 0.5 * width, np.linspace(0.0, np.pi, ARCH + 1)
    roof = np.column_stack([half * np.cos(turn), wall + rise * np.sin(turn)])
    if rise == 0.0:
        roof = roof[[0, -1]]
    foot = np.array([[-half, 0.0], [half, 0.0]])
    return roof if wall == 0.0 else np.concatenate([roof, foot])


def checked_profile(points: ArrayLike) -> Floats:
    """A polygon as a profile, counter-clockwise, (n, 2).

    Raises:
        StateError: no polygon: too few corners, no area, or sides that cross.
    """
    expected = "expected three corners or more (y, z) [m]"
    try:
        corners = np.array(points, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"profile: found {points!r:.80}, {expected}") from None
    if corners.ndim != 2 or corners.shape[1] != 2 or not 3 <= len(corners) <= MOST:
        raise StateError(f"profile: found shape {corners.shape}, {expected}")
    if not np.isfinite(corners).all():
        raise StateError(f"profile: found numbers that are not finite, {expected}")
    size = area(corners)
    if abs(size) < SMALLEST:
        raise StateError("profile: found no area, expected a polygon")
    if crossed := _crossing(corners):
        raise StateError(
            f"profile: sides {crossed[0]} and {crossed[1]} cross, expected a simple polygon"
        )
    return corners if size > 0.0 else corners[::-1].copy()


def area(profile: Floats) -> float:
    """Area of a polygon [m²], positive if it is counter-clockwise."""
    y, z = profile.T
    return float(0.5 * (y @ np.roll(z, -1) - z @ np.roll(y, -1)))


def contains(profile: Floats, points: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether points, (n, 2), lie inside a polygon, (n,)."""
    y, z = points.T
    inside = np.zeros(len(points), dtype=bool)
    for a, b in zip(profile, np.roll(profile, -1, axis=0), strict=True):
        between = (a[1] > z) != (b[1] > z)
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = a[0] + (z - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
        inside ^= between & (y < crossing)
    return inside


def distance(profile: Floats, points: Floats, closed: bool = True) -> Floats:
    """From points, (n, 2), to the nearest place of a polygon's sides, or of a chain [m], (n,)."""
    after = np.roll(profile, -1, axis=0)
    pairs = list(zip(profile, after, strict=True))
    found = np.full(len(points), np.inf)
    for a, b in pairs if closed or len(profile) == 1 else pairs[:-1]:
        along = b - a
        square = float(along @ along)
        part = np.clip((points - a) @ along / square, 0.0, 1.0) if square > 0.0 else 0.0
        near = a + np.multiply.outer(part, along) if square > 0.0 else a
        found = np.minimum(found, np.linalg.norm(points - near, axis=1))
    return found


def row(profile: Floats, z: float, radius: float) -> list[tuple[float, float]]:
    """Where a disc with its middle at height z fits into a profile.

    Exact: the height cuts the profile into pieces, and every side takes away what is nearer to it
    than the radius.

    Args:
        profile: counter-clockwise, (n, 2).
        z: height of the disc's middle [m].
        radius: of the disc [m].

    Returns:
        Pieces from y to y [m], from right to left; empty if it fits nowhere.
    """
    taken = []
    for a, b in zip(profile, np.roll(profile, -1, axis=0), strict=True):
        blocked = _blocked(a, b, z, radius)
        if blocked is not None:
            taken.append(blocked)
    pieces = []
    right, left = float(profile[:, 0].min()), float(profile[:, 0].max())
    for low, high in [*_merged(taken), (left, np.inf)]:
        if low >= right - TOUCH:
            piece = right, max(right, min(low, left))
            middle = np.array([[0.5 * (piece[0] + piece[1]), z]])
            if contains(profile, middle)[0] and distance(profile, middle)[0] >= radius - TOUCH:
                pieces.append(piece)
        right = max(right, high)
    return pieces


def _blocked(a: Floats, b: Floats, z: float, radius: float) -> tuple[float, float] | None:
    """Which y at a height are nearer to a side than the radius: an open interval, or none.

    The places within a distance of a segment are convex: two discs and a strip between them.
    """
    ends = []
    for corner in (a, b):
        room = radius**2 - (z - corner[1]) ** 2
        if room > 0.0:
            ends += [corner[0] - np.sqrt(room), corner[0] + np.sqrt(room)]
    along = b - a
    size = float(np.hypot(*along))
    if size > 0.0 and abs(along[1]) > 0.0:  # the strip's two borders cross the height
        across = np.array([-along[1], along[0]]) / size
        for side in (radius, -radius):
            corner = a + side * across
            part = (z - corner[1]) / along[1]
            if 0.0 <= part <= 1.0:
                ends.append(corner[0] + part * along[0])
    elif size > 0.0 and abs(z - a[1]) < radius:
        ends += [a[0], b[0]]
    return (float(min(ends)), float(max(ends))) if ends else None


def _merged(intervals: list[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for low, high in sorted(intervals):
        if merged and low < merged[-1][1] - TOUCH:
            merged[-1] = merged[-1][0], max(merged[-1][1], high)
        else:
            merged.append((low, high))
    return merged


def _crossing(corners: Floats) -> tuple[int, int] | None:
    """Numbers of two sides that cross or touch and are no neighbours."""
    count = len(corners)
    after = np.roll(corners, -1, axis=0)
    for i in range(count):
        others = np.array([j for j in range(i + 2, count) if (j + 1) % count != i], dtype=int)
        if not others.size:
            continue
        a, b, c, d = corners[i], after[i], corners[others], after[others]
        one = _side(a, b, c) * _side(a, b, d)
        two = _side(c, d, a) * _side(c, d, b)
        hits = (one <= 0.0) & (two <= 0.0) & ~((one == 0.0) & (two == 0.0))
        if hits.any():
            return i, int(others[hits.argmax()])
    return None


def _side(a: Floats, b: Floats, p: Floats) -> Floats:
    along, to = b - a, p - a
    found: Floats = np.sign(along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0])
    return found
