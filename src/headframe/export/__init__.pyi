# The front of this room: what others import of it. A file loads when a name of it is first used.

from .formats import FORMATS as FORMATS
from .formats import ExportFormat as ExportFormat
from .formats import format_for as format_for
from .formats import format_named as format_named
from .formats import format_names as format_names
from .formats import register_format as register_format
from .glb import Gltf as Gltf
from .glb import material as material
from .gltf import Y_UP_FROM_Z_UP as Y_UP_FROM_Z_UP
from .gltf import write_gltf as write_gltf
from .mjcf import build_mjcf as build_mjcf
from .mjcf import mjcf_assets as mjcf_assets
from .mjcf import mjcf_text as mjcf_text
from .mjcf import write_mjcf as write_mjcf
from .mjcf_model import MjcfDocument as MjcfDocument
from .page import machine_info as machine_info
from .scene_glb import link_scene as link_scene
from .three_dt import read_any_model as read_any_model
from .three_dt import write_model as write_model
from .urdf import urdf_notes as urdf_notes
from .urdf import urdf_text as urdf_text
from .urdf import write_urdf as write_urdf
from .xml_text import put as put
