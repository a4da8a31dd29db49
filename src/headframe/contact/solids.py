"""Hulls as the kernels of contact take them, and one buffer for them and for meshes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..checks import numbers, refuse
from ..jit import Packing, new_records
from .meshes import MeshSolid, add_mesh, half_edges
from .records import SOLID, SOLID_FACE

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

COPLANAR = 1e-9  # of a hull's size: triangles of one plane are one face


class Packable(Protocol):
    """What can be laid into the buffer of solids."""

    def packed(self) -> Packing:
        """Its own buffer, with spans from its beginning."""


@dataclass(frozen=True, eq=False)
class HullSolid:
    """The convex hull of points, as `convex_hull` makes it."""

    points: Floats  # its corners, S (n, 3) [m]
    faces: tuple[tuple[int, ...], ...]  # plane polygons, counter-clockwise as seen from outside
    normals: Floats  # of the faces, outward unit vectors (n, 3)

    @property
    def radius(self) -> float:
        """Of the sphere about the origin that holds it [m]."""
        return float(np.linalg.norm(self.points, axis=1).max())

    @property
    def edges(self) -> set[tuple[int, int]]:
        """Pairs of points that an edge joins, in both orders."""
        loops = [(*face, face[0]) for face in self.faces]
        sides = {side for loop in loops for side in pairwise(loop)}
        return sides | {(j, i) for i, j in sides}

    def packed(self) -> Packing:
        """Its own buffer, with spans from its beginning."""
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        packing = Packing(SOLID, middle=0.5 * (low + high), half=0.5 * (high - low))
        packing.add("points", self.points)
        made = new_records(len(self.faces), SOLID_FACE)
        first = 0
        for face, corners, normal in zip(made, self.faces, self.normals, strict=True):
            face.corners[:] = first, len(corners)
            face.normal[:] = normal
            face.offset = normal @ self.points[corners[0]]
            first += len(corners)
        packing.add("faces", made)
        packing.add("corners", np.array([i for face in self.faces for i in face]))
        add_lists(packing, "beside", "neighbours", listed(self.edges, len(self.points)))
        around = ((i, k) for k, face in enumerate(self.faces) for i in face)
        add_lists(packing, "around", "faces_around", listed(around, len(self.points)))
        add_mesh(packing, self.mesh)
        return packing

    @property
    def mesh(self) -> MeshSolid:
        """Its surface as triangles."""
        fans = [(f[0], f[k], f[k + 1]) for f in self.faces for k in range(1, len(f) - 1)]
        triangles = np.array(fans, np.int64)
        return MeshSolid(self.points, triangles, *half_edges(triangles, self.points, "hull"))


def listed(pairs: Iterable[tuple[int, int]], count: int) -> list[list[int]]:
    """For each of so many numbers what it is paired with, in order."""
    found: list[list[int]] = [[] for _ in range(count)]
    for i, j in pairs:
        found[i].append(j)
    return [sorted(each) for each in found]


def add_lists(packing: Packing, starts: str, members: str, lists: list[list[int]]) -> None:
    """Lay lists one behind the other, and where each begins."""
    packing.add(starts, np.cumsum([0, *map(len, lists)]))
    packing.add(members, np.array([i for each in lists for i in each], np.int64))


def convex_hull(points: object) -> HullSolid:
    """The convex hull of points (n, 3) [m], by Qhull.

    Raises:
        StateError: fewer than four points, or all of them in one plane.
    """
    given = numbers("points of a hull", points)
    if given.ndim != 2 or given.shape[1:] != (3,) or len(given) < 4:
        refuse("points of a hull", points, "four or more points of three numbers each")
    from scipy.spatial import ConvexHull, QhullError

    try:
        found = ConvexHull(given)
    except QhullError:
        refuse("points of a hull", points, "points that are not all in one plane")
    used, simplices = np.unique(found.simplices, return_inverse=True)
    corners = np.ascontiguousarray(given[used])
    triangles = outward(corners, simplices.reshape(-1, 3))
    size = float(np.ptp(corners, axis=0).max())
    groups = coplanar_groups(found.equations, found.neighbors, size)
    faces = tuple(outline(triangles[group]) for group in groups)
    return HullSolid(corners, faces, np.array([area_normal(corners[list(face)]) for face in faces]))


def outward(points: Floats, triangles: Whole) -> Whole:
    """Triangles of a convex surface, counter-clockwise as seen from outside."""
    p, q, r = (points[triangles[:, k]] for k in range(3))
    inside = points.mean(axis=0)
    wrong = np.einsum("ij,ij->i", np.cross(q - p, r - p), p - inside) < 0.0
    turned = triangles.copy()
    turned[wrong] = turned[wrong][:, ::-1]
    return turned


def coplanar_groups(planes: Floats, beside: Whole, size: float) -> list[list[int]]:
    """Numbers of triangles that lie in one plane with their neighbours."""
    group = np.full(len(planes), -1)
    groups: list[list[int]] = []
    for first in range(len(planes)):
        if group[first] >= 0:
            continue
        group[first] = len(groups)
        members = [first]
        for member in members:
            for other in beside[member]:
                near = np.abs(planes[other] - planes[first])
                if group[other] < 0 and near[:3].max() < COPLANAR and near[3] < COPLANAR * size:
                    group[other] = len(groups)
                    members.append(int(other))
        groups.append(members)
    return groups


def outline(triangles: Whole) -> tuple[int, ...]:
    """The polygon around triangles of one plane."""
    sides = {(int(t[k]), int(t[(k + 1) % 3])) for t in triangles for k in range(3)}
    behind = {i: j for i, j in sides if (j, i) not in sides}
    first = min(behind)
    polygon, at = [first], behind[first]
    while at != first:
        polygon.append(at)
        at = behind[at]
    return tuple(polygon)


def area_normal(polygon: Floats) -> Floats:
    """Unit vector across a plane polygon: the sum of its corners' products."""
    p = polygon - polygon[0]
    total = np.cross(p, np.roll(p, -1, axis=0)).sum(axis=0)
    return np.asarray(total / np.linalg.norm(total))


def pack_solids(solids: Sequence[Packable]) -> tuple[Floats, Whole]:
    """All hulls and meshes in one buffer, and where each begins, for `SHAPE.solid`."""
    parts, starts, at = [], [], 0
    for solid in solids:
        packing = solid.packed()
        head = packing.header
        for name in head.dtype.names or ():
            if head[name].dtype.kind == "i":  # where a part begins
                head[name][0, 0] += at
        part = packing.buffer()
        parts.append(part)
        starts.append(at)
        at += len(part)
    return np.concatenate([*parts, np.zeros(1)]), np.array(starts, np.int64)
