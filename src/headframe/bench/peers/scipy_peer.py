"""scipy's solvers on Headframe's own equations, with analytic derivatives.

`root` (hybr) for lengths and SLSQP for poses, both over the joints, with loops as equations.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize, root

from ...machine import Machine
from ...mechanism import _kernels as kernels
from .base import Floats, PeerAnswer, PeerPart, PoseLog, Start, part_moving, rotation_vector, whole

STEP = 1e-11  # relative step of the joints at which hybr stops
PRECISION = 1e-12  # of the squared distance, at which SLSQP stops
MAX_STEPS = 200


class ScipyPeer:
    """Forward and inverse kinematics of a machine with scipy."""

    name = "scipy"

    def __init__(self, machine: Machine, tolerance: float = 1e-10) -> None:
        self._machine = machine
        self._root = _Root(_Equations(whole(machine)), tolerance)
        self._reaches: dict[str, _Reach] = {}

    def start(self, q: Floats) -> Start:
        """See `Peer`."""
        return Start(q.copy(), q[self._root.equations.places])

    def fk(self, lengths: Floats, start: Start) -> PeerAnswer:
        """See `Peer`."""
        return self._root.solve(lengths, start)

    def ik(self, link: str, target: Floats, start: Start) -> PeerAnswer:
        """See `Peer`."""
        reach = self._reaches.get(link)
        if reach is None:
            equations = _Equations(part_moving(self._machine, link))
            reach = self._reaches[link] = _Reach(equations, link)
        return reach.solve(target, start)


class _Equations:
    """Gaps of the pins, two each, then lengths of the cylinders, and their derivatives.

    Attributes:
        gaps: as many as unknowns in `fk` [m], (m,); lengths are less `target`.
        J: derivative of `gaps`, (m, n).
        X: world poses of all bodies, (nbody, 3, 4).
        twists: world twists of all velocities, (nv, 6).
        places: where Headframe's joint positions hold the unknowns, (n,).
        dofs: their velocities, (n,).
    """

    def __init__(self, part: PeerPart) -> None:
        self.part, mechanism = part, part.machine.mechanism
        self.mechanism = mechanism
        names = [joint.name for joint in part.joints]
        self.places = part.places(names)
        self.dofs = np.array([mechanism.velocity_of_joint[name].start for name in names])
        body = mechanism.body_of_link
        rows = mechanism.length_rows[part.cylinders]
        kinds = [
            (kernels.OFFSET, body[pin.link_a], body[pin.link_b], 0)
            for pin in part.pins
            for _ in range(2)
        ]
        vectors = [
            np.concatenate([pin.point_a, pin.point_b, across, across])
            for pin in part.pins
            for across in pin.across
        ]
        self.con_i = np.vstack([*kinds, mechanism.con_i[rows]]).astype(np.int64)
        self.con_f = np.vstack([*vectors, mechanism.con_f[rows]])
        self.pins, count = len(kinds), len(self.con_i)
        self.rows, self.target = np.arange(count), np.zeros(count)
        self.gaps, self.J = np.zeros(count), np.zeros((count, len(names)))
        self.X, self.twists = np.zeros((len(body), 3, 4)), np.zeros((mechanism.nv, 6))
        self.q = mechanism.q_zero.copy()
        self._X_work, self._vectors = np.zeros((4, 3, 4)), np.zeros((12, 3))

    def place(self, x: Floats) -> None:
        """Bring poses and twists up to date with the unknowns."""
        m = self.mechanism
        self.q[self.places] = x
        kernels.place(m.tree_i, m.tree_f, self.q, self._X_work, self.X, self.twists)

    def residuals(self) -> Floats:
        """The gaps where the machine has been placed, in the same array every time."""
        kernels.residuals(
            self.con_i, self.con_f, self.target, self.rows, self.q, self.X, self._vectors,
            self.gaps,
        )  # fmt: skip
        return self.gaps

    def jacobian(self) -> Floats:
        """Their derivative there, in the same array every time."""
        kernels.jacobian(
            self.mechanism.moves, self.con_i, self.con_f, self.rows, self.dofs, self.X,
            self.twists, self._vectors, self.J,
        )  # fmt: skip
        return self.J


class _Root:
    """Closures and given lengths as a square system."""

    def __init__(self, equations: _Equations, tolerance: float) -> None:
        self.equations, self.tolerance = equations, tolerance
        self.options = {"xtol": STEP}

    def value(self, x: Floats) -> Floats:
        """The gaps [m]."""
        self.equations.place(x)
        return self.equations.residuals()

    def slope(self, x: Floats) -> Floats:
        """Their derivative."""
        self.equations.place(x)
        return self.equations.jacobian()

    def solve(self, lengths: Floats, start: Start) -> PeerAnswer:
        """Joint positions with the given lengths [m], (n_actuators,)."""
        equations = self.equations
        equations.q[:] = start.q
        equations.target[equations.pins :] = lengths[equations.part.cylinders]
        result = root(self.value, start.values, jac=self.slope, method="hybr", options=self.options)
        solved = bool(np.abs(result.fun).max() < self.tolerance)
        return PeerAnswer(
            equations.part, result.x, equations.places, start, int(result.nfev), solved, lengths
        )


class _Reach:
    """Squared distance of poses under closures and bounds of lengths."""

    def __init__(self, equations: _Equations, link: str) -> None:
        self.equations, self.link = equations, link
        self.body = equations.mechanism.body_of_link[link]
        moved = equations.mechanism.moves[self.body][equations.dofs]
        self.moved = moved.astype(float)
        self.lower, self.upper = equations.part.bounds
        self.logs, self.target = PoseLog(), np.eye(4)
        self.last = b""  # where everything was evaluated last
        n, groups = len(equations.places), len(equations.part.cylinders)
        self.room, self.room_slope = np.zeros(2 * groups), np.zeros((2 * groups, n))
        self.options = {"ftol": PRECISION, "maxiter": MAX_STEPS}
        self.constraints: list[dict[str, Any]] = [
            {"type": "ineq", "fun": self.room_left, "jac": self.room_left_slope}
        ]
        if equations.pins:
            self.constraints.append({"type": "eq", "fun": self.open, "jac": self.open_slope})

    def solve(self, target: Floats, start: Start) -> PeerAnswer:
        """Joint positions in which the link is nearest to the pose `target`, (4, 4)."""
        equations = self.equations
        self.target = target
        equations.q[:] = start.q
        self.last = b""
        result = minimize(
            self.distance, start.q[equations.places], jac=True, method="SLSQP",
            constraints=self.constraints, options=self.options,
        )  # fmt: skip
        return PeerAnswer(
            equations.part, result.x, equations.places, start, int(result.nit),
            bool(result.success), goal=(self.link, target),
        )  # fmt: skip

    def update(self, x: Floats) -> None:
        """Evaluate everything at `x` once."""
        key = x.tobytes()
        if key != self.last:
            self.last = key
            self.equations.place(x)
            self.equations.residuals()
            self.equations.jacobian()

    def distance(self, unknowns: Floats) -> tuple[float, Floats]:
        """Square of the distance, and its gradient, (n,)."""
        self.update(unknowns)
        X, Y = self.equations.X[self.body], self.target
        turn = rotation_vector(np.dot(Y[:3, :3], X[:, :3].T).tolist())
        e = self.logs.log(turn, (Y[:3, 3] - X[:, 3]).tolist())
        # what a twist at the link's origin is weighed with, and then one at the world's
        a, b, c, u, v, w = np.dot(e, self.logs.slope(e)).tolist()
        x, y, z = X[:, 3].tolist()
        weights = [a + y * w - z * v, b + z * u - x * w, c + x * v - y * u, u, v, w]
        gradient = np.dot(self.equations.twists[self.equations.dofs], weights)
        gradient *= self.moved
        gradient *= -2.0
        return float(np.dot(e, e)), gradient

    def open(self, x: Floats) -> Floats:
        """The gaps of the pins [m]."""
        self.update(x)
        return self.equations.gaps[: self.equations.pins].copy()

    def open_slope(self, x: Floats) -> Floats:
        """Their derivative."""
        self.update(x)
        return self.equations.J[: self.equations.pins].copy()

    def room_left(self, x: Floats) -> Floats:
        """How far every length is from its bounds [m], not negative inside."""
        self.update(x)
        lengths, n = self.equations.gaps[self.equations.pins :], self.lower.size
        np.subtract(lengths, self.lower, self.room[:n])
        np.subtract(self.upper, lengths, self.room[n:])
        return self.room.copy()

    def room_left_slope(self, x: Floats) -> Floats:
        """Its derivative."""
        self.update(x)
        slope, n = self.equations.J[self.equations.pins :], self.lower.size
        self.room_slope[:n] = slope
        np.negative(slope, self.room_slope[n:])
        return self.room_slope.copy()
