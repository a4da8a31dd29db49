"""Kernels that reach a machine of a world by the addresses of its arrays."""

from __future__ import annotations

from ...actuation.kernels import DRIVE
from ...dynamics.kernels import PULL, seen_from_world
from ...jit import Record, Records, all_records, doubles_at, header, inlined_kernel, kernel
from ...mechanism import Floats
from ...spatial.kernels import compose, pose_at, put_pose, put_six, six
from .calls import STRIKE_CALLS, find_link, place_machine, respond_to


@inlined_kernel
def array(span: Floats) -> Floats:
    """An array by its address and size."""
    return doubles_at(span[0], span[1])


@inlined_kernel
def drives_of(machine: Record) -> Records:
    """DRIVE records of a machine."""
    return all_records(array(machine.drives), DRIVE)


@inlined_kernel
def pulls_of(machine: Record) -> Records:
    """PULL records of a machine."""
    return all_records(array(machine.pulls), PULL)


@inlined_kernel
def calls_of(machine: Record) -> Record:
    """STRIKE_CALLS of a machine."""
    return header(array(machine.calls), STRIKE_CALLS)


@kernel
def settle_in(machine: Record) -> int:
    """Place a machine where it is, with its velocities."""
    model, state, work = array(machine.model), array(machine.state), array(machine.work)
    return place_machine(calls_of(machine).place, model, state, work)


@kernel
def place_link(
    machine: Record, freedom: int, pose: Floats, motion: Floats, placed_out: Record
) -> None:
    """PLACED of what a freedom of a placed machine carries.

    `pose` (3, 4) and `motion` (6,) are scratch memory.
    """
    model, state, work = array(machine.model), array(machine.state), array(machine.work)
    find_link(calls_of(machine).link, model, state, work, freedom, pose, motion)
    X_WO = pose_at(machine.X_WO)
    put_pose(placed_out.X_WB, compose(X_WO, pose_at(pose)))
    put_six(placed_out.velocity, seen_from_world(X_WO, six(motion)))


@kernel
def machine_rows(
    machine: Record, freedom: int, one: Record, sign: float, point: Floats, there: Floats,
    J_out: Floats, Y_out: Floats,
) -> int:  # fmt: skip
    """Rows J and Y (3, wide) of a contact by a machine's velocities, and over which piece of them.

    `sign` is 1 for its first body and -1 for its second; `point` (3,) and `there` (3, 3) are
    scratch memory for the place and the axes of the contact as the machine sees them.
    """
    model, state, work = array(machine.model), array(machine.state), array(machine.work)
    X, p, axes = machine.X_WO, one.touch.point, one.axes
    for i in range(3):
        point[i] = 0.0
        for k in range(3):
            point[i] += X[k, i] * (p[k] - X[k, 3])
            there[k, i] = sign * (
                X[0, i] * axes[k, 0] + X[1, i] * axes[k, 1] + X[2, i] * axes[k, 2]
            )
    return respond_to(
        calls_of(machine).respond, model, state, work, freedom, point, there, J_out, Y_out
    )
