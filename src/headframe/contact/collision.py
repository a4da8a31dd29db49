"""What of a machine is touched: shapes of its links, and pairs that pass through each other.

Links pass through each other where a joint connects them (links that are bolted together count as
one), where they are tube, rod and mounts of one cylinder, where the file says so, and where their
shapes touch in the home pose: shapes are rough, and what is at home cannot be in the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..description import (
    USUAL_MATERIAL,
    CollisionShape,
    ContactMaterial,
    Material,
    Mesh,
    Robot,
    Visual,
    bodies_by_link,
    body_parts,
    shapes_of,
    triangles_of,
)
from .hulls import Piece, shapes_around
from .materials import material_named
from .overlap import convex_parts, near_each_other
from .shapes import ShapeRecords, shape_records

Floats = NDArray[np.float64]
Pair = tuple[int, int]  # positions of links, the smaller first
GIVEN_COLOR, MADE_COLOR = (0.25, 0.45, 0.70, 1.0), (0.85, 0.55, 0.20, 1.0)


class WhyApart(StrEnum):
    """Why two links pass through each other."""

    BOLTED = "bolted together"
    JOINED = "connected by a joint"
    CYLINDER = "tube, rod and mounts of a cylinder"
    LISTED = "listed in no_contact"
    HOME = "touching at home"


@dataclass(frozen=True)
class Collision:
    """What of a machine is touched.

    Attributes:
        robot: the machine.
        folder: where its mesh files are.
        shapes: of every link, in the order of `robot.links`: those of the file, or made ones.
        made: whether they are made of what is seen, for every link.
        apart: pairs of links that pass through each other, and why.
    """

    robot: Robot
    folder: Path | None
    shapes: tuple[tuple[CollisionShape, ...], ...]
    made: tuple[bool, ...]
    apart: Mapping[Pair, WhyApart]

    def __repr__(self) -> str:
        count = sum(len(own) for own in self.shapes)
        return f"Collision({self.robot.name}: {count} shapes, {len(self.pairs)} pairs of links)"

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Pairs of links that touch each other where they meet."""
        with_shapes = [i for i, own in enumerate(self.shapes) if own]
        return tuple(pair for pair in combinations(with_shapes, 2) if pair not in self.apart)

    @cached_property
    def bodies(self) -> tuple[int, ...]:
        """For every link the first one of those that are bolted together with it."""
        return tuple(bolted(self.robot))

    @cached_property
    def materials(self) -> tuple[ContactMaterial, ...]:
        """The materials of all shapes, each once."""
        names = dict.fromkeys(
            shape.contact or USUAL_MATERIAL for own in self.shapes for shape in own
        )
        return tuple(material_named(name, self.robot.materials) for name in names)

    @cached_property
    def records(self) -> ShapeRecords:
        """All shapes for the kernels, link by link; bodies are positions of links.

        Raises:
            MeshError: a mesh of the file that cannot be read, or is not closed.
        """
        number = {material.name: i for i, material in enumerate(self.materials)}
        listed, places = [], []
        for i, own in enumerate(self.shapes):
            for k, shape in enumerate(own):
                listed.append((i, shape, number[shape.contact or USUAL_MATERIAL]))
                places.append(f"links[{i}].collision[{k}]")
        return shape_records(listed, self.folder, places)

    @property
    def dressed(self) -> Robot:
        """The machine with its shapes as what is seen: the file's blue, made ones orange."""
        links = []
        for link, own, made in zip(self.robot.links, self.shapes, self.made, strict=True):
            color = Material(color=MADE_COLOR if made else GIVEN_COLOR)
            seen = tuple(
                Visual.make(
                    translation=shape.translation,
                    orientation=shape.orientation,
                    geometry=shape.geometry,
                    material=color,
                )
                for shape in own
            )
            links.append(link.model_copy(update={"visuals": seen}))
        return self.robot.model_copy(update={"links": tuple(links), "geometry_file": None})


def collision_of(robot: Robot, folder: Path | None, poses: Mapping[str, Floats]) -> Collision:
    """What of a machine is touched.

    Args:
        robot: the machine.
        folder: the machine file's folder, where meshes and 3DT files are.
        poses: X_world_link of every link in the home pose, (4, 4) each, by name.

    Raises:
        MachineFileError: a mesh or 3DT file that cannot be used.
    """
    shapes = touched_shapes(robot, folder)
    made = tuple(not link.collision for link in robot.links)
    apart = pairs_apart(robot)
    X_WL = np.array([poses[link.name] for link in robot.links])
    for pair in touching_at_home(shapes, folder, X_WL):
        apart.setdefault(pair, WhyApart.HOME)
    return Collision(robot, folder, shapes, made, apart)


