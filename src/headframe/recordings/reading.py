"""Recordings read again, moment by moment, up to where they are cut off."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from mcap.data_stream import ReadDataStream
from mcap.exceptions import McapError
from mcap.opcode import Opcode
from mcap.records import Attachment, Channel, Header, McapRecord, Metadata
from numpy.typing import NDArray

from ..description import LARGEST_FILE, open_plain
from ..errors import RecordingError
from ..protocol import HEADER, MAGIC, older_size, renewed
from .about import RECORD, About, about_from
from .layout import frame_type
from .package import Package
from .records import CHUNK, CUT_OFF, MESSAGE, Chunk, Walk, chunk_times, inner, unpacked
from .records import MAGIC as MCAP
from .writing import STATE_TOPIC

BROKEN = (McapError, EOFError, struct.error, ValueError, OverflowError, MemoryError, KeyError)


class RecordedRun:
    """A recording that is open.

    Attributes:
        path: of its file.
        about: what it tells of itself.
        type: NumPy type of a frame; see `layout.frame_type`.
        end: why it ends where it ends, known after `frames` came to the end: empty if it is whole.
    """

    def __init__(self, path: Path, about: About) -> None:
        """Hold what `open_run` found."""
        self.path, self.about = path, about
        self.type = frame_type(about)
        self.end = ""

    @property
    def cut(self) -> bool:
        """Whether the file stops in the middle, or is damaged there."""
        return self.end != ""

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Every moment: nanoseconds since 1970-01-01 UTC, growing, and the frame as it was.

        Frames of an earlier version are made into those of this one.

        Raises:
            RecordingError: the file cannot be read any more.
        """
        with _opened(self.path) as file:
            walk = Walk(file)
            reader = _Frames(self.type.itemsize, self.about.frames)
            for record in walk:
                if record.opcode == Opcode.CHUNK:
                    chunk = unpacked(walk.content(record), walk.whole(record))
                elif record.opcode in (Opcode.CHANNEL, Opcode.MESSAGE) and walk.whole(record):
                    chunk = Chunk(_alone(record.opcode, walk.content(record)), "")
                else:
                    continue
                yield from reader.take(chunk)
                if reader.problem:
                    break
            self.end = reader.problem or walk.end

    def machine(self) -> Package:
        """The machine's files.

        Raises:
            RecordingError: one of them is missing, or damaged.
        """
        found: dict[str, bytes] = {}
        with _opened(self.path) as file:
            walk = Walk(file)
            for record in walk:
                if record.opcode != Opcode.ATTACHMENT or not walk.whole(record):
                    continue
                content = walk.content(record)
                attachment = _parsed(Attachment, content)
                if attachment is None or attachment.name not in self.about.files:
                    continue
                if zlib.crc32(content[:-4]) != int.from_bytes(content[-4:], "little"):
                    raise _wrong(self.path, f"its file {attachment.name!r} is damaged")
                if len(attachment.data) > LARGEST_FILE:
                    raise _wrong(self.path, f"its file {attachment.name!r} is too large")
                found[attachment.name] = attachment.data
                if len(found) == len(self.about.files):
                    break
        if missing := [name for name in self.about.files if name not in found]:
            raise _wrong(self.path, f"its machine lacks the file {missing[0]!r}")
        return Package(found)

    def read(self) -> tuple[NDArray[np.float64], NDArray[Any]]:
        """All moments at once: seconds since the first, (n,), and frames of `type`, (n,)."""
        times, frames = [], bytearray()
        for nanoseconds, frame in self.frames():
            times.append(nanoseconds)
            frames += frame
        since = 1e-9 * (np.array(times, np.int64) - times[0]).astype(np.float64)
        return since, np.frombuffer(bytes(frames), self.type)


