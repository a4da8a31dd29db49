"""Kernels over a spanning tree, in world axes: placing, RNEA and CRBA; ABA is in `articulated`.

Everything is written for degrees of freedom, not for joints: each has an axis z of its own frame,
turns about it or slides along it, and carries a rigid body, which may be nothing. A universal
joint is two hinges; a free joint is three slides and a spherical one; a spherical joint is three
freedoms whose frames are one (SPHERICAL, then two PARTs), so that no angle can lock.

Motion and force vectors are angular first, taken at the world's origin in world axes. Nothing is
transformed on the way through the tree then: velocities, forces and composite inertias simply add
up (Featherstone's algorithms with all coordinates chosen equal). The price is a body's inertia
about the origin, once in a placing: for machines that stand near it, less than the transforms.

- `tree_i` (nd, 5), freedoms numbered depth first: parent freedom (-1: the base), the freedom that
  carries the axis, kind, place of the position in q, place of the velocity in v;
- `tree_f` (1 + nd, 23): in the first row gravity [m/s^2], the number of positions, and whether
  external forces count that stand in the public functions' memory (0 or 1); for each freedom its
  frame in the parent's as 3x4 rows, then mass, first moment and inertia of what it carries, about
  the frame's origin (xx, yy, zz, xy, xz, yz), then its armature: the inertia of its drive's rotor,
  which only the freedom's own rate turns. It stands on the diagonal of the inertia matrix and
  nowhere else: [kg m^2], of slides [kg].

`work` is scratch memory of ROW * nd doubles. Its parts, each with so many numbers a freedom, hold
the results: poses X (12), axes T (6), velocities V (6), accelerations A (6), forces F (6), and
inertias (10: mass, first moment, inertia about the origin).

Three habits keep the code that Numba makes of this short:

- indices are cut to the bits of `INDEX`, so that they are known not to be negative; otherwise every
  access tests whether an index counts from the end, a quarter of all instructions;
- all that a step needs is read, as tuples, before it writes anything: vectors of one array might
  overlap, and what was not yet read would have to wait;
- the last use of an array stands outside of branches; otherwise references to it are counted, by
  an instruction that locks memory.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined_kernel, kernel, part, table
from .algebra._kernels import (
    NO_BODY,
    ZERO,
    Numbers,
    add,
    body_at,
    compose,
    cosine_and_sine,
    cross,
    cross_force,
    dot,
    hinge,
    momentum,
    momentum_of,
    plus,
    pose_at,
    product,
    put_body,
    put_pose,
    put_six,
    scaled,
    six,
    slid,
    turned,
    turned_freely,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PARENT, CARRIER, KIND, IQ, IV = range(5)
REVOLUTE, PRISMATIC, SPHERICAL, PART = range(4)
TREE_I, TREE_F = 5, 23
N_Q, PULLED = 3, 4  # in the first row of tree_f
MASS, ARMATURE = 12, 22  # in a row of tree_f: mass, first moment, inertia; the rotor's inertia

# parts of `work` begin at so many times nd
X, T, V, A, F, BODY = 0, 12, 18, 24, 30, 36
TURN, COMPOSITE, ARTICULATED, FORCE, GAIN, RATE = 46, 48, 58, 79, 85, 86
ROW = 88
INDEX = 0x7FFFFFFF
OK, WRONG_SIZE, NOT_FINITE, NO_INERTIA = 0, 1, 2, 3


@inlined_kernel
def number_of(tree_i: Ints) -> int:
    """Number nd of freedoms."""
    return int(tree_i.shape[0]) & INDEX


@inlined_kernel
def from_last(nd: int, k: int) -> int:
    """Freedom k from the last one, for the way inwards."""
    return (nd - 1 - k) & INDEX


# ------------------------------------------------------------------------------------- placing


@inlined_kernel
def set_turns(tree_i: Ints, q_in: Floats, work: Floats) -> None:
    """What `place` needs of the positions: cosine and sine, displacement, or quaternion."""
    nd = number_of(tree_i)
    for d in range(nd):
        at, kind, iq = TURN * nd + 2 * d, tree_i[d, KIND], tree_i[d, IQ] & INDEX
        if kind == REVOLUTE:
            work[at], work[at + 1] = cosine_and_sine(q_in[iq])
        elif kind == PRISMATIC:
            work[at] = q_in[iq]
        elif kind == SPHERICAL:
            for k in range(4):
                work[at + k] = q_in[iq + k]


@inlined_kernel
def place(tree_i: Ints, tree_f: Floats, work: Floats) -> None:
    """Poses X, axes T and inertias about the world's origin, from the turns in `work`."""
    nd = number_of(tree_i)
    for d in range(nd):
        kind, parent = tree_i[d, KIND], tree_i[d, PARENT]
        if kind == PART:
            continue
        at, turn, axis, body = (
            X * nd + 12 * d,
            TURN * nd + 2 * d,
            T * nd + 6 * d,
            BODY * nd + 10 * d,
        )
        pose = frame_of(tree_f, d + 1)
        if parent >= 0:
            pose = compose(pose_at(work, X * nd + 12 * parent), pose)
        if kind == REVOLUTE:
            pose = turned(pose, work[turn], work[turn + 1])
            put_pose(work, at, pose)
            put_six(work, axis, hinge(pose, 2))
            put_body(work, body, placed(pose, tree_f, d + 1))
        elif kind == PRISMATIC:
            pose = slid(pose, work[turn])
            put_pose(work, at, pose)
            put_six(work, axis, (0.0, 0.0, 0.0, pose[2], pose[6], pose[10]))
            put_body(work, body, placed(pose, tree_f, d + 1))
        else:
            pose = turned_freely(pose, (work[turn], work[turn + 1], work[turn + 2], work[turn + 3]))
            for k in range(3):
                put_pose(work, at + 12 * k, pose)
                put_body(work, body + 10 * k, NO_BODY)
            put_six(work, axis, hinge(pose, 0))
            put_six(work, axis + 6, hinge(pose, 1))
            put_six(work, axis + 12, hinge(pose, 2))
            put_body(work, body + 20, placed(pose, tree_f, d + 3))


