"""What kernels over a spanning tree take: its freedoms, and a record of scratch memory for each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...jit import Packing, header, new_records, records
from ...mechanism import Floats, Tree
from ..records import BODY, TREE
from .placing import place_tree

Bodies = NDArray[np.void]


def new_bodies(tree: Tree) -> Bodies:
    """Scratch memory of a tree, a BODY for each freedom."""
    bodies: Bodies = new_records(len(tree.freedoms), BODY)
    return bodies


def placed(tree: Tree, q: Floats, v: Floats | None = None) -> Bodies:
    """The tree's bodies at positions q (nq,) and velocities v (nv,), or at rest."""
    bodies = new_bodies(tree)
    place_tree(tree.freedoms, q, np.zeros(tree.nv) if v is None else v, bodies)
    return bodies


def pack_tree(tree: Tree) -> Floats:
    """Freedoms and scratch memory in one buffer: fewer arguments are passed faster."""
    packing = Packing(TREE, gravity=tree.gravity, nq=tree.nq)
    packing.add("freedoms", tree.freedoms)
    packing.add("bodies", new_bodies(tree))
    return packing.buffer()


def bodies_of(memory: Floats) -> Bodies:
    """The bodies in a buffer that `pack_tree` has made."""
    found: Bodies = records(memory, header(memory, TREE).bodies, BODY)
    return found
