"""What compiles in the background, and what people asked for that waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, cast

from ..jit import DRIVING, REACHING
from ..protocol import up
from ..protocol.down import Part, Preparing, SessionStatus
from ..sim import parts_needed

STUDIES_NEED = (REACHING,)
DYNAMICS_NEED = parts_needed("auto")


class Compiling(Protocol):
    """Parts of the kernels that are compiled one after the other; see `jit.background`."""

    @property
    def part(self) -> str:
        """What is being compiled; empty if nothing is left."""

    def is_ready(self, part: str) -> bool:
        """Whether a part needs no compiling any more."""

    def seconds_to(self, part: str) -> float | None:
        """How long it takes until a part is ready [s]; None if that is not known."""

    def want(self, part: str) -> None:
        """Compile a part before others."""

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """End."""


def needed(message: Any, status: SessionStatus | None, formulation: str) -> tuple[str, ...]:
    """Parts that physics needs to follow a message.

    Args:
        message: of a client.
        status: how the machine moves now.
        formulation: the last that was chosen.
    """
    if isinstance(message, up.Reach):
        return (REACHING,)
    if not isinstance(message, up.SetPhysics):
        return ()
    dynamics = message.dynamics
    if dynamics is None:
        dynamics = status is not None and status.dynamics
    chosen = message.formulation or formulation
    return parts_needed(chosen) if dynamics else ()


@dataclass(frozen=True)
class HeldMessage:
    """Something that waits: for which parts, what it is, and what is done then."""

    parts: tuple[str, ...]
    message: Any
    do: Callable[[Any], None]
    drop: Callable[[], None]


class Waiting:
    """Keeps one message of each type until what it needs is compiled."""

    def __init__(self, compiling: Compiling) -> None:
        """Nothing waits."""
        self.compiling = compiling
        self._held: dict[str, HeldMessage] = {}

    def lacks(self, parts: Iterable[str]) -> bool:
        """Whether some of these parts are not compiled yet."""
        return not all(map(self.compiling.is_ready, parts))

    def hold(self, held: HeldMessage) -> None:
        """Let a message wait; it takes the place of an earlier one of its type."""
        kind = held.message.type
        before = self._held.pop(kind, None)
        if before is not None:
            before.drop()
            if isinstance(held.message, up.SetPhysics):  # what it does not change stays as wanted
                held = replace(held, message=_later(before.message, held.message))
        self._held[kind] = held
        for part in reversed(held.parts):
            self.compiling.want(part)

    def forget(self, kind: str) -> None:
        """What waits of this type is not wanted any more."""
        if kind in self._held:
            self._held.pop(kind).drop()

    def proceed(self) -> None:
        """Do what waited for parts that are compiled now."""
        for kind, held in list(self._held.items()):
            if not self.lacks(held.parts):
                del self._held[kind]
                held.do(held.message)

    def told(self, *more: str) -> Preparing:
        """What pages are told; `more` waits, too."""
        part = self.compiling.part
        seconds = self.compiling.seconds_to(part) if part else None
        about = None if seconds is None else _about(seconds)
        return Preparing(cast(Part, part), about, (*self._held, *more))


def _about(seconds: float) -> float:
    """A time as exactly as it is worth telling: to a tenth or so, and never none."""
    step = 1.0 if seconds < 10.0 else 5.0 if seconds < 60.0 else 10.0 if seconds < 180.0 else 60.0
    return max(step * round(seconds / step), 1.0)


def _later(before: up.SetPhysics, now: up.SetPhysics) -> up.SetPhysics:
    """Both changes, the later one going first."""
    told = {each.name: getattr(now, each.name) for each in fields(now)}
    return replace(before, **{name: value for name, value in told.items() if value is not None})


__all__ = [
    "DRIVING",
    "DYNAMICS_NEED",
    "STUDIES_NEED",
    "Compiling",
    "HeldMessage",
    "Waiting",
    "needed",
]
