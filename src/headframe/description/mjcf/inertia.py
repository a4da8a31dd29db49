"""Masses and inertias of MJCF's bodies: given, or those of their geoms.

Solids of even density, by closed forms; a mesh by the tetrahedra between its faces and a point.
MuJoCo's `legacy` way counts every tetrahedron as positive, about the mean of the faces and then
about the centre of mass; for convex meshes this is the same as the `exact` way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..mesh_files import Integers
from .places import Floats


@dataclass(frozen=True)
class Solid:
    """Mass [kg], centre of mass [m] (3,), inertia about it [kg m^2] (3, 3), in one frame."""

    mass: float
    com: Floats
    inertia: Floats

    def seen_from(self, X_AB: Floats) -> Solid:
        """The same solid, given in B, in the axes of A."""
        R = X_AB[:3, :3]
        I = R @ self.inertia @ R.T
        return Solid(self.mass, R @ self.com + X_AB[:3, 3], (I + I.T) / 2)

    def scaled(self, factor: float) -> Solid:
        """The same solid with another density."""
        return Solid(self.mass * factor, self.com, self.inertia * factor)


def together(solids: Sequence[Solid]) -> Solid | None:
    """Solids that move as one; None if they have no mass."""
    mass = sum(solid.mass for solid in solids)
    if not mass > 0.0:
        return None
    com = sum((solid.mass * solid.com for solid in solids), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for solid in solids:
        d = solid.com - com
        inertia += solid.inertia + solid.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return Solid(mass, com, inertia)


def primitive(kind: str, size: Sequence[float]) -> Solid:
    """A solid of density 1 about its middle; sizes are MJCF's: radii and half lengths."""
    if kind == "sphere":
        r = size[0]
        mass = 4.0 / 3.0 * math.pi * r**3
        return _middle(mass, [0.4 * mass * r * r] * 3)
    if kind == "ellipsoid":
        a, b, c = size
        mass = 4.0 / 3.0 * math.pi * a * b * c
        return _middle(
            mass, [mass * s / 5.0 for s in (b * b + c * c, a * a + c * c, a * a + b * b)]
        )
    if kind == "box":
        a, b, c = size
        mass = 8.0 * a * b * c
        return _middle(
            mass, [mass * s / 3.0 for s in (b * b + c * c, a * a + c * c, a * a + b * b)]
        )
    r, h = size[0], 2.0 * size[1]
    shaft = math.pi * r * r * h
    across, along = shaft * (3.0 * r * r + h * h) / 12.0, shaft * r * r / 2.0
    if kind == "cylinder":
        return _middle(shaft, [across, across, along])
    # capsule: the two half balls at the ends, each with its centre 3/8 r beyond the shaft's end
    ball = 4.0 / 3.0 * math.pi * r**3
    ends = ball * (0.4 * r * r + h * h / 4.0 + 3.0 * h * r / 8.0)
    return _middle(shaft + ball, [across + ends, across + ends, along + 0.4 * ball * r * r])


def _middle(mass: float, moments: Sequence[float]) -> Solid:
    return Solid(mass, np.zeros(3), np.diag(moments))


def of_mesh(vertices: Floats, faces: Integers, way: str) -> Solid | None:
    """A mesh of density 1; None if it has no volume.

    Args:
        vertices: (n, 3) [m].
        faces: positions of vertices, (m, 3), counter-clockwise seen from outside.
        way: "exact", "legacy", "convex" (of its hull) or "shell" (of its surface).
    """
    if way == "convex":
        vertices, faces = hull(vertices)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2.0
    if not areas.sum() > 0.0:
        return None
    middle = areas @ (a + b + c) / 3.0 / areas.sum()
    if way == "shell":
        return _of_triangles(a - middle, b - middle, c - middle, areas, middle)
    weights = _volumes(a - middle, b - middle, c - middle, way)
    if not abs(weights.sum()) > 0.0:
        return None
    com = middle + weights @ (a + b + c - 3.0 * middle) / 4.0 / weights.sum()
    a, b, c = a - com, b - com, c - com
    weights = _volumes(a, b, c, way)
    return _of_tetrahedra(a, b, c, weights, com)


def hull(points: Floats) -> tuple[Floats, Integers]:
    """The convex hull of points: vertices, and faces counter-clockwise seen from outside."""
    from scipy.spatial import ConvexHull

    found = ConvexHull(points)
    faces = np.array(found.simplices, dtype=np.int64)
    a, b, c = (points[faces[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), found.equations[:, :3]) < 0.0
    faces[inward] = faces[inward][:, ::-1]
    return points, faces


def _volumes(a: Floats, b: Floats, c: Floats, way: str) -> Floats:
    """Volumes of tetrahedra from the origin to triangles, (m,)."""
    volumes: Floats = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    return np.abs(volumes) if way == "legacy" else volumes


def _of_tetrahedra(a: Floats, b: Floats, c: Floats, weights: Floats, com: Floats) -> Solid:
    whole = a + b + c
    S = sum((p.T * weights) @ p for p in (whole, a, b, c)) / 20.0
    return Solid(float(weights.sum()), com, np.trace(S) * np.eye(3) - S)


def _of_triangles(a: Floats, b: Floats, c: Floats, areas: Floats, com: Floats) -> Solid:
    whole = a + b + c
    S = sum((p.T * areas) @ p for p in (whole, a, b, c)) / 12.0
    return Solid(float(areas.sum()), com, np.trace(S) * np.eye(3) - S)
