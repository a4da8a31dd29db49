"""Shapes of the description as records for the kernels, with the surfaces of hulls and meshes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..description import (
    Box,
    Capsule,
    ChainLink,
    CollisionShape,
    Cone,
    Cylinder,
    Geometry,
    Hull,
    Sphere,
    Torus,
    hull_of,
    triangles_of,
)
from ..errors import MeshError, Problem
from .meshes import MeshSolid, closed_mesh
from .records import SHAPE, ShapeKind
from .solids import HullSolid, convex_hull, pack_solids

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Faceted:
    """The surface of a closed mesh or of a hull, in triangles, in its shape's frame.

    Attributes:
        points: [m], (n, 3).
        faces: positions of points, counter-clockwise from outside, (m, 3).
    """

    points: Floats
    faces: Integers


@dataclass(frozen=True)
class ShapeRecords:
    """Shapes for the kernels.

    Attributes:
        records: of `SHAPE`, (n,). `solid` of a hull or mesh is its position in `solids`.
        solids: surfaces of hulls and meshes.
    """

    records: NDArray[Any]
    solids: tuple[HullSolid | MeshSolid, ...]

    def packed(self) -> tuple[NDArray[Any], Floats]:
        """The records as kernels take them, `solid` being a place in the buffer, and the buffer."""
        buffer, starts = pack_solids(self.solids)
        records = self.records.copy()
        theirs = records["solid"] >= 0
        records["solid"][theirs] = starts[records["solid"][theirs]]
        return records, buffer


def shape_records(
    shapes: Sequence[tuple[int, CollisionShape, int]],
    folder: str | Path | None = None,
    places: Sequence[str] = (),
) -> ShapeRecords:
    """Shapes as records.

    Args:
        shapes: the body that carries it, the shape, and its material, by positions.
        folder: where mesh files are.
        places: where each stands in its file, for error messages.

    Raises:
        MeshError: a mesh that cannot be read, or is not closed.
    """
    records = np.zeros(len(shapes), SHAPE)
    solids: list[HullSolid | MeshSolid] = []
    told = [*places, *([""] * (len(shapes) - len(places)))]
    for row, (body, shape, material), place in zip(records, shapes, told, strict=True):
        kind, sizes, radius = measures(shape.geometry)
        X_BS = shape.pose
        row["solid"] = -1
        if kind in (ShapeKind.HULL, ShapeKind.MESH):
            surface = surface_of(shape.geometry, folder, place)
            middle = (surface.points.min(axis=0) + surface.points.max(axis=0)) / 2
            points = surface.points - middle
            X_BS[:3, 3] += X_BS[:3, :3] @ middle  # so that a small sphere holds it
            radius = float(np.linalg.norm(points, axis=1).max())
            row["solid"] = len(solids)
            is_hull = kind == ShapeKind.HULL
            solids.append(convex_hull(points) if is_hull else closed_mesh(points, surface.faces))
        row["kind"], row["body"], row["material"] = kind, body, material
        row["X_BS"], row["sizes"][: len(sizes)], row["radius"] = X_BS[:3], sizes, radius
    return ShapeRecords(records, tuple(solids))


def measures(geometry: Geometry) -> tuple[ShapeKind, tuple[float, ...], float]:
    """Kind, sizes and radius of a shape, as `SHAPE` has them; no radius of hulls and meshes."""
    match geometry:
        case Sphere(r=r):
            return ShapeKind.SPHERE, (r,), r
        case Box(x=x, y=y, z=z):
            half = (x / 2, y / 2, z / 2)
            return ShapeKind.BOX, half, math.hypot(*half)
        case Capsule(r=r, h=h):
            return ShapeKind.CAPSULE, (r, h / 2), r + h / 2
        case Cylinder(r1=r1, r2=r2, h=h):
            return ShapeKind.CYLINDER, (r1, r2, h / 2), math.hypot(max(r1, r2), h / 2)
        case Cone(r=r, h=h):
            return ShapeKind.CONE, (r, h / 2), math.hypot(r, h / 2)
        case Torus(R=R, r=r, arc=arc):
            return ShapeKind.TORUS, (R, r, arc / 2), R + r
        case ChainLink(R=R, r=r, length=length):
            return ShapeKind.CHAIN_LINK, (R, r, length / 2), length / 2 + R + r
        case Hull():
            return ShapeKind.HULL, (), 0.0
    return ShapeKind.MESH, (), 0.0


def surface_of(geometry: Geometry, folder: str | Path | None, place: str) -> Faceted:
    """The surface of a hull, or of a mesh file, which must be closed.

    Raises:
        MeshError: a mesh that cannot be read, or is not closed.
    """
    if isinstance(geometry, Hull):
        return Faceted(*hull_of(np.array(geometry.points)))
    return closed(*triangles_of(geometry, folder, place), place, getattr(geometry, "path", ""))


def closed(points: Floats, faces: Integers, place: str = "", name: str = "") -> Faceted:
    """A surface whose points are there once each, with faces that look outwards.

    Raises:
        MeshError: it encloses no volume: an edge that does not lie between two faces which go
            along it in opposite directions.
    """
    size = float(np.ptp(points, axis=0).max()) or 1.0
    _, first, same = np.unique(
        np.round(points / size, 9), axis=0, return_index=True, return_inverse=True
    )
    faces = same.reshape(-1)[faces]
    faces = faces[(faces != np.roll(faces, 1, axis=1)).all(axis=1)]  # without those of no area
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    count = len(first)
    there, back = edges @ (count, 1), edges[:, ::-1] @ (count, 1)
    lonely = np.setdiff1d(there, back).size + (there.size - np.unique(there).size)
    if lonely or not len(faces):
        message = (
            f"mesh {name!r}: {lonely} of {there.size // 2} edges are not between two faces that "
            "look the same way, expected a closed surface where a volume is asked for"
        )
        hint = "close it, or give a hull or other shapes in its place"
        raise MeshError([Problem(MeshError, place, message, hint)])
    points = points[first]
    a, b, c = (points[faces[:, i]] for i in range(3))
    volume = float(np.einsum("ij,ij->", a, np.cross(b, c)))
    return Faceted(points, np.ascontiguousarray(faces[:, ::-1] if volume < 0.0 else faces))
