"""The dead man's switch: levers live only while an operator is there.

The operator's page sends a heartbeat with the levers. Levers are dead when none came for a while,
when the page itself tells that its main thread hangs, that it is hidden or out of focus, or when
its connection closed. They come alive again only after a heartbeat with all levers neutral, so that
a lever that was left deflected does not start the machine.
"""

from __future__ import annotations

from collections.abc import Mapping

SILENCE = 0.2  # longest time between heartbeats [s]
STALL = 1.0  # longest turn of the page's main thread [s]

NOBODY, SILENT, STALLED, HIDDEN, CLOSED, CENTRE = (
    "no_operator", "silent", "stalled", "hidden", "closed", "centre",
)  # fmt: skip


class DeadMan:
    """Knows whether levers are alive."""

    def __init__(self) -> None:
        """Dead, since nobody is there."""
        self._reason = NOBODY
        self._levers: dict[str, float] = {}
        self._beat = self._turn = -1.0

    def beat(self, now: float, levers: Mapping[str, float], age: float, present: bool) -> None:
        """Take a heartbeat that was received at a moment [s]; see `protocol.up.Levers`."""
        self._levers = {name: value for name, value in levers.items() if value != 0.0}
        self._beat, self._turn = now, now - age
        if not present:
            self._reason = HIDDEN
        elif age > STALL:
            self._reason = STALLED
        elif self._reason:
            self._reason = CENTRE if self._levers else ""

    def leave(self, reason: str) -> None:
        """Nobody holds the levers any more."""
        self._reason, self._levers = reason, {}

    def look(self, now: float) -> str:
        """Why levers are dead at a moment [s]; empty while they are alive."""
        if self._reason in ("", CENTRE):
            if now - self._beat > SILENCE:
                self._reason = SILENT
            elif now - self._turn > STALL:
                self._reason = STALLED
        return self._reason

    @property
    def reason(self) -> str:
        """Why levers were dead when they were last looked at; empty if they were alive."""
        return self._reason

    @property
    def levers(self) -> dict[str, float]:
        """Deflections that act: none while levers are dead."""
        return {} if self._reason else dict(self._levers)

    @property
    def neutral(self) -> bool:
        """Whether all levers stood neutral at the last heartbeat."""
        return not self._levers
