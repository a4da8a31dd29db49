"""Kernels of what a contact means for one of its movers: velocities by rows, impulses by forces."""

from __future__ import annotations

from ...jit import Records, inlined_kernel, part, table
from ...mechanism import Floats, Ints
from ..linear import inner
from .blocks import SIX


@inlined_kernel
def rows_of_side(
    movers: Records, offset: Ints, rows: Floats, mover: int, begin: int, z: Floats
) -> tuple[Floats, Floats]:
    """Rows (3, width) of a contact on one side, and the part of z that they belong to."""
    width = movers[mover].width
    return table(rows, begin, 3, width), part(z, offset[mover], width)


@inlined_kernel
def add_velocity(R: Floats, z: Floats, u_io: Floats) -> None:
    """Add R z to a velocity."""
    for k in range(3):
        r = R[k]
        if z.shape[0] == SIX:
            u_io[k] += (r[0] * z[0] + r[1] * z[1] + r[2] * z[2]) + (
                r[3] * z[3] + r[4] * z[4] + r[5] * z[5]
            )
        else:
            u_io[k] += inner(r, z)


@inlined_kernel
def add_impulse(scale: float, R: Floats, force: Floats, z_io: Floats) -> None:
    """Add scale R^T f."""
    add_three(scale * force[0], scale * force[1], scale * force[2], R, z_io)


@inlined_kernel
def add_three(a: float, b: float, c: float, rows: Floats, line_io: Floats) -> None:
    """Add a sum of three rows."""
    if line_io.shape[0] == SIX:
        for j in range(SIX):
            line_io[j] += a * rows[0, j] + b * rows[1, j] + c * rows[2, j]
        return
    for j in range(line_io.shape[0]):
        line_io[j] += a * rows[0, j] + b * rows[1, j] + c * rows[2, j]
