"""3DT models as glTF and back: a node for the robot, under it its components, under these bodies.

Link and attributes of a body are the ``extras`` of its node. Positions are float32 there, and
every face is cut into triangles. Nothing is turned: glTF viewers take y for up, so that a machine
with z up lies on its back in them; `headframe convert MACHINE -o FILE.glb` makes a file to look at.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..description import (
    MODEL_CREASE,
    Body,
    Findings,
    Model,
    ModelReading,
    body_parts,
    check_file,
    check_gltf,
    gltf_json,
    read_limited,
)
from ..errors import MeshError, Problem
from .glb import Gltf, material
from .model_import import Collected

METALLIC, ROUGHNESS = 0.3, 0.6
COMPONENT, BODY = "model", "body"  # of what a file gives no name
NUMBERS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
TRIANGLES = 4


# -- writing ---------------------------------------------------------------------------


def gltf_bytes(model: Model, binary: bool) -> bytes:
    """The model as .glb, or as a .gltf that holds its buffer."""
    document = Gltf()
    colors = list(dict.fromkeys(body.material for body in model.bodies))
    for i, paint in enumerate(colors):
        blend = paint.color[3] < 1.0
        document.add("materials", material(f"color_{i}", paint.linear, METALLIC, ROUGHNESS, blend))
    components = []
    for component in model.components:
        bodies = [
            _body_node(document, body, colors.index(body.material)) for body in component.bodies
        ]
        extras = _extras("component", component.attributes)
        node = {"name": component.name, "children": bodies, "extras": extras}
        components.append(document.add("nodes", node))
    extras = _extras("robot", model.attributes)
    root = document.add("nodes", {"name": model.name, "children": components, "extras": extras})
    document.tree["scenes"][0]["nodes"].append(root)
    return document.glb() if binary else document.gltf()


def _extras(kind: str, attributes: Mapping[str, str], **more: str | float) -> dict[str, Any]:
    return {"3dt": kind, **more, **({"attributes": dict(attributes)} if attributes else {})}


def _body_node(document: Gltf, body: Body, paint: int) -> int:
    (part,) = body_parts([body])
    primitive = {
        "attributes": {
            "POSITION": document.vertices(part.vertices.astype(np.float32), bounds=True),
            "NORMAL": document.vertices(part.normals.astype(np.float32)),
        },
        "indices": document.faces(part.faces),
        "material": paint,
    }
    mesh = document.add("meshes", {"name": body.name, "primitives": [primitive]})
    extras = _extras("body", body.attributes, link=body.link, crease=body.crease)
    return document.add("nodes", {"name": body.name, "mesh": mesh, "extras": extras})


# -- reading ---------------------------------------------------------------------------


class _UnfitError(Exception):
    """Something in a file that cannot be read; the text says what."""


def read_gltf_model(path: Path) -> ModelReading:
    """Read a glTF file as a model.

    A node with a mesh is a body (one for each of the mesh's primitives), the node above it its
    component. Its link is told by ``extras.link``, or else it is the component's name. Vertices
    that lie in one place become one; vertex colours are averaged; textures are left out.
    """
    data = read_limited(path)
    if isinstance(data, Problem):
        return ModelReading(None, [data])
    try:
        tree = gltf_json(data, path.suffix.lower())
        check_gltf(tree)
        scene = _Scene(tree, data, path)
        collected = Collected(scene.title())
        for component, body in scene.bodies():
            collected.add(component, body)
    except _UnfitError as error:
        return ModelReading(None, [Problem(MeshError, "", str(error))])
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        message = f"cannot be read as glTF: {reason}"
        return ModelReading(None, [Problem(MeshError, "", message)])
    if not collected.components:
        return ModelReading(None, [Problem(MeshError, "", "found no triangles")])
    return collected.reading()


class _Scene:
    """The nodes of a glTF file, as far as they have triangles."""

    def __init__(self, tree: dict[str, Any], data: bytes, path: Path) -> None:
        self.tree = tree
        self.path = path
        self.nodes: list[dict[str, Any]] = tree.get("nodes", [])
        self.parent = {
            child: i for i, node in enumerate(self.nodes) for child in node.get("children", [])
        }
        self.buffers = [self.buffer(item, data) for item in tree.get("buffers", [])]

    def title(self) -> str:
        """The robot's name: that of its node, or the file's."""
        for node in self.nodes:
            if _extra(node, "3dt") == "robot" and node.get("name"):
                return str(node["name"])
        return self.path.stem or COMPONENT

    def bodies(self) -> Iterator[tuple[str, Body]]:
        """Every component's name and body."""
        for i, node in enumerate(self.nodes):
            if "mesh" not in node:
                continue
            above = self.nodes[self.parent[i]] if i in self.parent else {}
            component = str(above.get("name") or COMPONENT)
            mesh = self.tree["meshes"][node["mesh"]]
            name = str(node.get("name") or mesh.get("name") or BODY)
            told = _extra(node, "link")
            link = told if isinstance(told, str) else name if told is not None else component
            attributes = _extra(node, "attributes")
            texts = {
                str(key): str(value)
                for key, value in (attributes if isinstance(attributes, dict) else {}).items()
            }
            X_WN = self.pose(i)
            for primitive in mesh.get("primitives", []):
                if primitive.get("mode", TRIANGLES) != TRIANGLES:
                    continue
                vertices, faces = self.triangles(primitive)
                vertices = _shortest(vertices @ X_WN[:3, :3].T + X_WN[:3, 3])
                if np.linalg.det(X_WN[:3, :3]) < 0:
                    faces = faces[:, ::-1]
                vertices, place = np.unique(vertices, axis=0, return_inverse=True)
                color = self.color(primitive)
                told = _extra(node, "crease")
                crease = float(told) if isinstance(told, int | float) else MODEL_CREASE
                yield (
                    component,
                    Body.make(name, link, vertices, place.reshape(-1)[faces], color, texts, crease),
                )

    def pose(self, i: int) -> NDArray[np.float64]:
        """X_world_node, (4, 4)."""
        X = np.eye(4)
        while True:
            X = _local(self.nodes[i]) @ X
            if i not in self.parent:
                return X
            i = self.parent[i]

    def triangles(self, primitive: dict[str, Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        if primitive.get("extensions"):
            raise _UnfitError(f"its meshes need {', '.join(primitive['extensions'])}")
        vertices = self.values(primitive["attributes"]["POSITION"], "VEC3").astype(np.float64)
        if "indices" in primitive:
            corners = self.values(primitive["indices"], "SCALAR").astype(np.int64).ravel()
        else:
            corners = np.arange(len(vertices))
        if len(corners) and corners.max() >= len(vertices):
            raise _UnfitError("its triangles have vertices that are not there")
        return vertices, corners[: len(corners) // 3 * 3].reshape(-1, 3)

    def color(self, primitive: dict[str, Any]) -> tuple[float, ...]:
        linear = np.ones(4)
        if "material" in primitive:
            surface = self.tree["materials"][primitive["material"]].get("pbrMetallicRoughness", {})
            linear = np.array(surface.get("baseColorFactor", linear), dtype=float)
        place = primitive["attributes"].get("COLOR_0")
        if place is not None:
            colors = self.values(place, self.tree["accessors"][place]["type"])
            most = 1.0 if colors.dtype.kind == "f" else float(np.iinfo(colors.dtype).max)
            mean = colors.astype(float).mean(axis=0) / most
            linear = linear * np.append(mean, 1.0)[:4]
        red, green, blue, opacity = np.clip(linear, 0.0, 1.0).tolist()
        return (*(_srgb(value) for value in (red, green, blue)), round(opacity, 6))

    def values(self, place: int, shape: str) -> NDArray[Any]:
        """The values of an accessor, (n, width)."""
        accessor = self.tree["accessors"][place]
        if accessor["type"] != shape:
            raise _UnfitError(f"found values of type {accessor['type']}, expected {shape}")
        if "sparse" in accessor or "bufferView" not in accessor:
            raise _UnfitError("its values are sparse or not in the file, which is not read here")
        view = self.tree["bufferViews"][accessor["bufferView"]]
        buffer = self.buffers[view["buffer"]]
        kind, width = np.dtype(NUMBERS[accessor["componentType"]]), WIDTHS[shape]
        count, start = int(accessor["count"]), int(view.get("byteOffset", 0))
        start += int(accessor.get("byteOffset", 0))
        stride = int(view.get("byteStride", 0)) or kind.itemsize * width
        last = start + (count - 1) * stride + kind.itemsize * width
        if count < 0 or start < 0 or stride < kind.itemsize * width or last > len(buffer):
            raise _UnfitError("its values lie outside its buffer")
        if count == 0:
            return np.zeros((0, width), dtype=kind)
        return np.ndarray((count, width), kind, buffer, start, (stride, kind.itemsize))

    def buffer(self, item: dict[str, Any], data: bytes) -> bytes:
        """The bytes of a buffer: in the file, in its text, or in a file beside it."""
        uri: str | None = item.get("uri")
        if uri is None:
            if self.path.suffix.lower() != ".glb":
                raise _UnfitError("it has a buffer without content")
            (length,) = struct.unpack_from("<I", data, 12)
            return data[20 + length + 8 :]
        if uri.startswith("data:"):
            try:
                return base64.b64decode(uri.partition(",")[2], validate=True)
            except binascii.Error:
                raise _UnfitError("its buffer is not sound base64") from None
        found = Findings()
        check_file(uri, (".bin",), self.path.parent, (), found)
        for _, problem in found.problems:
            raise _UnfitError(problem.message)
        return (self.path.parent / uri).read_bytes()


def _extra(node: dict[str, Any], key: str) -> Any:
    extras = node.get("extras")
    return extras.get(key) if isinstance(extras, dict) else None


def _local(node: dict[str, Any]) -> NDArray[np.float64]:
    """A node's pose in its parent, (4, 4)."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    X = np.eye(4)
    X[:3, :3] = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    ) @ np.diag(np.array(node.get("scale", (1.0, 1.0, 1.0)), dtype=float))
    X[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return X


def _shortest(vertices: NDArray[np.float64]) -> NDArray[np.float64]:
    """The shortest decimals that stand for the same float32: what was 0.1 is 0.1 again."""
    with np.errstate(over="ignore"):
        return vertices.astype(np.float32).astype(str).astype(np.float64) + 0.0


def _srgb(linear: float) -> float:
    """The sRGB of a linear value (IEC 61966-2-1), to nine decimals."""
    curve = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
    return min(1.0, max(0.0, round(curve, 9)))
