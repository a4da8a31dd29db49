"""Kernels over bodies and the rows between them, shared by SIMMC and XPBD."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...dynamics.kernels import RUN, DynamicsStatus, failed
from ...jit import VECTOR, Record, Records, entry, header, inlined_kernel, kernel
from ...spatial.kernels import NOWHERE, Numbers, cross3, direction_at, dot3, put_six
from .parts import MaximalParts, parts_of
from .records import BodyRowKind

Floats = NDArray[np.float64]

OK, NOT_FINITE = DynamicsStatus.OK.value, DynamicsStatus.NOT_FINITE.value
LINEAR, PERPENDICULAR, DISTANCE, ON_A, _ = (kind.value for kind in BodyRowKind)
TURN = 2.0 * math.pi


# ------------------------------------------------------------ single bodies


@inlined_kernel
def stretched(X: Floats, factors: Floats, u: Numbers) -> Numbers:
    """A vector in world axes, stretched along a body's axes: by its inertia, or the inverse."""
    a = (X[0, 0] * u[0] + X[1, 0] * u[1] + X[2, 0] * u[2]) * factors[0]
    b = (X[0, 1] * u[0] + X[1, 1] * u[1] + X[2, 1] * u[2]) * factors[1]
    c = (X[0, 2] * u[0] + X[1, 2] * u[1] + X[2, 2] * u[2]) * factors[2]
    return (
        X[0, 0] * a + X[0, 1] * b + X[0, 2] * c,
        X[1, 0] * a + X[1, 1] * b + X[1, 2] * c,
        X[2, 0] * a + X[2, 1] * b + X[2, 2] * c,
    )


