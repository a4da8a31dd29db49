"""Kernels over a spanning tree, in world axes: place, RNEA, CRBA, ABA, energy.

Everything is written for degrees of freedom, not for joints: each has an axis z of its own frame,
turns about it or slides along it, and carries a rigid body, which may be nothing. A universal
joint is two hinges; a free joint is three slides and a spherical one; a spherical joint is three
freedoms whose frames are one (SPHERICAL, then two PARTs), so that no angle can lock.

Motion and force vectors are angular first, taken at the world's origin in world axes. Nothing is
transformed on the way through the tree then: velocities, forces and composite inertias simply add
up (Featherstone's algorithms with all coordinates chosen equal). The price is a body's inertia
about the origin, once in a placing: for machines that stand near it, less than the transforms.

- `tree_i` (nd, 5): parent freedom (-1: the base), the freedom that carries the axis, kind, place
  of the position in q, place of the velocity in v;
- `tree_f` (1 + nd, 22): in the first row gravity [m/s^2] and the number of positions;
  for each freedom its frame in the parent's as 3x4 rows, then mass, first moment and inertia of
  what it carries, about the frame's origin (xx, yy, zz, xy, xz, yz).

`work` is scratch memory of ROW * nd doubles. Its parts, each with so many numbers a freedom, hold
the results: poses X (12), axes T (6), velocities V (6), accelerations A (6), forces F (6), and
inertias (10: mass, first moment, inertia about the origin).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined_kernel, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PARENT, CARRIER, KIND, IQ, IV = range(5)
REVOLUTE, PRISMATIC, SPHERICAL, PART = range(4)
TREE_I, TREE_F = 5, 22
N_Q = 3  # in the first row of tree_f
MASS = 12  # in a row of tree_f: mass, first moment, inertia

# parts of `work` begin at so many times nd
X, T, V, A, F, BODY = 0, 12, 18, 24, 30, 36
TURN, COMPOSITE, ARTICULATED, FORCE, GAIN = 46, 48, 58, 79, 85
ROW = 88
OK, WRONG_SIZE, NOT_FINITE, NO_INERTIA = 0, 1, 2, 3
NOTHING = 1e-14  # of the trace of an inertia


@inlined_kernel
def set_turns(tree_i: Ints, q_in: Floats, work: Floats) -> None:
    """What `place` needs of the positions: cosine and sine, displacement, or quaternion."""
    nd = tree_i.shape[0]
    for d in range(nd):
        at, kind, iq = TURN * nd + 2 * d, tree_i[d, KIND], tree_i[d, IQ]
        if kind == REVOLUTE:
            work[at], work[at + 1] = math.cos(q_in[iq]), math.sin(q_in[iq])
        elif kind == PRISMATIC:
            work[at] = q_in[iq]
        elif kind == SPHERICAL:
            for k in range(4):
                work[at + k] = q_in[iq + k]


@inlined_kernel
def place(tree_i: Ints, tree_f: Floats, work: Floats) -> None:
    """Poses X, axes T and inertias about the world's origin, from the turns in `work`."""
    nd = tree_i.shape[0]
    for d in range(nd):
        kind = tree_i[d, KIND]
        if kind == PART:
            continue
        parent, row, at, turn = tree_i[d, PARENT], d + 1, X * nd + 12 * d, TURN * nd + 2 * d
        if parent < 0:
            for k in range(12):
                work[at + k] = tree_f[row, k]
        else:
            up = X * nd + 12 * parent
            for i in range(3):
                a, b, c = work[up + 4 * i], work[up + 4 * i + 1], work[up + 4 * i + 2]
                for j in range(4):
                    work[at + 4 * i + j] = (
                        a * tree_f[row, j] + b * tree_f[row, 4 + j] + c * tree_f[row, 8 + j]
                    )
                work[at + 4 * i + 3] += work[up + 4 * i + 3]
        axis = T * nd + 6 * d
        if kind == REVOLUTE:
            c, s = work[turn], work[turn + 1]
            for i in range(3):
                x, y = work[at + 4 * i], work[at + 4 * i + 1]
                work[at + 4 * i], work[at + 4 * i + 1] = c * x + s * y, c * y - s * x
            hinge(work, at, 2, axis)
        elif kind == PRISMATIC:
            slide = work[turn]
            for i in range(3):
                z = work[at + 4 * i + 2]
                work[at + 4 * i + 3] += slide * z
                work[axis + i], work[axis + 3 + i] = 0.0, z
        else:
            w, x, y, z = work[turn], work[turn + 1], work[turn + 2], work[turn + 3]
            two = 2.0 / (w * w + x * x + y * y + z * z)  # whatever the quaternion's norm
            for i in range(3):
                a, b, c = work[at + 4 * i], work[at + 4 * i + 1], work[at + 4 * i + 2]
                work[at + 4 * i] = a - two * (
                    a * (y * y + z * z) - b * (x * y + w * z) - c * (x * z - w * y)
                )
                work[at + 4 * i + 1] = b - two * (
                    b * (x * x + z * z) - a * (x * y - w * z) - c * (y * z + w * x)
                )
                work[at + 4 * i + 2] = c - two * (
                    c * (x * x + y * y) - a * (x * z + w * y) - b * (y * z - w * x)
                )
            for part in range(3):
                hinge(work, at, part, axis + 6 * part)
                if part > 0:
                    for k in range(12):
                        work[at + 12 * part + k] = work[at + k]
            for part in range(2):
                for k in range(10):
                    work[BODY * nd + 10 * (d + part) + k] = 0.0
            place_body(tree_f, row + 2, work, at, BODY * nd + 10 * (d + 2))
            continue
        place_body(tree_f, row, work, at, BODY * nd + 10 * d)


