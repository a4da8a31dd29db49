"""Kernels that place a spanning tree: poses, axes, inertias and velocities, in world axes.

Everything is written for freedoms, not for joints: each turns about or slides along the axis z of
its own frame, and carries a rigid body, which may be nothing. A universal joint is two hinges; a
free joint is three slides and a ball; a ball is three freedoms whose frames are one.

Motion and force vectors are taken at the world's origin in world axes. Nothing is transformed on
the way through the tree then: velocities, forces and composite inertias simply add up
(Featherstone's algorithms with all coordinates chosen equal). The price is a body's inertia about
the origin, once in a placing: less than the transforms, and for machines that stand near it no
digits are lost by it. For others `Tree.nearby` gives the freedoms about a point near them.

Two habits keep the code that Numba makes of this short. All that a step needs is read, as tuples,
before it writes anything: vectors of one buffer might overlap, and what was not yet read would have
to wait. The last use of an array stands outside of branches; otherwise references to it are
counted, by an instruction that locks memory.
"""

from __future__ import annotations

from ...jit import VECTOR, Records, array_of, entry, header, inlined_kernel, kernel, records
from ...mechanism import Floats
from ...mechanism.kernels import BALL, FREEDOM, PART, place_freedom, set_turn
from ...spatial.kernels import (
    NO_BODY,
    ZERO,
    Numbers,
    body_at,
    cross,
    plus,
    put_body,
    put_six,
    scaled,
    six,
)
from ..records import BODY, TREE


@inlined_kernel
def parts_of(memory: Floats) -> tuple[Records, Records]:
    """Freedoms and bodies in what `memory.pack_tree` has made."""
    tree = header(memory, TREE)
    return records(memory, tree.freedoms, FREEDOM), records(memory, tree.bodies, BODY)


@inlined_kernel
def set_places(freedoms: Records, q_in: Floats, bodies: Records) -> None:
    """Poses, axes and inertias of all bodies at positions."""
    for d in range(freedoms.shape[0]):
        set_turn(freedoms[d], q_in, bodies[d].turn)
    place(freedoms, bodies)


@inlined_kernel
def place(freedoms: Records, bodies: Records) -> None:
    """Poses, axes and inertias of all bodies, from the turns of their freedoms."""
    for d in range(freedoms.shape[0]):
        if freedoms[d].kind == PART:
            continue
        pose = place_freedom(freedoms, d, bodies)
        last = d
        if freedoms[d].kind == BALL:
            put_body(bodies[d].inertia, NO_BODY)
            put_body(bodies[d + 1].inertia, NO_BODY)
            last = d + 2
        put_body(bodies[last].inertia, placed(pose, freedoms[last]))


@inlined_kernel
def placed(pose: Numbers, freedom: Records) -> Numbers:
    """Mass, first moment and inertia of a freedom's body about the world's origin.

    With r the first moment about the frame's origin p, in world axes, and J the inertia there,
    it is J + (2 p.r + m p.p) 1 - (p r^T + r p^T + m p p^T).
    """
    x0, y0, z0, p0, x1, y1, z1, p1, x2, y2, z2, p2 = pose
    m, rx, ry, rz, xx, yy, zz, xy, xz, yz = body_at(freedom.body)
    if m == 0.0 and xx == 0.0 and yy == 0.0:
        return NO_BODY
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
def set_velocities(freedoms: Records, v_in: Floats, bodies: Records) -> None:
    """Velocities, and as accelerations what the velocities alone make, freedom by freedom.

    The acceleration here is the part V_carrier x T v of one freedom, not yet added up.
    """
    for d in range(freedoms.shape[0]):
        freedom, body = freedoms[d], bodies[d]
        motion = scaled(v_in[freedom.velocity], six(body.axis))
        up = six(bodies[freedom.parent].velocity) if freedom.parent >= 0 else ZERO
        by = six(bodies[freedom.carrier].velocity) if freedom.carrier >= 0 else ZERO
        put_six(body.velocity, plus(up, motion))
        put_six(body.acceleration, cross(by, motion))


@inlined_kernel
def set_motion(freedoms: Records, q_in: Floats, v_in: Floats, bodies: Records) -> None:
    """Poses, axes, inertias and velocities of all bodies at positions and velocities."""
    set_places(freedoms, q_in, bodies)
    set_velocities(freedoms, v_in, bodies)


@entry(array_of(FREEDOM), VECTOR, VECTOR, array_of(BODY))
@kernel
def place_tree(freedoms: Records, q_in: Floats, v_in: Floats, bodies: Records) -> None:
    """`set_motion`, for those who go on from there."""
    set_motion(freedoms, q_in, v_in, bodies)
