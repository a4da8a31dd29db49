"""How the bytes of a frame lie: the one declaration that both sides and the documentation read.

A frame is a header, whose fields are `HEADER_FIELDS`, and then the `SECTIONS`, one after the other.
All of it is little-endian and packed. A section is a table of float32: a row for each link,
cylinder, motor or joint, as many as a field of the header says.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntFlag

MAGIC = 0x4D524648  # "HFRM"
ELEMENT = "float32"  # of every section
ELEMENT_BYTES = 4
STRONGEST = 64  # contacts in a frame
LETTERS = {"uint16": "H", "uint32": "I", "float32": "f", "float64": "d"}  # as `struct` has them


class Flags(IntFlag):
    """What a frame tells of the simulation's state."""

    PAUSED = 1
    EMERGENCY = 2
    DEAD = 4  # levers are dead
    DYNAMICS = 8
    TROUBLE = 16


@dataclass(frozen=True, slots=True)
class HeaderField:
    """A number of the header: its kind, one of `LETTERS`, what it is, and its unit if any."""

    name: str
    kind: str
    text: str
    unit: str = ""

    @property
    def letter(self) -> str:
        """Its kind as `struct` has it."""
        return LETTERS[self.kind]

    @property
    def size(self) -> int:
        """In bytes."""
        return struct.calcsize("<" + self.letter)


@dataclass(frozen=True, slots=True)
class SectionColumn:
    """A number of a section's rows, with its unit; empty if it has none, or if rows differ."""

    name: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class FrameSection:
    """A table of numbers after the header.

    Attributes:
        name: of the section.
        rows: field of the header that says how many rows it has; empty if it has one.
        columns: of each row.
        text: what it is.
    """

    name: str
    rows: str
    columns: tuple[SectionColumn, ...]
    text: str

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        return len(self.columns)

    def shape(self, header: Mapping[str, int]) -> tuple[int, ...]:
        """Rows and columns in a frame with this header; one row, or one column, is no axis."""
        rows = (header[self.rows],) if self.rows else ()
        return (*rows, self.width) if self.width > 1 else rows

    def count(self, header: Mapping[str, int]) -> int:
        """How many numbers it has in a frame with this header."""
        return math.prod(self.shape(header))


def _columns(*names: str, unit: str = "") -> tuple[SectionColumn, ...]:
    return tuple(SectionColumn(name, unit) for name in names)


HEADER_FIELDS = (
    HeaderField("magic", "uint32", f'the letters "HFRM"; as a number 0x{MAGIC:08X}'),
    HeaderField("version", "uint16", "of the protocol"),
    HeaderField(
        "flags",
        "uint16",
        "sum of " + ", ".join(f"{flag.value} {str(flag.name).lower()}" for flag in Flags),
    ),
    HeaderField("number", "uint32", "counts frames"),
    HeaderField(
        "scene", "uint32", "number of the scene that it belongs to, as in the message `scene`"
    ),
    HeaderField("time", "float64", "simulated", "s"),
    HeaderField("oldest", "float64", "earliest moment that can be gone back to", "s"),
    HeaderField("newest", "float64", "latest moment that can be come back to", "s"),
    HeaderField("step_time", "float32", "computing time of a substep", "s"),
    HeaderField("tick_time", "float32", "computing time of the whole tick", "s"),
    HeaderField("overruns", "uint32", "ticks whose debt was dropped"),
    HeaderField("links", "uint16", "how many links the poses are of"),
    HeaderField("cylinders", "uint16", "how many cylinders"),
    HeaderField("motors", "uint16", "how many motors"),
    HeaderField("joints", "uint16", "how many joints with one freedom"),
    HeaderField("unit", "uint32", "number of the unit that all is about; 0 where there is one"),
    HeaderField("bodies", "uint16", "how many loose bodies are told of"),
    HeaderField("contacts", "uint16", f"how many contacts are told, at most {STRONGEST}"),
    HeaderField("crowd", "uint32", "how many float32 the last section has"),
)
POSES = FrameSection(
    "poses",
    "links",
    _columns("x", "y", "z", unit="m") + _columns("qw", "qx", "qy", "qz"),
    "in the world: position x, y, z [m], then the unit quaternion w, x, y, z; in the order of "
    "`scene.machine.links`",
)
MOTORS = FrameSection(
    "motors",
    "motors",
    (SectionColumn("speed", "rad/s"), SectionColumn("torque", "N m")),
    "speed [rad/s] and torque [N m] of each, in the order of `scene.machine.motors`",
)
ENERGY = FrameSection(
    "energy",
    "",
    _columns("kinetic", "potential", "drives", "unaccounted", unit="J"),
    "kinetic, potential with springs, work of the drives, unaccounted [J]",
)
BODIES = FrameSection(
    "bodies",
    "bodies",
    (SectionColumn("number"), *POSES.columns),
    "loose bodies that moved, and a few others in turn: position in `scene.things`, then where it "
    "is in the world, as in `poses`",
)
CONTACTS = FrameSection(
    "contacts",
    "contacts",
    _columns("x", "y", "z", unit="m")
    + _columns("nx", "ny", "nz")
    + _columns("fx", "fy", "fz", unit="N")
    + _columns("sticking", "a", "b"),
    "what touches, the strongest first: point [m], unit normal from b to a, force of b on a [N], "
    "all in the world; 1 where friction holds it and 0 where it slides; positions of both in "
    "`scene.members`",
)
CROWD = FrameSection("crowd", "crowd", _columns("number"), "other units of the scene, in batches")
SECTIONS = (
    POSES,
    FrameSection(
        "lengths",
        "cylinders",
        _columns("length", unit="m"),
        "[m], in the order of `scene.machine.cylinders`",
    ),
    FrameSection("speeds", "cylinders", _columns("speed", unit="m/s"), "[m/s]"),
    FrameSection(
        "forces",
        "cylinders",
        _columns("force", unit="N"),
        "[N], each cylinder's share of its group",
    ),
    MOTORS,
    FrameSection(
        "joints",
        "joints",
        _columns("position"),
        "position [rad or m], in the order of `scene.machine.joints`",
    ),
    ENERGY,
    BODIES,
    CONTACTS,
    CROWD,
)
BATCH = _columns("units", "links")  # numbers before those of a batch of the crowd
HEAD = struct.Struct("<" + "".join(field.letter for field in HEADER_FIELDS))
HEADER = HEAD.size  # bytes of the header
