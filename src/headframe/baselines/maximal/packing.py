"""Bodies and joints of a machine in maximal coordinates, as records for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np

from ...description import Does, Joint
from ...dynamics import DynamicsModel, Row
from ...errors import DynamicsError
from ...jit import Packing, Record, Records, Scratch, new_records
from ...mechanism import Floats
from ...mechanism.kernels import RowKind
from ...spatial import compose, invert
from .bodies import RigidBody, body_of, without_mass
from .errors import is_cross, obstacle
from .records import (
    BLOCK,
    BODY_ROW,
    BODY_SPRING,
    COORDINATE,
    LOSS,
    MAXIMAL,
    REPEATER,
    RESPONSE,
    RIGID_BODY,
    BodyRowKind,
    CoordinateKind,
)

BASE = 0
CLOSING = RowKind.OFFSET, RowKind.ANGLE
NOWHERE = np.zeros((3, 4))
NO_AXIS = np.zeros(3)

LinkPoint = tuple[str, Sequence[float]]  # a link, and a point in its axes [m]
BodyRow = tuple[BodyRowKind, tuple[int, int], Floats, Floats, Floats]  # as in BODY_ROW


class Maximal:
    """A machine in maximal coordinates.

    Attributes:
        model: the machine, with its tree and the rows that drives act on.
        bodies: the first one is body 1; body 0 is the base.
        body_of_freedom: the body that a freedom carries; the base for -1.
        parts: what it consists of, records by their names in `records.MAXIMAL`.
    """

    def __init__(self, model: DynamicsModel) -> None:
        """Collect bodies, then the rows of every joint, then what acts on them.

        Raises:
            DynamicsError: a link that has no mass or no inertia; it would be a body that nothing
                holds. Or a joint with armature.
        """
        self.model = model
        self.tree = model.tree
        self.robot = model.tree.mechanism.robot
        reason, body = obstacle(model.tree)
        if reason:
            raise DynamicsError(reason, body=body)
        self.held: list[BodyRow] = []
        self.free: list[BodyRow] = []
        self.blocks: list[tuple[int, int]] = []
        self.threads: list[tuple[int, int, float, float]] = []
        self.row_of_velocity: dict[int, int] = {}
        self.coordinates: list[tuple[Any, ...]] = []
        self.bodies: list[RigidBody] = []
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
        closures = self.tree.loop_rows[np.isin(self.tree.loop_rows.kind, CLOSING)]
        for _, rows in groupby(closures, key=lambda row: (int(row.loop), int(row.kind))):
            self._add_closure(list(rows))
        self.parts = self._parts()

    def packing(self, scratch: Scratch) -> Packing:
        """The parts behind their header, for a method to add its own."""
        velocities = 1 + len(self.bodies), 6
        packing = Packing(
            MAXIMAL, gravity=self.tree.gravity, V_before=scratch.reserve(velocities),
            V_mean=scratch.reserve(velocities), spare=scratch.reserve((1, RESPONSE)),
        )  # fmt: skip
        for name, part in self.parts.items():
            packing.add(name, part)
        return packing

    # ------------------------------------------------------------- bodies

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

    def _point(self, link: str, point: Sequence[float]) -> tuple[int, Floats]:
        """The body of a link, and a point of the link in the body's frame."""
        freedom = self.tree.freedom_of_link[link]
        X = self._in_body(freedom, self.tree.X_FL[link] @ compose(np.eye(3), point))
        return self.body_of_freedom[freedom], X[:3, 3]

    # ------------------------------------------------------------- joints

    def _add_joint(self, joint: Joint) -> None:
        if joint.kind.is_fixed:
            return
        parent = self.tree.freedom_of_link[joint.parent]
        freedoms = self.freedoms[joint.name]
        ends = self.body_of_freedom[parent], self.body_of_freedom[freedoms[-1]]
        X_BJ = self._in_body(freedoms[-1], np.eye(4))
        if joint.kind.has_ball:
            X_AJ = self._in_body(parent, self.tree.X_FL[joint.parent] @ joint.origin)
            self._add_ball(joint, ends, X_AJ, X_BJ)
            return
        X_AF = self._first_frame(parent, freedoms[0])
        if is_cross(joint):
            self._add_cross(ends, X_AF, X_BJ, freedoms)
        else:
            does = [motion.does for motion in joint.kind.motions]
            self._add_axis(ends, X_AF, X_BJ, list(zip(does, freedoms, strict=True)))

    def _first_frame(self, parent: int, freedom: int) -> Floats:
        """Frame of a joint's first freedom in the body before it, its position being 0."""
        X = np.eye(4)
        X[:3] = self.tree.freedoms["X_PF"][freedom]
        return self._in_body(parent, X)

    def _add_axis(
        self, ends: tuple[int, int], X_AF: Floats, X_BF: Floats, does: list[tuple[Does, int]]
    ) -> None:
        """Turning about the frames' z, sliding along it, or both; a freedom for each.

        A thread turns, and its way along the axis follows the angle as a repeater does.
        """
        kinds = {each for each, _ in does}
        R_A, R_B = X_AF[:3, :3], X_BF[:3, :3]
        angle = (BodyRowKind.ON_A, ends, R_A[:, 2], R_A[:, 0], R_B[:, 0])
        way = _linear(ends, X_AF, X_BF, 2)
        self._hold_point(ends, X_AF, X_BF, (0, 1, 2) if kinds == {Does.TURN} else (0, 1))
        if kinds == {Does.SLIDE}:
            self._hold_aligned(ends, X_AF, X_BF)
        else:
            self._hold(*(_perpendicular(ends, R_A[:, k], R_B[:, 2]) for k in (0, 1)))
        for each, freedom in does:
            self._leave_freedom(way if each is Does.SLIDE else angle, freedom)
            if each is Does.SCREW:
                pitch = float(self.tree.freedoms[freedom].pitch)
                self.threads.append((len(self.free), len(self.free) - 1, pitch, 0.0))
                self.free.append(way)

    def _add_cross(
        self, ends: tuple[int, int], X_AF: Floats, X_BF: Floats, freedoms: Sequence[int]
    ) -> None:
        """Turning about the z of the first frame, then about the z of the second."""
        R_A, R_B = X_AF[:3, :3], X_BF[:3, :3]
        self._hold_point(ends, X_AF, X_BF)
        # R_E: the second frame in the first at 0. Seen along the first axis, the second has turned
        # away from where it stood by the first angle; along the second axis, the first by minus
        # the second.
        R_E = self.tree.freedoms["X_PF"][freedoms[1]][:, :3]
        first, second = R_A[:, 2], R_B[:, 2]
        self._hold(_perpendicular(ends, first, second))
        self._leave_freedom((BodyRowKind.ON_A, ends, first, R_A @ R_E[:, 2], second), freedoms[0])
        self._leave_freedom((BodyRowKind.ON_B, ends, second, first, R_B @ R_E[2]), freedoms[1])

    def _add_ball(self, joint: Joint, ends: tuple[int, int], X_AJ: Floats, X_BJ: Floats) -> None:
        """A ball joint, or no joint at all."""
        kind = CoordinateKind.FREE if joint.kind.is_free else CoordinateKind.BALL
        if kind == CoordinateKind.BALL:
            self._hold_point(ends, X_AJ, X_BJ)
        iq = self.tree.mechanism.position_of_joint[joint.name].start
        iv = self.tree.mechanism.velocity_of_joint[joint.name].start
        self.coordinates.append((kind, -1, ends, iq, iv, X_AJ[:3], X_BJ[:3]))
        if joint.damping or joint.friction:
            for k in range(3):
                turning = (BodyRowKind.ON_B, ends, X_BJ[:3, k], NO_AXIS, NO_AXIS)
                self._leave_free(turning, iv + k)
                if kind == CoordinateKind.FREE:
                    self._leave_free(_linear(ends, X_AJ, X_BJ, k), iv + 3 + k)

    def _add_cylinder(self, number: int, tube: list[int], rod: int) -> None:
        """Tube on its pin, rod sliding in it, the rod's end at a point of its parent."""
        actuator = self.robot.actuators[number]
        parent = self.tree.freedom_of_link[actuator.tube_parent]
        X_AT = self._first_frame(parent, tube[0])
        a, (holder, p_H) = (
            self.body_of_freedom[parent],
            self._point(actuator.rod_parent, actuator.rod_offset),
        )
        X_HE = compose(np.eye(3), p_H)
        if tube[-1] in self.massless:  # only its coordinates, and what drives do to its mounts
            plane = len(tube) == 1
            kind = CoordinateKind.PLANE_CYLINDER if plane else CoordinateKind.CYLINDER
            first = self.tree.freedoms[tube[0]]
            places = int(first.position), int(first.velocity)
            self.coordinates.append((kind, -1, (a, holder), *places, X_AT[:3], X_HE[:3]))
            return
        b = self.body_of_freedom[tube[-1]]
        X_BT = self._in_body(tube[-1], np.eye(4))
        if len(tube) == 1:
            self._add_axis((a, b), X_AT, X_BT, [(Does.TURN, tube[0])])
        else:
            self._add_cross((a, b), X_AT, X_BT, tube)
        X_BR = self._first_frame(tube[-1], rod)
        # of a plane mount the hinges already hold the pin's direction, the rod's y
        across = (0,) if len(tube) == 1 else (0, 1)
        if rod in self.massless:
            self._hold_point((b, holder), X_BR, X_HE, across)
            self._leave_freedom(_linear((b, holder), X_BR, X_HE, 2), rod)
            return
        c, X_CR = self.body_of_freedom[rod], self._in_body(rod, np.eye(4))
        self._add_axis((b, c), X_BR, X_CR, [(Does.SLIDE, rod)])
        self._hold_point((c, holder), X_CR, X_HE, (*across, 2))

    def _add_closure(self, rows: list[Record]) -> None:
        """Rows of one kind of a pivot that closes a loop: the tree's, between bodies."""
        freedoms = int(rows[0].a), int(rows[0].b)
        a, b = ends = self.body_of_freedom[freedoms[0]], self.body_of_freedom[freedoms[1]]
        if a == b:
            return
        X_A, X_B = (self._in_body(freedom, np.eye(4)) for freedom in freedoms)
        R_A, R_B, held = X_A[:3, :3], X_B[:3, :3], []
        for row in rows:
            u_A = R_A @ row.vector_a
            if row.kind == RowKind.OFFSET:
                p_A, p_B = R_A @ row.point_a + X_A[:3, 3], R_B @ row.point_b + X_B[:3, 3]
                held.append((BodyRowKind.LINEAR, ends, u_A, p_A, p_B))
            else:
                held.append(_perpendicular(ends, u_A, R_B @ row.vector_b))
        self._hold(*held)

    # --------------------------------------------------------------- rows

    def _hold_point(
        self, ends: tuple[int, int], X_A: Floats, X_B: Floats, directions: Sequence[int] = (0, 1, 2)
    ) -> None:
        self._hold(*(_linear(ends, X_A, X_B, k) for k in directions))

    def _hold_aligned(self, ends: tuple[int, int], X_A: Floats, X_B: Floats) -> None:
        """No turning at all: each axis of A stays perpendicular to the next one of B."""
        self._hold(*(_perpendicular(ends, X_A[:3, k], X_B[:3, (k + 1) % 3]) for k in range(3)))

    def _hold(self, *rows: BodyRow) -> None:
        self.blocks.append((len(self.held), len(rows)))
        self.held += rows

    def _leave_free(self, row: BodyRow, velocity: int) -> None:
        """What a joint leaves free, for what acts on it."""
        self.row_of_velocity[velocity] = len(self.free)
        self.free.append(row)

    def _leave_freedom(self, row: BodyRow, freedom: int) -> None:
        """The same for a row that is a coordinate of the tree."""
        record = self.tree.freedoms[freedom]
        iq, iv = int(record.position), int(record.velocity)
        place = (CoordinateKind.SCALAR, len(self.free), (BASE, BASE), iq, iv, NOWHERE, NOWHERE)
        self.coordinates.append(place)
        self._leave_free(row, iv)

    # ------------------------------------------------------------ records

    def _parts(self) -> dict[str, Records]:
        """Everything as records."""
        drives = np.array([self._drive_row(row) for row in self.model.rows], np.int64)
        rigid = new_records(1 + len(self.bodies), RIGID_BODY)
        for record, body in zip(rigid[1:], self.bodies, strict=True):
            record.mass, record.inertia = body.mass, body.inertia
            record.per_mass, record.per_inertia = 1.0 / body.mass, 1.0 / body.inertia
        return {
            "rigid": rigid,
            "held": np.array(self.held, BODY_ROW),
            "free": np.array(self.free, BODY_ROW),
            "blocks": np.array(self.blocks, BLOCK),
            "drives": drives,
            "losses": np.array(self._losses(), LOSS),
            "repeaters": np.array(self._repeaters(), REPEATER),
            "springs": np.array(self._springs(), BODY_SPRING),
            "coordinates": np.array(self.coordinates, COORDINATE),
        }

    def _drive_row(self, row: Row) -> int:
        """What a drive acts on: a joint, or the distance between a cylinder's mounts.

        By virtual work a force along the cylinder does the same as a pair of forces on the mounts,
        and bodies that are heavy answer to those at once, not through a light tube and rod.
        """
        if not row.members:
            return self.row_of_velocity[row.velocity]
        actuator = self.robot.actuators[row.members[0]]
        tube = actuator.tube_parent, actuator.tube_offset
        self.free.append(self._distance(tube, (actuator.rod_parent, actuator.rod_offset)))
        return len(self.free) - 1

    def _repeaters(self) -> list[tuple[int, int, float, float]]:
        """Rows of followers and leaders, ratios and offsets; threads are of the same kind."""
        tied = self.tree.loop_rows[self.tree.loop_rows.kind == RowKind.RATIO]
        row = self.row_of_velocity
        return [
            *((row[o.follower.velocity], row[o.leader.velocity], o.ratio, o.offset) for o in tied),
            *self.threads,
        ]

    def _losses(self) -> list[tuple[int, float, float]]:
        """Rows with damping or dry friction."""
        return [
            (self.row_of_velocity[velocity], resistance.damping, resistance.friction)
            for velocity, resistance in enumerate(self.model.resistances)
            if resistance.damping or resistance.friction
        ]

    def _springs(self) -> list[tuple[BodyRow, float, float, float]]:
        """As in BODY_SPRING."""
        found = []
        for one in self.robot.springs:
            row = self._distance((one.link_a, one.point_a), (one.link_b, one.point_b))
            found.append((row, one.stiffness, one.rest_length, one.damping))
        return found

    def _distance(self, on_a: LinkPoint, on_b: LinkPoint) -> BodyRow:
        """How far two points are apart."""
        (a, p_A), (b, p_B) = self._point(*on_a), self._point(*on_b)
        return BodyRowKind.DISTANCE, (a, b), NO_AXIS, p_A, p_B


def _linear(ends: tuple[int, int], X_A: Floats, X_B: Floats, k: int) -> BodyRow:
    """How far the origin of a frame on B is from that of one on A, along an axis of the latter."""
    return BodyRowKind.LINEAR, ends, X_A[:3, k], X_A[:3, 3], X_B[:3, 3]


def _perpendicular(ends: tuple[int, int], on_a: Floats, on_b: Floats) -> BodyRow:
    """The product of two vectors."""
    return BodyRowKind.PERPENDICULAR, ends, NO_AXIS, on_a, on_b
