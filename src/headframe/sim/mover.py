"""What a session drives: one machine or many of a kind, by kinematics or under forces."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..actuation import Command
from ..kinematics import statics
from ..machine import Machine
from ..mechanism import Floats, Ints, State

if TYPE_CHECKING:
    from .touching import Touching


class Mover(Protocol):
    """A machine in motion; of many, what it tells is of the first one that obeys.

    Attributes:
        machine: what moves.
        formulation: how motion is computed; "kinematic" where kinematics leads it.
        integrator: its name; empty where there is none.
        reason: why "auto" chose the formulation; empty where there was no choice.
    """

    machine: Machine
    formulation: str
    integrator: str
    reason: str

    @property
    def led(self) -> Led | None:
        """Itself where it goes exactly where it is told, None under forces."""

    @property
    def touching(self) -> Touching | None:
        """Itself where it touches what is around it, None where it passes through all."""

    # ------------------------------------------------------------------ state

    @property
    def state(self) -> State:
        """Poses, lengths and joints now."""

    @property
    def velocities(self) -> Floats:
        """What the motion goes on with besides its state, (nv,); nothing where it is led."""

    def save(self) -> object:
        """Everything that the motion goes on from."""

    def restore(self, saved: object) -> None:
        """Back to what `save` gave; the same commands then give the same motion, bit for bit."""

    # ----------------------------------------------------------------- motion

    def command(self, commands: Mapping[str, Command]) -> None:
        """Tell cylinders and motors what to do from now on; what is refused changes nothing."""

    def step(self, n: int = 1) -> None:
        """Make n substeps."""

    # --------------------------------------------------------------- readings

    def poses(self) -> Floats:
        """X_world_link of all links in the order of the file, (n_links, 4, 4)."""

    def input_rates(self) -> Floats:
        """Rates of all inputs [m/s, rad/s], (n_inputs,)."""

    def actuator_speeds(self) -> Floats:
        """Speeds of all cylinders [m/s], (n_actuators,)."""

    def motor_rates(self) -> Floats:
        """Rates of the joints with drives [rad/s, m/s], (n_joint_drives,)."""

    def drive_forces(self, gravity: float) -> Floats:
        """Force of every cylinder [N], then of every servo [N m, N], (n_drives,).

        What holds it still under a gravity [m/s^2] where it is led, and else what moves it.

        Raises:
            HeadframeError, LinAlgError: they cannot be told here, as at a dead centre.
        """

    def motor_forces(self, held: Floats) -> Floats:
        """Torque or force of the joints with drives [N m, N], (n_joint_drives,).

        Args:
            held: what `drive_forces` gave.
        """

    def energies(self) -> Floats:
        """Kinetic, potential, what drives did, and the balance [J], (4,); zeros where it is led.

        Of all that moves, where it touches what is around it.
        """


class Led(Mover, Protocol):
    """A mover by kinematics: it knows no forces, and any number of substeps takes as long as one.

    Attributes:
        speeds: mean speed of every actuator during the last motion [m/s], (n_actuators,).
    """

    formulation, integrator, reason = "kinematic", "", ""
    speeds: Floats

    @abstractmethod
    def follow(self, n: int, inputs: Ints, values: Floats, rates: Floats) -> None:
        """Make n substeps that end with some inputs at these values and rates, exactly.

        Raises:
            LengthError, SingularityError: the machine cannot have them; then it stays as it was.
        """

    @abstractmethod
    def place(self, state: State) -> None:
        """Stand elsewhere at once, all cylinders and servos holding."""

    @abstractmethod
    def check_turns(self, motor: str) -> None:
        """Refuse a motor that kinematics cannot turn."""

    @abstractmethod
    def rate(self, name: str) -> float:
        """Rate of a group's first member [m/s] or of a motor's joint [rad/s] now."""

    @property
    @abstractmethod
    def wanted(self) -> Floats:
        """What the inputs were last asked to be [m, rad], (n_inputs,)."""

    @property
    def led(self) -> Led:
        """Itself."""
        return self

    @property
    def touching(self) -> None:
        """It passes through all."""
        return None

    @property
    def velocities(self) -> Floats:
        """None: it can stop at any moment."""
        return np.zeros(0)

    def input_rates(self) -> Floats:
        """Rates of all inputs [m/s, rad/s], (n_inputs,)."""
        return np.array([self.rate(each.name) for each in self.machine.robot.inputs])

    def actuator_speeds(self) -> Floats:
        """Mean speeds of all cylinders during the last motion [m/s], (n_actuators,)."""
        return self.speeds

    def motor_rates(self) -> Floats:
        """Rates of the joints with drives [rad/s, m/s], (n_joint_drives,)."""
        return np.array([self.rate(motor.name) for motor in self.machine.robot.joint_drives])

    def drive_forces(self, gravity: float) -> Floats:
        """What holds every cylinder [N] and servo [N m, N] still, (n_drives,)."""
        return statics(self.state, gravity=gravity)

    def motor_forces(self, held: Floats) -> Floats:
        """What holds the servos; other motors turn without a load."""
        robot = self.machine.robot
        known = dict(zip(robot.drive_names, held.tolist(), strict=True))
        return np.array([known.get(motor.name, 0.0) for motor in robot.joint_drives])

    def energies(self) -> Floats:
        """Zeros: without forces nothing does work."""
        return np.zeros(4)
