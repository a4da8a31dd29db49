"""What the kernels of the MineRobot paper's kinematics work on, as records."""

from __future__ import annotations

from enum import IntEnum

from ...jit import SPAN, TABLE, layout


class IteType(IntEnum):
    """Kinds of ITEPs, the paper's types."""

    A = 0
    B = 1
    C = 2
    D = 3


# how a cylinder's chain passes the four-bar and the hinge of type D
PASSING = layout(
    step="i8",  # of the four-bar, or -1 if it is not passed
    enter="i8",
    leave="i8",
    hinge="i8",  # step of the hinge, or -1
)

# what a redundant group moves
ITEP = layout(
    type="i8",  # IteType
    actuator="i8",
    variable="i8",  # that drives
    four_bar="i8",  # or -1
    step="i8",  # the moving step of types A to C,
    enter="i8",  # and its members
    leave="i8",
    lock="i8",  # of type D: the locked group,
    hinge="i8",  # the hinge's variable,
    own=PASSING,  # how the active cylinder's chain goes
    held=PASSING,  # and the locked one's
)

# a plane motion z -> u z + t
PLANE_MOTION = layout(u=("f8", (2,)), t=("f8", (2,)))

# scratch memory: the current configuration T' of the paper, and room for the rest
SEQUENCE_WORK = layout(
    theta=SPAN,  # driving variables
    angles=TABLE,  # alpha and beta of every four-bar
    current=SPAN,  # lengths of the groups
    configuration=SPAN,  # all three of them
    kept=SPAN,  # a copy of them to return to
    motions=SPAN,  # PLANE_MOTION of every step
    wanted=SPAN,  # lengths of the actuators
    X=TABLE,  # a pose
    error=SPAN,
)

# what a sequence of groups begins with
SEQUENCE = layout(
    iteps=SPAN,  # ITEP, in the order in which the groups are moved
    work=SEQUENCE_WORK,
)


# scratch memory of the searches begins with this: vectors of MOST_GROUPS numbers, a group each
SEARCH_WORK = layout(
    lengths=SPAN,  # where a search begins, and where it ends [m]
    gradient=SPAN,  # of 1/2 Psi^2 there [1/m]
    direction=SPAN,  # in which it goes on
    trial=SPAN,  # lengths that are tried [m]
    trial_gradient=SPAN,
    kept_gradient=SPAN,  # of a trial, while another one is made
    parent=SPAN,  # best lengths of an evolution strategy [m]
)


class SearchKind(IntEnum):
    """How one length after the other is searched, or all at once."""

    GOLDEN = 0
    BRENT = 1
    NEWTON_1D = 2
    SECANT = 3
    ONE_PLUS_ONE = 4
