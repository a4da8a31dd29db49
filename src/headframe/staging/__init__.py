"""Scenes: which machines stand where, and in what surroundings; data files, read with care."""

from .catalogue import Staged, find_scene, load_scene, scenes
from .looks import things_as_links
from .reading import looks_like_scene, read_scene
from .scene import (
    Environment,
    Longwall,
    LooseBody,
    Placement,
    Scene,
    Stand,
    StaticBody,
    Tunnel,
    Yard,
)
from .schema import scene_schema

__all__ = [
    "Environment",
    "Longwall",
    "LooseBody",
    "Placement",
    "Scene",
    "Staged",
    "Stand",
    "StaticBody",
    "Tunnel",
    "Yard",
    "find_scene",
    "load_scene",
    "looks_like_scene",
    "read_scene",
    "scene_schema",
    "scenes",
    "things_as_links",
]
