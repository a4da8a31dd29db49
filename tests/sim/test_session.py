"""A machine that a person drives: time, rewinding, changes of physics, failures."""

import tracemalloc

import numpy as np
import pytest

import headframe as hf
from headframe.errors import CommandError, DynamicsError, StateError
from headframe.sim.kinematic import Kinematic
from headframe.sim.pacer import TICK
from headframe.sim.session import Physics, Session, Target
from headframe.spatial import quaternion_from_matrix

FORMULATIONS = ("embedded", "constrained", "augmented", "simgc", "simmc", "xpbd")
LEVERS = {"boom": 0.7, "slew": -0.4, "telescope": 1.0}


class Driver:
    """Ticks a session by a clock of its own, with an operator who holds levers."""

    def __init__(self, session):
        self.session, self.now = session, 100.0
        session.tick(self.now)

    def tick(self, levers=None, count=1):
        for _ in range(count):
            self.now += TICK
            self.session.cab.dead_man.beat(self.now, levers or {}, 0.0, True)
            self.session.tick(self.now)

    def run(self, seconds, levers=None):
        self.tick(levers, round(seconds / TICK))


def driven(physics=None, machine="roadheader", **options):
    driver = Driver(Session(hf.load(machine), physics, **options))
    driver.tick()
    return driver


def positions(session):
    return np.asarray(session.motion.state.q).tobytes()


def test_time_follows_the_clock():
    driver = driven()
    driver.run(2.0)
    assert driver.session.time == pytest.approx(2.0, abs=0.02)
    assert driver.session.time == pytest.approx(driver.session.steps * 1e-3)
    driver.session.pacer.scale = 0.1
    driver.run(1.0)
    assert driver.session.time == pytest.approx(2.1, abs=0.02)


def test_pause_and_single_steps():
    driver = driven(Physics(dynamics=True))
    with pytest.raises(CommandError, match="while paused"):
        driver.session.step(1, driver.now)
    driver.session.pause(True)
    before = driver.session.steps
    driver.run(1.0)
    assert driver.session.steps == before
    driver.session.step(3, driver.now)
    assert driver.session.steps == before + 3
    driver.session.pause(False)
    driver.run(0.5)
    assert driver.session.steps == pytest.approx(before + 503, abs=2)
    assert driver.session.pacer.overruns == 0


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_it_makes_no_difference_how_many_substeps_are_made_at_once(formulation, monkeypatch):
    found = []
    for most in (1, 7, 10**6):
        monkeypatch.setattr(Session, "_at_once", lambda _, most=most: most)
        driver = driven(Physics(dynamics=True, formulation=formulation), machine="lhd")
        name = driver.session.machine.robot.group_names[0]
        driver.run(0.3, {name: 0.8})
        found.append(positions(driver.session))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("formulation", ["kinematic", *FORMULATIONS])
def test_rewound_motion_repeats_bit_for_bit(formulation):
    """The same commands at the same ticks, from a moment in the middle of a lever's way."""
    physics = Physics(formulation != "kinematic", formulation.replace("kinematic", "auto"))
    driver = driven(physics)
    driver.run(0.5, LEVERS)
    driver.session.spin("cutting_motor", 1.0)
    moments = {}
    for tick in range(40):
        driver.tick(LEVERS if tick < 20 else {"boom": -1.0})
        moments[tick] = driver.session.steps, positions(driver.session)
    session = driver.session
    steps, then = moments[9]
    session.rewind(steps * 1e-3)
    assert session.paused
    assert session.steps == steps
    assert positions(session) == then
    session.pause(False)
    for tick in range(10, 40):
        wanted, then = moments[tick]
        session.cab.dead_man.beat(driver.now, LEVERS if tick < 20 else {"boom": -1.0}, 0.0, True)
        session._advance(wanted - session.steps, driver.now)
        assert positions(session) == then


def test_rewinding_between_ticks():
    """A moment inside a tick's substeps is the very state that was there."""
    driver = driven(Physics(dynamics=True))
    driver.run(0.3, LEVERS)
    session = driver.session
    session.pause(True)
    seen = {}
    for _ in range(40):
        session.cab.dead_man.beat(driver.now, LEVERS, 0.0, True)
        session.step(1, driver.now)
        seen[session.steps] = positions(session)
    start = min(seen)
    session.rewind((start - 1) * 1e-3)
    session.cab.dead_man.beat(driver.now, LEVERS, 0.0, True)
    session.step(40, driver.now)  # the same in one go
    for steps in (start + 7, start + 21, start + 39, start):
        session.rewind(steps * 1e-3)
        assert positions(session) == seen[steps]


