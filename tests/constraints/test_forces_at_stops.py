"""Forces of drives that rest on their end stops: every formulation reads what holds the row."""

import numpy as np
import pytest

import headframe as hf
from build import joint, machine
from maximal_scenes import bar
from moving import boom

FORMULATIONS = ("embedded", "constrained", "augmented", "simgc", "simmc", "xpbd")
WEIGHT = 2.0 * 9.81
# by method: how far the force of a row at rest may be from the exact one, as a part of it
NEAR = {
    "embedded": 1e-9, "constrained": 1e-9, "augmented": 1e-9, "simgc": 1e-9, "simmc": 1e-6,
    "xpbd": 1e-6,
}  # fmt: skip


def lift(upper=1.0):
    """A block of 2 kg on an upright slide with a motor, on its lower stop."""
    inertial = {"mass": 2.0, "inertia": (0.1 * np.eye(3)).tolist()}
    limit = {"lower": 0.0, "upper": upper}
    return machine(
        [joint("slide", "base", "block", "prismatic", axis=[0, 0, 1], limit=limit)],
        links=[{"name": "base"}, {"name": "block", "inertial": inertial}],
        motors=[{"name": "motor", "joint": "slide"}],
    )


def arm():
    """A bar of 2 kg and 2 m with a motor, level on its stop."""
    return machine(
        [joint("arm", "base", "bar", limit={"lower": -1.0, "upper": 0.0})],
        links=[{"name": "base"}, bar("bar", 2.0, 2.0)],
        motors=[{"name": "motor", "joint": "arm"}],
    )


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("torque", [0.0, 5.0, -5.0])
def test_motor_on_its_stop(formulation, torque):
    """Gravity turns the arm downwards, about +y; drive and stop together hold it."""
    sim = hf.Simulation(arm(), formulation)
    sim.command({"motor": hf.torque(torque)})
    sim.step(200)
    assert sim.forces["arm"] == pytest.approx(-WEIGHT, rel=NEAR[formulation])
    assert sim.q[0] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("force", [5.0, -5.0])
def test_motor_on_a_lower_stop_and_off_it(formulation, force):
    sim = hf.Simulation(lift(), formulation)
    sim.command({"motor": hf.torque(force)})
    sim.step(200)
    assert sim.forces["slide"] == pytest.approx(WEIGHT, rel=NEAR[formulation])
    sim.command({"motor": hf.torque(25.0)})
    sim.step(50)
    assert sim.forces["slide"] == 25.0
    assert sim.v[0] == pytest.approx(0.05 * (25.0 - WEIGHT) / 2.0, rel=2e-2)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("force", [0.0, 150.0])
def test_cylinder_on_its_stop(formulation, force):
    """A boom sinks onto its cylinder's lower stop: it reads what statics asks for there."""
    one = boom(bound=(1.1, 1.6))
    sim = hf.Simulation(one, formulation)
    sim.command({"ram": hf.force(force) if force else hf.floating()})
    sim.run(1.5)
    reading = sim.cylinder("ram")
    assert (reading.stop, reading.length) == ("lower", pytest.approx(1.1, abs=1e-5))
    held = hf.Simulation(one, "embedded", start=sim.state)
    held.command({"ram": hf.locked()})
    held.step(2)
    assert reading.force > 500.0
    assert reading.force == pytest.approx(held.forces["ram"], rel=5 * NEAR[formulation])
    assert sim.forces["ram"] == reading.force


def test_work_of_a_drive_that_meets_its_stop_is_booked():
    """Of SIMGC: in the step that ends on the stop too, the drive's force does its work."""
    sim = hf.Simulation(lift(0.5), "simgc")
    sim.command({"motor": hf.torque(30.0)})
    sim.run(2.0)
    energy = sim.energy()
    assert energy.drives == pytest.approx(30.0 * 0.5, rel=2e-3)
    assert sim.forces["slide"] == pytest.approx(WEIGHT)
