"""A machine compiled once: what kernels work on, as records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, assert_never

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import numbers
from ..description import Keeps, Robot
from ..errors import StateError
from ..jit import Packing, Records, Scratch, new_records
from ..spatial import perpendiculars
from ..topology import Closure, Topology
from .freedoms import FreedomPacker, ancestors_of, common_of, link_records
from .numbering import number_joints
from .placing import place_frames, place_links
from .records import (
    CONSTRAINT,
    FRAME,
    MECHANISM,
    SOLVER_WORK,
    ConstraintKind,
    FreedomKind,
)
from .servos import Servos, servos_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FRAME_RECORD = np.dtype((np.record, FRAME))  # its fields are attributes outside of kernels, too


@dataclass(frozen=True, eq=False)
class Mechanism:
    """The compiled machine.

    Bodies are the main links in tree order. Positions and velocities follow the order of the
    robot's joints, so that closure joints have none.

    Attributes:
        topology: graph, tree and loops.
        body_of_link: number of each main link.
        position_of_joint, velocity_of_joint: where the tree's joints stand in q and v.
        freedoms: FREEDOM records of the joints, parents first.
        links: LINK records of the bodies.
        constraints: CONSTRAINT records: of all loops, then of the repeaters.
        q_zero: positions with joints at 0, quaternions at no turn.
    """

    topology: Topology
    body_of_link: dict[str, int]
    position_of_joint: dict[str, slice]
    velocity_of_joint: dict[str, slice]
    freedoms: Records
    links: Records
    constraints: Records
    q_zero: Floats

    @property
    def robot(self) -> Robot:
        """The description this was made from."""
        return self.topology.robot

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return len(self.freedoms)

    @cached_property
    def moves(self) -> NDArray[np.bool_]:
        """Whether a velocity moves a body, (nbody, nv)."""
        chains = ancestors_of(self.freedoms)
        found = np.zeros((len(self.links), self.nv), dtype=bool)
        for body, freedom in enumerate(self.links["freedom"]):
            if freedom >= 0:
                found[body, self.freedoms["velocity"][list(chains[freedom])]] = True
        return found

    def velocities_in(self, number: int) -> Ints:
        """Velocities that change what a constraint keeps, in order."""
        one = self.constraints[number]
        if one.kind == ConstraintKind.RATIO:
            return np.array([one.follower.velocity, one.leader.velocity])
        found = []
        for end in (int(one.a), int(one.b)):
            while end != one.common:
                found.append(int(self.freedoms["velocity"][end]))
                end = int(self.freedoms["parent"][end])
        return np.array(sorted(found), dtype=np.int64)

    @cached_property
    def packed(self) -> Floats:
        """The machine as the general solver's kernels take it."""
        packing = Packing(MECHANISM, work=self._spans(Scratch()))
        packing.add("freedoms", self.freedoms)
        packing.add("links", self.links)
        packing.add("constraints", self.constraints)
        return packing.buffer()

    def _spans(self, scratch: Scratch) -> Records:
        return solver_spans(scratch, self.q_zero.size, self.nv, len(self.constraints))

    @cached_property
    def length_rows(self) -> Ints:
        """The LENGTH constraint of every actuator, in the order of the robot's actuators."""
        return np.flatnonzero(self.constraints["kind"] == ConstraintKind.LENGTH)

    @cached_property
    def closing_rows(self) -> Ints:
        """The constraints that always hold, closures and repeaters."""
        return np.flatnonzero(self.constraints["kind"] != ConstraintKind.LENGTH)

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
        return self._positions_of(FreedomKind.TURN)

    @cached_property
    def slides(self) -> Ints:
        """Positions that are displacements, those of free joints among them."""
        return self._positions_of(FreedomKind.SLIDE)

    @cached_property
    def quaternions(self) -> Ints:
        """First positions of quaternions."""
        return self._positions_of(FreedomKind.BALL)

    def _positions_of(self, kind: FreedomKind) -> Ints:
        found: Ints = np.sort(self.freedoms["position"][self.freedoms["kind"] == kind])
        return found

    @cached_property
    def repeated(self) -> Ints:
        """Positions that a repeater ties together."""
        ties = self.constraints[self.constraints["kind"] == ConstraintKind.RATIO]
        both = np.concatenate([ties["follower"]["position"], ties["leader"]["position"]])
        return np.unique(both)

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
        scratch = Scratch()
        self._spans(scratch)
        return np.zeros(scratch.size)

    def targets(self, lengths: Floats | None = None) -> Floats:
        """Right-hand sides of the constraints for the given actuator lengths [m]."""
        target = np.zeros(len(self.constraints))
        ratios = self.constraints["kind"] == ConstraintKind.RATIO
        target[ratios] = self.constraints["offset"][ratios]
        if lengths is not None:
            if np.shape(lengths) != self.length_rows.shape or not np.isfinite(lengths).all():
                raise StateError(
                    f"found lengths of shape {np.shape(lengths)}, expected "
                    f"{self.length_rows.size} finite ones"
                )
            target[self.length_rows] = lengths
        return target

    def frames(self, q: Floats) -> Records:
        """FRAME records of the freedoms at some positions."""
        frames = new_records(self.nv, FRAME)
        place_frames(self.freedoms, self.positions(q), frames)
        return frames

    def twists(self, q: Floats) -> Floats:
        """What each velocity moves by at rate 1, at the base's origin in its axes, (nv, 6)."""
        twists = np.zeros((self.nv, 6))
        twists[self.freedoms["velocity"]] = self.frames(q)["axis"]
        return twists

    def poses(
        self, q: Floats, X_WB: Floats, links: Records | None = None, out: Floats | None = None
    ) -> Floats:
        """World poses of links, (n, n_links, 4, 4), for rows of joint positions.

        Args:
            q: joint positions, (n, nq), finite.
            X_WB: where the machine of each row stands, (n, 4, 4), or of all rows, (1, 4, 4).
            links: LINK records; those of the bodies if None.
            out: where to write the poses; a new array if None.
        """
        freedoms, bodies = self._plain
        links = bodies if links is None else links.view(np.ndarray)
        X = np.empty((len(q), len(links), 4, 4)) if out is None else out
        place_links(freedoms, links, q, X_WB, new_frames(self.nv), X)
        return X

    @cached_property
    def _plain(self) -> tuple[NDArray[np.void], NDArray[np.void]]:
        """Freedoms and links as plain arrays, which kernels are called with in less time."""
        return self.freedoms.view(np.ndarray), self.links.view(np.ndarray)


