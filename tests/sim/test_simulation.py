"""`Simulation` as a user holds it: readings, time, commands, pulls, saving and restoring."""

import signal

import numpy as np
import pytest

import headframe as hf
from headframe.bench.mechanisms import simple_pendulum, spinning_top
from headframe.spatial import pose
from moving import EIGHT, boom, changed, crane, draw_state, loaded, standing_on

STANDING = pose((3.0, -2.0, 1.0), (0.4, -1.1, 2.0))


@pytest.fixture(params=EIGHT)
def machine(request):
    return loaded(request.param)


def groups(sim):
    """Names of the groups of cylinders."""
    return [row.name for row in sim.model.rows if row.members]


def same(a, b):
    """Whether two simulations stand and move exactly alike."""
    return (
        np.array_equal(a.q, b.q)
        and np.array_equal(a.v, b.v)
        and a.time == b.time
        and a.energy() == b.energy()
        and a.forces == b.forces
    )


# ------------------------------------------------------------------------------------ readings


def test_it_begins_at_home_and_at_rest(machine):
    sim = hf.Simulation(machine)
    assert sim.time == 0.0
    assert sim.formulation == "embedded"
    assert "closed form" in sim.reason
    assert not sim.v.any()
    np.testing.assert_allclose(sim.state.q, machine.home.q, atol=1e-10)
    np.testing.assert_allclose(sim.state.lengths, machine.home.lengths, atol=1e-10)
    assert sim.energy().balance == 0.0
    assert machine.name in repr(sim)


def test_positions_follow_the_file_then_the_cylinders(machine):
    """q and v of the tree: joints in the file's order, then tube angles and lengths."""
    sim = hf.Simulation(machine)
    sim.run(0.05)
    mechanism = machine.mechanism
    n = mechanism.q_zero.size
    assert sim.q.size == n + 2 * len(machine.actuators)
    np.testing.assert_array_equal(sim.q[:n], sim.state.q)
    np.testing.assert_allclose(sim.q[n + 1 :: 2], sim.state.lengths, atol=1e-9)
    for joint in machine.home.joints:
        reading = sim.joint(joint)
        assert reading.position == sim.q[mechanism.position_of_joint[joint]]
        assert reading.velocity == sim.v[mechanism.velocity_of_joint[joint]]


def test_poses_are_those_of_the_state(machine):
    """Of every link, tubes and rods included, where the machine stands elsewhere too."""
    start = draw_state(machine, np.random.default_rng(2)).moved(STANDING)
    sim = hf.Simulation(machine, start=start)
    sim.step(20)
    for link in machine.links:
        np.testing.assert_allclose(sim.pose(link.name), sim.state.pose(link.name), atol=1e-9)


def test_cylinders(machine):
    sim = hf.Simulation(machine)
    sim.run(0.05)
    for i, cylinder in enumerate(machine.actuators):
        reading = sim.cylinder(cylinder.name)
        assert reading.length == pytest.approx(sim.state.lengths[i], abs=1e-9)
        assert reading.mode == "floating"
        assert reading.stop in ("", "lower", "upper")
    for name, members in zip(machine.robot.group_names, machine.robot.groups, strict=True):
        assert sim.cylinder(name) == sim.cylinder(machine.actuators[members[0]].name)


def test_cylinder_speeds_are_rates_of_lengths(machine):
    sim = hf.Simulation(machine, step=1e-4, integrator="rk4")
    sim.step(100)
    before = {name: sim.cylinder(name).length for name in groups(sim)}
    sim.step(1)
    middle = {name: sim.cylinder(name) for name in groups(sim)}
    sim.step(1)
    for name, reading in middle.items():
        if not reading.stop:
            rate = (sim.cylinder(name).length - before[name]) / 2e-4
            assert reading.speed == pytest.approx(rate, abs=1e-5)


def test_joints_of_several_freedoms():
    sim = hf.Simulation(spinning_top(), velocity=[0.0, 0.0, 2.0])
    reading = sim.joint("tip")
    np.testing.assert_array_equal(reading.position, [1.0, 0.0, 0.0, 0.0])
    np.testing.assert_array_equal(reading.velocity, [0.0, 0.0, 2.0])


def test_readings_are_copies():
    sim = hf.Simulation(loaded("lhd"))
    q = sim.q
    for array in (sim.q, sim.v, sim.pose("bucket")):
        array[:] = 99.0
    assert np.array_equal(sim.q, q)
    sim.step(1)
    assert np.isfinite(sim.q).all()


