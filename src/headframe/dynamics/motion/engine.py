"""A machine whose formulation gives accelerations, in motion by an integrator."""

from __future__ import annotations

from abc import abstractmethod
from types import ModuleType

import numpy as np

from ...jit import Packing, address_of, header, numbers
from ...mechanism import Floats
from ..engine import KEPT, TreeEngine, TreeState
from ..errors import motion_failure
from ..loops import tied_by_loops
from ..model import DynamicsModel
from ..records import MODEL, MOTION_STATE
from ..tree.memory import Bodies
from . import calls, stepping
from .runge_kutta import INTEGRATORS, Integrator


class IntegratedMotion(TreeEngine):
    """Coordinates, velocities and drives of a machine, and the kernel that moves them on.

    A formulation packs its model, and says how its coordinates begin and what their names are.

    Attributes:
        kernels: the formulation's module of kernels: `tree_state`, and those that `calls` declares.
        variational_step: its step of the variational integrator.
        calls: addresses of these kernels, see `calls`.
        coordinates, velocities: of the formulation.
        kept: states before the last steps, see `stepping.run`.
    """

    kernels: ModuleType
    variational_step: calls.StatusKernel

    def __init__(
        self, model: DynamicsModel, packed: Floats, work_size: int, integrator: str, step: float
    ) -> None:
        """Start at rest at the model's home, with a model and scratch memory for the kernels."""
        super().__init__(model, step)
        self.method = INTEGRATORS[integrator]
        self.packed, self.work = packed, np.zeros(work_size)
        self.calls = self._addresses()
        self._head = header(self.packed, MODEL)
        tree, home = model.tree, model.tree.positions(model.home)
        self._head.tied = tied_by_loops(tree, home, [row.velocity for row in model.rows])
        moment = Packing(MOTION_STATE)
        moment.add("q", np.zeros(self._head.nq))
        moment.add("v", np.zeros(self._head.nv))
        self.state = moment.buffer()
        at = header(self.state, MOTION_STATE)
        self.coordinates, self.velocities = numbers(self.state, at.q), numbers(self.state, at.v)
        self.kept = np.zeros((KEPT, self.coordinates.size + self.velocities.size))
        self._tree_q, self._tree_v = np.zeros(tree.nq), np.zeros(tree.nv)
        self.set_state(home, np.zeros(tree.nv))

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

    def _addresses(self) -> Floats:
        """Where the formulation's kernels are, as CALLS; none for a method not asked for."""
        own, step = self.kernels, 0
        if self.method == Integrator.VARIATIONAL:
            step = address_of(type(self).variational_step, calls.STEP)
        return Packing(
            calls.CALLS,
            evaluate=address_of(own.evaluate, calls.EVALUATE),
            read_rows=address_of(own.read_rows, calls.READ_ROWS),
            project=address_of(own.project, calls.PROJECT),
            arrest=address_of(own.arrest, calls.ARREST),
            step=step,
        ).buffer()

    def set_state(self, q: Floats, v: Floats) -> None:
        """Begin at positions and velocities of the tree; those that loops decide follow."""
        self._first_kept = self.steps
        self._check(self._begin(q, v))
        self._place()

    def restore(self, saved: object) -> None:
        """Go back to what `save` gave."""
        super().restore(saved)
        self._first_kept = self.steps

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
        return self._bodies

    def _place(self) -> None:
        self._check(
            self.kernels.tree_state(
                self.packed, self.coordinates, self.velocities, self.work, self._tree_q,
                self._tree_v
            )
        )  # fmt: skip

    def _go(self, steps: int) -> int:
        return stepping.run(
            self.calls, self.packed, int(self.method), self.step, steps, self.state,
            self.flat_drives, self.flat_pulls, self.work, self.kept,
        )  # fmt: skip

    def _make_again(self, steps: int) -> list[TreeState]:
        """Make steps that went well before; the last states, of runs before this one too."""
        self._go(steps)
        nq, most = self.coordinates.size, min(self.steps - self._first_kept, KEPT - 1)
        states = []
        for k in range(most, 0, -1):
            kept, q, v = self.kept[(self.steps - k) % KEPT], *self.now()
            self.kernels.tree_state(self.packed, kept[:nq], kept[nq:], self.work, q, v)
            states.append((q, v))
        return [*states, self.now()]

    def _check(self, status: int) -> None:
        """Raise what a status means that is not 0."""
        if status:
            raise self._error(*self._failure(status), [])

    def _failure(self, status: int) -> tuple[str | None, str]:
        return self.failure(status)

    def failure(self, status: int) -> tuple[str | None, str]:
        """The link or joint where a step failed, and what a status says about it."""
        return motion_failure(self.model, status, self)

    def fastest(self) -> str:
        """The joint or group whose coordinate moves fastest."""
        rates = np.where(np.isfinite(self.velocities), np.abs(self.velocities), np.inf)
        names = self._names()
        return names[int(np.argmax(rates))] if rates.size else ""
