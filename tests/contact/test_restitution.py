"""How much a law dissipates, against a motion that is integrated by other means."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from headframe import StateError
from headframe.contact import (
    exact_dissipation,
    kelvin_voigt_damping,
    kelvin_voigt_restitution,
    lankarani_dissipation,
    printed_dissipation,
    restitution_of,
)


def parting_speed(dissipation, exponent=1.5, stiffness=3.0, mass=0.7, speed=2.0):
    """Share of the speed with which a mass leaves a wall, F = k x^e (1 + d x'/v)."""

    def rates(_t, y):
        depth = max(y[0], 0.0)
        force = stiffness * depth**exponent * (1.0 + dissipation * y[1] / speed)
        return y[1], -force / mass

    def leaves(t, y):
        return y[0] if t > 1e-9 else 1.0

    leaves.terminal, leaves.direction = True, -1
    run = solve_ivp(rates, (0, 100), (0.0, speed), events=leaves, rtol=1e-10, atol=1e-13)
    return -run.y_events[0][0][1] / speed


@pytest.mark.parametrize("wanted", [0.05, 0.3, 0.5, 0.8, 0.95])
def test_bodies_part_with_what_is_asked_for(wanted):
    assert parting_speed(exact_dissipation(wanted)) == pytest.approx(wanted, abs=1e-6)


def test_neither_stiffness_nor_mass_nor_exponent_matter():
    d = exact_dissipation(0.5)
    others = [{"exponent": 1.0}, {"exponent": 2.2}, {"stiffness": 1e4}, {"mass": 9.0}, {"speed": 7}]
    assert [parting_speed(d, **other) for other in others] == pytest.approx([0.5] * 5, abs=1e-6)


def test_the_print_misses_what_is_asked_for():
    assert restitution_of(printed_dissipation(0.5)) == pytest.approx(0.663, abs=5e-4)
    assert restitution_of(printed_dissipation(0.0)) == pytest.approx(0.488, abs=5e-4)
    assert parting_speed(printed_dissipation(0.5)) == pytest.approx(0.663, abs=5e-4)


def test_lankarani_and_nikravesh_serve_near_one_only():
    d = lankarani_dissipation(0.5)
    assert d == pytest.approx(0.5625)
    assert parting_speed(d) == pytest.approx(restitution_of(d), abs=1e-6)
    assert restitution_of(lankarani_dissipation(0.99)) == pytest.approx(0.99, abs=2e-4)


@pytest.mark.parametrize("e", np.linspace(0.001, 1.0, 23))
def test_both_ways_agree(e):
    assert restitution_of(exact_dissipation(e)) == pytest.approx(e, rel=1e-9)


def test_the_ends():
    assert exact_dissipation(1.0) == 0.0
    assert exact_dissipation(0.0) == exact_dissipation(0.001)
    assert restitution_of(0.0) == 1.0


@pytest.mark.parametrize("damping", [0.3, 2.0, 2.8982753492378874, 2.9, 9.0])
def test_a_spring_with_a_damper_against_its_motion(damping):
    """F = k x + c x', never a pull; under, at and above critical damping."""
    k, m, v = 3.0, 0.7, 2.0

    def rates(_t, y):
        return y[1], -(k * y[0] + damping * y[1]) / m

    def lets_go(t, y):
        return k * y[0] + damping * y[1] if t > 1e-9 else 1.0

    lets_go.terminal, lets_go.direction = True, -1
    run = solve_ivp(rates, (0, 100), (0.0, v), events=lets_go, rtol=1e-10, atol=1e-13)
    found = kelvin_voigt_restitution(damping, k, m)
    assert found == pytest.approx(-run.y_events[0][0][1] / v, abs=1e-6)
    assert kelvin_voigt_damping(found, k, m) == pytest.approx(damping, rel=1e-6)


def test_what_a_damper_cannot_be():
    with pytest.raises(StateError, match="mass: found 0"):
        kelvin_voigt_damping(0.5, 1e6, 0)
    with pytest.raises(StateError, match="restitution: found 1"):
        kelvin_voigt_damping(1.5, 1e6, 1)
    with pytest.raises(StateError, match="damping: found -1"):
        kelvin_voigt_restitution(-1, 1e6, 1)