def test_state_is_of_its_moment():
    sim = hf.Simulation(loaded("jumbo"))
    before = sim.state
    q = before.q.copy()
    sim.step(50)
    assert np.array_equal(before.q, q)
    assert not np.array_equal(sim.state.q, q)


def test_energy_is_that_of_masses(machine):
    """Potential energy from poses and masses; kinetic energy from differences of poses."""
    sim = hf.Simulation(machine, step=1e-4)
    sim.step(500)

    def height():
        state = sim.state
        weights = [
            (link.inertial.mass, (state.pose(link.name) @ (*link.inertial.com, 1.0))[2])
            for link in machine.links
            if link.inertial is not None and sim.model.tree.freedom_of_link[link.name] >= 0
        ]
        return sum(9.81 * mass * z for mass, z in weights)

    energy = sim.energy()
    assert energy.potential == pytest.approx(height(), rel=1e-12)
    assert energy.total == energy.kinetic + energy.potential + energy.springs
    assert energy.kinetic == pytest.approx(
        energy.start - energy.potential + energy.dampers + energy.stops + energy.drives, rel=1e-6
    )


# ---------------------------------------------------------------------------------------- time


def test_run_makes_the_nearest_number_of_steps():
    sim = hf.Simulation(simple_pendulum(), step=1e-3)
    sim.run(0.0104)
    assert sim.time == pytest.approx(0.010, abs=1e-15)
    sim.run(0.0106)
    assert sim.time == pytest.approx(0.021, abs=1e-15)
    sim.run(0.0)
    sim.run(0.0004)
    assert sim.time == pytest.approx(0.021, abs=1e-15)


def test_time_does_not_drift():
    sim = hf.Simulation(simple_pendulum(), step=0.1)
    for _ in range(1000):
        sim.step()
    assert sim.time == 1000 * 0.1


def test_steps_one_by_one_are_the_same_as_many():
    """Bit by bit, with stops and commands on the way."""
    many, single = (hf.Simulation(loaded("roadheader")) for _ in range(2))
    for sim in (many, single):
        sim.command({"boom": hf.force(5e4), "telescope": hf.locked()})
    many.step(600)
    for _ in range(600):
        single.step()
    assert same(many, single)


@pytest.mark.parametrize("formulation", ["embedded", "constrained"])
@pytest.mark.parametrize(
    "integrator", ["euler", "midpoint", "rk4", "rk6", "semi-implicit", "implicit", "variational"]
)
def test_two_runs_are_bit_identical(integrator, formulation):
    found = []
    for _ in range(2):
        sim = hf.Simulation(loaded("sths"), formulation, integrator)
        sim.command({"legs": hf.speed(-0.05)})
        sim.apply("canopy", [0.0, 50.0, 0.0, 1e4, 0.0, -2e4], [0.3, 0.1, 0.0])
        sim.step(300)
        found.append(sim)
    assert same(*found)


# ------------------------------------------------------------------------------ save and restore


def test_restored_runs_are_bit_identical(machine):
    """Through stops and with commands and pulls, as often as one likes."""
    sim = hf.Simulation(machine)
    sim.step(150)
    sim.command({groups(sim)[0]: hf.force(1e3)})
    link = next(link for link, d in sim.model.tree.freedom_of_link.items() if d >= 0)
    sim.apply(link, [0.0, 0.0, 0.0, 10.0, 20.0, 30.0])
    saved = sim.save()
    ends = []
    for _ in range(2):
        sim.restore(saved)
        assert sim.time == pytest.approx(0.15)
        sim.step(350)
        ends.append((sim.q, sim.v, sim.energy(), sim.forces, sim.time))
        sim.command({groups(sim)[0]: hf.locked()})  # to be forgotten
        sim.step(5)
    assert np.array_equal(ends[0][0], ends[1][0])
    assert np.array_equal(ends[0][1], ends[1][1])
    assert ends[0][2:] == ends[1][2:]


def test_saved_state_does_not_change_with_the_simulation():
    sim = hf.Simulation(loaded("door"))
    saved = sim.save()
    q = sim.q
    sim.command({"door": hf.speed(0.1)})
    sim.step(100)
    assert not np.array_equal(sim.q, q)
    sim.restore(saved)
    assert np.array_equal(sim.q, q)
    assert sim.cylinder("door").mode == "floating"


def test_state_goes_to_another_simulation_of_the_same_machine():
    one, other = (hf.Simulation(loaded("tcchs")) for _ in range(2))
    one.step(200)
    other.restore(one.save())
    one.step(100)
    other.step(100)
    assert np.array_equal(one.q, other.q)
    assert np.array_equal(one.v, other.v)


