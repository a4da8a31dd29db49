"""Headframe: closed-chain machines of mining and earth-moving, described, solved and shown.

>>> import headframe as hf
>>> machine = hf.load("roadheader")
>>> machine.home.pose("cutter_head")
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import (
    AssemblyError,
    CommandError,
    DynamicsError,
    ExportError,
    HeadframeError,
    HeadframeWarning,
    LengthError,
    MachineFileError,
    MissingExtraError,
    NotAMachineError,
    PartnerError,
    Problem,
    RecordingError,
    SingularityError,
    StateError,
    UnknownElementError,
    UnknownMachineError,
    UnreachableError,
)

if TYPE_CHECKING:
    from .actuation import Command, floating, force, length, locked, position, speed, torque
    from .description import Robot
    from .dynamics import (
        CentreOfMass,
        TreeEnergy,
        aba,
        body_jacobian,
        centre_of_mass,
        crba,
        energy,
        forward_dynamics,
        momentum,
        rnea,
    )
    from .kinematics import FKBatch, IKBatch, IKResult, Stroke
    from .machine import Machine, examine, load, machines
    from .mechanism import Mechanism, State
    from .planning import Serpentine, Trajectory, Workspace, arched
    from .sim import Recorder, Recording, Simulation, World, record
    from .spatial import pose_error
    from .staging import load_scene, scenes

__version__ = "0.1.0"

__all__ = [
    "AssemblyError",
    "CentreOfMass",
    "Command",
    "CommandError",
    "DynamicsError",
    "ExportError",
    "FKBatch",
    "HeadframeError",
    "HeadframeWarning",
    "IKBatch",
    "IKResult",
    "LengthError",
    "Machine",
    "MachineFileError",
    "Mechanism",
    "MissingExtraError",
    "NotAMachineError",
    "PartnerError",
    "Problem",
    "Recorder",
    "Recording",
    "RecordingError",
    "Robot",
    "Serpentine",
    "Simulation",
    "SingularityError",
    "State",
    "StateError",
    "Stroke",
    "Trajectory",
    "TreeEnergy",
    "UnknownElementError",
    "UnknownMachineError",
    "UnreachableError",
    "Workspace",
    "World",
    "aba",
    "arched",
    "assemble",
    "body_jacobian",
    "centre_of_mass",
    "compile_machine",
    "crba",
    "energy",
    "examine",
    "floating",
    "force",
    "forward_dynamics",
    "length",
    "load",
    "load_scene",
    "locked",
    "machines",
    "momentum",
    "pose_error",
    "position",
    "record",
    "rnea",
    "scenes",
    "serpentine",
    "speed",
    "torque",
    "trajectory",
    "workspace",
]

# Imported when first asked for, so that `import headframe` costs next to nothing.
_LATER = {
    name: room
    for room, names in {
        "actuation": "Command floating force length locked position speed torque",
        "description": "Robot",
        "dynamics": "CentreOfMass TreeEnergy aba body_jacobian centre_of_mass crba energy "
        "forward_dynamics momentum rnea",
        "kinematics": "FKBatch IKBatch IKResult Stroke",
        "machine": "Machine examine load machines",
        "mechanism": "Mechanism State",
        "planning": "Serpentine Trajectory Workspace arched",
        "sim": "Recorder Recording Simulation World record",
        "spatial": "pose_error",
        "staging": "load_scene scenes",
    }.items()
    for name in names.split()
}


def assemble(machine: Machine) -> State:
    """Assemble a machine: a home pose with every loop closed and every cylinder in bounds."""
    return _checked(machine).home


def compile_machine(machine: Machine) -> Mechanism:
    """The machine as records that kernels work on, made once and kept; also `machine.mechanism`."""
    return _checked(machine).mechanism


def workspace(machine: Machine, link: str | None = None, **options: Any) -> Workspace:
    """Where a link can be brought; the end effector if none is named.

    Options are those of `headframe.planning.workspaces.workspace`: samples, seed, method,
    start, point, progress.
    """
    from .planning import workspace

    chosen = _effector(_checked(machine)) if link is None else link
    return workspace(_checked(machine).kinematics, chosen, **options)


def trajectory(
    machine: Machine, link: str | None, via_points: Sequence[Any], **options: Any
) -> Trajectory:
    """A smooth motion of a link through via points, in the time that its cylinders need.

    Options are those of `headframe.planning.trajectories.trajectory`: start, weights, step,
    interval, link_speed, closest, progress, standing.
    """
    from .planning import trajectory

    chosen = _effector(_checked(machine)) if link is None else link
    return trajectory(_checked(machine).kinematics, chosen, via_points, **options)


def serpentine(machine: Machine, link: str | None, profile: Any, **options: Any) -> Serpentine:
    """A way of a cutting head over a cross-section, row by row, where the machine reaches.

    Options are those of `headframe.planning.serpentines.serpentine`: depth, diameter, overlap,
    margin, floor, centre, every, contour, start. `arched` gives the profile of an arched roadway.
    """
    from .planning import serpentine

    chosen = _effector(_checked(machine)) if link is None else link
    return serpentine(_checked(machine).kinematics, chosen, profile, **options)


def _effector(machine: Machine) -> str:
    if machine.robot.end_effector is None:
        raise UnknownElementError("link", "", machine.robot.link_index)
    return machine.robot.end_effector


def _checked(machine: Machine) -> Machine:
    from .machine import Machine

    if not isinstance(machine, Machine):
        raise NotAMachineError(f"found {machine!r}, expected a Machine, such as load(...) gives")
    return machine


def __getattr__(name: str) -> Any:
    if name == "compile":  # what `compile_machine` was called: as a name here it hid Python's own
        return compile_machine
    if name not in _LATER:
        raise AttributeError(f"module 'headframe' has no attribute {name!r}")
    value = getattr(import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def _register_pictures() -> None:
    """In a notebook, let cells draw our objects."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is not None:
        from .notebook import register

        register(shell)


_register_pictures()
