"""Shapes of URDF's links: what is seen and what is touched.

No shape is worth refusing a machine for: one that cannot be used is left out or replaced, with a
note. A mesh that is missing is seen as a box: as large as the link's collision shape, or another
of its shapes, or as the way from the link's origin to the joints that it carries.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ..errors import MeshError, MissingFieldError, ValueRangeError, listed, suggest
from ..spatial import matrix_from_rpy
from .geometry import GREAT
from .mesh_files import MESH_SUFFIXES
from .packages import Found, Library, Missing
from .urdf_values import UrdfValues, short, strict_number

# Attributes of URDF's round shapes, and the fields of ours that they fill
SIZES: dict[str, dict[str, tuple[str, ...]]] = {
    "sphere": {"radius": ("r",)},
    "cylinder": {"radius": ("r1", "r2"), "length": ("h",)},
    "capsule": {"radius": ("r",), "length": ("h",)},
}
MISSING = "missing"  # key of a shape whose mesh is not there: its reason
LEFT_OUT = "the shape is left out"
THIN = 1e-4  # [m]: what a side of no length is drawn as
SLIM = 0.25  # thickness of a box that stands for a link, of its length
SMALL = 0.05  # [m]: side of a box that nothing gives a size


@dataclass
class MeshUse:
    """The meshes that a file names, and those of them that are not there.

    Attributes:
        files: found, by the path that the machine has for them.
        boxes: sides [m] of what stands in the place of each if it cannot be read, by that path.
        named: references to meshes, each once.
        missing: those of `named` that are not there.
    """

    files: dict[str, Found] = field(default_factory=dict)
    boxes: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    named: dict[str, None] = field(default_factory=dict)
    missing: dict[str, Missing] = field(default_factory=dict)

    def summary(self) -> str:
        """The meshes in a line; empty if there are none."""
        count = len(self.named)
        if not count:
            return ""
        told = f"{count} mesh{'es' if count > 1 else ''}"
        if not self.missing:
            return f"{told}, all found"
        names = listed([name.replace("\\", "/").rpartition("/")[2] for name in self.missing], 6)
        where = "a box in its place" if len(self.missing) == 1 else "boxes in their place"
        return f"{told}, {len(self.missing)} missing ({where}): {names}"


class Shapes:
    """Reads shapes of links."""

    def __init__(self, root: Element, values: UrdfValues, library: Library | None) -> None:
        self.root, self.values, self.library = root, values, library
        self.meshes = MeshUse()
        self.colors = self._named_colors()

    def of(self, element: Element, place: str) -> list[dict[str, Any]]:
        """The shapes among an element's children with the tag that `place` ends with."""
        tag = place.rpartition("/")[2]
        shapes = [self._shape(child, place) for child in element.findall(tag)]
        return [shape for shape in shapes if shape is not None]

    def _shape(self, element: Element, place: str) -> dict[str, Any] | None:
        """A visual or collision shape; None if it has none that can be used."""
        geometry = element.find("geometry")
        if geometry is None:
            kind = MissingFieldError
            self.values.forgive(kind, place, element, "<geometry> is missing", LEFT_OUT)
            return None
        content = self._geometry(geometry, f"{place}/geometry")
        if content is None:
            return None
        xyz, rpy = self.values.soft_origin(element, place)
        shape: dict[str, Any] = {"translation": xyz, "orientation": rpy, "geometry": content}
        name = element.get("name")
        if name and len(name) <= 256:
            shape["name"] = name
        material = element.find("material")
        if material is not None:
            color = self._color(material, f"{place}/material")
            if color is not None:
                shape["material"] = {"color": color}
        return shape

    def _geometry(self, element: Element, place: str) -> dict[str, Any] | None:
        """The first shape in a `geometry` element."""
        shapes = [child for child in element if isinstance(child.tag, str)]
        if not shapes:
            kind = MissingFieldError
            self.values.forgive(kind, place, element, "no shape, expected one", LEFT_OUT)
            return None
        if len(shapes) > 1:
            message = f"{len(shapes)} shapes, expected one"
            self.values.forgive(ValueRangeError, place, element, message, "the first is taken")
        shape = shapes[0]
        place = f"{place}/{shape.tag}"
        if shape.tag == "mesh":
            return self._mesh(shape, place)
        if shape.tag == "box":
            size = self.values.soft_vector(shape, place, "size", None, LEFT_OUT)
            sides = None if size is None else self._sides(size, shape, place)
            return None if sides is None else {"type": "box"} | dict(zip("xyz", sides, strict=True))
        if shape.tag not in SIZES:
            message = f"unknown shape <{shape.tag[:80]}>"
            hint = suggest(shape.tag, ("box", "mesh", *SIZES))
            self.values.forgive(ValueRangeError, place, shape, f"{message}, {hint}", LEFT_OUT)
            return None
        given = [
            self.values.soft_number(shape, place, word, None, LEFT_OUT) for word in SIZES[shape.tag]
        ]
        if None in given:
            return None
        sides = self._sides([value for value in given if value is not None], shape, place)
        if sides is None:
            return None
        content: dict[str, Any] = {"type": shape.tag}
        for keys, value in zip(SIZES[shape.tag].values(), sides, strict=True):
            content |= dict.fromkeys(keys, value)
        return content

    def _sides(self, values: Sequence[float], element: Element, place: str) -> list[float] | None:
        """Lengths that a shape can have; None if it cannot be drawn at all."""
        told = " ".join(f"{value:g}" for value in values)
        if not any(values) or max(map(abs, values)) > GREAT:
            message = f"found sizes {told}, expected more than 0 and at most {GREAT:g}"
            self.values.forgive(ValueRangeError, place, element, message, LEFT_OUT)
            return None
        if min(values) <= 0.0:
            message = f"found sizes {told}, expected more than 0"
            instead = "their amounts are taken, 0.1 mm for 0"
            self.values.forgive(ValueRangeError, place, element, message, instead)
        return [abs(value) or THIN for value in values]

    # ---------------------------------------------------------------- meshes

    def _mesh(self, element: Element, place: str) -> dict[str, Any] | None:
        """A mesh file, or why it is missing."""
        ones = [1.0, 1.0, 1.0]
        scale = self._scale(element, place) or ones
        filename = element.get("filename")
        if filename is None:
            kind, message = MissingFieldError, "the attribute is missing"
            self.values.forgive(kind, f"{place}@filename", element, message, LEFT_OUT)
            return None
        return self.file_of(filename, scale, element, place)

    def file_of(
        self, filename: str, scale: list[float], element: Element, place: str
    ) -> dict[str, Any]:
        """The geometry of a mesh file as a machine file names it, or why it is missing."""
        if self.library is None:
            return {"type": "mesh", "path": _unlooked(filename), "scale": scale}
        self.meshes.named[filename] = None
        found = self.library.find(filename, MESH_SUFFIXES)
        if isinstance(found, Found) and len(found.path) > 256:
            found = Missing("its path is longer than 256 letters")
        if isinstance(found, Missing):
            return self._missing(filename, found, element, place)
        if found.note:
            self.values.remark(found.note)
        self.meshes.files[found.path] = found
        return {"type": "mesh", "path": found.path, "scale": scale}

    def _missing(
        self, filename: str, missing: Missing, element: Element, place: str
    ) -> dict[str, Any]:
        self.meshes.missing[filename] = missing
        if self.values.strict:
            message = f"mesh {short(filename)}: {missing.reason}"
            self.values.complain(MeshError, f"{place}@filename", element, message)
        elif missing.package:
            self.values.remark(f"{missing.reason}; its meshes are missing")
        else:
            self.values.remark(f"{missing.reason}; the mesh is missing", short(filename))
        return {MISSING: missing.reason}

    def _scale(self, element: Element, place: str) -> list[float] | None:
        """Scale of a mesh, negative where it is mirrored; one number stands for all three."""
        text = element.get("scale")
        if text is not None and len(text.split()) == 1:
            value = self.values.soft_number(element, place, "scale", 1.0, "1 is taken")
            scale = None if value is None else [value] * 3
        else:
            one = [1.0, 1.0, 1.0]
            scale = self.values.soft_vector(element, place, "scale", one, "1 is taken")
        if scale is not None and not all(0.0 < abs(value) < GREAT for value in scale):
            message = f"found scale {text}, expected three numbers other than 0"
            self.values.forgive(ValueRangeError, place, element, message, "1 is taken")
            return None
        return scale

    # --------------------------------------------------------------- colours

    def _named_colors(self) -> dict[str, list[float]]:
        """Colours by name, of the whole file: the first definition of a name counts."""
        colors: dict[str, list[float]] = {}
        for material in self.root.iter("material"):
            element, name = material.find("color"), material.get("name")
            if element is None or not name or name in colors:
                continue
            values = [strict_number(word) for word in element.get("rgba", "").split()]
            if len(values) in (3, 4) and all(v is not None and math.isfinite(v) for v in values):
                colors[name] = [v for v in values if v is not None]
        return colors

    def _color(self, material: Element, place: str) -> list[float] | None:
        """Colour of a material: its own, else that of its name."""
        own, name = material.find("color"), material.get("name", "")
        if own is not None:
            count = 3 if len(own.get("rgba", "").split()) == 3 else 4
            grey = "the shape keeps its own colour"
            values = self.values.soft_vector(own, f"{place}/color", "rgba", None, grey, count)
            return None if values is None else self._fractions(values, place)
        if material.find("texture") is not None:
            self.values.ignored["texture"] += 1
        if name in self.colors:
            return self._fractions(self.colors[name], place)
        if material.find("texture") is None and name:
            self.values.remark(f"no material {short(name)} is defined", place)
        return None

    def _fractions(self, values: Sequence[float], place: str) -> list[float]:
        """Red, green, blue and opacity, each 0 to 1."""
        color = [*values, 1.0][:4]
        if min(color) >= 0.0 and max(color) <= 1.0:
            return color
        told = " ".join(f"{value:g}" for value in values)
        if max(color[:3]) > 1.5 and min(color) >= 0.0:  # written as bytes
            self.values.remark(f"the colour {told} is taken as parts of 255", place)
            color = [value / 255.0 for value in color[:3]] + [
                color[3] if color[3] <= 1.0 else color[3] / 255.0
            ]
        else:
            self.values.remark(f"the colour {told} is cut to 0 to 1", place)
        return [min(max(value, 0.0), 1.0) for value in color]

    # ------------------------------------------------------------- stand-ins

    def stand_in(self, links: Sequence[dict[str, Any]], joints: Sequence[dict[str, Any]]) -> None:
        """Put boxes in the place of missing meshes; those that only touch are left out."""
        carried: dict[str, list[list[float]]] = {}
        for joint in joints:
            if "parent" in joint:
                carried.setdefault(joint["parent"], []).append(joint["origin_translation"])
        length = _typical(carried)
        for link in links:
            around = carried.get(link.get("name", ""), [])
            box = self._box(link, around, length)
            for shape in link.get("visual", []):
                self._keep_box(shape["geometry"], box)
                if MISSING in shape["geometry"]:
                    shape.update(box)
            touched = [s for s in link.get("collision", []) if MISSING not in s["geometry"]]
            if len(touched) < len(link.get("collision", [])):
                link["collision"] = touched
            for shape in touched:
                self._keep_box(shape["geometry"], box)

    def _keep_box(self, geometry: dict[str, Any], box: Mapping[str, Any]) -> None:
        """Remember what stands in the place of a mesh, should it turn out not to be readable."""
        if geometry.get("type") == "mesh":
            sides = box["geometry"]
            sides = (sides["x"], sides["y"], sides["z"]) if sides["type"] == "box" else (SMALL,) * 3
            self.meshes.boxes.setdefault(geometry["path"], sides)

    def _box(
        self, link: dict[str, Any], around: Sequence[Sequence[float]], length: float
    ) -> dict[str, Any]:
        """Place and sides of the box that stands for a link's missing meshes."""
        shapes = [*link.get("collision", []), *link.get("visual", [])]
        for shape in shapes:
            if sides := _sides_of(shape["geometry"]):
                return {**_placed(shape), "geometry": _box_of(sides)}
        ends = [end for end in around if 1e-6 < math.hypot(*end) < GREAT]
        if ends:
            end = max(ends, key=lambda end: math.hypot(*end))
            thick = SLIM * math.hypot(*end)
            centre = [value / 2 for value in end]
            sides = tuple(abs(value) + thick for value in end)
            return _at(centre, sides)
        return _at([0.0, 0.0, 0.0], (length,) * 3)


