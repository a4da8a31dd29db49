"""Drives: commands to cylinders and motors, and what becomes of them."""

from .commands import Command, floating, force, length, locked, position, speed, torque

__all__ = ["Command", "floating", "force", "length", "locked", "position", "speed", "torque"]
