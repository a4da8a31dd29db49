"""A rotary actuator is planned, driven, written and shown as the other drives are."""

import json
import math

import numpy as np
import pytest

from build import entries, joint, machine
from headframe.actuation import locked, position
from headframe.description import DRIVE_KINDS
from headframe.description.reading import read_text
from headframe.description.writing import mrdf_text
from headframe.export import mjcf_text, urdf_notes, urdf_text
from headframe.export.page import machine_info
from headframe.sim import Simulation
from headframe.sim.cab import Cab
from headframe.sim.formulations import FORMULATIONS

INERTIA = 40.0
SLEW = joint("slew", "base", "turret", axis=[0, 0, 1], limit={"lower": -1.5, "upper": 1.5})
DRIVE = {
    "name": "slew_drive", "joint": "slew",
    "max_torque": 500.0, "max_speed": 0.5, "max_acceleration": 2.0,
}  # fmt: skip


def turret(**fields):
    """A balanced turret on a slew drive."""
    inertial = {"mass": 100.0, "com": [0, 0, 0], "inertia": np.diag([30, 30, INERTIA]).tolist()}
    links = [{"name": "base"}, {"name": "turret", "inertial": inertial}]
    content = {"rotary_actuators": [DRIVE], "end_effector": "turret", **fields}
    return machine([SLEW], links=links, **content)


def problems(**fields):
    reading = read_text(json.dumps(entries([SLEW], **fields)))
    return [problem.message for problem in reading.problems]


def test_it_is_an_input_with_all_its_limits():
    one = turret()
    (each,) = one.robot.inputs
    assert (each.name, each.joint, each.unit) == ("slew_drive", "slew", "rad")
    assert (each.lower, each.upper, each.speed, each.acceleration) == (-1.5, 1.5, 0.5, 2.0)
    X = one.fk({"slew_drive": 0.7}).pose("turret")
    assert math.atan2(X[1, 0], X[0, 0]) == pytest.approx(0.7, abs=1e-15)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_it_goes_where_it_is_told_within_its_limits(name):
    """No faster than 0.5 rad/s, and there after 1 rad: 2 s and the ramps of 0.25 s."""
    sim = Simulation(turret(), formulation=name, step=1e-3)
    sim.command({"slew_drive": position(1.0)})
    fastest = 0.0
    for _ in range(30):
        sim.run(0.1)
        fastest = max(fastest, sim.joint("slew").velocity)
        assert abs(sim.forces["slew"]) <= 500.0 + 1e-6
    assert fastest == pytest.approx(0.5, rel=1e-3)
    assert sim.joint("slew").position == pytest.approx(1.0, abs=2e-3)


def test_it_holds_against_less_than_its_torque():
    """A wrench of 300 N m does not move a locked one; 600 N m does: it gives way."""
    for torque, moves in ((300.0, False), (600.0, True)):
        sim = Simulation(turret(), step=1e-3)
        sim.command({"slew_drive": locked()})
        sim.apply("turret", [0, 0, torque, 0, 0, 0])
        sim.run(0.5)
        assert (abs(sim.joint("slew").position) > 0.1) == moves


def test_the_cab_locks_it_and_drives_it():
    one = turret()
    cab = Cab(one.robot)
    cab.beat(0.0, {}, 0.0, True)
    assert cab.commands(0.0)["slew_drive"] == locked()
    cab.go_to("slew_drive", 0.5)
    assert cab.commands(0.0)["slew_drive"] == position(0.5)


def test_the_page_and_the_formats_know_it():
    one = turret()
    (info,) = machine_info(one.mechanism).motors
    assert (info.name, info.kind, info.servo, info.cuts) == (
        "slew_drive", "rotary actuator", True, False,
    )  # fmt: skip
    assert any("Rotary actuator 'slew_drive'" in n for n in urdf_notes(one.robot, one.topology))
    assert 'effort="500.0" velocity="0.5"' in urdf_text(one.robot, one.topology, one.home)
    text = mjcf_text(one.robot, one.topology, one.home)
    assert '<position name="slew_drive" joint="slew"' in text
    assert "Speed limits of rotary actuators are not in this file." in text


def test_it_is_written_and_read_again():
    one = turret()
    assert read_text(mrdf_text(one.robot)).robot == one.robot


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"rotary_actuators": [{"name": "drive", "joint": "slaw"}]},
            "'drive' names 'slaw', which is no joint",
        ),
        (
            {"rotary_actuators": [DRIVE], "motors": [{"name": "motor", "joint": "slew"}]},
            "joint 'slew' is driven by motor 'motor' already",
        ),
        (
            {"rotary_actuators": [DRIVE], "motors": [{"name": "slew_drive", "joint": "other"}]},
            "the name 'slew_drive' is taken by a motor",
        ),
        (
            {"rotary_actuators": [DRIVE, DRIVE]},
            "the name 'slew_drive' is taken by an earlier rotary actuator",
        ),
    ],
)
def test_mistakes_are_named(fields, message):
    assert message in problems(**fields)


def test_it_needs_a_hinge_with_ends():
    for kind, more, message in (
        ("continuous", {}, "joint 'slew' is continuous, expected a revolute joint of the tree"),
        ("prismatic", {}, "joint 'slew' is prismatic, expected a revolute joint of the tree"),
        (
            "revolute", {},
            "joint 'slew' has no limit, expected one: rotary actuator 'slew_drive' cannot turn on "
            "and on",
        ),
    ):  # fmt: skip
        content = entries([joint("slew", "base", "turret", kind, **more)])
        reading = read_text(json.dumps({**content, "rotary_actuators": [DRIVE]}))
        assert message in [problem.message for problem in reading.problems]


def test_every_kind_of_drive_has_its_list_in_the_file():
    robot = turret().robot
    for kind in DRIVE_KINDS.values():
        assert isinstance(getattr(robot, kind.listed), tuple)
