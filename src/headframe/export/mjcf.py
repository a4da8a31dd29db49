"""MJCF, the format of MuJoCo, of an assembled machine.

Loops are equality constraints; cylinders are real: tube, rod, a slide joint between them whose
position is the length, and an actuator that holds it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..contact import Collision
from ..description import Robot
from ..topology import Topology
from .mesh_files import write_with_meshes
from .mjcf_bodies import add_cylinder, add_tree, give_mass
from .mjcf_constraints import (
    add_closure,
    add_home,
    add_repeater,
    add_spring,
)
from .mjcf_contact import add_exclusions, note_friction
from .mjcf_drives import add_joint_drive
from .mjcf_model import MjcfDocument
from .xml_text import numbers, put

if TYPE_CHECKING:
    from ..mechanism import State

GRAVITY = 9.81


def mjcf_text(
    robot: Robot, topology: Topology, state: State, folder: str | Path | None = None
) -> str:
    """The machine in MJCF; MuJoCo's default configuration is the given (home) state.

    Args:
        robot: the machine.
        topology: its tree and loops.
        state: the assembled home pose.
        folder: the machine file's folder. The text does not need it; mesh files are named in it
            as `meshes/NAME.obj`, and `mjcf_assets` gives their content.

    Raises:
        ExportError: a chain of more links than MuJoCo can read.
    """
    return build_mjcf(robot, topology, state, "meshes").text()


def mjcf_assets(
    robot: Robot, topology: Topology, state: State, folder: str | Path
) -> dict[str, bytes]:
    """Content of the mesh files that `mjcf_text` names, as `MjModel.from_xml_string` takes it."""
    return build_mjcf(robot, topology, state, "meshes").mesh_files.contents(folder)


def write_mjcf(
    robot: Robot,
    topology: Topology,
    state: State,
    path: str | Path,
    folder: str | Path | None = None,
    collision: Collision | None = None,
) -> list[str]:
    """Write MJCF, and meshes into a folder `NAME_meshes` beside it.

    Args:
        robot: the machine.
        topology: its tree and loops.
        state: the assembled home pose.
        path: the file to write.
        folder: the machine file's folder, to which mesh paths are relative.
        collision: what of the machine is touched, by whatever else there is and by its own links.
            Without it the file's shapes are, by whatever else there is.

    Returns:
        What a user should know about the file; the comment at its top says the same.

    Raises:
        ExportError: the machine does not fit, or a file cannot be written.
        MeshError: a mesh cannot be read.
    """
    path = Path(path)
    model = build_mjcf(robot, topology, state, f"{path.stem}_meshes", collision)
    assets = model.mesh_files.contents(folder)
    write_with_meshes(path, model.text(), assets)
    return model.notes


def build_mjcf(
    robot: Robot,
    topology: Topology,
    state: State,
    mesh_folder: str,
    collision: Collision | None = None,
) -> MjcfDocument:
    """The whole document."""
    model = MjcfDocument(robot, topology, state, mesh_folder, collision)
    model.notes.append(
        f"{robot.name}, written by Headframe. SI units, radians, {robot.up_axis} up."
    )
    if robot.actuators:
        model.notes.append("An actuator's command is the length of its cylinder [m].")
    add_settings(model)
    add_tree(model)
    for number in range(len(robot.actuators)):
        add_cylinder(model, number)
    for closure in topology.closures:
        add_closure(model, closure)
    for repeater in robot.repeaters:
        add_repeater(model, repeater)
    for spring in robot.springs:
        add_spring(model, spring)
    for drive in robot.joint_drives:
        add_joint_drive(model, drive)
    give_mass(model)
    add_home(model)
    if collision is not None:
        add_exclusions(model, collision)
    note_friction(model)
    note_what_is_missing(model)
    return model


def add_settings(model: MjcfDocument) -> None:
    """Units, gravity, integrator and the stiffness of the constraints.

    Not MuJoCo's implicit integrators: they take an actuator's damping for one of the light rod
    alone, not of the load behind the loop, and loops then gape by centimetres under load. So
    settled, the catalogue's machines stand still with gaps of micrometres.
    """
    put(model.root, "compiler", angle="radian", autolimits="true", inertiafromgeom="false")
    gravity = numbers(-GRAVITY * model.robot.up)
    put(model.root, "option", gravity=gravity, timestep="0.001", integrator="Euler")
    defaults = put(model.root, "default")
    put(defaults, "equality", solref="0.004 1", solimp="0.9999 0.9999 0.001 0.5 2")


def note_what_is_missing(model: MjcfDocument) -> None:
    """Add to the notes what the machine has and MJCF has no place for."""
    if any(actuator.speed or actuator.acceleration for actuator in model.robot.actuators):
        model.notes.append("Speed and acceleration limits of cylinders are not in this file.")
    for kind in dict.fromkeys(d.kind for d in model.robot.joint_drives if d.max_speed):
        model.notes.append(f"Speed limits of {kind}s are not in this file.")
