"""The blocks of a plan as records for the kernels: closed forms, or tables for Newton's method.

A table holds a block's variables at the nodes of a grid over the lengths that it depends on. The
nodes are found by continuation from home, so they are on the working branch, and the block is
called regular if that reaches every node and its Jacobian stays clear of singular: its smallest
singular value at every node is larger than the Jacobian's change to the next node. Then the
branch is one sheet over the whole box, its point for given lengths is unique, and Newton's method
from the table's value finds it; that is checked in the middle of every cell.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from ...mechanism.compiled import Floats, Ints
from ..lengths import _kernels as lengths
from ..lengths.packing import Packer
from ..plan import Block, Plan
from . import _kernels as kernels

SIZES = {1: 65, 2: 33, 3: 13}  # nodes along each dimension of a table
MAX_TURN = 0.1  # largest motion of a variable within one part of a continuation [rad, m]


@dataclass(frozen=True)
class Reach:
    """What of a block's lengths can be reached from home.

    `regular` where all of it can, on one sheet. Else `interval` holds the ends for a block of
    one group with a closed form [m]; it is None where only continuation can tell.
    """

    regular: bool
    interval: tuple[float, float] | None = None


class BlockPacker:
    """Makes the records of all blocks, in solving order."""

    def __init__(self, plan: Plan, packer: Packer) -> None:
        self.plan = plan
        self.packer = packer
        self.robot = packer.mechanism.robot
        self.first = [members[0] for members in self.robot.groups]
        self.records: list[list[int]] = []
        self.numbers: list[float] = []
        self.reaches: list[Reach] = []
        for number in range(len(plan.blocks)):
            self._add(number)

    def arrays(self) -> tuple[Ints, Floats]:
        """The linkage's arrays, with the blocks made so far."""
        return self.packer.arrays(self.records, self.numbers)

    def _add(self, number: int) -> None:
        block = self.plan.blocks[number]
        act = self.first[block.groups[0]]
        begin, count = self.packer.acts_i[act][:2]
        if len(block.groups) == 1 and count == 1:
            kind = self.packer.steps_i[begin][0]
            if kind == lengths.TURNING:
                self._add_turn(block, act, begin)
                return
            if kind == lengths.SLIDING:
                self._add_slide(block, act, begin)
                return
        self._add_newton(number, block)

    def _add_turn(self, block: Block, act: int, step: int) -> None:
        """Over one hinge: |c + e^(i delta) d|^2 + h^2 = k0 + k1 cos(delta + psi)."""
        tx, ty, rx, ry, h2, low, high = self.packer.acts_f[act]
        px, py, sign = self.packer.steps_f[step]
        c, d = complex(px - tx, py - ty), complex(rx - px, ry - py)
        psi = math.atan2((c.conjugate() * d).imag, (c.conjugate() * d).real)
        k0 = abs(c) ** 2 + abs(d) ** 2 + h2
        k1 = 2.0 * abs(c) * abs(d)
        side = 1.0 if psi >= 0.0 else -1.0
        self._record(kernels.CLOSED_TURN, block)
        self.numbers += [k0, 1.0 / k1 if k1 > 0.0 else 0.0, sign * psi, sign * side]
        self._add_reach(low, high, math.sqrt(max(0.0, k0 - k1)), math.sqrt(k0 + k1))

    def _add_slide(self, block: Block, act: int, step: int) -> None:
        """Over one slide: |p + s d|^2 + h^2 = (s + b)^2 + c."""
        tx, ty, rx, ry, h2, low, high = self.packer.acts_f[act]
        dx, dy, sign = self.packer.steps_f[step]
        x, y = rx - tx, ry - ty
        b = x * dx + y * dy
        c = (x * dy - y * dx) ** 2 + h2
        side = 1.0 if b >= 0.0 else -1.0
        self._record(kernels.CLOSED_SLIDE, block)
        self.numbers += [c, sign * side, sign * b]
        self._add_reach(low, high, math.sqrt(c), math.inf)

    def _add_reach(self, low: float, high: float, nearest: float, farthest: float) -> None:
        """A closed form between two dead centres; regular if the bounds keep clear of them."""
        regular = nearest < low and high < farthest
        self.reaches.append(Reach(regular, (max(low, nearest), min(high, farthest))))

    def _record(self, operation: int, block: Block, dims: list[int] | None = None) -> None:
        dims = dims or []
        record = [operation, len(block.groups), len(dims), len(self.numbers)]
        for values in (
            block.variables,
            [self.first[group] for group in block.groups],
            dims,
            [SIZES.get(len(dims), 2)] * len(dims),
        ):
            record += [*values, *[0] * (kernels.MAX - len(values))]
        self.records.append(record)

    def _add_newton(self, number: int, block: Block) -> None:
        dims = [
            self.first[group]
            for other in self.plan.closure_of([number])
            for group in self.plan.blocks[other].groups
        ]
        tabled = len(dims) <= max(SIZES)
        self._record(kernels.NEWTON, block, dims if tabled else [])
        if tabled and all(self.reaches[other].regular for other in block.needs):
            table = Table(self, number, dims)
            self.numbers += table.values.ravel().tolist()
            self.reaches.append(Reach(table.regular and self._guesses_hold(number, table)))
        else:
            self.numbers += [0.0] * len(block.groups)
            self.reaches.append(Reach(False))

    def _guesses_hold(self, number: int, table: Table) -> bool:
        """Whether Newton from the table ends, in the middle of every cell, where the walk does."""
        solve = Walker(self, number)
        for cell in product(*(range(size - 1) for size in table.shape)):
            lengths_in = table.lengths_at(np.array(cell) + 0.5)
            theta = solve.solve(lengths_in)
            walked, reached = solve.walk(table.lengths_at(np.array(cell)), lengths_in, table.at(cell))
            if theta is None or reached < 1.0 or np.abs(theta - walked).max() > 1e-7:
                return False
        return True


