"""What a compiled machine consists of, as records: what each field is, its unit, frame and shape.

All poses are (3, 4): the first three rows of a homogeneous matrix. F is the frame of a freedom,
P that of its parent freedom (or the base, for -1), L a link.
"""

from __future__ import annotations

from enum import IntEnum

from ..jit import layout


class FreedomKind(IntEnum):
    """What a freedom does, along or about the z axis of its own frame.

    TURN, by an angle, sliding `pitch` metres a radian meanwhile; SLIDE, by a way; BALL, any turn,
    by a quaternion: the first of three freedoms whose frames are one, of which the others are
    PARTs, so that no angle can lock.
    """

    TURN = 0
    SLIDE = 1
    BALL = 2
    PART = 3


FREEDOM = layout(
    parent="i8",  # the freedom that carries this one; -1: the base
    carrier="i8",  # the freedom whose body carries the axis; for parts of a ball the ball's parent
    kind="i8",  # FreedomKind
    position="i8",  # place in q
    velocity="i8",  # place in v
    X_PF=("f8", (3, 4)),  # its frame at position 0, in the parent's
    pitch="f8",  # way along the axis for a turn [m/rad]; 0 for hinges
    body=("f8", (10,)),  # what it carries: mass [kg], first moment [kg m] and inertia [kg m^2] (xx,
    # yy, zz, xy, xz, yz) about its frame's origin, in its axes
    armature="f8",  # inertia of its drive's rotor, which its own rate alone turns [kg m^2, kg]
)