@inlined_kernel
def hinge(work: Floats, at: int, column: int, axis: int) -> None:
    """Twist of a turn about a column of a pose, through its origin."""
    z0, z1, z2 = work[at + column], work[at + 4 + column], work[at + 8 + column]
    p0, p1, p2 = work[at + 3], work[at + 7], work[at + 11]
    work[axis], work[axis + 1], work[axis + 2] = z0, z1, z2
    work[axis + 3] = p1 * z2 - p2 * z1
    work[axis + 4] = p2 * z0 - p0 * z2
    work[axis + 5] = p0 * z1 - p1 * z0


@inlined_kernel
def place_body(tree_f: Floats, row: int, work: Floats, at: int, body: int) -> None:
    """Mass, first moment and inertia of a body about the world's origin.

    With r the first moment about the frame's origin p, in world axes, and J the inertia there,
    it is J + (2 p.r + m p.p) 1 - (p r^T + r p^T + m p p^T).
    """
    m = tree_f[row, MASS]
    work[body] = m
    if m == 0.0 and tree_f[row, MASS + 4] == 0.0 and tree_f[row, MASS + 5] == 0.0:
        for k in range(1, 10):
            work[body + k] = 0.0
        return
    x0, y0, z0, p0 = work[at], work[at + 1], work[at + 2], work[at + 3]
    x1, y1, z1, p1 = work[at + 4], work[at + 5], work[at + 6], work[at + 7]
    x2, y2, z2, p2 = work[at + 8], work[at + 9], work[at + 10], work[at + 11]
    rx, ry, rz = tree_f[row, MASS + 1], tree_f[row, MASS + 2], tree_f[row, MASS + 3]
    r0 = x0 * rx + y0 * ry + z0 * rz
    r1 = x1 * rx + y1 * ry + z1 * rz
    r2 = x2 * rx + y2 * ry + z2 * rz
    xx, yy, zz = tree_f[row, MASS + 4], tree_f[row, MASS + 5], tree_f[row, MASS + 6]
    xy, xz, yz = tree_f[row, MASS + 7], tree_f[row, MASS + 8], tree_f[row, MASS + 9]
    a0, b0, c0 = (
        x0 * xx + y0 * xy + z0 * xz,
        x0 * xy + y0 * yy + z0 * yz,
        x0 * xz + y0 * yz + z0 * zz,
    )
    a1, b1, c1 = (
        x1 * xx + y1 * xy + z1 * xz,
        x1 * xy + y1 * yy + z1 * yz,
        x1 * xz + y1 * yz + z1 * zz,
    )
    a2, b2, c2 = (
        x2 * xx + y2 * xy + z2 * xz,
        x2 * xy + y2 * yy + z2 * yz,
        x2 * xz + y2 * yz + z2 * zz,
    )
    # p r^T + r p^T + m p p^T = p s^T + r p^T with s = r + m p
    s0, s1, s2 = r0 + m * p0, r1 + m * p1, r2 + m * p2
    t00, t11, t22 = p0 * s0 + r0 * p0, p1 * s1 + r1 * p1, p2 * s2 + r2 * p2
    work[body + 1], work[body + 2], work[body + 3] = s0, s1, s2
    work[body + 4] = a0 * x0 + b0 * y0 + c0 * z0 + t11 + t22
    work[body + 5] = a1 * x1 + b1 * y1 + c1 * z1 + t00 + t22
    work[body + 6] = a2 * x2 + b2 * y2 + c2 * z2 + t00 + t11
    work[body + 7] = a0 * x1 + b0 * y1 + c0 * z1 - (p0 * s1 + r0 * p1)
    work[body + 8] = a0 * x2 + b0 * y2 + c0 * z2 - (p0 * s2 + r0 * p2)
    work[body + 9] = a1 * x2 + b1 * y2 + c1 * z2 - (p1 * s2 + r1 * p2)


