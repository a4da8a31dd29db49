"""What the engines here do when a step fails: stand where they stood before it."""

from __future__ import annotations

from typing import Any, Protocol

from ..mechanism.compiled import Floats

KEPT = 8  # states before a failure that its error carries


class Repeatable(Protocol):
    """What goes on by steps, the same way from the same moment."""

    def restore(self, saved: Any) -> None:
        """Go back to a saved moment."""

    def go(self, steps: int) -> None:
        """Make steps that are known to go well."""

    def now(self) -> tuple[Floats, Floats]:
        """Positions and velocities of the tree; reading them changes nothing."""


def go_again(engine: Repeatable, saved: Any, steps: int) -> list[tuple[Floats, Floats]]:
    """Back to a saved moment and on by those steps that went well: bit for bit as before.

    A step that fails has changed more than the state by then: what became of the drives, impulses
    to begin the next step with, the ledger, counts. So what it has left is thrown away.

    Returns:
        The last states, oldest first.
    """
    engine.restore(saved)
    singly = min(steps, KEPT - 1)
    engine.go(steps - singly)
    states = [engine.now()]
    for _ in range(singly):
        engine.go(1)
        states.append(engine.now())
    return states
