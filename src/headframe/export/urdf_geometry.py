"""Shapes in URDF, which has boxes, cylinders, spheres and mesh files."""

from __future__ import annotations

from collections import Counter
from typing import Any
from xml.etree import ElementTree as ET

from ..description import Box, Capsule, Cone, Cylinder, Sphere, Visual
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
        if not self.changed:
            return []
        links = ", ".join(f"{link!r} ({count})" for link, count in self.changed.items())
        return [f"Cones and frusta are written as cylinders of their mean radius: {links}."]

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

    def parts(self, shape: Any, link_name: str) -> list[tuple[str, dict[str, str], Offset]]:
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
        filename = self.files.file_of(shape) if self.files else shape.path
        return [("mesh", {"filename": filename, "scale": numbers(shape.scale)}, CENTRE)]


def cylinder(radius: float, length: float) -> tuple[str, dict[str, str], Offset]:
    """A cylinder along z."""
    return "cylinder", {"radius": numbers(radius), "length": numbers(length)}, CENTRE


def sphere(radius: float, z: float = 0.0) -> tuple[str, dict[str, str], Offset]:
    """A sphere on the z axis."""
    return "sphere", {"radius": numbers(radius)}, (0.0, 0.0, z)
