"""How long compiling will take, by what was measured."""

from __future__ import annotations

from collections.abc import Mapping


class Estimate:
    """Counts what is compiled and what is left, in characters of source.

    Time goes with these, by parts as a whole; the first kernels tell how much.
    """

    def __init__(self, weights: Mapping[str, tuple[str, float, float]]) -> None:
        """Nothing is compiled.

        Args:
            weights: by module its part, its characters and those of a kernel in it.
        """
        self._weights = weights
        self._left: dict[str, float] = {}  # by part
        for part, whole, _ in weights.values():
            self._left[part] = self._left.get(part, 0.0) + whole
        self._compiled: set[tuple[str, str]] = set()
        self._done = 0.0

    def compiled(self, module: str, kernel: str) -> None:
        """A kernel is compiled; one that is compiled for other types counts once."""
        if module in self._weights and (module, kernel) not in self._compiled:
            self._compiled.add((module, kernel))
            part, _, weight = self._weights[module]
            self._left[part] = max(self._left[part] - weight, 0.0)
            self._done += weight

    def finished(self, part: str) -> None:
        """Nothing is left of a part: what was not compiled is not called on its own."""
        self._left[part] = 0.0

    def seconds(self, part: str, spent: float) -> float | None:
        """Time that is left to a part in one process [s], if what is compiled took `spent`.

        None before anything was measured.
        """
        return self._left[part] * spent / self._done if self._done else None
