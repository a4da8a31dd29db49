"""Shapes and inertias in MJCF."""

from __future__ import annotations

from pathlib import PurePosixPath
from xml.etree import ElementTree as ET

import numpy as np

from ..description import (
    Box,
    Capsule,
    ChainLink,
    Cylinder,
    Geometry,
    Inertial,
    Link,
    Mesh,
    Sphere,
    Torus,
    Visual,
    shapes_of,
    triangles_of,
)
from .mjcf_contact import contact_attributes, pieces_touched, touched_shapes
from .mjcf_model import Floats, MjcfDocument, place
from .xml_text import numbers, put

VISUAL_GROUP, COLLISION_GROUP = "2", "3"


def add_link_content(model: MjcfDocument, body: ET.Element, link: Link) -> None:
    """Inertia, visuals and collision shapes of a link."""
    if link.inertial is not None:
        add_inertial(body, link.inertial)
    for i, visual in enumerate(shapes_of(model.robot, link)):
        # seen only
        add_geom(
            model, body, f"{link.name}/{visual.name or i}", visual,
            group=VISUAL_GROUP, contype="0", conaffinity="0",
        )  # fmt: skip
    for i, shape in enumerate(touched_shapes(model, link)):
        for piece in pieces_touched(shape):
            add_geom(
                model, body, f"{link.name}/collision/{shape.name or i}", piece,
                group=COLLISION_GROUP, **contact_attributes(model, shape),
            )  # fmt: skip


def add_inertial(body: ET.Element, inertial: Inertial) -> None:
    """Mass [kg], centre of mass [m] and inertia [kg m^2]."""
    tensor = realisable(np.asarray(inertial.inertia, dtype=float))
    upper = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    put(
        body,
        "inertial",
        pos=numbers(inertial.com),
        mass=numbers(inertial.mass),
        fullinertia=numbers(upper),
    )


def realisable(tensor: Floats) -> Floats:
    """An inertia that MuJoCo takes, (3, 3): the same, but for rods and plates of no thickness.

    MuJoCo wants moments A <= B <= C that are positive and A + B >= C. Ideal rods (A = 0) and
    plates (A + B = C) sit on that border, where rounding decides; they are moved off it by 1e-9
    of their largest moment.
    """
    tensor = (tensor + tensor.T) / 2
    moments, axes = np.linalg.eigh(tensor)
    largest = moments[2]
    raised = np.maximum(moments, 1e-9 * largest)
    short = largest * (1 + 1e-9) - raised[0] - raised[1]
    if short > 0:
        raised[:2] += short / 2
    if np.array_equal(raised, moments):
        return tensor
    result: Floats = (axes * raised) @ axes.T
    return (result + result.T) / 2


def add_geom(
    model: MjcfDocument, body: ET.Element, name: str, visual: Visual, **attributes: str
) -> None:
    """A shape of a body."""
    kind, size = primitive(visual.geometry)
    attributes |= place(visual.pose)
    if kind == "mesh":
        attributes["mesh"] = mesh_asset(model, visual.geometry)
    else:
        attributes["size"] = numbers(size)
    put(
        body,
        "geom",
        name=model.names.new("geom", name),
        type=kind,
        rgba=numbers(visual.material.color),
        **attributes,
    )


def primitive(shape: Geometry) -> tuple[str, tuple[float, ...]]:
    """MJCF type and half-sizes [m] of a shape; "mesh" for what MuJoCo has no word for."""
    if isinstance(shape, Box):
        return "box", (shape.x / 2, shape.y / 2, shape.z / 2)
    if isinstance(shape, Cylinder) and shape.r1 == shape.r2:
        return "cylinder", (shape.r1, shape.h / 2)
    if isinstance(shape, Capsule):
        return "capsule", (shape.r, shape.h / 2)
    if isinstance(shape, Sphere):
        return "sphere", (shape.r,)
    return "mesh", ()


def mesh_asset(model: MjcfDocument, shape: Geometry) -> str:
    """Name of the asset of what MuJoCo has no word for; made on first use.

    What is convex is given by its vertices alone: MuJoCo builds the convex hull of them.
    """
    key = tuple(shape.model_dump().values())
    if key in model.meshes:
        return model.meshes[key]
    if isinstance(shape, Mesh):
        name = model.names.new("mesh", PurePosixPath(shape.path).stem)
        # inertia="shell" lets open and flat meshes pass: no inertia is taken from it anyway
        put(
            model.asset, "mesh", name=name, file=model.mesh_files.file_of(shape),
            scale=numbers(shape.scale), inertia="shell",
        )  # fmt: skip
    else:
        name = model.names.new("mesh", shape.type)
        vertices, faces = triangles_of(shape)
        mesh = put(model.asset, "mesh", name=name, vertex=numbers(vertices.ravel()))
        if isinstance(shape, Torus | ChainLink):
            mesh.set("face", " ".join(map(str, faces.ravel().tolist())))
    model.meshes[key] = name
    return name
