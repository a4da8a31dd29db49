"""`World`: members, time, and what it tells."""

from pathlib import Path

import numpy as np
import pytest

import headframe as hf
from headframe.bench.standing_machine import HEIGHT, standing_machine
from headframe.dynamics import WorldEngine
from headframe.dynamics.status import DynamicsStatus
from headframe.dynamics.touching.records import WORLD
from headframe.jit import header
from headframe.spatial import compose, matrix_from_rpy
from moving import loaded
from worlds import BALL, CUBE, PLANE, G, grounded, states

STORE = Path(__file__).parents[2] / "docs" / "examples" / "store.json"

# ------------------------------------------------------------------------------------- machines


@pytest.mark.parametrize("name", ["roadheader", "lhd", "sths"])
@pytest.mark.parametrize("formulation", ["embedded", "constrained"])
def test_where_nothing_touches_a_machine_moves_as_in_a_simulation(name, formulation):
    machine = loaded(name)
    world = hf.World()
    inside = world.add(machine, "it", formulation=formulation)
    alone = hf.Simulation(machine, formulation=formulation)
    for each in (inside, alone):
        each.command({group: hf.locked() for group in machine.robot.group_names})
    world.run(0.1)
    alone.run(0.1)
    assert np.array_equal(inside.q, alone.q)
    assert np.array_equal(inside.v, alone.v)
    assert inside.energy() == alone.energy()
    assert inside.time == pytest.approx(0.1)


def on_wheels(step=5e-3, formulation="auto", lift=0.0, turned=(0, 0, 0), material="ground"):
    world = grounded(material, step=step)
    at = compose(matrix_from_rpy(turned), [0, 0, HEIGHT + lift])
    return world, world.add(standing_machine(), "it", at=at, formulation=formulation)


def motors(machine):
    return [motor.name for motor in machine.machine.robot.motors]


def test_a_machine_that_stands_can_be_pulled_at():
    """Wheels bear that much less, from the next step on; and all of it again when it ends."""
    world, it = on_wheels()
    it.command({name: hf.locked() for name in motors(it)})
    bears = []
    for pull in (None, [0, 0, 0, 0, 0, 2e4], None):
        it.apply("chassis", pull)
        world.run(5.0)
        bears.append(sum(contact.force[2] for contact in world.contacts))
    assert bears[0] - bears[1] == pytest.approx(2e4, rel=1e-6)
    assert bears[2] == pytest.approx(bears[0], rel=1e-6)


@pytest.mark.parametrize("formulation", ["embedded", "constrained"])
def test_a_machine_stands_on_its_wheels(formulation):
    world, it = on_wheels(formulation=formulation, lift=0.02)
    it.command({name: hf.locked() for name in motors(it)})
    world.run(10.0)
    assert {contact.a for contact in world.contacts} == {
        f"it/wheel_{end}_{side}" for end in ("front", "rear") for side in ("left", "right")
    }
    weight = sum(link.inertial.mass for link in it.machine.links if link.inertial) * G
    assert sum(contact.force[2] for contact in world.contacts) == pytest.approx(weight, rel=1e-9)
    assert np.abs(it.v).max() < 1e-9
    assert abs(world.energy().balance) < 1e-4 * abs(world.energy().contacts)


def test_both_formulations_agree():
    ends = []
    for formulation in ("embedded", "constrained"):
        world, it = on_wheels(formulation=formulation, lift=0.3, turned=(0.1, 0.1, 0.0))
        it.command({name: hf.locked() for name in motors(it)})
        it.command({"slew_motor": hf.speed(0.3), "boom_lift_motor": hf.floating()})
        world.run(0.6)
        ends.append(it.pose("bucket"))
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)


@pytest.mark.parametrize("material", ["ground", "steel"])
def test_a_machine_that_falls_on_its_side_converges_and_loses_energy(material):
    world, it = on_wheels(lift=2.0, turned=(0.6, -0.4, 1.0), material=material)
    it.command({name: hf.floating() for name in motors(it)})
    before = world.energy().total
    world.run(4.0)
    energy = world.energy()
    assert energy.total < before
    assert abs(energy.balance) < 5e-3 * abs(energy.contacts)
    assert all(contact.depth > 0.0 for contact in world.contacts)


