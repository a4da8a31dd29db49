"""Kernels that every formulation over the tree shares: forces, ledger, quaternions.

A model arrives as two flat arrays. `model_i` begins with a header, `model_f` with `tree_f`:

- NQ, NV: positions and velocities of the formulation's own coordinates; N_ROWS: what drives and
  stops act on; ND: freedoms of the tree, TREE_AT: where `tree_i` begins;
- N_QUATS, QUATS_AT: pairs [first position, first velocity] of the coordinates' quaternions;
- N_SPRINGS, SPRINGS_AT, SPRINGS_F: pairs of freedoms, and [point a, point b, stiffness, rest
  length, damping] with points in the freedoms' frames;
- TIED: 1 if loops tie rows to each other, so that one cannot move without another, else 0;
- from OWN on, what a formulation keeps for itself.

Behind `tree_f` stand damping and dry friction of the tree's velocities (nd each).

`power_out` collects what flows into the machine [W]: by drives, by dampers and friction
(negative), by external forces.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined_kernel, kernel, table
from ..tree._kernels import INDEX, TREE_F, TREE_I, V, X
from ..tree.quantities._kernels import kinetic_and_potential

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FORMULATION, NQ, NV, N_ROWS, ND, TREE_AT, N_QUATS, QUATS_AT = 0, 1, 2, 3, 4, 5, 6, 7
N_SPRINGS, SPRINGS_AT, SPRINGS_F, TIED = 8, 9, 10, 11
OWN, HEADER = 16, 48
EMBEDDED, CONSTRAINED = 0, 1
SPRING_F, PULL_F = 9, 10
BY_DRIVES, BY_DAMPERS, BY_PULLS, POWERS = 0, 1, 2, 3
# statuses of every formulation: one of these + STATUSES * row, freedom or block
OK, NO_SOLUTION, NO_CLOSURE, NO_INERTIA, DEAD_CENTRE, NOT_FINITE = range(6)
STATUSES = 16
CREEP = 1e-3  # [rad/s, m/s] below which dry friction grows with speed instead of jumping


@inlined_kernel
def tree_of(model_i: Ints, model_f: Floats) -> tuple[Ints, Floats]:
    """`tree_i` and `tree_f` of a model."""
    nd, at = model_i[ND], model_i[TREE_AT]
    tree_i = table(model_i, at, nd, TREE_I)
    return tree_i, table(model_f, 0, 1 + nd, TREE_F)


@kernel
def position_rates(model_i: Ints, q_in: Floats, v_in: Floats, qdot_out: Floats) -> None:
    """Rates of the positions: velocities, but for quaternions 1/2 quat (0, w), w in body axes.

    Positions and velocities stand in the same order; a quaternion has one position more.
    """
    iq, iv, next_quat = 0, 0, 0
    at = model_i[QUATS_AT]
    while iv < v_in.shape[0]:
        if next_quat < model_i[N_QUATS] and model_i[at + 2 * next_quat] == iq:
            w, x, y, z = q_in[iq], q_in[iq + 1], q_in[iq + 2], q_in[iq + 3]
            a, b, c = v_in[iv], v_in[iv + 1], v_in[iv + 2]
            qdot_out[iq] = 0.5 * (-x * a - y * b - z * c)
            qdot_out[iq + 1] = 0.5 * (w * a + y * c - z * b)
            qdot_out[iq + 2] = 0.5 * (w * b + z * a - x * c)
            qdot_out[iq + 3] = 0.5 * (w * c + x * b - y * a)
            iq, iv, next_quat = iq + 4, iv + 3, next_quat + 1
        else:
            qdot_out[iq] = v_in[iv]
            iq, iv = iq + 1, iv + 1


@kernel
def add_positions(model_i: Ints, change_in: Floats, q_io: Floats) -> None:
    """Move positions by a small change of the freedoms; quaternions stay unit ones."""
    iq, iv, next_quat = 0, 0, 0
    at = model_i[QUATS_AT]
    while iv < change_in.shape[0]:
        if next_quat < model_i[N_QUATS] and model_i[at + 2 * next_quat] == iq:
            w, x, y, z = q_io[iq], q_io[iq + 1], q_io[iq + 2], q_io[iq + 3]
            a, b, c = 0.5 * change_in[iv], 0.5 * change_in[iv + 1], 0.5 * change_in[iv + 2]
            q_io[iq] += -x * a - y * b - z * c
            q_io[iq + 1] += w * a + y * c - z * b
            q_io[iq + 2] += w * b + z * a - x * c
            q_io[iq + 3] += w * c + x * b - y * a
            iq, iv, next_quat = iq + 4, iv + 3, next_quat + 1
        else:
            q_io[iq] += change_in[iv]
            iq, iv = iq + 1, iv + 1
    normalise(model_i, q_io)


@kernel
def normalise(model_i: Ints, q_io: Floats) -> None:
    """Make the quaternions unit ones again."""
    for k in range(model_i[N_QUATS]):
        at = model_i[model_i[QUATS_AT] + 2 * k]
        total = 0.0
        for i in range(4):
            total += q_io[at + i] * q_io[at + i]
        scale = 1.0 / math.sqrt(total)
        for i in range(4):
            q_io[at + i] *= scale


@inlined_kernel
def spring_ends(
    model_i: Ints, model_f: Floats, spring: int, end: int, nd: int, work: Floats
) -> tuple[int, float, float, float, float, float, float]:
    """Freedom, place and velocity of a spring's end in world axes."""
    freedom = model_i[model_i[SPRINGS_AT] + 2 * spring + end]
    at = model_i[SPRINGS_F] + SPRING_F * spring + 3 * end
    x, y, z = model_f[at], model_f[at + 1], model_f[at + 2]
    if freedom < 0:
        return freedom, x, y, z, 0.0, 0.0, 0.0
    pose, v = X * nd + 12 * freedom, V * nd + 6 * freedom
    px = work[pose] * x + work[pose + 1] * y + work[pose + 2] * z + work[pose + 3]
    py = work[pose + 4] * x + work[pose + 5] * y + work[pose + 6] * z + work[pose + 7]
    pz = work[pose + 8] * x + work[pose + 9] * y + work[pose + 10] * z + work[pose + 11]
    w0, w1, w2 = work[v], work[v + 1], work[v + 2]
    vx = work[v + 3] + w1 * pz - w2 * py
    vy = work[v + 4] + w2 * px - w0 * pz
    vz = work[v + 5] + w0 * py - w1 * px
    return freedom, px, py, pz, vx, vy, vz


