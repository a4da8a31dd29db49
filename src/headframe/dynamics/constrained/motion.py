"""A machine in motion whose loops are constraints of its spanning tree."""

from __future__ import annotations

import numpy as np

from ...mechanism import Floats
from ..loops import loops_of
from ..model import DynamicsModel
from ..motion.engine import IntegratedMotion
from ..variational import constrained as variational
from . import multipliers
from .packing import pack_constrained


class ConstrainedMotion(IntegratedMotion):
    """Moves by the formulation of `multipliers`."""

    kernels = multipliers
    variational_step = variational.constrained_variational_step

    def __init__(self, model: DynamicsModel, step: float, integrator: str = "rk4") -> None:
        """Start at rest at the model's home."""
        super().__init__(model, *pack_constrained(model), integrator, step)

    def _begin(self, q: Floats, v: Floats) -> int:
        self.coordinates[:], self.velocities[:] = q, v
        return multipliers.project(
            self.packed, self.coordinates, self.velocities, self.given_drives, self.work
        )

    def _names(self) -> list[str]:
        tree = self.model.tree
        return [tree.owner[d] for d in np.argsort(tree.freedoms["velocity"])]

    def name_without_inertia(self, number: int) -> str:
        """The joint or group that has no inertia."""
        return self.model.tree.owner[number]

    def name_of_loop(self, row: int) -> str:
        """The loop of a row."""
        return loops_of(self.model.tree, lean=True).name[row]
