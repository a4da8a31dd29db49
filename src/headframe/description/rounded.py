"""Shapes as they look when they are made: edges broken by a small chamfer, round where round.

A vertex carries the normal of the large face it belongs to, so that light bends over a chamfer as
over a rounded edge, and flat sides stay flat. Outer measures are those of the shape.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from .bent import bent_bar
from .geometry import Box, Capsule, ChainLink, Cone, Cylinder, Hull, Primitive, Torus
from .meshes import Floats, Integers, hull_of

CHAMFER = 0.015  # at most [m]
SHARE = 0.08  # of the smallest measure
SMALLEST = 0.03  # radius of what gets a chamfer at its ends [m]
SEGMENTS = ((0.15, 32), (0.06, 24), (0.02, 16), (0.0, 10))  # from that radius on [m]

Surface = tuple[Floats, Integers, Floats]  # vertices [m] (n, 3), faces (m, 3), normals (n, 3)
Outline = Sequence[tuple[float, float, float, float]]  # radius, z [m], and the normal along both


def rounded(geometry: Primitive, detail: float = 1.0) -> Surface:
    """Triangles of a shape in its own frame, with a normal for every vertex.

    Args:
        geometry: the shape.
        detail: 1 or less: less makes fewer segments, below 0.6 no chamfers at round ends.
    """
    if isinstance(geometry, Box):
        edges = (geometry.x, geometry.y, geometry.z)
        return bevelled_box(edges, min(CHAMFER, SHARE * min(edges)))
    if isinstance(geometry, Cylinder):
        size = min(2 * geometry.r1, 2 * geometry.r2, geometry.h)
        broken = min(geometry.r1, geometry.r2) >= SMALLEST and detail >= 0.6
        outline = bar_outline(
            geometry.r1, geometry.r2, geometry.h, min(CHAMFER, SHARE * size) if broken else 0.0
        )
        return turned(outline, segments_of(max(geometry.r1, geometry.r2), detail))
    if isinstance(geometry, Torus | ChainLink):
        steps = segments_of(geometry.R + geometry.r, detail)
        return bent_bar(geometry, steps, segments_of(geometry.r, detail))
    if isinstance(geometry, Hull):
        return faceted(*hull_of(np.array(geometry.points)))
    if isinstance(geometry, Cone):
        radius, half = geometry.r, geometry.h / 2
        nr, nz = _unit(geometry.h, radius)
        base = (radius, -half, 0.0, -1.0)
        return turned(
            [base, (radius, -half, nr, nz), (0.0, half, nr, nz)], segments_of(radius, detail)
        )
    segments = segments_of(geometry.r, detail)
    half = geometry.h / 2 if isinstance(geometry, Capsule) else 0.0
    steps = 2 * max(2, segments // 4)
    angles = np.linspace(-math.pi / 2, math.pi / 2, steps + 1)
    arc = [(math.cos(a), math.sin(a)) for a in angles]
    points = [(max(c, 0.0) * geometry.r, s * geometry.r, c, s) for c, s in arc]
    points[0], points[-1] = (0.0, -geometry.r, 0.0, -1.0), (0.0, geometry.r, 0.0, 1.0)
    lower = [(r, z - half, c, s) for r, z, c, s in points[: steps // 2 + 1]]
    upper = [(r, z + half, c, s) for r, z, c, s in points[steps // 2 :]]
    return turned([*lower, *(upper if half > 0.0 else upper[1:])], segments)


def faceted(vertices: Floats, faces: Integers) -> Surface:
    """A surface whose faces are all flat: each has corners of its own, with its normal."""
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    own = np.arange(faces.size, dtype=np.int64).reshape(-1, 3)
    return corners.reshape(-1, 3), own, np.repeat(normals, 3, axis=0)


def segments_of(radius: float, detail: float = 1.0) -> int:
    """How many sides stand for a circle of that radius [m]; a multiple of two."""
    whole = next(count for least, count in SEGMENTS if radius >= least)
    return max(6, 2 * round(whole * detail / 2))


def bevelled_box(edges: tuple[float, float, float], bevel: float) -> Surface:
    """A box with edges along x, y and z [m], all twelve broken by `bevel` [m]: 44 triangles."""
    half = np.array(edges) / 2
    signs = ((np.arange(8)[:, None] >> np.arange(3)) & 1) * 2 - 1
    vertices = np.empty((8, 3, 3))  # corner, axis of the side that it belongs to, coordinate
    for axis in range(3):
        vertices[:, axis] = signs * (half - bevel * (np.arange(3) != axis))
    normals = signs[:, :, None] * np.eye(3)
    faces: list[tuple[int, int, int]] = []

    def add(*corners: tuple[int, int]) -> None:
        """A convex face of (corner, axis) pairs, turned to look outwards."""
        places = [3 * corner + axis for corner, axis in corners]
        points = vertices.reshape(-1, 3)[places]
        outward = np.cross(points[1] - points[0], points[2] - points[0]) @ points.sum(axis=0)
        places = places if outward > 0 else places[::-1]
        faces.extend((places[0], a, b) for a, b in itertools.pairwise(places[1:]))

    for axis in range(3):
        u, v = 1 << (axis + 1) % 3, 1 << (axis + 2) % 3
        for side in (0, 1 << axis):
            add((side, axis), (side | u, axis), (side | u | v, axis), (side | v, axis))
        for a in (0, u):  # the four edges along this axis, between the sides of the other two
            for b in (0, v):
                low, high = a | b, a | b | 1 << axis
                one, two = (axis + 1) % 3, (axis + 2) % 3
                add((low, one), (high, one), (high, two), (low, two))
    for corner in range(8):
        add((corner, 0), (corner, 1), (corner, 2))
    return vertices.reshape(-1, 3), np.array(faces, dtype=np.int64), normals.reshape(-1, 3)


def bar_outline(r1: float, r2: float, h: float, chamfer: float) -> Outline:
    """Outline of a round bar or truncated cone along z, its ends broken by `chamfer` [m]."""
    half = h / 2
    nr, nz = _unit(h, r1 - r2)
    return [
        (r1 - chamfer, -half, 0.0, -1.0),
        (r1, -half + chamfer, nr, nz),
        (r2, half - chamfer, nr, nz),
        (r2 - chamfer, half, 0.0, 1.0),
    ]


def turned(outline: Outline, segments: int) -> Surface:
    """An outline turned about z; where it begins or ends off the axis, a flat disc closes it.

    Two points of one place make a sharp edge.
    """
    angle = np.linspace(0.0, 2 * math.pi, segments, endpoint=False)
    cos, sin = np.cos(angle), np.sin(angle)
    vertices = np.concatenate(
        [np.column_stack([r * cos, r * sin, np.full(segments, z)]) for r, z, _, _ in outline]
    )
    normals = np.concatenate(
        [np.column_stack([nr * cos, nr * sin, np.full(segments, nz)]) for _, _, nr, nz in outline]
    )
    around = np.arange(segments)
    ahead = np.roll(around, -1)
    fan = np.column_stack([np.zeros(segments - 2, int), around[1:-1], around[2:]])
    faces = []
    if outline[0][0] > 0.0:
        faces.append(fan[:, ::-1])
    for i, (low, high) in enumerate(itertools.pairwise(outline)):
        if low[:2] == high[:2]:
            continue
        below, above = i * segments, (i + 1) * segments
        if low[0] > 0.0:
            faces.append(np.column_stack([below + around, below + ahead, above + around]))
        if high[0] > 0.0:
            faces.append(np.column_stack([below + ahead, above + ahead, above + around]))
    if outline[-1][0] > 0.0:
        faces.append(fan + (len(outline) - 1) * segments)
    return vertices, np.concatenate(faces).astype(np.int64), normals


def _unit(a: float, b: float) -> tuple[float, float]:
    length = math.hypot(a, b)
    return a / length, b / length
