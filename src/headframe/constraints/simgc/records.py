"""What SIMGC works on, as records.

A row is one scalar condition on the velocities, kept by an impulse; see `lines`. Rows stand in this
order: joints with friction, drives with their stops, loops.
"""

from __future__ import annotations

from ...dynamics.kernels import RUN
from ...jit import SPAN, TABLE, layout

# what velocities, or pseudo-velocities, are to do along a row
AIM = layout(
    target="f8",  # rate [m/s, rad/s]
    low="f8",  # least and
    high="f8",  # largest impulse [N s, N m s]
    impulse="f8",  # applied in this step
)

IMPULSE_ROW = layout(
    line="i8",  # along which it acts; -1 if it takes no part in this step
    coupled="i8",  # another row or -1: its impulse then stays within factor times that row's
    factor="f8",
    aims=(AIM, (2,)),  # by stage, see `lines`
    order=("i8", (2,)),  # by stage: the row that is solved when it is the turn of this place
)

# a line in use
LINE = layout(
    group="i8",  # of lines that are solved together, or -1
    mass="f8",  # effective
    error="f8",  # by how much a loop stands open [m, rad]
)

# a joint or cylinder that rows may act on
JOINT_LINE = layout(
    velocity="i8",  # its place in v
    group="i8",  # of lines that are solved together, or -1
)

# a joint with dry friction
FRICTION = layout(
    velocity="i8",  # its place in v
    friction="f8",  # [N, N m]
)

# what a drive acts on, and the rows that do it
DRIVE_LINE = layout(
    position="i8",  # its place in q
    velocity="i8",  # and in v
    guide="i8",  # row of its guided rate
    stops=("i8", (2,)),  # rows of its lower and its upper stop
)

COUNTS = layout(
    sweeps=("i8", (2,)),  # of the last step, by stage
    lines="i8",  # of this step,
    loop_lines="i8",  # those of loops among them
    rows=("i8", (2,)),  # in use, by stage
    wrong="i8",  # the first velocity that is not finite, or -1
)

# what a run goes on from begins with this
IMPULSE_STATE = layout(
    run=RUN,
    q=SPAN,
    v=SPAN,
    held=SPAN,  # where each locked drive came to rest, or NaN [m, rad]
    kept=SPAN,  # impulses of all rows from the last step
    counts=COUNTS,
)

# scratch memory
IMPULSE_WORK = layout(
    rows=SPAN,  # IMPULSE_ROW
    lines=SPAN,  # LINE
    J=TABLE,  # lines, and
    Y=TABLE,  # the velocities' response to a unit impulse of each
    A=TABLE,  # change of each line's rate by a unit impulse of another
    mix=TABLE,  # how much of one line was taken out of another
    rates=TABLE,  # by stage, (2, lines)
    applied=TABLE,  # impulses applied in this step, (2, lines)
    tau=SPAN,  # over the velocities
    vdot=SPAN,
    before=SPAN,
    push=SPAN,  # pseudo-velocities
    impulses=SPAN,
    power=SPAN,  # one POWER
)

# what a model of SIMGC has of its own
SIMGC = layout(
    step="f8",  # [s]
    tolerance="f8",  # change of an impulse below which a sweep is the last
    beta="f8",  # part of an error that is taken back in a step
    iterations="i8",  # most sweeps a step
    loops=SPAN,  # LOOP_ROW
    loop_groups=SPAN,  # group of each row of the loops
    joints=SPAN,  # JOINT_LINE
    joint_of_row=SPAN,  # the JOINT_LINE that each row but the loops' acts on
    frictions=SPAN,  # FRICTION
    drives=SPAN,  # DRIVE_LINE
    work=IMPULSE_WORK,
)
