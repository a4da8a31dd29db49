"""What a peer offers, and the part of a machine that a problem is about.

A peer's solver is measured by the call of `fk` or `ik` alone. What comes before it (`start`) and
after it (`PeerAnswer.q`) turns Headframe's joint positions into the peer's and back.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...description import Actuator, Joint, Limit
from ...errors import HeadframeError, UnknownElementError
from ...machine import Machine
from ...mechanism import State, constraint_jacobian, residuals
from ...spatial import pose_error

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

PLANAR = 1e-9  # largest derivative of an axis in a loop whose axes stay parallel


@dataclass(frozen=True, slots=True)
class Start:
    """Where a solver starts: Headframe's joint positions, (nq,), and the peer's for `fk`."""

    q: Floats
    values: Floats


@dataclass(slots=True)
class PeerAnswer:
    """Where a solver ended. What Headframe makes of it is worked out when it is asked for.

    Attributes:
        part: the joints and constraints of the problem.
        values: the peer's own positions of the joints that it solved for.
        where: their places among Headframe's joint positions.
        start: where the solver started; all other joints are still there.
        iterations: as counted by the peer; 0 where it does not tell.
        solved: whether the peer's own test of convergence was passed.
        wanted: `fk` only: the lengths that were asked for [m], (n_actuators,); not a copy.
        goal: `ik` only: the link and the pose (4, 4) that were asked for; not a copy.
    """

    part: PeerPart
    values: Floats
    where: Ints
    start: Start
    iterations: int
    solved: bool
    wanted: Floats | None = None
    goal: tuple[str, Floats] | None = None

    @property
    def q(self) -> Floats:
        """Headframe's joint positions, (nq,)."""
        q = self.start.q.copy()
        q[self.where] = self.values
        return q

    @property
    def state(self) -> State:
        """The machine in that configuration."""
        return State(self.part.machine.mechanism, self.q)

    @property
    def lengths(self) -> Floats:
        """Lengths of all actuators [m], (n_actuators,)."""
        return self.state.lengths

    @property
    def residual(self) -> float:
        """Largest gap of a loop and, in `fk`, error of a length [m]."""
        state = self.state
        gap = np.abs(residuals(state)).max(initial=0.0)
        if self.wanted is not None:
            gap = max(gap, np.abs(state.lengths - self.wanted).max(initial=0.0))
        return float(gap)

    @property
    def objective(self) -> float:
        """Distance |log(X_WL^-1 target)| [rad, m] in `ik`; not a number in `fk`."""
        if self.goal is None:
            return math.nan
        link, target = self.goal
        return float(np.linalg.norm(pose_error(self.state.pose(link), target)))


class Peer(Protocol):
    """Another engine with a solver on top, for one machine."""

    name: str

    def start(self, q: Floats) -> Start:
        """A start for both problems at the joint positions `q`, (nq,), with closed loops."""

    def fk(self, lengths: Floats, start: Start) -> PeerAnswer:
        """The configuration with the given actuator lengths [m], (n_actuators,).

        Lengths of redundant groups must be consistent: the first member's is used.
        """

    def ik(self, link: str, target: Floats, start: Start) -> PeerAnswer:
        """The configuration in which `link` is nearest to the pose `target`, (4, 4).

        Of all configurations with closed loops and lengths inside their bounds, the one with the
        least |log(X_WL^-1 target)|, radians and metres counted alike. The first call for a link
        prepares what later ones use.
        """


# --------------------------------------------------------------------- part of a machine


@dataclass(frozen=True, eq=False)
class PeerPin:
    """A hinge that closes a planar loop: a point of link A lies on one of link B [m].

    `across` are two unit vectors of link A square to the pin, (2, 3): the gap along the pin
    stays zero by itself.
    """

    link_a: str
    link_b: str
    point_a: Floats
    point_b: Floats
    across: Floats

    @property
    def along(self) -> Floats:
        """Unit vector of the pin in link A, (3,)."""
        return np.cross(self.across[0], self.across[1])


