"""Where loose bodies lie, as frames tell it: those that moved, and a few others in turn."""

from __future__ import annotations

import numpy as np

from ..mechanism import Floats
from ..protocol import BODIES
from .cast import frame_poses

IN_TURN = 4  # bodies that a frame tells although they lie still


class Lying:
    """Knows what frames have told of the bodies of a scene."""

    def __init__(self) -> None:
        """Nothing has been told."""
        self._told = np.zeros((0, BODIES.width - 1), np.float32)
        self._turn = 0

    def rows(self, poses: Floats) -> Floats:
        """What a frame tells of bodies at X_world_body (n, 4, 4): (m, BODIES.width)."""
        count = len(poses)
        if not count:
            return np.zeros((0, BODIES.width))
        now = frame_poses(poses).astype(np.float32)
        if len(self._told) != count:
            self._told = np.full_like(now, np.nan)
        moved = (now != self._told).any(axis=1)
        moved[(self._turn + np.arange(min(IN_TURN, count))) % count] = True
        self._turn = (self._turn + IN_TURN) % count
        self._told = now
        which = np.flatnonzero(moved)
        return np.column_stack([which, now[which]]).astype(np.float64)
