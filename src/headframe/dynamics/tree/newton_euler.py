"""Kernels of recursive Newton-Euler: the forces that a motion of a spanning tree needs."""

from __future__ import annotations

import math

from ...jit import VECTOR, Record, Records, entry, header, inlined_kernel, kernel
from ...mechanism import Floats
from ...spatial.kernels import (
    Numbers,
    add,
    body_at,
    cross_force,
    dot,
    minus,
    momentum_of,
    plus,
    put_six,
    scaled,
    six,
)
from ..records import TREE
from ..status import NOT_FINITE, OK, WRONG_SIZE
from .placing import parts_of, set_motion


@inlined_kernel
def upwards(gravity: Floats) -> Numbers:
    """Acceleration of the base, which goes upwards instead of gravity pulling on every body."""
    return 0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2]


@inlined_kernel
def force_needed(body: Record, up: Numbers) -> Numbers:
    """What force a body needs, whose parent accelerates by `up`: I A + V x* I V - the pull on it.

    Its own acceleration is added up on the way.
    """
    inertia, v = body_at(body.inertia), six(body.velocity)
    acceleration = plus(up, six(body.acceleration))
    force = plus(momentum_of(inertia, acceleration), cross_force(v, momentum_of(inertia, v)))
    force = minus(force, six(body.pull))
    put_six(body.acceleration, acceleration)
    return force


@inlined_kernel
def body_forces(freedoms: Records, gravity: Floats, bodies: Records) -> None:
    """Accelerations added up along the tree, and the force that each body needs for its own."""
    for d in range(freedoms.shape[0]):
        body, parent = bodies[d], freedoms[d].parent
        up = six(bodies[parent].acceleration) if parent >= 0 else upwards(gravity)
        put_six(body.force, force_needed(body, up))


@inlined_kernel
def gather_forces(freedoms: Records, gravity: Floats, vdot_in: Floats, bodies: Records) -> None:
    """Accelerations in full and the forces through every freedom, velocities being set."""
    for d in range(freedoms.shape[0]):
        body, rate = bodies[d], vdot_in[freedoms[d].velocity]
        put_six(body.acceleration, plus(six(body.acceleration), scaled(rate, six(body.axis))))
    body_forces(freedoms, gravity, bodies)
    for d in range(freedoms.shape[0] - 1, -1, -1):
        parent = freedoms[d].parent
        if parent >= 0:
            add(bodies[d].force, bodies[parent].force)


@inlined_kernel
def fits(tree: Record, freedoms: Records, q_in: Floats, v_in: Floats) -> bool:
    """Whether positions and velocities are as many as the tree has."""
    return bool(q_in.shape[0] == tree.nq and v_in.shape[0] == freedoms.shape[0])


@entry(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def rnea(memory: Floats, q_in: Floats, v_in: Floats, vdot_in: Floats, tau_out: Floats) -> int:
    """Generalized forces of a motion (recursive Newton-Euler), gravity included.

    Algorithm 1 of the roadheader paper with what its line 12 lacks: the term v x S qd, and S qdd.
    """
    tree = header(memory, TREE)
    freedoms, bodies = parts_of(memory)
    nd = freedoms.shape[0]
    if not fits(tree, freedoms, q_in, v_in) or vdot_in.shape[0] != nd or tau_out.shape[0] != nd:
        return WRONG_SIZE
    set_motion(freedoms, q_in, v_in, bodies)
    gather_forces(freedoms, tree.gravity, vdot_in, bodies)
    total = 0.0
    for d in range(nd):
        freedom, body = freedoms[d], bodies[d]
        tau = dot(body.axis, body.force) + freedom.armature * vdot_in[freedom.velocity]
        tau_out[freedom.velocity] = tau
        total += tau
    return OK if math.isfinite(total) else NOT_FINITE
