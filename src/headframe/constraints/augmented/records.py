"""What the kernels of the augmented Lagrangian work on, as records.

Coordinates q are points and vectors, three numbers each, and scalars, angles and ways, one each,
in the order in which the factor eliminates them. Behind these n numbers stand the elements of the
base, which never move: an element of a body begins at some place in q, whether it moves or not.
Velocities and accelerations are as long, and 0 there.
"""

from __future__ import annotations

from enum import IntEnum

from ...dynamics.kernels import RUN
from ...jit import SPAN, layout


class NaturalRowKind(IntEnum):
    """What a row keeps at zero; x, y and z are combinations of elements, s is a scalar.

    DOT: x . y - s - offset. ANGLE: y . (x sin s - z cos s), with x and z unit vectors across an
    axis and across each other, on one body, and y one on another body: s is the angle from x to y.
    Its slope by s is 1, wherever it stands. LINEAR: one component of x. RATIO: s - ratio times
    another scalar - offset. GUIDE: s - aim, while a drive guides or a stop holds it.
    """

    DOT = 0
    ANGLE = 1
    LINEAR = 2
    RATIO = 3
    GUIDE = 4


class Projection(IntEnum):
    """The metric in which velocities and accelerations are brought back to the constraints."""

    MASS = 0  # of the masses
    TANGENT = 1  # of the step's tangent, whose factor is there already


class AtStop(IntEnum):
    """What became of a drive's stop in a step so far."""

    STAYED = 0
    LIFTED = 1  # it let its row go
    HIT = 2  # its row came to it, or came back


# of a combination of elements
TERM = layout(
    place="i8",  # of the element in q
    x="f8",
    y="f8",
    z="f8",
)

# a row Phi_i(q, t) = 0
NATURAL_ROW = layout(
    kind="i8",  # NaturalRowKind
    terms=SPAN,  # TERM: places among all terms
    component="i8",  # of a LINEAR
    scalar="i8",  # place in q; -1
    leader="i8",  # of a RATIO: place in q
    ratio="f8",
    offset="f8",
    penalty="f8",  # alpha [N/m and the like], (2.82)
    entries=SPAN,  # of its slopes, among all entries
    pairs="i8",  # where the places of their products in the tangent begin
    drive="i8",  # of a GUIDE: number of the drive
)

# what rows have become, in scratch memory
ROW_NOW = layout(
    live="i8",  # 1 if it takes part, else 0
    residual="f8",  # Phi
    forced="f8",  # of a GUIDE: d Phi / dt at rest, minus the rate that is wanted
    turned="f8",  # of a GUIDE: minus the acceleration that is wanted
    aim="f8",  # of a GUIDE: where it shall be
    pressed="f8",  # what its second rate is pressed with in a turn of a projection
)

# two elements that a body ties by its mass, or a scalar with a rotor
MASS_PAIR = layout(
    a="i8",  # places in q
    b="i8",
    width="i8",  # 3, or 1 for a scalar
    mass="f8",  # [kg, kg m, kg m^2]
    places=("i8", (3,)),  # in the tangent
)

# a spring with a damper between two points: their difference is a combination of elements
NATURAL_SPRING = layout(
    terms=SPAN,  # TERM: x from one point to the other
    stiffness="f8",  # [N/m]
    rest_length="f8",  # [m]
    damping="f8",  # [N s/m]
    blocks="i8",  # where its BLOCK_PLACES begin
)

# where a 3 by 3 block of two elements is in the tangent; -1 for what lies above the diagonal, or on
# the base
BLOCK_PLACES = layout(places=("i8", (3, 3)))

# what resists along a scalar
SCALAR_LOSS = layout(
    place="i8",  # in q
    damping="f8",  # [N m s, N s/m]
    friction="f8",  # dry [N m, N]
)

# what a drive acts on
DRIVEN_SCALAR = layout(
    place="i8",  # in q
    row="i8",  # the GUIDE
)

# a body: its pose in the base is sum_k e_k coefficients[k]
NATURAL_BODY = layout(
    freedom="i8",  # of the tree
    places=("i8", (4,)),  # of its elements in q
    coefficients=("f8", (4, 4)),
    blocks="i8",  # where BLOCK_PLACES of its elements in pairs begin, see `forces.stiffen`
)


