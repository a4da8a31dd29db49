"""Machines in other people's formats: MJCF (MuJoCo), URDF, glTF; 3DT models in OBJ and glTF.

`formats` lists them, and loads with next to nothing; writers load when they are first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .formats import FORMATS, ExportFormat, format_for, format_named, format_names, register_format

if TYPE_CHECKING:
    from .gltf import write_gltf
    from .mjcf import mjcf_assets, mjcf_text, write_mjcf
    from .scene_glb import link_scene
    from .urdf import urdf_notes, urdf_text, write_urdf

__all__ = [
    "FORMATS",
    "ExportFormat",
    "format_for",
    "format_named",
    "format_names",
    "link_scene",
    "mjcf_assets",
    "mjcf_text",
    "register_format",
    "urdf_notes",
    "urdf_text",
    "write_gltf",
    "write_mjcf",
    "write_urdf",
]

_LATER = {
    "link_scene": "scene_glb",
    "mjcf_assets": "mjcf",
    "mjcf_text": "mjcf",
    "urdf_notes": "urdf",
    "urdf_text": "urdf",
    "write_gltf": "gltf",
    "write_mjcf": "mjcf",
    "write_urdf": "urdf",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_LATER[name]}", __name__), name)