@inlined_kernel
def resist(nd: int, model_f: Floats, v_tree_in: Floats, tau_out: Floats) -> float:
    """Torques of damping and dry friction over the tree's velocities, (nd,); their power [W]."""
    damping = (TREE_F * (1 + nd)) & INDEX
    lost = 0.0
    for i in range(nd):
        rate, dry = v_tree_in[i], model_f[damping + nd + i]
        tau = -model_f[damping + i] * rate
        if dry > 0.0:
            tau -= dry * math.tanh(rate / CREEP)
        tau_out[i] = tau
        lost += tau * rate
    return lost


@kernel
def add_forces(
    model_i: Ints,
    model_f: Floats,
    v_tree_in: Floats,
    pulls_in: Floats,
    work: Floats,
    wrenches_out: Floats,
    tau_out: Floats,
    power_out: Floats,
) -> None:
    """Forces that depend on the motion, the tree being placed and its velocities V set.

    Wrenches on the bodies by springs and external pulls, (nd, 6) at the world's origin, and
    torques of damping and dry friction over the tree's velocities, (nd,). `pulls_in` (n, PULL_F)
    are forces that stay the same in world axes and act on a point of a body: [freedom, point in
    its frame, moment, force].
    """
    nd = model_i[ND]
    given = 0.0
    for d in range(nd):
        for k in range(6):
            wrenches_out[d, k] = 0.0
    for n in range(pulls_in.shape[0]):
        given += add_pull(pulls_in[n], nd, work, wrenches_out)
    lost = resist(nd, model_f, v_tree_in, tau_out)
    for spring in range(model_i[N_SPRINGS]):
        a, ax, ay, az, aax, aay, aaz = spring_ends(model_i, model_f, spring, 0, nd, work)
        b, bx, by, bz, bbx, bby, bbz = spring_ends(model_i, model_f, spring, 1, nd, work)
        at = model_i[SPRINGS_F] + SPRING_F * spring + 6
        dx, dy, dz = bx - ax, by - ay, bz - az
        l = math.sqrt(dx * dx + dy * dy + dz * dz)
        if l > 0.0:
            dx, dy, dz = dx / l, dy / l, dz / l
        rate = dx * (bbx - aax) + dy * (bby - aay) + dz * (bbz - aaz)
        damped = model_f[at + 2] * rate
        lost -= damped * rate
        pull = model_f[at] * (l - model_f[at + 1]) + damped
        fx, fy, fz = pull * dx, pull * dy, pull * dz
        # along one line, so that the moment is the same for both ends
        mx, my, mz = ay * fz - az * fy, az * fx - ax * fz, ax * fy - ay * fx
        if a >= 0:
            add_wrench(wrenches_out, a, mx, my, mz, fx, fy, fz)
        if b >= 0:
            add_wrench(wrenches_out, b, -mx, -my, -mz, -fx, -fy, -fz)
    power_out[BY_DAMPERS] = lost
    power_out[BY_PULLS] = given


