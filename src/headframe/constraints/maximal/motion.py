"""What the methods in maximal coordinates share: the state, and everything read from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...checks import number
from ...dynamics.model import _kernels as model_kernels
from ...dynamics.model.packing import Model
from ...dynamics.tree import _kernels as tree_kernels
from ...dynamics.tree.packing import checked_vector
from ...errors import DynamicsError, StateError, UnknownElementError
from ...mechanism.compiled import Floats
from ...spatial import invert, quaternion_from_matrix
from ..failing import go_again
from . import _kernels as kernels
from .forces import _kernels as forces
from .packing import BASE, maximal_of
from .readings import _kernels as readings


@dataclass(frozen=True)
class Saved:
    """A moment of a motion, complete: going on from it repeats every bit."""

    steps: int
    iterations: tuple[int, int]
    state: Floats
    q: Floats
    drive: Floats
    pulls: Floats


class MaximalMotion(ABC):
    """A machine that moves in maximal coordinates, from home and at rest.

    Attributes:
        step: [s].
        steps: made so far.
        drive: commands and reactions by row of the model, see `actuation`, (n_rows, DRIVE).
        pulls: external forces, (n, PULL_F), see `dynamics.model`'s `add_forces`.
        bodies: poses and velocities of the bodies.
        ledger: what flowed in since the start [J]: by drives, by dampers and friction (not
            positive), by pulls, by end stops (not positive), and by what holds joints together.
            Kinetic, potential and spring energy follow their sum but for the integrator's own
            error, which falls with the step.
    """

    def __init__(self, model: Model, step: float, own: int = 0) -> None:
        """Keep a state, with `own` numbers more for the method."""
        self.model = model
        self.step = number("step", step, above=0.0, unit="s")
        self.maximal = maximal_of(model)
        self.state = np.zeros(self.maximal.state_size + own)
        self.bodies, self._memory = self.maximal.cut(self.state)
        self.drive = model.new_drive()
        self.pulls = np.zeros((0, model_kernels.PULL_F))
        self.ledger = self.bodies.ledger
        self.steps = 0
        self._J = np.zeros((1, 12))
        self._counts = np.zeros(2, dtype=np.int64)  # iterations of the last step, of all
        self._q, self._v = np.zeros(model.tree.nq), np.zeros(model.tree.nv)
        self.set_state(model.tree.positions(model.home), np.zeros(model.tree.nv))

    # --------------------------------------------------------------- state

    def set_state(self, q: ArrayLike, v: ArrayLike) -> None:
        """Go on from positions and velocities of the tree; what was learnt is forgotten."""
        tree = self.model.tree
        self._q = checked_vector(q, tree.nq, "q")
        self._v = checked_vector(v, tree.nv, "v")
        work = tree.new_work()
        tree_kernels.place_tree(tree.tree_i, tree.tree_f, self._q, self._v, work)
        ledger = self.ledger.copy()
        self.state[:] = 0.0
        self.ledger[:] = ledger
        X, quat, V, spin, last, _, _ = self.bodies
        X[0] = np.eye(4)[:3].ravel()
        quat[0, 0] = 1.0
        at = tree_kernels.V * len(tree.tree_i)
        for n, body in enumerate(self.maximal.bodies, start=1):
            X_WB = tree.frame(work, body.freedom) @ body.X_FB
            twist = work[at + 6 * body.freedom : at + 6 * body.freedom + 6]
            R, c = X_WB[:3, :3], X_WB[:3, 3]
            X[n], quat[n] = X_WB[:3].ravel(), quaternion_from_matrix(R)
            V[n, :3], V[n, 3:] = twist[:3], twist[3:] + np.cross(twist[:3], c)
            spin[n] = R @ (body.inertia * (R.T @ twist[:3]))
        for kind, row, _, iq, _ in self.maximal.tables.coordinate_i:
            if kind == kernels.SCALAR:
                last[row] = self._q[iq]  # angles count on from here
        kernels.track(self.maximal.tables, self.bodies, self._J)

    def save(self) -> Saved:
        """Everything that the motion goes on from."""
        return Saved(
            self.steps, (int(self._counts[0]), int(self._counts[1])), self.state.copy(),
            self._q.copy(), self.drive.copy(), self.pulls.copy(),
        )  # fmt: skip

    def restore(self, saved: Saved) -> None:
        """Go back to a saved moment."""
        if saved.state.shape != self.state.shape or saved.drive.shape != self.drive.shape:
            raise StateError("found a state of another machine or method")
        self.steps, self._counts[:] = saved.steps, saved.iterations
        self.state[:], self.drive[:], self.pulls = saved.state, saved.drive, saved.pulls.copy()
        self._q = saved.q.copy()

    # ------------------------------------------------------------- reading

    @property
    def time(self) -> float:
        """Since the start [s]."""
        return self.steps * self.step

    @property
    def q(self) -> Floats:
        """Positions of the tree, recovered from the bodies, (nq,); angles are continuous."""
        self._recover()
        return self._q.copy()

    @property
    def v(self) -> Floats:
        """Velocities of the tree, (nv,)."""
        self._recover()
        return self._v.copy()

    def _recover(self) -> None:
        readings.recover(self.maximal.tables, self.bodies, self._J, self._q, self._v)

    def pose(self, link: str) -> Floats:
        """X_base_link, (4, 4)."""
        tree = self.model.tree
        if link not in tree.freedom_of_link:
            raise UnknownElementError("link", link, tree.freedom_of_link)
        number = self.maximal.body_of_freedom.get(tree.freedom_of_link[link])
        if number is None:  # of a cylinder without mass
            work = tree.new_work()
            tree_kernels.place_tree(tree.tree_i, tree.tree_f, self.q, self._v, work)
            return tree.pose(work, link)
        if number == BASE:
            return tree.X_FL[link].copy()
        X = np.eye(4)
        X[:3] = self.bodies.X[number].reshape(3, 4)
        return X @ invert(self.maximal.bodies[number - 1].X_FB) @ tree.X_FL[link]

    @property
    def last_iterations(self) -> int:
        """Iterations of the last step."""
        return int(self._counts[0])

    @property
    def mean_iterations(self) -> float:
        """Iterations a step, since the start."""
        return float(self._counts[1]) / max(self.steps, 1)

    def position_error(self) -> float:
        """Widest gap of any joint [m]."""
        return self._gaps()[0]

    def angle_error(self) -> float:
        """Largest misalignment of any joint [rad]."""
        return self._gaps()[1]

    def _gaps(self) -> tuple[float, float]:
        gap, angle = readings.gaps(self.maximal.tables, self.bodies, self._J)
        return float(gap), float(angle)

    def energy(self) -> tuple[float, float, float]:
        """Kinetic, potential and spring energy [J]."""
        out = np.zeros(3)
        forces.energies(self.maximal.tables, self.bodies, out)
        return float(out[0]), float(out[1]), float(out[2])

    # ------------------------------------------------------------- running

    def run(self, steps: int) -> None:
        """Go on by so many steps.

        Raises:
            DynamicsError: a body whose pose or velocity stops being finite. The machine then stands
                where it stood before that step.
        """
        start = self.save()
        body, made = self._run(steps, self._pulls())
        self.steps += made
        if body:
            states = go_again(self, start, made)
            name = self.maximal.bodies[body - 1].name
            message = f"the motion of {name!r} stops being finite (at {self.time:.6g} s)"
            raise DynamicsError(message, name, self.time, states)

    def go(self, steps: int) -> None:
        """Make steps that are known to go well."""
        self.steps += self._run(steps, self._pulls())[1]

    def now(self) -> tuple[Floats, Floats]:
        """Positions and velocities, read so that later readings are the same without it."""
        q, v = self._q.copy(), self._v.copy()
        readings.recover(self.maximal.tables, self.bodies, self._J, q, v)
        return q, v

    def _pulls(self) -> Floats:
        """Pulls with bodies and points of bodies, instead of the tree's freedoms."""
        pulls = np.array(self.pulls, dtype=float).reshape(-1, model_kernels.PULL_F)
        for pull in pulls:
            number = self.maximal.body_of_freedom.get(int(pull[0]), BASE)
            if number == BASE:
                name = self.model.tree.owner[int(pull[0])]
                raise DynamicsError(f"{name!r} has no mass that a force could move", body=name)
            X_BF = invert(self.maximal.bodies[number - 1].X_FB)
            pull[0], pull[1:4] = number, X_BF[:3, :3] @ pull[1:4] + X_BF[:3, 3]
        return pulls

    @abstractmethod
    def _run(self, steps: int, pulls: Floats) -> tuple[int, int]:
        """The body that stops being finite, or 0, and the number of steps made before."""
