"""Where SIMGC keeps things: views into a few packed arrays.

A model's own part (see `dynamics.model`) has in the header M rows of loops, N_JOINTS lines of
joints and N_FRICTION joints with friction; then `loops_i`, the group of each row of loops, of each
joint's line its velocity and group, the lines with friction, of each drive its position, velocity
and line; in floats `loops_f` and the friction [N, N m].

`state` holds positions, velocities, the place at which each locked drive came to rest (or NaN), the
impulses of all rows from the last step, and the ledger [J]: work of drives, of dampers and
friction, of external pulls, of end stops, and what keeping the loops closed did.

Rows stand in this order: joints with friction; for each drive its guided rate and its lower and
upper stop; loops.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....dynamics.loops._kernels import LOOPS_F, LOOPS_I
from ....dynamics.model._kernels import N_ROWS, ND, NQ, NV, OWN, POWERS
from ....dynamics.tree._kernels import ROW
from ....jit import inlined_kernel, part, table
from ..rows._kernels import LINE, ROW_F, ROW_I

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SIMGC = 2  # FORMULATION of the header
M, N_JOINTS, N_FRICTION = OWN + 2, OWN + 3, OWN + 4
STEP, TOLERANCE, BETA, ITERATIONS, SETTINGS = 0, 1, 2, 3, 4
# in the first part of `ints`
STEPS, SWEEPS, PSEUDO_SWEEPS, ITERATED, LINES, LOOP_LINES, N_ORDER, N_PSEUDO, WRONG = range(9)
COUNTS = 9
BY_DRIVES, BY_FRICTION, BY_PULL, BY_STOPS, BY_CORRECTION, LEDGER = range(6)
# in `vectors`
TAU, VDOT, BEFORE, PUSH, IMPULSES, POWER, VECTORS = range(7)


class Parts(NamedTuple):
    """Views into the packed arrays."""

    # the model
    loops_i: Ints
    loops_f: Floats
    loop_groups: Ints
    joints: Ints  # (n_joints, 2): velocity, group
    frictions: Ints
    friction: Floats
    drives: Ints  # (n_rows, 3): position, velocity, joint's line
    # the state
    q: Floats
    v: Floats
    held: Floats
    kept: Floats
    ledger: Floats
    # scratch memory
    groups: Ints
    order: Ints
    pseudo_order: Ints
    rows_i: Ints
    rows_f: Floats
    J: Floats
    Y: Floats
    A: Floats
    mix: Floats
    lines: Floats
    work: Floats
    wrenches: Floats
    vectors: Floats  # (VECTORS, nv or more)


def sizes(nd: int, m: int, n_joints: int, n_friction: int, n_drives: int) -> tuple[int, int, int]:
    """Numbers of rows, of doubles in `memory` and of integers in `ints`."""
    n_lines, n = m + n_joints, n_friction + 3 * n_drives + m
    floats = (ROW + 6) * nd + VECTORS * max(nd, POWERS) + 2 * n_lines * nd
    floats += 2 * n_lines * n_lines + LINE * n_lines + ROW_F * n
    return n, floats, COUNTS + n_lines + (2 + ROW_I) * n


@inlined_kernel
def cut(model_i: Ints, model_f: Floats, state: Floats, memory: Floats, ints: Ints) -> Parts:
    """All parts; `state`, `memory` and `ints` as long as they must be."""
    nd, nq, nv, n_drives = model_i[ND], model_i[NQ], model_i[NV], model_i[N_ROWS]
    m, n_joints, n_friction = model_i[M], model_i[N_JOINTS], model_i[N_FRICTION]
    n_lines, n = m + n_joints, n_friction + 3 * n_drives + m
    a = model_i[OWN]
    b = a + LOOPS_I * m
    c = b + m
    d = c + 2 * n_joints
    e = d + n_friction
    f = model_i[OWN + 1]
    g = f + LOOPS_F * m
    s1, s2, s3, s4 = nq + nv, nq + nv + n_drives, nq + nv + n_drives + n, 0
    s4 = s3 + LEDGER
    i1 = COUNTS + n_lines
    i2, i3 = i1 + n, i1 + 2 * n
    wide = max(nv, POWERS)
    w1 = ROW * nd
    w2 = w1 + 6 * nd
    w3 = w2 + VECTORS * wide
    w4 = w3 + n_lines * nv
    w5 = w4 + n_lines * nv
    w6 = w5 + n_lines * n_lines
    w7 = w6 + n_lines * n_lines
    w8 = w7 + LINE * n_lines
    return Parts(
        table(model_i, a, m, LOOPS_I),
        table(model_f, f, m, LOOPS_F),
        part(model_i, b, c - b),
        table(model_i, c, n_joints, 2),
        part(model_i, d, e - d),
        part(model_f, g, n_friction),
        table(model_i, e, n_drives, 3),
        part(state, 0, nq),
        part(state, nq, s1 - nq),
        part(state, s1, s2 - s1),
        part(state, s2, s3 - s2),
        part(state, s3, s4 - s3),
        part(ints, COUNTS, i1 - COUNTS),
        part(ints, i1, i2 - i1),
        part(ints, i2, i3 - i2),
        table(ints, i3, n, ROW_I),
        table(memory, w8, n, ROW_F),
        table(memory, w3, n_lines, nv),
        table(memory, w4, n_lines, nv),
        table(memory, w5, n_lines, n_lines),
        table(memory, w6, n_lines, n_lines),
        table(memory, w7, LINE, n_lines),
        part(memory, 0, w1),
        table(memory, w1, nd, 6),
        table(memory, w2, VECTORS, wide),
    )


def warm_up() -> None:
    """Nothing is called from outside of kernels."""
