"""Levers live only while an operator is there."""

import pytest

from headframe.sim.dead_man import SILENCE, STALL, DeadMan


@pytest.fixture
def alive():
    switch = DeadMan()
    switch.beat(10.0, {}, 0.0, True)
    switch.beat(10.05, {"boom": 0.5}, 0.0, True)
    assert switch.look(10.06) == ""
    assert switch.levers == {"boom": 0.5}
    return switch


def test_nobody_at_first():
    assert DeadMan().look(0.0) == "no_operator"
    assert DeadMan().levers == {}


def test_deflected_lever_does_not_start_the_machine():
    switch = DeadMan()
    switch.beat(1.0, {"boom": 1.0}, 0.0, True)
    assert switch.look(1.0) == "centre"
    assert switch.levers == {}
    assert not switch.neutral
    switch.beat(1.05, {"boom": 0.0}, 0.0, True)
    assert switch.look(1.05) == ""
    switch.beat(1.1, {"boom": 1.0}, 0.0, True)
    assert switch.levers == {"boom": 1.0}


def test_silence(alive):
    assert alive.look(10.05 + SILENCE - 0.001) == ""
    assert alive.look(10.05 + SILENCE + 0.001) == "silent"
    assert alive.levers == {}


def test_main_thread_that_hangs(alive):
    """Heartbeats go on, but they tell that the page's hands do not."""
    alive.beat(11.0, {"boom": 0.5}, STALL - 0.1, True)
    assert alive.look(11.05) == ""
    assert alive.look(11.15) == "stalled"
    alive.beat(11.2, {"boom": 0.5}, STALL + 0.2, True)
    assert alive.look(11.2) == "stalled"


def test_page_that_nobody_sees(alive):
    alive.beat(10.1, {"boom": 0.5}, 0.0, False)
    assert alive.look(10.1) == "hidden"
    assert alive.levers == {}


def test_connection_that_closes(alive):
    alive.leave("closed")
    assert alive.look(10.06) == "closed"
    assert alive.levers == {}
    assert alive.neutral


@pytest.mark.parametrize("trip", ["silent", "stalled", "hidden", "closed"])
def test_levers_must_be_centred_after_every_trip(alive, trip):
    match trip:
        case "silent":
            alive.look(20.0)
        case "stalled":
            alive.beat(20.0, {}, 2.0, True)
        case "hidden":
            alive.beat(20.0, {}, 0.0, False)
        case "closed":
            alive.leave("closed")
    alive.beat(20.1, {"boom": 0.5}, 0.0, True)
    assert alive.look(20.1) == "centre"
    alive.beat(20.15, {}, 0.0, True)
    assert alive.look(20.15) == ""