# --------------------------------------------------------------------------------------- start


def test_start_elsewhere(machine):
    start = draw_state(machine, np.random.default_rng(8))
    sim = hf.Simulation(machine, start=start)
    np.testing.assert_allclose(sim.state.q, start.q, atol=1e-9)


def test_motion_does_not_depend_on_where_the_base_stands():
    """Gravity is turned with the machine: the same lengths at the same times."""
    one = loaded("jumbo")
    X = pose((4.0, 5.0, 6.0), (0.3, 0.2, 0.1))
    here = hf.Simulation(one)
    there = hf.Simulation(one, start=one.home.moved(X), gravity=X[:3, :3] @ [0.0, 0.0, -9.81])
    for sim in (here, there):
        sim.step(200)
    np.testing.assert_allclose(there.q, here.q, atol=1e-10)
    np.testing.assert_allclose(there.pose("rock_drill"), X @ here.pose("rock_drill"), atol=1e-9)
    np.testing.assert_allclose(there.state.base, X)


def test_tilted_base_is_a_tilted_gravity():
    one = loaded("lhd")
    X = pose((0.0, 0.0, 0.0), (0.0, 0.3, 0.0))
    tilted = hf.Simulation(one, start=one.home.moved(X))
    level = hf.Simulation(one, gravity=X[:3, :3].T @ [0.0, 0.0, -9.81])
    for sim in (tilted, level):
        sim.step(100)
    np.testing.assert_allclose(tilted.q, level.q, atol=1e-11)


@pytest.mark.parametrize("gravity", [0.0, 0, [0.0, 0.0, 0.0], np.zeros(3)])
def test_without_gravity_nothing_moves(gravity):
    sim = hf.Simulation(loaded("sshs"), gravity=gravity)
    q = sim.q
    sim.step(50)
    np.testing.assert_allclose(sim.q, q, atol=1e-13)


def test_gravity_as_a_number_points_down():
    one = loaded("jumbo")
    number, vector = hf.Simulation(one, gravity=1.62), hf.Simulation(one, gravity=(0, 0, -1.62))
    for sim in (number, vector):
        sim.step(50)
    assert np.array_equal(number.q, vector.q)


def test_gravity_points_down_where_y_is_up():
    upright = changed(boom(), lambda c: c.update(up_axis="y"))
    sim = hf.Simulation(upright)
    sim.step(20)
    assert not sim.v.any()  # the boom turns about y
    assert hf.Simulation(upright, gravity=[0, 0, -9.81]).model.tree.gravity[2] == -9.81


def test_start_velocity():
    one = loaded("jumbo")
    sim = hf.Simulation(one)
    sim.step(50)
    other = hf.Simulation(one, start=sim.state, velocity=sim.v)
    np.testing.assert_allclose(other.v, sim.v, atol=1e-12)
    sim.step(50)
    other.step(50)
    np.testing.assert_allclose(other.q, sim.q, atol=1e-10)


def test_coordinates_are_a_matter_of_taste(machine):
    """Lengths and driving variables give the same motion, through stops too."""
    found = []
    for coordinates in ("lengths", "variables"):
        sim = hf.Simulation(machine, coordinates=coordinates)
        sim.run(0.3)
        found.append(sim)
    np.testing.assert_allclose(found[0].q, found[1].q, atol=1e-8)
    np.testing.assert_allclose(found[0].v, found[1].v, atol=1e-6)


# ---------------------------------------------------------------------------------------- pulls


def test_pull_at_a_point():
    """A force on a pendulum's end, against gravity: it stays where it is."""
    sim = hf.Simulation(simple_pendulum())
    sim.apply("bar", [0.0, 0.0, 0.0, 0.0, 0.0, 9.81], [-1.0, 0.0, 0.0])
    sim.step(500)
    assert sim.q[0] == pytest.approx(0.0, abs=1e-13)
    sim.apply("bar", None)
    sim.step(100)
    assert abs(sim.q[0]) > 1e-3


def test_moment_is_a_force_on_an_arm():
    by_force, by_moment = (hf.Simulation(simple_pendulum()) for _ in range(2))
    by_force.apply("bar", [0, 0, 0, 0, 0, 5.0], [-1.0, 0, 0])
    by_moment.apply("bar", [0, 5.0, 0, 0, 0, 0])
    by_force.step(1)
    by_moment.step(1)
    assert by_force.v[0] == pytest.approx(by_moment.v[0], rel=1e-6)


