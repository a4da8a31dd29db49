"""A block of loops as a small machine of its own, to be solved without the machine around it.

Freedoms that move all of a block alike do not open or close its loops: they are left out, and the
block stands where the last of them carries it. So what a solution costs depends on the block alone.
"""

from __future__ import annotations

from collections import deque
from functools import cached_property

import numpy as np

from ..jit import Records
from .blocks import Block
from .compiled import Mechanism
from .records import FreedomKind, RowKind
from .solver import largest_by_loop
from .system import Floats, Ints, LoopSystem, Solution

MOST_STEPS = 200  # of the solver from one start


class Cutout(LoopSystem):
    """A block's freedoms and constraints, numbered anew; positions `q` here are the part's own.

    Attributes:
        mechanism: the machine it is taken from.
        block: what it is made of.
        positions: places of the part's positions in those of the machine, (nq,).
        constraints: LOOP_ROW records: what closes, then the lengths of `block.actuators`.
        dofs: velocities that may move, in an order that keeps the equations in a narrow band.
        drivers: which of these actuators set the motion of their group, as places among them.
        driven: closing constraints and the lengths of the drivers.
    """

    def __init__(self, mechanism: Mechanism, block: Block) -> None:
        """Take a block out of its machine."""
        self.mechanism, self.block = mechanism, block
        rows = np.concatenate([block.closing, mechanism.length_rows[block.actuators]])
        taken = _freedoms_of(mechanism, rows)
        whole = mechanism.freedoms[taken]
        self.positions = np.unique(np.concatenate([[], *map(_positions_of, whole)])).astype(int)
        self.velocities = np.sort(whole["velocity"])
        self.freedoms = self._numbered_freedoms(whole, taken)
        self.constraints = self._numbered_constraints(mechanism.constraints[rows], taken)
        self.drivers = np.searchsorted(block.actuators, block.drivers)
        self.driven = np.concatenate([self.closing_rows, self.length_rows[self.drivers]])
        self.dofs = self.velocities_of(block.dofs)[_in_a_band(mechanism, block, rows)]
        self.q_zero = mechanism.q_zero[self.positions]

    def _numbered_freedoms(self, whole: Records, taken: Ints) -> Records:
        """The freedoms with parents, positions and velocities of the part."""
        freedoms = whole.copy()
        for name in ("parent", "carrier"):
            freedoms[name] = _places(taken, whole[name])
        freedoms["position"] = _places(self.positions, whole["position"])
        freedoms["velocity"] = _places(self.velocities, whole["velocity"])
        return freedoms

    def _numbered_constraints(self, whole: Records, taken: Ints) -> Records:
        """The constraints between freedoms of the part."""
        constraints = whole.copy()
        for name in ("a", "b", "common"):
            constraints[name] = _places(taken, whole[name])
        ratios = whole["kind"] == RowKind.RATIO
        for name in ("follower", "leader"):
            place, found = constraints[name], whole[name][ratios]
            place["position"][ratios] = _places(self.positions, found["position"])
            place["velocity"][ratios] = _places(self.velocities, found["velocity"])
        return constraints

    def velocities_of(self, dofs: Ints) -> Ints:
        """The part's numbers of some of the machine's velocities."""
        return np.searchsorted(self.velocities, dofs)

    def positions_of(self, dofs: Ints, *kinds: FreedomKind) -> Ints:
        """First positions of the given velocities' freedoms that are of some kind, in order."""
        mine = np.isin(self.freedoms["velocity"], dofs) & np.isin(self.freedoms["kind"], kinds)
        found: Ints = np.sort(self.freedoms["position"][mine])
        return found

    @cached_property
    def counted(self) -> Ints:
        """Positions of which whole turns count: those of screws, and those that repeaters tie."""
        screws = self.freedoms["position"][self.freedoms["pitch"] != 0.0]
        tied = np.flatnonzero(np.isin(self.positions, self.mechanism.repeated))
        return np.union1d(screws, tied)

    # -- solving -----------------------------------------------------------------------

    def solve(
        self, q_start: Floats, lengths: Floats | None, rows: Ints, dofs: Ints | None = None
    ) -> Solution:
        """Close the loops from `q_start`, see `solver.solve`."""
        dofs = self.dofs if dofs is None else dofs
        return self.solved(q_start, lengths, rows, dofs, MOST_STEPS)

    def follow(self, q_start: Floats, lengths_start: Floats, lengths: Floats) -> Solution:
        """Move the drivers in a straight line in length space, see `solver.follow`."""
        return self.followed(q_start, lengths_start, lengths, self.driven, self.dofs)

    # -- looking -----------------------------------------------------------------------

    def poses(self, q: Floats) -> Floats:
        """Frames of the freedoms that links hang on, (n, 3, 4)."""
        poses: Floats = self.frames(q)["X_WF"][self._carriers]
        return poses

    @cached_property
    def _carriers(self) -> Ints:
        places = _places(self.velocities, self.mechanism.freedoms["velocity"])
        of_links = self.mechanism.links["freedom"]
        loaded = places[of_links[of_links >= 0]]
        return np.flatnonzero(np.isin(self.freedoms["velocity"], loaded[loaded >= 0]))

    def lengths(self, q: Floats) -> Floats:
        """Lengths of `block.actuators` [m], (n,)."""
        return self.residuals(q, self.length_rows)

    def gaps(self, q: Floats, rows: Ints, *kinds: RowKind) -> dict[str, float]:
        """Largest residuals of constraints of some kinds among `rows`, by the loop's name."""
        rows = rows[np.isin(self.constraints["kind"][rows], kinds)]
        loops = self.constraints["loop"][rows]
        return largest_by_loop(self.mechanism, loops, self.residuals(q, rows))


