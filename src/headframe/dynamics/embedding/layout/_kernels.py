"""Where embedded loops keep their numbers: entries of the header, tables, scratch memory.

Entries of the header from OWN + 2 on are listed below; `freedoms` rows are [source, a, b, c, first
column, number of columns]; `work` begins with the tree's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....jit import inlined_kernel, kernel, part, table
from ....kinematics.forward._kernels import CHAIN, MAX
from ....kinematics.lengths._kernels import N_ACTS, N_MOTIONS, N_VARS
from ...model._kernels import N_ROWS, ND, NV, OWN
from ...tree._kernels import ROW

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# header: what `pack_embedded` puts behind the two starts of the own parts
LENGTHS, LINK_AT, LINK_SIZE, LINK_F, LINK_F_SIZE = OWN + 2, OWN + 3, OWN + 4, OWN + 5, OWN + 6
FREEDOMS_AT, FREEDOMS_F, COLUMNS_AT, ACTS_AT, ACTS_F_AT, ROWS_AT = (
    OWN + 7, OWN + 8, OWN + 9, OWN + 10, OWN + 11, OWN + 12
)  # fmt: skip
N_COLUMNS, N_EXTRA = OWN + 13, OWN + 14

# freedoms: [source, a, b, c, first column, columns], [cos, sin, sign, value at home]
FREEDOM_I, FREEDOM_F = 6, 4
HINGE, SLIDE, RINGED, EXTRA, TUBE, TILT, ROD = range(7)
# actuators: freedoms of tube, tilt (-1 on a plane mount) and rod; the plane of the chain in the
# mount's axes, (3, 2) by rows, and what stands across it
ACT_FREEDOMS, ACT_PLANE = 3, 9


@kernel
def work_size(model_i: Ints) -> int:
    """Doubles of scratch memory."""
    link_i = model_i[model_i[LINK_AT] :]
    return int(
        ROW * model_i[ND]
        + 2 * (link_i[N_VARS] + model_i[N_EXTRA])
        + 10 * link_i[N_MOTIONS]
        + (CHAIN + 1) * link_i[N_ACTS]
        + MAX * (MAX + 1)
        + 2 * model_i[N_COLUMNS]
        + 9 * model_i[ND]
        + 2 * model_i[NV] * model_i[NV]
        + 3 * model_i[NV]
        + model_i[N_ROWS] * (model_i[N_ROWS] + model_i[NV] + 1)
    )


@inlined_kernel
def views(model_i: Ints, model_f: Floats, work: Floats) -> tuple[Floats, ...]:
    """Scratch memory cut into its parts, the linkage's arrays first.

    link_f, theta, theta', motions, chains, lengths, a block's matrix, G, Gdot, then over the tree
    v, Gdot theta', tau and wrenches, then the reduced inertia, its factor, right side, answer,
    one more, and of the rows S, responses and right side.
    """
    link_i = linkage(model_i)
    nd, nv, n_acts, rows = model_i[ND], model_i[NV], link_i[N_ACTS], model_i[N_ROWS]
    link_f = part(model_f, model_i[LINK_F], model_i[LINK_F_SIZE])
    at = ROW * nd
    theta = part(work, at, nv)
    at += nv
    rate = part(work, at, nv)
    at += nv
    motions = part(work, at, 10 * link_i[N_MOTIONS])
    at += 10 * link_i[N_MOTIONS]
    chains = part(work, at, CHAIN * n_acts)
    at += CHAIN * n_acts
    lengths = part(work, at, n_acts)
    at += n_acts
    block = table(work, at, MAX, MAX + 1)
    at += MAX * (MAX + 1)
    G = part(work, at, model_i[N_COLUMNS])
    at += model_i[N_COLUMNS]
    Gdot = part(work, at, model_i[N_COLUMNS])
    at += model_i[N_COLUMNS]
    v_tree, bias, tau = (
        part(work, at, nd),
        part(work, at + nd, nd),
        part(work, at + 2 * nd, nd),
    )
    at += 3 * nd
    wrenches = table(work, at, nd, 6)
    at += 6 * nd
    M = table(work, at, nv, nv)
    at += nv * nv
    L = table(work, at, nv, nv)
    at += nv * nv
    right, answer, more = (
        part(work, at, nv),
        part(work, at + nv, nv),
        part(work, at + 2 * nv, nv),
    )
    at += 3 * nv
    S = table(work, at, rows, rows)
    at += rows * rows
    response = table(work, at, rows, nv)
    at += rows * nv
    wanted = part(work, at, rows)
    return (
        link_f, theta, rate, motions, chains, lengths, block, G, Gdot, v_tree, bias, tau, M, L,
        right, answer, more, wanted, wrenches, S, response,
    )  # fmt: skip


@inlined_kernel
def linkage(model_i: Ints) -> Ints:
    """The kinematics' table of integers."""
    return part(model_i, model_i[LINK_AT], model_i[LINK_SIZE])


def warm_up() -> None:
    """Compile what is called from outside of kernels, on a model of nothing."""
    model_i = np.zeros(OWN + 64, dtype=np.int64)
    model_i[LINK_AT], model_i[LINK_SIZE] = OWN, 64
    work_size(model_i)
