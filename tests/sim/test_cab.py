"""What levers and switches tell the machine."""

import pytest

import headframe as hf
from headframe.errors import CommandError, UnknownElementError
from headframe.sim.cab import AT_REST, Cab


@pytest.fixture
def cab():
    cab = Cab(hf.load("roadheader").robot)
    cab.dead_man.beat(0.0, {}, 0.0, True)
    return cab


def hold(cab, **levers):
    cab.dead_man.beat(0.0, levers, 0.0, True)
    return cab.commands(0.0)


def test_everything_holds_at_first(cab):
    told = cab.commands(0.0)
    assert set(told) == {*cab.robot.group_names, *(motor.name for motor in cab.robot.motors)}
    assert {command.kind for command in told.values()} == {"locked"}


def test_lever_is_a_share_of_the_speed_limit(cab):
    told = hold(cab, boom=-0.5, telescope=1.0)
    assert told["boom"] == hf.speed(-0.5 * 0.06)
    assert told["telescope"] == hf.speed(0.05)
    assert told["slew"] == hf.locked()


def test_lever_ends_what_was_switched(cab):
    cab.go_to("boom", 2.0)
    cab.let_float("slew", True)
    assert cab.commands(0.0)["boom"] == hf.length(2.0)
    assert cab.commands(0.0)["slew"] == hf.floating()
    told = hold(cab, boom=0.1, slew=0.1)
    assert told["boom"].kind == told["slew"].kind == "speed"
    assert hold(cab)["boom"] == hf.locked()
    assert hold(cab)["slew"] == hf.locked()


def test_target_and_float_exclude_each_other(cab):
    cab.go_to("boom", 2.0)
    cab.let_float("boom", True)
    assert cab.commands(0.0)["boom"] == hf.floating()
    cab.go_to("boom", 2.0)
    assert cab.commands(0.0)["boom"] == hf.length(2.0)
    cab.let_float("boom", False)
    assert cab.commands(0.0)["boom"] == hf.length(2.0)


def test_motor_turns_until_it_is_stopped(cab):
    cab.spin("cutting_motor", -0.5)
    assert cab.commands(0.0)["cutting_motor"] == hf.speed(-0.5 * 4.8)
    cab.spin("cutting_motor", 0.0)
    assert cab.commands(0.0)["cutting_motor"] == hf.locked()


@pytest.mark.parametrize("trip", ["emergency", "silence"])
def test_everything_holds_when_nobody_is_there(cab, trip):
    cab.go_to("boom", 2.0)
    cab.let_float("slew", True)
    cab.spin("cutting_motor", 1.0)
    cab.dead_man.beat(0.0, {"telescope": 1.0}, 0.0, True)
    if trip == "emergency":
        cab.stop()
    told = cab.commands(0.0 if trip == "emergency" else 1.0)
    assert {command.kind for command in told.values()} == {"locked"}
    assert cab.switches == AT_REST
    for attempt in (
        lambda: cab.go_to("boom", 2.0),
        lambda: cab.let_float("boom", True),
        lambda: cab.spin("cutting_motor", 1.0),
    ):
        with pytest.raises(CommandError, match="cannot move"):
            attempt()
    assert cab.switches == AT_REST


def test_emergency_stop_is_released_with_neutral_levers_only(cab):
    cab.stop()
    cab.dead_man.beat(0.0, {"boom": 0.1}, 0.0, True)
    with pytest.raises(CommandError, match="neutral"):
        cab.release()
    assert cab.emergency
    cab.dead_man.beat(0.0, {}, 0.0, True)
    cab.release()
    assert not cab.emergency


@pytest.mark.parametrize("length", [1.0, 3.0, float("nan")])
def test_target_outside_the_bounds_changes_nothing(cab, length):
    with pytest.raises(CommandError, match=r"expected 1\.4867 to 2\.2365 m"):
        cab.go_to("boom", length)
    assert cab.switches == AT_REST


def test_unknown_names(cab):
    for attempt in (
        lambda: cab.go_to("bom", 2.0),
        lambda: cab.let_float("bom", True),
        lambda: cab.spin("cuting_motor", 1.0),
    ):
        with pytest.raises(UnknownElementError):
            attempt()


def test_levers_of_another_machine_do_nothing(cab):
    assert {command.kind for command in hold(cab, front_legs=1.0).values()} == {"locked"}
