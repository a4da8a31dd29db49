"""Kernels that place freedoms and links: the one place where joints turn and slide.

Everything is written for freedoms: each turns about or slides along the axis z of its own frame. A
universal joint is two hinges; a free joint is three slides and a ball; a ball is three freedoms
whose frames are one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit import (
    MATRICES,
    MATRICES_4,
    MATRIX,
    VECTOR,
    Record,
    Records,
    array_of,
    batch_kernel,
    entry,
    inlined_kernel,
    kernel,
)
from ..spatial.kernels import (
    Numbers,
    compose,
    cosine_and_sine,
    hinge,
    pose_at,
    put_pose,
    put_six,
    screw,
    slid,
    stepped_quaternion,
    turned,
    turned_freely,
)
from .records import FRAME, FREEDOM, LINK, FreedomKind

Floats = NDArray[np.float64]

TURN, SLIDE, BALL, PART = (kind.value for kind in FreedomKind)


@inlined_kernel
def set_turn(freedom: Record, q_in: Floats, turn: Floats) -> None:
    """What `moved` needs of a freedom's position: cosine, sine and way, or quaternion."""
    iq = freedom.position
    if freedom.kind == TURN:
        turn[0], turn[1] = cosine_and_sine(q_in[iq])
        turn[2] = freedom.pitch * q_in[iq]
    elif freedom.kind == SLIDE:
        turn[2] = q_in[iq]
    elif freedom.kind == BALL:
        for k in range(4):
            turn[k] = q_in[iq + k]


@inlined_kernel
def moved(freedom: Record, turn: Floats, pose: Numbers) -> Numbers:
    """Frame of a freedom that stands at `pose` where its position is 0."""
    if freedom.kind == TURN:
        pose = turned(pose, turn[0], turn[1])
        if freedom.pitch != 0.0:
            pose = slid(pose, turn[2])
        return pose
    if freedom.kind == SLIDE:
        return slid(pose, turn[2])
    return turned_freely(pose, (turn[0], turn[1], turn[2], turn[3]))


@inlined_kernel
def axis_of(freedom: Record, pose: Numbers) -> Numbers:
    """Motion that a hinge, screw or slide makes at rate 1, at the origin."""
    if freedom.kind == TURN:
        return screw(pose, freedom.pitch)
    return 0.0, 0.0, 0.0, pose[2], pose[6], pose[10]


@inlined_kernel
def place_freedom(freedoms: Records, d: int, frames: Records) -> Numbers:
    """Frame and axis of a freedom whose turn is set, and of the PARTs of a ball; gives its pose."""
    freedom, frame = freedoms[d], frames[d]
    pose = pose_at(freedom.X_PF)
    if freedom.parent >= 0:
        pose = compose(pose_at(frames[freedom.parent].X_WF), pose)
    pose = moved(freedom, frame.turn, pose)
    if freedom.kind == BALL:
        for k in range(3):
            put_pose(frames[d + k].X_WF, pose)
            put_six(frames[d + k].axis, hinge(pose, k))
    else:
        put_pose(frame.X_WF, pose)
        put_six(frame.axis, axis_of(freedom, pose))
    return pose


@inlined_kernel
def place(freedoms: Records, q_in: Floats, frames: Records) -> None:
    """Frames and axes of all freedoms."""
    for d in range(freedoms.shape[0]):
        if freedoms[d].kind != PART:
            set_turn(freedoms[d], q_in, frames[d].turn)
            place_freedom(freedoms, d, frames)


@entry(array_of(FREEDOM), VECTOR, array_of(FRAME))
@kernel
def place_frames(freedoms: Records, q_in: Floats, frames: Records) -> None:
    """`place`, for who calls it from outside of kernels."""
    place(freedoms, q_in, frames)


@inlined_kernel
def carry(links: Records, frames: Records, base: Numbers, X_out: Floats) -> None:
    """Poses (n_links, 4, 4) of links on placed freedoms, of a machine that stands at `base`."""
    for k in range(links.shape[0]):
        link, X = links[k], X_out[k]
        pose = pose_at(link.X_FL)
        if link.freedom >= 0:
            pose = compose(pose_at(frames[link.freedom].X_WF), pose)
        put_pose(X, compose(base, pose))
        X[3, 0], X[3, 1], X[3, 2], X[3, 3] = 0.0, 0.0, 0.0, 1.0


@entry(array_of(LINK), array_of(FRAME), MATRIX, MATRICES)
@kernel
def carry_links(links: Records, frames: Records, X_WB_in: Floats, X_out: Floats) -> None:
    """`carry`, for who has placed the freedoms already."""
    carry(links, frames, pose_at(X_WB_in), X_out)


@entry(array_of(FREEDOM), array_of(LINK), MATRIX, MATRICES, array_of(FRAME), MATRICES_4)
@batch_kernel
def place_links(
    freedoms: Records, links: Records, q_in: Floats, X_WB_in: Floats, frames: Records,
    X_out: Floats,
) -> None:  # fmt: skip
    """World poses (n, n_links, 4, 4) of links for every row of joint positions.

    X_WB_in, (n, 4, 4) or (1, 4, 4), is where the machine of each row stands.
    """
    for row in range(q_in.shape[0]):
        place(freedoms, q_in[row], frames)
        base = pose_at(X_WB_in[row if X_WB_in.shape[0] > 1 else 0])
        carry(links, frames, base, X_out[row])


@kernel
def step_positions(
    freedoms: Records, q_in: Floats, dv_in: Floats, scale: float, q_out: Floats
) -> None:
    """q_out = q_in moved by scale * dv_in; quaternions turn in their own body and stay unit."""
    for d in range(freedoms.shape[0]):
        iq, iv = freedoms[d].position, freedoms[d].velocity
        if freedoms[d].kind <= SLIDE:
            q_out[iq] = q_in[iq] + scale * dv_in[iv]
        elif freedoms[d].kind == BALL:
            turn = scale * dv_in[iv], scale * dv_in[iv + 1], scale * dv_in[iv + 2]
            quaternion = q_in[iq], q_in[iq + 1], q_in[iq + 2], q_in[iq + 3]
            w, i, j, k = stepped_quaternion(quaternion, turn)
            q_out[iq], q_out[iq + 1], q_out[iq + 2], q_out[iq + 3] = w, i, j, k
