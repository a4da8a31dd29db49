"""What inverse kinematics and batches must not do: leave bounds, read other machines, race."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine
from headframe.description.reading import read_text
from headframe.description.writing import mrdf_text
from headframe.errors import StateError
from headframe.mechanism import State


def edited(name, change):
    """A machine of the catalogue with its file changed."""
    content = json.loads(mrdf_text(hf.load(name).robot))
    change(content)
    reading = read_text(json.dumps(content))
    assert reading.robot is not None, reading.problems
    return hf.Machine(reading.robot)


def test_partners_that_are_no_twins_stay_in_their_bounds():
    """One rear leg stands 0.25 m further in front: how far it may go depends on the front legs."""

    def shift(content):
        leg = next(a for a in content["actuators"] if a["name"] == "rear_leg_right")
        leg["rod_offset"][0] += 0.25

    one = edited("tcchs", shift)
    low, high = np.array([(a.bounds.lower, a.bounds.upper) for a in one.actuators]).T
    random = np.random.default_rng(1)
    for _ in range(40):
        target = one.home.pose("canopy")
        target[[0, 2], 3] += random.uniform(-1.0, 1.0, 2)
        lengths = one.ik("canopy", target).lengths
        assert (lengths >= low - 1e-9).all()
        assert (lengths <= high + 1e-9).all()


@pytest.mark.parametrize("angle", [0.02, 0.2, 1.5, 3.0, 3.12])
def test_targets_next_to_a_dead_centre_are_reached(angle):
    """Both dead centres, 0 and pi, lie inside the bounds; the target is on home's side of them."""
    one = machine(
        [joint("hinge", "base", "arm", axis=[0, -1, 0])],
        [actuator("c", ("base", (1.0, 0, 0)), ("arm", (0.5, 0, 0)), (0.2, 2.0))],
        home={"joints": {"hinge": 0.8}},
    )
    target = State(one.mechanism, np.array([angle])).pose("arm")
    assert one.ik("arm", target).objective < 1e-6


def test_batches_refuse_a_start_of_another_machine():
    one, other = hf.load("roadheader"), hf.load("tcchs")
    with pytest.raises(StateError, match="another machine"):
        one.fk_batch(one.home.lengths[None], start=other.home)
    with pytest.raises(StateError, match="another machine"):
        one.ik_batch("cutter_head", one.home.pose("cutter_head")[None], start=other.home)


@pytest.mark.parametrize("kind", ["fk", "ik"])
def test_batches_of_several_threads_do_not_disturb_each_other(kind):
    one = hf.load("tcchs")
    random = np.random.default_rng(3)
    low, high = one.kinematics.usable
    lengths = random.uniform(low, high, size=(1000, low.size))
    states = one.fk_batch(lengths, ["canopy"])

    def work(_):
        if kind == "fk":
            return one.fk_batch(lengths).joints
        return one.ik_batch("canopy", states.pose("canopy"), chained=False).joints

    alone = work(0)
    with ThreadPoolExecutor(4) as pool:
        for joints in pool.map(work, range(8)):
            np.testing.assert_array_equal(joints, alone)
