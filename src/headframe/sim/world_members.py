"""What a world holds: loose bodies, things that stand still, and machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..description import USUAL_MATERIAL, CollisionShape, ContactMaterial, Inertial
from ..dynamics import Engine
from ..errors import StateError, UnknownElementError
from ..jit import Record, Records
from ..machine import Machine
from ..mechanism import Floats, State, checked_vector
from ..spatial import compose, invert, matrix_from_quaternion, quaternion_from_matrix
from .simulation import Simulation
from .world_shapes import GroundPlane, ShapeTable, material_from

if TYPE_CHECKING:
    from .world import World


@dataclass(frozen=True)
class WorldContact:
    """Where two things touch.

    Attributes:
        a, b: their names; of a link of a machine "machine/link".
        point: halfway between the two surfaces, (3,) [m].
        normal: unit vector from b to a.
        depth: indentation [m].
        force: of b on a, (3,) [N], in world axes.
        sticking: whether friction holds it.
    """

    a: str
    b: str
    point: Floats
    normal: Floats
    depth: float
    force: Floats
    sticking: bool


@dataclass(frozen=True)
class WorldSweeps:
    """How impulses were found, in a world of them.

    Attributes:
        mean: sweeps a step.
        unsettled: steps that ended before impulses had settled within the tolerance.
        worst: of these, the largest change of an impulse in a last sweep [N s, N m s].
    """

    mean: float
    unsettled: int
    worst: float


Surface = tuple[CollisionShape | GroundPlane, ContactMaterial]


def surfaces_of(
    link: str, shapes: Sequence[CollisionShape], own: Sequence[ContactMaterial]
) -> tuple[Surface, ...]:
    """Shapes of a machine's link with their materials, which may be the machine's own."""
    return tuple(
        (shape, material_from(link, shape.contact or USUAL_MATERIAL, own)) for shape in shapes
    )


@dataclass(frozen=True)
class WorldStatic:
    """What stands still in a world."""

    name: str
    surfaces: tuple[Surface, ...]
    X_WL: Floats
    folder: Path | None = None  # where its mesh files are

    def add_shapes(self, table: ShapeTable, body: int) -> None:
        """Add its shapes to those of the world; `body` is -1 unless it is joined to something."""
        table.add(self.name, body, self.X_WL, self.surfaces, self.folder)


@dataclass(frozen=True, eq=False)
class WorldObstacle:
    """A machine that stands still in a world.

    Attributes:
        name: in the world.
        machine: what stands there.
        poses: X_world_link of its links, (n_links, 4, 4).
        leave_out: names of links that nothing touches.
    """

    name: str
    machine: Machine
    poses: Floats
    leave_out: frozenset[str] = frozenset()

    @property
    def X_WL(self) -> Floats:
        """Where it is held by joints, (4, 4): at the world's origin, since it does not move."""
        return np.eye(4)

    def add_shapes(self, table: ShapeTable, body: int) -> None:
        """Add the shapes of its links to those of the world; `body` as for statics."""
        robot = self.machine.robot
        for link, shapes, X_WL in zip(
            robot.links, self.machine.collision.shapes, self.poses, strict=True
        ):
            if link.name in self.leave_out:
                continue
            surfaces = surfaces_of(link.name, shapes, robot.materials)
            table.add(f"{self.name}/{link.name}", body, X_WL, surfaces, self.machine.folder)


class WorldBody:
    """A loose body of a world.

    Attributes:
        name: in the world.
        surfaces: its shapes and their materials.
        inertial: mass [kg], centre of mass [m] and inertia about it [kg m^2], in its own axes.
    """

    def __init__(
        self, world: World, name: str, surfaces: tuple[Surface, ...], inertial: Inertial,
        folder: Path | None = None,
    ) -> None:  # fmt: skip
        """Made by `World.add_body`."""
        self._world, self.name, self.surfaces, self.inertial = world, name, surfaces, inertial
        self._folder = folder
        self.moments, R = np.linalg.eigh(np.array(inertial.inertia))
        if np.linalg.det(R) < 0.0:
            R[:, 0] = -R[:, 0]
        self.X_LB = compose(R, inertial.com)  # its centre and principal axes in its own

    @property
    def mass(self) -> float:
        """[kg]."""
        return self.inertial.mass

    def add_shapes(self, table: ShapeTable, body: int) -> None:
        """Add its shapes to those of the world."""
        table.add(self.name, body, invert(self.X_LB), self.surfaces, self._folder)

    def put(self, record: Record, X_WL: Floats, velocity: Floats) -> None:
        """LOOSE at a pose (4, 4), with the velocity (6,) of its origin, world axes."""
        X_WB = X_WL @ self.X_LB
        record.mass, record.inertia = self.mass, self.moments
        record.quat_WB, record.p_WB = quaternion_from_matrix(X_WB[:3, :3]), X_WB[:3, 3]
        w, v = velocity[:3], velocity[3:]
        record.w, record.v = w, v + np.cross(w, X_WB[:3, 3] - X_WL[:3, 3])

    @property
    def pose(self) -> Floats:
        """X_world_body, (4, 4)."""
        record = self._world.loose_record(self.name)
        X_WB = np.eye(4)
        X_WB[:3, :3], X_WB[:3, 3] = matrix_from_quaternion(record.quat_WB), record.p_WB
        X_WL: Floats = X_WB @ invert(self.X_LB)
        return X_WL

    @property
    def velocity(self) -> Floats:
        """Angular velocity, then that of its origin, world axes, (6,) [rad/s, m/s]."""
        record = self._world.loose_record(self.name)
        w, arm = np.array(record.w), self.pose[:3, 3] - record.p_WB
        return np.concatenate([w, record.v + np.cross(w, arm)])

    def apply(self, wrench: ArrayLike | None, point: ArrayLike | None = None) -> None:
        """Pull at it from now on, with a force that stays the same in world axes.

        Args:
            wrench: moment [N m] and force [N] in world axes, (6,); None ends it.
            point: where it acts, in its own axes [m], (3,); its origin if None.
        """
        vector = np.zeros(6) if wrench is None else checked_vector(wrench, 6, "wrench")
        place = checked_vector(np.zeros(3) if point is None else point, 3, "point")
        record = self._world.loose_record(self.name)
        record.pull.point = self.X_LB[:3, :3].T @ (place - self.X_LB[:3, 3])
        record.pull.moment, record.pull.force = vector[:3], vector[3:]
        self.wake()

    @property
    def asleep(self) -> bool:
        """Whether it lies still and is looked at no more, until something comes near."""
        return bool(self._world.loose_record(self.name).asleep)

    def wake(self) -> None:
        """Wake it, and with the next step all that touches it."""
        record = self._world.loose_record(self.name)
        record.asleep = record.still = 0

    def __repr__(self) -> str:
        return f"WorldBody({self.name}: {self.mass:g} kg)"


