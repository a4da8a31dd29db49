"""How the solver stands, told to whoever asks, and worked out no more often than is of use."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import StateError
from ..kinematics import DeadCentre, Inspection, inspect
from ..mechanism import State
from ..protocol.down import Inspected, NearDeadCentre, SolvedBlock, TakenBranch
from ..sim import Session

EVERY = 0.1  # real time for which an answer serves everybody who asks [s]


class Inspector:
    """Looks at a session; however many ask, a tick has room for it."""

    def __init__(self) -> None:
        """Nothing has been seen yet."""
        self._last: Inspected | None = None
        self._at = -np.inf
        self._before: State | None = None

    def look(self, session: Session, number: int, now: float) -> Inspected:
        """The figures now, or those of a moment ago [s].

        Raises:
            StateError: a pose that cannot be looked at.
        """
        if self._last is None or now - self._at > EVERY:
            self._last = self._inspected(session)
            self._at = now
        return replace(self._last, number=number)

    def _inspected(self, session: Session) -> Inspected:
        motion = session.motion
        wanted = None if motion.led is None else motion.led.wanted
        try:
            found = inspect(session.machine.kinematics, motion.state, wanted, self._before)
        except np.linalg.LinAlgError as error:
            raise StateError(f"the pose cannot be looked at: {error}") from None
        self._before = motion.state
        names = tuple(each.name for each in session.machine.robot.inputs)
        return inspection_message(found, names, session.time)


def inspection_message(found: Inspection, names: tuple[str, ...], time: float) -> Inspected:
    """Figures as a page shows them, groups by name."""
    return Inspected(
        number=0,
        time=time,
        gap=found.gap,
        angle=found.angle,
        length_error=found.length_error,
        iterations=found.iterations,
        blocks=tuple(
            SolvedBlock(tuple(names[g] for g in part.groups), part.method, part.iterations)
            for part in found.solving
        ),
        branches=tuple(TakenBranch(b.kind, b.name, b.side, b.as_home) for b in found.branches),
        dead_centre=None if found.dead_centre is None else _dead_centre(found.dead_centre, names),
        conditioning=found.conditioning,
        lever=found.lever,
        weakest=names[found.weakest] if found.weakest >= 0 else "",
        problem=found.problem,
    )


def _dead_centre(found: DeadCentre, names: tuple[str, ...]) -> NearDeadCentre:
    return NearDeadCentre(names[found.group], found.left, found.towards, found.inside, found.exact)
