"""The home pose: every loop closed, every cylinder inside its bounds, found from the file alone.

Files carry no assembled pose, and a mechanism has several: a two-leg support 3 to 10 for one
pair of leg lengths. Which one, when the file does not say: among the connected components of
configurations whose lengths lie in the bounds, those that cover most of the box of lengths, and
of these the one with the smallest sum of squared joint values.

Blocks of loops without a joint in common are independent: what a machine can do is the product
of what its blocks can do, so each block is searched alone. Within a block, assemblies in the
middle of the box are collected by solving from many starts; how much of the box an assembly's
component covers is measured by straight-line continuation to sampled lengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..errors import AssemblyError
from . import _kernels as kernels
from .blocks import Block, bounds_of, find_blocks
from .compiled import Floats, Ints, Mechanism
from .solver import follow, loop_gaps, solve
from .state import State

CLOSED = 1e-12  # largest gap of a closed loop [m]
BOUND_SLACK = 1e-9  # how far a length may lie outside its bounds [m]
ROUNDING = 0.1  # how far the file's home may be from a closed pose [rad, m]
SAMPLES = 64  # lengths to which a component's cover of the box is measured
ELSEWHERE = 12  # lengths at which to look for assemblies if none covers the whole box
MOST_ASSEMBLIES = 48


@dataclass(frozen=True)
class Assembly:
    """One way to assemble a block: positions, and the part of the length box it covers."""

    q: Floats
    cover: float
    squares: float


def assemble(mechanism: Mechanism) -> State:
    """Find the home pose.

    Raises:
        AssemblyError: a loop cannot be closed, or no closed pose has all lengths in bounds.
    """
    search = _Search(mechanism)
    q = search.start.copy()
    for block in search.blocks:
        q = search.assembled(block, q)
    state = State(mechanism, q)
    for name, gap in loop_gaps(state).items():
        if gap > CLOSED:
            raise AssemblyError(f"loop {name!r} stays open by {gap:.3g} m", name, gap)
    search.check_named_lengths(state)
    return state


class _Search:
    """The search for the home pose of one mechanism."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.blocks = find_blocks(mechanism)
        self.lower, self.upper = bounds_of(mechanism)
        self.start, self.named = self._home_joints()
        self.wanted = self._home_lengths()
        self.reach = float(self.upper.max(initial=1.0))

    # -- what the file says ------------------------------------------------------------

    def _home_joints(self) -> tuple[Floats, Ints]:
        """Positions to start from, and the velocities whose joints the file names."""
        m = self.mechanism
        q = m.q_zero.copy()
        for name, part in m.position_of_joint.items():
            limit = m.robot.joint(name).limit
            if limit is not None and part.stop - part.start == 1:
                q[part] = min(max(0.0, limit.lower), limit.upper)
        named: list[int] = []
        home = m.robot.home
        for name, value in (home.joints or {}).items() if home else ():
            part = m.position_of_joint[name]
            if part.stop - part.start != np.size(value):
                raise AssemblyError(
                    f"home: joint {name!r} takes {part.stop - part.start} value(s), "
                    f"but {np.size(value)} are given",
                    name,
                )
            q[part] = value
            limit = m.robot.joint(name).limit
            if limit is not None and not limit.lower <= float(np.max(value)) <= limit.upper:
                raise AssemblyError(
                    f"home: joint {name!r} is at {value:g}, "
                    f"outside its limit {limit.lower:g} to {limit.upper:g}",
                    name,
                )
            velocities = m.velocity_of_joint[name]
            named += range(velocities.start, velocities.stop)
        return q, np.array(named, dtype=np.int64)

    def _home_lengths(self) -> Floats:
        """Lengths to assemble at: the file's, else the middle of the bounds."""
        lengths = 0.5 * (self.lower + self.upper)
        home = self.mechanism.robot.home
        for name, length in (home.actuators or {}).items() if home else ():
            i = self.mechanism.robot.actuator_index[name]
            if not self.lower[i] - BOUND_SLACK <= length <= self.upper[i] + BOUND_SLACK:
                raise AssemblyError(
                    f"home: actuator {name!r} is to be {length:g} m long, "
                    f"outside its bounds {self.lower[i]:g} to {self.upper[i]:g} m",
                    name,
                )
            lengths[i] = length
        return lengths

    # -- one block ---------------------------------------------------------------------

    def assembled(self, block: Block, q: Floats) -> Floats:
        """`q` with the joints of `block` assembled."""
        if np.isin(block.dofs, self.named).any():
            return self._at_named_joints(block, q)
        if not block.dofs.size or not block.drivers.size:
            return self._passive(block, q)
        found = self._assemblies(block, q, self.wanted)
        if not any(assembly.cover == 1.0 for assembly in found):
            for lengths in self._sampled_lengths(block, ELSEWHERE):
                found += self._assemblies(block, q, lengths)
        if not found:
            found = self._anywhere(block, q)
        if not found:
            raise self._open_loop(block, q)
        best = max(assembly.cover for assembly in found)
        covering = [a for a in found if a.cover > best - 0.5 / SAMPLES]
        return min(covering, key=lambda assembly: assembly.squares).q

    def _at_named_joints(self, block: Block, q: Floats) -> Floats:
        """Close the block at the file's joint values, or as near to them as rounding asks for.

        The named joints are held and the others searched for; if that cannot be, because the
        values are rounded, all joints give way a little.
        """
        m = self.mechanism
        free = block.dofs[~np.isin(block.dofs, self.named)]
        solutions = [
            s.q
            for start in self._starts(free, q)
            if (s := solve(m, start, rows=block.closing, dofs=free)).solved
        ]
        polished = solve(m, q, rows=block.closing, dofs=block.dofs)
        if not solutions and polished.solved:
            solutions = [polished.q]
        if not solutions:
            raise self._open_loop(block, q, rows=block.closing)
        inside = [s for s in solutions if self._in_bounds(block, s)]
        if not inside:
            raise self._out_of_bounds(block, solutions[0])
        best = min(inside, key=lambda s: self._squares(block, s))
        self._check_named_joints(best)
        return best

    def _check_named_joints(self, q: Floats) -> None:
        """Refuse a home whose joint values contradict each other by more than rounding."""
        home = self.mechanism.robot.home
        for name, value in (home.joints or {}).items() if home else ():
            found = q[self.mechanism.position_of_joint[name]]
            apart = float(np.max(np.abs(found - value)))
            if apart > ROUNDING:
                shown = ", ".join(f"{v:.4g}" for v in found)
                raise AssemblyError(
                    f"home: the loops do not close with joint {name!r} at {value}; "
                    f"the nearest closed pose has it at {shown}",
                    name,
                    apart,
                )

    def check_named_lengths(self, state: State) -> None:
        """Refuse a home that gives the partners of a group lengths they cannot have together."""
        home = self.mechanism.robot.home
        for name, length in (home.actuators or {}).items() if home else ():
            found = float(state.lengths[self.mechanism.robot.actuator_index[name]])
            if abs(found - length) > BOUND_SLACK:
                raise AssemblyError(
                    f"home: actuator {name!r} is to be {length:g} m long, but follows the first "
                    f"of its group at {found:.6g} m",
                    name,
                    abs(found - length),
                )

    def _passive(self, block: Block, q: Floats) -> Floats:
        """Close a block that no cylinder drives: the closed pose nearest to joints at zero."""
        m = self.mechanism
        solutions = [
            self._wrapped(block, s.q)
            for start in self._starts(block.dofs, q)
            if (s := solve(m, start, rows=block.closing, dofs=block.dofs)).solved
        ]
        if not solutions:
            raise self._open_loop(block, q, rows=block.closing)
        inside = [s for s in solutions if self._in_bounds(block, s)]
        if not inside:
            raise self._out_of_bounds(block, solutions[0])
        return min(inside, key=lambda s: self._squares(block, s))

    def _assemblies(self, block: Block, q: Floats, lengths: Floats) -> list[Assembly]:
        """All assemblies of a block at the given lengths, with the cover of their components."""
        m = self.mechanism
        rows = block.driven_rows(m)
        found: list[Floats] = []
        without_news = 0
        for start in self._starts(block.dofs, q):
            solution = solve(m, start, lengths, rows, block.dofs)
            without_news += 1
            if solution.solved:
                candidate = self._wrapped(block, solution.q)
                if not any(self._same(candidate, other) for other in found):
                    found.append(candidate)
                    without_news = 0
            if len(found) >= MOST_ASSEMBLIES or without_news > 16 + 12 * block.dofs.size:
                break
        found = [s for s in found if self._in_bounds(block, s)]
        within_limits = [s for s in found if self._in_limits(block, s)]
        return [self._measured(block, s, lengths) for s in within_limits or found]

    def _anywhere(self, block: Block, q: Floats) -> list[Assembly]:
        """Look for any closed pose with lengths in bounds: close, then pull the lengths in."""
        m = self.mechanism
        rows = block.driven_rows(m)
        for start in self._starts(block.dofs, q):
            closed = solve(m, start, rows=block.closing, dofs=block.dofs)
            lengths = np.clip(State(m, closed.q).lengths, self.lower, self.upper)
            pulled = solve(m, closed.q, lengths, rows, block.dofs)
            if pulled.solved and self._in_bounds(block, pulled.q):
                return [self._measured(block, self._wrapped(block, pulled.q), lengths)]
        return []

    # -- measures ----------------------------------------------------------------------

    def _measured(self, block: Block, q: Floats, lengths: Floats) -> Assembly:
        """How much of the block's box of lengths straight lines from `q` reach."""
        rows = block.driven_rows(self.mechanism)
        reached = 0
        total = 0
        for target in self._sampled_lengths(block, SAMPLES):
            end = follow(self.mechanism, q, lengths, target, rows, block.dofs)
            reached += end.solved and self._in_bounds(block, end.q)
            total += 1
        return Assembly(q, reached / total, self._squares(block, q))

    def _sampled_lengths(self, block: Block, count: int) -> Iterator[Floats]:
        """Lengths spread over the box of the block's drivers, the corners of the box among them."""
        lower, upper = self.lower[block.drivers], self.upper[block.drivers]
        unit = _spread(count, len(lower))
        corners = min(2 ** len(lower), count // 4)
        for k in range(corners):
            unit[k] = [(k >> bit) & 1 for bit in range(len(lower))]
        for row in unit:
            lengths = self.wanted.copy()
            lengths[block.drivers] = lower + row * (upper - lower)
            yield lengths

    def _squares(self, block: Block, q: Floats) -> float:
        """Sum of squared joint values of a block."""
        positions = self._positions(block)
        return float(np.sum((q[positions] - self.mechanism.q_zero[positions]) ** 2))

    def _positions(self, block: Block) -> Ints:
        m = self.mechanism
        wanted = set(block.dofs.tolist())
        return np.array(
            [
                i
                for name, part in m.position_of_joint.items()
                if wanted & set(range(*m.velocity_of_joint[name].indices(m.nv)))
                for i in range(part.start, part.stop)
            ],
            dtype=np.int64,
        )

    def _in_bounds(self, block: Block, q: Floats) -> bool:
        lengths = State(self.mechanism, q).lengths[block.actuators]
        lower, upper = self.lower[block.actuators], self.upper[block.actuators]
        return bool(np.all((lengths >= lower - BOUND_SLACK) & (lengths <= upper + BOUND_SLACK)))

    def _in_limits(self, block: Block, q: Floats) -> bool:
        m = self.mechanism
        positions = set(self._positions(block).tolist())
        for name, part in m.position_of_joint.items():
            limit = m.robot.joint(name).limit
            if part.start in positions and limit is not None and part.stop - part.start == 1:
                value = q[part.start]
                if not limit.lower - BOUND_SLACK <= value <= limit.upper + BOUND_SLACK:
                    return False
        return True

    def _same(self, q: Floats, other: Floats) -> bool:
        """Whether two assemblies put all links in the same places."""
        return bool(
            np.allclose(self.mechanism.place(q)[0], self.mechanism.place(other)[0], atol=1e-6)
        )

    def _wrapped(self, block: Block, q: Floats) -> Floats:
        """`q` with the block's angles between -pi and pi; only ever done to a fresh assembly."""
        m = self.mechanism
        wrapped = q.copy()
        for body in range(m.tree_i.shape[0]):
            _, code, iq, iv = m.tree_i[body]
            width = {kernels.REVOLUTE: 1, kernels.UNIVERSAL: 2}.get(int(code), 0)
            if width and iv in block.dofs:
                part = slice(iq, iq + width)
                wrapped[part] = np.remainder(q[part] + np.pi, 2 * np.pi) - np.pi
        return wrapped

    def _starts(self, dofs: Ints, q: Floats) -> Iterator[Floats]:
        """Positions to solve from: `q` itself, then spread at random with a fixed seed."""
        yield q
        if not dofs.size:
            return
        m = self.mechanism
        random = np.random.default_rng(0)
        for _ in range(48 * dofs.size):
            start = q.copy()
            for body in range(1, m.tree_i.shape[0]):
                _, code, iq, iv = m.tree_i[body]
                if iv not in dofs:
                    continue
                if code == kernels.REVOLUTE:
                    start[iq] = random.uniform(-np.pi, np.pi)
                elif code == kernels.UNIVERSAL:
                    start[iq : iq + 2] = random.uniform(-np.pi, np.pi, 2)
                elif code == kernels.PRISMATIC:
                    start[iq] = random.uniform(-self.reach, self.reach)
                elif code in (kernels.SPHERICAL, kernels.FREE):
                    quat = random.normal(size=4)
                    start[iq : iq + 4] = quat / np.linalg.norm(quat)
                    if code == kernels.FREE:
                        start[iq + 4 : iq + 7] = random.uniform(-self.reach, self.reach, 3)
            yield start

    # -- what went wrong ---------------------------------------------------------------

    def _open_loop(self, block: Block, q: Floats, rows: Ints | None = None) -> AssemblyError:
        """Say which loop stays open the widest in the best pose that can be found."""
        m = self.mechanism
        rows = block.driven_rows(m) if rows is None else rows
        best = min(
            (
                solve(m, start, self.wanted, rows, block.dofs)
                for start in _first(self._starts(block.dofs, q), 40)
            ),
            key=lambda solution: solution.residual,
        )
        state = State(m, best.q)
        gaps = {name: gap for name, gap in loop_gaps(state).items() if self._loop_in(name, rows)}
        missing = {
            m.robot.actuators[i].name: abs(float(state.lengths[i] - self.wanted[i]))
            for i in block.drivers
            if m.length_rows[i] in rows
        }
        name, gap = max({**gaps, **missing}.items(), key=lambda item: item[1])
        if name in missing:
            i = m.robot.actuator_index[name]
            return AssemblyError(
                f"cannot be assembled: actuator {name!r} cannot have any length between "
                f"{self.lower[i]:g} and {self.upper[i]:g} m; its ends miss by {gap:.3g} m",
                name,
                gap,
            )
        return AssemblyError(
            f"cannot be assembled: loop {name!r} stays open by {gap:.3g} m", name, gap
        )

    def _loop_in(self, name: str, rows: Ints) -> bool:
        m = self.mechanism
        numbers = {m.topology.loops[n].name for n in m.con_loop[rows] if n >= 0}
        return name in numbers

    def _out_of_bounds(self, block: Block, q: Floats) -> AssemblyError:
        """Say which cylinder lies furthest outside its bounds."""
        lengths = State(self.mechanism, q).lengths
        outside = np.maximum(self.lower - lengths, lengths - self.upper)[block.actuators]
        i = int(block.actuators[int(np.argmax(outside))])
        actuator = self.mechanism.robot.actuators[i]
        return AssemblyError(
            f"home: actuator {actuator.name!r} is {lengths[i]:.6g} m long, "
            f"outside its bounds {self.lower[i]:g} to {self.upper[i]:g} m",
            actuator.name,
            float(outside.max()),
        )


def _first(items: Iterable[Floats], count: int) -> Iterator[Floats]:
    for _, item in zip(range(count), items, strict=False):
        yield item


def _spread(count: int, dimensions: int) -> Floats:
    """Points spread evenly over the unit cube, (count, dimensions).

    Multiples of an irrational vector modulo 1; its entries are powers of the root of
    x^(d + 1) = x + 1, the golden ratio's generalisation to d dimensions.
    """
    root = 1.5
    for _ in range(60):
        root = (1.0 + root) ** (1.0 / (dimensions + 1))
    steps = root ** -np.arange(1.0, dimensions + 1)
    spread: Floats = np.remainder(0.5 + np.outer(np.arange(count), steps), 1.0)
    return spread
