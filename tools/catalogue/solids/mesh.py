"""Solids: vertices and flat convex faces, to be moved, mirrored and put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from kit.vectors import ORIGIN, Array, Point

from headframe.description.three_dt.model import fans
from headframe.spatial import pose

Faces = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Solid:
    """A surface.

    Attributes:
        vertices: [m], (n, 3).
        faces: positions of vertices, counter-clockwise seen from outside.
        sizes: how many vertices and faces each solid that it was joined of has; none if it is one.
    """

    vertices: Array
    faces: Faces
    sizes: tuple[tuple[int, int], ...] = ()

    def at(self, point: Point, rpy: Point = ORIGIN) -> Solid:
        """Turn by roll-pitch-yaw [rad] about the origin, then shift [m]."""
        X = pose(tuple(point), tuple(rpy))
        return replace(self, vertices=self.vertices @ X[:3, :3].T + X[:3, 3])

    def in_axes(self, origin: Point, x: Point, y: Point, z: Point) -> Solid:
        """Put it into a frame given by its origin [m] and its axes."""
        R = np.column_stack([np.asarray(axis, float) for axis in (x, y, z)])
        turned = replace(self, vertices=self.vertices @ R.T + np.asarray(origin, float))
        return turned if np.linalg.det(R) > 0 else turned.inside_out()

    def inside_out(self) -> Solid:
        """Turn all faces round."""
        return replace(self, faces=tuple(face[::-1] for face in self.faces))

    def mirrored(self) -> Solid:
        """Mirror in the plane y = 0."""
        return replace(self, vertices=self.vertices * (1.0, -1.0, 1.0)).inside_out()

    @property
    def pieces(self) -> tuple[Solid, ...]:
        """The solids that it was joined of."""
        found, vertex, face = [], 0, 0
        for vertices, faces in self.sizes or ((len(self.vertices), len(self.faces)),):
            own = tuple(tuple(c - vertex for c in f) for f in self.faces[face : face + faces])
            found.append(Solid(self.vertices[vertex : vertex + vertices], own))
            vertex, face = vertex + vertices, face + faces
        return tuple(found)


def joined(solids: Iterable[Solid]) -> Solid:
    """Put solids together into one."""
    vertices, faces, count = [], [], 0
    sizes: list[tuple[int, int]] = []
    for solid in solids:
        sizes += solid.sizes or ((len(solid.vertices), len(solid.faces)),)
        vertices.append(solid.vertices)
        faces += [tuple(corner + count for corner in face) for face in solid.faces]
        count += len(solid.vertices)
    return Solid(np.concatenate(vertices), tuple(faces), tuple(sizes))


def both(*solids: Solid) -> Solid:
    """Put solids together with their mirror images."""
    whole = joined(solids)
    return joined([whole, whole.mirrored()])


def without_foot(solid: Solid) -> Solid:
    """Drop the disc on which a turned solid stands, where it is sunk into another."""
    ring = solid.faces[-2]
    return Solid(solid.vertices, tuple(face for face in solid.faces if face != ring))


def rounded_off(solid: Solid, digits: int = 4) -> Solid:
    """Round to decimals, 0.1 mm unless told; join vertices that meet, drop faces that vanish."""
    rounded = np.round(solid.vertices, digits) + 0.0
    vertices, place = np.unique(rounded, axis=0, return_inverse=True)
    numbers = place.reshape(-1).tolist()
    faces = [tuple(dict.fromkeys(numbers[corner] for corner in face)) for face in solid.faces]
    faces = [face for face in faces if len(face) >= 3]
    sizes = np.linalg.norm(area_vectors(vertices, faces), axis=1)
    faces = [face for face, size in zip(faces, sizes, strict=True) if size > 1e-9]
    used = sorted({corner for face in faces for corner in face})
    number = {corner: i for i, corner in enumerate(used)}
    return Solid(vertices[used], tuple(tuple(number[corner] for corner in f) for f in faces))


def area_vectors(vertices: Array, faces: Sequence[Sequence[int]]) -> Array:
    """Give normals of faces as long as their areas [m2], (m, 3)."""
    corners = np.array([corner for face in faces for corner in face], dtype=np.int64)
    triangles, face_of = fans(corners, np.array([len(face) for face in faces], dtype=np.int64))
    a, b, c = (vertices[triangles[:, n]] for n in range(3))
    cross = np.cross(b - a, c - a) / 2
    return np.stack([np.bincount(face_of, axis, len(faces)) for axis in cross.T], axis=1)


def off(point: Point, x: float, y: float, z: float) -> Array:
    """Give the point that lies so far off another one [m]."""
    moved: Array = np.asarray(point, float) + np.array((x, y, z))
    return moved


def unit(vector: Sequence[float] | Array) -> Array:
    """Give the direction of a vector."""
    v = np.asarray(vector, float)
    direction: Array = v / np.linalg.norm(v)
    return direction


def across(direction: Point, hint: Point = (0.0, 1.0, 0.0)) -> tuple[Array, Array]:
    """Give two unit vectors square to a direction and to each other, right-handed with it."""
    z = unit(direction)
    aside = np.asarray(hint, float) - z * float(z @ np.asarray(hint, float))
    if np.linalg.norm(aside) < 1e-6:
        aside = np.array([1.0, 0.0, 0.0]) - z * z[0]
    x = unit(aside)
    return x, np.cross(z, x)
