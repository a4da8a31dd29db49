"""What the methods in maximal coordinates share: the state, and everything read from it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import DynamicsModel, Engine, TreeState, placed
from ...errors import DynamicsError
from ...jit import Packing, Record, Records, Scratch, header, matrix, numbers, records
from ...mechanism import Floats, checked_vector
from ...spatial import invert, quaternion_from_matrix
from . import forces
from . import reading as readings
from . import rows as kernels
from .errors import failure
from .packing import BASE, Maximal
from .records import MAXIMAL_STATE, MOVING_BODY, REFERENCE, CoordinateKind


class MaximalMotion(Engine):
    """A machine that moves in maximal coordinates, from home and at rest.

    Attributes:
        bodies: where the bodies are, MOVING_BODY records.
        V: their velocities, (nb, 6).
    """

    _steps: Callable[..., int]  # the kernel of the method, which makes steps

    def __init__(self, model: DynamicsModel, step: float) -> None:
        """Put a machine at home."""
        super().__init__(model, step)
        self.maximal = Maximal(model)
        scratch = Scratch()
        packing = self.maximal.packing(scratch)
        n_impulses = self._add_own(packing, scratch)
        self._packed, self._work = packing.buffer(), np.zeros(scratch.size)
        nb = 1 + len(self.maximal.bodies)
        state = Packing(MAXIMAL_STATE)
        state.add("bodies", np.zeros(nb, MOVING_BODY))
        state.add("V", np.zeros((nb, 6)))
        state.add("positions", np.zeros(len(self.maximal.parts["free"])))
        state.add("references", np.zeros(len(self.drives), REFERENCE))
        state.add("impulses", np.zeros(n_impulses))
        state.add("q", np.zeros(model.tree.nq))
        self.state = state.buffer()
        moment = self._moment
        self.bodies = records(self.state, moment.bodies, MOVING_BODY)
        self.V, self._q = matrix(self.state, moment.V), numbers(self.state, moment.q)
        self._v = np.zeros(model.tree.nv)
        self.set_state(model.tree.positions(model.home), self._v)

    @abstractmethod
    def _add_own(self, packing: Packing, scratch: Scratch) -> int:
        """Add the method's own part to the model; how many impulses it keeps."""

    @cached_property
    def _moment(self) -> Record:
        return header(self.state, MAXIMAL_STATE)

    # --------------------------------------------------------------- state

    def set_state(self, q: ArrayLike, v: ArrayLike) -> None:
        """Go on from positions and velocities of the tree; what was learnt is forgotten."""
        tree, moment = self.model.tree, self._moment
        self._q[:], self._v = checked_vector(q, tree.nq, "q"), checked_vector(v, tree.nv, "v")
        placed_bodies = placed(tree, self._q, self._v)
        self.bodies[BASE].X[:], self.bodies[BASE].quat[0] = np.eye(4)[:3], 1.0
        for body, moving, V in zip(self.maximal.bodies, self.bodies[1:], self.V[1:], strict=True):
            X_WB = tree.frame(placed_bodies, body.freedom) @ body.X_FB
            twist = placed_bodies["velocity"][body.freedom]
            R, w = X_WB[:3, :3], twist[:3]
            moving.X[:], moving.quat[:] = X_WB[:3], quaternion_from_matrix(R)
            moving.spin[:] = R @ (body.inertia * (R.T @ w))
            V[:3], V[3:] = w, twist[3:] + np.cross(w, X_WB[:3, 3])
        records(self.state, moment.references, REFERENCE).active = 0
        numbers(self.state, moment.impulses)[:] = 0.0
        positions = numbers(self.state, moment.positions)
        positions[:] = 0.0
        for one in self.maximal.parts["coordinates"]:
            if one["kind"] == CoordinateKind.SCALAR:
                positions[one["row"]] = self._q[one["position"]]  # angles count on from here
        kernels.track(self._packed, self.state, self._work)

    # ------------------------------------------------------------- reading

    @property
    def q(self) -> Floats:
        """Positions of the tree, recovered from the bodies, (nq,); angles are continuous."""
        self._recover(self._q, self._v)
        return self._q.copy()

    @property
    def v(self) -> Floats:
        """Velocities of the tree, (nv,)."""
        self._recover(self._q, self._v)
        return self._v.copy()

    def now(self) -> TreeState:
        """Positions and velocities, read so that later readings are the same without it."""
        q, v = self._q.copy(), self._v.copy()
        self._recover(q, v)
        return q, v

    def _recover(self, q: Floats, v: Floats) -> None:
        readings.recover(self._packed, self.state, self._work, q, v)

    def poses(self) -> Floats:
        """X_base_link of all links, in the order of the file, (n_links, 4, 4)."""
        tree = self.model.tree
        placed_bodies = placed(tree, self.q, self._v)  # parts of cylinders without mass stay there
        for body, moving in zip(self.maximal.bodies, self.bodies[1:], strict=True):
            placed_bodies["X_WF"][body.freedom] = moving.X @ invert(body.X_FB)
        return tree.poses(placed_bodies)

    def position_error(self) -> float:
        """Widest gap of any joint [m]."""
        return float(readings.gaps(self._packed, self.state, self._work)[0])

    def angle_error(self) -> float:
        """Largest misalignment of any joint [rad]."""
        return float(readings.gaps(self._packed, self.state, self._work)[1])

    def _energies(self, energy_out: Floats) -> None:
        forces.energies(self._packed, self.state, self._work, energy_out)

    # ------------------------------------------------------------- running

    def _failure(self, status: int) -> tuple[str, str]:
        return failure(self.maximal.bodies, status)

    def _go(self, steps: int) -> int:
        pulls = self._body_pulls()
        return int(
            self._steps(self._packed, pulls, steps, self.state, self.given_drives, self._work)
        )

    def _body_pulls(self) -> Records:
        """Pulls with bodies and points of bodies, instead of the tree's freedoms."""
        pulls = self.given_pulls.copy()
        for pull in pulls:
            number = self.maximal.body_of_freedom.get(int(pull.freedom), BASE)
            if number == BASE:
                name = self.model.tree.owner[int(pull.freedom)]
                raise DynamicsError(f"{name!r} has no mass that a force could move", body=name)
            X_BF = invert(self.maximal.bodies[number - 1].X_FB)
            pull.freedom, pull.point = number, X_BF[:3, :3] @ pull.point + X_BF[:3, 3]
        return pulls
