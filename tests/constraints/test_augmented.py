"""The augmented Lagrangian as an engine: constraints, drives, stops, ledger, saving, failing."""

import numpy as np
import pytest
from augmented_scenes import augmented

import headframe as hf
import moving
from build import joint, machine
from headframe.actuation import guiding
from headframe.bench.mechanisms import double_pendulum
from headframe.constraints.augmented import factor, forces, newton, reading, rows, stepping
from headframe.dynamics.records import PULL
from headframe.jit import new_records
from maximal_scenes import bar, chain
from moving import boom, pull
from plain_python import run_as_python

G = 9.81
INTEGRATORS = [("newmark", 1.0), ("hht", 0.7), ("generalized-alpha", 0.8)]


def worst(sim):
    """The largest residual of a constraint, and the largest rate."""
    residuals, rates = sim._engine.constraints()
    return float(np.abs(residuals).max()), float(np.abs(rates).max())


# ------------------------------------------------------------------------------------ constraints


@pytest.mark.parametrize(("integrator", "rho"), INTEGRATORS)
@pytest.mark.parametrize("projection", ["tangent", "mass"])
def test_constraints_and_their_rates_hold_after_every_step(integrator, rho, projection):
    options = {"integrator": integrator, "rho": rho, "projection": projection}
    sim = hf.Simulation(moving.loaded("roadheader"), "augmented", step=5e-3, **options)
    sim.command({"boom": hf.speed(0.05), "cutting_motor": hf.torque(500.0)})
    for _ in range(40):
        sim.step()
        residual, rate = worst(sim)
        assert residual < 1e-10
        assert rate < 1e-12


def test_penalty_decides_over_iterations_only():
    """Whatever it is, as long as it is much more than the masses over beta h^2: (2.11)."""
    found, turns = [], []
    for penalty in (1e11, 1e12, 1e13):
        sim = hf.Simulation(moving.loaded("lhd"), "augmented", step=5e-3, penalty=penalty)
        sim.run(0.2)
        found.append(sim.q)
        turns.append(sim.iterations)
        assert worst(sim)[0] < 1e-10
    np.testing.assert_allclose(found[0], found[2], atol=1e-8)
    np.testing.assert_allclose(found[1], found[2], atol=1e-9)
    assert turns[0] > turns[1] >= turns[2]


def test_penalty_that_is_too_soft_is_an_error_with_the_link():
    sim = hf.Simulation(moving.loaded("lhd"), "augmented", step=5e-3, penalty=1e5)
    with pytest.raises(hf.DynamicsError, match="the step does not converge, '") as caught:
        sim.run(0.3)
    assert caught.value.body in [link.name for link in sim.machine.robot.links]
    assert caught.value.time == sim.time


def test_steps_that_do_not_converge_are_made_in_parts():
    """With three turns at most many steps do not: these are more exact then."""
    sims = [
        hf.Simulation(double_pendulum(), "augmented", step=1e-2, iterations=most)
        for most in (3, 100)
    ]
    exact = hf.Simulation(double_pendulum(), "embedded", "rk6")
    for sim in (*sims, exact):
        sim.run(1.0)
    assert sims[0].time == sims[1].time == pytest.approx(1.0)
    errors = [np.abs(sim.q - exact.q).max() for sim in sims]
    assert errors[0] < errors[1] < 0.05
    assert worst(sims[0])[0] < 1e-10
    with pytest.raises(hf.DynamicsError, match="the step does not converge, '"):
        hf.Simulation(double_pendulum(), "augmented", step=1e-2, iterations=1).run(1.0)


# --------------------------------------------------------------------------------------- accuracy


@pytest.mark.parametrize(("integrator", "rho"), [*INTEGRATORS, ("generalized-alpha", 0.0)])
def test_observed_order(integrator, rho):
    """Halving the step leaves a quarter of the error, at the end of a swing of a second."""
    one = double_pendulum()
    exact = hf.Simulation(one, "embedded", "rk6", step=1e-3)
    exact.run(1.0)
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        sim = hf.Simulation(one, "augmented", integrator, step=step, rho=rho)
        sim.run(1.0)
        errors.append(np.abs(np.concatenate([sim.q - exact.q, sim.v - exact.v])).max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.08)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.04)


def stiff():
    """A block on a spring whose period is a hundredth of a step."""
    inertial = {"mass": 1.0, "inertia": (0.1 * np.eye(3)).tolist()}
    return machine(
        [joint("slide", "base", "block", "prismatic", axis=[1, 0, 0])],
        links=[{"name": "base"}, {"name": "block", "inertial": inertial}],
        springs=[
            {"name": "coil", "link_a": "base", "point_a": (-1, 0, 0), "link_b": "block",
             "point_b": (0, 0, 0), "stiffness": 4e9, "rest_length": 1.0, "damping": 0.0},
        ],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("integrator", "rho"),
    [("newmark", 1.0), ("hht", 1.0), ("hht", 0.6), ("generalized-alpha", 1.0),
     ("generalized-alpha", 0.8), ("generalized-alpha", 0.3)],
)  # fmt: skip
def test_rho_is_what_a_step_leaves_of_a_fast_vibration(integrator, rho):
    """Amplitudes fall by rho a step: energy by rho^2. With 1 nothing is lost."""
    sim = hf.Simulation(
        stiff(), "augmented", integrator, step=1e-2, gravity=0.0, velocity=[1e-3], rho=rho,
        tolerance=1e-13,
    )  # fmt: skip
    energies = []
    for _ in range(12):
        energies.append(sum(sim._engine.energy()))
        sim.step()
    # two modes of HHT and of the generalized alpha method have the same size in the limit
    fall = (energies[-1] / energies[5]) ** (1.0 / 12.0)
    assert fall == pytest.approx(rho, abs=0.08)


