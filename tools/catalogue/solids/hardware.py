"""What machines are covered with: bolts, hoses, lamps, louvres, stripes, rails."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from kit.vectors import Point

from .mesh import Solid, across, joined, unit, without_foot
from .plates import bar, block
from .turned import lathe, pin, ring, shaft, smooth, tube


def bolts(points: Iterable[Point], direction: Point, size: float = 0.016) -> Solid:
    """Make hexagon heads of that radius [m] on washers, looking along a direction."""
    return joined(_bolt(point, direction, size) for point in points)


def _bolt(at: Point, direction: Point, size: float) -> Solid:
    """Make a hexagon head without the face that it stands on."""
    whole = lathe([(0.0, size), (0.65 * size, 0.94 * size)], at, direction, 6)
    return without_foot(whole)


def flange(at: Point, direction: Point, radius: float, count: int, size: float = 0.016) -> Solid:
    """Make a circle of bolts of that radius round an axis [m]."""
    x, y = across(direction)
    angles = 2 * math.pi * (np.arange(count) + 0.5) / count
    places = [np.asarray(at) + radius * (math.cos(a) * x + math.sin(a) * y) for a in angles]
    return bolts(places, direction, size)


def row(start: Point, end: Point, count: int) -> list[Point]:
    """Give points from one to another [m]."""
    return list(np.linspace(np.asarray(start, float), np.asarray(end, float), count))


def grid(centre: Point, u: Point, v: Point, counts: tuple[int, int]) -> list[Point]:
    """Give points of a grid: `u` and `v` lead from its middle to its edges [m]."""
    steps = [np.linspace(-1, 1, count) if count > 1 else np.zeros(1) for count in counts]
    a, b = np.asarray(u, float), np.asarray(v, float)
    return [np.asarray(centre) + s * a + t * b for s in steps[0] for t in steps[1]]


def frame_points(centre: Point, u: Point, v: Point, counts: tuple[int, int]) -> list[Point]:
    """Give the points of a grid that lie on its rim [m]."""
    points = grid(centre, u, v, counts)
    m, n = counts
    return [p for k, p in enumerate(points) if k // n in (0, m - 1) or k % n in (0, n - 1)]


def hose(points: Sequence[Point], radius: float, sides: int = 8, steps: int = 5) -> Solid:
    """Make a hose swept through points [m]."""
    return tube(points, radius, sides, steps)


def fittings(points: Sequence[Point], radius: float) -> Solid:
    """Make the crimped ends of a hose through these points [m]."""
    way = smooth(points, 5)
    ends = []
    for start, following in ((way[0], way[1]), (way[-1], way[-2])):
        along = unit(following - start)
        ends.append(shaft(start, start + along * 3.0 * radius, 1.4 * radius, 6))
    return joined(ends)


def lamp(at: Point, direction: Point, radius: float) -> tuple[Solid, Solid]:
    """Make housing with bezel and guard, and lens, of a round lamp whose face is at `at` [m]."""
    z, r = unit(direction), radius
    back = np.asarray(at, float) - z * 1.1 * r
    profile = [(0.0, 0.45 * r), (0.6 * r, 1.1 * r), (1.2 * r, 1.1 * r), (1.1 * r, 0.9 * r)]
    housing = lathe(profile, back, z, 12)
    x, y = across(z)
    front = back + z * 1.26 * r
    guard = [bar(front - d * r, front + d * r, 0.09 * r, 0.09 * r, side=z) for d in (x, y)]
    lens = without_foot(lathe([(1.1 * r, 0.92 * r), (1.22 * r, 0.5 * r)], back, z, 12))
    return joined([housing, *guard]), lens


def stripes(centre: Point, u: Point, v: Point, count: int) -> Solid:
    """Paint slanting stripes on a rectangle whose half sides are `u` and `v` [m]."""
    a, b = np.asarray(u, float), np.asarray(v, float)
    length, height = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    pitch = 2 * length / count
    slant = min(0.6 * pitch, 2 * height)
    x, y = unit(a), unit(b)
    corners = []
    for i in range(count):
        start = -length + i * pitch
        for along, up in ((0.0, -1), (0.4 * pitch, -1), (0.4 * pitch + slant, 1), (slant, 1)):
            corners.append(np.asarray(centre) + (start + along) * x + up * height * y)
    return Solid(np.array(corners), tuple((i, i + 1, i + 2, i + 3) for i in range(0, 4 * count, 4)))


def louvres(
    centre: Point, u: Point, v: Point, count: int, depth: float = 0.02, tilt: float = 0.6
) -> Solid:
    """Make slanting slats along `u`, stacked along `v`: half sides of the opening [m]."""
    a, b = np.asarray(u, float), np.asarray(v, float)
    x, y = unit(a), unit(b)
    z = np.cross(x, y)
    pitch = 2 * float(np.linalg.norm(b)) / count
    slats = []
    for i in range(count):
        middle = np.asarray(centre) + b * (-1 + (2 * i + 1) / count)
        out = math.cos(tilt) * z - math.sin(tilt) * y
        up = np.cross(out, x)
        size = (2 * float(np.linalg.norm(a)), 0.2 * pitch, max(depth, 0.9 * pitch))
        slats.append(block(size, bevel=0.0).in_axes(middle, x, up, out))
    return joined(slats)


def rail(points: Sequence[Point], radius: float = 0.016, steps: int = 3) -> Solid:
    """Make a bent handrail [m]."""
    return tube(points, radius, 8, steps)


def keeper(at: Point, direction: Point, radius: float) -> Solid:
    """Make a pin's end at `at`: a cap, the plate that keeps the pin, and its two bolts [m]."""
    z = unit(direction)
    x, y = across(z)
    p = np.asarray(at, float)
    cap = without_foot(lathe([(0.0, radius), (0.25 * radius, 0.92 * radius)], p, z, 10))
    size = (2.3 * radius, 0.62 * radius, 0.22 * radius)
    strip = block(size).in_axes(p + z * 0.32 * radius + y * 0.55 * radius, x, y, z)
    places = [p + z * 0.42 * radius + y * 0.55 * radius + s * x * 0.75 * radius for s in (-1, 1)]
    return joined([cap, strip] if radius < 0.07 else [cap, strip, bolts(places, z, 0.2 * radius)])


