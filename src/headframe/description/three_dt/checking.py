"""What the rows of a body must be: vertices near the machine, faces with an area."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


def check_faces(
    corners: Integers, sizes: Integers, vertices: Floats, lines: Sequence[int], complain: Complain
) -> None:
    """Complain of corners that are no vertex, faces that meet themselves and faces without area."""
    face_of = np.repeat(np.arange(len(sizes)), sizes)
    outside = (corners < 0) | (corners >= len(vertices))
    bad = np.unique(face_of[outside])
    for row in bad[:TOLD]:
        corner = corners[outside & (face_of == row)][0]
        if len(vertices):
            expected = f"expected 0 to {len(vertices) - 1}"
        else:
            expected = "but the body has no vertices"
        complain(ValueRangeError, lines[row], f"found vertex {corner}, {expected}")
    repeated, flat = faults_of_faces(np.where(outside, 0, corners), sizes, vertices)
    repeated[bad] = flat[bad] = False
    for row in np.flatnonzero(repeated)[:TOLD]:
        complain(ValueRangeError, lines[row], "found a vertex twice in a face, expected it once")
    for row in np.flatnonzero(flat & ~repeated)[:TOLD]:
        message = "found a face without area, expected corners that do not lie on one line"
        complain(ValueRangeError, lines[row], message)


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
