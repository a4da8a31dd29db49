"""Rows of drives and the machine behind them."""

import numpy as np
import pytest

import headframe as hf
from headframe.sim.leading import Leading


def test_a_drive_that_cannot_be_followed_stops_alone():
    """The boom is led out of its bounds; the telescope goes on, and so does the motor."""
    machine = hf.load("roadheader")
    leading = Leading(machine)
    row = leading.commands.row
    before = leading.read(machine.home)
    positions, rates = before.copy(), np.ones_like(before)
    positions[row("boom")] = 99.0
    positions[row("telescope")] += 0.01
    positions[row("cutting_motor")] += 0.3
    led = positions.copy()
    state = leading.follow(machine.home, before, positions, rates)
    assert (positions[row("boom")], rates[row("boom")]) == (before[row("boom")], 0.0)
    others = np.arange(len(before)) != row("boom")
    np.testing.assert_array_equal(positions[others], led[others])
    np.testing.assert_array_equal(rates[others], 1.0)
    np.testing.assert_allclose(leading.read(state), positions, atol=1e-9)
    turned = state.joints["cutting"] - machine.home.joints["cutting"]
    assert turned == pytest.approx(0.3, abs=1e-12)
