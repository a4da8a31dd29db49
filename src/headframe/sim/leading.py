"""What leads machines by their drives: rows of them, and forward kinematics behind them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..actuation import Command
from ..actuation.kernels import DriveMode
from ..dynamics import DynamicsModel
from ..errors import CommandError, LengthError, SingularityError
from ..jit import Records, as_argument
from ..machine import Machine
from ..mechanism import Floats, State, constraint_jacobian, followers_of, tree_of
from ..mechanism.kernels import RowKind
from .commanding import Commands

TIED = 1e-12  # rate of a loop per rate of a joint above which the joint is part of the loop


class Leading:
    """A machine's rows: groups of cylinders first, then joints with motors or limits.

    Attributes:
        machine: what is led.
        model: its rows.
        commands: from names to rows.
        inputs: rows of the inputs: of the groups, then of the servos, (n_inputs,).
    """

    def __init__(self, machine: Machine) -> None:
        """Find out which motors kinematics can turn."""
        self.machine = machine
        self.model = DynamicsModel(tree_of(machine.mechanism), machine.kinematics, machine.home)
        self.commands = Commands(self.model)
        self.inputs = self.model.input_rows
        self._followers = followers_of(machine.mechanism)
        self._tied = self._tied_motors()
        self._turning = [
            (n, row.position)
            for n, row in enumerate(self.model.rows)
            if row.motor and row.motor not in self._tied and n not in self.inputs
        ]

    def new_drives(self) -> Records:
        """Drives of one machine, all holding, as kernels take them."""
        drives = as_argument(self.model.new_drives())
        drives["mode"] = DriveMode.LOCKED
        return drives

    def check(self, commands: Mapping[str, Command]) -> None:
        """Refuse forces, and motors that kinematics cannot turn."""
        for name, command in commands.items():
            if isinstance(command, Command) and command.kind in ("force", "torque"):
                raise CommandError(f"{name!r}: found {command}, but kinematics knows no forces")
            if isinstance(command, Command) and command.value:
                self.check_turns(name)

    def check_turns(self, motor: str) -> None:
        """Refuse a motor that kinematics cannot turn."""
        if motor in self._tied:
            raise CommandError(
                f"{motor!r} turns a joint of a loop, which kinematics leaves to the cylinders: "
                "choose dynamics"
            )

    def read(self, state: State) -> Floats:
        """Lengths of the groups' first members, then positions of the other rows."""
        return np.array(
            [
                state.lengths[row.members[0]] if row.members else state.q[row.position]
                for row in self.model.rows
            ]
        )

    def follow(self, state: State, before: Floats, positions: Floats, rates: Floats) -> State:
        """The state in which a machine's rows are, from the last one.

        Where it cannot follow a drive, that one stands still: its position is again what it was
        `before`, its rate zero.
        """
        try:
            return self.exactly(state, positions)
        except (LengthError, SingularityError):
            return self._one_by_one(self._turned(state, positions), before, positions, rates)

    def exactly(self, state: State, positions: Floats) -> State:
        """The state in which a machine's rows are, from the last one.

        Raises:
            LengthError, SingularityError: the machine cannot have these lengths and positions.
        """
        return self.machine.fk(positions[self.inputs], start=self._turned(state, positions))

    def _turned(self, state: State, positions: Floats) -> State:
        """The state with spinning joints moved on, and with them what repeats their motion."""
        if not self._turning:
            return state
        q = state.q.copy()
        for row, position in self._turning:
            q[position] = positions[row]
        for each in self._followers:
            q[each.place] = each.ratio * q[each.leader] + each.offset
        return State.solved(self.machine.mechanism, q, state.base)

    def _one_by_one(self, state: State, before: Floats, positions: Floats, rates: Floats) -> State:
        """Each input as far as it can go while the others wait."""
        inputs = before[self.inputs].copy()
        for number, row in enumerate(self.inputs):
            tried = inputs.copy()
            tried[number] = positions[row]
            try:
                state, inputs = self.machine.fk(tried, start=state), tried
            except (LengthError, SingularityError):
                positions[row], rates[row] = before[row], 0.0
        return state

    def _tied_motors(self) -> set[str]:
        """Motors whose joints are parts of loops: cylinders, servos or closures move them.

        So are motors of joints that follow another, and of those whose followers are in a loop.
        Servos are not among them, since kinematics solves for where they are told to be.
        """
        mechanism, followers = self.machine.mechanism, self._followers
        repeats = mechanism.constraints["kind"] == RowKind.RATIO
        slopes = np.abs(constraint_jacobian(self.machine.home, np.flatnonzero(~repeats)))
        tied = slopes.max(axis=0, initial=0.0) > TIED
        for each in reversed(followers):
            tied[each.leader_velocity] |= tied[each.velocity]
        for each in followers:
            tied[each.velocity] = True
        return {
            row.motor
            for n, row in enumerate(self.model.rows)
            if row.motor and tied[row.velocity] and n not in self.inputs
        }
