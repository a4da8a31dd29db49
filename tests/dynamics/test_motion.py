"""Drives and end stops in motion: where rows stop, rest, and are let go; what the ledger says."""

import numpy as np
import pytest

import headframe as hf
from build import joint, machine, with_rotors
from headframe.actuation import guiding as actuation
from headframe.bench.mechanisms import (
    four_bar,
    seven_joint_arm,
    simple_pendulum,
    spinning_top,
)
from headframe.dynamics import driven_rows, linear, status
from headframe.dynamics import forces as shared
from headframe.dynamics.embedding import functions
from headframe.dynamics.embedding import reduced as embedding
from headframe.dynamics.motion import integrators
from headframe.dynamics.motion import stepping as kernels
from headframe.dynamics.records import ROW_STATE
from headframe.dynamics.tree import (
    articulated,
    composite_inertia,
    newton_euler,
    placing,
    quantities,
)
from headframe.dynamics.variational import midpoint as variational
from headframe.dynamics.variational import momenta
from headframe.jit import new_records
from headframe.jit.entries import compile_entry, entries_of
from headframe.kinematics import lengths
from headframe.kinematics.forward import block_solving as forward
from headframe.spatial import algebra
from moving import EIGHT, block, boom, changed, cylinder, loaded, new_motion, thin_rod
from plain_python import run_as_python

INTEGRATORS = ("euler", "midpoint", "rk4", "rk6", "semi-implicit", "implicit")
EXACT = ("midpoint", "rk4", "rk6")


def cylinders(sim):
    """Readings of all groups, with their bounds."""
    return {
        row.name: (sim.cylinder(row.name), drive.lower, drive.upper)
        for row, drive in zip(sim.model.rows, sim._engine.drives, strict=True)
        if row.members
    }


def past(sim):
    """How far the row that is the farthest beyond its stops is beyond them [m, rad]."""
    engine = sim._engine
    rows = new_records(len(engine.drives), ROW_STATE)
    embedding.read_rows(engine.packed, engine.coordinates, engine.velocities, engine.work, rows)
    low, high = engine.drives.lower, engine.drives.upper
    return float(np.max(np.maximum(rows.position - high, low - rows.position), initial=-np.inf))


def moved_energy(energy):
    """How much energy went from one form to another [J]."""
    return (
        abs(energy.total - energy.start) + abs(energy.drives) + abs(energy.dampers)
        + abs(energy.stops) + abs(energy.pulls)
    )  # fmt: skip


# ---------------------------------------------------------------------------------------- stops


@pytest.mark.parametrize("name", EIGHT)
def test_falling_machine_ends_on_its_stops(name):
    """Never beyond them, at rest, and what the stops take only grows."""
    sim = hf.Simulation(loaded(name))
    taken = 0.0
    for _ in range(1200):
        sim.step()
        assert past(sim) <= 1e-12
        assert sim.energy().stops <= taken
        taken = sim.energy().stops
    sim.run(2.0)
    resting = [(r, low, high) for r, low, high in cylinders(sim).values() if r.stop]
    assert bool(resting) == (name != "door")  # which nothing moves
    for reading, low, high in resting:
        assert reading.length == pytest.approx(low if reading.stop == "lower" else high, abs=1e-12)
        assert abs(reading.speed) < 1e-15


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("coordinates", ["lengths", "variables"])
def test_boom_falls_on_its_stop(integrator, coordinates):
    """All its kinetic energy is lost there: it has one freedom."""
    sim = hf.Simulation(boom(), integrator=integrator, coordinates=coordinates)
    worst = -1.0
    while not sim.cylinder("ram").stop:
        before = sim.energy()
        sim.step()
        worst = max(worst, past(sim))
        assert sim.time < 3.0
    assert worst <= 1e-12
    after = sim.energy()
    assert after.kinetic < 1e-20
    assert sim.cylinder("ram").stop == "lower"
    assert sim.cylinder("ram").length == pytest.approx(0.95, abs=1e-12)
    # in this one step the boom still fell a little
    fell = before.potential - after.potential
    assert -after.stops == pytest.approx(before.kinetic + fell, rel=1e-2)
    if integrator in EXACT:
        assert -after.stops == pytest.approx(after.start - after.potential, rel=1e-6)


