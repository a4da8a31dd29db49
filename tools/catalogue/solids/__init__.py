"""Solids of the catalogue's 3DT models: plates, turned parts, hoses, bolts.

A machine's looks are made of solids in link axes, collected as bodies by component.

Example:
    import solids as s

    looks = s.Looks("crane")
    looks.component("Boom")
    looks.add("web", "boom", k.YELLOW, s.plate([(0, 0), (2, 0), (1.8, 0.3), (0, 0.4)], 0.1, 0.02))
"""

from .hardware import (
    bolts,
    boss,
    clamp,
    fittings,
    flange,
    frame_points,
    grid,
    hose,
    keeper,
    lamp,
    louvres,
    name_plate,
    rail,
    row,
    spool,
    stripes,
)
from .looks import Looks
from .mesh import Solid, across, both, joined, off, unit, without_foot
from .plates import Outline, bar, block, circle, gear, plate, prism, rounded_outline, rounds
from .turned import ball, lathe, pin, ring, shaft, tube

__all__ = [
    "Looks",
    "Outline",
    "Solid",
    "across",
    "ball",
    "bar",
    "block",
    "bolts",
    "boss",
    "both",
    "circle",
    "clamp",
    "fittings",
    "flange",
    "frame_points",
    "gear",
    "grid",
    "hose",
    "joined",
    "keeper",
    "lamp",
    "lathe",
    "louvres",
    "name_plate",
    "off",
    "pin",
    "plate",
    "prism",
    "rail",
    "ring",
    "rounded_outline",
    "rounds",
    "row",
    "shaft",
    "spool",
    "stripes",
    "tube",
    "unit",
    "without_foot",
]
