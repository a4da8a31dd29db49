"""What was aimed at, and whether it holds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from .tables import number, table

SHOWN = "tcchs"  # the machine of the targets
YARD = "sths"  # the smallest support, for the yardsticks
ALLOWED = 1.5  # times as long as a tuned peer: so long may a peer take


class Times(Protocol):
    """Times of a method on a machine [us]: of a call from Python, and inside its kernel."""

    @property
    def mean(self) -> float:
        """Of a call."""

    @property
    def kernel(self) -> float:
        """Of one problem inside the kernel; nan for methods without one."""


class Measured(Protocol):
    """What was measured on one machine: names and times of the methods by key."""

    name: str
    names: dict[str, str]

    @property
    def by_method(self) -> Mapping[str, Times]:
        """Times by key."""


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


def of(results: Sequence[Measured], machine: str, key: str) -> Times | None:
    """Times of a method on a machine; None if there are none."""
    found = next((result for result in results if result.name == machine), None)
    return found.by_method.get(key) if found else None


def yardsticks(results: Sequence[Measured], what: str, limits: Mapping[str, float]) -> list[Goal]:
    """Limits for the peers.

    Args:
        results: of all machines.
        what: was measured, "FK" or "IK".
        limits: times of tuned peers by key [us].
    """
    found = []
    for key, limit in limits.items():
        times = of(results, YARD, key)
        name = next((result.names[key] for result in results if key in result.names), key)
        mean = times.mean if times else math.nan
        found.append(Goal(f"{name}: {what} of {YARD}", mean, ALLOWED * limit, "us"))
    return found


def multiples_section(results: Sequence[Measured]) -> list[str]:
    """Times on the machine of the targets as multiples of ours; empty if it was not measured."""
    found = next((result for result in results if result.name == SHOWN), None)
    if found is None or "newton" not in found.by_method:
        return []
    ours = found.by_method["newton"]
    others = {found.names[k]: t.mean for k, t in found.by_method.items() if k != "newton"}
    return [f"On `{SHOWN}`, as multiples of ours:\n", multiples(others, ours.mean, ours.kernel)]


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