def name_plate(centre: Point, u: Point, v: Point, thickness: float = 0.004) -> Solid:
    """Make a small plate with four rivets; half sides `u` and `v` [m]."""
    a, b = np.asarray(u, float), np.asarray(v, float)
    z = np.cross(unit(a), unit(b))
    size = (2 * float(np.linalg.norm(a)), 2 * float(np.linalg.norm(b)), thickness)
    sheet = block(size, bevel=0.0).in_axes(centre, unit(a), unit(b), z)
    places = grid(np.asarray(centre) + z * thickness / 2, 0.88 * a, 0.8 * b, (2, 2))
    return joined([sheet, bolts(places, z, 0.006)])


def clamp(at: Point, along: Point, radius: float, foot: Point) -> Solid:
    """Make a clamp round a hose of that radius, with a lug towards `foot` [m]."""
    half = 0.6 * radius
    z = unit(along)
    start = np.asarray(at, float) - z * half
    inner, outer = 1.02 * radius, 1.35 * radius
    band = ring([(0.0, outer), (2 * half, outer), (2 * half, inner), (0.0, inner)], start, z, 10)
    side = across(z)[0]
    return joined([band, bar(at, foot, 1.1 * radius, 0.8 * radius, side=side)])


def spool(at: Point, radius: float, length: float, axis: Point, segments: int = 20) -> Solid:
    """Make a roller with broken rims [m]."""
    half = length / 2
    rim, step = 1.1 * radius, 0.14 * length
    profile = [(-half, 0.8 * rim), (-half + step, rim), (half - step, rim), (half, 0.8 * rim)]
    return lathe(profile, at, axis, segments)


def boss(at: Point, radius: float, length: float, axis: Point = (0.0, 1.0, 0.0)) -> Solid:
    """Make a bearing boss with a smaller cover on either end [m]."""
    cover = pin(at, 0.72 * radius, 1.14 * length, 12, axis=axis)
    return joined([pin(at, radius, length, 14, axis=axis), cover])
