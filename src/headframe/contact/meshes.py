"""Closed triangle meshes: half-edges, trees of boxes, volume, centroid and inertia."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..checks import numbers, refuse
from ..errors import StateError
from ..jit import Packing, new_records
from .records import NODE, SOLID, TRIANGLE

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

LEAF = 2  # triangles up to which a box is not divided


@dataclass(frozen=True, eq=False)
class MeshSolid:
    """A closed surface of triangles, as `closed_mesh` makes it."""

    points: Floats  # S (n, 3) [m]
    triangles: Whole  # (m, 3), counter-clockwise as seen from outside
    beside: Whole  # (m, 3): triangle on the other side of each half-edge
    twins: Whole  # (m, 3): which of its half-edges that is

    @property
    def radius(self) -> float:
        """Of the sphere about the origin that holds it [m]."""
        return float(np.linalg.norm(self.points, axis=1).max())

    @cached_property
    def normals(self) -> Floats:
        """Outward unit vectors of the triangles (m, 3); 0 of those that are lines."""
        p, q, r = (self.points[self.triangles[:, k]] for k in range(3))
        n = np.cross(q - p, r - p)
        size = np.linalg.norm(n, axis=1, keepdims=True)
        return np.asarray(n / np.where(size > 0.0, size, 1.0))

    @cached_property
    def point_normals(self) -> Floats:
        """Of every point the sum of its triangles' normals by their angles there, as unit vectors.

        A point near a mesh whose nearest point is a corner is outside exactly if it is on the side
        of this vector (J. Baerentzen, H. Aanaes: Signed distance computation using the angle
        weighted pseudonormal, 2005).
        """
        total = np.zeros_like(self.points)
        for k in range(3):
            at, to, back = (self.points[self.triangles[:, (k + i) % 3]] for i in range(3))
            d, e = to - at, back - at
            angle = np.arctan2(np.linalg.norm(np.cross(d, e), axis=1), np.einsum("ij,ij->i", d, e))
            np.add.at(total, self.triangles[:, k], angle[:, None] * self.normals)
        size = np.linalg.norm(total, axis=1, keepdims=True)
        return np.asarray(total / np.where(size > 0.0, size, 1.0))

    def packed(self) -> Packing:
        """Its own buffer, with spans from its beginning."""
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        packing = Packing(SOLID, middle=0.5 * (low + high), half=0.5 * (high - low))
        packing.add("points", self.points)
        add_mesh(packing, self)
        return packing


def add_mesh(packing: Packing, mesh: MeshSolid) -> None:
    """Lay triangles and their tree into the buffer of a solid."""
    made = new_records(len(mesh.triangles), TRIANGLE)
    made.corners[:], made.beside[:], made.twins[:] = mesh.triangles, mesh.beside, mesh.twins
    made.normal[:] = mesh.normals
    packing.add("triangles", made)
    nodes, order = tree_of(mesh)
    packing.add("nodes", nodes)
    packing.add("order", order)
    packing.add("normals", mesh.point_normals)


def closed_mesh(points: object, triangles: object, name: str = "mesh") -> MeshSolid:
    """A mesh of points (n, 3) [m] and triangles (m, 3), whose corners are numbers of points.

    Points at the same place become one.

    Raises:
        StateError: it is no mesh, or is open: an edge has not exactly two triangles, one in each
            direction; or its triangles look inwards.
    """
    given = numbers(f"points of {name}", points)
    if given.ndim != 2 or given.shape[1:] != (3,) or len(given) < 4:
        refuse(f"points of {name}", points, "four or more points of three numbers each")
    corners = np.asarray(triangles)
    fits = corners.ndim == 2 and corners.shape[1:] == (3,) and corners.dtype.kind in "iu"
    if not fits or len(corners) < 4 or corners.min() < 0 or corners.max() >= len(given):
        last = len(given) - 1
        refuse(f"triangles of {name}", triangles, f"rows of three numbers of points, 0 to {last}")
    places, same = np.unique(given, axis=0, return_inverse=True)
    corners = same.reshape(-1)[corners].astype(np.int64)
    whole = (
        (corners[:, 0] != corners[:, 1])
        & (corners[:, 1] != corners[:, 2])
        & (corners[:, 2] != corners[:, 0])
    )
    corners = np.ascontiguousarray(corners[whole])
    beside, twins = half_edges(corners, places, name)
    mesh = MeshSolid(np.ascontiguousarray(places), corners, beside, twins)
    if not volume_of(mesh) > 0.0:
        raise StateError(
            f"{name}: found a volume of {volume_of(mesh):g} m^3, expected triangles that go "
            "counter-clockwise as seen from outside"
        )
    return mesh


def half_edges(triangles: Whole, points: Floats, name: str) -> tuple[Whole, Whole]:
    """For each half-edge the triangle and the half-edge on its other side."""
    places: dict[tuple[int, int], tuple[int, int]] = {}
    for t, corners in enumerate(triangles.tolist()):
        for k in range(3):
            side = corners[k], corners[(k + 1) % 3]
            if side in places:
                ends = f"{points[side[0]].tolist()} to {points[side[1]].tolist()}"
                raise StateError(
                    f"{name}: found two triangles, {places[side][0]} and {t}, on the same side of "
                    f"the edge from {ends}, expected one"
                )
            places[side] = t, k
    beside, twins = np.empty_like(triangles), np.empty_like(triangles)
    for (i, j), (t, k) in places.items():
        if (j, i) not in places:
            raise StateError(
                f"{name}: found a hole at the edge from {points[i].tolist()} to "
                f"{points[j].tolist()}, which only triangle {t} has, expected a closed mesh"
            )
        beside[t, k], twins[t, k] = places[j, i]
    return beside, twins


# ------------------------------------------------------------------------------------ integrals


def volume_of(mesh: MeshSolid) -> float:
    """Volume [m^3]: the tetrahedra from the origin to all triangles, with their signs."""
    p, q, r = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", p, np.cross(q, r)) / 6.0)


@dataclass(frozen=True)
class Filled:
    """What a mesh encloses, of density 1."""

    volume: float  # [m^3]
    centroid: Floats  # S (3,) [m]
    inertia: Floats  # about the centroid, S (3, 3) [m^5]


def filled(mesh: MeshSolid) -> Filled:
    """Volume, centroid and inertia of what a mesh encloses.

    A tetrahedron from the origin to p, q, r has the volume V = p.(q x r)/6, the first moment
    V (p + q + r)/4, and the second moment V/20 (pp + qq + rr + ss) with s = p + q + r.
    """
    p, q, r = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    s = p + q + r
    v = np.einsum("ij,ij->i", p, np.cross(q, r)) / 6.0
    volume = v.sum()
    centroid = (v[:, None] * s).sum(axis=0) / (4.0 * volume)
    second = sum(np.einsum("i,ij,ik->jk", v, x, x) for x in (p, q, r, s)) / 20.0
    second = second - volume * np.outer(centroid, centroid)
    return Filled(float(volume), centroid, np.trace(second) * np.eye(3) - second)


# ------------------------------------------------------------------------------------ the tree


def tree_of(mesh: MeshSolid) -> tuple[NDArray[np.void], Whole]:
    """Boxes around triangles, divided at the mean along the axis of greatest variance.

    (4.24), (4.25) of the thesis. A box along the mesh's axes and one along the axes of variance
    hold the same triangles, so that either tree can be gone through.
    """
    corners = mesh.points[mesh.triangles]
    centres = corners.mean(axis=1)
    order = np.arange(len(corners))
    rows: list[tuple[int, int, int, int]] = []  # first, count, two children
    waiting = [(0, len(order), -1, 0)]
    while waiting:
        first, count, parent, side = waiting.pop()
        at = len(rows)
        rows.append((first, count, -1, -1))
        if parent >= 0:
            row = list(rows[parent])
            row[2 + side] = at
            rows[parent] = (row[0], row[1], row[2], row[3])
        if count <= LEAF:
            continue
        members = order[first : first + count]
        variance = centres[members].var(axis=0)
        axis = int(variance.argmax())
        values = centres[members, axis]
        left = values < values.mean()
        if left.all() or not left.any():
            left = np.arange(count) < count // 2
        order[first : first + count] = np.concatenate([members[left], members[~left]])
        half = int(left.sum())
        waiting += [(first + half, count - half, at, 1), (first, half, at, 0)]
    nodes = new_records(len(rows), NODE)
    for node, (first, count, left_child, right_child) in zip(nodes, rows, strict=True):
        points = corners[order[first : first + count]].reshape(-1, 3)
        node.low[:], node.high[:] = points.min(axis=0), points.max(axis=0)
        node.X_SO[:], node.half[:] = box_around(points)
        node.children[:] = left_child, right_child
        node.first[:] = first, count
    return nodes, order


def box_around(points: Floats) -> tuple[Floats, Floats]:
    """Pose (3, 4) and half edges of a box along the axes in which points vary."""
    centred = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] = -axes[:, 0]
    seen = points @ axes
    low, high = seen.min(axis=0), seen.max(axis=0)
    return np.column_stack([axes, axes @ (0.5 * (low + high))]), 0.5 * (high - low)
