"""Headframe: closed-chain machines of mining and earth-moving, described, solved and shown.

>>> import headframe as hf
>>> machine = hf.load("roadheader")
>>> machine.home.pose("cutter_head")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import (
    AssemblyError,
    ExportError,
    HeadframeError,
    HeadframeWarning,
    MachineFileError,
    MissingExtraError,
    NotAMachineError,
    Problem,
    StateError,
    UnknownElementError,
    UnknownMachineError,
)

if TYPE_CHECKING:
    from .description import Robot
    from .machine import Machine, examine, load, machines
    from .mechanism import Mechanism, State
    from .spatial import pose_error

__version__ = "0.1.0"

__all__ = [
    "AssemblyError",
    "ExportError",
    "HeadframeError",
    "HeadframeWarning",
    "Machine",
    "MachineFileError",
    "Mechanism",
    "MissingExtraError",
    "NotAMachineError",
    "Problem",
    "Robot",
    "State",
    "StateError",
    "UnknownElementError",
    "UnknownMachineError",
    "assemble",
    "examine",
    "load",
    "machines",
    "pose_error",
]

# Imported when first asked for, so that `import headframe` costs next to nothing.
_LATER = {
    "Machine": "machine",
    "Mechanism": "mechanism",
    "Robot": "description",
    "State": "mechanism",
    "examine": "machine",
    "load": "machine",
    "machines": "machine",
    "pose_error": "spatial",
}


def assemble(machine: Machine) -> State:
    """Assemble a machine: a home pose with every loop closed and every cylinder in bounds."""
    from .machine import Machine

    if not isinstance(machine, Machine):
        raise NotAMachineError(f"found {machine!r}, expected a Machine, such as load(...) gives")
    return machine.home


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'headframe' has no attribute {name!r}")
    value = getattr(import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
