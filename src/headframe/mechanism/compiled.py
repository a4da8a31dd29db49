"""A machine as a few flat arrays, made once: what the kernels work on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import numbers
from ..description import Joint, Robot
from ..description.model import POSITIONS
from ..errors import StateError
from ..spatial import perpendiculars
from ..topology import Closure, Topology
from . import _kernels as kernels
from .servos import Servos, servos_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CODES = {
    "fixed": kernels.FIXED,
    "revolute": kernels.REVOLUTE,
    "continuous": kernels.REVOLUTE,
    "prismatic": kernels.PRISMATIC,
    "universal": kernels.UNIVERSAL,
    "spherical": kernels.SPHERICAL,
    "free": kernels.FREE,
}
VELOCITIES = {"fixed": 0, "universal": 2, "spherical": 3, "free": 6}


@dataclass(frozen=True, eq=False)
class Mechanism:
    """The compiled machine; see `_kernels` for the arrays.

    Bodies are the main links in tree order. Positions and velocities follow the order of the
    robot's joints, so that closure joints have none. `con_loop` (ncon) is the position in
    `topology.loops` that a constraint belongs to, -1 for a repeater's.
    """

    topology: Topology
    body_of_link: dict[str, int]
    position_of_joint: dict[str, slice]
    velocity_of_joint: dict[str, slice]
    tree_i: Ints
    tree_f: Floats
    moves: NDArray[np.uint8]
    con_i: Ints
    con_f: Floats
    con_loop: Ints
    q_zero: Floats

    @property
    def robot(self) -> Robot:
        """The description this was made from."""
        return self.topology.robot

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return int(self.moves.shape[1])

    @cached_property
    def length_rows(self) -> Ints:
        """The LENGTH constraint of every actuator, in the order of the robot's actuators."""
        return np.flatnonzero(self.con_i[:, 0] == kernels.LENGTH)

    @cached_property
    def closing_rows(self) -> Ints:
        """The constraints that always hold, closures and repeaters."""
        return np.flatnonzero(self.con_i[:, 0] != kernels.LENGTH)

    @cached_property
    def first_members(self) -> Ints:
        """The actuator of each redundant group that sets the motion."""
        return np.array([members[0] for members in self.robot.groups], dtype=np.int64)

    @cached_property
    def servos(self) -> Servos:
        """The joints that can be told where to go."""
        return servos_of(self)

    @cached_property
    def leaders(self) -> Ints:
        """The drive of each input: a group's first member, or a servo; see `State.drives`."""
        return np.array([each.drive for each in self.robot.inputs], dtype=np.int64)

    @cached_property
    def angles(self) -> Ints:
        """Positions that are angles of hinges."""
        return self._positions_where(kernels.REVOLUTE, kernels.UNIVERSAL)

    @cached_property
    def slides(self) -> Ints:
        """Positions that are displacements, those of free joints among them."""
        free = self.tree_i[self.tree_i[:, 1] == kernels.FREE, 2]
        offsets = (free[:, None] + np.arange(4, 7)).ravel()
        return np.sort(np.concatenate([self._positions_where(kernels.PRISMATIC), offsets]))

    @cached_property
    def quaternions(self) -> Ints:
        """First positions of quaternions."""
        turning = np.isin(self.tree_i[:, 1], (kernels.SPHERICAL, kernels.FREE))
        return np.sort(self.tree_i[turning, 2])

    @cached_property
    def repeated(self) -> Ints:
        """Positions that a repeater ties together."""
        return np.unique(self.con_i[self.con_i[:, 0] == kernels.RATIO, 1:3])

    @property
    def root(self) -> str:
        """Name of the link that all others hang on."""
        return next(name for name, body in self.body_of_link.items() if body == 0)

    @cached_property
    def single_positions(self) -> dict[str, int]:
        """Places in `State.q` of the joints with one freedom, by name."""
        return {
            name: part.start
            for name, part in self.position_of_joint.items()
            if part.stop - part.start == 1
        }

    @cached_property
    def limited(self) -> Ints:
        """Positions of joints with one freedom and a limit."""
        return np.array(
            [
                place
                for name, place in self.single_positions.items()
                if self.robot.joint(name).limit is not None
            ],
            dtype=np.int64,
        )

    @cached_property
    def limit_lower(self) -> Floats:
        """Lower limits of the positions `limited`."""
        return self._limits[:, 0]

    @cached_property
    def limit_upper(self) -> Floats:
        """Upper limits of the positions `limited`."""
        return self._limits[:, 1]

    @cached_property
    def _limits(self) -> Floats:
        limits = (self.robot.joint(self.joint_at(i)).limit for i in self.limited)
        return np.array([(x.lower, x.upper) for x in limits if x is not None]).reshape(-1, 2)

    def joint_at(self, position: int) -> str:
        """Name of the joint that a position belongs to."""
        return next(
            name
            for name, part in self.position_of_joint.items()
            if part.start <= position < part.stop
        )

    def positions_of(self, velocities: Ints) -> Ints:
        """All positions of the joints that the given velocities belong to."""
        wanted = set(velocities.tolist())
        return np.array(
            [
                i
                for name, part in self.position_of_joint.items()
                if not wanted.isdisjoint(range(*self.velocity_of_joint[name].indices(self.nv)))
                for i in range(part.start, part.stop)
            ],
            dtype=np.int64,
        )

    def _positions_where(self, *codes: int) -> Ints:
        """Positions of joints with one of the codes, as many a joint as it has freedoms."""
        bodies = self.tree_i[np.isin(self.tree_i[:, 1], codes)]
        second = bodies[bodies[:, 1] == kernels.UNIVERSAL, 2] + 1
        return np.sort(np.concatenate([bodies[:, 2], second]))

    def positions(self, q: ArrayLike) -> Floats:
        """A copy of joint positions, as kernels take them, (nq,).

        Raises:
            StateError: another number of positions, or one that is not finite.
        """
        copy = numbers("q", q, "finite joint positions")
        if copy.shape != self.q_zero.shape:
            raise StateError(f"found positions of shape {copy.shape}, expected {self.q_zero.shape}")
        return copy

    def new_work(self) -> Floats:
        """Scratch memory for the solver's kernels."""
        nq, ncon = self.q_zero.size, self.con_i.shape[0]
        return np.zeros(kernels.work_size(self.tree_i.shape[0], nq, self.nv, ncon))

    def targets(self, lengths: Floats | None = None) -> Floats:
        """Right-hand sides of the constraints for the given actuator lengths [m]."""
        target = np.zeros(self.con_i.shape[0])
        ratios = self.con_i[:, 0] == kernels.RATIO
        target[ratios] = self.con_f[ratios, 2]
        if lengths is not None:
            if np.shape(lengths) != self.length_rows.shape or not np.isfinite(lengths).all():
                raise StateError(
                    f"found lengths of shape {np.shape(lengths)}, expected "
                    f"{self.length_rows.size} finite ones"
                )
            target[self.length_rows] = lengths
        return target

    def place(self, q: Floats) -> tuple[Floats, Floats]:
        """World poses of the bodies, (nbody, 3, 4), and world twists of the velocities, (nv, 6)."""
        q = self.positions(q)
        X = np.empty((self.tree_i.shape[0], 3, 4))
        twists = np.zeros((self.nv, 6))
        kernels.place(self.tree_i, self.tree_f, q, np.zeros((4, 3, 4)), X, twists)
        return X, twists


