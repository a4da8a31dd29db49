"""Bodies and joints of a machine in maximal coordinates, as two arrays for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...description import Joint
from ...dynamics.model import Model, Row
from ...errors import DynamicsError, listed
from ...mechanism.compiled import Floats, Ints
from ...spatial import compose, invert
from . import rows as kernels
from .bodies import Body, body_of, without_mass

BASE = 0


@dataclass(frozen=True, eq=False)
class Maximal:
    """A machine in maximal coordinates.

    Attributes:
        model: the machine, with its tree and the rows that drives act on.
        bodies: the first one is body 1; body 0 is the base.
        body_of_freedom: the body that a freedom carries; the base for -1.
        tables: for the kernels.
    """

    model: Model
    bodies: tuple[Body, ...]
    body_of_freedom: dict[int, int]
    tables: kernels.Tables

    @property
    def state_size(self) -> int:
        """How many numbers say where the bodies are and how they move."""
        return sum(int(np.prod(shape)) for shape in self._shapes())

    def _shapes(self) -> list[tuple[int, ...]]:
        """Of the parts of `kernels.Bodies`."""
        nb, n, drives = 1 + len(self.bodies), len(self.tables.row_i), len(self.tables.drive_i)
        return [(nb, 12), (nb, 4), (nb, 6), (nb, 3), (n,), (drives, 3), (kernels.LEDGER,)]

    def cut(self, state: Floats) -> tuple[kernels.Bodies, Floats]:
        """The parts of such numbers, and what a method keeps behind them, as views."""
        parts, at = [], 0
        for shape in self._shapes():
            size = int(np.prod(shape))
            parts.append(state[at : at + size].reshape(shape))
            at += size
        return kernels.Bodies(*parts), state[at:]


def maximal_of(model: Model) -> Maximal:
    """A machine in maximal coordinates.

    Raises:
        DynamicsError: a link that has no mass or no inertia; it would be a body that nothing holds.
            Or a joint with armature.
    """
    return _Packer(model).maximal()


class _Packer:
    """Collects bodies, then the rows of every joint, then what acts on them."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.tree = model.tree
        self.robot = model.tree.mechanism.robot
        self._refuse_rotors()
        self.row_i: list[tuple[int, int, int]] = []
        self.row_f: list[Floats] = []
        self.blocks: list[tuple[int, int]] = []
        self.row_of_velocity: dict[int, int] = {}
        self.coordinate_i: list[tuple[int, int, int, int, int]] = []
        self.coordinate_f: list[Floats] = []
        self.free: list[tuple[int, int, int, Floats, tuple[int, int] | None, int]] = []
        self.bodies: list[Body] = []
        self.body_of_freedom = {-1: BASE}
        self.freedoms: dict[str, list[int]] = {}
        for d, owner in enumerate(self.tree.owner):
            self.freedoms.setdefault(owner, []).append(d)
        self.massless = without_mass(self.tree)
        self._add_bodies()
        for j in self.tree.mechanism.topology.tree_joints:
            self._add_joint(self.robot.joints[j])
        for cylinder in self.tree.cylinders:
            self._add_cylinder(cylinder.actuator, list(cylinder.tube), cylinder.rod)
        for closure in self.tree.mechanism.topology.closures:
            self._add_closure(
                self.robot.joints[closure.forward], self.robot.joints[closure.backward]
            )
        self._add_free_rows()

    # ------------------------------------------------------------- bodies

    def _refuse_rotors(self) -> None:
        """Armature is inertia between two bodies, and each body here has only its own."""
        names = [
            joint.name
            for joint in (self.robot.joints[j] for j in self.tree.mechanism.topology.tree_joints)
            if joint.armature > 0.0 and joint.type != "fixed"
        ]
        if names:
            raise DynamicsError(
                f"joints {listed(names)} have armature, which couples the two links of a joint; in "
                "maximal coordinates every link has its own inertia only: take 'embedded', "
                "'constrained' or 'simgc'",
                body=names[0],
            )

    def _add_bodies(self) -> None:
        """One body for the last freedom of every joint; the others of a joint carry nothing."""
        names: dict[int, str] = {}
        for link in self.robot.links:
            freedom = self.tree.freedom_of_link[link.name]
            if freedom >= 0:
                names.setdefault(freedom, link.name)
        for freedom, name in sorted(names.items()):
            if freedom not in self.massless:
                self.bodies.append(body_of(self.tree, freedom, name))
                self.body_of_freedom[freedom] = len(self.bodies)

    def _in_body(self, freedom: int, X: Floats) -> Floats:
        """A frame given in a freedom's, in the body that the freedom carries."""
        if freedom < 0:
            return X
        return invert(self.bodies[self.body_of_freedom[freedom] - 1].X_FB) @ X

    # ------------------------------------------------------------- joints

    def _add_joint(self, joint: Joint) -> None:
        if joint.type == "fixed":
            return
        parent = self.tree.freedom_of_link[joint.parent]
        freedoms = self.freedoms[joint.name]
        a, b = self.body_of_freedom[parent], self.body_of_freedom[freedoms[-1]]
        X_BJ = self._in_body(freedoms[-1], np.eye(4))
        if joint.type in ("spherical", "free"):
            X_AJ = self._in_body(parent, self.tree.X_FL[joint.parent] @ joint.origin)
            self._add_ball(joint, a, b, X_AJ, X_BJ, freedoms)
        elif joint.type == "prismatic":
            self._add_slide(a, b, self._first_frame(parent, freedoms[0]), X_BJ, freedoms[0])
        else:
            self._add_hinges(a, b, self._first_frame(parent, freedoms[0]), X_BJ, freedoms)

    def _first_frame(self, parent: int, freedom: int) -> Floats:
        """Frame of a joint's first freedom in the body before it, its position being 0."""
        X = np.eye(4)
        X[:3] = self.tree.freedoms["X_PF"][freedom]
        return self._in_body(parent, X)

    def _add_hinges(
        self, a: int, b: int, X_AF: Floats, X_BF: Floats, freedoms: Sequence[int]
    ) -> None:
        """A hinge about the frames' z, or the two of a universal joint."""
        R_A, R_B = X_AF[:3, :3], X_BF[:3, :3]
        self._add_point(a, b, X_AF, X_BF)
        if len(freedoms) == 1:
            self._add_block(
                (kernels.PERPENDICULAR, a, b, (R_A[:, 0], R_B[:, 2])),
                (kernels.PERPENDICULAR, a, b, (R_A[:, 1], R_B[:, 2])),
            )
            self._leave_free(kernels.ON_A, a, b, (R_A[:, 2], R_A[:, 0], R_B[:, 0]), freedoms[0])
            return
        # R_E: the second frame in the first at 0. Seen along the first axis, the second has turned
        # away from where it stood by the first angle; along the second axis, the first by minus
        # the second.
        R_E = self.tree.freedoms["X_PF"][freedoms[1]][:, :3]
        first, second = R_A[:, 2], R_B[:, 2]
        self._add_block((kernels.PERPENDICULAR, a, b, (first, second)))
        self._leave_free(kernels.ON_A, a, b, (first, R_A @ R_E[:, 2], second), freedoms[0])
        self._leave_free(kernels.ON_B, a, b, (second, first, R_B @ R_E[2]), freedoms[1])

    def _add_slide(self, a: int, b: int, X_AF: Floats, X_BF: Floats, freedom: int) -> None:
        """A slide along the frames' z."""
        p_A, p_B = X_AF[:3, 3], X_BF[:3, 3]
        self._add_block(
            *((kernels.LINEAR, a, b, (X_AF[:3, k], p_A, p_B)) for k in (0, 1)),
        )
        self._add_aligned(a, b, X_AF, X_BF)
        self._leave_free(kernels.LINEAR, a, b, (X_AF[:3, 2], p_A, p_B), freedom)

    def _add_ball(
        self, joint: Joint, a: int, b: int, X_AJ: Floats, X_BJ: Floats, freedoms: Sequence[int]
    ) -> None:
        """A ball joint, or no joint at all."""
        kind = kernels.FREE if joint.type == "free" else kernels.BALL
        if kind == kernels.BALL:
            self._add_point(a, b, X_AJ, X_BJ)
        iq = self.tree.mechanism.position_of_joint[joint.name].start
        iv = self.tree.mechanism.velocity_of_joint[joint.name].start
        self.coordinate_i.append((kind, a, b, iq, iv))
        self.coordinate_f.append(np.concatenate([X_AJ[:3].ravel(), X_BJ[:3].ravel()]))
        if joint.damping or joint.friction:
            for k in range(3):
                axis = np.concatenate([X_BJ[:3, k], np.zeros(6)])
                self.free.append((kernels.ON_B, a, b, axis, None, iv + k))
                if kind == kernels.FREE:
                    numbers = np.concatenate([X_AJ[:3, k], X_AJ[:3, 3], X_BJ[:3, 3]])
                    self.free.append((kernels.LINEAR, a, b, numbers, None, iv + 3 + k))

    def _add_cylinder(self, number: int, tube: list[int], rod: int) -> None:
        """Tube on its pin, rod sliding in it, the rod's end at a point of its parent."""
        if tube[-1] in self.massless:
            self._add_mounts(number, tube)
            return
        actuator = self.robot.actuators[number]
        parent = self.tree.freedom_of_link[actuator.tube_parent]
        a, b = self.body_of_freedom[parent], self.body_of_freedom[tube[-1]]
        X_AT = self._first_frame(parent, tube[0])
        self._add_hinges(a, b, X_AT, self._in_body(tube[-1], np.eye(4)), tube)
        X_BR = self._first_frame(tube[-1], rod)
        holder, p_H = self._point(actuator.rod_parent, actuator.rod_offset)
        X_HE = compose(np.eye(3), p_H)
        # of a plane mount the hinges already hold the pin's direction, the rod's y
        across = (0,) if len(tube) == 1 else (0, 1)
        if rod in self.massless:
            self._add_point(b, holder, X_BR, X_HE, across)
            self._leave_free(kernels.LINEAR, b, holder, (X_BR[:3, 2], X_BR[:3, 3], p_H), rod)
            return
        c, X_CR = self.body_of_freedom[rod], self._in_body(rod, np.eye(4))
        self._add_slide(b, c, X_BR, X_CR, rod)
        self._add_point(c, holder, X_CR, X_HE, (*across, 2))

    def _add_mounts(self, number: int, tube: list[int]) -> None:
        """A cylinder without mass is only its coordinates, and what drives do to its mounts."""
        actuator = self.robot.actuators[number]
        a, _ = self._point(actuator.tube_parent, actuator.tube_offset)
        b, p_B = self._point(actuator.rod_parent, actuator.rod_offset)
        X_AM = self._first_frame(self.tree.freedom_of_link[actuator.tube_parent], tube[0])
        kind = kernels.CYLINDER if len(tube) == 2 else kernels.PLANE_CYLINDER
        first = self.tree.freedoms[tube[0]]
        iq, iv = first.position, first.velocity
        self.coordinate_i.append((kind, a, b, int(iq), int(iv)))
        X_BE = compose(np.eye(3), p_B)
        self.coordinate_f.append(np.concatenate([X_AM[:3].ravel(), X_BE[:3].ravel()]))

    def _add_closure(self, on_a: Joint, on_b: Joint) -> None:
        """A pivot that closes a loop, one half of it on each link."""
        ends = [self.tree.freedom_of_link[joint.parent] for joint in (on_a, on_b)]
        a, b = (self.body_of_freedom[freedom] for freedom in ends)
        if a == b:
            return
        X_A, X_B = (
            self._in_body(freedom, self.tree.X_FL[joint.parent] @ joint.origin)
            for freedom, joint in zip(ends, (on_a, on_b), strict=True)
        )
        axis_a = X_A[:3, :3] @ np.asarray(on_a.axis or (1.0, 0.0, 0.0))
        axis_b = X_B[:3, :3] @ np.asarray(on_b.axis or (1.0, 0.0, 0.0))
        across = _across(axis_a)
        if on_a.type != "prismatic":
            self._add_point(a, b, X_A, X_B)
        else:
            p_A, p_B = X_A[:3, 3], X_B[:3, 3]
            self._add_block(*((kernels.LINEAR, a, b, (n, p_A, p_B)) for n in across))
        if on_a.type in ("revolute", "continuous"):
            self._add_block(*((kernels.PERPENDICULAR, a, b, (n, axis_b)) for n in across))
        elif on_a.type == "universal":
            self._add_block((kernels.PERPENDICULAR, a, b, (axis_a, axis_b)))
        elif on_a.type in ("fixed", "prismatic"):
            self._add_aligned(a, b, X_A, X_B)

    # --------------------------------------------------------------- rows

    def _add_point(
        self, a: int, b: int, X_A: Floats, X_B: Floats, directions: Sequence[int] = (0, 1, 2)
    ) -> None:
        p_A, p_B = X_A[:3, 3], X_B[:3, 3]
        self._add_block(*((kernels.LINEAR, a, b, (X_A[:3, k], p_A, p_B)) for k in directions))

    def _add_aligned(self, a: int, b: int, X_A: Floats, X_B: Floats) -> None:
        """No turning at all: each axis of A stays perpendicular to the next one of B."""
        self._add_block(
            *((kernels.PERPENDICULAR, a, b, (X_A[:3, k], X_B[:3, (k + 1) % 3])) for k in range(3))
        )

    def _add_block(self, *rows: tuple[int, int, int, tuple[Floats, ...]]) -> None:
        self.blocks.append((len(self.row_i), len(rows)))
        for kind, a, b, vectors in rows:
            self._add_row(kind, a, b, np.concatenate(vectors))

    def _add_row(self, kind: int, a: int, b: int, numbers: Floats) -> int:
        row = np.zeros(9)
        row[: numbers.size] = numbers
        self.row_i.append((kind, a, b))
        self.row_f.append(row)
        return len(self.row_i) - 1

    def _leave_free(
        self, kind: int, a: int, b: int, vectors: tuple[Floats, ...], freedom: int
    ) -> None:
        """What a joint leaves free: a coordinate of the tree, and a row for what acts on it."""
        record = self.tree.freedoms[freedom]
        iq, iv = record.position, record.velocity
        self.free.append((kind, a, b, np.concatenate(vectors), (int(iq), int(iv)), int(iv)))

    def _add_free_rows(self) -> None:
        for kind, a, b, numbers, places, iv in self.free:
            row = self._add_row(kind, a, b, numbers)
            self.row_of_velocity[iv] = row
            if places is not None:
                self.coordinate_i.append((kernels.SCALAR, row, 0, *places))
                self.coordinate_f.append(np.zeros(24))

    # ------------------------------------------------------------- arrays

    def maximal(self) -> Maximal:
        """Everything as arrays."""
        losses, loss_f = self._losses()
        springs, spring_f = self._springs()
        ratios = [
            [self.row_of_velocity[self._velocity(name)] for name in (r.joint, r.follows)]
            for r in self.robot.repeaters
        ]
        drives = [self._drive_row(row) for row in self.model.rows]
        body_f = np.zeros((1 + len(self.bodies), 8))
        for row, body in zip(body_f[1:], self.bodies, strict=True):
            row[:4] = body.mass, *body.inertia
            row[4:] = 1.0 / row[:4]
        tables = kernels.Tables(
            gravity=self.tree.gravity.copy(),
            body_f=body_f,
            row_i=_ints(self.row_i, 3),
            row_f=_floats(self.row_f, 9),
            block_i=_ints(self.blocks, 2),
            drive_i=_ints(drives),
            loss_i=_ints(losses),
            loss_f=_floats(loss_f, 2),
            ratio_i=_ints(ratios, 2),
            ratio_f=_floats([(r.ratio, r.offset) for r in self.robot.repeaters], 2),
            spring_i=_ints(springs, 2),
            spring_f=_floats(spring_f, 9),
            coordinate_i=_ints(self.coordinate_i, 5),
            coordinate_f=_floats(self.coordinate_f, 24),
        )
        return Maximal(self.model, tuple(self.bodies), self.body_of_freedom, tables)

    def _drive_row(self, row: Row) -> int:
        """What a drive acts on: a joint, or the distance between a cylinder's mounts.

        By virtual work a force along the cylinder does the same as a pair of forces on the mounts,
        and bodies that are heavy answer to those at once, not through a light tube and rod.
        """
        if not row.members:
            return self.row_of_velocity[row.velocity]
        actuator = self.robot.actuators[row.members[0]]
        ends = (
            (actuator.tube_parent, actuator.tube_offset),
            (actuator.rod_parent, actuator.rod_offset),
        )
        (a, p_A), (b, p_B) = (self._point(link, offset) for link, offset in ends)
        return self._add_row(kernels.DISTANCE, a, b, np.concatenate([p_A, p_B]))

    def _point(self, link: str, point: Sequence[float]) -> tuple[int, Floats]:
        """The body of a link, and a point of the link in the body's frame."""
        freedom = self.tree.freedom_of_link[link]
        X = self._in_body(freedom, self.tree.X_FL[link] @ compose(np.eye(3), point))
        return self.body_of_freedom[freedom], X[:3, 3]

    def _velocity(self, joint: str) -> int:
        return int(self.tree.mechanism.velocity_of_joint[joint].start)

    def _losses(self) -> tuple[list[int], list[tuple[float, float]]]:
        """Rows with damping or dry friction."""
        rows, numbers = [], []
        for name, part in self.tree.mechanism.velocity_of_joint.items():
            joint = self.robot.joint(name)
            if joint.damping or joint.friction:
                for iv in range(part.start, part.stop):
                    rows.append(self.row_of_velocity[iv])
                    numbers.append((joint.damping, joint.friction))
        return rows, numbers

    def _springs(self) -> tuple[list[list[int]], list[Floats]]:
        bodies, numbers = [], []
        for spring in self.robot.springs:
            a, p_A = self._point(spring.link_a, spring.point_a)
            b, p_B = self._point(spring.link_b, spring.point_b)
            bodies.append([a, b])
            rest = (spring.stiffness, spring.rest_length, spring.damping)
            numbers.append(np.concatenate([p_A, p_B, rest]))
        return bodies, numbers


def _ints(rows: object, width: int = 0) -> Ints:
    array = np.array(rows, dtype=np.int64)
    return array.reshape(-1, width) if width else array


def _floats(rows: object, width: int) -> Floats:
    return np.array(rows, dtype=float).reshape(-1, width)


def _across(axis: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors perpendicular to an axis and to each other."""
    first = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    first /= np.linalg.norm(first)
    return first, np.cross(axis, first) / np.linalg.norm(axis)
