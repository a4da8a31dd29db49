"""Kernels that read the bodies: gaps of the joints, and the coordinates of the tree."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...jit import VECTOR, Record, Records, entry, inlined_kernel, kernel
from ...spatial.kernels import Numbers, compose, pose_at, six, velocity_at
from .parts import parts_of
from .records import BodyRowKind, CoordinateKind
from .rows import nearest_turn, place_of, rate, set_row

Floats = NDArray[np.float64]

LINEAR = BodyRowKind.LINEAR.value
SCALAR, BALL, FREE, CYLINDER, _ = (kind.value for kind in CoordinateKind)


@entry(VECTOR, VECTOR, VECTOR)
@kernel
def gaps(model: Floats, state: Floats, work: Floats) -> tuple[float, float]:
    """Widest gap [m] and largest misalignment [rad] of any joint."""
    m, gap, angle = parts_of(model, state, work), 0.0, 0.0
    for n in range(m.blocks.shape[0]):
        first, total = m.blocks[n].first, 0.0
        for r in range(first, first + m.blocks[n].count):
            total += set_row(m.held[r], m.bodies, m.spare[0]) ** 2
        if m.held[first].kind == LINEAR:
            gap = max(gap, math.sqrt(total))
        else:
            angle = max(angle, math.sqrt(total))
    return gap, angle


@entry(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def recover(model: Floats, state: Floats, work: Floats, q_io: Floats, v_out: Floats) -> None:
    """The tree's coordinates from the poses of the bodies.

    Angles count on from what `q_io` holds, and a quaternion is the one of its two signs that is
    nearest to it. A cylinder without mass is nothing but its mounts.
    """
    m = parts_of(model, state, work)
    for c in range(m.coordinates.shape[0]):
        one = m.coordinates[c]
        q, v = q_io[one.position :], v_out[one.velocity :]
        if one.kind == SCALAR:
            q[0] = place_of(m, one.row, m.spare[0])
            v[0] = rate(m.spare[0], m.V)
        else:
            recover_frames(one, m.bodies, m.V, q, v)


@kernel
def recover_frames(one: Record, bodies: Records, V: Floats, q_io: Floats, v_out: Floats) -> None:
    """Coordinates of what stands between two frames, one on A and one on B."""
    a, b = one.ends[0], one.ends[1]
    X_A, X_B = bodies[a].X, bodies[b].X
    A, B = compose(pose_at(X_A), pose_at(one.X_A)), compose(pose_at(X_B), pose_at(one.X_B))
    # velocities of the frame's origin on B, as a point of either body
    u, w = velocity_at(six(V[a]), beyond(X_A, B)), velocity_at(six(V[b]), beyond(X_B, B))
    p = within(A, (B[3] - A[3], B[7] - A[7], B[11] - A[11]))
    pdot = within(A, (w[0] - u[0], w[1] - u[1], w[2] - u[2]))
    if one.kind not in (BALL, FREE):
        recover_cylinder(one.kind == CYLINDER, p, pdot, q_io, v_out)
        return
    recover_ball(A, B, q_io)
    # angular velocity in the joint's axes on B
    turn = within(B, (V[b, 0] - V[a, 0], V[b, 1] - V[a, 1], V[b, 2] - V[a, 2]))
    for k in range(3):
        v_out[k] = turn[k]
        if one.kind == FREE:
            q_io[4 + k], v_out[3 + k] = p[k], pdot[k]


@inlined_kernel
def beyond(X: Floats, frame: Numbers) -> Numbers:
    """From a body's centre of mass to a frame's origin."""
    return frame[3] - X[0, 3], frame[7] - X[1, 3], frame[11] - X[2, 3]


@inlined_kernel
def within(frame: Numbers, u: Numbers) -> Numbers:
    """A vector in world axes, in a frame's."""
    return (
        frame[0] * u[0] + frame[4] * u[1] + frame[8] * u[2],
        frame[1] * u[0] + frame[5] * u[1] + frame[9] * u[2],
        frame[2] * u[0] + frame[6] * u[1] + frame[10] * u[2],
    )


@kernel
def recover_ball(A: Numbers, B: Numbers, q_io: Floats) -> None:
    """Quaternion of a frame B in a frame A."""
    r00, r10, r20 = within(A, (B[0], B[4], B[8]))
    r01, r11, r21 = within(A, (B[1], B[5], B[9]))
    r02, r12, r22 = within(A, (B[2], B[6], B[10]))
    # the largest of the four components first (Shepperd)
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


@kernel
def recover_cylinder(
    outwards: bool, p: Numbers, pdot: Numbers, q_io: Floats, v_out: Floats
) -> None:
    """Angle about the pin z from x, angle out of its plane, length; and their rates."""
    x, y, z = p
    dx, dy, dz = pdot
    flat, length = math.hypot(x, y), math.sqrt(x * x + y * y + z * z)
    last = 2 if outwards else 1
    q_io[0] = nearest_turn(math.atan2(y, x), q_io[0])
    v_out[0] = (x * dy - y * dx) / (flat * flat)
    if outwards:
        q_io[1] = math.atan2(z, flat)
        v_out[1] = (flat * dz - z * (x * dx + y * dy) / flat) / (length * length)
    q_io[last] = length
    v_out[last] = (x * dx + y * dy + z * dz) / length