class NaturalJointKind(IntEnum):
    """What the tree's coordinates of a joint are read from."""

    SCALAR = 0  # a scalar in q
    TURN = 1  # two frames
    SLIDE = 2
    CROSS = 3  # two angles
    BALL = 4
    FREE = 5


# a joint of the tree, between two bodies
NATURAL_JOINT = layout(
    kind="i8",  # NaturalJointKind
    bodies=("i8", (2,)),  # the carrier, and what it carries
    position="i8",  # places in the tree's q and v
    velocity="i8",
    scalar="i8",  # place in q, of a SCALAR
    X_AF=("f8", (3, 4)),  # its frame at position 0 in the carrier's
    R_EF=("f8", (3, 3)),  # of a CROSS: axes of its second freedom in those of the first at 0
)

# where a body is and how it moves, in scratch memory
BODY_FRAME = layout(
    X_WF=("f8", (3, 4)),
    spin=("f8", (3,)),  # angular velocity, and
    velocity=("f8", (3,)),  # that of its origin, base axes
)

# pattern of the factor L of T = L D L^T, unit lower triangular, by columns
FACTOR = layout(
    columns=SPAN,  # where each column begins in `rows`, and the end of the last
    rows=SPAN,  # of its entries, ascending
    left=SPAN,  # where each row begins in the following two, and the end of the last
    left_columns=SPAN,  # of its entries: columns, ascending
    left_places=SPAN,  # and places among all entries
)

AUGMENTED_WORK = layout(
    q=SPAN,  # at the end of the step
    v=SPAN,
    a=SPAN,
    multipliers=SPAN,
    reactions=SPAN,
    rows=SPAN,  # ROW_NOW
    slopes=SPAN,  # entries of the Jacobian
    tangent=SPAN,  # its diagonal, then what is below it, as the factor has its entries
    L=SPAN,
    D=SPAN,
    column=SPAN,  # of the factor, while it is made
    right=SPAN,  # right side, then change
    force=SPAN,  # generalized forces Q
    tree_v=SPAN,  # velocities of the tree
    frames=SPAN,  # BODY_FRAME
    lifted=SPAN,  # over the drives: AtStop; whole numbers
    begun=SPAN,  # the state where a step begins,
    stops=SPAN,  # and which drives rest at stops there
)

# the model begins with this
AUGMENTED = layout(
    n="i8",  # coordinates
    tied="i8",  # 1 if loops tie scalars of drives to each other, else 0
    step="f8",  # [s]
    delta_m="f8",  # part of the step before in the inertia, (2.49)
    delta_f="f8",  # and in the forces, (2.50)
    beta="f8",  # of the integrator, (2.12)
    gamma="f8",  # (2.13)
    projection="i8",  # Projection
    tolerance="f8",  # [m, 1] of a change, and of the constraints, at which a step has converged
    rate_tolerance="f8",  # [m/s, 1/s] of the constraints' rates
    iterations="i8",  # most of them in a step
    terms=SPAN,  # TERM
    rows=SPAN,  # NATURAL_ROW
    entries=SPAN,  # columns of the Jacobian's entries
    pairs=SPAN,  # places of their products in the tangent
    masses=SPAN,  # MASS_PAIR
    weights=SPAN,  # generalized force of gravity, as long as q
    springs=SPAN,  # NATURAL_SPRING
    blocks=SPAN,  # BLOCK_PLACES
    losses=SPAN,  # SCALAR_LOSS
    drives=SPAN,  # DRIVEN_SCALAR
    bodies=SPAN,  # NATURAL_BODY, the base first
    joints=SPAN,  # NATURAL_JOINT
    factor=FACTOR,
    work=AUGMENTED_WORK,
)

# what a run goes on from
AUGMENTED_STATE = layout(
    run=RUN,
    stale="i8",  # 1 if accelerations are to be found anew: something acts otherwise than before
    wrong="i8",  # coordinate where a step failed
    q=SPAN,
    v=SPAN,
    a=SPAN,
    multipliers=SPAN,  # of the rows, that the next step begins with
    reactions=SPAN,  # of the rows: the multipliers of the accelerations that are projected
    held=SPAN,  # Phi_q^T lambda - Q at the end of the last step, (2.57)
    acting=SPAN,  # over the drives: what acted along them in the last step
    tree_q=SPAN,  # positions of the tree: angles count on from there
)
