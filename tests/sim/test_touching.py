"""A session in dynamic mode: the machine among the things and machines of its scene."""

import json
from pathlib import Path

import numpy as np
import pytest

import headframe as hf
from headframe.errors import DynamicsError, StateError
from headframe.mechanism import State
from headframe.protocol import CONTACTS, STRONGEST
from headframe.sim import GROUND, Obstacle, Physics, Session, Setting, Touching
from headframe.sim.forced import Forced
from headframe.sim.nearness import LinkBoxes, TurnedBoxes, lowest
from headframe.sim.ring import size_of
from headframe.staging import load_scene

TICK = 1 / 60
STORE = Path(__file__).parents[2] / "docs" / "examples" / "store.json"
DYNAMIC = Physics(dynamics=True)


class Driver:
    """Somebody who is there, tick by tick."""

    def __init__(self, session):
        self.session, self.now = session, 0.0

    def drive(self, seconds, levers=None, **motors):
        self.session.cab.beat(self.now, {}, 0.0, True)
        for motor, fraction in motors.items():
            self.session.spin(motor, fraction)
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            self.session.cab.beat(self.now, levers or {}, 0.0, True)
            self.session.tick(self.now)
            assert not self.session.trouble
        return self.session.read()


def playground(physics=DYNAMIC):
    machine = hf.load("gripper")
    setting = Setting(load_scene("playground"), machine, "gripper")
    return Session(machine, physics, setting=setting)


def place_of(session, thing):
    names = list(session._setting.things())
    return session.body_poses[names.index(thing)][:3, 3]


@pytest.fixture(scope="module")
def grasped():
    """The box between the fingers, lifted and held by the motors that a page has."""
    driver = Driver(playground())
    driver.drive(0.5)
    driver.drive(0.6, finger_1_motor=-0.3)
    driver.drive(1.0, shoulder_motor=-0.2)
    driver.drive(0.5, shoulder_motor=0.0)
    return driver


# ----------------------------------------------------------------------------------- driving


def test_the_box_is_lifted_and_held(grasped):
    session = grasped.session
    before = place_of(session, "box").copy()
    assert before[2] > 0.7
    members = [GROUND, *session._setting.things(), *(link.name for link in session.machine.links)]
    told = grasped.drive(1.0).contacts
    held = {
        frozenset((members[int(a)], members[int(b)]))
        for *_, a, b in told
        if "box" in (members[int(a)], members[int(b)])
    }
    assert held == {frozenset(("box", "left_finger")), frozenset(("box", "right_finger"))}
    np.testing.assert_allclose(place_of(session, "box"), before, atol=1e-6)


def test_a_stack_is_pushed_over_and_rewound_bit_for_bit(grasped):
    session = grasped.session
    when, before, poses = session.time, session.body_poses.copy(), session.motion.poses()
    standing = place_of(session, "stack 5").copy()
    grasped.drive(1.6, turn_motor=0.6)
    grasped.drive(0.5, turn_motor=0.0)
    fallen = session.body_poses.copy()
    later = session.time
    assert place_of(session, "stack 5")[2] < standing[2] - 0.3
    session.rewind(when)
    assert np.array_equal(session.body_poses, before)
    assert np.array_equal(session.motion.poses(), poses)
    session.rewind(later)
    assert np.array_equal(session.body_poses, fallen)


def test_bodies_stay_by_kinematics_and_where_physics_changes(grasped):
    session = grasped.session
    session.pause(False)
    when, then = session.time, session.body_poses.copy()
    grasped.drive(0.2)
    there = session.body_poses.copy()
    session.set_physics(Physics())
    assert np.array_equal(session.body_poses, there)
    grasped.drive(0.3, turn_motor=0.3)
    assert np.array_equal(session.body_poses, there)
    assert len(session.read().contacts) == 0
    session.set_physics(Physics(dynamics=True, gravity=1.62))
    np.testing.assert_allclose(session.body_poses, there, atol=1e-12)
    by_kinematics = session.time - 0.1
    grasped.drive(0.3)
    session.set_physics(Physics())
    grasped.drive(0.1)
    assert not np.allclose(session.body_poses, there, atol=1e-6)
    session.rewind(by_kinematics)
    assert session.motion.touching is None
    assert np.array_equal(session.body_poses, there)
    session.rewind(when)
    assert session.motion.touching is not None
    assert np.array_equal(session.body_poses, then)


