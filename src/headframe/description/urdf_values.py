"""Values in the attributes of URDF's elements, and what is said of those that are not right.

What makes a mechanism ambiguous is a problem. Everything else is a note: what was left out or
changed, and where. A note that many elements share is told once, with their places.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import islice
from xml.etree.ElementTree import Element

from ..errors import (
    MachineFileError,
    MissingFieldError,
    NotFiniteError,
    Problem,
    WrongTypeError,
)

# float() also takes '1_0', 'nan' and digits of other scripts
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
NOT_A_NUMBER = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
MOST_PLACES = 6  # that one note names
Fault = tuple[type[MachineFileError], str]


class UrdfValues:
    """Reads attributes; keeps problems and notes.

    Attributes:
        strict: whether what is otherwise forgiven with a note is a problem.
        problems: what is wrong.
        ignored: elements that are not read, by tag.
    """

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.problems: list[Problem] = []
        self.ignored: Counter[str] = Counter()
        self._remarks: dict[str, dict[str, None]] = {}  # places in order, each once

    def notes(self) -> list[str]:
        """What was left out or changed."""
        told = []
        for message, places in self._remarks.items():
            shown = ", ".join(islice(places, MOST_PLACES))
            more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
            told.append(f"{shown}{more}: {message}" if shown else message)
        return told + [f"<{tag}> ({count}) is ignored" for tag, count in self.ignored.items()]

    def remark(self, message: str, place: str = "") -> None:
        """Note something that a person should know."""
        places = self._remarks.setdefault(message, {})
        if place:
            places[place] = None

    def complain(
        self,
        kind: type[MachineFileError],
        place: str,
        element: Element,
        message: str,
        hint: str = "",
    ) -> None:
        """Note a problem of an element; the name of an included file stands before its place."""
        line, file = getattr(element, "line", None), getattr(element, "file", "")
        where = f"{file}: {place}" if file else place
        self.problems.append(Problem(kind, where, message, hint, line))

    def forgive(
        self,
        kind: type[MachineFileError],
        place: str,
        element: Element,
        message: str,
        instead: str,
    ) -> None:
        """Note something wrong that does no harm to the mechanism; a problem if strict."""
        if self.strict:
            self.complain(kind, place, element, message)
        else:
            self.remark(f"{message}; {instead}", place)

    # ------------------------------------------------------- what must be right

    def required(self, element: Element, place: str, tag: str) -> Element | None:
        """The first child with that tag."""
        child = element.find(tag)
        if child is None:
            self.complain(MissingFieldError, place, element, f"<{tag}> is missing")
        return child

    def text(self, element: Element, place: str, key: str) -> str | None:
        """An attribute that must be there."""
        value = element.get(key)
        if value is None:
            self.complain(MissingFieldError, f"{place}@{key}", element, "the attribute is missing")
        return value

    def vector(
        self,
        element: Element,
        place: str,
        key: str,
        default: list[float] | None,
        count: int = 3,
    ) -> list[float] | None:
        """Numbers in an attribute; without a default they must be there."""
        values = self._values(element, place, key, default, count)
        if isinstance(values, tuple):
            kind, message = values
            self.complain(kind, f"{place}@{key}", element, message)
            return None
        return values

    def number(
        self, element: Element, place: str, key: str, default: float | None = None
    ) -> float | None:
        """A number in an attribute; without a default it must be there."""
        values = self.vector(element, place, key, None if default is None else [default], 1)
        return None if values is None else values[0]

    # ------------------------------------------------------- what may be wrong

    def soft_vector(
        self,
        element: Element,
        place: str,
        key: str,
        default: list[float] | None,
        instead: str,
        count: int = 3,
    ) -> list[float] | None:
        """Numbers in an attribute; None and a note if there are none that can be used."""
        values = self._values(element, place, key, default, count)
        if isinstance(values, tuple):
            kind, message = values
            self.forgive(kind, f"{place}@{key}", element, message, instead)
            return None
        return values

    def soft_origin(self, element: Element, place: str) -> tuple[list[float], list[float]]:
        """Translation [m] and roll, pitch, yaw [rad] of an element's `origin`; zeros if none."""
        zero = [0.0, 0.0, 0.0]
        origin = element.find("origin")
        if origin is None:
            return zero, zero
        xyz, rpy = (
            self.soft_vector(origin, f"{place}/origin", key, zero, "zeros are taken")
            for key in ("xyz", "rpy")
        )
        return xyz or zero, rpy or zero

    def soft_number(
        self, element: Element, place: str, key: str, default: float | None, instead: str
    ) -> float | None:
        """A number in an attribute; None and a note if there is none that can be used."""
        given = None if default is None else [default]
        values = self.soft_vector(element, place, key, given, instead, 1)
        return None if values is None else values[0]

    # ---------------------------------------------------------------- reading

    def _values(
        self, element: Element, place: str, key: str, default: list[float] | None, count: int
    ) -> list[float] | Fault:
        """Numbers of an attribute, or what is wrong with them."""
        text = element.get(key)
        if text is not None and not text.strip() and default is not None:
            self.remark("the attribute is empty, which stands for its default", f"{place}@{key}")
            text = None
        if text is None:
            if default is not None:
                return list(default)
            return MissingFieldError, "the attribute is missing"
        words = text.split()
        if count > 1 and ("," in text or ";" in text):
            words = text.replace(",", " ").replace(";", " ").split()
            if len(words) == count:
                self.remark("numbers are parted by commas, expected blanks", f"{place}@{key}")
        if len(words) > count > 1 and all(strict_number(word) == 0.0 for word in words[count:]):
            message = (
                f"found {short(text)}, expected {count} numbers; the zeros behind are left out"
            )
            self.remark(message, f"{place}@{key}")
            words = words[:count]
        if len(words) != count:
            wanted = "one number" if count == 1 else f"{count} numbers"
            return WrongTypeError, f"found {short(text)}, expected {wanted}"
        values = []
        for word in words:
            value = strict_number(word)
            if value is None and word[-1] in ".;f":
                value = strict_number(word[:-1])
                self.remark(f"{short(word)} is read without its last sign", f"{place}@{key}")
            if value is None:
                return WrongTypeError, f"found {short(word)}, expected a number"
            if not math.isfinite(value):
                return NotFiniteError, f"found {short(word)}, expected a finite number"
            values.append(value)
        return values


def strict_number(word: str) -> float | None:
    """A decimal number in ASCII digits; NaN or an infinity if it says so; None if neither."""
    if NUMBER.fullmatch(word) or NOT_A_NUMBER.fullmatch(word):
        return float(word)
    return None


def called(tag: str, element: Element) -> str:
    """An element's place: its tag and name."""
    name = element.get("name")
    return tag if name is None else f"{tag} {short(name)}"


def short(text: str) -> str:
    """Text in quotes, cut where it is long."""
    return repr(text if len(text) <= 80 else text[:77] + "...")