@inlined_kernel
def frame_of(tree_f: Floats, row: int) -> Numbers:
    """Frame of a freedom in its parent's, 3x4 in rows."""
    return (
        tree_f[row, 0], tree_f[row, 1], tree_f[row, 2], tree_f[row, 3],
        tree_f[row, 4], tree_f[row, 5], tree_f[row, 6], tree_f[row, 7],
        tree_f[row, 8], tree_f[row, 9], tree_f[row, 10], tree_f[row, 11],
    )  # fmt: skip


@inlined_kernel
def placed(pose: Numbers, tree_f: Floats, row: int) -> Numbers:
    """Mass, first moment and inertia of a body about the world's origin.

    With r the first moment about the frame's origin p, in world axes, and J the inertia there,
    it is J + (2 p.r + m p.p) 1 - (p r^T + r p^T + m p p^T).
    """
    x0, y0, z0, p0, x1, y1, z1, p1, x2, y2, z2, p2 = pose
    m = tree_f[row, MASS]
    if m == 0.0 and tree_f[row, MASS + 4] == 0.0 and tree_f[row, MASS + 5] == 0.0:
        return NO_BODY
    rx, ry, rz = tree_f[row, MASS + 1], tree_f[row, MASS + 2], tree_f[row, MASS + 3]
    xx, yy, zz = tree_f[row, MASS + 4], tree_f[row, MASS + 5], tree_f[row, MASS + 6]
    xy, xz, yz = tree_f[row, MASS + 7], tree_f[row, MASS + 8], tree_f[row, MASS + 9]
    r0 = x0 * rx + y0 * ry + z0 * rz
    r1 = x1 * rx + y1 * ry + z1 * rz
    r2 = x2 * rx + y2 * ry + z2 * rz
    a0, a1, a2 = (
        x0 * xx + y0 * xy + z0 * xz,
        x1 * xx + y1 * xy + z1 * xz,
        x2 * xx + y2 * xy + z2 * xz,
    )
    b0, b1, b2 = (
        x0 * xy + y0 * yy + z0 * yz,
        x1 * xy + y1 * yy + z1 * yz,
        x2 * xy + y2 * yy + z2 * yz,
    )
    c0, c1, c2 = (
        x0 * xz + y0 * yz + z0 * zz,
        x1 * xz + y1 * yz + z1 * zz,
        x2 * xz + y2 * yz + z2 * zz,
    )
    # p r^T + r p^T + m p p^T = p s^T + r p^T with s = r + m p
    s0, s1, s2 = r0 + m * p0, r1 + m * p1, r2 + m * p2
    t00, t11, t22 = p0 * s0 + r0 * p0, p1 * s1 + r1 * p1, p2 * s2 + r2 * p2
    return (
        m, s0, s1, s2,
        (a0 * x0 + b0 * y0) + (c0 * z0 + (t11 + t22)),
        (a1 * x1 + b1 * y1) + (c1 * z1 + (t00 + t22)),
        (a2 * x2 + b2 * y2) + (c2 * z2 + (t00 + t11)),
        (a0 * x1 + b0 * y1) + (c0 * z1 - (p0 * s1 + r0 * p1)),
        (a0 * x2 + b0 * y2) + (c0 * z2 - (p0 * s2 + r0 * p2)),
        (a1 * x2 + b1 * y2) + (c1 * z2 - (p1 * s2 + r1 * p2)),
    )  # fmt: skip


