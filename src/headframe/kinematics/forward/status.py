"""What kernels of forward kinematics answer."""

from __future__ import annotations

from enum import IntEnum

STATUSES = 16  # an answer is a status + STATUSES * the actuator that it is about


class ForwardStatus(IntEnum):
    """Whether lengths have a configuration, or why not."""

    SOLVED = 0
    NOT_FINITE = 1  # a length is infinite or no number
    OUT_OF_BOUNDS = 2
    DISAGREES = 3  # a partner's length is not what follows from its leader's
    PARTNER_OUT = 4  # what follows for a partner is out of its bounds
    NO_SOLUTION = 5
    NOT_CONVERGED = 6
