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

import numpy as np
from numpy.typing import NDArray

from ...actuation.kernels import DRIVE, DrivenBy
from ...dynamics.kernels import PULL, RUN
from ...jit import (
    VECTOR,
    WHOLE,
    Record,
    Records,
    array_of,
    entry,
    header,
    inlined_kernel,
    kernel,
    record,
    records,
)
from ...spatial.kernels import dot3, pose_at, put_pose, three
from ..maximal.driving import command, settle, stop_side
from ..maximal.forces import accelerate, book, keep_angular, set_mean
from ..maximal.parts import parts_of
from ..maximal.records import MAXIMAL, MOVING_BODY, REPEATER_RESPONSE
from ..maximal.rows import (
    OK,
    answer,
    answer_drive,
    end_step,
    inverse,
    multiply,
    rate,
    rotate,
    set_repeater,
    set_row,
    stretched,
    strike,
    track,
)
from .records import CALMED, PUSHING, XPBD

Floats = NDArray[np.float64]

PUSHED, GUIDED = (driven.value for driven in DrivenBy)
MOST_SWEEPS = 200  # over the velocities of a substep in which a stop is touched
CALM = 1.0  # [m/s^2, rad/s^2] change of velocity, over h, that ends them


@inlined_kernel
def own_part(model: Floats) -> Record:
    """What a model of XPBD has of its own."""
    return record(model, header(model, MAXIMAL).own, XPBD)


@kernel
def prepare(
    model: Floats, pulls_in: Records, state: Floats, drives_io: Records, work: Floats
) -> None:
    """Forces, and what drives want; the poses are kept, then moved without regard to joints."""
    m, own, h = parts_of(model, state, work), own_part(model), own_part(model).step
    start, pushing = records(work, own.start, MOVING_BODY), records(work, own.pushing, PUSHING)
    response, V = m.spare[0], m.V
    accelerate(model, pulls_in, h, state, work)
    for n in range(pushing.shape[0]):
        drive = drives_io[n]
        place, _ = answer_drive(m, n, response)
        speed = command(n, place, rate(response, m.V_before), h, drives_io, m.references)
        pushing[n].speed = speed if math.isinf(drive.most_force) else math.nan
        pushing[n].push, pushing[n].stop = 0.0, 0.0
        if drive.now == PUSHED:
            strike(response, h * drive.pull, V)
    for n in range(m.bodies.shape[0]):
        body = m.bodies[n]
        put_pose(start[n].X, pose_at(body.X))
        for k in range(4):
            start[n].quat[k] = body.quat[k]
        if n > 0:
            for k in range(3):
                body.X[k, 3] += h * V[n, 3 + k]
            rotate(body, h * V[n, 0], h * V[n, 1], h * V[n, 2])


# -------------------------------------------------------------- projections


@kernel
def shift(response: Record, multiplier: float, bodies: Records) -> None:
    """Move and turn two bodies by parts of W; quat += 1/2 (0, turn) quat, made a unit one."""
    W, half = response.W, 0.5 * multiplier
    for end in range(2):
        if response.ends[end] == 0:
            continue
        body = bodies[response.ends[end]]
        for k in range(3):
            body.X[k, 3] += multiplier * W[end, 3 + k]
        multiply(body, 1.0, half * W[end, 0], half * W[end, 1], half * W[end, 2])


@kernel
def project_joints(model: Floats, back: bool, state: Floats, work: Floats) -> None:
    """Close the gaps of the joints, row by row.

    The paper closes a joint's gap along the gap's own direction at once. Where a body answers much
    softer in one direction than in another, as a cylinder does, that can leave more of a gap across
    than it takes away along it, and the motion blows up; single rows cannot.
    """
    m = parts_of(model, state, work)
    n = m.held.shape[0]
    for k in range(n):
        C, K = answer(m, m.held[n - 1 - k if back else k], m.spare[0])
        if K > 0.0:
            shift(m.spare[0], -C / K, m.bodies)


@kernel
def project_drives(
    model: Floats, back: bool, state: Floats, drives_io: Records, work: Floats
) -> None:
    """Guided rows go to their references, and rows stay in bounds; going back, in reverse."""
    n = 2 * drives_io.shape[0]
    for k in range(n):
        drive, stopping = divmod(n - 1 - k if back else k, 2)
        project_drive(model, drive, stopping == 1, state, drives_io, work)


