"""What a page needs to know of a machine."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ..machine import Machine, load, machines
from ..protocol.down import Choice, Cylinder, Group, MachineInfo, Motor, Scene
from ..sim.cab import FULL_SPEED, FULL_TURN


def scene_of(
    number: int,
    machine: Machine,
    environment: str,
    formulations: Iterable[str],
    integrators: Iterable[str],
) -> Scene:
    """The scene with a machine in it."""
    return Scene(
        number=number,
        machine=machine_info(machine),
        geometry=f"geometry/{number}.glb",
        environment=environment,
        catalogue=_catalogue(),
        formulations=tuple(formulations),
        integrators=tuple(integrators),
    )


@cache
def _catalogue() -> tuple[Choice, ...]:
    """Machines to choose from."""
    return tuple(Choice(name, load(name).robot.machine_class or "") for name in machines())


def machine_info(machine: Machine) -> MachineInfo:
    """A machine as pages show it."""
    robot = machine.robot
    children = {joint.name: joint.child for joint in robot.joints}
    groups = []
    for name, members in zip(robot.group_names, robot.groups, strict=True):
        first = robot.actuators[members[0]]
        groups.append(
            Group(
                name=name,
                cylinders=members,
                lower=first.bounds.lower,
                upper=first.bounds.upper,
                speed=first.speed or FULL_SPEED,
                force=sum(robot.actuators[i].force or 0.0 for i in members),
            )
        )
    return MachineInfo(
        name=machine.name,
        machine_class=robot.machine_class or "",
        up_axis=robot.up_axis,
        links=tuple(link.name for link in robot.links),
        end_effector=robot.end_effector or "",
        cylinders=tuple(
            Cylinder(a.name, a.tube, a.rod, a.bounds.lower, a.bounds.upper) for a in robot.actuators
        ),
        groups=tuple(groups),
        motors=tuple(
            Motor(m.name, m.joint, children[m.joint], m.max_speed or FULL_TURN, m.max_torque or 0.0)
            for m in robot.motors
        ),
    )
