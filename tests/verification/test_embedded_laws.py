"""Embedded machines against physics: energy, work, momentum, statics, and closed forms.

The closed forms are of one freedom: with the inertia I and the potential V as functions of an
angle x, I x'' + I' x'^2 / 2 + V' = Q, integrated by SciPy to 1e-11.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import headframe as hf
from headframe.bench.mechanisms import double_pendulum, four_bar, free_body, simple_pendulum
from headframe.kinematics.velocities import rates
from moving import (
    ARM,
    ARM_MASS,
    EIGHT,
    FOOT,
    HELD_AT,
    ROD,
    ROD_MASS,
    TUBE,
    TUBE_MASS,
    boom,
    crane,
    draw_state,
    example,
    loaded,
    slider_crank,
)

G = 9.81


def groups(sim):
    return [row.name for row in sim.model.rows if row.members]


def moved_energy(energy):
    """How much energy went from one form to another [J]."""
    return (
        abs(energy.total - energy.start) + abs(energy.drives) + abs(energy.dampers)
        + abs(energy.stops) + abs(energy.pulls)
    )  # fmt: skip


# -------------------------------------------------------------------------------------- energy


@pytest.mark.parametrize("name", EIGHT)
def test_energy_of_a_falling_machine(name):
    """What was there is there, went into dampers, or was lost at stops."""
    sim = hf.Simulation(loaded(name))
    sim.run(1.0)
    energy = sim.energy()
    assert abs(energy.balance) <= 1e-9 * moved_energy(energy)
    if name != "door":
        assert energy.stops + energy.dampers < -100.0


@pytest.mark.parametrize("name", EIGHT)
def test_work_of_guided_cylinders(name):
    """Cylinders that move with given speeds do what potential energy and dampers take."""
    one = loaded(name)
    sim = hf.Simulation(one, start=draw_state(one, np.random.default_rng(1), 0.4))
    random = np.random.default_rng(2)
    for group, (first, *_) in zip(one.robot.group_names, one.robot.groups, strict=True):
        fastest = one.actuators[first].speed
        sim.command({group: hf.speed(random.uniform(-0.4, 0.4) * fastest)})
    sim.run(1.0)
    energy = sim.energy()
    assert energy.drives != 0.0
    assert abs(energy.balance) <= 1e-9 * moved_energy(energy)


@pytest.mark.parametrize("name", ["roadheader", "lhd", "tcchs"])
def test_work_of_forces(name):
    """Forces of cylinders, a pull from outside, dampers and stops together."""
    one = loaded(name)
    sim = hf.Simulation(one)
    random = np.random.default_rng(3)
    sim.command({n: hf.force(random.uniform(0.0, 3e4)) for n in groups(sim)})
    effector = one.robot.end_effector
    sim.apply(effector, [100.0, 50.0, -70.0, 1e3, -2e3, 3e3], [0.1, 0.2, 0.3])
    sim.run(1.0)
    energy = sim.energy()
    assert energy.pulls != 0.0
    assert abs(energy.balance) <= 1e-9 * moved_energy(energy)


def test_energy_with_springs_and_friction():
    sim = hf.Simulation(crane(), step=1e-4)
    sim.run(1.0)
    energy = sim.energy()
    assert energy.dampers < -10.0
    assert energy.springs > 0.0
    assert abs(energy.balance) <= 1e-6 * moved_energy(energy)


def test_power_is_force_times_speed():
    """Of a cylinder with a constant force, and of one with a constant speed."""
    sim = hf.Simulation(boom(ram={"speed": 0.3, "acceleration": 0.6}), step=1e-4)
    sim.command({"ram": hf.force(700.0)})
    start = sim.cylinder("ram").length
    sim.step(1000)
    done = 700.0 * (sim.cylinder("ram").length - start)
    assert sim.energy().drives == pytest.approx(done, rel=1e-9)
    sim = hf.Simulation(boom(ram={"speed": 0.3, "acceleration": 0.6}), step=1e-4)
    sim.command({"ram": hf.speed(0.2)})
    sim.run(0.5)
    before, forces = sim.energy().drives, []
    for _ in range(1000):
        sim.step()
        forces.append(sim.cylinder("ram").force)
    mean = np.mean(forces)
    assert sim.energy().drives - before == pytest.approx(mean * 0.2 * 0.1, rel=1e-4)


def test_double_pendulum_keeps_its_energy():
    sim = hf.Simulation(double_pendulum())
    sim.run(10.0)
    energy = sim.energy()
    assert abs(energy.balance) < 1e-7 * abs(energy.start - energy.potential)


# ------------------------------------------------------------------------------------- momentum


def test_momentum_of_a_free_body():
    """Linear by the weight, angular about the centre of mass not at all."""
    moments, mass = np.array([0.3, 0.5, 0.7]), 2.0
    one = free_body(tuple(moments), mass)
    v0 = np.array([1.0, -2.0, 3.0, 0.5, 0.6, 0.7])
    sim = hf.Simulation(one, velocity=v0, integrator="rk6")
    sim.run(2.0)
    v = sim.v
    np.testing.assert_allclose(v[3:], v0[3:] - [0.0, 0.0, 2.0 * G], atol=1e-11)
    R = sim.pose("body")[:3, :3]
    np.testing.assert_allclose(R @ (moments * v[:3]), moments * v0[:3], atol=1e-10)
    fall = v0[3:] * 2.0 - [0.0, 0.0, 2.0 * G]
    np.testing.assert_allclose(sim.q[4:], fall, atol=1e-10)


def test_momentum_of_a_machine_that_floats():
    """Without gravity, what its cylinder does leaves linear and angular momentum alone."""
    one = example("boom on a free joint")
    velocity = np.zeros(hf.Simulation(one).v.size)
    velocity[one.mechanism.velocity_of_joint["below"]] = 0.3, -0.2, 0.4, 0.1, 0.2, 0.3

    def momentum(sim, h=1e-5):
        """By poses a moment apart."""
        total = np.zeros(6)
        states = []
        for sign in (-1.0, 1.0):
            q = sim.q.copy()
            part = one.mechanism.position_of_joint["below"]
            rate = sim.v[one.mechanism.velocity_of_joint["below"]]
            turn = np.array([0.0, *rate[:3]])
            quat = q[part.start : part.start + 4]
            w, x = quat[0], quat[1:]
            product = np.array([-x @ turn[1:], *(w * turn[1:] + np.cross(x, turn[1:]))])
            q[part.start : part.start + 4] = quat + sign * h / 2 * product
            q[part.start : part.start + 4] /= np.linalg.norm(q[part.start : part.start + 4])
            q[part.start + 4 : part.stop] += sign * h * rate[3:]
            q[0] += sign * h * sim.v[0]
            states.append(hf.State(one.mechanism, q[: one.mechanism.q_zero.size]))
        for link in one.links:
            if link.inertial is None:
                continue
            a, b = (state.pose(link.name) for state in states)
            middle, rate = (a + b) / 2, (b - a) / (2 * h)
            com = middle @ (*link.inertial.com, 1.0)
            v = (rate @ (*link.inertial.com, 1.0))[:3]
            spin = rate[:3, :3] @ middle[:3, :3].T
            w = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
            J = middle[:3, :3] @ np.array(link.inertial.inertia) @ middle[:3, :3].T
            total[:3] += J @ w + link.inertial.mass * np.cross(com[:3], v)
            total[3:] += link.inertial.mass * v
        return total

    sim = hf.Simulation(one, velocity=velocity, gravity=0.0)
    before = momentum(sim)
    sim.command({"ram": hf.force(500.0)})
    sim.run(0.3)
    assert sim.energy().drives > 1.0
    np.testing.assert_allclose(momentum(sim), before, atol=1e-5 * np.abs(before).max())


# -------------------------------------------------------------------------------------- statics


@pytest.mark.parametrize("name", EIGHT)
def test_reactions_of_locked_cylinders_are_those_of_statics(name):
    one = loaded(name)
    random = np.random.default_rng(6)
    for start in (one.home, draw_state(one, random), draw_state(one, random)):
        sim = hf.Simulation(one, start=start)
        sim.command({group: hf.locked() for group in groups(sim)})
        sim.step(3)
        found = np.array([sim.cylinder(group).force for group in groups(sim)])
        wanted = rates(start).lengths.T @ one.statics(start)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max())


@pytest.mark.parametrize("name", EIGHT)
def test_locked_machine_holds(name):
    """Ten seconds under its weight, without the least drift."""
    sim = hf.Simulation(loaded(name), step=5e-3)
    before = sim.state.lengths
    sim.command({group: hf.locked() for group in groups(sim)})
    sim.run(10.0)
    np.testing.assert_allclose(sim.state.lengths, before, rtol=0, atol=1e-12)
    assert np.abs(sim.v).max() < 1e-12
    assert abs(sim.energy().drives) < 1e-6


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("name", "formulation"),
    [("roadheader", "embedded"), ("tcchs", "embedded"), ("lhd", "constrained"),
     ("sths", "constrained")],
)  # fmt: skip
def test_locked_machine_holds_for_an_hour(name, formulation):
    sim = hf.Simulation(loaded(name), formulation, step=5e-3)
    before = sim.state.lengths
    sim.command({group: hf.locked() for group in groups(sim)})
    sim.run(3600.0)
    assert sim.time == pytest.approx(3600.0)
    np.testing.assert_allclose(sim.state.lengths, before, rtol=0, atol=1e-9)


# --------------------------------------------------------------------------------- closed forms


def swing(inertia, potential, force, x, rate, seconds):
    """Angle and rate of one freedom after so many seconds, slopes by the complex step."""

    def slope(function, at):
        return np.imag(function(at + 1e-30j)) / 1e-30

    def motion(t, y):
        x, v = y
        Q = force(x, v) - slope(inertia, x) * v * v / 2 - slope(potential, x)
        return [v, Q / inertia(x).real]

    end = solve_ivp(motion, (0.0, seconds), [x, rate], method="DOP853", rtol=1e-11, atol=1e-13)
    assert end.success
    return end.y[:, -1]


def boom_inertia(x):
    """Inertia of the boom, its cylinder included, over the angle of `lift` (down is positive)."""
    mount = HELD_AT * np.array([np.cos(x), -np.sin(x)])
    rate = HELD_AT * np.array([-np.sin(x), -np.cos(x)])
    d = mount - np.array(FOOT)
    l = np.sqrt(d @ d)
    u, turn = d / l, (d[0] * rate[1] - d[1] * rate[0]) / (d @ d)
    across = np.array([-u[1], u[0]])
    centre = rate - ROD / 2 * turn * across
    turning = TUBE_MASS * TUBE**2 / 3 + ROD_MASS * ROD**2 / 12
    return ARM_MASS * ARM**2 / 3 + turning * turn**2 + ROD_MASS * (centre @ centre)


def boom_potential(x):
    mount = HELD_AT * np.array([np.cos(x), -np.sin(x)])
    d = mount - np.array(FOOT)
    u = d / np.sqrt(d @ d)
    heights = (
        ARM_MASS * -ARM / 2 * np.sin(x),
        TUBE_MASS * (FOOT[1] + TUBE / 2 * u[1]),
        ROD_MASS * (mount[1] - ROD / 2 * u[1]),
    )
    return G * sum(heights)


def boom_slope(x):
    """Rate of the cylinder's length with the angle."""
    mount = HELD_AT * np.array([np.cos(x), -np.sin(x)])
    d = mount - np.array(FOOT)
    return d @ (HELD_AT * np.array([-np.sin(x), -np.cos(x)])) / np.sqrt(d @ d)