@inlined_kernel
def set_velocities(tree_i: Ints, v_in: Floats, work: Floats) -> None:
    """Velocities V, and as accelerations A what the velocities alone make, freedom by freedom.

    A_d here is the part V_carrier x T_d v_d of one freedom, not yet added up.
    """
    nd = number_of(tree_i)
    for d in range(nd):
        parent, carrier, at = tree_i[d, PARENT], tree_i[d, CARRIER], V * nd + 6 * d
        motion = scaled(v_in[tree_i[d, IV]], six(work, T * nd + 6 * d))
        up = six(work, V * nd + 6 * parent) if parent >= 0 else ZERO
        by = six(work, V * nd + 6 * carrier) if carrier >= 0 else ZERO
        put_six(work, at, plus(up, motion))
        put_six(work, A * nd + 6 * d, cross(by, motion))


@kernel
def place_tree(tree_i: Ints, tree_f: Floats, q_in: Floats, v_in: Floats, work: Floats) -> None:
    """Poses, axes, inertias and velocities, for those who go on from there."""
    set_turns(tree_i, q_in, work)
    place(tree_i, tree_f, work)
    set_velocities(tree_i, v_in, work)


# ---------------------------------------------------------------------------- inverse dynamics


@inlined_kernel
def body_forces(tree_i: Ints, tree_f: Floats, wrenches_in: Floats, out: int, work: Floats) -> None:
    """Accelerations A added up along the tree, and what force each body needs for them.

    I A + V x* I V, less the external force on it, into a part of `work`. The base accelerates
    upwards by gravity instead of gravity pulling on every body. `wrenches_in` (nd or 0, 6):
    external forces on the bodies, at the world's origin.
    """
    nd = number_of(tree_i)
    for d in range(nd):
        parent, a = tree_i[d, PARENT], A * nd + 6 * d
        up = six(work, A * nd + 6 * parent) if parent >= 0 else upwards(tree_f)
        body, v = body_at(work, BODY * nd + 10 * d), six(work, V * nd + 6 * d)
        acceleration = plus(up, six(work, a))
        force = plus(momentum_of(body, acceleration), cross_force(v, momentum_of(body, v)))
        if wrenches_in.shape[0] > 0:
            force = (
                force[0] - wrenches_in[d, 0],
                force[1] - wrenches_in[d, 1],
                force[2] - wrenches_in[d, 2],
                force[3] - wrenches_in[d, 3],
                force[4] - wrenches_in[d, 4],
                force[5] - wrenches_in[d, 5],
            )
        put_six(work, a, acceleration)
        put_six(work, out * nd + 6 * d, force)


@inlined_kernel
def upwards(tree_f: Floats) -> Numbers:
    """Acceleration of the base."""
    return 0.0, 0.0, 0.0, -tree_f[0, 0], -tree_f[0, 1], -tree_f[0, 2]


@inlined_kernel
def gather_forces(
    tree_i: Ints, tree_f: Floats, vdot_in: Floats, wrenches_in: Floats, work: Floats
) -> None:
    """Accelerations A in full and forces F through every freedom, velocities being set.

    `wrenches_in` as for `body_forces`.
    """
    nd = number_of(tree_i)
    for d in range(nd):
        a, t, rate = A * nd + 6 * d, T * nd + 6 * d, vdot_in[tree_i[d, IV]]
        put_six(work, a, plus(six(work, a), scaled(rate, six(work, t))))
    body_forces(tree_i, tree_f, wrenches_in, F, work)
    for k in range(nd):
        d = from_last(nd, k)
        parent = tree_i[d, PARENT]
        if parent >= 0:
            add(work, F * nd + 6 * d, F * nd + 6 * parent)


@inlined_kernel
def fits(tree_i: Ints, tree_f: Floats, q_in: Floats, v_in: Floats) -> bool:
    """Whether positions and velocities are as many as the tree has."""
    return bool(q_in.shape[0] == tree_f[0, N_Q] and v_in.shape[0] == tree_i.shape[0])


@inlined_kernel
def cut(tree_i: Ints, memory: Floats) -> tuple[Floats, Floats, Floats]:
    """`tree_f`, `work` and `wrenches` from the one array that the public functions pass."""
    nd = number_of(tree_i)
    at = TREE_F * (1 + nd)
    pulled = nd if memory[PULLED] != 0.0 else 0
    wrenches = table(memory, at + ROW * nd, pulled, 6)
    return table(memory, 0, 1 + nd, TREE_F), part(memory, at, ROW * nd), wrenches


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
    nd = number_of(tree_i)
    tree_f, work, wrenches = cut(tree_i, memory)
    if not fits(tree_i, tree_f, q_in, v_in) or vdot_in.shape[0] != nd or tau_out.shape[0] != nd:
        return WRONG_SIZE
    set_turns(tree_i, q_in, work)
    place(tree_i, tree_f, work)
    set_velocities(tree_i, v_in, work)
    gather_forces(tree_i, tree_f, vdot_in, wrenches, work)
    total = 0.0
    for d in range(nd):
        iv = tree_i[d, IV]
        tau = dot(work, T * nd + 6 * d, F * nd + 6 * d) + tree_f[d + 1, ARMATURE] * vdot_in[iv]
        tau_out[iv] = tau
        total += tau
    return OK if math.isfinite(total) else NOT_FINITE


