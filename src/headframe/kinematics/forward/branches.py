"""Which angle describes a four-bar, and in which turn its joints are counted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from ..lengths import ring
from ..linkage import NotPlaneError, Packer, driven_pivot
from ..plan import Plan
from ..records import Operation
from .blocks import BlockPacker

SAMPLES = 65


def branch_shifts(plan: Plan) -> Iterator[dict[int, int]]:
    """Choices of the pivot whose angle is each four-bar's variable, the likeliest first.

    A four-bar that a cylinder turns at one pivot is described by that pivot's angle: it passes
    no dead centre that the cylinder does not. One that several groups move together may have a
    dead centre of one angle inside its working range, but not of another.
    """
    count = len(plan.topology.contraction.four_bars)
    first = [driven_pivot(plan, number) for number in range(count)]
    shared = [
        number for number in range(count) if not any(plan.is_over(way, number) for way in plan.ways)
    ]
    yield dict(enumerate(first))
    for choice in product(range(4), repeat=min(len(shared), 2)):
        if any(choice):
            yield {**dict(enumerate(first)), **dict(zip(shared, choice, strict=False))}


def set_middles(packer: Packer, blocks: BlockPacker) -> None:
    """Count the joints of every driven four-bar from the middle of their range.

    A joint's angle is read from the direction of a link, which is the same after a whole turn.
    Where a joint turns by more than half a turn from home, the reading must be cut elsewhere.

    Raises:
        NotPlaneError: a joint turns by a whole turn or more.
    """
    for number in range(len(packer.rings)):
        variable = next(n for n, v in enumerate(packer.plan.variables) if v.four_bar == number)
        low, high = _range(blocks, variable)
        if low == high:
            continue
        angles = _joint_angles(packer, number, np.linspace(low, high, SAMPLES))
        for k, turn in enumerate(angles.T):
            if np.ptp(turn) > 2.0 * math.pi - 0.1:
                name = packer.plan.topology.loops[
                    packer.plan.topology.contraction.four_bars[number].closure
                ].name
                raise NotPlaneError(f"a joint of {name!r} turns by a whole turn")
            if np.abs(turn).max() > 2.5:
                middle = 0.5 * float(turn.min() + turn.max())
                packer.bar_joints[3 * number + k].middle = middle


def _range(blocks: BlockPacker, variable: int) -> tuple[float, float]:
    """Smallest and largest value of a variable over its block's reachable lengths."""
    for number, block in enumerate(blocks.plan.blocks):
        if variable not in block.variables:
            continue
        record = blocks.records[number]
        reach = blocks.reaches[number]
        if record.operation == Operation.NEWTON:
            size = math.prod(record.sizes[: record.dims].tolist()) if record.dims else 0
            nodes = blocks.tables[record.table : record.table + size * record.n]
            values = np.array(nodes).reshape(-1, record.n)
            own = values[:, block.variables.index(variable)]
            return (float(own.min()), float(own.max())) if own.size else (0.0, 0.0)
        assert reach.interval is not None
        cosines = [(l * l - record.constant) * record.scale for l in reach.interval]
        ends = [
            record.side * math.acos(min(1.0, max(-1.0, cosine))) - record.shift
            for cosine in cosines
        ]
        return min(ends), max(ends)
    return 0.0, 0.0


def _joint_angles(packer: Packer, number: int, thetas: np.ndarray) -> np.ndarray:
    """Angles of a four-bar's three tree joints from home, unwrapped from theta = 0 on."""
    bar, joints = packer.four_bars[number], packer.bar_joints[3 * number :][:3]
    through_home = np.unique(np.append(thetas, 0.0))
    rows = []
    for theta in through_home:
        ok, u_y, u_z, u_w = ring(bar, float(theta))
        if ok:
            members = (1.0, u_y, u_z, u_w)
            rows.append([np.angle(members[j.after] / members[j.before]) for j in joints])
    angles = np.unwrap(np.array(rows), axis=0)
    home = int(np.searchsorted(through_home, 0.0))
    turned: np.ndarray = angles - np.round(angles[min(home, len(angles) - 1)] / math.tau) * math.tau
    return turned
