"""Frames: what moves, as packed little-endian numbers, sixty times a second.

A frame is a header of HEADER bytes, whose fields and places are in `FIELDS`, and then float32:

    poses      links x 7       in the world: position [m], unit quaternion (w, x, y, z)
    lengths    cylinders       [m]
    speeds     cylinders       [m/s]
    forces     cylinders       [N], each cylinder's share of its group
    motors     motors x 2      speed [rad/s], torque [N m]
    joints     joints          position [rad, m] of joints with one freedom
    energy     4               kinetic, potential with springs, drives' work, unaccounted [J]
    crowd      as told         other units of the scene, in batches

Everything before the crowd is of one unit, number `unit` of the scene: the first that is selected.
The crowd has the units that moved, and a few others in turn, so that a page that came late or lost
a frame soon has them all. A batch is the number of its units and of their links, then the units'
numbers, then links x 7 for each unit. Poses are absolute: the newest frame says it all. A scene
with one unit has no crowd.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntFlag

import numpy as np
from numpy.typing import NDArray

from ..errors import ProtocolError
from .version import VERSION

Floats = NDArray[np.float64]
MAGIC = 0x4D524648  # "HFRM"
# name and kind (as `struct` has them) of the header's fields, in their order
FIELDS = (
    ("magic", "I"),
    ("version", "H"),
    ("flags", "H"),
    ("number", "I"),
    ("scene", "I"),
    ("time", "d"),
    ("oldest", "d"),
    ("newest", "d"),
    ("step_time", "f"),  # computing time of a substep [s]
    ("tick_time", "f"),  # computing time of the whole tick [s]
    ("overruns", "I"),
    ("links", "H"),
    ("cylinders", "H"),
    ("motors", "H"),
    ("joints", "H"),
    ("unit", "I"),  # number of the unit that poses, lengths and so on are of
    ("crowd", "I"),  # numbers (float32) in the section `crowd`
)
HEAD = struct.Struct("<" + "".join(kind for _, kind in FIELDS))
HEADER = HEAD.size
CROWD = struct.Struct("<I")  # the last field
ENERGIES = 4
POSE = 7
MOTOR = 2
BATCH = 2  # numbers before those of a batch of units


class Flags(IntFlag):
    """What a frame tells of the simulation's state."""

    PAUSED = 1
    EMERGENCY = 2
    DEAD = 4  # levers are dead
    DYNAMICS = 8
    TROUBLE = 16


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
    """One frame, as numbers. Shapes: see the module."""

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


def encode(frame: Frame) -> bytes:
    """A frame as bytes."""
    links, cylinders, motors = len(frame.poses), len(frame.lengths), len(frame.motors)
    crowd = [units.pack() for units in frame.crowd]
    head = HEAD.pack(
        MAGIC, VERSION, frame.flags, frame.number, frame.scene, frame.time, frame.oldest,
        frame.newest, frame.step_time, frame.tick_time, frame.overruns, links, cylinders, motors,
        len(frame.joints), frame.unit, sum(map(len, crowd)),
    )  # fmt: skip
    parts = (
        frame.poses, frame.lengths, frame.speeds, frame.forces, frame.motors, frame.joints,
        frame.energy, *crowd,
    )  # fmt: skip
    return head + np.concatenate([part.ravel() for part in parts]).astype("<f4").tobytes()


def decode(data: bytes) -> Frame:
    """The frame in these bytes; for programs that read the socket.

    Raises:
        ProtocolError: no frame, one of another version, or one that is cut off.
    """
    if len(data) < HEADER:
        raise ProtocolError(f"frame: found {len(data)} bytes, expected at least {HEADER}")
    head = dict(zip((name for name, _ in FIELDS), HEAD.unpack_from(data), strict=True))
    if head["magic"] != MAGIC:
        raise ProtocolError("frame: found bytes that do not begin like a frame")
    if head["version"] != VERSION:
        raise ProtocolError(f"frame: found version {head['version']}, expected {VERSION}")
    links, cylinders, motors = head["links"], head["cylinders"], head["motors"]
    sizes = (
        POSE * links, cylinders, cylinders, cylinders, MOTOR * motors, head["joints"], ENERGIES,
        head["crowd"],
    )  # fmt: skip
    if len(data) != HEADER + 4 * sum(sizes):
        raise ProtocolError(
            f"frame: found {len(data)} bytes, expected {HEADER + 4 * sum(sizes)} "
            f"for {links} links, {cylinders} cylinders, {motors} motors, {head['joints']} joints "
            f"and {head['crowd']} numbers of other units"
        )
    numbers = np.frombuffer(data, "<f4", offset=HEADER).astype(np.float64)
    ends = np.cumsum(sizes)[:-1]
    poses, lengths, speeds, forces, turns, joints, energy, crowd = np.split(numbers, ends)
    return Frame(
        head["number"], head["scene"], head["time"], head["oldest"], head["newest"], head["flags"],
        head["step_time"], head["tick_time"], head["overruns"],
        poses.reshape(links, POSE), lengths, speeds, forces, turns.reshape(motors, MOTOR),
        joints, energy, head["unit"], tuple(_batches(crowd)),
    )  # fmt: skip


def unit_of(data: bytes) -> int:
    """Number of the unit that is driven in a frame's bytes."""
    *_, unit, _ = HEAD.unpack_from(data)
    return int(unit)


def without_crowd(data: bytes) -> bytes:
    """A frame's bytes with the driven unit alone."""
    *_, numbers = HEAD.unpack_from(data)
    if not numbers:
        return data
    return data[: HEADER - CROWD.size] + CROWD.pack(0) + data[HEADER : len(data) - 4 * numbers]


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
