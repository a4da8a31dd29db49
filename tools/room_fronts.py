"""A contract for import-linter: rooms know each other by their fronts only.

A room's front is its `__init__`; kernels of another room come from its `kernels.py`. So what other
rooms use of a room stands in these two files, and all else in it can be changed freely.
"""

from __future__ import annotations

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class FrontsContract(Contract):
    """Modules of one room import another room's front, and none of its other modules.

    Attributes:
        package: whose children are the rooms.
        fronts: modules of rooms that others may import, besides the rooms themselves.
    """

    type_name = "fronts"
    package = fields.StringField()
    fronts = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look at every import between two rooms."""
        package, fronts = str(self.package), list(self.fronts)  # type: ignore[call-overload]
        rooms = {room for room in graph.find_children(package) if graph.find_children(room)}
        found = []
        for importer in sorted(graph.modules):
            for imported in sorted(graph.find_modules_directly_imported_by(importer)):
                room = _room_of(imported, package)
                if room not in rooms or room == _room_of(importer, package):
                    continue
                if imported not in (room, f"{room}.kernels", *fronts):
                    found.append((importer, imported))
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name the imports that pass by a front."""
        found: list[Any] = check.metadata["found"]
        for importer, imported in found:
            output.print_error(f"{importer} imports {imported}, which is no front of its room")


def _room_of(module: str, package: str) -> str:
    """The room that a module is in, such as "headframe.sim" of "headframe.sim.session"."""
    return ".".join(module.split(".")[: package.count(".") + 2])
