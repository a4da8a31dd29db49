"""Many machines of one kind: against single ones, groups, states to go back to."""

import numpy as np
import pytest

import headframe as hf
from headframe.errors import CommandError, DynamicsError, StateError
from headframe.mechanism.cylinders import Placing, look_at
from headframe.sim.convoy import Convoy
from headframe.sim.kinematic import Kinematic
from headframe.sim.pacer import TICK
from headframe.sim.playing import Course
from headframe.sim.ring import size_of
from headframe.sim.session import Physics, Session

STEP = 1e-3


def row(count, turn=0.02):
    """Places along a curve."""
    bases = [hf_pose(0.0, 0.0)]
    while len(bases) < count:
        bases.append(bases[-1] @ hf_pose(1.75, turn))
    return np.array(bases)


def hf_pose(y, yaw):
    X = np.eye(4)
    X[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
    X[1, 3] = y
    return X


@pytest.mark.parametrize("name", ["tcchs", "sths", "roadheader", "lhd", "peaucellier"])
def test_each_unit_moves_as_a_machine_alone(name):
    """Bit for bit, whatever the others do; poses are those of the state to rounding."""
    machine, bases, random = hf.load(name), row(4), np.random.default_rng(5)
    convoy = Convoy(machine, STEP, bases)
    singles = [Kinematic(machine, STEP, machine.home.moved(X)) for X in bases]
    robot = machine.robot
    for _ in range(12):
        chosen = sorted(random.choice(4, size=random.integers(1, 5), replace=False).tolist())
        convoy.select(chosen)
        told = {
            group: hf.speed(random.uniform(-1, 1) * robot.actuators[members[0]].speed)
            for group, members in zip(robot.group_names, robot.groups, strict=True)
        }
        if name == "roadheader":
            told["cutting_motor"] = hf.speed(2.0)
        convoy.command(told)
        still = dict.fromkeys([*robot.group_names, *(m.name for m in robot.motors)], hf.locked())
        for unit, single in enumerate(singles):
            single.command({**still, **(told if unit in chosen else {})})
            single.step(200)
        convoy.step(200)
        found = convoy.poses_of(range(4))
        for unit, single in enumerate(singles):
            assert convoy.joints[unit].tobytes() == single.state.q.tobytes()
            np.testing.assert_allclose(found[unit], single.poses(), atol=1e-12)
        first = singles[chosen[0]]
        np.testing.assert_array_equal(convoy.state.lengths, first.state.lengths)
        np.testing.assert_allclose(convoy.poses(), first.poses(), atol=1e-12)
        if name == "roadheader":
            assert convoy.rate("cutting_motor") == first.rate("cutting_motor")


def test_hundred_supports_stand_where_forward_kinematics_has_them():
    machine, bases = hf.load("tcchs"), row(100, turn=0.0)
    convoy = Convoy(machine, STEP, bases)
    for unit in range(0, 100, 10):  # a wave: each ten a little longer on their way
        convoy.select(range(unit, 100))
        convoy.command({"front_legs": hf.speed(-0.03), "rear_legs": hf.speed(-0.03)})
        convoy.step(100)
    convoy.select(range(100))
    convoy.step(500)  # all come to rest
    found = convoy.poses_of(range(100))
    lengths = np.array([_lengths(machine, q) for q in convoy.joints])
    assert np.ptp(lengths[:, 0]) > 0.01
    for unit in range(100):
        state = machine.fk(lengths[unit]).moved(bases[unit])
        wanted = [state.pose(link.name) for link in machine.links]
        np.testing.assert_allclose(found[unit], wanted, atol=1e-9)


def _lengths(machine, q):
    return np.array(hf.State(machine.mechanism, q).lengths)


def test_only_selected_units_obey():
    convoy = Convoy(hf.load("sths"), STEP, row(5))
    home = convoy.joints
    assert convoy.moved().tolist() == [0, 1, 2, 3, 4]  # nobody was told of them yet
    convoy.select([3, 1])
    assert convoy.selected == (1, 3)
    group = convoy.machine.robot.group_names[0]
    convoy.command({group: hf.speed(-0.02)})
    convoy.step(300)
    assert convoy.moved().tolist() == [1, 3]
    assert convoy.moved().tolist() == []
    changed = (convoy.joints != home).any(axis=1)
    assert changed.tolist() == [False, True, False, True, False]
    convoy.select([0])  # those that moved brake within their limits, and hold
    convoy.step(1000)
    held = convoy.joints
    convoy.step(300)
    np.testing.assert_array_equal(convoy.joints, held)


def test_what_one_unit_cannot_do_stops_it_alone():
    """A roadheader's boom that meets a singular way is held; the others go on."""
    machine = hf.load("tcchs")
    convoy = Convoy(machine, STEP, row(3))
    convoy.select([1])
    convoy.command({"front_legs": hf.speed(-0.03)})
    convoy.step(60_000)  # to its end, whatever ends it
    convoy.select(range(3))
    convoy.command({"front_legs": hf.speed(-0.03)})
    before = convoy.joints
    convoy.step(500)
    moved = (convoy.joints != before).any(axis=1)
    assert moved.tolist() == [True, False, True]


def test_wrong_units_and_places_are_refused():
    machine = hf.load("sths")
    convoy = Convoy(machine, STEP, row(3))
    for units in ([], [3], [-1], [0, 9]):
        with pytest.raises(CommandError, match="expected some of 0 to 2"):
            convoy.select(units)
    with pytest.raises(StateError, match="bases"):
        Convoy(machine, STEP, np.eye(4))
    with pytest.raises(StateError, match="joints"):
        Convoy(machine, STEP, row(3), np.zeros((2, 7)))
    with pytest.raises(CommandError, match="knows no forces"):
        convoy.command({convoy.machine.robot.group_names[0]: hf.force(1.0)})


def test_placing_of_tubes_that_look_along_their_pins():
    points = np.array([[[0.0, 0, 0], [1, 2, 3]]])
    others = np.array([[[0.0, 0, 2], [1, 2, 3]]])
    pins = np.array([[[0.0, 0, 1], [0, 1, 0]]])
    found = look_at(points, others, pins)
    for k in range(2):
        np.testing.assert_allclose(
            found[0, k], look_at(points[0, k], others[0, k], pins[0, k]), atol=1e-15
        )


def test_placing_nobody_gives_nothing():
    machine = hf.load("lhd")
    placing = Placing(machine.mechanism)
    assert placing.poses(np.zeros((0, 4)), np.zeros((0, 4, 4))).shape == (0, 10, 4, 4)


# ------------------------------------------------------------------- saving


def test_going_back_repeats_the_motion_exactly():
    convoy = Convoy(hf.load("tcchs"), STEP, row(6))
    convoy.select([1, 2, 4])
    convoy.command({"front_legs": hf.speed(-0.02), "tail_jacks": hf.speed(0.03)})
    convoy.step(100)
    saved = convoy.save()
    ends = []
    for _ in range(2):
        convoy.restore(saved)
        assert convoy.selected == (1, 2, 4)
        convoy.step(300)
        ends.append(convoy.joints.tobytes())
        convoy.select([0, 5])
        convoy.command({"front_legs": hf.speed(-0.01)})
        convoy.step(200)
        ends.append(convoy.joints.tobytes())
    assert ends[:2] == ends[2:]


def test_saved_states_share_what_has_not_moved():
    convoy = Convoy(hf.load("tcchs"), STEP, row(50))
    first = convoy.save()
    convoy.select([7])
    convoy.command({"front_legs": hf.speed(-0.02)})
    convoy.step(20)
    second = convoy.save()
    same = [a is b for a, b in zip(first.rows, second.rows, strict=True)]
    assert same.count(False) == 1
    assert not same[7]
    assert size_of(second) < 0.15 * size_of(first)
    third = convoy.save()
    assert third.rows is second.rows
    assert size_of(third) < 500
    convoy.restore(first)  # what is saved from there shares with it, not with what was after
    assert all(a is b for a, b in zip(convoy.save().rows, first.rows, strict=True))


# ------------------------------------------------------------------ session


class Driver:
    """Ticks a session of several units by a clock of its own."""

    def __init__(self, machine="tcchs", count=6, physics=None):
        self.bases = row(count)
        self.session = Session(hf.load(machine), physics, bases=self.bases)
        self.now = 100.0
        self.session.tick(self.now)
        self.run(0.1)

    def run(self, seconds, levers=None):
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            self.session.cab.beat(self.now, levers or {}, 0.0, True)
            self.session.tick(self.now)


def test_rewinding_a_group_is_exact():
    driver = Driver()
    session = driver.session
    session.select([0, 1, 2])
    driver.run(0.5, {"front_legs": -1.0})
    driver.run(0.1)
    session.select([3])
    driver.run(0.5, {"rear_legs": -0.5})
    then, joints = session.time, session.joints
    driver.run(0.2)
    session.select(range(6))
    driver.run(0.3, {"front_legs": 0.4})
    session.rewind(then)
    assert session.selected == (3,)
    assert session.joints.tobytes() == joints.tobytes()
    session.rewind(0.4)
    assert session.selected == (0, 1, 2)


def test_units_are_selected_with_neutral_levers_only():
    driver = Driver()
    driver.run(0.2, {"front_legs": -1.0})
    with pytest.raises(CommandError, match="neutral"):
        driver.session.select([2])
    assert driver.session.selected == (0,)
    driver.run(0.1)
    driver.session.cab.go_to("front_legs", 2.3)
    driver.session.select([2])
    assert not driver.session.cab.switches.targets


def test_under_forces_the_first_moves_alone():
    driver = Driver()
    session = driver.session
    session.select([1, 2])
    home = session.joints
    session.set_physics(Physics(dynamics=True))
    session.moved()
    driver.run(0.5, {"front_legs": -1.0})
    units, poses = session.moved()
    assert units.tolist() == [1]
    np.testing.assert_array_equal(poses[0], session.motion.poses())
    np.testing.assert_allclose(poses[0][0], driver.bases[1], atol=1e-6)
    changed = np.abs(session.joints - home).max(axis=1) > 1e-4
    assert changed.tolist() == [False, True, False, False, False, False]
    driver.run(0.5)
    then = session.time
    driver.run(0.1)
    fallen = session.joints
    session.select([4])  # the one that moved stays where it is
    np.testing.assert_array_equal(session.joints[1], fallen[1])
    driver.run(0.5, {"front_legs": -1.0})
    session.set_physics(Physics())
    np.testing.assert_array_equal(session.joints[1], fallen[1])
    assert session.selected == (4,)
    driver.run(0.2)
    session.select([0])
    driver.run(0.2, {"front_legs": -1.0})
    session.rewind(then)
    assert session.selected == (1, 2)
    assert session.physics.dynamics
    np.testing.assert_allclose(session.joints, fallen, atol=1e-6)


def test_restart_brings_all_home_and_keeps_the_selection():
    driver = Driver("sths", 3)
    home = driver.session.joints
    driver.session.select([1, 2])
    driver.run(0.5, {driver.session.machine.robot.group_names[0]: -1.0})
    driver.session.restart()
    np.testing.assert_array_equal(driver.session.joints, home)
    assert driver.session.selected == (1, 2)


def test_one_unit_somewhere_else():
    machine, bases = hf.load("lhd"), row(2)[1:]
    session = Session(machine, bases=bases)
    assert session.selected == (0,)
    session.select([0])
    for units in ([1], [0, 1], []):
        with pytest.raises(CommandError, match="the only one"):
            session.select(units)
    found = session.read().poses
    wanted = [machine.home.moved(bases[0]).pose(link.name) for link in machine.links]
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    assert len(session.moved()[0]) == 0


def test_ring_of_a_hundred_at_rest_stays_small():
    driver = Driver(count=100)
    driver.run(0.5)
    before = driver.session.ring_bytes
    driver.run(1.0)
    assert (driver.session.ring_bytes - before) / 60 < 1500


def test_following_leads_one_and_lets_others_come_to_rest():
    """The unit that follows is where a machine alone would be; one that still moved goes on."""
    machine, bases = hf.load("tcchs"), row(3)
    convoy = Convoy(machine, STEP, bases)
    single = Kinematic(machine, STEP, machine.home.moved(bases[2]))
    convoy.select([1])
    convoy.command({"front_legs": hf.speed(0.1)})
    convoy.step(300)
    convoy.select([2])  # the other one is still moving
    group = np.array([machine.robot.group_names.index("rear_legs")])
    start = machine.home.lengths[machine.robot.groups[group[0]][0]]
    for n in range(1, 61):
        where, rate = np.array([start - 2e-4 * n]), np.array([-0.2])
        convoy.follow(1, group, where, rate)
        single.follow(1, group, where, rate)
    assert convoy.joints[2].tobytes() == single.state.q.tobytes()
    assert convoy.moved().tolist() == [0, 1, 2]
    leg = machine.robot.groups[machine.robot.group_names.index("front_legs")][0]
    coasted = hf.State(machine.mechanism, convoy.joints[1], bases[1]).lengths[leg]
    convoy.select([1])
    convoy.step(1)
    assert convoy.state.lengths[leg] == pytest.approx(coasted, abs=1e-4)
    before = convoy.joints
    with pytest.raises(hf.LengthError):
        convoy.follow(1, group, np.array([9.0]), rate)
    np.testing.assert_array_equal(convoy.joints, before)


def test_path_is_followed_by_one_unit_only():
    machine = hf.load("tcchs")
    session = Session(machine, bases=row(3))
    first = [members[0] for members in machine.robot.groups]
    lengths = np.array([machine.home.lengths[first], machine.home.lengths[first]])
    lengths[1, 0] -= 0.05
    groups = np.arange(len(first))
    course = Course(1, groups, np.array([0.0, 2.0]), lengths, np.zeros_like(lengths))
    now = 0.0
    while session.cab.dead_man.look(now):
        now += TICK
        session.cab.beat(now, {}, 0.0, True)
        session.tick(now)
    session.select([0, 2])
    with pytest.raises(CommandError, match="followed by one unit: 2 are selected"):
        session.play(course)
    session.select([2])
    session.play(course)
    for _ in range(int(2.5 / TICK)):
        now += TICK
        session.cab.beat(now, {}, 0.0, True)
        session.tick(now)
    assert session.cab.switches.playing is None
    assert session.motion.state.lengths[first[0]] == pytest.approx(lengths[1, 0], abs=1e-9)
    np.testing.assert_array_equal(session.joints[:2], [machine.home.q] * 2)


# ------------------------------------------------------------------ who moved


def test_units_that_are_placed_or_brought_back_have_moved():
    """Pages are told of those who moved only: whoever is left out stands elsewhere there."""
    machine = hf.load("tcchs")
    convoy = Convoy(machine, STEP, row(5))
    assert convoy.moved().tolist() == [0, 1, 2, 3, 4], "nobody has been told of yet"
    assert convoy.moved().tolist() == []
    saved = convoy.save()
    convoy.select([3])
    elsewhere = machine.fk({"front_legs": 2.2, "rear_legs": 2.2})
    convoy.place(elsewhere)
    assert convoy.moved().tolist() == [3]
    convoy.select([1, 2])
    convoy.command({"front_legs": hf.speed(-0.02)})
    convoy.step(20)
    assert convoy.moved().tolist() == [1, 2]
    convoy.restore(saved)
    assert convoy.moved().tolist() == [1, 2, 3]
    convoy.restore(saved)
    assert convoy.moved().tolist() == [], "they stand there already"


def test_units_that_moved_and_were_not_asked_about_are_not_forgotten():
    """Going back to where all stand already changes nothing of what is still to be told."""
    convoy = Convoy(hf.load("tcchs"), STEP, row(3))
    convoy.moved()
    convoy.select([1])
    convoy.command({"front_legs": hf.speed(-0.02)})
    convoy.step(20)
    convoy.restore(convoy.save())
    assert convoy.moved().tolist() == [1]


def test_all_hold_from_where_one_is_placed():
    """Units that were on their way with it stand, too, and nobody goes on to what was told."""
    machine = hf.load("tcchs")
    convoy = Convoy(machine, STEP, row(3))
    convoy.select([1, 2])
    convoy.command({"front_legs": hf.speed(-0.05)})
    convoy.step(200)
    assert convoy.rate("front_legs") < 0.0
    convoy.place(machine.home)
    placed = convoy.joints
    np.testing.assert_array_equal(placed[1], machine.home.q)
    assert convoy.rate("front_legs") == 0.0
    convoy.step(100)
    np.testing.assert_array_equal(convoy.joints, placed)


def test_under_forces_every_unit_is_told_once_and_the_one_that_moves_last():
    driver = Driver("lhd", 3, Physics(dynamics=True))
    session = driver.session
    assert session.moved()[0].tolist() == [1, 2, 0]
    driver.run(0.1)
    session.select([1])
    driver.run(0.1, {"lift": 1.0})
    units, poses = session.moved()
    assert units.tolist() == [0, 1]
    np.testing.assert_array_equal(poses[-1], session.read().poses)


@pytest.mark.parametrize("dynamics", [False, True])
def test_a_unit_somewhere_else_goes_on_there(dynamics):
    """What it goes on from has no place: another process told the joints alone."""
    machine, bases = hf.load("lhd"), row(2)[1:]
    session = Session(machine, Physics(dynamics=dynamics), bases=bases)
    state = machine.fk({"lift": machine.home.inputs[1] + 0.05})
    velocity = np.zeros(session.motion.v.size if dynamics else 0)
    session.resume(state, velocity, 40)
    assert (session.steps, session.paused) == (40, True)
    wanted = [state.moved(bases[0]).pose(link.name) for link in machine.links]
    np.testing.assert_allclose(session.read().poses, wanted, atol=1e-9)


def test_a_unit_that_cannot_move_is_not_selected(monkeypatch):
    """What is refused changes nothing: the unit that moved goes on from where it is."""
    driver = Driver("lhd", 3, Physics(dynamics=True))
    session = driver.session
    driver.run(0.3, {"lift": 1.0})
    driver.run(0.1)
    moving, joints = session.motion, session.joints
    standing = session._convoy.joints

    def refused(*_):
        raise DynamicsError("it cannot move")

    monkeypatch.setattr(session, "_new_motion", refused)
    with pytest.raises(DynamicsError):
        session.select([2])
    assert session.selected == (0,)
    assert session.motion is moving
    np.testing.assert_array_equal(session.joints, joints)
    np.testing.assert_array_equal(session._convoy.joints, standing)