@dataclass(frozen=True, eq=False)
class PeerPart:
    """The joints and constraints of one problem.

    Attributes:
        machine: the machine.
        joints: tree joints to solve for, one freedom each.
        held: tree joints on the way to the link of interest that nothing drives.
        pins: closures.
        cylinders: positions of actuators, the first member of every group.
    """

    machine: Machine
    joints: tuple[Joint, ...]
    held: tuple[Joint, ...]
    pins: tuple[PeerPin, ...]
    cylinders: Ints

    @cached_property
    def actuators(self) -> tuple[Actuator, ...]:
        """The cylinders."""
        return tuple(self.machine.actuators[i] for i in self.cylinders)

    @cached_property
    def bounds(self) -> Floats:
        """Lower and upper bounds of the cylinders [m], (2, n)."""
        limits: list[Limit] = [actuator.bounds for actuator in self.actuators]
        return np.array([[x.lower for x in limits], [x.upper for x in limits]])

    def places(self, joints: list[str]) -> Ints:
        """Where Headframe's joint positions hold the joints of these names."""
        positions = self.machine.mechanism.position_of_joint
        return np.array([positions[name].start for name in joints], dtype=np.int64)


def whole(machine: Machine) -> PeerPart:
    """Everything that cylinders and closures move."""
    return _part(machine, None)


def part_moving(machine: Machine, link: str) -> PeerPart:
    """What moves `link`, and everything that is tied to that by closures and cylinders."""
    return _part(machine, link)


def _part(machine: Machine, link: str | None) -> PeerPart:
    mechanism = machine.mechanism
    if machine.robot.repeaters:
        raise HeadframeError(f"{machine.name}: peers do not know repeaters")
    pins = tuple(_pins(machine))
    firsts = mechanism.first_members
    ends = [(pin.link_a, pin.link_b) for pin in pins]
    ends += [(a.tube_parent, a.rod_parent) for a in (machine.actuators[i] for i in firsts)]
    touched = np.array([_path(machine, a, b) for a, b in ends]).reshape(-1, mechanism.nv)
    on_path = np.zeros(mechanism.nv, dtype=bool)
    tied = np.ones(len(ends), dtype=bool)
    if link is not None:
        if link not in mechanism.body_of_link:
            raise UnknownElementError("main link", link, mechanism.body_of_link)
        on_path = mechanism.moves[mechanism.body_of_link[link]]
        tied = _tied(touched, on_path)
    solved: Flags = np.any(touched[tied], axis=0)
    if not solved.any():
        raise HeadframeError(f"{machine.name}: no cylinder moves {link or 'anything'}")
    part = PeerPart(
        machine=machine,
        joints=_joints(machine, solved),
        held=_joints(machine, on_path & ~solved),
        pins=tuple(pin for pin, used in zip(pins, tied, strict=False) if used),
        cylinders=firsts[tied[len(pins) :]],
    )
    if 2 * len(part.pins) + len(part.cylinders) != len(part.joints):
        raise HeadframeError(f"{machine.name}: its lengths do not set all of its joints")
    return part


def _pins(machine: Machine) -> list[PeerPin]:
    """All closures; HeadframeError where one is no hinge of a planar loop."""
    robot, mechanism = machine.robot, machine.mechanism
    pins = []
    for number, loop in enumerate(machine.topology.loops):
        if loop.closure < 0:
            continue
        closure = machine.topology.closures[loop.closure]
        on_a, on_b = robot.joints[closure.forward], robot.joints[closure.backward]
        rows = np.flatnonzero(mechanism.constraints["loop"] == number)
        turning = constraint_jacobian(machine.home, rows)[3:]  # after the three of the point
        if not on_a.kind.is_hinge or np.abs(turning).max() > PLANAR:
            raise HeadframeError(f"{machine.name}: peers do not know loops like {loop.name!r}")
        axis = on_a.origin[:3, :3] @ on_a.direction()
        first = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
        first /= np.linalg.norm(first)
        across = np.array([first, np.cross(axis, first)])
        pins.append(
            PeerPin(on_a.parent, on_b.parent, on_a.origin[:3, 3], on_b.origin[:3, 3], across)
        )
    return pins


def _path(machine: Machine, link_a: str, link_b: str) -> Flags:
    """Which velocities move two links against each other, (nv,)."""
    body, moves = machine.mechanism.body_of_link, machine.mechanism.moves
    differ: Flags = moves[body[link_a]] != moves[body[link_b]]
    return differ


def _tied(touched: Flags, on_path: Flags) -> Flags:
    """The constraints that the velocities `on_path` change, and those tied to them by others."""
    while True:
        tied: Flags = np.any(touched[:, on_path], axis=1)
        reached: Flags = on_path | np.any(touched[tied], axis=0)
        if (reached == on_path).all():
            return tied
        on_path = reached


