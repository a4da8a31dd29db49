"""The container of glTF 2.0: a tree in JSON and one buffer, as .glb or as a .gltf by itself."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

ARRAY, ELEMENTS = 34962, 34963  # what a buffer view is for: vertices, or positions of them
TYPES = {np.dtype(np.uint16): 5123, np.dtype(np.uint32): 5125, np.dtype(np.float32): 5126}


class Gltf:
    """A glTF document in the making: accessors, materials, meshes, nodes."""

    def __init__(self) -> None:
        self.tree: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "Headframe"},
            "scene": 0,
            "scenes": [{"nodes": []}],
            **{key: [] for key in ("nodes", "meshes", "materials", "accessors", "bufferViews")},
        }
        self._pieces: list[bytes] = []
        self._size = 0

    def add(self, key: str, item: dict[str, Any]) -> int:
        """Add an item to a list of the tree; its position in it."""
        self.tree[key].append(item)
        return len(self.tree[key]) - 1

    def vertices(
        self, values: NDArray[Any], *, bounds: bool = False, normalized: bool = False
    ) -> int:
        """Add a value for each vertex, (n, k), of float32 or uint16; the accessor's position."""
        more: dict[str, Any] = {"normalized": True} if normalized else {}
        if bounds:
            more = {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        return self._accessor(values, f"VEC{values.shape[1]}", ARRAY, more)

    def faces(self, faces: NDArray[Any]) -> int:
        """Add triangles, (m, 3); the accessor's position."""
        kind = np.uint16 if faces.max(initial=0) < 65535 else np.uint32
        return self._accessor(faces.astype(kind).reshape(-1, 1), "SCALAR", ELEMENTS, {})

    def _accessor(self, values: NDArray[Any], shape: str, target: int, more: dict[str, Any]) -> int:
        data = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).tobytes()
        view = {"buffer": 0, "byteOffset": self._size, "byteLength": len(data), "target": target}
        data += b"\0" * (-len(data) % 4)
        self._pieces.append(data)
        self._size += len(data)
        accessor = {
            "bufferView": self.add("bufferViews", view),
            "componentType": TYPES[values.dtype],
            "count": len(values),
            "type": shape,
            **more,
        }
        return self.add("accessors", accessor)

    def _whole(self, buffer: dict[str, Any]) -> bytes:
        tree = {key: value for key, value in self.tree.items() if value != []}
        if self._size:
            tree["buffers"] = [{"byteLength": self._size, **buffer}]
        return json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()

    def glb(self) -> bytes:
        """The document as binary glTF."""
        text, data = self._whole({}), b"".join(self._pieces)
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if data:
            chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def gltf(self) -> bytes:
        """The document as JSON that holds its buffer."""
        coded = base64.b64encode(b"".join(self._pieces)).decode()
        return self._whole({"uri": f"data:application/octet-stream;base64,{coded}"})


def material(
    name: str, color: tuple[float, ...] | None, metallic: float, roughness: float, blend: bool
) -> dict[str, Any]:
    """A material; `color` is linear, or None where vertices have theirs."""
    surface: dict[str, Any] = {"metallicFactor": metallic, "roughnessFactor": roughness}
    if color is not None:
        surface["baseColorFactor"] = list(color)
    return {
        "name": name,
        "pbrMetallicRoughness": surface,
        **({"alphaMode": "BLEND"} if blend else {}),
    }
