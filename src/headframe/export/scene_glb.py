"""A machine for viewers that move it themselves: one node a link, one mesh in link axes.

A link costs a viewer one draw call: whatever is seen of it is merged, and colours stand at the
vertices. What can be looked through comes as a second primitive.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..description import Part, Robot, parts_of
from .glb import Gltf, material

METALLIC, ROUGHNESS = 0.3, 0.6


class Described(Protocol):
    """What has a description and the folder that its files are in, such as `headframe.Machine`."""

    robot: Robot
    folder: Path | None


def link_scene(
    machine: Described | Robot,
    folder: str | Path | None = None,
    parts: Sequence[Sequence[Part]] | None = None,
) -> bytes:
    """Binary glTF of all links, each in its own axes.

    Node i of the scene belongs to a link with something to see: it is named like the link, its
    ``extras`` are ``{"link": position in robot.links}``, and it has no transform. Positions are
    in link axes [m]; nothing is turned to make y point up. Colours (COLOR_0) are linear.

    Args:
        machine: a machine, or its description.
        folder: the machine file's folder, if only the description is given.
        parts: what is seen of every link; as `description.appearance` has it if None.

    Raises:
        MachineFileError: a mesh or 3DT file that cannot be used.
    """
    if isinstance(machine, Robot):
        robot = machine
    else:
        robot, folder = machine.robot, folder or machine.folder
    document = Gltf()
    for name, blend in (("paint", False), ("glass", True)):
        document.add("materials", material(name, None, METALLIC, ROUGHNESS, blend))
    seen = parts_of(robot, folder) if parts is None else parts
    for i, (link, own) in enumerate(zip(robot.links, seen, strict=True)):
        solid = [part for part in own if part.material.color[3] >= 1.0]
        clear = [part for part in own if part.material.color[3] < 1.0]
        primitives = [
            _primitive(document, group, which)
            for which, group in enumerate((solid, clear))
            if group
        ]
        if primitives:
            mesh = document.add("meshes", {"name": link.name, "primitives": primitives})
            node = {"name": link.name, "mesh": mesh, "extras": {"link": i}}
            document.tree["scenes"][0]["nodes"].append(document.add("nodes", node))
    return document.glb()


def _primitive(document: Gltf, parts: Sequence[Part], which: int) -> dict[str, Any]:
    """Parts merged into one primitive with the material at that position."""
    starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    faces = np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=False)])
    vertices = np.concatenate([part.vertices for part in parts]).astype(np.float32)
    normals = np.concatenate([part.normals for part in parts])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    linear = np.array([part.material.linear for part in parts])
    colors = np.repeat(np.round(linear * 65535), np.diff(starts), axis=0).astype(np.uint16)
    return {
        "attributes": {
            "POSITION": document.vertices(vertices, bounds=True),
            "NORMAL": document.vertices(normals.astype(np.float32)),
            "COLOR_0": document.vertices(colors, normalized=True),
        },
        "indices": document.faces(faces),
        "material": which,
    }
