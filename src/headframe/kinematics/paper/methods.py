"""Inverse kinematics by the MineRobot paper's method, and by those that it compares with."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize

from ...errors import MissingExtraError, SingularityError, StateError
from ...mechanism import State
from ...mechanism.compiled import Floats
from ...mechanism.state import STANDING
from ...spatial import invert
from ..inverse import _kernels as inverse
from ..inverse.solve import REACHED, IKResult, InverseSolver
from . import _kernels as kernels
from .sequential import Sequence, sequence_of

if TYPE_CHECKING:
    from ..model import Kinematics

SEARCHES = {
    "golden": kernels.GOLDEN,
    "brent": kernels.BRENT,
    "newton1d": kernels.NEWTON_1D,
    "secant": kernels.SECANT,
}
NESTED = "-nested"
METHODS = (
    *SEARCHES,
    *(name + NESTED for name in SEARCHES),
    "bfgs",
    "cg",
    "gradient",
    "cma",
    "one-plus-one",
)
FK_TOLERANCE = 1e-10  # of the nested forward kinematics [m]
MOST = 1000  # iterations
ES_STEPS = 200  # of the (1+1)-ES, which the paper stops there
SIGMA = 0.2  # first step of the evolution strategies, as a part of the strokes
SEED = 2024


def minimise_by(
    kinematics: Kinematics,
    solver: InverseSolver,
    target: Floats,
    origin: State,
    weights: Floats,
    method: str,
    tolerance: float = 1e-6,
) -> IKResult:
    """Minimise Psi = |W log(X^-1 Y)| over the lengths that move a link, within their bounds.

    - "golden", "brent", "newton1d", "secant": Algorithm 4, one length after the other, each over
      its whole stroke by golden section (Algorithm 5), Brent's minimiser, or Newton's or the
      secant method on the slope, taken by finite differences. They evaluate Psi on the package's
      own forward kinematics; with "-nested" behind the name on the paper's, Algorithm 3, solved
      to 1e-10 m.
    - "bfgs": SciPy's L-BFGS-B, "cg": conjugate gradients of Polak and Ribiere projected on the
      bounds, "gradient": projected gradient descent. All three take the exact gradient of
      1/2 Psi^2, which has the same minima and, unlike Psi, a gradient where Psi is 0.
    - "cma": CMA-ES of the package `cma`; "one-plus-one": the (1+1)-ES, 200 steps of it. Both draw
      the same numbers in every call.

    It ends where Psi changes by less than `tolerance` from one iteration to the next. CMA-ES,
    whose best often stands still for a generation, ends where the best of several generations
    are that near to each other.

    `iterations` is that of the paper's Table 3. Algorithm 4 counts its sweeps from 0, so that
    one which reaches the minimum and one which confirms it are 1.

    Args:
        kinematics: the machine, made ready.
        solver: of the link that is to be moved.
        target: X_world_link, (4, 4).
        origin: where to start from; groups that do not move the link stay as there.
        weights: of the six components, (6,).
        method: one of `METHODS`.
        tolerance: of Psi, and of a length in the searches [m].

    Raises:
        StateError: an unknown method, or a machine that it does not cover.
        SingularityError: a start from which the cylinders cannot move the link.
        MissingExtraError: "cma" without the package.
    """
    run = Run(kinematics, solver, target, origin, weights, tolerance)
    q, history = run.by(method)
    iterations = len(history) - 1
    if method.removesuffix(NESTED) in SEARCHES:
        iterations = max(iterations - 1, 0)
    state = State.solved(kinematics.mechanism, q, origin.base)
    objective = history[-1]
    return IKResult(state, solver.problem.link, target, objective, objective < REACHED, iterations)


def convergence(
    kinematics: Kinematics,
    solver: InverseSolver,
    target: Floats,
    origin: State,
    weights: Floats,
    method: str,
    tolerance: float = 1e-6,
) -> list[float]:
    """Psi at the start and after every outer iteration, as in Fig. 18 of the MineRobot paper.

    Arguments and errors are those of `minimise_by`.
    """
    return Run(kinematics, solver, target, origin, weights, tolerance).by(method)[1]


class Run:
    """One problem, ready for any of the methods."""

    def __init__(
        self,
        kinematics: Kinematics,
        solver: InverseSolver,
        target: Floats,
        origin: State,
        weights: Floats,
        tolerance: float,
    ) -> None:
        """Collect what the kernels take."""
        self.solver = solver
        self.problem = solver.problem
        self.sequence = _sequence(kinematics, solver)
        self.tolerance = tolerance
        self.origin = origin
        path_i, path_f, bounds, _ = solver.arrays(origin, weights)
        Y = target if origin.base is STANDING else invert(origin.base) @ target
        self.arrays = (
            kinematics.link_i, kinematics.link_f, self.sequence.table, path_i, path_f, bounds, Y,
            weights, origin.q,
        )  # fmt: skip
        self.q = np.empty(origin.q.size)
        n = self.problem.n
        self.low, self.high = bounds[0, :n], bounds[1, :n]

    def by(self, method: str) -> tuple[Floats, list[float]]:
        """Joint positions where a method ends, and Psi on the way."""
        search = SEARCHES.get(method.removesuffix(NESTED))
        if method in METHODS and search is not None:
            return self._sweeps(search, FK_TOLERANCE if method.endswith(NESTED) else 0.0)
        if method in ("cg", "gradient"):
            return self._descent(int(method == "cg"))
        if method == "one-plus-one":
            return self._one_plus_one()
        if method == "bfgs":
            return self._bfgs()
        if method == "cma":
            return self._cma()
        raise StateError(f"method: found {method!r}, expected one of newton, {', '.join(METHODS)}")

    def _sweeps(self, search: int, fk_tolerance: float) -> tuple[Floats, list[float]]:
        history = self.sequence.history(MOST)
        status, count = kernels.gauss_seidel(
            *self.arrays, search, fk_tolerance, self.tolerance, self.sequence.state,
            self.solver.work, self.sequence.rows, history, self.q,
        )  # fmt: skip
        return self._result(status, history, count)

    def _descent(self, conjugate: int) -> tuple[Floats, list[float]]:
        history = self.sequence.history(MOST)
        status, count = kernels.descend(
            *self.arrays, conjugate, self.tolerance, self.sequence.state, self.solver.iwork,
            self.solver.work, self.sequence.rows, history, self.q,
        )  # fmt: skip
        return self._result(status, history, count)

    def _one_plus_one(self) -> tuple[Floats, list[float]]:
        history = self.sequence.history(MOST)
        normals = np.random.default_rng(SEED).standard_normal((ES_STEPS, inverse.N))
        status, count = kernels.one_plus_one(
            *self.arrays, normals, SIGMA, self.sequence.state, self.solver.work,
            self.sequence.rows, history, self.q,
        )  # fmt: skip
        return self._result(status, history, count)

    def _result(self, status: int, history: Floats, count: int) -> tuple[Floats, list[float]]:
        if status == inverse.NO_START:
            raise self._no_start()
        return self.q, history[: count + 1].tolist()

    def _no_start(self) -> SingularityError:
        return SingularityError(
            f"{self.problem.link!r}: its cylinders cannot move it from this start"
        )

    def _value(self, lengths: Floats) -> tuple[float, Floats]:
        """1/2 Psi^2 and its gradient; leaves joint positions in `q`. No lengths: the start's."""
        at, gradient = self.sequence.rows[0], self.sequence.rows[1]
        f = kernels.value_and_gradient(
            *self.arrays, lengths, self.sequence.state, self.solver.iwork, self.solver.work, at,
            gradient, self.q,
        )  # fmt: skip
        return f, gradient[: self.problem.n].copy()

    def _start(self) -> tuple[Floats, list[float]]:
        """Lengths to start from, and Psi there."""
        f, _ = self._value(np.zeros(0))
        if not np.isfinite(f):
            raise self._no_start()
        return self.sequence.rows[0, : self.problem.n].copy(), [float(np.sqrt(2.0 * f))]

    def _bfgs(self) -> tuple[Floats, list[float]]:
        start, history = self._start()
        if not start.size:
            return self.q, history

        def stalled(intermediate_result: Any) -> None:
            history.append(float(np.sqrt(2.0 * intermediate_result.fun)))
            if abs(history[-1] - history[-2]) < self.tolerance:
                raise StopIteration

        found = minimize(
            self._value, start, jac=True, method="L-BFGS-B", callback=stalled,
            bounds=list(zip(self.low, self.high, strict=True)),
            options={"maxiter": MOST, "ftol": 0.0, "gtol": 0.0},
        )  # fmt: skip
        f, _ = self._value(np.clip(found.x, self.low, self.high))
        history[-1] = float(np.sqrt(2.0 * f))
        return self.q, history

    def _cma(self) -> tuple[Floats, list[float]]:
        """CMA-ES over the box of lengths made a unit one; it knows no problem of one dimension."""
        try:
            cma: Any = importlib.import_module("cma")
        except ImportError:
            raise MissingExtraError("method 'cma'", "cma", "bench") from None
        start, history = self._start()
        n, wide = start.size, self.high - self.low
        if not n:
            return self.q, history
        random = np.random.default_rng(SEED)
        x0 = np.full(max(n, 2), 0.5)
        x0[:n] = (start - self.low) / wide

        def value(x: Floats) -> float:
            f, _ = self._value(self.low + np.clip(x[:n], 0.0, 1.0) * wide)
            return float(np.sqrt(2.0 * f))

        strategy = cma.CMAEvolutionStrategy(
            x0, SIGMA,
            {
                "bounds": [0.0, 1.0], "verbose": -9, "tolfun": self.tolerance, "maxiter": MOST,
                "seed": np.nan, "randn": lambda *shape: random.standard_normal(shape),
            },
        )  # fmt: skip
        best, least = x0, history[0]
        while not strategy.stop():
            children = strategy.ask()
            values = [value(child) for child in children]
            strategy.tell(children, values)
            if min(values) < least:
                least, best = min(values), children[int(np.argmin(values))]
            history.append(least)
        history[-1] = value(best)
        return self.q, history


def _sequence(kinematics: Kinematics, solver: InverseSolver) -> Sequence:
    """The table of groups; StateError where the kernels do not cover the machine."""
    if solver.problem.reason:
        raise StateError(
            f"only method 'newton' covers {solver.problem.link!r}: {solver.problem.reason}"
        )
    return sequence_of(kinematics)
