"""SIMMC: a machine's motion by sequential impulses in maximal coordinates."""

from __future__ import annotations

import numpy as np

from ...checks import flag, number, whole
from ...dynamics.model import Model
from ...jit import Records
from ...mechanism.compiled import Ints
from ..maximal import rows as bodies
from ..maximal.motion import MaximalMotion
from ..maximal.packing import maximal_of
from . import impulses as kernels

ITERATIONS = 200


class Simmc(MaximalMotion):
    """Sequential impulses in maximal coordinates (SIMMC), with warm start and split impulses.

    The method that paper SIMGC compares itself with: every link is a free body, and every joint is
    held together by impulses that are found one after the other. Semi-implicit Euler, first order.
    """

    def __init__(
        self,
        model: Model,
        step: float,
        tolerance: float = 1e-6,
        iterations: int = ITERATIONS,
        beta: float = 0.2,
        alternating: bool = True,
    ) -> None:
        """Put a machine at home.

        Args:
            model: the machine.
            step: [s].
            tolerance: a step's iterations end when no impulse changes by more [N s, N m s].
            iterations: ... or after so many, an even number if they alternate.
            beta: the part of a gap that one step closes.
            alternating: go over the joints back and forth in turn. In one direction only, fewer
                iterations reach the same tolerance, but where they end before it, a machine with
                light links between heavy ones can blow up.

        Raises:
            StateError: an option that is none of these.
            DynamicsError: a link without mass, which would be a body that nothing holds.
        """
        self.tolerance = number("tolerance", tolerance, least=0.0)
        self.most_iterations = whole("iterations", iterations)
        self.beta = number("beta", beta, above=0.0, most=1.0)
        turning = float(flag("alternating", alternating))
        super().__init__(model, step, _solver_rows(maximal_of(model).tables).size)
        self._settings = np.array([self.step, self.beta, self.tolerance, turning])
        tables = self.maximal.tables
        ends = np.ascontiguousarray(tables.row_i[_solver_rows(tables), 1:])
        n = max(len(ends), 1)  # a free body has no rows, but J serves as scratch memory too
        V = self.bodies.V
        self._solver = kernels.Solver(
            ends, np.zeros((n, 12)), np.zeros((n, 12)), np.zeros((n, kernels.ROW)), self._memory,
            self._memory.copy(), np.zeros_like(V), np.zeros_like(V), np.zeros_like(V),
        )  # fmt: skip

    def _run(self, steps: int, pulls: Records) -> tuple[int, int]:
        body, made = kernels.run(
            self.maximal.tables, self.bodies, self._settings, steps, self.most_iterations, pulls,
            self._solver, self.drives, self._counts,
        )  # fmt: skip
        return int(body), int(made)


def _solver_rows(tables: bodies.Tables) -> Ints:
    """Rows of the machine behind the solver's: see `kernels.Solver`."""
    held = np.arange(int(bodies.n_held(tables)))
    drives, losses = tables.drive_i, tables.loss_i
    rows = [held, drives, drives, losses, losses, tables.ratio_i.ravel()]
    return np.concatenate(rows).astype(np.int64)
