"""Eq. (24) of the MineRobot paper: time as a sum over the active actuators of each type."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class Fit:
    """Least-squares fit of t = t0 + a tA + b tB + c tC + d tD.

    Attributes:
        coefficients: tA to tD, in the unit of the times; nan for a type that never occurs, (4,).
        constant: t0, 0 in Eq. (24).
        predicted: times by the fit, (n,).
        r2: part of the variance that it explains; below 0 it is worse than the mean.
        rmse: root of the mean squared error.
    """

    coefficients: NDArray[np.float64]
    constant: float
    predicted: NDArray[np.float64]
    r2: float
    rmse: float


def fit(counts: ArrayLike, times: ArrayLike, constant: bool = False) -> Fit:
    """Fit times, (n,), to counts of active actuators by type, (n, 4)."""
    A, t = np.asarray(counts, dtype=float), np.asarray(times, dtype=float)
    occurs = np.append(A.any(axis=0), constant)
    columns = np.column_stack([A, np.ones(len(t))])[:, occurs]
    solution = np.linalg.lstsq(columns, t, rcond=None)[0]
    found = np.full(A.shape[1] + 1, np.nan)
    found[occurs] = solution
    predicted = columns @ solution
    squares = float(np.sum((t - predicted) ** 2))
    spread = float(np.sum((t - t.mean()) ** 2))
    r2 = 1.0 - squares / spread if spread > 0.0 else np.nan
    t0 = float(found[-1]) if constant else 0.0
    return Fit(found[:-1], t0, predicted, r2, float(np.sqrt(squares / len(t))))
