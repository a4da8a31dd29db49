"""`Kinematic`: a machine that goes where its cylinders lead it, without forces.

Lengths follow their commands within the limits of speed and acceleration, and exact forward
kinematics places everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..actuation import Command
from ..actuation import _kernels as drives
from ..dynamics.model.packing import Model
from ..dynamics.tree.packing import tree_of
from ..errors import CommandError, LengthError, SingularityError
from ..kinematics.forward.solve import checked_start
from ..machine import Machine
from ..mechanism import State
from ..mechanism.compiled import Floats, Ints
from ..mechanism.solver import constraint_jacobian
from .commanding import Commands

TIED = 1e-12  # rate of a loop per rate of a joint above which the joint is part of the loop


@dataclass(frozen=True, slots=True, eq=False)
class SavedKinematic:
    """State of a `Kinematic`, to go back to: positions alone, not what a `State` has worked out."""

    q: Floats
    base: Floats
    positions: Floats
    rates: Floats
    drive: Floats


class Kinematic:
    """Moves a machine by its lengths alone; commands are those of a `Simulation`.

    Attributes:
        machine: what moves.
        step_size: [s].
        state: where it is.
        speeds: mean speed of every actuator during the last call of `step` [m/s], (n_actuators,).
    """

    formulation, integrator, reason = "kinematic", "", ""

    def __init__(self, machine: Machine, step: float, start: State | None = None) -> None:
        """Stand still, all cylinders holding."""
        self.machine, self.step_size = machine, step
        self.state = checked_start(machine.kinematics, start)
        self.model = Model(tree_of(machine.mechanism), machine.kinematics, machine.home)
        self._commands = Commands(self.model)
        self._groups = len(machine.robot.groups)
        self._drive = self.model.new_drive()
        self._drive[:, drives.MODE] = drives.LOCKED
        self._positions = self._read(self.state)
        self._rates = np.zeros(len(self.model.rows))
        self.speeds = np.zeros(len(machine.actuators))
        self._tied = self._tied_motors()
        self._turning = [
            (n, row.position)
            for n, row in enumerate(self.model.rows)
            if row.motor and row.motor not in self._tied
        ]

    # ------------------------------------------------------------------ time

    def step(self, n: int = 1) -> None:
        """Make n substeps. Where the machine cannot follow a length, that cylinder stands still."""
        before, lengths = self._positions.copy(), self.state.lengths
        if n == 0:
            return
        drives.lead(n, self.step_size, self._drive, self._positions, self._rates)
        if np.array_equal(before, self._positions):
            self.speeds = np.zeros(lengths.size)
            return
        turned = self._turned()
        wanted = self._positions[: self._groups]
        try:
            self.state = self.machine.fk(wanted, start=turned)
        except (LengthError, SingularityError):
            self.state = self._one_by_one(before, turned)
        self.speeds = (self.state.lengths - lengths) / (n * self.step_size)

    def follow(self, n: int, groups: Ints, lengths: Floats, rates: Floats) -> None:
        """Make n substeps that end with some groups at these lengths [m] and rates [m/s], exactly.

        Raises:
            LengthError, SingularityError: the machine cannot have them; then it stays as it was.
        """
        saved, before = self.save(), self.state.lengths
        drives.lead(n, self.step_size, self._drive, self._positions, self._rates)
        self._positions[groups], self._rates[groups] = lengths, rates
        try:
            self.state = self.machine.fk(self._positions[: self._groups], start=self._turned())
        except (LengthError, SingularityError):
            self.restore(saved)
            raise
        self.speeds = (self.state.lengths - before) / (n * self.step_size)

    def _one_by_one(self, before: Floats, turned: State) -> State:
        """Each group as far as it can go while the others wait."""
        state, lengths = turned, before[: self._groups].copy()
        for group in range(self._groups):
            tried = lengths.copy()
            tried[group] = self._positions[group]
            try:
                state, lengths = self.machine.fk(tried, start=state), tried
            except (LengthError, SingularityError):
                self._positions[group], self._rates[group] = before[group], 0.0
        return state

    def _turned(self) -> State:
        """The state with the motors' joints moved on."""
        q = self.state.q.copy()
        for row, position in self._turning:
            q[position] = self._positions[row]
        return State.solved(self.machine.mechanism, q, self.state.base)

    # --------------------------------------------------------------- control

    def command(self, commands: Mapping[str, Command]) -> None:
        """Tell cylinders and motors what to do; `headframe.speed`, `length`, `locked`, `floating`.

        Raises:
            UnknownElementError: no cylinder, group or motor of that name.
            CommandError: what it cannot do; then no command is taken.
        """
        for name, command in commands.items():
            if isinstance(command, Command) and command.kind in ("force", "torque"):
                raise CommandError(f"{name!r}: found {command}, but kinematics knows no forces")
            if isinstance(command, Command) and command.value:
                self.check_turns(name)
        self._commands.set(commands, self._drive)

    def place(self, state: State) -> None:
        """Stand elsewhere at once, all cylinders holding; motors turn on."""
        self.state = checked_start(self.machine.kinematics, state)
        self._positions = self._read(self.state)
        self._rates[: self._groups] = 0.0
        self._drive[: self._groups, drives.MODE] = drives.LOCKED
        self.speeds = np.zeros(len(self.machine.actuators))

    def check_turns(self, motor: str) -> None:
        """Refuse a motor that kinematics cannot turn."""
        if motor in self._tied:
            raise CommandError(
                f"{motor!r} turns a joint of a loop, which kinematics leaves to the cylinders: "
                "choose dynamics"
            )

    def save(self) -> SavedKinematic:
        """The state and its commands, to go back to."""
        return SavedKinematic(
            self.state.q, self.state.base, self._positions.copy(), self._rates.copy(),
            self._drive.copy(),
        )  # fmt: skip

    def restore(self, saved: SavedKinematic) -> None:
        """Back to a saved state; the same commands from there on give the same motion."""
        self.state = State.solved(self.machine.mechanism, saved.q, saved.base)
        self._positions[:], self._rates[:] = saved.positions, saved.rates
        self._drive[:] = saved.drive
        self.speeds = np.zeros(len(self.machine.actuators))

    # -------------------------------------------------------------- readings

    def rate(self, name: str) -> float:
        """Rate of a group's first member [m/s] or of a motor's joint [rad/s] now."""
        return float(self._rates[self._commands.row(name)])

    @property
    def wanted(self) -> Floats:
        """Lengths that the groups' first members were last asked to have [m], (n_groups,)."""
        return self._positions[: self._groups].copy()

    def poses(self) -> Floats:
        """X_world_link of all links in the order of the file, (n, 4, 4)."""
        return np.array([self.state.pose(link.name) for link in self.machine.links])

    # --------------------------------------------------------------- helpers

    def _read(self, state: State) -> Floats:
        """Lengths of the groups' first members, then positions of the other rows."""
        return np.array(
            [
                state.lengths[row.members[0]] if row.members else state.q[row.position]
                for row in self.model.rows
            ]
        )

    def _tied_motors(self) -> set[str]:
        """Motors whose joints are parts of loops: cylinders, closures or repeaters move them."""
        every = np.arange(len(self.machine.mechanism.con_i))
        slopes = np.abs(constraint_jacobian(self.state, every))
        return {
            row.motor
            for row in self.model.rows
            if row.motor and slopes[:, row.velocity].max(initial=0.0) > TIED
        }
