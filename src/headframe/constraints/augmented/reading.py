"""Kernels that read the bodies: their frames, the tree's coordinates, energies and work."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...dynamics.kernels import ENERGY
from ...jit import (
    VECTOR,
    Record,
    Records,
    entry,
    header,
    inlined_kernel,
    kernel,
    numbers,
    records,
)
from ...spatial.kernels import Numbers, compose, cross3, dot3, pose_at, three
from .forces import axis_of, kinetic, spin_of, stored
from .records import (
    AUGMENTED,
    AUGMENTED_STATE,
    BODY_FRAME,
    NATURAL_BODY,
    NATURAL_JOINT,
    NaturalJointKind,
)

Floats = NDArray[np.float64]

SCALAR, TURN, SLIDE, CROSS, BALL, FREE = (kind.value for kind in NaturalJointKind)
WHOLE_TURN = 2.0 * math.pi


@kernel
def set_frames(model: Floats, q_in: Floats, v_in: Floats, work: Floats) -> None:
    """Where all bodies are, and how they move."""
    head = header(model, AUGMENTED)
    bodies = records(model, head.bodies, NATURAL_BODY)
    frames = records(work, head.work.frames, BODY_FRAME)
    for b in range(bodies.shape[0]):
        body, frame = bodies[b], frames[b]
        for k in range(4):
            column = axis_of(body, k, q_in)
            for i in range(3):
                frame.X_WF[i, k] = column[i]
        spin, velocity = spin_of(body, q_in, v_in), axis_of(body, 3, v_in)
        for i in range(3):
            frame.spin[i], frame.velocity[i] = spin[i], velocity[i]


@inlined_kernel
def nearest_turn(angle: float, last: float) -> float:
    """An angle, by whole turns nearest to another."""
    off = angle - last
    return last + off - WHOLE_TURN * math.floor(off / WHOLE_TURN + 0.5)


@inlined_kernel
def column(X: Numbers, k: int) -> Numbers:
    """A column of a pose (12)."""
    return X[k], X[4 + k], X[8 + k]


@inlined_kernel
def minus3(a: Numbers, b: Numbers) -> Numbers:
    """Difference of two vectors in space."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined_kernel
def seen_from(X: Numbers, u: Numbers) -> Numbers:
    """A direction in a frame's axes."""
    return dot3(column(X, 0), u), dot3(column(X, 1), u), dot3(column(X, 2), u)


@kernel
def read_joint(joint: Record, frames: Records, q_io: Floats, v_out: Floats) -> None:
    """Positions and velocities of a joint that is no scalar, from the frames of its bodies.

    Angles count on from what `q_io` holds, and a quaternion is the one of its two signs that is
    nearest to it.
    """
    a, b = frames[joint.bodies[0]], frames[joint.bodies[1]]
    A, B = compose(pose_at(a.X_WF), pose_at(joint.X_AF)), pose_at(b.X_WF)
    iq, iv = joint.position, joint.velocity
    spin = minus3(three(b.spin), three(a.spin))
    x, y, z = column(A, 0), column(A, 1), column(A, 2)
    if joint.kind == TURN:
        q_io[iq] = nearest_turn(math.atan2(dot3(y, column(B, 0)), dot3(x, column(B, 0))), q_io[iq])
        v_out[iv] = dot3(spin, z)
        return
    if joint.kind == CROSS:
        R, second = joint.R_EF, column(B, 2)
        away = math.atan2(R[1, 2], R[0, 2])
        q_io[iq] = nearest_turn(math.atan2(dot3(y, second), dot3(x, second)) - away, q_io[iq])
        # seen from B the first axis has turned back by the second angle
        seen = math.atan2(dot3(column(B, 1), z), dot3(column(B, 0), z))
        q_io[iq + 1] = nearest_turn(math.atan2(R[2, 1], R[2, 0]) - seen, q_io[iq + 1])
        v_out[iv], v_out[iv + 1] = dot3(spin, z), dot3(spin, second)
        return
    # from A's frame to B's origin, and how fast that goes, seen from A
    way = minus3(column(B, 3), column(A, 3))
    carried = cross3(three(a.spin), minus3(column(B, 3), column(pose_at(a.X_WF), 3)))
    rate = minus3(minus3(three(b.velocity), three(a.velocity)), carried)
    if joint.kind == SLIDE:
        q_io[iq], v_out[iv] = dot3(z, way), dot3(z, rate)
        return
    read_ball(A, B, q_io[iq:])
    for k in range(3):
        v_out[iv + k] = dot3(spin, column(B, k))
        if joint.kind == FREE:
            q_io[iq + 4 + k], v_out[iv + 3 + k] = dot3(way, column(A, k)), dot3(rate, column(A, k))


@kernel
def read_ball(A: Numbers, B: Numbers, q_io: Floats) -> None:
    """Quaternion of a frame B in a frame A, the largest of its four numbers first (Shepperd)."""
    r00, r10, r20 = seen_from(A, column(B, 0))
    r01, r11, r21 = seen_from(A, column(B, 1))
    r02, r12, r22 = seen_from(A, column(B, 2))
    if r00 + r11 + r22 > max(r00, r11, r22):
        w, x, y, z = 1.0 + r00 + r11 + r22, r21 - r12, r02 - r20, r10 - r01
    elif r00 >= r11 and r00 >= r22:
        w, x, y, z = r21 - r12, 1.0 + r00 - r11 - r22, r01 + r10, r02 + r20
    elif r11 >= r22:
        w, x, y, z = r02 - r20, r01 + r10, 1.0 - r00 + r11 - r22, r12 + r21
    else:
        w, x, y, z = r10 - r01, r02 + r20, r12 + r21, 1.0 - r00 - r11 + r22
    scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    if w * q_io[0] + x * q_io[1] + y * q_io[2] + z * q_io[3] < 0.0:
        scale = -scale
    q_io[0], q_io[1], q_io[2], q_io[3] = scale * w, scale * x, scale * y, scale * z


@entry(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def read_tree(model: Floats, state: Floats, work: Floats, q_io: Floats, v_out: Floats) -> None:
    """Positions and velocities of the tree, and the frames of the bodies."""
    head, moment = header(model, AUGMENTED), header(state, AUGMENTED_STATE)
    q, v = numbers(state, moment.q), numbers(state, moment.v)
    joints = records(model, head.joints, NATURAL_JOINT)
    set_frames(model, q, v, work)
    frames = records(work, head.work.frames, BODY_FRAME)
    for n in range(joints.shape[0]):
        joint = joints[n]
        if joint.kind == SCALAR:
            q_io[joint.position], v_out[joint.velocity] = q[joint.scalar], v[joint.scalar]
        else:
            read_joint(joint, frames, q_io, v_out)


@entry(VECTOR, VECTOR, VECTOR)
@kernel
def energies(model: Floats, state: Floats, energy_out: Floats) -> None:
    """ENERGY [J]."""
    moment, energy = header(state, AUGMENTED_STATE), header(energy_out, ENERGY)
    energy.kinetic = kinetic(model, numbers(state, moment.v))
    energy.potential, energy.springs = stored(model, numbers(state, moment.q))
