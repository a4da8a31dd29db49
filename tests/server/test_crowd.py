"""Thirty-two clients, one of which never reads: physics keeps its pace, and memory is bounded."""

import pytest

from headframe.bench.server.crowd import CLIENTS, measure

pytestmark = pytest.mark.quiet


@pytest.mark.parametrize(
    "seconds", [5.0, pytest.param(60.0, marks=[pytest.mark.slow, pytest.mark.timeout(400)])]
)
def test_crowd_costs_physics_nothing(seconds):
    alone, crowded = measure(0, seconds), measure(CLIENTS, seconds)
    assert crowded.overruns <= alone.overruns
    assert crowded.ticks == pytest.approx(60 * seconds, rel=0.05)
    assert crowded.fewest == pytest.approx(60 * seconds, rel=0.15)
    assert crowded.server_growth < 6e6
    assert crowded.physics_growth - crowded.ring_growth < 8e6
