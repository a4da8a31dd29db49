"""Which angle describes a four-bar, and in which turn its joints are counted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from ..lengths import _kernels as lengths
from ..lengths.packing import NotPlaneError, Packer, driven_pivot
from ..plan import Plan
from . import _kernels as kernels
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
        number
        for number in range(count)
        if not any(
            len(way) == 1 and plan.variables[way[0].variable].four_bar == number
            for way in plan.ways
        )
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
                packer.bars_f[number][lengths.BAR_JOINTS_F + 3 * k + 2] = middle


def _range(blocks: BlockPacker, variable: int) -> tuple[float, float]:
    """Smallest and largest value of a variable over its block's reachable lengths."""
    for number, block in enumerate(blocks.plan.blocks):
        if variable not in block.variables:
            continue
        record = blocks.records[number]
        reach = blocks.reaches[number]
        if record[0] == kernels.NEWTON:
            at = record[3] + 2 * record[2]
            size = math.prod(record[4 + 3 * kernels.MAX :][: record[2]]) if record[2] else 0
            values = np.array(blocks.numbers[at : at + size * record[1]]).reshape(-1, record[1])
            own = values[:, block.variables.index(variable)]
            return (float(own.min()), float(own.max())) if own.size else (0.0, 0.0)
        assert reach.interval is not None
        k0, k1, psi, side = blocks.numbers[record[3] : record[3] + 4]
        ends = [
            side * math.acos(min(1.0, max(-1.0, (l * l - k0) * k1))) - psi for l in reach.interval
        ]
        return min(ends), max(ends)
    return 0.0, 0.0


def _joint_angles(packer: Packer, number: int, thetas: np.ndarray) -> np.ndarray:
    """Angles of a four-bar's three tree joints from home, unwrapped from theta = 0 on."""
    floats = np.array(packer.bars_f[number])
    ints = packer.bars_i[number]
    through_home = np.unique(np.append(thetas, 0.0))
    rows = []
    for theta in through_home:
        ok, u_y, u_z, u_w = lengths.ring(floats, 0, float(theta))
        if ok:
            members = (1.0, u_y, u_z, u_w)
            rows.append(
                [np.angle(members[ints[3 * k + 2]] / members[ints[3 * k + 1]]) for k in range(3)]
            )
    angles = np.unwrap(np.array(rows), axis=0)
    home = int(np.searchsorted(through_home, 0.0))
    turned: np.ndarray = angles - np.round(angles[min(home, len(angles) - 1)] / math.tau) * math.tau
    return turned
