"""`Convoy`: many machines of one kind, led by their lengths; those that are selected obey."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..actuation import Command
from ..actuation.kernels import DriveMode, lead
from ..checks import instance
from ..errors import CommandError, LengthError, SingularityError, StateError
from ..jit import Records
from ..kinematics import checked_start
from ..machine import Machine
from ..mechanism import Floats, Ints, Placing, State
from ..spatial import checked_pose
from .leading import Leading
from .mover import Led
from .ring import ARRAY

REFERENCE = 8  # bytes of a place in a tuple


@dataclass(frozen=True, slots=True, eq=False)
class SavedConvoy:
    """State of a `Convoy`, to go back to.

    Attributes:
        rows: of each unit its joint positions, positions and rates of its drives; a unit that has
            not moved shares its array with the moment before.
        commands: mode and value of the selected units' commands, (n_rows, 2).
        selected: which units obey.
        own_bytes: what is not shared with the moment before.
    """

    rows: tuple[Floats, ...]
    commands: Floats
    selected: tuple[int, ...]
    own_bytes: int


class Convoy(Led):
    """Moves machines of one kind that stand at different places; like `Kinematic` for the rest.

    Commands go to the selected units; all others hold. What a unit cannot do stops that unit
    alone. `state`, `speeds`, `rate` and `poses` are those of the first selected unit.

    Attributes:
        machine: what moves.
        step_size: [s].
        speeds: mean speed of every actuator during the last call of `step` [m/s], (n_actuators,).
    """

    def __init__(
        self, machine: Machine, step: float, bases: Floats, joints: Floats | None = None
    ) -> None:
        """Stand still, all cylinders holding, the first unit selected.

        Args:
            machine: of every unit.
            step: [s].
            bases: X_world_base of each unit, (n, 4, 4).
            joints: positions of the joints of each unit, (n, nq); at home if None.
        """
        self.machine, self.step_size = machine, step
        self._bases = checked_pose(bases, "bases")
        if self._bases.ndim != 3 or len(self._bases) == 0:
            raise StateError(f"bases: found shape {self._bases.shape}, expected (n, 4, 4)")
        self._bases.flags.writeable = False
        count, home = len(self._bases), machine.home
        self._leading, self._placing = Leading(machine), Placing(machine.mechanism)
        self._q = np.repeat(home.q[None], count, axis=0)
        if joints is not None:
            self._q = self._checked(np.array(joints, dtype=np.float64))
        self._positions = np.array([self._leading.read(self._state(n)) for n in range(count)])
        self._rates = np.zeros_like(self._positions)
        self._limits = self._leading.new_drives()  # one unit's, with what selected units are told
        self._drives: Records = np.repeat(self._limits[None], count, axis=0)
        self.speeds = np.zeros(len(machine.actuators))
        self._selected: tuple[int, ...] = (0,)
        self._unseen = np.ones(count, dtype=bool)
        self._now: State | None = None
        self._last: SavedConvoy | None = None
        self._last_rows = np.full((count, self._q.shape[1] + 2 * self._rates.shape[1]), np.nan)

    def _checked(self, joints: Floats) -> Floats:
        """Joint positions of every unit, as `State` takes them."""
        if joints.shape != self._q.shape:
            raise StateError(f"joints: found shape {joints.shape}, expected {self._q.shape}")
        return np.array([State(self.machine.mechanism, q).q for q in joints])

    def __len__(self) -> int:
        return len(self._q)

    # -------------------------------------------------------------- selected

    @property
    def selected(self) -> tuple[int, ...]:
        """Units that obey, in their order."""
        return self._selected

    def select(self, units: Sequence[int]) -> None:
        """Let other units obey; those that did so hold from now on."""
        wanted = tuple(sorted(set(units)))
        if not wanted or wanted[0] < 0 or wanted[-1] >= len(self):
            raise CommandError(
                f"units: found {list(units)!r:.60}, expected some of 0 to {len(self) - 1}"
            )
        self._selected, self._now = wanted, None
        self._limits["mode"] = DriveMode.LOCKED
        self.speeds = np.zeros(len(self.machine.actuators))
        self._pass_commands()

    def _pass_commands(self) -> None:
        """Write what is told into the drives of those who obey."""
        obey = np.array(self._selected)
        self._drives["mode"] = DriveMode.LOCKED
        self._drives["mode"][obey] = self._limits["mode"]
        self._drives["value"][obey] = self._limits["value"]

    # ------------------------------------------------------------------ time

    def step(self, n: int = 1) -> None:
        """Make n substeps."""
        if n == 0:
            return
        before, lengths = self._positions.copy(), self.state.lengths
        self._lead(n)
        self._go_after(before, range(len(self)))
        self.speeds = (self.state.lengths - lengths) / (n * self.step_size)

    def _go_after(self, before: Floats, units: Iterable[int]) -> None:
        """Let the joints of those units come after whose rows have moved."""
        moved = (before != self._positions).any(axis=1)
        for unit in units:
            if moved[unit]:
                state = self._leading.follow(
                    self._state(unit), before[unit], self._positions[unit], self._rates[unit]
                )
                self._q[unit], self._unseen[unit] = state.q, True
        self._now = None

    def follow(self, n: int, inputs: Ints, values: Floats, rates: Floats) -> None:
        """Lead the first selected unit as `Kinematic.follow` does; all others come to rest."""
        saved, before, rows = self.save(), self.state.lengths, self._positions.copy()
        first = self._selected[0]
        self._lead(n)
        led = self._leading.inputs[inputs]
        self._positions[first, led], self._rates[first, led] = values, rates
        try:
            self._q[first] = self._leading.exactly(self.state, self._positions[first]).q
        except (LengthError, SingularityError):
            self.restore(saved)
            raise
        self._unseen[first] = True
        self._go_after(rows, (unit for unit in range(len(self)) if unit != first))
        self.speeds = (self.state.lengths - before) / (n * self.step_size)

    def _lead(self, n: int) -> None:
        """Move the rows of all units on by n substeps."""
        lead(
            n, self.step_size, self._drives.reshape(-1), self._positions.reshape(-1),
            self._rates.reshape(-1),
        )  # fmt: skip

    # --------------------------------------------------------------- control

    def command(self, commands: Mapping[str, Command]) -> None:
        """Tell cylinders and motors of the selected units what to do, as `Kinematic.command`."""
        self._leading.check(commands)
        self._leading.commands.set(commands, self._limits)
        self._pass_commands()

    def place(self, state: State) -> None:
        """Let the first selected unit stand elsewhere at once; all cylinders hold."""
        checked_start(self.machine.kinematics, state)
        first, inputs = self._selected[0], self._leading.inputs
        self._q[first], self._positions[first] = state.q, self._leading.read(state)
        self._rates[:, inputs] = 0.0
        self._limits["mode"][inputs] = DriveMode.LOCKED
        self.speeds = np.zeros(len(self.machine.actuators))
        self._unseen[first] = True
        self._now = None
        self._pass_commands()

    def check_turns(self, motor: str) -> None:
        """Refuse a motor that kinematics cannot turn."""
        self._leading.check_turns(motor)

    def save(self) -> SavedConvoy:
        """The state and its commands, to go back to."""
        now = np.hstack([self._q, self._positions, self._rates])
        commands = np.column_stack([self._limits["mode"], self._limits["value"]])
        changed = np.flatnonzero((now != self._last_rows).any(axis=1))
        own = ARRAY + commands.nbytes
        if self._last is not None and len(changed) == 0:
            rows = self._last.rows
        else:
            kept = list(self._last.rows) if self._last is not None else [now[0]] * len(self)
            for unit in changed:
                kept[unit] = now[unit].copy()
                own += ARRAY + kept[unit].nbytes
            rows = tuple(kept)
            own += REFERENCE * len(rows)
        self._last = SavedConvoy(rows, commands, self._selected, own)
        self._last_rows = now
        return self._last

    def restore(self, saved: object) -> None:
        """Back to a saved state; the same commands from there on give the same motion."""
        before = instance("saved", saved, SavedConvoy, "what `save` gave")
        rows = np.array(before.rows)
        nq, width = self._q.shape[1], self._positions.shape[1]
        self._unseen |= (rows[:, :nq] != self._q).any(axis=1)
        self._q[:] = rows[:, :nq]
        self._positions[:] = rows[:, nq : nq + width]
        self._rates[:] = rows[:, nq + width :]
        self._limits["mode"], self._limits["value"] = before.commands.T
        self._selected, self._now = before.selected, None
        self._last, self._last_rows = before, rows
        self.speeds = np.zeros(len(self.machine.actuators))
        self._pass_commands()

    # -------------------------------------------------------------- readings

    @property
    def state(self) -> State:
        """Where the first selected unit is."""
        if self._now is None:
            self._now = self._state(self._selected[0])
        return self._now

    def _state(self, unit: int) -> State:
        return State.solved(self.machine.mechanism, self._q[unit].copy(), self._bases[unit])

    @property
    def joints(self) -> Floats:
        """Positions of the joints of all units [rad, m], (n, nq)."""
        return self._q.copy()

    def rate(self, name: str) -> float:
        """Rate of a group's first member [m/s] or of a motor's joint [rad/s] now."""
        return float(self._rates[self._selected[0], self._leading.commands.row(name)])

    @property
    def wanted(self) -> Floats:
        """What the first selected unit's inputs are led to [m, rad], (n_inputs,)."""
        wanted: Floats = self._positions[self._selected[0], self._leading.inputs]
        return wanted

    def poses(self) -> Floats:
        """X_world_link of the first selected unit, in the order of the file, (n_links, 4, 4)."""
        found: Floats = self.poses_of([self._selected[0]])[0]
        return found

    def poses_of(self, units: Sequence[int] | Ints) -> Floats:
        """X_world_link of some units, (n, n_links, 4, 4)."""
        which = np.asarray(units, dtype=np.int64)
        return self._placing.poses(self._q[which], self._bases[which])

    def moved(self) -> Ints:
        """Units that moved since this was last asked."""
        found = np.flatnonzero(self._unseen)
        self._unseen[:] = False
        return found