def _positions_of(freedom: np.void) -> Ints:
    """Positions of a freedom; parts of a ball share the ball's."""
    wide = 4 if freedom["kind"] in (FreedomKind.BALL, FreedomKind.PART) else 1
    return np.arange(freedom["position"], freedom["position"] + wide)


def _places(taken: Ints, numbers: Ints) -> Ints:
    """Where numbers stand in the sorted array `taken`; -1 for those that do not."""
    if not taken.size:
        return np.full(numbers.shape, -1)
    at = np.minimum(np.searchsorted(taken, numbers), taken.size - 1)
    return np.where(taken[at] == numbers, at, -1)


def _freedoms_of(mechanism: Mechanism, rows: Ints) -> Ints:
    """Freedoms that move something in the constraints `rows`, but not everything alike."""
    parents, chains = mechanism.freedoms["parent"], mechanism.ancestors
    freedom_of = np.argsort(mechanism.freedoms["velocity"])
    moving: set[int] = set()
    shared: set[int] | None = None  # what moves all of it alike
    for one in mechanism.constraints[rows]:
        if one.kind == RowKind.RATIO:
            ends = [freedom_of[place.velocity] for place in (one.follower, one.leader)]
            a, b = (set(chains[parents[end]]) for end in ends)
            moving.update(ends)
        else:
            a, b = set(chains[one.a]), set(chains[one.b])
        moving |= a | b
        shared = a & b if shared is None else shared & a & b
    return np.array(sorted(moving - (shared or set())), dtype=np.int64)


def _in_a_band(mechanism: Mechanism, block: Block, rows: Ints) -> Ints:
    """An order of the block's velocities in which those that share a constraint are neighbours.

    By Cuthill and McKee: breadth first through what constraints tie together, beginning at an end.
    The normal equations have a narrow band then, outside of which nothing has to be computed.
    """
    place = {int(v): k for k, v in enumerate(block.dofs)}
    tied: list[set[int]] = [set() for _ in block.dofs]
    for row in rows:
        mine = [place[int(v)] for v in mechanism.velocities_in(int(row)) if int(v) in place]
        for k in mine:
            tied[k].update(mine)

    def breadth_first(start: int) -> list[int]:
        order, waiting, seen = [], deque([start]), {start}
        while waiting:
            k = waiting.popleft()
            order.append(k)
            for other in sorted(tied[k] - seen, key=lambda k: (len(tied[k]), k)):
                seen.add(other)
                waiting.append(other)
        return order

    if not len(tied):
        return np.zeros(0, dtype=np.int64)
    end = breadth_first(breadth_first(0)[-1])[-1]
    return np.array(breadth_first(end), dtype=np.int64)