class _Frames:
    """Finds the frames in chunks; `problem` says what came in the way."""

    def __init__(self, size: int, version: int) -> None:
        self.problem = ""
        self._version, self._size = version, older_size(size, version)
        self._channels, self._last = set[int](), -1

    def take(self, chunk: Chunk) -> Iterator[tuple[int, bytes]]:
        for opcode, content in inner(chunk.data):
            if opcode == Opcode.CHANNEL:
                channel = _parsed(Channel, bytes(content))
                if channel is not None and channel.topic == STATE_TOPIC:
                    self._channels.add(channel.id)
            elif opcode == Opcode.MESSAGE and len(content) >= MESSAGE.size:
                number, _, at, _ = MESSAGE.unpack_from(content)
                if number not in self._channels:
                    continue
                frame = bytes(content[MESSAGE.size :])
                self.problem = self._wrong(at, frame)
                if self.problem:
                    return
                self._last = at
                yield at, renewed(frame, self._version)
        self.problem = chunk.problem

    def _wrong(self, at: int, frame: bytes) -> str:
        if at <= self._last:
            return "time does not go on in it"
        if len(frame) != self._size or struct.unpack_from("<IH", frame) != (MAGIC, self._version):
            return "a moment in it is no frame of its machine"
        begin = older_size(HEADER, self._version)
        if not np.isfinite(np.frombuffer(frame, "<f4", offset=begin)).all():
            return "a moment in it has numbers that are not finite"
        return ""


def open_run(path: str | Path) -> RecordedRun:
    """Open a recording; its moments are read when they are asked for.

    Raises:
        RecordingError: no file, no MCAP, one of another program or of a newer Headframe, one
            without its machine or without a single moment.
    """
    path = Path(path)
    about = _about(path)
    run = RecordedRun(path, about)
    if next(run.frames(), None) is None:
        for _ in run.frames():  # lets `end` be known
            pass
        why = {"": "it holds no moment", CUT_OFF: "it is cut off before its first moment"}
        raise _wrong(path, why.get(run.end, f"it holds no moment: {run.end}"))
    return run


@dataclass(frozen=True)
class Glance:
    """What a look at a recording tells without unpacking it.

    Attributes:
        about: what it tells of itself.
        seconds: how long it is [s]; a chunk that is cut off does not count.
        cut: it stops in the middle.
    """

    about: About
    seconds: float
    cut: bool


def glance(path: str | Path) -> Glance:
    """Look at a recording; errors are those of `open_run`, but for a recording without moments."""
    path = Path(path)
    about = _about(path)
    first = last = None
    with _opened(path) as file:
        walk = Walk(file)
        for record in walk:
            if record.opcode == Opcode.CHUNK and walk.whole(record):
                file.seek(record.start)
                times = chunk_times(file.read(CHUNK.size))
                if times is not None:
                    first = times[0] if first is None else first
                    last = times[1]
    seconds = 0.0 if first is None or last is None else max(last - first, 0) * 1e-9
    return Glance(about, seconds, walk.end != "")


def _about(path: Path) -> About:
    """What a file tells of itself."""
    library = ""
    with _opened(path) as file:
        start = file.read(len(MCAP))
        if start != MCAP:
            if not start:
                raise _wrong(path, "the file is empty")
            if MCAP.startswith(start):
                raise _wrong(path, "it is cut off before its first moment")
            raise _wrong(path, f"found {start!r} at its start, expected an MCAP file")
        walk = Walk(file)
        for record in walk:
            if not walk.whole(record):
                break
            if record.opcode == Opcode.HEADER:
                header = _parsed(Header, walk.content(record))
                library = "" if header is None else header.library
            elif record.opcode == Opcode.METADATA:
                found = _parsed(Metadata, walk.content(record))
                if found is not None and found.name == RECORD:
                    try:
                        return about_from(found.metadata)
                    except RecordingError as error:
                        raise _wrong(path, str(error)) from None
    if walk.end == CUT_OFF and (not library or library.startswith("headframe")):
        raise _wrong(path, "it is cut off before its first moment")
    by = f" ({library[:60]!r})" if library else ""
    raise _wrong(path, f"an MCAP of another program{by}, expected a recording of Headframe")


def _opened(path: Path) -> IO[bytes]:
    try:
        return open_plain(path)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise _wrong(path, f"cannot be read: {reason}") from None


def _parsed(kind: type[McapRecord], content: bytes) -> Any:
    """A record of a kind; None for bytes that are none."""
    try:
        return kind.read(ReadDataStream(io.BytesIO(content)))  # type: ignore[attr-defined]
    except BROKEN:
        return None


def _alone(opcode: int, content: bytes) -> bytes:
    """A record as it stands in a chunk."""
    return struct.pack("<BQ", opcode, len(content)) + content


def _wrong(path: Path, text: str) -> RecordingError:
    return RecordingError(f"{path}: {text}")
