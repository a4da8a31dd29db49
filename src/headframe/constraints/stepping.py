"""What engines that go by steps of one size share: time, counts, work, and steps that fail."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

from ..checks import instance, number
from ..dynamics import DynamicsModel, Energies, Engine, Work
from ..dynamics.kernels import ENERGY, PULL
from ..errors import DynamicsError, StateError
from ..jit import Packing, Record, Records, header, new_records
from ..mechanism import Floats
from .records import RUN

KEPT = 8  # states before a failure that its error carries

TreeState = tuple[Floats, Floats]  # q and v


@dataclass(frozen=True)
class SavedRun:
    """Everything that a run goes on from: going on from it repeats every bit."""

    state: Floats
    drives: Records
    pulls: Records


class SteppedEngine(Engine):
    """A machine that moves by steps of one size.

    Attributes:
        step: [s].
        state: what a run goes on from, for kernels; it begins with a RUN.
        drives: commands and reactions by row of the model, DRIVE records.
        pulls: external forces, PULL records.
    """

    by_lengths = False
    state: Floats

    def __init__(self, model: DynamicsModel, step: float) -> None:
        """Begin with drives as `DynamicsModel.new_drives` has them, and without pulls."""
        self.model = model
        self.step = number("step", step, above=0.0, unit="s")
        self.drives = model.new_drives()
        self.pulls = new_records(0, PULL)

    # ------------------------------------------------------------- what it tells

    @cached_property
    def _run(self) -> Record:
        return header(self.state, RUN)

    @property
    def steps(self) -> int:
        """Made so far."""
        return int(self._run.steps)

    @property
    def time(self) -> float:
        """Since the start [s]."""
        return self.steps * self.step

    @property
    def last_iterations(self) -> int:
        """Iterations of the last step."""
        return int(self._run.iterations)

    @property
    def iterations(self) -> float:
        """Iterations a step, in the mean since the start."""
        return float(self._run.iterated / max(self.steps, 1))

    def work_done(self) -> Work:
        """What flowed in since the start.

        Kinetic, potential and spring energy follow the sum but for the integrator's own error,
        which falls with the step.
        """
        return Work(*self._run.work.tolist())

    def energy(self) -> Energies:
        """Energies now."""
        found = Packing(ENERGY).buffer()
        self._energies(found)
        return Energies(*found.tolist())

    @abstractmethod
    def _energies(self, energy_out: Floats) -> None:
        """ENERGY now."""

    @abstractmethod
    def now(self) -> TreeState:
        """Copies of the tree's positions and velocities; reading them changes nothing."""

    # ------------------------------------------------------------- what it does

    def save(self) -> SavedRun:
        """Everything that the motion goes on from, bit for bit."""
        return SavedRun(self.state.copy(), self.drives.copy(), self.pulls.copy())

    def restore(self, saved: object) -> None:
        """Go back to what `save` gave.

        Raises:
            StateError: what another machine, or another formulation, gave.
        """
        before = instance("saved", saved, SavedRun, "what `save` gave")
        if before.state.shape != self.state.shape or before.drives.shape != self.drives.shape:
            raise StateError("found a state of another machine or formulation")
        self.state[:], self.drives[:] = before.state, before.drives
        self.pulls = before.pulls.copy()

    def run(self, steps: int = 1) -> None:
        """Go on by so many steps.

        A step that fails has changed more than the state by then: what became of the drives,
        impulses to begin the next step with, work, counts. So all steps that went well are made
        again, bit for bit as before.

        Raises:
            DynamicsError: what stops being finite, or cannot move. The machine then stands where it
                stood before that step.
        """
        start = self.save()
        status = self._go(steps)
        if not status:
            return
        name, message = self._failure(status)
        made = self.steps
        self.restore(start)
        made -= self.steps
        singly = min(made, KEPT - 1)
        self._go(made - singly)
        states = [self.now()]
        for _ in range(singly):
            self._go(1)
            states.append(self.now())
        raise self._error(name, message, states)

    @abstractmethod
    def _go(self, steps: int) -> int:
        """Make steps; 0, or the status of the one that failed, all before it being counted."""

    @abstractmethod
    def _failure(self, status: int) -> tuple[str, str]:
        """The link or joint where a step failed, and what a status says about it."""

    def _error(self, name: str, message: str, states: list[TreeState]) -> DynamicsError:
        """The error of a step that begins now; the last states, oldest first."""
        return DynamicsError(f"{message} (at {self.time:.6g} s)", name, self.time, states)
