"""Kernels of composite bodies: the inertia matrix of a spanning tree."""

from __future__ import annotations

import math

from ...jit import MATRIX, VECTOR, Records, entry, header, inlined_kernel, kernel
from ...mechanism import Floats
from ...spatial.kernels import body_at, momentum_of, plus_body, product, put_body, put_six, six
from ..records import TREE
from ..status import NOT_FINITE, OK, WRONG_SIZE
from .placing import parts_of, set_places


@inlined_kernel
def start_composites(bodies: Records) -> None:
    """Every composite body as its own rigid body, before others are added."""
    for d in range(bodies.shape[0]):
        put_body(bodies[d].composite, body_at(bodies[d].inertia))


@inlined_kernel
def add_composite(freedoms: Records, d: int, bodies: Records) -> None:
    """Add a freedom's composite body to its parent's."""
    own, parent = body_at(bodies[d].composite), freedoms[d].parent
    if parent >= 0:
        up = bodies[parent].composite
        put_body(up, plus_body(own, body_at(up)))


@inlined_kernel
def composite(freedoms: Records, bodies: Records) -> None:
    """Inertias of everything that each freedom moves."""
    start_composites(bodies)
    for d in range(freedoms.shape[0] - 1, -1, -1):
        add_composite(freedoms, d, bodies)


@inlined_kernel
def mass_matrix(freedoms: Records, bodies: Records, M_out: Floats) -> None:
    """Joint-space inertia, bodies being placed: M_de = T_e . f_d with f_d = I_composite T_d.

    Freedoms are numbered depth first: those that e moves follow it without a gap. Rotors are
    added to the diagonal.
    """
    nd = freedoms.shape[0]
    start_composites(bodies)
    for d in range(nd - 1, -1, -1):
        body = bodies[d]
        add_composite(freedoms, d, bodies)
        put_six(body.force, momentum_of(body_at(body.composite), six(body.axis)))
    for i in range(nd):
        for j in range(nd):
            M_out[i, j] = 0.0
    for e in range(nd):
        axis, row, d, inside = six(bodies[e].axis), freedoms[e].velocity, e, True
        while inside:
            value, column = product(axis, six(bodies[d].force)), freedoms[d].velocity
            M_out[row, column] = value
            M_out[column, row] = value
            d += 1
            inside = d < nd and freedoms[d].parent >= e
        M_out[row, row] += freedoms[e].armature


@entry(VECTOR, VECTOR, MATRIX)
@kernel
def crba(memory: Floats, q_in: Floats, M_out: Floats) -> int:
    """Joint-space inertia matrix (composite rigid bodies).

    Algorithm 2 of the roadheader paper; its lines 12-16 walk j up the tree, not i.
    """
    tree = header(memory, TREE)
    freedoms, bodies = parts_of(memory)
    nd = freedoms.shape[0]
    if q_in.shape[0] != tree.nq or M_out.shape[0] != nd or M_out.shape[1] != nd:
        return WRONG_SIZE
    set_places(freedoms, q_in, bodies)
    mass_matrix(freedoms, bodies, M_out)
    total = 0.0
    for d in range(nd):
        total += M_out[d, d]
    return OK if math.isfinite(total) else NOT_FINITE