def compile_mechanism(topology: Topology) -> Mechanism:
    """Turn a machine's tree and loops into flat arrays."""
    robot = topology.robot
    positions, velocities = _numbering(topology)
    bodies = [topology.root] + [
        robot.link_index[robot.joints[j].child] for j in topology.tree_joints
    ]
    body_of_link = {robot.links[link].name: body for body, link in enumerate(bodies)}
    nq = sum(_width(s) for s in positions.values())
    nv = sum(_width(s) for s in velocities.values())

    tree_i = np.zeros((len(bodies), 4), dtype=np.int64)
    tree_f = np.zeros((len(bodies), 30))
    moves = np.zeros((len(bodies), nv), dtype=np.uint8)
    tree_i[0, 0] = -1
    tree_f[0, :12] = np.eye(4)[:3].ravel()
    tree_f[0, 12:24] = robot.links[topology.root].pose[:3].ravel()
    for body, j in enumerate(topology.tree_joints, start=1):
        joint = robot.joints[j]
        parent = body_of_link[joint.parent]
        at = velocities[joint.name]
        tree_i[body] = parent, CODES[joint.type], positions[joint.name].start, at.start
        tree_f[body, :12] = joint.origin[:3].ravel()
        tree_f[body, 12:24] = robot.links[bodies[body]].pose[:3].ravel()
        tree_f[body, 24:27] = joint.axis or (1.0, 0.0, 0.0)
        tree_f[body, 27:30] = joint.axis2 or (0.0, 1.0, 0.0)
        moves[body] = moves[parent]
        moves[body, at] = 1

    constraints = _Constraints(topology, body_of_link)
    for repeater in robot.repeaters:
        constraints.add_repeater(
            positions[repeater.joint].start,
            positions[repeater.follows].start,
            velocities[repeater.joint].start,
            velocities[repeater.follows].start,
            repeater.ratio,
            repeater.offset,
        )
    q_zero = np.zeros(nq)
    for j in topology.tree_joints:
        if robot.joints[j].type in ("spherical", "free"):
            q_zero[positions[robot.joints[j].name].start] = 1.0
    return Mechanism(
        topology=topology,
        body_of_link=body_of_link,
        position_of_joint=positions,
        velocity_of_joint=velocities,
        tree_i=tree_i,
        tree_f=tree_f,
        moves=moves,
        q_zero=q_zero,
        **constraints.arrays(),
    )


