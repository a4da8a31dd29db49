"""What a page and the server say to each other: messages, frames, and their TypeScript types."""

from .codec import read, unhandled, write
from .frame import Frame, decode, encode
from .version import VERSION

__all__ = ["VERSION", "Frame", "decode", "encode", "read", "unhandled", "write"]