@inlined_kernel
def momentum(work: Floats, body: int, v: int, out: int) -> None:
    """Out = I v for an inertia, a motion and a force vector in `work`.

    n = J w + s x v,  f = m v - s x w, with s the first moment.
    """
    m, s0, s1, s2 = work[body], work[body + 1], work[body + 2], work[body + 3]
    xx, yy, zz = work[body + 4], work[body + 5], work[body + 6]
    xy, xz, yz = work[body + 7], work[body + 8], work[body + 9]
    w0, w1, w2, v0, v1, v2 = (
        work[v],
        work[v + 1],
        work[v + 2],
        work[v + 3],
        work[v + 4],
        work[v + 5],
    )
    work[out] = xx * w0 + xy * w1 + xz * w2 + s1 * v2 - s2 * v1
    work[out + 1] = xy * w0 + yy * w1 + yz * w2 + s2 * v0 - s0 * v2
    work[out + 2] = xz * w0 + yz * w1 + zz * w2 + s0 * v1 - s1 * v0
    work[out + 3] = m * v0 - s1 * w2 + s2 * w1
    work[out + 4] = m * v1 - s2 * w0 + s0 * w2
    work[out + 5] = m * v2 - s0 * w1 + s1 * w0


@inlined_kernel
def dot(work: Floats, a: int, b: int) -> float:
    """Product of a motion and a force vector in `work`."""
    return float(
        work[a] * work[b]
        + work[a + 1] * work[b + 1]
        + work[a + 2] * work[b + 2]
        + work[a + 3] * work[b + 3]
        + work[a + 4] * work[b + 4]
        + work[a + 5] * work[b + 5]
    )


@inlined_kernel
def add_cross(work: Floats, v: int, t: int, rate: float, out: int) -> None:
    """Out += rate (v x t), the motion t being carried along by the motion v."""
    w0, w1, w2, v0, v1, v2 = (
        work[v],
        work[v + 1],
        work[v + 2],
        work[v + 3],
        work[v + 4],
        work[v + 5],
    )
    t0, t1, t2, t3, t4, t5 = (
        work[t],
        work[t + 1],
        work[t + 2],
        work[t + 3],
        work[t + 4],
        work[t + 5],
    )
    work[out] += rate * (w1 * t2 - w2 * t1)
    work[out + 1] += rate * (w2 * t0 - w0 * t2)
    work[out + 2] += rate * (w0 * t1 - w1 * t0)
    work[out + 3] += rate * (w1 * t5 - w2 * t4 + v1 * t2 - v2 * t1)
    work[out + 4] += rate * (w2 * t3 - w0 * t5 + v2 * t0 - v0 * t2)
    work[out + 5] += rate * (w0 * t4 - w1 * t3 + v0 * t1 - v1 * t0)


@inlined_kernel
def add_cross_force(
    work: Floats, v: int, h0: float, h1: float, h2: float, h3: float, h4: float, h5: float, out: int
) -> None:
    """Out += v x* h, the rate of a momentum h that is carried along by the motion v."""
    w0, w1, w2, v0, v1, v2 = (
        work[v],
        work[v + 1],
        work[v + 2],
        work[v + 3],
        work[v + 4],
        work[v + 5],
    )
    work[out] += w1 * h2 - w2 * h1 + v1 * h5 - v2 * h4
    work[out + 1] += w2 * h0 - w0 * h2 + v2 * h3 - v0 * h5
    work[out + 2] += w0 * h1 - w1 * h0 + v0 * h4 - v1 * h3
    work[out + 3] += w1 * h5 - w2 * h4
    work[out + 4] += w2 * h3 - w0 * h5
    work[out + 5] += w0 * h4 - w1 * h3


