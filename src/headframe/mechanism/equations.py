"""The scalar equations of a machine's loops, said once for all that solve for them."""

from __future__ import annotations

from typing import assert_never

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..description import Keeps, Repeater
from ..jit import Record, Records, as_records, new_records
from ..spatial import perpendiculars
from ..topology import Closure, Topology
from .freedoms import JointFreedoms, ancestors_of, common_of
from .records import LOOP_ROW, RowKind

Floats = NDArray[np.float64]


def loop_rows(topology: Topology, joints: JointFreedoms, freedoms: Records) -> Records:
    """LOOP_ROW of all loops in their order, then of the repeaters."""
    robot = topology.robot
    found: list[Record] = []
    for number, loop in enumerate(topology.loops):
        if loop.closure >= 0:
            rows = _closure_rows(topology, topology.closures[loop.closure], joints)
        else:
            one = robot.actuators[loop.actuator]
            ends = one.tube_parent, one.rod_parent, one.tube_offset, one.rod_offset
            rows = [_row(joints, RowKind.LENGTH, *ends)]
        for row in rows:
            row.loop = number
        found += rows
    found += [_repeater_row(joints, repeater) for repeater in robot.repeaters]
    chains, rows = ancestors_of(freedoms), as_records(found, LOOP_ROW)
    rows.common = [common_of(chains, int(row.a), int(row.b)) for row in rows]
    return rows


def _row(
    joints: JointFreedoms, kind: RowKind, link_a: str, link_b: str, p_A: ArrayLike, p_B: ArrayLike
) -> Record:
    """A row between points of two links, which are given in the links' axes."""
    row = new_records(1, LOOP_ROW)[0]
    row.kind, row.a, row.b = kind, joints.of_link[link_a], joints.of_link[link_b]
    X_A, X_B = joints.X_FL[link_a], joints.X_FL[link_b]
    row.point_a = X_A[:3, :3] @ np.asarray(p_A) + X_A[:3, 3]
    row.point_b = X_B[:3, :3] @ np.asarray(p_B) + X_B[:3, 3]
    return row


def _closure_rows(topology: Topology, closure: Closure, joints: JointFreedoms) -> list[Record]:
    """Equations of one pivot: what the joint between the two links leaves free is left out.

    Of a point the first two are across the joint's axis and the third along it, so that its
    multiplier is the axial force. An orientation is kept by each axis of A being perpendicular to
    the next one of B; so it is turned over, too, which the products of x and of y axes tell.
    """
    on_a, on_b = (topology.robot.joints[j] for j in (closure.forward, closure.backward))
    R_A, R_B = (joints.X_FL[on.parent][:3, :3] @ on.origin[:3, :3] for on in (on_a, on_b))
    axis_a, axis_b = R_A @ on_a.direction(), R_B @ on_b.direction()
    across = perpendiculars(axis_a)
    ends = on_a.parent, on_b.parent, on_a.origin[:3, 3], on_b.origin[:3, 3]
    rows: list[Record] = []

    def add(kind: RowKind, u_A: Floats, u_B: Floats, offset: float = 0.0) -> None:
        row = _row(joints, kind, *ends)
        row.vector_a, row.vector_b, row.offset = u_A, u_B, offset
        rows.append(row)

    for keeps in on_a.kind.keeps:
        match keeps:
            case Keeps.POINT:
                for u_A, u_C in zip((*across, axis_a), np.eye(3), strict=True):
                    add(RowKind.POINT, u_A, u_C)
            case Keeps.LINE:
                for u_A in across:
                    add(RowKind.OFFSET, u_A, axis_b)
            case Keeps.PARALLEL:
                for u_A in across:
                    add(RowKind.ANGLE, u_A, axis_b)
            case Keeps.PERPENDICULAR:
                add(RowKind.ANGLE, axis_a, axis_b)
            case Keeps.ORIENTATION:
                for k in range(3):
                    add(RowKind.ANGLE, R_A[:, k], R_B[:, (k + 1) % 3])
                for k in range(2):
                    add(RowKind.ANGLE, R_A[:, k], R_B[:, k], 1.0)
            case Keeps.THREAD:
                raise ValueError(f"{on_a.type} joints close no loops")  # validation says so
            case _:
                assert_never(keeps)
    return rows


def _repeater_row(joints: JointFreedoms, repeater: Repeater) -> Record:
    """q[follower] - ratio q[leader] = offset."""
    row = new_records(1, LOOP_ROW)[0]
    row.kind, row.loop, row.a, row.b = RowKind.RATIO, -1, -1, -1
    for place, joint in ((row.follower, repeater.joint), (row.leader, repeater.follows)):
        place.position = joints.positions[joint].start
        place.velocity = joints.velocities[joint].start
    row.ratio, row.offset = repeater.ratio, repeater.offset
    return row
