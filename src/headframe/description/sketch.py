"""What is seen of a machine from afar: its largest visuals, with few triangles."""

from __future__ import annotations

import numpy as np

from .appearance import INVISIBLE, Part, split
from .bent import bent_bar
from .cylinders import shapes_of
from .geometry import Box, ChainLink, Cylinder, Hull, Mesh, Torus, Visual
from .meshes import CREASE, Floats, triangles_of
from .model import Robot
from .rounded import Surface, bar_outline, turned

SIDES = 8  # of what is round
MOST = 1500  # triangles of a machine


def sketch_of(robot: Robot, most: int = MOST) -> tuple[tuple[Part, ...], ...]:
    """What is seen of every link, in the order of `robot.links`, in at most `most` triangles.

    First comes the largest visual of each link, then the visuals with the largest surfaces; what no
    longer fits is left out. Meshes and 3DT models are not drawn: the description's own shapes stand
    for them.
    """
    drawn = [
        (_area(part), i, part)
        for i, link in enumerate(robot.links)
        for visual in shapes_of(robot, link)
        if visual.material.color[3] >= INVISIBLE and (part := _part(visual)) is not None
    ]
    drawn.sort(key=lambda found: -found[0])
    seen: set[int] = set()
    order = []
    for area, i, part in drawn:
        order.append((i in seen, -area, i, part))
        seen.add(i)
    order.sort(key=lambda found: found[:2])
    links: list[list[Part]] = [[] for _ in robot.links]
    left = most
    for _, _, i, part in order:
        if len(part.faces) <= left:
            links[i].append(part)
            left -= len(part.faces)
    return tuple(map(tuple, links))


def _part(visual: Visual) -> Part | None:
    surface = _surface(visual)
    if surface is None:
        return None
    vertices, faces, normals = surface
    X_LV = visual.pose
    R, p = X_LV[:3, :3], X_LV[:3, 3]
    return Part(visual.name, vertices @ R.T + p, faces, normals @ R.T, visual.material)


def _surface(visual: Visual) -> Surface | None:
    """Few triangles for a shape: flat sides as they are, bars with few; None for meshes."""
    geometry = visual.geometry
    if isinstance(geometry, Mesh):
        return None
    if isinstance(geometry, Torus | ChainLink):
        return bent_bar(geometry, SIDES, SIDES // 2)
    if isinstance(geometry, Box | Hull):
        return split(*triangles_of(geometry), CREASE)
    if isinstance(geometry, Cylinder):
        r1, r2, h = geometry.r1, geometry.r2, geometry.h
    else:
        r1, h = geometry.r, getattr(geometry, "h", geometry.r)
        r2 = 1e-3 * r1 if geometry.type == "cone" else r1
    return turned(bar_outline(r1, r2, h, 0.0), SIDES)


def _area(part: Part) -> float:
    """Surface [m^2]."""
    corners: Floats = part.vertices[part.faces]
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return 0.5 * float(np.linalg.norm(sides, axis=1).sum())
