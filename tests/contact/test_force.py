"""The force at a contact: its slopes, its cone, and what it remembers."""

import math

import numpy as np
import pytest

from finite_differences import central
from headframe.contact import (
    exact_dissipation,
    force,
    lankarani_dissipation,
    printed_dissipation,
    stiction,
)
from headframe.contact.force import (
    SLOWEST,
    SOFTEST,
    bend,
    hertz_stiffness,
    normal_force,
    one_push,
)
from headframe.contact.records import MEMORY, PAIR, PUSH, FrictionKind
from headframe.jit import new_records
from plain_python import run_as_python

H = 2e-3


def pair(**given):
    one = new_records(1, PAIR)[0]
    fields = {
        "modulus": 5e7, "exponent": 1.5, "dissipation": 0.4, "static": 0.8, "dynamic": 0.6,
        "bristle_stiffness": 3e5, "bristle_damping": 200.0, "transition": 0.1, "strain": 1.0,
        **given,
    }  # fmt: skip
    for name, value in fields.items():
        one[name] = value
    return one


def memory(speed=0.3, slides=0):
    one = new_records(1, MEMORY)[0]
    one.speed, one.slides = speed, slides
    return one


def push(u, depth=2e-3, bristle=(1e-4, -2e-4), of=None, held=None, kernel=one_push):
    found = new_records(1, PUSH)[0]
    kernel(
        of or pair(), 1e6, H, depth, np.array(bristle), held or memory(), np.array(u, float), found
    )
    return found


POINT = {"friction": FrictionKind.STICTION_POINT}
CASES = {
    "sticks": ((-0.1, 0.001, 0.002), {}),
    "slides": ((-0.1, 0.7, -0.4), {}),
    "slides on": ((0.05, -0.5, 0.3), {"held": memory(slides=1)}),
    "with grease": ((-0.1, 0.7, -0.4), {"of": pair(viscous=40.0)}),
    "hardly": ((0.99, 0.1, 0.1), {"of": pair(viscous=40.0, dissipation=0.1)}),
    "hunt and crossley": ((-0.2, 0.3, 0.1), {"of": pair(dissipation=exact_dissipation(0.4))}),
    "as printed": ((-0.2, 0.3, 0.1), {"of": pair(dissipation=printed_dissipation(0.4))}),
    "lankarani": ((-0.2, 0.3, 0.1), {"of": pair(dissipation=lankarani_dissipation(0.4))}),
    "kelvin and voigt": (
        (-0.1, 0.3, 0.1),
        {"of": pair(exponent=1.0, dissipation=0.0, damping=300.0)},
    ),
    "kelvin and voigt parting": ((0.02, 0.3, 0.1), {"of": pair(dissipation=0.0, damping=300.0)}),
    "kelvin and voigt's beginning": (
        (-0.1, 0.3, 0.1),
        {"of": pair(dissipation=0.0, damping=1e3), "depth": -1.9e-4},
    ),
    "a stiction point holds": ((-0.1, 0.03, 0.02), {"of": pair(**POINT)}),
    "it lets go": ((-0.1, 0.15, -0.1), {"of": pair(**POINT)}),
    "its bristles come back": (
        (-0.1, 0.1, 0.02),
        {"of": pair(**POINT, bristle_damping=2e4), "bristle": (-9e-4, 4e-4)},
    ),
    "a stiction point far behind": (
        (-0.1, 0.7, -0.4),
        {"of": pair(**POINT, viscous=40.0, transition=0.5)},
    ),
    "it begins": ((-0.1, 1e-3, 2e-3), {"of": pair(**POINT), "bristle": (0.0, 0.0)}),
}


@pytest.mark.parametrize("case", CASES)
def test_slopes_are_those_of_differences(case):
    u, given = CASES[case]
    found = push(u, **given)
    assert found.force[0] > 0.0
    for k, axis in enumerate(np.eye(3)):
        slope = central(lambda t, axis=axis: push(u + t * axis, **given).force)
        np.testing.assert_allclose(found.slope[:, k], slope, rtol=1e-6, atol=1e-6 * 1e3)


def test_it_never_pulls():
    assert push((5.0, 0.0, 0.0)).force[0] == 0.0  # they part faster than the law can follow
    assert push((0.0, 1.0, 0.0), depth=-1e-6).force.tolist() == [0.0, 0.0, 0.0]
    for u in np.linspace(-2.0, 4.0, 101):
        assert push((u, 0.0, 0.0)).force[0] >= 0.0


def test_the_normal_force_falls_as_bodies_part():
    forces = [push((u, 0.0, 0.0)).force[0] for u in np.linspace(-1.0, 1.5, 200)]
    assert (np.diff(forces) <= 0.0).all()


@pytest.mark.parametrize("case", [case for case in CASES if "stiction" not in case])
def test_every_law_of_the_normal_force_is_monotone_and_continuous(case):
    """No step is worse than the steepest slope; Kelvin and Voigt's begins without a jump."""
    _, given = CASES[case]
    speeds = np.linspace(-1.5, 1.5, 30001)
    found = [push((u, 0.0, 0.0), **given) for u in speeds]
    change = np.diff([one.force[0] for one in found])
    steepest = max(-one.slope[0, 0] for one in found)
    assert (change <= 0.0).all()
    assert (change >= -1.01 * steepest * (speeds[1] - speeds[0])).all()


