"""`Kinematic`: a machine that goes where its cylinders lead it, without forces.

Lengths follow their commands within the limits of speed and acceleration, and exact forward
kinematics places everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..actuation import Command
from ..actuation.kernels import DriveMode, lead
from ..checks import instance
from ..errors import LengthError, SingularityError
from ..jit import Records
from ..kinematics import checked_start
from ..machine import Machine
from ..mechanism import Floats, Ints, State
from .leading import Leading
from .mover import Led


@dataclass(frozen=True, slots=True, eq=False)
class SavedKinematic:
    """State of a `Kinematic`, to go back to: positions alone, not what a `State` has worked out."""

    q: Floats
    base: Floats
    positions: Floats
    rates: Floats
    drives: Records


class Kinematic(Led):
    """Moves a machine by its lengths alone; commands are those of a `Simulation`.

    Attributes:
        machine: what moves.
        step_size: [s].
        speeds: mean speed of every actuator during the last call of `step` [m/s], (n_actuators,).
    """

    def __init__(self, machine: Machine, step: float, start: State | None = None) -> None:
        """Stand still, all cylinders holding."""
        self.machine, self.step_size = machine, step
        self._state = checked_start(machine.kinematics, start)
        self._leading = Leading(machine)
        self._drives = self._leading.new_drives()
        self._positions = self._leading.read(self.state)
        self._rates = np.zeros(len(self._positions))
        self.speeds = np.zeros(len(machine.actuators))

    @property
    def state(self) -> State:
        """Where it is."""
        return self._state

    # ------------------------------------------------------------------ time

    def step(self, n: int = 1) -> None:
        """Make n substeps. Where the machine cannot follow a length, that cylinder stands still."""
        before, lengths = self._positions.copy(), self.state.lengths
        if n == 0:
            return
        lead(n, self.step_size, self._drives, self._positions, self._rates)
        if np.array_equal(before, self._positions):
            self.speeds = np.zeros(lengths.size)
            return
        self._state = self._leading.follow(self.state, before, self._positions, self._rates)
        self.speeds = (self.state.lengths - lengths) / (n * self.step_size)

    def follow(self, n: int, inputs: Ints, values: Floats, rates: Floats) -> None:
        """Make n substeps that end with some inputs at these values and rates, exactly.

        Raises:
            LengthError, SingularityError: the machine cannot have them; then it stays as it was.
        """
        saved, before = self.save(), self.state.lengths
        lead(n, self.step_size, self._drives, self._positions, self._rates)
        rows = self._leading.inputs[inputs]
        self._positions[rows], self._rates[rows] = values, rates
        try:
            self._state = self._leading.exactly(self.state, self._positions)
        except (LengthError, SingularityError):
            self.restore(saved)
            raise
        self.speeds = (self.state.lengths - before) / (n * self.step_size)

    # --------------------------------------------------------------- control

    def command(self, commands: Mapping[str, Command]) -> None:
        """Tell cylinders and motors what to do; `headframe.speed`, `length`, `position`...

        Raises:
            UnknownElementError: no cylinder, group or motor of that name.
            CommandError: what it cannot do; then no command is taken.
        """
        self._leading.check(commands)
        self._leading.commands.set(commands, self._drives)

    def place(self, state: State) -> None:
        """Stand elsewhere at once, all cylinders and servos holding; other motors turn on."""
        self._state = checked_start(self.machine.kinematics, state)
        self._positions = self._leading.read(self.state)
        self._rates[self._leading.inputs] = 0.0
        self._drives["mode"][self._leading.inputs] = DriveMode.LOCKED
        self.speeds = np.zeros(len(self.machine.actuators))

    def check_turns(self, motor: str) -> None:
        """Refuse a motor that kinematics cannot turn."""
        self._leading.check_turns(motor)

    def save(self) -> SavedKinematic:
        """The state and its commands, to go back to."""
        return SavedKinematic(
            self.state.q, self.state.base, self._positions.copy(), self._rates.copy(),
            self._drives.copy(),
        )  # fmt: skip

    def restore(self, saved: object) -> None:
        """Back to a saved state; the same commands from there on give the same motion."""
        before = instance("saved", saved, SavedKinematic, "what `save` gave")
        self._state = State.solved(self.machine.mechanism, before.q, before.base)
        self._positions[:], self._rates[:] = before.positions, before.rates
        self._drives[:] = before.drives
        self.speeds = np.zeros(len(self.machine.actuators))

    # -------------------------------------------------------------- readings

    def rate(self, name: str) -> float:
        """Rate of a group's first member [m/s] or of a motor's joint [rad/s] now."""
        return float(self._rates[self._leading.commands.row(name)])

    @property
    def wanted(self) -> Floats:
        """What the inputs were last asked to be [m, rad], (n_inputs,)."""
        wanted: Floats = self._positions[self._leading.inputs]
        return wanted

    def poses(self) -> Floats:
        """X_world_link of all links in the order of the file, (n, 4, 4)."""
        return np.array([self.state.pose(link.name) for link in self.machine.links])
