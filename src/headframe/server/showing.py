"""What a page needs to know of a machine."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ..export.page import machine_info
from ..kinematics import IKResult
from ..machine import Machine, load, machines
from ..protocol.down import (
    Choice,
    Reached,
    Scene,
)
from ..sim.session import Target
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
        machine=machine_info(machine.mechanism),
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
