"""The home pose: every loop closed, every cylinder inside its bounds, found from the file alone.

Files need not carry an assembled pose, and a mechanism has several: a two-leg support 3 to 10 for
one pair of leg lengths. Which one, when the file does not say: among the connected components of
configurations whose lengths lie in the bounds, those that cover most of the box of lengths, and
of these the one with the smallest sum of squared joint values.

Blocks of loops without a joint in common are independent: what a machine can do is the product
of what its blocks can do, so each block is searched alone (see `search`), as a small machine of its
own (see `cutout`): time grows with the number of blocks, not with its square.
"""

from __future__ import annotations

import numpy as np

from ..errors import AssemblyError
from .blocks import find_blocks
from .compiled import Mechanism
from .cutout import Cutout
from .request import BOUND_SLACK, HomeRequest
from .search import Search
from .solver import loop_angles, loop_gaps, residuals
from .state import State

CLOSED = 1e-12  # largest gap of a closed loop [m]
ALIGNED = 1e-9  # largest angle between the halves of a closed pivot [rad]


def assemble(mechanism: Mechanism) -> State:
    """Find the home pose.

    Raises:
        AssemblyError: a loop cannot be closed, no closed pose has all lengths in bounds and all
            joints in their limits, or the file's home contradicts itself.
    """
    request = HomeRequest(mechanism)
    q = request.q.copy()
    for block in find_blocks(mechanism):
        part = Cutout(mechanism, block)
        q[part.positions] = Search(part, request).assembled(q[part.positions])
    state = State(mechanism, q)
    _check_closed(state)
    request.check_limits(q)
    request.check_lengths(state)
    return state


def _check_closed(state: State) -> None:
    """Refuse a pose in which anything is open: closures by metres and angles, then repeaters."""
    angles = loop_angles(state)
    for name, gap in loop_gaps(state).items():
        if gap > CLOSED or angles[name] > ALIGNED:
            raise AssemblyError(
                f"loop {name!r} stays open by {gap:.3g} m and {angles[name]:.3g} rad", name, gap
            )
    worst = float(np.abs(residuals(state)).max(initial=0.0))
    if worst > BOUND_SLACK:
        raise AssemblyError(f"a repeater is off by {worst:.3g} in the home pose", gap=worst)
