"""Whole machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headframe.description import Home, Joint, Link, Material, Motor, Provenance, Repeater, Robot
from headframe.description.reading import read_text, robot_from
from headframe.description.writing import mrdf_text

from .cylinders import Cylinder
from .palette import Color


def robot(
    name: str,
    machine_class: str,
    end_effector: str,
    *,
    home: Mapping[str, float],
    links: Sequence[Link],
    joints: Sequence[Joint],
    cylinders: Sequence[Cylinder] = (),
    motors: Sequence[Motor] = (),
    repeaters: Sequence[Repeater] = (),
    provenance: Sequence[Provenance] = (),
    looks: bool = False,
) -> Robot:
    """Put a machine together and check it as a file is checked.

    Main links come first, then tubes and rods in the order of the cylinders. With `looks`, the
    machine has a 3DT file of its name.

    Raises:
        MachineFileError: something is wrong with it.
    """
    parts = [part for cylinder in cylinders for part in (cylinder.tube, cylinder.rod)]
    whole = Robot.make(
        name=name,
        machine_class=machine_class,
        end_effector=end_effector,
        geometry_file=f"{name}.3dt" if looks else None,
        home=Home(joints={joint: value + 0.0 for joint, value in home.items()}),
        links=(*links, *parts),
        joints=tuple(joints),
        actuators=tuple(cylinder.actuator for cylinder in cylinders),
        motors=tuple(motors),
        repeaters=tuple(repeaters),
        provenance=tuple(provenance),
    )
    return robot_from(read_text(mrdf_text(whole)), name)


def repainted(robot: Robot, paint: Mapping[Color, Color]) -> Robot:
    """Give the robot other colours."""
    links = []
    for each in robot.links:
        visuals = []
        for shape in each.visuals:
            color = paint.get(shape.material.color, shape.material.color)
            visuals.append(shape.model_copy(update={"material": Material(color=color)}))
        links.append(each.model_copy(update={"visuals": tuple(visuals)}))
    return robot.model_copy(update={"links": tuple(links)})
