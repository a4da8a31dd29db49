"""The protocol's version: one more whenever a message or the frame changes."""

VERSION = 2
