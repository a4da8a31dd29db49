"""SIMMC: a machine's motion by sequential impulses in maximal coordinates."""

from __future__ import annotations

from ...checks import flag, number, whole
from ...dynamics import DynamicsModel
from ...jit import Packing, Scratch
from ..maximal.motion import MaximalMotion
from .impulses import run
from .records import SIMMC, SOLVER_REPEATER, SOLVER_ROW

ITERATIONS = 200


class Simmc(MaximalMotion):
    """Sequential impulses in maximal coordinates (SIMMC), with warm start and split impulses.

    The method that paper SIMGC compares itself with: every link is a free body, and every joint is
    held together by impulses that are found one after the other. Semi-implicit Euler, first order.
    """

    _steps = staticmethod(run)

    def __init__(
        self,
        model: DynamicsModel,
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
        self._settings = {
            "tolerance": number("tolerance", tolerance, least=0.0),
            "iterations": whole("iterations", iterations),
            "beta": number("beta", beta, above=0.0, most=1.0),
            "alternating": flag("alternating", alternating),
        }
        super().__init__(model, step)

    def _add_own(self, packing: Packing, scratch: Scratch) -> int:
        parts, spans = self.maximal.parts, {}
        drives, losses = len(parts["drives"]), len(parts["losses"])
        names = ("held", "guides", "stops", "dampers", "frictions")
        counts = (len(parts["held"]), drives, drives, losses, losses)
        for name, count in zip(names, counts, strict=True):
            spans[name] = scratch.reserve((count, SOLVER_ROW))
        n, repeaters, kept = sum(counts), len(parts["repeaters"]), Scratch()
        packing.within(
            "own", SIMMC, **self._settings, **spans, step=self.step, rows=(spans["held"][0], n),
            repeaters=scratch.reserve((repeaters, SOLVER_REPEATER)),
            pseudo=scratch.reserve((1 + len(self.maximal.bodies), 6)),
            kept_rows=kept.reserve(n), kept_repeaters=kept.reserve(repeaters),
        )  # fmt: skip
        return kept.size