@pytest.mark.parametrize("coordinates", ["lengths", "variables"])
@pytest.mark.parametrize("push", [0.0, 900.0])
def test_boom_against_its_closed_form(coordinates, push):
    """With the masses of tube and rod, damping, and a force of the cylinder."""
    one = boom(lift={"damping": 40.0}, home={"joints": {"lift": -0.3}})
    sim = hf.Simulation(one, integrator="rk6", coordinates=coordinates)
    sim.command({"ram": hf.force(push)})
    sim.run(0.35)
    assert not sim.cylinder("ram").stop
    wanted = swing(
        boom_inertia, boom_potential, lambda x, v: push * boom_slope(x) - 40.0 * v, -0.3, 0.0, 0.35
    )
    reading = sim.joint("lift")
    assert (reading.position, reading.velocity) == pytest.approx(tuple(wanted), abs=1e-9)
    assert sim.energy().kinetic == pytest.approx(
        boom_inertia(wanted[0]) * wanted[1] ** 2 / 2, rel=1e-8
    )


def crank_inertia(x, crank=0.3, length=1.0):
    """Of a slider-crank: crank of 4 kg, a rod of 3 kg and 0.8 m on it, slider of 6 kg."""
    root = np.sqrt(length**2 - (crank * np.sin(x)) ** 2)
    slide = -crank * np.sin(x) - crank**2 * np.sin(x) * np.cos(x) / root
    pin = crank * np.array([-np.sin(x), -np.cos(x)])
    turn = crank * np.cos(x) / root  # of the rod, towards +z
    u = np.array([root, crank * np.sin(x)]) / length
    centre = pin + 0.4 * turn * np.array([-u[1], u[0]])
    J = 3.0 * 0.8**2 / 12
    return 4.0 * crank**2 / 3 + 3.0 * (centre @ centre) + J * turn**2 + 6.0 * slide**2


