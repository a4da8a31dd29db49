"""A machine in natural coordinates whose accelerations meet the constraints, as an engine."""

from __future__ import annotations

import numpy as np

from ...checks import number
from ...constraints import Augmented
from ...dynamics import DynamicsModel
from ...dynamics.kernels import STATUSES, DynamicsStatus
from ...jit import Packing, Scratch
from ...mechanism import Floats
from . import stepping
from .records import INDEX_ONE, IndexOneMethod

OMEGA = 10.0  # [1/s], with critical damping, as the thesis has it for the penalty method


class IndexOne(Augmented):
    """A machine whose constraints are differentiated twice, in steps of the Runge-Kutta method."""

    method: IndexOneMethod

    def __init__(
        self, model: DynamicsModel, step: float, penalty: float | None, omega: float, xi: float
    ) -> None:
        """Start at home, at rest; see the methods for the options."""
        super().__init__(model, step, penalty=penalty)
        augmented, scratch = self.augmented, Scratch()
        n, m, free = augmented.n, len(augmented.equations.rows), model.tree.nv
        if self.method != IndexOneMethod.MATRIX_R:
            n = m = free = 0  # no matrices
        spans = {name: scratch.reserve(augmented.size) for name in ("q", "v", "a")}
        spans |= {name: scratch.reserve(augmented.n) for name in ("step_v", "step_a")}
        spans |= {name: scratch.reserve(n) for name in ("right", "MR", "independent", "pivots")}
        spans |= {"chosen": scratch.reserve(m), "z": scratch.reserve(free)}
        spans |= {"J": scratch.reserve((m, n)), "A": scratch.reserve((n, n))}
        spans |= {"R": scratch.reserve((free, n)), "S": scratch.reserve((free, free))}
        spans["L"] = scratch.reserve((free, free))
        head = Packing(INDEX_ONE, method=self.method, omega=omega, damping=xi)
        begins = head.buffer().size
        for name, span in spans.items():
            head.header[name] = (span[0] + begins, *span[1:])
        self._own: Floats = np.concatenate([head.buffer(), np.zeros(scratch.size)])

    def _go(self, steps: int) -> int:
        return int(
            stepping.run(
                self.packed, self._own, self._body_pulls, steps, self.state, self.given_drives,
                self.work,
            )
        )  # fmt: skip

    def _failure(self, status: int) -> tuple[str | None, str]:
        kind = status % STATUSES
        if kind == DynamicsStatus.NO_CLOSURE:
            return None, "the loops cannot close: the step passes a singular pose, or is too large"
        if kind == DynamicsStatus.NOT_POSITIVE:
            return None, "the independent coordinates have no inertia: a singular pose"
        return super()._failure(status)


class Penalty(IndexOne):
    """Accelerations by the penalty method, (2.8)."""

    method = IndexOneMethod.PENALTY

    def __init__(
        self,
        model: DynamicsModel,
        step: float,
        penalty: float | None = None,
        omega: float = OMEGA,
        xi: float = 1.0,
    ) -> None:
        """Start at home, at rest.

        Args:
            model: the machine.
            step: [s].
            penalty: alpha of a body of mean mass, over beta step^2; if None 1e5 mean masses.
            omega: how fast errors of the constraints die away [1/s].
            xi: their damping; 1 is critical.
        """
        omega, xi = number("omega", omega, least=0.0), number("xi", xi, least=0.0)
        super().__init__(model, step, penalty, omega, xi)


class Lagrange(IndexOne):
    """Accelerations by multipliers, without any stabilisation."""

    method = IndexOneMethod.MULTIPLIERS

    def __init__(self, model: DynamicsModel, step: float) -> None:
        """Start at home, at rest."""
        super().__init__(model, step, None, 0.0, 0.0)


class Baumgarte(IndexOne):
    """Accelerations by multipliers, with Baumgarte's stabilisation."""

    method = IndexOneMethod.MULTIPLIERS

    def __init__(
        self, model: DynamicsModel, step: float, omega: float = OMEGA, xi: float = 1.0
    ) -> None:
        """Start at home, at rest; `omega` [1/s] and `xi` as in `Penalty`."""
        omega, xi = number("omega", omega, least=0.0), number("xi", xi, least=0.0)
        super().__init__(model, step, None, omega, xi)


class MatrixR(IndexOne):
    """Accelerations of independent coordinates, which are chosen anew for every step."""

    method = IndexOneMethod.MATRIX_R

    def __init__(self, model: DynamicsModel, step: float) -> None:
        """Start at home, at rest."""
        super().__init__(model, step, None, 0.0, 0.0)