def _typical(carried: Mapping[str, Sequence[Sequence[float]]]) -> float:
    """Side of a box for a link that nothing gives a size [m]: a part of what links measure."""
    found = [math.hypot(*end) for ends in carried.values() for end in ends]
    found = [size for size in found if 1e-6 < size < GREAT]
    return 0.5 * float(np.median(found)) if found else SMALL


def _sides_of(geometry: Mapping[str, Any]) -> tuple[float, ...] | None:
    """Sides of a box around a shape that is no mesh."""
    kind = geometry.get("type")
    if kind == "box":
        return geometry["x"], geometry["y"], geometry["z"]
    if kind == "sphere":
        return (2 * geometry["r"],) * 3
    if kind == "cylinder":
        return 2 * geometry["r1"], 2 * geometry["r1"], geometry["h"]
    if kind == "capsule":
        return 2 * geometry["r"], 2 * geometry["r"], geometry["h"] + 2 * geometry["r"]
    return None


def _placed(shape: Mapping[str, Any]) -> dict[str, Any]:
    return {key: shape[key] for key in ("translation", "orientation")}


def _at(centre: Sequence[float], sides: Sequence[float]) -> dict[str, Any]:
    place = {"translation": list(centre), "orientation": [0.0, 0.0, 0.0]}
    return {**place, "geometry": _box_of(sides)}


def _box_of(sides: Sequence[float]) -> dict[str, Any]:
    return {"type": "box"} | dict(zip("xyz", sides, strict=True))


def _unlooked(filename: str) -> str:
    """A path for a mesh where no folder is there to look for it in."""
    name = filename.strip().replace("\\", "/").rpartition("://")[2]
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    return "/".join(parts).replace(":", "_")[-256:] or "mesh.stl"


def turned(tensor: Any, rpy: Sequence[float]) -> Any:
    """An inertia in a frame that is turned by roll, pitch and yaw, in the outer axes, (3, 3)."""
    if not any(rpy):
        return tensor
    R_LB = matrix_from_rpy(rpy)
    I_L = R_LB @ tensor @ R_LB.T
    return (I_L + I_L.T) / 2
