"""The equations that people are shown are true."""

import math

import numpy as np
import pytest

import headframe as hf
from build import stewart_platform
from headframe.kinematics.equations import equation


def states(one, count=5):
    low, high = one.kinematics.usable
    parts = np.random.default_rng(0).uniform(0.05, 0.95, (count, low.size))
    return [one.fk(low + part * (high - low)) for part in parts]


@pytest.mark.parametrize("name", [n for n in hf.machines() if hf.load(n).actuators])
def test_closed_forms_hold_everywhere(name):
    """With the joint's position put in, the length is the machine's."""
    one = hf.load(name)
    checked = 0
    for state in states(one):
        for group, members in enumerate(one.robot.groups):
            found = equation(one.kinematics, group)
            if found.solver != "closed form":
                continue
            ((symbol, joint),) = found.unknowns
            if joint not in state.joints:
                continue  # the pivot that closes a four-bar has no position
            moved = state.joints[joint] - one.home.joints[joint]
            number = {name: value for name, value, _ in found.numbers}
            length = float(state.lengths[members[0]])
            squares = [_squared(number, sign * moved) for sign in (1.0, -1.0)]
            assert min(abs(s - length**2) for s in squares) < 1e-9
            assert symbol in found.lines[0]
            checked += 1
    assert checked or all(i.type in "D?" for i in one.topology.iteps)


def _squared(number, moved):
    if "ψ" in number:
        return number["k₀"] + number["k₁"] * math.cos(moved + number["ψ"])
    return (moved + number["b"]) ** 2 + number["c"]


def test_coupled_groups_share_their_unknowns():
    one = hf.load("tcchs")
    names = list(one.robot.group_names)
    front, rear = (equation(one.kinematics, names.index(n)) for n in ("front_legs", "rear_legs"))
    assert front.solver == "newton"
    assert front.unknowns == rear.unknowns
    assert len(front.unknowns) == 2
    assert front.lines[0].startswith("ℓ² = |F(θ) R(φ) r")


def test_the_general_solver_is_named():
    found = equation(stewart_platform().kinematics, 0)
    assert found.solver == "general"
    assert found.numbers == ()