@inlined_kernel
def copy_bodies(tree_i: Ints, work: Floats) -> None:
    """Every composite body as its own rigid body, before others are added."""
    nd = number_of(tree_i)
    for k in range(10 * nd):
        work[COMPOSITE * nd + k] = work[BODY * nd + k]


@inlined_kernel
def add_composite(tree_i: Ints, d: int, work: Floats) -> None:
    """Add a freedom's composite body to its parent's."""
    nd, parent = number_of(tree_i), tree_i[d, PARENT]
    a = body_at(work, COMPOSITE * nd + 10 * d)
    if parent >= 0:
        up = COMPOSITE * nd + 10 * parent
        b = body_at(work, up)
        both = (
            a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4],
            a[5] + b[5], a[6] + b[6], a[7] + b[7], a[8] + b[8], a[9] + b[9],
        )  # fmt: skip
        put_body(work, up, both)


@inlined_kernel
def composite(tree_i: Ints, work: Floats) -> None:
    """Inertias of everything that each freedom moves, into the part COMPOSITE."""
    nd = number_of(tree_i)
    copy_bodies(tree_i, work)
    for k in range(nd):
        add_composite(tree_i, from_last(nd, k), work)


@inlined_kernel
def mass_matrix(tree_i: Ints, tree_f: Floats, work: Floats, M_out: Floats) -> None:
    """Joint-space inertia, bodies being placed: M_de = T_e . f_d with f_d = I_composite T_d.

    Freedoms are numbered depth first: those that e moves follow it without a gap. Rotors are
    added to the diagonal.
    """
    nd = number_of(tree_i)
    copy_bodies(tree_i, work)
    for k in range(nd):
        d = from_last(nd, k)
        add_composite(tree_i, d, work)
        momentum(work, COMPOSITE * nd + 10 * d, T * nd + 6 * d, F * nd + 6 * d)
    for i in range(nd):
        for j in range(nd):
            M_out[i, j] = 0.0
    for e in range(nd):
        axis, row, d, inside = six(work, T * nd + 6 * e), tree_i[e, IV] & INDEX, e, True
        while inside:
            value, column = product(axis, six(work, F * nd + 6 * d)), tree_i[d, IV] & INDEX
            M_out[row, column] = value
            M_out[column, row] = value
            d = (d + 1) & INDEX
            inside = d < nd and tree_i[d, PARENT] >= e
        M_out[row, row] += tree_f[e + 1, ARMATURE]


@kernel
def crba(tree_i: Ints, memory: Floats, q_in: Floats, M_out: Floats) -> int:
    """Joint-space inertia matrix (composite rigid bodies).

    Algorithm 2 of the roadheader paper; its lines 12-16 walk j up the tree, not i.
    """
    nd = number_of(tree_i)
    tree_f, work, _ = cut(tree_i, memory)
    if q_in.shape[0] != tree_f[0, N_Q] or M_out.shape[0] != nd or M_out.shape[1] != nd:
        return WRONG_SIZE
    set_turns(tree_i, q_in, work)
    place(tree_i, tree_f, work)
    mass_matrix(tree_i, tree_f, work, M_out)
    total = 0.0
    for d in range(nd):
        total += M_out[d, d]
    return OK if math.isfinite(total) else NOT_FINITE


def pendulum() -> tuple[Ints, Floats]:
    """One hinge with a mass, as the public functions pass it: for compiling."""
    memory = np.zeros(2 * TREE_F + ROW + 6)
    memory[[N_Q, TREE_F, TREE_F + 5, TREE_F + 10, TREE_F + MASS, TREE_F + MASS + 6]] = 1.0
    return np.array([[-1, -1, REVOLUTE, 0, 0]]), memory


def warm_up() -> None:
    """Compile what is called from outside of kernels."""
    (tree_i, memory), one = pendulum(), np.zeros(1)
    tree_f, work = memory[: 2 * TREE_F].reshape(2, TREE_F), memory[2 * TREE_F :]
    rnea(tree_i, memory, one, one, one, np.zeros(1))
    crba(tree_i, memory, one, np.zeros((1, 1)))
    place_tree(tree_i, tree_f, one, one, work)
