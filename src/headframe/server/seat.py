"""The operator's seat: one client has it, and a reload keeps it."""

from __future__ import annotations

from dataclasses import dataclass

KEPT = 5.0  # how long a seat is kept for a page that reloads [s]


@dataclass(frozen=True, slots=True)
class Sitter:
    """A client of an operator's session."""

    client: int
    session: str


class Seat:
    """Who drives. The first operator does; others watch until they take the seat."""

    def __init__(self) -> None:
        """Nobody sits."""
        self._sitter: Sitter | None = None
        self._left = 0.0
        self._gone = False
        self._follower: tuple[Sitter, float] | None = None  # of the same session, since when

    @property
    def client(self) -> int:
        """The client that has the seat; -1 if none has."""
        return -1 if self._sitter is None or self._gone else self._sitter.client

    def arrive(self, sitter: Sitter, now: float) -> bool:
        """An operator connects at a moment [s]: true if it gets the seat.

        The new page of a reload may connect before the old one is seen to go.
        """
        free = self._sitter is None or (
            self._gone and (now - self._left > KEPT or self._sitter.session == sitter.session)
        )
        if free:
            self._sit(sitter)
        elif self._sitter is not None and self._sitter.session == sitter.session:
            self._follower = sitter, now
        return free

    def take(self, sitter: Sitter) -> int:
        """An operator takes the seat; gives back the client that had it, or -1."""
        before = self.client
        self._sit(sitter)
        return before

    def leave(self, client: int, now: float) -> bool:
        """A client disconnects at a moment [s]: true if it had the seat.

        A page of the same session that came a moment ago was its reload, and has the seat now.
        """
        follower, since = self._follower or (None, 0.0)
        if follower is not None and follower.client == client:
            self._follower = None
        if self._sitter is None or self._gone or self._sitter.client != client:
            return False
        if follower is not None and now - since <= KEPT:
            self._sit(follower)
        else:
            self._gone, self._left = True, now
        return True

    def _sit(self, sitter: Sitter) -> None:
        self._sitter, self._gone, self._follower = sitter, False, None