def poses_of(loose: Records) -> Floats:
    """X_WB of LOOSE records, (n, 4, 4)."""
    w, x, y, z = loose.quat_WB.T
    X_WB = np.tile(np.eye(4), (len(loose), 1, 1))
    for i, (a, b, c) in enumerate(((x, y, z), (y, z, x), (z, x, y))):  # `matrix_from_quaternion`
        j, k = (i + 1) % 3, (i + 2) % 3
        X_WB[:, i, i] = 1 - 2 * (b * b + c * c)
        X_WB[:, i, j] = 2 * (a * b - w * c)
        X_WB[:, i, k] = 2 * (a * c + w * b)
    X_WB[:, :3, 3] = loose.p_WB
    return X_WB


class WorldMachine(Simulation):
    """A machine of a world: all that a `Simulation` has, but time, which is the world's.

    Attributes:
        name: in the world.
    """

    __slots__ = ("_world", "name")

    def __init__(
        self, world: World, name: str, machine: Machine, at: Floats, **options: Any
    ) -> None:
        """Made by `World.add`."""
        start = options.pop("start", None) or machine.home
        placed = State(machine.mechanism, start.q, at)
        super().__init__(machine, start=placed, **options)
        self._world, self.name = world, name
        self._limit_cylinders()

    def _limit_cylinders(self) -> None:
        """Guided cylinders push no harder than the file says: their relief valves open."""
        for row, drive in zip(self.model.rows, self._engine.drives, strict=True):
            if row.members:
                forces = [self.machine.robot.actuators[n].force for n in row.members]
                if all(force is not None for force in forces):
                    drive.most_force = sum(forces)

    @property
    def engine(self) -> Engine:
        """What moves it."""
        return self._engine

    @property
    def X_WO(self) -> Floats:
        """Where the origin of its tree is in the world, (4, 4)."""
        X: Floats = self.base @ compose(np.eye(3), self.model.near.origin)
        return X

    def carrier_of(self, link: str) -> tuple[int, Floats]:
        """The freedom that carries a link, and the link on that, (4, 4).

        -1 for one that does not move, and where that is in the world.
        """
        tree = self.model.near
        if link not in tree.freedom_of_link:
            raise UnknownElementError("link", link, list(tree.freedom_of_link))
        freedom = tree.freedom_of_link[link]
        X_FL: Floats = tree.X_FL[link]
        return (freedom, X_FL) if freedom >= 0 else (-1, self.X_WO @ X_FL)

    def add_shapes(
        self, table: ShapeTable, mover: int, carriers: list[tuple[int, int]]
    ) -> set[tuple[int, int]]:
        """Add its shapes to those of the world, and what carries them to the carriers.

        Links that do not move stand still in the world. Returns the pairs of carriers that pass
        through each other.
        """
        found, machine = self.machine.collision, self.machine
        carrier_of: dict[int, int] = {}
        for n, (link, shapes) in enumerate(zip(machine.robot.links, found.shapes, strict=True)):
            if not shapes:
                continue
            freedom, X = self.carrier_of(link.name)
            carrier = (mover, freedom) if freedom >= 0 else (-1, -1 - mover)
            if carrier not in carriers:
                carriers.append(carrier)
            carrier_of[n] = carriers.index(carrier)
            surfaces = surfaces_of(link.name, shapes, self._materials)
            table.add(f"{self.name}/{link.name}", carrier_of[n], X, surfaces, machine.folder)
        touching = {
            (a, b)
            for a, b in found.pairs
            if not found.made[a] and not found.made[b]  # made ones are too rough among themselves
        }
        return {
            (min(one, other), max(one, other))
            for (a, one), (b, other) in combinations(carrier_of.items(), 2)
            if one != other and (a, b) not in touching
        }

    @property
    def _materials(self) -> tuple[ContactMaterial, ...]:
        return self.machine.robot.materials

    def run(self, seconds: float) -> None:
        """Time is the world's."""
        raise StateError(f"{self.name!r} is in a world: let that run, world.run({seconds:g})")

    def step(self, n: int = 1) -> None:
        """Time is the world's."""
        raise StateError(f"{self.name!r} is in a world: let that make steps, world.step({n})")


WorldMember = WorldMachine | WorldBody | WorldStatic | WorldObstacle