class Walker:
    """Calls the kernels of one block with scratch memory of its own."""

    def __init__(self, packer: BlockPacker, number: int) -> None:
        self.number = number
        self.link_i, self.link_f = packer.arrays()
        self.record = self.link_i[lengths.BLOCKS_I] + kernels.BLOCK_I * number
        self.variables = list(packer.plan.blocks[number].variables)
        n_vars, n_acts = len(packer.plan.variables), len(packer.robot.actuators)
        self.theta = np.zeros(n_vars)
        self.lengths_work = np.zeros(n_acts)
        self.work = np.zeros(n_vars + kernels.WORK)
        self.theta_work = np.zeros((2, n_vars))
        self.steps = np.zeros((lengths.MAX_STEPS + 1, 6))
        self.A = np.zeros((kernels.MAX, kernels.MAX + 1))

    def walk(self, start: Floats, end: Floats, theta: Floats) -> tuple[Floats, float]:
        """The block's variables at the end of a straight way, and the fraction that exists."""
        self.theta[self.variables] = theta
        for other in range(self.number):
            kernels.solve_block(
                self.link_i, self.link_f, other, start, self.theta, self.steps, self.A
            )
        reached = kernels.walk(
            self.link_i, self.link_f, self.number, start, end, MAX_TURN, self.lengths_work,
            self.work, self.theta_work, self.theta,
        )  # fmt: skip
        return self.theta[self.variables].copy(), float(reached)

    def solve(self, end: Floats) -> Floats | None:
        """The block's variables by table and Newton, with those that it needs; None if none."""
        for block in range(self.number + 1):
            status = kernels.solve_block(
                self.link_i, self.link_f, block, end, self.theta, self.steps, self.A
            )
            if status != kernels.SOLVED:
                return None
        return self.theta[self.variables].copy()

    def jacobian(self, end: Floats, theta: Floats) -> Floats:
        """d(lengths) / d(variables) of the block, (n, n)."""
        n = len(self.variables)
        J = np.empty((n, n))
        self.theta[self.variables] = theta
        for col in range(n):  # solve against unit vectors would invert it: read it row by row
            for row in range(n):
                J[row, col] = 0.0
        for row in range(n):
            act = int(self.link_i[self.record + 4 + kernels.MAX + row])
            lengths.length(self.link_i, self.link_f, act, self.theta, self.steps)
            at = self.link_i[lengths.ACTS_I] + lengths.ACT_I * act
            first, count = self.link_i[at], self.link_i[at + 1]
            for k in range(count):
                var = self.link_i[self.link_i[lengths.STEPS_I] + lengths.STEP_I * (first + k) + 1]
                if var in self.variables:
                    J[row, self.variables.index(int(var))] += self.steps[k, 5]
        return J


