"""Inverse kinematics by the MineRobot paper's method, and by those that it compares with."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize

from ...checks import choice
from ...errors import MissingExtraError, StateError
from ...jit import address_of
from ...kinematics import REACHED_ERROR, IKResult, InverseSolver, immovable
from ...kinematics.kernels import MOST_GROUPS, InverseStatus
from ...mechanism import STANDING, Floats, State
from ...spatial import invert
from . import psi
from . import searches as kernels
from .records import SearchKind
from .sequential import check_scope, sequence_of

if TYPE_CHECKING:
    from ...kinematics import Kinematics

SEARCHES = {
    "golden": SearchKind.GOLDEN,
    "brent": SearchKind.BRENT,
    "newton1d": SearchKind.NEWTON_1D,
    "secant": SearchKind.SECANT,
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
SEED = 2024
NO_NORMALS = np.zeros((0, MOST_GROUPS))
address = cache(address_of)


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
    run = PaperSearch(kinematics, solver, target, origin, weights, tolerance)
    q, history = run.by(method)
    iterations = len(history) - 1
    if method.removesuffix(NESTED) in SEARCHES:
        iterations = max(iterations - 1, 0)
    objective, link = history[-1], solver.problem.link
    reachable = objective < REACHED_ERROR
    return IKResult(origin, q, link, target, objective, reachable, iterations, run.converged)


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
    return PaperSearch(kinematics, solver, target, origin, weights, tolerance).by(method)[1]


class PaperSearch:
    """One problem, ready for any of the methods.

    Attributes:
        converged: whether the last method came to its end; else it ran out of steps.
        lengths: where a search begins, and where the last evaluation was, see `Sequence`.
        gradient: of 1/2 Psi^2 there.
    """

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
        if solver.problem.reason:
            raise StateError(
                f"only method 'newton' covers {solver.problem.link!r}: {solver.problem.reason}"
            )
        self.kinematics = kinematics
        self.solver = solver
        self.problem = solver.problem
        self.sequence = sequence_of(kinematics)
        self.search_work = self.sequence.search_work
        self.lengths, self.gradient = self.sequence.lengths, self.sequence.gradient
        self.tolerance = tolerance
        self.origin = origin
        self.packed = solver.packed(origin, weights)
        self.weights = weights
        self.Y = target if origin.base is STANDING else invert(origin.base) @ target
        self.q = np.empty(origin.q.size)
        self.converged = True
        self.low, self.high = self.problem.bounds

    def by(self, method: str) -> tuple[Floats, list[float]]:
        """Joint positions where a method ends, and Psi on the way."""
        choice("method", method, ("newton", *METHODS))
        psi.begin(
            self.kinematics.link, self.sequence.packed, self.packed, self.origin.q,
            self.sequence.state, self.solver.work, self.lengths,
        )  # fmt: skip
        if method.removesuffix(NESTED) in SEARCHES:
            return self._sweeps(method)
        if method == "one-plus-one":
            normals = np.random.default_rng(SEED).standard_normal((ES_STEPS, MOST_GROUPS))
            return self._psi(SearchKind.ONE_PLUS_ONE, 0.0, normals, ES_STEPS)
        if method == "bfgs":
            return self._bfgs()
        if method == "cma":
            return self._cma()
        return self._descent(int(method == "cg"), MOST)

    def _sweeps(self, method: str) -> tuple[Floats, list[float]]:
        search = SEARCHES[method.removesuffix(NESTED)]
        if not method.endswith(NESTED):
            return self._psi(search, 0.0, NO_NORMALS, MOST)
        check_scope(self.sequence)
        return self._psi(search, FK_TOLERANCE, NO_NORMALS, MOST)

    def _psi(
        self, search: int, fk_tolerance: float, normals: Floats, most: int
    ) -> tuple[Floats, list[float]]:
        history = np.empty(most + 1)
        status, count = kernels.minimise_psi(
            address(psi.psi, psi.PSI), self.kinematics.link, self.sequence.packed, self.packed,
            self.Y, self.weights, self.origin.q, search, fk_tolerance, self.tolerance, normals,
            self.sequence.state, self.solver.work, self.search_work, history, self.q,
        )  # fmt: skip
        return self._result(status, history, count)

    def _descent(self, conjugate: int, most: int) -> tuple[Floats, list[float]]:
        history = np.empty(most + 1)
        status, count = kernels.descend(
            self.kinematics.link, self.packed, self.Y, self.weights, self.origin.q, conjugate,
            self.tolerance, self.solver.work, self.search_work, history, self.q,
        )  # fmt: skip
        return self._result(status, history, count)

    def _result(self, status: int, history: Floats, count: int) -> tuple[Floats, list[float]]:
        if status == InverseStatus.NO_START:
            raise immovable(self.problem.link)
        self.converged = status == InverseStatus.CONVERGED
        return self.q, history[: count + 1].tolist()

    def _value(self, lengths: Floats) -> float:
        """Psi at given lengths; leaves its joint positions in `q`, the gradient in `gradient`."""
        self.lengths[: lengths.size] = lengths
        return self._descent(0, 0)[1][0]

    def _half_square(self, lengths: Floats) -> tuple[float, Floats]:
        """1/2 Psi^2 and its gradient."""
        value = self._value(lengths)
        return 0.5 * value * value, self.gradient[: lengths.size].copy()

    def _start(self) -> tuple[Floats, list[float]]:
        """Lengths to start from, and Psi there."""
        lengths = self.lengths[: self.problem.n].copy()
        return lengths, [self._value(lengths)]

    def _bfgs(self) -> tuple[Floats, list[float]]:
        start, history = self._start()
        if not start.size:
            return self.q, history

        def stalled(intermediate_result: Any) -> None:
            history.append(float(np.sqrt(2.0 * intermediate_result.fun)))
            if abs(history[-1] - history[-2]) < self.tolerance:
                raise StopIteration

        found = minimize(
            self._half_square, start, jac=True, method="L-BFGS-B", callback=stalled,
            bounds=list(zip(self.low, self.high, strict=True)),
            options={"maxiter": MOST, "ftol": 0.0, "gtol": 0.0},
        )  # fmt: skip
        history[-1] = self._value(np.clip(found.x, self.low, self.high))
        self.converged = found.nit < MOST
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
            return self._value(self.low + np.clip(x[:n], 0.0, 1.0) * wide)

        strategy = cma.CMAEvolutionStrategy(
            x0, kernels.SIGMA,
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
        self.converged = "maxiter" not in strategy.stop()
        return self.q, history
