"""Machines in other people's formats: MJCF (MuJoCo), URDF, glTF."""

from .gltf import write_gltf
from .mjcf import mjcf_assets, mjcf_text, write_mjcf
from .urdf import urdf_notes, urdf_text, write_urdf

__all__ = [
    "mjcf_assets",
    "mjcf_text",
    "urdf_notes",
    "urdf_text",
    "write_gltf",
    "write_mjcf",
    "write_urdf",
]
