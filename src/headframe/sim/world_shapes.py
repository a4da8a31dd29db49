"""What people say of shapes and materials, as a world's kernels take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import ValidationError

from ..contact import (
    HullSolid,
    MeshSolid,
    material_named,
    pack_solids,
    pair_records,
    shape_records,
)
from ..contact.kernels import SHAPE, ShapeKind
from ..description import CollisionShape, ContactMaterial, Element, Findings, check_material
from ..errors import StateError
from ..jit import Records
from ..mechanism import Floats

ShapesLike = Any  # one shape or several: dicts as in machine files, or elements of a description


class GroundPlane(Element):
    """All below z = 0: a ground without an end; `contact` names its material."""

    type: Literal["plane"]
    contact: str | None = None


def read_shapes(
    place: str, shapes: ShapesLike, plane: bool = False
) -> tuple[CollisionShape | GroundPlane, ...]:
    """Shapes as people give them: one or several, of any kind that machine files have.

    Each is a geometry ({"type": "box", "x": 1, "y": 1, "z": 1}), or that with a place
    ({"geometry": {...}, "translation": [...], "orientation": [...], "contact": MATERIAL}); of what
    stands still also {"type": "plane"}.

    Raises:
        StateError: something else.
    """
    given = shapes if isinstance(shapes, list | tuple) else [shapes]
    if not given:
        raise StateError(f"{place}: found no shape, expected at least one")
    return tuple(_shape(f"{place}: shape {n}", one, plane) for n, one in enumerate(given))


def _shape(place: str, one: object, plane: bool) -> CollisionShape | GroundPlane:
    if isinstance(one, CollisionShape | GroundPlane):
        return one
    fields = one.model_dump(by_alias=True) if isinstance(one, Element) else one
    if not isinstance(fields, Mapping):
        raise StateError(f"{place}: found {one!r:.80}, expected a shape such as a machine file has")
    if fields.get("type") == "plane" and not plane:
        raise StateError(f"{place}: found a plane, which has no end and no mass")
    whole = dict(fields) if "geometry" in fields else {"geometry": dict(fields)}
    try:
        if fields.get("type") == "plane":
            return GroundPlane.model_validate(dict(fields))
        return CollisionShape.model_validate(whole, by_alias=True, by_name=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "geometry")
        raise StateError(
            f"{place}: {where}: found {first['input']!r:.80}: {first['msg']}"
        ) from None


def material_from(
    place: str, given: object, own: Sequence[ContactMaterial] = ()
) -> ContactMaterial:
    """A contact material by its name, or as it is.

    Raises:
        StateError: it is neither, or its figures contradict each other.
        UnknownElementError: there is none of that name.
    """
    if isinstance(given, ContactMaterial):
        found = Findings()
        check_material(given, (), found)
        for _, problem in found.problems:
            raise StateError(f"{place}: {problem.message}")
        return given
    if isinstance(given, str):
        return material_named(given, own)
    raise StateError(
        f"{place}: found {given!r:.80}, expected the name of a contact material, or one"
    )


class ShapeTable:
    """All shapes of a world for its kernels, in the order in which they are added.

    Attributes:
        owners: of every shape the name of what it belongs to, and which of its shapes it is.
        materials: of all shapes, each once.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self.owners: list[tuple[str, int]] = []
        self.materials: list[ContactMaterial] = []
        self._shapes = [np.zeros(0, SHAPE)]
        self._solids: list[HullSolid | MeshSolid] = []
        self._known: dict[int, tuple[CollisionShape, Records]] = {}  # by the identity of a shape
        self._count: dict[str, int] = {}  # of the shapes of each owner

    def add(
        self, owner: str, body: int, X_BL: Floats,
        shapes: Sequence[tuple[CollisionShape | GroundPlane, ContactMaterial]],
        folder: Path | None = None,
    ) -> None:  # fmt: skip
        """Add shapes on a link (or body) L that stands at X_BL (4, 4) in what the kernels move."""
        for shape, material in shapes:
            kind = self._number(material)
            if isinstance(shape, GroundPlane):
                record = np.zeros(1, SHAPE)
                record["kind"], record["body"], record["material"] = ShapeKind.PLANE, body, kind
                record["X_BS"], record["radius"], record["solid"] = np.eye(4)[:3], np.inf, -1
            else:
                record = self._record(shape, folder, owner)
                record["body"], record["material"] = body, kind
            X_LS = np.vstack([record["X_BS"][0], [0.0, 0.0, 0.0, 1.0]])
            record["X_BS"] = (X_BL @ X_LS)[:3]
            self._shapes.append(record)
            number = self._count.get(owner, 0)
            self.owners.append((owner, number))
            self._count[owner] = number + 1

    def _record(self, shape: CollisionShape, folder: Path | None, owner: str) -> Records:
        """SHAPE of a shape, (1,); machines of one kind share what their shapes are made of."""
        if id(shape) not in self._known:
            found = shape_records([(-1, shape, 0)], folder, [owner])
            record = found.records
            if found.solids:
                record["solid"] = len(self._solids)
                self._solids += found.solids
            self._known[id(shape)] = shape, record
        return self._known[id(shape)][1].copy()

    def _number(self, material: ContactMaterial) -> int:
        if material not in self.materials:
            self.materials.append(material)
        return self.materials.index(material)

    def packed(self) -> tuple[Records, Floats]:
        """SHAPE records, and the buffer of hulls and meshes."""
        shapes = np.concatenate(self._shapes)
        buffer, starts = pack_solids(self._solids)
        with_solid = shapes["solid"] >= 0
        shapes["solid"][with_solid] = starts[shapes["solid"][with_solid]]
        return shapes.view(np.recarray), buffer

    def pairs(self) -> Records:
        """PAIR records of all pairs of materials: a * materials + b."""
        return pair_records(self.materials)


def reaches(shapes: Records, bodies: int) -> Floats:
    """Distance of the farthest point of each of the first bodies from its origin [m], (bodies,)."""
    found = np.zeros(bodies)
    for shape in shapes:
        if 0 <= shape.body < bodies:
            far = np.linalg.norm(shape.X_BS[:, 3]) + shape.radius
            found[shape.body] = max(found[shape.body], far)
    return found
