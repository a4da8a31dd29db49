"""What a motion asks of its formulation: five kernels, called by their addresses.

The integrators, drives and stops are the same for embedded loops and for the constrained tree, and
are compiled without either. `calls` holds the addresses, in the order below.
"""

from __future__ import annotations

from collections.abc import Callable

from ....jit import caller

I, F, T = "int64[::1]", "float64[::1]", "float64[:, ::1]"

EVALUATE, ROWS, PROJECT, ARREST, VARIATION = range(5)
SIGNATURES = (
    # model_i, model_f, q, v, drive, pulls, work, vdot, power: accelerations, reactions and powers
    f"int64({I}, {F}, {F}, {F}, {T}, {T}, {F}, {F}, {F})",
    # model_i, model_f, q, v, work, rows: position and rate of every row, (n_rows, 2)
    f"int64({I}, {F}, {F}, {F}, {F}, {T})",
    # model_i, model_f, q, v, drive, work: back onto loops and guided rows
    f"int64({I}, {F}, {F}, {F}, {T}, {F})",
    # model_i, model_f, q, v, mask, drive, hold, work: inelastic stop; (status, energy lost, drives'
    # work)
    f"Tuple((int64, float64, float64))({I}, {F}, {F}, {F}, {F}, {T}, boolean, {F})",
    # model_i, model_f, h, q, v, drive, pulls, work, scratch, ledger: a step, if there is one
    f"int64({I}, {F}, float64, {F}, {F}, {T}, {T}, {F}, {F}, {F})",
)
Status = Callable[..., int]
evaluate: Status = caller(SIGNATURES[EVALUATE])
read_rows: Status = caller(SIGNATURES[ROWS])
project: Status = caller(SIGNATURES[PROJECT])
arrest: Callable[..., tuple[int, float, float]] = caller(SIGNATURES[ARREST])
variational_step: Status = caller(SIGNATURES[VARIATION])


def warm_up() -> None:
    """Nothing is compiled here; the calls are part of who calls."""