def crank_potential(x, crank=0.3, length=1.0):
    rod = -crank * np.sin(x) + 0.4 * crank * np.sin(x) / length
    return G * (4.0 * -crank / 2 * np.sin(x) + 3.0 * rod)


def test_slider_crank_against_its_closed_form():
    """A locked cylinder is the connecting rod, a moment on the crank turns it from rest."""
    sim = hf.Simulation(slider_crank(), integrator="rk6")
    sim.command({"link": hf.locked()})
    sim.apply("crank", [0.0, 6.0, 0.0, 0.0, 0.0, 0.0])
    sim.run(1.2)
    wanted = swing(crank_inertia, crank_potential, lambda x, v: 6.0, 0.9, 0.0, 1.2)
    reading = sim.joint("turn")
    assert (reading.position, reading.velocity) == pytest.approx(tuple(wanted), abs=1e-7)
    assert abs(wanted[0] - 0.9) > 2.0
    assert sim.cylinder("link").length == pytest.approx(1.0, abs=1e-12)


def four_bar_angles(x, lengths):
    """Angles of coupler and rocker (down is positive), the coupler's end above the line."""
    ground, crank, coupler, rocker = lengths
    knee = crank * np.exp(1j * x)
    way = ground - knee
    cosine = (coupler**2 + abs(way) ** 2 - rocker**2) / (2 * coupler * abs(way))
    first = np.angle(way) - np.arccos(cosine)
    second = np.angle(ground - knee - coupler * np.exp(1j * first))
    return first, second


