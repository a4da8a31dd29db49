"""The folder that recordings are kept in: names that cannot lead out of it, nothing overwritten."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import IO

from ..errors import RecordingError
from .reading import Glance, glance

SUFFIX = ".mcap"
LONGEST = 120  # letters of a name
LONGEST_BYTES = 200
ODD = re.compile(r'[/\\:*?"<>|]')
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # of Windows
MOST = 1000  # recordings that are listed


def default_folder() -> Path:
    """`recordings` in the user's data.

    Raises:
        RecordingError: the user has no home.
    """
    data = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_DATA_HOME")
    try:
        root = Path(data) if data else Path.home() / ".local" / "share"
    except RuntimeError:
        raise RecordingError("there is no home folder to keep recordings in") from None
    return root / "headframe" / "recordings"


def default_name(machine: str, when: datetime) -> str:
    """A name for a new recording: the machine and the local time."""
    plain = ODD.sub("_", "".join(letter for letter in machine if letter.isprintable()))
    return f"{plain[:60].strip(' .') or 'run'} {when:%Y-%m-%d %H.%M.%S}"


def checked_name(name: str) -> str:
    """A name as it is used.

    Raises:
        RecordingError: it would not be a file's name on every system.
    """
    plain = unicodedata.normalize("NFC", name.strip())
    if plain.lower().endswith(SUFFIX):
        plain = plain[: -len(SUFFIX)].rstrip()
    wrong = ""
    if not plain:
        wrong = "expected at least one letter"
    elif len(plain) > LONGEST or len(plain.encode("utf-8", "replace")) > LONGEST_BYTES:
        wrong = f"expected at most {LONGEST} letters"
    elif not plain.isprintable() or ODD.search(plain):
        wrong = 'expected none of / \\ : * ? " < > | in it'
    elif plain[0] == "." or plain[-1] == ".":
        wrong = "expected no dot at its start or end"
    elif RESERVED.fullmatch(plain):
        wrong = "which some systems keep for themselves"
    if wrong:
        raise RecordingError(f"name: found {name[:100]!r}, {wrong}")
    return plain


@dataclass(frozen=True)
class Item:
    """A recording on the shelf.

    Attributes:
        name: of the recording.
        size: of its file [bytes].
        changed: when [s since 1970-01-01 UTC].
        glance: what a look tells; None where it cannot be opened.
        problem: why it cannot be opened.
        fixed: it lies elsewhere: it cannot be named anew or deleted.
    """

    name: str
    size: int
    changed: float
    glance: Glance | None
    problem: str
    fixed: bool = False


class Shelf:
    """Recordings of a folder, by name; and one that lies elsewhere, if there is one."""

    def __init__(self, folder: Path, first: Path | None = None) -> None:
        """Use a folder, which is made when something is put into it.

        Args:
            folder: where recordings are kept.
            first: a recording to look at first, in the folder or elsewhere.
        """
        self.folder, self._first = folder, first
        inside = first is not None and first.suffix == SUFFIX and _same(first.parent, folder)
        self._other = None if inside else first
        self._seen: dict[Path, tuple[tuple[int, int], Item]] = {}

    @property
    def first(self) -> str:
        """Name of the recording to look at first; empty if there is none, or no longer."""
        if self._first is None or self._other is not None:
            return self.other
        return self._first.stem if self._inside(self._first.stem).is_file() else ""

    @property
    def other(self) -> str:
        """Name of the recording that lies elsewhere; empty if there is none."""
        if self._other is None:
            return ""
        name = self._other.stem
        return f"{name} (opened)" if self._inside(name).exists() else name

    def _inside(self, name: str) -> Path:
        return self.folder / (name + SUFFIX)

    def path(self, name: str) -> Path:
        """The file of a recording.

        Raises:
            RecordingError: no recording has that name.
        """
        if self._other is not None and name == self.other:
            return self._other
        path = self._inside(checked_name(name))
        if path.is_symlink() or not path.is_file():
            raise RecordingError(f"there is no recording {name[:100]!r}")
        return path

    def create(self, name: str) -> tuple[str, IO[bytes]]:
        """A new file for a recording, and the name that it got.

        Raises:
            RecordingError: the name is taken or not possible, or nothing can be written.
        """
        plain = checked_name(name)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            return plain, self._inside(plain).open("xb")
        except FileExistsError:
            raise RecordingError(f"there is a recording {plain!r} already") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "the folder cannot be used"
            raise RecordingError(f"recordings cannot be kept: {reason.lower()}") from None

    def rename(self, name: str, to: str) -> str:
        """Give a recording another name, which nobody has; the name that it got.

        Raises:
            RecordingError: no such recording, or the new name is taken or not possible.
        """
        path = self._own(name)
        if checked_name(to) == checked_name(name):
            return checked_name(to)
        plain, file = self.create(to)  # takes the name, so that nobody else does meanwhile
        file.close()
        try:
            path.replace(self._inside(plain))
        except OSError as error:
            self._inside(plain).unlink(missing_ok=True)
            raise RecordingError(f"{name!r} cannot be named anew: {error.strerror}") from None
        return plain

    def delete(self, name: str) -> None:
        """Delete a recording.

        Raises:
            RecordingError: no such recording, or it cannot be deleted.
        """
        try:
            self._own(name).unlink()
        except OSError as error:
            raise RecordingError(f"{name!r} cannot be deleted: {error.strerror}") from None

    def _own(self, name: str) -> Path:
        if self._other is not None and name == self.other:
            raise RecordingError(f"{name!r} was opened from elsewhere: it stays as it is")
        return self.path(name)

    def items(self, without: Collection[str] = ()) -> list[Item]:
        """All recordings but some, the newest first."""
        try:
            paths = [
                path
                for path in self.folder.iterdir()
                if path.suffix == SUFFIX and path.is_file() and not path.is_symlink()
            ]
        except OSError:
            paths = []
        found = [self._item(path, path.stem, False) for path in paths if path.stem not in without]
        if self._other is not None:
            found.append(self._item(self._other, self.other, True))
        there = [item for item in found if item is not None]
        return sorted(there, key=lambda item: (-item.changed, item.name))[:MOST]

    def _item(self, path: Path, name: str, fixed: bool) -> Item | None:
        try:
            facts = path.stat()
        except OSError:  # deleted meanwhile
            return None
        key = facts.st_mtime_ns, facts.st_size
        seen = self._seen.get(path)
        if seen is not None and seen[0] == key:
            return replace(seen[1], name=name)
        looked, problem = None, ""
        try:
            looked = glance(path)
        except RecordingError as error:
            problem = without_path(error, path)
        item = Item(name, facts.st_size, facts.st_mtime, looked, problem, fixed)
        self._seen[path] = key, item
        return item


def _same(one: Path, other: Path) -> bool:
    """Whether two paths are one folder, however they are written."""
    try:
        return one.resolve() == other.resolve()
    except (OSError, RuntimeError):
        return False


def without_path(error: RecordingError, path: Path) -> str:
    """What an error says, without telling where the file lies."""
    return str(error).removeprefix(f"{path}: ")
