"""Drives: commands to cylinders and motors, and what becomes of them."""

from .commands import MODES, Command, floating, force, length, locked, position, speed, torque

__all__ = [
    "MODES",
    "Command",
    "floating",
    "force",
    "length",
    "locked",
    "position",
    "speed",
    "torque",
]