@inlined_kernel
def set_velocities(tree_i: Ints, v_in: Floats, work: Floats) -> None:
    """Velocities V, and as accelerations A what the velocities alone make, freedom by freedom.

    A_d here is the part V_carrier x T_d v_d of one freedom, not yet added up.
    """
    nd = tree_i.shape[0]
    for d in range(nd):
        parent, carrier, rate = tree_i[d, PARENT], tree_i[d, CARRIER], v_in[tree_i[d, IV]]
        at, t, a = V * nd + 6 * d, T * nd + 6 * d, A * nd + 6 * d
        for k in range(6):
            work[at + k] = rate * work[t + k]
            work[a + k] = 0.0
        if parent >= 0:
            up = V * nd + 6 * parent
            for k in range(6):
                work[at + k] += work[up + k]
        if carrier >= 0:
            add_cross(work, V * nd + 6 * carrier, t, rate, a)


@inlined_kernel
def body_force(work: Floats, nd: int, d: int, out: int) -> None:
    """Force that a body needs for its acceleration A and velocity V: I A + V x* I V."""
    v, a, body = V * nd + 6 * d, A * nd + 6 * d, BODY * nd + 10 * d
    momentum(work, body, v, out)
    h0, h1, h2 = work[out], work[out + 1], work[out + 2]
    h3, h4, h5 = work[out + 3], work[out + 4], work[out + 5]
    momentum(work, body, a, out)
    add_cross_force(work, v, h0, h1, h2, h3, h4, h5, out)


@inlined_kernel
def gather_forces(
    tree_i: Ints, tree_f: Floats, vdot_in: Floats, wrenches_in: Floats, work: Floats
) -> None:
    """Accelerations A in full and forces F through every freedom, velocities being set.

    The base accelerates upwards by gravity instead of gravity pulling on every body.
    `wrenches_in` (nd or 0, 6): external forces on the bodies, at the world's origin.
    """
    nd = tree_i.shape[0]
    for d in range(nd):
        parent, rate = tree_i[d, PARENT], vdot_in[tree_i[d, IV]]
        t, a, f = T * nd + 6 * d, A * nd + 6 * d, F * nd + 6 * d
        for k in range(6):
            work[a + k] += rate * work[t + k]
        if parent >= 0:
            up = A * nd + 6 * parent
            for k in range(6):
                work[a + k] += work[up + k]
        else:
            for k in range(3):
                work[a + 3 + k] -= tree_f[0, k]
        body_force(work, nd, d, f)
        if wrenches_in.shape[0] > 0:
            for k in range(6):
                work[f + k] -= wrenches_in[d, k]
    for d in range(nd - 1, -1, -1):
        parent = tree_i[d, PARENT]
        if parent >= 0:
            f, up = F * nd + 6 * d, F * nd + 6 * parent
            for k in range(6):
                work[up + k] += work[f + k]


@inlined_kernel
def inverse_dynamics(
    tree_i: Ints,
    tree_f: Floats,
    q_in: Floats,
    v_in: Floats,
    vdot_in: Floats,
    wrenches_in: Floats,
    work: Floats,
    tau_out: Floats,
) -> int:
    """`rnea` of what was cut from the packed memory."""
    nd = tree_i.shape[0]
    if not fits(tree_i, tree_f, q_in, v_in) or vdot_in.shape[0] != nd or tau_out.shape[0] != nd:
        return WRONG_SIZE
    set_turns(tree_i, q_in, work)
    place(tree_i, tree_f, work)
    set_velocities(tree_i, v_in, work)
    gather_forces(tree_i, tree_f, vdot_in, wrenches_in, work)
    total = 0.0
    for d in range(nd):
        tau = dot(work, T * nd + 6 * d, F * nd + 6 * d)
        tau_out[tree_i[d, IV]] = tau
        total += tau
    return OK if math.isfinite(total) else NOT_FINITE


@inlined_kernel
def fits(tree_i: Ints, tree_f: Floats, q_in: Floats, v_in: Floats) -> bool:
    """Whether positions and velocities are as many as the tree has."""
    return bool(q_in.shape[0] == tree_f[0, N_Q] and v_in.shape[0] == tree_i.shape[0])


