"""A machine whose formulation gives accelerations, in motion by an integrator."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...checks import instance
from ...errors import DynamicsError
from ...jit import Packing, Records, address_of, header, new_records, records
from ...mechanism import Floats
from ..engine import Energies, Engine, Work
from ..errors import motion_failure
from ..forces import energies
from ..loop_rows import residuals
from ..loops import loops_of, tied_by_loops
from ..model import DynamicsModel
from ..records import BODY, ENERGY, LEDGER, MODEL, PULL
from ..tree.memory import Bodies
from . import calls, stepping
from .runge_kutta import INTEGRATORS, Integrator

KEPT = 8  # states before a failure that its error carries


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Everything that decides how a motion goes on."""

    steps: int
    q: Floats
    v: Floats
    drives: Records
    pulls: Records
    ledger: Floats


class FormulationKernels(Protocol):
    """What the integrators ask of a formulation; see `calls`. A module of kernels is one."""

    @property
    def evaluate(self) -> calls.StatusKernel:
        """Accelerations, reactions and powers."""

    @property
    def read_rows(self) -> calls.StatusKernel:
        """Position and rate of every row."""

    @property
    def project(self) -> calls.StatusKernel:
        """Back onto loops and guided rows."""

    @property
    def arrest(self) -> Callable[..., tuple[int, float, float]]:
        """Inelastic stop."""

    @property
    def tree_state(self) -> calls.StatusKernel:
        """Positions and velocities of the tree, which is placed."""


@dataclass(frozen=True)
class IntegratedModel:
    """A model as a formulation packs it for the integrators.

    Attributes:
        packed: for its kernels, see `records.MODEL`.
        work_size: of their scratch memory, in doubles.
        kernels: its own.
        variational_step: the step of the variational integrator.
    """

    packed: Floats
    work_size: int
    kernels: FormulationKernels
    variational_step: calls.StatusKernel


