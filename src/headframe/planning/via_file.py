"""Files of via points: JSON, with comments and trailing commas allowed.

    {"link": "cutter_head",
     "via": [{"position": [5.5, 0.0, 1.2], "rpy_deg": [0, 5, 0]},
             {"position": [5.4, 1.0, 1.2], "rpy_deg": [0, 5, 14]},
             {"lengths": {"boom": 1.9, "slew": 1.6}}]}

Positions [m] are in the world. An orientation is given as `rpy` [rad], `rpy_deg` [deg] (about
fixed axes, roll first) or `quat` (wxyz), or left out and then free, for all via points alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..description import Findings, decoded, parse, read_limited, shown
from ..errors import (
    MachineFileError,
    MissingFieldError,
    NotFiniteError,
    NotJsonError,
    Problem,
    TooManyElementsError,
    UnknownFieldError,
    ValueRangeError,
    WrongTypeError,
    suggest,
)
from ..mechanism import Floats
from ..spatial import compose, matrix_from_quaternion, matrix_from_rpy
from .curve import ViaPoint

LARGEST_VIA_FILE = 16 * 2**20  # bytes
MOST = 10_000  # via points
UNIT = 1e-3  # how far a quaternion's norm may be from 1

Place = tuple[str | int, ...]
TURNS = {"rpy": (3, "[rad]"), "rpy_deg": (3, "[deg]"), "quat": (4, "w, x, y, z")}
COUNTS = {3: "three", 4: "four"}


class ViaFileError(MachineFileError):
    """A file of via points that cannot be used. `problems` lists everything found in it."""


@dataclass(frozen=True, eq=False)
class ViaFile:
    """The link that a file names, None if none, and its via points, as `trajectory` takes them."""

    link: str | None
    points: tuple[ViaPoint, ...]


def read_via_file(path: str | Path) -> ViaFile:
    """Read a file of via points.

    Raises:
        ViaFileError: with everything that is wrong, each with its place.
    """
    data = read_limited(path, LARGEST_VIA_FILE)
    text = data if isinstance(data, Problem) else decoded(data, NotJsonError, "JSON")
    if isinstance(text, Problem):
        raise ViaFileError([text], str(path))
    value, found = parse(text)
    if value is None and found.problems:  # no JSON; keys given twice leave a value
        raise ViaFileError(found.placed(text)[0], str(path))
    result = _ViaReader(found).read(value)
    if found.problems:
        raise ViaFileError(found.placed(text)[0], str(path))
    return result


class _ViaReader:
    """Turns JSON into via points; complaints go to `found`."""

    def __init__(self, found: Findings) -> None:
        self.found = found

    def read(self, value: Any) -> ViaFile:
        if not self._object(value, (), ("link", "via")):
            return ViaFile(None, ())
        link = value.get("link")
        if link is not None and not (isinstance(link, str) and link):
            self._complain(WrongTypeError, ("link",), link, "the name of a link")
        via = value.get("via")
        if "via" not in value:
            self.found.complain(MissingFieldError, (), "'via' is missing, expected a list")
        elif not isinstance(via, list) or not via:
            self._complain(WrongTypeError, ("via",), via, "a list of via points")
        elif len(via) > MOST:
            self._complain(TooManyElementsError, ("via",), via, f"at most {MOST}")
        else:
            return ViaFile(link, tuple(self._point(x, ("via", n)) for n, x in enumerate(via)))
        return ViaFile(link, ())

    def _point(self, value: Any, place: Place) -> ViaPoint:
        if not self._object(value, place, ("position", *TURNS, "lengths")):
            return np.zeros(3)
        position = np.zeros(3)
        if "position" in value:
            position = self._numbers(value["position"], (*place, "position"), 3, "[m]")
        elif "lengths" not in value:
            message = "found neither 'position' nor 'lengths', expected one of them"
            self.found.complain(MissingFieldError, place, message)
        turns = [key for key in TURNS if key in value]
        if len(turns) > 1:
            message = f"found {' and '.join(map(repr, turns))}, expected one orientation"
            self.found.complain(ValueRangeError, place, message)
        R = [self._rotation(key, value[key], (*place, key)) for key in turns]
        if "lengths" in value:
            if len(value) > 1:
                other = next(key for key in value if key != "lengths")
                message = f"found 'lengths' and {other!r}, expected 'lengths' alone"
                self.found.complain(ValueRangeError, place, message)
            return self._lengths(value["lengths"], (*place, "lengths"))
        return position if not turns else compose(R[0], position)

    def _rotation(self, kind: str, value: Any, place: Place) -> Floats:
        numbers = self._numbers(value, place, *TURNS[kind])
        if kind == "rpy":
            return matrix_from_rpy(numbers.tolist())
        if kind == "rpy_deg":
            return matrix_from_rpy(np.deg2rad(numbers).tolist())
        norm = float(np.linalg.norm(numbers))
        if abs(norm - 1.0) > UNIT:
            expected = f"a unit quaternion w, x, y, z; this one's norm is {norm:.4g}"
            self._complain(ValueRangeError, place, value, expected)
            return np.eye(3)
        return matrix_from_quaternion(numbers / norm)

    def _lengths(self, value: Any, place: Place) -> ViaPoint:
        if not isinstance(value, dict) or not value:
            expected = "an object of lengths [m] or positions [rad, m] by name"
            self._complain(WrongTypeError, place, value, expected)
            return {}
        for name, length in value.items():
            self._number(length, (*place, name), "a number [m, rad]", length)
        return dict(value)

    def _numbers(self, value: Any, place: Place, count: int, unit: str) -> Floats:
        """An array of so many numbers; 1, 0, 0... if there is something wrong."""
        expected = f"{COUNTS[count]} numbers {unit}"
        if not isinstance(value, list) or len(value) != count:
            self._complain(WrongTypeError, place, value, expected)
        elif all(self._number(x, place, expected, value) for x in value):
            return np.array(value, dtype=float)
        nothing: Floats = np.eye(count)[0]
        return nothing

    def _number(self, value: Any, place: Place, expected: str, all_of_it: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._complain(WrongTypeError, place, all_of_it, expected)
        elif not math.isfinite(value) or abs(value) > 1e9:
            self._complain(NotFiniteError, place, all_of_it, expected)
        else:
            return True
        return False

    def _object(self, value: Any, place: Place, fields: tuple[str, ...]) -> bool:
        if not isinstance(value, dict):
            self._complain(WrongTypeError, place, value, f"an object with {' or '.join(fields)}")
            return False
        for key in value:
            if key not in fields:
                hint = suggest(key, fields)
                self.found.complain(UnknownFieldError, (*place, key), "unknown field", hint)
        return True

    def _complain(
        self, kind: type[MachineFileError], place: Place, value: Any, expected: str
    ) -> None:
        self.found.complain(kind, place, f"found {shown(value)}, expected {expected}")
