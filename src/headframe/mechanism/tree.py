"""The spanning tree of a machine, cylinders included: one record for each freedom."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ..checks import numbers
from ..description import Actuator, Link
from ..errors import StateError, UnknownElementError, listed
from ..jit import Record, Records, as_records
from ..spatial import compose, invert
from .compiled import Mechanism, new_frames
from .driven import driven_by, springs_of
from .freedoms import about, ancestors_of, link_records, new_freedom
from .placing import carry_links
from .records import FREEDOM, FreedomKind, RowKind
from .state import State
from .system import Floats, Ints

PARALLEL = 1e-9  # largest sine between a mount's pin and the hinges that make its motion plane
GRAVITY = 9.81  # [m/s^2]
FAR = 10.0  # [m] from which on a machine loses digits that it would have at the base's origin


@dataclass(frozen=True)
class CylinderFreedoms:
    """Where a cylinder stands in the tree: freedoms of its tube (one or two) and of its rod.

    `position` is the first of its coordinates in q, and in v as far behind the joints' velocities:
    the angle about the pin, where the mount is no plane one the angle out of the pin's plane, and
    the length.
    """

    actuator: int
    tube: tuple[int, ...]
    rod: int
    position: int
    velocity: int

    @property
    def length_position(self) -> int:
        """Place of the length in q."""
        return self.position + len(self.tube)

    @property
    def length_velocity(self) -> int:
        """Place of the length's rate in v."""
        return self.velocity + len(self.tube)


