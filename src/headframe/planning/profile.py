"""Cross-sections of roadways, and where in them a round head can be.

A profile is a simple polygon (n, 2) in the plane of the face: y [m] to the left, z [m] up, its
corners counter-clockwise as usual in a drawing of z over y.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..checks import number, numbers
from ..errors import StateError
from ..mechanism import Floats

ARCH = 96  # straight pieces of an arch
SMALLEST = 1e-6  # [m²] of a profile
MOST = 10_000  # corners
BLOCK = 4096  # points that are looked at together
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
    width = number("width", width, above=0.0, unit="m")
    wall = number("wall", wall, least=0.0, unit="m")
    rise = number("rise", rise, least=0.0, unit="m")
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
    expected = "three corners or more (y, z) [m]"
    corners = numbers("profile", points, expected)
    if corners.ndim != 2 or corners.shape[1] != 2 or not 3 <= len(corners) <= MOST:
        raise StateError(f"profile: found shape {corners.shape}, expected {expected}")
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
    """Whether points, (n, 2), lie inside a polygon, (n,): a ray leaves it an odd count of times."""
    (y_a, z_a), (y_b, z_b) = profile.T, np.roll(profile, -1, axis=0).T
    found = []
    for some in _blocks(points):
        y, z = some[:, :1], some[:, 1:]
        between = (z_a > z) != (z_b > z)
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = y_a + (z - z_a) / (z_b - z_a) * (y_b - y_a)
        found.append(np.count_nonzero(between & (y < crossing), axis=1) % 2 == 1)
    return np.concatenate(found)


def distance(profile: Floats, points: Floats, closed: bool = True) -> Floats:
    """From points, (n, 2), to the nearest place of a polygon's sides, or of a chain [m], (n,)."""
    sides = len(profile) if closed or len(profile) == 1 else len(profile) - 1
    start = profile[:sides]
    along = np.roll(profile, -1, axis=0)[:sides] - start
    square = np.einsum("sk,sk->s", along, along)
    square[square == 0.0] = 1.0  # a side without length is its corner
    found = []
    for some in _blocks(points):
        to = some[:, None] - start
        part = np.clip(np.einsum("nsk,sk->ns", to, along) / square, 0.0, 1.0)
        near = to - part[..., None] * along
        found.append(np.sqrt(np.einsum("nsk,nsk->ns", near, near).min(axis=1)))
    return np.concatenate(found)


def _blocks(points: Floats) -> list[Floats]:
    """Points in pieces, so that all of them with all sides need not be held at once."""
    return [points[n : n + BLOCK] for n in range(0, max(1, len(points)), BLOCK)]


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
    taken = _blocked(profile, z, radius)
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


def _blocked(profile: Floats, z: float, radius: float) -> list[tuple[float, float]]:
    """Which y at a height are nearer to a side than the radius: an open interval for each that is.

    The places within a distance of a segment are convex: two discs and a strip between them. The
    height meets a disc in an interval, and the strip's two borders in a place each.
    """
    a, b = profile, np.roll(profile, -1, axis=0)
    along = b - a
    size = np.hypot(*along.T)
    ends = []
    for corner in (a, b):
        room = radius**2 - (z - corner[:, 1]) ** 2
        half = np.sqrt(np.where(room > 0.0, room, np.nan))
        ends += [corner[:, 0] - half, corner[:, 0] + half]
    level = (along[:, 1] == 0.0) & (size > 0.0) & (np.abs(z - a[:, 1]) < radius)
    ends += [np.where(level, corner[:, 0], np.nan) for corner in (a, b)]
    with np.errstate(divide="ignore", invalid="ignore"):
        for side in (radius, -radius):
            part = (z - a[:, 1] - side * along[:, 0] / size) / along[:, 1]
            met = (part >= 0.0) & (part <= 1.0)
            place = a[:, 0] - side * along[:, 1] / size + part * along[:, 0]
            ends.append(np.where(met, place, np.nan))
    found = np.array(ends)
    found = found[:, ~np.isnan(found).all(axis=0)]
    return list(zip(np.nanmin(found, axis=0), np.nanmax(found, axis=0), strict=True))


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
