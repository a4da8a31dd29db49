"""What the server and the physics process both see at once, whatever waits between them."""

from __future__ import annotations

from multiprocessing import get_context

PRESSED, BEATS = 0, 1


class Shared:
    """Two counters in shared memory, each written by one side alone, so that none needs a lock.

    The emergency stop has this way of its own: orders may queue up in the pipe, but the physics
    process looks here between its substeps and before every order.
    """

    def __init__(self) -> None:
        """Nothing is pressed."""
        self._cells = get_context("spawn").RawArray("q", 2)

    def press(self) -> None:
        """Press the emergency stop; the server's side."""
        self._cells[PRESSED] += 1

    @property
    def pressed(self) -> int:
        """How often it has been pressed."""
        return int(self._cells[PRESSED])

    def beat(self) -> None:
        """Tell that the process lives, though it may be busy; the physics process's side."""
        self._cells[BEATS] += 1

    @property
    def beats(self) -> int:
        """How often it has told so."""
        return int(self._cells[BEATS])
