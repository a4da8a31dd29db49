"""Triangle meshes of shapes, for pictures, export and contact.

Round shapes become 32-sided: smooth to look at, light to draw. Mesh files are hostile until
proved otherwise: they must lie in the machine file's folder, be of a format without archives,
not too large, and hold what their headers claim. Whatever is wrong with one is a `MeshError`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..errors import FileTooLargeError, HeadframeWarning, MachineFileError, MeshError, Problem
from .bent import bent_bar
from .geometry import (
    Box,
    Capsule,
    ChainLink,
    Cone,
    Cylinder,
    Geometry,
    Hull,
    Material,
    Mesh,
    Sphere,
    Torus,
    Visual,
)
from .mesh_files import (
    MESH_BYTES,
    MESH_ELEMENTS,
    MESH_SUFFIXES,
    MeshFile,
    coarser,
    read_mesh,
)

SEGMENTS = 32
SHOWN = 1_000_000  # triangles of all meshes of a machine, where it is looked at
LEAST_SHOWN = 5_000  # triangles of one mesh that are shown in any case
ARC_STEPS = 8
CREASE = math.radians(35.0)

if TYPE_CHECKING:
    from .model import Robot

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def triangles_of(
    geometry: Geometry,
    folder: str | Path | None = None,
    place: str = "",
) -> tuple[Floats, Integers]:
    """Vertices [m], (n, 3), and faces, (m, 3), of a shape, in the shape's own frame.

    Args:
        geometry: the shape; closed, its faces looking outwards, unless it is a mesh file.
        folder: the machine file's folder, to which mesh paths are relative.
        place: where the shape stands in its file, for error messages.

    Raises:
        MeshError: the mesh file is missing, outside the folder, unreadable or empty.
        FileTooLargeError: the mesh file is larger than 64 MiB.
    """
    if isinstance(geometry, Mesh):
        mesh = _read(geometry, folder, place)
        return mesh.vertices, mesh.faces
    if isinstance(geometry, Box):
        return _box(geometry)
    if isinstance(geometry, Hull):
        return hull_of(np.array(geometry.points))
    if isinstance(geometry, Torus | ChainLink):
        return bent_bar(geometry, SEGMENTS, SEGMENTS)[:2]
    return _revolved(_profile(geometry))


def pieces_of(
    visual: Visual,
    folder: str | Path | None = None,
    place: str = "",
    most: int = MESH_ELEMENTS,
) -> list[tuple[Floats, Integers, Material]]:
    """Vertices [m], faces and colour of a visual's pieces, in the visual's frame.

    A mesh file shows its own colours where the visual is given none; then there is a piece for
    every colour. A mesh of more than `most` triangles is made coarser. The other arguments and
    the errors are those of `triangles_of`.
    """
    geometry = visual.geometry
    if not isinstance(geometry, Mesh):
        return [(*triangles_of(geometry, folder, place), visual.material)]
    mesh = _read(geometry, folder, place)
    if "material" in visual.model_fields_set or mesh.paint is None or not mesh.colors:
        return [(*coarser(mesh.vertices, mesh.faces, most), visual.material)]
    pieces = []
    share = most / len(mesh.faces)
    for number in np.unique(mesh.paint):
        faces = mesh.faces[mesh.paint == number]
        used, places = np.unique(faces, return_inverse=True)
        color = mesh.colors[number] if 0 <= number < len(mesh.colors) else None
        material = visual.material if color is None else Material.make(color=color)
        few = max(int(share * len(faces)), 12)
        pieces.append((*coarser(mesh.vertices[used], places.reshape(-1, 3), few), material))
    return pieces


def most_triangles(robot: Robot) -> int:
    """Triangles that one mesh may have, so that all together can be looked at in a page."""
    shapes = (visual.geometry for link in robot.links for visual in link.visuals)
    return max(SHOWN // max(sum(isinstance(shape, Mesh) for shape in shapes), 1), LEAST_SHOWN)


def unreadable(robot: Robot) -> dict[str, str]:
    """Why meshes of a robot cannot be read that a reader has found, by path; each is read."""
    shapes = (shape for link in robot.links for shape in (*link.visuals, *link.collision))
    found = {shape.geometry for shape in shapes if isinstance(shape.geometry, Mesh)}
    reasons = {}
    for mesh in sorted((mesh for mesh in found if mesh.file), key=lambda mesh: mesh.path):
        try:
            _from_file(mesh, None, "")
        except MachineFileError as error:
            reasons[mesh.path] = error.problems[0].message
    return reasons


def _read(mesh: Mesh, folder: str | Path | None, place: str) -> MeshFile:
    """A mesh file, or the box that stands in its place if it cannot be read."""
    try:
        return _from_file(mesh, folder, place)
    except MachineFileError as error:
        if mesh.stand_in is None:
            raise
        message = f"{error}; a box stands in its place"
        warnings.warn(message, HeadframeWarning, stacklevel=4)
        return MeshFile(*_box(mesh.stand_in))


def corner_normals(
    vertices: Floats, faces: Integers, crease: float = CREASE, by_area: bool = False
) -> Floats:
    """Unit normals of every corner of every face: smooth over the round, sharp at edges.

    A corner's normal is the mean of the face normals around its vertex that differ from its own
    face's by less than `crease`, each weighted by its angle at the vertex, so that the way a
    flat side is cut into triangles makes no difference.

    Args:
        vertices: [m], (n, 3).
        faces: positions of vertices, (m, 3).
        crease: the angle from which an edge stays sharp [rad].
        by_area: whether large faces weigh more than small ones, so that a flat side stays flat
            where a narrow chamfer meets it.

    Returns:
        (m, 3, 3): face, corner, component.
    """
    corners = vertices[faces]
    normals, angles = _face_normals(corners)
    if by_area:
        sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        angles = angles * np.linalg.norm(sides, axis=1, keepdims=True)
    own = np.repeat(normals[:, None, :], 3, axis=1)
    flat_vertex = faces.ravel()
    degree = np.bincount(flat_vertex, minlength=len(vertices))
    if np.sum(degree.astype(float) ** 2) > 2e7:
        return own  # a fan so dense that its pairs would fill the memory: flat shading
    # all pairs (corner, other corner at the same vertex)
    order = np.argsort(flat_vertex, kind="stable")
    start = np.concatenate([[0], np.cumsum(degree)])[:-1]
    repeat = degree[flat_vertex]
    left = np.repeat(np.arange(flat_vertex.size), repeat)
    first = np.cumsum(repeat) - repeat
    right = order[np.repeat(start[flat_vertex] - first, repeat) + np.arange(left.size)]
    together = np.einsum("ij,ij->i", normals[left // 3], normals[right // 3]) > math.cos(crease)
    left, right = left[together], right[together]
    weight = angles.ravel()[right]
    sums = np.stack(
        [
            np.bincount(left, weight * normals[right // 3, axis], minlength=flat_vertex.size)
            for axis in range(3)
        ],
        axis=1,
    )
    length = np.linalg.norm(sums, axis=1, keepdims=True)
    smooth = np.where(length > 1e-15, sums / np.maximum(length, 1e-15), own.reshape(-1, 3))
    return smooth.reshape(-1, 3, 3)


def _face_normals(corners: Floats) -> tuple[Floats, Floats]:
    """Unit normals (m, 3) and corner angles (m, 3) [rad] of triangles (m, 3, 3)."""
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(cross, axis=1, keepdims=True)
    normals = np.where(length > 0, cross / np.where(length > 0, length, 1.0), (0.0, 0.0, 1.0))
    ahead = np.roll(corners, -1, axis=1) - corners
    back = np.roll(corners, 1, axis=1) - corners
    dot = np.einsum("ijk,ijk->ij", ahead, back)
    return normals, np.arctan2(np.broadcast_to(length, dot.shape), dot)


# --------------------------------------------------------------- shapes


def _box(box: Box) -> tuple[Floats, Integers]:
    """Vertices (8, 3) and outward faces (12, 3); a vertex's number has bits x, y, z."""
    signs = (np.arange(8)[:, None] >> np.arange(3)) & 1
    sides = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]
    faces = [corners for a, b, c, d in sides for corners in ((a, b, c), (a, c, d))]
    edges = np.array([box.x, box.y, box.z])
    return (signs - 0.5) * edges, np.array(faces, dtype=np.int64)