class IntegratedMotion(Engine):
    """Coordinates, velocities and drives of a machine, and the kernel that moves them on.

    A formulation packs its model, and says how its coordinates begin and what their names are.

    Attributes:
        model: the machine.
        step: [s].
        steps: made so far.
        packed: the model for the formulation's kernels, see `records.MODEL`.
        calls: addresses of the formulation's kernels, see `calls`.
        coordinates, velocities: of the formulation.
        drives: commands and what became of them, DRIVE records.
        pulls: external forces, PULL records.
    """

    by_lengths = False

    def __init__(
        self, model: DynamicsModel, own: IntegratedModel, integrator: str, step: float
    ) -> None:
        """Start at rest at the model's home."""
        self.model, self.step = model, step
        self.method = INTEGRATORS[integrator]
        self.packed, self._kernels = own.packed, own.kernels
        self._head = header(self.packed, MODEL)
        rows = [row.velocity for row in model.rows]
        home = model.tree.positions(model.home)
        self._head.tied = tied_by_loops(model.tree, home, rows)
        self.calls = self._addresses(own.variational_step)
        self.work = np.zeros(own.work_size)
        nq, nv = int(self._head.nq), int(self._head.nv)
        self.coordinates, self.velocities = np.zeros(nq), np.zeros(nv)
        self.drives = model.new_drives()
        self.pulls = new_records(0, PULL)
        self._ledger = Packing(LEDGER).buffer()
        self.kept = np.zeros((KEPT, nq + nv))
        self.steps = self._kept = 0
        self._tree_q, self._tree_v = np.zeros(model.tree.nq), np.zeros(model.tree.nv)
        self.set_state(model.tree.positions(model.home), np.zeros(model.tree.nv))

    # ------------------------------------------------- what a formulation says

    @abstractmethod
    def _begin(self, q: Floats, v: Floats) -> int:
        """Set coordinates and velocities from those of the tree; 0, or a status."""

    @abstractmethod
    def _names(self) -> list[str]:
        """The joint or group of every velocity."""

    @abstractmethod
    def name_without_inertia(self, number: int) -> str:
        """The joint or group that has no inertia, where a status tells its number."""

    @abstractmethod
    def name_of_loop(self, row: int) -> str:
        """Name of the loop that a row belongs to; empty if it has none."""

    # ------------------------------------------------------------------ motion

    def _addresses(self, variational_step: calls.StatusKernel) -> Floats:
        """Where the formulation's kernels are, as CALLS; none for a method not asked for."""
        own, step = self._kernels, 0
        if self.method == Integrator.VARIATIONAL:
            step = address_of(variational_step, calls.STEP)
        return Packing(
            calls.CALLS,
            evaluate=address_of(own.evaluate, calls.EVALUATE),
            read_rows=address_of(own.read_rows, calls.READ_ROWS),
            project=address_of(own.project, calls.PROJECT),
            arrest=address_of(own.arrest, calls.ARREST),
            step=step,
        ).buffer()

    @property
    def time(self) -> float:
        """Since the start [s]."""
        return self.steps * self.step

    def set_state(self, q: Floats, v: Floats) -> None:
        """Begin at positions and velocities of the tree; those that loops decide follow."""
        self._kept = 0
        status = self._begin(q, v)
        if status:
            raise self._error(status)
        self._place()

    @property
    def q(self) -> Floats:
        """Positions of the tree."""
        self._place()
        return self._tree_q.copy()

    @property
    def v(self) -> Floats:
        """Velocities of the tree."""
        self._place()
        return self._tree_v.copy()

    def place(self) -> Bodies:
        """The bodies of the placed tree."""
        self._place()
        found: Bodies = records(self.work, self._head.bodies, BODY)
        return found

    def poses(self) -> Floats:
        """X_base_link of all links, in the order of the file, (n_links, 4, 4)."""
        return self.model.near.poses(self.place())

    def position_error(self) -> float:
        """How far the loop that is open the widest is open [m, rad]."""
        loops = loops_of(self.model.near)
        phi = np.zeros(loops.m)
        residuals(loops.rows, self.q, self.place(), phi)
        return float(np.abs(phi).max(initial=0.0))

    @property
    def iterations(self) -> float:
        """Steps here need none."""
        return 0.0

    def work_done(self) -> Work:
        """What was done since the start."""
        ledger = header(self._ledger, LEDGER)
        flow = ledger.flow
        return Work(
            float(flow.drives), float(flow.dampers), float(flow.pulls), float(ledger.stops), 0.0
        )

    def energy(self) -> Energies:
        """Energies now."""
        self._place()
        found = Packing(ENERGY).buffer()
        energies(self.packed, self.work, found)
        energy = header(found, ENERGY)
        potential = float(energy.potential) + self.model.near.lift
        return Energies(float(energy.kinetic), potential, float(energy.springs))

    def run(self, steps: int) -> None:
        """Make so many steps.

        Raises:
            DynamicsError: a step that cannot be made; the state is the one before it.
        """
        status, done = stepping.run(
            self.calls, self.packed, int(self.method), self.step, steps, self.coordinates,
            self.velocities, self.drives, self.pulls, self.work, self._ledger, self._kept,
            self.kept,
        )  # fmt: skip
        self.steps += done
        self._kept += done
        if status:
            raise self._error(status, self._last_states())

    def save(self) -> Snapshot:
        """A copy of the state."""
        return Snapshot(
            self.steps, self.coordinates.copy(), self.velocities.copy(), self.drives.copy(),
            self.pulls.copy(), self._ledger.copy(),
        )  # fmt: skip

    def restore(self, saved: object) -> None:
        """Back to a saved state."""
        snapshot = instance("saved", saved, Snapshot, "what `save` gave")
        self.steps, self._kept = snapshot.steps, 0
        self.coordinates[:], self.velocities[:] = snapshot.q, snapshot.v
        self.drives[:], self.pulls = snapshot.drives, snapshot.pulls.copy()
        self._ledger[:] = snapshot.ledger

    def _place(self) -> None:
        status = self._kernels.tree_state(
            self.packed, self.coordinates, self.velocities, self.work, self._tree_q, self._tree_v
        )  # fmt: skip
        if status:
            raise self._error(status)

    def _last_states(self) -> list[tuple[Floats, Floats]]:
        """Positions and velocities of the tree before the last steps, oldest first."""
        nq = self.coordinates.size
        order = [(self._kept - k) % KEPT for k in range(min(self._kept, KEPT - 1), -1, -1)]
        return [self._tree_state(self.kept[n, :nq], self.kept[n, nq:]) for n in order]

    def _tree_state(self, coordinates: Floats, velocities: Floats) -> tuple[Floats, Floats]:
        """Positions and velocities of the tree where the coordinates were these."""
        q, v = np.zeros_like(self._tree_q), np.zeros_like(self._tree_v)
        self._kernels.tree_state(self.packed, coordinates, velocities, self.work, q, v)
        return q, v

    def _error(self, status: int, states: Sequence[object] = ()) -> DynamicsError:
        """What a status means, where, when, and the states before it."""
        name, message = motion_failure(self.model, status, self)
        return DynamicsError(f"{message} (at {self.time:.6g} s)", name, self.time, states)

    def fastest(self) -> str:
        """The joint or group whose coordinate moves fastest."""
        rates = np.where(np.isfinite(self.velocities), np.abs(self.velocities), np.inf)
        names = self._names()
        return names[int(np.argmax(rates))] if rates.size else ""
