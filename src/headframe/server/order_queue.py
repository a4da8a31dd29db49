"""Orders on their way to the physics process: not many, and none that a later one replaces."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable

from ..protocol import up
from ..sim import STALL
from .messages import DriveFile, Leave, Order

MOST_OF_ONE = 64  # orders of a client that may wait
MOST = 256  # orders of all clients that may wait
UNDERWAY = 8  # orders that are sent before the process has followed the first of them
CHANGES = (up.ChooseMachine, up.ChooseScene, DriveFile)  # the last one decides what is driven
# of these only the last one matters
LATEST = (up.Levers, up.Rewind, up.Reach, up.TimeScale, up.Pause, up.Release, Leave)
MOST_URGENT = 2 * 256  # orders in all that even these may not exceed
ALWAYS = (up.Levers, up.EmergencyStop, up.Release, up.Pause, Leave)  # there is room for these


class OrderQueue:
    """A queue between the server's thread, which puts, and one that gets and sends."""

    def __init__(self) -> None:
        """Nothing waits."""
        self._waiting: deque[Order] = deque()
        self._underway = 0
        self._ended = False
        self._changed = threading.Condition()

    def put(self, order: Order) -> list[Order] | None:
        """Let an order wait; gives back those that it replaces, None if there is no room for it."""
        with self._changed:
            if self._ended or not self._has_room(order):
                return None
            replaced = list(self._replaced(order))
            for old in replaced:
                self._waiting.remove(old)
            self._waiting.append(order)
            self._changed.notify()
            return replaced

    def get(self) -> Order | None:
        """The next order, as soon as the process may have it; None after the end."""
        with self._changed:
            while not self._ended and (not self._waiting or self._underway >= UNDERWAY):
                self._changed.wait()
            if self._ended:
                return None
            self._underway += 1
            return self._waiting.popleft()

    def followed(self) -> None:
        """The process has followed one more."""
        with self._changed:
            self._underway -= 1
            self._changed.notify()

    def end(self) -> None:
        """Forget what waits, and take nothing more."""
        with self._changed:
            self._ended = True
            self._waiting.clear()
            self._changed.notify()

    def _has_room(self, order: Order) -> bool:
        if isinstance(order.message, ALWAYS):
            return isinstance(order.message, Leave) or len(self._waiting) < MOST_URGENT
        own = sum(old.client == order.client for old in self._waiting)
        return own < MOST_OF_ONE and len(self._waiting) < MOST

    def _replaced(self, order: Order) -> Iterable[Order]:
        """Orders that wait and that this one makes needless."""
        if isinstance(order.message, CHANGES):
            return [old for old in self._waiting if isinstance(old.message, CHANGES)]
        last = next((old for old in reversed(self._waiting) if old.client == order.client), None)
        if last is None or not isinstance(order.message, LATEST):
            return []
        return [last] if type(last.message) is type(order.message) and not _dead(last) else []


def _dead(order: Order) -> bool:
    """Whether these are levers that make levers dead: that must be heard."""
    levers = order.message
    return isinstance(levers, up.Levers) and (not levers.present or levers.age > STALL)
