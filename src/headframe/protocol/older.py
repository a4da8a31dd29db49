"""Frames of earlier versions of the protocol, made into those of this one; for recordings."""

from __future__ import annotations

import struct

from .frame_layout import HEADER, HEADER_FIELDS
from .version import VERSION

OLDEST = 2  # version whose frames can still be read
VERSION_AT = HEADER_FIELDS[0].size  # bytes before the version
CROWD_SIZE = HEADER_FIELDS[-1].size
ADDED = struct.calcsize("<HH")  # bytes of the counts of bodies and contacts, which version 3 added


def older_size(size: int, version: int) -> int:
    """Bytes that a frame without bodies and contacts had in an earlier version."""
    return size if version == VERSION else size - ADDED


def renewed(data: bytes, version: int) -> bytes:
    """A frame of an earlier version as one of this: with no bodies and no contacts."""
    if version == VERSION:
        return data
    begin = HEADER - ADDED - CROWD_SIZE  # of the crowd's count, in version 2
    head = bytearray(data[:begin])
    struct.pack_into("<H", head, VERSION_AT, VERSION)
    return bytes(head) + bytes(ADDED) + data[begin:]