@pytest.mark.parametrize("integrator", ["euler", "midpoint", "rk4", "rk6", "semi-implicit"])
def test_resting_row_does_not_creep(integrator):
    sim = hf.Simulation(boom(), integrator=integrator, step=5e-3)
    sim.run(2.0)
    length, done = sim.cylinder("ram").length, sim._engine.work_done()
    assert sim.cylinder("ram").stop == "lower"
    sim.run(60.0)
    assert sim.cylinder("ram").length == pytest.approx(length, abs=1e-14)
    assert sim.cylinder("ram").stop == "lower"
    np.testing.assert_allclose(sim._engine.work_done(), done, atol=1e-9)


def test_a_large_change_of_a_ball_is_the_sum_of_small_ones():
    """Positions are moved by the exponential: a change to the first order would fall short."""
    engine = new_motion(spinning_top())
    change = np.zeros(engine.velocities.size)
    change[-3:] = 0.6, -0.9, 1.1
    once, parts = engine.coordinates.copy(), engine.coordinates.copy()
    shared.add_positions(engine.packed, change, once)
    for _ in range(10):
        shared.add_positions(engine.packed, change / 10, parts)
    assert np.abs(once - engine.coordinates).max() > 0.3
    np.testing.assert_allclose(once, parts, rtol=0, atol=1e-14)


def resting_boom(**fields):
    sim = hf.Simulation(boom(), **fields)
    sim.run(1.5)
    assert sim.cylinder("ram").stop == "lower"
    return sim


@pytest.mark.parametrize("coordinates", ["lengths", "variables"])
def test_stop_lets_go_of_what_is_pulled_away(coordinates):
    """Right at the force that holds the boom."""
    sim = resting_boom(coordinates=coordinates)
    holds = sim.cylinder("ram").force
    assert holds == pytest.approx(sim.machine.statics(sim.state)[0], rel=1e-9)
    for part in (-2.0, 0.0, 0.5, 1.0 - 1e-6):
        sim.command({"ram": hf.force(part * holds)})
        sim.step(20)
        reading = sim.cylinder("ram")
        assert reading.stop == "lower"
        assert reading.force == pytest.approx(holds, rel=1e-9)  # what it takes, stop included
        assert reading.length == pytest.approx(0.95, abs=1e-12)
    sim.command({"ram": hf.force((1.0 + 1e-3) * holds)})
    sim.step(20)
    reading = sim.cylinder("ram")
    assert reading.stop == ""
    assert reading.length > 0.95 + 1e-7
    assert reading.force == pytest.approx((1.0 + 1e-3) * holds)
    assert past(sim) <= 0.0


def test_stop_lets_go_when_gravity_turns():
    """A pull from outside lifts the boom off its stop; without it, it falls back."""
    sim = resting_boom()
    taken = sim.energy().stops
    sim.apply("arm", [0, 0, 0, 0, 0, 3000.0], [2.0, 0, 0])
    sim.run(0.1)
    assert sim.cylinder("ram").stop == ""
    sim.apply("arm", None)
    sim.run(1.0)
    assert sim.cylinder("ram").stop == "lower"
    assert sim.energy().stops < taken
    assert abs(sim.energy().balance) < 1e-9 * moved_energy(sim.energy())


def test_force_against_a_stop_does_no_work():
    sim = resting_boom()
    before = sim.energy()
    sim.command({"ram": hf.force(-1e5)})
    sim.run(1.0)
    after = sim.energy()
    assert after.drives == pytest.approx(before.drives, abs=1e-9)
    assert after.stops == before.stops


def twin_booms(count=3):
    """So many equal booms side by side, which reach their stops in one moment."""
    joints, rams, links = [], [], [{"name": "base"}]
    for n in range(count):
        joints.append(joint(f"lift{n}", "base", f"arm{n}", at=[0, n, 0]))
        rams.append(
            cylinder(f"ram{n}", ("base", (0.3, n, -0.9)), (f"arm{n}", (1.0, 0, 0)), (0.95, 1.6))
        )
        links += [thin_rod(f"arm{n}", 2.0, 100.0)]
        links += [thin_rod(f"ram{n}_{part}", 0.6, 9.0) for part in ("tube", "rod")]
    return machine(joints, rams, links=links)


@pytest.mark.parametrize("step", [1e-3, 0.05, 0.5])
def test_several_stops_in_one_moment(step):
    sim = hf.Simulation(twin_booms(), step=step)
    while sim.time < 1.5:
        sim.step()
        assert past(sim) <= 1e-12
    for reading, low, _ in cylinders(sim).values():
        assert reading.stop == "lower"
        assert reading.length == pytest.approx(low, abs=1e-12)
    energy = sim.energy()
    if step < 0.1:
        assert abs(energy.balance) <= 1e-4 * moved_energy(energy)


