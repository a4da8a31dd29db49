"""What a world of impulses works on, besides what `dynamics.touching` has for any world."""

from __future__ import annotations

from ...jit import SPAN, TABLE, layout

# a machine, its arrays by their addresses and sizes
STRUCK = layout(
    X_WO=("f8", (3, 4)),  # the origin of its coordinates
    calls=SPAN,  # STRIKE_CALLS
    model=SPAN,
    state=SPAN,
    drives=SPAN,
    pulls=SPAN,
    work=SPAN,
)

# velocities of a mover, by their addresses and sizes, one piece behind the other
MOVING = layout(
    v=SPAN,  # while impulses change them; of a loose body (w, v of its centre), world axes
    push=SPAN,  # pseudo-velocities
    wide="i8",  # of a piece; the rows of a contact are over one piece
)

# a contact in a step; along its axes, the normal and two tangents
STRIKE = layout(
    piece_a="i8",  # of the velocities of its movers
    piece_b="i8",
    before=("f8", (3,)),  # velocity of a against b before the step [m/s]
    least="f8",  # normal velocity after it [m/s]
    closing="f8",  # least normal pseudo-velocity [m/s]
    bounces="i8",  # 1 if restitution sets the least velocity, else 0
    slides="i8",  # 1 if friction is at its limit, else 0
    friction="f8",  # coefficient in this step
    mass="f8",  # effective, along the normal; 0 for what nothing can move [kg]
    mobility=("f8", (3, 3)),  # change of its velocity by unit impulses along the axes [1/kg]
    tangent=("f8", (2, 2)),  # inverse of the tangents' part of that [kg]
    lightest="f8",  # 1 / the largest eigenvalue of that part [kg]
    impulse=("f8", (3,)),  # of b on a in this step [N s]
    aside="f8",  # pseudo-impulse along the normal [N s]
)

# what a world of impulses has of its own
STRIKING = layout(
    tolerance="f8",  # change of an impulse below which a sweep is the last [N s]
    beta="f8",  # part of an indentation that is taken back in a step
    slop="f8",  # indentation that is left [m]
    iterations="i8",  # most sweeps a step
    machines=SPAN,  # STRUCK
    moving=SPAN,  # MOVING of every mover
    work=layout(
        strikes=SPAN,  # in scratch memory, behind that of any world: STRIKE of every meeting
        struck=SPAN,  # 1 for movers that a contact pushes in this step, else 0; whole numbers
        v=TABLE,  # of the loose bodies (n, 6)
        push=TABLE,
        point=SPAN,  # of a contact and its axes, as its machine sees them
        axes=TABLE,
        pose=TABLE,  # of a link, and its velocity, as its machine sees them
        motion=SPAN,
    ),
)
