"""What every formulation offers to those who let a machine move: one contract for all engines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..checks import instance, number
from ..errors import DynamicsError, StateError
from ..jit import Packing, Record, Records, as_argument, header, new_records, records
from ..mechanism import Floats
from .forces import energies
from .loop_rows import residuals
from .loops import Loops, loops_of
from .model import DynamicsModel
from .records import BODY, ENERGY, MODEL, PULL, RUN
from .tree.memory import Bodies

KEPT = 8  # states before a failure that its error carries

TreeState = tuple[Floats, Floats]  # q and v


class Energies(NamedTuple):
    """Of a machine now [J]."""

    kinetic: float
    potential: float
    springs: float


class Work(NamedTuple):
    """What was done to a machine since its start [J]."""

    drives: float
    dampers: float
    pulls: float  # external forces
    stops: float
    joints: float  # what held joints together, where these are not exact
    contacts: float = 0.0  # what it touched, of a machine in a world
    numerical: float = 0.0  # what steps with contacts lost by themselves


@dataclass(frozen=True)
class SavedRun:
    """Everything that a run goes on from: going on from it repeats every bit."""

    state: Floats
    drives: Records
    pulls: Records


class Engine(ABC):
    """A machine in motion by some formulation, in steps of one size.

    Positions and velocities are those of the spanning tree, whatever the formulation's own
    coordinates are.

    Attributes:
        model: the machine.
        step: [s].
        state: what a run goes on from, for kernels; it begins with a RUN.
        drives: DRIVE records of the model's rows: commands, and what became of them.
        given_drives: the same, as kernels take them; `flat_drives`: as one buffer.
        given_pulls, flat_pulls: likewise `pulls`.
        by_lengths: whether lengths of cylinders are its coordinates.
    """

    by_lengths = False
    state: Floats

    def __init__(self, model: DynamicsModel, step: float) -> None:
        """Begin with drives as `DynamicsModel.new_drives` has them, and without pulls."""
        self.model = model
        self.step = number("step", step, above=0.0, unit="s")
        self.drives = model.new_drives()
        self.given_drives = as_argument(self.drives)
        self.flat_drives: Floats = self.given_drives.view(np.float64)
        self.pulls = new_records(0, PULL)

    @property
    def pulls(self) -> Records:
        """PULL records: external forces from now on."""
        return self._pulls

    @pulls.setter
    def pulls(self, pulls: Records) -> None:
        self._pulls, self.given_pulls = pulls, as_argument(pulls)
        self.flat_pulls: Floats = self.given_pulls.view(np.float64)

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
        """Iterations of the last step; 0 for formulations that need none."""
        return int(self._run.iterations)

    @property
    def iterations(self) -> float:
        """Iterations a step, in the mean since the start."""
        return float(self._run.iterated / max(self.steps, 1))

    @property
    @abstractmethod
    def q(self) -> Floats:
        """Positions of the tree, (nq,)."""

    @property
    @abstractmethod
    def v(self) -> Floats:
        """Velocities of the tree, (nv,)."""

    def now(self) -> TreeState:
        """Copies of the tree's positions and velocities; reading them changes nothing."""
        return self.q.copy(), self.v.copy()

    @abstractmethod
    def poses(self) -> Floats:
        """X_base_link of all links, in the order of the file, (n_links, 4, 4)."""

    @abstractmethod
    def position_error(self) -> float:
        """How far the loop or joint that is open the widest is open [m, rad]."""

    def energy(self) -> Energies:
        """Energies now."""
        found = Packing(ENERGY).buffer()
        self._energies(found)
        return Energies(*found.tolist())

    @abstractmethod
    def _energies(self, energy_out: Floats) -> None:
        """ENERGY now."""

    def work_done(self) -> Work:
        """What flowed in since the start.

        Kinetic, potential and spring energy follow the sum but for the integrator's own error,
        which falls with the step.
        """
        return Work(*self._run.work.tolist())

    # ------------------------------------------------------------- what it does

    @abstractmethod
    def set_state(self, q: Floats, v: Floats) -> None:
        """Begin at positions and velocities of the tree; those that loops decide follow."""

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
        self._go_back(before)

    def _go_back(self, before: SavedRun) -> None:
        self.state[:], self.given_drives[:] = before.state, before.drives
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
        state, drives = self.state.copy(), self.flat_drives.copy()
        status = self._go(steps)
        if not status:
            return
        name, message = self._failure(status)
        made = self.steps
        self.state[:], self.flat_drives[:] = state, drives
        raise self._error(name, message, self._make_again(made - self.steps))

    def _make_again(self, steps: int) -> list[TreeState]:
        """Make steps that went well before; the last states, oldest first."""
        singly = min(steps, KEPT - 1)
        self._go(steps - singly)
        states = [self.now()]
        for _ in range(singly):
            self._go(1)
            states.append(self.now())
        return states

    @abstractmethod
    def _go(self, steps: int) -> int:
        """Make steps; 0, or the status of the one that failed, all before it being counted."""

    def failure(self, status: int) -> tuple[str | None, str]:
        """The link or joint where a step failed, and what a status says about it."""
        return self._failure(status)

    @abstractmethod
    def _failure(self, status: int) -> tuple[str | None, str]:
        """The link or joint where a step failed, and what a status says about it."""

    def _error(self, name: str | None, message: str, states: list[TreeState]) -> DynamicsError:
        """The error of a step that begins now; the last states, oldest first."""
        return DynamicsError(f"{message} (at {self.time:.6g} s)", name, self.time, states)


class TreeEngine(Engine):
    """An engine whose kernels work over the spanning tree.

    Attributes:
        packed: the model for its kernels, see `records.MODEL`.
        work: their scratch memory.
    """

    packed: Floats
    work: Floats

    @cached_property
    def loops(self) -> Loops:
        """All constraints that close the tree."""
        return loops_of(self.model.near)

    @cached_property
    def _bodies(self) -> Bodies:
        found: Bodies = records(self.work, header(self.packed, MODEL).bodies, BODY)
        return found

    @abstractmethod
    def place(self) -> Bodies:
        """The bodies of the tree, placed and their velocities set."""

    def poses(self) -> Floats:
        """X_base_link of all links, in the order of the file, (n_links, 4, 4)."""
        return self.model.near.poses(self.place())

    def position_error(self) -> float:
        """How far the loop that is open the widest is open [m, rad]."""
        phi = np.zeros(self.loops.m)
        residuals(self.loops.rows, self.q, self.place(), phi)
        return float(np.abs(phi).max(initial=0.0))

    def _energies(self, energy_out: Floats) -> None:
        self.place()
        energies(self.packed, self.work, energy_out)
        header(energy_out, ENERGY).potential += self.model.near.lift
