"""XPBD: a machine's motion by extended position-based dynamics."""

from __future__ import annotations

from ...checks import whole
from ...dynamics import DynamicsModel
from ...jit import Packing, Scratch
from ..maximal.motion import MaximalMotion
from ..maximal.records import MOVING_BODY, REPEATER_RESPONSE
from .projections import run
from .records import CALMED, PUSHING, XPBD

SUBSTEPS, ITERATIONS = 10, 1


class Xpbd(MaximalMotion):
    """Extended position-based dynamics of rigid bodies (XPBD) with zero compliance.

    Every link is a free body; joints are put right by moving bodies, and velocities follow from
    the poses. First order, and dissipative: joints take energy from the motion.
    """

    _steps = staticmethod(run)

    def __init__(
        self,
        model: DynamicsModel,
        step: float,
        substeps: int = SUBSTEPS,
        iterations: int = ITERATIONS,
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
        self._substeps = whole("substeps", substeps)
        self._iterations = whole("iterations", iterations)
        super().__init__(model, step)

    def _add_own(self, packing: Packing, scratch: Scratch) -> int:
        parts = self.maximal.parts
        packing.within(
            "own", XPBD, step=self.step / self._substeps, substeps=self._substeps,
            iterations=self._iterations,
            start=scratch.reserve((len(parts["rigid"]), MOVING_BODY)),
            held=scratch.reserve((len(parts["held"]), CALMED)),
            driven=scratch.reserve((len(parts["drives"]), CALMED)),
            pushing=scratch.reserve((len(parts["drives"]), PUSHING)),
            both=scratch.reserve((1, REPEATER_RESPONSE)),
        )  # fmt: skip
        return 0