@pytest.mark.parametrize("formulation", ["auto", "simgc"])
def test_a_pull_acts_from_when_it_comes_until_it_ends(formulation):
    """It presses the machine onto the ground, after going back, too."""
    world = grounded("ground", step=5e-3, formulation=formulation)
    it = world.add(standing_machine(), "it", at=compose(np.eye(3), [0, 0, HEIGHT]))
    it.command({name: hf.locked() for name in motors(it)})
    weight = sum(link.inertial.mass for link in it.machine.links if link.inertial) * G
    for pull in (0.0, -5e4, 0.0):
        it.apply("chassis", [0, 0, 0, 0, 0, pull] if pull else None)
        world.run(2.0)
        world.restore(world.save())
        world.run(0.5)
        pushes = sum(contact.force[2] for contact in world.contacts)
        assert pushes == pytest.approx(weight - pull, rel=1e-4)


def test_a_drive_yields_at_its_largest_force():
    """A boom that presses its bucket into the ground lifts the machine, no harder than it can."""
    world, it = on_wheels()
    it.command({name: hf.locked() for name in motors(it)})
    it.command({"boom_lift_motor": hf.speed(0.2)})
    pushed = []
    for _ in range(200):
        world.run(0.02)
        pushed.append(it.forces["boom_lift"])
    assert any("bucket" in contact.a for contact in world.contacts)
    assert np.abs(pushed).max() <= 2e6 * (1 + 1e-9)


def test_a_fixed_machine_is_in_the_way():
    """A box that falls on the roadheader's body stays there."""
    machine = loaded("roadheader")
    world = hf.World(step=2e-3)
    it = world.add(machine, "it")
    it.command({group: hf.locked() for group in machine.robot.group_names})
    top = max(pose[2, 3] for pose in it.poses())
    world.add_body("ball", BALL, 5.0, at=[-1.0, 0, top + 1.0], material="steel")
    world.run(2.0)
    assert any("ball" in (contact.a, contact.b) for contact in world.contacts)


def test_time_is_the_worlds():
    world = hf.World()
    it = world.add(loaded("lhd"), "it")
    with pytest.raises(hf.StateError, match=r"world\.run"):
        it.run(1.0)
    with pytest.raises(hf.StateError, match=r"world\.step"):
        it.step()


# --------------------------------------------------------------------------------------- bodies


def heap(step=2e-3):
    world = grounded("concrete", step=step)
    for k in range(6):
        shape = CUBE if k % 2 else BALL
        world.add_body(f"b{k}", shape, 5.0, at=[0.05 * k, 0.03 * k, 0.3 + 0.25 * k],
                       material="wood")  # fmt: skip
    return world


def test_the_same_inputs_give_the_same_bits():
    one, two = heap(), heap()
    one.run(1.5)
    for _ in range(150):
        two.run(0.01)
    assert states(one) == states(two)


def test_going_back_repeats_every_bit():
    world = heap()
    world.run(0.6)
    saved = world.save()
    world.run(0.8)
    first = states(world)
    world.restore(saved)
    assert world.time == pytest.approx(0.6)
    world.run(0.8)
    assert states(world) == first


def test_what_leaves_changes_nothing_else():
    world, other = heap(), heap()
    world.run(0.2)
    other.run(0.2)
    world.add_body("far", BALL, 1.0, at=[50, 0, 5.0])
    world.remove("far")
    world.add_static("post", CUBE, at=[-50, 0, 0])
    world.run(1.0)
    other.run(1.0)
    for k in range(6):
        assert np.array_equal(world.part(f"b{k}").pose, other.part(f"b{k}").pose)
        assert np.array_equal(world.part(f"b{k}").velocity, other.part(f"b{k}").velocity)
    assert world.energy().balance == pytest.approx(other.energy().balance, abs=1e-9)


def test_contacts_are_remembered_while_members_come_and_go():
    """A block that sticks on a slope goes on sticking, bit for bit, when something else comes."""
    ends = []
    for comes in (False, True):
        world = grounded("steel", step=5e-3, slope=0.3)
        block = world.add_body("block", CUBE, 20.0, at=[0, 0, 0.1], material="steel")
        world.run(2.0)
        if comes:
            world.add_body("a", BALL, 1.0, at=[9, 9, 3])
        world.run(0.5)
        ends.append(block.pose)
    assert np.array_equal(*ends)


