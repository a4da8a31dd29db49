"""A roadheader under random levers: finite for a day, and every joule accounted for."""

import numpy as np
import pytest

import headframe as hf

HOUR = 3600.0


def random_commands(machine, sim, random):
    """One lever moved: a group or a motor told to do something within its limits."""
    robot = machine.robot
    name = random.choice([*robot.group_names, *(motor.name for motor in robot.motors)])
    motor = next((motor for motor in robot.motors if motor.name == name), None)
    kind = random.choice(["force", "speed", "floating", "locked", "length"])
    if motor is not None:
        choices = {
            "force": hf.torque(0.5 * random.uniform(-1, 1) * motor.max_torque),
            "speed": hf.speed(random.uniform(-1, 1) * motor.max_speed),
        }
        return {name: choices.get(kind, hf.locked() if kind == "locked" else hf.floating())}
    group = robot.group_names.index(name)
    first = robot.actuators[robot.groups[group][0]]
    low, high = (bound[group] for bound in machine.kinematics.usable)
    choices = {
        "force": hf.force(random.uniform(-1, 1) * first.force),
        "speed": hf.speed(random.uniform(-1, 1) * first.speed),
        "length": hf.length(random.uniform(low, high)),
        "floating": hf.floating(),
        "locked": hf.locked(),
    }
    return {name: choices[kind]}


def drive_at_random(seconds, step, seed):
    """The largest part of the work done that the ledger does not explain, and that work [J]."""
    machine = hf.load("roadheader")
    sim = hf.Simulation(machine, step=step)
    random = np.random.default_rng(seed)
    work, before, worst = 0.0, 0.0, 0.0
    while sim.time < seconds:
        sim.command(random_commands(machine, sim, random))
        sim.run(float(random.uniform(0.5, 4.0)))
        energy = sim.energy()
        assert np.isfinite(sim.q).all()
        assert np.isfinite(sim.v).all()
        low, high = machine.kinematics.usable
        lengths = np.array([sim.cylinder(name).length for name in machine.robot.group_names])
        assert (lengths >= low - 1e-9).all()
        assert (lengths <= high + 1e-9).all()
        work += abs(energy.drives - before)
        before = energy.drives
        worst = max(worst, abs(energy.balance) / max(work, 1e3))
    return worst, work


def test_minutes_of_random_levers_close_their_balance():
    worst, work = drive_at_random(120.0, 2e-3, seed=4)
    assert work > 1e5
    assert worst < 1e-4


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_day_of_random_levers_closes_its_balance(capsys):
    worst, work = drive_at_random(24 * HOUR, 5e-3, seed=20261)
    with capsys.disabled():
        print(f"\n24 h: {work:.3e} J of work, balance within {worst:.2e} of it")
    assert worst < 1e-4
