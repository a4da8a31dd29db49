"""Mesh files: vertices, triangles and colours of whatever people's programs wrote.

STL, PLY, OFF and glTF are read by trimesh, OBJ and COLLADA here: for the first we want colours
without images, for the second no parser that opens what a file tells it to. Before a file is
read, the claims of its header are compared with its size. Errors are of any class; the caller
turns them into a `MeshError`.
"""

from __future__ import annotations

import io
import json
import struct
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import Problem
from .files import read_limited

MESH_SUFFIXES = (".stl", ".dae", ".obj", ".ply", ".glb", ".gltf", ".off")
COMPANIONS = (".mtl", ".bin")  # what OBJ and glTF keep in files of their own
MESH_BYTES = 64 * 2**20
MESH_ELEMENTS = 10_000_000
LIBRARY_BYTES = 2**20  # of an OBJ file's materials

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Color = tuple[float, float, float, float]


@dataclass(frozen=True)
class MeshFile:
    """What a mesh file holds.

    Attributes:
        vertices: (n, 3).
        faces: positions of vertices, (m, 3).
        paint: position in `colors` of every face, (m,), or -1; None if there are no colours.
        colors: red, green, blue and opacity, 0 to 1, in sRGB.
    """

    vertices: Floats
    faces: Integers
    paint: Integers | None = None
    colors: tuple[Color, ...] = field(default=())


def read_mesh(path: Path, root: Path) -> MeshFile:
    """Read a mesh file; files beside it are opened only inside of `root`.

    Both paths are resolved, and the file is one that may be opened. Colours are those of its
    materials; images are not read.
    """
    check_claims(path)
    suffix = path.suffix.lower()
    if suffix == ".dae":
        from .collada import read_collada

        return read_collada(path.read_bytes())
    if suffix == ".obj":
        return _read_obj(path, Beside(path, root))
    return _read_by_trimesh(path, root)


class Beside:
    """Gives a mesh loader the materials and buffers beside the mesh, in its folder; no others."""

    def __init__(self, mesh_path: Path, folder: Path) -> None:
        self.beside = mesh_path.parent
        self.folder = folder

    def get(self, name: str) -> bytes:
        """The contents of a file; ValueError if it is outside of the folder, or none of these."""
        path = (self.beside / name).resolve()
        if not path.is_relative_to(self.folder):
            raise ValueError(f"it refers to {name!r}, outside the machine file's folder")
        if not _is_companion(name, path):
            raise ValueError(f"it refers to {name!r}, expected {' or '.join(COMPANIONS)}")
        data = read_limited(path, MESH_BYTES)
        if isinstance(data, Problem):
            raise ValueError(f"it refers to {name!r}, which {data.message}")
        return data

    __getitem__ = get


def companions(file: Path, root: Path) -> list[str]:
    """Names of the files that a mesh needs beside it: OBJ's materials, glTF's buffers.

    Only those that are there, below the mesh's own folder and inside of `root`.
    """
    found = []
    for name in _needed(file):
        beside = (file.parent / name).resolve()
        plain = ".." not in Path(name).parts and not Path(name).is_absolute()
        inside = plain and beside.is_relative_to(root.resolve())
        if inside and _is_companion(name, beside) and beside.is_file():
            found.append(name)
    return found


def _is_companion(name: str, file: Path) -> bool:
    """Whether a file that a mesh names, links resolved, is of a kind that meshes need."""
    return all(path.suffix.lower() in COMPANIONS for path in (Path(name), file))


def _needed(file: Path) -> list[str]:
    suffix = file.suffix.lower()
    try:
        if suffix == ".obj":
            with file.open("rb") as opened:
                head = opened.read(2**16).decode("utf-8", "replace")
            lines = [line.split(None, 1) for line in head.splitlines()]
            return [words[1].strip() for words in lines if words[:1] == ["mtllib"] and words[1:]]
        if suffix == ".gltf" and file.stat().st_size <= MESH_BYTES:
            buffers = gltf_json(file.read_bytes(), suffix).get("buffers", [])
            names = [str(buffer.get("uri", "")) for buffer in buffers]
            return [name for name in names if name and not name.startswith("data:")]
    except (OSError, ValueError, AttributeError):
        pass  # told when the mesh itself is read
    return []


def coarser(vertices: Floats, faces: Integers, most: int) -> tuple[Floats, Integers]:
    """A surface of at most so many triangles: points that lie close together become one.

    Points in one cell of a grid are replaced by their mean, and triangles that shrink to lines
    are left out; the grid is made wider until few enough are left.
    """
    if len(faces) <= most:
        return vertices, faces
    low = vertices.min(axis=0)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    area = float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2.0
    cell = max(np.sqrt(2.0 * area / most), 1e-9 * float(np.ptp(vertices)) + 1e-300)
    for _ in range(40):
        cells = np.minimum((vertices - low) / cell, 2.0**20).astype(np.int64)
        key = (cells[:, 0] << 42) | (cells[:, 1] << 21) | cells[:, 2]
        _, place = np.unique(key, return_inverse=True)
        count = np.bincount(place)
        corners = place[faces]
        kept = corners[
            (corners[:, 0] != corners[:, 1])
            & (corners[:, 1] != corners[:, 2])
            & (corners[:, 2] != corners[:, 0])
        ]
        if len(kept) <= most:
            means = [np.bincount(place, vertices[:, k]) / count for k in range(3)]
            return np.stack(means, axis=1), kept
        cell *= 1.25
    return vertices, faces[:most]


