"""Kernels of loose bodies: free flight, and velocities in the metric of kinetic energy.

Angular momentum H is what is kept: a body turns by w = I(quat)^-1 H, so that without a torque H
stays the same to the last digits. In the metric of kinetic energy the velocities of a body are
z = (sqrt(I) R^T w, sqrt(m) v), and the velocity of a point of it along a direction d is

    d . (v + w x r) = y . z,        y = (R^T (r x d) / sqrt(I), d / sqrt(m)),

r being the point seen from the centre.
"""

from __future__ import annotations

import math

from ...jit import VECTOR, Record, entry, inlined_kernel, kernel, record_of
from ...mechanism import Floats
from ...spatial.kernels import HERE, Numbers, cross3, pose_at, put_pose, three, turned_freely
from .records import LOOSE

WIDTH = 6  # velocities of a loose body


@inlined_kernel
def rotation_of(quaternion: Numbers) -> Numbers:
    """R_WB as a pose at the origin."""
    return turned_freely(HERE, quaternion)


@inlined_kernel
def into_body(X: Numbers, u: Numbers) -> Numbers:
    """R^T u."""
    return (
        X[0] * u[0] + X[4] * u[1] + X[8] * u[2],
        X[1] * u[0] + X[5] * u[1] + X[9] * u[2],
        X[2] * u[0] + X[6] * u[1] + X[10] * u[2],
    )


@inlined_kernel
def into_world(X: Numbers, u: Numbers) -> Numbers:
    """R u."""
    return (
        X[0] * u[0] + X[1] * u[1] + X[2] * u[2],
        X[4] * u[0] + X[5] * u[1] + X[6] * u[2],
        X[8] * u[0] + X[9] * u[1] + X[10] * u[2],
    )


@inlined_kernel
def quaternion_of(body: Record) -> Numbers:
    """Of a body in the world, w, x, y, z."""
    q = body.quat_WB
    return q[0], q[1], q[2], q[3]


@inlined_kernel
def momentum_from(quaternion: Numbers, inertia: Floats, w: Numbers) -> Numbers:
    """Angular momentum about the centre, world axes."""
    R = rotation_of(quaternion)
    u = into_body(R, w)
    return into_world(R, (inertia[0] * u[0], inertia[1] * u[1], inertia[2] * u[2]))


@inlined_kernel
def turn_from(quaternion: Numbers, inertia: Floats, H: Numbers) -> Numbers:
    """Angular velocity in world axes."""
    R = rotation_of(quaternion)
    u = into_body(R, H)
    return into_world(R, (u[0] / inertia[0], u[1] / inertia[1], u[2] / inertia[2]))


@inlined_kernel
def quaternion_rate(quaternion: Numbers, inertia: Floats, H: Numbers) -> Numbers:
    """Rate of the quaternion: 1/2 (0, w) quat, w in world axes."""
    a, b, c = turn_from(quaternion, inertia, H)
    w, x, y, z = quaternion
    return (
        0.5 * (-a * x - b * y - c * z),
        0.5 * (a * w + b * z - c * y),
        0.5 * (b * w + c * x - a * z),
        0.5 * (c * w + a * y - b * x),
    )


@inlined_kernel
def moved_on(quaternion: Numbers, h: float, rate: Numbers) -> Numbers:
    """A quaternion after h seconds at a rate."""
    return (
        quaternion[0] + h * rate[0],
        quaternion[1] + h * rate[1],
        quaternion[2] + h * rate[2],
        quaternion[3] + h * rate[3],
    )


@kernel
def turn(body_io: Record, h: float, H: Numbers) -> None:
    """Turn a body on for h seconds with a constant angular momentum (Runge-Kutta, order 4)."""
    inertia, start = body_io.inertia, quaternion_of(body_io)
    k1 = quaternion_rate(start, inertia, H)
    k2 = quaternion_rate(moved_on(start, 0.5 * h, k1), inertia, H)
    k3 = quaternion_rate(moved_on(start, 0.5 * h, k2), inertia, H)
    k4 = quaternion_rate(moved_on(start, h, k3), inertia, H)
    w = start[0] + h / 6.0 * (k1[0] + 2.0 * (k2[0] + k3[0]) + k4[0])
    x = start[1] + h / 6.0 * (k1[1] + 2.0 * (k2[1] + k3[1]) + k4[1])
    y = start[2] + h / 6.0 * (k1[2] + 2.0 * (k2[2] + k3[2]) + k4[2])
    z = start[3] + h / 6.0 * (k1[3] + 2.0 * (k2[3] + k3[3]) + k4[3])
    unit = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    quat = body_io.quat_WB
    quat[0], quat[1], quat[2], quat[3] = w * unit, x * unit, y * unit, z * unit
    turning = turn_from(quaternion_of(body_io), inertia, H)
    body_io.w[0], body_io.w[1], body_io.w[2] = turning


@inlined_kernel
def torque_of(body: Record) -> Numbers:
    """Of what pulls at a body, about its centre, world axes [N m]."""
    pull = body.pull
    arm = into_world(rotation_of(quaternion_of(body)), three(pull.point))
    turns = cross3(arm, three(pull.force))
    return (
        pull.moment[0] + turns[0],
        pull.moment[1] + turns[1],
        pull.moment[2] + turns[2],
    )


@inlined_kernel
def added(a: Numbers, scale: float, b: Numbers) -> Numbers:
    """A + scale b."""
    return a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]


