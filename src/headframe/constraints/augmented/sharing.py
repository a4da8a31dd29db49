"""Which points and directions of bodies are one and the same, because joints hold them together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...mechanism import Floats

SAME = 1e-9  # [m, 1] by which points or directions of a body may differ and count as one


@dataclass(frozen=True, eq=False)
class Mark:
    """A point or a unit vector of a body.

    Attributes:
        body: its number; 0 is the base.
        is_point: or a unit vector.
        local: in the body's frame [m, 1], (3,).
    """

    body: int
    is_point: bool
    local: Floats


@dataclass(frozen=True, eq=False)
class SharedElement:
    """One point or unit vector, and the marks of all bodies that have it."""

    is_point: bool
    marks: tuple[Mark, ...]


class Sharing:
    """Marks of all bodies, united where joints hold them together.

    A vector may be united with the opposite of another: what a class holds is told with the sign
    that its first mark has.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self.marks: list[Mark] = []
        self._above: list[tuple[int, float]] = []  # a mark of the same class, and the sign to it

    def unite(self, is_point: bool, on_a: tuple[int, Floats], on_b: tuple[int, Floats]) -> None:
        """A point or a direction of two bodies is one; each body with its own coordinates of it."""
        a, sign_a = self._mark(is_point, *on_a)
        b, sign_b = self._mark(is_point, *on_b)
        root_a, up_a = self._root(a)
        root_b, up_b = self._root(b)
        if root_a != root_b:
            self._above[root_b] = root_a, sign_a * up_a * sign_b * up_b

    def directions(self, body: int) -> list[Floats]:
        """Unit vectors of a body that are marked already."""
        return [mark.local for mark in self.marks if mark.body == body and not mark.is_point]

    def elements(self) -> list[SharedElement]:
        """The classes, in the order of their first marks."""
        found: dict[int, list[Mark]] = {}
        for n, mark in enumerate(self.marks):
            root, sign = self._root(n)
            found.setdefault(root, []).append(Mark(mark.body, mark.is_point, sign * mark.local))
        return [SharedElement(marks[0].is_point, tuple(marks)) for marks in found.values()]

    def _mark(self, is_point: bool, body: int, local: Floats) -> tuple[int, float]:
        """The mark of a body that this is, a new one if need be, and its sign."""
        for n, mark in enumerate(self.marks):
            if mark.body == body and mark.is_point == is_point:
                if np.abs(mark.local - local).max() <= SAME:
                    return n, 1.0
                if not is_point and np.abs(mark.local + local).max() <= SAME:
                    return n, -1.0
        self.marks.append(Mark(body, is_point, np.array(local, dtype=float)))
        self._above.append((len(self.marks) - 1, 1.0))
        return len(self.marks) - 1, 1.0

    def _root(self, n: int) -> tuple[int, float]:
        sign = 1.0
        while self._above[n][0] != n:
            n, turned = self._above[n]
            sign *= turned
        return n, sign
