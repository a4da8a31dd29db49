"""The variational integrator: symplectic for inertias that depend on the position."""

import numpy as np
import pytest

import headframe as hf
from headframe.bench.mechanisms import double_pendulum, free_body


def swung(step, integrator="variational", seconds=1.0):
    machine = double_pendulum()
    start = hf.State(machine.mechanism, np.array([2.0, 1.0]))
    sim = hf.Simulation(machine, integrator=integrator, step=step, start=start)
    sim.run(seconds)
    return sim


def test_second_order():
    exact = swung(2.5e-4, "rk6").q
    errors = [np.abs(swung(step).q - exact).max() for step in (4e-3, 2e-3, 1e-3)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 2.0, atol=0.1)


def test_energy_does_not_drift_where_the_semi_implicit_one_does():
    """Over 60 s the error of the first 10 s hardly grows; the other's does."""
    machine = double_pendulum()
    start = hf.State(machine.mechanism, np.array([2.0, 1.0]))
    worst = {}
    for integrator in ("variational", "semi-implicit"):
        sim = hf.Simulation(machine, integrator=integrator, step=4e-3, start=start)
        errors = []
        for _ in range(600):
            sim.run(0.1)
            errors.append(abs(sim.energy().balance) / 60.0)
        worst[integrator] = max(errors[:100]), max(errors)
    assert worst["variational"][1] < 4.0 * worst["variational"][0]
    assert worst["semi-implicit"][1] > 20.0 * worst["variational"][1]


def test_lengths_and_variables_give_one_motion_to_second_order():
    machine = hf.load("lhd")
    apart = []
    for step in (2e-3, 1e-3):
        ends = []
        for coordinates in ("lengths", "variables"):
            sim = hf.Simulation(
                machine, integrator="variational", step=step, coordinates=coordinates, gravity=1.0
            )
            sim.run(0.1)
            ends.append(sim.q)
        apart.append(np.abs(ends[0] - ends[1]).max())
    assert apart[0] < 1e-5
    assert apart[1] < 0.3 * apart[0]


def test_a_guided_cylinder_moves_as_told_and_reports_its_force():
    machine = hf.load("roadheader")
    forces = []
    for integrator in ("variational", "rk4"):
        sim = hf.Simulation(machine, integrator=integrator)
        sim.command({name: hf.locked() for name in machine.robot.group_names})
        sim.command({"boom": hf.speed(0.05)})
        sim.run(0.5)
        assert sim.cylinder("boom").speed == pytest.approx(0.05, abs=1e-12)
        forces.append(sim.forces["boom"])
    assert forces[0] == pytest.approx(forces[1], rel=1e-4)


def test_it_refuses_what_it_is_not_made_for():
    with pytest.raises(hf.StateError, match=r"no spherical or free joints.*take 'constrained'"):
        hf.Simulation(free_body(), "embedded", "variational")
    sim = hf.Simulation(hf.load("lhd"), integrator="variational", coordinates="variables")
    sim.command({hf.load("lhd").robot.group_names[0]: hf.locked()})
    with pytest.raises(hf.DynamicsError, match="take lengths as coordinates"):
        sim.run(0.01)


def test_dry_friction_does_not_keep_it_from_converging():
    """Friction that turns within a thousandth of a radian a second; the balance is of order two."""
    balances = []
    for step in (1e-3, 5e-4):
        sim = hf.Simulation(hf.load("five_link_chain"), "embedded", "variational", step)
        sim.run(0.5)
        balances.append(sim.energy().balance)
    assert sim.energy().dampers < -0.1
    assert balances[0] == pytest.approx(4.0 * balances[1], rel=0.05)
