"""A machine in motion by loop embedding or by the constrained tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import DynamicsError, StateError
from ...jit import address_of
from ...mechanism.compiled import Floats, Ints
from ..constrained import _kernels as constrained
from ..constrained.packing import pack_constrained
from ..embedding import _kernels as embedding
from ..embedding.layout import _kernels as layout
from ..embedding.packing import Coordinates, pack_embedded
from ..loops.packing import loops_of, tied_by_loops
from ..model import _kernels as shared
from ..model.packing import Model
from ..tree import _kernels as tree_kernels
from ..variational._kernels import variational_step
from ..variational.constrained._kernels import constrained_variational_step
from . import _kernels as kernels
from .calls import _kernels as calls
from .integrators import _kernels as integrators

INTEGRATORS = {
    "euler": integrators.EULER,
    "midpoint": integrators.MIDPOINT,
    "rk4": integrators.RK4,
    "rk6": integrators.RK6,
    "semi-implicit": integrators.SEMI_IMPLICIT,
    "implicit": integrators.IMPLICIT,
    "variational": integrators.VARIATIONAL,
}
KEPT = 8  # states before a failure that its error carries


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Everything that decides how a motion goes on."""

    steps: int
    q: Floats
    v: Floats
    drive: Floats
    pulls: Floats
    ledger: Floats