def hull_of(points: Floats) -> tuple[Floats, Integers]:
    """Vertices [m] (n, 3) and outward faces (m, 3) of the convex hull of points, (k, 3).

    Raises:
        MeshError: the points lie in a plane.
    """
    from scipy.spatial import ConvexHull, QhullError  # not needed by most machines

    middle = points.mean(axis=0)
    try:
        found = ConvexHull(points - middle)
    except QhullError:
        _fail(
            MeshError, "", f"found {len(points)} points in a plane, expected a hull with a volume"
        )
    used = np.sort(found.vertices)
    corners = points[used]
    faces = np.searchsorted(used, found.simplices)
    sides = corners[faces]
    normals = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    inwards = np.einsum("ij,ij->i", normals, found.equations[:, :3]) < 0.0
    faces[inwards] = faces[inwards, ::-1]
    return corners, faces.astype(np.int64)


def _profile(shape: Cylinder | Capsule | Sphere | Cone) -> list[tuple[float, float]]:
    """Outline (radius, z) [m] of a round shape, from bottom to top, both ends on the axis."""
    if isinstance(shape, Cylinder):
        low, high = -shape.h / 2, shape.h / 2
        return [(0.0, low), (shape.r1, low), (shape.r2, high), (0.0, high)]
    if isinstance(shape, Cone):
        return [(0.0, -shape.h / 2), (shape.r, -shape.h / 2), (0.0, shape.h / 2)]
    half = shape.h / 2 if isinstance(shape, Capsule) else 0.0
    angles = np.linspace(-math.pi / 2, math.pi / 2, 2 * ARC_STEPS + 1)[1:-1]
    arc = [(shape.r * math.cos(a), shape.r * math.sin(a)) for a in angles]
    lower = [(r, z - half) for r, z in arc if z <= 1e-12 * shape.r]
    upper = [(r, z + half) for r, z in arc if z >= -1e-12 * shape.r]
    if half == 0.0:
        upper = upper[1:]  # the equator once
    top = shape.r + half
    return [(0.0, -top), *lower, *upper, (0.0, top)]


