"""Recordings of a driven machine: MCAP files with the machine inside, written, read, exported."""

from .about import About, Circumstances
from .package import Package, pack, unpack
from .reading import RecordedRun, glance, open_run
from .records import CUT_OFF
from .shelf import Item, Shelf, default_folder, default_name, without_path
from .tables import export_run
from .writing import RunWriter

__all__ = [
    "CUT_OFF",
    "About",
    "Circumstances",
    "Item",
    "Package",
    "RecordedRun",
    "RunWriter",
    "Shelf",
    "default_folder",
    "default_name",
    "export_run",
    "glance",
    "open_run",
    "pack",
    "unpack",
    "without_path",
]