def test_rewinding_forth_again_until_it_goes_on():
    driver = driven()
    driver.run(1.0, LEVERS)
    session = driver.session
    end, last = session.time, positions(session)
    session.rewind(0.2)
    session.rewind(end - 1e-3)
    session.rewind(end)
    assert positions(session) == last
    session.rewind(0.5)
    session.pause(False)
    driver.tick()
    assert session.newest < end
    with pytest.raises(StateError, match=r"expected 0 to 0\.5"):
        session.rewind(end)


def test_rewinding_brings_switches_back():
    driver = driven(Physics(dynamics=True))
    driver.session.let_float("boom", True)
    driver.run(0.2)
    floating = driver.session.time
    driver.session.let_float("boom", False)
    driver.run(0.2)
    driver.session.rewind(floating - 0.05)
    assert driver.session.cab.switches.floating == {"boom"}
    driver.session.cab.stop()
    driver.session.rewind(floating - 0.05)
    assert not driver.session.cab.switches.floating  # the emergency stop holds


def test_rewinding_over_a_change_of_physics():
    driver = driven()
    driver.run(0.5, LEVERS)
    before, then = driver.session.time, driver.session.motion.state.q
    driver.session.set_physics(Physics(dynamics=True))
    driver.run(0.5, LEVERS)
    assert driver.session.physics.dynamics
    driver.session.rewind(before - 0.1)
    assert isinstance(driver.session.motion, Kinematic)
    driver.session.rewind(before)
    assert driver.session.physics.dynamics  # here it took over, at the same place
    np.testing.assert_allclose(driver.session.motion.state.q, then, atol=1e-12)


@pytest.mark.parametrize("formulation", ["kinematic", "embedded", "simgc"])
def test_ring_is_as_large_as_it_says(formulation):
    """Measured by Python's own accountant, while frames are read as the server does."""
    driver = driven(Physics(formulation != "kinematic", formulation.replace("kinematic", "auto")))
    driver.run(0.5, LEVERS)
    tracemalloc.start()
    try:
        said, before = driver.session.ring_bytes, tracemalloc.get_traced_memory()[0]
        for _ in range(600):
            driver.tick(LEVERS)
            driver.session.read()
        held = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert held == pytest.approx(driver.session.ring_bytes - said, rel=0.3)


def test_forgotten_beginning():
    driver = driven(ring_bytes=200_000)
    driver.run(3.0)
    session = driver.session
    assert session.forgotten
    assert session.ring_bytes <= 200_000
    assert session.oldest > 1.0
    before = positions(session)
    with pytest.raises(StateError, match="expected"):
        session.rewind(0.5)
    assert positions(session) == before
    assert not session.paused


def test_physics_change_keeps_the_pose():
    driver = driven()
    driver.run(1.0, LEVERS)
    driver.session.spin("cutting_motor", 0.3)
    driver.run(0.5)
    poses = driver.session.motion.poses()
    for formulation in FORMULATIONS:
        driver.session.set_physics(Physics(dynamics=True, formulation=formulation))
        np.testing.assert_allclose(driver.session.motion.poses(), poses, atol=1e-9)
    driver.session.set_physics(Physics())
    np.testing.assert_allclose(driver.session.motion.poses(), poses, atol=1e-9)


def test_refused_physics_change_nothing():
    driver = driven()
    motion = driver.session.motion
    for wrong in (
        Physics(dynamics=True, formulation="nonsense"),
        Physics(dynamics=True, formulation="simgc", integrator="rk4"),
        Physics(dynamics=True, gravity=float("nan")),
    ):
        with pytest.raises(StateError):
            driver.session.set_physics(wrong)
        assert driver.session.motion is motion
        assert driver.session.physics == Physics()


def test_boom_floats_down_onto_its_stop():
    driver = driven(Physics(dynamics=True))
    driver.session.let_float("boom", True)
    driver.run(10.0)
    reading = driver.session.read()
    assert reading.lengths[2] == pytest.approx(1.4867, abs=2e-3)
    assert abs(reading.speeds[2]) < 1e-6
    assert abs(reading.energy[3]) < 1e-3 * abs(reading.energy[1])


def test_floating_needs_forces():
    driver = driven()
    with pytest.raises(CommandError, match="choose dynamics"):
        driver.session.let_float("boom", True)


