"""What a 3DT file holds, as frozen data: a model, its components, their rigid bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..geometry import Material
from ..model import FrozenMapping

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Color = tuple[float, float, float, float]
MODEL_CREASE = 50.0  # chamfers of 45 degrees look round, square edges sharp
NONE: Mapping[str, str] = FrozenMapping({})


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body: a surface of flat, convex faces that moves with a link.

    Attributes:
        name: unique among the bodies of its component.
        link: the link of the machine that carries it.
        vertices: in that link's axes [m], (n, 3).
        corners: positions of vertices, face after face, (k,).
        sizes: how many corners every face has, (m,).
        color: red, green, blue and opacity, each 0 to 1, sRGB.
        attributes: texts by name: what it is made of, its part number, ...
        crease: the angle between two faces from which their edge looks sharp [deg].
    """

    name: str
    link: str
    vertices: Floats
    corners: Integers
    sizes: Integers
    color: Color = Material().color
    attributes: Mapping[str, str] = field(default=NONE)
    crease: float = MODEL_CREASE

    @classmethod
    def make(
        cls,
        name: str,
        link: str,
        vertices: ArrayLike,
        faces: Sequence[Sequence[int]] | NDArray[Any],
        color: Sequence[float] = Material().color,
        attributes: Mapping[str, str] | None = None,
        crease: float = MODEL_CREASE,
    ) -> Body:
        """Make a body of vertices [m], (n, 3), and faces with three or more corners each."""
        if isinstance(faces, np.ndarray):
            corners, sizes = faces.ravel(), np.full(len(faces), faces.shape[1])
        else:
            corners = np.array([corner for face in faces for corner in face])
            sizes = np.array([len(face) for face in faces])
        red, green, blue, opacity = (float(value) for value in color)
        return cls(
            name,
            link,
            frozen(np.asarray(vertices, dtype=np.float64).reshape(-1, 3)),
            frozen(corners.astype(np.int64)),
            frozen(sizes.astype(np.int64)),
            (red, green, blue, opacity),
            FrozenMapping(attributes or {}),
            float(crease),
        )

    @property
    def faces(self) -> tuple[tuple[int, ...], ...]:
        """Corners of every face, counter-clockwise seen from outside."""
        flat, ends = self.corners.tolist(), np.cumsum(self.sizes).tolist()
        return tuple(
            tuple(flat[end - size : end])
            for end, size in zip(ends, self.sizes.tolist(), strict=True)
        )

    @cached_property
    def triangles(self) -> Integers:
        """The faces cut into triangles from their first corners, (t, 3)."""
        return fans(self.corners, self.sizes)[0]

    @property
    def material(self) -> Material:
        """The colour as machine files have it."""
        return Material(color=self.color)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Body)
            and (self.name, self.link, self.color) == (other.name, other.link, other.color)
            and self.crease == other.crease
            and dict(self.attributes) == dict(other.attributes)
            and np.array_equal(self.vertices, other.vertices)
            and np.array_equal(self.corners, other.corners)
            and np.array_equal(self.sizes, other.sizes)
        )

    def __hash__(self) -> int:
        return hash((self.name, self.link, self.color, len(self.vertices), len(self.sizes)))


@dataclass(frozen=True)
class Component:
    """A part of the robot that people have a name for, made of rigid bodies."""

    name: str
    bodies: tuple[Body, ...]
    attributes: Mapping[str, str] = field(default=NONE)


@dataclass(frozen=True)
class Model:
    """The looks of a whole robot."""

    name: str
    components: tuple[Component, ...]
    attributes: Mapping[str, str] = field(default=NONE)

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All bodies, component after component."""
        return tuple(body for component in self.components for body in component.bodies)

    @property
    def counts(self) -> dict[str, int]:
        """How many components, bodies, vertices, faces and triangles there are."""
        bodies = self.bodies
        return {
            "components": len(self.components),
            "bodies": len(bodies),
            "vertices": sum(len(body.vertices) for body in bodies),
            "faces": sum(len(body.sizes) for body in bodies),
            "triangles": sum(int((body.sizes - 2).sum()) for body in bodies),
        }


def fans(corners: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """Triangles (t, 3) of faces, each cut from its first corner, and the face of each, (t,)."""
    if len(sizes) and (sizes == 3).all():
        return corners.reshape(-1, 3), np.arange(len(sizes))
    counts = sizes - 2
    face = np.repeat(np.arange(len(sizes)), counts)
    first = np.cumsum(sizes) - sizes
    step = np.arange(len(face)) - np.repeat(np.cumsum(counts) - counts, counts)
    start = first[face]
    at = np.column_stack([start, start + step + 1, start + step + 2])
    return corners[at], face


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The array, no longer to be written to."""
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array
