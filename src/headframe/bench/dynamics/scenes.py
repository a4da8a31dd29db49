"""What the experiments share: simulations, machines without losses, times of a step."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from ...actuation import Command, locked
from ...description import Robot
from ...errors import HeadframeError
from ...machine import Machine
from ...sim import Simulation
from ..progress import Progress
from ..timing import undisturbed

NAMES = {
    "embedded": "loop embedding",
    "constrained": "constrained tree",
    "augmented": "augmented Lagrangian",
    "simgc": "SIMGC",
    "simmc": "SIMMC",
    "xpbd": "XPBD",
}


def simulation(
    progress: Progress, machine: Machine, formulation: str, **options: Any
) -> Simulation | None:
    """A simulation; None, and a line about it, where the formulation refuses the machine."""
    try:
        return Simulation(machine, formulation, **options)
    except HeadframeError as error:
        progress.say(f"{machine.name}: {NAMES[formulation]} is left out: {error}")
        return None


def lossless(machine: Machine) -> Machine:
    """The machine without damping and friction, its motors without torque."""
    robot: Robot = machine.robot
    still = {"damping": 0.0, "friction": 0.0}
    changed = {
        "joints": tuple(joint.model_copy(update=still) for joint in robot.joints),
        "springs": tuple(spring.model_copy(update={"damping": 0.0}) for spring in robot.springs),
        "motors": tuple(motor.model_copy(update={"torque": 0.0}) for motor in robot.motors),
    }
    return Machine(robot.model_copy(update=changed))


def command_all(sim: Simulation, commands: Mapping[str, Command], other: Command) -> None:
    """Command some groups, and everything else that has a drive alike."""
    driven = {row.name: other for row in sim.model.rows if row.members or row.motor}
    sim.command({**driven, **commands})


def lock_all(sim: Simulation) -> None:
    """Lock every cylinder and motor."""
    command_all(sim, {}, locked())


def total_energy(sim: Simulation) -> float:
    """Kinetic, potential and springs' [J]."""
    return float(sim.energy().total)


def time_of_steps(sim: Simulation, steps: int, passes: int = 5) -> float:
    """Time of one step [us]: the best of some passes from the same state, which stays."""
    start = sim.save()
    best = np.inf
    with undisturbed():
        for _ in range(passes):
            sim.restore(start)
            begin = perf_counter()
            sim.step(steps)
            best = min(best, perf_counter() - begin)
    sim.restore(start)
    return 1e6 * best / steps
