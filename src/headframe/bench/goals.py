"""What was aimed at, and whether it holds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .tables import number, table


@dataclass(frozen=True)
class Goal:
    """A figure that should be at most, or at least, a wanted one.

    Attributes:
        what: in words.
        found: the figure; nan where it could not be measured.
        wanted: its limit.
        unit: of both.
        at_least: whether more is better.
    """

    what: str
    found: float
    wanted: float
    unit: str = ""
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the limit is kept."""
        return self.found >= self.wanted if self.at_least else self.found <= self.wanted

    @property
    def verdict(self) -> str:
        """Whether it holds, or by how much it is missed."""
        if math.isnan(self.found):
            return "not measured"
        if self.holds:
            return "holds"
        if self.unit == "%":
            return f"missed by {number(abs(self.wanted - self.found))} points"
        ratio = self.wanted / self.found if self.at_least else self.found / self.wanted
        return f"missed by {number(ratio)}x"

    def row(self) -> list[str]:
        """For a table: what, wanted, found, verdict."""
        sign = "≥" if self.at_least else "≤"
        found = "" if math.isnan(self.found) else self._with_unit(self.found)
        return [self.what, f"{sign} {self._with_unit(self.wanted)}", found, self.verdict]

    def _with_unit(self, value: float) -> str:
        if self.unit == "%":
            return f"{value:.2f} %"
        return f"{number(value)}{'' if self.unit == 'x' else ' '}{self.unit}".rstrip()


HEADER = ["target", ">wanted", ">found", "verdict"]


def multiples(times: Mapping[str, float], call: float, kernel: float) -> str:
    """A table: times of methods by name as multiples of our own."""
    rows = [
        [name, f"{number(ratio(time, call))}x", f"{number(ratio(time, kernel))}x"]
        for name, time in times.items()
    ]
    return table(["method", ">over our call", ">over our kernel"], rows)


def ratio(slow: float | None, fast: float | None) -> float:
    """How many times as long; nan where one is missing."""
    return slow / fast if slow and fast else math.nan
