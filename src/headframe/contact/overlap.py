"""Whether sets of convex shapes touch, by planes between them; for what is asked once a machine.

Two convex sets are apart exactly if a plane lies between them. Of polyhedra it can be one of the
faces of either or a plane through an edge of each: the faces are tried first; a linear programme
finds the plane with the widest gap where none of them does.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..description import ChainLink, CollisionShape, Torus, hull_of, middle_line, triangles_of

Floats = NDArray[np.float64]
TOUCHING = 1e-3  # [m]: what is nearer than this touches
BARS = 24  # straight ones that a ring is made of
SIDES = 8  # of a bar


def convex_parts(shape: CollisionShape, folder: Path | None = None) -> list[Floats]:
    """Points of convex parts of a shape in its body's axes [m], (n, 3) each.

    Bent bars are cut into straight ones; a mesh stands for its hull.
    """
    geometry, X = shape.geometry, shape.pose
    if isinstance(geometry, Torus | ChainLink):
        line, outward, is_closed = middle_line(geometry, BARS)
        angle = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)[None, :, None]
        up = np.array([0.0, 0.0, 1.0])
        rings = line[:, None] + geometry.r * (np.cos(angle) * outward[:, None] + np.sin(angle) * up)
        ahead = np.roll(rings, -1, axis=0) if is_closed else rings[1:]
        clouds = [np.concatenate(both) for both in zip(rings, ahead, strict=is_closed)]
    else:
        clouds = [triangles_of(geometry, folder)[0]]
    return [cloud @ X[:3, :3].T + X[:3, 3] for cloud in clouds]


def near_each_other(a: Sequence[Floats], b: Sequence[Floats], gap: float = TOUCHING) -> bool:
    """Whether one of the convex hulls of clouds `a` touches one of `b`; each (n, 3) [m]."""
    if not a or not b:
        return False
    low_a, high_a = _boxes(a)
    low_b, high_b = _boxes(b)
    close = ((low_a[:, None] <= high_b[None] + gap) & (low_b[None] <= high_a[:, None] + gap)).all(
        axis=2
    )
    return any(hulls_touch(a[i], b[j], gap) for i, j in np.argwhere(close))


def _boxes(clouds: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Lower and upper corners of the boxes about clouds, (n, 3) each."""
    low = np.array([points.min(axis=0) for points in clouds])
    return low, np.array([points.max(axis=0) for points in clouds])


def hulls_touch(a: Floats, b: Floats, gap: float = TOUCHING) -> bool:
    """Whether the convex hulls of points (n, 3) and (m, 3) are nearer than `gap` [m]."""
    for one, other in ((a, b), (b, a)):
        corners, faces = hull_of(one)
        sides = corners[faces]
        normals = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        beyond = normals @ other.T - np.einsum("ij,ij->i", normals, sides[:, 0])[:, None]
        if beyond.min(axis=1).max() > gap:
            return False
    return widest_gap(a, b) <= gap


def widest_gap(a: Floats, b: Floats) -> float:
    """Width of a gap between two clouds of points [m]; 0 or less if no plane is between them.

    The programme: the largest t with n.p <= d - t for all points p of a, n.q >= d + t for all q of
    b, and no component of n beyond 1. The planes are then 2 t / |n| apart.
    """
    from scipy.optimize import linprog

    middle = np.concatenate([a, b]).mean(axis=0)
    ones_a, ones_b = np.ones((len(a), 1)), np.ones((len(b), 1))
    rows = np.block([[a - middle, -ones_a, ones_a], [middle - b, ones_b, ones_b]])
    bounds = [(-1.0, 1.0)] * 3 + [(None, None)] * 2
    found = linprog((0, 0, 0, 0, -1), rows, np.zeros(len(rows)), bounds=bounds, method="highs")
    if found.x is None or found.x[4] <= 0.0:
        return 0.0
    return float(2.0 * found.x[4] / np.linalg.norm(found.x[:3]))
