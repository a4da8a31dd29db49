"""The order in which a machine is solved: lengths over driving variables, in blocks.

A machine in scope has one driving variable for every freedom: the position of a hinge or slide,
or the input angle of a four-bar. The length of a cylinder depends on the variables between its
two mounts, and on nothing else. So the incidence of redundant groups on variables is a sparse
square matrix. A matching gives each group one variable to set, and the strongly connected parts
of "needs the variable that another group sets" are its diagonal blocks. Solved in the order of
their needs, each is a small system of its own: two groups of legs over one four-bar and one
canopy hinge make one block of two, a shield support's jack and legs make two blocks of one.

Types A to D of the MineRobot paper are names for the same structure; the incidence decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from graphlib import TopologicalSorter

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from ..topology import Topology
from .records import MOST_VARIABLES, StepKind


@dataclass(frozen=True)
class Variable:
    """A freedom of the machine: a joint's position, or a four-bar by its input joint's angle."""

    kind: StepKind
    joint: int
    four_bar: int = -1


@dataclass(frozen=True)
class PlannedStep:
    """One freedom on the way from a link to another.

    A hinge or slide is passed from parent to child (`down`) or back; of a four-bar the way goes
    from the ring's member `enter` to its member `leave` (0 is the ground).
    """

    variable: int
    down: bool = True
    enter: int = -1
    leave: int = -1


@dataclass(frozen=True)
class PlannedBlock:
    """Groups that must be solved together, for as many variables.

    `groups[k]` was matched with `variables[k]`. `needs` lists the blocks whose variables appear
    in these groups' lengths; they stand before this one.
    """

    groups: tuple[int, ...]
    variables: tuple[int, ...]
    needs: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """Variables, what each actuator's length depends on, and the blocks in solving order.

    `reason` says why a machine is left to the general solver; then there are no blocks.
    """

    topology: Topology
    variables: tuple[Variable, ...]
    ways: tuple[tuple[PlannedStep, ...], ...]
    blocks: tuple[PlannedBlock, ...]
    reason: str = ""

    @property
    def incidence(self) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Whether a group's first member depends on a variable, (n_groups, n_variables)."""
        groups = self.topology.robot.groups
        return _incidence([self.ways[members[0]] for members in groups], len(self.variables))

    def closure_of(self, blocks: Iterable[int]) -> tuple[int, ...]:
        """The blocks and all that they need, in solving order."""
        wanted: set[int] = set()
        waiting = list(blocks)
        while waiting:
            block = waiting.pop()
            if block not in wanted:
                wanted.add(block)
                waiting += self.blocks[block].needs
        return tuple(sorted(wanted))

    def is_over(self, way: tuple[PlannedStep, ...], four_bar: int) -> bool:
        """Whether a way is a single step, over that four-bar."""
        return len(way) == 1 and self.variables[way[0].variable].four_bar == four_bar

    def steps_between(self, link_a: str, link_b: str) -> tuple[PlannedStep, ...] | None:
        """The freedoms on the way from one main link to another; None if some are no variables."""
        try:
            return _Ways(self.topology, self.variables).between(link_a, link_b)
        except _OutOfScopeError:
            return None


class _OutOfScopeError(Exception):
    """Raised inside this file only, with the reason."""


def make_plan(topology: Topology) -> Plan:
    """Find variables, incidence and blocks of a machine."""
    variables: tuple[Variable, ...] = ()
    try:
        variables = _variables(topology)
        finder = _Ways(topology, variables)
        ways = tuple(
            finder.between(actuator.tube_parent, actuator.rod_parent)
            for actuator in topology.robot.actuators
        )
        firsts = [ways[members[0]] for members in topology.robot.groups]
        blocks = _blocks(topology, firsts, len(variables))
    except _OutOfScopeError as found:
        return Plan(topology, variables, (), (), str(found))
    return Plan(topology, variables, ways, blocks)


def _variables(topology: Topology) -> tuple[Variable, ...]:
    """One variable a four-bar and one for every other joint of one freedom, in tree order."""
    contraction = topology.contraction
    if contraction.leftover:
        raise _OutOfScopeError(
            f"loops that are no planar four-bars: {', '.join(contraction.leftover)}"
        )
    if topology.robot.repeaters:
        raise _OutOfScopeError(f"repeater {topology.robot.repeaters[0].name!r} couples joints")
    ring: dict[int, int] = {}
    for number, four_bar in enumerate(contraction.four_bars):
        for j in four_bar.joints:
            if j in ring:
                name = topology.robot.joints[j].name
                raise _OutOfScopeError(f"joint {name!r} belongs to two four-bars")
            if j >= 0:
                ring[j] = number
    variables = []
    for j in topology.moving_joints:
        kind = topology.robot.joints[j].kind
        if j in ring:
            if j == contraction.four_bars[ring[j]].input:
                variables.append(Variable(StepKind.RING, j, ring[j]))
        elif kind.is_hinge:
            variables.append(Variable(StepKind.TURNING, j))
        elif kind.is_slide:
            variables.append(Variable(StepKind.SLIDING, j))
    return tuple(variables)