class Table:
    """A block's variables at the nodes of a grid over lengths, by continuation from home."""

    def __init__(self, packer: BlockPacker, number: int, dims: list[int]) -> None:
        """Fill the table; `regular` tells whether the branch covers the box."""
        self.dims = dims
        self.shape = (SIZES[len(dims)],) * len(dims)
        self.home = np.array(packer.packer.geometry.home.lengths)
        self.low = np.array([packer.packer.acts_f[act][5] for act in dims])
        self.high = np.array([packer.packer.acts_f[act][6] for act in dims])
        n = len(packer.plan.blocks[number].variables)
        # the kernels read the first dimension as the fastest: nodes are stored in Fortran order
        self.nodes = np.full((*self.shape, n), np.nan)
        self.walker = Walker(packer, number)
        self.regular = self._fill() and self._clear_of_singular()

    @property
    def values(self) -> Floats:
        """Variables by node, the first dimension running fastest."""
        order = (*range(len(self.dims) - 1, -1, -1), len(self.dims))
        return np.nan_to_num(np.ascontiguousarray(self.nodes.transpose(order)))

    def at(self, node: tuple[int, ...]) -> Floats:
        """Variables at a node."""
        found: Floats = self.nodes[node]
        return found

    def lengths_at(self, node: Floats) -> Floats:
        """Lengths of all actuators at a place of the grid; others as at home."""
        all_lengths = self.home.copy()
        part = np.asarray(node, dtype=float) / (np.array(self.shape) - 1)
        all_lengths[self.dims] = self.low + part * (self.high - self.low)
        return all_lengths

    def _fill(self) -> bool:
        """Breadth first from the node nearest to home; False if one cannot be reached."""
        wide = self.high - self.low
        place = (self.home[self.dims] - self.low) / wide * (np.array(self.shape) - 1)
        first = tuple(int(i) for i in np.clip(np.rint(place), 0, np.array(self.shape) - 1))
        zero = np.zeros(self.nodes.shape[-1])
        self.nodes[first], reached = self.walker.walk(self.home, self.lengths_at(first), zero)
        if reached < 1.0:
            return False
        waiting = deque([first])
        while waiting:
            node = waiting.popleft()
            for other in self._neighbours(node):
                if np.isnan(self.nodes[other]).any():
                    start, end = self.lengths_at(node), self.lengths_at(other)
                    self.nodes[other], reached = self.walker.walk(start, end, self.nodes[node])
                    if reached < 1.0:
                        return False
                    waiting.append(other)
        return True

    def _neighbours(self, node: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for d, size in enumerate(self.shape):
            for step in (-1, 1):
                if 0 <= node[d] + step < size:
                    yield (*node[:d], node[d] + step, *node[d + 1 :])

    def _clear_of_singular(self) -> bool:
        """Whether no Jacobian can become singular on the way from a node to the next."""
        jacobians = {
            node: self.walker.jacobian(self.lengths_at(node), self.nodes[node])
            for node in product(*(range(size) for size in self.shape))
        }
        for node, J in jacobians.items():
            smallest = np.linalg.svd(J, compute_uv=False)[-1]
            if any(
                smallest <= np.linalg.norm(J - jacobians[other])
                for other in self._neighbours(node)
            ):
                return False
        return True
