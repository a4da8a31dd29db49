"""Scenes: which machines stand where, and in what surroundings; data files, read with care."""

from .catalogue import Staged, find_scene, load_scene, scenes
from .reading import looks_like_scene, read_scene
from .scene import Environment, Longwall, Placement, Scene, Stand, Tunnel, Yard
from .schema import scene_schema

__all__ = [
    "Environment",
    "Longwall",
    "Placement",
    "Scene",
    "Staged",
    "Stand",
    "Tunnel",
    "Yard",
    "find_scene",
    "load_scene",
    "looks_like_scene",
    "read_scene",
    "scene_schema",
    "scenes",
]
