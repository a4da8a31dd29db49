"""What a page needs to know of a machine."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ..description import Robot
from ..kinematics import IKResult
from ..machine import Machine, load, machines
from ..protocol.down import (
    Choice,
    Cylinder,
    Group,
    JointInfo,
    MachineInfo,
    Motor,
    Reached,
    Scene,
)
from ..sim.cab import FULL_SPEED, FULL_TURN
from ..sim.session import Target, single_positions
from ..spatial import quaternion_from_matrix


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
        joints=tuple(_joint_info(robot, name) for name in single_positions(machine.mechanism)),
    )


def _joint_info(robot: Robot, name: str) -> JointInfo:
    joint = robot.joint(name)
    limit = joint.limit
    return JointInfo(
        name,
        turns=joint.type != "prismatic",
        lower=None if limit is None else limit.lower,
        upper=None if limit is None else limit.upper,
    )


AT_END = 1e-6  # part of its stroke below which a group is at an end of it


def reached(machine: Machine, found: IKResult, target: Target, number: int) -> Reached:
    """Where a link got to, as pages show it."""
    X_WL, robot = found.state.pose(found.link), machine.robot
    ends = []
    for name, members in zip(robot.group_names, robot.groups, strict=True):
        bounds, length = robot.actuators[members[0]].bounds, found.lengths[members[0]]
        if min(length - bounds.lower, bounds.upper - length) < AT_END * (
            bounds.upper - bounds.lower
        ):
            ends.append(name)
    x, y, z = map(float, X_WL[:3, 3])
    w, i, j, k = map(float, quaternion_from_matrix(X_WL[:3, :3]))
    return Reached(
        link=found.link,
        number=number,
        position=(x, y, z),
        quaternion=(w, i, j, k),
        distance=found.position_error,
        angle=found.angle_error if target.quaternion is not None else 0.0,
        reachable=found.reachable,
        iterations=found.iterations,
        limits=tuple(ends),
    )
