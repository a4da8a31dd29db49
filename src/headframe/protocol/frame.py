"""Frames: what moves, as packed little-endian numbers, sixty times a second.

A frame is a header of HEADER bytes, whose fields and places are in `FIELDS`, and then float32:

    poses      links x 7       in the world: position [m], unit quaternion (w, x, y, z)
    lengths    cylinders       [m]
    speeds     cylinders       [m/s]
    forces     cylinders       [N], each cylinder's share of its group
    motors     motors x 2      speed [rad/s], torque [N m]
    joints     joints          position [rad, m] of joints with one freedom
    energy     4               kinetic, potential with springs, drives' work, unaccounted [J]
"""

from __future__ import annotations

import struct
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
)
HEAD = struct.Struct("<" + "".join(kind for _, kind in FIELDS))
HEADER = HEAD.size
ENERGIES = 4
POSE = 7
MOTOR = 2


class Flags(IntFlag):
    """What a frame tells of the simulation's state."""

    PAUSED = 1
    EMERGENCY = 2
    DEAD = 4  # levers are dead
    DYNAMICS = 8
    TROUBLE = 16


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


def encode(frame: Frame) -> bytes:
    """A frame as bytes."""
    links, cylinders, motors = len(frame.poses), len(frame.lengths), len(frame.motors)
    head = HEAD.pack(
        MAGIC, VERSION, frame.flags, frame.number, frame.scene, frame.time, frame.oldest,
        frame.newest, frame.step_time, frame.tick_time, frame.overruns, links, cylinders, motors,
        len(frame.joints),
    )  # fmt: skip
    parts = (
        frame.poses, frame.lengths, frame.speeds, frame.forces, frame.motors, frame.joints,
        frame.energy,
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
        POSE * links, cylinders, cylinders, cylinders, MOTOR * motors, head["joints"], ENERGIES
    )  # fmt: skip
    if len(data) != HEADER + 4 * sum(sizes):
        raise ProtocolError(
            f"frame: found {len(data)} bytes, expected {HEADER + 4 * sum(sizes)} "
            f"for {links} links, {cylinders} cylinders, {motors} motors and {head['joints']} joints"
        )
    numbers = np.frombuffer(data, "<f4", offset=HEADER).astype(np.float64)
    ends = np.cumsum(sizes)[:-1]
    poses, lengths, speeds, forces, turns, joints, energy = np.split(numbers, ends)
    return Frame(
        head["number"], head["scene"], head["time"], head["oldest"], head["newest"], head["flags"],
        head["step_time"], head["tick_time"], head["overruns"],
        poses.reshape(links, POSE), lengths, speeds, forces, turns.reshape(motors, MOTOR),
        joints, energy,
    )  # fmt: skip
