"""3DT models in other formats and back, by the file's suffix: OBJ, glTF; and a machine's looks.

| suffix | what becomes of the hierarchy |
| --- | --- |
| `.obj` | an object ``component/body`` a body, a group with its link's name, a `.mtl` beside it |
| `.glb`, `.gltf` | nodes: robot, component, body; link and attributes are the nodes' extras |
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..description import (
    MODEL_SUFFIX,
    Body,
    Component,
    Model,
    ModelReading,
    Robot,
    bodies_by_link,
    model_text,
    parts_of,
    read_model,
    write_file,
)
from ..errors import ExportError
from .gltf_model import gltf_bytes, read_gltf_model
from .obj_model import obj_files, read_obj_model
from .unique_names import UniqueNames

SUFFIXES = (".3dt", ".obj", ".glb", ".gltf")


def read_any_model(path: str | Path) -> ModelReading:
    """Read a model from 3DT, OBJ or glTF."""
    suffix = Path(path).suffix.lower()
    if suffix == ".obj":
        return read_obj_model(Path(path))
    if suffix in (".glb", ".gltf"):
        return read_gltf_model(Path(path))
    return read_model(path)


def write_model(model: Model, path: str | Path) -> list[Path]:
    """Write a model as 3DT, OBJ (and its .mtl) or glTF; the files written.

    Raises:
        ExportError: another suffix, or a file that cannot be written.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == MODEL_SUFFIX:
        files: dict[Path, str | bytes] = {path: model_text(model)}
    elif suffix == ".obj":
        text, materials = obj_files(model, path.with_suffix(".mtl").name)
        files = {path.with_suffix(".mtl"): materials, path: text}
    elif suffix in (".glb", ".gltf"):
        files = {path: gltf_bytes(model, binary=suffix == ".glb")}
    else:
        raise ExportError(f"{path}: suffix {path.suffix!r} is none of {', '.join(SUFFIXES)}")
    for target, content in files.items():
        write_file(target, content)
    return list(files)


def model_of(robot: Robot, folder: str | Path | None = None) -> Model:
    """A machine's looks as a model: a component a link, a body a visual (or its own bodies).

    Raises:
        MachineFileError: a mesh or 3DT file that cannot be used.
        ExportError: no link has anything to see.
    """
    covered = bodies_by_link(robot, folder)
    components = []
    for link, parts in zip(robot.links, parts_of(robot, folder), strict=True):
        names = UniqueNames()
        bodies = [replace(body, name=names.new(body.name)) for body in covered.get(link.name, ())]
        for part in () if bodies else parts:
            name, color = names.new(part.name or link.name), part.material.color
            bodies.append(Body.make(name, link.name, part.vertices, part.faces, color))
        if bodies:
            components.append(Component(link.name, tuple(bodies)))
    if not components:
        raise ExportError(f"{robot.name}: no link has a visual, there is nothing to write")
    return Model(robot.name, tuple(components))