@pytest.mark.parametrize("name", ["roadheader", "tcchs", "sshs", "sths"])
def test_many_stops_in_one_large_step(name):
    """Steps of 20 ms, in which row after row meets its stop."""
    sim = hf.Simulation(loaded(name), step=0.02)
    while sim.time < 2.0:
        sim.step()
        assert past(sim) <= 1e-12
    small = hf.Simulation(loaded(name), step=1e-3)
    small.run(2.0)
    stops = [{n: r.stop for n, (r, _, _) in cylinders(s).items()} for s in (sim, small)]
    assert stops[0] == stops[1]


def limited_pendulum(**limit):
    return changed(
        simple_pendulum(),
        lambda c: c["joints"][0].update(limit={"lower": -0.4, "upper": 0.3, **limit}),
    )


def test_limits_of_joints_are_stops():
    sim = hf.Simulation(limited_pendulum())
    sim.run(0.25)
    speed = np.sqrt(2 * 9.81 * -np.sin(sim.q[0]))
    assert sim.v[0] == pytest.approx(-speed, rel=1e-9)
    while abs(sim.v[0]) > 0.0 and sim.time < 1.0:
        sim.step()
        assert past(sim) <= 1e-12
    assert sim.q[0] == pytest.approx(-0.4, abs=1e-12)
    assert sim.energy().stops == pytest.approx(-9.81 * np.sin(0.4), rel=1e-8)
    assert sim.forces["hinge"] == pytest.approx(9.81 * np.cos(0.4), rel=1e-9)


def test_start_on_a_stop_stays():
    """From the first step on, and without an impact."""
    one = limited_pendulum()
    start = hf.State(one.mechanism, np.array([-0.4]))
    sim = hf.Simulation(one, start=start)
    sim.step(100)
    assert sim.q[0] == pytest.approx(-0.4, abs=1e-15)
    assert sim.energy().stops == pytest.approx(0.0, abs=1e-12)


def test_start_on_a_stop_leaves_inwards():
    one = limited_pendulum()
    start = hf.State(one.mechanism, np.array([0.3]))
    sim = hf.Simulation(one, start=start)
    sim.step(1)
    assert sim.v[0] == pytest.approx(-9.81e-3 * np.cos(0.3), rel=1e-3)


# --------------------------------------------------------------------------------------- drives


@pytest.mark.parametrize("name", EIGHT)
def test_lengths_are_reached_and_held(name):
    """Every cylinder of a machine at once, within its limits; then it stays to 1e-12."""
    one = loaded(name)
    sim = hf.Simulation(one, step=2e-3)
    random = np.random.default_rng(4)
    goals = {}
    for n, row in enumerate(sim.model.rows):
        if row.members:
            low, high = sim._engine.drives[n].lower, sim._engine.drives[n].upper
            goals[row.name] = low + (high - low) * random.uniform(0.2, 0.8)
    sim.command({group: hf.length(goal) for group, goal in goals.items()})
    fastest = dict.fromkeys(goals, 0.0)
    while sim.time < 16.0:
        sim.step(50)
        for group in goals:
            fastest[group] = max(fastest[group], abs(sim.cylinder(group).speed))
    for group, goal in goals.items():
        reading = sim.cylinder(group)
        assert reading.length == pytest.approx(goal, abs=1e-12)
        assert abs(reading.speed) < 1e-10
        first = one.robot.groups[one.robot.group_names.index(group)][0]
        assert fastest[group] <= one.actuators[first].speed * (1.0 + 1e-9)
    assert sim.energy().stops == 0.0


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("coordinates", ["lengths", "variables"])
def test_length_is_reached_with_every_integrator(integrator, coordinates):
    limits = {"speed": 0.2, "acceleration": 0.6}
    sim = hf.Simulation(boom(ram=limits), integrator=integrator, coordinates=coordinates)
    sim.command({"ram": hf.length(1.3)})
    sim.run(4.0)
    assert sim.cylinder("ram").length == pytest.approx(1.3, abs=1e-11)
    assert abs(sim.cylinder("ram").speed) < 1e-9
    assert sim.cylinder("ram").force == pytest.approx(sim.machine.statics(sim.state)[0], rel=1e-6)


