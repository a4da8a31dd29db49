"""A machine compiled once: what kernels work on, as records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import numbers
from ..description import Robot
from ..errors import StateError
from ..jit import Records, as_records
from ..topology import Topology
from .cylinders import Placing
from .equations import loop_rows
from .freedoms import JointFreedoms, ancestors_of, link_records
from .placing import place_links
from .records import FRAME, FREEDOM, FreedomKind, RowKind
from .servos import Servos, servos_of
from .system import Floats, Ints, LoopSystem

FRAME_RECORD = np.dtype((np.record, FRAME))  # its fields are attributes outside of kernels, too


@dataclass(frozen=True, eq=False)
class Mechanism(LoopSystem):
    """The compiled machine.

    Bodies are the main links in tree order. Positions and velocities follow the order of the
    robot's joints, so that closure joints have none.

    Attributes:
        topology: graph, tree and loops.
        body_of_link: number of each main link.
        position_of_joint, velocity_of_joint: where the tree's joints stand in q and v.
        freedoms: FREEDOM records of the joints, parents first.
        links: LINK records of the bodies.
        constraints: LOOP_ROW records: of all loops, then of the repeaters.
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
    def ancestors(self) -> tuple[tuple[int, ...], ...]:
        """The freedoms that move each freedom's body, itself last; then those of the base: none."""
        return ancestors_of(self.freedoms)

    @cached_property
    def moves(self) -> NDArray[np.bool_]:
        """Whether a velocity moves a body, (nbody, nv)."""
        found = np.zeros((len(self.links), self.nv), dtype=bool)
        for body, freedom in enumerate(self.links["freedom"]):
            found[body, self.freedoms["velocity"][list(self.ancestors[freedom])]] = True
        return found

    def velocities_in(self, number: int) -> Ints:
        """Velocities that change what a constraint keeps, in order."""
        one = self.constraints[number]
        if one.kind == RowKind.RATIO:
            return np.array([one.follower.velocity, one.leader.velocity])
        between = set(self.ancestors[one.a]) ^ set(self.ancestors[one.b])
        found: Ints = np.sort(self.freedoms["velocity"][list(between)])
        return found

    @cached_property
    def first_members(self) -> Ints:
        """The actuator of each redundant group that sets the motion."""
        return np.array([members[0] for members in self.robot.groups], dtype=np.int64)

    @cached_property
    def servos(self) -> Servos:
        """The joints that can be told where to go."""
        return servos_of(self)

    @cached_property
    def placing(self) -> Placing:
        """Places all links, tubes and rods among them."""
        return Placing(self)

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
        ties = self.constraints[self.constraints["kind"] == RowKind.RATIO]
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
        return np.array([place for place, _, _ in self._limits], dtype=np.int64)

    @cached_property
    def limit_lower(self) -> Floats:
        """Lower limits of the positions `limited`."""
        return np.array([lower for _, lower, _ in self._limits])

    @cached_property
    def limit_upper(self) -> Floats:
        """Upper limits of the positions `limited`."""
        return np.array([upper for _, _, upper in self._limits])

    @cached_property
    def _limits(self) -> list[tuple[int, float, float]]:
        places = self.single_positions.items()
        limits = [(place, self.robot.joint(name).limit) for name, place in places]
        return [(place, x.lower, x.upper) for place, x in limits if x is not None]

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

    def frames(self, q: Floats) -> Records:
        """FRAME records of the freedoms at some positions."""
        return super().frames(self.positions(q))

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


def compile_mechanism(topology: Topology) -> Mechanism:
    """Turn a machine's tree and loops into records."""
    joints = JointFreedoms(topology)
    freedoms, names = as_records(joints.freedoms, FREEDOM), list(joints.of_link)
    q_zero = np.zeros(max((part.stop for part in joints.positions.values()), default=0))
    q_zero[freedoms["position"][freedoms["kind"] == FreedomKind.BALL]] = 1.0
    return Mechanism(
        topology, {name: body for body, name in enumerate(names)}, joints.positions,
        joints.velocities, freedoms, link_records(names, joints.of_link, joints.X_FL),
        loop_rows(topology, joints, freedoms), q_zero,
    )  # fmt: skip