@inlined_kernel
def cut(tree_i: Ints, memory: Floats) -> tuple[Floats, Floats, Floats]:
    """`tree_f`, `work`, and no wrenches, from the one array that the public functions pass."""
    nd = tree_i.shape[0]
    at = TREE_F * (1 + nd)
    return memory[:at].reshape(1 + nd, TREE_F), memory[at:], memory[:0].reshape(0, 6)


@kernel
def rnea(
    tree_i: Ints,
    memory: Floats,
    q_in: Floats,
    v_in: Floats,
    vdot_in: Floats,
    tau_out: Floats,
) -> int:
    """Generalized forces of a motion (recursive Newton-Euler), gravity included.

    Algorithm 1 of the roadheader paper with what its line 12 lacks: the term v x S qd, and S qdd.
    """
    tree_f, work, none = cut(tree_i, memory)
    return inverse_dynamics(tree_i, tree_f, q_in, v_in, vdot_in, none, work, tau_out)


@kernel
def rnea_under(
    tree_i: Ints,
    memory: Floats,
    q_in: Floats,
    v_in: Floats,
    vdot_in: Floats,
    wrenches_in: Floats,
    tau_out: Floats,
) -> int:
    """`rnea` with external forces on the bodies, (nd, 6)."""
    tree_f, work, _ = cut(tree_i, memory)
    return inverse_dynamics(tree_i, tree_f, q_in, v_in, vdot_in, wrenches_in, work, tau_out)


@inlined_kernel
def composite(tree_i: Ints, work: Floats) -> None:
    """Inertias of everything that each freedom moves, into the part COMPOSITE."""
    nd = tree_i.shape[0]
    for k in range(10 * nd):
        work[COMPOSITE * nd + k] = work[BODY * nd + k]
    for d in range(nd - 1, -1, -1):
        parent = tree_i[d, PARENT]
        if parent >= 0:
            at, up = COMPOSITE * nd + 10 * d, COMPOSITE * nd + 10 * parent
            for k in range(10):
                work[up + k] += work[at + k]


@inlined_kernel
def mass_matrix(tree_i: Ints, work: Floats, M_out: Floats) -> None:
    """Joint-space inertia, bodies being placed: M_de = T_d . I_composite T_e."""
    nd = tree_i.shape[0]
    composite(tree_i, work)
    for i in range(nd):
        for j in range(nd):
            M_out[i, j] = 0.0
    for d in range(nd):
        f, t = F * nd + 6 * d, T * nd + 6 * d
        momentum(work, COMPOSITE * nd + 10 * d, t, f)
        n0, n1, n2 = work[f], work[f + 1], work[f + 2]
        f0, f1, f2 = work[f + 3], work[f + 4], work[f + 5]
        column, e = tree_i[d, IV], d
        while e >= 0:
            t = T * nd + 6 * e
            value = work[t] * n0 + work[t + 1] * n1 + work[t + 2] * n2
            value += work[t + 3] * f0 + work[t + 4] * f1 + work[t + 5] * f2
            row = tree_i[e, IV]
            M_out[row, column] = value
            M_out[column, row] = value
            e = tree_i[e, PARENT]


@kernel
def crba(tree_i: Ints, memory: Floats, q_in: Floats, M_out: Floats) -> int:
    """Joint-space inertia matrix (composite rigid bodies).

    Algorithm 2 of the roadheader paper; its lines 12-16 walk j up the tree, not i.
    """
    nd = tree_i.shape[0]
    tree_f, work, _ = cut(tree_i, memory)
    if q_in.shape[0] != tree_f[0, N_Q] or M_out.shape[0] != nd or M_out.shape[1] != nd:
        return WRONG_SIZE
    set_turns(tree_i, q_in, work)
    place(tree_i, tree_f, work)
    mass_matrix(tree_i, work, M_out)
    total = 0.0
    for d in range(nd):
        total += M_out[d, d]
    return OK if math.isfinite(total) else NOT_FINITE


