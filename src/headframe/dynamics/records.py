"""What the kernels of dynamics work on, as records.

Motion and force vectors (6,) are angular first. Whatever is said to be in world axes has its
moments and linear velocities taken at the world's origin. Inertias (10,) are mass, first moment
and inertia about the world's origin (xx, yy, zz, xy, xz, yz).
"""

from __future__ import annotations

from enum import IntEnum

from ..jit import SPAN, TABLE, layout
from ..mechanism.kernels import LOOP_ROW as LOOP_ROW
from ..mechanism.kernels import RowKind as RowKind
from .loads import LOADS

# one for each freedom: where its body is, how it moves, what acts on it; scratch memory
BODY = layout(
    turn=("f8", (4,)),  # of its freedom: cosine and sine, and the way; or a quaternion
    X_WF=("f8", (3, 4)),  # its freedom's frame in the world
    axis=("f8", (6,)),  # the motion that its freedom makes at rate 1, world axes
    velocity=("f8", (6,)),  # world axes
    acceleration=("f8", (6,)),  # world axes
    force=("f8", (6,)),  # through its freedom, or what the algorithm says; world axes
    pull=("f8", (6,)),  # external force on it, world axes
    inertia=("f8", (10,)),  # of what its freedom carries
    composite=("f8", (10,)),  # and of all that follows
    articulated=(
        "f8",
        (21,),
    ),  # the same while all that follows is free to move: [[J, B], [B^T, C]]
    # as J and C (xx, yy, zz, xy, xz, yz) at 0 and 15, B in rows at 6
    articulated_force=("f8", (6,)),  # on that
    gain="f8",  # 1 / inertia that its freedom feels [1/kg, 1/(kg m^2)]
    rate="f8",  # of its freedom, while its parent rests
)

# what the public functions over a spanning tree pass to kernels begins with this
TREE = layout(
    gravity=("f8", (3,)),  # [m/s^2], base axes
    nq="i8",  # number of positions
    freedoms=SPAN,  # FREEDOM, numbered depth first
    bodies=SPAN,  # BODY
)

# ------------------------------------------------------- what all formulations over the tree share

# a force that stays the same in world axes and acts on a point of a body
PULL = layout(
    freedom="i8",  # whose body it acts on
    point=("f8", (3,)),  # where, in that freedom's frame [m]
    moment=("f8", (3,)),  # world axes [N m]
    force=("f8", (3,)),  # world axes [N]
)

# of a velocity of the tree
RESISTANCE = layout(
    damping="f8",  # [N m s, N s/m]
    friction="f8",  # dry [N m, N]
)

# what flows into a machine [W]; of dampers and friction, it is negative
POWER = layout(drives="f8", dampers="f8", pulls="f8")

# what was done since the start [J], as in `engine.Work`
WORK_DONE = layout(
    drives="f8",
    dampers="f8",  # with dry friction
    pulls="f8",
    stops="f8",
    joints="f8",  # by what holds joints together and keeps loops closed
    contacts="f8",  # by what it touches
    numerical="f8",  # lost by implicit steps with contacts
)

# the state of an engine begins with this
RUN = layout(
    steps="i8",  # made so far
    iterations="i8",  # of the last step
    iterated="i8",  # of all steps
    work=WORK_DONE,
)

# the state of an engine that an integrator moves
MOTION_STATE = layout(
    run=RUN,
    q=SPAN,  # positions and
    v=SPAN,  # velocities of the formulation's own coordinates
)

# [J]
ENERGY = layout(kinetic="f8", potential="f8", springs="f8")

# a row, the scalar that a drive acts on or a stop limits
DRIVEN_ROW = layout(
    freedom="i8",  # of the tree
    tree_velocity="i8",  # its place in the tree's velocities
    position="i8",  # place in the formulation's coordinates; -1 if it is none itself
    velocity="i8",  # place in their velocities; -1
)

# position [m, rad] and rate [m/s, rad/s] of a row
ROW_STATE = layout(position="f8", rate="f8")