@kernel
def project_drive(
    model: Floats, n: int, stopping: bool, state: Floats, drives_io: Records, work: Floats
) -> None:
    """A guided row goes to its reference, with no more than its force; or a row stays in bounds."""
    m, own, drive = parts_of(model, state, work), own_part(model), drives_io[n]
    pushing, response = records(work, own.pushing, PUSHING)[n], m.spare[0]
    if not stopping and drive.now != GUIDED:
        return
    place, K = answer_drive(m, n, response)
    if K == 0.0:
        return
    if stopping:
        side, left = stop_side(drive, place)
        whole = side * max(side * pushing.stop - left / K, 0.0)
        if whole != 0.0:
            drive.stop = -side
        change = whole - pushing.stop
        pushing.stop = whole
    else:
        most = own.step * own.step * drive.most_force
        whole = pushing.push + (m.references[n].position - place) / K
        whole = min(max(whole, -most), most)
        change = whole - pushing.push
        pushing.push = whole
    if change != 0.0:
        shift(response, change, m.bodies)


@kernel
def project_repeaters(model: Floats, back: bool, state: Floats, work: Floats) -> None:
    """Followers go to ratio times their leaders' positions; going back, in the opposite order."""
    m, both = (
        parts_of(model, state, work), records(work, own_part(model).both, REPEATER_RESPONSE)[0]
    )  # fmt: skip
    n = m.repeaters.shape[0]
    for k in range(n):
        C, K = set_repeater(m, m.repeaters[n - 1 - k if back else k], both)
        if K > 0.0:
            shift(both.follower, -C / K, m.bodies)
            shift(both.leader, -C / K, m.bodies)


@kernel
def improve(model: Floats, state: Floats, drives_io: Records, work: Floats) -> None:
    """Rounds over all joints, each forth and back.

    What a round leaves of the gaps e, e' = G e, comes back in the next substep as velocity:
    e'' = G (2 e' - e). Forth and back, G is symmetric in the metric of the masses and has
    eigenvalues between 0 and 1, for which that dies away; forth alone it can have complex ones,
    for which it grows.
    """
    for _ in range(own_part(model).iterations):
        project_repeaters(model, False, state, work)
        project_drives(model, False, state, drives_io, work)
        project_joints(model, False, state, work)
        project_joints(model, True, state, work)
        project_drives(model, True, state, drives_io, work)
        project_repeaters(model, True, state, work)


# --------------------------------------------------------------- velocities


@kernel
def set_velocities(h: float, start: Records, bodies: Records, V_out: Floats) -> None:
    """Velocities from where the bodies came: w = log(quat quat_before^-1) / h."""
    for n in range(1, bodies.shape[0]):
        X, X_start, quat, was = bodies[n].X, start[n].X, bodies[n].quat, start[n].quat
        for k in range(3):
            V_out[n, 3 + k] = (X[k, 3] - X_start[k, 3]) / h
        aw, ax, ay, az = quat[0], quat[1], quat[2], quat[3]
        bw, bx, by, bz = was[0], was[1], was[2], was[3]
        w = aw * bw + ax * bx + ay * by + az * bz
        x = ax * bw - aw * bx - ay * bz + az * by
        y = ay * bw - aw * by - az * bx + ax * bz
        z = az * bw - aw * bz - ax * by + ay * bx
        s = math.sqrt(x * x + y * y + z * z)
        if w < 0.0:
            w, x, y, z = -w, -x, -y, -z
        factor = 2.0 if s < 1e-12 else 2.0 * math.atan2(s, w) / s
        V_out[n, 0], V_out[n, 1], V_out[n, 2] = factor * x / h, factor * y / h, factor * z / h


@kernel
def lose(model: Floats, state: Floats, work: Floats) -> None:
    """Damping (implicit) and dry friction, joint by joint."""
    m, h = parts_of(model, state, work), own_part(model).step
    response, V, done = m.spare[0], m.V, header(state, RUN).work
    for n in range(m.losses.shape[0]):
        loss = m.losses[n]
        _, K = answer(m, m.free[loss.row], response)
        damping, most, speed = h * loss.damping, h * loss.friction, rate(response, V)
        impulse = -damping * speed / (1.0 + damping * K)
        impulse += min(max(-(speed + K * impulse) / K, -most), most)
        strike(response, impulse, V)
        done.dampers += impulse * (speed + 0.5 * K * impulse)


@inlined_kernel
def calm_row(row: Record, wanted: float, V_io: Floats) -> float:
    """Bring a row's velocity to what is wanted; by how much it was off."""
    off = wanted - rate(row.response, V_io)
    strike(row.response, row.gain * off, V_io)
    return off


