"""Any commands in any order: no stop is passed, and the energy balance closes."""

import numpy as np
import pytest

import headframe as hf
from moving import EIGHT, boom, loaded

KINDS = ["force", "speed", "floating", "locked", "length", "as before"]


def random_command(sim, n, kind, random):
    """One command for a cylinder or a motor."""
    row, share = sim.model.rows[n], random.uniform(-1, 1)
    drive = sim._engine.drives[n]
    low, high, fastest = drive.lower, drive.upper, drive.most_speed
    if kind == "floating":
        return hf.floating()
    if kind == "speed":
        return hf.speed(fastest * share)
    if kind == "force" and not row.members:
        return hf.torque(1e3 * share)
    if kind == "force":
        most = sim.machine.robot.actuators[row.members[0]].force * len(row.members)
        return hf.force(most * share * random.choice([0.01, 1]))
    if kind == "length" and row.members:
        return hf.length(random.uniform(low, high))
    return hf.locked()


def random_commands(sim, random):
    """A mix of commands for some of the rows."""
    kinds = {n: random.choice(KINDS) for n in range(len(sim.model.rows))}
    return {
        sim.model.rows[n].name: random_command(sim, n, kind, random)
        for n, kind in kinds.items()
        if kind != "as before"
    }


def test_floating_after_a_late_lock():
    """A boom that its stop has stopped for a drive, 1e-9 m beyond, and that then floats."""
    sim = hf.Simulation(boom(ram={"speed": 0.3, "acceleration": 0.1}))
    while sim.cylinder("ram").length > 0.955:
        sim.step()
    sim.command({"ram": hf.locked()})
    sim.run(0.2)
    sim.command({"ram": hf.floating()})
    sim.run(1.0)
    assert sim.cylinder("ram").stop == "lower"


@pytest.mark.parametrize("coordinates", ["lengths", "variables"])
@pytest.mark.parametrize("name", EIGHT)
def test_random_commands(name, coordinates):
    """Short form of the long run: any commands in any order, energy closed, stops not passed."""
    sim = hf.Simulation(loaded(name), coordinates=coordinates)
    random = np.random.default_rng([7, len(name)])
    while sim.time < 8.0:
        sim.command(random_commands(sim, random))
        for _ in range(int(random.integers(1, 12))):
            sim.step(int(random.integers(1, 60)))
            for n, row in enumerate(sim.model.rows):
                drive = sim._engine.drives[n]
                assert drive.lower - 2e-9 <= sim.q[row.position] <= drive.upper + 2e-9
    energy = sim.energy()
    moved = abs(energy.drives) + abs(energy.dampers) + abs(energy.stops)
    assert abs(energy.balance) <= 1e-8 * moved
