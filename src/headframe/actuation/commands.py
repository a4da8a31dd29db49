"""What a cylinder or a motor is told to do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

from ..checks import shown
from ..errors import CommandError, suggest
from .records import DriveMode


@dataclass(frozen=True)
class Command:
    """One command; made by `length`, `position`, `speed`, `force`, `torque`, `locked`..."""

    kind: str
    value: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no command."""
        if not isinstance(self.kind, str) or self.kind not in MODES:
            raise CommandError(f"found {self.kind!r}; {suggest(str(self.kind), MODES)}")
        _number(self.value, self.kind)

    @property
    def mode(self) -> int:
        """As the kernels take it."""
        return MODES[self.kind]

    def __str__(self) -> str:
        return f"{self.kind}({self.value:g})" if self.kind in NUMBERS else f"{self.kind}()"


MODES = {
    "floating": DriveMode.FLOATING,
    "force": DriveMode.FORCE,
    "torque": DriveMode.FORCE,
    "speed": DriveMode.SPEED,
    "length": DriveMode.LENGTH,
    "position": DriveMode.LENGTH,
    "locked": DriveMode.LOCKED,
}
NUMBERS = ("length", "position", "speed", "force", "torque")


def length(metres: float) -> Command:
    """Go to a length [m], within the limits of speed and acceleration, and stay there."""
    return Command("length", _number(metres, "length"))


def position(value: float) -> Command:
    """Turn or slide a motor's joint to a position [rad, m], within its limits, and stay there."""
    return Command("position", _number(value, "position"))


def speed(rate: float) -> Command:
    """Keep a speed: of a cylinder [m/s], positive extends; of a motor's joint [rad/s]."""
    return Command("speed", _number(rate, "speed"))


def force(newtons: float) -> Command:
    """Push with a force [N]; negative pulls."""
    return Command("force", _number(newtons, "force"))


def torque(newton_metres: float) -> Command:
    """Turn a motor's joint with a torque [N m]."""
    return Command("torque", _number(newton_metres, "torque"))


def locked() -> Command:
    """Come to rest, within the limit of acceleration, and hold."""
    return Command("locked")


def floating() -> Command:
    """Let it move freely."""
    return Command("floating")


def _number(value: object, what: str) -> float:
    try:
        if not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value):
            return float(value)
    except OverflowError:  # a whole number that is too large
        pass
    raise CommandError(f"{what}: found {shown(value)}, expected a finite number")
