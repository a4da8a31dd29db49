"""Penalty, multipliers, Baumgarte and the matrix R: accelerations in natural coordinates."""

import numpy as np
import pytest

import headframe as hf
import moving
from build import joint, machine
from headframe.actuation import guiding
from headframe.baselines.index_one import accelerations, matrix_r, stepping
from headframe.bench.mechanisms import bricard, n_four_bars, n_four_bars_velocity
from headframe.constraints.augmented import factor, forces, newton, reading, rows
from headframe.constraints.augmented import stepping as around
from maximal_scenes import bar
from plain_python import run_as_python

# by method: how far it may be from the constrained tree, and how far its loops may open
METHODS = {
    "penalty": (1e-4, 1e-5), "lagrange": (1e-9, 1e-9), "baumgarte": (1e-8, 1e-9),
    "matrix-r": (1e-9, 1e-11),
}  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("which", ["lhd", "bricard"])
def test_same_motion_as_the_constrained_tree(name, which):
    """All with the Runge-Kutta method; redundant constraints are borne by all of them."""
    one = moving.loaded("lhd") if which == "lhd" else bricard()
    exact, sim = (hf.Simulation(one, formulation) for formulation in ("constrained", name))
    for each in (exact, sim):
        each.run(0.2)
    near, gap = METHODS[name]
    np.testing.assert_allclose(sim.q, exact.q, atol=near)
    np.testing.assert_allclose(sim.v, exact.v, atol=10 * near)
    assert sim.position_error() < gap


def test_errors_of_penalties_fall_with_alpha():
    exact = hf.Simulation(bricard(), "constrained")
    exact.run(0.5)
    errors = []
    for penalty in (1e10, 1e11, 1e12):
        sim = hf.Simulation(bricard(), "penalty", penalty=penalty)
        sim.run(0.5)
        errors.append(np.abs(sim.q - exact.q).max())
    assert errors[0] > 5.0 * errors[1] > 25.0 * errors[2]


def test_without_stabilisation_constraints_drift():
    """Their second rates are met; what is wrong once stays, and grows with time."""
    gaps = {}
    for name in ("lagrange", "baumgarte", "matrix-r"):
        sim = hf.Simulation(bricard(), name, step=1e-2)
        sim.run(10.0)
        gaps[name] = sim.position_error()
    assert gaps["lagrange"] > 100.0 * gaps["baumgarte"] > 0.0
    assert gaps["matrix-r"] < 1e-11


def test_singular_poses_are_where_multipliers_fail():
    """A02 passes one after 0.7 s; the augmented Lagrangian does not mind."""
    lost = {}
    for name in ("lagrange", "augmented"):
        sim = hf.Simulation(n_four_bars(2), name, velocity=n_four_bars_velocity(2))
        sim.run(2.0)
        lost[name] = abs(sim.energy().balance)
    assert lost["augmented"] < 1e-3 < 1e-1 < lost["lagrange"]


@pytest.mark.parametrize("name", METHODS)
def test_guided_and_stopped(name):
    """A motor leads an arm; let go, it falls on its stop and rests there."""
    one = machine(
        [joint("arm", "base", "bar", limit={"lower": -1.0, "upper": 0.05})],
        links=[{"name": "base"}, bar("bar", 2.0, 2.0)],
        motors=[{"name": "motor", "joint": "arm"}],
    )
    sim = hf.Simulation(one, name)
    sim.command({"motor": hf.speed(-0.5)})
    sim.run(0.2)
    assert sim.q[0] == pytest.approx(-0.1 + 0.5 * 0.5e-3, abs=1e-5)
    assert sim.v[0] == pytest.approx(-0.5, abs=1e-5)
    sim.command({"motor": hf.floating()})
    sim.run(1.0)
    assert sim._engine.drives.stop[0] == 1.0
    assert sim.q[0] == pytest.approx(0.05, abs=2e-3)  # a step's way beyond
    assert sim.v[0] == pytest.approx(0.0, abs=1e-9)
    assert sim.forces["arm"] == pytest.approx(-2.0 * 9.81 * np.cos(sim.q[0]), rel=1e-4)
    assert sim.energy().stops < -0.1


@pytest.mark.parametrize("name", METHODS)
def test_saved_runs_repeat_bit_for_bit(name):
    sim = hf.Simulation(moving.boom(), name)
    sim.run(0.02)
    saved = sim.save()
    sim.run(0.02)
    found = sim.q.tobytes()
    sim.restore(saved)
    sim.run(0.02)
    assert sim.q.tobytes() == found


def test_kernels_run_as_python(monkeypatch):
    found = []
    for plain in (False, True):
        if plain:
            kernels = accelerations, matrix_r, stepping, factor, forces, newton, reading, rows
            run_as_python(monkeypatch, guiding, around, *kernels)
        for name in ("penalty", "matrix-r"):
            sim = hf.Simulation(moving.boom(), name, step=5e-3)
            sim.command({"ram": hf.speed(0.1)})
            sim.step(2)
            sim.command({"ram": hf.floating()})
            sim._engine.drives.lower[0] = sim.q[-1] - 1e-4
            sim.step(3)
            found.append(sim.q)
    np.testing.assert_allclose(found[2], found[0], atol=1e-12)
    np.testing.assert_allclose(found[3], found[1], atol=1e-12)
