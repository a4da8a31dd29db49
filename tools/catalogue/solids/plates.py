"""Plates and blocks: outlines with thickness, their edges broken."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from kit.vectors import ORIGIN, Array, Point

from headframe.description.rounded import bevelled_box

from .mesh import Solid, across, unit

Outline = Sequence[tuple[float, float]]  # corners in a plane [m], counter-clockwise


def block(
    size: Point, at: Point = ORIGIN, *, rpy: Point = ORIGIN, bevel: float | None = None
) -> Solid:
    """Make a box with edges along x, y and z [m], centred at `at`, all edges broken."""
    edges = (float(size[0]), float(size[1]), float(size[2]))
    broken = min(0.012, 0.09 * min(edges)) if bevel is None else bevel
    small = min(edges) < 0.1 and (max(edges) < 0.5 or min(edges) < 0.04)
    if (small and bevel is None) or broken <= 0.0:
        x, y, z = edges
        outline = [(-x / 2, -y / 2), (x / 2, -y / 2), (x / 2, y / 2), (-x / 2, y / 2)]
        return prism(outline, z).at(at, rpy)
    vertices, faces, _ = bevelled_box(edges, broken)
    return Solid(vertices, tuple(map(tuple, faces.tolist()))).at(at, rpy)


def bar(
    start: Point, end: Point, width: float, height: float, *, side: Point = (0.0, 1.0, 0.0)
) -> Solid:
    """Make a box from `start` to `end`, `width` along `side`, `height` across both [m]."""
    p, q = np.asarray(start, float), np.asarray(end, float)
    along = unit(q - p)
    y, _ = across(along, side)
    length = float(np.linalg.norm(q - p))
    return block((length, width, height)).in_axes((p + q) / 2, along, y, np.cross(along, y))


def plate(outline: Outline, y: float, thickness: float, bevel: float = 0.008) -> Solid:
    """Make an upright plate of an outline in x and z [m], its middle at `y`."""
    extent = float(np.ptp(np.asarray(outline), axis=0).max())
    broken = min(bevel, 0.3 * thickness) if thickness > 0.05 and extent > 0.4 else 0.0
    solid = prism(outline, thickness, broken)
    return solid.in_axes((0.0, y, 0.0), (1, 0, 0), (0, 0, 1), (0, -1, 0))


def prism(outline: Outline, height: float, bevel: float = 0.0) -> Solid:
    """Make a prism on an outline in x and y, from -height/2 to height/2 along z [m].

    The edges round both ends are broken by `bevel` [m]. The outline may have inward corners.
    """
    points = np.asarray(outline, float)
    if _signed_area(points) < 0:
        points = points[::-1]
    n, half = len(points), height / 2
    inner = _inset(points, bevel) if bevel > 0 else points
    rings = [(inner, -half), (points, -half + bevel), (points, half - bevel), (inner, half)]
    if bevel <= 0:
        rings = [(points, -half), (points, half)]
    vertices = np.concatenate([np.column_stack([p, np.full(n, z)]) for p, z in rings])
    faces: list[tuple[int, ...]] = []
    for k in range(len(rings) - 1):
        for i in range(n):
            j = (i + 1) % n
            faces.append((k * n + i, k * n + j, (k + 1) * n + j, (k + 1) * n + i))
    top = (len(rings) - 1) * n
    for cap in _convex_parts(inner):
        faces.append(tuple(top + i for i in cap))
        faces.append(tuple(reversed(cap)))
    return Solid(vertices, tuple(faces))


def rounded_outline(width: float, height: float, radius: float, steps: int = 2) -> Outline:
    """Give a rectangle about the origin with round corners [m]."""
    found = []
    for sx, sy, start in ((1, 1, 0.0), (-1, 1, 0.5), (-1, -1, 1.0), (1, -1, 1.5)):
        for k in range(steps + 1):
            a = math.pi * (start + 0.5 * k / steps)
            x, y = sx * (width / 2 - radius), sy * (height / 2 - radius)
            found.append((x + radius * math.cos(a), y + radius * math.sin(a)))
    return found


def circle(radius: float, steps: int, start: float = 0.0) -> Outline:
    """Give a regular polygon about the origin [m]."""
    angles = start + 2 * math.pi * np.arange(steps) / steps
    return [(radius * math.cos(a), radius * math.sin(a)) for a in angles]


def gear(teeth: int, root: float, tip: float) -> Outline:
    """Give the outline of a toothed wheel about the origin, between two radii [m]."""
    found = []
    for i in range(teeth):
        for part, radius in ((0.0, root), (0.35, root), (0.5, tip), (0.8, tip)):
            a = 2 * math.pi * (i + part) / teeth
            found.append((radius * math.cos(a), radius * math.sin(a)))
    return found


def hull(points: Outline) -> Outline:
    """Give the convex hull of points in a plane [m], counter-clockwise."""
    ordered = sorted(set(points))

    def half(way: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for p in way:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 1e-12:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return [*half(ordered), *half(ordered[::-1])]


def rounds(*circles: tuple[float, float, float], steps: int = 10) -> Outline:
    """Give the outline round circles, each x, y and radius [m]: links, lugs, levers."""
    points = [(x + px, y + py) for x, y, radius in circles for px, py in circle(radius, steps)]
    return hull(points)


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _signed_area(points: Array) -> float:
    x, y = points.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2)


def _inset(points: Array, distance: float) -> Array:
    """Move every edge of an outline inwards."""
    ahead = np.roll(points, -1, axis=0) - points
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    normal = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    before = np.roll(normal, 1, axis=0)
    mean = normal + before
    scale = np.maximum((mean * mean).sum(axis=1, keepdims=True) / 2, 0.3)
    moved: Array = points + mean / scale * distance
    return moved


def _convex_parts(points: Array) -> list[tuple[int, ...]]:
    """Cut a polygon into convex ones: itself, or triangles by clipping ears."""
    rest = list(range(len(points)))

    def turn(i: int, j: int, k: int) -> float:
        return _turn(tuple(points[i]), tuple(points[j]), tuple(points[k]))

    if all(turn(rest[i - 2], rest[i - 1], rest[i]) >= -1e-12 for i in range(len(rest))):
        return [tuple(rest)]
    found: list[tuple[int, ...]] = []
    while len(rest) > 3:
        for i in range(len(rest)):
            a, b, c = rest[i - 1], rest[i], rest[(i + 1) % len(rest)]
            if turn(a, b, c) <= 1e-12:
                continue
            others = (p for p in rest if p not in (a, b, c))
            if not any(
                turn(a, b, p) >= 0 and turn(b, c, p) >= 0 and turn(c, a, p) >= 0 for p in others
            ):
                break
        else:
            i = 0
            a, b, c = rest[-1], rest[0], rest[1]
        found.append((a, b, c))
        del rest[i]
    return [*found, tuple(rest)]