# scratch memory of the integrators and of what is around them
STEPPING = layout(
    stages_q=TABLE,  # rates of the positions in every stage (STAGES, nq)
    stages_v=TABLE,  # accelerations (STAGES, nv)
    stages_power=SPAN,  # POWER in every stage
    q=SPAN,
    qdot=SPAN,
    v=SPAN,
    vdot=SPAN,
    trial=SPAN,  # (nv,), of implicit steps, as the following
    change=SPAN,
    left=SPAN,
    there=SPAN,
    A=TABLE,  # (nv, nv)
    begun=SPAN,  # ROW_STATE where a part of a step begins
    ended=SPAN,  # and where it ends
    mask=SPAN,  # over the rows: -1 or 1 for those that meet their lower or upper stop, else 0
    lifted=SPAN,  # 1 for those that rested, and were let go for a drive to move them, else 0
    pressed=SPAN,  # 1 for those that a drive presses against their stops, else 0
    q_begun=SPAN,  # state where a part of a step begins
    v_begun=SPAN,
    flow=SPAN,  # one POWER: what flows in that part [J]
    power=SPAN,  # one POWER
)

# what every formulation's model begins with
MODEL = layout(
    nq="i8",  # positions and
    nv="i8",  # velocities of the formulation's own coordinates
    tied="i8",  # 1 if loops tie rows to each other: one cannot move without another; else 0
    factored="i8",  # 1 where a tree is placed already, to be left with its inertia factored; else 0
    ahead="f8",  # [s] for which accelerations look ahead at dampers and dry friction, see
    # `forces.inertia_of_resistance`; 0: not at all
    projects="i8",  # 1 if positions may have to be brought back after a step, else 0
    gravity=("f8", (3,)),  # [m/s^2], base axes
    freedoms=SPAN,  # FREEDOM of the spanning tree
    resistances=SPAN,  # RESISTANCE of the tree's velocities
    quaternions=SPAN,  # PLACE of the coordinates' quaternions, in their order
    rows=SPAN,  # DRIVEN_ROW
    loads=LOADS,  # what pulls at the bodies
    own="i8",  # where the formulation's own record begins
    bodies=SPAN,  # in scratch memory: BODY
    stepping=STEPPING,  # in scratch memory
)

# --------------------------------------------------------------------------------- embedded loops


class PositionSource(IntEnum):
    """What the position of a freedom of the tree follows from."""

    HINGE = 0  # a driving variable
    SLIDE = 1  # a driving variable
    RINGED = 2  # a four-bar, by its variable
    EXTRA = 3  # it is a coordinate as it is
    TUBE = 4  # a cylinder's direction about its pin
    TILT = 5  # a cylinder's direction out of the pin's plane
    ROD = 6  # a cylinder's length


# of every freedom: y = a function of the driving variables theta
FUNCTION = layout(
    source="i8",  # PositionSource
    number="i8",  # of the variable, four-bar or cylinder; of an extra its place in q, or -1
    before="i8",  # of a four-bar's joint: the member before it
    after="i8",  # and the member after it
    turns="i8",  # of an extra: 1 if it is a hinge, else 0
    width="i8",  # of an extra that is none: how many positions it has
    pitch="f8",  # of a hinge: way along its axis [m/rad]
    first="i8",  # its first entry in G, and
    count="i8",  # how many it has, one for each variable that moves it
    cosine="f8",  # of the position at home
    sine="f8",
    sign="f8",  # y = home + sign * the variable
    home="f8",  # [rad, m]
)

# of every cylinder
EMBEDDED_CYLINDER = layout(
    tube="i8",  # freedoms: about the pin,
    tilt="i8",  # out of the pin's plane (-1 on a plane mount)
    rod="i8",  # and of the rod
    plane=("f8", (3, 2)),  # the plane of its chain in the axes of the tube's mount
    across=("f8", (3,)),  # from the tube's mount to the rod's, across that plane [m]
)

# a length that is a coordinate in place of a variable
LED_LENGTH = layout(
    variable="i8",  # whose place it takes
    rod="i8",  # freedom of its cylinder's rod
)

# scratch memory of embedded loops
EMBEDDED_WORK = layout(
    theta=SPAN,  # driving variables
    rate=SPAN,  # and their rates
    motions=SPAN,  # MOTION of the chains' steps, see `kinematics.records`
    chains=SPAN,  # CHAIN_STEP, MAX_STEPS + 1 for each cylinder
    lengths=SPAN,  # of the cylinders [m]
    block=TABLE,  # equations of a block
    weights=TABLE,  # of a table's nodes
    G=SPAN,  # dy/dtheta, by freedoms, without zeros
    Gdot=SPAN,  # and its rate
    v_tree=SPAN,  # over the tree: velocities,
    bias=SPAN,  # accelerations at constant theta', Gdot theta',
    tau=SPAN,  # and torques
    M=TABLE,  # inertia over theta
    L=TABLE,  # its factor
    right=SPAN,  # over theta: right side,
    answer=SPAN,
    more=SPAN,
    wanted=SPAN,  # over the rows: what is wanted of them, then their multipliers
    chosen=SPAN,  # which take part
    S=TABLE,  # rows by rows
    response=TABLE,  # rows by theta
    held=TABLE,  # orthonormal basis of the guided rows in the metric of kinetic energy, by theta
    held_by=TABLE,  # their coefficients in it
    held_rows=SPAN,  # how many there are, then which; whole numbers
)

