"""The machine as a graph: spanning tree, loops, rigid clusters, counts."""

from .graph import Closure, Loop, Topology, analyse, counted

__all__ = ["Closure", "Loop", "Topology", "analyse", "counted"]