def test_second_pull_replaces_the_first_and_others_stay():
    sim, other = (hf.Simulation(loaded("jumbo")) for _ in range(2))
    sim.apply("boom", [0, 0, 0, 0, 0, 9e9], [1.0, 0, 0])
    sim.apply("boom", [0, 0, 0, 0, 0, 1e4], [1.0, 0, 0])
    sim.apply("rock_drill", [0, 0, 0, 500.0, 0, 0])
    other.apply("rock_drill", [0, 0, 0, 500.0, 0, 0])
    other.step(0)
    before = other.save()
    other.step(100)
    alone = other.q
    other.restore(before)
    other.apply("boom", [0, 0, 0, 0, 0, 1e4], [1.0, 0, 0])
    for one in (sim, other):
        one.step(100)
    np.testing.assert_allclose(sim.q, other.q, atol=1e-12)
    assert np.abs(sim.q - alone).max() > 1e-4


def test_pull_on_what_does_not_move_does_nothing():
    sim, other = (hf.Simulation(loaded("jumbo")) for _ in range(2))
    sim.apply("carrier", [0, 0, 0, 1e6, 0, 0])
    for one in (sim, other):
        one.step(20)
    assert np.array_equal(sim.q, other.q)


def test_pull_is_in_world_axes_where_the_base_is_turned():
    """Turned with the base, moment and force do the same; the point is the link's own."""
    one = loaded("jumbo")
    X = pose((1.0, 2.0, 3.0), (0.4, -0.3, 1.2))
    R, at = X[:3, :3], [0.5, 0.1, -0.2]
    moment, force = np.array([800.0, -300.0, 500.0]), np.array([2e3, 1e3, 4e3])
    here = hf.Simulation(one)
    there = hf.Simulation(one, start=one.home.moved(X), gravity=R @ [0.0, 0.0, -9.81])
    here.apply("boom", [*moment, *force], at)
    there.apply("boom", [*(R @ moment), *(R @ force)], at)
    for sim in (here, there):
        sim.step(100)
    np.testing.assert_allclose(there.q, here.q, atol=1e-10)
    assert there.energy().pulls == pytest.approx(here.energy().pulls, rel=1e-9)
    assert abs(here.energy().pulls) > 1.0


def test_springs_pull_and_hold_energy():
    sim = hf.Simulation(crane())
    before = sim.energy().springs
    sim.run(0.2)
    energy = sim.energy()
    assert energy.springs != pytest.approx(before, rel=1e-3)
    assert energy.dampers < 0.0
    moved = abs(energy.potential - energy.start) + abs(energy.dampers)
    assert abs(energy.balance) < 1e-6 * moved


# ------------------------------------------------------------------------------------- commands


def test_force_and_reaction():
    sim = hf.Simulation(loaded("sths"))
    sim.command({"legs": hf.force(4e5), "balance_jack": hf.locked()})
    sim.step(5)
    assert sim.cylinder("legs").force == 4e5
    assert sim.cylinder("legs").mode == "force"
    assert sim.cylinder("balance_jack").mode == "locked"
    assert sim.forces["legs"] == 4e5
    assert sim.forces["balance_jack"] == sim.cylinder("balance_jack").force
    assert set(sim.forces) == {row.name for row in sim.model.rows}


def test_commands_by_group_cylinder_motor_and_joint():
    sim = hf.Simulation(loaded("roadheader"))
    first = loaded("roadheader").actuators[loaded("roadheader").robot.groups[1][0]].name
    sim.command({first: hf.locked(), "cutting_motor": hf.speed(2.0)})
    sim.step(100)
    assert sim.cylinder("boom").mode == "locked"
    assert sim.joint("cutting").velocity == pytest.approx(2.0, abs=1e-9)
    sim.command({"cutting": hf.locked()})
    sim.step(2000)
    assert sim.joint("cutting").velocity == pytest.approx(0.0, abs=1e-9)


def test_motor_turns_from_the_start_with_the_files_torque():
    def driven(content):
        content["motors"] = ({"name": "m", "joint": "hinge", "torque": 9.81},)

    sim = hf.Simulation(changed(simple_pendulum(), driven))
    sim.step(200)
    assert sim.q[0] == pytest.approx(0.0, abs=1e-12)  # the torque bears the weight
    assert sim.forces == {"hinge": 9.81}


