"""Files of a workspace: bytes for the page, and glTF."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..description import Material
from ..export import Y_UP_FROM_Z_UP, Gltf, material
from ..mechanism import Floats, Ints
from ..planning import Workspace
from .surface import ReachSurface

POINTS, LINES, TRIANGLES = 0, 1, 4  # modes of a primitive
UNLIT: dict[str, dict[str, object]] = {
    "extensions": {"KHR_materials_unlit": {}}
}  # colours mean something: no light on them


def cloud_bytes(points: Floats, ends: Ints) -> bytes:
    """Points as float32, then a byte for each."""
    return points.astype("<f4").tobytes() + ends.astype(np.uint8).tobytes()


def surface_bytes(surface: ReachSurface) -> bytes:
    """Points and their ends, filled up to four bytes, then triangles and lines as uint32."""
    head = cloud_bytes(surface.vertices, surface.ends)
    head += b"\0" * (-len(head) % 4)
    return head + surface.triangles.astype("<u4").tobytes() + surface.lines.astype("<u4").tobytes()


def glb_bytes(
    cloud: Workspace, nearest: Ints, surface: ReachSurface, colors: Mapping[int, str]
) -> bytes:
    """Binary glTF: a node "cloud" of points and a node "surface", turned to y up.

    Args:
        cloud: the samples.
        nearest: the end that colours each of them, (n,).
        surface: the boundary.
        colors: "#rrggbb" of each end.
    """
    robot = cloud.state.mechanism.robot
    document = Gltf()
    document.tree["extensionsUsed"] = list(UNLIT["extensions"])
    document.add("materials", {**material("cloud", None, 0.0, 1.0, False), **UNLIT})
    seen = {**material("surface", None, 0.0, 0.8, True), "doubleSided": True, **UNLIT}
    document.add("materials", seen)
    meshes = [("cloud", [_primitive(document, cloud.points, nearest, colors, 1.0, POINTS)])]
    if len(surface.vertices):
        primitives = []
        if len(surface.triangles):
            part = _primitive(document, surface.vertices, surface.ends, colors, 0.45, TRIANGLES)
            primitives.append({**part, "indices": document.faces(surface.triangles), "material": 1})
        if len(surface.lines):
            part = _primitive(document, surface.vertices, surface.ends, colors, 1.0, LINES)
            primitives.append({**part, "indices": document.faces(surface.lines)})
        meshes.append(("surface", primitives))
    children = [
        document.add("nodes", {"name": name, "mesh": _mesh(document, name, primitives)})
        for name, primitives in meshes
    ]
    root: dict[str, object] = {"name": f"workspace of {cloud.link}", "children": children}
    if robot.up_axis == "z":
        root["matrix"] = Y_UP_FROM_Z_UP.T.ravel().tolist()
    document.tree["scenes"][0]["nodes"].append(document.add("nodes", root))
    return document.glb()


def _mesh(document: Gltf, name: str, primitives: list[dict[str, object]]) -> int:
    return document.add("meshes", {"name": name, "primitives": primitives})


def _primitive(
    document: Gltf,
    points: Floats,
    ends: Ints,
    colors: Mapping[int, str],
    opacity: float,
    mode: int,
) -> dict[str, object]:
    rgba = np.zeros((256, 4))
    for end, color in colors.items():
        red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
        rgba[end] = Material(color=(red, green, blue, opacity)).linear
    painted = np.round(65535 * rgba[ends]).astype(np.uint16)
    return {
        "attributes": {
            "POSITION": document.vertices(points.astype(np.float32), bounds=True),
            "COLOR_0": document.vertices(painted, normalized=True),
        },
        "material": 0,
        "mode": mode,
    }
