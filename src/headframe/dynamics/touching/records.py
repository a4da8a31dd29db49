"""What the kernels of a world work on, as records.

W is the world. A *mover* is what moves by coordinates of its own: a loose body, or a machine.
A *body* is a rigid piece of a mover that carries shapes: the loose body itself, or what a freedom
of a machine's tree carries. Shapes that stand still belong to body -1.
"""

from __future__ import annotations

from enum import IntEnum

from ...contact.kernels import MEMORY, PUSH, TOUCH
from ...jit import SPAN, TABLE, TABLES, layout


class MoverKind(IntEnum):
    """What moves."""

    LOOSE = 0  # a loose body
    MACHINE = 1  # a machine


# a loose body, whose frame B is at its centre of mass, along its principal axes
LOOSE = layout(
    mass="f8",  # [kg]
    inertia=("f8", (3,)),  # about the axes of B [kg m^2]
    quat_WB=("f8", (4,)),
    p_WB=("f8", (3,)),
    w=("f8", (3,)),  # angular velocity in world axes [rad/s]
    v=("f8", (3,)),  # velocity of its centre in world axes [m/s]
    pull=layout(  # from outside, world axes
        point=("f8", (3,)),  # where it acts, B [m]
        moment=("f8", (3,)),  # [N m]
        force=("f8", (3,)),  # [N]
    ),
    reach="f8",  # distance of its farthest point from its centre [m]
    still="i8",  # steps for which it has lain still
    asleep="i8",  # 1 while it sleeps
)

MOVER = layout(
    kind="i8",  # MoverKind
    number="i8",  # among the loose bodies, or the machines
    width="i8",  # number of its velocities
    at="i8",  # where these begin among those of all movers
    held="i8",  # most rows that loops and drives of a machine can hold; 0 for a loose body
    body="i8",  # its first body; -1 if it has none
)

# a piece of a mover that carries shapes
CARRIER = layout(
    mover="i8",  # -1 for what stands still and is named in `apart`, such as a machine's fixed base
    freedom="i8",  # of its machine's tree; -1 for a loose body
)

# scratch memory: where a body is, and how fast
PLACED = layout(
    X_WB=("f8", (3, 4)),
    velocity=("f8", (6,)),  # world axes, at the world's origin
)

# scratch memory: a shape in the world; its pose is in `WORLD.work.poses`
PLACED_SHAPE = layout(
    moves="f8",  # how far any of its points may move in the next step [m]
)

# a contact that a step leaves behind
CONTACT = layout(
    touch=TOUCH,
    memory=MEMORY,
    force=("f8", (3,)),  # of b on a, W [N]
    energy="f8",  # that is stored in it [J]
    slides="i8",  # 1 if friction was at its limit, else 0
)

# a place where a joint holds two bodies together, along up to three axes
JOINED = layout(
    joint="i8",  # the number of its joint
    body_a="i8",  # -1: it stands still
    body_b="i8",
    p_A=("f8", (3,)),  # where it is on each of them [m]
    p_B=("f8", (3,)),
    axes_B=("f8", (3, 3)),  # rows, which b carries
    holds=("i8", (3,)),  # 1 where it does not let a move along an axis
    row="i8",  # the first of its rows among those of its joint
    rows="i8",  # how many these are, of the joint
)

# what a place of a joint remembers
JOINED_STATE = layout(
    force=("f8", (3,)),  # of b on a along the axes, in the last step [N]
    axes=("f8", (3, 3)),  # W, rows
)

# scratch memory: a contact in a step, or a place of a joint
MEETING = layout(
    touch=TOUCH,
    memory=MEMORY,
    a="i8",  # movers; -1: it stands still
    b="i8",
    body_a="i8",
    body_b="i8",
    pair="i8",  # of materials
    stiffness="f8",  # k of k depth^e
    turning="f8",  # of a foot of a place: its velocity along the normal by rolling [m/s]
    axes=("f8", (3, 3)),  # W: rows are the normal and two tangents
    bristle=("f8", (2,)),  # along the tangents
    free_a=("f8", (3,)),  # velocities along the axes without any contact, that of b negative [m/s]
    free_b=("f8", (3,)),
    velocity=("f8", (3,)),  # of a against b, with all contacts [m/s]
    push=PUSH,
    lightness="f8",  # size of its normal rows [1/sqrt(kg)]
    joined="i8",  # the place of a joint that it is; -1 for a contact
    node="i8",  # of this joint
    error=("f8", (3,)),  # of a joint: how far a is from b along the axes [m]
    heaviness=("f8", (3,)),  # of a joint: 1 / size of its rows [sqrt(kg)]; 0 where it does not hold
    column_b="i8",  # where a joint begins in the panels of b
    column="i8",  # where the later of both movers begins in the panels of the other, a joint in a's
    rows_a="i8",  # where its rows begin: velocities along the axes by those of a, in the metric
    rows_b="i8",  # of kinetic energy (3, width); and by those of b, which are taken negative
    held_a="i8",  # where begins what of these loops and guided rows of a machine hold (3, held)
    held_b="i8",
)

