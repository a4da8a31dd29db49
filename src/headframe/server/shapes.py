"""Shapes of a scene's machines, as binary glTF, each made once."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

from ..description import sketch_of
from ..export import link_scene
from ..staging import things_as_links
from .cast import Cast, Kind

FULL, SKETCH, TOUCHED = "full", "sketch", "touched"  # what is shown of a machine
FEW = 2  # units of a kind that are all shown in full


class SceneShapes:
    """Makes shapes when they are first asked for; names tell what is in them."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str, int], str] = {}
        self._things: tuple[int, str] = (0, "")
        self._made: dict[str, bytes] = {}

    def full(self, kind: Kind) -> str:
        """Name of a machine's shapes with all that is to be seen."""
        return self._name(kind, FULL)

    def many(self, kind: Kind) -> str:
        """Name of the shapes for a crowd of such machines."""
        return self._name(kind, FULL if len(kind.units) <= FEW else SKETCH)

    def touched(self, kind: Kind) -> str:
        """Name of the shapes with which a machine touches."""
        return self._name(kind, TOUCHED)

    def _name(self, kind: Kind, what: str) -> str:
        key = kind.source, what, id(kind.machine.robot)
        if key not in self._names:
            robot, folder = kind.machine.robot, kind.machine.folder
            if what == TOUCHED:
                data = link_scene(kind.machine.collision.dressed, folder)
            else:
                data = link_scene(robot, folder, None if what == FULL else sketch_of(robot))
            name = hashlib.sha256(data).hexdigest()[:20]
            self._names[key], self._made[name] = name, data
        return self._names[key]

    def things(self, cast: Cast) -> str:
        """Name of the shapes of bodies and statics; empty if the scene has none."""
        key = id(cast.staged.scene)
        if self._things[0] != key:
            robot = things_as_links(cast.staged.scene)
            data = b"" if robot is None else link_scene(robot, cast.staged.folder)
            name = hashlib.sha256(data).hexdigest()[:20] if data else ""
            self._things = key, name
            self._made |= {name: data} if name else {}
        return self._things[1]

    def of(self, cast: Cast) -> dict[str, bytes]:
        """All that a scene needs, by name; what other scenes had is forgotten."""
        names = {name for kind in cast.kinds for name in (self.full(kind), self.many(kind))}
        names |= {name for name in (self.things(cast), self.touched(cast.now)) if name}
        self._names = {key: name for key, name in self._names.items() if name in names}
        self._made = {name: self._made[name] for name in names}
        return dict(self._made)


def address(name: str) -> str:
    """Address of shapes beside the page."""
    return f"geometry/{name}.glb"


def shape_name(address: str) -> str:
    """Name of the shapes at an address."""
    return PurePosixPath(address).stem
