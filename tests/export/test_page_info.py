"""What the page is told of motors: which of them cut."""

import pytest

import headframe as hf
from headframe.export.page import machine_info


def cutting(name):
    """Of each motor that cuts: what it turns, and what that sits on."""
    motors = machine_info(hf.load(name).mechanism).motors
    return {(motor.link, motor.carrier) for motor in motors if motor.cuts}


def test_heads_and_drums_cut_and_gathering_arms_do_not():
    assert cutting("roadheader") == {("cutting_drum", "cutter_head")}
    assert cutting("shearer") == {
        ("drum_left", "cutter_hub_left"),
        ("drum_right", "cutter_hub_right"),
    }


@pytest.mark.parametrize("name", sorted(set(hf.machines()) - {"roadheader", "shearer"}))
def test_nothing_else_of_the_catalogue_cuts(name):
    assert cutting(name) == set()