def test_a_restart_puts_everything_back():
    driver = Driver(playground())
    first = driver.session.body_poses.copy()
    driver.drive(0.5)
    assert not np.array_equal(driver.session.body_poses, first)
    driver.session.restart()
    np.testing.assert_allclose(driver.session.body_poses, first, atol=1e-12)


def test_contacts_are_told_strongest_first():
    driver = Driver(playground())
    told = driver.drive(0.5).contacts
    assert told.shape[1] == CONTACTS.width
    assert 40 < len(told) <= STRONGEST
    forces, normals = np.linalg.norm(told[:, 6:9], axis=1), told[:, 3:6]
    assert (np.diff(forces) <= 0.0).all()
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0)
    assert ((told[:, 6:9] * normals).sum(axis=1) > 0.0).all()
    assert set(told[:, 9]) <= {0.0, 1.0}


def test_what_is_saved_counts_its_bodies_and_contacts():
    session = playground()
    Driver(session).drive(0.1)
    saved = session.motion.save()
    held = saved.world.state.nbytes
    assert size_of(saved) > held + 500
    assert session.ring_bytes > 5 * held


def test_a_step_that_fails_is_told_and_the_state_before_it_is_kept(monkeypatch):
    session = playground()
    driver = Driver(session)
    driver.drive(0.2)
    before, made = session.body_poses.copy(), session.steps
    world, step = session.motion.touching.world, session.motion.touching.world.step

    def fails(n):
        step(3)  # some are made before it
        raise DynamicsError("the contact of 'box' and 'table' does not settle", None, world.time)

    monkeypatch.setattr(world, "step", fails)
    driver.now += TICK
    session.tick(driver.now)
    assert "'box' and 'table'" in session.trouble
    assert session.steps == made
    assert np.array_equal(session.body_poses, before)
    monkeypatch.undo()
    session.rewind(0.1)
    assert session.trouble == ""
    session.pause(False)
    driver.drive(0.2)
    assert session.steps > made


# ------------------------------------------------------------- nothing near: bit for bit as alone


@pytest.mark.parametrize("name", ["gripper", "lhd", "jumbo"])
def test_where_nothing_is_near_a_machine_moves_as_it_does_alone(name):
    machine = hf.load(name)
    yard = load_scene("tunnel")
    alone = Session(machine, DYNAMIC)
    among = Session(machine, DYNAMIC, setting=Setting(yard, machine, name))
    assert isinstance(alone.motion, Forced)
    assert isinstance(among.motion, Touching)
    by_world = Session(machine, DYNAMIC, setting=Setting(yard, machine, name))
    by_world.motion.touching._nearness = None
    for session in (alone, among, by_world):
        now = 0.0
        for tick in range(30):
            now += TICK
            group = next(iter(machine.robot.group_names), None)
            session.cab.beat(now, {group: 0.4} if group and tick > 2 else {}, 0.0, True)
            if tick == 3 and machine.robot.joint_drives:
                session.spin(machine.robot.joint_drives[0].name, 0.3)
            session.tick(now)
        assert not session.trouble
    assert not np.array_equal(alone.motion.state.q, machine.home.q)
    for session in (among, by_world):
        assert np.array_equal(session.motion.state.q, alone.motion.state.q)
        assert np.array_equal(session.motion.velocities, alone.motion.velocities)
        assert len(session.read().contacts) == 0


def test_other_formulations_touch_nothing():
    session = playground(Physics(dynamics=True, formulation="simgc"))
    assert session.motion.touching is None
    assert "it touches nothing: simgc knows no contacts" in session.motion.reason
    before = session.body_poses.copy()
    Driver(session).drive(0.1)
    assert np.array_equal(session.body_poses, before)


# ---------------------------------------------------------------------------- other machines


def obstacle(name, at, number=1, q=None):
    machine = hf.load(name) if isinstance(name, str) else name
    base = np.eye(4)
    base[:3, 3] = at
    return Obstacle(machine.name, machine, machine.home.q if q is None else q, base, number)


def test_an_arm_does_not_swing_through_another():
    machine, yard = hf.load("gripper"), load_scene("tunnel")
    other = obstacle("gripper", (0.0, 0.7, 0.0))
    session = Session(machine, DYNAMIC, setting=Setting(yard, machine, "arm", obstacles=(other,)))
    driver = Driver(session)
    told = driver.drive(2.5, turn_motor=0.4).contacts
    turned = session.motion.state.joints["turn"]
    assert 0.2 < turned < 1.5, "it was to be stopped on its way to 2 rad"
    unit = session._setting.first_unit + other.number
    assert unit in set(told[:, 10]) | set(told[:, 11])
    alone = Session(machine, DYNAMIC)
    Driver(alone).drive(2.5, turn_motor=0.4)
    assert alone.motion.state.joints["turn"] > 1.8


