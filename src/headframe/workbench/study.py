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
from ..mechanism import State
from ..mechanism.compiled import Floats

Progress = Callable[[float, str], None]  # the part that is done, 0 to 1, and what is being done


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
class Outcome:
    """What came of a study.

    Attributes:
        facts: small results, as JSON can hold them.
        files: names of the files in the study's folder.
    """

    facts: dict[str, Any]
    files: tuple[str, ...] = field(default=())


Study = Callable[[Bench, Any], Outcome]


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
    """How a machine stands, as a frame tells: in single precision.

    Attributes:
        lengths: of all its cylinders [m], (n,).
        joints: positions of its joints of one freedom [rad, m], (m,).
        X_WB: where, (4, 4).
    """

    lengths: Floats
    joints: Floats
    X_WB: Floats

    def of(self, machine: Machine) -> State:
        """The machine that stands so; rounding may have led out of an end, and is taken back."""
        position = dict(zip(machine.mechanism.single_positions, self.joints, strict=True))
        values = [
            position[each.joint] if each.joint else self.lengths[each.drive]
            for each in machine.robot.inputs
        ]
        ends = np.array([(each.lower, each.upper) for each in machine.robot.inputs]).reshape(-1, 2)
        return machine.fk(np.clip(np.array(values, dtype=float), *ends.T)).moved(self.X_WB)