@pytest.mark.parametrize("integrator", ["midpoint", "rk4", "rk6", "semi-implicit", "implicit"])
def test_speed_towards_a_stop_brakes_and_does_not_hit(integrator):
    limits = {"speed": 0.3, "acceleration": 0.6}
    for speed, end in ((0.3, 1.6), (-0.3, 0.95)):
        sim = hf.Simulation(boom(ram=limits), integrator=integrator)
        sim.command({"ram": hf.speed(speed)})
        rates = []
        while sim.time < 4.0:
            sim.step()
            rates.append(sim.cylinder("ram").speed)
            assert past(sim) <= 1e-9
        assert sim.cylinder("ram").length == pytest.approx(end, abs=1e-9)
        assert abs(rates[-1]) < 1e-9
        assert max(np.abs(rates)) == pytest.approx(0.3, abs=1e-9)
        assert np.abs(np.diff(rates)).max() <= 0.6e-3 * (1.0 + 1e-6)
        assert sim.energy().stops == pytest.approx(0.0, abs=1e-12)


def test_speed_is_kept():
    """A cylinder at constant speed moves by speed times time, whatever hangs on it."""
    limits = {"speed": 0.3, "acceleration": 0.6}
    sim = hf.Simulation(boom(ram=limits))
    sim.command({"ram": hf.speed(0.15)})
    sim.run(0.5)
    a = sim.cylinder("ram")
    sim.run(0.5)
    b = sim.cylinder("ram")
    assert (a.speed, b.speed) == pytest.approx((0.15, 0.15), abs=1e-12)
    assert b.length - a.length == pytest.approx(0.075, abs=1e-12)


def test_lock_brakes_a_moving_cylinder_and_holds():
    limits = {"speed": 0.3, "acceleration": 0.6}
    sim = hf.Simulation(boom(ram=limits))
    sim.command({"ram": hf.speed(0.3)})
    sim.run(0.6)
    before = sim.cylinder("ram")
    sim.command({"ram": hf.locked()})
    sim.run(1.0)
    after = sim.cylinder("ram")
    assert after.speed == pytest.approx(0.0, abs=1e-15)
    assert after.length - before.length == pytest.approx(0.3**2 / 1.2, rel=1e-2)
    sim.run(5.0)
    assert sim.cylinder("ram").length == pytest.approx(after.length, abs=1e-14)


@pytest.mark.parametrize("coordinates", ["lengths", "variables"])
def test_drive_that_takes_over_too_late_meets_the_stop(coordinates):
    """A falling boom that is locked just above its stop is stopped by the stop."""
    limits = {"speed": 0.3, "acceleration": 0.1}
    sim = hf.Simulation(boom(ram=limits), coordinates=coordinates)
    while sim.cylinder("ram").length > 0.953:
        sim.step()
    assert sim.cylinder("ram").speed < -0.5
    sim.command({"ram": hf.locked()})
    for _ in range(200):
        sim.step()
        assert past(sim) <= 2e-9
    assert sim.energy().stops < 0.0
    assert sim.cylinder("ram").length == pytest.approx(0.95, abs=2e-9)
    assert abs(sim.cylinder("ram").speed) < 1e-9
    assert abs(sim.energy().balance) < 1e-7 * moved_energy(sim.energy())


def test_locked_cylinders_hold_while_others_fall():
    for coordinates in ("lengths", "variables"):
        sim = hf.Simulation(loaded("sshs"), coordinates=coordinates)
        sim.command({"front_legs": hf.locked()})
        length = sim.cylinder("front_legs").length
        sim.run(1.0)
        assert sim.cylinder("front_legs").length == pytest.approx(length, abs=1e-12)
        assert sim.cylinder("rear_legs").stop == "lower"
        assert abs(sim.energy().balance) < 1e-9 * moved_energy(sim.energy())


def test_motor_of_a_crank_goes_round_and_round():
    """Its joint's position is continuous, never wrapped."""
    one = changed(four_bar(), lambda c: c.update(motors=({"name": "motor", "joint": "main"},)))
    sim = hf.Simulation(one)
    sim.command({"motor": hf.speed(6.0)})
    start, crank = sim.joint("main").position, sim.pose("crank")
    while sim.time < 2.5:
        sim.step()
        assert np.abs(sim.pose("crank") - crank).max() < 0.01
        crank = sim.pose("crank")
    assert sim.joint("main").position - start == pytest.approx(15.0, abs=0.01)
    assert abs(sim.energy().balance) < 1e-4


