"""Mesh files that an exported document names, rewritten as OBJ, and shapes that it has no word for.

Every reader of MJCF and URDF takes OBJ, at any size. The meshes are read by the description's
own reader, which trusts no file.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from ..description import Geometry, Mesh, output_path, triangles_of, unwritable, write_file
from .xml_text import XmlNames, numbers


class MeshFiles:
    """The files to stand in `folder`, a name relative to the document."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._names = XmlNames()
        self._files: dict[str | Geometry, str] = {}
        self._shapes: dict[str | Geometry, Geometry] = {}

    def file_of(self, shape: Geometry) -> str:
        """Name, relative to the document, of the copy of a mesh file, or of a shape's surface."""
        key: str | Geometry = shape
        stem = shape.type.replace("_", "")
        if isinstance(shape, Mesh):
            key = shape.path
            shape = shape.model_copy(update={"scale": (1.0, 1.0, 1.0)})
            stem = PurePosixPath(key.replace("\\", "/")).stem.replace(":", "_")
        if key not in self._files:
            self._shapes[key] = shape
            self._files[key] = f"{self.folder}/{self._names.new('file', stem)}.obj"
        return self._files[key]

    def contents(self, source: str | Path | None) -> dict[str, bytes]:
        """Content of every file named so far; meshes are read from the folder `source`.

        Raises:
            MeshError: a mesh file is missing or unreadable.
            FileTooLargeError: it is larger than the limit.
        """
        return {name: obj_bytes(self._shapes[key], source) for key, name in self._files.items()}


def obj_bytes(shape: Geometry, source: str | Path | None) -> bytes:
    """A mesh file of the folder `source`, or the surface of a shape, as OBJ."""
    vertices, faces = triangles_of(shape, source)
    lines = [f"v {numbers(vertex)}" for vertex in vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in (faces + 1).tolist()]
    return "\n".join([*lines, ""]).encode()


def write_with_meshes(path: Path, text: str, meshes: dict[str, bytes]) -> None:
    """Write a document and the files it refers to, in a folder of their own beside it.

    Raises:
        ExportError: one of them cannot be written.
    """
    output_path(path)
    for name, data in meshes.items():
        try:
            (path.parent / name).parent.mkdir(exist_ok=True)
        except OSError as error:
            raise unwritable(path.parent / name, error) from None
        write_file(path.parent / name, data)
    write_file(path, text)
