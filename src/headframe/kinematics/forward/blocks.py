"""The blocks of a plan as records for the kernels: closed forms, or tables for Newton's method.

A table holds a block's variables at the nodes of a grid over the lengths that it depends on. The
nodes are found by continuation from home, so they are on the working branch, and the block is
called regular if that reaches every node and its Jacobian stays clear of singular: its smallest
singular value at every node is larger than the Jacobian's change to the next node. Then the
branch is one sheet over the whole box, its point for given lengths is unique, and Newton's method
from the table's value finds it; that is checked in the middle of every cell. The walk's grid is
coarse; the table that is kept is a finer one, filled from it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from ...jit import Record, header, matrix, new_records, numbers
from ...mechanism import Floats
from ..linkage import NotPlaneError, Packer
from ..plan import Plan, PlannedBlock
from ..records import BLOCK, LINKAGE, MAX_MOTIONS, MOST_VARIABLES, Operation, StepKind
from . import block_solving as kernels

# nodes along each dimension of a grid: tried in turn for the walk from home, and for the table
WALKED = {1: (17, 33, 65), 2: (17, 33, 65), 3: (9, 17)}
TABLED = {1: 129, 2: 65, 3: 25}
ON_DEAD_CENTRE = 1e-6  # [rad, m] from a dead centre that counts as on it
ROUNDING = 1e-12  # [m] by which bounds that touch a dead centre may lie beyond it
CHANGE_POINT = 1e-9  # of a cosine: a four-bar that can just become flat has an end there
MAX_TURN = 0.1  # largest motion of a variable within one part of a continuation [rad, m]


@dataclass(frozen=True)
class BlockReach:
    """What of a block's lengths can be reached from home.

    `regular` where all of it can, on one sheet. `interval` holds the ends for a block of one group
    with a closed form [m]; it is None where only continuation can tell. `dead_centres` are the
    lengths of such a block in which its motion ends, inside its bounds or beyond [m].
    """

    regular: bool
    interval: tuple[float, float] | None = None
    dead_centres: tuple[float, float] | None = None


class BlockPacker:
    """Makes the records of all blocks, in solving order."""

    def __init__(self, plan: Plan, packer: Packer) -> None:
        self.plan = plan
        self.packer = packer
        self.robot = packer.mechanism.robot
        self.first = [members[0] for members in self.robot.groups]
        self.records: list[Record] = []
        self.tables: list[float] = []
        self.reaches: list[BlockReach] = []
        for number in range(len(plan.blocks)):
            self._add(number)

    def packed(self) -> Floats:
        """The linkage with the blocks made so far."""
        return self.packer.packed(self.records, self.tables)

    def _add(self, number: int) -> None:
        block = self.plan.blocks[number]
        act = self.first[block.groups[0]]
        steps = self.packer.steps_of(act)
        if len(block.groups) == 1 and len(steps) == 1:
            if steps[0].kind == StepKind.TURNING:
                self._add_turn(block, act, steps[0])
                return
            if steps[0].kind == StepKind.SLIDING:
                self._add_slide(block, act, steps[0])
                return
        self._add_newton(number, block)

    def _add_turn(self, block: PlannedBlock, act: int, step: Record) -> None:
        """Over one hinge: |c + e^(i delta) d|^2 + h^2 = k0 + k1 cos(delta + psi)."""
        chain, sign = self.packer.chains[act], float(step.sign)
        c, d = complex(*(step.place - chain.tube)), complex(*(chain.rod - step.place))
        psi = math.atan2((c.conjugate() * d).imag, (c.conjugate() * d).real)
        k0 = abs(c) ** 2 + abs(d) ** 2 + float(chain.height2)
        k1 = 2.0 * abs(c) * abs(d)
        side = 1.0 if psi >= 0.0 else -1.0
        record = self._record(Operation.CLOSED_TURN, block)
        record.constant, record.scale = k0, 1.0 / k1 if k1 > 0.0 else 0.0
        record.shift, record.side = sign * psi, sign * side
        nearest, farthest = math.sqrt(max(0.0, k0 - k1)), math.sqrt(k0 + k1)
        variable = self.plan.variables[block.variables[0]]
        if variable.four_bar >= 0:
            # the lengths fall or rise with |delta + psi|, from 0 (farthest) to pi (nearest)
            ends = closing_turns(self.packer.four_bars[variable.four_bar])
            arms = sorted(min(math.pi, max(0.0, side * (sign * end + psi))) for end in ends)
            opens = math.sqrt(max(0.0, k0 + k1 * math.cos(arms[1])))
            folds = math.sqrt(max(0.0, k0 + k1 * math.cos(arms[0])))
            # where the circles part there is no pose to stop in: keep clear of it
            nearest = opens + ON_DEAD_CENTRE if opens > nearest else nearest
            farthest = folds - ON_DEAD_CENTRE if folds < farthest else farthest
        aligned = min(abs(psi), math.pi - abs(psi)) < ON_DEAD_CENTRE
        self._add_reach(float(chain.lower), float(chain.upper), nearest, farthest, aligned)

    def _add_slide(self, block: PlannedBlock, act: int, step: Record) -> None:
        """Over one slide: |p + s d|^2 + h^2 = (s + b)^2 + c."""
        chain, sign = self.packer.chains[act], float(step.sign)
        (x, y), (dx, dy) = (chain.rod - chain.tube).tolist(), step.place.tolist()
        b = x * dx + y * dy
        c = (x * dy - y * dx) ** 2 + float(chain.height2)
        side = 1.0 if b >= 0.0 else -1.0
        record = self._record(Operation.CLOSED_SLIDE, block)
        record.constant, record.side, record.shift = c, sign * side, sign * b
        low, high = float(chain.lower), float(chain.upper)
        self._add_reach(low, high, math.sqrt(c), math.inf, abs(b) < ON_DEAD_CENTRE)

    def _add_reach(
        self, low: float, high: float, nearest: float, farthest: float, at_end: bool
    ) -> None:
        """A closed form between two dead centres; regular if the bounds keep clear of them.

        Home itself may stand on a dead centre (`at_end`): then it has no side.
        """
        regular = nearest <= low + ROUNDING and high <= farthest + ROUNDING and not at_end
        interval = max(low, nearest), min(high, farthest)
        self.reaches.append(BlockReach(regular, interval, (nearest, farthest)))

    def _record(self, operation: Operation, block: PlannedBlock) -> Record:
        """Add a block, as yet without a table."""
        acts = [self.first[group] for group in block.groups]
        motions = list(
            dict.fromkeys(int(step.motion) for act in acts for step in self.packer.steps_of(act))
        )
        if len(motions) > MAX_MOTIONS:
            raise NotPlaneError(f"a block has {len(motions)} motions")
        record = new_records(1, BLOCK)[0]
        record.operation, record.n, record.n_motions = operation, len(acts), len(motions)
        record.variables[: len(acts)], record.actuators[: len(acts)] = block.variables, acts
        record.motions[: len(motions)] = motions
        record.table = len(self.tables)
        self.records.append(record)
        return record

    def _set_table(self, record: Record, dims: list[int], size: int) -> None:
        """Let a block have a table over some actuators' lengths, of so many nodes in each."""
        chains, n = self.packer.chains[dims], len(dims)
        record.dims = n
        record.table_actuators[:n], record.sizes[:n] = dims, size
        record.shortest[:n] = chains.lower
        record.density[:n] = (size - 1) / (chains.upper - chains.lower)

    def _add_newton(self, number: int, block: PlannedBlock) -> None:
        dims = [
            self.first[group]
            for other in self.plan.closure_of([number])
            for group in self.plan.blocks[other].groups
        ]
        before = len(self.tables)
        if len(dims) in WALKED and all(self.reaches[other].regular for other in block.needs):
            for size in WALKED[len(dims)]:
                self._set_table(self._record(Operation.NEWTON, block), dims, size)
                walk = Table(self, number, dims, size)
                self.tables += walk.numbers
                regular = walk.regular and self._rings_hold(block, walk)
                if regular and self._guesses_hold(number, walk):
                    self._refine(number, walk)
                    self.reaches.append(BlockReach(True))
                    return
                del self.records[number], self.tables[before:]
        self._record(Operation.NEWTON, block)
        self.reaches.append(BlockReach(False))

    def _rings_hold(self, block: PlannedBlock, walk: Table) -> bool:
        """Whether no four-bar passes a pose in which its branches meet."""
        for k, number in enumerate(block.variables):
            variable = self.plan.variables[number]
            if variable.four_bar >= 0:
                low, high = closing_turns(self.packer.four_bars[variable.four_bar])
                turns = walk.nodes[..., k]
                if np.min(turns) < low + ON_DEAD_CENTRE or np.max(turns) > high - ON_DEAD_CENTRE:
                    return False
        return True

    def _refine(self, number: int, walk: Table) -> None:
        """Replace the walk's grid by a finer one, filled from it."""
        record, dims = self.records[number], len(walk.dims)
        size = TABLED[dims]
        walker = Walker(self, number)
        nodes = np.zeros(size**dims * record.n)
        sizes = np.full(MOST_VARIABLES, size, dtype=np.int64)
        if not kernels.tabulate(walker.link, number, sizes, walker.work, nodes):
            raise NotPlaneError("a table cannot be filled")
        self._set_table(record, walk.dims, size)
        del self.tables[record.table :]
        self.tables += nodes.tolist()

    def _guesses_hold(self, number: int, table: Table) -> bool:
        """Whether Newton from the table ends, in the middle of every cell, where the walk does."""
        solve = Walker(self, number)
        for cell in product(*(range(size - 1) for size in table.shape)):
            wanted = table.lengths_at(np.array(cell) + 0.5)
            theta = solve.solve(wanted)
            walked, reached = solve.walk(table.lengths_at(np.array(cell)), wanted, table.at(cell))
            if theta is None or reached < 1.0 or np.abs(theta - walked).max() > 1e-7:
                return False
        return True