@dataclass(frozen=True, eq=False)
class Tree:
    """A machine's spanning tree: joints that close no loop, then tubes and rods.

    Attributes:
        mechanism: the machine.
        freedoms: FREEDOM records, numbered depth first.
        gravity: in base axes [m/s^2], (3,).
        nq, nv: numbers of positions and velocities.
        q_zero: positions with joints at 0, tubes at angle 0, and cylinders at their lower bounds.
        freedom_of_link: the last freedom before a link, -1 for what stands on the base.
        X_FL: pose of each link in the frame of that freedom, (4, 4).
        owner: name of the joint or of the cylinder that a freedom belongs to.
        cylinders: of the actuators, in their order.
        origin: point of the base that stands for its origin in all of this [m], (3,).
    """

    mechanism: Mechanism
    freedoms: NDArray[np.void]
    gravity: Floats
    nq: int
    nv: int
    q_zero: Floats
    freedom_of_link: dict[str, int]
    X_FL: dict[str, Floats]
    owner: tuple[str, ...]
    cylinders: tuple[CylinderFreedoms, ...]
    origin: Floats = field(default_factory=lambda: np.zeros(3))

    @cached_property
    def nearby(self) -> Tree:
        """The same tree about the place of its first freedom, if that is far from the origin.

        Moments and inertias about a far point are differences of large numbers: kernels that take
        them at the tree's origin lose the square of the distance in digits. Positions, velocities
        and forces of the freedoms are the same; poses are still those in the base.
        """
        roots = np.flatnonzero(self.freedoms["parent"] < 0)
        origin = self.freedoms["X_PF"][roots[0], :, 3].copy() if roots.size else np.zeros(3)
        if np.abs(origin).max() < FAR:
            return self
        freedoms, X_FL = self.freedoms.copy(), dict(self.X_FL)
        freedoms["X_PF"][roots, :, 3] -= origin
        for link, freedom in self.freedom_of_link.items():
            if freedom < 0:
                X_FL[link] = compose(np.eye(3), -origin) @ X_FL[link]
        return replace(self, freedoms=freedoms, X_FL=X_FL, origin=self.origin + origin)

    @property
    def lift(self) -> float:
        """Potential energy of all bodies in the tree's origin, over that in the base's [J]."""
        return float(-self.freedoms["body"][:, 0].sum() * (self.gravity @ self.origin))

    @property
    def armature(self) -> Floats:
        """Inertia of the rotors, by freedoms [kg m^2, kg], (nd,)."""
        return self.freedoms["armature"]

    @cached_property
    def driven(self) -> Records:
        """DRIVEN of the groups in their order, then of the joints with drives in theirs."""
        return driven_by(self)

    @cached_property
    def springs(self) -> Records:
        """SPRING of the springs, in the order of the file."""
        return springs_of(self)

    def with_gravity(self, gravity: Floats) -> Tree:
        """The same tree under another gravity [m/s^2], (3,)."""
        return replace(self, gravity=np.array(gravity, dtype=float))

    @cached_property
    def freedom_at(self) -> dict[int, int]:
        """The freedom of each velocity."""
        return {int(iv): d for d, iv in enumerate(self.freedoms["velocity"])}

    @cached_property
    def ancestors(self) -> tuple[tuple[int, ...], ...]:
        """The freedoms that move each freedom's body, itself last; then those of the base: none."""
        return ancestors_of(self.freedoms)

    @cached_property
    def loop_rows(self) -> Records:
        """The machine's LOOP_ROWs between the freedoms of this tree, points being from its origin.

        POINTs are OFFSETs here, along directions of A: their multipliers are forces there. Without
        those that only tell a pose from one that is turned over: a loop that is closed
        stays on its side, and there they have no derivative.
        """
        rows = self.mechanism.constraints
        rows = rows[(rows.kind != RowKind.ANGLE) | (rows.offset == 0.0)]
        rows.kind[rows.kind == RowKind.POINT] = RowKind.OFFSET
        velocities = self.mechanism.freedoms["velocity"].tolist()
        number = np.array([*(self.freedom_at[velocity] for velocity in velocities), -1])
        for name in ("a", "b", "common"):
            rows[name] = number[rows[name]]
        for name in ("a", "b"):
            rows["point_" + name][rows[name] < 0] -= self.origin
        return rows

    def carrier_of(self, link: str) -> int:
        """The last freedom before a link; UnknownElementError if there is no such link."""
        if not isinstance(link, str) or link not in self.freedom_of_link:
            raise UnknownElementError("link", link, self.freedom_of_link)
        return self.freedom_of_link[link]

    def pose(self, bodies: NDArray[np.void], link: str) -> Floats:
        """X_base_link (4, 4) of a placed tree."""
        self.carrier_of(link)
        X_BL: Floats = self.poses(bodies)[self.mechanism.robot.link_index[link]]
        return X_BL

    def poses(self, bodies: NDArray[np.void]) -> Floats:
        """X_base_link of all links of a placed tree, in the order of the file, (n_links, 4, 4)."""
        links, X_BO = self._placed_links
        frames, X_BL = new_frames(len(bodies)), np.empty((len(links), 4, 4))
        frames["X_WF"] = bodies["X_WF"]
        carry_links(links, frames, X_BO, X_BL)
        return X_BL

    @cached_property
    def _placed_links(self) -> tuple[NDArray[np.void], Floats]:
        """LINK of all links, in the order of the file, and X_base_origin (4, 4)."""
        names = [link.name for link in self.mechanism.robot.links]
        links = link_records(names, self.freedom_of_link, self.X_FL)
        return links.view(np.ndarray), compose(np.eye(3), self.origin)

    def frame(self, bodies: NDArray[np.void], freedom: int) -> Floats:
        """X_base_freedom (4, 4) of a placed tree, about its origin."""
        X = np.eye(4)
        if freedom >= 0:
            X[:3] = bodies["X_WF"][freedom]
        return X

    def positions(self, state: State) -> Floats:
        """Positions of the whole tree in a state: its joints', then the cylinders'."""
        q = np.concatenate([state.q, np.zeros(self.nq - state.q.size)])
        robot = self.mechanism.robot
        for cylinder in self.cylinders:
            actuator = robot.actuators[cylinder.actuator]
            # the mount's own axes: its frame in the tube's parent
            first = cylinder.tube[0]
            X_FM = _square(self.freedoms["X_PF"][first])
            X_WM = state.pose(actuator.tube_parent) @ invert(self.X_FL[actuator.tube_parent]) @ X_FM
            tube, rod = state.mounts[cylinder.actuator]
            d = X_WM[:3, :3].T @ (rod - tube)
            flat = np.hypot(d[0], d[1])
            angles = [np.arctan2(d[1], d[0]), np.arctan2(d[2], flat)][: len(cylinder.tube)]
            q[cylinder.position : cylinder.length_position] = angles
            q[cylinder.length_position] = np.linalg.norm(d)
        return q


@lru_cache(maxsize=256)
def tree_of(mechanism: Mechanism) -> Tree:
    """The spanning tree of a machine, made once."""
    return _Packer(mechanism).tree()


