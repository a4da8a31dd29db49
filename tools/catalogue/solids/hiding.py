"""Faces that nobody can see, since they lie inside another solid of the same link."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from kit.vectors import Array

from .mesh import Solid, area_vectors

DEPTH = 0.00037  # below the surface from which a point counts as inside [m]; no measure is such


class Cover:
    """The convex ones among the solids of a link: what they enclose cannot be seen."""

    def __init__(self, solids: Sequence[Solid]) -> None:
        self.solids = [(solid, *found) for solid in solids if (found := _planes(solid)) is not None]

    def open_faces(self, solid: Solid) -> Solid:
        """Give the solid without the faces that lie inside another one as a whole."""
        points = solid.vertices
        low, high = points.min(axis=0), points.max(axis=0)
        hidden = np.zeros(len(solid.faces), dtype=bool)
        for other, normals, offsets in self.solids:
            if other is solid or (other.vertices.min(axis=0) > high).any():
                continue
            if (other.vertices.max(axis=0) < low).any():
                continue
            inside = np.all(points @ normals.T < offsets - DEPTH, axis=1)
            if inside.any():
                hidden |= [all(inside[corner] for corner in face) for face in solid.faces]
        kept = tuple(face for face, gone in zip(solid.faces, hidden, strict=True) if not gone)
        return Solid(points, kept)


def _planes(solid: Solid) -> tuple[Array, Array] | None:
    """Give outward normals (m, 3) and offsets (m,) of the faces; None unless closed and convex."""
    edges = {edge for face in solid.faces for edge in zip(face, (*face[1:], face[0]), strict=True)}
    if any((b, a) not in edges for a, b in edges):
        return None
    if len(solid.faces) < 4:
        return None
    normals = area_vectors(solid.vertices, solid.faces)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    if (lengths < 1e-12).any():
        return None
    unit = normals / lengths
    offsets = np.einsum("ij,ij->i", unit, solid.vertices[[face[0] for face in solid.faces]])
    convex = (solid.vertices @ unit.T <= offsets + 1e-6).all()
    return (unit, offsets) if convex else None
