"""Frames: what moves, as packed little-endian numbers, sixty times a second.

`frame_layout` says how the bytes lie. Everything before the crowd is of one unit, number `unit` of
the scene: the first that is selected. The crowd has the units that moved, and a few others in turn,
so that a page that came late or lost a frame soon has them all. A batch of it is the number of its
units and of their links, then the units' numbers, then links x 7 for each unit. Poses are absolute:
the newest frame says it all. A scene with one unit has no crowd.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ProtocolError
from . import frame_layout
from .frame_layout import (
    BODIES,
    CONTACTS,
    CROWD,
    ELEMENT_BYTES,
    HEAD,
    HEADER,
    HEADER_FIELDS,
    MAGIC,
    POSES,
    SECTIONS,
    STRONGEST,
)
from .version import VERSION

Floats = NDArray[np.float64]
NUMBERS = "<f4"
BATCH = len(frame_layout.BATCH)
POSE = POSES.width
COUNTS = {section.rows for section in SECTIONS}  # fields that say how long sections are


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Units of a scene with equally many links.

    Attributes:
        numbers: which ones, (n,).
        poses: of their links, (n, links, POSE).
    """

    numbers: NDArray[np.int64]
    poses: Floats

    def pack(self) -> NDArray[np.float64]:
        """As a batch of the crowd."""
        count, links = self.poses.shape[:2]
        return np.concatenate([(count, links), self.numbers, self.poses.ravel()])


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame, as numbers. Shapes: see `frame_layout.SECTIONS`."""

    number: int
    scene: int
    time: float
    oldest: float
    newest: float
    flags: int
    step_time: float
    tick_time: float
    overruns: int
    poses: Floats
    lengths: Floats
    speeds: Floats
    forces: Floats
    motors: Floats
    joints: Floats
    energy: Floats
    unit: int = 0
    crowd: tuple[Units, ...] = ()
    bodies: Floats = field(default_factory=lambda: np.zeros((0, BODIES.width)))
    contacts: Floats = field(default_factory=lambda: np.zeros((0, CONTACTS.width)))


def encode(frame: Frame) -> bytes:
    """A frame as bytes."""
    crowd = [units.pack() for units in frame.crowd]
    counts = {
        "magic": MAGIC,
        "version": VERSION,
        "links": len(frame.poses),
        "cylinders": len(frame.lengths),
        "motors": len(frame.motors),
        "joints": len(frame.joints),
        "bodies": len(frame.bodies),
        "contacts": len(frame.contacts),
        "crowd": sum(map(len, crowd)),
    }
    head = (
        counts[each.name] if each.name in counts else getattr(frame, each.name)
        for each in HEADER_FIELDS
    )
    tables = [getattr(frame, section.name).ravel() for section in SECTIONS if section is not CROWD]
    return HEAD.pack(*head) + np.concatenate([*tables, *crowd]).astype(NUMBERS).tobytes()


def decode(data: bytes) -> Frame:
    """The frame in these bytes; for programs that read the socket.

    Raises:
        ProtocolError: no frame, one of another version, or one that is cut off.
    """
    if len(data) < HEADER:
        raise ProtocolError(f"frame: found {len(data)} bytes, expected at least {HEADER}")
    head = header_of(data)
    if head.pop("magic") != MAGIC:
        raise ProtocolError("frame: found bytes that do not begin like a frame")
    if (version := head.pop("version")) != VERSION:
        raise ProtocolError(f"frame: found version {version}, expected {VERSION}")
    sizes = [section.count(head) for section in SECTIONS]
    whole = HEADER + ELEMENT_BYTES * sum(sizes)
    if len(data) != whole:
        raise ProtocolError(
            f"frame: found {len(data)} bytes, expected {whole} for {head['links']} links, "
            f"{head['cylinders']} cylinders, {head['motors']} motors, {head['joints']} joints, "
            f"{head['bodies']} bodies, {head['contacts']} contacts and {head['crowd']} numbers of "
            "other units"
        )
    numbers = np.frombuffer(data, NUMBERS, offset=HEADER).astype(np.float64)
    parts = np.split(numbers, np.cumsum(sizes)[:-1])
    tables: dict[str, Any] = {
        section.name: part.reshape(section.shape(head))
        for section, part in zip(SECTIONS, parts, strict=True)
    }
    crowd = tuple(_batches(tables.pop("crowd")))
    known = {name: value for name, value in head.items() if name not in COUNTS}
    return Frame(**known, **tables, crowd=crowd)


def header_of(data: bytes) -> dict[str, Any]:
    """Fields of the header of a frame's bytes, by name."""
    names = (each.name for each in HEADER_FIELDS)
    return dict(zip(names, HEAD.unpack_from(data), strict=True))


def bodies_of(data: bytes) -> NDArray[np.float32]:
    """The bodies in a frame's bytes, (n, BODIES.width)."""
    head = header_of(data)
    before = sum(section.count(head) for section in SECTIONS[: SECTIONS.index(BODIES)])
    numbers = np.frombuffer(
        data, NUMBERS, BODIES.count(head), offset=HEADER + ELEMENT_BYTES * before
    )
    return numbers.reshape(-1, BODIES.width)


def whole(data: bytes, bodies: NDArray[np.float32]) -> bytes:
    """A frame's bytes with all bodies, (n, BODIES.width), room for all contacts, and no crowd."""
    head = header_of(data)
    kept = SECTIONS[: SECTIONS.index(BODIES)]
    end = HEADER + ELEMENT_BYTES * sum(section.count(head) for section in kept)
    begin = end + ELEMENT_BYTES * BODIES.count(head)
    contacts = data[begin : begin + ELEMENT_BYTES * CONTACTS.count(head)]
    room = ELEMENT_BYTES * STRONGEST * CONTACTS.width
    head |= {"bodies": len(bodies), "contacts": STRONGEST, "crowd": 0}
    return b"".join(
        (
            HEAD.pack(*head.values()),
            data[HEADER:end],
            bodies.astype(NUMBERS).tobytes(),
            contacts.ljust(room, b"\0"),
        )
    )


def _batches(numbers: Floats) -> Iterator[Units]:
    """The batches of a crowd; ProtocolError where one is cut off."""
    at = 0
    while at < len(numbers):
        head = numbers[at : at + BATCH]
        sound = len(head) == BATCH and ((head >= 0) & (head < np.inf)).all()
        count, links = map(int, head) if sound else (-1, 0)
        end = at + BATCH + count * (1 + POSE * links)
        if count < 0 or end > len(numbers):
            raise ProtocolError("frame: found a crowd that is cut off")
        body = numbers[at + BATCH : end]
        yield Units(body[:count].astype(np.int64), body[count:].reshape(count, links, POSE))
        at = end
