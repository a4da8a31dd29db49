"""Bodies and statics of a scene file: read and checked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any, TypeVar

from ..description import (
    SHIPPED_MATERIALS,
    CollisionShape,
    ContactMaterial,
    Findings,
    Mesh,
    Path,
    check_material,
    read_element,
    read_shapes,
    shown,
)
from ..errors import (
    DuplicateNameError,
    MachineFileError,
    MassError,
    NameUnknownError,
    TooManyElementsError,
    ValueRangeError,
    WrongTypeError,
    suggest,
)
from .scene import FARTHEST, MOST_BODIES, MOST_THINGS, LooseBody, Placement, StaticBody

T = TypeVar("T", LooseBody, StaticBody)
PLACES = {"at": Placement, "step": Placement}
ANY_SHAPE = ({"geometry": {"type": "sphere", "r": 1.0}},)  # stands in where shapes are read apart


class Things:
    """Reads what stands and lies about in a scene.

    Attributes:
        materials: the scene's own.
        bodies: rows of bodies that nothing holds.
        statics: what stands fast.
    """

    def __init__(self, raw: dict[str, Any], folder: FilePath, found: Findings) -> None:
        self.folder, self.found = folder, found
        self.materials = self._materials(raw.get("materials", []))
        self.bodies = self._all(LooseBody, "bodies", raw)
        self.statics = self._all(StaticBody, "statics", raw)
        for n, body in self.bodies:
            _check_mass(body, ("bodies", n), found)
            _check_row(body, ("bodies", n), found)
        if sum(body.count for _, body in self.bodies) > MOST_BODIES:
            message = f"found more than {MOST_BODIES} bodies, expected at most {MOST_BODIES}"
            found.complain(TooManyElementsError, ("bodies",), message)
        self._check_names()

    def _materials(self, items: Any) -> list[ContactMaterial]:
        materials: list[ContactMaterial] = []
        for i, item in enumerate(_listed(items, "materials", self.found)):
            path: Path = ("materials", i)
            material = read_element(ContactMaterial, item, path, self.found)
            if material is None:
                continue
            check_material(material, path, self.found)
            if material.name in (other.name for other in materials):
                message = f"the name {shown(material.name)} is taken by an earlier material"
                self.found.complain(DuplicateNameError, (*path, "name"), message)
            materials.append(material)
        return materials

    def _all(self, kind: type[T], key: str, raw: dict[str, Any]) -> list[tuple[int, T]]:
        """All elements of a list that are sound in themselves, with their positions."""
        items = _listed(raw.get(key, []), key, self.found)
        if len(items) > MOST_THINGS:
            message = f"found {len(items)} {key}, expected at most {MOST_THINGS}"
            self.found.complain(TooManyElementsError, (key,), message)
            return []
        things = ((n, self._one(kind, item, (key, n))) for n, item in enumerate(items))
        return [(n, thing) for n, thing in things if thing is not None]

    def _one(self, kind: type[T], item: Any, path: Path) -> T | None:
        """One of them: its places and shapes are read apart, so that their fields are told."""
        apart: dict[str, Any] = {}
        if isinstance(item, dict):
            for key, place in PLACES.items():
                if key in item and key in kind.model_fields:
                    apart[key] = read_element(place, item[key], (*path, key), self.found)
            if "shapes" in item:
                apart["shapes"] = self._shapes(item["shapes"], (*path, "shapes"))
                item = {**item, "shapes": ANY_SHAPE}
            item = {
                key: value for key, value in item.items() if key not in apart or key == "shapes"
            }
        thing = read_element(kind, item, path, self.found)
        if thing is None:
            return None
        self._check_material(item.get("material"), (*path, "material"))
        sound = {key: value for key, value in apart.items() if value}
        return thing.model_copy(update=sound)

    def _shapes(self, value: Any, path: Path) -> tuple[CollisionShape, ...]:
        before = len(self.found.problems)
        shapes = read_shapes(value, path, self.folder, self.found)
        if not shapes and len(self.found.problems) == before:
            message = "found no shapes, expected at least one"
            self.found.complain(ValueRangeError, path, message)
        alone = isinstance(value, dict)  # a shape without its list
        for k, shape in enumerate(shapes):
            place = path if alone else (*path, k)
            self._check_material(shape.contact, (*place, "contact"))
            if isinstance(shape.geometry, Mesh) and len(self.found.problems) == before:
                self._check_volume(shape.geometry, (*place, "geometry", "path"))
        return shapes

    def _check_volume(self, mesh: Mesh, path: Path) -> None:
        """A mesh must be closed."""
        from ..contact import surface_of  # with the compiler behind it

        try:
            surface_of(mesh, self.folder, "")
        except MachineFileError as error:
            for problem in error.problems:
                self.found.complain(problem.kind, path, problem.message, problem.hint)

    def _check_material(self, name: Any, path: Path) -> None:
        own = [material.name for material in self.materials]
        if isinstance(name, str) and name not in (*own, *SHIPPED_MATERIALS):
            message = f"found {shown(name)}, which is no contact material"
            hint = suggest(name, (*own, *SHIPPED_MATERIALS))
            self.found.complain(NameUnknownError, path, message, hint)

    def _check_names(self) -> None:
        """Of bodies and statics together, since a world knows them by their names."""
        taken: set[str] = set()
        listed: Iterable[tuple[str, int, LooseBody | StaticBody]] = (
            *(("bodies", n, body) for n, body in self.bodies),
            *(("statics", n, static) for n, static in self.statics),
        )
        for key, n, thing in listed:
            names = {thing.name, *(thing.units if isinstance(thing, LooseBody) else ())}
            if names & taken:
                message = f"the name {shown(thing.name)} is taken by an earlier body or static"
                self.found.complain(DuplicateNameError, (key, n, "name"), message)
            taken |= names


def _listed(items: Any, key: str, found: Findings) -> list[Any]:
    if isinstance(items, list):
        return items
    found.complain(WrongTypeError, (key,), f"found {shown(items)}, expected a list")
    return []


def _check_mass(body: LooseBody, path: Path, found: Findings) -> None:
    own = f"body {body.name!r}"
    if body.mass is None and body.density is None:
        message = f"{own} has no mass: the field 'mass' or 'density' is missing"
        found.complain(MassError, path, message)
    elif body.mass is not None and body.density is not None:
        message = f"found both mass and density in {own}, expected one of them"
        found.complain(MassError, (*path, "density"), message)


def _check_row(body: LooseBody, path: Path, found: Findings) -> None:
    """All of a row are apart from each other, and not too far away."""
    ends = abs(body.poses[:, :3, 3]).max()
    if not ends <= FARTHEST:
        message = f"found a place {ends:.6g} m away, expected at most {FARTHEST:g} m"
        found.complain(ValueRangeError, (*path, "at" if body.count == 1 else "step"), message)
    if body.count > 1 and not any(body.step.xyz):
        message = f"{body.count} bodies would be in one place, expected a step between them"
        found.complain(ValueRangeError, (*path, "step"), message)
