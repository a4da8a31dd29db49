"""A machine in natural coordinates, moved by the index-3 augmented Lagrangian."""

from __future__ import annotations

import numpy as np

from ...checks import number, refuse, whole
from ...dynamics import Bodies, DynamicsModel, Engine, SavedRun, TreeState, placed
from ...dynamics.kernels import BODY, ENERGY, STATUSES, DynamicsStatus
from ...errors import DynamicsError, StateError, suggest
from ...jit import Packing, Records, Scratch, header, new_records, numbers, records
from ...mechanism import Floats, advice_without_inertia, without_inertia
from . import reading, rows, stepping
from .natural import why_not
from .packing import AugmentedModel
from .records import (
    AUGMENTED,
    AUGMENTED_STATE,
    BODY_FRAME,
    NATURAL_ROW,
    ROW_NOW,
    NaturalRowKind,
    Projection,
)

NEWMARK, HHT, GENERALIZED_ALPHA = "newmark", "hht", "generalized-alpha"
AUGMENTED_INTEGRATORS = (NEWMARK, HHT, GENERALIZED_ALPHA)
STIFF = 1e5  # penalty times beta h^2, of the mean mass, if no penalty is given
RATES = 0.1e-12  # [m/s, 1/s] of the constraints' rates, at which velocities are good enough


class Augmented(Engine):
    """A machine in points, unit vectors, angles and ways, tied by an augmented Lagrangian.

    Attributes:
        augmented: its coordinates and equations.
    """

    def __init__(
        self,
        model: DynamicsModel,
        step: float,
        integrator: str = NEWMARK,
        rho: float = 1.0,
        penalty: float | None = None,
        projection: str = "tangent",
        tolerance: float = 1e-10,
        iterations: int = 100,
    ) -> None:
        """Start at home, at rest, as `DynamicsModel.new_drives` drives it.

        Args:
            model: the machine.
            step: [s].
            integrator: "newmark" (the trapezoidal rule), "hht" or "generalized-alpha".
            rho: what is left of the fastest vibrations after a step, the spectral radius: 1 loses
                nothing, less loses more; from 1/2 to 1 for "hht", 0 to 1 for "generalized-alpha".
                "newmark" has 1.
            penalty: alpha_g of the penalty matrix (2.82) [N/m]; if None 1e5 mean masses over
                beta step^2, so that constraints converge alike at all steps.
            projection: of velocities and accelerations: "tangent" of the step, or "mass".
            tolerance: change of a coordinate, and residual of a constraint, at which a step has
                converged [m, 1].
            iterations: most of them in a step.

        Raises:
            StateError: an option that is none of these.
            DynamicsError: a machine that it cannot move.
        """
        super().__init__(model, step)
        reason = why_not(model)
        if reason:
            raise DynamicsError(reason)
        parameters = integrator_parameters(integrator, rho)
        if projection not in ("tangent", "mass"):
            raise StateError(
                f"projection: found {projection!r}; {suggest(str(projection), ('tangent', 'mass'))}"
            )
        tolerance = number("tolerance", tolerance, above=0.0)
        iterations = whole("iterations", iterations)
        self.augmented = AugmentedModel(model)
        part = (1.0 - parameters["delta_f"]) * parameters["beta"] * self.step**2
        if penalty is None:
            penalty = STIFF * max(self.augmented.mean_mass, 1e-9) / part
        penalty = number("penalty", penalty, above=0.0)
        state = Packing(AUGMENTED_STATE)
        size, n_rows = self.augmented.size, len(self.augmented.equations.rows)
        for name in ("q", "v", "a"):
            state.add(name, np.zeros(size))
        state.add("multipliers", np.zeros(n_rows))
        state.add("reactions", np.zeros(n_rows))
        state.add("held", np.zeros(self.augmented.n))
        state.add("acting", np.zeros(len(model.rows)))
        state.add("tree_q", np.zeros(model.tree.nq))
        self.state = state.buffer()
        scratch = Scratch()
        packing = self.augmented.packing(
            scratch, self.state.size, step=self.step, projection=Projection[projection.upper()],
            tolerance=tolerance, rate_tolerance=RATES, iterations=iterations, **parameters,
        )  # fmt: skip
        self.packed, self.work = packing.buffer(), np.zeros(scratch.size)
        self._head = header(self.packed, AUGMENTED)
        records(self.packed, self._head.rows, NATURAL_ROW).penalty = self.augmented.penalties(
            penalty
        )
        self._moment = header(self.state, AUGMENTED_STATE)
        self._at_tree_q = numbers(self.state, self._moment.tree_q)
        self.set_state(model.tree.positions(model.home), np.zeros(model.tree.nv))

    # ------------------------------------------------------------- what it tells

    def _read(self) -> TreeState:
        q, v = self._at_tree_q.copy(), np.zeros(self.model.tree.nv)
        reading.read_tree(self.packed, self.state, self.work, q, v)
        return q, v

    @property
    def q(self) -> Floats:
        """Positions of the tree, (nq,); angles are continuous."""
        return self._read()[0]

    @property
    def v(self) -> Floats:
        """Velocities of the tree, (nv,)."""
        return self._read()[1]

    def now(self) -> TreeState:
        """Positions and velocities of the tree."""
        return self._read()

    def poses(self) -> Floats:
        """X_base_link of all links, in the order of the file, (n_links, 4, 4)."""
        self._read()
        tree = self.model.near
        bodies: Bodies = new_records(len(tree.freedoms), BODY)
        frames = records(self.work, self._head.work.frames, BODY_FRAME)
        for body, frame in zip(self.augmented.natural.bodies[1:], frames[1:], strict=True):
            bodies["X_WF"][body.freedom] = frame.X_WF
        return tree.poses(bodies)

    def constraints(self) -> tuple[Floats, Floats]:
        """Residuals of all rows but those that guide, and their rates [m, 1], [m/s, 1/s]."""
        moment, now = self._moment, records(self.work, self._head.work.rows, ROW_NOW)
        held = records(self.packed, self._head.rows, NATURAL_ROW).kind != NaturalRowKind.GUIDE
        rates = np.zeros(len(now))
        rows.set_rows(self.packed, numbers(self.state, moment.q), self.work)
        rows.row_rates(self.packed, numbers(self.state, moment.v), self.work, rates)
        return now.residual[held].copy(), rates[held]

    def position_error(self) -> float:
        """How far the constraint that is open the widest is open [m, 1, rad]."""
        return float(np.abs(self.constraints()[0]).max(initial=0.0))

    def _energies(self, energy_out: Floats) -> None:
        reading.energies(self.packed, self.state, energy_out)
        header(energy_out, ENERGY).potential += self.model.near.lift

    # ------------------------------------------------------------- what it does

    def set_state(self, q: Floats, v: Floats) -> None:
        """Begin at positions and velocities of the tree, brought to the constraints."""
        tree, moment = self.model.near, self._moment
        bodies = placed(tree, np.asarray(q, dtype=float), np.asarray(v, dtype=float))
        frames, motions = [np.eye(4)], [np.zeros(6)]
        for body in self.augmented.natural.bodies[1:]:
            frames.append(tree.frame(bodies, body.freedom))
            motions.append(bodies["velocity"][body.freedom])
        there, rates = self.augmented.place(frames, motions, q, v)
        numbers(self.state, moment.q)[:] = there
        numbers(self.state, moment.v)[:] = rates
        numbers(self.state, moment.a)[:] = 0.0
        numbers(self.state, moment.multipliers)[:] = 0.0
        self._at_tree_q[:] = q
        moment.stale = 1
        self._check(stepping.start(self.packed, self.state, self.work))
        self._at_tree_q[:] = self.q

    @property
    def pulls(self) -> Records:
        """PULL records: external forces from now on."""
        return self._pulls

    @pulls.setter
    def pulls(self, pulls: Records) -> None:
        self._set_pulls(pulls)
        if hasattr(self, "_moment"):
            self._moment.stale = 1

    def _set_pulls(self, pulls: Records) -> None:
        """Pulls on freedoms, and the same on bodies."""
        Engine.pulls.fset(self, pulls)  # type: ignore[attr-defined]
        self._body_pulls = self.given_pulls.copy()
        for pull in self._body_pulls:
            pull["freedom"] = self.augmented.natural.body_of_freedom[int(pull["freedom"])]

    def _go_back(self, before: SavedRun) -> None:
        super()._go_back(before)
        self.state[:] = before.state  # pulls that are set count as something new

    def _go(self, steps: int) -> int:
        return int(
            stepping.run(
                self.packed, self._body_pulls, steps, self.state, self.given_drives, self.work
            )
        )

    def _check(self, status: int) -> None:
        if status:
            raise self._error(*self._failure(status + STATUSES * int(self._moment.wrong)), [])

    def _failure(self, status: int) -> tuple[str | None, str]:
        """The link where a step failed, and what its status says about it."""
        coordinate, kind = divmod(status, STATUSES)
        name = self.augmented.owner(coordinate)
        if kind == DynamicsStatus.NO_INERTIA and np.isfinite(self.work).all():
            joint = without_inertia(self.model.tree)
            if joint:
                return joint, advice_without_inertia(self.model.tree, joint)
            return name, f"the inertia of {name!r} is too small for the forces that hold it"
        if kind == DynamicsStatus.NOT_CONVERGED:
            return name, f"the step does not converge, {name!r} changes most: try a smaller step"
        if kind == DynamicsStatus.TOO_MANY_IMPACTS:
            return None, "stops and drives do not settle in one step"
        return name, f"the motion of {name!r} is not finite any more: try a smaller step"


