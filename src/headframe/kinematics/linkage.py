"""A machine in scope of the closed forms as records: what the kernels of l(theta) work on.

All geometry is taken at the home pose. A chain of freedoms is a plane one if its hinges are
parallel to one normal and its slides perpendicular to it; its points then become complex numbers
in a basis that all chains and four-bars with the same normal share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..jit import Packing, Record, Scratch, as_records, new_records
from ..mechanism import Floats, Mechanism, State
from ..spatial import rotated, transform_points
from .plan import Plan, PlannedStep, adjacent
from .records import (
    BAR_JOINT,
    BLOCK,
    CHAIN,
    CHAIN_STEP,
    FORWARD_WORK,
    FOUR_BAR,
    LINKAGE,
    MAX_STEPS,
    MOST_VARIABLES,
    MOTION,
    STEP,
    TABLE_DIMS,
    VARIABLE,
    StepKind,
)

KIND = ("kind", "variable", "enter", "leave")  # what a step is, its numbers aside
PARALLEL = 2e-11  # largest sine between parallel directions: lengths must be right to 1e-10


@dataclass(frozen=True)
class Plane:
    """Complex coordinates in the plane with a normal: z = (p . ex) + i (p . ey)."""

    normal: Floats
    ex: Floats
    ey: Floats

    @classmethod
    def with_normal(cls, direction: Floats) -> Plane:
        """A basis of the plane."""
        normal = direction / np.linalg.norm(direction)
        helper = np.eye(3)[int(np.argmin(np.abs(normal)))]
        ex = np.cross(helper, normal)
        ex /= np.linalg.norm(ex)
        return cls(normal, ex, np.cross(normal, ex))

    def point(self, p_W: Floats) -> complex:
        """A point or free vector in the plane."""
        return complex(p_W @ self.ex, p_W @ self.ey)

    def sign(self, direction: Floats) -> float:
        """Which way a direction parallel to the normal points."""
        return 1.0 if direction @ self.normal > 0.0 else -1.0

    def is_parallel(self, direction: Floats) -> bool:
        """Whether a unit direction is the normal's or its opposite."""
        return float(np.linalg.norm(np.cross(direction, self.normal))) < PARALLEL

    def contains(self, direction: Floats) -> bool:
        """Whether a unit direction lies in the plane."""
        return abs(float(direction @ self.normal)) < PARALLEL


class NotPlaneError(Exception):
    """A chain that has no common normal; the text says which."""


@dataclass
class HomeGeometry:
    """Pivots and axes of joints at home, in base axes."""

    mechanism: Mechanism
    home: State

    def joint(self, j: int) -> tuple[Floats, Floats]:
        """Place of a joint and its unit axis."""
        joint = self.mechanism.robot.joints[j]
        X_WP = self.home.pose(joint.parent)
        axis = rotated(X_WP @ joint.origin, np.asarray(joint.axis or (1.0, 0.0, 0.0), dtype=float))
        return transform_points(X_WP, joint.origin[:3, 3]), axis / np.linalg.norm(axis)

    def position_in_q(self, j: int) -> int:
        """Where a joint's position stands in q."""
        return int(self.mechanism.position_of_joint[self.mechanism.robot.joints[j].name].start)

    def q_home(self, j: int) -> float:
        """A joint's position at home."""
        return float(self.home.q[self.position_in_q(j)])


@dataclass
class FourBarRing:
    """A four-bar, its members counted from x on: x, y, z, w.

    `pivots` and `joints` (-1 for the closure) are xy, yz, zw, wx; `links` are clusters; `shift`
    is x's place where the topology counts from the ground.
    """

    plane: Plane
    pivots: tuple[complex, ...]
    joints: tuple[int, ...]
    links: tuple[int, ...]
    shift: int

    def member(self, original: int) -> int:
        """Place of a member that the topology counts from the ground."""
        return (original - self.shift) % 4


