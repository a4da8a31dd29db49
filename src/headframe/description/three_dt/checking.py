"""What the rows of a body must be: vertices near the machine, faces with an area."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import MachineFileError, ValueRangeError
from .model import Floats, Integers, fans

FARTHEST = 1e6  # from the link's origin [m]
FLAT = 1e-12  # a face's area over the square of its longest edge, below which it has none
TOLD = 20  # rows of one list with the same fault that are told apart

Complain = Callable[[type[MachineFileError], int, str], None]  # kind, line, message


def check_vertices(vertices: Floats, lines: Sequence[int], complain: Complain) -> None:
    """Complain of vertices that are too far away."""
    far = np.flatnonzero(np.abs(vertices).max(axis=1, initial=0.0) > FARTHEST)
    for row in far[:TOLD]:
        message = f"found {np.abs(vertices[row]).max():g}, expected at most {FARTHEST:g} m"
        complain(ValueRangeError, lines[row], message)


@dataclass
class Surface:
    """The rows of a body, to be checked.

    Attributes:
        vertices: [m], (n, 3).
        corners: positions of vertices, face after face, (k,).
        sizes: how many corners every face has, (m,).
        lines: the line of every face.
        complain: takes what is wrong.
    """

    vertices: Floats
    corners: Integers
    sizes: Integers
    lines: Sequence[int]
    complain: Complain


def corners_are_there(surface: Surface) -> bool:
    """Complain of corners that are no vertex; whether there are none."""
    corners, count = surface.corners, len(surface.vertices)
    if not len(corners) or (corners.min() >= 0 and corners.max() < count):
        return True
    face_of = np.repeat(np.arange(len(surface.sizes)), surface.sizes)
    outside = (corners < 0) | (corners >= count)
    expected = f"expected 0 to {count - 1}" if count else "but the body has no vertices"
    for row in np.unique(face_of[outside])[:TOLD]:
        corner = corners[outside & (face_of == row)][0]
        message = f"found vertex {corner}, {expected}"
        surface.complain(ValueRangeError, surface.lines[row], message)
    return False


def check_faces(surfaces: Sequence[Surface]) -> None:
    """Complain of faces that meet themselves or have no area, all bodies in one go."""
    if not surfaces:
        return
    starts = np.cumsum([0, *(len(surface.vertices) for surface in surfaces)])
    ends = np.cumsum([0, *(len(surface.sizes) for surface in surfaces)])
    corners = [each.corners + start for each, start in zip(surfaces, starts, strict=False)]
    repeated, flat = faults_of_faces(
        np.concatenate(corners),
        np.concatenate([surface.sizes for surface in surfaces]),
        np.concatenate([surface.vertices for surface in surfaces]),
    )
    told = dict.fromkeys(range(len(surfaces)), 0)
    for row in np.flatnonzero(repeated | flat):
        n = int(np.searchsorted(ends, row, side="right")) - 1
        told[n] += 1
        if told[n] <= TOLD:
            message = "found a face without area, expected corners that do not lie on one line"
            if repeated[row]:
                message = "found a vertex twice in a face, expected it once"
            line = surfaces[n].lines[row - ends[n]]
            surfaces[n].complain(ValueRangeError, line, message)


def faults_of_faces(
    corners: Integers, sizes: Integers, vertices: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether a face has a vertex twice, and whether it is without area, both (m,)."""
    repeated, flat = np.zeros(len(sizes), dtype=bool), np.zeros(len(sizes), dtype=bool)
    if not len(vertices) or not len(sizes):
        return repeated, flat
    face_of = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort([corners, face_of])
    same = (np.diff(corners[order]) == 0) & (np.diff(face_of[order]) == 0)
    repeated[face_of[order][1:][same]] = True
    triangles, face = fans(corners, sizes)
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    with np.errstate(over="ignore", invalid="ignore"):
        cross = np.cross(b - a, c - a)
        edges = np.maximum(((b - a) ** 2).sum(axis=1), ((c - a) ** 2).sum(axis=1))
        area = np.stack([np.bincount(face, axis, len(sizes)) for axis in cross.T], axis=1)
        longest = np.zeros(len(sizes))
        np.maximum.at(longest, face, edges)
        flat = np.linalg.norm(area, axis=1) <= FLAT * longest
    return repeated, flat