def test_energy_falls_with_rho_and_never_grows():
    left = []
    for rho in (1.0, 0.8, 0.5, 0.0):
        sim = hf.Simulation(double_pendulum(), "augmented", "generalized-alpha", step=1e-2, rho=rho)
        first = sum(sim._engine.energy())
        sim.run(5.0)
        left.append(sum(sim._engine.energy()) - first)
    assert left[3] < left[2] < left[1] < 0.0


# ----------------------------------------------------------------------------------------- drives


def test_guided_motion_and_its_force_are_the_embedded_ones():
    one = moving.loaded("roadheader")
    sims = [hf.Simulation(one, formulation) for formulation in ("embedded", "augmented")]
    for sim in sims:
        sim.command({name: hf.locked() for name in one.robot.group_names})
        sim.command({"boom": hf.speed(0.05), "cutting_motor": hf.speed(4.0)})
        sim.run(1.0)
    first, second = sims
    np.testing.assert_allclose(second.q, first.q, atol=1e-9)
    np.testing.assert_allclose(second.v, first.v, atol=1e-9)
    for name, force in first.forces.items():  # rounding of angles and lengths, times the penalty
        assert second.forces[name] == pytest.approx(force, rel=1e-5, abs=0.1), name
    assert second.energy().drives == pytest.approx(first.energy().drives, rel=1e-5)


def test_force_that_changes_acts_from_its_step_on():
    """A block pushed by a force that is told anew: exactly m a, from the first step."""
    inertial = {"mass": 2.0, "inertia": (0.1 * np.eye(3)).tolist()}
    one = machine(
        [joint("slide", "base", "block", "prismatic", axis=[1, 0, 0])],
        links=[{"name": "base"}, {"name": "block", "inertial": inertial}],
        motors=[{"name": "motor", "joint": "slide"}],
    )
    sim = hf.Simulation(one, "augmented", step=0.1)
    speed = 0.0
    for force in (3.0, -8.0, 0.0, 4.0):
        sim.command({"motor": hf.torque(force)})
        sim.step()
        speed += 0.1 * force / 2.0
        assert sim.v[0] == pytest.approx(speed, abs=1e-12)
        assert sim.energy().balance == pytest.approx(0.0, abs=1e-12)


def test_pull_on_a_link_and_what_it_does():
    sim = hf.Simulation(boom(), "augmented")
    sim.command({"ram": hf.locked()})
    sim.apply("arm", [0, 40.0, 0, 0, 0, 500.0], [2.0, 0, 0])
    sim.run(0.1)
    held = hf.Simulation(boom(), "embedded")
    held.command({"ram": hf.locked()})
    held.apply("arm", [0, 40.0, 0, 0, 0, 500.0], [2.0, 0, 0])
    held.run(0.1)
    assert sim.forces["ram"] == pytest.approx(held.forces["ram"], rel=1e-7)
    for one in (sim, held):
        one.command({"ram": hf.floating()})
        one.run(0.2)
    assert sim.energy().pulls == pytest.approx(held.energy().pulls, rel=1e-5)


def test_ledger_of_springs_dampers_and_friction():
    """What it leaves unexplained falls with the square of the step."""
    left = []
    for step in (2e-3, 1e-3):
        sim = hf.Simulation(moving.crane(), "augmented", step=step)
        sim.run(0.4)
        left.append(abs(sim.energy().balance))
        assert sim.energy().dampers < -1.0
    assert left[1] < 0.3 * left[0]
    assert left[1] < 1e-2


def test_motor_gives_way_at_its_torque():
    one = machine(
        [joint("arm", "base", "bar")],
        links=[{"name": "base"}, bar("bar", 2.0, 2.0)],
        motors=[{"name": "motor", "joint": "arm", "max_torque": 10.0}],
    )
    sim = hf.Simulation(one, "augmented")
    sim.command({"motor": hf.locked()})
    sim.run(0.2)
    assert sim.forces["arm"] == pytest.approx(-10.0)
    # m g l / 2 - 10 N m turn m l^2 / 3; at first
    assert sim.v[0] == pytest.approx(0.2 * (2.0 * G - 10.0) / (8.0 / 3.0), rel=0.05)