class _Packer:
    """Adds cylinders and bodies to the freedoms of the joints."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.robot = mechanism.robot
        self.freedoms: list[Record] = list(mechanism.freedoms.copy())
        names = mechanism.velocity_of_joint.items()
        owner_at = {v: name for name, part in names for v in range(part.start, part.stop)}
        self.owner = [owner_at[int(freedom.velocity)] for freedom in self.freedoms]
        self.freedom_of_link: dict[str, int] = {}
        self.X_FL: dict[str, Floats] = {}
        for name, body in mechanism.body_of_link.items():
            link = mechanism.links[body]
            self.freedom_of_link[name], self.X_FL[name] = int(link.freedom), _square(link.X_FL)
        self.nq, self.nv = mechanism.q_zero.size, mechanism.nv
        self.zero = State(mechanism, mechanism.q_zero)
        self.cylinders = [self._add_cylinder(n) for n in range(len(self.robot.actuators))]
        for link in self.robot.links:
            self._add_body(link)

    def tree(self) -> Tree:
        """Everything as records, the freedoms numbered anew, depth first."""
        order = self._depth_first()
        number = {-1: -1, **{old: new for new, old in enumerate(order)}}
        freedoms = as_records([self.freedoms[old] for old in order], FREEDOM)
        for name in ("parent", "carrier"):
            freedoms[name] = [number[int(old)] for old in freedoms[name]]
        q_zero = np.concatenate([self.mechanism.q_zero, np.zeros(self.nq - self.zero.q.size)])
        for cylinder in self.cylinders:
            lower = self.robot.actuators[cylinder.actuator].bounds.lower
            q_zero[cylinder.length_position] = lower
        freedom_of_link = {link: number[old] for link, old in self.freedom_of_link.items()}
        cylinders = tuple(
            replace(one, tube=tuple(number[old] for old in one.tube), rod=number[one.rod])
            for one in self.cylinders
        )
        return Tree(
            self.mechanism, freedoms, -GRAVITY * self.robot.up, self.nq, self.nv, q_zero,
            freedom_of_link, self.X_FL, tuple(self.owner[old] for old in order), cylinders,
        )  # fmt: skip

    def _depth_first(self) -> list[int]:
        """Freedoms in such an order that all that one moves follow it without a gap."""
        children: list[list[int]] = [[] for _ in range(len(self.freedoms) + 1)]
        for d, freedom in enumerate(self.freedoms):  # the base's children come last
            children[int(freedom.parent)].append(d)
        order, waiting = [], children[-1][::-1]
        while waiting:
            order.append(waiting.pop())
            waiting += children[order[-1]][::-1]
        return order

    def _add_cylinder(self, number: int) -> CylinderFreedoms:
        """Tube on a hinge or universal joint about its pin, rod sliding in it.

        The mount's axes: z along the pin, x as near the parent's x (or y) axis as can be. The angle
        about the pin counts from x; the angle out of the pin's plane, from it towards the pin.
        """
        actuator = self.robot.actuators[number]
        parent = self.freedom_of_link[actuator.tube_parent]
        R_WP = self.zero.pose(actuator.tube_parent)[:3, :3]
        pin = R_WP.T @ self.zero.pin(actuator)
        pin /= np.linalg.norm(pin)
        X_FM = self.X_FL[actuator.tube_parent] @ compose(about(pin), actuator.tube_offset)
        first = self.nq, self.nv
        tube = [self._add_freedom(parent, FreedomKind.TURN, X_FM, actuator)]
        X_FT = np.eye(4)  # the tube in the frame of its last freedom
        if not self._is_plane(actuator, R_WP @ pin):
            # the second axis is -y, so that a positive angle raises x towards the pin
            X = compose(np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]]), np.zeros(3))
            tube.append(self._add_freedom(tube[0], FreedomKind.TURN, X, actuator))
            X_FT = invert(X)
        # the rod's own z is the tube's x
        X_TR = compose(np.array([[0, 0, 1.0], [1.0, 0, 0], [0, 1.0, 0]]), np.zeros(3))
        rod = self._add_freedom(tube[-1], FreedomKind.SLIDE, X_FT @ X_TR, actuator)
        self.freedom_of_link[actuator.tube], self.X_FL[actuator.tube] = tube[-1], X_FT
        looks_back = compose(np.diag([-1.0, -1.0, 1.0]), np.zeros(3))
        self.freedom_of_link[actuator.rod] = rod
        self.X_FL[actuator.rod] = invert(X_TR) @ looks_back
        return CylinderFreedoms(number, tuple(tube), rod, *first)

    def _add_freedom(self, parent: int, kind: FreedomKind, X_PF: Floats, of: Actuator) -> int:
        """A freedom of a cylinder, with the next position and velocity; its number."""
        self.freedoms.append(new_freedom(parent, kind, self.nq, self.nv, X_PF))
        self.owner.append(of.name)
        self.nq += 1
        self.nv += 1
        return len(self.freedoms) - 1

    def _is_plane(self, actuator: Actuator, pin: Floats) -> bool:
        """Whether the pin is parallel to every hinge between the mounts, which lie in one plane."""
        topology = self.mechanism.topology
        path = topology.movable_path(actuator.tube_parent, actuator.rod_parent)
        for joint in (self.robot.joints[j] for j in path):
            axis = self.zero.pose(joint.parent)[:3, :3] @ joint.origin[:3, :3] @ joint.direction()
            if joint.kind.is_hinge:
                if np.linalg.norm(np.cross(axis, pin)) > PARALLEL:
                    return False
            elif not joint.kind.is_slide or abs(axis @ pin) > PARALLEL:
                return False
        number = self.robot.actuator_index[actuator.name]
        tube, rod = self.zero.mounts[number]
        apart: Floats = rod - tube
        return abs(float(apart @ pin)) <= PARALLEL * (1.0 + float(np.linalg.norm(apart)))

    def _add_body(self, link: Link) -> None:
        """Add a link's inertia to what its freedom carries; what stands on the base is left out."""
        freedom = self.freedom_of_link[link.name]
        if freedom < 0 or link.inertial is None:
            return
        X, m = self.X_FL[link.name], link.inertial.mass
        c = X[:3, :3] @ np.asarray(link.inertial.com) + X[:3, 3]
        J = X[:3, :3] @ np.asarray(link.inertial.inertia) @ X[:3, :3].T
        J += m * (c @ c * np.eye(3) - np.outer(c, c))
        six = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        self.freedoms[freedom].body += np.array([m, *(m * c), *six])