def new_frames(count: int) -> NDArray[np.void]:
    """FRAME records of nothing, as a plain array, which kernels are called with in less time."""
    return np.zeros(count, FRAME_RECORD)


def solver_spans(scratch: Scratch, nq: int, nv: int, constraints: int) -> Records:
    """Scratch memory of the general solver for so many positions, velocities and constraints."""
    rows = 3 * constraints
    return scratch.spans(
        SOLVER_WORK, frames=(nv, FRAME), column=nv, r=rows, r_trial=rows, J=(rows, nv),
        J_last=(rows, nv), A=(nv, nv), band=nv, g=nv, dv=nv, q_trial=nq, q_last=nq, q_now=nq,
        q_next=nq, q_half=nq, target=constraints,
    )  # fmt: skip


def compile_mechanism(topology: Topology) -> Mechanism:
    """Turn a machine's tree and loops into records."""
    robot, numbering = topology.robot, number_joints(topology)
    packer = FreedomPacker(topology, numbering)
    freedoms = packer.gathered()
    bodies = [
        topology.root,
        *(robot.link_index[robot.joints[j].child] for j in topology.tree_joints),
    ]
    names = [robot.links[link].name for link in bodies]
    links = link_records(names, packer.freedom_of_link, packer.X_FL)
    q_zero = np.zeros(numbering.nq)
    q_zero[freedoms["position"][freedoms["kind"] == FreedomKind.BALL]] = 1.0
    return Mechanism(
        topology, {name: body for body, name in enumerate(names)}, numbering.positions,
        numbering.velocities, freedoms, links, _Constraints(topology, packer, freedoms).gathered(),
        q_zero,
    )  # fmt: skip


