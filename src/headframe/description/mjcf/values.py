"""Values in the attributes of MJCF's elements, and the names that its elements get."""

from __future__ import annotations

from collections.abc import Collection
from xml.etree.ElementTree import Element

from ...errors import (
    DuplicateNameError,
    NameUnknownError,
    ValueRangeError,
    WrongTypeError,
    suggest,
)
from ..urdf_values import UrdfValues, short

LONGEST_NAME = 256


class PlacedElement(Element):
    """An element that knows its line, and its file if that is not the main one."""

    line: int | None = None
    file: str = ""


class MjcfValues(UrdfValues):
    """Reads attributes; keeps problems and notes. Names of included files stand in places."""

    def notes(self) -> list[str]:
        """What was left out or changed; elements without a say in the mechanism in one note."""
        ignored, self.ignored = self.ignored, type(self.ignored)()
        told = super().notes()
        self.ignored = ignored
        if ignored:
            counted = ", ".join(f"<{tag}> ({count})" for tag, count in sorted(ignored.items()))
            told.append(f"ignored: {counted}")
        return told

    def numbers(
        self, element: Element, place: str, key: str, least: int, most: int, instead: str = ""
    ) -> list[float] | None:
        """Numbers in an attribute, so many at least and at most; None if it is not there.

        What is wrong is a problem, or a note if `instead` says what is done about it.
        """
        text = element.get(key)
        if text is None or not text.strip():
            return None
        count = len(text.replace(",", " ").split())
        if least <= count <= most:
            if instead:
                return self.soft_vector(element, place, key, None, instead, count)
            return self.vector(element, place, key, None, count)
        wanted = f"{least}" if least == most else f"{least} to {most}"
        message = f"found {short(text)}, expected {wanted} number{'s' if most > 1 else ''}"
        if instead:
            self.forgive(WrongTypeError, f"{place}@{key}", element, message, instead)
        else:
            self.complain(WrongTypeError, f"{place}@{key}", element, message)
        return None

    def word(
        self, element: Element, place: str, key: str, default: str, choices: Collection[str]
    ) -> str:
        """One of a few words; another is a problem, and the default is taken."""
        text = element.get(key, default).strip()
        if text in choices:
            return text
        message = f"found {short(text)}, expected one of {', '.join(choices)}"
        hint = suggest(text, choices)
        hint = hint if hint.startswith("did") else ""
        self.complain(ValueRangeError, f"{place}@{key}", element, message, hint)
        return default

    def named(
        self, element: Element, place: str, key: str, choices: Collection[str], kind: str
    ) -> str | None:
        """The name of another element, which must be there; None if it is not given or not there.

        Looking for the nearest name takes time: a file full of errors gets no more hints.
        """
        name = element.get(key)
        if name is None or name in choices:
            return name
        hint = suggest(name, choices) if len(self.problems) < 20 else ""
        message = f"there is no {kind} {short(name)}"
        self.complain(NameUnknownError, f"{place}@{key}", element, message, hint)
        return None


class MjcfNames:
    """Names of links, joints and the rest: those of the file, and new ones that are not taken."""

    def __init__(self, values: MjcfValues) -> None:
        self.values = values
        self._taken: dict[str, set[str]] = {}
        self._next: dict[tuple[str, str], int] = {}  # number that the next of the same name gets

    def own(self, kind: str, element: Element, otherwise: str) -> str:
        """The name of an element, or one made for it; a name that is taken twice is a problem."""
        name = element.get("name", "")
        if not name:
            return self.new(kind, otherwise)
        if len(name) > LONGEST_NAME:
            return self.new(kind, name)
        if name in self._taken.setdefault(kind, set()):
            place = f"{element.tag} {short(name)}"
            message = f"the name is taken by an earlier {kind}"
            self.values.complain(DuplicateNameError, f"{place}@name", element, message)
            return self.new(kind, name)
        self._taken[kind].add(name)
        return name

    def new(self, kind: str, wanted: str) -> str:
        """A name that is not taken: the one that is wanted, or that with a number."""
        taken = self._taken.setdefault(kind, set())
        name, number = wanted[:LONGEST_NAME], self._next.get((kind, wanted), 2)
        while name in taken:
            end = f" {number}"
            name, number = wanted[: LONGEST_NAME - len(end)] + end, number + 1
        self._next[kind, wanted] = number
        taken.add(name)
        return name