# scratch memory: movers that contacts tie together, and what of them is looked at in a step
ISLAND = layout(
    first="i8",  # its movers are members[first:last]
    last="i8",
    begin="i8",  # its contacts are meetings[listing[begin:end]]
    end="i8",
    node="i8",  # its nodes begin there: its movers and its joints
    nodes="i8",
    width="i8",  # how many unknowns these have
)

# scratch memory: unknowns of equations that are solved in blocks; see `blocks`
NODE = layout(
    width="i8",  # how many unknowns it has
    at="i8",  # where these begin among all
    waits="i8",  # 1 if nodes tied to it are to be eliminated before it that do not wait themselves
    waits_for="i8",  # how many of these are left
    position="i8",  # its turn; -1 until it is known
    columns="i8",  # where the list of later nodes tied to it begins, and how long it is
    count="i8",
    breadth="i8",  # how many unknowns they have
    own="i8",  # where its blocks begin
    upper="i8",
    lower="i8",
)

# scratch memory: a later node that is tied to one
COLUMN = layout(
    node="i8",
    at="i8",  # where its unknowns begin in the panels
)

# arrays of a machine in motion, by their addresses and sizes; see `motion.stepping.run`
MACHINE = layout(
    X_WO=("f8", (3, 4)),  # the origin of its tree
    calls=SPAN,
    touch_calls=SPAN,
    model=SPAN,
    state=SPAN,
    drives=SPAN,
    pulls=SPAN,
    work=SPAN,
    kept=SPAN,
    keeps="i8",  # rows of `kept`
    method="i8",  # Integrator
    held="i8",  # most rows that loops and drives can hold
)

# what a world is made of
WORLD = layout(
    h="f8",  # [s]
    gravity=("f8", (3,)),  # [m/s^2]
    touch="i8",  # address of the kernel that compares two shapes
    width="i8",  # velocities of all movers together
    movers=SPAN,  # MOVER
    carriers=SPAN,  # CARRIER of every body
    machines=SPAN,  # MACHINE
    shapes=SPAN,  # SHAPE, sorted by their bodies
    pairs=SPAN,  # PAIR of two materials: a * materials + b
    materials="i8",  # how many there are
    joined=SPAN,  # JOINED
    sleeping="i8",  # 1 if bodies that lie still may sleep
    apart=SPAN,  # pairs of bodies that do not collide, as a * bodies + b, sorted; whole numbers
    work=layout(
        placed=SPAN,  # PLACED
        shapes=SPAN,  # PLACED_SHAPE
        poses=TABLES,  # X_WS of all shapes (3, 4)
        bounds=SPAN,  # BOUNDS of all shapes
        keys=SPAN,  # for sorting these, and pairs of them
        sorted=SPAN,  # whole numbers
        pairs=SPAN,  # (n, 2), of shapes that may touch; whole numbers
        near_work=SPAN,  # one NEAR_WORK
        found=SPAN,  # TOUCH of one pair of shapes
        meetings=SPAN,  # MEETING
        fresh=SPAN,  # CONTACT that a step leaves behind
        rows=SPAN,  # of the meetings
        near=SPAN,  # 1 for movers that are near to something, else 0; whole numbers
        island=SPAN,  # of every mover: the number of its island; whole numbers
        members=SPAN,  # movers sorted by islands; whole numbers
        islands=SPAN,  # ISLAND
        listing=SPAN,  # meetings sorted by islands; whole numbers
        node=SPAN,  # of every mover: its node in its island; whole numbers
        offset=SPAN,  # of every mover: where its velocities begin in its island; whole numbers
        z=SPAN,  # change of velocities by contacts in the metric of kinetic energy, of an island
        trial=SPAN,
        left=SPAN,  # what is left of the equations
        change=SPAN,
        nodes=SPAN,  # NODE of an island
        ties=SPAN,  # of these, see `blocks`; whole numbers
        order=SPAN,  # in which they are eliminated; whole numbers
        columns=SPAN,  # COLUMN of all of them
        panels=SPAN,  # blocks of the equations' slope
        history=SPAN,  # what was left in the last iterations
        velocity=SPAN,  # of a machine's coordinates where a step ends
        held=SPAN,  # what of a machine's contacts its guided rows and loops bear
        point=SPAN,  # of a contact, its axes and its free velocity, in the axes of a machine's tree
        axes=TABLE,
        free=SPAN,
        power=SPAN,  # one POWER
    ),
)

# what moves in a world
WORLD_STATE = layout(
    steps="i8",  # made so far
    contacts="i8",  # how many there are
    near="i8",  # how many places are near to each other, where that was looked for
    iterations="i8",  # of the last step: of Newton's method, or sweeps of impulses
    iterated="i8",  # of all steps, of impulses
    unsettled="i8",  # steps whose impulses still changed by more than the tolerance
    worst="f8",  # of these, the largest change of an impulse in a last sweep [N s, N m s]
    failed="i8",  # the mover whose step failed; -1 if that is a contact's
    work=layout(contacts="f8", joints="f8", pulls="f8", numerical="f8"),  # [J] since the start
    loose=SPAN,  # LOOSE
    known=SPAN,  # CONTACT
    joined=SPAN,  # JOINED_STATE
)
