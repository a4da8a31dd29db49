"""The assembled machine as glTF, for viewers: one node a link, one mesh a visual.

glTF is y-up; a root node turns machines that are z-up. Base colours are linear in glTF and
sRGB in machine files.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..description import (
    CREASE,
    Material,
    Robot,
    Surface,
    bodies_by_link,
    body_parts,
    output_path,
    pieces_of,
    shapes_of,
    split,
    write_file,
)
from ..errors import ExportError
from .unique_names import UniqueNames

if TYPE_CHECKING:
    from ..mechanism import State

SUFFIXES = (".glb", ".gltf")
METALLIC = 0.1
ROUGHNESS = 0.6
# z up, x forward -> y up, x forward: (x, y, z) becomes (x, z, -y)
Y_UP_FROM_Z_UP = np.array(
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
)


def write_gltf(
    robot: Robot, state: State, path: str | Path, folder: str | Path | None = None
) -> Path:
    """Write the assembled visual as ``.glb`` or as a self-contained ``.gltf``.

    Args:
        robot: the machine.
        state: gives the links' poses.
        path: the file to write.
        folder: the machine file's folder, to which mesh paths are relative.

    Returns:
        The path written.

    Raises:
        ExportError: another suffix, nothing to show, or a file that cannot be written.
        MeshError: a mesh file that cannot be read.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise ExportError(f"{path}: glTF is written as {' or '.join(SUFFIXES)}")
    output_path(path)
    scene = assembled_scene(robot, state, folder)
    if not scene.geometry:
        raise ExportError(f"{robot.name}: no link has a visual, there is nothing to write")
    from trimesh.exchange.gltf import export_glb, export_gltf

    if path.suffix.lower() == ".glb":
        data = export_glb(scene, include_normals=True)
    else:
        files = export_gltf(scene, include_normals=True, merge_buffers=True, embed_buffers=True)
        data = files["model.gltf"]
    write_file(path, data)
    return path


def assembled_scene(robot: Robot, state: State, folder: str | Path | None = None) -> Any:
    """The assembled visual as a `trimesh.Scene`, y up.

    Its graph: a root node named like the machine, under it one node a link that is named like
    the link, under that one node a visual (``link/visual``). Names taken twice get a number.
    Where the machine's 3DT file covers a link, its bodies stand for the visuals.
    """
    import trimesh

    scene = trimesh.Scene(base_frame="world")
    names = UniqueNames({"world", *(link.name for link in robot.links)})
    root = names.new(robot.name)
    up = Y_UP_FROM_Z_UP if robot.up_axis == "z" else np.eye(4)
    scene.graph.update(frame_to=root, frame_from="world", matrix=up)
    covered = bodies_by_link(robot, folder)
    for link in robot.links:
        node = link.name if link.name != "world" else names.new("world")
        scene.graph.update(frame_to=node, frame_from=root, matrix=state.pose(link.name))
        for part in body_parts(covered.get(link.name, ())):
            name = names.new(f"{link.name}/{part.name}")
            mesh = _mesh((part.vertices, part.faces, part.normals), part.material)
            scene.add_geometry(mesh, node_name=name, geom_name=name, parent_node_name=node)
        for i, visual in enumerate(() if link.name in covered else shapes_of(robot, link)):
            place = f"links[{robot.link_index[link.name]}].visual[{i}]"
            for vertices, faces, material in pieces_of(visual, folder, place):
                name = names.new(f"{link.name}/{visual.name or i}")
                scene.add_geometry(
                    _mesh(split(vertices, faces, CREASE), material),
                    node_name=name,
                    geom_name=name,
                    parent_node_name=node,
                    transform=visual.pose,
                )
    return scene


def _mesh(surface: Surface, paint: Material) -> Any:
    """A surface with its material, as trimesh has it."""
    import trimesh

    vertices, faces, normals = surface
    color = paint.linear
    material = trimesh.visual.material.PBRMaterial(
        baseColorFactor=list(color),
        metallicFactor=METALLIC,
        roughnessFactor=ROUGHNESS,
        alphaMode="BLEND" if color[3] < 1.0 else "OPAQUE",
    )
    return trimesh.Trimesh(
        vertices,
        faces,
        vertex_normals=normals,
        visual=trimesh.visual.TextureVisuals(material=material),
        process=False,
    )