def closing_turns(bar: Record) -> tuple[float, float]:
    """How far a four-bar's input can turn from home, both ways, before its circles part.

    The pivots yz and wx are |BD|^2 = a0 + a1 cos(theta + gamma) apart, and the circles about them
    meet while that lies between the squares of the radii's difference and sum.
    """
    A, B, D = complex(*bar.xy), complex(*bar.yz), complex(*bar.wx)
    r1, r2 = math.sqrt(bar.yz_zw), math.sqrt(bar.wx_zw)
    arm = (A - D).conjugate() * (B - A)
    a0, a1 = abs(A - D) ** 2 + abs(B - A) ** 2, 2.0 * abs(arm)
    if a1 == 0.0:
        return -math.inf, math.inf
    gamma = math.atan2(arm.imag, arm.real)
    flip = -1.0 if gamma < 0.0 else 1.0
    stretched, folded = ((r1 + r2) ** 2 - a0) / a1, ((r1 - r2) ** 2 - a0) / a1
    # |theta + gamma| may go from `inner` to `outer`, and through 0 or pi where those are no ends
    inner = math.acos(min(1.0, stretched)) if stretched < 1.0 + CHANGE_POINT else None
    outer = math.acos(max(-1.0, folded)) if folded > -1.0 - CHANGE_POINT else None
    if inner is None and outer is None:
        return -math.inf, math.inf
    low = inner if inner is not None else -outer if outer is not None else 0.0
    high = outer if outer is not None else math.tau - low
    ends = sorted((flip * low - gamma, flip * high - gamma))
    return ends[0], ends[1]


