"""From real time to substeps."""

import numpy as np
import pytest

from headframe.errors import StateError
from headframe.sim.pacer import MOST_TICKS, TICK, Pacer


def made(pacer, moments):
    return [pacer.due(now) for now in moments]


@pytest.mark.parametrize("scale", [0.1, 0.37, 1.0, 4.0])
def test_simulated_time_is_real_time_times_scale(scale):
    """However irregular the ticks are, at most one substep is owed."""
    pacer, random = Pacer(1e-3), np.random.default_rng(1)
    pacer.scale = scale
    moments = np.concatenate([[0.0], np.cumsum(random.uniform(0.2, 2.0, 2000) * TICK)])
    for now, total in zip(moments, np.cumsum(made(pacer, moments)), strict=True):
        assert 0.0 <= now * scale - total * 1e-3 < 1e-3 + 1e-9
    assert pacer.overruns == 0


def test_every_tick_has_a_substep_at_the_slowest():
    pacer = Pacer(1e-3)
    pacer.scale = 0.1
    counts = made(pacer, np.arange(600) * TICK)
    assert set(counts[1:]) == {1, 2}


def test_nothing_is_owed_before_the_first_tick():
    assert Pacer(1e-3).due(1e6) == 0


def test_large_debt_is_dropped_and_counted():
    pacer = Pacer(1e-3)
    pacer.due(0.0)
    assert pacer.due(MOST_TICKS * TICK) == 83
    assert pacer.overruns == 0
    steps = pacer.due(10.0)  # the computer slept
    assert steps == 83
    assert pacer.overruns == pytest.approx((10.0 - 2 * MOST_TICKS * TICK) / TICK, abs=1.0)
    before = pacer.overruns
    assert pacer.due(10.0 + TICK) in (16, 17)
    assert pacer.overruns == before


def test_resting_owes_nothing():
    pacer = Pacer(1e-3)
    pacer.due(0.0)
    pacer.rest(100.0)
    assert pacer.due(100.0) == 0
    assert pacer.due(100.01) == 10
    assert pacer.overruns == 0


def test_clock_that_goes_back_owes_nothing():
    pacer = Pacer(1e-3)
    pacer.due(5.0)
    assert pacer.due(4.0) == 0
    assert pacer.due(4.01) == 10


@pytest.mark.parametrize("scale", [0.0, 0.099, 4.01, -1.0, float("nan")])
def test_scale_out_of_range_changes_nothing(scale):
    pacer = Pacer(1e-3)
    with pytest.raises(StateError, match=r"expected 0\.1 to 4"):
        pacer.scale = scale
    assert pacer.scale == 1.0