def test_more_contacts_than_there_was_room_for():
    world = grounded("steel", step=5e-3)
    for k in range(30):
        world.add_body(f"b{k}", CUBE, 1.0, at=[0.5 * k, 0, 0.1], material="steel")
    world.run(0.1)
    assert len(world.contacts) == 120


def test_a_body_is_where_it_was_put():
    world = hf.World(gravity=0.0)
    at = compose(matrix_from_rpy((0.3, -0.2, 0.9)), [1, 2, 3])
    shapes = [
        {"geometry": {"type": "sphere", "r": 0.1}, "translation": [0.4, 0, 0]},
        {"geometry": {"type": "box", "x": 0.1, "y": 0.2, "z": 0.3}, "translation": [0, 0.2, 0.1]},
    ]
    body = world.add_body("it", shapes, 3.0, at=at, velocity=[1, 2, 3, 4, 5, 6])
    np.testing.assert_allclose(body.pose, at, atol=1e-15)
    np.testing.assert_allclose(body.velocity, [1, 2, 3, 4, 5, 6], atol=1e-14)


def test_what_contacts_tell():
    world = grounded("steel", step=5e-3)
    world.add_body("box", CUBE, 20.0, at=[0, 0, 0.1], material="steel")
    world.run(1.0)
    contacts = world.contacts
    assert len(contacts) == 4
    for contact in contacts:
        assert {contact.a, contact.b} == {"box", "ground"}
        sign = 1.0 if contact.a == "box" else -1.0
        assert sign * contact.normal == pytest.approx([0, 0, 1])
        assert sign * contact.force == pytest.approx([0, 0, 20.0 * G / 4])
        assert contact.point[:2] == pytest.approx(0.1 * np.sign(contact.point[:2]))
        assert contact.sticking


def test_a_world_of_a_scene():
    world = hf.World(STORE, step=2e-3)
    scene = hf.load_scene(STORE).scene
    units = [unit for row in scene.bodies for unit in row.units]
    assert set(units) <= set(world.names)
    assert {static.name for static in scene.statics} <= set(world.names)
    world.run(1.0)
    assert {name for contact in world.contacts for name in (contact.a, contact.b)} & set(units)
    assert world.energy().total <= world.energy().start


def test_the_gripper_lifts_a_box_and_holds_it():
    """Its fingers close by the repeater; friction alone holds the box."""
    machine = loaded("gripper")
    world = hf.World()
    gripper = world.add(machine, "gripper")
    gripper.command({motor.name: hf.locked() for motor in machine.robot.motors})
    finger = machine.robot.link_index["left_finger"]
    (shape,) = machine.collision.shapes[finger]
    x, _, z = (machine.home.pose("left_finger") @ shape.pose)[:3, 3]
    box = world.add_body("box", {"type": "box", "x": 0.05, "y": 0.1, "z": 0.06}, 0.5,
                         at=[x, 0, z], material="rubber")  # fmt: skip
    world.add_static("table", {"type": "box", "x": 0.4, "y": 0.4, "z": 0.1}, at=[x, 0, z - 0.08])
    gripper.command({"finger_1_motor": hf.torque(-5.0)})
    world.run(0.5)
    gripper.command({"shoulder_motor": hf.speed(-0.3)})
    world.run(1.0)
    gripper.command({"shoulder_motor": hf.locked()})
    world.run(0.5)
    assert box.pose[2, 3] > z + 0.2
    assert {name for contact in world.contacts for name in (contact.a, contact.b)} == {
        "box", "gripper/left_finger", "gripper/right_finger",
    }  # fmt: skip
    assert sum(contact.force[2] if contact.a == "box" else -contact.force[2]
               for contact in world.contacts) == pytest.approx(0.5 * G, rel=1e-2)  # fmt: skip
    before = box.pose[:3, 3]
    world.run(5.0)
    np.testing.assert_allclose(box.pose[:3, 3], before, atol=1e-7)


