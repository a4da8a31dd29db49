"""The objective after every step of Headframe's own method, for curves of convergence."""

from __future__ import annotations

import math

from ..kinematics import EVEN_WEIGHTS
from ..kinematics.kernels import CONVERGED, minimise, stand_at
from ..machine import Machine
from ..mechanism import State
from .trials import Floats

MOST = 60


def own_history(machine: Machine, link: str, target: Floats, start: State) -> list[float]:
    """Psi at the start and after 1, 2, ... steps; restarts are left out.

    The kernel keeps no history: it is run again for every number of evaluations.
    """
    history: list[float] = []
    for evaluations in range(1, MOST):
        psi, converged = _after(machine, link, target, start, evaluations)
        history.append(psi)
        if converged:
            break
    return history


def _after(
    machine: Machine, link: str, target: Floats, start: State, most: int
) -> tuple[float, bool]:
    """Psi after so many evaluations, the first at the start; and whether it has converged."""
    kinematics = machine.kinematics
    solver = kinematics.inverse_solver(link)
    problem, work = solver.packed(start, EVEN_WEIGHTS), solver.work
    stand_at(kinematics.link, problem, start.q, work)
    status, f, _ = minimise(
        kinematics.link, problem, target, EVEN_WEIGHTS, most, False, math.inf, work
    )
    return math.sqrt(2.0 * f), status == CONVERGED
