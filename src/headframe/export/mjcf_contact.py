"""What is touched, in MJCF: shapes with their friction, and pairs of bodies that are left out.

MuJoCo has one coefficient of friction: the dynamic one is written, which acts while things slide.
Of two geoms it takes the larger one.
"""

from __future__ import annotations

import math

import numpy as np

from ..contact import Collision, material_named
from ..description import (
    USUAL_MATERIAL,
    Capsule,
    ChainLink,
    CollisionShape,
    Link,
    Torus,
    middle_line,
)
from ..spatial import pose, rpy_from_matrix
from .mjcf_model import MjcfDocument
from .xml_text import numbers, put

BARS = 24  # straight ones that a ring is made of
SPIN, ROLL = 0.005, 0.0001  # MuJoCo's own coefficients against spinning and rolling [m]


def touched_shapes(model: MjcfDocument, link: Link) -> tuple[CollisionShape, ...]:
    """What of a link is touched."""
    if model.collision is None:
        return link.collision
    return model.collision.shapes[model.robot.link_index[link.name]]


def contact_attributes(model: MjcfDocument, shape: CollisionShape) -> dict[str, str]:
    """Friction of a shape, and what it touches.

    That is whatever is brought to the machine; other parts of the machine only if it is known
    which of them are left out.
    """
    material = material_named(shape.contact or USUAL_MATERIAL, model.robot.materials)
    friction = numbers(material.friction.dynamic, SPIN, ROLL)
    itself = "0" if model.collision is None else "1"
    return {"contype": "1", "conaffinity": itself, "friction": friction}


def pieces_touched(shape: CollisionShape) -> list[CollisionShape]:
    """What stands for a shape where it is touched: itself, or capsules for a bar that is bent.

    MuJoCo takes the convex hull of a mesh, and nothing could go through the hole of a ring.
    """
    bar = shape.geometry
    if not isinstance(bar, Torus | ChainLink):
        return [shape]
    line, _, closed = middle_line(bar, BARS)
    ends = np.roll(line, -1, axis=0) if closed else line[1:]
    pieces = []
    for begin, end in zip(line, ends, strict=closed):
        turn = math.atan2(*(end - begin)[1::-1])
        X = shape.pose @ pose((begin + end) / 2, (0.0, math.pi / 2, turn))
        fields = {
            "geometry": Capsule(type="capsule", r=bar.r, h=math.dist(begin, end)),
            "translation": tuple(X[:3, 3].tolist()),
            "orientation": rpy_from_matrix(X[:3, :3]),
        }
        pieces.append(shape.model_copy(update=fields))
    return pieces


def add_exclusions(model: MjcfDocument, collision: Collision) -> None:
    """The pairs of links that pass through each other, where both are touched by others."""
    names = [link.name for link in model.robot.links]
    for i, j in sorted(collision.apart):
        if collision.shapes[i] and collision.shapes[j]:
            a, b = (model.bodies[names[k]].get("name", "") for k in (i, j))
            wanted = model.names.new("exclude", f"{names[i]}/{names[j]}")
            put(model.contact, "exclude", name=wanted, body1=a, body2=b)


def note_friction(model: MjcfDocument) -> None:
    """Say what of the contact materials is not in the file, where there are shapes to touch."""
    if any(touched_shapes(model, link) for link in model.robot.links):
        model.notes.append(
            "Of the materials that touch each other dynamic friction alone is in this file."
        )