def _square(X: Floats) -> Floats:
    return np.vstack([X, (0.0, 0.0, 0.0, 1.0)])


def without_inertia(tree: Tree) -> str:
    """The first joint or cylinder that moves nothing that has inertia; empty if there is none."""
    empty = empty_freedoms(tree)
    return tree.owner[empty[0]] if empty.size else ""


def empty_freedoms(tree: Tree) -> Ints:
    """Freedoms that move nothing that has inertia and have no rotor of their own, in order.

    A rotor further out does not count: it turns with its own freedom only.
    """
    moved, turned = _carried(tree)
    return np.flatnonzero((moved == 0.0) & (turned == 0.0) & (tree.armature == 0.0))


def _carried(tree: Tree) -> tuple[Floats, Floats]:
    """Of every freedom the mass that it moves, and more than 0 if it turns what has inertia."""
    bodies, parents = tree.freedoms["body"], tree.freedoms["parent"]
    moved, turned = bodies[:, 0].copy(), np.abs(bodies[:, 4:]).sum(axis=1)
    for d in range(len(bodies) - 1, -1, -1):
        if parents[d] >= 0:
            moved[parents[d]] += moved[d]
            turned[parents[d]] += turned[d] + moved[d]  # what is carried further out has an arm
    return moved, turned


def advice_without_inertia(tree: Tree, name: str) -> str:
    """What is said of a joint or cylinder that moves nothing that has inertia, and ways out."""
    idle = idle_links(tree)
    links = f" (links without: {listed(idle)})" if idle else ""
    rotor = ", the joint an `armature`" if name in tree.mechanism.robot.joint_index else ""
    return (
        f"{name!r} moves nothing that has mass: give its link an `inertial`{rotor}, fix it by a "
        f'fixed joint, or ask for repair="nearest"{links}'
    )


def idle_links(tree: Tree) -> list[str]:
    """Links that must be given inertia: those of joints that turn or push nothing that has any.

    A point mass on the axis of the joint that turns it has none either. A joint with armature has
    inertia of its own.
    """
    moved, turned = _carried(tree)
    slides = {joint.name for joint in tree.mechanism.robot.joints if joint.kind.is_slide}
    found: dict[int, str] = {}  # the first link of each freedom
    for link in tree.mechanism.robot.main_links:
        d = tree.freedom_of_link[link.name]
        if d < 0 or tree.armature[d] > 0.0:
            continue
        if (moved if tree.owner[d] in slides else turned)[d] == 0.0:
            found.setdefault(d, link.name)
    return list(found.values())


def checked_vector(values: object, size: int, what: str) -> Floats:
    """A vector as the kernels take it; StateError if it is of another size or not finite."""
    array = numbers(what, values, f"finite numbers of shape ({size},)")
    if array.shape != (size,):
        raise StateError(f"{what}: found shape {array.shape}, expected ({size},)")
    return array