@kernel
def calm(model: Floats, state: Floats, work: Floats) -> None:
    """Make stops inelastic: no velocity along what touches them, nor against joints.

    A gap that is left at a stop would throw the machine back. Every impulse here takes the velocity
    along one row, and energy with it, until they all stay away.
    """
    m, own, h = parts_of(model, state, work), own_part(model), own_part(model).step
    held, driven = records(work, own.held, CALMED), records(work, own.driven, CALMED)
    pushing, V, touching = records(work, own.pushing, PUSHING), m.V, False
    for n in range(pushing.shape[0]):
        touching = touching or pushing[n].stop != 0.0
    if not touching:
        return
    for r in range(held.shape[0]):
        _, K = answer(m, m.held[r], held[r].response)
        held[r].gain = inverse(K)
    for n in range(driven.shape[0]):
        _, K = answer(m, m.free[m.drives[n]], driven[n].response)
        driven[n].gain = inverse(K)
        if pushing[n].stop == 0.0 and not math.isfinite(pushing[n].speed):
            driven[n].gain = 0.0
    for _ in range(MOST_SWEEPS):
        largest = 0.0
        for n in range(driven.shape[0] - 1, -1, -1):
            row, at_stop = driven[n], pushing[n].stop != 0.0
            if row.gain == 0.0:
                continue
            off = calm_row(row, 0.0 if at_stop else pushing[n].speed, V)
            largest = max(largest, abs(off))
            if at_stop:
                pushing[n].stop += h * row.gain * off
            else:
                pushing[n].push += h * row.gain * off
        for r in range(held.shape[0] - 1, -1, -1):
            if held[r].gain != 0.0:
                largest = max(largest, abs(calm_row(held[r], 0.0, V)))
        if largest <= CALM * h:
            return


# ------------------------------------------------------------------ a step


@kernel
def finish(
    model: Floats, pulls_in: Records, booked: float, state: Floats, drives_io: Records, work: Floats
) -> None:
    """Angular momenta at the pose of the substep's start; forces and work of drives and stops.

    What all of these do not explain of the change of kinetic energy, joints took; `booked` is the
    work of others at the substep's start.
    """
    m, own, h = parts_of(model, state, work), own_part(model), own_part(model).step
    start, pushing = records(work, own.start, MOVING_BODY), records(work, own.pushing, PUSHING)
    done, gained, response = header(state, RUN).work, booked, m.spare[0]
    keep_angular(m.rigid, m.bodies, m.V, start)
    set_mean(m)
    for n in range(1, m.bodies.shape[0]):
        rigid, V, before, mean = m.rigid[n], m.V[n], m.V_before[n], m.V_mean[n]
        gained += dot3(three(mean), three(m.bodies[n].spin))
        gained -= dot3(three(mean), stretched(start[n].X, rigid.inertia, three(before)))
        for k in range(3, 6):
            gained += mean[k] * rigid.mass * (V[k] - before[k])
    gained -= book(model, pulls_in, h, start, state, work)
    for n in range(pushing.shape[0]):
        drive, pushed = drives_io[n], drives_io[n].now == PUSHED
        push, stop = pushing[n].push, pushing[n].stop
        set_row(m.free[m.drives[n]], m.bodies, response)
        speed = rate(response, m.V_mean)
        done.drives += (h * drive.pull if pushed else push / h) * speed
        done.stops += stop / h * speed
        settle(drive, m.references[n], push / (h * h), abs(stop) / (h * h), drive.most_force)
    done.joints += gained - by_others(done)
    track(model, state, work)


@inlined_kernel
def by_others(done: Record) -> float:
    """Work of all but the joints."""
    return float(done.drives + done.dampers + done.pulls + done.stops)


@entry(VECTOR, array_of(PULL), WHOLE, VECTOR, array_of(DRIVE), VECTOR)
@kernel
def run(
    model: Floats, pulls_in: Records, steps: int, state: Floats, drives_io: Records, work: Floats
) -> int:
    """So many steps, each of some substeps; OK, or the status of one that fails."""
    m, own = parts_of(model, state, work), own_part(model)
    start, done = records(work, own.start, MOVING_BODY), header(state, RUN).work
    for _ in range(steps):
        for _ in range(own.substeps):
            booked = by_others(done)
            prepare(model, pulls_in, state, drives_io, work)
            improve(model, state, drives_io, work)
            set_velocities(own.step, start, m.bodies, m.V)
            lose(model, state, work)
            calm(model, state, work)
            finish(model, pulls_in, booked, state, drives_io, work)
        status = end_step(model, state, work, own.substeps * own.iterations)
        if status != OK:
            return status
    return OK
