"""Scenes: which machines stand where, and in what surroundings; data files, read with care."""

from .catalogue import find_scene, load_scene, scenes
from .scene import Environment, Longwall, Placement, Scene, Stand, Tunnel, Yard

__all__ = [
    "Environment",
    "Longwall",
    "Placement",
    "Scene",
    "Stand",
    "Tunnel",
    "Yard",
    "find_scene",
    "load_scene",
    "scenes",
]