@kernel
def fly(body_io: Record, h: float, gravity: Floats) -> float:
    """Free flight for h seconds; what a pull does to the body [J]."""
    H = momentum_from(quaternion_of(body_io), body_io.inertia, three(body_io.w))
    torque, work = torque_of(body_io), 0.0
    turning = H[0] * body_io.w[0] + H[1] * body_io.w[1] + H[2] * body_io.w[2]
    for k in range(3):
        a = gravity[k] + body_io.pull.force[k] / body_io.mass
        way = h * (body_io.v[k] + 0.5 * h * a)
        body_io.p_WB[k] += way
        body_io.v[k] += h * a
        work += body_io.pull.force[k] * way
    H = added(H, 0.5 * h, torque)
    turn(body_io, h, H)
    if torque[0] == 0.0 and torque[1] == 0.0 and torque[2] == 0.0:
        return work
    H = added(H, 0.5 * h, torque)
    w = turn_from(quaternion_of(body_io), body_io.inertia, H)
    body_io.w[0], body_io.w[1], body_io.w[2] = w
    return float(work + 0.5 * (H[0] * w[0] + H[1] * w[1] + H[2] * w[2] - turning))


@inlined_kernel
def place_loose(body: Record, placed_out: Record) -> None:
    """PLACED of a loose body."""
    R = rotation_of(quaternion_of(body))
    p, v, w = three(body.p_WB), three(body.v), three(body.w)
    put_pose(
        placed_out.X_WB,
        (R[0], R[1], R[2], p[0], R[4], R[5], R[6], p[1], R[8], R[9], R[10], p[2]),
    )
    c = cross3(w, p)
    moves = placed_out.velocity
    moves[0], moves[1], moves[2] = w
    moves[3], moves[4], moves[5] = v[0] - c[0], v[1] - c[1], v[2] - c[2]


@inlined_kernel
def loose_rows(body: Record, X_WB: Floats, point: Floats, axes: Floats, rows_out: Floats) -> None:
    """Rows y (3, 6) of a point's velocities along three axes, world axes both."""
    r = (point[0] - body.p_WB[0], point[1] - body.p_WB[1], point[2] - body.p_WB[2])
    lighter = 1.0 / math.sqrt(body.mass)
    for k in range(3):
        d = (axes[k, 0], axes[k, 1], axes[k, 2])
        m = cross3(r, d)
        for i in range(3):
            about = X_WB[0, i] * m[0] + X_WB[1, i] * m[1] + X_WB[2, i] * m[2]
            rows_out[k, i] = about / math.sqrt(body.inertia[i])
            rows_out[k, 3 + i] = lighter * d[i]


@inlined_kernel
def free_velocity(body: Record, X_WB: Floats, h: float, gravity: Floats, point: Floats) -> Numbers:
    """Of a point of a body where a step ends without contacts, its place staying as it is."""
    a = added(three(gravity), 1.0 / body.mass, three(body.pull.force))
    R, torque = pose_at(X_WB), torque_of(body)
    u = into_body(R, torque)
    turns = into_world(R, (u[0] / body.inertia[0], u[1] / body.inertia[1], u[2] / body.inertia[2]))
    arm = added(three(point), -1.0, three(body.p_WB))
    v, w = added(three(body.v), h, a), added(three(body.w), h, turns)
    return added(v, 1.0, cross3(w, arm))


@kernel
def push_loose(
    body_io: Record, X_WB: Floats, h: float, gravity: Floats, z_in: Floats
) -> tuple[float, float]:
    """A step in which contacts change the velocities by z (6,).

    Implicit Euler: the body moves on with the velocities where the step ends, and so loses
    m |v1 - v0|^2 / 2 beyond what forces do to it. Returns that loss, and what a pull does [J].
    """
    lighter, lost, work = 1.0 / math.sqrt(body_io.mass), 0.0, 0.0
    R, torque = pose_at(X_WB), torque_of(body_io)
    H = momentum_from(quaternion_of(body_io), body_io.inertia, three(body_io.w))
    pulled, before = into_body(R, torque), into_body(R, three(body_io.w))
    twist = (
        math.sqrt(body_io.inertia[0]) * z_in[0] + h * pulled[0],
        math.sqrt(body_io.inertia[1]) * z_in[1] + h * pulled[1],
        math.sqrt(body_io.inertia[2]) * z_in[2] + h * pulled[2],
    )
    for k in range(3):
        change = h * (gravity[k] + body_io.pull.force[k] / body_io.mass) + lighter * z_in[3 + k]
        turns = twist[k] / body_io.inertia[k]
        lost += 0.5 * (body_io.mass * change * change + twist[k] * turns)
        body_io.v[k] += change
        body_io.p_WB[k] += h * body_io.v[k]
        work += h * (body_io.pull.force[k] * body_io.v[k] + pulled[k] * (before[k] + turns))
    turn(body_io, h, added(H, 1.0, into_world(R, twist)))
    return lost, work


@entry(record_of(LOOSE), VECTOR)
@kernel
def loose_energy(body: Record, gravity: Floats) -> tuple[float, float]:
    """Kinetic and potential energy [J]."""
    w, v, p = three(body.w), body.v, body.p_WB
    H = momentum_from(quaternion_of(body), body.inertia, w)
    kinetic = 0.5 * (H[0] * w[0] + H[1] * w[1] + H[2] * w[2])
    potential = 0.0
    for k in range(3):
        kinetic += 0.5 * body.mass * v[k] * v[k]
        potential -= body.mass * gravity[k] * p[k]
    return kinetic, potential
