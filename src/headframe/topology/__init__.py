"""The machine as a graph: spanning tree, loops, four-bars, generalized joints, ITEPs, counts."""

from .contraction import Contraction, Edge, FourBar, kind_of
from .graph import Closure, Loop, Topology, analyse
from .iteps import Itep
from .matrices import Matrices, matrices
from .text import MEANING, counted

__all__ = [
    "MEANING",
    "Closure",
    "Contraction",
    "Edge",
    "FourBar",
    "Itep",
    "Loop",
    "Matrices",
    "Topology",
    "analyse",
    "counted",
    "kind_of",
    "matrices",
]
