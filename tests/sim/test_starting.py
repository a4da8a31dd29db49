"""Velocities to start with, by name: what loops decide follows, and the rest rests if it can."""

import json

import numpy as np
import pytest

import headframe as hf
from headframe.bench.mechanisms import free_body
from headframe.description.reading import read_text
from headframe.dynamics.loops import loop_jacobian
from moving import boom, loaded

NAMED = ["embedded", "constrained", "simgc"]


@pytest.mark.parametrize("formulation", NAMED)
def test_named_cylinder_moves_and_others_rest(formulation):
    sim = hf.Simulation(loaded("roadheader"), formulation, velocity={"boom": 0.05})
    assert sim.cylinder("boom").speed == pytest.approx(0.05, abs=1e-9)
    for other in ("slew", "telescope", "shovel_plate"):
        assert sim.cylinder(other).speed == pytest.approx(0.0, abs=1e-9)
    J = loop_jacobian(sim.model.tree, sim.q)
    assert np.abs(J @ sim.v).max() < 1e-9


def test_cylinder_and_joint_give_the_same_start():
    """A joint inside of a loop is as good a name as the cylinder that moves it."""
    by_length = hf.Simulation(boom(), velocity={"ram": 0.1})
    rate = by_length.joint("lift").velocity
    assert abs(rate) > 0.01
    by_joint = hf.Simulation(boom(), velocity={"lift": rate})
    np.testing.assert_allclose(by_joint.v, by_length.v, atol=1e-12)


def test_speed_is_the_derivative_of_the_motion_that_follows():
    sim = hf.Simulation(loaded("lhd"), velocity={"lift": 0.1}, step=1e-5)
    before, rate = sim.q, sim.v
    sim.step()
    np.testing.assert_allclose((sim.q - before) / 1e-5, rate, atol=1e-3)


def test_names_of_motors_groups_and_free_joints():
    m = loaded("roadheader")
    sim = hf.Simulation(m, velocity={"cutting_motor": 3.0, "boom_left": 0.02})
    assert sim.joint("cutting").velocity == pytest.approx(3.0)
    assert sim.cylinder("boom").speed == pytest.approx(0.02)
    body = hf.Simulation(free_body((0.3, 0.5, 0.7), 2.0))
    (name,) = body.machine.mechanism.velocity_of_joint
    spun = hf.Simulation(body.machine, velocity={name: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})
    np.testing.assert_array_equal(spun.v, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"bom": 0.1}, "did you mean 'boom'"),
        ({3: 0.1}, "expected its name"),
        ({"boom": float("nan")}, "velocity of 'boom': found nan, expected a finite number"),
        ({"boom": True}, "velocity of 'boom': found True, expected a finite number"),
        ({"boom": [float("nan")]}, "velocity of 'boom'.*not finite"),
        ({"boom": [0.1, 0.2]}, "velocity of 'boom'.*expected .1,"),
        ({"boom": "1"}, "velocity of 'boom': found '1', expected a finite number"),
        (0.1, "velocity: found shape"),
        ("fast", "velocity: found 'fast'"),
    ],
)
def test_what_is_wrong_is_named(given, words):
    with pytest.raises(hf.HeadframeError, match=words):
        hf.Simulation(loaded("roadheader"), velocity=given)


def rate_of(joint, **velocity):
    return hf.Simulation(loaded("roadheader"), velocity=velocity).joint(joint).velocity


def test_velocities_that_contradict_each_other_are_told_with_what_the_loops_allow():
    """Those that have nothing to do with it are not named; each of the others follows."""
    turning = rate_of("pitching", boom=0.05)
    with pytest.raises(hf.StateError) as caught:
        rate_of("pitching", slew=0.01, boom=0.05, pitching=0.02, telescope=0.01)
    lengthening = 0.02 * 0.05 / turning
    assert str(caught.value) == (
        "velocity: found 'boom': 0.05, 'pitching': 0.02, which contradict each other; as the "
        f"others are given, the loops allow only 'boom': {lengthening:.6g}, or 'pitching': "
        f"{turning:.6g}"
    )
    assert rate_of("pitching", boom=lengthening) == pytest.approx(0.02)


def test_partners_that_contradict_each_other():
    """Two cylinders side by side have one speed."""
    words = "'boom_left': 0.05, 'boom_right': -0.05.*'boom_left': -0.05, or 'boom_right': 0.05$"
    with pytest.raises(hf.StateError, match=words):
        hf.Simulation(loaded("roadheader"), velocity={"boom_left": 0.05, "boom_right": -0.05})


def test_a_joint_that_cannot_move_at_all_is_told_so():
    held = framework()
    assert hf.Simulation(held, velocity={"ab": 0.0}).joint("ab").velocity == 0.0
    with pytest.raises(hf.StateError, match=r"velocity of 'ab': found 1, expected 0: its loops"):
        hf.Simulation(held, velocity={"swing": 0.5, "ab": 1.0})


def framework():
    """Three links pinned to a rigid triangle, and one that swings freely beside it."""
    mass = {"mass": 1.0, "com": [0.0, 0.0, 0.0], "inertia": np.eye(3).tolist()}
    names = ["a", "b", "c", "free"]

    def pin(name, parent, child, x, z):
        return {"name": name, "parent": parent, "child": child, "type": "revolute",
                "axis": [0, 1, 0], "origin_translation": [x, 0.0, z]}  # fmt: skip

    joints = [
        pin("ab", "a", "b", 0.0, 0.0), pin("ac", "a", "c", 2.0, 0.0),
        pin("bc", "b", "c", 1.0, 1.0), pin("cb", "c", "b", -1.0, 1.0),
        pin("swing", "a", "free", 0.0, 0.0),
    ]  # fmt: skip
    links = [{"name": name, "inertial": mass} for name in names]
    file = {"mrdf": "1", "name": "framework", "links": links, "joints": joints}
    return hf.Machine(read_text(json.dumps(file)).robot)


@pytest.mark.parametrize(("damping", "integrator"), [(0.0, "rk4"), (1.0, "rk4"), (1e6, "implicit")])
def test_dampers_faster_than_a_step_are_stepped_implicitly(damping, integrator):
    """The boom's inertia about its hinge is about 100 kg m2; an explicit method would explode."""
    sim = hf.Simulation(boom(lift={"damping": damping}))
    assert sim.integrator == integrator
    assert ("dampers" in sim.reason) == (integrator == "implicit")
    sim.run(0.5)
    assert abs(sim.joint("lift").velocity) < 3.0


def test_an_integrator_that_is_asked_for_is_taken():
    sim = hf.Simulation(boom(lift={"damping": 1e6}), integrator="rk4", step=1e-6)
    assert sim.integrator == "rk4"
    assert "dampers" not in sim.reason
