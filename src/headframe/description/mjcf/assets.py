"""Meshes and materials of MJCF's `<asset>`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ...errors import MeshError, MissingFieldError
from ...spatial import compose, matrix_from_quaternion
from ..geometry import MOST_POINTS as MOST_CORNERS
from ..mesh_files import Integers, read_mesh
from ..meshes import hull_of
from ..packages import Found
from ..urdf_shapes import Shapes
from ..urdf_values import called, short, strict_number
from .compiler import Settings
from .defaults import Defaults
from .inertia import Solid, hull, of_mesh
from .places import Floats, unit
from .values import MjcfValues, PlacedElement

WAYS = ("legacy", "exact", "convex", "shell")
MOST_POINTS = 300_000  # numbers of a mesh that stands in the file itself


@dataclass(eq=False)
class MeshAsset:
    """A mesh: points become S R^T (p - p0) with the scale S, and p0 and R of its reference.

    Attributes:
        name: of the asset.
        geometry: as MRDF has it; a hull for points in the file.
        X_GM: the geometry in the axes that geoms place, (4, 4).
        scale: along x, y and z, (3,).
        p0, R: reference position and turn, (3,) and (3, 3).
        way: in which its inertia is found.
        found: its file, if there is one.
        points: its points if they stand in the file, (n, 3).
        faces: their triangles, (m, 3); None if the hull is meant.
    """

    name: str
    geometry: dict[str, Any]
    X_GM: Floats
    scale: Floats
    p0: Floats
    R: Floats
    way: str
    found: Found | None = None
    points: Floats | None = None
    faces: Integers | None = None

    def solid(self) -> Solid | None:
        """The mesh with density 1; None if it has no volume.

        Raises:
            Exception: of any class, for a file that cannot be read.
        """
        if self.points is not None and self.faces is not None:
            vertices, faces = self.points, self.faces
        elif self.points is not None:
            vertices, faces = hull(self.points)
        elif self.found is not None:
            mesh = read_mesh(self.found.file, self.found.root)
            vertices, faces = mesh.vertices, mesh.faces
        else:
            return None
        vertices = ((vertices - self.p0) @ self.R) * self.scale
        if np.prod(self.scale) < 0.0:
            faces = faces[:, ::-1]
        solid = of_mesh(vertices, faces, self.way)
        return solid if solid is None or solid.mass > 0.0 else solid.scaled(-1.0)


class Assets:
    """Reads `<asset>`."""

    def __init__(
        self,
        root: Element,
        settings: Settings,
        defaults: Defaults,
        values: MjcfValues,
        shapes: Shapes,
    ) -> None:
        self.settings, self.defaults, self.values, self.shapes = settings, defaults, values, shapes
        self.colors: dict[str, list[float] | None] = {}
        self._elements: dict[str, Element] = {}
        self._meshes: dict[str, MeshAsset | None] = {}
        for asset in root.findall("asset"):
            for element in asset:
                if element.tag == "material":
                    material = defaults.merged(element)
                    self.colors[material.get("name", "")] = rgba(material)
                elif element.tag == "mesh":
                    file = element.get("file", "").replace("\\", "/")
                    name = element.get("name") or PurePosixPath(file).stem
                    self._elements.setdefault(name, element)
                else:
                    values.ignored[str(element.tag)[:80]] += 1

    @property
    def mesh_names(self) -> dict[str, Element]:
        """All meshes by name."""
        return self._elements

    def mesh(self, name: str) -> MeshAsset | None:
        """The mesh of a name that is there; None if it cannot be used."""
        if name not in self._meshes:
            self._meshes[name] = self._mesh(name, self.defaults.merged(self._elements[name]))
        return self._meshes[name]

    def _mesh(self, name: str, element: PlacedElement) -> MeshAsset | None:
        place, values = called("mesh", element), self.values
        one = "1 is taken"
        scale = np.array(values.numbers(element, place, "scale", 3, 3, one) or [1.0, 1.0, 1.0])
        if not scale.all() or np.abs(scale).max() > 1e6:
            message = f"found scale {element.get('scale')}, expected three numbers other than 0"
            values.forgive(MissingFieldError, place, element, message, one)
            scale = np.ones(3)
        zero = "it is left out"
        p0 = np.array(values.numbers(element, place, "refpos", 3, 3, zero) or [0.0, 0.0, 0.0])
        quat = unit(
            np.array(values.numbers(element, place, "refquat", 4, 4, zero) or [1.0, 0, 0, 0])
        )
        R = np.eye(3) if quat is None else matrix_from_quaternion(quat)
        way = values.word(element, place, "inertia", "legacy", WAYS)
        if not np.allclose(R * scale[:, None], R * scale, atol=1e-12):
            values.remark("refquat and a scale that is not the same along all axes", place)
        X_GM = compose(R.T, -(R.T @ p0) * scale)
        if element.get("vertex"):
            return self._inline(name, element, place, (scale, p0, R), way)
        file = element.get("file")
        if not file:
            message = "no file and no points"
            left = "shapes of it are left out"
            values.forgive(MissingFieldError, place, element, message, left)
            return None
        reference = self._reference(file)
        shapes = self.shapes
        geometry = shapes.file_of(reference, [float(s) for s in scale], element, place)
        found = shapes.meshes.files.get(geometry.get("path", ""))
        return MeshAsset(name, geometry, X_GM, scale, p0, R, way, found)

    def _reference(self, file: str) -> str:
        """A mesh's file as seen from the main file."""
        path = PurePosixPath(file.replace("\\", "/"))
        if self.settings.strippath:
            path = PurePosixPath(path.name)
        folder = self.settings.meshdir.replace("\\", "/").strip()
        return str(path) if path.is_absolute() or not folder else f"{folder.rstrip('/')}/{path}"

    def _inline(
        self,
        name: str,
        element: PlacedElement,
        place: str,
        reference: tuple[Floats, Floats, Floats],
        way: str,
    ) -> MeshAsset | None:
        """A mesh whose points stand in the file: their hull, which is what MuJoCo touches."""
        scale, p0, R = reference
        left = "shapes of it are left out"
        numbers = self.values.numbers(element, place, "vertex", 12, MOST_POINTS, left)
        triangles = self.values.numbers(element, place, "face", 3, MOST_POINTS, left)
        if numbers is None:
            return None
        points = np.array(numbers[: len(numbers) // 3 * 3]).reshape(-1, 3)
        faces = None
        if triangles is not None:
            faces = np.array(triangles[: len(triangles) // 3 * 3], dtype=np.int64).reshape(-1, 3)
            if faces.min() < 0 or faces.max() >= len(points):
                message = "a face names a point that is not there"
                self.values.forgive(MissingFieldError, f"{place}@face", element, message, left)
                return None
        seen = ((points - p0) @ R) * scale
        if faces is not None:
            self.values.remark("of a mesh in the file its hull is kept", place)
        try:
            corners = hull_of(seen)[0].tolist()
        except MeshError:
            corners = []
        if 0 < len(corners) <= MOST_CORNERS:
            content = {"type": "hull", "points": corners}
            return MeshAsset(name, content, np.eye(4), scale, p0, R, way, None, points, faces)
        low, high = seen.min(axis=0), seen.max(axis=0)
        sides = np.maximum(high - low, 1e-4)
        self.values.remark("of points in a plane, or too many, a box is kept", place)
        box = {"type": "box"} | {key: float(s) for key, s in zip("xyz", sides, strict=True)}
        X_GM = compose(np.eye(3), (low + high) / 2)
        return MeshAsset(name, box, X_GM, scale, p0, R, way, None, points, faces)

    def color(self, geom: Element, place: str) -> list[float] | None:
        """Colour of a geom: its own, else that of its material."""
        own = rgba(geom)
        if own is not None:
            return own
        name = geom.get("material")
        if name is not None and name not in self.colors:
            self.values.remark(f"no material {short(name)} is defined", place)
        return self.colors.get(name or "")


def rgba(element: Element) -> list[float] | None:
    """Colour of an element, each part 0 to 1; None if it has none that can be used."""
    values = [strict_number(word) for word in element.get("rgba", "").split()]
    if len(values) != 4 or any(v is None or not abs(v) < 1e6 for v in values):
        return None
    return [min(max(v, 0.0), 1.0) for v in values if v is not None]
