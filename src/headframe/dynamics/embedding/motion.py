"""A machine in motion whose loops are embedded: by lengths, or by driving variables."""

from __future__ import annotations

from ...errors import StateError
from ...mechanism import Floats, without_inertia
from ..model import DynamicsModel
from ..motion.engine import IntegratedMotion
from ..motion.runge_kutta import INTEGRATORS, Integrator
from ..variational import midpoint
from . import reduced
from .packing import pack_embedded


class EmbeddedMotion(IntegratedMotion):
    """Moves by the formulation of `reduced`."""

    kernels = reduced
    variational_step = midpoint.variational_step

    def __init__(
        self, model: DynamicsModel, step: float, integrator: str = "rk4", by_lengths: bool = True
    ) -> None:
        """Start at rest at the model's home.

        Raises:
            StateError: the variational integrator with coordinates that are no scalars.
        """
        packed, work_size, self._coordinates = pack_embedded(model, by_lengths)
        self.by_lengths = by_lengths
        if INTEGRATORS[integrator] == Integrator.VARIATIONAL and self._coordinates.turns_freely:
            raise StateError(
                f"{integrator!r} takes no spherical or free joints, which turn freely, with "
                "embedded loops: take 'constrained'"
            )
        super().__init__(model, packed, work_size, integrator, step)

    def _begin(self, q: Floats, v: Floats) -> int:
        self.coordinates[:], self.velocities[:] = self._coordinates.of_tree(q, v)
        return 0

    def _names(self) -> list[str]:
        return self._coordinates.names

    def name_without_inertia(self, number: int) -> str:
        """The joint or group that has no inertia."""
        return without_inertia(self.model.tree) or self.fastest()

    def name_of_loop(self, row: int) -> str:
        """The loop of a row."""
        return ""  # a four-bar, which goes by no name
