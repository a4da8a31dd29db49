"""XPBD: a machine's motion by extended position-based dynamics."""

from __future__ import annotations

import numpy as np

from ...checks import whole
from ...dynamics.model import Model
from ...jit import Records
from ..maximal.motion import MaximalMotion
from . import projections as kernels

SUBSTEPS, ITERATIONS = 10, 1


class Xpbd(MaximalMotion):
    """Extended position-based dynamics of rigid bodies (XPBD) with zero compliance.

    Every link is a free body; joints are put right by moving bodies, and velocities follow from
    the poses. First order, and dissipative: joints take energy from the motion.
    """

    def __init__(
        self, model: Model, step: float, substeps: int = SUBSTEPS, iterations: int = ITERATIONS
    ) -> None:
        """Put a machine at home.

        Args:
            model: the machine.
            step: [s].
            substeps: parts of a step.
            iterations: rounds over all joints in each of them.

        Raises:
            StateError: an option that is none of these.
            DynamicsError: a link without mass, which would be a body that nothing holds.
        """
        self.substeps = whole("substeps", substeps)
        self.most_iterations = whole("iterations", iterations)
        super().__init__(model, step)
        n = max(len(self.maximal.tables.row_i), 2)
        X, quat, V = (np.zeros_like(part) for part in self.bodies[:3])
        self._before = kernels.Before(
            X, quat, V, V.copy(), np.zeros((n, 12)), np.zeros((n, 12)), np.zeros(n),
            np.zeros(len(self.drives)), np.zeros((len(self.drives), 2)), np.zeros(1),
        )  # fmt: skip

    def _run(self, steps: int, pulls: Records) -> tuple[int, int]:
        body, made = kernels.run(
            self.maximal.tables, self.bodies, self.step / self.substeps, steps, self.substeps,
            self.most_iterations, pulls, self._before, self.drives,
        )  # fmt: skip
        self._counts[0] = self.substeps * self.most_iterations
        self._counts[1] += made * self._counts[0]
        return int(body), int(made)
