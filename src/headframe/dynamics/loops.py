"""The constraints that close a machine's loops over its spanning tree, as rows for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..jit import Records, as_records, new_records
from ..mechanism import PARALLEL, CylinderFreedoms, Floats, Tree, common_of
from ..mechanism.kernels import LOOP_ROW, FreedomKind, RowKind
from . import loop_rows as kernels
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
    robot, of_loop = tree.mechanism.robot, tree.loop_rows.loop
    parts: list[tuple[Records, str, str]] = []
    for number, loop in enumerate(tree.mechanism.topology.loops):
        if loop.closure >= 0:
            rows = tree.loop_rows[of_loop == number]
            parts.append((_lean(tree, rows) if lean else rows, loop.name, CLOSURE))
        elif cylinders:
            rows = _cylinder_rows(tree, tree.cylinders[loop.actuator])
            parts.append((rows, robot.actuators[loop.actuator].name, CYLINDER))
    for n, row in enumerate(np.flatnonzero(of_loop < 0)):
        parts.append((tree.loop_rows[row : row + 1], robot.repeaters[n].name, REPEATER))
    rows = as_records([row for rows, _, _ in parts for row in rows], LOOP_ROW)
    name = tuple(name for rows, name, _ in parts for _ in rows)
    return Loops(tree, rows, name, tuple(kind for rows, _, kind in parts for _ in rows))


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


def _lean(tree: Tree, rows: Records) -> Records:
    """Of a closure's rows those across its axis, if it is a hinge and its loop a plane one."""
    across = rows[rows.kind == RowKind.OFFSET][:2]
    if np.count_nonzero(rows.kind == RowKind.ANGLE) != 2:
        return rows
    bodies, row = placed(tree, tree.q_zero), rows[0]
    axis = tree.frame(bodies, row.a)[:3, :3] @ np.cross(*across.vector_a)
    for d in set(tree.ancestors[row.a]) ^ set(tree.ancestors[row.b]):
        z, kind = tree.frame(bodies, d)[:3, 2], tree.freedoms["kind"][d]
        turns = kind == FreedomKind.TURN and np.linalg.norm(np.cross(z, axis)) <= PARALLEL
        slides = kind == FreedomKind.SLIDE and abs(z @ axis) <= PARALLEL
        if not (turns or slides):
            return rows
    return across


def _cylinder_rows(tree: Tree, cylinder: CylinderFreedoms) -> Records:
    """The rod's end, the origin of its freedom, on the rod's parent.

    In the rod's axes: z along the cylinder, so that a row's multiplier is the axial force; y is
    the pin of a plane mount and left out there.
    """
    actuator = tree.mechanism.robot.actuators[cylinder.actuator]
    parent, X = tree.freedom_of_link[actuator.rod_parent], tree.X_FL[actuator.rod_parent]
    axes = np.eye(3)[[0, 2] if len(cylinder.tube) == 1 else [0, 1, 2]]
    rows = new_records(len(axes), LOOP_ROW)
    rows.kind, rows.a, rows.b = RowKind.OFFSET, cylinder.rod, parent
    rows.common = common_of(tree.ancestors, cylinder.rod, parent)
    rows.point_b = X[:3, :3] @ np.asarray(actuator.rod_offset) + X[:3, 3]
    rows.vector_a = rows.vector_b = axes
    return rows
