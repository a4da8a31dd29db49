"""Stops of joints that a drive moves by way of a loop or of a repeater: the stop is stronger."""

import numpy as np
import pytest

import headframe as hf
from moving import boom, loaded

LIMIT = {"lower": -0.1, "upper": 0.1}  # of the boom's hinge; its cylinder could go farther
FORMULATIONS = ["embedded", "constrained", "augmented"]


def limited_boom():
    """A longer cylinder turns its hinge towards the lower limit: up."""
    return boom(ram={"speed": 0.3}, lift={"limit": LIMIT})


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(("way", "end"), [(0.2, "lower"), (-0.2, "upper")])
def test_cylinder_presses_its_joint_on_a_stop_and_lifts_it_off(formulation, way, end):
    sim = hf.Simulation(limited_boom(), formulation)
    sim.command({"ram": hf.speed(way)})
    sim.run(2.0)
    pressed = sim.joint("lift")
    assert pressed.position == pytest.approx(LIMIT[end], abs=1e-12)
    assert pressed.velocity == 0.0
    held = sim.cylinder("ram").length
    sim.run(0.5)
    assert sim.cylinder("ram").length == pytest.approx(held, abs=1e-12)
    sim.command({"ram": hf.speed(-way)})
    sim.run(0.1)
    assert sim.cylinder("ram").speed == pytest.approx(-way, abs=1e-9)
    assert sim.cylinder("ram").length - held == pytest.approx(
        -way * (0.1 - sim.step_size / 2), abs=1e-9
    )
    # steps of the trapezoidal rule leave some of the work of 90 J, the others have rk4
    assert abs(sim.energy().balance) < (1e-3 if formulation == "augmented" else 1e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_stop_takes_the_energy_of_what_a_drive_brings(formulation):
    """Kinetic energy just before the stop is what the stop takes: the drive adds no impulse."""
    sim = hf.Simulation(limited_boom(), formulation, gravity=0.0, step=1e-4)
    sim.command({"ram": hf.speed(0.2)})
    while sim.joint("lift").velocity < 0.0 or sim.time == 0.0:
        before = sim.energy()
        sim.step()
    assert -sim.energy().stops == pytest.approx(before.kinetic, rel=1e-3)


@pytest.mark.parametrize("command", [hf.floating(), hf.force(-2000.0)])
def test_joint_that_rests_is_lifted_by_a_drive_that_takes_over(command):
    """It comes to rest on the joint's stop with nobody guiding it; then the cylinder lifts it."""
    sim = hf.Simulation(limited_boom())
    sim.command({"ram": command})
    sim.run(3.0)
    assert sim.joint("lift").position == pytest.approx(LIMIT["upper"], abs=1e-9)
    sim.command({"ram": hf.locked()})
    sim.run(0.1)
    assert sim.joint("lift").position == pytest.approx(LIMIT["upper"], abs=1e-9)
    sim.command({"ram": hf.speed(0.1)})
    sim.run(0.2)
    assert sim.cylinder("ram").speed == pytest.approx(0.1, abs=1e-9)


def random_command(random):
    kind = random.integers(4)
    if kind == 0:
        return hf.floating()
    if kind == 1:
        return hf.locked()
    if kind == 2:
        return hf.force(random.uniform(-5e3, 5e3))
    return hf.speed(random.uniform(-0.3, 0.3))


def test_both_formulations_agree_on_tied_stops():
    """Any commands in any order, most of the time on one stop or the other."""
    two = [hf.Simulation(limited_boom(), formulation) for formulation in FORMULATIONS[:2]]
    random, touched = np.random.default_rng(3), 0
    for _ in range(80):
        command, seconds = random_command(random), 0.1 * random.random()
        for sim in two:
            sim.command({"ram": command})
            sim.run(seconds)
        one, other = two
        np.testing.assert_allclose(one.q, other.q, atol=1e-9)
        assert LIMIT["lower"] - 2e-9 < one.joint("lift").position < LIMIT["upper"] + 2e-9
        touched += abs(one.joint("lift").position) > 0.1 - 1e-9
    assert touched > 20
    assert abs(one.energy().balance) < 1e-4


@pytest.mark.parametrize("seed", [18, 24])
def test_fingers_that_a_gear_ties_are_driven_at_random(seed):
    """Both fingers reach their stops at once; these seeds once took more than 64 impacts."""
    sim, random = (
        hf.Simulation(loaded("gripper"), "constrained", "rk4"),
        np.random.default_rng(seed),
    )
    motors = {m.name: m for m in sim.machine.robot.motors}
    while sim.time < 8.0:
        commands = {}
        for name, motor in motors.items():
            share, kind = random.uniform(-1, 1), random.integers(5)
            commands[name] = (
                hf.floating(), hf.locked(), hf.speed(share * motor.max_speed),
                hf.torque(share * motor.max_torque), hf.torque(share * motor.max_torque),
            )[kind]  # fmt: skip
        sim.command(commands)
        sim.run(0.1 * random.random())
    finger = sim.joint("finger_1").position
    assert -0.12 - 1e-8 < finger < 0.45 + 1e-8
    assert sim.joint("finger_2").position == pytest.approx(-finger, abs=1e-12)
    assert abs(sim.energy().balance) < 0.01