# scratch memory of the variational integrator: over the coordinates
MIDPOINT_WORK = layout(
    q=SPAN,  # in the middle of the step
    qdot=SPAN,
    v=SPAN,
    p0=SPAN,  # momenta at the start
    p=SPAN,
    f=SPAN,  # forces that change them
    spare=SPAN,
    p_tree=SPAN,  # over the tree: momenta without rotors,
    f_tree=SPAN,  # and forces that change them
    fixed=SPAN,  # 1 for what is prescribed, else 0
    pull=SPAN,  # accelerations of that, else 0
    before=SPAN,
    M=TABLE,  # inertia
    B=TABLE,  # dy/dtheta, y being the coordinates; then its inverse
    D=TABLE,  # its rate; then scratch
    power=SPAN,  # one POWER
)

# what a model of embedded loops has of its own
EMBEDDED = layout(
    by_lengths="i8",  # 1 if lengths are coordinates in place of the variables they set, else 0
    n_vars="i8",  # number of driving variables
    link=SPAN,  # the linkage, see `kinematics.records.LINKAGE`
    functions=SPAN,  # FUNCTION of every freedom
    columns=SPAN,  # for every entry of G the variable
    cylinders=SPAN,  # EMBEDDED_CYLINDER
    led=SPAN,  # LED_LENGTH; none if the variables are coordinates
    work=EMBEDDED_WORK,
    midpoint=MIDPOINT_WORK,
)

# ------------------------------------------------------------------------------ constrained tree

# of a row of the loops or of the drives: the freedoms that move its bodies, from the leaves to the
# base, and the first row of its group, the rows of one kind in one loop
PATH = layout(first="i8", count="i8", group="i8")

# scratch memory of the constrained tree; see `basis` for the matrices
CONSTRAINED_WORK = layout(
    L=TABLE,  # factor of the inertia
    J=TABLE,  # of the loops
    Y=TABLE,  # rows of loops and drives, in the metric of kinetic energy
    Q=TABLE,  # orthonormal basis of those that count
    C=TABLE,  # their coefficients in it
    classes=SPAN,  # over the rows: in which turn each is taken
    kept=SPAN,  # 1 + its place in the basis, or 0; whole numbers
    wanted=SPAN,  # what its rate should be, or change by
    force=SPAN,  # multiplier, or impulse
    group_length=SPAN,  # the longest row of its group
    rest=SPAN,  # what of it is not yet in the basis
    order=SPAN,  # rows in the order in which the basis took them; whole numbers
    rank=SPAN,  # how many rows the basis has; one whole number
    s=SPAN,  # over the basis
    mu=SPAN,
    z=SPAN,  # over the freedoms
    tau=SPAN,
    zeros=SPAN,
    extra=SPAN,  # `CONSTRAINED.extra`, with what dampers add to it
    change=SPAN,  # of the velocities
    q_trial=SPAN,
)

# scratch memory of the variational integrator
CONSTRAINED_MIDPOINT = layout(
    q=SPAN,
    rates=SPAN,
    v=SPAN,
    p0=SPAN,  # momenta at the start
    p=SPAN,
    f=SPAN,  # forces that change them
    dv=SPAN,  # change of v in a turn, over the freedoms
    extra=SPAN,  # what the inertia has on its diagonal beyond the bodies'
    held=SPAN,  # 1 for freedoms that are guided, else 0
    before=SPAN,
    L0=TABLE,  # L and Q at the start of the step
    Q0=TABLE,
    power=SPAN,  # one POWER
)

# what a model of the constrained tree has of its own
CONSTRAINED = layout(
    rank="i8",  # how many of the loops' rows are independent
    loops=SPAN,  # LOOP_ROW
    paths=SPAN,  # PATH of the loops' rows, then of the drives'
    steps=SPAN,  # freedoms of the paths
    extra=SPAN,  # by freedoms, what the inertia has on its diagonal beyond the bodies': rotors, and
    # what is lent to freedoms that move nothing
    work=CONSTRAINED_WORK,
    midpoint=CONSTRAINED_MIDPOINT,
)
