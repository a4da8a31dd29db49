"""What a command makes of a row: a force, or accelerations that end where they should.

`follow` moves one row as a simulation does: with a constant acceleration through every step.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headframe.actuation import guiding as kernels
from headframe.actuation.guiding import FLOATING, FORCE, GUIDED, LENGTH, LOCKED, PUSHED, SPEED
from headframe.actuation.records import DRIVE
from headframe.jit import new_records
from headframe.jit.entries import compile_entry, entries_of

LIMITS = [(0.1, 0.5), (0.1, math.inf), (math.inf, 0.5), (math.inf, math.inf)]
limits = pytest.mark.parametrize(("fastest", "most"), LIMITS)


def row(mode, value=0.0, bounds=(1.0, 2.0), fastest=math.inf, most=math.inf, stop=0.0):
    """A drive of one row."""
    drives = new_records(1, DRIVE)
    drives.mode, drives.value = mode, value
    drives.lower, drives.upper = bounds
    drives.most_speed, drives.most_acceleration, drives.most_force = fastest, most, math.inf
    drives.stop = stop
    return drives


def together(*rows):
    """Drives of several rows."""
    return np.concatenate(rows).view(np.recarray)


def follow(drives, position, rate, h, steps, guide=kernels.guide):
    """Positions, rates and accelerations of a guided row."""
    path = np.zeros((3, steps + 1))
    path[:2, 0] = position, rate
    for n in range(1, steps + 1):
        guide(position, rate, 0, h, drives)
        pull = drives[0].pull
        assert drives[0].now == GUIDED
        position += h * (rate + 0.5 * h * pull)
        rate += h * pull
        path[:, n] = position, rate, pull
    return path


# ------------------------------------------------------------------------------------ forces


@pytest.mark.parametrize("guide", [kernels.guide, kernels.guide.py_func])
def test_forces_push(guide):
    for mode, wanted in ((FORCE, -7.0), (FLOATING, 0.0)):
        drives = row(mode, -7.0)
        guide(1.5, 0.3, 0, 0.01, drives)
        assert drives[0].now == PUSHED
        assert drives[0].pull == wanted


@pytest.mark.parametrize("guide", [kernels.guide, kernels.guide.py_func])
@pytest.mark.parametrize("mode", [FORCE, FLOATING])
def test_row_at_a_stop_is_held_there(mode, guide):
    """It is let go elsewhere, where the stop would have to pull."""
    drives = row(mode, 5.0, stop=1.0)
    guide(2.0, 1e-9, 0, 0.01, drives)
    assert drives[0].now == GUIDED
    assert drives[0].pull == pytest.approx(-1e-7)
    assert drives[0].stop == 1.0


@pytest.mark.parametrize("mode", [SPEED, LENGTH, LOCKED])
def test_guided_row_is_at_no_stop(mode):
    drives = row(mode, 1.0, stop=-1.0)
    kernels.guide(1.5, 0.0, 0, 0.01, drives)
    assert drives[0].stop == 0.0


def test_other_rows_are_left_alone():
    drives = together(row(FORCE, 3.0), row(SPEED, 0.2), row(FLOATING))
    before = drives.copy()
    kernels.guide(1.5, 0.0, 1, 0.01, drives)
    assert np.array_equal(drives[[0, 2]], before[[0, 2]])
    assert drives[1].pull == pytest.approx(20.0)


# ------------------------------------------------------------------------------------ speeds


@limits
def test_speed_is_reached_within_the_limits(fastest, most):
    drives = row(SPEED, 0.08, (-math.inf, math.inf), fastest, most)
    _, rate, pull = follow(drives, 0.0, 0.0, 0.004, 100)
    assert np.abs(pull).max() <= most * (1.0 + 1e-12)
    steps = 1 if math.isinf(most) else math.ceil(0.08 / (most * 0.004))
    assert rate[steps:] == pytest.approx(np.full(101 - steps, 0.08), abs=1e-15)
    assert (np.diff(rate[: steps + 1]) > 0.0).all()


def test_speed_is_limited():
    drives = row(SPEED, -3.0, (-math.inf, math.inf), 0.1, 0.5)
    _, rate, _ = follow(drives, 0.0, 0.0, 0.01, 100)
    assert rate.min() == pytest.approx(-0.1, abs=1e-15)
    assert rate[-1] == pytest.approx(-0.1, abs=1e-15)


def test_speed_is_turned_around():
    drives = row(SPEED, 0.1, (-math.inf, math.inf), 0.1, 0.5)
    _, rate, pull = follow(drives, 0.0, -0.1, 0.01, 60)
    assert rate[-1] == pytest.approx(0.1, abs=1e-15)
    assert np.abs(pull).max() <= 0.5 + 1e-12


@limits
def test_lock_comes_to_rest_and_holds(fastest, most):
    drives = row(LOCKED, 0.0, (0.0, 3.0), fastest, most)
    position, rate, pull = follow(drives, 1.5, -0.07, 0.003, 200)
    assert np.abs(pull).max() <= most * (1.0 + 1e-12)
    assert rate[-1] == pytest.approx(0.0, abs=1e-17)
    assert np.ptp(position[100:]) <= 1e-15
    braked = 0.07**2 / (2.0 * most) + 0.07 * 0.003
    assert 1.5 - braked <= position[-1] < 1.5


def test_lock_at_rest_moves_nothing():
    drives = row(LOCKED, 0.0, (1.0, 2.0), 0.1, 0.5)
    position, rate, pull = follow(drives, 1.2345, 0.0, 1e-3, 50)
    assert not pull.any()
    assert not rate.any()
    assert (position == 1.2345).all()


# --------------------------------------------------------------------------------------- stops


@limits
@given(start=st.floats(1.0, 2.0), speed=st.floats(-0.1, 0.1), h=st.floats(5e-4, 0.05))
def test_speed_ends_at_a_stop(fastest, most, start, speed, h):
    """Never beyond it, without a blow, and in the end right at it."""
    drives = row(SPEED, speed, (1.0, 2.0), fastest, most)
    steps = min(int(12.0 / h), 3000)
    position, rate, pull = follow(drives, start, 0.0, h, steps, kernels.guide)
    assert position.min() >= 1.0 - 1e-12
    assert position.max() <= 2.0 + 1e-12
    assert np.abs(rate).max() <= abs(speed) * (1.0 + 1e-9)
    assert np.abs(pull).max() <= most * (1.0 + 1e-9)
    if steps * h * abs(speed) > 1.1 + abs(speed) / most * 0.5:
        assert position[-1] == pytest.approx(2.0 if speed > 0.0 else 1.0, abs=1e-12)
        assert rate[-1] == pytest.approx(0.0, abs=1e-11)


# ------------------------------------------------------------------------------------- lengths


@limits
@given(start=st.floats(1.0, 2.0), goal=st.floats(1.0, 2.0), h=st.floats(5e-4, 0.05))
def test_length_is_reached_and_held(fastest, most, start, goal, h):
    """Within the limits, in hardly more than the shortest time, without overshoot; then at rest."""
    way = abs(goal - start)
    top = min(fastest, math.sqrt(way * most)) if way else 0.0
    needed = 0.0 if not way or math.isinf(top) else way / top + top / most
    arrived = math.ceil(1.1 * needed / h) + 5
    steps = arrived + 30
    drives = row(LENGTH, goal, (1.0, 2.0), fastest, most)
    position, rate, pull = follow(drives, start, 0.0, h, steps)
    assert (np.sign(goal - start) * (position - goal)).max() <= 1e-12
    assert np.abs(rate).max() <= fastest * (1.0 + 1e-9)
    assert np.abs(pull).max() <= most * (1.0 + 1e-9)
    np.testing.assert_allclose(position[arrived:], goal, rtol=0, atol=1e-12)
    np.testing.assert_allclose(rate[arrived:], 0.0, atol=1e-11)
    assert not pull[-1]
    assert abs(rate[-1]) * h <= 1e-14


@pytest.mark.parametrize("rate", [-0.1, -0.03, 0.02, 0.1])
def test_length_from_a_moving_start(rate):
    """Too near to stop at, it is passed and come back to, within the limits."""
    drives = row(LENGTH, 1.503, (1.0, 2.0), 0.1, 0.5)
    position, rates, pull = follow(drives, 1.5, rate, 1e-3, 2000)
    assert np.abs(pull).max() <= 0.5 * (1.0 + 1e-9)
    assert np.abs(rates).max() <= 0.1 * (1.0 + 1e-9)
    assert position[-1] == pytest.approx(1.503, abs=1e-12)
    assert abs(rates[-1]) <= 1e-11


@pytest.mark.parametrize("guide", [kernels.guide, kernels.guide.py_func])
def test_length_beyond_a_stop_ends_at_the_stop(guide):
    drives = row(LENGTH, 2.0 + 1e-9, (1.0, 2.0), 0.1, 0.5)
    position, rate, _ = follow(drives, 1.9, 0.0, 1e-2, 300, guide)
    assert position.max() <= 2.0 + 1e-15
    assert (position[-1], rate[-1]) == pytest.approx((2.0, 0.0), abs=1e-13)


def test_goal_may_change_on_the_way():
    random = np.random.default_rng(3)
    position, rate = 1.5, 0.0
    for _ in range(40):
        goal = random.uniform(1.0, 2.0)
        drives = row(LENGTH, goal, (1.0, 2.0), 0.1, 0.5)
        steps = int(random.integers(1, 700))
        path = follow(drives, position, rate, 2e-3, steps)
        position, rate = path[0, -1], path[1, -1]
        assert path[0].min() >= 1.0 - 1e-12
        assert path[0].max() <= 2.0 + 1e-12
        assert np.abs(path[2]).max() <= 0.5 * (1.0 + 1e-9)


def test_every_kernel_compiles():
    declared = list(entries_of(kernels))
    assert declared == [kernels.guide, kernels.lead]
    for kernel in declared:
        compile_entry(kernel)
        assert kernel.overloads


def test_length_without_any_limit_is_finite():
    drives = row(LENGTH, 1.5001, (1.0, 2.0), math.inf, math.inf)
    kernels.guide(1.5, 1.0, 0, 1e-3, drives)
    assert np.isfinite(drives[0].pull)


# ------------------------------------------------------------------------------------- impacts


def pulled(modes, masks, impulses, stops, now=GUIDED):
    """`pulled_stop` of rows, uncompiled."""
    drives = together(*(row(mode, stop=stop) for mode, stop in zip(modes, stops, strict=True)))
    drives.now = now
    return kernels.pulled_stop.py_func(drives, np.array(masks), np.array(impulses))


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_stop_that_would_pull_in_an_impact_is_found(side):
    """An upper stop pushes by a negative impulse, a lower one by a positive one."""
    masks = [0.0, side, side]
    assert pulled([FLOATING] * 3, masks, [9.0, -2.0 * side, -1.0 * side], [0.0] * 3) == -1
    assert pulled([FLOATING] * 3, masks, [9.0, 2.0 * side, -1.0 * side], [0.0] * 3) == 1
    assert pulled([FLOATING] * 3, masks, [9.0, 1.0 * side, 2.0 * side], [0.0] * 3) == 2
    assert pulled([FLOATING] * 3, masks, [9.0, 1e-9 * side, 0.0], [0.0] * 3) == -1, "rounding"


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("mode", [FLOATING, FORCE])
def test_stop_that_a_row_rests_against_cannot_pull_in_an_impact_either(side, mode):
    nobody, stops = [0.0, 0.0], [0.0, side]
    assert pulled([mode] * 2, nobody, [1.0, 3.0 * side], stops) == 1
    assert pulled([mode] * 2, nobody, [1.0, -3.0 * side], stops) == -1
    assert pulled([LOCKED] * 2, nobody, [1.0, 3.0 * side], stops) == -1, "its drive holds it"
    assert pulled([mode] * 2, nobody, [1.0, 3.0 * side], stops, now=PUSHED) == -1, "let go already"
    meets_the_other = [0.0, -side]
    assert pulled([mode] * 2, meets_the_other, [1.0, 3.0 * side], stops) == -1