@kernel
def set_rotation(body: Record, w: float, x: float, y: float, z: float) -> None:
    """A body's rotation from a quaternion, which is made a unit one."""
    scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = scale * w, scale * x, scale * y, scale * z
    quat, X = body.quat, body.X
    quat[0], quat[1], quat[2], quat[3] = w, x, y, z
    X[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    X[0, 1] = 2.0 * (x * y - w * z)
    X[0, 2] = 2.0 * (x * z + w * y)
    X[1, 0] = 2.0 * (x * y + w * z)
    X[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    X[1, 2] = 2.0 * (y * z - w * x)
    X[2, 0] = 2.0 * (x * z - w * y)
    X[2, 1] = 2.0 * (y * z + w * x)
    X[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@kernel
def rotate(body: Record, x: float, y: float, z: float) -> None:
    """Turn a body by a rotation vector in world axes [rad]: quat <- exp(half the vector) quat."""
    angle = math.sqrt(x * x + y * y + z * z)
    c = math.cos(0.5 * angle)
    s = 0.5 if angle < 1e-8 else math.sin(0.5 * angle) / angle
    multiply(body, c, s * x, s * y, s * z)


@inlined_kernel
def multiply(body: Record, c: float, x: float, y: float, z: float) -> None:
    """Turn a body by a quaternion in world axes, which need not be a unit one."""
    qw, qx, qy, qz = body.quat[0], body.quat[1], body.quat[2], body.quat[3]
    set_rotation(
        body,
        c * qw - x * qx - y * qy - z * qz,
        c * qx + x * qw + y * qz - z * qy,
        c * qy + y * qw + z * qx - x * qz,
        c * qz + z * qw + x * qy - y * qx,
    )


# --------------------------------------------------------------------- rows


@inlined_kernel
def along(J: Floats, end: int, turn: Numbers, way: Numbers) -> None:
    """Write one end's part of a Jacobian."""
    put_six(J[end], (turn[0], turn[1], turn[2], way[0], way[1], way[2]))


@kernel
def set_row(row: Record, bodies: Records, response: Record) -> float:
    """C of a row, and its J."""
    response.ends[0], response.ends[1] = row.ends[0], row.ends[1]
    X_A, X_B, J = bodies[row.ends[0]].X, bodies[row.ends[1]].X, response.J
    a, b = direction_at(X_A, row.on_a), direction_at(X_B, row.on_b)
    if row.kind in (LINEAR, DISTANCE):
        # from A's centre of mass to B's point, and from A's point to it
        arm = (
            X_B[0, 3] + b[0] - X_A[0, 3], X_B[1, 3] + b[1] - X_A[1, 3], X_B[2, 3] + b[2] - X_A[2, 3]
        )  # fmt: skip
        gap = (arm[0] - a[0], arm[1] - a[1], arm[2] - a[2])
        if row.kind == LINEAR:
            n = direction_at(X_A, row.axis)
            value = dot3(n, gap)
        else:
            value = math.sqrt(dot3(gap, gap))
            scale = 1.0 / value if value > 0.0 else 0.0
            n = (scale * gap[0], scale * gap[1], scale * gap[2])
        # the direction turns with A, or looks along the line: A's lever may reach to B's point
        along(J, 0, cross3(n, arm), (-n[0], -n[1], -n[2]))
        along(J, 1, cross3(b, n), n)
        return float(value)
    if row.kind == PERPENDICULAR:
        # d(a . b)/dt = (w_B - w_A) . (b x a)
        axis, value = cross3(b, a), dot3(a, b)
    else:
        axis = direction_at(X_A if row.kind == ON_A else X_B, row.axis)
        sine = dot3(axis, cross3(a, b))
        value = math.atan2(sine, dot3(a, b) - dot3(a, axis) * dot3(b, axis))
    along(J, 0, (-axis[0], -axis[1], -axis[2]), NOWHERE)
    along(J, 1, axis, NOWHERE)
    return float(value)


@inlined_kernel
def place_of(m: MaximalParts, number: int, response: Record) -> float:
    """Position of a free row, an angle being the one nearest to the last; its J."""
    row, last = m.free[number], m.positions[number]
    value = set_row(row, m.bodies, response)
    return value if row.kind < ON_A else nearest_turn(value, last)


@inlined_kernel
def nearest_turn(angle: float, last: float) -> float:
    """An angle, by whole turns nearest to another."""
    off = angle - last
    return last + off - TURN * math.floor(off / TURN + 0.5)


@inlined_kernel
def rate(response: Record, V: Floats) -> float:
    """J [V_A, V_B], in four sums that a processor can work on at once."""
    J, a, b = response.J, response.ends[0], response.ends[1]
    x = J[0, 0] * V[a, 0] + J[0, 1] * V[a, 1] + J[0, 2] * V[a, 2]
    y = J[0, 3] * V[a, 3] + J[0, 4] * V[a, 4] + J[0, 5] * V[a, 5]
    z = J[1, 0] * V[b, 0] + J[1, 1] * V[b, 1] + J[1, 2] * V[b, 2]
    w = J[1, 3] * V[b, 3] + J[1, 4] * V[b, 4] + J[1, 5] * V[b, 5]
    return float((x + y) + (z + w))


@kernel
def respond(rigid: Records, bodies: Records, response: Record) -> float:
    """W = M^-1 J^T; returns J W.

    This is formula (4) of paper SIMGC for two free bodies: the effective mass is 1 / (J W).
    """
    J, W, total = response.J, response.W, 0.0
    for end in range(2):
        body = response.ends[end]
        light, X = rigid[body].per_mass, bodies[body].X
        turn = stretched(X, rigid[body].per_inertia, (J[end, 0], J[end, 1], J[end, 2]))
        along(W, end, turn, (light * J[end, 3], light * J[end, 4], light * J[end, 5]))
        for k in range(6):
            total += J[end, k] * W[end, k]
    return float(total)


@inlined_kernel
def inverse(K: float) -> float:
    """Effective mass along a row by its J W; 0 for what nothing can move."""
    return 1.0 / K if K > 0.0 else 0.0


@inlined_kernel
def strike(response: Record, impulse: float, V_io: Floats) -> None:
    """Add the velocities that an impulse along a row makes."""
    W, a, b = response.W, response.ends[0], response.ends[1]
    for k in range(6):
        V_io[a, k] += impulse * W[0, k]
        V_io[b, k] += impulse * W[1, k]


@inlined_kernel
def answer(m: MaximalParts, row: Record, response: Record) -> tuple[float, float]:
    """C of a row and its J W, with the whole response."""
    C = set_row(row, m.bodies, response)
    return C, respond(m.rigid, m.bodies, response)


@inlined_kernel
def answer_drive(m: MaximalParts, n: int, response: Record) -> tuple[float, float]:
    """Position of what a drive acts on and its J W, with the whole response."""
    place = place_of(m, m.drives[n], response)
    return place, respond(m.rigid, m.bodies, response)


@inlined_kernel
def set_repeater(m: MaximalParts, repeater: Record, both: Record) -> tuple[float, float]:
    """C of a repeater, and J W over both of its rows.

    C is the follower's position less ratio times the leader's less the offset; up to four bodies
    take part, and one that both joints share gets both parts of an impulse.
    """
    one, other = both.follower, both.leader
    C = place_of(m, repeater.follower, one) - repeater.offset
    C -= repeater.ratio * place_of(m, repeater.leader, other)
    respond(m.rigid, m.bodies, one)
    respond(m.rigid, m.bodies, other)
    for end in range(2):
        for k in range(6):
            other.J[end, k] *= -repeater.ratio
            other.W[end, k] *= -repeater.ratio
    return C, shared(one, one) + shared(one, other) + shared(other, one) + shared(other, other)


@inlined_kernel
def shared(one: Record, other: Record) -> float:
    """J of a row times the velocities that a unit impulse along another makes."""
    total = 0.0
    for i in range(2):
        for j in range(2):
            if one.ends[i] == other.ends[j]:
                for k in range(6):
                    total += one.J[i, k] * other.W[j, k]
    return total


# -------------------------------------------------------------------- whole


@entry(VECTOR, VECTOR, VECTOR)
@kernel
def track(model: Floats, state: Floats, work: Floats) -> None:
    """Bring the positions of what joints leave free up to date, angles counting on."""
    m = parts_of(model, state, work)
    for r in range(m.free.shape[0]):
        m.positions[r] = place_of(m, r, m.spare[0])


@kernel
def end_step(model: Floats, state: Floats, work: Floats, iterations: int) -> int:
    """Count a step; NOT_FINITE with the first body whose pose or velocity is not, or OK."""
    m, run = parts_of(model, state, work), header(state, RUN)
    for body in range(1, m.bodies.shape[0]):
        X, V, total = m.bodies[body].X, m.V[body], 0.0
        for k in range(3):
            total += X[k, 0] + X[k, 1] + X[k, 2] + X[k, 3] + V[k] + V[3 + k]
        if not math.isfinite(total):
            return failed(NOT_FINITE, body)
    run.steps += 1
    run.iterations = iterations
    run.iterated += iterations
    return OK
