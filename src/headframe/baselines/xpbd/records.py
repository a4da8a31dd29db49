"""What XPBD works on, as records."""

from __future__ import annotations

from ...jit import SPAN, layout
from ..maximal.records import RESPONSE

# a row whose velocity is calmed where a stop is touched
CALMED = layout(
    response=RESPONSE,
    gain="f8",  # 1 / (J W); 0 where it is idle
)

# what a substep knows of a drive
PUSHING = layout(
    speed="f8",  # that a guided row shall have; NaN for others [m/s, rad/s]
    push="f8",  # multiplier of the drive [N s^2, N m s^2]
    stop="f8",  # and of its stop
)

# what a model of XPBD has of its own
XPBD = layout(
    step="f8",  # length of a substep [s]
    substeps="i8",  # in a step
    iterations="i8",  # rounds over all joints in each of them
    start=SPAN,  # in scratch memory: MOVING_BODY at the start of a substep
    held=SPAN,  # CALMED of the rows that hold joints together
    driven=SPAN,  # CALMED of the drives
    pushing=SPAN,  # PUSHING
    both=SPAN,  # one REPEATER_RESPONSE
)
