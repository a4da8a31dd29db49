"""What a compiled machine consists of, as records: what each field is, its unit, frame and shape.

All poses are (3, 4): the first three rows of a homogeneous matrix. F is the frame of a freedom,
P that of its parent freedom (or the base, for -1), L a link.
"""

from __future__ import annotations

from enum import IntEnum

from ..jit import SPAN, TABLE, layout


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

# where something stands, or begins, in positions and in velocities
PLACE = layout(position="i8", velocity="i8")

# a freedom's frame at some positions: scratch memory
FRAME = layout(
    X_WF=("f8", (3, 4)),  # in the base's axes
    axis=("f8", (6,)),  # the motion that the freedom makes at rate 1, at the base's origin
    turn=("f8", (4,)),  # cosine and sine, and the way; or a quaternion
)

# where a link is
LINK = layout(
    freedom="i8",  # that carries it; -1: the base
    X_FL=("f8", (3, 4)),  # its pose in that freedom's frame, or in the base
)


class RowKind(IntEnum):
    """What a row of a loop keeps, between what freedoms A and B carry; see `closing`."""

    OFFSET = 0  # u_A . (p_B - p_A)
    ANGLE = 1  # u_A . u_B
    RATIO = 2  # q_follower - ratio q_leader
    LENGTH = 3  # |p_B - p_A|
    POINT = 4  # one of three OFFSETs that close a point, for the general solver: u_C . (p_B - p_A)


# one scalar equation of a loop, or of a repeater: what it keeps is `offset`, or a given length
LOOP_ROW = layout(
    kind="i8",  # RowKind
    loop="i8",  # place in `topology.loops`; -1 for a repeater's
    a="i8",  # freedom whose body the loop leaves; -1: the base
    b="i8",  # freedom whose body it comes back to; -1: the base
    common="i8",  # the last freedom that moves both; -1: none
    point_a=("f8", (3,)),  # in the frames of a and b [m]
    point_b=("f8", (3,)),
    vector_a=("f8", (3,)),  # directions in the frames of a and b; of a POINT
    vector_b=("f8", (3,)),  # those that its OFFSET has in a, and that it has itself in `common`
    follower=PLACE,  # of a repeater
    leader=PLACE,
    ratio="f8",
    offset="f8",  # [rad, m]; 1 for ANGLEs that only tell a pose from one that is turned over
)

SPRING = layout(
    freedoms=("i8", (2,)),  # whose bodies its ends are on; -1: the base
    points=("f8", (2, 3)),  # its ends, in these freedoms' frames [m]
    stiffness="f8",  # [N/m]
    rest_length="f8",  # [m]
    damping="f8",  # [N s/m]
)

# what a drive acts on: the length of a group's first cylinder, or the position of a joint
DRIVEN = layout(
    place=PLACE,  # in the tree's positions and velocities
    leader="i8",  # that cylinder, in the order of the actuators; -1: a joint
    lower="f8",  # bounds of the cylinder, or limits of the joint [m, rad]; infinite if none
    upper="f8",
    most_speed="f8",  # [m/s, rad/s]; infinite if not limited, as the next two
    most_acceleration="f8",  # [m/s^2, rad/s^2]
    most_force="f8",  # of a joint's drive [N m, N]
    torque="f8",  # of a motor, before it is told anything [N m, N]
)

# scratch memory of the general loop solver; A and g are over the velocities that move
SOLVER_WORK = layout(
    frames=SPAN,  # FRAME
    r=SPAN,  # residuals,
    r_trial=SPAN,
    J=TABLE,  # their Jacobian over all velocities,
    J_last=TABLE,
    A=TABLE,  # J^T J,
    band=SPAN,  # of every row of A the first column that is not nothing; whole numbers
    g=SPAN,
    dv=SPAN,
    q_trial=SPAN,
    q_last=SPAN,  # of a way: the points before last,
    q_now=SPAN,  # last,
    q_next=SPAN,  # next,
    q_half=SPAN,  # and by half steps
    target=SPAN,  # right sides on the way
)

# what the kernels of a compiled machine take begins with this
MECHANISM = layout(
    freedoms=SPAN,  # FREEDOM of the joints
    constraints=SPAN,  # LOOP_ROW
    work=SOLVER_WORK,
)


class SolverStatus(IntEnum):
    """How the general loop solver ended."""

    SOLVED = 0
    STALLED = 1
    OUT_OF_STEPS = 2
    SINGULAR = 3  # a way ends before its target
