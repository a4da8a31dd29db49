"""Files that an MJCF file includes: their elements stand in the place of `<include>`.

They are found as meshes are: in the main file's folder, or in the package that it lies in, and
nowhere else. MuJoCo lets a file be included once, so circles end at their second round.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import Element

from ...errors import (
    MissingFieldError,
    NestingError,
    NotReadableError,
    NotXmlError,
    Problem,
    TooManyElementsError,
)
from ..files import read_limited
from ..packages import Found, Library, Missing
from ..safe_xml import MOST_ELEMENTS, parse_forgiving
from ..urdf_values import short
from .values import Values

SUFFIXES = (".xml", ".mjcf")
DEEPEST = 500  # elements that lie in each other, as in MuJoCo
DEEPEST_INCLUDE = 16  # files that include each other
MOST_FILES = 200


class Includes:
    """Puts the elements of included files into the places where they are included."""

    def __init__(self, values: Values, library: Library | None) -> None:
        self.values, self.library = values, library
        self._seen: set[Path] = set()
        self._count = 0

    def expand(self, root: Element) -> None:
        """Replace every `<include>` below the root; what cannot be included is a problem."""
        self._count = sum(1 for _ in root.iter())
        waiting: list[tuple[Element, str, int]] = [(root, "", 0)]  # element, its file, its level
        while waiting:
            element, file, level = waiting.pop()
            children = []
            pending = deque((child, file, level) for child in element)
            while pending:
                child, inside, depth = pending.popleft()
                if child.tag == "include":
                    name, found = self._included(child, inside, depth)
                    pending.extendleft((new, name, depth + 1) for new in reversed(found))
                elif isinstance(child.tag, str):
                    children.append(child)
                    waiting.append((child, inside, depth))
            element[:] = children

    def _included(self, include: Element, file: str, level: int) -> tuple[str, list[Element]]:
        """Name of the file that is included, and its elements; none if there is something wrong."""
        place, name = "include", include.get("file")
        if name is None:
            message = "the attribute is missing"
            self.values.complain(MissingFieldError, f"{place}@file", include, message)
            return "", []
        place = f"include {short(name)}"
        if level >= DEEPEST_INCLUDE:
            message = f"files include each other more than {DEEPEST_INCLUDE} deep"
            self.values.complain(NestingError, place, include, message)
            return "", []
        found = self._find(name, file)
        if isinstance(found, Missing):
            self.values.complain(NotReadableError, place, include, found.reason)
            return "", []
        if found.file in self._seen:
            message = "the file is included a second time, or includes itself"
            self.values.complain(NestingError, place, include, message)
            return "", []
        self._seen.add(found.file)
        if len(self._seen) > MOST_FILES:
            message = f"more than {MOST_FILES} files are included"
            self.values.complain(TooManyElementsError, place, include, message)
            return "", []
        return found.path, self._elements(found, include, place)

    def _find(self, name: str, file: str) -> Found | Missing:
        """A file as seen from the main file, else as seen from the file that includes it."""
        if self.library is None:
            return Missing("there is no folder to look for it in")
        found = self.library.find(name, SUFFIXES)
        folder = PurePosixPath(file).parent
        if isinstance(found, Missing) and file and str(folder) != ".":
            beside = self.library.find((folder / name).as_posix(), SUFFIXES)
            return beside if isinstance(beside, Found) else found
        return found

    def _elements(self, found: Found, include: Element, place: str) -> list[Element]:
        data = read_limited(found.file)
        if isinstance(data, Problem):
            self.values.complain(data.kind, place, include, data.message)
            return []
        root, problems, _ = parse_forgiving(data, DEEPEST)
        if root is None:
            for problem in problems:
                where = "" if problem.line is None else f"line {problem.line}: "
                self.values.complain(
                    NotXmlError, place, include, where + problem.message, problem.hint
                )
            return []
        self._count += sum(1 for _ in root.iter())
        if self._count > MOST_ELEMENTS:
            message = f"more than {MOST_ELEMENTS} elements with what is included"
            self.values.complain(TooManyElementsError, place, include, message)
            return []
        for element in root.iter():
            element.file = found.path  # type: ignore[attr-defined]
        return [child for child in root if isinstance(child.tag, str)]
