"""scipy's solvers on Headframe's own equations, with analytic derivatives.

`root` (hybr) for lengths and SLSQP for poses, both over the joints, with loops as equations.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize, root

from ...jit import Record, new_records
from ...machine import Machine
from ...mechanism import Mechanism, ancestors_of, common_of
from ...mechanism.kernels import FRAME, LOOP_ROW, RowKind, jacobian, place_frames, residuals
from .base import (
    Floats,
    PeerAnswer,
    PeerPart,
    PeerPin,
    PoseLog,
    Start,
    part_moving,
    rotation_vector,
    whole,
)

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
        lengths = mechanism.constraints[mechanism.length_rows[part.cylinders]]
        pins = [_offset(mechanism, pin, across) for pin in part.pins for across in pin.across]
        self.constraints = new_records(len(pins) + len(lengths), LOOP_ROW)
        self.constraints[: len(pins)], self.constraints[len(pins) :] = pins, lengths
        self.pins, count = len(pins), len(self.constraints)
        self.rows, self.target = np.arange(count), np.zeros(count)
        self.gaps, self.J = np.zeros(count), np.zeros((count, len(names)))
        self.slopes = np.zeros((count, mechanism.nv))  # by all velocities
        self.frames = new_records(mechanism.nv, FRAME)
        freedom_at = {int(v): d for d, v in enumerate(mechanism.freedoms["velocity"])}
        self.freedoms = [freedom_at[int(v)] for v in self.dofs]
        self.q = mechanism.q_zero.copy()

    def place(self, x: Floats) -> None:
        """Bring poses and twists up to date with the unknowns."""
        m = self.mechanism
        self.q[self.places] = x
        place_frames(m.freedoms, self.q, self.frames)

    def pose(self, body: int) -> Floats:
        """Pose of a link where the machine has been placed, (3, 4)."""
        link = self.mechanism.links[body]
        X_WF = self.frames[link.freedom].X_WF if link.freedom >= 0 else np.eye(4)[:3]
        X: Floats = X_WF[:, :3] @ link.X_FL
        X[:, 3] += X_WF[:, 3]
        return X

    def twists(self) -> Floats:
        """World twists of the unknowns there, (n, 6)."""
        twists: Floats = self.frames["axis"][self.freedoms]
        return twists

    def residuals(self) -> Floats:
        """The gaps where the machine has been placed, in the same array every time."""
        residuals(self.constraints, self.target, self.rows, self.q, self.frames, self.gaps)
        return self.gaps

    def jacobian(self) -> Floats:
        """Their derivative there, in the same array every time."""
        jacobian(self.constraints, self.mechanism.freedoms, self.rows, self.frames, self.slopes)
        return np.take(self.slopes, self.dofs, axis=1, out=self.J)


def _offset(mechanism: Mechanism, pin: PeerPin, across: Floats) -> Record:
    """One equation of a pin: how far its halves are apart in a direction across it."""
    one = new_records(1, LOOP_ROW)[0]
    one.kind, one.loop = RowKind.OFFSET, -1
    links = [mechanism.links[mechanism.body_of_link[name]] for name in (pin.link_a, pin.link_b)]
    one.a, one.b = (link.freedom for link in links)
    one.common = common_of(ancestors_of(mechanism.freedoms), int(one.a), int(one.b))
    (R_A, p_A), (R_B, p_B) = ((link.X_FL[:, :3], link.X_FL[:, 3]) for link in links)
    one.point_a, one.point_b = R_A @ pin.point_a + p_A, R_B @ pin.point_b + p_B
    one.vector_a, one.vector_b = R_A @ across, R_B @ across
    return one


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
        X, Y = self.equations.pose(self.body), self.target
        turn = rotation_vector(np.dot(Y[:3, :3], X[:, :3].T).tolist())
        e = self.logs.log(turn, (Y[:3, 3] - X[:, 3]).tolist())
        # what a twist at the link's origin is weighed with, and then one at the world's
        a, b, c, u, v, w = np.dot(e, self.logs.slope(e)).tolist()
        x, y, z = X[:, 3].tolist()
        weights = [a + y * w - z * v, b + z * u - x * w, c + x * v - y * u, u, v, w]
        gradient = np.dot(self.equations.twists(), weights)
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
