"""The search for ways to assemble a block of loops.

Assemblies at given lengths are collected by solving from many starts. How much of the box of
lengths an assembly's component covers is measured by straight-line continuation to lengths
spread over the box.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice

import numpy as np

from ..errors import AssemblyError
from .cutout import Cutout
from .records import FreedomKind, RowKind
from .request import BOUND_SLACK, HomeRequest
from .solver import GAPS
from .system import Floats, Ints

SAMPLES = 64  # lengths to which a component's cover of the box is measured
ELSEWHERE = 12  # lengths at which to look for assemblies if none covers the whole box
MOST_ASSEMBLIES = 48
STARTS = 48  # the fewest for a block, and as many for each velocity in blocks of up to
MANY = 12  # velocities; of larger blocks a solution takes the longer, and they get fewer
AT_ZERO = 1e-12  # squares within which no pose can be nearer to zero [rad^2, m^2]


class Assembly:
    """One way to assemble a block.

    Attributes:
        q: positions of the block's part.
        squares: sum of the block's squared joint values.
    """

    def __init__(self, q: Floats, squares: float, measure: Callable[[], float]) -> None:
        """Hold a pose; `measure` finds its cover when that is asked for."""
        self.q, self.squares, self._measure = q, squares, measure

    @cached_property
    def cover(self) -> float:
        """Part of the box of lengths that straight lines from here reach."""
        return self._measure()


class Search:
    """Finds, measures and chooses assemblies of one block.

    Positions `q` are those of the part, lengths those of the block's actuators.
    """

    def __init__(self, part: Cutout, request: HomeRequest) -> None:
        """Take the part's share of what the file wants."""
        self.part, self.request = part, request
        block, m = part.block, part.mechanism
        self.lower, self.upper = request.lower[block.actuators], request.upper[block.actuators]
        self.wanted = request.lengths[block.actuators]
        self.reach = float(np.max(request.upper, initial=1.0))
        kinds = FreedomKind.TURN, FreedomKind.SLIDE, FreedomKind.BALL
        self.angles, self.slides, self.balls = (part.positions_of(part.dofs, k) for k in kinds)
        quaternions = (self.balls[:, None] + np.arange(4)).ravel()
        self.mine = np.concatenate([self.angles, self.slides, quaternions])
        limited = np.isin(m.limited, part.positions[self.mine])
        self.limited = np.searchsorted(part.positions, m.limited[limited])
        self.limit_lower, self.limit_upper = m.limit_lower[limited], m.limit_upper[limited]
        self.turning = self.angles[~np.isin(self.angles, part.counted)]

    def assembled(self, q: Floats) -> Floats:
        """`q` with the joints of the block assembled."""
        block = self.part.block
        if np.isin(block.dofs, self.request.named).any():
            return self._at_named_joints(q)
        if not block.dofs.size or not block.drivers.size:
            return self._passive(q)
        return self.chosen(self.assemblies(q), q).q

    def assemblies(self, q: Floats) -> list[Assembly]:
        """The ways to assemble a driven block, one a component as far as can be told."""
        found = self._at_lengths(q, self.wanted)
        if np.isin(self.part.block.drivers, self.request.named_lengths).any():
            return found
        if not any(assembly.cover == 1.0 for assembly in _by_squares(found)):
            for lengths in self._spread_lengths(ELSEWHERE, corners=False):
                found += [
                    assembly
                    for assembly in self._at_lengths(q, lengths)
                    if not any(self._same(assembly.q, other.q) for other in found)
                ]
        return found or self._anywhere(q)

    def chosen(self, found: list[Assembly], q: Floats) -> Assembly:
        """The assembly with the largest cover, and of equal ones that nearest to zero.

        Covers are fractions of a sample: they count as equal within twice the standard
        deviation of such a fraction. Nothing equals a whole box but another one: the first that
        covers it is the one, and the others need not be measured.
        """
        if not found:
            raise self._open_loop(q, self.part.driven)
        in_order = _by_squares(found)
        for assembly in in_order:
            if assembly.cover == 1.0:
                return assembly
        best = max(assembly.cover for assembly in found)
        noise = 2.0 * math.sqrt(best * (1.0 - best) / SAMPLES) + 0.5 / SAMPLES
        return next(assembly for assembly in in_order if assembly.cover > best - noise)

    # -- ways to assemble --------------------------------------------------------------

    def _at_named_joints(self, q: Floats) -> Floats:
        """Close the block at the file's joint values, or as near to them as rounding asks for.

        The named joints are held and the others searched for; if that cannot be, because the
        values are rounded, all joints give way a little.
        """
        part, request = self.part, self.request
        named = part.velocities_of(np.intersect1d(request.named, part.block.dofs))
        solutions = self._solutions(part.dofs[~np.isin(part.dofs, named)], q)
        nearest = self._nearest_to_zero(solutions, q)
        if nearest is None:
            polished = part.solve(q, None, part.closing_rows)
            if polished.solved:
                whole = request.q.copy()
                whole[part.positions] = polished.q
                request.check_joints(whole)
                nearest = self._nearest_to_zero([polished.q], q)
        return self._found(nearest, q)

    def _passive(self, q: Floats) -> Floats:
        """Close a block that no cylinder drives, nearest to joints at zero."""
        solutions = (self._fresh(s) for s in self._solutions(self.part.dofs, q))
        return self._found(self._nearest_to_zero(solutions, q), q)

    def _found(self, nearest: Floats | None, q: Floats) -> Floats:
        """A closed pose in bounds; an error if there is none."""
        if nearest is None:
            raise self._open_loop(q, self.part.closing_rows)
        if not self._in_bounds(nearest):
            raise self._out_of_bounds(nearest)
        return nearest

    def _solutions(self, dofs: Ints, q: Floats) -> Iterator[Floats]:
        """Closed poses from many starts, over some velocities."""
        for start in self._starts(dofs, q):
            solution = self.part.solve(start, None, self.part.closing_rows, dofs)
            if solution.solved:
                yield solution.q

    def _nearest_to_zero(self, solutions: Iterable[Floats], q: Floats) -> Floats | None:
        """Of closed poses the one with the smallest joint values, in bounds and limits.

        Failing these, in bounds alone; failing these, the first; None if there is none. `q` has
        all joints where they are nearest to zero or held: nothing within limits is nearer, and
        where a pose is as near no further one is looked for.
        """
        best, rank, least = None, (3, 0.0), self._squares(q) + AT_ZERO
        for s in solutions:
            far = self._squares(s)
            if not self._in_bounds(s):
                new = (2, 0.0)
            else:
                new = (0, far) if self._in_limits(s) else (1, far)
            if new < rank:
                best, rank = s, new
            if rank <= (0, least):
                break
        return best

    def _at_lengths(self, q: Floats, lengths: Floats) -> list[Assembly]:
        """All assemblies of the block at the given lengths."""
        part = self.part
        found: list[Floats] = []
        places: list[Floats] = []
        without_news = 0
        for start in self._starts(part.dofs, q):
            solution = part.solve(start, lengths, part.driven)
            without_news += 1
            if solution.solved:
                candidate = self._fresh(solution.q)
                place = part.poses(candidate)
                if not any(_alike(place, other) for other in places):
                    found.append(candidate)
                    places.append(place)
                    without_news = 0
            if len(found) >= MOST_ASSEMBLIES or without_news > 16 + 12 * part.dofs.size:
                break
        found = [s for s in found if self._in_bounds(s)]
        within = [s for s in found if self._in_limits(s)]
        return [self._assembly(s, lengths) for s in within or found]

    def _anywhere(self, q: Floats) -> list[Assembly]:
        """Look for any closed pose with lengths in bounds: close, then pull the lengths in."""
        part = self.part
        for start in self._starts(part.dofs, q):
            closed = part.solve(start, None, part.closing_rows)
            lengths = np.clip(part.lengths(closed.q), self.lower, self.upper)
            pulled = part.solve(closed.q, lengths, part.driven)
            if pulled.solved and self._in_bounds(pulled.q):
                return [self._assembly(self._fresh(pulled.q), lengths)]
        return []

    # -- measures ----------------------------------------------------------------------

    def _assembly(self, q: Floats, lengths: Floats) -> Assembly:
        """An assembly, moved towards the lengths that are wanted."""
        q, lengths = self._centred(q, lengths)
        return Assembly(q, self._squares(q), lambda: self._cover(q, lengths))

    def _cover(self, q: Floats, lengths: Floats) -> float:
        """Part of the box of lengths that straight lines from a pose reach."""
        targets = list(self._spread_lengths(SAMPLES))
        ends = (self.part.follow(q, lengths, target) for target in targets)
        return sum(end.solved and self._in_bounds(end.q) for end in ends) / len(targets)

    def _centred(self, q: Floats, lengths: Floats) -> tuple[Floats, Floats]:
        """Follow the straight line to the wanted lengths, as far as it goes and a little less."""
        drivers = self.part.drivers
        if np.array_equal(lengths[drivers], self.wanted[drivers]):
            return q, lengths
        far = self.part.follow(q, lengths, self.wanted)
        share = 1.0 if far.solved else 0.9 * far.reached
        middle = lengths + share * (self.wanted - lengths)
        end = self.part.follow(q, lengths, middle)
        if not end.solved or not self._in_bounds(end.q):
            return q, lengths
        return end.q, middle

    def _spread_lengths(self, count: int, corners: bool = True) -> Iterator[Floats]:
        """Lengths spread over the box of the block's drivers; some of its corners if wanted."""
        drivers = self.part.drivers
        lower, upper = self.lower[drivers], self.upper[drivers]
        unit = spread(count, len(lower))
        for k in range(min(2 ** len(lower), count // 4) if corners else 0):
            unit[k] = [(k >> bit) & 1 for bit in range(len(lower))]
        for row in unit:
            lengths = self.wanted.copy()
            lengths[drivers] = lower + row * (upper - lower)
            yield lengths

    def _squares(self, q: Floats) -> float:
        """Sum of squared joint values of the block; quaternions count from the identity."""
        values = q[self.mine] - self.part.q_zero[self.mine]
        return float(values @ values)

    def _in_bounds(self, q: Floats) -> bool:
        """Whether all actuators are inside their bounds."""
        lengths = self.part.lengths(q)
        inside = (lengths >= self.lower - BOUND_SLACK) & (lengths <= self.upper + BOUND_SLACK)
        return bool(inside.all())

    def _in_limits(self, q: Floats) -> bool:
        values = q[self.limited]
        return bool(((values >= self.limit_lower) & (values <= self.limit_upper)).all())

    def _same(self, q: Floats, other: Floats) -> bool:
        """Whether two assemblies put all links in the same places."""
        return _alike(self.part.poses(q), self.part.poses(other))

    def _fresh(self, q: Floats) -> Floats:
        """A newly found pose with the block's angles nearest to zero, inside limits if possible.

        Angles of which whole turns count (`Cutout.counted`) stay as they are. Quaternions get a
        positive w. Only ever done to a pose that nothing has moved from yet.
        """
        fresh = q.copy()
        fresh[self.turning] = np.remainder(q[self.turning] + np.pi, 2 * np.pi) - np.pi
        if self.limited.size:
            limited = np.isin(self.limited, self.turning)
            at, lower = self.limited[limited], self.limit_lower[limited]
            upper = self.limit_upper[limited]
            turns = np.ceil((lower - fresh[at]) / (2 * np.pi))
            inside = fresh[at] + 2 * np.pi * turns
            too_low = fresh[at] < lower
            too_high = fresh[at] > upper
            fresh[at[too_low]] = inside[too_low]
            back = fresh[at] - 2 * np.pi * np.ceil((fresh[at] - upper) / (2 * np.pi))
            fresh[at[too_high]] = back[too_high]
        for start in self.balls:
            if fresh[start] < 0.0:
                fresh[start : start + 4] *= -1.0
        return fresh

    def _starts(self, dofs: Ints, q: Floats) -> Iterator[Floats]:
        """Positions to solve from: `q` itself, then spread at random with a fixed seed."""
        yield q
        kinds = FreedomKind.TURN, FreedomKind.SLIDE, FreedomKind.BALL
        angles, slides, balls = (self.part.positions_of(dofs, kind) for kind in kinds)
        random = np.random.default_rng(0)
        for _ in range(starts_for(dofs.size)):
            start = q.copy()
            start[angles] = random.uniform(-np.pi, np.pi, angles.size)
            start[slides] = random.uniform(-self.reach, self.reach, slides.size)
            for at in balls:
                quat = random.normal(size=4)
                start[at : at + 4] = quat / np.linalg.norm(quat)
            yield start

    # -- what went wrong ---------------------------------------------------------------

    def _open_loop(self, q: Floats, rows: Ints) -> AssemblyError:
        """Say which loop stays open the widest in the best pose that can be found."""
        part, block, robot = self.part, self.part.block, self.part.mechanism.robot
        starts = islice(self._starts(part.dofs, q), 40)
        tries = [part.solve(start, self.wanted, rows) for start in starts]
        best = min(tries, key=lambda solution: solution.residual).q
        gaps = part.gaps(best, rows, *GAPS)
        lower, upper = (ends[block.actuators] for ends in self.request.allowed)
        lengths = part.lengths(best)
        outside = np.maximum(np.maximum(lower - lengths, lengths - upper), 0.0)
        driven = [i for i in part.drivers if part.length_rows[i] in rows]
        missing = {robot.actuators[block.actuators[i]].name: i for i in driven}
        widest = {**gaps, **{name: float(outside[i]) for name, i in missing.items()}}
        name, gap = max(widest.items(), key=lambda item: item[1])
        if name in missing:
            i = missing[name]
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
        angle = part.gaps(best, rows, RowKind.ANGLE).get(name, 0.0)
        turned = f" and {angle:.3g} rad" if angle > 1e-6 else ""
        return AssemblyError(
            f"cannot be assembled: loop {name!r} stays open by {gap:.3g} m{turned}", name, gap
        )

    def _out_of_bounds(self, q: Floats) -> AssemblyError:
        """Say which cylinder lies furthest outside its bounds, and which others do."""
        lengths, lower, upper = self.part.lengths(q), self.lower, self.upper
        outside = np.maximum(lower - lengths, lengths - upper)
        i = int(np.argmax(outside))
        robot, actuators = self.part.mechanism.robot, self.part.block.actuators
        names = [robot.actuators[k].name for k in actuators]
        others = ", ".join(repr(names[k]) for k in np.flatnonzero(outside > 0.0) if k != i)
        return AssemblyError(
            f"home: actuator {names[i]!r} is {lengths[i]:.6g} m long, "
            f"outside its bounds {lower[i]:g} to {upper[i]:g} m"
            f"{f' (so are {others})' if others else ''}; "
            "change the bounds, or the joints that home names",
            names[i],
            float(outside.max()),
        )


def starts_for(velocities: int) -> int:
    """Random starts for so many velocities."""
    if not velocities:
        return 0
    return STARTS * min(velocities, max(MANY * MANY // velocities, 1))


def _by_squares(found: list[Assembly]) -> list[Assembly]:
    return sorted(found, key=lambda assembly: assembly.squares)


def _alike(places: Floats, others: Floats) -> bool:
    """Whether links are in the same places, within a micrometre."""
    return bool((np.abs(places - others) <= 1e-6 + 1e-5 * np.abs(others)).all())


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