@inlined_kernel
def articulate(tree_i: Ints, work: Floats) -> bool:
    """Articulated-body inertias, and for every freedom the gain U with 1 / D.

    The inertia of a handle is [[J, B], [B^T, C]] as 21 numbers: J and C (xx, yy, zz, xy, xz, yz)
    at 0 and 15, B in rows at 6. U = I T stands in the part F's place of a freedom, 1 / (T . U) at
    GAIN. False where a freedom moves nothing that has inertia.
    """
    nd = tree_i.shape[0]
    for d in range(nd):
        body, at = BODY * nd + 10 * d, ARTICULATED * nd + 21 * d
        m, s0, s1, s2 = work[body], work[body + 1], work[body + 2], work[body + 3]
        for k in range(6):
            work[at + k] = work[body + 4 + k]
            work[at + 15 + k] = m if k < 3 else 0.0
        work[at + 6], work[at + 7], work[at + 8] = 0.0, -s2, s1
        work[at + 9], work[at + 10], work[at + 11] = s2, 0.0, -s0
        work[at + 12], work[at + 13], work[at + 14] = -s1, s0, 0.0
    for d in range(nd - 1, -1, -1):
        at, t, u = ARTICULATED * nd + 21 * d, T * nd + 6 * d, F * nd + 6 * d
        times(work, at, t, u)
        D = dot(work, t, u)
        # no more than the rounding of what it is made of: nothing (a thin rod about its own line)
        part = at + 15 if tree_i[d, KIND] == PRISMATIC else at
        least = NOTHING * (work[part] + work[part + 1] + work[part + 2])
        if not least < D:  # NaN neither
            work[GAIN * nd + d] = 0.0 * D  # tells who it was; NaN where it was too large
            return False
        gain = 1.0 / D
        work[GAIN * nd + d] = gain
        parent = tree_i[d, PARENT]
        if parent < 0:
            continue
        up = ARTICULATED * nd + 21 * parent
        u0, u1, u2 = work[u], work[u + 1], work[u + 2]
        u3, u4, u5 = work[u + 3], work[u + 4], work[u + 5]
        g0, g1, g2, g3, g4, g5 = gain * u0, gain * u1, gain * u2, gain * u3, gain * u4, gain * u5
        work[up] += work[at] - u0 * g0
        work[up + 1] += work[at + 1] - u1 * g1
        work[up + 2] += work[at + 2] - u2 * g2
        work[up + 3] += work[at + 3] - u0 * g1
        work[up + 4] += work[at + 4] - u0 * g2
        work[up + 5] += work[at + 5] - u1 * g2
        work[up + 6] += work[at + 6] - u0 * g3
        work[up + 7] += work[at + 7] - u0 * g4
        work[up + 8] += work[at + 8] - u0 * g5
        work[up + 9] += work[at + 9] - u1 * g3
        work[up + 10] += work[at + 10] - u1 * g4
        work[up + 11] += work[at + 11] - u1 * g5
        work[up + 12] += work[at + 12] - u2 * g3
        work[up + 13] += work[at + 13] - u2 * g4
        work[up + 14] += work[at + 14] - u2 * g5
        work[up + 15] += work[at + 15] - u3 * g3
        work[up + 16] += work[at + 16] - u4 * g4
        work[up + 17] += work[at + 17] - u5 * g5
        work[up + 18] += work[at + 18] - u3 * g4
        work[up + 19] += work[at + 19] - u3 * g5
        work[up + 20] += work[at + 20] - u4 * g5
    return True


@inlined_kernel
def times(work: Floats, at: int, v: int, out: int) -> None:
    """Out = I v for an articulated inertia."""
    w0, w1, w2, v0, v1, v2 = (
        work[v],
        work[v + 1],
        work[v + 2],
        work[v + 3],
        work[v + 4],
        work[v + 5],
    )
    xx, yy, zz = work[at], work[at + 1], work[at + 2]
    xy, xz, yz = work[at + 3], work[at + 4], work[at + 5]
    b = at + 6
    work[out] = xx * w0 + xy * w1 + xz * w2 + work[b] * v0 + work[b + 1] * v1 + work[b + 2] * v2
    work[out + 1] = (
        xy * w0 + yy * w1 + yz * w2 + work[b + 3] * v0 + work[b + 4] * v1 + work[b + 5] * v2
    )
    work[out + 2] = (
        xz * w0 + yz * w1 + zz * w2 + work[b + 6] * v0 + work[b + 7] * v1 + work[b + 8] * v2
    )
    xx, yy, zz = work[at + 15], work[at + 16], work[at + 17]
    xy, xz, yz = work[at + 18], work[at + 19], work[at + 20]
    work[out + 3] = work[b] * w0 + work[b + 3] * w1 + work[b + 6] * w2 + xx * v0 + xy * v1 + xz * v2
    work[out + 4] = (
        work[b + 1] * w0 + work[b + 4] * w1 + work[b + 7] * w2 + xy * v0 + yy * v1 + yz * v2
    )
    work[out + 5] = (
        work[b + 2] * w0 + work[b + 5] * w1 + work[b + 8] * w2 + xz * v0 + yz * v1 + zz * v2
    )


