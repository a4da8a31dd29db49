"""What SIMGC works on, as records.

A row is one scalar condition on the velocities, kept by an impulse; see `lines`. Rows stand in this
order: joints with friction, drives with their stops, loops.
"""

from __future__ import annotations

from ...jit import SPAN, TABLE, layout
from ..records import RUN

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
    velocity=AIM,
    pseudo=AIM,
)

# a joint or cylinder that rows may act on
JOINT_LINE = layout(
    velocity="i8",  # its place in v
    group="i8",  # of lines that are solved together, or -1
)

# a joint with dry friction
FRICTION = layout(
    joint="i8",  # its JOINT_LINE
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
    sweeps="i8",  # of the last step: for velocities and
    pseudo_sweeps="i8",  # for pseudo-velocities
    lines="i8",  # of this step,
    loop_lines="i8",  # those of loops among them
    order="i8",  # rows in use for velocities and
    pseudo_order="i8",  # for pseudo-velocities
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
    groups=SPAN,  # of the lines; whole numbers
    order=SPAN,  # rows in the order of being solved; whole numbers
    pseudo_order=SPAN,
    J=TABLE,  # lines, and
    Y=TABLE,  # the velocities' response to a unit impulse of each
    A=TABLE,  # change of each line's rate by a unit impulse of another
    mix=TABLE,  # how much of one line was taken out of another
    mass=SPAN,  # over the lines: effective mass
    error=SPAN,  # by how much a loop stands open [m, rad]
    rates=TABLE,  # of velocities and of pseudo-velocities, (2, lines)
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