def joined(parts: list[tuple[Floats, Integers, Color | None]]) -> MeshFile:
    """Surfaces of one colour each as one mesh; None is no colour of its own."""
    if not parts:
        return MeshFile(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    colors = list(dict.fromkeys(color for _, _, color in parts if color is not None))
    starts = np.cumsum([0, *(len(vertices) for vertices, _, _ in parts)])
    numbers = [-1 if color is None else colors.index(color) for _, _, color in parts]
    return MeshFile(
        np.concatenate([vertices for vertices, _, _ in parts]),
        np.concatenate([f + start for (_, f, _), start in zip(parts, starts, strict=False)]),
        np.repeat(np.array(numbers), [len(faces) for _, faces, _ in parts]) if colors else None,
        tuple(colors),
    )


# ---------------------------------------------------------------- by trimesh


def _read_by_trimesh(path: Path, root: Path) -> MeshFile:
    import trimesh

    suffix, data = path.suffix.lower(), path.read_bytes()
    if suffix in (".glb", ".gltf"):
        data = without_images(data, suffix)
    scene = trimesh.load_scene(io.BytesIO(data), file_type=suffix[1:], resolver=Beside(path, root))
    parts = []
    for mesh in scene.dump(concatenate=False):
        if hasattr(mesh, "faces"):
            vertices = np.array(mesh.vertices, dtype=np.float64)
            faces = np.array(mesh.faces, dtype=np.int64)
            parts.append((vertices, faces, _color(mesh.visual)))
    return joined(parts)


def _color(visual: Any) -> Color | None:
    """The one colour of a mesh as trimesh has it; the mean where its points have theirs."""
    material = getattr(visual, "material", None)
    linear = getattr(material, "baseColorFactor", None)
    if linear is not None:
        values = np.asarray(linear, dtype=float)
        values = values / 255.0 if values.max(initial=0.0) > 1.0 else values
        return _srgb(values)
    kind = getattr(visual, "kind", None)
    if kind in ("vertex", "face"):
        colors = visual.vertex_colors if kind == "vertex" else visual.face_colors
        red, green, blue, alpha = np.asarray(colors, dtype=float).mean(axis=0) / 255.0
        return float(red), float(green), float(blue), float(alpha)
    return None


def _srgb(linear: Floats) -> Color | None:
    """A colour in linear light as files have it (IEC 61966-2-1)."""
    if linear.shape != (4,) or not np.isfinite(linear).all():
        return None
    rgb = np.clip(linear, 0.0, 1.0)
    high = 1.055 * np.power(rgb[:3], 1 / 2.4) - 0.055
    red, green, blue = np.where(rgb[:3] <= 0.0031308, 12.92 * rgb[:3], high).tolist()
    return red, green, blue, float(rgb[3])


def without_images(data: bytes, suffix: str) -> bytes:
    """A glTF file whose materials are plain colours: no image in it is ever opened."""
    tree = gltf_json(data, suffix)
    for key in ("images", "textures", "samplers", "extensionsRequired", "animations"):
        tree.pop(key, None)
    materials = tree.get("materials", [])
    for i, material in enumerate(materials):
        plain = material.get("pbrMetallicRoughness", {})
        color = plain.get("baseColorFactor", [1.0, 1.0, 1.0, 1.0])
        if "baseColorTexture" in plain and "baseColorFactor" not in plain:
            color = [0.6, 0.6, 0.6, 1.0]
        materials[i] = {"pbrMetallicRoughness": {"baseColorFactor": color}}
    text = json.dumps(tree).encode()
    if suffix == ".gltf":
        return text
    text += b" " * (-len(text) % 4)
    (length,) = struct.unpack_from("<I", data, 12)
    rest = data[20 + length :]
    total = 20 + len(text) + len(rest)
    return struct.pack("<4sIIII", b"glTF", 2, total, len(text), 0x4E4F534A) + text + rest


# ----------------------------------------------------------------------- OBJ


def _read_obj(path: Path, beside: Beside) -> MeshFile:
    """Vertices and faces of an OBJ file; its materials' colours, if their file can be read."""
    points: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    paint: list[int] = []
    names: dict[str, int] = {}
    libraries: list[str] = []
    now = -1
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            words = line.split()
            if not words:
                continue
            if words[0] == "v":
                points.append([float(word) for word in words[1:4]])
            elif words[0] == "f":
                places = [_place(word, len(points)) for word in words[1:]]
                first = places[0]
                faces += [(first, b, c) for b, c in pairwise(places[1:])]
                paint += [now] * (len(faces) - len(paint))
            elif words[0] == "usemtl":
                now = names.setdefault(" ".join(words[1:]), len(names))
            elif words[0] == "mtllib":
                libraries.append(line.split(None, 1)[1].strip())
    vertices = np.array(points, dtype=np.float64).reshape(-1, 3)
    found = np.array(faces, dtype=np.int64).reshape(-1, 3)
    known = _library_colors(libraries, beside) if names else {}
    if not any(name in known for name in names):
        return MeshFile(vertices, found)
    colors = tuple(known.get(name) for name in names)
    shown = [number for number, color in enumerate(colors) if color is not None]
    position = {number: place for place, number in enumerate(shown)}
    painted = np.array([position.get(number, -1) for number in paint], dtype=np.int64)
    return MeshFile(vertices, found, painted, tuple(c for c in colors if c is not None))


def _place(word: str, count: int) -> int:
    """Position of a vertex that a face names: from 1, or backwards from the last one."""
    number = int(word.partition("/")[0])
    return number - 1 if number > 0 else count + number


def _library_colors(libraries: list[str], beside: Beside) -> dict[str, Color]:
    """Colours by name of OBJ's material files; those that cannot be read have none."""
    colors: dict[str, Color] = {}
    for library in libraries[:16]:
        try:
            text = beside.get(library)[:LIBRARY_BYTES].decode("utf-8", "replace")
        except (OSError, ValueError):
            continue
        name, opacity, diffuse = "", 1.0, (0.6, 0.6, 0.6)
        for line in [*text.splitlines(), "newmtl"]:
            words = line.split()
            if not words:
                continue
            if words[0] == "newmtl":
                if name:
                    colors.setdefault(name, (*diffuse, opacity))
                name, opacity, diffuse = " ".join(words[1:]), 1.0, (0.6, 0.6, 0.6)
            elif words[0] == "Kd" and len(words) >= 4:
                red, green, blue = (min(max(_number(word), 0.0), 1.0) for word in words[1:4])
                diffuse = red, green, blue
            elif words[0] == "d" and len(words) == 2:
                opacity = min(max(_number(words[1]), 0.0), 1.0)
    return colors


def _number(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        return 0.6
    return value if np.isfinite(value) else 0.6


# -------------------------------------------------------------------- claims


def check_claims(path: Path) -> None:
    """Raise ValueError for a header that claims more than the file can hold."""
    suffix = path.suffix.lower()
    size = path.stat().st_size
    if size == 0:
        raise ValueError("the file is empty")
    with path.open("rb") as file:
        head = file.read(2048)
        if suffix == ".stl" and len(head) >= 84 and not _is_ascii_stl(head):
            (claimed,) = struct.unpack_from("<I", head, 80)
            held = (size - 84) // 50
            if claimed > held:
                raise ValueError(f"its header claims {claimed} faces, the file holds {held}")
        elif suffix == ".ply":
            for line in head.split(b"end_header")[0].splitlines():
                words = line.split()
                if len(words) == 3 and words[0] == b"element" and int(words[2]) > size:
                    raise ValueError(f"its header claims more elements than it has bytes: {line!r}")
        elif suffix in (".gltf", ".glb"):
            file.seek(0)
            check_gltf(gltf_json(file.read(), suffix))


def _is_ascii_stl(head: bytes) -> bool:
    """Text STL starts with 'solid', as some binary ones do; only text has 'facet' near it."""
    return head.lstrip()[:5].lower() == b"solid" and b"facet" in head.lower()


def gltf_json(data: bytes, suffix: str) -> Any:
    """The JSON part of a glTF file."""
    if suffix == ".glb":
        if len(data) < 20 or data[:4] != b"glTF":
            raise ValueError("it is not a binary glTF file")
        (length,) = struct.unpack_from("<I", data, 12)
        if length > len(data) - 20:
            raise ValueError("its header claims more than the file holds")
        data = data[20 : 20 + length]
    return json.loads(data)


def check_gltf(tree: Any) -> None:
    """Refuse glTF that would fill the memory or never end: huge accessors, cycles of nodes."""
    if not isinstance(tree, dict):
        raise ValueError("it is not a glTF file")
    if sum(int(accessor["count"]) for accessor in tree.get("accessors", [])) > MESH_ELEMENTS:
        raise ValueError(f"it claims more than {MESH_ELEMENTS} elements")
    parents: dict[int, int] = {}
    for i, node in enumerate(tree.get("nodes", [])):
        for child in node.get("children", []):
            if parents.setdefault(int(child), i) != i:
                raise ValueError(f"its node {child} has two parents")
    for start in parents:
        node, steps = start, 0
        while node in parents:
            node, steps = parents[node], steps + 1
            if steps > 1000:
                raise ValueError("its nodes contain each other, or are nested too deeply")