@pytest.mark.parametrize("name", ["door", "lhd", "roadheader", "sshs", "gripper"])
def test_commands_at_random(name):
    """Through forces, speeds and locks, against stops, also of rows too fast for their drives."""
    one, random = moving.loaded(name), np.random.default_rng(1)
    sim = hf.Simulation(one, "augmented", step=5e-3)
    lower, upper = sim._engine.drives.lower, sim._engine.drives.upper
    places = [row.position for row in sim.model.rows]
    for _ in range(40):
        choices = [
            hf.locked(), hf.floating(), hf.speed(random.uniform(-0.04, 0.04)),
            hf.force(random.uniform(-2.4e4, 2.4e4)),
        ]  # fmt: skip
        of_motors = [hf.floating(), hf.torque(random.uniform(-5.0, 5.0)), hf.speed(0.5)]
        groups = {group: choices[random.integers(4)] for group in one.robot.group_names}
        motors = {motor.name: of_motors[random.integers(3)] for motor in one.robot.motors}
        sim.command(groups | motors)
        sim.run(0.1)
        residual, rate = worst(sim)
        assert residual < 1e-10
        assert rate < 1e-12
        q = sim.q[places]
        assert (q >= lower - 1e-8).all()
        assert (q <= upper + 1e-8).all()
    assert sim.energy().stops < -1.0


# ------------------------------------------------------------------------------ saving and failing


def test_saved_runs_repeat_bit_for_bit():
    one = moving.loaded("roadheader")
    sim = hf.Simulation(one, "augmented", "generalized-alpha", rho=0.7)
    sim.command({"boom": hf.speed(0.05)})
    sim.apply("cutter_head", [0, 0, 0, 0, 0, 2e3])
    sim.run(0.05)
    saved, found = sim.save(), []
    for _ in range(2):
        sim.restore(saved)
        sim.command({"boom": hf.floating()})
        sim.run(0.1)
        found.append((sim.q.tobytes(), sim.v.tobytes(), sim.energy()))
    assert found[0] == found[1]


def test_run_goes_on_when_the_cause_is_gone():
    """A force that is no number comes; the machine stands where it stood, and goes on."""
    sims = [hf.Simulation(chain(2), "augmented") for _ in range(2)]
    for sim in sims:
        sim.step(20)
    sims[0]._engine.pulls = pull(1, force=(0, 0, np.inf))
    with pytest.raises(hf.DynamicsError, match="is not finite any more") as caught:
        sims[0].step(5)
    assert caught.value.time == pytest.approx(0.02)
    for sim in sims:
        sim._engine.pulls = new_records(0, PULL)
        sim.step(50)
    assert sims[0].q.tobytes() == sims[1].q.tobytes()


def test_joint_without_inertia_is_named():
    made = machine([joint("arm", "base", "bar"), joint("hand", "bar", "tool")])
    with pytest.raises(hf.DynamicsError, match="moves nothing that has mass") as caught:
        hf.Simulation(made, "augmented").step()
    assert caught.value.body == "arm"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"integrator": "rk4"}, "integrator: found 'rk4'; there are 'newmark'"),
        ({"integrator": "hht", "rho": 0.3}, "rho: found 0.3, expected a number of 0.5 or more"),
        ({"rho": 0.5}, "rho: found 0.5, expected 1 for 'newmark'"),
        ({"integrator": "generalized-alpha", "rho": 1.5}, "rho: found 1.5, expected a number"),
        ({"penalty": 0.0}, "penalty: found 0.0, expected a number above 0"),
        ({"projection": "none"}, "projection: found 'none'; there are 'tangent', 'mass'"),
        ({"tolerance": -1.0}, "tolerance: found -1.0, expected a number above 0"),
        ({"iterations": 0}, "iterations: found 0, expected"),
        ({"beta": 0.2}, "'augmented' takes no 'beta'"),
    ],
)
def test_options_that_are_none(options, message):
    with pytest.raises(hf.StateError) as caught:
        hf.Simulation(chain(1), "augmented", **options)
    assert message in str(caught.value)


def test_own_integrators_are_for_it_alone():
    with pytest.raises(hf.StateError, match="integrator: found 'hht'"):
        hf.Simulation(chain(1), "embedded", "hht")
    assert hf.Simulation(chain(1), "augmented").integrator == "newmark"


# ------------------------------------------------------------------------------- plain Python


def test_kernels_run_as_python(monkeypatch):
    """A boom with springs, friction, a guided cylinder, a stop and a pull, bit for bit."""
    found = []
    for plain in (False, True):
        if plain:
            run_as_python(monkeypatch, guiding, factor, forces, newton, reading, rows, stepping)
        engine = augmented(moving.crane(), 5e-3, integrator="hht", rho=0.8, projection="mass")
        engine.pulls = pull(0, force=(0, 0, 50.0), moment=(0, 1.0, 0))
        engine.drives.mode[0], engine.drives.value[0] = 2, 0.1
        engine.run(2)
        engine.drives.mode[0], engine.drives.upper[0] = 0, engine.q[-1] + 1e-4
        engine.drives.lower[0] = engine.q[-1] - 1e-4
        engine.run(3)
        found.append((engine.q, engine.v, engine.energy()))
    np.testing.assert_allclose(found[1][0], found[0][0], atol=1e-12)
    np.testing.assert_allclose(found[1][1], found[0][1], atol=1e-9)
    assert found[1][2] == pytest.approx(found[0][2], rel=1e-9)