# -- shapes ----------------------------------------------------------------------------


def touched_shapes(robot: Robot, folder: Path | None) -> tuple[tuple[CollisionShape, ...], ...]:
    """Shapes of every link: those of the file, or few that hold what is seen of it."""
    covered = None
    found = []
    for i, link in enumerate(robot.links):
        if link.collision:
            found.append(tuple(_as_touched(shape) for shape in link.collision))
            continue
        if covered is None:
            covered = bodies_by_link(robot, folder)
        if link.name in covered:
            pieces = [Piece(part.vertices) for part in body_parts(covered[link.name])]
        else:
            pieces = [
                _piece(visual, folder, f"links[{i}].visual[{k}]")
                for k, visual in enumerate(shapes_of(robot, link))
            ]
        found.append(shapes_around(pieces))
    return tuple(found)


def _as_touched(shape: CollisionShape) -> CollisionShape:
    """A shape of the file; the meshes of other formats stand for their hulls."""
    mesh = shape.geometry
    if not isinstance(mesh, Mesh) or mesh.file is None:
        return shape
    vertices, _ = triangles_of(mesh)
    (hull,) = shapes_around([Piece(vertices)]) or (None,)
    return shape if hull is None else shape.model_copy(update={"geometry": hull.geometry})


def _piece(visual: Visual, folder: Path | None, place: str) -> Piece:
    """A visual of a link, exactly if it is no mesh."""
    vertices, _ = triangles_of(visual.geometry, folder, place)
    points = vertices @ visual.pose[:3, :3].T + visual.pose[:3, 3]
    if isinstance(visual.geometry, Mesh):
        return Piece(points)
    fields = {key: getattr(visual, key) for key in ("translation", "orientation", "geometry")}
    return Piece(points, CollisionShape.make(**fields))


# -- pairs -----------------------------------------------------------------------------


def pairs_apart(robot: Robot) -> dict[Pair, WhyApart]:
    """Pairs of links that pass through each other wherever they are, and why."""
    position = robot.link_index
    body = bolted(robot)
    found: dict[Pair, WhyApart] = {}

    def add(a: str, b: str, why: WhyApart) -> None:
        """All links of two bodies."""
        for i in members[body[position[a]]]:
            for j in members[body[position[b]]]:
                if i != j:
                    found.setdefault((min(i, j), max(i, j)), why)

    members: dict[int, list[int]] = {}
    for i, own in enumerate(body):
        members.setdefault(own, []).append(i)
    for link in robot.links:
        add(link.name, link.name, WhyApart.BOLTED)
    for joint in robot.joints:
        if not joint.kind.is_free:
            add(joint.parent, joint.child, WhyApart.JOINED)
    for actuator in robot.actuators:
        add(actuator.tube, actuator.rod, WhyApart.CYLINDER)
        for part in (actuator.tube, actuator.rod):
            for mount in (actuator.tube_parent, actuator.rod_parent):
                add(part, mount, WhyApart.CYLINDER)
    for a, b in robot.no_contact:
        i, j = sorted((position[a], position[b]))
        found.setdefault((i, j), WhyApart.LISTED)
    return found


def bolted(robot: Robot) -> list[int]:
    """For every link the first one of those that fixed joints make one body with it."""
    first = list(range(len(robot.links)))

    def root(i: int) -> int:
        while first[i] != i:
            i = first[i]
        return i

    for joint in robot.joints:
        if joint.kind.is_fixed:
            a, b = sorted(root(robot.link_index[name]) for name in (joint.parent, joint.child))
            first[b] = a
    return [root(i) for i in range(len(first))]


def touching_at_home(
    shapes: tuple[tuple[CollisionShape, ...], ...], folder: Path | None, X_WL: Floats
) -> Iterator[Pair]:
    """Pairs of links whose shapes touch where the links are at `X_WL`, (n, 4, 4)."""
    parts = [
        [points @ X[:3, :3].T + X[:3, 3] for shape in own for points in convex_parts(shape, folder)]
        for own, X in zip(shapes, X_WL, strict=True)
    ]
    for i, j in combinations(range(len(parts)), 2):
        if near_each_other(parts[i], parts[j]):
            yield i, j
