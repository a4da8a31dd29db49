"""A machine in scope as two arrays: what the kernels of l(theta) work on.

All geometry is taken at the home pose. A chain of freedoms is a plane one if its hinges are
parallel to one normal and its slides perpendicular to it; its points then become complex numbers
in a basis that all chains and four-bars with the same normal share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...mechanism import Mechanism, State
from ...mechanism.compiled import Floats, Ints
from ...spatial import rotated, transform_points
from ..plan import Plan, Step, adjacent
from . import _kernels as kernels

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
class Ring:
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
    """Collects tables of integers and floats, then joins them behind a header."""

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
        self.vars_i: list[list[int]] = []
        self.vars_f: list[list[float]] = []
        for number in range(len(plan.variables)):
            self._add_variable(number, number in driven)
        self.bars_i: list[list[int]] = []
        self.bars_f: list[list[float]] = []
        for number in range(len(self.rings)):
            self._add_bar(number)
        self.steps_i: list[list[int]] = []
        self.steps_f: list[list[float]] = []
        self.motions: list[int] = []
        self.acts_i: list[list[int]] = []
        self.acts_f: list[list[float]] = []
        self.planes: list[Plane] = []
        first_of = {i: members[0] for members in mechanism.robot.groups for i in members}
        for act in range(len(mechanism.robot.actuators)):
            self._add_actuator(act, first_of[act])
        self.paths: dict[str, list[tuple[int, Plane]]] = {}
        for link in mechanism.body_of_link:
            self._add_path(link)

    def arrays(
        self, blocks_i: list[list[int]] | None = None, numbers: list[float] | None = None
    ) -> tuple[Ints, Floats]:
        """`link_i` and `link_f`; block records point into `numbers` relative to their start."""
        tables_i = [self.vars_i, self.bars_i, self.acts_i, self.steps_i, self.motions]
        tables_f = [self.vars_f, self.bars_f, self.acts_f, self.steps_f]
        header = np.zeros(kernels.HEADER, dtype=np.int64)
        header[kernels.N_VARS] = len(self.vars_i)
        header[kernels.N_BARS] = len(self.bars_i)
        header[kernels.N_ACTS] = len(self.acts_i)
        header[kernels.N_BLOCKS] = len(blocks_i or ())
        header[kernels.N_MOTIONS] = len(self.motions)
        parts_i = [header]
        at = kernels.HEADER
        places_i = (
            kernels.VARS_I, kernels.BARS_I, kernels.ACTS_I, kernels.STEPS_I, kernels.MOTIONS_I
        )  # fmt: skip
        for place, table in zip(places_i, tables_i, strict=True):
            header[place] = at
            parts_i.append(np.array(table, dtype=np.int64).ravel())
            at += parts_i[-1].size
        header[kernels.BLOCKS_I] = at
        parts_f = []
        at = 0
        for place, rows in zip(
            (kernels.VARS_F, kernels.BARS_F, kernels.ACTS_F, kernels.STEPS_F), tables_f, strict=True
        ):
            header[place] = at
            parts_f.append(np.array(rows, dtype=float).ravel())
            at += parts_f[-1].size
        records = np.array(blocks_i or [], dtype=np.int64)
        if records.size:
            records[:, 3] += at
        link_f = np.concatenate([*parts_f, np.array(numbers or [0.0], dtype=float)])
        return np.concatenate([*parts_i, records.ravel()]), link_f

    def _ring(self, number: int, shift: int) -> Ring:
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
        return Ring(
            plane,
            tuple(pivots[k] for k in turned),
            tuple(four_bar.joints[k] for k in turned),
            tuple(four_bar.links[k] for k in turned),
            shift,
        )

    def _add_variable(self, number: int, driven: bool) -> None:
        variable = self.plan.variables[number]
        if variable.kind == "four-bar":
            ring = self.rings[variable.four_bar]
            j = ring.joints[0]
            self.vars_i.append([kernels.RING, -1, variable.four_bar, int(driven)])
            self.vars_f.append([0.0, 1.0])
            if j >= 0:
                self.vars_i[-1][1] = self.geometry.position_in_q(j)
                self.vars_f[-1] = [self.geometry.q_home(j), self._turn_sign(ring, j, 0)]
            return
        kind = kernels.SLIDING if variable.kind == "prismatic" else kernels.TURNING
        self.vars_i.append([kind, self.geometry.position_in_q(variable.joint), -1, int(driven)])
        self.vars_f.append([self.geometry.q_home(variable.joint), 1.0])

    def _turn_sign(self, ring: Ring, j: int, place: int) -> float:
        """Sign of a ring joint's axis, if its parent is the member before the pivot; else minus."""
        _, axis = self.geometry.joint(j)
        before, _ = self._ring_ends(ring, j)
        return ring.plane.sign(axis) * (1.0 if before == place else -1.0)

    def _ring_ends(self, ring: Ring, j: int) -> tuple[int, int]:
        """Members (parent's, child's) that a ring joint connects."""
        topology, robot = self.plan.topology, self.mechanism.robot
        parent, child = (
            ring.links.index(topology.cluster_of[robot.link_index[name]])
            for name in (robot.joints[j].parent, robot.joints[j].child)
        )
        return parent, child

    def _add_bar(self, number: int) -> None:
        ring = self.rings[number]
        _, B, C, D = ring.pivots
        variable = next(n for n, v in enumerate(self.plan.variables) if v.four_bar == number)
        ints: list[int] = []
        floats: list[float] = []
        for pivot in ring.pivots:
            floats += [pivot.real, pivot.imag]
        side = ((D - B).conjugate() * (C - B)).imag
        floats += [abs(C - B) ** 2, abs(C - D) ** 2, 1.0 if side > 0.0 else -1.0]
        for j in ring.joints:
            if j < 0:
                continue
            _, axis = self.geometry.joint(j)
            ints += [self.geometry.position_in_q(j), *self._ring_ends(ring, j)]
            floats += [self.geometry.q_home(j), ring.plane.sign(axis), 0.0]
        self.bars_i.append([*ints, variable])
        self.bars_f.append(floats)

    def _add_actuator(self, act: int, first: int) -> None:
        actuator = self.mechanism.robot.actuators[act]
        way = self.plan.ways[act]
        plane = self.plane_of(way, f"cylinder {actuator.name!r}")
        self.planes.append(plane)
        tube, rod = self.geometry.home.mounts[act]
        t, r = plane.point(tube), plane.point(rod)
        height = float((rod - tube) @ plane.normal)
        begin = len(self.steps_i)
        for step in way:
            ints, floats = self.step_record(step, plane)
            self.steps_i.append([*ints, self._motion(ints, floats)])
            self.steps_f.append(floats)
        numbers = [t.real, t.imag, r.real, r.imag, height * height]
        self.acts_i.append([begin, len(way), first, 0])
        bounds = [actuator.bounds.lower, actuator.bounds.upper]
        self.acts_f.append([*numbers, *bounds, -np.inf, np.inf])
        if act != first:
            self.acts_i[-1][3] = int(self._twins(act, first))

    def _add_path(self, link: str) -> None:
        """Motions of a link's way from the root, each in its own plane; none if out of scope."""
        topology = self.plan.topology
        root = topology.robot.links[topology.root].name
        path = []
        for step in self.plan.steps_between(root, link) or ():
            plane = self.plane_of((step,), f"link {link!r}")
            ints, floats = self.step_record(step, plane)
            motion = self._motion(ints, floats)
            if motion == len(self.motions) - 1 and self.motions[motion] == len(self.steps_i):
                self.steps_i.append([*ints, motion])
                self.steps_f.append(floats)
            path.append((motion, plane))
        self.paths[link] = path

    def _motion(self, ints: list[int], floats: list[float]) -> int:
        """Number of the motion that a step about to be added is; a new one if no step is alike."""
        for number, step in enumerate(self.motions):
            if self.steps_i[step][:4] == ints and self.steps_f[step] == floats:
                return number
        self.motions.append(len(self.steps_i))
        return len(self.motions) - 1

    def _twins(self, act: int, first: int) -> bool:
        """Whether an actuator has its first member's length in every configuration."""
        (begin, count, *_), (begin_1, count_1, *_) = self.acts_i[act], self.acts_i[first]
        same_steps = (
            self.steps_i[begin : begin + count] == self.steps_i[begin_1 : begin_1 + count_1]
        )
        if same_steps and all(row[0] == kernels.SLIDING for row in self.steps_i[begin:][:count]):
            (tx, ty, rx, ry, *_), (tx_1, ty_1, rx_1, ry_1, *_) = (
                self.acts_f[act],
                self.acts_f[first],
            )
            return np.allclose([rx - tx, ry - ty], [rx_1 - tx_1, ry_1 - ty_1], rtol=0.0, atol=1e-14)
        return same_steps and np.allclose(
            [*self.acts_f[act][:5], *np.ravel(self.steps_f[begin : begin + count])],
            [*self.acts_f[first][:5], *np.ravel(self.steps_f[begin_1 : begin_1 + count_1])],
            rtol=0.0,
            atol=1e-14,
        )

    def plane_of(self, way: tuple[Step, ...], what: str) -> Plane:
        """The plane of a chain of freedoms.

        Raises:
            NotPlaneError: its hinges and slides have no common normal.
        """
        hinges: list[Floats] = []
        slides: list[Floats] = []
        for step in way:
            variable = self.plan.variables[step.variable]
            _, axis = self.geometry.joint(variable.joint)
            (slides if variable.kind == "prismatic" else hinges).append(axis)
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

    def step_record(self, step: Step, plane: Plane) -> tuple[list[int], list[float]]:
        """One record of the tables of steps."""
        variable = self.plan.variables[step.variable]
        if variable.kind == "four-bar":
            ring = self.rings[variable.four_bar]
            enter, leave = ring.member(step.enter), ring.member(step.leave)
            if {enter, leave} == {0, 1}:
                pivot, sign = ring.pivots[0], 1.0 if enter == 0 else -1.0
                return [kernels.TURNING, step.variable, 0, 0], [pivot.real, pivot.imag, sign]
            return [kernels.RING, step.variable, enter, leave], [0.0, 0.0, 1.0]
        place, axis = self.geometry.joint(variable.joint)
        down = 1.0 if step.down else -1.0
        if variable.kind == "prismatic":
            direction = plane.point(axis)
            return [kernels.SLIDING, step.variable, 0, 0], [direction.real, direction.imag, down]
        pivot, sign = plane.point(place), down * plane.sign(axis)
        return [kernels.TURNING, step.variable, 0, 0], [pivot.real, pivot.imag, sign]


def driven_pivot(plan: Plan, number: int) -> int:
    """Which pivot of a four-bar a cylinder turns directly, if one does; else the input's, 0."""
    for block in plan.blocks:
        for group in block.groups:
            way = plan.ways[plan.topology.robot.groups[group][0]]
            if len(way) == 1 and plan.variables[way[0].variable].four_bar == number:
                step = way[0]
                if adjacent(step):
                    low, high = sorted((step.enter, step.leave))
                    return 3 if (low, high) == (0, 3) else low
    return 0