def test_limits_of_a_machine():
    """Bounds, limits and starting commands of the drives come from the file."""
    one = loaded("roadheader")
    motion = new_motion(one)
    rows = {row.name: motion.drives[n] for n, row in enumerate(motion.model.rows)}
    assert list(rows)[:6] == list(one.robot.group_names)
    first = one.robot.actuators[0]
    found = rows[one.robot.group_names[0]]
    assert found.lower == first.bounds.lower
    assert found.upper == first.bounds.upper
    assert found.most_speed == first.speed
    assert found.most_acceleration == first.acceleration
    assert found.mode == actuation.FLOATING
    assert found.most_force == np.inf
    cutting = rows["cutting"]
    assert cutting.mode == actuation.FORCE
    assert cutting.most_force == 48000.0
    assert cutting.most_speed == 4.8
    assert np.isinf([cutting.lower, cutting.upper]).all()


@pytest.mark.parametrize(("most", "rows"), [(3.0, ["ram"]), (0.2, ["ram", "lift"])])
def test_limits_that_a_cylinder_keeps_need_no_row(most, rows):
    """Its end stops keep the joint within wide limits; narrow ones are stops of their own."""

    def limited(content):
        content["joints"][0]["limit"] = {"lower": -most, "upper": most}

    one = changed(boom(), limited)
    assert [row.name for row in new_motion(one).model.rows] == rows
    for formulation in ("embedded", "constrained"):
        sim = hf.Simulation(one, formulation)
        sim.run(1.5)
        assert abs(sim.joint("lift").position) <= most + 1e-9
        assert abs(sim.energy().balance) < 1e-6 * abs(sim.energy().stops)


def test_motors_drive_joints_that_cylinders_act_across():
    one = changed(
        boom(),
        lambda c: c.update(motors=({"name": "motor", "joint": c["joints"][0]["name"]},)),
    )
    for formulation in ("embedded", "constrained"):
        sim = hf.Simulation(one, formulation)
        sim.command({"motor": hf.torque(500.0)})
        sim.step(20)
        assert sim.forces["lift"] == 500.0
        v = sim.joint(one.robot.joints[0].name).velocity
        assert sim.energy().drives == pytest.approx(500.0 * 0.5 * v * 0.02, rel=0.05)


def two_sliders():
    """A box on a slide with a stop, and on it another that slides as far as its own stop."""
    x = [1.0, 0.0, 0.0]
    joints = [
        joint("below", "base", "a", "prismatic", axis=x, limit={"lower": 0.0, "upper": 1.0}),
        joint("above", "a", "b", "prismatic", axis=x, limit={"lower": -0.5, "upper": 0.5}),
    ]
    return machine(joints, links=[{"name": "base"}, block("a", 2.0), block("b", 2.0)])


@pytest.mark.parametrize(
    "formulation", ["embedded", "constrained", "augmented", "simgc", "simmc", "xpbd"]
)
def test_stops_push_and_never_pull(formulation):
    """The upper box runs into its stop and takes the lower one along, away from its own stop.

    Half of the speed is left, m v = 2 m v', and a quarter of the energy of each box's.
    """
    sim = hf.Simulation(two_sliders(), formulation, gravity=0.0, velocity=[-0.1, 2.0])
    sim.run(0.2)
    np.testing.assert_allclose(sim.v, [0.0, 1.9], atol=1e-9)
    sim.run(0.3)
    np.testing.assert_allclose(sim.v, [0.95, 0.0], atol=1e-9)
    energy = sim.energy()
    assert energy.stops == pytest.approx(energy.kinetic - 0.5 * 2.0 * (0.1**2 + 1.9**2), abs=1e-9)
    assert sim.joint("below").position > 0.2


def test_motors_share_what_one_cannot_give():
    """Two motors hold an arm; the first is too weak, and so is then the second."""

    def motors(content):
        content["motors"] = tuple(
            {"name": f"motor_{n}", "joint": f"joint_{n}", "max_torque": most}
            for n, most in ((2, 20.0), (4, 14.0))
        )

    sim = hf.Simulation(changed(seven_joint_arm(), motors))
    sim.command({"motor_2": hf.locked(), "motor_4": hf.locked()})
    sim.step()
    forces = np.abs(list(sim.forces.values()))
    assert (forces <= [20.0, 14.0]).all()
    assert forces[0] == 20.0


# ----------------------------------------------------------------------------------- quaternions


