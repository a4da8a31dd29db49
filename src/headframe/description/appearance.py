"""What is seen of a machine's links: coloured surfaces, from its 3DT file or from its visuals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .cylinders import shapes_of
from .geometry import Geometry, Material, Mesh, Visual
from .meshes import CREASE, Floats, Integers, corner_normals, most_triangles, pieces_of
from .model import Robot
from .rounded import Surface, rounded
from .three_dt.fitting import bodies_by_link
from .three_dt.model import Body

TRIANGLES = 40_000  # what a machine's visuals are kept below
DETAILS = (1.0, 0.75, 0.5, 0.35, 0.25)
INVISIBLE = 0.02  # opacity


@dataclass(frozen=True)
class Part:
    """A coloured piece of a link's surface.

    Attributes:
        name: of the body or the visual, where it has one.
        vertices: in the link's axes [m], (n, 3).
        faces: positions of vertices, (m, 3).
        normals: unit normals of the vertices, (n, 3); a vertex on a sharp edge is there twice.
        material: its colour.
    """

    name: str | None
    vertices: Floats
    faces: Integers
    normals: Floats
    material: Material


def parts_of(robot: Robot, folder: str | Path | None = None) -> tuple[tuple[Part, ...], ...]:
    """What is seen of every link, in the order of `robot.links`.

    A link that the robot's 3DT file covers shows the bodies of this file, any other its visuals,
    with broken edges. Round visuals get fewer segments where the machine would otherwise have
    more than 40,000 triangles.

    Args:
        robot: the machine.
        folder: the machine file's folder; without it, there are no 3DT file and no meshes.

    Raises:
        MachineFileError: a mesh or 3DT file that cannot be used.
    """
    covered = bodies_by_link(robot, folder)
    bodies = {link: tuple(body_parts(group)) for link, group in covered.items()}
    spent = sum(len(part.faces) for group in bodies.values() for part in group)
    links: tuple[tuple[Part, ...], ...] = ()
    files: _Files = {}
    for detail in DETAILS:
        look = _Visuals(robot, folder, detail, files)
        links = tuple(
            bodies[link.name] if link.name in bodies else tuple(look.parts(i))
            for i, link in enumerate(robot.links)
        )
        if look.count + spent <= TRIANGLES:
            break
    return links


def body_parts(bodies: Sequence[Body]) -> list[Part]:
    """Bodies of a 3DT file, with normals; worked out together, since that is quicker."""
    parts: list[Part | None] = [None] * len(bodies)
    for crease in {body.crease for body in bodies}:
        group = [i for i, body in enumerate(bodies) if body.crease == crease]
        starts = np.cumsum([0, *(len(bodies[i].vertices) for i in group)])
        ends = np.cumsum([0, *(len(bodies[i].triangles) for i in group)])
        faces = [bodies[i].triangles + start for i, start in zip(group, starts, strict=False)]
        vertices = np.concatenate([bodies[i].vertices for i in group])
        angle = math.radians(crease)
        places, corners, normals = _split(vertices, np.concatenate(faces), angle, by_area=True)
        cuts = np.searchsorted(places, starts)  # a body's vertices stand together
        for n, i in enumerate(group):
            own = slice(cuts[n], cuts[n + 1])
            own_faces = corners[ends[n] : ends[n + 1]] - cuts[n]
            surface = (vertices[places[own]], own_faces, normals[own])
            parts[i] = Part(bodies[i].name, *surface, bodies[i].material)
    return [part for part in parts if part is not None]


def split(vertices: Floats, faces: Integers, crease: float, by_area: bool = False) -> Surface:
    """A surface whose vertices are doubled where edges are sharper than `crease` [rad]."""
    places, corners, normals = _split(vertices, faces, crease, by_area)
    return vertices[places], corners, normals


def _split(
    vertices: Floats, faces: Integers, crease: float, by_area: bool
) -> tuple[Integers, Integers, Floats]:
    """The old position of every new vertex, in rising order, the new faces, the new normals."""
    normals = corner_normals(vertices, faces, crease, by_area).reshape(-1, 3)
    keys = np.round(normals * 1e3).astype(np.int64) + 1000
    key = ((faces.ravel() * 2001 + keys[:, 0]) * 2001 + keys[:, 1]) * 2001 + keys[:, 2]
    _, first, corner = np.unique(key, return_index=True, return_inverse=True)
    return faces.ravel()[first], corner.reshape(-1, 3), normals[first]


_Key = tuple[Geometry, Material | None]
_Files = dict[_Key, list[tuple[Surface, Material]]]


class _Visuals:
    """Makes surfaces of visuals; equal geometries are made once."""

    def __init__(
        self, robot: Robot, folder: str | Path | None, detail: float, files: _Files
    ) -> None:
        self.robot = robot
        self.files = files  # surfaces of mesh files
        self.most = most_triangles(robot)
        self.folder = folder
        self.detail = detail
        self.count = 0  # triangles made so far, without those of mesh files
        self.made: _Files = {}

    def parts(self, i: int) -> Iterator[Part]:
        """The parts of a link."""
        for k, visual in enumerate(shapes_of(self.robot, self.robot.links[i])):
            if visual.material.color[3] >= INVISIBLE:
                yield from self.pieces(visual, f"links[{i}].visual[{k}]")

    def pieces(self, visual: Visual, place: str) -> Iterator[Part]:
        """The parts of a visual: one, or one for each colour of its mesh."""
        geometry, X_LV = visual.geometry, visual.pose
        key = _key(visual)
        if key not in self.made:
            if isinstance(geometry, Mesh):
                self.made[key] = self.meshes(visual, place)
            else:
                self.made[key] = [(rounded(geometry, self.detail), visual.material)]
        R, p = X_LV[:3, :3], X_LV[:3, 3]
        for (vertices, faces, normals), material in self.made[key]:
            self.count += 0 if isinstance(geometry, Mesh) else len(faces)
            yield Part(visual.name, vertices @ R.T + p, faces, normals @ R.T, material)

    def meshes(self, visual: Visual, place: str) -> list[tuple[Surface, Material]]:
        """The pieces of a mesh file, read once however many passes it takes."""
        key = _key(visual)
        if key not in self.files:
            self.files[key] = [
                (split(vertices, faces, CREASE), material)
                for vertices, faces, material in pieces_of(visual, self.folder, place, self.most)
                if material.color[3] >= INVISIBLE
            ]
        return self.files[key]


def _key(visual: Visual) -> _Key:
    """What a visual's surfaces depend on; without a colour of its own a mesh shows its own."""
    return visual.geometry, visual.material if "material" in visual.model_fields_set else None