class _Ways:
    """Finds the freedoms between two links."""

    def __init__(self, topology: Topology, variables: tuple[Variable, ...]) -> None:
        self.topology = topology
        self.of_joint = {v.joint: n for n, v in enumerate(variables) if v.four_bar < 0}
        self.of_four_bar = {v.four_bar: n for n, v in enumerate(variables) if v.four_bar >= 0}
        self.ring_of = {
            j: number
            for number, four_bar in enumerate(topology.contraction.four_bars)
            for j in four_bar.joints
        }

    def between(self, link_a: str, link_b: str) -> tuple[PlannedStep, ...]:
        """Steps from A to B; consecutive joints of one four-bar are one step."""
        robot, index = self.topology.robot, self.topology.robot.link_index
        here = index[link_a]
        steps: list[PlannedStep] = []
        for j in self.topology.path(here, index[link_b]):
            joint = robot.joints[j]
            down = index[joint.parent] == here
            there = index[joint.child if down else joint.parent]
            if not joint.kind.is_fixed:
                self._pass(steps, j, down, here, there)
            here = there
        return tuple(step for step in steps if step.enter != step.leave or step.enter < 0)

    def _pass(self, steps: list[PlannedStep], j: int, down: bool, here: int, there: int) -> None:
        if j in self.ring_of:
            number = self.ring_of[j]
            links = self.topology.contraction.four_bars[number].links
            variable = self.of_four_bar[number]
            cluster_of = self.topology.cluster_of
            enter, leave = (links.index(cluster_of[link]) for link in (here, there))
            if steps and steps[-1].variable == variable:
                enter = steps.pop().enter
            steps.append(PlannedStep(variable, True, enter, leave))
        elif j in self.of_joint:
            steps.append(PlannedStep(self.of_joint[j], down))
        else:
            joint = self.topology.robot.joints[j]
            what = "is turned by a motor" if j in self.topology.spinning else f"is {joint.type}"
            raise _OutOfScopeError(f"joint {joint.name!r} {what} and a cylinder acts across it")


def _incidence(
    firsts: list[tuple[PlannedStep, ...]], n_variables: int
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    matrix = np.zeros((len(firsts), n_variables), dtype=np.bool_)
    for group, way in enumerate(firsts):
        matrix[group, [step.variable for step in way]] = True
    return matrix


def _blocks(
    topology: Topology, firsts: list[tuple[PlannedStep, ...]], n_variables: int
) -> tuple[PlannedBlock, ...]:
    """Block-triangular form of the incidence: matching, then strongly connected parts."""
    names = topology.robot.group_names
    incidence = _incidence(firsts, n_variables)
    for group, way in enumerate(firsts):
        if not way:
            raise _OutOfScopeError(f"nothing can move between the mounts of {names[group]!r}")
    matched = maximum_bipartite_matching(csr_array(incidence), perm_type="column")
    if (matched < 0).any():
        group = int(np.flatnonzero(matched < 0)[0])
        raise _OutOfScopeError(f"{names[group]!r} acts on freedoms that other groups set already")
    loose = np.flatnonzero(incidence.any(axis=0) & ~np.isin(np.arange(n_variables), matched))
    if loose.size:
        group = int(np.flatnonzero(incidence[:, loose[0]])[0])
        raise _OutOfScopeError(f"{names[group]!r} acts on more freedoms than cylinders hold")
    needs = incidence[:, matched]  # (g, h): group g depends on the variable that group h sets
    count, label = connected_components(csr_array(needs), directed=True, connection="strong")
    members = [np.flatnonzero(label == part) for part in range(count)]
    needed = {
        part: {int(p) for p in label[needs[members[part]].any(axis=0)]} - {part}
        for part in range(count)
    }
    order = list(TopologicalSorter(needed).static_order())
    place = {part: n for n, part in enumerate(order)}
    for part in order:
        if len(members[part]) > MOST_VARIABLES:
            listed = ", ".join(names[g] for g in members[part])
            raise _OutOfScopeError(f"more than {MOST_VARIABLES} groups act on each other: {listed}")
    return tuple(
        PlannedBlock(
            tuple(int(g) for g in members[part]),
            tuple(int(matched[g]) for g in members[part]),
            tuple(sorted(place[p] for p in needed[part])),
        )
        for part in order
    )


def adjacent(four_bar_step: PlannedStep) -> bool:
    """Whether a way through a four-bar passes just one of its four pivots."""
    return abs(four_bar_step.enter - four_bar_step.leave) in (1, 3)