# --------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("add", "told"),
    [
        (lambda w: w.add_body("a", {"type": "box", "x": 0, "y": 1, "z": 1}, 1.0), "x: found 0"),
        (lambda w: w.add_body("a", BALL, 0.0), "mass: found 0.0"),
        (lambda w: w.add_body("a", BALL, float("nan")), "mass: found nan"),
        (lambda w: w.add_body("a", PLANE, 1.0), "a plane, which has no end"),
        (lambda w: w.add_body("a", [], 1.0), "no shape"),
        (lambda w: w.add_body("a", 7, 1.0), "found 7, expected a shape"),
        (lambda w: w.add_body("a", {"type": "blob"}, 1.0), "blob"),
        (lambda w: w.add_body("a/b", BALL, 1.0), "without '/'"),
        (lambda w: w.add_body("ground", BALL, 1.0), "has already"),
        (lambda w: w.add_body("a", BALL, 1.0, at=[0, 0]), "at: "),
        (lambda w: w.add_body("a", BALL, 1.0, velocity=[1, 2, 3]), "velocity: "),
        (lambda w: w.add_body("a", BALL, 1.0, material="stel"), "steel"),
        (lambda w: w.add_body("a", BALL, 1.0, material=3), "found 3, expected the name"),
        (lambda w: w.add(3), "Machine"),
        (lambda w: w.add(loaded("lhd"), base="loose"), "one of 'fixed', 'free'"),
        (lambda w: w.add(loaded("lhd"), formulation="xpbd"), "one of 'auto'"),
        (lambda w: w.remove("nobody"), "nobody"),
        (lambda w: w.step(-1), "n: found -1"),
        (lambda w: w.run(-1.0), "seconds: found -1.0"),
        (lambda w: w.run(1e20), "less than 1e+15 steps"),
        (lambda w: w.restore(3), "saved: found 3"),
    ],
)
def test_errors_say_what_was_expected_and_change_nothing(add, told):
    world = grounded("steel")
    world.add_body("ball", BALL, 1.0, at=[0, 0, 1], material="steel")
    before, names = states(world), world.names
    with pytest.raises(hf.HeadframeError) as error:
        add(world)
    assert told in str(error.value)
    assert (states(world), world.names) == (before, names)


def test_what_begins_deep_in_something_is_refused():
    world = grounded("steel")
    world.add_body("ball", BALL, 1.0, at=[0, 0, 0.05], material="steel")
    with pytest.raises(hf.StateError, match=r"'ball' begins 0\.05 m deep in 'ground'"):
        world.step()
    assert world.time == 0.0
    world.remove("ball")
    world.add_body("ball", BALL, 1.0, at=[0, 0, 0.095], material="steel")
    world.step()


def failing(monkeypatch, shortest):
    """Let contacts settle in no step but those that are shorter than some [s]."""
    run = WorldEngine._run

    def fail(engine, steps):
        h = header(engine.world, WORLD).h
        if steps and h >= shortest:
            made = run(engine, min(steps, max(0, 5 - int(engine.moment.steps))))
            engine.moment.failed = -1
            return made or (DynamicsStatus.NOT_CONVERGED if engine.moment.steps == 5 else 0)
        return run(engine, steps)

    monkeypatch.setattr(WorldEngine, "_run", fail)


def test_a_step_that_does_not_settle_is_made_in_parts(monkeypatch):
    world = grounded("steel")
    world.add_body("box", CUBE, 20.0, at=[0, 0, 0.1], material="steel")
    failing(monkeypatch, 3e-4)
    world.step(6)
    assert world.time == pytest.approx(6e-3)
    assert np.abs(world.part("box").velocity).max() < 1e-3


def test_a_step_that_never_settles_names_the_pair(monkeypatch):
    world = grounded("steel")
    world.add_body("box", CUBE, 20.0, at=[0, 0, 0.1], material="steel")
    world.step(5)
    before = states(world)
    failing(monkeypatch, 0.0)
    with pytest.raises(hf.DynamicsError, match="the contact of 'box' and 'ground' does not settle"):
        world.step(3)
    assert states(world) == before


def test_a_state_of_other_members_is_refused():
    world = heap()
    saved = world.save()
    world.remove("b0")
    with pytest.raises(hf.StateError, match="other members"):
        world.restore(saved)
