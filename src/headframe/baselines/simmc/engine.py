"""SIMMC: a machine's motion by sequential impulses in maximal coordinates."""

from __future__ import annotations

from ...checks import flag, number, whole
from ...constraints import Strikable, calls_to
from ...dynamics import DynamicsModel
from ...jit import Packing, Records, Scratch, matrix, new_records
from ...spatial import invert
from ..maximal.motion import MaximalMotion
from . import touching
from .impulses import own_part, run
from .records import LINK_BODY, SIMMC, SOLVER_REPEATER, SOLVER_ROW

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
        own = packing.within(
            "own", SIMMC, **self._settings, **spans, step=self.step, rows=(spans["held"][0], n),
            repeaters=scratch.reserve((repeaters, SOLVER_REPEATER)),
            pseudo=scratch.reserve((1 + len(self.maximal.bodies), 6)),
            kept_rows=kept.reserve(n), kept_repeaters=kept.reserve(repeaters),
        )  # fmt: skip
        own.add("links", self._links())
        return kept.size

    def _links(self) -> Records:
        """Of every freedom of the tree, the body that it is part of, and where in that."""
        found = new_records(len(self.model.tree.freedoms), LINK_BODY)
        for body in self.maximal.bodies:
            record = found[body.freedom]
            record.body = self.maximal.body_of_freedom[body.freedom]
            record.X_BF = invert(body.X_FB)[:3]
        return found

    def strikable(self) -> Strikable:
        """What a world of impulses needs of it."""
        pseudo = matrix(self._work, own_part(self._packed).pseudo)
        return Strikable(
            calls_to(touching), self._packed, self.state, self.flat_drives, self._work,
            self._body_pulls, self.V.ravel(), pseudo.ravel(), self.V.shape[1],
            -self.model.near.origin,
        )  # fmt: skip
