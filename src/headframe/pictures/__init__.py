"""Drawings of machines and of their graphs. Nothing heavy is imported before it is used."""

from .machine import draw_machine
from .stages import draw_topology

__all__ = ["draw_machine", "draw_topology"]