def _width(part: slice) -> int:
    return int(part.stop - part.start)


def _numbering(topology: Topology) -> tuple[dict[str, slice], dict[str, slice]]:
    """Where each tree joint's positions and velocities stand, in the file's joint order."""
    positions: dict[str, slice] = {}
    velocities: dict[str, slice] = {}
    nq = nv = 0
    for j in sorted(topology.tree_joints):
        joint = topology.robot.joints[j]
        wide_q, wide_v = POSITIONS.get(joint.type, 1), VELOCITIES.get(joint.type, 1)
        positions[joint.name] = slice(nq, nq + wide_q)
        velocities[joint.name] = slice(nv, nv + wide_v)
        nq, nv = nq + wide_q, nv + wide_v
    return positions, velocities


class _Constraints:
    """Collects the constraints of all loops as rows of `con_i` and `con_f`."""

    def __init__(self, topology: Topology, body_of_link: dict[str, int]) -> None:
        self.robot = topology.robot
        self.body_of_link = body_of_link
        self.ints: list[tuple[int, int, int, int]] = []
        self.floats: list[Floats] = []
        self.loops: list[int] = []
        for loop_number, loop in enumerate(topology.loops):
            if loop.closure >= 0:
                self._add_closure(loop_number, topology.closures[loop.closure])
            else:
                self._add_length(loop_number, loop.actuator)

    def arrays(self) -> dict[str, Any]:
        """The rows as arrays, by the names of `Mechanism`'s fields."""
        return {
            "con_i": np.array(self.ints, dtype=np.int64).reshape(-1, 4),
            "con_f": np.array(self.floats, dtype=float).reshape(-1, 12),
            "con_loop": np.array(self.loops, dtype=np.int64),
        }

    def _add(self, loop: int, kind: int, a: int, b: int, *vectors: Any) -> None:
        self.ints.append((kind, a, b, 0))
        self.floats.append(np.concatenate([np.asarray(v, dtype=float) for v in vectors]))
        self.loops.append(loop)

    def _add_closure(self, loop: int, closure: Closure) -> None:
        """Equations of one pivot: what the joint between the two links leaves free is left out."""
        on_a, on_b = self.robot.joints[closure.forward], self.robot.joints[closure.backward]
        a, b = self.body_of_link[on_a.parent], self.body_of_link[on_b.parent]
        p_a, p_b = on_a.origin[:3, 3], on_b.origin[:3, 3]
        R_a, R_b = on_a.origin[:3, :3], on_b.origin[:3, :3]
        kind = on_a.type
        if kind != "prismatic":
            self._add(loop, kernels.POINT, a, b, p_a, p_b, R_a[:, 0], R_b[:, 0])
        if kind in ("revolute", "continuous"):
            self._add(loop, kernels.PARALLEL, a, b, p_a, p_b, *_axes(on_a, on_b))
        elif kind == "universal":
            self._add(loop, kernels.PERPENDICULAR, a, b, p_a, p_b, *_axes(on_a, on_b))
        elif kind in ("fixed", "prismatic"):
            for column in (0, 1):
                self._add(loop, kernels.ALIGNED, a, b, p_a, p_b, R_a[:, column], R_b[:, column])
        if kind == "prismatic":
            for across in perpendiculars(_axes(on_a, on_b)[0]):
                self._add(loop, kernels.OFFSET, a, b, p_a, p_b, across, across)

    def _add_length(self, loop: int, number: int) -> None:
        actuator = self.robot.actuators[number]
        a, b = self.body_of_link[actuator.tube_parent], self.body_of_link[actuator.rod_parent]
        unused = (1.0, 0.0, 0.0)
        self._add(
            loop, kernels.LENGTH, a, b, actuator.tube_offset, actuator.rod_offset, unused, unused
        )

    def add_repeater(
        self, q_follower: int, q_leader: int, v_follower: int, v_leader: int,
        ratio: float, offset: float,
    ) -> None:  # fmt: skip
        """q[follower] - ratio q[leader] = offset."""
        self.ints.append((kernels.RATIO, q_follower, q_leader, v_follower))
        self.floats.append(np.array([ratio, v_leader, offset] + [0.0] * 9))
        self.loops.append(-1)


def _axes(on_a: Joint, on_b: Joint) -> tuple[Floats, Floats]:
    """Axes of a closure's two joints, each in its own parent link."""
    axis_a = np.asarray(on_a.axis or (1.0, 0.0, 0.0))
    axis_b = np.asarray(on_b.axis or (1.0, 0.0, 0.0))
    return on_a.origin[:3, :3] @ axis_a, on_b.origin[:3, :3] @ axis_b
