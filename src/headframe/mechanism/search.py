"""The search for ways to assemble a block of loops.

Assemblies at given lengths are collected by solving from many starts. How much of the box of
lengths an assembly's component covers is measured by straight-line continuation to lengths
spread over the box.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ..errors import AssemblyError
from .blocks import Block
from .compiled import Floats, Ints, Mechanism
from .request import HomeRequest
from .solver import follow, loop_angles, loop_gaps, solve
from .state import State

SAMPLES = 64  # lengths to which a component's cover of the box is measured
ELSEWHERE = 12  # lengths at which to look for assemblies if none covers the whole box
MOST_ASSEMBLIES = 48


@dataclass(frozen=True)
class Assembly:
    """One way to assemble a block.

    Attributes:
        q: joint positions of the whole mechanism.
        cover: part of the box of lengths that straight lines from here reach.
        squares: sum of the block's squared joint values.
    """

    q: Floats
    cover: float
    squares: float


class Search:
    """Finds, measures and chooses assemblies of the blocks of one mechanism."""

    def __init__(self, mechanism: Mechanism, request: HomeRequest) -> None:
        self.mechanism = mechanism
        self.request = request
        self.reach = float(np.max(request.upper, initial=1.0))

    def assembled(self, block: Block, q: Floats) -> Floats:
        """`q` with the joints of `block` assembled."""
        if np.isin(block.dofs, self.request.named).any():
            return self._at_named_joints(block, q)
        if not block.dofs.size or not block.drivers.size:
            return self._passive(block, q)
        return self.chosen(self.assemblies(block, q), block, q).q

    def assemblies(self, block: Block, q: Floats) -> list[Assembly]:
        """The ways to assemble a driven block, one a component as far as can be told."""
        found = self._at_lengths(block, q, self.request.lengths)
        if np.isin(block.drivers, self.request.named_lengths).any():
            return found
        if not any(assembly.cover == 1.0 for assembly in found):
            for lengths in self._spread_lengths(block, ELSEWHERE, corners=False):
                found += [
                    assembly
                    for assembly in self._at_lengths(block, q, lengths)
                    if not any(self._same(assembly.q, other.q) for other in found)
                ]
        return found or self._anywhere(block, q)

    def chosen(self, found: list[Assembly], block: Block, q: Floats) -> Assembly:
        """The assembly with the largest cover, and of equal ones that nearest to zero.

        Covers are fractions of a sample: they count as equal within twice the standard
        deviation of such a fraction.
        """
        if not found:
            raise self._open_loop(block, q, block.driven_rows(self.mechanism))
        best = max(assembly.cover for assembly in found)
        noise = 2.0 * math.sqrt(best * (1.0 - best) / SAMPLES) + 0.5 / SAMPLES
        covering = [assembly for assembly in found if assembly.cover > best - noise]
        return min(covering, key=lambda assembly: assembly.squares)

    # -- ways to assemble --------------------------------------------------------------

    def _at_named_joints(self, block: Block, q: Floats) -> Floats:
        """Close the block at the file's joint values, or as near to them as rounding asks for.

        The named joints are held and the others searched for; if that cannot be, because the
        values are rounded, all joints give way a little.
        """
        m = self.mechanism
        free = block.dofs[~np.isin(block.dofs, self.request.named)]
        solutions = self._solutions(free, q, block.closing)
        if not solutions:
            polished = solve(m, q, rows=block.closing, dofs=block.dofs)
            if polished.solved:
                self.request.check_joints(polished.q)
                solutions = [polished.q]
        return self._nearest_to_zero(block, q, solutions)

    def _passive(self, block: Block, q: Floats) -> Floats:
        """Close a block that no cylinder drives, nearest to joints at zero."""
        solutions = self._solutions(block.dofs, q, block.closing)
        return self._nearest_to_zero(block, q, [self._fresh(block, s) for s in solutions])

    def _solutions(self, dofs: Ints, q: Floats, rows: Ints) -> list[Floats]:
        found = (
            solve(self.mechanism, start, rows=rows, dofs=dofs) for start in self._starts(dofs, q)
        )
        return [solution.q for solution in found if solution.solved]

    def _nearest_to_zero(self, block: Block, q: Floats, solutions: list[Floats]) -> Floats:
        """Of closed poses the one with the smallest joint values, in bounds and limits."""
        if not solutions:
            raise self._open_loop(block, q, block.closing)
        inside = [s for s in solutions if self.request.in_bounds(s, block.actuators)]
        if not inside:
            raise self._out_of_bounds(block, solutions[0])
        within = [s for s in inside if self._in_limits(block, s)]
        return min(within or inside, key=lambda s: self._squares(block, s))

    def _at_lengths(self, block: Block, q: Floats, lengths: Floats) -> list[Assembly]:
        """All assemblies of a block at the given lengths, with the cover of their components."""
        m = self.mechanism
        rows = block.driven_rows(m)
        found: list[Floats] = []
        without_news = 0
        for start in self._starts(block.dofs, q):
            solution = solve(m, start, lengths, rows, block.dofs)
            without_news += 1
            if solution.solved:
                candidate = self._fresh(block, solution.q)
                if not any(self._same(candidate, other) for other in found):
                    found.append(candidate)
                    without_news = 0
            if len(found) >= MOST_ASSEMBLIES or without_news > 16 + 12 * block.dofs.size:
                break
        found = [s for s in found if self.request.in_bounds(s, block.actuators)]
        within = [s for s in found if self._in_limits(block, s)]
        return [self._measured(block, s, lengths) for s in within or found]

    def _anywhere(self, block: Block, q: Floats) -> list[Assembly]:
        """Look for any closed pose with lengths in bounds: close, then pull the lengths in."""
        m = self.mechanism
        rows = block.driven_rows(m)
        for start in self._starts(block.dofs, q):
            closed = solve(m, start, rows=block.closing, dofs=block.dofs)
            lengths = np.clip(State(m, closed.q).lengths, self.request.lower, self.request.upper)
            pulled = solve(m, closed.q, lengths, rows, block.dofs)
            if pulled.solved and self.request.in_bounds(pulled.q, block.actuators):
                return [self._measured(block, self._fresh(block, pulled.q), lengths)]
        return []

    # -- measures ----------------------------------------------------------------------

    def _measured(self, block: Block, q: Floats, lengths: Floats) -> Assembly:
        """An assembly, moved towards the lengths that are wanted, and the cover from there."""
        rows = block.driven_rows(self.mechanism)
        q, lengths = self._centred(block, q, lengths)
        ends = [
            follow(self.mechanism, q, lengths, target, rows, block.dofs)
            for target in self._spread_lengths(block, SAMPLES)
        ]
        reached = sum(end.solved and self.request.in_bounds(end.q, block.actuators) for end in ends)
        return Assembly(q, reached / len(ends), self._squares(block, q))

    def _centred(self, block: Block, q: Floats, lengths: Floats) -> tuple[Floats, Floats]:
        """Follow the straight line to the wanted lengths, as far as it goes and a little less."""
        rows, wanted = block.driven_rows(self.mechanism), self.request.lengths
        if np.array_equal(lengths[block.drivers], wanted[block.drivers]):
            return q, lengths
        far = follow(self.mechanism, q, lengths, wanted, rows, block.dofs)
        part = 1.0 if far.solved else 0.9 * far.reached
        middle = lengths + part * (wanted - lengths)
        end = follow(self.mechanism, q, lengths, middle, rows, block.dofs)
        if not end.solved or not self.request.in_bounds(end.q, block.actuators):
            return q, lengths
        return end.q, middle

    def _spread_lengths(self, block: Block, count: int, corners: bool = True) -> Iterator[Floats]:
        """Lengths spread over the box of the block's drivers; some of its corners if wanted."""
        lower = self.request.lower[block.drivers]
        upper = self.request.upper[block.drivers]
        unit = spread(count, len(lower))
        for k in range(min(2 ** len(lower), count // 4) if corners else 0):
            unit[k] = [(k >> bit) & 1 for bit in range(len(lower))]
        for row in unit:
            lengths = self.request.lengths.copy()
            lengths[block.drivers] = lower + row * (upper - lower)
            yield lengths

    def _squares(self, block: Block, q: Floats) -> float:
        """Sum of squared joint values of a block; quaternions count from the identity."""
        positions = self.mechanism.positions_of(block.dofs)
        return float(np.sum((q[positions] - self.mechanism.q_zero[positions]) ** 2))

    def _in_limits(self, block: Block, q: Floats) -> bool:
        m = self.mechanism
        mine = np.isin(m.limited, m.positions_of(block.dofs))
        values = q[m.limited[mine]]
        lower, upper = m.limit_lower[mine], m.limit_upper[mine]
        return bool(np.all((values >= lower) & (values <= upper)))

    def _same(self, q: Floats, other: Floats) -> bool:
        """Whether two assemblies put all links in the same places."""
        place = self.mechanism.place
        return bool(np.allclose(place(q)[0], place(other)[0], atol=1e-6))

    def _fresh(self, block: Block, q: Floats) -> Floats:
        """A newly found pose with the block's angles nearest to zero, inside limits if possible.

        Angles that a repeater uses stay as they are, since it counts turns. Quaternions get a
        positive w. Only ever done to a pose that nothing has moved from yet.
        """
        m = self.mechanism
        fresh = q.copy()
        mine = m.positions_of(block.dofs)
        turning = np.intersect1d(np.setdiff1d(m.angles, m.repeated), mine)
        fresh[turning] = np.remainder(q[turning] + np.pi, 2 * np.pi) - np.pi
        limited = np.isin(m.limited, turning)
        at, lower, upper = m.limited[limited], m.limit_lower[limited], m.limit_upper[limited]
        turns = np.ceil((lower - fresh[at]) / (2 * np.pi))
        inside = fresh[at] + 2 * np.pi * turns
        too_low = fresh[at] < lower
        too_high = fresh[at] > upper
        fresh[at[too_low]] = inside[too_low]
        back = fresh[at] - 2 * np.pi * np.ceil((fresh[at] - upper) / (2 * np.pi))
        fresh[at[too_high]] = back[too_high]
        for start in np.intersect1d(m.quaternions, mine):
            if fresh[start] < 0.0:
                fresh[start : start + 4] *= -1.0
        return fresh

    def _starts(self, dofs: Ints, q: Floats) -> Iterator[Floats]:
        """Positions to solve from: `q` itself, then spread at random with a fixed seed."""
        yield q
        m = self.mechanism
        mine = m.positions_of(dofs)
        angles, slides = np.intersect1d(m.angles, mine), np.intersect1d(m.slides, mine)
        quaternions = np.intersect1d(m.quaternions, mine)
        random = np.random.default_rng(0)
        for _ in range(48 * dofs.size):
            start = q.copy()
            start[angles] = random.uniform(-np.pi, np.pi, angles.size)
            start[slides] = random.uniform(-self.reach, self.reach, slides.size)
            for at in quaternions:
                quat = random.normal(size=4)
                start[at : at + 4] = quat / np.linalg.norm(quat)
            yield start

    # -- what went wrong ---------------------------------------------------------------

    def _open_loop(self, block: Block, q: Floats, rows: Ints) -> AssemblyError:
        """Say which loop stays open the widest in the best pose that can be found."""
        m, request = self.mechanism, self.request
        starts = islice(self._starts(block.dofs, q), 40)
        tries = [solve(m, start, request.lengths, rows, block.dofs) for start in starts]
        state = State(m, min(tries, key=lambda solution: solution.residual).q)
        mine = {m.topology.loops[n].name for n in m.constraints["loop"][rows] if n >= 0}
        gaps = {name: gap for name, gap in loop_gaps(state).items() if name in mine}
        driven = block.drivers[np.isin(m.length_rows[block.drivers], rows)]
        lower, upper = request.allowed
        outside = np.maximum(np.maximum(lower - state.lengths, state.lengths - upper), 0.0)
        missing = {m.robot.actuators[i].name: float(outside[i]) for i in driven}
        name, gap = max({**gaps, **missing}.items(), key=lambda item: item[1])
        if name in missing:
            i = m.robot.actuator_index[name]
            wanted = (
                f"be {lower[i]:g} m long, as home wants"
                if lower[i] == upper[i]
                else f"have any length between {lower[i]:g} and {upper[i]:g} m"
            )
            return AssemblyError(
                f"cannot be assembled: actuator {name!r} cannot {wanted}; it misses by {gap:.3g} m",
                name,
                gap,
            )
        angle = loop_angles(state)[name]
        turned = f" and {angle:.3g} rad" if angle > 1e-6 else ""
        return AssemblyError(
            f"cannot be assembled: loop {name!r} stays open by {gap:.3g} m{turned}", name, gap
        )

    def _out_of_bounds(self, block: Block, q: Floats) -> AssemblyError:
        """Say which cylinder lies furthest outside its bounds, and which others do."""
        lower, upper = self.request.lower, self.request.upper
        lengths = State(self.mechanism, q).lengths
        outside = np.maximum(lower - lengths, lengths - upper)[block.actuators]
        i = int(block.actuators[int(np.argmax(outside))])
        actuator = self.mechanism.robot.actuators[i]
        names = [self.mechanism.robot.actuators[k].name for k in block.actuators[outside > 0.0]]
        others = ", ".join(repr(name) for name in names if name != actuator.name)
        return AssemblyError(
            f"home: actuator {actuator.name!r} is {lengths[i]:.6g} m long, "
            f"outside its bounds {lower[i]:g} to {upper[i]:g} m"
            f"{f' (so are {others})' if others else ''}; "
            "change the bounds, or the joints that home names",
            actuator.name,
            float(outside.max()),
        )


def spread(count: int, dimensions: int) -> Floats:
    """Points spread evenly over the unit cube, (count, dimensions).

    Multiples of an irrational vector modulo 1; its entries are powers of the root of
    x^(d + 1) = x + 1, the golden ratio's generalisation to d dimensions.
    """
    root = 1.5
    for _ in range(60):
        root = (1.0 + root) ** (1.0 / (dimensions + 1))
    steps = root ** -np.arange(1.0, dimensions + 1)
    points: Floats = np.remainder(0.5 + np.outer(np.arange(count), steps), 1.0)
    return points
