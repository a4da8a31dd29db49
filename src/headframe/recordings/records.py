"""The records of an MCAP file, one after the other, as far as they go.

A file may end anywhere, and what it claims may be wrong: no size that it tells is believed before
it is compared with what there is. A walk over the records never raises for that. It stops, and
`end` says why.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

import lz4.frame
import zstandard
from mcap.opcode import Opcode

MAGIC = b"\x89MCAP0\r\n"
HEAD = struct.Struct("<BQ")  # opcode and length of a record
CHUNK = struct.Struct("<QQQII")  # a chunk: first and last moment, size, checksum, letters of a name
MESSAGE = struct.Struct("<HIQQ")  # channel, number, log time, publish time
LARGEST_RECORD = 128 * 2**20  # bytes of a record that are read
LARGEST_CHUNK = 64 * 2**20  # bytes of a chunk, unpacked
LONGEST_NAME = 16  # letters of a compression's name
CUT_OFF = "cut off"  # `end` of a file that stops in the middle


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was found: its opcode, and where its content lies; `size` as it claims."""

    opcode: int
    start: int
    size: int


class Walk:
    """Goes over the records of a file.

    Attributes:
        end: after the walk: empty if the file was whole, `CUT_OFF`, or what is damaged.
        size: bytes of the file.
    """

    def __init__(self, file: IO[bytes], start: int = len(MAGIC)) -> None:
        """Begin at a record."""
        self._file, self._at = file, start
        self.size = file.seek(0, os.SEEK_END)
        self.end = CUT_OFF

    def __iter__(self) -> Iterator[Record]:
        """All records; the last one may be cut off: it claims to be longer than the file."""
        while self._at + HEAD.size <= self.size:
            self._file.seek(self._at)
            opcode, size = HEAD.unpack(self._file.read(HEAD.size))
            start = self._at + HEAD.size
            yield Record(opcode, start, size)
            self._at = start + size
            if opcode == Opcode.FOOTER:
                self._file.seek(min(self._at, self.size))
                self.end = "" if self._file.read(len(MAGIC)) == MAGIC else CUT_OFF
                return

    def whole(self, record: Record) -> bool:
        """Whether all of a record is there."""
        return record.start + record.size <= self.size

    def content(self, record: Record) -> bytes:
        """What there is of a record, at most `LARGEST_RECORD` bytes."""
        self._file.seek(record.start)
        return self._file.read(min(record.size, self.size - record.start, LARGEST_RECORD))


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is in a chunk, unpacked, as far as it could be; `problem` if that is not all."""

    data: bytes
    problem: str


def chunk_times(content: bytes) -> tuple[int, int] | None:
    """First and last moment in a chunk [ns], from its first bytes; None if they do not reach."""
    if len(content) < CHUNK.size:
        return None
    first, last, *_ = CHUNK.unpack_from(content)
    return first, last


def unpacked(content: bytes, whole: bool) -> Chunk:
    """A chunk's records; of one that is cut off as much as can be unpacked."""
    if len(content) < CHUNK.size:
        return Chunk(b"", CUT_OFF)
    _, _, size, checksum, letters = CHUNK.unpack_from(content)
    at = CHUNK.size + letters + 8
    if letters > LONGEST_NAME:
        return Chunk(b"", "a chunk has no compression that is known")
    if len(content) < at:
        return Chunk(b"", CUT_OFF)
    name = content[CHUNK.size : CHUNK.size + letters]
    if size > LARGEST_CHUNK:
        return Chunk(b"", f"a chunk claims {size / 2**20:.0f} MiB")
    data = _decompressed(name, content[at:], size)
    if data is None:
        return Chunk(b"", "a chunk cannot be unpacked")
    if not whole:
        return Chunk(data, CUT_OFF)
    if len(data) != size or (checksum and zlib.crc32(data) != checksum):
        return Chunk(b"", "a chunk has another checksum than it should")
    return Chunk(data, "")


def _decompressed(name: bytes, packed: bytes, size: int) -> bytes | None:
    """At most `size` + 1 bytes of what was compressed; None for what cannot be unpacked."""
    try:
        if name == b"zstd":
            with zstandard.ZstdDecompressor().stream_reader(packed) as stream:
                return stream.read(size + 1)
        if name == b"lz4":
            plain = lz4.frame.LZ4FrameDecompressor().decompress(packed, max_length=size + 1)
            return bytes(plain)
    except (zstandard.ZstdError, RuntimeError, EOFError):
        return None
    return packed[: size + 1] if name == b"" else None


def inner(data: bytes) -> Iterator[tuple[int, memoryview]]:
    """Opcode and content of the whole records in a chunk."""
    at, view = 0, memoryview(data)
    while at + HEAD.size <= len(data):
        opcode, size = HEAD.unpack_from(data, at)
        at += HEAD.size
        if at + size > len(data):
            return
        yield opcode, view[at : at + size]
        at += size