def integrator_parameters(integrator: object, rho: object) -> dict[str, float]:
    """delta_m, delta_f, beta and gamma of an integrator with a spectral radius rho.

    Of the generalized alpha method (Chung and Hulbert), delta_m = (2 rho - 1) / (rho + 1) and
    delta_f = rho / (rho + 1); of HHT (2.44)-(2.46), whose radius is (1 - delta_f) / (1 + delta_f).
    With rho = 1 both are the trapezoidal rule.
    """
    if integrator not in AUGMENTED_INTEGRATORS:
        raise StateError(
            f"integrator: found {integrator!r}; {suggest(str(integrator), AUGMENTED_INTEGRATORS)}"
        )
    if integrator == NEWMARK:
        if rho != 1.0:
            refuse("rho", rho, f"1 for {NEWMARK!r}, which loses nothing; others take less")
        return {"delta_m": 0.0, "delta_f": 0.0, "beta": 0.25, "gamma": 0.5}
    if integrator == HHT:
        radius = number("rho", rho, least=0.5, most=1.0)
        delta_m, delta_f = 0.0, (1.0 - radius) / (1.0 + radius)
    else:
        radius = number("rho", rho, least=0.0, most=1.0)
        delta_m, delta_f = (2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0)
    gamma = 0.5 - delta_m + delta_f
    beta = 0.25 * (1.0 + delta_f - delta_m) ** 2
    return {"delta_m": delta_m, "delta_f": delta_f, "beta": beta, "gamma": gamma}
