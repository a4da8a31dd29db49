"""The last minutes of an interactive simulation, to go back to."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

LONGEST = 600.0  # simulated seconds that are kept
MOST_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A state before the substeps of a tick, its commands already given.

    Attributes:
        steps: number of the substep that comes next.
        state: whatever its owner goes on from.
        size: bytes that it takes.
    """

    steps: int
    state: Any
    size: int


OBJECT, ARRAY = 64, 112  # bytes of an object, and of an array beside its numbers


def size_of(state: Any) -> int:
    """Bytes of a saved state: its arrays and the objects that hold them.

    Other objects that fields refer to are shared by all states, and are not counted. A state that
    shares arrays with the one before it tells by itself what is its own (`own_bytes`).
    """
    own = getattr(state, "own_bytes", None)
    if isinstance(own, int):
        return OBJECT + own
    if isinstance(state, np.ndarray):
        return ARRAY + state.nbytes
    if is_dataclass(state):
        return OBJECT + sum(size_of(getattr(state, field.name)) for field in fields(state))
    return 0


class Ring:
    """Moments in the order of time; the oldest go when there are too many.

    Attributes:
        forgotten: some have gone.
    """

    def __init__(self, most_steps: int, most_bytes: int = MOST_BYTES) -> None:
        """Keep at most so many substeps, in at most so many bytes."""
        self.most_steps, self.most_bytes = most_steps, most_bytes
        self.forgotten = False
        self._moments: deque[Moment] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._moments)

    @property
    def oldest(self) -> int | None:
        """Substep of the first moment; None if there is none."""
        return self._moments[0].steps if self._moments else None

    @property
    def size(self) -> int:
        """Bytes of all moments."""
        return self._bytes

    def add(self, moment: Moment) -> None:
        """Keep a moment; those that are not before it are on another path and go."""
        while self._moments and self._moments[-1].steps >= moment.steps:
            self._bytes -= self._moments.pop().size
        self._moments.append(moment)
        self._bytes += moment.size
        earliest = moment.steps - self.most_steps
        while len(self._moments) > 1 and (
            self._bytes > self.most_bytes or self._moments[1].steps <= earliest
        ):
            self._bytes -= self._moments.popleft().size
            self.forgotten = True

    def before(self, steps: int) -> Moment | None:
        """The last moment at or before a substep; None if that is forgotten."""
        place = bisect_right(self._moments, steps, key=lambda moment: moment.steps)
        return self._moments[place - 1] if place else None

    def clear(self) -> None:
        """Forget everything, as at the start."""
        self._moments.clear()
        self._bytes, self.forgotten = 0, False
