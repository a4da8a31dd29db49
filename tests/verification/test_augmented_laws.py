"""The augmented Lagrangian on benchmark problems and on the machines of the catalogue."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import headframe as hf
from headframe.bench.mechanisms import (
    bricard,
    n_four_bars,
    n_four_bars_velocity,
    simple_pendulum,
)
from moving import EIGHT, loaded

G = 9.81
STEP = 1e-3


def run(sim, seconds, looks):
    """Largest error of energy [J], residual and rate of the constraints on the way."""
    first, error, residual, rate = sum(sim._engine.energy()), 0.0, 0.0, 0.0
    for _ in range(looks):
        sim.run(seconds / looks)
        residuals, rates = sim._engine.constraints()
        error = max(error, abs(sum(sim._engine.energy()) - first))
        residual = max(residual, float(np.abs(residuals).max()))
        rate = max(rate, float(np.abs(rates).max()))
    return error, residual, rate


def test_a01_simple_pendulum():
    """A point on a bar without mass or inertia, for 10 s; the rule is of second order."""
    errors = []
    exact = solve_ivp(
        lambda _, y: [y[1], -G * np.cos(y[0])], (0, 10), [0.0, 0.0],
        method="DOP853", rtol=1e-12, atol=1e-12,
    ).y[0, -1]  # fmt: skip
    for step in (2 * STEP, STEP):
        sim = hf.Simulation(simple_pendulum(), "augmented", step=step)
        energy, residual, rate = run(sim, 10.0, 200)
        assert residual < 1e-10
        assert rate < 1e-12
        assert energy < 50.0 * step**2 * G
        errors.append(abs(sim.q[0] - exact))
    assert errors[1] < 2e-4
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)


@pytest.mark.parametrize(("integrator", "rho"), [("newmark", 1.0), ("generalized-alpha", 0.8)])
def test_a02_windows_through_singular_poses(integrator, rho):
    """The benchmark asks for 0.1 J over 10 s; flat, two windows have three freedoms, not one."""
    sim = hf.Simulation(
        n_four_bars(2), "augmented", integrator, step=STEP, velocity=n_four_bars_velocity(2),
        rho=rho,
    )  # fmt: skip
    energy, residual, rate = run(sim, 10.0, 500)
    assert energy < 5e-3
    assert residual < 1e-10
    assert rate < 1e-9  # near the singular pose velocities are known that well
    assert np.ptp(sim.q[:3]) < 1e-5  # no window has folded


def test_a02_forty_windows_for_a_while():
    """Three passes through poses with 41 freedoms."""
    many = n_four_bars(40)
    sim = hf.Simulation(many, "augmented", step=STEP, velocity=n_four_bars_velocity(40))
    energy, residual, rate = run(sim, 3.0, 100)
    assert energy < 0.05
    assert residual < 1e-10
    assert rate < 1e-8  # near the singular poses
    assert np.ptp(sim.q[:41]) < 1e-5


def test_a04_bricard():
    """One freedom, though its constraints are redundant; the benchmark asks for 1e-3 J."""
    sim = hf.Simulation(bricard(), "augmented", step=STEP)
    energy, residual, rate = run(sim, 10.0, 200)
    assert energy < 2e-5
    assert residual < 1e-10
    assert rate < 1e-12


@pytest.mark.parametrize("name", EIGHT)
def test_machines_follow_the_embedded_motion_with_order_two(name):
    """Let go from home; one that does not move there gets a push. Half the step, a quarter."""
    one, seconds = loaded(name), 0.08
    push = dict.fromkeys(one.robot.group_names[:1], 0.02)
    exact = hf.Simulation(one, "embedded", "rk4", step=5e-4, velocity=push)
    exact.run(seconds)
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        sim = hf.Simulation(one, "augmented", step=step, velocity=push)
        sim.run(seconds)
        errors.append(np.abs(np.concatenate([sim.q - exact.q, sim.v - exact.v])).max())
        residuals, rates = sim._engine.constraints()
        assert np.abs(residuals).max() < 1e-10
        assert np.abs(rates).max() < 1e-12
    assert errors[0] < 1e-4
    if errors[2] > 1e-11:  # else nothing is left but rounding
        assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
        assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.1)
