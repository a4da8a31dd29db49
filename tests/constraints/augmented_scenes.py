"""Machines in natural coordinates for tests of the augmented Lagrangian."""

from __future__ import annotations

from typing import Any

import numpy as np

from headframe.constraints.augmented import rows as row_kernels
from headframe.constraints.augmented.engine import Augmented
from headframe.constraints.augmented.records import AUGMENTED, AUGMENTED_STATE, NATURAL_ROW, ROW_NOW
from headframe.dynamics.model import DynamicsModel
from headframe.jit import header, numbers, records
from headframe.machine import Machine
from headframe.mechanism.tree import tree_of


def model_of(made: Machine) -> DynamicsModel:
    return DynamicsModel(tree_of(made.mechanism), made.kinematics, made.home)


def augmented(made: Machine, step: float = 1e-3, **options: Any) -> Augmented:
    return Augmented(model_of(made), step, **options)


class Kernels:
    """What the kernels of an engine have in their memory, as matrices."""

    def __init__(self, engine: Augmented) -> None:
        self.engine = engine
        self.model, self.state, self.work = engine.packed, engine.state, engine.work
        self.head, self.moment = header(self.model, AUGMENTED), header(self.state, AUGMENTED_STATE)
        self.n, self.size = int(self.head.n), engine.augmented.size
        self.rows = records(self.model, self.head.rows, NATURAL_ROW)
        self.now = records(self.work, self.head.work.rows, ROW_NOW)
        self.now.live = 1
        self.q, self.v = (numbers(self.state, at) for at in (self.moment.q, self.moment.v))

    def residuals(self, q: np.ndarray) -> np.ndarray:
        row_kernels.set_rows(self.model, q, self.work)
        return self.now.residual.copy()

    def slopes(self, q: np.ndarray) -> np.ndarray:
        """Phi_q, (m, n)."""
        row_kernels.set_rows(self.model, q, self.work)
        values, J = numbers(self.work, self.head.work.slopes), np.zeros((len(self.rows), self.n))
        for i, row in enumerate(self.rows):
            part = slice(row.entries[0], row.entries[0] + row.entries[1])
            J[i, self.engine.augmented.entries[part]] = values[part]
        return J

    def tangent(self) -> np.ndarray:
        """What stands in the memory of the tangent, (n, n)."""
        kept, pattern = numbers(self.work, self.head.work.tangent), self.engine.augmented.pattern
        found = np.diag(kept[: self.n])
        for column in range(self.n):
            for place in range(pattern.columns[column], pattern.columns[column + 1]):
                row = pattern.rows[place]
                found[row, column] = found[column, row] = kept[self.n + place]
        return found

    def away(self, random: np.random.Generator, size: float = 0.1) -> np.ndarray:
        """Coordinates off the constraints; what stands on the base stays there."""
        q = self.q.copy()
        q[: self.n] += random.uniform(-size, size, self.n)
        return q

    def direction(self, random: np.random.Generator) -> np.ndarray:
        v = np.zeros(self.size)
        v[: self.n] = random.normal(size=self.n)
        return v
