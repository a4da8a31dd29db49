"""What SIMMC works on, as records."""

from __future__ import annotations

from ...jit import SPAN, TABLE, layout
from ..maximal.records import REPEATER_RESPONSE, RESPONSE

# a row of the solver
SOLVER_ROW = layout(
    response=RESPONSE,
    gain="f8",  # 1 / (J W + softness); 0 where it is idle
    softness="f8",
    wanted="f8",  # velocity [m/s, rad/s]
    closing="f8",  # wanted pseudo-velocity; -inf for none
    least="f8",  # least and
    most="f8",  # greatest impulse [N s, N m s]
    impulse="f8",  # applied so far
    pseudo_impulse="f8",
)

# a repeater, over up to four bodies
SOLVER_REPEATER = layout(
    both=REPEATER_RESPONSE,
    gain="f8",
    closing="f8",
    impulse="f8",
)

# where a freedom of the tree carries something, in a body
LINK_BODY = layout(
    body="i8",  # the base where it has none
    X_BF=("f8", (3, 4)),
)

# what a model of SIMMC has of its own
SIMMC = layout(
    step="f8",  # [s]
    beta="f8",  # part of a gap that one step closes
    tolerance="f8",  # change of an impulse below which iterations end
    alternating="i8",  # 1 if sweeps go back and forth in turn, else 0
    iterations="i8",  # most of them in a step
    rows=SPAN,  # in scratch memory: SOLVER_ROW, all of these one behind the other:
    held=SPAN,  # those that hold joints together,
    guides=SPAN,  # that guide drives,
    stops=SPAN,  # and stop them,
    dampers=SPAN,  # those of losses, that damp
    frictions=SPAN,  # and that rub
    repeaters=SPAN,  # SOLVER_REPEATER
    pseudo=TABLE,  # pseudo-velocities of the bodies, (nb, 6)
    kept_rows=SPAN,  # of the impulses that the next step begins with: those of the rows
    kept_repeaters=SPAN,  # and of the repeaters
    links=SPAN,  # LINK_BODY of the tree's freedoms
)