@inlined_kernel
def accelerate(
    tree_i: Ints,
    tree_f: Floats,
    tau_in: Floats,
    wrenches_in: Floats,
    work: Floats,
    vdot_out: Floats,
) -> None:
    """Accelerations of the freedoms, articulated inertias and velocities being set.

    Inwards the forces Z that hold the handles, outwards the accelerations; the part A holds what
    velocities make in a freedom, and in the end the bodies' accelerations.
    """
    nd = tree_i.shape[0]
    for d in range(nd):
        z, v = FORCE * nd + 6 * d, V * nd + 6 * d
        momentum(work, BODY * nd + 10 * d, v, z)
        h0, h1, h2 = work[z], work[z + 1], work[z + 2]
        h3, h4, h5 = work[z + 3], work[z + 4], work[z + 5]
        for k in range(6):
            work[z + k] = -wrenches_in[d, k] if wrenches_in.shape[0] > 0 else 0.0
        add_cross_force(work, v, h0, h1, h2, h3, h4, h5, z)
    for d in range(nd - 1, -1, -1):
        z, u, a, parent = FORCE * nd + 6 * d, F * nd + 6 * d, A * nd + 6 * d, tree_i[d, PARENT]
        gain = work[GAIN * nd + d]
        rest = tau_in[tree_i[d, IV]] - dot(work, T * nd + 6 * d, z)
        vdot_out[tree_i[d, IV]] = gain * rest
        if parent >= 0:
            # Z + (I - U U^T / D) a + U rest / D
            up = FORCE * nd + 6 * parent
            at = ARTICULATED * nd + 21 * d
            factor = gain * (rest - dot(work, u, a))
            for k in range(6):
                work[up + k] += work[z + k] + factor * work[u + k]
            add_times(work, at, a, up)
    for d in range(nd):
        a, u, t, parent = A * nd + 6 * d, F * nd + 6 * d, T * nd + 6 * d, tree_i[d, PARENT]
        if parent >= 0:
            up = A * nd + 6 * parent
            for k in range(6):
                work[a + k] += work[up + k]
        else:
            for k in range(3):
                work[a + 3 + k] -= tree_f[0, k]
        rate = vdot_out[tree_i[d, IV]] - work[GAIN * nd + d] * dot(work, u, a)
        vdot_out[tree_i[d, IV]] = rate
        for k in range(6):
            work[a + k] += rate * work[t + k]


@inlined_kernel
def add_times(work: Floats, at: int, v: int, out: int) -> None:
    """Out += I v for an articulated inertia."""
    o0, o1, o2 = work[out], work[out + 1], work[out + 2]
    o3, o4, o5 = work[out + 3], work[out + 4], work[out + 5]
    times(work, at, v, out)
    work[out] += o0
    work[out + 1] += o1
    work[out + 2] += o2
    work[out + 3] += o3
    work[out + 4] += o4
    work[out + 5] += o5


@inlined_kernel
def forward_dynamics(
    tree_i: Ints,
    tree_f: Floats,
    q_in: Floats,
    v_in: Floats,
    tau_in: Floats,
    wrenches_in: Floats,
    work: Floats,
    vdot_out: Floats,
) -> int:
    """`aba` of what was cut from the packed memory."""
    nd = tree_i.shape[0]
    if not fits(tree_i, tree_f, q_in, v_in) or tau_in.shape[0] != nd or vdot_out.shape[0] != nd:
        return WRONG_SIZE
    set_turns(tree_i, q_in, work)
    place(tree_i, tree_f, work)
    set_velocities(tree_i, v_in, work)
    if not articulate(tree_i, work):
        return NO_INERTIA
    accelerate(tree_i, tree_f, tau_in, wrenches_in, work, vdot_out)
    total = 0.0
    for d in range(nd):
        total += vdot_out[d]
    return OK if math.isfinite(total) else NOT_FINITE