@inlined_kernel
def add_pull(pull_in: Floats, nd: int, work: Floats, wrenches_io: Floats) -> float:
    """Add an external force to its body's wrench; its power [W]."""
    freedom = int(pull_in[0])
    pose, v = X * nd + 12 * freedom, V * nd + 6 * freedom
    x, y, z = pull_in[1], pull_in[2], pull_in[3]
    px = work[pose] * x + work[pose + 1] * y + work[pose + 2] * z + work[pose + 3]
    py = work[pose + 4] * x + work[pose + 5] * y + work[pose + 6] * z + work[pose + 7]
    pz = work[pose + 8] * x + work[pose + 9] * y + work[pose + 10] * z + work[pose + 11]
    fx, fy, fz = pull_in[7], pull_in[8], pull_in[9]
    mx = pull_in[4] + py * fz - pz * fy
    my = pull_in[5] + pz * fx - px * fz
    mz = pull_in[6] + px * fy - py * fx
    add_wrench(wrenches_io, freedom, mx, my, mz, fx, fy, fz)
    turning = mx * work[v] + my * work[v + 1] + mz * work[v + 2]
    return float(turning + fx * work[v + 3] + fy * work[v + 4] + fz * work[v + 5])


@inlined_kernel
def add_wrench(
    wrenches_io: Floats, d: int, mx: float, my: float, mz: float, fx: float, fy: float, fz: float
) -> None:
    """Add a moment and a force to a body's."""
    wrenches_io[d, 0] += mx
    wrenches_io[d, 1] += my
    wrenches_io[d, 2] += mz
    wrenches_io[d, 3] += fx
    wrenches_io[d, 4] += fy
    wrenches_io[d, 5] += fz


@kernel
def energies(model_i: Ints, model_f: Floats, work: Floats, energy_out: Floats) -> None:
    """Kinetic, potential and spring energy [J], the tree being placed and its velocities set."""
    nd, stored = model_i[ND], 0.0
    tree_i, tree_f = tree_of(model_i, model_f)
    kinetic, potential = kinetic_and_potential(tree_i, tree_f, work)
    for spring in range(model_i[N_SPRINGS]):
        _, ax, ay, az, _, _, _ = spring_ends(model_i, model_f, spring, 0, nd, work)
        _, bx, by, bz, _, _, _ = spring_ends(model_i, model_f, spring, 1, nd, work)
        at = model_i[SPRINGS_F] + SPRING_F * spring + 6
        l = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2)
        stored += 0.5 * model_f[at] * (l - model_f[at + 1]) ** 2
    energy_out[0], energy_out[1], energy_out[2] = kinetic, potential, stored


def warm_up() -> None:
    """Compile what simulations call from outside of kernels, on a model of nothing."""
    model_i, model_f = np.zeros(HEADER, dtype=np.int64), np.zeros(TREE_F)
    energies(model_i, model_f, np.zeros(1), np.zeros(3))
    normalise(model_i, np.zeros(0))
