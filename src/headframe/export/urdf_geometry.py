"""Shapes in URDF, which has boxes, cylinders, spheres and mesh files."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree as ET

from ..description import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Geometry,
    Mesh,
    Sphere,
    Visual,
    triangles_of,
)
from ..spatial import transform_points
from .mesh_files import MeshFiles
from .xml_text import numbers, put

Offset = tuple[float, float, float]
CENTRE: Offset = (0.0, 0.0, 0.0)


class UrdfGeometry:
    """Writes shapes, gathers their colours, and counts those that were changed."""

    def __init__(self, files: MeshFiles | None) -> None:
        self.files = files
        self.colors: dict[tuple[float, ...], str] = {}
        self.changed: Counter[str] = Counter()
        self.boxed: Counter[str] = Counter()

    @property
    def materials(self) -> list[ET.Element]:
        """A named material for every colour."""
        elements = []
        for color, name in self.colors.items():
            element = ET.Element("material", name=name)
            put(element, "color", rgba=numbers(color))
            elements.append(element)
        return elements

    def notes(self) -> list[str]:
        """Which links have shapes that URDF lacks."""
        told = {
            "Cones and frusta are written as cylinders of their mean radius": self.changed,
            "Rings, links of chains and hulls are written as the boxes that hold them": self.boxed,
        }
        return [
            f"{what}: {', '.join(f'{link!r} ({count})' for link, count in found.items())}."
            for what, found in told.items()
            if found
        ]

    def add(self, link: ET.Element, tag: str, visual: Visual, link_name: str) -> None:
        """A `visual` or `collision`; a capsule becomes a cylinder and two spheres."""
        for word, attributes, offset in self.parts(visual.geometry, link_name):
            element = put(link, tag)
            if visual.name:
                element.set("name", visual.name)
            put(
                element,
                "origin",
                xyz=numbers(transform_points(visual.pose, offset)),
                rpy=numbers(visual.orientation),
            )
            geometry = put(element, "geometry")
            put(geometry, word, **attributes)
            if tag == "visual":
                color = tuple(visual.material.color)
                name = self.colors.setdefault(color, f"color_{len(self.colors) + 1}")
                put(element, "material", name=name)

    def parts(self, shape: Geometry, link_name: str) -> list[tuple[str, dict[str, str], Offset]]:
        """URDF shapes that make up a shape: word, attributes, place in the shape's frame [m]."""
        if isinstance(shape, Box):
            return [("box", {"size": numbers(shape.x, shape.y, shape.z)}, CENTRE)]
        if isinstance(shape, Sphere):
            return [sphere(shape.r)]
        if isinstance(shape, Capsule):
            half = shape.h / 2
            caps = [sphere(shape.r, -half), sphere(shape.r, half)]
            return [cylinder(shape.r, shape.h), *caps]
        if isinstance(shape, Cylinder):
            if shape.r1 != shape.r2:
                self.changed[link_name] += 1
            return [cylinder((shape.r1 + shape.r2) / 2, shape.h)]
        if isinstance(shape, Cone):
            self.changed[link_name] += 1
            return [cylinder(shape.r / 2, shape.h)]
        if isinstance(shape, Mesh):
            filename = self.files.file_of(shape) if self.files else shape.path
            return [("mesh", {"filename": filename, "scale": numbers(shape.scale)}, CENTRE)]
        if self.files:  # what URDF has no word for
            return [("mesh", {"filename": self.files.file_of(shape)}, CENTRE)]
        self.boxed[link_name] += 1
        return [box_about(shape)]


def box_about(shape: Geometry) -> tuple[str, dict[str, str], Offset]:
    """The box along a shape's axes that holds it."""
    vertices, _ = triangles_of(shape)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    x, y, z = ((low + high) / 2).tolist()
    return "box", {"size": numbers(high - low)}, (x, y, z)


def cylinder(radius: float, length: float) -> tuple[str, dict[str, str], Offset]:
    """A cylinder along z."""
    return "cylinder", {"radius": numbers(radius), "length": numbers(length)}, CENTRE


def sphere(radius: float, z: float = 0.0) -> tuple[str, dict[str, str], Offset]:
    """A sphere on the z axis."""
    return "sphere", {"radius": numbers(radius)}, (0.0, 0.0, z)
