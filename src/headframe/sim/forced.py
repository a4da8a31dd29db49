"""`Forced`: a simulation as a session drives it."""

from __future__ import annotations

import numpy as np

from ..kinematics import rates, share
from ..mechanism import Floats
from .simulation import Simulation


class Forced(Simulation):
    """A machine under forces that tells what a session shows; see `Mover`."""

    __slots__ = ()

    @property
    def led(self) -> None:
        """Nobody can lead it: forces move it."""
        return None

    @property
    def velocities(self) -> Floats:
        """Of the tree [rad/s, m/s], (nv,)."""
        return self.v

    def input_rates(self) -> Floats:
        """Rates of all inputs [m/s, rad/s], (n_inputs,)."""
        rows = [self.model.rows[row] for row in self.model.input_rows]
        return self.v[[row.velocity for row in rows]]

    def actuator_speeds(self) -> Floats:
        """Speeds of all cylinders [m/s], (n_actuators,)."""
        return self.v[[cylinder.length_velocity for cylinder in self.model.tree.cylinders]]

    def motor_rates(self) -> Floats:
        """Rates of the joints with drives [rad/s, m/s], (n_joint_drives,)."""
        motors = self.machine.robot.joint_drives
        return np.array([self.joint(motor.joint).velocity for motor in motors])

    def drive_forces(self, gravity: float) -> Floats:
        """What moves every cylinder [N] and servo [N m, N], (n_drives,)."""
        robot, forces = self.machine.robot, self.forces
        totals = np.array([forces[name] for name in robot.group_names])
        shared = share(robot, rates(self.state).lengths[:, : len(totals)], totals)
        return np.append(shared, [forces[motor.joint] for motor in robot.servos])

    def motor_forces(self, held: Floats) -> Floats:
        """Torque or force of the joints with drives [N m, N], (n_joint_drives,)."""
        forces = self.forces
        return np.array([forces[motor.joint] for motor in self.machine.robot.joint_drives])

    def energies(self) -> Floats:
        """Kinetic, potential, what drives did, and the balance [J], (4,)."""
        now = self.energy()
        return np.array([now.kinetic, now.potential + now.springs, now.drives, now.balance])
