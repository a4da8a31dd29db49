"""Recordings that pages look at: their frames in a plain file, to be read from anywhere."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import RecordingError
from ..recordings import About, Shelf, open_run, without_path

KEPT = 4  # films
MOST_BYTES = 4 * 2**30  # of a film, unpacked
TOO_LONG = "it is too long to be shown whole"


@dataclass(frozen=True, eq=False)
class Film:
    """A recording, unpacked.

    Attributes:
        about: what it tells of itself.
        times: seconds since its start, (n,).
        size: bytes of a frame.
        end: why it ends where it ends; empty if it is whole.
    """

    about: About
    times: NDArray[np.float64]
    size: int
    end: str
    path: Path

    def frames(self, first: int, count: int) -> bytes:
        """Frames one after the other."""
        with self.path.open("rb") as file:
            file.seek(first * self.size)
            return file.read(count * self.size)


class Films:
    """Unpacks recordings when they are first looked at, and keeps the last ones."""

    def __init__(self, shelf: Shelf, folder: Path) -> None:
        """Take recordings from a shelf; unpack them into a folder."""
        self._shelf, self._folder = shelf, folder
        self._lock = threading.Lock()
        self._films: OrderedDict[tuple[Path, int, int], Film] = OrderedDict()

    def open(self, name: str) -> Film:
        """A recording's film.

        Raises:
            RecordingError: there is no such recording, or it cannot be opened.
        """
        path = self._shelf.path(name)
        with self._lock:
            try:
                facts = path.stat()
                key = path, facts.st_mtime_ns, facts.st_size
                if key not in self._films:
                    self._films[key] = self._unpacked(path)
            except RecordingError as error:
                raise RecordingError(without_path(error, path)) from None
            except OSError as error:
                raise RecordingError(f"it cannot be unpacked: {error.strerror}") from None
            self._films.move_to_end(key)
            while len(self._films) > KEPT:
                self._films.popitem(last=False)[1].path.unlink(missing_ok=True)
            return self._films[key]

    def _unpacked(self, path: Path) -> Film:
        run = open_run(path)
        times: list[int] = []
        plain = self._folder / f"{secrets.token_hex(8)}.frames"
        try:
            with plain.open("xb") as file:
                for at, frame in run.frames():
                    if (len(times) + 1) * len(frame) > MOST_BYTES:
                        run.end = TOO_LONG
                        break
                    times.append(at)
                    file.write(frame)
        except BaseException:
            plain.unlink(missing_ok=True)
            raise
        since = 1e-9 * (np.array(times, np.int64) - times[0]).astype(np.float64)
        return Film(run.about, since, run.type.itemsize, run.end, plain)