def test_motor_has_no_more_than_its_torque():
    def driven(content):
        content["motors"] = ({"name": "m", "joint": "hinge", "max_torque": 5.0},)

    sim = hf.Simulation(changed(simple_pendulum(), driven))
    sim.command({"m": hf.locked()})
    sim.step(1)
    assert abs(sim.forces["hinge"]) == 5.0
    assert sim.v[0] == pytest.approx(-(9.81 - 5.0) * 1e-3, rel=1e-4)
    sim = hf.Simulation(changed(simple_pendulum(), driven), gravity=1.0)
    sim.command({"m": hf.locked()})
    sim.step(100)
    assert sim.q[0] == pytest.approx(0.0, abs=1e-13)
    assert sim.forces["hinge"] == pytest.approx(1.0, rel=1e-9)


def test_cylinders_of_a_machine_that_floats():
    """Commands work on a machine whose base is a free body."""
    sim = hf.Simulation(standing_on(loaded("sths"), "free"), gravity=0.0)
    sim.command({"legs": hf.length(2.3)})
    sim.run(8.0)
    assert sim.cylinder("legs").length == pytest.approx(2.3, abs=1e-11)
    assert sim.energy().potential == pytest.approx(0.0, abs=1e-9)


def test_pulls_are_restored():
    """A pull that was there when the state was saved is there again, and can be ended."""
    sim, other = (hf.Simulation(loaded("jumbo")) for _ in range(2))
    sim.apply("boom", [0, 0, 0, 0, 0, 1e4], [1.0, 0, 0])
    saved = sim.save()
    sim.apply("boom", None)
    sim.restore(saved)
    for one in (sim, other):
        one.apply("rock_drill", [0, 0, 0, 500.0, 0, 0])
    other.apply("boom", [0, 0, 0, 0, 0, 1e4], [1.0, 0, 0])
    for one in (sim, other):
        one.step(50)
    np.testing.assert_allclose(sim.q, other.q, atol=1e-12)
    sim.apply("boom", None)
    assert len(sim._engine.pulls) == 1


@pytest.mark.parametrize("fields", [{"coordinates": "variables"}, {"step": 5e-3}])
def test_state_of_another_kind_of_simulation_is_refused(fields):
    """Coordinates of another kind, or another step, would give another state or time."""
    sim, other = hf.Simulation(loaded("sths")), hf.Simulation(loaded("sths"), **fields)
    sim.run(0.1)
    with pytest.raises(hf.StateError, match=r"^saved: found"):
        other.restore(sim.save())


def test_state_of_a_changed_machine_is_refused():
    def changes(content):
        for legs in content["actuators"][:2]:
            legs["bound"] = {"lower": 2.0, "upper": 2.9}

    one = loaded("sths")
    with pytest.raises(hf.StateError, match=r"^saved: found"):
        hf.Simulation(changed(one, changes)).restore(hf.Simulation(one).save())


@pytest.mark.parametrize("formulation", ["simgc", "simmc", "xpbd"])
def test_what_holds_joints_is_booked(formulation):
    """The balance of methods that hold joints by impulses or shifts counts what those did."""
    sim = hf.Simulation(loaded("sths"), formulation, step=5e-4)
    sim.command({"legs": hf.speed(0.02)})
    sim.run(0.1)
    energy = sim.energy()
    assert energy.joints == sim._engine.work_done().joints != 0.0
    done = energy.drives + energy.dampers + energy.pulls + energy.stops + energy.joints
    assert energy.balance == pytest.approx(energy.total - energy.start - done, abs=1e-9)
    assert abs(energy.balance) < 0.02 * energy.drives


def test_a_state_brings_its_ledger_along():
    """In a simulation that began elsewhere the balance is that of the run it comes from."""
    one = loaded("lhd")
    sim, other = hf.Simulation(one), hf.Simulation(one, velocity=0.1 * hf.Simulation(one).v + 0.01)
    other.run(0.1)
    sim.restore(other.save())
    assert sim.energy() == other.energy()


def test_auto_finds_what_the_variational_integrator_can_do():
    one = standing_on(boom(), "free")
    sim = hf.Simulation(one, integrator="variational")
    assert sim.formulation == "constrained"
    assert "variational" in sim.reason
    assert hf.Simulation(boom(), integrator="variational").formulation == "embedded"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")
def test_a_long_run_can_be_interrupted():
    """It stops between two steps, and can go on."""

    def interrupt(*_):
        raise KeyboardInterrupt

    sim = hf.Simulation(simple_pendulum())
    sim.step()
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            sim.run(1e7)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    done = sim.time
    assert 1.0 < done < 1e6
    again = hf.Simulation(simple_pendulum())
    again.step(round(done / again.step_size))
    assert same(sim, again)