def test_bodies_stay_when_another_unit_is_driven():
    machine, full = hf.load("gripper"), load_scene("playground")
    bases = np.tile(np.eye(4), (2, 1, 1))
    bases[1, 0, 3] = -6.0
    setting = Setting(full, machine, "arm", ("1", "2"))
    session = Session(machine, DYNAMIC, bases=bases, setting=setting)
    driver = Driver(session)
    driver.drive(0.5)
    assert "arm 2" in session.motion.touching.world.names
    before = session.body_poses.copy()
    session.select([1])
    assert "arm 1" in session.motion.touching.world.names
    np.testing.assert_allclose(session.body_poses, before, atol=1e-12)


def test_what_begins_deep_in_the_machine_is_passed_through():
    machine, yard = hf.load("gripper"), load_scene("tunnel")
    inside = obstacle("gripper", (0.0, 0.0, 0.0))
    session = Session(machine, DYNAMIC, setting=Setting(yard, machine, "arm", obstacles=(inside,)))
    Driver(session).drive(0.2)
    assert np.abs(session.motion.velocities).max() < 1e-3


def test_a_machine_far_away_has_no_shapes():
    machine, yard = hf.load("gripper"), load_scene("tunnel")
    near, far = obstacle("gripper", (0.0, 1.5, 0.0)), obstacle("gripper", (0.0, 9.0, 0.0), 2)
    session = Session(machine, DYNAMIC, setting=Setting(yard, machine, "a", obstacles=(near, far)))
    assert sum("gripper" in name for name in session.motion.touching.world.names) == 1
    full = Setting(load_scene("playground"), machine, "a", obstacles=(near, far))
    session = Session(machine, DYNAMIC, setting=full)
    assert sum("gripper" in name for name in session.motion.touching.world.names) == 2


def test_deep_in_a_thing_dynamics_are_refused_and_nothing_changes():
    session = playground(Physics())
    Driver(session).drive(1.2, shoulder_motor=0.2)
    before = session.motion
    with pytest.raises(StateError, match="deep in"):
        session.set_physics(DYNAMIC)
    assert session.motion is before
    assert not session.physics.dynamics


