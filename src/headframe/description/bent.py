"""Surfaces of round bars that are bent in a plane: arcs of a torus, links of a chain.

The middle line lies in the plane z = 0 and goes round z counter-clockwise. A ring about one of its
places p, with the outward normal n of the line in its plane, has the points
p + r (n cos b + z sin b). A bar with ends closes them by half-spheres: rings of radius r cos a,
moved on along the line by r sin a, up to a pole. With the line's direction t, t x z = n: faces that
go along the line first and round the ring second look outwards.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .geometry import WHOLE_TURN, Bent, Torus

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def middle_line(shape: Bent, steps: int) -> tuple[Floats, Floats, bool]:
    """Places [m] and outward normals of a bar's middle line, (n, 3) each, and whether it is closed.

    Args:
        shape: the bar.
        steps: places for a whole turn; a closed line does not have its first place twice.
    """
    if isinstance(shape, Torus):
        closed = shape.arc >= WHOLE_TURN
        count = max(math.ceil(steps * shape.arc / WHOLE_TURN), 2)
        half = shape.arc / 2
        angle = np.linspace(-half, half, count + (0 if closed else 1), endpoint=not closed)
        middle = np.zeros_like(angle)
    else:
        closed, half = True, math.pi / 2
        bow = np.linspace(-half, half, max(steps // 2, 2) + 1)
        angle = np.concatenate([bow, bow + math.pi])
        middle = np.repeat([0.5, -0.5], len(bow)) * shape.length
    normals = np.column_stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)])
    places = shape.R * normals + np.column_stack([middle, np.zeros((len(angle), 2))])
    return places, normals, closed


def bent_bar(shape: Bent, steps: int, sides: int) -> tuple[Floats, Integers, Floats]:
    """Vertices [m] (n, 3), outward faces (m, 3) and normals (n, 3) of a bent bar.

    Args:
        shape: the bar.
        steps: rings for a whole turn.
        sides: of a ring, a multiple of two.
    """
    line, outward, closed = middle_line(shape, steps)
    around = np.linspace(0.0, 2.0 * math.pi, sides, endpoint=False)
    up = np.array([0.0, 0.0, 1.0])
    rings = [(place, out, 0.0) for place, out in zip(line, outward, strict=True)]
    if not closed:
        lean = np.linspace(0.0, math.pi / 2, max(sides // 4, 2) + 1)[1:-1]
        first, last = rings[0], rings[-1]
        rings = [
            *((*first[:2], -angle) for angle in lean[::-1]),
            *rings,
            *((*last[:2], angle) for angle in lean),
        ]
    normals = np.concatenate(
        [
            math.cos(lean) * (np.outer(np.cos(around), out) + np.outer(np.sin(around), up))
            + math.sin(lean) * np.cross(up, out)
            for _, out, lean in rings
        ]
    )
    vertices = np.repeat([place for place, _, _ in rings], sides, axis=0) + shape.r * normals
    ring, ahead = np.arange(sides), np.roll(np.arange(sides), -1)
    faces = []
    for i in range(len(rings) if closed else len(rings) - 1):
        low, high = i * sides, (i + 1) % len(rings) * sides
        faces.append(np.column_stack([low + ring, high + ring, low + ahead]))
        faces.append(np.column_stack([high + ring, high + ahead, low + ahead]))
    if not closed:
        poles = np.array([-np.cross(up, outward[0]), np.cross(up, outward[-1])])
        below, above = len(vertices), len(vertices) + 1
        top = (len(rings) - 1) * sides
        faces.append(np.column_stack([np.full(sides, below), ring, ahead]))
        faces.append(np.column_stack([top + ring, np.full(sides, above), top + ahead]))
        vertices = np.concatenate([vertices, line[[0, -1]] + shape.r * poles])
        normals = np.concatenate([normals, poles])
    return vertices, np.concatenate(faces).astype(np.int64), normals