def flat_turns(bar: Record) -> tuple[float, float]:
    """As `closing_turns`, for the ends alone in which the four-bar lies flat and branches meet."""
    A, B, D = complex(*bar.xy), complex(*bar.yz), complex(*bar.wx)
    shortest, longest = abs(abs(A - D) - abs(B - A)), abs(A - D) + abs(B - A)
    r1, r2 = math.sqrt(bar.yz_zw), math.sqrt(bar.wx_zw)
    flat = min(abs(longest - r1 - r2), abs(shortest - abs(r1 - r2))) < CHANGE_POINT * longest
    return closing_turns(bar) if flat else (-math.inf, math.inf)


class Walker:
    """Calls the kernels of one block with scratch memory of its own."""

    def __init__(self, packer: BlockPacker, number: int) -> None:
        self.number, self.link = number, packer.packed()
        self.variables = list(packer.plan.blocks[number].variables)
        self.work = packer.packer.new_work()
        at = header(self.link, LINKAGE).work
        self.theta, self.A = numbers(self.work, at.theta), matrix(self.work, at.A)
        numbers(self.work, at.lengths)[:] = packer.packer.geometry.home.lengths

    def walk(self, start: Floats, end: Floats, theta: Floats) -> tuple[Floats, float]:
        """The block's variables at the end of a straight way, and the fraction that exists."""
        self.theta[self.variables] = theta
        self._solve(self.number, start)
        reached = kernels.walk(self.link, self.number, start, end, MAX_TURN, self.work)
        return self.theta[self.variables].copy(), float(reached)

    def solve(self, end: Floats) -> Floats | None:
        """The block's variables by table and Newton, with those that it needs; None if none."""
        if not self._solve(self.number + 1, end):
            return None
        return self.theta[self.variables].copy()

    def _solve(self, count: int, lengths: Floats) -> bool:
        """Set the variables of the first blocks."""
        solved: bool = kernels.set_blocks(self.link, count, lengths, self.work)
        return solved

    def jacobian(self, lengths: Floats, theta: Floats) -> Floats:
        """d(lengths) / d(variables) of the block, (n, n)."""
        self._solve(self.number, lengths)
        self.theta[self.variables] = theta
        kernels.block_equations(self.link, self.number, lengths, self.work)
        n = len(self.variables)
        return self.A[:n, :n].copy()


class Table:
    """A block's variables at the nodes of a grid over lengths, by continuation from home."""

    def __init__(self, packer: BlockPacker, number: int, dims: list[int], size: int) -> None:
        """Fill the table; `regular` tells whether the branch covers the box."""
        self.dims = dims
        self.shape = (size,) * len(dims)
        self.home = np.array(packer.packer.geometry.home.lengths)
        self.low = packer.packer.chains.lower[dims]
        self.high = packer.packer.chains.upper[dims]
        n = len(packer.plan.blocks[number].variables)
        self.nodes = np.full((*self.shape, n), np.nan)
        self.walker = Walker(packer, number)
        self.regular = self._fill() and self._clear_of_singular()

    @property
    def numbers(self) -> list[float]:
        """The table as `look_up` reads it, the first dimension running fastest."""
        order = (*range(len(self.dims) - 1, -1, -1), len(self.dims))
        found: list[float] = np.ascontiguousarray(self.nodes.transpose(order)).ravel().tolist()
        return found

    def at(self, node: tuple[int, ...]) -> Floats:
        """Variables at a node."""
        found: Floats = self.nodes[node]
        return found

    def lengths_at(self, node: ArrayLike) -> Floats:
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
                smallest <= np.linalg.norm(J - jacobians[other]) for other in self._neighbours(node)
            ):
                return False
        return True