class _Constraints:
    """Collects the constraints of all loops, then of the repeaters."""

    def __init__(self, topology: Topology, packer: FreedomPacker, freedoms: Records) -> None:
        self.robot, self.packer = topology.robot, packer
        self.chains = ancestors_of(freedoms)
        self.found: list[Any] = []
        for number, loop in enumerate(topology.loops):
            if loop.closure >= 0:
                self._add_closure(number, topology.closures[loop.closure])
            else:
                self._add_length(number, loop.actuator)
        for repeater in self.robot.repeaters:
            self._add_repeater(repeater)

    def gathered(self) -> Records:
        """All of them."""
        constraints = new_records(len(self.found), CONSTRAINT)
        for n, one in enumerate(self.found):
            constraints[n] = one
        return constraints

    def _add(
        self, loop: int, kind: ConstraintKind, link_a: str, link_b: str, *vectors: ArrayLike
    ) -> None:
        """A constraint between two links: a point and a direction on each, in its axes."""
        one = new_records(1, CONSTRAINT)[0]
        one.kind, one.loop = kind, loop
        one.a, one.b = (self.packer.freedom_of_link[link] for link in (link_a, link_b))
        one.common = common_of(self.chains, int(one.a), int(one.b))
        X_A, X_B = self.packer.X_FL[link_a], self.packer.X_FL[link_b]
        p_A, p_B, u_A, u_B = (np.asarray(vector, dtype=float) for vector in vectors)
        one.point_a = X_A[:3, :3] @ p_A + X_A[:3, 3]
        one.point_b = X_B[:3, :3] @ p_B + X_B[:3, 3]
        one.vector_a, one.vector_b = X_A[:3, :3] @ u_A, X_B[:3, :3] @ u_B
        self.found.append(one)

    def _add_closure(self, loop: int, closure: Closure) -> None:
        """Equations of one pivot: what the joint between the two links leaves free is left out."""
        on_a, on_b = self.robot.joints[closure.forward], self.robot.joints[closure.backward]
        a, b = on_a.parent, on_b.parent
        p_a, p_b = on_a.origin[:3, 3], on_b.origin[:3, 3]
        R_a, R_b = on_a.origin[:3, :3], on_b.origin[:3, :3]
        axes = R_a @ on_a.direction(), R_b @ on_b.direction()
        for keeps in on_a.kind.keeps:
            match keeps:
                case Keeps.POINT:
                    kind, pairs = ConstraintKind.POINT, [(R_a[:, 0], R_b[:, 0])]
                case Keeps.PARALLEL:
                    kind, pairs = ConstraintKind.PARALLEL, [axes]
                case Keeps.PERPENDICULAR:
                    kind, pairs = ConstraintKind.PERPENDICULAR, [axes]
                case Keeps.ORIENTATION:
                    kind, pairs = ConstraintKind.ALIGNED, [(R_a[:, k], R_b[:, k]) for k in (0, 1)]
                case Keeps.LINE:
                    kind, pairs = ConstraintKind.OFFSET, [(u, u) for u in perpendiculars(axes[0])]
                case Keeps.THREAD:
                    raise ValueError(f"{on_a.type} joints close no loops")  # validation says so
                case _:
                    assert_never(keeps)
            for u_a, u_b in pairs:
                self._add(loop, kind, a, b, p_a, p_b, u_a, u_b)

    def _add_length(self, loop: int, number: int) -> None:
        one, unused = self.robot.actuators[number], (1.0, 0.0, 0.0)
        self._add(
            loop, ConstraintKind.LENGTH, one.tube_parent, one.rod_parent, one.tube_offset,
            one.rod_offset, unused, unused,
        )  # fmt: skip

    def _add_repeater(self, repeater: Any) -> None:
        """q[follower] - ratio q[leader] = offset."""
        one, numbering = new_records(1, CONSTRAINT)[0], self.packer.numbering
        one.kind, one.loop, one.a, one.b, one.common = ConstraintKind.RATIO, -1, -1, -1, -1
        for place, joint in ((one.follower, repeater.joint), (one.leader, repeater.follows)):
            place.position = numbering.positions[joint].start
            place.velocity = numbering.velocities[joint].start
        one.ratio, one.offset = repeater.ratio, repeater.offset
        self.found.append(one)