def _revolved(profile: Sequence[tuple[float, float]]) -> tuple[Floats, Integers]:
    """Vertices (n, 3) and outward faces (m, 3) of an outline turned about z."""
    turn = np.linspace(0.0, 2.0 * math.pi, SEGMENTS, endpoint=False)
    around = np.arange(SEGMENTS)
    vertices: list[Floats] = []
    rings: list[Integers] = []
    count = 0
    for radius, z in profile:
        steps = turn if radius > 0 else turn[:1]
        vertices.append(
            np.column_stack(
                [radius * np.cos(steps), radius * np.sin(steps), np.full_like(steps, z)]
            )
        )
        rings.append(count + (around if radius > 0 else np.zeros_like(around)))
        count += len(steps)
    faces: list[Integers] = []
    for (r_low, _), (r_high, _), low, high in zip(
        profile, profile[1:], rings, rings[1:], strict=False
    ):
        low_next, high_next = np.roll(low, -1), np.roll(high, -1)
        if r_low > 0:
            faces.append(np.column_stack([low, low_next, high]))
        if r_high > 0:
            faces.append(np.column_stack([low_next, high_next, high]))
    return np.concatenate(vertices), np.concatenate(faces)


# -------------------------------------------------------------------- mesh files


def _from_file(geometry: Mesh, folder: str | Path | None, place: str) -> MeshFile:
    """The mesh of a file, scaled."""
    path, root = _checked_path(geometry, folder, place)

    def fail(message: str) -> NoReturn:
        _fail(MeshError, place, f"mesh {geometry.path!r}: {message}")

    try:
        found = read_mesh(path, root)
    except Exception as error:  # loaders raise anything on a broken file
        reason = str(error).strip() or type(error).__name__
        fail(f"cannot be read: {reason.splitlines()[0][:200]}")
    vertices, faces = found.vertices, found.faces
    if not len(faces):
        fail("has no faces")
    if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3:
        fail("is not made of triangles in space")
    if len(faces) > MESH_ELEMENTS:
        fail(f"has {len(faces)} faces, more than {MESH_ELEMENTS}")
    if faces.min() < 0 or faces.max() >= len(vertices):
        fail("has faces with vertices that are not there")
    scale = np.asarray(geometry.scale)
    with np.errstate(over="ignore", invalid="ignore"):
        vertices = vertices * scale
    if not np.isfinite(vertices).all():
        fail("has vertices that are not finite numbers")
    if np.prod(np.sign(scale)) < 0:  # mirrored: faces would look inwards
        faces = faces[:, ::-1]
    return MeshFile(vertices, faces, found.paint, found.colors)


def _checked_path(mesh: Mesh, folder: str | Path | None, place: str) -> tuple[Path, Path]:
    """The mesh file and its folder, both resolved, if the file may be read at all."""
    name = mesh.path
    if mesh.root is not None:  # a reader has found it in a folder that is allowed
        folder = mesh.root
    if folder is None:
        _fail(MeshError, place, f"mesh {name!r}: there is no folder to find it in")
    try:
        root = Path(folder).resolve()
        path = (mesh.file or root / name.replace("\\", "/")).resolve()
        inside = path.is_relative_to(root)
        is_file = inside and path.is_file()
        size = path.stat().st_size if is_file else 0
    except (OSError, ValueError) as error:
        _fail(MeshError, place, f"mesh {name!r}: not a path that can be read: {error}")
    if not inside:
        _fail(MeshError, place, f"mesh {name!r}: is outside the machine file's folder")
    if path.suffix.lower() not in MESH_SUFFIXES:
        _fail(
            MeshError,
            place,
            f"mesh {name!r}: unknown format {path.suffix!r}",
            f"the formats are {', '.join(MESH_SUFFIXES)}",
        )
    if not is_file:
        _fail(MeshError, place, f"mesh {name!r}: there is no such file in {root}")
    if size > MESH_BYTES:
        message = f"mesh {name!r}: {size} bytes, more than {MESH_BYTES}"
        _fail(FileTooLargeError, place, message)
    return path, root


def _fail(kind: type[MachineFileError], place: str, message: str, hint: str = "") -> NoReturn:
    raise kind([Problem(kind, place, message, hint)]) from None