def test_emergency_stop_brings_everything_to_rest():
    driver = driven(Physics(dynamics=True))
    driver.session.spin("cutting_motor", 1.0)
    driver.run(1.0, LEVERS)
    assert np.abs(driver.session.read().speeds).max() > 0.02
    driver.session.cab.stop()
    driver.run(1.0, LEVERS)  # hands still on the levers
    reading = driver.session.read()
    assert np.abs(reading.speeds).max() < 1e-9
    assert np.abs(reading.motors[:, 0]).max() < 1e-6


def test_failure_pauses_at_the_last_good_state(monkeypatch):
    driver = driven(Physics(dynamics=True))
    driver.run(0.5, LEVERS)
    session = driver.session
    then, steps, real = positions(session), session.steps, type(session.motion).step

    def failing(self, n=1):
        if n:
            real(self, 1)
            raise DynamicsError("the boom fell off")

    monkeypatch.setattr(type(session.motion), "step", failing)
    driver.tick(LEVERS)
    assert session.trouble == "the boom fell off"
    assert (positions(session), session.steps) == (then, steps)
    driver.run(0.2, LEVERS)
    assert session.steps == steps
    for attempt in (lambda: session.pause(False), lambda: session.step(1, driver.now)):
        session.paused = True
        with pytest.raises(CommandError, match="has stopped"):
            attempt()
    monkeypatch.setattr(type(session.motion), "step", real)
    session.rewind(0.3)
    assert session.trouble == ""
    session.pause(False)
    driver.run(0.2)
    assert session.time == pytest.approx(0.5, abs=0.02)


def test_restart_begins_anew_and_keeps_the_emergency_stop():
    driver = driven()
    home = positions(driver.session)
    driver.run(1.0, LEVERS)
    driver.session.cab.stop()
    driver.session.restart()
    assert positions(driver.session) == home
    assert (driver.session.steps, driver.session.newest) == (0, 0.0)
    assert driver.session.cab.emergency


def test_going_on_in_another_session():
    first = driven(Physics(dynamics=True))
    first.run(0.5, LEVERS)
    state, v = first.session.motion.state, first.session.motion.v
    second = Session(hf.load("roadheader"), Physics(dynamics=True))
    second.resume(type(state)(second.machine.mechanism, state.q), v, first.session.steps)
    assert second.paused
    assert second.steps == first.session.steps
    np.testing.assert_allclose(second.motion.v, v, atol=1e-9)
    np.testing.assert_allclose(second.motion.poses(), first.session.motion.poses(), atol=1e-9)


@pytest.mark.parametrize("dynamics", [False, True])
@pytest.mark.parametrize("machine", hf.machines())
def test_readings_are_finite_and_whole(machine, dynamics):
    driver = driven(Physics(dynamics=dynamics), machine)
    robot = driver.session.machine.robot
    driver.run(0.3, dict.fromkeys(robot.group_names, 0.5))
    reading = driver.session.read()
    n = len(robot.actuators)
    shapes = [(len(robot.links), 4, 4), (n,), (n,), (n,), (len(robot.motors), 2), (4,)]
    parts = [reading.poses, reading.lengths, reading.speeds, reading.forces, reading.motors,
             reading.energy]  # fmt: skip
    assert [part.shape for part in parts] == shapes
    assert all(np.isfinite(part).all() for part in parts)
    state = driver.session.motion.state
    wanted = [state.pose(link.name) for link in robot.links]
    np.testing.assert_allclose(reading.poses, wanted, atol=1e-9)


def test_forces_at_rest_are_those_of_statics_in_both_modes():
    """Also of cylinders that move against each other, as the slewing ones do."""
    found = []
    for dynamics in (False, True):
        driver = driven(Physics(dynamics=dynamics))
        driver.run(1.0, {"slew": 1.0})
        driver.run(3.0)
        found.append(driver.session.read().forces)
    still = driver.session.machine.statics(driver.session.motion.state)
    np.testing.assert_allclose(found[0], still, rtol=1e-3, atol=50.0)
    np.testing.assert_allclose(found[1], still, rtol=1e-3, atol=50.0)


# -------------------------------------------------------------------- reach


def goal(session, link="cutter_head", by=(0.1, 0.2, -0.3)):
    """A place beside the link's, in reach."""
    return tuple(session.motion.state.pose(link)[:3, 3] + by)


def test_link_is_brought_to_a_place():
    session = driven().session
    place = goal(session)
    found = session.reach(Target("cutter_head", place))
    assert found.reachable
    session.tick(101.0)
    lengths = session.motion.state.lengths
    groups = [members[0] for members in session.machine.robot.groups]
    there = session.machine.fk(lengths[groups]).pose("cutter_head")
    np.testing.assert_allclose(there[:3, 3], place, atol=1e-6)


