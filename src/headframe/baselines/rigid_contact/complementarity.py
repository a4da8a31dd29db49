"""Linear complementarity problems (4.1), by Lemke's pivots.

Wanted are w = M z + q with w >= 0, z >= 0 and w_i z_i = 0. With a further unknown t >= 0,

    w - M z - t e = q,        e = (1, ..., 1),

z = 0 is an answer for a large t. From there t is brought down: whatever leaves the basis, its
partner comes in (z_i for w_i, w_i for z_i), so that no w_i z_i is ever positive, until t leaves.
Where several could leave, the order of the rows (q, inverse of the basis) by their first difference
decides (Cottle, Pang and Stone, The Linear Complementarity Problem, 1992, section 4.9): it never
comes back to the same basis.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...checks import numbers, refuse, vector
from ...errors import DynamicsError

Floats = NDArray[np.float64]
ROUNDING = 1e-12  # of the largest entry: what counts as nothing
PIVOTS = 50  # for every unknown


def complementary(matrix: object, constant: object) -> Floats:
    """The z (n,) >= 0 with w = matrix z + constant >= 0 and no w_i z_i but 0.

    Raises:
        StateError: the matrix is not square, or the constant not of its size.
        DynamicsError: it has no answer, or one that pivots do not lead to.
    """
    M = numbers("matrix", matrix)
    if M.ndim != 2 or M.shape[0] != M.shape[1]:
        refuse("matrix", matrix, "as many rows as columns")
    n = len(M)
    q = vector("constant", constant, n)
    size = max(1.0, float(np.abs(M).max(initial=0.0)))
    if n == 0 or (q >= 0.0).all():
        return np.zeros(n)
    return Tableau(M, q, ROUNDING * size).solve()


class Tableau:
    """Equations in a basis: unknowns are w (0 to n - 1), z (n to 2 n - 1) and t (2 n)."""

    def __init__(self, M: Floats, q: Floats, small: float) -> None:
        """Begin with all w in the basis."""
        self.n, self.small = len(q), small
        unit = np.eye(self.n)
        self.rows = np.column_stack([unit, -M, -np.ones(self.n), q])
        self.basis = np.arange(self.n)

    def solve(self) -> Floats:
        """Z."""
        t, row = 2 * self.n, self._first_row()
        leaves = self._pivot(row, t)
        for _ in range(PIVOTS * self.n):
            if leaves == t:
                return self._answer()
            enters = leaves + self.n if leaves < self.n else leaves - self.n
            row = self._leaving_row(enters)
            if row < 0:
                raise DynamicsError(
                    "a complementarity problem has no answer that pivots lead to: "
                    "friction and shape may hold each other, or the contacts contradict"
                )
            leaves = self._pivot(row, enters)
        raise DynamicsError(f"a complementarity problem took more than {PIVOTS * self.n} pivots")

    def _first_row(self) -> int:
        """The row that is the most wrong: with it no other is wrong any more."""
        order = np.column_stack([self.rows[:, -1], self.rows[:, : self.n]])
        return first_of(order, np.arange(self.n))

    def _leaving_row(self, enters: int) -> int:
        """The row that first becomes nothing as an unknown grows; -1 if none does."""
        column = self.rows[:, enters]
        able = np.flatnonzero(column > self.small)
        if able.size == 0:
            return -1
        order = np.column_stack([self.rows[:, -1], self.rows[:, : self.n]])
        ratios = order[able] / column[able, None]
        at_t = np.flatnonzero(self.basis[able] == 2 * self.n)
        least = ratios[:, 0].min()
        if at_t.size and ratios[at_t[0], 0] <= least + ROUNDING * max(1.0, abs(least)):
            return int(able[at_t[0]])  # an answer already
        return int(able[first_of(ratios, np.arange(able.size))])

    def _pivot(self, row: int, enters: int) -> int:
        """Bring an unknown into the basis; the one that leaves it."""
        leaves = int(self.basis[row])
        self.rows[row] /= self.rows[row, enters]
        others = np.arange(self.n) != row
        self.rows[others] -= np.outer(self.rows[others, enters], self.rows[row])
        self.basis[row] = enters
        return leaves

    def _answer(self) -> Floats:
        """Z, of the basis."""
        z = np.zeros(2 * self.n + 1)
        z[self.basis] = np.maximum(self.rows[:, -1], 0.0)
        return z[self.n : 2 * self.n]


def first_of(rows: Floats, which: NDArray[np.int64]) -> int:
    """The row that comes first by its first difference to the others."""
    left = which
    for column in range(rows.shape[1]):
        values = rows[left, column]
        left = left[values <= values.min() + ROUNDING * max(1.0, np.abs(values).max())]
        if left.size == 1:
            break
    return int(left[0])
