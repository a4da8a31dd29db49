"""Files that an MJCF file includes: their elements stand in the place of `<include>`.

They are found as meshes are: in the main file's folder, or in the package that it lies in, and
nowhere else. MuJoCo lets a file be included once, so a circle is told where it closes.
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
from .values import MjcfValues

SUFFIXES = (".xml", ".mjcf")
DEEPEST = 500  # elements that lie in each other, as in MuJoCo
DEEPEST_INCLUDE = 16  # files that include each other
MOST_FILES = 200

Chain = tuple[tuple[str, Path], ...]  # files that include each other, the main one first


class Includes:
    """Puts the elements of included files into the places where they are included."""

    def __init__(self, values: MjcfValues, library: Library | None) -> None:
        self.values, self.library = values, library
        main = None if library is None else library.file
        self._seen: set[Path] = set() if main is None else {main}
        self._top: Chain = () if main is None else ((main.name, main),)
        self._count = 0

    def expand(self, root: Element) -> None:
        """Replace every `<include>` below the root; what cannot be included is a problem."""
        self._count = sum(1 for _ in root.iter())
        waiting = [(root, self._top)]
        while waiting:
            element, chain = waiting.pop()
            children = []
            pending = deque((child, chain) for child in element)
            while pending:
                child, inside = pending.popleft()
                if child.tag == "include":
                    below, found = self._included(child, inside)
                    pending.extendleft((new, below) for new in reversed(found))
                elif isinstance(child.tag, str):
                    children.append(child)
                    waiting.append((child, inside))
            element[:] = children

    def _included(self, include: Element, chain: Chain) -> tuple[Chain, list[Element]]:
        """The chain down to the file that is included, and its elements; none if it cannot be."""
        place, name = "include", include.get("file")
        if name is None:
            message = "the attribute is missing"
            self.values.complain(MissingFieldError, f"{place}@file", include, message)
            return chain, []
        place = f"include {short(name)}"
        if len(chain) - len(self._top) >= DEEPEST_INCLUDE:
            message = f"files include each other more than {DEEPEST_INCLUDE} deep"
            self.values.complain(NestingError, place, include, message)
            return chain, []
        found = self._find(name, chain)
        if isinstance(found, Missing):
            self.values.complain(NotReadableError, place, include, found.reason)
            return chain, []
        below = (*chain, (found.path, found.file))
        if found.file in self._seen:
            files = [file for _, file in chain]
            message = "the file is included a second time, expected once"
            if found.file in files:
                circle = below[files.index(found.file) :]
                listed = " > ".join(short(part) for part, _ in circle)
                message = f"the file includes itself: {listed}"
            self.values.complain(NestingError, place, include, message)
            return chain, []
        self._seen.add(found.file)
        if len(self._seen) - len(self._top) > MOST_FILES:
            message = f"more than {MOST_FILES} files are included"
            self.values.complain(TooManyElementsError, place, include, message)
            return chain, []
        return below, self._elements(found, include, place)

    def _find(self, name: str, chain: Chain) -> Found | Missing:
        """A file as seen from the main file, else as seen from the file that includes it."""
        if self.library is None:
            return Missing("there is no folder to look for it in")
        found = self.library.find(name, SUFFIXES)
        folder = PurePosixPath(chain[-1][0] if chain else "").parent
        if isinstance(found, Missing) and str(folder) != ".":
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
