"""Names that nothing else has."""

from __future__ import annotations

from collections.abc import Iterable


class UniqueNames:
    """Hands out names that differ from each other and from those taken before."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def new(self, wanted: str) -> str:
        """`wanted`, or `wanted` with a number if something has that name."""
        name, number = wanted, 2
        while name in self._taken:
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        return name