class Packer:
    """Collects the records of a linkage.

    Attributes:
        variables, four_bars, chains, steps: see `records`.
        bar_joints: three for each four-bar.
        motions: a step of each motion.
        planes: of the chains.
        paths: motions of each link's way from the root, with their planes.
        spans: of forward kinematics' scratch memory.
    """

    def __init__(self, plan: Plan, mechanism: Mechanism, home: State, shifts: dict[int, int]):
        """`shifts` chooses for a four-bar which pivot's angle is its variable."""
        self.plan = plan
        self.mechanism = mechanism
        self.geometry = HomeGeometry(mechanism, home)
        self.known_planes: list[Plane] = []
        driven = {v for block in plan.blocks for v in block.variables}
        self.rings = [
            self._ring(number, shifts.get(number, 0))
            for number in range(len(plan.topology.contraction.four_bars))
        ]
        self.variables = new_records(len(plan.variables), VARIABLE)
        for number in range(len(plan.variables)):
            self._set_variable(number, number in driven)
        self.four_bars = new_records(len(self.rings), FOUR_BAR)
        self.bar_joints = new_records(3 * len(self.rings), BAR_JOINT)
        for number in range(len(self.rings)):
            self._set_bar(number)
        self.steps: list[Record] = []
        self.motions: list[int] = []
        actuators = mechanism.robot.actuators
        self.chains = new_records(len(actuators), CHAIN)
        self.planes: list[Plane] = []
        first_of = {i: members[0] for members in mechanism.robot.groups for i in members}
        for act in range(len(actuators)):
            self._set_chain(act, first_of[act])
        self.paths: dict[str, list[tuple[int, Plane]]] = {}
        for link in mechanism.body_of_link:
            self._add_path(link)
        self.scratch, n_vars = Scratch(), len(self.variables)
        self.spans = self.scratch.spans(
            FORWARD_WORK, theta=n_vars, motions=(len(self.motions), MOTION),
            chain=(MAX_STEPS + 1, CHAIN_STEP), A=(MOST_VARIABLES, MOST_VARIABLES + 1),
            weights=(TABLE_DIMS, 4), lengths=len(actuators), begin=n_vars, end=n_vars,
        )  # fmt: skip

    def packed(self, blocks: Sequence[Record] = (), tables: Sequence[float] = ()) -> Floats:
        """The linkage with some blocks, whose tables begin in `tables`."""
        packing = Packing(LINKAGE, work=self.spans)
        packing.add("variables", self.variables)
        packing.add("four_bars", self.four_bars)
        packing.add("bar_joints", self.bar_joints)
        packing.add("chains", self.chains)
        packing.add("steps", as_records(self.steps, STEP))
        packing.add("motions", np.array(self.motions, dtype=np.int64))
        packing.add("blocks", as_records(blocks, BLOCK))
        packing.add("tables", np.array(tables, dtype=float))
        return packing.buffer()

    def new_work(self) -> Floats:
        """Scratch memory of forward kinematics."""
        return np.zeros(self.scratch.size)

    def steps_of(self, act: int) -> list[Record]:
        """Steps of an actuator's chain."""
        chain = self.chains[act]
        return self.steps[chain.first : chain.first + chain.count]

    def _ring(self, number: int, shift: int) -> FourBarRing:
        """Pivots of a four-bar in its plane, from member x = links[shift] on."""
        four_bar = self.plan.topology.contraction.four_bars[number]
        closure = self.plan.topology.closures[four_bar.closure]
        joints = [j if j >= 0 else closure.forward for j in four_bar.joints]
        places = [self.geometry.joint(j) for j in joints]
        plane = self._plane(places[0][1])
        if not all(plane.is_parallel(axis) for _, axis in places):
            name = self.plan.topology.loops[four_bar.closure].name
            raise NotPlaneError(f"the pivots of {name!r} are parallel to {PARALLEL:g} only roughly")
        pivots = [plane.point(place) for place, _ in places]
        turned = [(shift + k) % 4 for k in range(4)]
        return FourBarRing(
            plane,
            tuple(pivots[k] for k in turned),
            tuple(four_bar.joints[k] for k in turned),
            tuple(four_bar.links[k] for k in turned),
            shift,
        )

    def _set_variable(self, number: int, driven: bool) -> None:
        variable, record = self.plan.variables[number], self.variables[number]
        record.kind, record.four_bar, record.driven = variable.kind, variable.four_bar, driven
        record.position, record.sign = -1, 1.0
        j = variable.joint
        if variable.kind == StepKind.RING:
            ring = self.rings[variable.four_bar]
            j = ring.joints[0]
            if j < 0:  # the closure, which has no position
                return
            before, _ = self._ring_ends(ring, j)
            _, axis = self.geometry.joint(j)
            record.sign = ring.plane.sign(axis) * (1.0 if before == 0 else -1.0)
        record.position, record.home = self.geometry.position_in_q(j), self.geometry.q_home(j)

    def _ring_ends(self, ring: FourBarRing, j: int) -> tuple[int, int]:
        """Members (parent's, child's) that a ring joint connects."""
        topology, robot = self.plan.topology, self.mechanism.robot
        parent, child = (
            ring.links.index(topology.cluster_of[robot.link_index[name]])
            for name in (robot.joints[j].parent, robot.joints[j].child)
        )
        return parent, child

    def _set_bar(self, number: int) -> None:
        ring, bar = self.rings[number], self.four_bars[number]
        _, B, C, D = ring.pivots
        bar.variable = next(n for n, v in enumerate(self.plan.variables) if v.four_bar == number)
        for name, pivot in zip(("xy", "yz", "zw", "wx"), ring.pivots, strict=True):
            bar[name] = _pair(pivot)
        side = ((D - B).conjugate() * (C - B)).imag
        bar.yz_zw, bar.wx_zw = abs(C - B) ** 2, abs(C - D) ** 2
        bar.side = 1.0 if side > 0.0 else -1.0
        bar.first_joint = 3 * number
        tree_joints = [j for j in ring.joints if j >= 0]
        for joint, j in zip(self.bar_joints[3 * number :][:3], tree_joints, strict=True):
            _, axis = self.geometry.joint(j)
            joint.position = self.geometry.position_in_q(j)
            joint.before, joint.after = self._ring_ends(ring, j)
            joint.home, joint.sign = self.geometry.q_home(j), ring.plane.sign(axis)

    def _set_chain(self, act: int, leader: int) -> None:
        actuator, chain = self.mechanism.robot.actuators[act], self.chains[act]
        way = self.plan.ways[act]
        plane = self.plane_of(way, f"cylinder {actuator.name!r}")
        self.planes.append(plane)
        tube, rod = self.geometry.home.mounts[act]
        height = float((rod - tube) @ plane.normal)
        chain.first, chain.count, chain.leader = len(self.steps), len(way), leader
        for step in way:
            record = self.step_record(step, plane)
            record.motion = self._motion(record)
            self.steps.append(record)
        chain.tube, chain.rod = _pair(plane.point(tube)), _pair(plane.point(rod))
        chain.height2 = height * height
        chain.lower, chain.upper = actuator.bounds.lower, actuator.bounds.upper
        chain.leader_lower, chain.leader_upper = -np.inf, np.inf
        if act != leader:
            chain.twin = self._twins(act, leader)

    def _add_path(self, link: str) -> None:
        """Motions of a link's way from the root, each in its own plane; none if out of scope."""
        topology = self.plan.topology
        root = topology.robot.links[topology.root].name
        path = []
        for step in self.plan.steps_between(root, link) or ():
            plane = self.plane_of((step,), f"link {link!r}")
            record = self.step_record(step, plane)
            record.motion = motion = self._motion(record)
            if motion == len(self.motions) - 1 and self.motions[motion] == len(self.steps):
                self.steps.append(record)
            path.append((motion, plane))
        self.paths[link] = path

    def _motion(self, record: Record) -> int:
        """Number of the motion that a step about to be added is; a new one if no step is alike."""
        for number, step in enumerate(self.motions):
            if _alike(self.steps[step], record):
                return number
        self.motions.append(len(self.steps))
        return len(self.motions) - 1

    def _twins(self, act: int, leader: int) -> bool:
        """Whether an actuator has its leader's length in every configuration."""
        (kinds, numbers), (other_kinds, other_numbers) = self._shape(act), self._shape(leader)
        return kinds == other_kinds and np.allclose(numbers, other_numbers, rtol=0.0, atol=1e-14)

    def _shape(self, act: int) -> tuple[list[tuple[int, ...]], list[float]]:
        """What the steps of a chain are, and the numbers that its length depends on."""
        chain, steps = self.chains[act], self.steps_of(act)
        kinds = [tuple(int(step[name]) for name in (*KIND, "motion")) for step in steps]
        if all(step.kind == StepKind.SLIDING for step in steps):
            return kinds, [*(chain.rod - chain.tube)]
        places = [number for step in steps for number in (*step.place, step.sign)]
        return kinds, [*chain.tube, *chain.rod, chain.height2, *places]

    def plane_of(self, way: tuple[PlannedStep, ...], what: str) -> Plane:
        """The plane of a chain of freedoms.

        Raises:
            NotPlaneError: its hinges and slides have no common normal.
        """
        hinges: list[Floats] = []
        slides: list[Floats] = []
        for step in way:
            variable = self.plan.variables[step.variable]
            _, axis = self.geometry.joint(variable.joint)
            (slides if variable.kind == StepKind.SLIDING else hinges).append(axis)
        if hinges:
            plane = self._plane(hinges[0])
        else:
            normal = np.cross(slides[0], np.eye(3)[int(np.argmin(np.abs(slides[0])))])
            for other in slides[1:]:
                if np.linalg.norm(np.cross(slides[0], other)) > PARALLEL:
                    normal = np.cross(slides[0], other)
            plane = self._plane(normal)
        if not all(plane.is_parallel(a) for a in hinges) or not all(map(plane.contains, slides)):
            raise NotPlaneError(f"{what} acts over joints whose motion is not in one plane")
        return plane

    def _plane(self, normal: Floats) -> Plane:
        """The plane with a normal, or with its opposite; one object for all that share it."""
        for plane in self.known_planes:
            if plane.is_parallel(normal):
                return plane
        self.known_planes.append(Plane.with_normal(normal))
        return self.known_planes[-1]

    def step_record(self, step: PlannedStep, plane: Plane) -> Record:
        """A step in a plane; its motion is still to be set."""
        variable = self.plan.variables[step.variable]
        record = new_records(1, STEP)[0]
        record.variable, record.kind, record.sign = step.variable, variable.kind, 1.0
        if variable.kind == StepKind.RING:
            ring = self.rings[variable.four_bar]
            enter, leave = ring.member(step.enter), ring.member(step.leave)
            if {enter, leave} == {0, 1}:
                record.kind, record.place = StepKind.TURNING, _pair(ring.pivots[0])
                record.sign = 1.0 if enter == 0 else -1.0
            else:
                record.enter, record.leave = enter, leave
            return record
        place, axis = self.geometry.joint(variable.joint)
        record.sign = 1.0 if step.down else -1.0
        if variable.kind == StepKind.SLIDING:
            record.place = _pair(plane.point(axis))
        else:
            record.place = _pair(plane.point(place))
            record.sign *= plane.sign(axis)
        return record


def _pair(z: complex) -> tuple[float, float]:
    return z.real, z.imag


def _alike(step: Record, other: Record) -> bool:
    """Whether two steps are the same motion."""
    same = all(step[name] == other[name] for name in (*KIND, "sign"))
    return same and bool((step.place == other.place).all())


def driven_pivot(plan: Plan, number: int) -> int:
    """Which pivot of a four-bar a cylinder turns directly, if one does; else the input's, 0."""
    for block in plan.blocks:
        for group in block.groups:
            way = plan.ways[plan.topology.robot.groups[group][0]]
            if plan.is_over(way, number) and adjacent(way[0]):
                ends = way[0].enter, way[0].leave
                return 3 if set(ends) == {0, 3} else min(ends)
    return 0
