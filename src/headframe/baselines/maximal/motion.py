"""What the methods in maximal coordinates share: the state, and everything read from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...checks import instance, number
from ...constraints.failing import go_again
from ...dynamics.engine import Energies, Work
from ...dynamics.model import Model
from ...dynamics.records import PULL
from ...dynamics.tree.memory import placed
from ...errors import DynamicsError, StateError
from ...jit import Records, new_records
from ...mechanism.compiled import Floats
from ...mechanism.tree import checked_vector
from ...spatial import invert, quaternion_from_matrix
from . import forces
from . import reading as readings
from . import rows as kernels
from .packing import BASE, maximal_of


@dataclass(frozen=True)
class SavedBodies:
    """A moment of a motion, complete: going on from it repeats every bit."""

    steps: int
    iterations: tuple[int, int]
    state: Floats
    q: Floats
    drives: Records
    pulls: Records


class MaximalMotion(ABC):
    """A machine that moves in maximal coordinates, from home and at rest.

    Attributes:
        step: [s].
        steps: made so far.
        drives: commands and reactions by row of the model, DRIVE records.
        pulls: external forces, PULL records.
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
        self.drives = model.new_drives()
        self.pulls = new_records(0, PULL)
        self.by_lengths = False
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
        placed_bodies = placed(tree, self._q, self._v)
        ledger = self.ledger.copy()
        self.state[:] = 0.0
        self.ledger[:] = ledger
        X, quat, V, spin, last, _, _ = self.bodies
        X[0] = np.eye(4)[:3].ravel()
        quat[0, 0] = 1.0
        for n, body in enumerate(self.maximal.bodies, start=1):
            X_WB = tree.frame(placed_bodies, body.freedom) @ body.X_FB
            twist = placed_bodies["velocity"][body.freedom]
            R, c = X_WB[:3, :3], X_WB[:3, 3]
            X[n], quat[n] = X_WB[:3].ravel(), quaternion_from_matrix(R)
            V[n, :3], V[n, 3:] = twist[:3], twist[3:] + np.cross(twist[:3], c)
            spin[n] = R @ (body.inertia * (R.T @ twist[:3]))
        for kind, row, _, iq, _ in self.maximal.tables.coordinate_i:
            if kind == kernels.SCALAR:
                last[row] = self._q[iq]  # angles count on from here
        kernels.track(self.maximal.tables, self.bodies, self._J)

    def save(self) -> SavedBodies:
        """Everything that the motion goes on from."""
        return SavedBodies(
            self.steps, (int(self._counts[0]), int(self._counts[1])), self.state.copy(),
            self._q.copy(), self.drives.copy(), self.pulls.copy(),
        )  # fmt: skip

    def restore(self, saved: object) -> None:
        """Go back to a saved moment."""
        before = instance("saved", saved, SavedBodies, "what `save` gave")
        if before.state.shape != self.state.shape or before.drives.shape != self.drives.shape:
            raise StateError("found a state of another machine or method")
        self.steps, self._counts[:] = before.steps, before.iterations
        self.state[:], self.drives[:] = before.state, before.drives
        self.pulls, self._q = before.pulls.copy(), before.q.copy()

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

    def poses(self) -> Floats:
        """X_base_link of all links, in the order of the file, (n_links, 4, 4)."""
        tree, found = self.model.tree, []
        mounts = placed(tree, self.q, self._v)
        for link in tree.mechanism.robot.links:
            number = self.maximal.body_of_freedom.get(tree.freedom_of_link[link.name])
            if number is None:  # of a cylinder without mass
                found.append(tree.pose(mounts, link.name))
            elif number == BASE:
                found.append(tree.X_FL[link.name])
            else:
                X = np.eye(4)
                X[:3] = self.bodies.X[number].reshape(3, 4)
                X_BF = invert(self.maximal.bodies[number - 1].X_FB)
                found.append(X @ X_BF @ tree.X_FL[link.name])
        return np.array(found)

    @property
    def last_iterations(self) -> int:
        """Iterations of the last step."""
        return int(self._counts[0])

    @property
    def iterations(self) -> float:
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

    def energy(self) -> Energies:
        """Energies now."""
        out = np.zeros(3)
        forces.energies(self.maximal.tables, self.bodies, out)
        return Energies(*out.tolist())

    def work_done(self) -> Work:
        """What flowed in since the start."""
        return Work(*self.ledger.tolist())

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

    def _pulls(self) -> Records:
        """Pulls with bodies and points of bodies, instead of the tree's freedoms."""
        pulls = self.pulls.copy()
        for pull in pulls:
            number = self.maximal.body_of_freedom.get(int(pull.freedom), BASE)
            if number == BASE:
                name = self.model.tree.owner[int(pull.freedom)]
                raise DynamicsError(f"{name!r} has no mass that a force could move", body=name)
            X_BF = invert(self.maximal.bodies[number - 1].X_FB)
            pull.freedom, pull.point = number, X_BF[:3, :3] @ pull.point + X_BF[:3, 3]
        return pulls

    @abstractmethod
    def _run(self, steps: int, pulls: Records) -> tuple[int, int]:
        """The body that stops being finite, or 0, and the number of steps made before."""
