"""What the exporters need of a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Assembled(Protocol):
    """A machine in one configuration; `headframe.mechanism.State` is one."""

    @property
    def lengths(self) -> Floats:
        """Length of every actuator [m], (n_actuators,)."""
        ...

    @property
    def joints(self) -> Mapping[str, Any]:
        """Positions of the tree's joints by name."""
        ...

    def pose(self, link: str, /) -> Floats:
        """X_WL, the link in the world, (4, 4); tubes and rods included."""
        ...
