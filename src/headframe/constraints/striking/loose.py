"""Kernels of loose bodies that impulses push.

Velocities of a body are (w, v of its centre) in world axes. A unit impulse along d at a point r
from the centre makes of them

    Y = (I^-1 (r x d), d / m),      and the point moves along d with J = (r x d, d) times them.
"""

from __future__ import annotations

from ...dynamics.kernels import momentum_from, quaternion_of, torque_of, turn_from, turn_loose
from ...jit import Record, inlined_kernel, kernel
from ...mechanism import Floats
from ...spatial.kernels import cross3, put_six, stepped_quaternion, three


@inlined_kernel
def begin_loose(body: Record, h: float, gravity: Floats, v_out: Floats, push_out: Floats) -> None:
    """Velocities (6,) after h seconds without contacts; no pseudo-velocities yet."""
    turns = turn_from(quaternion_of(body), body.inertia, torque_of(body))
    for k in range(3):
        v_out[k] = body.w[k] + h * turns[k]
        v_out[3 + k] = body.v[k] + h * (gravity[k] + body.pull.force[k] / body.mass)
        push_out[k], push_out[3 + k] = 0.0, 0.0


@inlined_kernel
def work_of_pull(body: Record, h: float, v_in: Floats) -> float:
    """What a pull does in a step to other velocities (6,) [J]."""
    torque, done = torque_of(body), 0.0
    for k in range(3):
        done += 0.5 * h * body.pull.force[k] * (body.v[k] + v_in[3 + k])
        done += 0.5 * h * torque[k] * (body.w[k] + v_in[k])
    return done


@kernel
def loose_rows(
    body: Record, point: Floats, axes: Floats, sign: float, J_out: Floats, Y_out: Floats
) -> None:
    """Rows J and Y (3, 6) of a contact; `sign` is 1 for its first body and -1 for its second."""
    r = (point[0] - body.p_WB[0], point[1] - body.p_WB[1], point[2] - body.p_WB[2])
    quaternion, lighter = quaternion_of(body), 1.0 / body.mass
    for k in range(3):
        d = (sign * axes[k, 0], sign * axes[k, 1], sign * axes[k, 2])
        m = cross3(r, d)
        w = turn_from(quaternion, body.inertia, m)
        put_six(J_out[k], (m[0], m[1], m[2], d[0], d[1], d[2]))
        put_six(Y_out[k], (w[0], w[1], w[2], lighter * d[0], lighter * d[1], lighter * d[2]))


@inlined_kernel
def beyond_work(body: Record, h: float, gravity: Floats, v_in: Floats) -> float:
    """What a step to other velocities (6,) gains beyond the work of impulses [J].

    Gravity does m g . h (v0 + v1) / 2 to the kinetic energy of a step from v0 to v1, but the body
    sinks by h v1: it gains m g . h (v0 - v1) / 2.
    """
    gained = 0.0
    for k in range(3):
        gained += 0.5 * body.mass * h * gravity[k] * (body.v[k] - v_in[3 + k])
    return gained


@kernel
def move_loose(
    body_io: Record, X_WB: Floats, h: float, gravity: Floats, v_in: Floats, push_in: Floats
) -> float:
    """Go on with velocities and pseudo-velocities (6,); what it gains beyond impulses' work [J]."""
    H = momentum_from(quaternion_of(body_io), body_io.inertia, three(v_in))
    gained = beyond_work(body_io, h, gravity, v_in)
    for k in range(3):
        gained -= body_io.mass * h * gravity[k] * push_in[3 + k]
        body_io.v[k] = v_in[3 + k]
        body_io.p_WB[k] += h * (v_in[3 + k] + push_in[3 + k])
    if push_in[0] != 0.0 or push_in[1] != 0.0 or push_in[2] != 0.0:
        x = X_WB[0, 0] * push_in[0] + X_WB[1, 0] * push_in[1] + X_WB[2, 0] * push_in[2]
        y = X_WB[0, 1] * push_in[0] + X_WB[1, 1] * push_in[1] + X_WB[2, 1] * push_in[2]
        z = X_WB[0, 2] * push_in[0] + X_WB[1, 2] * push_in[1] + X_WB[2, 2] * push_in[2]
        quat = body_io.quat_WB
        quat[0], quat[1], quat[2], quat[3] = stepped_quaternion(
            quaternion_of(body_io), (h * x, h * y, h * z)
        )
    turn_loose(body_io, h, H)
    return gained
