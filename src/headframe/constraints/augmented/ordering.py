"""The pattern of the factor: in what order unknowns are eliminated, and what fills up.

Made once for a machine. Unknowns come in nodes of one or three; what a row or a body's mass couples
is a clique. The node that is coupled with the fewest unknowns goes next (minimum degree), which
takes the leaves of a tree of bodies first and needs no fill there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...mechanism import Ints


def elimination_order(widths: Sequence[int], cliques: Iterable[Iterable[int]]) -> list[int]:
    """Nodes in the order of elimination.

    Args:
        widths: unknowns of every node.
        cliques: nodes that are coupled with each other.
    """
    near: list[set[int]] = [set() for _ in widths]
    for clique in cliques:
        members = set(clique)
        for node in members:
            near[node] |= members - {node}
    order, left = [], set(range(len(widths)))
    while left:
        # of equal ones the first, so that the order does not depend on anything else
        node = min(left, key=lambda each: (sum(widths[other] for other in near[each]), each))
        left.remove(node)
        order.append(node)
        for other in near[node]:
            near[other] |= near[node] - {other}
            near[other].discard(node)
    return order


@dataclass(frozen=True, eq=False)
class Pattern:
    """Where the factor has entries: L of T = L D L^T, by columns.

    Attributes:
        columns: where each column begins in `rows`, and the end of the last, (n + 1,).
        rows: of all entries below the diagonal, ascending in a column.
    """

    columns: Ints
    rows: Ints

    @property
    def n(self) -> int:
        """Number of unknowns."""
        return len(self.columns) - 1

    @cached_property
    def by_rows(self) -> tuple[Ints, Ints, Ints]:
        """Where each row begins, and the end of the last; columns of its entries; their places."""
        entries: list[list[tuple[int, int]]] = [[] for _ in range(self.n)]
        for column in range(self.n):
            for place in range(self.columns[column], self.columns[column + 1]):
                entries[self.rows[place]].append((column, place))
        counts = [len(each) for each in entries]
        flat = np.array([pair for each in entries for pair in each], np.int64).reshape(-1, 2)
        begins = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return begins, flat[:, 0].copy(), flat[:, 1].copy()

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        found = {(j, j): j for j in range(self.n)}
        for column in range(self.n):
            for place in range(self.columns[column], self.columns[column + 1]):
                found[int(self.rows[place]), column] = self.n + place
        return found

    def place(self, row: int, column: int) -> int:
        """Where an entry of T is kept: the diagonal first, then what is below it, as in L."""
        return self._places[max(row, column), min(row, column)]


def pattern_of(n: int, cliques: Iterable[Sequence[int]]) -> Pattern:
    """The pattern of the factor, for cliques of unknowns in the order of elimination."""
    below: list[set[int]] = [set() for _ in range(n)]
    for clique in cliques:
        for column in clique:
            below[column].update(row for row in clique if row > column)
    for column in range(n):
        if below[column]:
            first = min(below[column])
            below[first] |= below[column] - {first}
    columns = np.concatenate([[0], np.cumsum([len(each) for each in below])]).astype(np.int64)
    rows = np.array([row for each in below for row in sorted(each)], dtype=np.int64)
    return Pattern(columns, rows)
