"""From real time to whole substeps: the clock of an interactive simulation.

Algorithm 3 of the roadheader paper divides a time step into substeps of fixed size and draws after
each time step. Here the time step is what has really passed, times a scale, and only whole substeps
are made: what is left is owed at the next tick, so that simulated time neither drifts nor depends
on how regular the ticks are.
"""

from __future__ import annotations

import math

from ..errors import StateError

TICK = 1.0 / 60.0  # [s]
MOST_TICKS = 5  # of debt
SLOWEST, FASTEST = 0.1, 4.0
ROUNDING = 1e-9  # of a substep


class Pacer:
    """Tells how many substeps are due.

    Attributes:
        step: size of a substep [s].
        overruns: ticks whose simulated time was dropped since the computer was too slow.
    """

    def __init__(self, step: float) -> None:
        """Nothing is owed before the first tick."""
        self.step = step
        self.overruns = 0
        self._scale = 1.0
        self._debt = 0.0
        self._last: float | None = None

    @property
    def scale(self) -> float:
        """Simulated seconds a second."""
        return self._scale

    @scale.setter
    def scale(self, scale: float) -> None:
        if not SLOWEST <= scale <= FASTEST:
            raise StateError(f"scale: found {scale!r}, expected {SLOWEST:g} to {FASTEST:g}")
        self._scale = scale

    def due(self, now: float) -> int:
        """Whole substeps that are due at a moment of real time [s], which are then paid."""
        passed = 0.0 if self._last is None else max(now - self._last, 0.0)
        self._last = now
        self._debt += passed * self._scale
        most = MOST_TICKS * TICK * self._scale
        if self._debt > most + self.step:
            self.overruns += math.ceil((self._debt - most) / (TICK * self._scale))
            self._debt = most
        count = math.floor(self._debt / self.step + ROUNDING)
        self._debt = max(self._debt - count * self.step, 0.0)
        return count

    def rest(self, now: float) -> None:
        """Let real time pass without owing anything: while paused, or after a long wait."""
        self._last, self._debt = now, 0.0