# --------------------------------------------------------------------------------- free bases


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A block with an arm on it; its file says that it stands free."""
    box = {"type": "box", "x": 0.6, "y": 0.6, "z": 0.4}
    bar = {"type": "box", "x": 0.8, "y": 0.1, "z": 0.1}
    told = {
        "mrdf": "1", "name": "block", "base": "free",
        "links": [
            {"name": "foot", "inertial": {"mass": 200.0, "inertia": _of_box(200.0, 0.6, 0.6, 0.4)},
             "collision": [{"geometry": box}]},
            {"name": "bar", "inertial": {"mass": 5.0, "inertia": _of_box(5.0, 0.8, 0.1, 0.1)},
             "collision": [{"geometry": bar}]},
        ],
        "joints": [{"name": "turn", "parent": "foot", "child": "bar", "type": "revolute",
                    "origin_translation": [0.0, 0.0, 0.3], "axis": [0.0, 0.0, 1.0]}],
        "motors": [{"name": "motor", "joint": "turn", "max_torque": 300.0, "max_speed": 3.0}],
    }  # fmt: skip
    path = tmp_path_factory.mktemp("free") / "block.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    return hf.load(path)


def _of_box(mass, x, y, z):
    xx, yy, zz = (mass / 12 * (a * a + b * b) for a, b in ((y, z), (x, z), (x, y)))
    return [[xx, 0.0, 0.0], [0.0, yy, 0.0], [0.0, 0.0, zz]]


def standing(table, *obstacles, high=0.3):
    base = np.eye(4)
    base[2, 3] = high
    setting = Setting(load_scene("tunnel"), table, "block", obstacles=obstacles)
    return Session(table, DYNAMIC, bases=base[None], setting=setting)


def test_a_free_machine_falls_on_the_ground_and_stands(table):
    session = standing(table)
    driver = Driver(session)
    driver.drive(1.5)
    state = session.motion.state
    assert state.base[2, 3] == pytest.approx(0.2, abs=1e-3)
    assert state.pose("foot")[2, 3] == pytest.approx(0.2, abs=1e-3)
    np.testing.assert_allclose(session.motion.poses()[0], state.pose("foot"), atol=1e-12)
    assert len(session.read().poses) == 2
    before = state.base.copy()
    driver.drive(1.0, motor=0.2)
    assert session.motion.state.joints["turn"] > 0.2
    now, when = session.motion.state.base.copy(), session.time
    np.testing.assert_allclose(now, before, atol=2e-2)
    driver.drive(0.5)
    session.rewind(when)
    assert np.array_equal(session.motion.state.base, now)
    session.set_physics(Physics())  # and it stays there by kinematics
    np.testing.assert_allclose(session.motion.state.base, now, atol=1e-12)


def test_a_free_machine_that_is_not_driven_is_pushed(table):
    other = obstacle(table, (0.62, 0.15, 0.7), number=4)
    light = obstacle(table, (-1.6, 0.0, 0.2), number=5)
    session = standing(table, light, other, high=0.2)
    assert set(session.motion.touching.others) == {4, 5}
    Driver(session).drive(0.8)
    moved = dict(session.others_moved())
    assert moved[4][0][2, 3] < 0.65, "it was put in the air, and falls"
    there = session.other_states()[4][1].copy()
    session.set_physics(Physics())
    assert np.array_equal(session.other_states()[4][1], there)
    session.set_physics(DYNAMIC)
    np.testing.assert_allclose(dict(session.others_moved())[4][0], there, atol=1e-9)
    session.restart()
    np.testing.assert_allclose(session.other_states()[4][1], other.base, atol=1e-9)
    np.testing.assert_allclose(moved[5][0], State(table.mechanism, table.home.q,
                               light.base).pose("foot"), atol=1e-3)  # fmt: skip


def test_a_loader_that_stands_free_pushes_crates_over():
    staged = load_scene(STORE)
    (stand,) = staged.scene.machines
    machine = staged.machine(stand)
    assert (machine.robot.base, hf.load("lhd").robot.base) == ("free", "fixed")
    session = Session(
        machine, DYNAMIC, bases=stand.poses, setting=Setting(staged, machine, stand.name)
    )
    driver = Driver(session)
    driver.drive(0.5)
    stood = session.motion.state.base.copy()
    np.testing.assert_allclose(stood, stand.poses[0], atol=0.02)  # its tyres give way a little
    driver.drive(3.0, levers={"lift": 1.0})
    driver.drive(5.0, levers={"slide": 1.0})
    assert place_of(session, "crate 3")[2] < 1.7, "it was the topmost"
    np.testing.assert_allclose(session.motion.state.base, stood, atol=5e-3)


# ------------------------------------------------------------------------------------- boxes


def test_a_support_between_others_goes_by_itself():
    """A world need not look for what is near at every step."""
    machine = hf.load("tcchs")
    others = [obstacle(machine, (0.0, y, 0.0), n) for n, y in enumerate((-1.75, 1.75))]
    setting = Setting(load_scene("tunnel"), machine, "support", obstacles=tuple(others))
    session = Session(machine, DYNAMIC, setting=setting)
    Driver(session).drive(0.2)
    touching = session.motion.touching
    assert touching._is_clear
    assert touching.world.time < 0.01


def test_boxes_that_are_turned_are_told_apart():
    machine = hf.load("gripper")
    names = {link.name: n for n, link in enumerate(machine.links)}
    boxes = TurnedBoxes(machine, [(names["base"], names["palm"])])
    poses = np.array([machine.home.pose(link.name) for link in machine.links])
    assert boxes.are_apart(poses, 0.3)
    assert not boxes.are_apart(poses, 5.0)
    poses[names["palm"]] = poses[names["base"]]
    assert not boxes.are_apart(poses, 0.0)
    assert TurnedBoxes(machine, []).are_apart(poses, 1.0)


def test_boxes_hold_their_links():
    machine = hf.load("roadheader")
    poses = np.array([machine.home.pose(link.name) for link in machine.links])
    boxes = LinkBoxes(machine)
    low, high = boxes.at(poses).transpose(1, 0, 2)
    assert (low < high).all()
    assert len(boxes.links) == sum(bool(own) for own in machine.collision.shapes)
    assert -0.1 < lowest(machine, poses) < -0.07  # its shovel is a little below z = 0
    assert low[:, 2].min() <= lowest(machine, poses)