def test_machine_comes_as_near_as_it_can():
    """No sample of the whole workspace is nearer to a place out of reach."""
    session = driven().session
    far = np.array(goal(session, by=(4.0, 3.0, 2.0)))
    found = session.reach(Target("cutter_head", tuple(far)))
    assert not found.reachable
    points = hf.workspace(session.machine, "cutter_head", samples=20_000, seed=1).points
    nearest = np.linalg.norm(points - far, axis=1).min()
    assert found.position_error <= nearest + 1e-9
    assert found.position_error > nearest - 0.1


def test_axes_count_if_they_are_given():
    session = driven().session
    start = session.motion.state
    wanted = start.pose("cutter_head")
    quaternion = tuple(quaternion_from_matrix(wanted[:3, :3]))
    found = session.reach(Target("cutter_head", tuple(wanted[:3, 3] + [0, 0.5, 0]), quaternion))
    assert found.angle_error > 1e-3  # a boom that slews turns the head: a compromise
    np.testing.assert_allclose(found.target[:3, :3], wanted[:3, :3], atol=1e-12)


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (Target("cuter_head", (0, 0, 0)), "cutter_head"),
        (Target("cutter_head", (0, 0, 0), (1, 1, 0, 0)), "norm of 1.41421, expected 1"),
        (Target("main_body", (0, 0, 0)), "no cylinder moves it"),
    ],
)
def test_what_cannot_be_reached_for_changes_nothing(target, why):
    session = driven().session
    before = positions(session)
    with pytest.raises(hf.HeadframeError, match=why):
        session.reach(target)
    assert positions(session) == before


def test_nothing_is_reached_while_levers_are_dead():
    session = Session(hf.load("roadheader"))
    before = positions(session)
    with pytest.raises(CommandError, match="levers are dead"):
        session.reach(Target("cutter_head", goal(session)))
    driver = driven()
    driver.session.cab.stop()
    with pytest.raises(CommandError, match="emergency stop"):
        driver.session.reach(Target("cutter_head", goal(driver.session)))
    assert positions(session) == before


def test_cylinders_go_there_under_forces():
    driver = driven(Physics(dynamics=True))
    place = goal(driver.session, by=(0.02, 0.05, 0.03))
    driver.session.reach(Target("cutter_head", place))
    assert set(driver.session.cab.switches.targets) <= {"slew", "boom", "telescope"}
    driver.run(4.0)
    np.testing.assert_allclose(goal(driver.session, by=(0, 0, 0)), place, atol=2e-3)


def test_rewinding_goes_back_before_a_reach():
    driver = driven()
    driver.run(0.5, LEVERS)
    driver.run(1.0)
    at, before = driver.session.time, positions(driver.session)
    driver.session.reach(Target("cutter_head", goal(driver.session)))
    driver.run(0.5)
    assert positions(driver.session) != before
    driver.session.rewind(at - 0.1)  # it stood still then
    assert positions(driver.session) == before


def test_dead_man_is_looked_at_while_paused():
    driver = driven()
    driver.run(0.2)
    session = driver.session
    session.pause(True)
    name = session.machine.robot.group_names[0]
    bounds = session.machine.robot.actuators[0].bounds
    session.cab.go_to(name, 0.5 * (bounds.lower + bounds.upper))
    session.tick(driver.now + 5.0)  # no heartbeat came meanwhile
    assert session.cab.dead_man.reason == "silent"
    assert not session.cab.switches.targets
    session.pause(False)
    before = positions(session)
    session.tick(driver.now + 5.1)
    session.tick(driver.now + 5.2)
    assert positions(session) == before


def test_nothing_before_a_restart_can_be_rewound_to():
    driver = driven()
    driver.run(1.0, LEVERS)
    session = driver.session
    session.restart()
    assert (session.oldest, session.newest, session.ring_bytes) == (0.0, 0.0, 0)
    assert not session.forgotten
    driver.run(0.1)
    with pytest.raises(StateError, match=r"time: found 0\.8 s"):
        session.rewind(0.8)


def test_a_quaternion_that_is_nearly_of_unit_length_gives_a_rotation():
    state = hf.load("roadheader").home
    long = tuple(1.0009 * np.array([0.6, 0.0, 0.8, 0.0]))
    R = Target("cutter_head", (0.0, 0.0, 1.0), long).pose(state)[:3, :3]
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-12)
    with pytest.raises(StateError, match="norm"):
        Target("cutter_head", (0.0, 0.0, 1.0), (1.01, 0.0, 0.0, 0.0)).pose(state)