def test_the_damper_begins_with_the_spring():
    of = pair(dissipation=0.0, damping=1e4)
    pushes, _, over_rate = normal_force(of, 1e6, 1.5, 1e-6, 0.5, 0.5)
    assert (pushes, over_rate) == (pytest.approx((1 + SOFTEST) * 1e6 * 1e-9), 0.0)
    pushes, _, over_rate = normal_force(of, 1e6, 1.5, 1e-2, 0.5, 0.5)
    assert (pushes, over_rate) == (pytest.approx(1e3 + 5e3), 1e4)


def test_friction_stays_in_its_cone_and_is_monotone():
    rng = np.random.default_rng(3)
    for _ in range(300):
        u = rng.normal(size=3) * [0.3, 0.5, 0.5]
        slid = int(rng.integers(2))
        found = push(u, held=memory(slides=slid))
        limit = (0.6 if slid else 0.8) * found.force[0]
        assert math.hypot(*found.force[1:]) <= limit * (1 + 1e-14)
        other = u + np.array([0.0, *rng.normal(size=2)])
        change = push(other, held=memory(slides=slid)).force - found.force
        assert change @ (other - u) <= 1e-12


def test_bristles_hold_what_pushes_back():
    """At rest the bent bristles alone push, by their stiffness."""
    found = push((0.0, 0.0, 0.0), bristle=(1e-4, -2e-4))
    assert found.force[1:] == pytest.approx([-30.0, 60.0])
    assert not found.slides


def test_a_contact_that_slides_bends_its_bristles_no_further():
    of, held, bristle, u = pair(bristle_damping=0.0), memory(), np.array([0.0, 0.0]), (0.0, 1.0, 0)
    for _ in range(5):
        found = push(u, bristle=bristle, of=of, held=held)
        bend(of, H, np.array(u, float), found, bristle, held)
    assert held.slides == 1
    assert 3e5 * bristle == pytest.approx([0.6 * found.force[0], 0.0])


def test_a_stiction_point_holds_with_its_bristles_and_slides_with_the_dynamic_coefficient():
    of = pair(**POINT)
    assert push((0.0, 0.0, 0.0), of=of).force[1:] == pytest.approx([-30.0, 60.0])  # -k p
    fast = push((0.0, 3.0, -4.0), of=of)
    assert fast.force[1:] == pytest.approx(0.6 * fast.force[0] * np.array([-0.6, 0.8]))
    assert fast.slides


def test_a_stiction_point_goes_after_its_contact():
    """(3.15): at the limit by the strain, along the velocity; else it stays where it is."""
    of, held, bristle = pair(**POINT, strain=0.9), memory(), np.array([1e-4, -2e-4])
    bend(of, H, np.array([0.0, 0.01, 0.0]), push((0.0, 0.01, 0.0), of=of), bristle, held)
    assert bristle == pytest.approx([1e-4 + H * 0.01, -2e-4])
    u = np.array([0.0, 0.3, 0.4])
    bend(of, H, u, push(u, of=of), bristle, held)
    assert 3e5 * bristle == pytest.approx(0.9 * 0.8 * 1e6 * 2e-3**1.5 * np.array([0.6, 0.8]))


def test_a_stiction_point_is_not_monotone():
    """Which is why machines take the return map."""
    of = pair(**POINT, transition=0.05, bristle_stiffness=1e4)
    forces = [push((0.0, u, 0.0), of=of, bristle=(6e-3, 0.0)).force[1] for u in (0.0, 0.02, 0.3)]
    assert forces[1] < forces[0] < 0.0
    assert forces[2] > forces[1]


def test_what_parts_forgets():
    held, bristle = memory(slides=1), np.array([1e-4, 0.0])
    bend(pair(), H, np.zeros(3), push((0.0, 0.0, 0.0), depth=-1.0), bristle, held)
    assert (held.touches, held.slides, held.speed, *bristle) == (0, 0, 0.0, 0.0, 0.0)


def test_a_contact_that_begins_at_rest_is_damped_no_more_than_at_the_slowest_approach():
    pushes, _, slope = normal_force(pair(), 1e6, 1.5, 1e-3, 0.0, 0.0)
    assert slope == pytest.approx(pushes * 0.4 / SLOWEST)


def test_stiffness_of_hertz():
    """4/3 E* sqrt(R) (3.2), or what the pair has of its own."""
    assert hertz_stiffness(pair(), 4.0) == pytest.approx(4 / 3 * 5e7 * 0.5)
    assert hertz_stiffness(pair(stiffness=7e6), 4.0) == 7e6


@pytest.mark.parametrize("case", CASES)
def test_uncompiled_it_gives_the_same(case, monkeypatch):
    u, given = CASES[case]
    found = push(u, **given)
    run_as_python(monkeypatch, force, stiction)
    plain = push(u, **given, kernel=force.one_push)
    np.testing.assert_allclose(plain.force, found.force, rtol=1e-14)
    np.testing.assert_allclose(plain.slope, found.slope, rtol=1e-12, atol=1e-9)
