"""Kernels of XPBD: extended position-based dynamics of rigid bodies.

After Müller, Macklin, Chentanez, Jeschke and Kim, "Detailed rigid body simulation with extended
position based dynamics" (2020), Algorithm 2, with zero compliance. A step is cut into substeps. In
each, forces change velocities and velocities the poses, as if there were no joints; then joints are
put right one after the other by moving and turning their two bodies, the lighter more; and the
velocities are what the poses say they were. Losses act on them afterwards.

Three things differ from the paper, and `project_joints` and `improve` say what happens otherwise:
joints are put right row by row, each round goes forth and back, and rotations are integrated and
differentiated by the exponential and the logarithm instead of the first term of each, which alone
would take spin from a free body.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...actuation.records import DRIVE, DrivenBy
from ...dynamics.records import PULL
from ...jit import (
    MATRIX,
    NUMBER,
    VECTOR,
    WHOLE,
    Records,
    array_of,
    entry,
    inlined_kernel,
    kernel,
    named_tuple_of,
)
from ..maximal.driving import PLACE, command, settle, stop_side
from ..maximal.forces import accelerate, book
from ..maximal.rows import (
    BODIES,
    BY_DAMPERS,
    BY_DRIVES,
    BY_JOINTS,
    BY_PULLS,
    BY_STOPS,
    MASS,
    TABLES,
    Bodies,
    Tables,
    copy,
    inertia,
    n_held,
    not_finite,
    position,
    rate,
    ratio_end,
    respond,
    rotate,
    set_ratio,
    set_rotation,
    set_row,
    strike,
    track,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

GUIDED = DrivenBy.GUIDED.value
PUSHED = DrivenBy.PUSHED.value
MOST_SWEEPS = 200  # over the velocities of a substep in which a stop is touched
CALM = 1.0  # [m/s^2, rad/s^2] change of velocity, over h, that ends them


class Before(NamedTuple):
    """Memory of a substep.

    Attributes:
        X, quat, V: poses and velocities at its start, (nb, 12), (nb, 4), (nb, 6).
        V_mean: mean of the velocities before and after, (nb, 6).
        J, W, gain: scratch memory for rows of joints and drives, (n, 12), (n, 12), (n,).
        speed: what guided rows shall have, NaN for others, (n_drives,).
        push: multipliers of the drives and of their stops [N s^2], (n_drives, 2).
        booked: sum of the ledger at its start [J], (1,).
    """

    X: Floats
    quat: Floats
    V: Floats
    V_mean: Floats
    J: Floats
    W: Floats
    gain: Floats
    speed: Floats
    push: Floats
    booked: Floats


BEFORE = named_tuple_of(
    Before, MATRIX, MATRIX, MATRIX, MATRIX, MATRIX, MATRIX, VECTOR, VECTOR, MATRIX, VECTOR
)


@kernel
def prepare(
    tables: Tables, bodies: Bodies, pulls_in: Records, h: float, before: Before, drives_io: Records
) -> None:
    """Forces, and what drives want; the poses are kept, then moved without regard to joints."""
    X, V, J, W = bodies.X, bodies.V, before.J, before.W
    accelerate(tables, bodies, pulls_in, h, before.V)
    before.booked[0] = booked(bodies.ledger)
    for d in range(tables.drive_i.shape[0]):
        row = tables.drive_i[d]
        a, b = tables.row_i[row, 1], tables.row_i[row, 2]
        value = set_row(tables.row_i, tables.row_f, X, row, J, 0)
        place = position(tables.row_i, row, value, bodies.last[row])
        speed = command(d, place, rate(J, 0, before.V, a, b), h, drives_io, bodies.ref)
        before.speed[d] = speed if math.isinf(drives_io[d].most_force) else math.nan
        before.push[d, 0], before.push[d, 1] = 0.0, 0.0
        if drives_io[d].now == PUSHED:
            respond(tables.body_f, X, tables.row_i, row, J, 0, W)
            strike(W, 0, h * drives_io[d].pull, V, a, b)
    copy(X, before.X)
    copy(bodies.quat, before.quat)
    for body in range(1, X.shape[0]):
        for k in range(3):
            X[body, 4 * k + 3] += h * V[body, 3 + k]
        rotate(body, h * V[body, 0], h * V[body, 1], h * V[body, 2], bodies.quat, X)


@kernel
def shift(
    body: int, W: Floats, at: int, first: int, multiplier: float, X_io: Floats, quat_io: Floats
) -> None:
    """Move and turn a body by a part of W; quat += 1/2 (0, turn) quat, made a unit one."""
    if body == 0:
        return
    for k in range(3):
        X_io[body, 4 * k + 3] += multiplier * W[at, first + 3 + k]
    half = 0.5 * multiplier
    x, y, z = half * W[at, first], half * W[at, first + 1], half * W[at, first + 2]
    qw, qx, qy, qz = quat_io[body, 0], quat_io[body, 1], quat_io[body, 2], quat_io[body, 3]
    quat_io[body, 0] -= x * qx + y * qy + z * qz
    quat_io[body, 1] += x * qw + y * qz - z * qy
    quat_io[body, 2] += y * qw + z * qx - x * qz
    quat_io[body, 3] += z * qw + x * qy - y * qx
    set_rotation(quat_io, body, X_io)


@kernel
def project_joints(tables: Tables, bodies: Bodies, back: bool, before: Before) -> None:
    """Close the gaps of the joints, row by row.

    The paper closes a joint's gap along the gap's own direction at once. Where a body answers much
    softer in one direction than in another, as a cylinder does, that can leave more of a gap across
    than it takes away along it, and the motion blows up; single rows cannot.
    """
    row_i, row_f, body_f = tables.row_i, tables.row_f, tables.body_f
    X, quat, J, W, n = bodies.X, bodies.quat, before.J, before.W, n_held(tables)
    for k in range(n):
        row = n - 1 - k if back else k
        C = set_row(row_i, row_f, X, row, J, 0)
        K = respond(body_f, X, row_i, row, J, 0, W)
        if K > 0.0:
            shift(row_i[row, 1], W, 0, 0, -C / K, X, quat)
            shift(row_i[row, 2], W, 0, 6, -C / K, X, quat)


@kernel
def project_drives(
    tables: Tables, bodies: Bodies, h: float, back: bool, before: Before, drives_io: Records
) -> None:
    """Guided rows go to their references, with no more than their forces; rows stay in bounds.

    Going back, in the opposite order.
    """
    n = tables.drive_i.shape[0]
    for k in range(2 * n):
        d, stopping = (n - 1 - k // 2, 1 - k % 2) if back else (k // 2, k % 2)
        row = tables.drive_i[d]
        a, b = tables.row_i[row, 1], tables.row_i[row, 2]
        value = set_row(tables.row_i, tables.row_f, bodies.X, row, before.J, 0)
        place = position(tables.row_i, row, value, bodies.last[row])
        K = respond(tables.body_f, bodies.X, tables.row_i, row, before.J, 0, before.W)
        if K == 0.0:
            continue
        if stopping == 1:
            side, left = stop_side(d, place, drives_io)
            whole = side * max(side * before.push[d, 1] - left / K, 0.0)
            if whole != 0.0:
                drives_io[d].stop = -side
        elif drives_io[d].now == GUIDED:
            most = h * h * drives_io[d].most_force
            whole = before.push[d, 0] + (bodies.ref[d, PLACE] - place) / K
            whole = min(max(whole, -most), most)
        else:
            continue
        change = whole - before.push[d, stopping]
        if change != 0.0:
            before.push[d, stopping] = whole
            shift(a, before.W, 0, 0, change, bodies.X, bodies.quat)
            shift(b, before.W, 0, 6, change, bodies.X, bodies.quat)


@kernel
def project_ratios(tables: Tables, bodies: Bodies, back: bool, before: Before) -> None:
    """Followers go to ratio times their leaders' positions; going back, in the opposite order."""
    n = tables.ratio_i.shape[0]
    for k in range(n):
        r = n - 1 - k if back else k
        C, K = set_ratio(tables, bodies.X, bodies.last, r, before.J, 0, before.W)
        if K > 0.0:
            for i in range(4):
                body = ratio_end(tables, r, i)
                shift(body, before.W, i // 2, 6 * (i % 2), -C / K, bodies.X, bodies.quat)


@kernel
def set_velocities(bodies: Bodies, h: float, before: Before) -> None:
    """Velocities from where the bodies came: w = log(quat quat_before^-1) / h."""
    X, quat, V = bodies.X, bodies.quat, bodies.V
    for body in range(1, X.shape[0]):
        for k in range(3):
            V[body, 3 + k] = (X[body, 4 * k + 3] - before.X[body, 4 * k + 3]) / h
        aw, ax, ay, az = quat[body, 0], quat[body, 1], quat[body, 2], quat[body, 3]
        bw, bx = before.quat[body, 0], before.quat[body, 1]
        by, bz = before.quat[body, 2], before.quat[body, 3]
        w = aw * bw + ax * bx + ay * by + az * bz
        x = ax * bw - aw * bx - ay * bz + az * by
        y = ay * bw - aw * by - az * bx + ax * bz
        z = az * bw - aw * bz - ax * by + ay * bx
        s = math.sqrt(x * x + y * y + z * z)
        if w < 0.0:
            w, x, y, z = -w, -x, -y, -z
        factor = 2.0 if s < 1e-12 else 2.0 * math.atan2(s, w) / s
        V[body, 0], V[body, 1], V[body, 2] = factor * x / h, factor * y / h, factor * z / h


@kernel
def lose(tables: Tables, bodies: Bodies, h: float, before: Before) -> None:
    """Damping (implicit) and dry friction, joint by joint."""
    V = bodies.V
    for loss in range(tables.loss_i.shape[0]):
        row = tables.loss_i[loss]
        a, b = tables.row_i[row, 1], tables.row_i[row, 2]
        set_row(tables.row_i, tables.row_f, bodies.X, row, before.J, 0)
        K = respond(tables.body_f, bodies.X, tables.row_i, row, before.J, 0, before.W)
        damping, most = h * tables.loss_f[loss, 0], h * tables.loss_f[loss, 1]
        speed = rate(before.J, 0, V, a, b)
        impulse = -damping * speed / (1.0 + damping * K)
        impulse += min(max(-(speed + K * impulse) / K, -most), most)
        strike(before.W, 0, impulse, V, a, b)
        bodies.ledger[BY_DAMPERS] += impulse * (speed + 0.5 * K * impulse)


@kernel
def finish(
    tables: Tables, bodies: Bodies, pulls_in: Records, h: float, before: Before, drives_io: Records
) -> None:
    """Angular momenta at the pose of the substep's start; forces and work of drives and stops.

    What all of these do not explain of the change of kinetic energy, joints took.
    """
    V, spin, ledger, mean_of = bodies.V, bodies.spin, bodies.ledger, before.V_mean
    gained = before.booked[0]
    for body in range(1, V.shape[0]):
        x, y, z = inertia(tables.body_f, before.X, body, V[body, 0], V[body, 1], V[body, 2])
        spin[body, 0], spin[body, 1], spin[body, 2] = x, y, z
        for k in range(6):
            mean_of[body, k] = 0.5 * (before.V[body, k] + V[body, k])
        gained += mean_of[body, 0] * x + mean_of[body, 1] * y + mean_of[body, 2] * z
        x, y, z = before.V[body, 0], before.V[body, 1], before.V[body, 2]
        x, y, z = inertia(tables.body_f, before.X, body, x, y, z)
        gained -= mean_of[body, 0] * x + mean_of[body, 1] * y + mean_of[body, 2] * z
        for k in range(3, 6):
            change = tables.body_f[body, MASS] * (V[body, k] - before.V[body, k])
            gained += mean_of[body, k] * change
    gained -= book(tables, before.X, before.V, mean_of, pulls_in, h, ledger)
    for d in range(drives_io.shape[0]):
        row = tables.drive_i[d]
        set_row(tables.row_i, tables.row_f, bodies.X, row, before.J, 0)
        mean = rate(before.J, 0, mean_of, tables.row_i[row, 1], tables.row_i[row, 2])
        pushed = drives_io[d].now == PUSHED
        ledger[BY_DRIVES] += (h * drives_io[d].pull if pushed else before.push[d, 0] / h) * mean
        ledger[BY_STOPS] += before.push[d, 1] / h * mean
        push, stop = before.push[d, 0] / (h * h), abs(before.push[d, 1]) / (h * h)
        settle(d, push, stop, drives_io[d].most_force, drives_io, bodies.ref)
    ledger[BY_JOINTS] += gained - booked(ledger)
    track(tables, bodies, before.J)


@inlined_kernel
def booked(ledger: Floats) -> float:
    """Sum of the ledger but for the joints."""
    return float(ledger[BY_DRIVES] + ledger[BY_DAMPERS] + ledger[BY_PULLS] + ledger[BY_STOPS])


@kernel
def improve(
    tables: Tables, bodies: Bodies, h: float, iterations: int, before: Before, drives_io: Records
) -> None:
    """Rounds over all joints, each forth and back.

    What a round leaves of the gaps e, e' = G e, comes back in the next substep as velocity:
    e'' = G (2 e' - e). Forth and back, G is symmetric in the metric of the masses and has
    eigenvalues between 0 and 1, for which that dies away; forth alone it can have complex ones,
    for which it grows.
    """
    for _ in range(iterations):
        project_ratios(tables, bodies, False, before)
        project_drives(tables, bodies, h, False, before, drives_io)
        project_joints(tables, bodies, False, before)
        project_joints(tables, bodies, True, before)
        project_drives(tables, bodies, h, True, before, drives_io)
        project_ratios(tables, bodies, True, before)


@kernel
def calm(tables: Tables, bodies: Bodies, h: float, before: Before) -> None:
    """Make stops inelastic: no velocity along what touches them, nor against joints.

    A gap that is left at a stop would throw the machine back. Every impulse here takes the velocity
    along one row, and energy with it, until they all stay away.
    """
    J, W, V, n = before.J, before.W, bodies.V, n_held(tables)
    touching = False
    for d in range(tables.drive_i.shape[0]):
        touching = touching or before.push[d, 1] != 0.0
    if not touching:
        return
    for k in range(n + tables.drive_i.shape[0]):
        row = k if k < n else tables.drive_i[k - n]
        set_row(tables.row_i, tables.row_f, bodies.X, row, J, k)
        K = respond(tables.body_f, bodies.X, tables.row_i, row, J, k, W)
        before.gain[k] = 1.0 / K if K > 0.0 else 0.0
        if k >= n and before.push[k - n, 1] == 0.0 and not math.isfinite(before.speed[k - n]):
            before.gain[k] = 0.0
    for _ in range(MOST_SWEEPS):
        largest = 0.0
        for k in range(n + tables.drive_i.shape[0] - 1, -1, -1):
            if before.gain[k] == 0.0:
                continue
            row, wanted, d = k, 0.0, k - n
            if d >= 0:
                row = tables.drive_i[d]
                wanted = 0.0 if before.push[d, 1] != 0.0 else before.speed[d]
            a, b = tables.row_i[row, 1], tables.row_i[row, 2]
            off = wanted - rate(J, k, V, a, b)
            strike(W, k, before.gain[k] * off, V, a, b)
            largest = max(largest, abs(off))
            if d >= 0:
                before.push[d, 1 if before.push[d, 1] != 0.0 else 0] += h * before.gain[k] * off
        if largest <= CALM * h:
            return


@entry(
    TABLES, BODIES, NUMBER, WHOLE, WHOLE, WHOLE, array_of(PULL), BEFORE, array_of(DRIVE)
)  # fmt: skip
@kernel
def run(
    tables: Tables, bodies: Bodies, h: float, steps: int, substeps: int, iterations: int,
    pulls_in: Records, before: Before, drives_io: Records,
) -> tuple[int, int]:  # fmt: skip
    """So many steps, each of so many substeps of h.

    Returns the body that stops being finite, or 0, and the steps made before.
    """
    for step in range(steps):
        for _ in range(substeps):
            prepare(tables, bodies, pulls_in, h, before, drives_io)
            improve(tables, bodies, h, iterations, before, drives_io)
            set_velocities(bodies, h, before)
            lose(tables, bodies, h, before)
            calm(tables, bodies, h, before)
            finish(tables, bodies, pulls_in, h, before, drives_io)
        body = not_finite(bodies)
        if body > 0:
            return body, step
    return 0, steps
