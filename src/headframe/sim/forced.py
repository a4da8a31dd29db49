"""`Forced`: a simulation as a session drives it."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from ..kinematics import rates, share
from ..mechanism import Floats, State
from .readings import Energy
from .simulation import Simulation


def told_energies(now: Energy) -> Floats:
    """Kinetic, potential with springs, what drives did, and the balance [J], (4,)."""
    return np.array([now.kinetic, now.potential + now.springs, now.drives, now.balance])


class ForceReadings:
    """What a machine under forces tells a session; see `Mover`."""

    __slots__ = ()

    @property
    @abstractmethod
    def moved(self) -> Simulation:
        """The machine in motion."""

    @property
    @abstractmethod
    def state(self) -> State:
        """Poses, lengths and joints now."""

    @property
    def led(self) -> None:
        """Nobody can lead it: forces move it."""
        return None

    @property
    def velocities(self) -> Floats:
        """Of the tree [rad/s, m/s], (nv,)."""
        return self.moved.v

    def input_rates(self) -> Floats:
        """Rates of all inputs [m/s, rad/s], (n_inputs,)."""
        model = self.moved.model
        rows = [model.rows[row] for row in model.input_rows]
        return self.moved.v[[row.velocity for row in rows]]

    def actuator_speeds(self) -> Floats:
        """Speeds of all cylinders [m/s], (n_actuators,)."""
        cylinders = self.moved.model.tree.cylinders
        return self.moved.v[[cylinder.length_velocity for cylinder in cylinders]]

    def motor_rates(self) -> Floats:
        """Rates of the joints with drives [rad/s, m/s], (n_joint_drives,)."""
        motors = self.moved.machine.robot.joint_drives
        return np.array([self.moved.joint(motor.joint).velocity for motor in motors])

    def drive_forces(self, gravity: float) -> Floats:
        """What moves every cylinder [N] and servo [N m, N], (n_drives,)."""
        robot, forces = self.moved.machine.robot, self.moved.forces
        totals = np.array([forces[name] for name in robot.group_names])
        shared = share(robot, rates(self.state).lengths[:, : len(totals)], totals)
        return np.append(shared, [forces[motor.joint] for motor in robot.servos])

    def motor_forces(self, held: Floats) -> Floats:
        """Torque or force of the joints with drives [N m, N], (n_joint_drives,)."""
        forces, motors = self.moved.forces, self.moved.machine.robot.joint_drives
        return np.array([forces[motor.joint] for motor in motors])


class Forced(Simulation, ForceReadings):
    """A machine under forces that touches nothing; see `Mover`."""

    __slots__ = ()

    @property
    def moved(self) -> Simulation:
        """Itself."""
        return self

    @property
    def touching(self) -> None:
        """Nothing touches it."""
        return None

    def energies(self) -> Floats:
        """Kinetic, potential, what drives did, and the balance [J], (4,)."""
        return told_energies(self.energy())
