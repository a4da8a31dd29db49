"""The one finite-difference checker of all derivatives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def central(function: Callable[[float], np.ndarray], h: float = 1e-6) -> np.ndarray:
    """Derivative of `function` at 0; its error is of the order h^2 + eps / h, about 1e-10."""
    return (np.asarray(function(h)) - np.asarray(function(-h))) / (2 * h)
