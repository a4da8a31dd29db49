"""Configurations of machines, and what lies next to them."""

from __future__ import annotations

import numpy as np

from headframe.machine import Machine
from headframe.mechanism import State, follow


def home_and_elsewhere(one: Machine, count: int = 3) -> list[State]:
    """The home pose and `count` others, half-way to random lengths within the bounds."""
    home = one.home
    bounds = np.array([(a.bounds.lower, a.bounds.upper) for a in one.robot.actuators])
    random = np.random.default_rng(11)
    states = [home]
    for _ in range(count):
        lengths = home.lengths + 0.5 * (random.uniform(*bounds.T) - home.lengths)
        solution = follow(home.mechanism, home.q, home.lengths, lengths)
        assert solution.solved
        states.append(State(home.mechanism, solution.q))
    return states


def beside(state: State, group: int, change: float) -> State:
    """The state after the group's first member has grown by `change` [m]."""
    m = state.mechanism
    lengths = state.lengths.copy()
    lengths[m.first_members[group]] += change
    solution = follow(m, state.q, state.lengths, lengths)
    assert solution.solved
    return State(m, solution.q, state.base)
