"""Kernels of what drives and stops do along rows, whatever the formulation."""

from __future__ import annotations

from ..actuation.kernels import DrivenBy, leave_stop, pulled_stop
from ..jit import Records, header, inlined_kernel, records
from ..mechanism import Floats
from .records import DRIVEN_ROW, MODEL

GUIDED = DrivenBy.GUIDED.value


@inlined_kernel
def rows_of(model: Floats) -> Records:
    """What drives act on, DRIVEN_ROW records."""
    return records(model, header(model, MODEL).rows, DRIVEN_ROW)


@inlined_kernel
def any_guided(drives_in: Records) -> bool:
    """Whether any row's acceleration is prescribed."""
    found = False
    for r in range(drives_in.shape[0]):
        found = found or drives_in[r].now == GUIDED
    return found


@inlined_kernel
def add_drives(model: Floats, drives_in: Records, v_tree_in: Floats, tau_io: Floats) -> float:
    """Add what drives push with, those that guide left aside, to torques; their power [W]."""
    rows, given = rows_of(model), 0.0
    for r in range(rows.shape[0]):
        if drives_in[r].now != GUIDED:
            iv = rows[r].tree_velocity
            tau_io[iv] += drives_in[r].pull
            given += drives_in[r].pull * v_tree_in[iv]
    return given


@inlined_kernel
def react(model: Floats, forces_in: Floats, v_tree_in: Floats, drives_io: Records) -> float:
    """Reactions of guided rows from forces (n_rows), 0 for the others; their power [W]."""
    rows, given = rows_of(model), 0.0
    for r in range(rows.shape[0]):
        drives_io[r].reaction = 0.0
        if drives_io[r].now == GUIDED:
            drives_io[r].reaction = forces_in[r]
            given += forces_in[r] * v_tree_in[rows[r].tree_velocity]
    return given


@inlined_kernel
def let_go(hold: bool, impulses_in: Floats, drives_io: Records, mask_io: Floats) -> bool:
    """Let the row go whose stop would have to pull the most in an impact; False if there is none.

    Rows that come lose their mask, those that rest leave their stop. None does if stops hold.
    """
    pulled = pulled_stop(drives_io, mask_io, impulses_in)
    if hold or pulled < 0:
        return False
    if mask_io[pulled] == 0.0:
        leave_stop(pulled, drives_io)
    mask_io[pulled] = 0.0
    return True


@inlined_kernel
def work_in_impact(
    model: Floats, impulses_in: Floats, v_tree_in: Floats, drives_in: Records, mask_in: Floats
) -> float:
    """What impulses of guided drives do, whose rows keep their rates [J]."""
    rows, done = rows_of(model), 0.0
    for r in range(rows.shape[0]):
        if drives_in[r].now == GUIDED and mask_in[r] == 0.0:
            done += impulses_in[r] * v_tree_in[rows[r].tree_velocity]
    return done
