"""Drawings of machines and of their graphs. Nothing heavy is imported before it is used."""

from .graph import draw_topology
from .machine import draw_machine

__all__ = ["draw_machine", "draw_topology"]
