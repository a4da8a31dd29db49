"""What every study is given and gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from ..errors import StateError
from ..machine import Machine
from ..mechanism import Floats, State, loop_gaps

Progress = Callable[[float, str], None]  # the part that is done, 0 to 1, and what is being done

ROUNDING = 1e-9  # beyond an end of a stroke that is rounding alone [m, rad]
CLOSED = 1e-6  # between the halves of a loop that kinematics may start from [m]


class CancelledError(Exception):
    """Somebody gave the study up; raised by `Progress`."""


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """Where a study works.

    Attributes:
        machine: what is studied.
        state: as it stands.
        folder: for the files of the result; empty at first.
        progress: to be called now and then; raises `CancelledError`.
        number: of the study.
    """

    machine: Machine
    state: State
    folder: Path
    progress: Progress
    number: int = 0


@dataclass(frozen=True, slots=True)
class StudyOutcome:
    """What came of a study.

    Attributes:
        facts: small results, as JSON can hold them.
        files: names of the files in the study's folder.
    """

    facts: dict[str, Any]
    files: tuple[str, ...] = field(default=())


Study = Callable[[Bench, Any], StudyOutcome]


def checked_request(kind: type, request: Mapping[str, Any]) -> Any:
    """A request as its dataclass.

    Raises:
        StateError: with every field that is wrong.
    """
    try:
        return TypeAdapter(kind).validate_python(dict(request), strict=False)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False)
        told = [f"{'.'.join(map(str, each['loc'])) or 'request'}: {each['msg']}" for each in found]
        raise StateError("; ".join(told[:8])) from None


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """How a machine stands: exactly, to the last bit.

    Attributes:
        q: joint positions [rad, m], (nq,).
        X_WB: X_world_base, (4, 4): where.
    """

    q: Floats
    X_WB: Floats

    @staticmethod
    def at(state: State) -> Standing:
        """How the machine of a state stands, to be sent elsewhere."""
        return Standing(state.q, state.base)

    def packed(self) -> bytes:
        """The same as bytes, which are sent in a fraction of the time; see `unpacked`."""
        return self.q.tobytes() + self.X_WB.tobytes()

    @staticmethod
    def unpacked(packed: bytes) -> Standing:
        """How a machine stands, from what `packed` gave."""
        numbers = np.frombuffer(packed)
        return Standing(numbers[:-16], numbers[-16:].reshape(4, 4))

    def of(self, machine: Machine) -> State:
        """The machine that stands so.

        Forces may have pressed it beyond an end of a stroke, or opened a loop: then the state that
        kinematics can have, with the same lengths as far as bounds allow.

        Raises:
            StateError: positions of another machine.
        """
        state = State(machine.mechanism, self.q, self.X_WB)
        ends = np.array([(each.lower, each.upper) for each in machine.robot.inputs]).reshape(-1, 2)
        possible = np.clip(state.inputs, *ends.T)
        beyond = np.abs(possible - state.inputs).max(initial=0.0)
        gap = max(loop_gaps(state).values(), default=0.0)
        if beyond <= ROUNDING and gap <= CLOSED:
            return state
        return machine.fk(possible).moved(self.X_WB)