def test_rates_of_quaternions():
    """Half the product with the angular velocity; what follows in the vectors keeps its place."""
    motion = new_motion(spinning_top())
    random = np.random.default_rng(1)
    q, w = random.normal(size=4), random.normal(size=3)
    for rates in (shared.position_rates, shared.position_rates.py_func):
        found = np.zeros(4)
        rates(motion.packed, q, w, found)
        vector = q[0] * w + np.cross(q[1:], w)
        np.testing.assert_allclose(found, 0.5 * np.array([-q[1:] @ w, *vector]), atol=1e-15)
    for normalise in (shared.normalise, shared.normalise.py_func):
        unit = q.copy()
        normalise(motion.packed, unit)
        np.testing.assert_allclose(unit, q / np.linalg.norm(q), atol=1e-15)


def test_free_body_has_its_position_behind_its_quaternion():
    links = [{"name": "base"}, block("box", 2.0)]
    one = machine([joint("float", "base", "box", "free")], links=links)
    sim = hf.Simulation(one, velocity=[0, 0, 0, 1.0, 2.0, 3.0], gravity=0.0)
    sim.run(0.5)
    np.testing.assert_allclose(sim.q, [1, 0, 0, 0, 0.5, 1.0, 1.5], atol=1e-12)


# -------------------------------------------------------------------------------------- Python

MODULES = (
    actuation, algebra, articulated, composite_inertia, driven_rows, embedding, forward, functions,
    integrators, kernels, lengths, linear, momenta, newton_euler, placing, quantities, shared,
    status, variational,
)  # fmt: skip


@pytest.fixture
def as_python(monkeypatch):
    """Every kernel as plain Python, wherever another one calls it."""
    run_as_python(monkeypatch, *MODULES)
    return monkeypatch


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_plain_python_gives_the_same(integrator, as_python):
    """Steps of a loader and of a boom that meets its stop, with every kernel as plain Python."""
    found = []
    for _ in range(2):
        loader = new_motion(with_rotors(loaded("lhd"), 100.0), integrator=integrator, step=0.01)
        loader.drives[0].mode, loader.drives[0].value = actuation.SPEED, 0.1
        loader.drives[1].mode, loader.drives[1].value = actuation.FORCE, 1e4
        loader.run(2)
        beam = new_motion(boom(bound=(1.1395, 1.6)), False, integrator, 0.02)
        beam.run(2)
        ends = (one for m in (loader, beam) for one in (*m.q, *m.v, *m.work_done()))
        found.append(list(ends))
        assert beam.drives[0].stop == -1.0
        as_python.undo()
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9, atol=1e-9)


def test_every_kernel_compiles():
    for module in (embedding, shared, kernels):
        declared = list(entries_of(module))
        assert declared
        for kernel in declared:
            compile_entry(kernel)
            assert kernel.overloads


@pytest.mark.parametrize("name", ["lhd", "sths", "sshs", "tcchs"])
def test_locked_machine_takes_no_work_with_implicit_euler(name):
    sim = hf.Simulation(loaded(name), integrator="implicit")
    sim.command({row.name: hf.locked() for row in sim.model.rows})
    sim.step(500)
    assert sim.energy().drives == pytest.approx(0.0, abs=1e-9)
    assert sim.energy().balance == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("integrator", ["euler", "semi-implicit", "implicit", "rk4"])
def test_guided_length_moves_with_constant_acceleration(integrator):
    """Whatever integrates the rest: v^2 = 2 a s on the way up to speed."""
    limits = {"speed": 0.3, "acceleration": 0.6}
    sim = hf.Simulation(boom(ram=limits), integrator=integrator, step=5e-3)
    sim.command({"ram": hf.speed(0.3)})
    start = sim.cylinder("ram").length
    sim.run(0.4)
    reading = sim.cylinder("ram")
    assert reading.speed == pytest.approx(0.24, abs=1e-12)
    assert reading.length - start == pytest.approx(0.048, abs=1e-12)


def driven_four_bar(joint):
    return changed(four_bar(), lambda c: c.update(motors=({"name": "motor", "joint": joint},)))


@pytest.mark.parametrize("joint", ["knee"])
def test_motor_of_a_four_bar_turns_it_without_jumps(joint):
    sim = hf.Simulation(driven_four_bar(joint))
    sim.command({"motor": hf.speed(-6.0)})
    last = sim.pose("crank")
    while sim.time < 2.5:
        sim.step()
        now = sim.pose("crank")
        assert np.abs(now - last).max() < 0.1
        last = now
    assert abs(sim.energy().balance) < 1e-3