def test_four_bar_against_its_closed_form():
    """Three rods; its inertia by the angles' rates, the slopes by differences."""
    lengths, masses, start = (1.0, 0.4, 1.1, 0.8), (0.4, 1.1, 0.8), -1.2
    _, crank, coupler, rocker = lengths

    def inertia(x):
        a, b = four_bar_angles(x, lengths)
        # crank e^(ix) i + coupler wa e^(ia) i + rocker wb e^(ib) i = 0
        p, q, r = crank * np.exp(1j * x), coupler * np.exp(1j * a), rocker * np.exp(1j * b)
        wa, wb = np.linalg.solve([[q.real, r.real], [q.imag, r.imag]], [-p.real, -p.imag])
        centre = 1j * (p + q * wa / 2)
        return (
            masses[0] * crank**2 / 3
            + masses[1] * (abs(centre) ** 2 + coupler**2 * wa**2 / 12)
            + masses[2] * rocker**2 * wb**2 / 3
        )

    def potential(x):
        a, b = four_bar_angles(x, lengths)
        down = (
            masses[0] * crank / 2 * np.sin(x)
            + masses[1] * (crank * np.sin(x) + coupler / 2 * np.sin(a))
            - masses[2] * rocker / 2 * np.sin(b)
        )
        return -G * down

    def motion(t, y):
        h = 1e-4

        def slope(f):
            return (8 * (f(y[0] + h) - f(y[0] - h)) - f(y[0] + 2 * h) + f(y[0] - 2 * h)) / (12 * h)

        return [y[1], -(slope(inertia) * y[1] ** 2 / 2 + slope(potential)) / inertia(y[0])]

    one = four_bar(lengths, masses, start)
    seconds = 0.8  # by then the crank has passed the far side of its home
    end = solve_ivp(motion, (0, seconds), [start, 0.0], method="DOP853", rtol=1e-11, atol=1e-13)
    sim = hf.Simulation(one, integrator="rk6")
    sim.run(seconds)
    reading = sim.joint("main")
    assert (reading.position, reading.velocity) == pytest.approx(tuple(end.y[:, -1]), abs=1e-7)


def test_pendulum_has_the_period_of_the_elliptic_integral():
    """Let go from the level: T = 4 K(sin^2 45°) sqrt(l / g)."""
    sim = hf.Simulation(simple_pendulum(), step=1e-3)
    period = 4.0 * ellipk(0.5) / np.sqrt(G)
    times, last = [], (0.0, sim.v[0])
    while len(times) < 4:
        sim.step()
        now = (sim.time, sim.v[0])
        if last[1] * now[1] < 0.0:  # a turning point, where the rate is nearly straight in time
            times.append(last[0] - last[1] * (now[0] - last[0]) / (now[1] - last[1]))
        last = now
    np.testing.assert_allclose(np.diff(times), period / 2, rtol=1e-6)
    sim = hf.Simulation(simple_pendulum(), step=period / 1000, integrator="rk6")
    sim.step(1000)
    assert (sim.q[0], sim.v[0]) == pytest.approx((0.0, 0.0), abs=1e-10)
