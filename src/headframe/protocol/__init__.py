"""What a page and the server say to each other: messages, frames, and their TypeScript types."""

from .codec import LARGEST_MESSAGE, read, unhandled, write
from .frame import POSE, Frame, Units, bodies_of, decode, encode, header_of, whole
from .frame_layout import (
    BODIES,
    CONTACTS,
    CROWD,
    ELEMENT,
    ENERGY,
    HEADER,
    HEADER_FIELDS,
    MAGIC,
    MOTORS,
    POSES,
    SECTIONS,
    STRONGEST,
    Flags,
    FrameSection,
)
from .older import OLDEST, older_size, renewed
from .version import VERSION

__all__ = [
    "BODIES",
    "CONTACTS",
    "CROWD",
    "ELEMENT",
    "ENERGY",
    "HEADER",
    "HEADER_FIELDS",
    "LARGEST_MESSAGE",
    "MAGIC",
    "MOTORS",
    "OLDEST",
    "POSE",
    "POSES",
    "SECTIONS",
    "STRONGEST",
    "VERSION",
    "Flags",
    "Frame",
    "FrameSection",
    "Units",
    "bodies_of",
    "decode",
    "encode",
    "header_of",
    "older_size",
    "read",
    "renewed",
    "unhandled",
    "whole",
    "write",
]
