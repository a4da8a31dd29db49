"""Machines in other people's formats: MJCF (MuJoCo), URDF, glTF; 3DT models in OBJ and glTF."""

from .gltf import write_gltf
from .mjcf import mjcf_assets, mjcf_text, write_mjcf
from .scene_glb import link_scene
from .urdf import urdf_notes, urdf_text, write_urdf

__all__ = [
    "link_scene",
    "mjcf_assets",
    "mjcf_text",
    "urdf_notes",
    "urdf_text",
    "write_gltf",
    "write_mjcf",
    "write_urdf",
]
