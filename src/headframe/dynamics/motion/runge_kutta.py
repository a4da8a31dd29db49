"""All integrators by name, and the Runge-Kutta tables (Butcher's) of the explicit ones."""

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np

STAGES = 8  # of the largest table, the row of weights included


class Integrator(IntEnum):
    """How a step is made. The explicit methods come first: they are a table alone."""

    EULER = 0
    MIDPOINT = 1
    RK4 = 2
    RK6 = 3
    SEMI_IMPLICIT = 4
    IMPLICIT = 5
    VARIATIONAL = 6


INTEGRATORS = {each.name.lower().replace("_", "-"): each for each in Integrator}  # by name
EXPLICIT = int(Integrator.SEMI_IMPLICIT)  # how many are
EULER, MIDPOINT, RK4, RK6 = list(Integrator)[:EXPLICIT]
ROOT = math.sqrt(21.0)
# Butcher's tables, rows of coefficients of the stages, then the weights; RK6 is Luther's (1968)
TABLES = np.zeros((EXPLICIT, STAGES, STAGES))
TABLES[EULER, 1, 0] = 1.0
TABLES[MIDPOINT, 1, 0] = 0.5
TABLES[MIDPOINT, 2, :2] = 0.0, 1.0
TABLES[RK4, 1, 0] = TABLES[RK4, 2, 1] = 0.5
TABLES[RK4, 3, 2] = 1.0
TABLES[RK4, 4, :4] = 1 / 6, 1 / 3, 1 / 3, 1 / 6
TABLES[RK6, 1, 0] = 1.0
TABLES[RK6, 2, :2] = 3 / 8, 1 / 8
TABLES[RK6, 3, :3] = 8 / 27, 2 / 27, 8 / 27
TABLES[RK6, 4, :4] = np.array([
    3 * (3 * ROOT - 7), -8 * (7 - ROOT), 48 * (7 - ROOT), -3 * (21 - ROOT),
]) / 392  # fmt: skip
TABLES[RK6, 5, :5] = np.array([
    -5 * (231 + 51 * ROOT), -40 * (7 + ROOT), -320 * ROOT, 3 * (21 + 121 * ROOT),
    392 * (6 + ROOT),
]) / 1960  # fmt: skip
TABLES[RK6, 6, :6] = np.array([
    15 * (22 + 7 * ROOT), 120, 40 * (7 * ROOT - 5), -63 * (3 * ROOT - 2), -14 * (49 + 9 * ROOT),
    70 * (7 - ROOT),
]) / 180  # fmt: skip
TABLES[RK6, 7, :7] = np.array([9, 0, 64, 0, 49, 49, 9]) / 180
COUNTS = np.array([np.flatnonzero(table.any(axis=1))[-1] for table in TABLES])  # of stages