class Motion:
    """Coordinates, velocities and drives of a machine, and the kernel that moves them on.

    Attributes:
        model: the machine.
        formulation: "embedded" or "constrained".
        step: [s].
        steps: made so far.
        calls: addresses of the formulation's kernels, see `calls`.
        coordinates, velocities: of the formulation.
        drive: commands and what became of them, see `actuation._kernels`.
        pulls: external forces, (n, 10), see `model._kernels.add_forces`.
        ledger: work done by drives, dampers and external forces, and lost at stops [J].
    """

    def __init__(
        self, model: Model, formulation: str, integrator: str, step: float, by_lengths: bool
    ) -> None:
        """Pack the model; it starts at rest at the model's home."""
        self.model, self.formulation, self.step = model, formulation, step
        self.method, self.by_lengths = INTEGRATORS[integrator], by_lengths
        self._coordinates: Coordinates | None = None
        if formulation == "embedded":
            self.model_i, self.model_f, self._coordinates = pack_embedded(model, by_lengths)
            self._kernels: Any = embedding
            size = layout.work_size(self.model_i)
        else:
            self._kernels = constrained
            self.model_i, self.model_f, size = pack_constrained(model)
        rows = [row.velocity for row in model.rows]
        home = model.tree.positions(model.home)
        self.model_i[shared.TIED] = tied_by_loops(model.tree, home, rows)
        self._check_integrator(integrator)
        self.calls = self._addresses()
        self.work = np.zeros(size)
        nq, nv = int(self.model_i[shared.NQ]), int(self.model_i[shared.NV])
        self.coordinates, self.velocities = np.zeros(nq), np.zeros(nv)
        self.drive = model.new_drive()
        self.pulls = np.zeros((0, shared.PULL_F))
        self.ledger = np.zeros(kernels.LEDGER)
        self.scratch = np.zeros(kernels.scratch_size(nq, nv, len(self.drive)))
        self.kept = np.zeros((KEPT, nq + nv))
        self.steps = self._kept = 0
        self._tree_q, self._tree_v = np.zeros(model.tree.nq), np.zeros(model.tree.nv)
        self.set_state(model.tree.positions(model.home), np.zeros(model.tree.nv))

    def _check_integrator(self, integrator: str) -> None:
        """Of embedded loops the variational one takes only coordinates that are scalars."""
        if self.method != integrators.VARIATIONAL or self.formulation != "embedded":
            return
        if self.model_i[shared.N_QUATS]:
            raise StateError(
                f"{integrator!r} takes no spherical or free joints, which turn freely, with "
                "embedded loops: take 'constrained'"
            )

    def _addresses(self) -> Ints:
        """Where the formulation's kernels are; that of a method not asked for is left out."""
        own = self._kernels
        wanted = [own.evaluate, own.rows, own.project, own.arrest]
        if self.method == integrators.VARIATIONAL:
            embedded = self.formulation == "embedded"
            wanted.append(variational_step if embedded else constrained_variational_step)
        found = np.zeros(len(calls.SIGNATURES), dtype=np.int64)
        for n, kernel in enumerate(wanted):
            found[n] = address_of(kernel, calls.SIGNATURES[n])
        return found

    @property
    def time(self) -> float:
        """Since the start [s]."""
        return self.steps * self.step

    def set_state(self, q: Floats, v: Floats) -> None:
        """Begin at positions and velocities of the tree; those that loops decide follow."""
        self._kept = 0
        if self._coordinates is not None:
            self.coordinates[:], self.velocities[:] = self._coordinates.of_tree(q, v)
        else:
            self.coordinates[:], self.velocities[:] = q, v
            status = self._kernels.project(
                self.model_i, self.model_f, self.coordinates, self.velocities, self.drive, self.work
            )
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

    def place(self) -> Floats:
        """Scratch memory that begins with the placed tree."""
        self._place()
        return self.work

    def energy(self) -> tuple[float, float, float]:
        """Kinetic, potential and springs' energy [J]."""
        self._place()
        found = np.zeros(3)
        shared.energies(self.model_i, self.model_f, self.work, found)
        kinetic, potential, springs = found.tolist()
        return kinetic, potential, springs

    def run(self, steps: int) -> None:
        """Make so many steps.

        Raises:
            DynamicsError: a step that cannot be made; the state is the one before it.
        """
        status, done = kernels.run(
            self.calls, self.model_i, self.model_f, self.method, self.step, steps,
            self.coordinates, self.velocities, self.drive, self.pulls, self.work, self.scratch,
            self.ledger, self._kept, self.kept,
        )  # fmt: skip
        self.steps += done
        self._kept += done
        if status:
            raise self._error(status, self._last_states())

    def save(self) -> Snapshot:
        """A copy of the state."""
        return Snapshot(
            self.steps, self.coordinates.copy(), self.velocities.copy(), self.drive.copy(),
            self.pulls.copy(), self.ledger.copy(),
        )  # fmt: skip

    def restore(self, snapshot: Snapshot) -> None:
        """Back to a saved state."""
        self.steps, self._kept = snapshot.steps, 0
        self.coordinates[:], self.velocities[:] = snapshot.q, snapshot.v
        self.drive[:], self.pulls = snapshot.drive, snapshot.pulls.copy()
        self.ledger[:] = snapshot.ledger

    def _place(self) -> None:
        status = self._kernels.tree_state(
            self.model_i, self.model_f, self.coordinates, self.velocities, self.work,
            self._tree_q, self._tree_v,
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
        self._kernels.tree_state(
            self.model_i, self.model_f, coordinates, velocities, self.work, q, v
        )
        return q, v

    def _error(self, status: int, states: Sequence[object] = ()) -> DynamicsError:
        """What a status means, where, when, and the states before it."""
        kind, number = status % shared.STATUSES, status // shared.STATUSES
        message, body = "the motion cannot go on", None
        rows = self.model.rows
        if kind == shared.NO_SOLUTION:
            block = self.model.kinematics.plan.blocks[number]
            body = self.model.tree.mechanism.robot.group_names[block.groups[0]]
            message = f"{body!r}: its length has no configuration on the working branch"
        elif kind == shared.NO_CLOSURE:
            body = self._loop(number)
            message = f"the loop {body!r} cannot close" if body else "a four-bar cannot close"
        elif kind == shared.NO_INERTIA:
            from ..tree.packing import lacking, without_inertia

            tree = self.model.tree
            embedded = self._coordinates is not None
            body = (without_inertia(tree) or self._fastest()) if embedded else tree.owner[number]
            message = lacking(tree, body)
        elif kind == shared.DEAD_CENTRE:
            body = rows[number].name
            message = f"{body!r} is at a dead centre: its drive cannot hold or move it"
        elif kind == shared.NOT_FINITE:
            body = self._fastest()
            message = f"the motion of {body!r} is not finite any more: try a smaller step"
        elif kind == kernels.TOO_MANY_IMPACTS:
            message = f"more than {kernels.IMPACTS} impacts at stops in one step"
        elif kind == kernels.NO_COORDINATE:
            body = rows[number].name
            message = (
                f"{body!r} is no coordinate, and the variational integrator can guide nothing "
                "else: take lengths as coordinates, or another integrator"
            )
        elif kind == integrators.NOT_CONVERGED:
            body = self._fastest()
            message = f"the implicit step does not converge, {body!r} moves fastest"
        return DynamicsError(f"{message} (at {self.time:.6g} s)", body, self.time, states)

    def _fastest(self) -> str:
        """The joint or group whose coordinate moves fastest."""
        rates = np.where(np.isfinite(self.velocities), np.abs(self.velocities), np.inf)
        names = self._names()
        return names[int(np.argmax(rates))] if rates.size else ""

    def _names(self) -> list[str]:
        """The joint or group of every velocity."""
        if self._coordinates is not None:
            return self._coordinates.names
        tree = self.model.tree
        by_velocity = np.argsort(tree.tree_i[:, tree_kernels.IV])
        return [tree.owner[d] for d in by_velocity]

    def _loop(self, row: int) -> str | None:
        """Name of the loop that a constraint's row belongs to."""
        if self._coordinates is not None:
            return None
        return loops_of(self.model.tree, lean=True).name[row]
