"""What the kernels of kinematics work on, as records.

A linkage is a machine in scope of the closed forms, taken at its home pose, where all driving
variables are 0. Points and directions of a plane are complex numbers, as (re, im). See `lengths`
for what they mean.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..jit import SPAN, TABLE, layout

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_VARIABLES = 8  # most variables of a block
MAX_MOTIONS = 32  # most motions of a block
MAX_STEPS = 16  # most steps of a cylinder's chain
TABLE_DIMS = 3  # most lengths that a table runs over


class StepKind(IntEnum):
    """How a driving variable moves what comes after it."""

    TURNING = 0
    SLIDING = 1
    RING = 2  # by a four-bar


class Operation(IntEnum):
    """How the variables of a block follow from lengths."""

    CLOSED_TURN = 0
    CLOSED_SLIDE = 1
    NEWTON = 2


VARIABLE = layout(
    kind="i8",  # StepKind
    position="i8",  # place of its joint in q, or -1
    four_bar="i8",  # whose input it is, or -1
    driven="i8",  # 1 if cylinders set it, else 0
    home="f8",  # the joint's position at home [rad, m]
    sign="f8",  # of the joint's axis
)

# members of a four-bar are counted from x on: x, y, z, w
FOUR_BAR = layout(
    variable="i8",  # its input: the turn of member y about the pivot xy
    first_joint="i8",  # of its three tree joints
    xy=("f8", (2,)),  # pivots at home
    yz=("f8", (2,)),
    zw=("f8", (2,)),
    wx=("f8", (2,)),
    yz_zw="f8",  # squared distances between pivots [m^2]
    wx_zw="f8",
    side="f8",  # of the line from yz to wx on which zw lies: 1 or -1
)

# a tree joint of a four-bar
BAR_JOINT = layout(
    position="i8",  # place in q
    before="i8",  # member of its parent
    after="i8",  # member of its child
    home="f8",  # its position at home [rad]
    sign="f8",  # of its axis
    middle="f8",  # of the range of its turns from home [rad]
)

CHAIN = layout(
    first="i8",  # its first step
    count="i8",  # number of its steps
    leader="i8",  # first member of its cylinder's redundant group
    twin="i8",  # 1 if it always has the leader's length, else 0
    tube=("f8", (2,)),  # mounts at home
    rod=("f8", (2,)),
    height2="f8",  # squared distance of the mounts along the normal [m^2]
    lower="f8",  # bounds of the length [m]
    upper="f8",
    leader_lower="f8",  # of a partner: lengths of the leader with which it stays in its bounds [m]
    leader_upper="f8",
)

STEP = layout(
    kind="i8",  # StepKind
    variable="i8",
    enter="i8",  # of a four-bar: members by which the way comes
    leave="i8",  # and goes
    motion="i8",  # of all steps that are alike, as the legs of a support are
    place=("f8", (2,)),  # pivot, or direction of a slide
    sign="f8",
)

# variables that follow together from the lengths of as many groups
BLOCK = layout(
    operation="i8",  # Operation
    n="i8",  # number of variables
    variables=("i8", (MOST_VARIABLES,)),
    actuators=("i8", (MOST_VARIABLES,)),
    # a closed form: see `closed_form`
    constant="f8",
    scale="f8",
    shift="f8",
    side="f8",
    # a table: variables at the nodes of a grid over some lengths, the first running fastest
    dims="i8",
    table_actuators=("i8", (MOST_VARIABLES,)),
    sizes=("i8", (MOST_VARIABLES,)),  # nodes of each dimension
    shortest=("f8", (TABLE_DIMS,)),  # [m]
    density=("f8", (TABLE_DIMS,)),  # nodes per metre
    table="i8",  # where it begins in the linkage's tables
    n_motions="i8",  # in these actuators' chains
    motions=("i8", (MAX_MOTIONS,)),
)

# a plane motion z -> u z + t at the variables: scratch memory
MOTION = layout(
    u=("f8", (2,)),
    t=("f8", (2,)),
    rate=("f8", (2,)),  # t'
    curve=("f8", (2,)),  # t''
    turning="f8",  # w, with u' = i w u
    turning_rate="f8",  # a = w'
)

# of a step of a chain: scratch memory
CHAIN_STEP = layout(
    p=("f8", (2,)),  # p'_k, and behind the last step p - t; see `length_curves`
    curve=("f8", (2,)),  # p''_k
    turning="f8",  # w_k
    slope="f8",  # l'_k
)

# scratch memory of forward kinematics
FORWARD_WORK = layout(
    theta=SPAN,
    motions=SPAN,  # MOTION
    chain=SPAN,  # CHAIN_STEP
    A=TABLE,  # equations of a block
    weights=TABLE,  # of a table's nodes
    lengths=SPAN,  # of all actuators, on a way
    begin=SPAN,  # variables before a part of it,
    end=SPAN,  # and behind it
)

# what a linkage begins with
LINKAGE = layout(
    variables=SPAN,  # VARIABLE
    four_bars=SPAN,  # FOUR_BAR
    bar_joints=SPAN,  # BAR_JOINT
    chains=SPAN,  # CHAIN of the actuators
    steps=SPAN,  # STEP
    motions=SPAN,  # a step of each motion
    blocks=SPAN,  # BLOCK, in the order of solving
    tables=SPAN,  # numbers of the blocks' tables
    work=FORWARD_WORK,
)

# ------------------------------------------------------------------------------ inverse kinematics

MOST_GROUPS = 12  # most groups that may move a link
MAX_BLOCKS = 16
MAX_PATH = 24  # most steps between the base and a link

# a step of a link's way from the base
PATH_STEP = layout(
    motion="i8",
    variable="i8",
    ex=("f8", (3,)),  # its plane: z = (p . ex) + i (p . ey)
    ey=("f8", (3,)),
    normal=("f8", (3,)),
)

# a place to start from
SEED = layout(
    lengths=("f8", (MOST_GROUPS,)),  # [m]
    X=("f8", (3, 4)),  # the link's pose there
)

# of a step of the way: scratch memory. Twists are angular first
PATH_RATES = layout(
    twist=("f8", (6,)),  # at the base's origin, and
    twist_rate=("f8", (6,)),  # its own rate
    body=("f8", (6,)),  # twist in the link's axes
    rate=("f8", (6,)),  # of the error
    curve=("f8", (6,)),  # of the error's logarithm
)

# scratch memory of inverse kinematics
INVERSE_WORK = layout(
    theta=SPAN,  # driving variables
    motions=SPAN,  # MOTION
    chains=SPAN,  # CHAIN_STEP, MAX_STEPS + 1 for each length
    lengths=SPAN,  # of all actuators
    block=TABLE,  # equations of a block
    weights=TABLE,  # of a table's nodes
    place=SPAN,  # of a variable among those that matter, or -1; whole numbers
    path=SPAN,  # PATH_RATES
    X=TABLE,  # the link's pose
    error=SPAN,
    lam=SPAN,  # W^2 e
    a=SPAN,
    out=SPAN,
    g=SPAN,  # over the lengths: gradient,
    H=TABLE,  # Hessian,
    kept_g=SPAN,  # those of the last good point,
    kept_H=TABLE,
    step=SPAN,
    low=SPAN,  # bounds of the step,
    high=SPAN,
    held=SPAN,  # 1 where it is held at a bound; whole numbers
    free=SPAN,  # those that are not; whole numbers
    now=SPAN,  # present lengths,
    trial=SPAN,  # those tried,
    values=SPAN,  # those that the variables have,
    g_lengths=SPAN,  # gradient
    best=SPAN,  # lengths of the least minimum
    scores=SPAN,  # of the seeds
    L=TABLE,  # dl/dtheta,
    K=TABLE,  # its inverse,
    HK=TABLE,  # Hessian times K
    A=TABLE,  # for solving
)

# what moves a link
PROBLEM = layout(
    n="i8",  # number of lengths to find
    n_blocks="i8",
    n_motions="i8",
    point="i8",  # 1 if only the place of the link's origin counts, else 0
    blocks=("i8", (MAX_BLOCKS,)),
    variables=("i8", (MOST_GROUPS,)),
    actuators=("i8", (MOST_GROUPS,)),
    motions=("i8", (MAX_MOTIONS,)),
    lower=("f8", (MOST_GROUPS,)),  # bounds of the lengths [m]
    upper=("f8", (MOST_GROUPS,)),
    X_home=("f8", (3, 4)),  # the link's pose at home
    path=SPAN,  # PATH_STEP
    seeds=SPAN,  # SEED
    work=INVERSE_WORK,
)


class InverseStatus(IntEnum):
    """How a search for lengths ended."""

    CONVERGED = 0
    OUT_OF_STEPS = 1
    NO_START = 2
    NOT_A_POSE = 3  # the target
