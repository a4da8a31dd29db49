"""A gripper grasps a box and a stone, lifts, carries and puts them down, in three formulations."""

import numpy as np
import pytest

from headframe.bench.dynamics.grasping import MASS, PHASES, SECOND, Grasp
from worlds import G

FINGERS = {"gripper/left_finger", "gripper/right_finger"}
FORMULATIONS = {"auto": {"sleeping": False}, "simgc": {}, "simmc": {"iterations": 500}}


@pytest.mark.parametrize("thing", ["box", "stone"])
@pytest.mark.parametrize("formulation", list(FORMULATIONS))
def test_it_grasps_lifts_carries_and_puts_down(formulation, thing):
    """Its fingers close by the repeater; friction alone holds what is between them."""
    scene = Grasp(formulation, thing, **FORMULATIONS[formulation])
    start = scene.thing.pose[:3, 3]
    scene.run("close")
    assert scene.touching >= FINGERS
    assert scene.gripper.joint("finger_2").position == pytest.approx(
        -scene.gripper.joint("finger_1").position, abs=1e-6
    )
    scene.run("lift")
    assert scene.touching == FINGERS
    assert scene.thing.pose[2, 3] > start[2] + 0.1
    scene.run("carry")
    assert scene.touching == FINGERS
    held = scene.gripper.pose("palm")
    np.testing.assert_allclose(scene.thing.pose[:2, 3], held[:2, 3], atol=0.12)
    scene.run("wait")
    assert scene.touching >= {"gripper/left_finger"}
    scene.run("let go")
    assert scene.touching == {"second table"}
    wanted = scene.carried(start) - [0, 0, SECOND]
    np.testing.assert_allclose(scene.thing.pose[:3, 3], wanted, atol=0.01)
    assert scene.thing.pose[2, 3] == pytest.approx(wanted[2], abs=1e-4)
    assert np.abs(scene.thing.velocity).max() < 1e-3
    energy = scene.world.energy()
    assert abs(energy.balance) < 3e-3 * energy.drives
    assert energy.contacts < 0.0


@pytest.mark.parametrize("thing", ["box", "stone"])
@pytest.mark.parametrize("formulation", list(FORMULATIONS))
def test_what_is_held_stays_where_it_is(formulation, thing):
    """Its weight hangs on friction, and it does not slip."""
    scene = Grasp(formulation, thing, **FORMULATIONS[formulation])
    scene.run("lift")
    scene.gripper.command(PHASES["wait"][1])  # the shoulder is locked
    scene.world.run(2.0)
    before = scene.thing.pose[:3, 3]
    weight = np.zeros(3)
    for contact in scene.world.contacts:
        weight += contact.force if contact.a == thing else -contact.force
    assert weight == pytest.approx([0, 0, MASS * G], abs=1e-2)
    assert all(contact.sticking for contact in scene.world.contacts)
    scene.world.run(5.0)
    np.testing.assert_allclose(scene.thing.pose[:3, 3], before, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("thing", ["box", "stone"])
def test_the_implicit_step_holds_it_for_ten_minutes(thing):
    scene = Grasp("auto", thing, sleeping=False)
    scene.run("lift")
    scene.gripper.command(PHASES["wait"][1])
    scene.world.run(30.0)
    before = scene.thing.pose[:3, 3]
    scene.world.run(600.0)
    assert np.abs(scene.thing.pose[:3, 3] - before).max() < 1e-9
