"""Random problems: the same for every method, and none of them made by the methods compared.

Configurations are found by the general solver's continuation along a straight way in length space,
which also says which branch an answer must lie on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..errors import HeadframeError
from ..machine import Machine
from ..mechanism import State, bounds_of, follow
from ..spatial import exp_pose

Floats = NDArray[np.float64]

TYPES = "ABCD"
TRIES = 200  # draws for one configuration before it is given up
SLACK = 1e-9  # of a bound [m]
TURN, SHIFT = 0.3, 0.6  # largest spread of targets out of reach about poses in reach [rad], [m]

Counts = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class FkTrial:
    """Lengths of all actuators [m] to be reached from a start, and where that leads."""

    start: State
    lengths: Floats
    answer: State


@dataclass(frozen=True, eq=False)
class FkCase:
    """Trials in which the same numbers of actuators of each type are active.

    Attributes:
        actuators: active actuators of types A to D.
        groups: active redundant groups of these types, on average over the trials.
        trials: the problems.
    """

    actuators: Counts
    groups: tuple[float, float, float, float]
    trials: list[FkTrial]


@dataclass(frozen=True, eq=False)
class IkTrial:
    """A pose (4, 4) for a link, from a start; `reachable` if it was taken from a configuration."""

    start: State
    target: Floats
    reachable: bool


class Draws:
    """Random configurations of a machine."""

    def __init__(self, machine: Machine, seed: int) -> None:
        self.machine = machine
        self.random = np.random.default_rng([seed, *machine.name.encode()])
        self.low, self.high = bounds_of(machine.mechanism)

    def state(self) -> State:
        """A configuration whose lengths lie anywhere within their bounds."""
        groups = range(len(self.machine.robot.groups))
        return self.moved(self.machine.home, groups)

    def moved(self, start: State, groups: Iterable[int]) -> State:
        """The configuration with new lengths of some groups, on the branch of the start.

        Raises:
            HeadframeError: in many draws not one could be reached.
        """
        mechanism, lengths = self.machine.mechanism, start.lengths
        first = mechanism.first_members[list(groups)]
        for _ in range(TRIES):
            wanted = np.array(lengths)
            wanted[first] = self.random.uniform(self.low[first], self.high[first])
            solution = follow(mechanism, start.q, lengths, wanted)
            state = State(mechanism, solution.q)
            if solution.solved and self.allows(state):
                return state
        raise HeadframeError(f"{self.machine.name}: found no configuration in {TRIES} draws")

    def allows(self, state: State) -> bool:
        """Whether all lengths, partners' too, are within their bounds."""
        return bool(
            (state.lengths >= self.low - SLACK).all() and (state.lengths <= self.high + SLACK).all()
        )


def types_of(machine: Machine) -> list[str]:
    """The type of every redundant group."""
    return [itep.type for itep in machine.topology.iteps]


def counted_types(machine: Machine, groups: Iterable[int]) -> tuple[Counts, Counts]:
    """Actuators and groups of each type among some groups."""
    types, members = types_of(machine), machine.robot.groups
    chosen = list(groups)
    actuators = [sum(len(members[g]) for g in chosen if types[g] == kind) for kind in TYPES]
    number = [sum(types[g] == kind for g in chosen) for kind in TYPES]
    return tuple(actuators), tuple(number)  # type: ignore[return-value]


def combinations(machine: Machine) -> dict[Counts, list[tuple[int, ...]]]:
    """Every combination of active actuators by type, with the groups that make it up.

    As in section 6.2.1 of the MineRobot paper; an actuator is active with its whole group.
    """
    found: dict[Counts, list[tuple[int, ...]]] = {}
    for active in product((0, 1), repeat=len(machine.robot.groups)):
        groups = tuple(np.flatnonzero(active).tolist())
        if groups:
            found.setdefault(counted_types(machine, groups)[0], []).append(groups)
    return dict(sorted(found.items()))


def fk_cases(machine: Machine, trials: int, seed: int) -> list[FkCase]:
    """Trials of every combination; the last has all actuators active."""
    draws = Draws(machine, seed)
    starts = [draws.state() for _ in range(trials)]
    cases = []
    for actuators, choices in combinations(machine).items():
        made, counts = [], []
        for start in starts:
            groups = choices[draws.random.integers(len(choices))]
            answer = draws.moved(start, groups)
            made.append(FkTrial(start, np.array(answer.lengths), answer))
            counts.append(counted_types(machine, groups)[1])
        mean = np.mean(counts, axis=0)
        cases.append(FkCase(actuators, tuple(mean.tolist()), made))
    return sorted(cases, key=lambda case: sum(case.actuators))


def ik_trials(machine: Machine, link: str, trials: int, seed: int) -> list[IkTrial]:
    """Targets, every other one within reach: the pose of a configuration.

    The others are such poses turned and shifted at random, some little and some far; no
    configuration has them.
    """
    draws, made = Draws(machine, seed), []
    for number in range(trials):
        start, target = draws.state(), draws.state().pose(link)
        reachable = number % 2 == 0
        if not reachable:
            target = target @ exp_pose(away(draws.random))
        made.append(IkTrial(start, np.ascontiguousarray(target), reachable))
    return made


def away(random: np.random.Generator) -> Floats:
    """A random twist [rad, m], (6,)."""
    spread: Floats = random.uniform() * random.normal(scale=[TURN] * 3 + [SHIFT] * 3)
    return spread
