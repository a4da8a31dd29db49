"""Messages that Foxglove knows: where all links are, and what they look like."""

from __future__ import annotations

import base64
import json
import struct
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..export import Gltf
from ..protocol.down import MachineInfo

WORLD, MACHINE = "world", "machine"  # frames above the links
TRANSFORMS, SCENE = "foxglove.FrameTransforms", "foxglove.SceneUpdate"
UPRIGHT = {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}
QUARTER = {"x": sqrt(0.5), "y": 0.0, "z": 0.0, "w": sqrt(0.5)}  # y up becomes z up
BACK = {**QUARTER, "x": -sqrt(0.5)}
NOWHERE = {"x": 0.0, "y": 0.0, "z": 0.0}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


_NUMBER, _TEXT, _WHOLE = {"type": "number"}, {"type": "string"}, {"type": "integer"}
_MOMENT = _object(sec=_WHOLE, nsec=_WHOLE)
_VECTOR = _object(x=_NUMBER, y=_NUMBER, z=_NUMBER)
_QUATERNION = _object(x=_NUMBER, y=_NUMBER, z=_NUMBER, w=_NUMBER)
_POSE = _object(position=_VECTOR, orientation=_QUATERNION)
_COLOR = _object(r=_NUMBER, g=_NUMBER, b=_NUMBER, a=_NUMBER)
_MODEL = _object(
    pose=_POSE,
    scale=_VECTOR,
    color=_COLOR,
    override_color={"type": "boolean"},
    url=_TEXT,
    media_type=_TEXT,
    data={"type": "string", "contentEncoding": "base64"},
)
_ENTITY = _object(
    timestamp=_MOMENT,
    frame_id=_TEXT,
    id=_TEXT,
    lifetime=_MOMENT,
    frame_locked={"type": "boolean"},
    metadata=_list(_object(key=_TEXT, value=_TEXT)),
    **{
        kind: _list(_object())
        for kind in ("arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts")
    },
    models=_list(_MODEL),
)
_TRANSFORM = _object(
    timestamp=_MOMENT,
    parent_frame_id=_TEXT,
    child_frame_id=_TEXT,
    translation=_VECTOR,
    rotation=_QUATERNION,
)
SCHEMAS = {
    TRANSFORMS: {"title": TRANSFORMS, **_object(transforms=_list(_TRANSFORM))},
    SCENE: {
        "title": SCENE,
        **_object(
            deletions=_list(_object(timestamp=_MOMENT, type=_WHOLE, id=_TEXT)),
            entities=_list(_ENTITY),
        ),
    },
}


class Transforms:
    """Poses of a frame as `foxglove.FrameTransforms`, in JSON.

    Nine digits tell a float32 exactly: reading a number gives the bits that were written.
    """

    def __init__(self, machine: MachineInfo) -> None:
        """Prepare the text of a machine's links."""
        turn = QUARTER if machine.up_axis == "y" else UPRIGHT
        base = {"translation": NOWHERE, "rotation": turn}
        moment = '{"timestamp":{"sec":%d,"nsec":%d},'
        texts = [f"{moment}{_names(WORLD, MACHINE)}{json.dumps(base)[1:]}"]
        texts += [
            f"{moment}{_names(MACHINE, link)}"
            '"translation":{"x":%.9g,"y":%.9g,"z":%.9g},'
            '"rotation":{"w":%.9g,"x":%.9g,"y":%.9g,"z":%.9g}}'
            for link in machine.links
        ]
        self._text = '{"transforms":[' + ",".join(texts) + "]}"

    def message(self, nanoseconds: int, poses: NDArray[np.float32]) -> bytes:
        """The message for poses (links, 7) at a moment since 1970-01-01 UTC."""
        moment = divmod(nanoseconds, 10**9)
        values = [*moment]
        for pose in poses.tolist():
            values += [*moment, *pose]
        return (self._text % tuple(values)).encode()


def _names(parent: str, child: str) -> str:
    both = json.dumps({"parent_frame_id": parent, "child_frame_id": child}, ensure_ascii=False)
    return both[1:-1].replace("%", "%%") + ","


def scene_message(nanoseconds: int, machine: MachineInfo, shapes: bytes) -> bytes:
    """What the links look like, each in its own axes, as `foxglove.SceneUpdate` in JSON.

    Args:
        nanoseconds: moment since 1970-01-01 UTC.
        machine: whose links have shapes.
        shapes: binary glTF as `export.scene_glb.link_scene` writes it.
    """
    sec, nsec = divmod(nanoseconds, 10**9)
    entities = [
        {
            "timestamp": {"sec": sec, "nsec": nsec},
            "frame_id": link,
            "id": link,
            "lifetime": {"sec": 0, "nsec": 0},
            "frame_locked": True,
            "metadata": [],
            **{
                kind: []
                for kind in (
                    "arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts",
                )
            },
            "models": [
                {
                    "pose": {"position": NOWHERE, "orientation": BACK},  # glTF counts as y up
                    "scale": {"x": 1.0, "y": 1.0, "z": 1.0},
                    "color": {"r": 1.0, "g": 1.0, "b": 1.0, "a": 1.0},
                    "override_color": False,
                    "url": "",
                    "media_type": "model/gltf-binary",
                    "data": base64.b64encode(model).decode(),
                }
            ],
        }
        for link, model in link_models(machine, shapes).items()
    ]  # fmt: skip
    return json.dumps({"deletions": [], "entities": entities}, ensure_ascii=False).encode()


def link_models(machine: MachineInfo, shapes: bytes) -> dict[str, bytes]:
    """Binary glTF of all links taken apart: one by itself for each link that has a shape."""
    size = struct.unpack_from("<I", shapes, 12)[0]
    tree: dict[str, Any] = json.loads(shapes[20 : 20 + size])
    buffer = memoryview(shapes)[28 + size :]
    models = {}
    for node in tree.get("nodes", ()):
        document = Gltf()
        document.tree["materials"] = tree["materials"]
        mesh = tree["meshes"][node["mesh"]]
        primitives = [_taken(document, tree, buffer, each) for each in mesh["primitives"]]
        at = document.add("meshes", {"name": mesh["name"], "primitives": primitives})
        at = document.add("nodes", {"name": node["name"], "mesh": at})
        document.tree["scenes"][0]["nodes"].append(at)
        models[machine.links[node["extras"]["link"]]] = document.glb()
    return models


def _taken(
    document: Gltf, tree: dict[str, Any], buffer: memoryview, primitive: dict[str, Any]
) -> dict[str, Any]:
    """A primitive with its numbers, moved into another document."""

    def numbers(at: int) -> NDArray[Any]:
        accessor = tree["accessors"][at]
        view = tree["bufferViews"][accessor["bufferView"]]
        kind = {5123: "<u2", 5125: "<u4", 5126: "<f4"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        start = view.get("byteOffset", 0)
        data = buffer[start : start + view["byteLength"]]
        return np.frombuffer(data, kind, accessor["count"] * width).reshape(-1, width)

    attributes = {
        name: document.vertices(
            numbers(at), bounds=name == "POSITION", normalized=name.startswith("COLOR")
        )
        for name, at in primitive["attributes"].items()
    }
    faces = document.faces(numbers(primitive["indices"]).reshape(-1, 3))
    return {**primitive, "attributes": attributes, "indices": faces}
