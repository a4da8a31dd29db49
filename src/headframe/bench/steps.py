"""The objective after every step of Headframe's own method, for curves of convergence."""

from __future__ import annotations

import math

import numpy as np

from ..kinematics.forward._kernels import start as set_variables
from ..kinematics.inverse._kernels import minimise
from ..kinematics.inverse.objective import _kernels as kernels
from ..kinematics.inverse.solve import EVEN
from ..kinematics.lengths._kernels import length
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
    link_i, link_f = kinematics.link_i, kinematics.link_f
    path_i, path_f, bounds = solver.arrays(start, EVEN)
    work, n_vars, n = solver.work, len(kinematics.plan.variables), solver.problem.n
    place, held = solver.iwork[:n_vars], solver.iwork[n_vars:]
    parts = kernels.views(link_i, work)
    place[:] = -1
    place[path_i[kernels.VARIABLES_AT : kernels.VARIABLES_AT + n]] = np.arange(n)
    theta, M, chains = parts[:3]
    set_variables(link_i, link_f, start.q, theta)
    for i in range(n):
        _, l = length(link_i, link_f, path_i[kernels.ACTUATORS_AT + i], theta, M, chains)
        work[kernels.NOW + i] = min(max(l, bounds[0, i]), bounds[1, i])
    status, f, _ = minimise(
        link_i, link_f, path_i, path_f, bounds, place, held, target, EVEN, most, False, work, parts
    )  # fmt: skip
    return math.sqrt(2.0 * f), status == kernels.CONVERGED