@kernel
def aba(
    tree_i: Ints,
    memory: Floats,
    q_in: Floats,
    v_in: Floats,
    tau_in: Floats,
    vdot_out: Floats,
) -> int:
    """Accelerations under generalized forces (articulated bodies), gravity included."""
    tree_f, work, none = cut(tree_i, memory)
    return forward_dynamics(tree_i, tree_f, q_in, v_in, tau_in, none, work, vdot_out)


@kernel
def aba_under(
    tree_i: Ints,
    memory: Floats,
    q_in: Floats,
    v_in: Floats,
    tau_in: Floats,
    wrenches_in: Floats,
    vdot_out: Floats,
) -> int:
    """`aba` with external forces on the bodies, (nd, 6)."""
    tree_f, work, _ = cut(tree_i, memory)
    return forward_dynamics(tree_i, tree_f, q_in, v_in, tau_in, wrenches_in, work, vdot_out)


@kernel
def respond(tree_i: Ints, impulse_in: Floats, work: Floats, dv_out: Floats) -> None:
    """Change of velocity by a generalized impulse, M^-1 p, articulated inertias being set.

    The passes of `accelerate` without velocities and gravity (paper SIMGC, Figs. 2 and 3).
    """
    nd = tree_i.shape[0]
    for d in range(6 * nd):
        work[FORCE * nd + d] = 0.0
    for d in range(nd - 1, -1, -1):
        z, u, parent = FORCE * nd + 6 * d, F * nd + 6 * d, tree_i[d, PARENT]
        rest = work[GAIN * nd + d] * (impulse_in[tree_i[d, IV]] - dot(work, T * nd + 6 * d, z))
        dv_out[tree_i[d, IV]] = rest
        if parent >= 0:
            up = FORCE * nd + 6 * parent
            for k in range(6):
                work[up + k] += work[z + k] + rest * work[u + k]
    for d in range(nd):
        a, u, t, parent = FORCE * nd + 6 * d, F * nd + 6 * d, T * nd + 6 * d, tree_i[d, PARENT]
        for k in range(6):
            work[a + k] = work[FORCE * nd + 6 * parent + k] if parent >= 0 else 0.0
        rate = dv_out[tree_i[d, IV]] - work[GAIN * nd + d] * dot(work, u, a)
        dv_out[tree_i[d, IV]] = rate
        for k in range(6):
            work[a + k] += rate * work[t + k]


@kernel
def place_tree(tree_i: Ints, tree_f: Floats, q_in: Floats, v_in: Floats, work: Floats) -> None:
    """Poses, axes, inertias and velocities, for those who go on from there."""
    set_turns(tree_i, q_in, work)
    place(tree_i, tree_f, work)
    set_velocities(tree_i, v_in, work)


@kernel
def energy(tree_i: Ints, tree_f: Floats, work: Floats, h_out: Floats) -> tuple[float, float]:
    """Kinetic and potential energy [J], and the momentum at the origin (6,)."""
    nd = tree_i.shape[0]
    kinetic, potential = 0.0, 0.0
    for k in range(6):
        h_out[k] = 0.0
    for d in range(nd):
        f, v, body = F * nd + 6 * d, V * nd + 6 * d, BODY * nd + 10 * d
        momentum(work, body, v, f)
        kinetic += 0.5 * dot(work, v, f)
        for k in range(3):
            potential -= tree_f[0, k] * work[body + 1 + k]
        for k in range(6):
            h_out[k] += work[f + k]
    return kinetic, potential


def warm_up() -> None:
    """Compile what the public functions call, on one pendulum."""
    tree_i = np.array([[-1, -1, REVOLUTE, 0, 0]])
    memory = np.zeros(2 * TREE_F + ROW)
    memory[[N_Q, TREE_F, TREE_F + 5, TREE_F + 10, TREE_F + MASS, TREE_F + MASS + 6]] = 1.0
    tree_f, work = memory[: 2 * TREE_F].reshape(2, TREE_F), memory[2 * TREE_F :]
    one, wrench = np.zeros(1), np.zeros((1, 6))
    rnea(tree_i, memory, one, one, one, np.zeros(1))
    rnea_under(tree_i, memory, one, one, one, wrench, np.zeros(1))
    crba(tree_i, memory, one, np.zeros((1, 1)))
    aba(tree_i, memory, one, one, one, np.zeros(1))
    aba_under(tree_i, memory, one, one, one, wrench, np.zeros(1))
    place_tree(tree_i, tree_f, one, one, work)
    energy(tree_i, tree_f, work, np.zeros(6))
