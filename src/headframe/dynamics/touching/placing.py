"""Kernels that place the bodies of a world and their shapes."""

from __future__ import annotations

import math

from ...contact.kernels import SHAPE
from ...jit import Record, doubles_at, header, inlined_kernel, kernel, matrices, numbers, records
from ...mechanism import Floats
from ...spatial.kernels import (
    HERE,
    ZERO,
    compose,
    cross3,
    pose_at,
    put_pose,
    put_six,
    six,
    velocity_at,
)
from ..forces import tree_parts
from ..motion.touch_calls import TOUCH_CALLS, place
from ..records import MOTION_STATE
from ..status import OK
from .loose import place_loose
from .records import (
    CARRIER,
    LOOSE,
    MACHINE,
    MOVER,
    PLACED,
    PLACED_SHAPE,
    WORLD,
    WORLD_STATE,
    MoverKind,
)

LOOSE_KIND = MoverKind.LOOSE.value


@inlined_kernel
def array(span: Floats) -> Floats:
    """An array of a machine, by its address and size."""
    return doubles_at(span[0], span[1])


@kernel
def place_bodies(world: Floats, state: Floats, work: Floats) -> int:
    """Where all bodies are and how fast, and their shapes."""
    head = header(world, WORLD)
    movers, carriers = records(world, head.movers, MOVER), records(world, head.carriers, CARRIER)
    machines = records(world, head.machines, MACHINE)
    loose = records(state, header(state, WORLD_STATE).loose, LOOSE)
    placed = records(work, head.work.placed, PLACED)
    for n in range(machines.shape[0]):
        status = place_machine(machines[n])
        if status != OK:
            return status
    for b in range(carriers.shape[0]):
        if carriers[b].mover < 0:
            put_pose(placed[b].X_WB, HERE)
            put_six(placed[b].velocity, ZERO)
            continue
        mover = movers[carriers[b].mover]
        if mover.kind == LOOSE_KIND:
            place_loose(loose[mover.number], placed[b])
        else:
            place_link(machines[mover.number], carriers[b].freedom, placed[b])
    place_shapes(head, world, work)
    return OK


@inlined_kernel
def place_machine(machine: Record) -> int:
    """Place the tree of a machine where it is, with its velocities."""
    state = array(machine.state)
    moment = header(state, MOTION_STATE)
    q, v = numbers(state, moment.q), numbers(state, moment.v)
    calls = header(array(machine.touch_calls), TOUCH_CALLS)
    return place(calls.place, array(machine.model), q, v, array(machine.work))


@inlined_kernel
def place_link(machine: Record, freedom: int, placed_out: Record) -> None:
    """PLACED of what a freedom of a placed tree carries."""
    _, bodies = tree_parts(array(machine.model), array(machine.work))
    X_WO = pose_at(machine.X_WO)
    put_pose(placed_out.X_WB, compose(X_WO, pose_at(bodies[freedom].X_WF)))
    put_six(placed_out.velocity, seen_from_world(X_WO, six(bodies[freedom].velocity)))


@inlined_kernel
def seen_from_world(X_WO: tuple[float, ...], motion: tuple[float, ...]) -> tuple[float, ...]:
    """A velocity in the axes of O, at its origin, in those of the world."""
    X = X_WO
    w0 = X[0] * motion[0] + X[1] * motion[1] + X[2] * motion[2]
    w1 = X[4] * motion[0] + X[5] * motion[1] + X[6] * motion[2]
    w2 = X[8] * motion[0] + X[9] * motion[1] + X[10] * motion[2]
    v0 = X[0] * motion[3] + X[1] * motion[4] + X[2] * motion[5]
    v1 = X[4] * motion[3] + X[5] * motion[4] + X[6] * motion[5]
    v2 = X[8] * motion[3] + X[9] * motion[4] + X[10] * motion[5]
    c = cross3((X[3], X[7], X[11]), (w0, w1, w2))
    return w0, w1, w2, v0 + c[0], v1 + c[1], v2 + c[2]


@inlined_kernel
def place_shapes(head: Record, world: Floats, work: Floats) -> None:
    """Poses of all shapes, and how far they may move in the next step."""
    shapes, placed = records(world, head.shapes, SHAPE), records(work, head.work.placed, PLACED)
    found, poses = records(work, head.work.shapes, PLACED_SHAPE), matrices(work, head.work.poses)
    g = head.gravity
    falls = 2.0 * head.h * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    for s in range(shapes.shape[0]):
        shape, out = shapes[s], found[s]
        if shape.body < 0:
            put_pose(poses[s], pose_at(shape.X_BS))
            out.moves = 0.0
            continue
        body = placed[shape.body]
        X_WS = compose(pose_at(body.X_WB), pose_at(shape.X_BS))
        put_pose(poses[s], X_WS)
        motion = six(body.velocity)
        v = velocity_at(motion, (X_WS[3], X_WS[7], X_WS[11]))
        speed = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        turning = math.sqrt(motion[0] ** 2 + motion[1] ** 2 + motion[2] ** 2)
        out.moves = head.h * (speed + turning * shape.radius + falls)
