"""The constraints that close a machine's loops over its spanning tree, as rows for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..jit import Records, new_records
from ..mechanism import PARALLEL, CylinderFreedoms, Floats, Tree, common_of
from ..mechanism.kernels import ConstraintKind, FreedomKind
from ..spatial import perpendiculars
from . import loop_rows as kernels
from .records import LOOP_ROW, RowKind
from .tree.memory import placed

CLOSURE, CYLINDER, REPEATER = "closure", "cylinder", "repeater"
SAME = 1e-9  # of the largest: directions that differ by less are one


@dataclass(frozen=True, eq=False)
class Loops:
    """Scalar constraint rows over a tree; see `loop_rows`.

    Rows of one loop follow each other. They may be redundant: a plane four-bar's hinge closes with
    five rows, of which two are enough.

    Attributes:
        tree: what they close.
        rows: LOOP_ROW records, (m,).
        name: of each row's loop: a closure's as in the topology, a cylinder's, a repeater's.
        kind: of each row's loop: "closure", "cylinder" or "repeater".
    """

    tree: Tree
    rows: Records
    name: tuple[str, ...]
    kind: tuple[str, ...]

    @property
    def m(self) -> int:
        """Number of rows."""
        return len(self.name)


def loops_of(tree: Tree, cylinders: bool = True, lean: bool = False) -> Loops:
    """All constraints over a tree: closures and cylinders in the order of the loops, repeaters.

    A hinge has 3 rows for its point, the last along its axis, and 2 for the axis, a ball 3, a
    universal joint 4, a prismatic pair 5 and a fixed one 6; a cylinder has 3 where its rod's end
    meets the rod's parent, and 2 if its mounts stay in one plane; a repeater has 1.

    Args:
        tree: what the loops are closed over.
        cylinders: whether with the cylinders' rows.
        lean: without the rows that a plane loop needs not: where all that moves between the two
            links of a hinge turns about its axis or slides across it, its first 2 rows do.
    """
    return _Packer(tree, cylinders, lean).loops()


def loop_jacobian(tree: Tree, q: Floats) -> Floats:
    """How fast the loops open for every velocity of the tree, (m, nv), at positions q."""
    tree = tree.nearby
    loops = loops_of(tree)
    J = np.zeros((loops.m, tree.nv))
    kernels.jacobian(loops.rows, tree.freedoms, placed(tree, q), J)
    return J


def tied_by_loops(tree: Tree, q: Floats, velocities: Sequence[int]) -> bool:
    """Whether some of these velocities decide others of them, by way of the loops."""
    from scipy.linalg import null_space

    J = loop_jacobian(tree, q)
    if not len(J) or not velocities:
        return False
    free = null_space(J, rcond=SAME)
    return int(np.linalg.matrix_rank(free[list(velocities)], tol=SAME)) < len(velocities)


class _Packer:
    """Collects rows one by one."""

    def __init__(self, tree: Tree, cylinders: bool, lean: bool) -> None:
        self.tree, self.lean = tree, lean
        self.mechanism = tree.mechanism
        self.rows: list[Records] = []
        self.name: list[str] = []
        self.kind: list[str] = []
        self.aligned: tuple[Floats, ...] = ()
        self.bodies = placed(tree, tree.q_zero)
        # the tree counts freedoms anew
        joints = self.mechanism.freedoms["velocity"]
        self.freedom_of = [tree.freedom_at[int(velocity)] for velocity in joints] + [-1]
        topology, robot = self.mechanism.topology, self.mechanism.robot
        repeaters = iter(robot.repeaters)
        self.constraints = self.mechanism.constraints
        for number, one in enumerate(self.constraints):
            if one.kind == ConstraintKind.RATIO:
                self._add_repeater(one, next(repeaters).name)
            elif one.kind != ConstraintKind.LENGTH:
                self._add_closure(number, topology.loops[one.loop].name)
            elif cylinders:
                self._add_cylinder(tree.cylinders[topology.loops[one.loop].actuator])

    def loops(self) -> Loops:
        """All rows."""
        rows = new_records(len(self.rows), LOOP_ROW)
        for i, row in enumerate(self.rows):
            rows[i] = row
        return Loops(self.tree, rows, tuple(self.name), tuple(self.kind))

    def _new_row(self, name: str, kind: str, code: RowKind) -> Records:
        """Append a row."""
        row = new_records(1, LOOP_ROW)[0]
        row.kind = code
        self.rows.append(row)
        self.name.append(name)
        self.kind.append(kind)
        return row

    def _add(
        self, name: str, kind: str, code: RowKind, a: int, b: int,
        p_A: Floats, p_B: Floats, u_A: Floats, u_B: Floats,
    ) -> None:  # fmt: skip
        """Append a row between freedoms; points and directions are given in their frames."""
        row = self._new_row(name, kind, code)
        row.a, row.b, row.common = a, b, self._common(a, b)
        row.point_a, row.point_b, row.vector_a, row.vector_b = p_A, p_B, u_A, u_B

    def _common(self, a: int, b: int) -> int:
        """The last freedom that moves both; -1 if there is none."""
        return common_of(self.tree.ancestors, a, b)

    def _add_closure(self, number: int, name: str) -> None:
        """Rows of one of the general solver's constraints."""
        one = self.constraints[number]
        a, b = self.freedom_of[one.a], self.freedom_of[one.b]
        u_A, u_B = one.vector_a, one.vector_b
        pairs: list[tuple[RowKind, Floats, Floats]] = []
        hinge = one if one.kind == ConstraintKind.PARALLEL else self._axis_of(number)
        plane = self.lean and hinge is not None and self._is_plane(hinge, a, b)
        if one.kind == ConstraintKind.POINT:
            axis = np.eye(3)[2] if hinge is None else hinge.vector_a
            rows = [*perpendiculars(axis), axis][: 2 if plane else 3]
            pairs = [(RowKind.OFFSET, direction, u_B) for direction in rows]
        elif one.kind == ConstraintKind.OFFSET:
            pairs = [(RowKind.OFFSET, u_A, u_B)]
        elif one.kind == ConstraintKind.PERPENDICULAR:
            pairs = [(RowKind.ANGLE, u_A, u_B)]
        elif one.kind == ConstraintKind.PARALLEL and not plane:
            pairs = [(RowKind.ANGLE, across, u_B) for across in perpendiculars(u_A)]
        elif one.kind == ConstraintKind.ALIGNED and not self.aligned:
            self.aligned = u_A, u_B  # the first of two axes
        elif one.kind == ConstraintKind.ALIGNED:
            (x_A, x_B), self.aligned = self.aligned, ()
            z_A, z_B = np.cross(x_A, u_A), np.cross(x_B, u_B)
            pairs = [(RowKind.ANGLE, *pair) for pair in ((x_A, u_B), (u_A, z_B), (z_A, x_B))]
        for kind, on_a, on_b in pairs:
            # points on the base are given from the base's own origin
            p_A = one.point_a - self.tree.origin if a < 0 else one.point_a
            p_B = one.point_b - self.tree.origin if b < 0 else one.point_b
            self._add(name, CLOSURE, kind, a, b, p_A, p_B, on_a, on_b)

    def _axis_of(self, number: int) -> Records | None:
        """The constraint on the axis of the hinge that a point belongs to; None if it has none."""
        one = self.constraints[number]
        if one.kind != ConstraintKind.POINT or number + 1 == len(self.constraints):
            return None
        after = self.constraints[number + 1]
        same = after.kind == ConstraintKind.PARALLEL and after.loop == one.loop
        return after if same else None

    def _is_plane(self, hinge: Records, a: int, b: int) -> bool:
        """Whether all freedoms between two turn about a hinge's axis or slide across it."""
        tree, common = self.tree, self._common(a, b)
        axis = tree.frame(self.bodies, a)[:3, :3] @ hinge.vector_a
        for d in (d for end in (a, b) if end >= 0 for d in tree.ancestors[end] if d > common):
            z, kind = tree.frame(self.bodies, d)[:3, 2], tree.freedoms["kind"][d]
            if kind == FreedomKind.TURN and np.linalg.norm(np.cross(z, axis)) <= PARALLEL:
                continue
            if kind == FreedomKind.SLIDE and abs(z @ axis) <= PARALLEL:
                continue
            return False
        return True

    def _add_cylinder(self, cylinder: CylinderFreedoms) -> None:
        """The rod's end, the origin of its freedom, on the rod's parent.

        In the rod's axes: z along the cylinder, so that a row's multiplier is the axial force; y is
        the pin of a plane mount and left out there.
        """
        actuator = self.mechanism.robot.actuators[cylinder.actuator]
        b, X_B = self.tree.freedom_of_link[actuator.rod_parent], self.tree.X_FL[actuator.rod_parent]
        p_B = X_B[:3, :3] @ np.asarray(actuator.rod_offset) + X_B[:3, 3]
        for n, axis in enumerate(np.eye(3)):
            if n != 1 or len(cylinder.tube) > 1:
                self._add(
                    actuator.name, CYLINDER, RowKind.OFFSET, cylinder.rod, b,
                    np.zeros(3), p_B, axis, axis,
                )  # fmt: skip

    def _add_repeater(self, one: Records, name: str) -> None:
        row = self._new_row(name, REPEATER, RowKind.RATIO)
        row.follower, row.leader = one.follower, one.leader
        row.ratio, row.offset = one.ratio, one.offset
