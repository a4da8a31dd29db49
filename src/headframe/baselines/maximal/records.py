"""What the methods in maximal coordinates work on, as records.

Every link with mass is a free rigid body: its frame stands in the centre of mass, along the
principal axes. Body 0 is the base: it has no inverse mass, so that nothing moves it. Velocities
(6,) are those of the centres of mass in world axes, angular first.
"""

from __future__ import annotations

from enum import IntEnum

from ...dynamics.kernels import RUN
from ...jit import SPAN, TABLE, layout

RIGID_BODY = layout(
    mass="f8",  # [kg]
    inertia=("f8", (3,)),  # principal moments [kg m^2]
    per_mass="f8",  # inverses of these
    per_inertia=("f8", (3,)),
)


class BodyRowKind(IntEnum):
    """What a row between bodies A and B measures, its value C.

    LINEAR: how far a point of B is from one of A along an axis of A; PERPENDICULAR: the product of
    a vector of A and one of B; DISTANCE: how far a point of A and one of B are apart; ON_A and
    ON_B: the angle about an axis of A or of B from a vector of A to one of B.
    """

    LINEAR = 0
    PERPENDICULAR = 1
    DISTANCE = 2
    ON_A = 3
    ON_B = 4


BODY_ROW = layout(
    kind="i8",  # BodyRowKind
    ends=("i8", (2,)),  # bodies A and B
    axis=("f8", (3,)),  # where the kind has one
    on_a=("f8", (3,)),  # point [m] or vector of A
    on_b=("f8", (3,)),  # and of B
)

# a spring with a damper, along a DISTANCE
BODY_SPRING = layout(
    row=BODY_ROW,
    stiffness="f8",  # [N/m]
    rest_length="f8",  # [m]
    damping="f8",  # [N s/m]
)

# how a row answers: dC/dt = J[0] V_A + J[1] V_B, and W = M^-1 J^T, what a unit impulse makes of
# the velocities
RESPONSE = layout(ends=("i8", (2,)), J=("f8", (2, 6)), W=("f8", (2, 6)))

# rows that hold something together: the first of them, and their number
BLOCK = layout(first="i8", count="i8")

# a free row that something slows down
LOSS = layout(
    row="i8",
    damping="f8",  # [N m s, N s/m]
    friction="f8",  # dry [N m, N]
)

# a joint that follows another: position = ratio times the leader's + offset
REPEATER = layout(
    follower="i8",  # free rows
    leader="i8",
    ratio="f8",
    offset="f8",  # [rad, m]
)

# how the two rows of a repeater answer together
REPEATER_RESPONSE = layout(follower=RESPONSE, leader=RESPONSE)


class CoordinateKind(IntEnum):
    """What positions and velocities of the tree are read from."""

    SCALAR = 0  # a free row
    BALL = 1  # two frames that turn against each other
    FREE = 2  # and move
    CYLINDER = 3  # the mounts of a cylinder without mass: two angles and a length
    PLANE_CYLINDER = 4  # one angle and a length


COORDINATE = layout(
    kind="i8",  # CoordinateKind
    row="i8",  # free row, of a SCALAR
    ends=("i8", (2,)),  # bodies A and B, of others
    position="i8",  # places in q and v
    velocity="i8",
    X_A=("f8", (3, 4)),  # the joint's frames in A
    X_B=("f8", (3, 4)),  # and in B
)

# the model of a method begins with this
MAXIMAL = layout(
    gravity=("f8", (3,)),  # [m/s^2]
    rigid=SPAN,  # RIGID_BODY
    held=SPAN,  # BODY_ROW that joints keep at zero
    free=SPAN,  # BODY_ROW that joints leave free, and what cylinders drive
    blocks=SPAN,  # BLOCK of the held rows
    drives=SPAN,  # the free row of each drive
    losses=SPAN,  # LOSS
    repeaters=SPAN,  # REPEATER
    springs=SPAN,  # BODY_SPRING
    coordinates=SPAN,  # COORDINATE
    own="i8",  # where the method's own record begins
    V_before=TABLE,  # in scratch memory: velocities before a step, (nb, 6)
    V_mean=TABLE,  # mean of those before and after it, (nb, 6)
    spare=SPAN,  # in scratch memory: one RESPONSE
)

# where a body is
MOVING_BODY = layout(
    X=("f8", (3, 4)),  # in the world
    quat=("f8", (4,)),  # the same rotation
    spin=("f8", (3,)),  # angular momentum about the centre of mass [kg m^2/s]
)

# what a guided row follows
REFERENCE = layout(
    active="i8",  # 1 if there is one, else 0
    position="f8",  # [m, rad]
    rate="f8",
)

# what a run goes on from begins with this
MAXIMAL_STATE = layout(
    run=RUN,
    bodies=SPAN,  # MOVING_BODY
    V=TABLE,  # (nb, 6)
    positions=SPAN,  # of the free rows [m, rad], angles counting on
    references=SPAN,  # REFERENCE of the drives
    impulses=SPAN,  # that the next step begins with, for methods that have some
    q=SPAN,  # positions of the tree when they were last read: angles count on from there
)
