"""What a page and the server say to each other: messages, frames, and their TypeScript types."""

from .codec import LARGEST_MESSAGE, read, unhandled, write
from .frame import POSE, Frame, Units, decode, encode, unit_of, without_crowd
from .frame_layout import (
    CROWD,
    ELEMENT,
    ENERGY,
    HEADER,
    HEADER_FIELDS,
    MAGIC,
    MOTORS,
    POSES,
    SECTIONS,
    Flags,
    FrameSection,
)
from .version import VERSION

__all__ = [
    "CROWD",
    "ELEMENT",
    "ENERGY",
    "HEADER",
    "HEADER_FIELDS",
    "LARGEST_MESSAGE",
    "MAGIC",
    "MOTORS",
    "POSE",
    "POSES",
    "SECTIONS",
    "VERSION",
    "Flags",
    "Frame",
    "FrameSection",
    "Units",
    "decode",
    "encode",
    "read",
    "unhandled",
    "unit_of",
    "without_crowd",
    "write",
]
