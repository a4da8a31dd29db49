"""Shapes of a scene's machines, as binary glTF, each made once."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

from ..description import sketch_of
from ..export import link_scene
from .cast import Cast, Kind

FEW = 2  # units of a kind that are all shown in full


class SceneShapes:
    """Makes shapes when they are first asked for; names tell what is in them."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, bool, int], str] = {}
        self._made: dict[str, bytes] = {}

    def full(self, kind: Kind) -> str:
        """Name of a machine's shapes with all that is to be seen."""
        return self._name(kind, True)

    def many(self, kind: Kind) -> str:
        """Name of the shapes for a crowd of such machines."""
        return self._name(kind, len(kind.units) <= FEW)

    def _name(self, kind: Kind, full: bool) -> str:
        key = kind.source, full, id(kind.machine.robot)
        if key not in self._names:
            robot, folder = kind.machine.robot, kind.machine.folder
            data = link_scene(robot, folder, None if full else sketch_of(robot))
            name = hashlib.sha256(data).hexdigest()[:20]
            self._names[key], self._made[name] = name, data
        return self._names[key]

    def of(self, cast: Cast) -> dict[str, bytes]:
        """All that a scene needs, by name; what other scenes had is forgotten."""
        names = {name for kind in cast.kinds for name in (self.full(kind), self.many(kind))}
        self._names = {key: name for key, name in self._names.items() if name in names}
        self._made = {name: self._made[name] for name in names}
        return dict(self._made)


def address(name: str) -> str:
    """Address of shapes beside the page."""
    return f"geometry/{name}.glb"


def shape_name(address: str) -> str:
    """Name of the shapes at an address."""
    return PurePosixPath(address).stem