def _joints(machine: Machine, velocities: Flags) -> tuple[Joint, ...]:
    """The joints of velocities, in the order of the tree."""
    at = machine.mechanism.velocity_of_joint
    joints = [machine.joints[j] for j in machine.topology.tree_joints]
    chosen = tuple(joint for joint in joints if velocities[at[joint.name]].any())
    for joint in chosen:
        if not (joint.kind.is_hinge or joint.kind.is_slide):
            raise HeadframeError(f"{machine.name}: peers do not know {joint.type} joints")
    return chosen


# ------------------------------------------------------------------ distance of two poses


class PoseLog:
    """Logarithm of a rigid motion and its slope, in Python's own numbers and one matrix.

    A motion is given by its rotation vector w and its translation p. Its logarithm is
    e = (w, V(w)^-1 p), angular first. With ad the matrix of the bracket with e, moving the motion
    by a small twist t from the left moves e by (1 - ad/2 + a ad^2 + b ad^4) t.
    """

    def __init__(self) -> None:
        self._ad = np.zeros((6, 6))
        self._square = np.zeros((6, 6))

    def log(self, turn: list[float], shift: list[float]) -> list[float]:
        """The logarithm, (6,), of the rotation vector `turn` [rad] and the translation [m]."""
        x, y, z = turn
        a, b, c = shift
        u, v, w = y * c - z * b, z * a - x * c, x * b - y * a
        s = x * x + y * y + z * z
        if s < 1e-2:
            k = 1 / 12 + s * (1 / 720 + s * (1 / 30240 + s / 1209600))
        else:
            half = 0.5 * math.sqrt(s)
            k = (1.0 - half / math.tan(half)) / s
        return [
            x, y, z,
            a - 0.5 * u + k * (y * w - z * v),
            b - 0.5 * v + k * (z * u - x * w),
            c - 0.5 * w + k * (x * v - y * u),
        ]  # fmt: skip

    def slope(self, e: list[float]) -> Floats:
        """Derivative of the logarithm by a twist from the left, (6, 6)."""
        x, y, z, a, b, c = e
        ad, square = self._ad, self._square
        ad[0, 1] = ad[3, 4] = -z
        ad[0, 2] = ad[3, 5] = y
        ad[1, 0] = ad[4, 3] = z
        ad[1, 2] = ad[4, 5] = -x
        ad[2, 0] = ad[5, 3] = -y
        ad[2, 1] = ad[5, 4] = x
        ad[3, 1], ad[3, 2], ad[4, 0] = -c, b, c
        ad[4, 2], ad[5, 0], ad[5, 1] = -a, -b, a
        s = x * x + y * y + z * z
        if s < 1e-2:
            k2 = 1 / 12 - s * s * (1 / 30240 + s / 604800)
            k4 = -1 / 720 - s * (1 / 15120 + s / 403200)
        else:
            t = math.sqrt(s)
            sine, less = math.sin(t), 4.0 * t * (math.cos(t) - 1.0)
            k2 = 2.0 / s + (t + 3.0 * sine) / less
            k4 = 1.0 / (s * s) + (t + sine) / (s * less)
        np.dot(ad, ad, square)
        slope: Floats = np.dot(square, square)
        slope *= k4
        square *= k2
        slope += square
        ad *= 0.5
        slope -= ad
        slope.flat[::7] += 1.0
        return slope


def rotation_vector(R: list[list[float]]) -> list[float]:
    """Axis times angle [rad] of a rotation matrix, through its quaternion (w, x, y, z)."""
    (a, b, c), (d, e, f), (g, h, i) = R
    trace = a + e + i
    if trace >= max(a, e, i):
        w, x, y, z = 1.0 + trace, h - f, c - g, d - b
    elif a >= max(e, i):
        w, x, y, z = h - f, 1.0 + a - e - i, b + d, c + g
    elif e >= i:
        w, x, y, z = c - g, b + d, 1.0 - a + e - i, f + h
    else:
        w, x, y, z = d - b, c + g, f + h, 1.0 - a - e + i
    sine = math.sqrt(x * x + y * y + z * z)
    if sine == 0.0:
        return [0.0, 0.0, 0.0]
    scale = 2.0 * math.atan2(math.copysign(sine, w), abs(w)) / sine
    return [scale * x, scale * y, scale * z]
